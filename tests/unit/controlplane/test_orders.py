"""What users order: a list is shown, confirmed once and honoured at once; rules, exclusions and exports."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest

import manifests
from contract.exclusions import ExclusionRequest
from contract.keyed import digest, record_digest
from contract.orders import ConfirmForgetRequest, RecordRef, RuleSwitchRequest, ShowForgetRequest
from controlplane.errors import ApiFault
from controlplane.orders import PIECE, TOKEN_LIFE_S, UserOrders
from tests.tables import table
from tests.unit.controlplane.scripted import Scripted
from tests.unit.controlplane.test_assistants import AT, ID, USER, fault
from tests.unit.controlplane.test_order_steps import order

KEY = "ab" * 32
ONE, TWO, THREE = (RecordRef(source="inbound_messages", id=str(number)) for number in (1, 2, 3))
TOPIC = "topic: lease"


def hashed(*records: RecordRef) -> list[str]:
    return sorted(record_digest(KEY, record.source, record.id) for record in records)


def scripted(**finds: Any) -> Scripted:
    return Scripted(**{"lock_user": {"user_id": USER}, "erasure_of": {"key": KEY}, **finds})


def orders(database: Scripted) -> UserOrders:
    return UserOrders(database.database)


def test_a_list_is_kept_as_digests_under_a_token_that_is_told_once() -> None:
    database = scripted(show_forget={"id": ID, "token_until": AT})
    request = ShowForgetRequest(user_token="u", records=(ONE, TWO, ONE), selection=TOPIC, head_seq=4)
    shown = orders(database).show(USER, request)
    assert shown.until == AT
    [kept] = database.values("show_forget")
    assert kept["token"] == hashlib.sha256(shown.token.encode()).digest()
    assert (kept["life_s"], kept["head_seq"]) == (TOKEN_LIFE_S, 4)
    assert kept["selection"].hex() == digest(KEY, "selection", TOPIC)
    assert database.values("add_order_records") == [{"order_id": ID, "user_id": USER, "hashes": hashed(ONE, TWO)}]
    # A user has one list at a time.
    assert database.changes("forget_shown", "show_forget") == ["forget_shown", "show_forget"]
    assert orders(database).show(USER, request).token != shown.token
    assert "lease" not in str(database.ran)


def shown(**columns: Any) -> dict[str, Any]:
    selection = bytes.fromhex(digest(KEY, "selection", TOPIC))
    return {**order(), "ordered_at": None, "expired": False, "selection": selection, **columns}


def confirm(row: Any, *records: RecordRef, listed: Any = None, **request: Any) -> tuple[Scripted, Any]:
    hashes = hashed(ONE, TWO) if listed is None else listed
    database = scripted(
        lock_shown=row, order_records=[{"hash": each} for each in hashes], order_forget=order(ordered_at=AT)
    )
    given = {"user_token": "u", "token": "t", "records": records, "selection": TOPIC, **request}
    return database, orders(database).confirm(USER, ConfirmForgetRequest(**given))


def test_what_is_confirmed_is_hidden_at_once_and_what_arrived_since_is_told() -> None:
    database, confirmed = confirm(shown(), ONE, matching=(ONE, TWO, THREE))
    assert confirmed.arrived == (THREE,)
    assert confirmed.order.id == ID
    assert database.values("keep_chosen") == [{"order_id": ID, "hashes": hashed(ONE)}]
    for query in ("add_suppressions", "drop_correction_places"):
        assert database.values(query) == [{"user_id": USER, "key": KEY, "hashes": hashed(ONE)}]
    assert database.values("order_forget") == [{"id": ID, "records": 1}]
    assert database.audits() == [("owner", "memory.forget", {"order": ID, "records": 1})]
    assert database.changes("make_exclusion") == []
    assert database.values("lock_shown")[0]["token"] == hashlib.sha256(b"t").digest()


@table(
    ("keep_out", "source", "has_parts"),
    [
        (ExclusionRequest(kind="source", texts=("inbound_messages",)), "inbound_messages", False),
        (ExclusionRequest(kind="topic", texts=("lease",)), None, True),
    ],
)
def test_later_records_may_be_kept_out_too(keep_out: ExclusionRequest, source: str | None, has_parts: bool) -> None:
    database, _ = confirm(shown(), ONE, keep_out=keep_out)
    [made] = database.values("make_exclusion")
    assert (made["kind"], made["source_key"], bool(made["parts"])) == (keep_out.kind, source, has_parts)
    assert all(isinstance(part, bytes) for part in made["parts"])
    assert database.audits()[0][2] == {"order": ID, "records": 1, "keep_out": keep_out.kind}


def test_a_topic_without_a_word_keeps_nothing_out() -> None:
    keep_out = ExclusionRequest(kind="topic", texts=("?!",))
    assert fault(lambda: confirm(shown(), ONE, keep_out=keep_out))[:2] == (422, "invalid_request")


@table(
    ("row", "status", "code"),
    [
        (None, 404, "forget_not_shown"),
        (shown(expired=True), 409, "forget_expired"),
        (shown(selection=b"x" * 32), 409, "forget_changed"),
    ],
)
def test_a_list_that_is_old_or_of_something_else_is_not_confirmed(row: Any, status: int, code: str) -> None:
    with pytest.raises(ApiFault) as refused:
        confirm(row, ONE)
    assert (refused.value.status, refused.value.code) == (status, code)
    assert refused.value.hint == "Ask for the list again."


def test_only_what_was_in_the_list_can_be_chosen() -> None:
    assert fault(lambda: confirm(shown(), ONE, THREE))[:2] == (422, "invalid_request")
    assert confirm(shown(), ONE, TWO)[1].order.id == ID


@table(
    ("records", "listed", "same"),
    [
        ((ONE,), hashed(ONE), True),
        ((TWO,), hashed(ONE), False),
        # After the purge nothing tells which records they were: their number must do.
        ((TWO,), [], True),
        ((ONE, TWO), [], False),
        ((ONE, TWO), hashed(ONE), False),
    ],
)
def test_a_confirmation_counts_once(records: Any, listed: list[str], same: bool) -> None:
    used = shown(ordered_at=AT, records=1)
    if same:
        database, confirmed = confirm(used, *records, listed=listed)
        assert confirmed.order.records == 1
        assert database.changes("add_suppressions", "order_forget", "audit") == []
    else:
        assert fault(lambda: confirm(used, *records, listed=listed))[:2] == (409, "forget_ordered")


def test_an_export_is_ordered_once_at_a_time() -> None:
    database = scripted(order_export=order("export"))
    assert orders(database).export(USER).kind == "export"
    assert database.audits() == [("owner", "memory.export", {"order": ID})]
    waiting = scripted(open_export=order("export"))
    assert orders(waiting).export(USER).id == ID
    assert waiting.changes("order_export", "audit") == []


def test_orders_are_listed_and_shown() -> None:
    database = scripted(orders_of=[order("export"), order()])
    assert [each.kind for each in orders(database).listed(USER).orders] == ["export", "forget"]
    assert orders(database).order(USER, ID).kind == "export"
    assert database.values("orders_of") == [{"user_id": USER, "id": None}, {"user_id": USER, "id": ID}]
    assert fault(lambda: orders(scripted()).order(USER, ID))[:2] == (404, "order_not_found")


@table("on", [True, False])
def test_a_rule_that_there_is_can_be_switched(on: bool) -> None:
    rule = {"user_id": USER, "source_key": "user_rules", "record_id": "5"}
    request = RuleSwitchRequest(user_token="u", source_key="user_rules", record_id="5", on=on)
    database = scripted(has_rule={"known": True})
    orders(database).switch_rule(USER, request)
    assert database.values("switch_rule_on") == [rule] * on
    assert database.values("switch_rule_off") == [rule] * (not on)
    assert database.audits() == [("owner", "rule.on" if on else "rule.off", {})]
    unknown = scripted(has_rule={"known": False})
    assert fault(lambda: orders(unknown).switch_rule(USER, request))[:2] == (404, "rule_not_found")
    assert unknown.ran == []


def test_an_exclusion_is_listed_without_its_words_and_ends() -> None:
    row = {"id": ID, "kind": "topic", "source_key": None, "parts": [b"x"], "made_at": AT}
    database = scripted(exclusions_of=[row], end_exclusion={"id": ID})
    [listed] = orders(database).exclusions(USER).exclusions
    assert (listed.id, listed.kind, listed.source_key, listed.made_at) == (ID, "topic", None, AT)
    orders(database).end_exclusion(USER, ID)
    assert database.audits() == [("owner", "exclusion.end", {})]
    assert fault(lambda: orders(scripted()).end_exclusion(USER, ID))[:2] == (404, "exclusion_not_found")


def test_a_step_that_is_due_names_what_to_purge() -> None:
    database = scripted(
        due_orders=[{"user_id": USER}],
        next_order={**order(), "step": "purge"},
        begin_order=order(begun_at=AT),
        order_records=[{"hash": each} for each in hashed(ONE)],
    )
    assert orders(database).due() == (USER,)
    assert database.values("due_orders")[0]["limit"] == PIECE
    step = orders(database).begin(USER)
    assert step.order is not None
    assert (step.step, step.order.state, step.key) == ("purge", "forgetting", KEY)
    assert step.records == tuple(hashed(ONE))
    keyless = scripted(next_order={**order("export"), "step": "export"}, begin_order=order("export"), erasure_of=None)
    assert (orders(keyless).begin(USER).key, orders(keyless).begin(USER).records) == (None, ())


def test_who_is_gone_or_being_erased_orders_nothing() -> None:
    request = ShowForgetRequest(user_token="u", records=(ONE,), selection=TOPIC, head_seq=4)
    switch = RuleSwitchRequest(user_token="u", source_key="user_rules", record_id="5", on=True)
    for finds, refusal in (
        ({"lock_user": None}, (404, "user_not_found")),
        ({"lock_deletion": {"erasing_at": AT}}, (409, "erasure_begun")),
    ):
        database = scripted(has_rule={"known": True}, **finds)
        acts = (
            lambda by: by.export(USER),
            lambda by: by.show(USER, request),
            lambda by: by.switch_rule(USER, switch),
        )
        for act in acts:
            assert fault(lambda: act(orders(database)))[:2] == refusal  # noqa: B023
        assert database.ran == []


def test_an_export_is_kept_for_its_time() -> None:
    ready = scripted(orders_of=[order("export", begun_at=AT, done_at=AT)])
    assert orders(ready).order(USER, ID).ends_at == AT + timedelta(seconds=manifests.limits()["export_kept"])
