"""Excerpts: ids that stand for a quote, and what becomes of an agent's citations by id."""

from __future__ import annotations

import json
from typing import Any

import pytest

from consumer.evidence import pages
from consumer.reports import citations, claims, excerpts
from consumer.reports.claims import Citation
from consumer.reports.excerpts import MISQUOTED, UNKNOWN, Excerpts

PAGE = "sources/cloop/meeting-notes/launch-1a"
SENTENCE = Citation(page=PAGE, anchor="dates", quote="The launch is planned for 2026-11-20.")
OTHER = Citation(page=PAGE, anchor=None, quote="Anna books the venue.")
OFFERED = {"s1": (SENTENCE,), "s2": (OTHER,), "h-1": (SENTENCE, OTHER)}


def expanded(*cited: Any, **fields: Any) -> dict[str, Any]:
    """The one claim of a file whose citations are these, as ``claims.parse`` gets it."""
    claim = {"text": "The launch is planned for 2026-11-20.", "kind": "change", "citations": list(cited), **fields}
    written = excerpts.expand(json.dumps({"job_id": "j", "claims": [claim]}).encode(), OFFERED)
    return claims.parse(written, "j").claims[0].model_dump(mode="json")


def plain(*several: Citation) -> list[dict[str, Any]]:
    return [citation.model_dump(mode="json") for citation in several]


def test_the_same_sentence_of_a_user_has_one_id_and_another_users_has_another() -> None:
    first, second = Excerpts("anna"), Excerpts("anna")
    ident = first.add(SENTENCE)
    assert first.add(SENTENCE) == ident == second.add(SENTENCE)
    assert first.by_id == {ident: SENTENCE}
    assert first.add(OTHER) != ident
    assert Excerpts("tom").add(SENTENCE) != ident
    assert Excerpts("anna").add(SENTENCE.model_copy(update={"anchor": None})) != ident


def test_two_sentences_whose_ids_would_be_equal_get_longer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpts, "ID_DIGITS", 0)
    table = Excerpts("anna")
    several = [Citation(page=PAGE, quote=f"Sentence number {number}.") for number in range(200)]
    idents = [table.add(citation) for citation in several]
    assert len(set(idents)) == 200
    assert [table.by_id[ident] for ident in idents] == several
    assert [table.add(citation) for citation in several] == idents


def test_an_id_becomes_its_citation_and_a_hints_id_all_of_its_own() -> None:
    assert expanded("s1")["citations"] == plain(SENTENCE)
    assert expanded("h-1")["citations"] == plain(SENTENCE, OTHER)
    assert expanded("s1", "h-1", "s1")["citations"] == plain(SENTENCE, OTHER)
    assert expanded({"excerpt": "s1"})["citations"] == plain(SENTENCE)
    assert expanded({"excerpt": "s1", "quote": "the launch is **planned**", "page": PAGE})["citations"] == plain(
        SENTENCE
    )
    own = {"page": PAGE, "anchor": None, "quote": "Something that a page says."}
    assert expanded("s2", own)["citations"] == [*plain(OTHER), own]


@pytest.mark.parametrize(
    ("cited", "reason"),
    [
        ("s9", UNKNOWN),
        ("", UNKNOWN),
        ("s1 ", UNKNOWN),
        ({"excerpt": None}, UNKNOWN),
        ({"excerpt": ["s1"]}, UNKNOWN),
        ({"excerpt": "s1", "quote": "Anna books the venue."}, MISQUOTED),
        ({"excerpt": "s1", "quote": 7}, MISQUOTED),
        ({"excerpt": "s1", "page": "sources/cloop/meeting-notes/other"}, MISQUOTED),
    ],
)
def test_a_citation_by_id_that_does_not_hold_is_refused_and_named(cited: Any, reason: str) -> None:
    claim = expanded(cited, "s2")
    assert claim["citations"] == plain(OTHER)
    assert [refused["reason"] for refused in claim["refused"]] == [reason]


def test_a_claim_with_a_refused_citation_is_not_verified_though_its_others_hold() -> None:
    page = pages.parse(PAGE, b'---\ntitle: "Launch"\n---\n# Launch\n\nThe launch is planned for 2026-11-20.\n')
    cited = {"page": PAGE, "anchor": None, "quote": "The launch is planned for 2026-11-20."}

    def verified(*several: Any) -> citations.Checked:
        return citations.check(claims.Claim.model_validate(expanded(*several)), {PAGE: page}.get)

    assert verified(cited).verified
    lied = verified(cited, "s9")
    assert not lied.verified
    assert lied.reasons[0] == f"s9: {UNKNOWN}"


def test_what_is_no_file_of_claims_passes_for_the_parser_to_refuse() -> None:
    for data in (b"", b"{", b"[]", b'"s1"', b'{"claims": 5}', b'{"claims": [5]}', b"x" * (claims.FILE_BYTES + 1)):
        assert excerpts.expand(data, OFFERED).strip() == data.strip() or json.loads(data) == json.loads(
            excerpts.expand(data, OFFERED)
        )
    odd = {"claims": [{"citations": 5}, {"citations": [5, None, ["s1"], {}]}]}
    assert json.loads(excerpts.expand(json.dumps(odd).encode(), OFFERED))["claims"][1]["citations"] == [
        5,
        None,
        ["s1"],
        {},
    ]


def test_a_stored_claim_keeps_its_refusals() -> None:
    claim = expanded("s9")
    stored = claims.ClaimSet(job_id="j", claims=(claims.Claim.model_validate(claim),)).encode()
    assert claims.parse(stored, "j").claims[0].refused[0].reason == UNKNOWN


def test_a_refused_id_is_cut_to_what_a_report_can_show() -> None:
    assert len(expanded("s" * 5_000)["refused"][0]["excerpt"]) == 40
    assert len(expanded(*(f"x{number}" for number in range(50)))["refused"]) == claims.CITATIONS
