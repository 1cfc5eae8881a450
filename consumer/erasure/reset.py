"""
Begin a memory anew from the app's data: the history is archived or erased, and the next commit is an origin. Purged
records stay purged. The workspace need not be readable; docs/erasure.md, "Beginning anew", lists the steps.

``archive`` moves every object to ``archive/<time>/`` unchanged, damaged or not, with a copy of HEAD. To read it, copy
the folder to ``users/<id>/`` of another bucket. A later purge of records deletes the archive as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from consumer import paths
from consumer.erasure import late_writers
from consumer.erasure.erase import highest_named, in_tree
from consumer.erasure.late_writers import Removed, kind
from consumer.erasure.suppressions import Suppressions
from consumer.errors import BlobNotFound, PreconditionFailed
from consumer.locking.exclusive import Hold
from consumer.ports import BlobStat
from consumer.repository.workspace import Repository
from consumer.snapshot.snapshot import Head
from consumer.storage.conditional import existing
from contract.event import utc_text
from service import telemetry

History = Literal["archive", "erase"]
#: Unfinished work on the old history: of no use to the new one, nor to a reader of the archive.
_NOT_ARCHIVED: Final = ("answers", "checkpoints", "readings")


class PurgeUnfinished(ValueError):
    """A purge's second sweep is not done yet, and an archive would keep what it deletes; the message says when."""


class NothingToReset(ValueError):
    """There is no history to reset, or an erasure must be finished first; the message says which."""


@dataclass(frozen=True, slots=True)
class Reset:
    """``archive``: the archived history's folder, or None. ``suppressed``: how many records stay purged."""

    archive: str | None
    archived: Removed
    removed: Removed
    suppressed: int
    seq: int


def reset(repository: Repository, reason: str, hold: Hold, *, history: History, suppressions: Suppressions) -> Reset:
    """Begin anew. Needs the lock of ``Exclusive.hold_to_erase``. Repeatable: after a crash the same call resumes.

    Raises SuppressionsUnreadable, ControlPlaneUnavailable: neither copy of the suppressions can be read, so purged
    records could come back. Nothing was done. PurgeUnfinished: the history cannot be archived yet. Nothing was done.
    NothingToReset, BlobUnavailable, LockLost.
    """
    suppressed = suppressions.read(repository.user_id, in_tree(repository))
    heads = repository.heads
    head, generation = heads.peek()
    _require_history(repository, head, generation)
    resuming = head is not None and late_writers.is_reset(head) and bool(head.frozen)
    if history == "archive":
        _require_swept(repository)
    reset_at = head.erased if head is not None and resuming else utc_text(repository.store.clock.now())
    folder = paths.archive(repository.user_id, f"{datetime.fromisoformat(reset_at):%Y%m%dT%H%M%S%fZ}")
    if history == "archive" and not resuming:
        _copy(repository, paths.head(repository.user_id), folder)
    seq = head.seq if head else 0
    mark = Head(
        seq=seq,
        epoch=hold.epoch,
        job_id=f"{late_writers.RESET}{hold.epoch}",
        frozen=f"the memory is being begun anew: {reason}"[:500],
        erased=reset_at,
    )
    heads.overwrite(mark)
    seq = max(seq, highest_named(repository, hold))
    heads.overwrite(replace(mark, seq=seq))
    late_writers.remember(repository, "reset", hold, seq=seq)
    archived = _archive(repository, folder, hold) if history == "archive" else Removed()
    spared = [paths.parked(repository.user_id)] + ([paths.archive(repository.user_id)] if history == "archive" else [])
    removed = late_writers.delete_all(repository, hold, spared=spared)
    repository.forget_locally()
    hold.check()
    heads.overwrite(replace(mark, seq=seq + 1, frozen=""))
    telemetry.log("memory begun anew", user_id=repository.user_id, archived=archived.count, removed=removed.count)
    count = sum(map(len, suppressed.lists.values()))
    return Reset(folder if history == "archive" else None, archived, removed, count, seq + 1)


def _require_swept(repository: Repository) -> None:
    """Refuse an archive before a purge's second sweep: a paused run may still write purged records into it."""
    note = late_writers.noted(repository)
    if note is not None and note.why == "purge":
        raise PurgeUnfinished(
            f"{repository.user_id}: the second sweep of a purge is due at {utc_text(note.due)}. "
            "Until then, a paused run may write purged records again. Nothing was done; try again after that time, "
            "or use --history erase"
        )


def _require_history(repository: Repository, head: Head | None, generation: int) -> None:
    if head is not None and head.erased and not late_writers.is_reset(head):
        state = "an erasure of everything is not finished" if head.frozen else "everything was erased already"
        raise NothingToReset(
            f"{repository.user_id}: {state}. Run `cloop-memory workspace purge --everything` to finish it, or "
            "`cloop-memory user enable --begin-anew` to fill the memory again"
        )
    if generation == 0 and next(_movable(repository), None) is None:
        raise NothingToReset(f"{repository.user_id} has no workspace yet, so there is nothing to reset")


def _movable(repository: Repository) -> Iterator[BlobStat]:
    """Objects of the history and objects made from it."""
    keep = (paths.head(repository.user_id), paths.lock(repository.user_id), paths.suppressed(repository.user_id))
    not_archived = [f"{paths.user(repository.user_id)}{folder}/" for folder in _NOT_ARCHIVED]
    excluded = (paths.archive(repository.user_id), paths.parked(repository.user_id), *not_archived)
    for stat in repository.blobs.list(paths.user(repository.user_id)):
        if stat.name not in keep and not stat.name.startswith(excluded):
            yield stat


def _archive(repository: Repository, folder: str, hold: Hold) -> Removed:
    """Copy each object, then delete it: a crash in between leaves it twice, but never loses it."""
    objects: Counter[str] = Counter()
    size = 0
    for stat in list(_movable(repository)):
        hold.check()
        if not _copy(repository, stat.name, folder):
            continue
        try:
            repository.blobs.delete(stat.name, if_generation=stat.generation)
        except (BlobNotFound, PreconditionFailed):
            continue  # A late writer wrote it again; the second sweep deletes it.
        objects[kind(repository.user_id, stat.name)] += 1
        size += stat.size
    return Removed(dict(sorted(objects.items())), size)


def _copy(repository: Repository, name: str, folder: str) -> bool:
    """False: the object does not exist (any more)."""
    blobs = repository.blobs
    if (blob := existing(blobs, name)) is None:
        return False
    blobs.write(folder + name.removeprefix(paths.user(repository.user_id)), blob.data, if_generation=None)
    return True
