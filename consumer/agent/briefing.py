"""The pages an agent should read first: those this job is about, and the detectors' findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from consumer import layout
from consumer.evidence.pages import Page
from consumer.ports import Guard
from consumer.reports import evidence
from consumer.reports.claims import Claim, ClaimKind
from consumer.reports.detectors import Finding, Findings, changes
from consumer.reports.evidence import PageCache
from consumer.run import Run

#: Findings of each kind that are passed on, strongest first; the agent can find others in the brain.
SHARE: Final = 12
#: A detector's confidence. It matches words, not meaning.
CONFIDENCE: Final = 0.5
#: Slugs of evidence start with this.
_SOURCES: Final = layout.EVIDENCE.removeprefix(f"{layout.BRAIN}/") + "/"


@dataclass(frozen=True, slots=True)
class Briefing:
    """``changed``: slugs; ``hints``: findings with quotes, strongest first; ``evidence``: number of evidence pages."""

    changed: tuple[str, ...] = ()
    hints: tuple[Claim, ...] = ()
    evidence: int = 0


def brief(run: Run, page_cache: PageCache, guard: Guard, *, hold_pages: bool = True) -> Briefing:
    """Deterministic: the same pages, corrections and rules give the same briefing, which is part of the key of a stored
    answer. What rules hold is no hint; ``hold_pages``: nor is a page named that has any of it.
    """
    pages = page_cache.load(run, guard)
    page_cache.look(run)
    told = page_cache.told(run, pages)
    changed = (slug for slug in _changed(run, pages) if not (hold_pages and told.withheld.of_page(slug)))
    return Briefing(tuple(changed), tuple(_hints(told.findings)), sum(slug.startswith(_SOURCES) for slug in pages))


def _changed(run: Run, pages: Mapping[str, Page]) -> Iterator[str]:
    """Evidence that is new or different since the last report of this kind."""
    before = evidence.covered(run.root, run.job.job_type) or {}
    for slug, page in pages.items():
        if slug.startswith(_SOURCES) and changes.differs(page, before):
            yield slug


def _hints(findings: Findings) -> Iterator[Claim]:
    """Findings as claims. Changes are left out: the changed pages are listed separately."""
    groups: tuple[tuple[ClaimKind, tuple[Finding, ...]], ...] = (
        ("contradiction", findings.contradictions),
        ("open_loop", findings.open_loops),
        ("theme", findings.themes),
        ("project", findings.projects),
        ("person", findings.people),
        ("person", findings.stale),
    )
    for kind, group in groups:
        for finding in group[:SHARE]:
            yield Claim(text=finding.text, kind=kind, citations=finding.citations, confidence=CONFIDENCE)
