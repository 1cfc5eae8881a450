"""
Open loops that a second reader doubts, and those that it is asked about next.

A ruling is kept under two digests: of the loop (its statements, who owes it to whom, by when), and of the messages that
follow it. So whatever else is said of it or after it, or another reading of it, is asked about again. A doubt lasts
until there is another ruling on the same loop. What the user has on a list is never asked about, and what they put off
is never doubted. A purge deletes the file (``erasure.matching.REBUILT``); the next report asks again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports.claims import Citation
from consumer.reports.detectors import records
from consumer.reports.files import keep_rulings, read_rulings
from consumer.reports.remembered import Telling
from consumer.understanding import loopform
from consumer.understanding.loopform import LoopEntry
from consumer.understanding.memory import Loop, Memory
from consumer.understanding.sequels import LaterMessage, Sequels
from consumer.understanding.statements import Reading
from contract import canonical

#: Between the two digests of a key.
_THEN: Final = ":"
#: Loops of a report that asks about many: a backfill, or one before which nothing was ruled. Any other: one request.
MOST: Final = 3 * loopform.MOST
#: The newest rulings are kept, up to this number.
KEPT: Final = 5_000
#: Characters around the quote, and of the start of each other part of its record, of which few are shown.
AROUND: Final = 1_300
BESIDE: Final = 400
_PARTS_BESIDE: Final = 3
#: Of the words of a message that follows.
LATER: Final = 300
#: How lines of a message's page begin that say when it was written, from whom and to whom.
_SIDES: Final = ("- When: ", "- From: ", "- To: ", "- Status: ")
#: Lines of a page that only link to other pages; and indents, which cost tokens.
_LINKS: Final = re.compile(r"^- [A-Z][a-z]+: \[.*\]\(\.\./.*$", re.MULTILINE)
_SPACE: Final = re.compile(r"\n\s+")
_FENCED: Final = re.compile(r"^(?P<fence>`{3,})text\n(?P<text>.*?)\n(?P=fence)$", re.DOTALL | re.MULTILINE)


def read(root: Path) -> dict[str, str]:
    """Key of a loop -> ruling, or that answers left it out (``loopform.SKIPPED``); the oldest first. None where the
    file is absent, damaged, or of another version.
    """
    return read_rulings(root / layout.DOUBTS, loopform.RULINGS.union(loopform.SKIPPED), loopform.VERSION)


def keep(root: Path, answers: Mapping[str, str]) -> None:
    """Add a reader's answers (``loopform.answers``) to those of earlier reports."""
    known = read(root)
    latest = {key: ruling or loopform.SKIPPED[known.get(key, "")] for key, ruling in answers.items()}
    keep_rulings(root / layout.DOUBTS, known, latest, KEPT, loopform.VERSION)


def not_open(ruled: Mapping[str, str]) -> frozenset[str]:
    """The loops, by the first digest of their keys, whose last ruling is ``not_open``."""
    last = {key.partition(_THEN)[0]: ruling for key, ruling in ruled.items() if ruling in loopform.RULINGS}
    return frozenset(loop for loop, ruling in last.items() if ruling == "not_open")


class SecondReading:
    """The loops of a memory that a second reader is asked about: what it doubts, and what it has not ruled on.

    ``memory``: without doubts. ``ruled``: as ``read`` gave it.
    """

    def __init__(self, memory: Memory, readings: Sequence[Reading], ruled: Mapping[str, str]) -> None:
        self._memory, self._readings, self._ruled = memory, readings, ruled

    @cached_property
    def _sequels(self) -> Sequels:
        loops = [loop for loop in self._memory.own_loops() if _is_from_words(loop)]
        return Sequels(loops, self._readings, self._memory.directory)

    def doubted(self) -> frozenset[str]:
        """Ids of the loops that are doubted."""
        doubtful = not_open(self._ruled)
        own = [loop for loop in self._memory.own_loops() if _is_from_words(loop) and not loop.snoozed_until]
        return frozenset(loop.id for loop in own if _digest(loop) in doubtful) if doubtful else frozenset()

    def unruled(self, telling: Telling, most: int) -> tuple[LoopEntry, ...]:
        """The newest loops that a report may tell, or might but for a doubt, and that have no ruling."""
        asked: list[LoopEntry] = []
        several = filter(_is_from_words, (*telling.loops, *telling.doubted_loops()))
        for loop in sorted(several, key=lambda loop: loop.since, reverse=True):
            if len(asked) == most:
                break
            key = self._key(loop)
            if self._ruled.get(key) in loopform.RULINGS:
                continue
            says = telling.wording.loop(loop)
            if not telling.holds(says, telling.citing.of(loop.evidence)):
                places = tuple(_places(loop, telling))
                later = tuple(filter(None, (_later(message, telling) for message in self._sequels.of(loop))))
                if places:
                    asked.append(LoopEntry(key, says, places, later, self._sequels.conversation(loop)))
        return tuple(asked)

    def _key(self, loop: Loop) -> str:
        later = [message.record for message in self._sequels.of(loop)]
        return f"{_digest(loop)}{_THEN}{canonical.digest(later).removeprefix('sha256:')[:16]}"


def _digest(loop: Loop) -> str:
    """Of all that a ruling is about, but for the words of records, for which the statements' ids stand."""
    due = (loop.due.day, loop.due.time) if loop.due else ()
    about = [loop.statements, loop.owner, loop.asked, loop.beneficiaries, due]
    return canonical.digest(about).removeprefix("sha256:")


def _is_from_words(loop: Loop) -> bool:
    return loop.kind != "task"


def _places(loop: Loop, telling: Telling) -> Iterator[tuple[str, str]]:
    """Where it was opened, and where it was last spoken of, as far as the words are found there."""
    for cited in dict.fromkeys((*telling.citing.of(loop.evidence, 1), *telling.citing.of(loop.evidence[-1:]))):
        page = telling.citing.find(cited.page)
        text = _shown(page, cited) if page else ""
        if page and text:
            yield page.title, text


def _shown(page: Page, cited: Citation) -> str:
    """The record's parts as its page has them (facts, message, recipients), long ones cut; "" without the quote."""
    # A page keeps the lines of a message, and a quote has none.
    words = re.compile(r"\s+".join(map(re.escape, cited.quote.split())))
    shown: list[str] = []
    beside, has_quote = 0, False
    for part in (section for section in page.sections if section.anchor == cited.anchor):
        match = None if has_quote else words.search(part.text)
        if match:
            has_quote, start = True, max(0, match.start() - AROUND // 2)
            shown.append(f"{part.heading}\n{part.text[start : start + AROUND].strip()}")
        elif beside < _PARTS_BESIDE:
            beside += 1
            text = _SPACE.sub("\n", _LINKS.sub("", part.text))
            shown.append(f"{part.heading}\n{text[:BESIDE].strip()}")
    return "\n\n".join(shown) if has_quote else ""


def _later(message: LaterMessage, telling: Telling) -> str:
    """The beginning of a message with its time and sides, without what it quotes; "" where a rule holds it."""
    place = telling.citing.place_of(message.record)
    page = telling.citing.find(pages.slug_of(place.page)) if place else None
    if not place or not page:
        return ""
    facts: list[str] = []
    words = ""
    for part in (section for section in page.sections if section.anchor == (place.anchor or None)):
        facts += [line for line in part.text.splitlines() if line.startswith(_SIDES)]
        fenced = _FENCED.search(part.text)
        if fenced and not words:
            own = (line.strip() for line in fenced["text"].splitlines() if not line.startswith(">"))
            words = records.shorten(" ".join(filter(None, own)), LATER)
    cited = Citation(page=page.slug, anchor=place.anchor or None, quote=words or page.slug)
    return "" if not words or telling.holds(words, [cited]) else "\n".join((*facts, words))
