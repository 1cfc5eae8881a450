"""The local brain's server as an agent meets it: a child process, spoken to by the MCP client library."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ContentBlock, TextContent

from consumer.agent.localbrain.brain import LocalBrain
from tests import brains

pytestmark = pytest.mark.integration


@pytest.fixture
def root(tmp_path: Path) -> Path:
    brains.write(tmp_path, brains.PAGES)
    brain = LocalBrain()
    brain.open(tmp_path, brains.Free())
    brain.update(tmp_path, sorted(brains.PAGES), [], brains.Free())
    return tmp_path


def _text(content: ContentBlock) -> str:
    assert isinstance(content, TextContent)
    return content.text


def talk(root: Path, *calls: tuple[str, dict[str, Any]]) -> tuple[set[str], list[Any]]:
    command = LocalBrain().mcp(root)
    # The working folder is the agent's, and hostile: its own package of our name must not be what runs.
    (root / "consumer").mkdir(exist_ok=True)
    (root / "consumer" / "__init__.py").write_text("raise SystemExit('the wrong package')")
    server = StdioServerParameters(
        command=command.command, args=list(command.args), env=dict(command.env), cwd=str(root)
    )

    async def run() -> tuple[set[str], list[Any]]:
        async with Client(server) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            answers = [await client.call_tool(name, arguments) for name, arguments in calls]
            return names, [json.loads(_text(answer.content[0])) for answer in answers]

    return asyncio.run(asyncio.wait_for(run(), 60))


def test_a_client_lists_asks_reads_and_writes(root: Path) -> None:
    names, answers = talk(
        root,
        ("search", {"query": "launch planned"}),
        ("get_page", {"slug": "projects/atlas"}),
        ("put_page", {"slug": "concepts/new", "content": "# New\n\nQuagga."}),
        ("query", {"query": "quagga"}),
        ("put_page", {"slug": "sources/cloop/x", "content": "# Forged"}),
        ("get_backlinks", {"slug": "projects/atlas"}),
    )
    assert names == {
        "evidence_search",
        "search",
        "query",
        "get_page",
        "list_pages",
        "get_backlinks",
        "backlinks",
        "put_page",
    }
    hits, page, _, fresh, forged, links = answers
    assert hits[0]["anchor"] == "dates"
    assert page["title"] == "Atlas"
    assert fresh[0]["slug"] == "concepts/new"
    assert forged["error"]["code"] == "permission_denied"
    assert len(links) == 2
    # The server has gone with its client, so nothing holds the file.
    LocalBrain().close(root, brains.Free())
