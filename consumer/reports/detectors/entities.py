"""Ranks projects by how much evidence names them. People come from memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Final

from consumer.evidence.pages import Page
from consumer.reports.claims import Citation
from consumer.reports.detectors.findings import Finding, ranked
from consumer.reports.detectors.records import PageRecord

LIMIT: Final = 12
#: Mentions within this time count as recent.
LATELY: Final = timedelta(days=14)

_FOLDER: Final = "projects/"


@dataclass(frozen=True, slots=True)
class _Entity:
    page: Page
    mentions: tuple[PageRecord, ...]

    @property
    def last(self) -> date | None:
        return max((record.day for record in self.mentions if record.day), default=None)


def projects(by_slug: Mapping[str, Page], records: Sequence[PageRecord], today: date) -> tuple[Finding, ...]:
    """The projects with most mentions, recent ones first."""
    entities = _entities(by_slug, records)
    if len(entities) > LIMIT:
        entities = [entity for entity in entities if len(entity.mentions) > 1]
    return ranked([_finding(entity, today) for entity in entities], LIMIT)


def _entities(by_slug: Mapping[str, Page], records: Sequence[PageRecord]) -> list[_Entity]:
    mentions: dict[str, dict[tuple[str, str | None], PageRecord]] = defaultdict(dict)
    for record in records:
        place = record.place
        for link in record.links:
            if link.target.startswith(_FOLDER):
                mentions[link.target][place] = record
    return [
        _Entity(by_slug[slug], tuple(places.values())) for slug, places in sorted(mentions.items()) if slug in by_slug
    ]


def _finding(entity: _Entity, today: date) -> Finding:
    count = len(entity.mentions)
    lately = sum(record.day is not None and today - record.day <= LATELY for record in entity.mentions)
    sources = sorted({record.source.replace("_", " ") for record in entity.mentions})
    text = (
        f"{entity.page.title}: {_times(count)} in {', '.join(sources)}"
        + (f", {lately} of them in the last {LATELY.days} days" if lately else "")
        + (f", last on {entity.last}" if entity.last else "")
        + "."
    )
    return Finding("project", text, tuple(_newest(entity, 2)), round(lately + count / 10, 4))


def _newest(entity: _Entity, limit: int) -> Iterator[Citation]:
    ordered = sorted(entity.mentions, key=lambda r: (r.day or date.min, r.page, r.anchor or ""), reverse=True)
    by_page: dict[str, PageRecord] = {}
    for record in ordered:
        by_page.setdefault(record.page, record)
    for record in islice(by_page.values(), limit):
        name = next(link.text for link in record.links if link.target == entity.page.slug)
        yield record.cite(name if sum(map(str.isalnum, name)) >= 4 else f"Projects: {name}")


def _times(count: int) -> str:
    return "named once" if count == 1 else f"named {count} times"
