"""What the relay publishes, marks and tells, without a database or a topic on the wire."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import asdict
from typing import Any, cast

import psycopg
import pytest

from publisher import relay as relays
from publisher.batch import Message, Row
from publisher.outbox import ADVISORY_LOCK, ENQUEUE_LIMIT, Outbox
from publisher.relay import BATCH, OutboxRelay
from publisher.topic import JobsTopic, topic_name
from tests.tables import table
from tests.unit.publisher.test_batch import row


class Waiting:
    """Rows that wait, and what becomes of them. ``leads``: the answers to ``try_lead``, the last one for ever."""

    def __init__(self, *rows: Row, leads: Sequence[bool] = (True,), due: int = 0, stale: int = 0) -> None:
        self.rows, self.leads = list(rows), list(leads)
        self.due, self.stale = due, stale
        self.acts: list[str] = []
        self.marked: list[tuple[dict[int, str | None], list[str], list[int]]] = []
        self.connection = self
        self.beats = 0
        self.on_wait: Callable[[], bool] = lambda: False

    def __enter__(self) -> None:
        self.acts.append("open")

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.acts.append("close")

    def try_lead(self) -> bool:
        self.acts.append("try_lead")
        return self.leads.pop(0) if len(self.leads) > 1 else self.leads[0]

    def listen(self) -> None:
        self.acts.append("listen")

    def enqueue_due(self) -> int:
        return self.due

    def enqueue_stale(self, _stale_s: float) -> int:
        return self.stale

    def beat(self) -> None:
        self.beats += 1

    def wait(self, _timeout_s: float) -> bool:
        return self.on_wait()

    def waiting(self, limit: int) -> list[Row]:
        return self.rows[:limit]

    def mark(self, published: Mapping[int, str | None], jobs: Sequence[str], failed: Sequence[int]) -> None:
        self.marked.append((dict(published), list(jobs), list(failed)))
        self.rows = [each for each in self.rows if each.outbox_id not in published]


class Topic:
    """Confirms what is not in ``refuses``."""

    def __init__(self, *refuses: int) -> None:
        self.refuses = set(refuses)
        self.sent: list[int] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def publish_all(self, messages: Sequence[Message]) -> Mapping[int, str]:
        self.meanwhile()
        self.sent += [message.outbox_id for message in messages]
        return {each.outbox_id: f"m{each.outbox_id}" for each in messages if each.outbox_id not in self.refuses}


class Seconds:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def relay(outbox: Waiting, topic: Topic, clock: Seconds | None = None) -> OutboxRelay:
    return OutboxRelay(lambda: cast(Outbox, outbox), topic, clock or Seconds(), poll_s=5.0, stale_s=180.0)


JOB = row(1).job_id


# --- one round


def test_what_waits_is_published_in_order_and_marked_after_the_reply() -> None:
    outbox, topic = Waiting(row(1), row(2), due=1, stale=1), Topic()
    assert relay(outbox, topic).once() == 2
    assert topic.sent == [1, 2]
    assert outbox.marked == [({1: "m1", 2: "m2"}, [row(1).job_id, row(2).job_id], [])]
    assert outbox.acts == ["try_lead", "close"]


def test_a_job_that_is_over_or_no_event_needs_no_message(caplog: pytest.LogCaptureFixture) -> None:
    outbox, topic = Waiting(row(1, status="completed"), row(2, job_type="unknown")), Topic()
    assert relay(outbox, topic).once() == 0
    assert topic.sent == []
    assert outbox.marked == [({1: None, 2: None}, [], [])]
    assert f"job {row(2).job_id} is not a valid event" in caplog.text


def test_what_the_topic_refuses_stays_for_the_next_round(caplog: pytest.LogCaptureFixture) -> None:
    outbox, topic = Waiting(row(1), row(2)), Topic(2)
    one_round = relay(outbox, topic)
    with pytest.raises(RuntimeError, match="stay in the outbox"):
        one_round.once()
    assert outbox.marked == [({1: "m1"}, [JOB], [2])]
    assert [each.outbox_id for each in outbox.rows] == [2]
    assert "1 of 2 messages were not confirmed" in caplog.text
    assert (one_round.published, outbox.acts[-1]) == (1, "close")


def test_more_than_a_batch_is_published_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relays, "BATCH", 2)
    outbox = Waiting(*map(row, range(1, 6)))
    assert relay(outbox, Topic()).once() == 5
    assert [list(published) for published, _, _ in outbox.marked] == [[1, 2], [3, 4], [5]]
    assert BATCH > 2


def test_where_another_relay_leads_a_round_publishes_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "publisher.relay")
    monkeypatch.setattr(relays, "TAKEOVER_S", 0.0)
    clock = Seconds()
    outbox, topic = Waiting(row(1), leads=[False]), Topic()

    def try_lead() -> bool:
        clock.now += 3.0
        outbox.acts.append("try_lead")
        return False

    outbox.try_lead = try_lead  # type: ignore[method-assign]
    assert relay(outbox, topic, clock).once() == 0
    assert (topic.sent, outbox.acts) == ([], ["try_lead"] * 4 + ["close"])
    assert "another relay leads" in caplog.text
    # The lead that comes free within ten seconds is taken.
    assert relay(Waiting(row(1), leads=[False, True]), topic, clock).once() == 1


def test_what_came_due_is_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "publisher.relay")
    relay(Waiting(), Topic()).once()
    assert "retries are due" not in caplog.text
    assert "nobody works on" not in caplog.text
    relay(Waiting(due=2, stale=3), Topic()).once()
    assert "2 retries are due" in caplog.text
    assert "publishing 3 jobs again that nobody works on" in caplog.text


def test_a_slow_topic_does_not_cost_the_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relays, "BEAT_S", 0.001)
    outbox, topic = Waiting(row(1)), Topic()
    beaten = threading.Event()
    outbox.beat = beaten.set  # type: ignore[method-assign]

    def meanwhile() -> None:
        assert beaten.wait(30)

    topic.meanwhile = meanwhile
    assert relay(outbox, topic).once() == 1


# --- the service


def test_a_relay_takes_the_lead_listens_and_publishes_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relays, "TAKEOVER_S", 0.0)
    clock = Seconds()
    outbox, topic = Waiting(row(1), leads=[False, True]), Topic()
    service = relay(outbox, topic, clock)
    assert service.state == "starting"
    states = []

    def idle() -> bool:
        states.append((service.state, list(topic.sent), service.is_heard()))
        clock.now += 1.0
        if len(states) == 2:
            # A row came: the next look is at once.
            outbox.rows.append(row(2))
            return True
        if len(states) == 3:
            service.stop()
        return False

    outbox.on_wait = idle
    service.run()
    assert states == [("leading", [1], True), ("leading", [1], True), ("leading", [1, 2], True)]
    assert service.state == "stopped"
    assert outbox.acts == ["open", "try_lead", "try_lead", "listen", "close"]


def test_a_relay_polls_although_nothing_is_notified() -> None:
    clock = Seconds()
    outbox, topic = Waiting(), Topic()
    service = relay(outbox, topic, clock)
    polls = 0

    def idle() -> bool:
        nonlocal polls
        polls += 1
        clock.now += 2.6
        if polls == 2:
            outbox.rows.append(row(1))
        if polls == 3:
            service.stop()
        return False

    outbox.on_wait = idle
    service.run()
    # Five seconds after the first look, and not before.
    assert (topic.sent, polls) == ([1], 3)
    assert outbox.beats == 1


def test_a_relay_that_waits_for_the_lead_can_be_stopped() -> None:
    outbox = Waiting(row(1), leads=[False])
    service = relay(outbox, Topic())
    seen = []

    def try_lead() -> bool:
        seen.append(service.state)
        service.stop()
        return False

    outbox.try_lead = try_lead  # type: ignore[method-assign]
    service.run()
    assert (seen, outbox.acts, service.is_heard()) == (["waiting"], ["open", "close"], True)


def test_what_fails_is_tried_again_and_the_state_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(relays, "PAUSE_S", 0.0)
    outbox, topic = Waiting(row(1)), Topic(1)
    service = relay(outbox, topic)
    states: list[str] = []

    def refuse_once() -> None:
        states.append(service.state)
        if len(states) == 2:
            topic.refuses.clear()

    def idle() -> bool:
        states.append(service.state)
        service.stop()
        return False

    topic.meanwhile, outbox.on_wait = refuse_once, idle
    attempts: list[int] = []

    def connect() -> Outbox:
        attempts.append(1)
        if len(attempts) == 1:
            raise psycopg.OperationalError("SECRETWORD")
        return cast(Outbox, outbox)

    service.connect, service.hint = connect, "Look at the address."
    service.run()
    assert states == ["leading", "failing", "leading"]
    assert "unreachable (OperationalError)" in caplog.text
    assert "Look at the address." in caplog.text
    assert "SECRETWORD" not in caplog.text


def test_a_stop_does_not_wait_until_nothing_waits() -> None:
    outbox, topic = Waiting(row(1)), Topic()
    service = relay(outbox, topic)

    def more() -> None:
        outbox.rows.append(row(2))
        service.stop()

    topic.meanwhile = more
    service.run()
    assert topic.sent == [1]


# --- the outbox's statements


class Cursor(list[dict[str, Any]]):
    rowcount = 7

    def fetchone(self) -> Any:
        return self[0] if self else None


class Connection:
    """Notes statements by their first words. ``finds``: their rows."""

    closed = False

    def __init__(self, *finds: dict[str, Any]) -> None:
        self.finds = finds
        self.ran: list[Any] = []
        self.notices: list[int] = []
        self.info = type("Info", (), {"backend_pid": 1})

    def execute(self, _query: bytes, values: Any = None) -> Cursor:
        self.ran.append(values)
        return Cursor(self.finds)

    def notifies(self, timeout: float, stop_after: int | None = None) -> Any:
        for _ in range(stop_after or len(self.notices)):
            if self.notices:
                yield type("Notice", (), {"pid": self.notices.pop(0)})

    def transaction(self) -> Any:
        return nullcontext()


def outbox_of(connection: Connection) -> Outbox:
    return Outbox(cast(Any, connection))


@table(("finds", "leads", "statements"), [([{"leads": True}], True, 2), ([{"leads": False}], False, 1), ([], False, 1)])
def test_a_session_that_leads_bounds_its_silence(finds: Any, leads: bool, statements: int) -> None:
    connection = Connection(*finds)
    assert outbox_of(connection).try_lead() is leads
    assert len(connection.ran) == statements
    assert connection.ran[0] == {"lock": ADVISORY_LOCK}


@table(("notices", "woken"), [([], False), ([1], False), ([2, 2, 1], True)])
def test_only_another_sessions_notice_wakes(notices: list[int], woken: bool) -> None:
    connection = Connection()
    connection.notices = notices
    assert outbox_of(connection).wait(0.0) is woken
    assert connection.notices == [], "one look serves all of them"


@table(
    ("published", "failed", "statements"),
    [
        (
            {1: "m", 2: None},
            [3],
            [{"outbox_ids": [1, 2], "message_ids": ["m", None]}, {"job_ids": ["j"]}, {"outbox_ids": [3]}],
        ),
        ({}, [3], [{"outbox_ids": [3]}]),
        ({1: "m"}, [], [{"outbox_ids": [1], "message_ids": ["m"]}, {"job_ids": ["j"]}]),
    ],
)  # fmt: skip
def test_a_batchs_result_is_one_transaction(published: Any, failed: list[int], statements: Any) -> None:
    connection = Connection()
    outbox_of(connection).mark(published, ["j"], failed)
    assert connection.ran == statements


def test_rows_and_counts_are_what_the_database_says() -> None:
    fields = asdict(row(1, replay_id=JOB))
    connection = Connection({**fields, "replay_reason": "why"}, {**fields, "replay_reason": None, "replay_id": None})
    outbox = outbox_of(connection)
    first, second = outbox.waiting(5)
    assert (first, second.replay_id, second.reason) == (row(1, replay_id=JOB, reason="why"), None, None)
    assert (outbox.enqueue_due(), outbox.enqueue_stale(9.0), outbox.enqueue_missing(JOB)) == (7, 7, 7)
    assert connection.ran == [
        {"limit": 5},
        {"limit": ENQUEUE_LIMIT},
        {"stale_s": 9.0, "limit": ENQUEUE_LIMIT},
        {"job_id": JOB},
    ]
    for finds, visible in (([{"visible": True}], True), ([{"visible": False}], False), ([], False)):
        assert outbox_of(Connection(*finds)).is_visible(JOB) is visible
    for act in (outbox.beat, outbox.listen, outbox.nudge):
        act()
        assert connection.ran[-1] is None


# --- the topic


class PubSub:
    """A client whose replies a test decides: an id, an error, or none (never)."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.published: list[tuple[str, bytes, dict[str, Any]]] = []
        self.ended: list[str] = []
        self.transport = self

    def publish(self, topic: str, data: bytes, **options: Any) -> Future[str]:
        self.published.append((topic, data, options))
        future: Future[str] = Future()
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            future.set_exception(reply)
        elif reply is not None:
            future.set_result(reply)
        return future

    def stop(self) -> None:
        self.ended.append("stop")

    def close(self) -> None:
        self.ended.append("close")


def messages(*numbers: int) -> list[Message]:
    return [Message(number, JOB, b"data", {"user_id": "u"}) for number in numbers]


def test_only_what_the_topic_confirms_in_time_is_confirmed() -> None:
    client = PubSub("m1", RuntimeError("no"), None)
    topic = JobsTopic("projects/p/topics/t", timeout_s=0.001, _client=client)
    assert topic.publish_all(messages(1, 2, 3)) == {1: "m1"}
    options = {"retry": None, "timeout": 0.001, "user_id": "u"}
    assert client.published[0] == ("projects/p/topics/t", b"data", options)
    assert client.ended == []


def test_a_client_that_confirms_nothing_is_replaced() -> None:
    client = PubSub(RuntimeError("no"))
    topic = JobsTopic("t", timeout_s=0.001, _client=client)
    assert topic.publish_all(messages(1)) == {}
    assert (client.ended, topic._client) == (["stop", "close"], None)
    idle = PubSub()
    assert JobsTopic("t", _client=idle).publish_all([]) == {}
    assert idle.ended == []
    JobsTopic("t").close()


def test_a_topic_is_named_in_full() -> None:
    assert topic_name("p", "jobs") == topic_name("other", "projects/p/topics/jobs") == "projects/p/topics/jobs"
