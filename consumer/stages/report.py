"""
Stage 6 of 8, report: the findings and claims of the job, each statement with its citations.

Reads    the pages below brain/, the claims file, and the results of earlier stages on the run; the user's corrections
         and rules, as they are now.
Writes   brain/reports/<kind>/<period>__<job_id>.md, runtime/reports/<kind>/<job_id>.json,
         runtime/job-runs/<job_id>.json, brain/concepts/**, notes below the marker of derived pages, brain/CONTEXT.md,
         brain/CONTRADICTIONS.md, OPEN_LOOPS.md, DECISIONS.md and insights/**, the list of pages covered, the ledger of
         what was told, what rules hold, which corrections are in, what the owner sees first (``reports.today``); the
         evidence index, where a list is no longer as the index stage wrote it; an agent's memory (agent.memories);
         run.reported, run.artifacts, run.wake_at, run.overlay_version. With a judge its rulings on claims and the list
         of its calls, and in the bucket answers/<digest>; run.usage. A digest that has nothing to tell writes no
         report, and covers no pages.
Repeats  safely: the same run over the same snapshot writes the same files. The page is indexed by the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Final

from consumer import layout
from consumer.agent.judging import Judging
from consumer.agent.memories import RunMemory
from consumer.agent.storedanswers import BucketOf
from consumer.errors import UnexpectedFailure
from consumer.evidence import search
from consumer.evidence.pages import Page
from consumer.ports import Guard
from consumer.reports import (
    citations,
    claims,
    derive,
    evidence,
    passages,
    reporting,
    ruled,
    summary,
    view,
    waking,
)
from consumer.reports.claims import Claim, ClaimSet
from consumer.reports.edition import Edition
from consumer.reports.evidence import PageCache, ReportBasis
from consumer.reports.files import encode, put
from consumer.reports.reporting import Content, PrintedLines, Sifted
from consumer.reports.toldledger import ToldLedger
from consumer.run import Reported, Run
from consumer.understanding import support
from consumer.understanding.support import Judge
from contract.api import Artifact, ArtifactType
from contract.event import JobType
from contract.profile import Profile
from renderers import report as renderer

#: What a report says in place of an agent's reason that names what a rule holds.
HELD_REASON: Final = "for a reason that one of your rules holds back"

_ARTIFACT: Final[dict[JobType, ArtifactType]] = {
    "inventory": "inventory_report",
    "backfill_digest": "backfill_report",
    "hourly_digest": "digest_report",
    "insight": "insight_report",
}


@dataclass(frozen=True, slots=True)
class Report:
    #: Shared with the synthesize stage; cleared when the report is written.
    desk: PageCache = field(default_factory=PageCache)
    #: Rules on claims that code cannot check against their quotes; None: no judge.
    judge: Judge | None = None
    #: The bucket narrowed to one user's prefix, where the judge's answers are kept; None: they are not.
    bucket_of: BucketOf | None = None
    #: By name; they say where rules hold.
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    name: ClassVar[str] = "report"

    def run(self, run: Run, guard: Guard) -> Run:
        guard.check()
        if run.job.job_type == "inventory":
            return self._write(run, view.inventory(run), summary.inventory(run), guard)
        by_slug = self.desk.load(run, guard)
        overlay = self.desk.look(run)
        judging = Judging(run, guard, self.bucket_of)
        basis = self.desk.find(run, by_slug)
        # A rule or a correction may have come while the agent worked, or since the last run, in which no agent ran.
        RunMemory.prepare(run, self.profiles.get(run.job.runtime_profile), self.desk, by_slug)
        answer = _answer(run, basis)
        people = passages.directory(by_slug.values()) if answer else support.NOBODY
        ask = partial(judging.rulings, self.judge) if self.judge else None
        content = reporting.assemble(basis.findings, answer, by_slug.get, people, ask, sift=partial(_sifted, basis))
        run = replace(judging.run, overlay_version=overlay.version or None)
        if _tells(run, basis, content):
            written = self._reported(run, basis, content, by_slug, guard)
        else:
            quiet = summary.quiet(run, basis.findings) | ruled.document(basis, content)
            put(run.root / layout.job_run(run.job.job_id), encode(summary.job_run(run, quiet)))
            written = run
        lists = derive.write(run, content, basis, by_slug, is_listed=basis is self.desk.listed)
        if (lists.changed or lists.removed) and (run.root / layout.SEARCH_INDEX).is_file():
            # A correction came while the agent worked. The evidence index must match what this run commits; a brain
            # with its own store reads these pages in the next run.
            search.change(run.root, lists.changed, lists.removed, guard)
        ruled.write(run, basis, reported=written.reported is not None)
        if basis.today:
            put(run.root / layout.TODAY, encode(basis.today))
        written = remember_told(written, basis)
        self.desk.clear()
        return written

    def _reported(
        self, run: Run, basis: ReportBasis, content: Content, by_slug: Mapping[str, Page], guard: Guard
    ) -> Run:
        """Write the report, and note the pages that it covers."""
        since, printed, language = evidence.previous(run), _told(run, basis, by_slug), basis.reads_as.language
        document = summary.document(run, content, printed, basis.findings, since=since, language=language)
        document |= ruled.document(basis, content)
        document["summary"] = summary.line(run, content, basis.findings, ruled.line(basis, content))
        document["citations"] = self._checked(run, content, printed, by_slug)
        profile = self.profiles.get(run.job.runtime_profile)
        output_only = profile is None or profile.rules_hold == "output"
        lines = tuple(ruled.lines(run, basis, content, output_only=output_only))
        page = _VIEWS[run.job.job_type](run, content, printed, basis, view.Ruled(lines, document["summary"]))
        written = self._write(run, page, document, guard)
        evidence.cover(run, by_slug)
        return written

    def _checked(
        self, run: Run, content: Content, printed: PrintedLines, by_slug: Mapping[str, Page]
    ) -> dict[str, Any]:
        """Check the report's citations again, from the pages themselves."""
        check = reporting.citation_check(content, printed)
        check["resolved"] = sum(_holds(cited, by_slug) for cited in check["citations"])
        if check["resolved"] != check["total"]:
            raise UnexpectedFailure(f"job {run.job.job_id}: {check['total']} citations, {check['resolved']} resolve")
        return check

    def _write(self, run: Run, report: renderer.ReportPage, document: dict[str, Any], guard: Guard) -> Run:
        job = run.job
        page = layout.report_markdown(job.job_type, job.job_id, run.period)
        data = layout.report_json(job.job_type, job.job_id)
        check = document["citations"]
        reported = Reported(page, data, document["summary"], check["total"], check["resolved"])
        artifact = Artifact(
            artifact_type=_ARTIFACT[job.job_type],
            workspace_path=page,
            summary=document["summary"],
            metadata={
                "json": data,
                "citations_total": check["total"],
                "citations_resolved": check["resolved"],
                "claims": document.get("claims", 0),
            },
        )
        kept = tuple(other for other in run.artifacts if other.artifact_type != artifact.artifact_type)
        after = replace(run, reported=reported, artifacts=(*kept, artifact))
        guard.check()
        put(run.root / page, renderer.render(report).encode("utf-8"))
        put(run.root / data, encode(document))
        put(run.root / layout.job_run(job.job_id), encode(summary.job_run(after, document)))
        return after


_VIEWS: Final[Mapping[JobType, Callable[..., renderer.ReportPage]]] = {
    "backfill_digest": view.portrait,
    "hourly_digest": view.digest,
    "insight": view.insight,
}


def _told(run: Run, basis: ReportBasis, by_slug: Mapping[str, Page]) -> PrintedLines:
    """The lines of this kind of report."""
    decisions = basis.decisions if run.job.job_type == "backfill_digest" else ()
    insights = basis.insights if run.job.job_type == "insight" else ()
    edition = basis.edition if run.job.job_type == "hourly_digest" else Edition()
    return reporting.printed_lines(edition, by_slug.get, decisions, insights)


def _tells(run: Run, basis: ReportBasis, content: Content) -> bool:
    """Whether there is anything to tell. An hour may have nothing; that a correction is in, is something."""
    corrections = basis.corrections
    has_words = content.claims or corrections.new or corrections.gone or corrections.unknown
    return run.job.job_type != "hourly_digest" or basis.edition.matters or bool(has_words)


def remember_told(run: Run, basis: ReportBasis) -> Run:
    """Store what the user knows now, in the same commit as the report that told it, and when the next one is due.

    An insight tells nothing that a digest would tell, so it leaves the ledger as it is.
    """
    if run.job.job_type == "insight" or basis.memory is None:
        return run
    told_daily = basis.edition.daily and (run.reported is not None or run.job.job_type == "backfill_digest")
    today = evidence.day(run)
    ledger = basis.ledger.with_marks(basis.edition.marks).without_old(today, basis.edition.live)
    ledger = replace(ledger, daily=today.isoformat() if told_daily else ledger.daily)
    wake_at = waking.next_wake(
        basis.memory, evidence.moment(run), run.job.timezone, basis.reads_as, waits=_waits(run, basis, ledger)
    )
    put(run.root / layout.TOLD, replace(ledger, wake_at=wake_at, zone=run.job.timezone).encode())
    return replace(run, wake_at=wake_at)


def _waits(run: Run, basis: ReportBasis, ledger: ToldLedger) -> bool:
    """Whether the next digest has more to tell already. What waits and cannot be told any more wakes nobody: it is
    corrected, held by a rule, or stands on no page.
    """
    if run.job.job_type == "hourly_digest":
        return bool(basis.edition.lines and basis.edition.more)
    # A backfill does not look at what waits; the next digest does. What is doubted waits for another ruling.
    doubted = basis.memory.doubted_loops() if basis.memory else ()
    waiting = {mark.key for mark in ledger.marks.values() if not mark.is_told}
    return bool(waiting.difference(*(loop.statements for loop in doubted)))


def _answer(run: Run, basis: ReportBasis) -> ClaimSet | None:
    """The agent's answer; reasons for rejecting a hint that name what a rule holds are not told."""
    if run.synthesized is None:
        return None
    answer = claims.parse((run.root / run.synthesized.claims_path).read_bytes(), run.job.job_id)
    rejects = tuple(
        reject.model_copy(update={"reason": HELD_REASON}) if basis.withheld.of_text(reject.reason) else reject
        for reject in answer.rejects
    )
    return answer.model_copy(update={"rejects": rejects})


def _sifted(basis: ReportBasis, claim: Claim) -> Sifted:
    holders = basis.withheld.of_told(claim.text, claim.citations)
    return Sifted(holders, "" if holders else basis.corrections.repeated_by(claim), _is_doubted(basis, claim))


def _is_doubted(basis: ReportBasis, claim: Claim) -> bool:
    """Whether an agent calls a loop open that the second reading doubts. It is not told of it, but reads pages."""
    places = {(cited.page, cited.quote) for finding in basis.doubted for cited in finding.citations}
    return claim.kind == "open_loop" and any((cited.page, cited.quote) in places for cited in claim.citations)


def _holds(cited: Mapping[str, Any], by_slug: Mapping[str, Page]) -> bool:
    verdict = citations.resolve(
        claims.Citation(page=cited["page"], anchor=cited["anchor"], quote=cited["quote"]), by_slug.get
    )
    return isinstance(verdict, citations.Resolved) and verdict.checksum == cited["checksum"]
