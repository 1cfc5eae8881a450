"""What a judge is asked about claims, and which of its rulings count."""

from __future__ import annotations

import json
from typing import Any

from consumer.understanding import judgeform, structured
from consumer.understanding.support import Question
from tests.tables import table


def rulings(*several: tuple[Any, Any]) -> str:
    return json.dumps({"rulings": [{"claim": number, "ruling": ruling} for number, ruling in several]})


@table(
    ("content", "expected"),
    [
        (rulings((1, "supported"), (2, "partial"), (3, "unsupported")), ["supported", "partial", "unsupported"]),
        (rulings((3, "supported")), ["", "", "supported"]),
        # So does a ruling on an entry that was not asked about.
        (rulings((0, "supported"), (1, "partial")), ["", "", ""]),
        (rulings((4, "supported"), (1, "partial")), ["", "", ""]),
        (rulings((1, "supported"), (1, "supported")), ["supported", "", ""]),
        (rulings((1, "supported"), (1, "partial")), ["", "", ""]),
        (rulings((1, "perhaps"), (2, "supported")), ["", "supported", ""]),
        # One entry of another form makes the whole answer void.
        (rulings((1, "supported"), ("2", "supported")), ["", "", ""]),
        (rulings((1, "supported"), (True, "supported")), ["", "", ""]),
        (rulings((1, "supported"), (2, 7)), ["", "", ""]),
        ('{"rulings": [{"claim": 1, "ruling": "supported", "more": 1}]}', ["", "", ""]),
        ('{"rulings": [{"claim": 1}]}', ["", "", ""]),
        ('{"rulings": [7]}', ["", "", ""]),
        ('{"rulings": 7}', ["", "", ""]),
        ('{"rulings": [], "more": 1}', ["", "", ""]),
        ('{"rulings": [{"claim": 1, "claim": 1, "ruling": "supported"}]}', ["", "", ""]),
        ("[]", ["", "", ""]),
        ("no JSON", ["", "", ""]),
        ("[" * 100_000, ["", "", ""]),
        (rulings((1, "supported")).ljust(structured.ANSWER_BYTES), ["supported", "", ""]),
        (rulings((1, "supported")).ljust(structured.ANSWER_BYTES + 1), ["", "", ""]),
    ],
)
def test_a_ruling_counts_only_in_an_answer_of_the_schemas_form(content: str, expected: list[str]) -> None:
    assert judgeform.parse(content, 3) == expected


def test_claims_are_numbered_from_one_with_their_quotes() -> None:
    asked = [Question("Bob pays.", (("notes/a", "I'll pay."),)), Question("Ann pays.", (("notes/b", "I pay."),))]
    body = json.loads(judgeform.body("model-1", asked, 500))
    system, user = body["messages"]
    assert system["content"] == judgeform.SYSTEM
    head, *lines = user["content"].splitlines()
    assert head == "Claims:"
    assert [json.loads(line) for line in lines] == [
        {"claim": 1, "says": "Bob pays.", "quotes": [{"page": "notes/a", "quote": "I'll pay."}]},
        {"claim": 2, "says": "Ann pays.", "quotes": [{"page": "notes/b", "quote": "I pay."}]},
    ]
