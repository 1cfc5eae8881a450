"""Fifty jobs in one process: gateway and tools leave no file, thread, process or growing memory behind."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path

import pytest

import manifests
from consumer.adapters.clock import SystemClock
from consumer.adapters.process import ProcessTool
from consumer.gateway.ledger import Budget
from consumer.gateway.server import LoopbackGateway
from consumer.ports import ModelTags
from tests.brains import Free

pytestmark = pytest.mark.integration
JOBS = 50
#: Jobs after which pools and imports have taken what they keep.
WARM = 5
#: Allocators do not give every page back; a leak of one buffer a job would be more.
GROWTH_BYTES = 6 * 1024 * 1024
#: A tool that leaves a child behind, as Hermes's terminal may, and talks more than is kept.
COMMAND = ["/bin/sh", "-c", "(sleep 60 &) ; head -c 600000 /dev/zero"]


def job(gateway: LoopbackGateway, tool: ProcessTool, number: int, folder: Path) -> None:
    with gateway.open(ModelTags(f"job-{number}", "user", "insight", "internal-full", "v1")) as session:
        assert session.access.base_url
        done = tool.run(COMMAND, cwd=folder, env={"PATH": "/usr/bin:/bin"}, timeout_s=20, guard=Free())
        assert (done.returncode, done.truncated) == (0, True)


def held() -> tuple[int, int, list[str]]:
    """(open files, threads, child processes) of this process."""
    children = [text for task in Path("/proc/self/task").iterdir() for text in (task / "children").read_text().split()]
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count(), sorted(children)


def resident_bytes() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_nothing_grows_over_fifty_jobs(tmp_path: Path) -> None:
    clock = SystemClock()
    # Nobody listens at the model: a job that never asks it must cost nothing either.
    gateway = LoopbackGateway(
        "http://127.0.0.1:9/v1", "key", frozenset({"m"}), Budget(10, 1000, 1.0), manifests.model_prices(), clock
    )
    tool = ProcessTool(clock, linger_s=0.0, grace_s=0.2, poll_s=0.02)
    for number in range(WARM):
        job(gateway, tool, number, tmp_path)
    files, threads, children = held()
    memory = resident_bytes()
    for number in range(WARM, JOBS):
        job(gateway, tool, number, tmp_path)
    # What earlier tests of this process left for the collector may go meanwhile; nothing of ours may come.
    after = held()
    assert after[0] <= files
    assert after[1] <= threads
    assert set(after[2]) <= set(children)
    assert resident_bytes() - memory < GROWTH_BYTES
