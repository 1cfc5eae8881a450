"""A new commit that equals an old one. History is never rewound: what came between stays in it, and so does the list of
what was purged since: a restore must not bring it back with the next export.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from consumer.core import catalog, snapshot, suppression
from consumer.core.catalog import Pack
from consumer.core.chain import CommitMeta
from consumer.core.errors import SnapshotRefused
from consumer.core.snapshot import Entry, Tree
from consumer.engine import restore_erased
from consumer.engine.exclusive import Hold
from consumer.engine.history import History
from consumer.engine.snapshots.loading import Snapshot
from consumer.engine.workspace import WorkspaceStore
from consumer.ports.records import Rerender
from contract.api import CommitRef


def restore(
    store: WorkspaceStore, user_id: str, seq: int, reason: str, hold: Hold, *, rerender: Rerender | None = None
) -> CommitRef:
    """Files, cursors and template version of commit ``seq`` become HEAD again. Needs the user's lock.

    Also the way out of a frozen workspace, if HEAD itself still proves itself. Repeatable: another commit of the same
    content.

    Raises:
        NoSuchCommit, SnapshotIncomplete, WorkspaceFrozen, HeadMoved, LockLost, BlobUnavailable.
        SnapshotRefused: all of it was purged, or parts of it and ``rerender`` is not given.
    """
    head, old = store.load(user_id), History(store, user_id).at(seq)
    assert old.commit is not None
    if old.tree.erased and rerender is None:
        raise SnapshotRefused(f"{len(old.tree.erased)} entries of commit {seq} were purged; restore a younger one")
    meta = CommitMeta(
        job_id=f"restore-{hold.epoch}",
        attempt=0,
        epoch=hold.epoch,
        job_type="restore",
        template_version=old.commit.template_version,
        created_at=store.clock.now(),
        cursors=old.commit.cursors,
        reason=reason,
        restores=seq,
    )
    entries, packs = old.tree.entries, _missing(head, old)
    if old.tree.erased and rerender is not None:
        made = restore_erased.compose(store, user_id, head, old, rerender=rerender, guard=hold)
        entries, packs = made.entries, made.packs
    delta = snapshot.diff(head.tree, {**entries, **_suppressed(head.tree)})
    base = replace(head, head=replace(head.head, frozen=""))
    done = store.committer(user_id).commit(base, delta, packs, meta, hold)
    return CommitRef(seq=done.head.seq, digest=done.head.commit or "")


def _suppressed(tree: Tree) -> dict[str, Entry]:
    """The list of purged records and the folders that it lies in."""
    path = PurePosixPath(suppression.PATH)
    if str(path) not in tree.entries:
        return {}
    return {str(part): tree.entries[str(part)] for part in (*path.parents[:-1], path)}


def _missing(head: Snapshot, old: Snapshot) -> list[Pack]:
    """Packs that the old tree needs and HEAD's hydrate does not read: they become live again."""
    places = catalog.places(old.packs)
    known = {pack.digest for pack in head.packs}
    needed = {places[key].pack for key in _keys(old.tree) if key in places}
    return [pack for pack in {p.digest: p for p in old.packs}.values() if pack.digest in needed - known]


def _keys(tree: Tree) -> set[str]:
    return catalog.keys(tree.entries.values())
