"""
Render and export throughput beside the floor: parsing the same lines with orjson and writing as many bytes to files.

    python -m bench.evidence [--small 10000] [--transcripts 200] [--million]

Small records are checklist items (about 30 a day); transcripts are about 60 KB each. Rendering is told apart from
what the rules read in the records, which has a bench of its own (bench.rules) and takes most of a first run. Medians of
RUNS, one process, on a memory-backed disk where there is one, as on Cloud Run. Rates are by CPU time, "per core", so
that other work on the machine counts little. Peer for markdown with front matter: python-frontmatter, the same pages
written and read. ``--million``: exports and renders 1,000,000 records once from a generator and prints the peak memory
of each.
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
from typing import Any, Final, TypeVar
from unittest.mock import patch

import frontmatter
import orjson

import manifests
from consumer import bootstrap
from consumer.evidence import pages
from consumer.evidence.index import open_index, open_sightings
from consumer.run import Run
from consumer.stages.export import Export
from consumer.stages.render import Render, Rendering
from contract.api import BatchRequest, BatchResponse
from contract.records import Record
from renderers import markdown as md
from tests.fake_export import EPOCH, OpenGuard, record, run_of

RUNS: Final = 5
#: A memory-backed folder, or wherever temporary files go.
RAM: Final = "/dev/shm" if Path("/dev/shm").is_dir() else None
PEER_PAGES: Final = 300
Result = TypeVar("Result")
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


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds: of the clock, and of this process's CPU."""

    wall: float
    cpu: float

    def __add__(self, other: Took) -> Took:
        return Took(self.wall + other.wall, self.cpu + other.cpu)

    def __sub__(self, other: Took) -> Took:
        return Took(self.wall - other.wall, self.cpu - other.cpu)


def timed(work: Callable[[], Result]) -> tuple[Result, Took]:
    """The work's result and its duration."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, Took(time.perf_counter() - wall, time.process_time() - cpu)


def export(root: Path, session: Any, number: int = 1) -> Run:
    stage = Export(manifests.export_manifest(), open_sightings, force=True)
    return stage.run(run_of(root, session, "backfill_digest", number), OpenGuard())


def render(run: Run) -> Run:
    return Render(manifests.export_manifest(), open_index).run(run, OpenGuard())


def render_and_read(run: Run) -> tuple[Run, Took, Took]:
    """Render; -> (the run, what rendering took, what the rules' reading of the records took within it)."""
    understand, reading = Rendering._understand, []

    def timed_reading(rendering: Rendering) -> None:
        reading.append(timed(lambda: understand(rendering))[1])

    with patch.object(Rendering, "_understand", timed_reading):
        rendered, took = timed(lambda: render(run))
    return rendered, took - reading[0], reading[0]


def raw_lines(run: Run) -> Iterator[bytes]:
    """Every line of the raw export."""
    assert run.exported is not None
    assert run.exported.manifest is not None
    for raw in sorted((run.root / run.exported.manifest).parent.glob("*.batch-*.jsonl")):
        with raw.open("rb") as file:
            yield from file


def floor(run: Run, bodies: Sequence[bytes], out: Path) -> None:
    """Parse every raw line with orjson, and write the pages' bytes, one file a page."""
    for line in raw_lines(run):
        orjson.loads(line)
    for number, body in enumerate(bodies):
        (out / f"{number}.md").write_bytes(body)


def again(root: Path, session: Feed) -> None:
    """A second backfill in which nothing changed."""
    render(export(root, session, 2))


def once(session: Feed) -> tuple[dict[str, Took], int, list[bytes]]:
    """One run in folders of its own: seconds by what, bytes exported, the pages."""
    with tempfile.TemporaryDirectory(dir=RAM) as folder, tempfile.TemporaryDirectory(dir=RAM) as out:
        root = Path(folder)
        exported, took_export = timed(lambda: export(root, session))
        rendered, took_render, took_read = render_and_read(exported)
        assert rendered.rendered is not None
        assert rendered.exported is not None
        bodies = [(root / "brain" / path).read_bytes() for path in rendered.rendered.changed]
        _, took_floor = timed(lambda: floor(rendered, bodies, Path(out)))
        _, took_again = timed(lambda: again(root, session))
        size = sum(rendered.exported.source_bytes.values())
        took = {
            "export": took_export,
            "render": took_render,
            "read": took_read,
            "floor": took_floor,
            "again": took_again,
        }
        return took, size, bodies


def measure(name: str, session: Feed) -> tuple[dict[str, Any], list[bytes]]:
    """Medians over RUNS, and the pages of the last run."""
    results = [once(session) for _ in range(RUNS)]
    medians = {
        key: Took(
            statistics.median(took[key].wall for took, _, _ in results),
            statistics.median(took[key].cpu for took, _, _ in results),
        )
        for key in results[0][0]
    }
    return {"name": name, "records": session.total, "bytes": results[0][1], **medians}, results[-1][2]


def show(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A table for people: CPU seconds, the clock's behind the slash."""
    heads = ("export s", "render s", "read s", "floor s", "again s")
    yield f"{'what':12} {'records':>8} {'MB':>6} " + " ".join(f"{head:>13}" for head in heads) + "  x floor"
    for row in rows:
        took = [row[head.split()[0]] for head in heads]
        cells = " ".join(f"{times.cpu:6.3f}/{times.wall:6.3f}" for times in took)
        ratio = row["render"].cpu / row["floor"].cpu
        yield f"{row['name']:12} {row['records']:>8} {row['bytes'] / 1e6:>6.1f} {cells}  {ratio:7.1f}"


def bars(small_row: dict[str, Any], transcript_row: dict[str, Any]) -> Iterator[str]:
    """The bars, and whether they are met."""
    rate = small_row["records"] / small_row["render"].cpu
    megabytes = transcript_row["bytes"] / 1e6 / transcript_row["render"].cpu
    yield _bar("small records rendered", f"{rate:,.0f}/s", ">= 15,000/s", met=rate >= 15_000)
    yield _bar("transcripts rendered", f"{megabytes:.1f} MB/s", ">= 30 MB/s", met=megabytes >= 30)
    for row in (small_row, transcript_row):
        first = row["export"] + row["render"] + row["read"]
        ratio = row["again"].cpu / first.cpu
        yield _bar(f"second run without change, {row['name']}", f"{ratio:.3f} of the first", "<= 0.1", met=ratio <= 0.1)


def _bar(what: str, value: str, bar: str, *, met: bool) -> str:
    return f"{what:40} {value:>20}   bar {bar:12} {'met' if met else 'MISSED'}"


def peer(bodies: Sequence[bytes]) -> Iterator[str]:
    """The same pages with python-frontmatter (PyYAML): written from metadata and text, and read back."""
    texts = [body.decode() for body in bodies][:PEER_PAGES]
    posts: list[Any]
    posts, theirs_read = timed(lambda: [frontmatter.loads(text) for text in texts])
    _, theirs_written = timed(lambda: [frontmatter.dumps(post) for post in posts])
    _, ours_split = timed(lambda: [pages.split_front_matter(text) for text in texts])
    _, ours_read = timed(lambda: [pages.parse(f"sources/x/p{n}", text.encode()) for n, text in enumerate(texts)])
    _, ours_written = timed(lambda: [md.document(md.front_matter(post.metadata), [post.content]) for post in posts])
    rows = (
        ("read as theirs does, front matter and text", ours_split, theirs_read),
        ("read whole, with anchors, sections and links, which theirs leaves out", ours_read, theirs_read),
        ("written", ours_written, theirs_written),
    )
    for what, ours, theirs in rows:
        yield (
            f"{len(texts)} pages {what}: {ours.cpu:.3f} s, python-frontmatter {theirs.cpu:.3f} s,"
            f" {theirs.cpu / ours.cpu:.1f} x as fast"
        )


def million(total: int) -> Iterator[str]:
    """Export, then render of many records: seconds and peak resident memory of this process after each."""
    yield f"before: peak {_peak_mib():.0f} MiB"
    with tempfile.TemporaryDirectory() as folder:
        run, took = timed(lambda: export(Path(folder), Feed("checklist_items", total, small)))
        assert run.exported is not None
        yield f"exported {run.exported.records:,} records in {took.wall:.1f} s: peak {_peak_mib():.0f} MiB"
        run, took = timed(lambda: render(run))
        assert run.rendered is not None
        yield f"rendered {len(run.rendered.changed):,} pages in {took.wall:.1f} s: peak {_peak_mib():.0f} MiB"


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def prepared(source: str, total: int, make: Callable[[int], Record]) -> Feed:
    """A feed whose records are there already: making them is not what is measured."""
    return Feed(source, total, [make(number) for number in range(total)].__getitem__)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--transcripts", type=int, default=200)
    parser.add_argument("--million", type=int, nargs="?", const=1_000_000, default=0)
    options = parser.parse_args()
    # As the consumer's processes do when they start.
    bootstrap.settle_memory()
    if options.million:
        for line in million(options.million):
            print(line, flush=True)
        return
    small_row, bodies = measure("small", prepared("checklist_items", options.small, small))
    transcript_row, _ = measure("transcripts", prepared("granola_transcripts", options.transcripts, transcript))
    lines = [*show([small_row, transcript_row]), "", *bars(small_row, transcript_row), "", *peer(bodies)]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
