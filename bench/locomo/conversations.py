"""Reads the conversations and questions of LoCoMo from its public archive or file."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

#: What questions are about; category 5 has no answer in its conversation and is not measured.
CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
_SESSION: Final = re.compile(r"session_(\d+)")
#: "D8:6; D9:17" and "D30:05" occur where one id is expected.
_TURN: Final = re.compile(r"D(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Turn:
    """``id``: "D3:11", session and turn. ``caption``: what a shared photo shows, "" without one."""

    id: str
    speaker: str
    text: str
    caption: str


@dataclass(frozen=True, slots=True)
class Session:
    number: int
    when: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """``evidence``: the turns that hold the answer. ``category``: a key of CATEGORIES."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    name: str
    speakers: tuple[str, str]
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    def turn(self, turn_id: str) -> tuple[Session, Turn]:
        session = next(session for session in self.sessions if turn_id.startswith(f"D{session.number}:"))
        return session, next(turn for turn in session.turns if turn.id == turn_id)


def read(path: Path) -> list[Conversation]:
    """The conversations in a ``.zip`` of JSON files or in one JSON file, by name.

    Raises:
        ValueError: the file has no conversations.
    """
    conversations = sorted(
        (_conversation(name, document) for name, document in _documents(path)), key=lambda each: each.name
    )
    if not conversations:
        raise ValueError(f"{path.name} has no conversations: expected LoCoMo's archive or its JSON file")
    return conversations


def _documents(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if not zipfile.is_zipfile(path):
        yield from _of_json(path.stem, path.read_bytes())
        return
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".json"):
                yield from _of_json(Path(name).stem, archive.read(name))


def _of_json(name: str, data: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """A file has one conversation or a list of them."""
    document = json.loads(data)
    documents = document if isinstance(document, list) else [document]
    for number, each in enumerate(documents):
        if isinstance(each, dict) and "qa" in each:
            yield str(each.get("sample_id") or f"{name}-{number}"), each


def _conversation(name: str, document: dict[str, Any]) -> Conversation:
    talk = document.get("conversation", document)
    numbers = sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key)) and talk[key])
    sessions = tuple(
        Session(number, _when(talk[f"session_{number}_date_time"]), tuple(map(_turn, talk[f"session_{number}"])))
        for number in numbers
    )
    known = {turn.id for session in sessions for turn in session.turns}
    questions = []
    for row in document["qa"]:
        ids = [f"D{int(match[1])}:{int(match[2])}" for given in row["evidence"] for match in _TURN.finditer(given)]
        evidence = tuple(dict.fromkeys(turn_id for turn_id in ids if turn_id in known))
        if evidence and row["category"] in CATEGORIES:
            questions.append(Question(str(row["question"]), row["category"], evidence))
    return Conversation(name, (talk["speaker_a"], talk["speaker_b"]), sessions, tuple(questions))


def _turn(row: dict[str, Any]) -> Turn:
    return Turn(row["dia_id"], row["speaker"], row.get("text", ""), row.get("blip_caption") or "")


def _when(text: str) -> datetime:
    """``1:56 pm on 8 May, 2023``."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
