"""Secrets as people and programs write them, in all languages of the forms, and ordinary text that looks like them.

``tests/data/secrets/secrets.txt``: one text a line. ``{X}`` is a password, ``{N}`` a code, ``{T}`` a token; where
another part is the secret, it stands after ``|||``. ``ordinary.txt``: texts that stay as they are.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from contract.forms import folded
from controlplane.redaction import without_secrets
from renderers.sensitivity import mask_text
from tests import secret_samples as samples

TABLES: Final = Path(__file__).parents[2] / "data" / "secrets"
VALUES: Final = {
    "{X}": ("Tulp3n" + "zwiebel", "hunter" + "22", "Sommer2026" + "!", "qW7$kd" + "-91x"),
    "{N}": ("482915", "7301"),
    "{T}": (samples.chars(20),),
}
_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-f]{4}|[nrt])")


def rows(name: str) -> list[str]:
    """Lines of a table, with its escapes of control and invisible characters read."""
    lines = (TABLES / name).read_text(encoding="utf-8").splitlines()
    return [_ESCAPE.sub(lambda escape: escape[0].encode().decode("unicode_escape"), line) for line in lines if line]


def wide(text: str) -> str:
    """Full-width letters."""
    return "".join(chr(ord(letter) + 0xFEE0) for letter in text)


def written(row: str) -> list[tuple[str, str]]:
    """Each text of a row, and the secret in it."""
    text, _, secret = row.partition(" ||| ")
    if secret:
        for mark, values in VALUES.items():
            text, secret = text.replace(mark, values[0]), secret.replace(mark, values[0])
        return [(text, secret)]
    return [(text.replace(mark, value), value) for mark in VALUES if mark in text for value in VALUES[mark]]


@pytest.mark.parametrize("row", rows("secrets.txt"))
def test_a_written_secret_leaves_neither_the_database_nor_stands_on_a_page(row: str) -> None:
    texts = written(row)
    assert texts
    for text, secret in texts:
        for shown, names in (without_secrets(text), mask_text(text)):
            assert names, text
            # Text that ends like a sentence may keep its last mark.
            assert secret.rstrip("!") not in shown, text


@pytest.mark.parametrize("text", rows("ordinary.txt"))
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert without_secrets(text) == (text, [])
    assert mask_text(text) == (text, [])


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (wide("Pass:") + "\u00a0x", "Pass: x"),
        ("Pass\u200bword\ufeff", "Password"),
        ("Kennwo\u0308rter", "Kennwörter"),
        ("plain é", "plain é"),
        ("a [redacted:password] b [restricted: access token]", "a [] b []"),
    ],
)
def test_a_text_is_searched_in_plain_characters(text: str, plain: str) -> None:
    assert folded(text) == plain


def test_what_is_not_replaced_keeps_its_characters() -> None:
    label, end = "\u200bHi\u00a0there, e\u0301t: " + wide("Password:") + "\u00a0", " and\u00a0more\u200b"
    shown, _ = without_secrets(f"{label}hunt\u200ber22{end}")
    assert shown == f"{label}[redacted:password]{end}"


def test_each_value_below_a_head_goes_and_nothing_beside_it() -> None:
    table = "| User | Password | Room |\n|---|---|---|\n| ann7 | {} | A1204 |\n| ben8 | {} | B1204 |\n\nRoom 12"
    shown, names = without_secrets(table.format(VALUES["{X}"][0], VALUES["{X}"][1]))
    assert shown == table.format("[redacted:password]", "[redacted:password]")
    assert names == ["password"] * 2
