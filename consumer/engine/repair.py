"""Safe repairs, and the freeze around what is not safe.

Only what can be made again from proven objects is: pack directories lost from the index, from the packs themselves.
Nothing is invented and no commit is made. What is left broken stays frozen until a person restores an older commit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from consumer.core import catalog, paths
from consumer.core.catalog import Pack
from consumer.core.errors import SnapshotIncomplete
from consumer.core.snapshot import Head
from consumer.engine.exclusive import Hold
from consumer.engine.snapshots import packs as packing
from consumer.engine.verify import Report, Verification
from consumer.engine.workspace import WorkspaceStore


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done, in words; how the workspace verifies afterwards; why nobody may write, or empty."""

    actions: tuple[str, ...]
    report: Report
    frozen: str


def repair(store: WorkspaceStore, user_id: str, reason: str, hold: Hold) -> Repaired:
    """Rebuild what can be, verify, and freeze or thaw HEAD by the verdict. Needs the user's lock. Repeatable.

    Raises LockLost, BlobUnavailable, SnapshotIncomplete (HEAD itself cannot be read).
    """
    actions: list[str] = []
    head = store.read_head(user_id) or Head()
    if head.index is not None:
        head = _rebuilt_segments(store, user_id, head, actions, hold)
    report = check(store, user_id, hold)
    head = store.read_head(user_id) or Head()
    frozen = verdict(report)
    if frozen != head.frozen:
        store.heads(user_id).swap(head, replace(head, frozen=frozen, epoch=hold.epoch))
        actions.append(f"frozen: {frozen}" if frozen else f"thawed ({reason})")
    return Repaired(tuple(actions), report, frozen)


def check(store: WorkspaceStore, user_id: str, hold: Hold) -> Report:
    """Verify past every cache. Raises BlobUnavailable, the guard's."""
    return Verification(store.blobs(user_id), store.signer, store.clock, user_id, hold).run()


def verdict(report: Report) -> str:
    """One sentence for HEAD: which invariants are broken, and where first. Leftovers are no reason to freeze."""
    faults = [fault for fault in report.faults if fault.invariant != "orphans-only-young"]
    if not faults:
        return ""
    names = ", ".join(sorted({fault.invariant for fault in faults}))
    return f"{names} broken, first at {faults[0].object}"


def _rebuilt_segments(store: WorkspaceStore, user_id: str, head: Head, actions: list[str], hold: Hold) -> Head:
    loader = store.loader(user_id)
    index = loader.catalog(head.index or "")
    lost = [digest for digest in (*index.live, *index.cold) if not _readable(store, user_id, digest)]
    if not lost:
        return head
    known = [pack for digest in (*index.cold, *index.live) if digest not in lost for pack in loader.segments([digest])]
    missing = _directories(store, user_id, {pack.digest for pack in (*known, *index.packs)}, hold)
    segment = catalog.store_segment([*known, *missing])
    root = catalog.store_catalog(replace(index, live=(segment.digest,), cold=()))
    for item in (segment, root):
        store.objects(user_id).put(paths.index(user_id, item.digest), item.data)
    actions.append(f"made {len(lost)} lost index objects again from the packs")
    return store.heads(user_id).swap(head, replace(head, index=root.digest))


def _readable(store: WorkspaceStore, user_id: str, digest: str) -> bool:
    try:
        store.loader(user_id).segments([digest])
    except SnapshotIncomplete:
        return False
    return True


def _directories(store: WorkspaceStore, user_id: str, known: set[str], hold: Hold) -> list[Pack]:
    """Directories of all packs in the bucket that nothing names yet, oldest first, each read from its pack."""
    prefix = paths.pack(user_id, "")
    found = sorted(store.blobs(user_id).list(prefix), key=lambda stat: stat.updated)
    packs: list[Pack] = []
    for digest in [stat.name.removeprefix(prefix) for stat in found]:
        hold.check()
        if digest not in known:
            data = store.objects(user_id).get(paths.pack(user_id, digest), digest)
            packs.append(packing.directory(data, digest))
    return packs
