"""Start executions of a Cloud Run Job (needs roles/run.jobsExecutorWithOverrides on that job).

google.cloud.run_v2 takes 2.3 s to import, so that happens at the first launch.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from consumer.errors import LauncherUnavailable
from service import telemetry

#: Time limit of one request; the response means that the execution was accepted, not that it started.
ATTEMPT_S: Final = 20.0
#: Cloud Run allows about 180 run_job calls a minute and region, so 429 passes soon.
TIMEOUT_S: Final = 60.0


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
    _client: Any = field(default=None, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

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
                return str(retrying(self._launch_once, traced, timeout_s))
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

    def _connect(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = _client(self.endpoint)
            return self._client


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


def _client(endpoint: str | None) -> Any:
    from google.cloud import run_v2  # noqa: PLC0415 - see the module's docstring

    if not endpoint:
        return run_v2.JobsClient()
    from google.api_core.client_options import ClientOptions  # noqa: PLC0415
    from google.auth.credentials import AnonymousCredentials  # noqa: PLC0415

    url = endpoint if "://" in endpoint else f"http://{endpoint}"
    return run_v2.JobsClient(
        transport="rest", client_options=ClientOptions(api_endpoint=url), credentials=AnonymousCredentials()
    )
