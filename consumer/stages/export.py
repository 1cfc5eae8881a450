"""
Stage 2 of 8, export: bring every record that changed since the last snapshot into the workspace, as raw evidence.

Reads    run.cursors (set by hydrate), the record index of the snapshot, which records were purged, the control plane's
         export API.
Writes   runtime/exports/{backfill,hourly}/{job_id}/ and runtime/cursors/, and only when something changed; run.cursors,
         run.exported, run.inventory, the raw manifest's artifact.
Repeats  safely: it starts again from the hydrated cursors and rewrites its own folder; only the commit keeps cursors.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import orjson

from consumer import layout
from consumer.errors import ConsumerError, EvidenceInsufficient, ExportShort, SnapshotRefused
from consumer.evidence import checks, rawfiles, streams
from consumer.evidence.records import Sighting, Sightings, Version
from consumer.evidence.streams import Stream
from consumer.inventory import Inventory, assess, thin
from consumer.ports import Guard
from consumer.run import Exported, Run, Short
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed
from contract import canonical
from contract.api import Artifact, BatchRequest, BatchResponse, ExportMode, Redaction
from contract.event import utc_text
from contract.exclusions import Excluder
from contract.manifest import ExportManifest, SourceEntry
from contract.records import Record

#: Records that an inventory reads to find secrets inside of values: one of its five minutes on a small machine.
EXAMINED_RECORDS: Final = 100_000
#: How often a backfill whose totals differ exports the changes since and counts again.
RECOUNTS: Final = 2
#: Broken records of one source that the raw export lists by id; it counts the others by reason.
NAMED_REFUSALS: Final = 1_000
#: Source, field, reason.
_Redacted = tuple[str, str, str]


@dataclass(slots=True)
class _Taken:
    """The export of one source; ``records``: those with a new checksum."""

    entry: SourceEntry
    writer: rawfiles.BatchWriter
    records: int = 0
    deleted: int = 0
    size: int = 0
    #: Versions that arrived after a newer one of the same record.
    outdated: int = 0
    #: Digests of the ids of purged records that the source still has.
    suppressed: set[bytes] = field(default_factory=set)
    #: Digests of the ids of records that the user wants kept out.
    excluded: set[bytes] = field(default_factory=set)
    #: Broken records: id -> reason; ``nameless``: the number without a readable id.
    refused: dict[str, str] = field(default_factory=dict)
    nameless: int = 0
    #: Broken records whose stored version is kept, because this export has no valid one.
    kept: set[str] = field(default_factory=set)

    @property
    def refusals(self) -> int:
        return len(self.refused) + self.nameless

    def to_json(self) -> dict[str, Any]:
        return {
            "records": self.records,
            "deleted": self.deleted,
            "bytes": self.size,
            "outdated": self.outdated,
            "suppressed": len(self.suppressed),
            "excluded": len(self.excluded),
            "refused": self.refusals,
        }


#: Nothing is kept out.
NOTHING_EXCLUDED: Final = Excluder("", ())


@dataclass(frozen=True, slots=True)
class Export:
    """``open_sightings`` opens the snapshot's record index for reading; ``force`` accepts a backfill with too few
    records, as a job's own ``force`` does.
    """

    manifest: ExportManifest
    open_sightings: Callable[[Path], Sightings]
    page_records: int = 500
    force: bool = False
    #: user_id -> what the user wants kept out; asked at each export. Raises as ``ports.Overlays``.
    excluder_of: Callable[[str], Excluder] = lambda _user_id: NOTHING_EXCLUDED
    name: ClassVar[str] = "export"

    def run(self, run: Run, guard: Guard) -> Run:
        folder = run.root / layout.exports(run.job.job_type, run.job.job_id)
        shutil.rmtree(folder, ignore_errors=True)
        if run.job.job_type != "hourly_digest":
            inventory, redactions = self.count(run)
            run = replace(run, inventory=inventory)
            if run.job.job_type == "inventory":
                return replace(run, exported=self._looked_through(run, inventory, redactions, guard))
        if run.inventory is not None:
            self._require_enough(run, run.inventory)
        entries = [entry for entry in self.manifest.sources if entry.source_key in run.job.allowed_sources]
        excluder = self.excluder_of(run.job.user_id)
        try:
            with self.open_sightings(run.root / layout.RENDER_INDEX) as sightings:
                return _Taking(run, guard, self, sightings, folder, _purged(run), excluder).all(entries)
        except ConsumerError:
            # Nothing of a refused export is kept, not even in a run folder that is about to be deleted.
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def count(self, run: Run) -> tuple[Inventory, Counter[_Redacted]]:
        """The sources' totals, and the number of values left out by field name."""
        keys = self._sources(run)
        answer = run.session.batch(BatchRequest(mode="inventory", source_keys=keys)) if keys else BatchResponse()
        inventory = assess(self.manifest, keys, dict(answer.source_counts), dict(answer.source_bytes))
        return inventory, _counted(answer.redactions)

    def _sources(self, run: Run) -> tuple[str, ...]:
        return tuple(e.source_key for e in self.manifest.sources if e.source_key in run.job.allowed_sources)

    def _looked_through(self, run: Run, inventory: Inventory, redactions: Counter[_Redacted], guard: Guard) -> Exported:
        """An inventory: counts, and reads the first records to find secrets inside of values. It keeps no record."""
        keys = self._sources(run)
        types = {key: self.manifest.source(key).record_type for key in keys}
        examined = 0
        refused: Counter[str] = Counter()
        for page in Stream(keys, {}, {}).pages(run.session, "backfill", self.page_records, guard.check) if keys else ():
            redactions.update(_counted(page.redactions))
            for record in page.records:
                checks.require_asked(run.job, types, record)
                examined += not record.deleted
            for broken in page.refused:
                checks.require_refused(run.job, types, broken)
                refused[broken.source_key] += 1
            if examined >= EXAMINED_RECORDS:
                break
        return Exported(
            records=0,
            deleted=0,
            source_counts={source.source_key: source.records for source in inventory.sources},
            source_bytes={source.source_key: source.bytes for source in inventory.sources},
            redactions=_listed(redactions),
            examined=examined,
            refused=dict(refused),
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
    excluder: Excluder
    #: The current stream's sources -> the type of their records.
    types: Mapping[str, str] = field(default_factory=dict)
    redactions: Counter[_Redacted] = field(default_factory=Counter)
    started: str = field(init=False)

    def __post_init__(self) -> None:
        self.started = utc_text(self.job.started_at)

    def all(self, entries: list[SourceEntry]) -> Run:
        """Export every source; then write the manifest and the copy of the cursors, if anything changed."""
        taken = {e.source_key: _Taken(e, rawfiles.BatchWriter(self.folder, e.source_key)) for e in entries}
        # A backfill reads everything, whatever earlier runs read.
        cursors = self.job.cursors if self._mode() == "incremental" else {}
        rows = streams.resumed(cursors, list(taken))
        try:
            for row in rows:
                self._stream(row, taken, self._mode())
            short = self._counted_again(rows, taken)
        finally:
            for source in taken.values():
                source.writer.close()
        self._require_all(short)
        absent = self._absent(taken, short)
        exported = _exported(taken, absent, self.redactions, short)
        run = replace(self.job, cursors=streams.cursors(rows), exported=exported)
        if not exported.records and not exported.deleted and not self._to_remember(taken):
            return run
        return self._finish(run, taken, rows, absent)

    def _mode(self) -> ExportMode:
        return "incremental" if self.job.job.job_type == "hourly_digest" else "backfill"

    def _to_remember(self, taken: Mapping[str, _Taken]) -> bool:
        """Whether a run without new records must still commit.

        An increment need not: without a commit its cursor does not move, so the next one reads the same again.
        """
        if self._mode() == "incremental":
            return False
        return any(source.refusals for source in taken.values()) or next(self.sightings.stamps(), None) is not None

    def _stream(self, stream: Stream, taken: Mapping[str, _Taken], mode: ExportMode) -> None:
        sources = {key: taken[key] for key in stream.source_keys}
        self.types = {key: source.entry.record_type for key, source in sources.items()}
        nameless = {key: source.nameless for key, source in sources.items()}
        for source in sources.values():
            source.nameless = 0
        for page in stream.pages(self.job.session, mode, self.stage.page_records, self.guard.check):
            self.redactions.update(_counted(page.redactions))
            self.sightings.expect([(record.source_key, record.record_id) for record in page.records])
            for record in page.records:
                self._record(sources, record)
            for refused in page.refused:
                checks.require_refused(self.job.job, self.types, refused)
                self._refuse(sources[refused.source_key], refused.record_id, refused.reason)
        for key, source in sources.items():
            # Increments overlap what was read before; records without ids would be counted twice.
            source.nameless = max(source.nameless, nameless[key])

    def _record(self, sources: Mapping[str, _Taken], record: Record) -> None:
        checks.require_asked(self.job.job, self.types, record)
        taken, key = sources[record.source_key], (record.source_key, record.record_id)
        last = self.sightings.last(*key)
        try:
            data = None if _is_at(last, record) else checks.canonical_data(self.job.job, record)
        except checks.Broken as exc:
            self._refuse(taken, record.record_id, str(exc))
            return
        if self.purged.hides(*key, record.updated_at):
            if not record.deleted:
                taken.suppressed.add(hashlib.sha256(record.record_id.encode()).digest())
            return
        if (last is None or last.version is None) and self.excluder.excludes(record.source_key, record.data):
            # Only what this memory does not have: of the rest, the user chose what to forget.
            taken.excluded.add(hashlib.sha256(record.record_id.encode()).digest())
            return
        version = None if record.deleted else _version(record)
        # A clock that runs ahead must not make this version the newest forever.
        at = min(utc_text(record.updated_at), self.started)
        if last is not None and self._is_older(at, last, kept=record.record_id in taken.kept):
            taken.outdated += 1
            return
        self.sightings.note(*key, version, at)
        taken.kept.discard(record.record_id)
        # Was broken, and has been repaired or deleted since.
        taken.refused.pop(record.record_id, None)
        # Nothing changed: the same version, or a deletion of an unknown record. A touched row counts as changed even at
        # the same checksum, because its page states when it was updated.
        if version == (last.version if last else None):
            return
        if version is None:
            taken.deleted += 1
        else:
            taken.records += 1
        raw = rawfiles.line(record, data or checks.canonical_data(self.job.job, record))
        taken.size += len(raw)
        taken.writer.write(raw)

    def _is_older(self, at: str, last: Sighting, *, kept: bool) -> bool:
        """Whether a version is older than the newest known one. Of equal times, the one read last counts.

        A backfill is authoritative: its versions are compared only with each other.
        """
        return at < last.at and ((last.fresh and not kept) or self._mode() == "incremental")

    def _refuse(self, taken: _Taken, record_id: str, reason: str) -> None:
        """Leave a broken record out. Its stored version stays: the record exists, only its data is unreadable."""
        if not record_id:
            taken.nameless += 1
            return
        key = (taken.entry.source_key, record_id)
        if self.purged.hides(*key):
            taken.suppressed.add(hashlib.sha256(record_id.encode()).digest())
            return
        taken.refused[record_id] = reason
        last = self.sightings.last(*key)
        if last is not None and last.version is not None and not last.fresh:
            self.sightings.note(*key, last.version, last.at)
            taken.kept.add(record_id)

    def _counted_again(self, rows: Sequence[Stream], taken: Mapping[str, _Taken]) -> tuple[Short, ...]:
        """Sources of a backfill that returned fewer records than they have.

        Rows may be added and deleted while an export runs. So if totals differ, the changes since are exported and
        the sources counted again: what is still missing existed before and after.
        """
        if self._mode() != "backfill" or self.job.inventory is None:
            return ()
        expected = _totals(self.job.inventory)
        short = self._short(taken, expected)
        for _ in range(RECOUNTS if short else 0):
            for row in rows:
                self._stream(row, taken, "incremental")
            recounted = _totals(self.stage.count(self.job)[0])
            expected, before = recounted, expected
            short = self._short(taken, {key: min(before.get(key, 0), recounted.get(key, 0)) for key in taken})
            if not short:
                break
        return short

    def _short(self, taken: Mapping[str, _Taken], expected: Mapping[str, int]) -> tuple[Short, ...]:
        compared = (Short(key, expected.get(key, 0), self._accounted(source)) for key, source in taken.items())
        return tuple(source for source in compared if source.missing > 0)

    def _accounted(self, taken: _Taken) -> int:
        """Number of records of a source that this run accounts for: read, purged, or broken."""
        key = taken.entry.source_key
        unread = sum(self._is_unknown(key, record_id) for record_id in taken.refused)
        return self.sightings.live(key) + len(taken.suppressed) + len(taken.excluded) + unread + taken.nameless

    def _is_unknown(self, source: str, record_id: str) -> bool:
        last = self.sightings.last(source, record_id)
        return last is None or last.version is None

    def _require_all(self, short: Sequence[Short]) -> None:
        if short and not (self.stage.force or self.job.job.force):
            listed = ", ".join(f"{source.source_key} {source.exported:,} of {source.expected:,}" for source in short)
            raise ExportShort(f"job {self.job.job.job_id}: the export ended with fewer records than counted: {listed}")

    def _absent(self, taken: Mapping[str, _Taken], short: Sequence[Short]) -> dict[str, int]:
        """After a backfill: write indexed records that their source no longer has to ABSENT. -> counts by source."""
        if self._mode() != "backfill":
            return {}
        # A server that showed fewer records than it counted has not shown all, and a broken one without a name may be
        # any: absence proves nothing then.
        unproven = {source.source_key for source in short}
        unproven |= {key for key, source in taken.items() if source.nameless}
        counts: dict[str, int] = {}
        rawfiles.write_lines(
            self.folder / rawfiles.ABSENT, self._unseen([k for k in taken if k not in unproven], counts)
        )
        return counts

    def _unseen(self, keys: Sequence[str], counts: dict[str, int]) -> Iterator[bytes]:
        for key in keys:
            for record_id, updated_at in self.sightings.unseen(key):
                counts[key] = counts.get(key, 0) + 1
                at = min(updated_at, self.started)
                yield orjson.dumps({"source_key": key, "record_id": record_id, "updated_at": at})

    def _finish(self, run: Run, taken: Mapping[str, _Taken], rows: Sequence[Stream], absent: Mapping[str, int]) -> Run:
        files = [file for source in taken.values() for file in source.writer.files]
        assert run.exported is not None
        relative = f"{layout.exports(run.job.job_type, run.job.job_id)}/{rawfiles.MANIFEST}"
        document = {
            "job_id": run.job.job_id,
            "job_type": run.job.job_type,
            "user_id": run.job.user_id,
            "mode": self._mode(),
            # A restore needs it when a purge has left no page that says it.
            "timezone": run.job.timezone,
            "sources": {key: source.to_json() for key, source in taken.items()},
            "streams": [row.to_json() for row in rows],
            "files": files,
            "absent": dict(absent),
            "redactions": [redaction.model_dump() for redaction in run.exported.redactions],
            "refused": dict(run.exported.refused),
            "short": [asdict(short) for short in run.exported.short],
        }
        rawfiles.write_lines(self.folder / rawfiles.REFUSED, _refused(taken))
        stamps = (f"{stamp.record} {stamp.at}".encode() for stamp in self.sightings.stamps())
        rawfiles.write_lines(self.folder / rawfiles.STAMPS, stamps)
        rawfiles.write_json(run.root / relative, document)
        rawfiles.write_json(run.root / layout.CURSORS / "export.json", run.cursors)
        artifact = Artifact(
            artifact_type="raw_export_manifest",
            workspace_path=relative,
            summary=f"{run.exported.records} records and {run.exported.deleted} deletions in {len(files)} files",
        )
        return replace(run, exported=replace(run.exported, manifest=relative), artifacts=(*run.artifacts, artifact))


def _version(record: Record) -> Version:
    return Version(
        record.checksum, utc_text(record.updated_at), utc_text(record.occurred_at) if record.occurred_at else ""
    )


def _is_at(last: Sighting | None, record: Record) -> bool:
    """Whether the record is the version read last, so that its data need not be encoded and compared again."""
    seen = last.version.checksum if last and last.version else None
    return seen == record.checksum and canonical.has_digest(record.data, record.checksum)


def _totals(inventory: Inventory) -> dict[str, int]:
    return {item.source_key: item.records for item in inventory.sources}


def _refused(taken: Mapping[str, _Taken]) -> Iterator[bytes]:
    """Lines of REFUSED: NAMED_REFUSALS records by id, in id order, and a count for each reason of the others."""
    for key, source in taken.items():
        by_id = sorted(source.refused.items())
        for record_id, reason in by_id[:NAMED_REFUSALS]:
            yield orjson.dumps({"source_key": key, "record_id": record_id, "reason": reason})
        unnamed = Counter(reason for _, reason in by_id[NAMED_REFUSALS:])
        if source.nameless:
            unnamed["no id can be read"] += source.nameless
        for reason, count in sorted(unnamed.items()):
            yield orjson.dumps({"source_key": key, "records": count, "reason": reason})


def _purged(run: Run) -> Suppressed:
    """The purged records of this workspace, including those listed in the tree by an earlier version.

    Raises SnapshotRefused: their list cannot be read, so an export could bring back erased records.
    """
    path = run.root / suppression.PATH
    if not path.is_file():
        return run.suppressed
    try:
        return run.suppressed.union(suppression.decode(path.read_bytes()))
    except ValueError as exc:
        raise SnapshotRefused(str(exc)) from exc


def _counted(redactions: Iterable[Redaction]) -> Counter[_Redacted]:
    counts: Counter[_Redacted] = Counter()
    for redaction in redactions:
        counts[redaction.source_key, redaction.field, redaction.reason] += redaction.count
    return counts


def _listed(redactions: Mapping[_Redacted, int]) -> tuple[Redaction, ...]:
    return tuple(
        Redaction(source_key=source, field=field, reason=reason, count=count)
        for (source, field, reason), count in sorted(redactions.items())
    )


def _exported(
    taken: Mapping[str, _Taken],
    absent: Mapping[str, int],
    redactions: Mapping[_Redacted, int],
    short: tuple[Short, ...],
) -> Exported:
    return Exported(
        records=sum(source.records for source in taken.values()),
        deleted=sum(source.deleted for source in taken.values()) + sum(absent.values()),
        source_counts={key: source.records for key, source in taken.items()},
        source_bytes={key: source.size for key, source in taken.items()},
        redactions=_listed(redactions),
        refused={key: source.refusals for key, source in taken.items() if source.refusals},
        short=short,
    )
