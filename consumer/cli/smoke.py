"""``cloop-memory job smoke``: one real job, and proof from its own records that every part of the runtime took part.

It shows that a worker can hydrate a workspace, start Hermes, have Hermes start the brain over stdio MCP and call one of
its tools, write a cited report, and persist: look at nothing else before this passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import orjson

from consumer import layout
from consumer.doctor.health import Diagnosis

if TYPE_CHECKING:
    from consumer.bootstrap import Operations
    from contract.api import JobView


def checks(job: JobView, run: dict[str, Any] | None, steps: list[dict[str, Any]]) -> Iterator[Diagnosis]:
    """Check the job's records. ``run``: its job-run JSON, None if it left none; ``steps``: its tool calls."""
    failure = f"{job.error.code} at {job.error.stage}" if job.error else job.status
    yield Diagnosis("job", job.status == "completed", f"{job.job_id} {failure}", job.error.hint if job.error else "")
    if run is None:
        yield Diagnosis("records", False, "no job-run JSON in the workspace", "Read the worker's log of this job.")
        return
    timings, synthesis = run["timings_s"], run["synthesis"] or {}
    yield Diagnosis("hydrate", "hydrate" in timings, f"{timings.get('hydrate', 0):.2f} s", "The bucket was not read.")
    agent = str(synthesis.get("agent", "none"))
    yield Diagnosis("agent", agent.startswith("hermes"), agent, "Set HERMES_BIN to the real Hermes Agent.")
    called = [step for step in steps if step["outcome"] == "completed" and str(step["tool"]).startswith("mcp_")]
    tools = ", ".join(sorted({str(step["tool"]) for step in called})) or "none"
    yield Diagnosis(
        "brain tools", bool(called), f"{len(called)} MCP calls ({tools})", "Hermes did not reach the brain over stdio."
    )
    cited = run["citations"]
    detail = f"{cited['resolved']} of {cited['total']} citations resolve"
    yield Diagnosis("report", bool(run["reports"]) and cited["resolved"] == cited["total"], detail, "See the report.")
    commit = f"commit {job.commit.seq}" if job.commit else "no commit"
    yield Diagnosis("persist", job.commit is not None, commit, "Nothing was committed; check the bucket's grants.")


def run_of(operations: Operations, job: JobView) -> dict[str, Any] | None:
    """The job-run JSON that the job committed; None: it left none."""
    data = _read(operations, job, layout.job_run(job.job_id))
    return _json(data) if data else None


def steps_of(operations: Operations, job: JobView) -> list[dict[str, Any]]:
    """The tool calls of the job's agent, in order."""
    data = _read(operations, job, layout.agent_steps(job.job_id)) or b""
    return [_json(line) for line in data.splitlines() if line.strip()]


def _read(operations: Operations, job: JobView, path: str) -> bytes | None:
    from consumer.repository.history import History  # noqa: PLC0415 (brings YAML: `job --help` stays fast)

    if job.commit is None:
        return None
    try:
        return History(operations.workspaces.of(job.user_id)).read(path, job.commit.seq)
    except LookupError:
        return None


def _json(data: bytes) -> dict[str, Any]:
    values: dict[str, Any] = orjson.loads(data)
    return values
