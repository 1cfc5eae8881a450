"""The digests of the sample user's sixty days, hour by hour, compared with what a careful reader would want reported.

    python -m bench.digests [--since 2026-09-29] [--until 2026-12-16] [--story-only] [--show] [--unread]

Rows arrive as the app wrote them, each hour with news or with something due runs the real export, render and report
stages (``tests/replay.py``), and code judges every digest by tests/data/story/expected.yaml (``tests/told.py``). There
is no model and no brain: code alone writes the digests. After 28 November nothing new comes in, but what falls due is
still reported.

Prints the moments that no digest reported, and the lines that match nothing expected. ``--show`` prints every digest.
tests/data/story/judged.yaml has the verdict on each line of a reader who saw only the line and its quotations;
``--unread`` prints the lines that nobody has judged, with their quotations, as rows of that file.

The command fails (1) below its bars: 90 % of the expected things at each of their moments; of the lines that a person
reads at most 5 % that are not worth it, and at most 5 % that are in doubt, which are those that nobody judged and those
about nothing expected that no reader called worth reading; nothing of what a rule holds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from tests import sample_user, told
from tests.replay import Replay
from tests.told import Verdict

TOLD: Final = 0.9
NOT_WORTH_IT: Final = 0.05
IN_DOUBT: Final = 0.05
#: Time of the backfill on the first day.
FIRST_HOUR: Final = timedelta(hours=9)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.digests", description=__doc__)
    parser.add_argument("--since", default="2026-09-29", help="day of the backfill")
    parser.add_argument("--until", default="2026-12-16", help="day on which the replay ends")
    parser.add_argument(
        "--story-only", action="store_true", help="leave out the records of quiet days, which takes less time"
    )
    parser.add_argument("--show", action="store_true", help="print every digest")
    parser.add_argument("--unread", action="store_true", help="print the lines that no reader has judged")
    args = parser.parse_args()
    first = datetime.fromisoformat(args.since).replace(tzinfo=told.ZONE) + FIRST_HOUR
    end = datetime.fromisoformat(args.until).replace(tzinfo=told.ZONE)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        replay = Replay(Path(folder), sample_user.story()[0], story_only=args.story_only)
        replay.backfill(first)
        digests = list(replay.until(first + timedelta(hours=1), end))
    verdict = told.judge(digests, first, end)
    if args.show:
        _print(*told.told_rows(digests))
    _print(f"{len(digests)} digests of {replay.jobs} jobs, {time.monotonic() - began:.0f} s")
    _print(f"things told at each of their moments: {len(verdict.told_in_time)} of {len(verdict.entries)}")
    hits = len(verdict.moments) - len(verdict.missed)
    _print(f"moments told by the noon of the next day: {_part(hits, len(verdict.moments))}")
    _print(f"moments told on the very day: {_part(hits - len(verdict.late), len(verdict.moments))}")
    _print(f"missed: {len(verdict.missed)}")
    _print(*(f"  {m.kind} {m.since:%d %b %H:%M} to {m.until:%d %b %H:%M}: {m.entry.gist}" for m in verdict.missed))
    _print(f"lines above the fold: {len(verdict.above)}; about nothing expected: {len(verdict.unexpected)}")
    _print(*(f"  {told.row_of(line)}" for line in verdict.unexpected))
    _print(f"about something expected, at another time: {len(verdict.untimely)}")
    _print(*(f"  {told.row_of(line)}" for line in verdict.untimely))
    _print(f"held by a rule, and told: {len(verdict.leaked)}")
    _print(*(f"  {told.row_of(line)}" for line in verdict.leaked))
    given = told.readings()
    of_lines = _of_lines(verdict, given)
    counts = ", ".join(f"{of_lines.count(name)} {name}" for name in told.VERDICTS)
    unread = told.unread(verdict, given)
    _print(f"read by somebody who saw the line and its quotations: {len(of_lines)} ({counts}); unread: {len(unread)}")
    if args.unread:
        _print(*told.unread_rows(unread))
    failed = list(below_bars(verdict, given))
    _print(*(f"FAILED: {bar}" for bar in failed))
    return 1 if failed else 0


def below_bars(verdict: Verdict, given: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """The bars that a run misses. ``given``: the verdicts of readers (``told.readings``)."""
    in_time, lines = len(verdict.told_in_time), len(verdict.above)
    of_lines = _of_lines(verdict, given)
    if in_time < TOLD * len(verdict.entries):
        yield f"things told at each of their moments: {_part(in_time, len(verdict.entries))}"
    bad = len(of_lines) - of_lines.count("worth")
    if bad > NOT_WORTH_IT * len(of_lines):
        yield f"lines not worth reading: {_part(bad, len(of_lines))}"
    doubtful = len(told.doubtful(verdict, given))
    if doubtful > IN_DOUBT * lines:
        yield f"lines in doubt: {_part(doubtful, lines)}"
    if verdict.leaked:
        yield f"lines about what a rule holds: {len(verdict.leaked)}"


def _of_lines(verdict: Verdict, given: Mapping[tuple[str, str], str]) -> list[str]:
    """The verdicts on the lines above the fold that somebody judged."""
    return [given[told.reading_key(line)] for line in verdict.above if told.reading_key(line) in given]


def _part(some: int, whole: int) -> str:
    return f"{some} of {whole}" + (f" ({some / whole:.0%})" if whole else "")


def _print(*rows: object) -> None:
    sys.stdout.write("".join(f"{row}\n" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
