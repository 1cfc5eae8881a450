"""Access tokens that a Credential Access Boundary narrows: the exchange of Google's STS, and what its tokens may do.

Anybody may exchange anything here. What a narrowed token may do is enforced as in the cloud: reading objects below one
prefix, until it ends. A request without a token, or with a token from elsewhere, may do everything, as before.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import parse_qs, unquote

import orjson

from local.gcs.errors import GcsError, invalid
from local.gcs.messages import HttpRequest, Response, json_response

#: What every token of this exchange begins with.
MARK: Final = "local-sts."
LIFE_S: Final = 900
_READS: Final = frozenset({"objects.get", "objects.download"})
_RESOURCE: Final = re.compile(r"//storage\.googleapis\.com/projects/_/buckets/([^/]+)")
_CONDITION: Final = re.compile(r"resource\.name\.startsWith\('projects/_/buckets/([^/']+)/objects/([^']+)'\)")
_READER: Final = ["inRole:roles/storage.objectViewer"]


@dataclass(frozen=True, slots=True)
class Boundary:
    bucket: str
    prefix: str
    until: datetime


@dataclass
class AccessTokens:
    """The tokens of this process; after a restart they are unknown, as if withdrawn."""

    now: Callable[[], datetime]
    _known: dict[str, Boundary] = field(default_factory=dict, repr=False)

    def exchange(self, request: HttpRequest) -> Response:
        """``POST`` with the fields of RFC 8693; ``options`` holds the boundary. Raises 400: another boundary."""
        fields = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        if not fields.get("subject_token"):
            raise invalid("invalid_request: subject_token is missing")
        bucket, prefix = _narrowing(fields.get("options", ""))
        now = self.now()
        self._known = {token: kept for token, kept in self._known.items() if kept.until > now}
        token = MARK + secrets.token_urlsafe(24)
        self._known[token] = Boundary(bucket, prefix, now + timedelta(seconds=LIFE_S))
        issued = "urn:ietf:params:oauth:token-type:access_token"
        body = {"access_token": token, "issued_token_type": issued, "token_type": "Bearer", "expires_in": LIFE_S}
        return json_response(body)

    def require(self, request: HttpRequest, route: str, names: list[str]) -> None:
        """Raises GcsError: 401 the token is unknown or has ended, 403 it may not do this."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.startswith(MARK):
            return
        boundary = self._known.get(token)
        if boundary is None or boundary.until <= self.now():
            raise GcsError(401, "authError", "Invalid Credentials")
        bucket, name = (*names, "", "")[:2]
        if route not in _READS or bucket != boundary.bucket or not name.startswith(boundary.prefix):
            raise GcsError(403, "forbidden", "The access token's boundary does not allow this.")


def _narrowing(options: str) -> tuple[str, str]:
    """(bucket, prefix) of the only form of boundary that this server knows. Raises 400."""
    try:
        # google-auth quotes the JSON before the form is encoded.
        [rule] = orjson.loads(unquote(options))["accessBoundary"]["accessBoundaryRules"]
        return _parsed(rule)
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as exc:
        raise invalid("invalid_request: options is no access boundary that this server knows") from exc


def _parsed(rule: dict[str, Any]) -> tuple[str, str]:
    resource = _RESOURCE.fullmatch(rule["availableResource"])
    condition = _CONDITION.fullmatch(rule["availabilityCondition"]["expression"])
    if not resource or not condition or condition[1] != resource[1] or rule["availablePermissions"] != _READER:
        raise ValueError
    return condition[1], condition[2]
