"""What a sentence is about before it says what is done: "Contract: I'll send it", "as for the contract, ..."."""

from __future__ import annotations

import re
from typing import Final

from consumer.understanding import phrases
from consumer.understanding.grammar import SentenceReading

#: Words before the sign that ends a topic.
_LONGEST: Final = 7


def named(reading: SentenceReading) -> str:
    """The thing that stands in front, to which "it" points; "" for none."""
    words = reading.words
    end = next((n for n, word in enumerate(words[: _LONGEST + 1]) if word in _ENDS), 0)
    if not end:
        return ""
    front = " ".join(words[:end])
    match = _ABOUT.match(front) or _LEAVES.match(front)
    if match is None and words[end] != ":":
        return ""
    first = len(match[0].split()) if match else 0
    last = end - 2 if match and _LEAVES.match(front) else end
    w = reading.lexicon.words
    if not {*w.subjects}.isdisjoint(words[first:last]) or w.fronting.union(_MARKS).issuperset(words[first:last]):
        return ""
    item = phrases.find(reading, first, last)
    return item.text if item.text and item.last == last - 1 else ""


#: What stands before a colon and names nothing.
_MARKS: Final = frozenset({"ps", "fyi", "nb", "btw", "p.s", "info", "note", "hinweis", "nota", "remarque"})
_ENDS: Final = frozenset({":", ",", "-", "\u2013", "\u2014"})
_ABOUT: Final = re.compile(
    r"(?:about|re|regarding|concerning|as for|as to|on|zum|zur|zu|bezüglich|betreffend|was|wegen|quant à|quant au"
    r"|quant aux|concernant|pour|en cuanto a|en cuanto al|respecto a|respecto al|sobre|quanto a|quanto ao|quanto à"
    r"|quanto al|quanto alla|per|riguardo a|riguardo al|wat|over|betreffende)(?= )"
)
_LEAVES: Final = re.compile(r"leave(?= .+ (?:to|with) me$)")
