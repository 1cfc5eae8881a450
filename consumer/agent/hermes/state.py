"""Files of a Hermes run in HERMES_HOME: session and usage in state.db, the log, and files that must be removed."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, Literal

from consumer.agent import agentfolders
from consumer.ports import AgentStep
from consumer.repository.descriptors import Opened
from contract.api import Usage

STATE: Final = "state.db"
LOG: Final = "logs/agent.log"
#: Bytes of one run's log that are read; a run of 60 turns writes about 60 KB.
LOG_BYTES: Final = 4 * 1024 * 1024
#: Files kept in HERMES_HOME between runs; config.yaml is rewritten before each run.
KEPT_FOLDERS: Final = frozenset({"logs", "sessions", "skills", "plugins", "cron"})
KEPT: Final = KEPT_FOLDERS | {STATE, f"{STATE}-wal", f"{STATE}-shm", "config.yaml"}
#: A log in the workspace that grows beyond this is cut to half of it.
LOG_KEPT_BYTES: Final = 2 * 1024 * 1024
#: Instructions of SQLite between two counts, and counts, of one look into a home's database: some half a minute.
SQL_STEP: Final = 1_000_000
SQL_STEPS: Final = 2_000
#: Sessions that stay searchable, and how many of the newest keep their tools' results (about 2 MB per backfill).
SESSIONS: Final = 200
WHOLE_SESSIONS: Final = 2
DROPPED: Final = "[dropped: see the page]"
REGISTERED: Final = re.compile(r"MCP: registered (\d+) tool")
TURN: Final = "conversation turn:"
#: Only the head of a line is read: the rest of a failed call's line repeats the tool's output.
STEP: Final = re.compile(
    r"^(\S+ \S+) \w+ .*?agent\.tool_executor: [Tt]ool (\w+) (completed|failed|cancelled|returned error) \((\d+\.\d+)s",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class HermesSession:
    session_id: str = ""
    usage: Usage = field(default_factory=Usage)
    tool_calls: int = 0


def read_session(home: Path, stderr: bytes) -> HermesSession:
    """The session that Hermes named on stderr, or its newest; empty if there is none."""
    named = re.findall(rb"session_id:\s*(\S+)", stderr)
    # An agent may have written its values: a count may be text.
    refused = (sqlite3.Error, ValueError, TypeError, OverflowError)
    with contextlib.suppress(*refused), contextlib.closing(_connect(home / STATE)) as database:
        where, values = ("id = ?", (named[-1].decode(),)) if named else ("1 ORDER BY started_at DESC LIMIT 1", ())
        row = database.execute(
            "SELECT id, input_tokens, cache_read_tokens, output_tokens, api_call_count, tool_call_count"
            f" FROM sessions WHERE {where}",
            values,
        ).fetchone()
        if row:
            counts = [int(value or 0) for value in row[1:]]
            usage = Usage(input_tokens=counts[0] + counts[1], output_tokens=counts[2], requests=counts[3])
            return HermesSession(str(row[0]), usage, counts[4])
    return HermesSession()


def sweep(home: Path) -> None:
    """Remove everything from the home that could steer the next run.

    Hermes reads ``.env`` (which overrides the environment), SOUL.md, hooks, cached prompts and more from it, and an
    agent with a terminal can write all of them. Only history and the folders that the seal watches are kept. Raises
    OSError where something cannot be removed.
    """
    agentfolders.reclaim(home)
    for entry in home.iterdir():
        if entry.name in KEPT and not entry.is_symlink() and entry.is_dir() == (entry.name in KEPT_FOLDERS):
            continue
        agentfolders.remove(entry)


def clean(home: Path) -> None:
    """Prepare the home for a snapshot: bound its size, fold in the WAL, remove request dumps (with parts of tokens)."""
    agentfolders.reclaim(home)
    for entry in home.iterdir():
        # Never follow an agent's link to another file.
        if entry.is_symlink():
            entry.unlink()
    if (home / STATE).exists():
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_connect(home / STATE)) as database:
            _retain(database)
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for dump in home.glob("sessions/request_dump_*"):
        dump.unlink(missing_ok=True)
    for log in home.glob("logs/*.log"):
        _cut(log)


def _retain(database: sqlite3.Connection) -> None:
    """Drop old sessions, and the tools' results of all but the newest: they are copies of pages, which are kept."""
    ranked = "SELECT id FROM sessions ORDER BY started_at DESC, id DESC LIMIT -1 OFFSET ?"
    with database:
        dropped = database.execute(
            f"UPDATE messages SET content = ? WHERE role = 'tool' AND content <> ? AND session_id IN ({ranked})",
            (DROPPED, DROPPED, WHOLE_SESSIONS),
        ).rowcount
        old = [row[0] for row in database.execute(ranked, (SESSIONS,))]
        for table, column in (("messages", "session_id"), ("session_model_usage", "session_id"), ("sessions", "id")):
            database.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(session,) for session in old])
        for index in ("messages_fts", "messages_fts_trigram") if dropped or old else ():
            # A full-text index keeps deleted text until its segments are merged.
            database.execute(f"INSERT INTO {index}({index}) VALUES ('optimize')")
    free, pages = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
    if free * 4 > pages:
        database.execute("VACUUM")


def _cut(log: Path) -> None:
    """Keep the end of a log, from the start of a line."""
    if log.is_symlink() or log.stat().st_size <= LOG_KEPT_BYTES:
        return
    with log.open("rb") as file:
        file.seek(-LOG_KEPT_BYTES // 2, 2)
        kept = file.read().partition(b"\n")[2]
    log.write_bytes(kept)


def read_left(path: Path, folder: int | None = None) -> BinaryIO:
    """Open a file that an agent left. Raises OSError, also for a link, and for a pipe, which could block for ever.

    ``folder``: descriptor of the open folder that a relative path is in.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return os.fdopen(descriptor, "rb")


@contextlib.contextmanager
def folder_left(path: Path) -> Iterator[int]:
    """The descriptor of a folder that an agent left. Raises OSError, also for a link."""
    with Opened(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY) as descriptor:
        yield descriptor


def log_size(home: Path) -> int:
    try:
        return (home / LOG).stat().st_size
    except OSError:
        return 0


def read_log(home: Path, start: int) -> str:
    """This run's part of the log; the whole log if Hermes rotated it meanwhile."""
    try:
        with read_left(home / LOG) as file:
            file.seek(start if log_size(home) >= start else 0)
            return file.read(LOG_BYTES).decode(errors="replace")
    except OSError:
        return ""


def turn_began(log: str) -> bool:
    return TURN in log


def tools_registered(log: str) -> bool:
    """Whether the brain's tools were registered before the conversation began: the model never sees later ones."""
    before, turn, _ = log.partition(TURN)
    return bool(turn) and any(int(count) > 0 for count in REGISTERED.findall(before))


def steps(log: str) -> tuple[AgentStep, ...]:
    """The tool calls of a run, in the order in which they ended."""
    return tuple(
        AgentStep(at, tool, _OUTCOMES[outcome], float(seconds)) for at, tool, outcome, seconds in STEP.findall(log)
    )


_OUTCOMES: Final[dict[str, Literal["completed", "failed", "cancelled"]]] = {
    "completed": "completed",
    "failed": "failed",
    "returned error": "failed",
    "cancelled": "cancelled",
}


def activity(home: Path, output: Path) -> tuple[tuple[int, int], ...]:
    """A value that changes whenever Hermes logs, writes its session or its artifact."""
    changes = []
    for path in (home / LOG, home / STATE, home / f"{STATE}-wal", output):
        with contextlib.suppress(OSError):
            status = path.lstat()
            changes.append((status.st_size, status.st_mtime_ns))
    return tuple(changes)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=5.0)
    # A view or trigger from an agent could run for ever.
    steps = itertools.count(1)
    database.set_progress_handler(lambda: next(steps) > SQL_STEPS, SQL_STEP)
    return database
