"""Read the raw records of a user's whole history, and find those that a query matches.

HEAD keeps every raw export of the commits that it is based on. Exports that an earlier restore dropped are in older
trees only, so a purge must look there too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from consumer import layout
from consumer.erasure import matching as erasure
from consumer.erasure import purge_history
from consumer.erasure.selecting import Matched, Matching, Selection
from consumer.guarding import guarded
from consumer.ports import Guard
from consumer.repository import hydrating
from consumer.repository.loading import Snapshot
from consumer.repository.workspace import Repository
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Pack
from consumer.snapshot.snapshot import Entry, SnapshotLimits, Tree


def is_raw(path: str) -> bool:
    """Whether this workspace file holds raw lines, each with a record or the id of one."""
    return path.startswith(f"{layout.EXPORTS}/") and path.endswith(".jsonl")


@dataclass(frozen=True, slots=True)
class RawHistory:
    """What a purge works on: HEAD's snapshot, the entries of all trees, and the packs with their contents.

    ``unreadable``: entries with a content that is in no readable pack; empty unless damaged packs are to be dropped.
    """

    snapshot: Snapshot
    entries: frozenset[Entry]
    packs: tuple[Pack, ...]
    unreadable: frozenset[Entry] = frozenset()

    @property
    def readable(self) -> frozenset[Entry]:
        """The entries that can be read."""
        return self.entries - self.unreadable

    def showing(self, tree: Tree) -> Snapshot:
        """A snapshot of this tree that finds its contents in all readable packs."""
        unpacked = replace(self.snapshot.catalog, packs=())
        return replace(self.snapshot, tree=tree, catalog=unpacked, segments=self.packs, located=None)


def history(repository: Repository, snapshot: Snapshot, guard: Guard, *, drop_unreadable: bool) -> RawHistory:
    """The whole history behind a snapshot. Raises SnapshotIncomplete (trees or directories), BlobUnavailable."""
    loader = repository.loader
    entries = frozenset(purge_history.entries(loader, snapshot.catalog))
    packs = (*loader.segments(snapshot.catalog.cold), *snapshot.packs)
    if not drop_unreadable:
        return RawHistory(snapshot, entries, packs)
    damaged = purge_history.unreadable(repository.objects, packs, guard)
    packs = tuple(pack for pack in packs if pack.digest not in damaged)
    packed = catalog.places(packs).keys()
    unreadable = frozenset(entry for entry in entries if entry.size > 0 and not catalog.keys([entry]) <= packed)
    return RawHistory(snapshot, entries, packs, unreadable)


def resolve(repository: Repository, query: Selection, guard: Guard, *, drop_unreadable: bool) -> Matched:
    """The records that a query matches now, in HEAD and in its history.

    ``drop_unreadable``: skip what is in damaged packs, as a purge with this option does.

    Raises SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable.
    """
    snapshot = repository.load()
    if snapshot.commit is None:
        return Matched()
    with tempfile.TemporaryDirectory(prefix="cloop-preview-") as folder:
        past = history(repository, snapshot, guard, drop_unreadable=drop_unreadable)
        files = write(repository, past, past.readable, root=Path(folder) / "raw", guard=guard)
        return match(query, list(files.values()), snapshot, guard)


def match(query: Selection, files: Iterable[Path], snapshot: Snapshot, guard: Guard) -> Matched:
    """The records that a query matches in these raw files of a snapshot's history."""
    matching, raw_files = Matching(query), list(files)
    if matching.needs_contacts:
        for record, _ in records(raw_files, guard):
            matching.learn(record)
    for record, _ in records(raw_files, guard):
        matching.look(record)
    return matching.matched(snapshot.head.seq, snapshot.head.commit or "")


def records(files: Iterable[Path], guard: Guard) -> Iterator[tuple[dict[str, Any], Path]]:
    """(record, its file) of every raw line that is not blank."""
    for path in files:
        with path.open("rb") as lines:
            for line in guarded(lines, guard):
                record = erasure.record_of(line)
                if record is not None:
                    yield record, path


def write(
    repository: Repository, past: RawHistory, entries: Iterable[Entry], *, root: Path, guard: Guard
) -> dict[str, Path]:
    """Write every raw file among these entries, each content once, into a new folder: digest -> path.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    raw = {entry.digest: entry for entry in entries if is_raw(entry.path) and entry.size > 0}
    named = {
        f"{number}.jsonl": Entry(f"{number}.jsonl", 0o600, entry.size, digest, "", entry.blocks)
        for number, (digest, entry) in enumerate(sorted(raw.items()))
    }
    hydrating.write(past.showing(Tree(named)), root, repository.fetcher, SnapshotLimits(), guard)
    return {entry.digest: root / name for name, entry in named.items()}
