"""The API below ``/v1``: a bearer token in, JSON (or a page's text) out. Endpoints run in threads."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import Any, Final
from urllib.parse import quote

import orjson
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from consumer import layout
from consumer.evidence import html
from consumer.evidence.search import Passage
from consumer.reports.context import ABOUT_CHARS, BUDGET, LEAST_BUDGET, MOST_BUDGET
from contract.overlay import CorrectionRequest
from reader import asking, assistants, owncalls, streaming
from reader import context as contexts
from reader.bodies import BODY, id_of, sent
from reader.errors import CallRefusal, invalid, refusal_of, sign_in_again
from reader.grants import is_assistants
from reader.memory import HITS, MOST_HITS, MOST_OFFSET, RENDERED_BYTES, MemoryView, PageText, Query
from reader.openapi import document
from reader.service import ReaderService
from reader.sessions import Codes
from reader.wire import AgentContext, AskAnswer, AskRequest, Code, CorrectionEntry, CorrectionHistory
from service import telemetry

Endpoint = Callable[[Request], Awaitable[Response]]
Call = Callable[[ReaderService, str, Request], BaseModel | Response]
MARKDOWN: Final = "text/markdown; charset=utf-8"
#: A choice of records to forget is the largest.
MAX_BODY: Final = 512 * 1024


def reports(service: ReaderService, token: str, request: Request) -> BaseModel:
    return service.answer(token, lambda memory: memory.reports(request.query_params.get("after", "")))


def report(service: ReaderService, token: str, request: Request) -> BaseModel | Response:
    report_id, form = request.path_params["report_id"], _format(request, "json", "markdown", "html")
    if form == "json":
        return service.answer(token, lambda memory: memory.report(report_id))
    return _shown(service.answer(token, lambda memory: memory.report_page(report_id)), form)


def page(service: ReaderService, token: str, request: Request) -> Response:
    form = _format(request, "markdown", "html")
    return _shown(service.answer(token, lambda memory: memory.page(request.path_params["page"])), form)


def search(service: ReaderService, token: str, request: Request) -> BaseModel:
    query = query_of(request)
    return service.answer(token, lambda memory: memory.search(query))


def people(service: ReaderService, token: str, _: Request) -> BaseModel:
    return service.answer(token, MemoryView.people)


def today(service: ReaderService, token: str, _: Request) -> BaseModel:
    return service.answer(token, MemoryView.today)


def sources(service: ReaderService, token: str, _: Request) -> BaseModel:
    return service.answer(token, MemoryView.sources)


def access(service: ReaderService, token: str, request: Request) -> BaseModel:
    return service.access(token, _number(request, "after", None, 10**15))


def corrections(service: ReaderService, token: str, _: Request) -> BaseModel:
    views = service.corrections(token).corrections
    return CorrectionHistory(corrections=tuple(map(CorrectionEntry.of, views)))


def correct(service: ReaderService, token: str, request: Request) -> BaseModel:
    return CorrectionEntry.of(service.correct(token, sent(request, CorrectionRequest)))


def undo(service: ReaderService, token: str, request: Request) -> BaseModel:
    return CorrectionEntry.of(service.undo(token, id_of(request.path_params["correction_id"], "correction")))


async def _asked_body(request: Request) -> bytes:
    """The body of a call. Raises CallRefusal 413."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise CallRefusal(413, "body_too_large", f"The body is over {MAX_BODY} bytes")
    return bytes(body)


def context(service: ReaderService, token: str, request: Request) -> BaseModel:
    about = request.query_params.get("about", "")
    if len(about) > ABOUT_CHARS:
        raise invalid(f"about must have at most {ABOUT_CHARS} characters")
    budget = _number(request, "budget", BUDGET, MOST_BUDGET) or 0
    if budget < LEAST_BUDGET:
        raise invalid(f"budget must be a number from {LEAST_BUDGET} to {MOST_BUDGET}")
    made = service.answer(token, lambda memory: contexts.context(memory, about, budget))
    return AgentContext.model_validate(made.to_json())


def ask(service: ReaderService, token: str, request: Request) -> BaseModel:
    return asked(service, token, sent(request, AskRequest).question)


def asked(
    service: ReaderService,
    token: str,
    question: str,
    reading: Callable[[Sequence[Passage]], None] = lambda _: None,
    abandoned: Callable[[], bool] = lambda: False,
) -> AskAnswer:
    """The answer to a question; see ``asking.ask``."""
    answer = service.answer(
        token,
        lambda memory: asking.ask(memory, question, service.model, reading=reading, abandoned=abandoned),
        "ask",
    )
    return AskAnswer.model_validate(answer.to_json())


CALLS: Final[tuple[tuple[str, Call], ...]] = (
    ("/v1/me/reports", reports),
    ("/v1/me/reports/{report_id}", report),
    ("/v1/me/pages/{page:path}", page),
    ("/v1/me/search", search),
    ("/v1/me/context", context),
    ("/v1/me/people", people),
    ("/v1/me/today", today),
    ("/v1/me/sources", sources),
    ("/v1/me/access", access),
    ("/v1/me/corrections", corrections),
    *assistants.CALLS,
    *owncalls.CALLS,
)
POSTS: Final[tuple[tuple[str, Call], ...]] = (
    ("/v1/me/ask", ask),
    ("/v1/me/corrections", correct),
    ("/v1/me/corrections/{correction_id}/undo", undo),
    *assistants.POSTS,
    *owncalls.POSTS,
)


@dataclass(frozen=True)
class Api:
    """``codes`` None: codes for the browser are not issued here. ``origin``: the address for browsers."""

    service: ReaderService
    origin: str
    codes: Codes | None = None

    def routes(self) -> list[Route]:
        """The routes, each by the name of its call."""
        listed = [Route(path, self._endpoint(call), methods=["GET"], name=call.__name__) for path, call in CALLS]
        listed += [Route(path, self._endpoint(call), methods=["POST"], name=call.__name__) for path, call in POSTS]
        if self.codes is not None:
            listed.append(Route("/v1/me/codes", self._endpoint(self.code), methods=["POST"], name="code"))
        return [*listed, Route("/openapi.json", _openapi, methods=["GET"])]

    def code(self, service: ReaderService, token: str, _: Request) -> BaseModel:
        """A code that opens the pages in a browser. A user whose memory is off gets one too: the pages tell them so."""
        service.limits.take(hashlib.sha256(token.encode()).hexdigest(), "sign_in")
        try:
            service.grants.of(token)
        except CallRefusal as refusal:
            if refusal.status != 403:
                raise
        assert self.codes is not None
        code = self.codes.issue(token)
        return Code(code=code, sign_in=f"{self.origin}/sign-in?code={quote(code)}")

    def _endpoint(self, call: Call) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            began_s = self.service.clock.monotonic()
            try:
                if request.method == "POST":
                    request.scope[BODY] = await _asked_body(request)
                if call is ask and streaming.MEDIA_TYPE in request.headers.get("accept", ""):
                    answer: BaseModel | Response = await self._stream(request)
                else:
                    answer = await run_in_threadpool(call, self.service, bearer(request), request)
                response = answer if isinstance(answer, Response) else _json(200, answer.model_dump(mode="json"))
            except Exception as exc:
                refusal = refusal_of(exc)
                if refusal is None:
                    raise
                response = refused(refusal)
            log(call.__name__, response.status_code, self.service.clock.monotonic() - began_s)
            return response

        return endpoint

    async def _stream(self, request: Request) -> Response:
        token, question = bearer(request), sent(request, AskRequest).question
        return await streaming.respond(
            lambda reading, abandoned: asked(self.service, token, question, reading, abandoned)
        )


def log(name: str, status: int, seconds: float) -> None:
    """One line for a request: its call, status and duration. No address, no user, no content."""
    telemetry.log("reader_request", call=name, status=status, ms=round(seconds * 1000))


def bearer(request: Request) -> str:
    """The user's access token of the Authorization header. Raises CallRefusal 401, also for an assistant's token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip() or is_assistants(token.strip()):
        raise sign_in_again()
    return token.strip()


def query_of(request: Request) -> Query:
    """The search of an address. Raises CallRefusal 422."""
    given = request.query_params
    return Query(
        text=given.get("q", ""),
        since=_day(given.get("from", ""), "from"),
        until=_day(given.get("to", ""), "to"),
        source=given.get("source", "").strip(),
        person=given.get("person", "").strip(),
        limit=_number(request, "limit", HITS, MOST_HITS) or 1,
        offset=_number(request, "offset", 0, MOST_OFFSET) or 0,
    )


def rendered(page_text: PageText, address: Callable[[str, str], str]) -> str:
    """A page as HTML that is safe to print; a very large one as its text."""
    if len(page_text.body.encode()) > RENDERED_BYTES:
        return f"<pre>{escape(page_text.body)}</pre>"
    return html.render(page_text.body, page_text.path, address)


def link(prefix: str) -> Callable[[str, str], str]:
    """(path in the workspace, anchor) -> address below ``prefix``; what is no page of the brain leads nowhere."""

    def address(path: str, anchor: str) -> str:
        if not path.startswith(f"{layout.BRAIN}/"):
            return "#"
        slug = path.removeprefix(f"{layout.BRAIN}/").removesuffix(".md")
        return f"{prefix}{quote(slug)}" + (f"#{anchor}" if anchor else "")

    return address


def refused(refusal: CallRefusal) -> Response:
    """The response of a refused call."""
    headers = {"retry-after": str(refusal.retry_after_s)} if refusal.retry_after_s else {}
    if refusal.status == 401:
        headers["www-authenticate"] = "Bearer"
    return _json(refusal.status, refusal.body(), headers)


def _shown(page_text: PageText, form: str) -> Response:
    if form == "markdown":
        return PlainTextResponse(page_text.body, media_type=MARKDOWN)
    return HTMLResponse(rendered(page_text, link("/v1/me/pages/")))


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, headers, media_type="application/json")


def _format(request: Request, *allowed: str) -> str:
    form = request.query_params.get("format", allowed[0])
    if form not in allowed:
        raise invalid(f"format must be one of {', '.join(allowed)}")
    return form


def _day(text: str, name: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise invalid(f"{name} must be a day like 2026-11-27") from None


def _number(request: Request, name: str, default: int | None, most: int) -> int | None:
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most):
        raise invalid(f"{name} must be a number from 0 to {most}")
    return int(text)


async def _openapi(_: Request) -> Response:
    return _json(200, document())
