"""Questions: answered from facts that are cited on pages, with the user's corrections, or not answered."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import tracemalloc
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from consumer import layout
from consumer.errors import SnapshotIncomplete
from consumer.evidence.index.store import open_index
from consumer.reports.asking import AskableMemory, Asker, CheckedAnswer, load
from consumer.reports.context import Context, ContextSources, assemble
from consumer.understanding import encoding
from consumer.understanding import reader as readers
from consumer.understanding.statements import Reading, statement_id
from consumer.understanding.utterances import ME
from contract.overlay import Overlay
from reader.library import FILE_BYTES, FOLDED_BYTES
from reader.openapi import document
from renderers.grouping import mark
from tests.fake_export import FakeExport, Row, export_and_render, run_of
from tests.tables import table
from tests.unit.reader.test_site import sign_in
from tests.unit.reader.worlds import (
    ADA,
    ADA_TOKEN,
    BOB,
    BOB_TOKEN,
    OVERLAY_KEY,
    REPORT_ID,
    World,
    both,
    commit_both,
    files,
    filled,
    hiding,
    refusal,
    today_document,
)
from tests.unit.understanding.talks import ANN, at, promise, record, request

SLUG = "sources/cloop/outbound-messages/2026-11-20-deck"
#: Below the folder of its records' source, as a run names pages.
NAMED = "sources/cloop/inbound-messages/2026-11-20-deck"
PAGE = '---\ntitle: "Deck"\n---\n# Deck\n\nI will do it: the deck for the board\n'
SOURCE = "inbound_messages"


def index_of(*readings: Reading, page: str = SLUG, anchored: bool = False) -> bytes:
    """A record index with these readings, each on this page, at its mark if ``anchored``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        with open_index(path) as index:
            index.commit()
        with closing(sqlite3.connect(path)) as database:
            for reading in readings:
                key = (reading.source, reading.record_id)
                row = "insert into records values (?,?,'c','2026-11-20','','','s',?,?,'',0,0,1,null,'','')"
                database.execute(row, (*key, f"{page}.md", f"r-{mark(*key)}" if anchored else ""))
                body = encoding.encode(reading)
                database.execute(
                    "insert into readings values (?,?,?,?,?,?)", (*key, readers.NAME, readers.VERSION, "c", body)
                )
            database.commit()
            return bytes(database.serialize())


PROMISE = record(
    promise(ME, "the deck for the board", (ANN,)), author=ME, to=(ANN,), said_at=at(20), record_id="deck-1", thread="t"
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return filled(tmp_path, commit_promise)


def commit_promise(world: World) -> None:
    commit_both(world)
    world.commit(ADA, {**files("ADAWORD"), layout.RENDER_INDEX: index_of(PROMISE), f"brain/{SLUG}.md": PAGE})


def ask(world: World, question: Any, token: str = "ada.token.x") -> Any:
    headers = {"authorization": f"Bearer {token}"}
    return world.client.post("/v1/me/ask", json={"question": question}, headers=headers)


def test_a_question_is_answered_from_facts_with_the_place_that_says_so(world: World) -> None:
    answer = ask(world, "What do I owe Ann Lee?").json()
    schema = {"$ref": "#/components/schemas/AskAnswer", "components": document()["components"]}
    jsonschema.Draft202012Validator(schema).validate(answer)
    assert (answer["supported"], answer["said_by"], answer["unsupported"]) == (True, "facts", 0)
    [sentence] = answer["answer"]
    assert "the deck for the board" in sentence["text"]
    assert sentence["citations"] == [{"page": SLUG, "anchor": "", "quote": "I will do it: the deck for the board"}]
    assert answer["usage"]["requests"] == 0
    assert world.get(f"/v1/me/pages/{SLUG}").status_code == 200


def test_memory_does_not_say_what_it_does_not_know(world: World) -> None:
    answer = ask(world, "When does the train to Lisbon leave?").json()
    assert (answer["answer"], answer["supported"], answer["said_by"]) == ([], False, "nobody")


def test_a_corrected_or_hidden_promise_is_not_said_any_more(world: World) -> None:
    statement = statement_id(PROMISE, PROMISE.statements[0])
    done = {"id": REPORT_ID, "verdict": "done", "statement": statement, "made_at": "2026-11-27T09:00:00Z"}
    world.controlplane.overlay = Overlay.model_validate({"version": "1", "key": "ab" * 32, "corrections": [done]})
    assert "the deck" not in ask(world, "What do I owe Ann Lee?").text
    world.controlplane.overlay = hiding((SOURCE, "deck-1"))
    world.clock.advance(61)
    assert "the deck" not in ask(world, "What do I owe Ann Lee?").text


def test_what_the_user_marks_as_private_is_told_no_more_before_a_run_holds_it(tmp_path: Path) -> None:
    asked = record(request(ANN, "the deck for the board", (ME,)), author=ANN, to=(ME,), said_at=at(19), thread="t")
    index = index_of(PROMISE, asked, page=NAMED, anchored=True)
    anchors = [f'<a id="r-{mark(each.source, each.record_id)}"></a>' for each in (PROMISE, asked)]
    words = ("I will do it: the deck for the board", "Could you do it: the deck for the board?")
    sections = [f"\n{anchor}\n## Deck\n\n{text}\n" for anchor, text in zip(anchors, words, strict=True)]
    page = "# Deck\n" + "".join(sections)
    world = filled(tmp_path, commit_both)
    world.controlplane.overlay = Overlay(version="1", key=OVERLAY_KEY)
    world.commit(ADA, {**files("ADAWORD"), layout.RENDER_INDEX: index, f"brain/{NAMED}.md": page})
    assert "the deck" in ask(world, "What do I owe Ann Lee?").text
    # The promise stands in another record than the request: the loop rests on both.
    statement = statement_id(asked, asked.statements[0])
    made = world.post("/v1/me/corrections", {"verdict": "private", "statement": statement}).json()
    texts = [ask(world, "What do I owe Ann Lee?").text, world.get("/v1/me/context?about=the+board").text]
    assert not any("the deck" in text for text in texts)
    assert "the deck" in world.get(f"/v1/me/pages/{NAMED}").text
    world.post(f"/v1/me/corrections/{made['id']}/undo")
    assert "the deck" in ask(world, "What do I owe Ann Lee?").text


def test_another_users_question_finds_nothing_of_it(world: World) -> None:
    assert "the deck" not in ask(world, "What do I owe Ann Lee?", "bob.token.x").text


def test_what_is_no_question_is_refused(world: World) -> None:
    for body in ("", "x" * 501, None, 7, ["a"]):
        assert refusal(ask(world, body)) == (422, "invalid_request")
    headers = {"authorization": "Bearer ada.token.x"}
    for content in (b"", b"no json", b"[]", b'{"question": "' + b"x" * 20_000 + b'"}'):
        answer = world.client.post("/v1/me/ask", content=content, headers=headers)
        assert answer.status_code in (413, 422)
    assert refusal(ask(world, " \n ")) == (422, "invalid_request")


def test_a_memory_is_folded_once_for_a_commit_and_an_overlay(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[object] = []

    def counted(*given: Any, **more: Any) -> AskableMemory:
        folded.append(given)
        return load(*given, **more)

    monkeypatch.setattr("reader.asking.load", counted)
    for _ in range(3):
        ask(world, "What do I owe Ann Lee?")
    assert len(folded) == 1
    world.controlplane.overlay = Overlay(version="9")
    world.clock.advance(61)
    ask(world, "What do I owe Ann Lee?")
    assert len(folded) == 2


@table("locale", ["de-AT", ""])
def test_a_question_and_a_context_are_read_as_the_users_locale_says(locale: str) -> None:
    asked: list[str] = []
    languages: list[str] = []

    class Noting(Asker):
        def ask(self, question: str) -> CheckedAnswer:
            asked.append(self.locale)
            return CheckedAnswer()

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        world = both(Path(folder))
        document = {**today_document("ADAWORD"), **({"locale": locale} if locale else {})}
        world.commit(ADA, {layout.RENDER_INDEX: index_of(PROMISE), layout.TODAY: json.dumps(document)})
        patch.setattr("reader.asking.Asker", Noting)
        assert ask(world, "What do I owe Ann Lee?").status_code == 200

        def noting(sources: ContextSources, **asked: Any) -> Context:
            languages.append(sources.language)
            return assemble(sources, **asked)

        patch.setattr("reader.context.assemble", noting)
        assert world.get("/v1/me/context").status_code == 200
    # A report of an earlier release names no locale.
    assert asked == [locale]
    assert languages == ["de" if locale else "en"]


def test_asked_memories_stay_within_their_bytes(tmp_path: Path) -> None:
    index = index_of(PROMISE) + bytes(1 << 20)
    contents = {**files("X"), f"brain/{SLUG}.md": PAGE, layout.RENDER_INDEX: index}
    # Room for one folded memory; by the size of their files, both would fit.
    world = World(tmp_path, max_bytes=4 * len(index) + 2 * FILE_BYTES * len(contents))
    for user in (ADA, BOB):
        world.commit(user, contents)
    for user, token in ((ADA, ADA_TOKEN), (BOB, BOB_TOKEN), (ADA, ADA_TOKEN)):
        assert ask(world, "What do I owe Ann Lee?", token).json()["said_by"] == "facts"
        assert world.library.users == [user], "the other user's folded memory was dropped"


def index_of_notes(root: Path, count: int) -> bytes:
    """The record index that the render stage makes of meeting notes in which every sentence says something."""
    server = FakeExport()
    for number in range(count):
        when = datetime(2026, 11, 20, tzinfo=UTC) - timedelta(hours=number)
        sentences = (
            f"I will send price list {number} to Ann Lee by Friday.",
            f"We agreed that harbour pilot {number} launches on {1 + number % 28} December.",
            f"The harbour pilot {number} budget is {20 + number},000 euros.",
            f"- [ ] Call Ann Lee about quay lease {number}",
        )
        data = {
            "title": f"Weekly {number}",
            "meeting_started_at": when.isoformat(),
            "attendees": ["Ann Lee", "Bob Marsh"],
            "note_text": "\n".join(sentences),
        }
        server.put("meeting_notes", f"n{number}", Row(number, when, data))
    export_and_render(run_of(root, server, "backfill_digest", 1, period="2026-11-27T14", force=True))
    return (root / layout.RENDER_INDEX).read_bytes()


def test_a_folded_memory_takes_no_more_than_it_is_counted_at(tmp_path: Path) -> None:
    index = index_of_notes(tmp_path, 60)

    def made() -> AskableMemory:
        memory = load(lambda _: index, datetime(2026, 11, 27, 14, tzinfo=UTC))
        assert memory.book
        return memory

    # What is made once for all memories counts for none of them.
    made()
    tracemalloc.start()
    try:
        memory = made()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(memory.places) == 60
    assert len(index) < held <= FOLDED_BYTES * len(index)


def test_a_commit_without_a_record_index_says_so(world: World) -> None:
    world.commit(ADA, {layout.RENDER_INDEX: None})
    assert refusal(ask(world, "What do I owe Ann Lee?")) == (503, "ask_unavailable")


def test_a_record_index_that_cannot_be_had_is_a_fault_and_no_state_of_the_memory(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object, **__: object) -> AskableMemory:
        raise SnapshotIncomplete("an object is missing")

    monkeypatch.setattr("reader.asking.load", gone)
    code, name = refusal(ask(world, "What do I owe Ann Lee?"))
    assert code >= 500
    assert name != "ask_unavailable"


def test_a_user_without_a_commit_gets_no_answer(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert ask(world, "What do I owe Ann Lee?").json()["said_by"] == "nobody"


def test_too_many_questions_are_told_to_wait(world: World) -> None:
    answers = [ask(world, "What do I owe Ann Lee?").status_code for _ in range(21)]
    assert answers == [200] * 20 + [429]


def test_the_page_shows_what_memory_says(world: World) -> None:
    sign_in(world)
    page = world.client.get("/search?q=What+do+I+owe+Ann+Lee%3F").text
    assert "Your memory says" in page
    assert f'href="/pages/{SLUG}"' in page
