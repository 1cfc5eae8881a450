"""What can be found in the evidence without a model: changes, themes, open loops, contradictions, people,
projects, silence.

Pure and deterministic. Every finding cites the places it rests on with words that stand there.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import date
from typing import Final

from consumer.evidence.pages import Page
from consumer.reports.detectors import changes, contradictions, entities, open_loops, records, themes
from consumer.reports.detectors.findings import Finding, Findings, Theme

__all__ = ["Finding", "Findings", "Theme", "detect", "hints"]

#: Findings of each kind that a prompt is given; the agent has the brain for the rest.
_HINTS: Final = 6


def detect(
    found: Mapping[str, Page],
    today: date,
    before: Mapping[str, str] | None = None,
    touched: Set[str] = frozenset(),
) -> Findings:
    """Everything the detectors find over these pages (slug -> page).

    ``today``: the job's day. ``before``, ``touched``: see ``changes.find``.
    """
    evidence = records.of_pages(found.values())
    projects = [page.title for slug, page in found.items() if slug.startswith("projects/")]
    changed, counts = changes.find(found, before, touched)
    loops, open_total = open_loops.find(evidence, today)
    lately, topics = themes.find(found, evidence, today)
    named = entities.find(found, evidence, today)
    return Findings(
        changes=changed,
        open_loops=loops,
        contradictions=contradictions.find(evidence, projects),
        people=named["people"],
        projects=named["projects"],
        stale=named["stale"],
        themes=lately,
        topics=topics,
        counts={**counts, "records": len(evidence), "open_loops": open_total},
    )


def hints(findings: Findings, limit: int = _HINTS) -> str:
    """The strongest findings of each kind as lines for a prompt: kind, text, and where to look."""
    lines = []
    groups = (findings.changes, findings.themes, findings.open_loops, findings.contradictions)
    for group in (*groups, findings.people, findings.projects):
        for finding in group[:limit]:
            places = ", ".join(f"{c.page}#{c.anchor}" if c.anchor else c.page for c in finding.citations)
            lines.append(f"- {finding.kind}: {finding.text} [{places}]")
    return "\n".join(lines)
