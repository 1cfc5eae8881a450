"""Evidence pages as records: what each record states, in words that can be quoted.

A grouped page has one record under each anchor; any other page is one record. Lines ``- Label: value`` outside a fence
are the record's facts; everything else is prose, cut into statements of one sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from consumer.evidence import pages
from consumer.evidence.pages import Link, Page
from consumer.reports import claims
from consumer.understanding import moments
from consumer.understanding.reading import mailtext

EVIDENCE: Final = "sources/"
#: Of their texts only what the sender wrote is a statement: what a mail quotes is stated by that mail.
MESSAGES: Final = frozenset({"inbound_messages", "outbound_messages"})
#: A longer sentence is a dump, not a statement; only the index covers it.
STATEMENT_CHARS: Final = 400
#: Quotes are cut to this length, at a word: enough to find the place.
QUOTE_CHARS: Final = 240
#: Statements of a record of which one is quoted for it.
FIRST: Final = 5
#: Where a sentence may end. Starts with a punctuation mark, so that lines without one are rejected quickly.
_STOP: Final = re.compile(r"[.!?][\"')\]]*\s")
_SENTENCE: Final = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[A-Z0-9\u00c0-\u024f])")
#: Lines without statements: empty, a fence, a heading, a rule, JSON.
_NO_PROSE: Final = re.compile(
    r"^(?:$|`{3,}|~{3,}|#{1,6}\s|[-*_=]{3,}$|[\[\]{}]+,?$|\"[^\"]*\"\s*:|\"[^\"]*\",?$|[\[{]\s*[\"{\[].*[\]}],?$)"
)
#: Lines that start a new block: a list item, a quotation, a speaker.
_STARTS: Final = re.compile(r"^(?:[-*+>]\s|\d+[.)]\s|[\w .'-]{1,30}:\s)")
#: A line of this length without a sentence end was wrapped.
WRAPPED_CHARS: Final = 60
#: Lines that rendering adds about the page.
_FURNITURE: Final = ("Quoted blocks are source data", "[Previous part]", "[Next part]")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class PageRecord:
    """``day``: the local day it happened, or else changed; None when the page states neither."""

    page: str
    anchor: str | None
    record_id: str
    source: str
    title: str
    day: date | None
    facts: Mapping[str, str]
    statements: tuple[str, ...]
    links: tuple[Link, ...]

    @property
    def place(self) -> tuple[str, str | None]:
        return self.page, self.anchor

    @property
    def order(self) -> tuple[date, str, str]:
        """Older first, and one of no day before all others."""
        return self.day or date.min, self.page, self.anchor or ""

    @property
    def weight(self) -> float:
        """The newer, the more."""
        return float(self.order[0].toordinal())

    @property
    def telling(self) -> str:
        """The longest of its first statements; of a record without any, its title."""
        return max(self.statements[:FIRST], key=len, default=self.title)

    def cite(self, quote: str) -> claims.Citation:
        """A citation of this record; a long quote is cut at a word."""
        return claims.Citation(page=self.page, anchor=self.anchor, quote=shorten(quote))


@dataclass(slots=True)
class _Draft:
    title: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    statements: list[str] = field(default_factory=list)


def of_pages(brain_pages: Iterable[Page]) -> list[PageRecord]:
    """The records of all evidence pages among these, in page order."""
    return [record for page in brain_pages if page.slug.startswith(EVIDENCE) for record in of_page(page)]


def of_page(page: Page) -> list[PageRecord]:
    """The records of one page. Text before the first anchor of a grouped page belongs to no record."""
    # Not cached on the page: thousands of pages are read here once and not again.
    sections = tuple(pages.sections(page.body))
    grouped = any(section.anchor for section in sections)
    drafts: dict[str | None, _Draft] = {}
    for section in sections:
        if grouped and section.anchor is None:
            continue
        draft = drafts.setdefault(section.anchor, _Draft())
        draft.title = draft.title or section.heading
        _read(draft, section.text, is_message=page.text("source_key") in MESSAGES)
    links: dict[str | None, list[Link]] = defaultdict(list)
    for link in pages.links(page.slug, sections):
        links[link.section].append(link)
    if not grouped and None in drafts:
        drafts[None].title = page.title
    return list(_records(page, drafts, links))


def shorten(text: str, limit: int = QUOTE_CHARS) -> str:
    """Text of at most ``limit`` characters, cut after a word."""
    text = text.strip()
    if len(text) <= limit:
        return text
    cut = text[:limit]
    return (cut.rsplit(None, 1)[0] if " " in cut[limit // 2 :] else cut).strip()


def day_of(text: str) -> date | None:
    """The first ``YYYY-MM-DD`` of a text as a date."""
    match = _DAY.search(text)
    return moments.day_of(match[0]) if match else None


def statements(lines: Iterable[str]) -> Iterator[str]:
    """Prose in sentences, unchanged except for line breaks; without headings, JSON, fences and rendering's lines."""
    for block in _blocks(line.strip() for line in lines):
        for sentence in _SENTENCE.split(block) if _STOP.search(block) else (block,):
            if any(map(str.isalnum, sentence)) and len(sentence) <= STATEMENT_CHARS:
                yield sentence.strip()


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Lines of prose; wrapped lines are joined."""
    block = ""
    for line in lines:
        if block and _goes_on(block, line):
            block = f"{block} {line}"
            continue
        if block:
            yield block
        block = "" if _NO_PROSE.match(line) or line.startswith(_FURNITURE) else line
    if block:
        yield block


def _goes_on(line: str, following: str) -> bool:
    if not following or line[-1] in ".!?:;":
        return False
    if not (following[0].islower() or following[0].isdigit() or len(line) >= WRAPPED_CHARS):
        return False
    return not (_NO_PROSE.match(following) or _STARTS.match(following))


def _read(draft: _Draft, text: str, *, is_message: bool) -> None:
    prose = []
    for line, code in pages.lines(text):
        match = pages.FACT.match(line) if not code and line.startswith("- ") else None
        if match:
            draft.facts.setdefault(match[1], match[2])
        else:
            prose.append(line)
    draft.statements.extend(statements(mailtext.own_lines("\n".join(prose)) if is_message else prose))


def _records(
    page: Page, drafts: Mapping[str | None, _Draft], links: Mapping[str | None, list[Link]]
) -> Iterator[PageRecord]:
    """Reads the page's statements about all of its records once."""
    ids, source_id = _ids(page), page.text("source_id")
    source = page.text("source_key") or page.slug.split("/")[-2]
    page_day = day_of(page.text("occurred_at")) or day_of(page.text("updated_at"))
    for anchor, draft in drafts.items():
        yield PageRecord(
            page=page.slug,
            anchor=anchor,
            record_id=source_id if ids is None else ids.get(anchor, ""),
            source=source,
            title=draft.title,
            day=day_of(draft.facts.get("When", "")) or page_day,
            facts=draft.facts,
            statements=tuple(draft.statements),
            links=tuple(links.get(anchor, ())),
        )


def _ids(page: Page) -> Mapping[str | None, str] | None:
    """Anchor -> the source's record id, as a grouped page lists them; None: an artifact's page."""
    rows = page.front.get("records")
    if not isinstance(rows, list):
        return None
    ids: dict[str | None, str] = {}
    for row in rows:
        anchor = row.get("anchor") if isinstance(row, dict) else False
        if anchor is None or isinstance(anchor, str):
            ids.setdefault(anchor, str(row.get("record_id")))
    return ids
