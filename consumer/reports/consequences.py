"""
What happens if a promise is not kept, where the same record says so beside it: "Otherwise the furnace slot lapses."

Only a sentence right beside the promise counts: further away it may speak of anything. Tables of words, no model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from consumer.reports import citations

#: Longer sentences say more than a consequence.
SENTENCE_CHARS: Final = 160
#: Words by which a sentence says that something ends or costs.
_ENDS: Final = (
    r"laps(?:e|es|ing)|expir(?:e|es|ing)|forfeit(?:s|ed)?|late fee|penalt(?:y|ies)|we lose|we would lose|you lose|"
    r"verfällt|verfallen|läuft ab|erlischt|vertragsstrafe|mahngebühr|expire|périme|pénalit\w+|on perd|nous perdons|"
    r"caduca|vence el|penalización|perdemos|perdiamo|scade|decade|penale|caduca|multa|vervalt|verloopt|boete"
)
#: What a sentence begins with that says what follows if the one before it does not come true.
_BEGINS: Final = re.compile(
    r"^(?:and |but |und |et |y |e |en )?(?:"
    + "|".join(
        re.escape(words)
        for words in (
            *("otherwise", "or else", "if not", "if we miss", "if you miss", "without it", "without that"),
            *("failing that", "sonst", "andernfalls", "ansonsten", "wenn nicht", "falls nicht", "sinon", "à défaut"),
            *("sans cela", "si no", "de lo contrario", "en caso contrario", "caso contrário", "senão", "se não"),
            *("altrimenti", "in caso contrario", "zo niet", "zoniet", "anders"),
        )
    )
    + r")\b",
    re.IGNORECASE,
)
_COSTS: Final = re.compile(rf"(?<!\w)(?:{_ENDS})(?!\w)", re.IGNORECASE)
_DENIES: Final = re.compile(
    r"(?<!\w)(?:not|never|no|n't|won't|doesn't|nicht|kein\w*|nie|ne|pas|jamais|nunca|não|non|mai|niet|geen|nooit)(?!\w)",
    re.IGNORECASE,
)


def beside(quote: str, statements: Sequence[str]) -> str:
    """The sentence that says what follows from not doing what ``quote`` says; "" where the record says nothing.

    ``statements``: the sentences of the record, in order.
    """
    wanted = citations.normalize(quote)
    at = next((number for number, text in enumerate(statements) if wanted in citations.normalize(text)), None)
    if at is None:
        return ""
    following = statements[at + 1] if at + 1 < len(statements) else ""
    if _fits(following) and (_BEGINS.match(following) or _costs(following)):
        return following
    before = statements[at - 1] if at else ""
    return before if _fits(before) and _costs(before) and not _BEGINS.match(before) else ""


def _fits(sentence: str) -> bool:
    return bool(sentence) and len(sentence) <= SENTENCE_CHARS and not sentence.endswith("?")


def _costs(sentence: str) -> bool:
    return bool(_COSTS.search(sentence)) and not _DENIES.search(sentence)
