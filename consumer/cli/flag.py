"""``cloop-memory flag ...``: switches for one user, a cohort, a profile or all; each change says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from consumer.cli.output import emit_json, is_reason, is_user_id, pairs, table

if TYPE_CHECKING:
    from contract.api import CohortRequest, FlagList, FlagView, SetFlagRequest, UnsetFlagRequest

Name = Annotated[str, typer.Argument(help="synthesis or hourly")]
Where = Annotated[str, typer.Option("--for", help="all, user:<user_id>, cohort:<name> or profile:<name>")]
Reason = Annotated[str, typer.Option("--reason", help="Kept with the flag and in the audit.", callback=is_reason)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]


class Api(Protocol):
    def flags(self, filters: Mapping[str, str]) -> FlagList: ...
    def set_flag(self, request: SetFlagRequest) -> FlagView: ...
    def unset_flag(self, request: UnsetFlagRequest) -> FlagView: ...
    def change_cohort(self, request: CohortRequest) -> dict[str, Any]: ...


class Operations(Protocol):
    """What these verbs need."""

    @property
    def api(self) -> Api: ...


OpenOperations = Callable[[], Operations]


def flag_app(open_operations: OpenOperations) -> typer.Typer:
    """The ``flag`` group. Nothing is opened before a verb runs."""
    app = typer.Typer(help="Switches by user, cohort or profile.", no_args_is_help=True)
    for add in (_add_list, _add_set, _add_unset, _add_cohort):
        add(app, open_operations)
    return app


def _add_list(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command("list")
    def list_flags(
        name: Annotated[str | None, typer.Option(help="synthesis or hourly")] = None,
        target: Annotated[str | None, typer.Option(help="a user_id, cohort or profile")] = None,
        as_json: Json = False,
    ) -> None:
        """What is set; a flag that is not here is on. Example: cloop-memory flag list --name synthesis"""
        found = open_operations().api.flags({"name": name or "", "target": target or ""}).flags
        if as_json:
            emit_json([one.model_dump(mode="json") for one in found])
            return
        table(
            ("name", "value", "for", "set_at", "set_by", "reason"),
            [
                (one.name, _word(one.value), f"{one.scope}:{one.target}", _day(one.set_at), one.set_by, one.reason)
                for one in found
            ],
        )


def _add_set(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command("set")
    def set_flag(
        name: Name,
        value: Annotated[str, typer.Argument(help="on or off")],
        where: Where,
        reason: Reason,
        as_json: Json = False,
    ) -> None:
        """Set a flag. Example: cloop-memory flag set synthesis off --for cohort:pilot --reason 'model under review'"""
        from contract.api import SetFlagRequest  # noqa: PLC0415 (--help stays fast)

        if value not in ("on", "off"):
            raise typer.BadParameter("a flag is on or off")
        request = SetFlagRequest.model_validate(_place(name, where, reason) | {"value": value == "on"})
        _told(open_operations().api.set_flag(request).model_dump(mode="json"), as_json=as_json)


def _add_unset(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def unset(name: Name, where: Where, reason: Reason, as_json: Json = False) -> None:
        """Take a setting away; the next wider one counts again.

        Example: cloop-memory flag unset synthesis --for user:0a6e...-... --reason 'looked at the session'
        """
        from contract.api import UnsetFlagRequest  # noqa: PLC0415 (--help stays fast)

        request = UnsetFlagRequest.model_validate(_place(name, where, reason))
        _told(open_operations().api.unset_flag(request).model_dump(mode="json"), as_json=as_json)


def _add_cohort(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def cohort(
        name: Annotated[str, typer.Argument(help="the cohort")],
        user_id: Annotated[str, typer.Argument(help="user_id", callback=is_user_id)],
        reason: Reason,
        leave: Annotated[bool, typer.Option("--leave", help="Take the user out instead.")] = False,
        as_json: Json = False,
    ) -> None:
        """Take a user into a cohort. Example: cloop-memory flag cohort pilot 0a6e...-... --reason 'first wave'"""
        from contract.api import CohortRequest  # noqa: PLC0415 (--help stays fast)

        request = _valid(CohortRequest, {"cohort": name, "user_id": user_id, "member": not leave, "reason": reason})
        _told(open_operations().api.change_cohort(request), as_json=as_json)


def _place(name: str, where: str, reason: str) -> dict[str, Any]:
    from contract.api import UnsetFlagRequest  # noqa: PLC0415 (--help stays fast)

    scope, _, target = where.partition(":")
    if scope != "all" and not target:
        raise typer.BadParameter(f"{where!r} names nobody; write all, user:<user_id>, cohort:<name> or profile:<name>")
    given = {"name": name, "scope": scope, "target": target or "*", "reason": reason}
    return dict(_valid(UnsetFlagRequest, given).model_dump())


def _valid(kind: Any, values: dict[str, Any]) -> Any:
    from pydantic import ValidationError  # noqa: PLC0415 (--help stays fast)

    try:
        return kind.model_validate(values)
    except ValidationError as exc:
        first = exc.errors()[0]
        raise typer.BadParameter(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _told(told: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        emit_json(told)
    else:
        pairs({name: _word(value) if isinstance(value, bool) else value for name, value in told.items()})


def _word(value: bool) -> str:
    return "on" if value else "off"


def _day(moment: Any) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
