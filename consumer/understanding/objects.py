"""Whether two descriptions speak of the same thing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?", re.UNICODE)
#: Words that tell no thing from another.
_EMPTY: Final = frozenset(
    [
        *("a", "an", "and", "at", "by", "for", "from", "her", "him", "his", "in", "it", "its", "me", "my", "of", "on"),
        *("our", "please", "the", "their", "them", "this", "that", "to", "us", "with", "you", "your"),
    ]
)


@lru_cache(maxsize=65536)
def words(text: str) -> frozenset[str]:
    """The words that tell what a text is about."""
    folded = "".join(sign for sign in unicodedata.normalize("NFKD", text).casefold() if not unicodedata.combining(sign))
    return frozenset(_WORD.findall(folded)) - _EMPTY


def identical(one: str, other: str) -> bool:
    """Whether both name the same thing in the same detail."""
    return bool(words(one)) and words(one) == words(other)


def compatible(one: str, other: str) -> bool:
    """Whether one may be a shorter name of the other."""
    first, second = words(one), words(other)
    return bool(first and second) and (first <= second or second <= first)
