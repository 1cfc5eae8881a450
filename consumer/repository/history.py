"""Read a workspace's history without hydrating it, and export one snapshot of it."""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any

from consumer import paths
from consumer.ports import Guard
from consumer.repository import hydrating
from consumer.repository.loading import Snapshot
from consumer.repository.reading import Reader
from consumer.repository.workspace import Repository
from consumer.snapshot import chain, proof
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import FOLDER, Entry, SnapshotLimits, Tree


class NoSuchCommit(LookupError):
    """The workspace has no commit of that number; the message lists the existing numbers."""


@dataclass(frozen=True, slots=True)
class PathChange:
    """One path that differs between two commits; ``old`` or ``new`` is None where it is absent."""

    path: str
    old: Entry | None
    new: Entry | None

    @property
    def kind(self) -> str:
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"


@dataclass(frozen=True, slots=True)
class History:
    """One user's commits. Reads only."""

    repository: Repository

    def log(self, limit: int | None = None) -> Iterator[tuple[str, Commit]]:
        """(digest, commit) from HEAD backwards, each proven to be its successor's parent."""
        head = self.repository.read_head()
        seq, digest = (head.seq, head.commit) if head else (0, None)
        yield from islice(chain.walk(seq, digest, self.repository.loader.commit), limit)

    def commit(self, seq: int) -> tuple[str, Commit]:
        """One commit of the chain. Raises NoSuchCommit, SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable."""
        head = self.repository.read_head()
        last = head.seq if head else 0
        if not 1 <= seq <= last or (head is not None and head.commit is None):
            raise self._no_such(seq)
        prefix = paths.commit(self.repository.user_id, seq, "")
        digests = [stat.name.removeprefix(prefix) for stat in self.repository.blobs.list(prefix)]
        if len(digests) == 1:
            return digests[0], self.repository.loader.commit(seq, digests[0])
        # A writer that lost left a commit of the same number; only the chain tells them apart.
        for digest, commit in self.log():
            if commit.seq == seq:
                return digest, commit
        raise self._no_such(seq)

    def _no_such(self, seq: int) -> NoSuchCommit:
        """The error, with the existing numbers. After an erasure or a reset, numbers continue above the old ones."""
        numbers = [commit.seq for _, commit in self.log()]
        first, last = min(numbers, default=0), max(numbers, default=0)
        existing = f"commits {first} to {last}" if first < last else f"only commit {last}" if last else "no commit"
        head = self.repository.read_head()
        last_erased = first - 1 if numbers else head.seq if head else 0
        reason = "; an erasure or a reset removed the earlier commits" if 1 <= seq <= last_erased else ""
        return NoSuchCommit(
            f"the workspace of {self.repository.user_id} has no commit {seq}: it has {existing}{reason}"
        )

    def tree(self, seq: int | None = None) -> Tree:
        """The tree of a commit, HEAD's by default. Raises NoSuchCommit and as ``commit``."""
        return self.at(seq).tree

    def read(self, path: str, seq: int | None = None) -> bytes:
        """One file. Raises NoSuchCommit, KeyError, IsADirectoryError and as ``commit``."""
        return self.reader(seq).read(path)

    def reader(self, seq: int | None = None) -> Reader:
        """Files of one commit, proven. Raises NoSuchCommit and as ``commit``."""
        snapshot = self.at(seq)
        cold = partial(self.repository.loader.segments, snapshot.catalog.cold)
        return Reader(snapshot.head.seq, snapshot.tree, self.repository.fetcher, snapshot.packs, cold)

    def changes(self, old: int, new: int) -> list[PathChange]:
        """The differences between two commits, by path; commit 0 is the empty workspace."""
        before = self.tree(old).entries if old else {}
        after = self.tree(new).entries if new else {}
        return [
            PathChange(path, before.get(path), after.get(path))
            for path in sorted(before.keys() | after.keys())
            if not _is_same_entry(before.get(path), after.get(path))
        ]

    def export(self, out: IO[bytes], guard: Guard, seq: int | None = None) -> str:
        """Write a tar of one snapshot and return the digest of its tree. The same snapshot always gives the same bytes.

        Every content is checked on a copy in a temporary folder before the archive is started.
        """
        snapshot = self.at(seq)
        # The folder is removed with its content, whatever file modes the snapshot sets.
        with tempfile.TemporaryDirectory(prefix="cloop-export-") as folder:
            root = Path(folder) / "snapshot"
            hydrating.write(snapshot, root, self.repository.fetcher, SnapshotLimits(), guard)
            with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
                for path in sorted(snapshot.tree.entries, key=str.encode):
                    guard.check()
                    _archive(archive, root, snapshot.tree.entries[path])
        return snapshot.tree.digest()

    def hydrate(self, root: Path, guard: Guard, seq: int | None = None) -> Tree:
        """Write any commit into a new folder, for reading; nothing can be persisted from it."""
        snapshot = self.at(seq)
        hydrating.write(snapshot, root, self.repository.fetcher, SnapshotLimits(), guard)
        return snapshot.tree

    def prove_path(self, path: str, seq: int | None = None) -> dict[str, Any]:
        """A proof (``snapshot/proof.py``) that this file was in a commit. Raises NoSuchCommit, KeyError."""
        snapshot = self.at(seq)
        assert snapshot.commit is not None
        if path not in snapshot.tree.entries:
            raise KeyError(f"commit {snapshot.head.seq} has no {path!r}")
        return proof.prove_inclusion(path, snapshot.tree, snapshot.commit).model_dump(mode="json")

    def prove_after(self, old: int, seq: int | None = None) -> dict[str, Any]:
        """A proof that a commit continues an older one's history. Raises NoSuchCommit."""
        commits = list(self.log())[::-1]
        first, last = (commits[0][1].seq, commits[-1][1].seq) if commits else (1, 0)
        new = last if seq is None else seq
        if not first <= old < new <= last:
            raise NoSuchCommit(f"commit {new} cannot continue commit {old}; existing commits are {first} to {last}")
        digests = [digest for digest, _ in commits]
        before, after = commits[old - first][1], commits[new - first][1]
        return proof.prove_consistency(digests, before, after, first).model_dump(mode="json")

    def at(self, seq: int | None) -> Snapshot:
        """One commit's snapshot, proven; HEAD's by default. Raises NoSuchCommit and as ``commit``."""
        snapshot = self.repository.load()
        if snapshot.commit is None:
            raise NoSuchCommit(f"the workspace of {self.repository.user_id} has no commit yet")
        if seq is None or seq == snapshot.head.seq:
            return snapshot
        return self.repository.snapshot_at(snapshot, self.commit(seq))


def _is_same_entry(old: Entry | None, new: Entry | None) -> bool:
    return old is not None and old.same(new)


def _archive(archive: tarfile.TarFile, root: Path, entry: Entry) -> None:
    # The archive holds only what is in the tree: no owner, no time, nothing of this machine.
    info = tarfile.TarInfo(entry.path)
    info.mode = entry.mode
    if entry.size == FOLDER:
        info.type = tarfile.DIRTYPE
        archive.addfile(info)
        return
    info.size = entry.size
    with (root / entry.path).open("rb") if entry.mode & 0o400 else io.BytesIO(_forced(root / entry.path)) as file:
        archive.addfile(info, file)


def _forced(path: Path) -> bytes:
    """Read a file of our own copy whose mode forbids reading."""
    path.chmod(0o600)
    return path.read_bytes()
