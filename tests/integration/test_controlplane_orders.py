# ruff: noqa: F811 (the fixture is another module's)
"""Users' orders in the control plane: a token is for one user, one list and one decision; what is kept holds no id."""

from __future__ import annotations

from typing import Any

import pytest

from contract.keyed import record_digest
from contract.overlay import Overlay
from tests.fixtures_controlplane import CONSUMER, World
from tests.integration.test_controlplane_corrections import code, correct, overlay, place
from tests.integration.test_controlplane_reading import Door, door  # noqa: F401 (a fixture)

pytestmark = pytest.mark.integration
NOTE = {"source": "meeting_notes", "id": "note-4711"}
MAIL = {"source": "inbound_messages", "id": "mail-0815"}
NEWER = {"source": "inbound_messages", "id": "mail-9999"}
SELECTION = '{"topic":"harbor"}'
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def show(door: Door, user: str, *records: dict[str, str], selection: str = SELECTION) -> str:
    answer = door.ask(door.app.token(user), path="forgets/show", records=list(records), selection=selection, head_seq=7)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["token"])


def confirm(door: Door, user: str, token: str, *records: dict[str, str], **more: Any) -> Any:
    body = {"token": token, "records": list(records), "selection": SELECTION, **more}
    return door.ask(door.app.token(user), path="forgets", **body)


def orders(door: Door, user: str) -> list[dict[str, Any]]:
    return list(door.ask(door.app.token(user), path="orders/list").json()["orders"])


def consume(door: Door, user: str, call: str, body: Any = None) -> Any:
    answer = door.world.call("POST", f"/memory-orders/{user}/{call}", door.world.issuer.token(CONSUMER), body or {})
    assert answer.status_code == 200, answer.text
    return answer.json()


def ticked(door: Door, kind: str = "sweep") -> list[str]:
    body = {"kind": kind, "period": "2026-11-27T10", "tick_id": "t"}
    answer = door.world.call("POST", "/memory-ticks", door.world.issuer.token(CONSUMER), body)
    return list(answer.json()["orders"])


def everything_kept(world: World) -> str:
    names = ("memory_orders", "memory_order_records", "memory_suppressions", "memory_exclusions", "memory_audit")
    return " ".join(str(world.sql(f"select * from public.{name}")) for name in names)


def test_what_was_chosen_is_hidden_at_once_and_no_id_is_kept(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    token = show(door, ada, NOTE, MAIL)
    assert overlay(door.world, ada).hidden_records == (), "a list that was shown hides nothing"
    made = confirm(door, ada, token, NOTE, matching=[NOTE, MAIL, NEWER]).json()
    assert (made["order"]["state"], made["order"]["records"], made["order"]["shown_seq"]) == ("waiting", 1, 7)
    assert made["arrived"] == [NEWER], "neither what was in the list and not chosen"
    after = overlay(door.world, ada)
    assert after.hidden_records == (record_digest(after.key or "", NOTE["source"], NOTE["id"]),)
    assert overlay(door.world, bob).hidden_records == ()
    kept = everything_kept(door.world)
    assert not any(word in kept for word in ("note-4711", "mail-0815", "harbor", token))
    assert [
        entry["action"] for entry in door.world.sql("select action from public.memory_audit where actor='owner'")
    ] == ["memory.forget"]
    assert ticked(door) == [ada]


def test_a_token_is_for_one_decision_of_one_user(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    token = show(door, ada, NOTE, MAIL)
    assert code(confirm(door, bob, token, NOTE)) == (404, "forget_not_shown")
    assert code(confirm(door, ada, "invented", NOTE)) == (404, "forget_not_shown")
    assert code(confirm(door, ada, token, NOTE, selection='{"topic":"other"}')) == (409, "forget_changed")
    assert code(confirm(door, ada, token, NOTE, NEWER)) == (422, "invalid_request")
    assert overlay(door.world, ada).hidden_records == (), "a refusal uses and hides nothing"
    first = confirm(door, ada, token, NOTE).json()
    again = confirm(door, ada, token, NOTE).json()
    assert again["order"] == first["order"], "the answer may have been lost"
    assert code(confirm(door, ada, token, MAIL)) == (409, "forget_ordered")
    assert len(orders(door, ada)) == 1
    assert orders(door, bob) == []
    shown = door.ask(door.app.token(bob), path="orders/show", order_id=first["order"]["id"])
    assert code(shown) == (404, "order_not_found")


def test_a_list_is_confirmed_within_ten_minutes(door: Door) -> None:
    ada = door.world.user()
    token = show(door, ada, NOTE)
    door.world.sql("update public.memory_orders set token_until = now() - interval '1 second' returning 1")
    assert code(confirm(door, ada, token, NOTE)) == (409, "forget_expired")
    show(door, ada, MAIL)
    assert len(door.world.sql("select id from public.memory_orders")) == 1, "the next list takes the old one away"


def test_from_the_order_to_the_receipt(door: Door) -> None:
    ada = door.world.user()
    correction = correct(door.world, ada).json()["id"]
    place(door.world, ada, correction, ("meeting_notes", "note-4711"))
    order = confirm(door, ada, show(door, ada, NOTE), NOTE).json()["order"]
    assert overlay(door.world, ada).corrections == (), "what rests on it alone goes with it"
    step = consume(door, ada, "begin")
    key = overlay(door.world, ada).key or ""
    assert (step["step"], step["records"]) == ("purge", [record_digest(key, NOTE["source"], NOTE["id"])])
    assert ticked(door) == [], "somebody has just begun"
    failed = {"order_id": order["id"], "step": "purge", "failure": "snapshot_incomplete"}
    assert consume(door, ada, "done", failed)["failure"] == "snapshot_incomplete"
    door.world.sql("update public.memory_orders set tried_at = now() - interval '2 hours' returning 1")
    assert ticked(door, "hourly") == [ada]
    commit = {"seq": 8, "digest": "ab" * 32}
    report = {"order_id": order["id"], "step": "purge", "result": {"commit": commit, "records": 1, "objects": {"p": 2}}}
    assert consume(door, ada, "done", report)["state"] == "sweeping"
    assert consume(door, ada, "done", report)["state"] == "sweeping", "told twice is told once"
    assert door.world.sql("select * from public.memory_order_records") == []
    assert ticked(door) == []
    assert consume(door, ada, "begin")["step"] is None
    door.world.sql("update public.memory_orders set done_at = now() - interval '4 hours' returning 1")
    assert ticked(door) == [ada]
    assert consume(door, ada, "begin")["step"] == "sweep"
    swept = {"order_id": order["id"], "step": "sweep", "result": {"objects": {"p": 1, "answers": 1}}}
    closed = consume(door, ada, "done", swept)
    assert (closed["state"], closed["result"]["objects"]) == ("closed", {"p": 3, "answers": 1})
    assert closed["result"]["commit"] == commit
    assert overlay(door.world, ada).hidden_records, "readers hide it for as long as an old copy may be open"


def test_an_export_is_one_until_it_is_made_and_waits_for_what_is_forgotten(door: Door) -> None:
    ada = door.world.user()
    first, again = (door.ask(door.app.token(ada), path="exports").json() for _ in range(2))
    assert first["id"] == again["id"]
    confirm(door, ada, show(door, ada, NOTE), NOTE)
    assert consume(door, ada, "begin")["step"] == "purge"
    step = consume(door, ada, "begin")
    assert (step["step"], step["order"]["id"]) == ("export", first["id"])
    report = {"order_id": first["id"], "step": "export", "result": {"bytes": 5}}
    ready = consume(door, ada, "done", report)
    assert (ready["state"], ready["ends_at"] is not None) == ("ready", True)
    door.world.sql(
        "update public.memory_orders set done_at = now() - interval '8 days' where kind='export' returning 1"
    )
    assert consume(door, ada, "begin")["step"] == "expire"


@pytest.mark.parametrize(
    "request_, kind",
    [
        ({"kind": "source", "texts": ["feedback"]}, "source"),
        ({"kind": "person", "texts": ["Henrik Aaltonen", "henrik@example.com"]}, "person"),
        ({"kind": "topic", "texts": ["Blue Harbor"]}, "topic"),
    ],
)
def test_what_is_kept_out_is_told_to_runs_and_can_be_let_in_again(
    door: Door,
    request_: dict[str, Any],
    kind: str,
) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    for record in (NOTE, MAIL):
        confirm(door, ada, show(door, ada, record), record, keep_out=request_)
    [exclusion] = overlay(door.world, ada).exclusions
    assert exclusion.kind == kind
    kept = everything_kept(door.world).casefold()
    assert not any(word in kept for word in ("harbor", "henrik"))
    wrong = door.ask(door.app.token(bob), path="exclusions/end", exclusion_id=exclusion.id)
    assert code(wrong) == (404, "exclusion_not_found")
    assert door.ask(door.app.token(ada), path="exclusions/end", exclusion_id=exclusion.id).status_code == 200
    assert overlay(door.world, ada).exclusions == ()


def test_a_rule_is_off_until_it_is_switched_on_or_changed(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    [row] = door.world.sql(
        "insert into public.user_rules (user_id, rule_text, category) values (%s, 'x', 'privacy') returning id", ada
    )
    rule = {"source_key": "user_rules", "record_id": str(row["id"])}

    def switch(user: str, *, on: bool) -> Any:
        return door.ask(door.app.token(user), path="rules/switch", **rule, on=on)

    def off(made: Overlay) -> list[bool]:
        return [each.off for each in made.rules]

    before = overlay(door.world, ada)
    assert switch(ada, on=False).status_code == 200
    after = overlay(door.world, ada)
    assert (off(before), off(after), before.version != after.version) == ([False], [True], True)
    assert code(switch(bob, on=False)) == (404, "rule_not_found")
    assert switch(ada, on=True).status_code == 200
    assert off(overlay(door.world, ada)) == [False]
    switch(ada, on=False)
    door.world.sql(
        "update public.user_rules set rule_text = 'y', updated_at = clock_timestamp() where id = %s returning 1",
        row["id"],
    )
    assert off(overlay(door.world, ada)) == [False], "another rule than the one that was switched off"


def test_whose_memory_is_being_erased_orders_and_corrects_nothing(door: Door) -> None:
    ada = door.world.user()
    token = show(door, ada, NOTE)
    door.world.sql(
        "insert into public.memory_deletions (user_id, source, purge_after, erasing_at) values"
        " (%s, 'trigger', now(), now()) returning 1",
        ada,
    )
    assert code(confirm(door, ada, token, NOTE)) == (409, "erasure_begun")
    assert code(correct(door.world, ada)) == (409, "erasure_begun")
    assert code(door.ask(door.app.token(ada), path="exports")) == (409, "erasure_begun")
    door.world.sql("select memory_private.erase_rows(%s)", ada)
    assert door.world.sql("select * from public.memory_orders") == []
