"""Tokens of assistants in the control plane: what is stored, what each opens, and what takes it away again."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from contract.rights import SERVICE
from tests.fixtures_controlplane import World
from tests.integration import test_controlplane_reading as reading
from tests.integration.test_controlplane_corrections import OTHER, STATEMENT, UNKNOWN, code, overlay
from tests.integration.test_controlplane_reading import Door
from tests.tables import table

pytestmark = pytest.mark.integration
#: A fixture.
door = reading.door
BOTH = ["memory:read", "memory:correct"]


def create(door: Door, user: str, **fields: Any) -> Any:
    return door.ask(door.app.token(user), path="tokens", token={"name": "Laptop", **fields})


def made(door: Door, user: str, **fields: Any) -> dict[str, Any]:
    answer = create(door, user, **fields)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def listed(door: Door, user: str, what: str = "tokens") -> list[dict[str, Any]]:
    return list(door.ask(door.app.token(user), path=f"{what}/list").json()[what])


def propose(door: Door, token: str, **fields: Any) -> Any:
    return door.ask(token, path="proposals", correction={"verdict": "done", "statement": STATEMENT, **fields})


def decide(door: Door, user: str, proposal: str, *, accept: bool) -> Any:
    return door.ask(door.app.token(user), path="proposals/decide", proposal_id=proposal, accept=accept)


def test_a_token_is_kept_hashed_and_opens_its_users_memory_alone(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    token = made(door, ada)
    stored = str(door.world.sql("select * from memory_assistant_tokens")) + str(
        door.world.sql("select * from memory_audit")
    )
    assert token["token"] not in stored
    [row] = door.world.sql("select hash from memory_assistant_tokens")
    assert bytes(row["hash"]) == hashlib.sha256(token["token"].encode()).digest()
    grant = door.ask(token["token"]).json()
    assert (grant["user_id"], grant["prefix"], grant["scopes"]) == (ada, f"users/{ada}/", ["memory:read"])
    assert grant["user_token_expires_at"] == token["expires_at"]
    assert door.grant(ada)["scopes"] is None
    assert [each["id"] for each in listed(door, ada)] == [token["id"]]
    assert "token" not in listed(door, ada)[0]
    assert listed(door, bob) == []


def test_its_use_stands_in_the_access_log_once_an_hour_by_its_name(door: Door) -> None:
    user = door.world.user()
    token = made(door, user)
    for _ in range(3):
        assert door.ask(token["token"]).status_code == 200
    entries = door.ask(door.app.token(user), path="access").json()["entries"]
    assert [(each["actor"], each["action"], each["reason"]) for each in entries] == [
        ("assistant", "memory.read", "Laptop"),
        ("owner", "token.create", "Laptop: memory:read"),
    ]
    assert listed(door, user)[0]["used_at"]


def test_it_opens_no_call_of_the_owner(door: Door) -> None:
    user = door.world.user()
    token, other = made(door, user, scopes=BOTH), made(door, user)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("access", {}),
        ("corrections", {"correction": {"verdict": "done", "statement": STATEMENT}}),
        ("corrections/list", {}),
        ("corrections/undo", {"correction_id": UNKNOWN}),
        ("tokens", {"token": {"name": "More"}}),
        ("tokens/list", {}),
        ("tokens/revoke", {"token_id": other["id"]}),
        ("proposals/list", {}),
        ("proposals/decide", {"proposal_id": UNKNOWN, "accept": True}),
    ]
    for path, body in calls:
        assert code(door.ask(token["token"], path=path, **body)) == (401, "user_token_invalid"), path
    assert door.ask(other["token"]).status_code == 200


def test_a_revoked_or_ended_token_opens_nothing(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    token, ended = made(door, ada, scopes=BOTH), made(door, ada)
    proposal = propose(door, token["token"]).json()["id"]
    revoke = {"path": "tokens/revoke", "token_id": token["id"]}
    assert code(door.ask(door.app.token(bob), **revoke)) == (404, "token_not_found")
    assert door.ask(token["token"]).status_code == 200
    first = door.ask(door.app.token(ada), **revoke).json()
    assert door.ask(door.app.token(ada), **revoke).json() == first
    door.world.sql(
        "update memory_assistant_tokens set created_at = created_at - interval '91 days',"
        f" expires_at = clock_timestamp() where id = '{ended['id']}' returning 1"
    )
    for dead in (token, ended):
        assert code(door.ask(dead["token"])) == (401, "user_token_invalid")
        assert code(propose(door, dead["token"])) == (401, "user_token_invalid")
    # What it had proposed went with it.
    assert code(decide(door, ada, proposal, accept=True)) == (404, "proposal_not_found")


def test_a_memory_that_is_off_lets_no_assistant_in(door: Door) -> None:
    user = door.world.user()
    token = made(door, user, scopes=BOTH)["token"]
    assert door.world.operate("DELETE", f"/memory-users/{user}").status_code == 200
    assert code(door.ask(token)) == (403, "memory_off")
    assert code(propose(door, token)) == (403, "memory_off")


def test_a_proposal_becomes_a_correction_by_its_owner_alone(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    token = made(door, ada, name="Planner", scopes=BOTH)["token"]
    assert code(propose(door, made(door, ada)["token"])) == (403, "scope_missing")
    assert code(propose(door, door.app.token(ada))) == (403, "not_an_assistant")
    first, again = propose(door, token).json(), propose(door, token).json()
    assert first["id"] == again["id"]
    declined = propose(door, token, statement=OTHER).json()["id"]
    assert overlay(door.world, ada).corrections == ()
    assert {(each["by"], each["statement"]) for each in listed(door, ada, "proposals")} == {
        ("Planner", STATEMENT),
        ("Planner", OTHER),
    }
    assert listed(door, bob, "proposals") == []
    assert code(decide(door, bob, first["id"], accept=True)) == (404, "proposal_not_found")
    assert decide(door, ada, declined, accept=False).json() == {"correction": None}
    correction = decide(door, ada, first["id"], accept=True).json()["correction"]
    assert [each.id for each in overlay(door.world, ada).corrections] == [correction["id"]]
    assert code(decide(door, ada, first["id"], accept=True)) == (404, "proposal_not_found")
    assert listed(door, ada, "proposals") == []


@table(
    "fields",
    [
        {"name": ""},
        {"name": " "},
        {"name": "a\nb"},
        {"name": "x" * 61},
        {"scopes": []},
        {"scopes": ["memory:correct"]},
        {"scopes": ["memory:admin"]},
        {"days": 0},
        {"days": 366},
    ],
)
def test_a_token_of_another_form_is_refused(door: Door, fields: dict[str, Any]) -> None:
    user = door.world.user(f"{abs(hash(str(fields)))}@example.com")
    assert code(create(door, user, **fields)) == (422, "invalid_request")
    assert listed(door, user) == []


def test_tokens_and_proposals_are_bounded(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controlplane.assistants.MOST_TOKENS", 2)
    monkeypatch.setattr("controlplane.assistants.MOST_PROPOSALS", 1)
    user = door.world.user()
    token, _ = made(door, user, scopes=BOTH)["token"], made(door, user)
    assert code(create(door, user)) == (409, "too_many_tokens")
    assert propose(door, token).status_code == 200
    assert code(propose(door, token, statement=OTHER)) == (409, "too_many_proposals")
    assert propose(door, token).status_code == 200


def test_an_erasure_takes_both(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    for user in (ada, bob):
        propose(door, made(door, user, scopes=BOTH)["token"])
    assert door.world.operate("DELETE", f"/memory-users/{ada}").status_code == 200
    answer = door.world.operate("POST", f"/memory-users/{ada}/erasure", {"reason": "asked"})
    assert answer.status_code == 200, answer.text
    for name in ("memory_assistant_tokens", "memory_proposals"):
        assert [str(row["user_id"]) for row in door.world.sql(f"select user_id from {name}")] == [bob]


def test_a_users_app_reads_their_own_tokens_and_no_hash(world: World) -> None:
    assert any("memory_assistant_tokens" in str(right) for right in SERVICE.rights)
    granted = world.sql(
        "select column_name from information_schema.column_privileges"
        " where table_name = 'memory_assistant_tokens' and grantee = 'authenticated'"
    )
    assert "hash" not in {row["column_name"] for row in granted}
    assert {"name", "expires_at"} <= {row["column_name"] for row in granted}
