"""
A memory begun anew from the app's data: the history is set aside or erased, and the next commit is an origin. What was
purged stays away. Nothing of the workspace need be readable; docs/erasure.md, "Beginning anew", has the order.

``archive`` moves every object below ``archive/<time>/`` as it is, damaged or not, with a copy of HEAD: to look into it,
copy the folder to ``users/<id>/`` of another bucket. A later purge of records deletes it whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from consumer import paths
from consumer.erasure import late_writers
from consumer.erasure.erase import forget_locally, highest_named, in_tree
from consumer.erasure.late_writers import Removed, kind
from consumer.erasure.suppressions import Suppressions
from consumer.errors import BlobNotFound, PreconditionFailed
from consumer.locking.exclusive import Hold
from consumer.ports import BlobStat
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot.snapshot import Head
from contract.event import utc_text
from service import telemetry

History = Literal["archive", "erase"]
#: Half-done work on the history that goes: of no use to a new one, nor to who looks into the old one.
_NOT_KEPT: Final = ("answers", "checkpoints", "readings")


class PurgeUnfinished(ValueError):
    """A purge's second sweep is still to come, and an archive would keep what it deletes; the message says when."""


class NothingToReset(ValueError):
    """There is no history to begin anew after, or an erasure must be finished first; the message says which."""


@dataclass(frozen=True, slots=True)
class Reset:
    """``archive``: the folder of what was set aside, if it was. ``suppressed``: records that stay away."""

    archive: str | None
    archived: Removed
    removed: Removed
    suppressed: int
    seq: int


def reset(
    store: WorkspaceStore, user_id: str, reason: str, hold: Hold, *, history: History, suppressions: Suppressions
) -> Reset:
    """Begin anew. Needs the lock of ``Exclusive.hold_to_erase``. Repeatable: after a crash the same call goes on.

    Raises:
        SuppressionsUnreadable: neither copy of what was purged can be read, and it would come back. Nothing was done.
        PurgeUnfinished: an archive was asked for. Nothing was done.
        NothingToReset, BlobUnavailable, LockLost.
    """
    known = suppressions.read(user_id, in_tree(store, user_id))
    heads = store.heads(user_id)
    head, generation = heads.peek()
    _require_history(store, user_id, head, generation)
    going_on = head is not None and late_writers.is_reset(head) and bool(head.frozen)
    if history == "archive":
        _require_swept(store, user_id)
    began = head.erased if head is not None and going_on else utc_text(store.clock.now())
    folder = paths.archive(user_id, f"{datetime.fromisoformat(began):%Y%m%dT%H%M%S%fZ}")
    if history == "archive" and not going_on:
        _copy(store, user_id, paths.head(user_id), folder)
    seq = head.seq if head else 0
    mark = Head(
        seq=seq,
        epoch=hold.epoch,
        job_id=f"{late_writers.RESET}{hold.epoch}",
        frozen=f"the memory is being begun anew: {reason}"[:500],
        erased=began,
    )
    heads.overwrite(mark)
    seq = max(seq, highest_named(store, user_id, hold))
    heads.overwrite(replace(mark, seq=seq))
    late_writers.remember(store, user_id, "reset", hold, seq=seq)
    archived = _set_aside(store, user_id, folder, hold) if history == "archive" else Removed()
    spared = [paths.parked(user_id)] + ([paths.archive(user_id)] if history == "archive" else [])
    removed = late_writers.delete_all(store, user_id, hold, spared=spared)
    forget_locally(store, user_id)
    hold.check()
    heads.overwrite(replace(mark, seq=seq + 1, frozen=""))
    telemetry.log("memory begun anew", user_id=user_id, archived=archived.count, removed=removed.count)
    count = sum(map(len, known.lists.values()))
    return Reset(folder if history == "archive" else None, archived, removed, count, seq + 1)


def _require_swept(store: WorkspaceStore, user_id: str) -> None:
    """What a run that was paused writes after a purge may hold what was purged: it must not get into an archive."""
    note = late_writers.noted(store, user_id)
    if note is not None and note.why == "purge":
        raise PurgeUnfinished(
            f"{user_id}: the second sweep of a purge is due at {utc_text(note.due)}, and until then a paused run may "
            "write what was purged. Nothing was done; try again after that, or use --history erase"
        )


def _require_history(store: WorkspaceStore, user_id: str, head: Head | None, generation: int) -> None:
    if head is not None and head.erased and not late_writers.is_reset(head):
        state = "an erasure of everything is not finished" if head.frozen else "everything was erased already"
        raise NothingToReset(
            f"{user_id}: {state}. Run `cloop-memory workspace purge --everything` to finish it, or "
            "`cloop-memory user enable --begin-anew` to fill the memory again"
        )
    if generation == 0 and next(_movable(store, user_id), None) is None:
        raise NothingToReset(f"{user_id} has no workspace yet: there is nothing to reset")


def _movable(store: WorkspaceStore, user_id: str) -> Iterator[BlobStat]:
    """Objects of the history and what was made of it."""
    keep = (paths.head(user_id), paths.lock(user_id), paths.suppressed(user_id))
    not_kept = [f"{paths.user(user_id)}{folder}/" for folder in _NOT_KEPT]
    beside = (paths.archive(user_id), paths.parked(user_id), *not_kept)
    for stat in store.blobs(user_id).list(paths.user(user_id)):
        if stat.name not in keep and not stat.name.startswith(beside):
            yield stat


def _set_aside(store: WorkspaceStore, user_id: str, folder: str, hold: Hold) -> Removed:
    """Copy each object first and delete it then, so that a death in between leaves it twice and never not at all."""
    objects: Counter[str] = Counter()
    size = 0
    for stat in list(_movable(store, user_id)):
        hold.check()
        if not _copy(store, user_id, stat.name, folder):
            continue
        try:
            store.blobs(user_id).delete(stat.name, if_generation=stat.generation)
        except (BlobNotFound, PreconditionFailed):
            continue  # a late writer wrote it again: the second sweep meets it
        objects[kind(user_id, stat.name)] += 1
        size += stat.size
    return Removed(dict(sorted(objects.items())), size)


def _copy(store: WorkspaceStore, user_id: str, name: str, folder: str) -> bool:
    """False: it is not there (any more)."""
    blobs = store.blobs(user_id)
    try:
        data = blobs.read(name).data
    except BlobNotFound:
        return False
    blobs.write(folder + name.removeprefix(paths.user(user_id)), data, if_generation=None)
    return True
