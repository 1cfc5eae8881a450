"""Search by meaning with a real embedding model, over OpenAI's API as the product speaks it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from consumer import layout
from consumer.agent.embedder import ModelEmbedder
from consumer.agent.localbrain import tools
from consumer.agent.localbrain.tools import ToolContext
from consumer.evidence import search
from consumer.ports import ModelAccess
from service.clock import SystemClock
from tests import brains, minilm
from tests.unit.evidence.test_search_index import build, evidence

pytestmark = pytest.mark.integration
#: Questions that share no word with their page but stop words, by the page that answers each.
ASKED = {
    "wedding": "Which couple got married?",
    "car": "What is wrong with the vehicle?",
    "dog": "Does anybody own a pet?",
    "flat": "Who pays the rent for the apartment?",
}
PAGES = {
    "wedding": "Ana and Ben stood before the altar; the bride wore her grandmother's dress.",
    "car": "The engine coughs on cold mornings, so it went to the garage.",
    "dog": "The puppy chewed through its leash again and barked at the postman.",
    "flat": "The landlord raised what the tenants owe him each month.",
    "garden": "The tomatoes are ripe and the beans climb up the fence.",
    "trip": "The ferry to Oslo leaves at nine, and the cabins are full.",
}


@pytest.fixture(scope="module")
def embedder() -> Iterator[ModelEmbedder]:
    if not minilm.is_installed():
        if os.environ.get("CI"):
            pytest.fail("the embedding model is not installed: run `make setup`")
        pytest.skip("NOT TESTED, no embedding model: run `make setup`")
    with minilm.serving(minilm.MiniLM()) as url:
        yield ModelEmbedder(ModelAccess(url, "none"), minilm.MODEL)


def test_a_question_without_any_word_of_its_answer_finds_it(tmp_path: Path, embedder: ModelEmbedder) -> None:
    folder = "sources/cloop/meeting-notes"
    build(tmp_path, {f"{folder}/{name}.md": evidence("Note", text, name) for name, text in PAGES.items()})
    made = search.embed(tmp_path, embedder, SystemClock(), 60.0, brains.Free())
    assert (made.embedded, made.waiting, made.note) == (len(PAGES), 0, "")
    by_words = ToolContext(tmp_path / layout.SEARCH_INDEX, tmp_path / "notes", tmp_path / layout.BRAIN)
    by_meaning = ToolContext(by_words.db, by_words.notes, by_words.root, embedder=embedder)
    for name, question in ASKED.items():
        answers = [tools.call(brain, "evidence_search", {"query": question})[0] for brain in (by_words, by_meaning)]
        without, with_vectors = ([row["slug"] for row in rows] for rows in answers)
        assert f"{folder}/{name}" not in without, question
        assert with_vectors[0] == f"{folder}/{name}", question
