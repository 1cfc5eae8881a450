"""
HEAD made again, where the object itself is lost, damaged, or empty over a history that is there.

Commits are signed and name their parents, so the history stands without HEAD; what HEAD alone knew is which commit was
the last, and where its catalog lies. The first is an operator's choice among the commits that prove themselves, the
second is proven by the Merkle root that the chosen commit signed. What is written is frozen until ``repair`` has
verified it. A crash before the write leaves everything as it was, one after it a HEAD that is frozen; the same call
goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from consumer import paths
from consumer.errors import BlobNotFound, HeadMoved, PreconditionFailed, SnapshotIncomplete, WorkspaceFrozen
from consumer.locking.exclusive import Hold
from consumer.maintenance.rebuild import CannotRebuild, Rebuild
from consumer.ports import Guard
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import Head

#: Until repair has read everything; of the form that Head.broken tells.
UNPROVEN: Final = "head-coherent broken, first at HEAD, which was made again and is not verified yet"


class CannotChoose(ValueError):
    """That commit cannot be HEAD's; the message says why."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A commit that proves itself back to the first. ``last``: no other one continues it."""

    digest: str
    commit: Commit
    last: bool


def fault(store: WorkspaceStore, user_id: str) -> str | None:
    """What is wrong with HEAD itself; None: it names a commit, or there is none to name: nothing was ever committed, or
    all was erased. Raises BlobUnavailable.
    """
    try:
        head = store.read_head(user_id)
    except SnapshotIncomplete as exc:
        return str(exc)
    if head is not None and (head.commit is not None or head.erased):
        return None
    last = max((seq for seq, _ in store.commits(user_id)), default=0)
    state = "is not there" if head is None else "names no commit"
    return f"{paths.head(user_id)} {state}, and commits up to {last} are" if last else None


def candidates(store: WorkspaceStore, user_id: str, guard: Guard) -> list[Candidate]:
    """Every commit whose chain proves itself, the latest first; of equals the one of the later holder of the lock.

    Raises BlobUnavailable, the guard's.
    """
    found = _proven(store, user_id, guard)
    continued = {commit.parent for commit in found.values()}
    every = [Candidate(digest, commit, digest not in continued) for digest, commit in found.items()]
    return sorted(every, key=lambda one: (one.commit.seq, one.commit.epoch, one.digest), reverse=True)


def chosen(known: list[Candidate], prefix: str, erased_at: datetime | None = None) -> Candidate:
    """The one commit whose digest begins like this. ``erased_at``: when everything was erased last.

    Raises:
        CannotChoose: none does, or several; or a purge or an erasure came after it, and what it erased would come back.
    """
    found = [one for one in known if one.digest.startswith(prefix)]
    if not known:
        raise CannotChoose("no commit proves itself; are the public keys of all its signers in the key ring?")
    if len(found) != 1:
        raise CannotChoose(f"{len(found)} of the commits that prove themselves begin with {prefix!r}")
    later = [one.commit.seq for one in known if one.commit.job_type == "purge" and one.commit.seq > found[0].commit.seq]
    if later:
        raise CannotChoose(f"commit {min(later)} is a purge: with an older HEAD what it erased would be fetched again")
    if erased_at is not None and datetime.fromisoformat(found[0].commit.created_at) <= erased_at:
        raise CannotChoose(
            f"commit {found[0].commit.seq} is older than {erased_at:%Y-%m-%dT%H:%M:%SZ}, when everything was erased: "
            "finish that with `cloop-memory workspace purge --everything`"
        )
    return found[0]


def write(store: WorkspaceStore, user_id: str, candidate: Candidate, hold: Hold) -> Head:
    """Point HEAD at this commit, over exactly what is there, frozen. Needs the user's lock.

    Raises:
        HeadMoved: HEAD is sound by now, or was written meanwhile.
        SnapshotIncomplete: the tree of this commit is in no object that is left.
        BlobUnavailable: unknown; the same call again finds out. LockLost.
    """
    name, blobs = paths.head(user_id), store.blobs(user_id)
    try:
        generation = blobs.read(name).stat.generation
    except BlobNotFound:
        generation = 0
    if fault(store, user_id) is None:
        raise HeadMoved(f"{name} names a commit by now")
    commit = candidate.commit
    bare = Head(commit.seq, candidate.digest, None, hold.epoch, commit.job_id, commit.attempt, UNPROVEN)
    index = _catalog(store, user_id, bare, commit) or _rebuilt(store, user_id, bare, hold)
    head = Head(bare.seq, bare.commit, index, bare.epoch, bare.job_id, bare.attempt, UNPROVEN)
    hold.check()
    try:
        stat = blobs.write(name, head.encode(), if_generation=generation, content_type="application/json")
    except PreconditionFailed as exc:
        raise HeadMoved(f"{name} was written meanwhile") from exc
    return head.at(stat.generation)


def left_out(known: list[Candidate], candidate: Candidate) -> list[Candidate]:
    """Commits that are no part of the history which ends with this one; oldest first.

    gc deletes them a day later, once HEAD is not below them any more.
    """
    by_digest = {one.digest: one for one in known}
    inside, digest = set(), candidate.digest
    while digest in by_digest:
        inside.add(digest)
        digest = by_digest[digest].commit.parent or ""
    return [one for one in reversed(known) if one.digest not in inside]


def newest_epoch(known: list[Candidate]) -> int:
    """No holder of the lock that committed had a higher one."""
    return max((one.commit.epoch for one in known), default=0)


# --- what is there


def _proven(store: WorkspaceStore, user_id: str, guard: Guard) -> Mapping[str, Commit]:
    """By digest, each one's parents before it: signed, as named, and continuing one that is proven."""
    found: dict[str, Commit] = {}
    loader = store.loader(user_id)
    for seq, digest in sorted(store.commits(user_id)):
        guard.check()
        try:
            commit = loader.commit(seq, digest)
        except (SnapshotIncomplete, WorkspaceFrozen):
            continue
        parent = found.get(commit.parent or "")
        if commit.parent is None or (parent is not None and parent.seq == seq - 1):
            found[digest] = commit
    return found


def _catalog(store: WorkspaceStore, user_id: str, head: Head, commit: Commit) -> str | None:
    """The newest catalog in the bucket that holds the tree which this commit signed."""
    loader, prefix = store.loader(user_id), paths.index(user_id, "")
    for stat in sorted(store.blobs(user_id).list(prefix), key=lambda stat: stat.updated, reverse=True):
        digest = stat.name.removeprefix(prefix)
        try:
            index = catalog.load_catalog(store.objects(user_id).get(stat.name, digest))
            if index.seq == head.seq and loader.tree(index, head.seq).merkle_root() == commit.merkle_root:
                loader.segments((*index.live, *index.cold))
                return digest
        except (SnapshotIncomplete, ValueError, LookupError):
            continue
    return None


def _rebuilt(store: WorkspaceStore, user_id: str, head: Head, hold: Hold) -> str:
    rebuild = Rebuild(store, user_id, hold)
    try:
        found = rebuild.catalog(head)
    except CannotRebuild as exc:
        raise SnapshotIncomplete(f"{exc}; choose an older commit") from exc
    root = catalog.store_catalog(found)
    for item in (*rebuild.objects, root):
        store.objects(user_id).put(f"{paths.user(user_id)}{item.folder}/{item.digest}", item.data)
    return root.digest
