"""Italian."""

from consumer.understanding.languages.words import DateWords, Words, numbered, phrases, verbs, words

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
    no_dates=phrases("ieri|l'altro ieri|ieri sera|la settimana scorsa|il mese scorso|una settimana fa"),
    this_week=phrases("questa settimana|in settimana|entro la settimana"),
    next_week=phrases("la prossima settimana|la settimana prossima|prossima settimana|settimana prossima"),
    this_month=phrases("questo mese"),
    next_month=phrases("il prossimo mese|il mese prossimo|prossimo mese|mese prossimo"),
    weekend=phrases("questo weekend|il weekend|weekend|il fine settimana|questo fine settimana"),
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
    ahead=phrases("tra|fra|entro|nei prossimi|in|nelle prossime"),
    ahead_after=(),
    units={
        "giorno": 1,
        "giorni": 1,
        "settimana": 7,
        "settimane": 7,
        "mese": -1,
        "mesi": -1,
        "ora": 0,
        "ore": 0,
        "minuti": 0,
    },
    before_month=phrases("a|entro|in|prima di"),
    joints=phrases("di|del|il|l'"),
    times={"mezzogiorno": "12:00", "mezzanotte": "23:59"},
    at=phrases("alle ore|alle|entro le|prima delle|verso le|ore|all'|dalle"),
    hours=phrases("ore|h"),
    afternoon=phrases("del pomeriggio|di sera|di pomeriggio"),
    by=phrases(
        """
        entro | entro il | entro la | entro l' | entro e non oltre | prima di | prima del | prima della | fino a |
        fino al | al più tardi | al massimo entro | per | per il | per la | non oltre il
        """
    ),
    on=phrases("il|questo|di|a|al|la|in"),
    of=phrases("di|del|della|dal|da|dopo il"),
    never=phrases("non|non il|tranne|tranne il|eccetto|invece di|non prima di|non prima del"),
)

WORDS = Words(
    code="it",
    dates=DATES,
    numbers={
        "un": 1,
        "una": 1,
        "uno": 1,
        "due": 2,
        "tre": 3,
        "quattro": 4,
        "cinque": 5,
        "sei": 6,
        "sette": 7,
        "otto": 8,
        "nove": 9,
        "dieci": 10,
        "quindici": 15,
    },
    abbreviations=phrases(
        """
        sig | sigg | dott | dr | prof | ing | avv | arch | ecc | es | p.es | ca | n | art | gen | feb | mar |
        apr | mag | giu | lug | ago | sett | ott | nov | dic | tel | spett | gent | egr | s.r.l | s.p.a | rag |
        geom | dott.ssa | sig.ra
        """
    ),
    common=words(
        """
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
        """
    ),
    undertaking=phrases(
        """
        mi occupo di | mi occupo io di | mi occupo del | mi occupo della | mi occupo io del | mi occupo io della |
        mi occupo dell' | mi occupo io dell' | mi occuperò di | mi occuperò del | mi occuperò della |
        mi occuperò dell' | ci occupiamo di | ci occupiamo del | ci occupiamo della | mi incarico di |
        mi impegno a | mi occupo dei | mi occupo delle | mi occupo io dei | mi occuperò io della |
        mi occuperò io del | mi prendo in carico
        """
    ),
    will=phrases(
        """
        prometto di | mi impegno a | vado a | ho intenzione di | conto di | ti prometto di | vi prometto di |
        provvederò a | provvedo a | provvederemo a
        """
    ),
    must=phrases("devo|posso|dobbiamo|possiamo|devo ancora|voglio"),
    you_get=phrases("avrai|riceverai|avrà|riceverà|avrete|riceverete"),
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
    asking=words("chiedere verificare controllare confermare"),
    hedges=words(
        """
        forse probabilmente magari possibilmente eventualmente cercare cercherò cerco tentare tenterò provare
        proverò provo spero
        """
    ),
    fronting=words(
        """
        ok sì va bene certo grazie ciao salve buongiorno allora quindi e ma perfetto scusa scusate mi dispiace
        come concordato promesso d'accordo poi anche molto mille capito da parte mia inoltre entro il la lo i
        gli le prima di del della in senza problemi io noi caro cara gentile tutti più tardi dopo per al massimo
        oltre non volentieri intesi
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
        presto subito già ora adesso poi dopo anche ancora stesso immediatamente rapidamente volentieri
        personalmente direttamente qui lì così bene più tardi certamente sicuramente solo senz'altro prima
        possibile
        """
    ),
    to=words("a con per"),
    recipient=words("a al alla ai alle"),
    me=words("mi ci"),
    weak=words("parlare dare leggere portare cucinare versare provare girare"),
    performative=words("confermare informare invitare chiedere approvare"),
    elision=True,
    polite=phrases(
        """
        grazie | grazie mille | molte grazie | perfetto | ok | ciao | sì | scusa | scusate | va bene | ottimo |
        bene | ti ringrazio | la ringrazio | no | buongiorno
        """
    ),
    idle=words(
        """
        schermo meglio tempo momento minuto secondo attimo saluti abbraccio abbracci baci caffè birra telecamera
        microfono porta finestra dita attenzione fortuna parola vita testa occhio occhiata giro passeggiata
        notte mano
        """
    ),
    ask_infinitive=phrases(
        """
        puoi | potresti | può | potrebbe | potete | potreste | mi puoi | mi potresti | mi può | mi potrebbe |
        ci puoi | ci può | ti dispiacerebbe | le dispiacerebbe | riesci a | riuscite a | la prego di |
        vi prego di | ti chiedo di | le chiedo di | ci potete | ci potreste
        """
    ),
    imperatives=phrases(
        """
        mandami | mi mandi | inviami | mi invii | inviaci | mi invia | mi manda | girami | mi giri | passami |
        chiamami | mi chiami | confermami | mi confermi | manda | invia | rivedi | firma | prenota | prepara |
        inoltrami | mi inoltri | portami | dammi | mandaci | controlla | condividi | inviateci | inviatemi |
        mandatemi | mi confermate
        """
    ),
    please=phrases("per favore|per piacere|per cortesia|cortesemente|gentilmente"),
    accepted=phrases(
        """
        ci penso io | lo faccio | lo farò | certo | certamente | va bene, lo faccio | ok, lo faccio |
        sì, lo faccio | senz'altro | volentieri | nessun problema | me ne occupo io | me ne occupo |
        certo, me ne occupo | sì, ci penso io | ok, ci penso io | certo, lo faccio | consideralo fatto |
        con piacere | va bene, ci penso io | sarà fatto | sì certo | sì, certo | certo, ci penso io |
        lo faccio subito
        """
    ),
    declined=phrases(
        """
        non posso | mi dispiace, non posso | purtroppo non posso | purtroppo no | non riesco |
        purtroppo non riesco | non potrò | non è possibile | no, mi dispiace | mi dispiace, non riesco |
        devo declinare | non ce la faccio | purtroppo non ce la faccio | no, grazie | purtroppo non è possibile |
        mi spiace, non posso
        """
    ),
    received=phrases(
        """
        ricevuto | ricevuto, grazie | ricevuta, grazie | arrivato, grazie | è arrivato | è arrivato, grazie |
        l'ho ricevuto | l'ho ricevuta | grazie, ricevuto | ho ricevuto | ricevuti, grazie | arrivata, grazie |
        l'ho ricevuto, grazie | grazie, l'ho ricevuto | è arrivata, grazie
        """
    ),
    released=phrases(
        """
        non serve più | non è più necessario | non mi serve più | non ci serve più | non ne ho più bisogno |
        non occorre più | lascia stare | lascia perdere | lasci stare | lasciate stare |
        non ne abbiamo più bisogno | non serve più, grazie | non è più necessaria | non importa più |
        come non detto | non è più necessario, grazie | lascia perdere, grazie
        """
    ),
    done=phrases(
        """
        fatto | già fatto | è fatto | inviato | mandato | l'ho inviato | l'ho mandato | già inviato |
        appena inviato | te l'ho mandato | te l'ho inviato | pagato | prenotato | finito | ho finito | spedito |
        l'ho fatto | tutto fatto
        """
    ),
    declined_begin=phrases(
        """
        non posso | non riesco a | purtroppo non posso | purtroppo non riesco a | non potrò | non possiamo |
        mi dispiace, non posso | mi dispiace, non riesco a | non sono in grado di | purtroppo non potrò |
        non riuscirò a | mi dispiace ma non posso
        """
    ),
    received_begin=phrases(
        """
        ho ricevuto | abbiamo ricevuto | grazie per | grazie del | grazie della | ricevuto il | ricevuta la |
        grazie dei | grazie delle | ho appena ricevuto
        """
    ),
    released_begin=phrases(
        """
        non serve più | non mi serve più | non ci serve più | non ho più bisogno di | non ho più bisogno del |
        non ho più bisogno della | non abbiamo più bisogno di | non abbiamo più bisogno del |
        non abbiamo più bisogno della | non è più necessario | non occorre più | non serve che | non devi più |
        non occorre che | non servono più
        """
    ),
    released_end=phrases(
        """
        non serve più | non è più necessario | non è più necessaria | non servono più | non occorre più |
        non mi serve più
        """
    ),
    attached=phrases(
        """
        in allegato | in allegato trovi | in allegato trova | in allegato trovate | ti allego | le allego |
        vi allego | allego | ecco | eccoti | ecco qui | in allegato il | come promesso, ecco | in allegato la |
        troverai in allegato | troverà in allegato | in allegato invio | in allegato ti mando |
        in allegato ti invio | si allega | alleghiamo | in allegato vi invio
        """
    ),
    attached_end=phrases(
        """
        in allegato | è in allegato | allegato | è pronto | è pronta | è fatto | è fatta | è prenotato |
        è prenotata | è pagata | è stato inviato | è stata inviata | è stato spedito | sono pronti |
        sono in allegato
        """
    ),
    have=phrases(
        """
        ho | ti ho | vi ho | le ho | gli ho | ho già | ho appena | abbiamo | ti ho appena | ti ho già |
        vi abbiamo | le ho già | le ho appena
        """
    ),
    decided=phrases(
        """
        abbiamo deciso di | abbiamo deciso che | abbiamo deciso | si è deciso di | è stato deciso di |
        è stato deciso che | decisione: | abbiamo scelto | andiamo con | abbiamo optato per |
        abbiamo concordato di | abbiamo concordato | ho deciso di | ho deciso che | optiamo per | scegliamo |
        deciso: | si è deciso che | siamo d'accordo su
        """
    ),
    copula=phrases(
        """
        è | sono | è di | è ora di | ammonta a | = | costa | sarà di | : | è il | ora è di | sono di | è ora |
        è fissato al | è fissata al | sarà | ammontano a | adesso è di | ora è
        """
    ),
    moved=phrases(
        """
        è spostato al | è spostata al | è stato spostato al | è stata spostata al | è rinviato al |
        è rinviata al | è stato rinviato al | è stata rinviata al | passa al | passa a | sale a | scende a |
        slitta al | è slittato al | sarà il | è slittata al | è passato a
        """
    ),
    attributes={
        "budget": "budget",
        "prezzo": "price",
        "costo": "cost",
        "costi": "cost",
        "tariffa": "fee",
        "affitto": "rent",
        "cauzione": "deposit",
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
)
