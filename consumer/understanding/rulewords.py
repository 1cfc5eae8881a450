"""
The words by which a standing rule says what may not be told, by language. Tables only; ``standing_rules`` reads them.

Words are compared in small letters, without accents and without what an apostrophe cuts off. ``...`` stands for up to
eight words: "keep ... out of". A phrase that begins another one stands behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from consumer.understanding.languages.words import phrases

#: Mails and messages of a messenger share their sources: behind the colon stands which of them is meant.
MAIL: Final = ("inbound_messages:mail", "outbound_messages:mail", "activity_events", "agentic_drafts")
CHATS: Final = ("chat_sessions", "inbound_messages:chat", "outbound_messages:chat")
MEETINGS: Final = ("granola_transcripts", "meeting_notes", "activity_events")
NOTES: Final = ("meeting_notes",)
TASKS: Final = ("checklist_items", "checklists", "checklist_containers", "checklist_action_log")
CONTACTS: Final = ("contacts", "event_contacts")
DRAFTS: Final = ("agentic_drafts",)


@dataclass(frozen=True, slots=True)
class RuleWords:
    """Tables of a language.

    ``holds``: what is named may not be told. ``denies`` with ``speaks``: the same: "never ... mention". ``bars``: the
    same, but only where a report is named: "hide" done items, and hide them from summaries. ``denies`` with ``within``
    right before a report: the same: "no Sofie in the digests", and not "never in the morning". ``none``: the same, but
    only right before a report's name: "in no report", and not "in no case". ``without`` right behind a report: people
    may not be told in it, "digest without Sofie"; other things may be meant for its form. ``tells``: it may be told, so
    the sentence is no such rule; looked for first.

    ``except_``: what follows narrows the rule. ``about``: a topic follows. ``reports``: what it may not stand in.
    ``generic``: words that name nothing by themselves. Sources by what people call them. ``small``: small words of a
    language that ``languages`` has no table of. ``endings``: of cases, which a topic or a name may be written with.
    """

    code: str
    denies: tuple[str, ...]
    speaks: tuple[str, ...]
    within: tuple[str, ...]
    without: str
    holds: tuple[str, ...]
    bars: tuple[str, ...]
    none: tuple[str, ...]
    tells: tuple[str, ...]
    except_: tuple[str, ...]
    about: tuple[str, ...]
    joins: tuple[str, ...]
    reports: tuple[str, ...]
    generic: tuple[str, ...]
    mail: tuple[str, ...]
    chats: tuple[str, ...]
    meetings: tuple[str, ...]
    notes: tuple[str, ...]
    tasks: tuple[str, ...]
    contacts: tuple[str, ...]
    drafts: tuple[str, ...]
    small: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    def sources(self) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        """(what people call it, source keys)."""
        return (
            (self.mail, MAIL),
            (self.chats, CHATS),
            (self.meetings, MEETINGS),
            (self.notes, NOTES),
            (self.tasks, TASKS),
            (self.contacts, CONTACTS),
            (self.drafts, DRAFTS),
        )


#: Words that withhold nothing, in whatever language the rule is: of a kind of place or firm, or of where people talk.
NOT_PRIVATE: Final = phrases(
    """
    report to | in private | private browsing | private window | private school | private schools | private equity |
    private bank | private banking | private sector | private practice | private clinic | private hospital |
    private lesson | private lessons | private client | private clients | private company | private jet | private view |
    école privée | banque privée | clinique privée | secteur privé | colegio privado | clínica privada | banca privada |
    sector privado | escola privada | clínica particular | aulas particulares | sector privado | setor privado |
    scuola privata | clinica privata | settore privato | private schule | private klinik | top secret recipe |
    secret santa | santa secreto | not only | not just | no more than | not more than | no longer than |
    not longer than | no later than | not later than | nicht nur | nicht mehr als | nicht länger als | keine mehr als |
    pas seulement | pas plus de | pas plus long | no solo | no más de | não só | não mais de | non solo | non più di |
    niet alleen | niet meer dan | niet langer dan | nie tylko | nie więcej niż
    """
)

EN: Final = RuleWords(
    "en",
    denies=phrases(
        "no|not|never|nothing|nobody|none|without|don't|doesn't|didn't|shouldn't|mustn't|needn't|can't|cannot|won't"
        "|avoid|stop|refrain from|quit|isn't|aren't|wasn't|weren't|hasn't|haven't|wouldn't|couldn't|neither"
        "|never, ever,"
    ),
    speaks=phrases(
        "mention|mentions|mentioning|mentioned|quote|quoting|quoted|include|including|included|repeat|repeating"
        "|write ... about|writing ... about|written about|talk about|talking about|speak about|speaking about|speak of"
        "|read ... about|reading about|hear ... about|hearing about|tell me ... about|telling me ... about|report about"
        "|reporting about|report on|reporting on|summarize|summarizing|summarized|summarise|summarising|summarised"
        "|bring up|bringing up|brought up|refer to|referring to|referred to|reported|disclose|disclosing|disclosed"
        "|reveal|revealing|revealed|surface|surfacing|surfaced|discuss|discussing|discussed|expose|exposing|exposed"
        "|leak|leaking|leaked"
    ),
    within=phrases("in|into|inside|within"),
    without="without",
    holds=phrases(
        "keep ... private|keep ... confidential|keep ... secret|stay private|stays private|no mention of|nothing about"
        "|nothing from|off limits|off the record|private|confidential|secret|none of your business|nobody's business"
        "|no one's business|nobody else's business|no one else's business|nobody else's concern|no one else's concern"
        "|stays between us|stay between us|stays with me|stay with me|for my eyes only|not a word about|is personal"
        "|are personal|leave ... out of everything|keep ... out of everything|stays out of everything|do not report"
        "|don't report|never report"
    ),
    bars=phrases(
        "never show|never tell|never use|never put|never appear|do not show|do not tell|do not use|do not put"
        "|don't show|don't tell|don't use|don't put|must not appear|should not appear|may not appear|keep ... out of"
        "|keep ... out|out of|keep ... away from|leave ... out of|leave ... out|stay out of|stays out of|not for"
        "|don't belong|doesn't belong|exclude|omit|hide|ignore|skip|filter ... out|filter out|block|remove|drop"
        "|must be ... free|no ... may mention|no ... should mention|no ... must mention|no ... may contain"
        "|no ... should contain|no ... may include|no ... should include|must not contain any|must not contain anything"
        "|should not contain any|should not contain anything|shouldn't have|should not have|must not have|mustn't have"
    ),
    none=phrases("in no|into no"),
    tells=phrases(
        "not private|no longer private|not confidential|no longer confidential|not secret|no secret|isn't private"
        "|aren't private|isn't confidential|aren't confidential|don't hide|do not hide|never hide|don't omit"
        "|do not omit|never omit|don't exclude|do not exclude|never exclude|don't leave ... out|do not leave ... out"
        "|never leave ... out|don't keep ... out|always mention|always include|always show|may be mentioned"
        "|feel free to mention|you may mention|you can mention|you may show|you can show|don't forget|do not forget"
        "|never forget|don't miss|never miss|don't skip|never skip|don't ignore|never ignore"
    ),
    except_=phrases("except|unless|apart from|other than|but not|only if|only when|until"),
    about=phrases("about|regarding|concerning|related to|anything to do with|on the topic of|on the subject of"),
    joins=phrases("and|or|nor|plus|as well as"),
    reports=phrases(
        "work summary|work summaries|work report|work reports|work digest|work digests|summary|summaries|report|reports"
        "|digest|digests|recap|recaps|overview|overviews|update|updates|briefing|briefings|newsletter"
    ),
    generic=phrases(
        "thanks|thank|thx|pls|project|projects|anything|everything|something|nothing|all|any|every|each|things|thing"
        "|stuff|data|content|contents|information|info|details|please|always|never|ever|must|should|shall|can|may|will"
        "|is|are|be|being|been|was|were|am|has|have|had|do|does|done|not|no|don|tell|tells|told|say|says|said|write"
        "|writes|wrote|written|send|sends|sent|get|gets|keep|kept|treat|consider|mention|mentions|mentioned|use|used"
        "|come|comes|go|goes|put|let|make|sure|work|working|business|daily|weekly|hourly|public|team|strictly"
        "|completely|totally|very|also|too|only|just|as|that|which|who|whom|what|where|when|why|how|this|these|those"
        "|there|here|out|appear|appears|occur|belong|belongs|stay|stays|remain|remains|rule|rules|user|me|my|mine|her"
        "|his|their|our|your|person|people|somebody|anybody|emoji|emojis|jargon|slang|greeting|greetings|bullet|bullets"
        "|bullet points|line|lines|sentence|sentences|page|pages|heading|headings|exclamation|marks|abbreviations|short"
        "|long|longer|brief|than|yourself|word|words|need|needs|want|see|seen|show|shows|showing|free|name|names|more"
        "|less|again|such|elsewhere|bring|concern|topic|topics|subject|issue|issues|matters|whatever|medium|exception"
        "|exceptions|list|ok|okay|great|good|would|could|like|left|so"
    ),
    mail=phrases("mail|mails|email|emails|e mail|e mails|inbox"),
    chats=phrases("chat|chats|message|messages|text messages|texts|conversation|conversations|dms"),
    meetings=phrases("meeting|meetings|call|calls|transcript|transcripts|recordings|calendar|appointment|appointments"),
    notes=phrases("note|notes|minutes"),
    tasks=phrases("task|tasks|checklist|checklists|to do list|to dos|todo|todos|list items"),
    contacts=phrases("contact|contacts|address book"),
    drafts=phrases("draft|drafts"),
)

DE: Final = RuleWords(
    "de",
    denies=phrases(
        "nie|niemals|nicht|nichts|nirgends|nirgendwo|kein|keine|keinen|keinem|keiner|keinerlei|ohne|vermeide|hör auf"
        "|nicht, dass|weder"
    ),
    speaks=phrases(
        "erwähnen|erwähne|erwähn|erwähnt|nennen|nenne|nenn|genannt|zitieren|zitiere|zitier|zitiert|zusammenfassen"
        "|zusammengefasst|berichtet|berichten über|berichte über|auftauchen|vorkommen|erscheinen|wird geschrieben"
        "|erwähnung"
    ),
    within=phrases("in|im|ins"),
    without="ohne",
    holds=phrases(
        "nie über|niemals über|nichts über|behandle ... vertraulich|bleibt privat|bleiben privat|privat|private"
        "|vertraulich|vertrauliche|geheim|tabu|geht niemanden etwas an|gehen niemanden etwas an|geht niemanden was an"
        "|gehen niemanden was an|geht keinen was an|gehen keinen was an|privatsache|ist persönlich|sind persönlich"
        "|bleibt unter uns|bleiben unter uns|kein wort über|kein sterbenswort über|lass ... aus allem"
        "|halte ... aus allem|wird nicht geschrieben|wird nicht gesprochen|verschweige|bleibt außen vor"
        "|bleiben außen vor|schweige über|berichte nie über|berichte nicht über|berichte nichts über|berichte nie von"
        "|berichte nicht von|berichte nichts von|schreib nicht über|schreibe nicht über|sprich nicht über"
        "|rede nicht über"
    ),
    bars=phrases(
        "nie zeigen|nicht zeigen|nie verwenden|nicht verwenden|nie aufnehmen|nicht aufnehmen|nichts von|nichts aus"
        "|hat ... nichts ... zu suchen|haben ... nichts ... zu suchen|hat ... nichts verloren|haben ... nichts verloren"
        "|heraushalten|raushalten|halte ... heraus|halte ... raus|halt ... raus|lass ... weg|lasse ... weg"
        "|lass ... raus|lass ... aus|zeige ... nie|zeige ... nicht|darf nicht|dürfen nicht|darf nie|dürfen nie"
        "|soll nicht|sollen nicht|nicht für|ausblenden|weglassen|auslassen|streiche|kein ... enthalten"
        "|keine ... enthalten|bleibt ... draußen|bleiben ... draußen|bleibt aus|bleiben aus|rauslassen|herauslassen"
        "|raus aus|heraus aus"
    ),
    none=phrases("in keinem|in keinen|in keiner|in keine"),
    tells=phrases(
        "nicht privat|nicht mehr privat|nicht vertraulich|nicht mehr vertraulich|nicht geheim|nicht mehr geheim"
        "|immer erwähnen|immer zeigen|immer nennen|nicht weglassen|nie weglassen|nicht auslassen|nicht ausblenden"
        "|lass ... nicht weg|lasse ... nicht weg|darf wieder|dürfen wieder|nicht vergessen|vergiss nicht"
        "|vergiss ... nicht|nie vergessen|nicht ignorieren"
    ),
    except_=phrases("außer|ausser|es sei denn|mit ausnahme|bis auf|nur wenn|sofern|solange"),
    about=phrases("über|zum thema|zu den themen|betreffend|bezüglich|rund um|was ... betrifft"),
    joins=phrases("und|oder|sowie|noch|plus"),
    reports=phrases(
        "arbeitszusammenfassung|arbeitszusammenfassungen|arbeitsbericht|arbeitsberichte|zusammenfassung"
        "|zusammenfassungen|bericht|berichte|berichten|digest|digests|überblick|übersicht|übersichten|briefing"
        "|briefings|report|reports"
    ),
    generic=phrases(
        "danke|projekt|projekte|projekts|alles|alle|allem|allen|aller|jede|jeder|jedes|etwas|nichts|sache|sachen|dinge"
        "|ding|zeug|daten|inhalt|inhalte|informationen|infos|bitte|immer|nie|niemals|muss|müssen|soll|sollen|sollte"
        "|sollten|darf|dürfen|kann|können|wird|werden|ist|sind|sein|war|waren|bin|hat|haben|nicht|kein|keine|keinen"
        "|keinem|keiner|einzigen|einziger|aufnehmen|aufgenommen|sagen|sagt|schreibt|schreiben|schickt|erzählt|steht"
        "|stehen|kommt|kommen|gehört|gehören|bleibt|bleiben|erscheinen|auftauchen|vorkommen|erwähnt|erwähnen|genannt"
        "|streng|strikt|völlig|auch|nur|als|dass|was|wer|wo|wann|dies|diese|dieser|dieses|arbeit|team|täglich"
        "|wöchentlich|mein|meine|meinen|meiner|meinem|meines|ihr|ihre|ihren|ihrer|seine|seinen|unser|unsere|person"
        "|personen|leute|jemand|niemand|niemanden|regel|regeln|halte|lass|lasse|raus|heraus|weg|emojis|emoji|jargon"
        "|floskeln|grußformel|zeile|zeilen|satz|sätze|seite|seiten|länger|lang|kurz|will|wollen|möchte|mag|sehen|lesen"
        "|hören|zeigen|anzeigen|angezeigt|verloren|suchen|namentlich|name|namen|mehr|wieder|irgendein|irgendwelche"
        "|themen|thema|gehen|geht|wort|ausnahme"
    ),
    mail=phrases("mail|mails|e mail|e mails|email|emails|post|posteingang"),
    chats=phrases("chat|chats|nachricht|nachrichten|sms|gespräch|gespräche|unterhaltungen"),
    meetings=phrases(
        "meeting|meetings|besprechung|besprechungen|termin|termine|anruf|anrufe|telefonate|mitschnitte|kalender"
    ),
    notes=phrases("notiz|notizen|protokoll|protokolle"),
    tasks=phrases("aufgabe|aufgaben|checkliste|checklisten|to dos|todos|todo"),
    contacts=phrases("kontakt|kontakte|adressbuch"),
    drafts=phrases("entwurf|entwürfe"),
)

FR: Final = RuleWords(
    "fr",
    denies=phrases("ne|n'|jamais|pas|rien|aucun|aucune|sans|évite|évitez|éviter|arrête|arrêtez|nulle part|ni ... ni"),
    speaks=phrases(
        "mentionner|mentionne|mentionnez|mentionnes|mentionné|citer|cite|citez|cites|cité|parler|parle|parlez|parles"
        "|inclure|inclus|incluez|évoquer|évoque|évoquez|évoques|nommer|nomme|nommez|rapporter|rapporte|rapportez"
        "|apparaître|figurer|dévoiler|dévoile|dévoilez|révéler|révèle|révélez|mention|mentionnée|mentionnés|mentionnées"
        "|citée|cités|citées|nommée"
    ),
    within=phrases("dans|à"),
    without="sans",
    holds=phrases(
        "nulle part|pas un mot sur|rien sur|reste privé|restent privés|privé|privée|privés|privées|confidentiel"
        "|confidentielle|confidentiels|confidentielles|secret|secrets|secrète|secrètes|est personnel|est personnelle"
        "|sont personnels|sont personnelles|reste entre nous|restent entre nous|ne regarde personne"
        "|ne regardent personne|ne regarde que moi|ne regardent que moi"
    ),
    bars=phrases(
        "ne montre jamais|ne montre pas|ne jamais montrer|ne pas montrer|ne doit jamais|ne doit pas|ne doivent jamais"
        "|ne doivent pas|rien de|laisse ... en dehors|laisse ... de côté|garde ... hors|garde ... en dehors"
        "|gardez ... en dehors|laissez ... en dehors|hors des|en dehors des|exclure|exclus|excluez|cacher|cache|cachez"
        "|ignore|ignorez|ignorer|retire|retirez|ne doit rien|ne doivent rien"
    ),
    none=phrases("dans aucun|dans aucune"),
    tells=phrases(
        "pas privé|pas privée|pas privés|pas privées|plus privé|plus privée|plus privés|plus privées|pas confidentiel"
        "|pas confidentielle|pas confidentiels|pas confidentielles|plus confidentiel|plus confidentielle"
        "|toujours mentionner|mentionne toujours|toujours inclure|inclus toujours|ne cache pas|ne pas cacher"
        "|ne pas exclure|de nouveau mentionner|tu peux mentionner|vous pouvez mentionner|n'oublie pas|n'oubliez pas"
        "|n'ignore pas"
    ),
    except_=phrases("sauf|excepté|à moins|hormis|à l'exception|seulement si"),
    about=phrases("sur|à propos de|concernant|au sujet de|lié à|liée à|liés à"),
    joins=phrases("et|ou|ni|ainsi que"),
    reports=phrases(
        "résumé de travail|résumés de travail|résumé|résumés|rapport|rapports|synthèse|synthèses|compte rendu"
        "|comptes rendus|digest|digests|récapitulatif|récapitulatifs|briefing|briefings"
    ),
    generic=phrases(
        "projet|projets|tout|toute|tous|toutes|rien|chose|choses|quelque|données|contenu|contenus|informations|infos"
        "|détails|jamais|toujours|doit|doivent|peut|peuvent|est|sont|être|été|était|a|ont|avoir|ne|pas|plus|dire|dit"
        "|aucun|aucune|écrit|écrire|envoie|parle|mentionne|mentionner|cite|montre|reste|restent|apparaître|figurer"
        "|travail|équipe|quotidien|hebdomadaire|strictement|aussi|seulement|que|qui|quoi|où|quand|ce|cet|cette|ces|mon"
        "|ma|mes|son|sa|ses|leur|leurs|notre|nos|personne|personnes|règle|règles|veuillez|plaît|laisse|garde|dehors"
        "|côté|hors|emoji|emojis|jargon|formules|ligne|lignes|phrase|phrases|page|pages|long|longs|court|courts|veux"
        "|voir|lire|nom|noms|montrer|regarde|regardent|venant|sujet|sujets|merci|place|mets|mettre|mettez|top|mot"
        "|entendre|exception"
    ),
    mail=phrases("mail|mails|e mail|e mails|email|emails|courriel|courriels|boîte de réception"),
    chats=phrases("chat|chats|message|messages|conversation|conversations|sms|textos"),
    meetings=phrases(
        "réunion|réunions|appel|appels|transcription|transcriptions|enregistrements|calendrier|agenda|rendez vous"
    ),
    notes=phrases("note|notes|procès verbaux"),
    tasks=phrases("tâche|tâches|liste de tâches|to do"),
    contacts=phrases("contact|contacts|carnet d'adresses"),
    drafts=phrases("brouillon|brouillons"),
)

ES: Final = RuleWords(
    "es",
    denies=phrases("no|nunca|jamás|nada|ni|sin|ningún|ninguno|ninguna|evita|evite|evitar|deja de|deje de"),
    speaks=phrases(
        "mencionar|menciones|mencione|mencionen|menciona|citar|cites|cite|incluir|incluyas|incluya|hablar de|hables de"
        "|hable de|hables nunca de|hable nunca de|hablar sobre|hables sobre|hable sobre|nombrar|nombres|nombre|aludir a"
        "|referirse a|revelar|reveles|revele|mención|mencionado|mencionada|mencionados|mencionadas|citado|citada"
        "|citados|citadas|nombrado|nombrada"
    ),
    within=phrases("en"),
    without="sin",
    holds=phrases(
        "ni una palabra de|ni una palabra sobre|ni una palabra|en ninguna parte|nada sobre|privado|privada|privados"
        "|privadas|confidencial|confidenciales|secreto|secreta|secretos|secretas|es personal|son personales"
        "|queda entre nosotros|quedan entre nosotros|no le importa a nadie|no le importan a nadie|no le incumbe a nadie"
        "|no le incumben a nadie|no es asunto de nadie|no son asunto de nadie"
    ),
    bars=phrases(
        "nunca muestres|no muestres|nunca mostrar|no mostrar|no debe|no deben|nunca debe|nunca deben|nada de"
        "|deja ... fuera|deje ... fuera|dejar ... fuera|mantén ... fuera|mantenga ... fuera|fuera de|excluye|excluya"
        "|excluir|oculta|oculte|ocultar|ignora|ignore|ignorar|omite|omita|omitir|quita|quite|nada del|nada de la"
    ),
    none=phrases("en ningún|en ninguno|en ninguna"),
    tells=phrases(
        "no es privado|no es privada|no son privados|no son privadas|ya no es privado|ya no es privada"
        "|ya no son privados|ya no son privadas|no es confidencial|no son confidenciales|ya no es confidencial"
        "|ya no son confidenciales|menciona siempre|mencionar siempre|incluye siempre|incluir siempre|no ocultes"
        "|no excluyas|volver a mencionar|puedes mencionar|no olvides|no olvide|nunca olvides|no ignores"
    ),
    except_=phrases("excepto|salvo|a menos que|con excepción|solo si"),
    about=phrases("sobre|acerca de|relacionado con|relacionada con|relativo a|en cuanto a|respecto a"),
    joins=phrases("y|e|o|u|ni|así como"),
    reports=phrases(
        "resumen de trabajo|resúmenes de trabajo|resumen|resúmenes|informe|informes|reporte|reportes|boletín|boletines"
        "|digest|digests|briefing|briefings"
    ),
    generic=phrases(
        "proyecto|proyectos|todo|toda|todos|todas|nada|algo|cosa|cosas|datos|contenido|contenidos|información|detalles"
        "|nunca|siempre|debe|deben|puede|pueden|es|son|ser|estar|está|están|fue|ha|han|no|decir|dice|escribe|ningún"
        "|ninguno|ninguna|escribir|envía|menciona|mencionar|cita|muestra|aparecer|aparezca|aparezcan|figurar|quedar"
        "|queda|quedan|trabajo|equipo|diario|semanal|estrictamente|también|solo|que|quien|qué|dónde|cuando|este|esta"
        "|estos|estas|mi|mis|su|sus|nuestro|nuestra|persona|personas|gente|regla|reglas|favor|deja|dejar|fuera|emoji"
        "|emojis|jerga|línea|líneas|frase|frases|página|páginas|largo|largos|corto|cortos|quiero|ver|leer|nombre"
        "|nombres|salir|saques|sacar|pongas|ponga|poner|salga|salgan|venga|vengan|viene|vienen|tema|temas|ir|va|van"
        "|entrar|entre|palabra|excepción"
    ),
    mail=phrases("correo|correos|correos electrónicos|mail|mails|email|emails|e mail|e mails|bandeja de entrada"),
    chats=phrases("chat|chats|mensaje|mensajes|conversación|conversaciones|sms"),
    meetings=phrases(
        "reunión|reuniones|llamada|llamadas|transcripción|transcripciones|grabaciones|calendario|agenda|citas"
    ),
    notes=phrases("nota|notas|actas"),
    tasks=phrases("tarea|tareas|lista de tareas|pendientes"),
    contacts=phrases("contacto|contactos|agenda de contactos"),
    drafts=phrases("borrador|borradores"),
)

PT: Final = RuleWords(
    "pt",
    denies=phrases(
        "não|nunca|jamais|nada|nem|sem|nenhum|nenhuma|evita|evite|evitar|deixa de|deixe de|pára de|para de|pare de"
    ),
    speaks=phrases(
        "mencionar|mencione|mencionem|menciones|menciona|citar|cite|cites|incluir|inclua|incluas|fale de|fale da"
        "|fale do|fale sobre|fales de|fales da|fales do|fales sobre|falar de|falar da|falar do|falar sobre|refira"
        "|refiras|referir|revelar|revele|reveles|nomear|menção|mencionado|mencionada|mencionados|mencionadas|citado"
        "|citada|citados|citadas"
    ),
    within=phrases("em|no|na|nos|nas|num|numa"),
    without="sem",
    holds=phrases(
        "nada sobre|privado|privada|privados|privadas|particular|particulares|confidencial|confidenciais|secreto"
        "|secreta|secretos|secretas|nem uma palavra sobre|em lado nenhum|em lugar nenhum|em nenhum lugar|é pessoal"
        "|são pessoais|fica entre nós|ficam entre nós|fica só entre nós|não interessa a ninguém"
        "|não interessam a ninguém|não diz respeito a ninguém|não dizem respeito a ninguém|não é da conta de ninguém"
        "|não são da conta de ninguém"
    ),
    bars=phrases(
        "não mostre|nunca mostre|não mostrar|nunca mostrar|não mostres|nunca mostres|não deve|não devem|nunca deve"
        "|nunca devem|nada de|deixe ... de fora|deixa ... de fora|deixe ... fora|deixa ... fora|mantenha ... fora"
        "|mantém ... fora|fora de|fora dos|fora das|fora do|fora da|exclua|exclui|excluir|oculte|oculta|ocultar|esconda"
        "|esconde|esconder|ignora|ignore|ignorar|omite|omita|omitir|tira|tire|retira|retire|nada da|nada do|nada das"
        "|nada dos"
    ),
    none=phrases("em nenhum|em nenhuma"),
    tells=phrases(
        "não é privado|não é privada|não são privados|não são privadas|já não é privado|já não é privada"
        "|já não são privados|já não são privadas|não é confidencial|não são confidenciais|mencione sempre"
        "|mencionar sempre|inclua sempre|incluir sempre|não oculte|não exclua|não esconda|voltar a mencionar"
        "|podes mencionar|não esqueças|não te esqueças|não esqueça|não ignores"
    ),
    except_=phrases("exceto|excepto|salvo|a menos que|a não ser|só se|somente se"),
    about=phrases("sobre|acerca de|relacionado com|relacionada com|relacionado a|relativo a|a respeito de|quanto a"),
    joins=phrases("e|ou|nem|assim como|bem como"),
    reports=phrases(
        "resumo de trabalho|resumos de trabalho|resumo|resumos|relatório|relatórios|boletim|boletins|digest|digests"
        "|briefing|briefings"
    ),
    generic=phrases(
        "projeto|projetos|tudo|todo|toda|todos|todas|nada|algo|coisa|coisas|dados|conteúdo|conteúdos|informação"
        "|informações|detalhes|nunca|sempre|deve|devem|pode|podem|é|são|ser|estar|está|estão|foi|há|não|dizer|diz"
        "|nenhum|nenhuma|escreve|escrever|envia|menciona|mencionar|cita|mostra|aparecer|apareça|apareçam|constar|ficar"
        "|fica|ficam|trabalho|equipa|equipe|diário|semanal|estritamente|também|só|apenas|que|quem|onde|quando|este|esta"
        "|estes|estas|meu|minha|meus|minhas|seu|sua|seus|suas|nosso|nossa|pessoa|pessoas|gente|regra|regras|favor|deixe"
        "|deixa|fora|emoji|emojis|jargão|linha|linhas|frase|frases|página|páginas|longo|longos|curto|curtos|quero|ver"
        "|ler|nome|nomes|ponhas|pôr|coloque|colocar|entrar|entre|entrem|venha|vem|vêm|tema|temas|assunto|sair|saia|ir"
        "|vai|vão|palavra|exceção"
    ),
    mail=phrases("correio|e mail|e mails|email|emails|mail|mails|caixa de entrada"),
    chats=phrases("chat|chats|mensagem|mensagens|conversa|conversas|sms"),
    meetings=phrases(
        "reunião|reuniões|chamada|chamadas|ligações|transcrição|transcrições|gravações|calendário|agenda|compromissos"
    ),
    notes=phrases("nota|notas|anotações|atas"),
    tasks=phrases("tarefa|tarefas|lista de tarefas|pendências"),
    contacts=phrases("contato|contatos|contacto|contactos|agenda de contatos"),
    drafts=phrases("rascunho|rascunhos"),
)

IT: Final = RuleWords(
    "it",
    denies=phrases(
        "non|mai|niente|nulla|nessun|nessuno|nessuna|senza|evita|eviti|evitare|evitate|smetti di|smettila di|né ... né"
    ),
    speaks=phrases(
        "menzionare|menziona|menzioni|citare|cita|citi|includere|includi|includa|parlare di|parli di|parlare mai di"
        "|parli mai di|nominare|nomina|nomini|riferire|riferisci|rivelare|riveli|accennare a|menzione|menzionato"
        "|menzionata|menzionati|menzionate|citato|citata|citati|citate|nominato|nominata"
    ),
    within=phrases("in|nel|nello|nella|nell'|nei|negli|nelle"),
    without="senza",
    holds=phrases(
        "niente su|nulla su|nemmeno una parola su|da nessuna parte|privato|privata|privati|private|riservato|riservata"
        "|riservati|riservate|confidenziale|confidenziali|segreto|segreta|segreti|segrete|è personale|sono personali"
        "|resta tra noi|restano tra noi|resta fra noi|restano fra noi|rimane tra noi|rimangono tra noi"
        "|non riguarda nessuno|non riguardano nessuno"
    ),
    bars=phrases(
        "non mostrare mai|non mostrare|mai mostrare|non deve mai|non devono mai|non deve|non devono|non può comparire"
        "|non possono comparire|niente di|lascia ... fuori|lasci ... fuori|lasciare ... fuori|tieni ... fuori"
        "|tenga ... fuori|fuori da|fuori dai|fuori dalle|escludi|escluda|escludere|nascondi|nasconda|nascondere|ignora"
        "|ignori|ignorare|ometti|ometta|omettere|togli|tolga|niente della|niente del|niente dei|niente delle"
    ),
    none=phrases("in nessun|in nessuno|in nessuna"),
    tells=phrases(
        "non è privato|non è privata|non sono privati|non sono private|non è più privato|non è più privata"
        "|non sono più privati|non sono più private|non è riservato|non è riservata|non sono riservati"
        "|non sono riservate|non è più riservato|non sono più riservati|menziona sempre|menzionare sempre"
        "|includi sempre|includere sempre|non nascondere|non escludere|di nuovo menzionare|puoi menzionare"
        "|non dimenticare|non scordare|non ignorare"
    ),
    except_=phrases("tranne|eccetto|a meno che|salvo|ad eccezione|solo se"),
    about=phrases(
        "su|sul|sulla|sulle|sui|sugli|riguardo a|riguardo al|riguardo alla|a proposito di|che riguarda|che riguardano"
    ),
    joins=phrases("e|ed|o|od|né|nonché"),
    reports=phrases(
        "riepilogo di lavoro|riepiloghi di lavoro|riassunto di lavoro|riassunti di lavoro|riepilogo|riepiloghi"
        "|riassunto|riassunti|rapporto|rapporti|resoconto|resoconti|report|digest|sintesi|briefing"
    ),
    generic=phrases(
        "progetto|progetti|tutto|tutta|tutti|tutte|niente|nulla|qualcosa|cosa|cose|dati|contenuto|contenuti"
        "|informazioni|dettagli|mai|sempre|deve|devono|può|possono|è|sono|essere|stare|stato|ha|hanno|non|dire|dice"
        "|nessun|nessuno|nessuna|scrive|scrivere|manda|menziona|menzionare|cita|mostra|comparire|apparire|restare|resta"
        "|restano|rimane|rimangono|lavoro|squadra|team|quotidiano|settimanale|strettamente|anche|solo|che|chi|dove"
        "|quando|questo|questa|questi|queste|mio|mia|miei|mie|suo|sua|suoi|sue|nostro|nostra|persona|persone|gente"
        "|regola|regole|favore|lascia|tieni|fuori|emoji|gergo|riga|righe|frase|frasi|pagina|pagine|lungo|lunghi|corto"
        "|corti|voglio|vedere|leggere|nome|nomi|mettere|metti|metta|vada|vadano|va|vanno|finire|entrare|arriva|arrivano"
        "|viene|argomento|argomenti|tema|temi|ciò|quello|parola|eccezione|eccezioni"
    ),
    mail=phrases("mail|e mail|email|emails|posta|posta elettronica|casella"),
    chats=phrases("chat|messaggio|messaggi|conversazione|conversazioni|sms"),
    meetings=phrases(
        "riunione|riunioni|chiamata|chiamate|telefonate|trascrizione|trascrizioni|registrazioni|calendario|agenda"
        "|appuntamenti"
    ),
    notes=phrases("nota|note|appunti|verbali"),
    tasks=phrases("compito|compiti|attività|lista di cose da fare"),
    contacts=phrases("contatto|contatti|rubrica"),
    drafts=phrases("bozza|bozze"),
)

NL: Final = RuleWords(
    "nl",
    denies=phrases("nooit|niet|niets|nergens|geen|zonder|vermijd|stop met|noch ... noch"),
    speaks=phrases(
        "vermelden|vermeld|noemen|noem|genoemd|citeren|citeer|opnemen|neem ... op|samenvatten|vat ... samen|voorkomen"
        "|aanhalen|opduiken|vermelding|praat over|praten over|schrijf over|schrijven over|spreek over"
    ),
    within=phrases("in"),
    without="zonder",
    holds=phrases(
        "geen woord over|nooit over|niets over|blijft privé|blijven privé|privé|vertrouwelijk|vertrouwelijke|geheim"
        "|geheime|taboe|is persoonlijk|zijn persoonlijk|blijft onder ons|blijven onder ons|gaat niemand iets aan"
        "|gaan niemand iets aan|gaat niemand wat aan|gaan niemand wat aan|zwijg over|praat niet over|schrijf niet over"
        "|spreek niet over"
    ),
    bars=phrases(
        "nooit tonen|niet tonen|nooit laten zien|niet laten zien|toon ... nooit|toon ... niet|niets van|niets uit"
        "|mag niet|mogen niet|mag nooit|mogen nooit|houd ... buiten|hou ... buiten|laat ... weg|laat ... buiten"
        "|laat ... uit|moet buiten|moeten buiten|blijft buiten|blijven buiten|niet voor|weglaten|verbergen|verberg"
        "|negeer|negeren|sla ... over|geen ... bevatten"
    ),
    none=phrases("in geen"),
    tells=phrases(
        "niet privé|niet meer privé|niet vertrouwelijk|niet meer vertrouwelijk|niet geheim|niet meer geheim"
        "|altijd vermelden|altijd noemen|altijd tonen|niet weglaten|nooit weglaten|niet verbergen|weer noemen"
        "|niet vergeten|vergeet ... niet|niet negeren"
    ),
    except_=phrases("behalve|tenzij|uitgezonderd|met uitzondering|alleen als"),
    about=phrases("over|betreffende|met betrekking tot|rond|inzake"),
    joins=phrases("en|of|noch|alsook"),
    reports=phrases(
        "werksamenvatting|werksamenvattingen|werkverslag|werkverslagen|samenvatting|samenvattingen|verslag|verslagen"
        "|rapport|rapporten|overzicht|overzichten|digest|digests|briefing|briefings"
    ),
    generic=phrases(
        "project|projecten|alles|alle|elk|elke|ieder|iedere|iets|niets|ding|dingen|zaken|gegevens|inhoud|informatie"
        "|info|details|nooit|altijd|moet|moeten|zal|zullen|mag|mogen|kan|kunnen|wordt|worden|is|zijn|was|waren|ben"
        "|heeft|hebben|niet|geen|zeggen|zegt|schrijft|schrijven|stuurt|vertelt|staat|staan|komt|komen|hoort|horen|enkel"
        "|enkele|voorkomen|opduiken|blijft|blijven|verschijnen|vermeld|vermelden|genoemd|noem|strikt|volledig|ook"
        "|alleen|als|dat|wat|wie|waar|wanneer|dit|deze|die|werk|team|dagelijks|wekelijks|mijn|haar|hun|ons|onze|persoon"
        "|personen|mensen|iemand|niemand|regel|regels|alsjeblieft|graag|houd|hou|laat|weg|buiten|emoji|jargon|zin"
        "|zinnen|pagina|lang|kort|wil|willen|zien|lezen|naam|namen|zet|zetten|hoeft|hoeven|onderwerp|onderwerpen|gaat"
        "|gaan|noemen|nergens|woord|uitzondering"
    ),
    mail=phrases("mail|mails|e mail|e mails|email|emails|inbox|postvak"),
    chats=phrases("chat|chats|bericht|berichten|appjes|gesprek|gesprekken|sms"),
    meetings=phrases(
        "vergadering|vergaderingen|afspraak|afspraken|overleg|telefoongesprekken|opnames|transcripties|agenda|kalender"
    ),
    notes=phrases("notitie|notities|aantekeningen|notulen"),
    tasks=phrases("taak|taken|checklist|checklists|takenlijst|todo"),
    contacts=phrases("contact|contacten|adresboek"),
    drafts=phrases("concept|concepten"),
)

#: No other table of this language is needed to read a rule in it.
PL: Final = RuleWords(
    "pl",
    denies=phrases("nigdy|nie|nic|żaden|żadna|żadne|żadnej|żadnego|żadnych|bez|nigdzie|unikaj"),
    speaks=phrases(
        "wspominaj|wspominać|wymieniaj|wymieniać|cytuj|cytować|pisz o|pisać o|mów o|mówić o|wspominania o|wspominania"
    ),
    within=phrases("w|we"),
    without="bez",
    holds=phrases(
        "ani słowa o|nic o|prywatne|prywatny|prywatna|poufne|poufny|poufna|tajne|tajny|tajna|są osobiste|jest osobiste"
        "|zostaje między nami|zostają między nami|zachowaj ... w tajemnicy"
    ),
    bars=phrases(
        "nie może pojawić się|nie może pojawiać się|nie może się pojawić|nie może się pojawiać|nie mogą się pojawić"
        "|nie mogą się pojawiać|nie powinien się pojawiać|nie powinna się pojawiać|nie powinno się pojawiać"
        "|nie może występować|nie pokazuj|nie umieszczaj|żaden ... zawierać|pomiń|pomijaj|ukryj|ukrywaj|wyklucz"
    ),
    none=phrases("w żadnym|w żadnej|w żadnych"),
    tells=phrases(
        "nie jest prywatne|nie jest już prywatne|już nie jest prywatne|nie są prywatne|nie są już prywatne"
        "|już nie są prywatne|nie jest poufne|nie są poufne|nie są już poufne|zawsze wspominaj|zawsze wymieniaj"
        "|nie ukrywaj|nie pomijaj|nie wykluczaj|nie zapomnij|nie zapominaj"
    ),
    except_=phrases("oprócz|z wyjątkiem|chyba że|tylko jeśli|poza"),
    about=phrases("o|na temat|dotyczące|dotyczących|w sprawie|związane z"),
    joins=phrases("i|oraz|lub|albo|ani"),
    reports=phrases(
        "raport|raportu|raportów|raporcie|raportach|raporty|podsumowanie|podsumowania|podsumowaniu|podsumowaniach"
        "|sprawozdanie|sprawozdaniu|sprawozdaniach|przegląd|przeglądzie|digest|briefing"
    ),
    generic=phrases(
        "projekt|projektu|projekcie|projekty|wszystko|wszystkie|wszystkich|każdy|każda|coś|nic|rzecz|rzeczy|dane|treść"
        "|informacje|proszę|zawsze|nigdy|musi|muszą|może|mogą|powinien|powinna|powinno|jest|są|być|był|była|nie|żaden"
        "|żadna|żadne|żadnym|żadnej|żadnych|pojawić|pojawiać|się|występować|wspominać|wspominaj|wymieniać|pisać|pisz"
        "|mówić|praca|zespół|mój|moja|moje|moich|jego|jej|ich|nasz|nasza|osoba|osoby|ludzie|reguła|reguły|emoji"
        "|emotikony|linii|zdań|stron|chcę|widzieć|czytać|temat|tematy|słowo|słowa"
    ),
    mail=phrases("mail|maile|maili|mejle|mejli|e mail|e maile|email|emaile|poczta|poczty"),
    chats=phrases("czat|czaty|wiadomość|wiadomości|rozmowa|rozmowy|sms|smsy"),
    meetings=phrases("spotkanie|spotkania|spotkań|nagrania|transkrypcje|kalendarz|kalendarza"),
    notes=phrases("notatka|notatki|notatek"),
    tasks=phrases("zadanie|zadania|zadań|lista zadań"),
    contacts=phrases("kontakt|kontakty|kontaktów"),
    drafts=phrases("szkic|szkice|szkiców"),
    small=phrases(
        "a|ale|ani|bo|by|czy|dla|do|gdy|go|i|ich|im|ja|jak|jako|już|ku|lub|ma|mi|mnie|my|na|nad|o|od|on|ona|oni|po|pod"
        "|przed|przez|przy|są|ta|tak|te|tego|tej|ten|to|tu|ty|tym|u|w|we|z|za|ze|że"
    ),
    endings=phrases("owie|ach|ami|ego|emu|iem|owi|ych|ymi|em|ie|om|a|e|i|o|u|y"),
)

TABLES: Final[tuple[RuleWords, ...]] = (EN, DE, FR, ES, PT, IT, NL, PL)
