"""Operators sign in at an issuer that speaks the real protocol: the way in, and every way in which it is not one."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from consumer import bootstrap
from consumer.console.app import create_app
from consumer.console.sessions import IDLE, LIFE, Sessions, SignInLink, cookie_name, secret_root
from consumer.console.sign_in import SIGN_IN_LIFE
from consumer.errors import KeysUnavailable, NotAllowed
from local import oidc
from local.serving import Background
from tests.asgi import Client
from tests.unit.console.consoles import Operations, typed

pytestmark = pytest.mark.integration
CLIENT = "memory-console"
ANN = "ann@example.com"
LI = "li@example.com"
MALLORY = "mallory@elsewhere.example"
ORIGIN = "http://127.0.0.1"
KEY = b"k" * 32
COOKIE = cookie_name("session", ORIGIN, KEY)
STATE_COOKIE = cookie_name("sign_in", ORIGIN, KEY)


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[oidc.OidcServer]:
    with Background(partial(oidc.start, tmp_path_factory.mktemp("oidc"))) as running:
        yield running


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operations]:
    made = Operations(tmp_path_factory.mktemp("console"))
    made.api.known = (ANN, LI)
    yield made
    made.workspaces.close()


@dataclass
class Console:
    """A console that signs in at ``issuer``, and one browser's cookies."""

    issuer: oidc.OidcServer
    operations: Operations
    client: Client

    def begin(self) -> str:
        """The address at the issuer to which the browser is sent."""
        answer = self.client.get("/sign-in/start")
        assert answer.status_code == 303
        return str(answer.headers["location"])

    def back(self, email: str, address: str | None = None, groups: str = "") -> str:
        """The path with which the issuer sends the browser back."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address or self.begin()).query).items()}
        form = {"email": email, "groups": groups, **query}
        answer = httpx.post(f"{self.issuer.sign_in_issuer}/authorize", data=form, timeout=60)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix(ORIGIN)

    def come_back(self, path: str, status: int) -> str:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        signed_in = COOKIE in self.client.cookies
        assert signed_in == (status == 200)
        assert signed_in == (self.client.get("/jobs").status_code == 200)
        return answer.text


@pytest.fixture
def opened(issuer: oidc.OidcServer, operations: Operations) -> Iterator[Callable[..., Console]]:
    closes: list[Callable[[], None]] = []

    def build(origin: str = ORIGIN, **changes: Any) -> Console:
        kept = {"issuer": issuer.sign_in_issuer, "client_id": CLIENT, "client_secret": "s3cret"}
        provider = bootstrap.sign_in(**{**kept, **changes}, emails={ANN, LI}, groups={"memory-operators"})
        closes.append(provider.close)
        sessions = Sessions(KEY, operations.clock)
        app = create_app(typed(operations), SignInLink(operations.clock), sessions, provider=provider, origin=origin)
        return Console(issuer, operations, Client(app, base_url=origin))

    yield build
    issuer.people.changes.clear()
    for close in closes:
        close()


@pytest.fixture
def console(opened: Callable[..., Console]) -> Console:
    return opened()


def test_the_way_in(console: Console) -> None:
    assert "/sign-in/start" in console.client.get("/sign-in").text
    address = console.begin()
    query = parse_qs(urlsplit(address).query)
    assert address.startswith(f"{console.issuer.sign_in_issuer}/authorize?")
    assert query["redirect_uri"] == [f"{ORIGIN}/sign-in/callback"]
    assert (query["code_challenge_method"], query["response_type"]) == (["S256"], ["code"])
    text = console.come_back(console.back(ANN, address), 200)
    assert 'http-equiv="refresh" content="0; url=/jobs"' in text
    assert ANN in console.client.get("/jobs").text


def test_a_member_of_a_listed_group_comes_in_without_being_listed(console: Console) -> None:
    console.operations.api.known = (ANN, LI, "new@example.com")
    console.come_back(console.back("new@example.com", groups="staff, memory-operators"), 200)


def test_two_operators_act_each_in_their_own_name(console: Console, opened: Callable[..., Console]) -> None:
    other = opened()
    for who, email in ((console, ANN), (other, LI)):
        who.come_back(who.back(email), 200)
    for who in (console, other):
        token = _form_token(who)
        flag = {"verb": "off", "name": "synthesis", "scope": "all", "reason": "a look at the model"}
        assert who.client.post("/flags", data={"form_token": token, **flag}).status_code == 303
    assert [operator for operator, _, _ in console.operations.api.changes[-2:]] == [ANN, LI]
    # A form of one session is nothing in another's.
    stolen = other.client.post("/flags", data={"form_token": _form_token(console), **flag})
    assert stolen.status_code == 403


@pytest.mark.parametrize(
    "change",
    [
        lambda path, state: path.replace(state, "x" * len(state)),
        lambda path, state: path.replace(f"state={state}", ""),
        lambda path, state: path.partition("code=")[0] + f"code=&state={state}",
        lambda path, state: re.sub("code=[^&]+", "code=guessed", path),
        lambda path, state: re.sub("code=[^&]+", "code=" + "x" * 5000, path),
        lambda path, state: re.sub("iss=[^&]+", "iss=https://evil.example", path),
        lambda path, state: path.partition("?")[0] + f"?error=access_denied&state={state}",
    ],
)
def test_an_answer_that_is_not_the_issuers_to_us(console: Console, change: Callable[[str, str], str]) -> None:
    path = console.back(ANN)
    text = console.come_back(change(path, parse_qs(urlsplit(path).query)["state"][0]), 403)
    assert "not signed in" in text


def test_a_sign_in_that_another_browser_began_is_none(console: Console, opened: Callable[..., Console]) -> None:
    victim = opened()
    planted = console.back(MALLORY)
    victim.come_back(planted, 403)
    victim.begin()
    victim.come_back(planted, 403)
    # And it took nothing from the browser that did begin it: that one is refused for its person alone.
    assert "not among the console" in console.come_back(planted, 403)


def test_an_answer_works_once(console: Console) -> None:
    path = console.back(ANN)
    held = console.client.cookies.get(STATE_COOKIE)
    console.come_back(path, 200)
    console.client.cookies.clear()
    assert held
    console.client.cookies.set(STATE_COOKIE, held)
    console.come_back(path, 403)


def test_a_sign_in_ends_with_its_first_answer(console: Console) -> None:
    """The issuer gives a code for each visit; the console takes one."""
    address = console.begin()
    first, second = console.back(ANN, address), console.back(ANN, address)
    held = console.client.cookies.get(STATE_COOKIE)
    console.come_back(first, 200)
    console.client.cookies.clear()
    assert held
    console.client.cookies.set(STATE_COOKIE, held)
    assert "did not begin this sign-in here" in console.come_back(second, 403)


def test_a_code_works_once_and_for_its_own_sign_in(console: Console) -> None:
    used = console.back(ANN)
    code = parse_qs(urlsplit(used).query)["code"][0]
    console.come_back(used, 200)
    console.client.cookies.clear()
    again = re.sub("code=[^&]+", f"code={code}", console.back(ANN))
    console.come_back(again, 403)
    # Of two sign-ins of one browser, each has a verifier of its own.
    first, second = console.back(ANN), console.back(ANN)
    swapped = re.sub("code=[^&]+", "code=" + parse_qs(urlsplit(first).query)["code"][0], second)
    console.come_back(swapped, 403)


def test_a_sign_in_is_forgotten_after_its_life(console: Console) -> None:
    path = console.back(ANN)
    console.operations.clock.advance(SIGN_IN_LIFE.total_seconds())
    console.come_back(path, 403)


def test_sign_ins_that_strangers_begin_evict_nobodys(console: Console) -> None:
    path, held = console.back(ANN), console.client.cookies.get(STATE_COOKIE)
    for _ in range(1_001):
        console.begin()
    console.client.cookies.clear()
    assert held
    console.client.cookies.set(STATE_COOKIE, held)
    console.come_back(path, 200)


@pytest.mark.parametrize(
    "change", [str.swapcase, lambda held: held[:-4] + "AAAA", lambda held: "", lambda held: "\u00e9"]
)
def test_a_forged_sign_in_is_none(console: Console, change: Callable[[str], str]) -> None:
    path, held = console.back(ANN), console.client.cookies.get(STATE_COOKIE)
    assert held
    console.client.cookies.clear()
    answer = console.client.get(path, headers={b"cookie": f"{STATE_COOKIE}={change(held)}".encode("latin-1")})
    assert answer.status_code == 403


def test_a_sign_in_of_another_console_is_none(console: Console, opened: Callable[..., Console]) -> None:
    """Two processes have two keys; of one key, two origins seal differently."""
    path, held = console.back(ANN), console.client.cookies.get(STATE_COOKIE)
    assert held
    other = opened(f"{ORIGIN}:8081")
    answer = other.client.get(path, headers={"cookie": f"{cookie_name('sign_in', ORIGIN + ':8081', KEY)}={held}"})
    assert answer.status_code == 403


def test_the_verifier_stays_out_of_sight(console: Console) -> None:
    """The cookie is sealed and not only signed: its parts are no text of the cookie."""
    address = console.begin()
    state = parse_qs(urlsplit(address).query)["state"][0]
    held = console.client.cookies.get(STATE_COOKIE) or ""
    assert state.encode() not in base64.urlsafe_b64decode(held + "==")


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"aud": "another-client"},
        {"aud": [CLIENT, "another-client"]},
        {"iss": "https://accounts.google.com"},
        {"exp": 1},
        {"iat": 99999999999},
        {"email_verified": False},
        {"email_verified": "true"},
        {"groups": "memory-operators"},
        {"groups": [["memory-operators"]]},
    ],
)
def test_a_token_that_is_not_exactly_ours(console: Console, claims: dict[str, Any]) -> None:
    console.issuer.people.changes.update(claims)
    console.come_back(console.back(MALLORY if "groups" in claims else ANN), 403)


def test_a_token_of_another_key_or_none(console: Console, tmp_path: Path) -> None:
    real, forger = console.issuer.people.mint, oidc.Issuer(oidc.KeyRing(tmp_path))
    unsigned = "eyJhbGciOiJub25lIn0.e30."
    mints: list[Any] = [forger.mint, lambda *_, **__: unsigned, lambda *_, **__: "", lambda *_, **__: None]
    for mint in mints:
        console.issuer.people.mint = mint
        try:
            console.come_back(console.back(ANN), 403)
        finally:
            console.issuer.people.mint = real


def test_somebody_who_is_not_listed_is_told_so_and_stays_outside(console: Console) -> None:
    text = console.come_back(console.back(MALLORY, groups="staff"), 403)
    assert "not among the console" in text
    assert MALLORY not in text


def test_whom_the_control_plane_does_not_know_sees_nothing(console: Console) -> None:
    console.operations.api.known = (LI,)
    try:
        path = console.back(ANN)
        assert console.client.get(path).status_code == 200
        assert "no operator here" in console.client.get("/jobs").text
    finally:
        console.operations.api.known = (ANN, LI)


@pytest.mark.parametrize("word", ["next", "return_to", "redirect_uri", "url", "home"])
def test_no_address_of_the_request_decides_where_one_lands(console: Console, word: str) -> None:
    evil = "https://evil.example/"
    for path in (f"/sign-in?{word}={evil}", f"/sign-in/start?{word}={evil}"):
        answer = console.client.get(path)
        assert "evil.example" not in answer.text + answer.headers.get("location", "")
    text = console.come_back(f"{console.back(ANN)}&{word}={evil}", 200)
    assert "evil.example" not in text
    assert "url=/jobs" in text


def test_sessions_end_and_signing_out_ends_them_for_good(console: Console) -> None:
    console.come_back(console.back(ANN), 200)
    console.operations.clock.advance(IDLE.total_seconds())
    assert "/sign-in" in console.client.get("/jobs").text
    console.client.cookies.clear()
    console.come_back(console.back(ANN), 200)
    step = IDLE.total_seconds() - 1
    for _ in range(int(LIFE.total_seconds() // step)):
        assert console.client.get("/jobs").status_code == 200
        console.operations.clock.advance(step)
    console.operations.clock.advance(step)
    assert console.client.get("/jobs").status_code == 401
    console.client.cookies.clear()
    console.come_back(console.back(ANN), 200)
    kept = console.client.cookies[COOKIE]
    assert console.client.post("/sign-out", data={"form_token": _form_token(console)}).status_code == 200
    assert COOKIE not in console.client.cookies
    console.client.cookies.set(COOKIE, kept)
    assert console.client.get("/jobs").status_code == 401, "a copy of the cookie is worth nothing"


def test_cookies_are_hidden_from_scripts_other_sites_and_the_clear(opened: Callable[..., Console]) -> None:
    plain, secure = opened(), opened("https://console.example")
    begun = [console.client.get("/sign-in/start").headers["set-cookie"] for console in (plain, secure)]
    assert all("HttpOnly" in cookie and "SameSite=lax" in cookie for cookie in begun)
    assert ["Secure" in cookie for cookie in begun] == [False, True]
    assert begun[1].startswith("__Host-")
    assert all("Path=/;" in cookie and "Domain" not in cookie for cookie in begun)
    session = plain.client.get(plain.back(ANN)).headers["set-cookie"]
    assert "SameSite=strict" in session
    assert "HttpOnly" in session


def test_on_this_machine_the_issuers_way_in_leads_below_a_secret_path(
    issuer: oidc.OidcServer, operations: Operations
) -> None:
    root = secret_root(ORIGIN)
    with closing(bootstrap.sign_in(issuer.sign_in_issuer, CLIENT, "s3cret", emails={ANN}, groups=())) as provider:
        app = create_app(
            typed(operations),
            SignInLink(operations.clock),
            Sessions(KEY, operations.clock),
            provider=provider,
            origin=ORIGIN,
            root=root,
        )
        console = Console(issuer, operations, Client(app, base_url=ORIGIN))
        for path, status in (("/", 303), ("/sign-in", 200), ("/jobs", 401), ("/sign-in/callback", 403)):
            answer = console.client.get(path)
            assert (answer.status_code, root in answer.text + str(answer.headers)) == (status, False), path
        entered = console.client.get(console.back(ANN))
        assert f"url={root}/jobs" in entered.text
        assert f"Path={root};" in entered.headers["set-cookie"]
        assert console.client.get(f"{root}/jobs").status_code == 200
        assert console.client.get("/jobs").status_code == 401


def test_behind_a_proxy_only_its_own_name_is_answered(opened: Callable[..., Console]) -> None:
    console = opened("https://console.example")
    assert "redirect_uri=https%3A%2F%2Fconsole.example%2Fsign-in%2Fcallback" in console.begin()
    assert console.client.get("/sign-in", headers={"host": "evil.example"}).status_code == 400


def test_the_printed_link_is_no_way_in_beside_it(console: Console) -> None:
    assert console.client.post("/sign-in", data={"token": "x"}).status_code in (200, 403, 405)
    assert console.client.get("/jobs").status_code == 401


def test_an_issuer_that_calls_itself_otherwise_or_is_away(console: Console, opened: Callable[..., Console]) -> None:
    provider = bootstrap.sign_in(console.issuer.url, CLIENT, None, emails={ANN}, groups=())
    with closing(provider), pytest.raises(NotAllowed, match="another issuer"):
        provider.address(ORIGIN, "s", "n", "c")
    away = bootstrap.sign_in("http://127.0.0.1:1", CLIENT, None, emails={ANN}, groups=())
    with closing(away), pytest.raises(KeysUnavailable):
        away.address(ORIGIN, "s", "n", "c")
    assert opened(issuer="http://127.0.0.1:1").client.get("/sign-in/start").status_code == 503


def test_what_the_issuer_asks_of_a_client(issuer: oidc.OidcServer) -> None:
    base = f"{issuer.sign_in_issuer}/authorize"
    good = {
        "response_type": "code",
        "client_id": CLIENT,
        "redirect_uri": f"{ORIGIN}/sign-in/callback",
        "scope": "openid",
        "state": "s",
        "nonce": "n",
        "code_challenge": "c",
        "code_challenge_method": "S256",
    }
    assert httpx.get(base, params=good, timeout=60).status_code == 200
    for change in ({"code_challenge_method": "plain"}, {"redirect_uri": "https://evil.example/"}, {"nonce": ""}):
        assert httpx.get(base, params=good | change, timeout=60).status_code == 400


def _form_token(console: Console) -> str:
    match = re.search(r'name="form_token" value="([0-9a-f]{64})"', console.client.get("/users").text)
    assert match
    return match[1]
