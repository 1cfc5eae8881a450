"""Where a page of an hourly tick begins, and at whom an hour looks without a mark."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from controlplane.errors import ApiFault
from controlplane.planning import PlanningPlace, hours_share
from tests.tables import table

USER = uuid.UUID("11111111-1111-4111-8111-111111111111")


@table(
    "place",
    [
        PlanningPlace(),
        PlanningPlace("waking", USER, datetime(2026, 11, 27, 9, 30, tzinfo=UTC)),
        PlanningPlace("daily", USER),
    ],
)
def test_a_page_is_read_as_it_was_written(place: PlanningPlace) -> None:
    assert PlanningPlace.read(str(place)) == place


def test_the_first_page_has_no_name_and_an_earlier_release_wrote_the_user_alone() -> None:
    assert PlanningPlace.read(None) == PlanningPlace.read("") == PlanningPlace("marked")
    assert PlanningPlace.read(str(USER)) == PlanningPlace("marked", USER)


@table("page", ["x", "marked/x/2026-11-27T09:30:00Z", f"other/{USER}/2026-11-27T09:30:00Z", f"daily/{USER}/soon",
                f"daily/{USER}/2026-11-27T09:30:00", f"daily/{USER}"])  # fmt: skip
def test_what_this_server_did_not_write_is_refused(page: str) -> None:
    with pytest.raises(ApiFault, match="is not a next_page that this server issued") as fault:
        PlanningPlace.read(page)
    assert fault.value.status == 422


def test_the_rounds_follow_each_other_and_end() -> None:
    first = PlanningPlace("marked", USER)
    second = first.next_round()
    assert second == PlanningPlace("waking")
    third = second.next_round() if second else None
    assert third == PlanningPlace("daily")
    assert third.next_round() is None


def test_the_hours_of_a_day_share_all_users() -> None:
    shares = [hours_share(hour) for hour in range(24)]
    assert shares[0][0].int == 0
    assert shares[-1][1].int == 2**128 - 1
    for (_, last), (before, _) in pairwise(shares):
        assert before == last
    sizes = {last.int - before.int for before, last in shares[1:]}
    assert max(sizes) - min(sizes) <= 1
