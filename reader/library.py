"""
Open memories: for each user the newest commit, proven once, and the evidence index on disk.

Each request reads HEAD with one conditional GET. If HEAD names another commit, the new one is opened and the old one
dropped. Opening reads catalog, tree and directories of packs; a file is then read by the ranges of packs that hold it.
What can be read at the same time is: a file of a memory that is not open takes four reads one after the other (HEAD;
commit and catalog; tree and directories; ranges of packs), however many objects they are.
An object that is gone means that a purge or gc ran after HEAD was read: the caller forgets the memory and opens it
again, once. Nothing here takes the workspace's lock or writes to the bucket.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar, cast

from consumer import layout, paths
from consumer.errors import BlobNotFound, SnapshotIncomplete, text_of
from consumer.ports import Blob, BlobStat, Clock, ReadBlobs, Signer
from consumer.repository.hydrating import Fetcher
from consumer.repository.loading import Loader, Snapshot, contents_by_frame
from consumer.repository.objects import Objects
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Frame, Pack, Place
from consumer.snapshot.snapshot import FOLDER, Entry, Head, decode_head
from reader.grants import Grant

T = TypeVar("T")
#: What a reader may read: what it shows, and the record index, from which it answers. Raw exports and the agent's home
#: stay unknown to it.
SHOWN: Final = ("brain/", "runtime/reports/", layout.SEARCH_INDEX, layout.TODAY, layout.HOLDS, layout.RENDER_INDEX)
#: Small files that a search needs besides the index: read with it, they cost no further request in sequence.
BESIDE_INDEX: Final = (layout.HOLDS,)
#: A memory that nobody asks for is dropped after this time.
IDLE_S: Final = 900.0
#: Threads for ranges of packs, shared by all requests. After a day of hours an index lies in many packs.
WORKERS: Final = 24
#: Threads of one opening, started as needed: whatever does not depend on another object is read at the same time.
OPENING_WORKERS: Final = catalog.MAX_RUNS + catalog.MAX_SEGMENTS + 3
#: Estimated bytes of memory for one file: its entry and the places of its contents.
FILE_BYTES: Final = 1024
#: Bytes of memory that each byte of the record index takes once it is folded for questions. Measured with tracemalloc:
#: 0.7 for the sample user, 2.4 for 1,500 meeting notes in which every sentence says something.
FOLDED_BYTES: Final = 3


@dataclass
class UserBlobs:
    """The bucket as the newest grant of one user may read it. What is open outlives the token it was opened with."""

    newest: ReadBlobs

    def read(self, name: str) -> Blob:
        return self.newest.read(name)

    def read_newer(self, name: str, generation: int) -> Blob | None:
        return self.newest.read_newer(name, generation)

    def read_range(self, name: str, offset: int, length: int) -> bytes:
        return self.newest.read_range(name, offset, length)

    def stat(self, name: str) -> BlobStat:
        return self.newest.stat(name)

    def write(
        self, name: str, data: bytes, *, if_generation: int | None, content_type: str = "application/octet-stream"
    ) -> BlobStat:
        """Never: the token would be refused."""
        raise PermissionError(f"the reader writes nothing to the bucket ({name!r}, {len(data)} bytes)")

    def delete(self, name: str, *, if_generation: int) -> None:
        """Never, as ``write``."""
        raise PermissionError(f"the reader deletes nothing from the bucket ({name!r})")

    def list(self, prefix: str, *, start_after: str = "") -> Iterator[BlobStat]:
        """Never, as ``write``."""
        raise PermissionError(f"the reader lists nothing of the bucket ({prefix!r})")


@dataclass
class OpenMemory:
    """One commit of one user, and where its files lie. ``seq`` 0: nothing is committed, or everything was erased."""

    blobs: UserBlobs
    head: Head
    committed_at: str
    entries: Mapping[str, Entry]
    places: Mapping[str, Place]
    packs: Mapping[str, Pack]
    fetcher: Fetcher
    #: The evidence index as a file, once it was asked for.
    index: Path | None = None
    #: What many requests need, by what it was made from.
    parsed: dict[object, object] = field(default_factory=dict)
    touched_s: float = 0.0
    _beside: Mapping[str, bytes] = field(default_factory=dict)
    _using: int = 0
    _dropped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _making: threading.RLock = field(default_factory=threading.RLock)

    @property
    def seq(self) -> int:
        return self.head.seq if self.head.commit else 0

    @property
    def cost(self) -> int:
        """Bytes that it takes, on disk and in memory."""
        index = self.entries[layout.SEARCH_INDEX].size if self.index else 0
        # Of a copy: another request may be making something at the same time.
        folded = sum(self.entries[layout.RENDER_INDEX].size for key in list(self.parsed) if isinstance(key, tuple))
        return index + FOLDED_BYTES * folded + FILE_BYTES * len(self.entries)

    def read(self, path: str) -> bytes:
        """One file, checked against its digest. Raises KeyError, SnapshotIncomplete, BlobUnavailable."""
        beside = self._beside.get(path)
        return self._read([path])[path] if beside is None else beside

    def _read(self, wanted: Sequence[str]) -> dict[str, bytes]:
        """Several files, whose packs are read at the same time. Raises as ``read``."""
        contents = [digest for path in wanted for digest in self.entries[path].contents]
        needed = contents_by_frame(dict.fromkeys(contents), dict(self._of(contents)))
        pieces = {digest: bytes(data) for digest, data in self.fetcher.contents(needed, self.packs)}
        return {path: b"".join(pieces[digest] for digest in self.entries[path].contents) for path in wanted}

    def _of(self, contents: Sequence[str]) -> Iterator[tuple[str, Place]]:
        for digest in contents:
            key = catalog.key(digest)
            if key in self.places:
                yield key, self.places[key]

    def once(self, key: object, make: Callable[[], T], *, keep: int = 8) -> T:
        """What ``make`` gives, made once while this commit is open; the newest ``keep`` things are kept."""
        with self._making:
            if key not in self.parsed:
                while len(self.parsed) >= keep:
                    self.parsed.pop(next(iter(self.parsed)))
                self.parsed[key] = make()
            return cast(T, self.parsed[key])

    def index_file(self, folder: Path) -> Path:
        """The evidence index as a file below ``folder``. Raises KeyError: this commit has none; and as ``read``."""
        with self._lock:
            if self.index is None:
                several = [layout.SEARCH_INDEX, *(path for path in BESIDE_INDEX if path in self.entries)]
                read = self._read(several)
                data = read.pop(layout.SEARCH_INDEX)
                self._beside = read
                handle, name = tempfile.mkstemp(dir=folder, suffix=".sqlite")
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                self.index = Path(name)
            return self.index

    def enter(self) -> None:
        """A request begins to use it."""
        with self._lock:
            self._using += 1
            # The library may have let it go just before; it is kept again.
            self._dropped = False

    def leave(self, *, drop: bool = False) -> None:
        """A request is done, or (``drop``) the library lets it go; the last of them deletes the index file."""
        with self._lock:
            self._using -= not drop
            self._dropped |= drop
            if self._dropped and self._using == 0 and self.index is not None:
                self.index.unlink(missing_ok=True)
                self.index = None


@dataclass
class OpenMemories:
    """Thread-safe. ``bucket``: grant -> the bucket as it may read it. ``folder``: private, for index files.

    ``max_bytes`` bounds what all open memories take together; one that is larger is kept alone.
    """

    bucket: Callable[[Grant], ReadBlobs]
    signer: Signer
    clock: Clock
    folder: Path
    max_bytes: int
    _open: OrderedDict[str, OpenMemory] = field(default_factory=OrderedDict)
    _opening: dict[str, threading.Lock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(WORKERS, thread_name_prefix="packs"))

    @contextmanager
    def open(self, grant: Grant) -> Iterator[OpenMemory]:
        """The memory as HEAD names it now.

        Raises SnapshotIncomplete: an object is gone or damaged; ``forget`` the user and open again, once.
        WorkspaceFrozen: the history does not verify. BlobUnavailable: the bucket does not answer, or refuses the token.
        """
        memory = self._current(grant)
        try:
            yield memory
        finally:
            memory.leave()
            self.trim()

    def object_of(self, grant: Grant, name: str) -> Blob:
        """An object below the user's prefix that no commit names. Raises BlobNotFound, BlobUnavailable."""
        paths.require_prefix(grant.prefix, name)
        return self.bucket(grant).read(name)

    def forget(self, user_id: str) -> None:
        """Drop what is open of this user."""
        with self._lock:
            memory = self._open.pop(user_id, None)
        if memory is not None:
            memory.leave(drop=True)

    def close(self) -> None:
        """Drop everything."""
        for user_id in list(self._open):
            self.forget(user_id)
        self._pool.shutdown()

    @property
    def users(self) -> list[str]:
        """Users whose memory is open, the least recently asked for first."""
        with self._lock:
            return list(self._open)

    def _current(self, grant: Grant) -> OpenMemory:
        with self._lock:
            opening = self._opening.setdefault(grant.user_id, threading.Lock())
        # One request of a user opens; the others wait for it and then find it open.
        with opening:
            with self._lock:
                memory = self._open.get(grant.user_id)
            blobs = UserBlobs(self.bucket(grant))
            head = _head(blobs, grant.user_id, memory.head if memory else None)
            if memory is None or not _same(memory.head, head):
                self.forget(grant.user_id)
                memory = self._opened(blobs, grant.user_id, head)
            memory.blobs.newest, memory.head = blobs.newest, head
            memory.touched_s = self.clock.monotonic()
            memory.enter()
            with self._lock:
                self._open[grant.user_id] = memory
                self._open.move_to_end(grant.user_id)
            return memory

    def _opened(self, blobs: UserBlobs, user_id: str, head: Head) -> OpenMemory:
        objects = Objects(blobs, self.clock, user_id)
        # A pool of its own: an opening waits for its own tasks, and several in one pool could wait for each other.
        with ThreadPoolExecutor(OPENING_WORKERS, thread_name_prefix="opening") as pool:
            loader = Loader(objects, self.signer, pool)
            snapshot = loader.snapshot(head)
            entries = {
                path: entry
                for path, entry in snapshot.tree.entries.items()
                if entry.size != FOLDER and path.startswith(SHOWN)
            }
            places, packs = _located(snapshot, entries, loader)
        committed_at = snapshot.commit.created_at if snapshot.commit else ""
        return OpenMemory(blobs, head, committed_at, entries, places, packs, Fetcher(objects, self._pool, WORKERS - 1))

    def trim(self) -> None:
        """Drop idle memories, and of the others the least recently asked for until the rest fits.

        Called at the end of each request, and from time to time where there is none.
        """
        now = self.clock.monotonic()
        with self._lock:
            dropped = [user for user, memory in self._open.items() if now - memory.touched_s > IDLE_S]
            total = sum(memory.cost for user, memory in self._open.items() if user not in dropped)
            for user, memory in list(self._open.items())[:-1]:
                if total > self.max_bytes and user not in dropped:
                    dropped.append(user)
                    total -= memory.cost
            gone = [self._open.pop(user) for user in dropped]
            for user in [user for user in self._opening if user not in self._open]:
                if not self._opening[user].locked():
                    del self._opening[user]
        for memory in gone:
            memory.leave(drop=True)


def _head(blobs: UserBlobs, user_id: str, known: Head | None) -> Head:
    """HEAD as it is now; ``known``: as it was read before. No object is an empty HEAD."""
    name = paths.head(user_id)
    try:
        # Generation 0 is no object, and a condition on it would always hold.
        blob = blobs.read_newer(name, known.generation) if known and known.generation else blobs.read(name)
    except BlobNotFound:
        return Head()
    if blob is None:
        assert known is not None
        return known
    try:
        return decode_head(blob.data, blob.stat.generation)
    except ValueError as exc:
        raise SnapshotIncomplete(f"{name}: {text_of(exc)}") from exc


def _same(before: Head, now: Head) -> bool:
    """Whether both name the same commit and catalog: a purge changes the catalog, a lock's fence neither."""
    return (before.commit, before.index) == (now.commit, now.index)


def _located(
    snapshot: Snapshot, entries: Mapping[str, Entry], loader: Loader
) -> tuple[dict[str, Place], dict[str, Pack]]:
    """The places of all contents of these entries, and the packs that hold them, without what nobody asks for."""
    keys = {catalog.key(digest) for entry in entries.values() for digest in entry.contents}
    packs = snapshot.packs
    places = snapshot.places()
    if not keys <= places.keys():
        # Cold packs come first: a content in both was packed again later.
        packs = (*loader.segments(snapshot.catalog.cold), *packs)
        places = catalog.places(packs)
    kept = {key: places[key] for key in keys if key in places}
    needed = {place.pack for place in kept.values()}
    slim = {
        pack.digest: Pack(pack.digest, tuple(Frame(frame.stored, frame.raw, ()) for frame in pack.frames))
        for pack in packs
        if pack.digest in needed
    }
    return kept, slim
