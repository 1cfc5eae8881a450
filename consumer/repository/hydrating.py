"""Write a snapshot into a new private folder: threads fetch ahead, one thread checks and writes."""

from __future__ import annotations

import errno
import hashlib
import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from consumer import paths
from consumer.errors import SnapshotIncomplete, SnapshotRefused
from consumer.guarding import guarded
from consumer.layout import unnamed
from consumer.ports import Guard
from consumer.repository import packs as packing
from consumer.repository.descriptors import Opened
from consumer.repository.loading import Snapshot, contents_by_frame
from consumer.repository.objects import Objects
from consumer.repository.scan import change_time, settled, stat_key
from consumer.snapshot import snapshot
from consumer.snapshot.catalog import Pack, Place
from consumer.snapshot.snapshot import BLOCK_BYTES, FOLDER, Entry, SnapshotLimits, StatCache

T = TypeVar("T")

#: Packs fetched and frames unpacked ahead of the writer, of up to 4 MiB and 1 MiB each.
PACKS_AHEAD = 3
FRAMES_AHEAD = 4
#: If less than this share of a pack is needed, in few ranges, only those ranges are read.
RANGE_SHARE = 0.4
RANGES = 4
#: The digest of a full block of zeros.
ZERO_BLOCK = hashlib.sha256(bytes(BLOCK_BYTES)).hexdigest()

_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW

ContentsByFrame = dict[int, list[tuple[Place, str]]]


class StoredFrame(NamedTuple):
    pack: str
    stored: bytes | memoryview
    contents: list[tuple[Place, str]]


def ahead(pool: ThreadPoolExecutor, calls: Iterable[Callable[[], T]], depth: int) -> Iterator[T]:
    """The calls' results in order, with up to ``depth`` more in progress."""
    pending: deque[Future[T]] = deque()
    for call in calls:
        pending.append(pool.submit(call))
        if len(pending) > depth:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Reads contents from packs. ``reads_ahead``: reads in progress besides the one that is waited for."""

    objects: Objects
    pool: ThreadPoolExecutor
    reads_ahead: int = PACKS_AHEAD

    def contents(
        self, needed: Mapping[str, ContentsByFrame], packs: Mapping[str, Pack]
    ) -> Iterator[tuple[str, memoryview]]:
        """(digest, content) of all requested contents, each checked. Raises SnapshotIncomplete, BlobUnavailable."""
        reads = (read for name, frames in needed.items() for read in self._reads(packs[name], frames))
        fetched = ahead(self.pool, reads, self.reads_ahead)
        calls = (partial(_unpack, frame) for frames in fetched for frame in frames)
        for contents, raw in ahead(self.pool, calls, FRAMES_AHEAD):
            yield from packing.contents(contents, raw)

    def _reads(self, pack: Pack, needed: ContentsByFrame) -> Iterator[Callable[[], list[StoredFrame]]]:
        """The requests that give these frames of a pack: of the whole pack, or of ranges, which depend on no other."""
        ranges = _ranges(needed)
        stored = sum(contents[0][0].stored for contents in needed.values())
        # With a cache, the whole pack is worth reading, as the next file may be in it.
        if self.objects.cache or len(ranges) > RANGES or stored >= RANGE_SHARE * pack.stored:
            yield partial(self._whole, pack.digest, list(needed.values()))
            return
        for frames in ranges:
            yield partial(self._range, pack.digest, frames)

    def _whole(self, pack: str, frames: list[list[tuple[Place, str]]]) -> list[StoredFrame]:
        data = self.objects.get(paths.pack(self.objects.user_id, pack), pack)
        return _cut(pack, data, 0, frames)

    def _range(self, pack: str, frames: list[list[tuple[Place, str]]]) -> list[StoredFrame]:
        first, last = frames[0][0][0], frames[-1][0][0]
        length = last.offset + last.stored - first.offset
        data = self.objects.get_range(paths.pack(self.objects.user_id, pack), first.offset, length)
        return _cut(pack, data, first.offset, frames)


def _ranges(needed: ContentsByFrame) -> list[list[list[tuple[Place, str]]]]:
    """The contents of each frame, by runs of frames that follow each other."""
    runs: list[list[list[tuple[Place, str]]]] = []
    for number in sorted(needed):
        if number - 1 in needed:
            runs[-1].append(needed[number])
        else:
            runs.append([needed[number]])
    return runs


def _cut(pack: str, data: bytes, start: int, frames: Iterable[list[tuple[Place, str]]]) -> list[StoredFrame]:
    """Frames from the bytes of a pack from ``start`` on."""
    view = memoryview(data)
    places = [(contents[0][0], contents) for contents in frames]
    return [
        StoredFrame(pack, view[place.offset - start : place.offset - start + place.stored], contents)
        for place, contents in places
    ]


def _unpack(frame: StoredFrame) -> tuple[list[tuple[Place, str]], bytes]:
    return frame.contents, packing.unpack(frame.stored, frame.contents[0][0].raw, frame.pack)


def write(snapshot_to_write: Snapshot, root: Path, fetcher: Fetcher, limits: SnapshotLimits, guard: Guard) -> StatCache:
    """Write the snapshot into ``root`` and return its files' stats.

    Raises SnapshotRefused: an entry is unsafe (nothing was written), or ``root`` is not empty. SnapshotIncomplete: an
    object is missing or damaged; the folder is not a usable workspace.
    """
    entries = snapshot_to_write.tree.entries
    if fault := snapshot.fault(entries, limits):
        raise SnapshotRefused(f"commit {snapshot_to_write.head.seq} of {fetcher.objects.user_id}: {fault}")
    prepare(root)
    with writing(root) as writer:
        writer.create(entries)
        fill(writer, snapshot_to_write, fetcher, guard)
    return settled(writer.stats, change_time(root))


def fill(writer: Writer, snapshot_to_write: Snapshot, fetcher: Fetcher, guard: Guard) -> None:
    """Fetch the contents that the writer needs, and finish it. Raises SnapshotIncomplete, BlobUnavailable, and whatever
    the guard raises.
    """
    needed = contents_by_frame(writer.targets, snapshot_to_write.places())
    contents = fetcher.contents(needed, {pack.digest: pack for pack in snapshot_to_write.packs})
    for digest, content in guarded(contents, guard):
        writer.put(digest, content)
    writer.finish()


def prepare(root: Path) -> None:
    """Create an empty private folder. Raises SnapshotRefused if it is not empty."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise SnapshotRefused(f"{root.name!r} is not empty; a snapshot is written only into an empty folder")
    root.chmod(0o700)


@contextmanager
def writing(root: Path) -> Iterator[Writer]:
    """A writer of this folder."""
    with Opened(root, os.O_RDONLY | os.O_DIRECTORY) as folder, closing(Writer(folder)) as writer:
        yield writer


@dataclass(slots=True)
class Writer:
    """Creates files and never follows or overwrites anything. Modes that forbid writing are set last.

    ``folder``: open, since the system looks up the path of each file from there.
    """

    folder: int
    stats: StatCache = field(default_factory=dict)
    #: digest -> (file, offset in it) of every place that it has yet to be written to.
    targets: defaultdict[str, list[tuple[Entry, int]]] = field(default_factory=lambda: defaultdict(list))
    #: Folders and large files, whose modes are set last.
    unfinished: list[Entry] = field(default_factory=list)
    #: The large file written last, since its blocks mostly arrive one after the other.
    _open: tuple[str, int] | None = None

    def create(self, entries: Mapping[str, Entry]) -> None:
        """Create these files and folders, in existing folders or in folders among them."""
        for path in sorted(entries):
            entry = entries[path]
            size = entry.size
            if 0 < size <= BLOCK_BYTES:
                self.targets[entry.digest].append((entry, 0))
            elif size > 0:
                self._allocate(entry)
            elif size == 0:
                self._create(entry, b"")
            else:
                os.mkdir(path, 0o700, dir_fd=self.folder)
                self.unfinished.append(entry)

    def patch(self, entry: Entry, old: Entry) -> None:
        """Update an existing large file, described by ``old``, by writing only the blocks that differ."""
        self.unfinished.append(entry)
        if not old.mode & 0o200:
            os.chmod(entry.path, 0o600, dir_fd=self.folder)
        self._resize(entry, os.O_WRONLY | os.O_NOFOLLOW)
        for number, digest in enumerate(entry.blocks):
            if number >= len(old.blocks) or old.blocks[number] != digest:
                self.targets[digest].append((entry, number * BLOCK_BYTES))

    def settle_folder(self, entry: Entry) -> None:
        """Set an existing folder's mode after everything in it is written."""
        self.unfinished.append(entry)

    def put(self, digest: str, content: memoryview) -> None:
        """Write a content to all its places, once. Raises SnapshotIncomplete: its length differs from the entry's."""
        size = len(content)
        for entry, offset in self.targets.pop(digest):
            if size != min(entry.size - offset, BLOCK_BYTES):
                raise SnapshotIncomplete(f"{unnamed(entry.path)} at {offset}: {size} bytes do not fit its {entry.size}")
            if entry.blocks:
                self._fill(entry.path, offset, content)
            else:
                self._create(entry, content)

    def finish(self) -> None:
        """Set the postponed modes. Raises SnapshotIncomplete if a file did not get all of its content."""
        if self.targets:
            unwritten = {entry.path for places in self.targets.values() for entry, _ in places}
            raise SnapshotIncomplete(f"{len(unwritten)} files got no content, {unnamed(min(unwritten))} first")
        for entry in sorted(self.unfinished, reverse=True):
            if entry.size == FOLDER:
                os.chmod(entry.path, entry.mode, dir_fd=self.folder)
            else:
                self._finish_large(entry)

    def _finish_large(self, entry: Entry) -> None:
        status = os.lstat(entry.path, dir_fd=self.folder)
        # Setting the same mode again would change the change time, and the file would be read again needlessly.
        if status.st_mode & 0o777 != entry.mode:
            os.chmod(entry.path, entry.mode, dir_fd=self.folder)
            status = os.lstat(entry.path, dir_fd=self.folder)
        self.stats[entry.path] = (stat_key(status), entry)

    def _create(self, entry: Entry, content: bytes | memoryview) -> None:
        with Opened(entry.path, _CREATE, entry.mode, folder=self.folder) as handle:
            if content and os.write(handle, content) < len(content):
                raise _disk_full()
            status = os.fstat(handle)
            if status.st_mode & 0o777 != entry.mode:  # The process's umask removed permissions.
                os.fchmod(handle, entry.mode)
                status = os.fstat(handle)
            self.stats[entry.path] = (stat_key(status), entry)

    def _allocate(self, entry: Entry) -> None:
        self.unfinished.append(entry)
        # The blocks arrive one by one, so a mode that forbids writing is set last.
        mode = entry.mode if entry.mode & 0o200 else 0o600
        self._resize(entry, _CREATE, mode)
        for number, digest in enumerate(entry.blocks):
            # A hole reads as zeros, so zero blocks (most of a write-ahead log) need no fetch and no disk space.
            if digest != ZERO_BLOCK:
                self.targets[digest].append((entry, number * BLOCK_BYTES))

    def _resize(self, entry: Entry, flags: int, mode: int = 0o600) -> None:
        with Opened(entry.path, flags, mode, folder=self.folder) as handle:
            os.ftruncate(handle, entry.size)

    def _fill(self, path: str, offset: int, content: memoryview) -> None:
        if self._open is None or self._open[0] != path:
            self.close()
            self._open = (path, os.open(path, os.O_WRONLY | os.O_NOFOLLOW, dir_fd=self.folder))
        if os.pwrite(self._open[1], content, offset) < len(content):
            raise _disk_full()

    def close(self) -> None:
        """Close the open file, if any. May be called at any time."""
        if self._open is not None:
            handle, self._open = self._open[1], None
            os.close(handle)


def _disk_full() -> OSError:
    """Of a file of which the system wrote only the first part: the next write would fail with this error."""
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
