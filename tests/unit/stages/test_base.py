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
