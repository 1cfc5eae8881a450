"""``cloop-memory doctor``: check a deployment, one line for each check."""

from __future__ import annotations

import typer

from consumer import settings
from consumer.cli.output import emit_json, finding
from consumer.doctor import checks


def diagnose(*, as_json: bool) -> None:
    """Check this process's environment; each result is printed as soon as it is known. Exit code 1: a fault."""
    diagnoses = []
    for diagnosis in checks.findings(settings.environment()):
        diagnoses.append(diagnosis)
        if not as_json:
            finding(diagnosis)
    healthy = all(diagnosis.ok is not False for diagnosis in diagnoses)
    if as_json:
        emit_json({"ok": healthy, "findings": [diagnosis.to_json() for diagnosis in diagnoses]})
    if not healthy:
        raise typer.Exit(1)
