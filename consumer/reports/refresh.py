"""
What the owner sees first, and what rules hold, written again outside of a job: after a purge or a restore.

Both files rest on all records and say things of which no record can be told to be the cause, so a purge deletes them.
Made anew from the records that stay, they are as of the report before. Corrections are not applied: whoever shows the
file applies them, as they are then. What the user marked as private stays held, as far as its record stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from consumer import layout
from consumer.evidence.pages import Page
from consumer.evidence.rawlines import RawLines
from consumer.evidence.records import RecordIndex
from consumer.reports import holds, recall, today, withholding
from consumer.reports.files import encode, put
from consumer.reports.holds import Holds
from consumer.reports.withholding import PRIVATE, HeldEvidence, Marked, Withheld
from consumer.understanding import life, standing_rules
from consumer.understanding.standing_rules import StandingRule, Unread
from contract import jsonobject


@dataclass(frozen=True, slots=True)
class Views:
    """The two files as they were. ``at``: local time with its offset; "" if there was no report."""

    at: str = ""
    locale: str = ""
    held: Holds = field(default_factory=Holds)

    @classmethod
    def of(cls, root: Path) -> Views:
        """Those of a workspace; without what is absent or cannot be read."""
        document = jsonobject.read(root / layout.TODAY)
        at = document.get("at")
        return cls(at if isinstance(at, str) else "", str(document.get("locale") or ""), recall.held_before(root))


def write(root: Path, index: RecordIndex, by_slug: Mapping[str, Page], before: Views) -> None:
    """Write both files from the records in this index; nothing where there was no report yet. Repeatable."""
    if not before.at:
        return
    readings = recall.readings_of(index)
    memory = life.fold(readings, (), before.at)
    with closing(RawLines(root)) as raw:
        texts, versions = recall.rules_in(index, raw, before.held)
    read = [standing_rules.compiled(text, memory.directory) for text in texts]
    held = withholding.withheld(
        [rule for rule in read if isinstance(rule, StandingRule)],
        [rule for rule in read if isinstance(rule, Unread) and recall.is_told(rule)],
        _private(before.held.withheld, index),
        HeldEvidence(readings, memory.directory, by_slug, index.find, lambda source: recall.records_of(index, source)),
    )
    shown = today.document(memory, lambda record: index.find(*record), by_slug, held, locale=before.locale)
    put(root / layout.HOLDS, encode(holds.document(Holds(held, versions))))
    put(root / layout.TODAY, encode(shown))


def _private(before: Withheld, index: RecordIndex) -> Marked:
    """What the user marked as private before, of records and at places that are still there."""
    marks = holds.only(before, lambda holder: holder.startswith(PRIVATE) and holder != holds.FORGETTING)
    records = {key: holders for key, holders in marks.records.items() if index.find(*key) is not None}
    pages = {path.removesuffix(".md") for path in index.all_pages()}
    places = {place: holders for place, holders in marks.places.items() if place[0] in pages}
    return Marked(records, places)
