"""Packs are written in bounded memory, however well their contents compress."""

from __future__ import annotations

import hashlib
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest

from consumer.repository.packs import FRAME_BYTES, MAX_FRAMES_AHEAD, PACK_BYTES, PackWriter
from consumer.snapshot.snapshot import BLOCK_BYTES

pytestmark = pytest.mark.properties

FRAMES = 96


def test_what_compresses_well_waits_in_little_room() -> None:
    """A pack is full by its stored bytes, so many frames of it wait; each may take what it stores and no more."""
    sent: list[int] = []
    with ThreadPoolExecutor(4) as pool:
        writer = PackWriter(pool, lambda _digest, data: sent.append(len(data)))
        tracemalloc.start()
        try:
            for number in range(FRAMES * FRAME_BYTES // BLOCK_BYTES):
                content = number.to_bytes(8, "big") * (BLOCK_BYTES // 8)
                writer.add(hashlib.sha256(content).hexdigest()[:32], content)
            packs = writer.finish()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert sum(len(pack.frames) for pack in packs) == FRAMES
    assert sum(sent) < PACK_BYTES, "one pack was waiting all the time"
    # Raw and worst-case room of every frame under way, and one pack twice.
    assert peak < 2 * (MAX_FRAMES_AHEAD + 4) * (FRAME_BYTES + BLOCK_BYTES) + 2 * PACK_BYTES < FRAMES * FRAME_BYTES
