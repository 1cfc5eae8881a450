"""What stands in a dead letter, what may be done with it, and what is told of a failure."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from consumer import paths
from consumer.delivery import deadletter
from consumer.delivery.deadletter import MAX_MESSAGE, MAX_ORIGINAL_BYTES, DeadLetter, DeadLetters, Handled, RecordName
from consumer.delivery.envelope import Delivery
from consumer.delivery.resolving import terminal_status
from consumer.errors import JobTerminal, MalformedMessage, ToolFailed, UnexpectedFailure
from consumer.storage.memory import FakeClock, MemoryBlobStore, MemoryTopic
from contract import canonical
from contract.event import ATTRIBUTE_BYTES
from tests.spine import REQUESTED, an_event
from tests.tables import table
from tests.unit.delivery.test_ledger import a_failure, a_ledger

NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Bench:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.blobs = MemoryBlobStore(self.clock)
        self.topic = MemoryTopic(self.clock)
        self.letters = DeadLetters(self.blobs, self.topic, self.clock)

    def refused(self, data: bytes = b"{}", message_id: str = "7", **attributes: str) -> DeadLetter:
        delivery = Delivery(message_id, data, attributes, publish_time=REQUESTED)
        return self.letters.record_message(delivery, MalformedMessage("no event"))


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_job_that_cannot_succeed_is_recorded_once_and_announced(bench: Bench) -> None:
    event = an_event()
    ledger = a_ledger(attempt=4, failures=5)
    for _ in range(2):  # The answer of the first write may be lost.
        letter = bench.letters.record_job(ledger, event, a_failure(NOW), 9)
    assert bench.blobs.names("dead/") == [paths.dead_letter("2026-11-27", f"{ledger.job_id}-4")]
    assert (letter.user_id, letter.job_type, letter.attempt, letter.epoch, letter.failures) == (
        *(event.user_id, event.job_type),
        *(4, 9, 5),
    )
    assert (letter.code, letter.stage, letter.hint, letter.last_seen) == ("tool_failed", "index", "look", NOW)
    assert (base64.b64decode(letter.original_b64), letter.original_bytes) == (event.encode(), len(event.encode()))
    assert letter.original_sha256 == canonical.sha256_hex(event.encode())
    first, again = bench.topic.messages
    assert first.data == again.data == letter.encode()
    assert first.attributes == {
        "dead_letter_schema": deadletter.DEAD_SCHEMA,
        "dead_letter": f"2026-11-27/{ledger.job_id}-4",
        "failures": "5",
        "code": "tool_failed",
        "stage": "index",
        "job_id": ledger.job_id,
        "user_id": event.user_id,
        "job_type": event.job_type,
        "fingerprint": "f",
        "hint": "look",
    }
    assert deadletter.is_announcement(first.attributes)
    assert not deadletter.is_announcement(event.attributes())


def test_a_message_that_belongs_to_no_job_keeps_the_ids_it_claims_and_its_first_bytes(bench: Bench) -> None:
    data = b"x" * (MAX_ORIGINAL_BYTES + 1)
    letter = bench.refused(
        data, job_id="j" * 65, job_type="t" * 64, other="o" * (ATTRIBUTE_BYTES + 1), traceparent=TRACE
    )
    assert (letter.key, letter.job_id, letter.user_id, letter.job_type) == ("m-7", "j" * 64, None, "t" * 64)
    assert letter.attributes["other"] == "o" * ATTRIBUTE_BYTES
    assert base64.b64decode(letter.original_b64) == data[:-1]
    assert letter.original_bytes == len(data)
    assert letter.first_seen == letter.last_seen == REQUESTED
    assert letter.trace_id == TRACE.split("-")[1]
    assert bench.refused(message_id="8", traceparent="00-1").trace_id is None
    assert bench.refused(message_id="9").trace_id is None
    assert len(bench.topic.messages) == 3


@table(
    ("message_id", "key"),
    [
        ("a_B-9", "m-a_B-9"),
        ("a" * 128, f"m-{'a' * 128}"),
        *((text, f"m-{canonical.sha256_hex(text.encode())[:40]}") for text in ("a" * 129, "a/b", "", "a\n", "ä")),
    ],
)
def test_a_message_id_of_other_than_plain_characters_is_replaced_by_its_digest(message_id: str, key: str) -> None:
    assert Bench().refused(message_id=message_id).key == key


def test_a_message_of_the_dead_letter_topic_is_not_announced_there_again(bench: Bench) -> None:
    bench.letters.record_message(Delivery("7", b"", {}), MalformedMessage("no event"), announce=False)
    assert bench.topic.messages == []
    assert bench.letters.find("m-7") is not None


def test_an_attribute_is_cut_to_what_a_topic_takes(bench: Bench) -> None:
    class Talkative(MalformedMessage):
        hint = "é" * ATTRIBUTE_BYTES

    bench.letters.record_message(Delivery("7", b"", {}), Talkative("no event"))
    (message,) = bench.topic.messages
    assert message.attributes["hint"] == "é" * (ATTRIBUTE_BYTES // 2)
    assert "stage" not in message.attributes, "an empty one would be refused"


def handled(seconds: float) -> Handled:
    return Handled(reason="fixed", by="ann", at=NOW + timedelta(seconds=seconds))


@table(
    ("discarded", "replayed", "state", "refusal", "forced"),
    [
        (None, None, "open", None, None),
        (handled(1), None, "discarded", "discarded", None),
        (None, handled(1), "replayed", None, None),
        (handled(1), handled(2), "replayed", None, None),
        (handled(1), handled(1), "replayed", None, None),
        (handled(2), handled(1), "discarded", "discarded", None),
    ],
)
def test_a_record_is_what_an_operator_did_last(
    discarded: Handled | None, replayed: Handled | None, state: str, refusal: str | None, forced: str | None
) -> None:
    made = Bench().letters.record_job(a_ledger(), an_event(), a_failure(NOW), None)
    letter = made.model_copy(update={"discarded": discarded, "replayed": replayed})
    assert (letter.state, letter.replay_refusal(), letter.replay_refusal(force=True)) == (state, refusal, forced)
    assert letter.handled == (discarded if state == "discarded" else replayed)
    for missing in ("job_id", "attempt"):
        assert letter.model_copy(update={missing: None}).replay_refusal(force=True) == "not_a_job"


def test_the_latest_record_of_a_job_is_found_by_its_id_and_each_by_its_key(bench: Bench) -> None:
    for attempt, seen in ((1, NOW), (3, NOW), (2, NOW + timedelta(days=1))):
        bench.letters.record_job(a_ledger(attempt=attempt), an_event(), a_failure(seen), None)
    job_id = a_ledger().job_id
    for key, attempt in ((job_id, 2), (f"{job_id}-1", 1), (f"{job_id}-3", 3)):
        found_letter = bench.letters.find(key)
        assert found_letter is not None
        assert found_letter.dead_letter is not None
        assert found_letter.dead_letter.attempt == attempt
    assert bench.letters.find("m-1") is None
    name = bench.blobs.names("dead/")[0]
    assert RecordName.of(name) == RecordName("2026-11-27", f"{job_id}-1", job_id)
    days = [RecordName.of(each.name).day for each in bench.letters.entries(newest_first=True)]
    assert days == ["2026-11-28", "2026-11-27", "2026-11-27"]
    assert [RecordName.of(each.name).day for each in bench.letters.entries()] == days[::-1]


def test_a_record_that_nobody_can_parse_is_listed_and_not_marked(bench: Bench) -> None:
    bench.blobs.write(paths.dead_letter("2026-11-27", "m-1"), b"no record", if_generation=0)
    (entry,) = bench.letters.entries()
    assert entry.dead_letter is None
    assert bench.letters.find("m-1") is None
    with pytest.raises(ValueError, match="cannot be parsed"):
        bench.letters.mark(entry, "discarded", reason="x", by="ann")


def test_a_note_on_a_record_that_keeps_changing_is_given_up(bench: Bench) -> None:
    bench.refused()
    (entry,) = bench.letters.entries()
    marked = bench.letters.mark(entry, "discarded", reason="old", by="ann")
    assert marked.discarded == Handled(reason="old", by="ann", at=bench.clock.now())
    # Whoever comes later sees the note of the first, and only a replay is written over a discard.
    assert bench.letters.mark(entry, "discarded", reason="other", by="bob") == marked
    replayed = bench.letters.mark(entry, "replayed", reason="fixed", by="bob")
    assert (replayed.discarded, replayed.state) == (marked.discarded, "replayed")
    assert bench.letters.mark(entry, "discarded", reason="late", by="eve") == replayed
    assert bench.letters.mark(entry, "replayed", reason="late", by="eve") == replayed


@table(
    ("error", "text"),
    [
        (ToolFailed("code 1"), "code 1"),
        (ValueError("quotes a mail"), "ValueError"),
        (ToolFailed("Bearer abcdefghijkl"), "[redacted]"),
        (ToolFailed("x" * (MAX_MESSAGE + 1)), "x" * MAX_MESSAGE),
    ],
)
def test_only_our_own_messages_are_kept_without_what_looks_like_a_credential(error: Exception, text: str) -> None:
    assert deadletter.safe_text(error) == text


def test_an_equal_failure_keeps_the_time_of_the_first(bench: Bench) -> None:
    later = NOW + timedelta(hours=1)

    def failed(before: Any, stage: str | None = "index", now: datetime = later) -> Any:
        return deadletter.failure_of(
            ToolFailed("code 1"), code="tool_failed", hint="h", stage=stage, now=now, before=before
        )

    first = failed(None, now=NOW)
    assert (first.code, first.error_class, first.message, first.hint) == ("tool_failed", "ToolFailed", "code 1", "h")
    assert (first.first_seen, first.last_seen) == (NOW, NOW)
    assert (failed(first).first_seen, failed(first).last_seen) == (NOW, later)
    assert failed(first, stage="export").first_seen == later


@table(
    ("reply", "status"),
    [
        ("completed", "completed"),
        ({"status": "failed"}, "failed"),
        ({"error": {"status": "cancelled"}}, "cancelled"),
        ({"status": "failed", "error": {"status": "cancelled"}}, "failed"),
        ("running", None),
        ({}, None),
        ({"error": "cancelled"}, None),
        (None, None),
    ],
)
def test_a_job_that_is_over_says_how(reply: Any, status: str | None) -> None:
    if status:
        assert terminal_status(JobTerminal("over", reply)) == status
        return
    with pytest.raises(UnexpectedFailure, match="needs a terminal status"):
        terminal_status(JobTerminal("over", reply))
    with pytest.raises(UnexpectedFailure, match="NoneType"):
        terminal_status(JobTerminal("over"))
