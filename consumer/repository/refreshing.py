"""
Turn a folder of an earlier run into a newer snapshot: files that are still as recorded stay, all others are rewritten.

Agents worked in that folder, so only one thing is trusted: a file with the same stat (size, times, inode, mode) as when
it was hashed still has that content, since only root can set back a change time. A file with another stat, a second
link, attributes or no record is removed, and so are links, sockets and devices.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from consumer.errors import SnapshotRefused
from consumer.guarding import guarded
from consumer.ports import Guard
from consumer.repository import content, folders
from consumer.repository.hydrating import Fetcher, Writer, fill, writing
from consumer.repository.loading import Snapshot
from consumer.repository.scan import change_time, settled, stat_key
from consumer.snapshot import snapshot
from consumer.snapshot.snapshot import FOLDER, Entry, SnapshotLimits, StatCache

#: Permissions including set-user-id, set-group-id and sticky, which snapshots do not have.
_MODE = 0o7777


@dataclass(frozen=True, slots=True)
class Refreshed:
    """``stats`` of the refreshed folder; the numbers of files written (fully or in blocks) and removed."""

    stats: StatCache
    written: int
    removed: int


def refresh(
    previous: Snapshot,
    target: Snapshot,
    root: Path,
    fetcher: Fetcher,
    guard: Guard,
    *,
    limits: SnapshotLimits,
    rehash: bool,
) -> Refreshed:
    """Turn ``root``, recorded in ``kept.stats``, into the snapshot ``found``. ``rehash``: hash every file that stays.

    Raises SnapshotRefused: an entry is unsafe (nothing was touched). SnapshotIncomplete: an object is missing or
    damaged; the folder is not a usable workspace. OSError: the folder cannot be changed; it is not a usable workspace.
    """
    entries = target.tree.entries
    new_entries = [entry for path, entry in entries.items() if previous.tree.entries.get(path) != entry]
    if fault := snapshot.fault(entries, limits, new_entries):
        raise SnapshotRefused(f"commit {target.head.seq} of {fetcher.objects.user_id}: {fault}")
    with writing(root) as writer:
        sorter = _Sorter(str(root), previous.stats, entries, writer, rehash, guard)
        sorter.walk()
        writer.create({path: entries[path] for path in entries.keys() - sorter.standing})
        fill(writer, target, fetcher, guard)
    return Refreshed(settled({**sorter.stats, **writer.stats}, change_time(root)), len(writer.stats), sorter.removed)


@dataclass(slots=True)
class _Sorter:
    """Walks the folder once. ``standing``: paths that stay; ``walk`` removes all others."""

    root: str
    recorded_stats: StatCache
    entries: Mapping[str, Entry]
    writer: Writer
    rehash: bool
    guard: Guard
    stats: StatCache = field(default_factory=dict)
    standing: set[str] = field(default_factory=set)
    removed: int = 0
    #: As after a cold hydrate, this process owns every file: an agent's user must not own a page that it may only read.
    _owner: tuple[int, int] = field(default_factory=lambda: (os.geteuid(), os.getegid()))

    def walk(self) -> None:
        """Raises OSError, and whatever the guard raises."""
        self._take_ownership("", os.lstat(self.root))
        self._strip(self.root)
        pending = [self.root]
        skip = len(self.root) + 1
        while pending:
            with os.scandir(pending.pop()) as listing:
                items = list(listing)
            for item in guarded(items, self.guard):
                status = item.stat(follow_symlinks=False)
                path = item.path[skip:]
                if not self._stays(path, status):
                    folders.remove(Path(item.path))
                    self.removed += 1
                    continue
                self.standing.add(path)
                if stat.S_ISDIR(status.st_mode):
                    pending.append(item.path)

    def _stays(self, path: str, status: os.stat_result) -> bool:
        entry = self.entries.get(path)
        if entry is None:
            return False
        if stat.S_ISDIR(status.st_mode):
            return entry.size == FOLDER and self._folder(entry, status)
        return stat.S_ISREG(status.st_mode) and self._file(entry, status)

    def _folder(self, entry: Entry, status: os.stat_result) -> bool:
        mode = self._take_ownership(entry.path, status).st_mode & _MODE
        self._strip(f"{self.root}/{entry.path}")
        closed = mode & 0o700 != 0o700
        if closed:
            Path(self.root, entry.path).chmod(0o700)
        if closed or mode != entry.mode:
            self.writer.settle_folder(entry)
        return True

    def _file(self, entry: Entry, status: os.stat_result) -> bool:
        recorded = self._recorded(entry.path, status)
        if recorded is None:
            return False
        unchanged = (recorded.size, recorded.digest) == (entry.size, entry.digest)
        if not unchanged and not (recorded.blocks and entry.blocks):
            return False
        status = self._take_ownership(entry.path, status)
        if not unchanged:
            self.writer.patch(entry, recorded)
            return True
        if status.st_mode & _MODE != entry.mode:
            path = Path(self.root, entry.path)
            path.chmod(entry.mode)
            status = path.lstat()
        self.stats[entry.path] = (stat_key(status), entry)
        return True

    def _recorded(self, path: str, status: os.stat_result) -> Entry | None:
        """The entry that this file was recorded as, if it is unchanged since."""
        key, recorded = self.recorded_stats.get(path, (None, None))
        if recorded is None or key != stat_key(status) or status.st_nlink != 1:
            return None
        if status.st_mode & _MODE != recorded.mode or folders.foreign_attributes(f"{self.root}/{path}"):
            return None
        if self.rehash and content.read_if_same(self.root, recorded.path, recorded) != key:
            return None
        return recorded

    def _strip(self, folder: str) -> None:
        """Remove access lists, which would let a former owner still write here and in all files created below."""
        for name in folders.foreign_attributes(folder):
            os.removexattr(folder, name, follow_symlinks=False)

    def _take_ownership(self, path: str, status: os.stat_result) -> os.stat_result:
        if (status.st_uid, status.st_gid) == self._owner:
            return status
        full_path = f"{self.root}/{path}"
        os.chown(full_path, *self._owner, follow_symlinks=False)
        return os.lstat(full_path)
