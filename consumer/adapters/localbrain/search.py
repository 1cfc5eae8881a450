"""Finding pages: BM25 over chunks, gathered by page, with a small preference for titles and for what is recent.

Deterministic: the same pages and the same words give the same order; ties go by slug. "Recent" is measured from the
newest page of the brain, never from a clock.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from consumer.adapters.localbrain.store import Store

#: FTS5 column weights: title, heading, body. A hit in a title says what a page is about.
_WEIGHTS: Final = "4.0, 2.0, 1.0"
#: Chunks read for one question; beyond them the scores no longer change what comes out on top.
_CHUNKS: Final = 400
#: What a page's further chunks add, each half of the one before: a page about it beats a page that mentions it.
_MORE: Final = 0.35
#: Share of the score that recency can add, and days after which half of it is gone.
_RECENCY: Final = {"off": 0.0, "on": 0.12, "strong": 0.5}
_HALF_LIFE_DAYS: Final = 45.0
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
class Hit:
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
    """The words that carry meaning, lower-case, each once, in order; all words when only stop words are there."""
    found = [match.lower() for match in _WORD.findall(text)]
    telling = [word for word in found if word not in _STOP] or found
    return list(dict.fromkeys(telling))


def search(store: Store, text: str, *, limit: int = 20, offset: int = 0, types: Sequence[str] = ()) -> list[Hit]:
    """Pages with all the words in one chunk; with any of them where no chunk has all. Exact tokens, no recency."""
    terms = words(text)
    hits = _hits(store, terms, " AND ", recency="off", types=types)
    if not hits and len(terms) > 1:
        hits = _hits(store, terms, " OR ", recency="off", types=types)
    return hits[offset : offset + limit]


def query(
    store: Store, text: str, *, limit: int = 20, offset: int = 0, types: Sequence[str] = (), recency: str = "on"
) -> list[Hit]:
    """Pages for a question in plain language: any of its words, more of them better, newer a little better."""
    return _hits(store, words(text), " OR ", recency=recency, types=types)[offset : offset + limit]


def _hits(store: Store, terms: list[str], operator: str, *, recency: str, types: Sequence[str]) -> list[Hit]:
    if not terms:
        return []
    match = operator.join('"' + term.replace('"', '""') + '"' for term in terms)
    rows = store.connection.execute(
        f"SELECT page, anchor, heading, body, snippet(chunks, 2, '', '', ' … ', {_SNIPPET_WORDS}),"
        f" -bm25(chunks, {_WEIGHTS}) AS score"
        " FROM chunks WHERE chunks MATCH ? ORDER BY score DESC, page, rowid LIMIT ?",
        (match, _CHUNKS),
    ).fetchall()
    return _by_page(store, rows, recency, frozenset(types))


def _by_page(
    store: Store, rows: list[tuple[str, str, str, str, str, float]], recency: str, types: frozenset[str]
) -> list[Hit]:
    best: dict[str, tuple[str, str, str, str, str, float]] = {}
    scores: dict[str, float] = {}
    seen: dict[str, int] = {}
    for row in rows:
        slug, score = row[0], row[5]
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        best.setdefault(slug, row)
        scores[slug] = scores.get(slug, 0.0) + score * (1.0 if count == 0 else _MORE / 2 ** (count - 1))
    boost = _Recency(store, _RECENCY.get(recency, _RECENCY["on"]))
    hits = []
    for slug, row in best.items():
        page = store.page(slug)
        if page is None or (types and page.type not in types):
            continue
        score = round(scores[slug] * boost.factor(page.happened), 6)
        hits.append(Hit(slug, page.title, page.type, row[1], row[2], row[3], row[4], score))
    return sorted(hits, key=lambda hit: (-hit.score, hit.slug))


class _Recency:
    def __init__(self, store: Store, share: float) -> None:
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
