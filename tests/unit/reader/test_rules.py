"""
Standing rules in the reader: what a rule holds is told by nothing, and its owner sees it, marked.

The commit has what a run writes for it: pages, record index, evidence index, and what rules hold (``reports.holds``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from consumer.evidence.pages import parse
from consumer.evidence.records import IndexedRecord
from consumer.reports import holds, withholding
from consumer.reports.holds import Holds
from consumer.reports.withholding import HeldEvidence, Marked, Withheld
from consumer.understanding import standing_rules
from consumer.understanding.life import fold
from consumer.understanding.standing_rules import RuleText, StandingRule, Unread
from consumer.understanding.utterances import ME
from contract.overlay import Overlay, RuleRef
from reader import api, site
from reader.errors import CallRefusal
from reader.tools import TOOLS
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
    commit_both,
    files,
    filled,
    refusal,
    today_document,
)
from tests.unit.understanding.talks import ANN, at, promise, record

#: The same rule as users write it. Every one holds what names Kestrel.
RULES = (
    "Never mention Kestrel in any report",
    "Kestrel darf in keinem Bericht vorkommen",
    "Ne jamais mentionner Kestrel",
    "Kestrel no debe aparecer en ningún informe",
    "Nunca mencione Kestrel",
    "Non menzionare mai Kestrel",
    "Vermeld Kestrel nooit",
    "Nigdy nie wspominaj o Kestrelu",
)
RULE_ID = "user_rules/r1"
RULE = RuleRef(source_key="user_rules", record_id="r1", changed_at=datetime(2026, 1, 1, tzinfo=UTC))
READ = frozenset({holds.version(RULE)})
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
#: A page that nothing but its name and title says to be held.
NAMED = "projects/kestrel-x"
REPORT = f"reports/digest/2026-11-27T09__{REPORT_ID}"
#: Pages for browsers that tell.
PAGES = ("/today", "/loops", "/people", f"/reports/{REPORT_ID}", f"/pages/{REPORT}")
#: Of what is told, what tells of the record that no rule holds.
SAY_MORE = {
    "ask",
    "report markdown",
    "today",
    "context about ''",
    "context about 'the deck for Ann'",
    "tool search {'query': 'the deck and the plan', 'limit': 50}",
    f"tool get_page {{'page': '{SLUG}'}}",
    f"tool ask {{'question': '{QUESTION}'}}",
    "tool today {}",
    "tool context {}",
    "tool context {'about': 'the deck for Ann'}",
    "page /today",
    "page /loops",
    f"page /reports/{REPORT_ID}",
    f"page /pages/{REPORT}",
}


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
            "raw",
            0,
            1,
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
        f"- The garden plan.\n  - [Mail](../../{SLUG}.md#r-{OPEN_MARK}): “the garden plan”\n- Kestrel, uncited.\n"
    )
    statements = [
        {"text": "The deck", "citations": [{"page": SLUG, "anchor": f"r-{HELD_MARK}", "quote": "x"}]},
        {"text": "The plan", "citations": [{"page": SLUG, "anchor": f"r-{OPEN_MARK}", "quote": "y"}]},
        {"text": "Kestrel, uncited", "citations": []},
    ]
    today = today_document("ADAWORD")
    today["loops"][0]["text"], today["loops"][1]["records"] = "Launch Kestrel", ["held"]
    citations = [{"page": SLUG, "anchor": f"r-{OPEN_MARK}", "quote": "the garden plan"}]
    today["loops"][2] |= {"text": "The garden plan", "records": ["open"], "citations": citations}
    index = index_of(HELD, OPEN, page=SLUG, anchored=True)
    contents: dict[str, Any] = {
        **files("ADAWORD"),
        f"brain/{SLUG}.md": PAGE,
        f"brain/{NAMED}.md": '---\ntitle: "Kestrel"\n---\n# A project\n\nIt is on time.\n',
        f"brain/{REPORT}.md": report,
        f"runtime/reports/digest/{REPORT_ID}.json": json.dumps({"sections": {"loops": statements}}),
        layout.RENDER_INDEX: index,
        layout.TODAY: json.dumps(today),
    }
    if known:
        contents[layout.HOLDS] = json.dumps(holds.document(Holds(held_by(text), READ)))
    world.commit(ADA, contents, indexed=True)
    world.controlplane.overlay = with_rule()


def with_rule(*, off: bool = False, also: tuple[str, ...] = ()) -> Overlay:
    """``also``: sources of rows that are newer than the commit."""
    newer = datetime(2026, 11, 27, 12, tzinfo=UTC)
    rules = [RULE.model_copy(update={"off": off})]
    rules += [RuleRef(source_key=source, record_id="new", changed_at=newer) for source in also]
    return Overlay(version=f"rule {off} {also}", rules=tuple(rules))


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = filled(tmp_path, commit_with_a_rule)
    world.controlplane.overlay = with_rule()
    return world


def commit_with_a_rule(world: World) -> None:
    commit_both(world)
    committed(world, RULES[0])


def tellings(world: World) -> Iterator[tuple[str, str]]:
    """Everything that tells: (call, text)."""
    yield "ask", world.post("/v1/me/ask", {"question": QUESTION}).text
    yield "ask nearest", world.post("/v1/me/ask", {"question": "Where is the Kestrel deck kept?"}).text
    for form in ("json", "markdown", "html"):
        yield f"report {form}", world.get(f"/v1/me/reports/{REPORT_ID}?format={form}").text
    yield "report page", world.get(f"/v1/me/pages/{REPORT}").text
    yield "today", world.get("/v1/me/today").text
    yield "people", world.get("/v1/me/people").text
    for about in ("", "the deck for Ann", "Kestrel"):
        answer = world.get(f"/v1/me/context?about={about}").json()
        if "error" not in answer:
            # Not what the caller said.
            answer["about"], answer["text"] = "", answer["text"].replace(f"Task: {about}", "")
        yield f"context about {about!r}", json.dumps(answer)
    yield from told_to_assistants(world)
    sign_in(world)
    for path in PAGES:
        yield f"page {path}", world.client.get(path).text


def told_to_assistants(world: World) -> Iterator[tuple[str, str]]:
    """The same by each tool of an assistant."""
    token = world.post("/v1/me/tokens", {"name": "A"}).json()["token"]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "deck"}),
        ("search", {"query": "the deck and the plan", "limit": 50}),
        ("get_page", {"page": SLUG}),
        ("get_page", {"page": NAMED}),
        ("get_page", {"page": REPORT}),
        ("get_page", {"page": "people/ann-lee-x"}),
        ("ask", {"question": QUESTION}),
        ("today", {}),
        ("context", {}),
        ("context", {"about": "the deck for Ann"}),
    ]
    assert {name for name, _ in calls} == {name for name in TOOLS if name != "propose_correction"}
    for name, arguments in calls:
        given = TOOLS[name].given.model_validate(arguments)
        try:
            yield f"tool {name} {arguments}", json.dumps(TOOLS[name].call(world.service, token, given))
        except CallRefusal as exc:
            yield f"tool {name} {arguments}", json.dumps(exc.body())


@table("rule", RULES)
def test_a_rule_holds_the_same_in_any_language(rule: str) -> None:
    [read] = (held := held_by(rule)).rules
    assert read.rule.text == rule
    assert document_without_texts(held) == document_without_texts(held_by(RULES[0]))


def document_without_texts(held: Withheld) -> dict[str, Any]:
    """What a commit says about the rules: all that the reader knows about them."""
    document = holds.document(Holds(held, READ))
    for rule in document["rules"]:
        del rule["text"]
    return document


def test_what_a_rule_holds_is_told_by_nothing(world: World) -> None:
    [listed] = world.json("/v1/me/rules")["rules"]
    assert (listed["state"], listed["topics"], listed["holds"]) == ("in_force", ["kestrel"], 1)
    texts = dict(tellings(world))
    assert texts.keys() >= SAY_MORE
    assert "Ann Lee" in texts["people"]
    assert "Ann Lee" in texts["page /people"]
    for call, text in texts.items():
        assert "kestrel" not in text.casefold(), call
        assert "The deck" not in text, call
        assert HELD_MARK not in text, call
        if call in SAY_MORE:
            assert "garden plan" in text, call


def test_the_owners_own_search_and_pages_have_it_and_say_so(world: World) -> None:
    hits = {
        hit["anchor"]: hit["held"] for hit in world.json("/v1/me/search?q=deck+plan")["hits"] if hit["page"] == SLUG
    }
    assert hits == {f"r-{HELD_MARK}": True, f"r-{OPEN_MARK}": False}
    assert "the Kestrel deck" in world.get(f"/v1/me/pages/{SLUG}").text
    sign_in(world)
    page = world.client.get(f"/pages/{SLUG}").text
    assert "keeps something on this page out of reports and answers" in page
    assert "Withheld by a rule" in world.client.get("/search?q=deck").text


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
    assert [(each["page"], each["anchor"]) for each in rule["records"]] == [(SLUG, f"r-{HELD_MARK}")]
    assert refusal(world.get("/v1/me/rules/user_rules/none")) == (404, "not_found")
    after = world.post(f"/v1/me/rules/{RULE_ID}", {"on": False})
    assert [each["state"] for each in after.json()["rules"]] == ["off"]
    assert "Kestrel deck" in world.post("/v1/me/ask", {"question": QUESTION}).text
    assert "The deck" in world.get(f"/v1/me/reports/{REPORT_ID}?format=markdown").text
    assert not any(hit["held"] for hit in world.json("/v1/me/search?q=deck")["hits"])
    world.post(f"/v1/me/rules/{RULE_ID}", {"on": True})
    assert "Kestrel deck" not in world.post("/v1/me/ask", {"question": QUESTION}).text


def test_a_rule_that_the_user_deletes_ends_at_once(world: World) -> None:
    world.controlplane.overlay = Overlay(version="without the rule")
    world.clock.advance(61)
    assert world.json("/v1/me/rules") == {"rules": [], "known": True, "waiting": 0}
    assert refusal(world.get(f"/v1/me/rules/{RULE_ID}")) == (404, "not_found")
    assert "Kestrel deck" in world.post("/v1/me/ask", {"question": QUESTION}).text
    assert "The deck" in world.get(f"/v1/me/reports/{REPORT_ID}?format=markdown").text
    world.controlplane.overlay = with_rule()
    world.clock.advance(61)
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
    assert_nothing_is_answered(world)
    assert world.json("/v1/me/rules") == {"rules": [], "known": False, "waiting": 1}
    world.controlplane.overlay = Overlay(version="no rules")
    world.clock.advance(61)
    assert "Kestrel deck" in world.post("/v1/me/ask", {"question": QUESTION}).text


def test_nothing_is_answered_between_a_new_rule_and_the_run_that_reads_it(world: World) -> None:
    world.controlplane.overlay = with_rule(also=("user_preferences",))
    world.clock.advance(61)
    assert "garden plan" in world.post("/v1/me/ask", {"question": QUESTION}).text, "a preference is most likely no rule"
    assert world.json("/v1/me/rules")["waiting"] == 1
    world.controlplane.overlay = with_rule(also=("user_rules",))
    world.clock.advance(61)
    assert_nothing_is_answered(world)
    assert [rule["state"] for rule in world.json("/v1/me/rules")["rules"]] == ["in_force"]


def assert_nothing_is_answered(world: World) -> None:
    assert refusal(world.get("/v1/me/today")) == (503, "ask_unavailable")
    for call, text in tellings(world):
        if call.startswith("page "):
            assert "A standing rule of yours is new or has changed" in text, call
            assert 'href="/search"' in text, call
            assert "garden plan" not in text, call
        else:
            assert json.loads(text)["error"]["code"] == "ask_unavailable", call
    assert world.client.get("/today").status_code == 503
    # Whatever is added later: no list of calls above can lack it.
    for path, _ in (*api.CALLS, *site.PAGES):
        if "{" not in path:
            get = world.get if path.startswith("/v1") else world.client.get
            assert "Ann Lee" not in get(path).text, path
    # The owner's own search and pages still work.
    assert "the Kestrel deck" in world.client.get("/search?q=deck").text
    assert "the Kestrel deck" in world.client.get(f"/pages/{SLUG}").text
    assert "the Kestrel deck" in world.get(f"/v1/me/pages/{SLUG}").text
    assert {hit["page"] for hit in world.json("/v1/me/search?q=deck")["hits"]} >= {SLUG}
    for path in ("/pages/people/ann-lee-x", "/rules", "/sources", "/access", "/reports", "/forget"):
        assert world.client.get(path).status_code == 200, path


def test_what_rules_hold_is_the_same_after_it_was_written_and_read() -> None:
    held = Holds(held_by(RULES[0]), READ)
    again = holds.read(json.loads(json.dumps(holds.document(held))))
    assert replace(again.withheld, words=()) == replace(held.withheld, words=())
    assert again.withheld.of_text("the KESTREL launch") == {RULE_ID}
    assert holds.document(again) == holds.document(held)
