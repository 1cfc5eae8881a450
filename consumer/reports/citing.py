"""Citations of what memory holds: the words of a record as they stand on its page in this snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
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
    #: What was looked up before: a report, its lists and its lines cite the same words.
    _known: dict[tuple[str, str, str], Citation | None] = field(default_factory=dict, compare=False)

    def first(self, source: str, record_id: str, quotes: Iterable[str]) -> Iterator[Citation]:
        """The first of these quotes that stands on the record's page."""
        for quote in quotes:
            key = (source, record_id, quote)
            if key not in self._known:
                self._known[key] = self._look_up(*key)
            if cited := self._known[key]:
                yield cited
                return

    def _look_up(self, source: str, record_id: str, quote: str) -> Citation | None:
        place = self.place_of((source, record_id)) if quote.strip() else None
        if place is None:
            return None
        cited = Citation(page=pages.slug_of(place.page), anchor=place.anchor or None, quote=shorten(quote))
        verdict = citations.resolve(cited, self.find)
        return cited.model_copy(update={"page": verdict.page}) if isinstance(verdict, Resolved) else None

    def of(self, evidence: Iterable[StatementEvidence], most: int = CITED) -> tuple[Citation, ...]:
        """Different citations of these words, in their order."""
        distinct: dict[Citation, None] = {}
        for place in evidence:
            for cited in self.first(place.source, place.record_id, [place.quote]):
                distinct[cited] = None
            if len(distinct) == most:
                # What was put off a hundred times stands on a hundred pages; reading them would change nothing.
                break
        return tuple(distinct)
