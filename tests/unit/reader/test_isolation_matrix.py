"""
Every route of the reader, by every kind of stranger: another user, a stale token, a token of another project or kind.

MATRIX names each route, so a new one without a row fails. A row's ids are Bob's: Ada, who asks, must not get them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.routing import Route

from consumer import layout, paths
from consumer.reports import holds
from consumer.reports.holds import Holds
from consumer.reports.withholding import Withheld
from consumer.understanding.standing_rules import RuleText, StandingRule
from contract.orders import ConfirmForgetRequest, ExclusionView, RecordRef
from contract.overlay import CorrectionRequest, RuleRef
from tests.tables import table
from tests.unit.reader.test_ask import PAGE, PROMISE, SLUG, index_of
from tests.unit.reader.test_site import sign_in
from tests.unit.reader.worlds import ADA, ADA_TOKEN, APP, BOB, BOB_TOKEN, MAIL, REPORT_ID, S1, World, files, filled

BOBS_REPORT = "66666666-6666-4666-8666-666666666666"
BOBS_PAGE = "people/only-bob"
BOBS_RULE = "user_rules/only-bob"
WORD = "BOBWORD"
#: Bob's token of an assistant, which no route but ``/mcp`` takes.
ASSISTANT = "cma_" + "b" * 43


@dataclass(frozen=True)
class Row:
    """``ids``: Bob's, for the path. ``query``, ``body``: of a call that works. ``form``: the same on a page.

    ``own``: the status that Ada gets with Bob's ids. ``pages``: a route of the pages, by cookie.
    """

    ids: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    body: Any = None
    form: Mapping[str, str] | None = None
    own: int = 200
    pages: bool = False


#: Routes that show nothing of anybody.
PUBLIC = {
    ("GET", "/openapi.json"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/ready"),
    ("GET", "/"),
    ("GET", "/memory.css"),
    ("GET", "/favicon.ico"),
    ("GET", "/sign-in"),
    ("POST", "/sign-in"),
}
BOBS_REF = RuleRef(source_key="user_rules", record_id="only-bob", changed_at=datetime(2026, 1, 1, tzinfo=UTC))
BOBS_HOLDS = Holds(
    Withheld(rules=(StandingRule(RuleText(BOBS_RULE, f"Never mention {WORD}"), topics=(("secret",),)),)),
    frozenset({holds.version(BOBS_REF)}),
)
UNKNOWN = "00000000-0000-4000-8000-000000000000"
NOBODYS = dict.fromkeys(
    ("bobs correction", "bobs token", "bobs proposal", "bobs forgetting", "bobs export", "bobs exclusion"), UNKNOWN
)
TOOL_CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "today", "arguments": {}}}
MATRIX: dict[tuple[str, str], Row] = {
    ("GET", "/v1/me/reports"): Row(),
    ("GET", "/v1/me/reports/{report_id}"): Row({"report_id": BOBS_REPORT}, own=404),
    ("GET", "/v1/me/pages/{page:path}"): Row({"page": BOBS_PAGE}, own=404),
    ("GET", "/v1/me/search"): Row(query=f"q={WORD}"),
    ("GET", "/v1/me/context"): Row(query=f"about=what+{WORD[:3]}+says"),
    ("GET", "/v1/me/people"): Row(),
    ("GET", "/v1/me/today"): Row(),
    ("GET", "/v1/me/sources"): Row(),
    ("GET", "/v1/me/access"): Row(),
    ("GET", "/v1/me/corrections"): Row(),
    ("GET", "/v1/me/tokens"): Row(),
    ("GET", "/v1/me/proposals"): Row(),
    ("POST", "/v1/me/ask"): Row(body={"question": "What does Bob's record say of the launch?"}),
    ("POST", "/v1/me/corrections"): Row(body={"verdict": "done", "statement": S1}),
    ("POST", "/v1/me/corrections/{correction_id}/undo"): Row({"correction_id": "bobs correction"}, own=404),
    ("POST", "/v1/me/tokens"): Row(body={"name": "x"}),
    ("POST", "/v1/me/tokens/{token_id}/revoke"): Row({"token_id": "bobs token"}, own=404),
    ("POST", "/v1/me/proposals/{proposal_id}"): Row({"proposal_id": "bobs proposal"}, body={"accept": True}, own=404),
    ("GET", "/v1/me/rules"): Row(),
    ("GET", "/v1/me/rules/{rule_id:path}"): Row({"rule_id": BOBS_RULE}, own=404),
    ("POST", "/v1/me/rules/{rule_id:path}"): Row({"rule_id": BOBS_RULE}, body={"on": False}, own=404),
    ("GET", "/v1/me/forget"): Row(),
    ("POST", "/v1/me/forget"): Row(body={"person": "Ann Lee"}),
    ("GET", "/v1/me/forget/{order_id}/receipt"): Row({"order_id": "bobs forgetting"}, own=404),
    ("GET", "/v1/me/export"): Row(),
    ("POST", "/v1/me/export"): Row(),
    ("GET", "/v1/me/export/{order_id}/file"): Row({"order_id": "bobs export"}, own=404),
    ("GET", "/v1/me/export/{order_id}/proof"): Row({"order_id": "bobs export"}, own=404),
    ("GET", "/v1/me/exclusions"): Row(),
    ("POST", "/v1/me/exclusions/{exclusion_id}/end"): Row({"exclusion_id": "bobs exclusion"}, own=404),
    ("POST", "/v1/me/codes"): Row(),
    ("POST", "/mcp"): Row(body=TOOL_CALL, own=401),
    ("GET", "/today"): Row(pages=True),
    ("GET", "/loops"): Row(pages=True),
    ("GET", "/search"): Row(query=f"q={WORD[:3]}", pages=True),
    ("GET", "/people"): Row(pages=True),
    ("GET", "/reports"): Row(pages=True),
    ("GET", "/reports/{report_id}"): Row({"report_id": BOBS_REPORT}, own=404, pages=True),
    ("GET", "/pages/{page:path}"): Row({"page": BOBS_PAGE}, own=404, pages=True),
    ("GET", "/sources"): Row(pages=True),
    ("GET", "/access"): Row(pages=True),
    ("GET", "/rules"): Row(pages=True),
    ("GET", "/rules/{rule_id:path}"): Row({"rule_id": BOBS_RULE}, own=404, pages=True),
    ("GET", "/forget"): Row(pages=True),
    ("GET", "/forget/{order_id}/receipt"): Row({"order_id": "bobs forgetting"}, own=404, pages=True),
    ("GET", "/export/{order_id}/file"): Row({"order_id": "bobs export"}, own=404, pages=True),
    ("GET", "/export/{order_id}/proof"): Row({"order_id": "bobs export"}, own=404, pages=True),
    ("POST", "/corrections"): Row(form={"verdict": "done", "statement": S1}, own=303, pages=True),
    ("POST", "/corrections/undo"): Row(form={"correction": "bobs correction"}, own=404, pages=True),
    ("POST", "/tokens"): Row(form={"name": "x", "days": "30"}, pages=True),
    ("POST", "/tokens/revoke"): Row(form={"token": "bobs token"}, own=404, pages=True),
    ("POST", "/proposals"): Row(form={"proposal": "bobs proposal", "accept": "yes"}, own=404, pages=True),
    ("POST", "/rules"): Row(form={"rule": BOBS_RULE, "on": "no"}, own=404, pages=True),
    ("POST", "/forget/list"): Row(form={"person": "Ann Lee"}, pages=True),
    ("POST", "/forget"): Row(
        form={"person": "Ann Lee", "token": "bobs list", "forget": "inbound_messages/record-8"}, own=404, pages=True
    ),
    ("POST", "/exclusions/end"): Row(form={"exclusion": "bobs exclusion"}, own=404, pages=True),
    ("POST", "/export"): Row(form={}, own=303, pages=True),
    ("POST", "/sign-out"): Row(form={}, pages=True),
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = filled(tmp_path, commit_all)
    world.controlplane.rules[BOB] = (BOBS_REF,)
    return world


def commit_all(world: World) -> None:
    for user, word in ((ADA, "ADAWORD"), (BOB, WORD)):
        world.commit(
            user, {**files(word), layout.RENDER_INDEX: index_of(PROMISE), f"brain/{SLUG}.md": PAGE}, indexed=True
        )
    only_bobs = {
        f"brain/reports/digest/2026-11-27T10__{BOBS_REPORT}.md": f"# {WORD}\n",
        f"runtime/reports/digest/{BOBS_REPORT}.json": "{}",
        f"brain/{BOBS_PAGE}.md": f"# {WORD}\n",
        layout.HOLDS: json.dumps(holds.document(BOBS_HOLDS)),
    }
    world.commit(BOB, only_bobs, indexed=True)


def bobs(world: World) -> dict[str, str]:
    """Ids that only Bob has, by the names that MATRIX gives them."""
    correction = world.post("/v1/me/corrections", {"verdict": "wrong", "statement": S1}, BOB_TOKEN).json()["id"]
    made = world.post("/v1/me/tokens", {"name": "B", "scopes": ["memory:read", "memory:correct"]}, BOB_TOKEN).json()
    plane = world.controlplane
    proposal = plane.propose(made["token"], CorrectionRequest(verdict="done", statement=S1)).id
    record = RecordRef(source="inbound_messages", id="record-8")
    shown = plane.show_forget(BOB_TOKEN, [record], '{"person":"Ann Lee"}', 1).token
    forgetting = plane.confirm_forget(
        ConfirmForgetRequest(
            user_token=BOB_TOKEN,
            token=plane.show_forget(BOB_TOKEN, [record], "s", 1).token,
            records=(record,),
            selection="s",
        )
    )
    exclusion = ExclusionView(id=f"{1:08d}-0000-4000-8000-000000000000", kind="topic", made_at=world.clock.now())
    plane.kept_out[BOB] = [exclusion]
    return {
        "bobs correction": correction,
        "bobs token": made["id"],
        "bobs proposal": proposal,
        "bobs list": shown,
        "bobs forgetting": forgetting.order.id,
        "bobs export": plane.order_export(BOB_TOKEN).id,
        "bobs exclusion": exclusion.id,
    }


def address(path: str, row: Row, ids: Mapping[str, str]) -> str:
    for name, value in row.ids.items():
        path = path.replace(f"{{{name}:path}}", value).replace(f"{{{name}}}", ids.get(value, value))
    return f"{path}?{row.query}" if row.query else path


def call(world: World, route: tuple[str, str], ids: Mapping[str, str], bearer: str | None = ADA_TOKEN) -> Any:
    """A call of the API, or of a page within the session that is open."""
    (method, path), row = route, MATRIX[route]
    if not row.pages:
        headers = {"authorization": f"Bearer {bearer}"} if bearer else {}
        return world.client.request(method, address(path, row, ids), json=row.body, headers=headers)
    data = {name: ids.get(value, value) for name, value in (row.form or {}).items()}
    if row.form is not None:
        data["form_token"] = form_token(world)
    return world.client.request(method, address(path, row, ids), data=data or None, follow_redirects=False)


def form_token(world: World) -> str:
    page = world.client.get("/today").text
    return page.partition('name="form_token" value="')[2].partition('"')[0]


def routes(*, pages: bool) -> Iterator[tuple[str, str]]:
    return (route for route, row in MATRIX.items() if row.pages is pages)


def test_every_route_has_a_row(world: World) -> None:
    there = {
        (method, route.path)
        for route in world.app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert there == set(MATRIX) | PUBLIC


def test_nobody_gets_what_another_user_has(world: World) -> None:
    ids = bobs(world)
    sign_in(world)
    for route, row in MATRIX.items():
        if route == ("POST", "/sign-out"):
            continue
        answer = call(world, route, ids)
        assert answer.status_code == row.own, (route, answer.status_code, answer.text[:300])
        # The question itself may stand in the answer.
        shown = answer.text.replace(row.query.partition("=")[2], "") if row.query else answer.text
        assert WORD not in shown, route
        assert BOB not in shown, route
        # Nor the ids of what is Bob's, but for one that Ada named herself.
        named = {ids.get(value) for value in (*row.ids.values(), *(row.form or {}).values())}
        assert not [value for value in ids.values() if value in shown and value not in named], route
    # Nothing of Bob's was changed, and what was asked for is there for him.
    assert world.json("/v1/me/corrections", BOB_TOKEN)["corrections"][0]["undone_at"] is None
    assert world.json("/v1/me/tokens", BOB_TOKEN)["tokens"][0]["revoked_at"] is None
    assert len(world.json("/v1/me/proposals", BOB_TOKEN)["proposals"]) == 1
    assert [len(world.json(f"/v1/me/{each}", BOB_TOKEN)["orders"]) for each in ("forget", "export")] == [1, 1]
    assert len(world.json("/v1/me/exclusions", BOB_TOKEN)["exclusions"]) == 1
    assert [rule["state"] for rule in world.json("/v1/me/rules", BOB_TOKEN)["rules"]] == ["in_force"]
    for route in (
        ("GET", "/v1/me/reports/{report_id}"),
        ("GET", "/v1/me/pages/{page:path}"),
        ("GET", "/v1/me/rules/{rule_id:path}"),
        ("POST", "/v1/me/rules/{rule_id:path}"),
        ("POST", "/v1/me/exclusions/{exclusion_id}/end"),
    ):
        assert call(world, route, ids, BOB_TOKEN).status_code == 200
    read = {name for _, name in world.reads()}
    assert any(name.startswith(paths.user(BOB)) for name in read)


def test_every_object_that_is_read_for_a_user_is_theirs(world: World) -> None:
    ids = bobs(world)
    sign_in(world)
    before = len(world.reads())
    for route in MATRIX:
        if route != ("POST", "/sign-out"):
            call(world, route, ids)
    names = {name for _, name in world.reads()[before:]}
    assert names
    assert all(name.startswith(paths.user(ADA)) for name in names)


@table(
    "bearer",
    [None, "", "stale.token.x", "other.project.x", ASSISTANT, "cma_x", "not a token", "a." + "b" * 9000 + ".c"],
)
def test_a_token_that_is_not_a_users_gets_nothing_of_any_route(world: World, bearer: str | None) -> None:
    before = len(world.reads())
    for route in routes(pages=False):
        answer = call(world, route, NOBODYS, bearer)
        assert answer.status_code == 401, (route, answer.text)
        assert "ADAWORD" not in answer.text
    assert world.reads()[before:] == []


def test_no_page_opens_without_a_session(world: World) -> None:
    before = len(world.reads())
    for route in routes(pages=True):
        answer = call(world, route, {})
        assert answer.status_code == 401, (route, answer.status_code)
        assert "ADAWORD" not in answer.text
    assert world.reads()[before:] == []


def test_a_page_changes_nothing_for_a_form_of_another_session(world: World) -> None:
    sign_in(world)
    for method, path in routes(pages=True):
        if method == "POST":
            form = {**(MATRIX[method, path].form or {}), "form_token": "0" * 64}
            answer = world.client.post(path, data=form, headers={"origin": APP}, follow_redirects=False)
            assert answer.status_code == 403, path
    assert world.json("/v1/me/corrections")["corrections"] == []
    assert world.json("/v1/me/tokens")["tokens"] == []


TRICKS = (
    f"..%2F..%2Fusers%2F{BOB}%2FHEAD",
    f"../../users/{BOB}/HEAD",
    "%2e%2e/%2e%2e/HEAD",
    f"{BOBS_PAGE}%00",
    f"{BOBS_PAGE}#r-aaaaaaaaaaaa",
    f"{MAIL}%23r-aaaaaaaaaaaa",
    "..%5C..%5CHEAD",
    "*",
    "%ff%fe",
    quote("\u202e" + BOBS_PAGE),
    "a" * 4000,
)


@table("trick", TRICKS)
def test_no_trick_with_an_id_leads_anywhere(world: World, trick: str) -> None:
    sign_in(world)
    world.json("/v1/me/today")
    before = len(world.reads())
    for (method, path), row in MATRIX.items():
        if not row.ids:
            continue
        name = next(iter(row.ids))
        place = path.replace(f"{{{name}:path}}", trick).replace(f"{{{name}}}", trick)
        data = {"form_token": form_token(world)} if row.pages and method == "POST" else None
        headers = {} if row.pages else {"authorization": f"Bearer {ADA_TOKEN}"}
        answer = world.client.request(method, place, json=row.body, data=data, headers=headers)
        assert answer.status_code in (404, 405, 422), (path, answer.status_code)
        assert WORD not in answer.text
    assert {name for _, name in world.reads()[before:]} <= {paths.head(ADA)}
    assert world.get(f"/v1/me/reports/{REPORT_ID}").status_code == 200
