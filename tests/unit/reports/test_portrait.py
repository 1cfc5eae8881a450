"""What a project is at: what is open, decided and planned in it, and when it was last heard of."""

from __future__ import annotations

from datetime import date

from consumer.reports import portrait
from consumer.reports.claims import Citation
from consumer.reports.detectors.findings import Finding
from consumer.understanding.statements import Reading
from consumer.understanding.utterances import ME
from tests.tables import table
from tests.unit.reports.test_insights import telling_of
from tests.unit.understanding.talks import ANN, at, decision, event, item, promise, record

CITED = Citation(page="sources/first", quote="Harbour")


def portrait_of(*readings: Reading, last: date | None = None) -> Finding:
    project = Finding("project", "Harbour.", (CITED,), due=last, subject="Harbour")
    (made,) = portrait.projects([project], *telling_of(*readings))
    return made


def promised(what: str, by: str = "", day: int = 20) -> Reading:
    return record(promise(ME, what, (ANN,), by=by), author=ME, to=(ANN,), said_at=at(day))


@table(
    ("last", "text"),
    [
        (None, "Harbour."),
        (date(2026, 11, 26), "Harbour: last mentioned Thu 26 Nov."),
        (date(2026, 11, 27), "Harbour: last mentioned Fri 27 Nov."),  # today
        (date(2026, 11, 28), "Harbour."),  # a day to come is no mention
    ],
)
def test_a_project_without_more_says_when_it_was_last_heard_of(last: date | None, text: str) -> None:
    made = portrait_of(last=last)
    assert (made.text, made.citations) == (text, (CITED,))


def test_the_newest_of_what_is_counted_is_the_last_word_of_a_project() -> None:
    made = portrait_of(promised("the Harbour plan", day=24), last=date(2026, 11, 20))
    assert made.text == "Harbour: 1 open loop; last mentioned Tue 24 Nov."


def test_a_project_tells_what_is_due_first_what_was_decided_and_the_next_meeting() -> None:
    readings = [
        promised("the Harbour plan", "2026-12-08"),
        promised("the Harbour lease", "2026-12-04"),
        promised("the Harbour keys"),
        promised("the Kestrel plan", "2026-12-01"),
        record(decision("to paint the Harbour hall"), author=ANN, to=(ME,), said_at=at(21)),
        record(decision("to close the Kestrel hall"), author=ANN, to=(ME,), said_at=at(22)),
        record(event("Harbour review", "2026-12-02 10:00 +00:00", (ANN,), key="k"), said_at=at(20)),
        record(event("Harbour party", "2026-12-09 10:00 +00:00", (ANN,), key="l"), said_at=at(20)),
    ]
    made = portrait_of(*readings)
    assert made.text.split("; ") == [
        "Harbour: 3 open loops",
        "\u201cI will do it: the Harbour lease\u201d, due Fri 4 Dec",
        "decided \u201cWe decided to paint the Harbour hall\u201d",
        "next meeting Wed 2 Dec, 10:00: Harbour review",
        "last mentioned Sat 21 Nov.",
    ]
    quoted = ["Harbour review", "We decided to paint the Harbour hall", "I will do it: the Harbour lease"]
    assert [cited.quote for cited in made.citations] == quoted


def test_a_task_without_a_day_counts_and_a_finished_one_does_not() -> None:
    assert portrait_of(item("Call Harbour"), item("Sweep Harbour", "done")).text.startswith("Harbour: 1 open loop;")
