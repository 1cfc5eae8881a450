"""``cloop-memory job smoke``: one real job, and proof from its own records that every part of the runtime took part.

It shows that a worker can hydrate a workspace, start Hermes, have Hermes start the brain over stdio MCP and call one of
its tools, write a cited report, and persist: what has to hold before anything else is worth looking at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from consumer.cli.output import emit_json, fail, findings, is_user_id

if TYPE_CHECKING:
    from consumer.cli.job import OpenOperations, Operations
    from consumer.doctor.health import Diagnosis
    from contract.api import JobView


def add_smoke(app: typer.Typer, open_operations: OpenOperations) -> None:
    @app.command()
    def smoke(
        user: Annotated[
            str,
            typer.Option("--user", help="user_id whose workspace is used; an empty one will do", callback=is_user_id),
        ],
        timeout_s: Annotated[float, typer.Option("--timeout", help="Give up after so many seconds.")] = 900,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
    ) -> None:
        """Run an insight job and check that every part took part; exit 1 if one did not.

        Example: cloop-memory job smoke --user 0a6e...-...
        """
        from consumer.cli.job import submitted, watched  # noqa: PLC0415 (it adds us)

        operations = open_operations()
        # By force, because what is looked at is the runtime: it has an agent asked about an empty workspace too.
        job_id = submitted(operations, user, "insight", force=True).job_id
        job = watched(operations, job_id, timeout_s, quiet=as_json)
        found = list(checks(job, _run_of(operations, job), _steps_of(operations, job)))
        if as_json:
            emit_json(
                {"job_id": job_id, "ok": all(one.ok for one in found), "checks": [one.to_json() for one in found]}
            )
        else:
            findings(found)
        if not all(one.ok for one in found):
            fail(f"the smoke did not pass: cloop-memory job show {job_id}")


def checks(job: JobView, run: dict[str, Any] | None, steps: list[dict[str, Any]]) -> Iterator[Diagnosis]:
    """What the job's records prove. ``run``: its job-run JSON, None if it left none; ``steps``: its tool calls."""
    from consumer.doctor.health import Diagnosis  # noqa: PLC0415 (--help stays fast)

    failure = f"{job.error.code} at {job.error.stage}" if job.error else job.status
    yield Diagnosis("job", job.status == "completed", f"{job.job_id} {failure}", job.error.hint if job.error else "")
    if run is None:
        yield Diagnosis("records", False, "no job-run JSON in the workspace", "Read the worker's log of this job.")
        return
    timings, made = run["timings_s"], run["synthesis"] or {}
    yield Diagnosis("hydrate", "hydrate" in timings, f"{timings.get('hydrate', 0):.2f} s", "The bucket was not read.")
    agent = str(made.get("agent", "none"))
    yield Diagnosis("agent", agent.startswith("hermes"), agent, "HERMES_BIN must name the real Hermes Agent.")
    called = [step for step in steps if step["outcome"] == "completed" and str(step["tool"]).startswith("mcp_")]
    tools = ", ".join(sorted({str(step["tool"]) for step in called})) or "none"
    yield Diagnosis(
        "brain tools", bool(called), f"{len(called)} MCP calls ({tools})", "Hermes did not reach the brain over stdio."
    )
    cited = run["citations"]
    detail = f"{cited['resolved']} of {cited['total']} citations resolve"
    yield Diagnosis("report", bool(run["reports"]) and cited["resolved"] == cited["total"], detail, "See the report.")
    commit = f"commit {job.commit.seq}" if job.commit else "no commit"
    yield Diagnosis("persist", job.commit is not None, commit, "Nothing was committed; see the bucket's grants.")


def _run_of(operations: Operations, job: JobView) -> dict[str, Any] | None:
    from consumer import layout  # noqa: PLC0415 (--help stays fast)

    data = _read(operations, job, layout.job_run(job.job_id))
    return _json(data) if data else None


def _steps_of(operations: Operations, job: JobView) -> list[dict[str, Any]]:
    from consumer import layout  # noqa: PLC0415

    data = _read(operations, job, layout.agent_steps(job.job_id)) or b""
    return [_json(line) for line in data.splitlines() if line.strip()]


def _read(operations: Operations, job: JobView, path: str) -> bytes | None:
    from consumer.repository.history import History  # noqa: PLC0415

    if job.commit is None:
        return None
    try:
        return History(operations.workspaces, job.user_id).read(path, job.commit.seq)
    except LookupError:
        return None


def _json(data: bytes) -> dict[str, Any]:
    import orjson  # noqa: PLC0415

    found: dict[str, Any] = orjson.loads(data)
    return found
