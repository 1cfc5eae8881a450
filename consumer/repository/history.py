"""Looking at a workspace's history without hydrating it, and taking one snapshot of it elsewhere."""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from consumer import paths
from consumer.ports import Guard
from consumer.repository import hydrating
from consumer.repository.loading import Snapshot
from consumer.repository.reading import Reader
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import proof
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import FOLDER, Entry, SnapshotLimits, Tree


class NoSuchCommit(LookupError):
    """The workspace has no commit of that number; the message says which it has."""


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

    store: WorkspaceStore
    user_id: str

    def log(self, limit: int | None = None) -> Iterator[tuple[str, Commit]]:
        """(digest, commit) from HEAD back, each proven to be the parent of the one before."""
        head = self.store.read_head(self.user_id)
        seq, digest = (head.seq, head.commit) if head else (0, None)
        loader = self.store.loader(self.user_id)
        while digest is not None and (limit is None or limit > 0):
            commit = loader.commit(seq, digest)
            yield digest, commit
            seq, digest = seq - 1, commit.parent
            limit = None if limit is None else limit - 1

    def commit(self, seq: int) -> tuple[str, Commit]:
        """One commit of the chain.

        Raises:
            NoSuchCommit, SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable.
        """
        head = self.store.read_head(self.user_id)
        last = head.seq if head else 0
        if not 1 <= seq <= last:
            raise NoSuchCommit(f"the workspace of {self.user_id} has commits 1 to {last}, asked for {seq}")
        prefix = paths.commit(self.user_id, seq, "")
        found = [stat.name.removeprefix(prefix) for stat in self.store.blobs(self.user_id).list(prefix)]
        if len(found) == 1:
            return found[0], self.store.loader(self.user_id).commit(seq, found[0])
        # A writer that lost left a commit of the same number: only the chain knows which is which.
        first = last
        for digest, commit in self.log():
            if commit.seq == seq:
                return digest, commit
            first = commit.seq
        # After an erasure the numbers go on above the old ones.
        raise NoSuchCommit(f"the workspace of {self.user_id} has commits {first} to {last}, asked for {seq}")

    def tree(self, seq: int | None = None) -> Tree:
        """The tree of a commit, HEAD's by default. Raises NoSuchCommit and as ``commit``."""
        return self.at(seq).tree

    def read(self, path: str, seq: int | None = None) -> bytes:
        """One file. Raises NoSuchCommit, KeyError, IsADirectoryError and as ``commit``."""
        return self.reader(seq).read(path)

    def reader(self, seq: int | None = None) -> Reader:
        """Files of one commit, proven. Raises NoSuchCommit and as ``commit``."""
        found = self.at(seq)
        cold = partial(self.store.loader(self.user_id).segments, found.catalog.cold)
        return Reader(found.head.seq, found.tree, self.store.fetcher(self.user_id), found.packs, cold)

    def changes(self, old: int, new: int) -> list[PathChange]:
        """What differs from one commit to another, by path; commit 0 is the empty workspace."""
        before = self.tree(old).entries if old else {}
        after = self.tree(new).entries if new else {}
        return [
            PathChange(path, before.get(path), after.get(path))
            for path in sorted(before.keys() | after.keys())
            if not _same(before.get(path), after.get(path))
        ]

    def export(self, out: IO[bytes], guard: Guard, seq: int | None = None) -> str:
        """Write a tar of one snapshot; the digest of its tree. The same snapshot gives the same bytes anywhere.

        Every content is checked before the archive begins, on a copy in a temporary folder.
        """
        found = self.at(seq)
        with tempfile.TemporaryDirectory(prefix="cloop-export-") as folder:
            root = Path(folder) / "snapshot"
            hydrating.write(found, root, self.store.fetcher(self.user_id), SnapshotLimits(), guard)
            with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
                for path in sorted(found.tree.entries, key=str.encode):
                    guard.check()
                    _archive(archive, root, found.tree.entries[path])
            _make_removable(root)
        return found.tree.digest()

    def hydrate(self, root: Path, guard: Guard, seq: int | None = None) -> Tree:
        """Any commit into a fresh folder, for looking at; nothing can be persisted from it."""
        found = self.at(seq)
        hydrating.write(found, root, self.store.fetcher(self.user_id), SnapshotLimits(), guard)
        return found.tree

    def prove_path(self, path: str, seq: int | None = None) -> dict[str, Any]:
        """A proof (``snapshot/proof.py``) that this file was in a commit. Raises NoSuchCommit, KeyError."""
        found = self.at(seq)
        assert found.commit is not None
        if path not in found.tree.entries:
            raise KeyError(f"commit {found.head.seq} has no {path!r}")
        return proof.prove_inclusion(path, found.tree, found.commit).model_dump(mode="json")

    def prove_after(self, old: int, seq: int | None = None) -> dict[str, Any]:
        """A proof that a commit continues an older one's history. Raises NoSuchCommit."""
        chain = list(self.log())[::-1]
        first, last = (chain[0][1].seq, chain[-1][1].seq) if chain else (1, 0)
        new = last if seq is None else seq
        if not first <= old < new <= last:
            raise NoSuchCommit(f"commits are {first} to {last}; {new} cannot come after {old}")
        digests = [digest for digest, _ in chain]
        before, after = chain[old - first][1], chain[new - first][1]
        return proof.prove_consistency(digests, before, after, first).model_dump(mode="json")

    def at(self, seq: int | None) -> Snapshot:
        """One commit's snapshot, proven; HEAD's by default. Raises NoSuchCommit and as ``commit``."""
        found = self.store.load(self.user_id)
        if found.commit is None:
            raise NoSuchCommit(f"the workspace of {self.user_id} has no commit yet")
        if seq is None or seq == found.head.seq:
            return found
        return self.store.snapshot_at(self.user_id, found, self.commit(seq))


def _same(old: Entry | None, new: Entry | None) -> bool:
    return old is not None and old.same(new)


def _archive(archive: tarfile.TarFile, root: Path, entry: Entry) -> None:
    # Only what the tree says goes in: no owner, no time, nothing of this machine.
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
    """A file that its own mode keeps us from reading, in our own copy."""
    path.chmod(0o600)
    return path.read_bytes()


def _make_removable(root: Path) -> None:
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o700)
