"""What an agent is handed: excerpts of the pages that its job is about, and the detectors' findings that concern it.

Excerpts, not pages: of ten changed records an agent needs some forty sentences, and a page costs as much as all of
them. What is not handed over can be found by the brain's search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from consumer import layout
from consumer.evidence.pages import Page
from consumer.ports import Guard
from consumer.reports import evidence, phrases, repeats
from consumer.reports.claims import Citation, Claim, ClaimKind
from consumer.reports.context import Context
from consumer.reports.detectors import Finding, Findings, changes, records
from consumer.reports.evidence import PageCache, ReportBasis
from consumer.reports.excerpts import Excerpts
from consumer.run import Run
from contract.event import JobType

#: A detector's confidence. It matches words, not meaning.
CONFIDENCE: Final = 0.5
#: Slugs of evidence start with this.
_SOURCES: Final = layout.EVIDENCE.removeprefix(f"{layout.BRAIN}/") + "/"


@dataclass(frozen=True, slots=True)
class Share:
    """How much a job hands over. ``hints``: findings of each kind; ``characters``: of all pages in the input, of which
    what the hints quote comes first, and half is left for what changed; ``of_record``: excerpts of one record;
    ``context``: tokens of what was known before."""

    hints: int
    characters: int
    of_record: int
    context: int = 0


#: Characters in the input for a page's name, title and day, and for an id with its punctuation.
_PAGE_CHARS: Final = 140
_EXCERPT_CHARS: Final = 24
#: An hour is asked about what changed. An insight and a backfill read on in the brain, so theirs is a start.
SHARES: Final[Mapping[JobType, Share]] = {
    "hourly_digest": Share(hints=4, characters=6_000, of_record=4, context=800),
    "insight": Share(hints=4, characters=10_000, of_record=3, context=1_200),
    "backfill_digest": Share(hints=5, characters=20_000, of_record=3, context=2_000),
    "inventory": Share(hints=0, characters=0, of_record=0),
}


@dataclass(frozen=True, slots=True)
class PageExcerpts:
    """Excerpts of one page by id, in page order. ``more``: the page has others. ``changed``: the job is about it."""

    page: str
    title: str
    day: str
    changed: bool
    excerpts: tuple[tuple[str, str], ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """A finding of the detectors, and the ids of the excerpts that it quotes."""

    claim: Claim
    excerpts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Briefing:
    """``changed``: slugs; ``pages``: their excerpts, and those that hints quote; ``hints``: strongest first;
    ``evidence``: number of evidence pages; ``offered``: the citation of each excerpt's id; ``context``: what was known
    before, or None; ``language``: ISO 639-1, the one that the user reads reports in."""

    changed: tuple[str, ...] = ()
    pages: tuple[PageExcerpts, ...] = ()
    hints: tuple[Hint, ...] = ()
    evidence: int = 0
    offered: Mapping[str, Citation] = field(default_factory=dict)
    context: Context | None = None
    language: str = phrases.DEFAULT


def brief(run: Run, page_cache: PageCache, guard: Guard, *, hold_pages: bool = True) -> Briefing:
    """Deterministic: the same pages, corrections, rules and language give the same briefing, which is part of the key
    of a stored answer. What rules hold is no hint; ``hold_pages``: nor is a page excerpted that has any of it.
    """
    by_slug = page_cache.load(run, guard)
    basis = page_cache.find(run, by_slug)
    changed = tuple(slug for slug in _changed(run, by_slug) if not (hold_pages and basis.withheld.of_page(slug)))
    drafting = _Drafting(run, by_slug, frozenset(changed))
    hints = tuple(drafting.hint(claim) for claim in _hints(run, basis.findings, frozenset(changed)))
    drafting.quote_changed()
    evidence_pages = sum([slug.startswith(_SOURCES) for slug in by_slug])
    return Briefing(
        changed,
        tuple(drafting.pages()),
        hints,
        evidence_pages,
        drafting.excerpts.by_id,
        _context(run, page_cache, basis, by_slug, changed),
        basis.reads_as.language,
    )


def with_findings(brief: Briefing, run: Run, findings: Sequence[Claim], by_slug: Mapping[str, Page]) -> Briefing:
    """The briefing with subagents' findings as hints, and the sentences that they quote as excerpts.

    Leaves out a finding that cites nothing, or an id that the job did not hand out: the agent could not judge it. A
    finding that repeats a hint is left out, too (``repeats``): the agent would claim the same twice.
    """
    excerpts = Excerpts(run.job.user_id)
    for citation in brief.offered.values():
        excerpts.add(citation)
    hints = list(brief.hints)
    quoted: dict[str, dict[str, str]] = {}
    sound = (finding for finding in findings if finding.citations and not finding.refused)
    for finding in repeats.unrepeated(sound, earlier=[hint.claim for hint in brief.hints]):
        idents = [excerpts.add(citation) for citation in finding.citations]
        hints.append(Hint(finding, tuple(dict.fromkeys(idents))))
        for ident, citation in zip(idents, finding.citations, strict=True):
            if ident not in brief.offered:
                quoted.setdefault(citation.page, {})[ident] = " ".join(citation.quote.split())
    shown = [replace(page, excerpts=(*page.excerpts, *quoted.pop(page.page, {}).items())) for page in brief.pages] + [
        _page_of(slug, quotes, by_slug.get(slug)) for slug, quotes in quoted.items()
    ]
    return replace(brief, pages=tuple(shown), hints=tuple(hints), offered=excerpts.by_id)


def _page_of(slug: str, quotes: Mapping[str, str], page: Page | None) -> PageExcerpts:
    title, day = (page.title, _day(page)) if page else ("", "")
    return PageExcerpts(slug, title, day, changed=False, excerpts=tuple(quotes.items()))


def of_hints(brief: Briefing) -> Briefing:
    """Only what the hints quote, for an agent that reads on from there: every request pays for the input again."""
    idents = {ident for hint in brief.hints for ident in hint.excerpts}
    pages = [
        replace(page, excerpts=tuple((ident, quote) for ident, quote in page.excerpts if ident in idents), more=False)
        for page in brief.pages
    ]
    return replace(brief, pages=tuple(page for page in pages if page.excerpts))


def _context(
    run: Run, page_cache: PageCache, basis: ReportBasis, by_slug: Mapping[str, Page], changed: Sequence[str]
) -> Context | None:
    """Of an hour, what is known about its changed pages; of other jobs, what is known at all."""
    budget = SHARES[run.job.job_type].context
    if not budget:
        return None
    hourly = run.job.job_type == "hourly_digest"
    about = ". ".join(dict.fromkeys(by_slug[slug].title for slug in changed)) if hourly else ""
    return page_cache.context(run, basis, by_slug, about=about, budget=budget, given=frozenset(changed))


def _changed(run: Run, pages: Mapping[str, Page]) -> Iterator[str]:
    """Evidence that is new or different since the last report of this kind."""
    before = evidence.covered(run.root, run.job.job_type) or {}
    for slug, mark in changes.fingerprints(pages).items():
        if slug.startswith(_SOURCES) and before.get(slug) != mark:
            yield slug


def _hints(run: Run, findings: Findings, changed: Set[str]) -> Iterator[Claim]:
    """Findings as claims. An hour gets those that concern its pages: the others stand in its report, or did before."""
    hourly = run.job.job_type == "hourly_digest"
    groups: dict[str, tuple[tuple[ClaimKind, tuple[Finding, ...]], ...]] = {
        "hour": (
            ("contradiction", findings.contradictions),
            ("change", findings.changes),
            ("open_loop", findings.open_loops),
        ),
        "longer": (
            ("contradiction", findings.contradictions),
            ("open_loop", findings.open_loops),
            ("theme", findings.themes),
            ("project", findings.projects),
            ("person", findings.people),
            ("person", findings.stale),
        ),
    }
    for kind, group in groups["hour" if hourly else "longer"]:
        concerned = [finding for finding in group if not hourly or _pages_of(finding) & changed]
        for finding in concerned[: SHARES[run.job.job_type].hints]:
            yield Claim(text=finding.text, kind=kind, citations=finding.citations, confidence=CONFIDENCE)


def _pages_of(finding: Finding) -> set[str]:
    return {citation.page for citation in finding.citations}


class _Drafting:
    """Collects excerpts by page."""

    def __init__(self, run: Run, by_slug: Mapping[str, Page], changed: Set[str]) -> None:
        self.excerpts = Excerpts(run.job.user_id)
        self._by_slug, self._changed = by_slug, changed
        self._share, self._touched = SHARES[run.job.job_type], evidence.touched(run)
        #: Slug -> id -> quote.
        self._quotes: dict[str, dict[str, str]] = {}
        #: Changed pages of which every sentence that this job brought is an excerpt.
        self._whole: set[str] = set()
        self._size = 0

    def hint(self, claim: Claim) -> Hint:
        return Hint(claim, tuple(dict.fromkeys(map(self._add, claim.citations))))

    def quote_changed(self) -> None:
        """Sentences of the changed records, the newest page first, until the share is used up."""
        most = max(self._share.characters, self._size + self._share.characters // 2)
        for slug in sorted(self._changed, key=self._newest_first, reverse=True):
            whole = True
            for record in self._records(self._by_slug[slug]):
                quotes = list(dict.fromkeys(record.statements)) or [record.title]
                whole = whole and len(quotes) <= self._share.of_record
                for quote in quotes[: self._share.of_record]:
                    if self._size >= most:
                        return
                    self._add(record.cite(quote))
            if whole:
                self._whole.add(slug)

    def pages(self) -> Iterator[PageExcerpts]:
        """Changed pages first, each group by day, the newest first."""
        slugs = sorted(self._quotes, key=self._newest_first, reverse=True)
        for slug in sorted(slugs, key=lambda slug: slug not in self._changed):
            page, quotes, changed = self._by_slug.get(slug), self._quotes[slug], slug in self._changed
            yield PageExcerpts(
                slug,
                page.title if page else "",
                _day(page) if page else "",
                changed,
                tuple(quotes.items()),
                changed and slug not in self._whole,
            )

    def _add(self, citation: Citation) -> str:
        ident, quote = self.excerpts.add(citation), " ".join(citation.quote.split())
        if citation.page not in self._quotes:
            self._size += _PAGE_CHARS
        of_page = self._quotes.setdefault(citation.page, {})
        if ident not in of_page:
            self._size += _EXCERPT_CHARS + len(quote)
            of_page[ident] = quote
        return ident

    def _records(self, page: Page) -> Iterable[records.PageRecord]:
        """Of a page of many records those that this job brought, if it knows them."""
        of_page = records.of_page(page)
        touched = [record for record in of_page if record.record_id in self._touched]
        return touched if touched else of_page

    def _newest_first(self, slug: str) -> tuple[str, str]:
        page = self._by_slug.get(slug)
        return _day(page) if page else "", slug


def _day(page: Page) -> str:
    return (page.text("occurred_at") or page.text("updated_at"))[:10]
