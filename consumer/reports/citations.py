"""Checks citations: page, anchor and quote against the pages of one snapshot, then the claim against its quotes
(consumer.understanding.support).

A quote is compared as a reader sees it: words, digits and their order count. White space, case, markdown's emphasis,
escapes and link targets, and typographic quotation marks and dashes do not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import Final

from consumer.evidence import pages
from consumer.evidence.pages import Page, PageSection
from consumer.reports import passages
from consumer.reports.claims import Citation, Claim
from consumer.understanding import support
from consumer.understanding.support import Check, KnownPeople, Question
from renderers import splitting, visible

#: A quote with fewer letters and digits occurs on any page and proves nothing, unless it is a whole field of the
#: record: its title, a fact's value, or an entry of one. A character of Chinese, Japanese or Korean counts twice.
QUOTE_SIGNS: Final = 4

#: Each pass removes one layer of markdown; prose has fewer layers than this.
_PASSES: Final = 12

#: slug -> the page in this snapshot, or None.
Find = Callable[[str], Page | None]

_TYPOGRAPHIC: Final = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u2033": '"', "\u00ab": '"', "\u00bb": '"',
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-", "\u2212": "-",
        "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None,
        # Direction marks: rendering drops them from titles, and no reader sees them.
        **dict.fromkeys(map(chr, (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))),
    }
)  # fmt: skip
#: Bounded, so that a user's page of brackets costs time in proportion to its length, not to its square.
_LINK: Final = re.compile(r"!?\[([^\[\]\\]*(?:\\.[^\[\]\\]*){0,60})\]\([^()\s]{0,2000}\)")
_WIKI: Final = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_LINE_START: Final = re.compile(r"^[ \t]*(?:(?:>|[-*+]|#{1,6})(?:[ \t]+|$)|(?:`{3,}|~{3,})\w*[ \t]*$)+", re.MULTILINE)
_LINE_SIGNS: Final = frozenset(">-*+#`~")
#: Signs of emphasis, and the one that takes a sign its meaning: a page escapes what a text has literally.
_NO_EMPHASIS: Final = dict.fromkeys(map(ord, "*_`~\\"))
#: Rendering writes "<" as an entity; a reader sees the character.
_ENTITIES: Final = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_ENTITY: Final = re.compile(r"&(lt|gt|amp|quot);")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A citation that holds. ``anchor``: the quote's place; ``checksum``: the page's in this snapshot."""

    page: str
    anchor: str | None
    quote: str
    checksum: str
    title: str


@dataclass(frozen=True, slots=True)
class Unresolved:
    page: str
    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim with the verdict on each citation and the checks of its statement, in order."""

    claim: Claim
    resolved: tuple[Resolved, ...]
    unresolved: tuple[Unresolved, ...]
    checks: tuple[Check, ...]

    @property
    def verified(self) -> bool:
        """No check found a fault. Without a judge, this covers only what code can check."""
        return not any(check.passed is False for check in self.checks)

    @property
    def stands(self) -> bool:
        """The claim cites evidence, and every quote is on its page. What the quotes say is not compared."""
        return not any(check.passed is False for check in self.checks if check.name in ("evidence", "quotes"))

    @property
    def doubted(self) -> bool:
        """Verified by code, but the judge did not confirm that all of it is supported."""
        return self.verified and any(check.name == "judge" and check.passed is None for check in self.checks)

    @property
    def score(self) -> float:
        """The agent's confidence times the share of citations that hold; 0 where the quotes say something else."""
        total = len(self.resolved) + len(self.unresolved)
        says_else = any(check.passed is False for check in self.checks if check.name in ("values", "meaning", "judge"))
        return round(self.claim.confidence * len(self.resolved) / total, 3) if total and not says_else else 0.0

    @property
    def question(self) -> Question:
        """The question to a judge."""
        return Question(self.claim.text, tuple((cited.page, cited.quote) for cited in self.resolved))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the claim is not verified, or doubted; one line each."""
        return tuple(check.reason for check in self.checks if check.reason and (check.passed is False or self.verified))

    def judged(self, ruling: str | None) -> Checked:
        """This claim with a judge's ruling; None: the judge gave no answer."""
        return replace(self, checks=(*self.checks, support.judged(ruling)))


def check(claim: Claim, find: Find, directory: KnownPeople = support.NOBODY, computed: str = "") -> Checked:
    """Check a claim against the snapshot.

    ``directory``: other spellings of people. ``computed``: a detector's text from the same places. A claim that
    repeats it is as true as the detector, and its values count as present.
    """
    verdicts = [resolve(citation, find) for citation in claim.citations]
    resolved = tuple(verdict for verdict in verdicts if isinstance(verdict, Resolved))
    unresolved = tuple(verdict for verdict in verdicts if isinstance(verdict, Unresolved))
    evidence, quotes = _is_evidence(claim), _stand(claim, resolved, unresolved)
    if not (evidence.passed and quotes.passed):
        skipped = "not compared, because an earlier check failed"
        support_checks: tuple[Check, ...] = (Check("values", None, skipped), Check("meaning", None, skipped))
    elif computed and repeats(claim.text, computed):
        support_checks = (Check("values", True), Check("meaning", True))
    else:
        support_checks = support.compare(claim.text, list(_passages(resolved, find)), directory, computed)
    return Checked(claim, resolved, unresolved, (evidence, quotes, *support_checks))


def repeats(text: str, computed: str) -> bool:
    """Whether a claim says exactly what a detector does, apart from a few words before a colon."""
    claimed, detected = normalize(text), normalize(computed)
    prefix = claimed.removesuffix(detected)
    return claimed.endswith(detected) and (not prefix or bool(re.fullmatch(r"[a-z -]{1,40}: ", prefix)))


def _is_evidence(claim: Claim) -> Check:
    others = [citation.page for citation in claim.citations if not support.is_evidence(citation.page)]
    if not others:
        return Check("evidence", True)
    named = ", ".join(dict.fromkeys(others))
    return Check("evidence", False, f"{named}: this memory wrote it, so it is no evidence; cite a page below sources/")


def _stand(claim: Claim, resolved: Sequence[Resolved], unresolved: Sequence[Unresolved]) -> Check:
    if claim.refused:
        return Check("quotes", False, "; ".join(f"{cited.excerpt}: {cited.reason}" for cited in claim.refused))
    if unresolved:
        return Check("quotes", False, "; ".join(f"{cited.page}: {cited.reason}" for cited in unresolved))
    if not resolved:
        return Check("quotes", False, "the claim cites nothing")
    if claim.kind == "contradiction" and len({(cited.page, cited.anchor) for cited in resolved}) < 2:
        return Check("quotes", False, "a contradiction needs two places, one for each side")
    return Check("quotes", True)


def _passages(resolved: Iterable[Resolved], find: Find) -> Iterator[support.CitedQuote]:
    for cited in resolved:
        page = find(cited.page)
        if page is not None:
            others = _other_parts(page, find) if cited.anchor is None else ()
            yield passages.passage(page, cited.anchor, cited.quote, others)


def resolve(citation: Citation, find: Find) -> Resolved | Unresolved:
    """Check one citation against the snapshot. The reason of an unresolved one names the part that fails.

    A quote that stands on another part of a record's own page is led to it.
    """
    page = find(citation.page)
    if page is None:
        return Unresolved(citation.page, citation.quote, "no such page")
    verdict = _verdict(page, citation)
    if isinstance(verdict, Unresolved) and citation.anchor is None:
        for part in _other_parts(page, find):
            elsewhere = _verdict(part, citation)
            if isinstance(elsewhere, Resolved):
                return elsewhere
    return verdict


def _other_parts(page: Page, find: Find) -> Iterator[Page]:
    """The other parts of a record's own page; none of a page of many records."""
    stem = splitting.first_part(page.slug)
    for number in count(1):
        slug = pages.slug_of(splitting.part_path(stem, number))
        part = find(slug)
        if part is None or part.slug != slug or any(section.anchor for section in part.sections):
            return
        if part.slug != page.slug:
            yield part


def _verdict(page: Page, citation: Citation) -> Resolved | Unresolved:
    # A report, its lists and its lines cite the same words of a page.
    words = (citation.anchor, citation.quote)
    verdict: Resolved | Unresolved | None = page.worked_out.get(words)
    if verdict is None:
        verdict = page.worked_out[words] = _resolved_on(page, citation)
    return verdict


def _resolved_on(page: Page, citation: Citation) -> Resolved | Unresolved:
    if citation.anchor and citation.anchor not in page.anchors:
        return Unresolved(citation.page, citation.quote, "no such anchor on the page")
    wanted = normalize(citation.quote)
    if not proves(wanted) and wanted not in _fields(page, citation.anchor):
        return Unresolved(citation.page, citation.quote, "the quote is too short to prove anything")
    holds, anchor = _locate(page, wanted, citation.anchor)
    if not holds:
        return Unresolved(citation.page, citation.quote, "the quote is not on the page")
    return Resolved(page.slug, anchor, citation.quote, page.checksum, page.title)


def normalize(text: str) -> str:
    """Text in the form that is compared. Idempotent, up to ``_PASSES`` layers of markdown."""
    for _ in range(_PASSES):
        before, text = text, _once(text)
        if text == before:
            break
    return text


def _once(text: str) -> str:
    """One pass. Where a text lacks the signs that an expression needs, the expression is left out: it costs time."""
    if not text.isascii():
        # Pages omit invisible characters, and so may a quote.
        text = visible.seen(unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHIC))
    if "\n" in text or text.lstrip(" \t")[:1] in _LINE_SIGNS:
        text = _LINE_START.sub("", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "[[" in text:
        text = _WIKI.sub(r"\1", text)
    text = text.translate(_NO_EMPHASIS)
    if "&" in text:
        text = _ENTITY.sub(lambda match: _ENTITIES[match[1]], text)
    return " ".join(text.casefold().split())


def _locate(page: Page, wanted: str, anchor: str | None) -> tuple[bool, str | None]:
    """(whether the page has the quote, the anchor of its place). The cited anchor comes first, then page order."""
    numbers = sorted(range(len(page.sections)), key=lambda number: page.sections[number].anchor != anchor)
    for number in numbers:
        if _holds(_comparable(page, number), wanted):
            return True, page.sections[number].anchor
    return _holds(_comparable(page, None), wanted), anchor


def _comparable(page: Page, number: int | None) -> str:
    """A section of a page as it is compared, or the whole page; worked out once for the page."""
    text: str | None = page.worked_out.get(number)
    if text is None:
        shown = f"{page.title}\n{page.body}" if number is None else _shown(page.sections[number])
        text = page.worked_out[number] = normalize(shown)
    return text


def _shown(section: PageSection) -> str:
    return f"{section.heading}\n{section.text}"


def _holds(text: str, wanted: str) -> bool:
    """Whether the text contains the whole quote; of a quote with an ellipsis anywhere, all pieces in order."""
    if wanted in text:
        return True
    pieces = [piece for piece in support.ELLIPSIS.split(wanted) if piece]
    return pieces not in ([], [wanted]) and _in_order(text, pieces)


def proves(wanted: str) -> bool:
    """Whether a quote has letters and digits enough."""
    signs = list(islice(filter(str.isalnum, wanted), QUOTE_SIGNS))
    return len(signs) == QUOTE_SIGNS or sum(map(_weight, signs)) >= QUOTE_SIGNS


def _weight(sign: str) -> int:
    return 2 if unicodedata.east_asian_width(sign) == "W" else 1


def _fields(page: Page, anchor: str | None) -> frozenset[str]:
    """The title and the facts of the record at this place, and the entries of facts that list several, as compared."""
    values = [page.title.partition(": ")[2]] if anchor is None else []
    for section in page.sections:
        if section.anchor == anchor:
            lines = [line for line, code in pages.lines(section.text) if not code]
            facts = [fact[2] for fact in map(pages.FACT.match, lines) if fact]
            values += [section.heading, *facts, *(entry for value in facts for entry in value.split(", "))]
    return frozenset(filter(_has_a_sign, map(normalize, values)))


def _has_a_sign(text: str) -> bool:
    return any(map(str.isalnum, text))


def _in_order(text: str, pieces: Sequence[str]) -> bool:
    start = 0
    for piece in pieces:
        if not proves(piece):
            return False
        start = text.find(piece, start)
        if start < 0:
            return False
        start += len(piece)
    return True
