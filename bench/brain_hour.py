"""
Time of the index stage with a real GBrain: a first import, hours without news, hours with changed pages, and both after
a move to another run root.

    python -m bench.brain_hour [--gbrain /path/to/gbrain] [--changed 20] [--rounds 3] [--commands] [--words]

``--gbrain``: GBrain's executable (default: GBRAIN_BIN). The pages are the sample user's. The offline model embeds them
through the gateway; ``--words`` does without embeddings. Prints each stage's wall-clock and processor seconds,
including its processes; ``--commands`` also lists GBrain's processes. Exit code 1: an hour without news takes more than
5 s, or one with changes more than 15 s.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import manifests
from bench.agent import offline_model
from bench.quality import sample
from consumer import layout
from consumer.agent import netfence, sandbox
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.gbrain.brain import GBrain
from consumer.agent.process import ProcessTool
from consumer.agent.sandbox import Sandbox
from consumer.ports import ModelGateway, ToolResult
from consumer.run import Run
from consumer.stages.index import Index
from service.clock import SystemClock
from tests.fake_export import OpenGuard

#: Wall-clock seconds.
QUIET_BAR_S: Final = 5.0
CHANGED_BAR_S: Final = 15.0
EMBEDDING: Final = "text-embedding-3-small"


class HourCost(NamedTuple):
    """Wall-clock and processor seconds of this process and of those that it started."""

    wall_s: float
    cpu_s: float


@dataclass
class TimedTool:
    """Runs tools as the service does and records the time of each."""

    inner: ProcessTool
    commands: list[tuple[str, float]] = field(default_factory=list)

    @property
    def contained(self) -> bool:
        return self.inner.contained

    def run(self, argv: Sequence[str], **given: Any) -> ToolResult:
        began = time.perf_counter()
        try:
            return self.inner.run(argv, **given)
        finally:
            self.commands.append((" ".join(argv[1:4]), time.perf_counter() - began))


@dataclass
class BrainHours:
    """A workspace whose index stage runs again and again."""

    root: Path
    index: Index
    tool: TimedTool
    run: Run

    def stage(self, name: str, *, commands: bool) -> HourCost:
        """Run the stage once; print what it cost and did."""
        self.tool.commands.clear()
        began, used = time.perf_counter(), _processor_s()
        run = self.index.run(self.run, OpenGuard())
        cost = HourCost(time.perf_counter() - began, _processor_s() - used)
        counts = run.indexed
        assert counts
        print(
            f"{name:34} {cost.wall_s:6.1f} s wall {cost.cpu_s:6.1f} s processor, {len(self.tool.commands)} processes; "
            f"imported {counts.imported}, deleted {counts.deleted}, pages {counts.pages}, links {counts.links}, "
            f"embedded {counts.embedded} {' '.join(counts.notes)}"
        )
        for words, seconds in self.tool.commands if commands else ():
            print(f"    {seconds:6.2f} s  {words}")
        return cost

    def change(self, number: int, hour: int) -> None:
        """Append a sentence to ``number`` pages, to different pages each hour."""
        paths = sorted((self.root / layout.EVIDENCE).rglob("*.md"))
        for path in paths[hour * number : (hour + 1) * number]:
            path.write_text(path.read_text("utf-8") + f"\nChanged in hour {hour}.\n", "utf-8")

    def move(self, to: Path) -> None:
        """The workspace at another path, as on another instance."""
        self.root.rename(to)
        self.root = to
        self.run = self.run.__class__(**{**_fields(self.run), "root": to})


def _fields(run: Run) -> dict[str, Any]:
    return {name: getattr(run, name) for name in run.__dataclass_fields__}


def _processor_s() -> float:
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        total += used.ru_utime + used.ru_stime
    return total


@contextmanager
def _gateway(*, words: bool) -> Iterator[ModelGateway | None]:
    if words:
        yield None
        return
    with offline_model() as url:
        limits = UsageLimits(10**6, 10**9, 100.0)
        yield LoopbackGateway(url, "key", frozenset({EMBEDDING}), limits, manifests.model_prices(), SystemClock())


def _tool() -> TimedTool:
    clock = SystemClock()
    contained = not (netfence.unavailable() or sandbox.unavailable())
    return TimedTool(ProcessTool(clock, fence=contained, sandbox=Sandbox() if contained else None))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.brain_hour", description=__doc__)
    parser.add_argument("--gbrain", default=os.environ.get("GBRAIN_BIN", ""), help="the gbrain executable")
    parser.add_argument("--changed", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--commands", action="store_true", help="list each GBrain process with its seconds")
    parser.add_argument("--words", action="store_true", help="without embeddings")
    args = parser.parse_args()
    if not args.gbrain:
        parser.error("GBrain is missing: set GBRAIN_BIN or --gbrain to its executable")
    with ExitStack() as stack:
        memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=memory)))
        root, tool = folder / "first", _tool()
        root.mkdir()
        gateway = stack.enter_context(_gateway(words=args.words))
        brain = GBrain(tool, args.gbrain, SystemClock(), embeds=gateway is not None)
        hours = BrainHours(root, Index(brain, gateway), tool, sample.build(root))
        stage: Callable[[str], HourCost] = lambda name: hours.stage(name, commands=args.commands)  # noqa: E731
        print(f"load {os.getloadavg()[0]:.1f}")
        stage("first filling")
        quiet = [stage("hour without news") for _ in range(args.rounds)]
        changed = []
        for hour in range(args.rounds):
            hours.change(args.changed, hour)
            changed.append(stage(f"hour with {args.changed} changed pages"))
        hours.move(folder / "second")
        moved = stage("hour without news, moved")
        hours.change(args.changed, args.rounds)
        hours.move(folder / "third")
        moved_changed = stage(f"{args.changed} changed pages, moved")
        print(f"load {os.getloadavg()[0]:.1f}")
    quiet_s = max(statistics.median(cost.wall_s for cost in quiet), moved.wall_s)
    changed_s = max(statistics.median(cost.wall_s for cost in changed), moved_changed.wall_s)
    print(f"hour without news {quiet_s:.1f} s (bar {QUIET_BAR_S:.0f})")
    print(f"hour with {args.changed} changed pages {changed_s:.1f} s (bar {CHANGED_BAR_S:.0f})")
    return 0 if quiet_s <= QUIET_BAR_S and changed_s <= CHANGED_BAR_S else 1


if __name__ == "__main__":
    sys.exit(main())
