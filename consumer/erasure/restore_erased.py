"""Restore a commit that a purge took entries from.

The folder is rebuilt from the entries that the purge left, the raw exports of the jobs up to that commit (with blank
lines for purged records), and the pages rendered from these records. Everything is read and checked while it is built,
so nothing is committed before it is complete. The rest of what the purge took (reports that rested on purged records,
the brain, agent sessions) does not come back; the next run rebuilds the brain.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from consumer import layout
from consumer.erasure import purge_history
from consumer.errors import SnapshotIncomplete, SnapshotRefused
from consumer.evidence import pagefiles, pages, rawfiles, search
from consumer.evidence.records import Rerender
from consumer.maintenance.restore import Compose, Composition, as_it_was, carried_over
from consumer.ports import Guard
from consumer.repository import hydrating
from consumer.repository.history import History
from consumer.repository.loading import Snapshot
from consumer.repository.persisting import UploadedFolder
from consumer.repository.workspace import Repository
from consumer.snapshot import snapshot
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import FOLDER, Entry, SnapshotLimits, Tree


def composer(repository: Repository, rerender: Rerender, guard: Guard) -> Compose:
    """For ``restore``: a commit as it was, or rebuilt where a purge took entries from it."""

    def compose(head: Snapshot, target: Snapshot) -> Composition:
        if not target.tree.erased:
            return as_it_was(head, target)
        rebuilt = rebuild(repository, head, target, rerender=rerender, guard=guard)
        return Composition({**rebuilt.entries, **carried_over(head.tree)}, tuple(rebuilt.packs))

    return compose


def rebuild(
    repository: Repository, head: Snapshot, target: Snapshot, *, rerender: Rerender, guard: Guard
) -> UploadedFolder:
    """Rebuild commit ``old`` in a temporary folder, as far as purges left it, and collect it against ``head``.

    Contents that HEAD lacks are uploaded; nothing names them yet. Repeatable.

    Raises SnapshotIncomplete (something is missing or damaged; HEAD is unchanged), SnapshotRefused, BlobUnavailable,
    and whatever the guard raises.
    """
    jobs = list(_jobs(History(repository), target.head.seq))
    if not target.tree.entries:
        raise SnapshotRefused(f"all of commit {target.head.seq} was purged; restore a later commit")
    entries = {**_raw(repository, head, set(jobs)), **target.tree.entries}
    entries = {**_parents(entries), **entries}
    cold = repository.loader.segments(head.catalog.cold)
    full = replace(target, tree=Tree(entries), segments=(*cold, *head.segments), located=None)
    with tempfile.TemporaryDirectory(prefix="cloop-restore-") as folder:
        root = Path(folder) / "workspace"
        hydrating.write(full, root, repository.fetcher, SnapshotLimits(), guard)
        rerender.again(
            root,
            repository.user_id,
            jobs,
            _zone(repository, head) or _exported_zone(root, jobs),
            guard,
        )
        if any(path.startswith(f"{layout.BRAIN}/") for path in entries):
            # A purge takes the index of the words from every commit. What the owner sees first comes with the next job.
            search.update(root, pagefiles.digests(root, guard), guard)
        collected = repository.collect(root, replace(head, stats={}), guard)
    if fault := snapshot.fault(collected.entries, repository.store.limits):
        raise SnapshotIncomplete(f"commit {target.head.seq} of {repository.user_id} cannot be rebuilt: {fault}")
    return collected


def _jobs(history: History, seq: int) -> Iterator[str]:
    """The jobs whose raw exports commit ``seq`` is based on, in their order. A restore has those of the commit that it
    restored, and not those in between.
    """
    chain: dict[int, Commit] = {commit.seq: commit for _, commit in history.log()}
    job_ids: list[str] = []
    while seq:
        commit = chain[seq]
        job_ids.append(commit.job_id)
        seq = commit.restores or seq - 1
    yield from reversed(job_ids)


def _raw(repository: Repository, head: Snapshot, jobs: set[str]) -> dict[str, Entry]:
    """These jobs' raw exports from any tree that still has them; HEAD's version where there is one.

    Every version in a tree is clean: a purge erases files with purged lines from all trees and leaves blanked ones.
    """
    history = {entry.path: entry for entry in purge_history.entries(repository.loader, head.catalog)}
    return {
        path: entry
        for path, entry in {**history, **head.tree.entries}.items()
        if path.startswith(f"{layout.EXPORTS}/") and jobs.intersection(path.split("/")[2:])
    }


def _parents(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """Entries for the parent folders of these entries."""
    names = {"/".join(path.split("/")[:depth]) for path in entries for depth in range(1, path.count("/") + 1)}
    return {name: Entry(name, 0o755, FOLDER, "", "") for name in names}


def _zone(repository: Repository, head: Snapshot) -> str:
    """The time zone of HEAD's evidence pages; "" if no page has one."""
    paths = sorted(path for path, entry in head.tree.entries.items() if _is_evidence(path, entry))
    reader = repository.reader()
    for path in paths[:1]:
        try:
            front, _ = pages.split_front_matter(reader.read(path).decode())
        except ValueError:
            return ""
        return str(front.get("timezone", ""))
    return ""


def _exported_zone(root: Path, jobs: Sequence[str]) -> str:
    """The time zone for which the newest of these jobs exported; "" if no manifest says it."""
    for job_id in reversed(jobs):
        for manifest in (root / layout.EXPORTS).glob(f"*/{job_id}/{rawfiles.MANIFEST}"):
            document = orjson.loads(manifest.read_bytes())
            if zone := document.get("timezone"):
                return str(zone)
    return ""


def _is_evidence(path: str, entry: Entry) -> bool:
    return path.startswith(f"{layout.EVIDENCE}/") and path.endswith(".md") and entry.size != FOLDER
