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
from typing import Annotated, NoReturn

import typer

from consumer.cli.lazy import LazyGroup
from consumer.cli.options import Json
from consumer.cli.output import fail
from consumer.cli.session import opener
from consumer.errors import ConsumerError
from service.settings import SettingsError

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
    ctx: typer.Context,
    local: Annotated[
        bool, typer.Option("--local", help="Use the embedded stack of this folder (started by `dev` or `demo --keep`).")
    ] = False,
) -> None:
    """Settings come from the environment; docs/operations.md lists them."""
    if local:
        _use_local_stack()
    ctx.obj = ctx.obj or opener(ctx)


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


@app.command(rich_help_panel="Look after it")
def doctor(as_json: Json = False) -> None:
    """Check configuration, reach, grants, clock, tools, queue and dead letters; exit 1 if anything is at fault.

    Example: cloop-memory doctor --json
    """
    from consumer.cli.doctor import diagnose  # noqa: PLC0415 (--help stays fast)

    diagnose(as_json=as_json)


@app.command(rich_help_panel="Run")
def console(
    ctx: typer.Context,
    port: Annotated[int, typer.Option(min=0, max=65535, help="to listen on; 0: any free one")] = 0,
) -> None:
    """The operator console: jobs, dead letters, users, reports. Example: cloop-memory --local console

    It prints a link that works once; with CONSOLE_OIDC_ISSUER set, operators sign in there (docs/console.md).
    """
    from consumer.cli.console import serve  # noqa: PLC0415 (--help stays fast)

    serve(ctx, port)


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

#: The groups, in the order of --help; each has a module of its name.
GROUPS = {
    "job": "Submit, follow, cancel and repeat jobs.",
    "user": "Whose memory grows.",
    "workspace": "A user's versioned workspace: look, prove, export, restore, purge.",
    "claim": "Verdicts on a report's claims.",
    "flag": "Switches by user, cohort or profile.",
    "brain": "Prepared brains for new workspaces.",
    "source": "The sources that memory may see.",
    "dlq": "Failed jobs and refused messages.",
    "lock": "Who writes a user's workspace.",
}
for name, about in GROUPS.items():
    app.add_typer(typer.Typer(cls=LazyGroup, no_args_is_help=True), name=name, help=about, epilog=EXIT_CODES)


def main() -> None:
    """Console script."""
    with _errors_as_advice():
        app()


if __name__ == "__main__":
    main()
