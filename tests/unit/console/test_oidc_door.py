"""How an operator comes back from an issuer: by the browser that left for it, in time, and once."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest

from consumer.console.requests import RequestRefusal
from consumer.console.sign_in import Entered, OidcDoor
from consumer.errors import KeysUnavailable, NotAllowed
from consumer.storage.memory import FakeClock
from tests.tables import table

ANN: Final = "ann@example.com"
ISSUER: Final = "https://issuer.example"
ORIGIN: Final = "https://console.example"


class Provider:
    """An issuer that knows ``ANN`` by the code ``good``. ``error``: raised instead of an answer."""

    issuer = ISSUER
    error: Exception | None = None

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str, str]] = []

    def address(self, redirect_uri: str, state: str, nonce: str, challenge: str) -> str:
        return f"{ISSUER}/authorize?state={state}&nonce={nonce}&challenge={challenge}&uri={redirect_uri}"

    def operator(self, redirect_uri: str, code: str, nonce: str, verifier: str) -> str:
        self.asked.append((redirect_uri, code, nonce, verifier))
        if self.error:
            raise self.error
        return ANN


class Visit:
    """A browser that left for the issuer."""

    def __init__(self, origin: str = ORIGIN) -> None:
        self.clock, self.provider = FakeClock(), Provider()
        self.door = OidcDoor(self.provider, origin, self.clock, b"k" * 32)
        answer = self.door.start()
        self.location = answer.headers["location"]
        cookies = SimpleCookie(answer.headers["set-cookie"])
        self.morsel = cookies[self.door.cookie]
        self.sent = {name: values[0] for name, values in parse_qs(urlsplit(self.location).query).items()}
        self.status = answer.status_code

    def back(self, cookie: str | None = "", **changes: str) -> Entered:
        query = {"state": self.sent["state"], "code": "good", **changes}
        return self.door.finish(query, self.morsel.value if cookie == "" else cookie)

    def refusal(self, cookie: str | None = "", **changes: str) -> RequestRefusal:
        with pytest.raises(RequestRefusal) as caught:
            self.back(cookie, **changes)
        return caught.value


def test_the_browser_that_left_comes_back_as_whom_the_issuer_names() -> None:
    visit = Visit()
    assert visit.status == 303
    assert visit.location.startswith(f"{ISSUER}/authorize?")
    assert visit.sent["uri"] == f"{ORIGIN}/sign-in/callback"
    flags = {name: visit.morsel[name] for name in ("httponly", "secure", "samesite", "max-age")}
    assert flags == {"httponly": True, "secure": True, "samesite": "lax", "max-age": "600"}
    assert not Visit("http://127.0.0.1").morsel["secure"]
    assert visit.back(iss=ISSUER).operator == ANN
    [(redirect_uri, code, nonce, verifier)] = visit.provider.asked
    assert (redirect_uri, code, nonce) == (visit.sent["uri"], "good", visit.sent["nonce"])
    assert len({visit.sent["state"], nonce, verifier}) == 3
    assert min(map(len, (visit.sent["state"], nonce, verifier))) >= 43, "256 random bits"


@table(
    ("changes", "advice"),
    [
        ({"state": "another"}, "did not begin"),
        ({"state": ""}, "did not begin"),
        ({"state": "x" * 2049}, "did not begin"),
        ({"iss": "https://evil.example"}, "Another issuer answered"),
        ({"error": "access_denied"}, "did not sign you in"),
        ({"code": ""}, "did not sign you in"),
        ({"code": "x" * 2049}, "did not sign you in"),
    ],
)
def test_another_answer_than_the_issuers_signs_nobody_in(changes: dict[str, str], advice: str) -> None:
    visit = Visit()
    refusal = visit.refusal(**changes)
    assert (refusal.status, advice in refusal.advice, visit.provider.asked) == (403, True, [])
    assert visit.back(code="x" * 2048).operator == ANN, "and takes nothing from the browser that began"


@table("forged", [None, "x", "\u00e9", "gAAAA" * 20])
def test_a_browser_without_its_cookie_did_not_begin(forged: str | None) -> None:
    assert Visit().refusal(forged).status == 403
    assert Visit().refusal(Visit("https://other.example").morsel.value).status == 403


def test_a_sign_in_is_over_after_its_first_return_and_after_ten_minutes() -> None:
    visit = Visit()
    visit.clock.advance(599)
    visit.back()
    assert visit.refusal().status == 403
    late = Visit()
    late.clock.advance(600)
    assert late.refusal().status == 403
    assert late.provider.asked == []


def test_of_two_that_return_at_once_one_comes_in() -> None:
    visit = Visit()
    back: Callable[[], Any] = visit.back
    real = visit.provider.operator

    def slow(redirect_uri: str, code: str, nonce: str, verifier: str) -> str:
        visit.provider.operator = real  # type: ignore[method-assign]
        assert back().operator == ANN
        return real(redirect_uri, code, nonce, verifier)

    visit.provider.operator = slow  # type: ignore[method-assign]
    assert visit.refusal().status == 403


@table(
    ("error", "status", "title"),
    [
        (KeysUnavailable("no answer"), 503, "The issuer cannot be reached"),
        (NotAllowed("not among the operators", 403), 403, "You are not signed in"),
    ],
)
def test_what_the_issuer_says_is_told(error: Exception, status: int, title: str) -> None:
    visit = Visit()
    visit.provider.error = error
    refusal = visit.refusal()
    assert (refusal.status, refusal.title, refusal.advice) == (status, title, str(error))
    visit.provider.error = None
    assert visit.back().operator == ANN, "a sign-in that failed may be repeated"
