"""French."""

from consumer.understanding.languages.words import DateWords, Words, numbered, phrases, verbs

DATES = DateWords(
    months=numbered(
        "janvier janv jan | f\u00e9vrier f\u00e9vr | mars | avril avr | mai | juin | juillet juil | ao\u00fbt aout"
        " | septembre sept | octobre oct | novembre nov | d\u00e9cembre d\u00e9c decembre"
    ),
    weekdays=numbered("lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche", 0),
    short_weekdays=numbered("lun | mar | mer | jeu | ven | sam | dim", 0),
    days={
        "aujourd'hui": 0,
        "ce soir": 0,
        "cet apr\u00e8s-midi": 0,
        "ce matin": 0,
        "cette nuit": 0,
        "demain": 1,
        "apr\u00e8s-demain": 2,
        "apr\u00e8s demain": 2,
        "d\u00e8s demain": 1,
        "d\u00e8s aujourd'hui": 0,
        "ce midi": 0,
    },
    day_ends=phrases(
        "fin de journ\u00e9e|la fin de la journ\u00e9e|fin de la journ\u00e9e|la fin de journ\u00e9e"
    ),
    parts=phrases("matin|apr\u00e8s-midi|soir|midi|dans la matin\u00e9e|dans l'apr\u00e8s-midi|dans la journ\u00e9e"),
    coming=phrases("ce"),
    following=(),
    coming_after=phrases("prochain|qui vient"),
    past=(),
    past_after=phrases("dernier|derni\u00e8re|pass\u00e9|pass\u00e9e"),
    no_dates=phrases("hier|avant-hier|hier soir|il y a une semaine"),
    this_week=phrases("cette semaine|dans la semaine|en cours de semaine"),
    next_week=phrases("la semaine prochaine|semaine prochaine|de la semaine prochaine"),
    this_month=phrases("ce mois-ci|ce mois"),
    next_month=phrases("le mois prochain|mois prochain"),
    weekend=phrases("ce week-end|le week-end|ce weekend|week-end|weekend"),
    end_of=phrases(
        "la fin de la|la fin du|la fin de l'|fin de la|fin du|fin de l'|la fin de cette|la fin de|fin de|fin"
    ),
    periods={
        "semaine": "w",
        "mois": "m",
        "trimestre": "q",
        "ann\u00e9e": "y",
        "semaine prochaine": "nw",
        "mois prochain": "nm",
    },
    ahead=phrases("dans les|d'ici|sous|dans"),
    ahead_after=(),
    units={
        "jour": 1,
        "jours": 1,
        "semaine": 7,
        "semaines": 7,
        "mois": -1,
        "heure": 0,
        "heures": 0,
        "minutes": 0,
        "quinze jours": 15,
    },
    before_month=phrases("en|d'ici|avant|courant"),
    joints=phrases("le|du"),
    times={"midi": "12:00", "minuit": "23:59"},
    at=phrases("\u00e0|avant|vers|d'ici|pour|de"),
    hours=phrases("heures|heure|h"),
    afternoon=phrases("de l'apr\u00e8s-midi|du soir"),
    by=phrases(
        "avant|avant le|d'ici|d'ici le|d'ici au|d'ici \u00e0|jusqu'au|jusqu'\u00e0|au plus tard|au plus tard le|pour|pour le|avant ce|avant la"
    ),
    on=phrases("le|en|ce|d\u00e8s|au|\u00e0"),
    of=phrases("du|de|depuis|depuis le|de ce|apr\u00e8s|dat\u00e9 du"),
    never=phrases("pas|pas le|sauf|sauf le|pas avant|pas avant le|plut\u00f4t que|au lieu de"),
)

WORDS = Words(
    code="fr",
    dates=DATES,
    numbers={
        "un": 1,
        "une": 1,
        "deux": 2,
        "trois": 3,
        "quatre": 4,
        "cinq": 5,
        "six": 6,
        "sept": 7,
        "huit": 8,
        "neuf": 9,
        "dix": 10,
        "quinze": 15,
    },
    abbreviations=phrases(
        "m|mm|mme|mlle|dr|pr|st|ste|etc|p.ex|cf|n\u00b0|env|janv|f\u00e9vr|avr|juil|sept|oct|nov|d\u00e9c|tel|t\u00e9l|av|bd|art|max|min|r\u00e9f"
    ),
    common=frozenset(
        "le la les de du des et est je vous nous tu un une pour avec dans sur pas que qui ne au aux ce cette mon ma mes votre vos notre j'ai c'est il elle on te se plus merci bonjour sont \u00e0 en d'ici par ton ta tes son sa ses mais ou si leur vais ci-joint avant".split()
    ),
    grouping=" ",
    scales={
        "k": 1_000,
        "mille": 1_000,
        "m": 1_000_000,
        "million": 1_000_000,
        "millions": 1_000_000,
        "millions d'": 1_000_000,
        "md": 1_000_000_000,
        "milliard": 1_000_000_000,
        "milliards": 1_000_000_000,
    },
    currencies={
        "euro": "EUR",
        "euros": "EUR",
        "dollar": "USD",
        "dollars": "USD",
        "livres": "GBP",
        "francs": "CHF",
        "yens": "JPY",
        "d'euros": "EUR",
    },
    counted={
        "place": "seat",
        "places": "seat",
        "personne": "person",
        "personnes": "person",
        "utilisateurs": "user",
        "clients": "customer",
        "ing\u00e9nieurs": "engineer",
        "employ\u00e9s": "employee",
        "salari\u00e9s": "employee",
        "invit\u00e9s": "guest",
        "participants": "attendee",
        "licences": "licence",
        "licence": "licence",
        "unit\u00e9s": "unit",
        "jour": "day",
        "jours": "day",
        "semaine": "week",
        "semaines": "week",
        "mois": "month",
        "an": "year",
        "ans": "year",
        "ann\u00e9es": "year",
        "heure": "hour",
        "heures": "hour",
        "minutes": "minute",
        "km": "km",
        "kg": "kg",
        "go": "gb",
        "to": "tb",
        "pages": "page",
        "magasins": "store",
        "sites": "site",
        "membres": "member",
        "chambres": "room",
        "exemplaires": "copy",
        "m\u00b2": "m2",
    },
    percent=phrases("%|pour cent|pourcent"),
    verbs=verbs(
        """
        envoyer envoie envoy\u00e9
        renvoyer renvoie renvoy\u00e9
        transmettre transmets transmis
        remettre remets remis
        transf\u00e9rer transf\u00e8re transf\u00e9r\u00e9
        partager partage partag\u00e9
        exp\u00e9dier exp\u00e9die exp\u00e9di\u00e9
        adresser adresse adress\u00e9
        livrer livre livr\u00e9
        fournir fournis fourni
        apporter apporte apport\u00e9
        donner donne donn\u00e9
        rendre rends rendu
        d\u00e9poser d\u00e9pose d\u00e9pos\u00e9
        publier publie publi\u00e9
        communiquer communique communiqu\u00e9
        pr\u00e9parer pr\u00e9pare pr\u00e9par\u00e9
        r\u00e9diger r\u00e9dige r\u00e9dig\u00e9
        \u00e9crire \u00e9cris \u00e9crit
        relire relis relu
        lire lis lu
        v\u00e9rifier v\u00e9rifie v\u00e9rifi\u00e9
        contr\u00f4ler contr\u00f4le contr\u00f4l\u00e9
        valider valide valid\u00e9
        confirmer confirme confirm\u00e9
        approuver approuve approuv\u00e9
        signer signe sign\u00e9
        tester teste test\u00e9
        analyser analyse analys\u00e9
        comparer compare compar\u00e9
        collecter collecte collect\u00e9
        rassembler rassemble rassembl\u00e9
        r\u00e9server r\u00e9serve r\u00e9serv\u00e9
        organiser organise organis\u00e9
        planifier planifie planifi\u00e9
        programmer programme programm\u00e9
        fixer fixe fix\u00e9
        annuler annule annul\u00e9
        renouveler renouvelle renouvel\u00e9
        commander commande command\u00e9
        acheter ach\u00e8te achet\u00e9
        payer paie pay\u00e9
        r\u00e9gler r\u00e8gle r\u00e9gl\u00e9
        virer vire vir\u00e9
        rembourser rembourse rembours\u00e9
        appeler appelle appel\u00e9
        rappeler rappelle rappel\u00e9
        contacter contacte contact\u00e9
        demander demande demand\u00e9
        pr\u00e9venir pr\u00e9viens pr\u00e9venu
        informer informe inform\u00e9
        relancer relance relanc\u00e9
        inviter invite invit\u00e9
        pr\u00e9senter pr\u00e9sente pr\u00e9sent\u00e9
        cr\u00e9er cr\u00e9e cr\u00e9\u00e9
        traduire traduis traduit
        corriger corrige corrig\u00e9
        r\u00e9viser r\u00e9vise r\u00e9vis\u00e9
        modifier modifie modifi\u00e9
        adapter adapte adapt\u00e9
        actualiser actualise actualis\u00e9
        r\u00e9parer r\u00e9pare r\u00e9par\u00e9
        r\u00e9soudre r\u00e9sous r\u00e9solu
        installer installe install\u00e9
        configurer configure configur\u00e9
        d\u00e9ployer d\u00e9ploie d\u00e9ploy\u00e9
        migrer migre migr\u00e9
        finir finis fini
        terminer termine termin\u00e9
        finaliser finalise finalis\u00e9
        compl\u00e9ter compl\u00e8te compl\u00e9t\u00e9
        remplir remplis rempli
        imprimer imprime imprim\u00e9
        scanner scanne scann\u00e9
        n\u00e9gocier n\u00e9gocie n\u00e9goci\u00e9
        r\u00e9sumer r\u00e9sume r\u00e9sum\u00e9
        ajouter ajoute ajout\u00e9
        supprimer supprime supprim\u00e9
        r\u00e9cup\u00e9rer r\u00e9cup\u00e8re r\u00e9cup\u00e9r\u00e9
        cuisiner cuisine cuisin\u00e9
        remplacer remplace remplac\u00e9
        examiner examine examin\u00e9
        \u00e9tudier \u00e9tudie \u00e9tudi\u00e9
        regarder regarde regard\u00e9
        """
    ),
    undertaking=phrases(
        "m'occupe de|m'occupe du|m'occupe des|me charge de|me charge du|me charge des|m'engage \u00e0|m'occuperai de|m'occuperai du|m'occuperai des|me chargerai de|nous occupons de|nous occupons du|me chargerai du|me charge d'|m'occupe d'|prends en charge"
    ),
    will=phrases(
        "je vais|nous allons|on va|je promets de|je m'engage \u00e0|je compte|je vais donc|je vais aussi|je promets d'|je m'engage \u00e0 vous"
    ),
    must=phrases(
        "je dois|je peux|il faut que je|nous devons|nous pouvons|on doit|on peut|je dois encore|il me faut|je veux"
    ),
    you_get=phrases("vous aurez|tu auras|vous recevrez|tu recevras"),
    from_me=phrases("de ma part|de notre part"),
    third=phrases("va"),
    subjects=phrases("je|j|nous|on"),
    irregular={
        "enverrai": "envoyer",
        "enverrons": "envoyer",
        "enverra": "envoyer",
        "renverrai": "renvoyer",
        "ferai": "faire",
        "ferai parvenir": "faire",
        "fais parvenir": "faire",
        "appellerai": "appeler",
        "appellerons": "appeler",
        "rappellerai": "rappeler",
        "ach\u00e8terai": "acheter",
        "paierai": "payer",
        "paierons": "payer",
        "r\u00e9glerai": "r\u00e9gler",
        "pr\u00e9viendrai": "pr\u00e9venir",
        "renouvellerai": "renouveler",
        "ferons parvenir": "faire",
        "transf\u00e8rerai": "transf\u00e9rer",
        "paye": "payer",
        "compl\u00e8terai": "compl\u00e9ter",
        "r\u00e9cup\u00e8rerai": "r\u00e9cup\u00e9rer",
        "d\u00e9ploierai": "d\u00e9ployer",
    },
    future={"er": ("erai", "erons", "era"), "ir": ("irai", "irons", "ira"), "re": ("rai", "rons", "ra")},
    plural={"ger": "geons", "cer": "\u00e7ons", "er": "ons", "ir": "issons"},
    negation=frozenset("ne n pas jamais rien personne aucun aucune plus ni nullement".split()) - {"plus"},
    condition=phrases(
        "si|s'il|s'ils|\u00e0 condition que|sous r\u00e9serve|d\u00e8s que|lorsque|quand|une fois que|au cas o\u00f9|sauf si|pourvu que|apr\u00e8s que"
    ),
    asking=frozenset("demander v\u00e9rifier regarder contr\u00f4ler".split()),
    hedges=frozenset(
        "peut-\u00eatre probablement sans-doute \u00e9ventuellement essayer essaie essaierai essayerai tenter tente esp\u00e8re".split()
    ),
    fronting=frozenset(
        "ok oui d'accord merci bien bonjour salut alors donc et mais parfait super d\u00e9sol\u00e9 d\u00e9sol\u00e9e comme convenu promis pr\u00e9vu pour le la les ce cette de du avant au plus tard puis ensuite aussi entendu not\u00e9 cher ch\u00e8re tous \u00e0 pas probl\u00e8me de soucis souci ma part en dans d\u00e8s vers par ailleurs promis s\u00fbr promis beaucoup apr\u00e8s voil\u00e0 sinon enfin".split()
    ),
    conjunctions=frozenset("et puis ou".split()),
    contrast=frozenset("mais cependant toutefois car donc".split()),
    subordinate=frozenset(
        "parce puisque que qu qui dont o\u00f9 lorsque quand si comme afin tandis alors pendant".split()
    ),
    articles=frozenset(
        "le la les l un une des du mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces tous toutes".split()
    ),
    pronouns=frozenset(
        "je tu il elle on nous vous ils elles me m te t se s lui leur le la les l y en moi toi j eux tous".split()
    ),
    pronoun_objects=frozenset("le la les l cela \u00e7a ceci tout en quelque chose".split()),
    you=frozenset("te t vous toi".split()),
    prepositions=frozenset(
        "de d du des \u00e0 au aux en dans sur pour par avec chez vers sans sous entre contre depuis jusqu' d'ici apr\u00e8s avant concernant".split()
    ),
    adverbs=frozenset(
        "bient\u00f4t vite rapidement tout suite alors aussi encore d\u00e9j\u00e0 bien volontiers imm\u00e9diatement directement personnellement d'abord ensuite puis plus tard maintenant ici l\u00e0 svp donc m\u00eame seulement asap s\u00e9par\u00e9ment comme convenu promis pr\u00e9vu certainement s\u00fbrement au".split()
    ),
    to=frozenset("\u00e0 avec pour".split()),
    recipient=frozenset("à au aux".split()),
    me=frozenset("moi me m nous".split()),
    weak=frozenset("regarder donner lire cuisiner".split()),
    elision=True,
    polite=phrases(
        "merci|merci beaucoup|merci bien|parfait|super|ok|bonjour|salut|oui|désolé|désolée|d'accord|un grand merci|merci à toi|merci à vous|non"
    ),
    idle=frozenset(
        "\u00e9cran mieux temps moment minute seconde pens\u00e9es regards pause caf\u00e9 th\u00e9 bi\u00e8re cam\u00e9ra micro porte fen\u00eatre doigts attention chance bisous bises salutations effort efforts mot yeux t\u00eate courage point vie train parole".split()
    ),
    ask_infinitive=phrases(
        "pouvez-vous|pourriez-vous|peux-tu|pourrais-tu|merci de|merci de bien vouloir|veuillez|pri\u00e8re de|tu peux|tu pourrais|vous pouvez|vous pourriez|est-ce que tu peux|est-ce que vous pouvez|est-ce que vous pourriez|est-ce que tu pourrais|merci de me|je vous prie de|je vous demande de|peux tu|pouvez vous|pourriez vous|pourrais tu"
    ),
    imperatives=phrases(
        "envoie-moi|envoyez-moi|envoie-nous|envoyez-nous|appelle-moi|appelez-moi|transmets-moi|transmettez-moi|confirme-moi|confirmez-moi|donne-moi|donnez-moi|apporte-moi"
    ),
    please=phrases("s'il vous pla\u00eet|s'il te pla\u00eet|svp|stp"),
    accepted=phrases(
        "je m'en occupe|je m'en charge|d'accord, je m'en occupe|ok, je m'en occupe|oui, je m'en occupe|bien s\u00fbr|bien s\u00fbr, je m'en occupe|entendu|c'est entendu|avec plaisir|volontiers|pas de probl\u00e8me|pas de souci|pas de soucis|je le fais|je vais le faire|je le ferai|oui, je le fais|je vais m'en occuper|ce sera fait|sans probl\u00e8me|comptez sur moi|compte sur moi|ok, je le fais|d'accord, je le fais|oui, bien s\u00fbr|\u00e7a marche, je m'en occupe"
    ),
    declined=phrases(
        "je ne peux pas|d\u00e9sol\u00e9, je ne peux pas|d\u00e9sol\u00e9e, je ne peux pas|malheureusement je ne peux pas|ce n'est pas possible|malheureusement non|je ne pourrai pas|d\u00e9sol\u00e9, ce n'est pas possible|non, d\u00e9sol\u00e9|non, d\u00e9sol\u00e9e|je dois d\u00e9cliner|d\u00e9sol\u00e9, je ne pourrai pas|impossible pour moi|je peux pas|non merci"
    ),
    received=phrases(
        "bien re\u00e7u|bien re\u00e7u, merci|re\u00e7u|re\u00e7u, merci|merci, bien re\u00e7u|c'est bien arriv\u00e9|je l'ai re\u00e7u|je l'ai bien re\u00e7u|merci, je l'ai re\u00e7u|merci, re\u00e7u|je l'ai bien re\u00e7u, merci|bien arriv\u00e9|bien arriv\u00e9, merci"
    ),
    released=phrases(
        "plus besoin|ce n'est plus n\u00e9cessaire|plus n\u00e9cessaire|c'est plus la peine|ce n'est plus la peine|plus la peine|laisse tomber|laissez tomber|je n'en ai plus besoin|nous n'en avons plus besoin|on n'en a plus besoin|oublie|plus besoin, merci|ce n'est plus utile|oubliez|c'est r\u00e9gl\u00e9 de mon c\u00f4t\u00e9|j'en ai plus besoin"
    ),
    done=phrases(
        "c'est fait|fait|c'est envoy\u00e9|envoy\u00e9|c'est parti|c'est bon, c'est fait|voil\u00e0, c'est fait|je l'ai envoy\u00e9|je l'ai fait|c'est r\u00e9serv\u00e9|c'est pay\u00e9|termin\u00e9|c'est termin\u00e9|je viens de l'envoyer|c'est r\u00e9gl\u00e9|je te l'ai envoy\u00e9|je vous l'ai envoy\u00e9"
    ),
    declined_begin=phrases(
        "je ne peux pas|je ne pourrai pas|malheureusement je ne peux pas|malheureusement, je ne peux pas|d\u00e9sol\u00e9, je ne peux pas|je ne vais pas|nous ne pouvons pas|je ne suis pas en mesure de|d\u00e9sol\u00e9e, je ne peux pas"
    ),
    received_begin=phrases(
        "j'ai bien re\u00e7u|j'ai re\u00e7u|nous avons re\u00e7u|nous avons bien re\u00e7u|merci pour|merci de votre envoi|bien re\u00e7u"
    ),
    released_begin=phrases(
        "plus besoin de|plus besoin du|plus besoin des|je n'ai plus besoin de|je n'ai plus besoin du|nous n'avons plus besoin de|nous n'avons plus besoin du|il n'est plus n\u00e9cessaire de|on n'a plus besoin de|on n'a plus besoin du|ce n'est plus la peine de|pas la peine de|inutile de|tu n'as plus besoin de|vous n'avez plus besoin de|plus la peine de|je n'ai plus besoin des"
    ),
    released_end=phrases("n'est plus n\u00e9cessaire|ne sont plus n\u00e9cessaires|n'est plus utile|n'est plus requis"),
    attached=phrases(
        "ci-joint|ci-jointe|ci-joints|ci-jointes|veuillez trouver ci-joint|vous trouverez ci-joint|tu trouveras ci-joint|veuillez trouver en pi\u00e8ce jointe|en pi\u00e8ce jointe|en pi\u00e8ce jointe, vous trouverez|voici|voil\u00e0|je vous joins|je joins|je te joins|comme promis, voici|veuillez trouver ci-jointe|je vous prie de trouver ci-joint|vous trouverez en pi\u00e8ce jointe|tu trouveras en pi\u00e8ce jointe|en annexe|vous trouverez ci-jointe|vous trouverez ci-joints"
    ),
    attached_end=phrases(
        "en pi\u00e8ce jointe|ci-joint|ci-jointe|est en pi\u00e8ce jointe|est pr\u00eat|est pr\u00eate|est envoy\u00e9|est envoy\u00e9e|est parti|est partie|est r\u00e9serv\u00e9|est r\u00e9serv\u00e9e|est termin\u00e9|est termin\u00e9e|est pay\u00e9e|est fait"
    ),
    have=phrases("j'ai|je t'ai|je vous ai|nous avons|nous vous avons|je lui ai|je leur ai|on a|je viens de"),
    decided=phrases(
        "nous avons d\u00e9cid\u00e9 de|nous avons d\u00e9cid\u00e9 d'|nous avons d\u00e9cid\u00e9 que|on a d\u00e9cid\u00e9 de|on a d\u00e9cid\u00e9 que|on a d\u00e9cid\u00e9 d'|nous avons choisi|on a choisi|d\u00e9cision :|d\u00e9cision:|il a \u00e9t\u00e9 d\u00e9cid\u00e9 de|il a \u00e9t\u00e9 d\u00e9cid\u00e9 que|on part sur|nous partons sur|nous avons opt\u00e9 pour|on a opt\u00e9 pour|nous avons convenu de|nous avons convenu que|nous sommes convenus de|j'ai d\u00e9cid\u00e9 de|j'ai d\u00e9cid\u00e9 d'|nous retenons|on retient|nous nous sommes mis d'accord sur|on s'est mis d'accord sur"
    ),
    copula=phrases(
        "est|sont|est de|est d\u00e9sormais de|est maintenant de|s'\u00e9l\u00e8ve \u00e0|=|co\u00fbte|est fix\u00e9 \u00e0|est fix\u00e9e \u00e0|sera de|:|est le|est fix\u00e9e au|est fix\u00e9 au|est au|s'\u00e9l\u00e8vent \u00e0|sont de|passe \u00e0|reste de"
    ),
    moved=phrases(
        "est report\u00e9 au|est report\u00e9e au|a \u00e9t\u00e9 report\u00e9 au|a \u00e9t\u00e9 report\u00e9e au|est d\u00e9plac\u00e9 au|a \u00e9t\u00e9 d\u00e9plac\u00e9 au|passe \u00e0|est pass\u00e9 \u00e0|est pass\u00e9e \u00e0|report\u00e9 au|aura lieu le|est d\u00e9cal\u00e9 au|est avanc\u00e9 au|a \u00e9t\u00e9 d\u00e9plac\u00e9e au|est d\u00e9plac\u00e9e au|est d\u00e9cal\u00e9e au|a \u00e9t\u00e9 d\u00e9cal\u00e9 au"
    ),
    attributes={
        "budget": "budget",
        "prix": "price",
        "co\u00fbt": "cost",
        "co\u00fbts": "cost",
        "frais": "fee",
        "loyer": "rent",
        "caution": "deposit",
        "acompte": "deposit",
        "salaire": "salary",
        "remise": "discount",
        "d\u00e9lai": "deadline",
        "\u00e9ch\u00e9ance": "deadline",
        "date limite": "deadline",
        "date": "date",
        "lancement": "date",
        "t\u00e9l\u00e9phone": "phone",
        "num\u00e9ro": "phone",
        "num\u00e9ro de t\u00e9l\u00e9phone": "phone",
        "version": "version",
        "taux": "rate",
        "objectif": "target",
        "capacit\u00e9": "capacity",
        "chiffre d'affaires": "revenue",
        "marge": "margin",
        "total": "total",
        "facture": "total",
        "devis": "offer",
        "r\u00e9union": "date",
        "livraison": "delivery",
        "mariage": "date",
        "atelier": "date",
        "surface": "area",
        "dur\u00e9e": "duration",
        "conf\u00e9rence": "date",
        "tarif": "price",
    },
    of=phrases("pour|de|du|d'|des|de la|de l'|pour le|pour la"),
)
