"""A real Chromium for tests of pages, and what a person does in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Seconds for a page to come.
WAIT_S = 60


@dataclass(frozen=True)
class Window:
    """A browser at one server. ``pictures``: the folder of what it showed."""

    driver: Any
    origin: str
    pictures: Path

    def open(self, path: str) -> None:
        self.driver.get(self.origin + path)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", selector))

    def follow(self, selector: str) -> None:
        """Click, and wait until the page it leads to is there."""
        here = self.find("html")
        self.find(selector).click()
        self.wait(lambda: self.find("html") != here)

    def wait(self, holds: Callable[[], bool]) -> None:
        """Until it holds; a page that is being exchanged meanwhile has nothing to find."""
        from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
        from selenium.webdriver.support.wait import WebDriverWait

        passing = (NoSuchElementException, StaleElementReferenceException)
        WebDriverWait(self.driver, WAIT_S, ignored_exceptions=passing).until(lambda _: holds())

    @property
    def text(self) -> str:
        return str(self.find("main").text)

    def picture(self, name: str) -> None:
        self.pictures.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(self.pictures / f"{name}.png"))

    def complaints(self) -> list[str]:
        """What Chromium objected to, such as a breach of the content security policy."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@contextmanager
def started() -> Iterator[Any]:
    """A headless Chromium's driver, which keeps what Chromium objects to."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()
