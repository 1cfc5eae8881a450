"""Soak of the whole spine on the embedded bucket: jobs of many users on several consumers, delivered twice, shuffled.

    python -m bench.soak_jobs [--jobs 1000] [--users 50] [--consumers 4]

Real history behind it; at the end every user's history is verified from the first object to the last.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench import gcs
from consumer.clients.signing import Ed25519Signer
from consumer.delivery.handler import Handler
from consumer.delivery.pipeline import Pipeline
from consumer.delivery.settlement import Settlement
from consumer.maintenance.verify import Verification
from consumer.ports import Guard
from consumer.repository.history import History
from consumer.repository.workspace import WorkspaceStore
from consumer.run import Run
from consumer.stages.hydrate import Hydrate
from consumer.stages.persist import Persist
from consumer.storage.gcs import GcsBlobStore
from service.clock import SystemClock
from tests.spine import FakeStage, World, job_id, report
from tests.spine_crowd import Crowd, events, user
from tests.unit.repository.workspaces import PEM, TEMPLATES, Free


class Soak:
    def __init__(self, store: GcsBlobStore, tmp: Path) -> None:
        self.store = store
        self.clock = SystemClock()
        self.world = World(tmp)
        self.signer = Ed25519Signer(PEM)

    def workspaces(self) -> WorkspaceStore:
        return WorkspaceStore(self.store, self.signer, self.clock, templates=TEMPLATES)

    def consumer(self) -> Handler:
        """A process with threads that renew, the real store, and stages that write one page and a report."""
        handler = self.world.handler(self.store)
        heads = self.workspaces()
        stages: dict[Any, Any] = {
            "hydrate": Hydrate(heads, lambda _user, carried: carried),
            "export": FakeStage("export", write_page),
            "report": FakeStage("report", report),
            "persist": Persist(heads, self.clock),
        }
        parts = replace(
            handler.parts,
            heads=heads,
            clock=self.clock,
            pipeline=Pipeline(stages, self.clock),
            settlement=Settlement(self.store, heads),
            retry_delays_s=(5,),
            threads=True,
        )
        return replace(handler, parts=parts)

    def check(self, jobs: int, users: int) -> list[str]:
        """Everything that is wrong."""
        faults, commits = [], []
        heads = self.workspaces()
        for number in range(users):
            verified = Verification(self.store, self.signer, self.clock, user(number), Free()).run()
            faults += [f"user {number}: {fault}" for fault in verified.faults]
            commits += [commit.job_id for _, commit in History(heads.of(user(number))).log()]
        heads.close()
        if sorted(commits) != [job_id(n) for n in range(1, jobs + 1)]:
            faults.append(f"{len(commits)} commits of {len(set(commits))} jobs, expected {jobs}")
        faults += [
            f"{job}: {row.completions} completions"
            for job, row in self.world.plane.rows.items()
            if row.completions != 1
        ]
        return faults + (["a job told two results"] if self.world.plane.conflicts else [])


def write_page(run: Run, _guard: Guard) -> None:
    (run.root / "brain" / "sources" / f"{run.job.job_id}.md").write_text(f"page of {run.job.job_id}\n")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--consumers", type=int, default=4)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, gcs.served(Path(folder) / "gcs") as served:
        store = GcsBlobStore.connect(gcs.BUCKET, SystemClock(), endpoint=served.endpoint)
        soak = Soak(store, Path(folder) / "world")
        crowd = Crowd(soak.world, soak.consumer)
        began = time.monotonic()
        crowd.run(events(args.jobs, args.users), args.consumers)
        seconds = time.monotonic() - began
        faults = soak.check(args.jobs, args.users)
        store.close()
    counts = ", ".join(f"{count} {name}" for name, count in sorted(crowd.outcomes.items()))
    print(f"{args.jobs} jobs, {args.users} users, {args.consumers} consumers: {seconds:.0f} s; answers: {counts}")
    print("\n".join(faults[:20]) or f"{args.jobs} effects, 0 doubles, 0 losses, {args.users} histories verify")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
