"""Jobs that do not fit a push: queued before they are launched, run once however often they are started."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from consumer.breakers import Breakers
from consumer.delivery import outcome as out
from consumer.delivery.handler import Handler
from consumer.entrypoints import job
from consumer.errors import BlobUnavailable, ControlPlaneUnavailable, LauncherUnavailable, ToolFailed
from consumer.ports import ExecutionState, Guard
from consumer.run import Run
from consumer.storage.memory import Op
from tests.fixtures_telemetry import Lines, logs
from tests.spine import USER, FakeStage, World, a_delivery, an_event, failing_calls, job_id, raising


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, setting="cloud-run-job")
    world.plane.add(an_event())
    return world


def execute(world: World, number: int = 0, handler: Handler | None = None) -> out.Outcome:
    """What a Cloud Run execution does with the environment of its launch."""
    execution = job.parse(world.launcher.launched[number])
    return (handler or world.handler()).execute(execution.job_id, execution.attempt, execution.expected)


def test_a_job_is_queued_launched_and_run_by_its_execution(world: World) -> None:
    assert world.handler().job(a_delivery(an_event())) == out.Launched(job_id(1), "executions/1")
    assert world.launcher.launched == [
        {
            "JOB_ID": job_id(1),
            "USER_ID": USER,
            "JOB_TYPE": "hourly_digest",
            "WORKSPACE_URI": f"gs://memory/users/{USER}/",
            "RUNTIME_PROFILE": "internal-full",
            "TEMPLATE_VERSION": "v1",
            "FENCE": "1",
        }
    ]
    assert (world.ledger()["state"], world.ledger()["execution"]) == ("QUEUED", "executions/1")
    assert world.plane.calls == ["open", "progress queued None"]
    row = world.plane.rows[job_id(1)]
    assert (row.substate, row.retry_at) == ("queued", world.clock.now() + timedelta(seconds=690))
    assert execute(world) == out.Done(job_id(1), result="completed")
    assert world.heads.chain(USER) == [job_id(1)]
    assert world.handler().job(a_delivery(an_event())).name == "duplicate"


def test_the_ledger_says_queued_before_the_call(world: World) -> None:
    def look() -> None:
        assert world.ledger()["state"] == "QUEUED"

    world.launcher.fault = look
    assert world.handler().job(a_delivery(an_event())).name == "launched"


def test_of_two_executions_one_works(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    seen: list[out.Outcome] = []
    second = {"render": FakeStage("render", lambda _r, _g: seen.append(execute(world)))}
    first = execute(world, handler=world.handler(stages=second))
    assert first == out.Done(job_id(1), result="completed")
    assert [(o.name, o.exit_code) for o in seen] == [("duplicate", 0)]
    assert execute(world).name == "duplicate"
    assert world.plane.rows[job_id(1)].completions == 1


GONE = ExecutionState(is_over=True, reason="ContainerReady: Image 'worker' not found")


def test_an_execution_that_never_starts_ends_after_three_launches_with_the_reason(world: World) -> None:
    world.launcher.fate = GONE
    began = world.clock.now()
    for number in range(1, 4):
        assert world.handler().job(a_delivery(an_event())).name == "launched"
        assert world.handler().job(a_delivery(an_event())).name == "duplicate"
        due_at = world.plane.rows[job_id(1)].retry_at
        assert due_at is not None and due_at > world.clock.now()
        world.clock.advance((due_at - world.clock.now()).total_seconds())
        if number > 1:
            assert "Image 'worker' not found" in world.ledger()["failure"]["message"]
    assert {env["FENCE"] for env in world.launcher.launched} == {"1"}
    outcome = world.handler().job(a_delivery(an_event()))
    assert isinstance(outcome, out.DeadLettered)
    assert world.clock.now() - began < timedelta(minutes=40)
    [dead_letter] = world.dead_letters()
    assert dead_letter["code"] == "execution_not_started"
    assert GONE.reason in dead_letter["message"]
    assert len(world.launcher.launched) == 3
    assert (world.plane.rows[job_id(1)].status, world.lock()["state"]) == ("failed", "free")
    # A straggler finds that it is not its turn.
    assert execute(world).name == "duplicate"


def test_a_pending_execution_is_waited_for_and_never_launched_again(world: World) -> None:
    assert world.handler().job(a_delivery(an_event())).name == "launched"
    for _ in range(20):
        world.clock.advance(690)
        assert world.handler().job(a_delivery(an_event())).name == "duplicate"
        assert world.plane.rows[job_id(1)].retry_at == world.clock.now() + timedelta(seconds=690)
    assert len(world.launcher.launched) == 1
    assert (world.ledger()["state"], world.ledger()["waiting_for"]) == ("QUEUED", "launcher")
    assert execute(world).name == "done"
    assert world.ledger()["failures"] == 0


def test_an_execution_that_is_pending_for_a_day_is_given_up(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    names: list[str] = []
    while names[-1:] != ["dead_lettered"]:
        world.clock.advance(3600)
        names.append(world.handler().job(a_delivery(an_event())).name)
    assert len(names) in (25, 26)
    assert "pending for over a day" in world.dead_letters()[0]["message"]


def test_a_launch_without_an_answer_may_have_started_one_and_does_not_run_twice(world: World) -> None:
    def lost() -> None:
        raise LauncherUnavailable("429, or the reply was lost")

    world.launcher.fault = lost
    outcome = world.handler().job(a_delivery(an_event()))
    assert isinstance(outcome, out.RetryRecorded)
    assert (world.ledger()["state"], world.ledger()["failures"]) == ("RETRYING", 0)
    assert world.plane.rows[job_id(1)].retry_at == outcome.retry_at
    assert execute(world).name == "duplicate"
    world.launcher.fault = lambda: None
    world.clock.advance(60)
    assert world.handler().job(a_delivery(an_event())).name == "launched"
    assert execute(world, -1).name == "done"
    assert world.heads.chain(USER) == [job_id(1)]


def test_a_launch_counts_although_it_could_not_be_noted_for_operators(world: World, lines: Lines) -> None:
    def down(op: Op) -> None:
        if op.verb == "write":
            raise BlobUnavailable("503")

    world.launcher.fault = lambda: world.blobs.set_fault(down)
    outcome = world.handler().job(a_delivery(an_event()))
    assert outcome == out.Launched(job_id(1), "executions/1")
    world.blobs.set_fault()
    assert ("execution not noted", {"job_id": job_id(1), "code": "blob_unavailable"}) in lines.seen
    assert "execution" not in world.ledger() or world.ledger()["execution"] is None
    assert execute(world).name == "done"


def test_nothing_is_launched_while_the_control_plane_is_away_and_the_message_stays(world: World) -> None:
    world.plane.fault = failing_calls("open", ControlPlaneUnavailable("503"))
    breakers = Breakers(world.clock)
    outcome = world.handler(breakers=breakers).job(a_delivery(an_event()))
    assert (outcome.name, outcome.http_status) == ("waiting", 503)
    assert world.launcher.launched == []
    assert (world.ledger()["waiting_for"], world.ledger()["failures"]) == ("controlplane", 0)
    assert breakers.refuses("controlplane")
    world.clock.advance(60)
    assert world.handler().job(a_delivery(an_event())).name == "launched"


def test_a_pending_execution_is_waited_for_also_while_the_control_plane_is_away(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    world.clock.advance(900)
    world.plane.fault = failing_calls("open", ControlPlaneUnavailable("503"))
    breakers = Breakers(world.clock)
    outcome = world.handler(breakers=breakers).job(a_delivery(an_event()))
    assert (outcome.name, outcome.http_status) == ("waiting", 503)
    assert breakers.refuses("controlplane")
    assert len(world.launcher.launched) == 1


def test_an_execution_of_which_nothing_can_be_learnt_counts_as_pending(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    world.clock.advance(900)

    def away(_execution: str) -> None:
        raise LauncherUnavailable("get_execution: ServiceUnavailable")

    world.launcher.state = away  # type: ignore[assignment, method-assign]
    breakers = Breakers(world.clock)
    assert world.handler(breakers=breakers).job(a_delivery(an_event())).name == "duplicate"
    assert breakers.refuses("launcher")
    assert len(world.launcher.launched) == 1


def test_while_cloud_run_is_away_no_other_job_asks_it(world: World) -> None:
    breakers = Breakers(world.clock)
    breakers.note(LauncherUnavailable("429"))
    outcome = world.handler(breakers=breakers).job(a_delivery(an_event()))
    assert (outcome.name, world.launcher.launched) == ("retry_recorded", [])
    assert (world.ledger()["waiting_for"], world.ledger()["failures"]) == ("launcher", 0)


def test_launches_that_fail_where_others_succeed_are_the_jobs_fault(world: World) -> None:
    """Cloud Run refuses one job's launches for ever, and takes all others."""
    breakers = Breakers(world.clock)
    names: list[str] = []
    while names[-1:] != ["dead_lettered"]:
        assert len(names) < 20

        def refuse() -> None:
            raise LauncherUnavailable("run_job: InvalidArgument")

        world.launcher.fault = refuse
        names.append(world.handler(breakers=breakers).job(a_delivery(an_event())).name)
        world.clock.advance(300)
        breakers.proven("launcher")
        world.clock.advance(300)
    assert world.dead_letters()[0]["code"] == "launcher_unavailable"


class Waits(threading.Event):
    """A shutdown that never comes; says how long it was waited for, and turns the world's clock."""

    def __init__(self, world: World, then: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.world, self.then, self.waited_s = world, then, list[float]()

    def wait(self, timeout: float | None = None) -> bool:
        self.waited_s.append(timeout or 0.0)
        self.world.clock.advance(timeout or 0.0)
        self.then()
        return self.is_set()


def unreachable(world: World) -> None:
    def down(_op: Op) -> None:
        raise BlobUnavailable("the bucket is away")

    world.blobs.set_fault(down)


def test_an_execution_that_cannot_reach_its_ledger_waits_for_it(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    unreachable(world)

    def back() -> None:
        world.blobs.set_fault()

    waits = Waits(world, back)
    assert job.execute(world.handler(), job.parse(world.launcher.launched[0]), waits) == 0
    assert waits.waited_s == [job.WAITS_S[0]]
    assert world.heads.chain(USER) == [job_id(1)]
    assert world.plane.rows[job_id(1)].completions == 1


def test_an_execution_waits_for_another_that_has_its_folder(world: World) -> None:
    """On one machine: leaving at once would cost the job ``execution_start``."""
    world.handler().job(a_delivery(an_event()))
    handler = world.handler()
    with ExitStack() as other:
        other.enter_context(handler.folder.mutex())
        waits = Waits(world, other.close)
        assert job.execute(handler, job.parse(world.launcher.launched[0]), waits) == 0
    assert waits.waited_s == [job.BUSY_WAIT_S]
    assert world.heads.chain(USER) == [job_id(1)]


def test_an_execution_that_waits_for_a_folder_ends_with_its_instance(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    handler = world.handler()
    with handler.folder.mutex():
        waits = Waits(world)
        waits.set()
        assert job.execute(handler, job.parse(world.launcher.launched[0]), waits) == 0
    assert world.ledger()["state"] == "QUEUED"


def test_an_execution_gives_up_in_the_end_and_is_launched_again(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    unreachable(world)
    waits = Waits(world)
    assert job.execute(world.handler(), job.parse(world.launcher.launched[0]), waits) == 1
    assert waits.waited_s == list(job.WAITS_S)
    world.blobs.set_fault()
    world.launcher.fate = GONE
    world.clock.advance(600)
    assert world.handler().job(a_delivery(an_event())).name == "launched"
    assert execute(world, 1) == out.Done(job_id(1), result="completed")


@logs("lock not released", "hand-over failed", "outcome not recorded")
def test_an_execution_that_failed_after_it_had_begun_does_not_run_again(world: World) -> None:
    """Then its ledger says what comes next."""
    world.handler().job(a_delivery(an_event()))

    def fails(_run: Run, _guard: Guard) -> None:
        unreachable(world)
        raise ToolFailed("x")

    def back() -> None:
        world.blobs.set_fault()

    waits = Waits(world, back)
    handler = world.handler(stages={"index": FakeStage("index", fails)})
    assert job.execute(handler, job.parse(world.launcher.launched[0]), waits) == 1
    assert waits.waited_s[-1:] == [job.WAITS_S[0]]
    assert world.heads.chain(USER) == []
    world.clock.advance(600)
    assert world.handler().job(a_delivery(an_event())).name == "launched"
    assert execute(world, 1) == out.Done(job_id(1), result="completed")
    assert world.plane.rows[job_id(1)].completions == 1


def test_a_dead_execution_is_replaced_after_its_lease(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    execution = job.parse(world.launcher.launched[0])
    world.handler().ledgers.adopt(execution.job_id, execution.attempt)
    assert world.handler().job(a_delivery(an_event())).name == "busy"
    world.clock.advance(120)
    assert world.handler().job(a_delivery(an_event())).name == "launched"
    assert world.ledger()["failures"] == 1
    assert execute(world).name == "duplicate"
    assert execute(world, 1).name == "done"


def test_a_failed_execution_is_retried_by_another(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    broken = world.handler(stages={"index": FakeStage("index", raising(ToolFailed("x")))})
    assert execute(world, handler=broken).name == "retry_recorded"
    world.clock.advance(15)
    assert world.handler().job(a_delivery(an_event())).name == "launched"
    assert execute(world, 1).name == "done"


def test_an_execution_launched_with_another_jobs_fields_does_not_run(world: World) -> None:
    world.handler().job(a_delivery(an_event()))
    outcome = world.handler().execute(job_id(1), 1, {"user_id": "99999999-1111-4111-8111-111111111111"})
    assert (outcome.name, outcome.exit_code) == ("not_recorded", 1)
    assert world.heads.chain(USER) == []


@pytest.mark.parametrize(
    ("environ", "reason"),
    [({}, "JOB_ID, FENCE, USER_ID"), ({"FENCE": "-1"}, "whole number"), ({"FENCE": "one"}, "whole number")],
)
def test_an_environment_that_names_no_execution_is_refused(environ: dict[str, str], reason: str) -> None:
    whole = {
        "JOB_ID": job_id(1),
        "USER_ID": USER,
        "JOB_TYPE": "insight",
        "RUNTIME_PROFILE": "p",
        "TEMPLATE_VERSION": "v1",
    }
    with pytest.raises(job.ExecutionError, match=reason):
        job.parse({**whole, **environ} if environ else {})


def test_an_execution_leaves_nothing_that_it_kept_for_a_next_run(tmp_path: Path) -> None:
    for kept in ("cache", "warm", "jobs"):
        (tmp_path / kept / USER).mkdir(parents=True)
        (tmp_path / kept / USER / "page").write_bytes(b"of the user")
    job.leave(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["jobs"], "another execution on this machine may be at work"
    job.leave(tmp_path / "never-made")
