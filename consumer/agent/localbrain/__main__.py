"""``python -m consumer.agent.localbrain --index FILE --notes FILE --brain FOLDER``: the stdio MCP server, until stdin
ends."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from consumer.agent.localbrain.brain import VERSION
from consumer.agent.localbrain.server import serve
from consumer.agent.localbrain.tools import ToolContext


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m consumer.agent.localbrain", description=__doc__)
    parser.add_argument("--index", type=Path, required=True, help="the evidence index; it is only read")
    parser.add_argument("--notes", type=Path, required=True, help="where a copy with this session's notes is written")
    parser.add_argument("--brain", type=Path, required=True, help="the folder of markdown pages")
    parser.add_argument("--embedding-model", default="", help="embed questions at OPENAI_BASE_URL; empty: words only")
    args = parser.parse_args()
    context = ToolContext(args.index, args.notes, args.brain)
    if args.embedding_model:
        # An HTTP client and the models of the contract, which a search by words does without: a third of the start.
        from consumer.agent.embedder import embedder_of_agent  # noqa: PLC0415

        context.embedder = embedder_of_agent(args.embedding_model)
    asyncio.run(serve(context, VERSION))


if __name__ == "__main__":
    main()
