"""
Days: the events of each of the user's days, by source; every line links to its record.

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

VERSION: Final = 5
FOLDER: Final = "daily"
#: The most lines of one source on a page; others are only counted.
PER_SOURCE: Final = 40
LEAD_CHARS: Final = 160
#: A line with such a beginning is machine output; a text with such a beginning (see fields.dump) is not prose.
_NOT_PROSE: Final = ("{", "[", "```", "---", "<")
#: In Latin, Arabic and Chinese letters.
_COMMAS: Final = (",", "\u060c", "\uff0c")
GREETING_WORDS: Final = 4
_JSON: Final = ("{\n", "[\n")


class Happened(NamedTuple):
    """One record of the day. ``heading``: its source. ``lead``: its first words.

    ``time``: local, ``15:00``; "" for a day without a time.
    """

    heading: str
    time: str
    page: str
    anchor: str
    title: str
    lead: str


@dataclass(frozen=True, slots=True)
class Day:
    """``day``: ``2026-11-27``, local. ``happened``: ordered by time. ``named``: the entities in these records."""

    day: str
    happened: Sequence[Happened]
    named: Sequence[Named]


def path(day: str) -> str:
    """The day's page below ``brain/``."""
    return f"{FOLDER}/{day}.md"


def lead(item: Item, renderer: RecordRenderer) -> str | None:
    """The first words of a record on its day's page, "" if it has no text; None if no day shows it."""
    if not (item.occurred_at and renderer.eventful):
        return None
    for section in renderer.sections(item):
        for text in section.texts:
            if words := _first_words(text[: 20 * LEAD_CHARS]):
                return words
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
    prose = [
        line
        for line in map(str.strip, text.splitlines())
        if any(map(str.isalnum, line)) and not line.startswith(_NOT_PROSE)
    ]
    # "Dear Ann," says nothing of what a message is about.
    first = next((line for line in prose if not _is_greeting(line)), prose[0] if prose else "")
    return md.one_line(first.lstrip("#> "), LEAD_CHARS)


def _is_greeting(line: str) -> bool:
    """Whether a line is short and ends as letters begin: with a comma."""
    return line.endswith(_COMMAS) and len(line.split()) <= GREETING_WORDS


def _sources(happened: Sequence[Happened]) -> Iterator[str]:
    # The sort is stable: within a source the order by time stays.
    for heading, several in groupby(sorted(happened, key=_heading), _heading):
        listed = list(several)
        lines = [_line(event) for event in listed[:PER_SOURCE]]
        if len(listed) > PER_SOURCE:
            lines.append(f"- and {len(listed) - PER_SOURCE} more")
        yield f"## {heading}\n\n" + "\n".join(lines)


def _heading(event: Happened) -> str:
    return event.heading


def _line(event: Happened) -> str:
    target = md.href(UP, event.page, event.anchor)
    lead = f": {md.inline(event.lead, LEAD_CHARS)}" if event.lead and event.lead != event.title else ""
    return " ".join(filter(None, ("-", event.time, md.link(event.title, target)))) + lead
