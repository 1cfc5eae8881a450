"""Spanish."""

from consumer.understanding.languages.words import HOUR, DateWords, Words, combined, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        "enero ene | febrero feb | marzo | abril abr | mayo | junio jun | julio jul"
        " | agosto ago | septiembre setiembre sept sep | octubre oct | noviembre nov | diciembre dic"
    ),
    weekdays=numbered("lunes | martes | miércoles miercoles | jueves | viernes | sábado sabado | domingo", 0),
    short_weekdays=numbered("lun | mar | mié mie | jue | vie | sáb sab | dom", 0),
    days={
        "hoy": 0,
        "hoy mismo": 0,
        "esta noche": 0,
        "esta tarde": 0,
        "esta mañana": 0,
        "este mediodía": 0,
        "mañana": 1,
        "mañana mismo": 1,
        "pasado mañana": 2,
        "hoy por la tarde": 0,
        "hoy por la noche": 0,
    },
    day_ends=phrases(
        """
        final del día | el final del día | fin del día | el fin del día | última hora | final de la jornada
        """
    ),
    parts=phrases("por la mañana|por la tarde|por la noche|a primera hora|a última hora|al mediodía"),
    coming=phrases("próximo|este"),
    following=(),
    coming_after=phrases("que viene|próximo"),
    past=phrases("pasado"),
    past_after=phrases("pasado|pasada"),
    no_dates=phrases(
        """
        por la tarde | por la noche | ayer | anteayer | de la mañana | por la mañana | la semana pasada | el mes
        pasado | hace una semana | anoche | la mañana
        """
    ),
    this_week=phrases("esta semana|esta misma semana"),
    later_week=phrases(
        "a lo largo de la semana|en el transcurso de la semana|durante la semana|más adelante esta semana"
    ),
    next_week=phrases(
        """
        la próxima semana | próxima semana | la semana que viene | semana que viene | la semana próxima
        """
    ),
    this_month=phrases("este mes"),
    next_month=phrases("el próximo mes|próximo mes|el mes que viene|mes que viene"),
    weekend=phrases("este fin de semana|el fin de semana"),
    end_of=phrases(
        """
        el final de la | final de la | el fin de la | fin de la | el final del | final del | el fin del |
        fin del | finales de | final de | fin de | finales del | finales de la | finales de esta
        """
    ),
    periods={
        "semana": "w",
        "mes": "m",
        "trimestre": "q",
        "año": "y",
        "próxima semana": "nw",
        "semana que viene": "nw",
        "próximo mes": "nm",
    },
    year_end=phrases("fin de año|final de año|finales de año|el fin de año"),
    ahead=phrases("de hoy en|dentro de|en los próximos|en un plazo de|en"),
    ahead_after=(),
    units={
        "día": 1,
        "días": 1,
        "semana": 7,
        "semanas": 7,
        "mes": -1,
        "meses": -1,
        "hora": HOUR,
        "horas": HOUR,
        "minutos": 0,
    },
    before_month=phrases("en|para|antes de|hasta"),
    joints=phrases("de|del|día|el"),
    times={"mediodía": "12:00", "medianoche": "23:59"},
    at=phrases("a las|a la|antes de las|sobre las|al|hacia las"),
    hours=phrases("horas|hs|h|hrs"),
    afternoon=phrases("de la tarde|de la noche"),
    mornings=phrases("por la mañana|de la mañana|esta mañana|madrugada|temprano"),
    afternoons=words("tarde"),
    evenings=words("noche tarde"),
    by=phrases(
        """
        no más tarde de | no más tarde del |
        antes de | antes del | para | para el | hasta | hasta el | a más tardar | a más tardar el |
        como muy tarde | como muy tarde el | antes de que termine | antes de la
        """
    ),
    before=words("antes"),
    on=phrases("el|este|en|al|a|a el día|el día|la|para la"),
    of=phrases("de|del|a partir de|a partir del|desde|desde el|del día|tras el"),
    never=phrases("no|no el|excepto|excepto el|salvo|salvo el|en vez de|en lugar de|no antes del"),
    day_of_month=phrases("día|el|antes del|del"),
    counted_from=phrases("después del|después de|desde el"),
    middle_of=phrases("mediados de|mitad de"),
    first_of=phrases("primero de"),
)

WORDS = Words(
    code="es",
    dates=DATES,
    short={"x": "por", "xa": "para", "q": "que"},
    other_numbers={"un": 1, "una": 1},
    abbreviations=phrases(
        """
        emb | lic | resp | incl | ingª | drª | srª | ilmo | excmo |
        sr | sra | srta | dr | dra | prof | etc | p.ej | ud | uds | aprox | núm | ene | feb | mar | abr | jun |
        jul | ago | sept | oct | nov | dic | tel | av | avda | art | d | dña | s.a | s.l |
        lic | ing | arq | dres | sres | cap | ref | apdo |
        ee | uu | pág | págs | cía | gral | dpto | atte | fdo | p
        """
    ),
    common=words(
        """
        estimada saludos
        el la los las de del que y en un una es para con por no se su te le lo me mi nos al como más pero ya yo
        está están hay muy gracias hola usted este esta o si mañana hoy voy vamos ha he son fue sobre tu antes a
        cuando desde hasta nuestro
        """
    ),
    grouping=".",
    scales={
        "k": 1_000,
        "mil": 1_000,
        "millón": 1_000_000,
        "millones": 1_000_000,
        "m": 1_000_000,
        "millones de": 1_000_000,
        "millón de": 1_000_000,
    },
    currencies={
        "euro": "EUR",
        "euros": "EUR",
        "dólar": "USD",
        "dólares": "USD",
        "libras": "GBP",
        "francos": "CHF",
        "yenes": "JPY",
    },
    counted={
        "plaza": "seat",
        "plazas": "seat",
        "asientos": "seat",
        "persona": "person",
        "personas": "person",
        "usuarios": "user",
        "clientes": "customer",
        "ingenieros": "engineer",
        "empleados": "employee",
        "invitados": "guest",
        "asistentes": "attendee",
        "licencias": "licence",
        "unidades": "unit",
        "día": "day",
        "días": "day",
        "semana": "week",
        "semanas": "week",
        "mes": "month",
        "meses": "month",
        "año": "year",
        "años": "year",
        "hora": "hour",
        "horas": "hour",
        "minutos": "minute",
        "km": "km",
        "kg": "kg",
        "gb": "gb",
        "páginas": "page",
        "tiendas": "store",
        "sedes": "site",
        "miembros": "member",
        "habitaciones": "room",
        "copias": "copy",
        "m²": "m2",
    },
    percent=phrases("%|por ciento"),
    verbs=verbs(
        """
        faxear faxeo faxeado
        enviar envío enviado/envié/enviamos
        reenviar reenvío reenviado/reenvié
        mandar mando mandado/mandé
        remitir remito remitido/remití
        pasar paso pasado/pasé
        compartir comparto compartido/compartí
        entregar entrego entregado/entregué
        traer traigo traído/traje
        llevar llevo llevado/llevé
        dar doy dado/di
        devolver devuelvo devuelto/devolví
        subir subo subido/subí
        publicar publico publicado/publiqué
        facilitar facilito facilitado/facilité
        preparar preparo preparado/preparé
        redactar redacto redactado/redacté
        escribir escribo escrito/escribí
        revisar reviso revisado/revisé
        leer leo leído/leí
        comprobar compruebo comprobado/comprobé
        verificar verifico verificado/verifiqué
        confirmar confirmo confirmado/confirmé
        aprobar apruebo aprobado/aprobé
        firmar firmo firmado/firmé
        probar pruebo probado/probé
        analizar analizo analizado/analicé
        comparar comparo comparado/comparé
        recopilar recopilo recopilado/recopilé
        reservar reservo reservado/reservé
        organizar organizo organizado/organicé
        planificar planifico planificado/planifiqué
        programar programo programado/programé
        agendar agendo agendado/agendé
        cancelar cancelo cancelado/cancelé
        renovar renuevo renovado/renové
        pedir pido pedido/pedí
        encargar encargo encargado/encargué
        comprar compro comprado/compré
        pagar pago pagado/pagué
        abonar abono abonado/aboné
        transferir transfiero transferido/transferí
        reembolsar reembolso reembolsado/reembolsé
        llamar llamo llamado/llamé
        contactar contacto contactado/contacté
        preguntar pregunto preguntado/pregunté
        avisar aviso avisado/avisé
        informar informo informado/informé
        recordar recuerdo recordado/recordé
        invitar invito invitado/invité
        presentar presento presentado/presenté
        crear creo creado/creé
        elaborar elaboro elaborado/elaboré
        traducir traduzco traducido/traduje
        corregir corrijo corregido/corregí
        modificar modifico modificado/modifiqué
        actualizar actualizo actualizado/actualicé
        arreglar arreglo arreglado/arreglé
        reparar reparo reparado/reparé
        resolver resuelvo resuelto/resolví
        solucionar soluciono solucionado/solucioné
        instalar instalo instalado/instalé
        configurar configuro configurado/configuré
        migrar migro migrado/migré
        terminar termino terminado/terminé
        finalizar finalizo finalizado/finalicé
        acabar acabo acabado/acabé
        completar completo completado/completé
        rellenar relleno rellenado/rellené
        imprimir imprimo imprimido/impreso
        escanear escaneo escaneado/escaneé
        negociar negocio negociado/negocié
        resumir resumo resumido/resumí
        añadir añado añadido/añadí
        recoger recojo recogido/recogí
        cocinar cocino cocinado/cociné
        gestionar gestiono gestionado/gestioné
        tramitar tramito tramitado/tramité
        hablar hablo hablado/hablé
        mirar miro mirado/miré
        conseguir consigo conseguido/conseguí
        buscar busco buscado/busqué
        mostrar muestro mostrado/mostré
        enseñar enseño enseñado/enseñé
        responder respondo respondido/respondí
        contestar contesto contestado/contesté
        explicar explico explicado/expliqué
        indicar indico indicado/indiqué
        anotar anoto anotado/anoté
        calcular calculo calculado/calculé
        medir mido medido/medí
        estimar estimo estimado/estimé
        descargar descargo descargado/descargué
        copiar copio copiado/copié
        guardar guardo guardado/guardé
        limpiar limpio limpiado/limpié
        ordenar ordeno ordenado/ordené
        lavar lavo lavado/lavé
        pintar pinto pintado/pinté
        montar monto montado/monté
        mover muevo movido/moví
        prestar presto prestado/presté
        lanzar lanzo lanzado/lancé
        difundir difundo difundido/difundí
        repartir reparto repartido/repartí
        facturar facturo facturado/facturé
        declarar declaro declarado/declaré
        inscribir inscribo inscrito/inscribí
        proponer propongo propuesto/propuse
        sustituir sustituyo sustituido/sustituí
        cerrar cierro cerrado/cerré
        aplazar aplazo aplazado/aplacé
        dejar dejo dejado/dejé
        acercar acerco acercado/acerqué
        ajustar ajusto ajustado/ajusté
        aclarar aclaro aclarado/aclaré
        detallar detallo detallado/detallé
        """
    ),
    undertaking=phrases(
        """
        me encargo de | me encargo del | me ocupo de | me ocupo del | me encargaré de | me encargaré del |
        me ocuparé de | me ocuparé del | nos encargamos de | nos encargamos del | nos ocupamos de |
        me comprometo a | me encargo yo de | me encargo yo del | me ocupo yo de | me ocupo yo del |
        me ocuparé yo de | me hago cargo de | me hago cargo del | me pongo con | me pondré con |
        me pongo en contacto con | me pondré en contacto con | quedo en | hago seguimiento de | te digo algo sobre |
        te digo algo de | te digo algo del | te aviso de | te aviso del | le informo de | le informo del |
        te informo de | te informo del
        """
    ),
    will=phrases(
        """
        voy a | vamos a | prometo | me comprometo a | yo voy a | nosotros vamos a | nos comprometemos a | te voy a |
        le voy a | os voy a | me voy a encargar de | me voy a ocupar de | quedo en | te prometo | prometo que
        """
    ),
    must=phrases("tengo que|debo|puedo|tenemos que|podemos|debemos|he de|necesito"),
    you_get=phrases(
        """
        tendrás | recibirás | tendréis | recibiréis | vas a tener | vas a recibir | te llegará | te llegarán |
        os llegará
        """
    ),
    from_me=phrases("de mi parte|de nuestra parte|por mi parte"),
    third=phrases("va a"),
    subjects=phrases("yo|nosotros|nosotras"),
    irregular={
        "haré llegar": "hacer",
        "hago llegar": "hacer",
        "haremos llegar": "hacer",
        "haré": "hacer",
        "haremos": "hacer",
        "pondré": "poner",
    },
    future={
        "ar": ("aré", "aremos", "ará"),
        "er": ("eré", "eremos", "erá"),
        "ir": ("iré", "iremos", "irá"),
    },
    plural={"ar": "amos", "er": "emos", "ir": "imos"},
    enclitics=phrases("telo|tela|telos|selo|sela|selos|te|le|les|os|lo|la|los|las|nos|me|se"),
    negation=words("no nunca jamás nada nadie ningún ninguna ninguno tampoco ni"),
    condition=phrases(
        """
        si | siempre que | en caso de | cuando | en cuanto | una vez que | a menos que | salvo que |
        con tal de que | después de que | solo si
        """
    ),
    asking=words("preguntar comprobar verificar confirmar mirar ver"),
    hedges=words(
        """
        quizá quizás tal-vez probablemente posiblemente ojalá intentar intento intentaré tratar trataré espero
        """
    ),
    fronting=words(
        """
        ok vale sí claro gracias hola bueno bien entonces y pero perfecto lo siento perdón como acordamos
        acordado prometí luego después también muchas de acuerdo entendido por mi parte además el la los las
        para antes del a en sin problema yo nosotros estimado estimada querido todos después más tarde hasta
        este esta supuesto así que tardar muy al final finalmente
        """
    ),
    conjunctions=words("y e luego o"),
    contrast=words("pero sino aunque pues"),
    subordinate=words("porque que quien cuyo donde cuando mientras aunque si como para") - {"para"},
    articles=words(
        """
        el la los las un una unos unas mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra
        este esta estos estas ese esa esos esas todos todas
        """
    ),
    pronouns=words(
        """
        yo tú usted él ella nosotros nosotras vosotros ustedes me te se le les lo la los las os nos mí ti sí
        ellos
        """
    ),
    pronoun_objects=words("lo la los las eso esto todo algo ello"),
    you=words("te le les os ti usted ustedes"),
    prepositions=words(
        """
        de del a al en con por para sobre sin entre hasta desde contra hacia según tras durante mediante antes
        """
    ),
    adverbs=words(
        """
        barato barata baratos baratas
        consecuencia
        pronto ya ahora luego después también todavía aún mismo inmediatamente enseguida rápidamente con gusto
        personalmente directamente aquí ahí así bien más tarde cuanto sin falta solo sólo encantado encantada
        """
    ),
    to=words("a con para"),
    recipient=words("a al"),
    me=words("me nos"),
    offers=words(
        "dudas duda pregunta preguntas problema problemas quieres quiere quieren desea deseas desean necesita necesitas"
    ),
    help=words(
        "información informaciones consultas consulta ayuda detalles dudas duda pregunta preguntas necesita necesitas"
    ),
    courtesy=words("puedes puede pueden tiempo momento oportunidad"),
    contacting=phrases("contact | llam | escrib | dirig | dirij | visit"),
    sending=words(
        """
        enviar envía envíe mandar manda mande reenviar reenvía remitir enviarme mandarme enviarnos mandarnos envíame
        mándame envíanos mándanos
        """
    ),
    doubt=words("si"),
    states=words("está es hay hace tengo son están"),
    suits=words(
        """
        ok bien así posible necesario listo lista disponible libre correcto eso acuerdo
        """
    ),
    at_once=phrases(
        """
        dam | dar | dé | deme | trae | tráe | pas | teng | rep | abr | cierr | pon | tom | esper | firm |
        rellen | prueb | habl | ayud | cambi
        """
    ),
    staging=frozenset(
        phrases(
            """
            mirar | mostrar | enseñar | explicar | responder | contestar | presentar | repetir | dar | repasar |
            leer | comprobar | resumir | decir | seguir
            """
        )
    ),
    acquiring=words("comprar pedir conseguir buscar cocinar planear organizar"),
    us=words("nosotros nosotras vamos"),
    for_self=words("me"),
    vague=phrases(
        "con suerte|con un poco de suerte|la próxima vez|algún día|en el futuro|un día de estos|alguna vez|en adelante"
    ),
    questioning=words("cómo qué cuándo dónde"),
    chatting=words("más"),
    ask_wish=phrases("quieres|quiere"),
    can=phrases("puedes|puede|podéis|pueden|podrás|podrá"),
    telling=phrases("dec | dig | cuent | cuént | cont | dime | muestr | muéstr | mostr | enseñ | enséñ | explic"),
    weak=words("hablar mirar dar llevar leer cocinar negociar pasar"),
    performative=words("confirmar informar invitar pedir preguntar aprobar recordar"),
    elision=False,
    polite=phrases(
        """
        gracias | muchas gracias | mil gracias | perfecto | ok | vale | hola | sí | lo siento | genial |
        estupendo | de acuerdo | no | bien | al final | finalmente
        """
    ),
    idle=words(
        """
        verdad pantalla mejor tiempo momento minuto segundo saludos abrazo abrazos beso besos café cerveza cámara
        micrófono
        puerta ventana dedos atención suerte palabra vida gracias cabeza cuenta vuelta rato paseo noche
        posible
        confianza culpa mano favor caso disculpas
        """
    ),
    soon=words(
        """
        luego pronto ahora
        """
    ),
    from_others=words(
        """
        parte
        """
    ),
    undertaken=phrases(
        """
        quedé en | quedé con | hemos quedado en | quedamos en | me comprometí a | me he comprometido a |
        prometimos | hemos prometido
        """
    ),
    promised=phrases(
        """
        he prometido | prometí | le prometí | te prometí | les prometí | le he prometido | te he prometido
        """
    ),
    formal=words(
        """
        estimado estimada estimados usted ustedes señor señora distinguido distinguida
        """
    ),
    arranging=words(
        """
        reservar conseguir recoger pagar
        """
    ),
    idle_verbs=words(
        """
        agradecer saludar felicitar
        volver
        ser estar haber tener ir venir ver oír creer imaginar saber entender sentir pensar gustar querer poder deber
        quedar esperar vivir dormir comer beber nadar conducir andar correr cantar bailar jugar hablar disculpar
        perdonar notar parecer reír llorar llegar salir entrar recordar-me ayudar decir ayer mujer lugar mar bar
        celular
        """
    ),
    infinitive_ends=phrases(
        """
        ar | er | ir
        """
    ),
    reported=words(
        """
        dijo dice preguntó pregunta escribió escribe respondió prometió comentó
        """
    ),
    habits=words(
        """
        cada siempre normalmente antes-siempre veces todos-los-días soler suelo
        """
    ),
    remind=phrases(
        """
        no te olvides de | no olvides | no se olvide de | no olvide | no os olvidéis de | acuérdate de |
        acuérdese de | acordaos de | que no se te olvide | que no se te pase | asegúrate de | asegúrese de |
        no te olvides
        """
    ),
    missing=phrases(
        """
        sigo sin | seguimos sin | esperando | sigo esperando | falta | me falta | nos falta | espero todavía
        """
    ),
    have_you=phrases(
        """
        has | ha | habéis | ya has | ya
        """
    ),
    happens={
        "empieza el": "start",
        "empieza": "start",
        "comienza el": "start",
        "comienza": "start",
        "arranca el": "start",
        "arranca": "start",
        "termina el": "end",
        "acaba el": "end",
        "termina": "end",
        "cierra a las": "closing",
        "cierra el": "closing",
        "cierra": "closing",
        "abre el": "opening",
        "abre a las": "opening",
        "abre": "opening",
        "es el próximo": "date",
        "tiene lugar el": "date",
        "se celebra el": "date",
        "vence el": "deadline",
        "caduca el": "end",
        "llega el": "delivery",
    },
    you_get_formal=phrases(
        """
        tendrá | recibirá | tendrán | recibirán | va a tener | va a recibir
        """
    ),
    received_end=phrases(
        """
        recibido | recibida | recibidos | recibidas |
        ha llegado | ya ha llegado | han llegado | ya han llegado | ha llegado bien | han llegado bien
        """
    ),
    elliptic=words(
        """
        pagar enviar mandar reenviar traer firmar reservar pedir entregar devolver
        """
    ),
    could=phrases(
        """
        podría
        """
    ),
    thanked=words(
        """
        paciencia comprensión ayuda apoyo tiempo velada tarde día noche llamada respuesta reunión visita esfuerzo
        trabajo consejo confianza interés amabilidad atención colaboración invitación recordatorio acogida charla
        viaje
        """
    ),
    idioms=phrases(
        """
        echar un vistazo a | echar un vistazo al | echarle un vistazo a | echarle un vistazo al |
        echar una ojeada a | ponerte en contacto con | hacerme llegar | hacer llegar
        """
    ),
    ask_duty=phrases(
        """
        tienes que | debes | quizás podrías | quizá podrías | quizás podría | quizá podría | tal vez podrías |
        tal vez podría
        """
    ),
    ask_infinitive=phrases(
        """
        cuándo puedes | cuándo puede | cuándo podrías | cuándo podría |
        puedes | podrías | puede | podría | podéis | podríais | pueden | podrían | me puedes | me podrías |
        me puede | me podría | nos puedes | nos puede | nos podría | le ruego | te importaría | le importaría |
        recuerda | recuerde |
        necesito que | nos podrías | me podéis | nos podéis | te importa | os importaría | me harías el favor de |
        hazme el favor de | podrías por favor | puedes por favor | sería posible | es posible | te pido que |
        le pido que | os pido que | te ruego que | le agradecería | te agradecería | le agradecería que |
        te agradecería que | te agradezco que | le agradezco que | serías tan amable de | sería tan amable de |
        podrás | podrá | me podrás | tendrías tiempo para | estaría bien que |
        estaría genial si pudieras | necesito que me | necesitamos que | te pediría que | le pediría que |
        me gustaría que | será que puedes | alguien puede | puede alguien | alguien podría | podría alguien |
        alguno puede | alguno de vosotros puede
        """
    ),
    imperatives=phrases(
        """
        envíame | envíeme | envíanos | mándame | mándeme | pásame | páseme | confírmame | confírmeme | llámame |
        llámeme | envía | envíe | revisa | revise | firma | firme | manda | mande | me envías | me mandas |
        me pasas | me envía | me manda | reserva | reserve | prepara | prepare | reenvíame | compárteme | dame |
        deme | tráeme | nos envías | comprueba | confirma | confirme | comparte | avísame | reenvíanos |
        reenvíamelo | reenvíamela | reenvíalo | reenvíala | reenvialo | reenviala | mándamelo | mándamela |
        mandamelo | mandamela | mandame | enviame | pasame | envíamelo | envíamela | escríbeme | escríbame |
        recuérdame | prepárame | resérvame | tráenos | dinos | dime | dígame | indícame | indíqueme | muéstrame |
        enséñame | préstame | facilítame | facilíteme | devuélveme | avísanos | avíseme | hazme | llama | llame |
        compra | compre | paga | pague | corrige | corrija | imprime | imprima | trae | traiga | pide | pida |
        cancela | cancele | actualiza | actualice | completa | complete | rellena | rellene | traduce | traduzca |
        escribe | escriba | me traes | me dejas | me reenvías | me confirmas | me avisas | me das | nos mandas |
        me confirma | me reenvía | me llamas | me reservas
        """
    ),
    please=phrases(
        """
        por favor | porfa | porfavor | por fa | xfa | pf | plis
        """
    ),
    accepted=phrases(
        """
        lo haré | lo hago | claro | claro que sí | por supuesto | me encargo | yo me encargo | me encargo yo |
        sí, me encargo | vale, lo hago | ok, lo hago | de acuerdo, lo hago | sin problema | no hay problema |
        con gusto | con mucho gusto | hecho, lo hago | cuenta con ello | ahora mismo lo hago | sí, claro |
        sí, lo hago | claro, lo hago | lo haré encantado | lo haré encantada | sí, lo haré | encantado | encantada |
        vale, me encargo | vale, lo hago yo | lo hago yo | yo lo hago | ya lo hago yo | yo me ocupo | me ocupo yo |
        me ocupo | sí, yo me ocupo | sí, me ocupo | estoy en ello | ya estoy en ello | eso está hecho |
        dalo por hecho | déjamelo a mí | lo haré yo | me pongo con ello | me pongo a ello | cuenta conmigo |
        por supuesto que sí | venga, lo hago | vale, lo miro | lo preparo | sin problemas | ningún problema |
        desde luego | va, lo hago | lo hago sin falta | sí, yo lo hago | vale, yo me encargo | ok, yo me encargo |
        me encargo de eso | yo me encargo de eso | de acuerdo, me encargo
        """
    ),
    declined=phrases(
        """
        no puedo | lo siento, no puedo | no podré | no me es posible | lamentablemente no puedo |
        por desgracia no puedo | no es posible | lo siento, no podré | no, lo siento | desgraciadamente no |
        tengo que declinar | no, gracias | lamentablemente no | no voy a poder | lo siento, no es posible |
        no puedo, lo siento | ahora no puedo | me es imposible | imposible por mi parte | no llego |
        no me da tiempo | no me da la vida | lo siento, no llego | esta vez no puedo | no va a poder ser
        """
    ),
    received=phrases(
        """
        recibido | recibido, gracias | recibida, gracias | ya lo tengo | ya lo tengo, gracias | ya me llegó |
        ya me ha llegado | me ha llegado | ha llegado, gracias | gracias, recibido | lo he recibido | lo recibí |
        ya lo recibí | lo he recibido, gracias | me llegó, gracias | ya llegó, gracias | recibida |
        recibidos, gracias | recibidas, gracias | todo recibido | me llegó | me ha llegado, gracias |
        ya lo tengo todo | lo tengo, gracias | llegó, gracias | llegaron, gracias | gracias, me llegó
        """
    ),
    released=phrases(
        """
        ya no hace falta | ya no es necesario | ya no lo necesito | ya no lo necesitamos | ya no se necesita |
        olvídalo | olvídelo | no hace falta ya | ya no hace falta, gracias | ya no | déjalo | no importa ya |
        no es necesario | no lo hagas | no lo haga | no te molestes | no se moleste |
        ya está resuelto, no hace falta | ya no es necesario, gracias | no te preocupes, ya no hace falta | déjelo |
        olvídate | déjalo, ya está | ya está resuelto | ya está solucionado | al final no hace falta | al final no |
        no hace falta, gracias | no hace falta | ya no importa | ya no, gracias | nada, ya está | da igual ya |
        al final no la necesitamos | al final no lo necesitamos | ya no la necesitamos | ya no la necesito
        """
    ),
    done=phrases(
        """
        adjunto | va adjunto |
        hecho | listo | ya está | ya está hecho | enviado | ya está enviado | ya lo envié | ya lo he enviado |
        lo he enviado | ya te lo envié | ya te lo he enviado | está hecho | pagado | reservado | ya está reservado |
        ya está pagado | terminado | acabo de enviarlo | ya lo mandé | ya está, hecho | ya lo hice |
        ya lo he hecho | lo hice | lo he hecho | enviado ya | recién enviado | mandado | comprado | ya lo pagué |
        ya lo reservé | está pagado | está reservado | todo hecho |
        te lo adjunto | te la adjunto | se lo adjunto | se la adjunto | os lo adjunto | aquí lo tienes |
        aquí la tienes | aquí los tienes | aquí lo tiene | aquí la tiene | acabo de enviártelo |
        acabo de enviártela | te lo acabo de enviar | te la acabo de enviar | te lo acabo de mandar |
        te lo he enviado
        """
    ),
    declined_begin=phrases(
        """
        no puedo | no podré | lamentablemente no puedo | lo siento, no puedo | lo siento, no podré | no voy a |
        no vamos a | no podemos | por desgracia no puedo | no voy a poder | desgraciadamente no puedo |
        no vamos a poder | no podremos | no me es posible | me es imposible | no llego a | no me da tiempo a |
        no me da tiempo de | no alcanzo a | tengo que rechazar | lamento no poder | siento no poder
        """
    ),
    received_begin=phrases(
        """
        confirmo la recepción de | confirmamos la recepción de | acuso recibo de | acusamos recibo de |
        he recibido | recibí | hemos recibido | ya he recibido | ya recibí | gracias por | muchas gracias por |
        recibido el | recibida la | me ha llegado | me llegó | me han llegado | me llegaron | nos ha llegado |
        nos llegó | recibida | recibidas las | recibidos los | recibido | ya tengo | gracias por enviar |
        gracias por mandar |
        ha llegado | ya ha llegado | ya llegó | han llegado | ya han llegado | ya llegaron | ya me ha llegado |
        ya me llegó |
        ya me llegaron | ya me han llegado
        """
    ),
    released_begin=phrases(
        """
        ya no hace falta | ya no necesito | ya no necesitamos | ya no es necesario | no hace falta que |
        no es necesario que | ya no hace falta que | ya no es necesario que | olvida | olvídate de | olvídate del |
        olvida lo de | olvida lo del | olvídate de lo de | olvidad | deja lo de | deja lo del |
        ya no nos hace falta | ya no me hace falta | no me hace falta | no nos hace falta | no hace falta |
        ya no hacen falta | no necesito ya | ya no quiero | descarta | puedes olvidarte de | puedes olvidar |
        puede olvidar | podéis olvidar
        """
    ),
    released_end=phrases(
        """
        ya no hace falta | ya no es necesario | ya no es necesaria | ya no se necesita | ya no hacen falta |
        ya no lo necesito | ya no la necesito | ya no hace falta que | ya no nos hace falta | ya no me hace falta |
        ya no son necesarios | ya no son necesarias | ya no los necesito | ya no las necesito |
        ya no lo necesitamos | ya no los necesitamos | ya no se necesitan | queda anulado | queda anulada
        """
    ),
    attached=phrases(
        """
        adjunto | te adjunto | le adjunto | os adjunto | adjunto te envío | adjunto le envío | adjunto encontrará |
        adjunto encontrarás | adjunta encontrarás | en adjunto | aquí está | aquí tienes | aquí tiene | aquí va |
        aquí están | aquí van | aquí te mando | como prometí, aquí está | se adjunta | adjuntamos |
        en el archivo adjunto | les adjunto | adjunto remito | ahí va | ahí tienes | adjunta | adjuntos | adjuntas |
        te paso | te dejo aquí | te dejo | os adjuntamos | le adjuntamos | te envío adjunto | te envío adjunta |
        en adjunto te envío | encontrarás adjunto | encontrará adjunto | van adjuntos |
        como te prometí, aquí tienes | aquí te dejo | aquí te paso |
        ya está enviado | ya está enviada | ya están enviados | ya están enviadas | ya se ha enviado |
        ya se han enviado | ya está hecho | ya está hecha | ya está lista | ya está listo | ya están listos |
        ya están listas | ya está pagada | ya está pagado | ya está reservada | ya está reservado |
        encontrarás ... adjunto | encontrarás ... adjunta | encontrará ... adjunto | encontrará ... adjunta |
        encontrarás adjunta | en el adjunto va | en el adjunto tienes | va adjunto | va adjunta | van adjuntas
        """
    ),
    attached_end=phrases(
        """
        va adjunto | va adjunta | está adjunto | está adjunta | adjunto | en adjunto | ya está enviado |
        ya está enviada | está listo | está lista | ya está listo | ya está lista | está hecho | está hecha |
        está reservado | está reservada | está pagada | ha salido | salió | ya salió | ha sido enviado |
        ha sido enviada | está enviado | está enviada | ya está pagado | ya está pagada | está pagado |
        ya está reservado | ya está reservada | ya está hecho | ya está hecha | va de camino | está en camino |
        están listos | están listas | están enviados | están enviadas | quedó listo | quedó lista |
        ya está terminado | ya está terminada | está terminado | está terminada | quedó terminado | quedó terminada
        """
    ),
    have=phrases(
        """
        he | te he | le he | les he | os he | ya he | ya te he | ya le he | hemos | ya | te | le | les | ya te |
        ya le | acabo de | os hemos | ya os | ya les | yo | os | le hemos | te hemos | acabo de enviarte |
        te acabo de | os acabo de | me he | se lo he | ya hemos | hoy he | por fin he
        """
    ),
    decided=phrases(
        """
        hemos decidido | decidimos | hemos acordado | acordamos | decisión: | se ha decidido | se decidió |
        vamos con | nos quedamos con | hemos optado por | optamos por | hemos elegido | elegimos | he decidido |
        hemos decidido que | quedamos en | hemos quedado en | acordado: | decidido: | queda decidido que |
        queda decidido | está decidido: | se ha acordado | se acordó | se decide | hemos resuelto |
        nos decidimos por | hemos decidido no | apostamos por | hemos escogido | escogemos
        """
    ),
    copula=phrases(
        """
        es | son | es de | es ahora de | asciende a | = | cuesta | será de | está en | : | es el | ahora es de |
        será | son de | es ahora | queda en | será el | ahora es | ascienden a | ahora asciende a | está ahora en |
        sale por | sale a | es actualmente de | sigue en | se queda en | son ahora
        """
    ),
    moved=combined("se", "aplaza | pospone | retrasa | traslada | cambia | mueve | adelanta", "al")
    + combined("se ha", "aplazado | pospuesto | retrasado | trasladado | cambiado | movido | adelantado", "al")
    + combined("se", "aplazó | pospuso | retrasó | trasladó | cambió | movió | adelantó", "al")
    + phrases(
        """
        está previsto para el | está prevista para el | tendrá lugar el | se celebrará el | queda para el |
        queda fijado para el | queda fijada para el | pasa al | ha pasado al | pasó al | cambia al | sube a | baja a |
        subió a | bajó a | será el
        """
    ),
    moving=combined(
        "he | hemos",
        "aplazado | pospuesto | retrasado | trasladado | cambiado | movido | adelantado | pasado",
    )
    + combined(
        "ha | han",
        """
        aplazado | pospuesto | retrasado | trasladado | cambiado | movido | adelantado | pasado | recortado | reducido |
        subido | bajado | aumentado
        """,
    ),
    moved_to=words("al a"),
    attributes={
        "cuota": "fee",
        "piloto": "date",
        "inauguración": "date",
        "apertura": "date",
        "honorarios": "fee",
        "presupuesto": "budget",
        "precio": "price",
        "coste": "cost",
        "costo": "cost",
        "costes": "cost",
        "tarifa": "fee",
        "alquiler": "rent",
        "fianza": "deposit",
        "número de invitados": "guests",
        "número de participantes": "participants",
        "número de": "count",
        "depósito": "deposit",
        "salario": "salary",
        "descuento": "discount",
        "plazo": "deadline",
        "fecha límite": "deadline",
        "fecha": "date",
        "lanzamiento": "date",
        "teléfono": "phone",
        "número": "phone",
        "número de teléfono": "phone",
        "móvil": "phone",
        "versión": "version",
        "tasa": "rate",
        "objetivo": "target",
        "capacidad": "capacity",
        "margen": "margin",
        "total": "total",
        "factura": "total",
        "oferta": "offer",
        "reunión": "date",
        "entrega": "delivery",
        "boda": "date",
        "taller": "date",
        "superficie": "area",
        "duración": "duration",
        "conferencia": "date",
        "ingresos": "revenue",
    },
    of=phrases("para|de|del|para el|para la|de la"),
    lead_ins=phrases(
        "corrección|perdón, errata|errata|rectificación|actualización|recordatorio|"
        "para que conste|por cierto|como hablamos|como acordamos|para tu información|en resumen|"
        "para que quede claro|como recordatorio"
    ),
    handed=phrases(
        """
        como te prometí | como le prometí | como os prometí | como prometí | como prometido | como acordamos |
        como te dije
        """
    ),
    ways=phrases(
        """
        de nuevo | a pie | a la derecha | a la izquierda | a un lado | en coche | en tren | por teléfono | en breve
        """
    ),
    no_deeds=phrases(
        """
        mis disculpas | nuestras disculpas | mis excusas | una mano | a mi alrededor | tomar el control |
        tomaré el control | cuando quieras | cuando quiera | cuando queráis | cuando quieran
        """
    ),
    herewith=phrases(
        """
        adjunto | adjunta | adjuntos | adjuntas | en adjunto | en archivo adjunto | como adjunto | por la presente
        """
    ),
)
