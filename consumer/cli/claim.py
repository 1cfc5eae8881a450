"""``cloop-memory claim ...``: readers' verdicts on the claims of a report."""

from __future__ import annotations

from typing import Annotated

import typer

from consumer.cli.options import Json, is_reason
from consumer.cli.output import emit_json, minute, pairs, table
from consumer.cli.session import connect
from contract.api import MarkRequest

VERDICTS = ("useful", "not-useful", "wrong")
JobId = Annotated[str, typer.Argument(help="job_id of the report.")]
Reason = Annotated[
    str, typer.Option("--reason", help="Recorded with the verdict and in the audit.", callback=is_reason)
]

app = typer.Typer()


@app.command("mark")
def mark_claim(
    ctx: typer.Context,
    *,
    job_id: JobId,
    claim: Annotated[int, typer.Argument(min=1, max=10_000, help="Number of the claim, as the report prints it.")],
    verdict: Annotated[str, typer.Argument(help="useful, not-useful or wrong.")],
    reason: Reason,
    as_json: Json = False,
) -> None:
    """Record a verdict on a claim; a later verdict replaces it. Too many wrong claims pause synthesis for the user.

    Example: cloop-memory claim mark 0b8a...-... 3 wrong --reason 'the launch was never moved'
    """
    if verdict not in VERDICTS:
        raise typer.BadParameter(f"{verdict!r} is not a verdict; use one of {', '.join(VERDICTS)}")
    request = MarkRequest.model_validate({"claim": claim, "verdict": verdict, "reason": reason})
    result = connect(ctx).api.mark_claim(job_id, request)
    if as_json:
        emit_json(result.model_dump(mode="json"))
        return
    pairs({"marks": result.marks, "wrong": str(result.wrong)})
    if result.paused:
        typer.echo("synthesis is paused for this user; `cloop-memory flag unset synthesis` resumes it", err=True)


@app.command("list")
def list_marks(ctx: typer.Context, job_id: JobId, as_json: Json = False) -> None:
    """List the verdicts on a job's claims. Example: cloop-memory claim list 0b8a...-..."""
    marks = connect(ctx).api.marks(job_id).marks
    if as_json:
        emit_json([mark.model_dump(mode="json") for mark in marks])
        return
    table(
        ("claim", "verdict", "marked_at", "marked_by", "reason"),
        [(mark.claim, mark.verdict, minute(mark.marked_at), mark.marked_by, mark.reason) for mark in marks],
    )
