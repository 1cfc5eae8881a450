"""
Lists that are kept up to date: brain/OPEN_LOOPS.md, brain/DECISIONS.md, and a page for each insight.

Each is a pure function of the evidence and the user's language. Nothing in it depends on the job, the time or the day.
So the bytes change only with the evidence, and increments end at the pages of a fresh backfill.

The index stage writes them before it reads the pages, so the same run indexes them. The report stage writes them again
where its findings are others, because corrections that came while the agent worked must be in the lists as well as in
the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports import citations, view
from consumer.reports.citations import Resolved
from consumer.reports.detectors import Finding
from consumer.reports.evidence import ReportBasis
from consumer.reports.files import put
from consumer.reports.insights import Insight
from consumer.reports.phrases import ReportPhrases
from consumer.reports.wording import Wording
from consumer.run import Run
from renderers import report as renderer
from renderers.report import Cited, ReportLine, ReportPage, ReportPart

VERSION: Final = 1


class ListedPages(NamedTuple):
    """Paths below ``brain/`` of the pages whose bytes changed, and of those deleted."""

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def write(run: Run, basis: ReportBasis, by_slug: Mapping[str, Page]) -> ListedPages:
    """Write the lists, and the pages of current insights in place of earlier ones; unchanged files are not written."""
    if basis.memory is None:
        return ListedPages()
    brain, wording = run.root / layout.BRAIN, basis.wording(run)
    lists = {
        view.OPEN_LOOPS_PAGE: renderer.list_page(_open_loops(run, basis, by_slug, wording), "open_loops"),
        view.DECISIONS_PAGE: renderer.list_page(_decisions(run, basis, by_slug, wording), "decisions"),
        **{
            f"{view.INSIGHTS_FOLDER}{insight.name}.md": renderer.list_page(page, "insight")
            for insight in basis.insights
            if (page := _insight(run, insight, by_slug, wording.phrases))
        },
    }
    changed = tuple(path for path, text in lists.items() if put(brain / path, text.encode("utf-8")))
    earlier = (f"{view.INSIGHTS_FOLDER}{page.name}" for page in (brain / view.INSIGHTS_FOLDER).glob("*.md"))
    removed = tuple(sorted(path for path in earlier if path not in lists))
    for path in removed:
        (brain / path).unlink()
    return ListedPages(changed, removed)


def _open_loops(run: Run, basis: ReportBasis, by_slug: Mapping[str, Page], wording: Wording) -> ReportPage:
    phrases = wording.phrases
    groups = (
        ("you_owe", phrases.owed_by_you),
        ("asked_of_you", phrases.asked_of_you),
        ("owed_to_you", phrases.owed_to_you),
        ("asked_by_you", phrases.asked_by_you),
    )
    parts = tuple(
        ReportPart(heading, _lines((entry for entry in basis.open_loops if entry.subject == direction), by_slug))
        for direction, heading in groups
    )
    parts += (ReportPart(phrases.doubted_title, _lines(basis.doubted, by_slug)),)
    total = basis.findings.counts.get("open_loops", 0)
    lead = f"{wording.many(phrases.open_loops, total)}." if total else phrases.nothing_open
    more = total - len(basis.open_loops)
    lead = f"{lead} {wording.many(phrases.and_more, more)}." if more > 0 and basis.open_loops else lead
    return ReportPage(phrases.open_loops_title, lead, _front(run), parts, up="")


def _decisions(run: Run, basis: ReportBasis, by_slug: Mapping[str, Page], wording: Wording) -> ReportPage:
    phrases = wording.phrases
    part = ReportPart(phrases.decisions, _lines(basis.decisions, by_slug), none=phrases.none)
    return ReportPage(phrases.decisions_title, "", _front(run), (part,), up="")


def _insight(run: Run, insight: Insight, by_slug: Mapping[str, Page], phrases: ReportPhrases) -> ReportPage | None:
    cited = _cited(insight.citations, by_slug)
    if not cited:
        return None
    label = phrases.prediction.capitalize() if insight.prediction else ""
    title = {
        "postponed": phrases.postponed_title,
        "faded": phrases.faded_title,
        "connected": phrases.connected_title,
        "expected": phrases.expected_title,
    }[insight.kind]
    part = ReportPart("", (ReportLine(insight.text, cited, label=label),))
    front = {**_front(run), **({"date": insight.since} if insight.since else {})}
    return ReportPage(title, "", front, (part,), up="../")


def _lines(findings: Iterable[Finding], by_slug: Mapping[str, Page]) -> tuple[ReportLine, ...]:
    return tuple(
        ReportLine(finding.text, cited) for finding in findings if (cited := _cited(finding.citations, by_slug))
    )


def _cited(several: Iterable[Any], by_slug: Mapping[str, Page]) -> tuple[Cited, ...]:
    """Places as a page shows them; none where one of them no longer holds."""
    verdicts = [citations.resolve(citation, by_slug.get) for citation in several]
    if not all(isinstance(verdict, Resolved) for verdict in verdicts):
        return ()
    return tuple(
        Cited(pages.path_of(verdict.page), verdict.anchor, verdict.quote, verdict.title)
        for verdict in verdicts
        if isinstance(verdict, Resolved)
    )


def _front(run: Run) -> dict[str, Any]:
    return {
        "source_system": "cloop-memory",
        "user_id": run.job.user_id,
        "sensitivity": "private",
        "renderer_version": f"listed/{VERSION}",
    }
