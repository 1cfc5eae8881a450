"""The reference workspace: as large and as shaped as a fresh GBrain with evidence pages beside it.

A look-alike by count, sizes and compressibility: 1,430 database files of 44 MB in 8 KiB pages (hundreds of them empty),
one of them a 16 MB write-ahead log, 15 empty folders, and ``pages`` markdown pages of 1-8 KB.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

PAGE: Final = 8192
FILES: Final = 1430
EMPTY_FILES: Final = 282
EMPTY_FOLDERS: Final = 15
WAL_BYTES: Final = 16 << 20
HEAP_BYTES: Final = 28 << 20
_WORDS: Final = ["".join(random.Random(n).choices("etaoinshrdlucmfwypvbgkjq", k=3 + n % 7)) for n in range(4000)]


def build(root: Path, pages: int = 2000, seed: int = 1) -> None:
    """Fill an empty folder."""
    draw = random.Random(seed)
    for name in ("hermes-home/sessions", "brain/people", "runtime/job-runs", "gbrain-home/.gbrain/brain.pglite"):
        (root / name).mkdir(parents=True)
    _database(root / "gbrain-home/.gbrain/brain.pglite", draw)
    for n in range(pages):
        folder = root / f"brain/sources/cloop/source-{n % 8}/{n // 400:03d}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"page-{n:06d}.md").write_bytes(text(draw, 1000 + draw.randrange(7000)))


def change(root: Path, seed: int, pages: int = 17) -> None:
    """What an hourly digest leaves: 17 pages, a page in each of 2 heap files, a few pages of the log."""
    draw = random.Random(seed)
    for path in draw.sample(sorted((root / "brain/sources").rglob("*.md")), pages):
        path.write_bytes(path.read_bytes() + text(draw, 200))
    base = root / "gbrain-home/.gbrain/brain.pglite"
    heaps = sorted(path for path in (base / "base").rglob("*") if path.is_file() and path.stat().st_size >= 10 * PAGE)
    for path in draw.sample(heaps, 2):
        _overwrite(path, draw.randrange(path.stat().st_size // PAGE) * PAGE, page(draw))
    log = next((base / "pg_wal").iterdir())
    _overwrite(log, draw.randrange(WAL_BYTES // PAGE // 2) * PAGE, b"".join(page(draw) for _ in range(4)))


def text(draw: random.Random, size: int) -> bytes:
    return " ".join(draw.choices(_WORDS, k=size // 6 + 1)).encode()[:size]


def page(draw: random.Random) -> bytes:
    """A heap page: pointers, a third of it rows, the rest free."""
    rows = draw.randbytes(300) + text(draw, draw.randrange(1500, 3500))
    return (draw.randbytes(24) + rows).ljust(PAGE, b"\0")


def _database(base: Path, draw: random.Random) -> None:
    for n in range(EMPTY_FOLDERS):
        (base / f"pg_empty_{n}").mkdir()
    (base / "pg_wal").mkdir()
    used = WAL_BYTES // PAGE // 8
    log = b"".join(page(draw) for _ in range(used)).ljust(WAL_BYTES, b"\0")
    (base / "pg_wal/000000010000000000000001").write_bytes(log)
    (base / "base/1").mkdir(parents=True)
    full = FILES - EMPTY_FILES - 1
    left = HEAP_BYTES // PAGE - full
    for n in range(full):
        extra = min(left, draw.choice((0, 0, 0, 1, 1, 2, 30 if n % 40 == 0 else 0)))
        extra = left if n == full - 1 else extra
        left -= extra
        (base / f"base/1/{16384 + n}").write_bytes(b"".join(page(draw) for _ in range(1 + extra)))
    for n in range(EMPTY_FILES):
        (base / f"base/1/{30000 + n}").touch(mode=0o600)


def _overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)
