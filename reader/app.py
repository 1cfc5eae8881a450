"""The ASGI app: API, pages, health, and the answers to what is none of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from reader import site, tools
from reader.api import Api, refused
from reader.errors import CallRefusal, bug
from reader.service import ReaderService
from reader.sessions import Codes, UserSessions
from service.security import GuardedApp, SecurityHeaders

#: Names of this machine, to which health checks and the embedded stack come.
LOOPBACK: Final = ("127.0.0.1", "localhost")
HEALTH: Final = frozenset({"/healthz", "/readyz", "/ready"})


class NamedHosts(TrustedHostMiddleware):
    """Answers only to its own names, so that a foreign name that resolves here (DNS rebinding) gets nothing.

    Except for health: a platform probes by an address of its own.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] in HEALTH:
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


@dataclass(frozen=True, slots=True)
class Doors:
    """``origin``: the address for browsers. ``app_origins``: origins of the app. ``key``: of sessions, 32 bytes.

    ``hosts``: further names that the service answers to. ``codes``: whether codes for the browser are issued.
    """

    origin: str
    app_origins: Sequence[str]
    key: bytes
    codes: bool = False
    hosts: Sequence[str] = ()


def create_app(service: ReaderService, doors: Doors, *, ready: Callable[[], bool] = lambda: True) -> Starlette:
    """The app. ``ready``: whether it may get requests. Needs no lifespan events."""
    codes = Codes(service.clock.now) if doors.codes else None
    pages = site.Site(
        service,
        UserSessions(doors.key, service.clock.now),
        doors.origin,
        tuple(doors.app_origins),
        site.templates(),
        codes,
    )

    async def readyz(_: Request) -> Response:
        return JSONResponse({"status": "ready" if ready() else "starting"}, 200 if ready() else 503)

    routes = [
        *Api(service, doors.origin, codes).routes(),
        *pages.routes(),
        # An ASGI app, and not an endpoint of Starlette: it writes its responses itself.
        Route(tools.PATH, tools.Mcp(service), methods=["POST"], name="mcp"),
        Route("/healthz", _healthz),
        Route("/readyz", readyz),
        # Cloud Run's front end reserves paths that end in z.
        Route("/ready", readyz),
    ]
    names = [*LOOPBACK, *doors.hosts, urlsplit(doors.origin).hostname or ""]
    middleware = [
        Middleware(SecurityHeaders, tls=doors.origin.startswith("https://")),
        Middleware(NamedHosts, allowed_hosts=list(filter(None, names)), www_redirect=False),
        Middleware(
            CORSMiddleware,
            allow_origins=list(doors.app_origins),
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
            expose_headers=["retry-after"],
        ),
    ]
    return GuardedApp(routes=routes, middleware=middleware, exception_handlers=_faults(pages))


async def _healthz(_: Request) -> Response:
    return JSONResponse({"status": "ok"})


def _faults(pages: site.Site) -> Mapping[Any, Callable[[Request, Exception], Awaitable[Response]]]:
    """What answers an unknown address and a fault: a page where a browser opens one, else the body of an error."""

    def page(request: Request, status: int, code: str, title: str, hint: str) -> Response:
        return pages.refused(CallRefusal(status, code, title, hint=hint), pages.session(request))

    async def no_call(request: Request, exc: Exception) -> Response:
        status = exc.status_code if isinstance(exc, HTTPException) else 404
        code = {404: "not_found", 405: "method_not_allowed"}.get(status, "refused")
        if _opens_page(request):
            hint = "Go back to Today." if pages.session(request) else "Open your memory from the app."
            return page(request, status, code, "There is no such page", hint)
        hint = "GET /openapi.json lists the calls."
        return refused(CallRefusal(status, code, "The reader has no such call", hint=hint))

    async def failed(request: Request, exc: Exception) -> Response:
        refusal = bug(exc)
        if _opens_page(request):
            return page(request, refusal.status, refusal.code, "Something went wrong", "Try again in a minute.")
        return refused(refusal)

    return {HTTPException: no_call, Exception: failed}


def _opens_page(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")
