from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumer.evidence import pages
from consumer.reports import citations, detectors
from consumer.reports.detectors import changes, records, terms
from tests import brains
from tests.cases import cases
from tests.tables import table

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


def test_every_finding_cites_words_that_stand_where_it_says() -> None:
    findings = detectors.detect(STORY, TODAY)
    assert len(findings.all()) > 5
    for finding in findings.all():
        assert finding.citations
        for citation in finding.citations:
            assert isinstance(citations.resolve(citation, STORY.get), citations.Resolved), finding


def test_projects_are_ranked_and_people_are_left_to_memory() -> None:
    findings = detectors.detect(STORY, TODAY)
    assert [finding.subject for finding in findings.projects] == ["Harbor"]
    assert (findings.people, findings.stale, findings.open_loops, findings.contradictions) == ((), (), (), ())


def test_a_project_cites_its_two_newest_pages() -> None:
    link = "- Projects: [Harbor](../../../projects/harbor-77.md)"
    written = {
        f"sources/cloop/briefings/{day}.md": brains.evidence("Note", f"```text\nx\n```\n\n{link}", "briefings", day)
        for day in ("2026-11-20", "2026-11-26", "2026-11-24", "2026-11-22")
    }
    project_page = {path: text for path, text in brains.STORY.items() if path.startswith("projects/")}
    [project] = detectors.detect(brain({**written, **project_page}), TODAY).projects
    assert [cited.page for cited in project.citations] == [
        "sources/cloop/briefings/2026-11-26",
        "sources/cloop/briefings/2026-11-24",
    ]
    assert project.text == "Harbor, last on 2026-11-26."


@table(
    ("text", "limit", "short"),
    [
        (" ten signs. ", 10, "ten signs."),
        ("signs ten.", 9, "signs"),  # before a word that does not fit
        ("one two three", 12, "one two"),
        ("one twothree", 11, "one twothre"),  # the only blank is in the first half
        ("unbroken", 4, "unbr"),
    ],
)
def test_a_text_is_cut_after_a_word(text: str, limit: int, short: str) -> None:
    assert records.shorten(text, limit) == short


@table(
    ("text", "day"),
    [
        ("on 2026-11-20 and 2026-11-21", date(2026, 11, 20)),
        ("2026-11-31", None),
        ("soon", None),
    ],
)
def test_the_first_day_of_a_text(text: str, day: date | None) -> None:
    assert records.day_of(text) == day


@table(
    ("words", "text", "stands"),
    [
        ("oak", "the oak", True), ("oak", "oak tree", True), ("oak", "oaks", False), ("oak", "soak", False),
        ("oak", "oak_1", False), ("oak", "soak the oak", True), ("oak", "soak", False), ("oak", "(oak)", True),
    ],
)  # fmt: skip
def test_a_name_stands_in_a_text_as_a_word(words: str, text: str, stands: bool) -> None:
    assert terms.stands_in(words, text) is stands


@pytest.mark.parametrize(("name", "quote"), [("Oaks", "Oaks"), ("Oak", "Projects: Oak"), ("橡树", "橡树")])
def test_a_project_is_cited_by_its_name_or_if_that_is_short_with_its_label(name: str, quote: str) -> None:
    by_slug = brain({path: text.replace("Harbor", name) for path, text in brains.STORY.items()})
    [project] = detectors.detect(by_slug, TODAY).projects
    assert project.citations[0].quote == quote
    assert isinstance(citations.resolve(project.citations[0], by_slug.get), citations.Resolved)


def test_changes_are_told_from_checksums() -> None:
    before = changes.fingerprints(STORY)
    assert detectors.detect(STORY, TODAY, before).changes == ()
    gone = {**before, "sources/cloop/briefings/old": "0"}
    gone.pop("sources/cloop/chat-sessions/dates-b2")
    gone[f"{brains.NOTES}/lighthouse-weekly-a1"] = "1"
    findings = detectors.detect(STORY, TODAY, gone)
    assert (findings.counts["new"], findings.counts["changed"], findings.counts["removed"]) == (1, 1, 1)
    assert findings.counts["removed briefings"] == 1
    assert sorted(finding.text for finding in findings.changes) == [
        "Changed in meeting notes: “Meeting note: Lighthouse weekly”.",
        "New in chat sessions: “Chat: Launch dates”.",
    ]


def test_on_a_page_of_many_the_records_that_a_job_brought_are_told() -> None:
    items = "sources/cloop/checklist-items/2026-11-08"
    rows = 'records:\n  - {anchor: "r-1", record_id: "one"}\n  - {anchor: "r-2", record_id: "two"}\n---\n# C'
    text = brains.STORY[f"{items}.md"].replace("---\n# C", rows)
    by_slug = brain({**brains.STORY, f"{items}.md": text})
    before = changes.fingerprints(STORY)
    reported = detectors.detect(by_slug, TODAY, before, frozenset({"two"})).changes
    assert [(f.text, f.citations[0].anchor, f.citations[0].quote) for f in reported] == [
        ("Changed in checklist items: “Pay the hotel invoice” is done.", "r-2", "State: done")
    ]


def test_a_first_report_sums_up_by_source() -> None:
    findings = detectors.detect(STORY, TODAY)
    assert (findings.counts["new"], findings.counts["changed"], findings.counts["removed"]) == (5, 0, 0)
    assert any(finding.text.startswith("checklist items: 2 records on 1 page") for finding in findings.changes)


def test_order_of_pages_does_not_matter() -> None:
    turned = dict(reversed(list(STORY.items())))
    assert detectors.detect(turned, TODAY) == detectors.detect(STORY, TODAY)


@settings(max_examples=cases(60), deadline=None)
@given(st.lists(st.text(max_size=120), max_size=4))
def test_any_text_is_survived_and_what_is_found_resolves(texts: list[str]) -> None:
    files = {
        f"sources/cloop/notes/n-{n}.md": brains.evidence("N", f"I will do it by Nov 3: {text}", "notes", "2026-11-02")
        for n, text in enumerate(texts)
    }
    try:
        by_slug = brain(files)
    except pages.PageError:
        return
    for finding in detectors.detect(by_slug, TODAY).all():
        assert all(isinstance(citations.resolve(c, by_slug.get), citations.Resolved) for c in finding.citations)


@table(
    ("lines", "sentences"),
    [
        (["We ship. It rains! Why? Nobody knows."], ["We ship.", "It rains!", "Why?", "Nobody knows."]),
        (["Version 2.5 is out, e.g. for Ann."], ["Version 2.5 is out, e.g. for Ann."]),
        # A wrapped line goes on in small letters, with a digit, or behind a line of some length.
        (["The launch is", "on Friday"], ["The launch is on Friday"]),
        (["The launch is on", "14 March"], ["The launch is on 14 March"]),
        (["The launch is on Friday", "Ann is away"], ["The launch is on Friday", "Ann is away"]),
        (["The launch of the new probe is planned for a Friday in March,", "Ann says"],
         ["The launch of the new probe is planned for a Friday in March, Ann says"]),
        (["We decide:", "on Friday"], ["We decide:", "on Friday"]),
        # What begins something of its own is no rest of a line.
        (["The launch is", "- on Friday"], ["The launch is", "- on Friday"]),
        (["The launch is", "ann: on Friday"], ["The launch is", "ann: on Friday"]),
        (["The launch is", "", "on Friday"], ["The launch is", "on Friday"]),
        (["The launch is", "---", "on Friday"], ["The launch is", "on Friday"]),
        (["# Launch", "{", '"day": 5', "}", "...", "[Next part]", "It rains."], ["It rains."]),
        (["x" * 400], ["x" * 400]),
        (["x" * 401], []),
    ],
)  # fmt: skip
def test_statements_are_the_sentences_of_prose(lines: list[str], sentences: list[str]) -> None:
    assert list(records.statements(lines)) == sentences


def test_of_records_the_newest_counts_and_of_its_first_words_the_longest() -> None:
    def record(day: date | None, *statements: str, anchor: str | None = None) -> records.PageRecord:
        return records.PageRecord("p", anchor, "", "", "Title", day, {}, statements, ())

    undated, old, new = record(None), record(date(2026, 1, 5)), record(date(2026, 1, 6), anchor="r-1")
    assert sorted([new, old, undated], key=lambda each: each.order) == [undated, old, new]
    assert undated.weight < old.weight < new.weight == old.weight + 1
    assert undated.telling == "Title"
    assert record(None, "a", "bb", "c", "d", "eeeee", "the sixth is the longest").telling == "eeeee"


def test_records_of_a_grouped_page_have_their_own_facts() -> None:
    first, second = records.of_page(STORY["sources/cloop/checklist-items/2026-11-08"])
    assert (first.title, first.facts["State"], second.facts["State"]) == ("Renew the Borealis contract", "open", "done")
    assert first.day == date(2026, 11, 8)
