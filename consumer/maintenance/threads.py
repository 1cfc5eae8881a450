"""Sessions of past jobs: what an agent was asked, what it called and what it wrote, as far as the workspace keeps it.

The newest 200 sessions are kept, and of the older ones not what tools returned, which is on the pages anyway; the
agent's adapter sees to that after each run. An agent could have written this database itself: it is read in memory,
read-only, with nothing in it trusted to run.
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
from consumer.repository.reading import Reader

STATE: Final = f"{layout.HERMES_HOME}/state.db"
#: Characters shown around the first of the words.
AROUND: Final = 120
#: Bytes 18 and 19 of an SQLite file say how it is written; a write-ahead log cannot be had in memory.
_ROLLBACK: Final = b"\x01\x01"
_JOB: Final = re.compile(r'"job_id":\s*"([0-9a-f-]{36})"')
_TURNS: Final = """
select m.session_id, m.role, m.timestamp, coalesce(m.content, '') || ' ' || coalesce(m.tool_calls, '') as text,
  (select content from messages f where f.session_id = m.session_id and f.role = 'user' order by f.id limit 1) as asked
from messages m order by m.timestamp desc, m.id desc
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a session. ``job_id`` is "" where the task does not name one; ``text`` is the part around."""

    session_id: str
    job_id: str
    at: datetime
    role: str
    text: str


def search(reader: Reader, words: Sequence[str]) -> Iterator[Turn]:
    """Messages that hold all words, whatever their case; newest first.

    Raises LookupError: this commit keeps no sessions, or not as Hermes 0.19 keeps them. SnapshotIncomplete,
    BlobUnavailable.
    """
    wanted = [word.casefold() for word in words]
    try:
        data = bytearray(reader.read(STATE))
    except LookupError as exc:
        raise LookupError(
            f"commit {reader.seq} keeps no agent sessions ({STATE}): none exist before a run with an agent, "
            "and a purge drops them"
        ) from exc
    data[18:20] = _ROLLBACK
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            database.deserialize(bytes(data))
            database.execute("pragma trusted_schema = off")
            database.execute("pragma query_only = on")
            for session_id, role, at, text, asked in database.execute(_TURNS):
                folded = str(text).casefold()
                if all(word in folded for word in wanted):
                    yield Turn(str(session_id), _job(asked), _moment(at), str(role), _around(str(text), wanted))
        except sqlite3.Error as exc:
            raise LookupError(f"the sessions of commit {reader.seq} cannot be read ({type(exc).__name__})") from exc


def _job(asked: object) -> str:
    found = _JOB.search(str(asked))
    return found[1] if found else ""


def _moment(at: object) -> datetime:
    try:
        return datetime.fromtimestamp(float(str(at)), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _around(text: str, wanted: Sequence[str]) -> str:
    """One line around the first of the words."""
    flat = " ".join(text.split())
    at = min((place for place in map(flat.casefold().find, wanted) if place >= 0), default=0)
    start = max(0, at - AROUND // 2)
    return flat[start : start + AROUND]
