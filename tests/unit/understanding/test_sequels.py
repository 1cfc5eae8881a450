"""Which messages follow an open loop."""

from __future__ import annotations

from typing import Any

from consumer.understanding.life import fold
from consumer.understanding.reading.messages import OUTBOUND
from consumer.understanding.sequels import ELSEWHERE, HERE, Sequels
from tests.tables import table
from tests.unit.understanding.talks import BOB, CAT, ME, NOW, at, promise, record

#: Bob promises the lease at noon of the 20th.
LEASE = record(
    promise(BOB, "the lease", (ME,)), author=BOB, to=(ME,), said_at=at(20, 12), thread="t", record_id="lease"
)


def follows(*readings: Any) -> list[str]:
    memory = fold([LEASE, *readings], now_local=NOW)
    (loop,) = memory.own_loops()
    return [message.record_id for message in Sequels([loop], [*readings, LEASE], memory.directory).of(loop)]


def mail(name: str, day: int, hour: int = 9, thread: str = "t", **more: Any) -> Any:
    return record(record_id=name, said_at=at(day, hour), thread=thread, **{"people": (BOB,), **more})


SENT: dict[str, Any] = {"source": OUTBOUND, "thread": "other"}
CASES: list[tuple[str, Any, bool]] = [
    ("later in the conversation", mail("m", 25), True),
    ("in the same minute", mail("m", 20, 12), True),
    ("earlier in the conversation", mail("m", 20, 11), False),
    ("in another conversation", mail("m", 21, thread="other"), False),
    ("of a program", mail("m", 21, machines=(BOB,)), False),
    ("of a calendar", mail("m", 21, source="activity_events"), False),
    ("from the user to the same person elsewhere", mail("m", 21, **SENT), True),
    ("so, without any thread", mail("m", 21, source=OUTBOUND, thread=""), True),
    ("so, after more than a week", mail("m", 27, 13, **SENT), False),
    ("so, before it", mail("m", 20, 12, **SENT), False),
    ("from the user to somebody else", mail("m", 21, people=(CAT,), **SENT), False),
]


@table("case", CASES)
def test_what_follows(case: Any) -> None:
    name, reading, is_shown = case
    assert follows(reading) == (["m"] if is_shown else []), name


def test_the_first_messages_follow_those_of_the_conversation_before_others() -> None:
    """What comes after them changes nothing, so nobody is asked again for it."""
    here = [mail(f"here {n}", 21, 9 + n) for n in range(HERE + 1)]
    sent = [mail(f"sent {n}", 21, 8 + n, **SENT) for n in range(ELSEWHERE + 1)]
    expected = [f"here {n}" for n in range(HERE)] + [f"sent {n}" for n in range(ELSEWHERE)]
    assert follows(*here, *sent) == follows(*sent[::-1], *here[::-1]) == expected


@table("case", [("t", "t"), ("", "inbound_messages\0lease")])
def test_the_conversation_of_a_loop_is_its_thread_or_its_record(case: Any) -> None:
    thread, expected = case
    reading = LEASE._replace(thread=thread)
    memory = fold([reading], now_local=NOW)
    assert Sequels(memory.loops, [reading], memory.directory).conversation(memory.loops[0]) == expected
