"""Errors with the service's status, reason and message."""

from __future__ import annotations


class GcsError(Exception):
    """Becomes the response. ``reason`` is the JSON API's machine-readable word."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.message = message

    def body(self) -> dict[str, object]:
        entry = {"message": self.message, "domain": "global", "reason": self.reason}
        return {"error": {"code": self.status, "message": self.message, "errors": [entry]}}


def invalid(message: str) -> GcsError:
    return GcsError(400, "invalid", message)


def not_found(what: str) -> GcsError:
    return GcsError(404, "notFound", f"No such object: {what}")


def no_bucket(_name: str) -> GcsError:
    return GcsError(404, "notFound", "The specified bucket does not exist.")


def conflict(message: str) -> GcsError:
    return GcsError(409, "conflict", message)


def too_fast(name: str) -> GcsError:
    return GcsError(429, "rateLimitExceeded", f"The object {name} exceeded the rate limit for object mutation.")


def precondition_failed() -> GcsError:
    return GcsError(412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.")


def not_modified() -> GcsError:
    return GcsError(304, "notModified", "")
