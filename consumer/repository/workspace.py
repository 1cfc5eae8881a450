"""All users' workspaces in the bucket: HEAD, hydrate, persist, published copies."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from consumer import paths
from consumer.errors import (
    HeadMoved,
    LockLost,
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
from consumer.snapshot import chain, snapshot
from consumer.snapshot.chain import Commit, CommitMeta
from consumer.snapshot.snapshot import Base, Head, Hydrated, SnapshotLimits
from consumer.storage.conditional import write_once
from contract.api import CommitRef
from service import telemetry

#: Threads for requests and compression; hashing stays on the caller's thread, where it is fastest.
WORKERS = 4


class WorkspaceStore:
    """The bucket's workspaces. Between runs it remembers the last user's snapshot, so that unchanged files are not read
    again and a snapshot that is still HEAD is not loaded again.

    Threads may use it for different users at once; the user's lock separates those of one user.
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
        """``narrow`` returns the bucket narrowed to one user's prefix; without it ``blobs`` serves all users.

        ``trust_stats=False`` hashes every file at persist, whatever its stat. ``warm`` keeps run folders.
        """
        self._blobs, self._narrow = blobs, narrow
        self.signer, self.clock, self.entropy = signer, clock, entropy
        self.templates, self.volatile = Templates(templates), Volatile(volatile)
        self.limits, self.cache = limits or SnapshotLimits(), cache
        self._trust_stats, self.warm = trust_stats, warm
        self.pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="snapshots")
        self._remembered_snapshot: tuple[str, Snapshot] | None = None
        self._narrowed: tuple[str, BlobStore] | None = None

    def close(self) -> None:
        self.pool.shutdown()

    # --- HEAD

    def read_head(self, user_id: str) -> Head | None:
        """HEAD, or None before the first commit or fence. Raises BlobUnavailable."""
        return self.heads(user_id).read()

    def fence(self, user_id: str, epoch: int) -> Head:
        """Make every earlier holder's swap fail from now on. Repeatable. Raises LockLost, BlobUnavailable."""
        return self.heads(user_id).fence(epoch)

    def committed_by(self, user_id: str, job_id: str, base_seq: int, head: HeadView | None = None) -> CommitRef | None:
        """This job's commit after ``base_seq``, if there is one. Reads one object per commit walked.

        Raises SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable.
        """
        head = head or self.read_head(user_id)
        if head is None or head.commit is None:
            return None
        if isinstance(head, Head) and head.seq > base_seq and head.job_id == job_id:
            return CommitRef(seq=head.seq, digest=head.commit)
        newer = islice(chain.walk(head.seq, head.commit, self.loader(user_id).commit), max(0, head.seq - base_seq))
        return next((CommitRef(seq=c.seq, digest=digest) for digest, c in newer if c.job_id == job_id), None)

    # --- snapshot and folder

    def hydrate(self, user_id: str, root: Path, template_version: str, guard: Guard) -> Hydrated:
        """As ``ports.Workspaces.hydrate``."""
        guard.check()
        loaded = self.load(user_id, locked=True)
        if loaded.head.frozen:
            raise WorkspaceFrozen(f"the workspace of {user_id} is frozen: {loaded.head.broken}")
        if loaded.commit is None:
            hydrating.prepare(root)
            self.templates.instantiate(template_version, root)
            written = 0
        else:
            written = self._write(user_id, loaded, root, guard)
            self.templates.upgrade(loaded.commit.template_version, template_version, root)
        self._remembered_snapshot = (user_id, loaded)
        if self.cache:
            self.cache.trim()
        return _hydrated(loaded, template_version, written)

    def _write(self, user_id: str, loaded: Snapshot, root: Path, guard: Guard) -> int:
        """Fill the folder from this user's warm one, or completely; return the number of files written."""
        fetcher = self.fetcher(user_id)
        warm = self.warm.hydrate(loaded, root, fetcher, self.limits, guard) if self.warm else None
        telemetry.count("hydrates", how="warm" if warm else "cold")
        if warm:
            loaded.stats = warm.stats
            return warm.written
        loaded.stats = hydrating.write(loaded, root, fetcher, self.limits, guard)
        return loaded.tree.files

    def persist(
        self,
        user_id: str,
        root: Path,
        base: Base,
        meta: CommitMeta,
        guard: Guard,
        *,
        last_look: Callable[[], None] | None = None,
    ) -> CommitRef:
        """As ``ports.Workspaces.persist``."""
        guard.check()
        loaded = self._based_on(user_id, base, meta.epoch)
        collected = self.collect(user_id, root, loaded, guard)
        if collected.skipped:
            meta = replace(meta, counts={**meta.counts, "links_and_devices_skipped": collected.skipped})
        delta = snapshot.diff(loaded.tree, collected.entries)
        if base.digest and not delta and _changes_nothing(loaded, meta):
            loaded.stats = collected.stats
            return CommitRef(seq=base.seq, digest=base.digest)
        committed = self.committer(user_id).commit(loaded, delta, collected.packs, meta, guard, last_look=last_look)
        committed.stats = collected.stats
        self._remembered_snapshot = (user_id, committed)
        return _ref(committed)

    def collect(self, user_id: str, root: Path, base: Snapshot, guard: Guard) -> UploadedFolder:
        """The folder as entries. Contents that ``base`` lacks are uploaded; nothing names them yet.

        Raises BlobUnavailable, and whatever the guard raises.
        """
        objects = self.objects(user_id)
        writer = PackWriter(self.pool, lambda digest, data: objects.put(paths.pack(user_id, digest), data))
        return Collector(root, base, writer, self.entropy, self._trust_stats).collect(self.volatile, guard)

    def vouch(self, user_id: str) -> None:
        """Confirm that all processes that worked in the run folder have ended, so it may serve the next run."""
        last = self._remembered_snapshot
        if self.warm and last and last[0] == user_id:
            self.warm.vouch(user_id, last[1])

    def remember(self, user_id: str, loaded: Snapshot) -> None:
        """Keep HEAD's snapshot for the next persist. Its ``stats`` must cover only files that are in it."""
        self._remembered_snapshot = (user_id, loaded)

    # --- published copies

    def publish(self, user_id: str, seq: int, workspace_paths: Sequence[str]) -> None:
        """Publish readable copies of committed files, named by seq; files erased since are skipped.

        Repeatable. Raises PublishedConflict (a copy with other bytes exists), KeyError (no such commit or file),
        SnapshotIncomplete, BlobUnavailable.
        """
        try:
            reader = self.reader(user_id, seq)
        except KeyError:
            if seq < self.load(user_id).catalog.origin:
                return  # The history was erased, and its copies with it.
            raise
        blobs = self.blobs(user_id)
        for path in workspace_paths:
            if reader.tree.erased and path not in reader.tree.entries:
                continue  # The file was purged meanwhile.
            name = paths.published(user_id, seq, path)
            kind = _CONTENT_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
            if not write_once(blobs, name, reader.read(path), kind):
                raise PublishedConflict(f"{name} exists with different bytes; a published copy never changes")

    # --- parts, for the engine's other users of the history

    @property
    def bucket(self) -> BlobStore:
        """The whole bucket, for run ledgers, dead letters and the engine's notes outside of users' prefixes."""
        return self._blobs

    def blobs(self, user_id: str) -> BlobStore:
        """The bucket narrowed to this user's prefix; the last one is cached, as narrowed credentials cost a request."""
        if self._narrow is None:
            return self._blobs
        # Read the attribute once, as another thread may replace it by its own user's meanwhile.
        narrowed = self._narrowed
        if narrowed is None or narrowed[0] != user_id:
            narrowed = self._narrowed = (user_id, self._narrow(paths.user(user_id)))
        return narrowed[1]

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
        """HEAD's snapshot, proven; if it is the remembered one, only HEAD itself is read.

        ``locked``: the caller holds the user's lock, so an unproven snapshot is frozen. Raises as ``Loader.snapshot``.
        """
        head = self._head(user_id)
        previous = self._previous(user_id)
        if previous and _same_history(previous.head, head):
            return replace(previous, head=head)
        try:
            return self.loader(user_id).snapshot(head, previous)
        except WorkspaceFrozen as exc:
            if locked:
                self.heads(user_id).freeze(str(exc), head)
            raise
        except SnapshotIncomplete:
            # A purge or gc may have run between the reads of HEAD and of the objects that it named.
            current = self._head(user_id)
            if current.index == head.index:
                raise
            return self.loader(user_id).snapshot(current)

    def commits(self, user_id: str) -> Iterator[tuple[int, str]]:
        """(seq, digest) of every commit object in the bucket, by its name; HEAD need not reach them."""
        prefix = f"{paths.user(user_id)}commits/"
        for stat in self.blobs(user_id).list(prefix):
            seq, _, digest = stat.name.removeprefix(prefix).partition("-")
            if seq.isdecimal() and digest:
                yield int(seq), digest

    def _head(self, user_id: str) -> Head:
        """HEAD. Raises SnapshotIncomplete if it names no commit although a history exists.

        A first commit alone is not a history, as a writer that died before its swap leaves one.
        """
        head = self.read_head(user_id) or Head()
        if head.commit is None and any(seq > head.seq + 1 for seq, _ in self.commits(user_id)):
            raise SnapshotIncomplete(
                f"{paths.head(user_id)} names no commit, but the bucket has more than a first commit"
            )
        return head

    def snapshot_at(self, user_id: str, head: Snapshot, commit: tuple[str, Commit]) -> Snapshot:
        """An older commit's snapshot, proven against that commit. Raises as ``Loader.snapshot``.

        It has the packs of the whole history, since HEAD's may lack some of its contents.
        """
        digest, signed = commit
        loader = self.loader(user_id)
        tree = loader.tree(head.catalog, signed.seq)
        if tree.merkle_root() != signed.merkle_root:
            raise WorkspaceFrozen(f"the tree of commit {signed.seq} of {user_id} is not the one that was signed")
        older_head = replace(head.head, seq=signed.seq, commit=digest)
        return Snapshot(older_head, signed, head.catalog, tree, (*loader.segments(head.catalog.cold), *head.segments))

    def reader(self, user_id: str, seq: int | None = None) -> Reader:
        """A reader of one commit's files (HEAD's by default). Raises KeyError if there is no such commit."""
        loaded = self.load(user_id)
        number = loaded.head.seq if seq is None else seq
        tree = loaded.tree if number == loaded.head.seq else self.loader(user_id).tree(loaded.catalog, number)
        cold = partial(self.loader(user_id).segments, loaded.catalog.cold)
        return Reader(number, tree, self.fetcher(user_id), loaded.packs, cold)

    def _based_on(self, user_id: str, base: Base, epoch: int) -> Snapshot:
        """The snapshot that ``base`` names, remembered or loaded, if a commit on it is allowed."""
        loaded = self._remembered(user_id, base) or self.load(user_id, locked=True)
        if loaded.head.epoch > epoch:
            raise LockLost(f"HEAD of {user_id} has epoch {loaded.head.epoch}; this holder's is {epoch}")
        if loaded.head.frozen:
            raise WorkspaceFrozen(f"the workspace of {user_id} is frozen: {loaded.head.broken}")
        if (loaded.head.seq, loaded.head.commit) != (base.seq, base.digest):
            raise HeadMoved(f"HEAD of {user_id} is at commit {loaded.head.seq}; this run started from {base.seq}")
        return loaded

    def _previous(self, user_id: str) -> Snapshot | None:
        """The last snapshot of this user that this process loaded."""
        last = self._remembered_snapshot
        if last and last[0] == user_id:
            return last[1]
        return self.warm.recorded(user_id) if self.warm else None

    def _remembered(self, user_id: str, base: Base) -> Snapshot | None:
        loaded = self._previous(user_id)
        if loaded is None:
            return None
        is_base = (loaded.head.commit, loaded.head.generation) == (base.digest, base.head_generation)
        return loaded if is_base else None


_CONTENT_TYPES: Final = {"md": "text/markdown; charset=utf-8", "json": "application/json"}


def _hydrated(loaded: Snapshot, template_version: str, written: int) -> Hydrated:
    head, tree = loaded.head, loaded.tree
    base = Base(head.seq, head.commit, head.generation, tree.digest() if loaded.commit else None)
    cursors = loaded.commit.cursors if loaded.commit else {}
    return Hydrated(base, cursors, template_version, tree.files, tree.total_bytes, written)


def _changes_nothing(loaded: Snapshot, meta: CommitMeta) -> bool:
    commit = loaded.commit
    return (
        commit is not None
        and dict(meta.cursors) == commit.cursors
        and meta.template_version == commit.template_version
        and meta.restores is None
        and not meta.purged
    )


def _same_history(previous: Head, current: Head) -> bool:
    return previous.commit is not None and (previous.commit, previous.index) == (current.commit, current.index)


def _ref(committed: Snapshot) -> CommitRef:
    return CommitRef(seq=committed.head.seq, digest=committed.head.commit or "")
