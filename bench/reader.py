"""
The reader's bars, on a memory of 5,000 pages over the embedded bucket: how long a search and Today take, warm and cold,
how many requests and bytes they cost, and how much memory many users in rotation take who search and ask.

    python -m bench.reader [--pages 5000] [--hours 12] [--users 200] [--rounds 40] [--latency-ms 40]

The largest memory gets so many further commits (``--hours``), each with twenty changed pages, as after a day of hourly
jobs: its index then lies in many packs. No two searches ask the same: each has a few rare words and some frequent ones,
as questions have. ``--latency-ms`` is added to each request to the bucket, and the figures are printed again; 0 prints
them once. "In sequence" is the longest chain of requests of which each begins after the one before has ended; without
added latency the start of threads makes it longer than it is. Exit code 1: a figure misses its bar. The
users of the rotation have memories of a hundredth, a tenth and the whole of ``--pages`` (7, 2 and 1 of ten): one
workspace of each size is built, and copied to the others' prefixes. Its record index, from which questions are
answered, is one that the stages export and render made of as many meeting notes. The users are served by a process of
its own, so that its resident memory is the reader's alone.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import httpx

from consumer import layout
from consumer.clients.signing import Ed25519Signer, PublicRing
from consumer.ports import ReadBlobs
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import Base
from consumer.storage.gcs import GcsBlobStore
from contract.overlay import EMPTY
from local.gcs.server import serve
from reader import asking
from reader.grants import Grant
from reader.library import OpenMemories
from reader.memory import MemoryView, Query
from service.clock import SystemClock
from tests.unit.reader import worlds
from tests.unit.repository.workspaces import PEM, TEMPLATES, Free

BUCKET = "bench"
#: Words of a language: few are frequent, most are rare (Zipf's law).
WORDS = [f"word{rank}" for rank in range(1, 5001)]
WEIGHTS = [1 / rank for rank in range(1, 5001)]
#: Most milliseconds without added latency, and MiB.
BARS = {"search warm": 30.0, "search cold": 400.0, "today warm": 50.0, "MiB at most": 512.0}
#: Most requests, with added latency.
REQUEST_BARS = {"in sequence, cold search": 4.0, "in sequence, warm search": 1.0}
#: Pages that an hour changes.
CHANGED = 20
#: READER_CACHE_MB of the rotation.
CACHE_MIB = 256
QUESTION = "What do I owe Ann Lee?"


@dataclass
class Delayed:
    """A bucket whose every request takes longer, and that counts them and their bytes."""

    inner: Any
    seconds: float
    #: When each request began and ended.
    spans: list[tuple[float, float]] = field(default_factory=list)
    size: int = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.inner, name)

        def call(*given: Any, **named: Any) -> Any:
            began = time.perf_counter()
            time.sleep(self.seconds)
            answer = method(*given, **named)
            self.spans.append((began, time.perf_counter()))
            data = answer if isinstance(answer, bytes) else getattr(answer, "data", b"")
            self.size += len(data)
            return answer

        return call


def in_sequence(spans: list[tuple[float, float]]) -> int:
    """The length of the longest chain of requests of which each begins after the one before has ended."""
    count, end = 0, 0.0
    for began, ended in sorted(spans, key=lambda span: span[1]):
        if began >= end:
            count, end = count + 1, ended
    return count


def pages(count: int) -> dict[str, str]:
    """Evidence pages of about 2 KiB, no two alike; one in fifty speaks of a heron."""
    made = {}
    for number in range(count):
        text = " ".join(random.Random(number).choices(WORDS, WEIGHTS, k=300))
        text += " the heron was seen by the pond" if number % 50 == 0 else ""
        day = f"2026-{1 + number % 11:02d}-{1 + number % 28:02d}"
        head = f'---\ntitle: "Note {number}"\ntype: "source"\nsource: "meeting_notes"\ndate: "{day}"\n---\n'
        made[f"brain/sources/cloop/meeting-notes/{day}-note-{number}.md"] = (
            f"{head}# Note {number}\n\n{text} n{number}.\n"
        )
    return made


@contextmanager
def bucket(folder: Path) -> Iterator[tuple[str, GcsBlobStore]]:
    """The bucket's address, and the bucket."""
    with serve(folder) as url:
        httpx.post(f"{url}/storage/v1/b", json={"name": BUCKET}, trust_env=False).raise_for_status()
        store = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=url)
        yield url, store
        store.close()


def question(number: int) -> str:
    """Three rare words or more, one that fifty pages have, and two that most pages have."""
    chosen = random.Random(number)
    return " ".join([*chosen.sample(WORDS[200:], chosen.randint(3, 5)), "heron", *chosen.sample(WORDS[:20], 2)])


def record_index(folder: Path, count: int) -> bytes:
    """What the stages export and render make of this many meeting notes."""
    # Here, so that the process whose memory is measured does not have the stages in it.
    from bench import hourly
    from tests.fake_export import export_and_render, run_of

    world = hourly.World(folder, records=count)
    for number in range(count):
        world.put(number, number)
    world.store.close()
    root = folder / "rendered"
    root.mkdir()
    export_and_render(run_of(root, world.server, "backfill_digest", 1, period="2026-11-27T14", force=True))
    data = (root / layout.RENDER_INDEX).read_bytes()
    shutil.rmtree(root)
    return data


def commit(blobs: GcsBlobStore, folder: Path, user: str, count: int, hours: int = 0) -> float:
    """A user's workspace of ``count`` pages, then ``hours`` commits of changed ones; its index's size in MiB."""
    from consumer.evidence import pagefiles
    from consumer.evidence.search import building

    clock = SystemClock()
    store = WorkspaceStore(blobs, Ed25519Signer(PEM), clock, templates=TEMPLATES)
    root = folder / f"root-{user}"
    base = store.of(user).hydrate(root, "v1", Free()).base
    files = pages(count)
    records = record_index(folder / f"records-{user}", count)
    changed: dict[str, str | bytes] = {**worlds.files("BENCH"), **files, layout.RENDER_INDEX: records}
    for hour in range(hours + 1):
        for path, text in changed.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text if isinstance(text, bytes) else text.encode())
        building.update(root, pagefiles.digests(root, Free()), Free())
        meta = CommitMeta(f"j{hour}", 1, 1, "insight", "v1", clock.now())
        committed = store.of(user).persist(root, base, meta, Free())
        base = Base(committed.seq, committed.digest, 0)
        chosen = random.Random(hour).sample(sorted(files), min(CHANGED, count))
        changed = {path: f"{files[path]}\nIn hour {hour} this was added.\n" for path in chosen}
    store.close()
    size = (root / layout.SEARCH_INDEX).stat().st_size / 1024**2
    shutil.rmtree(root)
    return size


def copy(blobs: GcsBlobStore, source: str, targets: list[str]) -> None:
    """The same workspace below other users' prefixes."""
    names = [stat.name for stat in blobs.list(f"users/{source}/")]
    for name in names:
        data = blobs.read(name).data
        for user in targets:
            blobs.write(name.replace(source, user, 1), data, if_generation=None)


def user_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def resident_mib() -> float:
    """What this process holds in memory now."""
    pages_held = int(Path("/proc/self/statm").read_text().split()[1])
    return pages_held * resource.getpagesize() / 1024**2


@contextmanager
def library(
    blobs: GcsBlobStore, latency_s: float, cache_mib: int
) -> Iterator[tuple[OpenMemories, Path, dict[str, Delayed], SystemClock]]:
    """A reader's open memories, its folder, and the buckets by user."""
    delayed: dict[str, Delayed] = {}

    def of(grant: Grant) -> ReadBlobs:
        made = delayed.setdefault(grant.user_id, Delayed(blobs.for_prefix(grant.prefix), latency_s))
        return cast(ReadBlobs, made)

    clock = SystemClock()
    with tempfile.TemporaryDirectory() as folder:
        opened = OpenMemories(of, PublicRing(Ed25519Signer(PEM).public_keys), clock, Path(folder), cache_mib << 20)
        yield opened, Path(folder), delayed, clock
        opened.close()


def measure(blobs: GcsBlobStore, rounds: int, latency_s: float) -> dict[str, float]:
    """One user with the largest memory."""
    me = user_id(0)
    with library(blobs, latency_s, 256) as (memories, folder, delayed, clock):
        grant = Grant(me, BUCKET, f"users/{me}/", "t", clock.now(), EMPTY)

        def once(act: Callable[[MemoryView], object]) -> float:
            began = time.perf_counter()
            with memories.open(grant) as opened:
                act(MemoryView(opened, EMPTY, clock.now(), folder))
            return (time.perf_counter() - began) * 1000

        asked = itertools.count()

        def search(memory: MemoryView) -> object:
            return memory.search(Query(question(next(asked))))

        def requests(act: Callable[[MemoryView], object]) -> tuple[float, Delayed]:
            """Milliseconds, and the requests that were made meanwhile."""
            before = (len(delayed[me].spans), delayed[me].size) if me in delayed else (0, 0)
            took = once(act)
            bucket = delayed[me]
            return took, Delayed(None, 0.0, bucket.spans[before[0] :], bucket.size - before[1])

        cold = []
        for _ in range(max(3, rounds // 8)):
            memories.forget(me)
            cold.append(requests(search))
        began = time.thread_time()
        warm = [requests(search) for _ in range(rounds)]
        cpu = (time.thread_time() - began) * 1000 / rounds
        today = [once(MemoryView.today) for _ in range(rounds)]
    figures = {
        "search cold": statistics.median(took for took, _ in cold),
        "search warm": statistics.median(took for took, _ in warm),
        "search warm, p95": statistics.quantiles((took for took, _ in warm), n=20)[-1],
        "search warm, mean CPU": cpu,
        "today warm": statistics.median(today),
    }
    for name, measured in (("cold search", cold), ("warm search", warm)):
        figures |= {
            f"in sequence, {name}": statistics.median(in_sequence(made.spans) for _, made in measured),
            f"requests, {name}": statistics.median(len(made.spans) for _, made in measured),
            f"KiB, {name}": statistics.median(made.size for _, made in measured) / 1024,
        }
    return figures


def rotate(url: str, users: int, turns: int) -> dict[str, float]:
    """Many users in turn, in this process: Today, a search and a question of each. Prints the figures as JSON."""
    import reader.main  # noqa: F401 (what a reader's process has in memory)

    blobs = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=url)
    began = resident_mib()
    searches: list[float] = []
    questions: list[float] = []
    highest = began
    with library(blobs, 0.0, CACHE_MIB) as (memories, folder, delayed, clock):
        for turn in range(turns):
            for number in random.Random(turn).sample(range(users), users):
                user = user_id(number)
                grant = Grant(user, BUCKET, f"users/{user}/", "t", clock.now(), EMPTY)
                at = time.perf_counter()
                with memories.open(grant) as opened:
                    memory = MemoryView(opened, EMPTY, clock.now(), folder)
                    memory.today()
                    memory.search(Query("heron"))
                    searches.append((time.perf_counter() - at) * 1000)
                    at = time.perf_counter()
                    asking.answer(memory, QUESTION)
                    questions.append((time.perf_counter() - at) * 1000)
                highest = max(highest, resident_mib())
        kept = len(memories.users)
        size = sum(each.size for each in delayed.values())
    blobs.close()
    return {
        "users in rotation": users,
        "memories open at the end": kept,
        "Today and search": statistics.median(searches),
        "Today and search, p95": statistics.quantiles(searches, n=20)[-1],
        "question": statistics.median(questions),
        "question, p95": statistics.quantiles(questions, n=20)[-1],
        "KiB of each": size / len(searches) / 1024,
        "MiB before the first": began,
        "MiB at most": highest,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--hours", type=int, default=12)
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--latency-ms", type=float, default=40.0)
    parser.add_argument("--rotate", metavar="URL", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rotate:
        print(json.dumps(rotate(given.rotate, given.users, turns=2)))
        return 0
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as name, bucket(Path(name) / "gcs") as (url, blobs):
        sizes = (given.pages, max(1, given.pages // 10), max(1, given.pages // 100))
        for number, size in enumerate(sizes):
            index = commit(blobs, Path(name), user_id(number), size, given.hours if number == 0 else 0)
            print(f"{size} pages, index of {index:.1f} MiB")
            copy(
                blobs,
                user_id(number),
                [user_id(other) for other in range(len(sizes), given.users) if _size(other) == number],
            )
        for latency_ms in dict.fromkeys((0.0, given.latency_ms)):
            print(f"each request to the bucket {latency_ms:g} ms later:")
            figures = measure(blobs, given.rounds, latency_ms / 1000)
            missed += _print(figures, REQUEST_BARS if latency_ms else BARS)
        command = [sys.executable, "-m", "bench.reader", "--rotate", url, "--users", str(max(given.users, len(sizes)))]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        print(f"a process that serves them in turn, with READER_CACHE_MB={CACHE_MIB}:")
        missed += _print(json.loads(answer.stdout), BARS)
    if missed:
        print(f"missed: {', '.join(missed)}")
    return 1 if missed else 0


def _size(number: int) -> int:
    """Which of the three sizes a user has: 1 of ten the largest, 2 the middle one."""
    return 0 if number % 10 == 0 else 1 if number % 10 < 3 else 2


def _print(figures: dict[str, float], bars: dict[str, float]) -> list[str]:
    """Print the figures; the names of those above their bars."""
    for what, figure in figures.items():
        bar = f"  (bar {bars[what]:g})" if what in bars else ""
        print(f"  {what:26} {figure:8.1f}{bar}")
    return [what for what, figure in figures.items() if figure > bars.get(what, figure)]


if __name__ == "__main__":
    sys.exit(main())
