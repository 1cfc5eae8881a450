"""Collect what no history names: leftovers of writers that died or lost, and catalogs of earlier commits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from consumer import paths
from consumer.errors import BlobNotFound, PreconditionFailed
from consumer.locking.exclusive import Hold
from consumer.ports import BlobStat
from consumer.repository.history import History
from consumer.repository.workspace import WorkspaceStore

#: What is younger may belong to a writer whose HEAD swap is still on its way.
GRACE = timedelta(hours=24)
#: What HEAD leads to.
HISTORY = ("commits", "trees", "index", "packs")
#: Stored syntheses, paid readings and checkpoints are named by no history: a job resumed a day later starts over and
#: pays again, and a purge takes them all.
BESIDE = ("answers", "checkpoints", "readings")


@dataclass(frozen=True, slots=True)
class CollectedGarbage:
    """What nothing names: deleted (or to be, in a dry run), and kept because it is young. Names with sizes."""

    deleted: tuple[tuple[str, int], ...]
    young: tuple[tuple[str, int], ...]
    named: int

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.deleted)


def collect(
    store: WorkspaceStore, user_id: str, hold: Hold, *, dry_run: bool = False, grace: timedelta = GRACE
) -> CollectedGarbage:
    """One sweep, under the user's lock and with HEAD fenced, so that no commit can begin to name what is deleted.

    Repeatable. An object that was written again since it was listed is met no more: the delete carries its generation.
    While a commit lies above HEAD's, the history's folders wait: a writer that died left it, and then the next commit
    lets them go; or HEAD is not what it was, and then they hold the only copy. Without ``grace`` (a purge) they go.

    Raises SnapshotIncomplete, WorkspaceFrozen (what is named cannot be known), LockLost, BlobUnavailable.
    """
    keep = named(store, user_id)
    blobs = store.blobs(user_id)
    spared = grace > timedelta(0) and _is_behind(store, user_id)
    folders = BESIDE if spared else (*HISTORY, *BESIDE)
    deleted: list[tuple[str, int]] = []
    young: list[tuple[str, int]] = []
    for stat in _unnamed(store, user_id, keep, folders):
        hold.check()
        if stat.server_time - stat.updated < grace:
            young.append((stat.name, stat.size))
            continue
        if not dry_run:
            try:
                blobs.delete(stat.name, if_generation=stat.generation)
            except (BlobNotFound, PreconditionFailed):
                continue
        deleted.append((stat.name, stat.size))
    return CollectedGarbage(tuple(deleted), tuple(young), len(keep))


def named(store: WorkspaceStore, user_id: str) -> set[str]:
    """Every object that HEAD leads to. Raises as ``WorkspaceStore.load``."""
    found = store.load(user_id)
    names = {paths.commit(user_id, commit.seq, digest) for digest, commit in History(store, user_id).log()}
    index = found.catalog
    if found.head.index:
        names.add(paths.index(user_id, found.head.index))
    names |= {paths.index(user_id, digest) for digest in (*index.live, *index.cold)}
    names |= {paths.tree(user_id, digest) for digest in index.tree_objects()}
    packs = (*found.packs, *store.loader(user_id).segments(index.cold))
    return names | {paths.pack(user_id, pack.digest) for pack in packs}


def _is_behind(store: WorkspaceStore, user_id: str) -> bool:
    """Whether a commit lies above HEAD's."""
    head = store.read_head(user_id)
    return any(seq > (head.seq if head else 0) for seq, _ in store.commits(user_id))


def _unnamed(store: WorkspaceStore, user_id: str, keep: set[str], folders: Sequence[str]) -> list[BlobStat]:
    blobs = store.blobs(user_id)
    prefixes = [f"{paths.user(user_id)}{folder}/" for folder in folders]
    return [stat for prefix in prefixes for stat in blobs.list(prefix) if stat.name not in keep]
