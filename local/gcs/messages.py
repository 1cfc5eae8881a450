"""A request as the routes see it, and their answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl

import orjson

from local.gcs.errors import invalid


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """``path`` is still percent-encoded: an object name may hold %2F. Header names are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    base_url: str
    query_text: str = ""

    @property
    def query_lists(self) -> Mapping[str, list[str]]:
        """Every value of each parameter, for the few that may be repeated."""
        return defaultdict(list, parse_qs(self.query_text))

    def json(self) -> dict[str, Any]:
        """The body as an object; an empty body is an empty object. Raises 400."""
        return parse_object(self.body)


@dataclass(frozen=True, slots=True)
class Response:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def parse_query(text: str) -> dict[str, str]:
    return dict(parse_qsl(text, keep_blank_values=True))


def parse_object(body: bytes) -> dict[str, Any]:
    """Raises 400 unless the bytes are a JSON object (or nothing)."""
    try:
        document = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError as exc:
        raise invalid("Parse Error: the body is not JSON") from exc
    if not isinstance(document, dict):
        raise invalid("Parse Error: the body is not a JSON object")
    return document


def json_response(document: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    kind = {"content-type": "application/json; charset=UTF-8"}
    return Response(status, orjson.dumps(document), {**kind, **(headers or {})})
