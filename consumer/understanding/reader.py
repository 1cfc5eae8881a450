"""
What a record says, put together into the Reading that is stored: recorded state, what the rules find, and what a model
noted, where one was paid to read the record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from consumer.understanding import (
    acquaintances,
    calledoff,
    encoding,
    modelform,
    paid,
    reading,
    recorded,
    rules,
    signs,
    titles,
    zones,
)
from consumer.understanding.certainty import is_chat
from consumer.understanding.paid import PaidReading
from consumer.understanding.people import PROFILES
from consumer.understanding.reading import activities
from consumer.understanding.statements import Commitment, Decision, Reading, Refusal, Request, Statement, Task
from consumer.understanding.utterances import COMMITTING, ME, UNKNOWN, Person, RecordText
from renderers import grouping
from renderers.base import Item

#: By this name the record index keeps the readings that memory is made of.
NAME: Final = "rules"
#: By this name it keeps what a model noted (``paid``), in the model reader's version.
PAID: Final = "model"
#: Bump it with every change of ``reading``, ``recorded`` and ``paid`` that reads something else.
VERSION: Final = "16"
#: One person asks and promises no more in a record; long lists of action items have about fifteen.
MOST_LOOPS: Final = 20
_MAILS: Final = frozenset({"inbound_messages", "outbound_messages"})
#: The region of a locale: of ``en-US``, ``de_AT``, ``zh-Hans-SG``, ``en_GB.UTF-8``.
_REGION: Final = re.compile(r"^[A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?[-_]([A-Za-z]{2})(?![A-Za-z])")


def version(zone: str, zone_rules: str, region: str) -> str:
    """What, besides a record, decides what is read in it; another one means reading it again.

    ``zone_rules``: a digest of what the tz database says of the user's zone.
    """
    return "/".join((encoding.FORM, VERSION, rules.VERSION, modelform.VERSION, zone, zone_rules[:16], region))


def region(profiles: Iterable[Mapping[str, Any]], country: str) -> str:
    """The region whose order of day and month the user writes: of their profile's locale, else of their zone's country.

    ``profiles``: records of ``PROFILES``; ``country``: of the user's zone, "" for unknown.
    """
    for profile in profiles:
        preferences = profile.get("preferences")
        locale = preferences.get("locale") if isinstance(preferences, Mapping) else None
        match = _REGION.search(locale) if isinstance(locale, str) else None
        if match:
            return match[1].upper()
    return country


def read(item: Item, zone: str, region: str = "", noted: Mapping[str, PaidReading] | None = None) -> Reading:
    """What a record says. ``zone``: IANA name of the user's zone; ``region``: see ``region``; "" for unknown.

    ``noted``: what a model noted of the record, by fingerprint of a part.
    """
    text = reading.read(item, zone)
    stated, refusals = _stated(text, region, noted)
    stated = [zones.on_users_clock(statement, text, zone) for statement in stated]
    stated = tuple(titles.named(stated, reading.messages.subject(item.data) if item.source_key in _MAILS else ""))
    held = recorded.statements(item, zone, text, region)
    statements = (*held, *_without_listed(stated, held), *calledoff.statements(item, text, region))
    profile = item.source_key == PROFILES
    names = (Person(str(item.data.get("display_name") or ""), ME.address),) if profile else ()
    return put_together(text, _said_at(item, zone), statements)._replace(
        refusals=tuple(refusals), own=(*text.own, *(person for person in names if person.name))
    )


def _without_listed(stated: Sequence[Statement], held: Sequence[Statement]) -> Iterator[Statement]:
    """Without what entries of a list seem to promise, to ask for or to decide: the list itself says it."""
    entries = [statement for statement in held if isinstance(statement, Task | Decision)]
    listed = {quote.utterance for entry in entries for quote in entry.quotes if quote.utterance >= 0}
    for statement in stated:
        of_list = isinstance(statement, Commitment | Request | Decision)
        if not (of_list and any(quote.utterance in listed for quote in statement.quotes)):
            yield statement


def _said_at(item: Item, zone: str) -> str:
    """When a record says what it says. A calendar entry does when it is written: its own time is the meeting's."""
    if activities.is_entry(item) and item.updated_at < item.occurred_at:
        return grouping.local(item.updated_at, zone)
    return item.local


def _stated(
    text: RecordText, region: str, noted: Mapping[str, PaidReading] | None
) -> tuple[Sequence[Statement], Sequence[Refusal]]:
    by_rules, refusals = rules.read(text, region=region)
    by_model = paid.statements(text, noted, region=region) if noted else None
    if by_model is None:
        return _without_catalogues(by_rules), refusals
    both, disputed = paid.together(by_model.statements, by_rules)
    return _without_catalogues(both), [*refusals, *by_model.refusals, *disputed]


def _without_catalogues(stated: Sequence[Statement]) -> Sequence[Statement]:
    """Without the loops of whoever asks or promises more in one record than anybody can mean: that is a text, and it
    must not fill the user's list.
    """
    speakers = Counter(speaker for statement in stated if (speaker := _speaker(statement)))
    return [each for each in stated if (speaker := _speaker(each)) is None or speakers[speaker] <= MOST_LOOPS]


def _speaker(statement: Statement) -> Person | None:
    """Who asks or promises; None of other statements."""
    if isinstance(statement, Request):
        return statement.asker
    return statement.owner if isinstance(statement, Commitment) else None


def put_together(text: RecordText, said_at: str, statements: Sequence[Statement]) -> Reading:
    """A record's text and what was found in it -> the reading to keep, without a word that no statement quotes."""
    quoted = {quote.utterance for statement in statements for quote in statement.quotes}
    cited = [utterance for utterance in text.utterances if utterance.number in quoted]
    languages = Counter(utterance.language for utterance in cited if utterance.language)
    return Reading(
        source=text.source,
        record_id=text.record_id,
        thread=text.thread,
        said_at=said_at,
        people=text.people,
        statements=tuple(statements),
        cited={utterance.number: (utterance.author, utterance.addressees, utterance.said_at) for utterance in cited},
        own=text.own,
        machines=machines(text),
        language=min(languages, key=lambda name: (-languages[name], name), default=""),
        turn=_turn(text),
    )


def _turn(text: RecordText) -> str:
    if is_chat(text):
        return signs.turn([each.text for each in text.utterances if each.kind == "written"])
    if text.source == reading.messages.OUTBOUND:
        return acquaintances.sent(text)
    return acquaintances.received(text) if text.source == reading.messages.INBOUND else ""


def machines(text: RecordText) -> tuple[Person, ...]:
    """Authors of this record's text who say nothing in it but what a machine sends."""
    senders = dict.fromkeys(utterance.author for utterance in text.utterances if utterance.kind == "machine")
    others = {utterance.author for utterance in text.utterances if utterance.kind in COMMITTING}
    return tuple(sender for sender in senders if sender not in {ME, UNKNOWN, *others})
