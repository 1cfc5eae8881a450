"""Runs GBrain's commands and reads their results.

A command's status field is always "success"; only the return code, the error count and the lines on stderr show a
failure. Its JSON is the last thing on stdout, after any other output.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from consumer.agent.gbrain.home import Home
from consumer.errors import ToolFailed
from consumer.ports import Guard, ModelAccess, Tool, ToolResult

SOURCE: Final = "cloop-user"
#: Before a model's name: GBrain's provider that speaks chat completions, as the gateway does. Its provider ``openai``
#: speaks the newer Responses API.
CHAT: Final = "litellm:"
#: Switches off bun's optimizing WebAssembly compiler, in which GBrain's database runs. A process that runs for a few
#: seconds ends before the optimized code pays off, and takes a quarter less processor time without it.
SHORT_LIVED: Final = "BUN_JSC_useOMGJIT"
PATH: Final = "/usr/local/bin:/usr/bin:/bin"
#: GBrain starts in a folder that no agent can write to: bun reads .env and bunfig.toml from the working folder, and
#: bunfig.toml runs code.
SAFE_FOLDER: Final = Path("/")
#: Enough for a line per page when a large import is refused entirely.
OUTPUT_BYTES: Final = 8 * 1024 * 1024
_REFUSED: Final = re.compile(r"^\s*(?:Skipped|Warning: skipped) (?!\()(.+?\.md): (.+)$", re.MULTILINE)
_MALFORMED: Final = re.compile(r"^\s*Skipped \(malformed filename[^)]*\): (.+)$", re.MULTILINE)
#: Parts of a failed command's output that may be logged: causes from closed vocabularies. The rest can quote a page.
_CAUSES: Final = re.compile(r"\b(?:E[A-Z]{2,14}|HTTP \d{3}|SQLSTATE [0-9A-Z]{5})\b")
_ERRNO: Final = frozenset(errno.errorcode.values())
#: The most causes in a message.
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Imported:
    """An import's own report. ``failed``: pages had errors, or there is no report."""

    total: int
    imported: int
    skipped: int
    reasons: Mapping[str, str] = field(default_factory=dict)
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Cli:
    """``path`` is the PATH that GBrain's processes get."""

    tool: Tool
    binary: str
    path: str = PATH

    def run(
        self,
        home: Home,
        arguments: Sequence[str],
        guard: Guard,
        *,
        timeout_s: float,
        source: bool = True,
        access: ModelAccess | None = None,
        chat: str = "",
        bulk: bool = False,
    ) -> ToolResult:
        """Run one command, whatever it returns. ``chat``: the model that it may ask with ``access``. ``bulk``: it works
        on so many pages that optimized code pays off.

        Raises ToolFailed (cannot start, out of time), the guard's errors.
        """
        self.prepare(home)
        return self.tool.run(
            [self.binary, *arguments],
            cwd=SAFE_FOLDER,
            env={
                **self.environment(home, source=source, access=access, chat=chat),
                **({} if bulk else {SHORT_LIVED: "0"}),
            },
            timeout_s=min(timeout_s, guard.time_left()),
            guard=guard,
            output_bytes=OUTPUT_BYTES,
            writable=[home.folder],
            readable=[home.root],
            reach=[access.port] if access else (),
        )

    def prepare(self, home: Home) -> None:
        """Before a GBrain process starts in this home."""
        if self.tool.contained:
            # A lock's process id would mean one of the new process's own kind, which lives.
            home.clear_left()
        home.prepare_scratch()

    def ask(self, home: Home, arguments: Sequence[str], guard: Guard, *, timeout_s: float, source: bool = True) -> Any:
        """Run one command that must succeed; returns the JSON at the end of its output. Raises ToolFailed."""
        result = self.run(home, arguments, guard, timeout_s=timeout_s, source=source)
        if result.returncode:
            raise failed(arguments, result)
        document = last_json(result.stdout)
        if document is None:
            raise ToolFailed(f"gbrain {arguments[0]}: no JSON in {len(result.stdout)} bytes of output")
        return document

    def environment(
        self, home: Home, *, source: bool = True, access: ModelAccess | None = None, chat: str = ""
    ) -> dict[str, str]:
        """A GBrain process's whole environment. Its model key is the job's gateway token, given only for embedding and
        for dreams.
        """
        variables = {
            "PATH": self.path,
            "HOME": str(home.scratch / "home"),
            "TMPDIR": str(home.scratch / "tmp"),
            "LANG": "C.UTF-8",
            "GBRAIN_HOME": str(home.folder),
            "GBRAIN_SKIP_STARTUP_HOOKS": "1",
            "GBRAIN_MODEL_DISCOVERY": "off",
        }
        if source:
            variables["GBRAIN_SOURCE"] = SOURCE
        if access:
            variables |= {"OPENAI_API_KEY": access.token, "OPENAI_BASE_URL": access.base_url}
        if access and chat:
            variables |= {"LITELLM_API_KEY": access.token, "LITELLM_BASE_URL": access.base_url}
            variables["GBRAIN_MODEL"] = CHAT + chat
        return variables


def failed(arguments: Sequence[str], result: ToolResult) -> ToolFailed:
    """The error for a command that returned non-zero; for ledger, dead letter and log, so without the tool's output."""
    sizes = f"{len(result.stdout)} bytes on stdout, {len(result.stderr)} on stderr"
    named = "".join(f"; {cause}" for cause in causes(result.stderr or result.stdout))
    return ToolFailed(f"gbrain {arguments[0]} ended with code {result.returncode} ({sizes}{named})")


def causes(output: bytes) -> list[str]:
    """The last system errors, HTTP statuses and SQL states in a tool's output, without the surrounding text."""
    named = _CAUSES.findall(output.decode("utf-8", "replace"))
    specific = [cause for cause in named if " " in cause or cause in _ERRNO]
    return list(dict.fromkeys(reversed(specific)))[:_NAMED]


def read_import(result: ToolResult) -> Imported:
    """An import's result, page by page. Raises ToolFailed if the output has no summary."""
    if result.returncode:
        raise failed(["import"], result)
    summary = last_json(result.stdout)
    counts = ("imported", "skipped", "errors")
    if not isinstance(summary, dict) or not all(isinstance(summary.get(name), int) for name in counts):
        raise ToolFailed("gbrain import: its last line is not the summary that version 0.46 prints")
    log = result.stderr.decode("utf-8", "replace")
    reasons = {match[1]: match[2].strip() for match in _REFUSED.finditer(log)}
    reasons |= {match[1].strip(): "malformed file name" for match in _MALFORMED.finditer(log)}
    total, failed_pages = int(summary.get("total_files", -1)), bool(summary["errors"])
    return Imported(total, summary["imported"], summary["skipped"], reasons, failed_pages)


def last_json(output: bytes) -> Any:
    """The JSON object or array at the end of stdout, over one or several lines; None without one."""
    lines = output.decode("utf-8", "replace").rstrip().split("\n")
    for number in range(len(lines) - 1, -1, -1):
        if not lines[number].startswith(("{", "[")):
            continue
        for text in (lines[number], "\n".join(lines[number:])):
            try:
                return orjson.loads(text)
            except orjson.JSONDecodeError:
                continue
    return None
