"""``cloop-memory user ...``: whose memory grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final, Protocol

import typer

from consumer.cli import deleted as cli_deleted
from consumer.cli import erase, workspace_writes
from consumer.cli import job as cli_job
from consumer.cli.output import emit_json, fail, is_user_id, is_uuid, pairs, table

if TYPE_CHECKING:
    from consumer.erasure.erase import Erased
    from contract.api import UserView

#: Seconds that a purge waits for the jobs it asked to stop: a stage may take long to come to its next question.
WAIT_S: Final = 300.0
ASK_S: Final = 1.0

UserId = Annotated[str, typer.Argument(help="user_id", callback=is_user_id)]
Profile = Annotated[
    str | None,
    typer.Option(
        help="runtime profile of manifests/profiles.yaml; without it users keep theirs, and new ones get"
        " user-memory-prod. internal-full is for staff"
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]


class Api(cli_job.Api, workspace_writes.Api, cli_deleted.Api, Protocol):
    """The operator API, and for a purge the audit."""


class Operations(cli_job.Operations, workspace_writes.Operations, Protocol):
    """What these verbs need: jobs, and for a purge the workspace."""

    @property
    def api(self) -> Api: ...


OpenOperations = Callable[[], Operations]


def user_app(open_operations: OpenOperations) -> typer.Typer:
    """The ``user`` group. Nothing is opened before a verb runs."""
    app = typer.Typer(help="Whose memory grows.", no_args_is_help=True)
    for add in (_add_enable, _add_disable, _add_backfill, _add_list, _add_provision):
        add(app, open_operations)
    cli_deleted.add_deleted(app, open_operations)
    return app


def _add_enable(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def enable(
        who: Annotated[str, typer.Argument(help="user_id or e-mail")],
        profile: Profile = None,
        begin_anew: Annotated[
            bool,
            typer.Option(
                "--begin-anew", help="After everything was erased: fill the memory again from the app's data."
            ),
        ] = False,
        as_json: Json = False,
    ) -> None:
        """Give a user a workspace, or enable it again. Example: cloop-memory user enable charlie@example.com"""
        from contract.api import EnableUserRequest  # noqa: PLC0415 (--help stays fast)

        key = "email" if "@" in who else "user_id"
        if key == "user_id" and not is_uuid(who):
            fail(f"{who!r} is neither an e-mail address nor a user_id (a lower-case UUID)", code=2)
        body = {key: who, "runtime_profile": profile, "begin_anew": begin_anew}
        request = EnableUserRequest.model_validate(body)
        told = open_operations().api.enable_user(request)
        emit_json(told) if as_json else pairs(told)


def _add_disable(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def disable(
        user_id: UserId,
        purge: Annotated[bool, typer.Option("--purge", help="also erase the workspace; it cannot be undone")] = False,
        reason: Annotated[str, typer.Option(help="with --purge: kept in the audit")] = "",
        as_json: Json = False,
    ) -> None:
        """Plan no more jobs for a user; the workspace stays unless --purge erases it.

        Example: cloop-memory user disable 0a6e...-... --purge --reason "account deleted"
        """
        if purge != bool(reason):
            fail("--purge erases for ever: it needs a --reason, and nothing else does", code=2)
        operations = open_operations()
        told = operations.api.disable_user(user_id)
        if purge:
            # In this order: a job that is asked for between the two would bring everything back.
            told = {**told, **erase.told(_erased(operations, user_id, reason))}
        emit_json(told) if as_json else pairs(told)


def _erased(operations: Operations, user_id: str, reason: str) -> Erased:
    """Everything of the user, as soon as the jobs that were asked to stop have let go. Raises LockBusy after WAIT_S."""
    from consumer.errors import LockBusy  # noqa: PLC0415 (--help stays fast)

    until = operations.clock.monotonic() + WAIT_S
    while True:
        try:
            return erase.erased(operations, user_id, reason)
        except LockBusy:
            if operations.clock.monotonic() > until:
                raise
            operations.clock.sleep(ASK_S)


def _add_backfill(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def backfill(user_id: UserId, as_json: Json = False) -> None:
        """Enqueue a backfill: all of a user's history. Example: cloop-memory user backfill 0a6e...-..."""
        job = cli_job.submitted(open_operations(), user_id, "backfill_digest")
        told = job.model_dump(mode="json", include={"job_id", "user_id", "job_type", "status"})
        emit_json(job.model_dump(mode="json")) if as_json else pairs(told)


def _add_list(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command("list")
    def list_users(
        status: Annotated[str | None, typer.Option(help="enabled, disabled, or none: no workspace yet")] = None,
        deleted: Annotated[
            bool,
            typer.Option("--deleted", help="Deleted accounts instead, newest first, and how far their erasure is."),
        ] = False,
        limit: Annotated[int, typer.Option(min=1, help="At most so many; pages are fetched as needed.")] = 100,
        as_json: Json = False,
    ) -> None:
        """Users and the state of their memories, by id; no names. Example: cloop-memory user list --status enabled"""
        if deleted and status is not None:
            fail("--deleted lists accounts that are gone, which have no --status; give one of the two", code=2)
        api, after = open_operations().api, ""
        if deleted:
            cli_deleted.list_deleted(api, limit, as_json=as_json)
            return
        users: list[UserView] = []
        while len(users) < limit:
            page = api.users({"status": status or "", "after": after})
            users += page.users
            after = page.next_after or ""
            if not after:
                break
        if as_json:
            emit_json([user.model_dump(mode="json") for user in users[:limit]])
            return
        table(
            ("user_id", "status", "profile", "open_jobs", "last_backfill", "last_digest", "last_insight"),
            [
                (u.user_id, u.status, u.runtime_profile, u.open_jobs, *map(cli_deleted.minute, _times(u)))
                for u in users[:limit]
            ],
        )
        if after or len(users) > limit:
            typer.echo(f"there are more than {limit}: --limit {limit * 4} shows them", err=True)


def _add_provision(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def provision(
        *,
        wave: Annotated[int, typer.Option(min=1, max=500, help="users of this wave")],
        cap: Annotated[int, typer.Option(min=1, help="enabled users in all; the wave stops there")],
        profile: Profile = None,
        backfill: Annotated[bool, typer.Option(help="also enqueue each user's backfill")] = True,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Say who would be taken, change nothing.")] = False,
        as_json: Json = False,
    ) -> None:
        """Enable the next users who have no workspace, oldest accounts first; exit 3 if there was nobody or no room.

        Example: cloop-memory user provision --wave 20 --cap 500 --dry-run
        """
        from contract.api import WaveRequest  # noqa: PLC0415 (--help stays fast)

        request = WaveRequest(size=wave, cap=cap, backfill=backfill, dry_run=dry_run)
        if profile is not None:
            request = WaveRequest.model_validate({**request.model_dump(), "runtime_profile": profile})
        told = open_operations().api.provision(request)
        if as_json:
            emit_json(told.model_dump(mode="json"))
        else:
            for user_id in told.user_ids:
                typer.echo(f"{'would enable' if dry_run else 'enabled'}  {user_id}")
            numbers = told.model_dump(include={"enabled", "waiting", "open_backfills"})
            typer.echo(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in numbers.items()))
        if not told.user_ids:
            why = f"the cap of {cap} is reached" if told.waiting else "everybody has a workspace"
            fail(f"nobody was taken: {why}", code=3)


def _times(user: UserView) -> tuple[object, ...]:
    return user.last_backfill_at, user.last_digest_at, user.last_insight_at
