"""Reading what Hermes leaves, and keeping it bounded."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from consumer.agent.hermes import state

#: The columns that we read or write, as Hermes 0.19.0 has them, with its full-text index.
SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at REAL, input_tokens INT, cache_read_tokens INT,
    output_tokens INT, api_call_count INT, tool_call_count INT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT);
CREATE TABLE session_model_usage (session_id TEXT, model TEXT);
CREATE VIRTUAL TABLE messages_fts USING fts5(content);
CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tokenize='trigram');
CREATE TRIGGER i AFTER INSERT ON messages BEGIN
    INSERT INTO messages_fts(rowid, content) VALUES (new.id, new.content); END;
CREATE TRIGGER d AFTER DELETE ON messages BEGIN DELETE FROM messages_fts WHERE rowid = old.id; END;
CREATE TRIGGER u AFTER UPDATE ON messages BEGIN DELETE FROM messages_fts WHERE rowid = old.id;
    INSERT INTO messages_fts(rowid, content) VALUES (new.id, new.content); END;
"""
LOG = """2026-11-28 02:23:41,550 INFO tools.mcp_tool: MCP: registered 7 tool(s) from 1 server(s)
2026-11-28 02:23:42,438 INFO [s] agent.turn_context: conversation turn: session=s
2026-11-28 02:23:42,737 INFO [s] agent.tool_executor: tool read_file completed (0.04s, 566 chars)
2026-11-28 02:23:43,805 INFO agent.tool_executor: tool mcp__gbrain__query failed (1.50s): private words
2026-11-28 02:23:44,805 WARNING [s] agent.tool_executor: Tool write_file returned error (0.01s): private words
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    (tmp_path / "sessions").mkdir()
    with sqlite3.connect(tmp_path / "state.db") as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.executescript(SCHEMA)
        for number in range(5):
            row = (f"s{number}", float(number), 10, 5, 3, 2, 1)
            database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            for role in ("user", "tool", "assistant"):
                database.execute(
                    "INSERT INTO messages (session_id, role, content) VALUES (?, ?, ?)",
                    (f"s{number}", role, f"{role} evidence{number} " * 500),
                )
    database.close()
    return tmp_path


def contents(home: Path, role: str) -> list[str]:
    with sqlite3.connect(home / "state.db") as database:
        rows = database.execute("SELECT content FROM messages WHERE role = ? ORDER BY id", (role,)).fetchall()
    database.close()
    return [row[0] for row in rows]


def test_session_by_name_and_newest_otherwise(home: Path) -> None:
    assert state.read_session(home, b"noise\nsession_id: s2\n").session_id == "s2"
    newest = state.read_session(home, b"")
    assert (newest.session_id, newest.usage.input_tokens, newest.usage.requests) == ("s4", 15, 2)
    assert newest.tool_calls == 1


def test_a_missing_or_broken_database_is_no_session(tmp_path: Path) -> None:
    assert state.read_session(tmp_path, b"") == state.HermesSession()
    (tmp_path / "state.db").write_bytes(b"not a database")
    assert state.read_session(tmp_path, b"") == state.HermesSession()
    state.clean(tmp_path)


def test_old_sessions_lose_tool_results_then_themselves(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "SESSIONS", 3)
    monkeypatch.setattr(state, "WHOLE_SESSIONS", 1)
    size = (home / "state.db").stat().st_size
    state.clean(home)
    tools = contents(home, "tool")
    assert tools[:2] == [state.DROPPED] * 2
    assert "evidence4" in tools[2]
    assert len(contents(home, "assistant")) == 3
    assert (home / "state.db").stat().st_size < size
    # Nothing of a dropped session is left in the file, not even on free pages or in the index.
    data = (home / "state.db").read_bytes()
    assert b"evidence0" not in data
    assert b"evidence4" in data


def test_a_clean_home_has_no_wal_and_no_dump(home: Path) -> None:
    (home / "sessions/request_dump_1.json").write_text("{}")
    state.clean(home)
    wal = home / "state.db-wal"
    assert not wal.exists() or wal.stat().st_size == 0
    assert not list(home.glob("sessions/*"))


def test_a_long_log_keeps_its_end(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "LOG_KEPT_BYTES", 100)
    (home / "logs/agent.log").write_text("".join(f"line {n}\n" for n in range(100)))
    (home / "logs/small.log").write_text("as it was\n")
    state.clean(home)
    text = (home / "logs/agent.log").read_text()
    assert text.endswith("line 99\n")
    assert text.startswith("line ")
    assert len(text) <= 50
    assert (home / "logs/small.log").read_text() == "as it was\n"


def test_steps_hold_no_content() -> None:
    steps = state.steps(LOG)
    assert [(step.tool, step.outcome, step.duration_s) for step in steps] == [
        ("read_file", "completed", 0.04),
        ("mcp__gbrain__query", "failed", 1.5),
        ("write_file", "failed", 0.01),
    ]
    assert "private" not in repr(steps)


def test_tools_count_only_if_they_were_there_before_the_conversation() -> None:
    first, second, *rest = LOG.splitlines(keepends=True)
    assert state.tools_registered(LOG)
    assert not state.tools_registered("".join((second, first, *rest)))
    assert not state.tools_registered(first)
    assert not state.tools_registered(LOG.replace("registered 7", "registered 0"))


def test_this_runs_part_of_the_log(home: Path) -> None:
    log = home / "logs/agent.log"
    log.write_text("earlier run\n")
    start = state.log_size(home)
    with log.open("a") as file:
        file.write("this run\n")
    assert state.read_log(home, start) == "this run\n"
    log.write_text("rotated\n")
    assert state.read_log(home, start) == "rotated\n"


@pytest.mark.parametrize("name", [".env", "SOUL.md", "hooks/x/handler.py", ".skills_prompt_snapshot.json"])
def test_nothing_stays_that_could_steer_the_next_run(home: Path, name: str) -> None:
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).write_text("OPENAI_BASE_URL=http://elsewhere")
    (home / "skills/s").mkdir(parents=True)
    state.sweep(home)
    assert sorted(path.name for path in home.iterdir()) == ["logs", "sessions", "skills", "state.db"]


def test_a_link_in_place_of_a_kept_folder_goes(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "precious").write_text("x")
    (home / "logs").rmdir()
    (home / "logs").symlink_to(elsewhere)
    state.sweep(home)
    assert not (home / "logs").exists()
    assert (elsewhere / "precious").exists()


def test_a_pipe_or_a_link_in_place_of_the_log_is_no_log(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A pipe would be waited for until the whole process is ended; a link leads to what an agent may not read."""
    os.mkfifo(home / state.LOG)
    assert state.read_log(home, 0) == ""
    (home / state.LOG).unlink()
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("secret")
    (home / state.LOG).symlink_to(secret)
    assert state.read_log(home, 0) == ""


@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_what_is_no_file_is_not_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "left"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(__file__)
    else:
        path.mkdir()
    with pytest.raises(OSError, match=r"regular|symbolic"):
        state.read_left(path)


def test_a_home_that_links_elsewhere_changes_nothing_there(
    home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "LOG_KEPT_BYTES", 10)
    other = tmp_path_factory.mktemp("elsewhere")
    (other / "agent.log").write_text("a line\n" * 20)
    (other / "request_dump_1").write_text("x")
    for name in ("logs", "sessions"):
        (home / name).rmdir()
        (home / name).symlink_to(other)
    state.clean(home)
    assert (other / "agent.log").read_text() == "a line\n" * 20
    assert (other / "request_dump_1").exists()


def test_a_count_that_is_none_is_no_session(home: Path) -> None:
    with sqlite3.connect(home / "state.db") as database:
        database.execute("UPDATE sessions SET input_tokens = 'many'")
    database.close()
    assert state.read_session(home, b"") == state.HermesSession()


def test_a_query_that_would_not_end_is_ended(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "SQL_STEPS", 5)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    with sqlite3.connect(home / "state.db") as database:
        database.execute("DROP TRIGGER u")
        database.execute(f"CREATE TRIGGER u AFTER UPDATE ON messages BEGIN SELECT ({endless}); END")
    database.close()
    state.clean(home)
