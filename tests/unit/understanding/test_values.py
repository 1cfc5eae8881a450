"""Amounts, shares, counts and versions as people of seven languages write them."""
# ruff: noqa: E501 - tables of cases

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from consumer.understanding import languages, values
from tests.tables import table

#: All of them are 48,000 euros.
EUROS = [
    ("de", "€48.000"), ("en", "48,000 euros"), ("en", "48k EUR"), ("en", "€48k"), ("en", "EUR 48,000.00"), ("en", "48 thousand euros"),
    ("de", "48.000,00 €"), ("de", "48 Tsd. Euro"), ("de", "48 tausend Euro"), ("de", "48T€".replace("T", "k")),
    ("fr", "48 000 €"), ("fr", "48\u202f000 €"), ("fr", "48 mille euros"), ("fr", "48 k€"), ("fr", "48 000,00 euros"),
    ("es", "48.000 euros"), ("es", "48 mil euros"), ("es", "48.000,00 €"), ("pt", "48.000 euros"), ("pt", "48 mil euros"),
    ("pt", "€ 48.000,00"), ("it", "48.000 euro"), ("it", "48mila euro"), ("it", "€ 48.000,00"), ("nl", "€ 48.000"),
    ("nl", "48 duizend euro"), ("nl", "48.000,00 euro"),
    # As another language writes it.
    ("en", "€48.000"), ("en", "EUR 48.000"), ("de", "48,000 Euro"), ("fr", "48,000 €"), ("it", "€ 48,000"),
]  # fmt: skip


@table(("language", "text"), EUROS)
def test_one_amount_written_in_many_ways_is_one_value(language: str, text: str) -> None:
    [value] = values.find(f"Total {text} .", language)
    [other] = values.find("48,000 euros", "en")
    assert (value.kind, value.number, value.unit) == ("amount", "48000", "EUR")
    assert values.same(value, other) and values.same(other, value)


@table(
    ("language", "text", "kind", "number", "unit"),
    [
        ("en", "$1.5 million", "amount", "1500000", "USD"), ("de", "1,5 Mio. €", "amount", "1500000", "EUR"),
        ("de", "2 Mrd. Dollar", "amount", "2000000000", "USD"), ("fr", "1,5 million d'euros", "amount", "1500000", "EUR"),
        ("es", "1,5 millones de euros", "amount", "1500000", "EUR"), ("it", "1,5 milioni di euro", "amount", "1500000", "EUR"),
        ("nl", "1,5 miljoen euro", "amount", "1500000", "EUR"), ("pt", "R$ 1.500,50", "amount", "1500.5", "BRL"),
        ("en", "$1.234 million", "amount", "1234000", "USD"), ("en", "$0.125", "amount", "0.125", "USD"),
        ("en", "$18.305", "amount", "18.305", "USD"), ("en", "2.455 dollars", "amount", "2.455", "USD"),
        ("en", "$1.234.567", "amount", "1234567", "USD"), ("de", "2.455 Dollar", "amount", "2455", "USD"),
        ("en", "£2,500", "amount", "2500", "GBP"), ("de", "2500 CHF", "amount", "2500", "CHF"),
        ("en", "15%", "share", "15", "%"), ("en", "3.5 percent", "share", "3.5", "%"), ("de", "3,5 Prozent", "share", "3.5", "%"),
        ("fr", "15 %", "share", "15", "%"), ("es", "15 por ciento", "share", "15", "%"), ("nl", "15 procent", "share", "15", "%"),
        ("en", "12 seats", "count", "12", "seat"), ("de", "12 Plätze", "count", "12", "seat"), ("fr", "12 places", "count", "12", "seat"),
        ("it", "40 persone", "count", "40", "person"), ("en", "1,200 users", "count", "1200", "user"), ("en", "40 new hires", "count", "40", "hire"),
        ("en", "₹5,00,000", "amount", "500000", "INR"), ("en", "Rs. 45 lakh", "amount", "4500000", "INR"),
        ("it", "340 metri quadrati", "count", "340", "m2"), ("en", "340 square feet", "count", "340", "ft2"),
        ("en", "version 2.1", "version", "2.1", ""), ("en", "v3.0.1", "version", "3.0.1", ""), ("en", "40k", "number", "40000", ""),
    ],
)  # fmt: skip
def test_a_value_has_its_kind_number_and_unit(language: str, text: str, kind: str, number: str, unit: str) -> None:
    [value] = values.find(f"It is {text} .", language)
    assert (value.kind, value.number, value.unit) == (kind, number, unit)


@table(
    ("language", "thousands", "millions", "billions"),
    [
        ("en", "k|thousand", "m|mn|mio|million|millions", "bn|billion"),
        ("de", "k|Tsd|tausend", "Mio|Million|Millionen", "Mrd|Milliarde|Milliarden"),
        ("fr", "k|mille", "m|million|millions|millions d'", "md|milliard|milliards"),
        ("es", "k|mil", "m|millón|millones|millón de|millones de", ""),
        ("pt", "k|mil", "m|mi|milhão|milhões|milhão de|milhões de", ""),
        ("it", "k|mila|mille", "mln|milione|milioni|milioni di", "mld|miliardo|miliardi"),
        ("nl", "k|duizend", "m|mln|miljoen", "mld|miljard"),
    ],
)
def test_a_scale_has_its_zeros(language: str, thousands: str, millions: str, billions: str) -> None:
    words = languages.get(language)
    assert words is not None
    several = ((thousands, 10**3), (millions, 10**6), (billions, 10**9))
    indian = {"lakh": 10**5, "lakhs": 10**5, "crore": 10**7, "crores": 10**7} if language == "en" else {}
    expected = {scale: factor for scales, factor in several for scale in scales.split("|") if scale} | indian
    assert {scale.lower() for scale in expected} == words.scales.keys()
    for scale, factor in expected.items():
        [value] = values.find(f"It is 3 {scale} {'euro' if language in ('de', 'it', 'nl') else 'euros'} .", language)
        assert (value.kind, value.number, value.unit) == ("amount", str(3 * factor), "EUR"), scale


@table(
    ("language", "names"),
    [
        ("en", "EUR euro euros, USD dollar dollars bucks, GBP pound pounds, CHF francs, JPY yen, INR rupee rupees"),
        ("de", "EUR Euro Euros, USD Dollar, GBP Pfund, CHF Franken, JPY Yen"),
        ("fr", "EUR euro euros, USD dollar dollars, GBP livres, CHF francs, JPY yens"),
        ("es", "EUR euro euros, USD dólar dólares, GBP libras, CHF francos, JPY yenes"),
        ("pt", "EUR euro euros, USD dólar dólares, GBP libras, CHF francos, BRL real reais"),
        ("it", "EUR euro, USD dollaro dollari, GBP sterline, CHF franchi, JPY yen"),
        ("nl", "EUR euro euro's, USD dollar dollars, GBP pond, CHF frank, JPY yen"),
    ],
)
def test_a_currency_has_its_code(language: str, names: str) -> None:
    for group in names.split(", "):
        code, *several = group.split()
        for name in several:
            [value] = values.find(f"It is 30 {name} .", language)
            assert (value.kind, value.number, value.unit) == ("amount", "30", code), name


@table(
    ("language", "text"),
    [
        ("en", "on December 3, 2026"), ("en", "at 17:00"), ("en", "5pm"), ("de", "am 3.12.2026"), ("de", "um 17 Uhr"), ("en", "2026-12-03"),
        ("en", "+49 30 1234567"), ("de", "0171/2345678"), ("en", "(555) 123-4567"), ("fr", "le 3 décembre"), ("en", "in 2 weeks"),
        ("en", "12/03/2026"), ("en", "room 12"), ("en", "call 030 1234 5678"), ("en", "the 3rd one"), ("zh", "48,000"), ("en", "Q1"),
    ],
)  # fmt: skip
def test_dates_times_and_phones_are_no_values(language: str, text: str) -> None:
    assert values.find(text, language) == ()


@table(
    ("left", "right"),
    [
        ("48k EUR", "48k USD"),
        ("48k EUR", "49k EUR"),
        ("15%", "15 seats"),
        ("version 2.1", "version 2.10"),
        ("12 seats", "12 users"),
    ],
)
def test_other_values_differ(left: str, right: str) -> None:
    [first], [second] = values.find(left, "en"), values.find(right, "en")
    assert not values.same(first, second)


@table(
    ("text", "kinds_and_numbers"),
    [
        ("12 seats of version 2.1 for 48k EUR", [("count", "12"), ("version", "2.1"), ("amount", "48000")]),
        ("48k EUR for version 2.1", [("amount", "48000"), ("version", "2.1")]),
    ],
)
def test_the_values_of_one_text_come_in_their_order_and_each_once(
    text: str, kinds_and_numbers: list[tuple[str, str]]
) -> None:
    assert [(value.kind, value.number) for value in values.find(text, "en")] == kinds_and_numbers


def test_a_unit_that_is_left_out_contradicts_nothing() -> None:
    [first], [second] = values.find("48k", "en"), values.find("€48,000", "en")
    assert values.same(first, second)


@table(
    ("language", "text", "number"),
    [("en", "1,234.5", "1234.5"), ("de", "1.234,5", "1234.5"), ("de", "1,500", "1.5"), ("en", "1.500", "1.5"), ("fr", "1 234,5", "1234.5"), ("de", "1'234", "1234"), ("en", "1.234.567", "1234567"), ("de", "1,234,567", "1234567")],
)  # fmt: skip
def test_a_number_goes_by_its_language(language: str, text: str, number: str) -> None:
    assert values.number(text, language) == Decimal(number)


@given(st.text(alphabet="0123456789.,'/:%€$ +-kmv()euros", max_size=40), st.sampled_from([*languages.LANGUAGES, ""]))
def test_any_text_is_read_without_an_error(text: str, language: str) -> None:
    for value in values.find(text, language):
        assert Decimal(value.number) >= 0 and 0 <= value.start < value.end <= len(text)
        assert values.same(value, value)


@table(
    ("text", "is_phone"),
    [
        ("+49 30 1234567", True), ("0171/2345678", True), ("(030) 123456", True), ("555-123-4567", True), ("999 1234-56", True),
        # Seven digits to fifteen.
        ("012345", False), ("0123456", True), ("+123456789012345", True), ("+1234567890123456", False),
        # Thousands in groups are a number, unless a plus or a zero tells more.
        ("48.000.000", False), ("1,234,567", False), ("12 345 678", False), ("+48.000.000", True), ("48.000,000", False),
        # Without a sign at the beginning: a group of three or four digits, and at least two more.
        ("1234567", False), ("1234 5678", False), ("30 123 45", True), ("30 12 34567", False), ("12-34567-78", False),
        ("300 1234 5", False),
    ],
)  # fmt: skip
def test_which_digits_are_a_phone_number(text: str, is_phone: bool) -> None:
    assert values.is_phone(text) is is_phone
