"""Searches the evidence index."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from consumer.evidence.search.results import Passage


class EvidenceIndex:
    """The evidence index at ``path``, open for reading. Several processes may read it while another builds it.

    Raises:
        IndexUnusable: there is no index at ``path``, or the file is damaged or of another release. Rebuild it with
            ``consumer.evidence.search.build``.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Repeatable."""
        self._db.close()

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        offset: int = 0,
        since: date | None = None,
        until: date | None = None,
        sources: Collection[str] = (),
        people: Collection[str] = (),
        types: Collection[str] = (),
        withheld: Collection[str] = (),
    ) -> list[Passage]:
        """The passages that answer ``text`` best, the best first; at most three of one page.

        ``since`` and ``until``: first and last day, inclusive; passages without a day are left out when either is
        given. ``sources``: source keys. ``people``: names, addresses or slugs of people's pages; a passage's record
        must name one of them. ``types``: page types. An empty filter lets everything pass. ``withheld``: record ids;
        no passage of such a record is returned, nor of a derived page that links to one.
        """
        raise NotImplementedError
