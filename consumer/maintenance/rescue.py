"""
Write a new HEAD where the object is lost, damaged, or empty although a history exists.

Commits are signed and name their parents, so the history is provable without HEAD. HEAD alone knew the last commit and
its catalog. An operator chooses the commit among those that prove themselves; the Merkle root that the chosen commit
signed proves the catalog. The new HEAD is frozen until ``repair`` has verified it. A crash before the write changes
nothing, one after it leaves a frozen HEAD; the same call resumes.
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
from consumer.repository.workspace import Repository
from consumer.snapshot import catalog
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import Head

#: Frozen reason until repair has read everything, in the form that ``Head.broken`` parses.
UNPROVEN: Final = "head-coherent broken, first at HEAD, which was made again and is not verified yet"


class CannotChoose(ValueError):
    """The chosen commit cannot become HEAD's; the message says why."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A commit whose chain is proven back to the first. ``last``: no other proven commit continues it."""

    digest: str
    commit: Commit
    last: bool


def fault(repository: Repository) -> str | None:
    """The fault of HEAD itself; None: it names a commit, or there is no commit to name, because nothing was committed
    or everything was erased. Raises BlobUnavailable.
    """
    try:
        head = repository.read_head()
    except SnapshotIncomplete as exc:
        return str(exc)
    if head is not None and (head.commit is not None or head.erased):
        return None
    last = max((seq for seq, _ in repository.commits()), default=0)
    state = "does not exist" if head is None else "names no commit"
    return f"{paths.head(repository.user_id)} {state}, but commits up to {last} exist" if last else None


def candidates(repository: Repository, guard: Guard) -> list[Candidate]:
    """Every commit whose chain is proven, the latest first; of equal numbers, the one with the later lock epoch.

    Raises BlobUnavailable, and whatever the guard raises.
    """
    commits = _proven(repository, guard)
    continued = {commit.parent for commit in commits.values()}
    proven = [Candidate(digest, commit, digest not in continued) for digest, commit in commits.items()]
    return sorted(proven, key=lambda item: (item.commit.seq, item.commit.epoch, item.digest), reverse=True)


def chosen(proven: list[Candidate], prefix: str, erased_at: datetime | None = None) -> Candidate:
    """The one commit whose digest starts with ``prefix``. ``erased_at``: when everything was erased last.

    Raises CannotChoose: no commit or several match; or a purge or an erasure came later, and what it erased would
    return.
    """
    matches = [candidate for candidate in proven if candidate.digest.startswith(prefix)]
    if not proven:
        raise CannotChoose("no commit can be proven; check that the key ring has the public keys of all signers")
    if len(matches) != 1:
        raise CannotChoose(f"{prefix!r} must match one proven commit, but matches {len(matches)}")
    match = matches[0]
    later = [
        candidate.commit.seq
        for candidate in proven
        if candidate.commit.job_type == "purge" and candidate.commit.seq > match.commit.seq
    ]
    if later:
        raise CannotChoose(
            f"commit {min(later)} is a purge: with an older HEAD, the next export would bring its records back"
        )
    if erased_at is not None and datetime.fromisoformat(match.commit.created_at) <= erased_at:
        raise CannotChoose(
            f"everything was erased at {erased_at:%Y-%m-%dT%H:%M:%SZ}, after commit {match.commit.seq}: "
            "finish the erasure with `cloop-memory workspace purge --everything`"
        )
    return match


def write(repository: Repository, candidate: Candidate, hold: Hold) -> Head:
    """Replace the current HEAD object by a frozen HEAD with this commit. Needs the user's lock.

    Raises HeadMoved: HEAD names a commit by now, or was written meanwhile. SnapshotIncomplete: no remaining object has
    the tree of this commit. BlobUnavailable: the outcome is unknown; call it again. LockLost.
    """
    name, blobs = paths.head(repository.user_id), repository.blobs
    try:
        generation = blobs.read(name).stat.generation
    except BlobNotFound:
        generation = 0
    if fault(repository) is None:
        raise HeadMoved(f"{name} already names a commit again")
    commit = candidate.commit
    bare = Head(commit.seq, candidate.digest, None, hold.epoch, commit.job_id, commit.attempt, UNPROVEN)
    index = _catalog(repository, bare, commit) or _rebuilt(repository, bare, hold)
    head = Head(bare.seq, bare.commit, index, bare.epoch, bare.job_id, bare.attempt, UNPROVEN)
    hold.check()
    try:
        stat = blobs.write(name, head.encode(), if_generation=generation, content_type="application/json")
    except PreconditionFailed as exc:
        raise HeadMoved(f"{name} was written by somebody else meanwhile") from exc
    return head.at(stat.generation)


def left_out(proven: list[Candidate], candidate: Candidate) -> list[Candidate]:
    """Commits outside the history that ends with this candidate; oldest first.

    gc deletes them a day later, once HEAD's number is no longer below theirs.
    """
    by_digest = {item.digest: item for item in proven}
    inside, digest = set(), candidate.digest
    while digest in by_digest:
        inside.add(digest)
        digest = by_digest[digest].commit.parent or ""
    return [item for item in reversed(proven) if item.digest not in inside]


def newest_epoch(proven: list[Candidate]) -> int:
    """The highest lock epoch in these commits, 0 without any."""
    return max((candidate.commit.epoch for candidate in proven), default=0)


# --- reading the bucket


def _proven(repository: Repository, guard: Guard) -> Mapping[str, Commit]:
    """Proven commits by digest, parents first: signed, with the digest of their name, and continuing a proven one."""
    proven: dict[str, Commit] = {}
    loader = repository.loader
    for seq, digest in sorted(repository.commits()):
        guard.check()
        try:
            commit = loader.commit(seq, digest)
        except (SnapshotIncomplete, WorkspaceFrozen):
            continue
        parent = proven.get(commit.parent or "")
        if commit.parent is None or (parent is not None and parent.seq == seq - 1):
            proven[digest] = commit
    return proven


def _catalog(repository: Repository, head: Head, commit: Commit) -> str | None:
    """The newest catalog in the bucket with the tree that this commit signed."""
    loader, prefix = repository.loader, paths.index(repository.user_id, "")
    for stat in sorted(repository.blobs.list(prefix), key=lambda stat: stat.updated, reverse=True):
        digest = stat.name.removeprefix(prefix)
        try:
            index = catalog.load_catalog(repository.objects.get(stat.name, digest))
            if index.seq == head.seq and loader.tree(index, head.seq).merkle_root() == commit.merkle_root:
                loader.segments((*index.live, *index.cold))
                return digest
        except (SnapshotIncomplete, ValueError, LookupError):
            continue
    return None


def _rebuilt(repository: Repository, head: Head, hold: Hold) -> str:
    rebuild = Rebuild(repository, hold)
    try:
        rebuilt = rebuild.catalog(head)
    except CannotRebuild as exc:
        raise SnapshotIncomplete(f"{exc}; choose an older commit") from exc
    root = catalog.store_catalog(rebuilt)
    for item in (*rebuild.objects, root):
        repository.objects.add(item)
    return root.digest
