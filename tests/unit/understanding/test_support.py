"""Claims that cite real quotes: those that say the same are verified, those that say something else are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from consumer.understanding import support
from consumer.understanding.support import Directory, Passage, Record

DATA = Path(__file__).parent.parent.parent / "data" / "support" / "claims.yaml"
LANGUAGES = 5


class Case(NamedTuple):
    record: str
    kind: str
    claim: str
    quote: str


def documents() -> list[dict[str, Any]]:
    return list(yaml.safe_load(DATA.read_text("utf-8")))


def record(document: dict[str, Any]) -> Record:
    return Record(
        title=document["title"],
        page_title=document["title"],
        day=str(document["day"]),
        facts=tuple((label, str(value)) for label, value in document["facts"].items()),
        people=tuple((f"people/{name.lower().replace(' ', '-')}", name) for name in document["people"]),
        lines=tuple(document["text"].splitlines()),
    )


RECORDS = {document["record"]: record(document) for document in documents()}
PEOPLE = Directory.of([person for each in RECORDS.values() for person in each.people])


def cases(kind: str) -> Iterator[Case]:
    for document in documents():
        for row in document.get(kind, "").splitlines():
            *label, claim, quote = row.split(" | ")
            yield Case(document["record"], label[0] if label else kind, claim, quote)


def checked(case: Case) -> str:
    """Why a claim is not verified, "" if it is."""
    passage = Passage("sources/cloop/x/y", case.quote, RECORDS[case.record])
    return next((each.reason for each in support.compare(case.claim, [passage], PEOPLE) if not each.passed), "")


def test_no_claim_that_says_something_else_is_verified() -> None:
    wrong = list(cases("wrong"))
    verified = [case for case in wrong if not checked(case)]
    print(f"{len(wrong) - len(verified)} of {len(wrong)} wrong claims are refused")
    assert not verified, "\n".join(map(str, verified))
    assert len(wrong) >= 110


def test_claims_in_other_words_are_verified() -> None:
    true = list(cases("holds"))
    refused = [(case, reason) for case in true if (reason := checked(case))]
    rate = 1 - len(refused) / len(true)
    print(f"{rate:.1%} of {len(true)} true claims are verified")
    assert rate >= 0.95, "\n".join(map(str, refused))
    assert len(true) >= 110
