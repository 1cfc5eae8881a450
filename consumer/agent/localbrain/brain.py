"""
The Brain port over the evidence index (consumer.evidence.search). The local brain has no index of its own.

An agent may write notes, which the sealed index cannot take while it works. They go into a copy of the index in the
brain's own folder, which lasts until the brain is closed; the next run's index stage reads the notes from their files.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

import consumer
from consumer import layout
from consumer.errors import BrainRefused, ToolFailed
from consumer.evidence import search
from consumer.ports import DreamModel, Dreamt, Guard, IndexCounts, McpCommand, ModelAccess

VERSION: Final = "2.0.0"
#: The folder of the copy with an agent's notes; earlier releases kept an index of their own in it.
HOME: Final = f"{layout.GBRAIN_HOME}/.localbrain"
COPY: Final = f"{HOME}/search-index.sqlite"


def refuse_local(mode: str, profile: str) -> None:
    """The local brain replaces GBrain on a single machine only. Raises BrainRefused: ``mode`` is not local."""
    if mode != "local":
        raise BrainRefused(
            f"the local brain was requested in {mode} mode, profile {profile}; it works in local mode only"
        )


class LocalBrain:
    """Implements consumer.ports.Brain. ``embedding_model``: embeds the agent's questions; "": words alone count."""

    name = "local"
    embeds = False
    keeps_pages = False
    #: It starts no program.
    contained = True

    def __init__(self, embedding_model: str = "") -> None:
        self.embedding_model = embedding_model

    def version(self) -> str:
        return f"local {VERSION} (SQLite {sqlite3.sqlite_version})"

    def open(self, root: Path, guard: Guard) -> None:
        """Forget the notes of an agent that was killed. Repeatable."""
        self.close(root, guard)

    def update(
        self,
        root: Path,
        changed: Sequence[str],
        deleted: Sequence[str],
        guard: Guard,
        access: ModelAccess | None = None,
        *,
        shown: Mapping[str, bytes] = MappingProxyType({}),
    ) -> IndexCounts:
        """Update the evidence index, all or nothing. Repeatable. Raises ToolFailed and the guard's errors."""
        try:
            made = search.change(root, changed, deleted, guard)
        except (sqlite3.Error, OSError) as exc:
            raise ToolFailed(f"local brain: {type(exc).__name__} while importing {len(changed)} pages") from exc
        return IndexCounts(made.put, made.same, made.removed, made.pages, made.links, 0, made.skipped)

    def mcp(self, root: Path, view: Path | None = None) -> McpCommand:
        """This package's server, run by this interpreter. ``view``: a folder with pages and an index of its own.

        ``-P`` keeps the agent's working folder out of the module path; PYTHONPATH names this package's folder.
        """
        seen = view or root
        arguments: tuple[str, ...] = ("-P", "-m", "consumer.agent.localbrain")
        arguments += ("--index", str(seen / layout.SEARCH_INDEX), "--notes", str(root / COPY))
        arguments += ("--brain", str(seen / layout.BRAIN))
        env = {"PYTHONPATH": str(Path(consumer.__file__).parent.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        if self.embedding_model:
            arguments += ("--embedding-model", self.embedding_model)
            env |= {"OPENAI_API_KEY": "${OPENAI_API_KEY}", "OPENAI_BASE_URL": "${OPENAI_BASE_URL}"}
        return McpCommand(command=sys.executable, args=arguments, env=env)

    def dream(
        self, root: Path, given: Sequence[str], model: DreamModel, guard: Guard, *, shown: Mapping[str, bytes]
    ) -> Dreamt:
        """None: all that the index holds is made from the pages anew, whenever they change."""
        return Dreamt()

    def forget(self, root: Path) -> None:
        """Nothing to drop but the copy with an agent's notes."""
        shutil.rmtree(root / HOME, ignore_errors=True)

    def close(self, root: Path, guard: Guard) -> None:
        """Remove the copy with an agent's notes. Repeatable."""
        guard.check()
        shutil.rmtree(root / HOME, ignore_errors=True)
