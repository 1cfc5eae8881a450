"""Reads users' workspaces for the console: commits, and the files of one commit. Writes nothing."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from consumer.repository.history import History, PathChange
from consumer.repository.reading import Reader
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot.chain import Commit
from consumer.snapshot.snapshot import FOLDER

#: Commits on a user's page, and paths in a list.
COMMITS: Final = 50
PATHS: Final = 500
#: Snapshots kept: enough for a report and the evidence it cites.
KEPT: Final = 4
#: The largest file that is shown, in bytes; every page is smaller.
MAX_SHOWN: Final = 2 * 1024 * 1024


class TooLarge(ValueError):
    """A file too large for the console; the message says how to read it."""


@dataclass
class Library:
    """One store behind one lock: the store serves one user at a time, but requests come concurrently."""

    store: WorkspaceStore
    _lock: threading.Lock = field(default_factory=threading.Lock)
    #: (user, HEAD's commit and index, seq) -> reader; a purge changes the index, so nothing erased is served.
    _readers: OrderedDict[tuple[object, ...], Reader] = field(default_factory=OrderedDict)

    def commits(self, user_id: str) -> list[tuple[str, Commit]]:
        """(digest, commit), newest first. Raises SnapshotIncomplete, WorkspaceFrozen, BlobUnavailable."""
        with self._lock:
            return list(islice(History(self.store.of(user_id)).log(COMMITS), COMMITS))

    def changes(self, user_id: str, seq: int) -> list[PathChange]:
        """Files that commit ``seq`` added, changed or removed. Raises NoSuchCommit and as ``commits``."""
        with self._lock:
            entries = History(self.store.of(user_id)).changes(seq - 1, seq)
        return [change for change in entries if (change.new or change.old or _NONE).size != FOLDER]

    def reports(self, user_id: str) -> list[str]:
        """Reports of HEAD, newest period first. Raises NoSuchCommit and as ``commits``."""
        with self._lock:
            paths = list(self._reader(user_id, None).tree.entries)
        reports = [path for path in paths if path.startswith("brain/reports/") and path.endswith(".md")]
        return sorted(reports, key=lambda path: path.rpartition("/")[2], reverse=True)[:COMMITS]

    def read(self, user_id: str, path: str, seq: int | None) -> tuple[int, bytes]:
        """(the commit's number, one file of it; HEAD's by default).

        Raises KeyError, IsADirectoryError, NoSuchCommit, TooLarge and as ``commits``.
        """
        with self._lock:
            reader = self._reader(user_id, seq)
            if reader.entry(path).size > MAX_SHOWN:
                raise TooLarge(f"It has more than {MAX_SHOWN} bytes; read it with `cloop-memory workspace cat`")
            return reader.seq, reader.read(path)

    def _reader(self, user_id: str, seq: int | None) -> Reader:
        repository = self.store.of(user_id)
        head = repository.read_head()
        key = (user_id, head and head.commit, head and head.index, seq)
        if key in self._readers:
            self._readers.move_to_end(key)
            return self._readers[key]
        reader = self._readers[key] = History(repository).reader(seq)
        while len(self._readers) > KEPT:
            self._readers.popitem(last=False)
        return reader


@dataclass(frozen=True, slots=True)
class _Nothing:
    size: int = 0


_NONE: Final = _Nothing()
