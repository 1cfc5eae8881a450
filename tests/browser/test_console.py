"""The operator's way through the console in a real Chromium: from a dead letter to its replay, from a report to its
evidence. `make console-e2e` keeps what the browser showed in .cache/console/."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from consumer import bootstrap
from consumer.console import serving
from local import oidc
from local.serving import Background
from tests.chromium import WAIT_S, Window
from tests.spine import USER, job_id
from tests.unit.console.consoles import ANCHOR, EVIDENCE, HOSTILE, OPERATOR, REPORT, Operations, typed

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not shutil.which("chromedriver"), reason="needs chromium and chromedriver"),
]
PICTURES = Path(__file__).parents[2] / ".cache" / "console"


@dataclass(frozen=True)
class ConsoleWindow(Window):
    """A browser that is signed in, and the world behind the pages."""

    operations: Operations

    def say_why(self) -> None:
        """The reason for which a memory is read, where a page of it was asked for."""
        self.find("input[name=reason]").send_keys("the user asked us to look")
        self.follow("button[value=read]")


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[oidc.OidcServer]:
    with Background(partial(oidc.start, tmp_path_factory.mktemp("oidc"))) as running:
        yield running


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., tuple[Operations, str]]]:
    """Serves a console over a world of the test's own; where to sign in."""
    stops: list[Callable[[], None]] = []

    def begin(provider: Any = None) -> tuple[Operations, str]:
        operations = Operations(tmp_path)
        running = serving.prepare(typed(operations), 0, provider=provider)
        thread = threading.Thread(target=running.serve)
        thread.start()

        def stop() -> None:
            running.server.should_exit = True
            thread.join(WAIT_S)
            running.listener.close()
            operations.workspaces.close()

        stops.append(stop)
        return operations, running.sign_in

    yield begin
    for stop in stops:
        stop()


@pytest.fixture
def window(chromium: Any, start: Callable[..., tuple[Operations, str]]) -> ConsoleWindow:
    operations, sign_in = start()
    chromium.delete_all_cookies()
    window = ConsoleWindow(chromium, sign_in.partition("/sign-in")[0], PICTURES, operations)
    chromium.get(sign_in)
    window.picture("1-sign-in")
    window.follow("main button")
    assert chromium.current_url == window.origin + "/jobs"
    return window


def test_no_page_is_wider_than_a_phone(window: ConsoleWindow) -> None:
    paths = (f"/jobs/{job_id(3)}", f"/jobs/{job_id(3)}/cancel", f"/users/{USER}", "/jobs", "/dead-letters", "/users")
    phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        for path in (*paths, "/flags", "/nowhere", f"/users/{USER}/files/{REPORT}"):
            window.open(path)
            widest = window.driver.execute_script("return document.documentElement.scrollWidth")
            assert widest <= 390, f"{path} is {widest} pixels wide"
    finally:
        window.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    # The address without a page is the only complaint, and not the next test's.
    assert [message for message in window.complaints() if "/nowhere" not in message] == []


def test_from_a_failed_job_to_its_replay(window: ConsoleWindow) -> None:
    window.wait(lambda: OPERATOR in window.find("header").text)  # the list comes again by itself
    window.picture("2-jobs")
    window.open(f"/jobs/{job_id(3)}")
    assert "tool_failed" in window.text
    window.picture("3-failed-job")
    window.follow("section.failure a")
    window.picture("4-dead-letters-of-a-kind")
    window.find("button[value=replay]").click()  # without a reason the browser itself refuses
    assert window.operations.api.replays == []
    window.find("input[name=reason]").send_keys("gbrain mended")
    window.follow("button[value=replay]")
    assert "replayed" in window.text
    window.picture("5-replayed")
    [(job, request)] = window.operations.api.replays
    assert (job, request.reason) == (job_id(3), "gbrain mended")
    window.open("/dead-letters")
    assert "tool_failed" not in window.text
    window.picture("6-dead-letters")
    assert window.complaints() == []


def test_from_a_report_to_the_words_it_cites(window: ConsoleWindow) -> None:
    window.open(f"/jobs/{job_id(7)}")
    window.picture("7-completed-job")
    window.follow("main ul a")
    window.picture("7b-why")
    window.find("button[value=read]").click()  # without a reason the browser itself refuses
    assert window.operations.api.changes == []
    window.say_why()
    window.picture("8-report")
    window.follow("article a[href*='#']")
    assert window.driver.current_url == f"{window.origin}/users/{USER}/files/{EVIDENCE}?seq=2#{ANCHOR}"
    place = window.driver.execute_script(
        "return document.querySelector('a:target').closest('p').nextElementSibling.getBoundingClientRect().top"
    )
    assert 0 <= place < window.driver.get_window_size()["height"], "the cited record is in view"
    window.picture("9-evidence")
    assert "Li sent the draft" in window.text
    assert window.complaints() == []


def test_a_citation_without_an_anchor_opens_at_the_quoted_words(window: ConsoleWindow) -> None:
    window.open(f"/users/{USER}/files/{REPORT}")
    window.say_why()
    window.follow("article a[href*='long.md']")
    window.picture("9b-quoted-words")
    place = window.driver.execute_script(
        "return [...document.querySelectorAll('p')].find(p => p.textContent.includes('due on Friday'))"
        ".getBoundingClientRect().top"
    )
    assert 0 <= place < window.driver.get_window_size()["height"], "the quote is in view"
    assert window.complaints() == []


def test_hostile_evidence_runs_nothing_and_asks_nobody(window: ConsoleWindow) -> None:
    window.open(f"/users/{USER}/files/{HOSTILE}")
    window.say_why()
    window.picture("10-hostile")
    assert window.driver.execute_script("return window.owned") is None
    asked = window.driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert {name.rsplit("/", 1)[0] for name in asked} <= {window.origin}
    assert (
        window.driver.execute_script(
            "return document.querySelectorAll('article :is(img,script,form,iframe,svg)').length"
        )
        == 0
    )
    assert window.complaints() == []


def test_an_operator_signs_in_at_the_issuer_acts_and_signs_out(
    chromium: Any, start: Callable[..., tuple[Operations, str]], issuer: oidc.OidcServer
) -> None:
    provider = bootstrap.sign_in(issuer.sign_in_issuer, "console", None, emails={OPERATOR}, groups=())
    with closing(provider):
        operations, sign_in = start(provider)
        chromium.delete_all_cookies()
        window = ConsoleWindow(chromium, sign_in.partition("/sign-in")[0], PICTURES, operations)
        window.open(f"/jobs/{job_id(8)}")
        assert "not signed in" in window.text
        window.follow("main a.button")
        window.picture("14-sign-in-at-the-issuer")
        window.follow("main a.button")
        window.find("input[name=email]").send_keys(OPERATOR)
        window.find("form button").click()
        window.wait(lambda: chromium.current_url.endswith("/jobs"))
        window.wait(lambda: OPERATOR in window.find("header").text)  # the list comes again by itself
        # Pages have a path of their own, which only somebody who signed in learns.
        window = replace(window, origin=chromium.current_url.removesuffix("/jobs"))
        assert window.origin.startswith(sign_in.partition("/sign-in")[0] + "/")
        window.open(f"/jobs/{job_id(8)}")
        window.picture("15-running-job")
        window.open(f"/jobs/{job_id(8)}/cancel")
        window.find("input[name=reason]").send_keys("wrong user")
        window.picture("15b-cancel")
        window.follow("button[value=cancel]")
        assert operations.api.changes == [(OPERATOR, "cancel", (job_id(8), "wrong user"))]
        window.follow("header button")
        window.picture("16-signed-out")
        window.open("/jobs")
        assert "not signed in" in window.text
        assert not [line for line in window.complaints() if "Security Policy" in line]


def test_a_job_again_a_user_and_a_flag(window: ConsoleWindow) -> None:
    window.open(f"/jobs/{job_id(7)}")
    window.follow("button[value=rerun]")
    assert window.driver.current_url == f"{window.origin}/jobs/{job_id(50)}"
    window.open(f"/users/{USER}")
    window.find("button[value=disable]").click()  # without the mark the browser itself refuses
    window.find("input[name=sure]").click()
    window.follow("button[value=disable]")
    window.open("/users")
    window.find("input[name=who]").send_keys("new@example.com")
    window.follow("button[value=enable]")
    window.open("/flags")
    window.find("select[name=scope]").send_keys("all")
    window.find("input[name=reason]").send_keys("the model is looked at")
    window.follow("button[value=off]")
    window.picture("17-flags")
    assert "the model is looked at" in window.text
    assert [call for _, call, _ in window.operations.api.changes] == ["rerun", "disable", "enable", "flag"]
    assert window.complaints() == []


def test_users_and_history(window: ConsoleWindow) -> None:
    window.open("/users")
    window.picture("11-users")
    window.follow("main td a")
    window.picture("12-user")
    assert "Workspace history" in window.text
    window.follow("a[href$='/commits/2']")
    window.say_why()
    window.picture("13-commit")
    assert EVIDENCE in window.text
    window.follow("header button")
    window.open("/users")
    assert "not signed in" in window.text
    assert USER not in window.text
