"""Questions and their right answers (tests/data/questions), over rendered workspaces and without a model.

What is answered is right and cited, and enough is answered.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from consumer.reports import asking, evidence
from consumer.reports.asking import Asker
from tests import goldens, questions
from tests.fake_export import OpenGuard
from tests.questions import Verdict, World
from tests.tables import table

WORLDS = questions.load()
CASES = [(world, question) for world in WORLDS for question in world.questions]
#: Of the questions that memory can answer, the share that facts alone answer.
BAR = 0.6
#: Every question and its answer.
ANSWERS = questions.FOLDER / "answers.txt"
DOCS = Path(__file__).parents[3] / "docs/asking.md"


class Asked(NamedTuple):
    """``nearest``: ids of the records of the passages that are shown where nothing is answered."""

    verdict: Verdict
    nearest: list[str]
    #: Each sentence of the answer with the ids of the records that it cites.
    sentences: list[str]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Asked]:
    """By the id of a question."""
    return asked_in(tmp_path_factory.mktemp("worlds"))


def asked_in(folder: Path) -> dict[str, Asked]:
    """By the id of a question. ``folder``: for the workspaces of the worlds."""
    return {question["id"]: answer for world in WORLDS for question, answer in _ask_all(world, folder / world.name)}


def _ask_all(world: World, root: Path) -> list[tuple[Mapping[str, Any], Asked]]:
    root.mkdir()
    questions.rendered(world, root)
    pages = evidence.load(root, OpenGuard())
    memory = asking.load(lambda path: (root / path).read_bytes(), world.at)
    records = {place: record_id for (_, record_id), place in memory.places.items()}
    answers = []
    with questions.searching(root) as search:
        asker = Asker(memory, pages.get, search, locale=world.locale)
        for question in (*world.questions, *world.further):
            answer = asker.ask(question["ask"])
            cited = [
                [records[asking.RecordPlace(each.page, each.anchor)] for each in sentence.citations]
                for sentence in answer.sentences
            ]
            verdict = questions.judge(question, [each.text for each in answer.sentences], [*chain(*cited)])
            sentences = [f"{each.text} ({', '.join(ids)})" for each, ids in zip(answer.sentences, cited, strict=True)]
            sentences += [f"and {answer.more} more"] if answer.more else []
            answers.append((question, Asked(verdict, [each.record_id for each in answer.nearest], sentences)))
    return answers


def document(asked: Mapping[str, Asked]) -> str:
    """Every question with its answer, or with the records that are shown where there is none."""
    lines = []
    for question in chain.from_iterable((*world.questions, *world.further) for world in WORLDS):
        answer = asked[question["id"]]
        shown = answer.sentences or [f"nothing; nearest: {', '.join(answer.nearest)}"]
        lines += [f"{question['id']} {question['ask']}", *(f"    {each}" for each in shown)]
    return "\n".join(lines) + "\n"


def test_each_question_is_answered_in_the_same_words_as_before(asked: Mapping[str, Asked]) -> None:
    goldens.compare(ANSWERS, document(asked))


def write_golden() -> None:
    with tempfile.TemporaryDirectory() as folder:
        ANSWERS.write_text(document(asked_in(Path(folder))), "utf-8")


@pytest.mark.parametrize(("world", "question"), CASES, ids=[question["id"] for _, question in CASES])
def test_no_question_is_answered_wrongly(asked: Mapping[str, Asked], world: World, question: Mapping[str, Any]) -> None:
    verdict = asked[question["id"]].verdict
    assert verdict.outcome != "wrong", f"{world.name}: {question['ask']}: {verdict.why}"


@table("part", ["dev", questions.HELD_OUT, questions.VARIANT])
def test_most_questions_that_memory_can_answer_are_answered_by_facts(asked: Mapping[str, Asked], part: str) -> None:
    outcomes = Counter(
        asked[question["id"]].verdict.outcome
        for world, question in CASES
        if world.set == part and not question.get("none") and not question.get("or_none")
    )
    assert outcomes["right"] >= BAR * outcomes.total(), outcomes


def test_where_facts_are_silent_the_record_with_the_answer_is_among_the_nearest(asked: Mapping[str, Asked]) -> None:
    answerable = [question for _, question in CASES if not question.get("none") and not question.get("or_none")]
    silent = [question for question in answerable if asked[question["id"]].verdict.outcome == "silent"]
    assert all(question.get("cites") for question in silent), "which record has the answer?"
    near = [question for question in silent if {*question["cites"]} <= {*asked[question["id"]].nearest}]
    figures = (
        f"Today facts answer {len(answerable) - len(silent)} of the {len(answerable)} questions that memory can "
        f"answer, and none wrongly. For {len(near)} of the other {len(silent)}, the record with the answer is among "
        "the five nearest passages of the evidence index."
    )
    assert figures in " ".join(DOCS.read_text("utf-8").split()), figures


def test_the_set_has_what_it_is_said_to_have() -> None:
    asked = [question for _, question in CASES]
    assert len({question["id"] for question in asked}) == len(asked) >= 240
    assert sum(bool(question.get("none")) for question in asked) >= 30
    assert sum("trap" in question for question in asked) >= 20
    assert sum(bool(question.get("real")) for question in asked) >= 0.25 * len(asked)
    assert {world.locale[:2] for world in WORLDS} == {"en", "de", "fr", "es", "pt", "it", "nl"}
