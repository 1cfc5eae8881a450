"""French."""

from consumer.understanding.languages.words import DateWords, Words, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        "janvier janv jan | février févr | mars | avril avr | mai | juin | juillet juil | août aout"
        " | septembre sept | octobre oct | novembre nov | décembre déc decembre"
    ),
    weekdays=numbered("lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche", 0),
    short_weekdays=numbered("lun | mar | mer | jeu | ven | sam | dim", 0),
    days={
        "aujourd'hui": 0,
        "ce soir": 0,
        "cet après-midi": 0,
        "ce matin": 0,
        "cette nuit": 0,
        "demain": 1,
        "après-demain": 2,
        "après demain": 2,
        "dès demain": 1,
        "dès aujourd'hui": 0,
        "ce midi": 0,
    },
    day_ends=phrases("fin de journée|la fin de la journée|fin de la journée|la fin de journée"),
    parts=phrases("matin|après-midi|soir|midi|dans la matinée|dans l'après-midi|dans la journée"),
    coming=phrases("ce"),
    following=(),
    coming_after=phrases("prochain|qui vient"),
    past=(),
    past_after=phrases("dernier|dernière|passé|passée"),
    no_dates=phrases("hier|avant-hier|hier soir|il y a une semaine"),
    this_week=phrases("cette semaine|dans la semaine|en cours de semaine"),
    next_week=phrases("la semaine prochaine|semaine prochaine|de la semaine prochaine"),
    this_month=phrases("ce mois-ci|ce mois"),
    next_month=phrases("le mois prochain|mois prochain"),
    weekend=phrases("ce week-end|le week-end|ce weekend|week-end|weekend"),
    end_of=phrases(
        """
        la fin de la | la fin du | la fin de l' | fin de la | fin du | fin de l' | la fin de cette | la fin de |
        fin de | fin
        """
    ),
    periods={
        "semaine": "w",
        "mois": "m",
        "trimestre": "q",
        "année": "y",
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
    at=phrases("à|avant|vers|d'ici|pour|de"),
    hours=phrases("heures|heure|h"),
    afternoon=phrases("de l'après-midi|du soir"),
    by=phrases(
        """
        avant | avant le | d'ici | d'ici le | d'ici au | d'ici à | jusqu'au | jusqu'à | au plus tard |
        au plus tard le | pour | pour le | avant ce | avant la
        """
    ),
    on=phrases("le|en|ce|dès|au|à"),
    of=phrases("du|de|depuis|depuis le|de ce|après|daté du"),
    never=phrases("pas|pas le|sauf|sauf le|pas avant|pas avant le|plutôt que|au lieu de"),
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
        """
        m | mm | mme | mlle | dr | pr | st | ste | etc | p.ex | cf | n° | env | janv | févr | avr | juil | sept |
        oct | nov | déc | tel | tél | av | bd | art | max | min | réf
        """
    ),
    common=words(
        """
        le la les de du des et est je vous nous tu un une pour avec dans sur pas que qui ne au aux ce cette mon
        ma mes votre vos notre j'ai c'est il elle on te se plus merci bonjour sont à en d'ici par ton ta tes son
        sa ses mais ou si leur vais ci-joint avant
        """
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
        "ingénieurs": "engineer",
        "employés": "employee",
        "salariés": "employee",
        "invités": "guest",
        "participants": "attendee",
        "licences": "licence",
        "licence": "licence",
        "unités": "unit",
        "jour": "day",
        "jours": "day",
        "semaine": "week",
        "semaines": "week",
        "mois": "month",
        "an": "year",
        "ans": "year",
        "années": "year",
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
        "m²": "m2",
    },
    percent=phrases("%|pour cent|pourcent"),
    verbs=verbs(
        """
        envoyer envoie envoyé
        renvoyer renvoie renvoyé
        transmettre transmets transmis
        remettre remets remis
        transférer transfère transféré
        partager partage partagé
        expédier expédie expédié
        adresser adresse adressé
        livrer livre livré
        fournir fournis fourni
        apporter apporte apporté
        donner donne donné
        rendre rends rendu
        déposer dépose déposé
        publier publie publié
        communiquer communique communiqué
        préparer prépare préparé
        rédiger rédige rédigé
        écrire écris écrit
        relire relis relu
        lire lis lu
        vérifier vérifie vérifié
        contrôler contrôle contrôlé
        valider valide validé
        confirmer confirme confirmé
        approuver approuve approuvé
        signer signe signé
        tester teste testé
        analyser analyse analysé
        comparer compare comparé
        collecter collecte collecté
        rassembler rassemble rassemblé
        réserver réserve réservé
        organiser organise organisé
        planifier planifie planifié
        programmer programme programmé
        fixer fixe fixé
        annuler annule annulé
        renouveler renouvelle renouvelé
        commander commande commandé
        acheter achète acheté
        payer paie payé
        régler règle réglé
        virer vire viré
        rembourser rembourse remboursé
        appeler appelle appelé
        rappeler rappelle rappelé
        contacter contacte contacté
        demander demande demandé
        prévenir préviens prévenu
        informer informe informé
        relancer relance relancé
        inviter invite invité
        présenter présente présenté
        créer crée créé
        traduire traduis traduit
        corriger corrige corrigé
        réviser révise révisé
        modifier modifie modifié
        adapter adapte adapté
        actualiser actualise actualisé
        réparer répare réparé
        résoudre résous résolu
        installer installe installé
        configurer configure configuré
        déployer déploie déployé
        migrer migre migré
        finir finis fini
        terminer termine terminé
        finaliser finalise finalisé
        compléter complète complété
        remplir remplis rempli
        imprimer imprime imprimé
        scanner scanne scanné
        négocier négocie négocié
        résumer résume résumé
        ajouter ajoute ajouté
        supprimer supprime supprimé
        récupérer récupère récupéré
        cuisiner cuisine cuisiné
        remplacer remplace remplacé
        examiner examine examiné
        étudier étudie étudié
        regarder regarde regardé
        """
    ),
    undertaking=phrases(
        """
        m'occupe de | m'occupe du | m'occupe des | me charge de | me charge du | me charge des | m'engage à |
        m'occuperai de | m'occuperai du | m'occuperai des | me chargerai de | nous occupons de |
        nous occupons du | me chargerai du | me charge d' | m'occupe d' | prends en charge
        """
    ),
    will=phrases(
        """
        je vais | nous allons | on va | je promets de | je m'engage à | je compte | je vais donc | je vais aussi |
        je promets d' | je m'engage à vous
        """
    ),
    must=phrases(
        """
        je dois | je peux | il faut que je | nous devons | nous pouvons | on doit | on peut | je dois encore |
        il me faut | je veux
        """
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
        "achèterai": "acheter",
        "paierai": "payer",
        "paierons": "payer",
        "réglerai": "régler",
        "préviendrai": "prévenir",
        "renouvellerai": "renouveler",
        "ferons parvenir": "faire",
        "transfèrerai": "transférer",
        "paye": "payer",
        "complèterai": "compléter",
        "récupèrerai": "récupérer",
        "déploierai": "déployer",
    },
    future={"er": ("erai", "erons", "era"), "ir": ("irai", "irons", "ira"), "re": ("rai", "rons", "ra")},
    plural={"ger": "geons", "cer": "çons", "er": "ons", "ir": "issons"},
    negation=words("ne n pas jamais rien personne aucun aucune plus ni nullement") - {"plus"},
    condition=phrases(
        """
        si | s'il | s'ils | à condition que | sous réserve | dès que | lorsque | quand | une fois que |
        au cas où | sauf si | pourvu que | après que
        """
    ),
    asking=words("demander vérifier regarder contrôler"),
    hedges=words(
        """
        peut-être probablement sans-doute éventuellement essayer essaie essaierai essayerai tenter tente espère
        """
    ),
    fronting=words(
        """
        ok oui d'accord merci bien bonjour salut alors donc et mais parfait super désolé désolée comme convenu
        promis prévu pour le la les ce cette de du avant au plus tard puis ensuite aussi entendu noté cher chère
        tous à pas problème de soucis souci ma part en dans dès vers par ailleurs promis sûr promis beaucoup
        après voilà sinon enfin
        """
    ),
    conjunctions=words("et puis ou"),
    contrast=words("mais cependant toutefois car donc"),
    subordinate=words("parce puisque que qu qui dont où lorsque quand si comme afin tandis alors pendant"),
    articles=words(
        """
        le la les l un une des du mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette
        ces tous toutes
        """
    ),
    pronouns=words(
        """
        je tu il elle on nous vous ils elles me m te t se s lui leur le la les l y en moi toi j eux tous
        """
    ),
    pronoun_objects=words("le la les l cela ça ceci tout en quelque chose"),
    you=words("te t vous toi"),
    prepositions=words(
        """
        de d du des à au aux en dans sur pour par avec chez vers sans sous entre contre depuis jusqu' d'ici
        après avant concernant
        """
    ),
    adverbs=words(
        """
        bientôt vite rapidement tout suite alors aussi encore déjà bien volontiers immédiatement directement
        personnellement d'abord ensuite puis plus tard maintenant ici là svp donc même seulement asap séparément
        comme convenu promis prévu certainement sûrement au
        """
    ),
    to=words("à avec pour"),
    recipient=words("à au aux"),
    me=words("moi me m nous"),
    weak=words("regarder donner lire cuisiner"),
    performative=words("confirmer informer inviter demander valider approuver annuler"),
    elision=True,
    polite=phrases(
        """
        merci | merci beaucoup | merci bien | parfait | super | ok | bonjour | salut | oui | désolé | désolée |
        d'accord | un grand merci | merci à toi | merci à vous | non
        """
    ),
    idle=words(
        """
        écran mieux temps moment minute seconde pensées regards pause café thé bière caméra micro porte fenêtre
        doigts attention chance bisous bises salutations effort efforts mot yeux tête courage point vie train
        parole
        """
    ),
    ask_infinitive=phrases(
        """
        pouvez-vous | pourriez-vous | peux-tu | pourrais-tu | merci de | merci de bien vouloir | veuillez |
        prière de | tu peux | tu pourrais | vous pouvez | vous pourriez | est-ce que tu peux |
        est-ce que vous pouvez | est-ce que vous pourriez | est-ce que tu pourrais | merci de me |
        je vous prie de | je vous demande de | peux tu | pouvez vous | pourriez vous | pourrais tu
        """
    ),
    imperatives=phrases(
        """
        envoie-moi | envoyez-moi | envoie-nous | envoyez-nous | appelle-moi | appelez-moi | transmets-moi |
        transmettez-moi | confirme-moi | confirmez-moi | donne-moi | donnez-moi | apporte-moi
        """
    ),
    please=phrases("s'il vous plaît|s'il te plaît|svp|stp"),
    accepted=phrases(
        """
        je m'en occupe | je m'en charge | d'accord, je m'en occupe | ok, je m'en occupe | oui, je m'en occupe |
        bien sûr | bien sûr, je m'en occupe | entendu | c'est entendu | avec plaisir | volontiers |
        pas de problème | pas de souci | pas de soucis | je le fais | je vais le faire | je le ferai |
        oui, je le fais | je vais m'en occuper | ce sera fait | sans problème | comptez sur moi | compte sur moi |
        ok, je le fais | d'accord, je le fais | oui, bien sûr | ça marche, je m'en occupe
        """
    ),
    declined=phrases(
        """
        je ne peux pas | désolé, je ne peux pas | désolée, je ne peux pas | malheureusement je ne peux pas |
        ce n'est pas possible | malheureusement non | je ne pourrai pas | désolé, ce n'est pas possible |
        non, désolé | non, désolée | je dois décliner | désolé, je ne pourrai pas | impossible pour moi |
        je peux pas | non merci
        """
    ),
    received=phrases(
        """
        bien reçu | bien reçu, merci | reçu | reçu, merci | merci, bien reçu | c'est bien arrivé | je l'ai reçu |
        je l'ai bien reçu | merci, je l'ai reçu | merci, reçu | je l'ai bien reçu, merci | bien arrivé |
        bien arrivé, merci
        """
    ),
    released=phrases(
        """
        plus besoin | ce n'est plus nécessaire | plus nécessaire | c'est plus la peine | ce n'est plus la peine |
        plus la peine | laisse tomber | laissez tomber | je n'en ai plus besoin | nous n'en avons plus besoin |
        on n'en a plus besoin | oublie | plus besoin, merci | ce n'est plus utile | oubliez |
        c'est réglé de mon côté | j'en ai plus besoin
        """
    ),
    done=phrases(
        """
        c'est fait | fait | c'est envoyé | envoyé | c'est parti | c'est bon, c'est fait | voilà, c'est fait |
        je l'ai envoyé | je l'ai fait | c'est réservé | c'est payé | terminé | c'est terminé |
        je viens de l'envoyer | c'est réglé | je te l'ai envoyé | je vous l'ai envoyé
        """
    ),
    declined_begin=phrases(
        """
        je ne peux pas | je ne pourrai pas | malheureusement je ne peux pas | malheureusement, je ne peux pas |
        désolé, je ne peux pas | je ne vais pas | nous ne pouvons pas | je ne suis pas en mesure de |
        désolée, je ne peux pas
        """
    ),
    received_begin=phrases(
        """
        j'ai bien reçu | j'ai reçu | nous avons reçu | nous avons bien reçu | merci pour | merci de votre envoi |
        bien reçu
        """
    ),
    released_begin=phrases(
        """
        plus besoin de | plus besoin du | plus besoin des | je n'ai plus besoin de | je n'ai plus besoin du |
        nous n'avons plus besoin de | nous n'avons plus besoin du | il n'est plus nécessaire de |
        on n'a plus besoin de | on n'a plus besoin du | ce n'est plus la peine de | pas la peine de | inutile de |
        tu n'as plus besoin de | vous n'avez plus besoin de | plus la peine de | je n'ai plus besoin des
        """
    ),
    released_end=phrases("n'est plus nécessaire|ne sont plus nécessaires|n'est plus utile|n'est plus requis"),
    attached=phrases(
        """
        ci-joint | ci-jointe | ci-joints | ci-jointes | veuillez trouver ci-joint | vous trouverez ci-joint |
        tu trouveras ci-joint | veuillez trouver en pièce jointe | en pièce jointe |
        en pièce jointe, vous trouverez | voici | voilà | je vous joins | je joins | je te joins |
        comme promis, voici | veuillez trouver ci-jointe | je vous prie de trouver ci-joint |
        vous trouverez en pièce jointe | tu trouveras en pièce jointe | en annexe | vous trouverez ci-jointe |
        vous trouverez ci-joints
        """
    ),
    attached_end=phrases(
        """
        en pièce jointe | ci-joint | ci-jointe | est en pièce jointe | est prêt | est prête | est envoyé |
        est envoyée | est parti | est partie | est réservé | est réservée | est terminé | est terminée |
        est payée | est fait
        """
    ),
    have=phrases(
        """
        j'ai | je t'ai | je vous ai | nous avons | nous vous avons | je lui ai | je leur ai | on a | je viens de
        """
    ),
    decided=phrases(
        """
        nous avons décidé de | nous avons décidé d' | nous avons décidé que | on a décidé de | on a décidé que |
        on a décidé d' | nous avons choisi | on a choisi | décision : | décision: | il a été décidé de |
        il a été décidé que | on part sur | nous partons sur | nous avons opté pour | on a opté pour |
        nous avons convenu de | nous avons convenu que | nous sommes convenus de | j'ai décidé de |
        j'ai décidé d' | nous retenons | on retient | nous nous sommes mis d'accord sur |
        on s'est mis d'accord sur
        """
    ),
    copula=phrases(
        """
        est | sont | est de | est désormais de | est maintenant de | s'élève à | = | coûte | est fixé à |
        est fixée à | sera de | : | est le | est fixée au | est fixé au | est au | s'élèvent à | sont de |
        passe à | reste de
        """
    ),
    moved=phrases(
        """
        est reporté au | est reportée au | a été reporté au | a été reportée au | est déplacé au |
        a été déplacé au | passe à | est passé à | est passée à | reporté au | aura lieu le | est décalé au |
        est avancé au | a été déplacée au | est déplacée au | est décalée au | a été décalé au
        """
    ),
    attributes={
        "budget": "budget",
        "prix": "price",
        "coût": "cost",
        "coûts": "cost",
        "frais": "fee",
        "loyer": "rent",
        "caution": "deposit",
        "acompte": "deposit",
        "salaire": "salary",
        "remise": "discount",
        "délai": "deadline",
        "échéance": "deadline",
        "date limite": "deadline",
        "date": "date",
        "lancement": "date",
        "téléphone": "phone",
        "numéro": "phone",
        "numéro de téléphone": "phone",
        "version": "version",
        "taux": "rate",
        "objectif": "target",
        "capacité": "capacity",
        "chiffre d'affaires": "revenue",
        "marge": "margin",
        "total": "total",
        "facture": "total",
        "devis": "offer",
        "réunion": "date",
        "livraison": "delivery",
        "mariage": "date",
        "atelier": "date",
        "surface": "area",
        "durée": "duration",
        "conférence": "date",
        "tarif": "price",
    },
    of=phrases("pour|de|du|d'|des|de la|de l'|pour le|pour la"),
)
