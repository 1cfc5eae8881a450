"""Enables existing users in waves, below a cap, and shows the queue's state."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

import manifests
from contract.api import QueueView, UserList, UserView, WaveRequest, WaveResponse, WorkspaceStatus
from controlplane.db import Database, Tx
from controlplane.errors import invalid, one_of
from controlplane.feedback import usefulness
from controlplane.jobs import known_zone
from controlplane.operators import enable_workspace, submit_job
from controlplane.pauses import pauses

#: Users in one listing.
PAGE: Final = 100
#: The latest jobs whose users' time zones are looked at: all of a day with a thousand users, at the cost of some ms.
LATEST_JOBS: Final = 1000
STATUSES: Final[tuple[str, ...]] = get_args(WorkspaceStatus)


@dataclass(frozen=True, slots=True)
class Provisioning:
    """``bucket`` holds the workspaces."""

    database: Database
    bucket: str

    def users(self, filters: Mapping[str, str]) -> UserList:
        """All users, with or without a workspace, by id, a page at a time. Raises ApiFault 422: a malformed filter."""
        status = one_of(filters, "status", STATUSES)
        with self.database.transaction() as tx:
            rows = tx.rows("list_users", status=status, after=_after(filters.get("after")), limit=PAGE + 1)
        users = tuple(UserView.model_validate({**row, "user_id": str(row["user_id"])}) for row in rows[:PAGE])
        return UserList(users=users, next_after=users[-1].user_id if len(rows) > PAGE else None)

    def wave(self, actor: str, request: WaveRequest) -> WaveResponse:
        """Give the next users a workspace and, if requested, a backfill. Not repeatable: a repeat is the next wave."""
        with self.database.transaction() as tx:
            tx.row("lock_waves")
            before = tx.only("count_users")
            room = max(request.cap - before["enabled"], 0)
            rows = tx.rows("next_wave", limit=min(request.size, room))
            user_ids = tuple(str(row["user_id"]) for row in rows)
            jobs = () if request.dry_run else tuple(self._enable(tx, actor, user, request) for user in user_ids)
            after = tx.only("count_users")
        return WaveResponse(
            user_ids=user_ids, job_ids=tuple(job for job in jobs if job), dry_run=request.dry_run, **after
        )

    def queue(self) -> QueueView:
        """Counts and ages of open jobs."""
        with self.database.transaction() as tx:
            row = tx.only("queue_health", stale_s=manifests.limits()["sweep_stale_after"])
            row |= tx.only("erasure_health", overdue_s=manifests.limits()["erasure_overdue"])
            row |= {"pauses": pauses(tx).pauses, "usefulness": usefulness(tx)}
            zones = tx.rows("zones_of_latest_jobs", jobs=LATEST_JOBS)
        unknown = sum(zone["users"] for zone in zones if known_zone(zone["timezone"]) is None)
        return QueueView.model_validate(row | {"unknown_zones": unknown})

    def _enable(self, tx: Tx, actor: str, user_id: str, request: WaveRequest) -> str | None:
        enable_workspace(tx, self.bucket, user_id, request.runtime_profile)
        job = submit_job(tx, "wave", user_id=user_id, job_type="backfill_digest") if request.backfill else None
        job_id = str(job["id"]) if job else None
        details = {"wave": request.size, "cap": request.cap, "profile": request.runtime_profile}
        tx.audit(actor, "user.enable", user_id, job_id, **details)
        return job_id


def _after(text: str | None) -> str | None:
    try:
        return str(uuid.UUID(text)) if text else None
    except ValueError as exc:
        raise invalid("after is not a next_after that this server issued", "Begin again without it.") from exc
