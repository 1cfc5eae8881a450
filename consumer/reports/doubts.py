"""
Open loops that a second reader doubts, and those that it is asked about next.

The rulings are kept by the ids of statements, without words. A loop is doubted while every statement of it was ruled
``not_open``: whatever else is said of it is news, and is asked about again. What the user has on a list is never asked
about, since nobody doubts it. A purge deletes the file (``erasure.matching.REBUILT``); the next report asks again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, cast

import orjson

from consumer import layout
from consumer.evidence.pages import Page, PageSection
from consumer.reports.claims import Citation
from consumer.reports.files import encode, put
from consumer.reports.remembered import Telling
from consumer.understanding import loopform
from consumer.understanding.loopform import LoopEntry, Ruling
from consumer.understanding.memory import Loop

#: Loops that a report asks about, the newest first: those of a first backfill, and of any other report.
MOST_IN_BACKFILL: Final = 3 * loopform.MOST
#: The newest rulings are kept, up to this number.
KEPT: Final = 5_000
#: Characters of the part of a record that has the quote, around it, and of each other part, from its start.
AROUND: Final = 1_300
BESIDE: Final = 400


def read(root: Path) -> dict[str, Ruling]:
    """Statement id -> ruling, the oldest first; empty where the file is absent or damaged."""
    try:
        rows = orjson.loads((root / layout.DOUBTS).read_bytes())["rulings"]
        return {str(key): cast(Ruling, ruling) for key, ruling in rows if ruling in loopform.RULINGS}
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return {}


def keep(root: Path, rulings: Mapping[str, Ruling]) -> None:
    """Add rulings to those of earlier reports."""
    known = {key: ruling for key, ruling in read(root).items() if key not in rulings}
    put(root / layout.DOUBTS, encode({"rulings": [*known.items(), *rulings.items()][-KEPT:]}))


def doubted(root: Path) -> frozenset[str]:
    """Ids of the statements that were ruled not to be open."""
    return frozenset(key for key, ruling in read(root).items() if ruling == "not_open")


def entries(telling: Telling, ruled: Mapping[str, Ruling], most: int) -> tuple[LoopEntry, ...]:
    """The newest loops that a report may tell and of which a statement was not ruled on."""
    asked: list[LoopEntry] = []
    for loop in sorted(telling.loops, key=lambda loop: loop.since, reverse=True):
        if len(asked) == most:
            break
        if loop.kind != "task" and not ruled.keys() >= set(loop.statements):
            places = tuple(_places(loop, telling))
            if places:
                asked.append(LoopEntry(loop.statements, telling.wording.loop(loop), places))
    return tuple(asked)


def _places(loop: Loop, telling: Telling) -> Iterator[tuple[str, str]]:
    """Where it was opened, and where it was last spoken of."""
    for cited in dict.fromkeys((*telling.citing.of(loop.evidence, 1), *telling.citing.of(loop.evidence[-1:]))):
        page = telling.citing.find(cited.page)
        if page is not None:
            yield page.title, _shown(page, cited)


def _shown(page: Page, cited: Citation) -> str:
    """The record's parts as its page has them: facts, message, recipients."""
    parts = [section for section in page.sections if section.anchor == cited.anchor]
    return "\n\n".join(_cut(part, cited.quote) for part in parts)


def _cut(part: PageSection, quote: str) -> str:
    start = part.text.find(quote)
    first = max(0, start - AROUND // 2) if start >= 0 else 0
    text = part.text[first : first + (AROUND if start >= 0 else BESIDE)].strip()
    return f"{part.heading}\n{text}" if part.heading else text
