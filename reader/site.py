"""
"My memory": the pages of the service, for browsers. Rendered here, without scripts.

A session begins in one of two ways. The app posts the user's access token from a page of its own origin; or, where
codes are on, somebody opens a link with a code, which a button then redeems, so that a link's preview does not use it
up.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import jinja2
from markupsafe import Markup
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from consumer import layout
from consumer.evidence.search import IndexUnusable
from consumer.reports.asking import CheckedAnswer
from contract.assistants import CORRECT, READ, AssistantTokenRequest
from contract.orders import MAX_FORGOTTEN
from contract.overlay import CorrectionRequest
from reader import asking, owncalls, ownpages
from reader.api import link, log, query_of, rendered
from reader.assistants import answered
from reader.bodies import id_of
from reader.errors import CallRefusal, RuleUnread, invalid, refusal_of
from reader.memory import EVIDENCE, MemoryView, PageText
from reader.readable import readable
from reader.service import ReaderService
from reader.sessions import LIFE, Codes, Session, UserSessions, cookie_name
from reader.wire import ReportEntry, ReportList, SearchAnswer
from service import forms

FOLDER: Final = Path(__file__).parent
HOME: Final = "/today"
#: What a search may be narrowed by; then it is no question.
NARROWING: Final = ("from", "to", "source", "person")
#: What can be said about a loop with one tap, and the pages that have such loops.
TAPS: Final = {"done": "Done", "not_mine": "Not mine", "not_a_task": "Not a task", "later": "Later: in a week"}
TAPPED_ON: Final = ("today", "loops")
PUT_OFF: Final = timedelta(days=7)
#: A choice of records to forget has the most fields.
MAX_FORM: Final = 512 * 1024
MAX_FIELDS: Final = MAX_FORGOTTEN + 20
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")

Values = dict[str, Any]
Endpoint = Callable[[Request], Awaitable[Response]]
Show = Callable[["Site", str, Request], "tuple[str, Values] | Response"]


class PostedForm(dict[str, str]):
    """The fields of a posted form, of several values the first. ``several``: all values of each."""

    several: dict[str, list[str]]


#: What a posted form does: the address of the page that follows, or a page's template and values.
Change = Callable[["Site", str, PostedForm], "str | tuple[str, Values]"]


def today(site: Site, token: str, request: Request) -> tuple[str, Values]:
    return "today.html", _loops_of(site, token, request)


def loops(site: Site, token: str, request: Request) -> tuple[str, Values]:
    return "loops.html", _loops_of(site, token, request)


def _loops_of(site: Site, token: str, request: Request) -> Values:
    """What counts now, what corrections hide, and of that the loop which was corrected just now."""
    shown, corrected = site.service.answer(token, lambda memory: (memory.today(), memory.corrected()))
    made = request.query_params.get("corrected", "")
    just_now = next((loop for loop in corrected if loop.correction == made), None)
    return {"today": shown, "corrected": corrected, "just_now": just_now, "taps": TAPS}


def search(site: Site, token: str, request: Request) -> tuple[str, Values]:
    """What memory says to a question, and the passages that fit it."""
    filters = {name: request.query_params.get(name, "") for name in ("q", *NARROWING)}
    if not filters["q"].strip():
        return "search.html", {"filters": filters, "stated": CheckedAnswer(), "answer": None, "following": ""}
    query = query_of(request)
    narrowed = bool(query.offset) or any(filters[name] for name in NARROWING)

    def look(memory: MemoryView) -> tuple[CheckedAnswer, SearchAnswer | None]:
        stated = CheckedAnswer() if narrowed else _said(memory, query.text)
        try:
            return stated, memory.search(query)
        except IndexUnusable:
            if stated.supported:
                return stated, None
            raise

    stated, answer = site.service.answer(token, look, "ask")
    following = {**{name: value for name, value in filters.items() if value}, "offset": query.offset + query.limit}
    more = urlencode(following) if answer and answer.more else ""
    return "search.html", {"filters": filters, "stated": stated, "answer": answer, "following": more}


def _said(memory: MemoryView, text: str) -> CheckedAnswer:
    """What memory says; nothing where this commit cannot be asked, or the text is no question."""
    try:
        return asking.answer(memory, text)
    except CallRefusal:
        return CheckedAnswer()


def people(site: Site, token: str, _: Request) -> tuple[str, Values]:
    return "people.html", {"people": site.service.answer(token, MemoryView.people)}


def reports(site: Site, token: str, request: Request) -> tuple[str, Values]:
    after = request.query_params.get("after", "")

    def with_periods(memory: MemoryView) -> tuple[ReportList, list[tuple[ReportEntry, str]]]:
        report_list = memory.reports(after)
        return report_list, [(entry, memory.period_of(entry)) for entry in report_list.reports]

    report_list, reports_and_periods = site.service.answer(token, with_periods)
    return "reports.html", {"reports": report_list, "reports_and_periods": reports_and_periods}


def report(site: Site, token: str, request: Request) -> tuple[str, Values]:
    return site.page(token, lambda memory: memory.report_page(request.path_params["report_id"]), "reports")


def page(site: Site, token: str, request: Request) -> tuple[str, Values]:
    return site.page(token, lambda memory: memory.page(request.path_params["page"]), "")


def sources(site: Site, token: str, _: Request) -> tuple[str, Values]:
    exports = owncalls.orders_of(site.service, token, "export").orders
    return "sources.html", {"sources": site.service.answer(token, MemoryView.sources), "exports": exports}


def access(site: Site, token: str, request: Request) -> tuple[str, Values]:
    after = request.query_params.get("after", "")
    number = int(after) if after.isascii() and after.isdecimal() and len(after) < 16 else None
    proposed = site.service.look(token, lambda plane: plane.proposals(token)).proposals
    texts = site.service.answer(token, lambda memory: [memory.loop_text(each.statement) for each in proposed])
    return "access.html", {
        "access": site.service.access(token, number),
        "tokens": site.service.look(token, lambda plane: plane.tokens(token)).tokens,
        "waiting": list(zip(proposed, texts, strict=True)),
    }


def create_token(site: Site, token: str, form: PostedForm) -> tuple[str, Values]:
    """A token for an assistant, on a page that shows it once."""
    scopes = (READ, CORRECT) if form.get("correct") else (READ,)
    try:
        wanted = AssistantTokenRequest.model_validate(
            {"name": form.get("name", ""), "days": form.get("days", ""), "scopes": scopes}
        )
    except ValidationError:
        raise invalid("A token needs a name of at most 60 characters, and 1 to 365 days") from None
    made = site.service.change(token, lambda plane: plane.create_token(token, wanted))
    return "token.html", {"made": made, "address": f"{site.origin}/mcp", "current": "access"}


def revoke_token(site: Site, token: str, form: PostedForm) -> str:
    """End an assistant's token."""
    token_id = id_of(form.get("token", ""), "token")
    site.service.change(token, lambda plane: plane.revoke_token(token, token_id))
    return "/access#assistants"


def decide(site: Site, token: str, form: PostedForm) -> str:
    """Accept or decline what an assistant proposes."""
    accept = form.get("accept", "")
    if accept not in ("yes", "no"):
        raise invalid("Accept or decline the proposal")
    answered(site.service, token, id_of(form.get("proposal", ""), "proposal"), accept=accept == "yes")
    return "/access#proposals"


def correct(site: Site, token: str, form: PostedForm) -> str:
    """Say what a tap says about a loop."""
    verdict, until = form.get("verdict", ""), None
    if verdict == "later":
        until = site.service.answer(token, lambda memory: memory.local_now(memory.as_of).date()) + PUT_OFF
    given = {"verdict": verdict, "statement": form.get("statement"), "until": until}
    try:
        request = CorrectionRequest.model_validate(given)
    except ValidationError:
        raise invalid("This is not a correction of an open loop") from None
    made = site.service.correct(token, request)
    return f"/{_tapped_on(form)}?corrected={made.id}#corrected"


def undo(site: Site, token: str, form: PostedForm) -> str:
    """Take a correction back."""
    undone = site.service.undo(token, id_of(form.get("correction", ""), "correction"))
    return f"/{_tapped_on(form)}#loop-{undone.statement or ''}"


def _tapped_on(form: Mapping[str, str]) -> str:
    page = form.get("back", "")
    return page if page in TAPPED_ON else TAPPED_ON[0]


PAGES: Final[tuple[tuple[str, Show], ...]] = (
    ("/today", today),
    ("/loops", loops),
    ("/search", search),
    ("/people", people),
    ("/reports", reports),
    ("/reports/{report_id}", report),
    ("/pages/{page:path}", page),
    ("/sources", sources),
    ("/access", access),
    *ownpages.PAGES,
)
CHANGES: Final[tuple[tuple[str, Change], ...]] = (
    ("/corrections", correct),
    ("/corrections/undo", undo),
    ("/tokens", create_token),
    ("/tokens/revoke", revoke_token),
    ("/proposals", decide),
    *ownpages.CHANGES,
)


@dataclass(frozen=True)
class Site:
    """``origin``: the address for browsers. ``app_origins``: from where the app may post access tokens."""

    service: ReaderService
    sessions: UserSessions
    origin: str
    app_origins: tuple[str, ...]
    templates: jinja2.Environment
    codes: Codes | None = None

    def routes(self) -> list[Route]:
        """All pages, and how a session begins and ends."""
        return [
            Route("/", _home),
            Route("/memory.css", _stylesheet),
            Route("/favicon.ico", _no_icon),
            Route("/sign-in", self.sign_in, methods=["GET", "POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
            *(Route(path, self._endpoint(show), methods=["GET"]) for path, show in PAGES),
            *(Route(path, self._changing(change), methods=["POST"]) for path, change in CHANGES),
        ]

    def page(self, token: str, read: Callable[[MemoryView], PageText], current: str) -> tuple[str, Values]:
        """A page of the memory as HTML."""
        text = self.service.answer(token, read)
        body = Markup(rendered(text, link("/pages/")))
        slug = text.path.removeprefix(f"{layout.BRAIN}/").removesuffix(".md")
        record = slug if slug.startswith(EVIDENCE) else ""
        values = {"title": text.title, "body": body, "current": current, "held": text.held, "record": record}
        return "page.html", values

    async def sign_in(self, request: Request) -> Response:
        """GET shows the button that redeems a code; POST redeems it, or takes the app's access token."""
        if request.method != "POST":
            return self._render("sign_in.html", {"code": request.query_params.get("code", "")}, None)
        try:
            form = await _form(request)
            token = form.get("access_token") or self._redeemed(form.get("code", ""))
            self._require_origin(request, from_app="access_token" in form)
            session = self.sessions.start(token)
            cookie = self.sessions.seal(session)
        except CallRefusal as refusal:
            return self.refused(refusal, None)
        # A page that leads on. After a redirect the request would still count as the app's site's, and the browser
        # would not send a strict cookie with it.
        response = self._render("signed_in.html", {"home": HOME}, None)
        self._set(response, cookie)
        return response

    async def sign_out(self, request: Request) -> Response:
        session = self.session(request)
        if session is None:
            return self._stranger()
        try:
            await self._own_form(request, session)
        except CallRefusal as refusal:
            return self.refused(refusal, session)
        self.sessions.end(session)
        response = self._render("signed_out.html", {}, None)
        # A browser takes no cookie of this name without ``secure``, so it would not end it either.
        response.delete_cookie(cookie_name(self.origin), secure=self._secure)
        return response

    def _endpoint(self, show: Show) -> Endpoint:
        async def page(request: Request, session: Session) -> Response:
            shown = await run_in_threadpool(show, self, session.user_token, request)
            if isinstance(shown, Response):
                return shown
            template, values = shown
            return self._render(template, {"current": show.__name__, **values}, session)

        return self._signed_in(show.__name__, page)

    def _changing(self, change: Change) -> Endpoint:
        """A form of this session changes something; then its page is shown anew, or what can be shown only once."""

        async def changed(request: Request, session: Session) -> Response:
            form = await self._own_form(request, session)
            done = await run_in_threadpool(change, self, session.user_token, form)
            if isinstance(done, str):
                return RedirectResponse(done, status_code=HTTPStatus.SEE_OTHER)
            template, values = done
            return self._render(template, values, session)

        return self._signed_in(change.__name__, changed)

    def _signed_in(self, name: str, answer: Callable[[Request, Session], Awaitable[Response]]) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            session = self.session(request)
            if session is None:
                return self._stranger()
            began_s = self.service.clock.monotonic()
            try:
                response = await answer(request, session)
            except Exception as exc:
                refusal = refusal_of(exc)
                if refusal is None:
                    raise
                response = self.refused(refusal, session)
            log(f"page_{name}", response.status_code, self.service.clock.monotonic() - began_s)
            return response

        return endpoint

    async def _own_form(self, request: Request, session: Session) -> PostedForm:
        """The fields of a form that a page of this session has. Raises CallRefusal, also 403 form_invalid."""
        form = await _form(request)
        if not self.sessions.holds(session, form.get("form_token", "")):
            raise CallRefusal(403, "form_invalid", "That form is not from this session", hint="Open the page again.")
        return form

    def session(self, request: Request) -> Session | None:
        """The request's session; None: not signed in."""
        return self.sessions.open(request.cookies.get(cookie_name(self.origin)))

    def _redeemed(self, code: str) -> str:
        token = self.codes.redeem(code) if self.codes and code else None
        if token is None:
            raise CallRefusal(
                403,
                "code_invalid",
                "This link is not valid",
                hint="A link works once, within ten minutes. Get a new one.",
            )
        return token

    def _require_origin(self, request: Request, *, from_app: bool) -> None:
        """The app posts from its own pages, the button from ours. Another site may sign nobody in as somebody else."""
        allowed = self.app_origins if from_app else (self.origin,)
        if request.headers.get("origin", "") not in allowed:
            raise CallRefusal(
                403,
                "origin_not_allowed",
                "This sign-in does not come from the app",
                hint="Open your memory from the app.",
            )

    @property
    def _secure(self) -> bool:
        return self.origin.startswith("https://")

    def _set(self, response: Response, cookie: str) -> None:
        response.set_cookie(
            cookie_name(self.origin),
            cookie,
            max_age=int(LIFE.total_seconds()),
            httponly=True,
            samesite="strict",
            secure=self._secure,
            path="/",
        )

    def _stranger(self) -> Response:
        return self.refused(
            CallRefusal(401, "not_signed_in", "You are not signed in", hint="Open your memory from the app."), None
        )

    def refused(self, refusal: CallRefusal, session: Session | None) -> Response:
        """The page that a browser shows for a refusal."""
        if refusal.status == 401 and session is not None:
            refusal = CallRefusal(
                401, refusal.code, "Your sign-in has ended", hint="Open your memory from the app again."
            )
        values = {"title": refusal.message, "hint": refusal.hint, "current": ""}
        template = "rule_unread.html" if isinstance(refusal, RuleUnread) else "refused.html"
        response = self._render(template, values, session, refusal.status)
        if refusal.retry_after_s:
            response.headers["retry-after"] = str(refusal.retry_after_s)
        return response

    def _render(
        self, template: str, values: Mapping[str, Any], session: Session | None, status: int = HTTPStatus.OK
    ) -> Response:
        form_token = self.sessions.form_token(session) if session else ""
        text = self.templates.get_template(template).render(**{"current": "", **values}, form_token=form_token)
        return HTMLResponse(text, status_code=status)


@cache
def templates() -> jinja2.Environment:
    """The pages' templates, with their filters. All apps of a process share them, so each is compiled once."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["day"] = _day
    environment.filters["moment"] = _moment
    environment.filters["readable"] = readable
    environment.filters["origin"] = _origin
    environment.filters["page"] = lambda slug: f"/pages/{quote(slug)}"
    environment.filters["words"] = lambda key: str(key).replace("-", " ").replace("_", " ")
    return environment


def _day(given: Any) -> str:
    """``Fri 27 Nov 2026`` for a time, or for text that begins with an ISO day; other text as it is."""
    text = str(given or "")
    match = _DAY.match(text)
    try:
        day = date.fromisoformat(match[0]) if match else None
    except ValueError:
        day = None
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}" if day else text


def _origin(page: Any) -> str:
    """``Wed 25 Nov 2026 · inbound messages`` for the page of a record."""
    *_, source, name = ["", "", *str(page or "").split("/")]
    day = _DAY.match(name)
    return " · ".join(filter(None, (_day(day[0]) if day else "", source.replace("-", " "))))


def _moment(text: Any) -> str:
    """A day and the time after it, if there is one."""
    shown = str(text or "")
    return f"{_day(shown)}, {shown[11:16]}" if len(shown) >= 16 else _day(shown)


async def _form(request: Request) -> PostedForm:
    """The fields of a posted form. Raises CallRefusal."""
    try:
        fields = await forms.read(request, MAX_FORM, MAX_FIELDS)
    except forms.FormRefused as exc:
        raise CallRefusal(exc.status, *_FORM_REFUSALS[exc.status]) from None
    form = PostedForm({name: values[0] for name, values in fields.items()})
    form.several = fields
    return form


#: By status: the code and what is wrong with a form.
_FORM_REFUSALS: Final = {
    415: ("not_a_form", "That is not a form of this site"),
    413: ("form_too_large", "That form is too large"),
    400: ("not_a_form", "That form cannot be read"),
}


async def _home(_: Request) -> Response:
    return RedirectResponse(HOME, status_code=HTTPStatus.SEE_OTHER)


async def _no_icon(_: Request) -> Response:
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _stylesheet(_: Request) -> Response:
    return FileResponse(FOLDER / "static" / "memory.css", media_type="text/css")
