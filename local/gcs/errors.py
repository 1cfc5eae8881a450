"""Refusals as the service words them: status, reason, message."""

from __future__ import annotations


class ApiError(Exception):
    """Becomes the response. ``reason`` is the JSON API's machine-readable word."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.message = message

    def body(self) -> dict[str, object]:
        entry = {"message": self.message, "domain": "global", "reason": self.reason}
        return {"error": {"code": self.status, "message": self.message, "errors": [entry]}}


def invalid(message: str) -> ApiError:
    return ApiError(400, "invalid", message)


def not_found(what: str) -> ApiError:
    return ApiError(404, "notFound", f"No such object: {what}")


def no_bucket(_name: str) -> ApiError:
    return ApiError(404, "notFound", "The specified bucket does not exist.")


def conflict(message: str) -> ApiError:
    return ApiError(409, "conflict", message)


def too_fast(name: str) -> ApiError:
    return ApiError(429, "rateLimitExceeded", f"The object {name} exceeded the rate limit for object mutation.")


def precondition_failed() -> ApiError:
    return ApiError(412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.")


def not_modified() -> ApiError:
    return ApiError(304, "notModified", "")
