"""The cost of the agent's surroundings: the gateway on top of a direct call, a supervised process, the evidence seal.

``python -m bench.agent [--pages 2000]`` prints medians. Run on a quiet machine; nothing here asserts.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx

import manifests
from consumer.agent import netfence, sandbox, seal
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.process import ProcessTool
from consumer.agent.sandbox import Sandbox
from consumer.ports import ModelTags
from consumer.run import NoDeadline
from contract.api import Usage
from local.model import MODEL
from service.clock import SystemClock

BODY = {"model": MODEL, "messages": [{"role": "user", "content": "hello"}]}
TAGS = ModelTags("bench", "bench", "insight", "internal-full", "v1")


def median_ms(action: Callable[[], object], rounds: int) -> float:
    """Median of ``rounds`` single calls, in milliseconds."""
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000


def gateway() -> list[tuple[str, float]]:
    """A call direct, through the gateway, and the time to the first byte of a stream through it."""
    clock = SystemClock()
    with offline_model() as url, httpx.Client() as client:
        loopback = LoopbackGateway(
            url, "key", frozenset({MODEL}), UsageLimits(10**6, 10**9, 1.0), manifests.model_prices(), clock
        )
        with loopback.open(TAGS, Usage()) as session:
            headers = {"authorization": f"Bearer {session.access.token}"}
            direct = median_ms(lambda: client.post(url + "/chat/completions", json=BODY), 300)
            target = session.access.base_url + "/chat/completions"
            through = median_ms(lambda: client.post(target, json=BODY, headers=headers), 300)

            first = statistics.median(_first_byte_ms(client, target, headers) for _ in range(100))
        opened = median_ms(lambda: _open_and_close(loopback), 10)
    return [
        ("model call, direct", direct),
        ("model call, through the gateway", through),
        ("gateway adds (bar: 3)", through - direct),
        ("first byte of a stream through the gateway", first),
        ("gateway opened and closed", opened),
    ]


@contextmanager
def offline_model() -> Iterator[str]:
    """The offline model in its own process: threads of one interpreter would wait for each other."""
    command = [sys.executable, "-m", "local.model", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout
        try:
            yield str(json.loads(server.stdout.readline())["base_url"])
        finally:
            server.kill()


def _first_byte_ms(client: httpx.Client, target: str, headers: dict[str, str]) -> float:
    began = time.perf_counter()
    with client.stream("POST", target, json={**BODY, "stream": True}, headers=headers) as response:
        chunks = response.iter_raw()
        next(chunks)
        taken = time.perf_counter() - began
        for _ in chunks:
            pass
    return taken * 1000


def _open_and_close(loopback: LoopbackGateway) -> None:
    with loopback.open(TAGS, Usage()):
        pass


def process() -> list[tuple[str, float]]:
    """An empty program under the supervisor, without and with all that a system can put around it."""
    rows = []
    for name, tool in (
        ("process started, supervised and gone", ProcessTool(SystemClock())),
        ("the same behind the fence and in a sandbox", ProcessTool(SystemClock(), fence=True, sandbox=Sandbox())),
    ):
        run = partial(tool.run, ["/bin/true"], cwd=Path("/"), env={}, timeout_s=10, guard=NoDeadline(600))
        if tool.sandbox is None or not (netfence.unavailable() or sandbox.unavailable()):
            rows.append((name, median_ms(run, 20)))
    return rows


def sealing(pages: int) -> list[tuple[str, float]]:
    """Hash and keep, then hash again, ``pages`` pages of 4 KB."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        folder = root / "brain/sources/cloop/notes"
        folder.mkdir(parents=True)
        for number in range(pages):
            (folder / f"{number}.md").write_text(f"{number} evidence of a day\n" * 160)
        taken = median_ms(lambda: seal.take(root, "runtime/job-runs/j", NoDeadline(600)), 5)
        sealed = seal.take(root, "runtime/job-runs/j", NoDeadline(600))
        mended = median_ms(lambda: sealed.mend(NoDeadline(600)), 5)
    return [(f"evidence sealed, {pages} pages", taken), (f"evidence checked, {pages} pages", mended)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.agent", description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    pages = parser.parse_args().pages
    for name, value in [*gateway(), *process(), *sealing(pages)]:
        sys.stdout.write(f"{name:48} {value:9.2f} ms\n")


if __name__ == "__main__":
    main()
