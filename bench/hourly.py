"""The cost of an hourly job on a workspace of thousands of pages, without the model and the brain's own time.

    python -m bench.hourly [--records 2500] [--changed 20] [--rounds 3] [--sentences 3]

Real stages in one process over buckets in memory: a backfill, then hourly jobs in which records change. A figure is the
processor time of this process, user and system, of all its threads. No stage starts another process or waits for one:
synthesize is what is done before and after the agent runs. The collector is set as the service sets it. A record has
``--sentences``, as those of the sample user; every twentieth is a transcript of 40. Each record has two pages, its own
and its meeting's, so 2,500 records have 5,000 pages. What an hour costs grows with the pages (``--records 5000``).

A cold hour hydrates into an empty folder, without a cache. A warm one finds the folder of the hour before, as most
hours of a busy instance do; if it is in memory, as on Cloud Run, every file is read again. Bar: 1 s for a cold hour
over 5,000 pages.

The floor is the least that the same workspace costs in one process of Python: the system calls that write each file
once, list them all once and read them all once, each content's SHA-256 twice, and the readings' JSON once.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson

import manifests
import templates
from consumer import bootstrap, layout
from consumer.agent import briefing, seal
from consumer.agent.localbrain.brain import LocalBrain
from consumer.clients.signing import open_ring
from consumer.evidence.index import open_index, open_sightings
from consumer.ports import IndexCounts
from consumer.reports.evidence import PageCache
from consumer.repository.warm import WarmBounds, WarmFolders
from consumer.repository.workspace import WorkspaceStore
from consumer.run import Run
from consumer.stages.export import Export
from consumer.stages.hydrate import Hydrate
from consumer.stages.index import Index
from consumer.stages.persist import Persist
from consumer.stages.render import Render
from consumer.stages.report import Report
from consumer.storage.memory import MemoryBlobStore
from consumer.understanding import reader
from service.clock import SystemClock
from tests.fake_export import FakeExport, OpenGuard, Row, run_of

BAR_S: Final = 1.0
#: What the bar is for: 5,000 pages.
RECORDS: Final = 2500
#: The brain's own work in the index stage, which is measured and left out of the sum: GBrain's is minutes of other
#: processes.
BRAIN: Final = "brain"
TODAY: Final = datetime(2026, 11, 27, 14, tzinfo=UTC)
TRANSCRIPT: Final = (20, 40)
_NAMES: Final = (
    "Ann Lee",
    "Bob Marsh",
    "Chidi Okoro",
    "Dana Weiss",
    "Emre Kaya",
    "Fay Lind",
    "Gus Moreau",
    "Hana Sato",
)
_PROJECTS: Final = ("Atlas", "Borealis launch", "Lab move", "Series A round", "Harbour pilot")
_SUBJECTS: Final = ("packaging proof", "data room", "price list", "cold start", "quay lease", "press list", "cap table")
_SAID: Final = (
    "{who} reports that the {what} is ready.",
    "We agreed that {project} launches on {day} December.",
    "I will send the {what} to {who} by Friday.",
    "The {project} budget is {amount},000 euros.",
    "Nobody knows yet who pays for the {what}.",
    "{who} asked whether the {what} can wait until the week after next, because of the holidays.",
    "- [ ] Call {who} about the {what}",
)


class BrainApart(LocalBrain):
    """A brain that says how long it took."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0

    def update(self, *args: Any, **more: Any) -> IndexCounts:
        began = time.process_time()
        try:
            return super().update(*args, **more)
        finally:
            self.seconds += time.process_time() - began


@dataclass(slots=True)
class World:
    """A user's tables and bucket, and the jobs that follow each other."""

    folder: Path
    sentences: int = 3
    #: Seconds between the backfill's first and last record.
    records: int = 5000
    server: FakeExport = field(default_factory=FakeExport)
    cursors: Mapping[str, Any] = field(default_factory=dict)
    jobs: int = 0
    taken: dict[str, float] = field(default_factory=dict)
    store: WorkspaceStore = field(init=False)

    def __post_init__(self) -> None:
        clock = SystemClock()
        self.store = WorkspaceStore(
            MemoryBlobStore(clock),
            open_ring(self.folder / "keys"),
            clock,
            templates=templates.FOLDER,
            volatile=manifests.volatile(),
        )

    def put(self, number: int, changed_s: int) -> None:
        """A meeting note or a transcript; another one under the same id when it is put again."""
        dice = random.Random(f"{number} {changed_s}")
        when = TODAY - timedelta(hours=number * 9600 / 5000)
        every, long = TRANSCRIPT
        note = "\n".join(_sentence(dice) for _ in range(self.sentences if number % every else long))
        data = {
            "title": f"{dice.choice(_PROJECTS)} weekly {number}",
            "meeting_started_at": when.isoformat(),
            "attendees": dice.sample(_NAMES, 3),
            "note_text": note,
        }
        self.server.put("meeting_notes", f"n{number}", Row(changed_s, when, data))

    def job(self, job_type: str) -> dict[str, float]:
        """Every stage but the agent; -> processor seconds by stage."""
        self.jobs += 1
        root = self.folder / "workspace"
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        guard, page_cache, self.taken = OpenGuard(), PageCache(open_index), {}
        manifest = manifests.export_manifest()
        run = run_of(root, self.server, job_type, self.jobs, period="2026-11-27T14", force=True)
        if self.store.warm:
            self.store.warm.begin(run.job.user_id)
        run = self.stage(
            "hydrate", lambda run: Hydrate(self.store, lambda _user, carried: carried).run(run, guard), run
        )
        run = self.stage("export", lambda run: Export(manifest, open_sightings).run(run, guard), run)
        run = self.stage("render", lambda run: Render(manifest, open_index).run(run, guard), run)
        brain = BrainApart()
        run = self.stage("index", lambda run: Index(brain, desk=page_cache).run(run, guard), run)
        self.taken["index"] -= brain.seconds
        self.taken[BRAIN] = brain.seconds
        run = self.stage("synthesize", lambda run: around_the_agent(run, page_cache, guard, self.store), run)
        run = self.stage("report", lambda run: Report(page_cache).run(run, guard), run)
        self.stage("persist", lambda run: Persist(self.store, self.store.clock).run(run, guard), run)
        if self.store.warm:
            self.store.of(run.job.user_id).vouch()
            self.store.warm.end(root)
        return self.taken

    def hours(self, count: int, changed: int) -> Iterator[dict[str, float]]:
        """Hourly jobs, each with records that changed since the one before."""
        for hour in range(self.jobs, self.jobs + count):
            for number in range(changed):
                self.put(number * 7 + hour, self.records + hour * 3600 + number)
            yield self.job("hourly_digest")

    def keep_folders(self) -> None:
        """From now on keep each job's folder for the next one, as an instance does."""
        bounds = WarmBounds(folders=1, bytes=1 << 40, age_s=1e9)
        self.store.warm = WarmFolders(self.folder / "warm", self.store.clock, bounds, shared=False)

    def stage(self, name: str, work: Callable[[Run], Run], run: Run) -> Run:
        began = time.process_time()
        done = work(run)
        self.taken[name] = time.process_time() - began
        return done


def around_the_agent(run: Run, page_cache: PageCache, guard: OpenGuard, store: WorkspaceStore) -> Run:
    """What synthesize does before and after the agent runs."""
    briefing.brief(run, page_cache, guard)
    original = lambda: store.of(run.job.user_id).reader(run.base.seq).read  # noqa: E731 (opened only for a repair)
    sealed = seal.take(run.root, f"runtime/job-runs/{run.job.job_id}", guard, run.hydrated, original)
    assert not sealed.mend(guard)
    return replace(run, sealed=sealed.intact)


def _sentence(dice: random.Random) -> str:
    return dice.choice(_SAID).format(
        who=dice.choice(_NAMES),
        what=dice.choice(_SUBJECTS),
        project=dice.choice(_PROJECTS),
        day=dice.randint(1, 28),
        amount=dice.randint(20, 90),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.hourly", description=__doc__)
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--changed", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=3)
    args = parser.parse_args()
    bootstrap.settle_memory()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        world = World(Path(folder), args.sentences, args.records)
        for number in range(args.records):
            world.put(number, number)
        tell(f"backfill of {args.records} records", [world.job("backfill_digest")])
        what = f"an hour with {args.changed} changed records, median of {args.rounds}"
        # The first hour has the whole backfill behind it; the next ones are what every hour costs.
        total = tell(f"{what}, cold", list(world.hours(args.rounds + 1, args.changed))[1:])
        files, seconds = floor(world.folder / "workspace", world.folder / "floor")
        world.keep_folders()
        # The first hour finds no folder.
        warm = tell(f"{what}, warm", list(world.hours(args.rounds + 1, args.changed))[1:])
        world.store.close()
    verdict = f" (bar: {BAR_S:.0f}){'' if total <= BAR_S else ': OVER'}" if args.records == RECORDS else ""
    sys.stdout.write(f"cold, without the brain {total:.2f} s{verdict}\n")
    sys.stdout.write(f"warm, without the brain {warm:.2f} s\n")
    sys.stdout.write(f"floor: {files} files {seconds:.2f} s\n")


def floor(workspace: Path, copy: Path) -> tuple[int, float]:
    """Write, list and read a workspace's files with nothing else done; -> (files, processor seconds)."""
    folders = [path for path in workspace.rglob("*") if path.is_dir()]
    contents = {str(path): path.read_bytes() for path in workspace.rglob("*") if path.is_file()}
    with open_index(workspace / layout.RENDER_INDEX) as index:
        readings = [row[2] for row in index.readings(reader.NAME)]
    for folder in (copy, *(copy / path.relative_to(workspace) for path in folders)):
        folder.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    for path, content in contents.items():
        handle = os.open(f"{copy}{path[len(str(workspace)) :]}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(handle, content)
        os.fstat(handle)
        os.close(handle)
        hashlib.sha256(content).digest()
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in entries:
                entry.stat(follow_symlinks=False)
    for path in contents:
        handle = os.open(path, os.O_RDONLY)
        hashlib.sha256(os.read(handle, os.fstat(handle).st_size)).digest()
        os.close(handle)
    for reading in readings:
        orjson.loads(reading)
    return len(contents), time.process_time() - began


def tell(what: str, jobs: list[dict[str, float]]) -> float:
    """Print medians by stage; -> their sum without the brain."""
    medians = {name: statistics.median(job[name] for job in jobs) for name in jobs[0]}
    sys.stdout.write(f"{what}\n" + "".join(f"  {name:12} {seconds:7.2f} s\n" for name, seconds in medians.items()))
    return sum(seconds for name, seconds in medians.items() if name != BRAIN)


if __name__ == "__main__":
    main()
