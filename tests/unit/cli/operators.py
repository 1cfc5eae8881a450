"""The operator's verbs over the small world: a control plane that remembers, the real ledgers, a clock that jumps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from typer.testing import CliRunner, Result

from consumer.cli import main
from consumer.delivery.ledgers import Ledgers
from consumer.errors import RequestRefused
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import FakeClock
from contract.api import (
    DeletionList,
    DeletionReceipt,
    DeletionView,
    EnableUserRequest,
    JobList,
    JobView,
    ReasonRequest,
    RerunRequest,
    SubmitJobRequest,
    UserDetails,
    UserList,
    UserView,
    WaveRequest,
    WaveResponse,
)
from tests.spine import WORKSPACE, World, job_id

AT = datetime(2026, 11, 27, 14, 0, tzinfo=UTC)


def a_job(number: int = 1, **fields: Any) -> JobView:
    """A queued insight unless ``fields`` say more."""
    values: dict[str, Any] = {
        "job_id": job_id(number),
        "user_id": "11111111-1111-4111-8111-111111111111",
        "workspace_id": WORKSPACE,
        "job_type": "insight",
        "runtime_profile": "internal-full",
        "template_version": "v1",
        "status": "queued",
        "requested_at": AT,
        "triggered_by": "operator",
    }
    return JobView.model_validate({**values, **fields})


@dataclass
class Api:
    """``states``: what each look at the job shows, the last for ever. ``pages``: job listings."""

    states: list[JobView] = field(default_factory=lambda: [a_job()])
    pages: list[list[JobView]] = field(default_factory=list)
    people: list[UserView] = field(default_factory=list)
    gone: list[DeletionView] = field(default_factory=list)
    proof: DeletionReceipt | None = None
    calls: list[tuple[str, Any]] = field(default_factory=list)

    def submit(self, request: SubmitJobRequest) -> JobView:
        self.calls.append(("submit", request))
        return a_job(job_type=request.job_type, period=request.period)

    def jobs(self, filters: Mapping[str, str]) -> JobList:
        self.calls.append(("jobs", dict(filters)))
        page = int(filters.get("after", "0"))
        more = str(page + 1) if page + 1 < len(self.pages) else None
        return JobList(jobs=tuple(self.pages[page]) if self.pages else (), next_after=more)

    def job(self, job_id: str) -> JobView:
        if not self.states:
            raise RequestRefused(f"GET /memory-jobs/{job_id}: 404 job_not_found: no job {job_id}", 404)
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]

    def cancel(self, job_id: str, request: ReasonRequest) -> JobView:
        self.calls.append(("cancel", request))
        return a_job(cancel_requested_at=AT)

    def rerun(self, job_id: str, request: RerunRequest) -> JobView:
        self.calls.append(("rerun", request))
        return a_job(2, rerun_of=job_id)

    def enable_user(self, request: EnableUserRequest) -> dict[str, Any]:
        self.calls.append(("enable", request))
        return {"user_id": request.user_id, "status": "enabled"}

    def disable_user(self, user_id: str) -> dict[str, Any]:
        return {"user_id": user_id, "status": "disabled"}

    def user(self, user_id: str) -> UserDetails:
        gone = next((deleted for deleted in self.gone if deleted.user_id == user_id), None)
        return UserDetails(user_id=user_id, status="disabled" if gone else "enabled", deletion=gone)

    def deletions(self, filters: Mapping[str, str]) -> DeletionList:
        self.calls.append(("deletions", dict(filters)))
        start = int(filters["after"] or 0)
        more = str(start + 2) if start + 2 < len(self.gone) else None
        return DeletionList(deletions=tuple(self.gone[start : start + 2]), next_after=more)

    def receipt(self, user_id: str) -> DeletionReceipt:
        if self.proof is None:
            message = f"GET /memory-deletions/{user_id}/receipt: 404 receipt_not_found: its state is: erased"
            raise RequestRefused(message, 404)
        return self.proof

    def keep_deleted(self, user_id: str, request: ReasonRequest) -> DeletionView:
        self.calls.append(("keep", request))
        [gone] = [deleted for deleted in self.gone if deleted.user_id == user_id]
        return gone.model_copy(update={"state": "cancelled", "cancel_reason": request.reason})

    def users(self, filters: Mapping[str, str]) -> UserList:
        self.calls.append(("users", dict(filters)))
        start = int(filters["after"] or 0)
        more = str(start + 2) if start + 2 < len(self.people) else None
        return UserList(users=tuple(self.people[start : start + 2]), next_after=more)

    def provision(self, request: WaveRequest) -> WaveResponse:
        self.calls.append(("provision", request))
        ids = tuple(person.user_id for person in self.people[: request.size])
        return WaveResponse(
            user_ids=ids, enabled=len(ids), waiting=len(self.people) - len(ids), open_backfills=0, dry_run=True
        )


@dataclass
class Operations:
    world: World
    api: Api = field(default_factory=Api)

    def __post_init__(self) -> None:
        self.clock: FakeClock = self.world.clock
        self.ledgers = Ledgers(ConditionalWriter(self.world.blobs, self.world.clock), self.world.clock, self.world.ids)

    @property
    def workspaces(self) -> Any:
        raise AssertionError("this verb needs no workspace")


class Cli:
    """The command line over these operations."""

    def __init__(self, world: World) -> None:
        self.operations = Operations(world)

    @property
    def api(self) -> Api:
        return self.operations.api

    def invoke(self, *words: str, catch: bool = True) -> Result:
        return CliRunner().invoke(main.app, list(words), obj=lambda: self.operations, catch_exceptions=catch)

    def __call__(self, *words: str, code: int = 0) -> str:
        result = self.invoke(*words)
        assert result.exit_code == code, result.output + repr(result.exception)
        return result.output

    def json(self, *words: str, code: int = 0) -> Any:
        result = self.invoke(*words, "--json")
        assert result.exit_code == code, result.output + repr(result.exception)
        return json.loads(result.stdout)
