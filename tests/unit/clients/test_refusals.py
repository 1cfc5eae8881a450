"""What a refused call to the control plane means for a job, and which headers hold a token."""

from __future__ import annotations

import httpx
import pytest

from consumer.clients import controlplane
from consumer.clients.oidc import MAX_TOKEN_BYTES, bearer
from consumer.clients.signing import key_id
from consumer.errors import (
    AttemptStale,
    ControlPlaneUnavailable,
    JobTerminal,
    JobUnknown,
    NotAllowed,
    QueuePaused,
    RequestRefused,
)
from tests.tables import table


@table(
    ("header", "token"),
    [
        ("Bearer abc", "abc"),
        ("bearer abc", "abc"),
        (f"Bearer {'x' * MAX_TOKEN_BYTES}", "x" * MAX_TOKEN_BYTES),
        (f"Bearer {'x' * (MAX_TOKEN_BYTES + 1)}", None),
        ("Bearer ", None),
        ("Bearer", None),
        ("Basic abc", None),
        ("Bearer äbc", None),
        ("", None),
        (None, None),
    ],
)
def test_a_header_holds_a_bearer_token_or_nothing(header: str | None, token: str | None) -> None:
    if token is not None:
        assert bearer(header) == token
        return
    with pytest.raises(NotAllowed, match="no bearer token") as caught:
        bearer(header)
    assert caught.value.args[1] == 401


def test_a_public_key_is_known_by_the_start_of_its_digest() -> None:
    assert key_id(b"k" * 32) == "ed25519-5e318f8cf9cbe249"


def refusal(
    status: int, code: str | None, *, early: bool = False, message: str = "of a row", wait: str = ""
) -> Exception:
    body = {"error": {"code": code, "message": message, "hint": "", "retryable": False}, "job": {"status": "failed"}}
    response = httpx.Response(status, json=body if code else {}, headers={"retry-after": wait} if wait else {})
    return controlplane._refusal("/v1/x", response, early)


@table(
    ("status", "code", "early", "kind"),
    [
        (404, "job_not_found", True, JobUnknown),
        (404, "job_not_found", False, RequestRefused),
        (404, "other", True, ControlPlaneUnavailable),
        (404, "other", False, RequestRefused),
        (500, "other", False, ControlPlaneUnavailable),
        (503, "queue_paused", False, QueuePaused),
        (409, "queue_paused", False, RequestRefused),
        (429, "other", False, ControlPlaneUnavailable),
        (401, "other", False, NotAllowed),
        (403, "other", False, NotAllowed),
        (409, "job_terminal", False, JobTerminal),
        (422, "job_terminal", False, RequestRefused),
        (409, "attempt_stale", False, AttemptStale),
        (422, "attempt_stale", False, RequestRefused),
        (409, "other", False, RequestRefused),
        (422, "invalid_request", False, RequestRefused),
        # Without the error's body something else has answered.
        *((status, None, False, ControlPlaneUnavailable) for status in (401, 404, 409, 500)),
    ],
)
def test_each_refusal_leads_to_its_own_end(status: int, code: str | None, early: bool, kind: type[Exception]) -> None:
    refused = refusal(status, code, early=early)
    assert type(refused) is kind
    assert str(refused.args[0]).startswith(f"POST /v1/x: {status} ")
    assert "of a row" not in str(refused), "a message may quote one"


def test_what_a_refusal_carries() -> None:
    assert refusal(403, "other").args[1:] == (403,)
    (body,) = refusal(409, "job_terminal").args[1:]
    assert body["job"] == {"status": "failed"}
    for code in ("other", None):
        for header, wait_s in (("7", 7.0), ("soon", None), ("-1", None)):
            away = refusal(503, code, wait=header)
            assert isinstance(away, ControlPlaneUnavailable)
            assert away.retry_after_s == wait_s


def test_missing_rights_are_named_and_three_of_them() -> None:
    rights = [
        "select on public.users",
        "execute on function memory_private.f(uuid)",
        "update (a) on auth.x",
        "usage on schema auth",
    ]
    text = str(refusal(503, "rights_missing", message=f"secret row; {'; '.join(rights)}"))
    assert text == f"POST /v1/x: 503 rights_missing: the database lacks {', '.join(rights[:3])}"
    assert str(refusal(503, "rights_missing")) == "POST /v1/x: 503 rights_missing"
    assert "lacks" not in str(refusal(503, "other", message=rights[0]))
