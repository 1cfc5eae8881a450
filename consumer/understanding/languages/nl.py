"""Dutch."""

from consumer.understanding.languages.words import HOUR, DateWords, Words, combined, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        "januari jan | februari feb | maart mrt | april apr | mei | juni jun | juli jul"
        " | augustus aug | september sept sep | oktober okt | november nov | december dec"
    ),
    weekdays=numbered("maandag | dinsdag | woensdag | donderdag | vrijdag | zaterdag | zondag", 0),
    short_weekdays=numbered("ma | di | wo | do | vr vrij | za | zo", 0),
    days={
        "vandaag": 0,
        "vandaag nog": 0,
        "nog vandaag": 0,
        "vanavond": 0,
        "vanmiddag": 0,
        "vanochtend": 0,
        "vanmorgen": 0,
        "vannacht": 0,
        "morgen": 1,
        "morgenvroeg": 1,
        "morgenochtend": 1,
        "morgenmiddag": 1,
        "morgenavond": 1,
        "overmorgen": 2,
    },
    day_ends=phrases(
        """
        het einde van de dag | einde van de dag | eind van de dag | het eind van de dag | einde dag |
        sluitingstijd
        """
    ),
    parts=phrases("ochtend|middag|avond|vroeg|'s ochtends|'s middags|'s avonds"),
    coming=phrases("komende|aanstaande|deze|aankomende"),
    following=phrases("volgende"),
    coming_after=phrases("aanstaande"),
    past=phrases("vorige|afgelopen|laatste"),
    past_after=phrases("jongstleden|geleden"),
    no_dates=phrases(
        """
        als eerste | als eerst |
        in de ochtend | in de middag | in de avond | gisteren | eergisteren | gisteravond | goede morgen | vorige
        week | vorige maand | een week geleden
        """
    ),
    this_week=phrases("deze week|van deze week"),
    later_week=phrases("later deze week|in de loop van de week|in de loop van deze week|later in de week|door de week"),
    next_week=phrases("volgende week|komende week"),
    this_month=phrases("deze maand|maandeinde"),
    next_month=phrases("volgende maand"),
    weekend=phrases("dit weekend|het weekend|weekend"),
    end_of=phrases(
        """
        het einde van de | einde van de | het eind van de | eind van de | het einde van het | einde van het |
        het eind van het | eind van het | eind | einde | het einde van deze | eind van deze | einde van deze |
        het einde van | einde van | het eind van | eind van
        """
    ),
    periods={"week": "w", "maand": "m", "kwartaal": "q", "jaar": "y", "volgende week": "nw", "volgende maand": "nm"},
    year_end=phrases("jaareinde|eind dit jaar"),
    ahead=phrases("over|binnen|in de komende|in|binnen de komende"),
    ahead_after=(),
    units={
        "dag": 1,
        "dagen": 1,
        "week": 7,
        "weken": 7,
        "maand": -1,
        "maanden": -1,
        "uur": HOUR,
        "uren": HOUR,
        "minuten": 0,
    },
    before_month=phrases("in|voor|tot"),
    joints=phrases("van|de"),
    times={"middaguur": "12:00", "12 uur 's middags": "12:00", "middernacht": "23:59"},
    at=phrases("om|voor|tegen|rond|vóór|vanaf"),
    hours=phrases("uur|u|h"),
    afternoon=phrases("'s middags|'s avonds"),
    mornings=phrases("ochtend|ochtends|morgenochtend|vanochtend|vroeg|nacht|nachts"),
    afternoons=words("middag vanmiddag middags namiddag"),
    evenings=words("avond vanavond avonds"),
    by=phrases(
        """
        voor | vóór | uiterlijk | uiterlijk op | tegen | tot | tot en met | ten laatste | voor het | vóór het |
        tegen het | uiterlijk aan | aan | niet later dan
        """
    ),
    before=words("voor vóór"),
    on=phrases("op|in|aan|deze|in het"),
    of=phrases("van|sinds|vanaf|na|de"),
    never=phrases("niet|niet op|behalve|behalve op|in plaats van|niet voor"),
    day_of_month=phrases("de"),
    day_of_month_after=phrases("e|de|ste"),
    counted_from=phrases("na|vanaf"),
    middle_of=phrases("half|midden|medio"),
    first_of=phrases("eerste|één"),
)

WORDS = Words(
    code="nl",
    dates=DATES,
    short={"ff": "even", "v": "van", "vd": "van"},
    other_numbers={"één": 1},
    abbreviations=phrases(
        """
        amb |
        dhr | mevr | mw | dr | drs | ir | mr | prof | ing | bijv | bv | enz | etc | nr | ca | m.b.t | i.v.m |
        t.a.v | a.s | jl | evt | incl | excl | jan | feb | mrt | apr | jun | jul | aug | sept | okt | nov | dec |
        tel | o.a | d.w.z | max | min | st | art | ma | di | wo | do | vr | za | zo |
        fam | d.d | resp | inkl | mr.dr | em | t.n.v | d.m.v | i.o |
        blz | afd | vgl | p | mln | mld
        """
    ),
    common=words(
        """
        hoi groet
        de het een en van ik je we wij niet is dat die op te zijn met voor aan er maar om hem dan zou nog wat
        ook als bij naar uit tot hebben heb heeft wordt zal mijn jouw ons onze jullie u uw graag bedankt dank
        hallo kun kunt wil deze dit over morgen vandaag kan geen door
        """
    ),
    grouping=".",
    scales={
        "k": 1_000,
        "duizend": 1_000,
        "mln": 1_000_000,
        "miljoen": 1_000_000,
        "m": 1_000_000,
        "mld": 1_000_000_000,
        "miljard": 1_000_000_000,
    },
    currencies={
        "euro": "EUR",
        "euro's": "EUR",
        "dollar": "USD",
        "dollars": "USD",
        "pond": "GBP",
        "frank": "CHF",
        "yen": "JPY",
    },
    counted={
        "plaats": "seat",
        "plaatsen": "seat",
        "stoelen": "seat",
        "persoon": "person",
        "personen": "person",
        "mensen": "person",
        "gebruikers": "user",
        "klanten": "customer",
        "ingenieurs": "engineer",
        "medewerkers": "employee",
        "gasten": "guest",
        "deelnemers": "attendee",
        "licenties": "licence",
        "stuks": "unit",
        "eenheden": "unit",
        "dag": "day",
        "dagen": "day",
        "week": "week",
        "weken": "week",
        "maand": "month",
        "maanden": "month",
        "jaar": "year",
        "jaren": "year",
        "uur": "hour",
        "uren": "hour",
        "minuten": "minute",
        "km": "km",
        "kg": "kg",
        "gb": "gb",
        "pagina's": "page",
        "winkels": "store",
        "locaties": "site",
        "leden": "member",
        "kamers": "room",
        "exemplaren": "copy",
        "m²": "m2",
        "m2": "m2",
    },
    percent=phrases("%|procent"),
    verbs=verbs(
        """
        faxen fax gefaxt
        toekomenlaten laat - toekomen
        toekomendoen doe - toekomen
        sturen stuur gestuurd
        toesturen stuur toegestuurd toe
        opsturen stuur opgestuurd op
        doorsturen stuur doorgestuurd door
        versturen verstuur verstuurd
        verzenden verzend verzonden
        zenden zend gezonden
        mailen mail gemaild
        appen app geappt
        delen deel gedeeld
        leveren lever geleverd
        aanleveren lever aangeleverd aan
        inleveren lever ingeleverd in
        opleveren lever opgeleverd op
        brengen breng gebracht
        meenemen neem meegenomen mee
        geven geef gegeven
        doorgeven geef doorgegeven door
        uploaden upload geüpload
        indienen dien ingediend in
        terugsturen stuur teruggestuurd terug
        publiceren publiceer gepubliceerd
        voorbereiden bereid voorbereid voor
        opstellen stel opgesteld op
        schrijven schrijf geschreven
        uitwerken werk uitgewerkt uit
        bijwerken werk bijgewerkt bij
        afwerken werk afgewerkt af
        nakijken kijk nagekeken na
        bekijken bekijk bekeken
        doornemen neem doorgenomen door
        doorlezen lees doorgelezen door
        lezen lees gelezen
        controleren controleer gecontroleerd
        checken check gecheckt
        nagaan ga nagegaan na
        bevestigen bevestig bevestigd
        goedkeuren keur goedgekeurd goed
        ondertekenen onderteken ondertekend
        tekenen teken getekend
        testen test getest
        analyseren analyseer geanalyseerd
        vergelijken vergelijk vergeleken
        verzamelen verzamel verzameld
        boeken boek geboekt
        reserveren reserveer gereserveerd
        organiseren organiseer georganiseerd
        plannen plan gepland
        inplannen plan ingepland in
        afspreken spreek afgesproken af
        verzetten verzet verzet
        annuleren annuleer geannuleerd
        afzeggen zeg afgezegd af
        verlengen verleng verlengd
        bestellen bestel besteld
        kopen koop gekocht
        betalen betaal betaald
        overmaken maak overgemaakt over
        terugbetalen betaal terugbetaald terug
        bellen bel gebeld
        opbellen bel opgebeld op
        terugbellen bel teruggebeld terug
        benaderen benader benaderd
        vragen vraag gevraagd
        navragen vraag nagevraagd na
        informeren informeer geïnformeerd
        herinneren herinner herinnerd
        uitnodigen nodig uitgenodigd uit
        voorstellen stel voorgesteld voor
        maken maak gemaakt
        afmaken maak afgemaakt af
        klaarmaken maak klaargemaakt klaar
        vertalen vertaal vertaald
        corrigeren corrigeer gecorrigeerd
        verbeteren verbeter verbeterd
        aanpassen pas aangepast aan
        updaten update geüpdatet
        repareren repareer gerepareerd
        oplossen los opgelost op
        installeren installeer geïnstalleerd
        instellen stel ingesteld in
        migreren migreer gemigreerd
        afronden rond afgerond af
        voltooien voltooi voltooid
        invullen vul ingevuld in
        printen print geprint
        scannen scan gescand
        aanvragen vraag aangevraagd aan
        aanmelden meld aangemeld aan
        ophalen haal opgehaald op
        toevoegen voeg toegevoegd toe
        beantwoorden beantwoord beantwoord
        onderhandelen onderhandel onderhandeld
        presenteren presenteer gepresenteerd
        samenvatten vat samengevat samen
        koken kook gekookt
        vervangen vervang vervangen
        bespreken bespreek besproken
        regelen regel geregeld
        uitzoeken zoek uitgezocht uit
        overleggen overleg overlegd
        zorgen zorg gezorgd
        opzeggen zeg opgezegd op
        doorbellen bel doorgebeld door
        rondsturen stuur rondgestuurd rond
        nasturen stuur nagestuurd na
        langsbrengen breng langsgebracht langs
        terugbrengen breng teruggebracht terug
        halen haal gehaald
        zoeken zoek gezocht
        opzoeken zoek opgezocht op
        vinden vind gevonden
        tonen toon getoond
        uitleggen leg uitgelegd uit
        melden meld gemeld
        doormailen mail doorgemaild door
        noteren noteer genoteerd
        opschrijven schrijf opgeschreven op
        berekenen bereken berekend
        uitrekenen reken uitgerekend uit
        meten meet gemeten
        opmeten meet opgemeten op
        tellen tel geteld
        schatten schat geschat
        downloaden download gedownload
        kopiëren kopieer gekopieerd
        bewaren bewaar bewaard
        archiveren archiveer gearchiveerd
        schoonmaken maak schoongemaakt schoon
        opruimen ruim opgeruimd op
        schilderen schilder geschilderd
        verven verf geverfd
        monteren monteer gemonteerd
        wisselen wissel gewisseld
        verplaatsen verplaats verplaatst
        uitstellen stel uitgesteld uit
        lenen leen geleend
        uitlenen leen uitgeleend uit
        aannemen neem aangenomen aan
        lanceren lanceer gelanceerd
        verspreiden verspreid verspreid
        uitdelen deel uitgedeeld uit
        factureren factureer gefactureerd
        inschrijven schrijf ingeschreven in
        registreren registreer geregistreerd
        sluiten sluit gesloten
        verduidelijken verduidelijk verduidelijkt
        herschrijven herschrijf herschreven
        inplakken plak ingeplakt in
        overnemen neem overgenomen over
        oppakken pak opgepakt op
        meesturen stuur meegestuurd mee
        inspreken spreek ingesproken in
        beloven beloof beloofd
        schrappen schrap geschrapt
        bezorgen bezorg bezorgd
        afleveren lever afgeleverd af
        meegeven geef meegegeven mee
        """
    ),
    undertaking=phrases(
        """
        regel ik | zorg ik | regelen we | zorgen we | regel | zorg | regelen | zorgen | neem contact |
        hou me bezig | neem ik contact | ga ik achteraan | ga achter | hou me bezig met | bekommer me om |
        zorg ervoor dat | ik ga aan de slag met | ik ga achter | ik pak | ik zoek | zorg ik voor | zorg voor |
        pak ik | neem ik
        """
    ),
    will=phrases(
        """
        ik zal | wij zullen | we zullen | ik ga | we gaan | wij gaan | zal ik | zullen we | zullen wij | ga ik |
        gaan we | gaan wij | ik beloof | ik zal dan | ik ga dan | ik ga zo | ga ik dan | ik beloof je |
        ik beloof dat ik
        """
    ),
    must=phrases("ik moet|ik kan|moet ik|kan ik|we moeten|we kunnen|kunnen we|moeten we"),
    you_get=phrases(
        """
        krijg je | je krijgt | u krijgt | krijgt u | u ontvangt | ontvangt u | je ontvangt | ontvang je | heb je |
        heeft u | jullie krijgen | krijgen jullie | jij krijgt | krijg jij | jullie ontvangen | ontvangen jullie |
        je hebt | u heeft
        """
    ),
    from_me=phrases("van mij|van ons"),
    third=phrases("zal|gaat"),
    subjects=phrases("ik|we|wij"),
    verb_second=True,
    negation=words("niet nooit geen niets niemand nergens nauwelijks noch"),
    condition=phrases("als|indien|mits|zodra|tenzij|wanneer|zolang|nadat|op voorwaarde dat|alleen als"),
    asking=words("vragen navragen nagaan controleren checken uitzoeken"),
    hedges=words("misschien waarschijnlijk wellicht mogelijk eventueel hopelijk proberen probeer ooit"),
    fronting=words(
        """
        ok oké ja prima goed bedankt dank sorry dus dan en maar super alles graag natuurlijk hallo hoi beste
        daarom zoals besproken beloofd afgesproken tot voor op in om daarna daarvoor vervolgens uiterlijk zeker
        begrepen verder ook later straks meteen je u wel geen probleem de het aan over dag eind einde week
        """
    ),
    conjunctions=words("en dan of"),
    contrast=words("maar echter doch want"),
    subordinate=words(
        """
        omdat dat die wie waar terwijl hoewel als indien wanneer zodra of zoals zodat voordat nadat wat toen
        waarom
        """
    ),
    articles=words(
        """
        de het een mijn jouw je zijn haar ons onze jullie uw hun dit dat deze die alle beide m'n
        """
    ),
    pronouns=words(
        """
        ik we wij je jij jou u jullie hij zij ze hem haar hen hun het me mij ons zich iedereen m 'm
        """
    ),
    pronoun_objects=words(
        """
        het dat dit ze die alles iets wat hem m 'm t 't erom daarvoor ervoor
        """
    ),
    you=words("je jou u jullie"),
    prepositions=words(
        """
        van voor aan op met in bij naar uit over tussen tegen zonder om per via wegens betreffende door sinds
        tot achter onder af na richting rond te
        """
    ),
    adverbs=words(
        """
        dienovereenkomstig net zojuist zonet
        zo meteen straks dan nog ook even graag binnenkort direct later asap zeker natuurlijk nu hier daar al weer
        spoedig uiterlijk apart persoonlijk zelf vandaag zoals besproken beloofd daarna eerst snel gelijk wel gewoon
        gauw alvast vast klaar eens mogelijk keer toch pas alsjeblieft alstublieft aub ajb svp terug
        """
    ),
    to=words("aan voor met naar"),
    recipient=words("aan naar"),
    me=words("me mij ons"),
    offers=words("vragen vraag problemen probleem wilt wenst interesse nodig"),
    help=words("informatie inlichtingen hulp details aanmeldingen vragen vraag nodig"),
    courtesy=words("kunt kun kan tijd gelegenheid"),
    contacting=phrases("contact | bel | mail | schrijf | neem"),
    sending=words("sturen stuur opsturen mailen mail doorsturen versturen toesturen rondsturen indienen"),
    doubt=words("als indien"),
    states=words("is zijn heb smaakt"),
    suits=words(
        """
        ok oké goed mogelijk nodig klaar beschikbaar vrij juist akkoord eens
        """
    ),
    at_once=phrases(
        """
        geef | geven | breng | pak | houd | herhaal | herhalen | open | sluit | leg | neem | nemen | wacht |
        teken | vul | probeer | praat | help | draai
        """
    ),
    staging=frozenset(
        phrases(
            """
            bekijken | kijken | tonen | uitleggen | beantwoorden | presenteren | herhalen | geven | lezen |
            voorlezen | nakijken | samenvatten | zeggen | vertellen | controleren
            """
        )
    ),
    acquiring=words("kopen halen bestellen koken bakken plannen organiseren"),
    us=words("wij we"),
    for_self=words("me mij"),
    vague=phrases(
        "met wat geluk|met een beetje geluk|volgende keer|de volgende keer|"
        "ooit|in de toekomst|een keer|op een dag|voortaan"
    ),
    questioning=words("hoe waarom wanneer waar wat"),
    chatting=words("meer waarom"),
    can=phrases("kun je|kan je|kunt u|kan u|kunnen jullie|kun jij|kan jij"),
    telling=phrases("vertel | zeg | noem | uitleggen | beschrijf | laat me"),
    weak=words("maken geven lezen koken plannen vergelijken brengen"),
    performative=words("bevestigen informeren uitnodigen vragen goedkeuren herinneren"),
    elision=False,
    polite=phrases(
        """
        bedankt | dank | dank je | dank je wel | dank u | dank u wel | hartelijk dank | super | prima | ok | oké |
        hoi | hallo | ja | sorry | perfect | top | fijn | nee | thanks | helaas | dankje | dankjewel | dank jewel |
        thx | merci | thnx | uiteindelijk
        """
    ),
    idle=words(
        """
        contact
        waarheid scherm best tijd moment minuut seconde groeten groetjes groet kus kusjes liefs pauze koffie thee bier
        camera microfoon
        deur raam vingers telefoon aandacht geluk woord leven ogen hoofd bed vakantie chat oogje gedachten mond
        hoop
        mogelijke uiterste
        schuld hand handen vertrouwen hart excuses
        """
    ),
    will_alone=phrases(
        """
        zal | ga
        """
    ),
    soon=words(
        """
        straks zo meteen later direct dadelijk zometeen
        """
    ),
    subject_you=words(
        """
        jullie
        """
    ),
    giving=words(
        """
        sturen toesturen opsturen doorsturen mailen appen bellen terugbellen brengen langsbrengen terugbrengen
        meenemen geven doorgeven teruggeven terugsturen terugbetalen betalen overmaken leveren reserveren printen
        nasturen
        meesturen
        """
    ),
    arranging=words(
        """
        regelen reserveren boeken ophalen meenemen halen bestellen nabellen overnemen oppakken
        """
    ),
    formal=words(
        """
        geachte u uw mevrouw meneer heer
        """
    ),
    idle_verbs=words(
        """
        bedanken groeten feliciteren
        zijn hebben worden horen zien voelen ruiken proeven geloven voorstellen denken weten begrijpen herinneren
        houden haten willen hopen wensen blijven wachten komen gaan leven slapen eten drinken zwemmen rijden lopen
        rennen zingen dansen spelen kunnen moeten mogen zullen laten helpen lachen huilen praten spreken meekomen
        langskomen vinden zeggen staan liggen zitten vallen doen morgen kussen heren binnen boven buiten geweest
        samen uitstaan verdragen
        """
    ),
    infinitive_ends=phrases(
        """
        en
        """
    ),
    reported=words(
        """
        zei zegt beweert beweerde denkt dacht gelooft vroeg vraagt schreef schrijft antwoordde beloofde meldde
        """
    ),
    habits=words(
        """
        elke iedere altijd meestal normaal vroeger vaak soms
        """
    ),
    remind=phrases(
        """
        vergeet niet | vergeet je niet | vergeet u niet | vergeet alsjeblieft niet | denk aan | denk je aan |
        denk even aan | denkt u aan | denk eraan | denk eraan om | denkt u eraan | denk er alsjeblieft aan |
        denk er alsjeblieft aan om | denk er aan | denk er aan om | vergeet niet om | denk erom | zorg dat je |
        zorg ervoor dat je
        """
    ),
    missing=phrases(
        """
        wacht nog op | wachten nog op | wacht op | wachten op | nog zonder | mis nog | missen nog | ontbreekt nog
        """
    ),
    have_you=phrases(
        """
        heb je | hebt u | heeft u | hebben jullie | heb jij
        """
    ),
    happens={
        "begint op": "start",
        "begint": "start",
        "start op": "start",
        "gaat van start op": "start",
        "eindigt op": "end",
        "eindigt": "end",
        "sluit om": "closing",
        "sluit nu om": "closing",
        "sluit": "closing",
        "opent op": "opening",
        "opent om": "opening",
        "opent": "opening",
        "vindt plaats op": "date",
        "loopt tot": "end",
        "loopt af op": "end",
        "verloopt op": "end",
        "komt op": "delivery",
    },
    received_end=phrases(
        """
        ontvangen | gekregen | goed ontvangen | binnen |
        is binnen | zijn binnen | is aangekomen | zijn aangekomen | is goed aangekomen | zijn goed aangekomen | kwam aan
        """
    ),
    declined_end=phrases(
        """
        lukt me niet | lukt mij niet | lukt helaas niet | lukt me helaas niet | red ik niet | red ik helaas niet |
        kan ik niet doen | kan ik helaas niet doen
        """
    ),
    elliptic=words(
        """
        betalen sturen opsturen doorsturen brengen meenemen tekenen boeken bestellen inleveren overmaken
        """
    ),
    could=phrases(
        """
        zou
        """
    ),
    thanked=words(
        """
        geduld begrip hulp steun tijd avond dag middag weekend telefoontje reactie antwoord vergadering bezoek
        moeite werk feedback advies tip vertrouwen interesse aandacht samenwerking uitnodiging herinnering
        gastvrijheid gesprek rit
        """
    ),
    ask_duty=phrases(
        """
        je moet | u moet | misschien kun je | misschien kunt u | misschien kan je
        """
    ),
    ask_infinitive=phrases(
        """
        wanneer kun je | wanneer kan je | wanneer kunt u | wanneer zou je |
        kun je | kan je | kunt u | kan u | zou je | zou u | zou je kunnen | wil je | wilt u | kunnen jullie |
        zouden jullie | kun jij | zou jij | kun je me | wil je me | zou u kunnen | kan jij | kan je me |
        kun jij me | kunnen jullie me | zou je misschien | zou u misschien | zou je alsjeblieft |
        zou u alstublieft | kun je alsjeblieft | wil jij | willen jullie | zou je willen | zou u willen |
        wil je alsjeblieft | is het mogelijk | zou het mogelijk zijn | zou het lukken | lukt het je |
        mag ik je vragen | mag ik u vragen | wil je eraan denken | wilt u eraan denken | wil je eraan denken om |
        zou je zo vriendelijk willen zijn | zou u zo vriendelijk willen zijn |
        zou je zo vriendelijk willen zijn om | zou u zo vriendelijk willen zijn om |
        ik verzoek u | heb je tijd om | ik heb nodig dat je | kunt u mij | kun je mij | wilt u mij | wil je mij |
        zou jij me | kun je nog | kan iemand | kan er iemand | zou iemand | wil iemand | kan één van jullie |
        kan een van jullie | zou er iemand
        """
    ),
    imperatives=phrases(
        """
        stuur | mail | bel | controleer | check | bevestig | boek | reserveer | betaal | onderteken | bereid |
        lever | geef | regel | deel | stuur je | mail je | deel je | stuurt u | schrijf | vraag | bestel | print |
        breng | haal | zoek | noem | toon | neem | maak | zet | pas | corrigeer | vul | vertaal | annuleer | plan |
        verzet | lees | geef door | stuur door | geef je | bel je |
        breng je | geeft u | brengt u | belt u | bestel je | haal je | neem je
        """
    ),
    please=phrases(
        """
        alsjeblieft | alstublieft | graag | aub | a.u.b | svp | ajb | alsjeblief | s.v.p | gelieve
        """
    ),
    accepted=phrases(
        """
        doe ik | zal ik doen | komt goed | komt voor elkaar | ja, doe ik | ok, doe ik | oké, doe ik |
        prima, doe ik | natuurlijk | tuurlijk | uiteraard | geen probleem | ik regel het | ik zorg ervoor |
        ga ik doen | dat doe ik | is goed, doe ik | zeker | met plezier | graag gedaan, doe ik | ja hoor |
        ja, natuurlijk | ja prima, doe ik | ga ik regelen | regel ik | wordt geregeld | ik ga het doen |
        doe ik graag | prima doe ik | oke, doe ik | ok doe ik | ja doe ik | dat regel ik | ik regel dat |
        pak ik op | dat pak ik op | ik pak het op | ja, dat pak ik op | ik pak dat op | doen we | zal ik regelen |
        zal ik meteen doen | ik ben ermee bezig | ben ermee bezig | ben er mee bezig | mee bezig |
        ik ga ermee aan de slag | ik doe het | ik doe het wel | ik neem het op me | dat neem ik op me |
        daar zorg ik voor | ik zorg daarvoor | laat dat maar aan mij over | laat maar aan mij over |
        je kunt op me rekenen | u kunt op me rekenen | zeker, doe ik | natuurlijk, doe ik | tuurlijk, doe ik |
        graag | komt in orde | dat komt goed | dat komt in orde | uiteraard, doe ik | goed, doe ik | is goed |
        afgesproken | dat doe ik graag
        """
    ),
    declined=phrases(
        """
        dat lukt niet | dat lukt helaas niet | lukt helaas niet | helaas niet | dat kan ik niet |
        dat kan helaas niet | ik kan niet | ik kan helaas niet | sorry, dat lukt niet | nee, sorry |
        kan helaas niet | sorry, ik kan niet | gaat niet lukken | gaat helaas niet lukken | nee, dat lukt niet |
        dat gaat niet lukken | nee, bedankt | ik kan dat niet | dat red ik niet | red ik niet | red ik helaas niet |
        lukt me niet | lukt mij niet | dat lukt me niet | helaas, dat lukt niet | kan ik niet | geen tijd voor |
        ik heb geen tijd | gaat niet |
        dat is helaas niet mogelijk | dat is niet mogelijk | helaas niet mogelijk
        """
    ),
    received=phrases(
        """
        ontvangen | ontvangen, dank | ontvangen, bedankt | goed ontvangen | is aangekomen | aangekomen |
        aangekomen, bedankt | bedankt, ontvangen | ik heb het ontvangen | heb ik ontvangen | heb het ontvangen |
        in goede orde ontvangen | ontvangen, dank je | dank, ontvangen | ontvangen, dank je wel |
        goed ontvangen, dank | binnen | binnen, dank | is binnen | is binnen, dank | alles binnen |
        alles ontvangen | gekregen | gekregen, dank | heb ik gekregen | heb het gekregen | zijn binnen |
        hebben we ontvangen
        """
    ),
    released=phrases(
        """
        niet meer nodig | is niet meer nodig | hoeft niet meer | het hoeft niet meer | dat hoeft niet meer |
        dat is niet meer nodig | laat maar | laat maar zitten | heb ik niet meer nodig | niet meer nodig, bedankt |
        hoeft niet meer, bedankt | we hebben het niet meer nodig | ik heb het niet meer nodig |
        hebben we niet meer nodig | hoeft al niet meer | hoeft niet meer, dank je | niet meer nodig, dank je |
        laat maar, is al geregeld | is al geregeld | al geregeld | al opgelost | is al opgelost | vergeet het |
        vergeet het maar | hoeft toch niet | toch niet nodig | is toch niet nodig | maakt niet meer uit |
        niet nodig | is niet nodig | dat is niet nodig | hoeft niet | dat hoeft niet | doe maar niet |
        hoeft niet, dank je |
        we hebben hem niet meer nodig | we hebben hem toch niet meer nodig | we hebben het toch niet meer nodig |
        we hebben ze niet meer nodig | we hebben ze toch niet meer nodig | ik heb hem niet meer nodig |
        ik heb hem toch niet meer nodig
        """
    ),
    done=phrases(
        """
        bijgevoegd | in de bijlage |
        gedaan | klaar | is klaar | is gedaan | verstuurd | is verstuurd | heb ik gestuurd | is gestuurd |
        net gestuurd | is geboekt | is betaald | geregeld | is geregeld | afgerond | heb ik gedaan | al gedaan |
        geboekt | betaald | ik heb het gestuurd | ik heb het gedaan | is al gedaan | heb ik al gedaan |
        al verstuurd | al betaald | al geboekt | is al verstuurd | net verstuurd | net gedaan | net betaald |
        voor elkaar | gefikst |
        hierbij | zie bijlage | zie de bijlage | hier is het | hier is hij | hier is ie | ik heb het je gestuurd |
        ik heb het je net gestuurd | heb het je net gestuurd | ik heb hem je net gestuurd
        """
    ),
    declined_begin=phrases(
        """
        ik kan ... niet | helaas kan ik ... niet | ik zal niet | het lukt me niet | we kunnen ... niet |
        helaas kunnen we ... niet | ik ga ... niet | ik kan helaas ... niet | helaas lukt het me niet |
        het lukt me helaas niet | helaas gaat het niet lukken | ik red ... niet | ik heb geen tijd om |
        we gaan ... niet redden | kan helaas ... niet | ik krijg ... niet
        """
    ),
    received_begin=phrases(
        """
        ik bevestig de ontvangst van | wij bevestigen de ontvangst van | hierbij bevestig ik de ontvangst van |
        ik heb ... ontvangen | ik heb ... gekregen | we hebben ... ontvangen | bedankt voor | dank voor |
        dank je voor | dank u voor | dank je wel voor | hartelijk dank voor | heb ... ontvangen | heb ... gekregen |
        hebben ... ontvangen | heb net ... ontvangen | bedankt voor het sturen | bedankt voor het toesturen |
        dank voor het toesturen
        """
    ),
    released_begin=phrases(
        """
        ik heb ... niet meer nodig | we hebben ... niet meer nodig | je hoeft ... niet meer |
        u hoeft ... niet meer | het is niet meer nodig om | niet meer nodig om | laat maar die | laat maar dat |
        laat maar de | laat maar het | laat ... maar | laat ... maar zitten | ik hoef ... niet meer |
        we hoeven ... niet meer | jullie hoeven ... niet meer | heb ... niet meer nodig | ik heb toch geen |
        we hebben toch geen |
        vergeet de ... maar | vergeet het ... maar | vergeet die ... maar | vergeet dat ... maar | vergeet de |
        vergeet die | je kunt ... vergeten | u kunt ... vergeten
        """
    ),
    released_end=phrases(
        """
        is niet meer nodig | zijn niet meer nodig | heb ik niet meer nodig | hebben we niet meer nodig |
        hoeft niet meer | niet meer nodig | hoeven niet meer | hoef je niet meer | hoeft u niet meer |
        hoeven jullie niet meer | zijn niet langer nodig | is niet langer nodig | is vervallen | vervalt |
        is van de baan | is toch niet nodig | hoeft toch niet meer | kun je vergeten | kunt u vergeten |
        kunnen jullie vergeten | kun je laten zitten
        """
    ),
    attached=phrases(
        """
        bijgevoegd | bijgevoegd vind je | bijgevoegd vindt u | in de bijlage | in de bijlage vind je |
        in de bijlage vindt u | in bijlage | hierbij | hierbij stuur ik je | hierbij stuur ik u | hier is |
        hier zijn | hierbij de | hierbij het | bijgaand | bijgaand vind je | bijgaand vindt u |
        zoals beloofd, hierbij | als bijlage | in bijlage vindt u | in bijlage vind je | hierbij zend ik u |
        zoals beloofd, hier is | hier heb je | bijgaand stuur ik u | bijgevoegd de | bijgevoegd het | bijgesloten |
        bijgevoegd stuur ik je | in de bijlage stuur ik je | in de bijlage de | in de bijlage het |
        hierbij nogmaals | hier nog | hier vind je | hier vindt u | in bijlage de |
        je vindt ... in de bijlage | u vindt ... in de bijlage | je vindt ... als bijlage |
        ik stuur je ... als bijlage | ik stuur u ... als bijlage |
        vind je hierbij | vindt u hierbij | hierbij vind je | hierbij vindt u | zoals beloofd vind je hierbij
        """
    ),
    attached_end=phrases(
        """
        bijgevoegd | in de bijlage | zit in de bijlage | is klaar | is af | is verstuurd | is geboekt | is betaald |
        is gedaan | is bijgevoegd | staat in de bijlage | zijn klaar | is onderweg | is geregeld |
        vind je in de bijlage | vindt u in de bijlage | is de deur uit | is weg | is eruit | is verzonden |
        is ingediend | is overgemaakt | is besteld | is opgestuurd | zijn verstuurd | zijn geboekt | zijn betaald |
        zijn onderweg | zijn geregeld | is klaar en verstuurd |
        zitten in de bijlage
        """
    ),
    have=phrases(
        """
        ik heb | heb ik | we hebben | wij hebben | hebben we | heb | heb al | heb net | ik heb net | ik heb al |
        hebben
        """
    ),
    decided=phrases(
        """
        we hebben besloten | wij hebben besloten | besloten: | besluit: | er is besloten | we gaan voor |
        we kiezen voor | we hebben gekozen voor | we hebben afgesproken | afgesproken: | ik heb besloten |
        we gaan met | beslissing: | we zijn het eens over | we doen het met | besloten is | er is afgesproken |
        er is afgesproken om | er is besloten om | er is besloten dat | we nemen | we houden | het besluit is |
        we hebben gekozen | we spreken af | we stoppen met
        """
    ),
    copula=phrases(
        """
        is | zijn | bedraagt | bedragen | = | kost | is nu | ligt op | komt uit op | : | zijn nu | wordt | is op |
        is nu op | ligt nu op | staat op | staat nu op | komt neer op | wordt nu | zit op | zit nu op |
        bedraagt nu | gaat kosten | kosten
        """
    ),
    moved=combined(
        "is | wordt | werd | -",
        "verplaatst | verschoven | verzet | uitgesteld | vervroegd | verhoogd | verlaagd",
        "naar | tot",
    )
    + phrases(
        """
        staat gepland op | staat gepland voor | is gepland op | is gepland voor | verschuift naar | stijgt naar |
        daalt naar | gaat naar | is op
        """
    ),
    moving=combined("ik | we | wij", "heb | hebben | verplaats | verplaatsen | verschuif | verschuiven | verzet")
    + phrases("heeft | hebben"),
    moved_to=words("naar"),
    moved_ends=words("verplaatst verschoven verzet uitgesteld vervroegd verhoogd verlaagd gekort ingekort"),
    attributes={
        "contributie": "fee",
        "pilot": "date",
        "opening": "date",
        "proef": "date",
        "uurtarief": "rate",
        "budget": "budget",
        "prijs": "price",
        "kosten": "cost",
        "tarief": "fee",
        "huur": "rent",
        "borg": "deposit",
        "waarborgsom": "deposit",
        "aantal gasten": "guests",
        "aantal deelnemers": "participants",
        "aantal": "count",
        "aanbetaling": "deposit",
        "salaris": "salary",
        "korting": "discount",
        "deadline": "deadline",
        "termijn": "deadline",
        "datum": "date",
        "lancering": "date",
        "telefoon": "phone",
        "telefoonnummer": "phone",
        "nummer": "phone",
        "versie": "version",
        "rente": "rate",
        "doel": "target",
        "capaciteit": "capacity",
        "omzet": "revenue",
        "marge": "margin",
        "totaal": "total",
        "factuur": "total",
        "offerte": "offer",
        "vergadering": "date",
        "levering": "delivery",
        "bruiloft": "date",
        "workshop": "date",
        "oppervlakte": "area",
        "duur": "duration",
        "conferentie": "date",
        "mobiel": "phone",
    },
    of=phrases("voor|van|in|voor de|voor het|van de|van het"),
    lead_ins=phrases(
        "correctie|sorry, typefout|typefout|rectificatie|update|herinnering|"
        """
        ter info | ter informatie | zoals besproken | zoals afgesproken | zoals overeengekomen | zoals toegezegd |
        trouwens | kortom |
        voor de duidelijkheid |
        """
        "ter herinnering|voor de goede orde"
    ),
    handed=phrases(
        """
        zoals beloofd | zoals gevraagd | zoals afgesproken | alsjeblieft | alstublieft
        """
    ),
    ways=phrases(
        """
        opnieuw | te voet | naar rechts | naar links | opzij | naar huis | met de auto | met de trein | met de fiets |
        per telefoon
        """
    ),
    no_deeds=phrases(
        """
        mijn excuses | onze excuses | een handje | om me heen | de controle nemen | hou op | houd op | houdt u op |
        maak plaats | maak me zorgen | maak mij zorgen | maken ons zorgen | wanneer je wilt | wanneer u wilt |
        wanneer jullie willen | noem me | noem mij
        """
    ),
    herewith=phrases(
        """
        bijgaand | hierbij | in de bijlage | als bijlage | in bijlage | bijgevoegd | bijgesloten
        """
    ),
)
