"""A brain's MCP server as an agent starts it, for benchmarks that ask what its tools find."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import orjson

from consumer import layout
from consumer.agent.gbrain.brain import GBrain
from consumer.agent.gbrain.home import Home
from consumer.agent.process import ProcessTool
from consumer.ports import McpCommand, ModelAccess, ToolResult
from service.clock import SystemClock
from tests import minilm
from tests.fake_export import OpenGuard

#: The tools that search, in the order in which the skills tell an agent to ask them.
SEARCHES: Final = ("evidence_search", "search", "query")
#: Numbers of a vector that the MiniLM serves to GBrain, which takes no fewer from an OpenAI-compatible provider and
#: names no length in its requests.
NUMBERS: Final = 512
_CLIENT: Final = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class BrainServer:
    """Calls of tools, one after the other."""

    def __init__(self, command: McpCommand) -> None:
        self._process = subprocess.Popen(
            [command.command, *command.args],
            env=dict(command.env),
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        self._request("initialize", _CLIENT)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(timeout=60)

    def rows(self, tool: str, **arguments: object) -> list[dict[str, Any]]:
        """The rows that a search answers with. Raises AssertionError if the tool refuses."""
        result = self._request("tools/call", {"name": tool, "arguments": arguments})
        text = result["content"][0]["text"]
        assert not result.get("isError"), f"{tool}: {text}"
        document = orjson.loads(text)
        rows: list[dict[str, Any]] = document["results"] if isinstance(document, dict) else document
        return rows

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(orjson.dumps(message) + b"\n")
        self._process.stdin.flush()

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout
        for line in self._process.stdout:
            answer = orjson.loads(line)
            if answer.get("id") == self._number:
                result: dict[str, Any] = answer["result"]
                return result
        raise AssertionError(f"the brain ended before it answered {method}")


@dataclass(frozen=True)
class PatientTool:
    """A tool whose commands get ten times their time: a busy machine does not change what they find."""

    inner: ProcessTool

    @property
    def contained(self) -> bool:
        return self.inner.contained

    def run(self, argv: Sequence[str], *, timeout_s: float, **given: Any) -> ToolResult:
        return self.inner.run(argv, timeout_s=10 * timeout_s, **given)


def new_brain(binary: str, access: ModelAccess | None = None) -> GBrain:
    """A GBrain with long time limits for its commands. ``access``: it embeds with MiniLM."""
    clock = SystemClock()
    model: dict[str, Any] = {"embedding_model": minilm.MODEL, "embedding_dimensions": NUMBERS} if access else {}
    evidence_model = minilm.MODEL if access else ""
    return GBrain(PatientTool(ProcessTool(clock)), binary, clock, evidence_model=evidence_model, **model)


def gbrain(root: Path, binary: str, access: ModelAccess | None = None) -> BrainServer:
    """A new GBrain with the pages in ``root``, beside the evidence index that is there.

    ``access``: a MiniLM (``tests.minilm``) with which GBrain embeds pages and questions, and the index embeds
    questions. Prints GBrain's counts of links, timeline entries and embeddings. Raises AssertionError if links,
    timeline or embeddings are missing.
    """
    guard, brain = OpenGuard(), new_brain(binary, access)
    brain.open(root, guard)
    files = (root / layout.BRAIN).rglob("*.md")
    given = sorted(path.relative_to(root / layout.BRAIN).as_posix() for path in files)
    counts = brain.update(root, given, [], guard, access)
    stats = brain.cli.ask(Home(root), ["call", "get_stats", "{}"], guard, timeout_s=600)
    print(
        f"gbrain {brain.version()}: {stats['page_count']} pages, {stats['link_count']} links, "
        f"{stats['timeline_entry_count']} timeline entries, {stats['embedded_count']} of {stats['chunk_count']} "
        f"chunks embedded {' '.join(counts.notes)}"
    )
    assert stats["link_count"], "GBrain extracted no link from the pages"
    assert stats["timeline_entry_count"], "GBrain extracted no timeline entry from the pages"
    assert not access or stats["embedded_count"] == stats["chunk_count"], "GBrain did not embed every chunk"
    return serve(brain, root, access)


def serve(brain: GBrain, root: Path, access: ModelAccess | None = None) -> BrainServer:
    """The server of a brain that has its pages."""
    command = brain.mcp(root)
    env = dict(command.env)
    if access:
        env |= {"OPENAI_API_KEY": access.token, "OPENAI_BASE_URL": access.base_url}
    return BrainServer(replace(command, env=env))


def together(answers: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """What an agent has read after these answers: each page once, where it came first."""
    rows: dict[str, dict[str, Any]] = {}
    for row in (row for answer in answers for row in answer):
        rows.setdefault(row["slug"], row)
    return list(rows.values())
