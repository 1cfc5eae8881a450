"""
Sessions of the pages: a cookie that holds the user's access token, encrypted, and the token that every form carries.

A session ends with its access token, when it is signed out, or when the key changes. Codes and ended sessions are known
to this process only: without a key in the settings, so are the cookies.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import orjson
from cryptography.fernet import Fernet, InvalidToken

from reader.errors import CallRefusal

#: A code that nobody used ends after this time.
CODE_LIFE: Final = timedelta(minutes=10)
CODES: Final = 1000
#: No session is longer, whatever its access token says.
LIFE: Final = timedelta(hours=8)
#: Browsers keep cookies of about 4 KiB with their name and attributes.
MAX_COOKIE: Final = 3800


def cookie_name(origin: str) -> str:
    """The session cookie's name at this origin.

    Over TLS, ``__Host-`` makes browsers refuse it from and to any other host. Without TLS, which is for this machine
    only, browsers differ in whether they take such a cookie; there the name keeps two readers apart.
    """
    if origin.startswith("https://"):
        return "__Host-memory"
    return f"memory_{hashlib.sha256(origin.encode()).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class Session:
    """``began``: seconds since the epoch."""

    nonce: str
    began: float
    user_token: str = field(repr=False)


@dataclass
class UserSessions:
    """Cookies and form tokens under one key (32 bytes). Thread-safe."""

    key: bytes = field(repr=False)
    now: Callable[[], datetime]
    #: nonce -> when its session would have ended, of sessions that were signed out.
    _ended: dict[str, float] = field(default_factory=dict)

    def start(self, user_token: str) -> Session:
        return Session(secrets.token_urlsafe(16), self.now().timestamp(), user_token)

    def seal(self, session: Session) -> str:
        """The cookie's value. Raises CallRefusal: the access token is too long for a cookie."""
        body = orjson.dumps([session.nonce, session.began, session.user_token])
        value = self._fernet().encrypt(body).decode()
        if len(value) > MAX_COOKIE:
            raise CallRefusal(
                413,
                "token_too_long",
                f"The access token has {len(session.user_token)} characters: too many for a cookie",
                hint="Leave custom claims out of the app's access tokens.",
            )
        return value

    def open(self, cookie: str | None) -> Session | None:
        """The session in a cookie; None: sign in again."""
        if not cookie or len(cookie) > MAX_COOKIE:
            return None
        try:
            nonce, began, token = orjson.loads(self._fernet().decrypt(cookie.encode()))
        except (InvalidToken, ValueError):
            return None
        alive = self.now().timestamp() - began < LIFE.total_seconds()
        return Session(nonce, began, token) if alive and nonce not in self._ended else None

    def end(self, session: Session) -> None:
        """Sign out; copies of its cookie stop working at this process, too."""
        now = self.now().timestamp()
        self._ended = {nonce: until for nonce, until in self._ended.items() if until > now}
        self._ended[session.nonce] = session.began + LIFE.total_seconds()

    def form_token(self, session: Session) -> str:
        """What forms of this session send back; no other site can know it."""
        return hmac.new(self.key, f"form\0{session.nonce}".encode(), hashlib.sha256).hexdigest()

    def holds(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.form_token(session).encode())

    def _fernet(self) -> Fernet:
        derived = hmac.new(self.key, b"session", hashlib.sha256).digest()
        return Fernet(base64.urlsafe_b64encode(derived))


@dataclass
class Codes:
    """Codes that each stand for an access token once. Thread-safe."""

    now: Callable[[], datetime]
    #: digest of a code -> (access token, end).
    _known: OrderedDict[bytes, tuple[str, datetime]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def issue(self, user_token: str) -> str:
        """A new code for this token."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._known[_digest(code)] = (user_token, self.now() + CODE_LIFE)
            while len(self._known) > CODES:
                self._known.popitem(last=False)
        return code

    def redeem(self, code: str) -> str | None:
        """The code's access token, once; None: unknown, used or too old."""
        with self._lock:
            token, until = self._known.pop(_digest(code), ("", self.now()))
        return token if token and self.now() < until else None


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()
