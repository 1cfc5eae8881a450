"""Which records a person of a purge selects."""

from __future__ import annotations

from typing import Any

from consumer.erasure.selecting import CONTACTS, Matching, Selection
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
]
HERS = {"17", "of contact 17", "by name", "by address"}


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
def test_a_person_is_selected_by_their_contacts_id_name_and_addresses(person: str, selected: set[str]) -> None:
    matching = Matching(Selection(person=person))
    for each in RECORDS:
        matching.learn(each)
    for each in RECORDS:
        matching.look(each)
    assert {record_id for _, record_id in matching.matched(1, "sha256:c").records} == selected
