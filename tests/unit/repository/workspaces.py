"""What the workspace tests share: a store over a bucket in memory, a run folder, and how two folders compare."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from consumer.clients.signing import Ed25519Signer
from consumer.delivery.runfolder import RunFolder
from consumer.repository.warm import WarmBounds, WarmFolders
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import snapshot
from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import FOLDER, Base, Entry, Hydrated, Tree
from consumer.storage.memory import FakeClock, Fault, Faults, MemoryBlobStore, no_fault
from contract.api import CommitRef

USER = "11111111-1111-4111-8111-111111111111"
TEMPLATES = Path(__file__).parents[3] / "templates"
#: A test key and nothing else: generated once, so that digests in failures compare between runs.
PEM = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
"""


class Free:
    """A guard of a run that nobody stops."""

    def check(self) -> None:
        pass

    def time_left(self) -> float:
        return 600.0


@dataclass
class Counter:
    """Nonces that are all different and the same in every test run."""

    n: int = 0

    def __call__(self, size: int) -> bytes:
        self.n += 1
        return hashlib.shake_256(str(self.n).encode()).digest(size)


@dataclass
class Bench:
    """One bucket, and as many stores (processes) on it as a test wants."""

    tmp: Path
    clock: FakeClock = field(default_factory=FakeClock)
    runs: int = 0

    def __post_init__(self) -> None:
        self.blobs = MemoryBlobStore(self.clock)
        self.entropy = Counter()

    def store(self, fault: Fault = no_fault, **options: object) -> WorkspaceStore:
        blobs = self.blobs.as_seen_by(fault)
        settings: dict[str, object] = {"templates": TEMPLATES, "entropy": self.entropy, **options}
        return WorkspaceStore(blobs, Ed25519Signer(PEM), self.clock, **settings)  # type: ignore[arg-type]

    def folder(self) -> Path:
        self.runs += 1
        return self.tmp / f"run-{self.runs}"

    def hydrate(self, store: WorkspaceStore, root: Path | None = None) -> tuple[Path, Hydrated]:
        root = root or self.folder()
        return root, store.of(USER).hydrate(root, "v1", Free())

    def commit(self, store: WorkspaceStore, root: Path, base: Base, job: str = "job-1", epoch: int = 1) -> CommitRef:
        return store.of(USER).persist(root, base, self.meta(job, epoch), Free())

    def meta(self, job: str = "job-1", epoch: int = 1) -> CommitMeta:
        return CommitMeta(job, 1, epoch, "insight", "v1", self.clock.now(), cursors={"job": job})


@dataclass
class Instance:
    """One consumer process: a run folder, and a store over the bucket that it shares with others."""

    root: Path
    bench: Bench
    shared: bool = False
    rehash: bool = False
    bounds: WarmBounds = field(default_factory=WarmBounds)
    fault: Faults | None = None
    free_bytes: int = 1 << 40

    def __post_init__(self) -> None:
        self.warm = WarmFolders(
            self.root / "warm",
            self.bench.clock,
            self.bounds,
            shared=self.shared,
            rehash=self.rehash,
            free_bytes=lambda _folder: self.free_bytes,
        )
        self.folder = RunFolder(self.root, self.warm)
        self.store = self.bench.store(self.fault or no_fault, warm=self.warm)

    def run(self, work: Callable[[Path], object] = lambda _root: None, user: str = USER) -> Hydrated:
        """One run, as an attempt does it: hydrate, work, persist, vouch."""
        with self.folder.mutex(), self.folder.open("job", user) as root:
            workspace = self.store.of(user).hydrate(root, "v1", Free())
            work(root)
            self.settle()
            self.store.of(user).persist(root, workspace.base, self.bench.meta(f"job-{self.bench.entropy.n}"), Free())
            self.store.of(user).vouch()
        return workspace

    def settle(self) -> None:
        """Let the file system's clock tick: what is as young as the seal is not trusted, rightly."""
        probe = self.root / "probe"
        probe.touch()
        before = probe.stat().st_ctime_ns
        while probe.stat().st_ctime_ns == before:
            probe.unlink()
            probe.touch()

    def look(self, user: str = USER) -> tuple[Hydrated, dict[str, tuple[int, bytes | None]]]:
        """Hydrate, see what is there, and leave it as it is for the next."""
        with self.folder.mutex(), self.folder.open("look", user) as root:
            workspace = self.store.of(user).hydrate(root, "v1", Free())
            seen = listing(root)
            self.store.of(user).vouch()
        return workspace, seen

    def kept(self, user: str = USER) -> Path:
        (folder,) = (self.root / "warm" / user).iterdir()
        return folder


def listing(root: Path) -> dict[str, tuple[int, bytes | None]]:
    """path -> (mode, content; None for a folder) of everything below root."""
    return {
        str(path.relative_to(root)): (path.stat().st_mode & 0o777, path.read_bytes() if path.is_file() else None)
        for path in sorted(root.rglob("*"))
    }


def content_digest(folder: Path) -> str:
    """The tree digest of a plain folder, such as an unpacked export: equal to that of the commit it came from."""
    entries: dict[str, Entry] = {}
    for path in sorted(folder.rglob("*")):
        name, mode = path.relative_to(folder).as_posix(), path.stat().st_mode & 0o777
        if path.is_dir():
            entries[name] = Entry(name, mode, FOLDER, "", "")
        else:
            size, digest = snapshot.digest_of(path.read_bytes())
            entries[name] = Entry(name, mode, size, digest, "")
    return Tree(entries).digest()
