"""``cloop-memory job ...`` and ``cloop-memory user ...``: what operators do through the control plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from consumer.entrypoints.cli_output import emit_json, fail, pairs, table

if TYPE_CHECKING:
    from consumer.bootstrap import Operations
    from consumer.engine.workspace import WorkspaceStore
    from contract.api import JobView

job_app = typer.Typer(help="Submit, follow, cancel and repeat jobs.", no_args_is_help=True)
user_app = typer.Typer(help="Whose memory grows.", no_args_is_help=True)

#: Seconds between two looks at a job that is being watched.
_WATCH_S = 0.5
_OVER = frozenset({"completed", "failed", "cancelled"})
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]


def open_operations() -> Operations:
    """Everything the command line talks to, opened on first use so that --help stays fast."""
    from consumer import bootstrap, settings  # noqa: PLC0415

    return bootstrap.operations(settings.load_operator())


def open_store() -> WorkspaceStore:
    """The workspace store of the configured bucket."""
    return open_operations().workspaces


@job_app.command()
def submit(
    job_type: Annotated[str, typer.Argument(help="inventory, backfill_digest, hourly_digest or insight")],
    user: Annotated[str, typer.Option("--user", help="user_id")],
    period: Annotated[str | None, typer.Option(help="2026-11-27, or 2026-11-27T14 for hourly jobs")] = None,
    as_json: Json = False,
) -> None:
    """Enqueue a job. Example: cloop-memory job submit insight --user 0a6e...-..."""
    from contract.api import SubmitJobRequest  # noqa: PLC0415

    body = SubmitJobRequest.model_validate({"user_id": user, "job_type": job_type, "period": period})
    _show(open_operations().api.submit(body), as_json)


@job_app.command("list")
def list_jobs(
    status: Annotated[str | None, typer.Option(help="queued, running, completed, failed or cancelled")] = None,
    user: Annotated[str | None, typer.Option("--user", help="user_id")] = None,
    job_type: Annotated[str | None, typer.Option("--type")] = None,
    as_json: Json = False,
) -> None:
    """Jobs, newest first. Example: cloop-memory job list --status failed"""
    filters = {k: v for k, v in {"status": status, "user_id": user, "type": job_type}.items() if v}
    jobs = open_operations().api.jobs(filters).jobs
    if as_json:
        emit_json([j.model_dump(mode="json") for j in jobs])
        return
    table(
        ("job_id", "type", "period", "status", "substate", "stage", "attempt", "user_id"),
        [(j.job_id, j.job_type, j.period, j.status, j.substate, j.stage, j.attempt, j.user_id) for j in jobs],
    )


@job_app.command()
def show(job_id: str, as_json: Json = False) -> None:
    """One job with its result. Example: cloop-memory job show 7d1e...-..."""
    _show(open_operations().api.job(job_id), as_json)


@job_app.command()
def watch(
    job_id: str, timeout_s: Annotated[float, typer.Option("--timeout", help="Give up after so many seconds.")] = 3600
) -> None:
    """Follow a job until it is over; exit 0 only if it completed. Example: cloop-memory job watch 7d1e...-..."""
    operations = open_operations()
    clock, last = operations.clock, ""
    deadline = clock.monotonic() + timeout_s
    while True:
        job = operations.api.job(job_id)
        line = f"{job.status}  {job.substate or ''}  attempt {job.attempt}  {job.stage or ''}"
        if line != last:
            typer.echo(line)
            last = line
        if job.status in _OVER:
            raise typer.Exit(0 if job.status == "completed" else 1)
        if clock.monotonic() > deadline:
            fail(f"job {job_id} is still {job.status} after {timeout_s:.0f} s")
        clock.sleep(_WATCH_S)


@job_app.command()
def cancel(job_id: str, reason: Annotated[str, typer.Option(help="kept with the job")], as_json: Json = False) -> None:
    """Ask a job to stop. Example: cloop-memory job cancel 7d1e...-... --reason "wrong user" """
    from contract.api import ReasonRequest  # noqa: PLC0415

    _show(open_operations().api.cancel(job_id, ReasonRequest(reason=reason)), as_json)


@job_app.command()
def rerun(job_id: str, as_json: Json = False) -> None:
    """A new job that names a finished one. Example: cloop-memory job rerun 7d1e...-..."""
    _show(open_operations().api.rerun(job_id), as_json)


@user_app.command()
def enable(
    who: Annotated[str, typer.Argument(help="user_id or e-mail")],
    profile: Annotated[str, typer.Option(help="runtime profile")] = "internal-full",
) -> None:
    """Give a user a workspace. Example: cloop-memory user enable charlie@example.com"""
    from contract.api import EnableUserRequest  # noqa: PLC0415

    key = "email" if "@" in who else "user_id"
    request = EnableUserRequest.model_validate({key: who, "runtime_profile": profile})
    emit_json(open_operations().api.enable_user(request))


@user_app.command()
def disable(user_id: str) -> None:
    """Plan no more jobs for a user; the workspace stays. Example: cloop-memory user disable 0a6e...-..."""
    emit_json(open_operations().api.disable_user(user_id))


@user_app.command()
def backfill(user_id: str, as_json: Json = False) -> None:
    """Enqueue a backfill. Example: cloop-memory user backfill 0a6e...-..."""
    submit("backfill_digest", user_id, None, as_json)


def _show(job: JobView, as_json: bool) -> None:
    if as_json:
        emit_json(job.model_dump(mode="json"))
        return
    seen = job.model_dump(mode="json", exclude={"artifacts", "error"})
    pairs(seen | ({"error": f"{job.error.code} at {job.error.stage}: {job.error.hint}"} if job.error else {}))
    for artifact in job.artifacts:
        typer.echo(f"  {artifact.artifact_type}  {artifact.workspace_path}")
