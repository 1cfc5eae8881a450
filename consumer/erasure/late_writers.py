"""Delete what paused runs write after a purge or an erasure, once they can write no more.

Packs, trees, catalogs, commits, checkpoints, stored answers, published copies and parked jobs are written without a
check of HEAD, so a paused run can resume after a purge or an erasure and put contents back into the bucket. Nobody
reads them: HEAD does not name them, a checkpoint's base is gone, an answer belongs to another question. But they are
stored. So each purge or erasure writes a note, ``late/<user_id>.json``, before its first deletion. Once every run and
token of that time has ended, the daily round sweeps again what nothing names. Only then is the erasure complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from consumer import paths
from consumer.delivery.ledger import SETTLED
from consumer.delivery.ledger import decode as decode_ledger
from consumer.errors import BlobNotFound, BlobUnavailable, LedgerUnreadable, PreconditionFailed, SnapshotIncomplete
from consumer.locking.exclusive import Hold
from consumer.maintenance import gc
from consumer.ports import BlobStat, BlobStore
from consumer.repository.workspace import Repository
from consumer.snapshot import snapshot
from consumer.snapshot.snapshot import Head, Tree
from consumer.storage.conditional import existing
from contract import canonical
from service import telemetry

#: Longer than the longest run's budget plus the lifetimes of a job token and a Google access token: after that, no
#: earlier lock holder can write. A test compares it with manifests/pipelines.yaml and limits.yaml.
HORIZON: Final = timedelta(hours=3)
#: Lifetime of a Google access token, also of a narrowed one.
ACCESS_TOKEN_S: Final = 3600
#: Rounds of listing and deleting: the next round deletes an object that was written again after the listing.
ROUNDS: Final = 3
#: Rounds of writing the note.
NOTE_ROUNDS: Final = 5
_DEAD_KEY_UUID: Final = 36
#: Prefix of the job id in a HEAD that a reset wrote.
RESET: Final = "reset-"
SCHEMA: Final = "memory.late-writers.v1"


class LateWriterNote(BaseModel):
    """A second sweep of this user is owed. ``seq``: no earlier commit has a higher number.

    ``job_ids``: jobs whose ledgers and dead letters the second sweep deletes.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: Literal["memory.late-writers.v1"] = Field(default=SCHEMA, alias="schema")
    user_id: str
    why: Literal["purge", "erase", "reset"]
    epoch: Annotated[int, Field(ge=0)]
    seq: Annotated[int, Field(ge=0)]
    due: AwareDatetime
    job_ids: tuple[str, ...] = ()

    def encode(self) -> bytes:
        return canonical.dumps(self.model_dump(mode="json", by_alias=True))


@dataclass(frozen=True, slots=True)
class Removed:
    """Deleted objects by kind (their folder), and their bytes."""

    objects: Mapping[str, int] = field(default_factory=dict)
    bytes: int = 0

    @property
    def count(self) -> int:
        return sum(self.objects.values())

    def plus(self, other: Removed) -> Removed:
        objects = Counter(self.objects) + Counter(other.objects)
        return Removed(dict(sorted(objects.items())), self.bytes + other.bytes)


@dataclass(frozen=True, slots=True)
class Swept:
    """``due``: the time of the final sweep; None: this was it, and no earlier run can write any more."""

    removed: Removed
    due: datetime | None


def remember(
    repository: Repository,
    why: Literal["purge", "erase", "reset"],
    hold: Hold,
    *,
    seq: int,
    job_ids: Iterable[str] = (),
) -> LateWriterNote:
    """Write the note that a second sweep is owed, before anything is deleted or swapped. Needs the user's lock.

    Repeatable: a joined note has the later due time and the jobs of both. Raises BlobUnavailable, LockLost.
    """
    hold.check()
    name, pause = paths.late(repository.user_id), 0.1
    for _ in range(NOTE_ROUNDS):
        previous, stat = _read(repository.store.bucket, name)
        # The server's time, by which token lifetimes are counted, comes with the lock's object.
        now = repository.blobs.stat(paths.lock(repository.user_id)).server_time
        note = LateWriterNote(
            user_id=repository.user_id, why=why, epoch=hold.epoch, seq=seq, due=now + HORIZON, job_ids=tuple(job_ids)
        )
        if previous is not None:
            note = _joined(previous, note)
        try:
            repository.store.bucket.write(
                name, note.encode(), if_generation=stat.generation if stat else 0, content_type="application/json"
            )
        except (PreconditionFailed, BlobUnavailable):
            repository.store.clock.sleep(pause)
            pause *= 2
            continue
        return note
    raise BlobUnavailable(f"{name} could not be written in {NOTE_ROUNDS} rounds")


def noted(repository: Repository) -> LateWriterNote | None:
    """The note about this user, if a second sweep is owed. Raises BlobUnavailable."""
    return _read(repository.store.bucket, paths.late(repository.user_id))[0]


def owed(bucket: BlobStore) -> Iterator[LateWriterNote]:
    """Notes that are due by the bucket's clock. An unreadable note counts as due, since a sweep does no harm."""
    for stat in bucket.list(paths.late()):
        note, current = _read(bucket, stat.name)
        if note is not None and current is not None and current.server_time >= note.due:
            yield note


def sweep(repository: Repository, hold: Hold) -> Swept:
    """Delete what late writers left, whatever HEAD is by now; delete the note once it is due. Repeatable.

    If everything was erased, delete all but HEAD, lock and suppressions. If HEAD names a commit (after a selective
    purge, or in a memory begun anew), delete what is not reachable from HEAD: objects, stored answers, checkpoints, and
    published copies of erased files. Needs the user's lock with HEAD fenced.

    Raises SnapshotIncomplete, WorkspaceFrozen (the reachable objects are unknown), LockLost, BlobUnavailable.
    """
    head = repository.read_head()
    note, stat = _read(repository.store.bucket, paths.late(repository.user_id))
    if head is not None and head.erased:
        # The history that a reset archived stays, and parked jobs belong to the new memory.
        archived = (paths.archive(repository.user_id), paths.parked(repository.user_id)) if is_reset(head) else ()
        removed = delete_all(repository, hold, spared=archived)
    elif head is not None and head.commit is not None:
        removed = _unnamed(repository, hold)
        if note is not None and note.why == "purge":
            # An archived history cannot be rewritten and may hold purged records, so it is deleted as a whole.
            removed = removed.plus(delete_below(repository, paths.archive(repository.user_id), hold))
            removed = removed.plus(_exports_before(repository, note.seq, hold))
    else:
        raise SnapshotIncomplete(
            f"{paths.head(repository.user_id)} neither names a commit nor records a finished erasure"
        )
    if note is None or stat is None:
        return Swept(removed, None)
    if stat.server_time < note.due:
        return Swept(removed, note.due)
    if note.why == "erase":
        removed = removed.plus(delete_jobs(repository, note.job_ids, hold, open_too=True))
    _delete(repository.store.bucket, stat)
    return Swept(removed, None)


def delete_all(repository: Repository, hold: Hold, spared: Iterable[str] = ()) -> Removed:
    """Delete everything below the user's prefix but HEAD, lock, suppressions and the ``spared`` prefixes."""
    blobs, prefix = repository.blobs, paths.user(repository.user_id)
    keep = (paths.head(repository.user_id), paths.lock(repository.user_id), paths.suppressed(repository.user_id))
    prefixes = tuple(spared)
    removed = Removed()
    for _ in range(ROUNDS):
        stats = [
            stat
            for stat in blobs.list(prefix)
            if stat.name not in keep and not (prefixes and stat.name.startswith(prefixes))
        ]
        if not stats:
            break
        removed = removed.plus(_deleted(blobs, stats, lambda name: kind(repository.user_id, name), hold))
    return removed


def delete_below(repository: Repository, prefix: str, hold: Hold) -> Removed:
    """Delete everything below one of the user's folders. Repeatable. Raises BlobUnavailable, LockLost."""
    blobs = repository.blobs
    return _deleted(blobs, blobs.list(prefix), lambda name: kind(repository.user_id, name), hold)


def _exports_before(repository: Repository, seq: int, hold: Hold) -> Removed:
    """Delete users' exports of commits up to this number: one that was paused may have been written after the purge."""
    blobs, folder = repository.blobs, paths.takeouts(repository.user_id)
    stats = [stat for stat in blobs.list(folder) if stat.name.removeprefix(folder)[:12] <= f"{seq:012d}"]
    return _deleted(blobs, stats, lambda name: kind(repository.user_id, name), hold)


def is_reset(head: Head) -> bool:
    """Whether a reset wrote this HEAD, and not an erasure of everything."""
    return bool(head.erased) and (head.job_id or "").startswith(RESET)


def delete_jobs(repository: Repository, job_ids: Iterable[str], hold: Hold, *, open_too: bool = False) -> Removed:
    """Delete run ledgers and dead letters of these jobs, and dead letters of messages that name the user.

    An unsettled ledger stays unless ``open_too``: without its ledger, the job would start at a lower attempt number
    than its row's, and could never end. Raises BlobUnavailable, LockLost.
    """
    ids, removed = frozenset(job_ids), Removed()
    for job_id in sorted(ids):
        hold.check()
        blob = existing(repository.store.bucket, paths.ledger(job_id))
        if blob and (open_too or _settled(job_id, blob.data)):
            removed = removed.plus(_deleted(repository.store.bucket, [blob.stat], lambda _name: "ledgers", hold))
    dead_letters = [
        stat
        for stat in repository.store.bucket.list(paths.dead_letters())
        if _is_about(repository.store.bucket, stat, repository.user_id, ids)
    ]
    return removed.plus(_deleted(repository.store.bucket, dead_letters, lambda _name: "dead_letters", hold))


def kind(user_id: str, name: str) -> str:
    """An object's kind in counts: its folder below the user's prefix."""
    folder, slash, _ = name.removeprefix(paths.user(user_id)).partition("/")
    return folder if slash else "other"


# --- what is not reachable from HEAD


def _unnamed(repository: Repository, hold: Hold) -> Removed:
    repository.fence(hold.epoch)
    swept = gc.collect(repository, hold, grace=timedelta(0))
    removed = Removed(dict(Counter(kind(repository.user_id, name) for name, _ in swept.deleted)), swept.bytes)
    blobs = repository.blobs
    trees = _Trees(repository)
    stale = [stat for stat in blobs.list(f"{paths.user(repository.user_id)}published/") if not trees.vouch(stat)]
    return removed.plus(_deleted(blobs, stale, lambda name: kind(repository.user_id, name), hold))


@dataclass(slots=True)
class _Trees:
    """The commits' trees by number, to compare published copies with."""

    repository: Repository
    trees: dict[int, Tree | None] = field(default_factory=dict)

    def vouch(self, stat: BlobStat) -> bool:
        """Whether this copy equals its commit's file, or is the note of a run without a commit."""
        number, _, path = stat.name.removeprefix(f"{paths.user(self.repository.user_id)}published/").partition("/")
        tree = self._tree(int(number)) if number.isdecimal() else None
        if tree is None:
            return False
        if path not in tree.entries:
            return not tree.erased
        copy = existing(self.repository.blobs, stat.name)
        return copy is None or snapshot.digest_of(copy.data)[1] == tree.entries[path].digest

    def _tree(self, seq: int) -> Tree | None:
        if seq not in self.trees:
            snapshot_now = self.repository.load()
            # Before a user's first commit, notes of runs without a commit have number 0.
            lowest = 0 if snapshot_now.catalog.origin == 1 else snapshot_now.catalog.origin
            if seq == 0 and lowest == 0:
                self.trees[seq] = Tree()
            elif lowest <= seq <= snapshot_now.head.seq:
                self.trees[seq] = self.repository.loader.tree(snapshot_now.catalog, seq)
            else:
                self.trees[seq] = None
        return self.trees[seq]


# --- objects


def _deleted(blobs: BlobStore, stats: Iterable[BlobStat], kind_of: Callable[[str], str], hold: Hold) -> Removed:
    objects: Counter[str] = Counter()
    size = 0
    for stat in stats:
        hold.check()
        if _delete(blobs, stat):
            objects[kind_of(stat.name)] += 1
            size += stat.size
    return Removed(dict(sorted(objects.items())), size)


def _delete(blobs: BlobStore, stat: BlobStat) -> bool:
    """False: the object is gone, or was written again; then the next round or the second sweep deletes it."""
    try:
        blobs.delete(stat.name, if_generation=stat.generation)
    except (BlobNotFound, PreconditionFailed):
        return False
    return True


def _settled(job_id: str, data: bytes) -> bool:
    try:
        return decode_ledger(job_id, data).state in SETTLED
    except LedgerUnreadable:
        return True


def _is_about(bucket: BlobStore, stat: BlobStat, user_id: str, job_ids: frozenset[str]) -> bool:
    """Whether a dead letter concerns these jobs, by its name, or, for a message of no job, the user, by its content."""
    key = stat.name.rpartition("/")[2]
    if not key.startswith("m-"):
        return key[:_DEAD_KEY_UUID] in job_ids
    message = existing(bucket, stat.name)
    return message is not None and user_id.encode() in message.data


def _read(bucket: BlobStore, name: str) -> tuple[LateWriterNote | None, BlobStat | None]:
    if (blob := existing(bucket, name)) is None:
        return None, None
    try:
        return LateWriterNote.model_validate_json(blob.data), blob.stat
    except ValidationError:
        user_id = name.removeprefix(paths.late()).removesuffix(".json")
        telemetry.log("note of late writers unreadable", name=name, bytes=len(blob.data), level=telemetry.WARNING)
        return LateWriterNote(user_id=user_id, why="purge", epoch=0, seq=0, due=blob.stat.updated), blob.stat


def _joined(previous: LateWriterNote, note: LateWriterNote) -> LateWriterNote:
    """One note for both. If either is of an erasure, the joined one is too."""
    why = "erase" if "erase" in (previous.why, note.why) else note.why
    job_ids = tuple(dict.fromkeys((*previous.job_ids, *note.job_ids)))
    return note.model_copy(update={"why": why, "seq": max(previous.seq, note.seq), "job_ids": job_ids})
