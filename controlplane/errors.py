"""The API's errors. The body of each is ``{"error": {code, message, hint, retryable}}``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class ApiFault(Exception):
    """An error with its HTTP status. The message names the request and the id; never user content or a secret.

    ``extra`` goes beside ``error`` in the body: the stored result of a job that has ended.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        hint: str = "",
        retryable: bool = False,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.retryable = retryable
        self.extra = dict(extra or {})

    def body(self) -> dict[str, Any]:
        error = {"code": self.code, "message": self.message, "hint": self.hint, "retryable": self.retryable}
        return {"error": error, **self.extra}


def not_found(what: str, key: str, *, retryable: bool = False) -> ApiFault:
    return ApiFault(404, f"{what}_not_found", f"no {what} {key}", retryable=retryable)


def existing(row: dict[str, Any] | None, what: str, key: str, *, retryable: bool = False) -> dict[str, Any]:
    """The row that a query found. Raises ApiFault 404 if it found none."""
    if row is None:
        raise not_found(what, key, retryable=retryable)
    return row


def invalid(message: str, hint: str = "") -> ApiFault:
    """422: well-formed, but not accepted by this call."""
    return ApiFault(422, "invalid_request", message, hint=hint)


def one_of(filters: Mapping[str, str], name: str, allowed: Iterable[str]) -> str | None:
    """A filter's value; None without one. Raises ApiFault 422: the value is not allowed."""
    value = filters.get(name) or None
    if value is not None and value not in allowed:
        raise invalid(f"{name} must be one of {', '.join(allowed)}, not {value[:64]!r}")
    return value


def attempt_stale(job_id: str, attempt: int, current: int) -> ApiFault:
    # The current attempt belongs to the run that began it; every other run is refused.
    reason = "belongs to another run" if attempt == current else f"is not the current one ({current})"
    message = f"job {job_id}: attempt {attempt} {reason}"
    return ApiFault(409, "attempt_stale", message, hint="Stop: a newer attempt or another run has this job.")


def replay_stale(job_id: str) -> ApiFault:
    message = f"job {job_id}: this request does not name the job's latest replay"
    return ApiFault(409, "replay_stale", message, hint="Stop: the newest replay has its own event.")


def queue_paused(job_id: str, target: str) -> ApiFault:
    """503, so that a consumer that does not know the code repeats the job later."""
    whose = "everybody" if target == "*" else "its user"
    message = f"job {job_id}: an operator paused the queue of {whose}"
    return ApiFault(503, "queue_paused", message, hint="The job runs when the queue is resumed.", retryable=True)


def unavailable(code: str, message: str) -> ApiFault:
    """503: the same call may succeed later."""
    return ApiFault(503, code, message, retryable=True)
