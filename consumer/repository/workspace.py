"""Everyone's workspaces in the bucket: HEAD, hydrate, persist, published copies. The decisions are in core/."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from consumer import paths
from consumer.errors import (
    HeadMoved,
    LockLost,
    PreconditionFailed,
    PublishedConflict,
    SnapshotIncomplete,
    WorkspaceFrozen,
)
from consumer.ports import BlobStore, Clock, Guard, HeadView, Signer
from consumer.repository import hydrating
from consumer.repository.cache import ObjectCache
from consumer.repository.heads import Heads
from consumer.repository.hydrating import Fetcher
from consumer.repository.loading import Loader, Snapshot
from consumer.repository.objects import Objects
from consumer.repository.packs import PackWriter
from consumer.repository.persisting import Collector, Committer, Entropy, UploadedFolder
from consumer.repository.reading import Reader
from consumer.repository.scan import Volatile
from consumer.repository.template import Templates
from consumer.repository.warm import WarmFolders
from consumer.snapshot import snapshot
from consumer.snapshot.chain import Commit, CommitMeta
from consumer.snapshot.snapshot import Base, Head, Hydrated, SnapshotLimits
from contract.api import CommitRef
from service import telemetry

#: Threads for requests and compression together; hashing stays on the caller's, where it is fastest.
WORKERS = 4


class WorkspaceStore:
    """The bucket's workspaces. Between two runs it remembers the last user's snapshot, so that an unchanged file is
    not read again and a snapshot that is still HEAD not loaded again.

    Threads may use it for different users at once; one user's are kept apart by the user's lock.
    """

    def __init__(
        self,
        blobs: BlobStore,
        signer: Signer,
        clock: Clock,
        *,
        templates: Path,
        volatile: Sequence[str] = (),
        limits: SnapshotLimits | None = None,
        cache: ObjectCache | None = None,
        narrow: Callable[[str], BlobStore] | None = None,
        entropy: Entropy = secrets.token_bytes,
        trust_stats: bool = True,
        warm: WarmFolders | None = None,
    ) -> None:
        """``narrow`` gives the bucket narrowed to one user's prefix; without it ``blobs`` serves for all.

        ``trust_stats=False`` hashes every file at persist, whatever its stat says. ``warm`` keeps run folders.
        """
        self._blobs, self._narrow = blobs, narrow
        self.signer, self.clock, self.entropy = signer, clock, entropy
        self.templates, self.volatile = Templates(templates), Volatile(volatile)
        self.limits, self.cache = limits or SnapshotLimits(), cache
        self._trust_stats, self.warm = trust_stats, warm
        self.pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="snapshots")
        self._last: tuple[str, Snapshot] | None = None
        self._narrowed: tuple[str, BlobStore] | None = None

    def close(self) -> None:
        self.pool.shutdown()

    # --- HEAD

    def read_head(self, user_id: str) -> Head | None:
        """HEAD, or None before the first commit or fence. Raises BlobUnavailable."""
        return self.heads(user_id).read()

    def fence(self, user_id: str, epoch: int) -> Head:
        """Make every older holder's swap fail from now on. Repeatable. Raises LockLost, BlobUnavailable."""
        return self.heads(user_id).fence(epoch)

    def committed_by(self, user_id: str, job_id: str, base_seq: int, head: HeadView | None = None) -> CommitRef | None:
        """This job's commit after ``base_seq``, if there is one. Reads one object a commit walked over.

        Raises SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable.
        """
        head = head or self.read_head(user_id)
        if head is None or head.commit is None:
            return None
        loader = self.loader(user_id)
        if isinstance(head, Head) and head.seq > base_seq and head.job_id == job_id:
            return CommitRef(seq=head.seq, digest=head.commit)
        seq: int = head.seq
        digest: str | None = head.commit
        while seq > base_seq and digest is not None:
            commit = loader.commit(seq, digest)
            if commit.job_id == job_id:
                return CommitRef(seq=seq, digest=digest)
            seq, digest = seq - 1, commit.parent
        return None

    # --- snapshot and folder

    def hydrate(self, user_id: str, root: Path, template_version: str, guard: Guard) -> Hydrated:
        """As ``ports.Workspaces.hydrate``."""
        guard.check()
        found = self.load(user_id, locked=True)
        if found.head.frozen:
            raise WorkspaceFrozen(f"the workspace of {user_id} is frozen: {found.head.broken}")
        if found.commit is None:
            hydrating.prepare(root)
            self.templates.instantiate(template_version, root)
            written = 0
        else:
            written = self._write(user_id, found, root, guard)
            self.templates.upgrade(found.commit.template_version, template_version, root)
        self._last = (user_id, found)
        if self.cache:
            self.cache.trim()
        return _hydrated(found, template_version, written)

    def _write(self, user_id: str, found: Snapshot, root: Path, guard: Guard) -> int:
        """The folder from this user's warm one, or written whole; how many files that took."""
        fetcher = self.fetcher(user_id)
        warm = self.warm.hydrate(found, root, fetcher, self.limits, guard) if self.warm else None
        telemetry.count("hydrates", how="warm" if warm else "cold")
        if warm:
            found.stats = warm.stats
            return warm.written
        found.stats = hydrating.write(found, root, fetcher, self.limits, guard)
        return found.tree.files

    def persist(self, user_id: str, root: Path, base: Base, meta: CommitMeta, guard: Guard) -> CommitRef:
        """As ``ports.Workspaces.persist``."""
        guard.check()
        found = self._based_on(user_id, base, meta.epoch)
        collected = self.collect(user_id, root, found, guard)
        if collected.skipped:
            meta = replace(meta, counts={**meta.counts, "links_and_devices_skipped": collected.skipped})
        delta = snapshot.diff(found.tree, collected.entries)
        if base.digest and not delta and _says_nothing_new(found, meta):
            found.stats = collected.stats
            return CommitRef(seq=base.seq, digest=base.digest)
        done = self.committer(user_id).commit(found, delta, collected.packs, meta, guard)
        done.stats = collected.stats
        self._last = (user_id, done)
        return _ref(done)

    def collect(self, user_id: str, root: Path, base: Snapshot, guard: Guard) -> UploadedFolder:
        """The folder as entries; contents that ``base`` does not have are uploaded, and named by nothing yet.

        Raises BlobUnavailable, the guard's.
        """
        objects = self.objects(user_id)
        writer = PackWriter(self.pool, lambda digest, data: objects.put(paths.pack(user_id, digest), data))
        return Collector(root, base, writer, self.entropy, self._trust_stats).collect(self.volatile, guard)

    def vouch(self, user_id: str) -> None:
        """No process is left that worked in the run folder of this hydrate or persist: it may serve the next run."""
        last = self._last
        if self.warm and last and last[0] == user_id:
            self.warm.vouch(user_id, last[1])

    def remember(self, user_id: str, found: Snapshot) -> None:
        """Spare the next persist loading HEAD's snapshot. ``found.stats`` may vouch only for what is in it."""
        self._last = (user_id, found)

    # --- published copies

    def publish(self, user_id: str, seq: int, workspace_paths: Sequence[str]) -> None:
        """Readable copies of committed files, named by seq; what was erased since is passed over.

        Repeatable: the same bytes again are nothing. Raises PublishedConflict (other bytes are there), KeyError (no
        such commit or file), SnapshotIncomplete, BlobUnavailable.
        """
        try:
            reader = self.reader(user_id, seq)
        except KeyError:
            if seq < self.load(user_id).catalog.origin:
                return  # that history was erased, and its copies with it
            raise
        blobs = self.blobs(user_id)
        for path in workspace_paths:
            if reader.tree.erased and path not in reader.tree.entries:
                continue  # purged since
            _write_once(blobs, paths.published(user_id, seq, path), reader.read(path))

    # --- parts, for the engine's other users of the history

    @property
    def bucket(self) -> BlobStore:
        """The whole bucket: run ledgers, dead letters and the engine's own notes lie outside of users' prefixes."""
        return self._blobs

    def blobs(self, user_id: str) -> BlobStore:
        """The bucket as far as this user's prefix; the last one is kept, since narrowed credentials cost a request."""
        if self._narrow is None:
            return self._blobs
        # Read once and returned from here: another thread may put its own user's in its place meanwhile.
        held = self._narrowed
        if held is None or held[0] != user_id:
            held = self._narrowed = (user_id, self._narrow(paths.user(user_id)))
        return held[1]

    def objects(self, user_id: str) -> Objects:
        return Objects(self.blobs(user_id), self.clock, user_id, self.cache)

    def heads(self, user_id: str) -> Heads:
        return Heads(self.blobs(user_id), self.clock, user_id)

    def loader(self, user_id: str) -> Loader:
        return Loader(self.objects(user_id), self.signer, self.pool)

    def fetcher(self, user_id: str) -> Fetcher:
        return Fetcher(self.objects(user_id), self.pool)

    def committer(self, user_id: str) -> Committer:
        return Committer(self.objects(user_id), self.heads(user_id), self.signer, self.pool, self.limits)

    def load(self, user_id: str, *, locked: bool = False) -> Snapshot:
        """HEAD's snapshot, proven; without a request beyond HEAD's own if it is the one remembered.

        ``locked``: the caller holds the user's lock, so what does not prove itself is frozen. Raises as
        ``Loader.snapshot``.
        """
        head = self._head(user_id)
        known = self._known(user_id)
        if known and _same_history(known.head, head):
            return replace(known, head=head)
        try:
            return self.loader(user_id).snapshot(head, known)
        except WorkspaceFrozen as exc:
            if locked:
                self.heads(user_id).freeze(str(exc), head)
            raise
        except SnapshotIncomplete:
            # A purge or gc may have passed between reading HEAD and what it named.
            again = self._head(user_id)
            if again.index == head.index:
                raise
            return self.loader(user_id).snapshot(again)

    def commits(self, user_id: str) -> Iterator[tuple[int, str]]:
        """(seq, digest) of every commit object in the bucket, as its name says; HEAD may lead to none of them."""
        prefix = f"{paths.user(user_id)}commits/"
        for stat in self.blobs(user_id).list(prefix):
            seq, _, digest = stat.name.removeprefix(prefix).partition("-")
            if seq.isdecimal() and digest:
                yield int(seq), digest

    def _head(self, user_id: str) -> Head:
        """HEAD; one without a commit is a new user's, or a lost one, and nothing may begin anew over a history.

        The first commit alone proves nothing: a writer that died before its swap leaves one. Raises SnapshotIncomplete.
        """
        head = self.read_head(user_id) or Head()
        if head.commit is None and any(seq > head.seq + 1 for seq, _ in self.commits(user_id)):
            raise SnapshotIncomplete(
                f"{paths.head(user_id)} names no commit, but the bucket has more than the first one"
            )
        return head

    def snapshot_at(self, user_id: str, head: Snapshot, commit: tuple[str, Commit]) -> Snapshot:
        """An older commit's snapshot, proven against that commit. Raises as ``Loader.snapshot``.

        Its packs are those of all history, since HEAD's alone may not hold it.
        """
        digest, found = commit
        loader = self.loader(user_id)
        tree = loader.tree(head.catalog, found.seq)
        if tree.merkle_root() != found.merkle_root:
            raise WorkspaceFrozen(f"the tree of commit {found.seq} of {user_id} is not the one that was signed")
        old = replace(head.head, seq=found.seq, commit=digest)
        return Snapshot(old, found, head.catalog, tree, (*loader.segments(head.catalog.cold), *head.segments))

    def reader(self, user_id: str, seq: int | None = None) -> Reader:
        """Files of one commit (HEAD's by default) without hydrating. Raises KeyError: no such commit."""
        found = self.load(user_id)
        number = found.head.seq if seq is None else seq
        tree = found.tree if number == found.head.seq else self.loader(user_id).tree(found.catalog, number)
        cold = partial(self.loader(user_id).segments, found.catalog.cold)
        return Reader(number, tree, self.fetcher(user_id), found.packs, cold)

    def _based_on(self, user_id: str, base: Base, epoch: int) -> Snapshot:
        """The snapshot that ``base`` names, if it may be written on: as remembered, or loaded again."""
        found = self._remembered(user_id, base) or self.load(user_id, locked=True)
        if found.head.epoch > epoch:
            raise LockLost(f"HEAD of {user_id} has epoch {found.head.epoch}; this holder's is {epoch}")
        if found.head.frozen:
            raise WorkspaceFrozen(f"the workspace of {user_id} is frozen: {found.head.broken}")
        if (found.head.seq, found.head.commit) != (base.seq, base.digest):
            raise HeadMoved(f"HEAD of {user_id} is at commit {found.head.seq}; this run started from {base.seq}")
        return found

    def _known(self, user_id: str) -> Snapshot | None:
        """A snapshot of this user that was loaded before."""
        last = self._last
        if last and last[0] == user_id:
            return last[1]
        return self.warm.known(user_id) if self.warm else None

    def _remembered(self, user_id: str, base: Base) -> Snapshot | None:
        found = self._known(user_id)
        if found is None:
            return None
        same = (found.head.commit, found.head.generation) == (base.digest, base.head_generation)
        return found if same else None


def _write_once(blobs: BlobStore, name: str, data: bytes) -> None:
    """Raises PublishedConflict, BlobUnavailable."""
    kind = _CONTENT_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    try:
        blobs.write(name, data, if_generation=0, content_type=kind)
    except PreconditionFailed:
        if blobs.read(name).data != data:
            raise PublishedConflict(f"{name} exists with other bytes; a published copy never changes") from None


_CONTENT_TYPES: Final = {"md": "text/markdown; charset=utf-8", "json": "application/json"}


def _hydrated(found: Snapshot, template_version: str, written: int) -> Hydrated:
    head, tree = found.head, found.tree
    base = Base(head.seq, head.commit, head.generation, tree.digest() if found.commit else None)
    cursors = found.commit.cursors if found.commit else {}
    return Hydrated(base, cursors, template_version, tree.files, tree.total_bytes, written)


def _says_nothing_new(found: Snapshot, meta: CommitMeta) -> bool:
    commit = found.commit
    return (
        commit is not None
        and dict(meta.cursors) == commit.cursors
        and meta.template_version == commit.template_version
        and meta.restores is None
        and not meta.purged
    )


def _same_history(old: Head, new: Head) -> bool:
    return old.commit is not None and (old.commit, old.index) == (new.commit, new.index)


def _ref(found: Snapshot) -> CommitRef:
    return CommitRef(seq=found.head.seq, digest=found.head.commit or "")
