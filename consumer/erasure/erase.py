"""
Erasing everything of a user, without reading anything of the workspace: it works where HEAD is lost or garbage, packs
are damaged, the catalog or the signing key is gone. docs/erasure.md, "Erasing everything", has the order and what a
death after each step leaves.

HEAD and lock are never deleted. A paused job of before holds HEAD's generation, or "there is none" where it was the
user's first: over a HEAD that was deleted and made anew with small numbers its swap would find generation, commit and
epoch as it left them, and land. Over this HEAD it finds another generation, and an epoch above any there ever was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final

from consumer import paths
from consumer.delivery import ledger as claim
from consumer.erasure import late_writers
from consumer.erasure.late_writers import Removed
from consumer.erasure.suppressions import Suppressions
from consumer.errors import BlobNotFound, ConsumerError, LedgerUnreadable, SnapshotIncomplete
from consumer.locking.exclusive import Hold
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import suppression
from consumer.snapshot.snapshot import Head
from consumer.snapshot.suppression import Suppressed
from contract.event import utc_text
from service import telemetry

_NUMBERED: Final = ("commits", "published")


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure did, in counts: nothing here says what was erased.

    ``seq``: the next commit has a higher number. ``complete_after``: when late writers of before can write no more, and
    a second sweep completes the erasure; None: it is complete, and this is the receipt.
    """

    user_id: str
    erased_at: str
    epoch: int
    seq: int
    removed: Removed
    complete_after: datetime | None

    @property
    def complete(self) -> bool:
        return self.complete_after is None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        after = utc_text(self.complete_after) if self.complete_after else None
        return {**asdict(self), "removed": asdict(self.removed), "complete": self.complete, "complete_after": after}


def erase(
    store: WorkspaceStore,
    user_id: str,
    reason: str,
    hold: Hold,
    job_ids: Iterable[str],
    *,
    suppressions: Suppressions,
    seq_floor: int = 0,
) -> Erased:
    """Delete everything of the user. Needs the lock of ``Exclusive.hold_to_erase``. Repeatable: it goes on.

    ``job_ids``: the user's jobs, whose ledgers and dead letters go too; ``seq_floor``: the highest commit number that
    their rows know. The user must be disabled: a job that comes later would bring everything back.

    Raises:
        SuppressionsUnreadable, ControlPlaneUnavailable, NotAllowed, RequestRefused: that all was erased cannot be
            noted; nothing was deleted.
        BlobUnavailable, LockLost: the same call again goes on.
    """
    jobs = tuple(dict.fromkeys(job_ids))
    heads = store.heads(user_id)
    head, _ = heads.peek()
    at = store.clock.now()
    # Before anything goes: whoever exports from now on, after whatever crash, leaves out what is older than this.
    known = suppressions.erase(user_id, at, in_tree(store, user_id))
    if head is not None and _stands(head, known):
        return sweep_again(store, user_id, hold)
    seq = max(seq_floor, head.seq if head else 0)
    # The fence. From here on no swap of before succeeds: not by generation, and not by epoch either, where the paused
    # job is the user's first and its precondition is that there is no HEAD.
    began = head.erased if head is not None and head.erased else utc_text(at)
    frozen = f"everything is being erased: {reason}"[:500]
    mark = Head(seq=seq, epoch=hold.epoch, job_id=f"erase-{hold.epoch}", frozen=frozen, erased=began)
    heads.overwrite(mark)
    # Before the names that tell it are deleted: numbers go on above all of these.
    seq = max(seq, highest_named(store, user_id, hold), _highest_committed(store, jobs, hold))
    heads.overwrite(replace(mark, seq=seq))
    note = late_writers.remember(store, user_id, "erase", hold, seq=seq, job_ids=jobs)
    removed = late_writers.delete_all(store, user_id, hold)
    removed = removed.plus(late_writers.delete_jobs(store, user_id, jobs, hold))
    forget_locally(store, user_id)
    hold.check()
    heads.overwrite(replace(mark, seq=seq + 1, frozen=""))
    telemetry.log("everything erased", user_id=user_id, objects=removed.count, bytes=removed.bytes)
    return Erased(user_id, began, hold.epoch, seq + 1, removed, note.due)


def sweep_again(store: WorkspaceStore, user_id: str, hold: Hold) -> Erased:
    """The second sweep of an erasure: what late writers left since. Complete once every token of before has expired.

    Repeatable, and right at any time; before that time it says when. Needs the user's lock.

    Raises:
        SnapshotIncomplete: nothing of this user was erased, or that erasure is not finished: ``erase`` goes on.
        BlobUnavailable, LockLost.
    """
    head = store.read_head(user_id)
    if head is None or not head.erased or head.frozen or late_writers.is_reset(head):
        raise SnapshotIncomplete(f"{paths.head(user_id)} does not say that everything was erased")
    store.fence(user_id, hold.epoch)
    swept = late_writers.sweep(store, user_id, hold)
    forget_locally(store, user_id)
    if swept.due is None:
        telemetry.log("erasure complete", user_id=user_id, objects=swept.removed.count, bytes=swept.removed.bytes)
    return Erased(user_id, head.erased, hold.epoch, head.seq, swept.removed, swept.due)


def forget_locally(store: WorkspaceStore, user_id: str) -> None:
    """What this machine keeps of the user: cached objects, and run folders for the next run."""
    if store.cache:
        store.cache.forget(user_id)
    if store.warm:
        store.warm.forget(user_id)


def _stands(head: Head, known: Suppressed) -> bool:
    """Was everything erased already, and did nobody begin anew since?"""
    if not head.erased or head.frozen or late_writers.is_reset(head):
        return False
    return known.begun_anew_at is None or known.begun_anew_at < datetime.fromisoformat(head.erased)


def in_tree(store: WorkspaceStore, user_id: str) -> Suppressed:
    """What an earlier version noted in the tree, if that can be read; nothing here depends on it."""
    try:
        return suppression.decode(store.reader(user_id).read(suppression.PATH))
    except (ConsumerError, LookupError, ValueError, OSError) as exc:
        if not isinstance(exc, KeyError):
            telemetry.log("purged records in the tree not read", user_id=user_id, reason=type(exc).__name__, level=30)
        return Suppressed()


def highest_named(store: WorkspaceStore, user_id: str, hold: Hold) -> int:
    """The highest commit number in the names of objects; the listing comes in pages."""
    highest = 0
    for folder in _NUMBERED:
        prefix = f"{paths.user(user_id)}{folder}/"
        for stat in store.blobs(user_id).list(prefix):
            hold.check()
            digits = stat.name.removeprefix(prefix).partition("/")[0].partition("-")[0]
            highest = max(highest, int(digits) if digits.isdecimal() else 0)
    return highest


def _highest_committed(store: WorkspaceStore, job_ids: Iterable[str], hold: Hold) -> int:
    """The highest commit number that the ledgers of these jobs know."""
    highest = 0
    for job_id in job_ids:
        hold.check()
        try:
            ledger = claim.decode(job_id, store.bucket.read(paths.ledger(job_id)).data)
        except (BlobNotFound, LedgerUnreadable):
            continue
        commit = ledger.completion.commit if ledger.completion else None
        highest = max(highest, ledger.base_seq or 0, commit.seq if commit else 0)
    return highest
