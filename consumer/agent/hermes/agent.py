"""Agent: Hermes Agent 0.19 as one subprocess per job, with the brain as its stdio MCP server.

Hermes's exit code proves little: it exits 0 for an empty answer, for its turn limit, and when the MCP server came too
late. So a run counts only if the log shows the brain's tools before the conversation and the artifact exists.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson
import yaml

from consumer import layout
from consumer.agent import agentfolders
from consumer.agent.hermes import state
from consumer.errors import SynthesisInvalid, ToolFailed
from consumer.ports import AgentResult, AgentTask, Guard, Tool, ToolResult
from consumer.reports.claims import FILE_BYTES
from consumer.run import NoDeadline
from contract.profile import MEMORY_TOOL

#: HOME and TMPDIR of Hermes and its terminal; removed after the run.
SCRATCH: Final = ".agent"
#: The MCP server's name in Hermes, and so its toolset's name, for every brain.
SERVER: Final = "gbrain"
#: A single model call may take minutes; after this time without a log line, session write or artifact, Hermes hangs.
STALL_S: Final = 240.0
#: Tells Hermes that it asked PyPI for updates a moment ago.
UPDATE_CHECK: Final = {"ts": 9999999999, "behind": 0, "rev": None, "ver": "0.19.0"}
#: Folders, besides Hermes's own, that the brain and the notes on derived pages are written to.
PLACES: Final = (layout.GBRAIN_HOME, *layout.DERIVED)
#: Files that Hermes obeys when its memory is on, if they are in the working folder or in a folder above it, up to the
#: root of a Git repository. No workspace has such a file; if one exists, a task with a memory is refused.
CONTEXT_FILES: Final = ("AGENTS.md", "agents.md", "CLAUDE.md", "claude.md", ".cursorrules", ".cursor")
CONTEXT_FILES_ABOVE: Final = (".hermes.md", "HERMES.md")
#: Folder of Hermes's memory in its home.
MEMORIES: Final = "memories"
#: Bytes of a memory file that are read back; Hermes's own limits are below 3,000 characters.
MEMORY_BYTES: Final = 64 * 1024
ENV_REFERENCE: Final = re.compile(r"^\$\{[A-Z_][A-Z0-9_]*\}$")


@dataclass(slots=True)
class HermesAgent:
    """``config``: templates/<version>/hermes-home/config.yaml. ``path``: the PATH of Hermes's terminal."""

    tool: Tool
    binary: str
    config: Mapping[str, Any]
    path: str = "/usr/local/bin:/usr/bin:/bin"
    stall_s: float = STALL_S
    _version: str = field(default="", init=False)

    def version(self) -> str:
        """``hermes <version>``, read once. Raises ToolFailed."""
        if not self._version:
            self._version = self._ask_version()
        return self._version

    def run(self, root: Path, task: AgentTask, guard: Guard) -> AgentResult:
        """See ports.Agent."""
        if task.memory is not None:
            _refuse_context_files(root, task)
        home = root / task.place / layout.HERMES_HOME
        scratch, output = root / task.place / SCRATCH, root / task.output
        self._prepare(home, scratch, output, task)
        follow = _Follow(home, output, state.log_size(home), task.job_id)
        result = ToolResult(0, b"", b"", 0.0)
        fault: ToolFailed | SynthesisInvalid | None = None
        try:
            result = self._chat(root, task, guard, follow, self._environment(home, scratch, output, task))
        except ToolFailed as exc:
            fault = exc
        finally:
            agentfolders.reclaim(home)
            log, session = follow.log(), state.read_session(home, result.stderr)
            memory = _memory_left(home, task)
            agentfolders.remove(scratch)
            state.clean(home)
            state.sweep(home)
        artifact = b""
        try:
            if fault is None and not state.tools_registered(log):
                raise _without_tools(task, result, log)
            artifact = _artifact(output, task, result, log)
        except (ToolFailed, SynthesisInvalid) as exc:
            fault = fault or exc
        if fault and not task.place:
            raise fault
        return AgentResult(
            session_id=session.session_id,
            usage=session.usage,
            tool_calls=session.tool_calls,
            duration_s=result.duration_s,
            artifact=artifact,
            steps=state.steps(log),
            memory=memory,
            fault=fault,
        )

    def _chat(self, root: Path, task: AgentTask, guard: Guard, progress: _Follow, env: Mapping[str, str]) -> ToolResult:
        """One session of Hermes, which reaches what the task names. Raises ToolFailed, and the guard's errors."""
        return self.tool.run(
            self._argv(task),
            cwd=root,
            env=env,
            timeout_s=min(task.timeout_s, guard.time_left()),
            guard=guard,
            progress=progress,
            stall_s=self.stall_s,
            reach=[task.access.port],
            readable=[root] if task.sees is None else [root / path for path in task.sees],
            writable=[root / path for path in _written(task)],
            hidden=[] if task.sees is None else [root],
        )

    def _ask_version(self) -> str:
        # Even this creates folders in its home, and checks PyPI for a newer version unless a recent check is recorded.
        with tempfile.TemporaryDirectory() as name:
            home = Path(name)
            (home / ".update_check").write_bytes(orjson.dumps(UPDATE_CHECK))
            env = {"PATH": self.path, "HOME": name, "HERMES_HOME": name}
            command = [self.binary, "--version"]
            result = self.tool.run(command, cwd=home, env=env, timeout_s=30, guard=NoDeadline(30), writable=[home])
        match = re.search(rb"Hermes Agent v(\d+\.\d+\.\d+)", result.stdout)
        if result.returncode or not match:
            raise ToolFailed(f"{self.binary} --version ended with code {result.returncode} and printed no version")
        return f"hermes {match[1].decode()}"

    def _argv(self, task: AgentTask) -> list[str]:
        own = (MEMORY_TOOL,) if task.memory is not None else ()
        toolsets = ",".join(dict.fromkeys((*task.toolsets, *own, SERVER)))
        return [
            *(self.binary, "chat", "-q", task.prompt, "-Q", "--provider", "openai", "--model", task.model),
            *("--toolsets", toolsets, "--max-turns", str(task.max_turns), "--source", "tool"),
            # The flag also switches off Hermes's memory. See CONTEXT_FILES.
            *(("--ignore-rules",) if task.memory is None else ()),
            # Into the system prompt: to load a skill by a tool would take a request more.
            *(("--skills", task.skill) if task.skill else ()),
        ]

    def _prepare(self, home: Path, scratch: Path, output: Path, task: AgentTask) -> None:
        agentfolders.remove(scratch)
        agentfolders.reclaim(home)
        for folder in (home, home / "logs", scratch / "tmp", output.parent):
            folder.mkdir(parents=True, exist_ok=True)
        state.sweep(home)
        output.unlink(missing_ok=True)
        (home / "config.yaml").write_text(yaml.safe_dump(self._config(task), sort_keys=True), encoding="utf-8")
        (home / ".update_check").write_bytes(orjson.dumps(UPDATE_CHECK))
        if task.memory is not None:
            (home / MEMORIES).mkdir()
            for name, data in task.memory.items():
                (home / MEMORIES / name).write_bytes(data)

    def _config(self, task: AgentTask) -> dict[str, Any]:
        server: dict[str, Any] = {
            "command": task.mcp.command,
            "args": list(task.mcp.args),
            "env": {name: _reference(name, value) for name, value in task.mcp.env.items()},
            "timeout": 60,
            "connect_timeout": 60,
            # Otherwise Hermes waits a second between two calls of one turn.
            "supports_parallel_tool_calls": True,
        }
        if task.brain_tools:
            server["tools"] = {"include": sorted(task.brain_tools)}
        model = {**self.config.get("model", {}), "default": task.model}
        # Hermes's background review of memories is for long sessions; it would call the model after each session.
        memory = {"memory_enabled": True, "user_profile_enabled": True, "nudge_interval": 0}
        own = {"memory": memory} if task.memory is not None else {}
        return {**self.config, **own, "model": model, "mcp_servers": {SERVER: server}}

    def _environment(self, home: Path, scratch: Path, output: Path, task: AgentTask) -> dict[str, str]:
        brain = {_private(name): value for name, value in task.mcp.env.items() if not ENV_REFERENCE.match(value)}
        return {
            **brain,
            "PATH": self.path,
            "HOME": str(scratch),
            "TMPDIR": str(scratch / "tmp"),
            "LANG": "C.UTF-8",
            "HERMES_HOME": str(home),
            "HERMES_WRITE_SAFE_ROOT": os.pathsep.join((str(output.parent), str(scratch))),
            "HERMES_DISABLE_LAZY_INSTALLS": "1",
            "OPENAI_BASE_URL": task.access.base_url,
            "OPENAI_API_KEY": task.access.token,
        }


@dataclass(slots=True)
class _Follow:
    """Watches a run: its progress, and that the brain's tools were registered before the conversation began."""

    home: Path
    output: Path
    start: int
    job_id: str
    began: bool = False

    def __call__(self) -> object:
        """A value that changes with progress. Raises ToolFailed as soon as Hermes calls the model without tools."""
        if not self.began:
            log = self.log()
            self.began = state.turn_began(log)
            if self.began and not state.tools_registered(log):
                raise ToolFailed(f"job {self.job_id}: the brain's MCP server gave Hermes no tools")
        return state.activity(self.home, self.output)

    def log(self) -> str:
        return state.read_log(self.home, self.start)


def _written(task: AgentTask) -> Sequence[str]:
    """Paths of the run folder that a task's tools may write: for a task with a ``place``, only that folder."""
    if task.place:
        return task.place, *task.mcp.writes
    own = (layout.HERMES_HOME, SCRATCH, task.output.rpartition("/")[0])
    # If the agent sees only some pages, it may write none.
    return *own, *(PLACES if task.sees is None else (layout.GBRAIN_HOME,))


def _refuse_context_files(root: Path, task: AgentTask) -> None:
    """Raises ToolFailed if there is a file that Hermes would read as instructions."""
    places = [root / name for name in CONTEXT_FILES]
    places += [folder / name for folder in (root, *root.resolve().parents) for name in CONTEXT_FILES_ABOVE]
    if any(place.exists() for place in places):
        names = ", ".join((*CONTEXT_FILES, *CONTEXT_FILES_ABOVE))
        raise ToolFailed(f"job {task.job_id}: a file that Hermes would obey is in or above the run folder ({names})")


def _memory_left(home: Path, task: AgentTask) -> dict[str, bytes]:
    """The files that can be read. A link is not followed, neither in a file's place nor in the folder's."""
    left: dict[str, bytes] = {}
    if not task.memory:
        return left
    with contextlib.suppress(OSError), state.folder_left(home / MEMORIES) as folder:
        for name in task.memory:
            with contextlib.suppress(OSError), state.read_left(Path(name), folder) as file:
                left[name] = file.read(MEMORY_BYTES)
    return left


def _private(name: str) -> str:
    """The variable that carries a brain variable through Hermes's environment without a clash of names."""
    return f"MCP_{SERVER.upper()}_{name}"


def _reference(name: str, value: str) -> str:
    # Keeps values out of the file: Hermes fills them in when it starts the server.
    return value if ENV_REFERENCE.match(value) else f"${{{_private(name)}}}"


def _without_tools(task: AgentTask, result: ToolResult, log: str) -> ToolFailed:
    """Tell a Hermes that did not start from one whose brain offered no tools: neither logs any."""
    fault = _fault(result, log)
    if result.returncode and not state.turn_began(log):
        return ToolFailed(f"job {task.job_id}: Hermes ended with code {result.returncode} before it began{fault}")
    return ToolFailed(f"job {task.job_id}: the brain's MCP server gave Hermes no tools{fault}")


def _artifact(output: Path, task: AgentTask, result: ToolResult, log: str) -> bytes:
    """The artifact's bytes: a regular file that the agent wrote, not a link out of the run folder."""
    try:
        file = state.read_left(output)
    except FileNotFoundError:
        fault = _fault(result, log)
        if result.returncode:
            raise ToolFailed(f"job {task.job_id}: Hermes ended with code {result.returncode}{fault}") from None
        raise SynthesisInvalid(f"job {task.job_id}: Hermes wrote no {task.output}{fault}") from None
    except OSError as exc:
        raise SynthesisInvalid(f"job {task.job_id}: {task.output} is not a regular file") from exc
    with file:
        return file.read(FILE_BYTES + 1)


def _fault(result: ToolResult, log: str) -> str:
    """The cause without content: HTTP status, turn reason, code."""
    status = re.search(r"(?:Error code:|HTTP) (\d{3})\b", result.stdout.decode(errors="replace") + log)
    reason = re.findall(r"Turn ended: reason=([a-z][a-z0-9_]{0,39})\b", log)
    parts = [f"the model answered {status[1]}"] if status else []
    parts += [f"its turn ended with {reason[-1]}"] if reason else []
    return f" ({'; '.join(parts)})" if parts else ""
