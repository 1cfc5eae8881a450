"""An export server in memory: rows with change times, tombstones, late commits, pages of any size, an overlap window.

It answers as the contract says; a test that wants a hostile server overrides ``batch``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import manifests
from consumer.evidence.index import open_index, open_sightings
from consumer.run import Base, Run
from consumer.stages.export import Export
from consumer.stages.render import OpensModelReader, Render
from contract import canonical
from contract.api import (
    BatchRequest,
    BatchResponse,
    CompleteRequest,
    CompleteResponse,
    JobSpec,
    ProgressRequest,
    ProgressResponse,
)
from contract.records import Record

USER = "11111111-1111-4111-8111-111111111111"
EPOCH = datetime(2026, 3, 1, tzinfo=UTC)
#: When runs begin: after all that tests change by seconds after EPOCH.
STARTED = EPOCH + timedelta(days=60)
OVERLAP_S = 900
#: Earlier than any row, also of mail of the last century.
_BEFORE_ALL = -(10**11)


@dataclass(frozen=True, slots=True)
class Row:
    """``data`` None: a tombstone. ``changed_s``: seconds after EPOCH."""

    changed_s: int
    occurred_at: datetime | None
    data: Mapping[str, Any] | None


@dataclass(slots=True)
class FakeExport:
    """The tables of one user, and a JobSession over them."""

    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    user_id: str = USER
    page_limit: int = 1000
    requests: int = 0

    def put(self, source: str, record_id: str, row: Row) -> None:
        self.rows.setdefault(source, {})[record_id] = row

    def delete(self, source: str, record_id: str, changed_s: int) -> None:
        if self.rows.get(source, {}).get(record_id):
            self.put(source, record_id, Row(changed_s, None, None))

    def batch(self, request: BatchRequest) -> BatchResponse:
        self.requests += 1
        counts = {key: len(self._live(key)) for key in request.source_keys}
        if request.mode == "inventory":
            return BatchResponse(source_counts=counts, source_bytes={key: 100 * n for key, n in counts.items()})
        # A cursor is a place in each source; a page takes from one source after the other until it is full.
        places: dict[str, Any] = {key: request.cursor.get(key) for key in request.source_keys}
        goes_on = any(place and not place["done"] for place in places.values())
        room = min(request.limit, self.page_limit)
        records: list[Record] = []
        for source, place in places.items():
            if place and place["done"] and (goes_on or request.mode == "backfill"):
                continue
            page, places[source] = self._page(source, place, request.mode, room - len(records))
            records.extend(page)
        more = any(not place["done"] for place in places.values())
        return BatchResponse(records=tuple(records), next_cursor=places, source_counts=counts, has_more=more)

    def _page(
        self, source: str, place: Mapping[str, Any] | None, mode: str, room: int
    ) -> tuple[list[Record], dict[str, Any]]:
        rows = sorted((row.changed_s, record_id) for record_id, row in self.rows.get(source, {}).items())
        if mode == "backfill":
            rows = [key for key in rows if self.rows[source][key[1]].data is not None]
        after = self._after(place)
        wanted = [key for key in rows if key > after]
        page = wanted[:room]
        last = page[-1] if page else after
        records = [self._record(source, record_id) for _, record_id in page]
        return records, {"s": last[0], "id": last[1], "done": len(page) == len(wanted)}

    def _after(self, place: Mapping[str, Any] | None) -> tuple[int, str]:
        if not place:
            return (_BEFORE_ALL, "")
        # A finished place is where the next increment starts; it looks back, so that late commits are seen.
        if place["done"]:
            return (place["s"] - OVERLAP_S, "")
        return (place["s"], place["id"])

    def _live(self, source: str) -> list[Row]:
        return [row for row in self.rows.get(source, {}).values() if row.data is not None]

    def _record(self, source: str, record_id: str) -> Record:
        row = self.rows[source][record_id]
        return record(source, record_id, row.data, EPOCH + timedelta(seconds=row.changed_s), row.occurred_at)

    def progress(self, request: ProgressRequest) -> ProgressResponse:
        return ProgressResponse()

    def complete(self, request: CompleteRequest) -> CompleteResponse:
        return CompleteResponse(status="completed")


def record(
    source: str,
    record_id: str,
    data: Mapping[str, Any] | None,
    updated_at: datetime = EPOCH,
    occurred_at: datetime | None = None,
    **other: Any,
) -> Record:
    """A record as a correct server makes it; ``other`` overrides fields."""
    plain = None if data is None else dict(data)
    return Record.model_validate(
        {
            "source_key": source,
            "record_id": record_id,
            "record_type": manifests.export_manifest().source(source).record_type,
            "user_id": USER,
            "occurred_at": occurred_at,
            "updated_at": updated_at,
            "deleted": plain is None,
            "data": plain,
            "checksum": canonical.digest(plain),
            **other,
        }
    )


class OpenGuard:
    """Always lets the run go on; counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def check(self) -> None:
        self.asked += 1

    def time_left(self) -> float:
        return 3600.0


def job_id(number: int) -> str:
    return f"22222222-2222-4222-8222-{number:012d}"


def run_of(root: Path, session: Any, job_type: str = "hourly_digest", number: int = 1, **spec: Any) -> Run:
    """A Run as hydrate leaves it; ``spec`` overrides fields of the job."""
    sources = tuple(entry.source_key for entry in manifests.export_manifest().sources)
    fields = {
        "job_id": job_id(number),
        "user_id": USER,
        "workspace_id": "33333333-3333-4333-8333-333333333333",
        "job_type": job_type,
        "runtime_profile": "internal-full",
        "template_version": "v1",
        "requested_at": EPOCH,
        "status": "running",
        "attempt": 1,
        "workspace_uri": f"gs://bucket/users/{USER}/",
        "allowed_sources": sources,
        "timezone": "America/New_York",
        **spec,
    }
    return Run(
        job=JobSpec.model_validate(fields),
        session=session,
        attempt=1,
        epoch=1,
        owner="test",
        started_at=STARTED,
        root=root,
        base=Base(seq=0, digest=None, head_generation=0),
    )


def export_and_render(
    run: Run, page_records: int = 500, force: bool = True, by_model: OpensModelReader | None = None
) -> Run:
    """The two stages as the pipeline runs them: nothing new means nothing rendered."""
    manifest = manifests.export_manifest()
    guard = OpenGuard()
    run = Export(manifest, open_sightings, page_records=page_records, force=force).run(run, guard)
    return Render(manifest, open_index, by_model=by_model).run(run, guard)
