"""What changed inside a record: its words before and after, as its page shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from difflib import SequenceMatcher
from typing import Final

from consumer.reports.detectors import records
from consumer.reports.detectors.records import PageRecord
from consumer.run import Revision

#: Passages of one record that are kept: enough to see what is news, however much was rewritten.
PER_RECORD: Final = 3
_TIME: Final = "When"
_CALENDAR: Final = "calendar"
#: Facts about a row and not of what it says, or that repeat its title.
BOOKKEEPING: Final = frozenset({"When", "Updated", "Fetched", "Analyzed", "Generated", "Source", "Meetings"})
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
#: A longer record is compared by its first sentences only: the comparison is quadratic.
MOST_STATEMENTS: Final = 400


def compare(before: PageRecord, after: PageRecord, checksum: str, raw: str) -> tuple[Revision, ...]:
    """The passages that differ between two versions of a record.

    ``checksum``, ``raw``: of the earlier version, and the raw file that still holds it.
    """
    passages = [*_prose(before, after), *_facts(before, after)]
    return tuple(
        Revision(after.source, after.record_id, records.shorten(old), records.shorten(new), checksum, raw)
        for old, new in passages[:PER_RECORD]
    )


def _facts(before: PageRecord, after: PageRecord) -> Iterator[tuple[str, str]]:
    if before.title != after.title:
        yield before.title, after.title
    for label in dict.fromkeys((*before.facts, *after.facts)):
        old, new = (_LINK.sub(r"\1", facts.get(label, "")) for facts in (before.facts, after.facts))
        if old != new and (label not in BOOKKEEPING or (label == _TIME and _is_moved(before, after))):
            yield f"{label}: {old}" if old else "", f"{label}: {new}" if new else ""


def _is_moved(before: PageRecord, after: PageRecord) -> bool:
    """Whether an entry of a calendar is at another time; of other records "When" is only a fact about the row."""
    both = (before, after)
    if any(_CALENDAR not in record.facts.get("Source", "").casefold() for record in both):
        return False
    times = [_moment(record.facts.get(_TIME, "")) for record in both]
    return None in times or times[0] != times[1]


def _moment(text: str) -> datetime | None:
    """A time with its offset, so that another zone of the user makes no other time; None for a day without a time."""
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M %z")
    except ValueError:
        return None


def _prose(before: PageRecord, after: PageRecord) -> Iterator[tuple[str, str]]:
    old, new = ([" ".join(text.split()) for text in record.statements[:MOST_STATEMENTS]] for record in (before, after))
    for what, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        for number in range(max(last - first, end - start)):
            yield (
                old[first + number] if first + number < last else "",
                new[start + number] if start + number < end else "",
            )
