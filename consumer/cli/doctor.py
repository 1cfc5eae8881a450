"""``cloop-memory doctor``: everything that a deployment needs, one line each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from consumer.cli.output import emit_json, finding

if TYPE_CHECKING:
    from consumer.doctor.health import Diagnosis


def real_findings() -> Iterable[Diagnosis]:
    """Of this process's environment."""
    from consumer import settings  # noqa: PLC0415 (--help stays fast)
    from consumer.doctor import checks  # noqa: PLC0415 (--help stays fast)

    return checks.findings(settings.environment())


def add_doctor(app: typer.Typer, look: Callable[[], Iterable[Diagnosis]] = real_findings) -> None:
    """The verb over what ``look`` finds; lines appear as they are found."""

    @app.command(rich_help_panel="Look after it")
    def doctor(
        as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
    ) -> None:
        """Check configuration, reach, grants, clock, tools, queue and dead letters; exit 1 if anything is at fault.

        Example: cloop-memory doctor --json
        """
        found = []
        for one in look():
            found.append(one)
            if not as_json:
                finding(one)
        healthy = all(one.ok is not False for one in found)
        if as_json:
            emit_json({"ok": healthy, "findings": [one.to_json() for one in found]})
        if not healthy:
            raise typer.Exit(1)
