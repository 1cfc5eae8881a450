"""Portuguese, of Portugal and of Brazil."""

from consumer.understanding.languages.words import HOUR, DateWords, Words, combined, numbered, phrases, verbs, words

DATES = DateWords(
    months=numbered(
        "janeiro jan | fevereiro fev | março mar | abril abr | maio | junho jun | julho jul"
        " | agosto ago | setembro set | outubro out | novembro nov | dezembro dez"
    ),
    weekdays=numbered(
        "segunda-feira | terça-feira | quarta-feira | quinta-feira | sexta-feira | sábado sabado | domingo", 0
    ),
    short_weekdays=numbered("segunda seg | terça ter | quarta qua | quinta qui | sexta sex | sáb | dom", 0),
    days={
        "hoje": 0,
        "hoje mesmo": 0,
        "ainda hoje": 0,
        "hoje à noite": 0,
        "hoje à tarde": 0,
        "hoje de manhã": 0,
        "esta noite": 0,
        "esta tarde": 0,
        "logo à noite": 0,
        "amanhã": 1,
        "depois de amanhã": 2,
    },
    day_ends=phrases("o final do dia|final do dia|fim do dia|o fim do dia|fim do expediente"),
    parts=phrases("de manhã|à tarde|à noite|pela manhã|de manhã cedo|cedo|ao meio-dia"),
    coming=phrases("próxima|próximo|esta|este"),
    following=(),
    coming_after=phrases("que vem|próxima|próximo"),
    past=phrases("última|último"),
    past_after=phrases("passada|passado"),
    no_dates=phrases(
        """
        à primeira hora | logo cedo |
        à tarde | à noite | de manhã | ontem | anteontem | a semana passada | na semana passada | há uma semana |
        segunda vez | segunda parte | segunda versão | segunda via | quarta versão
        """
    ),
    this_week=phrases("esta semana|essa semana|nesta semana"),
    later_week=phrases(
        "ao longo da semana|no decorrer da semana|durante a semana|mais tarde esta semana|mais para o fim da semana"
    ),
    next_week=phrases("a próxima semana|próxima semana|a semana que vem|semana que vem|para a semana"),
    this_month=phrases("este mês"),
    next_month=phrases("o próximo mês|próximo mês|mês que vem"),
    weekend=phrases("este fim de semana|o fim de semana|fim de semana|final de semana"),
    end_of=phrases(
        """
        o final da | final da | o fim da | fim da | o final do | final do | o fim do | fim do | fim de |
        final de | o final de
        """
    ),
    periods={
        "semana": "w",
        "mês": "m",
        "trimestre": "q",
        "ano": "y",
        "próxima semana": "nw",
        "próximo mês": "nm",
    },
    year_end=phrases("fim de ano|final de ano"),
    ahead=phrases("daqui a|dentro de|em|nos próximos"),
    ahead_after=(),
    units={
        "dia": 1,
        "dias": 1,
        "semana": 7,
        "semanas": 7,
        "mês": -1,
        "meses": -1,
        "hora": HOUR,
        "horas": HOUR,
        "minutos": 0,
    },
    before_month=phrases("em|até|antes de"),
    joints=phrases("de|do|dia|o"),
    times={"meio-dia": "12:00", "meia-noite": "23:59"},
    at=phrases("às|à|as|até às|antes das|até as|pelas|ao"),
    hours=phrases("horas|hs|h|hrs"),
    afternoon=phrases("da tarde|da noite"),
    mornings=phrases("manhã|madrugada|cedo"),
    afternoons=words("tarde"),
    evenings=words("noite tarde"),
    by=phrases(
        """
        não mais tarde que | não depois de |
        até | até ao | até o | até à | até a | antes de | antes do | antes da | o mais tardar | no máximo até |
        para | pra | pro | até ao dia | até o dia | até dia
        """
    ),
    before=words("antes"),
    on=phrases("na|no|em|a|nesta|neste|no dia|ao|para a|para o|dia|o"),
    of=phrases("de|da|do|a partir de|a partir da|a partir do|desde|desde a|do dia|após a"),
    never=phrases("não|não na|exceto|exceto na|em vez de|ao invés de|não antes de|menos na"),
    day_of_month=phrases("dia"),
    counted_from=phrases("depois de|a partir de"),
    middle_of=phrases("meados de|metade de"),
    first_of=phrases("primeiro de"),
)

WORDS = Words(
    code="pt",
    dates=DATES,
    short={"vc": "você", "vcs": "vocês", "p": "para", "c": "com", "q": "que"},
    other_numbers={"uma": 1},
    abbreviations=phrases(
        """
        emb |
        sr | sra | dr | dra | prof | profa | eng | etc | p.ex | ex | aprox | nº | jan | fev | mar | abr | jun |
        jul | ago | set | out | nov | dez | tel | av | art | d | lda | exmo | exma | v.exa |
        exmos | enga | engª | drª | srª | profª | arq | arqª | adv | ref | lic | resp | incl |
        pág | págs | p | obs | apto | depto | dep
        """
    ),
    common=words(
        """
        oi prezada
        o os a as de do da dos das que e em um uma é para com por não se ao no na nos nas mais mas já eu você
        vocês te lhe meu minha seu sua nosso obrigado obrigada olá está são foi vou vamos até hoje amanhã isso
        este esta muito quando também ainda pelo pela
        """
    ),
    grouping=".",
    scales={
        "k": 1_000,
        "mil": 1_000,
        "milhão": 1_000_000,
        "milhões": 1_000_000,
        "m": 1_000_000,
        "milhões de": 1_000_000,
        "milhão de": 1_000_000,
        "mi": 1_000_000,
    },
    currencies={
        "euro": "EUR",
        "euros": "EUR",
        "dólar": "USD",
        "dólares": "USD",
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
        "usuários": "user",
        "clientes": "customer",
        "engenheiros": "engineer",
        "funcionários": "employee",
        "convidados": "guest",
        "participantes": "attendee",
        "licenças": "licence",
        "unidades": "unit",
        "dia": "day",
        "dias": "day",
        "semana": "week",
        "semanas": "week",
        "mês": "month",
        "meses": "month",
        "ano": "year",
        "anos": "year",
        "hora": "hour",
        "horas": "hour",
        "minutos": "minute",
        "km": "km",
        "kg": "kg",
        "gb": "gb",
        "páginas": "page",
        "lojas": "store",
        "membros": "member",
        "quartos": "room",
        "cópias": "copy",
        "m²": "m2",
    },
    percent=phrases("%|por cento"),
    verbs=verbs(
        """
        carregar carrego carregado
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
        fornecer forneço fornecido/forneci
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
        reunir reúno reunido/reuni
        reservar reservo reservado/reservei
        organizar organizo organizado/organizei
        planear planeio planeado/planeei
        agendar agendo agendado/agendei
        marcar marco marcado/marquei
        cancelar cancelo cancelado/cancelei
        renovar renovo renovado/renovei
        encomendar encomendo encomendado/encomendei
        pedir peço pedido/pedi
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
        concluir concluo concluído/concluí
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
        arranjar arranjo arranjado/arranjei
        conseguir consigo conseguido/consegui
        procurar procuro procurado/procurei
        mostrar mostro mostrado/mostrei
        responder respondo respondido/respondi
        explicar explico explicado/expliquei
        indicar indico indicado/indiquei
        anotar anoto anotado/anotei
        calcular calculo calculado/calculei
        medir meço medido/medi
        estimar estimo estimado/estimei
        descarregar descarrego descarregado/descarreguei
        baixar baixo baixado/baixei
        copiar copio copiado/copiei
        guardar guardo guardado/guardei
        limpar limpo limpado/limpei
        arrumar arrumo arrumado/arrumei
        lavar lavo lavado/lavei
        pintar pinto pintado/pintei
        montar monto montado/montei
        trocar troco trocado/troquei
        mudar mudo mudado/mudei
        emprestar empresto emprestado/emprestei
        lançar lanço lançado/lancei
        divulgar divulgo divulgado/divulguei
        distribuir distribuo distribuído/distribuí
        faturar faturo faturado/faturei
        declarar declaro declarado/declarei
        inscrever inscrevo inscrito/inscrevi
        propor proponho proposto/propus
        substituir substituo substituído/substituí
        retirar retiro retirado/retirei
        fechar fecho fechado/fechei
        adiar adio adiado/adiei
        deixar deixo deixado/deixei
        esclarecer esclareço esclarecido/esclareci
        recolher recolho recolhido/recolhi
        levantar levanto levantado/levantei
        """
    ),
    undertaking=phrases(
        """
        trato de | trato da | trato do | encarrego-me de | encarrego-me da | encarrego-me do | me encarrego de |
        me encarrego da | me encarrego do | cuido de | cuido da | cuido do | tratarei de | tratarei da |
        tratarei do | comprometo-me a | fico de | ocupo-me de | ocupo-me da | trato das | trato dos | cuidarei da |
        cuidarei do | eu trato de | vou buscar | irei buscar | entro em contacto com | entro em contato com |
        entrarei em contacto com | entrarei em contato com | fico responsável por | fico encarregado de |
        encarregar-me-ei de | ocupar-me-ei de | cuidarei de | faço o ponto com | dou seguimento a | corro atrás de |
        corro atrás do | corro atrás da | digo-te alguma coisa sobre | digo-te algo sobre | dou-te notícias sobre |
        dou-te notícias do | dou-te notícias da
        """
    ),
    will=phrases(
        """
        vou | vamos | irei | iremos | prometo | comprometo-me a | vou-te | vou-lhe | fico de | vou já | vou ver de |
        vou então | vou também | eu vou | prometo que vou | só consigo | te prometo | vou te | vou lhe | comprometo-me
        """
    ),
    must=phrases(
        """
        tenho de | tenho que | devo | posso | preciso de | preciso | temos de | temos que | podemos | devemos |
        quero
        """
    ),
    you_get=phrases(
        """
        terás | receberás | vais receber | vais ter | chega-te | vocês terão | vocês vão receber |
        você vai receber | você terá
        """
    ),
    from_me=phrases("da minha parte|de mim|da nossa parte"),
    third=phrases("vai|irá"),
    subjects=phrases(
        """
        eu | nós | a gente
        """
    ),
    irregular={
        "trarei": "trazer",
        "farei": "fazer",
        "faremos": "fazer",
        "farei chegar": "fazer",
        "fazemos chegar": "fazer",
        "faço chegar": "fazer",
    },
    future={
        "ar": ("arei", "aremos", "ará"),
        "er": ("erei", "eremos", "erá"),
        "ir": ("irei", "iremos", "irá"),
    },
    plural={"ar": "amos", "er": "emos", "ir": "imos"},
    enclitics=phrases("-te|-lhe|-lhes|-vos|-o|-a|-os|-as|-lo|-la|-los|-las|-me|-nos|-se"),
    negation=words("não nunca jamais nada ninguém nenhum nenhuma nem"),
    condition=phrases("se|caso|desde que|quando|assim que|a menos que|a não ser que|logo que|depois que"),
    asking=words("perguntar verificar confirmar conferir ver"),
    hedges=words("talvez provavelmente possivelmente oxalá tomara tentar tentarei tento espero"),
    fronting=words(
        """
        ok sim claro obrigado obrigada olá bom dia boa tarde noite então e mas perfeito desculpe desculpa como
        combinado acordado prometido depois também muito certo entendido por mim pela minha parte além disso até
        na no a o antes do da em sem problema eu nós caro cara todos mais tarde logo para as os de dia tardar
        beleza tudo bem afinal finalmente
        """
    ),
    conjunctions=words("e depois ou"),
    contrast=words("mas porém contudo embora pois"),
    subordinate=words("porque que quem cujo onde quando enquanto embora se como caso"),
    articles=words(
        """
        o a os as um uma uns umas meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos
        nossas vosso vossa este esta estes estas esse essa isso todos todas
        """
    ),
    pronouns=words(
        """
        eu tu você vocês ele ela nós vós eles elas me te se lhe lhes nos vos mim ti si senhora senhor senhores
        senhoras
        """
    ),
    pronoun_objects=words("isso isto tudo algo o a os as ele ela"),
    you=words(
        """
        te lhe lhes vos ti você vocês senhora senhor
        """
    ),
    prepositions=words(
        """
        de do da dos das a ao aos à às em no na nos nas num numa com por pelo pela para sobre sem entre até
        desde contra segundo após durante antes
        """
    ),
    adverbs=words(
        """
        conformemente
        já agora logo depois também ainda mesmo imediatamente rapidamente pessoalmente diretamente aqui aí assim
        bem mais tarde breve brevemente certamente só sem falta quanto antes
        """
    ),
    to=words("a com para"),
    recipient=words("a ao aos à às"),
    me=words("me nos"),
    offers=words(
        """
        dúvida dúvidas pergunta perguntas problema problemas quiser quiseres quiserem desejar deseje desejarem
        precisar
        """
    ),
    help=words(
        """
        informações informação esclarecimentos esclarecimento ajuda detalhes dúvida dúvidas pergunta perguntas
        precisar precisa
        """
    ),
    courtesy=words("puderes puder podes pode tempo momento oportunidade"),
    contacting=phrases("contact | contat | lig | telefon | escrev | visit"),
    sending=words(
        "enviar envia envie mandar manda mande reencaminhar encaminhar enviar-me mandar-me envia-me manda-me envie-me"
    ),
    doubt=words("se"),
    states=words("está é há for estiver tiver houver são"),
    suits=words(
        """
        ok bem possível necessário pronto pronta disponível livre correto isso acordo
        """
    ),
    at_once=phrases(
        """
        dá | dar | dê | tra | pass | repet | abr | fech | põe | pôr | tom | esper | assin | preench |
        experiment | fal | ajud | troc
        """
    ),
    staging=frozenset(
        phrases("olhar|mostrar|explicar|responder|apresentar|repetir|dar|ler|verificar|resumir|dizer|continuar")
    ),
    acquiring=words("comprar encomendar buscar arranjar cozinhar pedir planear planejar organizar"),
    us=words("nós vamos iremos"),
    for_self=words("me"),
    vague=phrases(
        "com sorte|com um pouco de sorte|da próxima vez|na próxima vez|"
        "um dia|no futuro|um dia destes|alguma vez|futuramente"
    ),
    questioning=words("como quando onde quê porque"),
    chatting=words("mais"),
    ask_wish=phrases("queres|quer"),
    can=phrases("pode|podes|podem|você pode|tu podes|consegue|consegues|conseguem"),
    telling=phrases("cont | diz | dig | mostr | explic"),
    weak=words("falar dar ler levar cozinhar passar buscar pedir"),
    performative=words("confirmar informar convidar pedir perguntar aprovar lembrar"),
    elision=False,
    polite=phrases(
        """
        obrigado | obrigada | muito obrigado | muito obrigada | perfeito | ok | olá | oi | sim | desculpe |
        desculpa | certo | está bem | valeu | ótimo | não | bom dia | boa tarde | no fim | afinal | no final
        """
    ),
    idle=words(
        """
        verdade ecrã tela melhor tempo momento minuto segundo abraço abraços beijo beijos beijinho beijinhos café
        cerveja câmera
        microfone porta janela dedos atenção sorte palavra vida cabeça olhada volta boleia noite jeito
        possível
        confiança culpa favor desculpas
        """
    ),
    soon=words(
        """
        logo já agora
        """
    ),
    from_others=words(
        """
        parte
        """
    ),
    undertaken=phrases(
        """
        comprometi-me a | me comprometi a | fiquei de | ficámos de | ficamos de | prometemos
        """
    ),
    promised=phrases(
        """
        prometi | prometi-te | te prometi | prometi-lhe | já prometi
        """
    ),
    formal=words(
        """
        prezado prezada prezados exmo exma senhor senhora senhores estimado estimada
        """
    ),
    arranging=words(
        """
        arranjar reservar buscar levantar
        """
    ),
    idle_verbs=words(
        """
        agradecer saudar cumprimentar
        voltar
        ser estar haver ter ir vir ver ouvir acreditar imaginar saber entender perceber sentir pensar gostar querer
        poder dever ficar esperar viver dormir comer beber nadar conduzir dirigir andar correr cantar dançar jogar
        falar desculpar perdoar notar parecer rir chorar chegar sair entrar ajudar crer dizer lugar mulher celular
        """
    ),
    infinitive_ends=phrases(
        """
        ar | er | ir | ar-me | er-me | ir-me | ar-nos
        """
    ),
    reported=words(
        """
        disse diz perguntou pergunta escreveu escreve respondeu prometeu falou
        """
    ),
    habits=words(
        """
        cada sempre normalmente costumo vezes todas-as-semanas
        """
    ),
    remind=phrases(
        """
        não te esqueças de | não se esqueça de | não esqueças de | não esqueça de | não esquece de |
        não se esqueçam de | lembra-te de | lembre-se de | se lembra de | não te esqueças | certifica-te de |
        certifique-se de
        """
    ),
    missing=phrases(
        """
        continuo sem | continuamos sem | à espera de | à espera do | à espera da | falta-me | falta | aguardo |
        aguardamos
        """
    ),
    have_you=phrases(
        """
        tens | tem | já | você já | já me
        """
    ),
    happens={
        "começa no dia": "start",
        "começa a": "start",
        "começa em": "start",
        "começa": "start",
        "inicia no dia": "start",
        "inicia": "start",
        "arranca no dia": "start",
        "arranca a": "start",
        "arranca": "start",
        "termina no dia": "end",
        "termina a": "end",
        "termina": "end",
        "acaba no dia": "end",
        "fecha às": "closing",
        "fecha": "closing",
        "abre no dia": "opening",
        "abre às": "opening",
        "abre": "opening",
        "realiza-se a": "date",
        "realiza-se no dia": "date",
        "vence no dia": "deadline",
        "chega no dia": "delivery",
        "chega a": "delivery",
    },
    you_get_formal=phrases(
        """
        terá | receberá | vai receber | vai ter | vão receber | terão | receberão
        """
    ),
    received_end=phrases(
        """
        recebido | recebida | recebidos | recebidas |
        já chegou | chegou bem | já chegaram | chegaram bem
        """
    ),
    elliptic=words(
        """
        pagar enviar mandar reenviar trazer assinar reservar encomendar entregar devolver
        """
    ),
    could=phrases(
        """
        poderia | podia
        """
    ),
    thanked=words(
        """
        paciência compreensão ajuda apoio tempo noite tarde dia chamada ligação resposta reunião visita esforço
        trabalho conselho confiança interesse gentileza atenção colaboração convite lembrete acolhimento conversa
        viagem
        """
    ),
    idioms=phrases(
        """
        dar uma vista de olhos a | dar uma vista de olhos ao | dar uma vista de olhos à |
        dar uma vista de olhos no | dar uma vista de olhos na | dar uma olhada em | dar uma olhada no |
        dar uma olhada na | fazer chegar | entrar em contacto com | entrar em contato com
        """
    ),
    ask_duty=phrases(
        """
        tens de | tens que | você tem que | você precisa | talvez possas | talvez possa | talvez pudesses
        """
    ),
    ask_infinitive=phrases(
        """
        quando podes | quando pode | quando podias | quando poderia |
        pode | podes | poderia | podia | podias | podem | poderiam | consegues | consegue | será que pode |
        será que podes | você pode | você poderia | me pode | pode por favor | importa-se de | importas-te de |
        preciso que | dá para | tu podes | conseguem | conseguias | conseguiria | será que consegues |
        será que consegue | será que podias | importava-se de | importavas-te de | se importa de | seria possível |
        é possível | me podes | me podia | me podias | me poderia | nos pode | nos podes | peço que | peço-te que |
        peço-lhe que | peço-te para | agradeço que | agradecia que | agradeceria que | agradeço se puder |
        ficaria grato se pudesse | fazes-me o favor de | faça-me o favor de | dava para | dá pra |
        tem como | tens como | você consegue | você podia | gostaria que | gostava que | precisava que |
        solicito que | podem por favor | podes por favor | poderias | era bom se pudesses | seria ótimo se pudesse |
        alguém pode | alguém podia | pode alguém | alguém consegue | alguém poderia | algum de vocês pode
        """
    ),
    imperatives=phrases(
        """
        envia-me | envie-me | mande-me | manda-me | me envie | me envia | me mande | me manda | me passa |
        passa-me | confirma-me | liga-me | me ligue | envie | envia | reveja | assine | confirme | reserve |
        encaminhe | me encaminhe | mande | prepare | partilhe | compartilhe | envias-me | mandas-me | revise |
        reenvia-me | reenvie-me | me reenvia | me reenvie | reenvia | reenvie | envia-mo | envia-ma | traz-me |
        traga-me | me traz | me traga | dá-me | dê-me | me dá | me dê | diz-me | diga-me | me diz | me diga |
        mostra-me | me mostra | empresta-me | me empresta | confirma | avisa-me | avise-me | me avisa | me avise |
        lembra-me | me lembra | escreve-me | me escreve | manda | passa | verifica | verifique | revê | compra |
        compre | paga | pague | corrige | corrija | imprime | imprima | traz | traga | pede | peça | cancela |
        cancele | atualiza | atualize | preenche | preencha | traduz | traduza | escreve | escreva | liga | ligue |
        prepara | reserva | assina | confirmas-me | me confirma | me confirme | passas-me
        """
    ),
    please=phrases(
        """
        por favor | se faz favor | pf | favor | pfv | pfvr | pls | sff | por gentileza | fazendo favor
        """
    ),
    accepted=phrases(
        """
        pode deixar | deixa comigo | deixe comigo | vou fazer | faço isso | farei isso | eu faço | claro |
        claro que sim | com certeza | sem problema | sem problemas | eu trato disso | trato disso |
        vou tratar disso | combinado, faço isso | sim, faço isso | ok, faço isso | está bem, faço isso |
        com prazer | com todo o prazer | sim, claro | fica combinado | podes contar comigo | pode contar comigo |
        ok, pode deixar | claro, pode deixar | sim, pode deixar | eu cuido disso | ok, vou fazer |
        beleza, pode deixar | beleza, deixa comigo | tá bom, pode deixar | ok, deixa comigo | eu faço isso |
        eu trato | eu trato já disso | sim, eu trato disso | claro, eu trato disso | fica comigo |
        já estou a tratar disso | já estou a tratar | estou a tratar | estou nisso | tô nisso | está combinado |
        combinado | fechado | podes contar | conta comigo | conte comigo | deixa que eu faço | deixa que eu trato |
        deixa por minha conta | faço já | faço sim | vou fazer isso | vou já fazer | claro, faço isso |
        tranquilo, faço isso | sem problema, faço isso | já faço | trato já | eu fico com isso | assumo isso |
        eu assumo
        """
    ),
    declined=phrases(
        """
        não posso | não consigo | desculpe, não posso | desculpa, não posso | infelizmente não posso |
        infelizmente não | não vou conseguir | não é possível | infelizmente não consigo | lamento, não posso |
        não, desculpe | não poderei | tenho de recusar | infelizmente não vou conseguir | não, obrigado |
        não, obrigada | não posso, desculpa | não posso, desculpe | desta vez não posso | não dá | não dá para mim |
        não vai dar | infelizmente não dá | não tenho tempo | não consigo, desculpa | não me é possível |
        impossível para mim
        """
    ),
    received=phrases(
        """
        recebido | recebido, obrigado | recebido, obrigada | recebi | já recebi | recebi, obrigado |
        recebi, obrigada | obrigado, recebi | obrigada, recebi | já chegou | chegou, obrigado |
        já recebi, obrigado | já recebi, obrigada | recebida, obrigado | chegou, obrigada | já chegou, obrigado |
        recebidos, obrigado | recebidas, obrigado | recebidos, obrigada | recebidas, obrigada | tudo recebido |
        recebi tudo | chegou tudo | já cá está | já tenho, obrigado | já tenho, obrigada | chegaram, obrigado |
        chegaram, obrigada
        """
    ),
    released=phrases(
        """
        não é mais necessário | já não é necessário | já não preciso | não preciso mais | não precisa mais |
        já não é preciso | não precisamos mais | esquece | esqueça | deixa para lá | deixa pra lá |
        já não precisamos | já não é preciso, obrigado | já não é preciso, obrigada | não é mais preciso |
        deixe para lá | já não é necessário, obrigado | não precisa mais, obrigado | não precisa mais, obrigada |
        afinal não é preciso | afinal não é necessário | não é preciso, obrigado | não é preciso, obrigada |
        já está resolvido | já resolvi | já se resolveu | não faz mal, já está | deixa estar | deixe estar |
        esquece isso | esquece lá isso | não precisa, obrigado | não precisa, obrigada | já não interessa | já não |
        não é preciso | não é necessário | não precisa | não precisas | não faças isso | não faça isso |
        não vamos mais precisar | não vou mais precisar
        """
    ),
    done=phrases(
        """
        em anexo | segue em anexo |
        feito | está feito | já está | já está feito | pronto | enviado | já enviei | já foi enviado | já mandei |
        acabei de enviar | pago | reservado | já está reservado | já está pago | terminado | concluído | já fiz |
        tudo feito | já está tratado | já tratei | já tratei disso | tratado | já paguei | já reservei |
        já comprei | acabei de mandar | acabei de fazer | tá feito | já foi feito |
        aqui está | aqui vai | aqui tens | ver anexo | acabei de to enviar | já to enviei | já lho enviei |
        acabei de lho enviar
        """
    ),
    declined_begin=phrases(
        """
        não posso | não consigo | infelizmente não posso | infelizmente não consigo | não vou conseguir | não vou |
        não poderei | não podemos | desculpe, não posso | desculpa, não posso | infelizmente não vou conseguir |
        não conseguirei | não vou poder | não vamos poder | não poderemos | não me é possível | não tenho como |
        não tenho tempo para | não tenho tempo de | lamento não poder | tenho de recusar | não dou conta de |
        não conseguimos | não vamos conseguir
        """
    ),
    received_begin=phrases(
        """
        confirmo a receção de | confirmo a receção da | confirmo a receção do |
        confirmo o recebimento da | confirmo o recebimento do | confirmamos a receção de | confirmo o
        recebimento de | confirmamos o recebimento de |
        recebi | já recebi | recebemos | obrigado pelo | obrigada pelo | obrigado pela | obrigada pela |
        obrigado por | obrigada por | obrigado pelos | obrigada pelas | obrigada pelos | obrigado pelas |
        recebido o | recebida a | recebidos os | recebidas as | recebi já | chegou-me | chegaram-me |
        obrigado por enviares | obrigada por enviares | já tenho | já me chegou | chegou o | chegou a |
        chegaram os | chegaram as |
        já chegou o | já chegou a | já chegaram os | já chegaram as | já me chegou o | já me chegou a |
        já me chegaram | já chegaram | já chegou
        """
    ),
    released_begin=phrases(
        """
        já não preciso | não preciso mais | já não precisamos | não precisamos mais | já não é preciso |
        já não é necessário | não é mais necessário | não precisa mais | não precisas de | não precisa de |
        não é preciso | esquece | esqueça | esquece o | esquece a | esquece os | esquece as | esqueçam | deixa lá |
        deixa estar | deixe estar | já não preciso de | já não preciso do | já não preciso da |
        já não precisamos de | não é necessário | afinal não preciso de | afinal não é preciso | não precisam de |
        não precisas mais de | já não quero | já não são precisos | já não são precisas | já não são necessários |
        já não são necessárias | já não é precisa | já não é necessária | podes esquecer | pode esquecer |
        não são mais necessários | não são mais necessárias |
        não precisa mandar | não precisa enviar | não precisas de mandar | não precisa mais mandar |
        não precisa mais enviar
        """
    ),
    released_end=phrases(
        """
        já não é necessário | já não é necessária | não é mais necessário | não é mais necessária |
        já não é preciso | já não é precisa | já não são necessários | não são mais necessários |
        já não são precisos | já não são precisas | já não são necessárias | não é mais preciso |
        não é mais precisa | já não faz falta | já não fazem falta | não são mais necessárias | foi cancelado |
        foi cancelada
        """
    ),
    attached=phrases(
        """
        em anexo | segue em anexo | segue anexo | segue anexa | seguem em anexo | em anexo segue | em anexo envio |
        anexo | envio em anexo | anexo envio | aqui está | aqui estão | aqui vai | aqui vão | aqui tens | aqui tem |
        segue | seguem | como prometido, aqui está | junto envio | em anexo encontra | em anexo encontras |
        conforme prometido, segue | segue abaixo | como prometido, segue | anexo segue | envio-te em anexo |
        envio-lhe em anexo | seguem anexos | seguem anexas | vai em anexo | vão em anexo | deixo aqui |
        deixo-te aqui | aqui te deixo | conforme combinado, segue | em anexo vai |
        você encontra ... em anexo | você encontrará ... em anexo | encontra ... em anexo | encontrará ... em anexo |
        segue ... em anexo | seguem ... em anexo | estou enviando em anexo | estou enviando ... em anexo |
        envio ... em anexo | mando ... em anexo
        """
    ),
    attached_end=phrases(
        """
        em anexo | segue em anexo | vai em anexo | está em anexo | já foi enviado | já foi enviada | está pronto |
        está pronta | está feito | está feita | está reservado | está reservada | está paga | segue anexo |
        segue anexa | já está pronto | já está pronta | já seguiu | seguiu | já saiu | saiu | foi enviado |
        foi enviada | já foram enviados | já foram enviadas | está enviado | está enviada | está pago |
        já está pago | já está paga | está a caminho | vai a caminho | estão prontos | estão prontas |
        já está feito | já está feita | já está reservado | já está reservada | está tratado | está tratada
        """
    ),
    have=phrases(
        """
        já | eu | eu já | te | já te | já lhe | tenho | acabei de | lhe | já vos | já o | já a | acabei de te |
        finalmente | nós já | já lhes
        """
    ),
    decided=phrases(
        """
        decidimos | ficou decidido que | ficou decidido | decisão: | foi decidido | optamos por | optámos por |
        escolhemos | vamos com | combinamos | combinámos | acordamos | acordámos | ficou combinado | decidi |
        resolvemos | ficou acordado que | ficou acordado | ficamos com | ficámos com | fechamos com | decidiu-se |
        decidido: | ficou decidido: | está decidido: | ficou combinado que | combinado: | foi decidido que |
        foi acordado que | foi acordado | ficámos em | ficamos em | vamos ficar com | optamos | escolhemos o |
        decidiu-se que
        """
    ),
    copula=phrases(
        """
        é | são | é de | é agora de | = | custa | será de | está em | ascende a | : | é no dia | agora é de |
        é agora | são de | agora é | fica em | é a | será | agora está em | está agora em | passou a ser de |
        está nos | fica por | fica nos | sai por | é atualmente de | mantém-se em | agora são
        """
    ),
    moved=combined(
        "foi | é | será | ficou | -",
        """
        adiado | adiada | movido | movida | transferido | transferida | remarcado | remarcada | alterado | alterada |
        antecipado | antecipada
        """,
        "para | para o dia",
    )
    + phrases(
        """
        está previsto para | está prevista para | está marcado para | está marcada para | sobe para | desce para |
        mudou para | passou para | passa para | subiu para | baixou para | será no dia
        """
    ),
    moving=combined(
        "- | já", "adiámos | adiamos | adiei | mudámos | mudamos | mudei | passámos | passei | remarcámos | remarquei"
    )
    + phrases("adiou | mudou | passou | remarcou | antecipou | reduziu | aumentou | cortou | subiu | baixou"),
    moved_to=words("para"),
    attributes={
        "mensalidade": "fee",
        "piloto": "date",
        "inauguração": "date",
        "abertura": "date",
        "quota": "fee",
        "honorários": "fee",
        "orçamento": "budget",
        "preço": "price",
        "custo": "cost",
        "custos": "cost",
        "taxa": "fee",
        "renda": "rent",
        "aluguel": "rent",
        "caução": "deposit",
        "número de convidados": "guests",
        "número de participantes": "participants",
        "número de": "count",
        "depósito": "deposit",
        "salário": "salary",
        "desconto": "discount",
        "prazo": "deadline",
        "data limite": "deadline",
        "data": "date",
        "lançamento": "date",
        "telefone": "phone",
        "número": "phone",
        "número de telefone": "phone",
        "telemóvel": "phone",
        "celular": "phone",
        "versão": "version",
        "meta": "target",
        "objetivo": "target",
        "capacidade": "capacity",
        "margem": "margin",
        "total": "total",
        "fatura": "total",
        "proposta": "offer",
        "reunião": "date",
        "entrega": "delivery",
        "casamento": "date",
        "workshop": "date",
        "área": "area",
        "duração": "duration",
        "conferência": "date",
        "receita": "revenue",
    },
    of=phrases("para|de|do|da|para o|para a|dos|das"),
    lead_ins=phrases(
        "correção|perdão, erro|retificação|atualização|lembrete|"
        "para registo|para registro|como combinado|como falámos|como falamos|a propósito|em resumo|"
        "para que fique claro|só para confirmar"
    ),
    handed=phrases(
        """
        como prometido | como prometi | como te prometi | como lhe prometi | como combinado | conforme prometido |
        conforme combinado
        """
    ),
    ways=phrases(
        """
        de novo | a pé | à direita | à esquerda | para o lado | de carro | de comboio | por telefone | em breve
        """
    ),
    no_deeds=phrases(
        """
        as minhas desculpas | minhas desculpas | nossas desculpas | a mão | uma mão | à minha volta |
        assumir o controlo | assumir o controle | quando quiseres | quando quiser | quando quiserem
        """
    ),
    herewith=phrases(
        """
        em anexo | anexo | anexa | anexos | anexas | como anexo | pela presente
        """
    ),
)
