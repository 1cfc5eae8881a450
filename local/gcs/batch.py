"""POST /batch/storage/v1: many calls in one request, each answered on its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from urllib.parse import urlsplit

from local.gcs import multipart
from local.gcs.errors import invalid
from local.gcs.messages import HttpRequest, Response, parse_query

CALLS = 100
_BOUNDARY = "batch_of_answers"


def answer(request: HttpRequest, call: Callable[[HttpRequest], Response]) -> Response:
    """Raises 400 for more than 100 calls or a call that is not an HTTP request."""
    parts = multipart.split(request.headers.get("content-type", ""), request.body)
    if len(parts) > CALLS:
        raise invalid(f"The batch holds {len(parts)} calls, at most {CALLS}")
    answers = [_written(part.headers.get("content-id", ""), call(_inner(request, part.body))) for part in parts]
    body = b"".join(answers) + f"--{_BOUNDARY}--\r\n".encode()
    return Response(200, body, {"content-type": f"multipart/mixed; boundary={_BOUNDARY}"})


def _inner(request: HttpRequest, raw: bytes) -> HttpRequest:
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    line, _, headers = head.partition(b"\n")
    try:
        method, target, *_ = line.decode().split(" ")
    except ValueError as exc:
        raise invalid("A part of the batch is not an HTTP request") from exc
    url = urlsplit(target)
    return replace(
        request,
        method=method,
        path=url.path,
        query=parse_query(url.query),
        headers=multipart.parse_headers(headers),
        body=body.strip(),
    )


def _written(content_id: str, response: Response) -> bytes:
    headers = {**response.headers, "content-length": str(len(response.body))}
    lines = [
        f"--{_BOUNDARY}",
        "Content-Type: application/http",
        f"Content-ID: {content_id.replace('<', '<response-', 1)}",
        "",
        f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}",
        *(f"{name}: {value}" for name, value in headers.items()),
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + response.body + b"\r\n"
