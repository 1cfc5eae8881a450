"""How operators sign in: by a printed link that works once, or at an OIDC issuer.

A door handles everything below ``/sign-in``. It always leads to the list of jobs afterwards: no address in the request
decides that.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
from dataclasses import dataclass, field
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import orjson
from cryptography.fernet import Fernet, InvalidToken
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from consumer.console.requests import RequestRefusal, read_form
from consumer.console.sessions import SignInLink, cookie_name
from consumer.errors import ConsumerError, KeysUnavailable
from consumer.ports import Clock

HOME: Final = "/jobs"
CALLBACK: Final = "/sign-in/callback"
#: The time from the button to the return from the issuer.
SIGN_IN_LIFE: Final = timedelta(minutes=10)
#: The most characters of a code or state that are read.
MAX_PARAMETER: Final = 2048


class Provider(Protocol):
    """An OIDC issuer with a client for this console (consumer/clients/signin.py)."""

    @property
    def issuer(self) -> str: ...
    def address(self, redirect_uri: str, state: str, nonce: str, challenge: str) -> str: ...
    def operator(self, redirect_uri: str, code: str, nonce: str, verifier: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Entered:
    """An operator signed in; ``response`` leads them on, once it carries the session's cookie."""

    operator: str
    response: Response | None = None


@dataclass(frozen=True, slots=True)
class SignInPage:
    """A page to show during sign-in."""

    template: str
    values: dict[str, Any]


Step = Entered | SignInPage | Response


class Door(Protocol):
    """``advice``: the text for a visitor who is not signed in. Steps raise RequestRefusal."""

    @property
    def advice(self) -> str: ...
    async def sign_in(self, request: Request) -> Step: ...


@dataclass(frozen=True, slots=True)
class LinkDoor:
    """The operator who started this console, by its printed link."""

    operator: str
    link: SignInLink
    #: The path of the console's pages.
    root: str = ""
    advice: str = (
        "Open the link that `cloop-memory console` printed. It works once; start the console again for a new one."
    )

    async def sign_in(self, request: Request) -> Step:
        """GET shows a button, so that a link preview does not use up the link; POST redeems it."""
        if request.method != "POST":
            return SignInPage("sign_in.html", {"token": request.query_params.get("token", "")})
        form = await read_form(request)
        if not self.link.redeem((form.get("token") or [""])[0]):
            raise RequestRefusal(403, "This link does not work", self.advice)
        return Entered(self.operator, RedirectResponse(self.root + HOME, status_code=HTTPStatus.SEE_OTHER))


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in in progress: the values its answer must carry, and its expiry (seconds since the epoch)."""

    state: str
    nonce: str
    verifier: str
    until: float


@dataclass
class OidcDoor:
    """Signs in operators whom the issuer knows and the settings list. ``origin``: the console's address for browsers.

    The browser that began a sign-in keeps it, in a cookie sealed with ``key``, so that others who begin one cannot
    displace it. This object keeps only the states of finished sign-ins.
    """

    provider: Provider
    origin: str
    clock: Clock
    key: bytes = field(repr=False)
    advice: str = "Sign in first; a session ends after half an hour without a click."
    #: state -> when its sign-in would have expired.
    _finished: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def redirect_uri(self) -> str:
        return f"{self.origin}{CALLBACK}"

    @property
    def cookie(self) -> str:
        """The name of the cookie that binds a sign-in to the browser that began it."""
        return cookie_name("sign_in", self.origin, self.key)

    async def sign_in(self, request: Request) -> Step:
        """The page that leads to the issuer."""
        return SignInPage("sign_in.html", {"issuer": urlsplit(self.provider.issuer).netloc})

    def start(self) -> Response:
        """Redirect to the issuer, with a state that only this browser can return. Raises KeysUnavailable."""
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        answer = RedirectResponse(
            self.provider.address(self.redirect_uri, state, nonce, challenge), status_code=HTTPStatus.SEE_OTHER
        )
        begun = [state, nonce, verifier, self.clock.now().timestamp() + SIGN_IN_LIFE.total_seconds()]
        # Lax: the issuer sends the browser back, which is a request from another site.
        answer.set_cookie(
            self.cookie,
            self._seal().encrypt(orjson.dumps(begun)).decode(),
            max_age=int(SIGN_IN_LIFE.total_seconds()),
            httponly=True,
            samesite="lax",
            secure=self.origin.startswith("https://"),
        )
        return answer

    def finish(self, query: dict[str, str], cookie: str | None) -> Entered:
        """Handle the return from the issuer; ``cookie``: the browser's. Each sign-in returns once.

        Raises RequestRefusal: this browser did not begin it here, it is not finished, or it is not an operator's.
        """
        begun = self._begun(query.get("state", ""), cookie)
        if query.get("iss", self.provider.issuer) != self.provider.issuer:
            raise RequestRefusal(403, "You are not signed in", "Another issuer answered. Begin again.")
        code = query.get("code", "")
        if query.get("error") or not code or len(code) > MAX_PARAMETER:
            raise RequestRefusal(403, "You are not signed in", "The issuer did not sign you in. Begin again.")
        try:
            operator = self.provider.operator(self.redirect_uri, code, begun.nonce, begun.verifier)
        except KeysUnavailable as exc:
            raise RequestRefusal(503, "The issuer cannot be reached", str(exc)) from exc
        except ConsumerError as exc:
            raise RequestRefusal(403, "You are not signed in", str(exc)) from exc
        self._finish(begun)
        return Entered(operator)

    def _begun(self, state: str, cookie: str | None) -> Begun:
        """The sign-in that this browser began here and now returns. Raises RequestRefusal."""
        try:
            begun = Begun(*orjson.loads(self._seal().decrypt((cookie or "")[:MAX_PARAMETER].encode())))
        except (InvalidToken, UnicodeEncodeError):
            raise self._unknown() from None
        candidate = state if len(state) <= MAX_PARAMETER else ""
        if not secrets.compare_digest(candidate.encode(), begun.state.encode()):
            raise self._unknown()
        if self.clock.now().timestamp() >= begun.until or begun.state in self._finished:
            raise self._unknown()
        return begun

    def _finish(self, begun: Begun) -> None:
        """Mark a sign-in as used. Raises RequestRefusal: it was used before."""
        now = self.clock.now().timestamp()
        with self._lock:
            for state in [state for state, until in self._finished.items() if until <= now]:
                del self._finished[state]
            if begun.state in self._finished:
                raise self._unknown()
            self._finished[begun.state] = begun.until

    def _unknown(self) -> RequestRefusal:
        return RequestRefusal(
            403, "You are not signed in", "This browser did not begin this sign-in here, or it expired. Begin again."
        )

    def _seal(self) -> Fernet:
        key = hmac.new(self.key, f"sign-in\0{self.origin}".encode(), hashlib.sha256).digest()
        return Fernet(base64.urlsafe_b64encode(key))
