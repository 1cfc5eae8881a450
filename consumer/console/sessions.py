"""Sessions: a link that works once, then a signed cookie; and the token that every form carries.

Keys live in the process: when it ends, every session ends.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import orjson

from consumer.ports import Clock

#: A printed link expires after this time.
LINK_LIFE: Final = timedelta(minutes=10)
#: A session without a request ends after this time.
IDLE: Final = timedelta(minutes=30)
#: Every session ends after this time.
LIFE: Final = timedelta(hours=8)
#: The longest cookie that is read, in characters.
MAX_COOKIE: Final = 1024


def cookie_name(purpose: str, origin: str, key: bytes) -> str:
    """The name of a cookie of the console at ``origin`` whose sessions have this key.

    Browsers keep cookies by host and not by port: two consoles on one machine would sign out each other's operator, and
    another server on it could set a cookie of a name that it knows. Over TLS the name also makes browsers refuse the
    cookie to any other host of the domain.
    """
    prefix = "__Host-" if origin.startswith("https://") else ""
    mark = hmac.new(key, f"cookie\0{purpose}\0{origin}".encode(), hashlib.sha256).hexdigest()[:12]
    return f"{prefix}cloop_console_{purpose}_{mark}"


def secret_root(origin: str) -> str:
    """The path below which a console at ``origin`` serves its pages, to which its session's cookie is limited.

    Without TLS the console shares its host with every server on this machine, and browsers send them its cookies. They
    do so only for requests below the cookie's path, and nobody else knows that. Over TLS the host is the console's own.
    """
    return "" if origin.startswith("https://") else f"/{secrets.token_urlsafe(24)}"


@dataclass(frozen=True, slots=True)
class ConsoleSession:
    """One sign-in. Times are seconds since the epoch. ``operator``: the name in records and audit."""

    nonce: str
    began: float
    seen: float
    operator: str


@dataclass
class SignInLink:
    """A secret for one sign-in. Thread-safe."""

    clock: Clock
    _digest: bytes | None = field(default=None, repr=False)
    _until: datetime | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def issue(self) -> str:
        """A new secret; the one before it stops working."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._digest, self._until = _digest(token), self.clock.now() + LINK_LIFE
        return token

    def redeem(self, token: str) -> bool:
        """True once, for the last issued secret, until it expires."""
        with self._lock:
            digest, until = self._digest, self._until
            good = (
                digest is not None
                and until is not None
                and self.clock.now() < until
                and hmac.compare_digest(digest, _digest(token))
            )
            if good:
                self._digest = self._until = None
            return good


@dataclass(frozen=True, slots=True)
class Sessions:
    """Cookies and form tokens under one key."""

    key: bytes = field(repr=False)
    clock: Clock
    #: nonce -> start, of sessions that were signed out before they expired.
    _ended: dict[str, float] = field(default_factory=dict)

    def start(self, operator: str) -> ConsoleSession:
        now = self.clock.now().timestamp()
        return ConsoleSession(secrets.token_urlsafe(16), now, now, operator)

    def seal(self, session: ConsoleSession) -> str:
        """The cookie's value, as of now."""
        body = orjson.dumps([session.nonce, session.began, self.clock.now().timestamp(), session.operator])
        text = base64.urlsafe_b64encode(body).decode()
        return f"{text}.{self._sign('session', text)}"

    def open(self, cookie: str | None) -> ConsoleSession | None:
        """The session in a valid cookie that has not expired; None: sign in again."""
        text, _, mark = (cookie or "")[:MAX_COOKIE].partition(".")
        if not text or not hmac.compare_digest(mark.encode(), self._sign("session", text).encode()):
            return None
        session = ConsoleSession(*orjson.loads(base64.urlsafe_b64decode(text)))
        now = self.clock.now().timestamp()
        alive = now - session.seen < IDLE.total_seconds() and now - session.began < LIFE.total_seconds()
        return session if alive and session.nonce not in self._ended else None

    def end(self, session: ConsoleSession) -> None:
        """Sign out; copies of its cookie become invalid, too."""
        over = self.clock.now().timestamp() - LIFE.total_seconds()
        for nonce in [nonce for nonce, began in list(self._ended.items()) if began < over]:
            self._ended.pop(nonce, None)
        self._ended[session.nonce] = session.began

    def form_token(self, session: ConsoleSession) -> str:
        """The token that forms of this session must send back; another site cannot know it."""
        return self._sign("form", session.nonce)

    def holds(self, session: ConsoleSession, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.form_token(session).encode())

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self.key, f"{purpose}\0{text}".encode(), hashlib.sha256).hexdigest()


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
