"""Safe repairs; a workspace that they cannot mend is frozen.

Repairs rebuild only what proven objects contain: lost pack directories from the packs themselves, and HEAD's catalog
(rebuild.py). They invent nothing and make no commit. A damaged HEAD stays frozen until an operator restores a commit.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from consumer import paths
from consumer.errors import SnapshotIncomplete, WorkspaceFrozen
from consumer.locking.exclusive import Hold
from consumer.maintenance.rebuild import CannotRebuild, Rebuild, directories
from consumer.maintenance.target import Prover
from consumer.maintenance.verify import Fault, Verification, VerifyReport
from consumer.repository.history import History
from consumer.repository.loading import Loader
from consumer.repository.objects import Objects
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import Head

T = TypeVar("T")

#: Faults of a job's commit that every later commit inherits.
_INHERITED: Final = frozenset({"exports-preserved", "reports-cited"})


@dataclass(frozen=True, slots=True)
class Repaired:
    """The actions taken, as sentences; the verification afterwards; the reason why the workspace is frozen, or ""."""

    actions: tuple[str, ...]
    report: VerifyReport
    frozen: str


def repair(store: WorkspaceStore, user_id: str, reason: str, hold: Hold) -> Repaired:
    """Rebuild what is possible, verify, and freeze or thaw HEAD by the verdict. Needs the user's lock. Repeatable.

    Raises LockLost, BlobUnavailable, SnapshotIncomplete (HEAD itself cannot be read).
    """
    actions: list[str] = []
    head = store.read_head(user_id) or Head()
    if head.erased:
        # An unfinished erasure is finished by its own command; a repair never undoes it.
        return Repaired((), check(store, user_id, hold), head.frozen)
    if head.index is not None:
        head = _rebuilt_catalog(store, user_id, head, actions, hold)
        head = _rebuilt_segments(store, user_id, head, actions, hold)
    report = check(store, user_id, hold)
    head = store.read_head(user_id) or Head()
    frozen = verdict(store, user_id, report, hold)
    if frozen != head.frozen:
        store.heads(user_id).swap(head, replace(head, frozen=frozen, epoch=hold.epoch))
        actions.append(f"frozen: {frozen}" if frozen else f"thawed ({reason})")
    return Repaired(tuple(actions), report, frozen)


def check(store: WorkspaceStore, user_id: str, hold: Hold) -> VerifyReport:
    """Verify past all caches. Raises BlobUnavailable, and whatever the guard raises."""
    return Verification(store.blobs(user_id), store.signer, store.clock, user_id, hold).run()


def verdict(store: WorkspaceStore, user_id: str, report: VerifyReport, hold: Hold) -> str:
    """The reason to freeze HEAD: the broken invariants, and the first faulty object; "" if jobs may go on.

    Jobs may go on if HEAD is intact: its commit, catalog, tree and all contents are, and the commits that it builds on
    kept raw exports and reports. Losses of older commits are reported but do not freeze: no later commit needs them,
    and a restore could not bring them back. Leftovers do not freeze either.

    Raises LockLost, BlobUnavailable.
    """
    faults = [fault for fault in report.faults if fault.invariant != "orphans-only-young"]
    if not faults:
        return ""
    prover = Prover(store, user_id, hold)
    try:
        head = prover.head()
        damages = prover.contents(head.tree.entries, head.packs, ()).damages
    except (SnapshotIncomplete, WorkspaceFrozen):
        return _sentence(faults)
    if damages:
        damage_text = " ".join(map(str, damages))
        return _sentence(sorted(faults, key=lambda fault: fault.object not in damage_text))
    built_on = _built_on(store, user_id)
    head_objects = {paths.head(user_id), paths.index(user_id, head.head.index or ""), *built_on[:1]}
    return _sentence(
        [
            fault
            for fault in faults
            if fault.object in head_objects or (fault.invariant in _INHERITED and fault.object in built_on)
        ]
    )


def _built_on(store: WorkspaceStore, user_id: str) -> list[str]:
    """Names of the commits that HEAD builds on, its own first, as far back as the chain can be read.

    A restore builds on the commit that it restored, and not on those in between.
    """
    chain: dict[int, tuple[str, Commit]] = {}
    with contextlib.suppress(SnapshotIncomplete, WorkspaceFrozen):
        for digest, commit in History(store, user_id).log():
            chain[commit.seq] = (paths.commit(user_id, commit.seq, digest), commit)
    names: list[str] = []
    seq = max(chain, default=0)
    while seq in chain:
        name, commit = chain[seq]
        names.append(name)
        seq = commit.restores or seq - 1
    return names


def _sentence(faults: Sequence[Fault]) -> str:
    if not faults:
        return ""
    names = ", ".join(sorted({fault.invariant for fault in faults}))
    return f"{names} broken, first at {faults[0].object}"


def _rebuilt_catalog(store: WorkspaceStore, user_id: str, head: Head, actions: list[str], hold: Hold) -> Head:
    digest = head.index or ""
    name = paths.index(user_id, digest)
    if _readable(Loader(Objects(store.blobs(user_id), store.clock, user_id), store.signer, store.pool).catalog, digest):
        return head
    if store.cache and (cached := store.cache.get(user_id, digest)) is not None:
        store.objects(user_id).put(name, cached)
        actions.append("restored HEAD's catalog from this machine's cache")
        return head
    rebuild = Rebuild(store, user_id, hold)
    try:
        rebuilt = rebuild.catalog(head)
    except (CannotRebuild, SnapshotIncomplete) as exc:
        actions.append(f"HEAD's catalog is lost and cannot be rebuilt: {exc}")
        return head
    root = catalog.store_catalog(rebuilt)
    for item in (*rebuild.objects, root):
        store.objects(user_id).put(f"{paths.user(user_id)}{item.folder}/{item.digest}", item.data)
    actions.append("rebuilt HEAD's lost catalog from commits, trees and packs")
    return store.heads(user_id).swap(head, replace(head, index=root.digest, epoch=hold.epoch))


def _rebuilt_segments(store: WorkspaceStore, user_id: str, head: Head, actions: list[str], hold: Hold) -> Head:
    loader = store.loader(user_id)
    if not _readable(loader.catalog, head.index or ""):
        return head  # The verdict reports it.
    index = loader.catalog(head.index or "")
    lost = [digest for digest in (*index.live, *index.cold) if not _readable(loader.segments, [digest])]
    if not lost:
        return head
    readable_packs = [
        pack for digest in (*index.cold, *index.live) if digest not in lost for pack in loader.segments([digest])
    ]
    missing = directories(store, user_id, {pack.digest for pack in (*readable_packs, *index.packs)}, hold)
    segment = catalog.store_segment([*readable_packs, *missing])
    root = catalog.store_catalog(replace(index, live=(segment.digest,), cold=()))
    for item in (segment, root):
        store.objects(user_id).put(paths.index(user_id, item.digest), item.data)
    actions.append(f"rebuilt {len(lost)} lost index objects from the packs")
    return store.heads(user_id).swap(head, replace(head, index=root.digest))


def _readable(read: Callable[[T], object], argument: T) -> bool:
    try:
        read(argument)
    except SnapshotIncomplete:
        return False
    return True
