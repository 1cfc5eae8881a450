"""Packs: many contents in one object. Frames of about 1 MiB, each compressed for itself, then the pack's directory.

A frame is the least that must be read for one file; a pack is what is read and written in one request. The directory
at the end repeats what the catalog knows, so that a lost catalog can be made again from the packs.
"""

from __future__ import annotations

import hashlib
import struct
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import zstandard

from consumer.errors import SnapshotIncomplete
from consumer.snapshot import catalog
from consumer.snapshot.catalog import Frame, Pack, Place
from consumer.snapshot.snapshot import BLOCK_BYTES

#: Raw bytes after which a frame is closed. Larger ones compress little better and make reading one file dearer.
FRAME_BYTES = 1 << 20
#: Stored bytes after which a pack is closed: enough that latency matters little, little
#: enough that a hydrate writes the first files while it still fetches (2, 4 and 8 MiB measured).
PACK_BYTES = 4 << 20
#: zstd level. 3 saves 10 % of the bytes and costs half again the time of a first persist (measured).
LEVEL = 1
#: Frames being compressed and packs being uploaded at once: what bounds the memory of a large persist.
MAX_FRAMES_AHEAD = 8
MAX_PACKS_AHEAD = 3

#: A frame is closed by the content that fills it, and no content is larger than a block.
_ROOM = FRAME_BYTES + BLOCK_BYTES
_FOOTER = struct.Struct(">I4s")
_MAGIC = b"CLP1"


class PackWriter:
    """Collects contents and uploads full packs while more come. Not for use by two threads."""

    def __init__(self, pool: ThreadPoolExecutor, upload: Callable[[str, bytes], None]) -> None:
        self._pool = pool
        self._upload = upload
        self._raw = bytearray(_ROOM)
        self._names: list[tuple[str, int]] = []
        self._raw_bytes = 0
        self._frames: list[Future[tuple[Frame, bytes]]] = []
        self._ready: list[tuple[Frame, bytes]] = []
        self._uploads: list[Future[Pack]] = []
        #: Compressors and raw frames that are done with: a megabyte each, dear to get from the system every time.
        self._compressors: deque[zstandard.ZstdCompressor] = deque()
        self._spare: deque[bytearray] = deque()
        self.keys: set[str] = set()

    def add(self, key: str, content: bytes) -> None:
        """Take one content, once. Raises what an earlier upload raised."""
        if key in self.keys:
            return
        self.keys.add(key)
        end = self._raw_bytes + len(content)
        self._raw[self._raw_bytes : end] = content
        self._names.append((key, len(content)))
        self._raw_bytes = end
        if self._raw_bytes >= FRAME_BYTES:
            self._close_frame()

    def finish(self) -> list[Pack]:
        """Upload the rest and wait for all; the directories, in order."""
        self._close_frame()
        self._collect(0)
        self._close_pack()
        return [upload.result() for upload in self._uploads]

    def _close_frame(self) -> None:
        if not self._names:
            return
        self._frames.append(self._pool.submit(self._compress, self._raw, self._raw_bytes, tuple(self._names)))
        self._raw = self._spare.pop() if self._spare else bytearray(_ROOM)
        self._names, self._raw_bytes = [], 0
        self._collect(MAX_FRAMES_AHEAD)

    def _collect(self, ahead: int) -> None:
        while len(self._frames) > ahead:
            self._ready.append(self._frames.pop(0).result())
            if sum(len(data) for _, data in self._ready) >= PACK_BYTES:
                self._close_pack()

    def _close_pack(self) -> None:
        if not self._ready:
            return
        frames, self._ready = self._ready, []
        self._uploads.append(self._pool.submit(self._send, frames))
        if len(self._uploads) > MAX_PACKS_AHEAD:
            self._uploads[-1 - MAX_PACKS_AHEAD].result()

    def _compress(self, raw: bytearray, size: int, names: tuple[tuple[str, int], ...]) -> tuple[Frame, bytes]:
        try:
            compressor = self._compressors.pop()
        except IndexError:  # one serves one thread at a time
            compressor = zstandard.ZstdCompressor(level=LEVEL)
        # The library's own bytes keep the room that the worst case would have taken: a megabyte for any frame.
        stored = bytes(memoryview(compressor.compress(memoryview(raw)[:size])))
        self._compressors.append(compressor)
        self._spare.append(raw)
        return Frame(len(stored), size, names), stored

    def _send(self, frames: list[tuple[Frame, bytes]]) -> Pack:
        kept = tuple(frame for frame, _ in frames)
        directory = catalog.encode_directory(kept)
        footer = _FOOTER.pack(len(directory), _MAGIC)
        data = b"".join([*(stored for _, stored in frames), directory, footer])
        frames.clear()  # the executor holds the list until the upload is over
        digest = hashlib.sha256(data).hexdigest()
        self._upload(digest, data)
        return Pack(digest, kept)


def unpack(stored: bytes | memoryview, raw_bytes: int, pack: str) -> bytes:
    """One frame's raw bytes.

    Raises:
        SnapshotIncomplete: it cannot be unpacked, or not to the length that the catalog says.
    """
    try:
        # The frame's own claim decides what is allocated: it must be the catalog's, which is bounded.
        if raw_bytes > 2 * FRAME_BYTES or zstandard.frame_content_size(stored) != raw_bytes:
            raise SnapshotIncomplete(f"a frame of pack {pack} claims another length than the catalog's {raw_bytes}")
        return zstandard.ZstdDecompressor().decompress(stored, max_output_size=raw_bytes)
    except zstandard.ZstdError as exc:
        raise SnapshotIncomplete(f"a frame of pack {pack} cannot be unpacked: {exc}") from exc


def content(place: Place, raw: bytes, digest: str) -> memoryview:
    """One content out of its raw frame, checked.

    Raises:
        SnapshotIncomplete: its digest is another.
    """
    found = memoryview(raw)[place.start : place.start + place.length]
    if hashlib.sha256(found).hexdigest() != digest:
        raise SnapshotIncomplete(f"content {digest} in pack {place.pack} is of another digest")
    return found


def directory(data: bytes, digest: str) -> Pack:
    """A whole pack's own directory.

    Raises:
        ValueError: it is not a pack.
    """
    length, magic = _FOOTER.unpack(data[-_FOOTER.size :])
    if magic != _MAGIC:
        raise ValueError(f"{digest} is no pack: it ends in {magic!r}")
    end = len(data) - _FOOTER.size
    return Pack(digest, catalog.decode_directory(data[end - length : end]))
