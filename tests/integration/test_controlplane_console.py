"""A console acts for the operator whom it signed in, and only a console; a discard leaves its line in the audit."""

from __future__ import annotations

from typing import Any

import pytest

from contract.api import ACTING_FOR
from tests.fixtures_controlplane import CONSOLE, CONSUMER, OPERATOR, World

pytestmark = pytest.mark.integration
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def call(world: World, caller: str, acting_for: str | None, method: str = "GET", path: str = "/memory-jobs") -> Any:
    headers = {"authorization": f"Bearer {world.issuer.token(caller)}"}
    headers |= {ACTING_FOR: acting_for} if acting_for is not None else {}
    return world.client.request(method, f"/api/internal{path}", headers=headers)


def test_a_console_acts_for_an_operator_and_the_audit_names_the_operator(world: World) -> None:
    user = world.user()
    assert call(world, CONSOLE, OPERATOR, "DELETE", f"/memory-users/{user}").status_code == 200
    assert [row["actor"] for row in world.sql("select actor from memory_audit")] == [OPERATOR]


@pytest.mark.parametrize(
    ("caller", "acting_for"),
    [
        (CONSOLE, None),
        (CONSOLE, "somebody@else.example"),
        (CONSOLE, CONSUMER),
        (CONSOLE, CONSOLE),
        (CONSOLE, ""),
        (OPERATOR, "other@test.example"),
        (OPERATOR, OPERATOR),
        (CONSUMER, OPERATOR),
        ("somebody@else.example", OPERATOR),
    ],
)
def test_nobody_else_acts_for_anybody_and_a_console_for_operators_alone(
    world: World, caller: str, acting_for: str | None
) -> None:
    user = world.user()
    for method, path in (("GET", "/memory-jobs"), ("DELETE", f"/memory-users/{user}")):
        answer = call(world, caller, acting_for, method, path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_allowed")
    assert world.sql("select 1 from memory_audit") == []


def test_a_console_may_not_call_as_a_consumer(world: World) -> None:
    body = {"attempt": 1, "owner": "x"}
    headers = {"authorization": f"Bearer {world.issuer.token(CONSOLE)}", ACTING_FOR: CONSUMER}
    path = f"/api/internal/memory-jobs/{UNKNOWN}/token"
    assert world.client.post(path, json=body, headers=headers).status_code == 403


def test_a_discard_is_a_line_in_the_audit_once(world: World) -> None:
    user = world.user()
    job = world.job(user)
    about = {"key": f"{job}-5", "job_id": job, "user_id": user, "reason": "test data"}
    for body in (about, about, {"key": "m-4711", "reason": "no job"}):
        assert world.operate("POST", "/memory-dead-letters/discards", body).status_code == 200
    rows = world.sql("select * from memory_audit where action = 'dead_letter.discard' order by id")
    assert [(str(row["job_id"]), row["actor"], row["details"]) for row in rows] == [
        (job, OPERATOR, {"key": f"{job}-5", "reason": "test data"}),
        ("None", OPERATOR, {"key": "m-4711", "reason": "no job"}),
    ]
    assert world.row(job)["status"] == "queued", "only the audit knows"


def test_what_is_done_in_the_bucket_is_a_line_in_the_audit(world: World) -> None:
    user = world.user()
    deeds: list[dict[str, Any]] = [
        {
            "action": "workspace.purge",
            "user_id": user,
            "reason": "asked",
            "details": {"what": "source", "source": "feedback"},
        },
        {"action": "lock.unlock", "user_id": user, "reason": "instance gone", "details": {"generation": 17}},
    ]
    for body in deeds:
        assert world.operate("POST", "/memory-bucket-deeds", body).status_code == 200
        assert world.call("POST", "/memory-bucket-deeds", world.issuer.token(CONSUMER), body).status_code == 403
    rows = world.sql("select * from memory_audit where user_id = %s order by id", user)
    assert [(row["actor"], row["action"], row["details"]) for row in rows] == [
        (OPERATOR, "workspace.purge", {"what": "source", "source": "feedback", "reason": "asked"}),
        (OPERATOR, "lock.unlock", {"generation": 17, "reason": "instance gone"}),
    ]


@pytest.mark.parametrize(
    "change",
    [{"action": "workspace.burn"}, {"user_id": "x"}, {"reason": ""}, {"details": {"a": {"b": 1}}}],
)
def test_a_deed_out_of_form_is_refused(world: World, change: dict[str, Any]) -> None:
    body = {"action": "lock.unlock", "user_id": UNKNOWN, "reason": "r", **change}
    assert world.operate("POST", "/memory-bucket-deeds", body).status_code == 422


@pytest.mark.parametrize(
    "body", [{}, {"key": "k"}, {"key": "", "reason": "r"}, {"key": "k", "reason": "r", "job_id": "x"}]
)
def test_a_discard_without_key_or_reason_is_refused(world: World, body: dict[str, str]) -> None:
    assert world.operate("POST", "/memory-dead-letters/discards", body).status_code == 422
