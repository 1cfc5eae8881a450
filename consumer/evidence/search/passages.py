"""
Cuts a page into passages: pieces of about 1,200 characters that a search finds and an answer quotes.

A passage belongs to one record and never reaches into the next. A longer record gives overlapping passages, so that
words which answer a question together are together in one of them. A conversation is cut between its turns, and every
turn keeps its speaker's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from consumer.evidence import pages
from consumer.evidence.pages import Page, PageSection

#: Characters of a passage, and how many of them the next one repeats.
PASSAGE_CHARS: Final = 1200
OVERLAP_CHARS: Final = 600
#: A passage's id is its page's number, shifted by so many bits, plus its number on the page. What follows the last
#: number is not searched; rendering splits pages far below that.
PASSAGE_BITS: Final = 12
MOST_PASSAGES: Final = 1 << PASSAGE_BITS
#: Lines that rendering adds to every page, and that answer nothing.
_FURNITURE: Final = ("Quoted blocks are source data", "[Previous part]", "[Next part]", "<!--")
_CHAT_TURN: Final = re.compile(r"Message: (?P<speaker>[^,]+)(?:, tool .*)?(?:, [\d: -]+ UTC)?")
_WHEN: Final = re.compile(r"- When: (\d{4}-\d\d-\d\d)\b")
#: Where a long line may be cut.
_SENTENCE_END: Final = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s*")


@dataclass(frozen=True, slots=True)
class Record:
    """``anchor``: "" on a page of one record. ``record_id``: "" on a derived page. ``day``: an ISO date or ""."""

    anchor: str
    record_id: str
    day: str


@dataclass(frozen=True, slots=True)
class Cut:
    """``record``: a place in ``CutPage.records``. The passage is ``text[start:end]`` of the page's text."""

    start: int
    end: int
    record: int


@dataclass(frozen=True, slots=True)
class CutPage:
    """``text``: the page's words in plain text, without front matter, markup and what rendering adds."""

    text: str
    records: tuple[Record, ...]
    cuts: tuple[Cut, ...]


def cut(page: Page) -> CutPage:
    """The page's text and its passages."""
    ids = _record_ids(page)
    whole = ids.get("", "")
    day = (page.text("date") or page.text("occurred_at"))[:10]
    text = ""
    records: list[Record] = []
    cuts: list[Cut] = []
    for anchor, lines in _records(page.sections, page.title):
        units = [unit for line in lines for unit in _units(line)]
        if not units:
            continue
        records.append(Record(anchor, ids.get(anchor, whole), _day(lines) or day))
        places = []
        for unit in units:
            places.append((len(text), len(text) + len(unit)))
            text += f"{unit}\n"
        cuts += [Cut(start, end, len(records) - 1) for start, end in _windows(places)]
    if not records:
        records, cuts = [Record("", whole, day)], [Cut(0, 0, 0)]
    return CutPage(text, tuple(records), tuple(cuts[:MOST_PASSAGES]))


def _record_ids(page: Page) -> dict[str, str]:
    """Anchor -> record id; "" -> the id of a page of one record. Empty on derived pages."""
    rows: Any = page.front.get("records")
    if isinstance(rows, list):
        return {str(row.get("anchor", "")): str(row.get("record_id", "")) for row in rows if isinstance(row, dict)}
    record_id = page.text("source_id")
    return {"": record_id} if record_id and page.text("source_key") else {}


def _day(lines: Sequence[str]) -> str:
    """The day of the record's own ``When`` line: a page's date is that of its newest record."""
    return next((match[1] for line in lines if (match := _WHEN.match(line))), "")


def _records(sections: Sequence[PageSection], title: str) -> Iterator[tuple[str, list[str]]]:
    """(anchor, lines of text) of each record, in order; a chat's turn is one line with its speaker."""
    anchor = ""
    lines: list[str] = []
    for section in sections:
        if (section.anchor or "") != anchor:
            yield anchor, lines
            anchor, lines = section.anchor or "", []
        said = [line for line in _plain(section.text) if line]
        turn = _CHAT_TURN.fullmatch(section.heading)
        if turn and said:
            lines.append(f"{turn['speaker']}: {' '.join(said)}")
            continue
        if section.heading and section.heading != title:
            lines.append(section.heading)
        lines += said
    yield anchor, lines


def _plain(text: str) -> Iterator[str]:
    """The lines of a section as their reader sees them: foreign text as it is, the rest without markdown."""
    fence = ("```", "~~~")
    for line, is_code in pages.lines(text):
        if is_code:
            if not line.lstrip().startswith(fence):
                yield line.strip()
        elif not line.startswith(_FURNITURE):
            yield pages.plain(line)


def _units(line: str) -> Iterator[str]:
    """The line, or pieces of it that are no longer than a passage, cut at sentences where that is possible."""
    if len(line) <= PASSAGE_CHARS:
        yield line
        return
    piece = ""
    for sentence in _SENTENCE_END.split(line):
        for start in range(0, len(sentence), PASSAGE_CHARS):
            part = sentence[start : start + PASSAGE_CHARS]
            if piece and len(piece) + 1 + len(part) > PASSAGE_CHARS // 2:
                yield piece
                piece = ""
            piece = f"{piece} {part}" if piece else part
    if piece:
        yield piece


def _windows(places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Passages over units at these places: as many units as fit, the next one repeating the last of them."""
    first = 0
    while first < len(places):
        last = first
        while last + 1 < len(places) and places[last + 1][1] - places[first][0] <= PASSAGE_CHARS:
            last += 1
        yield places[first][0], places[last][1]
        if last + 1 == len(places):
            return
        following = last + 1
        while following - 1 > first and places[last][1] - places[following - 1][0] <= OVERLAP_CHARS:
            following -= 1
        first = following


def links_out(page: Page) -> Iterable[pages.Link]:
    """The page's links to other pages."""
    return (link for link in page.links if link.target != page.slug)
