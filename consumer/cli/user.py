"""``cloop-memory user ...``: enable, disable and list users."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from consumer.cli import deleted as cli_deleted
from consumer.cli import erase
from consumer.cli.job import submitted
from consumer.cli.options import Json, Limit, UserId, is_uuid
from consumer.cli.output import emit_json, fail, listed, minute, pairs, say_more, table
from consumer.cli.session import connect
from consumer.errors import LockBusy
from contract.api import EnableUserRequest, UserView, WaveRequest

if TYPE_CHECKING:
    from consumer.bootstrap import Operations
    from consumer.erasure.erase import Erased

#: Seconds that a purge waits for the jobs it cancelled, which stop between stages.
WAIT_S: Final = 300.0
ASK_S: Final = 1.0

Profile = Annotated[
    str | None,
    typer.Option(
        help="Runtime profile from manifests/profiles.yaml; internal-full is for staff. Default: the user's current"
        " profile; for a new user, user-memory-prod."
    ),
]

app = typer.Typer()


@app.command()
def enable(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="user_id or e-mail address.")],
    profile: Profile = None,
    begin_anew: Annotated[
        bool,
        typer.Option("--begin-anew", help="Fill an erased memory again from the app's data."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Enable a new or disabled user. Example: cloop-memory user enable charlie@example.com"""
    key = "email" if "@" in who else "user_id"
    if key == "user_id" and not is_uuid(who):
        fail(f"{who!r} is neither an e-mail address nor a user_id (a lower-case UUID)", code=2)
    body = {key: who, "runtime_profile": profile, "begin_anew": begin_anew}
    request = EnableUserRequest.model_validate(body)
    user = connect(ctx).api.enable_user(request)
    emit_json(user) if as_json else pairs(user)


@app.command()
def disable(
    ctx: typer.Context,
    user_id: UserId,
    purge: Annotated[bool, typer.Option("--purge", help="Also erase the workspace. This cannot be undone.")] = False,
    reason: Annotated[str, typer.Option(help="Required with --purge; recorded in the audit.")] = "",
    as_json: Json = False,
) -> None:
    """Stop planning jobs for a user; the workspace stays unless --purge erases it.

    Example: cloop-memory user disable 0a6e...-... --purge --reason "account deleted"
    """
    if purge != bool(reason):
        fail("--purge and --reason go together: erasing needs a reason, and disabling takes none", code=2)
    operations = connect(ctx)
    result = operations.api.disable_user(user_id)
    if purge:
        # In this order: a job submitted between the two would bring everything back.
        result = {**result, **erase.counts(_erased(operations, user_id, reason))}
    emit_json(result) if as_json else pairs(result)


def _erased(operations: Operations, user_id: str, reason: str) -> Erased:
    """Erase everything of the user once the cancelled jobs have released the lock. Raises LockBusy after WAIT_S."""
    until = operations.clock.monotonic() + WAIT_S
    while True:
        try:
            return erase.erased(operations, user_id, reason)
        except LockBusy:
            if operations.clock.monotonic() > until:
                raise
            operations.clock.sleep(ASK_S)


@app.command()
def backfill(ctx: typer.Context, user_id: UserId, as_json: Json = False) -> None:
    """Submit a backfill of all of a user's history. Example: cloop-memory user backfill 0a6e...-..."""
    job = submitted(connect(ctx), user_id, "backfill_digest")
    summary = job.model_dump(mode="json", include={"job_id", "user_id", "job_type", "status"})
    emit_json(job.model_dump(mode="json")) if as_json else pairs(summary)


@app.command("list")
def list_users(
    ctx: typer.Context,
    status: Annotated[str | None, typer.Option(help="enabled, disabled, or none (no workspace yet).")] = None,
    deleted: Annotated[
        bool,
        typer.Option("--deleted", help="List deleted accounts instead, newest first, with the state of their erasure."),
    ] = False,
    limit: Limit = 100,
    as_json: Json = False,
) -> None:
    """List users by id, with the state of their memories. Example: cloop-memory user list --status enabled"""
    if deleted and status is not None:
        fail("--deleted and --status exclude each other: deleted accounts have no status", code=2)
    operations = connect(ctx)
    if deleted:
        cli_deleted.list_deleted(operations, limit, as_json=as_json)
        return

    def fetch(after: str) -> tuple[Sequence[UserView], str | None]:
        page = operations.api.users({"status": status or "", "after": after})
        return page.users, page.next_after

    users, more = listed(fetch, limit)
    if as_json:
        emit_json([user.model_dump(mode="json") for user in users])
        return
    table(
        ("user_id", "status", "profile", "open_jobs", "last_backfill", "last_digest", "last_insight"),
        [(u.user_id, u.status, u.runtime_profile, u.open_jobs, *map(minute, _times(u))) for u in users],
    )
    if more:
        say_more(limit)


@app.command()
def provision(
    ctx: typer.Context,
    *,
    wave: Annotated[int, typer.Option(min=1, max=500, help="Number of users to enable.")],
    cap: Annotated[int, typer.Option(min=1, help="Maximum number of enabled users in total.")],
    profile: Profile = None,
    backfill: Annotated[bool, typer.Option(help="Also submit a backfill for each user.")] = True,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show who would be enabled, without enabling anyone.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Enable the next users without a workspace, oldest accounts first. Exit code 3: no user left, or cap reached.

    Example: cloop-memory user provision --wave 20 --cap 500 --dry-run
    """
    request = WaveRequest(size=wave, cap=cap, backfill=backfill, dry_run=dry_run)
    if profile is not None:
        request = WaveRequest.model_validate({**request.model_dump(), "runtime_profile": profile})
    enabled = connect(ctx).api.provision(request)
    if as_json:
        emit_json(enabled.model_dump(mode="json"))
    else:
        for user_id in enabled.user_ids:
            typer.echo(f"{'would enable' if dry_run else 'enabled'}  {user_id}")
        numbers = enabled.model_dump(include={"enabled", "waiting", "open_backfills"})
        typer.echo(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in numbers.items()))
    if not enabled.user_ids:
        why = f"the cap of {cap} is reached" if enabled.waiting else "every user has a workspace"
        fail(f"no user was enabled: {why}", code=3)


@app.command()
def token(
    user_id: UserId,
    link: Annotated[
        bool, typer.Option("--link", help="Print the address of the user's pages instead, with a code that works once.")
    ] = False,
) -> None:
    """Print an access token of a user of the embedded stack, as the app's sign-in would issue it. Needs --local.

    Example: cloop-memory --local user token 0a6e...-...
    """
    from consumer.cli.user_token import issue, sign_in_link  # noqa: PLC0415 (imports an HTTP client)

    typer.echo(sign_in_link(user_id) if link else issue(user_id))


def _times(user: UserView) -> tuple[datetime | None, ...]:
    return user.last_backfill_at, user.last_digest_at, user.last_insight_at


app.add_typer(cli_deleted.app)
