"""Searches pages: BM25 over chunks, weighted by the share of the question a chunk covers, grouped by page.

Deterministic: the same pages and the same words give the same order; ties are sorted by slug. Recency is measured from
the newest page of the brain, never from a clock.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from consumer.agent.localbrain.store import BrainStore

#: FTS5 column weights: title, heading, body. Measured with bench.quality: titles of evidence repeat the project's name,
#: so a larger weight only crowds out the page that has the answer.
_WEIGHTS: Final = "1.0, 1.0, 1.0"
#: Chunks read for one question; more would not change the top results.
_CHUNKS: Final = 1000
#: What a page's further chunks add, each half of the one before: a page about it beats a page that mentions it.
_MORE: Final = 0.1
#: The share of the score that recency can add, and its half-life in days.
_RECENCY: Final = {"off": 0.0, "on": 0.12, "strong": 0.5}
_HALF_LIFE_DAYS: Final = 45.0
#: Pages that repeat evidence. For the same words the evidence ranks first; these pages match by words that only they
#: have, or when their type is requested.
_RETOLD: Final = frozenset({"person", "day", "concept", "context", "contradictions", "report"})
_RETOLD_SHARE: Final = 0.5
_SNIPPET_WORDS: Final = 48
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)  # noqa: RUF001 (a typographic apostrophe is meant)
_STOP: Final = frozenset(
    re.findall(
        r"\w+",
        "a about an and any are as at be been but by can could did do does for from had has have how i if in into is it"
        " its just me my no not of on or our out s said say says should so some t tell than that the their them then"
        " there these they this to up us was we were what when where which who whom whose why will with would you your",
    )
)


@dataclass(frozen=True, slots=True)
class PageHit:
    """One page: its best chunk, with the section's anchor. ``score`` is higher for better, comparable in one answer."""

    slug: str
    title: str
    type: str
    anchor: str
    heading: str
    text: str
    snippet: str
    score: float


def words(text: str) -> list[str]:
    """The words other than stop words, lower-case, each once, in order; all words if there are only stop words."""
    matches = [match.lower() for match in _WORD.findall(text)]
    telling = [word for word in matches if word not in _STOP] or matches
    return list(dict.fromkeys(telling))


def search(
    store: BrainStore, text: str, *, limit: int = 20, offset: int = 0, types: Sequence[str] = ()
) -> list[PageHit]:
    """Pages with all the words in one chunk; if no chunk has all, with any of them. Exact tokens, no recency."""
    terms = words(text)
    hits = _hits(store, terms, " AND ", recency="off", types=types)
    if not hits and len(terms) > 1:
        hits = _hits(store, terms, " OR ", recency="off", types=types)
    return hits[offset : offset + limit]


def query(
    store: BrainStore, text: str, *, limit: int = 20, offset: int = 0, types: Sequence[str] = (), recency: str = "on"
) -> list[PageHit]:
    """Pages for a question in plain language: any of its words match; more words and newer pages rank higher."""
    return _hits(store, words(text), " OR ", recency=recency, types=types)[offset : offset + limit]


def _hits(store: BrainStore, terms: list[str], operator: str, *, recency: str, types: Sequence[str]) -> list[PageHit]:
    if not terms:
        return []
    coverage = _Coverage(store, terms)
    rows = store.connection.execute(
        f"SELECT rowid, page, anchor, heading, body, snippet(chunks, 2, '', '', ' … ', {_SNIPPET_WORDS}),"
        f" -bm25(chunks, {_WEIGHTS}) AS score"
        " FROM chunks WHERE chunks MATCH ? ORDER BY score DESC, page, rowid LIMIT ?",
        (operator.join(map(_quoted, terms)), _CHUNKS),
    )
    chunks = [
        _Chunk(page, anchor, heading, body, snippet, score * coverage.of(number))
        for number, page, anchor, heading, body, snippet, score in rows
    ]
    return _by_page(store, sorted(chunks, key=lambda c: (-c.score, c.page)), recency, frozenset(types))


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class _Chunk:
    page: str
    anchor: str
    heading: str
    body: str
    snippet: str
    score: float


class _Coverage:
    """The share of a question's words that a chunk has; rare words count more."""

    def __init__(self, store: BrainStore, terms: list[str]) -> None:
        total = store.counts().chunks
        self.shares: dict[int, float] = {}
        self.all = 0.0
        for term in terms:
            rows = store.connection.execute("SELECT rowid FROM chunks WHERE chunks MATCH ?", (_quoted(term),))
            rowids = [number for (number,) in rows]
            # A word that no chunk has cannot rank chunks.
            weight = math.log(1 + (total - len(rowids) + 0.5) / (len(rowids) + 0.5)) if rowids else 0.0
            self.all += weight
            for number in rowids:
                self.shares[number] = self.shares.get(number, 0.0) + weight

    def of(self, number: int) -> float:
        return self.shares.get(number, 0.0) / self.all if self.all else 1.0


def _by_page(store: BrainStore, chunks: list[_Chunk], recency: str, types: frozenset[str]) -> list[PageHit]:
    """The chunks, best first, grouped by page."""
    best: dict[str, _Chunk] = {}
    scores: dict[str, float] = {}
    seen: Counter[str] = Counter()
    for chunk in chunks:
        share = 1.0 if not seen[chunk.page] else _MORE / 2 ** (seen[chunk.page] - 1)
        seen[chunk.page] += 1
        best.setdefault(chunk.page, chunk)
        scores[chunk.page] = scores.get(chunk.page, 0.0) + chunk.score * share
    boost = _Recency(store, _RECENCY.get(recency, _RECENCY["on"]))
    hits = []
    for slug, chunk in best.items():
        page = store.page(slug)
        if page is None or (types and page.type not in types):
            continue
        share = _RETOLD_SHARE if page.type in _RETOLD else 1.0
        score = round(scores[slug] * boost.factor(page.happened) * share, 6)
        hits.append(PageHit(slug, page.title, page.type, chunk.anchor, chunk.heading, chunk.body, chunk.snippet, score))
    return sorted(hits, key=lambda hit: (-hit.score, hit.slug))


class _Recency:
    def __init__(self, store: BrainStore, share: float) -> None:
        newest = store.connection.execute("SELECT max(happened) FROM pages").fetchone()[0]
        self.newest, self.share = _day(newest or ""), share

    def factor(self, happened: str) -> float:
        day = _day(happened)
        if self.newest is None or day is None:
            return 1.0
        age = max(0, (self.newest - day).days)
        return float(1.0 + self.share * 0.5 ** (age / _HALF_LIFE_DAYS))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
