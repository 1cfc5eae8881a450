"""Where the values of forms stand in a text, however it is written."""

from __future__ import annotations

import re

import pytest

from contract import forms
from contract.forms import Around, Form, Forms
from tests.tables import table

#: Of every form.
FLAGS = re.ASCII | re.IGNORECASE
CODE = Form("code", re.compile(r"code[ ](?P<value>[a-z]{3,5})", FLAGS))
KEY = Form("key", re.compile(r"key-[a-z]{3}", FLAGS), valid=lambda value: not value.endswith("xxx"))
CARD = Form("card", re.compile(r"\d[\d -]{4,8}\d"), digits=6)
PIN = Form(
    "pin",
    re.compile(r"\bpin\b", FLAGS),
    around=lambda: (
        Around(re.compile(r"[ ]is[ ](?P<value>\d{4})")),
        Around(re.compile(r"[ ]*"), before=re.compile(r"[ ](?P<value>\d{4})")),
    ),
)
ALL = Forms((CODE, KEY, CARD, PIN))


def hidden(text: str) -> tuple[str, list[str]]:
    return ALL.replace(text, lambda name: f"<{name}>")


@table(
    ("text", "shown", "names"),
    [
        ("the code abc, please", "the code <code>, please", ["code"]),
        ("the CODE abcde", "the CODE <code>", ["code"]),
        ("the code is abc", "the code is abc", []),
        # Two values, and what begins right behind one.
        ("code abc code abc", "code <code> code <code>", ["code", "code"]),
        ("code code code abc", "code <code> code <code>", ["code", "code"]),
        ("key-abckey-abd", "<key><key>", ["key", "key"]),
        # What is no value hides none that begins inside of it.
        ("key-xxx key-abc", "key-xxx <key>", ["key"]),
        # In the order of the forms, each in its own place.
        ("key-abc and code abc", "<key> and code <code>", ["code", "key"]),
        ("123456", "123456", []),  # too short a text
        ("1234567", "<card>", ["card"]),
        ("12-34 56", "<card>", ["card"]),
        ("12-34 5x", "12-34 5x", []),
        ("\u0661\u0662\u0663-\u0664\u0665\u0666", "<card>", ["card"]),
        # Both sides of a label may have its value.
        ("my pin is 1234.", "my pin is <pin>.", ["pin"]),
        ("use 1234 pin now", "use <pin> pin now", ["pin"]),
        ("my pin was 1234", "my pin was 1234", []),
        ("pin pin is 1234", "pin pin is <pin>", ["pin"]),
        # However it is written: without width, full width, in another style, with marks.
        ("c\u200bode a\u00adbc!", "c\u200bode <code>!", ["code"]),
        ("\u200bcode abc\u200b", "\u200bcode <code>\u200b", ["code"]),
        ("\uff43\uff4f\uff44\uff45\u00a0abc", "\uff43\uff4f\uff44\uff45\u00a0<code>", ["code"]),
        ("code \U0001d4b6bc", "code <code>", ["code"]),
        # The words of a placeholder are no label of what follows.
        ("[redacted: code] abcde", "[redacted: code] abcde", []),
        ("[redacted: code] abcde code xyz", "[redacted: code] abcde code <code>", ["code"]),
        # A letter that is two when written small moves all places behind it.
        ("\u0130\u0130\u0130 code abc", "\u0130\u0130\u0130 code <code>", ["code"]),
    ],
)
def test_the_value_of_a_form_is_replaced_and_nothing_else(text: str, shown: str, names: list[str]) -> None:
    assert hidden(text) == (shown, names)
    assert bool(ALL.possible(text)) >= bool(names)


@table("text", ["nothing of this kind", "", "short", "a code", "123 45 !"])
def test_a_text_without_a_value_is_itself(text: str) -> None:
    assert hidden(text) == (text, [])


def test_only_the_forms_that_are_asked_for_are_tried() -> None:
    text = "key-abc and code abc"
    assert ALL.replace(text, lambda name: f"<{name}>", [KEY]) == ("<key> and code abc", ["key"])
    assert ALL.replace(text, lambda name: f"<{name}>", []) == (text, [])
    assert {form.name for form in ALL.possible(text)} == {"code", "key"}
    assert ALL.possible("no word of it") == []
    assert ALL.possible("12345") == [], "shorter than any form"


@table(
    "text",
    [
        "plain",
        "\u200bab\u200bc",
        "ab\u200b\u200b",
        "\u200b",
        "a\u00a0b",
        "e\u0301a\u0301",
        "\uff21\uff22",
        "\U0001d400x\u200b\U0001d401",
        "[redacted: api key] x",
        "x [restricted: iban]y\u200bz",
        "\u2026\u2002\u200a.",
    ],
)
def test_behind_each_character_of_a_folded_text_stands_its_own_part_of_the_text(text: str) -> None:
    plain = forms.folded(text)
    pieces = forms._pieces(text)
    assert "".join(pieces) == text
    # What has no width and stands behind the last of them has a place of its own.
    assert [forms.folded(piece) for piece in pieces[len(plain) :]] in ([], [""])
    assert len(pieces) >= len(plain)


@table(
    ("text", "plain"),
    [
        ("plain [x]", "plain [x]"),
        ("a\u00a0b\u200bc", "a bc"),
        ("\uff21\uff11", "A1"),
        ("e\u0301", "\u00e9"),
        ("[redacted: api_key]", "[]"),
        ("[restricted: iban]", "[]"),
        ("[redacted:]", "[redacted:]"),
        ("[redacted: API]", "[redacted: API]"),
        ("\u00fc", "\u00fc"),
    ],
)
def test_a_text_is_searched_as_plain_letters_and_spaces(text: str, plain: str) -> None:
    assert forms.folded(text) == plain
    if text == plain:
        assert forms.folded(text) is text


def test_a_form_without_a_certain_word_is_refused() -> None:
    with pytest.raises(ValueError, match=r"form any: every match must hold a word; none is certain in \[a-z\]\+"):
        Form("any", re.compile(r"[a-z]+", FLAGS))
    assert (CODE.words, KEY.words, PIN.words) == ({"code "}, {"key-"}, {"pin"})
    assert CARD.words == frozenset()


@table("index", range(3))
def test_values_are_found_in_the_order_of_the_text(index: int) -> None:
    """Also a value that ends where the word of the next one begins, and words that no value belongs to."""
    text = " ".join(["key-xxx"] * index + ["key-abc", "key-xxx", "key-abd"])
    spans = KEY.spans(text, [match.start() for match in re.finditer("key-", text)][::-1])
    assert [text[start:end] for start, end in spans] == ["key-abc", "key-abd"]
    assert KEY.spans(text) == spans
