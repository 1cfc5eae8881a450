"""How long the reading account's token is used, and who waits for the next one."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from controlplane import bucket_tokens
from controlplane.bucket_tokens import Impersonated, Unimpersonated, boundary
from controlplane.reading import BucketToken

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
