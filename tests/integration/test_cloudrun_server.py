"""The local Cloud Run Jobs server through the unmodified google-cloud-run client and through our launcher."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from google.api_core import exceptions as api
from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import run_v2

from consumer.clients.cloudrun import CloudRunLauncher
from consumer.errors import LauncherUnavailable
from consumer.ports import ExecutionState
from local.cloudrun import rest
from local.cloudrun.rest import CloudRunServer
from local.serving import Background
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.integration
PARENT = "projects/p/locations/us-central1"
JOB = f"{PARENT}/jobs/pipeline"
#: Writes what it was started with to $OUT, then does as $DO says.
PROGRAM = """
import json, os, signal, sys, time
with open(os.environ["OUT"], "a") as out:
    out.write(json.dumps({"env": dict(os.environ), "args": sys.argv[1:], "pid": os.getpid()}) + "\\n")
exec(os.environ.get("DO", ""))
"""


class World:
    def __init__(self, server: CloudRunServer, folder: Path) -> None:
        self.server = server
        self.out = folder / "out.jsonl"
        options = {
            "transport": "rest",
            "client_options": ClientOptions(api_endpoint=server.url),
            "credentials": AnonymousCredentials(),
        }
        self.jobs = run_v2.JobsClient(**options)
        self.executions = run_v2.ExecutionsClient(**options)

    def create(self, command: Sequence[str] = (sys.executable, "-c", PROGRAM), **template: Any) -> Any:
        container = run_v2.Container(
            name="worker",
            image="ignored",
            command=list(command),
            args=["--from-job"],
            env=[run_v2.EnvVar(name="OUT", value=str(self.out)), run_v2.EnvVar(name="KEPT", value="yes")],
        )
        task = run_v2.TaskTemplate(containers=[container], **{"max_retries": 0, **template})
        job = run_v2.Job(template=run_v2.ExecutionTemplate(template=task))
        return self.jobs.create_job(parent=PARENT, job_id="pipeline", job=job).result(timeout=PATIENCE_S)

    def run(self, do: str = "", args: tuple[str, ...] = (), timeout_s: int = 600) -> Any:
        overrides = run_v2.RunJobRequest.Overrides
        container = overrides.ContainerOverride(
            name="worker", args=list(args), env=[run_v2.EnvVar(name="DO", value=do)]
        )
        return self.jobs.run_job(
            request=run_v2.RunJobRequest(
                name=JOB,
                overrides=overrides(
                    task_count=1, timeout=timedelta(seconds=timeout_s), container_overrides=[container]
                ),
            )
        )

    def started(self, count: int = 1) -> list[Any]:
        """What the task processes wrote, once so many have."""
        runs: list[Any] = until(lambda: written if len(written := self._written()) >= count else None)
        return runs

    def ended(self, operation: Any) -> Any:
        """The execution, once it is over."""
        name = operation.metadata.name
        return until(
            lambda: execution if (execution := self.executions.get_execution(name=name)).completion_time else None
        )

    def _written(self) -> list[Any]:
        text = self.out.read_text() if self.out.exists() else ""
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def _alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with Background(partial(rest.start, tmp_path / "data", cwd=tmp_path, grace_s=0.5)) as server:
        yield World(server, tmp_path)


def test_jobs_are_made_once_found_changed_and_deleted(world: World) -> None:
    made = world.create()
    assert made.name == JOB
    with pytest.raises(api.Conflict):
        world.create()
    made.labels["a"] = "b"
    world.jobs.update_job(job=made).result(timeout=PATIENCE_S)
    assert dict(world.jobs.get_job(name=JOB).labels) == {"a": "b"}
    world.jobs.delete_job(name=JOB).result(timeout=PATIENCE_S)
    with pytest.raises(api.NotFound):
        world.jobs.get_job(name=JOB)
    with pytest.raises(api.NotFound):
        world.run()


def test_an_execution_gets_its_overrides_and_nothing_of_our_environment(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    world.create()
    operation = world.run(args=("--from-run",))
    assert not operation.operation.done
    execution = operation.result(timeout=PATIENCE_S)
    [start] = world.started()
    assert start["args"] == ["--from-run"]
    assert start["env"]["KEPT"] == "yes"
    assert "OPENAI_API_KEY" not in start["env"]
    cloud_run = {name: value for name, value in start["env"].items() if name.startswith("CLOUD_RUN_")}
    assert cloud_run == {
        "CLOUD_RUN_JOB": "pipeline",
        "CLOUD_RUN_EXECUTION": execution.name.rsplit("/", 1)[-1],
        "CLOUD_RUN_TASK_INDEX": "0",
        "CLOUD_RUN_TASK_ATTEMPT": "0",
        "CLOUD_RUN_TASK_COUNT": "1",
    }
    assert execution.succeeded_count == 1
    assert execution.template.timeout == timedelta(seconds=600)
    assert execution.conditions[0].state == run_v2.Condition.State.CONDITION_SUCCEEDED
    assert [execution.name for execution in world.executions.list_executions(parent=JOB)] == [execution.name]


def test_a_failure_is_told_by_operation_and_condition(world: World) -> None:
    world.create(max_retries=2)
    operation = world.run("sys.exit(3)")
    with pytest.raises(api.Aborted):
        operation.result(timeout=PATIENCE_S)
    execution = world.ended(operation)
    assert (execution.failed_count, execution.retried_count) == (1, 2)
    assert execution.conditions[0].execution_reason == run_v2.Condition.ExecutionReason.NON_ZERO_EXIT_CODE
    assert [run["env"]["CLOUD_RUN_TASK_ATTEMPT"] for run in world.started(3)] == ["0", "1", "2"]


def test_a_command_that_cannot_start_fails(world: World) -> None:
    container = run_v2.Container(image="x", command=["/nonexistent/program"])
    task = run_v2.TaskTemplate(containers=[container], max_retries=0)
    job = run_v2.Job(template=run_v2.ExecutionTemplate(template=task))
    world.jobs.create_job(parent=PARENT, job_id="broken", job=job)
    operation = world.jobs.run_job(name=f"{PARENT}/jobs/broken")
    assert world.ended(operation).failed_count == 1
    assert "cannot start" in world.server.jobs.log_path(operation.metadata.name).read_text()


def test_a_timeout_asks_first(tmp_path: Path) -> None:
    # A shell has its trap set long before an interpreter would have started, and may take its time to answer.
    with Background(partial(rest.start, tmp_path / "data", cwd=tmp_path, grace_s=PATIENCE_S)) as server:
        world = World(server, tmp_path)
        world.create(["/bin/sh", "-c", "trap 'echo asked; exit 0' TERM; sleep 600 & wait"])
        operation = world.run(timeout_s=5)
        assert world.ended(operation).failed_count == 1
        assert "asked" in server.jobs.log_path(operation.metadata.name).read_text()


def test_cancel_stops_the_whole_group_even_if_it_will_not_listen(world: World) -> None:
    world.create()
    child = "import time; time.sleep(600)"
    operation = world.run(
        "import subprocess; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"p = subprocess.Popen([sys.executable, '-c', {child!r}]); print(p.pid, flush=True); time.sleep(600)"
    )
    log = world.server.jobs.log_path(operation.metadata.name)
    child_pid = int(until(lambda: log.read_text().strip() if log.exists() else ""))
    [start] = world.started()
    running = world.executions.get_execution(name=operation.metadata.name)
    assert (running.running_count, running.completion_time) == (1, None)
    world.executions.cancel_execution(name=operation.metadata.name)
    execution = world.ended(operation)
    assert execution.cancelled_count == 1
    assert execution.conditions[0].execution_reason == run_v2.Condition.ExecutionReason.CANCELLED
    until(lambda: not _alive(start["pid"]) and not _alive(child_pid))
    with pytest.raises(api.BadRequest):
        world.executions.cancel_execution(name=operation.metadata.name)


def test_a_killed_server_takes_its_tasks_along_and_remembers_them_as_failed(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "local.cloudrun", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        world = World(CloudRunServer(None, ready["url"]), tmp_path)  # type: ignore[arg-type] # it lives elsewhere
        world.create()
        operation = world.run("time.sleep(600)")
        [start] = world.started()
        os.kill(process.pid, signal.SIGKILL)
    until(lambda: not _alive(start["pid"]))
    with Background(partial(rest.start, tmp_path / "data")) as server:
        again = World(server, tmp_path)
        assert again.jobs.get_job(name=JOB).name == JOB
        assert again.executions.get_execution(name=operation.metadata.name).failed_count == 1


def test_the_launcher_starts_one_execution_with_the_jobs_variables(world: World) -> None:
    world.create()
    launcher = CloudRunLauncher(JOB, endpoint=world.server.url.removeprefix("http://"))
    name = launcher.launch({"JOB_ID": "j1", "FENCE": "2"}, timeout_s=77)
    [start] = world.started()
    assert (start["env"]["JOB_ID"], start["env"]["FENCE"]) == ("j1", "2")
    assert start["args"] == ["--from-job"]
    assert world.executions.get_execution(name=name).template.timeout == timedelta(seconds=77)


def test_the_launcher_waits_out_the_quota_but_not_for_ever(world: World) -> None:
    world.create()
    launcher = CloudRunLauncher(JOB, endpoint=world.server.url, timeout_s=PATIENCE_S, wait_s=0.01)
    world.server.jobs.throttle_next = 3
    assert launcher.launch({}, timeout_s=60)
    world.server.jobs.throttle_next = 1_000_000
    launcher.timeout_s = 0.2
    with pytest.raises(LauncherUnavailable, match="429"):
        launcher.launch({}, timeout_s=60)
    world.started(1)
    assert len(list(world.executions.list_executions(parent=JOB))) == 1


def test_the_launcher_translates_every_other_refusal(world: World) -> None:
    with pytest.raises(LauncherUnavailable, match="NotFound"):
        CloudRunLauncher(JOB, endpoint=world.server.url).launch({}, timeout_s=60)
    with pytest.raises(LauncherUnavailable):
        CloudRunLauncher(JOB, endpoint="http://127.0.0.1:1").launch({}, timeout_s=60)


def test_the_launcher_tells_a_pending_execution_from_one_that_is_over_and_why(world: World) -> None:
    world.create()
    launcher = CloudRunLauncher(JOB, endpoint=world.server.url)
    running = world.run("time.sleep(600)")
    assert launcher.state(running.metadata.name) == ExecutionState(is_over=False)
    failed = world.ended(world.run("sys.exit(3)"))
    assert launcher.state(failed.name) == ExecutionState(
        is_over=True, reason="Completed: The configured retry limit was reached."
    )
    unknown = launcher.state(f"{JOB}/executions/pipeline-gone")
    assert (unknown.is_over, unknown.reason) == (True, "Cloud Run does not know the execution")
    with pytest.raises(LauncherUnavailable):
        CloudRunLauncher(JOB, endpoint="http://127.0.0.1:1").state(failed.name)
