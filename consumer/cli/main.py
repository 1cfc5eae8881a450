"""The command line: ``cloop-memory``. Groups stay in modules of their own, and nothing heavy is imported for --help.

Exit codes: 0 done; 1 it did not work out (the message says why and what to do); 2 the call's words are off; 3 nothing
found; 4 the service cannot be reached.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from consumer.cli import brain, claim, dlq, flag, job, source, user, workspace
from consumer.cli.console import add_console
from consumer.cli.doctor import add_doctor
from consumer.cli.open import open_operations, open_store
from consumer.cli.output import fail

if TYPE_CHECKING:
    from consumer.errors import ConsumerError

EXIT_CODES = (
    "Exit codes: 0 done; 1 it did not work out, and the message says what to do; 2 the call's words are off;"
    " 3 nothing found; 4 the service cannot be reached."
)

app = typer.Typer(
    name="cloop-memory",
    help="A private memory for every clo0p user that keeps growing by itself.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
#: Where the embedded stack leaves the variables that reach it.
LOCAL_ENVIRONMENT = Path(".local/environment.json")


@app.callback()
def main_options(
    local: Annotated[
        bool, typer.Option("--local", help="Use the embedded stack of this folder (started by `dev` or `demo --keep`).")
    ] = False,
) -> None:
    """Settings come from the environment; docs/operations.md lists them."""
    if local:
        _use_local_stack()


@app.command(rich_help_panel="Run")
def demo(
    as_json: Annotated[bool, typer.Option("--json", help="Print one summary object on the last line.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the stack up afterwards, until Ctrl-C.")] = False,
) -> None:
    """The whole job on the embedded stack, narrated. Example: cloop-memory demo --json"""
    _become(["-m", "local", "demo", *(["--json"] if as_json else []), *(["--keep"] if keep else [])])


@app.command(rich_help_panel="Run")
def dev() -> None:
    """The embedded stack, until Ctrl-C. Example: cloop-memory dev"""
    _become(["-m", "local", "dev"])


@app.command(rich_help_panel="Run")
def consumer() -> None:
    """The push app: /push/jobs, /push/ticks, /push/dead-letters. Example: PORT=8080 cloop-memory consumer"""
    _become(["-m", "consumer.entrypoints.push"])


@app.command(rich_help_panel="Run")
def publisher(
    once: Annotated[bool, typer.Option("--once", help="One pass over the outbox, then exit.")] = False,
) -> None:
    """Outbox rows to the topic. Example: cloop-memory publisher --once"""
    _become(["-m", "publisher.main", *(["--once"] if once else [])])


@app.command(rich_help_panel="Run")
def controlplane() -> None:
    """The reference control plane. Example: PORT=8081 cloop-memory controlplane"""
    _become(["-m", "controlplane.main"])


def _become(arguments: list[str]) -> NoReturn:
    """Replace this process, so that signals and exit codes are the program's own."""
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *arguments])


def _use_local_stack() -> None:
    if not LOCAL_ENVIRONMENT.exists():
        fail(f"no embedded stack here ({LOCAL_ENVIRONMENT} is missing): run `make dev` in another terminal first")
    os.environ.update(json.loads(LOCAL_ENVIRONMENT.read_text()))  # noqa: TID251 (the CLI is where the environment starts)


@contextmanager
def _errors_as_advice() -> Iterator[None]:
    """Every expected failure leaves as one line of advice and an exit code, never as a traceback."""
    try:
        yield
    except Exception as exc:
        from consumer.errors import ConsumerError  # noqa: PLC0415 (--help stays fast)
        from consumer.settings import SettingsError  # noqa: PLC0415

        if isinstance(exc, SettingsError):
            here = "\nFor the embedded stack of this folder: cloop-memory --local ..."
            advised = LOCAL_ENVIRONMENT.exists() and "--local" not in sys.argv
            _leave(f"{exc}{here if advised else ''}", 1)
        if isinstance(exc, ConsumerError):
            _leave(_advice(exc), _exit_code(exc))
        raise


def _advice(error: ConsumerError) -> str:
    if error.code in AWAY and "--local" in sys.argv:
        return f"{error}. Is the embedded stack up? `make dev` in another terminal starts it."
    if error.code == "lock_busy":
        # Its own hint is for a job, which is parked; a command is not.
        return f"{error}. A job or command of this user is at work; try again when it has ended."
    # A refusal carries the control plane's own words; our hint is about runs, whose two sides must agree.
    return str(error) if error.code == "request_refused" else f"{error}. {error.hint}"


def _exit_code(error: ConsumerError) -> int:
    if error.code == "request_refused":
        return REFUSED.get(error.args[1] if len(error.args) > 1 else 0, 1)
    return UNREACHABLE if error.code in AWAY else 1


def _leave(message: str, code: int) -> NoReturn:
    sys.stderr.write(f"cloop-memory: {message}\n")
    sys.exit(code)


#: Codes that mean: the service cannot be reached.
AWAY = frozenset({"controlplane_unavailable", "blob_unavailable", "topic_unavailable", "identity_unavailable"})
UNREACHABLE = 4
#: The control plane's refusals that have an exit code of their own.
REFUSED = {404: 3, 422: 2}

app.add_typer(job.job_app(open_operations), name="job", epilog=EXIT_CODES)
app.add_typer(user.user_app(open_operations), name="user", epilog=EXIT_CODES)
app.add_typer(workspace.workspace_app(open_store, open_operations), name="workspace", epilog=EXIT_CODES)
app.add_typer(claim.claim_app(open_operations), name="claim", epilog=EXIT_CODES)
app.add_typer(flag.flag_app(open_operations), name="flag", epilog=EXIT_CODES)
app.add_typer(brain.brain_app(), name="brain", epilog=EXIT_CODES)
app.add_typer(source.source_app(), name="source", epilog=EXIT_CODES)
app.add_typer(dlq.dlq_app(open_operations), name="dlq", epilog=EXIT_CODES)
app.add_typer(dlq.lock_app(open_operations), name="lock", epilog=EXIT_CODES)
add_doctor(app)
add_console(app, open_operations)


def main() -> None:
    """Console script."""
    with _errors_as_advice():
        app()


if __name__ == "__main__":
    main()
