"""The Cloud Run Job: one execution runs the one job that its environment names, if it is still its turn.

Exit codes: 0 the outcome is recorded (or it was somebody else's turn), 1 it is recorded nowhere, 2 the environment is
wrong. The job's task retries are 0: attempts are counted in the ledger alone.
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

#: Seconds between the tries of an execution that cannot reach the ledger. Nobody launches it again before
#: ``execution_start`` of manifests/limits.yaml, so giving up at once would cost the job those minutes.
WAITS_S: Final = (5.0, 10.0, 20.0, 40.0, 60.0)
#: Seconds between looks at a RUN_ROOT that another execution works in. On Cloud Run each has its own; on one machine
#: they may share it, and that one ends or its kernel lets go.
BUSY_WAIT_S: Final = 2.0
EXIT_ENVIRONMENT: Final = 2
_EVENT_FIELDS: Final = {
    "USER_ID": "user_id",
    "JOB_TYPE": "job_type",
    "RUNTIME_PROFILE": "runtime_profile",
    "TEMPLATE_VERSION": "template_version",
}


class ExecutionError(ValueError):
    """The environment names no execution; lists every missing or wrong variable."""


@dataclass(frozen=True, slots=True)
class Execution:
    """``expected``: event fields as the launcher gave them."""

    job_id: str
    attempt: int
    expected: Mapping[str, str]


def parse(environ: Mapping[str, str]) -> Execution:
    """JOB_ID, FENCE, USER_ID, JOB_TYPE, RUNTIME_PROFILE, TEMPLATE_VERSION (TRACEPARENT may). Raises ExecutionError."""
    names = ("JOB_ID", "FENCE", *_EVENT_FIELDS)
    missing = [name for name in names if not environ.get(name)]
    if missing:
        raise ExecutionError(f"an execution needs {', '.join(missing)}; Cloud Run sets them as overrides of run_job")
    if not environ["FENCE"].isdigit():
        raise ExecutionError(f"FENCE must be a whole number, got {environ['FENCE'][:20]!r}")
    expected = {field: environ[name] for name, field in _EVENT_FIELDS.items()}
    return Execution(environ["JOB_ID"], int(environ["FENCE"]), expected)


def run(handler: Handler, environ: Mapping[str, str], shutdown: threading.Event) -> int:
    """Run the execution to its recorded outcome; the exit code. SIGTERM and SIGINT set ``shutdown``."""
    try:
        execution = parse(environ)
    except ExecutionError as exc:
        telemetry.log(str(exc), level=40)
        return EXIT_ENVIRONMENT
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: shutdown.set())
    trace = environ.get("TRACEPARENT")
    with telemetry.span("execution", trace, job_id=execution.job_id) if trace else nullcontext():
        return execute(handler, execution, shutdown)


def execute(handler: Handler, execution: Execution, shutdown: threading.Event) -> int:
    """Until the outcome is recorded, or the tries are spent; the exit code."""
    outcome = _in_turn(handler, execution, shutdown)
    for wait_s in WAITS_S:
        if not isinstance(outcome, NotRecorded) or shutdown.wait(wait_s):
            break
        again = _in_turn(handler, execution, shutdown)
        if isinstance(again, Duplicate):
            # It had begun before it failed: the ledger has it, and whoever comes next finds it there.
            break
        outcome = again
    return outcome.exit_code


def _in_turn(handler: Handler, execution: Execution, shutdown: threading.Event) -> Outcome:
    """Once the folder is free: nothing is claimed before, and leaving would cost the job ``execution_start``."""
    while True:
        outcome = handler.execute(execution.job_id, execution.attempt, execution.expected)
        if not isinstance(outcome, Busy) or shutdown.wait(BUSY_WAIT_S):
            return outcome


def main() -> int:
    """Exit codes as above."""
    from consumer import bootstrap, settings  # noqa: PLC0415 (tests import this module for its functions alone)

    try:
        read = settings.load()
        bootstrap.setup_telemetry("job", read)
        parts = bootstrap.consumer(read, launches=False)
    except (settings.SettingsError, PluginRefused) as exc:
        sys.stderr.write(f"job: {exc}\n")
        return EXIT_ENVIRONMENT
    bootstrap.settle_memory()
    try:
        return run(parts.handler, settings.environment(), parts.shutdown)
    finally:
        leave(read.run_root)


def leave(run_root: Path) -> None:
    """Remove what a process keeps for its next run: an execution has none. On Cloud Run the disk goes with it anyway;
    on one machine nobody would remove a user's contents from here when they are erased."""
    for kept in (CACHE, WARM):
        shutil.rmtree(run_root / kept, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
