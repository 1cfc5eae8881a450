"""
Stage 1, hydrate: the user's last snapshot, or a new workspace from the template, in the run folder.

Reads    HEAD and its snapshot; templates/<version>/ where there is no commit or an older template; the purged records;
         the user's corrections.
Writes   run.root, run.base, run.cursors, run.hydrated, run.sealed, run.suppressed, run.corrected; run.woken_at and
         run.wake_at from the ledger of what was told.
Repeats  safely: into a new folder, from the HEAD of that time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from consumer.errors import SnapshotRefused
from consumer.ports import Guard, Workspaces
from consumer.reports import evidence
from consumer.run import Run
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed


@dataclass(frozen=True, slots=True)
class Hydrate:
    """``suppressed_of``: (user_id, the list in the tree by an earlier version) -> all records that must stay out.

    ``corrected``: whether the user corrected something since the last report of this workspace. It is asked before
    records are read anew, because corrections speak of the snapshot that the user saw.
    """

    workspaces: Workspaces
    suppressed_of: Callable[[str, Suppressed], Suppressed]
    corrected: Callable[[Run], bool] = lambda _run: False
    name: ClassVar[str] = "hydrate"

    def run(self, run: Run, guard: Guard) -> Run:
        workspace = self.workspaces.of(run.job.user_id).hydrate(run.root, run.job.template_version, guard)
        suppressed = self.suppressed_of(run.job.user_id, _carried(run.root))
        run = replace(run, base=workspace.base, cursors=workspace.cursors, suppressed=suppressed)
        wake_at = evidence.wake_at(run.root)
        # A run that begins before that time has nothing to tell yet, and asks for it again.
        # By the clock that planned the run: if ours is a second behind, the run would sleep through its hour.
        now = max(run.started_at, run.job.now or run.started_at)
        woken_at = wake_at if wake_at and wake_at <= now else None
        run = replace(run, hydrated=workspace.stats, sealed=workspace.stats, woken_at=woken_at, wake_at=wake_at)
        return replace(run, corrected=self.corrected(run))


def _carried(root: Path) -> Suppressed:
    """The list that an earlier version wrote into the tree.

    Raises SnapshotRefused: it cannot be read, so an export could bring back erased records.
    """
    path = root / suppression.PATH
    try:
        return suppression.decode(path.read_bytes()) if path.is_file() else Suppressed()
    except ValueError as exc:
        raise SnapshotRefused(f"{suppression.PATH}: {exc}") from exc
