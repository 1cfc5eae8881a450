"""How an operator comes in: by a printed link that works once, or by signing in at an OIDC issuer.

A door answers everything below ``/sign-in``. Where it leads afterwards is always the list of jobs: no address of the
request decides that.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
from dataclasses import dataclass, field
from datetime import timedelta
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
#: From the button to the way back.
SIGN_IN_LIFE: Final = timedelta(minutes=10)
#: Characters of a code or state that is worth reading.
MAX_PARAMETER: Final = 2048


class Provider(Protocol):
    """An OIDC issuer at which we are registered (consumer/clients/signin.py)."""

    @property
    def issuer(self) -> str: ...
    def address(self, redirect_uri: str, state: str, nonce: str, challenge: str) -> str: ...
    def operator(self, redirect_uri: str, code: str, nonce: str, verifier: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Entered:
    """An operator came in; ``response`` takes them on, once the session's cookie is on it."""

    operator: str
    response: Response | None = None


@dataclass(frozen=True, slots=True)
class SignInPage:
    """What a door shows."""

    template: str
    values: dict[str, Any]


Step = Entered | SignInPage | Response


class Door(Protocol):
    """``advice``: what a page says to somebody who is not signed in. Steps raise Refused."""

    @property
    def advice(self) -> str: ...
    async def sign_in(self, request: Request) -> Step: ...


@dataclass(frozen=True, slots=True)
class LinkDoor:
    """The operator who started this console, by its printed link."""

    operator: str
    link: SignInLink
    advice: str = (
        "Open the link that `cloop-memory console` printed. It works once; start the console again for a new one."
    )

    async def sign_in(self, request: Request) -> Step:
        """GET shows a button, so that whatever only looks at the link does not use it up; POST redeems it."""
        if request.method != "POST":
            return SignInPage("sign_in.html", {"token": request.query_params.get("token", "")})
        form = await read_form(request)
        if not self.link.redeem((form.get("token") or [""])[0]):
            raise RequestRefusal(403, "This link does not work", self.advice)
        return Entered(self.operator, RedirectResponse(HOME, status_code=303))


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in on its way: what its answer must carry, and until when (seconds since the epoch)."""

    state: str
    nonce: str
    verifier: str
    until: float


@dataclass
class OidcDoor:
    """Whoever the issuer knows and the settings list. ``origin``: where browsers find this console.

    A sign-in on its way is kept by the browser that began it, in a cookie sealed with ``key``: however many others
    begin one, nobody's is lost. What is kept here are the states of sign-ins that an operator finished.
    """

    provider: Provider
    origin: str
    clock: Clock
    key: bytes = field(repr=False)
    advice: str = "Sign in first; a session ends after half an hour without a click."
    #: state -> until when it would be a sign-in on its way.
    _finished: dict[str, float] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def redirect_uri(self) -> str:
        return f"{self.origin}{CALLBACK}"

    @property
    def cookie(self) -> str:
        """The name of the cookie that binds a sign-in to the browser that began it."""
        return cookie_name("sign_in", self.origin)

    async def sign_in(self, request: Request) -> Step:
        """The page with the way to the issuer."""
        return SignInPage("sign_in.html", {"issuer": urlsplit(self.provider.issuer).netloc})

    def start(self) -> Response:
        """To the issuer's page, with a state that only this browser can bring back. Raises KeysUnavailable."""
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        answer = RedirectResponse(self.provider.address(self.redirect_uri, state, nonce, challenge), status_code=303)
        begun = [state, nonce, verifier, self.clock.now().timestamp() + SIGN_IN_LIFE.total_seconds()]
        # Lax: the issuer's page sends the browser back, and that is another site's request.
        answer.set_cookie(
            self.cookie,
            self._seal().encrypt(orjson.dumps(begun)).decode(),
            max_age=int(SIGN_IN_LIFE.total_seconds()),
            httponly=True,
            samesite="lax",
            secure=self.origin.startswith("https://"),
        )
        return answer

    def finish(self, query: dict[str, str], held: str | None) -> Entered:
        """Back from the issuer; ``held``: what the browser's cookie holds. Each sign-in comes back once.

        Raises:
            Refused: it is not one that this browser began here, or not finished, or not an operator's.
        """
        begun = self._begun(query.get("state", ""), held)
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

    def _begun(self, asked: str, held: str | None) -> Begun:
        """The sign-in that this browser began here and that comes back now. Raises RequestRefusal."""
        try:
            begun = Begun(*orjson.loads(self._seal().decrypt((held or "")[:MAX_PARAMETER].encode())))
        except (InvalidToken, UnicodeEncodeError):
            raise self._unknown() from None
        known = asked if len(asked) <= MAX_PARAMETER else ""
        if not secrets.compare_digest(known.encode(), begun.state.encode()):
            raise self._unknown()
        if self.clock.now().timestamp() >= begun.until or begun.state in self._finished:
            raise self._unknown()
        return begun

    def _finish(self, begun: Begun) -> None:
        """An operator came in by it: it does so once. Raises RequestRefusal: it did before."""
        now = self.clock.now().timestamp()
        with self._lock:
            for state in [state for state, until in self._finished.items() if until <= now]:
                del self._finished[state]
            if begun.state in self._finished:
                raise self._unknown()
            self._finished[begun.state] = begun.until

    def _unknown(self) -> RequestRefusal:
        return RequestRefusal(
            403, "You are not signed in", "This is not a sign-in that began here just now. Begin again."
        )

    def _seal(self) -> Fernet:
        key = hmac.new(self.key, f"sign-in\0{self.origin}".encode(), hashlib.sha256).digest()
        return Fernet(base64.urlsafe_b64encode(key))
