"""
The vectors of passages: stored in the index, and compared with a question's vector.

A passage of evidence has at most one vector, of eight-bit numbers. A vector is found again by its passage's
fingerprint, so text that an index has is not embedded again, wherever it moves. Derived pages repeat evidence and have
none. A purge builds the index anew and so removes all vectors; the next run embeds what remains.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from consumer.evidence.search import schema
from consumer.evidence.search.passages import PASSAGE_BITS

#: Passages that a question's vector brings into the answer at most.
NEAREST: Final = 200
_FINGERPRINT_BYTES: Final = 16
_LARGEST: Final = 127.0


def fingerprint(title: str, text: str) -> bytes:
    """Names what a vector was made of."""
    return hashlib.blake2b(embedded(title, text).encode(), digest_size=_FINGERPRINT_BYTES).digest()


def embedded(title: str, text: str) -> str:
    """What the model reads of a passage: alone, a passage does not say which meeting it is of."""
    return f"{title}\n{text}"


def packed(vector: Sequence[float]) -> bytes:
    """A vector as it is stored. Its length does not matter, so the largest number becomes 127.

    Raises ValueError: the vector is empty or zero, or has numbers that are not finite.
    """
    import numpy as np  # noqa: PLC0415 - a fifth of a second, which indexes without vectors need not spend

    numbers = np.asarray(vector, dtype=np.float32)
    largest = float(np.abs(numbers).max(initial=0.0))
    if not 0.0 < largest < float("inf"):
        raise ValueError("a vector must have finite numbers, and one that is not zero")
    return bytes(np.rint(numbers * (_LARGEST / largest)).astype(np.int8).tobytes())


def nearest(db: sqlite3.Connection, model: str, vector: Sequence[float]) -> dict[int, float]:
    """Passage -> closeness to a vector of ``model``, for the NEAREST passages: 1.0 for the closest, 0.0 for the median.

    Empty where the index has no vectors of this model, or of another length.
    """
    import numpy as np  # noqa: PLC0415

    if model_of(db) != model:
        return {}
    asked = np.asarray(vector, dtype=np.float32)
    rows = db.execute("select passage, vector from vectors where length(vector) = ?", (len(asked),)).fetchall()
    if not rows or not np.isfinite(asked).all() or not asked.any():
        return {}
    stored = np.frombuffer(b"".join(data for _, data in rows), dtype=np.int8).reshape(len(rows), -1)
    stored = stored.astype(np.float32)
    cosines = (stored @ asked) / (np.linalg.norm(stored, axis=1) * np.linalg.norm(asked))
    median, best = float(np.median(cosines)), float(cosines.max())
    if best <= median:
        return {}
    order = np.argsort(-cosines, kind="stable")[:NEAREST]
    return {rows[at][0]: float((cosines[at] - median) / (best - median)) for at in order if cosines[at] > median}


def model_of(db: sqlite3.Connection) -> str:
    """The model that made the vectors of an index; "" for an index without vectors."""
    row = db.execute("select model from vector_model").fetchone()
    return str(row[0]) if row else ""


def use(db: sqlite3.Connection, model: str) -> None:
    """Drop the vectors of any other model."""
    if model_of(db) != model:
        db.execute("delete from vectors")
        db.execute("delete from vector_model")
        db.execute("insert into vector_model values (?)", (model,))


def missing(db: sqlite3.Connection, skipped: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """(passage, title, text) of every passage of evidence without a vector, but those of ``skipped`` pages."""
    pages = db.execute(
        "select pages.id, slug, title, text from pages join names using (id) where source <> ''"
        " and exists (select 1 from passages p where p.id between"
        " pages.id << ? and (pages.id + 1 << ?) - 1 and p.id not in (select passage from vectors)) order by pages.id",
        (PASSAGE_BITS, PASSAGE_BITS),
    )
    for page, slug, title, data in pages.fetchall():
        if slug in skipped:
            continue
        text = schema.unpacked(data)
        cuts = db.execute(
            "select id, start, end from passages where id between ? and ? and id not in (select passage from vectors)",
            (page << PASSAGE_BITS, (page + 1 << PASSAGE_BITS) - 1),
        )
        for passage, start, end in cuts.fetchall():
            yield passage, title, text[start:end]


def known(db: sqlite3.Connection, mark: bytes) -> bytes | None:
    """The vector of a text that another passage has too."""
    row = db.execute("select vector from vectors where fingerprint = ? limit 1", (mark,)).fetchone()
    return bytes(row[0]) if row else None
