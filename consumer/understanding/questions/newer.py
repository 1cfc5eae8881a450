"""
Whether a later record gives another value of what a fact says.

Readers miss sentences: "Sorry Tessa, the delivery is now on the 17th" may stand in a mail that says nothing to them.
Memory then holds a value that was replaced. Where a later record names the same thing beside another day or amount, a
fact is no longer sure, and is not told.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import NamedTuple

from consumer.understanding import languages, mentions
from consumer.understanding.grammar import Lexicon, lexicon
from consumer.understanding.questions.stems import stem, stems
from consumer.understanding.text import fold, sentences, tokens


class Stated(NamedTuple):
    """What a sentence of an answer gives as the last word. ``value``, ``unit``: see ``statements.Fact``.

    ``attribute``: see ``statements.Fact``; ``said_at``: when it was said.
    """

    subject: str
    attribute: str
    value: str
    unit: str
    said_at: str

    @property
    def is_day(self) -> bool:
        return len(self.value) == 10 and self.value[4] == self.value[7] == "-"


def differs(text: str, day: str, stated: Stated) -> bool:
    """Whether a text of a later day has a sentence that gives the same thing another day or amount.

    ``day``: ISO, "" unknown; a text without a day, or of the same day, is not later.
    """
    if not day or day[:10] <= stated.said_at[:10]:
        return False
    language = languages.guess(fold(text)) or "en"
    lex = lexicon(language)
    return any(
        _is_statement(sentence.text, lex) and _names(sentence.text, stated, language) and
        _gives_another(sentence.text, date.fromisoformat(day[:10]), stated, language)
        for sentence in sentences(text, language)
    )  # fmt: skip


def _is_statement(text: str, lex: Lexicon) -> bool:
    """Whether it says that something is, or was moved to, something: no question, no promise."""
    if text.rstrip().endswith("?"):
        return False
    words = [token.word for token in tokens(fold(text), lex.words.elision)]
    verbs = _verbs(lex.words.code)
    return any(tuple(words[start : start + len(verb)]) == verb for verb in verbs for start in range(len(words)))


@cache
def _verbs(language: str) -> tuple[tuple[str, ...], ...]:
    known = languages.LANGUAGES[language]
    several = (*known.copula, *known.moved, *known.happens)
    return tuple(tuple(phrase.split()) for phrase in several if phrase[0].isalnum())


def _names(text: str, stated: Stated, language: str) -> bool:
    """Whether a sentence names the thing, and where an amount is meant also what amount of it."""
    spoken = stems(text, language)
    if not stems(stated.subject, language) <= spoken:
        return False
    return stated.is_day or not spoken.isdisjoint(_attribute_words(language, stated.attribute))


@cache
def _attribute_words(language: str, attribute: str) -> frozenset[str]:
    known = languages.LANGUAGES[language]
    return frozenset(stem(word, language) for word, meant in known.attributes.items() if meant == attribute)


def _gives_another(text: str, day: date, stated: Stated, language: str) -> bool:
    named = mentions.find(text, day, language)
    if stated.is_day:
        days = {each.day for each in named.days}
        return bool(days) and stated.value not in days
    numbers = {value.number for value, _ in named.numbers if value.unit == stated.unit}
    return bool(numbers) and stated.value not in numbers
