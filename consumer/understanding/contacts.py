"""Calls, visits, answers and payments on a day: "please call me tomorrow", "I'll get back to you by Friday"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from consumer.understanding import phrases
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.statements import Due


class Contact(NamedTuple):
    """``act``: the verb and whom it is for, "call me"."""

    act: str
    due: Due


def asked(reading: SentenceReading) -> Contact | None:
    """What a sentence of one author asks its reader to do on a day; None for every other sentence."""
    return _contact(reading, _ASKED)


def promised(reading: SentenceReading) -> Contact | None:
    """What a sentence of one author promises its reader to do on a day; None for every other sentence."""
    return None if reading.is_question else _contact(reading, _PROMISED)


def is_contact(act: str) -> bool:
    """Whether this is an act after which nobody writes that it is done: a call, a visit, a message."""
    return _CALLS.match(act.casefold()) is not None or is_answer(act)


def is_answer(act: str) -> bool:
    """Whether any message does it: "get back to you", "let you know"."""
    return _ANSWERS.match(act.casefold()) is not None


def _contact(reading: SentenceReading, patterns: Mapping[str, re.Pattern[str]]) -> Contact | None:
    w, hits = reading.lexicon.words, reading.coming
    if len(hits) != 1 or hits[0].due is None or w.code not in patterns:
        return None
    # "By Friday with any questions" asks only who has some.
    if reading.condition or reading.quoted or not (w.hedges | w.help).isdisjoint(reading.words):
        return None
    hit = reading.match(patterns[w.code], reading.begin)
    if hit is None or phrases.denies(reading, reading.begin, len(reading.words)):
        return None
    first, end = hit.span(hit.match.lastgroup or "act")
    return Contact(reading.slice(first, end - 1), hits[0].due)


_CALLS: Final = re.compile(
    r"(?:(?:call|phone|ring|visit|meet|meet with|pick|join|remind) (?:me|us|you)(?: up| back| there)?"
    r"|give (?:me|us|you) a (?:call|ring)|(?:come|stop|drop) (?:by|over|round)|come to (?:the|your|our) \w+"
    r"|(?:ruf|rufe|rufen|hole|holen)(?: \w+)? (?:mich|uns|dich|sie|euch)|\w+ (?:du|sie) (?:mich|uns|dich|sich)"
    r"|(?:r?appelle|r?appelez)-?(?:moi|nous)|(?:te|vous|t) ?r?appel\w+|ll[aá]m\w+|(?:te|le|os|les) llam\w+)$"
)
_ANSWERS: Final = re.compile(
    r"(?:get back to you|let you know|be in touch|circle back|follow up|give you an answer|reply|respond|answer|confirm"
    r"|(?:text|e-?mail|write|write to|message|contact|answer|reply to|respond to) (?:me|us|you)(?: back)?"
    r"|meld\w+(?: \w+)? (?:dich|sich|euch|mich|uns)|(?:gebe|geben|sage|sagen)(?: \w+)? (?:dir|ihnen|euch)"
    r"|(?:te|vous|t) ?(?:recontact\w+|répond\w+|dirai|tien\w+ au courant|confirm\w+)"
    r"|avís\w+|respónd\w+|(?:te|le|os|les) (?:avis\w+|respond\w+|confirm\w+|digo|diré))$"
)
#: What may precede: "ok, so ...".
_FRONT: Final = (
    r"(?:(?:ok|okay|yes|sure|thanks|great|perfect|so|and|then|fine|alright|also|ja|gut|danke|dann|und|oui|merci|et"
    r"|alors|sí|vale|gracias|y|entonces) ,? ?)*"
)
_ASKED: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(_FRONT + asked)
    for code, asked in {
        "en": r"(?:(?:(?:can|could|would|will) you |please |pls |kindly |just )*"
        r"(?P<act>(?:call|phone|ring|text|e-?mail|write to|message|contact|meet|visit|pick) (?:me|us)(?: up)?"
        r"|give (?:me|us) a (?:call|ring)|pay (?:me|us)(?: back)?)\b"
        r"|(?:(?:can|could|would|will) you |please |pls |kindly |just )+"
        r"(?P<bare_act>(?:come|stop|drop) (?:by|over|round)"
        r"|(?:sign|review|reply|respond|answer|send|return|pay|confirm)"
        r"(?: and (?:sign|return|send|reply|comment|confirm|pay))?)(?= (?:it |them |this )?"
        r"(?:by|before|on|no later|until|tomorrow|today|tonight|this|next)\b))",
        "de": r"(?:bitte )?(?P<act>(?:ruf|rufen sie|ruft) (?:mich|uns)|(?:melde dich|melden sie sich|meldet euch)"
        r"|(?:kannst|könntest|können|könnten) (?:du|sie) (?:mich|uns|dich|sich)"
        r"(?= .*(?:anrufen|zurückrufen|melden|abholen)\b))\b",
        "fr": r"(?P<act>(?:rappelle|appelle|rappelez|appelez)-?(?:moi|nous)"
        r"|(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous) (?:me|nous|m) ?"
        r"(?:rappeler|appeler|rembourser|répondre))\b",
        "es": r"¿? ?(?:por favor ,? ?)?(?P<act>llámame|llámeme|llámanos|avísame|avíseme|respóndeme"
        r"|(?:puedes|puede|podrías|podría) (?:llamarme|avisarme|responderme|llamarnos))\b",
    }.items()
}
_PROMISED: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(_FRONT + promised)
    for code, promised in {
        "en": r"(?:(?:i|we)(?:'ll| will|'m going to|'re going to| am going to| are going to)|will)"
        r"(?: then| also| definitely| certainly| just)* "
        r"(?P<act>(?:call|phone|ring|text|e-?mail|write|write to|message|contact|visit|pay|reimburse|answer|reply to"
        r"|respond to|remind|join|meet|meet with|pick) you(?: back| up| there)?|get back to you|let you know"
        r"|be in touch|circle back|follow up|give you (?:a|an) (?:call|ring|answer)"
        r"|(?:come|stop|drop) (?:by|over|round)|come to (?:the|your|our) \w+"
        r"|(?:transfer|wire|send|pay|give|lend) you \S*\d\S*)\b",
        "de": r"(?:(?:ich|wir) )?(?P<act>(?:melde|melden) (?:ich |wir )?(?:mich|uns)"
        r"|(?:rufe?|rufen|hole?|holen|bezahle|zahle|zahlen|überweise|überweisen|gebe|geben|sage|sagen) "
        r"(?:ich |wir )?(?:dich|dir|sie|ihnen|euch)(?= .*(?:an|zurück|ab|bescheid|euro)\b))",
        "fr": r"(?:je|nous) (?P<act>(?:te|vous|t) ?(?:rappelle|rappellerai|rappelons|appelle|appellerai|recontacte"
        r"|recontacterai|rembourse|rembourserai|réponds|répondrai|dirai|tiens au courant|tiendrai au courant"
        r"|confirmerai))\b",
        "es": r"(?P<act>(?:te|le|os|les) (?:llamo|llamaré|llamamos|aviso|avisaré|avisamos|respondo|responderé"
        r"|confirmaré|digo|diré|pago|pagaré|devuelvo el dinero|devolveré el dinero))\b",
    }.items()
}
