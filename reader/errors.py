"""The service's errors. The body of each is ``{"error": {code, message, hint, retryable}}``, as the control plane's."""

from __future__ import annotations

from typing import Any

from consumer.errors import BlobUnavailable, ConsumerError, SnapshotIncomplete, WorkspaceFrozen
from consumer.evidence.search import IndexUnusable
from service import telemetry


class CallRefusal(Exception):
    """A refused call. The message names the request; never content, never a token."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        hint: str = "",
        retryable: bool = False,
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.hint = status, code, message, hint
        self.retryable, self.retry_after_s = retryable, retry_after_s

    def body(self) -> dict[str, Any]:
        error = {"code": self.code, "message": self.message, "hint": self.hint, "retryable": self.retryable}
        return {"error": error}


def not_found(what: str) -> CallRefusal:
    return CallRefusal(
        404, "not_found", f"Your memory has no such {what}", hint="It may have been renamed or forgotten."
    )


def invalid(message: str) -> CallRefusal:
    return CallRefusal(422, "invalid_request", message)


def sign_in_again() -> CallRefusal:
    return CallRefusal(
        401,
        "user_token_invalid",
        "This is not a valid access token of the app",
        hint="Sign in to the app, and send its access token as `Authorization: Bearer <token>`.",
    )


def unavailable(code: str, message: str, hint: str = "Try again in a moment.") -> CallRefusal:
    """503: the same call may succeed later."""
    return CallRefusal(503, code, message, hint=hint, retryable=True, retry_after_s=2)


class RuleUnread(CallRefusal):
    """503: nobody knows yet what a standing rule of the user withholds, so nothing is told until a digest reads it."""

    def __init__(self) -> None:
        super().__init__(
            503,
            "ask_unavailable",
            "A standing rule of yours is new or has changed, so your memory reports nothing yet",
            hint="The next digest reads the rule, within two hours. The owner's search and pages still work.",
            retryable=True,
            # A digest comes once an hour: asking every few seconds would be in vain.
            retry_after_s=600,
        )


def refusal_of(error: Exception) -> CallRefusal | None:
    """The answer to an expected error of a part below; None: a bug."""
    if isinstance(error, CallRefusal):
        return error
    if isinstance(error, SnapshotIncomplete):
        return unavailable("memory_changing", "Your memory is being changed right now")
    if isinstance(error, WorkspaceFrozen):
        return CallRefusal(
            503,
            "memory_unverified",
            "The history of your memory failed its verification, so none of it is shown",
            hint="An operator must repair it; `cloop-memory workspace verify` names the fault.",
        )
    if isinstance(error, BlobUnavailable):
        return unavailable("bucket_unavailable", "The bucket of your memory does not answer")
    if isinstance(error, IndexUnusable):
        return unavailable(
            "search_unavailable",
            "Your memory cannot be searched yet",
            "The next update of your memory builds the index.",
        )
    return (
        unavailable("unavailable", "A service that the reader needs failed")
        if isinstance(error, ConsumerError)
        else None
    )


def bug(error: Exception) -> CallRefusal:
    """The answer to an error that nobody expects. It is logged by its class alone: its text may quote a page."""
    telemetry.log("reader_bug", level=telemetry.ERROR, error=type(error).__name__)
    return CallRefusal(500, "internal_error", "Internal error; the reader's log has its class", retryable=True)
