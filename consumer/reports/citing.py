"""Citations of what memory holds: the words of a record as they stand on its page in this snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from consumer.evidence import pages
from consumer.evidence.records import IndexedRecord
from consumer.reports import citations
from consumer.reports.citations import Find, Resolved
from consumer.reports.claims import Citation
from consumer.reports.detectors.records import shorten
from consumer.understanding.memory import StatementEvidence

#: Maximum of places that a finding cites.
CITED: Final = 3

#: (source, record id) -> where the record stands; None: it is not there.
PlaceOf = Callable[[tuple[str, str]], IndexedRecord | None]


@dataclass(frozen=True, slots=True)
class Citing:
    """``find``: the pages of this snapshot. What stands on no page of it is not cited."""

    place_of: PlaceOf
    find: Find

    def first(self, source: str, record_id: str, quotes: Iterable[str]) -> Iterator[Citation]:
        """The first of these quotes that stands on the record's page."""
        place = self.place_of((source, record_id))
        for quote in quotes if place else ():
            if place is None or not quote.strip():
                continue
            cited = Citation(page=pages.slug_of(place.page), anchor=place.anchor or None, quote=shorten(quote))
            if isinstance(citations.resolve(cited, self.find), Resolved):
                yield cited
                return

    def of(self, evidence: Iterable[StatementEvidence], most: int = CITED) -> tuple[Citation, ...]:
        """Different citations of these words, in their order."""
        distinct: dict[Citation, None] = {}
        for place in evidence:
            for cited in self.first(place.source, place.record_id, [place.quote]):
                distinct[cited] = None
        return tuple(distinct)[:most]
