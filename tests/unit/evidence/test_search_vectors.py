"""Vectors in the evidence index: what is embedded, what is kept, and what they add to an answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from consumer import layout
from consumer.errors import ToolFailed
from consumer.evidence import pagefiles, search
from consumer.evidence.search import EvidenceIndex, QuestionVector, vectors
from tests import brains
from tests.unit.evidence.test_search_index import build, evidence

#: Words of one meaning, each a dimension: what a model knows and words alone do not say.
MEANINGS = (("wedding", "married", "bride"), ("car", "engine", "garage"), ("dog", "puppy", "leash"))
WEDDING = "sources/cloop/meeting-notes/wedding"
PAGES = {
    f"{WEDDING}.md": evidence("June", "Ana and Ben were a happy bride and groom.", "r1"),
    "sources/cloop/meeting-notes/car.md": evidence("May", "The engine stood in the garage.", "r2"),
    "sources/cloop/meeting-notes/dog.md": evidence("July", "A puppy on a leash.", "r3"),
    "people/ana-kowal-9f.md": brains.page("Ana", "Bride.", type="person"),
}


class StoppedClock:
    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step = 0.0, step

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


@dataclass
class Meanings:
    """Embeds by MEANINGS; ``asked``: every text that it was given. It fails from call ``fails_at`` on."""

    model: str = "meanings-1"
    fails_at: int = 1000
    asked: list[str] = field(default_factory=list)
    calls: int = 0

    def embed(self, texts: Sequence[str], limit_s: float) -> Sequence[Sequence[float]]:
        self.calls += 1
        if self.calls >= self.fails_at:
            raise ToolFailed("meanings-1: 503")
        self.asked += texts
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> tuple[float, ...]:
        return (*(float(sum(word in text.lower() for word in words)) for words in MEANINGS), 0.1)


def embed(root: Path, model: Meanings, clock: StoppedClock | None = None) -> search.EmbeddedPassages:
    return search.embed(root, model, clock or StoppedClock(), 60.0, brains.Free())  # type: ignore[arg-type]


def first(root: Path, question: str, model: Meanings | None = None, **filters: object) -> list[str]:
    vector = QuestionVector(model.model, model.vector(question)) if model else None
    with EvidenceIndex(root / layout.SEARCH_INDEX) as index:
        return [passage.page for passage in index.search(question, vector=vector, **filters)]  # type: ignore[arg-type]


def stored(root: Path) -> int:
    with closing(sqlite3.connect(root / layout.SEARCH_INDEX)) as db:
        return int(db.execute("select count(*) from vectors").fetchone()[0])


def test_a_passage_is_found_by_what_it_means(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    model = Meanings()
    assert embed(tmp_path, model) == search.EmbeddedPassages(3, 0, 0)
    assert WEDDING not in first(tmp_path, "Who got married?")
    assert first(tmp_path, "Who got married?", model)[0] == WEDDING
    vector = QuestionVector(model.model, model.vector("Who got married?"))
    with EvidenceIndex(tmp_path / layout.SEARCH_INDEX) as index:
        assert index.search("Who got married?", vector=vector)[0].score > 0
    # No filter is passed by, whatever a passage means.
    assert WEDDING not in first(tmp_path, "Who got married?", model, withheld=["r1"])
    assert WEDDING not in first(tmp_path, "Who got married?", model, types=["person"])


def test_near_copies_that_a_vector_is_close_to_do_not_displace_what_the_words_find(tmp_path: Path) -> None:
    folder = "sources/cloop/meeting-notes"
    text = "The car may stop in garage number {} for hours."
    copies = {f"{folder}/round-{n}.md": evidence(f"Round {n}", text.format(n), f"c{n}") for n in range(6)}
    fillers = {f"{folder}/lunch-{n}.md": evidence(f"Lunch {n}", f"Soup number {n}.", f"f{n}") for n in range(20)}
    stopped = {f"{folder}/belt.md": evidence("Belt", "The car did stop for a puppy and a bride.", "m1")}
    build(tmp_path, {**copies, **fillers, **stopped})
    model = Meanings()
    embed(tmp_path, model)
    answer = first(tmp_path, "Why did the car stop?", model)
    assert answer[0] == f"{folder}/belt"
    assert all(page.startswith(f"{folder}/round-") for page in answer[1:7])


def test_a_page_with_few_of_the_words_comes_behind_what_a_vector_finds(tmp_path: Path) -> None:
    folder = "sources/cloop/meeting-notes"
    both = {f"{folder}/both.md": evidence("Both", "The invoice of Marta came late.", "b1")}
    singles = {f"{folder}/one-{n}.md": evidence(f"One {n}", f"Marta has number {n}.", f"o{n}") for n in range(4)}
    fillers = {f"{folder}/lunch-{n}.md": evidence(f"Lunch {n}", f"Soup number {n}.", f"f{n}") for n in range(20)}
    build(tmp_path, {**PAGES, **both, **singles, **fillers})
    model = Meanings()
    embed(tmp_path, model)
    answer = first(tmp_path, "Which invoice of Marta is for her married friends?", model)
    assert answer[:2] == [f"{folder}/both", WEDDING]


def test_a_text_is_embedded_once_wherever_it_is(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    model = Meanings()
    embed(tmp_path, model)
    before = len(model.asked)
    # A page moves, another gets a second record's text beside its own, and a third is copied.
    moved = {f"{WEDDING}.md": None, "sources/cloop/meeting-notes/feast.md": PAGES[f"{WEDDING}.md"]}
    copied = {"sources/cloop/meeting-notes/hound.md": PAGES["sources/cloop/meeting-notes/dog.md"]}
    build(tmp_path, {**moved, **copied})
    assert embed(tmp_path, model).waiting == 0
    assert len(model.asked) == before
    assert stored(tmp_path) == 4
    build(tmp_path, {"sources/cloop/meeting-notes/car.md": evidence("May", "The car is sold.", "r2")})
    assert embed(tmp_path, model) == search.EmbeddedPassages(1, 0, 0)
    assert model.asked[before:] == ["May\nThe car is sold."]


def test_a_removed_page_leaves_no_vector(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    model = Meanings()
    embed(tmp_path, model)
    vector = vectors.packed(model.vector("bride wedding married")).hex()
    build(tmp_path, {f"{WEDDING}.md": None})
    assert stored(tmp_path) == 2
    assert vector not in (tmp_path / layout.SEARCH_INDEX).read_bytes().hex()


def test_another_model_embeds_everything_anew_and_never_meets_the_old_vectors(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    embed(tmp_path, Meanings())
    other = Meanings("meanings-2")
    assert WEDDING not in first(tmp_path, "Who got married?", other)
    assert embed(tmp_path, other).embedded == 3
    assert first(tmp_path, "Who got married?", other)[0] == WEDDING


@pytest.mark.parametrize(
    ("model", "clock", "note"),
    [
        (Meanings(fails_at=1), StoppedClock(), "embedding: meanings-1: 503"),
        (Meanings(), StoppedClock(step=61.0), "embedding: the time for it has passed"),
    ],
)
def test_what_could_not_be_embedded_waits_and_words_are_found(
    tmp_path: Path, model: Meanings, clock: StoppedClock, note: str
) -> None:
    build(tmp_path, PAGES)
    assert embed(tmp_path, model, clock) == search.EmbeddedPassages(0, 0, 3, note)
    assert first(tmp_path, "bride", model)[0] == WEDDING
    assert embed(tmp_path, Meanings()).waiting == 0


def test_nothing_new_leaves_the_bytes(tmp_path: Path) -> None:
    path = build(tmp_path, PAGES)
    embed(tmp_path, Meanings())
    before = path.read_bytes()
    assert embed(tmp_path, Meanings()) == search.EmbeddedPassages(0, 0, 0)
    search.update(tmp_path, pagefiles.digests(tmp_path, brains.Free()), brains.Free())
    assert path.read_bytes() == before


@pytest.mark.parametrize("numbers", [(), (0.0, 0.0), (float("nan"), 1.0), (float("inf"), 1.0)])
def test_a_useless_vector_is_refused_and_changes_no_answer(tmp_path: Path, numbers: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="finite"):
        vectors.packed(numbers)
    build(tmp_path, PAGES)
    embed(tmp_path, Meanings())
    with EvidenceIndex(tmp_path / layout.SEARCH_INDEX) as index:
        asked = index.search("engine", vector=QuestionVector("meanings-1", numbers))
        assert asked == index.search("engine")


def test_the_model_never_sees_a_skipped_page(tmp_path: Path) -> None:
    build(tmp_path, PAGES)
    model = Meanings()
    made = search.embed(tmp_path, model, StoppedClock(), 60.0, brains.Free(), skipped={WEDDING})  # type: ignore[arg-type]
    assert made == search.EmbeddedPassages(2, 0, 0)
    assert "bride" not in str(model.asked)
