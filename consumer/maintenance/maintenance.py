"""Regular maintenance: a daily tick verifies and sweeps users' histories in rotation.

A workspace whose HEAD is damaged is frozen until an operator repairs or restores it; this module never thaws one.
Nothing is deleted while any part of the history is damaged, as an unnamed object may be the only copy of a lost one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from consumer.locking.exclusive import Exclusive
from consumer.maintenance import gc, repair
from consumer.maintenance.verify import VerifyReport
from consumer.snapshot.snapshot import Head


@dataclass(frozen=True, slots=True)
class Maintained:
    """The verification, the reason why the workspace is frozen (or ""), and the number of deleted objects."""

    report: VerifyReport
    frozen: str
    deleted_objects: int = 0

    @property
    def damaged(self) -> bool:
        """Whether anything but leftovers is at fault; without ``frozen``, only older commits are."""
        return bool(self.report.broken() - {"orphans-only-young"})


def maintain(exclusive: Exclusive, user_id: str) -> Maintained:
    """Verify one user's whole history past all caches; freeze it if HEAD is damaged, else delete unnamed objects.

    Repeatable. Costs about one read of every object. Raises LockBusy (a job is running; a later round tries again),
    LockLost, SnapshotIncomplete (HEAD itself cannot be read), BlobUnavailable.
    """
    repository = exclusive.store.of(user_id)
    with exclusive.hold(user_id, "maintenance") as hold:
        report = repair.check(repository, hold)
        head = repository.read_head() or Head()
        if fault := repair.verdict(repository, report, hold):
            if not head.frozen:
                repository.heads.swap(head, replace(head, frozen=fault))
            return Maintained(report, fault)
        maintained = Maintained(report, head.frozen)
        if maintained.frozen or maintained.damaged:
            return maintained
        swept = gc.collect(repository, hold)
    return Maintained(report, "", len(swept.deleted))
