"""``cloop-memory flag ...``: feature flags of a user, a cohort, a profile or all; every change has a reason."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import typer
from pydantic import BaseModel, ValidationError

from consumer.cli.options import Json, UserId, is_reason
from consumer.cli.output import emit_json, minute, pairs, table
from consumer.cli.session import connect
from contract.api import CohortRequest, SetFlagRequest, UnsetFlagRequest

Name = Annotated[str, typer.Argument(help="synthesis, hourly or dream.")]
Where = Annotated[str, typer.Option("--for", help="all, user:<user_id>, cohort:<name> or profile:<name>.")]
Reason = Annotated[
    str, typer.Option("--reason", help="Recorded with the setting and in the audit.", callback=is_reason)
]
Request = TypeVar("Request", bound=BaseModel)

app = typer.Typer()


@app.command("list")
def list_flags(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Option(help="Only this flag: synthesis, hourly or dream.")] = None,
    target: Annotated[str | None, typer.Option(help="Only this user_id, cohort or profile.")] = None,
    as_json: Json = False,
) -> None:
    """List the flags that are set; a flag that is not listed is on. Example: cloop-memory flag list --name synthesis"""
    flags = connect(ctx).api.flags({"name": name or "", "target": target or ""}).flags
    if as_json:
        emit_json([flag.model_dump(mode="json") for flag in flags])
        return
    table(
        ("name", "value", "for", "set_at", "set_by", "reason"),
        [(f.name, _word(f.value), f"{f.scope}:{f.target}", minute(f.set_at), f.set_by, f.reason) for f in flags],
    )


@app.command("set")
def set_flag(
    ctx: typer.Context,
    *,
    name: Name,
    value: Annotated[str, typer.Argument(help="on or off.")],
    where: Where,
    reason: Reason,
    as_json: Json = False,
) -> None:
    """Set a flag. Example: cloop-memory flag set synthesis off --for cohort:pilot --reason 'model under review'"""
    if value not in ("on", "off"):
        raise typer.BadParameter(f"{value!r} is not a value of a flag; use on or off")
    request = SetFlagRequest.model_validate(_place(name, where, reason) | {"value": value == "on"})
    _print(connect(ctx).api.set_flag(request).model_dump(mode="json"), as_json=as_json)


@app.command()
def unset(ctx: typer.Context, name: Name, where: Where, reason: Reason, as_json: Json = False) -> None:
    """Remove a setting; the next wider one applies again.

    Example: cloop-memory flag unset synthesis --for user:0a6e...-... --reason 'model changed'
    """
    request = UnsetFlagRequest.model_validate(_place(name, where, reason))
    _print(connect(ctx).api.unset_flag(request).model_dump(mode="json"), as_json=as_json)


@app.command()
def cohort(
    ctx: typer.Context,
    *,
    name: Annotated[str, typer.Argument(help="Name of the cohort.")],
    user_id: UserId,
    reason: Reason,
    leave: Annotated[bool, typer.Option("--leave", help="Remove the user from the cohort.")] = False,
    as_json: Json = False,
) -> None:
    """Add a user to a cohort. Example: cloop-memory flag cohort pilot 0a6e...-... --reason 'first wave'"""
    request = _valid(CohortRequest, {"cohort": name, "user_id": user_id, "member": not leave, "reason": reason})
    _print(connect(ctx).api.change_cohort(request), as_json=as_json)


def _place(name: str, where: str, reason: str) -> dict[str, Any]:
    scope, _, target = where.partition(":")
    if scope != "all" and not target:
        raise typer.BadParameter(
            f"--for {where!r} has no target; use all, user:<user_id>, cohort:<name> or profile:<name>"
        )
    place = {"name": name, "scope": scope, "target": target or "*", "reason": reason}
    return _valid(UnsetFlagRequest, place).model_dump()


def _valid(request: type[Request], values: dict[str, Any]) -> Request:
    try:
        return request.model_validate(values)
    except ValidationError as exc:
        first = exc.errors()[0]
        raise typer.BadParameter(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _print(flag: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        emit_json(flag)
    else:
        pairs({name: _word(value) if isinstance(value, bool) else value for name, value in flag.items()})


def _word(value: bool) -> str:
    return "on" if value else "off"
