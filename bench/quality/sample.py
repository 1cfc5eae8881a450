"""The sample main user's pages, rendered without a database: rows -> records -> the real export and render stages."""

from __future__ import annotations

from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any, Final

from consumer.run import Run
from local.seed import changes, sample
from local.seed.story import STORY_DAY
from tests import sample_user
from tests.fake_export import export_and_render, run_of

TODAY: Final = STORY_DAY


def build(root: Path) -> Run:
    """Export and render everything of the main user, the later changes included; the run as it leaves render."""
    rows = sample.main_rows(TODAY)
    changes.add_morning(rows)
    requested_at = datetime.combine(TODAY, time(15), UTC)
    spec: dict[str, Any] = {"requested_at": requested_at, "period": TODAY.isoformat(), "timezone": sample.MAIN.timezone}
    return export_and_render(run_of(root, sample_user.export(rows), "backfill_digest", **spec))
