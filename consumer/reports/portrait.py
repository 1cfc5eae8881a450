"""What each project is at: what is open in it, what was last decided, when it was last heard of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from consumer.reports.detectors.findings import Finding, titled
from consumer.reports.remembered import Telling
from consumer.reports.wording import sentence
from consumer.understanding.memory import DecisionMade, Memory, StatementEvidence


def projects(findings: Iterable[Finding], memory: Memory, telling: Telling) -> tuple[Finding, ...]:
    """The detector's projects, each with its state as memory knows it, in the user's language."""
    several = tuple(findings)
    if not several:
        return ()
    # Looked through for each project.
    loops = [(loop.object.casefold(), _quoted(loop.evidence)) for loop in telling.loops]
    decided = [(_about(decision), decision) for decision in reversed(memory.decisions) if not decision.replaced_by]
    return tuple(_project(finding, loops, decided, telling) for finding in several)


def _project(
    finding: Finding,
    loops: Sequence[tuple[str, str]],
    decisions: Sequence[tuple[str, DecisionMade]],
    telling: Telling,
) -> Finding:
    """``loops``: object and quotes of each open one; ``decisions``: words of each that stands, the newest first."""
    wording, name = telling.wording, finding.subject.casefold()
    parts, cited = [], list(finding.citations)
    count = sum(name in object_ or name in quotes for object_, quotes in loops)
    if count:
        parts.append(wording.many(wording.phrases.open_loops, count))
    decided = next((decision for about, decision in decisions if name in about), None)
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
