from __future__ import annotations

import re
import sys
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumer.evidence import pages
from consumer.reports import citations, detectors
from consumer.reports.detectors import Finding, changes, records, values, words
from tests import brains
from tests.cases import cases

TODAY = date(2026, 11, 27)


def brain(files: dict[str, str]) -> dict[str, pages.Page]:
    return {pages.slug_of(path): pages.parse(pages.slug_of(path), text.encode()) for path, text in files.items()}


STORY = brain(brains.STORY)


def notes(*texts: tuple[str, str, str]) -> dict[str, pages.Page]:
    """(source, day, prose) -> a brain with a page each."""
    return brain(
        {
            f"sources/cloop/{source.replace('_', '-')}/n-{number}.md": brains.evidence(
                f"Note {number}", f"```text\n{text}\n```", source, day
            )
            for number, (source, day, text) in enumerate(texts)
        }
    )


def contradictions(*texts: tuple[str, str, str]) -> tuple[Finding, ...]:
    return detectors.detect(notes(*texts), TODAY).contradictions


def loops(*texts: tuple[str, str, str]) -> list[str]:
    return [finding.text for finding in detectors.detect(notes(*texts), TODAY).open_loops]


def test_every_finding_cites_words_that_stand_where_it_says() -> None:
    found = detectors.detect(STORY, TODAY)
    assert len(found.all()) > 10
    for finding in found.all():
        assert finding.citations
        for citation in finding.citations:
            assert isinstance(citations.resolve(citation, STORY.get), citations.Resolved), finding


def test_contradictions_are_found_across_sources_with_both_sides() -> None:
    found = detectors.detect(STORY, TODAY).contradictions
    texts = [finding.text for finding in found]
    assert len(texts) == 2
    assert any("Harbor, budget" in t and "$48,000" in t and "62k" in t for t in texts)
    assert any("Lighthouse, launch" in t and "November 20" in t and "December 4" in t for t in texts)
    assert all(len({c.page for c in finding.citations}) == 2 for finding in found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Atlas launch is on 2026-11-20.", "We said the Atlas launch is on 20 November."),
        ("The Atlas launch is on November 20.", "The Harbor launch is on December 4."),
        ("The Atlas launch is on November 20.", "The Atlas demo is on December 4."),
        ("The Atlas budget is $40,000.", "The Atlas budget is 40k."),
        ("The Atlas budget is $40,000.", "The Atlas budget was raised from $40,000: the Atlas budget is $60,000."),
        ("The Atlas launch is on November 20.", "We moved the Atlas launch to December 4."),
        ("The Atlas marketing budget is $10,000.", "The Atlas travel budget is $7,000."),
        ("The Atlas contract is not signed.", "The Atlas contract is signed."),
        ("The Atlas budget is $40,000.", "The Atlas budget grew 12 percent."),
        ("Atlas has 12 seats.", "Atlas has 3 customers."),
    ],
)
def test_what_agrees_differs_in_subject_or_is_a_development_is_no_contradiction(one: str, other: str) -> None:
    assert (
        contradictions(("meeting_notes", "2026-11-02", f"Hi. {one}"), ("chat_sessions", "2026-11-05", f"Hi. {other}"))
        == ()
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Atlas launch is on November 20.", "The Atlas launch is on December 4."),
        ("The Atlas budget is $40,000.", "The budget for Atlas is 52k."),
        ("With Atlas we get 12 seats.", "Atlas has 15 seats."),
        ("The Atlas contract is signed.", "The Atlas contract is not signed yet."),
        ("The Atlas discount is 15%.", "The discount for Atlas is 20 percent."),
    ],
)
def test_what_cannot_both_be_right_is_found(one: str, other: str) -> None:
    found = contradictions(
        ("meeting_notes", "2026-11-02", f"Hi. {one}"), ("chat_sessions", "2026-11-05", f"Hi. {other}")
    )
    assert len(found) == 1


def test_of_several_contradictions_the_one_between_two_sources_is_shown() -> None:
    found = contradictions(
        ("meeting_notes", "2026-11-02", "The Atlas budget is $40,000."),
        ("meeting_notes", "2026-11-03", "The Atlas budget is $52,000."),
        ("chat_sessions", "2026-11-05", "The Atlas budget is $61,000."),
    )
    assert [[citation.page.split("/")[2] for citation in finding.citations] for finding in found] == [
        ["meeting-notes", "chat-sessions"]
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The budget of $60,000 is due on December 4.", ["$60,000", "December 4"]),
        ("We have 12 seats for $4,000.", ["12 seats", "$4,000"]),
        ("It costs 60k dollars.", ["60k dollars"]),
    ],
)
def test_two_values_of_one_statement_are_given_in_order_and_never_overlap(text: str, expected: list[str]) -> None:
    found = values.find(text, TODAY)
    assert [text[value.start : value.end] for value in found] == expected


def test_a_later_reconciliation_settles_a_contradiction() -> None:
    apart = (
        ("meeting_notes", "2026-11-02", "The Atlas launch is on November 20."),
        (
            "chat_sessions",
            "2026-11-05",
            "The Atlas launch is on December 4.",
        ),
    )
    settled = ("briefings", "2026-11-09", "The Atlas launch was moved to December 4.")
    assert contradictions(*apart)
    assert contradictions(*apart, settled) == ()


def test_open_loops_come_from_items_boxes_and_promises() -> None:
    found = detectors.detect(STORY, TODAY)
    texts = [finding.text for finding in found.open_loops]
    assert texts[0].startswith("“Renew the Borealis contract”: due 2026-11-30")
    assert any("Book the venue" in text for text in texts)
    assert any("Anna to send the deck" in text and "was due 2026-11-06" in text for text in texts)
    assert not any("hotel invoice" in text or "badges" in text for text in texts)
    assert found.counts["open_loops"] == len(texts) == 3


@pytest.mark.parametrize("said", ["9999-12-31", "9999-12-28", "0001-01-01"])
def test_a_promise_at_either_end_of_time_is_read(said: str) -> None:
    found = notes(("meeting_notes", said, "Action: Anna to send the deck by Friday."))
    assert detectors.detect(found, TODAY)
    assert detectors.detect(found, date.max)


def test_a_promise_that_was_kept_later_is_closed() -> None:
    promise = ("meeting_notes", "2026-11-20", "I will send the pricing proposal to Marta.")
    assert len(loops(promise)) == 1
    assert loops(promise, ("chat_sessions", "2026-11-21", "The pricing proposal to Marta is sent.")) == []
    assert len(loops(promise, ("chat_sessions", "2026-11-21", "The pricing proposal to Marta is not sent."))) == 1
    assert len(loops(promise, ("chat_sessions", "2026-11-19", "The pricing proposal to Marta is sent."))) == 1


def test_an_old_promise_without_a_date_is_let_go_but_a_dated_one_is_not() -> None:
    assert loops(("meeting_notes", "2026-08-01", "I will send the pricing proposal to Marta.")) == []
    assert len(loops(("meeting_notes", "2026-08-01", "I will send the pricing proposal by December 1."))) == 1


def test_the_same_promise_twice_is_one_loop() -> None:
    text = "I will send the pricing proposal to Marta."
    assert len(loops(("meeting_notes", "2026-11-20", text), ("chat_sessions", "2026-11-21", text))) == 1


def test_things_that_differ_by_a_number_or_a_short_name_are_several_loops() -> None:
    boxes = [("notes", "2026-11-20", f"- [ ] Do thing {number}") for number in range(1, 23)]
    promises = [("chat_sessions", "2026-11-20", f"I will send the plan number {number}.") for number in range(1, 5)]
    assert len(loops(*boxes, *promises)) == 25
    assert detectors.detect(notes(*boxes, *promises), TODAY).counts["open_loops"] == 26
    assert len(loops(("notes", "2026-11-20", "- [ ] Call Ann"), ("notes", "2026-11-20", "- [ ] Call Bob"))) == 2


def test_only_the_numbered_thing_that_was_done_is_closed() -> None:
    promises = [("chat_sessions", "2026-11-20", f"I will send the plan number {number}.") for number in (1, 2)]
    (left,) = loops(*promises, ("chat_sessions", "2026-11-21", "The plan number 1 is sent."))
    assert "number 2" in left


def test_the_same_promise_with_another_way_to_say_its_date_is_one_loop() -> None:
    dated = [f"I will send the pricing proposal by {day}." for day in ("December 1", "2026-12-01")]
    assert len(loops(*(("chat_sessions", "2026-11-20", text) for text in dated))) == 1


def test_people_and_projects_are_ranked_and_the_silent_are_named() -> None:
    found = detectors.detect(STORY, TODAY)
    assert [finding.text.split(":")[0] for finding in found.people] == ["Anna Kowal"]
    assert [finding.text.split(":")[0] for finding in found.projects] == ["Harbor"]
    assert found.stale == ()
    more = {
        f"{brains.NOTES}/m-{n}.md": brains.evidence("M", f"- People: {brains.ANNA}", "meeting_notes", "2026-10-01")
        for n in range(3)
    }
    only = brain({**more, "people/anna-kowal-9f.md": brains.STORY["people/anna-kowal-9f.md"]})
    assert "none since 2026-10-01 (57 days)" in detectors.detect(only, TODAY).stale[0].text


def test_changes_are_told_from_checksums() -> None:
    before = {slug: changes.fingerprint(page) for slug, page in STORY.items()}
    assert detectors.detect(STORY, TODAY, before).changes == ()
    gone = {**before, "sources/cloop/briefings/old": "0"}
    gone.pop("sources/cloop/chat-sessions/dates-b2")
    gone[f"{brains.NOTES}/lighthouse-weekly-a1"] = "1"
    found = detectors.detect(STORY, TODAY, gone)
    assert (found.counts["new"], found.counts["changed"], found.counts["removed"]) == (1, 1, 1)
    assert found.counts["removed briefings"] == 1
    assert sorted(finding.text for finding in found.changes) == [
        "Changed in meeting notes: “Meeting note: Lighthouse weekly”.",
        "New in chat sessions: “Chat: Launch dates”.",
    ]


def test_on_a_page_of_many_the_records_that_a_job_brought_are_told() -> None:
    items = "sources/cloop/checklist-items/2026-11-08"
    rows = 'records:\n  - {anchor: "r-1", record_id: "one"}\n  - {anchor: "r-2", record_id: "two"}\n---\n# C'
    text = brains.STORY[f"{items}.md"].replace("---\n# C", rows)
    found = brain({**brains.STORY, f"{items}.md": text})
    before = {slug: changes.fingerprint(page) for slug, page in STORY.items()}
    told = detectors.detect(found, TODAY, before, frozenset({"two"})).changes
    assert [(f.text, f.citations[0].anchor, f.citations[0].quote) for f in told] == [
        ("Changed in checklist items: “Pay the hotel invoice” is done.", "r-2", "State: done")
    ]


def test_a_first_report_sums_up_by_source() -> None:
    found = detectors.detect(STORY, TODAY)
    assert found.counts["new"] == 5
    assert any(finding.text.startswith("checklist items: 2 records on 1 page") for finding in found.changes)


def test_order_of_pages_does_not_matter() -> None:
    turned = dict(reversed(list(STORY.items())))
    assert detectors.detect(turned, TODAY) == detectors.detect(STORY, TODAY)


def test_hints_name_kind_text_and_place() -> None:
    lines = detectors.hints(detectors.detect(STORY, TODAY)).split("\n")
    assert any(line.startswith("- contradiction: ") and "#" not in line for line in lines)
    assert any("[sources/cloop/checklist-items/2026-11-08#r-1]" in line for line in lines)


@settings(max_examples=cases(60), deadline=None)
@given(st.lists(st.text(max_size=120), max_size=4))
def test_any_text_is_survived_and_what_is_found_resolves(texts: list[str]) -> None:
    files = {
        f"sources/cloop/notes/n-{n}.md": brains.evidence("N", f"I will do it by Nov 3: {text}", "notes", "2026-11-02")
        for n, text in enumerate(texts)
    }
    try:
        found = brain(files)
    except pages.PageError:
        return
    for finding in detectors.detect(found, TODAY).all():
        assert all(isinstance(citations.resolve(c, found.get), citations.Resolved) for c in finding.citations)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 2026-11-20", ("date", "2026-11-20", "2026")),
        ("on Nov. 20th", ("date", "2026-11-20", "")),
        ("on the 3rd of January", ("date", "2027-01-03", "")),
        ("about $1.5m", ("amount", "1500000", "USD")),
        ("about EUR 40,000.50", ("amount", "40000.5", "EUR")),
        ("about 48k", ("amount", "48000", "")),
        ("about 12 seats", ("count", "12", "seat")),
        ("about 7.5 %", ("share", "7.5", "%")),
        ("it is not yet signed", ("state", "open", "")),
    ],
)
def test_values_are_read(text: str, expected: tuple[str, str, str]) -> None:
    value = values.find(text, TODAY)[0]
    assert (value.kind, value.key, value.unit) == expected


def test_folded_text_is_found_in_as_if_case_were_ignored() -> None:
    """Sign by sign, for every sign there is: one for one, the same kind, and a plain letter where a search takes it."""
    letter, kinds = re.compile("[a-z]", re.IGNORECASE), [re.compile(kind) for kind in (r"\w", r"\d", r"\s")]
    for sign in map(chr, range(sys.maxunicode + 1)):
        folded = words.fold(sign)
        assert len(folded) == 1
        assert bool(letter.match(sign)) == ("a" <= folded <= "z"), hex(ord(sign))
        if folded != sign:
            assert all(bool(kind.match(sign)) == bool(kind.match(folded)) for kind in kinds), hex(ord(sign))


@given(
    st.lists(st.sampled_from(["is", "Not", "yet", "SIGNED", "\u017fep", "\u0130", "5", " ", ".", "\u2019", "$", "k"]))
)
def test_values_stand_where_they_say(parts: list[str]) -> None:
    text = "".join(parts)
    for value in values.find(text, TODAY):
        words_there = text[value.start : value.end]
        assert words_there
        assert words_there == words_there.strip()
        assert values.find(words_there, TODAY)


def test_a_month_with_a_letter_of_another_age_is_that_month() -> None:
    assert [value.key for value in values.find("on \u017fep 5", TODAY)] == ["2026-09-05"]


@pytest.mark.parametrize("text", ["Feb 30", "2026-13-01", "version 2.0.1", "call 555-1234", "may be"])
def test_what_is_no_value(text: str) -> None:
    assert values.find(text, TODAY) == []


def test_records_of_a_grouped_page_have_their_own_facts() -> None:
    first, second = records.of_page(STORY["sources/cloop/checklist-items/2026-11-08"])
    assert (first.title, first.facts["State"], second.facts["State"]) == ("Renew the Borealis contract", "open", "done")
    assert first.day == date(2026, 11, 8)
