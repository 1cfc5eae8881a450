"""What the rules read in each sentence of tests/data/readings: who, what, by when, on which condition."""

from __future__ import annotations

from consumer.understanding.languages import LANGUAGES
from tests import goldens, readings
from tests.tables import table


@table("language", sorted(LANGUAGES))
def test_each_sentence_is_read_as_it_was(language: str) -> None:
    path = readings.FOLDER / f"{language}.txt"
    goldens.compare(path, readings.document(readings.sentences(path.read_text("utf-8")), language))
