"""What others wrote is shown by a terminal, and never obeyed by it."""

from __future__ import annotations

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from consumer.cli import output
from consumer.doctor.health import Diagnosis
from tests.tables import table

#: Retitles the window, clears the screen, writes the clipboard, turns the line around, and forges a second row.
HOSTILE = "a\x1b]0;owned\x07\x1b[2J\x1b]52;c;b3duZWQ=\x07\u202egnp.exe\u2066\n2  forged  row\x9b31m\u2028b\x7f\r\x00"


def test_nothing_that_a_terminal_obeys_comes_out(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("text", "more"), [(HOSTILE, "x"), ("y", HOSTILE)])
    output.pairs({"text": HOSTILE, "attributes": {HOSTILE: HOSTILE}})
    output.finding(Diagnosis("queue", False, HOSTILE, HOSTILE))
    output.tell(HOSTILE)
    with pytest.raises(typer.Exit):
        output.fail(HOSTILE)
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 8
    assert all(char.isprintable() for char in (out + err).replace("\n", ""))
    assert "\\x1b[2J" in out
    assert "\\u202egnp" in out


@given(st.text())
def test_text_stays_text(text: str) -> None:
    shown = output.printable(text)
    assert len(shown.splitlines()) <= 1
    assert not any(char < " " and char != "\t" for char in shown)
    plain = "".join(char for char in text if char.isprintable())
    assert output.printable(plain) == plain


@table(
    "pages, limit, items, more, fetched",
    [
        # One page: all of it, or its beginning.
        (["abc"], 4, "abc", False, 1), (["abc"], 3, "abc", False, 1), (["abc"], 2, "ab", True, 1),
        ([""], 2, "", False, 1),
        # Several: no page is fetched that nobody asked for, and a page that is left is more.
        (["ab", "cd"], 1, "a", True, 1), (["ab", "cd"], 2, "ab", True, 1), (["ab", "cd"], 3, "abc", True, 2),
        (["ab", "cd"], 4, "abcd", False, 2), (["ab", "cd"], 5, "abcd", False, 2), (["", "a"], 1, "a", False, 2),
        (["ab", "cd", ""], 4, "abcd", True, 2),
    ],
)  # fmt: skip
def test_a_list_ends_at_its_limit_and_says_whether_there_is_more(
    pages: list[str], limit: int, items: str, more: bool, fetched: int
) -> None:
    cursors: list[str] = []

    def fetch(after: str) -> tuple[str, str | None]:
        cursors.append(after)
        number = int(after or 0)
        return pages[number], str(number + 1) if number + 1 < len(pages) else None

    assert output.listed(fetch, limit) == (list(items), more)
    assert cursors == ["", "1", "2"][:fetched]


def test_advice_may_have_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        output.fail("cannot start:\n  A: not set\n  B: not set")
    assert capsys.readouterr().err.splitlines() == ["cloop-memory: cannot start:", "  A: not set", "  B: not set"]
