"""
A few records on one line, and what memory makes of them: ``tests/data/readings/talks.txt``.

Records are separated by `` | ``, each ``form who>whom day hour words``: a mail, a message (``sms``), a message of a
room (``slack``), a transcript or a note (lines are separated by `` / ``), a task or a meeting. The last part is the
time at which memory is asked. All is in November 2026, and the user is Mara.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from typing import Any, Final

import manifests
import renderers
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.evidence.records import IndexedRecord
from consumer.reports import edition, news
from consumer.reports.citing import Citing
from consumer.reports.preferences import ReaderPreferences
from consumer.reports.remembered import Telling
from consumer.reports.toldledger import ToldLedger
from consumer.understanding import life, reader
from consumer.understanding.memory import Memory
from consumer.understanding.statements import Reading
from renderers.base import Item, RenderContext

ZONE: Final = "Europe/Berlin"
READS: Final = ReaderPreferences()
_CONTEXT: Final = RenderContext("11111111-1111-4111-8111-111111111111", ZONE, "talk")
PEOPLE: Final = {
    "ann": ("Ann Lee", "ann@lee.example"),
    "bob": ("Bob Marsh", "bob@marsh.example"),
    "cat": ("Cat Ono", "cat@ono.example"),
    "bobby": ("Bob Fox", "bob.fox@fox.example"),
    "shop": ("Marsh Shop", "no-reply@shop.example"),
    "me": ("Mara Silva", "mara@silva.example"),
}
_CHANNELS: Final = {"mail": "email", "sms": "sms", "slack": "slack"}
_ENTRIES: Final = {entry.source_key: entry for entry in manifests.export_manifest().sources}


@dataclass(frozen=True)
class Talk:
    """A line. ``told_at``: the times at which a digest is due: when something comes in, and when memory is asked."""

    items: Sequence[Item]
    readings: Sequence[Reading]
    told_at: Sequence[str]

    @classmethod
    def of(cls, line: str) -> Talk:
        *parts, asked = line.split(" | ")
        items = [_item(0, "user_profiles", "2026-11-01T08:00:00.000000Z", {"display_name": "Mara Silva"})]
        times = []
        for number, part in enumerate(parts, 1):
            form, sides, day, hour, words = part.split(" ", 4)
            at = _time(day, hour)
            source, data = _data(form, sides, at, words)
            items.append(_item(number, source, at, data))
            times.append(f"{_day(day)} {hour} +01:00")
        day, hour = asked.split(" ")
        times.append(f"{_day(day)} {hour} +01:00")
        return cls(items, [reader.read(item, ZONE, "DE") for item in items], sorted(set(times)))

    def memory(self, now: str) -> Memory:
        """What is known at a time."""
        return life.fold([each for each in self.readings if each.said_at <= now], now_local=now)

    @cached_property
    def last(self) -> Memory:
        """What is known when memory is asked."""
        return self.memory(self.told_at[-1])

    @cached_property
    def citing(self) -> Citing:
        by_slug: dict[str, Page] = {}
        places: dict[tuple[str, str], IndexedRecord] = {}
        for item in self.items:
            entry = _ENTRIES[item.source_key]
            stem = renderers.place(item, entry)
            for page in renderers.render_group(stem, entry, [item], _CONTEXT):
                slug = pages.slug_of(page.path)
                by_slug[slug] = pages.parse(slug, page.text.encode())
                for record_id, anchor in page.anchors.items():
                    key, times, day = (item.source_key, record_id), (item.updated_at, item.occurred_at), item.local[:10]
                    place = IndexedRecord(*key, "", *times, "", stem, page.path, anchor, "", "", 0, 0, day, "")
                    places[key] = place
        return Citing(places.get, by_slug.get)

    def digests(self) -> Iterator[str]:
        """The lines of each digest."""
        ledger = ToldLedger(begun=True)
        for now in self.told_at:
            telling = Telling(self.last if now == self.told_at[-1] else self.memory(now), self.citing)
            is_own = partial(edition.is_recorded_by_user, telling=telling)
            gathered = news.gather(telling.memory, ledger, reads_as=READS, is_own=is_own, zone=ZONE)
            made = edition.of(gathered, ledger, telling, daily=edition.is_daily(now, ledger, "07:00"))
            ledger = ledger.with_marks(made.marks).without_old(date.fromisoformat(now[:10]), made.live)
            ledger = replace(ledger, daily=now[:10] if made.daily and made.matters else ledger.daily)
            for name in ("lines", "day_ahead", "since_evening"):
                for line in getattr(made, name):
                    yield f"digest {now[8:16]} {name}: {line.kind} {line.text} ({len(line.citations)})"

    def portrait(self) -> Iterator[str]:
        """All that the last memory tells."""
        telling = Telling(self.last, self.citing)
        remembered = telling.all()
        for name in ("contradictions", "changes", "people", "stale"):
            for finding in getattr(remembered, name):
                yield f"{name}: {finding.text} ({finding.weight:g}, {len(finding.citations)})"
        yield from (f"open: {finding.text} ({finding.weight:g})" for finding in telling.open_loops())
        yield from (f"decided: {finding.text}" for finding in telling.decisions())
        yield f"counts: {dict(remembered.counts)}"


def _day(day: str) -> str:
    """``27``, or ``12-03`` for another month."""
    return f"2026-{day}" if "-" in day else f"2026-11-{int(day):02}"


def _time(day: str, hour: str) -> str:
    """An hour of the user's."""
    return f"{_day(day)}T{int(hour[:2]) - 1:02}:{hour[3:]}:00.000000Z"


def _item(number: int, source: str, at: str, data: dict[str, Any]) -> Item:
    exported = {
        "source_key": source,
        "record_id": f"r{number}",
        "occurred_at": at,
        "updated_at": at,
        "data": data,
        "checksum": "sha256:0",
    }
    return renderers.item(exported, _ENTRIES[source], ZONE)


def _data(form: str, sides: str, at: str, words: str) -> tuple[str, dict[str, Any]]:
    author, _, others = sides.partition(">")
    to = [PEOPLE[each] for each in others.split(",") if each]
    text = words.replace(" / ", "\n")
    match form:
        case "task":
            state, due, title = words.split(" ", 2)
            day = "" if due == "-" else _day(due)
            flags = {"checked": state == "done", "dismissed": state == "dismissed"}
            return "checklist_items", {"title": title, "due_at": day or None, **flags}
        case "meet":
            day, hour, title = words.split(" ", 2)
            attendees = [{"email": address, "displayName": name} for name, address in to]
            body = {"start": _time(day, hour), "end": _time(day, hour), "attendees": attendees}
            fields = {"source": "calendar", "event_type": "calendar_event", "title": title}
            return "activity_events", {**fields, "source_ref": title, "occurred_at": _time(day, hour), "body": body}
        case "talk":
            names = [name for name, _ in (PEOPLE[author], *to)]
            return "granola_transcripts", {
                "title": "",
                "meeting_started_at": at,
                "attendees": names,
                "transcript": text,
            }
        case "note":
            return "meeting_notes", {"title": "Weekly", "meeting_started_at": at, "note_text": text}
    thread = "plans" if form == "slack" else None
    if author == "me":
        name, address = to[0]
        sent = {"recipient_name": name, "recipient_address": address, "body_text": text, "status": "sent"}
        return "outbound_messages", {"channel": _CHANNELS[form], "thread_id": thread, "sent_at": at, **sent}
    name, address = PEOPLE[author]
    parsed = {"to": [{"name": name, "address": address} for name, address in to]} if len(to) > 1 else None
    came = {"sender_name": name, "sender_address": address, "normalized_text": text, "parse_result": parsed}
    return "inbound_messages", {"channel": _CHANNELS[form], "thread_id": thread, "received_at": at, **came}


def shown(memory_: Memory) -> Iterator[str]:
    """Memory, an entry a line."""
    named = memory_.directory.name
    for loop in memory_.loops:
        when = loop.due and f"{loop.due.day} {loop.due.time}".strip()
        sides = f"{named(loop.owner) if loop.owner else 'nobody'} to {', '.join(map(named, loop.beneficiaries))}"
        asked = ", ".join(map(named, loop.asked))
        rest = (
            f"{loop.state} {loop.stage} {loop.direction} since {loop.since} to {loop.changed_at} {len(loop.evidence)}"
        )
        closed = "; ".join(each.quote for each in loop.closed_by)
        yield f"{loop.kind}: {loop.object} ({sides}; {asked}; {when}; {loop.condition}) {rest} {closed}".rstrip()
    for decision in memory_.decisions:
        yield f"decision: {decision.what} about {decision.about!r}{' (replaced)' if decision.replaced_by else ''}"
    for fact in memory_.facts:
        value = f"{fact.value} {fact.unit} since {fact.since}, was {fact.replaced!r}"
        yield f"fact: {fact.subject} {fact.attribute} {value}"
    for each in memory_.contradictions:
        yield f"contradiction: {each.subject} {each.attribute} {' / '.join(side.shown for side in each.sides)}"
    for change in memory_.changes:
        yield f"change: {change.kind} {change.subject} {change.attribute} {change.before!r} to {change.after!r}"
    for meeting in memory_.meetings:
        yield f"meeting: {meeting.title} {meeting.starts} {meeting.state} {', '.join(map(named, meeting.attendees))}"
    yield f"upcoming: {len(memory_.upcoming())}"
    for person in memory_.people:
        yield f"person: {named(person.id)} {person.records} {person.lately} {person.last_day} {person.written}"
