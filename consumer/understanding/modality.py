"""Whether words deny, doubt, ask, make a condition, plan or report what is done, by tables in seven languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from consumer.understanding import languages
from consumer.understanding.text import fold


class Modality(NamedTuple):
    """What a stretch of text shows. The fields in pairs: what surely is so, and what may count as it."""

    negated: bool
    #: Words that say no without "not": "unsigned", "refused", "instead of".
    denying: bool
    condition: bool
    #: Words that may stand for a condition: "once", "after", "depends on".
    conditional: bool
    doubt: bool
    #: Words that may stand for doubt: "could", "possible", "plans".
    doubtful: bool
    question: bool
    #: Words that tell of a question or a request: "asks", "whether", "wants".
    asking: bool
    future: bool
    #: Words of plans, promises and duties.
    planned: bool
    done: bool
    #: "always", "only", "everybody": words that make more of a thing.
    universal: frozenset[str]
    accepts: bool = False
    refuses: bool = False


class _ModalityWords(NamedTuple):
    harmless: str = ""
    denying: str = ""
    condition: str = ""
    conditional: str = ""
    doubt: str = ""
    doubtful: str = ""
    asking: str = ""
    future: str = ""
    planned: str = ""
    done: str = ""
    universal: str = ""
    accepts: str = ""
    refuses: str = ""


#: Expressions over folded text, one a kind; they match whole words unless they end in ``\w*``.
_TABLES: Final[Mapping[str, _ModalityWords]] = {
    "en": _ModalityWords(
        harmless=r"no later than|not later than|no more than|not more than|no less than|not only|no problem|no doubt"
        r"|why not|not to mention"
        r"|not (?:\w+ )?(?:before|until)"
        r"|(?:nobody|no one|none|nothing) (?:except|but|other than|besides)",
        denying=r"unless|"
        r"un(?!der|til|less|it|ion|i|cle|ique)\w+|without|refus\w*|reject\w*|declin\w*|cancel\w*"
        r"|den(?:y|ies|ied)"
        r"|miss(?:ed|es|ing)?|fail\w*|lack\w*|rather than|instead of|called off|yet to|avoid\w*|stop\w*|withdr\w*"
        r"|await\w*|wait(?:s|ing)|outstanding|turn(?:s|ed)? down"
        r"|r[au]n out|used up|sold out|left (?:the|our|us)|quit|resign\w*|hold\w* (?:back|off)"
        r"|only (?:if|when|after|once|with)",
        condition=r"if|unless|provided|providing|assuming|as long as|in case|as soon as|once|subject to|depend\w*",
        conditional=r"when|whenever|after|until|upon|condition\w*|contingent|pending",
        doubt=r"might|maybe|perhaps|possibly|probably|hopefully|presumably|not sure|i think|i guess"
        r"|apparently|allegedly|reportedly|rumou?r\w*|it seems"
        r"|(?:fairly|pretty|quite|reasonably|almost|nearly) (?:sure|certain)",
        doubtful=r"may|could|can|possib\w*|likely|consider\w*|think\w*|thought|hop(?:e|es|ed|ing)|expect\w*|unsure"
        r"|uncertain|unclear|option\w*|guess\w*|perhaps|tentative\w*|suggest\w*|idea|try|tries|would|should|believe\w*",
        asking=r"ask\w*|whether|question\w*|wonder\w*|want\w*|wish\w*|request\w*|unclear|open|unknown|know|inquir\w*"
        r"|enquir\w*|wants|like to|if|needs?"
        r"|should|is to|are to",
        future=r"will|'ll|won't|shall|going to|i'll|we'll|he'll|she'll|they'll",
        planned=r"please|"
        r"plan\w*|inten[dt]\w*|want\w*|promis\w*|agree[ds]?|due|owes?|should|must|ha(?:s|ve) to"
        r"|needs?(?: to)?|to be"
        r"|is to|are to|would|expect\w*|commit\w*|offer\w*|propos\w*|undert\w*|aim\w*|ask\w*|scheduled|decid\w*"
        r"|decision"
        r"|hopes?|might|may|could|considers?"
        r"|tomorrow|next (?:week|month|year)",
        done=r"(?:ha(?:s|ve|d)|was|were|been|got|already)(?: already| just| now| been| both)*"
        r" (?:\w+ed|sent|paid|built|bought|sold|made|done|given|gone|met|held|told|left|written|brought|taken"
        r"|begun|won|lost)",
        universal=r"always|everybody|everyone|entirely|exclusively|solely|unanimously|immediately|urgently",
        accepts=r"accept\w*|approv\w*|agreed|signed off",
        refuses=r"refus\w*|reject\w*|declin\w*|turn(?:s|ed)? down",
    ),
    "de": _ModalityWords(
        harmless=r"nicht später als|nicht mehr als|nicht nur|kein problem|nicht zuletzt|nicht wahr"
        r"|nicht (?:\w+ )?(?:vor|bevor)"
        r"|(?:niemand|keiner|nichts) (?:außer|als)",
        denying=r"es sei denn|außer|"
        r"un(?!d|s|ter|ser|sere\w*|ten|gefähr|iversit\w*)\w{4,}|ohne|statt|anstatt|abgelehnt\w*"
        r"|lehnt\w*|ablehn\w*"
        r"|verweiger\w*|fehl\w*|storn\w*|abgesag\w*|entfäll\w*|absag\w*|verpass\w*"
        r"|wart\w*|steht noch aus|aussteh\w*"
        r"|aufgebraucht|ausgegangen|ausverkauft|erst|verlassen|gekündigt",
        condition=r"wenn|falls|sofern|sobald|vorausgesetzt|solange|es sei denn|nur wenn|häng\w* \w*\s?ab\w*|abhäng\w*",
        conditional=r"nachdem|nach|bei|bedingung\w*|davon ab|ab|vorbehaltlich|unter der",
        doubt=r"vielleicht|eventuell|evtl|wahrscheinlich|möglicherweise|hoffentlich|vermutlich|könnte\w*|angeblich|anscheinend"
        r"|voraussichtlich\w*|(?:ziemlich|fast|recht) sicher",
        doubtful=r"möglich\w*|kann|könn\w*|überleg\w*|erwäg\w*|denk\w*|hoff\w*|unsicher|unklar|wohl|dürfte\w*|würde\w*"
        r"|option|womöglich",
        asking=r"frag\w*|ob|bitte\w*|bittet|möchte\w*|will|wissen|unklar|offen|anfrag\w*|wünsch\w*"
        r"|soll\w*",
        future=r"werde[nt]?|wird|wirst",
        planned=r"bitte|"
        r"plan\w*|versprech\w*|versprich\w*|versprochen|will|wollen|soll\w*|muss|müss\w*|möchte\w*|fällig\w*"
        r"|beabsicht\w*|zusag\w*|zugesagt|vor|bis|schuld\w*|beschloss\w*|entschied\w*|angeboten"
        r"|geplant\w*|vorgesehen\w*|angesetzt\w*|vereinbart\w*"
        r"|morgen|übermorgen|nächste[nrs]? (?:woche|monat|jahr)",
        done=r"(?:hat|haben|hatte|ist|sind|wurde|wurden|war)(?: [\w.,'€%-]+){0,9}? (?:\w*ge\w+(?:t|en)|\w+iert"
        r"|(?:ver|be|unter"
        r"|er|über)\w+(?:t|en))",
        universal=r"immer|alle|ausschließlich|einstimmig|sofort|jeder",
        accepts=r"angenommen|akzept\w*|genehmig\w*|zugestimmt|freigegeben|bewillig\w*"
        r"|zugesagt|zusag\w*",
        refuses=r"abgelehnt\w*|lehnt\w*|ablehn\w*|verweiger\w*",
    ),
    "fr": _ModalityWords(
        harmless=r"pas plus tard que|pas plus de|non seulement|pas de problème|pas de souci"
        r"|pas (?:\w+ )?avant"
        r"|(?:personne|rien) (?:d'autre )?(?:sauf|hormis|que)",
        denying=r"sauf|"
        r"sans|refus\w*|rejet\w*|annul\w*|manqu\w*|déclin\w*|au lieu|plutôt que|impay\w*|absent\w*"
        r"|attend\w*|en attente"
        r"|épuis\w*|quitt\w*|seulement (?:si|quand|après)",
        condition=r"si|s'il|s'ils|à condition|sous réserve|dès que|au cas où|sauf si|pourvu que|dépend\w*",
        conditional=r"quand|lorsque|après|une fois|condition\w*|selon",
        doubt=r"peut-être|probablement|sans doute|éventuellement|pourrai\w*|j'espère"
        r"|il paraît|paraît-il|apparemment|il semble"
        r"|(?:presque|assez|quasi|à peu près) (?:sûre?s?|certaine?s?)",
        doubtful=r"possib\w*|peut|peuvent|envisag\w*|pens\w*|espèr\w*|probable\w*|devrai\w*|serai\w*"
        r"|incertain\w*|option",
        asking=r"demand\w*|si|question\w*|savoir|souhait\w*|veut|voudrai\w*|voulez|est-ce"
        r"|doit|devrait|doivent",
        future=r"va|vont|vais|vas|allons|allez|ira|iront"
        r"|(?!vrai|environs|patrons|opera|camera|ultra|extra|contra|infra)\w+[eiurdtv](?:ra|rai|rons|rez|ront)",
        planned=r"merci de|s'il te plaît|s'il vous plaît|svp|"
        r"prévo\w*|prévu\w*|prom\w*|doit|doivent|devra\w*|veut|souhait\w*|attend\w*|compte|engag\w*"
        r"|avant|propos\w*"
        r"|déci\w*|offr\w*|offert\w*|planifi\w*|convenu\w*"
        r"|demain|après-demain|(?:la semaine|le mois|l'année) prochaine?",
        done=r"(?:a|ont|avons|est|sont|été)(?: [\w]+)? \w+(?:é|ée|és|ées|i|is|u|us|it|ert)",
        universal=r"toujours|exclusivement|unanim\w*|immédiatement",
        accepts=r"accept\w*|approuv\w*|valid\w*",
        refuses=r"refus\w*|rejet\w*|déclin\w*",
    ),
    "es": _ModalityWords(
        harmless=r"no más de|no más tarde|no solo|no sólo"
        r"|no (?:\w+ )?antes"
        r"|(?:nadie|nada) (?:más que|excepto|salvo)",
        denying=r"salvo|a menos|"
        r"sin|rechaz\w*|cancel\w*|neg\w*|niega\w*|falt\w*|en vez|en lugar|anul\w*|impag\w*"
        r"|espera\w*|pendiente\w*"
        r"|agot\w*|dej\w* la|solo (?:si|cuando|después)",
        condition=r"si|siempre que|en caso|en cuanto|a menos que|salvo que|con tal|solo si|depend\w*",
        conditional=r"cuando|una vez|después|condicion\w*|según",
        doubt=r"quizá|quizás|tal vez|probablemente|posiblemente|ojalá|podría\w*|al parecer|parece que|por lo visto"
        r"|(?:casi|bastante) segur\w*|previsiblemente",
        doubtful=r"posib\w*|pued\w*|pod\w*|consider\w*|piens\w*|espera\w*|probable\w*|opción|debería\w*",
        asking=r"pregunt\w*|si|pid\w*|quier\w*|saber|solicit\w*|duda"
        r"|debe|deben|debería\w*",
        future=r"va a|van a|voy a|vamos a|(?!queremos)\w+(?:[aei]remos|[abeidr]r(?:é|á|ás|án))",
        planned=r"por favor|"
        r"plane\w*|prom\w*|debe\w*|tiene que|quier\w*|compromet\w*|prevé\w*|previst\w*|antes|decid\w*|ofrec\w*"
        r"|programad\w*|acordad\w*"
        r"|mañana|la próxima semana|la semana que viene|el mes que viene",
        done=r"(?:ha|han|he|hemos|fue|fueron|está|están)(?: \w+)? \w+(?:ado|ada|ados|adas|ido|ida|idos|idas"
        r"|echo|rito|uesto|isto|icho|ierto|uelto)"
        r"|\w{2,}(?:ó|aron|ieron|jeron)|dijo|\w*(?:trajo|hizo|tuvo|puso)|dio|vino a",
        universal=r"siempre|exclusivamente|inmediatamente|unánim\w*",
        accepts=r"acept\w*|aprob\w*|aprueb\w*",
        refuses=r"rechaz\w*",
    ),
    "pt": _ModalityWords(
        harmless=r"não mais de|não só|não mais tarde"
        r"|não (?:\w+ )?antes"
        r"|(?:ninguém|nada) (?:exceto|salvo|além|a não ser)",
        denying=r"a não ser|a menos|"
        r"sem|recus\w*|cancel\w*|neg\w*|falt\w*|em vez|rejeit\w*|anul\w*"
        r"|aguard\w*|à espera|pendente\w*"
        r"|esgot\w*|deix\w* a|só (?:se|quando|depois)",
        condition=r"caso|desde que|assim que|a menos que|a não ser que|logo que|depend\w*|(?:^|, )se",
        conditional=r"quando|depois|condiç\w*|conforme|se",
        doubt=r"talvez|provavelmente|possivelmente|oxalá|poderia\w*|parece que|pelos vistos|ao que parece"
        r"|(?:quase|bastante) (?:certo|certa|segur\w*)|previsivelmente",
        doubtful=r"possív\w*|pode\w*|consider\w*|pens\w*|espera\w*|provável\w*|hipótese|deveria\w*",
        asking=r"pergunt\w*|se|pede\w*|quer\w*|saber|solicit\w*|dúvida"
        r"|deve|devem|deveria",
        future=r"vai|vão|vou|vamos|(?!verão)\w+[aeio]r(?:ei|á|ás|emos|ão)",
        planned=r"por favor|"
        r"plane\w*|prom\w*|deve\w*|tem de|tem que|quer\w*|compromet\w*|previ\w*|até|decid\w*|oferec\w*"
        r"|agendad\w*|marcad\w*|combinad\w*"
        r"|amanhã|na próxima semana|no próximo mês",
        done=r"(?:já|foi|foram|tem|tinha|está|estão)(?: \w+)? \w+(?:ado|ada|ados|adas|ido|ida|idos|idas|ou|eu"
        r"|iu|ago|aga|ito|ita)"
        r"|(?!estou|museu|europeu|liceu)\w{2,}(?:ou|eu|iu|aram|eram|iram)|fez|\w*trouxe|disse|\w*(?:teve|veio|pôs)",
        universal=r"sempre|exclusivamente|imediatamente|unânim\w*",
        accepts=r"aceit\w*|aprov\w*",
        refuses=r"recus\w*|rejeit\w*",
    ),
    "it": _ModalityWords(
        harmless=r"non più di|non oltre|non solo"
        r"|non (?:\w+ )?prima"
        r"|(?:nessuno|niente) (?:tranne|eccetto|salvo)",
        denying=r"a meno|"
        r"senza|rifiut\w*|annull\w*|manc\w*|neg\w*|invece|anziché|respin\w*|disdett\w*"
        r"|aspett\w*|attend\w*|in sospeso"
        r"|esaurit\w*|lasciat\w*|solo (?:se|quando|dopo)",
        condition=r"se|qualora|a patto che|a condizione|non appena|a meno che|purché|solo se|dipend\w*",
        conditional=r"quando|appena|una volta|dopo|condizion\w*|secondo",
        doubt=r"forse|probabilmente|magari|possibilmente|eventualmente|potrebbe\w*|pare che|sembra che|a quanto pare"
        r"|(?:quasi|abbastanza) (?:sicur\w*|cert\w*)|presumibilmente",
        doubtful=r"possib\w*|può|possono|potre\w*|consider\w*|pens\w*|sper\w*|probabil\w*|dovrebbe\w*|ipotesi",
        asking=r"chied\w*|se|domand\w*|vuole|vorrebbe|sapere|richie\w*|dubbio"
        r"|dovrebbe",
        future=r"(?!però)\w+r(?:ò|à|ai|anno)|\w+[aei]remo",
        planned=r"per favore|per piacere|"
        r"prev(?!en)\w*|prom\w*|deve|devono|vuole|impegn\w*|entro|intend\w*|decis\w*|offr\w*|offert\w*"
        r"|programmat\w*|pianificat\w*|fissat\w*|concordat\w*"
        r"|domani|dopodomani|la prossima settimana|il mese prossimo",
        done=r"(?:ha|hanno|ho|abbiamo|è|sono|stato|stata)(?: \w+)? \w+(?:ato|ata|ati|ate|uto|uta|uti|ute|ito"
        r"|ita|iti|ite|sso|tto|sto|[eiu]so|rso|erto|elto|[iu]nto)"
        r"|(?!però|può|ciò)\w{2,}(?<!r)ò|(?!così|\w+dì)\w{3,}ì|\w+(?:arono|erono|irono)|fece|mise|scrisse|venne|diede",
        universal=r"sempre|esclusivamente|immediatamente|unanim\w*",
        accepts=r"accett\w*|approv\w*",
        refuses=r"rifiut\w*|respin\w*",
    ),
    "nl": _ModalityWords(
        harmless=r"niet later dan|niet meer dan|niet alleen|geen probleem"
        r"|niet (?:\w+ )?(?:voor|eerder)"
        r"|(?:niemand|niets) (?:behalve|anders dan)",
        denying=r"tenzij|"
        r"zonder|weiger\w*|geannuleer\w*|afgewezen|afgezegd|ontbre\w*|in plaats|ongetekend|onbetaald|wijst"
        r"|wacht\w*|openstaand\w*"
        r"|uitverkocht|verlaten|pas (?:als|wanneer|na)",
        condition=r"als|indien|mits|zodra|tenzij|zolang|alleen als|afhank\w*|hangt",
        conditional=r"wanneer|nadat|na|voorwaarde\w*",
        doubt=r"misschien|waarschijnlijk|wellicht|mogelijk|eventueel|hopelijk|zou kunnen"
        r"|blijkbaar|schijnbaar|naar verluidt|het schijnt"
        r"|(?:vrij|bijna|redelijk) zeker|naar verwachting",
        doubtful=r"kan|kunnen|zou\w*|overweeg\w*|denk\w*|hoop\w*|hopen|mogelijk\w*|optie|onzeker",
        asking=r"vra\w*|of|wil\w*|weten|verzoek\w*|onduidelijk"
        r"|moet\w*",
        future=r"zal|zullen|gaat|gaan",
        planned=r"alstublieft|alsjeblieft|graag|"
        r"plan\w*|belo\w*|moet\w*|wil\w*|toegezegd|zegt|uiterlijk|voor|beslo\w*|bied\w*|aangeboden"
        r"|gepland\w*|afgesproken|overeengekomen"
        r"|morgen|overmorgen|volgende? (?:week|maand|jaar)",
        done=r"(?:heeft|hebben|had|is|zijn|werd|werden|was)(?: [\w.,'€%-]+){0,9}? (?:\w*ge\w+(?:d|t|en)|(?:be"
        r"|ver|onder)\w+(?:d|t|en))",
        universal=r"altijd|uitsluitend|onmiddellijk|unaniem",
        accepts=r"geaccepteerd|aanvaard\w*|goedgekeurd|akkoord",
        refuses=r"weiger\w*|afgewezen|wijst af",
    ),
}
#: Past tenses right behind a name or a pronoun: "Mara booked the room".
_PAST: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(
        r"(?:^|[^\w])(?:[A-Z][\w'-]+|I|we|he|she|they|We|He|She|They)(?: already| just| both)? (?P<verb>\w{2,}ed"
        r"|sent|paid|built|bought|sold|made"
        r"|gave|went|met|held|left|wrote|brought|took|began|won|lost)\b"
    ),
    # Not "die bezahlte Rechnung", "de betaalde factuur".
    "de": re.compile(
        r"\b(?!(?:D(?:ie|er|as|iese\w*)|Eine?|Alle|Unsere?|Meine?|Jede\w*)\b)[A-ZÄÖÜ][\w'-]+ (?P<verb>(?:be)?zahlte"
        r"|\w*schickte|(?:be)?lieferte|(?:ver)?kaufte|(?:ver)?mietete|buchte|machte|\w{3,}ierte|erledigte|stellte"
        r"|(?:über)?gab|(?:unter)?schrieb|überwies|brachte|verschob)\b"
    ),
    "nl": re.compile(
        r"\b(?:(?!(?:D(?:e|eze|ie)|Het|Een|Alle|Onze|Mijn)\b)[A-Z][\w'-]+|(?i:de|het) \w+[^\We]) (?P<verb>betaalde"
        r"|\w*stuurde|(?:onder)?tekende|leverde|(?:ver)?huurde|boekte|maakte|regelde|gaf|schreef|bracht|(?:ver)?kocht)\b"
    ),
}
#: What these words say is not that a thing is done.
_SAYING: Final = re.compile(
    r"(?:promis|ask|agree|decid|plan|offer|propos|announc|confirm|request|want|need|expect|claim|mention|warn|remind"
    r"|explain|stat|report|suggest|intend|hop|commit|invit|add|repeat|estimat|note|schedul|believ|assum)\w*"
)
_NOTHING: Final = Modality(False, False, False, False, False, False, False, False, False, False, False, frozenset())
#: The month, and not the verb: "on 3 May", "by May".
_MAY: Final = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?(?: of)? may\b|\bmay,? \d{1,4}(?:st|nd|rd|th)?\b"
    r"|\b(?:in|of|by|since|until|till|from|before|after|during|early|late|mid|this|next|last|for) may\b"
)
_QUESTION: Final = re.compile(r"\?")
#: Names that end as a French verb of the future does: "Rivera".
_LIKE_FUTURE: Final = re.compile(r"\b[A-ZÀ-Þ]\w*ra\b")
#: (words of asking, words that begin what is asked).
_INDIRECT: Final[Mapping[str, tuple[str, str]]] = {
    "en": (r"ask\w*|know|wonder\w*|check|unclear|unsure|sure|see", "if|whether"),
    "de": (r"frag\w*|wissen|weiß|klär\w*|prüf\w*|unklar|sicher", "ob"),
    "fr": (r"demand\w*|savoir|sais|vérifi\w*", "si"),
    "es": (r"pregunt\w*|saber|sé|comprob\w*", "si"),
    "pt": (r"pergunt\w*|saber|sei|verific\w*", "se"),
    "it": (r"chied\w*|sapere|so|verific\w*", "se"),
    "nl": (r"vra\w*|weten|weet|check\w*", "of"),
}


def read(text: str, language: str) -> Modality:
    """What the words of a text show; nothing where the language has no table."""
    known = languages.get(language)
    if known is None:
        return _NOTHING
    code, folded = known.code, fold(text)
    folded = _MAY.sub(" ", folded) if code == "en" else folded
    patterns = _patterns(code)
    plain = patterns["harmless"].sub(" ", folded)
    tokens = set(re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*", plain))
    tokens |= {part for token in tokens for part in token.split("'")}
    negated = bool(tokens & known.negation) or bool(code == "en" and re.search(r"n't\b", plain))
    tensed = fold(_LIKE_FUTURE.sub(" ", text))
    matched = {
        name: bool(pattern.search(tensed if name in ("future", "done") else folded))
        for name, pattern in patterns.items()
    }
    done = matched["done"]
    if code in _PAST and not done:
        done = any(not _SAYING.fullmatch(match["verb"]) for match in _PAST[code].finditer(text))
    return Modality(
        negated=negated,
        denying=matched["denying"],
        condition=matched["condition"],
        conditional=matched["condition"] or matched["conditional"],
        doubt=matched["doubt"],
        doubtful=matched["doubt"] or matched["doubtful"],
        question=bool(_QUESTION.search(text)),
        asking=bool(_QUESTION.search(text)) or matched["asking"],
        future=matched["future"],
        planned=matched["future"] or _is_planned(patterns["planned"].finditer(folded), done),
        done=done,
        universal=frozenset(match[0] for match in patterns["universal"].finditer(folded)),
        accepts=matched["accepts"],
        refuses=matched["refuses"],
    )


def _is_planned(matches: Iterable[re.Match[str]], done: bool) -> bool:
    """ "Avant vendredi" is of a plan in "à payer avant vendredi", and not in "a payé avant vendredi"."""
    return any(not done or match[0] not in _BOUNDS for match in matches)


_BOUNDS: Final = frozenset({"vor", "bis", "avant", "antes", "até", "entro", "voor", "uiterlijk"})


def denies_denial(text: str, language: str) -> bool:
    """ "Nobody cancelled the launch", "wurde nicht abgelehnt": a negation stands before what says no by itself."""
    known = languages.get(language)
    if known is None:
        return False
    words = _WORDS.findall(fold(text))
    denying = _patterns(known.code)["denying"]
    places = [n for n, word in enumerate(words) if word in known.negation or word.endswith("n't")]
    return any(
        known.subordinate.isdisjoint(words[place + 1 : end]) and denying.fullmatch(words[end]) is not None
        for place in places
        for end in range(place + 1, min(place + 1 + _NEAR, len(words)))
    )


#: What denies the one word behind it, where it is no negation of a sentence: "livraison non comprise".
_DENIES_A_WORD: Final[Mapping[str, frozenset[str]]] = {"fr": frozenset({"non"})}


def around_negation(text: str, language: str) -> tuple[str, str] | None:
    """What stands before and behind the first negation of a clause, folded; None where nothing is negated."""
    known = languages.get(language)
    if known is None:
        return None
    plain = _patterns(known.code)["harmless"].sub(" ", fold(text))
    for word in _WORDS.finditer(plain):
        parts = {word[0], *word[0].split("'")}
        if parts & (known.negation | _DENIES_A_WORD.get(known.code, frozenset())) or (
            known.code == "en" and word[0].endswith("n't")
        ):
            # "n'est" is a negation and the verb that it denies.
            inside = "" if known.code == "en" else word[0].partition("'")[2]
            return plain[: word.start()], f"{inside} {plain[word.end() :]}"
    return None


def denials(text: str, language: str) -> frozenset[str]:
    """The words of a text that say no without "not"."""
    known = languages.get(language)
    matches = _patterns(known.code)["denying"].finditer(fold(text)) if known else ()
    return frozenset(match[0] for match in matches)


_WORDS: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
#: So many words behind a negation it still denies the word that it stands before.
_NEAR: Final = 5


def is_indirect_question(text: str, language: str) -> bool:
    """ "Anna wants to know if": a word of asking, and what begins that which is asked."""
    known = languages.get(language)
    return known is not None and bool(_indirect(known.code).search(fold(text)))


@cache
def _indirect(code: str) -> re.Pattern[str]:
    asking, begin = _INDIRECT[code]
    return re.compile(rf"\b(?:{asking})\b[^.;]{{0,20}}\b(?:{begin})\b")


@cache
def _patterns(code: str) -> Mapping[str, re.Pattern[str]]:
    table = _TABLES[code]
    return {
        name: re.compile(rf"{_before(code, name)}(?:{expression})(?!\w)") if expression else re.compile(r"(?!)")
        for name, expression in table._asdict().items()
    }


def _before(code: str, name: str) -> str:
    """What may not stand before an expression; "l'" may before a verb: "l'a payé", "l'ha pagato"."""
    return r"(?<!\w)" if code in ("fr", "it") and name in ("future", "done") else r"(?<![\w'])"
