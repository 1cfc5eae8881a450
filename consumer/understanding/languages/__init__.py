"""Tables of words, one module a language. They hold no code; a language that is not here says nothing."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from consumer.understanding.languages import de, en, es, fr, it, nl, pt
from consumer.understanding.languages.words import DateWords, Verb, Words

LANGUAGES: Final[dict[str, Words]] = {each.WORDS.code: each.WORDS for each in (en, de, fr, es, pt, it, nl)}
_WORD: Final = re.compile(r"[^\W\d_]+")

__all__ = ["LANGUAGES", "DateWords", "Verb", "Words", "get", "guess", "is_month"]


def get(language: str) -> Words | None:
    """The table of ``de`` or ``de-AT``; None where there is none."""
    return LANGUAGES.get(language[:2].lower()) if language else None


def guess(folded: str) -> str:
    """The language whose small words the text uses most; "" where that is none, or not one."""
    used = set(_WORD.findall(folded))
    counts = sorted(((len(used & words.common), code) for code, words in LANGUAGES.items()), reverse=True)
    best, second = counts[0], counts[1]
    return best[1] if best[0] > second[0] else ""


def is_month(word: str) -> bool:
    return word.lower().strip(".,;:!?") in _months()


@cache
def _months() -> frozenset[str]:
    return frozenset(name for words in LANGUAGES.values() for name in words.dates.months)
