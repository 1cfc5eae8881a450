"""How pages are cut: what stands in a passage, whose it is, and where it ends."""

from __future__ import annotations

from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.evidence.search import passages
from consumer.evidence.search.passages import OVERLAP_CHARS, PASSAGE_CHARS, Cut, CutRecord, cut
from tests import brains
from tests.tables import table

SLUG = "sources/cloop/meeting-notes/a"


def page_of(body: str, **front: object) -> Page:
    return pages.parse(SLUG, brains.page("Plan", body, **front).encode())


def texts(page: Page) -> list[str]:
    made = cut(page)
    return [made.text[each.start : each.end] for each in made.cuts]


def test_a_page_of_one_record_has_its_id_and_its_day() -> None:
    front = {"source_key": "meeting_notes", "source_id": '"n1"', "date": '"2026-11-02"'}
    made = cut(page_of("First.\n\nSecond.", **front))
    assert made.records == (CutRecord("", "n1", "2026-11-02"),)
    assert (made.text, made.cuts) == ("First.\nSecond.\n", (Cut(0, 14, 0),))
    assert cut(page_of("First.", source_id='"n1"')).records == (CutRecord("", "", ""),), "of no source"
    moment = {"occurred_at": '"2026-11-03T09:00:00Z"'}
    assert cut(page_of("First.", **moment)).records[0].day == "2026-11-03"
    assert cut(page_of("- When: 2026-11-04 09:00\n\nFirst.", **front)).records[0].day == "2026-11-04"


def test_a_page_without_words_is_one_empty_passage() -> None:
    made = cut(page_of("", date='"2026-11-02"'))
    assert (made.text, made.records, made.cuts) == ("", (CutRecord("", "", "2026-11-02"),), (Cut(0, 0, 0),))


def test_each_record_of_a_page_has_passages_of_its_own() -> None:
    rows = "".join(f'\n  - {{anchor: "r-{number}", record_id: "{name}"}}' for number, name in enumerate("abc", start=1))
    body = (
        '<a id="r-1"></a>\n\n## First\n\n- When: 2026-11-01 09:00\n- Project: Atlas\n\nWords.\n\n'
        '<a id="r-2"></a>\n\n## Second\n\n- People: Ann\n\n'
        '<a id="r-3"></a>\n\n## Third\n\nMore.'
    )
    made = cut(page_of(body, records=rows, date='"2026-11-09"'))
    assert made.records == (
        CutRecord("r-1", "a", "2026-11-01"),
        CutRecord("r-2", "b", "2026-11-09"),
        CutRecord("r-3", "c", "2026-11-09"),
    )
    assert texts(page_of(body, records=rows)) == ["First\n- Project: Atlas\nWords.", "Second", "Third\nMore."]
    assert [each.record for each in made.cuts] == [0, 1, 2]


@table(
    ("body", "lines"),
    [
        ("## Plan\n\nWords.", ["Words."]),  # the title says it already
        ("## Notes\n\nWords.", ["Notes", "Words."]),
        ("Quoted blocks are source data, word for word.\n\n<!-- x -->\n\nWords.", ["Words."]),
        ("A [link](x.md).", ["A link."]),
        ("```text\n  a **b**\n\nc\n```", ["a **b**", "c"]),
        ("~~~\na\n~~~", ["a"]),
        ("## Message: Ann, 2026-11-01 09:00 UTC\n\nHello\nthere", ["Ann: Hello there"]),
        ("## Message: assistant, tool search, 2026-11-01 09:00 UTC\n\nfound", ["assistant: found"]),
        ("## Message: Ann\n\nHello", ["Ann: Hello"]),
        ("## Message: Ann\n\n", ["Message: Ann"]),
        (
            "- Started: 2026\n- Ended: 2026\n- Last message: x\n- Projects: y\n- Meetings: z\n- Status: open",
            ["- Status: open"],
        ),
    ],
)
def test_a_passage_has_the_words_of_a_page_and_nothing_that_rendering_adds(body: str, lines: list[str]) -> None:
    assert cut(page_of(body)).text.splitlines() == lines


def test_a_long_record_gives_passages_that_overlap_by_whole_lines() -> None:
    line = "x" * 99
    made = texts(page_of("```text\n" + f"{line}\n" * 30 + "```"))
    assert [len(text) for text in made] == [1199, 1199, 1199, 1199]
    whole = cut(page_of("```text\n" + "".join(f"{number:0>99}\n" for number in range(30)) + "```"))
    starts = [each.start // 100 for each in whole.cuts]
    assert starts == [0, 6, 12, 18]
    assert whole.cuts[-1].end == len(whole.text) - 1
    assert OVERLAP_CHARS == PASSAGE_CHARS // 2


def test_a_line_as_long_as_a_passage_is_whole_and_a_longer_one_is_cut_at_sentences() -> None:
    assert list(passages._units("x" * PASSAGE_CHARS)) == ["x" * PASSAGE_CHARS]
    assert list(passages._units("x" * (PASSAGE_CHARS + 1))) == ["x" * PASSAGE_CHARS, "x"]
    sentence = f"{'y' * 299}."
    units = list(passages._units(" ".join([sentence] * 5)))
    assert units == [sentence] * 5, "half a passage holds one with its space"
    short = f"{'y' * 298}."
    assert list(passages._units(" ".join([short] * 5))) == [f"{short} {short}", f"{short} {short}", short]
    assert list(passages._units("。".join(["字" * 700] * 2))) == [f"{'字' * 700}。", "字" * 700]


def test_a_page_links_to_others_and_not_to_itself() -> None:
    page = page_of("[b](b.md) and [a](a.md#r-1) and [p](../../../people/ann.md)")
    assert [link.target for link in passages.links_out(page)] == ["sources/cloop/meeting-notes/b", "people/ann"]
