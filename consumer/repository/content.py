"""Read a file as a snapshot names it: its size, and the digests of its blocks."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from functools import partial

from consumer.repository.descriptors import Opened
from consumer.repository.scan import stat_key
from consumer.snapshot import snapshot
from consumer.snapshot.snapshot import BLOCK_BYTES, Entry, StatKey

_EMPTY = hashlib.sha256(b"").hexdigest()


def read(root: str, path: str) -> tuple[StatKey, Entry] | None:
    """The stat and the entry (without a nonce) of a file below ``root``; None for anything else, which is not read.

    Links are not followed, and a pipe does not block. Raises OSError.
    """
    with Opened(f"{root}/{path}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK) as handle:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        digests, size = [], 0
        for piece in pieces(handle, status.st_size):
            digests.append(hashlib.sha256(piece).hexdigest())
            size += len(piece)
    return stat_key(status), entry(path, status.st_mode & 0o777, size, digests)


def read_whole(root: str, path: str) -> tuple[Entry, bytes] | None:
    """The entry (without a nonce) and the content of a file below ``root``; None for anything else. Raises OSError."""
    with Opened(f"{root}/{path}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK) as handle:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        # A byte more than the file had shows whether it has grown meanwhile.
        data = os.read(handle, status.st_size + 1)
        if len(data) != status.st_size:
            os.lseek(handle, 0, os.SEEK_SET)
            data = b"".join(iter(partial(_full_read, handle), b""))
    view = memoryview(data)
    starts = range(0, len(data), BLOCK_BYTES)
    digests = [hashlib.sha256(view[start : start + BLOCK_BYTES]).hexdigest() for start in starts]
    return entry(path, status.st_mode & 0o777, len(data), digests), data


def read_if_same(root: str, path: str, expected: Entry) -> StatKey | None:
    """The stat of a file below ``root`` if its content is that of ``expected``; None for any other. Raises OSError.

    As ``read``, but most files of a workspace are small and as they were: for these it makes nothing but the digest.
    """
    if expected.blocks:
        seen = read(root, path)
        return seen[0] if seen and (seen[1].size, seen[1].digest) == (expected.size, expected.digest) else None
    whole = _of_size(root, path, expected.size)
    same = whole is not None and hashlib.sha256(whole[1]).hexdigest() == expected.digest
    return stat_key(whole[0]) if whole and same else None


def stat_if_bytes(root: str, path: str, expected: bytes) -> StatKey | None:
    """As ``read_if_same`` of a content that the caller has: comparing a database costs a tenth of its digests."""
    whole = _of_size(root, path, len(expected))
    return stat_key(whole[0]) if whole and whole[1] == expected else None


def _of_size(root: str, path: str, size: int) -> tuple[os.stat_result, bytes] | None:
    """The stat and the content of a regular file of this size; None for any other."""
    with Opened(f"{root}/{path}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK) as handle:
        status = os.fstat(handle)
        if status.st_size != size or not stat.S_ISREG(status.st_mode):
            return None
        # A byte more than the file had shows whether it has grown meanwhile.
        data = os.read(handle, size + 1)
    return (status, data) if len(data) == size else None


def entry(path: str, mode: int, size: int, digests: list[str]) -> Entry:
    """A file's entry, without a nonce, from the digests of its ``pieces``."""
    if size > BLOCK_BYTES:
        return Entry(path, mode, size, snapshot.file_digest(digests), "", tuple(digests))
    return Entry(path, mode, size, digests[0] if digests else _EMPTY, "")


def pieces(handle: int, size: int) -> Iterator[bytes]:
    """The blocks of an open file that had this size a moment ago."""
    if size == 0:
        return
    # Most files need one read instead of three: a byte more than the file had shows whether it has grown meanwhile.
    if size < BLOCK_BYTES and len(data := os.read(handle, size + 1)) == size:
        yield data
        return
    os.lseek(handle, 0, os.SEEK_SET)
    while piece := _full_read(handle):
        yield piece


def _full_read(handle: int) -> bytes:
    """A full block, unless the file ends: a short read in the middle would shift the blocks."""
    piece = os.read(handle, BLOCK_BYTES)
    while piece and len(piece) < BLOCK_BYTES and (rest := os.read(handle, BLOCK_BYTES - len(piece))):
        piece += rest
    return piece
