"""
``python -m consumer.agent.gbrain.fence --pages FOLDER --evidence INDEX GBRAIN serve ...``: GBrain's MCP server behind a
fence. FOLDER has the brain's pages.

GBrain lets every caller write every page, evidence included, and nothing detects a page that is wrong only in its
database. So each message of the agent passes this fence: reading tools pass, writing tools pass only for derived pages,
all others get a refusal. A message that passes is written anew from its parsed form, so that no two parsers can
disagree about it. Answers come back bounded (``consumer.agent.bounds``), and the tools are described in our own words,
which stay the same with every release of GBrain. One more tool, ``evidence_search``, is answered here from the evidence
index at INDEX: GBrain's own search finds less of what people wrote. A page that the agent wrote becomes a file here:
GBrain would need an absolute path in its database for that. The server starts in ``/``: bun would read and run files
that an agent left in its own folder.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

import orjson

from consumer import layout
from consumer.agent import bounds
from consumer.agent.bounds import AnswerBounds
from consumer.agent.localbrain.tools import EVIDENCE_SEARCH, TOOLS, ToolContext, call

READS: Final = frozenset(
    {
        *("search", "query", "get_page", "list_pages", "get_backlinks", "traverse_graph", "resolve_slugs", "recall"),
        *("entity", "context_pack", "delta", "get_recent_salience", "find_anomalies", "list_link_sources", "whoami"),
    }
)
WRITES: Final = frozenset({"put_page", "add_timeline_entry"})
#: Slug prefixes that an agent may write to.
DERIVED: Final = tuple(folder.removeprefix("brain/") + "/" for folder in layout.DERIVED)
#: ``evidence_search`` as it is listed.
_OWN: Final = (
    {
        "name": EVIDENCE_SEARCH,
        "description": TOOLS[EVIDENCE_SEARCH].description,
        "inputSchema": TOOLS[EVIDENCE_SEARCH].schema,
    },
)


def refusal(message: Any) -> str | None:
    """Why a message may not pass; None if it may. Only tool calls are checked."""
    if isinstance(message, list):
        return next((reason for reason in map(refusal, message) if reason), None)
    if not isinstance(message, dict):
        return "not a JSON-RPC message"
    params = message.get("params")
    return _judge(params if isinstance(params, dict) else {}) if message.get("method") == "tools/call" else None


def _judge(call: dict[str, Any]) -> str | None:
    name, arguments = call.get("name"), call.get("arguments")
    if name in READS:
        return None
    if name not in WRITES:
        return f"tool {str(name)[:64]!r} is not available to agents"
    slug = arguments.get("slug") if isinstance(arguments, dict) else None
    if not isinstance(slug, str) or not slug.startswith(DERIVED) or ".." in slug.split("/"):
        return f"you may not write {str(slug)[:200]!r}; write only pages below: {', '.join(DERIVED)}"
    return None


def answer(message: Any, reason: str) -> bytes:
    """The refusal as the call's result, which an agent reads like any other."""
    return _result(message, {"error": "permission_denied", "message": reason}, failed=True)


def _result(message: Any, document: Any, *, failed: bool) -> bytes:
    ident = message.get("id") if isinstance(message, dict) else None
    content = [{"type": "text", "text": orjson.dumps(document).decode()}]
    # Clients of later protocol versions want resultType; earlier ones ignore it.
    result = {"content": content, "isError": failed, "resultType": "complete"}
    return orjson.dumps({"jsonrpc": "2.0", "id": ident, "result": result}) + b"\n"


@dataclass(slots=True)
class FencedCalls:
    """The calls that wait for an answer, and the bounds of the answers. One thread asks, another answers.

    ``pages``: the folder for files of the pages that the agent writes; None: none is written.
    """

    pages: Path | None = None
    bounds: AnswerBounds = field(default_factory=AnswerBounds)
    #: What ``evidence_search`` searches; None: there is no such tool.
    evidence: ToolContext | None = None
    _waiting: dict[Any, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def asked(self, message: Any) -> Any:
        """A message of the agent that may pass, as the server gets it."""
        if isinstance(message, list):
            return [self.asked(part) for part in message]
        if not isinstance(message, dict) or message.get("method") not in ("tools/call", "tools/list"):
            return message
        params = message.get("params")
        call = params if isinstance(params, dict) else {}
        given = call.get("arguments")
        arguments = given if isinstance(given, dict) else {}
        name = str(call.get("name", ""))
        with self._turn:
            self._waiting[message.get("id")] = (name, arguments)
        if message["method"] == "tools/list":
            return message
        return {**message, "params": {**call, "arguments": bounds.request(name, arguments)}}

    def evidence_answer(self, message: Any) -> bytes | None:
        """The answer to a call of ``evidence_search``; None for any other message."""
        params = message.get("params") if isinstance(message, dict) else None
        if not self.evidence or not isinstance(params, dict) or message.get("method") != "tools/call":
            return None
        if params.get("name") != EVIDENCE_SEARCH:
            return None
        given = params.get("arguments")
        document, failed = call(self.evidence, EVIDENCE_SEARCH, given if isinstance(given, dict) else {})
        return _result(message, document, failed=failed)

    def answered(self, message: Any) -> Any:
        """A message of the server, as the agent gets it."""
        if isinstance(message, list):
            return [self.answered(part) for part in message]
        result = message.get("result") if isinstance(message, dict) else None
        if not isinstance(result, dict):
            return message
        with self._turn:
            name, arguments = self._waiting.pop(message.get("id"), ("", {}))
            if isinstance(result.get("tools"), list):
                listed = [_described(tool) for tool in result["tools"]]
                # At the end of the last part of the list.
                listed += _OWN if self.evidence and not result.get("nextCursor") else ()
                return {**message, "result": {**result, "tools": listed}}
            if not name:
                return message
            if name == "put_page" and self.pages is not None and not result.get("isError"):
                _keep_page(self.pages, arguments)
            content = [self._bounded(part, name, arguments) for part in result.get("content") or ()]
        # The structured form repeats the text, and clients show both.
        rest = {key: value for key, value in result.items() if key != "structuredContent"}
        return {**message, "result": {**rest, "content": content}}

    def _bounded(self, part: Any, name: str, arguments: dict[str, Any]) -> Any:
        if not isinstance(part, dict) or not isinstance(part.get("text"), str):
            return part
        return {**part, "text": self.bounds.answer(name, arguments, part["text"])}


def _keep_page(folder: Path, arguments: dict[str, Any]) -> None:
    """Write the page that the brain took, so that the workspace has it. Its slug has passed ``refusal``."""
    content = arguments.get("content")
    if not isinstance(content, str):
        return
    path = folder / f"{arguments['slug']}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    # An agent may have left a link here; it is replaced, not followed.
    path.unlink(missing_ok=True)
    path.write_text(content, encoding="utf-8", errors="replace")


def _described(tool: Any) -> Any:
    """A tool in our words, if we have any for it."""
    name = tool.get("name") if isinstance(tool, dict) else None
    offer = bounds.OFFERS.get(name) if isinstance(name, str) else None
    return tool if offer is None else {"name": name, "description": offer.description, "inputSchema": offer.schema}


def relay(
    command: Sequence[str],
    source: IO[bytes],
    target: IO[bytes],
    pages: Path | None = None,
    evidence: ToolContext | None = None,
) -> int:
    """Run the server between these streams until the agent's side ends; the server's return code. ``pages``,
    ``evidence``: see FencedCalls.
    """
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/")
    assert server.stdin
    assert server.stdout
    turn, talk = threading.Lock(), FencedCalls(pages, evidence=evidence)
    back = threading.Thread(target=_copy, args=(server.stdout, target, turn, talk), daemon=True)
    back.start()
    try:
        for line in source:
            if line.strip():
                _pass(line, server.stdin, target, turn, talk)
    except BrokenPipeError:
        # The server has ended; its return code shows why.
        pass
    finally:
        server.stdin.close()
        code = server.wait()
        back.join()
        server.stdout.close()
    return code


def _pass(line: bytes, server: IO[bytes], target: IO[bytes], turn: threading.Lock, talk: FencedCalls) -> None:
    try:
        message = orjson.loads(line)
        reason = refusal(message)
    except orjson.JSONDecodeError:
        message, reason = None, "not JSON"
    if reply := talk.evidence_answer(message):
        _write(target, reply, turn)
    elif reason is None:
        server.write(orjson.dumps(talk.asked(message)) + b"\n")
        server.flush()
    else:
        _write(target, answer(message, reason), turn)


def _copy(source: IO[bytes], target: IO[bytes], turn: threading.Lock, talk: FencedCalls) -> None:
    for line in source:
        try:
            bounded = orjson.dumps(talk.answered(orjson.loads(line))) + b"\n"
        except orjson.JSONDecodeError:
            # Not a message: the agent's side judges it.
            bounded = line
        _write(target, bounded, turn)


def _write(target: IO[bytes], line: bytes, turn: threading.Lock) -> None:
    with turn:
        target.write(line)
        target.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m consumer.agent.gbrain.fence", description=__doc__)
    parser.add_argument(
        "--pages", type=Path, help="the folder for files of pages that the agent writes; none: no files"
    )
    parser.add_argument("--evidence", type=Path, help="the evidence index, for evidence_search; it is only read")
    parser.add_argument(
        "--embedding-model", default="", help="embed its questions at OPENAI_BASE_URL; empty: words only"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the server and its arguments")
    args = parser.parse_args()
    evidence = None
    if args.evidence:
        # It takes no notes: GBrain keeps an agent's.
        evidence = ToolContext(args.evidence, args.evidence, args.evidence.parent)
        if args.embedding_model:
            # As in the local brain: a search by words does without an HTTP client.
            from consumer.agent.embedder import embedder_of_agent  # noqa: PLC0415

            evidence.embedder = embedder_of_agent(args.embedding_model)
    return relay(args.command, sys.stdin.buffer, sys.stdout.buffer, args.pages, evidence)


if __name__ == "__main__":
    sys.exit(main())
