"""
Stage 7, persist: the commit point. Files, cursors and report become visible together, or not at all.

Reads    run.root and all fields of the run.
Writes   packs, tree, catalog and commit, then HEAD; run.commit.
Repeats  safely before HEAD is swapped. After that, an attempt finds the job's commit in the chain and skips this stage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from consumer.ports import Clock, Guard, Workspaces
from consumer.run import Run
from consumer.snapshot.chain import CommitMeta


@dataclass(frozen=True, slots=True)
class Persist:
    workspaces: Workspaces
    clock: Clock
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
        commit = self.workspaces.persist(run.job.user_id, run.root, run.base, meta, guard)
        return replace(run, commit=commit)
