"""The hooks that the in-memory ports add to their contract: faults, views, the clock."""

from __future__ import annotations

from datetime import datetime

import pytest

from consumer.errors import BlobNotFound, BlobUnavailable, PreconditionFailed, ScopeViolation, TopicUnavailable
from consumer.storage.memory import FakeClock, Faults, Killed, MemoryBlobStore, MemoryTopic


def test_clock_moves_only_when_told() -> None:
    clock = FakeClock()
    start, ticks = clock.now(), clock.monotonic()
    clock.sleep(2.5)
    clock.advance(1)
    assert (clock.now() - start).total_seconds() == clock.monotonic() - ticks == 3.5
    assert clock.slept == [2.5]


@pytest.mark.parametrize("bad", [lambda: FakeClock().advance(-1), lambda: FakeClock(datetime(2026, 1, 1))])  # noqa: DTZ001
def test_clock_refuses_a_guess(bad) -> None:
    with pytest.raises(ValueError, match=r"time does not go back|attach a zone"):
        bad()


def test_refused_operation_changes_nothing() -> None:
    store = MemoryBlobStore(FakeClock(), Faults().refuse(1))
    with pytest.raises(BlobUnavailable, match=r"write 'a'.*operation 1"):
        store.write("a", b"1", if_generation=0)
    assert store.peek("a") is None


def test_lost_reply_took_effect_and_a_repeat_meets_its_own_write() -> None:
    store = MemoryBlobStore(FakeClock(), Faults().lose_reply(1))
    with pytest.raises(BlobUnavailable, match="reply was lost"):
        store.write("a", b"1", if_generation=0)
    with pytest.raises(PreconditionFailed):
        store.write("a", b"1", if_generation=0)
    assert store.read("a").data == b"1"


@pytest.mark.parametrize(("after", "expected"), [(False, None), (True, b"1")])
def test_kill_is_no_exception_a_handler_could_eat(after: bool, expected: bytes | None) -> None:
    store = MemoryBlobStore(FakeClock(), Faults().kill(1, after=after))
    with pytest.raises(Killed):
        try:
            store.write("a", b"1", if_generation=0)
        except Exception:  # noqa: BLE001 - the point of the test
            pytest.fail("Killed was caught")
    blob = store.peek("a")
    assert (blob.data if blob else None) == expected


def test_slow_reply_turns_the_clock_and_the_write_keeps_its_own_time() -> None:
    clock = FakeClock()
    store = MemoryBlobStore(clock, Faults(clock).delay(1, 30, after=True))
    before = clock.now()
    stat = store.write("a", b"", if_generation=0)
    assert stat.updated == before
    assert (clock.now() - before).total_seconds() == 30


def test_somebody_else_acts_in_between() -> None:
    store = MemoryBlobStore(FakeClock())
    first = store.write("a", b"1", if_generation=0)
    other = store.as_seen_by(lambda _op: None)
    mine = store.as_seen_by(Faults().call(2, lambda: other.write("a", b"2", if_generation=first.generation)))
    with pytest.raises(PreconditionFailed):
        mine.write("a", b"3", if_generation=first.generation)
    assert store.contents()["a"][1] == b"2"


def test_views_count_operations_together_and_have_their_own_faults() -> None:
    store = MemoryBlobStore(FakeClock())
    faults = Faults().refuse(2, BlobUnavailable("403"))
    broken = store.as_seen_by(faults)
    store.write("a", b"1", if_generation=0)
    with pytest.raises(BlobUnavailable):
        broken.read("a")
    assert store.read("a").data == b"1"
    assert [(op.number, op.verb) for op in store.ops] == [(1, "write"), (2, "read"), (3, "read")]
    assert [op.number for op in faults.fired] == [2]


def test_a_read_is_repeated_as_the_real_store_does_and_a_write_is_not() -> None:
    store = MemoryBlobStore(FakeClock(), Faults().refuse(1).refuse(3))
    with pytest.raises(BlobUnavailable):
        store.write("a", b"1", if_generation=0)
    store.write("a", b"1", if_generation=0)
    assert store.read("a").data == b"1"
    assert [op.verb for op in store.ops] == ["write", "write", "read", "read"]


def test_narrowed_store_refuses_the_neighbour() -> None:
    store = MemoryBlobStore(FakeClock())
    store.write("users/b/HEAD", b"", if_generation=0)
    narrow = store.for_prefix("users/a/")
    for attempt in (
        lambda: narrow.read("users/b/HEAD"),
        lambda: narrow.stat("users/b/HEAD"),
        lambda: narrow.read_range("users/b/HEAD", 0, 0),
        lambda: narrow.write("users/b/HEAD", b"", if_generation=None),
        lambda: narrow.delete("users/b/HEAD", if_generation=1),
        lambda: list(narrow.list("users/")),
    ):
        with pytest.raises(ScopeViolation, match="narrowed to 'users/a/'"):
            attempt()
    with pytest.raises(BlobNotFound):
        narrow.read("users/a/HEAD")


def test_topic_remembers_in_order_even_when_the_reply_is_lost() -> None:
    topic = MemoryTopic(FakeClock(), Faults().lose_reply(2, TopicUnavailable("lost")))
    assert topic.publish(b"1", {"k": "v"}) == "1"
    with pytest.raises(TopicUnavailable):
        topic.publish(b"2", {})
    assert [(m.message_id, m.data) for m in topic.messages] == [("1", b"1"), ("2", b"2")]
