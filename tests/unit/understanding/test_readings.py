"""What is read in each sentence and record of tests/data/readings: who says what, to whom, by when."""

from __future__ import annotations

import pytest

from consumer.understanding.languages import LANGUAGES
from tests import goldens, readings


# Not one test of a table: all of them take seconds, and the first difference is enough for ``bench.mutants``.
@pytest.mark.parametrize("language", [*sorted(LANGUAGES), readings.RECORDS, readings.TALKS, readings.DAYS])
def test_each_sentence_and_record_is_read_as_it_was(language: str) -> None:
    path = readings.FOLDER / f"{language}.txt"
    goldens.compare(path, readings.document(readings.sentences(path.read_text("utf-8")), language))
