"""What the API refuses, and how it says so: every error is ``{"error": {code, message, hint, retryable}}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ApiFault(Exception):
    """A refusal with its HTTP status. The message says what was asked and which id; never user content or a secret.

    ``extra`` is put beside ``error`` in the body: the stored result of a job that is over.
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


def invalid(message: str, hint: str = "") -> ApiFault:
    """422: well-formed, but not what this call takes."""
    return ApiFault(422, "invalid_request", message, hint=hint)


def attempt_stale(job_id: str, asked: int, current: int) -> ApiFault:
    # An attempt that is current is refused to all but the run that began it.
    said = "is another owner's" if asked == current else f"is not the current one ({current})"
    message = f"job {job_id}: attempt {asked} {said}"
    return ApiFault(409, "attempt_stale", message, hint="A newer attempt or another owner runs this job; stop.")


def replay_stale(job_id: str) -> ApiFault:
    message = f"job {job_id} was replayed since, or this is not its latest replay"
    return ApiFault(409, "replay_stale", message, hint="The newest replay has an event of its own; stop.")


def unavailable(code: str, message: str) -> ApiFault:
    """503: the same call may succeed later."""
    return ApiFault(503, code, message, retryable=True)
