"""Signs that words of a chat are over with the chat: what is done at once, for oneself, or said with a laugh."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table


def is_at_once(reading: SentenceReading, first: int, end: int) -> bool:
    """Whether words say that it is done now, or in minutes: "right now", "in a sec", "gleich", "dans 5 min"."""
    pattern = _AT_ONCE[reading.lexicon.words.code]
    return pattern.search(" ".join(reading.words[first:end])) is not None


_MINUTES: Final = r"(?:\w+ )?\w+ (?:min|mins|minute|minutes|minuten|minuto|minutos|minuti|secs?|seconds?|sek|sekunden)"
_AT_ONCE: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(rf"\b(?:{words})(?!\S)")
    for code, words in {
        "en": r"(?<!from )(?<!for )(?<!by )(?<!until )now(?! that| on)|rn|right away|straight away|immediately"
        rf"|in (?:just )?an? (?:sec|second|min|minute|moment|mo|bit|jiffy|flash)|in a few|in {_MINUTES}|a sec",
        "de": rf"jetzt|sofort|gleich|in {_MINUTES}|in einem moment",
        "fr": rf"maintenant|tout de suite|dans {_MINUTES}|dans un instant",
        "es": rf"ahora(?: mismo)?|enseguida|en {_MINUTES}|en un momento",
        "pt": rf"agora|imediatamente|em {_MINUTES}|daqui a {_MINUTES}",
        "it": rf"adesso|subito|tra {_MINUTES}|fra {_MINUTES}",
        "nl": rf"nu|meteen|over {_MINUTES}|in {_MINUTES}",
    }.items()
}


def is_laughing(text: str) -> bool:
    return _LAUGHING.search(text) is not None


_LAUGHING: Final = re.compile(
    r"\b(?:(?:[hj]a){2,}h?|(?:he){3,}|lol+|lmao|rofl|xd+)\b|[\U0001f602\U0001f923\U0001f61c\U0001f61d\U0001f92a]",
    re.IGNORECASE,
)


def is_own(reading: SentenceReading, first: int) -> bool:
    """English: whether the thing is the author's own: "my passport"."""
    return "my" in reading.words[max(0, first - 2) : first + 1]


def is_known(reading: SentenceReading, first: int) -> bool:
    """Whether the thing is somebody or something with a name, or pointed to: "Sam", "this offer", "both tickets"."""
    words = reading.words[max(0, first - 1) : first + 1]
    return reading.capital(first) or any(word[:1].isdigit() or word in _POINTING for word in words)


_POINTING: Final = table("this that these those both all his her him them their everything everyone everybody")
