"""What each project is at: what is open in it, what was last decided, when it was last heard of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from consumer.evidence.pages import Link
from consumer.reports.detectors import records
from consumer.reports.detectors.findings import Finding
from consumer.reports.remembered import Telling
from consumer.reports.wording import sentence
from consumer.understanding.memory import DecisionMade, Loop, Memory, StatementEvidence
from consumer.understanding.moments import day_of

#: Places that a project's line cites, and tasks that are looked at for links to projects.
CITED: Final = 3
TASKS: Final = 100
_FOLDER: Final = "projects/"


def projects(findings: Iterable[Finding], memory: Memory, telling: Telling) -> tuple[Finding, ...]:
    """The detector's projects, each with its state as memory knows it, in the user's language."""
    several = tuple(findings)
    if not several:
        return ()
    linked = _linked(telling)
    # Looked through for each project.
    loops = [(loop, f"{loop.object.casefold()}\n{_quoted(loop.evidence)}") for loop in telling.loops]
    decided = [(_about(decision), decision) for decision in reversed(memory.decisions) if not decision.replaced_by]
    return tuple(_project(finding, memory, telling, linked, loops, decided) for finding in several)


def _linked(telling: Telling) -> Mapping[str, frozenset[str]]:
    """Project, case-folded -> ids of the tasks whose records link it."""
    tasks = [loop for loop in telling.loops if loop.kind == "task"][:TASKS]
    places = {loop.id: cited[0] for loop in tasks if (cited := telling.citing.of(loop.evidence, 1))}
    idents_by_name: dict[str, set[str]] = defaultdict(set)
    links: dict[tuple[str, str | None], tuple[Link, ...]] = {}
    for slug in {place.page for place in places.values()}:
        page = telling.citing.find(slug)
        links |= {record.place: record.links for record in (records.of_page(page) if page else ())}
    for ident, place in places.items():
        for link in links.get((place.page, place.anchor), ()):
            if link.target.startswith(_FOLDER):
                idents_by_name[link.text.casefold()].add(ident)
    return {name: frozenset(idents) for name, idents in idents_by_name.items()}


def _project(  # noqa: PLR0917 - what is the same for all projects is looked up once
    finding: Finding,
    memory: Memory,
    telling: Telling,
    linked: Mapping[str, frozenset[str]],
    open_loops: Sequence[tuple[Loop, str]],
    decisions: Sequence[tuple[str, DecisionMade]],
) -> Finding:
    """``open_loops``: with their objects and quotes; ``decisions``: those that stand, newest first, with words."""
    wording, name = telling.wording, finding.subject.casefold()
    parts, cited = [], list(finding.citations)
    loops = [loop for loop, words in open_loops if name in words or loop.id in linked.get(name, ())]
    if loops:
        parts.append(wording.many(wording.phrases.open_loops, len(loops)))
    # The one that is due first; what is open without a date says less of where a project stands.
    dated = sorted((loop for loop in loops if loop.due), key=lambda loop: (loop.due.day, loop.id) if loop.due else ())
    if dated and (places := telling.citing.of(dated[0].evidence, 1)):
        parts.append(f"{wording.words(dated[0])}{wording.due(dated[0].due)}")
        cited = [*places, *cited]
    decided = next((decision for about, decision in decisions if name in about), None)
    places = telling.citing.of(decided.evidence)[:1] if decided else ()
    if decided and places:
        label = wording.phrases.decided_label.lower()
        parts.append(f"{label} {wording.quoted(decided.evidence[0].quote.rstrip('. '), 100)}")
        cited = [*places, *cited]
    meeting = next((entry for entry in memory.upcoming() if name in entry.title.casefold()), None)
    if meeting and (places := telling.citing.of(meeting.evidence)[:1]):
        parts.append(
            wording.phrases.next_meeting.format(when=wording.begins(meeting.starts, meeting.zone), title=meeting.title)
        )
        cited = [*places, *cited]
    # The newest of what is cited or counted: a project is linked by some sources, and named by others.
    evidence = [place for loop in loops for place in loop.evidence] + list(decided.evidence if decided else ())
    times = [place.said_at for place in evidence]
    days = [day for day in (finding.due, *map(day_of, times)) if day and day <= wording.today]
    if days:
        parts.append(wording.phrases.project_last.format(day=wording.day(max(days))))
    text = sentence(f"{finding.subject}: {'; '.join(parts)}" if parts else finding.subject)
    made = replace(finding, text=text, citations=tuple(cited[:CITED]))
    # What is open, planned or decided in it may be held although the project is not.
    return replace(finding, text=sentence(finding.subject)) if telling.holds(made.text, made.citations) else made


def _about(decision: DecisionMade) -> str:
    return f"{decision.about} {decision.what} ".casefold() + _quoted(decision.evidence)


def _quoted(evidence: Iterable[StatementEvidence]) -> str:
    return " ".join(place.quote for place in evidence).casefold()
