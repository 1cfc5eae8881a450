"""What can be found on the pages without a model: changes, themes, projects. What the records say of promises, people
and values comes from memory (``consumer.reports.remembered``).

Pure and deterministic. Every finding cites the places it rests on with words that stand there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import date
from typing import Final

from consumer.evidence.pages import Page
from consumer.reports.detectors import changes, entities, records, themes
from consumer.reports.detectors.findings import Finding, Findings, Standing, Theme
from consumer.run import Revision

__all__ = ["Finding", "Findings", "Standing", "Theme", "count", "detect", "hints"]

#: Findings of each kind that a prompt is given; the agent has the brain for the rest.
_HINTS: Final = 6


def detect(
    found: Mapping[str, Page],
    today: date,
    before: Mapping[str, str] | None = None,
    touched: Set[str] = frozenset(),
    counted: Standing | None = None,
    *,
    revised: Sequence[Revision] = (),
) -> Findings:
    """Everything the detectors find over these pages (slug -> page).

    ``today``: the job's day. ``before``, ``touched``, ``revised``: see ``changes.find``. ``counted``: see ``count``,
    asked here when absent.
    """
    changed, counts = changes.find(found, before, touched, revised)
    standing = count(found, today) if counted is None else counted
    return Findings(
        changes=changed,
        projects=standing.projects,
        themes=standing.themes,
        topics=standing.topics,
        counts={**counts, "records": standing.records},
    )


def count(found: Mapping[str, Page], today: date) -> Standing:
    """What only all pages together show; every word of them is read."""
    evidence = records.of_pages(found.values())
    lately, topics = themes.find(found, evidence, today)
    return Standing(lately, topics, entities.projects(found, evidence, today), len(evidence))


def hints(findings: Findings, limit: int = _HINTS) -> str:
    """The strongest findings of each kind as lines for a prompt: kind, text, and where to look."""
    lines = []
    groups = (findings.changes, findings.themes, findings.open_loops, findings.contradictions)
    for group in (*groups, findings.people, findings.projects):
        for finding in group[:limit]:
            places = ", ".join(f"{c.page}#{c.anchor}" if c.anchor else c.page for c in finding.citations)
            lines.append(f"- {finding.kind}: {finding.text} [{places}]")
    return "\n".join(lines)
