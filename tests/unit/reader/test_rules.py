"""
Standing rules in the reader: what a rule holds is told by nothing, and its owner sees it, marked.

The commit has what a run writes for it: pages, record index, evidence index, and what rules hold (``reports.holds``).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from consumer.evidence.pages import parse
from consumer.evidence.records import IndexedRecord, RawRef
from consumer.reports import holds, withholding
from consumer.reports.withholding import HeldEvidence, Marked, Withheld
from consumer.understanding import standing_rules
from consumer.understanding.life import fold
from consumer.understanding.standing_rules import RuleText, StandingRule, Unread
from consumer.understanding.utterances import ME
from contract.overlay import Overlay
from renderers.grouping import mark
from tests.tables import table
from tests.unit.reader.test_ask import index_of
from tests.unit.reader.test_site import sign_in
from tests.unit.reader.worlds import (
    ADA,
    BOB,
    BOB_TOKEN,
    REPORT_ID,
    World,
    both,
    files,
    refusal,
    today_document,
)
from tests.unit.understanding.talks import ANN, at, promise, record

#: The same rule as users write it. Every one holds what names Kestrel.
RULES = (
    "Never mention Kestrel in any report",
    "Kestrel niemals erwähnen",
    "Ne jamais mentionner Kestrel",
    "No menciones nunca Kestrel",
    "Nunca mencione Kestrel",
    "Non menzionare mai Kestrel",
    "Vermeld Kestrel nooit",
)
RULE_ID = "user_rules/r1"
SLUG = "sources/cloop/outbound-messages/2026-11-20-deck"
HELD, OPEN = (
    record(promise(ME, what, (ANN,)), author=ME, to=(ANN,), said_at=at(20), thread=name, record_id=name)
    for what, name in (("the Kestrel deck", "held"), ("the garden plan", "open"))
)
HELD_MARK, OPEN_MARK = mark(HELD.source, "held"), mark(OPEN.source, "open")
PAGE = (
    '---\ntitle: "Mail"\ntype: "source"\nsource: "outbound_messages"\n---\n# Mail\n\n'
    f'<a id="r-{HELD_MARK}"></a>\n## One\n\nI will do it: the Kestrel deck\n\n'
    f'<a id="r-{OPEN_MARK}"></a>\n## Two\n\nI will do it: the garden plan\n'
)
QUESTION = "What do I owe Ann Lee?"


def held_by(text: str) -> Withheld:
    """What a run would hold under this rule."""
    readings = (HELD, OPEN)
    pages = {SLUG: parse(SLUG, PAGE.encode())}
    memory = fold(readings, (), "2026-11-27 20:10 -08:00")
    rule = standing_rules.compiled(RuleText(RULE_ID, text), memory.directory)

    def find(source: str, record_id: str) -> IndexedRecord:
        anchor = f"r-{mark(source, record_id)}"
        return IndexedRecord(
            source,
            record_id,
            "c",
            "t",
            "",
            f"Mail {record_id}",
            "s",
            f"{SLUG}.md",
            anchor,
            "p",
            RawRef("raw", 0, 1),
            "",
            "",
        )

    evidence = HeldEvidence(readings, memory.directory, pages, find, lambda _: ())
    rules = [rule] if isinstance(rule, StandingRule) else []
    return withholding.withheld(rules, [rule] if isinstance(rule, Unread) else [], Marked(), evidence)


def committed(world: World, text: str, *, known: bool = True) -> None:
    report = (
        '---\ntitle: "Digest"\n---\n# Digest\n\n'
        f"- The deck.\n  - [Mail](../../{SLUG}.md#r-{HELD_MARK}): “the Kestrel deck”\n"
        f"- The plan.\n  - [Mail](../../{SLUG}.md#r-{OPEN_MARK}): “the garden plan”\n- Kestrel, uncited.\n"
    )
    statements = [
        {"text": "The deck", "citations": [{"page": SLUG, "anchor": f"r-{HELD_MARK}", "quote": "x"}]},
        {"text": "The plan", "citations": [{"page": SLUG, "anchor": f"r-{OPEN_MARK}", "quote": "y"}]},
        {"text": "Kestrel, uncited", "citations": []},
    ]
    today = today_document("ADAWORD")
    today["loops"][0]["text"], today["loops"][1]["records"] = "Launch Kestrel", ["held"]
    index = index_of(HELD, OPEN, page=SLUG, anchored=True)
    contents: dict[str, Any] = {
        **files("ADAWORD"),
        f"brain/{SLUG}.md": PAGE,
        f"brain/reports/digest/2026-11-27T09__{REPORT_ID}.md": report,
        f"runtime/reports/digest/{REPORT_ID}.json": json.dumps({"sections": {"loops": statements}}),
        layout.RENDER_INDEX: index,
        layout.TODAY: json.dumps(today),
    }
    if known:
        contents[layout.HOLDS] = json.dumps(holds.document(held_by(text)))
    world.commit(ADA, contents, indexed=True)
    world.controlplane.overlay = with_rule(off=False)


def with_rule(*, off: bool) -> Overlay:
    rule = {"source_key": "user_rules", "record_id": "r1", "changed_at": "2026-01-01T00:00:00Z", "off": off}
    return Overlay.model_validate({"version": f"rule {off}", "rules": [rule]})


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = both(tmp_path)
    committed(world, RULES[0])
    return world


def told(world: World) -> Iterator[tuple[str, str]]:
    """Everything that tells: (call, text)."""
    yield "ask", world.post("/v1/me/ask", {"question": QUESTION}).text
    yield "ask nearest", world.post("/v1/me/ask", {"question": "Where is the Kestrel deck kept?"}).text
    for form in ("json", "markdown", "html"):
        yield f"report {form}", world.get(f"/v1/me/reports/{REPORT_ID}?format={form}").text
    yield "report page", world.get(f"/v1/me/pages/reports/digest/2026-11-27T09__{REPORT_ID}").text
    yield "today", world.get("/v1/me/today").text


@table("rule", RULES)
def test_what_a_rule_holds_is_told_by_nothing_in_any_language(rule: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = both(Path(folder))
        committed(world, rule)
        [listed] = world.json("/v1/me/rules")["rules"]
        assert (listed["state"], listed["topics"], listed["holds"]) == ("in_force", ["kestrel"], 1)
        for call, text in told(world):
            # The question itself names it, and no answer repeats a question.
            assert "Kestrel" not in text, call
            assert "The deck" not in text, call
        assert "the garden plan" in world.post("/v1/me/ask", {"question": QUESTION}).text
        assert "The plan" in world.get(f"/v1/me/reports/{REPORT_ID}?format=markdown").text


def test_the_owners_own_search_and_pages_have_it_and_say_so(world: World) -> None:
    hits = {
        hit["anchor"]: hit["held"] for hit in world.json("/v1/me/search?q=deck+plan")["hits"] if hit["page"] == SLUG
    }
    assert hits == {f"r-{HELD_MARK}": True, f"r-{OPEN_MARK}": False}
    assert "the Kestrel deck" in world.get(f"/v1/me/pages/{SLUG}").text
    sign_in(world)
    page = world.client.get(f"/pages/{SLUG}").text
    assert "keeps what is here out of reports and answers" in page
    assert "Held by a rule" in world.client.get("/search?q=deck").text


def test_another_user_is_held_by_no_rule_of_somebody_else(world: World) -> None:
    world.controlplane.overlay = Overlay(version="none")
    world.commit(
        BOB,
        {f"brain/{SLUG}.md": PAGE, layout.RENDER_INDEX: index_of(HELD, page=SLUG, anchored=True)},
        "b",
        indexed=True,
    )
    assert "Kestrel deck" in world.post("/v1/me/ask", {"question": QUESTION}, BOB_TOKEN).text
    assert world.json("/v1/me/rules", BOB_TOKEN)["rules"] == []
    assert refusal(world.get(f"/v1/me/rules/{RULE_ID}", BOB_TOKEN)) == (404, "not_found")


def test_a_rule_has_a_page_of_what_it_holds_and_can_be_switched_off(world: World) -> None:
    rule = world.json(f"/v1/me/rules/{RULE_ID}")
    assert rule["text"] == RULES[0]
    assert (
        rule["records"] == [{"title": "One", "page": SLUG, "anchor": f"r-{HELD_MARK}"}]
        or rule["records"][0]["page"] == SLUG
    )
    assert refusal(world.get("/v1/me/rules/user_rules/none")) == (404, "not_found")
    after = world.post(f"/v1/me/rules/{RULE_ID}", {"on": False})
    assert [each["state"] for each in after.json()["rules"]] == ["off"]
    assert "Kestrel deck" in world.post("/v1/me/ask", {"question": QUESTION}).text
    assert "The deck" in world.get(f"/v1/me/reports/{REPORT_ID}?format=markdown").text
    assert not any(hit["held"] for hit in world.json("/v1/me/search?q=deck")["hits"])
    world.post(f"/v1/me/rules/{RULE_ID}", {"on": True})
    assert "Kestrel deck" not in world.post("/v1/me/ask", {"question": QUESTION}).text


def test_a_rule_is_switched_on_its_page(world: World) -> None:
    sign_in(world)
    page = world.client.get("/rules").text
    assert RULES[0] in page
    token = page.split('name="form_token" value="')[1].split('"')[0]
    answer = world.client.post("/rules", data={"form_token": token, "rule": RULE_ID, "on": "no"}, follow_redirects=True)
    assert "Switch on" in answer.text
    assert f'href="/pages/{SLUG}#r-{HELD_MARK}"' in world.client.get(f"/rules/{RULE_ID}").text
    assert world.client.post("/rules", data={"rule": RULE_ID, "on": "yes"}).status_code == 403


def test_nothing_is_answered_before_it_is_known_what_rules_hold(tmp_path: Path) -> None:
    world = both(tmp_path)
    committed(world, RULES[0], known=False)
    assert refusal(world.post("/v1/me/ask", {"question": QUESTION})) == (503, "ask_unavailable")
    assert (
        world.json("/v1/me/rules") == {"rules": [], "known": False, "waiting": 0}
        or not world.json("/v1/me/rules")["known"]
    )
    world.controlplane.overlay = Overlay(version="no rules")
    world.clock.advance(61)
    assert "Kestrel deck" in world.post("/v1/me/ask", {"question": QUESTION}).text


def test_what_rules_hold_is_the_same_after_it_was_written_and_read() -> None:
    held = held_by(RULES[0])
    again = holds.read(json.loads(json.dumps(holds.document(held))))
    assert (again.records, again.places, again.pages, again.listed) == (
        held.records,
        held.places,
        held.pages,
        held.listed,
    )
    assert again.of_text("the KESTREL launch") == {RULE_ID}
    assert holds.document(again) == holds.document(held)
