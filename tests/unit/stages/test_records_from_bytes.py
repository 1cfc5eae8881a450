"""
Pages as bytes, made at random, against the contract's own sentences: the newest version counts, one broken record costs
one record, a shortfall is told and deletes nothing.

Versions, sources, zones and faults are drawn by `Maker`; `Oracle` knows what the reader must make of them, and shares
no code with it. `test_newest.py` draws orders and clocks instead.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest

from consumer import layout
from consumer.evidence.index import open_index
from consumer.run import Exported
from contract import batches, canonical
from contract.api import BatchRequest, BatchResponse
from tests.fake_export import EPOCH, USER, FakeExport, export_and_render, run_of

SOURCES = {"checklist_items": "checklist_item", "meeting_notes": "meeting_note"}
#: The same ids in both sources: a record is source and id.
IDS = ("a", "b", "c", "d", "ü", "a b", "a/../b")
ZONES = tuple(timezone(timedelta(minutes=minutes)) for minutes in (0, 60, -690, 845))
Key = tuple[str, str]

#: Read as JSON, and refused only then: no double holds it.
NO_CANONICAL_FORM = '{"title": 9007199254740993}'
#: What one field of a record is changed to, as JSON text. Each must cost that record and no other.
BROKEN = (
    ("record_id", "7"),
    ("record_id", "null"),
    ("record_id", '["a"]'),
    ("record_id", '""'),
    ("record_id", json.dumps("x" * 1025)),
    ("updated_at", "1772323200"),
    ("updated_at", '"1772323200"'),
    ("updated_at", "true"),
    ("updated_at", "null"),
    ("updated_at", '"2026-03-01T00:00:00"'),
    ("updated_at", '"2026-03-01"'),
    ("updated_at", '"9999-12-31T23:59:59-14:00"'),
    ("updated_at", '"2026-02-30T00:00:00Z"'),
    ("occurred_at", "1772323200"),
    ("occurred_at", "{}"),
    ("occurred_at", '"soon"'),
    ("deleted", '"yes"'),
    ("deleted", "1"),
    ("deleted", "null"),
    ("data", "[]"),
    ("data", '"text"'),
    ("data", "7"),
    ("data", "null"),
    ("data", '{"title": "\\ud83d"}'),
    ("data", '{"title": NaN}'),
    ("data", NO_CANONICAL_FORM),
    ("data", '{"title": ' + "[" * 3000 + "]" * 3000 + "}"),
)


@dataclass(frozen=True)
class Version:
    """What is drawn: the record, when it changed (microseconds since EPOCH), its title; None: a deletion."""

    key: Key
    at_us: int
    title: str | None
    fault: tuple[str, str] | None = None


@dataclass
class Maker:
    """Draws jobs, and writes them as a server would."""

    random: Random

    def version(self) -> Version:
        draw = self.random
        key = (draw.choice(tuple(SOURCES)), draw.choice(IDS))
        # Few moments, some of them one microsecond apart, so that many are equal.
        at_us = draw.choice((0, 1, 2, 1_000_000, 1_000_001, 3_600_000_000))
        title = draw.choice((None, "one", "two", "nul\0byte", "é", "e\u0301", "long " * 40_000))
        if draw.random() < 0.25:
            return Version(key, at_us, title or "live", draw.choice(BROKEN))
        return Version(key, at_us, title)

    def text(self, version: Version) -> str:
        source, record_id = version.key
        moment = (EPOCH + timedelta(microseconds=version.at_us)).astimezone(self.random.choice(ZONES))
        data = None if version.title is None else {"title": version.title}
        fields = {
            "source_key": json.dumps(source),
            "record_id": json.dumps(record_id),
            "record_type": json.dumps(SOURCES[source]),
            "user_id": json.dumps(USER),
            "occurred_at": self.random.choice(("null", json.dumps(moment.isoformat()))) if data else "null",
            "updated_at": json.dumps(moment.isoformat(timespec="microseconds")),
            "deleted": "false" if data else "true",
            "data": json.dumps(data),
            "checksum": json.dumps(canonical.digest(data)),
        }
        if version.fault:
            fields[version.fault[0]] = version.fault[1]
        return "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in fields.items()) + "}"

    def page(self, versions: list[Version], number: int, *, more: bool) -> bytes:
        records = ", ".join(self.text(version) for version in versions)
        return f'{{"records": [{records}], "next_cursor": {{"n": {number}}}, "has_more": {json.dumps(more)}}}'.encode()


@dataclass
class Server(FakeExport):
    """Gives these pages to the first mode that is asked for, nothing to a look afterwards; counts ``totals``."""

    pages: list[bytes] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)

    def batch(self, request: BatchRequest) -> BatchResponse:
        if request.mode == "inventory":
            return BatchResponse(source_counts=self.totals, source_bytes=dict.fromkeys(self.totals, 1))
        if not self.pages:
            return BatchResponse(next_cursor={"n": -1}, has_more=False)
        return batches.read(self.pages.pop(0))


@dataclass
class Oracle:
    """What is known after each run: key -> (microseconds, title); and what the run must tell."""

    known: dict[Key, tuple[int, str | None]] = field(default_factory=dict)
    #: Of the last job: what counts of what it brought, and sources in which a broken record has no name.
    given: dict[Key, tuple[int, str | None]] = field(default_factory=dict)
    unproven: set[str] = field(default_factory=set)

    def job(self, versions: list[Version], *, backfill: bool) -> tuple[dict[str, set[str]], dict[str, int]]:
        """Broken records by source, those without a name as their number; and how many live ones each source gave."""
        given: dict[Key, tuple[int, str | None]] = {}
        refused: dict[str, set[str]] = {source: set() for source in SOURCES}
        nameless = 0
        self.unproven = set()
        for version in versions:
            source, record_id = version.key
            if version.fault:
                name = _name_told(version)
                if name is None:
                    nameless += 1
                    self.unproven.add(source)
                    name = f"nameless {nameless}"
                refused[source].add(name)
                continue
            before = given.get(version.key) or (None if backfill else self.known.get(version.key))
            if before is None or version.at_us >= before[0]:
                given[version.key] = (version.at_us, version.title)
                refused[source].discard(record_id)
        # A record that is broken and was known is there: it only cannot be read.
        kept = {
            key: self.known[key]
            for key in self.known
            if key not in given and key[1] in refused[key[0]] and self.known[key][1] is not None
        }
        self.given = {**kept, **given}
        live = {
            source: sum(1 for key, (_, title) in self.given.items() if key[0] == source and title is not None)
            + sum(1 for name in refused[source] if self.given.get((source, name), (0, None))[1] is None)
            for source in SOURCES
        }
        return refused, live

    def commit(self, *, backfill: bool, short: set[str]) -> None:
        if backfill:
            for key, (at_us, _) in self.known.items():
                if key not in self.given and key[0] not in short | self.unproven:
                    self.known[key] = (at_us, None)
        self.known.update(self.given)

    def pages(self) -> dict[Key, datetime]:
        live = {key: at_us for key, (at_us, title) in self.known.items() if title is not None}
        return {key: EPOCH + timedelta(microseconds=at_us) for key, at_us in live.items()}


def _name_told(version: Version) -> str | None:
    """The id by which a broken record is named: as it is written, where it is no text."""
    name, value = version.fault or ("", "")
    if name != "record_id":
        return version.key[1]
    if value.startswith('"'):
        return json.loads(value)[:1024] or None
    return value


def _is_unparsed(version: Version) -> bool:
    return version.fault is not None and version.fault[1] != NO_CANONICAL_FORM


def rendered(root: Path) -> dict[Key, datetime]:
    """When each record changed that has a place on a page."""
    keys = [(source, record_id) for source in SOURCES for record_id in IDS]
    with closing(open_index(root / layout.RENDER_INDEX)) as index:
        rows = {key: index.find(*key) for key in keys}
    return {key: datetime.fromisoformat(row.updated_at) for key, row in rows.items() if row}


@pytest.mark.parametrize("seed", range(40))
def test_any_pages_are_read_as_the_contract_says(tmp_path: Path, seed: int) -> None:
    draw = Random(seed)
    maker, oracle = Maker(draw), Oracle()
    for number in range(1, 5):
        backfill = number == 1 or draw.random() < 0.5
        pages = [[maker.version() for _ in range(draw.randrange(7))] for _ in range(draw.randrange(1, 4))]
        # What cannot be parsed is told after what can be, page by page: of one page its order is not known.
        versions = [version for page in pages for version in sorted(page, key=_is_unparsed)]
        refused, live = oracle.job(versions, backfill=backfill)
        missing = {source: draw.choice((0, 0, 0, 2)) if backfill else 0 for source in SOURCES}
        server = Server(
            pages=[maker.page(page, n, more=n + 1 < len(pages)) for n, page in enumerate(pages)],
            totals={source: live[source] + missing[source] for source in SOURCES},
        )
        kind = "backfill_digest" if backfill else "hourly_digest"
        run = export_and_render(run_of(tmp_path, server, kind, number, allowed_sources=tuple(SOURCES), force=True))
        exported = run.exported
        assert isinstance(exported, Exported)
        assert dict(exported.refused) == {source: len(names) for source, names in refused.items() if names}
        assert {short.source_key: short.missing for short in exported.short} == {s: n for s, n in missing.items() if n}
        oracle.commit(backfill=backfill, short={source for source, n in missing.items() if n})
        assert rendered(tmp_path) == oracle.pages(), f"job {number}"
