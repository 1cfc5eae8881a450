"""The digests of the sample user's sixty days, hour by hour, compared with what a careful reader would want reported.

    python -m bench.digests [--since 2026-09-29] [--until 2026-12-16] [--story-only] [--show] [--unread]

Rows arrive as the app wrote them, each hour with news or with something due runs the real export, render and report
stages (``tests/replay.py``), and code judges every digest by tests/data/story/expected.yaml (``tests/told.py``). There
is no model and no brain: code alone writes the digests. After 28 November nothing new comes in, but what falls due is
still reported.

Prints the moments that no digest reported, and the lines that match nothing expected. ``--show`` prints every digest.
tests/data/story/judged.yaml has the verdict on each line of a reader who saw only the line and its quotations;
``--unread`` prints the lines that nobody has judged, with their quotations, as rows of that file. Bars: 90 % of the
expected things at each of their moments, and of the lines that a person reads at most 5 % that are not worth it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from tests import sample_user, told
from tests.replay import Replay

TOLD: Final = 0.9
NOT_WORTH_IT: Final = 0.05
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
    _print(f"moments told: {hits} of {len(verdict.moments)}; missed:")
    _print(*(f"  {m.kind} {m.since:%d %b %H:%M} to {m.until:%d %b %H:%M}: {m.entry.gist}" for m in verdict.missed))
    above = [line for line in verdict.lines if line.part == "lines"]
    _print(f"lines above the fold: {len(above)}; about nothing expected: {len(verdict.unexpected)}")
    _print(*(f"  {told.row_of(line)}" for line in verdict.unexpected))
    _print(f"about something expected, at another time: {len(verdict.untimely)}")
    _print(*(f"  {told.row_of(line)}" for line in verdict.untimely))
    _print(f"held by a rule, and told: {len(verdict.leaked)}")
    _print(*(f"  {told.row_of(line)}" for line in verdict.leaked))
    verdicts = told.readings()
    given = [verdicts[told.reading_key(line)] for line in above if told.reading_key(line) in verdicts]
    unread = [line for line in above if told.reading_key(line) not in verdicts]
    bad = sum(given_verdict != "worth" for given_verdict in given)
    counts = ", ".join(f"{given.count(name)} {name}" for name in told.VERDICTS)
    _print(f"read by somebody who saw the line and its quotations: {len(given)} ({counts}); unread: {len(unread)}")
    if args.unread:
        _print(*told.unread_rows(unread))
    is_worth_it = bad <= NOT_WORTH_IT * len(given)
    is_told = told.share(verdict.told_in_time, verdict.entries) >= TOLD
    return 0 if is_told and is_worth_it and not verdict.leaked else 1


def _print(*rows: object) -> None:
    sys.stdout.write("".join(f"{row}\n" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
