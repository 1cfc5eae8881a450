"""Pages of days and of concepts: which words of a record stand there, and how many lines."""

from __future__ import annotations

from renderers import concepts, days
from renderers.base import RecordSection
from renderers.concepts import Concept
from renderers.days import Day, Happened
from renderers.report import Cited
from tests.tables import table


@table(
    ("text", "words"),
    [
        ("The roof is done.\nMore.", "The roof is done."),
        ("\n  # The roof", "The roof"),
        ("> quoted", "quoted"),
        ("Hi Ann,\n\nThe roof is done.", "The roof is done."),
        ("Hi Ann!\nThe roof is done.", "The roof is done."),
        ("Good morning dear Ann,\nx", "Good morning dear Ann,"),  # four words
        ("Dear old Ann,\nx", "x"),
        ("Hi my Ann!\nx", "Hi my Ann!"),  # three words
        ("Milk, eggs,\nbread", "Milk, eggs,"),
        ("Hi Ann,", "Hi Ann,"),
        ("Hi Ann,\nHi Bob,\nx", "Hi Bob,"),
        ("\u738b\u5148\u751f\uff0c\n\u597d", "\u597d"),
        ("\u738b" * 10 + "\uff0c\n\u597d", "\u738b" * 10 + "\uff0c"),
        ('{\n"a": 1}', ""),
        ("[\n1]", ""),
        ("[note] x\n{a}\n```\n---\n<b>\nwords", "words"),
        ("---\n!!!\n", ""),
        ("", ""),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 79 + "…"),
        ("\n" * 3199 + "xy", "x"),
        ("\n" * 3200 + "xy", ""),
    ],
)
def test_a_record_begins_with_its_first_words_of_prose(text: str, words: str) -> None:
    assert days.lead([RecordSection("A", ("", text)), RecordSection("B", ("other",))]) == (words or "other")


def event(number: int = 1, source: str = "mails", lead: str = "", time: str = "15:00") -> Happened:
    return Happened(source, time, "sources/cloop/x.md", "r-1", f"Title {number}", lead)


LINK = "[Title 1](../sources/cloop/x.md#r-1)"


@table(
    ("happened", "block"),
    [
        ([event(lead="First *words*")], f"## Mail\n\n- 15:00 {LINK}: First \\*words\\*"),
        ([event(lead="Title 1")], f"## Mail\n\n- 15:00 {LINK}"),
        ([event(time="")], f"## Mail\n\n- {LINK}"),
        ([event(), event(source="chats")], f"## Chats\n\n- 15:00 {LINK}\n\n## Mail\n\n- 15:00 {LINK}"),
    ],
)
def test_a_day_lists_what_happened_by_source(happened: list[Happened], block: str) -> None:
    made = days.page(Day("2026-11-27", happened, (), {"mails": "Mail", "chats": "Chats"}))
    assert "\n\n".join(filter(None, made.blocks)) == block
    assert (made.path, made.title, made.date, made.evidence_count) == (
        *("daily/2026-11-27.md", "2026-11-27", "2026-11-27"),
        len(happened),
    )


def test_a_day_counts_what_does_not_fit_of_a_source() -> None:
    for count, more in ((40, ""), (41, "\n- and 1 more"), (99, "\n- and 59 more")):
        made = days.page(Day("2026-11-27", [event(n) for n in range(count)], (), {"mails": "Mail"}))
        block = made.blocks[-1]
        assert block.count("Title") == 40
        assert block.endswith(more or "Title 39](../sources/cloop/x.md#r-1)")


def concept(records: int = 1, quote: str = "The roof is done.", **more: tuple[str, ...]) -> str:
    evidence = (("2026-11-27", Cited("sources/cloop/x.md", "r-1", quote, "Title 1")),)
    terms = more.get("terms", ())
    made = Concept("The roof", terms, ("Mail", "Chats"), records, 3, "2026-11-01", "2026-11-27", evidence)
    return concepts.render(made, {"user_id": "u"})


def test_a_concept_says_how_often_when_and_where_it_was_said() -> None:
    text = concept()
    assert 'title: "The roof"\ntype: "concept"\ndate: "2026-11-27"' in text
    facts = "- Said: 1 records on 3 days, 2026-11-01 to 2026-11-27\n- Sources: Mail, Chats\n\n## Evidence\n\n"
    assert f"{facts}- 2026-11-27: {LINK}: “The roof is done.”\n\n" in text
    assert "Comes with" not in text
    assert "\n- Comes with: tiles, \\*rain\\*\n" in concept(terms=("tiles", "*rain*"))
    assert "”\n- and 4 earlier\n" in concept(5)
    assert "earlier" not in text


def test_a_concept_quotes_240_characters() -> None:
    assert f"“{'x' * 240}”" in concept(quote="x" * 240)
    assert f"“{'x' * 239}…”" in concept(quote="x" * 241)


def test_a_concept_that_is_gone_keeps_its_name_and_its_place() -> None:
    text = concepts.gone("The roof", {"user_id": "u"})
    assert "# The roof\n\nNo record says this any more.\n\n<!--" in text
    assert concepts.path("The Roof") == concepts.path("the roof")
    assert concepts.path("The roof").startswith("concepts/the-roof-")
    assert concepts.path("\u5c4b\u9802").count("-") == 0, "a name without a Latin letter is its digest"
