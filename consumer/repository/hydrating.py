"""A snapshot onto the disk: fetched ahead by threads, checked and written by one, into a fresh private folder."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from consumer import paths
from consumer.errors import SnapshotIncomplete, SnapshotRefused
from consumer.layout import unnamed
from consumer.ports import Guard
from consumer.repository import packs as packing
from consumer.repository.loading import Snapshot, contents_by_frame
from consumer.repository.objects import Objects
from consumer.repository.scan import StatCache, change_time, settled, stat_key
from consumer.snapshot import snapshot
from consumer.snapshot.catalog import Pack, Place
from consumer.snapshot.snapshot import BLOCK_BYTES, FOLDER, Entry, SnapshotLimits

T = TypeVar("T")

#: Packs fetched and frames unpacked ahead of the writer; each holds up to 4 MiB and 1 MiB.
PACKS_AHEAD = 3
FRAMES_AHEAD = 4
#: Contents between two questions whether this run may go on.
GUARD_EVERY = 256
#: Below this share of a pack's bytes only the frames wanted are read, if they are few.
RANGE_SHARE = 0.4
RANGE_FRAMES = 4
#: The digest of a whole block of zeros.
ZERO_BLOCK = hashlib.sha256(bytes(BLOCK_BYTES)).hexdigest()

Wanted = dict[int, list[tuple[Place, str]]]


class StoredFrame(NamedTuple):
    pack: str
    stored: bytes | memoryview
    contents: list[tuple[Place, str]]


def ahead(pool: ThreadPoolExecutor, calls: Iterable[Callable[[], T]], depth: int) -> Iterator[T]:
    """The calls' results in order, with up to ``depth`` more under way."""
    pending: deque[Future[T]] = deque()
    for call in calls:
        pending.append(pool.submit(call))
        if len(pending) > depth:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Raw frames out of packs."""

    objects: Objects
    pool: ThreadPoolExecutor

    def contents(self, wanted: Mapping[str, Wanted], packs: Mapping[str, Pack]) -> Iterator[tuple[str, memoryview]]:
        """(digest, content) of everything wanted, each checked. Raises SnapshotIncomplete, BlobUnavailable."""
        fetched = ahead(
            self.pool, (partial(self._frames, packs[name], need) for name, need in wanted.items()), PACKS_AHEAD
        )
        calls = (partial(_unpack, frame) for frames in fetched for frame in frames)
        for contents, raw in ahead(self.pool, calls, FRAMES_AHEAD):
            for place, digest in contents:
                yield digest, packing.content(place, raw, digest)

    def _frames(self, pack: Pack, need: Wanted) -> list[StoredFrame]:
        name = paths.pack(self.objects.user_id, pack.digest)
        stored = sum(contents[0][0].stored for contents in need.values())
        # A cache makes the whole pack worth having: the next file may lie in it.
        if not self.objects.cache and len(need) <= RANGE_FRAMES and stored < RANGE_SHARE * pack.stored:
            return [StoredFrame(pack.digest, self._range(name, item[0][0]), item) for item in need.values()]
        data = memoryview(self.objects.get(name, pack.digest))
        return [
            StoredFrame(pack.digest, data[place.offset : place.offset + place.stored], contents)
            for contents in need.values()
            for place in (contents[0][0],)
        ]

    def _range(self, name: str, place: Place) -> bytes:
        return self.objects.get_range(name, place.offset, place.stored)


def _unpack(frame: StoredFrame) -> tuple[list[tuple[Place, str]], bytes]:
    return frame.contents, packing.unpack(frame.stored, frame.contents[0][0].raw, frame.pack)


def write(found: Snapshot, root: Path, fetcher: Fetcher, limits: SnapshotLimits, guard: Guard) -> StatCache:
    """Make ``root`` the snapshot, and say what its files look like to stat.

    Raises:
        SnapshotRefused: an entry is unsafe (nothing was written), or ``root`` holds something already.
        SnapshotIncomplete: something is missing or wrong; what was written is no workspace.
    """
    entries = found.tree.entries
    if fault := snapshot.fault(entries, limits):
        raise SnapshotRefused(f"commit {found.head.seq} of {fetcher.objects.user_id}: {fault}")
    prepare(root)
    writer = Writer(str(root))
    for path in sorted(entries):
        writer.create(entries[path])
    fill(writer, found, fetcher, guard)
    return settled(writer.stats, change_time(root))


def fill(writer: Writer, found: Snapshot, fetcher: Fetcher, guard: Guard) -> None:
    """Fetch what the writer still needs, and finish it. Raises SnapshotIncomplete, BlobUnavailable, the guard's."""
    wanted = contents_by_frame(writer.targets, found.places())
    contents = fetcher.contents(wanted, {pack.digest: pack for pack in found.packs})
    try:
        for number, (digest, content) in enumerate(contents):
            if number % GUARD_EVERY == 0:
                guard.check()
            writer.put(digest, content)
    finally:
        writer.close()
    writer.finish()


def prepare(root: Path) -> None:
    """An empty folder that only we may enter. Raises SnapshotRefused: it is not empty."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise SnapshotRefused(f"{root.name!r} is not empty; a snapshot is written only into a fresh folder")
    root.chmod(0o700)


@dataclass(slots=True)
class Writer:
    """Creates files and never follows or overwrites anything. Modes that forbid writing are set last."""

    root: str
    entries: dict[str, Entry] = field(default_factory=dict)
    stats: StatCache = field(default_factory=dict)
    #: digest -> (path, offset in the file) of every place it goes to.
    targets: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    #: The large file written last: its blocks mostly come one after the other.
    _open: tuple[str, int] | None = None

    def create(self, entry: Entry) -> None:
        """Something new, in a folder that stands already."""
        self.entries[entry.path] = entry
        if entry.size == FOLDER:
            os.mkdir(f"{self.root}/{entry.path}", 0o700)  # noqa: PTH102 (a Path a folder costs more than the call)
        elif entry.size == 0:
            self._create(entry, b"")
        elif entry.blocks:
            self._allocate(entry)
        else:
            self.targets.setdefault(entry.digest, []).append((entry.path, 0))
            self.left.add(entry.path)

    def patch(self, entry: Entry, old: Entry) -> None:
        """A large file that stands as ``old`` says: only the blocks that differ are written."""
        self.entries[entry.path] = entry
        if not old.mode & 0o200:
            Path(self.root, entry.path).chmod(0o600)
        self._resize(entry, os.O_WRONLY | os.O_NOFOLLOW)
        for number, digest in enumerate(entry.blocks):
            if number >= len(old.blocks) or old.blocks[number] != digest:
                self.targets.setdefault(digest, []).append((entry.path, number * BLOCK_BYTES))

    def settle_folder(self, entry: Entry) -> None:
        """A folder that stands already: it gets its mode when everything in it is written."""
        self.entries[entry.path] = entry

    def put(self, digest: str, content: memoryview) -> None:
        """Write a content wherever it belongs.

        Raises:
            SnapshotIncomplete: its length is not what the entry says.
        """
        for path, offset in self.targets[digest]:
            entry = self.entries[path]
            if len(content) != min(entry.size - offset, BLOCK_BYTES):
                raise SnapshotIncomplete(
                    f"{unnamed(path)} at {offset}: {len(content)} bytes do not fit its {entry.size}"
                )
            if entry.blocks:
                self._fill(path, offset, content)
            else:
                self._create(entry, content)
                self.left.discard(path)

    def finish(self) -> None:
        """Set the modes that had to wait. Raises SnapshotIncomplete: a file got no content."""
        if self.left:
            raise SnapshotIncomplete(f"{len(self.left)} files got no content, {unnamed(min(self.left))} first")
        for path in sorted(self.entries, reverse=True):
            entry = self.entries[path]
            if entry.size == FOLDER:
                os.chmod(f"{self.root}/{path}", entry.mode)  # noqa: PTH101 (as above)
            elif entry.blocks:
                self._finish_large(entry)

    def _finish_large(self, entry: Entry) -> None:
        path = f"{self.root}/{entry.path}"
        status = os.lstat(path)
        # A mode set once more would make the file look as young as the seal, and be read again for nothing.
        if status.st_mode & 0o777 != entry.mode:
            os.chmod(path, entry.mode)  # noqa: PTH101 (as above)
            status = os.lstat(path)
        self.stats[entry.path] = (stat_key(status), entry)

    def _create(self, entry: Entry, content: bytes | memoryview) -> None:
        handle = os.open(f"{self.root}/{entry.path}", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, entry.mode)
        try:
            if content:
                os.write(handle, content)
            status = os.fstat(handle)
            if status.st_mode & 0o777 != entry.mode:  # the process's umask took something
                os.fchmod(handle, entry.mode)
                status = os.fstat(handle)
            self.stats[entry.path] = (stat_key(status), entry)
        finally:
            os.close(handle)

    def _allocate(self, entry: Entry) -> None:
        # Its blocks come one by one: a file that its mode keeps us from writing gets that mode last.
        mode = entry.mode if entry.mode & 0o200 else 0o600
        self._resize(entry, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        for number, digest in enumerate(entry.blocks):
            # A hole reads as zeros: most of a write-ahead log need neither be fetched nor take room.
            if digest != ZERO_BLOCK:
                self.targets.setdefault(digest, []).append((entry.path, number * BLOCK_BYTES))

    def _resize(self, entry: Entry, flags: int, mode: int = 0o600) -> None:
        handle = os.open(f"{self.root}/{entry.path}", flags, mode)
        try:
            os.ftruncate(handle, entry.size)
        finally:
            os.close(handle)

    def _fill(self, path: str, offset: int, content: memoryview) -> None:
        if self._open is None or self._open[0] != path:
            self.close()
            self._open = (path, os.open(f"{self.root}/{path}", os.O_WRONLY | os.O_NOFOLLOW))
        os.pwrite(self._open[1], content, offset)

    def close(self) -> None:
        """Give back what is open. Nothing is lost by calling it at any time."""
        if self._open is not None:
            handle, self._open = self._open[1], None
            os.close(handle)
