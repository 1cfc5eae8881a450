from __future__ import annotations

from collections.abc import Callable

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumer.errors import SynthesisInvalid
from consumer.reports import claims
from tests.tables import table

JOB = "0b8a7f0e-5c1d-4c55-9d55-0f6d2f3f1a01"


def claim(**changes: object) -> dict[str, object]:
    citation = {"page": "sources/cloop/notes/a-1", "anchor": "r-1", "quote": "we ship on Friday"}
    return {"text": "Ship date is Friday", "kind": "change", "citations": [citation], "confidence": 0.8, **changes}


def document(*given_claims: dict[str, object], **changes: object) -> bytes:
    return orjson.dumps({"schema": claims.SCHEMA, "job_id": JOB, "claims": list(given_claims), **changes})


def refusal(data: bytes) -> str:
    with pytest.raises(SynthesisInvalid) as caught:
        claims.parse(data, JOB)
    return str(caught.value)


def test_a_valid_file_round_trips() -> None:
    parsed = claims.parse(document(claim()), JOB)
    assert parsed.claims[0].citations[0].page == "sources/cloop/notes/a-1"
    assert claims.parse(parsed.encode(), JOB) == parsed
    assert orjson.loads(parsed.encode())["schema"] == "memory.claims.v1"


@pytest.mark.parametrize("page", ["brain/people/anna", "people/anna.md", "/brain/people/anna.md", " people/anna "])
def test_agents_spellings_of_a_page_mean_the_page(page: str) -> None:
    parsed = claims.parse(document(claim(citations=[{"page": page, "anchor": "#top", "quote": "q"}])), JOB)
    assert parsed.claims[0].citations[0].page == "people/anna"
    assert parsed.claims[0].citations[0].anchor == "top"


@pytest.mark.parametrize("anchor", [None, "", "#", " "])
def test_no_anchor_is_no_anchor(anchor: str | None) -> None:
    parsed = claims.parse(document(claim(citations=[{"page": "people/anna", "anchor": anchor, "quote": "q"}])), JOB)
    assert parsed.claims[0].citations[0].anchor is None


@table("page", ["../etc/passwd", "people/../../x", "a//b", "a\\b", "a\nb", "", "brain/", "."])
def test_a_page_outside_the_brain_is_refused(page: str) -> None:
    assert "claims[0].citations[0].page" in refusal(document(claim(citations=[{"page": page, "quote": "q"}])))


@table(
    ("change", "place"),
    [
        ({"kind": "gossip"}, "claims[0].kind"),
        ({"text": ""}, "claims[0].text"),
        ({"confidence": 1.5}, "claims[0].confidence"),
        ({"citations": [{"page": "a", "quote": ""}]}, "claims[0].citations[0].quote"),
        ({"citations": [{"page": "a", "quote": "q", "anchor": 7}]}, "claims[0].citations[0].anchor"),
    ],
)
def test_a_fault_is_named_by_place(change: dict[str, object], place: str) -> None:
    assert place in refusal(document(claim(**change)))


def _cited(**changes: object) -> dict[str, object]:
    return claim(citations=[{"page": "a", "anchor": None, "quote": "q", **changes}])


@pytest.mark.parametrize(
    ("most", "made", "place"),
    [
        (400, lambda n: document(_cited(page="p" * n)), "claims[0].citations[0].page"),
        (200, lambda n: document(_cited(anchor="a" * n)), "claims[0].citations[0].anchor"),
        (1000, lambda n: document(_cited(quote="q" * n)), "claims[0].citations[0].quote"),
        (12, lambda n: document(claim(citations=[{"page": "a", "quote": "q"}] * n)), "claims[0].citations"),
        (2000, lambda n: document(claim(text="t" * n)), "claims[0].text"),
        (200, lambda n: document(*[claim()] * n), "claims"),
        (40, lambda n: document(rejects=[{"hint": "h" * n, "reason": "r"}]), "rejects[0].hint"),
        (400, lambda n: document(rejects=[{"hint": "h", "reason": "r" * n}]), "rejects[0].reason"),
        (200, lambda n: document(rejects=[{"hint": "h", "reason": "r"}] * n), "rejects"),
    ],
)
def test_a_limit_is_the_most_that_is_read(most: int, made: Callable[[int], bytes], place: str) -> None:
    claims.parse(made(most), JOB)
    assert f"{place}: " in refusal(made(most + 1))


def test_another_jobs_file_is_refused() -> None:
    assert "job_id" in refusal(document(claim(), job_id="other"))


def test_a_file_larger_than_the_limit_is_not_parsed() -> None:
    largest = document(claim()).ljust(claims.FILE_BYTES)
    assert len(claims.parse(largest, JOB).claims) == 1
    assert str(claims.FILE_BYTES) in refusal(largest + b" ")


@table(
    ("entries", "valid", "broken"),
    [([claim()], 1, 0), ([claim(), claim(kind="gossip"), "x"], 1, 2), ([], 0, 0), ("many", 0, 0), (None, 0, 0)],
)
def test_of_a_stopped_agents_file_the_valid_claims_are_kept_and_the_others_counted(
    entries: object, valid: int, broken: int
) -> None:
    kept, lost = claims.salvaged(orjson.dumps({"claims": entries}), "reader")
    assert ([each.found_by for each in kept], lost) == (["reader"] * valid, broken)
    assert claims.salvaged(b'{"claims": [', "reader") == ((), 0)


def test_a_refusal_lists_a_few_problems_and_counts_the_rest() -> None:
    assert "and 8 more" in refusal(document(*[claim(kind="gossip")] * (claims.PROBLEMS + 8)))


def test_a_refusal_never_repeats_content() -> None:
    secret = "the diagnosis of Anna"
    message = refusal(document(claim(kind=secret, citations=[{"page": secret + "/..", "quote": ""}])))
    assert secret not in message


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_or_refused(data: bytes) -> None:
    with pytest.raises(SynthesisInvalid):
        claims.parse(data, JOB)
