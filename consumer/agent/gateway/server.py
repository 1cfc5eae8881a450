"""ModelGateway: one loopback server per job, in a thread that ends with the job."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from consumer.agent.gateway.app import GatewayApp
from consumer.agent.gateway.ledger import Prices, UsageLedger, UsageLimits
from consumer.agent.gateway.slots import Slots
from consumer.agent.gateway.upstream import Upstream, tag_headers
from consumer.errors import ToolFailed
from consumer.ports import Clock, ModelAccess, ModelCall, ModelTags, ModelView
from contract.api import Usage
from service import roots
from service.upstreams import Endpoint

#: A model may think for minutes before its first byte; the job's own time limit is the outer bound.
READ_S: Final = 600.0
CONNECT_S: Final = 10.0
#: After this the thread is abandoned; it is a daemon and its socket is closed.
STOP_S: Final = 5.0
#: A machine that also runs a model may need several of them.
START_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class GatewaySession:
    """Implements consumer.ports.ModelSession."""

    access: ModelAccess
    ledger: UsageLedger

    def usage(self) -> Usage:
        return self.ledger.usage()

    def calls(self) -> tuple[ModelCall, ...]:
        return self.ledger.calls()

    def check(self) -> None:
        self.ledger.check()

    def exceeded(self) -> str:
        return self.ledger.exceeded()


@dataclass(frozen=True, slots=True)
class LoopbackGateway:
    """``base_url`` and ``key``: the real endpoint's; ``models``: the names that a job may use; ``upstreams``: the
    endpoints of models that ``base_url`` does not serve.
    """

    base_url: str
    key: str = field(repr=False)
    models: frozenset[str]
    budget: UsageLimits
    prices: Prices
    clock: Clock
    #: Caps the sessions that call this provider at a time; None: no cap (one machine).
    slots: Slots | None = None
    #: The budgets of job types that have one of their own.
    budgets: Mapping[str, UsageLimits] = field(default_factory=dict)
    upstreams: Mapping[str, Endpoint] = field(default_factory=dict)
    #: Once it is set, answers under way are cut within two seconds, so that nobody waits for them.
    shutdown: threading.Event = field(default_factory=threading.Event)
    new_token: Callable[[], str] = lambda: secrets.token_urlsafe(32)

    @contextmanager
    def open(self, tags: ModelTags, spent: Usage, view: ModelView | None = None) -> Iterator[GatewaySession]:
        """See ports.ModelGateway."""
        with (
            self.slots.hold(tags.job_id) if self.slots else nullcontext(),
            self._listening(tags, spent, view) as session,
        ):
            yield session

    @contextmanager
    def _listening(self, tags: ModelTags, spent: Usage, view: ModelView | None) -> Iterator[GatewaySession]:
        try:
            listener = _listen()
        except OSError as exc:
            raise ToolFailed(f"job {tags.job_id}: no loopback port for the model gateway") from exc
        token = self.new_token()
        limits, total = (view.limits, view.total) if view else (None, None)
        ledger = UsageLedger(tags, self.budgets.get(tags.job_type, self.budget), self.prices, spent, limits, total)
        server = _GatewayServer(
            listener, lambda clients: self._app(token, tags, ledger, clients, view), shutdown=self.shutdown
        )
        try:
            server.start()
            yield GatewaySession(ModelAccess(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", token), ledger)
        finally:
            server.stop()
            listener.close()

    def _app(
        self, token: str, tags: ModelTags, ledger: UsageLedger, clients: _Clients, view: ModelView | None
    ) -> GatewayApp:
        def upstream(endpoint: Endpoint) -> Upstream:
            base_url, key = endpoint.base_url.rstrip("/"), endpoint.key
            return Upstream(base_url, key, clients.of(base_url), asyncio.sleep, tag_headers(tags, key))

        by_model = {model: upstream(endpoint) for model, endpoint in self.upstreams.items()}
        default = upstream(Endpoint(self.base_url, self.key))
        return GatewayApp(token, self.models, ledger, default, self.clock, view, by_model)


class _Clients:
    """The connection pools of a gateway: one for each route to a provider. ``stack`` closes them."""

    def __init__(self, stack: contextlib.AsyncExitStack) -> None:
        self._stack = stack
        self._pools: dict[tuple[bool, bool], httpx.AsyncClient] = {}

    def of(self, base_url: str) -> httpx.AsyncClient:
        """The pool for this address. Calls to a real provider use the proxy from the environment; calls to a model on
        this machine never do.
        """
        parts = urlsplit(base_url)
        outside = parts.hostname not in ("127.0.0.1", "localhost", "::1")
        # Plain HTTP on loopback has no certificate, and loading the root certificates takes longer than the rest of
        # opening a pool.
        secure = outside or parts.scheme == "https"
        if (outside, secure) not in self._pools:
            verify = roots.trusted() if secure else False
            client = httpx.AsyncClient(
                timeout=httpx.Timeout(READ_S, connect=CONNECT_S), trust_env=outside, verify=verify
            )
            self._stack.push_async_callback(client.aclose)
            self._pools[outside, secure] = client
        return self._pools[outside, secure]


#: Connections at a time; more are cut at once. A tool's own network carries as many (netfence.MOST), so only a tool
#: without one can reach this: it would take the files that this process may have open.
CONNECTIONS: Final = 128
#: Seconds from the start of a request, or of its connection, until its headers must have arrived.
HEAD_S: Final = 60.0
#: Seconds that an unfinished answer gets when the job ends; then it is cut off.
DRAIN_S: Final = 1.0
DRAIN_POLL_S: Final = 0.002
#: How often an open gateway looks whether the process is stopping.
SHUTDOWN_POLL_S: Final = 0.5


def _listen() -> socket.socket:
    """A free loopback port that listens from now on, so that a client connecting before the thread runs just waits."""
    # Name the protocol: asyncio disables Nagle's algorithm only for such sockets. Otherwise each answer of two writes
    # waits 40 ms for a delayed acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
    except OSError:
        listener.close()
        raise
    return listener


#: uvicorn's warnings about requests that are not HTTP: an agent could fill the service's log with them.
_UNHEARD: Final = logging.Logger("model-gateway-connections", logging.CRITICAL + 1)


class _AgentConnection(H11Protocol):
    """uvicorn's, for hostile callers: limits their number and time, and logs nothing."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.logger = _UNHEARD
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS:
            transport.abort()
            return
        self._late = self.loop.call_later(HEAD_S, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._in_time()  # a request is being answered; its body has its own limit (app.py)
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        super().connection_lost(exc)

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class _Uvicorn(uvicorn.Server):
    """Ends at once when stopped, not at the next tenth of a second, which a job would wait for."""

    def __init__(self, config: uvicorn.Config, process_shutdown: threading.Event) -> None:
        super().__init__(config)
        self._process_shutdown = process_shutdown
        self._told = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    async def main_loop(self) -> None:
        while not self._told.is_set() and not self._process_shutdown.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), SHUTDOWN_POLL_S)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """uvicorn's own without its pause of a tenth of a second: the caller is gone by now, so little is open."""
        for server in self.servers:
            server.close()
        for open_socket in sockets or []:
            open_socket.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        until = self._loop.time() + DRAIN_S
        while (self.server_state.connections or self.server_state.tasks) and self._loop.time() < until:
            await asyncio.sleep(DRAIN_POLL_S)
        for task in self.server_state.tasks:
            task.cancel()

    def end(self) -> None:
        """Stop the server; callable from any thread, also once it has stopped by itself."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._told.set)


class _GatewayServer:
    """uvicorn on a socket that already listens, with its own event loop and its own connection pools."""

    def __init__(
        self,
        listener: socket.socket,
        make: Callable[[_Clients], GatewayApp],
        *,
        shutdown: threading.Event,
    ) -> None:
        self._shutdown = shutdown
        self._listener = listener
        self._make = make
        self._thread = threading.Thread(target=self._run, name="model-gateway", daemon=True)
        self._server: _Uvicorn | None = None
        self._ready = threading.Event()
        self._over = threading.Event()

    def start(self) -> None:
        """Raises ToolFailed: it did not start, or its thread died."""
        self._thread.start()
        if not self._ready.wait(START_S):
            raise ToolFailed(f"the model gateway did not start within {START_S:.0f} s")

    def stop(self) -> None:
        self._over.set()
        if self._server:
            self._server.end()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        async with contextlib.AsyncExitStack() as stack:
            config = uvicorn.Config(
                self._make(_Clients(stack)),
                log_config=None,
                access_log=False,
                lifespan="off",
                # By h11: the other parser keeps a header however long it is; an agent writes them.
                http=_AgentConnection,
                ws="none",
                server_header=False,
                date_header=False,
                timeout_keep_alive=60,
            )
            self._server = _Uvicorn(config, self._shutdown)
            self._ready.set()
            if not self._over.is_set():  # otherwise start() has given up
                await self._server.serve(sockets=[self._listener])
