"""Submit, list, show, watch, cancel, rerun: what goes to the control plane, what comes back, and the exit codes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from consumer.cli.smoke import checks
from consumer.errors import ToolFailed
from consumer.storage.memory import Killed
from contract.api import CommitRef, FailureRef
from tests.spine import USER, FakeStage, World, a_delivery, an_event, job_id, raising
from tests.tables import table
from tests.unit.cli.operators import AT, Cli, a_job


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(World(tmp_path))


def test_submit_sends_what_was_asked_and_says_how_to_follow(cli: Cli) -> None:
    text = cli("job", "submit", "insight", "--user", USER, "--period", "2026-11-27")
    assert f"job watch {job_id(1)}" in text
    sent = cli.api.calls[0][1]
    assert (sent.user_id, sent.job_type, sent.period, sent.force) == (USER, "insight", "2026-11-27", False)
    cli("job", "submit", "backfill_digest", "--user", USER, "--force")
    assert cli.api.calls[1][1].force
    assert cli.json("job", "submit", "inventory", "--user", USER)["job_type"] == "inventory"


def test_the_command_that_follows_a_job_reaches_the_same_stack(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    submit = ("job", "submit", "insight", "--user", USER)
    assert "cloop-memory job watch" in cli(*submit)
    monkeypatch.setattr("sys.argv", ["cloop-memory", "--local", *submit])
    assert "cloop-memory --local job watch" in cli(*submit)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("nightmare", "--user", USER), "job_type"),
        (("insight", "--user", "ann"), "user_id"),
        (("insight", "--user", USER, "--period", "today"), "period"),
    ],
)
def test_words_that_are_off_are_named_and_sent_nowhere(cli: Cli, words: tuple[str, ...], named: str) -> None:
    assert named in cli("job", "submit", *words, code=2)
    assert cli.api.calls == []


def test_list_fetches_pages_until_the_limit_and_says_that_there_is_more(cli: Cli) -> None:
    cli.api.pages = [[a_job(1), a_job(2)], [a_job(3), a_job(4)], [a_job(5)]]
    assert [j["job_id"] for j in cli.json("job", "list", "--status", "queued")] == [job_id(n) for n in range(1, 6)]
    assert [c[1] for c in cli.api.calls] == [
        {"status": "queued"},
        {"status": "queued", "after": "1"},
        {"status": "queued", "after": "2"},
    ]
    cli.api.calls.clear()
    text = cli("job", "list", "--limit", "3")
    assert job_id(3) in text
    assert job_id(4) not in text
    assert "more than 3" in text
    assert len(cli.api.calls) == 2, "the third page was not needed"
    assert "more than" not in cli("job", "list", "--limit", "5")


def test_show_draws_attempts_stages_and_the_failure(tmp_path: Path) -> None:
    world = World(tmp_path)
    cli = Cli(world)
    event = an_event()
    world.plane.add(event)
    handler = world.handler(stages={"report": FakeStage("report", raising(ToolFailed("no disk left")))})
    handler.job(a_delivery(event))
    cli.api.states = [
        a_job(status="running", substate="retrying", attempt=1, stage="report", started_at=AT, retry_at=AT)
    ]
    text = cli("job", "show", job_id(1))
    stages = [line.split()[0] for line in text.splitlines() if line.endswith("#")]
    assert stages == ["hydrate", "export", "render", "index", "synthesize"]
    assert "failed: tool_failed at report: no disk left" in text
    assert "running (retrying) in report, due again at 14:00:00 UTC" in text
    timeline = cli.json("job", "show", job_id(1))["timeline"]
    assert (timeline["ledger"], timeline["failures"], timeline["attempts"]) == ("RETRYING", 1, 1)
    assert timeline["last_failure"]["code"] == "tool_failed"


def test_show_draws_every_attempt_in_order_through_a_replay(tmp_path: Path) -> None:
    world = World(tmp_path)
    cli = Cli(world)
    event = an_event()
    world.plane.add(event)
    broken = world.handler(stages={"report": FakeStage("report", raising(ToolFailed("no model")))})
    while broken.job(a_delivery(event)).name != "dead_lettered":
        world.clock.advance(600)
    world.clock.advance(3600)
    row = world.plane.rows[job_id(1)]
    replay = "bbbbbbbb-0000-4000-8000-000000000001"
    row.status, row.replay_id, row.completion = "queued", replay, None
    again = event.model_copy(update={"replay_id": replay, "reason": "the model is back"})
    assert world.handler().job(a_delivery(again)).name == "done"
    cli.api.states = [a_job(status="completed", attempt=6, started_at=AT, finished_at=AT)]

    text = cli("job", "show", job_id(1))
    timeline = cli.json("job", "show", job_id(1))["timeline"]

    attempts = [line.split("  ")[-1] for line in text.splitlines() if "  attempt " in line]
    assert attempts == [f"attempt {n}" for n in range(1, 6)] + ["attempt 6, replayed"]
    assert text.count("failed: tool_failed at report") == 5
    assert text.count("no model") == 1, "the message of the last failure alone"
    assert text.count("synthesize") == 6, "the stages of every attempt"
    assert text.index("no model") < text.index("attempt 6, replayed") < text.index("completed")
    began = [past["began_after_s"] for past in timeline["history"]]
    assert began == sorted(began)
    assert [past["ended"] for past in timeline["history"]] == ["failed"] * 5 + [None]
    assert [mark["stage"] for mark in timeline["history"][-1]["stages"]][-1] == "persist"


def test_show_tells_an_attempt_that_was_lost_or_interrupted_from_one_that_failed(tmp_path: Path) -> None:
    world = World(tmp_path)
    cli = Cli(world)
    world.plane.add(an_event())
    leaving = threading.Event()
    leaving.set()
    world.handler(shutdown=leaving).job(a_delivery(an_event()))
    killed = {"render": FakeStage("render", raising(Killed("gone")))}  # type: ignore[arg-type]  # ends the process
    with pytest.raises(Killed):
        world.handler(stages=killed).job(a_delivery(an_event()))
    world.clock.advance(600)
    assert world.handler().job(a_delivery(an_event())).name == "done"
    cli.api.states = [a_job(status="completed", attempt=3, started_at=AT, finished_at=AT)]

    timeline = cli.json("job", "show", job_id(1))["timeline"]

    assert [(past["ended"], past["code"]) for past in timeline["history"]] == [
        ("interrupted", None),
        ("failed", "failures_spent"),
        (None, None),
    ]
    assert "interrupted" in cli("job", "show", job_id(1))


def test_show_of_a_job_that_no_consumer_has_seen(cli: Cli) -> None:
    text = cli("job", "show", job_id(9))
    assert "requested by operator" in text
    assert text.rstrip().endswith("queued")


def test_show_of_a_completed_job_names_its_commit(cli: Cli) -> None:
    done = a_job(status="completed", attempt=2, started_at=AT, finished_at=AT.replace(second=9))
    cli.api.states = [done.model_copy(update={"commit": CommitRef(seq=4, digest="d")})]
    assert "+9.0 s  completed, commit 4" in cli("job", "show", job_id(1))


def test_watch_tells_each_change_once_and_fails_unless_it_completed(cli: Cli) -> None:
    running = a_job(status="running", attempt=1, stage="render")
    cli.api.states = [a_job(), a_job(), running, running, a_job(status="completed", attempt=1)]
    text = cli("job", "watch", job_id(1))
    assert [line.split()[2] for line in text.splitlines()] == ["queued", "running", "completed"]
    cli.api.states = [a_job(status="failed", error=FailureRef(code="tool_failed", stage="index"))]
    assert "is failed: tool_failed" in cli("job", "watch", job_id(1), code=1)
    cli.api.states = [running]
    assert "still running after 5 s" in cli("job", "watch", job_id(1), "--timeout", "5", code=1)


@pytest.mark.parametrize(("timeout", "looks"), [("0", 1), ("0.7", 3), ("1", 3)])
def test_watch_looks_once_more_when_its_time_is_over_and_never_after(cli: Cli, timeout: str, looks: int) -> None:
    """It looks at once, then twice a second."""
    cli.api.states = [a_job(status="running", attempt=n) for n in range(1, 5)] + [a_job(status="completed")]
    text = cli("job", "watch", job_id(1), "--timeout", timeout, code=1)
    assert f"still running after {float(timeout):.0f} s" in text
    assert [f"attempt {n}" in text for n in range(1, 5)] == [n <= looks for n in range(1, 5)]


def test_watch_for_machines_prints_the_job_alone(cli: Cli) -> None:
    cli.api.states = [a_job(), a_job(status="completed")]
    assert cli.json("job", "watch", job_id(1))["status"] == "completed"


def test_cancel_keeps_the_reason_and_rerun_names_the_old_job(cli: Cli) -> None:
    cli("job", "cancel", job_id(1), "--reason", "wrong user")
    assert cli.api.calls[0][1].reason == "wrong user"
    assert cli.json("job", "rerun", job_id(1))["rerun_of"] == job_id(1)
    cli("job", "rerun", job_id(1), "--force-render")
    assert [sent.force_render for _, sent in cli.api.calls[1:]] == [False, True]
    cli("job", "cancel", job_id(1), code=2)


# --- the runtime smoke -------------------------------------------------------------------------------------------

RUN = {
    "timings_s": {"hydrate": 0.1},
    "synthesis": {"agent": "hermes 0.19.0"},
    "citations": {"total": 3, "resolved": 3},
    "reports": {"markdown": "x"},
}
STEP = {"tool": "mcp__gbrain__query", "outcome": "completed"}
DONE = a_job(status="completed").model_copy(update={"commit": CommitRef(seq=1, digest="d")})


def test_smoke_passes_where_every_part_took_part() -> None:
    assert [check.check for check in checks(DONE, RUN, [STEP]) if not check.ok] == []


@table(
    ("job", "run", "steps", "faults"),
    [
        (a_job(status="failed", error=FailureRef(code="tool_failed", hint="Mend.")), None, [], ["job", "records"]),
        (DONE, RUN | {"timings_s": {}}, [STEP], ["hydrate"]),
        (DONE, RUN | {"synthesis": None}, [STEP], ["agent"]),
        (DONE, RUN, [], ["brain tools"]),
        (DONE, RUN, [STEP | {"outcome": "failed"}], ["brain tools"]),
        (DONE, RUN, [STEP | {"tool": "terminal"}], ["brain tools"]),
        (DONE, RUN | {"citations": {"total": 3, "resolved": 2}}, [STEP], ["report"]),
        (a_job(status="completed"), RUN, [STEP], ["persist"]),
    ],
)
def test_smoke_names_the_part_that_did_not(job: object, run: object, steps: object, faults: list[str]) -> None:
    assert [check.check for check in checks(job, run, steps) if not check.ok] == faults  # type: ignore[arg-type]
