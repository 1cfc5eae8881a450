"""Ticks: insert due jobs, once however often a tick repeats, and publish stale ones again.

A dream is due once in a user's night (``dream_hours`` of the local time), if the memory changed since the last one.
An hourly digest is due when the user's data has changed, or when something falls due in this hour (``wake_at``, which
the last digest reported). What falls due later in an hour that had its digest gets one of its own.
"""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import manifests
from contract.api import TickRequest, TickResponse
from contract.event import planned_job_id, utc_text
from controlplane.db import Database, Row, Tx
from controlplane.errors import invalid
from controlplane.jobs import known_zone

#: Workspaces planned in one call; the caller repeats with the next page until there is none.
PAGE: Final = 500
#: Published outbox rows removed by one sweep; the next ones remove the rest.
OUTBOX_PIECE: Final = 10_000
_HOUR: Final = timedelta(hours=1)
#: How long after the hour's digests the dreams start: a digest of the same hour should find the user's lock free.
_AFTER_DIGESTS: Final = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Planning:
    """
    ``spread``: the part of its hour over which a tick's jobs start, by a hash of the user; the rest lets them end.

    Zero starts everything at once: right for one machine, wrong for a million users.
    """

    database: Database
    spread: timedelta
    page_size: int = PAGE
    #: None: the limit in manifests/limits.yaml.
    verify_size: int | None = None

    def tick(self, request: TickRequest) -> TickResponse:
        """Plan one page. Repeatable: ids follow from user, type and period.

        Raises:
            ApiFault: 422 the page or the period is malformed.
        """
        if request.kind == "sweep":
            return self._sweep()
        start = _start_of(request)
        with self.database.transaction() as tx:
            overlap_s = manifests.export_manifest().overlap_s
            page = tx.rows("due_workspaces", after=_page(request.page), limit=self.page_size, overlap_s=overlap_s)
            jobs = [self._job(row, request, start) for row in page if _is_due(row, request.kind, start)]
            if request.kind == "hourly":
                jobs += [job for row in page if (job := self._dream(row, start))]
            planned = tx.run_many("plan_job", jobs)
            verify = self._to_verify(tx, request.period) if request.kind == "daily" and request.page is None else ()
        more = str(page[-1]["user_id"]) if len(page) == self.page_size else None
        return TickResponse(planned=planned, next_page=more, verify=verify)

    def _to_verify(self, tx: Tx, period: str) -> tuple[str, ...]:
        size = self.verify_size or manifests.limits()["verified_per_day"]
        tx.run("choose_for_verification", period=period, limit=size)
        return tuple(str(row["user_id"]) for row in tx.rows("chosen_for_verification", period=period))

    def _sweep(self) -> TickResponse:
        limits = manifests.limits()
        with self.database.transaction() as tx:
            tx.run("delete_published", keep_s=limits["outbox_keep"], limit=OUTBOX_PIECE)
            tx.row("catch_up", limit=self.page_size)
            stale_s = limits["sweep_stale_after"]
            return TickResponse(republished=tx.run("republish_stale", stale_s=stale_s, limit=self.page_size))

    def _job(self, row: Row, request: TickRequest, start: datetime) -> dict[str, Any]:
        user_id = str(row["user_id"])
        job_type = "hourly_digest" if request.kind == "hourly" else "insight"
        start_at = start + self.spread * share(user_id)
        if request.kind == "hourly" and not row["has_news"]:
            # Before that time it would have nothing to tell.
            start_at = max(start_at, row["wake_at"])
        return {
            "id": planned_job_id(user_id, job_type, request.period),
            "user_id": user_id,
            "workspace_id": row["workspace_id"],
            "job_type": job_type,
            "period": request.period,
            "start_at": start_at,
        }

    def _dream(self, row: Row, start: datetime) -> dict[str, Any] | None:
        """A user's dream of the night into which the hour from ``start`` falls, by the user's clock; None: not due."""
        if row["dreams_in"] is None:
            return None
        local = start.astimezone(ZoneInfo(known_zone(row["dreams_in"]) or "UTC"))
        first, end = manifests.limits()["dream_hours"]
        if not first <= local.hour < end:
            return None
        user_id, night = str(row["user_id"]), f"{local:%Y-%m-%d}"
        return {
            "id": planned_job_id(user_id, "dream", night),
            "user_id": user_id,
            "workspace_id": row["workspace_id"],
            "job_type": "dream",
            "period": night,
            "start_at": start + _AFTER_DIGESTS + self.spread * share(user_id),
        }


def plan_wake(tx: Tx, row: Row, wake_at: datetime) -> None:
    """Plan the digest of what falls due before the next tick could plan one, after the job of ``row`` said so.

    A tick makes one job an hour, and that of this hour may have run. Repeatable: the id follows from user and time.
    """
    period = f"{wake_at.astimezone(UTC):%Y-%m-%dT%H}"
    job_id = planned_job_id(str(row["user_id"]), "hourly_digest", utc_text(wake_at))
    tx.run("plan_wake", id=job_id, job_id=row["id"], period=period, wake_at=wake_at)


def share(user_id: str) -> float:
    """When in the hour a user's jobs start, from 0 to 1: the same every hour, and uniform over many users."""
    return int.from_bytes(hashlib.sha256(user_id.encode()).digest()[:8]) / 2**64


def _is_due(row: Row, kind: str, start: datetime) -> bool:
    if kind != "hourly":
        return bool(row["has_unseen"])
    wakes = row["wake_at"] is not None and row["wake_at"] < start + _HOUR
    return bool(row["wants_hourly"] and (row["has_news"] or wakes))


def _start_of(request: TickRequest) -> datetime:
    form = "%Y-%m-%dT%H" if request.kind == "hourly" else "%Y-%m-%d"
    try:
        return datetime.strptime(request.period, form).replace(tzinfo=UTC)
    except ValueError as exc:
        raise invalid(f"a {request.kind} tick has a period like {form}, got {request.period!r}") from exc


def _page(page: str | None) -> str | None:
    try:
        return str(uuid.UUID(page)) if page else None
    except ValueError as exc:
        raise invalid("this server did not issue the value of page") from exc
