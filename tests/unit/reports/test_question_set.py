"""Questions and their right answers (tests/data/questions), over rendered workspaces and without a model.

What is answered is right and cited, and enough is answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from consumer.reports import asking, evidence
from consumer.reports.asking import Asker
from tests import questions
from tests.fake_export import OpenGuard
from tests.questions import Verdict, World
from tests.tables import table

WORLDS = questions.load()
CASES = [(world, question) for world in WORLDS for question in world.questions]
#: Of the questions that memory can answer, the share that facts alone answer.
BAR = 0.6


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    """By the id of a question."""
    return {
        question["id"]: verdict
        for world in WORLDS
        for question, verdict in _ask_all(world, tmp_path_factory.mktemp(world.name))
    }


def _ask_all(world: World, root: Any) -> list[tuple[Mapping[str, Any], Verdict]]:
    questions.rendered(world, root)
    pages = evidence.load(root, OpenGuard())
    memory = asking.load(lambda path: (root / path).read_bytes(), world.at)
    records = {place: record_id for (_, record_id), place in memory.places.items()}
    asker = Asker(memory, pages.get, lambda text: questions.search(pages, text), locale=world.locale)
    asked = []
    for question in world.questions:
        answer = asker.ask(question["ask"])
        cited = [records[asking.RecordPlace(each.page, each.anchor)] for each in answer.citations()]
        asked.append((question, questions.judge(question, [each.text for each in answer.sentences], cited)))
    return asked


@pytest.mark.parametrize(("world", "question"), CASES, ids=[question["id"] for _, question in CASES])
def test_no_question_is_answered_wrongly(
    verdicts: Mapping[str, Verdict], world: World, question: Mapping[str, Any]
) -> None:
    verdict = verdicts[question["id"]]
    assert verdict.outcome != "wrong", f"{world.name}: {question['ask']}: {verdict.why}"


@table("part", ["dev", questions.HELD_OUT, questions.VARIANT])
def test_most_questions_that_memory_can_answer_are_answered_by_facts(
    verdicts: Mapping[str, Verdict], part: str
) -> None:
    outcomes = Counter(
        verdicts[question["id"]].outcome
        for world, question in CASES
        if world.set == part and not question.get("none") and not question.get("or_none")
    )
    assert outcomes["right"] >= BAR * outcomes.total(), outcomes


def test_the_set_has_what_it_is_said_to_have() -> None:
    asked = [question for _, question in CASES]
    assert len({question["id"] for question in asked}) == len(asked) >= 240
    assert sum(bool(question.get("none")) for question in asked) >= 30
    assert sum("trap" in question for question in asked) >= 20
    assert sum(bool(question.get("real")) for question in asked) >= 0.25 * len(asked)
    assert {world.locale[:2] for world in WORLDS} == {"en", "de", "fr", "es", "pt", "it", "nl"}
