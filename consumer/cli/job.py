"""``cloop-memory job ...``: submit, follow, cancel and repeat jobs through the control plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError

from consumer.cli.options import Json, Limit, User, is_reason, is_user_id
from consumer.cli.output import emit_json, fail, findings, listed, pairs, program, say_more, table, tell
from consumer.cli.session import connect
from consumer.cli.smoke import checks, run_of, steps_of
from consumer.delivery import timeline
from contract.api import TERMINAL, JobView, ReasonRequest, RerunRequest, SubmitJobRequest

if TYPE_CHECKING:
    from consumer.bootstrap import Operations

#: Seconds between two requests for a job that is being watched.
WATCH_S = 0.5
JobId = Annotated[str, typer.Argument(help="A job_id, as `job list` shows it.")]
_SUMMARY = (
    "job_id",
    "job_type",
    "period",
    "user_id",
    "runtime_profile",
    "report_uri",
    "source_counts",
    "output_counts",
)

app = typer.Typer()


@app.command()
def submit(
    ctx: typer.Context,
    *,
    job_type: Annotated[str, typer.Argument(help="inventory, backfill_digest, hourly_digest, insight or dream.")],
    user: User,
    period: Annotated[
        str | None, typer.Option(help="Day, e.g. 2026-11-27; hour of an hourly_digest, e.g. 2026-11-27T14.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Run a backfill even if there is little evidence.")] = False,
    as_json: Json = False,
) -> None:
    """Submit a job. Example: cloop-memory job submit insight --user 0a6e...-..."""
    job = submitted(connect(ctx), user, job_type, period, force=force)
    _print(job, as_json=as_json)


def submitted(
    operations: Operations, user: str, job_type: str, period: str | None = None, *, force: bool = False
) -> JobView:
    """Submit a job. Exits with code 2 where an argument is invalid."""
    try:
        body = SubmitJobRequest.model_validate(
            {"user_id": user, "job_type": job_type, "period": period, "force": force}
        )
    except ValidationError as exc:
        fail("; ".join(f"{e['loc'][0]}: {e['msg']}" for e in exc.errors()), code=2)
    return operations.api.submit(body)


@app.command("list")
def list_jobs(
    ctx: typer.Context,
    *,
    status: Annotated[str | None, typer.Option(help="queued, running, completed, failed or cancelled.")] = None,
    user: Annotated[str | None, typer.Option("--user", help="Only jobs of this user_id.", callback=is_user_id)] = None,
    job_type: Annotated[str | None, typer.Option("--type", help="Only jobs of this type, as for `job submit`.")] = None,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """List jobs, newest first. Example: cloop-memory job list --status failed --limit 200"""
    operations = connect(ctx)
    filters = {k: v for k, v in {"status": status, "user_id": user, "type": job_type}.items() if v}

    def fetch(after: str) -> tuple[Sequence[JobView], str | None]:
        page = operations.api.jobs({**filters, **({"after": after} if after else {})})
        return page.jobs, page.next_after

    jobs, more = listed(fetch, limit)
    if as_json:
        emit_json([j.model_dump(mode="json") for j in jobs])
        return
    table(
        ("job_id", "type", "period", "status", "substate", "stage", "attempt", "user_id"),
        [(j.job_id, j.job_type, j.period, j.status, j.substate, j.stage, j.attempt, j.user_id) for j in jobs],
    )
    if more:
        say_more(limit)


@app.command()
def show(ctx: typer.Context, job_id: JobId, as_json: Json = False) -> None:
    """Show a job: its attempts, stages and result. Example: cloop-memory job show 7d1e...-..."""
    operations = connect(ctx)
    job = operations.api.job(job_id)
    stored = operations.ledgers.find(job_id)
    attempts = timeline.timeline(job, stored.ledger if stored else None)
    if as_json:
        emit_json({**job.model_dump(mode="json"), "timeline": attempts})
        return
    pairs(job.model_dump(mode="json", include=set(_SUMMARY)))
    typer.echo("")
    for text in timeline.draw(job, attempts):
        tell(text)
    if job.artifacts:
        typer.echo("")
    for artifact in job.artifacts:
        tell(f"{artifact.artifact_type}  {artifact.workspace_path}")


@app.command()
def watch(
    ctx: typer.Context,
    job_id: JobId,
    timeout_s: Annotated[float, typer.Option("--timeout", help="Seconds to wait before giving up.")] = 3600,
    as_json: Json = False,
) -> None:
    """Follow a job until it ends. Exit code 0: it completed. Example: cloop-memory job watch 7d1e...-..."""
    job = watched(connect(ctx), job_id, timeout_s, quiet=as_json)
    if as_json:
        emit_json(job.model_dump(mode="json"))
    if job.status != "completed":
        fail(f"job {job_id} is {job.status}: {job.error.code if job.error else 'see `job show`'}")


def watched(operations: Operations, job_id: str, timeout_s: float, *, quiet: bool = False) -> JobView:
    """The job once it has ended. Prints each change on stderr, so that stdout holds the answer alone."""
    clock, last = operations.clock, ""
    began = clock.monotonic()
    while True:
        job = operations.api.job(job_id)
        line = f"{job.status}  {job.substate or ''}  attempt {job.attempt}  {job.stage or ''}".rstrip()
        waited = clock.monotonic() - began
        if line != last and not quiet:
            typer.echo(f"{waited:>7.1f} s  {line}", err=True)
        last = line
        if job.status in TERMINAL:
            return job
        if waited >= timeout_s:
            fail(f"job {job_id} is still {job.status} after {timeout_s:.0f} s; it keeps running")
        clock.sleep(WATCH_S)


@app.command()
def cancel(
    ctx: typer.Context,
    job_id: JobId,
    reason: Annotated[str, typer.Option("--reason", help="Recorded in the job.", callback=is_reason)],
    as_json: Json = False,
) -> None:
    """Stop a job at its next stage. Example: cloop-memory job cancel 7d1e...-... --reason "wrong user" """
    job = connect(ctx).api.cancel(job_id, ReasonRequest(reason=reason))
    _print(job, as_json=as_json)


@app.command()
def rerun(
    ctx: typer.Context,
    job_id: JobId,
    force_render: Annotated[
        bool, typer.Option("--force-render", help="Compare every page with its records, not only changed pages.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Submit an ended job again, as a new one. Example: cloop-memory job rerun 7d1e...-..."""
    job = connect(ctx).api.rerun(job_id, RerunRequest(force_render=force_render))
    _print(job, as_json=as_json)


@app.command()
def smoke(
    ctx: typer.Context,
    user: Annotated[
        str, typer.Option("--user", help="The user's id (user_id); the workspace may be empty.", callback=is_user_id)
    ],
    timeout_s: Annotated[float, typer.Option("--timeout", help="Seconds to wait before giving up.")] = 900,
    as_json: Json = False,
) -> None:
    """Run an insight job and check every part of the runtime. Exit code 1: a check failed.

    Example: cloop-memory job smoke --user 0a6e...-...
    """
    operations = connect(ctx)
    # Forced, because the agent has to run on an empty workspace too.
    job_id = submitted(operations, user, "insight", force=True).job_id
    job = watched(operations, job_id, timeout_s, quiet=as_json)
    diagnoses = list(checks(job, run_of(operations, job), steps_of(operations, job)))
    healthy = all(diagnosis.ok for diagnosis in diagnoses)
    if as_json:
        emit_json({"job_id": job_id, "ok": healthy, "checks": [diagnosis.to_json() for diagnosis in diagnoses]})
    else:
        findings(diagnoses)
    if not healthy:
        fail(f"a check of job {job_id} failed; see `cloop-memory job show {job_id}`")


def _print(job: JobView, *, as_json: bool) -> None:
    if as_json:
        emit_json(job.model_dump(mode="json"))
        return
    shown: dict[str, Any] = job.model_dump(mode="json", include={*_SUMMARY, "status", "rerun_of"})
    pairs({"job_id": job.job_id, "status": job.status, **shown})
    typer.echo(f"to follow it: {program()} job watch {job.job_id}", err=True)
