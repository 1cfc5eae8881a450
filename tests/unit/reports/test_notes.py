"""Notes on pages: which pages a claim is noted on, and what an agent's own pages do to that."""

from __future__ import annotations

from consumer.evidence import pages
from consumer.reports import citations, notes
from consumer.reports.claims import Citation
from consumer.reports.reporting import GROUPS, Content, Statement
from contract import derived
from tests import brains

EVIDENCE = f"{brains.NOTES}/kickoff-1a.md"
MEETING = "meetings/kickoff-7f.md"
UNREADABLE = "meetings/agents-own.md"
LINK = "[Kickoff](../sources/cloop/meeting-notes/kickoff-1a.md)"


def brain() -> dict[str, pages.Page]:
    # What stands above the marker opens front matter that never parses: no page on its own.
    unreadable = f"---\nowner: [\n---\n{LINK}\n\n{derived.MARKER}\n\nmine"
    files = {
        EVIDENCE: brains.evidence("Kickoff", "The launch is on 2026-11-20.", "meeting_notes", "2026-11-02"),
        MEETING: brains.page("Kickoff", f"{LINK}\n\n{derived.MARKER}\n\n- noted before", type="meeting"),
        UNREADABLE: brains.page("Own", "").replace("# Own\n", unreadable),
    }
    return {pages.slug_of(path): pages.parse(pages.slug_of(path), text.encode()) for path, text in files.items()}


def test_an_unreadable_page_of_an_agent_takes_no_notes_and_keeps_none_from_the_others() -> None:
    by_slug = brain()
    cited = citations.resolve(Citation(page=EVIDENCE.removesuffix(".md"), quote="The launch is on"), by_slug.get)
    assert isinstance(cited, citations.Resolved)
    claim = Statement("changes", "The launch is set.", (cited,), "claim", 0.9, 1)
    content = Content({group: (claim,) if group == "changes" else () for group in GROUPS}, (), (), 0, 1)
    merged = notes.merge({}, content, by_slug, day="2026-11-27", job_id="j", by="hermes")
    assert {slug: [note.text for note in kept] for slug, kept in merged.items()} == {
        MEETING.removesuffix(".md"): ["The launch is set."]
    }
