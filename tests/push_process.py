"""A push app in a process of its own, over a world in memory: says its port, the stage it works in, then the ledger.

Its render stage works until the guard tells it to stop; with ``deaf`` it never asks. Run as: python -m
tests.push_process FOLDER [deaf]
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from consumer.entrypoints.push import create_app, drained, serve
from consumer.ports import Guard
from consumer.run import Run
from tests.spine import FakeStage, World, an_event


class AnyToken:
    def known(self, authorization: str | None) -> Mapping[str, Any] | None:
        return {"authorization": authorization}

    def verify(self, authorization: str | None) -> Mapping[str, Any]:
        return {"authorization": authorization}


def main() -> int:
    world = World(Path(sys.argv[1]))
    world.plane.add(an_event())
    shutdown = threading.Event()
    deaf = "deaf" in sys.argv

    def work(_run: Run, guard: Guard) -> None:
        say(entered="render")
        while deaf:
            threading.Event().wait(3600)
        while True:
            guard.check()
            shutdown.wait(0.02)

    handler = world.handler(stages={"render": FakeStage("render", work)}, shutdown=shutdown)
    handler = replace(handler, parts=replace(handler.parts, threads=True))
    app = create_app(handler, AnyToken(), shutdown=shutdown, ready=list, body_limit=65536)
    serve(app, host="127.0.0.1", port=0, shutdown=shutdown, on_ready=lambda port: say(port=port))
    if world.blobs.names("jobs/"):
        say(ledger=world.ledger(), lock=world.lock())
    return drained(handler.folder)


def say(**line: Any) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
