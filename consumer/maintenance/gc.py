"""Delete objects that no history names: leftovers of writers that died or lost, and catalogs of earlier commits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from consumer import paths
from consumer.errors import BlobNotFound, PreconditionFailed
from consumer.locking.exclusive import Hold
from consumer.ports import BlobStat
from consumer.repository.history import History
from consumer.repository.workspace import Repository

#: A younger object may belong to a writer whose HEAD swap is still to come.
GRACE = timedelta(hours=24)
#: Folders of the objects that HEAD reaches.
HISTORY = ("commits", "trees", "index", "packs")
#: Folders of stored syntheses, paid readings and checkpoints, which no history names. A job that resumes a day later
#: starts over and pays again; a purge deletes them all.
BESIDE = ("answers", "checkpoints", "readings")


@dataclass(frozen=True, slots=True)
class CollectedGarbage:
    """Unnamed objects as (name, size): deleted ones (or to be deleted, in a dry run), and young ones that were kept."""

    deleted: tuple[tuple[str, int], ...]
    young: tuple[tuple[str, int], ...]
    named: int

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.deleted)


def collect(repository: Repository, hold: Hold, *, dry_run: bool = False, grace: timedelta = GRACE) -> CollectedGarbage:
    """One sweep. Needs the user's lock with HEAD fenced, so that no commit can start to name a deleted object.

    Repeatable. The delete carries the listed generation, so an object that was written again stays. While a commit lies
    above HEAD's, the history's folders are skipped: either a dead writer left that commit, and the next commit ends
    this; or HEAD was set back, and the folders hold the only copy. Without ``grace`` (a purge) they are swept too.

    Raises SnapshotIncomplete, WorkspaceFrozen (the named objects are unknown), LockLost, BlobUnavailable.
    """
    keep = named(repository)
    blobs = repository.blobs
    skips_history = grace > timedelta(0) and _is_behind(repository)
    folders = BESIDE if skips_history else (*HISTORY, *BESIDE)
    deleted: list[tuple[str, int]] = []
    young: list[tuple[str, int]] = []
    for stat in _unnamed(repository, keep, folders):
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


def named(repository: Repository) -> set[str]:
    """Names of all objects that HEAD reaches. Raises as ``WorkspaceStore.load``."""
    snapshot = repository.load()
    names = {paths.commit(repository.user_id, commit.seq, digest) for digest, commit in History(repository).log()}
    index = snapshot.catalog
    if snapshot.head.index:
        names.add(paths.index(repository.user_id, snapshot.head.index))
    names |= {paths.index(repository.user_id, digest) for digest in (*index.live, *index.cold)}
    names |= {paths.tree(repository.user_id, digest) for digest in index.tree_objects()}
    packs = (*snapshot.packs, *repository.loader.segments(index.cold))
    return names | {paths.pack(repository.user_id, pack.digest) for pack in packs}


def _is_behind(repository: Repository) -> bool:
    """Whether a commit lies above HEAD's."""
    head = repository.read_head()
    return any(seq > (head.seq if head else 0) for seq, _ in repository.commits())


def _unnamed(repository: Repository, keep: set[str], folders: Sequence[str]) -> list[BlobStat]:
    blobs = repository.blobs
    prefixes = [f"{paths.user(repository.user_id)}{folder}/" for folder in folders]
    return [stat for prefix in prefixes for stat in blobs.list(prefix) if stat.name not in keep]
