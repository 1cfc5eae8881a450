"""Jobs one after the other with the real Hermes and the local brain: what stays open, running or in memory after each.

    python -m bench.soak_agent [--jobs 50]

One process, one workspace, the offline model behind the gateway, each run asked anew. Exit 1 if after the first jobs
anything grows: open files, threads, processes, or memory by more than GROWTH.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

import yaml

import manifests
import templates
from bench.agent import offline_model
from consumer import paths
from consumer.agent import netfence, sandbox
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.hermes.agent import HermesAgent
from consumer.agent.localbrain.brain import LocalBrain
from consumer.agent.process import ProcessTool
from consumer.agent.sandbox import Sandbox
from consumer.run import Rendered, Run
from consumer.stages.synthesize import Synthesize
from consumer.storage.memory import MemoryBlobStore
from local.model import MODEL
from service.clock import SystemClock
from tests import brains, models
from tests.flatness import Held, held

TEMPLATE: Final = templates.FOLDER / "v1"
#: Jobs before anything is compared: imports, caches and pools fill up in them.
WARM: Final = 5
#: Of the memory after the warm jobs.
GROWTH: Final = 0.15


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.soak_agent", description=__doc__)
    parser.add_argument("--jobs", type=int, default=50)
    jobs: int = parser.parse_args().jobs
    fenced = netfence.unavailable() is None and sandbox.unavailable() is None
    sys.stdout.write(f"{jobs} jobs with the real Hermes{', behind the fence and in a sandbox' if fenced else ''}\n")
    with offline_model() as url, tempfile.TemporaryDirectory() as folder:
        run = workspace(Path(folder))
        seconds, left = [], []
        for number in range(jobs):
            began = time.perf_counter()
            done = stage(url, fence=fenced).run(run, brains.Free())
            assert done.synthesized
            seconds.append(time.perf_counter() - began)
            left.append(held())
            sys.stdout.write(f"{number + 1:4} {seconds[-1]:6.1f} s  {left[-1]}\n")
            sys.stdout.flush()
    grown = faults(left)
    sys.stdout.write(f"median {statistics.median(seconds):.1f} s a job; {'; '.join(grown) or 'flat'}\n")
    sys.exit(1 if grown else 0)


def faults(left: list[Held]) -> list[str]:
    """What grew between the warm jobs and the last."""
    first, last = left[min(WARM, len(left)) - 1], left[-1]
    grown = [
        f"{name} went from {getattr(first, name)} to {getattr(last, name)}"
        for name in ("files", "threads", "children")
        if getattr(last, name) > getattr(first, name)
    ]
    if last.resident_bytes > first.resident_bytes * (1 + GROWTH):
        grown.append(f"memory went from {first.resident_bytes:,} to {last.resident_bytes:,} bytes")
    return grown


def workspace(root: Path) -> Run:
    """The small brain of the tests, indexed, with the template's skills."""
    brains.write(root, brains.PAGES)
    for skill in (TEMPLATE / "hermes-home/skills").rglob("SKILL.md"):
        target = root / "hermes-home/skills" / skill.parent.name / "SKILL.md"
        target.parent.mkdir(parents=True)
        target.write_bytes(skill.read_bytes())
    brain, pages = LocalBrain(), sorted(brains.PAGES)
    brain.open(root, brains.Free())
    brain.update(root, pages, [], brains.Free())
    return replace(brains.run(root), rendered=Rendered(changed=tuple(pages)), brain="local")


def stage(url: str, *, fence: bool) -> Synthesize:
    """With an empty store of answers, so that each run asks."""
    clock = SystemClock()
    bucket = MemoryBlobStore(clock)
    config = yaml.safe_load((TEMPLATE / "hermes-home/config.yaml").read_text())
    budget = UsageLimits(200, 2_000_000, 5.0)
    return Synthesize(
        agent=HermesAgent(
            ProcessTool(clock, fence=fence, sandbox=Sandbox() if fence else None), models.hermes_binary(), config
        ),
        brain=LocalBrain(),
        gateway=LoopbackGateway(url, "no-key", frozenset({MODEL}), budget, manifests.model_prices(), clock),
        bucket_of=lambda user_id: bucket.for_prefix(paths.user(user_id)),
        efforts=brains.efforts(MODEL),
        prompts={path.stem: path.read_text() for path in (TEMPLATE / "prompts").glob("*.md")},
        profiles=manifests.profiles(),
    )


if __name__ == "__main__":
    main()
