"""Signs that words of a chat are over with the chat: what is done at once, for oneself, or said with a laugh."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from consumer.understanding.grammar import SentenceReading


def is_at_once(reading: SentenceReading, clause: Sequence[str]) -> bool:
    """Whether words say that it is done now, or in minutes: "right now", "in a sec", "gleich", "dans 5 min"."""
    waits = _WAIT.match(" ".join(reading.words))
    return waits is not None or _AT_ONCE[reading.lexicon.words.code].search(" ".join(clause)) is not None


_WAIT: Final = re.compile(
    r"(?:ok |okay |oh |, )*(?:wait|hold on|hang on|(?:one|just a|just one|a|give me a) (?:sec|second|min|minute|moment)"
    r"|warte|moment|sekunde|attends|attendez|une seconde|un instant|espera|un segundo|um segundo|um momento|aspetta"
    r"|un attimo|un secondo|wacht)\b"
)
_MINUTES: Final = r"(?:\w+ )?\w+ (?:min|mins|minute|minutes|minuten|minuto|minutos|minuti|secs?|seconds?|sek|sekunden)"
_AT_ONCE: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(rf"\b(?:{words})(?!\S)")
    for code, words in {
        "en": r"(?<!for )(?<!by )(?<!until )now(?! that)|rn|right away|straight away|immediately"
        rf"|in (?:just )?an? (?:sec|second|min|minute|moment|mo|bit|jiffy|flash)|in a few|in {_MINUTES}"
        r"|in (?:the|my) next (?:text|message|mail|email)"
        r"|(?:with)?in (?:about |like |half )?(?:an|one|a couple of|a few|two|three|[123]) hours?|a sec",
        "de": rf"jetzt|sofort|gleich|in {_MINUTES}|in einem moment",
        "fr": rf"maintenant|tout de suite|dans {_MINUTES}|dans un instant",
        "es": rf"ahora(?: mismo)?|enseguida|en {_MINUTES}|en un momento",
        "pt": rf"agora|imediatamente|em {_MINUTES}|daqui a {_MINUTES}",
        "it": rf"adesso|subito|tra {_MINUTES}|fra {_MINUTES}",
        "nl": rf"nu|meteen|over {_MINUTES}|in {_MINUTES}",
    }.items()
}


def is_aside(text: str) -> bool:
    """Whether a sentence promises nothing in earnest ("I'll give you all you want"), or only what it says ("I will
    tell you that we are careful").
    """
    words = " ".join(text.split())
    return any(sign.search(words) for sign in (_SAYS_NOW, _ALL_YOU_WANT, _CREDIT, _BET, _OTHERWISE))


_SAYS_NOW: Final = re.compile(
    r"\b(?:(?:i|we)['\u2019]ll|(?:i|we) will)(?: \w+){0,2} tell you"
    r"(?: that (?!tomorrow\b|tonight\b|on\b|by\b|when\b|later\b)\w| this:| what[:,])",
    re.IGNORECASE,
)
_ALL_YOU_WANT: Final = re.compile(
    r"\b(?:give|bring|tell|get|show) you (?:all|everything|anything|whatever) (?:that )?you(?:'d| would)? "
    r"(?:want|like|wish)\W*\Z",
    re.IGNORECASE,
)


#: "I will give you credit for that", "the benefit of the doubt": the words give it.
_CREDIT: Final = re.compile(
    r"\b(?:give|grant) (?:you|him|her|them) (?:(?:some|full|that|a lot of) )?"
    r"(?:credit(?! (?:note|voucher|card)s?\b)|the benefit of the doubt)\b",
    re.IGNORECASE,
)

#: "I'll pick the Sharks to win on Sunday", "I'll give you my first pick, you give me yours".
_BET: Final = re.compile(
    r"\b(?:pick|back|take) (?:\S+ ){1,5}to (?:win|lose|beat)\b|\bgive you\b[^.;]*,\s*(?:and |if |then )?you give me\b",
    re.IGNORECASE,
)


#: Only if no answer comes: "otherwise, I'll ask Tom".
_OTHERWISE: Final = re.compile(
    r"\A\W*(?:or )?(?:otherwise,? (?:i|we)\b|(?:sonst|anders),? \w+ (?:ich|wir|ik|we)\b|sinon,? (?:je|j|nous|on)\b"
    r"|(?:altrimenti|de lo contrario|caso contrário),? (?!tutto|todo|tudo)\w)",
    re.IGNORECASE,
)


def is_laughing(text: str) -> bool:
    return _LAUGHING.search(text) is not None


_LAUGHING: Final = re.compile(
    r"\b(?:(?:[hj]a){2,}h?|(?:he){3,}|lol+|lmao|rofl|xd+)\b|[\U0001f602\U0001f923\U0001f61c\U0001f61d\U0001f92a]",
    re.IGNORECASE,
)


def is_own(reading: SentenceReading, first: int) -> bool:
    """English: whether the thing is the author's own: "my passport"."""
    return "my" in reading.words[max(0, first - 2) : first + 1]


def names_nothing(thing: str) -> bool:
    """Whether a thing is only pointed to, or left open: "it", "something", "whatever", "home"."""
    return _OPEN.fullmatch(thing.casefold()) is not None


_OPEN: Final = re.compile(
    r"(?:(?:it|them|that|this|those|these|ones?|some|something|anything|everything|nothing|same|stuff|things?|whatever|home"
    r"|more|somehow|me|mine|us|you|guys|new|nice|couple|few|es|das|etwas|alles|was|ça|cela|tout|quelque chose"
    r"|eso|esto|algo|todo|isso|isto|tudo|questo|quello|qualcosa|tutto|het|dat|dit|iets"
    r"|la|le|lo|les|los|las|li|m|'t)\b\s*)+(?:or \w+)?"
)
