"""
What the rules read in sentences of seven languages: tests/data/readings, a file a language.

Each sentence is a line; what is read in it stands indented below it, a statement a line. All are said by Mara to Bob,
one at a time, on Thursday, 26 November 2026, in a region that writes the month first. Add a sentence as a line of its
own. ``python -m tests.goldens`` writes all readings anew.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Final

from consumer.understanding import rules
from consumer.understanding.statements import Due, Quote, Statement
from consumer.understanding.utterances import Person, RecordText, Utterance

FOLDER: Final = Path(__file__).parent / "data" / "readings"
MARA: Final = Person("Mara Silva", "mara@example.org")
BOB: Final = Person("Bob Stone", "bob@example.org")
SAID: Final = "2026-11-26 09:00 -05:00"
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
    utterance = Utterance(0, MARA, (BOB,), SAID, "written", sentence, language)
    record = RecordText("email", "1", "thread", (utterance,), (MARA, BOB))
    statements, refusals = rules.read(record, region="US")
    return [*(_shown(each, sentence) for each in statements), *(f"refused {each.reason}" for each in refusals)]


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
