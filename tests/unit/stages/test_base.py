"""What a run is called by."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tests.fake_export import FakeExport, run_of


@pytest.mark.parametrize(
    ("job_type", "period", "name"),
    [
        ("hourly_digest", None, "2026-03-01T23"),
        ("hourly_digest", "2026-03-01T09", "2026-03-01T09"),
        ("backfill_digest", None, "2026-03-01"),
        ("insight", "2026-02-27", "2026-02-27"),
    ],
)
def test_a_run_is_named_by_its_period_or_by_when_it_was_asked_for(
    tmp_path: Path, job_type: str, period: str | None, name: str
) -> None:
    asked = datetime.fromisoformat("2026-03-02T01:30:00+02:00")
    run = run_of(tmp_path, FakeExport(), job_type, period=period, requested_at=asked)
    assert run.period == name


@pytest.mark.parametrize(
    ("asked", "hour"),
    [
        # Two hours that a clock in Berlin calls 02:30, and a zone of half hours.
        ("2026-10-25T02:30:00+02:00", "2026-10-25T00"),
        ("2026-10-25T02:30:00+01:00", "2026-10-25T01"),
        ("2026-11-27T00:15:00+05:30", "2026-11-26T18"),
        ("2026-11-27T14:59:59.999999Z", "2026-11-27T14"),
    ],
)
def test_a_digest_by_hand_is_named_by_its_hour_in_utc(tmp_path: Path, asked: str, hour: str) -> None:
    assert run_of(tmp_path, FakeExport(), requested_at=asked).period == hour
