"""
When the next digest is due without any news: something falls due, a meeting comes near, the morning of a day that has
something in it, or room for what did not fit. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from consumer.reports import news
from consumer.reports.preferences import ReaderPreferences
from consumer.understanding.memory import Loop, Memory

#: A loop or a meeting is told that long before its time.
AHEAD: Final = timedelta(hours=24)
#: What waits for room is told that much later.
SOON: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)


def next_wake(
    memory: Memory, now: datetime, zone: str, reads_as: ReaderPreferences, *, waits: bool = False
) -> datetime | None:
    """The first moment after ``now`` (aware) at which a digest has something to tell although nothing new came in;
    None: there is none. In UTC. ``waits``: whether something that can be told waits for a digest with room.

    Never in the user's night: what comes near or falls due in it is told the next morning. A date without a time counts
    from the morning: nobody needs to hear of it at midnight.
    """
    moments = _Moments(now.astimezone(_zone(zone)), reads_as)
    open_loops = memory.own_loops()
    candidates = [moment for loop in open_loops for moment in moments.of_loop(loop)]
    # A loop that the user put off comes back on its day.
    candidates += [
        moments.morning_of(date.fromisoformat(loop.snoozed_until))
        for loop in memory.loops
        if loop.state == "open" and loop.snoozed_until > memory.now[:10]
    ]
    for meeting in memory.upcoming():
        if len(meeting.starts) >= 16:
            starts = datetime.fromisoformat(f"{meeting.starts[:10]}T{meeting.starts[11:16]}").replace(
                tzinfo=moments.now.tzinfo
            )
            candidates.append(moments.morning_of(starts.date()))
            if reads_as.is_early(starts.time()) or any(
                news.open_with(meeting.attendees, open_loops, moments.now.date())
            ):
                candidates.append(starts - AHEAD)
    if waits:
        candidates.append(moments.now + SOON)
    # Compared in UTC: on the user's own clock an hour may come twice.
    following = [moments.by_day(moment).astimezone(UTC) for moment in candidates]
    return min((moment for moment in following if moment > now), default=None)


class _Moments:
    """``now``: on the user's clock."""

    def __init__(self, now: datetime, reads_as: ReaderPreferences) -> None:
        self.now, self._reads_as = now, reads_as

    def morning_of(self, day: date) -> datetime:
        return datetime.combine(day, self._reads_as.morning, self.now.tzinfo)

    def by_day(self, moment: datetime) -> datetime:
        """The moment itself, or the morning that ends the night in which it lies."""
        if not self._reads_as.is_night(moment.time()):
            return moment
        day = moment.date()
        return self.morning_of(day if moment.time() < self._reads_as.morning else day + _DAY)

    def of_loop(self, loop: Loop) -> Iterator[datetime]:
        """When a loop comes near, when its day begins, and when it is overdue."""
        if loop.due is None:
            return
        try:
            day = date.fromisoformat(loop.due.last_day)
            clock = time.fromisoformat(loop.due.time) if loop.due.time else None
        except ValueError:
            return
        if not date.min.year < day.year < date.max.year:
            return
        yield self.morning_of(day)
        if clock is None:
            yield self.morning_of(day - _DAY)
            yield self.morning_of(day + _DAY)
            return
        at = datetime.combine(day, clock, self.now.tzinfo)
        yield at - AHEAD
        # A minute later: at its very time it is due, and not overdue yet.
        yield at + timedelta(minutes=1)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: a folder of zones, such as Europe
        return ZoneInfo("UTC")
