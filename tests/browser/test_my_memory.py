"""A user's way through "My memory" in a real Chromium, on a phone and on a screen, with axe-core's rules for everybody.
Pictures of what the browser showed are in .cache/my-memory/."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from consumer.evidence.search import Passage
from contract.overlay import Overlay, RuleRef
from reader import memory as memory_module
from tests.chromium import WAIT_S, Window
from tests.unit.reader.worlds import ADA, ADA_TOKEN, MAIL, MARK, REPORT_ID, S1, World, files
from tests.waiting import until

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not shutil.which("chromedriver"), reason="needs chromium and chromedriver"),
]
PICTURES = Path(__file__).parents[2] / ".cache" / "my-memory"
PHONE, SCREEN = 390, 1280
PAGES = (
    "/today",
    "/search",
    "/search?q=launch",
    "/loops",
    "/people",
    "/reports",
    f"/reports/{REPORT_ID}",
    f"/pages/{MAIL}",
    "/sources",
    "/access",
    "/pages/nothing",
)
#: Stops of the keyboard on the longest page of a test.
MOST_TABS = 400
#: What WCAG 2.1 asks at levels A and AA.
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}


class Index:
    """Stands for the evidence index: finds the same passage whatever is asked."""

    embedding_model = ""

    def __init__(self, path: Path) -> None:
        assert path.exists()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def search(self, text: str, **_: object) -> list[Passage]:
        words = "The launch of Kestrel is on Friday.\nSo says the mail."
        return [Passage(MAIL, f"r-{MARK}", "r7", "Kestrel", "2026-11-20", "inbound_messages", "source", words, 1.0)] * 3

    def places(self, marks: Collection[str]) -> dict[str, tuple[str, str]]:
        return {mark: (MAIL, f"r-{mark}") for mark in marks if mark == MARK}


@dataclass(frozen=True)
class ReaderWindow(Window):
    """A browser at a reader: of some width, in light or dark, moved by keyboard, looked at for everybody."""

    def shape(self, width: int, *, dark: bool = False) -> None:
        """The window's width in CSS pixels, and the scheme that the person prefers."""
        metrics = {"width": width, "height": 844 if width == PHONE else 900, "deviceScaleFactor": 1}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**metrics, "mobile": width == PHONE})
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def press(self, selector: str, *keys: str) -> None:
        """Tab to an element, and press these keys there, as somebody without a mouse does."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        target = self.find(selector)
        for _ in range(MOST_TABS):
            if self.driver.switch_to.active_element == target:
                ActionChains(self.driver).send_keys(*keys).perform()
                return
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
        raise AssertionError(f"{selector} cannot be reached by keyboard")

    def enter(self, selector: str, *keys: str) -> None:
        """The same, then Enter, and wait until the page it leads to is there."""
        from selenium.webdriver.common.keys import Keys

        here = self.find("html")
        self.press(selector, *keys, Keys.ENTER)
        self.wait(lambda: self.find("html") != here)

    def is_for_everybody(self, name: str, width: int) -> None:
        """A picture of the page; it fits the window, and axe-core finds nothing."""
        from axe_core_python.selenium import Axe

        self.picture(f"{width}-{name}")
        wide = self.driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width, f"{name} is {wide} px wide"
        violations = Axe().run(self.driver, options=RULES)["violations"]
        assert not violations, [(name, v["id"], [n["html"] for n in v["nodes"]][:3]) for v in violations]

    def complaints(self) -> list[str]:
        """As ``Window.complaints``, without pages that are missing."""
        return [complaint for complaint in super().complaints() if "404" not in complaint]


@dataclass(frozen=True)
class MemoryWindow(ReaderWindow):
    """A browser that is signed in, and the world behind the pages."""

    world: World


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, str]]:
    """The reader of the unit tests' world, on a port; its address."""
    monkeypatch.setattr(memory_module, "EvidenceIndex", Index)
    with serving(tmp_path) as (world, origin):
        index = {"runtime/manifests/search-index.sqlite": "stands for an index"}
        world.commit(ADA, {**files("Lindqvist"), **index})
        yield world, origin


@contextmanager
def serving(folder: Path) -> Iterator[tuple[World, str]]:
    """A world without a commit, and its reader on a port."""
    listener = socket.create_server(("127.0.0.1", 0))
    origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
    world = World(folder, origin=origin)
    config = uvicorn.Config(world.app, lifespan="off", http="h11", ws="none", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until(lambda: server.started)
    yield world, origin
    server.should_exit = True
    thread.join(WAIT_S)
    listener.close()


@pytest.fixture
def window(chromium: Any, served: tuple[World, str]) -> MemoryWindow:
    return signed_in(chromium, *served)


def signed_in(chromium: Any, world: World, origin: str) -> MemoryWindow:
    """The window after the sign-in by a code."""
    chromium.delete_all_cookies()
    window = MemoryWindow(chromium, origin, PICTURES, world)
    window.shape(SCREEN)
    answer = world.client.post("/v1/me/codes", headers={"authorization": f"Bearer {ADA_TOKEN}"})
    chromium.get(answer.json()["sign_in"])
    window.follow("main button")
    window.wait(lambda: chromium.current_url == f"{origin}/today")
    return window


def test_from_today_to_the_words_that_prove_it_and_out_again(window: MemoryWindow) -> None:
    assert "Loop 1 of Lindqvist" in window.text
    assert "Was due Thu 26 Nov 2026" in window.text
    cookies = window.driver.get_cookies()
    assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [(True, "Strict")]
    window.follow(".cited a")
    assert window.driver.current_url.endswith(f"/pages/{MAIL}#r-{MARK}")
    assert "The launch of Kestrel is on Friday" in window.text
    marked = "return getComputedStyle(document.querySelector('p:has(> a:target) + h2')).backgroundColor"
    assert window.driver.execute_script(marked) != "rgba(0, 0, 0, 0)"
    window.find("nav a[href='/search']").click()
    window.wait(lambda: window.find("#q").is_displayed())
    window.find("#q").send_keys("When is the launch?")
    window.follow("main form button")
    assert len(window.all("ul.cards li")) == 3
    window.follow("ul.cards .text a")
    assert window.driver.current_url.endswith(f"/pages/{MAIL}#r-{MARK}")
    window.follow("header form button")
    assert "You are signed out" in window.text
    window.open("/today")
    assert "You are not signed in" in window.text
    assert all("401" in complaint for complaint in window.complaints())


@pytest.mark.parametrize("width", [PHONE, SCREEN])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_page_is_for_everybody_and_fits(window: MemoryWindow, width: int, dark: bool) -> None:
    window.shape(width, dark=dark)
    window.complaints()
    for path in PAGES:
        window.open(path)
        name = path.strip("/").split("?")[0].replace("/", "-")[:40] + ("-answer" if "?" in path else "")
        window.is_for_everybody(f"{'dark' if dark else 'light'}-{name}", width)
    assert window.complaints() == [], "nothing breaks the content security policy"


def test_targets_for_fingers_are_large_enough(window: MemoryWindow) -> None:
    window.shape(PHONE)
    for path in ("/today", "/search"):
        window.open(path)
        for element in (*window.all("nav a"), *window.all("main button"), *window.all("main input")):
            if element.is_displayed():
                assert element.size["height"] >= 44, element.get_attribute("outerHTML")


def test_the_keyboard_alone_is_enough(window: MemoryWindow) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    window.open("/today")

    def press(key: str) -> Any:
        ActionChains(window.driver).send_keys(key).perform()
        return window.driver.switch_to.active_element

    skip = press(Keys.TAB)
    assert skip.text == "Skip to the content"
    assert press(Keys.ENTER).tag_name == "main"
    cited = press(Keys.TAB)
    assert cited.get_attribute("href").endswith(f"#r-{MARK}")
    assert window.driver.execute_script("return getComputedStyle(arguments[0]).outlineStyle", cited) == "solid"
    press(Keys.ENTER)
    window.wait(lambda: "/pages/" in window.driver.current_url)


def test_a_loop_is_done_and_undone_on_a_phone_by_keyboard(window: MemoryWindow) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    window.shape(PHONE)
    for page in ("/today", "/loops"):
        window.open(page)
        window.enter(f"#loop-{S1} ~ form button[value=done]")
        assert f"{page}?corrected=" in window.driver.current_url
        assert "Done: Loop 1 of Lindqvist" in window.text
        assert window.all(f"#loop-{S1}") == []
        window.is_for_everybody(f"corrected-{page.strip('/')}", PHONE)
        # The notice has the focus, so that its button is the next stop.
        ActionChains(window.driver).send_keys(Keys.TAB).perform()
        assert window.driver.switch_to.active_element == window.find(".notice button")
        window.enter(".notice button")
        assert window.find(f"#loop-{S1}").is_displayed()
    assert window.complaints() == []


def test_a_new_rule_holds_today_back_and_leaves_the_owners_search(window: MemoryWindow) -> None:
    rule = RuleRef(source_key="user_rules", record_id="new", changed_at=window.world.clock.now())
    window.world.controlplane.overlay = Overlay(version="with a rule", rules=(rule,))
    window.world.service.grants.drop(ADA)
    for path in ("/today", "/loops", "/people", f"/reports/{REPORT_ID}"):
        window.open(path)
        assert "A standing rule of yours is new or has changed" in window.text
        assert "Lindqvist" not in window.text
    for width in (PHONE, SCREEN):
        window.shape(width)
        window.is_for_everybody("new-rule", width)
    window.follow("main a[href='/search']")
    window.find("#q").send_keys("When is the launch?")
    window.follow("main form button")
    assert len(window.all("ul.cards li")) == 3
    assert all("503" in complaint for complaint in window.complaints())


def test_no_script_of_a_page_runs(window: MemoryWindow) -> None:
    hostile = (
        "<script>window.owned = 1</script>\n\n<img src=x onerror='window.owned = 1'>\n\n[x](javascript:window.owned=1)"
    )
    window.world.commit(ADA, {"brain/hostile.md": hostile})
    window.open("/pages/hostile")
    assert window.driver.execute_script("return window.owned") is None
    assert window.all("main img, main script, main a") == []
