"""What the event spine costs: overhead over its bucket round trips, duplicates a second, time to ready.

    python -m bench.spine [--jobs 60] [--runs 5]

The bucket server is a process of its own; the push app is called in this one, below its socket, so that rates are those
of one core. Floors: the same requests alone, one bare read, a bare app of the same framework.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench import gcs, idempotency
from consumer.clients.oidc import OidcVerifier, TokenPolicy
from consumer.delivery.completed_jobs import CompletedJobs
from consumer.delivery.handler import Handler
from consumer.delivery.pipeline import Pipeline
from consumer.entrypoints.push import create_app
from consumer.ports import TokenVerifier
from consumer.run import Run
from consumer.storage.gcs import GcsBlobStore
from contract.event import JobEvent
from local import oidc
from service.clock import SystemClock
from service.oidc import KeySet
from tests.spine import World, a_delivery, an_event

OVERHEAD_BAR, READ_BAR, MEMORY_BAR, READY_BAR_S, TOKEN_BAR = 1.3, 300, 3000, 1.5, 0.85
EMAIL, AUDIENCE = "push@example.iam.gserviceaccount.com", "https://consumer.example/push"


class Timed:
    """A bucket that sums the time spent waiting for it."""

    def __init__(self, store: GcsBlobStore) -> None:
        self._store = store
        self.seconds = 0.0
        self.requests = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        act = getattr(self._store, name)

        def timed(*args: Any, **kw: Any) -> Any:
            began = time.perf_counter()
            try:
                found = act(*args, **kw)
                return iter(list(found)) if name == "list" else found
            finally:
                self.seconds += time.perf_counter() - began
                self.requests += 1

        return timed

    def taken(self, seconds: float) -> Taken:
        return Taken(seconds, self.seconds, self.requests)


class TimedPipeline:
    """The pipeline, with what it takes: stages are the job's business, not the spine's."""

    def __init__(self, pipeline: Pipeline, bucket: Timed) -> None:
        self._pipeline, self._bucket = pipeline, bucket
        self.taken = Taken(0.0, 0.0, 0)

    def run(self, *args: Any, **kw: Any) -> Run:
        began, before = time.perf_counter(), self._bucket.taken(0.0)
        try:
            return self._pipeline.run(*args, **kw)
        finally:
            self.taken = self._bucket.taken(time.perf_counter() - began) - before


@dataclass(frozen=True)
class Taken:
    """Seconds, of those waiting for the bucket, and requests to it."""

    seconds: float
    waiting: float
    requests: int

    def __sub__(self, other: Taken) -> Taken:
        return Taken(self.seconds - other.seconds, self.waiting - other.waiting, self.requests - other.requests)


class AnyToken:
    """The same app without verification: every token is known."""

    def known(self, authorization: str | None) -> Mapping[str, Any] | None:
        return {"authorization": authorization}

    def verify(self, authorization: str | None) -> Mapping[str, Any]:
        return {"authorization": authorization}


@dataclass
class SpineBench:
    """One world over a real bucket. Jobs are idle digests: claim, lock, settle, release, and no stage of weight."""

    store: GcsBlobStore
    tmp: Path
    world: World = field(init=False)
    number: int = 0

    def __post_init__(self) -> None:
        self.world = World(self.tmp, records=0)

    def handler(self, blobs: Any, *, bucket: str = "memory") -> Handler:
        made = self.world.handler(blobs, clock=None)
        return replace(made, parts=replace(made.parts, clock=SystemClock(), bucket=bucket))

    def event(self) -> JobEvent:
        self.number += 1
        user = f"11111111-1111-4111-8111-{self.number:012d}"
        event = an_event(self.number, user_id=user)
        self.world.plane.add(event)
        return event

    def overhead(self, jobs: int) -> tuple[list[Taken], list[Taken]]:
        """Pushes of idle digests through the app, with its token and the threads that renew: without and with the time
        that their stages take."""
        bucket = Timed(self.store)
        made = self.handler(bucket)
        pipeline: Any = TimedPipeline(made.parts.pipeline, bucket)
        handler = replace(made, parts=replace(made.parts, pipeline=pipeline, threads=True))
        spine, whole = [], []
        with signed() as (verifier, token):
            app = create_app(handler, verifier, shutdown=threading.Event(), ready=list, body_limit=1 << 20)
            for _ in range(jobs):
                event, before = self.event(), bucket.taken(0.0)
                push = bucket.taken(1 / rate(app, body(event), 1, token)) - before
                assert self.world.plane.rows[event.job_id].completions == 1, event.job_id
                whole.append(push)
                spine.append(push - pipeline.taken)
        return spine, whole

    def peer(self, count: int) -> list[tuple[str, str, float, float | None]]:
        """What deduplication alone costs another library on the same bucket: figures to compare with, without a bar."""
        app, seen = idempotency.app(self.store), self.event()
        rate(app, body(seen), 1)
        new = statistics.median(1 / rate(app, body(self.event()), 1) for _ in range(count))
        again = rate(app, body(seen), 200)
        return [
            ("gcp-pubsub-idempotency, new", f"{new * 1000:.1f} ms: its lease and done mark alone", new * 1000, None),
            ("gcp-pubsub-idempotency, duplicates", f"{again:.0f}/s, one read each", again, None),
        ]

    def duplicates(
        self, count: int, *, remembered: bool, verifier: TokenVerifier | None = None, token: str = "Bearer t"
    ) -> float:
        """Duplicates of one finished job a second, through the app; without ``verifier`` any token will do."""
        event = self.event()
        handler = self.handler(self.store)
        assert handler.job(a_delivery(event)).name == "done"
        if not remembered:
            handler = replace(handler, completed_jobs=CompletedJobs(capacity=0))
        known = verifier or AnyToken()
        app = create_app(handler, known, shutdown=threading.Event(), ready=list, body_limit=1 << 20)
        return rate(app, body(event), count, token)

    def token_share(self, count: int, runs: int) -> float:
        """The rate with signed tokens, as Pub/Sub sends them (one for up to an hour), by that without verification."""
        with signed() as (verifier, token):
            # In turns, so that a busy moment hits both.
            shares = [
                self.duplicates(count, remembered=True, verifier=verifier, token=token)
                / self.duplicates(count, remembered=True)
                for _ in range(runs)
            ]
        return statistics.median(shares)


@contextmanager
def signed() -> Iterator[tuple[TokenVerifier, str]]:
    """The product's verifier over keys of our own, and a token that it has seen."""
    with tempfile.TemporaryDirectory() as folder:
        issuer = oidc.Issuer(oidc.KeyRing(Path(folder)))
        answer = httpx.MockTransport(lambda _: httpx.Response(200, json=issuer.keys.jwks()))
        with httpx.Client(transport=answer) as client:
            keys = KeySet(client, "http://issuer.example/certs", SystemClock().monotonic)
            verifier = OidcVerifier(keys, TokenPolicy.of([AUDIENCE], [EMAIL]), SystemClock())
            token = f"Bearer {issuer.mint(EMAIL, AUDIENCE)}"
            verifier.verify(token)  # its first sight costs an import and a fetch: see bench.pubsub
            yield verifier, token


def body(event: JobEvent) -> bytes:
    message = {
        "data": base64.b64encode(event.encode()).decode(),
        "attributes": event.attributes(),
        "messageId": "1",
        "publishTime": "2026-11-27T14:00:00Z",
    }
    return json.dumps({"message": message, "subscription": "s"}).encode()


def rate(app: Any, content: bytes, count: int, token: str = "Bearer t") -> float:
    """Requests a second that the app answers one after the other."""
    headers = [(b"authorization", token.encode()), (b"content-length", str(len(content)).encode())]
    scope = {"type": "http", "method": "POST", "path": "/push/jobs", "query_string": b"", "headers": headers}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        assert message.get("status", 204) == 204, message

    async def drive() -> float:
        began = time.perf_counter()
        for _ in range(count):
            await app(dict(scope), receive, send)
        return count / (time.perf_counter() - began)

    return asyncio.run(drive())


def bare() -> Starlette:
    async def accept(request: Request) -> Response:
        json.loads(await request.body())
        return Response(status_code=204)

    return Starlette(routes=[Route("/push/jobs", accept, methods=["POST"])])


def ready_s(tmp: Path) -> float:
    """From exec to the port's line, for a push app that has everything but the cloud's clients."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "tests.push_process", str(tmp)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seconds = time.perf_counter() - began
        process.kill()
    return seconds


def median(runs: int, act: Callable[[], float]) -> float:
    return statistics.median(act() for _ in range(runs))


def overhead_row(name: str, pushes: list[Taken], bar: float | None) -> tuple[str, str, float, float | None]:
    total, waiting = (statistics.median(getattr(push, name) for push in pushes) for name in ("seconds", "waiting"))
    requests = statistics.median(push.requests for push in pushes)
    ratio = statistics.median(push.seconds / push.waiting for push in pushes)
    return name, f"{total * 1000:.1f} ms over {requests:.0f} requests of {waiting * 1000:.1f} ms", ratio, bar


def verdict(value: float, bar: float | None) -> str:
    if bar is None:
        return ""
    lower = bar in (OVERHEAD_BAR, READY_BAR_S)
    met = value <= bar if lower else value >= bar
    return f"{'<=' if lower else '>='} {bar:<6} {'met' if met else 'NOT MET'}"


def in_memory() -> str | None:
    """Where run folders are on Cloud Run: in memory. None: this machine has no such place, the usual one must do."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=60)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory(dir=in_memory()) as run_root,
        gcs.served(Path(folder) / "gcs") as served,
    ):
        store = GcsBlobStore.connect(gcs.BUCKET, SystemClock(), endpoint=served.endpoint)
        bench = SpineBench(store, Path(run_root) / "world")
        bench.overhead(5)
        spine, whole = bench.overhead(asked.jobs)
        read = median(asked.runs, lambda: bench.duplicates(200, remembered=False))
        memory = median(asked.runs, lambda: bench.duplicates(2000, remembered=True))
        floor = median(asked.runs, lambda: rate(bare(), body(bench.event()), 2000))
        share = bench.token_share(2000, asked.runs)
        peer = bench.peer(asked.jobs) if idempotency.installed() else []
        store.close()
        ready = median(asked.runs, lambda: ready_s(Path(folder) / "push"))
    rows = [
        overhead_row("push overhead, p50", spine, OVERHEAD_BAR),
        overhead_row("the same with its two idle stages", whole, None),
        ("duplicates a second, one read", f"{read:.0f}/s", read, READ_BAR),
        ("duplicates a second, from memory", f"{memory:.0f}/s (bare app {floor:.0f}/s)", memory, MEMORY_BAR),
        ("with signed tokens, by without", f"{share:.2f} of the rate", share, TOKEN_BAR),
        *peer,
        ("exec to ready", f"{ready:.2f} s", ready, READY_BAR_S),
    ]
    for name, shown, value, bar in rows:
        print(f"{name:34} {shown:48} {value:8.2f}  {verdict(value, bar)}")


if __name__ == "__main__":
    main()
