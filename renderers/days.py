"""
Days: the events of each of the user's days, by source; every line links to its record.

A page is a pure function of the day's records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from renderers import entities
from renderers import markdown as md
from renderers.base import RecordSection
from renderers.derived import UP, Derived
from renderers.entities import Named

VERSION: Final = 6
FOLDER: Final = "daily"
#: The most lines of one source on a page; others are only counted.
PER_SOURCE: Final = 40
#: So few that a long text which somebody planted does not stand whole on a page of memory's own.
LEAD_CHARS: Final = 80
#: Characters of a text in which its first words are looked for.
_LOOKED_THROUGH: Final = 3_200
#: A line with such a beginning is machine output; a text with such a beginning (see fields.dump) is not prose.
_NOT_PROSE: Final = ("{", "[", "```", "---", "<")
#: The sign at the end of a greeting -> its most words. The commas of Latin, Arabic and Chinese.
_GREETING_WORDS: Final = {",": 3, "\u060c": 3, "\uff0c": 3, "!": 2, "\uff01": 2}
#: Words of scripts without blanks look like one.
_GREETING_CHARS: Final = {"\uff0c": 10, "\uff01": 6}
_JSON: Final = ("{\n", "[\n")


class Happened(NamedTuple):
    """One record of the day. ``lead``: its first words. ``time``: local, ``15:00``; "" for a day without a time."""

    source: str
    time: str
    page: str
    anchor: str
    title: str
    lead: str


@dataclass(frozen=True, slots=True)
class Day:
    """``day``: ``2026-11-27``, local. ``happened``: ordered by time. ``named``: the entities in these records.

    ``headings``: of each source.
    """

    day: str
    happened: Sequence[Happened]
    named: Sequence[Named]
    headings: Mapping[str, str]


def path(day: str) -> str:
    """The day's page below ``brain/``."""
    return f"{FOLDER}/{day}.md"


def lead(sections: Sequence[RecordSection]) -> str:
    """The first words of a record on its day's page, "" if it has no text."""
    for section in sections:
        for text in section.texts:
            if words := _first_words(text[:_LOOKED_THROUGH]):
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
        blocks=[entities.connected(day.named), *_sources(day)],
    )


def _first_words(text: str) -> str:
    if text.startswith(_JSON):
        return ""
    greeting = ""
    for line in map(str.strip, text.splitlines()):
        if not _is_prose(line):
            continue
        if greeting or not _is_greeting(line):
            return md.one_line(line.lstrip("#> "), LEAD_CHARS)
        # "Dear Ann," says nothing of what a message is about, unless it is all that the message says.
        greeting = line
    return md.one_line(greeting.lstrip("#> "), LEAD_CHARS)


def _is_prose(line: str) -> bool:
    return (line[:1].isalnum() or any(map(str.isalnum, line))) and not line.startswith(_NOT_PROSE)


def _is_greeting(line: str) -> bool:
    """Whether a line is short and ends as greetings do; with another comma it is a list ("Milk, eggs,")."""
    most = _GREETING_WORDS.get(line[-1], 0)
    return (
        most > 0
        and len(line.split()) <= most
        and len(line) <= _GREETING_CHARS.get(line[-1], len(line))
        and not any(sign in line[:-1] for sign in _GREETING_WORDS)
    )


def _sources(day: Day) -> Iterator[str]:
    by_heading: dict[str, list[Happened]] = {}
    for event in day.happened:
        by_heading.setdefault(day.headings[event.source], []).append(event)
    for heading, listed in sorted(by_heading.items()):
        lines = [_line(event) for event in listed[:PER_SOURCE]]
        if len(listed) > PER_SOURCE:
            lines.append(f"- and {len(listed) - PER_SOURCE} more")
        yield f"## {heading}\n\n" + "\n".join(lines)


def _line(event: Happened) -> str:
    _, time, page, anchor, title, lead = event
    link = md.link(title, md.href(UP, page, anchor))
    words = f": {md.inline(lead, LEAD_CHARS)}" if lead and lead != title else ""
    return f"- {time} {link}{words}" if time else f"- {link}{words}"
