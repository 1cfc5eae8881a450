"""Agent sessions of past jobs: tasks, tool calls and answers, as far as the workspace keeps them (``state.clean``).

An agent could have written this database itself, so it is read in memory, read-only, and nothing in it is
trusted to run.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from consumer import layout
from consumer.agent.hermes import state
from consumer.repository.reading import Reader

STATE: Final = f"{layout.HERMES_HOME}/{state.STATE}"
#: Characters shown around the first word.
AROUND: Final = 120
#: Bytes 18 and 19 of an SQLite file are its journal mode; a database in memory cannot have a write-ahead log.
_ROLLBACK: Final = b"\x01\x01"
_JOB: Final = re.compile(r'"job_id":\s*"([0-9a-f-]{36})"')
_TURNS: Final = """
select m.session_id, m.role, m.timestamp, coalesce(m.content, '') || ' ' || coalesce(m.tool_calls, '') as text,
  (select content from messages f where f.session_id = m.session_id and f.role = 'user' order by f.id limit 1) as task
from messages m order by m.timestamp desc, m.id desc
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a session. ``job_id`` is "" if the task names no job; ``text`` is the part around the words."""

    session_id: str
    job_id: str
    at: datetime
    role: str
    text: str


def search(reader: Reader, words: Sequence[str]) -> Iterator[Turn]:
    """Messages with all words, in any case; newest first.

    Raises LookupError (this commit has no sessions, or not in the format of Hermes 0.19), SnapshotIncomplete,
    BlobUnavailable.
    """
    folded_words = [word.casefold() for word in words]
    try:
        data = bytearray(reader.read(STATE))
    except LookupError as exc:
        raise LookupError(
            f"commit {reader.seq} has no agent sessions ({STATE}): the first run with an agent creates them, "
            "and a purge deletes them"
        ) from exc
    data[18:20] = _ROLLBACK
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            database.deserialize(bytes(data))
            database.execute("pragma trusted_schema = off")
            database.execute("pragma query_only = on")
            for session_id, role, at, text, task in database.execute(_TURNS):
                folded = str(text).casefold()
                if all(word in folded for word in folded_words):
                    yield Turn(str(session_id), _job(task), _moment(at), str(role), _around(str(text), folded_words))
        except sqlite3.Error as exc:
            raise LookupError(f"the sessions of commit {reader.seq} cannot be read ({type(exc).__name__})") from exc


def _job(task: object) -> str:
    match = _JOB.search(str(task))
    return match[1] if match else ""


def _moment(at: object) -> datetime:
    try:
        return datetime.fromtimestamp(float(str(at)), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _around(text: str, folded_words: Sequence[str]) -> str:
    """The text around the first word, on one line."""
    flat = " ".join(text.split())
    at = min((place for place in map(flat.casefold().find, folded_words) if place >= 0), default=0)
    start = max(0, at - AROUND // 2)
    return flat[start : start + AROUND]
