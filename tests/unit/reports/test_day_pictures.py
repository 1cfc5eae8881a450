"""The pictures of docs/day.md are what the stages tell of that day."""

from __future__ import annotations

import pytest

from bench import day

pytestmark = pytest.mark.workspaces


@pytest.mark.parametrize("language", day.LOCALES)
def test_a_stored_picture_has_the_lines_that_the_stages_tell_today(language: str) -> None:
    stored = (day.FOLDER / f"{language}.svg").read_text("utf-8")
    assert day.picture(language, day.digests(day.LOCALES[language])) == stored, "draw it anew: python -m bench.day"
