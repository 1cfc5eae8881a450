"""Forgetting by its owner: a list with ticks, a decision, hidden at once; and exports, each for one user alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from consumer import layout, paths
from consumer.evidence.search import Passage
from contract.api import CommitRef
from contract.orders import ExclusionView, OrderResult, RecordRef
from reader.forgetting import _says
from reader.openapi import document
from reader.site import templates
from reader.wire import ForgetAnswer, ForgetRecord
from renderers.grouping import mark
from tests.tables import table
from tests.unit.reader.test_ask import PAGE, PROMISE, SLUG, index_of
from tests.unit.reader.test_site import form_token, post, sign_in
from tests.unit.reader.worlds import (
    ADA,
    ADA_TOKEN,
    BOB,
    BOB_TOKEN,
    REPORT_ID,
    World,
    commit_both,
    files,
    filled,
    refusal,
)

FORGET = "/v1/me/forget"
DECK = {"source": PROMISE.source, "id": "deck-1"}
QUESTION = {"question": "What do I owe Ann Lee?"}
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return filled(tmp_path, commit_both_with_a_promise)


def commit_both_with_a_promise(world: World) -> None:
    commit_both(world)
    contents = {**files("ADAWORD"), layout.RENDER_INDEX: index_of(PROMISE), f"brain/{SLUG}.md": PAGE}
    world.commit(ADA, contents, indexed=True)
    world.commit(BOB, files("BOBWORD"), "job-2", indexed=True)


def listed(world: World, token: str = ADA_TOKEN, **selection: Any) -> dict[str, Any]:
    answer = world.post(FORGET, selection, token)
    assert answer.status_code == 200, answer.text
    schema = {"$ref": "#/components/schemas/ForgetAnswer", "components": document()["components"]}
    jsonschema.Draft202012Validator(schema).validate(answer.json())
    return dict(answer.json())


@pytest.mark.parametrize(
    "selection",
    [
        {"topic": "deck for the board"},
        {"person": "Ann Lee"},
        {"source": PROMISE.source},
        {"before": "2026-11-21"},
        {"record": SLUG},
    ],
    ids=lambda selection: next(iter(selection)),
)
def test_each_way_of_selecting_lists_the_record_and_its_decision_hides_it_at_once(
    world: World, selection: dict[str, str]
) -> None:
    answer = listed(world, **selection)
    [shown] = [each for each in answer["records"] if each["record"] == DECK]
    assert (shown["record"], shown["page"], shown["ticked"]) == (DECK, SLUG, True)
    assert "the deck for the board" in world.post("/v1/me/ask", QUESTION).text, "a list forgets nothing"
    chosen = {**selection, "token": answer["token"], "records": [DECK]}
    done = world.post(FORGET, chosen).json()
    assert (done["order"]["state"], done["order"]["records"], done["arrived"]) == ("waiting", 1, [])
    assert "the deck for the board" not in world.post("/v1/me/ask", QUESTION).text
    assert DECK not in [each["record"] for each in listed(world, **selection)["records"]]
    assert world.post(FORGET, chosen, BOB_TOKEN).status_code == 404
    assert world.json(FORGET, BOB_TOKEN)["orders"] == []


def test_a_report_that_quotes_what_is_being_forgotten_is_not_found_by_it(world: World) -> None:
    quoting = f"- Send it.\n  - [Deck](../../{SLUG}.md#r-{mark(*DECK.values())}): \u201cthe deck for the board\u201d\n"
    report = f"# Digest\n\n## Owed\n\n{quoting}\n## Besides\n\n- A quarterly review is near.\n"
    path = f"brain/reports/digest/2026-11-27T09__{REPORT_ID}.md"
    world.commit(ADA, {path: f'---\ntitle: "Digest"\n---\n{report}'}, "job-3", indexed=True)

    def texts(query: str) -> str:
        hits = world.json(f"/v1/me/search?q={query}")["hits"]
        return " ".join(hit["text"] for hit in hits if hit["page"].startswith("reports/"))

    assert "Send it" in texts("deck+for+the+board")
    token = listed(world, topic="deck for the board")["token"]
    world.post(FORGET, {"topic": "deck for the board", "token": token, "records": [DECK]})
    assert "deck for the board" not in texts("deck+for+the+board")
    assert "deck for the board" not in texts("quarterly+review")


def test_nothing_is_listed_of_another_users_memory(world: World) -> None:
    for selection in ({"person": "Ann Lee"}, {"source": PROMISE.source}, {"before": "2026-11-21"}, {"record": SLUG}):
        assert DECK not in [each["record"] for each in listed(world, BOB_TOKEN, **selection)["records"]]


def test_later_records_are_kept_out_only_where_that_can_be_told(world: World) -> None:
    answer = listed(world, person="Ann Lee")
    assert answer["can_keep_out"]
    chosen = {"token": answer["token"], "records": [DECK], "keep_out": True}
    world.post(FORGET, {**chosen, "person": "Ann Lee"})
    kept_out = world.controlplane.confirmed[0].keep_out
    assert kept_out is not None
    assert (kept_out.kind, set(kept_out.texts)) == ("person", {"Ann Lee", "ann@lee.example"})
    assert not listed(world, before="2026-11-21")["can_keep_out"]
    assert refusal(world.post(FORGET, {**chosen, "before": "2026-11-21"})) == (422, "invalid_request")


@pytest.mark.parametrize("body", [{}, {"topic": "a", "person": "b"}, {"before": "soon"}, {"topic": "x", "token": "t"}])
def test_what_is_no_selection_is_refused(world: World, body: dict[str, str]) -> None:
    assert refusal(world.post(FORGET, body)) == (422, "invalid_request")


def test_the_pages_lead_from_a_topic_to_what_was_forgotten(world: World) -> None:
    sign_in(world)
    page = world.client.get("/forget").text
    token = page.split('name="form_token" value="')[1].split('"')[0]
    listed_page = world.client.post("/forget/list", data={"form_token": token, "topic": "deck for the board"}).text
    assert "What would be forgotten" in listed_page
    assert " checked" in listed_page
    confirming = listed_page.split('name="token" value="')[1].split('"')[0]
    form = {"form_token": token, "token": confirming, "topic": "deck for the board"}
    done = world.client.post("/forget", data={**form, "forget": f"{PROMISE.source}/deck-1"})
    assert "1 record is hidden from now on" in done.text
    assert "Hidden; it is removed within minutes" in world.client.get("/forget").text
    assert world.client.post("/forget", data={"token": confirming}).status_code == 403


def test_a_page_ends_what_is_kept_out_and_orders_an_export(world: World) -> None:
    kept_out = ExclusionView(id=UNKNOWN, kind="topic", made_at=world.clock.now())
    world.controlplane.kept_out[ADA] = [kept_out]
    sign_in(world)
    token = form_token(world)
    ended = post(world, "/exclusions/end", form_token=token, exclusion=UNKNOWN)
    assert (ended.status_code, ended.headers["location"]) == (303, "/forget#kept-out")
    assert world.controlplane.kept_out[ADA] == []
    assert post(world, "/exclusions/end", form_token=token, exclusion=UNKNOWN).status_code == 404
    ordered = post(world, "/export", form_token=token)
    assert (ordered.status_code, ordered.headers["location"]) == (303, "/sources#along")
    assert [order.kind for order in world.controlplane.ordered[ADA]] == ["export"]


def test_an_export_is_downloaded_by_its_owner_while_it_is_there(world: World) -> None:
    order = world.post("/v1/me/export").json()
    assert [each["id"] for each in world.json("/v1/me/export")["orders"]] == [order["id"]]
    assert world.json("/v1/me/forget")["orders"] == []
    path = f"/v1/me/export/{order['id']}/file"
    assert refusal(world.get(path)) == (404, "export_not_ready")
    assert world.get(path).json()["error"]["hint"] == "GET /v1/me/export shows its state."
    [view] = world.controlplane.ordered[ADA]
    result = OrderResult(commit=CommitRef(seq=2, digest="ab" * 32), bytes=3)
    world.controlplane.ordered[ADA] = [view.model_copy(update={"state": "ready", "result": result})]
    assert refusal(world.get(path)) == (404, "export_gone")
    world.bench.blobs.write(paths.takeout(ADA, 2, order["id"]), b"tar", if_generation=0)
    answer = world.get(path)
    assert (answer.content, answer.headers["content-type"]) == (b"tar", "application/x-tar")
    assert answer.headers["content-disposition"] == 'attachment; filename="memory-2.tar"'
    world.bench.blobs.write(paths.takeout_proof(ADA, 2, order["id"]), b"{}", if_generation=0)
    sign_in(world)
    for folder in ("/v1/me/export", "/export"):
        proof = world.get(f"{folder}/{order['id']}/proof")
        assert (proof.content, proof.headers["content-type"]) == (b"{}", "application/json")
        assert proof.headers["content-disposition"] == 'attachment; filename="memory-2.proof.json"'
    assert world.client.get(f"/export/{order['id']}/file").content == b"tar"
    assert refusal(world.get(path, BOB_TOKEN)) == (404, "order_not_found")
    assert refusal(world.get(f"/v1/me/forget/{order['id']}/receipt")) == (404, "not_found")
    assert [world.post("/v1/me/export").status_code for _ in range(3)] == [200, 200, 429]


def test_a_receipt_is_downloaded_once_the_second_sweep_wrote_it(world: World) -> None:
    sign_in(world)
    order = world.controlplane._ordered(ADA, "forget", records=1)
    paths_of_it = (f"/v1/me/forget/{order.id}/receipt", f"/forget/{order.id}/receipt")
    assert refusal(world.get(paths_of_it[0])) == (404, "receipt_not_ready")
    world.controlplane.ordered[ADA] = [order.model_copy(update={"state": "closed"})]
    assert refusal(world.get(paths_of_it[0])) == (404, "export_gone")
    world.bench.blobs.write(paths.receipt(ADA, order.id), b"{}", if_generation=0)
    for path in paths_of_it:
        answer = world.get(path)
        assert (answer.content, answer.headers["content-type"]) == (b"{}", "application/json")
        assert answer.headers["content-disposition"] == f'attachment; filename="receipt-{order.id}.json"'


def test_an_idle_memory_is_dropped_without_any_request(world: World) -> None:
    world.json("/v1/me/search?q=deck")
    assert list(world.folder.iterdir())
    world.clock.advance(901)
    world.library.trim()
    assert not list(world.folder.iterdir())


def test_the_list_counts_what_is_ticked_and_folds_away_the_rest() -> None:
    def listed_page(*ticks: bool) -> str:
        records = tuple(
            ForgetRecord(record=RecordRef(**DECK), title=f"R{n}", day="", page="", anchor="", ticked=ticked)
            for n, ticked in enumerate(ticks)
        )
        values = {"answer": ForgetAnswer(token="t", records=records), "selection": {"topic": "deck"}}
        return templates().get_template("forget_list.html").render(**values, current="forget", form_token="f")

    text = listed_page(False, True, False)
    shown, _, folded = text.partition("<details>")
    assert "Ticked: 1 of 3." in text
    assert ("R1</label>" in shown, "R0</label>" in folded, "R2</label>" in folded) == (True, True, True)
    assert "2 more may belong to your selection and are not ticked" in folded
    assert len(set(re.findall(r'id="([a-z]+-\d+)"', text))) == 3
    assert "<details>" not in listed_page(True, True)
    unsure = listed_page(False, False)
    assert ("<details>" in unsure, unsure.count('type="checkbox"')) == (False, 2)


@pytest.mark.parametrize(
    ("topic", "ticked"), [("deck board", True), ("decks BOARD", True), ("deck boa", False), ("deck harbour", False)]
)
def test_only_whole_words_tick_a_record(world: World, topic: str, ticked: bool) -> None:
    assert [each["ticked"] for each in listed(world, topic=topic)["records"]] == [ticked]


@table(
    ("topic", "text", "ticked"),
    [
        ("lease", "both leases are signed", True),
        ("leases", "the lease is signed", True),
        ("policy box", "policies in boxes", True),
        ("Straße", "In der STRASSE ist Ruhe", True),
        ("ann's divorce", "Ann\u2019s divorce", True),
        ("договор", "Мой ДОГОВОР", True),
        ("किराया", "यह किराया है", True),
        ("עברית", "שיעור עברית", True),
        ("สัญญา", "เซ็นสัญญาเช่าแล้ว", True),
        ("ສັນຍາ", "ເຊັນສັນຍາເຊົ່າແລ້ວ", True),
        ("កិច្ចសន្យា", "បានចុះកិច្ចសន្យាជួល", True),
        ("စာချုပ်", "ငှားရမ်းစာချုပ်လက်မှတ်", True),
        ("契約", "賃貸契約書に署名", True),
        ("Kestrel契約", "契約 by kestrel", True),
        ("car insurance", "I do care about the insurance", False),
        ("car insurance", "She cares about the insurance", False),
        ("ann divorce", "the annual divorce statistics", False),
        ("police report", "a policy report", False),
        ("lease", "please", False),
        ("princes", "the princess", False),
        ("a lot", "as lots", False),
        ("schon", "so schön", False),
        ("मा", "मामा", False),
        ("договор", "договоримся", False),
        ("สัญญา", "สัญชาติ", False),
        ("契", "契約", False),
        ("契約", "契 約", False),
        ("契約 lease", "契約", False),
        ("?!", "?!", False),
    ],
)
def test_a_topic_ticks_what_has_its_words_and_not_what_has_their_letters(topic: str, text: str, ticked: bool) -> None:
    passage = Passage(SLUG, "", "", "", "", "", "source", text, 0.0)
    assert _says(passage, topic) is ticked


def test_a_topic_in_a_script_without_blanks_ticks_a_record(world: World) -> None:
    page = PAGE.replace("for the board", "for the board: เซ็นสัญญาเช่าแล้ว")
    world.commit(ADA, {f"brain/{SLUG}.md": page}, "job-4", indexed=True)
    assert [each["ticked"] for each in listed(world, topic="สัญญา")["records"]] == [True]
