"""The embedded Pub/Sub server with the unmodified client, and the price of believing a push token.

    python -m bench.pubsub [--messages 10000] [--runs 5]

Rates are medians over the runs. The server, the push endpoint and the client are three processes on one machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from consumer.clients.oidc import OidcVerifier, TokenPolicy
from local import oidc
from service.clock import SystemClock
from service.oidc import KeySet

PUBLISH_BAR, PUSH_BAR = 5_000, 1_500
EMAIL, AUDIENCE = "push@p.iam.gserviceaccount.com", "https://consumer.example/push"
BODY = b"x" * 300
#: Counts requests; says once on stdout how many a second came, from the first to the last.
SINK = """
import asyncio, sys, time
wanted = int(sys.argv[1]); state = {"n": 0, "first": 0.0}
class Sink(asyncio.Protocol):
    def connection_made(self, transport): self.transport, self.rest = transport, b""
    def data_received(self, data):
        self.rest += data
        while (end := self.rest.find(b"\\r\\n\\r\\n")) >= 0:
            length = int(self.rest[:end].lower().split(b"content-length: ")[1].split(b"\\r")[0])
            if len(self.rest) < end + 4 + length: return
            self.rest = self.rest[end + 4 + length:]
            state["n"] += 1
            if state["n"] % wanted == 1: state["first"] = time.perf_counter()
            if state["n"] % wanted == 0: print(wanted / (time.perf_counter() - state["first"]), flush=True)
            self.transport.write(b"HTTP/1.1 204 No Content\\r\\n\\r\\n")
async def main():
    server = await asyncio.get_running_loop().create_server(Sink, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


@contextmanager
def process(*command: str) -> Iterator[Any]:
    """A child of this benchmark; its stdout."""
    with subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True) as child:
        try:
            yield child.stdout
        finally:
            child.terminate()


class PubsubBench:
    """One server and its clients."""

    def __init__(self, messages: int) -> None:
        from google.cloud import pubsub_v1
        from google.cloud.pubsub_v1 import types

        self.messages = messages
        self.plain = pubsub_v1.PublisherClient()
        ordering = types.PublisherOptions(enable_message_ordering=True)
        self.ordered = pubsub_v1.PublisherClient(publisher_options=ordering)
        self.subscriber = pubsub_v1.SubscriberClient()

    def topic(self, name: str, **subscription: Any) -> tuple[str, str]:
        topic, sub = f"projects/p/topics/{name}", f"projects/p/subscriptions/{name}"
        self.plain.create_topic(name=topic)
        self.subscriber.create_subscription(request={"name": sub, "topic": topic, **subscription})
        return topic, sub

    def publish(self, topic: str, keys: int = 0) -> float:
        client = self.ordered if keys else self.plain
        began = time.perf_counter()
        futures = [
            client.publish(topic, BODY, ordering_key=f"u{n % keys}" if keys else "") for n in range(self.messages)
        ]
        for future in futures:
            future.result()
        return self.messages / (time.perf_counter() - began)

    def pull(self, subscription: str, waiting: int) -> float:
        done, left = threading.Event(), iter(range(waiting - 1, -1, -1))

        def take(message: Any) -> None:
            message.ack()
            if next(left) == 0:
                done.set()

        began = time.perf_counter()
        stream = self.subscriber.subscribe(subscription, take)
        done.wait(120)
        stream.cancel()
        stream.result()
        return waiting / (time.perf_counter() - began)


def server_rates(messages: int, runs: int) -> Iterator[tuple[str, float, float]]:
    """(what, messages a second, bar or 0)."""
    with tempfile.TemporaryDirectory() as folder, process("-m", "local.oidc", "--data", f"{folder}/oidc") as issuer:
        url = json.loads(issuer.readline())["url"]
        with process("-m", "local.pubsub", "--data", folder, "--oidc-issuer", url) as server:
            os.environ["PUBSUB_EMULATOR_HOST"] = json.loads(server.readline())["address"]
            bench = PubsubBench(messages)
            topic, subscription = bench.topic("plain")
            yield "publish", _median(runs, lambda: bench.publish(topic)), PUBLISH_BAR
            yield "streaming pull and ack", bench.pull(subscription, runs * messages), 0
            topic, _ = bench.topic("ordered", enable_message_ordering=True)
            yield "publish, 50 ordering keys", _median(runs, lambda: bench.publish(topic, 50)), 0
            with process("-c", SINK, str(messages)) as sink:
                endpoint = f"http://127.0.0.1:{sink.readline().strip()}/push"
                token = {"service_account_email": EMAIL, "audience": AUDIENCE}
                topic, _ = bench.topic("push", push_config={"push_endpoint": endpoint, "oidc_token": token})

                def push() -> float:
                    bench.publish(topic)
                    return float(sink.readline())

                yield "push, signed", _median(runs, push), PUSH_BAR


def verification(runs: int) -> Iterator[tuple[str, float]]:
    """(what, microseconds)."""
    with tempfile.TemporaryDirectory() as folder:
        issuer = oidc.Issuer(oidc.KeyRing(Path(folder)))
        answer = httpx.MockTransport(lambda _: httpx.Response(200, json=issuer.keys.jwks()))
        clock = SystemClock()
        keys = KeySet(httpx.Client(transport=answer), "http://issuer.example/certs", clock.monotonic)
        verifier = OidcVerifier(keys, TokenPolicy.of([AUDIENCE], [EMAIL]), clock)
        tokens = [f"Bearer {issuer.mint(EMAIL, AUDIENCE, n=n)}" for n in range(500)]
        verifier.verify(tokens[0])
        fresh = iter(tokens[1:])
        yield "first sight of a token", 1e6 / _median(1, lambda: _rate(lambda: verifier.verify(next(fresh)), 499))
        yield "token seen before", 1e6 / _median(runs, lambda: _rate(lambda: verifier.verify(tokens[-1]), 20_000))


def _rate(act: Callable[[], object], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        act()
    return times / (time.perf_counter() - began)


def _median(runs: int, measure: Callable[[], float]) -> float:
    return statistics.median(measure() for _ in range(runs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print(f"{'embedded Pub/Sub':28} {'msg/s':>9} {'bar':>7}")
    for what, rate, bar in server_rates(options.messages, options.runs):
        print(f"{what:28} {rate:>9,.0f} {bar or '-':>7}")
    print(f"\n{'push token':28} {'us':>9}")
    for what, microseconds in verification(options.runs):
        print(f"{what:28} {microseconds:>9.1f}")


if __name__ == "__main__":
    main()
