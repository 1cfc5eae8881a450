"""Spelled numbers: which words are one number, and where the next one begins."""

from __future__ import annotations

from consumer.understanding import numerals
from tests.tables import table


@table(
    "language, text, numbers",
    [
        ("en", "two three", {"two": 2, "three": 3}),
        ("en", "twenty three", {"twenty three": 23}),
        ("en", "twenty-three", {"twenty-three": 23}),
        ("en", "twenty thirty", {"twenty": 20, "thirty": 30}),
        ("en", "twenty ten", {"twenty": 20, "ten": 10}),
        ("en", "ten five", {"ten": 10, "five": 5}),
        ("en", "thirty three four", {"thirty three": 33, "four": 4}),
        ("en", "two, three", {"two": 2, "three": 3}),
        ("en", "two thousand five", {"two thousand five": 2005}),
        ("en", "two hundred and forty thousand", {"two hundred and forty thousand": 240_000}),
        (
            "en",
            "two million three hundred thousand and five",
            {"two million three hundred thousand and five": 2_300_005},
        ),
        ("en", "hundred thousand", {"hundred thousand": 100_000}),
        ("en", "two hundred hundred", {"two hundred": 200, "hundred": 100}),
        ("en", "two thousand three hundred", {"two thousand three hundred": 2300}),
        ("en", "hundred two thousand", {"hundred two thousand": 102_000}),
        ("fr", "soixante et onze", {"soixante et onze": 71}),
        ("de", "zwei drei", {"zwei": 2, "drei": 3}),
        ("de", "dreiundzwanzig", {"dreiundzwanzig": 23}),
        ("es", "treinta y dos", {"treinta y dos": 32}),
        # A one is a number only at the end of a larger one.
        ("en", "one", {}),
        ("en", "one two", {"two": 2}),
        ("en", "two one", {"two": 2}),
        ("en", "twenty one", {"twenty one": 21}),
        ("en", "twenty-one", {"twenty-one": 21}),
        ("en", "one-way", {}),
        ("en", "twenty one-way tickets", {"twenty": 20}),
        ("en", "twenty. one more", {"twenty": 20}),
        ("en", "two hundred and one", {"two hundred and one": 201}),
        ("fr", "vingt et un", {"vingt et un": 21}),
        ("fr", "vingt-et-une", {"vingt-et-une": 21}),
        ("fr", "vingt un", {"vingt": 20}),
        ("es", "treinta y un", {"treinta y un": 31}),
        ("es", "veintiún", {"veintiún": 21}),
        ("es", "dos y una", {"dos y": 2}),
        ("pt", "vinte e uma", {"vinte e uma": 21}),
        ("de", "einundzwanzig", {"einundzwanzig": 21}),
        ("it", "ventuno", {"ventuno": 21}),
        ("nl", "eenentwintig", {"eenentwintig": 21}),
        # These are numbers only beside what they count.
        ("it", "sei mesi", {"sei": 6}),
        ("it", "sei pronto", {}),
        ("it", "sei", {}),
        ("fr", "neuf euros", {"neuf": 9}),
        ("fr", "neuf idee", {}),
        ("xx", "two", {}),
    ],
)
def test_words_of_one_number_and_the_next(language: str, text: str, numbers: dict[str, int]) -> None:
    assert {text[start:end]: number for number, start, end in numerals.find(text, language)} == numbers
