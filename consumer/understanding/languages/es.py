"""Spanish."""

from consumer.understanding.languages.words import DateWords, Words, numbered, phrases, verbs

DATES = DateWords(
    months=numbered(
        "enero ene | febrero feb | marzo | abril abr | mayo | junio jun | julio jul | agosto ago | septiembre setiembre sept sep | octubre oct | noviembre nov | diciembre dic"
    ),
    weekdays=numbered("lunes | martes | mi\u00e9rcoles miercoles | jueves | viernes | s\u00e1bado sabado | domingo", 0),
    short_weekdays=numbered("lun | mar | mi\u00e9 mie | jue | vie | s\u00e1b sab | dom", 0),
    days={
        "hoy": 0,
        "hoy mismo": 0,
        "esta noche": 0,
        "esta tarde": 0,
        "esta ma\u00f1ana": 0,
        "este mediod\u00eda": 0,
        "ma\u00f1ana": 1,
        "ma\u00f1ana mismo": 1,
        "pasado ma\u00f1ana": 2,
        "hoy por la tarde": 0,
        "hoy por la noche": 0,
    },
    day_ends=phrases(
        "final del d\u00eda|el final del d\u00eda|fin del d\u00eda|el fin del d\u00eda|\u00faltima hora|final de la jornada"
    ),
    parts=phrases("por la ma\u00f1ana|por la tarde|por la noche|a primera hora|a \u00faltima hora|al mediod\u00eda"),
    coming=phrases("pr\u00f3ximo|este"),
    following=(),
    coming_after=phrases("que viene|pr\u00f3ximo"),
    past=phrases("pasado"),
    past_after=phrases("pasado|pasada"),
    no_dates=phrases(
        "ayer|anteayer|de la ma\u00f1ana|por la ma\u00f1ana|la semana pasada|el mes pasado|hace una semana|anoche|la ma\u00f1ana"
    ),
    this_week=phrases("esta semana|esta misma semana"),
    next_week=phrases(
        "la pr\u00f3xima semana|pr\u00f3xima semana|la semana que viene|semana que viene|la semana pr\u00f3xima"
    ),
    this_month=phrases("este mes"),
    next_month=phrases("el pr\u00f3ximo mes|pr\u00f3ximo mes|el mes que viene|mes que viene"),
    weekend=phrases("este fin de semana|el fin de semana"),
    end_of=phrases(
        "el final de la|final de la|el fin de la|fin de la|el final del|final del|el fin del|fin del|finales de|final de|fin de|finales del"
    ),
    periods={
        "semana": "w",
        "mes": "m",
        "trimestre": "q",
        "a\u00f1o": "y",
        "pr\u00f3xima semana": "nw",
        "semana que viene": "nw",
        "pr\u00f3ximo mes": "nm",
    },
    ahead=phrases("dentro de|en los pr\u00f3ximos|en un plazo de|en"),
    ahead_after=(),
    units={
        "d\u00eda": 1,
        "d\u00edas": 1,
        "semana": 7,
        "semanas": 7,
        "mes": -1,
        "meses": -1,
        "hora": 0,
        "horas": 0,
        "minutos": 0,
    },
    before_month=phrases("en|para|antes de|hasta"),
    joints=phrases("de|del|d\u00eda|el"),
    times={"mediod\u00eda": "12:00", "medianoche": "23:59"},
    at=phrases("a las|a la|antes de las|sobre las|al|hacia las|antes del"),
    hours=phrases("horas|hs|h|hrs"),
    afternoon=phrases("de la tarde|de la noche"),
    by=phrases(
        "antes de|antes del|para|para el|hasta|hasta el|a m\u00e1s tardar|a m\u00e1s tardar el|como muy tarde|como muy tarde el|antes de que termine|antes de la"
    ),
    on=phrases("el|este|en|al|a|a el d\u00eda|el d\u00eda|la|para la"),
    of=phrases("de|del|desde|desde el|del d\u00eda|tras el"),
    never=phrases("no|no el|excepto|excepto el|salvo|salvo el|en vez de|en lugar de|no antes del"),
)

WORDS = Words(
    code="es",
    dates=DATES,
    numbers={
        "un": 1,
        "una": 1,
        "uno": 1,
        "dos": 2,
        "tres": 3,
        "cuatro": 4,
        "cinco": 5,
        "seis": 6,
        "siete": 7,
        "ocho": 8,
        "nueve": 9,
        "diez": 10,
        "quince": 15,
    },
    abbreviations=phrases(
        "sr|sra|srta|dr|dra|prof|etc|p.ej|ud|uds|aprox|n\u00fam|ene|feb|mar|abr|jun|jul|ago|sept|oct|nov|dic|tel|av|avda|art|d|d\u00f1a|s.a|s.l"
    ),
    common=frozenset(
        "el la los las de del que y en un una es para con por no se su te le lo me mi nos al como m\u00e1s pero ya yo est\u00e1 est\u00e1n hay muy gracias hola usted este esta o si ma\u00f1ana hoy voy vamos ha he son fue sobre tu antes a cuando desde hasta nuestro".split()
    ),
    grouping=".",
    scales={
        "k": 1_000,
        "mil": 1_000,
        "mill\u00f3n": 1_000_000,
        "millones": 1_000_000,
        "m": 1_000_000,
        "millones de": 1_000_000,
        "mill\u00f3n de": 1_000_000,
    },
    currencies={
        "euro": "EUR",
        "euros": "EUR",
        "d\u00f3lar": "USD",
        "d\u00f3lares": "USD",
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
        "d\u00eda": "day",
        "d\u00edas": "day",
        "semana": "week",
        "semanas": "week",
        "mes": "month",
        "meses": "month",
        "a\u00f1o": "year",
        "a\u00f1os": "year",
        "hora": "hour",
        "horas": "hour",
        "minutos": "minute",
        "km": "km",
        "kg": "kg",
        "gb": "gb",
        "p\u00e1ginas": "page",
        "tiendas": "store",
        "sedes": "site",
        "miembros": "member",
        "habitaciones": "room",
        "copias": "copy",
        "m\u00b2": "m2",
    },
    percent=phrases("%|por ciento"),
    verbs=verbs(
        """
        enviar env\u00edo enviado/envi\u00e9/enviamos
        reenviar reenv\u00edo reenviado/reenvi\u00e9
        mandar mando mandado/mand\u00e9
        remitir remito remitido/remit\u00ed
        pasar paso pasado/pas\u00e9
        compartir comparto compartido/compart\u00ed
        entregar entrego entregado/entregu\u00e9
        traer traigo tra\u00eddo/traje
        llevar llevo llevado/llev\u00e9
        dar doy dado/di
        devolver devuelvo devuelto/devolv\u00ed
        subir subo subido/sub\u00ed
        publicar publico publicado/publiqu\u00e9
        facilitar facilito facilitado/facilit\u00e9
        preparar preparo preparado/prepar\u00e9
        redactar redacto redactado/redact\u00e9
        escribir escribo escrito/escrib\u00ed
        revisar reviso revisado/revis\u00e9
        leer leo le\u00eddo/le\u00ed
        comprobar compruebo comprobado/comprob\u00e9
        verificar verifico verificado/verifiqu\u00e9
        confirmar confirmo confirmado/confirm\u00e9
        aprobar apruebo aprobado/aprob\u00e9
        firmar firmo firmado/firm\u00e9
        probar pruebo probado/prob\u00e9
        analizar analizo analizado/analic\u00e9
        comparar comparo comparado/compar\u00e9
        recopilar recopilo recopilado/recopil\u00e9
        reservar reservo reservado/reserv\u00e9
        organizar organizo organizado/organic\u00e9
        planificar planifico planificado/planifiqu\u00e9
        programar programo programado/program\u00e9
        agendar agendo agendado/agend\u00e9
        cancelar cancelo cancelado/cancel\u00e9
        renovar renuevo renovado/renov\u00e9
        pedir pido pedido/ped\u00ed
        encargar encargo encargado/encargu\u00e9
        comprar compro comprado/compr\u00e9
        pagar pago pagado/pagu\u00e9
        abonar abono abonado/abon\u00e9
        transferir transfiero transferido/transfer\u00ed
        reembolsar reembolso reembolsado/reembols\u00e9
        llamar llamo llamado/llam\u00e9
        contactar contacto contactado/contact\u00e9
        preguntar pregunto preguntado/pregunt\u00e9
        avisar aviso avisado/avis\u00e9
        informar informo informado/inform\u00e9
        recordar recuerdo recordado/record\u00e9
        invitar invito invitado/invit\u00e9
        presentar presento presentado/present\u00e9
        crear creo creado/cre\u00e9
        elaborar elaboro elaborado/elabor\u00e9
        traducir traduzco traducido/traduje
        corregir corrijo corregido/correg\u00ed
        modificar modifico modificado/modifiqu\u00e9
        actualizar actualizo actualizado/actualic\u00e9
        arreglar arreglo arreglado/arregl\u00e9
        reparar reparo reparado/repar\u00e9
        resolver resuelvo resuelto/resolv\u00ed
        solucionar soluciono solucionado/solucion\u00e9
        instalar instalo instalado/instal\u00e9
        configurar configuro configurado/configur\u00e9
        migrar migro migrado/migr\u00e9
        terminar termino terminado/termin\u00e9
        finalizar finalizo finalizado/finalic\u00e9
        acabar acabo acabado/acab\u00e9
        completar completo completado/complet\u00e9
        rellenar relleno rellenado/rellen\u00e9
        imprimir imprimo imprimido/impreso
        escanear escaneo escaneado/escane\u00e9
        negociar negocio negociado/negoci\u00e9
        resumir resumo resumido/resum\u00ed
        a\u00f1adir a\u00f1ado a\u00f1adido/a\u00f1ad\u00ed
        recoger recojo recogido/recog\u00ed
        cocinar cocino cocinado/cocin\u00e9
        gestionar gestiono gestionado/gestion\u00e9
        tramitar tramito tramitado/tramit\u00e9
        hablar hablo hablado/habl\u00e9
        mirar miro mirado/mir\u00e9
        """
    ),
    undertaking=phrases(
        "me encargo de|me encargo del|me ocupo de|me ocupo del|me encargar\u00e9 de|me encargar\u00e9 del|me ocupar\u00e9 de|me ocupar\u00e9 del|nos encargamos de|nos encargamos del|nos ocupamos de|me comprometo a"
    ),
    will=phrases("voy a|vamos a|prometo|me comprometo a|yo voy a|nosotros vamos a|nos comprometemos a"),
    must=phrases("tengo que|debo|puedo|tenemos que|podemos|debemos|he de|necesito|quiero"),
    you_get=phrases(
        "tendr\u00e1s|recibir\u00e1s|tendr\u00e1|recibir\u00e1|tendr\u00e1n|recibir\u00e1n|tendr\u00e9is|recibir\u00e9is"
    ),
    from_me=phrases("de mi parte|de nuestra parte|por mi parte"),
    third=phrases("va a"),
    subjects=phrases("yo|nosotros|nosotras"),
    irregular={
        "har\u00e9 llegar": "hacer",
        "hago llegar": "hacer",
        "haremos llegar": "hacer",
        "har\u00e9": "hacer",
        "haremos": "hacer",
        "pondr\u00e9": "poner",
    },
    future={
        "ar": ("ar\u00e9", "aremos", "ar\u00e1"),
        "er": ("er\u00e9", "eremos", "er\u00e1"),
        "ir": ("ir\u00e9", "iremos", "ir\u00e1"),
    },
    plural={"ar": "amos", "er": "emos", "ir": "imos"},
    enclitics=phrases("telo|tela|telos|selo|sela|selos|te|le|les|os|lo|la|los|las|nos|me|se"),
    negation=frozenset("no nunca jam\u00e1s nada nadie ning\u00fan ninguna ninguno tampoco ni".split()),
    condition=phrases(
        "si|siempre que|en caso de|cuando|en cuanto|una vez que|a menos que|salvo que|con tal de que|despu\u00e9s de que|solo si"
    ),
    asking=frozenset("preguntar comprobar verificar confirmar mirar".split()),
    hedges=frozenset(
        "quiz\u00e1 quiz\u00e1s tal-vez probablemente posiblemente ojal\u00e1 intentar intento intentar\u00e9 tratar tratar\u00e9 espero".split()
    ),
    fronting=frozenset(
        "ok vale s\u00ed claro gracias hola bueno bien entonces y pero perfecto lo siento perd\u00f3n como acordamos acordado promet\u00ed luego despu\u00e9s tambi\u00e9n muchas de acuerdo entendido por mi parte adem\u00e1s el la los las para antes del a en sin problema yo nosotros estimado estimada querido todos despu\u00e9s m\u00e1s tarde hasta este esta supuesto as\u00ed que tardar muy".split()
    ),
    conjunctions=frozenset("y e luego o".split()),
    contrast=frozenset("pero sino aunque pues".split()),
    subordinate=frozenset("porque que quien cuyo donde cuando mientras aunque si como para".split()) - {"para"},
    articles=frozenset(
        "el la los las un una unos unas mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra este esta estos estas ese esa esos esas todos todas".split()
    ),
    pronouns=frozenset(
        "yo t\u00fa usted \u00e9l ella nosotros nosotras vosotros ustedes me te se le les lo la los las os nos m\u00ed ti s\u00ed ellos".split()
    ),
    pronoun_objects=frozenset("lo la los las eso esto todo algo ello".split()),
    you=frozenset("te le les os ti usted ustedes".split()),
    prepositions=frozenset(
        "de del a al en con por para sobre sin entre hasta desde contra hacia seg\u00fan tras durante mediante antes".split()
    ),
    adverbs=frozenset(
        "pronto ya ahora luego despu\u00e9s tambi\u00e9n todav\u00eda a\u00fan mismo inmediatamente enseguida r\u00e1pidamente con gusto personalmente directamente aqu\u00ed ah\u00ed as\u00ed bien m\u00e1s tarde cuanto sin falta solo s\u00f3lo encantado encantada".split()
    ),
    to=frozenset("a con para".split()),
    recipient=frozenset("a al".split()),
    me=frozenset("me nos".split()),
    weak=frozenset("hablar mirar dar llevar leer cocinar negociar pasar".split()),
    elision=False,
    polite=phrases(
        "gracias|muchas gracias|mil gracias|perfecto|ok|vale|hola|sí|lo siento|genial|estupendo|de acuerdo|no|bien"
    ),
    idle=frozenset(
        "pantalla mejor tiempo momento minuto segundo saludos abrazo abrazos besos caf\u00e9 cerveza c\u00e1mara micr\u00f3fono puerta ventana dedos atenci\u00f3n suerte palabra vida gracias cabeza cuenta vuelta rato paseo noche".split()
    ),
    ask_infinitive=phrases(
        "puedes|podr\u00edas|puede|podr\u00eda|pod\u00e9is|podr\u00edais|pueden|podr\u00edan|me puedes|me podr\u00edas|me puede|me podr\u00eda|nos puedes|nos puede|nos podr\u00eda|le ruego|te importar\u00eda|le importar\u00eda|necesito que|nos podr\u00edas"
    ),
    imperatives=phrases(
        "env\u00edame|env\u00edeme|env\u00edanos|m\u00e1ndame|m\u00e1ndeme|p\u00e1same|p\u00e1seme|conf\u00edrmame|conf\u00edrmeme|ll\u00e1mame|ll\u00e1meme|env\u00eda|env\u00ede|revisa|revise|firma|firme|manda|mande|me env\u00edas|me mandas|me pasas|me env\u00eda|me manda|reserva|reserve|prepara|prepare|reenv\u00edame|comp\u00e1rteme|dame|deme|tr\u00e1eme|nos env\u00edas|comprueba|confirma|confirme|comparte|av\u00edsame"
    ),
    please=phrases("por favor"),
    accepted=phrases(
        "lo har\u00e9|lo hago|claro|claro que s\u00ed|por supuesto|me encargo|yo me encargo|me encargo yo|s\u00ed, me encargo|vale, lo hago|ok, lo hago|de acuerdo, lo hago|sin problema|no hay problema|con gusto|con mucho gusto|hecho, lo hago|cuenta con ello|ahora mismo lo hago|s\u00ed, claro|s\u00ed, lo hago|claro, lo hago|lo har\u00e9 encantado|lo har\u00e9 encantada|s\u00ed, lo har\u00e9|encantado|encantada|vale, me encargo"
    ),
    declined=phrases(
        "no puedo|lo siento, no puedo|no podr\u00e9|no me es posible|lamentablemente no puedo|por desgracia no puedo|no es posible|lo siento, no podr\u00e9|no, lo siento|desgraciadamente no|tengo que declinar|no, gracias|lamentablemente no|no voy a poder|lo siento, no es posible"
    ),
    received=phrases(
        "recibido|recibido, gracias|recibida, gracias|ya lo tengo|ya lo tengo, gracias|ya me lleg\u00f3|ya me ha llegado|me ha llegado|ha llegado, gracias|gracias, recibido|lo he recibido|lo recib\u00ed|ya lo recib\u00ed|lo he recibido, gracias|me lleg\u00f3, gracias|ya lleg\u00f3, gracias"
    ),
    released=phrases(
        "ya no hace falta|ya no es necesario|ya no lo necesito|ya no lo necesitamos|ya no se necesita|olv\u00eddalo|olv\u00eddelo|no hace falta ya|ya no hace falta, gracias|ya no|d\u00e9jalo|no importa ya|ya est\u00e1 resuelto, no hace falta|ya no es necesario, gracias|no te preocupes, ya no hace falta|d\u00e9jelo"
    ),
    done=phrases(
        "hecho|listo|ya est\u00e1|ya est\u00e1 hecho|enviado|ya est\u00e1 enviado|ya lo envi\u00e9|ya lo he enviado|lo he enviado|ya te lo envi\u00e9|ya te lo he enviado|est\u00e1 hecho|pagado|reservado|ya est\u00e1 reservado|ya est\u00e1 pagado|terminado|acabo de enviarlo|ya lo mand\u00e9"
    ),
    declined_begin=phrases(
        "no puedo|no podr\u00e9|lamentablemente no puedo|lo siento, no puedo|lo siento, no podr\u00e9|no voy a|no vamos a|no podemos|por desgracia no puedo|no voy a poder|desgraciadamente no puedo"
    ),
    received_begin=phrases(
        "he recibido|recib\u00ed|hemos recibido|ya he recibido|ya recib\u00ed|gracias por|muchas gracias por|recibido el|recibida la"
    ),
    released_begin=phrases(
        "ya no hace falta|ya no necesito|ya no necesitamos|ya no es necesario|no hace falta que|no es necesario que|ya no hace falta que|ya no es necesario que|olvida|olv\u00eddate de|olv\u00eddate del"
    ),
    released_end=phrases(
        "ya no hace falta|ya no es necesario|ya no es necesaria|ya no se necesita|ya no hacen falta|ya no lo necesito|ya no la necesito"
    ),
    attached=phrases(
        "adjunto|te adjunto|le adjunto|os adjunto|adjunto te env\u00edo|adjunto le env\u00edo|adjunto encontrar\u00e1|adjunto encontrar\u00e1s|adjunta encontrar\u00e1s|en adjunto|aqu\u00ed est\u00e1|aqu\u00ed tienes|aqu\u00ed tiene|aqu\u00ed va|aqu\u00ed est\u00e1n|aqu\u00ed van|aqu\u00ed te mando|como promet\u00ed, aqu\u00ed est\u00e1|se adjunta|adjuntamos|en el archivo adjunto|les adjunto|adjunto remito|ah\u00ed va|ah\u00ed tienes"
    ),
    attached_end=phrases(
        "va adjunto|va adjunta|est\u00e1 adjunto|est\u00e1 adjunta|adjunto|en adjunto|ya est\u00e1 enviado|ya est\u00e1 enviada|est\u00e1 listo|est\u00e1 lista|ya est\u00e1 listo|ya est\u00e1 lista|est\u00e1 hecho|est\u00e1 hecha|est\u00e1 reservado|est\u00e1 reservada|est\u00e1 pagada"
    ),
    have=phrases(
        "he|te he|le he|les he|os he|ya he|ya te he|ya le he|hemos|ya|te|le|les|ya te|ya le|acabo de|os hemos|ya os|ya les|yo|os|le hemos|te hemos"
    ),
    decided=phrases(
        "hemos decidido|decidimos|hemos acordado|acordamos|decisi\u00f3n:|se ha decidido|se decidi\u00f3|vamos con|nos quedamos con|hemos optado por|optamos por|hemos elegido|elegimos|he decidido|hemos decidido que|quedamos en|hemos quedado en|acordado:"
    ),
    copula=phrases(
        "es|son|es de|es ahora de|asciende a|=|cuesta|ser\u00e1 de|est\u00e1 en|:|es el|ahora es de|ser\u00e1|son de|es ahora|queda en|ser\u00e1 el|ahora es|ascienden a"
    ),
    moved=phrases(
        "se ha movido al|se movi\u00f3 al|se aplaza al|se ha aplazado al|se pospone al|se retrasa al|pasa al|ha pasado al|cambia al|sube a|baja a|se ha retrasado al|se ha pospuesto al|ser\u00e1 el|se traslada al|se aplaz\u00f3 al|se pospuso al|se ha cambiado al|se cambia al"
    ),
    attributes={
        "presupuesto": "budget",
        "precio": "price",
        "coste": "cost",
        "costo": "cost",
        "costes": "cost",
        "tarifa": "fee",
        "alquiler": "rent",
        "fianza": "deposit",
        "salario": "salary",
        "descuento": "discount",
        "plazo": "deadline",
        "fecha l\u00edmite": "deadline",
        "fecha": "date",
        "lanzamiento": "date",
        "tel\u00e9fono": "phone",
        "n\u00famero": "phone",
        "n\u00famero de tel\u00e9fono": "phone",
        "m\u00f3vil": "phone",
        "versi\u00f3n": "version",
        "tasa": "rate",
        "objetivo": "target",
        "capacidad": "capacity",
        "margen": "margin",
        "total": "total",
        "factura": "total",
        "oferta": "offer",
        "reuni\u00f3n": "date",
        "entrega": "delivery",
        "boda": "date",
        "taller": "date",
        "superficie": "area",
        "duraci\u00f3n": "duration",
        "conferencia": "date",
        "ingresos": "revenue",
    },
    of=phrases("para|de|del|para el|para la|de la"),
)
