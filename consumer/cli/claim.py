"""``cloop-memory claim ...``: what a reader says of a report's claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from consumer.cli.output import emit_json, is_reason, pairs, table

if TYPE_CHECKING:
    from contract.api import MarkList, MarkRequest, MarkResponse

VERDICTS = ("useful", "not-useful", "wrong")
JobId = Annotated[str, typer.Argument(help="job_id of the report")]
Reason = Annotated[str, typer.Option("--reason", help="Kept with the mark and in the audit.", callback=is_reason)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]


class Api(Protocol):
    def mark_claim(self, job_id: str, request: MarkRequest) -> MarkResponse: ...
    def marks(self, job_id: str) -> MarkList: ...


class Operations(Protocol):
    """What these verbs need."""

    @property
    def api(self) -> Api: ...


OpenOperations = Callable[[], Operations]


def claim_app(open_operations: OpenOperations) -> typer.Typer:
    """The ``claim`` group. Nothing is opened before a verb runs."""
    app = typer.Typer(help="Verdicts on a report's claims.", no_args_is_help=True)
    for add in (_add_mark, _add_marks):
        add(app, open_operations)
    return app


def _add_mark(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def mark(
        job_id: JobId,
        claim: Annotated[int, typer.Argument(min=1, max=10_000, help="the number that the report prints")],
        verdict: Annotated[str, typer.Argument(help="useful, not-useful or wrong")],
        reason: Reason,
        as_json: Json = False,
    ) -> None:
        """Say of a claim whether it was useful; a later verdict replaces it. Too many wrong ones pause synthesis.

        Example: cloop-memory claim mark 0b8a...-... 3 wrong --reason 'the launch was never moved'
        """
        from contract.api import MarkRequest  # noqa: PLC0415 (--help stays fast)

        if verdict not in VERDICTS:
            raise typer.BadParameter(f"a verdict is one of {', '.join(VERDICTS)}")
        request = MarkRequest.model_validate({"claim": claim, "verdict": verdict, "reason": reason})
        told = open_operations().api.mark_claim(job_id, request)
        if as_json:
            emit_json(told.model_dump(mode="json"))
            return
        pairs({"marks": told.marks, "wrong": str(told.wrong)})
        if told.paused:
            typer.echo("synthesis is paused for this user: cloop-memory flag unset synthesis resumes it", err=True)


def _add_marks(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command("list")
    def list_marks(job_id: JobId, as_json: Json = False) -> None:
        """Every verdict on a job's claims. Example: cloop-memory claim list 0b8a...-..."""
        found = open_operations().api.marks(job_id).marks
        if as_json:
            emit_json([one.model_dump(mode="json") for one in found])
            return
        table(
            ("claim", "verdict", "marked_at", "marked_by", "reason"),
            [(one.claim, one.verdict, f"{one.marked_at:%Y-%m-%d %H:%M}", one.marked_by, one.reason) for one in found],
        )
