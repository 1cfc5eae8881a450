"""The embedded stack's jobs from the app's side: rows inserted by plain SQL and polled until they end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row

from contract.api import TERMINAL
from contract.event import JobEvent

POLL_S = 0.05


class JobTimeout(Exception):
    """A job did not reach the expected state in time."""


@dataclass(frozen=True, slots=True)
class AppJobs:
    """Plain SQL on the app's database; ``dsn`` may write memory_jobs, as clo0p-app's own role may."""

    dsn: str

    def insert(self, user_id: str, job_type: str, period: str | None = None) -> str:
        """Start a job as the app does, with one INSERT; returns the job's id."""
        with self._connect() as connection:
            row = connection.execute(
                "insert into public.memory_jobs (user_id, job_type, period, triggered_by) values (%s, %s, %s, 'app')"
                " returning id",
                (user_id, job_type, period),
            ).fetchone()
        assert row is not None
        return str(row["id"])

    def row(self, job_id: str) -> dict[str, Any]:
        """The job's row as it is now."""
        with self._connect() as connection:
            row = connection.execute("select * from public.memory_jobs where id = %s", (job_id,)).fetchone()
        if row is None:
            raise KeyError(f"no job {job_id}")
        return row

    def event(self, job_id: str) -> JobEvent:
        """The event that the publisher makes of this row."""
        row = self.row(job_id)
        names = ("user_id", "workspace_id", "job_type", "runtime_profile", "template_version", "period", "requested_at")
        fields = {name: row[name] if name in {"period", "requested_at"} else str(row[name]) for name in names}
        return JobEvent.model_validate({"schema": "memory.job.v1", "job_id": job_id, **fields})

    def wait(
        self,
        job_id: str,
        until: Callable[[dict[str, Any]], bool] = lambda row: row["status"] in TERMINAL,
        *,
        timeout_s: float = 120.0,
        seen: Callable[[dict[str, Any]], None] | None = None,
    ) -> dict[str, Any]:
        """Poll until ``until`` holds; ``seen`` gets every row read. Raises JobTimeout: with the job's last state."""
        deadline = time.monotonic() + timeout_s
        with self._connect() as connection:
            while True:
                row = connection.execute("select * from public.memory_jobs where id = %s", (job_id,)).fetchone()
                if row is None:
                    raise KeyError(f"no job {job_id}")
                if seen:
                    seen(row)
                if until(row):
                    return row
                if time.monotonic() > deadline:
                    where = {k: row[k] for k in ("status", "substate", "stage", "attempt", "retry_at", "error_summary")}
                    raise JobTimeout(f"job {job_id} after {timeout_s:.0f} s: {where}")
                time.sleep(POLL_S)

    def _connect(self) -> psycopg.Connection[dict[str, Any]]:
        return psycopg.connect(self.dsn, autocommit=True, row_factory=dict_row)
