"""What an agent should look at first: the pages this job is about, and what the detectors point to."""

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

#: Findings of each kind that are handed on; what matters most is seldom further down, and the agent has the brain.
SHARE: Final = 12
#: How sure a detector is. It reads words, not meaning.
CONFIDENCE: Final = 0.5
#: Slugs of evidence start with this.
_SOURCES: Final = layout.EVIDENCE.removeprefix(f"{layout.BRAIN}/") + "/"


@dataclass(frozen=True, slots=True)
class Briefing:
    """``changed``: slugs; ``hints``: findings with quotes, strongest first; ``evidence``: pages of it in all."""

    changed: tuple[str, ...] = ()
    hints: tuple[Claim, ...] = ()
    evidence: int = 0


def brief(run: Run, desk: PageCache, guard: Guard) -> Briefing:
    """The same pages give the same briefing: it is part of what a stored answer is found by."""
    found = desk.load(run, guard)
    hints = tuple(_hints(desk.detect(run, found)))
    return Briefing(tuple(_changed(run, found)), hints, sum(slug.startswith(_SOURCES) for slug in found))


def _changed(run: Run, found: Mapping[str, Page]) -> Iterator[str]:
    """Evidence that is new or different since the last report of this kind."""
    before = evidence.covered(run.root, run.job.job_type) or {}
    for slug, page in found.items():
        if slug.startswith(_SOURCES) and changes.differs(page, before):
            yield slug


def _hints(findings: Findings) -> Iterator[Claim]:
    """Findings in the form of claims. Changes are left out: the changed pages are listed as such."""
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
