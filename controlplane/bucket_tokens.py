"""
Tokens for the workspace bucket that read one prefix: a Credential Access Boundary around a token of a reading account.

The control plane has no right on the bucket. It may impersonate READ_ACCOUNT, which can only read, for 15 minutes; the
token exchange (STS) then narrows that token to one user's prefix, and the narrowed token never outlives it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

import google.auth
import urllib3
from google.auth import downscoped, impersonated_credentials
from google.auth.exceptions import GoogleAuthError
from google.oauth2 import sts

from controlplane.errors import unavailable
from controlplane.reading import BucketToken

_CLOUD: Final = "https://www.googleapis.com/auth/cloud-platform"
_READ_ONLY: Final = "https://www.googleapis.com/auth/devstorage.read_only"
#: How long a token of the reading account lives, and the age at which the next grant takes a new one.
LIFE: Final = timedelta(minutes=15)
RENEW_AFTER: Final = timedelta(minutes=5)
#: The age from which a grant rather waits for a new one.
WAIT_AFTER: Final = timedelta(minutes=10)
#: Seconds for a connection to the token exchange, and between two parts of its answer: google-auth sets no limit.
TIMEOUT: Final = urllib3.Timeout(connect=5.0, read=10.0)
_EXCHANGE: Final = "urn:ietf:params:oauth:grant-type:token-exchange"
_ACCESS_TOKEN: Final = "urn:ietf:params:oauth:token-type:access_token"


class Source(Protocol):
    """A token of an account that may read the whole bucket."""

    def token(self) -> BucketToken: ...


def boundary(bucket: str, prefix: str) -> downscoped.CredentialAccessBoundary:
    """Reading objects whose names begin with ``prefix``. Listing needs a right on the bucket itself: it is refused.

    Raises ValueError: the prefix would need escaping in the condition's expression.
    """
    if not prefix or not all(c.isalnum() or c in "-_/" for c in prefix):
        raise ValueError(f"expected a prefix of letters, digits and -_/, got {prefix!r}")
    condition = f"resource.name.startsWith('projects/_/buckets/{bucket}/objects/{prefix}')"
    rule = downscoped.AccessBoundaryRule(
        available_resource=f"//storage.googleapis.com/projects/_/buckets/{bucket}",
        available_permissions=["inRole:roles/storage.objectViewer"],
        availability_condition=downscoped.AvailabilityCondition(condition),
    )
    return downscoped.CredentialAccessBoundary(rules=[rule])


@dataclass(frozen=True)
class NarrowedTokens:
    """``request``: google-auth's transport; ``url``: the token exchange."""

    bucket: str
    url: str
    source: Source
    request: Any

    def reading(self, prefix: str) -> BucketToken:
        """See ``reading.BucketTokens``."""
        wide = self.source.token()
        try:
            answer = sts.Client(self.url).exchange_token(
                self.request,
                grant_type=_EXCHANGE,
                subject_token=wide.token,
                subject_token_type=_ACCESS_TOKEN,
                requested_token_type=_ACCESS_TOKEN,
                additional_options=boundary(self.bucket, prefix).to_json(),
            )
            return BucketToken(str(answer["access_token"]), wide.expires_at)
        except (GoogleAuthError, KeyError, TypeError, ValueError) as exc:
            raise _no_token(exc) from exc


@dataclass
class Impersonated:
    """Tokens of ``account``, made by this process's own account. Thread-safe."""

    account: str
    request: Any
    now: Callable[[], datetime]
    _kept: tuple[datetime, BucketToken] | None = field(default=None, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def token(self) -> BucketToken:
        """A token with at least five minutes left. Raises ApiFault 503."""
        kept, now = self._kept, self.now()
        if kept is not None and now - kept[0] < RENEW_AFTER:
            return kept[1]
        # One call fetches. As long as the token of before lives long enough, the others use that one and do not wait.
        waits = kept is None or now - kept[0] >= WAIT_AFTER
        if not self._lock.acquire(blocking=waits):
            assert kept is not None
            return kept[1]
        try:
            now = self.now()
            if self._kept is None or now - self._kept[0] >= RENEW_AFTER:
                self._kept = (now, self._fetch(now))
            return self._kept[1]
        finally:
            self._lock.release()

    def _fetch(self, now: datetime) -> BucketToken:
        try:
            own, _ = google.auth.default(scopes=[_CLOUD])
            wide = impersonated_credentials.Credentials(
                own, self.account, [_READ_ONLY], lifetime=int(LIFE.total_seconds())
            )
            wide.refresh(self.request)
        except GoogleAuthError as exc:
            raise _no_token(exc) from exc
        expiry = wide.expiry.replace(tzinfo=UTC) if wide.expiry else now + LIFE
        return BucketToken(str(wide.token), min(expiry, now + LIFE))


@dataclass(frozen=True, slots=True)
class Unimpersonated:
    """For a token exchange that is not Google's: that of the embedded stack asks for no account."""

    now: Callable[[], datetime]

    def token(self) -> BucketToken:
        """A token that means nothing outside that exchange."""
        return BucketToken("embedded-stack", self.now() + LIFE)


def _no_token(exc: Exception) -> Exception:
    # Without the text: it may repeat a response with parts of a token.
    return unavailable("bucket_token_unavailable", f"cannot make a token for the bucket ({type(exc).__name__})")
