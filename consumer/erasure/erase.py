"""
Erase everything of a user without reading the workspace: this works with a lost or damaged HEAD, damaged packs, and
without the catalog or the signing key. docs/erasure.md, "Erasing everything", lists the steps and what the death of
the process after each of them leaves.

HEAD and lock are never deleted. An earlier job that is paused knows HEAD's generation, or that there was none if it was
the user's first job. If HEAD were deleted and created again with small numbers, that job's swap could find the same
generation, commit and epoch, and land. Over this HEAD it finds another generation and a higher epoch than ever before.
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
from consumer.repository.workspace import Repository, WorkspaceStore
from consumer.snapshot import suppression
from consumer.snapshot.snapshot import Head
from consumer.snapshot.suppression import Suppressed
from contract.event import utc_text
from service import telemetry

_NUMBERED: Final = ("commits", "published")


@dataclass(frozen=True, slots=True)
class Erased:
    """The result of an erasure, in counts only: it does not tell what was erased.

    ``seq``: the next commit has a higher number. ``complete_after``: the time after which earlier runs can no longer
    write and a second sweep completes the erasure; None: the erasure is complete, and this is the receipt.
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
    repository: Repository,
    reason: str,
    hold: Hold,
    job_ids: Iterable[str],
    *,
    suppressions: Suppressions,
    seq_floor: int = 0,
) -> Erased:
    """Delete everything of the user. Needs the lock of ``Exclusive.hold_to_erase``. Repeatable: a second call resumes.

    ``job_ids``: the user's jobs, whose ledgers and dead letters are deleted too; ``seq_floor``: the highest commit
    number in the jobs' rows. The user must be disabled, because a later job would export everything again.

    Raises SuppressionsUnreadable, ControlPlaneUnavailable, NotAllowed, RequestRefused: the erasure could not be noted;
    nothing was deleted. BlobUnavailable, LockLost: call it again to resume.
    """
    jobs = tuple(dict.fromkeys(job_ids))
    heads = repository.heads
    head, _ = heads.peek()
    now = repository.store.clock.now()
    # Before the first deletion: every export from now on, after any crash, leaves out what is older than this.
    suppressed = suppressions.erase(repository.user_id, now, in_tree(repository))
    if head is not None and _is_erased(head, suppressed):
        return sweep_again(repository, hold)
    seq = max(seq_floor, head.seq if head else 0)
    # The fence. From here on no earlier job's swap succeeds: its generation differs, and so does its epoch where the
    # paused job is the user's first, whose precondition is that there is no HEAD.
    erased_at = head.erased if head is not None and head.erased else utc_text(now)
    frozen = f"everything is being erased: {reason}"[:500]
    mark = Head(seq=seq, epoch=hold.epoch, job_id=f"erase-{hold.epoch}", frozen=frozen, erased=erased_at)
    heads.overwrite(mark)
    # Before the objects are deleted: later commits get numbers above all that occur in their names.
    seq = max(seq, highest_named(repository, hold), _highest_committed(repository.store, jobs, hold))
    heads.overwrite(replace(mark, seq=seq))
    late_writer_note = late_writers.remember(repository, "erase", hold, seq=seq, job_ids=jobs)
    removed = late_writers.delete_all(repository, hold)
    removed = removed.plus(late_writers.delete_jobs(repository, jobs, hold))
    repository.forget_locally()
    hold.check()
    heads.overwrite(replace(mark, seq=seq + 1, frozen=""))
    telemetry.log("everything erased", user_id=repository.user_id, objects=removed.count, bytes=removed.bytes)
    return Erased(repository.user_id, erased_at, hold.epoch, seq + 1, removed, late_writer_note.due)


def sweep_again(repository: Repository, hold: Hold) -> Erased:
    """The second sweep of an erasure: delete what late writers left. The erasure is complete once all earlier tokens
    have expired.

    Repeatable at any time; before they have expired, the result says when they will have. Needs the user's lock.

    Raises SnapshotIncomplete: this user was not erased, or the erasure is not finished; ``erase`` resumes it.
    BlobUnavailable, LockLost.
    """
    head = repository.read_head()
    if head is None or not head.erased or head.frozen or late_writers.is_reset(head):
        raise SnapshotIncomplete(f"{paths.head(repository.user_id)} does not record a finished erasure of everything")
    repository.fence(hold.epoch)
    swept = late_writers.sweep(repository, hold)
    repository.forget_locally()
    if swept.due is None:
        telemetry.log(
            "erasure complete", user_id=repository.user_id, objects=swept.removed.count, bytes=swept.removed.bytes
        )
    return Erased(repository.user_id, head.erased, hold.epoch, head.seq, swept.removed, swept.due)


def _is_erased(head: Head, suppressed: Suppressed) -> bool:
    """Whether everything is erased already and no memory was begun anew since."""
    if not head.erased or head.frozen or late_writers.is_reset(head):
        return False
    return suppressed.begun_anew_at is None or suppressed.begun_anew_at < datetime.fromisoformat(head.erased)


def in_tree(repository: Repository) -> Suppressed:
    """The suppressions that an earlier release stored in the tree; empty if they cannot be read."""
    try:
        return suppression.decode(repository.reader().read(suppression.PATH))
    except (ConsumerError, LookupError, ValueError, OSError) as exc:
        if not isinstance(exc, KeyError):
            telemetry.log(
                "purged records in the tree not read",
                user_id=repository.user_id,
                reason=type(exc).__name__,
                level=telemetry.WARNING,
            )
        return Suppressed()


def highest_named(repository: Repository, hold: Hold) -> int:
    """The highest commit number in the names of objects."""
    highest = 0
    for folder in _NUMBERED:
        prefix = f"{paths.user(repository.user_id)}{folder}/"
        for stat in repository.blobs.list(prefix):
            hold.check()
            digits = stat.name.removeprefix(prefix).partition("/")[0].partition("-")[0]
            highest = max(highest, int(digits) if digits.isdecimal() else 0)
    return highest


def _highest_committed(store: WorkspaceStore, job_ids: Iterable[str], hold: Hold) -> int:
    """The highest commit number in the ledgers of these jobs."""
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
