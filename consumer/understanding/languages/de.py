"""German."""

from consumer.understanding.languages.words import HOUR, DateWords, Words, combined, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        """
        januar jänner jan | februar feber feb | märz mrz | april apr | mai | juni jun | juli jul |
        august aug
        """
        " | september sept sep | oktober okt | november nov | dezember dez"
    ),
    weekdays=numbered("montag | dienstag | mittwoch | donnerstag | freitag | samstag sonnabend | sonntag", 0),
    short_weekdays=numbered("mo | di | mi | do | fr | sa | so", 0),
    days={
        "heute": 0,
        "heute noch": 0,
        "noch heute": 0,
        "heute abend": 0,
        "heute nachmittag": 0,
        "heute morgen": 0,
        "heute vormittag": 0,
        "heute mittag": 0,
        "heute nacht": 0,
        "morgen": 1,
        "übermorgen": 2,
    },
    day_ends=phrases("ende des tages|feierabend|dienstschluss|tagesende|büroschluss"),
    parts=phrases("früh|vormittag|mittag|nachmittag|abend|nacht|vormittags|nachmittags|abends|morgens"),
    coming=phrases("kommenden|kommender|kommende|diesen|dieser|dieses"),
    following=phrases("nächsten|nächster|nächste"),
    coming_after=(),
    past=phrases("letzten|letzter|letzte|vergangenen|vergangener|vergangene|vorigen|vorige"),
    past_after=(),
    no_dates=phrases(
        """
        als erstes |
        am vormittag | am nachmittag | am abend | in der früh | gestern | vorgestern | guten morgen | am morgen |
        gestern abend | eines tages | vor einer woche
        """
    ),
    this_week=phrases("diese woche|noch diese woche|dieser woche"),
    later_week=phrases(
        "im laufe der woche|im laufe dieser woche|später in der woche|später diese woche|unter der woche"
    ),
    next_week=phrases("nächste woche|nächster woche|kommende woche|kommender woche|nächsten woche"),
    this_month=phrases("diesen monat|dieses monats|monatsende"),
    next_month=phrases("nächsten monat|nächsten monats"),
    weekend=phrases("dieses wochenende|am wochenende|wochenende"),
    end_of=phrases("ende der|ende des|ende dieser|ende dieses|ende"),
    periods={
        "woche": "w",
        "monats": "m",
        "monat": "m",
        "quartals": "q",
        "jahres": "y",
        "jahr": "y",
        "nächster woche": "nw",
        "nächsten monats": "nm",
        "wochenende": "w",
    },
    year_end=phrases("jahresende|ende jahr"),
    ahead=phrases("in den nächsten|innerhalb von|innerhalb der nächsten|innerhalb|binnen|in"),
    ahead_after=(),
    units={
        "tag": 1,
        "tagen": 1,
        "tage": 1,
        "woche": 7,
        "wochen": 7,
        "monat": -1,
        "monaten": -1,
        "stunde": HOUR,
        "stunden": HOUR,
        "minuten": 0,
    },
    before_month=phrases("im|bis|vor"),
    joints=phrases("den|der|dem|,"),
    times={"mittags": "12:00", "mittag": "12:00", "mitternacht": "23:59"},
    at=phrases("um|bis|gegen|vor"),
    hours=phrases("uhr"),
    afternoon=(),
    mornings=phrases("früh|morgens|vormittag|vormittags|nacht|nachts"),
    afternoons=words("nachmittag nachmittags mittag mittags"),
    evenings=words("abend abends"),
    by=phrases(
        """
        nicht später als | nicht später als am |
        bis | bis zum | bis spätestens | spätestens | spätestens bis | spätestens am | vor | vor dem | bis zu |
        bis am | bis zur | fällig am
        """
    ),
    before=words("vor"),
    on=phrases("am|im|an|in der|in|zum|für"),
    of=phrases("vom|ab|ab dem|seit|von|des|der|nach|seit dem|aus dem"),
    never=phrases("nicht|nicht am|nicht vor|außer|statt|anstatt|außer am|kein"),
    day_of_month=phrases("am|zum|vom|den|dem"),
    day_of_month_after=phrases("."),
    counted_from=phrases("nach|ab"),
    middle_of=phrases("mitte"),
    first_of=phrases("ersten|erster"),
    second_next=phrases("übernächsten|übernächster|übernächste"),
    week_after_next=phrases("übernächste woche|übernächster woche|übernächsten woche"),
)

WORDS = Words(
    code="de",
    dates=DATES,
    short={"u": "und", "od": "oder", "f": "für"},
    other_numbers={"einem": 1, "einer": 1, "einen": 1, "eine": 1},
    abbreviations=phrases(
        """
        dr | hr | fr | frl | prof | nr | ca | bzw | z.b | d.h | u.a | str | st | evtl | ggf | inkl | zzgl | usw |
        mo | di | mi | do | sa | so | jan | feb | mrz | apr | jun | jul | aug | sep | sept | okt | nov | dez |
        abs | art | tel | mio | mrd | tsd | vgl | bsp | max | min | mind | dipl | ing | co | z | u | d | o.ä |
        i.d.r |
        dipl.-ing | jur | med | phil | rer | nat | gem | betr | bzgl | exkl | rae |
        etc | resp | z.hd | z.t | u.u | stb |
        hrn | fa | abt | einschl | ausschl | geb | gez | lt | ust | mwst | s | vorm | nachm | tgl
        """
    ),
    common=words(
        """
        hallo liebe lieber geehrte viele grüße anbei
        der die das und ist ich wir nicht den dem ein eine einen mit für bis auf von zu dir ihnen du sie es im
        am werde wird habe hat auch noch uns mir mich bitte danke wie so dass wenn kann hier zum zur sich oder
        als dann gerne gern bei vom dich deine ihre mein meine
        """
    ),
    grouping=".",
    scales={
        "k": 1_000,
        "tsd": 1_000,
        "tausend": 1_000,
        "mio": 1_000_000,
        "million": 1_000_000,
        "millionen": 1_000_000,
        "mrd": 1_000_000_000,
        "milliarde": 1_000_000_000,
        "milliarden": 1_000_000_000,
    },
    currencies={"euro": "EUR", "euros": "EUR", "dollar": "USD", "pfund": "GBP", "franken": "CHF", "yen": "JPY"},
    counted={
        "platz": "seat",
        "plätze": "seat",
        "sitze": "seat",
        "personen": "person",
        "person": "person",
        "leute": "person",
        "nutzer": "user",
        "benutzer": "user",
        "kunden": "customer",
        "ingenieure": "engineer",
        "mitarbeiter": "employee",
        "gäste": "guest",
        "teilnehmer": "attendee",
        "lizenzen": "licence",
        "lizenz": "licence",
        "stück": "unit",
        "einheiten": "unit",
        "tag": "day",
        "tage": "day",
        "tagen": "day",
        "woche": "week",
        "wochen": "week",
        "monat": "month",
        "monate": "month",
        "monaten": "month",
        "jahr": "year",
        "jahre": "year",
        "jahren": "year",
        "stunde": "hour",
        "stunden": "hour",
        "minuten": "minute",
        "km": "km",
        "kg": "kg",
        "gb": "gb",
        "tb": "tb",
        "seiten": "page",
        "seite": "page",
        "filialen": "store",
        "standorte": "site",
        "mitglieder": "member",
        "zimmer": "room",
        "exemplare": "copy",
        "m²": "m2",
        "qm": "m2",
        "quadratmeter": "m2",
    },
    percent=phrases("%|prozent"),
    verbs=verbs(
        """
        zukommenlassen lasse - zukommen
        schicken schicke geschickt
        zuschicken schicke zugeschickt zu
        abschicken schicke abgeschickt ab
        zurückschicken schicke zurückgeschickt zurück
        senden sende gesendet/gesandt
        zusenden sende zugesandt/zugesendet zu
        übersenden übersende übersandt
        mailen maile gemailt
        faxen faxe gefaxt
        weiterleiten leite weitergeleitet weiter
        teilen teile geteilt
        liefern liefere geliefert
        nachliefern liefere nachgeliefert nach
        bringen bringe gebracht
        mitbringen bringe mitgebracht mit
        geben gebe gegeben
        abgeben gebe abgegeben ab
        weitergeben gebe weitergegeben weiter
        hochladen lade hochgeladen hoch
        einladen lade eingeladen ein
        einreichen reiche eingereicht ein
        nachreichen reiche nachgereicht nach
        veröffentlichen veröffentliche veröffentlicht
        prüfen prüfe geprüft
        überprüfen überprüfe überprüft
        kontrollieren kontrolliere kontrolliert
        testen teste getestet
        lesen lese gelesen
        durchlesen lese durchgelesen durch
        gegenlesen lese gegengelesen gegen
        anschauen schaue angeschaut an
        ansehen sehe angesehen an
        durchsehen sehe durchgesehen durch
        bestätigen bestätige bestätigt
        freigeben gebe freigegeben frei
        genehmigen genehmige genehmigt
        unterschreiben unterschreibe unterschrieben
        unterzeichnen unterzeichne unterzeichnet
        klären kläre geklärt
        abklären kläre abgeklärt ab
        recherchieren recherchiere recherchiert
        analysieren analysiere analysiert
        vergleichen vergleiche verglichen
        sammeln sammle gesammelt
        zusammenstellen stelle zusammengestellt zusammen
        bereitstellen stelle bereitgestellt bereit
        fertigstellen stelle fertiggestellt fertig
        fertigmachen mache fertiggemacht fertig
        vorstellen stelle vorgestellt vor
        einstellen stelle eingestellt ein
        buchen buche gebucht
        reservieren reserviere reserviert
        organisieren organisiere organisiert
        planen plane geplant
        vereinbaren vereinbare vereinbart
        ausmachen mache ausgemacht aus
        verschieben verschiebe verschoben
        absagen sage abgesagt ab
        kündigen kündige gekündigt
        verlängern verlängere verlängert
        bestellen bestelle bestellt
        kaufen kaufe gekauft
        besorgen besorge besorgt
        bezahlen bezahle bezahlt
        zahlen zahle gezahlt
        überweisen überweise überwiesen
        erstatten erstatte erstattet
        anrufen rufe angerufen an
        zurückrufen rufe zurückgerufen zurück
        kontaktieren kontaktiere kontaktiert
        fragen frage gefragt
        nachfragen frage nachgefragt nach
        informieren informiere informiert
        erinnern erinnere erinnert
        anschreiben schreibe angeschrieben an
        schreiben schreibe geschrieben
        entwerfen entwerfe entworfen
        verfassen verfasse verfasst
        formulieren formuliere formuliert
        erstellen erstelle erstellt
        ausarbeiten arbeite ausgearbeitet aus
        überarbeiten überarbeite überarbeitet
        vorbereiten bereite vorbereitet vor
        aufsetzen setze aufgesetzt auf
        übersetzen übersetze übersetzt
        korrigieren korrigiere korrigiert
        aktualisieren aktualisiere aktualisiert
        anpassen passe angepasst an
        beheben behebe behoben
        reparieren repariere repariert
        lösen löse gelöst
        umsetzen setze umgesetzt um
        einbauen baue eingebaut ein
        installieren installiere installiert
        einrichten richte eingerichtet ein
        migrieren migriere migriert
        erledigen erledige erledigt
        beenden beende beendet
        abschließen schließe abgeschlossen ab
        drucken drucke gedruckt
        ausdrucken drucke ausgedruckt aus
        scannen scanne gescannt
        ausfüllen fülle ausgefüllt aus
        anmelden melde angemeldet an
        beantragen beantrage beantragt
        abholen hole abgeholt ab
        einholen hole eingeholt ein
        eintragen trage eingetragen ein
        ergänzen ergänze ergänzt
        beantworten beantworte beantwortet
        verhandeln verhandle verhandelt
        präsentieren präsentiere präsentiert
        zusammenfassen fasse zusammengefasst zusammen
        kochen koche gekocht
        backen backe gebacken
        austauschen tausche ausgetauscht aus
        besprechen bespreche besprochen
        sprechen spreche gesprochen
        reden rede geredet
        machen mache gemacht
        kümmern kümmere gekümmert
        durchgeben gebe durchgegeben durch
        durchschicken schicke durchgeschickt durch
        rausschicken schicke rausgeschickt raus
        rumschicken schicke rumgeschickt rum
        rüberschicken schicke rübergeschickt rüber
        herschicken schicke hergeschickt her
        vorbeibringen bringe vorbeigebracht vorbei
        zurückbringen bringe zurückgebracht zurück
        zurückgeben gebe zurückgegeben zurück
        rausbringen bringe rausgebracht raus
        holen hole geholt
        mitnehmen nehme mitgenommen mit
        zeigen zeige gezeigt
        nennen nenne genannt
        mitteilen teile mitgeteilt mit
        melden melde gemeldet
        verteilen verteile verteilt
        austeilen teile ausgeteilt aus
        verschicken verschicke verschickt
        versenden versende versendet
        ablegen lege abgelegt ab
        vorlegen lege vorgelegt vor
        hinterlegen hinterlege hinterlegt
        sichern sichere gesichert
        messen messe gemessen
        ausmessen messe ausgemessen aus
        berechnen berechne berechnet
        ausrechnen rechne ausgerechnet aus
        zählen zähle gezählt
        nachsehen sehe nachgesehen nach
        nachschauen schaue nachgeschaut nach
        raussuchen suche rausgesucht raus
        heraussuchen suche herausgesucht heraus
        suchen suche gesucht
        aufschreiben schreibe aufgeschrieben auf
        zusammenschreiben schreibe zusammengeschrieben zusammen
        unterstützen unterstütze unterstützt
        vertreten vertrete vertreten
        einkaufen kaufe eingekauft ein
        waschen wasche gewaschen
        putzen putze geputzt
        aufräumen räume aufgeräumt auf
        streichen streiche gestrichen
        aufbauen baue aufgebaut auf
        abbauen baue abgebaut ab
        anschließen schließe angeschlossen an
        tauschen tausche getauscht
        wechseln wechsle gewechselt
        leihen leihe geliehen
        ausleihen leihe ausgeliehen aus
        reinigen reinige gereinigt
        löschen lösche gelöscht
        verlegen verlege verlegt
        stornieren storniere storniert
        beauftragen beauftrage beauftragt
        abrechnen rechne abgerechnet ab
        abstimmen stimme abgestimmt ab
        durchgehen gehe durchgegangen durch
        angehen gehe angegangen an
        starten starte gestartet
        bereithalten halte bereitgehalten bereit
        versprechen verspreche versprochen
        drüberschauen schaue drübergeschaut drüber
        hinterlassen hinterlasse hinterlassen
        mitgeben gebe mitgegeben mit
        """
    ),
    undertaking=phrases(
        """
        kümmere ich mich | übernehme ich | sorge ich | erledige ich | kümmern wir uns | übernehmen wir |
        kümmere mich | übernehme | kümmern uns | sorge | sorgen | übernehmen | kümmern | erledige | erledigen |
        kümmer ich mich | kümmer mich | organisiere ich | regle ich | regel ich | nehme ich mir vor | hake nach |
        setze mich | setz mich
        """
    ),
    will=phrases(
        """
        ich werde | wir werden | werde ich | werden wir | ich verspreche | verspreche ich | ich werd | werd ich |
        wir werden dann | ich werde dann | verspreche dir | ich gehe
        """
    ),
    must=phrases(
        """
        ich muss | ich kann | muss ich | kann ich | wir müssen | wir können | ich sollte | ich soll | soll ich |
        müssen wir | ich möchte | ich will | muss noch | ich müsste | ich sollte noch
        """
    ),
    you_get=phrases(
        """
        bekommst du | du bekommst | bekommen sie | sie bekommen | erhalten sie | sie erhalten | erhältst du |
        du erhältst | kriegst du | du kriegst | hast du | haben sie | ihr bekommt | bekommt ihr | ihr kriegt |
        kriegt ihr | erhaltet ihr | ihr erhaltet | kriegen sie | sie kriegen | hast du dann | bekommst | kriegst
        """
    ),
    from_me=phrases("von mir|von uns"),
    third=phrases("wird"),
    subjects=phrases("ich|wir"),
    verb_second=True,
    negation=words(
        """
        nicht nie niemals kein keine keinen keiner keinem keinerlei nichts niemand weder kaum nimmer
        nix
        """
    ),
    condition=phrases(
        """
        wenn | falls | sofern | sobald | vorausgesetzt | solange | nachdem | außer wenn | es sei denn | nur wenn
        """
    ),
    asking=words("fragen prüfen klären abklären nachfragen überprüfen"),
    hedges=words(
        """
        vielleicht eventuell evtl wahrscheinlich möglicherweise hoffentlich vermutlich wohl versuchen versuche
        irgendwann
        """
    ),
    fronting=words(
        """
        ok okay ja klar gut danke sorry also dann und aber super alles gerne gern natürlich hallo hi liebe
        lieber dafür daher deshalb wie besprochen versprochen vereinbart bis am um vor danach anschließend
        spätestens sicher verstanden vielen dank entschuldigung parallel zusätzlich außerdem auch später gleich
        sofort nachher umgehend kein problem in den der
        """
    ),
    conjunctions=words("und dann oder"),
    contrast=words("aber sondern jedoch doch denn"),
    subordinate=words(
        """
        weil da dass damit welche welcher welches wer wo während obwohl wenn falls sobald ob wie als sodass
        bevor nachdem was warum
        """
    ),
    articles=words(
        """
        der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine
        deinen deinem deiner unser unsere unseren unserem unserer ihr ihre ihren ihrem ihrer euer eure euren
        sein seine seinen dieser diese dieses diesen diesem alle allen beide beiden
        """
    ),
    pronouns=words(
        """
        ich wir du sie ihr euch dir dich ihnen mir mich uns ihm ihn es er sich man ihnen allen jedem
        """
    ),
    pronoun_objects=words(
        """
        es das dies sie ihn alles was etwas ihm drum darum dran daran
        """
    ),
    you=words("dir dich ihnen euch sie"),
    prepositions=words(
        """
        von vom für an am auf mit in im bei beim zu zum zur nach aus über unter zwischen gegen ohne um per via
        wegen bezüglich durch seit vor bis hinter ab laut übers ins ans aufs
        """
    ),
    adverbs=words(
        """
        entsprechend dementsprechend jederzeit
        hin gleich sofort dann noch auch mal nochmal gerne gern bald umgehend demnächst später nachher asap bestimmt
        sicher natürlich jetzt hier dort schon wieder schnellstmöglich spätestens parallel separat persönlich
        direkt kurz heute wie besprochen versprochen gewünscht zeitnah pünktlich selbst selber danach
        anschließend auf jeden fall zuerst dazu dafür ja doch eben einfach nun bitte fertig schnell rechtzeitig
        gerade soeben vorhin gestern bereits sehr einmal zurück näher genauer schriftlich
        """
    ),
    to=words("an für mit zu"),
    recipient=words("an"),
    me=words("mir uns"),
    offers=words(
        """
        fragen frage problem probleme interesse möchten möchtest wünschen schwierigkeiten brauchen brauchst benötigen
        benötigst
        """
    ),
    help=words(
        """
        rückfragen rückfrage auskünfte informationen infos hilfe details anmeldungen fragen frage benötigen
        benötigst brauchen brauchst
        """
    ),
    courtesy=words("kannst können könntest könnten zeit gelegenheit magst mögen dazu"),
    contacting=phrases("wende | wend | meld | kontakt | ruf | schreib | anruf"),
    sending=words(
        """
        schicken schicke schick zuschicken senden sende sendest schickst mailen maile weiterleiten weiterzuleiten
        verschicken verteilen einreichen
        """
    ),
    doubt=words("wenn falls"),
    states=words("ist sind hab habe schmeckt"),
    suits=words(
        """
        ok okay recht möglich nötig fertig bereit frei da weg falsch richtig einverstanden
        """
    ),
    at_once=phrases(
        """
        gib | geb | bring | reich | halt | wiederhol | öffn | schließ | leg | nehm | nimm | wart |
        unterschreib | füll | aus | probier | sprech | wechsel | helf | hilf | beeil | dreh | leih | setz |
        zeig | dranbleib | deck
        """
    ),
    staging=frozenset(
        phrases(
            """
            ansehen | anschauen | durchgehen | zeigen | erklären | beantworten | vorstellen | erzählen | geben |
            vorlesen | wiederholen | lesen | sagen | antworten | zurückkommen | prüfen | überprüfen | schauen |
            nachsehen | zusammenfassen | putzen
            """
        )
    ),
    acquiring=words("kaufen besorgen suchen holen bestellen kochen backen planen"),
    us=words("wir"),
    for_self=words("mir uns"),
    vague=phrases(
        "mit etwas glück|mit glück|nächstes mal|das nächste mal|beim nächsten mal|"
        "irgendwann|eines tages|in zukunft|künftig|in ruhe mal"
    ),
    questioning=words("wie warum wieso wann wo woher was"),
    chatting=words("mehr warum wieso davon"),
    ask_wish=phrases("willst du|wollen sie"),
    can=phrases("kannst du|können sie|könnt ihr"),
    telling=phrases("erzähl | zeig | erklär | beschreib | empfehl | sag | nenn"),
    weak=words(
        """
        machen sprechen reden lesen geben planen kochen backen drucken sammeln fragen vorstellen
        """
    ),
    performative=words("bestätigen informieren einladen fragen genehmigen erinnern kündigen"),
    elision=False,
    polite=phrases(
        """
        danke | vielen dank | danke dir | danke schön | danke ihnen | besten dank | super | perfekt | ok | okay |
        hallo | hi | ja | sorry | gut | top | alles gut | prima | herzlichen dank | danke sehr | nein | leider |
        letztlich | letztendlich
        """
    ),
    idle=words(
        """
        wahrheit bildschirm bestes gedanken daumen zeit moment minute sekunde grüße grüßen gruß kuss küsse liebe pause
        kaffee tee bier
        fernseher kamera mikro mikrofon ton tür fenster handy laptop ding augen kopf ruhe bett urlaub schluss
        minuten sekunden witze party picknick ausflug
        geschäftsreise mittagspause studium
        spaß sport glas chat hoffnung recht bescheid feierabend unsinn witz
        mögliche möglichstes menschenmögliche
        schuld herz hand hände mund wort lächeln vertrauen gefallen rückendeckung
        """
    ),
    will_alone=phrases(
        """
        werde | werd | muss noch
        """
    ),
    soon=words(
        """
        gleich später nachher bald sofort jetzt
        """
    ),
    from_others=words(
        """
        von vom
        """
    ),
    giving=words(
        """
        schicken zuschicken senden zusenden mailen faxen weiterleiten bringen vorbeibringen mitbringen zurückbringen
        zurückgeben überweisen anrufen zurückrufen erstatten liefern rüberschicken durchschicken rumschicken
        raussuchen durchgeben reservieren ausdrucken hochladen
        """
    ),
    arranging=words(
        """
        besorgen organisieren erledigen reservieren klären mitbringen abholen vorbereiten buchen übernehmen einholen
        nachreichen
        """
    ),
    formal=words(
        """
        geehrte geehrter geehrten sie ihnen ihre ihrer frau herr herrn
        """
    ),
    idle_verbs=words(
        """
        danken bedanken grüßen gratulieren
        sein haben werden hören sehen fühlen riechen schmecken glauben vorstellen denken wissen verstehen erinnern
        mögen lieben hassen wollen brauchen hoffen wünschen bleiben warten kommen gehen leben schlafen essen trinken
        schwimmen fahren laufen singen tanzen spielen können müssen sollen dürfen lassen entschuldigen verzeihen
        beachten freuen helfen reden sprechen auskommen mitkommen vorbeikommen ankommen rechnen heißen stehen liegen
        sitzen fallen tun sagen merken gewesen leisten erwarten morgen einen keinen deinen meinen seinen ihren
        unseren allen vielen finden leiden ausstehen ertragen
        """
    ),
    infinitive_ends=phrases(
        """
        en | ern | eln
        """
    ),
    reported=words(
        """
        sagte sagt meinte meint behauptet behauptete denkt dachte glaubt glaubte
        fragte fragt schrieb schreibt antwortete versprach erzählte
        """
    ),
    habits=words(
        """
        immer jeden jede jedes jeder meistens normalerweise früher damals oft manchmal üblicherweise sonst montags
        dienstags mittwochs donnerstags freitags
        """
    ),
    remind=phrases(
        """
        denk bitte an | denk an | denke bitte an | denken sie bitte an | denken sie an | denkt bitte an |
        bitte denk an | bitte denk daran | denken sie bitte daran | denken sie daran | denkt bitte daran | denkt daran |
        bitte denken sie daran | bitte vergessen sie nicht | denk bitte daran | denk daran | denk dran |
        bitte denken sie an |
        vergiss bitte nicht | vergiss nicht | vergessen sie nicht | vergessen sie bitte nicht |
        bitte vergiss nicht | vergesst nicht
        """
    ),
    missing=phrases(
        """
        warte noch auf | warten noch auf | warte auf | warten auf | noch ohne | vermisse | fehlt noch |
        fehlt mir noch | fehlt uns noch | fehlt
        """
    ),
    have_you=phrases(
        """
        hast du | haben sie | habt ihr | hast
        """
    ),
    happens={
        "beginnt am": "start",
        "beginnt": "start",
        "startet am": "start",
        "startet": "start",
        "geht am": "start",
        "endet am": "end",
        "endet": "end",
        "schließt um": "closing",
        "schließt": "closing",
        "schließt ab": "closing",
        "öffnet um": "opening",
        "öffnet am": "opening",
        "öffnet": "opening",
        "läuft am": "end",
        "läuft bis": "end",
        "läuft ab": "end",
        "findet am": "date",
        "findet statt am": "date",
        "beginnen am": "start",
        "beginnen": "start",
        "eröffnet am": "opening",
        "kommt am": "delivery",
        "ist fällig am": "deadline",
    },
    received_end=phrases(
        """
        bekommen | erhalten | eingegangen |
        ist angekommen | sind angekommen | angekommen | kam an | kamen an | ist eingegangen |
        sind eingegangen | ist da | sind da | ist gut angekommen | sind gut angekommen | ist heil angekommen
        """
    ),
    subject_you=words(
        """
        sie ihr
        """
    ),
    declined_end=phrases(
        """
        schaffe ich nicht | schaffe ich leider nicht | schaff ich nicht | schaff ich leider nicht |
        kann ich nicht übernehmen | kann ich leider nicht übernehmen | geht bei mir nicht | klappt bei mir nicht |
        klappt leider nicht
        """
    ),
    elliptic=words(
        """
        zahlen bezahlen überweisen schicken senden bringen mitbringen unterschreiben buchen bestellen abgeben mailen
        nachreichen
        """
    ),
    could=phrases(
        """
        könnte
        """
    ),
    thanked=words(
        """
        geduld verständnis hilfe unterstützung zeit abend tag nachmittag wochenende anruf rückruf antwort
        rückmeldung gespräch treffen besuch mühe arbeit feedback rat tipp hinweis vertrauen interesse aufmerksamkeit
        zusammenarbeit einladung erinnerung gastfreundschaft flexibilität telefonat fahrt
        """
    ),
    idioms=phrases(
        """
        einen blick auf
        """
    ),
    ask_duty=phrases(
        """
        du musst | sie müssen | vielleicht könntest du | vielleicht könnten sie | vielleicht kannst du |
        vielleicht können sie
        """
    ),
    ask_infinitive=phrases(
        """
        wann kannst du | wann könntest du | wann können sie | wann könnten sie |
        denkst du daran | denkst du bitte daran | könntest du | kannst du | könnten sie | können sie | würdest du |
        würden sie | magst du | könntet ihr |
        könnt ihr | kannst du bitte | könnten sie bitte | könntest du bitte | ich bitte sie | wärst du so lieb |
        kannste | könntste | könntet ihr bitte | können sie bitte | würdest du bitte |
        würden sie bitte | wärst du so nett | wären sie so nett | wärst du so gut | wären sie so freundlich |
        wären sie so gut | wäre es möglich | ist es möglich | würde es ihnen etwas ausmachen |
        macht es dir was aus | darf ich dich bitten | darf ich sie bitten | ich bitte dich | ich möchte sie bitten |
        ich möchte dich bitten | ich würde dich bitten | würdet ihr | magst du mir | magst du bitte |
        hättest du zeit | es wäre toll wenn du | es wäre nett wenn du | es wäre super wenn du | wäre toll wenn du |
        es wäre schön wenn du | wäre super wenn du | kann jemand | könnte jemand | kann einer von euch |
        kann eine von euch | könnte einer von euch | kann mal jemand
        """
    ),
    imperatives=phrases(
        """
        schick | schicke | schicken sie | schickst du | sende | senden sie | sendest du | ruf | rufen sie | prüf |
        prüfe | prüfen sie | prüfst du | leite | leiten sie | bestätige | bestätigen sie | bring | bringen sie |
        buch | buche | buchen sie | buchst du | gib | geben sie | mach | unterschreibe | unterschreiben sie |
        überweise | überweisen sie | reiche | reichen sie | lade | laden sie | erstelle | erstellen sie | schreib |
        schreibe | schreiben sie | bereite | bereiten sie | reserviere | reservieren sie | kläre | klären sie |
        bestell | bestelle | bestellen sie | bezahle | lies | lesen sie | teile | teilen sie | maile | mailst du |
        gibst du | bringst du | machst du | sagst du | rufst du | holst du | hol | hole | holen sie | leitest du |
        klärst du | bestellst du | bestätigst du | kaufst du | besorgst du | zeigst du | nennst du | zeig |
        zeigen sie | nenn | nennen sie | teilst du | organisierst du | überweist du | reservierst du |
        schreibst du | liest du | kümmerst du dich um | kümmere dich um | kümmer dich um | kümmern sie sich um |
        vergiss nicht | sag | schau | schauen sie | schaust du | guck
        """
    ),
    please=phrases(
        """
        bitte | biddö | pls
        """
    ),
    accepted=phrases(
        """
        mach ich | mache ich | wird gemacht | wird erledigt | klar, mach ich | ok, mach ich | ja, mach ich | gerne |
        gern | klar | na klar | natürlich | selbstverständlich | kein problem | geht klar | alles klar, mach ich |
        ich kümmere mich darum | ich kümmere mich drum | kümmere mich drum | mach ich gerne | das mache ich |
        das mach ich | ich mache das | erledige ich | ich erledige das | ich übernehme das | das übernehme ich |
        ja, gerne | machen wir | super, mach ich | mache ich gerne | ja klar, mach ich | mach ich gern |
        mache ich sofort | mach ich sofort | ja mach ich | ja mache ich | klar mach ich | klar mache ich |
        ok mach ich | okay mach ich | geht klar, mach ich | übernehme ich | das übernehm ich | ja, übernehme ich |
        ich mach das | ich mach's | mach ich doch gern | kann ich machen | kann ich gerne machen | kein thema |
        klar doch | gern doch | aber gerne | sehr gerne | sehr gern | ja gern | ja sehr gerne | logo |
        passt, mach ich | bin dran | ich bin dran | schon dabei | bin schon dabei | kümmere mich darum |
        ich kümmer mich | ich kümmer mich drum | ich kümmere mich | das erledige ich | ich erledige das gern |
        alles klar | in ordnung, mache ich | versprochen | verlass dich drauf | das machen wir | machen wir so |
        kümmere ich mich | kümmere ich mich drum | kümmere ich mich darum | kümmer ich mich drum |
        da kümmere ich mich drum
        """
    ),
    declined=phrases(
        """
        das geht leider nicht | geht leider nicht | ich kann leider nicht | leider kann ich nicht | leider nein |
        leider nicht | das schaffe ich nicht | schaffe ich leider nicht | das schaffe ich leider nicht |
        nein, leider nicht | das kann ich nicht | das kann ich leider nicht | nein, das geht nicht |
        muss leider absagen | ich muss leider absagen | nein danke | mache ich nicht | schaff ich nicht |
        schaff ich leider nicht | das schaff ich nicht | kann ich nicht | kann ich leider nicht | geht nicht |
        passt leider nicht | keine zeit dafür | dazu komme ich nicht | komme ich nicht zu | ich muss passen |
        da muss ich passen |
        das ist leider nicht möglich | das ist nicht möglich | leider nicht möglich | das wird leider nichts
        """
    ),
    received=phrases(
        """
        erhalten | erhalten, danke | ist angekommen | ist angekommen, danke | angekommen | angekommen, danke |
        danke, angekommen | danke, ist angekommen | danke, erhalten | hab ich bekommen | habe ich bekommen |
        habe ich erhalten | dankend erhalten | hab's bekommen | danke, hab ich | danke, habe ich erhalten |
        danke, hab ich bekommen | bekommen | bekommen, danke | hab's erhalten | hab es bekommen | ist da |
        ist da, danke | alles da | alles angekommen | danke, ist da
        """
    ),
    released=phrases(
        """
        hat sich erledigt | das hat sich erledigt | hat sich schon erledigt | das hat sich schon erledigt |
        hat sich erledigt, danke | nicht mehr nötig | ist nicht mehr nötig | das ist nicht mehr nötig |
        brauche ich nicht mehr | brauch ich nicht mehr | brauchen wir nicht mehr | wird nicht mehr gebraucht |
        wird nicht mehr benötigt | vergiss es | schon gut | brauchst du nicht mehr | das brauchen wir nicht mehr |
        das brauche ich nicht mehr | erübrigt sich | nicht mehr notwendig | ist nicht mehr notwendig |
        das erübrigt sich | schon erledigt, danke | egal jetzt | vergiss es wieder | doch nicht nötig |
        ist doch nicht nötig | nicht mehr nötig, danke | muss nicht mehr sein | brauchts nicht mehr |
        braucht's nicht mehr | hat sich bereits erledigt | das hat sich geklärt | hat sich geklärt | passt schon |
        nicht nötig | das ist nicht nötig | brauchst du nicht | das brauchst du nicht | musst du nicht |
        das musst du nicht | brauchen sie nicht | das brauchen sie nicht | bitte nicht | lass mal |
        brauchen wir doch nicht | brauche ich doch nicht | brauchen wir jetzt doch nicht |
        brauchen wir nun doch nicht mehr
        """
    ),
    done=phrases(
        """
        anbei | angehängt | im anhang |
        erledigt | ist erledigt | schon erledigt | fertig | ist raus | ist verschickt | hab ich geschickt |
        habe ich geschickt | schon geschickt | ist gebucht | ist bezahlt | gemacht | ist gemacht |
        bereits erledigt | verschickt | abgeschickt | gebucht | überwiesen | ist überwiesen | hab ich gemacht |
        habe ich erledigt | hab ich erledigt | ist schon erledigt | schon gemacht | bereits gemacht |
        hab ich schon | habe ich schon | schon passiert | ist schon passiert | schon bezahlt | schon gebucht |
        alles erledigt | ist abgeschickt | ist schon raus |
        siehe anhang | siehe anlage | s. anhang | hier ist er | hier ist sie | hier ist es | hier sind sie |
        ich habe ihn dir geschickt | ich habe sie dir geschickt | ich habe es dir geschickt |
        ich habe ihn dir gerade geschickt | ich habe sie dir gerade geschickt | ich habe es dir gerade geschickt |
        habe ich dir gerade geschickt | hab ich dir gerade geschickt | liegt bei | ist im anhang
        """
    ),
    declined_begin=phrases(
        """
        ich kann ... nicht | leider kann ich ... nicht | ich werde nicht | ich schaffe es nicht |
        leider schaffe ich ... nicht | wir können ... nicht | leider können wir ... nicht | ich schaffe ... nicht |
        ich kann ... leider nicht | leider schaff ich ... nicht | ich schaff ... nicht | ich werde ... nicht |
        wir schaffen ... nicht | leider kann ich | kann leider ... nicht | ich komme nicht dazu |
        leider komme ich nicht dazu
        """
    ),
    received_begin=phrases(
        """
        wir bestätigen den erhalt | ich bestätige den erhalt | wir bestätigen den eingang | ich bestätige den eingang |
        ich habe ... erhalten | ich habe ... bekommen | wir haben ... erhalten | wir haben ... bekommen |
        danke für | vielen dank für | habe ... erhalten | ich hab ... bekommen | hab ... bekommen |
        hab ... erhalten | habe ... bekommen | haben ... erhalten | haben ... bekommen | hab gerade ... bekommen |
        danke fürs schicken | danke für die zusendung
        """
    ),
    released_begin=phrases(
        """
        ich brauche ... nicht mehr | ich brauche ... mehr | wir brauchen ... nicht mehr | wir brauchen ... mehr |
        du brauchst ... nicht mehr | wir benötigen ... nicht mehr | ich benötige ... nicht mehr |
        sie brauchen ... nicht mehr | du musst ... nicht mehr | sie müssen ... nicht mehr | hat sich erledigt mit |
        das hat sich erledigt mit | du kannst ... lassen | brauch ... nicht mehr | brauche ... nicht mehr |
        brauchst ... nicht mehr | wir brauchen doch kein | wir brauchen doch keine | kein bedarf mehr an |
        ihr müsst ... nicht mehr | ihr braucht ... nicht mehr | vergiss das mit | vergiss die | vergiss den |
        vergiss das |
        um ... musst du dich nicht mehr kümmern | um ... müssen sie sich nicht mehr kümmern |
        um ... brauchst du dich nicht mehr kümmern | um ... brauchst du dich nicht mehr zu kümmern
        """
    ),
    released_end=phrases(
        """
        hat sich erledigt | ist nicht mehr nötig | brauche ich nicht mehr | brauchen wir nicht mehr |
        wird nicht mehr gebraucht | wird nicht mehr benötigt | sind nicht mehr nötig | benötigen wir nicht mehr |
        haben sich erledigt | ist hinfällig | brauchst du nicht mehr | brauchen sie nicht mehr |
        braucht ihr nicht mehr | musst du nicht mehr | müssen sie nicht mehr | müsst ihr nicht mehr |
        brauch ich nicht mehr | brauche ich doch nicht mehr | brauchen wir doch nicht mehr |
        brauch ich doch nicht mehr | brauche ich doch nicht | brauchen wir doch nicht |
        hat sich schon erledigt | hat sich bereits erledigt | haben sich schon erledigt |
        ist nicht mehr notwendig | ist doch nicht nötig | entfällt | fällt weg | kannst du vergessen |
        können sie vergessen | könnt ihr vergessen | kannst du streichen | kannst du dir sparen |
        können wir verzichten | kann ich verzichten | verzichten wir
        """
    ),
    attached=phrases(
        """
        anbei | anbei finden sie | anbei findest du | anbei die | anbei der | anbei das | im anhang |
        im anhang finden sie | im anhang findest du | in der anlage | in der anlage finden sie |
        anbei erhalten sie | anbei sende ich ihnen | anbei schicke ich dir | hier ist | hier sind | hier kommt |
        hier kommen | hier der | hier die | hier das | angehängt | angehängt findest du | beigefügt |
        beigefügt finden sie | wie versprochen, hier ist | im anhang ist | anbei ist | im anhang sende ich ihnen |
        im anhang findet ihr | im anhang die | im anhang der | im anhang das | anbei noch | angehängt ist |
        hier nochmal | hier findest du | hier finden sie | beiliegend | beiliegend finden sie | anbei nochmal |
        im anhang schicke ich dir | im anhang schicke ich ihnen | im anhang schicke ich euch |
        im anhang sende ich dir | im anhang sende ich euch | anbei sende ich dir | anbei sende ich euch |
        anbei schicke ich ihnen | anbei schicke ich euch | anbei schick ich dir | in der anlage sende ich ihnen |
        in der anlage schicke ich dir | hiermit schicke ich dir | hiermit sende ich ihnen |
        hiermit übersende ich ihnen | anbei übersende ich ihnen | hier schicke ich dir | hier sende ich ihnen |
        sie finden ... im anhang | du findest ... im anhang | sie finden ... anbei | du findest ... anbei |
        sie finden ... in der anlage | ich hänge ... an | ich füge ... bei |
        hier nun endlich | hier endlich | hier nun | hier also
        """
    ),
    attached_end=phrases(
        """
        anbei | im anhang | ist angehängt | hängt an | ist raus | ist erledigt | ist fertig | ist verschickt |
        ist gebucht | ist bezahlt | liegt bei | ist beigefügt | sind fertig | findest du im anhang |
        finden sie im anhang | findest du anbei | finden sie anbei | ist unterwegs | ist rausgegangen | ging raus |
        geht raus | ist abgeschickt | ist unterschrieben und raus | sind raus | sind gebucht | sind bezahlt |
        sind erledigt | ist überwiesen | ist bestellt | sind verschickt | findest du im ordner | sind rausgegangen |
        sind abgeschickt | ist heute raus |
        ist im anhang | sind im anhang | liegt im anhang | liegen im anhang | ist anbei | sind anbei | liegen bei |
        findet ihr im anhang | ist in der anlage | sind in der anlage | hängt dran | liegt im ordner |
        habe ich beigefügt | habe ich angehängt | sind beigefügt
        """
    ),
    have=phrases(
        """
        ich habe | habe ich | ich hab | hab ich | wir haben | haben wir | hab | habe | haben | hab schon |
        habe schon | hab gerade | habe gerade
        """
    ),
    decided=phrases(
        """
        wir haben beschlossen | wir haben entschieden | beschlossen: | beschluss: | entscheidung: |
        wir haben uns entschieden | wir haben uns für ... entschieden | wir entscheiden uns für |
        es wurde beschlossen | beschlossen wurde | wir haben vereinbart | wir einigten uns auf |
        wir haben uns geeinigt | wir haben uns auf ... geeinigt | ich habe beschlossen | ich habe entschieden |
        ich habe mich entschieden | ich habe mich für ... entschieden | wir machen es mit | entschieden: |
        wir haben festgelegt | es wurde entschieden | es wurde vereinbart | es wurde festgelegt | ist beschlossen |
        wir nehmen | wir entscheiden uns gegen | vereinbart: | wir haben ausgemacht |
        wir haben uns darauf geeinigt | die entscheidung ist
        """
    ),
    copula=phrases(
        """
        ist | sind | beträgt | betragen | liegt bei | liegt jetzt bei | liegen bei | kostet | lautet | = |
        ist jetzt | ist nun | : | sind jetzt | wird | beläuft sich auf | beträgt jetzt | beträgt nun |
        liegt nun bei | liegt aktuell bei | steht bei | steht jetzt bei | belaufen sich auf | kosten | macht |
        sind es
        """
    ),
    moved=combined("wurde | wird | ist | -", "verschoben | verlegt | vorgezogen | vertagt | geändert", "auf")
    + combined("wurde | wird | wurden", "auf | auf den")
    + phrases(
        """
        ist am | findet am | steigt auf | sinkt auf | stieg auf | sank auf | verschiebt sich auf | findet jetzt am |
        ist jetzt am | ist auf | hat sich auf | verlängert sich bis
        """
    ),
    moving=combined("ich | wir", "habe | haben | verschiebe | verschieben | verlege | verlegen | mussten | musste")
    + phrases("hat | haben"),
    moved_to=words("auf"),
    moved_ends=words(
        """
        verschoben verlegt vorgezogen vertagt geändert erhöht gesenkt gekürzt verlängert angehoben verschieben verlegen
        """
    ),
    attributes={
        "honorar": "fee",
        "eröffnung": "date",
        "auftakt": "date",
        "preise": "price",
        "stundensatz": "rate",
        "testphase": "date",
        "pilot": "date",
        "beitrag": "fee",
        "budget": "budget",
        "preis": "price",
        "kosten": "cost",
        "gebühr": "fee",
        "miete": "rent",
        "kaution": "deposit",
        "gästezahl": "guests",
        "anzahl der gäste": "guests",
        "teilnehmerzahl": "participants",
        "anzahl der teilnehmer": "participants",
        "anzahl": "count",
        "anzahlung": "deposit",
        "gehalt": "salary",
        "rabatt": "discount",
        "frist": "deadline",
        "abgabetermin": "deadline",
        "deadline": "deadline",
        "termin": "date",
        "starttermin": "start",
        "datum": "date",
        "launch": "date",
        "telefon": "phone",
        "telefonnummer": "phone",
        "nummer": "phone",
        "handynummer": "phone",
        "version": "version",
        "tagessatz": "rate",
        "zinssatz": "rate",
        "ziel": "target",
        "kapazität": "capacity",
        "umsatz": "revenue",
        "marge": "margin",
        "summe": "total",
        "rechnung": "total",
        "angebot": "offer",
        "start": "date",
        "kickoff": "date",
        "treffen": "date",
        "besprechung": "date",
        "hochzeit": "date",
        "workshop": "date",
        "lieferung": "delivery",
        "liefertermin": "delivery",
        "größe": "size",
        "fläche": "area",
        "dauer": "duration",
        "mail": "email",
        "e-mail": "email",
        "go-live": "date",
        "konferenz": "date",
    },
    of=phrases("für|von|des|der|im|vom"),
    lead_ins=phrases(
        "korrektur|update|kleine korrektur|nachtrag|hinweis|tippfehler|sorry, tippfehler|mein fehler|"
        "zur info|zur erinnerung|nur zur info|wie besprochen|wie vereinbart|wie abgesprochen|"
        "wie angekündigt|kurz|übrigens|"
        "zur klarstellung|noch einmal|fürs protokoll"
    ),
    handed=phrases(
        """
        wie versprochen | wie gewünscht | wie besprochen | wie vereinbart | bitte sehr | bitteschön
        """
    ),
    ways=phrases(
        """
        in kürze | zur seite | nach hause | nach rechts | nach links | zu fuß | von neuem | mit dem auto |
        mit dem zug | mit dem rad
        """
    ),
    no_deeds=phrases(
        """
        hör auf | hör bitte auf | höre auf | höre bitte auf | hört auf | hört bitte auf | hören sie auf |
        hören sie bitte auf | sorge mich | sorgen uns | mache mir sorgen | mach platz | mach bitte platz |
        macht platz | macht bitte platz | machen sie platz | machen sie bitte platz | wann du willst |
        wann immer du willst | wann sie wollen | wann ihr wollt | maschine schreiben |
        nenn mich | nennt mich | nennen sie mich | auf den weg
        """
    ),
    herewith=phrases(
        """
        anbei | im anhang | in der anlage | beigefügt | beiliegend | hiermit | als anhang | angehängt | als anlage
        """
    ),
)
