"""French."""

from consumer.understanding.languages.words import HOUR, DateWords, Words, combined, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        "janvier janv jan | février févr | mars | avril avr | mai | juin | juillet juil | août aout"
        " | septembre sept | octobre oct | novembre nov | décembre déc decembre"
    ),
    weekdays=numbered("lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche", 0),
    short_weekdays=numbered("lun | mar | mer | jeu | ven | sam | dim", 0),
    days={
        "sous huitaine": 7,
        "sous quinzaine": 14,
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
    no_dates=phrases(
        """
        à la première heure |
        dans la matinée | dans l'après-midi | dans la soirée | dans la journée | hier | avant-hier |
        hier soir | il y a une semaine
        """
    ),
    this_week=phrases("cette semaine"),
    later_week=phrases(
        """
        dans la semaine | en cours de semaine | au cours de la semaine | dans le courant de la semaine |
        courant de semaine | plus tard cette semaine | plus tard dans la semaine
        """
    ),
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
    year_end=phrases("fin d'année|la fin d'année"),
    ahead=phrases("dans les|d'ici|sous|dans"),
    ahead_after=(),
    units={
        "jour": 1,
        "jours": 1,
        "semaine": 7,
        "semaines": 7,
        "mois": -1,
        "heure": HOUR,
        "heures": HOUR,
        "minutes": 0,
        "quinze jours": 15,
    },
    before_month=phrases("en|d'ici|avant|courant"),
    joints=phrases("le|du"),
    times={"midi": "12:00", "minuit": "23:59"},
    at=phrases("à|avant|vers|d'ici|pour|de"),
    hours=phrases("heures|heure|h"),
    afternoon=phrases("de l'après-midi|du soir"),
    mornings=phrases("matin|matinée|nuit"),
    afternoons=words("midi"),
    evenings=words("soir soirée"),
    by=phrases(
        """
        pas plus tard que | pas plus tard que le |
        avant | avant le | d'ici | d'ici le | d'ici au | d'ici à | jusqu'au | jusqu'à | au plus tard |
        au plus tard le | pour | pour le | avant ce | avant la
        """
    ),
    before=words("avant"),
    on=phrases("le|en|ce|dès|au|à"),
    of=phrases("du|de|à partir de|à partir du|dès|depuis|depuis le|de ce|après|daté du"),
    never=phrases("pas|pas le|sauf|sauf le|pas avant|pas avant le|plutôt que|au lieu de"),
    week_later=phrases("en huit"),
    day_of_month=phrases("le"),
    counted_from=phrases("après"),
    middle_of=phrases("mi|la mi|le milieu de|milieu"),
    first_of=phrases("premier"),
)

WORDS = Words(
    code="fr",
    dates=DATES,
    short={"pr": "pour", "av": "avec", "ds": "dans"},
    other_numbers={"une": 1},
    abbreviations=phrases(
        """
        amb |
        m | mm | mme | mlle | dr | pr | st | ste | etc | p.ex | cf | n° | env | janv | févr | avr | juil | sept |
        oct | nov | déc | tel | tél | av | bd | art | max | min | réf |
        mlles | me | mgr | drs | profs | ing | arch | incl | excl | dre | sté | éts | chap |
        p | apt | bât | resp | cie | dép
        """
    ),
    common=words(
        """
        salut chère
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
        faxer faxe faxé
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
        résilier résilie résilié
        assurer assure assuré
        ramener ramène ramené
        rapporter rapporte rapporté
        déplacer déplace déplacé
        décaler décale décalé
        reporter reporte reporté
        montrer montre montré
        indiquer indique indiqué
        préciser précise précisé
        noter note noté
        répondre réponds répondu
        chercher cherche cherché
        trouver trouve trouvé
        calculer calcule calculé
        mesurer mesure mesuré
        compter compte compté
        estimer estime estimé
        chiffrer chiffre chiffré
        poster poste posté
        télécharger télécharge téléchargé
        sauvegarder sauvegarde sauvegardé
        nettoyer nettoie nettoyé
        ranger range rangé
        laver lave lavé
        peindre peins peint
        monter monte monté
        démonter démonte démonté
        changer change changé
        échanger échange échangé
        prêter prête prêté
        emprunter emprunte emprunté
        embaucher embauche embauché
        recruter recrute recruté
        lancer lance lancé
        diffuser diffuse diffusé
        distribuer distribue distribué
        copier copie copié
        classer classe classé
        archiver archive archivé
        facturer facture facturé
        déclarer déclare déclaré
        inscrire inscris inscrit
        soumettre soumets soumis
        proposer propose proposé
        mettre mets mis
        prendre prends pris
        reprendre reprends repris
        joindre - joint
        passer passe passé
        amener amène amené
        porter porte porté
        """
    ),
    undertaking=phrases(
        """
        m'occupe de | m'occupe du | m'occupe des | me charge de | me charge du | me charge des | m'engage à |
        m'occuperai de | m'occuperai du | m'occuperai des | me chargerai de | nous occupons de | nous occupons du |
        me chargerai du | me charge d' | m'occupe d' | prends en charge | fais le point avec | fais le point sur |
        ferai le point avec | ferai le point sur | prends contact avec | prendrai contact avec | mets à jour |
        mettrai à jour | me chargerai des | prendrai en charge | vais m'occuper de | vais m'occuper du |
        vais m'occuper des | reviens vers vous avec | reviens vers toi avec | reviendrai vers vous avec |
        tiens au courant de | parle à | parlerai à | passe prendre | passerai prendre | vais chercher |
        irai chercher | m'occuperai d' | me chargerai d'
        """
    ),
    will=phrases(
        """
        je vais | nous allons | on va | je promets de | je m'engage à | je compte | je vais donc | je vais aussi |
        je promets d' | je m'engage à vous | je vais aller | on va aller | je vais te | j'vais | jvais |
        je compte bien | nous comptons | je tâcherai de
        """
    ),
    must=phrases(
        """
        je dois | je peux | il faut que je | nous devons | nous pouvons | on doit | on peut | je dois encore |
        il me faut | je veux
        """
    ),
    you_get=phrases(
        """
        vous aurez | tu auras | vous recevrez | tu recevras | vous allez recevoir | tu vas recevoir |
        vous allez avoir | tu vas avoir | vous les aurez | vous trouverez
        """
    ),
    from_me=phrases("de ma part|de notre part"),
    third=phrases("va"),
    subjects=phrases(
        """
        je | j | nous | on | jte | jvous | jle | jla | jles | j'
        """
    ),
    irregular={
        "enverrai": "envoyer",
        "enverrons": "envoyer",
        "enverra": "envoyer",
        "renverrai": "renvoyer",
        "ferai": "faire",
        "ferai parvenir": "faire",
        "fais parvenir": "faire",
        "fais suivre": "faire",
        "ferai suivre": "faire",
        "faisons suivre": "faire",
        "ferons suivre": "faire",
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
    asking=words("demander vérifier regarder contrôler voir"),
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
        après voilà sinon enfin finalement
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
        je tu il elle on nous vous ils elles me m te t se s lui leur le la les l y en moi toi j eux tous jte jvous
        jle jla jles moi-même toi-même lui-même elle-même nous-mêmes vous-même vous-mêmes
        """
    ),
    pronoun_objects=words("le la les l cela ça ceci tout en quelque chose"),
    you=words(
        """
        te t vous toi jte jvous
        """
    ),
    prepositions=words(
        """
        de d du des à au aux en dans sur pour par avec chez vers sans sous entre contre depuis jusqu' d'ici
        après avant concernant
        """
    ),
    adverbs=words(
        """
        conséquence
        bientôt vite rapidement tout suite alors aussi encore déjà bien volontiers immédiatement directement
        personnellement d'abord ensuite puis plus tard maintenant ici là svp donc même seulement asap séparément
        comme convenu promis prévu certainement sûrement au juste
        """
    ),
    to=words("à avec pour"),
    recipient=words("à au aux"),
    me=words("moi me m nous"),
    offers=words(
        "questions question problème problèmes souhaitez souhaites voulez désirez désires besoin intéressé intéressée"
    ),
    help=words(
        "renseignements renseignement informations information précisions aide détails questions question besoin"
    ),
    courtesy=words("peux pouvez pourriez temps moment occasion"),
    contacting=phrases("contact | appel | adress | écri | téléphon"),
    sending=words("envoyer envoie envoyez renvoyer transmettre transférer transmets transmettez faire-suivre mailer"),
    doubt=words("si s'il"),
    states=words("est sont ai fait"),
    suits=words(
        """
        ok possible nécessaire prêt prête disponible libre faux correct ça cela accord d'accord
        """
    ),
    at_once=phrases(
        """
        donne | apport | pass | tien | tenir | répét | ouvr | ferm | met | pren | attend | sign | rempl |
        essay | parl | aid | chang | mont
        """
    ),
    staging=frozenset(
        phrases(
            """
            regarder | montrer | expliquer | répondre | présenter | répéter | donner | lire | revenir | vérifier |
            résumer | dire | continuer
            """
        )
    ),
    acquiring=words("acheter commander chercher prendre cuisiner organiser planifier prévoir"),
    us=words("nous on"),
    for_self=words("me m"),
    vague=phrases(
        "avec un peu de chance|avec de la chance|la prochaine fois|un jour|"
        "à l'avenir|un de ces jours|un de ces quatre|dans le futur"
    ),
    questioning=words("comment pourquoi quand où que"),
    chatting=words("plus pourquoi"),
    ask_wish=phrases("veux-tu|voulez-vous"),
    can=phrases("tu peux|vous pouvez|tu pourras|vous pourrez"),
    telling=phrases("dis | dites | dire | montr | expliqu | racont"),
    weak=words("regarder donner lire cuisiner"),
    performative=words("confirmer informer inviter demander valider approuver annuler"),
    elision=True,
    polite=phrases(
        """
        merci | merci beaucoup | merci bien | parfait | super | ok | bonjour | salut | oui | désolé | désolée |
        d'accord | un grand merci | merci à toi | merci à vous | non | finalement | en fin de compte
        """
    ),
    idle=words(
        """
        vérité écran mieux temps moment minute seconde pensées regards pause café thé bière caméra micro porte fenêtre
        sorte
        doigts attention chance bisous bises salutations effort efforts mot yeux tête courage point vie train
        parole
        possible
        confiance semblant mine procès excuses faveur baiser bisou main
        """
    ),
    will_alone=phrases(
        """
        vais | vais te | vais vous
        """
    ),
    soon=words(
        """
        tantôt bientôt
        """
    ),
    from_others=words(
        """
        par
        """
    ),
    undertaken=phrases(
        """
        je lui ai promis | je leur ai promis | je me suis engagé à | je me suis engagée à | j'ai promis à |
        nous nous sommes engagés à | j'ai accepté de | j'ai convenu de
        """
    ),
    promised=phrases(
        """
        j'ai promis | je t'ai promis | je vous ai promis | nous avons promis | on a promis
        """
    ),
    formal=words(
        """
        vous votre vos madame monsieur mesdames messieurs
        """
    ),
    giving=words(
        """
        envoyer
        """
    ),
    arranging=words("réserver récupérer"),
    idle_verbs=words(
        """
        remercier saluer féliciter
        revenir
        être avoir aller venir voir croire imaginer savoir comprendre entendre sentir penser aimer vouloir pouvoir
        devoir rester attendre vivre dormir manger boire nager conduire marcher courir chanter danser jouer parler
        excuser pardonner noter agréer accepter croire sembler rire pleurer arriver partir sortir entrer devenir
        souvenir aider tenir hier fier dernier premier février janvier courrier atelier dossier papier quartier
        métier plaisir avenir loisir lire-dire dire
        """
    ),
    infinitive_ends=phrases(
        """
        er | ir | re
        """
    ),
    reported=words(
        """
        dit disait demande écrit répondu promis affirme raconte
        """
    ),
    habits=words(
        """
        chaque toujours souvent habitude normalement d'habitude parfois avant-hier
        """
    ),
    remind=phrases(
        """
        n'oublie pas de | n'oubliez pas de | n'oublie pas d' | n'oubliez pas d' | pense à | pensez à |
        pense bien à | pensez bien à | oublie pas de | oublie pas d' | n'oublie pas | n'oubliez pas | oublie pas |
        merci de penser à | merci de ne pas oublier de | merci de ne pas oublier d' | veuillez ne pas oublier de |
        tâche de | tâchez de
        """
    ),
    have_you=phrases(
        """
        tu as | as-tu | t'as | tas | avez-vous | vous avez | est-ce que tu as | est-ce que vous avez | as tu
        """
    ),
    happens={
        "commence le": "start",
        "commence": "start",
        "débute le": "start",
        "débute": "start",
        "démarre le": "start",
        "démarre": "start",
        "commencent le": "start",
        "se termine le": "end",
        "finit le": "end",
        "se termine": "end",
        "ferme à": "closing",
        "ferme": "closing",
        "ouvre le": "opening",
        "ouvre à": "opening",
        "ouvre": "opening",
        "a lieu le": "date",
        "expire le": "end",
        "arrive le": "delivery",
    },
    received_end=phrases(
        """
        reçu | reçue | reçus | reçues | bien reçu | bien reçue | bien reçus | bien reçues |
        est arrivé | est arrivée | sont arrivés | sont arrivées | est bien arrivé | est bien arrivée |
        sont bien arrivés | sont bien arrivées | m'est parvenu | m'est parvenue
        """
    ),
    declined_end=phrases(
        """
        n'est pas possible pour moi
        """
    ),
    elliptic=words(
        """
        payer envoyer renvoyer régler virer apporter signer réserver commander livrer
        """
    ),
    could=phrases(
        """
        pourrait
        """
    ),
    thanked=words(
        """
        patience compréhension aide soutien temps soirée journée après-midi appel réponse retour réunion visite
        effort efforts travail conseil conseils confiance intérêt gentillesse attention collaboration invitation
        rappel accueil échange disponibilité
        """
    ),
    idioms=phrases(
        """
        jeter un œil à | jeter un œil au | jeter un œil sur | jeter un coup d'œil à | jeter un coup d'œil au |
        jeter un coup d'œil sur | prendre contact avec | mettre à jour | faire parvenir | faire suivre |
        donner suite à
        """
    ),
    ask_duty=phrases(
        """
        tu dois | vous devez | peut-être pourrais-tu | peut-être pourriez-vous |
        peut-être que tu pourrais | peut-être que vous pourriez
        """
    ),
    ask_infinitive=phrases(
        """
        quand peux-tu | quand pourrais-tu | quand pouvez-vous | quand pourriez-vous |
        pouvez-vous | pourriez-vous | peux-tu | pourrais-tu | merci de | merci de bien vouloir | veuillez |
        prière de | tu peux | tu pourrais | vous pouvez | vous pourriez | est-ce que tu peux |
        est-ce que vous pouvez | est-ce que vous pourriez | est-ce que tu pourrais | merci de me | je vous prie de |
        je vous demande de | peux tu | pouvez vous | pourriez vous | pourrais tu | est-ce que tu veux bien |
        tu veux bien | tu voudrais bien | vous voulez bien | voudriez-vous | voudrais-tu |
        veux-tu bien | voulez-vous bien | auriez-vous la gentillesse de | aurais-tu la gentillesse de |
        auriez-vous l'amabilité de | seriez-vous en mesure de | serait-il possible de | est-ce possible de |
        serait-ce possible de | ça te dérange de | ça t'embête de | ça vous dérangerait de | tu penses pouvoir |
        je te demande de | je te prie de | je vous serais reconnaissant de | je vous saurais gré de | merci d' |
        merci de nous | j'aurais besoin que tu | je vous remercie de | je te remercie de | n'hésite pas à me |
        ce serait bien que tu | ce serait super si tu pouvais | ce serait bien si tu pouvais | ce serait gentil de |
        t'aurais pas le temps de | est ce que tu peux | est ce que tu pourrais | est ce que vous pouvez |
        est ce que vous pourriez | tu pourras | vous pourrez | peux-tu nous | pouvez-vous nous | quelqu'un peut |
        quelqu'un pourrait | est-ce que quelqu'un peut | est-ce que quelqu'un pourrait |
        est-ce que l'un de vous peut | l'un de vous peut
        """
    ),
    imperatives=phrases(
        """
        envoie-moi | envoyez-moi | envoie-nous | envoyez-nous | appelle-moi | appelez-moi | transmets-moi |
        transmettez-moi | confirme-moi | confirmez-moi | donne-moi | donnez-moi | apporte-moi | renvoie-moi |
        renvoyez-moi | passe-moi | passez-moi | dis-moi | dites-moi | rappelle-moi | rappelez-moi | ramène-moi |
        montre-moi | montrez-moi | prête-moi | fais-moi | faites-moi | transfère-moi | transférez-moi |
        partage-moi | partagez-moi | envoie | envoyez | renvoie | renvoyez | transmets | transmettez | vérifie |
        vérifiez | relis | relisez | prépare | préparez | réserve | réservez | appelle | appelez | confirme |
        confirmez | signe | signez | apporte | apportez | ramène | ramenez | prévois | prévoyez | mets | mettez |
        ajoute | ajoutez | corrige | corrigez | imprime | imprimez | paie | payez | commande | commandez | achète |
        achetez | complète | complétez | envoie-le-moi | renvoie-la-moi
        """
    ),
    please=phrases(
        """
        s'il vous plaît | s'il te plaît | svp | stp | s'il vous plait | s'il te plait | merci d'avance | par pitié
        """
    ),
    accepted=phrases(
        """
        je m'en occupe | je m'en charge | d'accord, je m'en occupe | ok, je m'en occupe | oui, je m'en occupe |
        bien sûr | bien sûr, je m'en occupe | entendu | c'est entendu | avec plaisir | volontiers |
        pas de problème | pas de souci | pas de soucis | je le fais | je vais le faire | je le ferai |
        oui, je le fais | je vais m'en occuper | ce sera fait | sans problème | comptez sur moi | compte sur moi |
        ok, je le fais | d'accord, je le fais | oui, bien sûr | ça marche, je m'en occupe | ça marche |
        ok ça marche | ok pour moi | c'est bon pour moi | je m'en charge demain | je gère | je gère ça | je prends |
        je m'y mets | c'est noté | noté | ok je fais ça | je fais ça | vas-y je m'en occupe | bien entendu |
        évidemment | carrément | avec grand plaisir | ok je m'en occupe | oui je m'en occupe |
        d'accord je m'en occupe | oui volontiers | je m'en occupe tout de suite | je le fais de suite |
        pas de problème, je le fais | je prends ça | ok je m'en charge | oui, je m'en charge
        """
    ),
    declined=phrases(
        """
        je ne peux pas | désolé, je ne peux pas | désolée, je ne peux pas | malheureusement je ne peux pas |
        ce n'est pas possible | malheureusement non | je ne pourrai pas | désolé, ce n'est pas possible |
        non, désolé | non, désolée | je dois décliner | désolé, je ne pourrai pas | impossible pour moi |
        je peux pas | non merci | je ne peux pas, désolé | pas possible pour moi | je passe mon tour |
        ça ne va pas être possible | ça va pas être possible | malheureusement pas | je n'ai pas le temps |
        j'ai pas le temps | je peux pas, désolé | je peux pas, désolée | désolé je peux pas
        """
    ),
    received=phrases(
        """
        bien reçu | bien reçu, merci | reçu | reçu, merci | merci, bien reçu | c'est bien arrivé | je l'ai reçu |
        je l'ai bien reçu | merci, je l'ai reçu | merci, reçu | je l'ai bien reçu, merci | bien arrivé |
        bien arrivé, merci | reçus, merci | bien reçue | bien reçus | bien reçues | bien reçue, merci |
        bien reçus, merci | j'ai bien reçu | tout reçu | tout est arrivé | reçue, merci | ok reçu | c'est arrivé
        """
    ),
    released=phrases(
        """
        plus besoin | ce n'est plus nécessaire | plus nécessaire | c'est plus la peine | ce n'est plus la peine |
        plus la peine | laisse tomber | laissez tomber | je n'en ai plus besoin | nous n'en avons plus besoin |
        on n'en a plus besoin | oublie | plus besoin, merci | ce n'est plus utile | oubliez |
        c'est réglé de mon côté | j'en ai plus besoin | c'est bon | c'est bon finalement | finalement c'est bon |
        finalement pas besoin | finalement plus besoin | oublie ça | oubliez ça | laisse, c'est bon |
        t'inquiète, c'est bon | c'est plus nécessaire | c'est annulé | ce n'est plus d'actualité |
        c'est plus d'actualité | déjà réglé | c'est déjà réglé | pas la peine | ce n'est pas la peine |
        pas besoin | ce n'est pas nécessaire | c'est pas nécessaire | pas nécessaire | ne fais pas ça |
        ne faites pas ça |
        plus la peine, merci
        """
    ),
    done=phrases(
        """
        ci-joint | en pièce jointe |
        c'est fait | fait | c'est envoyé | envoyé | c'est parti | c'est bon, c'est fait | voilà, c'est fait |
        je l'ai envoyé | je l'ai fait | c'est réservé | c'est payé | terminé | c'est terminé |
        je viens de l'envoyer | c'est réglé | je te l'ai envoyé | je vous l'ai envoyé | c'est déjà fait |
        déjà fait | déjà envoyé | je viens de le faire | c'est posté | je l'ai payé | c'est commandé | c'est bouclé |
        le voici | la voici | les voici | voir pièce jointe | voir pj | je te l'ai envoyée |
        je vous l'ai envoyée | je viens de te l'envoyer | je viens de vous l'envoyer
        """
    ),
    declined_begin=phrases(
        """
        je ne peux pas | je ne pourrai pas | malheureusement je ne peux pas | malheureusement, je ne peux pas |
        désolé, je ne peux pas | je ne vais pas | nous ne pouvons pas | je ne suis pas en mesure de |
        désolée, je ne peux pas | je n'arriverai pas à | je ne vais pas pouvoir | je vais pas pouvoir |
        je pourrai pas | je peux pas | on ne peut pas | on ne pourra pas | nous ne pourrons pas |
        il m'est impossible de | je n'aurai pas le temps de | je n'ai pas le temps de |
        je suis dans l'impossibilité de | malheureusement je ne pourrai pas | malheureusement, je ne pourrai pas |
        je ne serai pas en mesure de | je dois renoncer à
        """
    ),
    received_begin=phrases(
        """
        j'accuse réception de | j'accuse réception du | nous accusons réception de | je confirme la réception
        de | nous confirmons la
        réception de |
        j'ai bien reçu | j'ai reçu | nous avons reçu | nous avons bien reçu | merci pour | merci de votre envoi |
        bien reçu | bien reçus | bien reçue | bien reçues | j'ai eu | on a reçu | on a bien reçu | reçu le |
        reçu la | reçu les | merci de l'envoi | merci pour l'envoi | j'ai bien eu
        """
    ),
    released_begin=phrases(
        """
        plus besoin de | plus besoin du | plus besoin des | je n'ai plus besoin de | je n'ai plus besoin du |
        nous n'avons plus besoin de | nous n'avons plus besoin du | il n'est plus nécessaire de |
        on n'a plus besoin de | on n'a plus besoin du | ce n'est plus la peine de | pas la peine de | inutile de |
        tu n'as plus besoin de | vous n'avez plus besoin de | plus la peine de | je n'ai plus besoin des |
        laisse tomber pour | laissez tomber pour | laisse tomber | laissez tomber | oublie pour | oublie | oubliez |
        oublie l'histoire de | c'est bon pour | plus besoin d' | on n'a plus besoin d' | on a plus besoin de |
        on a plus besoin du | on a plus besoin des | j'ai plus besoin de | j'ai plus besoin du |
        j'ai plus besoin des | t'as plus besoin de | t'embête pas avec | pas besoin de | pas besoin du |
        pas besoin des | nous n'avons plus besoin des | on n'a plus besoin des | ce n'est plus nécessaire de |
        finalement pas besoin de | finalement pas besoin du | tu peux oublier | vous pouvez oublier |
        tu peux laisser tomber | vous pouvez laisser tomber |
        on peut se passer de | on peut se passer du | nous pouvons nous passer de | nous pouvons nous passer du |
        je peux me passer de | je peux me passer du |
        ne t'embête plus avec | ne vous embêtez plus avec | ne t'occupe plus de | ne vous occupez plus de
        """
    ),
    released_end=phrases(
        """
        n'est plus nécessaire | ne sont plus nécessaires | n'est plus utile | n'est plus requis |
        n'est plus d'actualité | ne sont plus utiles | ne sert plus à rien | est annulé | est annulée |
        n'est plus la peine | est plus nécessaire | c'est bon | c'est plus la peine | ne sont plus d'actualité |
        on n'en a plus besoin
        """
    ),
    attached=phrases(
        """
        ci-joint | ci-jointe | ci-joints | ci-jointes | veuillez trouver ci-joint | vous trouverez ci-joint |
        tu trouveras ci-joint | veuillez trouver en pièce jointe | en pièce jointe |
        en pièce jointe, vous trouverez | voici | voilà | je vous joins | je joins | je te joins |
        comme promis, voici | veuillez trouver ci-jointe | je vous prie de trouver ci-joint |
        vous trouverez en pièce jointe | tu trouveras en pièce jointe | en annexe | vous trouverez ci-jointe |
        vous trouverez ci-joints | en pj | ci joint | vous trouverez en pj | tu trouveras en pj |
        je te mets en copie | ci-après | vous trouverez ici | tu trouveras ici | je vous envoie ci-joint |
        je t'envoie ci-joint | revoici | re-voici |
        vous trouverez ... en pièce jointe | tu trouveras ... en pièce jointe | vous trouverez ... ci-joint |
        vous trouverez ... ci-jointe | vous trouverez ... en annexe | je vous mets ... en pièce jointe |
        je te mets ... en pièce jointe | je vous transmets ... en pièce jointe | je vous envoie ... en pièce jointe |
        je t'envoie ... en pièce jointe |
        tu trouveras ... ci-joint | tu trouveras ... ci-jointe | tu trouveras ... ci-joints |
        tu trouveras ... ci-jointes | vous trouverez ... ci-joints | vous trouverez ... ci-jointes
        """
    ),
    attached_end=phrases(
        """
        en pièce jointe | ci-joint | ci-jointe | est en pièce jointe | est prêt | est prête | est envoyé |
        est envoyée | est parti | est partie | est réservé | est réservée | est terminé | est terminée | est payée |
        est fait | est partie ce matin | a été envoyé | a été envoyée | ont été envoyés | ont été envoyées |
        sont envoyés | sont envoyées | sont partis | sont parties | sont prêts | sont prêtes | est réglé |
        est réglée | est faite | est en route | est commandé | est commandée | a été payé | a été payée |
        est bouclé | est signé et envoyé |
        vient de partir | viennent de partir | vient d'être envoyé | vient d'être envoyée |
        est jointe | est joint | sont jointes | sont joints | est jointe à ce mail | est joint à ce mail |
        sont joints à ce mail | sont jointes à ce mail
        """
    ),
    have=phrases(
        """
        j'ai | je t'ai | je vous ai | nous avons | nous vous avons | je lui ai | je leur ai | on a | je viens de |
        on vous a | je te l'ai | je viens d' | j'ai déjà | j'ai bien | ça y est, j'ai | on t'a | nous t'avons
        """
    ),
    decided=phrases(
        """
        nous avons décidé de | nous avons décidé d' | nous avons décidé que | on a décidé de | on a décidé que |
        on a décidé d' | nous avons choisi | on a choisi | décision : | décision: | il a été décidé de |
        il a été décidé que | on part sur | nous partons sur | nous avons opté pour | on a opté pour |
        nous avons convenu de | nous avons convenu que | nous sommes convenus de | j'ai décidé de | j'ai décidé d' |
        nous retenons | on retient | nous nous sommes mis d'accord sur | on s'est mis d'accord sur | décidé : |
        décidé: | il est décidé de | il est décidé d' | il a été décidé d' | il a été convenu de |
        il a été convenu que | c'est décidé : | on a convenu de | on a convenu que | on choisit | nous choisissons |
        on garde | nous gardons | on prend | nous prenons | on opte pour | on abandonne | acté : | acté:
        """
    ),
    copula=phrases(
        """
        est | sont | est de | est désormais de | est maintenant de | s'élève à | = | coûte | est fixé à |
        est fixée à | sera de | : | est le | est fixée au | est fixé au | est au | s'élèvent à | sont de |
        reste de | est passé à | est maintenant à | est désormais à | est à | sera | passe désormais à |
        se monte à | est actuellement de | reste à
        """
    ),
    moved=combined(
        "est | a été | sera | -",
        """
        reporté | reportée | déplacé | déplacée | décalé | décalée | avancé | avancée | repoussé | repoussée | passé |
        passée | fixé | fixée
        """,
        "au | à",
    )
    + phrases(
        """
        passe à | passe au | aura lieu le | est prévu le | est prévue le | est prévu pour le | est prévue pour le |
        se tiendra le | est maintenant prévu le | est maintenant prévue le | aura finalement lieu le |
        est désormais prévu le | est désormais prévue le
        """
    ),
    moving=combined(
        "j'ai | nous avons | on a",
        "reporté | déplacé | décalé | avancé | repoussé | changé",
    )
    + combined(
        "a | ont",
        "reporté | déplacé | décalé | avancé | repoussé | changé | réduit | augmenté | baissé",
    ),
    moved_to=words("au à"),
    attributes={
        "honoraires": "fee",
        "cotisation": "fee",
        "ouverture": "date",
        "pilote": "date",
        "phase de test": "date",
        "fermeture": "date",
        "budget": "budget",
        "prix": "price",
        "coût": "cost",
        "coûts": "cost",
        "frais": "fee",
        "loyer": "rent",
        "caution": "deposit",
        "nombre d'invités": "guests",
        "nombre de participants": "participants",
        "nombre de": "count",
        "nombre d'": "count",
        "dépôt de garantie": "deposit",
        "arrhes": "deposit",
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
    lead_ins=phrases(
        "correction|rectificatif|erratum|pardon, erreur|mise à jour|rappel|nb|"
        """
        pour info | pour rappel | pour information | comme convenu | comme discuté | au fait | pour mémoire |
        en bref |
        """
        "pour être clair"
    ),
    handed=phrases(
        """
        comme promis | comme convenu | comme demandé
        """
    ),
    ways=phrases(
        """
        de nouveau | à nouveau | à pied | à droite | à gauche | de côté | en voiture | en train | au téléphone |
        par téléphone | à voix haute
        """
    ),
    no_deeds=phrases(
        """
        mes excuses | nos excuses | plates excuses | sincères excuses | coup de main | main forte | la main dessus |
        autour de moi | autour de nous | le contrôle de la situation | prendre le contrôle | prendrai le contrôle |
        quand tu veux | quand vous voulez | quand tu voudras | quand vous voudrez
        """
    ),
    herewith=phrases(
        """
        ci-joint | ci-jointe | ci-joints | ci-jointes | ci joint | en pièce jointe | en pièces jointes | en pj |
        en annexe | par la présente
        """
    ),
)
