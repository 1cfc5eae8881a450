"""Jobs and executions: their API, their processes and their files."""

from __future__ import annotations

import asyncio
import contextlib
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from google.cloud.run_v2 import types
from google.longrunning import operations_pb2
from google.protobuf.message import Message

from local.cloudrun import executions, runner
from local.cloudrun.executions import Execution, ExecutionRefusal

Job = types.Job.pb()
State = types.Condition.State
Reason = types.Condition.ExecutionReason

DEFAULT_TIMEOUT_S = 600.0
DEFAULT_RETRIES = 3
_JOB_NAME = re.compile(r"projects/[^/]+/locations/[^/]+/jobs/[a-z]([a-z0-9-]{0,47}[a-z0-9])?")


@dataclass
class CloudRunJobs:
    """State below ``data``: a file per job, a file and a log per execution. Used from one event loop."""

    data: Path
    cwd: Path
    grace_s: float = runner.GRACE_S
    #: The content of Secret Manager, kept in memory only; jobs on disk have references.
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    jobs: dict[str, Any] = field(default_factory=dict)
    executions: dict[str, Any] = field(default_factory=dict)
    #: Fault injection: the number of the next run_job calls that are refused as over the quota.
    throttle_next: int = 0
    _cancels: dict[str, asyncio.Event] = field(default_factory=dict)
    _running: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in ("jobs", "executions", "logs"):
            (self.data / folder).mkdir(parents=True, exist_ok=True)
        self.jobs = {job.name: job for job in self._load("jobs", Job)}
        self.executions = {execution.name: execution for execution in self._load("executions", Execution)}
        for execution in self.executions.values():
            if not execution.HasField("completion_time"):
                # Its process died with the server that started it.
                execution.failed_count, execution.running_count = 1, 0
                self._complete(execution, "The machine went away.", Reason.JOB_STATUS_SERVICE_POLLING_ERROR)

    async def close(self) -> None:
        """Stop every execution as a machine's shutdown would: SIGTERM first."""
        for cancel in self._cancels.values():
            cancel.set()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    # --- jobs ---

    def job(self, name: str) -> Any:
        return _existing(self.jobs, name)

    def create_job(self, parent: str, job_id: str, job: Any) -> Any:
        name = f"{parent}/jobs/{job_id}"
        if not _JOB_NAME.fullmatch(name):
            raise ExecutionRefusal(grpc.StatusCode.INVALID_ARGUMENT, f"Invalid job id: {job_id[:100]}")
        if name in self.jobs:
            raise ExecutionRefusal(grpc.StatusCode.ALREADY_EXISTS, f"Resource '{job_id}' already exists.")
        return self._put_job(name, job)

    def update_job(self, name: str, job: Any) -> Any:
        self.job(name)
        return self._put_job(name, job)

    def delete_job(self, name: str) -> Any:
        job = self.job(name)
        del self.jobs[name]
        self._path("jobs", name).unlink(missing_ok=True)
        return _done(_operation_name(name, uuid.uuid4().hex), job)

    def _put_job(self, name: str, template: Any) -> Any:
        if not template.template.template.containers:
            raise ExecutionRefusal(grpc.StatusCode.INVALID_ARGUMENT, "A job needs a container.")
        job = Job()
        job.CopyFrom(template)
        job.name, job.uid, job.generation = name, str(uuid.uuid4()), 1
        job.create_time.GetCurrentTime()
        self.jobs[name] = job
        self._save("jobs", job)
        return _done(_operation_name(name, uuid.uuid4().hex), job)

    # --- executions ---

    def run_job(self, request: Any) -> Any:
        """Start an execution with the request's overrides; returns the operation, whose metadata is the execution."""
        job = self.job(request.name)
        if self.throttle_next > 0:
            self.throttle_next -= 1
            raise ExecutionRefusal(
                grpc.StatusCode.RESOURCE_EXHAUSTED, "Quota exceeded for run_job requests per minute."
            )
        execution = executions.build(job, request.overrides)
        self.executions[execution.name] = execution
        self._save("executions", execution)
        self._cancels[execution.name] = asyncio.Event()
        task = asyncio.get_running_loop().create_task(self._execute(execution))
        self._running[execution.name] = task
        task.add_done_callback(lambda _: self._forget(execution.name))
        return self.operation(execution)

    def execution(self, name: str) -> Any:
        return _existing(self.executions, name)

    def list_executions(self, parent: str) -> list[Any]:
        """Newest first."""
        self.job(parent)
        prefix = f"{parent}/executions/"
        return [execution for name, execution in reversed(self.executions.items()) if name.startswith(prefix)]

    def cancel(self, name: str) -> Any:
        execution = self.execution(name)
        if execution.HasField("completion_time"):
            raise ExecutionRefusal(grpc.StatusCode.FAILED_PRECONDITION, "The execution has ended.")
        self._cancels[name].set()
        return self.operation(execution)

    def find_operation(self, name: str) -> Any:
        uid = name.rsplit("/", 1)[-1]
        for execution in self.executions.values():
            if execution.uid == uid:
                return self.operation(execution)
        raise ExecutionRefusal(grpc.StatusCode.NOT_FOUND, f"Operation '{uid}' was not found.")

    async def wait_operation(self, name: str, timeout_s: float) -> Any:
        operation = self.find_operation(name)
        execution = Execution()
        operation.metadata.Unpack(execution)
        if task := self._running.get(execution.name):
            await asyncio.wait({task}, timeout=timeout_s)
        return self.find_operation(name)

    def operation(self, execution: Any) -> Any:
        operation = operations_pb2.Operation(name=_operation_name(execution.name, execution.uid))
        operation.metadata.Pack(execution)
        if execution.HasField("completion_time"):
            operation.done = True
            if execution.failed_count or execution.cancelled_count:
                code = grpc.StatusCode.CANCELLED if execution.cancelled_count else grpc.StatusCode.ABORTED
                operation.error.code = code.value[0]
                operation.error.message = execution.conditions[0].message
            else:
                operation.response.Pack(execution)
        return operation

    # --- running ---

    async def _execute(self, execution: Any) -> None:
        execution.start_time.GetCurrentTime()
        for index in range(execution.task_count):
            if not await self._task(execution, index):
                break
        execution.running_count = 0
        if execution.cancelled_count:
            self._complete(execution, "The execution was cancelled.", Reason.CANCELLED)
        elif execution.failed_count:
            self._complete(execution, "The configured retry limit was reached.", Reason.NON_ZERO_EXIT_CODE)
        else:
            self._complete(execution, "", Reason.EXECUTION_REASON_UNDEFINED)

    async def _task(self, execution: Any, index: int) -> bool:
        """One task with its retries; False when the execution is over."""
        template = execution.template
        retries = template.max_retries if template.HasField("max_retries") else DEFAULT_RETRIES
        for attempt in range(retries + 1):
            execution.running_count = 1
            execution.retried_count += 1 if attempt else 0
            ended = await self._attempt(execution, index, attempt)
            if ended.how == "cancelled":
                execution.cancelled_count += 1
                return False
            if ended == runner.Finished("exited", 0):
                execution.succeeded_count += 1
                return True
        execution.failed_count += 1
        return False

    async def _attempt(self, execution: Any, index: int, attempt: int) -> runner.Finished:
        container = execution.template.containers[0]
        timeout = execution.template.timeout
        return await runner.run(
            [*container.command, *container.args],
            executions.environment(execution, index, attempt, self.secrets),
            cwd=Path(container.working_dir or self.cwd),
            log=self.log_path(execution.name),
            timeout_s=timeout.seconds + timeout.nanos / 1e9 or DEFAULT_TIMEOUT_S,
            cancelled=self._cancels[execution.name],
            grace_s=self.grace_s,
        )

    def log_path(self, name: str) -> Path:
        """The file with the output of an execution's tasks."""
        return self._path("logs", name, ".log")

    def _complete(self, execution: Any, message: str, reason: Any) -> None:
        execution.completion_time.GetCurrentTime()
        execution.reconciling = False
        failed = bool(execution.failed_count or execution.cancelled_count)
        state = State.CONDITION_FAILED if failed else State.CONDITION_SUCCEEDED
        del execution.conditions[:]
        condition = execution.conditions.add(state=state, message=message)
        setattr(condition, "type_" if "type_" in condition.DESCRIPTOR.fields_by_name else "type", "Completed")
        if failed:
            condition.execution_reason = reason
        self._save("executions", execution)

    def _forget(self, name: str) -> None:
        self._running.pop(name, None)
        self._cancels.pop(name, None)

    # --- disk ---

    def _path(self, folder: str, name: str, suffix: str = ".pb") -> Path:
        return self.data / folder / f"{name.replace('/', '~')}{suffix}"

    def _save(self, folder: str, message: Any) -> None:
        path = self._path(folder, message.name)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(message.SerializeToString())
        fresh.replace(path)

    def _load(self, folder: str, kind: Any) -> Iterator[Any]:
        stored = sorted((self.data / folder).glob("*.pb"), key=lambda path: path.stat().st_mtime_ns)
        for path in stored:
            yield kind.FromString(path.read_bytes())


def _existing(table: dict[str, Any], name: str) -> Any:
    with contextlib.suppress(KeyError):
        return table[name]
    raise ExecutionRefusal(grpc.StatusCode.NOT_FOUND, f"Resource '{name.rsplit('/', 1)[-1]}' was not found.")


def _operation_name(resource: str, uid: str) -> str:
    _, project, _, location, *_ = resource.split("/")
    return f"projects/{project}/locations/{location}/operations/{uid}"


def _done(name: str, result: Message) -> Any:
    operation = operations_pb2.Operation(name=name, done=True)
    operation.metadata.Pack(result)
    operation.response.Pack(result)
    return operation
