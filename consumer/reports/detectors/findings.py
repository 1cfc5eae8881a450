"""Findings of the detectors: a text with citations, in the form of claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from consumer.reports.claims import Citation
from consumer.reports.withholding import KeptOut
from consumer.run import Revision

FindingKind = Literal["change", "theme", "open_loop", "contradiction", "person", "project", "stale"]


@dataclass(frozen=True, slots=True)
class Finding:
    """``weight`` orders findings of one kind, highest first; ``due``: its own date, of a project its last mention."""

    kind: FindingKind
    text: str
    citations: tuple[Citation, ...]
    weight: float = 0.0
    due: date | None = None
    #: Of a change: what the record said before.
    before: tuple[Revision, ...] = ()
    #: What it is about: a project's name, a loop's direction; "" where the text alone says it.
    subject: str = ""
    #: Id of the statement that it tells, by which the user corrects it; both of a contradiction; "" for none.
    statement: str = ""


Trend = Literal["new", "rising", "steady", "fading"]


@dataclass(frozen=True, slots=True)
class Theme:
    """A term that recurs over time; ``terms``: those that occur with it.

    ``evidence``: the newest records with it, newest first. ``recent``, ``before``: days with it in the window that
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
class Connection:
    """Two projects that share people although no record names both. ``people``: their names, sorted.

    ``citations``: a place of each project and of each person in it.
    """

    first: str
    last: str
    people: tuple[str, ...]
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Findings that change slowly: current themes, all topics, projects. ``records``: how many were read."""

    themes: tuple[Finding, ...] = ()
    topics: tuple[Theme, ...] = ()
    projects: tuple[Finding, ...] = ()
    records: int = 0
    connections: tuple[Connection, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """All findings, each kind in order; ``counts``: totals where a list was cut.

    ``themes``: the current ones; ``topics``: all that ever lasted.
    """

    changes: tuple[Finding, ...] = ()
    open_loops: tuple[Finding, ...] = ()
    contradictions: tuple[Finding, ...] = ()
    people: tuple[Finding, ...] = ()
    projects: tuple[Finding, ...] = ()
    stale: tuple[Finding, ...] = ()
    themes: tuple[Finding, ...] = ()
    topics: tuple[Theme, ...] = ()
    connections: tuple[Connection, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    #: What the user's rules keep out of these.
    kept_out: KeptOut = field(default_factory=KeptOut)

    def all(self) -> tuple[Finding, ...]:
        return (
            *self.changes, *self.themes, *self.open_loops, *self.contradictions, *self.people, *self.projects,
            *self.stale
        )  # fmt: skip


def ranked(findings: list[Finding], limit: int) -> tuple[Finding, ...]:
    """The findings with the highest weight; ties are ordered by text."""
    return tuple(sorted(findings, key=lambda finding: (-finding.weight, finding.text))[:limit])


def titled(text: str, limit: int = 90) -> str:
    """A title from the evidence inside a generated sentence: one line, in quotation marks."""
    return f"\u201c{clipped(text, limit)}\u201d"


def clipped(text: str, limit: int) -> str:
    """Words on one line, at most ``limit`` characters: cut behind a word where one ends in the second half of them."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    cut = flat[: limit - 1]
    end = cut.rfind(" ") if flat[limit - 1] != " " else limit
    return (cut[:end] if end > limit // 2 else cut).rstrip(" ,;:") + "\u2026"
