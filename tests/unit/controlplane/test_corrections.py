"""What users and operators say of statements: what is stored, what replaces what, and what runs and readers honour."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from contract.overlay import (
    CorrectionPlace,
    CorrectionRequest,
    PlacedCorrection,
    PlaceRequest,
    person_digest,
)
from controlplane.corrections import LISTED, MOST, Corrections
from controlplane.errors import ApiFault
from tests.tables import table
from tests.unit.controlplane.scripted import Scripted
from tests.unit.controlplane.test_assistants import AT, ID, S1, USER, correction, fault

KEY = "ab" * 32
JOB = "33333333-3333-4333-8333-333333333333"
OTHER = "44444444-4444-4444-8444-444444444444"
DONE = CorrectionRequest(verdict="done", statement=S1)
LATER = CorrectionRequest(verdict="later", statement=S1, until=date(2026, 12, 2))
WRONG_CLAIM = CorrectionRequest(verdict="wrong", job_id=JOB, claim=3)
ANN, BOB = "Ann Lee", "bob@marsh.example"


def row(**columns: Any) -> dict[str, Any]:
    empty = dict.fromkeys(
        ("statement", "job_id", "claim", "person", "other", "until", "about", "placed_at", "undone_at")
    )
    return {**empty, "id": ID, "user_id": USER, "verdict": "done", "made_at": AT, "made_by": "user", **columns}


def scripted(**finds: Any) -> Scripted:
    own = {"lock_user": {"user_id": USER}, "erasure_of": {"key": KEY}, "make_correction": correction}
    return Scripted(**{**own, **finds})


def test_a_correction_is_noted_once_with_its_line_in_the_audit() -> None:
    database = scripted(count_corrections={"corrections": MOST - 1})
    made = Corrections(database.database).make("user", USER, DONE)
    assert (made.id, made.verdict, made.statement, made.made_by) == (ID, "done", S1, "user")
    details = {"correction": ID, "verdict": "done"}
    assert database.audits() == [("owner", "correction.make", details)]
    by_operator = scripted()
    made = Corrections(by_operator.database).make("op@x.example", USER, DONE)
    assert (made.made_by, by_operator.audits()[0][0]) == ("operator", "op@x.example")


@table(
    ("standing", "request", "ran"),
    [
        # The same again is the row that is there.
        (row(statement=S1), DONE, []),
        (row(verdict="later", until=date(2026, 12, 2)), LATER, []),
        # Another day replaces it.
        (row(verdict="later", until=date(2026, 12, 3)), LATER, ["undo_correction", "make_correction", "audit"]),
        (None, LATER, ["make_correction", "audit"]),
    ],
)
def test_the_same_again_changes_nothing_and_another_day_replaces_the_first(
    standing: Any, request: CorrectionRequest, ran: list[str]
) -> None:
    database = scripted(same_correction=standing)
    made = Corrections(database.database).make("user", USER, request)
    assert database.changes("undo_correction", "make_correction", "audit", "undo_persons") == ran
    assert made.until == (request.until.isoformat() if request.until else None)
    if "undo_correction" in ran:
        assert database.values("undo_correction") == [{"user_id": USER, "id": ID, "by": "user"}]


def test_that_two_are_one_takes_back_that_they_are_two_in_whatever_order() -> None:
    asked = []
    for person, other in ((ANN, BOB), (BOB, ANN)):
        database = scripted()
        request = CorrectionRequest(verdict="same_person", person=person, other=other)
        Corrections(database.database).make("user", USER, request)
        [undone] = database.values("undo_persons")
        assert undone["verdict"] == "different_person"
        asked.append((undone["person"], undone["other"]))
    assert asked[0] == asked[1]
    assert {each.hex() for each in asked[0]} == {person_digest(KEY, ANN), person_digest(KEY, BOB)}
    database = scripted()
    request = CorrectionRequest(verdict="different_person", person=ANN, other=BOB)
    Corrections(database.database).make("user", USER, request)
    assert database.values("undo_persons")[0]["verdict"] == "same_person"


@table(
    ("finds", "request", "status", "code"),
    [
        ({"lock_user": None}, DONE, 404, "user_not_found"),
        ({"lock_deletion": {"erasing_at": AT}}, DONE, 409, "erasure_begun"),
        ({"count_corrections": {"corrections": MOST}}, DONE, 409, "too_many_corrections"),
        ({}, WRONG_CLAIM, 404, "job_not_found"),
        ({"read_job": {"user_id": OTHER}}, WRONG_CLAIM, 404, "job_not_found"),
        ({"read_job": {"user_id": USER}, "claims_of_job": {"claims": 2}}, WRONG_CLAIM, 404, "claim_not_found"),
        ({"read_job": {"user_id": USER}}, WRONG_CLAIM.model_copy(update={"claim": 1}), 404, "claim_not_found"),
    ],
)
def test_what_cannot_be_corrected_is_refused_and_changes_nothing(
    finds: Any, request: CorrectionRequest, status: int, code: str
) -> None:
    database = scripted(**finds)
    assert fault(lambda: Corrections(database.database).make("user", USER, request))[:2] == (status, code)
    assert database.ran == []


def test_a_claim_of_the_users_own_report_may_be_wrong_up_to_the_last() -> None:
    database = scripted(read_job={"user_id": USER}, claims_of_job={"claims": 3})
    made = Corrections(database.database).make("user", USER, WRONG_CLAIM)
    assert (made.job_id, made.claim) == (JOB, 3)
    # A deletion that waits for its day refuses nothing.
    database = scripted(lock_deletion={"erasing_at": None})
    assert Corrections(database.database).make("user", USER, DONE).id == ID


def test_the_users_key_is_made_by_who_needs_it_first() -> None:
    database = scripted()
    Corrections(database.database).make("user", USER, DONE)
    Corrections(database.database).make("user", USER, DONE)
    first, second = database.values("claim_suppression_key")
    assert len(bytes.fromhex(first["key"])) == 32
    assert first["key"] != second["key"]
    assert first["erased_at"] is None


def test_undoing_counts_the_first_time() -> None:
    undone = row(undone_at=AT)
    database = scripted(undo_correction=undone)
    assert Corrections(database.database).undo("user", USER, ID).undone_at == AT
    assert database.audits() == [("owner", "correction.undo", {"correction": ID, "verdict": "done"})]
    again = scripted(read_correction=undone)
    assert Corrections(again.database).undo("user", USER, ID).undone_at == AT
    assert again.audits() == []
    with pytest.raises(ApiFault) as refused:
        Corrections(scripted().database).undo("user", USER, ID)
    assert (refused.value.status, refused.value.code) == (404, "correction_not_found")


def test_corrections_are_listed_with_digests_only() -> None:
    digest = bytes.fromhex("cd" * 32)
    database = scripted(
        list_corrections=[row(person=digest, other=digest, verdict="same_person", made_by="x@y.example")]
    )
    [listed] = Corrections(database.database).listed(USER).corrections
    assert (listed.person, listed.other, listed.made_by) == ("cd" * 32, "cd" * 32, "operator")
    assert database.values("list_corrections") == [{"user_id": USER, "limit": LISTED}]


def test_what_a_run_found_that_a_correction_speaks_of_is_kept_the_first_time() -> None:
    place = CorrectionPlace(record="ee" * 32, marks=("ff" * 32,))
    request = PlaceRequest(
        placed=(PlacedCorrection(id=ID, about="dd" * 32, places=(place,)), PlacedCorrection(id=OTHER, places=(place,)))
    )
    database = scripted(place_correction=lambda values: {"id": ID} if values["id"] == ID else None)
    Corrections(database.database).place(USER, request)
    assert [values["about"] for values in database.values("place_correction")] == [bytes.fromhex("dd" * 32), None]
    assert database.values("add_correction_place") == [
        {"id": ID, "user_id": USER, "record": bytes.fromhex("ee" * 32), "marks": [bytes.fromhex("ff" * 32)]}
    ]


RULE = {"source_key": "user_rules", "record_id": "5", "changed_at": AT, "off": False}
STANDING: dict[str, Any] = {
    "standing_corrections": [row(statement=S1)],
    "correction_places": [{"correction_id": ID, "record": "ee" * 32, "marks": ["ff" * 32]}],
    "hidden_records": [{"hash": "ab" * 32}],
    "rules_of": [RULE],
    "exclusions_of": [{"id": OTHER, "kind": "source", "source_key": "granola_transcripts", "parts": []}],
}


def test_the_overlay_has_all_that_is_to_be_honoured() -> None:
    database = scripted(**STANDING)
    overlay = Corrections(database.database).overlay(USER)
    assert (overlay.key, overlay.hidden_records) == (KEY, ("ab" * 32,))
    [standing] = overlay.corrections
    assert [(place.record, place.marks) for place in standing.places] == [("ee" * 32, ("ff" * 32,))]
    assert [(rule.record_id, rule.off) for rule in overlay.rules] == [("5", False)]
    assert [(each.id, each.kind, each.source_key) for each in overlay.exclusions] == [
        (OTHER, "source", "granola_transcripts")
    ]
    # Nobody of whom nothing is suppressed has a key, nor hidden records.
    none = Corrections(Scripted(hidden_records=[{"hash": "ab" * 32}]).database).overlay(USER)
    assert (none.key, none.hidden_records, none.corrections) == (None, (), ())


@table(
    ("finds", "same"),
    [
        ({}, True),
        # Where a run found what a correction speaks of makes no difference.
        ({"correction_places": []}, True),
        ({"hidden_records": []}, False),
        ({"standing_corrections": []}, False),
        ({"standing_corrections": [row(verdict="later", until=date(2026, 12, 2))]}, False),
        ({"exclusions_of": []}, False),
        ({"rules_of": [{**RULE, "off": True}]}, False),
        ({"rules_of": [{**RULE, "changed_at": AT + timedelta(seconds=1)}]}, False),
        ({"rules_of": [{**RULE, "changed_at": datetime(2026, 11, 27, 10, tzinfo=UTC)}]}, False),
    ],
)
def test_an_overlays_version_tells_whether_it_says_the_same(finds: Any, same: bool) -> None:
    def version(**finds: Any) -> str:
        return Corrections(scripted(**finds).database).overlay(USER).version

    assert (version(**STANDING) == version(**{**STANDING, **finds})) == same
