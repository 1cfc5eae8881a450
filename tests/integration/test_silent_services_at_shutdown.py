"""SIGTERM while a service takes a request and stays silent: who waits for it goes on at once, and can free its lock.

Each service here would keep its caller for longer than a test's patience.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from consumer import retry
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.gateway.slots import Slots
from consumer.agent.gateway_requests import COMPLETIONS, GatewayResponse, post
from consumer.clients.cloudrun import CloudRunLauncher
from consumer.errors import BlobUnavailable, ConsumerError, LauncherUnavailable, ShuttingDown
from consumer.ports import ModelTags
from consumer.storage.gcs import GcsBlobStore
from consumer.storage.memory import FakeClock, MemoryBlobStore
from contract.api import Usage
from service.clock import SystemClock
from tests.integration.test_silent_token_server import Silent
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.integration

NAME = "projects/p/locations/l/jobs/j"


@pytest.fixture(scope="module")
def silent() -> Iterator[str]:
    server = Silent()
    yield server.url.removesuffix("/v1/token")
    server.close()


def stopped_while(call: Callable[[threading.Event], Any]) -> Any:
    """What a call ends with that is under way when the process is told to stop: its result, or its error."""
    shutdown = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(call, shutdown)
        threading.Timer(0.5, shutdown.set).start()
        error = running.exception(PATIENCE_S)
        return error or running.result()


def bucket(silent: str, shutdown: threading.Event) -> GcsBlobStore:
    return GcsBlobStore.connect("b", SystemClock(), endpoint=silent, read_s=10 * PATIENCE_S, shutdown=shutdown)


CALLS: dict[str, tuple[Callable[[str, threading.Event], Any], type[ConsumerError]]] = {
    "read": (lambda url, shutdown: bucket(url, shutdown).read("x"), ShuttingDown),
    "list": (lambda url, shutdown: list(bucket(url, shutdown).list("x")), ShuttingDown),
    # A write may have landed: it ends as one whose reply was lost.
    "write": (lambda url, shutdown: bucket(url, shutdown).write("x", b"", if_generation=0), BlobUnavailable),
    "launch": (
        lambda url, shutdown: CloudRunLauncher(NAME, url, shutdown=shutdown).launch({}, timeout_s=9),
        LauncherUnavailable,
    ),
    "execution": (
        lambda url, shutdown: CloudRunLauncher(NAME, url, shutdown=shutdown).state(f"{NAME}/executions/e"),
        LauncherUnavailable,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_without_an_answer_ends_with_the_process(silent: str, name: str) -> None:
    call, error = CALLS[name]
    ended = stopped_while(partial(call, silent))
    assert type(ended) is error
    assert "shutting down" in str(ended) or "shuts down" in str(ended)


def test_the_gateway_cuts_an_answer_that_does_not_come(silent: str) -> None:
    def ask(shutdown: threading.Event) -> GatewayResponse:
        limits = UsageLimits(requests=9, tokens=9000, cost_usd=9.0)
        gateway = LoopbackGateway(silent, "key", frozenset({"m"}), limits, {}, SystemClock(), shutdown=shutdown)
        with gateway.open(ModelTags("j", "u", "insight", "p", "v1"), Usage()) as session:
            body = b'{"model": "m", "messages": [{"role": "user", "content": "x"}]}'
            return post(session.access, COMPLETIONS, body, 10 * PATIENCE_S)

    answer = stopped_while(ask)
    assert isinstance(answer, GatewayResponse)
    assert answer.body is None and answer.failure


def test_nobody_waits_for_a_slot_or_for_a_repeat() -> None:
    clock, shutdown = FakeClock(), threading.Event()
    shutdown.set()
    blobs = MemoryBlobStore(clock)
    slots = Slots(blobs, clock, "provider", 1, shutdown=shutdown)
    with slots.hold("a"), pytest.raises(ShuttingDown), slots.hold("b"):
        pass

    def fail() -> None:
        raise BlobUnavailable("no answer", passing=True)

    with pytest.raises(ShuttingDown):
        retry.repeated(fail, retry.BLOB_READ, clock, lambda _: True, shutdown)
