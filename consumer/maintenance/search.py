"""Search for words in the pages of one commit, for operators. Ranking and meaning are the brain's work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from consumer import layout
from consumer.repository.reading import Reader


@dataclass(frozen=True, slots=True)
class LineHit:
    path: str
    line: int
    text: str


def search(reader: Reader, words: Sequence[str], under: str = layout.BRAIN) -> Iterator[LineHit]:
    """Lines with all words, in any case, of the markdown and JSON files below ``under``; sorted by path.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    folded_words = [word.casefold() for word in words]
    paths = [
        path
        for path in reader.tree.entries
        if path.startswith(f"{under}/") and path.endswith((".md", ".json", ".jsonl"))
    ]
    for path in sorted(paths):
        text = reader.read(path).decode("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            folded = line.casefold()
            if all(word in folded for word in folded_words):
                yield LineHit(path, number, line.strip())
