"""
Days: what happened on each of the user's days, source by source, every line a link to the record that says so.

A page is a pure function of the day's records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from renderers import entities
from renderers import markdown as md
from renderers.base import Item, RecordRenderer
from renderers.derived import UP, Derived
from renderers.entities import Named

VERSION: Final = 4
FOLDER: Final = "daily"
#: Lines of one source on a page; more are counted.
PER_SOURCE: Final = 40
LEAD_CHARS: Final = 160
#: A line that begins so is a machine's, and tells nothing; a text that begins so (see fields.dump) is none of prose.
_NOT_PROSE: Final = ("{", "[", "```", "---", "<")
_JSON: Final = ("{\n", "[\n")


class Happened(NamedTuple):
    """One record of the day: ``heading`` names its source, ``lead`` is its first words.

    ``time`` is local, ``15:00``; "" for what has only a day.
    """

    heading: str
    time: str
    page: str
    anchor: str
    title: str
    lead: str


@dataclass(frozen=True, slots=True)
class Day:
    """``day``: ``2026-11-27``, local. ``happened`` in the order of time; ``named``: whom those records name."""

    day: str
    happened: Sequence[Happened]
    named: Sequence[Named]


def path(day: str) -> str:
    """The day's page below ``brain/``."""
    return f"{FOLDER}/{day}.md"


def lead(item: Item, renderer: RecordRenderer) -> str | None:
    """The first words of a record that belongs on its day's page, "" when it has no text; None: no day shows it."""
    if not (item.occurred_at and renderer.eventful):
        return None
    for section in renderer.sections(item):
        for text in section.texts:
            if said := _first_words(text[: 20 * LEAD_CHARS]):
                return said
    return ""


def page(day: Day) -> Derived:
    """The day's page."""
    return Derived(
        path=path(day.day),
        type="day",
        title=day.day,
        date=day.day,
        renderer_version=f"day/{VERSION}",
        evidence_count=len(day.happened),
        blocks=[entities.connected(day.named), *_sources(day.happened)],
    )


def _first_words(text: str) -> str:
    if text.startswith(_JSON):
        return ""
    for line in map(str.strip, text.splitlines()):
        if any(map(str.isalnum, line)) and not line.startswith(_NOT_PROSE):
            return md.one_line(line.lstrip("#> "), LEAD_CHARS)
    return ""


def _sources(happened: Sequence[Happened]) -> Iterator[str]:
    # A stable sort: within a source the order of time stays.
    for heading, several in groupby(sorted(happened, key=_heading), _heading):
        listed = list(several)
        lines = [_line(one) for one in listed[:PER_SOURCE]]
        if len(listed) > PER_SOURCE:
            lines.append(f"- and {len(listed) - PER_SOURCE} more")
        yield f"## {heading}\n\n" + "\n".join(lines)


def _heading(one: Happened) -> str:
    return one.heading


def _line(one: Happened) -> str:
    target = md.href(UP, one.page, one.anchor)
    said = f": {md.inline(one.lead, LEAD_CHARS)}" if one.lead and one.lead != one.title else ""
    return " ".join(filter(None, ("-", one.time, md.link(one.title, target)))) + said
