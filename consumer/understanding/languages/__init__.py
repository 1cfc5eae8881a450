"""Tables of words, one module a language. They hold no code; a language that is not here says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Final

from consumer.understanding.languages import de, en, es, fr, it, nl, pt
from consumer.understanding.languages.words import DateWords, Verb, Words

LANGUAGES: Final[dict[str, Words]] = {each.WORDS.code: each.WORDS for each in (en, de, fr, es, pt, it, nl)}
_WORD: Final = re.compile(r"[^\W\d_]+")
#: "ci-joint" counts as itself besides its parts. Only from the start of a word, or a long one would be read from each
#: of its letters.
_COMPOUND: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]+(?:-[^\W\d_]+)+")
#: By so many small words a language must lead to be the text's without a look at other words.
_LEAD: Final = 2
#: A text of more words has a small one in any language.
_FEW: Final = 6

__all__ = ["LANGUAGES", "DateWords", "Verb", "Words", "get", "guess", "is_month"]


def get(language: str) -> Words | None:
    """The table of ``de`` or ``de-AT``; None where there is none."""
    return LANGUAGES.get(language[:2].lower()) if language else None


def guess(folded: str) -> str:
    """The language whose small words the text uses most; "" where that is none, or not one.

    A short text has few of them, and neighbours share those ("die", "de"): there every word of a table counts. So it
    does in an answer of a few words that has none: "Never mind", "photos attached".
    """
    used = set(_parts(folded))
    counts = sorted(((len(used & words.common), code) for code, words in LANGUAGES.items()), reverse=True)
    if counts[0][0] == 0 and len(used) > _FEW:
        return ""
    if counts[0][0] - counts[1][0] < _LEAD:
        some = counts[0][0] > 0
        counts = sorted(
            (
                (count + len(used & _vocabulary(code)), code)
                for count, code in counts
                if count or not some or len(used) <= _FEW
            ),
            reverse=True,
        )
    best, second = counts[0], counts[1] if len(counts) > 1 else (0, "")
    return best[1] if best[0] > second[0] else ""


def _parts(text: str) -> Iterator[str]:
    yield from _WORD.findall(text)
    yield from _COMPOUND.findall(text)


@cache
def _vocabulary(code: str) -> frozenset[str]:
    """Every word in the tables of a language."""
    return frozenset(word for text in _texts(LANGUAGES[code]) for word in _parts(text.lower()))


def _texts(table: object) -> Iterator[str]:
    if isinstance(table, str):
        yield table
    elif isinstance(table, Mapping):
        # A word that is the value of another one is a name of ours, and in no language: "price".
        yield from (
            text
            for key, value in table.items()
            for part in (key, value)
            if part is key or not isinstance(part, str)
            for text in _texts(part)
        )
    elif is_dataclass(table):
        yield from (text for field in fields(table) for text in _texts(getattr(table, field.name)))
    elif isinstance(table, Iterable):
        yield from (text for part in table for text in _texts(part))


def is_month(word: str) -> bool:
    return word.lower().strip(".,;:!?") in _months()


@cache
def _months() -> frozenset[str]:
    return frozenset(name for words in LANGUAGES.values() for name in words.dates.months)
