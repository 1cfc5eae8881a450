"""Which claims say what another one says, and how the agent's claims and its subagents' findings become one answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from consumer.reports import citations
from consumer.reports.claims import CLAIMS, OFFLINE_MARK, Claim, ClaimSet

#: What may end a statement that another one continues: "Kestrel is late", "Kestrel is late, says Ann".
_STOPS: Final = ".,;:"


def is_told_by(text: str, other: str) -> bool:
    """Whether ``other`` begins with all words of ``text``: then ``text`` adds nothing.

    The words may not stand elsewhere in it: "Noor doubts that the launch is on time" does not say that it is.
    """
    return _begins(_words(text), _words(other))


def _words(text: str) -> list[str]:
    return citations.normalize(text).removeprefix(f"{OFFLINE_MARK}: ").split()


def _begins(words: list[str], others: list[str]) -> bool:
    if not words or len(words) > len(others):
        return False
    last = len(words) - 1
    return words[:last] == others[:last] and words[last].rstrip(_STOPS) == others[last].rstrip(_STOPS)


class _Said(NamedTuple):
    """A claim with what it is compared by. ``where``: its kind and citations. ``place``: its place in the list."""

    claim: Claim
    where: tuple[str, frozenset[tuple[str, str]]]
    words: list[str]
    place: int

    @classmethod
    def of_all(cls, claims: Iterable[Claim]) -> list[_Said]:
        return [cls(claim, _where(claim), _words(claim.text), place) for place, claim in enumerate(claims)]

    def is_told_by(self, other: _Said) -> bool:
        return self.where == other.where and _begins(self.words, other.words)

    def yields_to(self, other: _Said) -> bool:
        """Whether the other is kept in its place: it says more, or the same and ranks higher.

        A claim with a refused citation is kept in place of none without.
        """
        if not self.is_told_by(other) or (other.claim.refused and not self.claim.refused):
            return False
        return not other.is_told_by(self) or other._rank() > self._rank()

    def _rank(self) -> tuple[bool, float, int]:
        return not self.claim.refused, self.claim.confidence, -self.place


def unrepeated(several: Iterable[Claim], earlier: Iterable[Claim] = ()) -> list[Claim]:
    """Without those that repeat another one, or one of ``earlier``; of equals the surer is kept, then the first.

    A repeat has the same kind and citations, and the other's text begins with its text.
    """
    known = _Said.of_all(earlier)
    compared = [each for each in _Said.of_all(several) if not any(map(each.is_told_by, known))]
    return [each.claim for each in compared if not any(map(each.yields_to, compared))]


def joined(answer: ClaimSet, findings: Sequence[Claim]) -> ClaimSet:
    """The agent's answer with its subagents' findings. Beyond CLAIMS claims, findings are left out first.

    If a claim has the same kind and citations as a finding, it replaces the finding and gets its ``found_by``. Only
    code sets ``found_by``, never the agent. What is claimed or found twice is kept once.
    """
    finders = {_where(finding): finding.found_by for finding in reversed(findings)}
    own = [claim.model_copy(update={"found_by": finders.get(_where(claim), "")}) for claim in unrepeated(answer.claims)]
    there = {_where(claim) for claim in own}
    more = unrepeated(finding for finding in findings if _where(finding) not in there)
    return answer.model_copy(update={"claims": (*own, *more)[:CLAIMS]})


def _where(claim: Claim) -> tuple[str, frozenset[tuple[str, str]]]:
    """Kind and citations; a claim without citations equals only itself."""
    places = frozenset((citation.page, citations.normalize(citation.quote)) for citation in claim.citations)
    return claim.kind, places or frozenset({("", claim.text)})
