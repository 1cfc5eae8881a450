"""
What is read in sentences of seven languages, in records, and in a few records together: tests/data/readings, a file a
language, ``records`` and ``talks``.

Each sentence is a line; what the rules read in it stands indented below it, a statement a line. All are said by Mara to
Bob, one at a time, on Thursday, 26 November 2026, in a region that writes the month first. A record is a line of JSON;
its utterances stand below it. A line of ``talks`` is several records (see ``tests.talks``); what each says, what memory
makes of them and what digests tell stand below it. Add a sentence or a record as a line of its own.
``python -m tests.goldens`` writes all readings anew.

Some sentences are odd: each is there because a rule has a condition that decides only about such words.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Final

import manifests
import renderers
from consumer.understanding import reading, rules
from consumer.understanding.statements import Due, Quote, Statement
from consumer.understanding.utterances import Person, RecordText, Utterance
from tests import talks

FOLDER: Final = Path(__file__).parent / "data" / "readings"
MARA: Final = Person("Mara Silva", "mara@example.org")
BOB: Final = Person("Bob Stone", "bob@example.org")
SAID: Final = "2026-11-26 09:00 -05:00"
#: The files of records, and the zone of their user.
RECORDS: Final = "records"
TALKS: Final = "talks"
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
    """``language``: ``records`` and ``talks`` for one or more records in place of a sentence."""
    if language == TALKS:
        talk = talks.Talk.of(sentence)
        read = [f"{e.record_id}: {_shown(statement, '')}" for e in talk.readings for statement in e.statements]
        return [*read, *talks.shown(talk.memory(talk.told_at[-1])), *talk.digests(), *talk.portrait()]
    if language == RECORDS:
        record = _record(json.loads(sentence))
        people = [
            f"{name}: {', '.join(map(_named, each))}" for name, each in (("people", record.people), ("own", record.own))
        ]
        return [f"thread: {record.thread}", *people, *map(_uttered, record.utterances)]
    utterance = Utterance(0, MARA, (BOB,), SAID, "written", sentence, language)
    record = RecordText("email", "1", "thread", (utterance,), (MARA, BOB))
    statements, refusals = rules.read(record, region="US")
    return [*(_shown(each, sentence) for each in statements), *(f"refused {each.reason}" for each in refusals)]


def _record(record: dict[str, Any]) -> RecordText:
    entry = next(each for each in manifests.export_manifest().sources if each.source_key == record["source"])
    exported = {
        "source_key": record["source"],
        "record_id": "r1",
        "occurred_at": "2026-11-27T14:03:00.000000Z",
        "updated_at": "2026-11-27T14:03:00.000000Z",
        "data": record["data"],
        "checksum": "sha256:0",
    }
    return reading.read(renderers.item(exported, entry, ZONE), ZONE)


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
