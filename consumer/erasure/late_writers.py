"""What a run writes outside of the HEAD swap, and when it can no more.

Packs, trees, catalogs, commits, checkpoints, stored answers, published copies and parked jobs are written without
asking HEAD, so a run that was paused can wake after a purge or an erasure and put contents back into the bucket. None
of it is ever read: HEAD names none of it, a checkpoint's base is gone, an answer was to another question. But it lies
there. So whoever erases leaves a note, ``late/<user_id>.json``, before the first deletion, and once every run and every
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
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import snapshot
from consumer.snapshot.snapshot import Head, Tree
from contract import canonical
from service import telemetry

#: Longer than the longest run's budget, a job token's life and that of Google's access tokens together: nobody who held
#: the lock before can write any more. A test holds it to manifests/pipelines.yaml and limits.yaml.
HORIZON: Final = timedelta(hours=3)
#: An access token of Google's lives an hour, a narrowed one too.
ACCESS_TOKEN_S: Final = 3600
#: Rounds of listing and deleting: an object that was written again since it was listed is met by the next one.
ROUNDS: Final = 3
#: Rounds of writing the note.
NOTE_ROUNDS: Final = 5
_DEAD_KEY_UUID: Final = 36
#: How the job id of a HEAD begins that a reset wrote.
RESET: Final = "reset-"
SCHEMA: Final = "memory.late-writers.v1"


class LateWriterNote(BaseModel):
    """That late writers of this user are to be swept once more. ``seq``: no commit of before has a higher number.

    ``job_ids``: jobs whose ledgers and dead letters go with the second sweep.
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
    """What was deleted: objects by kind (the folder they lay in), and bytes."""

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
    """``due``: when the second sweep may be the last; None: it was, and nobody of before can write any more."""

    removed: Removed
    due: datetime | None


def remember(
    store: WorkspaceStore,
    user_id: str,
    why: Literal["purge", "erase", "reset"],
    hold: Hold,
    *,
    seq: int,
    job_ids: Iterable[str] = (),
) -> LateWriterNote:
    """Leave the note that a second sweep is owed, before anything is deleted or swapped. Needs the user's lock.

    Repeatable: of two notes the later due time counts, and the jobs of both. Raises BlobUnavailable, LockLost.
    """
    hold.check()
    name, pause = paths.late(user_id), 0.1
    for _ in range(NOTE_ROUNDS):
        old, stat = _read(store.bucket, name)
        # The lock's own object tells the server's time, by which lives of tokens are counted.
        now = store.blobs(user_id).stat(paths.lock(user_id)).server_time
        note = LateWriterNote(
            user_id=user_id, why=why, epoch=hold.epoch, seq=seq, due=now + HORIZON, job_ids=tuple(job_ids)
        )
        if old is not None:
            note = _joined(old, note)
        try:
            store.bucket.write(
                name, note.encode(), if_generation=stat.generation if stat else 0, content_type="application/json"
            )
        except (PreconditionFailed, BlobUnavailable):
            store.clock.sleep(pause)
            pause *= 2
            continue
        return note
    raise BlobUnavailable(f"{name} could not be written in {NOTE_ROUNDS} rounds")


def noted(store: WorkspaceStore, user_id: str) -> LateWriterNote | None:
    """The note about this user, if a second sweep is owed. Raises BlobUnavailable."""
    return _read(store.bucket, paths.late(user_id))[0]


def owed(bucket: BlobStore) -> Iterator[LateWriterNote]:
    """Notes whose time has come, by the bucket's clock. An unreadable one counts as due: a sweep does no harm."""
    for stat in bucket.list(paths.late()):
        note, found = _read(bucket, stat.name)
        if note is not None and found is not None and found.server_time >= note.due:
            yield note


def sweep(store: WorkspaceStore, user_id: str, hold: Hold) -> Swept:
    """Delete what late writers left, whatever HEAD is by now; drop the note once its time has come. Repeatable.

    Where everything was erased, that is all but HEAD, lock and suppressions. Where HEAD names a commit (a selective
    purge, or a memory begun anew) it is what HEAD leads to nowhere: objects, stored answers, checkpoints, and published
    copies of what is gone. Needs the user's lock with HEAD fenced.

    Raises SnapshotIncomplete, WorkspaceFrozen (what is named cannot be known), LockLost, BlobUnavailable.
    """
    head = store.read_head(user_id)
    note, stat = _read(store.bucket, paths.late(user_id))
    if head is not None and head.erased:
        # What a reset set aside stays, and the jobs that wait are of now.
        aside = (paths.archive(user_id), paths.parked(user_id)) if is_reset(head) else ()
        removed = delete_all(store, user_id, hold, spared=aside)
    elif head is not None and head.commit is not None:
        removed = _unnamed(store, user_id, hold)
        if note is not None and note.why == "purge":
            # A history that was set aside cannot be rewritten: it may hold what was purged, and goes whole.
            removed = removed.plus(delete_below(store, user_id, paths.archive(user_id), hold))
    else:
        raise SnapshotIncomplete(f"{paths.head(user_id)} says neither what is named nor that all was erased")
    if note is None or stat is None:
        return Swept(removed, None)
    if stat.server_time < note.due:
        return Swept(removed, note.due)
    if note.why == "erase":
        removed = removed.plus(delete_jobs(store, user_id, note.job_ids, hold, open_too=True))
    _delete(store.bucket, stat)
    return Swept(removed, None)


def delete_all(store: WorkspaceStore, user_id: str, hold: Hold, spared: Iterable[str] = ()) -> Removed:
    """Everything below the user's prefix but HEAD, lock and suppressions (and prefixes that are ``spared``)."""
    blobs, prefix = store.blobs(user_id), paths.user(user_id)
    keep = (paths.head(user_id), paths.lock(user_id), paths.suppressed(user_id))
    kept = tuple(spared)
    removed = Removed()
    for _ in range(ROUNDS):
        found = [s for s in blobs.list(prefix) if s.name not in keep and not (kept and s.name.startswith(kept))]
        if not found:
            break
        removed = removed.plus(_deleted(blobs, found, lambda name: kind(user_id, name), hold))
    return removed


def delete_below(store: WorkspaceStore, user_id: str, prefix: str, hold: Hold) -> Removed:
    """Everything below one of the user's folders. Repeatable. Raises BlobUnavailable, LockLost."""
    blobs = store.blobs(user_id)
    return _deleted(blobs, blobs.list(prefix), lambda name: kind(user_id, name), hold)


def is_reset(head: Head) -> bool:
    """Was the history before this HEAD set aside or erased by a reset, and not everything erased?"""
    return bool(head.erased) and (head.job_id or "").startswith(RESET)


def delete_jobs(
    store: WorkspaceStore, user_id: str, job_ids: Iterable[str], hold: Hold, *, open_too: bool = False
) -> Removed:
    """Run ledgers and dead letters of these jobs of the user, and dead letters of messages that name the user.

    A ledger that is not settled stays unless ``open_too``: without it, its job would begin at a fence that its row is
    above, and could never end. Raises BlobUnavailable, LockLost.
    """
    ids, removed = frozenset(job_ids), Removed()
    for job_id in sorted(ids):
        hold.check()
        name = paths.ledger(job_id)
        try:
            blob = store.bucket.read(name)
        except BlobNotFound:
            continue
        if open_too or _settled(job_id, blob.data):
            removed = removed.plus(_deleted(store.bucket, [blob.stat], lambda _name: "ledgers", hold))
    letters = [stat for stat in store.bucket.list(paths.dead_letters()) if _is_about(store.bucket, stat, user_id, ids)]
    return removed.plus(_deleted(store.bucket, letters, lambda _name: "dead_letters", hold))


def kind(user_id: str, name: str) -> str:
    """The folder that an object of the user lies in, as counts name it."""
    first, slash, _ = name.removeprefix(paths.user(user_id)).partition("/")
    return first if slash else "other"


# --- what HEAD leads to nowhere


def _unnamed(store: WorkspaceStore, user_id: str, hold: Hold) -> Removed:
    store.fence(user_id, hold.epoch)
    swept = gc.collect(store, user_id, hold, grace=timedelta(0))
    removed = Removed(dict(Counter(kind(user_id, name) for name, _ in swept.deleted)), swept.bytes)
    blobs = store.blobs(user_id)
    trees = _Trees(store, user_id)
    stale = [stat for stat in blobs.list(f"{paths.user(user_id)}published/") if not trees.vouch(stat)]
    return removed.plus(_deleted(blobs, stale, lambda name: kind(user_id, name), hold))


@dataclass(slots=True)
class _Trees:
    """Trees of commits, by number, for the published copies that carry it."""

    store: WorkspaceStore
    user_id: str
    known: dict[int, Tree | None] = field(default_factory=dict)

    def vouch(self, stat: BlobStat) -> bool:
        """Is this copy what its commit says, or the note of a run that made no commit?"""
        number, _, path = stat.name.removeprefix(f"{paths.user(self.user_id)}published/").partition("/")
        tree = self._tree(int(number)) if number.isdecimal() else None
        if tree is None:
            return False
        if path not in tree.entries:
            return not tree.erased
        try:
            data = self.store.blobs(self.user_id).read(stat.name).data
        except BlobNotFound:
            return True
        return snapshot.digest_of(data)[1] == tree.entries[path].digest

    def _tree(self, seq: int) -> Tree | None:
        if seq not in self.known:
            found = self.store.load(self.user_id)
            # The note of a new user's run without a commit is numbered 0.
            first = 0 if found.catalog.origin == 1 else found.catalog.origin
            if seq == 0 and first == 0:
                self.known[seq] = Tree()
            elif first <= seq <= found.head.seq:
                self.known[seq] = self.store.loader(self.user_id).tree(found.catalog, seq)
            else:
                self.known[seq] = None
        return self.known[seq]


# --- objects


def _deleted(blobs: BlobStore, found: Iterable[BlobStat], kind_of: Callable[[str], str], hold: Hold) -> Removed:
    objects: Counter[str] = Counter()
    size = 0
    for stat in found:
        hold.check()
        if _delete(blobs, stat):
            objects[kind_of(stat.name)] += 1
            size += stat.size
    return Removed(dict(sorted(objects.items())), size)


def _delete(blobs: BlobStore, stat: BlobStat) -> bool:
    """False: it is gone already, or was written again since; then the next round, or the second sweep, meets it."""
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
    """By the job id in its name; the letter of a message that is no job says inside whom it is about."""
    key = stat.name.rpartition("/")[2]
    if not key.startswith("m-"):
        return key[:_DEAD_KEY_UUID] in job_ids
    try:
        data = bucket.read(stat.name).data
    except BlobNotFound:
        return False
    return user_id.encode() in data


def _read(bucket: BlobStore, name: str) -> tuple[LateWriterNote | None, BlobStat | None]:
    try:
        blob = bucket.read(name)
    except BlobNotFound:
        return None, None
    try:
        return LateWriterNote.model_validate_json(blob.data), blob.stat
    except ValidationError:
        user_id = name.removeprefix(paths.late()).removesuffix(".json")
        telemetry.log("note of late writers unreadable", name=name, bytes=len(blob.data), level=30)
        return LateWriterNote(user_id=user_id, why="purge", epoch=0, seq=0, due=blob.stat.updated), blob.stat


def _joined(old: LateWriterNote, new: LateWriterNote) -> LateWriterNote:
    """One note for both: an erasure stays one, whatever came after it."""
    why = "erase" if "erase" in (old.why, new.why) else new.why
    job_ids = tuple(dict.fromkeys((*old.job_ids, *new.job_ids)))
    return new.model_copy(update={"why": why, "seq": max(old.seq, new.seq), "job_ids": job_ids})
