"""
The reader's bars, on a memory of 5,000 pages over the embedded bucket: how long a search and Today take, warm and cold,
how many requests they send to the bucket, and how much memory many users in rotation take.

    python -m bench.reader [--pages 5000] [--users 20] [--rounds 40] [--latency-ms 40]

``--latency-ms`` is added to each request to the bucket, and the figures are printed again.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from consumer import layout
from consumer.clients.signing import Ed25519Signer, PublicRing
from consumer.ports import ReadBlobs
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot.chain import CommitMeta
from consumer.storage.gcs import GcsBlobStore
from contract.overlay import EMPTY
from local.gcs.server import serve
from reader.grants import Grant
from reader.library import Library
from reader.memory import Memory, Query
from service.clock import SystemClock
from tests.unit.reader import worlds
from tests.unit.repository.workspaces import PEM, TEMPLATES, Free

BUCKET = "bench"
#: Words of a language: few are frequent, most are rare (Zipf's law).
WORDS = [f"word{rank}" for rank in range(1, 5001)]
WEIGHTS = [1 / rank for rank in range(1, 5001)]
#: Most milliseconds without added latency.
BARS = {"search warm": 30.0, "search cold": 400.0, "today warm": 50.0}


@dataclass
class Delayed:
    """A bucket whose every request takes longer, and that counts them."""

    inner: Any
    seconds: float
    requests: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.inner, name)

        def call(*given: Any, **named: Any) -> Any:
            self.requests.append(name)
            time.sleep(self.seconds)
            return method(*given, **named)

        return call


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
def bucket(folder: Path) -> Iterator[GcsBlobStore]:
    with serve(folder) as url:
        httpx.post(f"{url}/storage/v1/b", json={"name": BUCKET}, trust_env=False).raise_for_status()
        store = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=url)
        yield store
        store.close()


def commit(blobs: GcsBlobStore, folder: Path, users: list[str], count: int) -> None:
    from consumer.evidence import pagefiles
    from consumer.evidence.search import building

    clock = SystemClock()
    store = WorkspaceStore(blobs, Ed25519Signer(PEM), clock, templates=TEMPLATES)
    root = folder / "root"
    for number, user in enumerate(users):
        here = root if number == 0 else folder / f"root-{number}"
        workspace = store.of(user).hydrate(here, "v1", Free())
        source = {**worlds.files("BENCH"), **pages(count)} if number == 0 else {}
        for path, text in source.items():
            (here / path).parent.mkdir(parents=True, exist_ok=True)
            (here / path).write_bytes(text if isinstance(text, bytes) else text.encode())
        if number == 0:
            building.update(here, pagefiles.digests(here, Free()), Free())
        else:
            _copy(root, here)
        store.of(user).persist(here, workspace.base, CommitMeta("j", 1, 1, "insight", "v1", clock.now()), Free())
    store.close()


def _copy(source: Path, target: Path) -> None:
    for path in source.rglob("*"):
        place = target / path.relative_to(source)
        if path.is_dir():
            place.mkdir(exist_ok=True)
        elif not place.exists():
            place.write_bytes(path.read_bytes())


def measure(blobs: GcsBlobStore, folder: Path, users: list[str], rounds: int, latency_s: float) -> dict[str, float]:
    delayed: dict[str, Delayed] = {}

    def of(grant: Grant) -> ReadBlobs:
        made: Any = delayed.setdefault(grant.user_id, Delayed(blobs.for_prefix(grant.prefix), latency_s))
        return made

    clock = SystemClock()
    indexes = folder / f"indexes-{latency_s}"
    indexes.mkdir()
    library = Library(of, PublicRing(Ed25519Signer(PEM).public_keys), clock, indexes, 256 << 20)
    me = users[0]
    grant = Grant(me, BUCKET, f"users/{me}/", "t", clock.now(), EMPTY)

    def once(act: Callable[[Memory], object]) -> float:
        began = time.perf_counter()
        with library.open(grant) as opened:
            act(Memory(opened, EMPTY, clock.now(), indexes))
        return (time.perf_counter() - began) * 1000

    def search(memory: Memory) -> object:
        return memory.search(Query("where was the heron seen by the pond"))

    cold = []
    for _ in range(max(3, rounds // 8)):
        library.forget(me)
        cold.append(once(search))
    warm = [once(search) for _ in range(rounds)]
    sent = len(delayed[me].requests)
    once(search)
    requests = len(delayed[me].requests) - sent
    today = [once(Memory.today) for _ in range(rounds)]
    for user in users:
        with library.open(Grant(user, BUCKET, f"users/{user}/", "t", clock.now(), EMPTY)) as opened:
            Memory(opened, EMPTY, clock.now(), indexes).search(Query("heron"))
    kept = len(library.users)
    library.close()
    return {
        "search cold": statistics.median(cold),
        "search warm": statistics.median(warm),
        "today warm": statistics.median(today),
        "requests of a warm search": requests,
        "memories open at the end": kept,
        "MiB at most": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--users", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--latency-ms", type=float, default=40.0)
    given = parser.parse_args()
    users = [f"00000000-0000-4000-8000-{number:012d}" for number in range(given.users)]
    with tempfile.TemporaryDirectory() as name, bucket(Path(name) / "gcs") as blobs:
        folder = Path(name)
        commit(blobs, folder, users, given.pages)
        index = (folder / "root" / layout.SEARCH_INDEX).stat().st_size / 1024**2
        print(f"{given.pages} pages, index of {index:.1f} MiB, {given.users} users")
        for latency_ms in (0.0, given.latency_ms):
            print(f"each request to the bucket {latency_ms:g} ms later:")
            for what, figure in measure(blobs, folder, users, given.rounds, latency_ms / 1000).items():
                bar = f"  (bar {BARS[what]:g})" if what in BARS and not latency_ms else ""
                print(f"  {what:26} {figure:8.1f}{bar}")


if __name__ == "__main__":
    main()
