"""``cloop-memory console``: the operator console, for this machine alone."""

from __future__ import annotations

import sys

import typer

from consumer import bootstrap, settings
from consumer.cli.output import fail
from consumer.cli.session import connect
from consumer.console import serving
from consumer.console import settings as console_settings
from consumer.console.settings import ConsoleSettings
from consumer.console.sign_in import Provider
from service import telemetry


def serve(ctx: typer.Context, port: int) -> None:
    """Serve the console until Ctrl-C. Exit code 1: it cannot listen on ``port``."""
    own = console_settings.load()
    # Connecting sets up the log of a command that a person reads; the console's own log takes its place.
    operations = connect(ctx)
    secrets = tuple(filter(None, [own.client_secret]))
    telemetry.setup("console", settings.load_operator().project, stream=sys.stderr, secrets=secrets)
    provider = _provider(ctx, own)
    try:
        running = serving.prepare(operations, port, provider=provider, origin=own.origin, host=own.host)
    except OSError as exc:
        fail(f"cannot listen on port {port} of {own.host} ({exc.strerror}); choose another with --port")
    serving.run(running, typer.echo, by_link=provider is None)


def _provider(ctx: typer.Context, own: ConsoleSettings) -> Provider | None:
    """The OIDC provider where operators sign in; None: they use the printed link."""
    if own.issuer is None:
        return None
    provider = bootstrap.sign_in(own.issuer, own.client_id, own.client_secret, emails=own.emails, groups=own.groups)
    ctx.call_on_close(provider.close)
    return provider
