"""
Stage 7, persist: the commit point. Files, cursors and report become visible together, or not at all.

Reads    run.root and all fields of the run; the overlay, once more, right before the swap.
Writes   packs, tree, catalog and commit, then HEAD; run.commit.
Repeats  safely before HEAD is swapped. After that, an attempt finds the job's commit in the chain and skips this stage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from consumer.errors import OverlayMoved
from consumer.ports import Clock, Guard, Overlays, Workspaces
from consumer.run import Run
from consumer.snapshot.chain import CommitMeta


@dataclass(frozen=True, slots=True)
class Persist:
    """``overlays``: None where no control plane keeps corrections."""

    workspaces: Workspaces
    clock: Clock
    overlays: Overlays | None = None
    name: ClassVar[str] = "persist"

    def run(self, run: Run, guard: Guard) -> Run:
        meta = CommitMeta(
            job_id=run.job.job_id,
            attempt=run.attempt,
            epoch=run.epoch,
            job_type=run.job.job_type,
            template_version=run.job.template_version,
            created_at=self.clock.now(),
            cursors=run.cursors,
            counts=run.counts,
        )
        last_look = partial(self._look, run) if self.overlays and run.overlay_version is not None else None
        workspace = self.workspaces.of(run.job.user_id)
        commit = workspace.persist(run.root, run.base, meta, guard, last_look=last_look, sealed=run.sealed)
        return replace(run, commit=commit)

    def _look(self, run: Run) -> None:
        """Raises OverlayMoved: what the user said last is not in the report."""
        assert self.overlays is not None
        if self.overlays.overlay(run.job.user_id).version != run.overlay_version:
            raise OverlayMoved(f"job {run.job.job_id}: a correction or a rule came after its report was written")
