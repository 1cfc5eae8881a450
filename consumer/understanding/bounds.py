"""Which numbers of a text are only bounds: "more than 900 euros", "höchstens 40 Gäste"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from consumer.understanding import values
from consumer.understanding.text import fold


def numbers(text: str, language: str) -> Iterator[tuple[Decimal, bool]]:
    """Every number of a text, and whether it is a bound."""
    for match in _NUMBER.finditer(fold(text)):
        amount = values.number(match["number"], language)
        if amount is not None:
            yield amount, match["bound"] is not None


def names_bound(text: str) -> bool:
    """Whether a text says in any words that something is a bound."""
    return _NAMED.search(fold(text)) is not None


#: "Ein Kredit über 900 Euro" is one of 900.
_BOUND: Final = (
    r"more than|over|above|at least|no less than|not less than|upwards of|mehr als|mindestens|plus de|au moins"
    r"|más de|al menos|por lo menos|mais de|pelo menos|no mínimo|più di|oltre|almeno|meer dan|minstens|ten minste"
    r"|less than|fewer than|under|below|at most|up to|no more than|not more than|weniger als|unter|höchstens|maximal"
    r"|bis zu|moins de|au plus|au maximum|menos de|como máximo|no máximo|meno di|al massimo|minder dan|hoogstens"
    r"|maximaal"
)
_NAMED: Final = re.compile(
    rf"\b(?:{_BOUND}|über|cap(?:ped)?|limit\w*|ceiling|max(?:imum|imal\w*)?|min(?:imum|dest\w*)?|obergrenze|plafond|tope"
    r"|teto|tetto|grens|exceed\w*|übersteig\w*|dépass\w*|super\w*|less|more|least|most|bis|hasta|até|fino|tot)\b"
)
_NUMBER: Final = re.compile(
    rf"(?:\b(?P<bound>{_BOUND})\s(?:the |d'|de |di |von |van )?)?(?:[$€£₹]\s?)?"
    # Neither a part of another number, nor an hour or a day.
    r"(?<![\w.,:/-])(?P<number>\d{1,3}(?:[.,'\u2019 ]\d{3})+(?!\d)|\d+(?:[.,]\d{1,2})?)(?![.:/-]?\d)"
)
