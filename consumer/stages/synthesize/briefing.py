"""What an agent should look at first: the pages this job is about, and what the detectors point to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from consumer.core import detectors, layout, pages
from consumer.core.claims import Claim, ClaimKind
from consumer.core.detectors import Finding, Findings
from consumer.ports import Guard
from consumer.stages.base import Run

#: Pages between two questions to the guard.
BATCH: Final = 200
#: Findings of each kind that are handed on; what matters most is seldom further down, and the agent has the brain.
SHARE: Final = 12
#: How sure a detector is. It reads words, not meaning.
CONFIDENCE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Briefing:
    """``changed``: pages relative to ``brain/``; ``hints``: findings with quotes, strongest first."""

    changed: tuple[str, ...] = ()
    hints: tuple[Claim, ...] = ()


def brief(run: Run, guard: Guard) -> Briefing:
    """The same pages give the same briefing: it is part of what a stored answer is found by."""
    changed = run.rendered.changed if run.rendered else ()
    found = dict(_pages(run.root, guard))
    findings = detectors.detect(found, date.fromisoformat(run.period[:10]))
    return Briefing(tuple(sorted(changed)), tuple(_hints(findings)))


def _pages(root: Path, guard: Guard) -> Iterator[tuple[str, pages.Page]]:
    """Evidence and derived pages by slug. A page that does not parse gives no hints; indexing names it."""
    brain = root / layout.BRAIN
    folders = (layout.EVIDENCE, *layout.DERIVED)
    files = sorted(path for folder in folders for path in (root / folder).rglob("*.md") if path.is_file())
    for count, path in enumerate(files):
        if count % BATCH == 0:
            guard.check()
        slug = pages.slug_of(path.relative_to(brain).as_posix())
        try:
            yield slug, pages.parse(slug, path.read_bytes())
        except (pages.PageError, OSError):
            continue


def _hints(findings: Findings) -> Iterator[Claim]:
    """Findings in the form of claims. Changes are left out: the changed pages are listed as such."""
    groups: tuple[tuple[ClaimKind, tuple[Finding, ...]], ...] = (
        ("contradiction", findings.contradictions),
        ("open_loop", findings.open_loops),
        ("project", findings.projects),
        ("person", findings.people),
        ("person", findings.stale),
    )
    for kind, group in groups:
        for finding in group[:SHARE]:
            yield Claim(text=finding.text, kind=kind, citations=finding.citations, confidence=CONFIDENCE)
