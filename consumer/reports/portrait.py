"""What each project is at: what is open in it, what was last decided, when it was last heard of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from consumer.reports.detectors.findings import Finding, titled
from consumer.reports.remembered import Telling
from consumer.reports.wording import sentence
from consumer.understanding.memory import DecisionMade, Memory, StatementEvidence


def projects(findings: Iterable[Finding], memory: Memory, telling: Telling) -> tuple[Finding, ...]:
    """The detector's projects, each with its state as memory knows it, in the user's language."""
    return tuple(_project(finding, memory, telling) for finding in findings)


def _project(finding: Finding, memory: Memory, telling: Telling) -> Finding:
    wording, name = telling.wording, finding.subject.casefold()
    parts, cited = [], list(finding.citations)
    loops = [loop for loop in telling.loops if (name in loop.object.casefold() or name in _quoted(loop.evidence))]
    if loops:
        parts.append(wording.many(wording.phrases.open_loops, len(loops)))
    decided = next((d for d in reversed(memory.decisions) if not d.replaced_by and name in _about(d)), None)
    places = telling.citing.of(decided.evidence)[:1] if decided else ()
    if decided and places:
        parts.append(titled(decided.evidence[0].quote.rstrip(". "), 100))
        cited = [*places, *cited]
    if finding.due:
        parts.append(wording.phrases.project_last.format(day=wording.day(finding.due)))
    text = sentence(f"{finding.subject}: {'; '.join(parts)}" if parts else finding.subject)
    made = replace(finding, text=text, citations=tuple(cited[:2]))
    # What is open or decided in it may be held although the project is not.
    return replace(finding, text=sentence(finding.subject)) if telling.holds(made.text, made.citations) else made


def _about(decision: DecisionMade) -> str:
    return f"{decision.about} {decision.what} ".casefold() + _quoted(decision.evidence)


def _quoted(evidence: Iterable[StatementEvidence]) -> str:
    return " ".join(place.quote for place in evidence).casefold()
