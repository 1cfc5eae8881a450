"""
Words that a question lacks and that passages which answer it share (pseudo relevance feedback).

An answer that is spread over several sessions is told in other words each time. Words that several of the best passages
share, and that few other passages have, lead from one session to the next.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from consumer.evidence.search import words
from consumer.evidence.search.questions import STOP

#: So many of the answer's first passages are read for words, if they score at least this share of the best one.
PASSAGES: Final = 16
LEAST_SHARE: Final = 0.3
#: Words that count: the passages of each are looked up.
TERMS: Final = 40
#: A word in fewer than so many passages, each weighed by its score, is the passage's own.
_LEAST_SHARED: Final = 1.5
#: A word that a larger share of all passages has leads nowhere. Their number bounds what a question costs.
MOST_SHARE: Final = 0.3
MOST_PASSAGES: Final = 250


def candidates(texts: Iterable[tuple[float, str]], known: Collection[str]) -> dict[str, float]:
    """Word -> how much of the answer shares it.

    ``texts``: the answer's passages, each with its score as a share of the best one's. ``known``: words that are left
    out, as the question's own.
    """
    shared: dict[str, float] = defaultdict(float)
    for share, text in texts:
        for word in set(words.words(text)):
            shared[word] += share
    return {
        word: value
        for word, value in shared.items()
        if value >= _LEAST_SHARED and word not in STOP and word not in known
    }


def leading(
    shared: Mapping[str, float], terms: Mapping[str, str], frequencies: Mapping[str, int], passages: int
) -> list[tuple[float, str]]:
    """(weight, word) of the words that count, one for all words of the same term.

    ``shared``: as ``candidates`` gives it. ``terms``: word -> term. ``frequencies``: term -> how many of all
    ``passages`` have it; words of other terms are left out.
    """
    values: dict[str, float] = defaultdict(float)
    word_of: dict[str, str] = {}
    for word, value in shared.items():
        term = terms[word]
        if term in frequencies:
            values[term] += value
            word_of[term] = min(word, word_of.get(term, word))
    weighed = [(value * math.log(passages / frequencies[term]), word_of[term]) for term, value in values.items()]
    return heapq.nsmallest(TERMS, weighed, key=lambda pair: (-pair[0], pair[1]))
