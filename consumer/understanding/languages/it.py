"""Italian."""

from consumer.understanding.languages.words import DateWords, Words, numbered, phrases, verbs

DATES = DateWords(
    months=numbered(
        "gennaio gen | febbraio feb | marzo | aprile apr | maggio mag | giugno giu | luglio lug | agosto ago | settembre sett set | ottobre ott | novembre nov | dicembre dic"
    ),
    weekdays=numbered(
        "luned\u00ec lunedi | marted\u00ec martedi | mercoled\u00ec mercoledi | gioved\u00ec giovedi | venerd\u00ec venerdi | sabato | domenica",
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
    end_of=phrases("la fine della|fine della|la fine del|fine del|la fine dell'|fine dell'|la fine di|fine di|fine"),
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
        "entro|entro il|entro la|entro l'|entro e non oltre|prima di|prima del|prima della|fino a|fino al|al pi\u00f9 tardi|al massimo entro|per|per il|per la|non oltre il"
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
        "sig|sigg|dott|dr|prof|ing|avv|arch|ecc|es|p.es|ca|n|art|gen|feb|mar|apr|mag|giu|lug|ago|sett|ott|nov|dic|tel|spett|gent|egr|s.r.l|s.p.a|rag|geom|dott.ssa|sig.ra"
    ),
    common=frozenset(
        "il lo la gli le di del della dei delle che \u00e8 e un una per con non si mi ti vi ci da al alla nel nella sono ho hai ha come pi\u00f9 ma se anche grazie ciao io noi voi loro questo questa mio mia tuo tua suo sua entro domani oggi tra molto gi\u00e0 dal quando ancora i".split()
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
        "unit\u00e0": "unit",
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
        "m\u00b2": "m2",
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
        "mi occupo di|mi occupo io di|mi occupo del|mi occupo della|mi occupo io del|mi occupo io della|mi occupo dell'|mi occupo io dell'|mi occuper\u00f2 di|mi occuper\u00f2 del|mi occuper\u00f2 della|mi occuper\u00f2 dell'|ci occupiamo di|ci occupiamo del|ci occupiamo della|mi incarico di|mi impegno a|mi occupo dei|mi occupo delle|mi occupo io dei|mi occuper\u00f2 io della|mi occuper\u00f2 io del|mi prendo in carico"
    ),
    will=phrases(
        "prometto di|mi impegno a|vado a|ho intenzione di|conto di|ti prometto di|vi prometto di|provveder\u00f2 a|provvedo a|provvederemo a"
    ),
    must=phrases("devo|posso|dobbiamo|possiamo|devo ancora|voglio"),
    you_get=phrases("avrai|riceverai|avr\u00e0|ricever\u00e0|avrete|riceverete"),
    from_me=phrases("da me|da noi|da parte mia|da parte nostra"),
    third=phrases("deve|si \u00e8 impegnato a"),
    subjects=phrases("io|noi"),
    irregular={
        "far\u00f2 avere": "fare",
        "faccio avere": "fare",
        "faremo avere": "fare",
        "far\u00f2 sapere": "",
        "pagher\u00f2": "pagare",
        "pagheremo": "pagare",
        "caricher\u00f2": "caricare",
        "verificher\u00f2": "verificare",
        "modificher\u00f2": "modificare",
        "pubblicher\u00f2": "pubblicare",
        "pianificher\u00f2": "pianificare",
        "rivedr\u00f2": "rivedere",
        "dar\u00f2": "dare",
        "daremo": "dare",
        "faremo pervenire": "fare",
        "far\u00f2 pervenire": "fare",
        "tradurr\u00f2": "tradurre",
        "pubblicheremo": "pubblicare",
        "verificheremo": "verificare",
        "disdir\u00f2": "disdire",
        "rivedremo": "rivedere",
    },
    future={
        "are": ("er\u00f2", "eremo", "er\u00e0"),
        "ere": ("er\u00f2", "eremo", "er\u00e0"),
        "ire": ("ir\u00f2", "iremo", "ir\u00e0"),
    },
    plural={"iare": "iamo", "are": "iamo", "ere": "iamo", "ire": "iamo"},
    enclitics=phrases("velo|vela|telo|tela|glielo|gliela|ti|vi|le|gli|lo|la|li|ci|mi|ne|si"),
    negation=frozenset("non mai niente nulla nessuno nessuna n\u00e9 neanche nemmeno".split()),
    condition=phrases(
        "se|qualora|a patto che|a condizione che|quando|appena|non appena|una volta che|a meno che|purch\u00e9|dopo che|solo se"
    ),
    asking=frozenset("chiedere verificare controllare confermare".split()),
    hedges=frozenset(
        "forse probabilmente magari possibilmente eventualmente cercare cercher\u00f2 cerco tentare tenter\u00f2 provare prover\u00f2 provo spero".split()
    ),
    fronting=frozenset(
        "ok s\u00ec va bene certo grazie ciao salve buongiorno allora quindi e ma perfetto scusa scusate mi dispiace come concordato promesso d'accordo poi anche molto mille capito da parte mia inoltre entro il la lo i gli le prima di del della in senza problemi io noi caro cara gentile tutti pi\u00f9 tardi dopo per al massimo oltre non volentieri intesi".split()
    )
    - {"non"},
    conjunctions=frozenset("e ed poi o".split()),
    contrast=frozenset("ma per\u00f2 tuttavia anche-se quindi".split()),
    subordinate=frozenset("perch\u00e9 che chi cui dove quando mentre se come siccome poich\u00e9".split()),
    articles=frozenset(
        "il lo la i gli le l un uno una mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro questo questa questi queste quel quella tutti tutte".split()
    ),
    pronouns=frozenset("io tu lui lei noi voi loro mi ti si ci vi gli le lo la li ne me te s\u00e9".split()),
    pronoun_objects=frozenset("lo la li le ci\u00f2 questo quello tutto qualcosa ne l".split()),
    you=frozenset("ti vi le te voi lei".split()),
    prepositions=frozenset(
        "di del della dello dei degli delle dell a al alla allo ai alle in nel nella nei su sul sulla con per tra fra da dal dalla senza sotto sopra contro durante secondo dopo prima riguardo".split()
    ),
    adverbs=frozenset(
        "presto subito gi\u00e0 ora adesso poi dopo anche ancora stesso immediatamente rapidamente volentieri personalmente direttamente qui l\u00ec cos\u00ec bene pi\u00f9 tardi certamente sicuramente solo senz'altro prima possibile".split()
    ),
    to=frozenset("a con per".split()),
    recipient=frozenset("a al alla ai alle".split()),
    me=frozenset("mi ci".split()),
    weak=frozenset("parlare dare leggere portare cucinare versare provare girare".split()),
    elision=True,
    polite=phrases(
        "grazie|grazie mille|molte grazie|perfetto|ok|ciao|sì|scusa|scusate|va bene|ottimo|bene|ti ringrazio|la ringrazio|no|buongiorno"
    ),
    idle=frozenset(
        "schermo meglio tempo momento minuto secondo attimo saluti abbraccio abbracci baci caff\u00e8 birra telecamera microfono porta finestra dita attenzione fortuna parola vita testa occhio occhiata giro passeggiata notte mano".split()
    ),
    ask_infinitive=phrases(
        "puoi|potresti|pu\u00f2|potrebbe|potete|potreste|mi puoi|mi potresti|mi pu\u00f2|mi potrebbe|ci puoi|ci pu\u00f2|ti dispiacerebbe|le dispiacerebbe|riesci a|riuscite a|la prego di|vi prego di|ti chiedo di|le chiedo di|ci potete|ci potreste"
    ),
    imperatives=phrases(
        "mandami|mi mandi|inviami|mi invii|inviaci|mi invia|mi manda|girami|mi giri|passami|chiamami|mi chiami|confermami|mi confermi|manda|invia|rivedi|firma|prenota|prepara|inoltrami|mi inoltri|portami|dammi|mandaci|controlla|condividi|inviateci|inviatemi|mandatemi|mi confermate"
    ),
    please=phrases("per favore|per piacere|per cortesia|cortesemente|gentilmente"),
    accepted=phrases(
        "ci penso io|lo faccio|lo far\u00f2|certo|certamente|va bene, lo faccio|ok, lo faccio|s\u00ec, lo faccio|senz'altro|volentieri|nessun problema|me ne occupo io|me ne occupo|certo, me ne occupo|s\u00ec, ci penso io|ok, ci penso io|certo, lo faccio|consideralo fatto|con piacere|va bene, ci penso io|sar\u00e0 fatto|s\u00ec certo|s\u00ec, certo|certo, ci penso io|lo faccio subito"
    ),
    declined=phrases(
        "non posso|mi dispiace, non posso|purtroppo non posso|purtroppo no|non riesco|purtroppo non riesco|non potr\u00f2|non \u00e8 possibile|no, mi dispiace|mi dispiace, non riesco|devo declinare|non ce la faccio|purtroppo non ce la faccio|no, grazie|purtroppo non \u00e8 possibile|mi spiace, non posso"
    ),
    received=phrases(
        "ricevuto|ricevuto, grazie|ricevuta, grazie|arrivato, grazie|\u00e8 arrivato|\u00e8 arrivato, grazie|l'ho ricevuto|l'ho ricevuta|grazie, ricevuto|ho ricevuto|ricevuti, grazie|arrivata, grazie|l'ho ricevuto, grazie|grazie, l'ho ricevuto|\u00e8 arrivata, grazie"
    ),
    released=phrases(
        "non serve pi\u00f9|non \u00e8 pi\u00f9 necessario|non mi serve pi\u00f9|non ci serve pi\u00f9|non ne ho pi\u00f9 bisogno|non occorre pi\u00f9|lascia stare|lascia perdere|lasci stare|lasciate stare|non ne abbiamo pi\u00f9 bisogno|non serve pi\u00f9, grazie|non \u00e8 pi\u00f9 necessaria|non importa pi\u00f9|come non detto|non \u00e8 pi\u00f9 necessario, grazie|lascia perdere, grazie"
    ),
    done=phrases(
        "fatto|gi\u00e0 fatto|\u00e8 fatto|inviato|mandato|l'ho inviato|l'ho mandato|gi\u00e0 inviato|appena inviato|te l'ho mandato|te l'ho inviato|pagato|prenotato|finito|ho finito|spedito|l'ho fatto|tutto fatto"
    ),
    declined_begin=phrases(
        "non posso|non riesco a|purtroppo non posso|purtroppo non riesco a|non potr\u00f2|non possiamo|mi dispiace, non posso|mi dispiace, non riesco a|non sono in grado di|purtroppo non potr\u00f2|non riuscir\u00f2 a|mi dispiace ma non posso"
    ),
    received_begin=phrases(
        "ho ricevuto|abbiamo ricevuto|grazie per|grazie del|grazie della|ricevuto il|ricevuta la|grazie dei|grazie delle|ho appena ricevuto"
    ),
    released_begin=phrases(
        "non serve pi\u00f9|non mi serve pi\u00f9|non ci serve pi\u00f9|non ho pi\u00f9 bisogno di|non ho pi\u00f9 bisogno del|non ho pi\u00f9 bisogno della|non abbiamo pi\u00f9 bisogno di|non abbiamo pi\u00f9 bisogno del|non abbiamo pi\u00f9 bisogno della|non \u00e8 pi\u00f9 necessario|non occorre pi\u00f9|non serve che|non devi pi\u00f9|non occorre che|non servono pi\u00f9"
    ),
    released_end=phrases(
        "non serve pi\u00f9|non \u00e8 pi\u00f9 necessario|non \u00e8 pi\u00f9 necessaria|non servono pi\u00f9|non occorre pi\u00f9|non mi serve pi\u00f9"
    ),
    attached=phrases(
        "in allegato|in allegato trovi|in allegato trova|in allegato trovate|ti allego|le allego|vi allego|allego|ecco|eccoti|ecco qui|in allegato il|come promesso, ecco|in allegato la|troverai in allegato|trover\u00e0 in allegato|in allegato invio|in allegato ti mando|in allegato ti invio|si allega|alleghiamo|in allegato vi invio"
    ),
    attached_end=phrases(
        "in allegato|\u00e8 in allegato|allegato|\u00e8 pronto|\u00e8 pronta|\u00e8 fatto|\u00e8 fatta|\u00e8 prenotato|\u00e8 prenotata|\u00e8 pagata|\u00e8 stato inviato|\u00e8 stata inviata|\u00e8 stato spedito|sono pronti|sono in allegato"
    ),
    have=phrases(
        "ho|ti ho|vi ho|le ho|gli ho|ho gi\u00e0|ho appena|abbiamo|ti ho appena|ti ho gi\u00e0|vi abbiamo|le ho gi\u00e0|le ho appena"
    ),
    decided=phrases(
        "abbiamo deciso di|abbiamo deciso che|abbiamo deciso|si \u00e8 deciso di|\u00e8 stato deciso di|\u00e8 stato deciso che|decisione:|abbiamo scelto|andiamo con|abbiamo optato per|abbiamo concordato di|abbiamo concordato|ho deciso di|ho deciso che|optiamo per|scegliamo|deciso:|si \u00e8 deciso che|siamo d'accordo su"
    ),
    copula=phrases(
        "\u00e8|sono|\u00e8 di|\u00e8 ora di|ammonta a|=|costa|sar\u00e0 di|:|\u00e8 il|ora \u00e8 di|sono di|\u00e8 ora|\u00e8 fissato al|\u00e8 fissata al|sar\u00e0|ammontano a|adesso \u00e8 di|ora \u00e8"
    ),
    moved=phrases(
        "\u00e8 spostato al|\u00e8 spostata al|\u00e8 stato spostato al|\u00e8 stata spostata al|\u00e8 rinviato al|\u00e8 rinviata al|\u00e8 stato rinviato al|\u00e8 stata rinviata al|passa al|passa a|sale a|scende a|slitta al|\u00e8 slittato al|sar\u00e0 il|\u00e8 slittata al|\u00e8 passato a"
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
        "capacit\u00e0": "capacity",
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
