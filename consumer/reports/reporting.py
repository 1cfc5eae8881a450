"""What a report may say: findings whose citations hold and claims that are verified, apart from those that are not.

Nothing without a citation that resolves in this snapshot counts as a fact; a claim must also say what its quotes say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from consumer.reports import citations, claims
from consumer.reports.citations import Checked, Find, Resolved, Unresolved
from consumer.reports.claims import Claim, ClaimSet
from consumer.reports.detectors import Findings
from consumer.reports.detectors.findings import Finding
from consumer.run import Revision
from consumer.understanding import support
from consumer.understanding.support import Check, KnownPeople, Question

#: Below it a claim that holds is still shown apart: the agent itself was not sure.
SURE: Final = 0.5

#: Asks a judge, and gives its ruling by the question's key; a question without one has no answer.
Ask = Callable[[Sequence[Question]], Mapping[str, str]]

Group = str
#: The report's parts in order, and which kinds of claims belong to each.
CLAIM_GROUPS: Final[dict[str, Group]] = {
    "change": "changes",
    "theme": "themes",
    "insight": "themes",
    "person": "people",
    "project": "projects",
    "open_loop": "open_loops",
    "contradiction": "contradictions",
}
#: What is there in every report and seldom changes within an hour.
STANDING: Final = frozenset({"themes", "people", "projects"})
GROUPS: Final = ("changes", "themes", "people", "projects", "open_loops", "contradictions", "stale")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence with the places it rests on. ``origin``: detector, or the agent's claim.

    ``number``: of a claim, its place in the agent's answer from 1; by it readers mark it. 0: no claim.
    """

    group: Group
    text: str
    resolved: tuple[Resolved, ...]
    origin: str
    confidence: float = 1.0
    number: int = 0
    #: Of a claim: what was checked. Of a finding: none.
    checks: tuple[Check, ...] = ()
    #: Why it stands under low confidence, "" for the agent's own doubt: a judge's, or a hint that the agent rejected.
    doubt: str = ""
    #: Of a change: what its record said before.
    before: tuple[Revision, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "origin": self.origin,
            "claim": self.number or None,
            "confidence": self.confidence,
            "citations": [cited(one) for one in self.resolved],
            **({"checks": [check.to_json() for check in self.checks]} if self.checks else {}),
            **({"doubt": self.doubt} if self.doubt else {}),
            **({"before": [earlier(revision) for revision in self.before]} if self.before else {}),
        }


@dataclass(frozen=True, slots=True)
class Unverified:
    """A claim that does not hold, by its number in the answer."""

    number: int
    checked: Checked


@dataclass(frozen=True, slots=True)
class Content:
    """``facts`` by group in GROUPS order; ``unsure`` hold but are doubted; ``unverified`` do not hold.

    ``claims``: how many the agent made; their numbers run from 1.
    """

    facts: dict[Group, tuple[Statement, ...]]
    unsure: tuple[Statement, ...]
    unverified: tuple[Unverified, ...]
    #: Findings dropped because a citation of theirs did not hold; 0 unless a detector has a fault.
    dropped: int
    claims: int = 0
    #: Of the hints that the agent rejected: how many are findings of this report, and how many nobody knows.
    rejected: int = 0
    rejected_unknown: int = 0
    #: Findings whose words a claim repeats from the same places; the claim stands for both.
    replaced: int = 0

    def statements(self) -> list[Statement]:
        return [*(one for group in GROUPS for one in self.facts[group]), *self.unsure]

    def citations(self) -> list[Resolved]:
        """Every citation that the report prints, in order."""
        return [one for statement in self.statements() for one in statement.resolved]


def assemble(
    findings: Findings,
    answer: ClaimSet | None,
    find: Find,
    directory: KnownPeople = support.NOBODY,
    ask: Ask | None = None,
) -> Content:
    """Findings and claims, checked against the snapshot and sorted into groups.

    ``directory``: other spellings of people. ``ask``: a judge, asked once for all claims that code found no fault with.
    """
    by_group: dict[Group, list[Statement]] = {group: [] for group in GROUPS}
    rejects = {one.hint: one.reason for one in answer.rejects} if answer else {}
    known: set[str] = set()
    unsure: list[Statement] = []
    dropped = 0
    for group, finding in _findings(findings):
        statement = _checked(group, finding, find)
        if statement is None:
            dropped += 1
            continue
        hint = claims.hint_id(finding.text, finding.citations)
        if hint in rejects:
            known.add(hint)
            unsure.append(replace(statement, doubt=f"the agent rejects it: {rejects[hint]}"))
        else:
            by_group[group].append(statement)
    made = answer.claims if answer else ()
    checked = _judged([_compared(claim, by_group, find, directory) for claim in made], ask)
    unverified: list[Unverified] = []
    replaced = 0
    for number, one in enumerate(checked, start=1):
        claim, facts_of_kind = one.claim, by_group[CLAIM_GROUPS[one.claim.kind]]
        if not one.verified:
            unverified.append(Unverified(number, one))
            continue
        doubt = "; ".join(one.reasons) if one.doubted else ""
        statement = Statement(
            CLAIM_GROUPS[claim.kind], claim.text, one.resolved, "claim", claim.confidence, number, one.checks, doubt
        )
        if doubt or claim.confidence < SURE:
            unsure.append(statement)
        else:
            replaced += _add(statement, facts_of_kind)
    facts = {group: tuple(statements) for group, statements in by_group.items()}
    return Content(
        facts, tuple(unsure), tuple(unverified), dropped, len(made), len(known), len(rejects) - len(known), replaced
    )


def _compared(
    claim: Claim, by_group: Mapping[Group, Sequence[Statement]], find: Find, directory: KnownPeople
) -> Checked:
    finding = _same_places(_places_of(claim.citations), by_group[CLAIM_GROUPS[claim.kind]])
    return citations.check(claim, find, directory, finding.text if finding else "")


def _judged(several: Sequence[Checked], ask: Ask | None) -> list[Checked]:
    """With what a judge says of those that are verified so far; a judge never lifts one that is not."""
    questions = [one.question for one in several if one.verified]
    if ask is None or not questions:
        return list(several)
    rulings = ask(questions)
    return [one.judged(rulings.get(one.question.key)) if one.verified else one for one in several]


def _add(statement: Statement, group: list[Statement]) -> int:
    """A verified claim among the facts: for the finding that it repeats, else beside it. How many it replaced."""
    finding = _same_places(_places_of(statement.resolved), group)
    if finding is not None and citations.normalize(finding.text) in citations.normalize(statement.text):
        group[group.index(finding)] = statement
        return 1
    group.append(statement)
    return 0


def of_changes(content: Content) -> Content:
    """What an hour's digest tells: of what stands in every report only claims and what rests on a page that changed."""
    changed = {one.page for statement in content.facts["changes"] for one in statement.resolved}

    def news(statement: Statement) -> bool:
        return statement.origin == "claim" or any(one.page in changed for one in statement.resolved)

    facts = {
        group: tuple(filter(news, statements)) if group in STANDING else statements
        for group, statements in content.facts.items()
    }
    return replace(content, facts=facts)


def citation_check(content: Content) -> dict[str, Any]:
    """``{total, resolved, citations}`` of what the report prints as fact."""
    printed = content.citations()
    return {
        "total": len(printed),
        "resolved": sum(one.checksum.startswith("sha256:") for one in printed),
        "citations": [cited(one) for one in printed],
    }


def cited(one: Resolved) -> dict[str, Any]:
    return {"page": one.page, "checksum": one.checksum, "quote": one.quote, "anchor": one.anchor}


def earlier(revision: Revision) -> dict[str, Any]:
    """Where the words that a change replaced stand: in a raw export file, which every later commit keeps."""
    return {
        "quote": revision.before,
        "source": revision.source,
        "record_id": revision.record_id,
        "checksum": revision.checksum,
        "raw": revision.raw,
    }


def unverified_json(unverified: Sequence[Unverified]) -> list[dict[str, Any]]:
    """Claims that are not verified, with every check that was made and why it failed."""
    return [
        {
            "text": one.checked.claim.text,
            "kind": one.checked.claim.kind,
            "claim": one.number,
            "score": one.checked.score,
            "reasons": list(one.checked.reasons),
            "checks": [check.to_json() for check in one.checked.checks],
        }
        for one in unverified
    ]


def _findings(findings: Findings) -> Iterable[tuple[Group, Finding]]:
    for group in ("changes", "themes", "open_loops", "contradictions", "people", "projects", "stale"):
        for finding in getattr(findings, group):
            yield group, finding


def _checked(group: Group, finding: Finding, find: Find) -> Statement | None:
    verdicts = [citations.resolve(citation, find) for citation in finding.citations]
    if not verdicts or any(isinstance(verdict, Unresolved) for verdict in verdicts):
        return None
    resolved = tuple(verdict for verdict in verdicts if isinstance(verdict, Resolved))
    return Statement(group, finding.text, resolved, "detector", before=finding.before)


def _places_of(cited: Iterable[claims.Citation | Resolved]) -> frozenset[tuple[str, str]]:
    return frozenset((one.page, citations.normalize(one.quote)) for one in cited)


def _same_places(places: frozenset[tuple[str, str]], statements: Sequence[Statement]) -> Statement | None:
    """The detector's finding that rests on the very same words."""
    return next((s for s in statements if s.origin == "detector" and _places_of(s.resolved) == places), None)
