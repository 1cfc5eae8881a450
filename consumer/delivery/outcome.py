"""The result of one delivery. The push app responds with its ``http_status``, an execution exits with ``exit_code``.

503 is for outcomes that are recorded nowhere: Pub/Sub must keep the message. Its backoff slows the whole
subscription, so a recorded outcome is acknowledged with 204.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Outcome:
    """Base class. ``job_id`` is None for a message that belongs to no job."""

    name: ClassVar[str]
    http_status: ClassVar[int] = 204
    exit_code: ClassVar[int] = 0

    job_id: str | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Done(Outcome):
    """The job's outcome is recorded and delivered."""

    name = "done"

    #: completed, no_change, superseded or cancelled.
    result: str = "completed"


@dataclass(frozen=True, slots=True)
class Undelivered(Outcome):
    """The outcome is recorded in the ledger, but its delivery to the control plane failed. The sweep retries it."""

    name = "undelivered"


@dataclass(frozen=True, slots=True)
class Duplicate(Outcome):
    """Nothing to do: the job is done, or another process handles it."""

    name = "duplicate"

    why: str = "duplicate"
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Launched(Outcome):
    """Dispatched to a Cloud Run Job."""

    name = "launched"


@dataclass(frozen=True, slots=True)
class Parked(Outcome):
    """Another job of this user is running; when it releases the lock, it publishes this job again."""

    name = "parked"

    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RetryRecorded(Outcome):
    """Failed or interrupted; due again at ``retry_at``."""

    name = "retry_recorded"

    code: str = ""
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DeadLettered(Outcome):
    """Cannot succeed. ``record``: the key of the operator's dead letter."""

    name = "dead_lettered"

    code: str = ""
    record: str = ""


@dataclass(frozen=True, slots=True)
class Stale(Outcome):
    """A newer attempt exists; this one stopped without writing anything."""

    name = "stale"


@dataclass(frozen=True, slots=True)
class Planned(Outcome):
    """A tick was planned."""

    name = "planned"

    planned: int = 0
    republished: int = 0


@dataclass(frozen=True, slots=True)
class ShutDown(Outcome):
    """The instance is shutting down; the job is due now, without a failure."""

    name = "shut_down"
    http_status = 503


@dataclass(frozen=True, slots=True)
class Busy(Outcome):
    """This instance is running another job, or the job has just begun elsewhere."""

    name = "busy"
    http_status = 503


@dataclass(frozen=True, slots=True)
class Waiting(Outcome):
    """A service is away without which nothing can be told to the control plane: Pub/Sub keeps the message."""

    name = "waiting"
    http_status = 503

    code: str = ""


@dataclass(frozen=True, slots=True)
class NotRecorded(Outcome):
    """Neither done nor recorded anywhere."""

    name = "not_recorded"
    http_status = 503
    exit_code = 1

    code: str = ""
