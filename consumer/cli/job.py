"""``cloop-memory job ...``: submit, follow, cancel and repeat jobs through the control plane."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from consumer.cli.output import emit_json, fail, is_reason, is_user_id, pairs, program, table, tell
from consumer.cli.smoke import add_smoke
from consumer.delivery import timeline

if TYPE_CHECKING:
    from consumer.delivery.ledgers import Ledgers
    from consumer.ports import Clock
    from consumer.repository.workspace import WorkspaceStore
    from contract.api import (
        EnableUserRequest,
        JobList,
        JobView,
        ReasonRequest,
        RerunRequest,
        SubmitJobRequest,
        UserList,
        WaveRequest,
        WaveResponse,
    )

#: Seconds between two looks at a job that is being watched.
WATCH_S = 0.5
JobId = Annotated[str, typer.Argument(help="as `job list` shows it")]
User = Annotated[str, typer.Option("--user", help="user_id", callback=is_user_id)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
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


class Api(Protocol):
    """The control plane's operator API, as far as these verbs and those of ``user`` go."""

    def submit(self, request: SubmitJobRequest) -> JobView: ...
    def jobs(self, filters: Mapping[str, str]) -> JobList: ...
    def job(self, job_id: str) -> JobView: ...
    def cancel(self, job_id: str, request: ReasonRequest) -> JobView: ...
    def rerun(self, job_id: str, request: RerunRequest) -> JobView: ...
    def enable_user(self, request: EnableUserRequest) -> dict[str, Any]: ...
    def disable_user(self, user_id: str) -> dict[str, Any]: ...
    def users(self, filters: Mapping[str, str]) -> UserList: ...
    def provision(self, request: WaveRequest) -> WaveResponse: ...


class Operations(Protocol):
    """What these verbs need."""

    @property
    def api(self) -> Api: ...
    @property
    def ledgers(self) -> Ledgers: ...
    @property
    def workspaces(self) -> WorkspaceStore: ...
    @property
    def clock(self) -> Clock: ...


OpenOperations = Callable[[], Operations]


def job_app(open_operations: OpenOperations) -> typer.Typer:
    """The ``job`` group. Nothing is opened before a verb runs."""
    app = typer.Typer(help="Submit, follow, cancel and repeat jobs.", no_args_is_help=True)
    for add in (_add_submit, _add_list, _add_show, _add_watch, _add_cancel, _add_rerun, add_smoke):
        add(app, open_operations)
    return app


def _add_submit(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def submit(
        job_type: Annotated[str, typer.Argument(help="inventory, backfill_digest, hourly_digest or insight")],
        user: User,
        period: Annotated[str | None, typer.Option(help="2026-11-27, or 2026-11-27T14 for hourly jobs")] = None,
        force: Annotated[bool, typer.Option("--force", help="let a backfill go on although evidence is thin")] = False,
        as_json: Json = False,
    ) -> None:
        """Enqueue a job. Example: cloop-memory job submit insight --user 0a6e...-..."""
        job = submitted(open_operations(), user, job_type, period, force=force)
        emit_json(job.model_dump(mode="json")) if as_json else _told(job)


def submitted(
    operations: Operations, user: str, job_type: str, period: str | None = None, *, force: bool = False
) -> JobView:
    """A new job, or a line of advice and exit 2 where the words are off."""
    from pydantic import ValidationError  # noqa: PLC0415 (--help stays fast)

    from contract.api import SubmitJobRequest  # noqa: PLC0415

    try:
        body = SubmitJobRequest.model_validate(
            {"user_id": user, "job_type": job_type, "period": period, "force": force}
        )
    except ValidationError as exc:
        fail("; ".join(f"{e['loc'][0]}: {e['msg']}" for e in exc.errors(include_input=False)), code=2)
    return operations.api.submit(body)


def _add_list(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command("list")
    def list_jobs(
        status: Annotated[str | None, typer.Option(help="queued, running, completed, failed or cancelled")] = None,
        user: Annotated[str | None, typer.Option("--user", help="user_id", callback=is_user_id)] = None,
        job_type: Annotated[str | None, typer.Option("--type", help="as for `job submit`")] = None,
        limit: Annotated[int, typer.Option(min=1, help="At most so many; pages are fetched as needed.")] = 50,
        as_json: Json = False,
    ) -> None:
        """Jobs, newest first. Example: cloop-memory job list --status failed --limit 200"""
        filters = {k: v for k, v in {"status": status, "user_id": user, "type": job_type}.items() if v}
        jobs, more = _listed(open_operations(), filters, limit)
        if as_json:
            emit_json([j.model_dump(mode="json") for j in jobs])
            return
        table(
            ("job_id", "type", "period", "status", "substate", "stage", "attempt", "user_id"),
            [(j.job_id, j.job_type, j.period, j.status, j.substate, j.stage, j.attempt, j.user_id) for j in jobs],
        )
        if more:
            typer.echo(f"there are more than {limit}: --limit {limit * 4} shows them", err=True)


def _listed(operations: Operations, filters: dict[str, str], limit: int) -> tuple[list[JobView], bool]:
    jobs: list[JobView] = []
    after: str | None = ""
    while after is not None and len(jobs) < limit:
        page = operations.api.jobs({**filters, **({"after": after} if after else {})})
        jobs += page.jobs
        after = page.next_after
    return jobs[:limit], after is not None or len(jobs) > limit


def _add_show(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def show(job_id: JobId, as_json: Json = False) -> None:
        """One job: its timeline of attempts and stages, and its result. Example: cloop-memory job show 7d1e...-..."""
        operations = open_operations()
        job = operations.api.job(job_id)
        found = operations.ledgers.find(job_id)
        told = timeline.timeline(job, found.ledger if found else None)
        if as_json:
            emit_json({**job.model_dump(mode="json"), "timeline": told})
            return
        pairs(job.model_dump(mode="json", include=set(_SUMMARY)))
        typer.echo("")
        for text in timeline.draw(job, told):
            tell(text)
        if job.artifacts:
            typer.echo("")
        for artifact in job.artifacts:
            tell(f"{artifact.artifact_type}  {artifact.workspace_path}")


def _add_watch(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def watch(
        job_id: JobId,
        timeout_s: Annotated[float, typer.Option("--timeout", help="Give up after so many seconds.")] = 3600,
        as_json: Json = False,
    ) -> None:
        """Follow a job until it is over; exit 0 only if it completed. Example: cloop-memory job watch 7d1e...-..."""
        job = watched(open_operations(), job_id, timeout_s, quiet=as_json)
        if as_json:
            emit_json(job.model_dump(mode="json"))
        if job.status != "completed":
            fail(f"job {job_id} is {job.status}: {job.error.code if job.error else 'see `job show`'}")


def watched(operations: Operations, job_id: str, timeout_s: float, *, quiet: bool = False) -> JobView:
    """The job when it is over; a line for each change on the way, on stderr so that stdout stays the answer's."""
    from contract.api import TERMINAL  # noqa: PLC0415 (--help stays fast)

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
        if waited > timeout_s:
            fail(f"job {job_id} is still {job.status} after {timeout_s:.0f} s; it goes on without us")
        clock.sleep(WATCH_S)


def _add_cancel(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def cancel(
        job_id: JobId,
        reason: Annotated[str, typer.Option("--reason", help="kept with the job", callback=is_reason)],
        as_json: Json = False,
    ) -> None:
        """Ask a job to stop at its next stage. Example: cloop-memory job cancel 7d1e...-... --reason "wrong user" """
        from contract.api import ReasonRequest  # noqa: PLC0415 (--help stays fast)

        job = open_operations().api.cancel(job_id, ReasonRequest(reason=reason))
        emit_json(job.model_dump(mode="json")) if as_json else _told(job)


def _add_rerun(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def rerun(
        job_id: JobId,
        force_render: Annotated[
            bool, typer.Option("--force-render", help="compare every page with its records, not only changed ones")
        ] = False,
        as_json: Json = False,
    ) -> None:
        """A new job like one that is over; it names the old one. Example: cloop-memory job rerun 7d1e...-..."""
        from contract.api import RerunRequest  # noqa: PLC0415 (--help stays fast)

        job = open_operations().api.rerun(job_id, RerunRequest(force_render=force_render))
        emit_json(job.model_dump(mode="json")) if as_json else _told(job)


def _told(job: JobView) -> None:
    shown: dict[str, Any] = job.model_dump(mode="json", include={*_SUMMARY, "status", "rerun_of"})
    pairs({"job_id": job.job_id, "status": job.status, **shown})
    typer.echo(f"follow it: {program()} job watch {job.job_id}", err=True)
