"""Corrections in the control plane: what is stored, for whom, how often, and what takes it away again."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from consumer.snapshot.suppression import Suppressed
from contract.overlay import Overlay, person_digest, record_digest
from tests.fixtures_controlplane import CONSUMER, World
from tests.integration.test_controlplane_flags import mark, reported
from tests.integration.test_controlplane_suppressions import consumer, operator

pytestmark = pytest.mark.integration
STATEMENT, OTHER = "0123456789abcdef", "fedcba9876543210"
UNKNOWN = "00000000-0000-4000-8000-000000000000"
ANNA, BERTA = "address/anna@example.com", "name/berta brandt"
NOTE, MAIL = ("meeting_notes", "note-4711"), ("inbound_messages", "mail-0815")


def correct(world: World, user: str, **fields: Any) -> Any:
    body = {"verdict": "wrong", "statement": STATEMENT, **fields}
    return world.operate(
        "POST", f"/memory-users/{user}/corrections", {name: value for name, value in body.items() if value is not None}
    )


def people(world: World, user: str, verdict: str, person: str = ANNA, other: str = BERTA) -> Any:
    return correct(world, user, verdict=verdict, statement=None, person=person, other=other)


def undo(world: World, user: str, correction: str) -> Any:
    return world.operate("POST", f"/memory-users/{user}/corrections/{correction}/undo")


def overlay(world: World, user: str) -> Overlay:
    answer = world.call("POST", f"/memory-users/{user}/overlay", world.issuer.token(CONSUMER))
    assert answer.status_code == 200, answer.text
    return Overlay.model_validate(answer.json())


def place(world: World, user: str, correction: str, *records: tuple[str, str]) -> None:
    key = overlay(world, user).key or ""
    rows = [{"record": record_digest(key, *record), "marks": ["ab" * 32]} for record in records]
    body = {"placed": [{"id": correction, "about": "cd" * 32, "places": rows}]}
    path = f"/memory-users/{user}/corrections/places"
    answer = world.call("POST", path, world.issuer.token(CONSUMER), body)
    assert answer.status_code == 200, answer.text


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def with_key(world: World, user: str) -> None:
    consumer(world).suppress(user, Suppressed(b"k" * 32))


# --- make, list, undo --------------------------------------------------------------------------------------------


def test_a_correction_is_in_the_overlay_of_its_user_alone(world: World) -> None:
    ada, bob = world.user(), world.user("bob@example.com")
    before = overlay(world, ada)
    made = correct(world, ada).json()
    assert (made["verdict"], made["statement"], made["made_by"]) == ("wrong", STATEMENT, "operator")
    assert [each.id for each in overlay(world, ada).corrections] == [made["id"]]
    assert overlay(world, ada).version != before.version
    assert overlay(world, bob).corrections == ()


def test_the_same_correction_twice_is_one_row_and_one_line_of_the_audit(world: World) -> None:
    user = world.user()
    first, second = correct(world, user), correct(world, user)
    assert first.json() == second.json()
    assert len(world.sql("select 1 from memory_audit where action = 'correction.make'")) == 1


def test_undo_twice_is_undo_once_and_then_it_may_be_said_again(world: World) -> None:
    user = world.user()
    made = correct(world, user).json()["id"]
    first = undo(world, user, made).json()
    assert first["undone_at"] is not None
    assert undo(world, user, made).json() == first
    assert overlay(world, user).corrections == ()
    again = correct(world, user).json()["id"]
    assert again != made
    listed = world.operate("GET", f"/memory-users/{user}/corrections").json()["corrections"]
    assert [row["id"] for row in listed] == [again, made]


def test_nobody_undoes_a_correction_of_another_user(world: World) -> None:
    ada, bob = world.user(), world.user("bob@example.com")
    made = correct(world, ada).json()["id"]
    assert code(undo(world, bob, made)) == (404, "correction_not_found")
    assert code(undo(world, ada, UNKNOWN)) == (404, "correction_not_found")
    assert len(overlay(world, ada).corrections) == 1


def test_later_takes_the_day_that_was_said_last(world: World) -> None:
    user = world.user()
    correct(world, user, verdict="later", until="2026-12-02")
    correct(world, user, verdict="later", until="2026-12-09")
    assert [each.until for each in overlay(world, user).corrections] == ["2026-12-09"]


@pytest.mark.parametrize(
    "body",
    [
        {"statement": None},
        {"statement": "not an id"},
        {"statement": STATEMENT, "person": ANNA, "other": BERTA},
        {"verdict": "done", "statement": None, "job_id": UNKNOWN, "claim": 1},
        {"verdict": "later"},
        {"until": "2026-12-02"},
        {"verdict": "same_person", "statement": None, "person": ANNA},
        {"verdict": "same_person", "statement": None, "person": ANNA, "other": ANNA},
        {"verdict": "funny"},
    ],
)
def test_a_correction_of_another_form_is_refused(world: World, body: dict[str, Any]) -> None:
    user = world.user()
    assert code(correct(world, user, **body)) == (422, "invalid_request")
    assert overlay(world, user).corrections == ()


def test_a_correction_needs_a_memory(world: World) -> None:
    assert code(correct(world, UNKNOWN)) == (404, "user_not_found")


def test_claims_are_those_of_the_users_own_reports(world: World) -> None:
    ada, bob = world.user(), world.user("bob@example.com")
    job = reported(world, ada)
    assert correct(world, ada, statement=None, job_id=job, claim=3).status_code == 200
    assert code(correct(world, bob, statement=None, job_id=job, claim=3)) == (404, "job_not_found")
    assert code(correct(world, ada, statement=None, job_id=job, claim=4000)) == (404, "claim_not_found")


# --- people ------------------------------------------------------------------------------------------------------


def test_people_are_stored_as_digests_in_whatever_order_they_were_named(world: World) -> None:
    user = world.user()
    first = people(world, user, "same_person").json()
    assert people(world, user, "same_person", BERTA, ANNA).json() == first
    key = overlay(world, user).key or ""
    assert {first["person"], first["other"]} == {person_digest(key, ANNA), person_digest(key, BERTA)}
    stored = str(world.sql("select * from memory_corrections")) + str(world.sql("select * from memory_audit"))
    assert "anna" not in stored


def test_two_people_who_are_one_are_no_longer_two(world: World) -> None:
    user = world.user()
    people(world, user, "same_person")
    people(world, user, "different_person")
    assert [each.verdict for each in overlay(world, user).corrections] == ["different_person"]


# --- what runs and operators add ---------------------------------------------------------------------------------


def test_a_run_places_a_correction_once(world: World) -> None:
    user = world.user()
    with_key(world, user)
    made = correct(world, user).json()["id"]
    version = overlay(world, user).version
    place(world, user, made, NOTE)
    place(world, user, made, MAIL)
    [kept] = overlay(world, user).corrections
    assert [entry.record for entry in kept.places] == [record_digest((b"k" * 32).hex(), *NOTE)]
    assert kept.placed_at is not None
    assert overlay(world, user).version == version, "where it stands changes nothing for who honours it"


def test_a_run_places_nothing_in_another_users_corrections(world: World) -> None:
    ada, bob = world.user(), world.user("bob@example.com")
    with_key(world, ada)
    with_key(world, bob)
    made = correct(world, ada).json()["id"]
    place(world, bob, made, NOTE)
    assert overlay(world, ada).corrections[0].placed_at is None


def test_a_mark_is_a_correction_until_another_verdict(world: World) -> None:
    user = world.user()
    job = reported(world, user)
    mark(world, job, 2, "wrong")
    [made] = overlay(world, user).corrections
    assert (made.job_id, made.claim, made.made_by) == (job, 2, "operator")
    mark(world, job, 2, "wrong")
    assert len(overlay(world, user).corrections) == 1
    mark(world, job, 2, "useful")
    assert overlay(world, user).corrections == ()


def test_rules_are_named_and_not_quoted(world: World) -> None:
    user = world.user()
    before = overlay(world, user).version
    world.sql("insert into public.user_rules (user_id, rule_text) values (%s, 'Sofie is private')", user)
    after = overlay(world, user)
    assert [rule.source_key for rule in after.rules] == ["user_rules"]
    assert "Sofie" not in after.model_dump_json()
    world.sql(
        "update public.user_rules set enabled = false, updated_at = now() + interval '1 s' where user_id = %s", user
    )
    assert len({before, after.version, overlay(world, user).version}) == 3


# --- what takes it away ------------------------------------------------------------------------------------------


def test_a_purge_takes_the_correction_of_its_record_and_no_other(world: World) -> None:
    user = world.user()
    with_key(world, user)
    one, both = correct(world, user).json()["id"], correct(world, user, statement=OTHER).json()["id"]
    kept = correct(world, user, statement=STATEMENT + OTHER).json()["id"]
    place(world, user, one, NOTE)
    place(world, user, both, NOTE, MAIL)
    operator(world).suppress(user, Suppressed().adding([NOTE], b"k" * 32))
    after = overlay(world, user)
    assert {each.id for each in after.corrections} == {both, kept}
    [rest] = [each for each in after.corrections if each.id == both]
    assert [entry.record for entry in rest.places] == [record_digest((b"k" * 32).hex(), *MAIL)]
    assert after.hidden_records == (record_digest((b"k" * 32).hex(), *NOTE),)


def test_a_purge_of_one_user_touches_no_other(world: World) -> None:
    ada, bob = world.user(), world.user("bob@example.com")
    for user in (ada, bob):
        with_key(world, user)
        place(world, user, correct(world, user).json()["id"], NOTE)
    operator(world).suppress(ada, Suppressed().adding([NOTE], b"k" * 32))
    assert overlay(world, ada).corrections == ()
    assert len(overlay(world, bob).corrections) == 1


def test_an_erasure_takes_all_of_them(world: World) -> None:
    user = world.user()
    correct(world, user)
    world.operate("DELETE", f"/memory-users/{user}")
    assert world.operate("POST", f"/memory-users/{user}/erasure", {"reason": "asked"}).status_code == 200
    assert world.sql("select * from memory_corrections") == []


def test_the_app_shows_users_their_own_and_no_digest(world: World) -> None:
    ada, bob = world.user(), world.user("bob@example.com")
    correct(world, ada)
    correct(world, bob)
    with world.db.transaction():
        world.sql("set local role authenticated")
        world.sql("select set_config('request.jwt.claims', %s, true)", f'{{"sub": "{ada}", "role": "authenticated"}}')
        world.sql("select set_config('request.jwt.claim.sub', %s, true)", ada)
        assert [str(row["user_id"]) for row in world.sql("select user_id from memory_corrections")] == [ada]
        with pytest.raises(psycopg.errors.InsufficientPrivilege), world.db.transaction():
            world.sql("select person from memory_corrections")


def test_only_runs_ask_for_the_overlay(world: World) -> None:
    user = world.user()
    assert world.operate("POST", f"/memory-users/{user}/overlay").status_code == 403
    assert world.call("POST", f"/memory-users/{user}/overlay", None).status_code == 401
