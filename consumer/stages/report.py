"""
Stage 6 of 8, report: what the job found, each statement with the place it rests on.

Reads    the pages below brain/, the claims file, and what earlier stages put on the run.
Writes   brain/reports/<kind>/<period>__<job_id>.md, runtime/reports/<kind>/<job_id>.json,
         runtime/job-runs/<job_id>.json, brain/concepts/**, notes below the marker of derived pages, brain/CONTEXT.md,
         brain/CONTRADICTIONS.md, the list of pages covered; run.reported and run.artifacts. With a judge its rulings
         and the list of its calls; run.usage.
Repeats  safely: the same run writes the same files. The page is indexed by the next run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import orjson

from consumer import layout
from consumer.errors import UnexpectedFailure
from consumer.evidence.pages import Page
from consumer.ports import Guard
from consumer.reports import citations, claims, derive, evidence, passages, reporting, summary, view
from consumer.reports.claims import ClaimSet
from consumer.reports.evidence import PageCache
from consumer.reports.files import encode, put
from consumer.reports.reporting import Content
from consumer.run import Reported, Run
from consumer.understanding import support
from consumer.understanding.support import Judge, Question
from contract.api import Artifact, ArtifactType
from contract.event import JobType
from renderers import report as renderer

#: What a judge said of claims, by the digest of claim and quotes; the newest last.
RULINGS: Final = f"{layout.MANIFESTS}/rulings.json"
RULINGS_KEPT: Final = 2000

_ARTIFACT: Final[dict[JobType, ArtifactType]] = {
    "inventory": "inventory_report",
    "backfill_digest": "backfill_report",
    "hourly_digest": "digest_report",
    "insight": "insight_report",
}


@dataclass(frozen=True, slots=True)
class Report:
    #: Shared with the synthesize stage; empty again when the report is written.
    desk: PageCache = field(default_factory=PageCache)
    #: Asked whether claims say what their quotes say, where code cannot tell; None: nobody is.
    judge: Judge | None = None
    name: ClassVar[str] = "report"

    def run(self, run: Run, guard: Guard) -> Run:
        guard.check()
        if run.job.job_type == "inventory":
            return self._write(run, view.inventory(run), summary.inventory(run), guard)
        found = self.desk.load(run, guard)
        since = previous(run)
        findings = self.desk.detect(run, found)
        answer = _answer(run)
        people = passages.directory(found.values()) if answer else support.NOBODY
        bench = _Bench(self.judge, run, guard) if self.judge else None
        content = reporting.assemble(findings, answer, found.get, people, bench.rulings if bench else None)
        run = bench.run if bench else run
        told = reporting.of_changes(content) if view.leaves_out(run, since) else content
        document = summary.document(run, told, findings, since)
        document["citations"] = self._checked(run, told, found)
        written = self._write(run, view.digest(run, told, findings, since), document, guard)
        derive.write(run, content, findings.topics, found)
        evidence.cover(run, found)
        self.desk.clear()
        return written

    def _checked(self, run: Run, content: Content, found: Mapping[str, Page]) -> dict[str, Any]:
        """The citation check of what is printed, made again from the pages themselves."""
        check = reporting.citation_check(content)
        check["resolved"] = sum(_holds(cited, found) for cited in check["citations"])
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
        kept = tuple(one for one in run.artifacts if one.artifact_type != artifact.artifact_type)
        after = replace(run, reported=reported, artifacts=(*kept, artifact))
        guard.check()
        put(run.root / page, renderer.render(report).encode("utf-8"))
        put(run.root / data, encode(document))
        put(run.root / layout.job_run(job.job_id), encode(summary.job_run(after, document)))
        return after


@dataclass(slots=True)
class _Bench:
    """Where claims of one run are judged. ``run``: with what the judge used."""

    judge: Judge
    run: Run
    guard: Guard

    def rulings(self, questions: Sequence[Question]) -> dict[str, str]:
        """Key -> ruling: kept ones, and those of one call to the judge for the rest. All are kept for later runs.

        The file holds digests and rulings, none of the user's words.
        """
        path = self.run.root / RULINGS
        kept = _kept(path)
        asked = support.unasked(questions, kept)
        if asked:
            self.guard.check()
            kept |= support.answers(asked, self._ask(asked))
        used = {question.key: kept[question.key] for question in questions if question.key in kept}
        others = {key: ruling for key, ruling in kept.items() if key not in used}
        whole = {**dict(list(others.items())[-(RULINGS_KEPT - len(used)) :]), **used}
        put(path, encode({"rulings": [[key, ruling] for key, ruling in whole.items()]}))
        return used

    def _ask(self, questions: Sequence[Question]) -> Sequence[str]:
        run = self.run
        # Half of the time that is left: the report must also be written and committed.
        made = self.judge.judge(questions, run.tags, run.usage, self.guard.time_left() / 2)
        if made.calls:
            lines = b"".join(orjson.dumps(asdict(call)) + b"\n" for call in made.calls)
            put(run.root / layout.judge_calls(run.job.job_id), lines)
        self.run = replace(run, usage=run.usage.plus(made.usage))
        return made.rulings


def _kept(path: Path) -> dict[str, str]:
    """The rulings of earlier runs, oldest first; none where the file is absent or damaged."""
    try:
        rows = orjson.loads(path.read_bytes())["rulings"]
        return {str(key): ruling for key, ruling in rows if isinstance(ruling, str) and ruling in support.RULINGS}
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return {}


def previous(run: Run) -> dict[str, Any] | None:
    """The JSON of the last report that this one goes on from; a digest goes on from a digest or a backfill."""
    kinds: tuple[JobType, ...] = ("insight",) if run.job.job_type == "insight" else ("backfill_digest", "hourly_digest")
    folders = [(run.root / layout.report_json(kind, run.job.job_id)).parent for kind in kinds]
    found = []
    for path in sorted(path for folder in folders for path in folder.glob("*.json")):
        try:
            document = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError:
            continue
        if isinstance(document, dict) and document.get("job_id") != run.job.job_id:
            found.append(document)
    return max(found, key=lambda one: (str(one.get("generated_at")), str(one.get("job_id"))), default=None)


def _answer(run: Run) -> ClaimSet | None:
    if run.synthesized is None:
        return None
    return claims.parse((run.root / run.synthesized.claims_path).read_bytes(), run.job.job_id)


def _holds(cited: Mapping[str, Any], found: Mapping[str, Page]) -> bool:
    verdict = citations.resolve(
        claims.Citation(page=cited["page"], anchor=cited["anchor"], quote=cited["quote"]), found.get
    )
    return isinstance(verdict, citations.Resolved) and verdict.checksum == cited["checksum"]
