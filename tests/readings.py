"""
What is read in sentences of seven languages, in records, and in a few records together: tests/data/readings, a file a
language, ``records``, ``talks`` and ``days``.

Each sentence is a line; what the rules read in it stands indented below it, a statement a line. All are written by Mara
to Bob, one at a time, on Thursday, 26 November 2026, in a region that writes the month first. What they say elsewhere
(``_ELSEWHERE``) stands below, too, where that differs. A record is a line of JSON; its utterances and statements stand
below it. A line of ``talks`` is several records (see ``tests.talks``); what each says, what memory makes of them and
what digests tell stand below it. A line of ``days`` is a language and a date in words; what it means on each of
``_SAID_ON`` stands below it. Add a sentence or a record as a line of its own. ``python -m tests.goldens`` writes all
readings anew.

Some sentences are odd: each is there because a rule has a condition that decides only about such words.
"""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import manifests
import renderers
from consumer.understanding import dates, reader, reading, rules
from consumer.understanding.statements import Due, Quote, Statement
from consumer.understanding.utterances import Person, RecordText, Utterance
from renderers.base import Item
from tests import talks

FOLDER: Final = Path(__file__).parent / "data" / "readings"
MARA: Final = Person("Mara Silva", "mara@example.org")
BOB: Final = Person("Bob Stone", "bob@example.org")
SAID: Final = "2026-11-26 09:00 -05:00"


class _Place(NamedTuple):
    """Where a sentence is read."""

    name: str
    source: str
    thread: str
    to: tuple[Person, ...]
    said_at: str
    region: str


_LETTER: Final = _Place("letter", "email", "thread", (BOB,), SAID, "US")
#: Where the same words may say something else: a Sunday night that ends a month, a leap year's Saturday.
_ELSEWHERE: Final = (
    _Place("sms", "inbound_messages", "sms:with:mara@example.org", (BOB,), "2027-01-31 22:30 +01:00", "DE"),
    _Place(
        *("circular", "inbound_messages", "thread"),
        tuple(Person(name, f"{name.casefold()}@example.org") for name in ("Ann", "Bob", "Cat", "Dan", "Eve")),
        *("2028-02-26 12:00 +01:00", "GB"),
    ),
)
_NONE: Final = "nothing"
#: The files of records, and the zone of their user.
RECORDS: Final = "records"
TALKS: Final = "talks"
DAYS: Final = "days"
#: Days on which the words of ``days`` are said: each weekday but one, ends of months and years, a leap day.
_SAID_ON: Final = (
    (date(2026, 11, 26), "US"),
    (date(2026, 11, 28), "DE"),
    (date(2026, 10, 4), "GB"),
    (date(2026, 12, 31), ""),
    (date(2028, 2, 29), "en-US"),
    (date(2027, 1, 4), "DE"),
    (date(2026, 12, 4), "US"),
)
ZONE: Final = "Europe/Berlin"
_INDENT: Final = "    "


def sentences(text: str) -> list[str]:
    """The sentences of a file."""
    return [line for line in text.splitlines() if line and not line.startswith(_INDENT)]


def document(sentences_: list[str], language: str) -> str:
    """The file of these sentences, with what is read in them now."""
    lines = [
        line
        for sentence in sentences_
        for line in (sentence, *(f"{_INDENT}{each}" for each in readings(sentence, language)))
    ]
    return "\n".join(lines) + "\n"


def readings(sentence: str, language: str) -> list[str]:
    """``language``: ``records``, ``talks`` and ``days`` for what stands in place of a sentence."""
    if language == DAYS:
        code, words = sentence.split(" ", 1)
        return [" | ".join(_days(words, code, said_on, region) for said_on, region in _SAID_ON)]
    if language == TALKS:
        talk = talks.Talk.of(sentence)
        read = [f"{e.record_id}: {_shown(statement, '')}" for e in talk.readings for statement in e.statements]
        return [*read, *talks.shown(talk.last), *talk.digests(), *talk.portrait()]
    if language == RECORDS:
        item = _item(json.loads(sentence))
        record, whole = reading.read(item, ZONE), reader.read(item, ZONE, "DE")
        people = [
            f"{name}: {', '.join(map(_named, each))}" for name, each in (("people", record.people), ("own", record.own))
        ]
        statements = [_shown(each, "") for each in whole.statements]
        return [f"thread: {record.thread}", *people, *map(_uttered, record.utterances), *statements]
    letter = _read(sentence, language, _LETTER)
    # In one of the other places, whichever its letters choose: to read each in all takes too long.
    place = _ELSEWHERE[crc32(sentence.encode()) % len(_ELSEWHERE)]
    elsewhere = _read(sentence, language, place)
    return [*letter, *(f"{place.name}: {each}" for each in elsewhere or [_NONE] if elsewhere != letter)]


def _read(sentence: str, language: str, place: _Place) -> list[str]:
    utterance = Utterance(0, MARA, place.to, place.said_at, "written", sentence, language)
    record = RecordText(place.source, "1", place.thread, (utterance,), (MARA, *place.to))
    statements, refusals = rules.read(record, region=place.region)
    return [*(_shown(each, sentence) for each in statements), *(f"refused {each.reason}" for each in refusals)]


def _days(words: str, language: str, said_on: date, region: str) -> str:
    """All days that the words name, and what they mean alone."""
    several = [due for due, _, _ in dates.find(words, said_on, language, region)]
    alone = dates.resolve(words, said_on, language, region)
    shown = [due._replace(words="" if due.words == words else due.words) for due in several]
    return ", ".join([*map(_value, shown), *([] if alone in several[:1] else [f"alone {_value(alone)}"])])


def _item(record: dict[str, Any]) -> Item:
    entry = next(each for each in manifests.export_manifest().sources if each.source_key == record["source"])
    exported = {
        "source_key": record["source"],
        "record_id": "r1",
        "occurred_at": "2026-11-27T14:03:00.000000Z",
        "updated_at": "2026-11-27T14:03:00.000000Z",
        "data": record["data"],
        "checksum": "sha256:0",
    }
    return renderers.item(exported, entry, ZONE)


def _uttered(utterance: Utterance) -> str:
    to = ", ".join(map(_named, utterance.addressees))
    details = " ".join(filter(None, (utterance.kind, utterance.said_at, utterance.language)))
    return f"{_named(utterance.author)} to {to or 'nobody'} ({details}): {utterance.text!r}"


def _named(person: Person) -> str:
    return " ".join(filter(None, person)) or "unknown"


def _shown(statement: Statement, sentence: str) -> str:
    named = {field.name: getattr(statement, field.name) for field in dataclasses.fields(statement)}
    parts = [f"{name}={_value(value)}" for name, value in named.items() if value and _value(value) != sentence]
    return f"{type(statement).__name__}: {'; '.join(parts)}"


def _value(value: Any) -> str:
    match value:
        case Person():
            return value.name.partition(" ")[0]
        case Quote():
            return value.text
        case Due():
            before = "before" if value.before else ""
            return " ".join(each for each in (value.day, value.time, value.basis, before, value.words) if each)
        case tuple():
            return ", ".join(map(_value, value))
    return str(value)


def write_golden() -> None:
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(document(sentences(path.read_text("utf-8")), path.stem), "utf-8")
