"""
Words that a question lacks and that passages which answer it share (pseudo relevance feedback).

An answer that is spread over several sessions is told in other words each time. Words that several of the best passages
share, and that few other passages have, lead from one session to the next.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Final

from consumer.evidence.search import words
from consumer.evidence.search.questions import STOP

#: The passages that are read for words: the best of each of so many pages.
PASSAGES: Final = 10
#: A passage is read if its score is at least this share of the best one's.
LEAST_SHARE: Final = 0.3
#: Words that are looked up, and words that count: each is a query to the index.
CANDIDATES: Final = 100
TERMS: Final = 40
#: A word in fewer than so many passages, each weighed by its score, is the passage's own.
_LEAST_SHARED: Final = 1.5
#: A word that a larger share of all passages has leads nowhere. Their number bounds what a question costs.
MOST_SHARE: Final = 0.3
MOST_PASSAGES: Final = 250
_LEAST_LETTERS: Final = 4


def candidates(texts: Iterable[tuple[float, str]], known: Collection[str]) -> list[tuple[str, float]]:
    """(word, how much of the answer shares it), the most shared first.

    ``texts``: the answer's passages, each with its score as a share of the best one's. ``known``: words that are left
    out, as the question's own.
    """
    shared: dict[str, float] = defaultdict(float)
    for share, text in texts:
        if share < LEAST_SHARE:
            continue
        for word in set(words.words(text)):
            if len(word) >= _LEAST_LETTERS and word not in STOP and word not in known:
                shared[word] += share
    several = ((word, value) for word, value in shared.items() if value >= _LEAST_SHARED)
    return heapq.nsmallest(CANDIDATES, several, key=lambda pair: (-pair[1], pair[0]))
