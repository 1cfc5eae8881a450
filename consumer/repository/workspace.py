"""Workspaces in the bucket. ``WorkspaceStore.of(user_id)`` is one user's: HEAD, hydrate, persist, published copies."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
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
from consumer.snapshot.snapshot import Base, Head, Hydrated, SnapshotLimits, StatCache
from consumer.storage.conditional import write_once
from contract.api import CommitRef
from service import telemetry

#: Threads for requests and compression; hashing stays on the caller's thread, where it is fastest.
WORKERS = 4


class WorkspaceStore:
    """The bucket's workspaces, and what all of them share. Between runs it remembers the last user's snapshot, so that
    unchanged files are not read again and a snapshot that is still HEAD is not loaded again.

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
        self.trust_stats, self.warm = trust_stats, warm
        self.pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="snapshots")
        #: The user whose snapshot this process loaded or committed last, and the snapshot.
        self.remembered: tuple[str, Snapshot] | None = None
        self._narrowed: tuple[str, BlobStore] | None = None

    def close(self) -> None:
        self.pool.shutdown()

    def of(self, user_id: str) -> Repository:
        """One user's workspace. Costs nothing: no request is made."""
        return Repository(self, user_id)

    @property
    def bucket(self) -> BlobStore:
        """The whole bucket, for run ledgers, dead letters and the engine's notes outside of users' prefixes."""
        return self._blobs

    def narrowed(self, user_id: str) -> BlobStore:
        """The bucket narrowed to this user's prefix; the last one is cached, as narrowed credentials cost a request."""
        if self._narrow is None:
            return self._blobs
        # Read the attribute once, as another thread may replace it by its own user's meanwhile.
        narrowed = self._narrowed
        if narrowed is None or narrowed[0] != user_id:
            narrowed = self._narrowed = (user_id, self._narrow(paths.user(user_id)))
        return narrowed[1]


@dataclass(frozen=True, slots=True)
class Repository:
    """One user's workspace in the bucket: its history, and the folder of a run."""

    store: WorkspaceStore
    user_id: str

    # --- HEAD

    def read_head(self) -> Head | None:
        """HEAD, or None before the first commit or fence. Raises BlobUnavailable."""
        return self.heads.read()

    def fence(self, epoch: int) -> Head:
        """Make every earlier holder's swap fail from now on. Repeatable. Raises LockLost, BlobUnavailable."""
        return self.heads.fence(epoch)

    def committed_by(self, job_id: str, base_seq: int, head: HeadView | None = None) -> CommitRef | None:
        """This job's commit after ``base_seq``, if there is one. Reads one object per commit walked.

        Raises SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable.
        """
        head = head or self.read_head()
        if head is None or head.commit is None:
            return None
        if isinstance(head, Head) and head.seq > base_seq and head.job_id == job_id:
            return CommitRef(seq=head.seq, digest=head.commit)
        newer = islice(chain.walk(head.seq, head.commit, self.loader.commit), max(0, head.seq - base_seq))
        return next((CommitRef(seq=c.seq, digest=digest) for digest, c in newer if c.job_id == job_id), None)

    # --- snapshot and folder

    def hydrate(self, root: Path, template_version: str, guard: Guard) -> Hydrated:
        """As ``ports.Workspace.hydrate``."""
        guard.check()
        loaded = self.load(locked=True)
        if loaded.head.frozen:
            raise WorkspaceFrozen(f"the workspace of {self.user_id} is frozen: {loaded.head.broken}")
        if loaded.commit is None:
            hydrating.prepare(root)
            self.store.templates.instantiate(template_version, root)
            written = 0
        else:
            written = self._write(loaded, root, guard)
            self.store.templates.upgrade(loaded.commit.template_version, template_version, root)
        self.store.remembered = (self.user_id, loaded)
        if self.store.cache:
            self.store.cache.trim()
        return _hydrated(loaded, template_version, written)

    def _write(self, loaded: Snapshot, root: Path, guard: Guard) -> int:
        """Fill the folder from this user's warm one, or completely; return the number of files written."""
        fetcher = self.fetcher
        warm = self.store.warm.hydrate(loaded, root, fetcher, self.store.limits, guard) if self.store.warm else None
        telemetry.count("hydrates", how="warm" if warm else "cold")
        if warm:
            loaded.stats = warm.stats
            return warm.written
        loaded.stats = hydrating.write(loaded, root, fetcher, self.store.limits, guard)
        return loaded.tree.files

    def persist(
        self,
        root: Path,
        base: Base,
        meta: CommitMeta,
        guard: Guard,
        *,
        last_look: Callable[[], None] | None = None,
        sealed: StatCache | None = None,
    ) -> CommitRef:
        """As ``ports.Workspace.persist``."""
        guard.check()
        loaded = self._based_on(base, meta.epoch)
        collected = self.collect(root, loaded, guard, sealed)
        if collected.skipped:
            meta = replace(meta, counts={**meta.counts, "links_and_devices_skipped": collected.skipped})
        delta = snapshot.diff(loaded.tree, collected.entries)
        if base.digest and not delta and _changes_nothing(loaded, meta):
            loaded.stats = collected.stats
            return CommitRef(seq=base.seq, digest=base.digest)
        committed = self.committer.commit(loaded, delta, collected.packs, meta, guard, last_look=last_look)
        committed.stats = collected.stats
        self.store.remembered = (self.user_id, committed)
        return _ref(committed)

    def collect(self, root: Path, base: Snapshot, guard: Guard, sealed: StatCache | None = None) -> UploadedFolder:
        """The folder as entries. Contents that ``base`` lacks are uploaded; nothing names them yet. ``sealed``: as
        ``ports.Workspace.persist``.

        Raises BlobUnavailable, and whatever the guard raises.
        """
        objects, store = self.objects, self.store
        writer = PackWriter(store.pool, lambda digest, data: objects.put(paths.pack(self.user_id, digest), data))
        sealed = sealed if sealed and store.trust_stats else {}
        return Collector(root, base, writer, store.entropy, store.trust_stats, sealed).collect(store.volatile, guard)

    def forget_locally(self) -> None:
        """Delete what this machine keeps of the user: cached objects, and run folders kept for the next run."""
        if self.store.cache:
            self.store.cache.forget(self.user_id)
        if self.store.warm:
            self.store.warm.forget(self.user_id)

    def vouch(self) -> None:
        """Confirm that all processes that worked in the run folder have ended, so it may serve the next run."""
        last = self.store.remembered
        if self.store.warm and last and last[0] == self.user_id:
            self.store.warm.vouch(self.user_id, last[1])

    def remember(self, loaded: Snapshot) -> None:
        """Keep HEAD's snapshot for the next persist. Its ``stats`` must cover only files that are in it."""
        self.store.remembered = (self.user_id, loaded)

    # --- published copies

    def publish(self, seq: int, workspace_paths: Sequence[str]) -> None:
        """Publish readable copies of committed files, named by seq; files erased since are skipped.

        Repeatable. Raises PublishedConflict (a copy with other bytes exists), KeyError (no such commit or file),
        SnapshotIncomplete, BlobUnavailable.
        """
        try:
            reader = self.reader(seq)
        except KeyError:
            if seq < self.load().catalog.origin:
                return  # The history was erased, and its copies with it.
            raise
        blobs = self.blobs
        for path in workspace_paths:
            if reader.tree.erased and path not in reader.tree.entries:
                continue  # The file was purged meanwhile.
            name = paths.published(self.user_id, seq, path)
            kind = _CONTENT_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
            if not write_once(blobs, name, reader.read(path), kind):
                raise PublishedConflict(f"{name} exists with different bytes; a published copy never changes")

    # --- parts, for the engine's other users of the history

    @property
    def blobs(self) -> BlobStore:
        """The bucket, narrowed to this user's prefix."""
        return self.store.narrowed(self.user_id)

    @property
    def objects(self) -> Objects:
        return Objects(self.blobs, self.store.clock, self.user_id, self.store.cache)

    @property
    def heads(self) -> Heads:
        return Heads(self.blobs, self.store.clock, self.user_id)

    @property
    def loader(self) -> Loader:
        return Loader(self.objects, self.store.signer, self.store.pool)

    @property
    def fetcher(self) -> Fetcher:
        return Fetcher(self.objects, self.store.pool)

    @property
    def committer(self) -> Committer:
        return Committer(self.objects, self.heads, self.store.signer, self.store.pool, self.store.limits)

    def load(self, *, locked: bool = False) -> Snapshot:
        """HEAD's snapshot, proven; if it is the remembered one, only HEAD itself is read.

        ``locked``: the caller holds the user's lock, so an unproven snapshot is frozen. Raises as ``Loader.snapshot``.
        """
        head = self._head()
        previous = self._previous()
        if previous and _same_history(previous.head, head):
            return replace(previous, head=head)
        try:
            return self.loader.snapshot(head, previous)
        except WorkspaceFrozen as exc:
            if locked:
                self.heads.freeze(str(exc), head)
            raise
        except SnapshotIncomplete:
            # A purge or gc may have run between the reads of HEAD and of the objects that it named.
            return self.loader.snapshot(self._head())

    def commits(self) -> Iterator[tuple[int, str]]:
        """(seq, digest) of every commit object in the bucket, by its name; HEAD need not reach them."""
        prefix = f"{paths.user(self.user_id)}commits/"
        for stat in self.blobs.list(prefix):
            seq, _, digest = stat.name.removeprefix(prefix).partition("-")
            if seq.isdecimal() and digest:
                yield int(seq), digest

    def _head(self) -> Head:
        """HEAD. Raises SnapshotIncomplete if it names no commit although a history exists.

        A first commit alone is not a history, as a writer that died before its swap leaves one.
        """
        head = self.read_head() or Head()
        if head.commit is None and any(seq > head.seq + 1 for seq, _ in self.commits()):
            raise SnapshotIncomplete(
                f"{paths.head(self.user_id)} names no commit, but the bucket has more than a first commit"
            )
        return head

    def snapshot_at(self, head: Snapshot, commit: tuple[str, Commit]) -> Snapshot:
        """An older commit's snapshot, proven against that commit. Raises as ``Loader.snapshot``.

        It has the packs of the whole history, since HEAD's may lack some of its contents.
        """
        digest, signed = commit
        loader = self.loader
        tree = loader.tree(head.catalog, signed.seq)
        if tree.merkle_root() != signed.merkle_root:
            raise WorkspaceFrozen(f"the tree of commit {signed.seq} of {self.user_id} is not the one that was signed")
        older_head = replace(head.head, seq=signed.seq, commit=digest)
        return Snapshot(older_head, signed, head.catalog, tree, (*loader.segments(head.catalog.cold), *head.segments))

    def reader(self, seq: int | None = None) -> Reader:
        """A reader of one commit's files (HEAD's by default). Raises KeyError if there is no such commit."""
        loaded = self.load()
        number = loaded.head.seq if seq is None else seq
        tree = loaded.tree if number == loaded.head.seq else self.loader.tree(loaded.catalog, number)
        cold = partial(self.loader.segments, loaded.catalog.cold)
        return Reader(number, tree, self.fetcher, loaded.packs, cold)

    def _based_on(self, base: Base, epoch: int) -> Snapshot:
        """The snapshot that ``base`` names, remembered or loaded, if a commit on it is allowed."""
        loaded = self._remembered(base) or self.load(locked=True)
        if loaded.head.epoch > epoch:
            raise LockLost(f"HEAD of {self.user_id} has epoch {loaded.head.epoch}; this holder's is {epoch}")
        if loaded.head.frozen:
            raise WorkspaceFrozen(f"the workspace of {self.user_id} is frozen: {loaded.head.broken}")
        if (loaded.head.seq, loaded.head.commit) != (base.seq, base.digest):
            raise HeadMoved(f"HEAD of {self.user_id} is at commit {loaded.head.seq}; this run started from {base.seq}")
        return loaded

    def _previous(self) -> Snapshot | None:
        """The last snapshot of this user that this process loaded."""
        last = self.store.remembered
        if last and last[0] == self.user_id:
            return last[1]
        return self.store.warm.recorded(self.user_id) if self.store.warm else None

    def _remembered(self, base: Base) -> Snapshot | None:
        loaded = self._previous()
        if loaded is None:
            return None
        is_base = (loaded.head.commit, loaded.head.generation) == (base.digest, base.head_generation)
        return loaded if is_base else None


_CONTENT_TYPES: Final = {"md": "text/markdown; charset=utf-8", "json": "application/json"}


def _hydrated(loaded: Snapshot, template_version: str, written: int) -> Hydrated:
    head, tree = loaded.head, loaded.tree
    base = Base(head.seq, head.commit, head.generation)
    cursors = loaded.commit.cursors if loaded.commit else {}
    return Hydrated(base, cursors, template_version, tree.files, tree.total_bytes, written, loaded.stats)


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
