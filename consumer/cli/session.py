"""What the commands work with: opened when a command first asks for it, and closed when the command ends."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from consumer.bootstrap import Operations


def connect(ctx: typer.Context) -> Operations:
    """The operations of this command line. Raises SettingsError."""
    open_once: Callable[[], Operations] = ctx.obj
    return open_once()


def opener(ctx: typer.Context) -> Callable[[], Operations]:
    """Opens the operations on the first call, and gives the same on each further one; ``ctx`` closes them."""

    @cache
    def open_once() -> Operations:
        from consumer import bootstrap, settings  # noqa: PLC0415 (imports every adapter: only for a command that runs)
        from service import telemetry  # noqa: PLC0415

        telemetry.setup_for_people()
        operations = bootstrap.operations(settings.load_operator())
        ctx.call_on_close(operations.close)
        return operations

    return open_once
