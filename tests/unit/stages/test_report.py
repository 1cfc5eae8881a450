from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from consumer import layout
from consumer.agent import judging
from consumer.evidence import pages
from consumer.inventory import Inventory, SourceInventory
from consumer.ports import WAITS, IndexCounts, ModelCall, ModelTags
from consumer.reports import claims, reporting
from consumer.reports.evidence import PageCache
from consumer.run import Exported, Rendered, Run, Synthesized
from consumer.stages.report import Report
from consumer.understanding.statements import Fact, Quote
from consumer.understanding.support import Judge, Judgement, Question
from consumer.understanding.utterances import Person
from contract.api import Redaction, Usage
from tests import brains

GOLDEN = Path(__file__).parent.parent.parent / "golden" / "report"
GOOD: dict[str, Any] = {
    "text": "Harbor's money is disputed",
    "kind": "theme",
    "citations": [{"page": "sources/cloop/briefings/2026-11-07-d4", "quote": "Harbor has a budget of 62k"}],
    "confidence": 0.8,
}
DOUBTED: dict[str, Any] = {**GOOD, "text": "Harbor may slip", "kind": "project", "confidence": 0.2}
FALSE: dict[str, Any] = {
    **GOOD,
    "text": "Anna left the company",
    "kind": "person",
    "citations": [{"page": "people/anna-kowal-9f", "quote": "Anna resigned"}],
}


def claimed(run: Run, *given: dict[str, Any], rejects: Sequence[dict[str, Any]] = ()) -> Run:
    """The run after a synthesis that made these claims."""
    path = layout.synthesis(run.job.job_id)
    answer = claims.ClaimSet.model_validate({"job_id": run.job.job_id, "claims": given, "rejects": rejects})
    (run.root / path).parent.mkdir(parents=True, exist_ok=True)
    (run.root / path).write_bytes(answer.encode())
    made = Synthesized(path, "offline-1", "hermes 0.19.0", "20261127_140500_abcdef", 7)
    usage = Usage(input_tokens=12345, output_tokens=678, requests=9, cost_usd=0.0421)
    return dataclasses.replace(run, synthesized=made, usage=usage)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return prepared(tmp_path)


def prepared(tmp_path: Path) -> Run:
    """A backfill of the small story up to the report."""
    brains.write(tmp_path, brains.STORY)
    redaction = Redaction(source_key="connections", field="access_token", reason="name", count=2)
    return brains.run(
        tmp_path,
        brain="local 1.0.0",
        exported=Exported(6, 0, {"meeting_notes": 1, "chat_sessions": 1}, {"meeting_notes": 812}, (redaction,)),
        rendered=Rendered(("a.md",), (), 0, 7),
        indexed=IndexCounts(7, 0, 0, 7, 3),
        timings={"export": 0.25},
    )


def report(run: Run) -> tuple[Run, str, dict[str, Any]]:
    after = Report(brains.desk()).run(run, brains.Free())
    assert after.reported is not None
    text = (run.root / after.reported.markdown).read_text("utf-8")
    return after, text, orjson.loads((run.root / after.reported.json).read_bytes())


def part(text: str, heading: str) -> str:
    return text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0].split("\n<", 1)[0]


@pytest.mark.parametrize("job_type", ["backfill_digest", "hourly_digest", "insight"])
def test_goldens(run: Run, job_type: Any) -> None:
    job = run.job.model_copy(update={"job_type": job_type})
    brains.begin_ledger(run.root)
    _, text, _ = report(claimed(dataclasses.replace(run, job=job), GOOD, DOUBTED, FALSE))
    golden = GOLDEN / f"{job_type}.md"
    assert text == golden.read_text("utf-8"), f"write {golden} anew with: python -m tests.unit.stages.write_reports"


def test_a_second_backfill_says_that_nothing_is_new_and_not_that_nothing_is_there(run: Run) -> None:
    assert run.exported is not None
    exported = dataclasses.replace(run.exported, records=0, source_counts={}, source_bytes={})
    _, text, _ = report(claimed(dataclasses.replace(run, exported=exported), GOOD))
    assert part(text, "Counts").strip() == (
        "No record is new or changed since the last commit. Earlier records are not counted again."
    )


def test_a_portrait_lists_what_moved_and_is_still_to_come(run: Run) -> None:
    folder, readings = "sources/cloop/meeting-notes", []
    for day, harbor, badges in (("2026-11-24", "2026-12-10", "2026-11-25"), ("2026-11-25", "2026-12-17", "2026-11-26")):
        words = (f"The Harbor opening is on {harbor}.", f"The badge delivery is on {badges}.")
        body = f"## Note\n\n```text\n{words[0]}\n{words[1]}\n```\n"
        brains.write(run.root, {f"{folder}/{day}.md": brains.evidence("Meeting note", body, "meeting_notes", day)})
        facts = [
            Fact(subject, "date", value, "", (), (Quote(0, quote),), by=Person("Anna Kowal"))
            for subject, value, quote in zip(("Harbor opening", "badge delivery"), (harbor, badges), words, strict=True)
        ]
        reading = brains.reading_of("meeting_notes", f"n{day}", day, *facts, author=Person("Anna Kowal"))
        readings.append((reading, f"{folder}/{day}.md", ""))
    brains.remember(run.root, readings)
    _, text, document = report(claimed(run))
    changed = [line for line in part(text, "What changed").splitlines() if line.startswith("- ")]
    assert changed == ["- Harbor opening: Thu 10 Dec → Thu 17 Dec (Anna Kowal, Wed 25 Nov)."]
    assert any("Badge delivery" in entry["text"] for entry in document["sections"]["changes"])


def test_files_stand_where_the_specification_puts_them(run: Run) -> None:
    after, _, _ = report(run)
    job = run.job.job_id
    assert after.reported is not None
    assert after.reported.markdown == f"brain/reports/backfill/2026-11-27__{job}.md"
    assert after.reported.json == f"runtime/reports/backfill/{job}.json"
    artifact = after.artifacts[0]
    assert (artifact.artifact_type, artifact.workspace_path) == ("backfill_report", after.reported.markdown)
    summary = orjson.loads((run.root / layout.job_run(job)).read_bytes())
    assert summary["citations"]["resolved"] == summary["citations"]["total"] == after.reported.citations_total > 10
    assert summary["timings_s"] == {"export": 0.25}


def test_a_run_names_pages_that_the_brain_refused_and_counts_those_that_wait(run: Run) -> None:
    skipped = {"concepts/bad.md": "bad front matter", "concepts/later.md": WAITS}
    note = "brain: 1 pages wait for the next run"
    after, _, _ = report(dataclasses.replace(run, indexed=IndexCounts(skipped=skipped, notes=(note,))))
    written = (run.root / layout.job_run(run.job.job_id)).read_bytes()
    indexed = orjson.loads(written)["counts"]["indexed"]
    assert (indexed["skipped"], indexed["notes"]) == ({"concepts/bad.md": "bad front matter"}, [note])
    assert b"later" not in written
    assert after.counts["pages_skipped"] == 2


def test_every_citation_has_the_checksum_of_its_page(run: Run) -> None:
    _, _, document = report(claimed(run, GOOD))
    check = document["citations"]
    assert check["total"] == check["resolved"] == len(check["citations"])
    for cited in check["citations"]:
        data = (run.root / layout.BRAIN / pages.path_of(cited["page"])).read_bytes()
        assert pages.parse(cited["page"], data).checksum == cited["checksum"]


def test_every_link_of_the_page_leads_to_a_page_and_an_anchor(run: Run) -> None:
    after, text, document = report(claimed(run, GOOD, DOUBTED))
    assert after.reported is not None
    page = pages.parse(pages.slug_of(after.reported.markdown.removeprefix("brain/")), text.encode())
    assert document["citations"]["total"] >= len(page.links) > 5
    for link in page.links:
        target = run.root / layout.BRAIN / pages.path_of(link.target)
        assert target.is_file()
        assert link.anchor is None or link.anchor in pages.parse(link.target, target.read_bytes()).anchors


def test_claims_go_where_their_proof_puts_them(run: Run) -> None:
    _, text, document = report(claimed(run, GOOD, DOUBTED, FALSE))
    assert GOOD["text"] in part(text, "What this means")
    assert DOUBTED["text"] in part(text, "Low confidence")
    refused = part(text, "Could not be verified")
    assert FALSE["text"] in refused
    assert "the quote is not on the page" in refused
    assert text.count(FALSE["text"]) == 1
    assert [statement["text"] for statement in document["unverified"]] == [FALSE["text"]]
    assert all(citation["quote"] != "Anna resigned" for citation in document["citations"]["citations"])


@pytest.mark.parametrize("job_type", ["backfill_digest", "hourly_digest", "insight"])
def test_what_is_in_doubt_is_folded_with_all_else_that_a_person_need_not_read(run: Run, job_type: Any) -> None:
    job = run.job.model_copy(update={"job_type": job_type})
    _, text, _ = report(claimed(dataclasses.replace(run, job=job), GOOD, DOUBTED, FALSE))
    above, _, folded = text.partition("<details>")
    for words in (DOUBTED["text"], FALSE["text"], "## Counts"):
        assert (words in above, words in folded) == (False, True), words
    assert GOOD["text"] in above


def test_an_insight_that_rests_on_one_page_is_in_doubt(run: Run) -> None:
    other = {
        "page": "sources/cloop/granola-transcripts/budget-c3",
        "quote": "The Harbor budget is $48,000, approved by finance.",
    }
    alone = {**GOOD, "kind": "insight", "text": "Harbor's money is short"}
    joined = {**GOOD, "kind": "insight", "citations": [*GOOD["citations"], other]}
    _, text, document = report(claimed(run, alone, joined))
    assert GOOD["text"] in part(text, "What this means")
    assert f"{alone['text']} ({reporting.ONE_PAGE})" in part(text, "Low confidence")
    assert [entry["doubt"] for entry in document["low_confidence"]] == [reporting.ONE_PAGE]


def repeating(document: dict[str, Any], text: str) -> dict[str, Any]:
    """A claim that cites what the first contradiction of a report does."""
    finding = document["sections"]["contradictions"][0]
    cited = [{name: citation[name] for name in ("page", "anchor", "quote")} for citation in finding["citations"]]
    return {"text": text, "kind": "contradiction", "citations": cited, "confidence": 0.9}


def test_a_claim_that_repeats_a_finding_stands_in_its_place(run: Run) -> None:
    _, _, alone = report(run)
    finding_text = alone["sections"]["contradictions"][0]["text"]
    _, text, document = report(claimed(run, repeating(alone, f"offline model: {finding_text}")))
    stated = document["sections"]["contradictions"]
    assert [(statement["origin"], statement["text"]) for statement in stated] == [
        ("claim", f"offline model: {finding_text}"),
        *((statement["origin"], statement["text"]) for statement in alone["sections"]["contradictions"][1:]),
    ]
    assert document["findings_replaced_by_claims"] == 1
    assert text.count(finding_text.replace("_", "\\_")) == 1


@pytest.mark.parametrize("words", ["They disagree on the Harbor budget", "They asked whether {finding}"])
def test_a_claim_in_other_words_stands_beside_the_finding_of_the_same_places(run: Run, words: str) -> None:
    _, _, alone = report(run)
    other = repeating(alone, words.format(finding=alone["sections"]["contradictions"][0]["text"]))
    _, _, document = report(claimed(run, other))
    stated = [statement["text"] for statement in document["sections"]["contradictions"]]
    assert stated == [*(statement["text"] for statement in alone["sections"]["contradictions"]), other["text"]]
    assert document["findings_replaced_by_claims"] == 0


def test_the_words_of_a_finding_verify_nothing_that_is_added_to_them(run: Run) -> None:
    _, _, alone = report(run)
    finding_text = alone["sections"]["contradictions"][0]["text"]
    _, _, document = report(claimed(run, repeating(alone, f"Ingrid Solheim embezzled 9 million euros. {finding_text}")))
    assert len(document["unverified"]) == 1
    assert document["sections"]["contradictions"] == alone["sections"]["contradictions"]


def test_each_claim_says_what_was_checked_and_why_it_failed(run: Run) -> None:
    other = {**GOOD, "text": "Harbor has a budget of 26k"}
    citing_a_report = {
        **GOOD,
        "citations": [{"page": "reports/backfill/2026-11-01", "quote": "Harbor has a budget of 62k"}],
    }
    _, text, document = report(claimed(run, GOOD, other, citing_a_report))
    (held,) = [statement for statement in document["sections"]["themes"] if statement["origin"] == "claim"]
    assert [(check["check"], check["passed"]) for check in held["checks"]] == [
        ("evidence", True), ("quotes", True), ("values", True), ("meaning", True)
    ]  # fmt: skip
    wrong, repeated = document["unverified"]
    assert {check["check"]: check["reason"] for check in wrong["checks"]}["values"] == (
        "the number \u201c26k\u201d is not in the quotes or on the record"
    )
    assert (wrong["score"], [check["passed"] for check in wrong["checks"]]) == (0.0, [True, True, False, True])
    assert "this memory wrote it, so it is no evidence" in repeated["checks"][0]["reason"]
    assert [check["passed"] for check in repeated["checks"]] == [False, False, None, None]
    assert "the number \u201c26k\u201d is not in the quotes" in part(text, "Could not be verified")


def test_a_hint_that_the_agent_rejects_goes_to_low_confidence_with_its_reason(run: Run) -> None:
    _, _, alone = report(run)
    finding = alone["sections"]["contradictions"][0]
    cited = tuple(claims.Citation(page=c["page"], anchor=c["anchor"], quote=c["quote"]) for c in finding["citations"])
    hint = claims.hint_id(finding["text"], cited)
    rejects = [{"hint": hint, "reason": "two budgets of *two* years"}, {"hint": "h-0", "reason": "invented"}]
    _, text, document = report(claimed(run, GOOD, rejects=rejects))
    assert finding not in document["sections"]["contradictions"]
    assert [statement["text"] for statement in document["low_confidence"]] == [finding["text"]]
    assert document["low_confidence"][0]["doubt"] == "the agent rejects it: two budgets of *two* years"
    assert document["rejections"] == {"hints": 1, "unknown": 1}
    assert "the agent rejects it: two budgets of \\*two\\* years" in part(text, "Low confidence")


@pytest.mark.parametrize(
    ("words", "is_rejected"),
    [
        ("{hint}.", True),
        ("{hint}", True),
        (f"{claims.OFFLINE_MARK}: {{hint}}.", True),
        ("Harbor: 48,000 or 62k.", False),
        ("Harbor, budget: 48,000 USD; one record says 62,000 USD.", False),
    ],
)
def test_rejecting_a_hint_also_rejects_a_finding_that_repeats_it_and_no_other(
    run: Run, words: str, is_rejected: bool
) -> None:
    _, _, alone = report(run)
    finding = alone["sections"]["contradictions"][0]
    places = [{name: entry[name] for name in ("page", "anchor", "quote")} for entry in finding["citations"]]
    cited = tuple(claims.Citation(**place) for place in places)
    text = words.format(hint=finding["text"].rstrip("."))
    claim = {"kind": "contradiction", "text": text, "citations": places, "found_by": "timely"}
    rejects = [{"hint": claims.hint_id(finding["text"], cited), "reason": "two years"}]
    _, _, document = report(claimed(run, claim, rejects=rejects))
    reason = "the agent rejects it: two years"
    doubts = [(entry["text"], entry["doubt"]) for entry in document["low_confidence"]]
    assert doubts == [(finding["text"], reason), *([(text, reason)] if is_rejected else [])]
    assert (text in [entry["text"] for entry in document["sections"]["contradictions"]]) is not is_rejected


CALL = ModelCall(datetime(2026, 11, 28, tzinfo=UTC), "/v1/chat/completions", "small", 200, 70, 0, 5, 0.001, 0.5, 1)


def test_records_that_a_model_has_yet_to_read_are_told_as_a_shortfall(run: Run) -> None:
    assert run.rendered
    short = dataclasses.replace(run, rendered=dataclasses.replace(run.rendered, unread=1200, unread_why="tokens"))
    _, text, document = report(short)
    shortfall = "1,200 records read by rules only so far, because this job's share of tokens is spent"
    assert shortfall in document["summary"]
    assert shortfall in text
    assert document["counts"]["rendered"]["unread"] == 1200
    assert "read by rules only" not in report(run)[2]["summary"]


class Scripted:
    """A judge that answers as told, and keeps what it was asked."""

    def __init__(self, *rulings: str) -> None:
        self.rulings, self.asked = rulings, list[str]()

    def judge(self, questions: Sequence[Question], tags: ModelTags, spent: Usage, limit_s: float) -> Judgement:
        self.asked += [question.claim for question in questions]
        self.booked = (tags.job_id, spent.requests, limit_s)
        return Judgement(self.rulings, Usage(requests=1, input_tokens=70, output_tokens=5), (CALL,))


def judged_report(run: Run, judge: Judge, desk: PageCache | None = None) -> dict[str, Any]:
    after = Report(desk or PageCache(), judge=judge).run(run, brains.Free())
    assert after.reported is not None
    document: dict[str, Any] = orjson.loads((run.root / after.reported.json).read_bytes())
    return document


SECOND: dict[str, Any] = {**GOOD, "text": "Harbor is well funded", "kind": "project"}
THIRD: dict[str, Any] = {**GOOD, "text": "Harbor ruins the quarter", "kind": "insight"}


def test_a_judge_decides_what_code_cannot_tell(run: Run) -> None:
    judge = Scripted("supported", "partial", "unsupported")
    document = judged_report(claimed(run, GOOD, SECOND, THIRD, FALSE), judge)
    assert judge.asked == [GOOD["text"], SECOND["text"], THIRD["text"]], "what code refuses is not asked"
    assert [statement["text"] for statement in document["sections"]["themes"] if statement["origin"] == "claim"] == [
        GOOD["text"]
    ]
    assert [(statement["text"], statement["doubt"]) for statement in document["low_confidence"]] == [
        (SECOND["text"], "the judge found only a part of the claim in the quotes")
    ]
    assert [statement["text"] for statement in document["unverified"]] == [THIRD["text"], FALSE["text"]]
    assert document["unverified"][0]["reasons"] == ["the judge did not find the claim in the quotes"]


@pytest.mark.parametrize("confidence", [0.9, 0.1])
def test_a_finding_that_the_agent_repeats_needs_no_judge_and_is_told_once(run: Run, confidence: float) -> None:
    _, _, alone = report(run)
    judge = Scripted()
    finding_text = alone["sections"]["contradictions"][0]["text"]
    same = {**repeating(alone, finding_text), "confidence": confidence}
    document = judged_report(claimed(run, same), judge, brains.desk())
    assert judge.asked == []
    assert document["low_confidence"] == alone["low_confidence"]
    texts = [statement["text"] for statement in document["sections"]["contradictions"]]
    assert texts == [statement["text"] for statement in alone["sections"]["contradictions"]]


def test_what_a_judge_costs_is_booked_and_its_call_recorded(run: Run) -> None:
    run, judge = claimed(run, GOOD), Scripted("supported")
    spent = run.usage.requests
    document = judged_report(run, judge)
    assert judge.booked == (run.job.job_id, spent, 120.0), "with what was spent, and half of the time that is left"
    assert document["usage"]["requests"] == spent + 1
    (line,) = (run.root / layout.judge_calls(run.job.job_id)).read_bytes().splitlines()
    assert orjson.loads(line)["model"] == "small"
    judged_report(claimed(run, GOOD), again := Scripted("supported"))
    assert again.asked == []


@pytest.mark.parametrize(("status", "why", "limit_s"), [(200, "", 120.0), (499, "", 20.0), (200, "model", 20.0)])
def test_a_model_that_was_silent_in_this_job_is_waited_for_less(
    run: Run, status: int, why: Any, limit_s: float
) -> None:
    assert run.rendered
    run = dataclasses.replace(run, rendered=dataclasses.replace(run.rendered, unread_why=why))
    calls = run.root / layout.judge_calls(run.job.job_id)
    calls.parent.mkdir(parents=True, exist_ok=True)
    calls.write_bytes(orjson.dumps({"status": status}) + b"\n")
    judged_report(claimed(run, GOOD), judge := Scripted("supported"))
    assert judge.booked[2] == limit_s


def test_a_judge_is_asked_once_for_the_same_words(run: Run) -> None:
    judged_report(claimed(run, GOOD), Scripted("supported"))
    again = Scripted("unsupported")
    document = judged_report(claimed(run, GOOD, SECOND), again)
    assert again.asked == [SECOND["text"]]
    assert [statement["text"] for statement in document["unverified"]] == [SECOND["text"]]
    kept = (run.root / layout.RULINGS).read_text("utf-8")
    assert kept.count("supported") == 2
    assert "Harbor" not in kept, "rulings are kept by digest"


def test_the_judges_answers_of_earlier_reports_are_kept_up_to_a_limit_the_latest_used_first(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "RULINGS_KEPT", 2)

    def asked(*claims: dict[str, Any]) -> list[str]:
        judge = Scripted(*("supported",) * len(claims))
        judged_report(claimed(run, *claims), judge)
        return judge.asked

    assert asked(GOOD) == [GOOD["text"]]
    assert asked(SECOND) == [SECOND["text"]]
    assert asked(GOOD) == [], "it stayed, although the last report did not have it"
    assert asked(THIRD) == [THIRD["text"]]
    assert asked(GOOD) == [], "of the two before the third claim it was used last"
    assert asked(SECOND) == [SECOND["text"]]


def test_a_report_with_as_many_rulings_as_are_kept_leaves_no_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_report(claimed(run, GOOD, SECOND, THIRD), Scripted(*("supported",) * 3))
    monkeypatch.setattr(judging, "RULINGS_KEPT", 2)
    judged_report(claimed(run, GOOD, SECOND), Scripted())
    judged_report(claimed(run, THIRD), again := Scripted("supported"))
    assert again.asked == [THIRD["text"]]


@pytest.mark.parametrize("lie", [(), ("supported",) * 3, ("yes",), ("SUPPORTED",), (None,), ({"ruling": "supported"},)])
def test_a_judge_that_answers_out_of_form_makes_no_claim_a_fact(run: Run, lie: Any) -> None:
    document = judged_report(claimed(run, GOOD), Scripted(*lie))
    assert [(statement["text"], statement["doubt"]) for statement in document["low_confidence"]] == [
        (GOOD["text"], "the judge gave no answer")
    ]
    truthful = Scripted("supported")
    assert judged_report(claimed(run, GOOD), truthful)["low_confidence"] == []
    assert truthful.asked == [GOOD["text"]], "what was no answer is asked again"


def test_a_judge_that_lies_lifts_nothing_that_code_refuses(run: Run) -> None:
    invented = {**GOOD, "text": "Ingrid Solheim embezzled 9 million euros"}
    document = judged_report(claimed(run, invented), Scripted("supported"))
    assert [statement["text"] for statement in document["unverified"]] == [invented["text"]]


@pytest.mark.parametrize(
    "bent", [b"", b"[]", b'{"rulings": 7}', b'{"rulings": [[1, 2], ["x"]]}', b'{"rulings": [["k", []]]}']
)
def test_rulings_that_somebody_bent_are_asked_for_again(run: Run, bent: bytes) -> None:
    (run.root / layout.RULINGS).parent.mkdir(parents=True, exist_ok=True)
    (run.root / layout.RULINGS).write_bytes(bent)
    judge = Scripted("supported")
    judged_report(claimed(run, GOOD), judge)
    assert judge.asked == [GOOD["text"]]


def test_capabilities_are_stated_word_for_word(run: Run) -> None:
    _, text, document = report(run)
    assert part(text, "Capabilities").strip().splitlines()[1:-1] == [
        "Source write capability: none",
        "Supabase service role in worker: no",
        "Integration credentials in worker: no",
        "Allowed API scopes: memory_export:read, memory_job:complete",
        f"Workspace write capability: gs://bucket/users/{brains.USER}/...",
    ]
    assert len(document["capabilities"]) == 5


def test_what_made_it_and_what_it_cost_is_said(run: Run) -> None:
    _, text, document = report(claimed(run, GOOD))
    made = part(text, "How it was made")
    for expected in ("local 1.0.0", "hermes 0.19.0", "offline-1", "12,345 tokens in", "0.0421 USD"):
        assert expected in made
    assert (document["brain"], document["made_by"]["model"]) == ("local 1.0.0", "offline-1")
    assert document["usage"]["requests"] == 9


def test_the_summary_that_leaves_the_workspace_holds_numbers_only(run: Run) -> None:
    after, _, _ = report(claimed(run, GOOD, FALSE))
    summary = after.artifacts[0].summary
    assert "2 contradictions" in summary
    assert "1 unverified claim" in summary
    assert not any(word in summary for word in ("Harbor", "Anna", "Lighthouse"))


def test_every_claim_has_the_number_of_its_place_in_the_answer(run: Run) -> None:
    after, text, document = report(claimed(run, GOOD, DOUBTED, FALSE))
    assert [statement["claim"] for statement in document["sections"]["themes"] if statement["origin"] == "claim"] == [1]
    assert (document["low_confidence"][0]["claim"], document["unverified"][0]["claim"]) == (2, 3)
    assert all(statement["claim"] is None for statement in document["sections"]["open_loops"])
    assert "(claim 1)" in text
    assert after.artifacts[0].metadata["claims"] == document["claims"] == 3


def test_a_synthesis_that_is_switched_off_is_said_with_its_reason(run: Run) -> None:
    why = "user: paused: 2 of 20 marked claims are wrong"
    job = run.job.model_copy(update={"flags": {"synthesis": False}, "flag_notes": {"synthesis": why}})
    after, text, document = report(dataclasses.replace(run, job=job))
    assert f"Synthesis: switched off ({why})" in part(text, "How it was made").replace("\\", "")
    assert document["synthesis_off"] == why
    assert after.artifacts[0].summary.endswith("synthesis is switched off.")
    assert why not in after.artifacts[0].summary


def test_a_time_zone_that_does_not_exist_is_said(run: Run) -> None:
    job = run.job.model_copy(update={"timezone_unknown": True})
    after, text, _ = report(dataclasses.replace(run, job=job))
    assert "Time zone: that of the profile does not exist" in part(text, "How it was made")
    assert after.artifacts[0].summary.endswith("unknown time zone, UTC used.")


def test_a_second_report_tells_what_changed_since_the_first(run: Run) -> None:
    report(run)
    brains.write(
        run.root, {"sources/cloop/briefings/new.md": brains.evidence("New one", "Fresh.", "briefings", "2026-11-28")}
    )
    later = run.job.model_copy(update={"job_id": "11111111-5c1d-4c55-9d55-0f6d2f3f1a01", "period": "2026-11-28"})
    _, _, document = report(dataclasses.replace(run, job=later))
    assert document["since"] == {"job_id": brains.JOB, "period": "2026-11-27"}
    assert (document["counts"]["new"], document["counts"]["changed"]) == (1, 0)
    assert "New one" in document["sections"]["changes"][0]["text"]


def test_a_digest_of_an_hour_is_dated_by_its_hour(run: Run) -> None:
    _, text, _ = report(dataclasses.replace(run, job=run.job.model_copy(update={"period": "2026-11-27T03"})))
    assert 'occurred_at: "2026-11-27T03:00:00Z"' in text


def test_the_same_run_again_writes_the_same_bytes(run: Run) -> None:
    after, text, _ = report(claimed(run, GOOD))
    assert after.reported is not None
    data = (run.root / after.reported.json).read_bytes()
    # As a second attempt finds it: nothing of the first one was committed.
    (run.root / "runtime/manifests/covered-digest.json").unlink()
    (run.root / layout.TOLD).unlink()
    _, again, _ = report(claimed(run, GOOD))
    assert again == text
    assert (run.root / after.reported.json).read_bytes() == data


def test_hostile_text_stays_text(run: Run) -> None:
    bad = "x](https://evil) <script> --- \n# Heading\n| `code`"
    _, text, _ = report(claimed(run, {**GOOD, "text": bad}))
    parsed = pages.parse("reports/backfill/x", text.encode())
    assert all("evil" not in link.target for link in parsed.links)
    assert [section.heading for section in parsed.sections].count("Heading") == 0


def test_an_empty_brain_gives_a_report_that_says_so(tmp_path: Path) -> None:
    after, text, document = report(brains.run(tmp_path))
    assert document["citations"] == {"total": 0, "resolved": 0, "citations": []}
    assert "Nothing is open." in text
    assert after.reported is not None


def test_an_inventory_reports_counts_and_a_verdict(tmp_path: Path) -> None:
    source = SourceInventory("meeting_notes", "raw", "private", 12, 34_567, 3)
    inventory = Inventory("insufficient", 1, 3, 12, 34_567, (source,))
    after, text, document = report(brains.run(tmp_path, "inventory", inventory=inventory))
    assert part(text, "Verdict").strip() == (
        "Evidence is **insufficient** for a backfill: 1 of 1 sources have enough records, 3 are needed."
    )
    assert "| meeting_notes | 12 | 34.6 kB | 3 | yes |" in text
    assert document["inventory"]["verdict"] == "insufficient"
    assert after.artifacts[0].artifact_type == "inventory_report"
    assert not (tmp_path / "runtime/manifests").exists()


@pytest.mark.parametrize(("examined", "seen"), [(12, "all 12"), (10, "the first 10 of 12")])
def test_an_inventory_says_how_much_it_knows_the_redactions_of(tmp_path: Path, examined: int, seen: str) -> None:
    source = SourceInventory("meeting_notes", "raw", "private", 12, 34_567, 3)
    inventory = Inventory("insufficient", 1, 3, 12, 34_567, (source,))
    left_out = Redaction(source_key="meeting_notes", field="note_text", reason="jwt", count=2)
    exported = Exported(0, 0, {"meeting_notes": 12}, {}, (left_out,), examined=examined)
    _, text, document = report(brains.run(tmp_path, "inventory", inventory=inventory, exported=exported))
    section = part(text, "Redactions")
    assert f"in {seen} records" in section
    assert "| meeting_notes.note_text (jwt) | 2 |" in section
    assert document["redactions"] == [left_out.model_dump(mode="json")]


def test_a_link_in_the_reports_place_is_replaced(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "victim"
    outside.write_text("untouched")
    place = run.root / layout.report_json("backfill_digest", brains.JOB)
    place.parent.mkdir(parents=True)
    place.symlink_to(outside)
    report(run)
    assert outside.read_text() == "untouched"
