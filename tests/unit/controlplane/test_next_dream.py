"""When a memory dreams: once in each of its nights, after the digest of that hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import manifests
from controlplane.planning import next_dream, share
from tests.tables import table

HOUR = timedelta(hours=1)
SPREAD = timedelta(minutes=50)
USERS = tuple(f"user-{number}" for number in range(40))


@table(
    ("zone", "now"),
    [
        ("UTC", datetime(2027, 3, 1, 3, 30, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2027, 3, 1, 3, 30, tzinfo=UTC)),
        ("America/Los_Angeles", datetime(2027, 3, 1, 9, 59, tzinfo=UTC)),
        ("Asia/Kolkata", datetime(2027, 3, 1, 21, 15, tzinfo=UTC)),
        ("Pacific/Kiritimati", datetime(2027, 3, 1, 11, tzinfo=UTC)),
        # Nights in which the clocks go forward, and back.
        ("Europe/Berlin", datetime(2027, 3, 27, 22, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2027, 10, 30, 22, tzinfo=UTC)),
    ],
)
def test_the_next_dream_is_in_the_users_next_night_after_the_digest(zone: str, now: datetime) -> None:
    first, end = manifests.limits()["dream_hours"]
    pause = timedelta(seconds=manifests.limits()["dream_after_digest"])
    for user in USERS:
        night, start = next_dream(user, ZoneInfo(zone), SPREAD, now)
        local = start.astimezone(ZoneInfo(zone))
        assert local.date() == night
        assert first <= local.hour < end
        assert now < start <= now + timedelta(days=1, hours=end - first)
        digest = (start - pause).replace(minute=0, second=0, microsecond=0) + SPREAD * share(user)
        assert (start - pause - digest) % HOUR == timedelta(0)


def test_dreams_follow_each_other_night_by_night_at_changing_hours() -> None:
    zone, at = ZoneInfo("America/New_York"), datetime(2027, 3, 1, tzinfo=UTC)
    nights, hours = [], set()
    for _ in range(14):
        night, at = next_dream("a user", zone, SPREAD, at)
        nights.append(night)
        hours.add(at.astimezone(zone).hour)
    assert nights == [nights[0] + timedelta(days=number) for number in range(14)]
    assert len(hours) == 3, "another plan at one hour of the night must not meet all dreams"


def test_the_dreams_of_many_users_are_spread_over_the_night() -> None:
    starts = [next_dream(user, ZoneInfo("UTC"), SPREAD, datetime(2027, 3, 1, tzinfo=UTC))[1] for user in USERS]
    assert len(set(starts)) == len(USERS)
    assert {start.hour for start in starts} >= {2, 3, 4}
