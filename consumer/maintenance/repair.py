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
from consumer.repository.workspace import Repository
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


def repair(repository: Repository, reason: str, hold: Hold) -> Repaired:
    """Rebuild what is possible, verify, and freeze or thaw HEAD by the verdict. Needs the user's lock. Repeatable.

    Raises LockLost, BlobUnavailable, SnapshotIncomplete (HEAD itself cannot be read).
    """
    actions: list[str] = []
    head = repository.read_head() or Head()
    if head.erased:
        # An unfinished erasure is finished by its own command; a repair never undoes it.
        return Repaired((), check(repository, hold), head.frozen)
    if head.index is not None:
        head = _rebuilt_catalog(repository, head, actions, hold)
        head = _rebuilt_segments(repository, head, actions, hold)
    report = check(repository, hold)
    head = repository.read_head() or Head()
    frozen = verdict(repository, report, hold)
    if frozen != head.frozen:
        repository.heads.swap(head, replace(head, frozen=frozen, epoch=hold.epoch))
        actions.append(f"frozen: {frozen}" if frozen else f"thawed ({reason})")
    return Repaired(tuple(actions), report, frozen)


def check(repository: Repository, hold: Hold) -> VerifyReport:
    """Verify past all caches. Raises BlobUnavailable, and whatever the guard raises."""
    return Verification(
        repository.blobs, repository.store.signer, repository.store.clock, repository.user_id, hold
    ).run()


def verdict(repository: Repository, report: VerifyReport, hold: Hold) -> str:
    """The reason to freeze HEAD: the broken invariants, and the first faulty object; "" if jobs may go on.

    Jobs may go on if HEAD is intact: its commit, catalog, tree and all contents are, and the commits that it builds on
    kept raw exports and reports. Losses of older commits are reported but do not freeze: no later commit needs them,
    and a restore could not bring them back. Leftovers do not freeze either.

    Raises LockLost, BlobUnavailable.
    """
    faults = [fault for fault in report.faults if fault.invariant != "orphans-only-young"]
    if not faults:
        return ""
    prover = Prover(repository, hold)
    try:
        head = prover.head()
        damages = prover.contents(head.tree.entries, head.packs, ()).damages
    except (SnapshotIncomplete, WorkspaceFrozen):
        return _sentence(faults)
    if damages:
        damage_text = " ".join(map(str, damages))
        return _sentence(sorted(faults, key=lambda fault: fault.object not in damage_text))
    built_on = _built_on(repository)
    head_objects = {
        paths.head(repository.user_id),
        paths.index(repository.user_id, head.head.index or ""),
        *built_on[:1],
    }
    return _sentence(
        [
            fault
            for fault in faults
            if fault.object in head_objects or (fault.invariant in _INHERITED and fault.object in built_on)
        ]
    )


def _built_on(repository: Repository) -> list[str]:
    """Names of the commits that HEAD builds on, its own first, as far back as the chain can be read.

    A restore builds on the commit that it restored, and not on those in between.
    """
    chain: dict[int, tuple[str, Commit]] = {}
    with contextlib.suppress(SnapshotIncomplete, WorkspaceFrozen):
        for digest, commit in History(repository).log():
            chain[commit.seq] = (paths.commit(repository.user_id, commit.seq, digest), commit)
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


def _rebuilt_catalog(repository: Repository, head: Head, actions: list[str], hold: Hold) -> Head:
    digest = head.index or ""
    name = paths.index(repository.user_id, digest)
    uncached = replace(repository.loader, objects=replace(repository.objects, cache=None))
    if _readable(uncached.catalog, digest):
        return head
    if repository.store.cache and (cached := repository.store.cache.get(repository.user_id, digest)) is not None:
        repository.objects.put(name, cached)
        actions.append("restored HEAD's catalog from this machine's cache")
        return head
    rebuild = Rebuild(repository, hold)
    try:
        rebuilt = rebuild.catalog(head)
    except (CannotRebuild, SnapshotIncomplete) as exc:
        actions.append(f"HEAD's catalog is lost and cannot be rebuilt: {exc}")
        return head
    root = catalog.store_catalog(rebuilt)
    for item in (*rebuild.objects, root):
        repository.objects.add(item)
    actions.append("rebuilt HEAD's lost catalog from commits, trees and packs")
    return repository.heads.swap(head, replace(head, index=root.digest, epoch=hold.epoch))


def _rebuilt_segments(repository: Repository, head: Head, actions: list[str], hold: Hold) -> Head:
    loader = repository.loader
    if not _readable(loader.catalog, head.index or ""):
        return head  # The verdict reports it.
    index = loader.catalog(head.index or "")
    lost = [digest for digest in (*index.live, *index.cold) if not _readable(loader.segments, [digest])]
    if not lost:
        return head
    readable_packs = [
        pack for digest in (*index.cold, *index.live) if digest not in lost for pack in loader.segments([digest])
    ]
    missing = directories(repository, {pack.digest for pack in (*readable_packs, *index.packs)}, hold)
    segment = catalog.store_segment([*readable_packs, *missing])
    root = catalog.store_catalog(replace(index, live=(segment.digest,), cold=()))
    for item in (segment, root):
        repository.objects.put(paths.index(repository.user_id, item.digest), item.data)
    actions.append(f"rebuilt {len(lost)} lost index objects from the packs")
    return repository.heads.swap(head, replace(head, index=root.digest))


def _readable(read: Callable[[T], object], argument: T) -> bool:
    try:
        read(argument)
    except SnapshotIncomplete:
        return False
    return True
