"""With whom the user was in touch, how often, and when last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from datetime import date
from typing import Final

from consumer.understanding import lookalikes
from consumer.understanding.acquaintances import Acquaintances
from consumer.understanding.life.entries import MINUTES
from consumer.understanding.memory import PersonSeen
from consumer.understanding.moments import Moment
from consumer.understanding.people import CONTACTS, PROFILES, USER, Directory, PersonId, conversation
from consumer.understanding.reading.messages import INBOUND, OUTBOUND, is_chat
from consumer.understanding.statements import Reading
from renderers import samename

#: Records in which the user and others meet or write. A list item or a draft only names somebody.
_IN_TOUCH: Final = frozenset({INBOUND, OUTBOUND, "granola_transcripts", "meeting_notes"})
_CHAT: Final = "chat"
#: Whoever wrote no more than that may be a stranger.
_SELDOM: Final = 3
#: People seen within this many days count as seen lately.
LATELY_DAYS: Final = 14


def people_seen(
    readings: Sequence[Reading], people: Directory, now: Moment, acquaintances: Acquaintances
) -> tuple[PersonSeen, ...]:
    records: dict[PersonId, int] = defaultdict(int)
    lately: dict[PersonId, int] = defaultdict(int)
    last: dict[PersonId, tuple[str, str, str, str, str]] = {}
    # The sources whose records name somebody as more than another recipient of a message to the user, or a chat.
    ways: dict[PersonId, set[str]] = defaultdict(set)
    who, today = people.all_of, now.day
    since = date.fromordinal(max(1, now.minute // MINUTES - LATELY_DAYS)).isoformat() if today else "9"
    for reading in readings:
        named = reading.people
        # An out-of-office reply is no contact with a person, and mail of a list no contact with its other readers.
        if not named or reading.machines or reading.source in (CONTACTS, PROFILES):
            continue
        talk, said_at = conversation(reading), reading.said_at
        is_lately = since <= said_at[:10] <= today
        in_touch = _in_touch(reading, people, now)
        for person_id in who(named, talk):
            if person_id == USER:
                continue
            records[person_id] += 1
            if is_lately:
                lately[person_id] += 1
            if reading.source != INBOUND or person_id in in_touch:
                ways[person_id].add(_CHAT if is_chat(reading.thread) else reading.source)
            touched = said_at if person_id in in_touch else ""
            before = last.get(person_id)
            if before is None or (touched, said_at) >= before[:2]:
                person = next(person for person in named if person_id in who((person,), talk))
                written = person.name or person.address
                place = (touched, said_at, reading.source, reading.record_id, written)
                last[person_id] = place if before is None else max(before, place)
    seldom = {who for who, sources in ways.items() if sources == {INBOUND} and records[who] <= _SELDOM}
    strangers = _strangers(seldom, readings, people, acquaintances)
    each = [
        PersonSeen(
            id=person_id,
            records=records[person_id],
            lately=lately[person_id],
            last_day=last[person_id][0][:10],
            source=last[person_id][2],
            record_id=last[person_id][3],
            written=last[person_id][4],
        )
        for person_id in sorted(records)
        if person_id not in strangers
        and not people.is_nobody(person_id)
        and not people.is_unclear(person_id)
        and _is_sure(people, person_id, ways[person_id])
    ]
    return _told_once(each, people)


def _strangers(
    seldom: Set[PersonId], readings: Iterable[Reading], people: Directory, acquaintances: Acquaintances
) -> Set[PersonId]:
    """Those of other firms whose few mails are all meant for others: advertisers, and writers to many."""
    mailboxes = people.known(USER).addresses
    if not mailboxes:
        return frozenset()
    own = set(map(samename.firm, mailboxes)) - {""}
    inside = {
        who for who in seldom for each in people.known(who).addresses if "@" not in each or samename.firm(each) in own
    }
    meant = {
        people.who(reading.people[0], conversation(reading))
        for reading in readings
        if reading.source == INBOUND
        and reading.people
        and people.who(reading.people[0], conversation(reading)) in seldom
        and acquaintances.is_meant(reading)
    }
    return seldom - inside - meant


def _told_once(each: Sequence[PersonSeen], people: Directory) -> tuple[PersonSeen, ...]:
    """Those of most records first; people who may be one are one entry, and who may be the user is none."""
    by_id = {seen.id: seen for seen in each}
    for group in lookalikes.groups((*by_id, USER), people):
        if USER in group:
            by_id = {who: seen for who, seen in by_id.items() if who not in group}
            continue
        together = _as_one([by_id.pop(person_id) for person_id in group])
        by_id[together.id] = together
    return tuple(sorted(by_id.values(), key=_weight))


def _weight(seen: PersonSeen) -> tuple[int, int, PersonId]:
    return (-seen.lately, -seen.records, seen.id)


def _as_one(several: Sequence[PersonSeen]) -> PersonSeen:
    """One entry of people who may be one person, under the id of whom most records name."""
    most, *others = sorted(several, key=_weight)
    last = max(several, key=lambda seen: (seen.last_day, seen.id == most.id))
    return last._replace(
        id=most.id,
        records=sum(seen.records for seen in several),
        lately=sum(seen.lately for seen in several),
        each=(most, *others),
    )


def _is_sure(people: Directory, person_id: PersonId, ways: Set[str]) -> bool:
    """Whether name and records show that it is a person.

    In mail, desks, lists and products have one word for a name or none, handles do, and a mistyped address never
    writes. What somebody sends whom the user never wrote to, from a firm's address without their name, is mostly
    advertising.
    """
    naming = people.named_by(person_id)
    if not ways <= {INBOUND, OUTBOUND}:
        return True
    if naming == "name":
        return OUTBOUND in ways or people.is_borne(person_id)
    return naming == "address" and INBOUND in ways


def _in_touch(reading: Reading, people: Directory, now: Moment) -> frozenset[PersonId]:
    """Who wrote to or spoke with the user: not the other recipients of a message, nor people in a draft."""
    if reading.source not in _IN_TOUCH or (now.day and reading.said_at[:10] > now.day):
        return frozenset()
    named = reading.people[:1] if reading.source == INBOUND else reading.people
    return people.all_of(named, conversation(reading))
