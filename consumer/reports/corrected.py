"""
What corrections do to a report beyond memory: claims that repeat what the user called wrong are left out, and the
report counts what is new.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

import orjson

from consumer import layout
from consumer.evidence.search import words
from consumer.reports import citations, likeness, passages
from consumer.reports.citations import Find
from consumer.reports.claims import Citation, Claim
from consumer.understanding import support
from consumer.understanding.memory import CorrectionKind
from consumer.understanding.support import CitedRecord
from contract.overlay import CorrectionView
from renderers import splitting

#: Verdicts after which only a claim about an open loop repeats what was corrected.
_OF_LOOPS: Final[frozenset[CorrectionKind]] = frozenset({"done", "not_mine", "not_a_task", "snooze"})

#: What becomes of a claim. ``again``: it says what was called wrong, and cites other records.
Repeats = Literal["", "corrected", "again"]


@dataclass(frozen=True, slots=True)
class CorrectedPlace:
    """Words of a corrected statement. ``loops_only``: the words hold, only their loop is over."""

    page: str
    anchor: str | None
    quote: str
    loops_only: bool


@dataclass(frozen=True, slots=True)
class WrongClaim:
    """A claim of an earlier report that the user called wrong.

    ``records``: those of its citations whose pages are there, each with its record.
    """

    text: str
    citations: tuple[Citation, ...]
    records: tuple[tuple[Citation, CitedRecord], ...] = ()

    def with_records(self, find: Find) -> WrongClaim:
        cited_pages = ((cited, find(cited.page)) for cited in self.citations)
        records = (
            (cited, passages.passage(page, cited.anchor, cited.quote).record) for cited, page in cited_pages if page
        )
        return replace(self, records=tuple(records))


@dataclass(frozen=True, slots=True)
class CorrectedReport:
    """The corrections of one report. ``ids``: those in force. Since the last report: ``new`` ones that are applied,
    ``unknown`` ones that speak of nothing in this memory, and ``gone`` ones, taken back or purged with their records.
    """

    ids: tuple[str, ...] = ()
    new: int = 0
    unknown: int = 0
    gone: int = 0
    places: tuple[CorrectedPlace, ...] = ()
    claims: tuple[WrongClaim, ...] = ()

    def repeated_by(self, claim: Claim) -> Repeats:
        """Whether a claim repeats what the user corrected."""
        if any(_touches(place, cited) for place in self._places_for(claim) for cited in claim.citations):
            return "corrected"
        again = False
        for wrong in self.claims:
            alike = likeness.alike(claim.text, wrong.text)
            if _same_place(claim.citations, wrong.citations, quotes_too=not alike) or _rewords(claim, wrong):
                return "corrected"
            again |= alike
        return "again" if again else ""

    def _places_for(self, claim: Claim) -> Iterator[CorrectedPlace]:
        return (place for place in self.places if claim.kind == "open_loop" or not place.loops_only)


def loops_only(kind: CorrectionKind) -> bool:
    return kind in _OF_LOOPS


def applied(root: Path) -> frozenset[str]:
    """Ids of the corrections that the last report had applied; empty where there was none."""
    try:
        document = orjson.loads((root / layout.CORRECTED).read_bytes())
        return frozenset(map(str, document["ids"]))
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        return frozenset()


def wrong_claims(
    root: Path, views: Iterable[CorrectionView]
) -> tuple[list[tuple[CorrectionView, WrongClaim]], list[str]]:
    """The claims that these corrections name, from the workspace's reports; and the ids of those not found there."""
    claims: list[tuple[CorrectionView, WrongClaim]] = []
    missing: list[str] = []
    for view in views:
        if view.job_id is None or view.claim is None:
            continue
        claim = _claim(root, view.job_id, view.claim)
        if claim is None:
            missing.append(view.id)
        else:
            claims.append((view, claim))
    return claims, missing


def _claim(root: Path, job_id: str, number: int) -> WrongClaim | None:
    for folder in sorted(set(layout.REPORT_FOLDER.values())):
        path = root / layout.RUNTIME / "reports" / folder / f"{job_id}.json"
        try:
            document = orjson.loads(path.read_bytes())
            for row in _statements(document):
                if row.get("claim") == number:
                    cited = [Citation.model_validate(each) for each in row.get("citations", ())]
                    return WrongClaim(str(row["text"]), tuple(cited))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            # Absent, damaged, or redacted by a purge: the claim names nothing that is still there.
            continue
    return None


def _statements(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for rows in document["sections"].values():
        yield from rows
    yield from document.get("low_confidence", ())
    yield from document.get("unverified", ())


def _touches(place: CorrectedPlace, cited: Citation) -> bool:
    if not _same_page(cited.page, place.page) or (cited.anchor and place.anchor and cited.anchor != place.anchor):
        return False
    return _overlap(place.quote, cited.quote)


def _same_page(page: str, other: str) -> bool:
    """Whether these are parts of one page."""
    return page == other or splitting.first_part(page) == splitting.first_part(other)


def _same_place(cited: Iterable[Citation], wrong: Collection[Citation], *, quotes_too: bool) -> bool:
    return any(
        _same_page(citation.page, place.page)
        and citation.anchor == place.anchor
        and (not quotes_too or _overlap(citation.quote, place.quote))
        for citation in cited
        for place in wrong
    )


def _rewords(claim: Claim, wrong: WrongClaim) -> bool:
    """Whether a claim quotes a sentence on which the wrong one rests, and names the same people, days and values.

    Code does not know synonyms. Of two statements of one sentence that name the same, the other is left out too; what
    another sentence of the record says is told.
    """
    return any(
        cited.page == place.page
        and cited.anchor == place.anchor
        and not set(support.touched(record, cited.quote)).isdisjoint(support.touched(record, place.quote))
        and support.names_the_same(claim.text, wrong.text, record)
        # No names are read in scripts without capitals: there all claims would name the same.
        and not (words.runs(claim.text) and likeness.name_others(claim.text, wrong.text))
        for cited in claim.citations
        for place, record in wrong.records
    )


def _overlap(quote: str, other: str) -> bool:
    shorter, longer = sorted(map(citations.normalize, (quote, other)), key=len)
    return bool(shorter) and shorter in longer
