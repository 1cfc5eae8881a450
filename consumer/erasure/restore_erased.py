"""What a commit is restored as after a purge took entries from it.

The folder is made of the entries that the purge left, the raw exports of the jobs up to that commit (with blank lines
where records were purged), and what these records render to. Everything is read and checked while it is made,
so nothing is written before it is whole. What the purge took besides (reports that rested on purged records, the
brain, sessions of agents) does not come back: the next run makes the brain anew.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from consumer import layout
from consumer.erasure import purge_history
from consumer.errors import SnapshotIncomplete, SnapshotRefused
from consumer.evidence import pages
from consumer.evidence.records import Rerender
from consumer.maintenance.restore import Compose, Composition, as_it_was, carried_over
from consumer.ports import Guard
from consumer.repository import hydrating
from consumer.repository.history import History
from consumer.repository.loading import Snapshot
from consumer.repository.persisting import UploadedFolder
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import snapshot
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import FOLDER, Entry, SnapshotLimits, Tree


def composer(store: WorkspaceStore, user_id: str, rerender: Rerender, guard: Guard) -> Compose:
    """For ``restore``: a commit as it was, or, where a purge took entries from it, as it is made again."""

    def compose(head: Snapshot, target: Snapshot) -> Composition:
        if not target.tree.erased:
            return as_it_was(head, target)
        made = made_again(store, user_id, head, target, rerender=rerender, guard=guard)
        return Composition({**made.entries, **carried_over(head.tree)}, tuple(made.packs))

    return compose


def made_again(
    store: WorkspaceStore, user_id: str, head: Snapshot, old: Snapshot, *, rerender: Rerender, guard: Guard
) -> UploadedFolder:
    """Make commit ``old`` in a temporary folder as far as purges left it, and collect it against ``head``.

    Contents that HEAD does not have are uploaded; nothing names them yet. Repeatable.

    Raises SnapshotIncomplete (something is missing or wrong; HEAD is as it was), SnapshotRefused, BlobUnavailable, the
    guard's.
    """
    jobs = list(_jobs(History(store, user_id), old.head.seq))
    if not old.tree.entries:
        raise SnapshotRefused(f"all of commit {old.head.seq} was purged; restore a younger one")
    entries = {**_raw(store, user_id, head, set(jobs)), **old.tree.entries}
    entries = {**_parents(entries), **entries}
    cold = store.loader(user_id).segments(head.catalog.cold)
    whole = replace(old, tree=Tree(entries), segments=(*cold, *head.segments), located=None)
    with tempfile.TemporaryDirectory(prefix="cloop-restore-") as folder:
        root = Path(folder) / "workspace"
        hydrating.write(whole, root, store.fetcher(user_id), SnapshotLimits(), guard)
        rerender.again(root, user_id, jobs, _zone(store, user_id, head), guard)
        collected = store.collect(user_id, root, replace(head, stats={}), guard)
    if fault := snapshot.fault(collected.entries, store.limits):
        raise SnapshotIncomplete(f"commit {old.head.seq} of {user_id} cannot be made again: {fault}")
    return collected


def _jobs(history: History, seq: int) -> Iterator[str]:
    """The jobs whose raw exports commit ``seq`` stands on, in their order; a restore took those of the commit that it
    equals, and not those in between.
    """
    chain: dict[int, Commit] = {commit.seq: commit for _, commit in history.log()}
    found: list[str] = []
    while seq:
        commit = chain[seq]
        found.append(commit.job_id)
        seq = commit.restores or seq - 1
    yield from reversed(found)


def _raw(store: WorkspaceStore, user_id: str, head: Snapshot, jobs: set[str]) -> dict[str, Entry]:
    """These jobs' raw exports, from whatever tree still has them; HEAD's version where it has one.

    Every version that a tree has is clean: a purge erases the others from all of them, and leaves a blanked one.
    """
    history = {entry.path: entry for entry in purge_history.entries(store.loader(user_id), head.catalog)}
    return {
        path: entry
        for path, entry in {**history, **head.tree.entries}.items()
        if path.startswith(f"{layout.EXPORTS}/") and jobs.intersection(path.split("/")[2:])
    }


def _parents(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """The folders that these entries lie in."""
    names = {"/".join(path.split("/")[:depth]) for path in entries for depth in range(1, path.count("/") + 1)}
    return {name: Entry(name, 0o755, FOLDER, "", "") for name in names}


def _zone(store: WorkspaceStore, user_id: str, head: Snapshot) -> str:
    """The time zone that HEAD's evidence is rendered in; "": no page says it."""
    paths = sorted(path for path, entry in head.tree.entries.items() if _is_evidence(path, entry))
    reader = store.reader(user_id)
    for path in paths[:1]:
        try:
            front, _ = pages.split_front_matter(reader.read(path).decode())
        except ValueError:
            return ""
        return str(front.get("timezone", ""))
    return ""


def _is_evidence(path: str, entry: Entry) -> bool:
    return path.startswith(f"{layout.EVIDENCE}/") and path.endswith(".md") and entry.size != FOLDER
