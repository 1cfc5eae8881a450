"""One browser for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests import chromium as browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser.started() as driver:
        yield driver
