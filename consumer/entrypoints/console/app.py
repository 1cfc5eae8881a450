"""The console's ASGI app: who may see which page, and how a page becomes an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import jinja2
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from consumer import telemetry
from consumer.core.errors import ConsumerError, RequestRefused
from consumer.engine.history import NoSuchCommit
from consumer.entrypoints.console import pages
from consumer.entrypoints.console.asking import Ask, Operations, Refused, read_form
from consumer.entrypoints.console.library import Library, TooLarge
from consumer.entrypoints.console.pages import Pages
from consumer.entrypoints.console.security import SecurityHeaders
from consumer.entrypoints.console.sessions import LIFE, Link, Session, Sessions
from consumer.entrypoints.console.shelf import Shelf

FOLDER: Final = Path(__file__).parent
COOKIE: Final = "cloop_console"
#: Names under which the console may be asked for: a page elsewhere that points its own name here gets nothing.
HOSTS: Final = ("127.0.0.1", "localhost")

Act = Callable[[Ask], pages.Shown]


@dataclass(frozen=True, slots=True)
class Console:
    """Sign-in, sign-out, and every page behind them."""

    operator: str
    link: Link
    sessions: Sessions
    templates: jinja2.Environment

    def page(self, act: Act) -> Callable[[Request], Any]:
        """An endpoint for a signed-in operator; a POST must carry the session's form token."""

        async def endpoint(request: Request) -> Response:
            session = self.sessions.open(request.cookies.get(COOKIE))
            if session is None:
                return self._refused(Refused(401, "You are not signed in", _SIGN_IN))
            try:
                ask = await self._ask(request, session)
                response = await run_in_threadpool(self._answer, act, ask)
            except Refused as exc:
                response = self._refused(exc, session)
            self._keep(response, session)
            return response

        return endpoint

    async def sign_in(self, request: Request) -> Response:
        """GET shows a button, so that whatever only looks at the link does not use it up; POST redeems it."""
        if request.method != "POST":
            return self._render(200, "sign_in.html", {"token": request.query_params.get("token", "")}, None)
        try:
            form = await read_form(request)
        except Refused as exc:
            return self._refused(exc)
        if not self.link.redeem((form.get("token") or [""])[0]):
            return self._refused(Refused(403, "This link does not work", _SIGN_IN))
        telemetry.log("console_sign_in", operator=self.operator)
        response = RedirectResponse("/jobs", status_code=303)
        self._keep(response, self.sessions.start())
        return response

    async def sign_out(self, request: Request) -> Response:
        session = self.sessions.open(request.cookies.get(COOKIE))
        if session is None:
            return self._refused(Refused(401, "You are not signed in", _SIGN_IN))
        try:
            await self._ask(request, session)
        except Refused as exc:
            return self._refused(exc, session)
        response = self._render(200, "signed_out.html", {}, None)
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return response

    async def _ask(self, request: Request, session: Session) -> Ask:
        path = {name: str(value) for name, value in request.path_params.items()}
        ask = Ask(session, path, dict(request.query_params))
        if request.method != "POST":
            return ask
        form = await read_form(request)
        if not self.sessions.holds(session, (form.get("form_token") or [""])[0]):
            raise Refused(403, "That form is not from this session", "Open the page again and send it from there.")
        return Ask(session, path, ask.query, form)

    def _answer(self, act: Act, ask: Ask) -> Response:
        try:
            template, values = act(ask)
        except (Refused, NoSuchCommit, TooLarge, ConsumerError) as exc:
            return self._refused(_told(exc), ask.session)
        return self._render(200, template, values, ask.session)

    def _refused(self, refused: Refused, session: Session | None = None) -> Response:
        values = {"title": refused.title, "advice": refused.advice, "status": refused.status}
        return self._render(refused.status, "refused.html", values, session)

    def _render(self, status: int, template: str, values: dict[str, Any], session: Session | None) -> Response:
        signed_in = {"operator": self.operator, "form_token": self.sessions.form_token(session)} if session else {}
        text = self.templates.get_template(template).render(**values, **signed_in)
        return HTMLResponse(text, status_code=status)

    def _keep(self, response: Response, session: Session) -> None:
        response.set_cookie(
            COOKIE, self.sessions.seal(session), max_age=int(LIFE.total_seconds()), httponly=True, samesite="strict"
        )


_SIGN_IN: Final = (
    "Open the link that `cloop-memory console` printed. It works once; start the console again for a new one."
)


def create_app(operations: Operations, link: Link, sessions: Sessions) -> Starlette:
    """The ASGI app. Needs no lifespan events."""
    console = Console(operations.operator, link, sessions, _templates())
    shown = Pages(operations, Library(operations.workspaces), Shelf(operations))
    routes = [
        Route("/", _home),
        Route("/console.css", _stylesheet),
        Route("/favicon.ico", _no_icon),
        Route("/sign-in", console.sign_in, methods=["GET", "POST"]),
        Route("/sign-out", console.sign_out, methods=["POST"]),
        Route("/jobs", console.page(shown.jobs)),
        Route("/jobs/{job_id:uuid}", console.page(shown.job)),
        Route("/dead-letters", console.page(shown.dead_letters)),
        Route("/dead-letters/{fingerprint}", console.page(shown.dead_group), methods=["GET"]),
        Route("/dead-letters/{fingerprint}", console.page(shown.act_on_dead), methods=["POST"]),
        Route("/users", console.page(shown.users)),
        Route("/users/{user_id:uuid}", console.page(shown.user)),
        Route("/users/{user_id:uuid}/commits/{seq:int}", console.page(shown.commit)),
        Route("/users/{user_id:uuid}/files/{path:path}", console.page(shown.file)),
    ]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=list(HOSTS), www_redirect=False)
    return Starlette(routes=routes, middleware=[Middleware(SecurityHeaders), hosts])


def _told(error: Exception) -> Refused:
    """What the page says of an error that somebody expected."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, NoSuchCommit):
        return Refused(404, "This workspace has no such commit", str(error))
    if isinstance(error, TooLarge):
        return Refused(413, "That file is too large to show", str(error))
    if isinstance(error, RequestRefused):
        status = error.args[1] if len(error.args) > 1 else 400
        return Refused(status, "The control plane refuses that", str(error.args[0]))
    if isinstance(error, ConsumerError):
        return Refused(502, f"That did not work out: {error.code}", f"{error.args[0]}. {error.hint}")
    raise error


async def _home(_: Request) -> Response:
    return RedirectResponse("/jobs", status_code=303)


async def _no_icon(_: Request) -> Response:
    return Response(status_code=204)


async def _stylesheet(_: Request) -> Response:
    return FileResponse(FOLDER / "static" / "console.css", media_type="text/css")


def _moment(at: datetime | str | None) -> str:
    """UTC to the second; records of the bucket keep their times as text."""
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment else ""


def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["moment"] = _moment
    environment.filters["short"] = lambda text: str(text)[:8]
    environment.globals["address"] = pages.address
    return environment
