"""Records as they cross the wire: times of any offset come out in UTC, and those that have no UTC are refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from contract.records import Record
from tests.fake_export import record

_offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_moments = st.datetimes(timezones=_offsets)


@given(_moments, st.sampled_from(["occurred_at", "updated_at"]))
def test_a_time_is_the_same_moment_in_utc_or_the_record_is_refused(moment: datetime, name: str) -> None:
    document = record("feedback", "a", {"message": "x"}).model_dump(mode="json")
    wire = {**document, name: moment.isoformat()}
    try:
        expected = moment.astimezone(UTC)
    except OverflowError:
        with pytest.raises(ValidationError, match="outside the years 1 to 9999"):
            Record.model_validate(wire)
        return
    value = getattr(Record.model_validate(wire), name)
    assert value == expected
    assert value.tzinfo is UTC


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
def test_the_edges_of_time_are_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="outside the years 1 to 9999"):
        record("feedback", "a", {"message": "x"}, datetime.fromisoformat(text))
