"""The content of a report: findings whose citations hold and verified claims, separate from unverified ones.

A fact has a citation that resolves in this snapshot; a claim must also say what its quotes say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from consumer.reports import citations, claims, repeats
from consumer.reports.citations import Checked, Find, Resolved, Unresolved
from consumer.reports.claims import Claim, ClaimSet
from consumer.reports.corrected import Repeats
from consumer.reports.detectors import Findings
from consumer.reports.detectors.findings import Finding
from consumer.reports.edition import DigestLine, Edition
from consumer.reports.insights import Insight
from consumer.reports.withholding import Holders, KeptOut
from consumer.run import Revision
from consumer.understanding import support
from consumer.understanding.support import Check, KnownPeople, Question

#: A verified claim below this confidence is shown separately: the agent itself was not sure.
SURE: Final = 0.5

#: Asks a judge: questions -> ruling by the question's key; unanswered questions are absent.
Ask = Callable[[Sequence[Question]], Mapping[str, str]]


class Sifted(NamedTuple):
    """``holders``: rules that hold a claim. ``repeats``: whether it repeats what the user corrected. ``is_doubted``:
    whether it tells a loop that a second reader doubts.
    """

    holders: Holders = frozenset()
    repeats: Repeats = ""
    is_doubted: bool = False


TELL: Final = Sifted()
Sift = Callable[[Claim], Sifted]
#: Why a claim is doubted that says what the user called wrong, from other records.
AGAIN: Final = "you called this wrong before; it cites other records now"
#: Why a claim is doubted that calls a loop open.
NOT_OPEN: Final = "a second reading of its message found nothing open"

Group = str
TWO_PAGES: Final = 2
#: Why an insight is doubted whose pages are one: that page says it, and nothing was concluded.
ONE_PAGE: Final = "an insight needs two pages, and this one cites one"
#: The report's sections in order, with the kinds of claims in each.
CLAIM_GROUPS: Final[dict[str, Group]] = {
    "change": "changes",
    "theme": "themes",
    "insight": "themes",
    "person": "people",
    "project": "projects",
    "open_loop": "open_loops",
    "contradiction": "contradictions",
}
GROUPS: Final = ("changes", "themes", "people", "projects", "open_loops", "contradictions", "stale")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence with its citations. ``origin``: detector, or the agent's claim.

    ``number``: a claim's position in the agent's answer, from 1, by which readers mark it; 0: not a claim.
    """

    group: Group
    text: str
    resolved: tuple[Resolved, ...]
    origin: str
    confidence: float = 1.0
    number: int = 0
    #: The checks of a claim; empty for a finding.
    checks: tuple[Check, ...] = ()
    #: Why it is under low confidence: a judge's reason or the agent's rejection; "" for the agent's own doubt.
    doubt: str = ""
    #: Of a change: what its record said before.
    before: tuple[Revision, ...] = ()
    #: Of a finding, or of a claim that stands in the place of one, see ``Finding.subject``.
    subject: str = ""
    #: Whether a claim says what a finding says, and stands in its place.
    repeats: bool = False
    #: Id of the statement of memory that a finding tells, by which the user corrects it; "" for none.
    statement: str = ""
    #: The subagent that found a claim; "": the agent itself, or a detector.
    found_by: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "origin": self.origin,
            "claim": self.number or None,
            **({"found_by": self.found_by} if self.found_by else {}),
            **({"statement": self.statement} if self.statement else {}),
            "confidence": self.confidence,
            "citations": [cited(citation) for citation in self.resolved],
            **({"checks": [check.to_json() for check in self.checks]} if self.checks else {}),
            **({"doubt": self.doubt} if self.doubt else {}),
            **({"before": [earlier(revision) for revision in self.before]} if self.before else {}),
        }


@dataclass(frozen=True, slots=True)
class Unverified:
    """A claim that does not hold, with its number in the answer."""

    number: int
    checked: Checked


@dataclass(frozen=True, slots=True)
class Content:
    """``facts``: by group, in GROUPS order; ``unsure``: hold but are doubted; ``unverified``: do not hold.

    ``claims``: the number of the agent's claims, which are numbered from 1.
    """

    facts: dict[Group, tuple[Statement, ...]]
    unsure: tuple[Statement, ...]
    unverified: tuple[Unverified, ...]
    #: Findings dropped because a citation did not hold; 0 unless a detector has a fault.
    dropped: int
    claims: int = 0
    #: Hints that the agent rejected: those that are findings of this report, and those with an unknown id.
    rejected: int = 0
    rejected_unknown: int = 0
    #: Findings that a claim repeats from the same places; the report prints the claim.
    replaced: int = 0
    #: Claims that the user's rules keep out, and those that repeat what the user corrected. They are told nowhere.
    kept_out: KeptOut = field(default_factory=KeptOut)
    corrected: int = 0

    def statements(self) -> list[Statement]:
        return [*(statement for group in GROUPS for statement in self.facts[group]), *self.unsure]

    def citations(self) -> list[Resolved]:
        """Every citation that the report prints, in order."""
        return [citation for statement in self.statements() for citation in statement.resolved]


class _Rejected(NamedTuple):
    """A detector's finding that the agent rejects."""

    group: Group
    text: str
    places: frozenset[tuple[str, str]]
    reason: str

    def has(self, claim: Claim) -> bool:
        """Whether a subagent's claim repeats it. Another statement from the same places is not rejected with it."""
        same = CLAIM_GROUPS[claim.kind] == self.group and _places_of(claim.citations) == self.places
        return bool(claim.found_by) and same and repeats.is_told_by(claim.text, self.text)


def assemble(
    findings: Findings,
    answer: ClaimSet | None,
    find: Find,
    directory: KnownPeople = support.NOBODY,
    ask: Ask | None = None,
    *,
    sift: Sift = lambda _claim: TELL,
) -> Content:
    """Check findings and claims against the snapshot and sort them into groups.

    ``directory``: other spellings of people. ``ask``: asks a judge once about all claims that passed the other checks.
    ``sift``: what the user's rules and corrections make of a claim.
    """
    by_group: dict[Group, list[Statement]] = {group: [] for group in GROUPS}
    rejects = {rejection.hint: rejection.reason for rejection in answer.rejects} if answer else {}
    hints: set[str] = set()
    rejected: list[_Rejected] = []
    unsure: list[Statement] = []
    dropped = 0
    for group, finding in _findings(findings):
        statement = _checked(group, finding, find)
        if statement is None:
            dropped += 1
            continue
        hint = claims.hint_id(finding.text, finding.citations)
        if hint in rejects:
            hints.add(hint)
            rejected.append(_Rejected(group, finding.text, _places_of(finding.citations), rejects[hint]))
            unsure.append(replace(statement, doubt=_rejected(rejects[hint])))
        else:
            by_group[group].append(statement)
    agent_claims = answer.claims if answer else ()
    sifted = [(number, claim, sift(claim)) for number, claim in enumerate(agent_claims, start=1)]
    kept_claims = [
        (number, claim, fate) for number, claim, fate in sifted if not (fate.holders or fate.repeats == "corrected")
    ]
    # The agent sees a subagent's finding as a hint, too.
    hints |= {_hint_of(claim) for _, claim, _ in kept_claims} & rejects.keys()
    same = {number for number, claim, _ in kept_claims if _is_finding(claim, by_group)}
    compared = [_compared(claim, by_group, rejected, find, directory) for _, claim, _ in kept_claims]
    checked = _judged(compared, ask, [number in same for number, _, _ in kept_claims])
    unverified: list[Unverified] = []
    replaced = 0
    for (number, _, fate), verdict in zip(kept_claims, checked, strict=True):
        claim, facts_of_kind = verdict.claim, by_group[CLAIM_GROUPS[verdict.claim.kind]]
        if not verdict.verified:
            unverified.append(Unverified(number, verdict))
            continue
        doubt = _doubt(verdict, fate, _rejection(claim, rejects, rejected))
        statement = Statement(
            CLAIM_GROUPS[claim.kind],
            claim.text,
            verdict.resolved,
            "claim",
            claim.confidence,
            number,
            verdict.checks,
            doubt,
            found_by=claim.found_by,
        )
        if number in same:
            # Whoever doubts it leaves the finding, which needs no judge; and nothing is told twice.
            replaced += _add(replace(statement, doubt=""), facts_of_kind)
        elif doubt or claim.confidence < SURE:
            unsure.append(statement)
        else:
            replaced += _add(statement, facts_of_kind)
    facts = {group: tuple(statements) for group, statements in by_group.items()}
    return Content(
        facts,
        tuple(unsure),
        tuple(unverified),
        dropped,
        len(agent_claims),
        len(hints),
        len(rejects) - len(hints),
        replaced,
        kept_out=KeptOut(
            sum(bool(fate.holders) for _, _, fate in sifted),
            frozenset().union(*(fate.holders for _, _, fate in sifted)),
        ),
        corrected=sum(not fate.holders and fate.repeats == "corrected" for _, _, fate in sifted),
    )


def _hint_of(claim: Claim) -> str:
    """The id by which the agent rejects a subagent's finding; "" for a claim of its own."""
    return claims.hint_id(claim.text, claim.citations) if claim.found_by else ""


def _rejection(claim: Claim, rejects: Mapping[str, str], rejected: Iterable[_Rejected]) -> str:
    """Why the agent rejects a subagent's finding, or the detector's that it repeats; "" if it does not."""
    reason = rejects.get(_hint_of(claim)) or next((each.reason for each in rejected if each.has(claim)), "")
    return _rejected(reason) if reason else ""


def _rejected(reason: str) -> str:
    return f"the agent rejects it: {reason}"


def _doubt(verdict: Checked, fate: Sifted, rejection: str) -> str:
    """Why a verified claim is under low confidence; "" for nothing."""
    if verdict.doubted:
        return "; ".join(verdict.reasons)
    if fate.repeats:
        return AGAIN
    if fate.is_doubted:
        return NOT_OPEN
    return rejection or _one_page(verdict)


def _one_page(verdict: Checked) -> str:
    is_conclusion = verdict.claim.kind == "insight"
    return ONE_PAGE if is_conclusion and len({cited.page for cited in verdict.resolved}) < TWO_PAGES else ""


def _compared(
    claim: Claim,
    by_group: Mapping[Group, Sequence[Statement]],
    rejected: Iterable[_Rejected],
    find: Find,
    directory: KnownPeople,
) -> Checked:
    same = _same_places(_places_of(claim.citations), by_group[CLAIM_GROUPS[claim.kind]])
    # What repeats a rejected finding is checked as that was: it is doubted, and not unverified.
    texts = [each.text for each in same] + [each.text for each in rejected if each.has(claim)]
    own = (text for text in texts if citations.repeats(claim.text, text))
    return citations.check(claim, find, directory, next(own, texts[0] if texts else ""))


def _is_finding(claim: Claim, by_group: Mapping[str, Sequence[Statement]]) -> bool:
    """Whether a claim is a detector's finding, word for word, from the same places."""
    same = _same_places(_places_of(claim.citations), by_group[CLAIM_GROUPS[claim.kind]])
    return any(repeats.is_told_by(each.text, claim.text) and repeats.is_told_by(claim.text, each.text) for each in same)


def _judged(several: Sequence[Checked], ask: Ask | None, findings: Sequence[bool]) -> list[Checked]:
    """Add a judge's rulings to the verified claims; a judge never verifies another. ``findings``: which are ours."""
    asked = [claim.verified and not is_finding for claim, is_finding in zip(several, findings, strict=True)]
    if ask is None or not any(asked):
        return list(several)
    rulings = ask([claim.question for claim, is_asked in zip(several, asked, strict=True) if is_asked])
    return [
        claim.judged(rulings.get(claim.question.key)) if is_asked else claim
        for claim, is_asked in zip(several, asked, strict=True)
    ]


def _add(statement: Statement, group: list[Statement]) -> int:
    """Add a verified claim to the facts, in place of the finding that it repeats. Returns how many it replaced."""
    same = _same_places(_places_of(statement.resolved), group)
    finding = next((each for each in same if repeats.is_told_by(each.text, statement.text)), None)
    if finding is not None:
        group[group.index(finding)] = replace(statement, subject=finding.subject, repeats=True)
        return 1
    group.append(statement)
    return 0


@dataclass(frozen=True, slots=True)
class PrintedLines:
    """An edition's lines with citations that resolve; ``group`` of a line is its kind. ``more``: how many wait.

    ``decisions``, ``insights``: what a backfill and an insight list beside the findings.
    """

    lines: tuple[Statement, ...] = ()
    more: int = 0
    daily: bool = False
    day_ahead: tuple[Statement, ...] = ()
    since_evening: tuple[Statement, ...] = ()
    decisions: tuple[Statement, ...] = ()
    insights: tuple[tuple[Insight, Statement], ...] = ()

    def statements(self) -> list[Statement]:
        """Every statement, in order."""
        insights = (statement for _, statement in self.insights)
        return [*self.lines, *self.day_ahead, *self.since_evening, *self.decisions, *insights]


def printed_lines(
    edition: Edition, find: Find, decisions: Iterable[Finding] = (), insights: Iterable[Insight] = ()
) -> PrintedLines:
    """An edition as statements; those that no longer resolve are left out."""

    def lines(several: Iterable[DigestLine]) -> tuple[Statement, ...]:
        return tuple(filter(None, (_told(line.kind, line.text, line.citations, find) for line in several)))

    made = [(insight, _told(insight.kind, insight.text, insight.citations, find)) for insight in insights]
    return PrintedLines(
        lines(edition.lines),
        edition.more,
        edition.daily,
        lines(edition.day_ahead),
        lines(edition.since_evening),
        tuple(filter(None, (_told("decided", entry.text, entry.citations, find) for entry in decisions))),
        tuple((insight, statement) for insight, statement in made if statement is not None),
    )


def _told(group: Group, text: str, cited: Iterable[claims.Citation], find: Find) -> Statement | None:
    verdicts = [citations.resolve(citation, find) for citation in cited]
    resolved = tuple(verdict for verdict in verdicts if isinstance(verdict, Resolved))
    return Statement(group, text, resolved, "detector") if resolved and len(resolved) == len(verdicts) else None


def citation_check(content: Content, lines: PrintedLines) -> dict[str, Any]:
    """``{total, resolved, citations}`` of the statements that the report has as facts."""
    printed = [*content.citations(), *(place for statement in lines.statements() for place in statement.resolved)]
    return {
        "total": len(printed),
        "resolved": sum(citation.checksum.startswith("sha256:") for citation in printed),
        "citations": [cited(citation) for citation in printed],
    }


def cited(citation: Resolved) -> dict[str, Any]:
    return {"page": citation.page, "checksum": citation.checksum, "quote": citation.quote, "anchor": citation.anchor}


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
    """Unverified claims with each check and why it failed."""
    return [
        {
            "text": statement.checked.claim.text,
            "kind": statement.checked.claim.kind,
            "claim": statement.number,
            **({"found_by": found_by} if (found_by := statement.checked.claim.found_by) else {}),
            "score": statement.checked.score,
            "reasons": list(statement.checked.reasons),
            "checks": [check.to_json() for check in statement.checked.checks],
        }
        for statement in unverified
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
    made = Statement(group, finding.text, resolved, "detector", before=finding.before, subject=finding.subject)
    return replace(made, statement=finding.statement)


def _places_of(cited: Iterable[claims.Citation | Resolved]) -> frozenset[tuple[str, str]]:
    return frozenset((citation.page, citations.normalize(citation.quote)) for citation in cited)


def _same_places(places: frozenset[tuple[str, str]], statements: Sequence[Statement]) -> Iterator[Statement]:
    """The detectors' findings with the very same citations."""
    return (each for each in statements if each.origin == "detector" and _places_of(each.resolved) == places)
