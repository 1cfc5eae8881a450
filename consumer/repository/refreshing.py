"""
A folder of an earlier run made into a newer snapshot: what still is what was recorded stays, all else is written anew.

Agents worked in that folder, so nothing in it is believed but this: a file whose stat (size, times, inode, mode) is
the one it had when its content was hashed has that content, since no user but root can turn back a change time. A
file of any other stat, with a second link, with attributes or in no record is removed, and so are links, sockets and
devices.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from consumer.errors import SnapshotRefused
from consumer.ports import Guard
from consumer.repository import folders
from consumer.repository.hydrating import GUARD_EVERY, Fetcher, Writer, fill
from consumer.repository.loading import Snapshot
from consumer.repository.persisting import pieces
from consumer.repository.scan import StatCache, change_time, settled, stat_key
from consumer.snapshot import snapshot
from consumer.snapshot.snapshot import FOLDER, Entry, SnapshotLimits
from contract.canonical import sha256_hex

#: Permissions with set-user-id, set-group-id and sticky, which no snapshot holds.
_MODE = 0o7777


@dataclass(frozen=True, slots=True)
class Refreshed:
    """``stats`` of the folder as it is now; how many files had to be written (whole or some blocks) and removed."""

    stats: StatCache
    written: int
    removed: int


def refresh(
    kept: Snapshot, found: Snapshot, root: Path, fetcher: Fetcher, guard: Guard, *, limits: SnapshotLimits, rehash: bool
) -> Refreshed:
    """Make ``root``, of which ``kept.stats`` speaks, the snapshot ``found``. ``rehash`` reads every file that stays.

    Raises:
        SnapshotRefused: an entry is unsafe (nothing was touched).
        SnapshotIncomplete: something is missing or wrong; what is there now is no workspace.
        OSError: the folder cannot be worked on; as above.
    """
    entries = found.tree.entries
    new = [entry for path, entry in entries.items() if kept.tree.entries.get(path) != entry]
    if fault := snapshot.fault(entries, limits, new):
        raise SnapshotRefused(f"commit {found.head.seq} of {fetcher.objects.user_id}: {fault}")
    sorter = _Sorter(str(root), kept.stats, entries, rehash, guard)
    sorter.walk()
    writer = sorter.writer
    for path in sorted(entries.keys() - sorter.standing):
        writer.create(entries[path])
    fill(writer, found, fetcher, guard)
    return Refreshed(settled({**sorter.stats, **writer.stats}, change_time(root)), len(writer.stats), sorter.removed)


@dataclass(slots=True)
class _Sorter:
    """Walks the folder once. What may stay is in ``standing``; all else is gone when ``walk`` returns."""

    root: str
    known: StatCache
    entries: Mapping[str, Entry]
    rehash: bool
    guard: Guard
    writer: Writer = field(init=False)
    stats: StatCache = field(default_factory=dict)
    standing: set[str] = field(default_factory=set)
    removed: int = 0
    _seen: int = 0
    #: What a cold hydrate creates is ours: an agent's user must not own a page that it may only read.
    _owner: tuple[int, int] = field(default_factory=lambda: (os.geteuid(), os.getegid()))

    def __post_init__(self) -> None:
        self.writer = Writer(self.root)

    def walk(self) -> None:
        """Raises OSError, the guard's."""
        self._own("", os.lstat(self.root))
        self._strip(self.root)
        pending = [self.root]
        skip = len(self.root) + 1
        while pending:
            with os.scandir(pending.pop()) as listing:
                items = list(listing)
            for item in items:
                self._check()
                status = item.stat(follow_symlinks=False)
                path = item.path[skip:]
                if not self._stays(path, status):
                    folders.remove(Path(item.path))
                    self.removed += 1
                    continue
                self.standing.add(path)
                if stat.S_ISDIR(status.st_mode):
                    pending.append(item.path)

    def _check(self) -> None:
        if self._seen % GUARD_EVERY == 0:
            self.guard.check()
        self._seen += 1

    def _stays(self, path: str, status: os.stat_result) -> bool:
        entry = self.entries.get(path)
        if entry is None:
            return False
        if stat.S_ISDIR(status.st_mode):
            return entry.size == FOLDER and self._folder(entry, status)
        return stat.S_ISREG(status.st_mode) and self._file(entry, status)

    def _folder(self, entry: Entry, status: os.stat_result) -> bool:
        mode = self._own(entry.path, status).st_mode & _MODE
        self._strip(f"{self.root}/{entry.path}")
        closed = mode & 0o700 != 0o700
        if closed:
            Path(self.root, entry.path).chmod(0o700)
        if closed or mode != entry.mode:
            self.writer.settle_folder(entry)
        return True

    def _file(self, entry: Entry, status: os.stat_result) -> bool:
        old = self._recorded(entry.path, status)
        if old is None:
            return False
        same = (old.size, old.digest) == (entry.size, entry.digest)
        if not same and not (old.blocks and entry.blocks):
            return False
        status = self._own(entry.path, status)
        if not same:
            self.writer.patch(entry, old)
            return True
        if status.st_mode & _MODE != entry.mode:
            path = Path(self.root, entry.path)
            path.chmod(entry.mode)
            status = path.lstat()
        self.stats[entry.path] = (stat_key(status), entry)
        return True

    def _recorded(self, path: str, status: os.stat_result) -> Entry | None:
        """What this file was hashed as, if it still is that file."""
        key, old = self.known.get(path, (None, None))
        if old is None or key != stat_key(status) or status.st_nlink != 1 or status.st_mode & _MODE != old.mode:
            return None
        if folders.lent(f"{self.root}/{path}"):
            return None
        if self.rehash and not self._reads_as(old):
            return None
        return old

    def _reads_as(self, old: Entry) -> bool:
        handle = os.open(f"{self.root}/{old.path}", os.O_RDONLY | os.O_NOFOLLOW)
        try:
            digests = [sha256_hex(piece) for piece in pieces(handle, old.size)]
        finally:
            os.close(handle)
        return digests == list(old.contents)

    def _strip(self, folder: str) -> None:
        """An access list would let its former owner write here still, and into all that is made below."""
        for name in folders.lent(folder):
            os.removexattr(folder, name, follow_symlinks=False)

    def _own(self, path: str, status: os.stat_result) -> os.stat_result:
        if (status.st_uid, status.st_gid) == self._owner:
            return status
        where = f"{self.root}/{path}"
        os.chown(where, *self._owner, follow_symlinks=False)
        return os.lstat(where)
