"""
Stage 1, hydrate: the user's last snapshot, or a new workspace from the template, in the run folder.

Reads    HEAD and what it names; templates/<version>/ where there is no commit or an older template; what was purged.
Writes   run.root, run.base, run.cursors, run.suppressed.
Repeats  safely: into a fresh folder, from whatever HEAD is then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from consumer.errors import SnapshotRefused
from consumer.ports import Guard, Workspaces
from consumer.run import Run
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed


@dataclass(frozen=True, slots=True)
class Hydrate:
    """``suppressed_of``: (user_id, the list that an earlier version kept in the tree) -> all that must stay away."""

    workspaces: Workspaces
    suppressed_of: Callable[[str, Suppressed], Suppressed]
    name: ClassVar[str] = "hydrate"

    def run(self, run: Run, guard: Guard) -> Run:
        found = self.workspaces.hydrate(run.job.user_id, run.root, run.job.template_version, guard)
        suppressed = self.suppressed_of(run.job.user_id, _carried(run.root))
        return replace(run, base=found.base, cursors=found.cursors, suppressed=suppressed)


def _carried(root: Path) -> Suppressed:
    """What an earlier version noted in the tree.

    Raises:
        SnapshotRefused: it cannot be read; an export could bring back what was erased.
    """
    path = root / suppression.PATH
    try:
        return suppression.decode(path.read_bytes()) if path.is_file() else Suppressed()
    except ValueError as exc:
        raise SnapshotRefused(f"{suppression.PATH}: {exc}") from exc
