"""The push app: POST /push/jobs, /push/ticks, /push/dead-letters from Pub/Sub; GET /healthz, /readyz, /ready.

The token is verified before anything else is read. The status depends only on the outcome: 204 recorded, 503 not
recorded. Work runs in its own threads; the event loop only reads and responds.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import FrameType
from typing import Final, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from consumer.delivery import envelope
from consumer.delivery.envelope import Delivery
from consumer.delivery.handler import Handler
from consumer.delivery.outcome import Outcome
from consumer.delivery.runfolder import FolderBusy, RunFolder
from consumer.errors import ConsumerError, KeysUnavailable, MalformedMessage, NotAllowed, PluginRefused
from consumer.ports import TokenVerifier
from service import serving, telemetry

#: One thread for the run; the others answer duplicates, ticks and "busy" meanwhile.
THREADS: Final = 8
#: Of Cloud Run's 10 s after SIGTERM; in the rest the process sends its last spans (telemetry.FLUSH_S) and ends.
GRACEFUL_S: Final = 7
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PushApp:
    """``ready`` returns the reasons why no work can be done now; none means ready."""

    handler: Handler
    verifier: TokenVerifier
    shutdown: threading.Event
    ready: Callable[[], Sequence[str]]
    body_limit: int
    pool: ThreadPoolExecutor

    async def jobs(self, request: Request) -> Response:
        return await self._push(request, self.handler.job)

    async def ticks(self, request: Request) -> Response:
        return await self._push(request, self.handler.tick)

    async def dead_letters(self, request: Request) -> Response:
        return await self._push(request, self.handler.dead_letter)

    async def healthz(self, _request: Request) -> Response:
        return JSONResponse({"status": "alive"})

    async def readyz(self, _request: Request) -> Response:
        reasons = ["shutting down"] if self.shutdown.is_set() else list(await self._in_thread(self.ready))
        return JSONResponse({"ready": not reasons, "reasons": reasons}, status_code=503 if reasons else 200)

    async def _push(self, request: Request, act: Callable[[Delivery], Outcome]) -> Response:
        authorization = request.headers.get("authorization")
        # Pub/Sub sends the same token for up to an hour; only a new one may need keys, and so a thread.
        if self.verifier.known(authorization) is None:
            refusal = await self._in_thread(lambda: self._refusal(authorization))
            if refusal:
                return refusal
        if self.shutdown.is_set():
            return _text(503, "shutting down")
        body, complete = await _read(request, self.body_limit)
        return await self._in_thread(lambda: self._respond(body, complete, act))

    def _refusal(self, authorization: str | None) -> Response | None:
        try:
            self.verifier.verify(authorization)
        except NotAllowed as exc:
            status = exc.args[1] if len(exc.args) > 1 and exc.args[1] in (401, 403) else 403
            return _refused(status, exc)
        except KeysUnavailable as exc:
            return _refused(503, exc)
        return None

    def _respond(self, body: bytes, complete: bool, act: Callable[[Delivery], Outcome]) -> Response:
        try:
            outcome = self._handled(body, complete, act)
        except Exception as exc:  # noqa: BLE001 (a bug before anything was recorded: Pub/Sub keeps the message)
            telemetry.log("bug", exc_info=exc, level=telemetry.ERROR)
            return _text(503, "unexpected_failure")
        return Response(status_code=outcome.http_status, headers={"x-outcome": outcome.name})

    def _handled(self, body: bytes, complete: bool, act: Callable[[Delivery], Outcome]) -> Outcome:
        if not complete:
            return self.handler.refuse(body, MalformedMessage(f"push body is larger than {self.body_limit} bytes"))
        try:
            delivery = envelope.decode(body)
        except MalformedMessage as exc:
            return self.handler.refuse(body, exc)
        return act(delivery)

    async def _in_thread(self, act: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.pool, act)


def create_app(
    handler: Handler,
    verifier: TokenVerifier,
    *,
    shutdown: threading.Event,
    ready: Callable[[], Sequence[str]],
    body_limit: int,
) -> Starlette:
    """The ASGI app. It needs no lifespan events; the caller does the start-up work."""
    app = PushApp(handler, verifier, shutdown, ready, body_limit, ThreadPoolExecutor(THREADS, "push"))
    return Starlette(
        routes=[
            Route("/push/jobs", app.jobs, methods=["POST"]),
            Route("/push/ticks", app.ticks, methods=["POST"]),
            Route("/push/dead-letters", app.dead_letters, methods=["POST"]),
            Route("/healthz", app.healthz, methods=["GET"]),
            Route("/readyz", app.readyz, methods=["GET"]),
            Route("/ready", app.readyz, methods=["GET"]),
        ]
    )


class _PushServer(uvicorn.Server):
    """uvicorn that sets ``shutdown`` first: a run must learn of SIGTERM while its request is still open."""

    def __init__(self, config: uvicorn.Config, shutdown: threading.Event, on_ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._shutdown_event = shutdown
        self._on_ready = on_ready

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._shutdown_event.set()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready(self.servers[0].sockets[0].getsockname()[1])


def serve(app: Starlette, *, host: str, port: int, shutdown: threading.Event, on_ready: Callable[[int], None]) -> None:
    """Serve until SIGTERM or SIGINT, then return. ``on_ready`` gets the actual port, for port 0."""
    config = serving.configuration(app, host=host, port=port, log_config=None, timeout_graceful_shutdown=GRACEFUL_S)
    serving.ignore_signals()
    _PushServer(config, shutdown, on_ready).run()


def drained(folder: RunFolder) -> int:
    """The exit code after serving: 0, unless a run did not stop in time. Then the process ends by SIGTERM at once,
    together with the run's tools, as Cloud Run's SIGKILL would do a second later.
    """
    try:
        with folder.mutex():
            return 0
    except FolderBusy:
        telemetry.log("a run did not stop in time", level=telemetry.ERROR)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)
        return 1


async def _read(request: Request, limit: int) -> tuple[bytes, bool]:
    """The body up to ``limit`` bytes, and whether it is complete."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        parts.append(part[: limit - size])
        size += len(part)
        if size > limit:
            return b"".join(parts), False
    return b"".join(parts), True


def _refused(status: int, error: ConsumerError) -> Response:
    # The token is never logged; the reason is one of the verifier's own messages.
    telemetry.log("push refused", status=status, code=error.code, reason=str(error.args[0]), level=telemetry.WARNING)
    return _text(status, error.code)


def _text(status: int, code: str) -> Response:
    return JSONResponse({"error": {"code": code}}, status_code=status)


def main() -> int:
    """Exit code 0 after SIGTERM once no run is left (see ``drained``), 2 if the environment is wrong."""
    from consumer import bootstrap, settings  # noqa: PLC0415 (tests import this module for its app alone)

    try:
        loaded = settings.load()
        bootstrap.setup_telemetry("consumer", loaded)
        parts = bootstrap.consumer(loaded)
    except (settings.SettingsError, PluginRefused) as exc:
        sys.stderr.write(f"consumer: {exc}\n")
        return 2
    app = create_app(
        parts.handler, parts.verifier, shutdown=parts.shutdown, ready=parts.ready, body_limit=parts.body_limit
    )
    bootstrap.settle_memory()
    # The Pub/Sub client takes a second to import, so import it in the background and not in the first run.
    threading.Thread(target=parts.warm, name="warm", daemon=True).start()
    serve(
        app,
        host=loaded.host,
        port=loaded.port,
        shutdown=parts.shutdown,
        on_ready=lambda port: telemetry.log("ready", port=port),
    )
    return drained(parts.handler.folder)


if __name__ == "__main__":
    sys.exit(main())
