"""The console's ASGI app: checks who may see a page, and renders it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode, urlsplit

import jinja2
from markupsafe import Markup, escape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from consumer.console import pages
from consumer.console.actions import Actions
from consumer.console.dead_letters import DeadLetterList
from consumer.console.library import Library, TooLarge
from consumer.console.pages import Pages
from consumer.console.readings import Readings
from consumer.console.requests import Ask, Goto, RequestRefusal, read_form
from consumer.console.sessions import LIFE, ConsoleSession, Sessions, SignInLink, cookie_name
from consumer.console.sign_in import CALLBACK, HOME, Door, LinkDoor, OidcDoor, Provider, SignInPage, Step
from consumer.errors import ConsumerError, RequestRefused
from consumer.repository.history import NoSuchCommit
from service import telemetry
from service.security import GuardedApp, SecurityHeaders

if TYPE_CHECKING:
    from consumer.bootstrap import Operations

FOLDER: Final = Path(__file__).parent
#: The query parameter with which a live page reloads itself.
AGAIN: Final = "again"
#: Host names that the console answers to, so that a foreign name that resolves here (DNS rebinding) gets nothing.
HOSTS: Final = ("127.0.0.1", "localhost")

_COMMAND: Final = re.compile(r"`([^`]+)`")

Act = Callable[[Ask], pages.Shown | Goto]
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Console:
    """Sign-in, sign-out, and every page behind them. ``origin``: the console's address for browsers; ``root``: the path
    of its pages there, which no page tells to strangers (``secret_root``).
    """

    door: Door
    sessions: Sessions
    templates: jinja2.Environment
    origin: str
    root: str = ""

    @property
    def cookie(self) -> str:
        """The name of the session's cookie."""
        return cookie_name("session", self.origin, self.sessions.key)

    @property
    def secure(self) -> bool:
        """Whether browsers send the cookie over TLS only."""
        return self.origin.startswith("https://")

    def page(self, act: Act) -> Endpoint:
        """An endpoint for a signed-in operator; a POST must carry the session's form token."""

        async def endpoint(request: Request) -> Response:
            session = self.sessions.open(request.cookies.get(self.cookie))
            if session is None:
                return self._stranger()
            try:
                ask = await self._ask(request, session)
                response = await run_in_threadpool(self._answer, act, ask)
            except RequestRefusal as exc:
                response = self._refused(exc, session)
            # A page that reloads itself does not show that anybody looks at it.
            if AGAIN not in request.query_params or request.method != "GET":
                self._keep(response, session)
            return response

        return endpoint

    async def home(self, request: Request) -> Response:
        """To the jobs; to the sign-in from an address that strangers know."""
        root = _root_of(request)
        return RedirectResponse(root + (HOME if root == self.root else "/sign-in"), status_code=HTTPStatus.SEE_OTHER)

    async def no_page(self, request: Request, error: Exception) -> Response:
        """The error page for an unknown route."""
        if not request.scope["path"].startswith(f"{self.root}/"):
            return self._refused(RequestRefusal(401, "You are not signed in", self.door.advice), root="")
        session = self.sessions.open(request.cookies.get(self.cookie))
        assert isinstance(error, HTTPException), "this is the handler of no other error"
        advice = "Check the address, or start at Jobs."
        return self._refused(RequestRefusal(error.status_code, "The console has no such page", advice), session)

    async def sign_in(self, request: Request) -> Response:
        try:
            return self._stepped(await self.door.sign_in(request), _root_of(request))
        except RequestRefusal as exc:
            return self._refused(exc, root=_root_of(request))

    def oidc(self, door: OidcDoor) -> tuple[Endpoint, Endpoint]:
        """The endpoints that lead to the issuer and back."""

        async def start(request: Request) -> Response:
            try:
                return await run_in_threadpool(door.start)
            except ConsumerError as exc:
                refusal = RequestRefusal(503, "The issuer cannot be reached", str(exc))
                return self._refused(refusal, root=_root_of(request))

        async def finish(request: Request) -> Response:
            query, cookie = dict(request.query_params), request.cookies.get(door.cookie)
            try:
                response = self._stepped(await run_in_threadpool(door.finish, query, cookie), _root_of(request))
            except RequestRefusal as exc:
                response = self._refused(exc, root=_root_of(request))
            response.delete_cookie(door.cookie, secure=self.secure)
            return response

        return start, finish

    async def sign_out(self, request: Request) -> Response:
        session = self.sessions.open(request.cookies.get(self.cookie))
        if session is None:
            return self._stranger()
        try:
            await self._ask(request, session)
        except RequestRefusal as exc:
            return self._refused(exc, session)
        self.sessions.end(session)
        telemetry.log("console_sign_out", operator=session.operator)
        response = self._render("signed_out.html", {"oidc": isinstance(self.door, OidcDoor)}, None)
        path = self.root or "/"
        response.delete_cookie(self.cookie, path, secure=self.secure)
        return response

    def _stepped(self, step: Step, root: str) -> Response:
        if isinstance(step, Response):
            return step
        if isinstance(step, SignInPage):
            return self._render(step.template, step.values, None, root=root)
        telemetry.log("console_sign_in", operator=step.operator)
        # A page that refreshes to the next one. After a redirect the request would still count as the issuer's, and the
        # browser would not send a strict cookie with it.
        home = self.root + HOME
        response = step.response or self._render("signed_in.html", {"home": home, "refresh_to": home}, None)
        self._keep(response, self.sessions.start(step.operator))
        return response

    async def _ask(self, request: Request, session: ConsoleSession) -> Ask:
        path = {name: str(value) for name, value in request.path_params.items()}
        ask = Ask(session, path, dict(request.query_params))
        if request.method != "POST":
            return ask
        form = await read_form(request)
        if not self.sessions.holds(session, (form.get("form_token") or [""])[0]):
            raise RequestRefusal(
                403, "That form is not from this session", "Open the page again and submit the form from there."
            )
        return Ask(session, path, ask.query, form)

    def _answer(self, act: Act, ask: Ask) -> Response:
        try:
            shown = act(ask)
        except (RequestRefusal, NoSuchCommit, TooLarge, ConsumerError) as exc:
            return self._refused(_refusal_of(exc), ask.session)
        if isinstance(shown, Goto):
            return RedirectResponse(self.root + shown.path, status_code=HTTPStatus.SEE_OTHER)
        template, values = shown
        again = "?" + urlencode({**ask.query, AGAIN: "1"})
        return self._render(template, {**values, "again": again}, ask.session)

    def _stranger(self) -> Response:
        return self._refused(RequestRefusal(401, "You are not signed in", self.door.advice))

    def _refused(
        self, refused: RequestRefusal, session: ConsoleSession | None = None, root: str | None = None
    ) -> Response:
        values = {"title": refused.title, "advice": refused.advice, "status": refused.status}
        # A visitor without a session can only sign in, if a page offers it.
        again = session is None and isinstance(self.door, OidcDoor)
        return self._render("refused.html", {**values, "sign_in_again": again}, session, refused.status, root)

    def _render(
        self,
        template: str,
        values: dict[str, Any],
        session: ConsoleSession | None,
        status: int = HTTPStatus.OK,
        root: str | None = None,
    ) -> Response:
        """``root``: the path that the page's links begin with, where that is not the pages' own."""
        signed_in = {"operator": session.operator, "form_token": self.sessions.form_token(session)} if session else {}
        text = self.templates.get_template(template).render(
            **values, **signed_in, root=self.root if root is None else root
        )
        return HTMLResponse(text, status_code=status)

    def _keep(self, response: Response, session: ConsoleSession) -> None:
        response.set_cookie(
            self.cookie,
            self.sessions.seal(session),
            max_age=int(LIFE.total_seconds()),
            path=self.root or "/",
            httponly=True,
            samesite="strict",
            secure=self.secure,
        )


def create_app(
    operations: Operations,
    link: SignInLink,
    sessions: Sessions,
    *,
    provider: Provider | None = None,
    origin: str = "",
    root: str = "",
) -> Starlette:
    """The ASGI app. ``provider``: where operators sign in instead of by the link. ``origin``: its address for browsers;
    ``root``: the path of its pages there.

    Needs no lifespan events.
    """
    oidc = OidcDoor(provider, origin, operations.clock, sessions.key) if provider else None
    console = Console(oidc or LinkDoor(operations.operator, link, root), sessions, _templates(), origin, root)
    shown = Pages(operations, Library(operations.workspaces), DeadLetterList(operations), Readings(operations), root)
    routes: list[BaseRoute] = [*_public(console), *_pages(console, shown), *_actions(console, Actions(operations))]
    if root:
        # An issuer sends browsers back to an address that it knows; a printed link has the root.
        routes = [Mount(root, routes=routes), *(_public(console) if oidc else [_style()])]
    names = [*HOSTS, *filter(None, [urlsplit(origin).hostname])]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=names, www_redirect=False)
    middleware = [Middleware(SecurityHeaders, tls=origin.startswith("https://")), hosts]
    return GuardedApp(routes=routes, middleware=middleware, exception_handlers={HTTPException: console.no_page})


def _public(console: Console) -> list[Route]:
    routes = [
        Route("/", console.home),
        _style(),
        Route("/favicon.ico", _no_icon),
        Route("/sign-in", console.sign_in, methods=["GET", "POST"]),
        Route("/sign-out", console.sign_out, methods=["POST"]),
    ]
    if isinstance(console.door, OidcDoor):
        start, finish = console.oidc(console.door)
        routes += [Route("/sign-in/start", start), Route(CALLBACK, finish)]
    return routes


def _style() -> Route:
    return Route("/console.css", _stylesheet)


def _pages(console: Console, shown: Pages) -> list[Route]:
    return [
        Route("/jobs", console.page(shown.jobs)),
        Route("/jobs/{job_id:uuid}", console.page(shown.job)),
        Route("/jobs/{job_id:uuid}/cancel", console.page(shown.cancelling), methods=["GET"]),
        Route("/dead-letters", console.page(shown.dead_letters)),
        Route("/dead-letters/{fingerprint}", console.page(shown.dead_group), methods=["GET"]),
        Route("/dead-letters/{fingerprint}", console.page(shown.act_on_dead), methods=["POST"]),
        Route("/users", console.page(shown.users), methods=["GET"]),
        Route("/users/{user_id:uuid}", console.page(shown.user)),
        Route("/users/{user_id:uuid}/commits/{seq}", console.page(shown.commit), methods=["GET"]),
        Route("/users/{user_id:uuid}/commits/{seq}", console.page(shown.reading), methods=["POST"]),
        Route("/users/{user_id:uuid}/files/{path:path}", console.page(shown.file), methods=["GET"]),
        Route("/users/{user_id:uuid}/files/{path:path}", console.page(shown.reading), methods=["POST"]),
        Route("/flags", console.page(shown.flags), methods=["GET"]),
    ]


def _actions(console: Console, acts: Actions) -> list[Route]:
    return [
        Route("/jobs/{job_id:uuid}/cancel", console.page(acts.cancel), methods=["POST"]),
        Route("/jobs/{job_id:uuid}/rerun", console.page(acts.rerun), methods=["POST"]),
        Route("/users", console.page(acts.enable), methods=["POST"]),
        Route("/users/{user_id:uuid}/disable", console.page(acts.disable), methods=["POST"]),
        Route("/flags", console.page(acts.flag), methods=["POST"]),
    ]


def _refusal_of(error: Exception) -> RequestRefusal:
    """The error page's text for an expected error."""
    if isinstance(error, RequestRefusal):
        return error
    if isinstance(error, NoSuchCommit):
        return RequestRefusal(404, "This workspace has no such commit", str(error))
    if isinstance(error, TooLarge):
        return RequestRefusal(413, "That file is too large to show", str(error))
    if isinstance(error, RequestRefused):
        status = error.args[1] if len(error.args) > 1 else 400
        return RequestRefusal(status, "The control plane refused the request", str(error.args[0]))
    if isinstance(error, ConsumerError):
        return RequestRefusal(502, f"The request failed: {error.code}", f"{error.args[0]}. {error.hint}")
    raise error


def _root_of(request: Request) -> str:
    """The path that this request's own links begin with: "" at the addresses that an issuer knows."""
    root: str = request.scope.get("root_path", "")
    return root


async def _no_icon(_: Request) -> Response:
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _stylesheet(_: Request) -> Response:
    return FileResponse(FOLDER / "static" / "console.css", media_type="text/css")


def _moment(at: datetime | str | None) -> str:
    """UTC to the second; records in the bucket hold times as text."""
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment else ""


def _commands(text: str) -> Markup:
    """Advice as HTML, with text between backticks as code; everything is escaped."""
    return Markup(_COMMAND.sub(r"<code>\1</code>", str(escape(text))))


@cache
def _templates() -> jinja2.Environment:
    """One for all apps of a process: it compiles each template once."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["moment"] = _moment
    environment.filters["commands"] = _commands
    environment.filters["short"] = lambda text: str(text)[:8]
    environment.globals["address"] = pages.address
    return environment
