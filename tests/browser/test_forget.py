"""Forgetting, exporting and rules in a real Chromium: on a phone and on a screen, by keyboard alone, for everybody.
Pictures of what the browser showed are in .cache/my-memory/."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from consumer import paths
from contract.api import CommitRef
from contract.orders import OrderResult
from contract.overlay import CorrectionRequest
from tests.browser.test_my_memory import PHONE, SCREEN, MemoryWindow, serving, signed_in
from tests.unit.reader.test_rules import HELD_MARK, OPEN, OPEN_MARK, RULE_ID, RULES, SLUG, committed
from tests.unit.reader.worlds import ADA, S1, World

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not shutil.which("chromedriver"), reason="needs chromium and chromedriver"),
]
GERMAN = RULES[1]
OPEN_RECORD = f"{OPEN.source}/{OPEN.record_id}"
OPEN_TICK = f"input[value='{OPEN_RECORD}']"
WIDTHS = pytest.mark.parametrize("width", [PHONE, SCREEN])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[World, str]]:
    """A memory with two promises: one about Kestrel, which a rule holds, and one about a garden plan."""
    with serving(tmp_path) as (world, origin):
        committed(world, GERMAN)
        yield world, origin


@pytest.fixture
def window(chromium: Any, served: tuple[World, str]) -> MemoryWindow:
    return signed_in(chromium, *served)


@WIDTHS
def test_a_topic_is_forgotten_by_keyboard_and_gone_at_once(window: MemoryWindow, width: int) -> None:
    from selenium.webdriver.common.keys import Keys

    world = window.world
    window.shape(width)
    window.open("/search?q=garden+plan")
    assert window.all(f"a[href$='{SLUG}#r-{OPEN_MARK}']")
    window.open("/forget")
    window.is_for_everybody("forget", width)
    window.enter("#topic", "garden plan")
    assert window.find("h1").text == "What would be forgotten"
    window.is_for_everybody("forget-list", width)
    ticks = {tick.get_attribute("value"): tick for tick in window.all("input[name=forget]")}
    assert ticks[OPEN_RECORD].is_selected()
    # The person decides: what a search found besides stays, and a tick can be taken back and set again.
    for value, tick in ticks.items():
        if value != OPEN_RECORD and tick.is_selected():
            window.press(f"input[value='{value}']", Keys.SPACE)
    window.press(OPEN_TICK, Keys.SPACE)
    assert not window.find(OPEN_TICK).is_selected()
    window.press(OPEN_TICK, Keys.SPACE)
    window.press("#keep-out", Keys.SPACE)
    window.enter("main form button")
    assert "1 record is hidden from now on" in window.text
    window.is_for_everybody("forgotten", width)
    [confirmed] = world.controlplane.confirmed
    assert [record.id for record in confirmed.records] == ["open"]
    assert confirmed.keep_out is not None
    assert confirmed.keep_out.texts == ("garden plan",)
    window.open("/search?q=garden+plan")
    assert "garden plan" not in window.text, "hidden at once"
    window.open(f"/pages/{SLUG}")
    assert "the garden plan" not in window.text
    assert "the Kestrel deck" in window.text, "what was not ticked stays"
    window.open("/forget")
    assert "Hidden; it is removed within minutes" in window.text
    # The purge and the second sweep are done: there is a receipt.
    [order] = world.controlplane.ordered[ADA]
    world.controlplane.ordered[ADA] = [order.model_copy(update={"state": "closed"})]
    world.bench.blobs.write(paths.receipt(ADA, order.id), b'{"schema": "memory.forget-receipt.v1"}', if_generation=0)
    window.open("/forget")
    window.is_for_everybody("forget-receipt", width)
    cookies = {cookie["name"]: cookie["value"] for cookie in window.driver.get_cookies()}
    receipt = httpx.get(window.find("a[href$='/receipt']").get_attribute("href"), cookies=cookies, trust_env=False)
    assert receipt.json()["schema"] == "memory.forget-receipt.v1"
    assert window.complaints() == []


def test_nothing_is_forgotten_by_who_leaves_the_list(window: MemoryWindow) -> None:
    window.open("/forget")
    window.enter("#person", "Ann Lee")
    assert window.all("input[name=forget]")
    window.enter("a.button[href='/forget']")
    assert window.world.controlplane.confirmed == []
    window.enter("#topic", "zeppelin")
    assert "Your memory has no such record" in window.text


@WIDTHS
def test_everything_is_exported_by_keyboard(window: MemoryWindow, width: int) -> None:
    world = window.world
    window.shape(width)
    window.open("/sources")
    window.enter("form[action='/export'] button")
    assert "Waiting" in window.text
    [order] = world.controlplane.ordered[ADA]
    result = OrderResult(commit=CommitRef(seq=1, digest="ab" * 32), bytes=1234567)
    ready = {"state": "ready", "result": result, "done_at": order.ordered_at, "ends_at": order.ordered_at}
    world.controlplane.ordered[ADA] = [order.model_copy(update=ready)]
    window.open("/sources")
    assert "1,234,567 bytes" in window.text
    window.is_for_everybody("export", width)
    files = [link.get_attribute("href") for link in window.all("#along ~ ul a.button")]
    assert files == [f"{window.origin}/export/{order.id}/{each}" for each in ("file", "proof")]
    assert window.complaints() == []


@WIDTHS
def test_a_rule_says_what_it_holds_and_is_switched_off_by_keyboard(window: MemoryWindow, width: int) -> None:
    window.shape(width)
    window.open("/search?q=deck")
    assert "Withheld by a rule" in window.text
    window.is_for_everybody("search-held", width)
    window.open(f"/pages/{SLUG}")
    assert "keeps something on this page out of reports and answers" in window.text
    window.is_for_everybody("page-held", width)
    window.enter(".notice a[href='/rules']")
    assert GERMAN in window.text
    window.is_for_everybody("rules", width)
    window.enter(f"a[href='/rules/{RULE_ID}']")
    window.is_for_everybody("rule", width)
    window.enter(f"a[href$='#r-{HELD_MARK}']")
    assert "the Kestrel deck" in window.text
    window.open("/rules")
    window.enter("button[name=on]")
    assert "Switched off" in window.text
    window.open("/search?q=deck")
    assert "Withheld by a rule" not in window.text
    assert window.complaints() == []


@WIDTHS
def test_access_with_assistants_and_proposals_is_for_everybody(window: MemoryWindow, width: int) -> None:
    world = window.world
    window.shape(width)
    window.open("/access")
    window.enter("#token-name", "Planner")
    window.is_for_everybody("token", width)
    token = next(token for token, (user, _) in world.controlplane.assistants.items() if user == ADA)
    user, view = world.controlplane.assistants[token]
    correcting = view.model_copy(update={"scopes": ("memory:read", "memory:correct")})
    world.controlplane.assistants[token] = (user, correcting)
    world.controlplane.propose(token, CorrectionRequest(verdict="done", statement=S1))
    window.open("/access")
    window.is_for_everybody("access-assistants", width)
    window.enter("button[name=accept][value=yes]")
    assert window.all("button[name=accept]") == []
    assert window.complaints() == []
