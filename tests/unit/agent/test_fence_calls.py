"""Which calls pass GBrain's fence, what the server is sent, and what the agent gets back; without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from consumer.agent.gbrain import fence
from consumer.agent.localbrain.tools import EVIDENCE_SEARCH, ToolContext
from tests.tables import table


def call(name: Any, arguments: Any = None, ident: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def answered(document: Any, ident: int = 1, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": json.dumps(document)}, {"type": "image", "data": "x"}]
    return {"jsonrpc": "2.0", "id": ident, "result": {"content": content, **more}}


@table(
    ("message", "reason"),
    [
        (call("search", {"query": "x"}), None),
        (call("put_page", {"slug": "people/a"}), None),
        (call("add_timeline_entry", {"slug": "people/a"}), None),
        ({"method": "tools/list"}, None),
        ({"method": "tools/list", "params": "x"}, None),
        ([call("search"), {"method": "ping"}], None),
        ("text", "not a JSON-RPC message"),
        ([call("search"), 7], "not a JSON-RPC message"),
        ({"method": "tools/call"}, "tool 'None' is not available to agents"),
        (call("delete_page"), "tool 'delete_page' is not available to agents"),
        (call("x" * 70), f"tool {'x' * 64!r} is not available to agents"),
        (call("put_page"), "you may not write 'None'; write only pages below: "),
        (call("put_page", {"slug": 7}), "you may not write '7'; write only pages below: "),
        (call("put_page", {"slug": "x" * 201}), f"you may not write {'x' * 200!r}; write only pages below: "),
        (call("put_page", {"slug": "sources/a"}), "you may not write 'sources/a'; write only pages below: "),
        (call("put_page", {"slug": "people/../sources/a"}), "you may not write 'people/../sources/a'; write only"),
    ],
)
def test_only_reading_tools_and_writes_of_derived_pages_pass(message: Any, reason: str | None) -> None:
    refused = fence.refusal(message)
    assert (refused is None) if reason is None else (refused or "").startswith(reason)


def test_a_refusal_is_the_result_of_its_call() -> None:
    assert json.loads(fence.answer(call("delete_page", ident=7), "no")) == {
        "jsonrpc": "2.0",
        "id": 7,
        "result": {
            "content": [{"type": "text", "text": '{"error":"permission_denied","message":"no"}'}],
            "isError": True,
            "resultType": "complete",
        },
    }
    assert json.loads(fence.answer("text", "no"))["id"] is None


def test_the_server_is_sent_bounded_arguments_and_all_else_as_it_is() -> None:
    talk = fence.FencedCalls()
    assert talk.asked(call("search", {"query": "x", "limit": 1_000}))["params"]["arguments"]["limit"] < 1_000
    assert talk.asked(call("search", "x"))["params"]["name"] == "search"
    for message in ("text", {"method": "ping", "id": 1}, {"method": "tools/list", "id": 2}):
        assert talk.asked(message) == message
    first, second = talk.asked([call("search", {"query": "x", "limit": 1_000}), {"method": "ping"}])
    assert first["params"]["arguments"]["limit"] < 1_000
    assert second == {"method": "ping"}


def test_an_answer_is_bounded_without_its_structured_copy() -> None:
    talk = fence.FencedCalls()
    hits = [{"slug": f"s{number}", "chunk_text": "word " * 2_000} for number in range(50)]
    talk.asked(call("search", {"query": "x"}))
    result = talk.answered(answered(hits, structuredContent={"all": hits}))["result"]
    assert set(result) == {"content"}
    text, image = result["content"]
    assert len(text["text"]) < 20_000
    assert image == {"type": "image", "data": "x"}
    # Nobody waits for it, it is no answer, or it is an error: it passes as it is.
    for message in (answered(hits), "text", {"id": 1, "error": {}}, {"id": 1, "result": "x"}):
        assert talk.answered(message) == message
    assert talk.answered(["text", {"id": 1}]) == ["text", {"id": 1}]


@table(
    ("evidence", "cursor", "names"),
    [
        (True, None, ["search", "odd", EVIDENCE_SEARCH]),
        (True, "c", ["search", "odd"]),  # more of the list follows
        (False, None, ["search", "odd"]),
    ],
)
def test_tools_are_listed_in_our_words_with_our_own_at_the_end(
    evidence: bool, cursor: str | None, names: list[str]
) -> None:
    talk = fence.FencedCalls(evidence=ToolContext(Path(), Path(), Path()) if evidence else None)
    theirs = [{"name": "search", "description": "theirs", "more": 1}, {"name": "odd", "more": 1}]
    tools = talk.answered({"id": 1, "result": {"tools": theirs, "nextCursor": cursor}})["result"]["tools"]
    assert [tool["name"] for tool in tools] == names
    assert tools[0]["description"] != "theirs"
    assert set(tools[0]) == {"name", "description", "inputSchema"}
    assert tools[1] == theirs[1]


def test_a_page_that_the_brain_took_becomes_a_file(tmp_path: Path) -> None:
    talk = fence.FencedCalls(tmp_path)
    path = tmp_path / "people/a.md"
    page = {"slug": "people/a", "content": "# A"}
    for arguments, refused in ((page, True), ({"slug": "people/a", "content": 7}, False)):
        talk.asked(call("put_page", arguments))
        talk.answered(answered({}, isError=refused))
        assert not path.exists()
    for _ in range(2):
        talk.asked(call("put_page", page))
        talk.answered(answered({}, isError=False))
        assert path.read_text() == "# A"
        path.unlink()
        path.symlink_to(tmp_path / "elsewhere")
    talk.asked(call("put_page", page))
    talk.answered(answered({}, isError=False))
    assert path.read_text() == "# A"
    assert not path.is_symlink()
    assert not (tmp_path / "elsewhere").exists()


@table(
    "message",
    ["text", {"method": "tools/call"}, {"method": "ping", "params": {"name": EVIDENCE_SEARCH}}, call("search")],
)
def test_only_a_call_of_evidence_search_is_answered_here(message: Any) -> None:
    assert fence.FencedCalls(evidence=ToolContext(Path(), Path(), Path())).evidence_answer(message) is None
    assert fence.FencedCalls().evidence_answer(call(EVIDENCE_SEARCH, {"query": "x"})) is None
