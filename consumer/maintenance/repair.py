"""Safe repairs, and the freeze around what is not safe.

Only what can be made again from proven objects is: pack directories lost from the index, from the packs themselves, and
HEAD's catalog (rebuild.py).
Nothing is invented and no commit is made. A HEAD that is not whole stays frozen until a person restores.
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

#: What a job did wrong, which every commit that builds on it keeps.
_INHERITED: Final = frozenset({"exports-preserved", "reports-cited"})


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done, in words; how the workspace verifies afterwards; why nobody may write, or empty."""

    actions: tuple[str, ...]
    report: VerifyReport
    frozen: str


def repair(store: WorkspaceStore, user_id: str, reason: str, hold: Hold) -> Repaired:
    """Rebuild what can be, verify, and freeze or thaw HEAD by the verdict. Needs the user's lock. Repeatable.

    Raises LockLost, BlobUnavailable, SnapshotIncomplete (HEAD itself cannot be read).
    """
    actions: list[str] = []
    head = store.read_head(user_id) or Head()
    if head.erased:
        # An erasure that was begun is finished by the same command again; nothing of it is taken back here.
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
    """Verify past every cache. Raises BlobUnavailable, the guard's."""
    return Verification(store.blobs(user_id), store.signer, store.clock, user_id, hold).run()


def verdict(store: WorkspaceStore, user_id: str, report: VerifyReport, hold: Hold) -> str:
    """One sentence for HEAD: which invariants are broken, and where first; "" if work may go on.

    Work may go on where HEAD is whole: nothing is wrong with its commit, its catalog, its tree or any content of it,
    nor with what a commit that it builds on did to raw exports and reports. What older commits lost is told and
    freezes nothing: no later commit needs it, and a restore could not bring it back. Leftovers freeze nothing either.

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
        lost = " ".join(map(str, damages))
        return _sentence(sorted(faults, key=lambda fault: fault.object not in lost))
    built_on = _built_on(store, user_id)
    own = {paths.head(user_id), paths.index(user_id, head.head.index or ""), *built_on[:1]}
    return _sentence(
        [
            fault
            for fault in faults
            if fault.object in own or (fault.invariant in _INHERITED and fault.object in built_on)
        ]
    )


def _built_on(store: WorkspaceStore, user_id: str) -> list[str]:
    """Names of the commits that HEAD builds on, its own first, as far back as the chain can be read.

    A restore builds on the commit that it equals, and not on those in between.
    """
    chain: dict[int, tuple[str, Commit]] = {}
    with contextlib.suppress(SnapshotIncomplete, WorkspaceFrozen):
        for digest, commit in History(store, user_id).log():
            chain[commit.seq] = (paths.commit(user_id, commit.seq, digest), commit)
    found: list[str] = []
    seq = max(chain, default=0)
    while seq in chain:
        name, commit = chain[seq]
        found.append(name)
        seq = commit.restores or seq - 1
    return found


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
    if store.cache and (kept := store.cache.get(user_id, digest)) is not None:
        store.objects(user_id).put(name, kept)
        actions.append("put HEAD's catalog back from this machine's cache")
        return head
    rebuild = Rebuild(store, user_id, hold)
    try:
        found = rebuild.catalog(head)
    except (CannotRebuild, SnapshotIncomplete) as exc:
        actions.append(f"HEAD's catalog is lost and cannot be made again: {exc}")
        return head
    root = catalog.store_catalog(found)
    for item in (*rebuild.objects, root):
        store.objects(user_id).put(f"{paths.user(user_id)}{item.folder}/{item.digest}", item.data)
    actions.append("made HEAD's lost catalog again from commits, trees and packs")
    return store.heads(user_id).swap(head, replace(head, index=root.digest, epoch=hold.epoch))


def _rebuilt_segments(store: WorkspaceStore, user_id: str, head: Head, actions: list[str], hold: Hold) -> Head:
    loader = store.loader(user_id)
    if not _readable(loader.catalog, head.index or ""):
        return head  # the verdict will say so
    index = loader.catalog(head.index or "")
    lost = [digest for digest in (*index.live, *index.cold) if not _readable(loader.segments, [digest])]
    if not lost:
        return head
    known = [pack for digest in (*index.cold, *index.live) if digest not in lost for pack in loader.segments([digest])]
    missing = directories(store, user_id, {pack.digest for pack in (*known, *index.packs)}, hold)
    segment = catalog.store_segment([*known, *missing])
    root = catalog.store_catalog(replace(index, live=(segment.digest,), cold=()))
    for item in (segment, root):
        store.objects(user_id).put(paths.index(user_id, item.digest), item.data)
    actions.append(f"made {len(lost)} lost index objects again from the packs")
    return store.heads(user_id).swap(head, replace(head, index=root.digest))


def _readable(read: Callable[[T], object], what: T) -> bool:
    try:
        read(what)
    except SnapshotIncomplete:
        return False
    return True
