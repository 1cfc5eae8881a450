"""The webhook only says where to look: what it refuses, ignores and passes on."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from contract.rights import Lack
from publisher.relay import OutboxRelay
from publisher.settings import SettingsError, load
from publisher.webhook import MAX_BODY_BYTES, WebhookApp
from tests.asgi import Client

SECRET = "a-secret-of-enough-letters"
JOB = str(uuid.UUID(int=7))
INSERT = {"type": "INSERT", "table": "memory_jobs", "schema": "public", "record": {"id": JOB}, "old_record": None}


def _no_database() -> Any:
    raise psycopg.OperationalError("away")


def _relay() -> OutboxRelay:
    return OutboxRelay(_no_database, topic=None, monotonic=lambda: 0.0, poll_s=5, stale_s=600)  # type: ignore[arg-type]


def client(nudge: Callable[[str], str], secret: str = SECRET) -> Client:
    return Client(WebhookApp(_relay(), nudge, secret, lambda: []).build(), headers={"x-webhook-secret": SECRET})


@pytest.fixture
def nudged() -> list[str]:
    return []


@pytest.fixture
def http(nudged: list[str]) -> Client:
    return client(lambda job_id: nudged.append(job_id) or "nudged")  # type: ignore[func-returns-value]


def test_an_insert_is_passed_on(http: Client, nudged: list[str]) -> None:
    assert http.post("/webhooks/memory-jobs", json=INSERT).status_code == 202
    assert nudged == [JOB]


@pytest.mark.parametrize("given", ["", "wrong", SECRET + "x", SECRET[:-1]])
def test_without_the_secret_nothing_happens(http: Client, nudged: list[str], given: str) -> None:
    reply = http.post("/webhooks/memory-jobs", json=INSERT, headers={"x-webhook-secret": given})
    assert reply.status_code == 401
    assert nudged == []


def test_no_configured_secret_refuses_everybody(nudged: list[str]) -> None:
    http = client(lambda job_id: "nudged", secret="")
    for given in ("", SECRET):
        assert http.post("/webhooks/memory-jobs", json=INSERT, headers={"x-webhook-secret": given}).status_code == 401


@pytest.mark.parametrize(
    "changes", [{"type": "UPDATE"}, {"type": "DELETE", "record": None}, {"table": "chat_sessions"}, {"table": None}]
)
def test_what_is_not_our_business_is_ignored(http: Client, nudged: list[str], changes: dict[str, Any]) -> None:
    assert http.post("/webhooks/memory-jobs", json={**INSERT, **changes}).status_code == 204
    assert nudged == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff"])
def test_what_is_no_object_is_refused(http: Client, body: bytes) -> None:
    assert http.post("/webhooks/memory-jobs", content=body).status_code == 400


@pytest.mark.parametrize("record", [None, {}, {"id": None}, {"id": 7}, {"id": "x"}, {"id": ["a"]}])
def test_an_insert_without_a_usable_id_is_refused(http: Client, record: Any) -> None:
    assert http.post("/webhooks/memory-jobs", json={**INSERT, "record": record}).status_code == 400


def test_a_huge_body_is_not_read_to_its_end(http: Client, nudged: list[str]) -> None:
    assert http.post("/webhooks/memory-jobs", content=b" " * (MAX_BODY_BYTES + 1)).status_code == 413
    assert http.post("/webhooks/memory-jobs", content=b" " * MAX_BODY_BYTES).status_code == 400, "read, and no JSON"
    assert nudged == []


def test_a_database_that_is_away_is_a_503() -> None:
    assert client(lambda _: _no_database()).post("/webhooks/memory-jobs", json=INSERT).status_code == 503


def test_health_and_readiness_differ() -> None:
    relay = _relay()
    lacks: list[Lack] = []
    http = Client(WebhookApp(relay, lambda _: "", SECRET, lambda: lacks).build())
    assert http.get("/healthz").status_code == 200
    assert http.get("/readyz").status_code == 503
    relay.state = "leading"
    assert http.get("/readyz").json() == http.get("/ready").json() == {"status": "leading", "published": 0}
    lacks.append(Lack("select on public.memory_jobs", "grant it;"))
    answer = http.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "rights_missing",
        "missing": ["select on public.memory_jobs"],
        "remedies": ["grant it;"],
    }


def test_a_database_that_cannot_be_asked_for_our_rights_is_not_ready() -> None:
    relay = _relay()
    relay.state = "leading"
    http = Client(WebhookApp(relay, lambda _: "", SECRET, _no_database).build())
    assert (http.get("/readyz").status_code, http.get("/readyz").json()) == (503, {"status": "database_unavailable"})


def test_settings_report_every_fault_together_and_show_no_secret() -> None:
    bad = {"WEBHOOK_SECRET": "short", "PORT": "99999", "POLL_S": "soon"}
    with pytest.raises(SettingsError) as caught:
        load(bad)
    for name in ("DATABASE_URL", "GOOGLE_CLOUD_PROJECT", "WEBHOOK_SECRET", "PORT", "POLL_S"):
        assert f"{name}:" in str(caught.value)
    assert "short" not in str(caught.value).replace("characters", "")
    good = load({"DATABASE_URL": "postgresql://u:pw@h/d", "GOOGLE_CLOUD_PROJECT": "p", "WEBHOOK_SECRET": SECRET})
    assert "pw" not in repr(good)
    assert SECRET not in repr(good)
    assert (good.poll_s, good.stale_after_s, good.port) == (5, 180, 8080)
