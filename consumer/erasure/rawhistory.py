"""The raw records of a user's whole history, and which of them a query matches. Reads only.

HEAD keeps every raw export of the commits that it grew from. What an earlier restore left behind is in older trees
alone: a purge that looked into HEAD only would leave it there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from consumer import layout
from consumer.erasure import matching as erasure
from consumer.erasure import purge_history
from consumer.erasure.selecting import Matched, Matching, Selection
from consumer.ports import Guard
from consumer.repository import hydrating
from consumer.repository.loading import Snapshot
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Pack
from consumer.snapshot.snapshot import Entry, SnapshotLimits, Tree

#: Lines between two questions to the guard.
GUARD_EVERY: Final = 1000


def is_raw(path: str) -> bool:
    """Whether this file of a workspace holds raw lines, one record or the id of one in each."""
    return path.startswith(f"{layout.EXPORTS}/") and path.endswith(".jsonl")


@dataclass(frozen=True, slots=True)
class RawHistory:
    """What there is to purge from: HEAD's snapshot, the entries of all trees, and the packs that hold their contents.

    ``lost``: entries with a content that is in no readable pack. Empty unless damaged packs are to be dropped.
    """

    found: Snapshot
    entries: frozenset[Entry]
    packs: tuple[Pack, ...]
    lost: frozenset[Entry] = frozenset()

    @property
    def kept(self) -> frozenset[Entry]:
        """The entries that can be read."""
        return self.entries - self.lost

    def showing(self, tree: Tree) -> Snapshot:
        """A snapshot of this tree, whose contents are looked for in all readable packs."""
        unpacked = replace(self.found.catalog, packs=())
        return replace(self.found, tree=tree, catalog=unpacked, segments=self.packs, located=None)


def history(
    store: WorkspaceStore, user_id: str, found: Snapshot, guard: Guard, *, drop_unreadable: bool = False
) -> RawHistory:
    """The whole history behind a snapshot. Raises SnapshotIncomplete (trees or directories), BlobUnavailable."""
    loader = store.loader(user_id)
    entries = frozenset(purge_history.entries(loader, found.catalog))
    packs = (*loader.segments(found.catalog.cold), *found.packs)
    if not drop_unreadable:
        return RawHistory(found, entries, packs)
    damaged = purge_history.unreadable(store.objects(user_id), packs, guard)
    packs = tuple(pack for pack in packs if pack.digest not in damaged)
    there = catalog.places(packs).keys()
    lost = frozenset(entry for entry in entries if entry.size > 0 and not catalog.keys([entry]) <= there)
    return RawHistory(found, entries, packs, lost)


def resolve(
    store: WorkspaceStore, user_id: str, query: Selection, guard: Guard, *, drop_unreadable: bool = False
) -> Matched:
    """What a query matches now, in HEAD and in the history behind it.

    ``drop_unreadable``: pass over what lies in damaged packs, as a purge with it does.

    Raises SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable.
    """
    found = store.load(user_id)
    if found.commit is None:
        return Matched()
    with tempfile.TemporaryDirectory(prefix="cloop-preview-") as folder:
        past = history(store, user_id, found, guard, drop_unreadable=drop_unreadable)
        files = write(store, user_id, past, past.kept, root=Path(folder) / "raw", guard=guard)
        return match(query, list(files.values()), found, guard)


def match(query: Selection, files: Iterable[Path], found: Snapshot, guard: Guard) -> Matched:
    """What a query matches in these raw files of a snapshot's history."""
    matching, several = Matching(query), list(files)
    if matching.asks_contacts:
        for record, _ in records(several, guard):
            matching.learn(record)
    for record, _ in records(several, guard):
        matching.look(record)
    return matching.matched(found.head.seq, found.head.commit or "")


def records(files: Iterable[Path], guard: Guard) -> Iterator[tuple[dict[str, Any], Path]]:
    """(record, its file) of every raw line that is not blank."""
    number = 0
    for path in files:
        with path.open("rb") as lines:
            for line in lines:
                number += 1
                if number % GUARD_EVERY == 0:
                    guard.check()
                record = erasure.record_of(line)
                if record is not None:
                    yield record, path


def write(
    store: WorkspaceStore, user_id: str, past: RawHistory, entries: Iterable[Entry], *, root: Path, guard: Guard
) -> dict[str, Path]:
    """Every raw file among these entries, each content once, into a fresh folder: digest -> where it is.

    Raises SnapshotIncomplete, BlobUnavailable.
    """
    raw = {entry.digest: entry for entry in entries if is_raw(entry.path) and entry.size > 0}
    named = {
        f"{number}.jsonl": Entry(f"{number}.jsonl", 0o600, entry.size, digest, "", entry.blocks)
        for number, (digest, entry) in enumerate(sorted(raw.items()))
    }
    hydrating.write(past.showing(Tree(named)), root, store.fetcher(user_id), SnapshotLimits(), guard)
    return {entry.digest: root / name for name, entry in named.items()}
