"""
Render and export throughput beside the floor: parsing the same lines with orjson and writing as many bytes to files.

    python -m bench.evidence [--small 10000] [--transcripts 200] [--million]

Small records are checklist items (about 30 a day); transcripts are about 60 KB each. Medians of RUNS, one process.
``--million``: exports 1,000,000 records once from a generator and prints the peak memory.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import orjson

import manifests
from consumer.adapters.recordindex import open_index, open_sightings
from consumer.stages.base import Run
from consumer.stages.export import Export
from consumer.stages.render import Render
from contract.api import BatchRequest, BatchResponse
from contract.records import Record
from tests.fake_export import EPOCH, OpenGuard, record, run_of

RUNS: Final = 5
_WORDS: Final = "the plan is to call the team about the budget and move the launch by two weeks if needed "


@dataclass(slots=True)
class Feed:
    """A session that serves one source from a function of the record's number."""

    source: str
    total: int
    make: Callable[[int], Record]

    def batch(self, request: BatchRequest) -> BatchResponse:
        if request.mode == "inventory" or self.source not in request.source_keys:
            return BatchResponse()
        start = int(request.cursor.get("n", 0))
        end = min(start + request.limit, self.total)
        records = tuple(self.make(number) for number in range(start, end))
        return BatchResponse(
            records=records,
            next_cursor={"n": end},
            source_counts={self.source: self.total},
            has_more=end < self.total,
        )


def small(number: int) -> Record:
    """A checklist item, 30 a day."""
    when = EPOCH + timedelta(minutes=48 * number)
    data = {
        "title": f"Call person {number % 50} about topic {number % 7}",
        "description": _WORDS[: 40 + number % 40],
        "people": [{"name": f"Person {number % 50}"}],
        "project": f"Project {number % 9}",
        "checked": number % 3 == 0,
        "priority": number % 5,
        "due_at": when.isoformat(),
    }
    return record("checklist_items", f"item-{number}", data, when, when)


def transcript(number: int) -> Record:
    """A meeting of about 60 KB."""
    when = EPOCH + timedelta(hours=5 * number)
    lines = "\n".join(f"Speaker {n % 4}: {_WORDS}{n}" for n in range(600))
    attendees = [{"name": f"Person {n}"} for n in range(4)]
    data = {"title": f"Meeting {number}", "meeting_started_at": when.isoformat(), "attendees": attendees}
    return record("granola_transcripts", f"t-{number}", {**data, "transcript": lines}, when, when)


def export(root: Path, session: Any, number: int = 1) -> tuple[Run, float]:
    """-> (run, seconds)."""
    stage = Export(manifests.export_manifest(), open_sightings, force=True)
    start = time.perf_counter()
    done = stage.run(run_of(root, session, "backfill_digest", number), OpenGuard())
    return done, time.perf_counter() - start


def render(run: Run) -> tuple[Run, float]:
    """-> (run, seconds)."""
    stage = Render(manifests.export_manifest(), open_index)
    start = time.perf_counter()
    done = stage.run(run, OpenGuard())
    return done, time.perf_counter() - start


def floor(root: Path, run: Run, out: Path) -> float:
    """Seconds to parse every raw line with orjson and to write the pages' bytes, one file a page."""
    assert run.exported is not None
    assert run.exported.manifest is not None
    assert run.rendered is not None
    raws = sorted((root / run.exported.manifest).parent.glob("*.jsonl"))
    bodies = [(root / "brain" / path).read_bytes() for path in run.rendered.changed]
    start = time.perf_counter()
    for raw in raws:
        with raw.open("rb") as file:
            for line in file:
                orjson.loads(line)
    for number, body in enumerate(bodies):
        (out / f"{number}.md").write_bytes(body)
    return time.perf_counter() - start


def measure(name: str, session: Feed) -> dict[str, Any]:
    """Medians over RUNS: export, render, floor, and a second backfill in which nothing changed."""
    seconds: dict[str, list[float]] = {"export": [], "render": [], "floor": [], "again": []}
    size = 0
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
            root = Path(folder)
            run, took = export(root, session)
            seconds["export"].append(took)
            run, took = render(run)
            seconds["render"].append(took)
            assert run.exported is not None
            size = sum(run.exported.source_bytes.values())
            seconds["floor"].append(floor(root, run, Path(out)))
            again, took = export(root, session, 2)
            seconds["again"].append(took + render(again)[1])
    medians = {key: statistics.median(values) for key, values in seconds.items()}
    return {"name": name, "records": session.total, "bytes": size, **medians}


def show(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A table for people."""
    heads = ("export s", "render s", "rec/s", "MB/s", "floor s", "again s")
    yield f"{'what':12} {'records':>8} {'MB':>7} " + " ".join(f"{head:>9}" for head in heads)
    for row in rows:
        megabytes = row["bytes"] / 1e6
        rates = (row["records"] / row["render"], megabytes / row["render"])
        figures = (row["export"], row["render"], *rates, row["floor"], row["again"])
        yield f"{row['name']:12} {row['records']:>8} {megabytes:>7.1f} " + " ".join(f"{n:>9.3f}" for n in figures)


def million(total: int) -> str:
    """Export of many records: seconds and peak resident memory of this process."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        run, took = export(Path(folder), Feed("checklist_items", total, small))
    assert run.exported is not None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    memory = f"peak {peak / 1024:.0f} MiB (before: {before / 1024:.0f})"
    return f"exported {run.exported.records} records in {took:.1f} s, {memory}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--transcripts", type=int, default=200)
    parser.add_argument("--million", type=int, nargs="?", const=1_000_000, default=0)
    options = parser.parse_args()
    if options.million:
        print(million(options.million))
        return
    rows = [
        measure("small", Feed("checklist_items", options.small, small)),
        measure("transcripts", Feed("granola_transcripts", options.transcripts, transcript)),
    ]
    print("\n".join(show(rows)))


if __name__ == "__main__":
    main()
