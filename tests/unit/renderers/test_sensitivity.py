"""What is hidden, and what must not be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from renderers import restricted, sensitivity
from renderers.sensitivity import mask, mask_text
from tests import secret_samples as samples
from tests.tables import table

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
    ("Reisepass Nr. C01X00T47", "passport number", "C01X00T47"),
    ("numéro de passeport : X1234567", "passport number", "X1234567"),
    ("DNI 12345678Z", "identity number", "12345678Z"),
    ("CPF: 123.456.789-09", "identity number", "123.456"),
    ("BSN 123456782", "identity number", "123456782"),
    ("my NHS number is 943 476 5919", "identity number", "476"),
    ("Steuer-ID 12 345 678 901", "identity number", "345"),
    ("Sozialversicherungsnummer: 65 170839 J 003", "identity number", "170839"),
    ("numéro de sécurité sociale 2 94 03 75 120 005 22", "identity number", "75 120"),
    ("MRN: 0048213", "medical record", "0048213"),
    ("ICD-10 code E11.9", "diagnosis", "E11.9"),
    ("was diagnosed with type 2 diabetes, last May", "diagnosis", "diabetes"),
    ("my social is 536 90 4399", "social security number", "536 90"),
    ("SSN: 536904399", "social security number", "536904399"),
    ("5500.0055.5555.5559", "payment card", "5500"),
    ("5500\u00a00055\u00a05555\u00a05559", "payment card", "5500"),
    ("3782.822463.10005", "payment card", "3782"),
    ("iban de89 3704 0044 0532 0130 00", "bank account", "3704"),
    ("DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000 ist es", "bank account", "3704"),
    ("DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00", "bank account", "3704"),
    ("GB82-WEST-1234-5698-7654-32 paid", "bank account", "WEST"),
    ("Your code is 482915", "one-time code", "482915"),
    ("Ihr Code lautet 482915", "one-time code", "482915"),
    (samples.key_block("RSA PRIVATE " + "KEY"), "private key", "a1B2"),
]
SHOWN = [
    "Call +1 555 0100 or +49 30 1234567890",
    "order 4111111111111112 is no card",
    "Order 536-90-4399 was shipped",
    "Bestellung 123-45-6789, Rechnung 123-45-6780",
    "DE88 3704 0044 0532 0130 00 has a wrong check digit",
    "tracking 9400 1000 0000 0000 0000 00",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "EUR 1.234.567,89 and $12,345.00",
    "12345678901234567890.1234567890",
    "9007199254740993",
    "the password is expired",
    "pin the list to the wall",
    "Invoice 2026-05-30-1234",
    "passport renewal on Friday",
    "passport 2026 renewal",
    "The NHS has 1,200,000 staff",
    "call the NHS on 0300 123",
    "nie 2026 ohne dich",
    "das ist nie 12345678 gewesen",
    "AHV 2026 steigt um 120 Franken",
    "GB82 is a train",
    "BE12 left at noon ok",  # as long as an IBAN of Belgium, and mostly letters
    "2026-05-30T13:30:00.000000Z",
    "id 11111111-1111-4111-8111-111111111111",
    "4.111.111.111.111.111",
    # An address that begins as a row of a table does.
    "From: <trude@rail.example>\nDial in with a pass code if you like.",
]


@table(("text", "kind", "value"), HIDDEN)
def test_a_restricted_value_becomes_a_placeholder_that_says_its_kind(text: str, kind: str, value: str) -> None:
    masked, kinds = mask_text(text)
    assert kinds == [kind]
    assert f"[restricted: {kind}]" in masked
    assert value not in masked


@table("text", SHOWN)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert mask_text(text) == (text, [])


@table(("text", "kind", "value"), HIDDEN)
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
    assert {kind for _, kind, _ in HIDDEN} == restricted.KINDS


_PIECES = st.sampled_from([text for text, _, _ in HIDDEN] + SHOWN) | st.text("0123456789-ABZ .,:٣٤", max_size=20)


@given(st.lists(_PIECES, max_size=4), st.sampled_from(["", " ", "\n", "é", "-"]))
def test_the_cheap_look_misses_nothing_that_a_form_would_find(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    asked_of_all, names = restricted.FORMS.replace(text, sensitivity._placeholder, restricted.FORMS.forms)
    assert mask_text(text) == (asked_of_all, [restricted.KIND_OF[name] for name in names])
    assert mask({"a": pieces, "b": {"c": text}})[1] == len(names) + sum(len(mask_text(piece)[1]) for piece in pieces)


@table("separator", ["", " ", "\u00a0", "\u202f", ".", "-"])
@table("length", restricted.IBAN_COUNTRIES)
def test_the_iban_of_each_country_is_found_however_it_is_written(length: int, separator: str) -> None:
    for country in restricted.IBAN_COUNTRIES[length].split():
        number = samples.grouped(samples.iban(country, samples.chars(length - 4, samples.DIGITS)), separator)
        for written in (number, number.lower()):
            assert mask_text(f"to {written} by Friday") == ("to [restricted: bank account] by Friday", ["bank account"])
        wrong = number[:2] + ("0" if number[2] != "0" else "1") + number[3:]
        assert mask_text(f"to {wrong} by Friday")[1] == []


@table("separator", ["", " ", "\u00a0", "-", "."])
@table(("prefix", "length"), [("4", 16), ("51", 16), ("2221", 16), ("6011", 16), ("37", 15), ("36", 14), ("4", 19)])
def test_cards_of_each_issuer_are_found_however_they_are_written(prefix: str, length: int, separator: str) -> None:
    number = samples.card(prefix, length)
    sizes = (4, 6, 5) if length == 15 else (4, 4, 4, length - 12) if length > 14 else (4, 6, 4)
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    written = separator.join(number[start : start + size] for start, size in zip(starts, sizes, strict=True))
    assert mask_text(f"card {written} please")[1] == ["payment card"]
    assert mask_text(f"card {written[:-1]}{(int(written[-1]) + 1) % 10} please")[1] == []
