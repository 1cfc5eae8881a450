"""What an operator is told of an error that was expected."""

from __future__ import annotations

import pytest

from consumer.console.app import _refusal_of
from consumer.console.requests import RequestRefusal
from consumer.errors import BlobUnavailable, RequestRefused
from tests.tables import table


@table(
    ("error", "status", "title"),
    [
        (RequestRefusal(403, "Not yours", "Sign in."), 403, "Not yours"),
        (RequestRefused("no such job"), 400, "The control plane refused the request"),
        (RequestRefused("no such job", 404), 404, "The control plane refused the request"),
        (BlobUnavailable("503"), 502, "The request failed: blob_unavailable"),
    ],
)
def test_an_expected_error_has_a_page(error: Exception, status: int, title: str) -> None:
    refusal = _refusal_of(error)
    assert (refusal.status, refusal.title) == (status, title)


def test_any_other_error_is_none_of_them() -> None:
    with pytest.raises(KeyError):
        _refusal_of(KeyError("x"))
