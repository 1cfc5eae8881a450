"""The operator console over the real records and a real workspace: who gets in, what pages show, what forms do."""

from __future__ import annotations

import html
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from httpx import Cookies, Response
from starlette.applications import Starlette

from consumer.console.app import Console, create_app
from consumer.console.dead_letters import DeadLetterAction, DeadLetterList
from consumer.console.pages import RECORDS
from consumer.console.serving import prepare
from consumer.console.sessions import IDLE, LIFE, LINK_LIFE, Sessions, SignInLink, cookie_name, secret_root
from consumer.delivery.deadletter import DeadLetters
from consumer.errors import ControlPlaneUnavailable
from contract.api import EnableUserRequest, PauseView, ReplayRequest
from service import security
from tests.asgi import Client
from tests.copies import copied
from tests.fixtures_telemetry import Lines
from tests.spine import USER, job_id
from tests.unit.cli.operators import a_job
from tests.unit.console.consoles import ANCHOR, EVIDENCE, HOSTILE, LONG, OPERATOR, REPORT, Operations, typed
from tests.waiting import PATIENCE_S

#: The console's of these tests, which have no origin.
COOKIE = cookie_name("session", "", b"k" * 32)


class Elements(HTMLParser):
    """Every tag of a page with its attributes, as a browser would find them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]


@dataclass
class Browser:
    operations: Operations
    client: Client
    link: SignInLink

    def sign_in(self) -> None:
        answer = self.client.post("/sign-in", data={"token": self.link.issue()})
        assert answer.status_code == 303

    def read(self, path: str = f"/users/{USER}/commits/1", **fields: str) -> Response:
        """Say why the memory at this address is read."""
        form = {"form_token": self.form_token(), "reason": "the user asked us to look", **fields}
        return self.client.post(path, data=form)

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        return answer.text

    def form_token(self) -> str:
        match = re.search(r'name="form_token" value="([0-9a-f]{64})"', self.get("/users"))
        assert match
        return match[1]

    def post(self, path: str, status: int = 200, **fields: Any) -> str:
        answer = self.client.post(path, data={"form_token": self.form_token(), **fields})
        assert answer.status_code == status, answer.text
        return answer.text

    def group(self, code: str) -> str:
        match = re.search(rf'href="(/dead-letters/[^"]+)">{code}<', self.get("/dead-letters?state=all"))
        assert match
        return match[1]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Operations:
    """For tests that only look."""
    return Operations(tmp_path_factory.mktemp("console"))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operations]:
    """Nobody changes it: what changes is a copy."""
    operations = Operations(tmp_path_factory.mktemp("console-template"))
    yield operations
    operations.workspaces.close()


def opened(operations: Operations) -> Browser:
    link = SignInLink(operations.clock)
    app = create_app(typed(operations), link, Sessions(b"k" * 32, operations.clock))
    client = Client(app)
    return Browser(operations, client, link)


@pytest.fixture
def stranger(shared: Operations) -> Browser:
    return opened(shared)


@pytest.fixture
def browser(stranger: Browser) -> Browser:
    stranger.sign_in()
    assert stranger.read().status_code == 303
    return stranger


@pytest.fixture
def writer(template: Operations, tmp_path: Path) -> Iterator[Browser]:
    """For tests that change records."""
    operations = copied(template)
    operations.world.tmp = tmp_path
    made = opened(operations)
    made.sign_in()
    yield made
    made.operations.workspaces.close()


# --- who gets in


PAGES = (
    "/jobs",
    f"/jobs/{job_id(7)}",
    "/dead-letters",
    "/users",
    f"/users/{USER}",
    f"/users/{USER}/commits/2",
    f"/users/{USER}/files/{REPORT}",
)


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_sees_nothing(stranger: Browser, path: str) -> None:
    text = stranger.get(path, status=401)
    assert "not signed in" in text
    assert USER not in text
    assert OPERATOR not in text


def test_a_stranger_changes_nothing(stranger: Browser) -> None:
    for path in ("/dead-letters/anything", "/sign-out"):
        assert stranger.client.post(path, data={"verb": "discard", "reason": "x", "key": "m-4711"}).status_code == 401


def test_a_link_works_once_and_looking_at_it_does_not_use_it_up(stranger: Browser) -> None:
    token = stranger.link.issue()
    assert token in stranger.get(f"/sign-in?token={token}")
    assert COOKIE not in stranger.client.cookies
    assert stranger.client.post("/sign-in", data={"token": token}).status_code == 303
    stranger.get("/jobs")
    assert stranger.client.post("/sign-in", data={"token": token}).status_code == 403


@pytest.mark.parametrize("token", ["", "wrong", "é" * 50, None])
def test_any_other_token_is_refused(stranger: Browser, token: str | None) -> None:
    stranger.link.issue()
    fields = {} if token is None else {"token": token}
    assert stranger.client.post("/sign-in", data=fields).status_code in (403, 415)
    stranger.get("/jobs", status=401)


def test_a_link_is_forgotten_after_its_life(writer: Browser) -> None:
    token = writer.link.issue()
    writer.operations.clock.advance(LINK_LIFE.total_seconds())
    assert writer.client.post("/sign-in", data={"token": token}).status_code == 403


def test_an_idle_session_ends_and_a_busy_one_lives_until_its_life_is_over(writer: Browser) -> None:
    clock, step = writer.operations.clock, IDLE.total_seconds() - 1
    for _ in range(int(LIFE.total_seconds() // step)):
        clock.advance(step)
        writer.get("/jobs")
    clock.advance(step)
    writer.get("/jobs", status=401)
    writer.sign_in()
    clock.advance(IDLE.total_seconds())
    writer.get("/jobs", status=401)


def test_a_page_that_asks_again_by_itself_keeps_nobody_signed_in(writer: Browser) -> None:
    """Left open in front of an empty chair."""
    page = "/jobs?status=running&type=&user_id="
    match = re.search(r'http-equiv="refresh" content="\d+; url=([^"]+)"', writer.get(page))
    assert match
    again = "/jobs" + html.unescape(match[1])
    assert again == f"{page}&again=1"
    for _ in range(10):
        writer.operations.clock.advance(IDLE.total_seconds() / 10 - 1)
        assert f'url={match[1]}"' in writer.get(again)
    writer.operations.clock.advance(10)
    assert "refresh" not in writer.get(again, status=401)
    writer.sign_in()
    writer.operations.clock.advance(IDLE.total_seconds() - 1)
    writer.get(page)
    writer.operations.clock.advance(IDLE.total_seconds() - 1)
    writer.get(again)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c[:-1] + ("1" if c[-1] == "0" else "0"),
        lambda c: "x" + c,
        lambda c: c.partition(".")[0],
        lambda _: ".",
    ],
)
def test_a_forged_cookie_is_none(stranger: Browser, change: Any) -> None:
    sessions = Sessions(b"k" * 32, stranger.operations.clock)
    good = sessions.seal(sessions.start(OPERATOR))
    stranger.client.cookies.set(COOKIE, change(good))
    stranger.get("/jobs", status=401)


def test_a_cookie_of_another_process_is_none(stranger: Browser) -> None:
    sessions = Sessions(b"other" * 8, stranger.operations.clock)
    stranger.client.cookies.set(COOKIE, sessions.seal(sessions.start(OPERATOR)))
    stranger.get("/jobs", status=401)


@dataclass
class LocalConsole:
    """A console on this machine as ``serving.prepare`` starts it, at ``origin``, with an operator signed in."""

    origin: str
    root: str
    key: bytes
    client: Client


def local_consoles(shared: Operations) -> list[LocalConsole]:
    made = []
    for port, key in ((4001, b"a" * 32), (4002, b"b" * 32)):
        link, origin = SignInLink(shared.clock), f"http://127.0.0.1:{port}"
        root = secret_root(origin)
        app = create_app(typed(shared), link, Sessions(key, shared.clock), origin=origin, root=root)
        console = LocalConsole(origin, root, key, Client(app))
        answer = console.client.post(f"{root}/sign-in", data={"token": link.issue()})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{root}/jobs")
        made.append(console)
    return made


def test_two_consoles_of_one_machine_keep_their_operators_apart(shared: Operations) -> None:
    """A browser keeps cookies by host and not by port: signing in at one must not displace the other's."""
    consoles = local_consoles(shared)
    browser = Cookies()
    for console in consoles:
        browser.update(console.client.cookies)
    names = {cookie.name for cookie in browser.jar}
    assert names == {cookie_name("session", console.origin, console.key) for console in consoles}
    for console in consoles:
        console.client.cookies.update(browser)
        assert console.client.get(f"{console.root}/jobs").status_code == 200


def test_other_servers_of_this_machine_get_no_cookie_and_cannot_name_one(shared: Operations) -> None:
    """They are the same host to a browser, which sends them what it holds for the path that it asks them for."""
    first, second = local_consoles(shared)
    for path in ("/", "/jobs", f"{second.root}/jobs", "/sign-in"):
        request = first.client.build_request("GET", path)
        assert "cookie" not in request.headers, path
    assert "cookie" in first.client.build_request("GET", f"{first.root}/jobs").headers
    # The path is told to nobody who does not know it, and the name follows from a key and not from the address alone.
    for path in ("/", "/jobs", "/sign-in", "/nowhere", "/console.css"):
        stranger = Client(first.client.app).get(path)
        assert first.root not in stranger.text + str(stranger.headers)
        assert stranger.status_code == (200 if path == "/console.css" else 401)
    assert cookie_name("session", first.origin, first.key) != cookie_name("session", first.origin, second.key)
    # Under the other's name a cookie is nothing.
    [held] = second.client.cookies.jar
    cookie = {"cookie": f"{cookie_name('session', first.origin, first.key)}={held.value}"}
    assert Client(first.client.app).get(f"{first.root}/jobs", headers=cookie).status_code == 401


def test_every_address_in_a_page_is_below_the_consoles_own_path(shared: Operations) -> None:
    console, _ = local_consoles(shared)
    for path in PAGES:
        elements = Elements(console.client.get(console.root + path).text)
        for attrs in (attrs for _, attrs in elements.elements):
            for place in (attrs.get("href"), attrs.get("action")):
                assert not place or not place.startswith("/") or place.startswith(f"{console.root}/"), (path, place)


def test_over_tls_the_host_is_the_consoles_own(shared: Operations) -> None:
    assert secret_root("https://console.example") == ""
    assert cookie_name("session", "https://console.example", b"k").startswith("__Host-")


def test_signing_out_needs_the_form_and_takes_the_cookie_with_its_copies(browser: Browser, lines: Lines) -> None:
    assert browser.client.post("/sign-out", data={}).status_code in (403, 415)
    browser.get("/jobs")
    cookie = browser.client.cookies[COOKIE]
    browser.post("/sign-out")
    browser.get("/jobs", status=401)
    assert COOKIE not in browser.client.cookies
    browser.client.cookies.set(COOKIE, cookie)
    browser.get("/jobs", status=401)
    assert [fields for message, fields in lines.seen if message == "console_sign_out"] == [{"operator": OPERATOR}]


def test_a_fault_has_the_headers_too(shared: Operations, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(Console, "sign_in", fails)
    app = create_app(typed(shared), SignInLink(shared.clock), Sessions(b"k" * 32, shared.clock))
    answer = Client(app, raises=False).get("/sign-in")
    assert answer.status_code == 500
    assert security.HEADERS.items() <= dict(answer.headers).items()


def test_every_answer_carries_the_guards(browser: Browser) -> None:
    for path in (*PAGES, "/console.css", "/nowhere", "/sign-in"):
        headers = browser.client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
    cookie = browser.client.get("/jobs").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_another_name_for_this_address_gets_nothing(browser: Browser) -> None:
    assert browser.client.get("/jobs", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.integration
def test_a_stranger_cannot_fill_the_memory_with_a_header(shared: Operations) -> None:
    running = prepare(typed(shared), 0)
    thread = threading.Thread(target=running.serve, daemon=True)
    thread.start()
    try:
        address = running.listener.getsockname()
        with socket.create_connection(address, PATIENCE_S) as there, suppress(ConnectionError):
            there.sendall(b"GET /jobs HTTP/1.1\r\nx: ")
            for _ in range(64):
                there.sendall(b"a" * 1024 * 1024)
            pytest.fail("64 MiB of one header were taken")
    finally:
        running.server.should_exit = True
        thread.join(PATIENCE_S)


@pytest.mark.parametrize(
    ("path", "status"), [("/jobs/none", 404), ("/wp-login.php", 404), ("/users/..%2fx", 404), ("/sign-out", 405)]
)
def test_an_address_of_nothing_is_a_page_like_the_others(browser: Browser, path: str, status: int) -> None:
    text = browser.get(path, status)
    assert "The console has no such page" in text
    assert '<a href="/jobs">Jobs</a>' in text, "whoever is signed in still is"


def test_a_stranger_is_told_no_more_by_an_address_of_nothing(stranger: Browser) -> None:
    assert "Sign out" not in stranger.get("/wp-login.php", 404)


def test_pages_need_no_inline_style_or_script(browser: Browser) -> None:
    for path in PAGES:
        for tag, attrs in Elements(browser.get(path)).elements:
            assert tag not in ("script", "style")
            assert not [name for name in attrs if name == "style" or name.startswith("on")]


# --- what pages show


def test_jobs_are_listed_with_their_live_stage_and_filters_are_passed_on(browser: Browser) -> None:
    text = browser.get("/jobs")
    assert job_id(7) in text
    assert "synthesize" in text
    assert 'http-equiv="refresh"' in text
    only = browser.get(f"/jobs?status=failed&type=insight&user_id={USER}&after=older")
    assert browser.operations.api.asked[-1] == {
        "status": "failed",
        "type": "insight",
        "user_id": USER,
        "after": "older",
    }
    assert job_id(7) not in only
    assert 'http-equiv="refresh"' not in only


def test_more_jobs_than_a_page_lead_to_older_ones_under_the_same_filter(writer: Browser) -> None:
    writer.operations.api.listed = [a_job(n, status="completed") for n in range(1, 60)]
    [older] = [a for a in Elements(writer.get("/jobs?status=completed")).all("a") if "after=" in (a["href"] or "")]
    assert older["href"] == "/jobs?status=completed&type=&user_id=&after=older"


def test_a_failed_job_tells_attempts_stages_error_and_hint(browser: Browser) -> None:
    text = browser.get(f"/jobs/{job_id(3)}")
    assert [text.count(f">attempt {number}<") for number in range(1, 7)] == [1] * 5 + [0]
    assert text.count("failed: tool_failed in report") == 5
    assert text.index(">attempt 1<") < text.index(">attempt 5<")
    for words in ("tool_failed", "In report", "cloop-memory doctor", "hydrate", "<progress"):
        assert words in text
    assert "/dead-letters/" in text


def test_a_failure_that_a_completed_job_has_overcome_is_told_as_such(writer: Browser) -> None:
    writer.operations.api.listed = [a_job(3, status="completed")]
    text = writer.get(f"/jobs/{job_id(3)}")
    assert "<h2>Earlier failure: tool_failed</h2>" in text
    assert 'class="failure"' not in text


def test_commands_in_advice_are_code_and_nothing_in_it_is_markup(writer: Browser) -> None:
    assert "Run <code>cloop-memory doctor</code>, which checks the tool." in writer.get(f"/jobs/{job_id(3)}")
    error = {"code": "x", "stage": "report", "hint": "<b>Run</b> `<i>this</i>` or `that"}
    writer.operations.api.listed = [a_job(9, status="failed", error=error)]
    text = writer.get(f"/jobs/{job_id(9)}")
    assert "&lt;b&gt;Run&lt;/b&gt; <code>&lt;i&gt;this&lt;/i&gt;</code> or `that" in text


def test_a_running_job_is_asked_for_again_and_a_finished_one_is_not(browser: Browser) -> None:
    running = browser.get(f"/jobs/{job_id(8)}")
    assert 'http-equiv="refresh" content="3; url=?again=1"' in running
    assert "synthesize" in running
    assert "refresh" not in browser.get(f"/jobs/{job_id(7)}")


def test_what_is_not_there_says_so(browser: Browser) -> None:
    assert "job_not_found" in browser.get(f"/jobs/{job_id(99)}", status=404)
    browser.get("/jobs/not-a-uuid", status=404)
    browser.get("/dead-letters/unknown", status=404)
    browser.get("/dead-letters?state=odd", status=400)
    browser.get(f"/users/{USER}/commits/99", status=404)
    browser.get(f"/users/{USER}/files/brain/none.md", status=404)
    browser.get(f"/users/{USER}/files/brain/../../other.md", status=404)
    browser.get(f"/users/{USER}/files/brain/blob.bin", status=415)
    browser.get(f"/users/{USER}/files/{REPORT}?seq=x", status=400)
    browser.get(f"/users/{USER}/files/{REPORT}?seq=1", status=404)


def test_an_outage_is_told_with_advice_and_no_traceback(writer: Browser) -> None:
    writer.operations.api.error = ControlPlaneUnavailable("GET /memory-jobs: ConnectError")
    text = writer.get("/jobs", status=502)
    assert "CONTROLPLANE_URL" in text
    assert "Traceback" not in text


def test_a_user_shows_reports_history_and_files_of_a_commit(browser: Browser) -> None:
    text = browser.get(f"/users/{USER}")
    assert REPORT.removeprefix("brain/reports/") in text
    assert f"/users/{USER}/commits/2" in text
    commit = browser.get(f"/users/{USER}/commits/2")
    assert EVIDENCE in commit
    assert f"/users/{USER}/files/{EVIDENCE}?seq=2" in commit


def test_a_user_shows_the_ten_newest_jobs(writer: Browser) -> None:
    assert writer.read().status_code == 303
    api = writer.operations.api
    api.listed = [api.listed[0].model_copy(update={"job_id": job_id(n)}) for n in range(100, 111)]
    text = writer.get(f"/users/{USER}")
    assert [f'href="/jobs/{job_id(n)}"' in text for n in range(100, 111)] == [True] * 10 + [False]


def test_json_is_shown_readable_and_escaped(browser: Browser) -> None:
    text = browser.get(f"/users/{USER}/files/runtime/job-runs/x.json")
    assert "&#34;a&#34;: &#34;&lt;i&gt;&#34;" in text


# --- the report viewer


def test_every_citation_of_a_report_opens_the_cited_evidence_at_its_anchor(browser: Browser) -> None:
    job = Elements(browser.get(f"/jobs/{job_id(7)}"))
    [report] = [a["href"] for a in job.all("a") if REPORT in (a["href"] or "")]
    assert report == f"/users/{USER}/files/{REPORT}?seq=2"
    page = browser.get(report)
    cited = [a["href"] or "" for a in Elements(page.partition("<article")[2]).all("a")]
    assert cited == [
        f"/users/{USER}/files/{EVIDENCE}?seq=2#{ANCHOR}",
        f"/users/{USER}/files/{HOSTILE}?seq=2#:~:text=x",
        f"/users/{USER}/files/{LONG}?seq=2#:~:text=the%20self%2Dmade%20invoice%2C%20they,is%20due%20on%20Friday",
    ]
    for href in cited:
        evidence = Elements(browser.get(href.partition("#")[0]))
        anchor = href.partition("#")[2]
        if not anchor.startswith(":~:"):
            assert {"id": anchor} in evidence.all("a")


def test_hostile_evidence_adds_no_markup_and_no_way_out(browser: Browser) -> None:
    text = browser.get(f"/users/{USER}/files/{HOSTILE}").partition("<article")[2]
    allowed = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "a", "span", "em", "strong", "code", "pre", "ul", "ol", "li"}
    allowed |= {"table", "thead", "tbody", "tr", "th", "td", "blockquote", "hr", "br"}
    for tag, attrs in Elements(text).elements:
        assert tag in allowed, (tag, attrs)
        assert set(attrs) <= {"href", "id", "class", "start"}, (tag, attrs)
        href = attrs.get("href")
        assert href is None or href.startswith(f"/users/{USER}/files/"), href
    assert "evil.example" in text, "what it says is shown, as text"


def test_front_matter_is_folded_away_and_escaped(browser: Browser) -> None:
    text = browser.get(f"/users/{USER}/files/{EVIDENCE}")
    assert "&lt;b&gt;gmail&lt;/b&gt;" in text
    assert "<b>" not in text


# --- dead letters


def test_dead_letters_are_grouped_by_fingerprint(browser: Browser) -> None:
    rows = Elements(browser.get("/dead-letters")).all("a")
    assert len([a for a in rows if (a["href"] or "").startswith("/dead-letters/")]) == 3
    group = browser.get(browser.group("tenant_mismatch"))
    assert len([box for box in Elements(group).all("input") if box.get("name") == "key"]) == 2
    assert any((a["href"] or "").startswith("/users/") for a in Elements(group).all("a"))


def test_a_group_shows_two_hundred_records_and_says_how_many_more_there_are(writer: Browser) -> None:
    letters = writer.operations.dead_letters
    first = next(entry.dead_letter for entry in letters.entries() if entry.dead_letter)
    for number in range(200 + 2):
        letter = first.model_copy(update={"key": f"many-{number}", "fingerprint": "many"})
        letters.blobs.write(f"dead/2026-11-27/many-{number}.json", letter.encode(), if_generation=0)
    group = writer.get("/dead-letters/many")
    assert len([box for box in Elements(group).all("input") if box.get("name") == "key"]) == 200
    assert "2 older dead letters are not shown." in group


def test_a_replay_queues_the_job_once_and_keeps_who_and_why(writer: Browser) -> None:
    path, key = writer.group("tool_failed"), f"{job_id(3)}-5"
    done = writer.post(path, verb="replay", reason="gbrain mended", key=[key])
    assert "replayed" in done
    assert f'href="/jobs/{job_id(3)}"' in done, "from there one follows the job"
    assert "already handled" in writer.post(path, verb="replay", reason="again", key=[key])
    [(replayed, request)] = writer.operations.api.replays
    stored = writer.operations.dead_letters.find(key)
    assert stored
    assert stored.dead_letter
    assert stored.dead_letter.replayed
    assert (stored.dead_letter.replayed.by, stored.dead_letter.replayed.reason) == (OPERATOR, "gbrain mended")
    assert (replayed, request) == (
        job_id(3),
        ReplayRequest(replay_id=stored.dead_letter.replay_id, reason="gbrain mended"),
    )
    assert "gbrain mended" in writer.get(path)


def test_a_replay_may_go_on_from_the_stage_that_failed(writer: Browser) -> None:
    writer.post(writer.group("tool_failed"), verb="replay", reason="mended", key=[f"{job_id(3)}-5"], go_on="yes")
    [(_, request)] = writer.operations.api.replays
    assert request.from_stage == "report"


def test_discard_closes_the_chosen_records_alone(writer: Browser) -> None:
    path = writer.group("tenant_mismatch")
    writer.post(path, verb="discard", reason="test data", key=[f"{job_id(1)}-1"])
    boxes = [box["value"] for box in Elements(writer.get(path)).all("input") if box.get("name") == "key"]
    assert boxes == [f"{job_id(2)}-1"]
    assert writer.operations.api.replays == []


def test_a_group_is_dealt_with_as_a_whole_or_for_a_time(writer: Browser) -> None:
    """More records than the page shows."""
    path, dead_letters = writer.group("tenant_mismatch"), writer.operations.dead_letters
    first = dead_letters.find(f"{job_id(1)}-1")
    assert first is not None
    assert first.dead_letter is not None
    for number in range(RECORDS + 5):
        seen = datetime(2026, 11, 28, 9, tzinfo=UTC) + timedelta(minutes=number)
        letter = first.dead_letter.model_copy(update={"key": f"{job_id(500 + number)}-1", "last_seen": seen})
        dead_letters.blobs.write(f"dead/2026-11-28/{letter.key}.json", letter.encode(), if_generation=0)
    assert f"all {RECORDS + 7} open ones" in writer.get(path)
    since, until = "2026-11-28T09:00", "2026-11-28T10:00"
    done = writer.post(path, verb="discard", reason="test data", scope="group", since=since, until=until)
    assert done.count(">discarded<") == 60
    assert f"all {RECORDS + 7 - 60} open ones" in writer.get(path)
    assert "is not a time" in writer.post(path, 422, verb="replay", reason="mended", scope="group", since="noon")
    writer.post(path, verb="replay", reason="mended", scope="group")
    assert len(writer.operations.api.replays) == RECORDS + 7 - 60
    assert 'name="scope"' not in writer.get(path), "nothing is left to do"


@pytest.mark.parametrize(
    "fields",
    [
        {"verb": "replay", "reason": "  ", "key": "m-4711"},
        {"verb": "replay", "reason": "x" * 501, "key": "m-4711"},
        {"verb": "replay", "reason": "x"},
        {"verb": "delete", "reason": "x", "key": "m-4711"},
    ],
)
def test_without_reason_choice_or_verb_nothing_is_done(writer: Browser, fields: dict[str, str]) -> None:
    before = writer.operations.world.blobs.contents()
    text = writer.post(writer.group("malformed_message"), 400 if fields["verb"] == "delete" else 422, **fields)
    assert "Nothing was done" in text
    assert writer.operations.world.blobs.contents() == before


def test_a_record_that_anybody_could_have_written_adds_no_markup_and_can_be_dealt_with(writer: Browser) -> None:
    """A bucket's writer, or a later version of ours: whatever stands in each field."""
    evil = '<img src=x onerror=alert(1)>"onmouseover="x\u202eexe.png\u2066{{ 7*7 }}' + "W" * 400
    first = next(entry.dead_letter for entry in writer.operations.dead_letters.entries() if entry.dead_letter)
    fields = ("code", "stage", "message", "hint", "job_type", "user_id", "error_class", "trace_id")
    letter = first.model_copy(update={"key": "evil", "fingerprint": 'x"><b>', **dict.fromkeys(fields, evil)})
    writer.operations.dead_letters.blobs.write("dead/2026-11-27/evil.json", letter.encode(), if_generation=0)
    pages = [writer.get("/dead-letters?state=all"), writer.get("/dead-letters/x%22%3E%3Cb%3E")]
    pages.append(
        writer.post("/dead-letters/x%22%3E%3Cb%3E", verb="replay", reason=evil[:400], key=["evil"], go_on="yes")
    )
    for page in pages:
        assert "<img" not in page
        assert "<b>" not in page
        assert 'onmouseover="x' not in page
        assert "{{ 7*7 }}" in page, "as text"
    assert writer.operations.api.replays[-1][1].from_stage is None


@pytest.mark.parametrize("seq", ["x", "-1", "9" * 10, "9" * 5000, "\u0663", "1e3", "0x1"])
def test_a_number_of_an_address_that_is_none_is_told(browser: Browser, seq: str) -> None:
    for path in (f"/users/{USER}/commits/{seq}", f"/users/{USER}/files/{REPORT}?seq={seq}"):
        assert "must be a number" in browser.get(path, status=400)


def test_a_number_of_an_address_may_be_larger_than_any_there_is(browser: Browser) -> None:
    browser.get(f"/users/{USER}/commits/{'9' * 9}", status=404)


def test_a_form_of_another_site_does_nothing(writer: Browser) -> None:
    before = writer.operations.world.blobs.contents()
    path = writer.group("malformed_message")
    fields = {"verb": "discard", "reason": "x", "key": "m-4711"}
    for token in ({}, {"form_token": ""}, {"form_token": "0" * 64}, {"form_token": "é"}):
        assert writer.client.post(path, data={**fields, **token}).status_code == 403
    assert writer.client.post(path, json=fields).status_code == 415
    assert writer.client.post(path, data={**fields, "pad": "x" * 70_000}).status_code == 413
    assert writer.operations.world.blobs.contents() == before


def test_a_message_that_is_no_job_is_not_replayed(writer: Browser) -> None:
    text = writer.post(writer.group("malformed_message"), verb="replay", reason="x", key="m-4711")
    assert "skipped" in text


def test_a_refused_replay_says_why_and_leaves_the_record_open(writer: Browser) -> None:
    path = writer.group("tool_failed")
    writer.operations.api.listed = []  # the control plane does not know the job
    text = writer.post(path, verb="replay", reason="x", key=f"{job_id(3)}-5")
    assert "job_not_found" in text
    assert f"{job_id(3)}-5" in writer.get(path)


def test_records_are_read_again_only_when_they_change(writer: Browser) -> None:
    reads: list[str] = []
    world = writer.operations.world
    blobs = world.blobs.as_seen_by(lambda op: reads.append(op.name) if op.verb == "read" else None)
    writer.operations.dead_letters = DeadLetters(blobs, world.dead_topic, world.clock)
    shelf = DeadLetterList(typed(writer.operations))
    for _ in range(3):
        assert len(shelf.letters()) == 4
    assert len(set(reads)) == 4
    before = len(reads)
    shelf.act(DeadLetterAction(typed(writer.operations).api, OPERATOR, "discard", "test message"), ["m-4711"])
    assert [letter.key for letter in shelf.letters(state="discarded")] == ["m-4711"]
    assert set(reads[before:]) == {name for name in reads if "m-4711" in name}


# --- what forms change


def test_a_job_is_cancelled_with_a_reason(writer: Browser) -> None:
    path = f"/jobs/{job_id(8)}"
    assert f'href="{path}/cancel"' in writer.get(path)
    assert f'action="{path}/rerun"' not in writer.get(path)
    form = writer.get(f"{path}/cancel")
    assert f'action="{path}/cancel"' in form
    assert "refresh" not in form, "a page that comes again forgets what was typed"
    writer.post(f"{path}/cancel", 303, reason="wrong user")
    assert writer.operations.api.changes == [(OPERATOR, "cancel", (job_id(8), "wrong user"))]


def test_a_job_that_is_over_is_run_again_as_a_new_one(writer: Browser) -> None:
    path = f"/jobs/{job_id(7)}"
    assert f"{path}/cancel" not in writer.get(path)
    assert "nothing to cancel" in writer.get(f"{path}/cancel")
    answer = writer.client.post(f"{path}/rerun", data={"form_token": writer.form_token(), "force_render": "yes"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/jobs/{job_id(50)}")
    assert writer.operations.api.changes == [(OPERATOR, "rerun", (job_id(7), True))]
    assert f'href="{path}"' in writer.get(f"/jobs/{job_id(50)}"), "it names the old one"


def test_users_are_enabled_by_id_or_address_and_disabled_when_meant(writer: Browser) -> None:
    for who in (USER, "new@example.com"):
        assert writer.client.post("/users", data={"form_token": writer.form_token(), "who": who}).status_code == 303
    path = f"/users/{USER}/disable"
    assert "Nothing was done" in writer.post(path, 422)
    writer.post(path, 303, sure="yes")
    [by_id, by_mail, gone] = [(call, what) for _, call, what in writer.operations.api.changes]
    assert by_id == ("enable", EnableUserRequest(user_id=USER))
    assert by_mail == ("enable", EnableUserRequest(email="new@example.com"))
    assert gone == ("disable", USER)


def test_a_pause_is_told_above_the_lists_and_on_what_it_withholds(writer: Browser) -> None:
    api = writer.operations.api
    since = datetime(2026, 11, 27, tzinfo=UTC)
    everybody, theirs, stranger = (
        PauseView(target=target, reason=reason, paused_at=since, paused_by="ann@clo0p.com")
        for target, reason in (("*", "the model is <down>"), (USER, "looked at"), (job_id(9), "another user"))
    )
    assert "Paused:" not in writer.get("/jobs")
    api.paused = [everybody, theirs, stranger]
    for path in ("/jobs", "/dead-letters", "/users"):
        assert "the model is &lt;down&gt;" in writer.get(path)
    page = writer.get(f"/users/{USER}")
    assert "looked at" in page
    assert "another user" not in page
    running = next(job for job in api.listed if job.status == "running")
    api.listed = [running.model_copy(update={"pause": theirs})]
    assert "looked at" in writer.get(f"/jobs/{running.job_id}")


def test_flags_are_set_unset_and_shown_with_who_and_why(writer: Browser) -> None:
    place = {"name": "synthesis", "scope": "user", "target": USER, "reason": "the model is looked at"}
    writer.post("/flags", 303, verb="off", **place)
    text = writer.get("/flags")
    assert "the model is looked at" in text
    assert f'href="/users/{USER}"' in text
    writer.post("/flags", 303, verb="unset", **{**place, "scope": "all", "target": "left over"})
    [(_, _, put), (_, _, unset)] = writer.operations.api.changes
    assert (put.value, put.target, unset.scope, unset.target) == (False, USER, "all", "*")
    assert "No flag is set" in writer.get("/flags")


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (f"/jobs/{job_id(8)}/cancel", {"reason": " "}),
        (f"/jobs/{job_id(8)}/cancel", {"reason": "x" * 501}),
        ("/users", {"who": "nobody"}),
        ("/users", {"who": ""}),
        ("/users", {"who": USER, "profile": "x" * 300}),
        ("/flags", {"verb": "off", "name": "synthesis", "scope": "user", "target": USER}),
        ("/flags", {"verb": "off", "name": "unknown", "scope": "all", "reason": "r"}),
        ("/flags", {"verb": "off", "name": "synthesis", "scope": "odd", "reason": "r"}),
        ("/flags", {"verb": "off", "name": "synthesis", "scope": "user", "target": "", "reason": "r"}),
    ],
)
def test_a_form_that_is_off_changes_nothing(writer: Browser, path: str, fields: dict[str, str]) -> None:
    text = writer.post(path, 422, **fields)
    assert "Nothing was done" in text
    assert writer.operations.api.changes == []


@pytest.mark.parametrize(
    "path", [f"/jobs/{job_id(8)}/cancel", f"/jobs/{job_id(7)}/rerun", "/users", f"/users/{USER}/disable", "/flags"]
)
def test_no_action_without_session_and_form(writer: Browser, path: str) -> None:
    fields = {"reason": "r", "who": USER, "sure": "yes", "verb": "off", "name": "synthesis", "scope": "all"}
    for token in ("", "0" * 64):
        assert writer.client.post(path, data={**fields, "form_token": token}).status_code == 403
    token = writer.form_token()
    writer.client.cookies.clear()
    assert writer.client.post(path, data={**fields, "form_token": token}).status_code == 401
    assert writer.operations.api.changes == []


def test_a_discard_is_told_to_the_audit_before_it_is_done(writer: Browser) -> None:
    path, key = writer.group("tenant_mismatch"), f"{job_id(1)}-1"
    writer.operations.api.error = ControlPlaneUnavailable("POST: ConnectError")
    token = re.search(r'name="form_token" value="([0-9a-f]{64})"', writer.get(path))
    assert token
    form = {"form_token": token[1], "verb": "discard", "reason": "test data", "key": key}
    assert "failed" in writer.client.post(path, data=form).text
    writer.operations.api.error = None
    assert "discarded" in writer.client.post(path, data=form).text
    [(who, call, change)] = writer.operations.api.changes
    assert (who, call, change.key, change.job_id, change.reason) == (OPERATOR, "discard", key, job_id(1), "test data")


# --- reading


READS = (
    f"/users/{USER}/commits/2",
    f"/users/{USER}/files/{REPORT}",
    f"/users/{USER}/files/{REPORT}?seq=2",
    f"/users/{USER}/files/runtime/job-runs/x.json",
)


@pytest.mark.parametrize("path", READS)
def test_content_is_shown_once_the_audit_knows_who_reads_and_why(writer: Browser, path: str) -> None:
    api = writer.operations.api
    asked = writer.get(path)
    assert "Reason" in asked
    assert "Li sent the draft" not in asked
    for wrong in ("", " ", "x" * 501):
        assert writer.read(path, reason=wrong).status_code == 422
    assert api.changes == []
    assert "Reason" in writer.get(path)
    answer = writer.read(path)
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert "Reason" not in writer.get(path)
    ((operator, call, change),) = api.changes
    assert (operator, call, change.action, change.user_id) == (OPERATOR, "deed", "workspace.read", USER)
    assert change.reason == "the user asked us to look"


@pytest.mark.parametrize(
    "path",
    [
        f"..%2f..%2f..%2fjobs%2f{job_id(8)}%2fcancel",
        f"%2e%2e%2f..%2f..%2fjobs%2f{job_id(8)}%2fcancel",
        f"brain%2f..%2f..%2f..%2f..%2fjobs%2f{job_id(8)}%2frerun",
        f"..%2f..%2f{job_id(9)}%2fdisable",
        "%2fevil.example",
        "brain%2f.%2fx.md",
    ],
)
def test_the_form_that_asks_why_is_sent_to_no_other_address(writer: Browser, path: str) -> None:
    """A browser takes dotted parts out of an address before it sends a form there, with its token and its reason."""
    address = f"/users/{USER}/files/{path}"
    for answer in (writer.client.get(address), writer.read(address)):
        assert answer.status_code in (400, 404)
        assert path.rpartition("%2f")[2] not in answer.text
    assert writer.operations.api.changes == []


def test_what_the_audit_does_not_take_is_not_shown(writer: Browser) -> None:
    path = f"/users/{USER}/files/{REPORT}"
    token = writer.form_token()
    writer.operations.api.error = ControlPlaneUnavailable("POST /memory-bucket-deeds: ConnectError")
    answer = writer.client.post(path, data={"form_token": token, "reason": "because"})
    assert answer.status_code == 502
    writer.operations.api.error = None
    assert "Reason" in writer.get(path)


def test_a_reason_is_of_one_user_and_one_session(writer: Browser) -> None:
    path, other = f"/users/{USER}/commits/1", f"/users/{job_id(9)}/commits/1"
    writer.read(path)
    assert "Reason" in writer.get(other)
    assert "Reason" not in writer.get(path)
    writer.client.cookies.clear()
    writer.sign_in()
    assert "Reason" in writer.get(path)


def test_no_reason_is_taken_from_another_site(writer: Browser) -> None:
    path = f"/users/{USER}/commits/1"
    assert writer.client.post(path, data={"reason": "because"}).status_code == 403
    assert "Reason" in writer.get(path)


#: Routes that show nothing of what a memory says: ids, states, counts, and reports' and jobs' names.
NO_CONTENT = {
    *("/", "/console.css", "/favicon.ico", "/sign-in", "/sign-out", "/sign-in/start", "/sign-in/callback"),
    *("/jobs", "/jobs/{job_id:uuid}", "/jobs/{job_id:uuid}/cancel", "/jobs/{job_id:uuid}/rerun"),
    *("/dead-letters", "/dead-letters/{fingerprint}", "/users", "/users/{user_id:uuid}"),
    *("/users/{user_id:uuid}/disable", "/flags"),
}
#: Routes that do, and an address of each.
CONTENT = {
    "/users/{user_id:uuid}/commits/{seq}": f"/users/{USER}/commits/2",
    "/users/{user_id:uuid}/files/{path:path}": f"/users/{USER}/files/{EVIDENCE}",
}


def test_each_route_that_shows_content_asks_first_and_each_other_shows_none(writer: Browser) -> None:
    app = writer.client.app
    assert isinstance(app, Starlette)
    assert {getattr(route, "path", "") for route in app.routes} <= NO_CONTENT | CONTENT.keys()
    words = ("Contract draft", "Li sent the draft", "owned", EVIDENCE, HOSTILE)
    fingerprint = writer.group("tool_failed").rpartition("/")[2]
    names = {"job_id:uuid": job_id(7), "user_id:uuid": USER, "fingerprint": fingerprint}
    for path in NO_CONTENT | CONTENT.keys():
        address = CONTENT.get(path) or re.sub(r"\{([^}]+)\}", lambda match: names[match[1]], path)
        for method in ("GET", "HEAD", "OPTIONS", "POST"):
            answer = writer.client.request(method, address) if path != "/sign-out" else writer.client.get(address)
            assert not [word for word in words if word in answer.text and word not in address], (method, path)
    assert writer.operations.api.changes == []


def test_a_page_too_long_to_render_is_shown_as_it_is_written(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    assert '<article class="page">' in browser.get(f"/users/{USER}/files/{REPORT}")
    monkeypatch.setattr("consumer.console.pages.RENDERED", 100)
    shown = browser.get(f"/users/{USER}/files/{REPORT}")
    assert "<article" not in shown
    assert "# Insight of 2026-11-27" in html.unescape(shown)
