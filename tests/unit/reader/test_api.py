"""The API: what each call shows, its forms, and its errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from consumer import layout
from contract.overlay import Overlay
from reader.api import CALLS, POSTS
from reader.openapi import document
from tests.fixtures_telemetry import Lines
from tests.tables import table
from tests.unit.reader.worlds import (
    ADA,
    ADA_TOKEN,
    MAIL,
    MARK,
    NOTE,
    OLD_REPORT_ID,
    RECORD,
    REPORT_ID,
    S1,
    S1_AGAIN,
    S2,
    S3,
    S4,
    SOURCE,
    World,
    both,
    hiding,
    refusal,
)

#: A call of each kind that gives JSON.
JSON_CALLS = {
    "reports": "/v1/me/reports",
    "report": f"/v1/me/reports/{REPORT_ID}",
    "people": "/v1/me/people",
    "today": "/v1/me/today",
    "sources": "/v1/me/sources",
    "access": "/v1/me/access",
    "corrections": "/v1/me/corrections",
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return both(tmp_path)


def test_reports_are_listed_newest_first(world: World) -> None:
    listed = world.json("/v1/me/reports")
    assert listed == {
        "reports": [
            {"id": REPORT_ID, "kind": "digest", "period": "2026-11-27T09"},
            {"id": OLD_REPORT_ID, "kind": "insight", "period": "2026-11-20"},
        ],
        "more": False,
    }
    assert [r["id"] for r in world.json(f"/v1/me/reports?after={REPORT_ID}")["reports"]] == [OLD_REPORT_ID]
    assert refusal(world.get("/v1/me/reports?after=nothing")) == (404, "not_found")


def test_many_reports_come_in_pages(world: World) -> None:
    ids = [f"55555555-5555-4555-8555-{number:012d}" for number in range(60)]
    world.commit(ADA, {f"brain/reports/digest/2026-10-01T{n % 24:02d}__{i}.md": "# x\n" for n, i in enumerate(ids)})
    seen: list[str] = []
    after = ""
    while True:
        page = world.json(f"/v1/me/reports?after={after}")
        seen += [report["id"] for report in page["reports"]]
        if not page["more"]:
            break
        after = seen[-1]
    assert sorted(seen) == sorted([*ids, REPORT_ID, OLD_REPORT_ID])


def test_a_report_comes_as_data_markdown_or_html(world: World) -> None:
    data = world.json(f"/v1/me/reports/{REPORT_ID}")
    assert data["document"]["sections"]["open_loops"][0]["text"] == "Launch ADAWORD"
    markdown = world.get(f"/v1/me/reports/{REPORT_ID}?format=markdown")
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.text.startswith("# Digest ADAWORD")
    page = world.get(f"/v1/me/reports/{REPORT_ID}?format=html").text
    assert f'<a href="/v1/me/pages/{MAIL}#r-{MARK}">Kestrel</a>' in page
    assert refusal(world.get(f"/v1/me/reports/{REPORT_ID}?format=pdf")) == (422, "invalid_request")
    # A report whose data was purged is still a page, and no data.
    assert refusal(world.get(f"/v1/me/reports/{OLD_REPORT_ID}")) == (404, "not_found")
    assert refusal(world.get("/v1/me/reports/nothing")) == (404, "not_found")


def test_a_page_keeps_its_anchors(world: World) -> None:
    for path in (MAIL, f"{MAIL}.md"):
        assert world.get(f"/v1/me/pages/{path}").text.startswith("# Kestrel ADAWORD")
    page = world.get(f"/v1/me/pages/{MAIL}?format=html")
    assert page.headers["content-type"].startswith("text/html")
    assert f'<a id="r-{MARK}"></a>' in page.text
    assert "<h2>Launch</h2>" in page.text


def test_a_very_large_page_is_shown_as_text(world: World) -> None:
    world.commit(ADA, {"brain/large.md": "# <b>\n" + "*x* " * 70_000})
    text = world.get("/v1/me/pages/large?format=html").text
    assert text.startswith("<pre># &lt;b&gt;")


def test_today_counts_days_when_it_is_asked(world: World) -> None:
    now = world.json("/v1/me/today")
    assert (now["as_of"], now["today"]) == ("2026-11-27 09:40 +01:00", "2026-11-27")
    assert [(loop["id"], loop["stage"]) for loop in now["due"]] == [(S1, "overdue"), (S2, "due")]
    assert [loop["id"] for loop in now["you_owe"]] == [S3]
    assert [loop["id"] for loop in now["asked_of_you"]] == [S4]
    [meeting] = now["meetings"]
    assert (meeting["id"], [loop["id"] for loop in meeting["loops"]]) == ("m1", [S2])
    # Two days later, nothing was written, and yet it is another day in the user's zone.
    world.clock.advance(2 * 86400)
    later = world.json("/v1/me/today")
    assert later["today"] == "2026-11-29"
    assert [(loop["id"], loop["stage"]) for loop in later["due"]] == [(S1, "overdue"), (S2, "overdue")]
    assert later["meetings"] == []


def test_people_projects_and_sources(world: World) -> None:
    people = world.json("/v1/me/people")
    [ann] = people["people"]
    assert (ann["name"], ann["aliases"], ann["pages"], ann["loops"]) == ("Ann Lee", ["Ann"], ["people/ann-lee-x"], 2)
    assert people["projects"] == [{"name": "Kestrel", "page": "projects/kestrel-x"}]
    sources = world.json("/v1/me/sources")
    assert sources["sources"] == [
        {"source": "granola-transcripts", "pages": 1},
        {"source": "inbound-messages", "pages": 1},
    ]
    assert (sources["commit"], sources["committed_at"]) == (1, "2026-11-27T09:00:00Z")


def test_who_looked(world: World) -> None:
    log = world.json("/v1/me/access")
    assert log["entries"][0]["actor"] == "ann@ops.example"
    assert world.json(f"/v1/me/access?after={log['next_after']}")["next_after"] is None
    assert world.get(f"/v1/me/access?after={10**15}").status_code == 200
    for after in ("x", "-1", "\u0663", 10**15 + 1):
        assert refusal(world.get(f"/v1/me/access?after={after}")) == (422, "invalid_request")


def test_a_user_without_a_commit_has_an_empty_memory(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert world.json("/v1/me/reports") == {"reports": [], "more": False}
    assert world.json("/v1/me/today")["as_of"] is None
    assert world.json("/v1/me/people") == {"people": [], "projects": []}
    assert world.json("/v1/me/sources") == {"sources": [], "commit": 0, "committed_at": None}
    assert world.json("/v1/me/search?q=x") == {"hits": [], "more": False}


def test_a_commit_without_an_index_says_so(world: World) -> None:
    assert refusal(world.get("/v1/me/search?q=kestrel")) == (503, "search_unavailable")


@table(
    "query",
    ["", "q=", "q=%20", f"q={'x' * 401}", "q=x&from=yesterday", "q=x&to=2026-13-01", "q=x&limit=51", "q=x&offset=-1"],
)
def test_an_unusable_search_is_refused(query: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        assert refusal(world.get(f"/v1/me/search?{query}")) == (422, "invalid_request")


def test_a_context_is_asked_for_within_its_bounds(world: World) -> None:
    for query in ("budget=500", "budget=32000"):
        assert world.get(f"/v1/me/context?{query}").status_code == 200
    about = f"about={'x' * 500}"
    assert refusal(world.get(f"/v1/me/context?{about}")) == (503, "search_unavailable"), "this commit has no index"
    for query in (f"about={'x' * 501}", "budget=499", "budget=32001", "budget=many"):
        assert refusal(world.get(f"/v1/me/context?{query}")) == (422, "invalid_request")


def test_a_body_of_half_a_mebibyte_is_read_and_no_larger_one(world: World) -> None:
    for size, code in ((512 * 1024, "invalid_request"), (512 * 1024 + 1, "body_too_large")):
        headers = {"authorization": f"Bearer {ADA_TOKEN}"}
        answer = world.client.post("/v1/me/corrections", content=b" " * size, headers=headers)
        assert refusal(answer) == (413 if code == "body_too_large" else 422, code)


def test_every_answer_has_the_form_that_the_document_gives(world: World) -> None:
    described = document()
    by_name = {
        operation["operationId"]: operation for path in described["paths"].values() for operation in path.values()
    }
    assert {call.__name__ for _, call in (*CALLS, *POSTS)} | {"code"} == set(by_name)
    for name, path in JSON_CALLS.items():
        schema = by_name[name]["responses"]["200"]["content"]["application/json"]["schema"]
        whole = {**schema, "components": described["components"]}
        jsonschema.Draft202012Validator(whole).validate(world.json(path))
    errors = {"$ref": "#/components/schemas/ErrorBody", "components": described["components"]}
    answers = [world.get("/v1/me/today", None), world.get("/v1/me/pages/none"), world.get("/v1/nothing")]
    for answer in answers:
        jsonschema.Draft202012Validator(errors).validate(answer.json())
    assert world.get("/openapi.json", None).json() == described


def test_what_the_overlay_hides_is_gone_at_once(world: World) -> None:
    assert MARK in world.get(f"/v1/me/pages/{MAIL}").text
    world.controlplane.overlay = hiding((SOURCE, RECORD), ("granola_transcripts", "note-1"))
    world.clock.advance(61)
    page = world.get(f"/v1/me/pages/{MAIL}").text
    assert "Launch" not in page
    assert "Lunch with ADAWORD" in page
    assert refusal(world.get(f"/v1/me/pages/{NOTE}")) == (404, "not_found")
    report = world.get(f"/v1/me/reports/{REPORT_ID}?format=markdown").text
    assert "Launch Kestrel" not in report
    assert "Have lunch" in report
    data: Any = world.json(f"/v1/me/reports/{REPORT_ID}")["document"]
    assert [statement["text"] for statement in data["sections"]["open_loops"]] == ["Lunch ADAWORD"]
    assert [loop["id"] for loop in world.json("/v1/me/today")["due"]] == [S2]


def test_a_hidden_record_of_another_source_is_another_record(world: World) -> None:
    world.controlplane.overlay = hiding(("outbound_messages", RECORD))
    assert "Launch" in world.get(f"/v1/me/pages/{MAIL}").text


def test_a_correction_counts_at_once(world: World) -> None:
    def correction(verdict: str, statement: str, until: str | None = None) -> dict[str, Any]:
        made = {"id": REPORT_ID, "verdict": verdict, "statement": statement, "made_at": "2026-11-27T09:00:00Z"}
        return {**made, "until": until}

    corrections = [correction("done", S1_AGAIN), correction("later", S2, "2026-11-30")]
    world.controlplane.overlay = Overlay.model_validate({"version": "3", "corrections": corrections})
    assert world.json("/v1/me/today")["due"] == []
    # Put off to a day: that day it is there again.
    world.clock.advance(3 * 86400)
    assert [loop["id"] for loop in world.json("/v1/me/today")["due"]] == [S2]


def test_a_token_is_asked_about_once_a_minute(world: World) -> None:
    for _ in range(3):
        world.json("/v1/me/reports")
    assert world.controlplane.asked == [("grant", ADA_TOKEN)]
    world.clock.advance(61)
    world.json("/v1/me/reports")
    assert len(world.controlplane.asked) == 2


def test_too_many_calls_are_told_to_wait(world: World) -> None:
    answers = [world.get("/v1/me/sources").status_code for _ in range(121)]
    assert answers[:120] == [200] * 120
    last = world.get("/v1/me/sources")
    assert refusal(last) == (429, "too_many_calls")
    world.clock.advance(int(last.headers["retry-after"]))
    assert world.get("/v1/me/sources").status_code == 200
    # One user's calls are not another's.
    assert world.get("/v1/me/sources", "bob.token.x").status_code == 200


def test_each_call_is_logged_by_its_name_and_status(world: World, lines: Lines) -> None:
    world.json("/v1/me/reports")
    world.get("/v1/me/reports/nothing")
    world.get("/v1/me/today", None)
    calls = [(fields["call"], fields["status"]) for text, fields in lines.seen if text == "reader_request"]
    assert calls == [("reports", 200), ("report", 404), ("today", 401)]


def test_a_fault_of_ours_is_logged_by_its_class_and_tells_nothing_else(
    world: World, capsys: pytest.CaptureFixture[str], lines: Lines
) -> None:
    world.commit(ADA, {layout.TODAY: '{"loops": [{"secret": "SECRETWORD"}]}'})
    answer = world.get("/v1/me/today")
    assert refusal(answer) == (500, "internal_error")
    assert [fields for text, fields in lines.seen if text == "reader_bug"] == [{"error": "KeyError"}]
    assert "SECRETWORD" not in answer.text
    assert "SECRETWORD" not in capsys.readouterr().out


def test_a_page_is_found_by_the_mark_of_its_record_when_its_name_has_changed(world: World) -> None:
    old = NOTE.replace("2026-11-21-review", "2026-11-20-an-older-title")
    assert world.get(f"/v1/me/pages/{old}").text == world.get(f"/v1/me/pages/{NOTE}").text
    assert refusal(world.get(f"/v1/me/pages/{old[:-12]}{'a' * 12}")) == (404, "not_found")
    # What is hidden is hidden under each of its names.
    world.controlplane.overlay = hiding(("granola_transcripts", "note-1"))
    world.clock.advance(61)
    assert refusal(world.get(f"/v1/me/pages/{old}")) == (404, "not_found")
