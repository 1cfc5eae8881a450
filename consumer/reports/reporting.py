"""What a report may say: findings and claims whose citations hold, apart from those whose do not.

Detectors' findings pass the same check as an agent's claims. Nothing without a citation that resolves in this snapshot
counts as a fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from consumer.reports import citations
from consumer.reports.citations import Checked, Find, Resolved, Unresolved
from consumer.reports.claims import ClaimSet
from consumer.reports.detectors import Findings
from consumer.reports.detectors.findings import Finding

#: Below it a claim that holds is still shown apart: the agent itself was not sure.
SURE: Final = 0.5

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

    def to_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "origin": self.origin,
            "claim": self.number or None,
            "confidence": self.confidence,
            "citations": [cited(one) for one in self.resolved],
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

    def statements(self) -> list[Statement]:
        return [*(one for group in GROUPS for one in self.facts[group]), *self.unsure]

    def citations(self) -> list[Resolved]:
        """Every citation that the report prints, in order."""
        return [one for statement in self.statements() for one in statement.resolved]


def assemble(findings: Findings, answer: ClaimSet | None, find: Find) -> Content:
    """Findings and claims, checked against the snapshot and sorted into groups."""
    by_group: dict[Group, list[Statement]] = {group: [] for group in GROUPS}
    dropped = 0
    for group, finding in _findings(findings):
        statement = _checked(group, finding, find)
        if statement is None:
            dropped += 1
        else:
            by_group[group].append(statement)
    unsure: list[Statement] = []
    unverified: list[Unverified] = []
    made = answer.claims if answer else ()
    for number, claim in enumerate(made, start=1):
        checked, group = citations.check(claim, find), CLAIM_GROUPS[claim.kind]
        if not checked.verified:
            unverified.append(Unverified(number, checked))
        elif not _known(checked, by_group[group]):
            statement = Statement(group, claim.text, checked.resolved, "claim", claim.confidence, number)
            (unsure if claim.confidence < SURE else by_group[group]).append(statement)
    facts = {group: tuple(statements) for group, statements in by_group.items()}
    return Content(facts, tuple(unsure), tuple(unverified), dropped, len(made))


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


def unverified_json(unverified: Sequence[Unverified]) -> list[dict[str, Any]]:
    """Claims that do not hold, with the reason for each citation that does not."""
    return [
        {
            "text": one.checked.claim.text,
            "kind": one.checked.claim.kind,
            "claim": one.number,
            "score": one.checked.score,
            "reasons": reasons(one.checked),
        }
        for one in unverified
    ]


def reasons(checked: Checked) -> list[str]:
    """Why a claim is not verified, one line each."""
    if checked.unresolved:
        return [f"{one.page}: {one.reason}" for one in checked.unresolved]
    if not checked.resolved:
        return ["it cites nothing"]
    return ["a contradiction needs two places, one for each side"]


def _findings(findings: Findings) -> Iterable[tuple[Group, Finding]]:
    for group in ("changes", "themes", "open_loops", "contradictions", "people", "projects", "stale"):
        for finding in getattr(findings, group):
            yield group, finding


def _checked(group: Group, finding: Finding, find: Find) -> Statement | None:
    verdicts = [citations.resolve(citation, find) for citation in finding.citations]
    if not verdicts or any(isinstance(verdict, Unresolved) for verdict in verdicts):
        return None
    resolved = tuple(verdict for verdict in verdicts if isinstance(verdict, Resolved))
    return Statement(group, finding.text, resolved, "detector")


def _known(checked: Checked, statements: Sequence[Statement]) -> bool:
    """Whether a detector already says it from the same words."""
    here = {(one.page, citations.normalize(one.quote)) for one in checked.resolved}
    return any(
        here <= {(one.page, citations.normalize(one.quote)) for one in statement.resolved} for statement in statements
    )
