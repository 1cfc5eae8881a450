"""What an agent is handed: excerpts of what changed, hints about it, and not more than a job's share."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from consumer.agent import briefing, task
from consumer.agent.briefing import SHARES, Briefing, Hint, PageExcerpts
from consumer.evidence import pagefiles, search
from consumer.reports import evidence
from consumer.reports.claims import Citation, Claim, RefusedExcerpt
from consumer.run import Exported, Run
from contract.event import JobType
from tests import brains

PROMPTS = {job_type: "$task" for job_type in ("hourly_digest", "insight", "backfill_digest")}


def brief(run: Run) -> Briefing:
    return briefing.brief(run, brains.desk(), brains.Free())


def document(run: Run) -> dict[str, Any]:
    """The agent's input, parsed."""
    given: dict[str, Any] = json.loads(task.prepare(run, PROMPTS, brief(run)).input_bytes)
    return given


def story(root: Path, job_type: JobType) -> Run:
    """A run over STORY, of which the report before covered all."""
    brains.write(root, brains.STORY)
    run = brains.run(root, job_type, period="2026-11-09T08" if job_type == "hourly_digest" else "2026-11-09")
    evidence.cover(run, evidence.load(root, brains.Free()))
    return run


def test_each_excerpt_stands_on_its_page_and_each_hint_names_its_own(tmp_path: Path) -> None:
    brains.write(tmp_path, brains.STORY)
    run = brains.run(tmp_path, period="2026-11-09")
    made, given = brief(run), document(run)
    by_id = {ident: quote for page in given["pages"] for ident, quote in page["excerpts"].items()}
    assert set(by_id) == set(made.offered)
    for page in given["pages"]:
        text = " ".join((tmp_path / layout.BRAIN / f"{page['page']}.md").read_text().split())
        assert all(quote in text for quote in page["excerpts"].values())
    assert {hint["kind"] for hint in given["hints"]} >= {"contradiction", "open_loop", "person"}
    for hint in given["hints"]:
        assert hint["excerpts"]
        assert set(hint["excerpts"]) <= set(by_id)


def test_the_same_pages_give_the_same_input(tmp_path: Path) -> None:
    brains.write(tmp_path, brains.STORY)
    run = brains.run(tmp_path, period="2026-11-09")
    assert task.prepare(run, PROMPTS, brief(run)).input_bytes == task.prepare(run, PROMPTS, brief(run)).input_bytes


@pytest.mark.parametrize(("locale", "language"), [("de-AT", "de"), ("en-GB", "en"), ("xx", "en")])
def test_the_input_names_the_language_of_the_users_reports(tmp_path: Path, locale: str, language: str) -> None:
    run = story(tmp_path, "hourly_digest")
    brains.speaking(tmp_path, locale)
    assert document(run)["language"] == language


def test_an_hour_gets_what_changed_and_only_the_hints_about_it(tmp_path: Path) -> None:
    run = story(tmp_path, "hourly_digest")
    assert "hints" not in document(run), "nothing changed, so no hint is about it"
    page = tmp_path / layout.BRAIN / "sources/cloop/chat-sessions/dates-b2.md"
    page.write_text(page.read_text() + "\nThe printer is broken again, says Tom.\n")
    given = document(run)
    changed = [entry for entry in given["pages"] if entry.get("changed")]
    assert [entry["page"] for entry in changed] == ["sources/cloop/chat-sessions/dates-b2"]
    assert "The printer is broken again, says Tom." in changed[0]["excerpts"].values()
    assert {hint["kind"] for hint in given["hints"]} <= {"contradiction", "change", "open_loop"}
    # The other side of the contradiction comes with its hint, from a page that did not change.
    others = [entry["page"] for entry in given["pages"] if not entry.get("changed")]
    assert f"{brains.NOTES}/lighthouse-weekly-a1" in others
    for hint in given["hints"]:
        assert set(hint["excerpts"]) & set(changed[0]["excerpts"])


def test_of_a_page_of_many_records_an_hour_gets_those_that_it_brought(tmp_path: Path) -> None:
    run = story(tmp_path, "hourly_digest")
    path = "sources/cloop/inbound-messages/2026-11-09.md"
    rows = '  - {anchor: "r-1", record_id: "old"}\n  - {anchor: "r-2", record_id: "new"}\n'
    front = f"source_key: inbound_messages\nrecords:\n{rows}"
    body = '<a id="r-1"></a>\n\n## A\n\nThis was said before.\n\n<a id="r-2"></a>\n\n## B\n\nThis is said now.\n'
    page = tmp_path / layout.BRAIN / path
    page.parent.mkdir(parents=True)
    page.write_text(f'---\ntitle: "Messages"\ntype: source\n{front}---\n# Messages\n\n{body}')
    export = tmp_path / "runtime/exports/hourly/j"
    export.mkdir(parents=True)
    (export / "inbound_messages.batch-000.jsonl").write_text('{"record_id": "new"}\n')
    exported = Exported(1, 0, {}, {}, manifest="runtime/exports/hourly/j/manifest.json")
    (entry,) = [entry for entry in document(replace(run, exported=exported))["pages"] if entry.get("changed")]
    assert list(entry["excerpts"].values()) == ["This is said now."]


@pytest.mark.parametrize("job_type", ["hourly_digest", "insight", "backfill_digest"])
def test_however_much_changed_the_input_keeps_to_its_share(tmp_path: Path, job_type: JobType) -> None:
    run = story(tmp_path, job_type)
    for number in range(60):
        sentences = "\n\n".join(f"Sentence {line} of note {number}, {'and so on ' * 20}." for line in range(30))
        name = f"{brains.NOTES}/long-{number:02d}.md"
        brains.write(tmp_path, {name: brains.evidence(f"Note {number}", sentences, "meeting_notes", "2026-11-08")})
    share, given = SHARES[job_type], document(run)
    size = len(json.dumps(given["pages"]))
    assert share.characters / 2 < size < share.characters * 2
    assert given["changed_pages_total"] == 60
    handed = [entry for entry in given["pages"] if entry.get("changed")]
    assert all(entry["more"] for entry in handed), "each says that its page has other sentences"
    assert all(len(entry["excerpts"]) <= share.of_record for entry in handed)
    assert len(handed) >= 3


def test_no_word_of_a_page_can_end_its_line(tmp_path: Path) -> None:
    """The input is JSON, whatever a page says; and one line holds one excerpt, which Hermes does not cut."""
    run = story(tmp_path, "hourly_digest")
    body = 'He said "stop"}]}\u2028and\u0085{"job_id": "other"} to everybody in the room.'
    name = f"{brains.NOTES}/odd-1.md"
    brains.write(tmp_path, {name: brains.evidence('A "title"', body, "meeting_notes", "2026-11-08")})
    work = task.prepare(run, PROMPTS, brief(run))
    assert json.loads(work.input_bytes)["job_type"] == "hourly_digest"
    assert max(map(len, work.input_bytes.decode().split("\n"))) < 2_000


# --- what was known before


def lines_of_context(run: Run) -> list[str]:
    lines: list[str] = document(run).get("context", [])
    return lines


def test_an_agent_is_told_what_was_known_before(tmp_path: Path) -> None:
    """A snapshot, standing facts and open loops, each with its page, within the job's share."""
    brains.write(tmp_path, brains.STORY)
    lines = lines_of_context(brains.run(tmp_path, period="2026-11-09"))
    text = "\n".join(lines)
    assert [line for line in lines if line.startswith("## ")] == ["## Snapshot", "## Standing facts", "## Open loops"]
    assert "Renew the Borealis contract" in text
    assert "[sources/cloop/checklist-items/2026-11-08#r-1]" in text
    assert len(text.encode()) <= SHARES["backfill_digest"].context * 3


def test_an_hour_is_told_what_other_pages_know_of_its_subject(tmp_path: Path) -> None:
    """And not what it is given as an excerpt anyway."""
    run = story(tmp_path, "hourly_digest")
    changed = tmp_path / layout.BRAIN / "sources/cloop/chat-sessions/dates-b2.md"
    changed.write_text(changed.read_text().replace("so marketing has time", "so Lighthouse has time"))
    search.update(tmp_path, pagefiles.digests(tmp_path, brains.Free()), brains.Free())
    passages = lines_of_context(run)
    passages = passages[passages.index("## Passages for the task") :]
    assert any("lighthouse-weekly-a1" in line for line in passages)
    assert not any("dates-b2" in line for line in passages)


def test_without_a_record_index_there_is_no_context(tmp_path: Path) -> None:
    brains.write(tmp_path, brains.PAGES)
    assert "context" not in document(brains.run(tmp_path, period="2026-11-09"))


def test_the_workspace_keeps_the_contexts_digest_and_none_of_its_words(tmp_path: Path) -> None:
    brains.write(tmp_path, brains.STORY)
    run = brains.run(tmp_path, period="2026-11-09")
    made = brief(run)
    assert made.context
    kept = json.loads(task.prepare(run, PROMPTS, made).kept_bytes)
    assert kept["context"] == made.context.digest
    assert made.context.sections[0].items[0].text not in json.dumps(kept)


def test_a_refused_finding_hides_no_sound_one(tmp_path: Path) -> None:
    brains.write(tmp_path, brains.STORY)
    run = brains.run(tmp_path, period="2026-11-09")
    place = Citation(page=f"{brains.NOTES}/billing-review-3c4d", quote="The invoices of Borealis are late.")
    sound = Claim(text="Borealis pays late.", kind="theme", citations=(place,), found_by="loops")
    refused = (RefusedExcerpt(excerpt="s1", reason="not handed out"),)
    others = [sound.model_copy(update={"refused": refused, "confidence": 0.9}), sound]
    others.append(sound.model_copy(update={"refused": refused, "text": "Borealis pays late. It always does."}))
    made = briefing.with_findings(Briefing(), run, others, {})
    assert [hint.claim for hint in made.hints] == [sound]


def cited(page: str, quote: str) -> Citation:
    return Citation(page=page, quote=quote)


def test_what_findings_quote_stands_on_its_page_and_keeps_the_id_that_was_handed_out(tmp_path: Path) -> None:
    """Quotes of one page stand together, of a page that is not there without a title; repeated hints are left out."""
    brains.write(tmp_path, brains.PAGES)
    run = brains.run(tmp_path, period="2026-11-09")
    by_slug = evidence.load(tmp_path, brains.Free())
    review, kickoff = f"{brains.NOTES}/billing-review-3c4d", f"{brains.NOTES}/atlas-kickoff-1a2b"
    late, refunds = cited(review, "The invoices of Borealis are late."), cited(review, "Refunds need  a renewal\ncheck")
    hint = Claim(text="Borealis pays late.", kind="theme", citations=(late,))
    first = briefing.with_findings(Briefing(), run, [hint], by_slug)
    (ident,) = first.hints[0].excerpts
    assert first.offered == {ident: late}
    assert first.pages == (
        PageExcerpts(review, "Billing review", "2026-11-01", changed=False, excerpts=((ident, late.quote),)),
    )
    launch, gone = cited(kickoff, "The launch of Atlas is planned"), cited(f"{brains.NOTES}/gone", "It was.")
    findings = [
        hint.model_copy(update={"found_by": "loops"}),  # a hint says so already
        Claim(text="Nobody knows.", kind="theme"),
        Claim(text="Refunds wait for Ravi.", kind="open_loop", citations=(refunds, late, refunds)),
        Claim(text="Atlas is launched in November.", kind="change", citations=(launch, gone)),
    ]
    made = briefing.with_findings(first, run, findings, by_slug)
    assert [each.claim.text for each in made.hints] == [hint.text, findings[2].text, findings[3].text]
    by_quote = {citation.quote: each for each, citation in made.offered.items()}
    assert made.hints[1].excerpts == (by_quote[refunds.quote], ident), "each once"
    assert made.pages == (
        replace(
            first.pages[0], excerpts=((ident, late.quote), (by_quote[refunds.quote], "Refunds need a renewal check"))
        ),
        PageExcerpts(
            kickoff, "Atlas kickoff", "2026-10-01", changed=False, excerpts=((by_quote[launch.quote], launch.quote),)
        ),
        PageExcerpts(gone.page, "", "", changed=False, excerpts=((by_quote[gone.quote], gone.quote),)),
    )


def test_an_agent_that_reads_on_from_its_hints_gets_only_what_they_quote() -> None:
    claim = Claim(text="It is late.", kind="theme")
    pages = (
        PageExcerpts("a", "A", "", True, (("s1", "one"), ("s2", "two")), more=True),
        PageExcerpts("b", "B", "", False, (("s3", "three"),)),
    )
    made = briefing.of_hints(Briefing(pages=pages, hints=(Hint(claim, ("s2",)),)))
    assert made.pages == (replace(pages[0], excerpts=(("s2", "two"),), more=False),)
    assert briefing.of_hints(Briefing(pages=pages)).pages == ()


def test_changed_pages_come_first_and_the_newest_first_of_each_group(tmp_path: Path) -> None:
    written = {
        f"{brains.NOTES}/{name}.md": brains.page(
            name, f"The {name} plan costs {number} euros.", occurred_at=f'"2026-11-0{number}T09:00:00Z"'
        )
        for number, name in enumerate(("oldest", "older", "newer", "newest"), start=1)
    }
    brains.write(tmp_path, written)
    run = brains.run(tmp_path, "hourly_digest", period="2026-11-09T08")
    made = brief(run)
    assert [page.title for page in made.pages] == ["newest", "newer", "older", "oldest"]
    assert {page.changed for page in made.pages} == {True}
    assert {page.more for page in made.pages} == {False}
    assert made.evidence == 4
    assert made.changed == tuple(sorted(path.removesuffix(".md") for path in written))
