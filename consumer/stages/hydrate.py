"""
Stage 1, hydrate: the user's last snapshot, or a new workspace from the template, in the run folder.

Reads    HEAD and what it names; templates/<version>/ where there is no commit or an older template.
Writes   run.root, run.base, run.cursors.
Repeats  safely: into a fresh folder, from whatever HEAD is then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from consumer.ports import Guard, Workspaces
from consumer.stages.base import Run


@dataclass(frozen=True, slots=True)
class Hydrate:
    workspaces: Workspaces
    name: ClassVar[str] = "hydrate"

    def run(self, run: Run, guard: Guard) -> Run:
        found = self.workspaces.hydrate(run.job.user_id, run.root, run.job.template_version, guard)
        return replace(run, base=found.base, cursors=found.cursors)
