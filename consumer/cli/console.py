"""``cloop-memory console``: the operator's verbs as web pages, on this machine alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from consumer.cli.output import fail

if TYPE_CHECKING:
    from consumer.bootstrap import Operations
    from consumer.console.settings import ConsoleSettings
    from consumer.console.sign_in import Provider


def add_console(app: typer.Typer, open_operations: Callable[[], Operations]) -> None:
    @app.command(rich_help_panel="Run")
    def console(
        port: Annotated[int, typer.Option(min=0, max=65535, help="to listen on; 0: any free one")] = 0,
    ) -> None:
        """The operator console: jobs, dead letters, users, reports. Example: cloop-memory --local console

        It prints a link that works once; with CONSOLE_OIDC_ISSUER set, operators sign in there (docs/console.md).
        """
        from consumer import settings  # noqa: PLC0415 (--help stays fast)
        from consumer.console import serving  # noqa: PLC0415
        from consumer.console import settings as console_settings  # noqa: PLC0415
        from service import telemetry  # noqa: PLC0415 (--help stays fast)

        own = console_settings.load()
        secrets = tuple(filter(None, [own.client_secret]))
        telemetry.setup("console", settings.load_operator().project, stream=sys.stderr, secrets=secrets)
        provider = _provider(own)
        try:
            running = serving.prepare(open_operations(), port, provider=provider, origin=own.origin, host=own.host)
        except OSError as exc:
            fail(f"port {port} on {own.host} cannot be listened on ({exc.strerror}); choose another with --port")
        serving.run(running, typer.echo, by_link=provider is None)


def _provider(own: ConsoleSettings) -> Provider | None:
    """Where operators sign in; None: by the printed link."""
    import atexit  # noqa: PLC0415 (--help stays fast)

    from consumer import bootstrap  # noqa: PLC0415

    if own.issuer is None:
        return None
    made = bootstrap.sign_in(own.issuer, own.client_id, own.client_secret, emails=own.emails, groups=own.groups)
    atexit.register(made.close)
    return made
