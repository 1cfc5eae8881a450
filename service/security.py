"""Security headers of every answer: only the service's own files may run, style or frame it, and no cache keeps it."""

from __future__ import annotations

from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none';"
        " frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
HSTS: Final = "max-age=31536000"


class SecurityHeaders:
    """Wraps an ASGI app. ``tls``: browsers reach it over TLS only."""

    def __init__(self, app: ASGIApp, *, tls: bool = False) -> None:
        self.app = app
        self._headers = {**HEADERS, **({"strict-transport-security": HSTS} if tls else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self.app(scope, receive, with_headers)


class GuardedApp(Starlette):
    """An app whose middleware also handles the answer to a fault, which Starlette makes outside of all middleware."""

    def build_middleware_stack(self) -> ASGIApp:
        several, self.user_middleware = self.user_middleware, []
        app = super().build_middleware_stack()
        self.user_middleware = several
        for cls, args, kwargs in reversed(several):
            app = cls(app, *args, **kwargs)
        return app
