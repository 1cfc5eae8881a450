"""Jobs one after the other in this process, and what it holds before and after most of them, as JSON.

Run as: python -m tests.flatness FOLDER
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

import manifests
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.process import ProcessTool
from consumer.ports import ModelTags
from contract.api import Usage
from service.clock import SystemClock
from tests.brains import Free

JOBS = 50
#: Jobs after which pools and imports have taken what they keep.
WARM = 5
#: A tool that leaves a child behind, as Hermes's terminal may, and talks more than is kept.
COMMAND = ["/bin/sh", "-c", "(sleep 600 &) ; head -c 600000 /dev/zero"]


@dataclass(frozen=True)
class Held:
    """What this process holds: open files, threads, child processes, memory."""

    files: int
    threads: int
    children: int
    resident_bytes: int


def main() -> None:
    clock = SystemClock()
    # Nobody listens at the model: a job that never asks it must cost nothing either.
    gateway = LoopbackGateway(
        "http://127.0.0.1:9/v1", "key", frozenset({"m"}), UsageLimits(10, 1000, 1.0), manifests.model_prices(), clock
    )
    tool = ProcessTool(clock, linger_s=0.0, grace_s=0.2, poll_s=0.02)
    looks = []
    for number in range(JOBS + 1):
        if number in (WARM, JOBS):
            looks.append(asdict(held()))
        job(gateway, tool, number, Path(sys.argv[1]))
    sys.stdout.write(json.dumps(looks))


def job(gateway: LoopbackGateway, tool: ProcessTool, number: int, folder: Path) -> None:
    with gateway.open(ModelTags(f"job-{number}", "user", "insight", "internal-full", "v1"), Usage()) as session:
        assert session.access.base_url
        done = tool.run(COMMAND, cwd=folder, env={"PATH": "/usr/bin:/bin"}, timeout_s=240, guard=Free())
        assert (done.returncode, done.truncated) == (0, True)


def held() -> Held:
    gc.collect()
    files = len(list(Path("/proc/self/fd").iterdir()))
    children = sum(len((task / "children").read_text().split()) for task in Path("/proc/self/task").iterdir())
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Held(files, threading.active_count(), children, resident)


if __name__ == "__main__":
    main()
