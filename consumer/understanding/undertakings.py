"""What the author tells of having promised: "I promised Bob to send the draft"."""

from __future__ import annotations

from typing import Final, NamedTuple

from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table


class Undertaking(NamedTuple):
    """``after``: the first word of what was promised. ``to``: who was promised it by name; "" for nobody."""

    after: int
    to: str = ""


def recounted(reading: SentenceReading, place: int) -> Undertaking | None:
    """What is promised behind "I promised", whose first word behind it stands at ``place``; None for other words.

    Whom it is promised may stand between.
    """
    words, code = reading.words, reading.lexicon.words.code
    if words[place : place + 1] in (("myself",), ("ourselves",)):
        return None
    begins = _begins_germanic if code in ("de", "nl") else _begins_english if code == "en" else _begins_romance
    for n in range(place, min(place + _WHOM, len(words))):
        if words[n] in reading.lexicon.words.negation or (words[n] == "," and code == "en"):
            return None
        if words[n] == "to" and words[place - 1] in _INFORMING:
            return None  # "I told Bob to send it"
        if after := begins(reading, n):
            return Undertaking(after, _name(reading, place, n) or receiver(reading, after))
    return None


_INFORMING: Final = frozenset({"told", "assured"})
#: Words of whom something is promised, and the one behind them.
_WHOM: Final = 6


def is_to_third(reading: SentenceReading, first: int, after: int) -> bool:
    """Whether "I told *him*" or "je *lui* ai promis" is to somebody whom no name tells. It binds the author only if
    somebody else gets the thing by name.

    The verb stands from ``first`` up to ``after``.
    """
    is_before = reading.lexicon.words.code in ("fr", "it")
    whom = reading.words[max(0, first - 1) : after] if is_before else reading.words[after : after + 1]
    return not _ABSENT_PRONOUNS.isdisjoint(whom)


_ABSENT_PRONOUNS: Final = table("him her them ihm lui leur gli hem haar hun hen")


def _begins_english(reading: SentenceReading, n: int) -> int:
    """ "To send", "I'd send", "that I would send", "sending": the place of the verb; 0 for none."""
    words, lex = reading.words, reading.lexicon
    if words[n] == "that":
        n += 1
    after = n + 1 if words[n : n + 1] and words[n] in _WOULD else 0
    if words[n : n + 2] in (("i", "would"), ("i", "will"), ("we", "would"), ("we", "will")):
        after = n + 2
    if words[n : n + 1] == ("to",):
        after = n + 1
    if not after:
        return 0
    verb = after
    while verb < len(words) and words[verb] in lex.words.adverbs:
        verb += 1
    return after if verb < len(words) and (lex.infinitive(words[verb]) or lex.undertaking.at(words, verb)) else 0


_WOULD: Final = frozenset({"i'd", "we'd", "i'll", "we'll"})


def _begins_romance(reading: SentenceReading, n: int) -> int:
    """ "De lui envoyer", "enviarle", "di mandargli"."""
    word = reading.words[n]
    capital = reading.capital(n)
    return n if n and not capital and reading.lexicon.infinitive(word) else 0


def _begins_germanic(reading: SentenceReading, n: int) -> int:
    """ "Versprochen, ihm den Entwurf zu schicken", "beloofd het concept te sturen"."""
    words, lex = reading.words, reading.lexicon
    if words[n] not in _GIVEN_WORD:
        return 0
    after = n + 1
    while after < len(words) and words[after] in (",", "om"):
        after += 1
    small = ("zu",) if lex.words.code == "de" else ("te",)
    verbs = (k for k in range(after, len(words) - 1) if words[k] in small and words[k + 1] in lex.base)
    return after if next(verbs, 0) else 0


_GIVEN_WORD: Final = table("versprochen zugesagt zugesichert beloofd toegezegd")


def _name(reading: SentenceReading, first: int, end: int) -> str:
    """The name between two places; "" where no name stands there."""
    w = reading.lexicon.words
    small = w.to | w.recipient | w.articles | _ARTICLES
    small |= frozenset(word for text in w.dates.on for word in text.split())
    run = [n for n in range(first, end) if reading.words[n] not in small and n not in reading.dated]
    while run and not reading.capital(run[-1]):
        run.pop()
    return reading.slice(run[0], run[-1]) if run and all(map(reading.capital, run)) else ""


_ARTICLES: Final = table("ad al ao aos à au aux alla")


def receiver(reading: SentenceReading, after: int) -> str:
    """Who gets it by name: "to send *Bob* the draft", "to send the draft to *Bob*"."""
    words, w = reading.words, reading.lexicon.words
    if w.verb_second:
        return ""
    first = last = after + 1
    if w.code == "en":
        last = _end_of_name(reading, first)
        if first < last < len(words) and words[last] in w.articles:
            return reading.slice(first, last - 1)
    for n in range(first, len(words) - 1):
        last = _end_of_name(reading, n + 1) if words[n] in w.recipient else 0
        if last > n + 1:
            return reading.slice(n + 1, last - 1)
    return ""


def _end_of_name(reading: SentenceReading, place: int) -> int:
    while place < len(reading.words) and reading.capital(place) and place not in reading.dated:
        place += 1
    return place
