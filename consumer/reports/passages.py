"""The record of a resolved citation, read from the page, to compare the claim with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from consumer.evidence import pages
from consumer.evidence.pages import Page, PageSection
from consumer.understanding.support import CitedQuote, CitedRecord, KnownPeople

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_FENCE: Final = re.compile(r"^ {0,3}(?:`{3,}|~{3,})")
PEOPLE: Final = "people/"


def passage(page: Page, anchor: str | None, quote: str, other_parts: Iterable[Page] = ()) -> CitedQuote:
    """A quote with its record: the sections under the anchor, or the whole page if it is one record.

    ``other_parts``: of a record's own page. They state facts and people of the record, too.
    """
    grouped = any(section.anchor for section in page.sections)
    sections = [section for section in page.sections if not grouped or section.anchor == anchor]
    facts, lines = [], []
    for section in sections:
        for line, is_fact in _lines(section):
            match = pages.FACT.match(line) if is_fact else None
            if match:
                facts.append((match[1], pages.plain(match[2])))
            lines.append(pages.plain(line) if is_fact else line)
    people = {
        (link.target, link.text)
        for link in page.links
        if link.target.startswith(PEOPLE) and (not grouped or link.section == anchor)
    }
    for part in other_parts:
        record = passage(part, None, "").record
        facts += record.facts
        people.update(record.people)
    heading = sections[0].heading if grouped and sections else page.title
    return CitedQuote(
        page.slug,
        quote,
        CitedRecord(
            title=heading,
            page_title=page.title,
            day=_day(facts, page),
            facts=tuple(facts),
            people=tuple(sorted(people)),
            lines=tuple(lines),
            zone=page.text("timezone") or "UTC",
        ),
    )


def directory(brain_pages: Iterable[Page]) -> KnownPeople:
    """The people of the pages below ``people/``, by title and listed aliases."""
    return KnownPeople.of(
        (page.slug, name) for page in brain_pages if page.slug.startswith(PEOPLE) for name in _names(page)
    )


def _names(page: Page) -> Iterator[str]:
    yield page.title
    aliases = page.front.get("aliases")
    if isinstance(aliases, list):
        yield from (str(alias.get("name", "")) if isinstance(alias, dict) else str(alias) for alias in aliases)


def _lines(section: PageSection) -> Iterator[tuple[str, bool]]:
    """(line, whether it is markdown outside a fence); the fences' own lines are left out."""
    if section.heading:
        yield section.heading, False
    for line, code in pages.lines(section.text):
        if line.strip() and not (code and _FENCE.match(line)):
            yield line, not code


def _day(facts: Iterable[tuple[str, str]], page: Page) -> str:
    when = next((value for label, value in facts if label == "When"), "")
    for text in (when, page.text("date"), page.text("occurred_at"), page.text("updated_at")):
        if match := _DAY.search(text):
            return match[0]
    return ""
