"""The HTTP edge: ASGI in, one synchronous call on the event loop, ASGI out. Serving in a thread or as a process."""

from __future__ import annotations

import asyncio
import socket
import threading
import uuid
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import uvicorn

from local.gcs.messages import HttpRequest, Response, parse_query
from local.gcs.routes import Router
from local.gcs.store import ObjectStore

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Now = Callable[[], datetime]

#: Seconds given to open connections when the server stops.
SHUTDOWN_S = 2
#: Seconds after which deleted bytes are gone from the disk's files; a sweep's many deletes share one flush.
SCRUB_S = 1.0


def system_now() -> datetime:
    return datetime.now(UTC)


class BucketApp:
    """ASGI application. A call runs on the loop without awaiting, so calls are atomic to each other."""

    def __init__(self, store: ObjectStore) -> None:
        self._now, self._store, self._scrubbing = store.now, store, False
        self._router = Router(store, lambda: uuid.uuid4().hex)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = await _body(receive)
        if body is None:
            return
        response = self._router(_request(scope, body))
        if self._store.unscrubbed and not self._scrubbing:
            self._scrubbing = True
            asyncio.get_running_loop().call_later(SCRUB_S, self._scrub)
        await self._respond(scope["method"], response, send)

    def _scrub(self) -> None:
        self._scrubbing = False
        self._store.scrub()

    async def _respond(self, method: str, response: Response, send: Send) -> None:
        # Our own Date, made for each response: a server's once-a-second one may lag behind `updated`.
        headers = {
            "date": format_datetime(self._now().astimezone(UTC), usegmt=True),
            "content-length": str(len(response.body)),
            **response.headers,
        }
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": response.status, "headers": raw})
        await send({"type": "http.response.body", "body": b"" if method == "HEAD" else response.body})


async def _body(receive: Receive) -> bytes | None:
    chunks: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        if message.get("body"):
            chunks.append(message["body"])
        if not message.get("more_body"):
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def _request(scope: Scope, body: bytes) -> HttpRequest:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    query_text = scope["query_string"].decode("latin-1")
    return HttpRequest(
        method=scope["method"],
        path=scope["raw_path"].decode("latin-1").partition("?")[0],
        query=parse_query(query_text),
        headers=headers,
        body=body,
        base_url=f"http://{headers.get('host', 'localhost')}",
        query_text=query_text,
    )


def listen(port: int) -> socket.socket:
    """A listening loopback socket; port 0 takes a free one. From here on a client's connection waits, not fails."""
    return socket.create_server(("127.0.0.1", port), backlog=512)


def make_server(store: ObjectStore) -> uvicorn.Server:
    config = uvicorn.Config(
        BucketApp(store),
        loop="uvloop",
        http="httptools",
        lifespan="off",
        access_log=False,
        log_level="warning",
        date_header=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
        interface="asgi3",
    )
    return uvicorn.Server(config)


@contextmanager
def serve(
    data_dir: Path, port: int = 0, *, now: Now = system_now, write_interval_s: float = 0.0, durable: bool = False
) -> Iterator[str]:
    """Serve in a thread of this process; gives the base URL, which is a value for STORAGE_EMULATOR_HOST.

    ``durable`` makes writes outlive a power cut; tests need them to outlive the process only.
    Raises OSError when the port is taken.
    """
    store = ObjectStore(data_dir, now, write_interval_s=write_interval_s, durable=durable)
    with closing(store), closing(listen(port)) as sock:
        server = make_server(store)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, name="local-gcs", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{sock.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
