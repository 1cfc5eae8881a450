"""What a pack must be to give its contents."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest
import zstandard

from consumer.errors import SnapshotIncomplete
from consumer.repository import packs
from consumer.snapshot.catalog import Place
from tests.tables import table

MIB = 1 << 20


def compressed(size: int) -> bytes:
    return zstandard.ZstdCompressor().compress(bytes(size))


def test_a_frame_of_up_to_two_mebibytes_is_unpacked() -> None:
    assert packs.unpack(compressed(2 * MIB), 2 * MIB, "p") == bytes(2 * MIB)


@table(
    ("stored", "raw_bytes", "reason"),
    [
        (compressed(2 * MIB + 1), 2 * MIB + 1, "claims another length"),
        (compressed(10), 11, "claims another length"),
        (compressed(10), 9, "claims another length"),
        (compressed(10)[:-1], 10, "cannot be unpacked"),
        (b"no frame", 10, "cannot be unpacked"),
    ],
)
def test_a_frame_of_another_length_is_not_unpacked(stored: bytes, raw_bytes: int, reason: str) -> None:
    with pytest.raises(SnapshotIncomplete, match=reason):
        packs.unpack(stored, raw_bytes, "p")


def test_contents_are_cut_from_their_frame_and_checked() -> None:
    digest = hashlib.sha256(b"cde").hexdigest()
    place = Place("p", 0, 0, 10, 10, 2, 3)
    assert [(name, bytes(view)) for name, view in packs.contents([(place, digest)], b"abcdefghij")] == [
        (digest, b"cde")
    ]
    with pytest.raises(SnapshotIncomplete, match="has another digest"):
        list(packs.contents([(place, digest)], b"abcdEfghij"))


def test_a_pack_names_its_contents_at_its_end() -> None:
    sent: dict[str, bytes] = {}
    with ThreadPoolExecutor(1) as pool:
        writer = packs.PackWriter(pool, sent.__setitem__)
        for text in (b"one", b"three"):
            writer.add(hashlib.sha256(text).hexdigest()[:32], text)
        (pack,) = writer.finish()
    assert packs.directory(sent[pack.digest], pack.digest) == pack
    assert [length for _, length in pack.frames[0].contents] == [3, 5]
    assert packs.unpack(sent[pack.digest][: pack.frames[0].stored], 8, pack.digest) == b"onethree"
    with pytest.raises(ValueError, match="is not a pack"):
        packs.directory(sent[pack.digest][:-1] + b"0", pack.digest)
