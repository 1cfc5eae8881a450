"""Who gets which message when, without a server: the queue under every order of events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from local.pubsub.config import PubsubMessage
from local.pubsub.delivery import DeliveryPolicy, Holder, Queue, QueuedMessage


@dataclass
class Clock:
    at: float = 0.0

    def __call__(self) -> float:
        return self.at


@dataclass
class Notes:
    """A journal that only remembers."""

    acks: list[int] = field(default_factory=list)
    attempts: dict[int, int] = field(default_factory=dict)
    dead: list[int] = field(default_factory=list)
    topic_exists: bool = True

    def acked(self, message_id: int) -> None:
        self.acks.append(message_id)

    def attempted(self, message_id: int, attempt: int) -> None:
        self.attempts[message_id] = attempt

    def dead_letter(self, message: Any, attempt: int) -> bool:
        if self.topic_exists:
            self.dead.append(int(message.message_id))
        return self.topic_exists


def message(number: int, key: str = "") -> QueuedMessage:
    return QueuedMessage(PubsubMessage(message_id=str(number), ordering_key=key, data=b"x"))


def ids(entries: list[QueuedMessage]) -> list[int]:
    return [int(entry.message.message_id) for entry in entries]


def make(**policy: Any) -> tuple[Queue, Clock, Notes]:
    clock, notes = Clock(), Notes()
    return Queue(DeliveryPolicy(**policy), clock, notes), clock, notes


def test_backoff_doubles_up_to_its_cap() -> None:
    policy = DeliveryPolicy(min_backoff_s=10, max_backoff_s=60)
    assert [policy.backoff(n) for n in (1, 2, 3, 4, 1000)] == [10, 20, 40, 60, 60]
    assert DeliveryPolicy().backoff(5) == 0


def test_a_lease_ends_at_its_deadline_and_not_before() -> None:
    queue, clock, notes = make(ack_deadline_s=10)
    queue.add([message(1)])
    [first] = queue.take(5)
    ack_id = first.ack_id
    clock.at = 9.9
    queue.tick()
    assert queue.take(5) == []
    assert queue.next_due() == 10
    clock.at = 10
    queue.tick()
    assert ids(queue.take(5)) == [1]
    assert not queue.ack(ack_id)
    assert notes.attempts == {1: 2}


def test_an_extended_lease_lives_on() -> None:
    queue, clock, _ = make(ack_deadline_s=10)
    queue.add([message(1)])
    [entry] = queue.take(1)
    clock.at = 8
    assert queue.extend(entry.ack_id, 10)
    clock.at = 12
    queue.tick()
    assert queue.take(1) == []
    assert queue.ack(entry.ack_id)
    assert len(queue) == 0


def test_a_shortened_lease_ends_earlier() -> None:
    queue, clock, _ = make(ack_deadline_s=100)
    queue.add([message(1)])
    [entry] = queue.take(1)
    queue.extend(entry.ack_id, 5)
    clock.at = 5
    queue.tick()
    assert ids(queue.take(1)) == [1]


def test_a_key_waits_while_its_message_backs_off() -> None:
    queue, clock, _ = make(ordered=True, min_backoff_s=10)
    queue.add([message(1, "a"), message(2, "a"), message(3, "b")])
    first = queue.take(10)
    assert ids(first) == [1, 3]
    queue.nack(first[0].ack_id)
    queue.ack(first[1].ack_id)
    assert queue.take(10) == []
    clock.at = 10
    queue.tick()
    [again] = queue.take(10)
    assert ids([again]) == [1]
    queue.ack(again.ack_id)
    assert ids(queue.take(10)) == [2]


@pytest.mark.parametrize("topic_exists", [True, False])
def test_the_last_attempt(topic_exists: bool) -> None:
    queue, _, notes = make(max_attempts=5)
    notes.topic_exists = topic_exists
    queue.add([message(1)])
    for _ in range(5):
        [entry] = queue.take(1)
        queue.nack(entry.ack_id)
    assert len(queue) == (0 if topic_exists else 1)
    assert notes.acks == ([1] if topic_exists else [])


def test_a_holder_knows_what_it_holds_and_is_woken_by_room() -> None:
    queue, _, _ = make()
    woken: list[int] = []
    holder = Holder(lambda: woken.append(1))
    queue.holders.append(holder)
    queue.add([message(1), message(2)])
    assert woken
    taken = queue.take(2, holder)
    assert holder.out == 2
    woken.clear()
    queue.ack(taken[0].ack_id)
    assert (holder.out, len(woken)) == (1, 1)


def test_reset_ends_every_lease() -> None:
    queue, clock, notes = make(ordered=True)
    holder = Holder(lambda: None)
    queue.add([message(1, "a"), message(2, "a")])
    [old] = queue.take(9, holder)
    queue.reset([message(2, "a")])
    assert holder.out == 0
    assert not queue.ack(old.ack_id)
    clock.at = 1000
    queue.tick()
    assert ids(queue.take(9)) == [2]
    assert notes.acks == []


def test_many_short_leases_leave_no_trace() -> None:
    queue, clock, _ = make(ack_deadline_s=600)
    queue.add([message(0)])
    queue.take(1)
    for number in range(1, 5000):
        queue.add([message(number)])
        [entry] = queue.take(1)
        queue.ack(entry.ack_id)
    assert len(queue._deadlines) < 2000
    clock.at = 600
    queue.tick()
    assert ids(queue.take(9)) == [0]


class AnyOrder(RuleBasedStateMachine):
    """Whatever happens: nothing is lost or taken twice at a time, and a key's messages are first seen in order."""

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.notes = Clock(), Notes()
        policy = DeliveryPolicy(ack_deadline_s=10, ordered=True, min_backoff_s=1, max_backoff_s=4, max_attempts=5)
        self.queue = Queue(policy, self.clock, self.notes)
        self.keys: dict[int, str] = {}
        self.held: dict[str, int] = {}
        self.finished: dict[str, list[int]] = {}

    @rule(key=st.sampled_from(["", "a", "b"]), count=st.integers(1, 4))
    def publish(self, key: str, count: int) -> None:
        numbers = [len(self.keys) + n for n in range(count)]
        self.keys.update(dict.fromkeys(numbers, key))
        self.queue.add([message(number, key) for number in numbers])

    @rule(limit=st.integers(1, 5))
    def take(self, limit: int) -> None:
        for entry in self.queue.take(limit):
            self.held[entry.ack_id] = int(entry.message.message_id)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), what=st.sampled_from(["ack", "nack", "extend"]))
    def answer(self, data: st.DataObject, what: str) -> None:
        ack_id = data.draw(st.sampled_from(sorted(self.held)))
        if what == "extend":
            self.queue.extend(ack_id, 20)
            return
        self.held.pop(ack_id)
        self.queue.ack(ack_id) if what == "ack" else self.queue.nack(ack_id)

    @rule(seconds=st.floats(0, 12))
    def wait(self, seconds: float) -> None:
        self.clock.at += seconds
        self.queue.tick()

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        done = self.notes.acks
        assert len(done) == len(set(done))
        assert set(self.notes.dead) <= set(done)
        assert len(self.queue) == len(self.keys) - len(done)

    @invariant()
    def keys_finish_in_order(self) -> None:
        for key in ("a", "b"):
            finished = [number for number in self.notes.acks if self.keys[number] == key]
            assert finished == sorted(finished)


AnyOrder.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestAnyOrder = AnyOrder.TestCase
