"""
A new commit that equals an old one. History is never rewound: what came between stays in it, and so does the list of
what was purged since: a restore must not bring it back with the next export.

The target is proven before anything is written: each object and each content that the next hydrate will read is read,
past every cache. A target that is not whole is refused, and the nearest commit that is whole is named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from consumer.errors import RestoreRefused, SnapshotIncomplete, SnapshotRefused, WorkspaceFrozen
from consumer.locking.exclusive import Hold
from consumer.maintenance.target import Damage, Prover
from consumer.repository.loading import Snapshot
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog, snapshot, suppression
from consumer.snapshot.catalog import Pack
from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import Entry, Tree
from contract.api import CommitRef

#: Damaged objects that a refusal names; more are counted.
SHOWN_DAMAGES: Final = 5


@dataclass(frozen=True, slots=True)
class Composition:
    """What HEAD's tree shall be. ``packs``: uploaded for it, and named by no catalog yet."""

    entries: Mapping[str, Entry]
    packs: tuple[Pack, ...] = ()


#: (HEAD, target) -> what to commit. May upload objects, which stay unnamed if the restore is refused afterwards.
Compose = Callable[[Snapshot, Snapshot], Composition]


def as_it_was(head: Snapshot, target: Snapshot) -> Composition:
    """The target's own entries, with HEAD's list of purged records.

    Raises:
        SnapshotRefused: a purge took entries from the target.
    """
    if target.tree.erased:
        raise SnapshotRefused(
            f"{len(target.tree.erased)} entries of commit {target.head.seq} were purged; restore a younger one"
        )
    return Composition({**target.tree.entries, **carried_over(head.tree)})


def restore(
    store: WorkspaceStore, user_id: str, seq: int, reason: str, hold: Hold, *, compose: Compose = as_it_was
) -> CommitRef:
    """Files, cursors and template version of commit ``seq`` become HEAD again. Needs the user's lock.

    Also the way out of a frozen workspace, if HEAD itself still proves itself. Repeatable: another commit of the same
    content. HEAD changes, and is thawed, only if everything that it will name was read and is right.

    Raises:
        NoSuchCommit, SnapshotIncomplete or WorkspaceFrozen (HEAD does not prove itself), HeadMoved, LockLost,
        BlobUnavailable.
        RestoreRefused: the target is not whole. Nothing was changed.
        SnapshotRefused: parts of it were purged. Nothing was changed.
    """
    prover = Prover(store, user_id, hold)
    head = prover.head()
    try:
        target = prover.commit(head, seq)
    except (SnapshotIncomplete, WorkspaceFrozen) as exc:
        raise _refusal(prover, head, seq, str(exc), compose) from exc
    try:
        composed = compose(head, target)
    except SnapshotIncomplete as exc:
        raise _refusal(prover, head, seq, str(exc), compose) from exc
    packs = _packs(head, target, composed)
    proof = prover.contents(composed.entries, (*head.packs, *packs), target.packs)
    if proof.damages:
        raise _refusal(prover, head, seq, _named(proof.damages), compose)
    assert target.commit is not None
    meta = CommitMeta(
        job_id=f"restore-{hold.epoch}",
        attempt=0,
        epoch=hold.epoch,
        job_type="restore",
        template_version=target.commit.template_version,
        created_at=store.clock.now(),
        cursors=target.commit.cursors,
        reason=reason,
        restores=seq,
    )
    delta = snapshot.diff(head.tree, composed.entries)
    base = replace(head, head=replace(head.head, frozen=""))
    done = store.committer(user_id).commit(base, delta, [*packs, *proof.added], meta, hold)
    return CommitRef(seq=done.head.seq, digest=done.head.commit or "")


def nearest_whole(prover: Prover, head: Snapshot, seq: int, compose: Compose) -> int | None:
    """The commit nearest to ``seq``, of two the later one, that a restore would take; None: there is none.

    One that a purge took entries from is made again for it, as the restore would. Raises BlobUnavailable, the guard's.
    """
    others = [other for other in range(1, head.head.seq + 1) if other != seq]
    for other in sorted(others, key=lambda other: (abs(other - seq), -other)):
        prover.guard.check()
        try:
            target = prover.commit(head, other)
            composed = compose(head, target)
        except (SnapshotIncomplete, WorkspaceFrozen, SnapshotRefused):
            continue
        packs = (*head.packs, *_packs(head, target, composed))
        if not prover.contents(composed.entries, packs, target.packs).damages:
            return other
    return None


def _refusal(prover: Prover, head: Snapshot, seq: int, why: str, compose: Compose) -> RestoreRefused:
    nearest = nearest_whole(prover, head, seq, compose)
    advice = f"the nearest commit that is whole is {nearest}" if nearest else "no other commit is whole either"
    return RestoreRefused(f"commit {seq} of {prover.user_id} is not whole: {why}. Nothing was changed; {advice}")


def _named(damages: Sequence[Damage]) -> str:
    more = len(damages) - SHOWN_DAMAGES
    return "; ".join([*map(str, damages[:SHOWN_DAMAGES]), *([f"and {more} more objects"] if more > 0 else [])])


def carried_over(tree: Tree) -> dict[str, Entry]:
    """The list of purged records that an earlier version kept in the tree, and the folders that it lies in."""
    path = PurePosixPath(suppression.PATH)
    if str(path) not in tree.entries:
        return {}
    return {str(part): tree.entries[str(part)] for part in (*path.parents[:-1], path)}


def _packs(head: Snapshot, target: Snapshot, composed: Composition) -> list[Pack]:
    """What has to be named beside HEAD's packs."""
    return [*composed.packs, *_missing(head, target, composed.entries)]


def _missing(head: Snapshot, target: Snapshot, entries: Mapping[str, Entry]) -> Sequence[Pack]:
    """Packs of the target that these entries need and that HEAD's hydrate does not read: they become live again."""
    places = catalog.places(target.packs)
    known = {pack.digest for pack in head.packs}
    needed = {places[key].pack for key in catalog.keys(entries.values()) if key in places}
    return [pack for pack in {p.digest: p for p in target.packs}.values() if pack.digest in needed - known]
