"""GBrain's fence between an agent and a server that answers without measure."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from consumer.agent import bounds
from consumer.agent.gbrain import fence
from consumer.agent.localbrain.tools import TOOLS, ToolContext
from consumer.evidence import pagefiles, pages, search

pytestmark = pytest.mark.integration
#: An MCP server that answers as GBrain does: long pages, many hits, structured content, its own descriptions. It notes
#: what it got.
SERVER = """
import json, sys

LONG = " ".join(f"word{number}" for number in range(2_000))
seen = open(sys.argv[1], "w")
for line in sys.stdin:
    message = json.loads(line)
    seen.write(line)
    seen.flush()
    if message["method"] == "tools/list":
        tools = [{"name": "search", "description": LONG, "inputSchema": {"type": "object"}}, {"name": "odd", "x": 1}]
        result = {"tools": tools, "nextCursor": "c"}
    elif message["method"] == "tools/call":
        name = message["params"]["name"]
        if name == "get_page":
            document = {"slug": message["params"]["arguments"]["slug"], "compiled_truth": LONG}
        else:
            document = [{"slug": f"s{number}", "chunk_text": LONG} for number in range(50)]
        text = json.dumps(document)
        result = {"content": [{"type": "text", "text": text}], "structuredContent": {"all": document}, "isError": False}
    else:
        result = {"protocolVersion": "2025-06-18"}
    print(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": result}), flush=True)
"""


class Session:
    """Answers to a session of messages, by id, and what the server was sent. ``evidence``: an index."""

    def __init__(self, folder: Path, *messages: dict[str, Any], evidence: Path | None = None) -> None:
        script, seen, out = folder / "server.py", folder / "seen.jsonl", io.BytesIO()
        script.write_text(SERVER)
        lines = [json.dumps({"jsonrpc": "2.0", "id": number, **message}) for number, message in enumerate(messages)]
        context = ToolContext(evidence, evidence, folder) if evidence else None
        command = [sys.executable, str(script), str(seen)]
        assert fence.relay(command, io.BytesIO("\n".join(lines).encode()), out, evidence=context) == 0
        self.answers = {answer["id"]: answer["result"] for answer in map(json.loads, out.getvalue().splitlines())}
        self.sent = [json.loads(line) for line in seen.read_text().splitlines()]

    def answer(self, number: int) -> Any:
        (part,) = self.answers[number]["content"]
        return json.loads(part["text"])


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


def test_answers_are_bounded_and_none_is_given_twice(tmp_path: Path) -> None:
    session = Session(
        tmp_path,
        call("search", query="x", limit=1_000),
        call("search", query="y"),
        call("get_page", slug="people/anna"),
        call("get_page", slug="people/anna", offset=6_000),
        call("get_page", slug="people/anna"),
    )
    assert [row["slug"] for row in session.answer(0)] == [f"s{number}" for number in range(bounds.SNIPPETS)]
    assert all(row["already_returned"] for row in session.answer(1))
    first, second, again = (session.answer(number) for number in (2, 3, 4))
    assert len(first["compiled_truth"]) <= bounds.SECTION_CHARS
    assert first["compiled_truth"] != second["compiled_truth"]
    assert set(again) == {"slug", "already_returned"}
    assert not any("structuredContent" in answer for answer in session.answers.values())


def test_the_server_is_asked_for_no_more_than_passes(tmp_path: Path) -> None:
    sent = Session(tmp_path, call("search", query="x", limit=1_000), call("get_page", slug="s", offset=3)).sent
    assert [message["params"]["arguments"] for message in sent] == [
        {"query": "x", "limit": bounds.SNIPPETS, "types": ["source"]},
        {"slug": "s"},
    ]


def test_tools_are_described_in_words_that_do_not_change_with_the_brains_release(tmp_path: Path) -> None:
    listed = Session(tmp_path, {"method": "tools/list"}).answers[0]
    search, odd = listed["tools"]
    offer = bounds.OFFERS["search"]
    assert search == {"name": "search", "description": offer.description, "inputSchema": offer.schema}
    assert (odd, listed["nextCursor"]) == ({"name": "odd", "x": 1}, "c")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of evidence, and the page of a person that repeats its words."""
    root = tmp_path_factory.mktemp("indexed")
    texts = {
        "sources/cloop/notes/launch": "---\ntype: source\n---\n# Launch\n\nKestrel launches on 3 February.\n",
        "people/anna": "---\ntype: person\n---\n# Anna\n\nKestrel launches on 3 February, says Anna.\n",
    }
    with search.writing(root / "index.sqlite") as index:
        for slug, text in texts.items():
            index.put(pages.parse(slug, text.encode()), pagefiles.digest(text.encode()))
    return root / "index.sqlite"


def test_evidence_is_searched_beside_the_brain(tmp_path: Path, index: Path) -> None:
    messages = [
        {"method": "tools/list"},
        call("evidence_search", query="When does Kestrel launch?"),
        call("evidence_search"),
        call("search", query="Kestrel"),
    ]
    session = Session(tmp_path, *messages, evidence=index)
    (row,) = session.answer(1)
    assert (row["slug"], row["snippet"]) == ("sources/cloop/notes/launch", "Kestrel launches on 3 February.")
    assert session.answers[2]["isError"]
    assert session.answer(2)["error"]["code"] == "invalid_params"
    # The brain answers its own tools and hears nothing of this one.
    assert [message["params"]["name"] for message in session.sent if "params" in message] == ["search"]
    # Its list has another part, so the tool is not in this one.
    assert [tool["name"] for tool in session.answers[0]["tools"]] == ["search", "odd"]


def test_the_tool_is_listed_as_the_local_brain_lists_it(tmp_path: Path, index: Path) -> None:
    talk = fence.FencedCalls(evidence=ToolContext(index, index, tmp_path))
    talk.asked({"id": 1, "method": "tools/list"})
    listed = talk.answered({"id": 1, "result": {"tools": [{"name": "odd"}]}})["result"]["tools"]
    tool = TOOLS["evidence_search"]
    assert listed[1] == {"name": "evidence_search", "description": tool.description, "inputSchema": tool.schema}


@pytest.mark.parametrize("batched", [False, True])
def test_without_an_index_or_in_a_batch_the_tool_is_refused(index: Path, batched: bool) -> None:
    message: Any = {"id": 1, **call("evidence_search", query="x")}
    talk = fence.FencedCalls(evidence=ToolContext(index, index, index.parent) if batched else None)
    message = [message] if batched else message
    assert talk.evidence_answer(message) is None
    assert fence.refusal(message) == "tool 'evidence_search' is not available to agents"


def test_an_index_that_is_gone_is_an_answer(tmp_path: Path) -> None:
    session = Session(tmp_path, call("evidence_search", query="x"), evidence=tmp_path / "absent.sqlite")
    assert session.answers[0]["isError"]
    assert session.answer(0)["error"]["code"] == "storage_error"


def test_other_messages_pass_unchanged_in_both_directions(tmp_path: Path) -> None:
    session = Session(tmp_path, {"method": "initialize", "params": {"protocolVersion": "2025-06-18"}})
    assert session.answers == {0: {"protocolVersion": "2025-06-18"}}


@pytest.mark.parametrize("line", [b"no JSON\n", b'{"jsonrpc": "2.0", "method": "note"}\n', b"[]\n", b'"text"\n'])
def test_a_line_that_is_no_answer_reaches_the_agent_as_it_is(line: bytes) -> None:
    out = io.BytesIO()
    assert fence.relay([sys.executable, "-c", f"print({line.decode().rstrip()!r})"], io.BytesIO(b""), out) == 0
    written = out.getvalue()
    assert written == line or json.loads(written) == json.loads(line)
