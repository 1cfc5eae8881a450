"""Packs: many contents in one object. Frames of about 1 MiB, each compressed separately, then the pack's directory.

A frame is the smallest unit to read for one file; a pack is read or written in one request. The directory at the end
repeats what the catalog has, so that a lost catalog can be rebuilt from the packs.
"""

from __future__ import annotations

import hashlib
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import zstandard

from consumer.errors import SnapshotIncomplete
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Frame, Pack, Place
from consumer.snapshot.snapshot import BLOCK_BYTES

#: Raw bytes after which a frame is closed. Larger frames compress little better and make reading one file costlier.
FRAME_BYTES = 1 << 20
#: Stored bytes after which a pack is closed: enough that latency matters little, little
#: enough that a hydrate writes the first files while it still fetches (2, 4 and 8 MiB measured).
PACK_BYTES = 4 << 20
#: zstd level. 3 saves 10 % of the bytes and costs half again the time of a first persist (measured).
LEVEL = 1
#: Frames compressed and packs uploaded at once; this bounds the memory of a large persist.
MAX_FRAMES_AHEAD = 8
MAX_PACKS_AHEAD = 3

#: A frame is closed after the content that fills it, and no content is larger than a block.
_BUFFER_BYTES = FRAME_BYTES + BLOCK_BYTES
_FOOTER = struct.Struct(">I4s")
_MAGIC = b"CLP1"


@dataclass(slots=True)
class _OpenPack:
    """Contents that share packs. ``ready``: compressed frames of the pack that is not full yet."""

    raw: bytearray
    names: list[tuple[str, int]] = field(default_factory=list)
    raw_bytes: int = 0
    ready: list[tuple[Frame, bytes]] = field(default_factory=list)

    @property
    def stored(self) -> int:
        return sum(len(data) for _, data in self.ready)


class PackWriter:
    """Collects contents and uploads full packs meanwhile. Not thread-safe.

    Blocks of large files and small files go to different packs. A database changes with every commit, so most of its
    blocks are soon dead; the pages in the same pack would be written again with those that are not.
    """

    def __init__(self, pool: ThreadPoolExecutor, upload: Callable[[str, bytes], None]) -> None:
        self._pool = pool
        self._upload = upload
        self._files, self._blocks = _OpenPack(bytearray(_BUFFER_BYTES)), _OpenPack(bytearray(_BUFFER_BYTES))
        self._frames: deque[tuple[_OpenPack, Future[tuple[Frame, bytes]]]] = deque()
        self._uploads: list[Future[Pack]] = []
        #: Compressors and raw frames for reuse: a megabyte each, costly to allocate every time.
        self._compressors: deque[zstandard.ZstdCompressor] = deque()
        self._spare: deque[bytearray] = deque()
        self.keys: set[str] = set()

    def add(self, key: str, content: bytes) -> None:
        """Add one content, once. Raises what an earlier upload raised."""
        if key in self.keys:
            return
        self.keys.add(key)
        part = self._blocks if len(content) == BLOCK_BYTES else self._files
        end = part.raw_bytes + len(content)
        part.raw[part.raw_bytes : end] = content
        part.names.append((key, len(content)))
        part.raw_bytes = end
        if end >= FRAME_BYTES:
            self._close_frame(part)

    def finish(self) -> list[Pack]:
        """Upload the rest, wait for all uploads, and return the directories in order."""
        files, blocks = self._files, self._blocks
        self._close_frame(files)
        self._close_frame(blocks)
        self._collect(0)
        if min(files.stored, blocks.stored) < catalog.SMALL_PACK_BYTES:
            # A pack of its own would cost more for the request than for the bytes.
            files.ready += blocks.ready
            blocks.ready = []
        self._close_pack(files)
        self._close_pack(blocks)
        return [upload.result() for upload in self._uploads]

    def _close_frame(self, part: _OpenPack) -> None:
        if not part.names:
            return
        self._frames.append((part, self._pool.submit(self._compress, part.raw, part.raw_bytes, tuple(part.names))))
        part.raw = self._spare.pop() if self._spare else bytearray(_BUFFER_BYTES)
        part.names, part.raw_bytes = [], 0
        self._collect(MAX_FRAMES_AHEAD)

    def _collect(self, ahead: int) -> None:
        while len(self._frames) > ahead:
            part, frame = self._frames.popleft()
            part.ready.append(frame.result())
            if part.stored >= PACK_BYTES:
                self._close_pack(part)

    def _close_pack(self, part: _OpenPack) -> None:
        if not part.ready:
            return
        frames, part.ready = part.ready, []
        self._uploads.append(self._pool.submit(self._send, frames))
        if len(self._uploads) > MAX_PACKS_AHEAD:
            self._uploads[-1 - MAX_PACKS_AHEAD].result()

    def _compress(self, raw: bytearray, size: int, names: tuple[tuple[str, int], ...]) -> tuple[Frame, bytes]:
        try:
            compressor = self._compressors.pop()
        except IndexError:  # A compressor serves one thread at a time.
            compressor = zstandard.ZstdCompressor(level=LEVEL)
        # The library's result keeps the buffer of the worst case, a megabyte for any frame; a copy does not.
        stored = bytes(memoryview(compressor.compress(memoryview(raw)[:size])))
        self._compressors.append(compressor)
        self._spare.append(raw)
        return Frame(len(stored), size, names), stored

    def _send(self, frames: list[tuple[Frame, bytes]]) -> Pack:
        described = tuple(frame for frame, _ in frames)
        directory = catalog.encode_directory(described)
        footer = _FOOTER.pack(len(directory), _MAGIC)
        data = b"".join([*(stored for _, stored in frames), directory, footer])
        frames.clear()  # The executor keeps the list until the upload is over.
        digest = hashlib.sha256(data).hexdigest()
        self._upload(digest, data)
        return Pack(digest, described)


def unpack(stored: bytes | memoryview, raw_bytes: int, pack: str) -> bytes:
    """One frame's raw bytes.

    Raises SnapshotIncomplete: it cannot be unpacked, or its length differs from the catalog's.
    """
    try:
        # The length in the frame decides the allocation, so it must equal the catalog's, which is bounded.
        if raw_bytes > 2 * FRAME_BYTES or zstandard.frame_content_size(stored) != raw_bytes:
            raise SnapshotIncomplete(f"a frame of pack {pack} claims another length than the catalog's {raw_bytes}")
        return zstandard.ZstdDecompressor().decompress(stored, max_output_size=raw_bytes)
    except zstandard.ZstdError as exc:
        raise SnapshotIncomplete(f"a frame of pack {pack} cannot be unpacked: {exc}") from exc


def contents(requested: Iterable[tuple[Place, str]], raw: bytes) -> Iterator[tuple[str, memoryview]]:
    """(digest, content) of each of these contents of one raw frame, checked.

    Raises SnapshotIncomplete: its digest differs.
    """
    frame = memoryview(raw)
    for place, digest in requested:
        content = frame[place.start : place.start + place.length]
        if hashlib.sha256(content).hexdigest() != digest:
            raise SnapshotIncomplete(f"content {digest} in pack {place.pack} has another digest")
        yield digest, content


def directory(data: bytes, digest: str) -> Pack:
    """A whole pack's own directory. Raises ValueError: it is not a pack."""
    length, magic = _FOOTER.unpack(data[-_FOOTER.size :])
    if magic != _MAGIC:
        raise ValueError(f"{digest} is not a pack: it should end in {_MAGIC!r}, but ends in {magic!r}")
    end = len(data) - _FOOTER.size
    return Pack(digest, catalog.decode_directory(data[end - length : end]))
