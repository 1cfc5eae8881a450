"""The main sample user's rows as the export gives them, without a database, and the memory that they make."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import cache
from typing import Any, Final

import manifests
import renderers
from consumer.understanding import life, reader
from consumer.understanding.memory import Memory
from consumer.understanding.statements import Reading
from contract.manifest import SourceEntry
from local.seed.rows import Row as SeedRow
from local.seed.rows import Rows
from local.seed.sample import DELETED_TITLE, MAIN, main_story
from local.seed.story import STORY_DAY, Records
from tests.fake_export import EPOCH, FakeExport, Row

#: The column from which the export view of a source takes the time of a record; ``created_at`` for the others.
_TIMES: Final = {
    "granola_transcripts": "meeting_started_at",
    "meeting_notes": "meeting_started_at",
    "chat_sessions": "started_at",
    "inbound_messages": "received_at",
    "outbound_messages": "sent_at",
    "activity_events": "occurred_at",
    "message_events": "occurred_at",
    "contacts": "first_seen_at",
    "checklists": "checklist_date",
    "briefings": "briefing_date",
    "heartbeat_poll_log": "polled_at",
    "delivery_log": "attempted_at",
}


def records(rows: Rows) -> Iterator[tuple[str, str, Row]]:
    """(source, record id, row) of every row but the one that ``seed`` deletes."""
    for entry, ident, row, messages in _rows(rows):
        yield entry.source_key, ident, _exported(entry, row, messages)


def history(rows: Rows) -> Iterator[tuple[datetime, str, str, Row]]:
    """(time, source, record id, row) of every version of every row, in the order in which the app wrote them.

    A chat grows by its messages; an item is written open, and changed when it is settled or described. The other rows
    are written once: what changes later in them tells nothing.
    """
    versions = [
        (changed, entry.source_key, ident, _exported(entry, {**row, "updated_at": changed}, words))
        for entry, ident, row, messages in _rows(rows)
        for changed, row, words in _versions(entry.source_key, row, messages)
    ]
    return iter(sorted(versions, key=lambda version: version[:3]))


def _versions(
    source: str, row: SeedRow, messages: Sequence[SeedRow]
) -> Iterator[tuple[datetime, SeedRow, Sequence[SeedRow]]]:
    created, changed = row["created_at"], row.get("updated_at") or row["created_at"]
    match source:
        case "chat_sessions":
            for number, message in enumerate(messages, 1):
                at: datetime = message["created_at"]
                yield at, {**row, "last_message_at": at}, messages[:number]
        case "checklist_items" if changed > created:
            settled = ("description", "checked_at", "dismissed_at", "dismissed_reason")
            before = {name: None if name in settled else value for name, value in row.items()}
            yield created, {**before, "checked": False, "dismissed": False}, ()
            yield changed, row, ()
        case "contacts" | "connections" | "checklists":
            yield created, row, ()
        case _:
            yield changed, row, ()


def _rows(rows: Rows) -> Iterator[tuple[SourceEntry, str, SeedRow, Sequence[SeedRow]]]:
    """Every exported row with its source, its id and, of a chat, its messages."""
    messages = defaultdict(list)
    for row in rows.tables["public.chat_messages"]:
        messages[row["session_id"]].append(row)
    for entry in manifests.export_manifest().sources:
        for number, row in enumerate(rows.tables.get(entry.table_or_wrapper.split(" ")[0], ())):
            if row.get("title") == DELETED_TITLE:
                continue
            ident = str(row.get("id") or (row["user_id"] if entry.source_key == "user_profiles" else number))
            yield entry, ident, row, messages[row["id"]] if entry.source_key == "chat_sessions" else ()


def _exported(entry: SourceEntry, row: SeedRow, messages: Sequence[SeedRow]) -> Row:
    data = {name: _plain(row[name]) for name in entry.include_fields if name in row}
    if entry.source_key == "chat_sessions":
        data["messages"] = [
            {name: _plain(value) for name, value in message.items() if name != "user_id"} for message in messages
        ]
    changed: datetime = row.get("updated_at") or row["created_at"]
    return Row(int((changed - EPOCH).total_seconds()), _time(entry.source_key, row), data)


def export(rows: Rows) -> FakeExport:
    """A server that exports these rows."""
    server = FakeExport()
    for source, ident, row in records(rows):
        server.put(source, ident, row)
    return server


@cache
def story() -> tuple[Rows, Records]:
    """The main user's rows on the day on which the story is told, and which record each scene has become."""
    return main_story(STORY_DAY)


@cache
def readings() -> tuple[Reading, ...]:
    """What the rules read in all of the main user's records."""
    return tuple(_read(records(story()[0])))


def readings_of_story(today: date) -> list[Reading]:
    """What the rules read in the story as it is told on another day, without the quiet days around it."""
    rows, scenes = main_story(today)
    wanted = set(scenes.values())
    return list(_read(row for row in records(rows) if row[:2] in wanted or row[0] in ("contacts", "user_profiles")))


def _read(several: Iterable[tuple[str, str, Row]]) -> Iterator[Reading]:
    entries = {entry.source_key: entry for entry in manifests.export_manifest().sources}
    for source, ident, row in several:
        exported = {
            "source_key": source,
            "record_id": ident,
            "occurred_at": row.occurred_at.isoformat() if row.occurred_at else None,
            "updated_at": datetime.fromtimestamp(EPOCH.timestamp() + row.changed_s, UTC).isoformat(),
            "data": row.data,
            "checksum": "sha256:0",
        }
        yield reader.read(renderers.item(exported, entries[source], MAIN.timezone), MAIN.timezone, "SE")


@cache
def memory(now: str = f"{STORY_DAY.isoformat()} 09:00 +01:00") -> Memory:
    """What is true at this time of the user's."""
    return life.fold(readings(), now_local=now)


def _time(source: str, row: SeedRow) -> datetime | None:
    value = row.get(_TIMES.get(source, "created_at")) or row["created_at"]
    return value if isinstance(value, datetime) else datetime.combine(value, time(), UTC)


def _plain(value: Any) -> Any:
    """A column's value as the export's JSON has it."""
    if isinstance(value, date | datetime):
        return value.isoformat()
    plain: Mapping[str, Any] = getattr(value, "obj", value)
    return json.loads(json.dumps(plain, default=str))
