"""Raw files are read back as they were written, some lines together."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.evidence import rawfiles
from consumer.run import Run
from tests.fake_export import EPOCH, FakeExport, Row, export_and_render, run_of


def _written(path: Path, sizes: list[int]) -> list[bytes]:
    rows = [f"{number}:".encode().ljust(size - 1, b"x") + b"\n" for number, size in enumerate(sizes)]
    path.write_bytes(b"".join(rows))
    return rows


@pytest.mark.parametrize(
    ("sizes", "together"),
    [
        ([], []),
        ([10] * 3, [3]),
        ([10] * rawfiles.TOGETHER_LINES, [rawfiles.TOGETHER_LINES]),
        ([10] * (2 * rawfiles.TOGETHER_LINES + 7), [rawfiles.TOGETHER_LINES, rawfiles.TOGETHER_LINES, 7]),
        ([rawfiles.TOGETHER_BYTES + 1, 20, 30], [1, 2]),
        ([rawfiles.TOGETHER_BYTES // 2] * 5, [2, 2, 1]),
    ],
    ids=["empty", "few", "exactly-full", "many", "one-long", "long"],
)
def test_every_line_comes_once_in_order_with_its_place(tmp_path: Path, sizes: list[int], together: list[int]) -> None:
    rows = _written(tmp_path / "x.jsonl", sizes)
    batches = list(rawfiles.batches(tmp_path / "x.jsonl"))
    assert [len(batch) for batch in batches] == together
    lines = [line for batch in batches for line in batch]
    assert [data for _, data in lines] == rows
    assert [offset for offset, _ in lines] == [sum(sizes[:number]) for number in range(len(sizes))]


def test_a_file_of_several_batches_renders_each_record_once(tmp_path: Path) -> None:
    server, total = FakeExport(), rawfiles.TOGETHER_LINES + 3
    for n in range(total):
        server.put("checklist_items", f"i{n}", Row(n, EPOCH, {"title": f"Item {n}"}))
    done: Run = export_and_render(run_of(tmp_path, server, "backfill_digest"), page_records=200)
    assert done.exported is not None
    assert done.rendered is not None
    assert (done.exported.records, done.rendered.unchanged) == (total, 0)
