"""Excerpts: the sentences that a job hands its agent, each with an id by which the agent cites it.

An id costs a few tokens where page, anchor and quote cost fifty, and code writes the quote, so it cannot be misquoted.
An id is valid in the job that handed it out: it is looked up among that job's excerpts, never computed back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from consumer.reports.citations import normalize
from consumer.reports.claims import CITATIONS, FILE_BYTES, Citation
from contract import canonical, jsonobject

#: Hexadecimal digits of an id after its letter. Two excerpts of one job with one id get longer ones.
ID_DIGITS: Final = 7
UNKNOWN: Final = "this job was given no such excerpt"
MISQUOTED: Final = "the quote is not the excerpt's"


@dataclass(slots=True)
class Excerpts:
    """The excerpts of one job. The same user's same sentence has the same id in every job; another user's has not."""

    user_id: str
    #: Id -> the citation that it stands for.
    by_id: dict[str, Citation] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)

    def add(self, citation: Citation) -> str:
        """The id of this sentence; of a sentence that is here already, the same as before."""
        digest = canonical.sha256_hex(
            orjson.dumps([self.user_id, citation.page, citation.anchor, normalize(citation.quote)])
        )
        for length in range(ID_DIGITS, len(digest)):
            ident = f"s{digest[:length]}"
            if self._digests.setdefault(ident, digest) == digest:
                self.by_id.setdefault(ident, citation)
                return ident
        raise AssertionError("unreachable: two sentences with one digest")


def expand(data: bytes, offered: Mapping[str, Sequence[Citation]]) -> bytes:
    """The agent's file with its citations by id written out; other bytes as they are, for ``claims.parse`` to refuse.

    ``offered``: what each id of this job stands for: an excerpt, or all excerpts of a hint. A citation is an id, or an
    object with ``excerpt`` (an id) and perhaps ``page``, ``anchor`` and ``quote``, or an object without an id, which
    stays. An id that this job did not hand out, or with another quote or page than its own, becomes an entry of the
    claim's ``refused``: that claim cannot be verified, and the others stand.
    """
    if len(data) > FILE_BYTES:
        return data
    document = jsonobject.parsed(data)
    several = document.get("claims")
    if not isinstance(several, list):
        return data
    document["claims"] = [_expanded(claim, offered) if isinstance(claim, dict) else claim for claim in several]
    return orjson.dumps(document)


def _expanded(claim: dict[str, Any], offered: Mapping[str, Sequence[Citation]]) -> dict[str, Any]:
    entries = claim.get("citations")
    if not isinstance(entries, list):
        return claim
    cited: list[Any] = []
    refused: list[dict[str, str]] = []
    for entry in entries:
        given = {"excerpt": entry} if isinstance(entry, str) else entry
        if not isinstance(given, dict) or "excerpt" not in given:
            cited.append(entry)
            continue
        ident = str(given["excerpt"])
        matching = _matching(given, offered.get(ident, ()))
        if not matching:
            # The id may be any text of the agent's, of any length.
            refused.append({"excerpt": ident[:40], "reason": MISQUOTED if ident in offered else UNKNOWN})
        cited += [citation.model_dump(mode="json") for citation in matching]
    return {**claim, "citations": _distinct(cited), "refused": refused[:CITATIONS]}


def _matching(given: Mapping[str, Any], citations: Sequence[Citation]) -> list[Citation]:
    """Those of an id's citations that agree with what else the agent wrote about it."""
    quote, page = given.get("quote"), given.get("page")
    return [
        citation
        for citation in citations
        if (not quote or (isinstance(quote, str) and normalize(quote) in normalize(citation.quote)))
        and (not page or page == citation.page)
    ]


def _distinct(cited: Iterable[Any]) -> list[Any]:
    return list({orjson.dumps(entry): entry for entry in cited}.values())
