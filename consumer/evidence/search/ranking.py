"""
Ranks passages: BM25 over a question's words, then what BM25 cannot know.

    score = (words + names) x share of the words that it has x share of the named people whom it concerns
    score + a share of its page's and of its neighbours' scores
    score x length x evidence before derived pages x closeness to the days that the question names x recency

Every constant was measured with ``bench.locomo`` and ``bench.quality``.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from consumer.evidence.search.days import DayRange
from consumer.evidence.search.passages import PASSAGE_BITS

#: A name counts once for a passage, as often as it may occur there: in a conversation it stands before every turn.
NAME_WEIGHT: Final = 1.5
#: The share of the score that is left to a passage which concerns nobody of those whom the question names.
UNNAMED_SHARE: Final = 0.3
#: How much a passage loses for words of the question that it lacks: its share of the words, to this power.
COVER_POWER: Final = 0.25
#: BM25 prefers a short passage to a longer one with the same words, which fits documents, and not a line of a checklist
#: beside a meeting. To this power the preference is taken back from passages below the average length.
LENGTH_POWER: Final = 1.25
#: BM25's own constants in SQLite.
_K1: Final = 1.2
_B: Final = 0.75
#: What the best of all passages of the page add for each word: a page about it comes before one that mentions it.
PAGE_SHARE: Final = 0.4
#: What the better neighbour adds: an answer is often given in the turns after the question.
NEIGHBOUR_SHARE: Final = 0.1
#: What words that the best passages share, and that the question lacks, add at most, as shares of the best passage's
#: score: where they are in the passage, and anywhere on its page.
RELATED_PASSAGE_SHARE: Final = 0.1
RELATED_PAGE_SHARE: Final = 0.45
#: The pages with most of these words: others gain nothing by them, and need not be looked at.
RELATED_PAGES: Final = 300
#: What the passage closest to the question's vector adds, as a share of the best passage's score for words.
VECTOR_SHARE: Final = 0.5
#: The pages at the head of an answer are those for the question's own words; related words order what follows.
KEPT_PAGES: Final = 3
#: What a page adds for how much of it concerns the question, as a share of the best passage's score; and the passages
#: with any of its words or people from which on it counts in full. It decides between pages with the same words.
BREADTH_SHARE: Final = 0.1
BREADTH_PASSAGES: Final = 10
#: Pages that repeat evidence come after it for the same words.
DERIVED_SHARE: Final = 0.1
#: A passage of a day that the question names has so many times more.
DAY_WEIGHT: Final = 1.5
#: What recency adds at most, and its half-life.
RECENCY_WEIGHT: Final = 0.03
HALF_LIFE_DAYS: Final = 45.0
#: Passages of one page in an answer, and what each further one keeps of its score: an answer that is spread over
#: several pages needs them all.
PASSAGES_PER_PAGE: Final = 3
FURTHER_SHARE: Final = 0.6
#: Scores are rounded to nine digits.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """What is known of a passage. ``day``: of its record, None where it has none; ``length``: 1.0 is the average."""

    is_evidence: bool
    day: date | None
    length: float


def page_of(passage: int) -> int:
    """The number of a passage's page."""
    return passage >> PASSAGE_BITS


class Ranking:
    """The passages of one question, with what their words are worth. Terms that the question lacks can be added once.

    ``words``: passage -> BM25 of one word of the question. ``names``: the same for each named person, with one value
    for all passages that concern them.
    """

    def __init__(self, words: Sequence[Mapping[int, float]], names: Sequence[Mapping[int, float]]) -> None:
        self._names = names
        self._own, self._page = _sums([*words, *names])
        for passage, value in self._own.items():
            self._own[passage] = value * self._named(passage)

    def best(
        self,
        places_of: Callable[[Sequence[int]], Mapping[int, PassagePlace]],
        days: Sequence[DayRange],
        *,
        newest: date | None,
        wanted: int,
    ) -> list[tuple[int, float]]:
        """(passage, score), the best first, at most PASSAGES_PER_PAGE of a page.

        ``newest``: the newest day of the evidence, from which recency is counted. ``wanted``: the answer is complete
        for so many of the best pages; of the others some are left out.
        """
        own = self._own
        by_page: dict[int, list[int]] = defaultdict(list)
        for passage in own:
            by_page[passage >> PASSAGE_BITS].append(passage)
        unit = BREADTH_SHARE * self._most / PAGE_SHARE
        page = {
            number: self._page.get(number, 0.0) + unit * min(1.0, len(passages) / BREADTH_PASSAGES)
            for number, passages in by_page.items()
        }
        # No passage of the page scores more before its place counts.
        bounds = {
            number: (1 + NEIGHBOUR_SHARE) * max(map(own.__getitem__, passages)) + PAGE_SHARE * page[number]
            for number, passages in by_page.items()
        }

        def scored(numbers: Collection[int]) -> list[tuple[int, float]]:
            """The passages of these pages with their scores."""
            passages = [passage for number in numbers for passage in by_page[number]]
            places = places_of(passages)
            pairs = []
            for passage in passages:
                neighbour = max(own.get(passage - 1, 0.0), own.get(passage + 1, 0.0))
                value = own[passage] + NEIGHBOUR_SHARE * neighbour + PAGE_SHARE * page[page_of(passage)]
                pairs.append((passage, round(value * _factor(places[passage], days, newest), 9)))
            return pairs

        # Most passages of a frequent word cannot reach the answer; looking up their places would take most of the time.
        first = heapq.nlargest(wanted, bounds, key=bounds.__getitem__)
        pairs = scored(first)
        reached: dict[int, float] = defaultdict(float)
        for passage, score in pairs:
            reached[page_of(passage)] = max(reached[page_of(passage)], score)
        least = min(reached.values(), default=0.0) - _ROUNDING if len(first) == wanted else 0.0
        most = (1 + RECENCY_WEIGHT) * (1 + DAY_WEIGHT if days else 1)
        pairs += scored([number for number, bound in bounds.items() if bound * most >= least and number not in reached])
        return _spread(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def add_related(self, terms: Sequence[tuple[float, Collection[int]]]) -> None:
        """Count words that the question lacks: (weight, the passages that have the word) of each.

        A page counts with all its related words together, wherever on the page they are.
        """
        passages: dict[int, float] = defaultdict(float)
        pages: dict[int, float] = defaultdict(float)
        for weight, having in terms:
            best: dict[int, float] = {}
            for passage in having:
                value = weight * self._named(passage)
                passages[passage] += value
                number = passage >> PASSAGE_BITS
                if value > best.get(number, 0.0):
                    best[number] = value
            for number, value in best.items():
                pages[number] += value
        kept = set(heapq.nlargest(RELATED_PAGES, pages, key=pages.__getitem__))
        self._add({passage: value for passage, value in passages.items() if passage >> PASSAGE_BITS in kept})
        share = RELATED_PAGE_SHARE * self._most / (PAGE_SHARE * max(pages.values(), default=1.0))
        for number in kept:
            self._page[number] += share * pages[number]

    def add_close(self, closeness: Mapping[int, float]) -> None:
        """Count how close passages are to the question's vector, from 0 to 1; before ``add_related``.

        Scores are added, not ranks: on LoCoMo the sum of scores finds more than the sum of reciprocal ranks does.
        """
        if self._most > 0:
            for passage, value in closeness.items():
                own = self._own.get(passage, 0.0)
                self._own[passage] = own + VECTOR_SHARE * self._most * value * self._named(passage)
        else:
            # No passage has any of the words.
            self._own.update({passage: value * self._named(passage) for passage, value in closeness.items()})

    def _add(self, values: Mapping[int, float]) -> None:
        """Add what passages have of related words: the largest value counts RELATED_PASSAGE_SHARE."""
        unit = RELATED_PASSAGE_SHARE * self._most / max(values.values(), default=1.0)
        for passage, value in values.items():
            self._own[passage] = self._own.get(passage, 0.0) + unit * value

    @cached_property
    def _most(self) -> float:
        """The score of the best passage for the question's own words."""
        return max(self._own.values(), default=0.0)

    def _named(self, passage: int) -> float:
        """The share of its score that a passage keeps which does not concern everybody whom the question names."""
        if not self._names:
            return 1.0
        share = sum(passage in scores for scores in self._names) / len(self._names)
        return UNNAMED_SHARE + (1 - UNNAMED_SHARE) * share


def joined(first: Sequence[tuple[int, float]], then: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """The head of one order, which KEPT_PAGES pages make, then the other order."""
    head: dict[int, float] = {}
    kept: set[int] = set()
    for passage, score in first:
        if page_of(passage) not in kept and len(kept) == KEPT_PAGES:
            break
        kept.add(page_of(passage))
        head[passage] = score
    least = min(head.values(), default=0.0)
    return [*head.items(), *((passage, min(score, least)) for passage, score in then if passage not in head)]


def _sums(several: Sequence[Mapping[int, float]]) -> tuple[dict[int, float], dict[int, float]]:
    """(passage -> sum of its scores for its share of the words, page -> sum of each word's best score)."""
    own: dict[int, float] = defaultdict(float)
    cover: dict[int, float] = defaultdict(float)
    page: dict[int, float] = defaultdict(float)
    whole = 0.0
    for scores in several:
        # A rare word counts more: the best score of a word says how rare it is.
        weight = max(scores.values(), default=0.0)
        whole += weight
        best: dict[int, float] = {}
        for passage, value in scores.items():
            own[passage] += value
            cover[passage] += weight
            number = passage >> PASSAGE_BITS
            if value > best.get(number, 0.0):
                best[number] = value
        for number, value in best.items():
            page[number] += value
    return {passage: value * (cover[passage] / whole) ** COVER_POWER for passage, value in own.items()}, page


def _factor(place: PassagePlace, days: Sequence[DayRange], newest: date | None) -> float:
    factor = 1.0 if place.is_evidence else DERIVED_SHARE
    factor *= ((1 + _K1 * (1 - _B + _B * min(place.length, 1.0))) / (1 + _K1)) ** LENGTH_POWER
    if place.day is None:
        return float(factor)
    if days:
        factor *= 1 + DAY_WEIGHT * max(each.closeness(place.day) for each in days)
    if newest is not None:
        age = max(0, (newest - place.day).days)
        factor *= 1 + RECENCY_WEIGHT * 0.5 ** (age / HALF_LIFE_DAYS)
    return float(factor)


def _spread(ranked: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    seen: dict[int, int] = defaultdict(int)
    spread = []
    for passage, score in ranked:
        before = seen[page_of(passage)]
        seen[page_of(passage)] += 1
        if before < PASSAGES_PER_PAGE:
            spread.append((passage, score * FURTHER_SHARE**before))
    return sorted(spread, key=lambda pair: -pair[1])
