"""
How much memory persist and hydrate take, by bytes and by files: each in a process of its own, its peak from wait4.

    python -m bench.workspace_memory [--gb 1 4] [--files 2000 20000 200000] [--folder DIR]

``--gb`` is one file of blocks that all differ, with a page of random bytes in each and holes between, so that the
workspace is as long as it says and its disk need not be. ``--files`` are pages of 1-2 KB. The store has no cache and
the bucket is a process of its own, so what is counted is the store's own memory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.gcs import BUCKET, served
from bench.workspace import Ours
from consumer.snapshot.snapshot import BLOCK_BYTES
from consumer.storage.gcs import GcsBlobStore
from service.clock import SystemClock

GB: Final = 1 << 30
FILE_BYTES: Final = 256 << 20
PAGE: Final = 8192


def build_large(root: Path, size_bytes: int) -> None:
    """Files of 256 MB in which every block differs by one page."""
    draw = random.Random(1)
    folder = root / "gbrain-home/base"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(size_bytes // FILE_BYTES):
        with (folder / f"heap-{number}").open("wb") as file:
            file.truncate(FILE_BYTES)
            for offset in range(0, FILE_BYTES, BLOCK_BYTES):
                file.seek(offset)
                file.write(draw.randbytes(PAGE))


def build_many(root: Path, files: int) -> None:
    """Pages of 1 to 2 KB."""
    draw = random.Random(2)
    for number in range(files):
        path = root / f"brain/sources/cloop/notes/{number // 500:04d}/page-{number:07d}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(draw.randbytes(512).hex().encode() + b"\n" * draw.randrange(1000))


def act(endpoint: str, scratch: Path, user: str, what: str, folder: Path) -> None:
    """In the measured process: one persist of a folder on an empty history, or one hydrate into a fresh folder."""
    blobs = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=endpoint)
    ours = Ours(blobs, scratch, user=user)
    store = ours.store()
    if what == "persist":
        ours.hydrate(store, scratch / "empty")
        ours.persist(store, folder)
    elif what == "hydrate":
        ours.hydrate(store, folder)
    store.close()


def peak_mb(endpoint: str, scratch: Path, user: str, what: str, folder: Path) -> float:
    """Peak resident memory of a process that does this, MB."""
    command = [sys.executable, "-m", "bench.workspace_memory", "--act", endpoint, str(scratch), user, what, str(folder)]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{what} of {folder.name} ended with {process.returncode}")
    return usage.ru_maxrss / 1024


def rows(endpoint: str, scratch: Path, sizes: list[tuple[str, int]]) -> Iterator[dict[str, object]]:
    """One row a size: peaks of an idle process, of persist and of hydrate."""
    for number, (kind, amount) in enumerate(sizes):
        source, user = scratch / "source", f"00000000-0000-4000-8000-{number:012d}"
        if kind == "gb":
            build_large(source, amount * GB)
        else:
            build_many(source, amount)
        row: dict[str, object] = {"kind": kind, "amount": amount}
        row["idle_mb"] = round(peak_mb(endpoint, scratch, user, "nothing", source))
        row["persist_mb"] = round(peak_mb(endpoint, scratch, user, "persist", source))
        shutil.rmtree(source)
        row["hydrate_mb"] = round(peak_mb(endpoint, scratch, user, "hydrate", scratch / "cold"))
        shutil.rmtree(scratch / "cold")
        shutil.rmtree(scratch / "empty")
        yield row


def main() -> None:
    if sys.argv[1:2] == ["--act"]:
        endpoint, scratch, user, what, folder = sys.argv[2:]
        act(endpoint, Path(scratch), user, what, Path(folder))
        return
    parser = argparse.ArgumentParser(prog="python -m bench.workspace_memory", description=__doc__)
    parser.add_argument("--gb", type=int, nargs="*", default=[1, 4])
    parser.add_argument("--files", type=int, nargs="*", default=[2000, 20000])
    parser.add_argument("--folder", type=Path, help="where to work; the system's temporary folder if not given")
    options = parser.parse_args()
    sizes = [("gb", amount) for amount in options.gb] + [("files", amount) for amount in options.files]
    results_by_size: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(dir=options.folder) as name, served(Path(name) / "gcs") as gcs:
        print(f"{'what':<16}{'idle MB':>10}{'persist MB':>12}{'hydrate MB':>12}")
        for row in rows(gcs.endpoint, Path(name), sizes):
            results_by_size.append(row)
            what = f"{row['amount']} {row['kind']}"
            print(f"{what:<16}{row['idle_mb']:>10}{row['persist_mb']:>12}{row['hydrate_mb']:>12}", flush=True)
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    (results / "workspace-memory.json").write_text(json.dumps(results_by_size, indent=1))


if __name__ == "__main__":
    main()
