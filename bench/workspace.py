"""
Persist and hydrate beside restic, rclone and tar+zstd, on the embedded GCS server, in memory-backed folders.

    python -m bench.workspace [--rounds 5] [--pages 2000] [--increments 0] [--rclone]

Medians of ROUNDS, tools interleaved. ``--increments N`` makes N commits first. ``--rclone`` runs the slow peer too.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import shutil
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench import reference
from bench.gcs import BUCKET, Served, served
from bench.peers import Rclone, Restic, TarZstd, installed
from consumer.adapters.clock import SystemClock
from consumer.adapters.gcs import GcsBlobStore
from consumer.adapters.signing import open_ring
from consumer.core.chain import CommitMeta
from consumer.core.snapshot import Hydrated
from consumer.engine.snapshots.cache import ObjectCache
from consumer.engine.workspace import WorkspaceStore

TEMPLATES = Path(__file__).parents[1] / "templates"
RESULTS = Path(__file__).parent / "results"


class Unhurried:
    def check(self) -> None:
        pass

    def time_left(self) -> float:
        return 600.0


@dataclass(slots=True)
class Table:
    """(tool, what) -> seconds, requests and bytes of each round."""

    served: Served
    rows: dict[tuple[str, str], list[tuple[float, int, int, int]]] = field(default_factory=dict)

    def measure(self, tool: str, what: str, act: Callable[[], object]) -> None:
        gc.collect()
        self.served.reset()
        begun = time.perf_counter()
        act()
        seconds = time.perf_counter() - begun
        requests, inwards, outwards = self.served.counts()
        self.rows.setdefault((tool, what), []).append((seconds, requests, inwards, outwards))

    def print(self) -> None:
        print(f"{'what':<26}{'tool':<12}{'seconds':>9}{'requests':>10}{'KB in':>10}{'KB out':>10}{'ours is':>10}")
        for what in dict.fromkeys(what for _, what in self.rows):
            mine = self._median("ours", what)
            for tool in dict.fromkeys(tool for tool, named in self.rows if named == what):
                seconds, requests, inwards, outwards = self._median(tool, what)
                ratio = f"{seconds / mine[0]:.1f}x" if tool != "ours" and mine[0] else ""
                print(
                    f"{what:<26}{tool:<12}{seconds:>9.3f}{requests:>10.0f}{inwards / 1000:>10.0f}"
                    f"{outwards / 1000:>10.0f}{ratio:>10}"
                )

    def json(self) -> dict[str, object]:
        names = ("seconds", "requests", "bytes_in", "bytes_out")
        return {f"{what}/{tool}": dict(zip(names, self._median(tool, what), strict=True)) for tool, what in self.rows}

    def _median(self, tool: str, what: str) -> tuple[float, ...]:
        found = self.rows.get((tool, what), [(0.0, 0, 0, 0)])
        return tuple(statistics.median(column) for column in zip(*found, strict=True))


@dataclass(slots=True)
class Ours:
    blobs: GcsBlobStore
    scratch: Path
    user: str = field(default_factory=lambda: str(uuid.uuid4()))
    base: Hydrated | None = None
    jobs: int = 0

    def store(self, *, cache: bool = False, trust_stats: bool = True) -> WorkspaceStore:
        return WorkspaceStore(
            self.blobs,
            open_ring(self.scratch / "keys"),
            SystemClock(),
            templates=TEMPLATES,
            cache=ObjectCache(self.scratch / "cache") if cache else None,
            trust_stats=trust_stats,
        )

    def hydrate(self, store: WorkspaceStore, root: Path) -> None:
        self.base = store.hydrate(self.user, root, "v1", Unhurried())

    def persist(self, store: WorkspaceStore, root: Path) -> None:
        assert self.base is not None
        self.jobs += 1
        meta = CommitMeta("bench", 1, 1, "insight", "v1", SystemClock().now())
        store.persist(self.user, root, self.base.base, meta, Unhurried())


def round_of(table: Table, source: Path, scratch: Path, peers: list[Restic | Rclone | TarZstd], number: int) -> None:
    blobs = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=table.served.endpoint)
    ours = Ours(blobs, scratch)
    work = scratch / "work"
    store = ours.store(cache=True)
    ours.hydrate(store, scratch / "empty")
    shutil.copytree(source, work)
    table.measure("ours", "first persist", lambda: ours.persist(store, work))
    shutil.rmtree(work)
    ours.hydrate(store, work)
    table.measure("ours", "nothing changed", lambda: ours.persist(store, work))
    careful = ours.store(trust_stats=False)
    shutil.rmtree(work)
    ours.hydrate(careful, work)
    table.measure("ours", "nothing changed, rehash", lambda: ours.persist(careful, work))
    shutil.rmtree(work)
    ours.hydrate(store, work)
    reference.change(work, number)
    table.measure("ours", "20 files changed", lambda: ours.persist(store, work))
    table.measure("ours", "cold hydrate", lambda: ours.hydrate(ours.store(), scratch / "cold"))
    table.measure("ours", "warm hydrate", lambda: ours.hydrate(ours.store(cache=True), scratch / "warm"))
    _same(work, scratch / "cold")
    for name in ("work", "cold", "warm", "empty", "cache"):
        shutil.rmtree(scratch / name, ignore_errors=True)
    for peer in peers:
        peer_round(table, peer, source, scratch, f"{number}-{uuid.uuid4().hex[:6]}")


def peer_round(table: Table, peer: Restic | Rclone | TarZstd, source: Path, scratch: Path, place: str) -> None:
    work = scratch / "work"
    shutil.copytree(source, work)
    if isinstance(peer, Restic):
        peer.prepare(place)
    table.measure(peer.name, "first persist", lambda: peer.persist(work, place))
    table.measure(peer.name, "nothing changed", lambda: peer.persist(work, place))
    reference.change(work, len(place))
    table.measure(peer.name, "20 files changed", lambda: peer.persist(work, place))
    table.measure(peer.name, "cold hydrate", lambda: peer.hydrate(scratch / "cold", place))
    for name in ("work", "cold"):
        shutil.rmtree(scratch / name, ignore_errors=True)


def increments(table: Table, source: Path, scratch: Path, count: int) -> None:
    """A history of ``count`` small commits, then one more, and a cold hydrate of it."""
    blobs = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=table.served.endpoint)
    ours = Ours(blobs, scratch)
    store, work = ours.store(), scratch / "work"
    ours.hydrate(store, scratch / "empty")
    shutil.copytree(source, work)
    for number in range(count + 1):
        ours.persist(store, work)
        found = store.read_head(ours.user)
        assert found is not None
        assert ours.base is not None
        base = ours.base.base.__class__(found.seq, found.commit, found.generation)
        ours.base = Hydrated(base, {}, "v1", 0, 0)
        reference.change(work, number)
    what = f"after {count} increments"
    table.measure("ours", f"20 files {what}", lambda: ours.persist(store, work))
    for _ in range(3):
        table.measure("ours", f"hydrate {what}", lambda: ours.hydrate(ours.store(), scratch / "cold"))
        shutil.rmtree(scratch / "cold")
    for name in ("work", "empty"):
        shutil.rmtree(scratch / name, ignore_errors=True)


def _same(one: Path, other: Path) -> None:
    listed = [{path.relative_to(root): path.stat().st_mode for path in root.rglob("*")} for root in (one, other)]
    assert listed[0] == listed[1], "hydrate lost something"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.workspace", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--increments", type=int, default=100)
    parser.add_argument("--rclone", action="store_true", help="run the slow peer too")
    parser.add_argument("--ours", action="store_true", help="no peers")
    options = parser.parse_args()
    shared = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as name,
        served(Path(name) / "gcs") as gcs,
    ):
        scratch = Path(name)
        source = scratch / "source"
        reference.build(source, options.pages)
        table = Table(gcs)
        blobs = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=gcs.endpoint)
        peers: list[Restic | Rclone | TarZstd] = [] if options.ours else [TarZstd(blobs)]
        if not options.ours and installed("restic") and installed("rclone"):
            peers += [Restic(gcs.endpoint), *([Rclone(gcs.endpoint)] if options.rclone else [])]
        for number in range(options.rounds):
            round_of(table, source, scratch, peers, number)
        if options.increments:
            increments(table, source, scratch, options.increments)
        table.print()
        print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"workspace-{options.pages}.json").write_text(json.dumps(table.json(), indent=1))


if __name__ == "__main__":
    main()
