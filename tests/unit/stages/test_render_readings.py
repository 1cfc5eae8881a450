"""Render reads what each record says, once for each version of it, and keeps nothing of what is gone."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from consumer.evidence.index import open_index
from consumer.run import Run
from consumer.understanding import acts, encoding, life, reader
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.memory import Memory
from consumer.understanding.requests import Asking
from consumer.understanding.statements import Reading
from tests.fake_export import EPOCH, FakeExport, Row, export_and_render, run_of

NOON = EPOCH + timedelta(hours=12)
#: A Friday in New York, where runs of tests live.
NOW = "2026-03-06 12:00 -05:00"


def readings(root: Path) -> list[Reading]:
    with closing(open_index(root / layout.RENDER_INDEX)) as index:
        return [encoding.decode(*row) for row in index.readings(reader.NAME)]


def memory(root: Path) -> Memory:
    return life.fold(readings(root), (), NOW)


@pytest.fixture
def server() -> FakeExport:
    made = FakeExport()
    made.put("user_profiles", "p", Row(0, None, {"display_name": "Mara Lind"}))
    made.put("checklist_items", "heat", Row(1, NOON, {"title": "Call the landlord about the heating", "checked": True}))
    made.put("checklist_items", "lease", Row(2, NOON, {"title": "Call the landlord about the lease"}))
    made.put("inbound_messages", "m", _mail(3, "I'll send you the price deck by Friday."))
    return made


def _mail(changed_s: int, text: str, when: datetime = NOON, sender: str = "ann@lee.example") -> Row:
    data = {"channel": "email", "thread_id": "t", "sender_name": "Ann Lee", "sender_address": sender}
    return Row(changed_s, when, {**data, "normalized_text": text})


class Counting:
    """How often a record was read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[str] = []
        monkeypatch.setattr(reader, "read", self._read)

    def _read(self, item: Any, zone: str, region: str, noted: Any) -> Reading:
        self.read.append(item.record_id)
        return _READ(item, zone, region, noted)


_READ = reader.read


def run(root: Path, server: FakeExport, number: int = 1, **spec: Any) -> Run:
    return export_and_render(
        run_of(root, server, "backfill_digest" if number == 1 else "hourly_digest", number, **spec)
    )


def test_a_fault_of_the_rules_costs_the_sentence_that_they_fail_on(
    tmp_path: Path, server: FakeExport, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A sentence of one name alone once raised, and every later job of its user failed with it."""
    find = acts.find

    def failing(reading: SentenceReading) -> Asking | None:
        if "Pelikan" in reading.text:
            raise IndexError("tuple index out of range")
        return find(reading)

    monkeypatch.setattr(acts, "find", failing)
    server.put("inbound_messages", "bad", _mail(4, "Could the Pelikan stay?"))
    run(tmp_path, server)
    assert len(memory(tmp_path).loops) == 3
    [fault] = [record for record in caplog.records if record.message.startswith("the rules failed")]
    assert fault.__dict__["fields"] == {"source": "inbound_messages", "record_id": "bad", "code": "IndexError"}


def test_each_record_is_read_into_the_index(tmp_path: Path, server: FakeExport) -> None:
    run(tmp_path, server)
    assert {(row.source, row.record_id) for row in readings(tmp_path)} == {
        ("user_profiles", "p"),
        ("checklist_items", "heat"),
        ("checklist_items", "lease"),
        ("inbound_messages", "m"),
    }
    loops = {loop.object: (loop.state, loop.direction) for loop in memory(tmp_path).loops}
    assert loops["Call the landlord about the heating"] == ("delivered", "you_owe")
    assert loops["Call the landlord about the lease"] == ("open", "you_owe")
    (promised,) = [loop for loop in memory(tmp_path).loops if loop.kind == "commitment"]
    assert (promised.direction, promised.due and promised.due.day) == ("owed_to_you", "2026-03-06")


def test_unchanged_records_are_never_read_again(
    tmp_path: Path, server: FakeExport, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, server)
    counting = Counting(monkeypatch)
    server.put(
        "checklist_items", "lease", Row(900, NOON, {"title": "Call the landlord about the lease", "checked": True})
    )
    run(tmp_path, server, 2)
    assert counting.read == ["lease"]
    assert not memory(tmp_path).open_loops()[1:]
    run(tmp_path, server, 3, force_render=True)
    assert counting.read == ["lease"]


@pytest.mark.parametrize("why", ["version", "zone"])
def test_another_reader_or_zone_reads_all_again(
    tmp_path: Path, server: FakeExport, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    run(tmp_path, server)
    counting = Counting(monkeypatch)
    if why == "version":
        monkeypatch.setattr(reader, "VERSION", "next")
    run(tmp_path, server, 2, timezone="Asia/Tokyo" if why == "zone" else "America/New_York")
    assert sorted(counting.read) == ["heat", "lease", "m", "p"]
    assert len(readings(tmp_path)) == 4


def test_what_is_deleted_says_nothing_and_reopens_what_it_closed(tmp_path: Path, server: FakeExport) -> None:
    server.put("inbound_messages", "n", _mail(4, "Please find attached the price deck.", NOON + timedelta(days=1)))
    run(tmp_path, server)
    assert [loop.state for loop in memory(tmp_path).loops if loop.kind == "commitment"] == ["delivered"]
    server.delete("inbound_messages", "n", 900)
    run(tmp_path, server, 2)
    assert [loop.state for loop in memory(tmp_path).loops if loop.kind == "commitment"] == ["open"]


def test_increments_end_at_the_readings_of_a_fresh_backfill(tmp_path: Path, server: FakeExport) -> None:
    run(tmp_path / "one", server)
    server.put("inbound_messages", "m", _mail(900, "I'll send you the lease by Friday."))
    server.put("contacts", "k", Row(901, None, {"display_name": "Ann Lee", "emails": ["ann@lee.example"]}))
    server.delete("checklist_items", "heat", 902)
    run(tmp_path / "one", server, 2)
    run(tmp_path / "two", server)
    assert readings(tmp_path / "one") == readings(tmp_path / "two")
    assert memory(tmp_path / "one") == memory(tmp_path / "two")
