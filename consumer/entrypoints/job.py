"""The Cloud Run Job: one execution runs the job that its environment names, if the job still waits for it.

Exit codes: 0 the outcome is recorded (or another execution runs the job), 1 it is recorded nowhere, 2 the environment
is wrong. The Cloud Run Job's task retries are 0, since only the ledger counts attempts.
"""

from __future__ import annotations

import shutil
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from consumer.delivery.handler import Handler
from consumer.delivery.outcome import Busy, Duplicate, NotRecorded, Outcome
from consumer.delivery.runfolder import WARM
from consumer.errors import PluginRefused
from consumer.repository.cache import CACHE
from service import telemetry

#: Seconds between the tries of an execution that cannot reach the ledger. It is not launched again before
#: ``execution_start`` of manifests/limits.yaml, so giving up at once would cost the job those minutes.
WAITS_S: Final = (5.0, 10.0, 20.0, 40.0, 60.0)
#: Seconds between tries while another execution uses RUN_ROOT. On Cloud Run each execution has its own; on one machine
#: they may share it until the other one ends and the kernel frees its lock.
BUSY_WAIT_S: Final = 2.0
EXIT_ENVIRONMENT: Final = 2
_EVENT_FIELDS: Final = {
    "USER_ID": "user_id",
    "JOB_TYPE": "job_type",
    "RUNTIME_PROFILE": "runtime_profile",
    "TEMPLATE_VERSION": "template_version",
}


class ExecutionError(ValueError):
    """The environment names no execution; the message lists every missing or wrong variable."""


@dataclass(frozen=True, slots=True)
class Execution:
    """``expected``: event fields from the launcher."""

    job_id: str
    attempt: int
    expected: Mapping[str, str]


def parse(environ: Mapping[str, str]) -> Execution:
    """Read JOB_ID, FENCE, USER_ID, JOB_TYPE, RUNTIME_PROFILE and TEMPLATE_VERSION. Raises ExecutionError."""
    names = ("JOB_ID", "FENCE", *_EVENT_FIELDS)
    if missing := [name for name in names if not environ.get(name)]:
        raise ExecutionError(f"missing variables: {', '.join(missing)}. Cloud Run sets them as overrides of run_job")
    if not environ["FENCE"].isdigit():
        raise ExecutionError(f"FENCE must be a whole number, got {environ['FENCE'][:20]!r}")
    expected = {field: environ[name] for name, field in _EVENT_FIELDS.items()}
    return Execution(environ["JOB_ID"], int(environ["FENCE"]), expected)


def run(handler: Handler, environ: Mapping[str, str], shutdown: threading.Event) -> int:
    """Run the execution to its recorded outcome and return the exit code. SIGTERM and SIGINT set ``shutdown``."""
    try:
        execution = parse(environ)
    except ExecutionError as exc:
        telemetry.log(str(exc), level=telemetry.ERROR)
        return EXIT_ENVIRONMENT
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: shutdown.set())
    trace = environ.get("TRACEPARENT")
    with telemetry.span("execution", trace, job_id=execution.job_id) if trace else nullcontext():
        return execute(handler, execution, shutdown)


def execute(handler: Handler, execution: Execution, shutdown: threading.Event) -> int:
    """Try until the outcome is recorded or no tries are left, and return the exit code."""
    outcome = _in_turn(handler, execution, shutdown)
    for wait_s in WAITS_S:
        if not isinstance(outcome, NotRecorded) or shutdown.wait(wait_s):
            break
        next_outcome = _in_turn(handler, execution, shutdown)
        if isinstance(next_outcome, Duplicate):
            # The failed try had started the ledger, so the next delivery continues from there.
            break
        outcome = next_outcome
    return outcome.exit_code


def _in_turn(handler: Handler, execution: Execution, shutdown: threading.Event) -> Outcome:
    """Run once the folder is free. Nothing is claimed before; exiting would cost the job ``execution_start``."""
    while True:
        outcome = handler.execute(execution.job_id, execution.attempt, execution.expected)
        if not isinstance(outcome, Busy) or shutdown.wait(BUSY_WAIT_S):
            return outcome


def main() -> int:
    """Run the execution of this process's environment. Exit codes as in the module's docstring."""
    from consumer import bootstrap, settings  # noqa: PLC0415 (tests import this module for its functions alone)

    try:
        loaded = settings.load()
        bootstrap.setup_telemetry("job", loaded)
        parts = bootstrap.consumer(loaded, launches=False)
    except (settings.SettingsError, PluginRefused) as exc:
        sys.stderr.write(f"job: {exc}\n")
        return EXIT_ENVIRONMENT
    bootstrap.settle_memory()
    try:
        return run(parts.handler, settings.environment(), parts.shutdown)
    finally:
        leave(loaded.run_root)


def leave(run_root: Path) -> None:
    """Remove what is kept for a next run, as an execution has none. On Cloud Run the disk goes with the execution; on
    one machine, an erasure would not find a user's content here."""
    for folder in (CACHE, WARM):
        shutil.rmtree(run_root / folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
