"""The sample main user's pages, rendered without a database: rows -> records -> the real export and render stages."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Final

import manifests
from consumer.run import Run
from local.seed import changes, sample
from tests.fake_export import FakeExport, Row, export_and_render, run_of

TODAY: Final = date(2026, 11, 28)
_TIMES: Final = (
    "occurred_at", "meeting_started_at", "received_at", "sent_at", "generated_at", "polled_at", "started_at",
    "attempted_at", "created_at",
)  # fmt: skip


def build(root: Path) -> Run:
    """Export and render everything of the main user, the later changes included; the run as it leaves render."""
    rows = sample.main_rows(TODAY)
    changes.add_morning(rows)
    export = FakeExport()
    messages = defaultdict(list)
    for row in rows.tables["public.chat_messages"]:
        messages[row["session_id"]].append({name: _plain(value) for name, value in row.items() if name != "user_id"})
    for entry in manifests.export_manifest().sources:
        for number, row in enumerate(rows.tables.get(entry.table_or_wrapper.split(" ")[0], ())):
            data = {name: _plain(row[name]) for name in entry.include_fields if name in row}
            if entry.source_key == "chat_sessions":
                data["messages"] = messages[row["id"]]
            export.put(entry.source_key, str(row.get("id", number)), Row(number, _when(row), data))
    requested_at = datetime.combine(TODAY, time(15), UTC)
    spec: dict[str, Any] = {"requested_at": requested_at, "period": TODAY.isoformat(), "timezone": sample.MAIN.timezone}
    return export_and_render(run_of(root, export, "backfill_digest", **spec))


def _when(row: Mapping[str, Any]) -> datetime | None:
    value = next((row[name] for name in _TIMES if row.get(name)), None)
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time(), UTC)
    return value


def _plain(value: Any) -> Any:
    """A column's value as the export's JSON has it."""
    if isinstance(value, date | datetime):
        return value.isoformat()
    plain = getattr(value, "obj", value)
    return json.loads(json.dumps(plain, default=str))
