"""Records with a promise each, and what a careful model notes of them."""

from __future__ import annotations

from typing import Any, Final

from consumer.understanding.utterances import ME, Person, RecordText, Utterance

BOB: Final = Person("Bob Lee", "bob@x.example")
#: Characters of a batch of two of these records.
TWO_A_BATCH: Final = 160


def record(number: int, text: str = "I'll send you the revised lease by Tuesday.") -> RecordText:
    utterance = Utterance(0, BOB, (ME,), "2026-11-26 09:00 +01:00", "written", f"{text} No {number}.", "en")
    return RecordText("inbound_messages", f"m{number}", "", (utterance,), (BOB,))


def noted(shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One commitment a record. ``shown``: the records as the model gets them."""
    return [
        {
            "kind": "commitment",
            "record": each["record"],
            "line": each["lines"][0]["line"],
            "quote": "send you the revised lease by Tuesday",
            "by": each["lines"][0]["by"],
            "to": ["me"],
            "object": "the revised lease",
            "due": "by Tuesday",
            "condition": "",
        }
        for each in shown
    ]
