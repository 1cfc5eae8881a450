"""
Persist and hydrate beside restic, rclone and tar+zstd, on the embedded GCS server, in memory-backed folders.

    python -m bench.workspace [--rounds 5] [--pages 2000] [--increments 100] [--rclone]

Medians of ROUNDS, tools interleaved, by wall clock and by processor time of the client and its children, which another
user of the machine does not distort. ``floor`` moves the same bytes in as many bare requests. ``--increments N``
measures a history of N commits too. Ten and a hundred times the pages: ``--pages 20000 --rounds 2`` and
``--pages 200000 --rounds 1 --tar``.
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
from functools import partial
from pathlib import Path

from bench import reference
from bench.gcs import BUCKET, Served, served
from bench.peers import Rclone, Restic, TarZstd, installed
from consumer import bootstrap
from consumer.clients.signing import open_ring
from consumer.delivery.runfolder import RunFolder
from consumer.repository.cache import ObjectCache
from consumer.repository.warm import WarmBounds, WarmFolders
from consumer.repository.workspace import WorkspaceStore
from consumer.run import NoDeadline
from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import Base, Hydrated
from consumer.storage.gcs import GcsBlobStore
from service.clock import SystemClock

TEMPLATES = Path(__file__).parents[1] / "templates"
RESULTS = Path(__file__).parent / "results"
COLUMNS = ("seconds", "cpu_s", "requests", "bytes_in", "bytes_out")
#: (what, against whom, at most so many times as long, what of theirs if it has another name).
BARS = (
    ("first persist", "restic", 1 / 3, ""),
    ("first persist", "rclone", 1 / 20, ""),
    ("first persist", "tar+zstd", 1.3, ""),
    ("nothing changed", "restic", 0.3, ""),
    ("nothing changed, rehash", "restic", 0.3, "nothing changed"),
    ("20 files changed", "restic", 1 / 5, ""),
    ("20 files changed", "rclone", 1 / 5, ""),
    ("cold hydrate", "restic", 1 / 4, ""),
    ("cold hydrate", "rclone", 1 / 4, ""),
    ("cold hydrate", "tar+zstd", 1.2, ""),
    ("hydrate after 100 increments", "fresh", 1.5, ""),
)
REQUESTS = {"first persist": 10, "nothing changed": 2, "20 files changed": 5}


@dataclass(slots=True)
class Table:
    """(tool, what) -> seconds, processor seconds, requests and bytes of each round."""

    served: Served
    rows: dict[tuple[str, str], list[tuple[float, float, int, int, int]]] = field(default_factory=dict)
    #: Of a hydrate: files that had to be written, of how many.
    written: dict[str, tuple[int, int]] = field(default_factory=dict)

    def measure(self, tool: str, what: str, act: Callable[[], object]) -> None:
        gc.collect()
        self.served.reset()
        begun, spent = time.perf_counter(), _cpu_s()
        act()
        seconds, cpu = time.perf_counter() - begun, _cpu_s() - spent
        requests, inwards, outwards = self.served.counts()
        self.rows.setdefault((tool, what), []).append((seconds, cpu, requests, inwards, outwards))

    def print(self) -> None:
        """One row a tool. ``cpu`` is the client's own and its children's, without the server's."""
        titles = ("s", "cpu s", "requests", "KB in", "KB out", "ours x", "cpu x")
        print(f"{'what':<30}{'tool':<10}" + "".join(f"{title:>9}" for title in titles))
        for what in dict.fromkeys(what for _, what in self.rows):
            mine = self._median("ours", what)
            for tool in dict.fromkeys(tool for tool, named in self.rows if named == what):
                seconds, cpu, requests, inwards, outwards = self._median(tool, what)
                ratio = f"{mine[0] / seconds:>9.2f}{mine[1] / max(cpu, 0.001):>9.2f}" if tool != "ours" else ""
                print(
                    f"{what:<30}{tool:<10}{seconds:>9.3f}{cpu:>9.3f}{requests:>9.0f}{inwards / 1000:>9.0f}"
                    f"{outwards / 1000:>9.0f}{ratio}"
                )

    def bars(self) -> None:
        """What is promised, beside what was found, by wall clock and by processor time."""
        print(f"\n{'bar':<30}{'against':<10}{'at most':>9}{'wall':>9}{'cpu':>9}")
        for what, peer, most, theirs in BARS:
            mine, other = self._median("ours", what), self._median(peer, theirs or what)
            if other[0] and mine[0]:
                print(f"{what:<30}{peer:<10}{most:>8.2f}x{mine[0] / other[0]:>8.2f}x{mine[1] / other[1]:>8.2f}x")
        cold = self._median("ours", "cold hydrate")
        for what, (written, files) in self.written.items():
            mine = self._median("ours", what)
            shares = f"{mine[0] / cold[0]:>8.2f}x{mine[1] / cold[1]:>8.2f}x"
            print(f"{what:<31}{'cold':<18}{shares}  {written} of {files} files written")
        for what, requests in REQUESTS.items():
            print(f"{what:<30}{'requests':<10}{requests:>9}{self._median('ours', what)[2]:>9.0f}")

    def floor(self, what: str, blobs: GcsBlobStore) -> None:
        """The same bytes in as many bare requests, one after the other, with nothing looked at."""
        _, _, requests, inwards, outwards = self._median("ours", what)
        count, name = int(requests), f"floor/{uuid.uuid4()}"
        if not count:
            return
        data, stored = b"x" * int(inwards / count), b"y" * int(outwards / count)
        blobs.write(name, stored, if_generation=0)
        down = outwards > inwards
        self.measure(
            "floor",
            what,
            lambda: [
                blobs.read(name) if down else blobs.write(f"{name}/{n}", data, if_generation=0) for n in range(count)
            ],
        )

    def json(self) -> dict[str, object]:
        return {f"{what}/{tool}": dict(zip(COLUMNS, self._median(tool, what), strict=True)) for tool, what in self.rows}

    def _median(self, tool: str, what: str) -> tuple[float, ...]:
        rows = self.rows.get((tool, what), [(0.0,) * len(COLUMNS)])
        return tuple(statistics.median(column) for column in zip(*rows, strict=True))


def _cpu_s() -> float:
    """Processor seconds of this process and of its children that are over: what a shared machine does not distort."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


@dataclass(slots=True)
class Ours:
    blobs: GcsBlobStore
    scratch: Path
    user: str = field(default_factory=lambda: str(uuid.uuid4()))
    base: Hydrated | None = None
    jobs: int = 0

    def store(
        self, *, cache: bool = False, trust_stats: bool = True, warm: WarmFolders | None = None
    ) -> WorkspaceStore:
        return WorkspaceStore(
            self.blobs,
            open_ring(self.scratch / "keys"),
            SystemClock(),
            templates=TEMPLATES,
            cache=ObjectCache(self.scratch / "cache") if cache else None,
            trust_stats=trust_stats,
            warm=warm,
        )

    def hydrate(self, store: WorkspaceStore, root: Path) -> None:
        self.base = store.of(self.user).hydrate(root, "v1", NoDeadline(600))

    def rebase(self, store: WorkspaceStore) -> None:
        """The next persist stands on HEAD as it is now."""
        head = store.of(self.user).read_head()
        assert head is not None
        self.base = Hydrated(Base(head.seq, head.commit, head.generation), {}, "v1", 0, 0)

    def persist(self, store: WorkspaceStore, root: Path) -> None:
        assert self.base is not None
        self.jobs += 1
        meta = CommitMeta("bench", 1, 1, "insight", "v1", SystemClock().now())
        store.of(self.user).persist(root, self.base.base, meta, NoDeadline(600))


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
    table.measure("ours", "cold hydrate, packs cached", lambda: ours.hydrate(ours.store(cache=True), scratch / "warm"))
    for what in ("first persist", "20 files changed", "cold hydrate"):
        table.floor(what, blobs)
    _same(work, scratch / "cold")
    warm_rounds(table, ours, store, work, number)
    for name in ("work", "cold", "warm", "empty", "cache", "instance"):
        shutil.rmtree(scratch / name, ignore_errors=True)
    for peer in peers:
        peer_round(table, peer, source, scratch, f"{number}-{uuid.uuid4().hex[:6]}")


def warm_rounds(table: Table, ours: Ours, elsewhere: WorkspaceStore, work: Path, number: int) -> None:
    """Runs of one instance, while another moves HEAD on."""
    warm = WarmFolders(ours.scratch / "instance/warm", SystemClock(), WarmBounds(bytes=1 << 40))
    folder, store = RunFolder(ours.scratch / "instance", warm), ours.store(warm=warm)

    def run(what: str | None) -> None:
        with folder.mutex(), folder.open("job", ours.user) as root:
            if what:
                table.measure("ours", what, lambda: ours.hydrate(store, root))
                assert ours.base is not None
                table.written[what] = (ours.base.written, ours.base.files)
            else:
                ours.hydrate(store, root)
            _same(work, root)
            store.of(ours.user).vouch()

    run(None)
    run("warm hydrate, nothing changed")
    ours.rebase(elsewhere)
    reference.change(work, number + 1000)
    ours.persist(elsewhere, work)
    run("warm hydrate, 20 files changed")


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
    """A history of ``count`` small commits, then one more, and a cold hydrate of it; ``fresh``: of a single commit."""
    blobs = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=table.served.endpoint)
    ours = Ours(blobs, scratch)
    store, work = ours.store(), scratch / "work"
    ours.hydrate(store, scratch / "empty")
    shutil.copytree(source, work)
    for number in range(count + 1):
        ours.persist(store, work)
        ours.rebase(store)
        reference.change(work, number)
    what = f"after {count} increments"
    table.measure("ours", f"20 files {what}", lambda: ours.persist(store, work))
    fresh = Ours(blobs, scratch)
    fresh.hydrate(store, scratch / "nothing")
    fresh.persist(store, work)
    for _ in range(5):
        for tool, history in (("ours", ours), ("fresh", fresh)):
            table.measure(tool, f"hydrate {what}", partial(history.hydrate, history.store(), scratch / "cold"))
            shutil.rmtree(scratch / "cold")
    for name in ("work", "empty", "nothing"):
        shutil.rmtree(scratch / name, ignore_errors=True)


def _same(first: Path, second: Path) -> None:
    listed = [{path.relative_to(root): path.stat().st_mode for path in root.rglob("*")} for root in (first, second)]
    assert listed[0] == listed[1], "hydrate lost something"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.workspace", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--increments", type=int, default=100)
    parser.add_argument("--rclone", action="store_true", help="run the slow peer too")
    parser.add_argument("--tar", action="store_true", help="no peer but tar+zstd, for very large workspaces")
    parser.add_argument("--ours", action="store_true", help="no peers")
    options = parser.parse_args()
    # As the consumer's processes do when they start.
    bootstrap.settle_memory()
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
        if not (options.ours or options.tar) and installed("restic") and installed("rclone"):
            peers += [Restic(gcs.endpoint), *([Rclone(gcs.endpoint)] if options.rclone else [])]
        for number in range(options.rounds):
            round_of(table, source, scratch, peers, number)
        if options.increments:
            increments(table, source, scratch, options.increments)
        table.print()
        table.bars()
        print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"workspace-{options.pages}.json").write_text(json.dumps(table.json(), indent=1))


if __name__ == "__main__":
    main()
