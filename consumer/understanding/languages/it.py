"""Italian."""

from consumer.understanding.languages.words import HOUR, DateWords, Words, combined, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        "gennaio gen | febbraio feb | marzo | aprile apr | maggio mag | giugno giu"
        " | luglio lug | agosto ago | settembre sett set | ottobre ott | novembre nov | dicembre dic"
    ),
    weekdays=numbered(
        "lunedì lunedi | martedì martedi | mercoledì mercoledi | giovedì giovedi | venerdì venerdi | sabato | domenica",
        0,
    ),
    short_weekdays=numbered("lun | mar | mer | gio | ven | sab | dom", 0),
    days={
        "oggi": 0,
        "oggi stesso": 0,
        "stasera": 0,
        "questa sera": 0,
        "oggi pomeriggio": 0,
        "questo pomeriggio": 0,
        "stamattina": 0,
        "stamani": 0,
        "stanotte": 0,
        "domani": 1,
        "domattina": 1,
        "dopodomani": 2,
        "dopo domani": 2,
    },
    day_ends=phrases("fine giornata|la fine della giornata|fine della giornata|la fine del giorno"),
    parts=phrases("mattina|pomeriggio|sera|mattino|in mattinata|nel pomeriggio|in serata|a mezzogiorno"),
    coming=phrases("prossimo|prossima|questo|questa"),
    following=(),
    coming_after=phrases("prossimo|prossima|che viene"),
    past=phrases("scorso|scorsa"),
    past_after=phrases("scorso|scorsa|passato"),
    no_dates=phrases(
        """
        come prima cosa | per prima cosa |
        in mattinata | nel pomeriggio | in serata | ieri | l'altro ieri | ieri sera | la settimana scorsa | il mese
        scorso | una settimana fa
        """
    ),
    this_week=phrases("questa settimana|entro la settimana"),
    later_week=phrases("in settimana|nel corso della settimana|durante la settimana|più avanti in settimana"),
    next_week=phrases("la prossima settimana|la settimana prossima|prossima settimana|settimana prossima"),
    this_month=phrases("questo mese"),
    next_month=phrases("il prossimo mese|il mese prossimo|prossimo mese|mese prossimo"),
    weekend=phrases(
        """
        nel fine settimana | nel weekend | questo weekend | il weekend | weekend | il fine settimana |
        questo fine settimana
        """
    ),
    end_of=phrases(
        """
        la fine della | fine della | la fine del | fine del | la fine dell' | fine dell' | la fine di | fine di |
        fine
        """
    ),
    periods={
        "settimana": "w",
        "mese": "m",
        "trimestre": "q",
        "anno": "y",
        "prossima settimana": "nw",
        "prossimo mese": "nm",
    },
    year_end=phrases("fine anno|la fine dell'anno"),
    ahead=phrases("tra|fra|entro|nei prossimi|in|nelle prossime"),
    ahead_after=(),
    units={
        "giorno": 1,
        "giorni": 1,
        "settimana": 7,
        "settimane": 7,
        "mese": -1,
        "mesi": -1,
        "ora": HOUR,
        "ore": HOUR,
        "minuti": 0,
    },
    before_month=phrases("a|entro|in|prima di"),
    joints=phrases("di|del|il|l'"),
    times={"mezzogiorno": "12:00", "mezzanotte": "23:59"},
    at=phrases("alle ore|alle|entro le|prima delle|verso le|ore|all'|dalle"),
    hours=phrases("ore|h"),
    afternoon=phrases("del pomeriggio|di sera|di pomeriggio"),
    mornings=phrases("domattina|mattina|mattino|mattinata|stamattina|notte"),
    afternoons=words("pomeriggio"),
    evenings=words("sera stasera serata"),
    by=phrases(
        """
        non oltre | non più tardi di |
        entro | entro il | entro la | entro l' | entro e non oltre | prima di | prima del | prima della | fino a |
        fino al | al più tardi | al massimo entro | per | per il | per la | non oltre il
        """
    ),
    before=words("prima"),
    on=phrases("il|questo|di|a|al|la|in"),
    of=phrases("di|del|della|dal|da|a partire da|a partire dal|dopo il"),
    never=phrases("non|non il|tranne|tranne il|eccetto|invece di|non prima di|non prima del"),
    day_of_month=phrases("il|il giorno|prima del|del"),
    counted_from=phrases("dopo|da"),
    middle_of=phrases("metà|la metà di|metà di"),
    first_of=phrases("primo"),
)

WORDS = Words(
    code="it",
    dates=DATES,
    short={"x": "per", "cn": "con", "ke": "che"},
    other_numbers={"un": 1, "una": 1},
    abbreviations=phrases(
        """
        amb | on |
        sig | sigg | dott | dr | prof | ing | avv | arch | ecc | es | p.es | ca | n | art | gen | feb | mar |
        apr | mag | giu | lug | ago | sett | ott | nov | dic | tel | spett | gent | egr | s.r.l | s.p.a | rag |
        geom | dott.ssa | sig.ra |
        sig.na | prof.ssa | rif | resp | etc | incl | on.le | ing.ri | arch.tti | dott.ri |
        p | pag | pagg
        """
    ),
    common=words(
        """
        buongiorno gentile
        il lo la gli le di del della dei delle che è e un una per con non si mi ti vi ci da al alla nel nella
        sono ho hai ha come più ma se anche grazie ciao io noi voi loro questo questa mio mia tuo tua suo sua
        entro domani oggi tra molto già dal quando ancora i
        """
    ),
    grouping=".",
    scales={
        "k": 1_000,
        "mila": 1_000,
        "mille": 1_000,
        "mln": 1_000_000,
        "milione": 1_000_000,
        "milioni": 1_000_000,
        "milioni di": 1_000_000,
        "mld": 1_000_000_000,
        "miliardo": 1_000_000_000,
        "miliardi": 1_000_000_000,
    },
    currencies={"euro": "EUR", "dollaro": "USD", "dollari": "USD", "sterline": "GBP", "franchi": "CHF", "yen": "JPY"},
    counted={
        "posto": "seat",
        "posti": "seat",
        "persona": "person",
        "persone": "person",
        "utenti": "user",
        "clienti": "customer",
        "ingegneri": "engineer",
        "dipendenti": "employee",
        "ospiti": "guest",
        "invitati": "guest",
        "partecipanti": "attendee",
        "licenze": "licence",
        "unità": "unit",
        "giorno": "day",
        "giorni": "day",
        "settimana": "week",
        "settimane": "week",
        "mese": "month",
        "mesi": "month",
        "anno": "year",
        "anni": "year",
        "ora": "hour",
        "ore": "hour",
        "minuti": "minute",
        "km": "km",
        "kg": "kg",
        "gb": "gb",
        "pagine": "page",
        "negozi": "store",
        "sedi": "site",
        "membri": "member",
        "camere": "room",
        "copie": "copy",
        "m²": "m2",
        "mq": "m2",
    },
    percent=phrases("%|per cento|percento"),
    verbs=verbs(
        """
        faxare faxo faxato
        inviare invio inviato
        mandare mando mandato
        spedire spedisco spedito
        inoltrare inoltro inoltrato
        girare giro girato
        trasmettere trasmetto trasmesso
        condividere condivido condiviso
        consegnare consegno consegnato
        portare porto portato
        dare do dato
        restituire restituisco restituito
        caricare carico caricato
        pubblicare pubblico pubblicato
        fornire fornisco fornito
        preparare preparo preparato
        redigere redigo redatto
        scrivere scrivo scritto
        rivedere rivedo rivisto
        rileggere rileggo riletto
        leggere leggo letto
        controllare controllo controllato
        verificare verifico verificato
        confermare confermo confermato
        approvare approvo approvato
        firmare firmo firmato
        provare provo provato
        testare testo testato
        analizzare analizzo analizzato
        confrontare confronto confrontato
        raccogliere raccolgo raccolto
        prenotare prenoto prenotato
        organizzare organizzo organizzato
        pianificare pianifico pianificato
        fissare fisso fissato
        annullare annullo annullato
        disdire disdico disdetto
        rinnovare rinnovo rinnovato
        ordinare ordino ordinato
        comprare compro comprato
        acquistare acquisto acquistato
        pagare pago pagato
        saldare saldo saldato
        versare verso versato
        rimborsare rimborso rimborsato
        chiamare chiamo chiamato
        richiamare richiamo richiamato
        telefonare telefono telefonato
        contattare contatto contattato
        chiedere chiedo chiesto
        avvisare avviso avvisato
        informare informo informato
        sollecitare sollecito sollecitato
        invitare invito invitato
        presentare presento presentato
        creare creo creato
        elaborare elaboro elaborato
        tradurre traduco tradotto
        correggere correggo corretto
        modificare modifico modificato
        aggiornare aggiorno aggiornato
        sistemare sistemo sistemato
        riparare riparo riparato
        risolvere risolvo risolto
        installare installo installato
        configurare configuro configurato
        migrare migro migrato
        finire finisco finito
        terminare termino terminato
        ultimare ultimo ultimato
        completare completo completato
        compilare compilo compilato
        stampare stampo stampato
        scansionare scansiono scansionato
        negoziare negozio negoziato
        riassumere riassumo riassunto
        aggiungere aggiungo aggiunto
        ritirare ritiro ritirato
        cucinare cucino cucinato
        gestire gestisco gestito
        sostituire sostituisco sostituito
        parlare parlo parlato
        rimandare rimando rimandato
        procurare procuro procurato
        sentire sento sentito
        cercare cerco cercato
        trovare trovo trovato
        mostrare mostro mostrato
        rispondere rispondo risposto
        spiegare spiego spiegato
        indicare indico indicato
        annotare annoto annotato
        calcolare calcolo calcolato
        misurare misuro misurato
        stimare stimo stimato
        scaricare scarico scaricato
        copiare copio copiato
        salvare salvo salvato
        pulire pulisco pulito
        riordinare riordino riordinato
        lavare lavo lavato
        dipingere dipingo dipinto
        montare monto montato
        spostare sposto spostato
        assumere assumo assunto
        lanciare lancio lanciato
        diffondere diffondo diffuso
        distribuire distribuisco distribuito
        fatturare fatturo fatturato
        dichiarare dichiaro dichiarato
        iscrivere iscrivo iscritto
        proporre propongo proposto
        chiudere chiudo chiuso
        posticipare posticipo posticipato
        lasciare lascio lasciato
        definire definisco definito
        precisare preciso precisato
        chiarire chiarisco chiarito
        recuperare recupero recuperato
        riportare riporto riportato
        passare passo passato
        """
    ),
    undertaking=phrases(
        """
        mi occupo di | mi occupo io di | mi occupo del | mi occupo della | mi occupo io del | mi occupo io della |
        mi occupo dell' | mi occupo io dell' | mi occuperò di | mi occuperò del | mi occuperò della |
        mi occuperò dell' | ci occupiamo di | ci occupiamo del | ci occupiamo della | mi incarico di |
        mi impegno a | mi occupo dei | mi occupo delle | mi occupo io dei | mi occuperò io della |
        mi occuperò io del | mi prendo in carico | mi occuperò io di | mi occupo io | mi faccio carico di |
        mi faccio carico del | mi metto in contatto con | mi metterò in contatto con | ci penso io a | penso io a |
        penso io al | penso io alla | ci occuperemo di | ci occuperemo del | ci occuperemo della | mi incarico del |
        mi incarico della | faccio il punto con | farò il punto con | passo a prendere | passerò a prendere |
        faccio sapere di | faccio sapere del | faccio sapere della | faccio sapere dell' | faccio sapere per |
        farò sapere di | farò sapere del | farò sapere della | farò sapere dell'
        """
    ),
    will=phrases(
        """
        prometto di | mi impegno a | vado a | ho intenzione di | conto di | ti prometto di | vi prometto di |
        provvederò a | provvedo a | provvederemo a | cercherò-di | ti assicuro di | mi impegno ad | prometto che |
        provvederò ad | vado ad
        """
    ),
    must=phrases("devo|posso|dobbiamo|possiamo|devo ancora"),
    you_get=phrases(
        """
        avrai | riceverai | avrete | riceverete | ti arriverà | ti arriveranno | vi arriverà | ti arriva
        """
    ),
    from_me=phrases("da me|da noi|da parte mia|da parte nostra"),
    third=phrases("deve|si è impegnato a"),
    subjects=phrases("io|noi"),
    irregular={
        "farò avere": "fare",
        "faccio avere": "fare",
        "faremo avere": "fare",
        "farò sapere": "",
        "pagherò": "pagare",
        "pagheremo": "pagare",
        "caricherò": "caricare",
        "verificherò": "verificare",
        "modificherò": "modificare",
        "pubblicherò": "pubblicare",
        "pianificherò": "pianificare",
        "rivedrò": "rivedere",
        "darò": "dare",
        "daremo": "dare",
        "faremo pervenire": "fare",
        "farò pervenire": "fare",
        "tradurrò": "tradurre",
        "pubblicheremo": "pubblicare",
        "verificheremo": "verificare",
        "disdirò": "disdire",
        "rivedremo": "rivedere",
    },
    future={
        "are": ("erò", "eremo", "erà"),
        "ere": ("erò", "eremo", "erà"),
        "ire": ("irò", "iremo", "irà"),
    },
    plural={"iare": "iamo", "are": "iamo", "ere": "iamo", "ire": "iamo"},
    enclitics=phrases("velo|vela|telo|tela|glielo|gliela|ti|vi|le|gli|lo|la|li|ci|mi|ne|si"),
    negation=words("non mai niente nulla nessuno nessuna né neanche nemmeno"),
    condition=phrases(
        """
        se | qualora | a patto che | a condizione che | quando | appena | non appena | una volta che |
        a meno che | purché | dopo che | solo se
        """
    ),
    asking=words("chiedere verificare controllare confermare vedere"),
    hedges=words(
        """
        forse probabilmente magari possibilmente eventualmente cercare cercherò cerco tentare tenterò provare
        proverò provo spero
        """
    ),
    fronting=words(
        """
        ok sì va bene certo grazie ciao salve buongiorno allora quindi e ma perfetto scusa scusate mi dispiace
        raccomando
        come concordato promesso d'accordo poi anche molto mille capito da parte mia inoltre entro il la lo i
        gli le prima di del della in senza problemi io noi caro cara gentile tutti più tardi dopo per al massimo
        oltre non volentieri intesi caso tal questo così alla fine finalmente
        """
    )
    - {"non"},
    conjunctions=words("e ed poi o"),
    contrast=words("ma però tuttavia anche-se quindi"),
    subordinate=words("perché che chi cui dove quando mentre se come siccome poiché"),
    articles=words(
        """
        il lo la i gli le l un uno una mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri
        nostre vostro vostra vostri vostre loro questo questa questi queste quel quella tutti tutte
        """
    ),
    pronouns=words("io tu lui lei noi voi loro mi ti si ci vi gli le lo la li ne me te sé"),
    pronoun_objects=words("lo la li le ciò questo quello tutto qualcosa ne l"),
    you=words("ti vi le te voi lei"),
    prepositions=words(
        """
        di del della dello dei degli delle dell a al alla allo ai alle in nel nella nei su sul sulla con per tra
        fra da dal dalla senza sotto sopra contro durante secondo dopo prima riguardo
        """
    ),
    adverbs=words(
        """
        conseguentemente
        presto subito già ora adesso poi dopo anche ancora stesso immediatamente rapidamente volentieri
        personalmente direttamente qui lì così bene più tardi certamente sicuramente solo senz'altro prima
        possibile
        """
    ),
    to=words("a con per"),
    recipient=words("a al alla ai alle"),
    me=words("mi ci"),
    offers=words(
        """
        domande domanda dubbi dubbio problemi problema vuoi vuole volete desidera desideri desiderate desideriate
        bisogno
        """
    ),
    help=words(
        """
        informazioni informazione chiarimenti chiarimento assistenza aiuto dettagli domande domanda dubbi dubbio
        bisogno
        """
    ),
    courtesy=words("puoi può riesci riesce tempo momento occasione"),
    contacting=phrases("contatt | chiam | scriv | rivolg | telefon | visit"),
    sending=words(
        """
        inviare invia invii mandare manda mandi spedire inoltrare inviarmi mandarmi inviarci mandarci mandami
        inviami mandaci inviaci
        """
    ),
    doubt=words("se"),
    states=words("è sono c'è fa ho"),
    suits=words(
        """
        ok bene così possibile necessario pronto pronta disponibile libero corretto questo accordo d'accordo
        """
    ),
    at_once=phrases(
        """
        dam | dar | port | pass | tien | ripet | apr | chiud | mett | prend | aspett | firm | compil | prov |
        parl | aiut | cambi | indic | disegn | accompagn
        """
    ),
    staging=frozenset(
        phrases(
            """
            guardare | mostrare | spiegare | rispondere | presentare | ripetere | dare | leggere | verificare |
            riassumere | dire | continuare | pulire
            """
        )
    ),
    acquiring=words("comprare ordinare prendere procurare cucinare chiedere organizzare pianificare"),
    us=words("noi"),
    for_self=words("mi"),
    vague=phrases(
        "con un po' di fortuna|con un pizzico di fortuna|la prossima volta|un giorno|"
        "in futuro|qualche volta|prima o poi|un giorno o l'altro"
    ),
    questioning=words("come perché quando dove cosa"),
    chatting=words("più perché"),
    ask_wish=phrases("vuoi|vorresti|vuole"),
    can=phrases("puoi|può|potete|potrai|potrà|riesci a|riuscite a"),
    telling=phrases("dimmi | dir | raccont | mostr | spieg"),
    weak=words("parlare dare leggere portare cucinare versare provare girare"),
    performative=words("confermare informare invitare chiedere approvare"),
    elision=True,
    polite=phrases(
        """
        grazie | grazie mille | molte grazie | perfetto | ok | ciao | sì | scusa | scusate | va bene | ottimo |
        bene | ti ringrazio | la ringrazio | no | buongiorno | alla fine | alla fin fine
        """
    ),
    idle=words(
        """
        verità schermo meglio tempo momento minuto secondo attimo saluti abbraccio abbracci bacio baci caffè birra
        telecamera
        microfono porta finestra dita attenzione fortuna parola vita testa occhio occhiata giro passeggiata
        notte mano
        possibile
        fiducia colpa mano favore scuse retta finta
        """
    ),
    soon=words(
        """
        dopo presto ora adesso
        """
    ),
    from_others=words(
        """
        da dal dalla dai dalle
        """
    ),
    undertaken=phrases(
        """
        mi sono impegnato a | mi sono impegnata a | ci siamo impegnati a | ho accettato di
        """
    ),
    promised=phrases(
        """
        ho promesso | ti ho promesso | gli ho promesso | le ho promesso | vi ho promesso | abbiamo promesso
        """
    ),
    formal=words(
        """
        gentile egregio egregia spettabile signor signora dottor dottoressa distinti
        """
    ),
    arranging=words(
        """
        procurare prenotare ritirare recuperare
        """
    ),
    idle_verbs=words(
        """
        ringraziare salutare
        essere avere andare venire tornare vedere sentire credere immaginare sapere capire pensare piacere volere potere
        dovere restare aspettare vivere dormire mangiare bere nuotare guidare camminare correre cantare ballare
        giocare parlare scusare perdonare notare sembrare ridere piangere arrivare uscire entrare aiutare stare dire
        mare mese cellulare
        """
    ),
    infinitive_ends=phrases(
        """
        are | ere | ire | rre | armi | ermi | irmi | arci | erci | irci | arlo | arla | erlo | erla
        """
    ),
    reported=words(
        """
        detto dice chiese chiesto chiede scrisse scritto risponde rispose promesso disse
        """
    ),
    habits=words(
        """
        ogni sempre solito normalmente spesso
        """
    ),
    remind=phrases(
        """
        non dimenticare di | non dimenticarti di | non dimenticatevi di | non dimentichi di | ricordati di |
        ricorda di | si ricordi di | ricordatevi di | mi raccomando | assicurati di | vedi di
        """
    ),
    missing=phrases(
        """
        aspetto ancora | aspettiamo ancora | ancora senza | manca | mi manca | ci manca | in attesa di |
        in attesa del | in attesa della
        """
    ),
    have_you=phrases(
        """
        hai | ha | avete | hai già | ha già | avete già
        """
    ),
    happens={
        "parte il": "start",
        "inizia il": "start",
        "inizia": "start",
        "comincia il": "start",
        "comincia": "start",
        "finisce il": "end",
        "termina il": "end",
        "termina": "end",
        "chiude alle": "closing",
        "chiude il": "closing",
        "chiude": "closing",
        "apre il": "opening",
        "apre alle": "opening",
        "apre": "opening",
        "si tiene il": "date",
        "ha luogo il": "date",
        "scade il": "deadline",
        "scade": "deadline",
        "arriva il": "delivery",
    },
    you_get_formal=phrases(
        """
        avrà | riceverà | avranno | riceveranno
        """
    ),
    received_end=phrases(
        """
        ricevuto | ricevuta | ricevuti | ricevute |
        è arrivato | è arrivata | sono arrivati | sono arrivate | è già arrivato | è già arrivata
        """
    ),
    elliptic=words(
        """
        pagare inviare mandare spedire portare firmare prenotare ordinare consegnare restituire
        """
    ),
    could=phrases(
        """
        potrebbe
        """
    ),
    thanked=words(
        """
        pazienza comprensione aiuto supporto tempo serata giornata chiamata risposta riunione visita sforzo lavoro
        consiglio fiducia interesse gentilezza attenzione collaborazione invito promemoria accoglienza chiacchierata
        viaggio
        """
    ),
    idioms=phrases(
        """
        dare un'occhiata a | dare un'occhiata al | dare un'occhiata alla | dare un'occhiata all' |
        dare uno sguardo a | dare uno sguardo al | dare uno sguardo alla | mettersi in contatto con | fare avere |
        farmi avere | farci avere
        """
    ),
    ask_duty=phrases(
        """
        devi | dovete | forse potresti | forse potrebbe | magari potresti | magari potrebbe
        """
    ),
    ask_infinitive=phrases(
        """
        quando puoi | quando potresti | quando può | quando potrebbe |
        puoi | potresti | può | potrebbe | potete | potreste | mi puoi | mi potresti | mi può | mi potrebbe |
        ci puoi | ci può | ti dispiacerebbe | le dispiacerebbe | riesci a | riuscite a | la prego di | vi prego di |
        ti chiedo di | le chiedo di | ci potete | ci potreste | mi potete | mi potreste | saresti così gentile da |
        sarebbe così gentile da | ti spiacerebbe | le spiacerebbe | sarebbe possibile | è possibile |
        ti andrebbe di | avresti tempo di | potrai | potrà | ti prego di | ti chiederei di |
        le chiederei di | vi chiedo di | vi chiederei di | ti sarei grato se potessi | ti sarei grata se potessi |
        le sarei grato se potesse | sarebbe bello se potessi | sarebbe utile se potessi | avrei bisogno che tu |
        mi faresti il favore di | fammi il favore di | riesci ad | riesce a | riesci anche a | qualcuno può |
        qualcuno potrebbe | può qualcuno | potrebbe qualcuno | uno di voi può
        """
    ),
    imperatives=phrases(
        """
        mandami | mi mandi | inviami | mi invii | inviaci | mi invia | mi manda | girami | mi giri | passami |
        chiamami | mi chiami | confermami | mi confermi | manda | invia | rivedi | firma | prenota | prepara |
        inoltrami | mi inoltri | portami | dammi | mandaci | controlla | condividi | inviateci | inviatemi |
        mandatemi | mi confermate | rimandami | rimandamela | rimandamelo | rimandala | rimandalo | mandamela |
        mandamelo | inviamela | inviamelo | mandala | mandalo | giramela | giramelo | passamela | passamelo |
        fammi avere | fammi sapere | fatemi avere | fatemi sapere | mi faccia avere | mi faccia sapere |
        mi fai avere | mi fai sapere | dimmi | mi dai | mi dia | mi passi | mi porti | mi prenoti | mi ricordi |
        mostrami | prestami | mi presti | mi lasci | mi riporti | mi stampi |
        scrivimi | mi scrivi | preparami | ricordami | avvisami | mi avvisi | mandate |
        inviate | controllate | compra | compri | paga | paghi | correggi | corregga | stampa | stampi | porta |
        porti | ordina | ordini | annulla | annulli | aggiorna | aggiorni | completa | completi | compila |
        compili | traduci | traduca | scrivi | scriva | rileggi | rilegga | riveda | controlli | chiama | chiami
        """
    ),
    please=phrases(
        """
        per favore | per piacere | per cortesia | cortesemente | gentilmente | pls | plis | ti prego
        """
    ),
    accepted=phrases(
        """
        ci penso io | lo faccio | lo farò | certo | certamente | va bene, lo faccio | ok, lo faccio |
        sì, lo faccio | senz'altro | volentieri | nessun problema | me ne occupo io | me ne occupo |
        certo, me ne occupo | sì, ci penso io | ok, ci penso io | certo, lo faccio | consideralo fatto |
        con piacere | va bene, ci penso io | sarà fatto | sì certo | sì, certo | certo, ci penso io |
        lo faccio subito | faccio io | va bene, faccio io | ok, faccio io | sì, faccio io | ci penso |
        ci penso subito | ok ci penso io | va bene ci penso io | me ne occupo subito | sì, me ne occupo io |
        ok, me ne occupo io | va bene, me ne occupo io | lo faccio io | lo preparo | contaci | conta su di me |
        conti su di me | puoi contare su di me | sì, lo farò | d'accordo, lo faccio | perfetto, lo faccio |
        tranquillo, ci penso io | tranquilla, ci penso io | lascia fare a me | ci sto lavorando | ok, va bene |
        va benissimo, lo faccio | nessun problema, ci penso io | provvedo | provvedo subito | provvederò |
        ne prendo carico | lo prendo io | lo prendo in carico
        """
    ),
    declined=phrases(
        """
        non posso | mi dispiace, non posso | purtroppo non posso | purtroppo no | non riesco |
        purtroppo non riesco | non potrò | non è possibile | no, mi dispiace | mi dispiace, non riesco |
        devo declinare | non ce la faccio | purtroppo non ce la faccio | no, grazie | purtroppo non è possibile |
        mi spiace, non posso | non posso, mi dispiace | non posso, scusa | stavolta non posso |
        per me è impossibile | non ho tempo | non faccio in tempo | mi è impossibile | non mi è possibile |
        scusa, non posso | non ci riesco | purtroppo non ci riesco
        """
    ),
    received=phrases(
        """
        ricevuto | ricevuto, grazie | ricevuta, grazie | arrivato, grazie | è arrivato | è arrivato, grazie |
        l'ho ricevuto | l'ho ricevuta | grazie, ricevuto | ho ricevuto | ricevuti, grazie | arrivata, grazie |
        l'ho ricevuto, grazie | grazie, l'ho ricevuto | è arrivata, grazie | ricevute, grazie | ricevute |
        ricevuti | ricevuta | tutto ricevuto | è arrivata | sono arrivati, grazie | sono arrivate, grazie |
        mi è arrivato | mi è arrivata | ce l'ho, grazie | ricevuto tutto | tutto arrivato
        """
    ),
    released=phrases(
        """
        non serve più | non è più necessario | non mi serve più | non ci serve più | non ne ho più bisogno |
        non occorre più | lascia stare | lascia perdere | lasci stare | lasciate stare |
        non ne abbiamo più bisogno | non serve più, grazie | non è più necessaria | non importa più |
        come non detto | non è più necessario, grazie | lascia perdere, grazie | non fa niente, risolto |
        già risolto | risolto | ho già risolto | alla fine non serve | non importa | lascia perdere, risolto |
        non serve | non è necessario | non farlo | non lo faccia | non occorre | non c'è bisogno |
        non ce n'è bisogno | non serve, grazie | fa niente | tranquillo, non serve più | tranquilla, non serve più
        """
    ),
    done=phrases(
        """
        in allegato | allegato |
        fatto | già fatto | è fatto | inviato | mandato | l'ho inviato | l'ho mandato | già inviato |
        appena inviato | te l'ho mandato | te l'ho inviato | pagato | prenotato | finito | ho finito | spedito |
        l'ho fatto | tutto fatto | già fatto, grazie | l'ho già fatto | l'ho già mandato | l'ho già inviato |
        sistemato | già pagato | già prenotato | spedito ora | appena fatto | ritirato |
        eccolo | eccola | eccoli | eccole | eccolo in allegato | eccola in allegato | eccoli in allegato |
        eccole in allegato | vedi allegato | te l'ho inviata | te l'ho mandata | te l'ho appena inviato |
        te l'ho appena inviata | te l'ho appena mandato | te l'ho appena mandata
        """
    ),
    declined_begin=phrases(
        """
        non posso | non riesco a | purtroppo non posso | purtroppo non riesco a | non potrò | non possiamo |
        mi dispiace, non posso | mi dispiace, non riesco a | non sono in grado di | purtroppo non potrò |
        non riuscirò a | mi dispiace ma non posso | non riesco ad | non riuscirò ad | non potremo |
        non siamo in grado di | non faccio in tempo a | non ho tempo di | non ho tempo per | mi è impossibile |
        non mi è possibile | devo rinunciare a | mi dispiace ma non riesco a | purtroppo non sono in grado di
        """
    ),
    received_begin=phrases(
        """
        confermo la ricezione di | confermo la ricezione del |
        confermo la ricezione della | confermiamo la ricezione di | confermo di aver ricevuto |
        ho ricevuto | abbiamo ricevuto | grazie per | grazie del | grazie della | ricevuto il | ricevuta la |
        grazie dei | grazie delle | ho appena ricevuto | ricevute le | ricevuti i | ricevuto | ricevuta | ricevute |
        ricevuti | mi è arrivato | mi è arrivata | mi sono arrivati | mi sono arrivate | ci è arrivato |
        ci è arrivata | grazie per avermi mandato | grazie per l'invio |
        è arrivato | è arrivata | sono arrivati | sono arrivate | mi è appena arrivato | mi è appena arrivata |

        """
    ),
    released_begin=phrases(
        """
        non serve più | non mi serve più | non ci serve più | non ho più bisogno di | non ho più bisogno del |
        non ho più bisogno della | non abbiamo più bisogno di | non abbiamo più bisogno del |
        non abbiamo più bisogno della | non è più necessario | non occorre più | non serve che | non devi più |
        non occorre che | non servono più | lascia stare | lascia perdere | lasci stare | lasci perdere |
        lasciate stare | lasciate perdere | dimentica | dimenticate | non mi servono più | non ci servono più |
        non serve | non servono | non ho bisogno di | non abbiamo bisogno di | non ho più bisogno dei |
        non ho più bisogno delle | non ho più bisogno dell' | non c'è più bisogno di | non c'è bisogno di |
        non occorre | niente più | puoi dimenticare | puoi lasciar perdere | potete dimenticare |
        non c'è più bisogno del | non c'è più bisogno della | non c'è più bisogno dei
        """
    ),
    released_end=phrases(
        """
        non serve più | non è più necessario | non è più necessaria | non servono più | non occorre più |
        non mi serve più | non mi servono più | non ci serve più | non ci servono più | non è più richiesto |
        non è più richiesta | non sono più necessari | non sono più necessarie | non serve | è annullato |
        è annullata
        """
    ),
    attached=phrases(
        """
        in allegato | in allegato trovi | in allegato trova | in allegato trovate | ti allego | le allego |
        vi allego | allego | ecco | eccoti | ecco qui | in allegato il | come promesso, ecco | in allegato la |
        troverai in allegato | troverà in allegato | in allegato invio | in allegato ti mando |
        in allegato ti invio | si allega | alleghiamo | in allegato vi invio | allegato | allegata | allegati |
        allegate | trovi in allegato | trova in allegato | trovate in allegato | qui trovi | qui il | qui la |
        ti giro | come promesso ti allego | ti mando in allegato | ti invio in allegato |
        in allegato le invio | in allegato le mando | qui in allegato | ecco in allegato | ti mando qui | qui c'è |
        troverete in allegato |
        trovi ... in allegato | trova ... in allegato | troverai ... in allegato | troverà ... in allegato |
        trovate ... in allegato | ti mando ... in allegato | le mando ... in allegato | vi mando ... in allegato
        """
    ),
    attached_end=phrases(
        """
        in allegato | è in allegato | allegato | è pronto | è pronta | è fatto | è fatta | è prenotato |
        è prenotata | è pagata | è stato inviato | è stata inviata | è stato spedito | sono pronti |
        sono in allegato | è partito | è partita | è uscito | è uscita | è stato mandato | è stata mandata |
        è stato consegnato | è stata consegnata | è spedito | è spedita | è inviato | è inviata | è pagato |
        è in arrivo | è in viaggio | sono partiti | sono partite | sono pronte | è sistemato | è sistemata |
        è a posto | è finito | è finita | è terminato | è terminata | sono finiti | sono finite | è completato |
        è completata
        """
    ),
    have=phrases(
        """
        ho | ti ho | vi ho | le ho | gli ho | ho già | ho appena | abbiamo | ti ho appena | ti ho già | vi abbiamo |
        le ho già | le ho appena | te l'ho | ho finalmente | oggi ho | vi ho già | gli ho già | abbiamo già |
        abbiamo appena | ci ho
        """
    ),
    decided=phrases(
        """
        abbiamo deciso di | abbiamo deciso che | abbiamo deciso | si è deciso di | è stato deciso di |
        è stato deciso che | decisione: | abbiamo scelto | andiamo con | abbiamo optato per |
        abbiamo concordato di | abbiamo concordato | ho deciso di | ho deciso che | optiamo per | scegliamo |
        deciso: | si è deciso che | siamo d'accordo su | è deciso: | si è concordato di | è stato concordato di |
        è stato concordato che | è stato deciso | scegliamo di | abbiamo optato |
        ci siamo accordati su | ci siamo accordati per | abbiamo stabilito di | abbiamo stabilito che
        """
    ),
    copula=phrases(
        """
        è | sono | è di | è ora di | ammonta a | = | costa | sarà di | : | è il | ora è di | sono di | è ora |
        è fissato al | è fissata al | sarà | ammontano a | adesso è di | ora è | adesso è | ora ammonta a |
        è salito a | è sceso a | è a | resta a | rimane a | è attualmente di | viene | costerà | sta a | è passata a
        """
    ),
    moved=combined(
        "è | è stato | è stata | viene | sarà | -",
        """
        spostato | spostata | rinviato | rinviata | rimandato | rimandata | posticipato | posticipata | anticipato |
        anticipata | slittato | slittata
        """,
        "al",
    )
    + phrases(
        """
        è previsto per il | è prevista per il | è fissato per il | è fissata per il | si terrà il | passa al |
        passa a | sale a | scende a | slitta al | è passato a | è salito a | sarà il
        """
    ),
    moving=combined("ho | abbiamo", "spostato | rinviato | rimandato | posticipato | anticipato | cambiato")
    + combined(
        "ha | hanno",
        """
        spostato | rinviato | rimandato | posticipato | anticipato | cambiato | ridotto | aumentato | tagliato |
        alzato | abbassato
        """,
    ),
    moved_to=words("al a"),
    attributes={
        "quota": "fee",
        "canone": "rent",
        "pilota": "date",
        "fase pilota": "date",
        "inaugurazione": "date",
        "apertura": "date",
        "budget": "budget",
        "prezzo": "price",
        "costo": "cost",
        "costi": "cost",
        "tariffa": "fee",
        "affitto": "rent",
        "cauzione": "deposit",
        "deposito": "deposit",
        "caparra": "deposit",
        "numero di invitati": "guests",
        "numero di partecipanti": "participants",
        "numero di": "count",
        "stipendio": "salary",
        "sconto": "discount",
        "scadenza": "deadline",
        "termine": "deadline",
        "data": "date",
        "lancio": "date",
        "telefono": "phone",
        "numero": "phone",
        "numero di telefono": "phone",
        "cellulare": "phone",
        "versione": "version",
        "tasso": "rate",
        "obiettivo": "target",
        "capacità": "capacity",
        "fatturato": "revenue",
        "margine": "margin",
        "totale": "total",
        "fattura": "total",
        "offerta": "offer",
        "preventivo": "offer",
        "riunione": "date",
        "consegna": "delivery",
        "matrimonio": "date",
        "workshop": "date",
        "superficie": "area",
        "durata": "duration",
        "conferenza": "date",
    },
    of=phrases("per|di|del|della|dell'|per il|per la|dei|delle"),
    lead_ins=phrases(
        "correzione|scusate, errore|scusa, errore|rettifica|aggiornamento|promemoria|"
        """
        per la cronaca | come concordato | come discusso | a proposito | in breve | per chiarezza |
        come promemoria | per conferma
        """
    ),
    handed=phrases(
        """
        come promesso | come ti avevo promesso | come richiesto | come concordato | come d'accordo
        """
    ),
    ways=phrases(
        """
        di nuovo | a piedi | a destra | a sinistra | da parte | in macchina | in treno | al telefono | per telefono |
        a breve
        """
    ),
    no_deeds=phrases(
        """
        le mie scuse | le nostre scuse | una mano | attorno a me | intorno a me | prendere il controllo |
        prenderò il controllo | quando vuoi | quando vuole | quando volete
        """
    ),
    herewith=phrases(
        """
        in allegato | allegato | allegata | allegati | allegate | con la presente
        """
    ),
)
