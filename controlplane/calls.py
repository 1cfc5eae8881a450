"""A request as the endpoints see it, and how responses and errors are written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

import orjson
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from contract.api import ACTING_FOR
from contract.event import Uuid, utc_text
from controlplane.errors import ApiFault, invalid

#: The largest request is a completion with its artifacts, about 100 KiB.
BODY_BYTES: Final = 1024 * 1024
_UUID: Final[TypeAdapter[str]] = TypeAdapter(Uuid)
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Call:
    """The parts of a request that an endpoint needs."""

    authorization: str | None
    path: dict[str, str]
    query: dict[str, str]
    body: bytes
    traceparent: str | None = None
    #: The operator for whom a console calls.
    acting_for: str | None = None

    def model(self, kind: type[Model]) -> Model:
        """Raises ApiFault 400 not JSON, 422 not of this form."""
        try:
            orjson.loads(self.body)
        except orjson.JSONDecodeError as exc:
            raise ApiFault(400, "bad_json", f"the body is not JSON ({len(self.body)} bytes)") from exc
        try:
            return kind.model_validate_json(self.body)
        except ValidationError as exc:
            # Only locations and reasons: the input may hold a user's text.
            parts = [f"{'.'.join(map(str, e['loc'])) or 'body'}: {e['msg']}" for e in exc.errors()]
            raise invalid("; ".join(parts[:8])) from exc

    def uuid(self, name: str) -> str:
        """A path parameter that must be a UUID. Raises ApiFault 422."""
        try:
            return _UUID.validate_python(self.path[name])
        except ValidationError as exc:
            raise invalid(f"{name} in the path is not a lower-case UUID") from exc


async def read(request: Request) -> Call:
    """Raises ApiFault: the body is too large, or the caller disconnected."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_BYTES:
                raise ApiFault(413, "body_too_large", f"the body is over {BODY_BYTES} bytes")
    except ClientDisconnect as exc:
        raise ApiFault(400, "bad_json", "the caller disconnected before it had sent the whole body") from exc
    return Call(
        authorization=request.headers.get("authorization"),
        path=dict(request.path_params),
        query=dict(request.query_params),
        body=bytes(body),
        traceparent=request.headers.get("traceparent"),
        acting_for=request.headers.get(ACTING_FOR),
    )


def json_response(status: int, body: Any, headers: dict[str, str] | None = None) -> Response:
    """``body``: whatever orjson serializes, and times."""
    # Times are always written in UTC with microseconds.
    data = orjson.dumps(body, default=_time, option=orjson.OPT_PASSTHROUGH_DATETIME)
    return Response(data, status, headers, media_type="application/json")


def _time(value: Any) -> str:
    if isinstance(value, datetime):
        return utc_text(value)
    raise TypeError(f"no JSON form for {type(value).__name__}")


def refusal(fault: ApiFault) -> Response:
    """The error response for a refused call."""
    headers = {"retry-after": "2"} if fault.status == 503 else None
    if fault.status == 401:
        headers = {"www-authenticate": "Bearer"}
    return json_response(fault.status, fault.body(), headers)


async def http_error(request: Request, exc: Exception) -> Response:
    status = exc.status_code if isinstance(exc, HTTPException) else 500
    code = {404: "not_found", 405: "method_not_allowed"}.get(status, "refused")
    return refusal(ApiFault(status, code, f"{request.method} {request.url.path} is not a call of this API"))


async def bug(request: Request, exc: Exception) -> Response:
    return refusal(
        ApiFault(500, "internal_error", "internal error; the control plane's log has the cause", retryable=True)
    )
