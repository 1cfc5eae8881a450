"""One Pub/Sub server: store, broker, gRPC port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import grpc

from local.machine import HOST
from local.pubsub import push, wire
from local.pubsub.broker import Broker, PushSettings
from local.pubsub.store import MessageStore

#: Time for running requests when the server stops.
GRACE_S = 0.2
#: Sockets to push endpoints; more wait for a free one.
MAX_CONNECTIONS = 256


@dataclass
class PubsubServer:
    """A running server. ``address`` is the value of PUBSUB_EMULATOR_HOST."""

    broker: Broker
    port: int

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def ready(self) -> dict[str, Any]:
        return {"address": self.address, "port": self.port}


@asynccontextmanager
async def start(
    data: Path,
    port: int = 0,
    *,
    token_url: str | None = None,
    push_max_backoff_s: float = push.MAX_BACKOFF_S,
) -> AsyncIterator[PubsubServer]:
    """Serve what is in ``data``. ``token_url`` is the OIDC issuer's token endpoint; None: pushes are unsigned."""
    connector = aiohttp.TCPConnector(limit=MAX_CONNECTIONS)
    async with aiohttp.ClientSession(connector=connector, auto_decompress=False) as session:
        tokens = push.IssuedTokens(session, token_url) if token_url else None
        broker = Broker(MessageStore(data / "pubsub.sqlite"), PushSettings(session, tokens, push_max_backoff_s))
        server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", wire.MAX_GRPC_BYTES),
                ("grpc.max_send_message_length", wire.MAX_GRPC_BYTES),
                ("grpc.so_reuseport", 0),
            ]
        )
        server.add_generic_rpc_handlers(tuple(wire.handlers(broker)))
        bound = server.add_insecure_port(f"{HOST}:{port}")
        await server.start()
        try:
            yield PubsubServer(broker, bound)
        finally:
            await server.stop(GRACE_S)
            await broker.close()
