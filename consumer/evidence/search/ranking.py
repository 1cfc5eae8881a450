"""
Ranks passages: BM25 over a question's words, then what BM25 cannot know.

    score = (words + names) x share of the named people + a share of the page's and the neighbours' scores
    score x evidence before derived pages x closeness to the days that the question names x recency

Every constant was measured with ``bench.locomo`` on half of its conversations, and checked on the other half and with
``bench.quality``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from consumer.evidence.search.days import DayRange
from consumer.evidence.search.passages import PASSAGE_BITS

#: A name counts once for a passage, as often as it may occur there: in a conversation it stands before every turn.
NAME_WEIGHT: Final = 1.5
#: The share of the score that is left to a passage which concerns nobody of those whom the question names.
UNNAMED_SHARE: Final = 0.3
#: What the best of all passages of the page add for each word: a page about it comes before one that mentions it.
PAGE_SHARE: Final = 0.4
#: What the better neighbour adds: an answer is often given in the turns after the question.
NEIGHBOUR_SHARE: Final = 0.1
#: Pages that repeat evidence come after it for the same words.
DERIVED_SHARE: Final = 0.4
#: A passage of a day that the question names has so many times more.
DAY_WEIGHT: Final = 1.5
#: What recency adds at most, and its half-life.
RECENCY_WEIGHT: Final = 0.03
HALF_LIFE_DAYS: Final = 45.0
#: Passages of one page in an answer, and what each further one keeps of its score: an answer that is spread over
#: several pages needs them all.
PASSAGES_PER_PAGE: Final = 3
FURTHER_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage is from. ``day``: of its record; None where it has none."""

    is_evidence: bool
    day: date | None


def page_of(passage: int) -> int:
    """The number of a passage's page."""
    return passage >> PASSAGE_BITS


def rank(
    words: Iterable[Mapping[int, float]],
    names: Sequence[Mapping[int, float]],
    place_of: Callable[[int], Place],
    days: Sequence[DayRange],
    newest: date | None,
) -> list[tuple[int, float]]:
    """(passage, score), the best first, at most PASSAGES_PER_PAGE of a page.

    ``words``: passage -> BM25 of one word of the question. ``names``: the same for each named person, with one value
    for all passages that concern them. ``newest``: the newest day of the evidence, from which recency is counted.
    """
    own: dict[int, float] = defaultdict(float)
    page: dict[int, float] = defaultdict(float)
    for scores in [*words, *names]:
        best: dict[int, float] = {}
        for passage, value in scores.items():
            own[passage] += value
            number = page_of(passage)
            if value > best.get(number, 0.0):
                best[number] = value
        for number, value in best.items():
            page[number] += value
    if names:
        for passage in own:
            share = sum(passage in scores for scores in names) / len(names)
            own[passage] *= UNNAMED_SHARE + (1 - UNNAMED_SHARE) * share
    scored = []
    for passage, value in own.items():
        neighbour = max(own.get(passage - 1, 0.0), own.get(passage + 1, 0.0))
        score = value + NEIGHBOUR_SHARE * neighbour + PAGE_SHARE * page[page_of(passage)]
        scored.append((passage, round(score * _factor(place_of(passage), days, newest), 9)))
    return _spread(sorted(scored, key=lambda pair: -pair[1]))


def _factor(place: Place, days: Sequence[DayRange], newest: date | None) -> float:
    factor = 1.0 if place.is_evidence else DERIVED_SHARE
    if place.day is None:
        return factor
    if days:
        factor *= 1 + DAY_WEIGHT * max(each.closeness(place.day) for each in days)
    if newest is not None:
        age = max(0, (newest - place.day).days)
        factor *= float(1 + RECENCY_WEIGHT * 0.5 ** (age / HALF_LIFE_DAYS))
    return factor


def _spread(ranked: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    seen: dict[int, int] = defaultdict(int)
    spread = []
    for passage, score in ranked:
        before = seen[page_of(passage)]
        seen[page_of(passage)] += 1
        if before < PASSAGES_PER_PAGE:
            spread.append((passage, score * FURTHER_SHARE**before))
    return sorted(spread, key=lambda pair: -pair[1])
