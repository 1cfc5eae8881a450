"""
Ranks passages: BM25 over a question's words, then what BM25 cannot know.

    score = (words + names) x share of the words that it has x share of the named people whom it concerns
    score + a share of its page's and of its neighbours' scores
    score x length x evidence before derived pages x closeness to the days that the question names x recency

Every constant was measured with ``bench.locomo`` and ``bench.quality``.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Final, NamedTuple

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
#: From BM25's own constants in SQLite, k1 = 1.2 and b = 0.75: (1 + k1 x (1 - b + b x length)) / (1 + k1).
_SHORTEST: Final = 1.3 / 2.2
_PER_LENGTH: Final = 0.9 / 2.2
#: What the best of all passages of the page add for each word: a page about it comes before one that mentions it.
PAGE_SHARE: Final = 0.4
#: What the better neighbour adds: an answer is often given in the turns after the question.
NEIGHBOUR_SHARE: Final = 0.1
#: What a page adds at most for words that the best passages share and that the question lacks, as a share of the best
#: passage's score.
RELATED_PAGE_SHARE: Final = 0.45
#: The pages with most of these words: others gain nothing by them, and need not be looked at.
RELATED_PAGES: Final = 100
#: What the passage closest to the question's vector adds, as a share of the best passage's score for words.
VECTOR_SHARE: Final = 0.5
#: The pages at the head of an answer that related words leave as they are.
KEPT_PAGES: Final = 3
#: Of these the pages that the question's vector leaves as they are, because their words score this share of the best or
#: more. Near copies of a passage are all as close to a vector, and would fill an answer.
KEPT_BY_WORDS: Final = 2
SAFE_SHARE: Final = 0.9
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


class PassagePlace(NamedTuple):
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
        self._named, self._unnamed = _shares(names)
        own, self._page = _sums([*words, *names])
        kept, other = self._named, self._unnamed
        self._own = {passage: value * kept.get(passage, other) for passage, value in own.items()}

    def best(
        self,
        places_of: Callable[[Sequence[int]], Mapping[int, PassagePlace]],
        days: Sequence[DayRange],
        *,
        newest: date | None,
        wanted: int,
        among: Collection[int] | None = None,
    ) -> list[tuple[int, float]]:
        """(passage, score), the best first, at most PASSAGES_PER_PAGE of a page.

        ``newest``: the newest day of the evidence, from which recency is counted. ``wanted``: the answer is complete
        for so many of the best pages; of the others some are left out. ``among``: the pages that may answer; None: all.
        """
        own, by_page = self._own, self._by_page
        factors: dict[tuple[bool, date | None], float] = {}
        # No passage of the page scores more before its place counts.
        bounds = {
            number: value + PAGE_SHARE * self._page.get(number, 0.0)
            for number, value in self._bounds_of_words.items()
            if among is None or number in among
        }

        def scored(numbers: Collection[int]) -> list[tuple[int, float]]:
            """The passages of these pages with their scores."""
            places = places_of([passage for number in numbers for passage in by_page[number]])
            pairs = []
            for number in numbers:
                on_page = PAGE_SHARE * self._page.get(number, 0.0) + self._breadth(number)
                for passage in by_page[number]:
                    neighbour = max(own.get(passage - 1, 0.0), own.get(passage + 1, 0.0))
                    is_evidence, day, length = places[passage]
                    factor = factors.get((is_evidence, day))
                    if factor is None:
                        factor = factors[is_evidence, day] = _factor(is_evidence, day, days, newest)
                    if length < 1:
                        factor *= (_SHORTEST + _PER_LENGTH * length) ** LENGTH_POWER
                    value = own[passage] + NEIGHBOUR_SHARE * neighbour + on_page
                    pairs.append((passage, round(value * factor, 9)))
            return pairs

        # Most passages of a frequent word cannot reach the answer; looking up their places would take most of the time.
        first = heapq.nlargest(wanted, bounds, key=bounds.__getitem__)
        pairs = scored(first)
        reached: dict[int, float] = defaultdict(float)
        for passage, score in pairs:
            reached[page_of(passage)] = max(reached[page_of(passage)], score)
        least = min(reached.values(), default=0.0) - _ROUNDING
        most = (1 + RECENCY_WEIGHT) * (1 + DAY_WEIGHT if days else 1)
        pairs += scored([number for number, bound in bounds.items() if bound * most >= least and number not in reached])
        return _spread(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def add_related(self, terms: Sequence[tuple[float, Collection[int]]]) -> None:
        """Count words that the question lacks: (weight, the passages that have the word) of each.

        A page counts with all its related words together, wherever on the page they are.
        """
        pages: dict[int, float] = defaultdict(float)
        for weight, having in terms:
            for number in {passage >> PASSAGE_BITS for passage in having}:
                pages[number] += weight
        named: dict[int, float] = {}
        for passage, share in self._named.items():
            named[passage >> PASSAGE_BITS] = max(share, named.get(passage >> PASSAGE_BITS, 0.0))
        for number in pages:
            pages[number] *= named.get(number, self._unnamed)
        kept = heapq.nlargest(RELATED_PAGES, pages, key=pages.__getitem__)
        unit = RELATED_PAGE_SHARE * self._most / (PAGE_SHARE * max(pages.values(), default=1.0))
        for number in kept:
            self._page[number] = self._page.get(number, 0.0) + unit * pages[number]
        # Pages with none of the question's words are found by these alone.
        unmatched = set(kept).difference(self._by_page)
        for passage in {passage for _, having in terms for passage in having if passage >> PASSAGE_BITS in unmatched}:
            self._own[passage] = 0.0
            self._by_page[passage >> PASSAGE_BITS].append(passage)
        self._bounds_of_words.update({number: self._breadth(number) for number in unmatched})

    def add_close(self, closeness: Mapping[int, float]) -> None:
        """Count how close passages are to the question's vector, from 0 to 1; before ``add_related``.

        Scores are added, not ranks: on LoCoMo the sum of scores finds more than the sum of reciprocal ranks does.
        """
        if self._most > 0:
            for passage, value in closeness.items():
                own = self._own.get(passage, 0.0)
                self._own[passage] = own + VECTOR_SHARE * self._most * value * self._named.get(passage, self._unnamed)
        else:
            # No passage has any of the words.
            self._own.update(
                {passage: value * self._named.get(passage, self._unnamed) for passage, value in closeness.items()}
            )

    @cached_property
    def _by_page(self) -> dict[int, list[int]]:
        """Page -> its passages that have anything of the question."""
        by_page: dict[int, list[int]] = defaultdict(list)
        for passage in self._own:
            by_page[passage >> PASSAGE_BITS].append(passage)
        return by_page

    @cached_property
    def _bounds_of_words(self) -> dict[int, float]:
        """Page -> what a passage has at most by itself, its neighbours and the page's breadth."""
        own = self._own
        return {
            number: (1 + NEIGHBOUR_SHARE) * max(map(own.__getitem__, passages)) + self._breadth(number)
            for number, passages in self._by_page.items()
        }

    def _breadth(self, number: int) -> float:
        """What a page adds for how much of it concerns the question."""
        return BREADTH_SHARE * self._most * min(1.0, len(self._by_page[number]) / BREADTH_PASSAGES)

    @cached_property
    def _most(self) -> float:
        """The score of the best passage for the question's own words."""
        return max(self._own.values(), default=0.0)


def safe_pages(ranked: Sequence[tuple[int, float]]) -> int:
    """How many pages at the head of an order by words are kept ahead of what is close to the question's vector."""
    best: dict[int, float] = {}
    for passage, score in ranked:
        best.setdefault(page_of(passage), score)
    first = list(best.values())[:KEPT_BY_WORDS]
    return sum(score >= SAFE_SHARE * first[0] for score in first)


def joined(
    first: Sequence[tuple[int, float]], then: Sequence[tuple[int, float]], head_pages: int
) -> list[tuple[int, float]]:
    """The head of one order, which so many pages make, then the other order."""
    head: dict[int, float] = {}
    kept: set[int] = set()
    for passage, score in first:
        if page_of(passage) not in kept and len(kept) == head_pages:
            break
        kept.add(page_of(passage))
        head[passage] = score
    least = min(head.values(), default=math.inf)
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


def _shares(names: Sequence[Mapping[int, float]]) -> tuple[dict[int, float], float]:
    """The share of its score that a passage keeps which does not concern everybody whom the question names.

    Passage -> share of those that concern somebody, and the share of all others.
    """
    if not names:
        return {}, 1.0
    counts = Counter(passage for scores in names for passage in scores)
    shares = [UNNAMED_SHARE + (1 - UNNAMED_SHARE) * count / len(names) for count in range(len(names) + 1)]
    return {passage: shares[count] for passage, count in counts.items()}, UNNAMED_SHARE


def _factor(is_evidence: bool, day: date | None, days: Sequence[DayRange], newest: date | None) -> float:
    factor = 1.0 if is_evidence else DERIVED_SHARE
    if day is None:
        return factor
    if days:
        factor *= 1 + DAY_WEIGHT * max(each.closeness(day) for each in days)
    if newest is not None:
        age = max(0, (newest - day).days)
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
