"""Topics, subscriptions and unacked messages in SQLite, with group commit.

Statements submitted while a transaction is written share the next one, so that a busy server makes one commit per batch
and an idle one makes one commit per message. WAL with synchronous=NORMAL survives a crash of the process, but not a
power failure.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS topic (name TEXT PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS subscription (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS backlog (
    subscription INTEGER NOT NULL, message INTEGER NOT NULL, published REAL NOT NULL, attempt INTEGER NOT NULL,
    acked INTEGER NOT NULL DEFAULT 0, body BLOB NOT NULL,
    PRIMARY KEY (subscription, message)
) WITHOUT ROWID;
"""
_ADD = "INSERT INTO backlog (subscription, message, published, attempt, body) VALUES (?, ?, ?, 1, ?)"
_REMOVE = "DELETE FROM backlog WHERE subscription = ? AND message = ?"
_RETAIN = "UPDATE backlog SET acked = 1 WHERE subscription = ? AND message = ?"
_ATTEMPT = "UPDATE backlog SET attempt = ? WHERE subscription = ? AND message = ?"
_SEEK_BACK = "UPDATE backlog SET acked = 0, attempt = 1 WHERE subscription = ? AND published >= ?"
_SEEK_AWAY = "UPDATE backlog SET acked = 1 WHERE subscription = ? AND published < ?"
_UNACKED = "SELECT message, attempt, body FROM backlog WHERE subscription = ? AND acked = 0 ORDER BY message"
_EXPIRE = "DELETE FROM backlog WHERE subscription = ? AND published < ?"

Result = TypeVar("Result")
Statement = tuple[str, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One unacked message of a subscription."""

    message_id: int
    attempt: int
    body: bytes


class MessageStore:
    """The only user of the database file. Writes are submitted in order from one event loop."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.executescript(_SCHEMA)
        self._thread = ThreadPoolExecutor(1, "pubsub-store")
        self._pending: list[Statement] = []
        self._after: list[tuple[Callable[[], None], asyncio.Future[None]]] = []
        self._flush: asyncio.Task[None] | None = None

    # --- start-up ---

    def topics(self) -> list[bytes]:
        return [row[0] for row in self._db.execute("SELECT body FROM topic ORDER BY name")]

    def subscriptions(self) -> list[tuple[int, bytes]]:
        return list(self._db.execute("SELECT id, body FROM subscription ORDER BY id"))

    def last_message_id(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(message), 0) FROM backlog").fetchone()[0])

    def unacked(self, subscription: int) -> list[StoredMessage]:
        return [StoredMessage(*row) for row in self._db.execute(_UNACKED, (subscription,))]

    # --- topics and subscriptions: rare, so they wait for the disk ---

    async def put_topic(self, name: str, body: bytes) -> None:
        await self.commit([("INSERT OR REPLACE INTO topic VALUES (?, ?)", (name, body))])

    async def drop_topic(self, name: str) -> None:
        await self.commit([("DELETE FROM topic WHERE name = ?", (name,))])

    async def add_subscription(self, name: str, body: bytes) -> int:
        """The new subscription's number."""
        await self.commit([("INSERT INTO subscription (name, body) VALUES (?, ?)", (name, body))])
        number = await self._read("SELECT id FROM subscription WHERE name = ?", (name,))
        return int(number[0][0])

    async def put_subscription(self, number: int, body: bytes) -> None:
        await self.commit([("UPDATE subscription SET body = ? WHERE id = ?", (body, number))])

    async def drop_subscription(self, number: int) -> None:
        await self.commit(
            [
                ("DELETE FROM subscription WHERE id = ?", (number,)),
                ("DELETE FROM backlog WHERE subscription = ?", (number,)),
            ]
        )

    # --- messages: frequent, so they are grouped ---

    def add(self, subscription: int, message_id: int, published: float, body: bytes) -> None:
        self.submit((_ADD, (subscription, message_id, published, body)))

    def acked(self, subscription: int, message_id: int, *, retain: bool) -> None:
        self.submit((_RETAIN if retain else _REMOVE, (subscription, message_id)))

    def attempted(self, subscription: int, message_id: int, attempt: int) -> None:
        self.submit((_ATTEMPT, (attempt, subscription, message_id)))

    async def seek(self, subscription: int, published: float) -> list[StoredMessage]:
        """Everything before this time becomes acked, everything since becomes unacked; the unacked ones."""
        await self.commit([(_SEEK_AWAY, (subscription, published)), (_SEEK_BACK, (subscription, published))])
        rows = await self._read(_UNACKED, (subscription,))
        return [StoredMessage(*row) for row in rows]

    def expire(self, subscription: int, published: float) -> None:
        """Forget what was published before this time, acked or not."""
        self.submit((_EXPIRE, (subscription, published)))

    def submit(self, statement: Statement) -> None:
        """Write soon, in order."""
        self._pending.append(statement)
        self._kick()

    def when_durable(self, then: Callable[[], None]) -> asyncio.Future[None]:
        """Call back, in order, once everything submitted so far is on disk; done after that, or failed with the disk's
        own sqlite3.Error."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._after.append((then, done))
        self._kick()
        return done

    async def commit(self, statements: Iterable[Statement] = ()) -> None:
        """Submit, and wait until it is on disk. Raises sqlite3.Error."""
        self._pending.extend(statements)
        await self.when_durable(_nothing)

    async def close(self) -> None:
        await self.commit()
        self._thread.shutdown()
        self._db.close()

    def _kick(self) -> None:
        if self._flush is None or self._flush.done():
            self._flush = asyncio.get_running_loop().create_task(self._write_all())

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._pending or self._after:
            batch, self._pending = self._pending, []
            after, self._after = self._after, []
            try:
                await loop.run_in_executor(self._thread, self._write, batch)
            except sqlite3.Error as exc:
                _fail(after, exc)
                continue
            for then, done in after:
                then()
                if not done.done():
                    done.set_result(None)

    def _write(self, batch: list[Statement]) -> None:
        if not batch:
            return
        execute = self._db.execute
        execute("BEGIN IMMEDIATE")
        try:
            for sql, values in batch:
                execute(sql, values)
            execute("COMMIT")
        except sqlite3.Error:
            execute("ROLLBACK")
            raise

    async def _read(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        read = self._db.execute
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: list(read(sql, values)))


def _nothing() -> None:
    return None


def _fail(after: list[tuple[Callable[[], None], asyncio.Future[None]]], error: sqlite3.Error) -> None:
    for _, done in after:
        if not done.done():
            done.set_exception(error)
            done.exception()  # somebody may wait for it, nobody has to
