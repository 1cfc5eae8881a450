"""The command line: ``cloop-memory``. Each group is a module of its own, imported when it is used."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from consumer.cli.lazy import LazyGroup
from consumer.cli.options import Json
from consumer.cli.output import fail
from consumer.cli.session import opener
from consumer.errors import ConsumerError
from service.settings import SettingsError

EXIT_CODES = (
    "Exit codes: 0 done, 1 failed (the message says what to do), 2 usage error, 3 nothing found, 4 service unreachable"
)

app = typer.Typer(
    name="cloop-memory",
    help="Run and operate cloop-memory, a private memory for each clo0p user.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
#: The embedded stack writes the variables that reach it here.
LOCAL_ENVIRONMENT = Path(".local/environment.json")


@app.callback()
def main_options(
    ctx: typer.Context,
    local: Annotated[
        bool, typer.Option("--local", help="Use the embedded stack of this folder (started by `dev` or `demo --keep`).")
    ] = False,
) -> None:
    """Read settings from the environment; docs/operations.md lists them."""
    if local:
        _use_local_stack()
    ctx.obj = ctx.obj or opener(ctx)


@app.command(rich_help_panel="Run")
def demo(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON summary as the last line.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the stack running afterwards, until Ctrl-C.")] = False,
) -> None:
    """Run the jobs of a day on an embedded stack and print each step. Example: cloop-memory demo --json"""
    _become(["-m", "local", "demo", *(["--json"] if as_json else []), *(["--keep"] if keep else [])])


@app.command(rich_help_panel="Run")
def dev() -> None:
    """Run the embedded stack until Ctrl-C. Example: cloop-memory dev"""
    _become(["-m", "local", "dev"])


@app.command(rich_help_panel="Run")
def consumer() -> None:
    """Serve Pub/Sub pushes: /push/jobs, /push/ticks, /push/dead-letters. Example: PORT=8080 cloop-memory consumer"""
    _become(["-m", "consumer.entrypoints.push"])


@app.command(rich_help_panel="Run")
def publisher(
    once: Annotated[bool, typer.Option("--once", help="Publish the waiting rows, then exit.")] = False,
) -> None:
    """Publish outbox rows to the jobs topic. Example: cloop-memory publisher --once"""
    _become(["-m", "publisher.main", *(["--once"] if once else [])])


@app.command(rich_help_panel="Run")
def controlplane() -> None:
    """Serve the reference control plane. Example: PORT=8081 cloop-memory controlplane"""
    _become(["-m", "controlplane.main"])


@app.command(rich_help_panel="Run")
def reader() -> None:
    """Serve the API and pages of users' own memory. Example: PORT=8082 cloop-memory reader"""
    _become(["-m", "reader.main"])


@app.command(rich_help_panel="Maintain")
def doctor(as_json: Json = False) -> None:
    """Check configuration, connections, grants, clock, tools, queue and dead letters. Exit code 1: a check failed.

    Example: cloop-memory doctor --json
    """
    from consumer.cli.doctor import diagnose  # noqa: PLC0415 (--help stays fast)

    diagnose(as_json=as_json)


@app.command(rich_help_panel="Run")
def console(
    ctx: typer.Context,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")] = 0,
) -> None:
    """Serve the operator console: jobs, dead letters, users, reports. Example: cloop-memory --local console

    Prints a sign-in link that works once. With CONSOLE_OIDC_ISSUER set, operators sign in there (docs/console.md).
    """
    from consumer.cli.console import serve  # noqa: PLC0415 (--help stays fast)

    serve(ctx, port)


def _become(arguments: list[str]) -> NoReturn:
    """Replace this process with the program, which then receives the signals and sets the exit code."""
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *arguments])


def _use_local_stack() -> None:
    if not LOCAL_ENVIRONMENT.exists():
        fail(
            f"--local found no embedded stack: {LOCAL_ENVIRONMENT} is missing. Run `make dev` in another terminal first"
        )
    os.environ.update(json.loads(LOCAL_ENVIRONMENT.read_text()))  # noqa: TID251 (the CLI is where the environment starts)


@contextmanager
def _errors_as_advice() -> Iterator[None]:
    """Print an expected failure as one line of advice, and exit with its code; a bug keeps its traceback."""
    try:
        yield
    except Exception as exc:
        if isinstance(exc, SettingsError):
            advice = "\nTo use the embedded stack of this folder: cloop-memory --local ..."
            advised = LOCAL_ENVIRONMENT.exists() and "--local" not in sys.argv
            _leave(f"{exc}{advice if advised else ''}", 1)
        if isinstance(exc, ConsumerError):
            _leave(_advice(exc), _exit_code(exc))
        raise


def _advice(error: ConsumerError) -> str:
    if error.code in AWAY and "--local" in sys.argv:
        return f"{error}. Start the embedded stack with `make dev` in another terminal, if it is not running."
    if error.code == "lock_busy":
        # The error's own hint is about jobs, which are parked; a command is not.
        return f"{error}. Another job or command of this user is running; try again when it has ended."
    # A refusal carries the control plane's own advice; our hint is about runs.
    return str(error) if error.code == "request_refused" else f"{error}. {error.hint}"


def _exit_code(error: ConsumerError) -> int:
    if error.code == "request_refused":
        return REFUSED.get(error.args[1] if len(error.args) > 1 else 0, 1)
    return UNREACHABLE if error.code in AWAY else 1


def _leave(message: str, code: int) -> NoReturn:
    sys.stderr.write(f"cloop-memory: {message}\n")
    sys.exit(code)


#: Codes of errors that mean "service unreachable".
AWAY = frozenset({"controlplane_unavailable", "blob_unavailable", "topic_unavailable", "identity_unavailable"})
UNREACHABLE = 4
#: HTTP status of a refusal -> exit code, where it is not 1.
REFUSED = {404: 3, 422: 2}

#: The groups, in the order of --help; each has a module of its name.
GROUPS = {
    "job": "Submit, follow, cancel and repeat jobs.",
    "queue": "Pause and resume the queue, for one user or for everybody.",
    "user": "Enable, disable and list users; follow deleted accounts.",
    "workspace": "Inspect, prove, export, restore and purge a user's workspace.",
    "claim": "Record and list verdicts on the claims of a report.",
    "flag": "List and set feature flags of users, cohorts and profiles.",
    "brain": "Prepare brains for new workspaces.",
    "plugin": "Check plugins with subagents.",
    "source": "Show the data sources that may be exported.",
    "dlq": "Inspect, replay and discard dead letters (failed jobs and refused messages).",
    "lock": "Show and remove the lock on a user's workspace.",
}
for name, about in GROUPS.items():
    app.add_typer(typer.Typer(cls=LazyGroup, no_args_is_help=True), name=name, help=about, epilog=EXIT_CODES)


def main() -> None:
    """Console script."""
    with _errors_as_advice():
        app()


if __name__ == "__main__":
    main()
