"""``cloop-memory console``: the operator's verbs as web pages, on this machine alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from consumer.entrypoints.cli_output import fail

if TYPE_CHECKING:
    from consumer.bootstrap import Operations


def add_console(app: typer.Typer, open_operations: Callable[[], Operations]) -> None:
    @app.command(rich_help_panel="Run")
    def console(
        port: Annotated[int, typer.Option(min=0, max=65535, help="on 127.0.0.1; 0: any free one")] = 0,
    ) -> None:
        """The operator console: jobs, dead letters, users, reports. Example: cloop-memory --local console"""
        from consumer import settings, telemetry  # noqa: PLC0415 (--help stays fast)
        from consumer.entrypoints.console import serving  # noqa: PLC0415

        telemetry.setup("console", settings.load_operator().project, stream=sys.stderr)
        try:
            serving.run(open_operations(), port, typer.echo)
        except OSError as exc:
            fail(f"port {port} on {serving.HOST} cannot be listened on ({exc.strerror}); choose another with --port")
