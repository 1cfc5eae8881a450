"""Which records a purge selects, and how they are shown before it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from consumer.erasure.matching import RecordKey
from consumer.erasure.selecting import CONTACTS, Matched, Matching, Sample, Selection, keys
from consumer.snapshot.suppression import Suppressed
from tests.tables import table


def record(source: str, record_id: str, **data: Any) -> dict[str, Any]:
    return {"source_key": source, "record_id": record_id, "updated_at": "2026-11-20T09:00:00Z", "data": data}


ANN = record(CONTACTS, "17", display_name="Ann Lee", email="ann@lee.example")
RECORDS = [
    ANN,
    record("messages", "of contact 17", contact_id="17", body="Hello"),
    record("messages", "by name", sender_name="ann  lee", body="Hello"),
    record("messages", "by address", sender="Ann Lee <ANN@lee.example>", body="Hello"),
    record("messages", "a number 17", subject="17", body="Hello"),
    record("messages", "of contact 18", contact_id="18", body="Hello"),
    record(CONTACTS, "18", display_name="Bob Marsh", email="bob@marsh.example"),
    # A version of contact 18 that names nobody, and another record with the id of a contact.
    record(CONTACTS, "18", note="met in Oslo"),
    {**record(CONTACTS, "18"), "data": None},
    record("messages", "17", body="Hello"),
    record("messages", "one of several names", attendees=["Bob Marsh", "Ann Lee"]),
    record("messages", "a list of names", to="Bob Marsh, Ann Lee; Cy Roe"),
    record("messages", "a sentence", body="I met Ann in Oslo, Ann Lee"),
    record("messages", "an address in a sentence", body="Write to ann@lee.example."),
    record("messages", "a longer address", sender="joann@lee.example"),
]
HERS = {
    (CONTACTS, "17"),
    *(
        ("messages", each)
        for each in ("of contact 17", "by name", "by address", "one of several names", "a list of names")
    ),
    ("messages", "an address in a sentence"),
}


@table(
    ("person", "selected"),
    [
        # An id is no name: a field with the value 17 says nothing of contact 17.
        ("17", HERS),
        ("Ann Lee", HERS),
        ("ann@lee.example", HERS),
        ("Nobody", set()),
    ],
)
def test_a_person_is_selected_by_their_contacts_id_name_and_addresses(person: str, selected: set[RecordKey]) -> None:
    assert matched_in(Selection(person=person), RECORDS).records == selected


def matched_in(selection: Selection, records: list[dict[str, Any]]) -> Matched:
    matching = Matching(selection)
    assert matching.needs_contacts is bool(selection.person)
    for each in records:
        matching.learn(each)
    for each in records:
        matching.look(each)
    return matching.matched(1, "sha256:c")


def test_a_contact_without_a_name_is_selected_by_its_id() -> None:
    records = [record(CONTACTS, "5", note="met in Oslo"), record("messages", "5", body="Hello")]
    assert matched_in(Selection(person="5"), records).records == {(CONTACTS, "5")}


@table(
    ("person", "selected"),
    [
        ("+49 30 12345", {("messages", "1")}),  # nine digits or more name one person
        ("4930123", {("messages", "2")}),  # fewer are looked for as a whole field only
        ("order 123456789", {("messages", "4")}),  # and so is what has letters
    ],
)
def test_a_telephone_number_is_found_within_a_field(person: str, selected: set[RecordKey]) -> None:
    records = [
        record("messages", "1", sender="tel. +49 30 12345"),
        record("messages", "2", sender="4930123"),
        record("messages", "3", sender="tel. 4930123"),
        record("messages", "4", sender="order 123456789"),
        record("messages", "5", sender="of order 123456789"),
    ]
    assert matched_in(Selection(person=person), records).records == selected


@table(
    ("text", "selected"),
    [
        ("the Kestrel launch", True),
        ("the\nKESTREL  launch", True),
        ("Kestrel or launch", False),
        ("Kestrel, Kestrel launch", True),
        ("Kestrels launch", False),
    ],
)
def test_consecutive_words_are_selected(text: str, selected: bool) -> None:
    matched = matched_in(Selection(about="kestrel launch"), [record("messages", "1", body=text)])
    assert matched.records == ({("messages", "1")} if selected else set())


def test_words_without_a_letter_are_refused() -> None:
    with pytest.raises(ValueError, match="'--' contains no word to search for"):
        Matching(Selection(about="--"))


def test_every_selector_that_is_given_has_to_match() -> None:
    records = [
        record("messages", "1", body="Kestrel"),
        record("messages", "2", body="Osprey"),
        record("notes", "1", body="Kestrel"),
    ]
    named = Suppressed().adding([("messages", "1")], b"key")
    assert matched_in(Selection(source="messages"), records).records == {("messages", "1"), ("messages", "2")}
    assert matched_in(Selection(source="messages", about="kestrel"), records).records == {("messages", "1")}
    assert matched_in(Selection(records=frozenset({("notes", "1")})), records).records == {("notes", "1")}
    assert matched_in(Selection(suppressed=named), records).records == {("messages", "1")}
    assert matched_in(Selection(suppressed=Suppressed()), records).records == set()


def at(record_id: str, day: str, **data: Any) -> dict[str, Any]:
    return {**record("notes", record_id, **data), "occurred_at": f"{day}T08:00:00Z" if day else None}


def test_a_record_is_dated_by_its_newest_version_with_data() -> None:
    versions = [
        at("1", "2026-03-09", title="Newer") | {"updated_at": "2026-03-02T00:00:00Z"},
        at("1", "2026-03-01", title="Older") | {"updated_at": "2026-03-01T00:00:00Z"},
        {"source_key": "notes", "record_id": "1", "updated_at": "2026-03-03T00:00:00Z", "data": None},
    ]
    newest = (Sample("notes", "2026-03-09", "Newer"),)
    assert matched_in(Selection(source="notes"), versions).samples == newest
    assert matched_in(Selection(source="notes"), versions[::-1]).samples == newest
    # Also the text of the older version, which is in the history, is looked for.
    assert matched_in(Selection(about="older"), versions).samples == newest
    assert matched_in(Selection(source="notes", before=date(2026, 3, 9)), versions).records == set()
    assert matched_in(Selection(source="notes", before=date(2026, 3, 10)), versions).records == {("notes", "1")}


def test_of_two_versions_of_one_moment_the_later_line_counts() -> None:
    versions = [at("1", "2026-03-01", title="First"), at("1", "2026-03-01", title="Second")]
    assert [each.title for each in matched_in(Selection(source="notes"), versions).samples] == ["Second"]


def test_a_record_without_a_day_is_never_before_one() -> None:
    undated = [at("1", "", title="Undated") | {"updated_at": None}]
    assert matched_in(Selection(source="notes", before=date(2030, 1, 1)), undated).records == set()
    matched = matched_in(Selection(source="notes"), undated)
    assert (matched.records, matched.first, matched.last) == ({("notes", "1")}, "", "")


def test_what_matches_is_shown_by_source_days_and_samples_over_the_whole_time() -> None:
    records = [at(f"{n:02}", f"2026-03-{n:02}", subject=f"Note {n}") for n in range(1, 13)]
    matched = matched_in(Selection(), [*records, record("messages", "m", body="Hello")])
    assert matched.by_source == {"messages": 1, "notes": 12}
    assert (matched.first, matched.last) == ("2026-03-01", "2026-11-20")
    # Every second of thirteen, at most five.
    assert [each.title for each in matched.samples] == [f"Note {n}" for n in (1, 3, 5, 7, 9)]
    assert [each.title for each in matched_in(Selection(), records[:3]).samples] == ["Note 1", "Note 2", "Note 3"]


@table(
    ("data", "title"),
    [
        ({"subject": " The  board ", "body": "Hello"}, "The board"),
        ({"title": "", "name": "Kestrel"}, "Kestrel"),
        ({"title": 7}, ""),
        ({"title": "x" * 81}, "x" * 80),
        (["Kestrel"], ""),
    ],
)
def test_a_sample_has_the_title_of_the_record(data: Any, title: str) -> None:
    line = {"source_key": "notes", "record_id": "1", "updated_at": "2026-03-01T00:00:00Z", "data": data}
    assert matched_in(Selection(), [line]).samples == (Sample("notes", "2026-03-01", title),)


def test_the_selectors_are_named_without_their_values() -> None:
    everything = Selection(
        frozenset({("notes", "1")}), "notes", "kestrel", "Ann", date(2026, 1, 1), suppressed=Suppressed()
    )
    assert everything.selectors == ("record", "source", "about", "person", "before", "suppressed")
    assert Selection(source="notes").selectors == ("source",)


def test_what_changed_since_it_was_shown_is_told() -> None:
    shown = Matched(frozenset({("notes", "1"), ("notes", "2")}), seq=3, commit="sha256:c")
    assert shown.difference(shown) == ""
    later = Matched(frozenset({("notes", "1"), ("notes", "3")}), seq=4, commit="sha256:d")
    assert later.difference(shown) == (
        "1 more record matches now; 1 record no longer matches; HEAD moved from commit 3 to 4"
    )
    more = Matched(shown.records | {("notes", "3"), ("notes", "4")}, seq=3, commit="sha256:c")
    assert more.difference(shown) == "2 more records match now"
    assert shown.difference(more) == "2 records no longer match"
    assert len({shown.digest, later.digest, more.digest}) == 3


def test_a_record_is_named_by_its_source_and_id() -> None:
    assert keys(["notes:note-1", "mail:<a:b>"]) == {("notes", "note-1"), ("mail", "<a:b>")}


@table("text", ["notes", "notes:", ":note-1", ""])
def test_a_name_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not of the form SOURCE:ID"):
        keys([text])
