"""The Brain port over the local index.

The database can always be rebuilt from the files under ``brain/``, so a damaged one is simply removed: the index stage
sees that pages are missing and imports them all.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import consumer
from consumer import layout
from consumer.agent.localbrain.store import BrainStore, opened
from consumer.errors import BrainRefused, ToolFailed
from consumer.evidence import pages
from consumer.ports import Guard, IndexCounts, McpCommand, ModelAccess

VERSION: Final = "1.0.0"
DATABASE: Final = f"{layout.GBRAIN_HOME}/.localbrain/brain.sqlite"
#: Pages between two checks of the guard.
_BATCH: Final = 50


def refuse_local(mode: str, profile: str) -> None:
    """The local brain replaces GBrain on a single machine only.

    Raises:
        BrainRefused: ``mode`` is not local.
    """
    if mode != "local":
        raise BrainRefused(
            f"the local brain was requested in {mode} mode, profile {profile}; it works in local mode only"
        )


class LocalBrain:
    """Implements consumer.ports.Brain."""

    name = "local"
    embeds = False

    def version(self) -> str:
        return f"local {VERSION} (SQLite {sqlite3.sqlite_version})"

    def open(self, root: Path, guard: Guard) -> None:
        """Create the database; replace a damaged one. Repeatable."""
        guard.check()
        path = root / DATABASE
        path.with_name(path.name + "-journal").unlink(missing_ok=True)
        try:
            with opened(path) as store:
                sound = store.check() == "ok"
        except sqlite3.DatabaseError:
            sound = False
        if not sound:
            path.unlink(missing_ok=True)
            with opened(path):
                pass

    def update(
        self,
        root: Path,
        changed: Sequence[str],
        deleted: Sequence[str],
        guard: Guard,
        access: ModelAccess | None = None,
    ) -> IndexCounts:
        """Update in one transaction, all or nothing. Repeatable. Raises ToolFailed and the guard's errors."""
        skipped: dict[str, str] = {}
        imported = unchanged = removed = 0
        try:
            with opened(root / DATABASE) as store:
                for number, path in enumerate(sorted(set(changed))):
                    if number % _BATCH == 0:
                        guard.check()
                    reason = _import(store, root, path)
                    imported += reason is None
                    unchanged += reason == "unchanged"
                    if reason not in (None, "unchanged"):
                        skipped[path] = str(reason)
                removed = sum(store.delete(pages.slug_of(path)) for path in sorted(set(deleted)))
                counts = store.counts()
        except sqlite3.Error as exc:
            raise ToolFailed(f"local brain: {type(exc).__name__} while importing {len(changed)} pages") from exc
        return IndexCounts(imported, unchanged, removed, counts.pages, counts.links, 0, skipped)

    def mcp(self, root: Path) -> McpCommand:
        """This package's server, run by this interpreter.

        ``-P`` keeps the agent's working folder out of the module path; PYTHONPATH names this package's folder.
        """
        arguments = ("-P", "-m", "consumer.agent.localbrain", "--db", str(root / DATABASE))
        home = Path(consumer.__file__).parent.parent
        return McpCommand(
            command=sys.executable,
            args=(*arguments, "--brain", str(root / layout.BRAIN)),
            env={"PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
        )

    def close(self, root: Path, guard: Guard) -> None:
        """Raises ToolFailed when another process still holds the database."""
        guard.check()
        try:
            with opened(root / DATABASE) as store:
                store.connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as exc:
            raise ToolFailed("local brain: the database is still held by another process") from exc


def _import(store: BrainStore, root: Path, path: str) -> str | None:
    """None: imported; otherwise "unchanged" or the reason it was skipped."""
    if not pages.importable(path):
        return "a name that brains never import"
    try:
        page = pages.parse(pages.slug_of(path), (root / layout.BRAIN / path).read_bytes())
    except OSError as exc:
        return f"cannot be read: {type(exc).__name__}"
    except pages.PageError as exc:
        return str(exc)
    return None if store.put(page) else "unchanged"
