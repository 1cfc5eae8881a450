"""
Days: what happened on each of the user's days, source by source, every line a link to the record that says so.

A page is a pure function of the day's records. Below MARKER stands synthesized text, which rendering keeps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from renderers import entities
from renderers import markdown as md
from renderers.base import Item, Mention, RecordRenderer

VERSION: Final = 1
FOLDER: Final = "daily"
#: Lines of one source on a page; more are counted.
PER_SOURCE: Final = 40
LEAD_CHARS: Final = 160
#: A text that begins so is a machine's, and tells nothing in one line.
_NOT_PROSE: Final = ("{", "[", "```", "---", "<")


class Happened(NamedTuple):
    """One record of the day: ``heading`` names its source, ``time`` is local (``15:00``), ``lead`` its first words."""

    heading: str
    time: str
    page: str
    anchor: str
    title: str
    lead: str
    mentions: Sequence[Mention]


@dataclass(frozen=True, slots=True)
class Day:
    """``day``: ``2026-11-27``, local. ``happened`` in the order of time."""

    day: str
    happened: Sequence[Happened]


def path(day: str) -> str:
    """The day's page below ``brain/``."""
    return f"{FOLDER}/{day}.md"


def lead(item: Item, renderer: RecordRenderer) -> str | None:
    """The first words of a record that belongs on its day's page, "" when it has no text; None: no day shows it."""
    if item.occurred_at is None or not renderer.eventful:
        return None
    texts = (text for section in renderer.sections(item) for text in section.texts)
    lines = (line.strip() for text in texts for line in text[: 20 * LEAD_CHARS].splitlines())
    return md.one_line(next((line.lstrip("#> ") for line in lines if _prose(line)), ""), LEAD_CHARS)


def render(day: Day, checksum: str, user_id: str, digest_job_id: str) -> str:
    """The page above the marker, ending in the marker's line. ``checksum``: what ``checksum_of`` gives of it."""
    front: dict[str, md.FrontValue] = {
        "title": day.day,
        "type": "day",
        "date": day.day,
        "source_system": "cloop",
        "user_id": user_id,
        "checksum": checksum,
        "sensitivity": "private",
        "digest_job_id": digest_job_id,
        "renderer_version": f"day/{VERSION}",
        "evidence_count": len(day.happened),
    }
    named = entities.connected([mention for one in day.happened for mention in one.mentions], "../")
    blocks = [md.heading(1, day.day), named, *_sources(day.happened), entities.MARKER]
    return md.document(md.front_matter(front), blocks)


def checksum_of(day: Day) -> str:
    """``sha256:<hex>`` of everything the page says."""
    digest = hashlib.sha256(day.day.encode())
    for one in day.happened:
        named = [(mention.kind, mention.key, mention.name) for mention in one.mentions]
        digest.update(repr((tuple(one[:-1]), named)).encode("utf-8", "backslashreplace"))
    return "sha256:" + digest.hexdigest()


def _prose(line: str) -> bool:
    return any(sign.isalnum() for sign in line) and not line.startswith(_NOT_PROSE)


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
    target = f"../{one.page}" + (f"#{one.anchor}" if one.anchor else "")
    said = f": {md.inline(one.lead, LEAD_CHARS)}" if one.lead and one.lead != one.title else ""
    return f"- {one.time} {md.link(one.title, target)}{said}"
