"""Ranks projects by how much evidence names them, and finds those that share people. People come from memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations, islice
from typing import Final

from consumer.evidence.pages import Page
from consumer.reports import citations
from consumer.reports.claims import Citation
from consumer.reports.detectors.findings import Connection, Finding, ranked
from consumer.reports.detectors.records import PageRecord

LIMIT: Final = 12
#: Mentions within this time count as recent.
LATELY: Final = timedelta(days=14)

#: Connections that are told, and the least number of people that make one.
CONNECTIONS: Final = 5
SHARED: Final = 2
#: Somebody who has a part in more projects than that connects none of them.
BUSY: Final = 3

_FOLDER: Final = "projects/"
_PEOPLE: Final = "people/"


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


def connections(by_slug: Mapping[str, Page], records: Sequence[PageRecord]) -> tuple[Connection, ...]:
    """Pairs of projects that share people, and that no record names together; those with most people first."""
    entities = _entities(by_slug, records)
    people = {entity.page.slug: _people(entity) for entity in entities}
    busy: dict[str, int] = defaultdict(int)
    for slugs in people.values():
        for slug in slugs:
            busy[slug] += 1
    pairs: list[tuple[int, Connection]] = []
    for first, last in combinations(entities, 2):
        places = {record.place for record in first.mentions}
        if any(record.place in places for record in last.mentions):
            continue
        shared = [slug for slug in people[first.page.slug] if slug in people[last.page.slug] and busy[slug] <= BUSY]
        if len(shared) >= SHARED:
            named = sorted((by_slug[slug].title if slug in by_slug else slug, slug) for slug in shared)
            cited = [
                record.cite(text)
                for entity in (first, last)
                for record, text in [people[entity.page.slug][named[0][1]]]
            ]
            names = tuple(name for name, _ in named)
            pairs.append((len(shared), Connection(first.page.title, last.page.title, names, tuple(cited))))
    pairs.sort(key=lambda pair: (-pair[0], pair[1].first, pair[1].last))
    return tuple(connection for _, connection in pairs[:CONNECTIONS])


def _people(entity: _Entity) -> dict[str, tuple[PageRecord, str]]:
    """Person's page -> the newest record of a project that links it, and the words of the link."""
    places: dict[str, tuple[PageRecord, str]] = {}
    for record in sorted(entity.mentions, key=lambda record: record.order):
        for link in record.links:
            if link.target.startswith(_PEOPLE):
                places[link.target] = (record, link.text if citations.proves(link.text) else record.title)
    return places


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
    lately = sum(today - (record.day or date.min) <= LATELY for record in entity.mentions)
    # How often something is named ranks it. It is told by what it is at, which memory knows (``portrait``).
    last = f", last on {entity.last}" if entity.last else ""
    weight = round(lately + count / 10, 4)
    name = entity.page.title
    return Finding("project", f"{name}{last}.", tuple(_newest(entity, 2)), weight, entity.last, subject=name)


def _newest(entity: _Entity, limit: int) -> Iterator[Citation]:
    ordered = sorted(entity.mentions, key=lambda record: record.order, reverse=True)
    by_page: dict[str, PageRecord] = {}
    for record in ordered:
        by_page.setdefault(record.page, record)
    for record in islice(by_page.values(), limit):
        name = next(link.text for link in record.links if link.target == entity.page.slug)
        yield record.cite(name if citations.proves(name) else f"Projects: {name}")
