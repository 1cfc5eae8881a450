"""Failures: recorded retries, dead letters, replays, cancels, mismatches, damaged objects."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from consumer import paths
from consumer.delivery import outcome as out
from consumer.delivery.deadletter import DEAD_SCHEMA
from consumer.delivery.envelope import Delivery
from consumer.errors import (
    BlobUnavailable,
    ConsumerError,
    ControlPlaneUnavailable,
    JobTerminal,
    NotAllowed,
    RequestRefused,
    SnapshotIncomplete,
    SynthesisInvalid,
    TenantMismatch,
    ToolFailed,
    TopicUnavailable,
    WorkspaceFrozen,
)
from consumer.ports import Guard
from consumer.run import Run
from consumer.storage.memory import FakeClock, Faults, MemoryTopic
from contract.api import CommitRef
from tests.fixtures_telemetry import Lines, logs
from tests.spine import USER, FakeHeads, FakeStage, World, a_delivery, an_event, failing_calls, job_id, raising

R1, R2 = (f"bbbbbbbb-0000-4000-8000-00000000000{n}" for n in (1, 2))


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.plane.add(an_event())
    return world


@dataclass
class BrokenChain(FakeHeads):
    error: ConsumerError = field(default_factory=lambda: WorkspaceFrozen("x"))

    def committed_by(self, user_id: str, job_id: str, base_seq: int, head: Any = None) -> CommitRef | None:
        raise self.error


def failing(stage: str, error: Exception) -> dict[str, FakeStage]:
    return {stage: FakeStage(stage, raising(error))}


# --- retries -----------------------------------------------------------------------------------------------------


def test_a_failure_is_recorded_and_acknowledged_with_its_time(world: World) -> None:
    outcome = world.handler(stages=failing("index", ToolFailed("gbrain: exit 1"))).job(a_delivery(an_event()))

    assert isinstance(outcome, out.RetryRecorded)
    assert outcome.retry_at == world.clock.now() + timedelta(seconds=15)
    ledger, row = world.ledger(), world.plane.rows[job_id(1)]
    assert (ledger["state"], ledger["failures"]) == ("RETRYING", 1)
    assert (ledger["failure"]["code"], ledger["failure"]["stage"]) == ("tool_failed", "index")
    assert (row.substate, row.retry_at) == ("retrying", outcome.retry_at)
    assert world.lock()["state"] == "free"
    assert world.dead_letters() == []


def test_a_retry_that_is_not_due_is_acknowledged_and_one_that_is_runs(world: World) -> None:
    world.handler(stages=failing("index", ToolFailed("x"))).job(a_delivery(an_event()))
    early = world.handler().job(a_delivery(an_event()))
    assert (early.name, getattr(early, "why", "")) == ("duplicate", "not_due")
    world.clock.advance(6)
    assert world.handler().job(a_delivery(an_event())) == out.Done(job_id(1), result="completed")
    assert world.plane.rows[job_id(1)].attempt == 2


def test_delays_grow_and_the_other_sides_wish_counts(world: World) -> None:
    waits = []
    for asked in (None, None, 100.0):
        error = ToolFailed("export", retry_after_s=asked)
        outcome = world.handler(stages=failing("export", error)).job(a_delivery(an_event()))
        assert isinstance(outcome, out.RetryRecorded)
        assert outcome.retry_at
        waits.append(round((outcome.retry_at - world.clock.now()).total_seconds()))
        world.clock.advance(waits[-1])
    assert waits == [15, 30, 100]


def test_five_failures_make_a_dead_letter(world: World) -> None:
    handler = world.handler(stages=failing("synthesize", SynthesisInvalid("claims: 3 faults")))
    names = []
    for _ in range(5):
        names.append(handler.job(a_delivery(an_event())).name)
        world.clock.advance(300)
    assert names == ["retry_recorded"] * 4 + ["dead_lettered"]

    [record] = world.dead_letters()
    assert record["key"] == f"{job_id(1)}-5"
    assert (record["code"], record["stage"], record["failures"]) == ("synthesis_invalid", "synthesize", 5)
    assert record["first_seen"] < record["last_seen"]
    assert record["hint"] == SynthesisInvalid.hint
    [message] = world.dead_topic.messages
    assert message.attributes["dead_letter"] == f"2026-11-27/{job_id(1)}-5"
    assert message.attributes["code"] == "synthesis_invalid"
    row = world.plane.rows[job_id(1)]
    assert (row.status, row.completions) == ("failed", 1)
    assert row.completion is not None
    assert row.completion.error is not None
    assert (row.completion.error.code, row.completion.error.stage) == ("synthesis_invalid", "synthesize")
    assert world.heads.chain(USER) == []
    assert handler.job(a_delivery(an_event())).name == "duplicate"


@pytest.mark.parametrize(
    ("stage", "error"),
    [
        ("export", TenantMismatch("record of another user")),
        ("hydrate", WorkspaceFrozen("commit 3")),
        ("persist", WorkspaceFrozen("commit 3")),
        ("export", NotAllowed("scope", 403)),
        ("export", RequestRefused("422")),
    ],
)
def test_what_cannot_succeed_dies_at_once(world: World, stage: str, error: ConsumerError) -> None:
    outcome = world.handler(stages=failing(stage, error)).job(a_delivery(an_event()))
    assert isinstance(outcome, out.DeadLettered)
    assert outcome.code == error.code
    assert world.plane.rows[job_id(1)].status == "failed"
    assert world.lock()["state"] == "free"


def test_of_a_bug_only_the_class_is_kept(world: World) -> None:
    canary = "sk-very-secret and user text"
    world.handler(stages=failing("render", ZeroDivisionError(canary))).job(a_delivery(an_event()))
    everything = b"".join(data for _, data in world.blobs.contents().values())
    assert canary.encode() not in everything
    assert b"ZeroDivisionError" in everything


def test_a_tools_words_are_kept_without_what_looks_like_a_credential(world: World) -> None:
    canary = "sk-proj-4f9a8b7c6d5e4f3a2b1c0d"
    error = ToolFailed(f"gbrain embed gave code 1: Authorization: Bearer {canary}; postgres://u:hunter22@db/x")
    for _ in range(5):
        world.handler(stages=failing("index", error)).job(a_delivery(an_event()))
        world.clock.advance(300)
    everything = b"".join(data for _, data in world.blobs.contents().values())
    announced = b"".join(message.data for message in world.dead_topic.messages)
    for secret in (canary.encode(), b"hunter22"):
        assert secret not in everything + announced
    assert "gbrain embed gave code 1" in world.dead_letters()[0]["message"]


def test_a_token_that_cannot_be_had_is_waited_for(world: World) -> None:
    world.plane.fault = failing_calls("open", ControlPlaneUnavailable("503"))
    assert world.handler().job(a_delivery(an_event())).name == "waiting"
    assert (world.ledger()["state"], world.ledger()["failures"]) == ("RETRYING", 0)
    world.clock.advance(15)
    assert world.handler().job(a_delivery(an_event())).name == "done"


def test_a_dead_letter_topic_that_is_down_leaves_the_message_with_pubsub_and_the_job_due(world: World) -> None:
    topic = MemoryTopic(world.clock)
    stages = failing("export", TenantMismatch("x"))

    def down(_op: object) -> None:
        raise TopicUnavailable("down")

    topic.fault = down
    outcome = world.handler(stages=stages, dead_topic=topic).job(a_delivery(an_event()))
    assert isinstance(outcome, out.NotRecorded)
    assert outcome.http_status == 503
    assert world.ledger()["state"] == "RETRYING"
    assert world.plane.rows[job_id(1)].status == "running"

    assert world.handler(stages=stages).job(a_delivery(an_event())).name == "dead_lettered"
    assert world.plane.rows[job_id(1)].status == "failed"


def test_an_unanswered_swap_leaves_the_lock_dirty_and_the_next_attempt_finds_the_commit(world: World) -> None:
    """The swap landed, but nobody could tell: neither failed nor done until the next attempt looks."""
    heads = world.heads

    def swap_then_silence(run: Run, _guard: object) -> Run:
        heads.commit(USER, run.base, run.job.job_id, run.attempt, run.epoch)
        raise BlobUnavailable("no answer")

    outcome = world.handler(stages={"persist": FakeStage("persist", swap_then_silence)}).job(a_delivery(an_event()))
    assert outcome.name == "waiting"
    assert world.lock()["state"] == "dirty"
    world.clock.advance(15)
    assert world.handler().job(a_delivery(an_event())) == out.Done(job_id(1), result="completed")
    assert heads.chain(USER) == [job_id(1)]
    assert world.plane.rows[job_id(1)].completions == 1


def test_a_late_swap_fails_after_the_next_attempt_fenced(world: World) -> None:
    """The fifth failure is a swap without an answer: the job is not declared dead before HEAD is fenced."""
    late: list[Run] = []

    def silence(run: Run, _guard: object) -> Run:
        late.append(run)
        raise ToolFailed("no answer")

    handler = world.handler(stages={"persist": FakeStage("persist", silence)})
    for _ in range(5):
        assert handler.job(a_delivery(an_event())).name == "retry_recorded"
        world.clock.advance(300)
    assert handler.job(a_delivery(an_event())).name == "dead_lettered"
    assert len(late) == 5
    for run in late:
        with pytest.raises(ConsumerError):
            world.heads.commit(USER, run.base, run.job.job_id, run.attempt, run.epoch)
    assert world.heads.chain(USER) == []
    assert world.dead_letters()[0]["code"] == "tool_failed"


def test_another_commit_under_way_is_retried(world: World) -> None:
    def moved(run: Run, _guard: object) -> Run:
        world.heads.commit(USER, run.base, job_id(9), 1, run.epoch)
        raise_moved = replace(run, base=run.base)
        world.heads.commit(USER, raise_moved.base, run.job.job_id, run.attempt, run.epoch)
        raise AssertionError("the swap must have been refused")

    outcome = world.handler(stages={"persist": FakeStage("persist", moved)}).job(a_delivery(an_event()))
    assert isinstance(outcome, out.RetryRecorded)
    assert outcome.code == "head_moved"
    world.clock.advance(15)
    assert world.handler().job(a_delivery(an_event())).name == "done"
    assert world.heads.chain(USER) == [job_id(9), job_id(1)]


@pytest.mark.parametrize("error", [WorkspaceFrozen("commit 3"), SnapshotIncomplete("commit 3 is gone")])
def test_a_history_that_cannot_be_read_does_not_keep_its_job_from_ending(
    world: World, error: ConsumerError, lines: Lines
) -> None:
    """The chain walk itself fails: at the claim after the first failure, and again before the job is declared dead."""
    handler = world.handler(stages=failing("hydrate", error))
    broken = BrokenChain(world.blobs, error=error)
    handler = replace(handler, parts=replace(handler.parts, heads=broken))
    names = []
    while "dead_lettered" not in names:
        names.append(handler.job(a_delivery(an_event())).name)
        world.clock.advance(300)
        assert len(names) < 10, names
    assert set(names[:-1]) <= {"retry_recorded"}
    assert world.dead_letters()[0]["code"] == error.code
    assert world.plane.rows[job_id(1)].status == "failed"
    unread = isinstance(error, SnapshotIncomplete)
    assert ("chain not walked" in dict(lines.seen)) is unread, "what is frozen can be read"


# --- completion --------------------------------------------------------------------------------------------------


@logs("completion not delivered")
def test_an_undelivered_completion_is_delivered_by_the_next_delivery(world: World) -> None:
    world.plane.fault = failing_calls("complete", ControlPlaneUnavailable("503"))
    outcome = world.handler().job(a_delivery(an_event()))
    assert (outcome.name, outcome.http_status) == ("waiting", 503)
    assert (world.ledger()["state"], world.ledger()["delivered"]) == ("DONE", False)

    ran: list[str] = []

    def export(run: Run, _guard: Guard) -> Run:
        ran.append("export")
        return run

    spy = {"export": FakeStage("export", export)}
    assert world.handler(stages=spy).job(a_delivery(an_event())) == out.Done(job_id(1), result="completed")
    assert ran == []
    assert world.plane.rows[job_id(1)].attempt == 2
    assert world.ledger()["delivered"] is True


def test_a_refused_completion_is_told_once_and_delivered_when_the_cause_is_gone(world: World) -> None:
    world.plane.fault = failing_calls("complete", RequestRefused("POST complete: 422 invalid_request"), times=99)
    for _ in range(5):
        assert world.handler().job(a_delivery(an_event())).name == "undelivered"
        world.clock.advance(600)
    [letter] = world.dead_letters()
    assert (letter["code"], letter["job_id"], letter["stage"]) == ("completion_conflict", job_id(1), "complete")
    assert (world.ledger()["state"], world.ledger()["delivered"]) == ("DONE", False)
    world.plane.fault = lambda _call: None
    assert world.handler().job(a_delivery(an_event())).name == "done"
    assert world.plane.rows[job_id(1)].status == "completed"


@logs("completion not needed")
def test_a_completion_of_a_row_that_is_over_is_settled(world: World) -> None:
    over = JobTerminal("POST complete: 409 job_terminal", {"status": "cancelled"})
    world.plane.fault = failing_calls("complete", over, times=99)
    assert world.handler().job(a_delivery(an_event())).name == "done"
    assert (world.ledger()["delivered"], world.dead_letters()) == (True, [])


def test_a_replay_of_a_done_job_delivers_its_outcome_and_runs_nothing(world: World) -> None:
    """The row was opened again, by an operator or from a backup: it gets what the job has done."""
    handler = world.handler(stages={})
    assert handler.job(a_delivery(an_event())).name == "done"
    row = world.plane.rows[job_id(1)]
    row.status, row.completion, row.replay_id = "queued", None, R1
    stopped = {"export": FakeStage("export", raising(ToolFailed("it ran again")))}
    replay = an_event().model_copy(update={"replay_id": R1})
    handler = replace(world.handler(stages=stopped), completed_jobs=handler.completed_jobs)
    assert handler.job(a_delivery(replay)) == out.Done(job_id(1), result="completed")
    assert (row.status, world.ledger()["replays"]) == ("completed", [R1])
    assert handler.job(a_delivery(replay)).name == "duplicate"


def test_a_row_that_is_over_settles_the_ledger(world: World) -> None:
    world.plane.rows[job_id(1)].status = "cancelled"
    outcome = world.handler().job(a_delivery(an_event()))
    assert (outcome.name, getattr(outcome, "why", "")) == ("duplicate", "job_terminal")
    ledger = world.ledger()
    assert (ledger["state"], ledger["outcome_body"]["outcome"], ledger["delivered"]) == ("DONE", "cancelled", True)


# --- cancel ------------------------------------------------------------------------------------------------------


def test_a_cancelled_job_does_not_start(world: World) -> None:
    world.plane.rows[job_id(1)].cancel_requested = True
    assert world.handler().job(a_delivery(an_event())) == out.Done(job_id(1), result="cancelled")
    assert world.plane.rows[job_id(1)].status == "cancelled"
    assert world.heads.chain(USER) == []


def test_cancel_is_seen_at_the_next_stage_and_not_after_the_swap(world: World) -> None:
    def cancel(_run: Run, _guard: object) -> None:
        world.plane.rows[job_id(1)].cancel_requested = True

    before = {"index": FakeStage("index", cancel)}
    assert world.handler(stages=before).job(a_delivery(an_event())) == out.Done(job_id(1), result="cancelled")

    world.plane.add(an_event(2))

    def cancel_late(run: Run, _guard: object) -> Run:
        world.plane.rows[job_id(2)].cancel_requested = True
        return replace(run, commit=world.heads.commit(USER, run.base, run.job.job_id, run.attempt, run.epoch))

    after = {"persist": FakeStage("persist", cancel_late)}
    assert world.handler(stages=after).job(a_delivery(an_event(2))) == out.Done(job_id(2), result="completed")


# --- replay ------------------------------------------------------------------------------------------------------


def died(world: World, replay_id: str | None = None) -> None:
    stages = failing("export", TenantMismatch("x"))
    event = an_event(replay_id=replay_id)
    assert world.handler(stages=stages).job(a_delivery(event)).name == "dead_lettered"


def replayed(world: World, replay_id: str) -> Delivery:
    """What the control plane does on a replay: failed -> queued, the row keeps the id, the outbox sends the event."""
    row = world.plane.rows[job_id(1)]
    row.status, row.replay_id, row.completion = "queued", replay_id, None
    return a_delivery(an_event(replay_id=replay_id, from_stage="export", reason="fixed"))


def test_a_replay_runs_a_dead_job_again_from_zero_failures(world: World) -> None:
    died(world)
    delivery = replayed(world, R1)
    assert world.handler().job(delivery) == out.Done(job_id(1), result="completed")
    ledger = world.ledger()
    assert (ledger["failures"], ledger["fence"], ledger["replays"]) == (0, 2, [R1])
    assert world.handler().job(delivery).name == "duplicate"
    assert world.heads.chain(USER) == [job_id(1)]


def test_a_replay_delivered_twice_runs_once_and_the_original_event_does_not_bring_it_back(world: World) -> None:
    died(world)
    delivery = replayed(world, R1)
    died(world, R1)
    assert world.handler().job(delivery).name == "duplicate"
    assert world.handler().job(a_delivery(an_event())).name == "duplicate"
    assert len(world.dead_letters()) == 2


def test_an_old_replays_message_leaves_the_ledger_dead(world: World) -> None:
    died(world)
    replayed(world, R2)
    died(world, R2)
    row = world.plane.rows[job_id(1)]
    row.status = "queued"
    old = a_delivery(an_event(replay_id=R1))
    assert world.handler().job(old).name == "stale"
    ledger = world.ledger()
    assert (ledger["state"], ledger["outcome_body"]["outcome"]) == ("DEAD", "failed")


# --- mismatches --------------------------------------------------------------------------------------------------


def test_a_second_payload_under_one_job_id_is_buried_and_touches_nothing(world: World) -> None:
    world.handler(stages=failing("index", ToolFailed("x"))).job(a_delivery(an_event()))
    before = world.ledger()
    other = a_delivery(an_event(period="2026-11-27T23"), "4711")
    outcome = world.handler().job(other)
    assert isinstance(outcome, out.DeadLettered)
    assert (outcome.code, outcome.record) == ("payload_mismatch", "m-4711")
    assert world.ledger() == before
    assert world.plane.rows[job_id(1)].status == "queued"


@pytest.mark.parametrize(
    "wrong", [{"period": "2026-11-26T01"}, {"job_type": "insight"}, {"user_id": "99999999-1111-4111-8111-111111111111"}]
)
def test_a_message_that_differs_from_the_row_does_not_keep_the_right_one_out(world: World, wrong: Any) -> None:
    bad = a_delivery(an_event(**wrong), "4711")
    outcome = world.handler().job(bad)
    assert (outcome.name, getattr(outcome, "code", "")) == ("dead_lettered", "payload_mismatch")
    assert world.plane.rows[job_id(1)].completions == 0

    assert world.handler().job(a_delivery(an_event())) == out.Done(job_id(1), result="completed")
    assert world.heads.chain(USER) == [job_id(1)]
    assert world.ledger()["user_id"] == USER


def test_a_workspace_elsewhere_is_refused(world: World) -> None:
    world.plane.overrides = {"workspace_uri": "gs://memory/users/somebody-else/"}
    outcome = world.handler().job(a_delivery(an_event()))
    assert isinstance(outcome, out.DeadLettered)
    assert outcome.code == "workspace_mismatch"


# --- damaged objects ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\xfe", b'{"schema": "memory.ledger.v2"}'])
def test_a_damaged_ledger_is_buried_once_a_day_and_left_as_it_is(world: World, data: bytes) -> None:
    world.blobs.write(paths.ledger(job_id(1)), data, if_generation=0)
    for message_id in ("1", "2"):
        outcome = world.handler().job(a_delivery(an_event(), message_id))
        assert isinstance(outcome, out.DeadLettered)
        assert outcome.code == "ledger_unreadable"
    [record] = world.dead_letters()
    assert record["key"] == f"m-ledger-{job_id(1)}"
    blob = world.blobs.peek(paths.ledger(job_id(1)))
    assert blob is not None
    assert blob.data == data
    assert world.plane.calls == []


@pytest.mark.parametrize("data", [b"", b"{}", b'{"state": "held"}', b"\xff"])
def test_a_damaged_lock_counts_as_held_until_it_is_stale(world: World, data: bytes) -> None:
    world.blobs.write(paths.lock(USER), data, if_generation=0)
    outcome = world.handler().job(a_delivery(an_event()))
    assert isinstance(outcome, out.Parked)
    assert outcome.retry_at == world.clock.now() + timedelta(seconds=135)
    assert "unreadable" in outcome.detail
    world.clock.advance(135)
    assert world.handler().job(a_delivery(an_event())).name == "done"
    assert world.lock()["epoch"] == 1


# --- Pub/Sub's own dead letters ----------------------------------------------------------------------------------


def test_a_jobs_message_that_pubsub_gave_up_on_makes_no_letter_since_its_row_brings_it_back(world: World) -> None:
    """After an outage of two hours there would be one for each job that waited through it."""
    exhausted = {**an_event().attributes(), "CloudPubSubDeadLetterSourceDeliveryCount": "100"}
    outcome = world.handler().dead_letter(Delivery("55", an_event().encode(), exhausted))
    assert (outcome.name, outcome.http_status) == ("duplicate", 204)
    assert world.dead_letters() == []
    assert world.handler().job(a_delivery(an_event())).name == "done"


def test_what_pubsub_gave_up_on_is_recorded_once_and_not_announced_again(world: World) -> None:
    given_up = Delivery(
        "55",
        b"no event",
        {**an_event().attributes(), "CloudPubSubDeadLetterSourceDeliveryCount": "100"},
        publish_time=FakeClock().now(),
    )
    for _ in range(2):
        outcome = world.handler().dead_letter(given_up)
        assert isinstance(outcome, out.DeadLettered)
    [record] = world.dead_letters()
    assert (record["code"], record["job_id"]) == ("delivery_exhausted", job_id(1))
    assert "100 deliveries" in record["message"]
    assert world.dead_topic.messages == []


def test_our_own_announcement_is_only_acknowledged(world: World) -> None:
    died(world)
    [message] = world.dead_topic.messages
    before = world.blobs.contents()
    outcome = world.handler().dead_letter(Delivery("56", message.data, message.attributes))
    assert outcome.name == "duplicate"
    assert world.blobs.contents() == before
    assert json.loads(message.data)["schema"] == DEAD_SCHEMA


def test_a_huge_message_is_kept_in_part_with_its_digest(world: World) -> None:
    data = b"x" * 500_000
    attributes = {f"k{n}": "v" * 5000 for n in range(20)}
    world.handler().job(Delivery("57/../../up", data, attributes))
    [record] = world.dead_letters()
    assert record["original_bytes"] == 500_000
    assert len(record["original_b64"]) < 90_000
    assert max(map(len, record["attributes"].values())) == 1024
    assert "/" not in record["key"]
    [message] = world.dead_topic.messages
    assert all(len(value.encode()) <= 1024 for value in message.attributes.values())


# --- lost replies ------------------------------------------------------------------------------------------------


def test_a_lost_reply_to_each_conditional_write_costs_neither_claim_nor_lock(tmp_path: Path) -> None:
    """The write's own retry meets its own success as 412 and knows it: the same run goes on, nobody else is asked."""
    clean = World(tmp_path / "clean")
    clean.plane.add(an_event())
    clean.handler().job(a_delivery(an_event()))
    conditional = [
        op
        for op in clean.blobs.ops
        if op.verb == "write" and op.name.endswith(("lock.json", f"{job_id(1)}.json", "HEAD"))
    ]
    writes = [op for op in conditional if "published" not in op.name]
    assert len(writes) >= 7
    for op in writes:
        world = World(tmp_path / f"at-{op.number}")
        world.plane.add(an_event())
        faults = Faults().lose_reply(op.number)
        outcome = world.handler(world.blobs.as_seen_by(faults)).job(a_delivery(an_event()))
        assert faults.fired, op
        assert outcome == out.Done(job_id(1), result="completed"), op
        assert world.plane.rows[job_id(1)].attempt == 1
        assert world.heads.chain(USER) == [job_id(1)]
