"""Every row of the table "found | answer" in docs/delivery.md."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from consumer.delivery import ledger as claim
from consumer.delivery.ledger import (
    Deliver,
    DeliveryLimits,
    Failed,
    Ignore,
    Ledger,
    Mismatch,
    Overdue,
    Proceed,
    StoredLedger,
    decide,
    retry_delay_s,
)
from consumer.errors import LedgerUnreadable
from consumer.locking.lease import Lease
from contract import canonical
from contract.api import CommitRef, Completion
from tests.spine import an_event
from tests.tables import table

JOB = "aaaaaaaa-0000-4000-8000-000000000001"
USER = "11111111-1111-4111-8111-111111111111"
R1, R2 = (f"bbbbbbbb-0000-4000-8000-00000000000{n}" for n in (1, 2))
NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)
LIMITS = DeliveryLimits(Lease(), 5, timedelta(seconds=10), timedelta(minutes=10), 6)
DIGEST = "sha256:" + "0" * 64


def a_ledger(**fields: Any) -> Ledger:
    values = {
        "job_id": JOB,
        "user_id": USER,
        "state": "RUNNING",
        "attempt": 3,
        "owner": "o",
        "put_id": "p",
        "payload_digest": DIGEST,
        **fields,
    }
    return Ledger.model_validate(values)


def a_claim(decision: Proceed | None = None, **fields: Any) -> claim.NewClaim:
    decided = {"replay_id": decision.replay_id, "lost": decision.lost} if decision else {}
    values = {**decided, **fields}
    return claim.NewClaim(an_event(), "RUNNING", "o2", began_at=NOW, ended_at=NOW, **values)


def stored(age_s: float = 0, **fields: Any) -> StoredLedger:
    return StoredLedger(a_ledger(**fields), 7, updated=NOW - timedelta(seconds=age_s), server_time=NOW)


def answer(entry: StoredLedger | None, *, digest: str = DIGEST, replay: str | None = None) -> claim.Decision:
    return decide(entry, digest, replay, LIMITS)


def settled(state: str, outcome: str, *, delivered: bool, **fields: Any) -> StoredLedger:
    return stored(state=state, outcome_body={"outcome": outcome}, delivered=delivered, **fields)


def test_nothing_is_claimed_as_new() -> None:
    assert answer(None) == Proceed("new")
    assert answer(None, replay=R1) == Proceed("new", R1)
    assert claim.first_ledger(JOB, a_claim()).replays == ()
    assert claim.first_ledger(JOB, a_claim(replay_id=R1)).replays == (R1,)


@pytest.mark.parametrize("outcome", ["completed", "no_change", "superseded", "cancelled"])
def test_done_is_a_duplicate_once_delivered_and_never_run_again(outcome: str) -> None:
    assert isinstance(answer(settled("DONE", outcome, delivered=True)), Ignore)
    assert answer(settled("DONE", outcome, delivered=True), replay=R1) == Deliver(R1)
    assert isinstance(answer(settled("DONE", outcome, delivered=True, replays=(R1,)), replay=R1), Ignore)
    assert answer(settled("DONE", outcome, delivered=False)) == Deliver()
    assert answer(settled("DONE", outcome, delivered=False), replay=R1) == Deliver(R1)


def test_dead_is_reopened_by_a_new_replay_only() -> None:
    dead = settled("DEAD", "failed", delivered=True, replays=(R1,), failures=5)
    assert isinstance(answer(dead), Ignore)
    assert isinstance(answer(dead, replay=R1), Ignore)
    decision = answer(dead, replay=R2)
    assert isinstance(decision, Proceed)
    assert decision.why == "replay"
    assert decision.failures(dead.ledger) == 0
    reopened = dead.ledger.claimed(a_claim(decision))
    assert (reopened.failures, reopened.replays, reopened.completion) == (0, (R1, R2), None)
    assert not reopened.delivered


def test_a_new_replay_comes_before_the_delivery_of_death() -> None:
    undelivered = settled("DEAD", "failed", delivered=False)
    assert answer(undelivered) == Deliver()
    assert isinstance(answer(undelivered, replay=R1), Proceed)


@pytest.mark.parametrize(("age_s", "taken"), [(0, False), (119.9, False), (120, True), (9999, True)])
def test_running_is_left_alone_until_its_lease_expires(age_s: float, *, taken: bool) -> None:
    decision = answer(stored(age_s, failures=2))
    if not taken:
        assert isinstance(decision, Ignore)
        assert decision.until == NOW + timedelta(seconds=120 - age_s)
        return
    assert isinstance(decision, Proceed)
    assert (decision.why, decision.failures(a_ledger(failures=2))) == ("expired", 3)
    taken_over = a_ledger(failures=2).claimed(a_claim(decision))
    assert taken_over.failures == 3
    assert taken_over.failure is not None
    assert taken_over.failure.code == "failures_spent"


@table(("wait_s", "due"), [(-60, True), (0, True), (10, True), (10.1, False), (240, False)])
def test_a_retry_is_due_ten_seconds_early(wait_s: float, *, due: bool) -> None:
    decision = answer(stored(9999, state="RETRYING", retry_at=NOW + timedelta(seconds=wait_s)))
    assert decision == Proceed("due") if due else isinstance(decision, Ignore)


def test_queued_is_launched_again_after_ten_minutes_and_six_times_at_most() -> None:
    assert isinstance(answer(stored(599, state="QUEUED", launches=1)), Ignore)
    assert answer(stored(600, state="QUEUED", launches=1)) == Overdue()
    assert answer(stored(600, state="QUEUED", launches=3)) == Overdue()


def test_parked_may_run() -> None:
    assert answer(stored(1, state="PARKED")) == Proceed("parked")


@table("state", ["RUNNING", "QUEUED", "PARKED", "RETRYING", "DONE", "DEAD"])
def test_another_payload_is_never_run(state: str) -> None:
    body = {"outcome": "failed"} if state in claim.SETTLED else None
    entry = stored(9999, state=state, outcome_body=body)
    assert answer(entry, digest="sha256:" + "1" * 64) == Mismatch(DIGEST)
    assert answer(entry, digest="sha256:" + "1" * 64, replay=R1) == Mismatch(DIGEST)


def test_an_unbound_ledger_takes_any_payload() -> None:
    assert answer(stored(0, state="RETRYING", payload_digest=None), digest="sha256:" + "1" * 64) == Proceed("due")


@pytest.mark.parametrize("state", ["RETRYING", "PARKED"])
def test_a_new_replay_of_an_open_job_is_noted(state: str) -> None:
    decision = answer(stored(1, state=state, failures=4), replay=R1)
    assert isinstance(decision, Proceed)
    assert decision == Proceed(decision.why, R1)
    noted = a_ledger(state=state, failures=4).claimed(a_claim(decision))
    assert (noted.failures, noted.replays) == (0, (R1,))


LEDGERS = st.builds(
    a_ledger,
    state=st.sampled_from(["RUNNING", "QUEUED", "PARKED", "RETRYING", "DONE", "DEAD"]),
    attempt=st.integers(1, 9),
    failures=st.integers(0, 9),
    launches=st.integers(0, 9),
    retry_at=st.none() | st.floats(-1000, 1000).map(lambda s: NOW + timedelta(seconds=s)),
    outcome_body=st.just({"outcome": "completed"}),
    delivered=st.booleans(),
    replays=st.sampled_from([(), (R1,), (R1, R2)]),
)


@given(LEDGERS, st.floats(0, 5000), st.sampled_from([None, R1, R2]))
def test_each_ledger_has_exactly_one_answer_and_done_is_final(ledger: Ledger, age_s: float, replay: str | None) -> None:
    entry = StoredLedger(ledger, 1, NOW - timedelta(seconds=age_s), NOW)
    decision = decide(entry, DIGEST, replay, LIMITS)
    assert isinstance(decision, (Proceed, Deliver, Overdue, Ignore))
    if ledger.state == "DONE":
        assert isinstance(decision, (Deliver, Ignore))
    if isinstance(decision, Proceed) and ledger.state == "DEAD":
        assert replay not in (None, *ledger.replays)
    # Without a replay nothing ever takes failures back.
    if isinstance(decision, Proceed) and (replay is None or replay in ledger.replays):
        assert decision.failures(ledger) >= ledger.failures
        assert ledger.claimed(a_claim(decision)).failures >= ledger.failures


@given(LEDGERS)
def test_a_ledger_survives_its_encoding(ledger: Ledger) -> None:
    assert claim.decode(JOB, ledger.encode()) == ledger


@table(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        a_ledger().encode()[:-1],
        a_ledger().encode().replace(b'"fence":3', b'"fence":0'),
        a_ledger().encode().replace(b"ledger.v1", b"ledger.v9"),
        a_ledger().encode().replace(b"RUNNING", b"SLEEPING"),
        a_ledger().encode().replace(b"RUNNING", b"DONE"),
        a_ledger().encode().replace(b"aaaaaaaa", b"cccccccc"),
    ],
)
def test_a_damaged_ledger_is_unreadable_and_nobodys_put(data: bytes) -> None:
    with pytest.raises(LedgerUnreadable) as caught:
        claim.decode(JOB, data)
    assert JOB in str(caught.value)
    assert claim.put_id(JOB, data) is None


def test_retry_delays_follow_the_table_and_the_other_sides_wish() -> None:
    delays = (15, 30, 60, 120, 240)
    assert [retry_delay_s(n, delays, None) for n in (0, 1, 2, 5, 9)] == [15, 15, 30, 240, 240]
    assert retry_delay_s(1, delays, 90.0) == 90
    assert retry_delay_s(3, delays, 1.0) == 60


@pytest.mark.parametrize("asked_s", [86_400.0, 1e20, float("inf")])
def test_a_job_is_not_lost_to_what_the_other_side_asks_for(asked_s: float) -> None:
    assert timedelta(seconds=retry_delay_s(1, (15,), asked_s)) == timedelta(hours=1)


# --- earlier attempts, for people ------------------------------------------------------------------------------------


def a_failure(at: datetime, code: str = "tool_failed") -> claim.Failure:
    return claim.Failure(
        code=code,
        error_class="ToolFailed",
        message="code 1",
        hint="look",
        stage="index",
        fingerprint="f",
        first_seen=at,
        last_seen=at,
    )


def test_an_interrupted_attempt_does_not_take_over_the_failure_before_it() -> None:
    failed = stored(state="RETRYING", attempt=1, failure=a_failure(NOW))
    first = claim.past(failed.ledger, failed.updated)
    assert [(past.attempt, past.code, past.stage) for past in first] == [(1, "tool_failed", "index")]

    interrupted = stored(state="RETRYING", attempt=2, failure=a_failure(NOW), earlier=first)
    second = claim.past(interrupted.ledger, interrupted.updated)
    assert [(past.attempt, past.code) for past in second] == [(1, "tool_failed"), (2, None)]

    again = stored(state="RETRYING", attempt=3, failure=a_failure(NOW + timedelta(seconds=1)), earlier=second)
    assert [past.code for past in claim.past(again.ledger, again.updated)] == ["tool_failed", None, "tool_failed"]


def test_a_lost_attempt_is_told_by_whoever_takes_it_over() -> None:
    expired = stored(200, attempt=1)
    decision = answer(expired)
    assert isinstance(decision, Proceed)
    [lost] = claim.past(expired.ledger, expired.updated, decision.lost)
    assert (lost.state, lost.code, lost.ended_at) == ("RUNNING", "failures_spent", expired.updated)


def test_a_bounded_number_of_attempts_is_remembered_and_survives_the_wire() -> None:
    entry = stored(state="PARKED", attempt=1)
    for attempt in range(1, 60):
        ledger = entry.ledger.model_copy(
            update={"attempt": attempt + 1, "earlier": claim.past(entry.ledger, entry.updated)}
        )
        entry = StoredLedger(claim.decode(JOB, ledger.encode()), 7, updated=NOW, server_time=NOW)
    fences = [past.attempt for past in entry.ledger.earlier]
    assert fences == list(range(60 - claim.MAX_EARLIER, 60))
    assert len(entry.ledger.encode()) < 16_000


def test_a_ledger_of_before_reads_as_one_without_earlier_attempts() -> None:
    wire = {name: value for name, value in a_ledger().model_dump(mode="json", by_alias=True).items() if value}
    for name in ("earlier", "began_at", "replayed"):
        wire.pop(name, None)
    assert claim.decode(JOB, canonical.dumps(wire)).earlier == ()


# --- transitions -----------------------------------------------------------------------------------------------------

LATER = NOW + timedelta(seconds=30)
COMPLETED = Completion(outcome="completed", commit=CommitRef(seq=4, digest="d" * 64))
FAILED = Failed(3, a_failure(NOW))
TRANSITIONS: dict[str, Callable[[Ledger], Ledger]] = {
    "claimed": lambda ledger: ledger.claimed(a_claim()),
    "taken_to_deliver": lambda ledger: ledger.taken_to_deliver("o2"),
    "started": Ledger.started,
    "launching": lambda ledger: ledger.launching(FAILED.failure),
    "pending": lambda ledger: ledger.pending(NOW),
    "launched": lambda ledger: ledger.launched("execution-1"),
    "checkpointed": lambda ledger: ledger.checkpointed(()),
    "prepared": lambda ledger: ledger.prepared(COMPLETED, ("brain/reports/r.md",)),
    "retrying": lambda ledger: ledger.retrying(LATER),
    "failed": lambda ledger: ledger.retrying(LATER, FAILED),
    "parked": lambda ledger: ledger.parked(LATER),
    "unbound": lambda ledger: ledger.unbound(LATER),
    "settled": lambda ledger: ledger.settled(COMPLETED),
    "dead": lambda ledger: ledger.settled(Completion(outcome="failed"), failed=FAILED),
    "confirmed": Ledger.confirmed,
    "interrupted": lambda ledger: ledger.interrupted(LATER),
    "waiting": lambda ledger: ledger.waiting(LATER, "model", NOW),
    "withheld": lambda ledger: ledger.withheld(LATER),
    "resumed": lambda ledger: ledger.resumed(LATER),
    "undeliverable": lambda ledger: ledger.undeliverable(FAILED.failure),
    "marked": lambda ledger: ledger.marked(claim.StageMark(stage="export", seconds=1.5)),
}


@given(ledger=LEDGERS)
def test_every_transition_gives_a_ledger_that_can_be_read_again(ledger: Ledger) -> None:
    for name, transition in TRANSITIONS.items():
        changed = transition(ledger)
        assert claim.decode(JOB, changed.encode()) == changed, name
        assert (changed.job_id, changed.replays[: len(ledger.replays)]) == (ledger.job_id, ledger.replays), name


def test_a_ledger_has_no_other_way_to_change() -> None:
    public = {name for name, value in vars(Ledger).items() if callable(value) and not name.startswith("_")}
    assert public - {"encode", "written_as"} == set(TRANSITIONS) - {"failed", "dead"} | {"dead_again"}


def test_a_state_that_no_reader_knows_is_refused_before_it_is_stored() -> None:
    with pytest.raises(ValidationError):
        a_ledger()._with(state="RETRYNG")


def test_an_interruption_is_no_failure_and_a_failure_is_counted() -> None:
    ledger = a_ledger(failures=2, launches=3)
    assert (ledger.retrying(LATER).failures, ledger.retrying(LATER).launches) == (2, 0)
    failed = ledger.retrying(LATER, FAILED)
    assert (failed.state, failed.retry_at, failed.failures, failed.failure) == ("RETRYING", LATER, 3, FAILED.failure)
    assert ledger.parked(LATER, FAILED).failures == 3


def test_an_outcome_settles_as_done_or_dead_with_what_was_prepared() -> None:
    prepared = a_ledger(retry_at=NOW).prepared(COMPLETED, ("brain/reports/r.md",))
    assert (prepared.state, prepared.outcome) == ("RUNNING", "completed")
    done = prepared.settled(COMPLETED)
    assert (done.state, done.published, done.delivered, done.retry_at) == ("DONE", ("brain/reports/r.md",), False, None)
    assert done.settled(COMPLETED, published=()).published == ()
    assert done.confirmed().delivered
    dead = prepared.settled(Completion(outcome="failed"), failed=FAILED)
    assert (dead.state, dead.failures) == ("DEAD", 3)
    reopened = dead.confirmed().claimed(a_claim(replay_id=R1))
    assert reopened.completion is None
    again = reopened.dead_again(dead.confirmed())
    assert (again.state, again.outcome, again.delivered) == ("DEAD", "failed", True)


def test_a_payload_that_disagreed_with_the_row_is_let_go() -> None:
    first = a_ledger(attempt=1, base_seq=7).unbound(LATER)
    assert (first.state, first.payload_digest, first.base_seq) == ("RETRYING", None, None)
    # An earlier attempt may have committed above this base.
    assert a_ledger(attempt=2, base_seq=7).unbound(LATER).base_seq == 7


#: A ledger with every field that a transition may change.
FULL: dict[str, Any] = {
    "state": "QUEUED",
    "failures": 2,
    "interruptions": 4,
    "base_seq": 6,
    "launches": 3,
    "execution": "execution-0",
    "retry_at": NOW,
    "waiting_for": "topics",
    "waiting_since": NOW,
    "stages": ({"stage": "export", "seconds": 1.0},),
    "failure": a_failure(NOW),
    "began_at": NOW,
}
FREE = {"waiting_for": None, "waiting_since": None}
RETRY = {"state": "RETRYING", "retry_at": LATER, "launches": 0}
COUNTED = {"failures": 3}
OTHER = a_failure(LATER, "lock_lost")


@table(
    ("transition", "changes"),
    [
        (Ledger.started, {"state": "RUNNING", "launches": 0, "retry_at": None, **FREE}),
        (lambda ledger: ledger.launching(OTHER), {"launches": 4, "execution": None, "failure": OTHER, **FREE}),
        (lambda ledger: ledger.pending(LATER), {"waiting_for": "launcher", "waiting_since": LATER}),
        (lambda ledger: ledger.launched("execution-1"), {"execution": "execution-1"}),
        (lambda ledger: ledger.prepared(COMPLETED, ("a.md",)), {"completion": COMPLETED, "published": ("a.md",)}),
        (lambda ledger: ledger.retrying(LATER), RETRY),
        (lambda ledger: ledger.retrying(LATER, Failed(3, OTHER)), {**RETRY, "failure": OTHER, **COUNTED, **FREE}),
        (lambda ledger: ledger.interrupted(LATER), {**RETRY, "interruptions": 0, **FREE}),
        (
            lambda ledger: ledger.waiting(LATER, "model", LATER),
            {**RETRY, "waiting_for": "model", "waiting_since": LATER},
        ),
        (lambda ledger: ledger.withheld(LATER), {**RETRY, **FREE}),
        (lambda ledger: ledger.resumed(LATER), {"waiting_since": LATER}),
        (lambda ledger: ledger.parked(LATER), {"state": "PARKED", "retry_at": LATER}),
        (
            lambda ledger: ledger.parked(LATER, Failed(3, OTHER)),
            {"state": "PARKED", "retry_at": LATER, "failure": OTHER, **COUNTED},
        ),
        (lambda ledger: ledger.unbound(LATER), {**RETRY, "payload_digest": None}),
        (
            lambda ledger: ledger.settled(COMPLETED, delivered=True),
            {"state": "DONE", "completion": COMPLETED, "delivered": True, "retry_at": None, **FREE},
        ),
        (Ledger.confirmed, {"delivered": True}),
        (lambda ledger: ledger.undeliverable(OTHER), {"failure": OTHER}),
        (lambda ledger: ledger.taken_to_deliver("p", R1), {"attempt": 4, "owner": "p", "replays": (R1,)}),
        (lambda ledger: ledger.written_as("q"), {"put_id": "q"}),
    ],
)
def test_a_transition_changes_its_own_fields_and_no_other(
    transition: Callable[[Ledger], Ledger], changes: dict[str, Any]
) -> None:
    before = a_ledger(**FULL)
    after = dict(transition(before))
    assert {name: value for name, value in after.items() if value != getattr(before, name)} == changes


@table(
    ("more", "changes"),
    [
        ({}, {}),
        ({"state": "QUEUED"}, {"state": "QUEUED", "launches": 1}),
        ({"base_seq": 0}, {"base_seq": 0}),
        ({"lost": OTHER}, {"failures": 3, "failure": OTHER}),
        (
            {"replay_id": R1},
            {"failures": 0, "interruptions": 0, "replays": (R1,), "replayed": True, **FREE},
        ),
    ],
)
def test_a_claim_begins_the_next_attempt(more: dict[str, Any], changes: dict[str, Any]) -> None:
    before = a_ledger(**{**FULL, "state": "RETRYING"})
    values = {"state": "RUNNING", **more}
    begun = claim.NewClaim(an_event(), owner="p", began_at=LATER, ended_at=LATER, **values)
    after = before.claimed(begun)
    expected = {
        "attempt": 4,
        "owner": "p",
        "state": "RUNNING",
        "launches": 0,
        "execution": None,
        "stages": (),
        "retry_at": None,
        "began_at": LATER,
        "payload_digest": an_event().payload_digest,
        "event": an_event().to_wire(),
        "earlier": claim.past(before, LATER, more.get("lost")),
        **changes,
    }
    assert {name: value for name, value in dict(after).items() if value != getattr(before, name)} == expected
    first = claim.first_ledger(JOB, begun)
    assert (first.attempt, first.launches, first.replayed) == (1, after.launches, after.replayed)


def test_an_attempt_gets_further_with_a_stage_that_none_before_it_finished() -> None:
    def got(*stages: str, earlier: tuple[str, ...] = ()) -> bool:
        marks = [{"stage": stage, "seconds": 1.0} for stage in stages]
        past = {"fence": 1, "ended_at": NOW, "state": "RETRYING"}
        before = [{**past, "stages": [{"stage": stage, "seconds": 1.0}]} for stage in earlier]
        return a_ledger(stages=marks, earlier=before).progressed

    assert got("hydrate")
    assert not got()
    assert got("hydrate", "export", earlier=("hydrate",))
    assert not got("hydrate", earlier=("hydrate",))
    assert not got("hydrate", earlier=("export", "hydrate"))
    assert a_ledger(stages=({"stage": "hydrate", "seconds": 1},)).interrupted(LATER).interruptions == 0
    assert a_ledger(interruptions=4).interrupted(LATER).interruptions == 5


def test_what_an_attempt_that_stopped_renewing_had_finished_is_told() -> None:
    marks = [{"stage": stage, "seconds": 1.0} for stage in ("hydrate", "export", "render")]
    for stages, stage, where in ((marks, "render", "render"), ([], None, "its claim")):
        for failure, first_seen in ((None, NOW - timedelta(seconds=200)), (a_failure(LATER), LATER)):
            decision = answer(stored(200, stages=stages, failure=failure))
            assert isinstance(decision, Proceed)
            assert decision.lost is not None
            lost = decision.lost
            assert (lost.stage, lost.first_seen, lost.last_seen) == (stage, first_seen, NOW)
            assert lost.message == f"attempt 3 stopped renewing its lease after {where}"


def test_equal_failures_have_one_fingerprint_and_others_another() -> None:
    marks = [
        claim.fingerprint(*each)
        for each in (("a", None, "E"), ("a", "export", "E"), ("b", None, "E"), ("a", None, "F"))
    ]
    assert len(set(marks)) == 4
    assert marks[0] == claim.fingerprint("a", "", "E")
    assert {len(mark) for mark in marks} == {16}


def test_a_damaged_ledger_tells_five_places_and_none_of_its_words() -> None:
    with pytest.raises(LedgerUnreadable) as caught:
        claim.decode(JOB, canonical.dumps({"job_id": "secret", "user_id": "secret", "state": "secret"}))
    text = str(caught.value)
    assert "are not a ledger (at job_id, user_id, state, " in text
    assert text.count(",") == 4
    assert "secret" not in text
    with pytest.raises(LedgerUnreadable, match=r"3 bytes are not a ledger \(at ledger\)"):
        claim.decode(JOB, b"[1]")
