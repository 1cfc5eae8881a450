"""Who and what matters: people and projects by how much of the evidence names them, and who has gone silent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Final, Literal

from consumer.evidence.pages import Page
from consumer.reports.claims import Citation
from consumer.reports.detectors.findings import Finding, ranked
from consumer.reports.detectors.records import Record

LIMIT: Final = 12
#: Mentions that make somebody worth missing, and how long nothing may have named them.
STALE_MENTIONS: Final = 3
STALE_AFTER: Final = timedelta(days=21)
#: Mentions within this time count as lately.
LATELY: Final = timedelta(days=14)

_FOLDERS: Final[Mapping[str, Literal["person", "project"]]] = {"people": "person", "projects": "project"}


@dataclass(frozen=True, slots=True)
class _Entity:
    page: Page
    kind: Literal["person", "project"]
    mentions: tuple[Record, ...]

    @property
    def last(self) -> date | None:
        return max((record.day for record in self.mentions if record.day), default=None)


def find(found: Mapping[str, Page], records: Sequence[Record], today: date) -> dict[str, tuple[Finding, ...]]:
    """-> people, projects and stale people, each ranked."""
    entities = _entities(found, records)
    if len(entities) > LIMIT:
        entities = [one for one in entities if len(one.mentions) > 1]
    return {
        "people": ranked([_finding(one, today) for one in entities if one.kind == "person"], LIMIT),
        "projects": ranked([_finding(one, today) for one in entities if one.kind == "project"], LIMIT),
        "stale": ranked([_stale(one, today) for one in entities if _is_stale(one, today)], LIMIT),
    }


def _entities(found: Mapping[str, Page], records: Sequence[Record]) -> list[_Entity]:
    mentions: dict[str, dict[tuple[str, str | None], Record]] = defaultdict(dict)
    for record in records:
        place = record.place
        for link in record.links:
            if link.target.split("/", 1)[0] in _FOLDERS:
                mentions[link.target][place] = record
    return [
        _Entity(found[slug], _FOLDERS[slug.split("/")[0]], tuple(places.values()))
        for slug, places in sorted(mentions.items())
        if slug in found
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
    return Finding(entity.kind, text, tuple(_newest(entity, 2)), round(lately + count / 10, 4))


def _is_stale(entity: _Entity, today: date) -> bool:
    return (
        entity.kind == "person"
        and len(entity.mentions) >= STALE_MENTIONS
        and entity.last is not None
        and today - entity.last > STALE_AFTER
    )


def _stale(entity: _Entity, today: date) -> Finding:
    last = entity.last or today
    text = f"{entity.page.title}: {_times(len(entity.mentions))}, none since {last} ({(today - last).days} days)."
    return Finding("stale", text, tuple(_newest(entity, 1)), float(len(entity.mentions)))


def _newest(entity: _Entity, limit: int) -> Iterator[Citation]:
    order = sorted(entity.mentions, key=lambda r: (r.day or date.min, r.page, r.anchor or ""), reverse=True)
    by_page: dict[str, Record] = {}
    for record in order:
        by_page.setdefault(record.page, record)
    for record in islice(by_page.values(), limit):
        name = next(link.text for link in record.links if link.target == entity.page.slug)
        yield record.cite(name if sum(map(str.isalnum, name)) >= 4 else f"{_label(entity)}: {name}")


def _label(entity: _Entity) -> str:
    return "People" if entity.kind == "person" else "Projects"


def _times(count: int) -> str:
    return "named once" if count == 1 else f"named {count} times"
