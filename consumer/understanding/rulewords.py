"""
The words by which a standing rule says what may not be told, by language. Tables only; ``standing_rules`` reads them.

Words are compared in small letters, without accents and without what an apostrophe cuts off. ``...`` stands for up to
eight words: "keep ... out of". A phrase that begins another one stands behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from consumer.understanding.languages.words import phrases

MAIL: Final = ("inbound_messages", "outbound_messages", "activity_events", "agentic_drafts")
CHATS: Final = ("chat_sessions", "inbound_messages", "outbound_messages")
MEETINGS: Final = ("granola_transcripts", "meeting_notes")
NOTES: Final = ("meeting_notes",)
TASKS: Final = ("checklist_items", "checklists", "checklist_containers", "checklist_action_log")
CONTACTS: Final = ("contacts", "event_contacts")
DRAFTS: Final = ("agentic_drafts",)


@dataclass(frozen=True, slots=True)
class RuleWords:
    """``holds``: what is named may not be told. ``bars``: the same, but only where a report is named: "never in a
    summary" and "never in the morning". ``none``: the same, but only right before a report's name: "in no report", and
    not "in no case". ``tells``: it may be told, so the sentence is no such rule; looked for first.

    ``except_``: what follows narrows the rule. ``about``: a topic follows. ``reports``: what it may not stand in.
    ``generic``: words that name nothing by themselves. Sources by what people call them. ``small``: small words of a
    language that ``languages`` has no table of. ``endings``: of cases, which a topic or a name may be written with.
    """

    code: str
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
    in private | private school | private schools | private equity | private bank | private banking | private sector |
    private practice | private clinic | private hospital | private lesson | private lessons | private client |
    private clients | private company | private jet | private view | école privée | banque privée | clinique privée |
    secteur privé | colegio privado | clínica privada | banca privada | sector privado | escola privada |
    clínica particular | aulas particulares | sector privado | setor privado | scuola privata | clinica privata |
    settore privato | private schule | private klinik | top secret recipe | secret santa | santa secreto
    """
)

EN: Final = RuleWords(
    "en",
    holds=phrases(
        "never mention|never quote|never include|never repeat|never write about|never talk about|never summarize"
        "|never summarise|do not mention|do not quote|do not include|do not summarize|do not summarise"
        "|do not write about|do not talk about|don't mention|don't quote|don't include|don't summarize"
        "|don't write about|don't talk about|must not be mentioned|should not be mentioned|keep ... private"
        "|keep ... confidential|keep ... secret|stay private|stays private|no mention of|nothing about|nothing from"
        "|off limits|off the record|private|confidential|secret|none of your business"
        "|never bring up|do not bring up|don't bring up|don't ever bring up|don't ever mention|never ever mention"
        "|nobody's business|no one's business|stays between us|stay between us|not a word about"
        "|leave ... out of everything|keep ... out of everything|stays out of everything"
    ),
    bars=phrases(
        "never show|never tell|never use|never put|never report|never in|never into|never appear|do not show"
        "|do not tell|do not use|do not put|do not report|don't show|don't tell|don't use|don't put|don't report"
        "|must not appear|should not appear|must never appear|should never appear|may not appear|must not be in"
        "|should not be in|keep ... out of|keep ... out|keep ... away from|leave ... out of|leave ... out|stay out of"
        "|stays out of|not for|not in|exclude|omit|hide|ignore|skip|no ... may mention|no ... should mention"
        "|no ... must mention"
        "|no ... may contain|no ... should contain|no ... may include|no ... should include"
        "|must not contain any|must not contain anything|should not contain any|should not contain anything"
    ),
    none=phrases("in no|into no"),
    tells=phrases(
        "not private|no longer private|not confidential|no longer confidential|not secret|no secret|isn't private"
        "|aren't private|isn't confidential|aren't confidential|don't hide|do not hide|never hide|don't omit"
        "|do not omit|never omit|don't exclude|do not exclude|never exclude|don't leave ... out|do not leave ... out"
        "|never leave ... out|don't keep ... out|always mention|always include|always show|may be mentioned"
    ),
    except_=phrases("except|unless|apart from|other than|but not|only if|only when|until"),
    about=phrases("about|regarding|concerning|related to|anything to do with|on the topic of|on the subject of"),
    joins=phrases("and|or|nor|plus|as well as"),
    reports=phrases(
        "work summary|work summaries|work report|work reports|work digest|work digests|summary|summaries|report"
        "|reports|digest|digests|recap|recaps|overview|overviews|update|updates|briefing|briefings|newsletter"
    ),
    generic=phrases(
        "thanks|thank|thx|pls|project|projects|anything|everything|something|nothing|all|any|every|each|things"
        "|thing|stuff|data|content"
        "|contents|information|info|details|please|always|never|ever|must|should|shall|can|may|will|is|are|be|being"
        "|been|was|were|am|has|have|had|do|does|done|not|no|don|tell|tells|told|say|says|said|write|writes|wrote"
        "|written|send|sends|sent|get|gets|keep|kept|treat|consider|mention|mentions|mentioned|use|used|come|comes|go"
        "|goes|put|let|make|sure|work|working|business|daily|weekly|hourly|public|team|strictly|completely|totally"
        "|very|also|too|only|just|as|that|which|who|whom|what|where|when|why|how|this|these|those|there|here|out"
        "|appear|appears|occur|belong|belongs|stay|stays|remain|remains|rule|rules|user|me|my|mine|her|his|their"
        "|our|your"
        "|person|people|somebody|anybody"
    ),
    mail=phrases("mail|mails|email|emails|e mail|e mails|inbox"),
    chats=phrases("chat|chats|message|messages|text messages|texts|conversation|conversations|dms"),
    meetings=phrases("meeting|meetings|call|calls|transcript|transcripts|recordings"),
    notes=phrases("note|notes|minutes"),
    tasks=phrases("task|tasks|checklist|checklists|to do list|to dos|todo|todos|list items"),
    contacts=phrases("contact|contacts|address book"),
    drafts=phrases("draft|drafts"),
)

DE: Final = RuleWords(
    "de",
    holds=phrases(
        "nie erwähnen|niemals erwähnen|nicht erwähnen|nie zitieren|nicht zitieren|niemals zitieren|nie nennen"
        "|nicht nennen|niemals nennen|nie zusammenfassen|nicht zusammenfassen|nie über|niemals über|nichts über"
        "|erwähne ... nie|erwähne ... nicht|erwähne ... niemals|nenne ... nie|nenne ... nicht|zitiere ... nie"
        "|zitiere ... nicht|behandle ... vertraulich|bleibt privat|bleiben privat|privat|private|vertraulich"
        "|vertrauliche|geheim|tabu|geht niemanden etwas an"
        "|nirgends erwähnen|nirgends nennen|nirgends auftauchen|nirgends erscheinen|nirgends vorkommen"
        "|nirgendwo erwähnen|nirgendwo auftauchen|nirgendwo erscheinen|kein wort über|lass ... aus allem"
        "|halte ... aus allem"
        "|wird nicht berichtet|wird nie berichtet|zitiere ... niemals"
        "|berichte nie über|berichte nicht über|berichte nichts über"
    ),
    bars=phrases(
        "nie zeigen|nicht zeigen|nie verwenden|nicht verwenden|nie aufnehmen|nicht aufnehmen|nichts von|nichts aus"
        "|gehören nie in|gehört nie in|gehören nicht in|gehört nicht in|gehören niemals in|gehört niemals in"
        "|hat ... nichts ... zu suchen|haben ... nichts ... zu suchen|heraushalten|raushalten|halte ... heraus"
        "|halte ... raus|halt ... raus"
        "|lass ... weg|lasse ... weg|lass ... raus|lass ... aus|zeige ... nie|zeige ... nicht|darf nicht|dürfen nicht"
        "|darf nie|dürfen nie|soll nicht|sollen nicht|nie in|niemals in|nicht in|nicht für|nie im|nicht im|ausblenden"
        "|weglassen|auslassen|kein ... erwähnen|kein ... nennen|kein ... enthalten|keine ... erwähnen|keine ... nennen"
        "|keine ... enthalten"
        "|bleibt ... draußen|bleiben ... draußen|bleibt aus|bleiben aus"
    ),
    none=phrases("in keinem|in keinen|in keiner|in keine"),
    tells=phrases(
        "nicht privat|nicht mehr privat|nicht vertraulich|nicht mehr vertraulich|nicht geheim|nicht mehr geheim"
        "|immer erwähnen|immer zeigen|immer nennen|nicht weglassen|nie weglassen|nicht auslassen|nicht ausblenden"
        "|lass ... nicht weg|lasse ... nicht weg"
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
        "danke|projekt|projekte|projekts|alles|alle|allem|allen|aller|jede|jeder|jedes|etwas|nichts|sache|sachen"
        "|dinge|ding"
        "|zeug|daten|inhalt|inhalte|informationen|infos|bitte|immer|nie|niemals|muss|müssen|soll|sollen|sollte"
        "|sollten|darf|dürfen|kann|können|wird|werden|ist|sind|sein|war|waren|bin|hat|haben|nicht|kein|keine|keinen"
        "|keinem|keiner|einzigen|einziger|aufnehmen|aufgenommen"
        "|sagen|sagt|schreibt|schreiben|schickt|erzählt|steht|stehen|kommt|kommen|gehört|gehören|bleibt|bleiben"
        "|erscheinen|auftauchen|vorkommen|erwähnt|erwähnen|genannt|streng|strikt|völlig|auch|nur|als|dass|was|wer|wo"
        "|wann|dies|diese|dieser|dieses|arbeit|team|täglich|wöchentlich|mein|meine|meinen|meiner|meinem|meines|ihr"
        "|ihre|ihren|ihrer|sein|seine|seinen|unser|unsere|person|personen|leute|jemand|niemand|niemanden|regel|regeln"
        "|halte|lass|lasse|raus|heraus|weg"
    ),
    mail=phrases("mail|mails|e mail|e mails|email|emails|post|posteingang"),
    chats=phrases("chat|chats|nachricht|nachrichten|sms|gespräch|gespräche|unterhaltungen"),
    meetings=phrases("meeting|meetings|besprechung|besprechungen|termin|termine|anruf|anrufe|telefonate|mitschnitte"),
    notes=phrases("notiz|notizen|protokoll|protokolle"),
    tasks=phrases("aufgabe|aufgaben|checkliste|checklisten|to dos|todos|todo"),
    contacts=phrases("kontakt|kontakte|adressbuch"),
    drafts=phrases("entwurf|entwürfe"),
)

FR: Final = RuleWords(
    "fr",
    holds=phrases(
        "ne mentionne jamais|ne mentionne pas|ne jamais mentionner|ne pas mentionner|ne cite jamais|ne cite pas"
        "|ne jamais citer|ne pas citer|ne parle jamais de|ne parle pas de|ne jamais parler de|ne pas parler de"
        "|ne pas inclure|ne jamais inclure|nulle part|pas un mot sur|n'inclus jamais|n'inclus pas|rien sur"
        "|reste privé|restent privés|privé"
        "|privée|privés|privées|confidentiel|confidentielle|confidentiels|confidentielles|secret|secrets|secrète"
        "|secrètes"
    ),
    bars=phrases(
        "ne montre jamais|ne montre pas|ne jamais montrer|ne pas montrer|ne doit jamais|ne doit pas|ne doivent jamais"
        "|ne doivent pas|rien de|jamais dans|pas dans|laisse ... en dehors|laisse ... de côté|garde ... hors|hors des"
        "|exclure|exclus|cacher|cache|aucun ... mentionner|aucun ... citer|aucun ... nommer|aucune ... mentionner"
    ),
    none=phrases("dans aucun|dans aucune"),
    tells=phrases(
        "pas privé|pas privée|pas privés|pas privées|plus privé|plus privée|plus privés|plus privées|pas confidentiel"
        "|pas confidentielle|pas confidentiels|pas confidentielles|plus confidentiel|plus confidentielle"
        "|toujours mentionner|mentionne toujours|toujours inclure|inclus toujours|ne cache pas|ne pas cacher"
        "|ne pas exclure"
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
        "|travail|équipe"
        "|quotidien|hebdomadaire|strictement|aussi|seulement|que|qui|quoi|où|quand|ce|cet|cette|ces|mon|ma|mes|son|sa"
        "|ses|leur|leurs|notre|nos|personne|personnes|règle|règles|veuillez|plaît|laisse|garde|dehors|côté|hors"
    ),
    mail=phrases("mail|mails|e mail|e mails|email|emails|courriel|courriels|boîte de réception"),
    chats=phrases("chat|chats|message|messages|conversation|conversations|sms|textos"),
    meetings=phrases("réunion|réunions|appel|appels|transcription|transcriptions|enregistrements"),
    notes=phrases("note|notes|procès verbaux"),
    tasks=phrases("tâche|tâches|liste de tâches|to do"),
    contacts=phrases("contact|contacts|carnet d'adresses"),
    drafts=phrases("brouillon|brouillons"),
)

ES: Final = RuleWords(
    "es",
    holds=phrases(
        "no menciones nunca|no hables nunca de|no cites nunca|no incluyas nunca|ni una palabra de|ni una palabra sobre"
        "|ni una palabra|en ninguna parte|nunca menciones|no menciones|nunca mencionar|no mencionar|nunca cites"
        "|no cites|nunca citar|no citar"
        "|nunca incluyas|no incluyas|nunca incluir|no incluir|nunca hables de|no hables de|nunca hablar de"
        "|no hablar de|nada sobre|privado|privada|privados|privadas|confidencial|confidenciales|secreto|secreta"
        "|secretos|secretas"
    ),
    bars=phrases(
        "nunca muestres|no muestres|nunca mostrar|no mostrar|no debe|no deben|nunca debe|nunca deben"
        "|no puede aparecer|no pueden aparecer|nada de|nunca en|no en|deja ... fuera|dejar ... fuera|mantén ... fuera"
        "|fuera de|excluye|excluir|oculta|ocultar|ningún ... mencionar|ningún ... mencione|ningún ... nombrar"
        "|ninguna ... mencionar"
        "|nada del|nada de la"
    ),
    none=phrases("en ningún|en ninguno|en ninguna"),
    tells=phrases(
        "no es privado|no es privada|no son privados|no son privadas|ya no es privado|ya no es privada"
        "|ya no son privados|ya no son privadas|no es confidencial|no son confidenciales|ya no es confidencial"
        "|ya no son confidenciales|menciona siempre|mencionar siempre|incluye siempre|incluir siempre|no ocultes"
        "|no excluyas"
    ),
    except_=phrases("excepto|salvo|a menos que|con excepción|solo si"),
    about=phrases("sobre|acerca de|relacionado con|relacionada con|relativo a|en cuanto a|respecto a"),
    joins=phrases("y|e|o|u|ni|así como"),
    reports=phrases(
        "resumen de trabajo|resúmenes de trabajo|resumen|resúmenes|informe|informes|reporte|reportes|boletín"
        "|boletines|digest|digests|briefing|briefings"
    ),
    generic=phrases(
        "proyecto|proyectos|todo|toda|todos|todas|nada|algo|cosa|cosas|datos|contenido|contenidos|información"
        "|detalles|nunca|siempre|debe|deben|puede|pueden|es|son|ser|estar|está|están|fue|ha|han|no|decir|dice|escribe"
        "|ningún|ninguno|ninguna|escribir|envía|menciona|mencionar|cita|muestra|aparecer|aparezca|aparezcan|figurar"
        "|quedar|queda|quedan"
        "|trabajo|equipo|diario|semanal|estrictamente|también|solo|que|quien|qué|dónde|cuando|este|esta|estos|estas"
        "|mi|mis|su|sus|nuestro|nuestra|persona|personas|gente|regla|reglas|favor|deja|dejar|fuera"
    ),
    mail=phrases("correo|correos|correos electrónicos|mail|mails|email|emails|e mail|e mails|bandeja de entrada"),
    chats=phrases("chat|chats|mensaje|mensajes|conversación|conversaciones|sms"),
    meetings=phrases("reunión|reuniones|llamada|llamadas|transcripción|transcripciones|grabaciones"),
    notes=phrases("nota|notas|actas"),
    tasks=phrases("tarea|tareas|lista de tareas|pendientes"),
    contacts=phrases("contacto|contactos|agenda de contactos"),
    drafts=phrases("borrador|borradores"),
)

PT: Final = RuleWords(
    "pt",
    holds=phrases(
        "nunca mencione|não mencione|nunca menciones|não menciones|nunca mencionar|não mencionar|nunca cite|não cite"
        "|nunca citar|não citar|nunca inclua|não inclua|nunca incluir|não incluir|nunca fale de|não fale de"
        "|nunca fale sobre|não fale sobre|nada sobre|privado|privada|privados|privadas|particular|particulares"
        "|confidencial|confidenciais|secreto|secreta|secretos|secretas"
        "|nunca fales de|nunca fales da|nunca fales do|nem uma palavra sobre|em lado nenhum|em lugar nenhum"
        "|em nenhum lugar"
        "|não incluas|nunca incluas|não cites|nunca cites|não fales de|nunca fales de|não fales da|não fales do"
    ),
    bars=phrases(
        "nunca mostre|não mostre|nunca mostrar|não mostrar|não deve|não devem|nunca deve|nunca devem"
        "|não pode aparecer|não podem aparecer|nada de|nunca em|não em|nunca num|nunca numa|nunca no|nunca na"
        "|nunca nos|nunca nas|deixe ... de fora|deixa ... de fora|deixe ... fora|deixa ... fora|mantenha ... fora"
        "|fora de|exclua|excluir|oculte"
        "|ocultar|esconda|nenhum ... mencionar|nenhum ... mencione|nenhum ... citar|nenhuma ... mencionar"
        "|nada da|nada do|nada das|nada dos|não mostres|nunca mostres"
    ),
    none=phrases("em nenhum|em nenhuma"),
    tells=phrases(
        "não é privado|não é privada|não são privados|não são privadas|já não é privado|já não é privada"
        "|já não são privados|já não são privadas|não é confidencial|não são confidenciais|mencione sempre"
        "|mencionar sempre|inclua sempre|incluir sempre|não oculte|não exclua|não esconda"
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
        "|nenhum|nenhuma|escreve|escrever|envia|menciona|mencionar|cita|mostra|aparecer|apareça|apareçam|constar"
        "|ficar|fica|ficam"
        "|trabalho|equipa|equipe|diário|semanal|estritamente|também|só|apenas|que|quem|onde|quando|este|esta|estes"
        "|estas|meu|minha|meus|minhas|seu|sua|seus|suas|nosso|nossa|pessoa|pessoas|gente|regra|regras|favor|deixe"
        "|deixa|fora"
    ),
    mail=phrases("correio|e mail|e mails|email|emails|mail|mails|caixa de entrada"),
    chats=phrases("chat|chats|mensagem|mensagens|conversa|conversas|sms"),
    meetings=phrases("reunião|reuniões|chamada|chamadas|ligações|transcrição|transcrições|gravações"),
    notes=phrases("nota|notas|anotações|atas"),
    tasks=phrases("tarefa|tarefas|lista de tarefas|pendências"),
    contacts=phrases("contato|contatos|contacto|contactos|agenda de contatos"),
    drafts=phrases("rascunho|rascunhos"),
)

IT: Final = RuleWords(
    "it",
    holds=phrases(
        "non menzionare mai|non menzionare|mai menzionare|non citare mai|non citare|mai citare|non includere mai"
        "|non includere|mai includere|non parlare mai di|non parlare di|mai parlare di|niente su|nulla su"
        "|nemmeno una parola su|da nessuna parte|privato"
        "|privata|privati|private|riservato|riservata|riservati|riservate|confidenziale|confidenziali|segreto|segreta"
        "|segreti|segrete"
    ),
    bars=phrases(
        "non mostrare mai|non mostrare|mai mostrare|non deve mai|non devono mai|non deve|non devono|non può comparire"
        "|non possono comparire|niente di|mai in|mai nel|mai nei|mai nelle|mai nella|non in|lascia ... fuori"
        "|lasciare ... fuori|tieni ... fuori|fuori da|fuori dai|fuori dalle|escludi|escludere|nascondi|nascondere"
        "|nessun ... menzionare|nessun ... citare|nessun ... nominare|nessuna ... menzionare"
        "|niente della|niente del|niente dei|niente delle"
    ),
    none=phrases("in nessun|in nessuno|in nessuna"),
    tells=phrases(
        "non è privato|non è privata|non sono privati|non sono private|non è più privato|non è più privata"
        "|non sono più privati|non sono più private|non è riservato|non è riservata|non sono riservati"
        "|non sono riservate|non è più riservato|non sono più riservati|menziona sempre|menzionare sempre"
        "|includi sempre|includere sempre|non nascondere|non escludere"
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
        "|nessun|nessuno|nessuna|scrive|scrivere|manda|menziona|menzionare|cita|mostra|comparire|apparire|restare"
        "|resta|restano|rimane"
        "|rimangono|lavoro|squadra|team|quotidiano|settimanale|strettamente|anche|solo|che|chi|dove|quando|questo"
        "|questa|questi|queste|mio|mia|miei|mie|suo|sua|suoi|sue|nostro|nostra|persona|persone|gente|regola|regole"
        "|favore|lascia|tieni|fuori"
    ),
    mail=phrases("mail|e mail|email|emails|posta|posta elettronica|casella"),
    chats=phrases("chat|messaggio|messaggi|conversazione|conversazioni|sms"),
    meetings=phrases("riunione|riunioni|chiamata|chiamate|telefonate|trascrizione|trascrizioni|registrazioni"),
    notes=phrases("nota|note|appunti|verbali"),
    tasks=phrases("compito|compiti|attività|lista di cose da fare"),
    contacts=phrases("contatto|contatti|rubrica"),
    drafts=phrases("bozza|bozze"),
)

NL: Final = RuleWords(
    "nl",
    holds=phrases(
        "nooit vermelden|niet vermelden|nooit noemen|niet noemen|nooit citeren|niet citeren|nooit opnemen"
        "|niet opnemen|nooit samenvatten|niet samenvatten|vermeld ... nooit|vermeld ... niet|noem ... nooit"
        "|noem ... niet|citeer ... nooit|citeer ... niet|neem ... niet op|neem ... nooit op"
        "|geen woord over|nergens noemen|nergens vermelden|nergens voorkomen|nooit over|niets over|blijft privé"
        "|blijven privé|privé"
        "|vertrouwelijk|vertrouwelijke|geheim|geheime|taboe"
    ),
    bars=phrases(
        "nooit tonen|niet tonen|nooit laten zien|niet laten zien|toon ... nooit|toon ... niet|niets van|niets uit"
        "|hoort niet in|horen niet in|hoort nooit in|horen nooit in|mag niet|mogen niet|mag nooit|mogen nooit"
        "|houd ... buiten|hou ... buiten|laat ... weg|laat ... buiten|nooit in|niet in|niet voor|weglaten|verbergen"
        "|verberg|geen ... noemen|geen ... vermelden|geen ... bevatten"
    ),
    none=phrases("in geen"),
    tells=phrases(
        "niet privé|niet meer privé|niet vertrouwelijk|niet meer vertrouwelijk|niet geheim|niet meer geheim"
        "|altijd vermelden|altijd noemen|altijd tonen|niet weglaten|nooit weglaten|niet verbergen"
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
        "|heeft|hebben|niet|geen|zeggen|zegt|schrijft|schrijven|stuurt|vertelt|staat|staan|komt|komen|hoort|horen"
        "|enkel|enkele|voorkomen|opduiken|blijft|blijven|verschijnen|vermeld|vermelden|genoemd|noem|strikt|volledig"
        "|ook|alleen|als|dat|wat|wie|waar"
        "|wanneer|dit|deze|die|werk|team|dagelijks|wekelijks|mijn|haar|zijn|hun|ons|onze|persoon|personen|mensen"
        "|iemand|niemand|regel|regels|alsjeblieft|graag|houd|hou|laat|weg|buiten"
    ),
    mail=phrases("mail|mails|e mail|e mails|email|emails|inbox|postvak"),
    chats=phrases("chat|chats|bericht|berichten|appjes|gesprek|gesprekken|sms"),
    meetings=phrases("vergadering|vergaderingen|afspraak|afspraken|overleg|telefoongesprekken|opnames|transcripties"),
    notes=phrases("notitie|notities|aantekeningen|notulen"),
    tasks=phrases("taak|taken|checklist|checklists|takenlijst|todo"),
    contacts=phrases("contact|contacten|adresboek"),
    drafts=phrases("concept|concepten"),
)

#: No other table of this language is needed to read a rule in it.
PL: Final = RuleWords(
    "pl",
    holds=phrases(
        "nigdy nie wspominaj|nie wspominaj|nigdy nie wymieniaj|nie wymieniaj|nigdy nie cytuj|nie cytuj"
        "|ani słowa o|nigdzie nie wspominaj|nigdy nie pisz o|nie pisz o|nic o|prywatne|prywatny|prywatna|poufne"
        "|poufny|poufna|tajne|tajny|tajna"
        "|zachowaj ... w tajemnicy"
    ),
    bars=phrases(
        "nie może pojawić się|nie może pojawiać się|nie może się pojawić|nie może się pojawiać|nie mogą się pojawić"
        "|nie mogą się pojawiać|nie powinien się pojawiać|nie powinna się pojawiać|nie powinno się pojawiać"
        "|nie może występować|nie pokazuj|nie umieszczaj|żaden ... wspominać|żaden ... wymieniać|żaden ... zawierać"
        "|pomiń|pomijaj|ukryj|ukrywaj|wyklucz"
    ),
    none=phrases("w żadnym|w żadnej|w żadnych"),
    tells=phrases(
        "nie jest prywatne|nie jest już prywatne|już nie jest prywatne|nie są prywatne|nie są już prywatne"
        "|już nie są prywatne|nie jest poufne|nie są poufne|nie są już poufne|zawsze wspominaj|zawsze wymieniaj"
        "|nie ukrywaj|nie pomijaj|nie wykluczaj"
    ),
    except_=phrases("oprócz|z wyjątkiem|chyba że|tylko jeśli|poza"),
    about=phrases("o|na temat|dotyczące|dotyczących|w sprawie|związane z"),
    joins=phrases("i|oraz|lub|albo|ani"),
    reports=phrases(
        "raport|raportu|raportów|raporcie|raportach|raporty|podsumowanie|podsumowania|podsumowaniu|podsumowaniach"
        "|sprawozdanie|sprawozdaniu|sprawozdaniach|przegląd|przeglądzie|digest|briefing"
    ),
    generic=phrases(
        "projekt|projektu|projekcie|projekty|wszystko|wszystkie|wszystkich|każdy|każda|coś|nic|rzecz|rzeczy|dane"
        "|treść|informacje|proszę|zawsze|nigdy|musi|muszą|może|mogą|powinien|powinna|powinno|jest|są|być|był|była"
        "|nie|żaden|żadna|żadne|żadnym|żadnej|żadnych|pojawić|pojawiać|się|występować|wspominać|wspominaj|wymieniać"
        "|pisać|pisz|mówić|praca|zespół|mój|moja|moje|moich|jego|jej|ich|nasz|nasza|osoba|osoby|ludzie|reguła|reguły"
    ),
    mail=phrases("mail|maile|maili|mejle|mejli|e mail|e maile|email|emaile|poczta|poczty"),
    chats=phrases("czat|czaty|wiadomość|wiadomości|rozmowa|rozmowy|sms|smsy"),
    meetings=phrases("spotkanie|spotkania|spotkań|nagrania|transkrypcje"),
    notes=phrases("notatka|notatki|notatek"),
    tasks=phrases("zadanie|zadania|zadań|lista zadań"),
    contacts=phrases("kontakt|kontakty|kontaktów"),
    drafts=phrases("szkic|szkice|szkiców"),
    small=phrases(
        "a|ale|ani|bo|by|czy|dla|do|gdy|go|i|ich|im|ja|jak|jako|już|ku|lub|ma|mi|mnie|my|na|nad|o|od|on|ona|oni|po"
        "|pod|przed|przez|przy|są|ta|tak|te|tego|tej|ten|to|tu|ty|tym|u|w|we|z|za|ze|że"
    ),
    endings=phrases("owie|ach|ami|ego|emu|iem|owi|ych|ymi|em|ie|om|a|e|i|o|u|y"),
)

TABLES: Final[tuple[RuleWords, ...]] = (EN, DE, FR, ES, PT, IT, NL, PL)
