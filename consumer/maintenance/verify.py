"""Verify a workspace: named invariants over its whole history, and the exact object that breaks one.

Reads every object past all caches and repairs nothing. ``maintenance.maintain``, the daily round, calls it.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, TypeVar

from consumer import layout, paths
from consumer.errors import BlobNotFound, ConsumerError, SnapshotIncomplete
from consumer.maintenance import verify_pages
from consumer.ports import BlobStore, Clock, Guard, Signer
from consumer.repository import packs as packing
from consumer.repository.cache import MemoryCache
from consumer.repository.heads import Heads
from consumer.repository.hydrating import Fetcher
from consumer.repository.objects import Objects
from consumer.repository.reading import Reader
from consumer.snapshot import catalog, chain, merkle, snapshot
from consumer.snapshot.catalog import Catalog, CatalogBase, Pack
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import FOLDER, Delta, Head, SnapshotLimits, Tree

T = TypeVar("T")

#: In the order of printing: a fault in one invariant may prevent the check of later ones.
INVARIANTS: Final = (
    "head-coherent",
    "chain-continuity",
    "seq-monotonic",
    "epoch-monotonic",
    "signatures",
    "history-roots",
    "index-complete",
    "merkle-roots",
    "content-digests",
    "layout-canonical",
    "layout-no-traversal",
    "exports-preserved",
    "render-index-coherent",
    "reports-cited",
    "published-coherent",
    "no-secret-canary",
    "orphans-only-young",
)
#: The age that unnamed objects may have: a running writer made them, or a dead one and gc has not deleted them yet.
GRACE: Final = timedelta(hours=24)
#: Commits by which operators remove or restore content; what a job's commit brought is not checked again there.
_BY_HAND: Final = frozenset({"purge", "restore"})
_TOPS: Final = frozenset({layout.HERMES_HOME, layout.GBRAIN_HOME, layout.BRAIN, layout.RUNTIME})


@dataclass(frozen=True, slots=True)
class Fault:
    invariant: str
    #: The object's full name in the bucket, or a path in the workspace and its commit.
    object: str
    detail: str


@dataclass(slots=True)
class VerifyReport:
    """The faults found. ``checked``: the number of checks by invariant."""

    seq: int = 0
    checked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(INVARIANTS, 0))
    faults: list[Fault] = field(default_factory=list)
    #: Entries that a later purge took from these trees; they are not a fault.
    erased: int = 0
    #: Names of unnamed objects, of any age.
    orphans: list[str] = field(default_factory=list)
    #: Catalogs of earlier commits.
    superseded: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.faults

    def broken(self) -> set[str]:
        return {fault.invariant for fault in self.faults}

    def expect(self, good: bool, invariant: str, name: str, detail: str) -> None:
        """Count a check. ``detail``: what is wrong with the object where it is not ``good``."""
        self.checked[invariant] += 1
        if not good:
            self.faults.append(Fault(invariant, name, detail))


@dataclass(slots=True)
class Verification:
    """One pass over one user's workspace. For one use."""

    blobs: BlobStore
    signer: Signer
    clock: Clock
    user_id: str
    guard: Guard
    canaries: Sequence[bytes] = ()
    report: VerifyReport = field(default_factory=VerifyReport)
    #: Object names that the history names.
    named: set[str] = field(default_factory=set)
    #: key -> full digest of every content that some tree needs, and where it is first needed.
    needed: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: Published copies: object name -> (seq, path); and their digests by the commit, once its tree is read.
    copies: dict[str, tuple[int, str]] = field(default_factory=dict)
    copied: dict[str, str] = field(default_factory=dict)
    _contents_of: tuple[Pack, ...] = ()
    #: Packs that pages are read from, so that many pages of one pack cost one request.
    cache: MemoryCache = field(default_factory=MemoryCache)

    def run(self) -> VerifyReport:
        """Raises BlobUnavailable, and whatever the guard raises."""
        self._list_copies()
        head = self._head()
        if head is None or head.commit is None:
            damaged = not self.report.ok
            self._orphans()
            if not damaged:
                self._begun_anew(head.seq if head else 0)
            return self.report
        self.report.seq = head.seq
        commits = self._chain(head)
        self._history_roots(commits)
        index = self._catalog(head)
        if index is not None:
            packs = self._directories(index)
            self._contents_of = tuple(packs)
            self._all_trees(index, commits)
            self._contents(packs)
        self._copies()
        self._orphans()
        return self.report

    # --- HEAD and chain

    def _head(self) -> Head | None:
        return self._read("head-coherent", paths.head(self.user_id), Heads(self.blobs, self.clock, self.user_id).read)

    def _begun_anew(self, seq: int) -> None:
        """Check a HEAD without a commit: commits that only a HEAD with a commit can have left are a fault.

        A writer that died before its swap leaves a commit right above ``seq``; late writers leave some below an
        erasure's number.
        """
        second = paths.commit(self.user_id, seq + 2, "")
        folder = f"{paths.user(self.user_id)}commits/"
        later = any(name.startswith(folder) and name >= second for name in self.report.orphans)
        detail = "names no commit, but the bucket has more than a first commit"
        self.report.expect(not later, "head-coherent", paths.head(self.user_id), detail)

    def _chain(self, head: Head) -> list[tuple[str, Commit]]:
        """The commits up to HEAD's, oldest first, as far back as the chain can be followed."""
        commits = list(chain.walk(head.seq, head.commit, self._commit))[::-1]
        self._links(head, commits)
        return commits

    def _commit(self, seq: int, digest: str) -> Commit | None:
        self.guard.check()
        name = paths.commit(self.user_id, seq, digest)
        commit = self._decoded("chain-continuity", name, digest, chain.decode)
        if commit is None:
            return None
        sign = commit.signature
        good = sign is not None and self.signer.verify(sign.key_id, commit.signed_part(), bytes.fromhex(sign.value))
        self.report.expect(good, "signatures", name, "not signed by a key of the ring")
        return commit

    def _links(self, head: Head, commits: Sequence[tuple[str, Commit]]) -> None:
        if commits:
            newest, name = commits[-1][1], paths.head(self.user_id)
            matches = (newest.seq, newest.job_id, newest.attempt) == (head.seq, head.job_id, head.attempt)
            self.report.expect(matches, "head-coherent", name, "differs from its commit in seq, job or attempt")
            detail = f"epoch {head.epoch} is below its commit's"
            self.report.expect(head.epoch >= newest.epoch, "epoch-monotonic", name, detail)
        for before, (digest, commit) in zip([None, *(c for _, c in commits)], commits, strict=False):
            name = paths.commit(self.user_id, commit.seq, digest)
            # An origin may have any number: after an erasure, numbers continue above the old ones.
            seq, epoch = (before.seq, before.epoch) if before else (commit.seq - 1, 0)
            self.report.expect(commit.seq == seq + 1, "seq-monotonic", name, f"follows commit {seq}")
            self.report.expect(commit.epoch >= epoch, "epoch-monotonic", name, f"epoch under {epoch}")

    def _history_roots(self, commits: Sequence[tuple[str, Commit]]) -> None:
        if commits and commits[0][1].parent is not None:
            return  # The chain is cut, which is reported as its own fault; the earlier commits are unknown.
        frontier: list[bytes] = []
        for size, (digest, commit) in enumerate(commits):
            good = merkle.frontier_root(frontier).hex() == commit.history_root
            name = paths.commit(self.user_id, commit.seq, digest)
            self.report.expect(good, "history-roots", name, "its history root does not match the commits before it")
            frontier = merkle.append(frontier, size, chain.history_leaf(digest))

    # --- catalog and trees

    def _catalog(self, head: Head) -> Catalog | None:
        name = paths.index(self.user_id, head.index or "")
        index = self._decoded("index-complete", name, head.index or "", catalog.load_catalog)
        if index is not None:
            self.report.expect(index.seq == head.seq, "index-complete", name, f"belongs to commit {index.seq}")
        return index

    def _directories(self, index: Catalog) -> list[Pack]:
        packs: list[Pack] = []
        for digest in (*index.cold, *index.live):
            name = paths.index(self.user_id, digest)
            packs += self._decoded("index-complete", name, digest, catalog.load_segment) or []
        return [*packs, *index.packs]

    def _all_trees(self, index: Catalog, commits: Sequence[tuple[str, Commit]]) -> None:
        by_seq = {commit.seq: (digest, commit) for digest, commit in commits}
        purged = {leaf for _, commit in commits for leaf in commit.purged}
        before: tuple[int, Tree] = (0, Tree())
        for seq, tree in self._trees_in_order(index):
            self.guard.check()
            if seq in by_seq:
                digest, commit = by_seq.pop(seq)
                # After lost trees, the next commit's changes are unknown.
                previous = before[1] if before[0] == seq - 1 or commit.parent is None else tree
                self._tree(paths.commit(self.user_id, seq, digest), commit, tree, previous, purged)
                before = (seq, tree)
        for digest, commit in by_seq.values():
            name = paths.commit(self.user_id, commit.seq, digest)
            self.report.expect(False, "index-complete", name, "no object of the index has its tree")

    def _trees_in_order(self, index: Catalog) -> Iterator[tuple[int, Tree]]:
        for epoch in index.epochs:
            tree = self._tree_object(epoch.digest, catalog.load_tree)
            deltas = self._deltas(epoch, index.recent if epoch == index.epochs[-1] else ())
            if tree is None:
                continue
            yield epoch.seq, tree
            for seq, delta in deltas:
                tree = tree.apply(delta)
                # The last run of an epoch ends at the next epoch's whole tree, which is checked there.
                if not any(base.seq == seq for base in index.epochs):
                    yield seq, tree

    def _deltas(self, epoch: CatalogBase, recent: Sequence[tuple[int, Delta]]) -> list[tuple[int, Delta]]:
        """The differences of an epoch up to its first lost run; later ones cannot be applied."""
        runs = [self._tree_object(run.digest, catalog.load_run) for run in epoch.runs]
        readable = list(itertools.takewhile(lambda run: run is not None, runs))
        applicable_recent = recent if len(readable) == len(runs) else ()
        return [*(item for run in readable for item in run or ()), *applicable_recent]

    def _tree_object(self, digest: str, decode: Callable[[bytes], T]) -> T | None:
        return self._decoded("merkle-roots", paths.tree(self.user_id, digest), digest, decode)

    def _tree(self, name: str, commit: Commit, tree: Tree, before: Tree, purged: set[str]) -> None:
        good = tree.merkle_root() == commit.merkle_root
        self.report.expect(good, "merkle-roots", name, "its tree's root differs from the signed one")
        extra = sorted(tree.erased - purged)
        self.report.expect(not extra, "merkle-roots", name, f"{len(extra)} entries are missing without a purge")
        self.report.erased += len(tree.erased)
        self._layout(name, tree)
        if commit.job_type not in _BY_HAND:
            self._exports(name, tree, before)
        reports = [] if commit.job_type in _BY_HAND else verify_pages.new_reports(tree, before)
        self._pages(name, tree, reports, is_head=commit.seq == self.report.seq)
        for entry in tree.entries.values():
            for digest in entry.contents:
                self.needed.setdefault(catalog.key(digest), (digest, f"{entry.path} of {name}"))
        self._remember(commit.seq, tree)

    def _layout(self, name: str, tree: Tree) -> None:
        fault = snapshot.fault(tree.entries, SnapshotLimits())
        self.report.expect(fault is None, "layout-no-traversal", name, fault or "")
        strange = sorted({path.split("/")[0] for path in tree.entries} - _TOPS)
        self.report.expect(not strange, "layout-canonical", name, f"holds {', '.join(strange[:5])}")

    def _exports(self, name: str, tree: Tree, before: Tree) -> None:
        """Check that a job kept every raw export; only an operator's command may remove one."""
        for path, entry in before.entries.items():
            if path.startswith(f"{layout.EXPORTS}/") and entry.size != FOLDER:
                preserved = entry.same(tree.entries.get(path))
                self.report.expect(preserved, "exports-preserved", name, f"{path} was changed or removed")

    def _pages(self, name: str, tree: Tree, reports: Sequence[str], *, is_head: bool) -> None:
        """Check reports against the pages they cite, in the commit that brought them, and HEAD's record index."""
        if not reports and not is_head:
            return
        with ThreadPoolExecutor(2) as pool:
            fetcher = Fetcher(Objects(self.blobs, self.clock, self.user_id, self.cache), pool)
            reader = Reader(0, tree, fetcher, self._contents_of, tuple)
            # The check of contents reports missing and damaged objects.
            with contextlib.suppress(SnapshotIncomplete):
                for path in reports:
                    self._verdict("reports-cited", name, list(verify_pages.uncited(path, reader)))
                if is_head:
                    self._verdict("render-index-coherent", name, list(verify_pages.incoherent(reader)))

    def _verdict(self, invariant: str, name: str, wrong: Sequence[str]) -> None:
        self.report.expect(not wrong, invariant, name, "; ".join(wrong[:3]))

    # --- contents

    def _contents(self, packs: Sequence[Pack]) -> None:
        places = catalog.places(packs)
        for key, (digest, place) in self.needed.items():
            self.report.expect(key in places, "index-complete", place, f"content {digest} is in no pack")
        for pack in {pack.digest: pack for pack in packs}.values():
            self.guard.check()
            self._pack(pack, {key for key, place in places.items() if place.pack == pack.digest})

    def _pack(self, pack: Pack, placed: set[str]) -> None:
        name = paths.pack(self.user_id, pack.digest)
        data = self._object("content-digests", name, pack.digest)
        if data is None:
            return
        offset = 0
        for frame in pack.frames:
            try:
                raw = packing.unpack(memoryview(data)[offset : offset + frame.stored], frame.raw, pack.digest)
            except SnapshotIncomplete as exc:
                self.report.expect(False, "content-digests", name, str(exc))
                return
            self._frame(name, frame.contents, raw, placed)
            offset += frame.stored

    def _frame(self, name: str, contents: Sequence[tuple[str, int]], raw: bytes, placed: set[str]) -> None:
        start = 0
        for key, length in contents:
            content = raw[start : start + length]
            start += length
            digest = hashlib.sha256(content).hexdigest()
            expected = self.needed[key][0] if key in self.needed and key in placed else digest
            good = digest == expected and digest.startswith(key)
            self.report.expect(good, "content-digests", name, f"content {key} has digest {digest}")
            for number, canary in enumerate(self.canaries):
                place = self.needed.get(key, ("", name))[1]
                self.report.expect(canary not in content, "no-secret-canary", place, f"contains secret {number + 1}")

    # --- beside the history

    def _list_copies(self) -> None:
        prefix = f"{paths.user(self.user_id)}published/"
        for stat in self.blobs.list(prefix):
            number, _, path = stat.name.removeprefix(prefix).partition("/")
            if number.isdigit():
                self.copies[stat.name] = (int(number), path)

    def _remember(self, seq: int, tree: Tree) -> None:
        for name, (number, path) in self.copies.items():
            if number == seq and path in tree.entries:
                self.copied[name] = tree.entries[path].digest

    def _copies(self) -> None:
        # A copy that its commit does not have is the note of a run without a commit; it cannot be checked.
        for name, expected in self.copied.items():
            is_same = snapshot.digest_of(self.blobs.read(name).data)[1] == expected
            self.report.expect(is_same, "published-coherent", name, "differs from the file in its commit")

    def _orphans(self) -> None:
        user = paths.user(self.user_id)
        for folder in ("commits/", "trees/", "index/", "packs/"):
            for stat in self.blobs.list(user + folder):
                if stat.name in self.named or self._superseded(stat.name):
                    continue
                self.report.orphans.append(stat.name)
                young = stat.server_time - stat.updated < GRACE
                self.report.expect(young, "orphans-only-young", stat.name, "no object has named it for more than a day")

    def _superseded(self, name: str) -> bool:
        """Whether it is the intact catalog of an earlier commit, which each commit leaves for gc; of any age."""
        user, digest = paths.user(self.user_id), name.rpartition("/")[2]
        if not name.startswith(f"{user}index/"):
            return False
        index = self._decoded("orphans-only-young", name, digest, _any_catalog)
        if index is not None and index.seq <= self.report.seq:
            self.report.superseded.append(name)
            return True
        return False

    # --- objects

    def _object(self, invariant: str, name: str, digest: str) -> bytes | None:
        return self._read(invariant, name, lambda: Objects(self.blobs, self.clock, self.user_id).get(name, digest))

    def _read(self, invariant: str, name: str, read: Callable[[], T]) -> T | None:
        """What an object that the history names has; None if it cannot be read, which breaks this invariant."""
        self.named.add(name)
        try:
            value = read()
        except (SnapshotIncomplete, BlobNotFound) as exc:
            self.report.expect(False, invariant, name, str(exc))
            return None
        self.report.expect(True, invariant, name, "")
        return value

    def _decoded(self, invariant: str, name: str, digest: str, decode: Callable[[bytes], T]) -> T | None:
        data = self._object(invariant, name, digest)
        if data is None:
            return None
        try:
            return decode(data)
        except (ValueError, ConsumerError) as exc:
            self.report.expect(False, invariant, name, str(exc))
            return None


def _any_catalog(data: bytes) -> Catalog:
    """A catalog; a pack segment becomes a catalog with a number above all commits."""
    try:
        return catalog.load_catalog(data)
    except ValueError:
        catalog.load_segment(data)
        return Catalog(seq=_NEVER)


_NEVER: Final = 1 << 62
