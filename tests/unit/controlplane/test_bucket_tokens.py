"""How long the reading account's token is used, and who waits for the next one."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import google.auth
import pytest
from google.auth import impersonated_credentials
from google.auth.exceptions import GoogleAuthError
from google.oauth2 import sts

from controlplane import bucket_tokens
from controlplane.bucket_tokens import Impersonated, NarrowedTokens, Unimpersonated, boundary
from controlplane.errors import ApiFault
from controlplane.reading import BucketToken
from tests.tables import table

START = datetime(2026, 11, 27, 12, tzinfo=UTC)


class Clock:
    now = START


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Impersonated:
    """Each fetched token is named after the seconds since ``START``."""

    def fetch(_: Impersonated, now: datetime) -> BucketToken:
        return BucketToken(f"{(now - START).seconds}", now + bucket_tokens.LIFE)

    monkeypatch.setattr(Impersonated, "_fetch", fetch)
    return Impersonated("reader@x.example", None, lambda: clock.now)


def test_a_token_is_used_for_five_minutes(tokens: Impersonated, clock: Clock) -> None:
    used = []
    for seconds in (0, 299, 300, 599, 600):
        clock.now = START + timedelta(seconds=seconds)
        used.append(tokens.token().token)
    assert used == ["0", "0", "300", "300", "600"]


def test_while_another_call_fetches_a_token_is_used_for_ten(tokens: Impersonated, clock: Clock) -> None:
    tokens.token()
    used: list[str] = []
    with tokens._lock:
        clock.now = START + timedelta(seconds=599)
        assert tokens.token().token == "0"
        clock.now = START + timedelta(seconds=600)
        waiting = threading.Thread(target=lambda: used.append(tokens.token().token))
        waiting.start()
        assert used == []
    waiting.join()
    assert used == ["600"]


def test_a_token_reads_one_prefix_of_one_bucket() -> None:
    (rule,) = boundary("b", "users/7-a_b/").to_json()["accessBoundary"]["accessBoundaryRules"]
    assert rule == {
        "availableResource": "//storage.googleapis.com/projects/_/buckets/b",
        "availablePermissions": ["inRole:roles/storage.objectViewer"],
        "availabilityCondition": {
            "expression": "resource.name.startsWith('projects/_/buckets/b/objects/users/7-a_b/')"
        },
    }
    for prefix in ("", "a'b", "a b", "a\\b"):
        with pytest.raises(ValueError, match="expected a prefix"):
            boundary("b", prefix)


def test_the_embedded_stacks_token_ends_with_its_life() -> None:
    assert Unimpersonated(lambda: START).token().expires_at == START + timedelta(minutes=15)


class _Credentials:
    """Google's credentials of one account for another. ``expiry``: as Google's library has it, without a zone."""

    expiry: datetime | None = None

    def __init__(self, own: str, account: str, scopes: list[str], lifetime: int) -> None:
        assert (own, account, lifetime, scopes) == ("own", "reader@x.example", 900, [bucket_tokens._READ_ONLY])
        self.token = ""

    def refresh(self, request: Any) -> None:
        self.token = f"token by {request}"


@table(("minutes", "lives"), [(10, 10), (15, 15), (60, 15), (None, 15)])
def test_a_fetched_token_lives_as_long_as_googles_and_no_longer_than_ours(minutes: int | None, lives: int) -> None:
    expiry = None if minutes is None else (START + timedelta(minutes=minutes)).replace(tzinfo=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Credentials, "expiry", expiry)
        patch.setattr(google.auth, "default", lambda scopes: ("own", None))
        patch.setattr(impersonated_credentials, "Credentials", _Credentials)
        made = Impersonated("reader@x.example", "http", lambda: START).token()
    assert made == BucketToken("token by http", START + timedelta(minutes=lives))


@table("error", [GoogleAuthError("SECRETWORD"), KeyError("SECRETWORD"), ValueError("SECRETWORD")])
def test_without_a_token_from_google_a_reader_is_told_to_try_again_and_no_more(error: Exception) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise error

    def narrowed(_: Any) -> Any:
        return NarrowedTokens("b", "https://sts.example", Unimpersonated(lambda: START), "http").reading("users/u/")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sts.Client, "exchange_token", fails)
        with pytest.raises(ApiFault) as caught:
            narrowed(None)
        assert (caught.value.status, caught.value.code) == (503, "bucket_token_unavailable")
        assert "SECRETWORD" not in str(caught.value)
        if isinstance(error, GoogleAuthError):
            patch.setattr(google.auth, "default", fails)
            with pytest.raises(ApiFault, match="cannot make a token"):
                Impersonated("reader@x.example", None, lambda: START).token()
        patch.setattr(sts.Client, "exchange_token", lambda *_, **__: {"access_token": "narrow"})
        assert narrowed(None) == BucketToken("narrow", START + timedelta(minutes=15))
