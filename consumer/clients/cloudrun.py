"""Start executions of a Cloud Run Job, and ask about them (needs roles/run.jobsExecutorWithOverrides and
roles/run.viewer on that job).

google.cloud.run_v2 takes 2.3 s to import, so that happens at the first launch.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from consumer.errors import LauncherUnavailable, ShuttingDown
from consumer.interruptible import interruptible
from consumer.ports import ExecutionState
from service import telemetry

#: Time limit of one request; the response means that the execution was accepted, not that it started.
ATTEMPT_S: Final = 20.0
#: Cloud Run allows about 180 run_job calls a minute and region, so 429 passes soon.
TIMEOUT_S: Final = 60.0
#: Characters of Cloud Run's reason that are kept.
REASON: Final = 400


class _Throttled(Exception):
    """429: the request was refused, not lost, so it is safe to repeat."""


@dataclass
class CloudRunLauncher:
    """``job`` is the full name, ``projects/<p>/locations/<l>/jobs/<j>``; ``endpoint`` replaces Google's
    (``http://host:port`` or ``host:port``: REST without credentials)."""

    job: str
    endpoint: str | None = None
    timeout_s: float = TIMEOUT_S
    wait_s: float = 1.0
    #: Once it is set, no call waits for its answer for longer than two seconds.
    shutdown: threading.Event = field(default_factory=threading.Event)
    #: By class.
    _clients: dict[Any, Any] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def launch(self, env: Mapping[str, str], *, timeout_s: int) -> str:
        retrying = Retrying(
            stop=stop_after_delay(self.timeout_s),
            wait=wait_random_exponential(multiplier=self.wait_s, max=16 * self.wait_s),
            retry=retry_if_exception_type(_Throttled),
            reraise=True,
        )
        with telemetry.span("run_job", kind="client"):
            traced = {**env, **_trace()}
            try:
                return str(interruptible(lambda: retrying(self._launch_once, traced, timeout_s), self.shutdown))
            except ShuttingDown as exc:
                raise LauncherUnavailable(f"run_job {self.job}: no answer yet, and the instance shuts down") from exc
            except _Throttled as exc:
                raise LauncherUnavailable(f"run_job {self.job}: still 429 after {self.timeout_s:g} s") from exc

    def _launch_once(self, env: Mapping[str, str], timeout_s: int) -> str:
        from google.api_core import exceptions as api  # noqa: PLC0415 - see the module's docstring
        from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415

        try:
            # retry=None: a lost reply may have started an execution; the run ledger decides about another launch.
            operation = self._connect().run_job(
                request=_request(self.job, env, timeout_s), retry=None, timeout=ATTEMPT_S
            )
        except api.TooManyRequests as exc:
            raise _Throttled from exc
        except (api.GoogleAPIError, GoogleAuthError, OSError) as exc:
            raise LauncherUnavailable(f"run_job {self.job}: {type(exc).__name__}") from exc
        # operation.result() would wait for the execution's end; only its name is needed.
        return str(operation.metadata.name)

    def state(self, execution: str) -> ExecutionState:
        """See ports.JobLauncher. An execution that does not exist, or that may not be seen, counts as over."""
        from google.api_core import exceptions as api  # noqa: PLC0415 - see the module's docstring
        from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415
        from google.cloud import run_v2  # noqa: PLC0415

        try:
            with telemetry.span("get_execution", kind="client"):
                client = self._connect(run_v2.ExecutionsClient)
                answer = interruptible(
                    lambda: client.get_execution(name=execution, retry=None, timeout=ATTEMPT_S), self.shutdown
                )
        except ShuttingDown as exc:
            raise LauncherUnavailable(f"get_execution {execution}: the instance shuts down") from exc
        except api.NotFound:
            return ExecutionState(is_over=True, reason="Cloud Run does not know the execution")
        except api.PermissionDenied:
            return ExecutionState(is_over=True, reason="not known: this account may not see executions (run.viewer)")
        except (api.GoogleAPIError, GoogleAuthError, OSError) as exc:
            raise LauncherUnavailable(f"get_execution {execution}: {type(exc).__name__}") from exc
        return ExecutionState(True, _reason(answer)) if answer.completion_time else ExecutionState(is_over=False)

    def _connect(self, kind: Any = None) -> Any:
        from google.cloud import run_v2  # noqa: PLC0415 - see the module's docstring

        kind = kind or run_v2.JobsClient
        with self._lock:
            if kind not in self._clients:
                self._clients[kind] = _client(kind, self.endpoint)
            return self._clients[kind]


def _trace() -> dict[str, str]:
    """The variable that adds the execution to the current trace."""
    traceparent = telemetry.traceparent()
    return {"TRACEPARENT": traceparent} if traceparent else {}


def _request(job: str, env: Mapping[str, str], timeout_s: int) -> Any:
    from google.cloud import run_v2  # noqa: PLC0415 - see the module's docstring
    from google.protobuf import duration_pb2  # noqa: PLC0415

    overrides = run_v2.RunJobRequest.Overrides
    variables = [run_v2.EnvVar(name=name, value=value) for name, value in sorted(env.items())]
    return run_v2.RunJobRequest(
        name=job,
        overrides=overrides(
            task_count=1,
            timeout=duration_pb2.Duration(seconds=timeout_s),
            container_overrides=[overrides.ContainerOverride(env=variables)],
        ),
    )


def _reason(execution: Any) -> str:
    """What Cloud Run says about an execution's end: the messages of its failed conditions."""
    from google.cloud import run_v2  # noqa: PLC0415 - see the module's docstring

    failed = [entry for entry in execution.conditions if entry.state == run_v2.Condition.State.CONDITION_FAILED]
    texts = [f"{entry.type_}: {entry.message or entry.execution_reason.name}" for entry in failed]
    return "; ".join(dict.fromkeys(texts))[:REASON] or "it ended without a failure"


def _client(kind: Any, endpoint: str | None) -> Any:
    if not endpoint:
        return kind()
    from google.api_core.client_options import ClientOptions  # noqa: PLC0415
    from google.auth.credentials import AnonymousCredentials  # noqa: PLC0415

    url = endpoint if "://" in endpoint else f"http://{endpoint}"
    return kind(transport="rest", client_options=ClientOptions(api_endpoint=url), credentials=AnonymousCredentials())
