"""Notes on derived pages and the context: bounded, checked again each run, never touching what rendering wrote."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumer import layout
from consumer.evidence import pages
from consumer.reports import notes
from consumer.reports.derive import CHARS_PER_TOKEN, CONTEXT, CONTEXT_TOKENS, CONTRADICTIONS, NOTES, shelves
from consumer.run import Run
from consumer.stages.report import Report
from contract import derived
from renderers import notes as renderer
from tests import brains
from tests.unit.stages.test_report import DOUBTED, FALSE, GOOD, claimed, prepared

ANNA, HARBOR = "people/anna-kowal-9f", "projects/harbor-77"
CITED = "sources/cloop/meeting-notes/lighthouse-weekly-a1"
ABOUT_ANNA = {
    **GOOD,
    "text": "Anna Kowal owes the deck",
    "kind": "person",
    "citations": [{"page": CITED, "quote": "Action: Anna to send the deck by Friday."}],
}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return prepared(tmp_path)


def text(run: Run, slug: str) -> str:
    return (run.root / layout.BRAIN / pages.path_of(slug)).read_text("utf-8")


def report(run: Run, *given: dict[str, Any], number: int = 1) -> None:
    job = run.job.model_copy(update={"job_id": f"{number:08d}-5c1d-4c55-9d55-0f6d2f3f1a01"})
    Report(brains.desk()).run(claimed(dataclasses.replace(run, job=job), *given), brains.Free())


def test_a_verified_claim_becomes_a_note_of_whom_it_names(run: Run) -> None:
    before = text(run, ANNA)
    report(run, ABOUT_ANNA, DOUBTED, FALSE)
    after = text(run, ANNA)
    assert derived.split(after)[0] == derived.split(before)[0]
    assert "2026-11-27: Anna Kowal owes the deck (hermes 0.19.0 with offline-1, template v1)" in after
    assert f"[Meeting note: Lighthouse weekly](../{CITED}.md)" in after
    assert FALSE["text"] not in after
    assert "Harbor may slip" not in text(run, HARBOR)


MEETING, OTHER = "meetings/2026-11-07-sync-1a", "meetings/2026-11-07-sync-2b"


def meeting(evidence: str) -> str:
    """A meeting's page as rendering leaves it."""
    return brains.page("Sync", f"## Evidence\n\n- [Sync](../{evidence}.md)\n\n{derived.MARKER}", type="meeting")


def test_a_claim_that_cites_a_meetings_evidence_becomes_its_note_and_no_other_meetings(run: Run) -> None:
    elsewhere = "sources/cloop/granola-transcripts/budget-c3"
    brains.write(run.root, {f"{MEETING}.md": meeting("sources/cloop/briefings/2026-11-07-d4")})
    brains.write(run.root, {f"{OTHER}.md": meeting(elsewhere)})
    report(run, GOOD)
    assert GOOD["text"] in text(run, MEETING)
    assert GOOD["text"] not in text(run, OTHER)
    both = {**GOOD, "text": "Badges were sent", "citations": [{"page": elsewhere, "quote": "We sent the badges."}]}
    both["citations"] += GOOD["citations"]
    report(run, both, number=2)
    assert both["text"] in text(run, MEETING)
    assert both["text"] in text(run, OTHER)
    # A note that cites more than the meeting does not make the rest the meeting's.
    report(run, {**both, "text": "Only badges", "citations": both["citations"][:1]}, number=3)
    assert "Only badges" not in text(run, MEETING)


def test_a_claim_becomes_a_note_of_the_day_whose_evidence_it_cites(run: Run) -> None:
    day, other = "daily/2026-11-07", "daily/2026-11-08"
    brains.write(run.root, {f"{day}.md": meeting("sources/cloop/briefings/2026-11-07-d4"), f"{other}.md": meeting("x")})
    report(run, GOOD)
    assert GOOD["text"] in text(run, day)
    assert GOOD["text"] not in text(run, other)


def test_a_meeting_page_that_somebody_bent_is_nobodys_meeting(run: Run) -> None:
    front, end, body = meeting("sources/cloop/briefings/2026-11-07-d4").partition("\n---\n")
    bent = f"{front}{end}---\n[broken\n---\n{body}"
    with pytest.raises(pages.PageError):
        pages.parse(MEETING, derived.split(pages.parse(MEETING, bent.encode()).body)[0].encode())
    brains.write(run.root, {f"{MEETING}.md": bent})
    report(run, GOOD)
    assert GOOD["text"] in (run.root / CONTEXT).read_text("utf-8")


def test_contradictions_have_a_page_of_their_own_with_both_sides(run: Run) -> None:
    report(run)
    page = pages.parse("CONTRADICTIONS", (run.root / CONTRADICTIONS).read_bytes())
    assert page.title == "Contradictions"
    assert len(page.links) >= 4
    for link in page.links:
        assert link.target.startswith("sources/")
        assert (run.root / layout.BRAIN / pages.path_of(link.target)).is_file()


def test_links_of_notes_resolve(run: Run) -> None:
    report(run, ABOUT_ANNA)
    page = pages.parse(ANNA, text(run, ANNA).encode())
    assert [link.target for link in page.links] == [CITED]


def test_the_same_claim_again_changes_nothing(run: Run) -> None:
    report(run, ABOUT_ANNA)
    once, stamp = text(run, ANNA), (run.root / layout.BRAIN / f"{ANNA}.md").stat().st_mtime_ns
    report(run, ABOUT_ANNA, number=2)
    assert text(run, ANNA) == once
    assert (run.root / layout.BRAIN / f"{ANNA}.md").stat().st_mtime_ns == stamp


def test_a_note_whose_evidence_is_gone_goes_too(run: Run) -> None:
    report(run, ABOUT_ANNA)
    (run.root / layout.BRAIN / f"{CITED}.md").unlink()
    report(run, number=2)
    assert "owes the deck" not in text(run, ANNA)
    assert "owes the deck" not in (run.root / CONTEXT).read_text("utf-8")
    assert orjson.loads((run.root / NOTES).read_bytes()) == {"pages": {}}


def test_other_text_below_the_marker_is_kept(run: Run) -> None:
    path = run.root / layout.BRAIN / f"{ANNA}.md"
    path.write_text(path.read_text("utf-8") + "\nAn agent's own line.\n\n## More\n\nMore of it.\n", "utf-8")
    report(run, ABOUT_ANNA)
    report(run, {**ABOUT_ANNA, "text": "Anna Kowal is busy"}, number=2)
    after = text(run, ANNA)
    assert after.count(renderer.HEADING) == 1
    assert after.index("An agent's own line.") < after.index("Anna Kowal is busy")
    assert "## More\n\nMore of it." in after


def owed(number: int) -> str:
    """A true claim for each number, without the number itself, which no quote holds."""
    return f"Anna Kowal owes the deck {'very ' * number}soon."


def test_notes_are_bounded_and_the_newest_stay(run: Run) -> None:
    for number in range(notes.PER_PAGE + 5):
        report(run, {**ABOUT_ANNA, "text": owed(number)}, number=number)
    after = text(run, ANNA)
    assert after.count("Anna Kowal owes the deck") == notes.PER_PAGE
    assert owed(4) not in after
    assert after.index(owed(notes.PER_PAGE + 4)) < after.index(owed(5))


def test_a_page_that_nobody_rendered_is_left_alone(run: Run) -> None:
    brains.write(run.root, {"people/zed.md": brains.page("Zed Zuber", "An agent wrote this.", type="person")})
    page = brains.evidence("Lunch", "```text\nZed Zuber owes us the deck.\n```", "briefings", "2026-11-09")
    brains.write(run.root, {"sources/cloop/briefings/lunch.md": page})
    before = text(run, "people/zed")
    cited = [{"page": "sources/cloop/briefings/lunch", "quote": "Zed Zuber owes us the deck."}]
    report(run, {**ABOUT_ANNA, "text": "Zed Zuber owes the deck", "citations": cited})
    assert "Zed Zuber owes the deck" in (run.root / NOTES).read_text("utf-8")
    assert text(run, "people/zed") == before


def test_the_context_holds_what_matters_and_its_links_resolve(run: Run) -> None:
    report(run, ABOUT_ANNA)
    page = pages.parse("CONTEXT", (run.root / CONTEXT).read_bytes())
    assert [s.heading for s in page.sections] == [
        "Context", "Open loops", "Contradictions", "People", "Projects", "Facts"
    ]  # fmt: skip
    for link in page.links:
        assert (run.root / layout.BRAIN / pages.path_of(link.target)).is_file()
    assert "Anna Kowal owes the deck" in page.body


def test_the_context_stays_within_its_budget(run: Run) -> None:
    many = [{**ABOUT_ANNA, "text": f"Anna Kowal {number} " + "word " * 300} for number in range(60)]
    for number in range(3):
        report(run, *many[number * 20 : number * 20 + 20], number=number)
    assert len((run.root / CONTEXT).read_bytes()) <= CONTEXT_TOKENS * CHARS_PER_TOKEN


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=8), st.lists(st.text(max_size=300), max_size=80)), max_size=5),
    st.integers(2000, 20_000),
)
def test_shelves_fit_and_say_what_they_leave_out(groups: list[tuple[str, list[str]]], budget: int) -> None:
    groups = list(dict(groups).items())
    groups_shown = shelves(groups, budget)
    used = sum(len(line.encode()) + 1 for shelf in groups_shown for line in shelf.lines)
    assert used <= max(0, budget - 1000)
    for shelf, (_, lines) in zip(groups_shown, groups, strict=True):
        assert len(shelf.lines) + shelf.more == len(lines)
        rest = iter(lines)
        assert all(line in rest for line in shelf.lines), "lines keep their order"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"pages": []}', b'{"pages": {"people/x": [{"text": 1}]}}'])
def test_damaged_notes_are_no_notes(run: Run, data: bytes) -> None:
    (run.root / NOTES).parent.mkdir(parents=True, exist_ok=True)
    (run.root / NOTES).write_bytes(data)
    report(run, ABOUT_ANNA)
    assert "owes the deck" in text(run, ANNA)


def test_a_name_of_two_people_names_neither(run: Run) -> None:
    by_slug = {
        slug: pages.parse(slug, brains.page("Sam Lee", "x", type="person").encode())
        for slug in ("people/a", "people/b")
    }
    assert notes._names(by_slug) == {}
    assert notes.about("Annabel met Anna", {"anna": "people/anna"}) == ["people/anna"]
    assert notes.about("Annabel left", {"anna": "people/anna"}) == []
