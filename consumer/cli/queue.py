"""``cloop-memory queue ...``: withhold the jobs of a user or of everybody, and let them go again."""

from __future__ import annotations

from typing import Annotated

import typer

from consumer.cli.options import Json, is_reason, is_user_id
from consumer.cli.output import emit_json, minute, pairs, table, tell
from consumer.cli.session import connect
from contract.api import EVERYBODY, PauseRequest, PauseView

All = Annotated[bool, typer.Option("--all", help="Everybody's jobs.")]
OneUser = Annotated[str | None, typer.Option("--user", help="Only this user's jobs (user_id).", callback=is_user_id)]
Reason = Annotated[
    str, typer.Option("--reason", help="Shown with the pause and kept in the audit.", callback=is_reason)
]

app = typer.Typer()


@app.command()
def pause(
    ctx: typer.Context, *, everybody: All = False, user: OneUser = None, reason: Reason, as_json: Json = False
) -> None:
    """Withhold jobs until `queue resume`; running jobs continue. If a pause is already in force,
    its reason stays as it is.

    Example: cloop-memory queue pause --all --reason "database maintenance until 14:00"
    """
    request = PauseRequest(target=_target(everybody, user), reason=reason)
    _print(connect(ctx).api.pause(request), as_json=as_json)


@app.command()
def resume(
    ctx: typer.Context, *, everybody: All = False, user: OneUser = None, reason: Reason, as_json: Json = False
) -> None:
    """End a pause; the withheld jobs start at once, oldest first. Exit code 3: no such pause is in force.

    Example: cloop-memory queue resume --all --reason "maintenance is over"
    """
    api = connect(ctx).api
    request = PauseRequest(target=_target(everybody, user), reason=reason)
    _print(api.resume(request), as_json=as_json)
    if not as_json and request.target != EVERYBODY and any(left.target == EVERYBODY for left in api.pauses().pauses):
        tell("this user's jobs still wait: everybody's queue is paused; see `cloop-memory queue status`", err=True)


@app.command()
def status(ctx: typer.Context, as_json: Json = False) -> None:
    """List the pauses in force, and count the jobs that wait for them. Example: cloop-memory queue status"""
    queue = connect(ctx).api.queue()
    if as_json:
        emit_json(queue.model_dump(mode="json", include={"pauses", "withheld", "queued", "running"}))
        return
    if not queue.pauses:
        tell(f"no pause is in force; {queue.queued} jobs are queued, {queue.running} run")
        return
    table(
        ("paused", "since", "by", "reason"),
        [(_whose(pause), minute(pause.paused_at), pause.paused_by, pause.reason) for pause in queue.pauses],
    )
    tell(f"{queue.withheld} jobs are withheld, {queue.running} run")


def _target(everybody: bool, user: str | None) -> str:
    if everybody == (user is not None):
        raise typer.BadParameter("give exactly one of --all and --user USER_ID")
    return user or EVERYBODY


def _whose(pause: PauseView) -> str:
    return "everybody" if pause.target == EVERYBODY else pause.target


def _print(pause: PauseView, *, as_json: bool) -> None:
    document = pause.model_dump(mode="json", exclude_none=True)
    if as_json:
        emit_json(document)
    else:
        pairs({**document, "target": _whose(pause)})
