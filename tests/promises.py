"""
Sentences that the rules of ``consumer.understanding`` were written with, in seven languages.

All were said by Mara to Bob on Thursday, 26 November 2026, in a region that writes the month first. One a line;
"|" parts the columns. tests/promises_apart.py holds sentences that the rules were not written with.
"""
# ruff: noqa: RUF001 - an apostrophe as people type it

from __future__ import annotations

from typing import Final

Table = dict[str, str]


def rows(table: Table) -> list[tuple[str, ...]]:
    """(language, column, ...) of each line."""
    return [
        (language, *(column.strip() for column in line.split("|")))
        for language, lines in table.items()
        for line in lines.strip().splitlines()
    ]


#: Sentence | a word of its object | due day.
PROMISES: Final[Table] = {
    "en": """
        I will send you the signed Harbor contract by Friday. | Harbor contract | 2026-11-27
        I'll send you the price deck by Monday. | price deck | 2026-11-30
        I will send the lease draft for the quay by December 3. | lease draft for the quay | 2026-12-03
        Not in on Friday but I'll send it by Tuesday. | it | 2026-12-01
        I’ll forward the insurance papers tomorrow. | insurance papers | 2026-11-27
        Hi Bob, I'll review the annexes over the weekend and send comments. | annexes | 2026-11-29
        I'm going to book the meeting room for Tuesday. | meeting room | 2026-12-01
        I'll send Anna the drawings by Dec 2. | drawings | 2026-12-02
        I'll send the drawings to Dr. Weber by December 2. | drawings | 2026-12-02
        Sure, I'll call the insurance company this afternoon. | insurance company | 2026-11-26
        We will deliver the pilot by 12/09/2026. | pilot | 2026-12-09
        I need to renew the parking permit by the end of the month. | parking permit | 2026-11-30
        I'll let you know about the budget by EOD. | budget | 2026-11-26
        I'll get back to you with the numbers next week. | numbers | 2026-12-04
        I'll send the deck, not the notes, by Monday. | deck | 2026-11-30
        I promise I'll return the keys by Sunday. | keys | 2026-11-29
        Will call the caterer tomorrow. | caterer | 2026-11-27
        Gonna return the ladder on Saturday. | ladder | 2026-11-28
        On it, will have the summary ready by Monday. | summary | 2026-11-30
        You'll have the mock-ups by Tuesday. | mock-ups | 2026-12-01
        I'll have the projector back to you by Monday. | projector | 2026-11-30
        ill bring the cables tomorrow | cables | 2026-11-27
        I will confirm the headcount by the 30th. | headcount | 2026-11-30
        I'll have a look at the insurance and see if it's covered. | insurance |
        I'll call the porter and he'll take your bags. | porter |
        I will buy the tickets in the afternoon. | tickets |
        I owe you the report by Friday. | report | 2026-11-27
        I'll send the deck by close of business Monday. | deck | 2026-11-30
        I'm away on Monday but will send the deck on Wednesday. | deck | 2026-12-02
        """,
    "de": """
        Ich schicke dir den unterschriebenen Hafenvertrag bis Freitag. | Hafenvertrag | 2026-11-27
        Ich werde dir die Preisliste bis Montag schicken. | Preisliste | 2026-11-30
        Den Mietvertragsentwurf sende ich Ihnen bis zum 3. Dezember. | Mietvertragsentwurf | 2026-12-03
        Freitag bin ich nicht da, aber ich schicke es bis Dienstag. | es | 2026-12-01
        Hallo Bob, ich leite dir die Unterlagen morgen weiter. | Unterlagen | 2026-11-27
        Ich kümmere mich um die Versicherung. | Versicherung |
        Ich buche den Besprechungsraum für Dienstag. | Besprechungsraum | 2026-12-01
        Wir werden die Zeichnungen bis zum 2.12. an Dr. Weber schicken. | Zeichnungen | 2026-12-02
        Ich rufe heute Nachmittag die Versicherung an. | Versicherung | 2026-11-26
        Bis Montag überarbeite ich die Folien. | Folien | 2026-11-30
        Ich muss den Parkausweis bis Monatsende verlängern, also bis zum 30. November. | Parkausweis | 2026-11-30
        Klar, ich reserviere dir den Tisch für morgen. | Tisch | 2026-11-27
        bring dir morgen die Kabel vorbei | Kabel | 2026-11-27
        ich hol morgen die Leiter ab | Leiter | 2026-11-27
        Die Entwürfe bekommst du am Dienstag. | Entwürfe | 2026-12-01
        Bis Freitag habe ich die Regale bestellt. | Regale | 2026-11-27
        Ich besorge die Getränke. | Getränke |
        Ich bestätige die Gästezahl bis zum 30. | Gästezahl | 2026-11-30
        Ich schicke dir die Liste Montag in einer Woche. | Liste | 2026-12-07
        Bis Jahresende schicke ich dir die Liste. | Liste | 2026-12-31
        Ich lasse dir den Kaufvertrag bis Montag zukommen. | Kaufvertrag | 2026-11-30
        """,
    "fr": """
        Je vous enverrai le contrat signé d'ici vendredi. | contrat | 2026-11-27
        Je t'envoie la grille tarifaire lundi. | grille tarifaire | 2026-11-30
        Je vais vous transmettre le projet de bail avant le 3 décembre. | projet de bail | 2026-12-03
        Pas là vendredi, mais je l'envoie avant mardi. | l | 2026-12-01
        Bonjour Bob, je vous transférerai les documents demain. | documents | 2026-11-27
        Je m'occupe de l'assurance. | assurance |
        Je réserverai la salle de réunion pour mardi. | salle de réunion | 2026-12-01
        Nous enverrons les plans au Dr. Weber avant le 2 décembre. | plans | 2026-12-02
        J'appellerai l'assurance cet après-midi. | assurance | 2026-11-26
        D'accord, je corrige les diapos pour lundi et je vous préviens. | diapos | 2026-11-30
        Je dois renouveler le permis avant la fin du mois. | permis | 2026-11-30
        On vous livrera le pilote avant le 9 décembre. | pilote | 2026-12-09
        jte rapporte l'échelle samedi | échelle | 2026-11-28
        t'envoie les horaires ce soir | horaires | 2026-11-26
        Vous aurez les maquettes mardi. | maquettes | 2026-12-01
        Je vous confirme le nombre d'invités avant mardi. | nombre d'invités | 2026-12-01
        Je vous envoie le devis pour le 9. | devis | 2026-12-09
        """,
    "es": """
        Te enviaré el contrato firmado antes del viernes. | contrato | 2026-11-27
        Te mando la lista de precios el lunes. | lista de precios | 2026-11-30
        Voy a enviarle el borrador del alquiler antes del 3 de diciembre. | borrador | 2026-12-03
        El viernes no estoy, pero lo envío antes del martes. | lo | 2026-12-01
        Hola Bob, te reenviaré los documentos mañana. | documentos | 2026-11-27
        Me encargo del seguro. | seguro |
        Reservaré la sala de reuniones para el martes. | sala de reuniones | 2026-12-01
        Enviaremos los planos al Dr. Weber antes del 2 de diciembre. | planos | 2026-12-02
        Llamaré a la aseguradora esta tarde. | aseguradora | 2026-11-26
        Para el lunes corregiré las diapositivas. | diapositivas | 2026-11-30
        Tengo que renovar el permiso antes de fin de mes. | permiso | 2026-11-30
        Os entregaremos el piloto el 9 de diciembre. | piloto | 2026-12-09
        Tendrás los bocetos el martes. | bocetos | 2026-12-01
        Yo consigo las sillas. | sillas |
        Le confirmo el número de invitados antes del martes. | número de invitados | 2026-12-01
        Te mando el plano el 9. | plano | 2026-12-09
        """,
    "pt": """
        Vou enviar-te o contrato assinado até sexta-feira. | contrato | 2026-11-27
        Envio-te a tabela de preços na segunda. | tabela de preços | 2026-11-30
        Enviarei a minuta do arrendamento até 3 de dezembro. | minuta | 2026-12-03
        Na sexta não estou, mas envio isso até terça. | isso | 2026-12-01
        Olá Bob, vou encaminhar os documentos amanhã. | documentos | 2026-11-27
        Eu trato do seguro. | seguro |
        Reservarei a sala de reuniões para terça-feira. | sala de reuniões | 2026-12-01
        Enviaremos os desenhos ao Dr. Weber até 2 de dezembro. | desenhos | 2026-12-02
        Vou ligar à seguradora hoje à tarde. | seguradora | 2026-11-26
        Até segunda-feira vou corrigir os slides. | slides | 2026-11-30
        Tenho de renovar a licença até ao fim do mês. | licença | 2026-11-30
        Entregaremos o piloto no dia 9 de dezembro. | piloto | 2026-12-09
        Terás os esboços na terça. | esboços | 2026-12-01
        Eu arranjo as cadeiras. | cadeiras |
        Confirmo o número de convidados até terça. | número de convidados | 2026-12-01
        Fazemos chegar as chaves na terça. | chaves | 2026-12-01
        Faço-lhe chegar a escritura até segunda. | escritura | 2026-11-30
        """,
    "it": """
        Ti invierò il contratto firmato entro venerdì. | contratto | 2026-11-27
        Ti mando il listino prezzi lunedì. | listino prezzi | 2026-11-30
        Le manderò la bozza del contratto di affitto entro il 3 dicembre. | bozza | 2026-12-03
        Venerdì non ci sono, ma lo mando entro martedì. | lo | 2026-12-01
        Ciao Bob, ti inoltrerò i documenti domani. | documenti | 2026-11-27
        Mi occupo io dell'assicurazione. | assicurazione |
        Prenoterò la sala riunioni per martedì. | sala riunioni | 2026-12-01
        Manderemo i disegni al Dott. Weber entro il 2 dicembre. | disegni | 2026-12-02
        Chiamerò l'assicurazione questo pomeriggio. | assicurazione | 2026-11-26
        Entro lunedì correggerò le slide. | slide | 2026-11-30
        Devo rinnovare il permesso entro la fine del mese. | permesso | 2026-11-30
        Vi consegneremo il progetto pilota il 9 dicembre. | progetto pilota | 2026-12-09
        Avrai le bozze martedì. | bozze | 2026-12-01
        Procuro io le sedie. | sedie |
        Le confermo il numero degli invitati entro martedì. | numero degli invitati | 2026-12-01
        Domani ti faccio sapere dell'appartamento. | appartamento | 2026-11-27
        Ti mando la pianta il 9. | pianta | 2026-12-09
        """,
    "nl": """
        Ik stuur je het ondertekende contract voor vrijdag. | contract | 2026-11-27
        Ik zal je de prijslijst maandag sturen. | prijslijst | 2026-11-30
        Het concept van het huurcontract stuur ik u uiterlijk 3 december. | concept | 2026-12-03
        Vrijdag ben ik er niet, maar ik stuur het voor dinsdag. | het | 2026-12-01
        Hoi Bob, ik stuur je de documenten morgen door. | documenten | 2026-11-27
        Ik zorg voor de verzekering. | verzekering |
        Ik reserveer de vergaderzaal voor dinsdag. | vergaderzaal | 2026-12-01
        We zullen de tekeningen voor 2 december aan dr. Weber sturen. | tekeningen | 2026-12-02
        Ik bel vanmiddag de verzekeraar. | verzekeraar | 2026-11-26
        Voor maandag pas ik de slides aan. | slides | 2026-11-30
        Ik moet de parkeervergunning voor het einde van de maand verlengen. | parkeervergunning | 2026-11-30
        Wij leveren de pilot op 9 december. | pilot | 2026-12-09
        mail je straks de tijden | tijden |
        ga morgen de cateraar bellen | cateraar | 2026-11-27
        Je krijgt de schetsen dinsdag. | schetsen | 2026-12-01
        Ik bevestig het aantal gasten uiterlijk dinsdag. | aantal gasten | 2026-12-01
        Maandag ben ik weg, maar ik stuur het woensdag. | het | 2026-12-02
        Ik laat u de offerte dinsdag toekomen. | offerte | 2026-12-01
        """,
}

#: Case 2b: talk about a thing that settles nothing about it.
UNSETTLED: Final[Table] = {
    "en": """
        The price deck you sent is the wrong one.
        The deck Ann sent.
        Has the lease draft for the quay been signed?
        The lease draft was never signed.
        Nothing happens until the lease draft is signed.
        The rent starts if the lease draft gets signed.
        Nobody has signed the lease draft.
        The lease draft is yet to be signed.
        The lease draft hasn't been sent.
        I haven't sent the lease draft yet.
        Was the lease draft sent on Friday?
        Other companies shared their quarterly board report templates with us.
        When the lease draft is signed, the keys follow.
        The lease draft should have been signed by now.
        Someone said the lease draft is done, but it isn't.
        I doubt the lease draft was sent.
        She thinks the lease draft is done.
        I doubt the lease draft is attached.
        """,
    "de": """
        Ich habe den Mietvertrag noch nicht erhalten.
        Wurde der Mietvertragsentwurf schon unterschrieben?
        Der Mietvertragsentwurf wurde nie unterschrieben.
        Solange der Mietvertrag nicht unterschrieben ist, passiert nichts.
        Wenn der Mietvertrag unterschrieben ist, folgen die Schlüssel.
        Niemand hat den Mietvertrag unterschrieben.
        Der Mietvertrag muss noch unterschrieben werden.
        Ich habe den Mietvertrag noch nicht geschickt.
        Der Mietvertrag ist nicht fertig.
        Hat jemand den Mietvertrag geschickt?
        Der Mietvertrag hätte längst unterschrieben sein sollen.
        Andere Firmen haben ihre Mietverträge mit uns geteilt.
        """,
    "fr": """
        Le projet de bail a-t-il été signé ?
        Le projet de bail n'a jamais été signé.
        Rien ne bouge tant que le bail n'est pas signé.
        Si le bail est signé, les clés suivront.
        Personne n'a signé le bail.
        Le bail reste à signer.
        Je n'ai pas encore envoyé le bail.
        Le bail n'est pas prêt.
        Est-ce que le bail est envoyé ?
        Le bail aurait dû être signé depuis longtemps.
        D'autres entreprises ont partagé leurs modèles de bail.
        """,
    "es": """
        ¿Se ha firmado el borrador del alquiler?
        El borrador nunca se firmó.
        Nada avanza hasta que se firme el contrato.
        Si se firma el contrato, llegan las llaves.
        Nadie ha firmado el contrato.
        El contrato está por firmar.
        Todavía no he enviado el contrato.
        El contrato no está listo.
        ¿Alguien ha enviado el contrato?
        El contrato debería haberse firmado ya.
        Otras empresas compartieron sus plantillas con nosotros.
        """,
    "pt": """
        A minuta já foi assinada?
        A minuta nunca foi assinada.
        Nada avança até que a minuta seja assinada.
        Se a minuta for assinada, seguem as chaves.
        Ninguém assinou a minuta.
        A minuta ainda está por assinar.
        Ainda não enviei a minuta.
        A minuta não está pronta.
        Alguém enviou a minuta?
        A minuta já devia ter sido assinada.
        Outras empresas partilharam os seus modelos connosco.
        """,
    "it": """
        La bozza è stata firmata?
        La bozza non è mai stata firmata.
        Non succede nulla finché la bozza non è firmata.
        Se la bozza viene firmata, seguono le chiavi.
        Nessuno ha firmato la bozza.
        La bozza è ancora da firmare.
        Non ho ancora inviato la bozza.
        La bozza non è pronta.
        Qualcuno ha inviato la bozza?
        La bozza avrebbe dovuto essere firmata da tempo.
        Altre aziende hanno condiviso i loro modelli con noi.
        """,
    "nl": """
        Ik heb het contract nog niet ontvangen.
        Is het huurcontract al getekend?
        Het huurcontract is nooit getekend.
        Er gebeurt niets totdat het huurcontract getekend is.
        Als het huurcontract getekend is, volgen de sleutels.
        Niemand heeft het huurcontract getekend.
        Het huurcontract moet nog getekend worden.
        Ik heb het huurcontract nog niet gestuurd.
        Het huurcontract is niet klaar.
        Heeft iemand het huurcontract gestuurd?
        Het huurcontract had allang getekend moeten zijn.
        Andere bedrijven hebben hun sjablonen met ons gedeeld.
        """,
}

#: Case 6: words of a promise that promise nothing.
IDLE: Final[Table] = {
    "en": """
        Let's move the launch to 3 February.
        I asked Bob to send the deck by Friday.
        Bob to Anna: the deck.
        The office moved to 12 Harbour Street.
        Please find the invoice in the folder by Friday.
        No need to send anything.
        I am telling you the truth.
        I'm calling to offer you the position.
        I'm going to meet some friends tomorrow evening.
        We'll have lunch at the village and get back before supper.
        Give me a second and it'll come to me.
        Give me a little while longer.
        I owe my landlady the keys by Friday.
        I'll share my screen.
        We'll see.
        I will never understand this.
        Will do my best to be brief.
        I'll think about it.
        I'll be right back.
        I'll give it a try.
        I'll keep my fingers crossed.
        I'll be honest, the deck is long.
        I'll take your word for it.
        We'll get there.
        I'll never send a fax again.
        I'm sending my love to everyone.
        I will always remember that trip.
        I'll say this much: the budget is tight.
        Let me share my screen for a second.
        I'll grab a coffee first.
        I'll believe it when I see the contract.
        We will miss you on Friday.
        I'd send the deck if I could.
        I might send the deck on Monday.
        Maybe I'll send the deck on Monday.
        Should I send the deck by Monday?
        He thinks I'll send the deck by Monday.
        The deck I'll send on Monday is long.
        Here's hoping the deck is fine.
        Here is why I disagree.
        I'll make sure the contract is signed by Friday.
        will you be there on Friday
        gonna be a long day tomorrow
        ill in bed since Tuesday
        Bob is ready, will fly on Friday.
        You'll get used to the noise by Friday.
        You will receive a call from the bank on Monday.
        I promised myself a holiday by June.
        He said: I'll send the deck by Friday.
        Anna asked: could you send the deck by Friday?
        Can you believe the weather?
        Can you see my screen?
        Please note the new address.
        Please be patient with the new team.
        Please let me know if you have any questions.
        Remember to breathe!
        Thanks for your patience.
        Anna has the photos received.
        You could send them a card, right?
        Forget it, I won't sign that.
        As promised, we meet on Friday.
        As agreed, the landlord called Anna.
        I'll wait for the deck until Friday.
        I'll send the deck on Monday, said Anna.
        Scrap metal is cheap.
        """,
    "de": """
        Ich sage dir die Wahrheit.
        Du musst nichts schicken.
        Ich teile meinen Bildschirm.
        Schauen wir mal.
        Das werde ich nie begreifen.
        Ich gebe mein Bestes.
        Ich denke darüber nach.
        Ich bin gleich wieder da.
        Ich drücke die Daumen.
        Ich melde mich bei Gelegenheit.
        Ich werde dich am Freitag vermissen.
        Vielleicht schicke ich die Folien am Montag.
        Soll ich die Folien bis Montag schicken?
        Er denkt, dass ich die Folien bis Montag schicke.
        Ich hätte die Folien am Montag schicken sollen.
        Die Folien, die ich am Montag schicke, sind lang.
        Hiermit bestätige ich den Termin am Freitag.
        Hol dir doch ein Eis.
        Du bekommst morgen Besuch von deiner Mutter.
        Sie haben morgen einen Termin beim Arzt.
        Jeden Freitag schicke ich dem Chef die Liste.
        Er sagte: Ich schicke die Liste am Montag.
        Kannst du mich hören?
        Ich kann die Brille nicht finden.
        Denk an mich.
        Danke für deine Geduld.
        Anna hat die Rechnung bekommen.
        Ich feiere am Freitag meinen 20. Geburtstag.
        Die Kinder haben Post bekommen.
        Wie besprochen ist die Sitzung am Freitag.
        mach ich mir nix draus
        Anna meinte, ich schicke die Folien am Montag.
        Im Anhang fehlt die Seite drei.
        Die Preisliste ist bald fertig.
        Bob ist schon fertig.
        """,
    "fr": """
        Je vous dis la vérité.
        Inutile d'envoyer quoi que ce soit.
        Je vais partager mon écran.
        On verra.
        Je ne comprendrai jamais cela.
        Je ferai de mon mieux.
        Je vais y réfléchir.
        Je reviens tout de suite.
        Je croise les doigts.
        Je penserai à vous vendredi.
        Peut-être que j'enverrai les diapos lundi.
        Dois-je envoyer les diapos lundi ?
        Il pense que j'enverrai les diapos lundi.
        J'aurais dû envoyer les diapos lundi.
        Les diapos que j'enverrai lundi sont longues.
        Je vous confirme notre rendez-vous de vendredi.
        Marc te rappelle demain.
        Vous aurez beau temps vendredi.
        Il a dit : je vous envoie le plan vendredi.
        Chaque vendredi, j'envoie la liste au chef.
        Peux-tu imaginer le bazar ?
        Merci pour ta patience.
        Je ne peux pas croire cette nouvelle.
        Tu pourrais leur envoyer une carte, non ?
        Comme convenu, le propriétaire appelle Anna.
        """,
    "es": """
        Te digo la verdad.
        No hace falta enviar nada.
        Comparto mi pantalla.
        Ya veremos.
        Nunca entenderé esto.
        Haré lo que pueda.
        Voy a pensarlo.
        Vuelvo enseguida.
        Cruzo los dedos.
        Te echaré de menos el viernes.
        Quizás envíe las diapositivas el lunes.
        ¿Debo enviar las diapositivas el lunes?
        Cree que enviaré las diapositivas el lunes.
        Tendría que haber enviado las diapositivas el lunes.
        Las diapositivas que enviaré el lunes son largas.
        El equipo tendrá los planos el jueves.
        Tendrás suerte el viernes.
        Cada viernes envío la lista al jefe.
        ¿Puedes oír la música?
        Gracias por la paciencia.
        El pago de mañana es alto.
        Podrías mandarles una tarjeta, ¿no?
        Haré todo lo posible.
        """,
    "pt": """
        Não é preciso enviar nada.
        Vou partilhar o ecrã.
        Logo se vê.
        Nunca vou perceber isto.
        Farei o meu melhor.
        Vou pensar nisso.
        Volto já.
        Vou fazer figas.
        Vou ter saudades na sexta.
        Talvez envie os slides na segunda.
        Devo enviar os slides na segunda?
        Ele acha que vou enviar os slides na segunda.
        Devia ter enviado os slides na segunda.
        Os slides que vou enviar na segunda são longos.
        A equipa terá os desenhos na quinta.
        Terás sorte na sexta.
        Ele disse: mando o mapa na segunda.
        Podes ouvir a música?
        Obrigada pela paciência.
        Podias mandar-lhes um postal, não?
        Farei o possível.
        """,
    "it": """
        Ti dico la verità.
        Non serve inviare niente.
        Condivido il mio schermo.
        Vedremo.
        Non lo capirò mai.
        Farò del mio meglio.
        Ci penserò.
        Torno subito.
        Incrocio le dita.
        Mi mancherai venerdì.
        Forse manderò le slide lunedì.
        Devo mandare le slide lunedì?
        Pensa che manderò le slide lunedì.
        Avrei dovuto mandare le slide lunedì.
        Le slide che manderò lunedì sono lunghe.
        Il gruppo avrà i disegni giovedì.
        Avrai fortuna venerdì.
        Ogni venerdì mando la lista al capo.
        Puoi sentire la musica?
        Grazie per la pazienza.
        """,
    "nl": """
        Ik vertel je de waarheid.
        Je hoeft niets te sturen.
        Ik deel mijn scherm.
        We zien wel.
        Ik zal dit nooit begrijpen.
        Ik doe mijn best.
        Ik denk er even over na.
        Ik ben zo terug.
        Ik duim voor je.
        Ik ga je vrijdag missen.
        Misschien stuur ik de slides maandag.
        Moet ik de slides maandag sturen?
        Hij denkt dat ik de slides maandag stuur.
        Ik had de slides maandag moeten sturen.
        De slides die ik maandag stuur zijn lang.
        ga de auto wassen
        heb je de foto's al gestuurd
        Je krijgt morgen bezoek van je moeder.
        Elke vrijdag stuur ik de baas de lijst.
        Kun je me horen?
        Ik kan mijn bril niet vinden.
        Ik was graag langer gebleven.
        Bedankt voor je geduld.
        """,
}

#: Ordinary sentences of letters and talks, and of those who sell something.
PLAIN: Final[Table] = {
    "en": """
        Thanks, that was a good meeting.
        Asked by the board, she said no.
        Sent, sealed, delivered: what a song.
        The weather in Oslo is terrible.
        She will send the contract next week.
        The agency sent the invoice to the wrong address.
        Order now and we will send you a free mug!
        Sign up today and we'll ship your first box on Monday.
        How was the trip?
        I was in Berlin last Friday.
        I love the new logo.
        The train leaves at 17:00 on Friday.
        Best regards from Lisbon
        I had sent him a card once.
        Maybe the Falcon budget is 45k euros.
        The Falcon budget is under 45k euros.
        """,
    "de": """
        Danke, das war ein gutes Treffen.
        Das Wetter in Oslo ist furchtbar.
        Sie schickt den Vertrag nächste Woche.
        Bestellen Sie jetzt und wir schicken Ihnen eine Tasse!
        Wie war die Reise?
        Ich war letzten Freitag in Berlin.
        Der Zug fährt am Freitag um 17 Uhr.
        Mit freundlichen Grüßen aus Lissabon
        Mir gefällt das neue Logo.
        Vielleicht ist das Budget 45.000 Euro.
        Das Falcon-Budget liegt zwischen 40.000 und 45.000 Euro.
        """,
    "fr": """
        Merci, c'était une bonne réunion.
        Il fait un temps affreux à Oslo.
        Elle enverra le contrat la semaine prochaine.
        Commandez maintenant et nous vous enverrons une tasse !
        Comment était le voyage ?
        J'étais à Berlin vendredi dernier.
        Le train part vendredi à 17h.
        Meilleures salutations de Lisbonne
        J'adore le nouveau logo.
        """,
    "es": """
        Gracias, fue una buena reunión.
        Hace un tiempo horrible en Oslo.
        Ella enviará el contrato la próxima semana.
        ¡Pida ahora y le enviaremos una taza!
        ¿Qué tal el viaje?
        Estuve en Berlín el viernes pasado.
        El tren sale el viernes a las 17:00.
        Un saludo desde Lisboa
        Me encanta el nuevo logo.
        """,
    "pt": """
        Obrigado, foi uma boa reunião.
        O tempo em Oslo está horrível.
        Ela enviará o contrato na próxima semana.
        Encomende já e enviaremos uma caneca!
        Como foi a viagem?
        Estive em Berlim na sexta passada.
        O comboio parte na sexta às 17h.
        Cumprimentos de Lisboa
        Adoro o novo logo.
        """,
    "it": """
        Grazie, è stata una bella riunione.
        Il tempo a Oslo è orribile.
        Lei invierà il contratto la prossima settimana.
        Ordina ora e ti invieremo una tazza!
        Com'è andato il viaggio?
        Ero a Berlino venerdì scorso.
        Il treno parte venerdì alle 17.
        Cordiali saluti da Lisbona
        Adoro il nuovo logo.
        """,
    "nl": """
        Bedankt, dat was een goede vergadering.
        Het weer in Oslo is vreselijk.
        Zij stuurt het contract volgende week.
        Bestel nu en we sturen je een mok!
        Hoe was de reis?
        Ik was afgelopen vrijdag in Berlijn.
        De trein vertrekt vrijdag om 17 uur.
        Met vriendelijke groet uit Lissabon
        Ik vind het nieuwe logo mooi.
        """,
}

#: Case 4 and its like: sentence | verdict | a word of its object.
ANSWERS: Final[Table] = {
    "en": """
        Price deck attached - let me know what you think. | delivered | Price deck
        Please see the attached price deck. | delivered | price deck
        PFA the price deck. | delivered | price deck
        The price deck is here: https://deck.example/1 | delivered | price deck
        Price deck sent. | delivered | Price deck
        Attached. | delivered |
        Attached, sorry for the delay! | delivered |
        Let's scrap the price deck. | released | price deck
        Please hold off on the price deck. | released | price deck
        Please ignore my request for the price deck. | released | price deck
        Confirming receipt of the price deck. | received | price deck
        I'm going through the price deck you sent - looks good. | received | price deck
        Your price deck looks great! | received | price deck
        Please find attached the price deck. | delivered | price deck
        Attached is the price deck. | delivered | price deck
        Here's the price deck. | delivered | price deck
        I've just sent you the price deck. | delivered | price deck
        I sent the price deck this morning. | delivered | price deck
        The price deck is attached. | delivered | price deck
        As promised, here is the price deck. | delivered | price deck
        Done. | delivered |
        Asked, and she was quick. | delivered |
        Booked, and it was the last room. | delivered |
        Never mind about the price deck, the client takes the PDF after all. | released | price deck
        I can't write the blog post before the move. | declined | blog post
        No longer needed, thanks. | released |
        Never mind, thank you! | released |
        You don't need to send the price deck. | released | price deck
        The price deck is no longer needed. | released | price deck
        We no longer need the price deck. | released | price deck
        Received, thank you. | received |
        Thanks for sending the price deck! | received | price deck
        I got the price deck, thanks. | received | price deck
        Sure, will do. | accepted |
        I'm on it. | accepted |
        Sorry, I can't. | declined |
        Unfortunately I can't send the price deck. | declined | price deck
        got the price deck, thanks! | received | price deck
        Hi Bob - got the price deck. | received | price deck
        nvm about the price deck, found one | released | price deck
        The price deck went out this morning. | delivered | price deck
        sent you the price deck | delivered | price deck
        I can't take on the price deck this month. | declined | price deck
        The price deck is done and in the folder. | delivered | price deck
        You can forget the price deck. | released | price deck
        As requested, the price deck. | delivered | price deck
        Scrap the price deck. | released | price deck
        Don't bother with the price deck. | released | price deck
        The price deck isn't needed after all. | released | price deck
        The price deck just arrived, cheers. | received | price deck
        I'm mailing you the price deck as an attachment. | delivered | price deck
        Never mind, we found another way. | released |
        Here they are. | delivered |
        sorry can't send the price deck | declined | price deck
        ok got the price deck | received | price deck
        """,
    "de": """
        Anbei. | delivered |
        Preisliste verschickt. | delivered | Preisliste
        Wir bestätigen den Erhalt der Preisliste. | received | Preisliste
        Die Preisliste, die du mir geschickt hast, sieht gut aus. | received | Preisliste
        Anbei die Preisliste. | delivered | Preisliste
        Anbei finden Sie die Preisliste. | delivered | Preisliste
        Im Anhang findest du die Preisliste. | delivered | Preisliste
        Hier ist die Preisliste. | delivered | Preisliste
        Ich habe dir die Preisliste geschickt. | delivered | Preisliste
        Die Preisliste ist raus. | delivered | Preisliste
        Erledigt. | delivered |
        Hat sich erledigt, danke. | released |
        Das hat sich erledigt. | released |
        Die Preisliste brauchen wir nicht mehr. | released | Preisliste
        Wir brauchen die Preisliste nicht mehr. | released | Preisliste
        Danke, ist angekommen. | received |
        Danke für die Preisliste! | received | Preisliste
        Ich habe die Preisliste erhalten. | received | Preisliste
        Klar, mach ich. | accepted |
        Wird gemacht. | accepted |
        Das geht leider nicht. | declined |
        Die Preisliste habe ich dir gerade geschickt. | delivered | Preisliste
        hab die Preisliste bekommen, danke | received | Preisliste
        Preisliste erhalten, danke! | received | Preisliste
        hat sich erledigt mit der Preisliste | released | Preisliste
        Die Preisliste brauchst du nicht mehr schicken, ich hab sie. | released | Preisliste
        Die Preisliste schaffe ich diese Woche nicht. | declined | Preisliste
        Ich kann die Preisliste leider nicht übernehmen. | declined | Preisliste
        Ja, mach ich | accepted |
        Die Preisliste kannst du vergessen. | released | Preisliste
        Wie gewünscht die Preisliste. | delivered | Preisliste
        Ich sende Ihnen anbei die Preisliste. | delivered | Preisliste
        Die Preisliste ist im Anhang. | delivered | Preisliste
        Die Preisliste ist gut angekommen, danke. | received | Preisliste
        Hab dir vorhin die Preisliste gemailt. | delivered | Preisliste
        Die Preisliste ist soeben raus. | delivered | Preisliste
        Die Preisliste ist gestern angekommen. | received | Preisliste
        Auf die Preisliste können wir verzichten. | released | Preisliste
        Sie finden die Preisliste im Anhang. | delivered | Preisliste
        """,
    "fr": """
        Ci-joint. | delivered |
        Liste des prix envoyée. | delivered | Liste des prix
        J'accuse réception de la liste des prix. | received | liste des prix
        Je relis la liste des prix que tu m'as envoyée. | received | liste des prix
        Ci-joint la grille tarifaire. | delivered | grille tarifaire
        Veuillez trouver ci-joint la grille tarifaire. | delivered | grille tarifaire
        Voici la grille tarifaire. | delivered | grille tarifaire
        Je vous ai envoyé la grille tarifaire. | delivered | grille tarifaire
        La grille tarifaire est en pièce jointe. | delivered | grille tarifaire
        C'est fait. | delivered |
        Plus besoin, merci. | released |
        Ce n'est plus nécessaire. | released |
        La grille tarifaire n'est plus nécessaire. | released | grille tarifaire
        Nous n'avons plus besoin de la grille tarifaire. | released | grille tarifaire
        Bien reçu, merci. | received |
        Merci pour la grille tarifaire ! | received | grille tarifaire
        Je m'en occupe. | accepted |
        Bien sûr, avec plaisir. | accepted |
        Désolé, je ne peux pas. | declined |
        bien reçu la grille tarifaire merci | received | grille tarifaire
        laisse tomber pour la grille tarifaire | released | grille tarifaire
        Je ne pourrai pas assurer la grille tarifaire. | declined | grille tarifaire
        ok ça marche | accepted |
        Comme convenu, la grille tarifaire. | delivered | grille tarifaire
        Je vous envoie ci-joint la grille tarifaire. | delivered | grille tarifaire
        Je viens de vous transmettre la grille tarifaire. | delivered | grille tarifaire
        La grille tarifaire est bien arrivée, merci. | received | grille tarifaire
        merci bien reçu la grille tarifaire | received | grille tarifaire
        On peut se passer de la grille tarifaire. | released | grille tarifaire
        Vous trouverez la grille tarifaire en pièce jointe. | delivered | grille tarifaire
        """,
    "es": """
        Adjunto. | delivered |
        Lista de precios enviada. | delivered | Lista de precios
        Acuso recibo de la lista de precios. | received | lista de precios
        Estoy leyendo la lista de precios que me enviaste. | received | lista de precios
        Adjunto la lista de precios. | delivered | lista de precios
        Te adjunto la lista de precios. | delivered | lista de precios
        Aquí tienes la lista de precios. | delivered | lista de precios
        Te envié la lista de precios. | delivered | lista de precios
        Ya te he enviado la lista de precios. | delivered | lista de precios
        Hecho. | delivered |
        Ya no hace falta, gracias. | released |
        Ya no es necesario. | released |
        Ya no necesitamos la lista de precios. | released | lista de precios
        La lista de precios ya no hace falta. | released | lista de precios
        Recibido, gracias. | received |
        Gracias por la lista de precios. | received | lista de precios
        Claro, lo hago. | accepted |
        Me encargo yo. | accepted |
        Lo siento, no puedo. | declined |
        olvida lo de la lista de precios | released | lista de precios
        No puedo encargarme de la lista de precios. | declined | lista de precios
        vale, lo hago yo | accepted |
        Como acordamos, la lista de precios. | delivered | lista de precios
        Te envío adjunta la lista de precios. | delivered | lista de precios
        Te acabo de mandar la lista de precios. | delivered | lista de precios
        Ya no hace falta que envíes la lista de precios. | released | lista de precios
        Ya ha llegado la lista de precios. | received | lista de precios
        """,
    "pt": """
        Em anexo. | delivered |
        Lista de preços enviada. | delivered | Lista de preços
        Confirmo a receção da lista de preços. | received | lista de preços
        Em anexo a tabela de preços. | delivered | tabela de preços
        Segue em anexo a tabela de preços. | delivered | tabela de preços
        Aqui está a tabela de preços. | delivered | tabela de preços
        Já te enviei a tabela de preços. | delivered | tabela de preços
        Enviei a tabela de preços ontem. | delivered | tabela de preços
        Feito. | delivered |
        Já não é necessário, obrigado. | released |
        Não precisa mais. | released |
        Já não precisamos da tabela de preços. | released | tabela de preços
        A tabela de preços já não é necessária. | released | tabela de preços
        Recebido, obrigada. | received |
        Obrigado pela tabela de preços. | received | tabela de preços
        Pode deixar. | accepted |
        Claro, trato disso. | accepted |
        Desculpa, não posso. | declined |
        esquece a tabela de preços | released | tabela de preços
        beleza, pode deixar | accepted |
        Já não é precisa a tabela de preços. | released | tabela de preços
        Como combinado, a tabela de preços. | delivered | tabela de preços
        Envio-lhe em anexo a tabela de preços. | delivered | tabela de preços
        Acabei de te mandar a tabela de preços. | delivered | tabela de preços
        Já não é preciso que envies a tabela de preços. | released | tabela de preços
        """,
    "it": """
        In allegato. | delivered |
        Listino inviato. | delivered | Listino
        Confermo la ricezione del listino. | received | listino
        Sto leggendo il listino che mi hai mandato. | received | listino
        In allegato il listino prezzi. | delivered | listino prezzi
        Ti allego il listino prezzi. | delivered | listino prezzi
        Ecco il listino prezzi. | delivered | listino prezzi
        Ti ho mandato il listino prezzi. | delivered | listino prezzi
        Il listino prezzi è in allegato. | delivered | listino prezzi
        Fatto. | delivered |
        Non serve più, grazie. | released |
        Non è più necessario. | released |
        Non ci serve più il listino prezzi. | released | listino prezzi
        Il listino prezzi non serve più. | released | listino prezzi
        Ricevuto, grazie. | received |
        Grazie per il listino prezzi. | received | listino prezzi
        Ci penso io. | accepted |
        Certo, lo faccio. | accepted |
        Mi dispiace, non posso. | declined |
        ricevuto il listino prezzi, grazie | received | listino prezzi
        lascia stare il listino prezzi | released | listino prezzi
        Non riesco a fare il listino prezzi. | declined | listino prezzi
        va bene, faccio io | accepted |
        Il listino prezzi è finito. | delivered | listino prezzi
        Come richiesto, il listino prezzi. | delivered | listino prezzi
        Le invio in allegato il listino prezzi. | delivered | listino prezzi
        Ti ho appena mandato il listino prezzi. | delivered | listino prezzi
        Non serve più che mandi il listino prezzi. | released | listino prezzi
        È arrivato il listino prezzi. | received | listino prezzi
        """,
    "nl": """
        Bijgevoegd. | delivered |
        Prijslijst verstuurd. | delivered | Prijslijst
        Ik bevestig de ontvangst van de prijslijst. | received | prijslijst
        Ik lees net de prijslijst die je hebt gestuurd. | received | prijslijst
        Bijgevoegd de prijslijst. | delivered | prijslijst
        In de bijlage vind je de prijslijst. | delivered | prijslijst
        Hier is de prijslijst. | delivered | prijslijst
        Ik heb je de prijslijst gestuurd. | delivered | prijslijst
        De prijslijst zit in de bijlage. | delivered | prijslijst
        Gedaan. | delivered |
        Niet meer nodig, bedankt. | released |
        Hoeft niet meer. | released |
        De prijslijst is niet meer nodig. | released | prijslijst
        We hebben de prijslijst niet meer nodig. | released | prijslijst
        Ontvangen, dank je. | received |
        Bedankt voor de prijslijst! | received | prijslijst
        Doe ik. | accepted |
        Komt goed. | accepted |
        Dat lukt helaas niet. | declined |
        De prijslijst heb ik je net gestuurd. | delivered | prijslijst
        prijslijst ontvangen, dankje | received | prijslijst
        laat maar die prijslijst | released | prijslijst
        De prijslijst is niet meer nodig, Eva had hem. | released | prijslijst
        De prijslijst lukt me deze week niet. | declined | prijslijst
        prima, doe ik | accepted |
        Zoals gevraagd de prijslijst. | delivered | prijslijst
        Bijgaand stuur ik je de prijslijst. | delivered | prijslijst
        Vergeet die prijslijst maar. | released | prijslijst
        De prijslijst is goed aangekomen, dank je. | received | prijslijst
        De prijslijst is net de deur uit. | delivered | prijslijst
        """,
}

#: Sentence | a word of its object | due day.
REQUESTS: Final[Table] = {
    "en": """
        Please provide Anna with the list. | list |
        Could you provide the team with new badges by Friday? | new badges | 2026-11-27
        Please provide the report with the appendix. | report with the appendix |
        Could you send me the contract by Friday? | contract | 2026-11-27
        Could you ask the caterer for the next free Wednesday? | caterer |
        Please send me the contract by Friday. | contract | 2026-11-27
        Can you please review the annex tomorrow? | annex | 2026-11-27
        Send me the floor plan, please. | floor plan |
        Would you mind checking the invoice? | invoice |
        Hi Bob, could you book the room for Monday? | room | 2026-11-30
        can u bring the ladder on Saturday | ladder | 2026-11-28
        Please water the plants. | plants |
        Could you rotate the logo? | logo |
        Don't forget to book the ferry for Monday. | ferry | 2026-11-30
        Please let Anna know which room you want. | room |
        It would be great if you could send me the menu. | menu |
        Could Anna review the menu by Monday? | menu | 2026-11-30
        Please send the menu by the 30th. | menu | 2026-11-30
        Could someone cancel the taxi? | taxi |
        When you get a chance, please have a look at the floor plan. | floor plan |
        Mind bringing the cables? | cables |
        """,
    "de": """
        Könntest du mir den Vertrag bis Freitag schicken? | Vertrag | 2026-11-27
        Bitte schick mir den Vertrag bis Freitag. | Vertrag | 2026-11-27
        Schickst du mir bitte den Grundriss? | Grundriss |
        Können Sie die Rechnung bis Montag prüfen? | Rechnung | 2026-11-30
        kannst du bis Montag die Leiter mitbringen | Leiter | 2026-11-30
        Könnten Sie mir bitte die Raumnummer durchsagen? | Raumnummer |
        Wärst du so nett, bis zum 30. die Gästeliste zu prüfen? | Gästeliste | 2026-11-30
        Prüfst du bitte bis Montag die Gästeliste? | Gästeliste | 2026-11-30
        Denk bitte an die Leiter. | Leiter |
        Die Gästeliste bitte nochmal durchsehen. | Gästeliste |
        Kann jemand die Leiter zurückbringen? | Leiter |
        """,
    "fr": """
        Pourriez-vous m'envoyer le contrat d'ici vendredi ? | contrat | 2026-11-27
        Merci de m'envoyer le contrat avant vendredi. | contrat | 2026-11-27
        Peux-tu vérifier la facture ? | facture |
        Envoie-moi le plan, s'il te plaît. | plan |
        Pense à réserver la salle pour lundi. | salle | 2026-11-30
        Est-ce que tu peux me prêter l'échelle ? | échelle |
        renvoie la liste stp | liste |
        N'oublie pas de me prêter l'échelle. | échelle |
        Tu peux jeter un œil au plan ? | plan |
        Quelqu'un peut annuler le taxi ? | taxi |
        """,
    "es": """
        ¿Puedes enviarme el contrato antes del viernes? | contrato | 2026-11-27
        Por favor, envíame el contrato antes del viernes. | contrato | 2026-11-27
        ¿Podría revisar la factura? | factura |
        ¿Me mandas el plano? | plano |
        Acuérdate de reservar la sala para el lunes. | sala | 2026-11-30
        Te agradezco que me mandes el menú. | menú |
        puedes traer la escalera el sábado? | escalera | 2026-11-28
        ¿Alguien puede cancelar el taxi? | taxi |
        ¿Puedes echar un vistazo al plano? | plano |
        """,
    "pt": """
        Pode enviar-me o contrato até sexta-feira? | contrato | 2026-11-27
        Por favor, envie-me o contrato até sexta-feira. | contrato | 2026-11-27
        Podes verificar a fatura? | fatura |
        Não te esqueças de reservar a sala para segunda. | sala | 2026-11-30
        Agradeço que me mandes a ementa. | ementa |
        consegues trazer a escada na sexta? | escada | 2026-11-27
        Alguém pode cancelar o táxi? | táxi |
        Não te esqueças de me mandar o mapa. | mapa |
        """,
    "it": """
        Puoi mandarmi il contratto entro venerdì? | contratto | 2026-11-27
        Per favore mandami il contratto entro venerdì. | contratto | 2026-11-27
        Potrebbe controllare la fattura? | fattura |
        Mi mandi la planimetria? | planimetria |
        Ricordati di prenotare la sala per lunedì. | sala | 2026-11-30
        Ti chiedo di mandarmi il menù. | menù |
        riesci a portare la scala sabato? | scala | 2026-11-28
        Qualcuno può disdire il taxi? | taxi |
        Puoi dare un'occhiata alla piantina? | piantina |
        """,
    "nl": """
        Kun je me het contract voor vrijdag sturen? | contract | 2026-11-27
        Stuur me het contract voor vrijdag, alsjeblieft. | contract | 2026-11-27
        Zou u de factuur kunnen controleren? | factuur |
        Vergeet niet de zaal te reserveren. | zaal |
        Graag de lijst nakijken. | lijst |
        kun je zaterdag de ladder meenemen? | ladder | 2026-11-28
        Kan iemand de taxi annuleren? | taxi |
        """,
}

#: Sentence | a word of what was decided.
DECISIONS: Final[Table] = {
    "en": """
        We decided to move the offsite to Lisbon. | Lisbon
        Let's go with vendor B for the printing. | vendor B
        We agreed to cancel the trade fair. | trade fair
        Decision: the pilot ends in May. | pilot
        Decision: the press hears of it after the resellers. | press
        We decided: signed images first, drift compensation behind a switch. | signed images
        """,
    "de": """
        Wir haben beschlossen, das Büro zu kündigen. | Büro
        Beschluss: Der Pilot endet im Mai. | Pilot
        Wir haben uns für Anbieter B entschieden. | Anbieter B
        """,
    "fr": """
        Nous avons décidé de déplacer le séminaire. | séminaire
        On part sur le fournisseur B. | fournisseur B
        Décidé : pas de séminaire en juin. | séminaire
        """,
    "es": """
        Hemos decidido cambiar de oficina. | oficina
        Vamos con el proveedor B. | proveedor B
        Decidido: nada de viajes en junio. | viajes
        """,
    "pt": """
        Decidimos mudar o escritório. | escritório
        Vamos com o fornecedor B. | fornecedor B
        Decidido: nada de viagens em junho. | viagens
        """,
    "it": """
        Abbiamo deciso di spostare il ritiro. | ritiro
        Andiamo con il fornitore B. | fornitore B
        """,
    "nl": """
        We hebben besloten het kantoor op te zeggen. | kantoor
        We gaan voor leverancier B. | leverancier B
        """,
}

#: Sentence | subject | attribute | value | unit | period.
FACTS: Final[Table] = {
    "en": """
        Wants a deposit of 1,200. | deposit | deposit | 1200 | |
        They want a deposit of 1,200 euros. | deposit | deposit | 1200 | EUR |
        The budget is 62,000. | budget | budget | 62000 | |
        The launch moves to 3 February. | launch | date | 2027-02-03 | |
        The launch is rescheduled for 3 February. | launch | date | 2027-02-03 | |
        We've moved the launch to 3 February. | launch | date | 2027-02-03 | |
        I had to push the launch to 3 February. | launch | date | 2027-02-03 | |
        The deadline was extended to 3 February. | deadline | deadline | 2027-02-03 | |
        Falcon budget for Q1 is 40k euros. | Falcon | budget | 40000 | EUR | q1
        For the record, the Falcon budget is 40k euros. | Falcon | budget | 40000 | EUR |
        By the way, the Falcon budget is 40k euros. | Falcon | budget | 40000 | EUR |
        Falcon budget for Q2 is 55k euros. | Falcon | budget | 55000 | EUR | q2
        The Falcon budget is €48,000. | Falcon | budget | 48000 | EUR |
        The launch moved to May 4. | launch | date | 2027-05-04 | |
        Anna's phone is +49 30 1234567. | Anna | phone | +49301234567 | |
        The rent for the quay is $2,500. | quay | rent | 2500 | USD |
        The Kestrel discount is now 15%. | Kestrel | discount | 15 | % |
        The deadline for the tender is December 11. | tender | deadline | 2026-12-11 | |
        Falcon headcount is 12 engineers. | Falcon | headcount | 12 | engineer |
        The budget for Falcon is 40,000 EUR. | Falcon | budget | 40000 | EUR |
        The pilot starts on December 8. | pilot | start | 2026-12-08 | |
        The office now closes at 18:00. | office | closing | 18:00 | time |
        """,
    "de": """
        Der Vermieter verlangt eine Kaution von 1.200 Euro. | Kaution | deposit | 1200 | EUR |
        Wir haben den Start auf den 3. Februar verschoben. | start | date | 2027-02-03 | |
        Das Falcon-Budget für Q1 beträgt 40 Tsd. Euro. | Falcon | budget | 40000 | EUR | q1
        Zur Info, das Budget für Falcon ist €48.000. | Falcon | budget | 48000 | EUR |
        Wie besprochen, das Budget für Falcon ist €48.000. | Falcon | budget | 48000 | EUR |
        Das Budget für Falcon ist €48.000. | Falcon | budget | 48000 | EUR |
        Die Miete für den Kai beträgt 2.500 Euro. | Kai | rent | 2500 | EUR |
        Die Testphase beginnt am 2. Dezember. | Testphase | start | 2026-12-02 | |
        """,
    "fr": """
        Le propriétaire demande une caution de 1 200 euros. | caution | deposit | 1200 | EUR |
        Nous avons reporté le lancement au 3 février. | lancement | date | 2027-02-03 | |
        Pour rappel, le budget de Falcon pour Q1 est de 40 000 €. | Falcon | budget | 40000 | EUR | q1
        Le budget de Falcon pour Q1 est de 40 000 €. | Falcon | budget | 40000 | EUR | q1
        Le loyer du quai est de 2 500 euros. | quai | rent | 2500 | EUR |
        L'atelier commence le 2 décembre. | atelier | start | 2026-12-02 | |
        """,
    "es": """
        El dueño pide una fianza de 1.200 euros. | fianza | deposit | 1200 | EUR |
        Hemos aplazado el lanzamiento al 3 de febrero. | lanzamiento | date | 2027-02-03 | |
        Por cierto, el presupuesto de Falcon para Q1 es de 40 mil euros. | Falcon | budget | 40000 | EUR | q1
        El presupuesto de Falcon para Q1 es de 40 mil euros. | Falcon | budget | 40000 | EUR | q1
        El alquiler del muelle es de 2.500 euros. | muelle | rent | 2500 | EUR |
        El curso empieza el 2 de diciembre. | curso | start | 2026-12-02 | |
        """,
    "pt": """
        O dono pede uma caução de 1.200 euros. | caução | deposit | 1200 | EUR |
        Adiámos o lançamento para 3 de fevereiro. | lançamento | date | 2027-02-03 | |
        O orçamento do Falcon para Q1 é de 40 mil euros. | Falcon | budget | 40000 | EUR | q1
        A renda do cais é de 2.500 euros. | cais | rent | 2500 | EUR |
        O curso começa no dia 2 de dezembro. | curso | start | 2026-12-02 | |
        """,
    "it": """
        Il padrone vuole una caparra di 1.200 euro. | caparra | deposit | 1200 | EUR |
        Abbiamo spostato il lancio al 3 febbraio. | lancio | date | 2027-02-03 | |
        Il budget di Falcon per Q1 è di 40mila euro. | Falcon | budget | 40000 | EUR | q1
        L'affitto del molo è di 2.500 euro. | molo | rent | 2500 | EUR |
        Il corso inizia il 2 dicembre. | corso | start | 2026-12-02 | |
        """,
    "nl": """
        De eigenaar vraagt een borg van 1.200 euro. | borg | deposit | 1200 | EUR |
        We hebben de lancering naar 3 februari verplaatst. | lancering | date | 2027-02-03 | |
        Het budget van Falcon voor Q1 is 40 duizend euro. | Falcon | budget | 40000 | EUR | q1
        De huur van de kade is 2.500 euro. | kade | rent | 2500 | EUR |
        De cursus begint op 2 december. | cursus | start | 2026-12-02 | |
        """,
}
