"""What the detectors say: a text with the places it rests on, in the form that claims have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from consumer.reports.claims import Citation
from consumer.run import Revision

FindingKind = Literal["change", "theme", "open_loop", "contradiction", "person", "project", "stale"]


@dataclass(frozen=True, slots=True)
class Finding:
    """``weight`` orders findings of one kind, higher first; ``due`` where the finding has a date of its own."""

    kind: FindingKind
    text: str
    citations: tuple[Citation, ...]
    weight: float = 0.0
    due: date | None = None
    #: Of a change: what the record said before.
    before: tuple[Revision, ...] = ()


Trend = Literal["new", "rising", "steady", "fading"]


@dataclass(frozen=True, slots=True)
class Theme:
    """A term that comes back over time; ``terms``: what it comes with.

    ``evidence``: the newest records that say it, newest first. ``recent``, ``before``: days with it in the window that
    ends today, and in the one before.
    """

    name: str
    terms: tuple[str, ...]
    records: int
    days: int
    first: date
    last: date
    sources: tuple[str, ...]
    evidence: tuple[tuple[date, Citation], ...]
    recent: int
    before: int
    trend: Trend


@dataclass(frozen=True, slots=True)
class Standing:
    """What changes slowly: the themes of now, all topics, the projects. ``records``: how many were read."""

    themes: tuple[Finding, ...] = ()
    topics: tuple[Theme, ...] = ()
    projects: tuple[Finding, ...] = ()
    records: int = 0


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found, each kind in order; ``counts`` are totals where a list was cut.

    ``themes`` are those of now, ``topics`` all that ever lasted.
    """

    changes: tuple[Finding, ...] = ()
    open_loops: tuple[Finding, ...] = ()
    contradictions: tuple[Finding, ...] = ()
    people: tuple[Finding, ...] = ()
    projects: tuple[Finding, ...] = ()
    stale: tuple[Finding, ...] = ()
    themes: tuple[Finding, ...] = ()
    topics: tuple[Theme, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    def all(self) -> tuple[Finding, ...]:
        return (
            *self.changes, *self.themes, *self.open_loops, *self.contradictions, *self.people, *self.projects,
            *self.stale
        )  # fmt: skip


def ranked(findings: list[Finding], limit: int) -> tuple[Finding, ...]:
    """The weightiest, ties by text, so that the order never depends on the order of discovery."""
    return tuple(sorted(findings, key=lambda finding: (-finding.weight, finding.text))[:limit])


def titled(text: str, limit: int = 90) -> str:
    """A foreign title inside one of our sentences: one line, in quotation marks."""
    flat = " ".join(text.split())
    short = flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "\u2026"
    return f"\u201c{short}\u201d"
