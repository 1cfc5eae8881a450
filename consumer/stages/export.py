"""
Stage 2 of 8, export: bring every record that changed since the last snapshot into the workspace, as raw evidence.

Reads    run.cursors (set by hydrate), the record index of the snapshot, which records were purged, the control plane's
         export API.
Writes   runtime/exports/{backfill,hourly}/{job_id}/ and runtime/cursors/, and only when something changed; run.cursors,
         run.exported, run.inventory, the raw manifest's artifact.
Repeats  safely: it starts again from the hydrated cursors and rewrites its own folder; cursors last by the commit only.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import orjson

from consumer.core import layout, suppression
from consumer.core.errors import ConsumerError, EvidenceInsufficient, SnapshotRefused
from consumer.core.inventory import Inventory, assess, thin
from consumer.core.suppression import Suppressed
from consumer.ports import Guard
from consumer.ports.records import Sighting, Sightings
from consumer.stages import checks, rawfiles, streams
from consumer.stages.base import Exported, Run
from consumer.stages.streams import Stream
from contract import canonical
from contract.api import Artifact, BatchRequest, BatchResponse, ExportMode, Redaction
from contract.event import utc_text
from contract.manifest import ExportManifest, SourceEntry
from contract.records import Record

#: Records that an inventory reads to know what is left out inside of values: a minute of its five on a small machine.
EXAMINED_RECORDS: Final = 100_000
#: Source, field, reason.
_Redacted = tuple[str, str, str]


@dataclass(slots=True)
class _Taken:
    """What one source brought: ``records`` are those new at their checksum."""

    entry: SourceEntry
    writer: rawfiles.BatchWriter
    records: int = 0
    deleted: int = 0
    size: int = 0
    #: Purged records that the source still has: digests of their ids.
    suppressed: set[bytes] = field(default_factory=set)

    def to_json(self) -> dict[str, Any]:
        return {
            "records": self.records,
            "deleted": self.deleted,
            "bytes": self.size,
            "suppressed": len(self.suppressed),
        }


@dataclass(frozen=True, slots=True)
class Export:
    """``open_sightings`` opens the snapshot's record index for reading; ``force`` lets any thin backfill go
    on, as a job's own ``force`` does for it.
    """

    manifest: ExportManifest
    open_sightings: Callable[[Path], Sightings]
    page_records: int = 500
    force: bool = False
    name: ClassVar[str] = "export"

    def run(self, run: Run, guard: Guard) -> Run:
        folder = run.root / layout.exports(run.job.job_type, run.job.job_id)
        shutil.rmtree(folder, ignore_errors=True)
        if run.job.job_type != "hourly_digest":
            inventory, redactions = self._inventory(run)
            run = replace(run, inventory=inventory)
            if run.job.job_type == "inventory":
                return replace(run, exported=self._looked_through(run, inventory, redactions, guard))
        if run.inventory is not None:
            self._require_enough(run, run.inventory)
        entries = [entry for entry in self.manifest.sources if entry.source_key in run.job.allowed_sources]
        try:
            with self.open_sightings(run.root / layout.RENDER_INDEX) as sightings:
                return _Taking(run, guard, self, sightings, folder, _purged(run)).all(entries)
        except ConsumerError:
            # Of a refused export nothing is kept, not even in a run folder that is about to go.
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _inventory(self, run: Run) -> tuple[Inventory, Counter[_Redacted]]:
        """What the sources hold, and what is left out of them by name."""
        keys = self._sources(run)
        answer = run.session.batch(BatchRequest(mode="inventory", source_keys=keys)) if keys else BatchResponse()
        found = assess(self.manifest, keys, dict(answer.source_counts), dict(answer.source_bytes))
        return found, _counted(answer.redactions)

    def _sources(self, run: Run) -> tuple[str, ...]:
        return tuple(e.source_key for e in self.manifest.sources if e.source_key in run.job.allowed_sources)

    def _looked_through(self, run: Run, inventory: Inventory, redactions: Counter[_Redacted], guard: Guard) -> Exported:
        """An inventory keeps no record: it counts, and reads the first to know what is left out inside of values."""
        keys = self._sources(run)
        types = {key: self.manifest.source(key).record_type for key in keys}
        examined = 0
        for page in Stream(keys, {}, {}).pages(run.session, "backfill", self.page_records, guard.check) if keys else ():
            redactions.update(_counted(page.redactions))
            for record in page.records:
                checks.require_asked(run.job, types, record)
                examined += not record.deleted
            if examined >= EXAMINED_RECORDS:
                break
        return Exported(
            records=0,
            deleted=0,
            source_counts={one.source_key: one.records for one in inventory.sources},
            source_bytes={one.source_key: one.bytes for one in inventory.sources},
            redactions=_listed(redactions),
            examined=examined,
        )

    def _require_enough(self, run: Run, inventory: Inventory) -> None:
        if inventory.verdict == "insufficient" and not (self.force or run.job.force):
            raise EvidenceInsufficient(
                f"job {run.job.job_id}: {inventory.reached} of {inventory.needed} sources have enough records;"
                f" too few in: {', '.join(thin(inventory)) or 'none allowed'}"
            )


@dataclass(slots=True)
class _Taking:
    """One run of the export: every source that the job may read, page by page."""

    job: Run
    guard: Guard
    stage: Export
    sightings: Sightings
    folder: Path
    purged: Suppressed
    #: Of the stream that is being read: its sources, and the type of their records.
    types: Mapping[str, str] = field(default_factory=dict)
    redactions: Counter[_Redacted] = field(default_factory=Counter)

    def all(self, entries: list[SourceEntry]) -> Run:
        """Every source, then the manifest and the cursors' mirror, if anything changed."""
        taken = {e.source_key: _Taken(e, rawfiles.BatchWriter(self.folder, e.source_key)) for e in entries}
        # A backfill sees all there is, whatever was seen before.
        cursors = self.job.cursors if self._mode() == "incremental" else {}
        rows = streams.resumed(cursors, list(taken))
        try:
            for row in rows:
                self._stream(row, taken)
        finally:
            for one in taken.values():
                one.writer.close()
        absent = self._absent(taken)
        exported = _exported(taken, absent, self.redactions)
        run = replace(self.job, cursors=streams.cursors(rows), exported=exported)
        if not exported.records and not exported.deleted:
            return run
        return self._finish(run, taken, rows, absent)

    def _mode(self) -> ExportMode:
        return "incremental" if self.job.job.job_type == "hourly_digest" else "backfill"

    def _stream(self, stream: Stream, taken: Mapping[str, _Taken]) -> None:
        asked = {key: taken[key] for key in stream.source_keys}
        self.types = {key: one.entry.record_type for key, one in asked.items()}
        for page in stream.pages(self.job.session, self._mode(), self.stage.page_records, self.guard.check):
            self.redactions.update(_counted(page.redactions))
            self.sightings.expect([(record.source_key, record.record_id) for record in page.records])
            for record in page.records:
                self._record(asked, record)

    def _record(self, asked: Mapping[str, _Taken], record: Record) -> None:
        checks.require_asked(self.job.job, self.types, record)
        taken = asked[record.source_key]
        last = self.sightings.last(record.source_key, record.record_id)
        data = None if _is_at(last, record) else checks.canonical_data(self.job.job, record)
        if self.purged.hides(record.source_key, record.record_id, record.updated_at):
            taken.suppressed.add(hashlib.sha256(record.record_id.encode()).digest())
            return
        updated_at = utc_text(record.updated_at)
        if record.deleted:
            # A live row seen at that time or later proves that the tombstone is older than the row.
            if last is None or last.updated_at >= updated_at:
                return
            self.sightings.note(record.source_key, record.record_id, None, updated_at, "")
            taken.deleted += 1
        else:
            seen = Sighting(record.checksum, updated_at, utc_text(record.occurred_at) if record.occurred_at else "")
            self.sightings.note(record.source_key, record.record_id, *seen)
            # A touched row counts as changed even at the same checksum: its page says when it was updated.
            if last == seen:
                return
            taken.records += 1
        raw = rawfiles.line(record, data or checks.canonical_data(self.job.job, record))
        taken.size += len(raw)
        taken.writer.write(raw)

    def _absent(self, taken: Mapping[str, _Taken]) -> dict[str, int]:
        """After a backfill: indexed records that their source no longer shows. Written as ABSENT; counts by source."""
        if self._mode() != "backfill":
            return {}
        counts: dict[str, int] = {}
        writer = None
        totals = {item.source_key: item.records for item in self.job.inventory.sources} if self.job.inventory else {}
        for key, one in taken.items():
            # A server that showed fewer records than it counted has not shown all: absence proves nothing then.
            if self.sightings.live(key) + len(one.suppressed) < totals.get(key, 0):
                continue
            for record_id in self.sightings.unseen(key):
                if writer is None:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    writer = (self.folder / rawfiles.ABSENT).open("wb")
                writer.write(orjson.dumps({"source_key": key, "record_id": record_id}) + b"\n")
                counts[key] = counts.get(key, 0) + 1
        if writer is not None:
            writer.close()
        return counts

    def _finish(self, run: Run, taken: Mapping[str, _Taken], rows: Sequence[Stream], absent: Mapping[str, int]) -> Run:
        files = [file for one in taken.values() for file in one.writer.files]
        assert run.exported is not None
        relative = f"{layout.exports(run.job.job_type, run.job.job_id)}/{rawfiles.MANIFEST}"
        document = {
            "job_id": run.job.job_id,
            "job_type": run.job.job_type,
            "user_id": run.job.user_id,
            "mode": self._mode(),
            "sources": {key: one.to_json() for key, one in taken.items()},
            "streams": [row.to_json() for row in rows],
            "files": files,
            "absent": dict(absent),
            "redactions": [one.model_dump() for one in run.exported.redactions],
        }
        rawfiles.write_json(run.root / relative, document)
        rawfiles.write_json(run.root / layout.CURSORS / "export.json", run.cursors)
        artifact = Artifact(
            artifact_type="raw_export_manifest",
            workspace_path=relative,
            summary=f"{run.exported.records} records and {run.exported.deleted} deletions in {len(files)} files",
        )
        return replace(run, exported=replace(run.exported, manifest=relative), artifacts=(*run.artifacts, artifact))


def _is_at(last: Sighting | None, record: Record) -> bool:
    """Whether the record's data is what was seen last: then it need not be encoded and compared once more."""
    return last is not None and last.checksum == record.checksum and canonical.has_digest(record.data, record.checksum)


def _purged(run: Run) -> Suppressed:
    """The records that were purged from this workspace, also by a version that kept their list in the tree.

    Raises:
        SnapshotRefused: their list cannot be read; an export could bring back what was erased.
    """
    path = run.root / suppression.PATH
    if not path.is_file():
        return run.suppressed
    try:
        return run.suppressed.union(suppression.decode(path.read_bytes()))
    except ValueError as exc:
        raise SnapshotRefused(str(exc)) from exc


def _counted(redactions: Iterable[Redaction]) -> Counter[_Redacted]:
    found: Counter[_Redacted] = Counter()
    for one in redactions:
        found[one.source_key, one.field, one.reason] += one.count
    return found


def _listed(redactions: Mapping[_Redacted, int]) -> tuple[Redaction, ...]:
    return tuple(
        Redaction(source_key=source, field=field, reason=reason, count=count)
        for (source, field, reason), count in sorted(redactions.items())
    )


def _exported(taken: Mapping[str, _Taken], absent: Mapping[str, int], redactions: Mapping[_Redacted, int]) -> Exported:
    return Exported(
        records=sum(one.records for one in taken.values()),
        deleted=sum(one.deleted for one in taken.values()) + sum(absent.values()),
        source_counts={key: one.records for key, one in taken.items()},
        source_bytes={key: one.size for key, one in taken.items()},
        redactions=_listed(redactions),
    )
