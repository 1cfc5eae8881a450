"""
A stand-in for the ``hermes`` command whose agent looks for words wherever it can: in every file below its working
folder and some other folders, by path and by content, and with the brain's tools over MCP.

Its first argument is a JSON file with these words and folders, and with the folders of the programs, which hold nothing
of a user and are left out. It leaves what it found in the job's folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml


def files(tops: Iterable[Path], skipped: Collection[str]) -> Iterator[tuple[str, bytes]]:
    for top in tops:
        for where, folders, names in os.walk(top):
            folders[:] = [name for name in folders if str(Path(where, name)) not in skipped]
            for name in names:
                path = Path(where) / name
                if str(path) == sys.argv[1]:
                    continue
                try:
                    yield str(path), path.read_bytes()
                except OSError:
                    continue


class Server:
    """The brain's MCP server: one call after the other, in its protocol's lines of JSON."""

    def __init__(self, config: dict[str, Any], env: dict[str, str]) -> None:
        command = [config["command"], *config["args"]]
        self.process = subprocess.Popen(command, env=env, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.request("initialize", client)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        assert self.process.stdout
        result: dict[str, Any] = json.loads(self.process.stdout.readline())["result"]
        return result

    def tool(self, name: str, **arguments: object) -> str:
        content = self.request("tools/call", {"name": name, "arguments": arguments})["content"]
        return "\n".join(part["text"] for part in content)


def asked(server: Server, words: list[str]) -> str:
    """All that the tools answer to these words, and of all pages."""
    answers = [server.tool("search", query=word, full=True) for word in words]
    answers.append(server.tool("list_pages", limit=100))
    for row in json.loads(answers[-1]):
        answers += [server.tool("get_page", slug=row["slug"]), server.tool("get_backlinks", slug=row["slug"])]
    return "\n".join(answers)


def main() -> None:
    if "--version" in sys.argv:
        sys.stdout.write("Hermes Agent v0.19.0\n")
        return
    order = json.loads(Path(sys.argv[1]).read_text())
    home, root = Path(os.environ["HERMES_HOME"]), Path.cwd()
    output = root / order["output"]
    config = yaml.safe_load((home / "config.yaml").read_text())
    with (home / "logs" / "agent.log").open("a") as log:
        log.write("MCP: registered 6 tool(s)\nconversation turn: 1\n")
    server = config["mcp_servers"]["gbrain"]
    env = {name: os.environ.get(f"MCP_GBRAIN_{name}", value) for name, value in server["env"].items()}
    brain = Server(server, env)
    evidence = "\n".join(brain.tool("evidence_search", query=word, full=True) for word in order["words"])
    replies = asked(brain, order["words"])
    seen: dict[str, list[str]] = {word: [] for word in order["words"]}
    looked = [(path, path.encode() + data) for path, data in files([root, *map(Path, order["tops"])], order["skipped"])]
    answers = [("the brain's tools", replies.encode()), ("evidence_search", evidence.encode())]
    for place, data in [*looked, *answers]:
        small = data.lower()
        for word, places in seen.items():
            if word.lower().encode() in small:
                places.append(place)
    (output.parent / "seen.json").write_text(json.dumps(seen))
    output.write_text(json.dumps({"schema": "memory.claims.v1", "job_id": order["job_id"], "claims": []}))


if __name__ == "__main__":
    main()
