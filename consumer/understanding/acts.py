"""Requests for an act or an answer, where nothing is handed over: "could you speak at the dinner", "let me know whether
the price works", "we need your comments on the draft".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from consumer.understanding import certainty, objects, phrases, requests
from consumer.understanding.grammar import CLOSING, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.requests import Asking
from consumer.understanding.statements import Due
from consumer.understanding.text import fold


def find(reading: SentenceReading) -> Asking | None:
    """What a written sentence of one author asks of its reader beside what ``requests.ask`` reads."""
    code = reading.lexicon.words.code
    pattern = _OPENINGS.get(code)
    if pattern is None or not may_be(reading) or not _is_meant(reading):
        return None
    place = requests.verb_asked(reading) if code == "en" else None
    if place is None:
        place = reading.begin
    else:
        pattern = _ACTS
    hit = reading.match(pattern, place)
    if hit is None or hit.match.lastindex is None:
        return None
    first, _ = hit.span(hit.match.lastindex)
    last = _last(reading, first)
    if last < first or phrases.denies(reading, place, last + 1):
        return None
    text = reading.slice(first, last)
    is_plain = reading.words[first] not in _QUESTION_WORDS | {"your"}
    if (is_plain and objects.is_idle(text, reading.lexicon.words)) or _VAGUE.search(fold(text)):
        return None
    return Asking(text, _due(reading, first))


def may_be(reading: SentenceReading) -> bool:
    """Whether any word of such a request stands there; cheap, and mostly no."""
    return not _HINTS[reading.lexicon.words.code].isdisjoint(reading.words)


def _is_meant(reading: SentenceReading) -> bool:
    """Whether the sentence is not an offer, an advertisement or somebody else's words."""
    if requests.is_offer(reading) or certainty.is_promotion(reading) or certainty.is_offered_help(reading):
        return False
    return not reading.quoted and requests.ANYBODY.isdisjoint(reading.words)


def _last(reading: SentenceReading, first: int) -> int:
    """The last word of the thing: before a day, a sign or a clause with its own verb."""
    words, w = reading.words, reading.lexicon.words
    last = first
    while (
        last < len(words)
        and words[last] not in CLOSING - {"-", "/"}
        and words[last] != ","
        and last not in reading.dated
        and not (last > first and (words[last] in w.subordinate | w.contrast or reading.is_condition(last)))
    ):
        last += 1
    last -= 1
    while last >= first and words[last] in w.prepositions | w.adverbs:
        last -= 1
    return last


def _due(reading: SentenceReading, first: int) -> Due | None:
    """The day of the act; of "whether the hall is free on Friday", Friday is no day of the answer."""
    hits = reading.coming
    if len(hits) != 1 or hits[0].due is None:
        return None
    asks_whether = reading.words[first] in _QUESTION_WORDS and hits[0].start > reading.tokens[first].start
    return None if asks_whether and hits[0].role != "by" else hits[0].due


def _any_of(*patterns: str) -> re.Pattern[str]:
    """One pattern of several; what the first group of each of them holds is the thing."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_QUESTION_WORDS: Final = table(
    "whether if what which when where who whom ob was wann wer wo welche welcher welches wie si ce quand quel quelle"
)
#: What is to be answered: "whether we may proceed", "what you think of the draft".
_ANSWER: Final = (
    r"((?:whether|if) (?:we|i|you|he|she|they|it|this|that|the|your|our|my|there) .+"
    r"|(?:what|which|when|where|who|whom) .*\byou\b.*|your (?:thoughts|views?|opinion|answer|decision|preference) .+)"
)
_MY_OWN: Final = r"(?:the|a|an|our|my|their|his|her|this|these|your)"
#: From the verb on, after "could you" or "please".
_ACTS: Final = _any_of(
    r"(?:introduce|connect|put) (?:me|us) (?:to|with|in touch with|in contact with) (.+)",
    rf"(?:give|deliver|make|hold|do) ({_MY_OWN} (?:\w+ ){{0,3}}"
    r"(?:talk|keynote|speech|lecture|presentation|workshop|reading|interview|toast|address)\b.*)",
    rf"(?:(?:speak|present|perform|lecture) at|speak to (?=our)) ?({_MY_OWN} .+)",
    r"(?:serve|act|stand) as (.+)",
    rf"(?:join|sit on|serve on|be on|chair) ({_MY_OWN} (?:\w+ ){{0,3}}"
    r"(?:board|panel|committee|jury|team|council|group))\b",
    rf"(?:attend|come to|stop by) ({_MY_OWN} (?:\w+ ){{0,3}}"
    r"(?:meeting|call|hearing|session|review|interview|office|site|house|flat|school|bank|court))\b",
    rf"(?:advise|comment|respond|weigh in|report) (?:on|to|about) ({_MY_OWN} .+)",
    r"(?:advise|confirm|say|tell (?:me|us)|check|find out|see) ((?:whether|if) .+)",
    rf"help (?:me|us)(?: out)? with ({_MY_OWN} .+)",
    r"(?:find|make|take|spare)(?: \w+)? time (?:to|for) (.+)",
    r"(?:vouch|stand in|fill in|cover) for (.+)",
    rf"let (?:me|us) (?:please )?know (?:by (?:\w+ ){{1,3}}?)?{_ANSWER}",
    r"(?:have|get|borrow|see|receive) (a copy of .+)",
)
_ASKED_DE: Final = r"((?:ob|wann|was|welche\w?) .+)"
_ASKED_FR: Final = r"((?:si|ce que|quand|quel\w*) .+)"
#: From the first word on, by language.
_OPENINGS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": _any_of(
        r"let (?:me|us) know ((?:whether|if) (?:you (?:can|could|will|would be|are able|agree|approve"
        r"|accept|want|prefer)"
        r"|we (?:can|could|may|should)|i (?:can|could|may|should)) .+|whether (?:the|this|that) .+)",
        r"let (?:me|us) know (what you (?:think|decide|prefer|want)\b.+|which .*\byou\b.*"
        r"|your (?:thoughts|views?|decision) .+)",
        r"(?:i|we)(?: will|'ll)?(?: still| really| urgently| also)? (?:need|require) (?:to have )?"
        r"(your (?:comments?|approval|signature|feedback|input|answer|decision|confirmation|consent"
        r"|reply|response|advice"
        r"|opinion|help|sign-off|address|number|details) .+|a copy of .+)",
        r"(?:i|we)(?:'d| would)(?: really| very much)? (?:love|like|welcome|appreciate|value) "
        r"(?:to (?:have|hear|get|know) )?(your (?:comments?|feedback|input|thoughts|views?|opinion|advice|help) .+)",
        r"(?:can|could|may|might) (?:i|we) (?:please |also |just )?(?:have|get|borrow|see|receive) (a "
        r"copy of .+|your .+)",
        r"would it be possible (?:for (?:me|us) )?to (?:have|get|receive|see) (.+)",
        r"(?:can|could|may) i trouble you for (.+)",
        r"(?:your (?:comments?|approval|signature|feedback|input|answer|decision|confirmation|consent)) "
        r"(?:is|are) (?:needed|required) (?:on|for) (.+)",
    ),
    "de": _any_of(
        rf"(?:gib|gebt|geben sie) (?:mir|uns) (?:bitte |doch |kurz |gern |gerne )*bescheid ,? ?{_ASKED_DE}",
        r"(?:sag|sagt|sagen sie|schreib|schreiben sie) (?:mir|uns) (?:bitte |doch |kurz |noch )*,? ?"
        rf"{_ASKED_DE}",
        r"(?:kannst|könntest|können|könnten|könnt) (?:du|sie|ihr) (?:mir|uns) (?:bitte |kurz |noch )*"
        rf"(?:sagen|bescheid geben|bescheid sagen|mitteilen|schreiben) ,? ?{_ASKED_DE}",
        rf"(?:lass|lasst|lassen sie) (?:mich|uns) (?:bitte )?wissen ,? ?{_ASKED_DE}",
        r"(?:ich|wir) (?:bräuchten?|brauchen?|benötigen?) (?:bitte |noch |dringend |dafür )*((?:deine?n?"
        r"|ihre?n?|eure?n?) .+)",
        r"(?:ich|wir) (?:wollten?|möchten?) (?:dich |sie |euch |nur |kurz |mal )*fragen ,? ?ob (?:du|sie|ihr) "
        r"(.+ (?:könnte\w*|kannst|können|würde\w*|magst))\b",
        r"(?:ich|wir) würden? (?:mich|uns) (?:sehr )?freuen ,? ?wenn (?:du|sie|ihr) (.+ (?:könnte|würde)\w*)\b",
        r"(?:es )?wäre? (?:es )?(?:sehr |echt |ganz |wirklich )?"
        r"(?:toll|super|schön|nett|lieb|gut|hilfreich|klasse|prima|großartig) ,? ?wenn (?:du|sie|ihr) "
        r"(.+ (?:könnte|würde)\w*)\b",
        r"wäre es möglich ,? ?dass (?:du|sie|ihr) (.+)",
        r"(?:bist du|sind sie|seid ihr) (?:schon )?dazu gekommen ,? ?(.+)",
        r"(?:dürften?|darf|könnten?|kann|möchten?) (?:ich|wir) (?:dich|sie|euch) (?:noch |kurz )?bitten ,? ?(.+)",
        r"(?:ich|wir) (?:bitten?|möchten?) (?:dich|sie|euch) (?:bitten )?,? ?(?!um\b)(.+ (?:zu \w+|\w+zu\w+))",
        r"(?:ich|wir) bitten? (?:dich |sie |euch )?um ((?:deine|ihre|eure|eine|die|den|das) .+|rück\w+ .+|zu\w+ .+)",
    ),
    "fr": _any_of(
        rf"(?:dites|dis|dites-moi|dis-moi|dites-nous|dis-nous) ?(?:moi|nous)? ?{_ASKED_FR}",
        rf"merci de (?:bien vouloir )?(?:me|nous) (?:dire|faire savoir|confirmer|indiquer) {_ASKED_FR}",
        r"(?:pourriez-vous|pouvez-vous|peux-tu|pourrais-tu) (?:me|nous) (?:dire|faire savoir|confirmer|indiquer) "
        rf"{_ASKED_FR}",
        r"(?:je|nous) (?:voulais|voulions|voudrais|voudrions|aimerais|souhaitais) (?:vous|te) demander "
        r"(?:si (?:vous|tu) (?:pouviez|pourriez|pouvais|pourrais)|de) (.+)",
        r"(?:je|nous) (?:vous|te) (?:serais|serait|serions) (?:très )?reconnaissante?s? (?:de|d)(?: bien "
        r"vouloir)? (.+)",
        r"serait-il possible (?:que (?:vous|tu)|d|de) (.+)",
        r"(?:j|nous) (?:aurais|aurions|ai|avons) (?:encore )?besoin de ((?:votre|vos|ta|ton|tes) .+)",
        r"(?:auriez-vous|aurais-tu|as-tu eu|avez-vous eu|avez-vous|as-tu) (?:un peu )?(?:de |le )?temps "
        r"(?:de|d|pour) (.+)",
        r"(?:puis-je|pourrais-je|pourrait-on) (?:vous|te) demander (?:de|d) (.+)",
        r"(?:je|nous) (?:vous|te) (?:prie|prions|demande|demandons) (?:de|d)(?: bien vouloir)? (.+)",
    ),
    "es": _any_of(
        r"(?:quería|queríamos|quisiera|quisiéramos) (?:preguntar|pedir)(?:te|le|os|les) "
        r"(?:si (?:podrías|podría|podríais|puedes|puede)|que) (.+)",
        r"sería posible que (.+)",
        r"(?:necesito|necesitamos|necesitaría|necesitaríamos) ((?:tu|tus|su|sus|vuestra|vuestro) .+)",
        r"sería (?:genial|estupendo|bueno|ideal|fantástico|de gran ayuda) (?:si|que) (?:pudieras|pudiera"
        r"|pudierais) (.+)",
        r"(?:tendrías|tendría|has tenido|ha tenido) (?:un poco de )?tiempo (?:de|para) (.+)",
        r"(?:puedo|podría|podríamos) pedir(?:te|le|os|les) (?:que )?(.+)",
        r"(?:le|te|les|os) (?:ruego|rogamos|pido|pedimos) que (.+)",
        r"(?:haz|haga|hagan) el favor de (.+)",
        r"(?:podrías|podría|puedes|puede) poner(?:me|nos) en contacto con (.+)",
    ),
}
_HINTS: Final[Mapping[str, frozenset[str]]] = {
    "en": table(
        """
        introduce connect touch contact speak present perform lecture serve act join chair attend come stop advise
        comment respond report confirm whether help time talk keynote speech lecture presentation
        workshop reading interview toast address vouch stand fill cover know copy your possible trouble
        """
    ),
    "de": table(
        """
        bescheid sag sagt sagen schreib schreiben wissen brauche brauchen bräuchte bräuchten benötige benötigen
        fragen freuen wenn möglich gekommen bitten bitte
        """
    ),
    "fr": table(
        """
        dites dis dites-moi dis-moi dites-nous dis-nous dire savoir confirmer indiquer demander reconnaissant
        reconnaissante reconnaissants serait-il besoin temps prie prions demande demandons
        """
    ),
    "es": table(
        """
        preguntarte preguntarle preguntaros pedirte pedirle pediros pedirles posible necesito necesitamos
        necesitaría necesitaríamos pudieras pudiera pudierais tiempo ruego rogamos pido pedimos favor contacto
        """
    ),
}
#: What names nothing that could be asked for.
_VAGUE: Final = re.compile(
    r"^(?:if|whether) (?:you (?:need|have questions|want (?:anything|something|more)|have any|see|hear|find"
    r"|notice|spot)|(?:your|their|the|our|his|her|my) (?:\w+ )?(?:change|changes)"
    r"|there|this helps|that helps|anything)\b|^(?:this|that|these|those|it)$"
    r"|\b(?:anything|survey|questionnaire|poll|understanding|patience|attention|cooperation|support"
    r"|verständnis|geduld|nachsicht|entschuldigung|verzeihung|beachtung"
    r"|fragen (?:hast|haben|habt)|\w+ brauch\w+|compréhension|excuser|pardonner|agréer|croire"
    r"|salutations|comprensión|paciencia|saludos?|disculpe\w*|perdone\w*)\b"
)
