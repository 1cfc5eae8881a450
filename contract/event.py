"""The two messages that travel through Pub/Sub: a job event and a scheduler tick.

Attributes repeat what routing needs; there is no ordering key. No credential ever travels in a
message: the consumer exchanges its own identity for a job-scoped token.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, Self

import orjson
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from contract import canonical

JOB_SCHEMA: Final = "memory.job.v1"
TICK_SCHEMA: Final = "memory.tick.v1"

JobType = Literal["inventory", "backfill_digest", "hourly_digest", "insight", "dream"]
TickKind = Literal["hourly", "daily", "sweep"]
StageName = Literal["hydrate", "export", "render", "index", "synthesize", "report", "persist", "complete"]

#: Namespace of planned job ids: uuid5(NAMESPACE, "user_id/job_type/period"), so that a repeated tick is the same job.
JOB_NAMESPACE: Final = uuid.UUID("6f1c1f4e-6a0b-5f0e-9f43-8f5f6b1d2c11")
#: Pub/Sub limits an attribute value to 1,024 bytes.
ATTRIBUTE_BYTES: Final = 1024
#: Fields that identify a job. All others (trace, replay) may differ between two deliveries of the same job.
IDENTITY: Final = (
    "job_id",
    "user_id",
    "workspace_id",
    "job_type",
    "runtime_profile",
    "template_version",
    "period",
    "requested_at",
)


class EventError(ValueError):
    """A message that can never become a job. The text states what was expected and what came."""


def _canonical_uuid(value: str) -> str:
    try:
        parsed = str(uuid.UUID(value))
    except ValueError as exc:
        raise ValueError(f"expected a UUID, got {value[:64]!r}") from exc
    if parsed != value:
        raise ValueError(f"expected a lower-case UUID with dashes, got {value[:64]!r}")
    return value


_TRACEPARENT: Final = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


def _known_trace(value: Any) -> str | None:
    """A trace context of the one version that exists; None for anything else, since a trace must not decide whether a
    job runs.
    """
    return value if isinstance(value, str) and _TRACEPARENT.fullmatch(value) else None


Uuid = Annotated[str, Field(min_length=36, max_length=36), AfterValidator(_canonical_uuid)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
Period = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}(T\d{2})?$")]


def utc_text(moment: datetime) -> str:
    """RFC 3339 in UTC with microseconds, ``2026-11-27T14:03:00.000000Z``.

    Raises ValueError: a naive datetime; its zone is unknown.
    """
    if moment.tzinfo is None:
        raise ValueError("expected an aware datetime; attach a zone first")
    moment = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    # Not strftime: on some platforms it omits the zeros of years before 1000. An f-string takes three times as long.
    return "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ" % (  # noqa: UP031
        *(moment.year, moment.month, moment.day),
        *(moment.hour, moment.minute, moment.second, moment.microsecond),
    )


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class JobEvent(_Message):
    """One job to run for one user."""

    schema_version: Literal["memory.job.v1"] = Field(default=JOB_SCHEMA, alias="schema")
    job_id: Uuid
    user_id: Uuid
    workspace_id: Uuid
    job_type: JobType
    runtime_profile: Name
    template_version: Name
    period: Period | None = None
    requested_at: AwareDatetime
    from_stage: StageName | None = None
    replay_id: Uuid | None = None
    reason: Annotated[str, Field(max_length=500)] | None = None
    traceparent: Annotated[str | None, BeforeValidator(_known_trace)] = None

    @model_validator(mode="after")
    def _stage_needs_replay(self) -> Self:
        if self.from_stage and not self.replay_id:
            raise ValueError("from_stage needs a replay_id")
        return self

    @property
    def payload_digest(self) -> str:
        """``sha256:<hex>`` of the fields that identify the job; not of trace, replay and reason."""
        wire = self.to_wire()
        return canonical.digest({name: wire[name] for name in IDENTITY})

    def to_wire(self) -> dict[str, Any]:
        """Plain JSON data with the schema's names and times in UTC."""
        wire = self.model_dump(mode="json", by_alias=True)
        wire["requested_at"] = utc_text(self.requested_at)
        return wire

    def encode(self) -> bytes:
        """The Pub/Sub message data."""
        return canonical.dumps(self.to_wire())

    def attributes(self) -> dict[str, str]:
        """The Pub/Sub message attributes, for subscription filters and operators."""
        wire = self.to_wire()
        names = ("schema", "job_id", "user_id", "job_type", "traceparent", "replay_id")
        return {name: wire[name] for name in names if wire[name]}


class TickEvent(_Message):
    """A scheduler tick; its period comes from the message's publish time, not from its body."""

    schema_version: Literal["memory.tick.v1"] = Field(default=TICK_SCHEMA, alias="schema")
    kind: TickKind

    def encode(self) -> bytes:
        """The Pub/Sub message data."""
        return canonical.dumps(self.model_dump(mode="json", by_alias=True))


def decode_job(data: bytes, attributes: Mapping[str, str]) -> JobEvent:
    """Message data and attributes -> JobEvent.

    Raises EventError: not JSON, an unknown schema, a bad field, or attributes that contradict the data.
    """
    body = _object(data)
    _require_schema(body, JOB_SCHEMA)
    try:
        event = JobEvent.model_validate(body)
    except ValidationError as exc:
        raise EventError(_problems(exc)) from exc
    wire = event.to_wire()
    for name in ("job_id", "user_id", "job_type"):
        if name in attributes and attributes[name] != wire[name]:
            conflict = f"attribute {name} is {attributes[name][:64]!r}, the data says {wire[name]!r}"
            raise EventError(f"{conflict}: publish both from one event")
    return event


def decode_tick(data: bytes) -> TickEvent:
    """Message data -> TickEvent. Raises EventError: as for decode_job."""
    body = _object(data)
    _require_schema(body, TICK_SCHEMA)
    try:
        return TickEvent.model_validate(body)
    except ValidationError as exc:
        raise EventError(_problems(exc)) from exc


def planned_job_id(user_id: str, job_type: str, period: str) -> str:
    """The id of a user's only job of this type in this period."""
    return str(uuid.uuid5(JOB_NAMESPACE, f"{user_id}/{job_type}/{period}"))


def _object(data: bytes) -> dict[str, Any]:
    try:
        body = orjson.loads(data)
    except orjson.JSONDecodeError as exc:
        raise EventError(f"message data is not JSON ({len(data)} bytes): {exc}") from exc
    if not isinstance(body, dict):
        raise EventError(f"message data is a JSON {type(body).__name__}, expected an object")
    return body


def _require_schema(body: Mapping[str, Any], expected: str) -> None:
    schema = body.get("schema")
    if schema != expected:
        raise EventError(f"unknown schema {str(schema)[:64]!r}; this consumer reads: {expected}")


def _problems(exc: ValidationError) -> str:
    # Pydantic's own text quotes the input. A dead letter must not carry user content: keep only locations and reasons.
    parts = [f"{'.'.join(map(str, e['loc'])) or 'event'}: {e['msg']}" for e in exc.errors()[:8]]
    return "; ".join(parts)
