"""What came of one delivery. The push app answers its ``http_status``, an execution exits with its ``exit_code``.

503 is for outcomes that exist nowhere but here: Pub/Sub must keep the message. Its backoff slows the whole
subscription, so whatever could be recorded is acknowledged with 204.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Outcome:
    """Base. ``job_id`` is None for a message that is no job."""

    name: ClassVar[str]
    http_status: ClassVar[int] = 204
    exit_code: ClassVar[int] = 0

    job_id: str | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Done(Outcome):
    """The job's effect stands and is recorded everywhere."""

    name = "done"

    #: completed, no_change, superseded or cancelled.
    result: str = "completed"


@dataclass(frozen=True, slots=True)
class Undelivered(Outcome):
    """The effect stands in the ledger; the control plane could not be told. The sweep brings the job back."""

    name = "undelivered"


@dataclass(frozen=True, slots=True)
class Duplicate(Outcome):
    """Nothing to do here: done already, or somebody else's turn."""

    name = "duplicate"

    why: str = "duplicate"
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Launched(Outcome):
    """Handed to a Cloud Run Job."""

    name = "launched"


@dataclass(frozen=True, slots=True)
class Parked(Outcome):
    """Another job of this user runs; whoever releases its lock publishes this one again."""

    name = "parked"

    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RetryRecorded(Outcome):
    """Failed or interrupted, to be tried again at ``retry_at``."""

    name = "retry_recorded"

    code: str = ""
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DeadLettered(Outcome):
    """Cannot succeed: recorded for an operator under ``record``."""

    name = "dead_lettered"

    code: str = ""
    record: str = ""


@dataclass(frozen=True, slots=True)
class Stale(Outcome):
    """A newer attempt exists; this one stopped without a trace."""

    name = "stale"


@dataclass(frozen=True, slots=True)
class Planned(Outcome):
    """A tick was planned."""

    name = "planned"

    planned: int = 0
    republished: int = 0


@dataclass(frozen=True, slots=True)
class ShutDown(Outcome):
    """The instance goes away; the job is due now, without a failure."""

    name = "shut_down"
    http_status = 503


@dataclass(frozen=True, slots=True)
class Busy(Outcome):
    """This instance runs another job."""

    name = "busy"
    http_status = 503


@dataclass(frozen=True, slots=True)
class NotRecorded(Outcome):
    """Neither done nor recorded anywhere."""

    name = "not_recorded"
    http_status = 503
    exit_code = 1

    code: str = ""
