"""German."""

from consumer.understanding.languages.words import DateWords, Words, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        "januar jänner jan | februar feber feb | märz mrz | april apr | mai | juni jun | juli jul | august aug"
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
    no_dates=phrases("gestern|vorgestern|guten morgen|am morgen|gestern abend|eines tages|vor einer woche"),
    this_week=phrases("diese woche|noch diese woche|dieser woche|im laufe der woche"),
    next_week=phrases("nächste woche|nächster woche|kommende woche|kommender woche|nächsten woche"),
    this_month=phrases("diesen monat|dieses monats"),
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
    ahead=phrases("in den nächsten|innerhalb von|innerhalb der nächsten|binnen|in"),
    ahead_after=(),
    units={
        "tag": 1,
        "tagen": 1,
        "tage": 1,
        "woche": 7,
        "wochen": 7,
        "monat": -1,
        "monaten": -1,
        "stunde": 0,
        "stunden": 0,
        "minuten": 0,
    },
    before_month=phrases("im|bis|vor"),
    joints=phrases("den|der|dem|,"),
    times={"mittags": "12:00", "mittag": "12:00", "mitternacht": "23:59"},
    at=phrases("um|bis|gegen|ab|vor"),
    hours=phrases("uhr"),
    afternoon=(),
    by=phrases(
        """
        bis | bis zum | bis spätestens | spätestens | spätestens bis | spätestens am | vor | vor dem | bis zu |
        bis am | bis zur | fällig am
        """
    ),
    on=phrases("am|im|an|in der|in|zum|für|ab"),
    of=phrases("vom|seit|von|des|der|nach|seit dem|aus dem"),
    never=phrases("nicht|nicht am|nicht vor|außer|statt|anstatt|außer am|kein"),
)

WORDS = Words(
    code="de",
    dates=DATES,
    numbers={
        "ein": 1,
        "einem": 1,
        "einer": 1,
        "einen": 1,
        "eine": 1,
        "zwei": 2,
        "drei": 3,
        "vier": 4,
        "fünf": 5,
        "sechs": 6,
        "sieben": 7,
        "acht": 8,
        "neun": 9,
        "zehn": 10,
        "zwölf": 12,
        "vierzehn": 14,
    },
    abbreviations=phrases(
        """
        dr | hr | fr | frl | prof | nr | ca | bzw | z.b | d.h | u.a | str | st | evtl | ggf | inkl | zzgl | usw |
        mo | di | mi | do | sa | so | jan | feb | mrz | apr | jun | jul | aug | sep | sept | okt | nov | dez |
        abs | art | tel | mio | mrd | tsd | vgl | bsp | max | min | mind | dipl | ing | co | z | u | d | o.ä |
        i.d.r
        """
    ),
    common=words(
        """
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
        """
    ),
    undertaking=phrases(
        """
        kümmere ich mich | übernehme ich | sorge ich | erledige ich | kümmern wir uns | übernehmen wir |
        kümmere mich | übernehme | kümmern uns | sorge | sorgen | übernehmen | kümmern | erledige | erledigen
        """
    ),
    will=phrases("ich werde|wir werden|werde ich|werden wir|ich verspreche|verspreche ich"),
    must=phrases(
        """
        ich muss | ich kann | muss ich | kann ich | wir müssen | wir können | ich sollte | ich soll | soll ich |
        müssen wir | ich möchte | ich will
        """
    ),
    you_get=phrases(
        """
        bekommst du | du bekommst | bekommen sie | sie bekommen | erhalten sie | sie erhalten | erhältst du |
        du erhältst | kriegst du | du kriegst | hast du | haben sie | ihr bekommt | bekommt ihr
        """
    ),
    from_me=phrases("von mir|von uns"),
    third=phrases("wird"),
    subjects=phrases("ich|wir"),
    verb_second=True,
    negation=words(
        """
        nicht nie niemals kein keine keinen keiner keinem keinerlei nichts niemand weder kaum nimmer
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
    pronoun_objects=words("es das dies sie ihn alles was etwas ihm"),
    you=words("dir dich ihnen euch sie"),
    prepositions=words(
        """
        von vom für an am auf mit in im bei beim zu zum zur nach aus über unter zwischen gegen ohne um per via
        wegen bezüglich durch seit vor bis hinter ab laut übers ins ans aufs
        """
    ),
    adverbs=words(
        """
        gleich sofort dann noch auch mal nochmal gerne gern bald umgehend demnächst später nachher asap bestimmt
        sicher natürlich jetzt hier dort schon wieder schnellstmöglich spätestens parallel separat persönlich
        direkt kurz heute wie besprochen versprochen gewünscht zeitnah pünktlich selbst selber danach
        anschließend auf jeden fall zuerst dazu dafür ja doch eben einfach nun bitte fertig schnell rechtzeitig
        """
    ),
    to=words("an für mit zu"),
    recipient=words("an"),
    me=words("mir uns"),
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
        hallo | hi | ja | sorry | gut | top | alles gut | prima | herzlichen dank | danke sehr | nein | leider
        """
    ),
    idle=words(
        """
        bildschirm bestes gedanken daumen zeit moment minute sekunde grüße grüßen liebe pause kaffee tee bier
        fernseher kamera mikro mikrofon ton tür fenster handy laptop ding augen kopf ruhe bett urlaub schluss
        spaß sport glas chat hoffnung recht bescheid feierabend unsinn witz
        """
    ),
    ask_infinitive=phrases(
        """
        könntest du | kannst du | könnten sie | können sie | würdest du | würden sie | magst du | könntet ihr |
        könnt ihr | kannst du bitte | könnten sie bitte | könntest du bitte | ich bitte sie | wärst du so lieb |
        willst du
        """
    ),
    imperatives=phrases(
        """
        schick | schicke | schicken sie | schickst du | sende | senden sie | sendest du | ruf | rufen sie | prüf |
        prüfe | prüfen sie | prüfst du | leite | leiten sie | bestätige | bestätigen sie | bring | bringen sie |
        buch | buche | buchen sie | buchst du | gib | geben sie | mach | unterschreibe | unterschreiben sie |
        überweise | überweisen sie | reiche | reichen sie | lade | laden sie | erstelle | erstellen sie |
        schreib | schreibe | schreiben sie | bereite | bereiten sie | reserviere | reservieren sie | kläre |
        klären sie | bestell | bestelle | bestellen sie | bezahle | lies | lesen sie | teile | teilen sie |
        maile | mailst du
        """
    ),
    please=phrases("bitte"),
    accepted=phrases(
        """
        mach ich | mache ich | wird gemacht | wird erledigt | klar, mach ich | ok, mach ich | ja, mach ich |
        gerne | gern | klar | na klar | natürlich | selbstverständlich | kein problem | geht klar |
        alles klar, mach ich | ich kümmere mich darum | ich kümmere mich drum | kümmere mich drum |
        mach ich gerne | das mache ich | das mach ich | ich mache das | erledige ich | ich erledige das |
        ich übernehme das | das übernehme ich | ja, gerne | machen wir | super, mach ich | mache ich gerne |
        ja klar, mach ich
        """
    ),
    declined=phrases(
        """
        das geht leider nicht | geht leider nicht | ich kann leider nicht | leider kann ich nicht | leider nein |
        leider nicht | das schaffe ich nicht | schaffe ich leider nicht | das schaffe ich leider nicht |
        nein, leider nicht | das kann ich nicht | das kann ich leider nicht | nein, das geht nicht |
        muss leider absagen | ich muss leider absagen | nein danke | mache ich nicht
        """
    ),
    received=phrases(
        """
        erhalten | erhalten, danke | ist angekommen | ist angekommen, danke | angekommen | angekommen, danke |
        danke, angekommen | danke, ist angekommen | danke, erhalten | hab ich bekommen | habe ich bekommen |
        habe ich erhalten | dankend erhalten | hab's bekommen | danke, hab ich | danke, habe ich erhalten |
        danke, hab ich bekommen
        """
    ),
    released=phrases(
        """
        hat sich erledigt | das hat sich erledigt | hat sich schon erledigt | das hat sich schon erledigt |
        hat sich erledigt, danke | nicht mehr nötig | ist nicht mehr nötig | das ist nicht mehr nötig |
        brauche ich nicht mehr | brauch ich nicht mehr | brauchen wir nicht mehr | wird nicht mehr gebraucht |
        wird nicht mehr benötigt | vergiss es | schon gut | brauchst du nicht mehr | das brauchen wir nicht mehr |
        das brauche ich nicht mehr | erübrigt sich | nicht mehr notwendig | ist nicht mehr notwendig |
        das erübrigt sich
        """
    ),
    done=phrases(
        """
        erledigt | ist erledigt | schon erledigt | fertig | ist raus | ist verschickt | hab ich geschickt |
        habe ich geschickt | schon geschickt | ist gebucht | ist bezahlt | gemacht | ist gemacht |
        bereits erledigt | verschickt | abgeschickt | gebucht | überwiesen | ist überwiesen | hab ich gemacht |
        habe ich erledigt | hab ich erledigt
        """
    ),
    declined_begin=phrases(
        """
        ich kann ... nicht | leider kann ich ... nicht | ich werde nicht | ich schaffe es nicht |
        leider schaffe ich ... nicht | wir können ... nicht | leider können wir ... nicht |
        ich schaffe ... nicht
        """
    ),
    received_begin=phrases(
        """
        ich habe ... erhalten | ich habe ... bekommen | wir haben ... erhalten | wir haben ... bekommen |
        danke für | vielen dank für | habe ... erhalten | ich hab ... bekommen
        """
    ),
    released_begin=phrases(
        """
        ich brauche ... nicht mehr | ich brauche ... mehr | wir brauchen ... nicht mehr | wir brauchen ... mehr |
        du brauchst ... nicht mehr | wir benötigen ... nicht mehr | ich benötige ... nicht mehr |
        sie brauchen ... nicht mehr | du musst ... nicht mehr | sie müssen ... nicht mehr
        """
    ),
    released_end=phrases(
        """
        hat sich erledigt | ist nicht mehr nötig | brauche ich nicht mehr | brauchen wir nicht mehr |
        wird nicht mehr gebraucht | wird nicht mehr benötigt | sind nicht mehr nötig | benötigen wir nicht mehr |
        haben sich erledigt | ist hinfällig
        """
    ),
    attached=phrases(
        """
        anbei | anbei finden sie | anbei findest du | anbei die | anbei der | anbei das | im anhang |
        im anhang finden sie | im anhang findest du | in der anlage | in der anlage finden sie |
        anbei erhalten sie | anbei sende ich ihnen | anbei schicke ich dir | hier ist | hier sind | hier kommt |
        hier kommen | hier der | hier die | hier das | angehängt | angehängt findest du | beigefügt |
        beigefügt finden sie | wie versprochen, hier ist | im anhang ist | anbei ist | im anhang sende ich ihnen
        """
    ),
    attached_end=phrases(
        """
        anbei | im anhang | ist angehängt | hängt an | ist raus | ist erledigt | ist fertig | ist verschickt |
        ist gebucht | ist bezahlt | liegt bei | ist beigefügt | sind fertig | findest du im anhang |
        finden sie im anhang | findest du anbei | finden sie anbei | ist unterwegs
        """
    ),
    have=phrases("ich habe|habe ich|ich hab|hab ich|wir haben|haben wir"),
    decided=phrases(
        """
        wir haben beschlossen | wir haben entschieden | beschlossen: | beschluss: | entscheidung: |
        wir haben uns entschieden | wir haben uns für ... entschieden | wir entscheiden uns für |
        es wurde beschlossen | beschlossen wurde | wir haben vereinbart | wir einigten uns auf |
        wir haben uns geeinigt | wir haben uns auf ... geeinigt | ich habe beschlossen | ich habe entschieden |
        ich habe mich entschieden | ich habe mich für ... entschieden | wir machen es mit | entschieden: |
        wir haben festgelegt
        """
    ),
    copula=phrases(
        """
        ist | sind | beträgt | betragen | liegt bei | liegt jetzt bei | liegen bei | kostet | lautet | = |
        ist jetzt | ist nun | : | sind jetzt | wird | beläuft sich auf | beträgt jetzt
        """
    ),
    moved=phrases(
        """
        wurde auf | verschoben auf | wurde verschoben auf | ist am | findet am | steigt auf | sinkt auf |
        wird auf | verschiebt sich auf | findet jetzt am | ist jetzt am | ist auf | wurde auf den
        """
    ),
    attributes={
        "budget": "budget",
        "preis": "price",
        "kosten": "cost",
        "gebühr": "fee",
        "miete": "rent",
        "kaution": "deposit",
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
)
