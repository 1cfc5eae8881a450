"""Portuguese, of Portugal and of Brazil."""

from consumer.understanding.languages.words import DateWords, Words, numbered, phrases, verbs

DATES = DateWords(
    months=numbered(
        "janeiro jan | fevereiro fev | mar\u00e7o mar | abril abr | maio | junho jun | julho jul | agosto ago | setembro set | outubro out | novembro nov | dezembro dez"
    ),
    weekdays=numbered(
        "segunda-feira | ter\u00e7a-feira | quarta-feira | quinta-feira | sexta-feira | s\u00e1bado sabado | domingo", 0
    ),
    short_weekdays=numbered("segunda seg | ter\u00e7a ter | quarta qua | quinta qui | sexta sex | s\u00e1b | dom", 0),
    days={
        "hoje": 0,
        "hoje mesmo": 0,
        "ainda hoje": 0,
        "hoje \u00e0 noite": 0,
        "hoje \u00e0 tarde": 0,
        "hoje de manh\u00e3": 0,
        "esta noite": 0,
        "esta tarde": 0,
        "logo \u00e0 noite": 0,
        "amanh\u00e3": 1,
        "depois de amanh\u00e3": 2,
    },
    day_ends=phrases("o final do dia|final do dia|fim do dia|o fim do dia|fim do expediente"),
    parts=phrases("de manh\u00e3|\u00e0 tarde|\u00e0 noite|pela manh\u00e3|de manh\u00e3 cedo|cedo|ao meio-dia"),
    coming=phrases("pr\u00f3xima|pr\u00f3ximo|esta|este"),
    following=(),
    coming_after=phrases("que vem|pr\u00f3xima|pr\u00f3ximo"),
    past=phrases("\u00faltima|\u00faltimo"),
    past_after=phrases("passada|passado"),
    no_dates=phrases(
        "ontem|anteontem|a semana passada|na semana passada|h\u00e1 uma semana|segunda vez|segunda parte|segunda vers\u00e3o|segunda via|quarta vers\u00e3o"
    ),
    this_week=phrases("esta semana|essa semana|nesta semana"),
    next_week=phrases("a pr\u00f3xima semana|pr\u00f3xima semana|a semana que vem|semana que vem|para a semana"),
    this_month=phrases("este m\u00eas"),
    next_month=phrases("o pr\u00f3ximo m\u00eas|pr\u00f3ximo m\u00eas|m\u00eas que vem"),
    weekend=phrases("este fim de semana|o fim de semana|fim de semana|final de semana"),
    end_of=phrases(
        "o final da|final da|o fim da|fim da|o final do|final do|o fim do|fim do|fim de|final de|o final de"
    ),
    periods={
        "semana": "w",
        "m\u00eas": "m",
        "trimestre": "q",
        "ano": "y",
        "pr\u00f3xima semana": "nw",
        "pr\u00f3ximo m\u00eas": "nm",
    },
    ahead=phrases("daqui a|dentro de|em|nos pr\u00f3ximos"),
    ahead_after=(),
    units={
        "dia": 1,
        "dias": 1,
        "semana": 7,
        "semanas": 7,
        "m\u00eas": -1,
        "meses": -1,
        "hora": 0,
        "horas": 0,
        "minutos": 0,
    },
    before_month=phrases("em|at\u00e9|antes de"),
    joints=phrases("de|do|dia|o"),
    times={"meio-dia": "12:00", "meia-noite": "23:59"},
    at=phrases("\u00e0s|\u00e0|as|at\u00e9 \u00e0s|antes das|at\u00e9 as|pelas|ao"),
    hours=phrases("horas|hs|h|hrs"),
    afternoon=phrases("da tarde|da noite"),
    by=phrases(
        "at\u00e9|at\u00e9 ao|at\u00e9 o|at\u00e9 \u00e0|at\u00e9 a|antes de|antes do|antes da|o mais tardar|no m\u00e1ximo at\u00e9|para|at\u00e9 ao dia|at\u00e9 o dia|at\u00e9 dia"
    ),
    on=phrases("na|no|em|a|nesta|neste|no dia|ao|para a|para o|dia|o"),
    of=phrases("de|da|do|desde|desde a|do dia|ap\u00f3s a"),
    never=phrases("n\u00e3o|n\u00e3o na|exceto|exceto na|em vez de|ao inv\u00e9s de|n\u00e3o antes de|menos na"),
)

WORDS = Words(
    code="pt",
    dates=DATES,
    numbers={
        "um": 1,
        "uma": 1,
        "dois": 2,
        "duas": 2,
        "tr\u00eas": 3,
        "quatro": 4,
        "cinco": 5,
        "seis": 6,
        "sete": 7,
        "oito": 8,
        "nove": 9,
        "dez": 10,
        "quinze": 15,
    },
    abbreviations=phrases(
        "sr|sra|dr|dra|prof|profa|eng|etc|p.ex|ex|aprox|n\u00ba|jan|fev|mar|abr|jun|jul|ago|set|out|nov|dez|tel|av|art|d|lda|exmo|exma|v.exa"
    ),
    common=frozenset(
        "o os a as de do da dos das que e em um uma \u00e9 para com por n\u00e3o se ao no na nos nas mais mas j\u00e1 eu voc\u00ea voc\u00eas te lhe meu minha seu sua nosso obrigado obrigada ol\u00e1 est\u00e1 s\u00e3o foi vou vamos at\u00e9 hoje amanh\u00e3 isso este esta muito quando tamb\u00e9m ainda pelo pela".split()
    ),
    grouping=".",
    scales={
        "k": 1_000,
        "mil": 1_000,
        "milh\u00e3o": 1_000_000,
        "milh\u00f5es": 1_000_000,
        "m": 1_000_000,
        "milh\u00f5es de": 1_000_000,
        "milh\u00e3o de": 1_000_000,
        "mi": 1_000_000,
    },
    currencies={
        "euro": "EUR",
        "euros": "EUR",
        "d\u00f3lar": "USD",
        "d\u00f3lares": "USD",
        "libras": "GBP",
        "francos": "CHF",
        "reais": "BRL",
        "real": "BRL",
    },
    counted={
        "lugar": "seat",
        "lugares": "seat",
        "pessoa": "person",
        "pessoas": "person",
        "utilizadores": "user",
        "usu\u00e1rios": "user",
        "clientes": "customer",
        "engenheiros": "engineer",
        "funcion\u00e1rios": "employee",
        "convidados": "guest",
        "participantes": "attendee",
        "licen\u00e7as": "licence",
        "unidades": "unit",
        "dia": "day",
        "dias": "day",
        "semana": "week",
        "semanas": "week",
        "m\u00eas": "month",
        "meses": "month",
        "ano": "year",
        "anos": "year",
        "hora": "hour",
        "horas": "hour",
        "minutos": "minute",
        "km": "km",
        "kg": "kg",
        "gb": "gb",
        "p\u00e1ginas": "page",
        "lojas": "store",
        "membros": "member",
        "quartos": "room",
        "c\u00f3pias": "copy",
        "m\u00b2": "m2",
    },
    percent=phrases("%|por cento"),
    verbs=verbs(
        """
        enviar envio enviado/enviei/enviamos
        reenviar reenvio reenviado/reenviei
        mandar mando mandado/mandei
        encaminhar encaminho encaminhado/encaminhei
        remeter remeto remetido/remeti
        passar passo passado/passei
        partilhar partilho partilhado/partilhei
        compartilhar compartilho compartilhado/compartilhei
        entregar entrego entregue/entreguei
        trazer trago trazido/trouxe
        levar levo levado/levei
        dar dou dado/dei
        devolver devolvo devolvido/devolvi
        publicar publico publicado/publiquei
        fornecer forne\u00e7o fornecido/forneci
        preparar preparo preparado/preparei
        redigir redijo redigido/redigi
        escrever escrevo escrito/escrevi
        rever revejo revisto/revi
        revisar reviso revisado/revisei
        ler leio lido/li
        verificar verifico verificado/verifiquei
        conferir confiro conferido/conferi
        confirmar confirmo confirmado/confirmei
        validar valido validado/validei
        aprovar aprovo aprovado/aprovei
        assinar assino assinado/assinei
        testar testo testado/testei
        analisar analiso analisado/analisei
        comparar comparo comparado/comparei
        reunir re\u00fano reunido/reuni
        reservar reservo reservado/reservei
        organizar organizo organizado/organizei
        planear planeio planeado/planeei
        agendar agendo agendado/agendei
        marcar marco marcado/marquei
        cancelar cancelo cancelado/cancelei
        renovar renovo renovado/renovei
        encomendar encomendo encomendado/encomendei
        pedir pe\u00e7o pedido/pedi
        comprar compro comprado/comprei
        pagar pago pago/paguei
        transferir transfiro transferido/transferi
        reembolsar reembolso reembolsado/reembolsei
        ligar ligo ligado/liguei
        telefonar telefono telefonado/telefonei
        contactar contacto contactado/contactei
        contatar contato contatado/contatei
        perguntar pergunto perguntado/perguntei
        avisar aviso avisado/avisei
        informar informo informado/informei
        lembrar lembro lembrado/lembrei
        convidar convido convidado/convidei
        apresentar apresento apresentado/apresentei
        criar crio criado/criei
        elaborar elaboro elaborado/elaborei
        traduzir traduzo traduzido/traduzi
        corrigir corrijo corrigido/corrigi
        alterar altero alterado/alterei
        atualizar atualizo atualizado/atualizei
        consertar conserto consertado/consertei
        reparar reparo reparado/reparei
        resolver resolvo resolvido/resolvi
        instalar instalo instalado/instalei
        configurar configuro configurado/configurei
        migrar migro migrado/migrei
        terminar termino terminado/terminei
        finalizar finalizo finalizado/finalizei
        acabar acabo acabado/acabei
        concluir concluo conclu\u00eddo/conclu\u00ed
        completar completo completado/completei
        preencher preencho preenchido/preenchi
        imprimir imprimo impresso/imprimi
        digitalizar digitalizo digitalizado/digitalizei
        negociar negocio negociado/negociei
        resumir resumo resumido/resumi
        adicionar adiciono adicionado/adicionei
        buscar busco buscado/busquei
        cozinhar cozinho cozinhado/cozinhei
        tratar trato tratado/tratei
        falar falo falado/falei
        """
    ),
    undertaking=phrases(
        "trato de|trato da|trato do|encarrego-me de|encarrego-me da|encarrego-me do|me encarrego de|me encarrego da|me encarrego do|cuido de|cuido da|cuido do|tratarei de|tratarei da|tratarei do|comprometo-me a|fico de|ocupo-me de|ocupo-me da|trato das|trato dos|cuidarei da|cuidarei do"
    ),
    will=phrases("vou|vamos|irei|iremos|prometo|comprometo-me a|vou-te|vou-lhe|fico de"),
    must=phrases("tenho de|tenho que|devo|posso|preciso de|preciso|temos de|temos que|podemos|devemos|quero"),
    you_get=phrases("ter\u00e1s|receber\u00e1s|ter\u00e1|receber\u00e1|vai receber|vais receber|v\u00e3o receber"),
    from_me=phrases("da minha parte|de mim|da nossa parte"),
    third=phrases("vai|ir\u00e1"),
    subjects=phrases("eu|n\u00f3s"),
    irregular={"trarei": "trazer", "farei": "fazer", "faremos": "fazer", "farei chegar": "fazer"},
    future={
        "ar": ("arei", "aremos", "ar\u00e1"),
        "er": ("erei", "eremos", "er\u00e1"),
        "ir": ("irei", "iremos", "ir\u00e1"),
    },
    plural={"ar": "amos", "er": "emos", "ir": "imos"},
    enclitics=phrases("-te|-lhe|-lhes|-vos|-o|-a|-os|-as|-lo|-la|-los|-las|-me|-nos|-se"),
    negation=frozenset("n\u00e3o nunca jamais nada ningu\u00e9m nenhum nenhuma nem".split()),
    condition=phrases("se|caso|desde que|quando|assim que|a menos que|a n\u00e3o ser que|logo que|depois que"),
    asking=frozenset("perguntar verificar confirmar conferir".split()),
    hedges=frozenset("talvez provavelmente possivelmente oxal\u00e1 tomara tentar tentarei tento espero".split()),
    fronting=frozenset(
        "ok sim claro obrigado obrigada ol\u00e1 bom dia boa tarde noite ent\u00e3o e mas perfeito desculpe desculpa como combinado acordado prometido depois tamb\u00e9m muito certo entendido por mim pela minha parte al\u00e9m disso at\u00e9 na no a o antes do da em sem problema eu n\u00f3s caro cara todos mais tarde logo para as os de dia tardar beleza tudo bem".split()
    ),
    conjunctions=frozenset("e depois ou".split()),
    contrast=frozenset("mas por\u00e9m contudo embora pois".split()),
    subordinate=frozenset("porque que quem cujo onde quando enquanto embora se como caso".split()),
    articles=frozenset(
        "o a os as um uma uns umas meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas vosso vossa este esta estes estas esse essa isso todos todas".split()
    ),
    pronouns=frozenset(
        "eu tu voc\u00ea voc\u00eas ele ela n\u00f3s v\u00f3s eles elas me te se lhe lhes nos vos mim ti si".split()
    ),
    pronoun_objects=frozenset("isso isto tudo algo o a os as ele ela".split()),
    you=frozenset("te lhe lhes vos ti voc\u00ea voc\u00eas".split()),
    prepositions=frozenset(
        "de do da dos das a ao aos \u00e0 \u00e0s em no na nos nas num numa com por pelo pela para sobre sem entre at\u00e9 desde contra segundo ap\u00f3s durante antes".split()
    ),
    adverbs=frozenset(
        "j\u00e1 agora logo depois tamb\u00e9m ainda mesmo imediatamente rapidamente pessoalmente diretamente aqui a\u00ed assim bem mais tarde breve brevemente certamente s\u00f3 sem falta quanto antes".split()
    ),
    to=frozenset("a com para".split()),
    recipient=frozenset("a ao aos à às".split()),
    me=frozenset("me nos".split()),
    weak=frozenset("falar dar ler levar cozinhar passar buscar pedir".split()),
    elision=False,
    polite=phrases(
        "obrigado|obrigada|muito obrigado|muito obrigada|perfeito|ok|olá|oi|sim|desculpe|desculpa|certo|está bem|valeu|ótimo|não|bom dia|boa tarde"
    ),
    idle=frozenset(
        "ecr\u00e3 tela melhor tempo momento minuto segundo abra\u00e7o abra\u00e7os beijos beijinhos caf\u00e9 cerveja c\u00e2mara c\u00e2mera microfone porta janela dedos aten\u00e7\u00e3o sorte palavra vida cabe\u00e7a olhada volta boleia noite jeito".split()
    ),
    ask_infinitive=phrases(
        "pode|podes|poderia|podia|podias|podem|poderiam|consegues|consegue|ser\u00e1 que pode|ser\u00e1 que podes|voc\u00ea pode|voc\u00ea poderia|me pode|pode por favor|importa-se de|importas-te de|preciso que|d\u00e1 para|tu podes"
    ),
    imperatives=phrases(
        "envia-me|envie-me|mande-me|manda-me|me envie|me envia|me mande|me manda|me passa|passa-me|confirma-me|liga-me|me ligue|envie|envia|reveja|assine|confirme|reserve|encaminhe|me encaminhe|mande|prepare|partilhe|compartilhe|envias-me|mandas-me|revise"
    ),
    please=phrases("por favor|se faz favor|pf|favor"),
    accepted=phrases(
        "pode deixar|deixa comigo|deixe comigo|vou fazer|fa\u00e7o isso|farei isso|eu fa\u00e7o|claro|claro que sim|com certeza|sem problema|sem problemas|eu trato disso|trato disso|vou tratar disso|combinado, fa\u00e7o isso|sim, fa\u00e7o isso|ok, fa\u00e7o isso|est\u00e1 bem, fa\u00e7o isso|com prazer|com todo o prazer|sim, claro|fica combinado|podes contar comigo|pode contar comigo|ok, pode deixar|claro, pode deixar|sim, pode deixar|eu cuido disso|ok, vou fazer"
    ),
    declined=phrases(
        "n\u00e3o posso|n\u00e3o consigo|desculpe, n\u00e3o posso|desculpa, n\u00e3o posso|infelizmente n\u00e3o posso|infelizmente n\u00e3o|n\u00e3o vou conseguir|n\u00e3o \u00e9 poss\u00edvel|infelizmente n\u00e3o consigo|lamento, n\u00e3o posso|n\u00e3o, desculpe|n\u00e3o poderei|tenho de recusar|infelizmente n\u00e3o vou conseguir|n\u00e3o, obrigado|n\u00e3o, obrigada"
    ),
    received=phrases(
        "recebido|recebido, obrigado|recebido, obrigada|recebi|j\u00e1 recebi|recebi, obrigado|recebi, obrigada|obrigado, recebi|obrigada, recebi|j\u00e1 chegou|chegou, obrigado|j\u00e1 recebi, obrigado|j\u00e1 recebi, obrigada|recebida, obrigado|chegou, obrigada|j\u00e1 chegou, obrigado"
    ),
    released=phrases(
        "n\u00e3o \u00e9 mais necess\u00e1rio|j\u00e1 n\u00e3o \u00e9 necess\u00e1rio|j\u00e1 n\u00e3o preciso|n\u00e3o preciso mais|n\u00e3o precisa mais|j\u00e1 n\u00e3o \u00e9 preciso|n\u00e3o precisamos mais|esquece|esque\u00e7a|deixa para l\u00e1|deixa pra l\u00e1|j\u00e1 n\u00e3o precisamos|j\u00e1 n\u00e3o \u00e9 preciso, obrigado|j\u00e1 n\u00e3o \u00e9 preciso, obrigada|n\u00e3o \u00e9 mais preciso|deixe para l\u00e1|j\u00e1 n\u00e3o \u00e9 necess\u00e1rio, obrigado|n\u00e3o precisa mais, obrigado|n\u00e3o precisa mais, obrigada"
    ),
    done=phrases(
        "feito|est\u00e1 feito|j\u00e1 est\u00e1|j\u00e1 est\u00e1 feito|pronto|enviado|j\u00e1 enviei|j\u00e1 foi enviado|j\u00e1 mandei|acabei de enviar|pago|reservado|j\u00e1 est\u00e1 reservado|j\u00e1 est\u00e1 pago|terminado|conclu\u00eddo|j\u00e1 fiz|tudo feito"
    ),
    declined_begin=phrases(
        "n\u00e3o posso|n\u00e3o consigo|infelizmente n\u00e3o posso|infelizmente n\u00e3o consigo|n\u00e3o vou conseguir|n\u00e3o vou|n\u00e3o poderei|n\u00e3o podemos|desculpe, n\u00e3o posso|desculpa, n\u00e3o posso|infelizmente n\u00e3o vou conseguir|n\u00e3o conseguirei"
    ),
    received_begin=phrases(
        "recebi|j\u00e1 recebi|recebemos|obrigado pelo|obrigada pelo|obrigado pela|obrigada pela|obrigado por|obrigada por|obrigado pelos|obrigada pelas|obrigada pelos|obrigado pelas"
    ),
    released_begin=phrases(
        "j\u00e1 n\u00e3o preciso|n\u00e3o preciso mais|j\u00e1 n\u00e3o precisamos|n\u00e3o precisamos mais|j\u00e1 n\u00e3o \u00e9 preciso|j\u00e1 n\u00e3o \u00e9 necess\u00e1rio|n\u00e3o \u00e9 mais necess\u00e1rio|n\u00e3o precisa mais|n\u00e3o precisas de|n\u00e3o precisa de|n\u00e3o \u00e9 preciso|esquece|esque\u00e7a"
    ),
    released_end=phrases(
        "j\u00e1 n\u00e3o \u00e9 necess\u00e1rio|j\u00e1 n\u00e3o \u00e9 necess\u00e1ria|n\u00e3o \u00e9 mais necess\u00e1rio|n\u00e3o \u00e9 mais necess\u00e1ria|j\u00e1 n\u00e3o \u00e9 preciso|j\u00e1 n\u00e3o \u00e9 precisa|j\u00e1 n\u00e3o s\u00e3o necess\u00e1rios|n\u00e3o s\u00e3o mais necess\u00e1rios"
    ),
    attached=phrases(
        "em anexo|segue em anexo|segue anexo|segue anexa|seguem em anexo|em anexo segue|em anexo envio|anexo|envio em anexo|anexo envio|aqui est\u00e1|aqui est\u00e3o|aqui vai|aqui v\u00e3o|aqui tens|aqui tem|segue|seguem|como prometido, aqui est\u00e1|junto envio|em anexo encontra|em anexo encontras|conforme prometido, segue|segue abaixo|como prometido, segue"
    ),
    attached_end=phrases(
        "em anexo|segue em anexo|vai em anexo|est\u00e1 em anexo|j\u00e1 foi enviado|j\u00e1 foi enviada|est\u00e1 pronto|est\u00e1 pronta|est\u00e1 feito|est\u00e1 feita|est\u00e1 reservado|est\u00e1 reservada|est\u00e1 paga|segue anexo|segue anexa|j\u00e1 est\u00e1 pronto|j\u00e1 est\u00e1 pronta"
    ),
    have=phrases("j\u00e1|eu|eu j\u00e1|te|j\u00e1 te|j\u00e1 lhe|tenho|acabei de|lhe|j\u00e1 vos"),
    decided=phrases(
        "decidimos|ficou decidido que|ficou decidido|decis\u00e3o:|foi decidido|optamos por|opt\u00e1mos por|escolhemos|vamos com|combinamos|combin\u00e1mos|acordamos|acord\u00e1mos|ficou combinado|decidi|resolvemos|ficou acordado que|ficou acordado|ficamos com|fic\u00e1mos com|ficou decidido que|fechamos com|decidiu-se"
    ),
    copula=phrases(
        "\u00e9|s\u00e3o|\u00e9 de|\u00e9 agora de|=|custa|ser\u00e1 de|est\u00e1 em|ascende a|:|\u00e9 no dia|agora \u00e9 de|\u00e9 agora|s\u00e3o de|agora \u00e9|fica em|\u00e9 a|ser\u00e1"
    ),
    moved=phrases(
        "foi adiado para|foi adiada para|foi adiado para o dia|mudou para|passou para|passa para|foi movido para|foi movida para|subiu para|baixou para|ser\u00e1 no dia|foi transferido para|foi transferida para|foi remarcada para|foi remarcado para|foi alterada para|foi alterado para"
    ),
    attributes={
        "or\u00e7amento": "budget",
        "pre\u00e7o": "price",
        "custo": "cost",
        "custos": "cost",
        "taxa": "fee",
        "renda": "rent",
        "aluguel": "rent",
        "cau\u00e7\u00e3o": "deposit",
        "sal\u00e1rio": "salary",
        "desconto": "discount",
        "prazo": "deadline",
        "data limite": "deadline",
        "data": "date",
        "lan\u00e7amento": "date",
        "telefone": "phone",
        "n\u00famero": "phone",
        "n\u00famero de telefone": "phone",
        "telem\u00f3vel": "phone",
        "celular": "phone",
        "vers\u00e3o": "version",
        "meta": "target",
        "objetivo": "target",
        "capacidade": "capacity",
        "margem": "margin",
        "total": "total",
        "fatura": "total",
        "proposta": "offer",
        "reuni\u00e3o": "date",
        "entrega": "delivery",
        "casamento": "date",
        "workshop": "date",
        "\u00e1rea": "area",
        "dura\u00e7\u00e3o": "duration",
        "confer\u00eancia": "date",
        "receita": "revenue",
    },
    of=phrases("para|de|do|da|para o|para a|dos|das"),
)
