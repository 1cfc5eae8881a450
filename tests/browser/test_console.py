"""The operator's way through the console in a real Chromium: from a dead letter to its replay, from a report to its
evidence. `make console-e2e` keeps what the browser showed in .cache/console/."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from consumer.entrypoints.console import serving
from tests.spine import USER, job_id
from tests.unit.entrypoints.consoles import ANCHOR, EVIDENCE, HOSTILE, OPERATOR, Operations

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not shutil.which("chromedriver"), reason="needs chromium and chromedriver"),
]
PICTURES = Path(__file__).parents[2] / ".cache" / "console"
WAIT_S = 60


@dataclass(frozen=True)
class Window:
    """A browser that is signed in, and the world behind the pages."""

    driver: Any
    operations: Operations
    origin: str

    def open(self, path: str) -> None:
        self.driver.get(self.origin + path)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def follow(self, selector: str) -> None:
        """Click, and wait until the page it leads to is there."""
        from selenium.webdriver.support.wait import WebDriverWait

        here = self.find("html")
        self.find(selector).click()
        WebDriverWait(self.driver, WAIT_S).until(lambda _: self.find("html") != here)

    @property
    def text(self) -> str:
        return str(self.find("main").text)

    def picture(self, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(PICTURES / f"{name}.png"))

    def complaints(self) -> list[str]:
        """What Chromium objected to, such as a breach of the content security policy."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], tuple[Operations, str]]]:
    """Serves a console over a world of the test's own; its sign-in link."""
    stops: list[Callable[[], None]] = []

    def begin() -> tuple[Operations, str]:
        operations = Operations(tmp_path)
        running = serving.prepare(operations, 0)
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
def window(chromium: Any, start: Callable[[], tuple[Operations, str]]) -> Window:
    operations, sign_in = start()
    chromium.delete_all_cookies()
    found = Window(chromium, operations, sign_in.partition("/sign-in")[0])
    chromium.get(sign_in)
    found.picture("1-sign-in")
    found.follow("main button")
    assert chromium.current_url == found.origin + "/jobs"
    return found


def test_from_a_failed_job_to_its_replay(window: Window) -> None:
    assert OPERATOR in window.find("header").text
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


def test_from_a_report_to_the_words_it_cites(window: Window) -> None:
    window.open(f"/jobs/{job_id(7)}")
    window.picture("7-completed-job")
    window.follow("main ul a")
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


def test_hostile_evidence_runs_nothing_and_asks_nobody(window: Window) -> None:
    window.open(f"/users/{USER}/files/{HOSTILE}")
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


def test_users_and_history(window: Window) -> None:
    window.open("/users")
    window.picture("11-users")
    window.follow("main td a")
    window.picture("12-user")
    assert "Workspace history" in window.text
    window.follow("a[href$='/commits/2']")
    window.picture("13-commit")
    assert EVIDENCE in window.text
    window.follow("header button")
    window.open("/users")
    assert "not signed in" in window.text
    assert USER not in window.text
