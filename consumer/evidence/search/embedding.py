"""Gives the passages of an index their vectors."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from consumer import layout
from consumer.errors import ToolFailed
from consumer.evidence.search import building, vectors
from consumer.evidence.search.building import IndexWriter
from consumer.ports import Clock, Embedder, Guard

#: Passages in one request to the model, and in one replacement of the file: what a killed run has to do again.
BATCH: Final = 64
KEPT_BATCHES: Final = 16
#: Passages in one run: about 600,000 tokens, of the 2,000,000 that a job may use for everything.
MOST_PASSAGES: Final = 2000
#: Seconds for one request.
REQUEST_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class EmbeddedPassages:
    """``embedded``: by the model; ``reused``: their text had a vector; ``waiting``: left for the next run."""

    embedded: int
    reused: int
    waiting: int
    note: str = ""


def embed(
    root: Path,
    embedder: Embedder,
    clock: Clock,
    limit_s: float,
    guard: Guard,
    *,
    most: int = MOST_PASSAGES,
    skipped: Collection[str] = (),
) -> EmbeddedPassages:
    """Embed the passages that have no vector of this model, for about ``limit_s`` seconds. Repeatable.

    ``skipped``: slugs of pages that the model must not see. ``most``: the passages after which the rest waits, rounded
    up to what is kept at once. A model that fails ends it with a note: the words of the index are searched without
    vectors as well. Raises the guard's errors, IndexUnusable and OSError.
    """
    batches = _Batches(embedder, clock, clock.monotonic() + limit_s)
    path = root / layout.SEARCH_INDEX
    while True:
        with building.writing(path) as index:
            several = index.without_vectors(embedder.model, skipped)
            batches.embed(index, several[: BATCH * KEPT_BATCHES], guard)
            waiting = len(index.without_vectors(embedder.model, skipped))
        if batches.note or not waiting or batches.embedded >= most:
            return EmbeddedPassages(batches.embedded, batches.reused, waiting, batches.note)


@dataclass(slots=True)
class _Batches:
    """Requests to a model until a time of the clock, and what they gave."""

    embedder: Embedder
    clock: Clock
    until: float
    embedded: int = 0
    reused: int = 0
    note: str = ""

    def embed(self, index: IndexWriter, several: Sequence[tuple[int, str, str]], guard: Guard) -> None:
        """Give these passages vectors, in order, until ``note`` says why it ended before."""
        fresh = self._without_known(index, several)
        marks = list(fresh)
        for start in range(0, len(marks), BATCH):
            guard.check()
            batch = marks[start : start + BATCH]
            try:
                given = self._ask([fresh[mark][0] for mark in batch])
            except (ToolFailed, ValueError) as exc:
                self.note = f"embedding: {exc}"
                return
            for mark, vector in zip(batch, given, strict=True):
                for passage in fresh[mark][1]:
                    index.put_vector(passage, mark, vector)
                self.embedded += 1
                self.reused += len(fresh[mark][1]) - 1

    def _without_known(
        self, index: IndexWriter, several: Sequence[tuple[int, str, str]]
    ) -> dict[bytes, tuple[str, list[int]]]:
        """Fingerprint -> (text, passages) of the texts that have no vector yet."""
        fresh: dict[bytes, tuple[str, list[int]]] = {}
        for passage, title, text in several:
            mark = vectors.fingerprint(title, text)
            if index.reuse_vector(passage, mark):
                self.reused += 1
            else:
                fresh.setdefault(mark, (vectors.embedded(title, text), []))[1].append(passage)
        return fresh

    def _ask(self, texts: Sequence[str]) -> list[bytes]:
        left = self.until - self.clock.monotonic()
        if left <= 0:
            raise ToolFailed("the time for it has passed")
        return [vectors.packed(vector) for vector in self.embedder.embed(texts, min(REQUEST_S, left))]
