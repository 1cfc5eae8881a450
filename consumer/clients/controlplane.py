"""The control plane over HTTP (contract: docs/contract.md). Job tokens are fetched, renewed and kept in memory only.

Needs the consumer's service account in the control plane's list, but no database grant and no key.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final, TypeVar, cast

import httpx
from pydantic import ValidationError

from consumer import retry
from consumer.errors import (
    AttemptStale,
    ControlPlaneUnavailable,
    JobTerminal,
    JobUnknown,
    NotAllowed,
    QueuePaused,
    RequestRefused,
)
from consumer.interruptible import interruptible
from consumer.ports import Clock, JobSession
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed
from contract import batches
from contract.api import (
    BatchRequest,
    BatchResponse,
    CompleteRequest,
    CompleteResponse,
    DeletionView,
    ErasureOrder,
    ErasureReport,
    ErasureResponse,
    ProgressRequest,
    ProgressResponse,
    ReasonRequest,
    SuppressedPage,
    SuppressRequest,
    TickRequest,
    TickResponse,
    TokenRequest,
    TokenResponse,
    Wire,
    error_of,
)
from contract.orders import OrderedStep, OrderView, StepReport
from contract.overlay import Overlay, PlaceRequest
from service import telemetry

#: A reply that takes longer counts as lost. Batches stream up to 8 MiB, hence not shorter.
TIMEOUT_S: Final = 30.0
#: The longest time from a response's first byte to its last, however steadily it arrives.
RESPONSE_S: Final = 120.0
#: The longest response: a full page is 8 MiB of data, and one large record may be more.
RESPONSE_BYTES: Final = 64 * 1024 * 1024
#: A job token is renewed when it has less than this left.
RENEW_BEFORE: Final = timedelta(minutes=3)
_RETRY_STATUS: Final = frozenset({408, 425, 429})
#: 409 codes that tell a zombie to stop.
_STALE: Final = frozenset({"attempt_stale", "replay_stale"})

Reply = TypeVar("Reply", bound=Wire)


@dataclass
class HttpControlPlane:
    """``identity_token`` returns a current Google ID token for the control plane's audience.

    Once ``shutdown`` is set, a call that is not answered within two seconds raises ShuttingDown.
    """

    client: httpx.Client
    identity_token: Callable[[], str]
    clock: Clock
    shutdown: threading.Event = field(default_factory=threading.Event)

    def open(self, job_id: str, request: TokenRequest) -> tuple[TokenResponse, JobSession]:
        path = f"/api/internal/memory-jobs/{job_id}/token"
        reply = self._call(path, request, TokenResponse, self.identity_token, missing_is_early=True)
        return reply, _JobSession(self, job_id, request, reply)

    def plan_tick(self, request: TickRequest) -> TickResponse:
        return self._call("/api/internal/memory-ticks", request, TickResponse, self.identity_token)

    def suppressed(self, user_id: str) -> Suppressed:
        """As ``ports.SuppressionMirror``."""
        return suppression.fetched(partial(self._union, user_id))

    def suppress(self, user_id: str, added: Suppressed) -> Suppressed:
        """As ``ports.SuppressionMirror``."""
        return suppression.sent(added, partial(self._union, user_id))

    def mark_erased(self, user_id: str, reason: str) -> ErasureResponse:
        """Record that everything of this user is about to be erased: later exports leave out records older than the
        returned time.

        Repeatable. Raises as ``plan_tick``, and RequestRefused if the user is enabled.
        """
        path = f"/api/internal/memory-users/{user_id}/erasure"
        return self._call(path, ReasonRequest(reason=reason), ErasureResponse, self.identity_token)

    def _union(self, user_id: str, request: SuppressRequest) -> SuppressedPage:
        path = f"/api/internal/memory-users/{user_id}/suppressions"
        return self._call(path, request, SuppressedPage, self.identity_token)

    def overlay(self, user_id: str) -> Overlay:
        """As ``ports.Overlays``."""
        return self._call(f"/api/internal/memory-users/{user_id}/overlay", Wire(), Overlay, self.identity_token)

    def place_corrections(self, user_id: str, request: PlaceRequest) -> None:
        """As ``ports.Overlays``."""
        path = f"/api/internal/memory-users/{user_id}/corrections/places"
        self._call(path, request, Wire, self.identity_token)

    def begin_order(self, user_id: str) -> OrderedStep:
        """As ``ports.Orders``."""
        return self._call(f"/api/internal/memory-orders/{user_id}/begin", Wire(), OrderedStep, self.identity_token)

    def report_order(self, user_id: str, report: StepReport) -> None:
        """As ``ports.Orders``."""
        self._call(f"/api/internal/memory-orders/{user_id}/done", report, OrderView, self.identity_token)

    def begin_erasure(self, user_id: str) -> ErasureOrder:
        path = f"/api/internal/memory-deletions/{user_id}/begin"
        return self._call(path, Wire(), ErasureOrder, self.identity_token)

    def report_erasure(self, user_id: str, report: ErasureReport) -> None:
        self._call(f"/api/internal/memory-deletions/{user_id}/done", report, DeletionView, self.identity_token)

    def _call(
        self,
        path: str,
        request: Wire,
        reply: type[Reply],
        bearer: Callable[[], str],
        *,
        missing_is_early: bool = False,
    ) -> Reply:
        """POST with bounded repeats. Every call of this API is idempotent, so a call with a lost reply is repeated."""
        return retry.repeated(
            lambda: self._call_once(path, request, reply, bearer, missing_is_early),
            retry.CONTROL_PLANE,
            self.clock,
            lambda error: isinstance(error, (ControlPlaneUnavailable, JobUnknown)),
            self.shutdown,
        )

    def _call_once(
        self, path: str, request: Wire, reply: type[Reply], bearer: Callable[[], str], missing_is_early: bool
    ) -> Reply:
        with telemetry.span(f"control plane {path.rpartition('/')[2]}", kind="client"):
            response = interruptible(lambda: self._post(path, request, bearer()), self.shutdown)
            if response.status_code != 200:
                raise _refusal(path, response, missing_is_early)
        try:
            # A page is parsed record by record, so that a broken record affects no other.
            batch = batches.read(response.content) if reply is BatchResponse else None
            return cast(Reply, batch) if batch else reply.model_validate_json(response.content)
        except ValidationError as exc:
            places = ", ".join(".".join(map(str, e["loc"])) for e in exc.errors()[:5])
            raise ControlPlaneUnavailable(f"POST {path}: the response is not a {reply.__name__} (at {places})") from exc

    def _post(self, path: str, request: Wire, bearer: str) -> httpx.Response:
        headers = {
            "authorization": f"Bearer {bearer}",
            "content-type": "application/json",
            # A few compressed bytes can expand to more than the available memory.
            "accept-encoding": "identity",
        }
        if traceparent := telemetry.traceparent():
            headers["traceparent"] = traceparent
        body = request.model_dump_json()
        try:
            with self.client.stream(
                "POST", path, content=body, headers=headers, timeout=TIMEOUT_S, follow_redirects=False
            ) as response:
                return self._read(path, response)
        except httpx.HTTPError as exc:
            raise ControlPlaneUnavailable(f"POST {path}: {type(exc).__name__}") from exc

    def _read(self, path: str, response: httpx.Response) -> httpx.Response:
        """The response as sent, bounded in size and time, whoever sent it."""
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise ControlPlaneUnavailable(f"POST {path}: the response is compressed, which was not requested")
        until = self.clock.monotonic() + RESPONSE_S
        body = bytearray()
        for chunk in response.iter_raw():
            body += chunk
            if len(body) > RESPONSE_BYTES:
                raise ControlPlaneUnavailable(f"POST {path}: the response is longer than {RESPONSE_BYTES:,} bytes")
            if self.clock.monotonic() > until:
                raise ControlPlaneUnavailable(f"POST {path}: the response took longer than {RESPONSE_S:.0f} s")
        return httpx.Response(response.status_code, headers=response.headers, content=bytes(body))


@dataclass
class _JobSession:
    """One attempt's session. Thread-safe: the heartbeat thread and the stages share it."""

    plane: HttpControlPlane
    job_id: str
    request: TokenRequest
    grant: TokenResponse
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def batch(self, request: BatchRequest) -> BatchResponse:
        return self._call(f"/api/internal/memory-export/jobs/{self.job_id}/batches", request, BatchResponse)

    def progress(self, request: ProgressRequest) -> ProgressResponse:
        return self._call(f"/api/internal/memory-jobs/{self.job_id}/progress", request, ProgressResponse)

    def complete(self, request: CompleteRequest) -> CompleteResponse:
        return self._call(f"/api/internal/memory-jobs/{self.job_id}/complete", request, CompleteResponse)

    def _call(self, path: str, request: Wire, reply: type[Reply]) -> Reply:
        try:
            return self.plane._call(path, request, reply, self._token)
        except NotAllowed as exc:
            if exc.args[1:] != (401,):
                raise
        # The token expired meanwhile, or keys were rotated: try once more with a new token.
        self._renew()
        return self.plane._call(path, request, reply, self._token)

    def _token(self) -> str:
        if self.grant.expires_at - self.plane.clock.now() < RENEW_BEFORE:
            self._renew()
        return self.grant.token

    def _renew(self) -> None:
        with self._lock:
            self.grant, _ = self.plane.open(self.job_id, self.request.model_copy(update={"renew": True}))


#: Missing rights as `rights_missing` names them: words of SQL and names of the schema, which quote no row.
_RIGHT: Final = re.compile(
    r"(?:rows for )?(?:select|insert|update|delete|execute|usage)(?: \(\w{1,63}\))?"
    r" on (?:schema |function )?(?:memory_export|memory_private|public|auth)(?:\.\w{1,63})?(?:\([a-z_ ,\[\]]{0,99}\))?"
    r"|membership of \w{1,63} in memory_\w{1,63}"
    r"|row level security of public\.memory_\w{1,63}",
    re.ASCII,
)
#: How many missing rights a message names: /readyz lists all, with the statements that grant them.
_RIGHTS_NAMED: Final = 3


def _refusal(path: str, response: httpx.Response, missing_is_early: bool) -> Exception:
    """HTTP status and error -> what happens next (table: docs/contract.md)."""
    status = response.status_code
    error = error_of(response.headers.get("content-type"), response.content)
    if error is None:
        text = f"POST {path}: {status} without the control plane's error body, so something in between answered"
        return ControlPlaneUnavailable(text, retry_after_s=_retry_after(response))
    code = error.code
    # The error's message may quote a row, so it is omitted; the control plane's log has it under the same trace.
    text = f"POST {path}: {status} {code}"
    if code == "rights_missing" and (missing := _RIGHT.findall(error.message)):
        text += f": the database lacks {', '.join(missing[:_RIGHTS_NAMED])}"
    if status == 404 and missing_is_early and code == "job_not_found":
        return JobUnknown(text)
    if status >= 500 or status in _RETRY_STATUS or (status == 404 and missing_is_early):
        is_paused = code == QueuePaused.code
        return QueuePaused(text) if is_paused else ControlPlaneUnavailable(text, retry_after_s=_retry_after(response))
    if status in (401, 403):
        return NotAllowed(text, status)
    if status == 409 and code == "job_terminal":
        return JobTerminal(text, response.json())
    return AttemptStale(text) if status == 409 and code in _STALE else RequestRefused(text)


def _retry_after(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() else None
