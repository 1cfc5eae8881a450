"""What nobody asks for by hand: each user's history is verified and swept once in a while (daily, by a tick).

A workspace whose HEAD is not whole is frozen until a person repairs or restores it; nothing here thaws. Nothing is
deleted while anything of the history is damaged: what nothing names may be the only copy of what it lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from consumer.locking.exclusive import Exclusive
from consumer.maintenance import gc, repair
from consumer.maintenance.verify import VerifyReport
from consumer.snapshot.snapshot import Head


@dataclass(frozen=True, slots=True)
class Maintained:
    """How the history verified, why nobody may write (or empty), and what was deleted as named by nothing."""

    report: VerifyReport
    frozen: str
    deleted_objects: int = 0

    @property
    def damaged(self) -> bool:
        """Something is wrong that is no leftover; without ``frozen``, with older commits alone."""
        return bool(self.report.broken() - {"orphans-only-young"})


def maintain(exclusive: Exclusive, user_id: str) -> Maintained:
    """Verify one user's whole history past every cache; freeze it if HEAD is not whole, or collect what nothing names.

    Repeatable. Costs about one read of every object. Raises LockBusy (a job runs: the next round meets it), LockLost,
    SnapshotIncomplete (HEAD itself cannot be read), BlobUnavailable.
    """
    store = exclusive.store
    with exclusive.hold(user_id, "maintenance") as hold:
        report = repair.check(store, user_id, hold)
        head = store.read_head(user_id) or Head()
        if fault := repair.verdict(store, user_id, report, hold):
            if not head.frozen:
                store.heads(user_id).swap(head, replace(head, frozen=fault))
            return Maintained(report, fault)
        done = Maintained(report, head.frozen)
        if done.frozen or done.damaged:
            return done
        swept = gc.collect(store, user_id, hold)
    return Maintained(report, "", len(swept.deleted))
