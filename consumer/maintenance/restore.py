"""
Make a new commit that equals an old one. History is never rewound: later commits stay in it, and so does the list of
records purged since, so that the next export does not bring them back.

The target is proven before anything is written: every object and content that the next hydrate will read is read past
all caches. An incomplete target is refused, and the refusal names the nearest complete commit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from consumer import layout
from consumer.errors import RestoreRefused, SnapshotIncomplete, SnapshotRefused, WorkspaceFrozen
from consumer.locking.exclusive import Hold
from consumer.maintenance.target import Damage, Prover
from consumer.repository.loading import Snapshot
from consumer.repository.workspace import Repository
from consumer.snapshot import catalog, snapshot, suppression
from consumer.snapshot.catalog import Pack
from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import Entry, Tree
from contract.api import CommitRef

#: Damaged objects that a refusal names; more are counted.
SHOWN_DAMAGES: Final = 5


@dataclass(frozen=True, slots=True)
class Composition:
    """The tree to commit. ``packs``: uploaded for it, and not named by a catalog yet."""

    entries: Mapping[str, Entry]
    packs: tuple[Pack, ...] = ()


#: (HEAD, target) -> the tree to commit. May upload objects, which stay unnamed if the restore is then refused.
Compose = Callable[[Snapshot, Snapshot], Composition]


def as_it_was(head: Snapshot, target: Snapshot) -> Composition:
    """The target's own entries, with what HEAD knows today (``carried_over``).

    Raises SnapshotRefused: a purge took entries from the target.
    """
    if target.tree.erased:
        raise SnapshotRefused(
            f"{len(target.tree.erased)} entries of commit {target.head.seq} were purged; restore a later commit"
        )
    return Composition({**target.tree.entries, **carried_over(head.tree)})


def restore(repository: Repository, seq: int, reason: str, hold: Hold, *, compose: Compose = as_it_was) -> CommitRef:
    """Make the files, cursors and template version of commit ``seq`` HEAD's again. Needs the user's lock.

    This also thaws a frozen workspace if HEAD itself is proven. Repeatable: makes another commit of the same content.
    HEAD changes, and is thawed, only after everything that it will name was read and proven.

    Raises NoSuchCommit, SnapshotIncomplete or WorkspaceFrozen (HEAD is not proven), HeadMoved, LockLost,
    BlobUnavailable. RestoreRefused: the target is incomplete. Nothing was changed. SnapshotRefused: parts of the target
    were purged. Nothing was changed.
    """
    prover = Prover(repository, hold)
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
        created_at=repository.store.clock.now(),
        cursors=target.commit.cursors,
        reason=reason,
        restores=seq,
    )
    delta = snapshot.diff(head.tree, composed.entries)
    base = replace(head, head=replace(head.head, frozen=""))
    committed = repository.committer.commit(base, delta, [*packs, *proof.added], meta, hold)
    return CommitRef(seq=committed.head.seq, digest=committed.head.commit or "")


def nearest_whole(prover: Prover, head: Snapshot, seq: int, compose: Compose) -> int | None:
    """The complete commit nearest to ``seq``, of two the later one, which a restore would accept; None: there is none.

    A commit that a purge took entries from is rebuilt for this, as a restore does. Raises BlobUnavailable, and whatever
    the guard raises.
    """
    candidates = [candidate for candidate in range(1, head.head.seq + 1) if candidate != seq]
    for candidate in sorted(candidates, key=lambda candidate: (abs(candidate - seq), -candidate)):
        prover.guard.check()
        try:
            target = prover.commit(head, candidate)
            composed = compose(head, target)
        except (SnapshotIncomplete, WorkspaceFrozen, SnapshotRefused):
            continue
        packs = (*head.packs, *_packs(head, target, composed))
        if not prover.contents(composed.entries, packs, target.packs).damages:
            return candidate
    return None


def _refusal(prover: Prover, head: Snapshot, seq: int, why: str, compose: Compose) -> RestoreRefused:
    nearest = nearest_whole(prover, head, seq, compose)
    advice = f"the nearest complete commit is {nearest}" if nearest else "no other commit is complete either"
    return RestoreRefused(
        f"commit {seq} of {prover.repository.user_id} is incomplete: {why}. Nothing was changed; {advice}"
    )


def _named(damages: Sequence[Damage]) -> str:
    unnamed = len(damages) - SHOWN_DAMAGES
    return "; ".join([*map(str, damages[:SHOWN_DAMAGES]), *([f"and {unnamed} more objects"] if unnamed > 0 else [])])


def carried_over(tree: Tree) -> dict[str, Entry]:
    """What a restore keeps of today: the ledger of what the user was told, since they know it now, and the list of
    purged records that an earlier release kept in the tree. With their parent folders.
    """
    kept = [PurePosixPath(path) for path in (layout.TOLD, suppression.PATH) if path in tree.entries]
    return {str(part): tree.entries[str(part)] for path in kept for part in (*path.parents[:-1], path)}


def _packs(head: Snapshot, target: Snapshot, composed: Composition) -> list[Pack]:
    """The packs to name besides HEAD's."""
    return [*composed.packs, *_missing(head, target, composed.entries)]


def _missing(head: Snapshot, target: Snapshot, entries: Mapping[str, Entry]) -> Sequence[Pack]:
    """Packs of the target that these entries need and that HEAD's hydrate does not read; they become live again."""
    places = catalog.places(target.packs)
    head_packs = {pack.digest for pack in head.packs}
    needed = {places[key].pack for key in catalog.keys(entries.values()) if key in places}
    return [pack for pack in {p.digest: p for p in target.packs}.values() if pack.digest in needed - head_packs]
