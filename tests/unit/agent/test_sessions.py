"""Words in the sessions of past jobs, in a database that an agent could have written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from consumer import layout
from consumer.agent.hermes import sessions
from consumer.repository.reading import Reader

JOB = "0b8a7f0e-5c1d-4c55-9d55-0f6d2f3f1a01"
SCHEMA = """
create table messages (
  id integer primary key, session_id text, role text, content text, tool_calls text, timestamp real);
"""
ROWS = [
    ("s1", "user", f'Find what matters.\n{{"job_id": "{JOB}"}}', None, 1795836323.5),
    ("s1", "assistant", "", '[{"function": {"name": "search", "arguments": "Harbor budget"}}]', 1795836324.5),
    ("s2", "user", "no task here", None, 1795836400.0),
    ("s2", "assistant", "The HARBOR\nplan " + "and more " * 100, None, 1795836401.0),
]


class Commit:
    """A reader of one commit with one file."""

    seq = 3

    def __init__(self, data: bytes | None) -> None:
        self.data = data

    def read(self, path: str) -> bytes:
        if self.data is None or path != f"{layout.HERMES_HOME}/state.db":
            raise KeyError(f"commit 3 has no {path!r}")
        return self.data


@pytest.fixture
def database(tmp_path: Path) -> Callable[..., Reader]:
    def made(*more: str, rows: list[tuple[object, ...]] | None = None) -> Reader:
        path = tmp_path / "state.db"
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("pragma journal_mode = wal")
            connection.executescript(SCHEMA)
            insert = "insert into messages (session_id, role, content, tool_calls, timestamp) values (?, ?, ?, ?, ?)"
            connection.executemany(insert, ROWS if rows is None else rows)
            connection.commit()
            for statement in more:
                connection.executescript(statement)
        return cast(Reader, Commit(path.read_bytes()))

    return made


def test_content_and_tool_calls_are_found_newest_first_with_their_job(database: Callable[..., Reader]) -> None:
    turns = list(sessions.search(database(), ["harbor"]))
    assert [(turn.session_id, turn.job_id, turn.role) for turn in turns] == [
        ("s2", "", "assistant"),
        ("s1", JOB, "assistant"),
    ]
    assert turns[0].text.startswith("The HARBOR plan")
    assert len(turns[0].text) == sessions.AROUND
    assert turns[1].at.isoformat() == "2026-11-28T03:25:24.500000+00:00"


def test_all_words_must_be_there(database: Callable[..., Reader]) -> None:
    assert [turn.session_id for turn in sessions.search(database(), ["HARBOR", "budget"])] == ["s1"]
    assert list(sessions.search(database(), ["harbor", "nowhere"])) == []


def test_a_commit_without_sessions_says_so() -> None:
    with pytest.raises(LookupError, match=r"state\.db"):
        list(sessions.search(cast(Reader, Commit(None)), ["x"]))


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + b"\0" * 5000])
def test_what_is_no_database_is_told_and_not_run(data: bytes) -> None:
    with pytest.raises(LookupError, match="cannot be read"):
        list(sessions.search(cast(Reader, Commit(data)), ["x"]))


def test_a_view_in_place_of_the_table_reads_nothing_else(database: Callable[..., Reader]) -> None:
    evil = "alter table messages rename to kept; create view messages as select load_extension('/tmp/evil.so') as role;"
    with pytest.raises(LookupError):
        list(sessions.search(database(evil), ["x"]))


def test_a_time_that_is_none_is_no_reason_to_fail(database: Callable[..., Reader]) -> None:
    rows: list[tuple[object, ...]] = [("s1", "user", "Harbor", None, "soon")]
    assert [turn.at.year for turn in sessions.search(database(rows=rows), ["harbor"])] == [1970]
