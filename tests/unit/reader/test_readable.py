"""What a person reads of a passage."""

from __future__ import annotations

from reader.readable import readable


def test_technical_fields_and_json_are_left_out_and_what_people_wrote_stays() -> None:
    commit = "Fix the link\n- Source: github\n- Importance: 0.41\n- Sequence: 11\nSummary\nJonas: fix the link."
    assert readable(commit) == "Fix the link\nSummary\nJonas: fix the link."
    mail = "Ann\n- From: Ann\n- Address: ann@example.com\n- Thread: Deck\nMessage\n- Budget: 5\nBye"
    assert readable(mail) == "Ann\n- From: Ann\n- Thread: Deck\nMessage\n- Budget: 5\nBye"
    talk = 'Notes\nWe agreed.\nAnalysis\n{\n"topics": [\n"Deck"\n]\n}\nTranscript\nAnn: {yes}'
    assert readable(talk) == "Notes\nWe agreed.\nTranscript\nAnn: {yes}"


def test_a_passage_that_begins_or_ends_inside_a_block_keeps_its_words() -> None:
    assert readable("- Due: 2026-12-01\n- Priority: 4\nPay") == "- Due: 2026-12-01\nPay"
    assert readable("Ann said this.\nStructured note\n{\n") == "Ann said this."
    assert readable("") == ""
