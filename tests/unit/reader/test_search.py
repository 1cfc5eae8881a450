"""Search over the evidence index that a commit holds: passages that can be opened, filtered, in pages, and hidden."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reader.meaning import QuestionVectors
from tests.unit.evidence.test_search_index import evidence
from tests.unit.evidence.test_search_vectors import Meanings
from tests.unit.reader.test_site import sign_in
from tests.unit.reader.worlds import ADA, MAIL, MARK, RECORD, SOURCE, World, both, commit_both, files, filled, hiding


def many() -> dict[str, str]:
    """Pages that all speak of herons."""
    return {
        f"brain/sources/cloop/meeting-notes/2026-11-{day:02d}-heron-{day}.md": (
            f'---\ntitle: "Heron {day}"\ntype: "source"\nsource: "meeting_notes"\ndate: "2026-11-{day:02d}"\n---\n'
            f"# Heron {day}\n\nThe heron was seen at pond number {day}.\n"
        )
        for day in range(1, 29)
    }


@pytest.fixture
def world(tmp_path: Path) -> World:
    return filled(tmp_path, commit_herons)


def commit_herons(world: World) -> None:
    commit_both(world)
    world.commit(ADA, {**files("ADAWORD"), **many()}, indexed=True)


def hits(world: World, query: str, token: str = "ada.token.x") -> list[dict[str, Any]]:
    return list(world.json(f"/v1/me/search?{query}", token)["hits"])


def test_a_passage_can_be_opened_where_it_stands(world: World) -> None:
    first, *_ = hits(world, "q=launch+of+Kestrel")
    assert (first["page"], first["anchor"]) == (MAIL, f"r-{MARK}")
    assert "The launch of Kestrel is on Friday" in first["text"]
    page = world.get(f"/v1/me/pages/{first['page']}?format=html").text
    assert f'<a id="{first["anchor"]}"></a>' in page
    assert set(first) == {"page", "anchor", "title", "day", "source", "text", "score", "held"}


def test_passages_come_in_pages_and_no_one_twice(world: World) -> None:
    seen: list[tuple[str, str]] = []
    offset = 0
    while True:
        answer = world.json(f"/v1/me/search?q=heron&limit=7&offset={offset}")
        seen += [(hit["page"], hit["anchor"]) for hit in answer["hits"]]
        offset += 7
        if not answer["more"]:
            break
    assert len(seen) == len(set(seen)) == 28


def test_filters_leave_out_what_they_say(world: World) -> None:
    days = {hit["day"] for hit in hits(world, "q=heron&from=2026-11-10&to=2026-11-12&limit=50")}
    assert days == {"2026-11-10", "2026-11-11", "2026-11-12"}
    assert hits(world, "q=heron&source=inbound_messages") == []


def test_another_user_finds_nothing_of_it(world: World) -> None:
    world.commit("22222222-2222-4222-8222-222222222222", {"brain/x.md": "# x\n"}, "job-2", indexed=True)
    assert hits(world, "q=heron", "bob.token.x") == []


def test_a_hidden_record_is_not_found(world: World) -> None:
    assert any(hit["anchor"] == f"r-{MARK}" for hit in hits(world, "q=launch+of+Kestrel"))
    world.controlplane.overlay = hiding((SOURCE, RECORD))
    world.clock.advance(61)
    assert not any(f"r-{MARK}" == hit["anchor"] for hit in hits(world, "q=launch+of+Kestrel"))


def test_a_warm_search_reads_only_head(world: World) -> None:
    hits(world, "q=heron")
    before = len(world.reads())
    hits(world, "q=pond")
    assert [name.rpartition("/")[2] for _, name in world.reads()[before:]] == ["HEAD"]


def test_the_page_finds_it_too(world: World) -> None:
    sign_in(world)
    page = world.client.get("/search?q=heron&from=2026-11-10&to=2026-11-10").text
    assert "Heron 10" in page
    assert "pond number 10" in page
    assert "Heron 11" not in page


def test_a_question_is_embedded_once_and_only_for_an_index_with_vectors_of_this_model(tmp_path: Path) -> None:
    model = Meanings()
    world = both(tmp_path, vector_of=QuestionVectors(model))
    bride = {"brain/sources/cloop/meeting-notes/june.md": evidence("June", "Ana was a happy bride.", "r1")}
    world.commit(ADA, {**files("ADAWORD"), **many(), **bride}, indexed=True)
    assert not hits(world, "q=wedding")
    assert not model.asked
    world.commit(ADA, {}, "job-2", indexed=True, embedder=model)
    embedded = len(model.asked)
    for _ in range(2):
        assert hits(world, "q=wedding")[0]["page"] == "sources/cloop/meeting-notes/june"
    assert model.asked[embedded:] == ["wedding"]
    # A model that does not answer: words alone.
    model.fails_at = 0
    assert not hits(world, "q=married")
    assert hits(world, "q=heron")
