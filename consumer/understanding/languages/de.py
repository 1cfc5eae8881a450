"""German."""

from consumer.understanding.languages.words import DateWords, Words, numbered, phrases, verbs

DATES = DateWords(
    months=numbered(
        "januar j\u00e4nner jan | februar feber feb | m\u00e4rz mrz | april apr | mai | juni jun | juli jul | august aug"
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
        "\u00fcbermorgen": 2,
    },
    day_ends=phrases("ende des tages|feierabend|dienstschluss|tagesende|b\u00fcroschluss"),
    parts=phrases("fr\u00fch|vormittag|mittag|nachmittag|abend|nacht|vormittags|nachmittags|abends|morgens"),
    coming=phrases("kommenden|kommender|kommende|diesen|dieser|dieses"),
    following=phrases("n\u00e4chsten|n\u00e4chster|n\u00e4chste"),
    coming_after=(),
    past=phrases("letzten|letzter|letzte|vergangenen|vergangener|vergangene|vorigen|vorige"),
    past_after=(),
    no_dates=phrases("gestern|vorgestern|guten morgen|am morgen|gestern abend|eines tages|vor einer woche"),
    this_week=phrases("diese woche|noch diese woche|dieser woche|im laufe der woche"),
    next_week=phrases("n\u00e4chste woche|n\u00e4chster woche|kommende woche|kommender woche|n\u00e4chsten woche"),
    this_month=phrases("diesen monat|dieses monats"),
    next_month=phrases("n\u00e4chsten monat|n\u00e4chsten monats"),
    weekend=phrases("dieses wochenende|am wochenende|wochenende"),
    end_of=phrases("ende der|ende des|ende dieser|ende dieses|ende"),
    periods={
        "woche": "w",
        "monats": "m",
        "monat": "m",
        "quartals": "q",
        "jahres": "y",
        "jahr": "y",
        "n\u00e4chster woche": "nw",
        "n\u00e4chsten monats": "nm",
        "wochenende": "w",
    },
    ahead=phrases("in den n\u00e4chsten|innerhalb von|innerhalb der n\u00e4chsten|binnen|in"),
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
        "bis|bis zum|bis sp\u00e4testens|sp\u00e4testens|sp\u00e4testens bis|sp\u00e4testens am|vor|vor dem|bis zu|bis am|bis zur|f\u00e4llig am"
    ),
    on=phrases("am|im|an|in der|in|zum|f\u00fcr|ab"),
    of=phrases("vom|seit|von|des|der|nach|seit dem|aus dem"),
    never=phrases("nicht|nicht am|nicht vor|au\u00dfer|statt|anstatt|au\u00dfer am|kein"),
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
        "f\u00fcnf": 5,
        "sechs": 6,
        "sieben": 7,
        "acht": 8,
        "neun": 9,
        "zehn": 10,
        "zw\u00f6lf": 12,
        "vierzehn": 14,
    },
    abbreviations=phrases(
        "dr|hr|fr|frl|prof|nr|ca|bzw|z.b|d.h|u.a|str|st|evtl|ggf|inkl|zzgl|usw|mo|di|mi|do|sa|so|jan|feb|mrz|apr|jun|jul|aug|sep|sept|okt|nov|dez|abs|art|tel|mio|mrd|tsd|vgl|bsp|max|min|mind|dipl|ing|co|z|u|d|o.\u00e4|i.d.r"
    ),
    common=frozenset(
        "der die das und ist ich wir nicht den dem ein eine einen mit f\u00fcr bis auf von zu dir ihnen du sie es im am werde wird habe hat auch noch uns mir mich bitte danke wie so dass wenn kann hier zum zur sich oder als dann gerne gern bei vom dich deine ihre mein meine".split()
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
        "pl\u00e4tze": "seat",
        "sitze": "seat",
        "personen": "person",
        "person": "person",
        "leute": "person",
        "nutzer": "user",
        "benutzer": "user",
        "kunden": "customer",
        "ingenieure": "engineer",
        "mitarbeiter": "employee",
        "g\u00e4ste": "guest",
        "teilnehmer": "attendee",
        "lizenzen": "licence",
        "lizenz": "licence",
        "st\u00fcck": "unit",
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
        "m\u00b2": "m2",
        "qm": "m2",
        "quadratmeter": "m2",
    },
    percent=phrases("%|prozent"),
    verbs=verbs(
        """
        schicken schicke geschickt
        zuschicken schicke zugeschickt zu
        abschicken schicke abgeschickt ab
        zur\u00fcckschicken schicke zur\u00fcckgeschickt zur\u00fcck
        senden sende gesendet/gesandt
        zusenden sende zugesandt/zugesendet zu
        \u00fcbersenden \u00fcbersende \u00fcbersandt
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
        ver\u00f6ffentlichen ver\u00f6ffentliche ver\u00f6ffentlicht
        pr\u00fcfen pr\u00fcfe gepr\u00fcft
        \u00fcberpr\u00fcfen \u00fcberpr\u00fcfe \u00fcberpr\u00fcft
        kontrollieren kontrolliere kontrolliert
        testen teste getestet
        lesen lese gelesen
        durchlesen lese durchgelesen durch
        gegenlesen lese gegengelesen gegen
        anschauen schaue angeschaut an
        ansehen sehe angesehen an
        durchsehen sehe durchgesehen durch
        best\u00e4tigen best\u00e4tige best\u00e4tigt
        freigeben gebe freigegeben frei
        genehmigen genehmige genehmigt
        unterschreiben unterschreibe unterschrieben
        unterzeichnen unterzeichne unterzeichnet
        kl\u00e4ren kl\u00e4re gekl\u00e4rt
        abkl\u00e4ren kl\u00e4re abgekl\u00e4rt ab
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
        k\u00fcndigen k\u00fcndige gek\u00fcndigt
        verl\u00e4ngern verl\u00e4ngere verl\u00e4ngert
        bestellen bestelle bestellt
        kaufen kaufe gekauft
        besorgen besorge besorgt
        bezahlen bezahle bezahlt
        zahlen zahle gezahlt
        \u00fcberweisen \u00fcberweise \u00fcberwiesen
        erstatten erstatte erstattet
        anrufen rufe angerufen an
        zur\u00fcckrufen rufe zur\u00fcckgerufen zur\u00fcck
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
        \u00fcberarbeiten \u00fcberarbeite \u00fcberarbeitet
        vorbereiten bereite vorbereitet vor
        aufsetzen setze aufgesetzt auf
        \u00fcbersetzen \u00fcbersetze \u00fcbersetzt
        korrigieren korrigiere korrigiert
        aktualisieren aktualisiere aktualisiert
        anpassen passe angepasst an
        beheben behebe behoben
        reparieren repariere repariert
        l\u00f6sen l\u00f6se gel\u00f6st
        umsetzen setze umgesetzt um
        einbauen baue eingebaut ein
        installieren installiere installiert
        einrichten richte eingerichtet ein
        migrieren migriere migriert
        erledigen erledige erledigt
        beenden beende beendet
        abschlie\u00dfen schlie\u00dfe abgeschlossen ab
        drucken drucke gedruckt
        ausdrucken drucke ausgedruckt aus
        scannen scanne gescannt
        ausf\u00fcllen f\u00fclle ausgef\u00fcllt aus
        anmelden melde angemeldet an
        beantragen beantrage beantragt
        abholen hole abgeholt ab
        einholen hole eingeholt ein
        eintragen trage eingetragen ein
        erg\u00e4nzen erg\u00e4nze erg\u00e4nzt
        beantworten beantworte beantwortet
        verhandeln verhandle verhandelt
        pr\u00e4sentieren pr\u00e4sentiere pr\u00e4sentiert
        zusammenfassen fasse zusammengefasst zusammen
        kochen koche gekocht
        backen backe gebacken
        austauschen tausche ausgetauscht aus
        besprechen bespreche besprochen
        sprechen spreche gesprochen
        reden rede geredet
        machen mache gemacht
        k\u00fcmmern k\u00fcmmere gek\u00fcmmert
        """
    ),
    undertaking=phrases(
        "k\u00fcmmere ich mich|\u00fcbernehme ich|sorge ich|erledige ich|k\u00fcmmern wir uns|\u00fcbernehmen wir|k\u00fcmmere mich|\u00fcbernehme|k\u00fcmmern uns|sorge|sorgen|\u00fcbernehmen|k\u00fcmmern|erledige|erledigen"
    ),
    will=phrases("ich werde|wir werden|werde ich|werden wir|ich verspreche|verspreche ich"),
    must=phrases(
        "ich muss|ich kann|muss ich|kann ich|wir m\u00fcssen|wir k\u00f6nnen|ich sollte|ich soll|soll ich|m\u00fcssen wir|ich m\u00f6chte|ich will"
    ),
    you_get=phrases(
        "bekommst du|du bekommst|bekommen sie|sie bekommen|erhalten sie|sie erhalten|erh\u00e4ltst du|du erh\u00e4ltst|kriegst du|du kriegst|hast du|haben sie|ihr bekommt|bekommt ihr"
    ),
    from_me=phrases("von mir|von uns"),
    third=phrases("wird"),
    subjects=phrases("ich|wir"),
    verb_second=True,
    negation=frozenset(
        "nicht nie niemals kein keine keinen keiner keinem keinerlei nichts niemand weder kaum nimmer".split()
    ),
    condition=phrases("wenn|falls|sofern|sobald|vorausgesetzt|solange|nachdem|au\u00dfer wenn|es sei denn|nur wenn"),
    asking=frozenset("fragen pr\u00fcfen kl\u00e4ren abkl\u00e4ren nachfragen \u00fcberpr\u00fcfen".split()),
    hedges=frozenset(
        "vielleicht eventuell evtl wahrscheinlich m\u00f6glicherweise hoffentlich vermutlich wohl versuchen versuche irgendwann".split()
    ),
    fronting=frozenset(
        "ok okay ja klar gut danke sorry also dann und aber super alles gerne gern nat\u00fcrlich hallo hi liebe lieber daf\u00fcr daher deshalb wie besprochen versprochen vereinbart bis am um vor danach anschlie\u00dfend sp\u00e4testens sicher verstanden vielen dank entschuldigung parallel zus\u00e4tzlich au\u00dferdem auch sp\u00e4ter gleich sofort nachher umgehend kein problem in den der".split()
    ),
    conjunctions=frozenset("und dann oder".split()),
    contrast=frozenset("aber sondern jedoch doch denn".split()),
    subordinate=frozenset(
        "weil da dass damit welche welcher welches wer wo w\u00e4hrend obwohl wenn falls sobald ob wie als sodass bevor nachdem was warum".split()
    ),
    articles=frozenset(
        "der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine deinen deinem deiner unser unsere unseren unserem unserer ihr ihre ihren ihrem ihrer euer eure euren sein seine seinen dieser diese dieses diesen diesem alle allen beide beiden".split()
    ),
    pronouns=frozenset(
        "ich wir du sie ihr euch dir dich ihnen mir mich uns ihm ihn es er sich man ihnen allen jedem".split()
    ),
    pronoun_objects=frozenset("es das dies sie ihn alles was etwas ihm".split()),
    you=frozenset("dir dich ihnen euch sie".split()),
    prepositions=frozenset(
        "von vom f\u00fcr an am auf mit in im bei beim zu zum zur nach aus \u00fcber unter zwischen gegen ohne um per via wegen bez\u00fcglich durch seit vor bis hinter ab laut \u00fcbers ins ans aufs".split()
    ),
    adverbs=frozenset(
        "gleich sofort dann noch auch mal nochmal gerne gern bald umgehend demn\u00e4chst sp\u00e4ter nachher asap bestimmt sicher nat\u00fcrlich jetzt hier dort schon wieder schnellstm\u00f6glich sp\u00e4testens parallel separat pers\u00f6nlich direkt kurz heute wie besprochen versprochen gew\u00fcnscht zeitnah p\u00fcnktlich selbst selber danach anschlie\u00dfend auf jeden fall zuerst dazu daf\u00fcr ja doch eben einfach nun bitte fertig schnell rechtzeitig".split()
    ),
    to=frozenset("an f\u00fcr mit zu".split()),
    recipient=frozenset("an".split()),
    me=frozenset("mir uns".split()),
    weak=frozenset("machen sprechen reden lesen geben planen kochen backen drucken sammeln fragen vorstellen".split()),
    elision=False,
    polite=phrases(
        "danke|vielen dank|danke dir|danke schön|danke ihnen|besten dank|super|perfekt|ok|okay|hallo|hi|ja|sorry|gut|top|alles gut|prima|herzlichen dank|danke sehr|nein|leider"
    ),
    idle=frozenset(
        "bildschirm bestes gedanken daumen zeit moment minute sekunde gr\u00fc\u00dfe gr\u00fc\u00dfen liebe pause kaffee tee bier fernseher kamera mikro mikrofon ton t\u00fcr fenster handy laptop ding augen kopf ruhe bett urlaub schluss spa\u00df sport glas chat hoffnung recht bescheid feierabend unsinn witz".split()
    ),
    ask_infinitive=phrases(
        "k\u00f6nntest du|kannst du|k\u00f6nnten sie|k\u00f6nnen sie|w\u00fcrdest du|w\u00fcrden sie|magst du|k\u00f6nntet ihr|k\u00f6nnt ihr|kannst du bitte|k\u00f6nnten sie bitte|k\u00f6nntest du bitte|ich bitte sie|w\u00e4rst du so lieb|willst du"
    ),
    imperatives=phrases(
        "schick|schicke|schicken sie|schickst du|sende|senden sie|sendest du|ruf|rufen sie|pr\u00fcf|pr\u00fcfe|pr\u00fcfen sie|pr\u00fcfst du|leite|leiten sie|best\u00e4tige|best\u00e4tigen sie|bring|bringen sie|buch|buche|buchen sie|buchst du|gib|geben sie|mach|unterschreibe|unterschreiben sie|\u00fcberweise|\u00fcberweisen sie|reiche|reichen sie|lade|laden sie|erstelle|erstellen sie|schreib|schreibe|schreiben sie|bereite|bereiten sie|reserviere|reservieren sie|kl\u00e4re|kl\u00e4ren sie|bestell|bestelle|bestellen sie|bezahle|lies|lesen sie|teile|teilen sie|maile|mailst du"
    ),
    please=phrases("bitte"),
    accepted=phrases(
        "mach ich|mache ich|wird gemacht|wird erledigt|klar, mach ich|ok, mach ich|ja, mach ich|gerne|gern|klar|na klar|nat\u00fcrlich|selbstverst\u00e4ndlich|kein problem|geht klar|alles klar, mach ich|ich k\u00fcmmere mich darum|ich k\u00fcmmere mich drum|k\u00fcmmere mich drum|mach ich gerne|das mache ich|das mach ich|ich mache das|erledige ich|ich erledige das|ich \u00fcbernehme das|das \u00fcbernehme ich|ja, gerne|machen wir|super, mach ich|mache ich gerne|ja klar, mach ich"
    ),
    declined=phrases(
        "das geht leider nicht|geht leider nicht|ich kann leider nicht|leider kann ich nicht|leider nein|leider nicht|das schaffe ich nicht|schaffe ich leider nicht|das schaffe ich leider nicht|nein, leider nicht|das kann ich nicht|das kann ich leider nicht|nein, das geht nicht|muss leider absagen|ich muss leider absagen|nein danke|mache ich nicht"
    ),
    received=phrases(
        "erhalten|erhalten, danke|ist angekommen|ist angekommen, danke|angekommen|angekommen, danke|danke, angekommen|danke, ist angekommen|danke, erhalten|hab ich bekommen|habe ich bekommen|habe ich erhalten|dankend erhalten|hab's bekommen|danke, hab ich|danke, habe ich erhalten|danke, hab ich bekommen"
    ),
    released=phrases(
        "hat sich erledigt|das hat sich erledigt|hat sich schon erledigt|das hat sich schon erledigt|hat sich erledigt, danke|nicht mehr n\u00f6tig|ist nicht mehr n\u00f6tig|das ist nicht mehr n\u00f6tig|brauche ich nicht mehr|brauch ich nicht mehr|brauchen wir nicht mehr|wird nicht mehr gebraucht|wird nicht mehr ben\u00f6tigt|vergiss es|schon gut|brauchst du nicht mehr|das brauchen wir nicht mehr|das brauche ich nicht mehr|er\u00fcbrigt sich|nicht mehr notwendig|ist nicht mehr notwendig|das er\u00fcbrigt sich"
    ),
    done=phrases(
        "erledigt|ist erledigt|schon erledigt|fertig|ist raus|ist verschickt|hab ich geschickt|habe ich geschickt|schon geschickt|ist gebucht|ist bezahlt|gemacht|ist gemacht|bereits erledigt|verschickt|abgeschickt|gebucht|\u00fcberwiesen|ist \u00fcberwiesen|hab ich gemacht|habe ich erledigt|hab ich erledigt"
    ),
    declined_begin=phrases(
        "ich kann ... nicht|leider kann ich ... nicht|ich werde nicht|ich schaffe es nicht|leider schaffe ich ... nicht|wir k\u00f6nnen ... nicht|leider k\u00f6nnen wir ... nicht|ich schaffe ... nicht"
    ),
    received_begin=phrases(
        "ich habe ... erhalten|ich habe ... bekommen|wir haben ... erhalten|wir haben ... bekommen|danke f\u00fcr|vielen dank f\u00fcr|habe ... erhalten|ich hab ... bekommen"
    ),
    released_begin=phrases(
        "ich brauche ... nicht mehr|ich brauche ... mehr|wir brauchen ... nicht mehr|wir brauchen ... mehr|du brauchst ... nicht mehr|wir ben\u00f6tigen ... nicht mehr|ich ben\u00f6tige ... nicht mehr|sie brauchen ... nicht mehr|du musst ... nicht mehr|sie m\u00fcssen ... nicht mehr"
    ),
    released_end=phrases(
        "hat sich erledigt|ist nicht mehr n\u00f6tig|brauche ich nicht mehr|brauchen wir nicht mehr|wird nicht mehr gebraucht|wird nicht mehr ben\u00f6tigt|sind nicht mehr n\u00f6tig|ben\u00f6tigen wir nicht mehr|haben sich erledigt|ist hinf\u00e4llig"
    ),
    attached=phrases(
        "anbei|anbei finden sie|anbei findest du|anbei die|anbei der|anbei das|im anhang|im anhang finden sie|im anhang findest du|in der anlage|in der anlage finden sie|anbei erhalten sie|anbei sende ich ihnen|anbei schicke ich dir|hier ist|hier sind|hier kommt|hier kommen|hier der|hier die|hier das|angeh\u00e4ngt|angeh\u00e4ngt findest du|beigef\u00fcgt|beigef\u00fcgt finden sie|wie versprochen, hier ist|im anhang ist|anbei ist|im anhang sende ich ihnen"
    ),
    attached_end=phrases(
        "anbei|im anhang|ist angeh\u00e4ngt|h\u00e4ngt an|ist raus|ist erledigt|ist fertig|ist verschickt|ist gebucht|ist bezahlt|liegt bei|ist beigef\u00fcgt|sind fertig|findest du im anhang|finden sie im anhang|findest du anbei|finden sie anbei|ist unterwegs"
    ),
    have=phrases("ich habe|habe ich|ich hab|hab ich|wir haben|haben wir"),
    decided=phrases(
        "wir haben beschlossen|wir haben entschieden|beschlossen:|beschluss:|entscheidung:|wir haben uns entschieden|wir haben uns f\u00fcr ... entschieden|wir entscheiden uns f\u00fcr|es wurde beschlossen|beschlossen wurde|wir haben vereinbart|wir einigten uns auf|wir haben uns geeinigt|wir haben uns auf ... geeinigt|ich habe beschlossen|ich habe entschieden|ich habe mich entschieden|ich habe mich f\u00fcr ... entschieden|wir machen es mit|entschieden:|wir haben festgelegt"
    ),
    copula=phrases(
        "ist|sind|betr\u00e4gt|betragen|liegt bei|liegt jetzt bei|liegen bei|kostet|lautet|=|ist jetzt|ist nun|:|sind jetzt|wird|bel\u00e4uft sich auf|betr\u00e4gt jetzt"
    ),
    moved=phrases(
        "wurde auf|verschoben auf|wurde verschoben auf|ist am|findet am|steigt auf|sinkt auf|wird auf|verschiebt sich auf|findet jetzt am|ist jetzt am|ist auf|wurde auf den"
    ),
    attributes={
        "budget": "budget",
        "preis": "price",
        "kosten": "cost",
        "geb\u00fchr": "fee",
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
        "kapazit\u00e4t": "capacity",
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
        "gr\u00f6\u00dfe": "size",
        "fl\u00e4che": "area",
        "dauer": "duration",
        "mail": "email",
        "e-mail": "email",
        "go-live": "date",
        "konferenz": "date",
    },
    of=phrases("f\u00fcr|von|des|der|im|vom"),
)
