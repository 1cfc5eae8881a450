"""
Terms: what the index's tokenizer makes of words ("paint" of "painted"), and how many passages have each.

The index keeps these numbers, since counting them for each question takes most of the time of a search.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from consumer.evidence.search import schema, words

_THREAD: Final = threading.local()


def of_words(several: Sequence[str]) -> list[str]:
    """The term of each word; "" for one that the tokenizer makes no term of, or several ("don't")."""
    db = _tokenizer()
    terms_of: list[list[str]] = [[] for _ in several]
    db.execute("begin")
    try:
        rows = [(at, words.indexed(word)) for at, word in enumerate(several)]
        db.executemany("insert into words (rowid, body) values (?,?)", rows)
        for term, at in db.execute("select term, doc from occurrences"):
            terms_of[at].append(term)
    finally:
        db.execute("rollback")
    return [terms[0] if len(terms) == 1 else "" for terms in terms_of]


def frequencies(db: sqlite3.Connection, terms: Collection[str], least: int, most: int) -> dict[str, int]:
    """Term -> how many passages have it, of those that so many have."""
    rows = db.execute(
        "select term, passages from json_each(?) asked cross join frequencies on term = asked.value"
        " where passages between ? and ?",
        (json.dumps(sorted(terms)), least, most),
    )
    return dict(rows.fetchall())


def passages_of(db: sqlite3.Connection, first: str, last: str) -> tuple[int, int]:
    """Of the terms from ``first`` to ``last``: how many passages have the most frequent, and the sum over all."""
    row = db.execute(
        "select coalesce(max(passages), 0), coalesce(sum(passages), 0) from frequencies where term between ? and ?",
        (first, last),
    )
    most, total = row.fetchone()
    return most, total


def count_all(db: sqlite3.Connection) -> None:
    """Count the terms of a new index."""
    db.execute("create virtual table temp.words_terms using fts5vocab(main, words, row)")
    db.execute("insert into frequencies select term, doc from temp.words_terms")


class FrequencyChanges:
    """The terms of the passages that an index gets and loses."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        for table in ("added", "removed"):
            db.execute(schema.words(f"temp.{table}"))
            db.execute(f"create virtual table temp.{table}_terms using fts5vocab(temp, {table}, row)")

    def add(self, passages: Iterable[tuple[str, str]]) -> None:
        """The index gets these passages: (title, body) of each, as the tokenizer gets them."""
        self._db.executemany("insert into temp.added (title, body) values (?,?)", passages)

    def remove(self, passages: Iterable[tuple[str, str]]) -> None:
        """The index loses these passages."""
        self._db.executemany("insert into temp.removed (title, body) values (?,?)", passages)

    def apply(self) -> None:
        """Bring the index's numbers up to date, once, at the end."""
        for table, sign in (("added", 1), ("removed", -1)):
            self._db.execute(
                f"insert into frequencies select term, ? * doc from temp.{table}_terms where true"
                " on conflict (term) do update set passages = passages + excluded.passages",
                (sign,),
            )
        self._db.execute("delete from frequencies where passages = 0")


def _tokenizer() -> sqlite3.Connection:
    """A table in memory that makes terms as the index does; each thread has its own."""
    db: sqlite3.Connection | None = getattr(_THREAD, "db", None)
    if db is None:
        db = sqlite3.connect(":memory:", isolation_level=None)
        db.execute(schema.words("words"))
        db.execute("create virtual table occurrences using fts5vocab(words, instance)")
        _THREAD.db = db
    return db
