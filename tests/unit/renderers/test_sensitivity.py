"""What is hidden, and what must not be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers import sensitivity
from renderers.sensitivity import mask, mask_text

HIDDEN = [
    ("key sk-abcdefghijklmnopqrstuv here", "access token", "abcdefghij"),
    ("card 4111 1111 1111 1111 exp 12/29", "payment card", "4111 1111"),
    ("5500-0055-5555-5559.", "payment card", "5500-0055"),
    ("amex 378282246310005", "payment card", "3782822"),
    ("IBAN DE89 3704 0044 0532 0130 00 please", "bank account", "3704"),
    ("GB82WEST12345698765432", "bank account", "WEST"),
    ("SSN 536-90-4399", "social security number", "536-90"),
    ("Password: hunter2!", "password", "hunter2"),
    ("the password is Tr0ub4dor", "password", "Tr0ub4dor"),
    ("PIN is 4821", "pin", "4821"),
    ("cvv 123", "pin", "123"),
    ("passport no. X1234567", "passport number", "X1234567"),
    ("MRN: 0048213", "medical record", "0048213"),
    ("ICD-10 code E11.9", "diagnosis", "E11.9"),
    ("was diagnosed with type 2 diabetes, last May", "diagnosis", "diabetes"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "private key", "MIIE"),
]
SHOWN = [
    "Call +1 555 0100 or +49 30 1234567890",
    "order 4111111111111112 is no card",
    "12345678901234567890.1234567890",
    "9007199254740993",
    "the password is expired",
    "pin the list to the wall",
    "Invoice 2026-05-30-1234",
    "passport renewal on Friday",
    "GB82 is a train",
    "2026-05-30T13:30:00.000000Z",
    "id 11111111-1111-4111-8111-111111111111",
    "4.111.111.111.111.111",
]


@pytest.mark.parametrize(("text", "kind", "value"), HIDDEN)
def test_a_restricted_value_becomes_a_placeholder_that_says_its_kind(text: str, kind: str, value: str) -> None:
    masked, kinds = mask_text(text)
    assert kinds == [kind]
    assert f"[restricted: {kind}]" in masked
    assert value not in masked


@pytest.mark.parametrize("text", SHOWN)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert mask_text(text) == (text, [])


@pytest.mark.parametrize(("text", "kind", "value"), HIDDEN)
def test_masking_again_changes_nothing(text: str, kind: str, value: str) -> None:
    once, _ = mask_text(text)
    assert mask_text(once) == (once, [])


def test_values_are_found_at_any_depth_and_counted() -> None:
    data = {"title": "x", "notes": [{"body": "SSN 536-90-4399 and PIN: 4821"}, 7, None]}
    masked, count = mask(data)
    assert count == 2
    assert masked["title"] == "x"
    assert "536" not in str(masked)
    untouched = {"title": "nothing", "n": [1, {"a": "b"}]}
    assert mask(untouched) == (untouched, 0)


def test_every_detector_is_tried_here() -> None:
    assert {kind for _, kind, _ in HIDDEN} == sensitivity.KINDS


_PIECES = st.sampled_from([text for text, _, _ in HIDDEN] + SHOWN) | st.text("0123456789-ABZ .,:٣٤", max_size=20)


@given(st.lists(_PIECES, max_size=4), st.sampled_from(["", " ", "\n", "é", "-"]))
def test_the_cheap_look_misses_nothing_that_a_form_would_find(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    found: list[str] = []
    asked_of_all = sensitivity._text(text, sensitivity._DETECTORS, found)
    assert mask_text(text) == (asked_of_all, found)
    assert mask({"a": pieces, "b": {"c": text}})[1] == len(found) + sum(len(mask_text(one)[1]) for one in pieces)
