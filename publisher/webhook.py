"""The database webhook is only a nudge: delivered at most once, unsigned, possibly before the commit."""

from __future__ import annotations

import hmac
import logging
import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
import psycopg
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from contract.rights import Lack
from publisher.outbox import Outbox
from publisher.relay import OutboxRelay

log = logging.getLogger(__name__)

SECRET_HEADER: Final = "x-webhook-secret"
#: A job row has about 1 KiB.
MAX_BODY_BYTES: Final = 256 * 1024
#: Probes come every few seconds; the login's rights are queried once in this time.
RIGHTS_KEEP_S: Final = 10.0
#: A webhook may arrive before the commit that fired it. The poll finds rows still invisible after these waits.
LOOK_AGAIN_S: Final = (0.05, 0.2, 0.5)


@dataclass
class Nudge:
    """Looks up a job and wakes the leading relay, in whichever process it runs."""

    connect: Callable[[], Outbox]
    _pause: threading.Event = field(default_factory=threading.Event)

    def __call__(self, job_id: str) -> str:
        """``nudged``, or ``not visible yet``. Raises psycopg.Error."""
        outbox = self.connect()
        with outbox.connection:
            visible = outbox.is_visible(job_id)
            for pause_s in LOOK_AGAIN_S:
                if visible:
                    break
                self._pause.wait(pause_s)
                visible = outbox.is_visible(job_id)
            outbox.enqueue_missing(job_id)
            outbox.nudge()
        return "nudged" if visible else "not visible yet"


@dataclass
class Rights:
    """The login's missing rights, queried in a dedicated session and kept for RIGHTS_KEEP_S. ``monotonic``: seconds."""

    connect: Callable[[], Outbox]
    monotonic: Callable[[], float]
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _known: tuple[float, Sequence[Lack]] | None = None

    def __call__(self) -> Sequence[Lack]:
        """Raises psycopg.Error."""
        with self._lock:
            now = self.monotonic()
            if self._known is None or now - self._known[0] >= RIGHTS_KEEP_S:
                outbox = self.connect()
                with outbox.connection:
                    self._known = (now, outbox.lacks())
                for lack in self._known[1]:
                    log.error("publisher: the database refuses %s; %s", lack.text, lack.remedy)
            return self._known[1]


@dataclass
class WebhookApp:
    """``POST /webhooks/memory-jobs``, ``GET /healthz``, ``GET /readyz`` and ``/ready``.

    An empty secret refuses every webhook.
    """

    relay: OutboxRelay
    nudge: Callable[[str], str]
    secret: str
    lacks: Callable[[], Sequence[Lack]]

    def build(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/webhooks/memory-jobs", self.memory_jobs, methods=["POST"]),
                Route("/healthz", self.healthz),
                Route("/readyz", self.readyz),
                Route("/ready", self.readyz),
            ]
        )

    async def memory_jobs(self, request: Request) -> Response:
        # The response to a wrong secret must not depend on the body, nor its time on the number of matching characters.
        given = request.headers.get(SECRET_HEADER, "").encode()
        if not self.secret or not hmac.compare_digest(given, self.secret.encode()):
            return _json(401, "not_authenticated")
        body = await _body(request)
        if body is None:
            return _json(413, "too_large")
        try:
            job_id = inserted_job(orjson.loads(body))
        except ValueError as exc:
            return _json(400, str(exc) if not isinstance(exc, orjson.JSONDecodeError) else "not_json")
        if job_id is None:
            return Response(status_code=204)
        try:
            return _json(202, await run_in_threadpool(self.nudge, job_id))
        except psycopg.Error:
            return _json(503, "database_unavailable")

    async def healthz(self, request: Request) -> Response:
        return _json(200, "ok")

    async def readyz(self, request: Request) -> Response:
        """200 when this relay leads or could at once, and its login has all rights."""
        try:
            lacks = await run_in_threadpool(self.lacks)
        except psycopg.Error:
            return _json(503, "database_unavailable")
        if lacks:
            missing = [lack.text for lack in lacks]
            remedies = [lack.remedy for lack in lacks]
            return JSONResponse({"status": "rights_missing", "missing": missing, "remedies": remedies}, 503)
        if not self.relay.is_heard():
            return _json(503, "database_silent")
        ready = self.relay.state in {"leading", "waiting"}
        return JSONResponse({"status": self.relay.state, "published": self.relay.published}, 200 if ready else 503)


def inserted_job(payload: Any) -> str | None:
    """The id of the job row that a webhook payload reports as inserted; None: another event.

    Raises ValueError: a job row without a usable id.
    """
    if not isinstance(payload, dict):
        raise ValueError("expected_an_object")  # noqa: TRY004 - the webhook's 400, like any other bad body
    if payload.get("type") != "INSERT" or payload.get("table") != "memory_jobs":
        return None
    record = payload.get("record")
    job_id = record.get("id") if isinstance(record, dict) else None
    try:
        return str(uuid.UUID(job_id))
    except (ValueError, TypeError, AttributeError):
        raise ValueError("record_has_no_uuid_id") from None


async def _body(request: Request) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return None
    return bytes(body)


def _json(status: int, what: str) -> JSONResponse:
    return JSONResponse({"status": what}, status)
