"""The parts of a request: its words, what is asked for, and by when."""

from __future__ import annotations

from typing import Final

from consumer.understanding import dates, phrases
from consumer.understanding.grammar import CLOSING, Phrases, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.requests.places import BEING, WHEN_ASKED, is_polite_ask
from consumer.understanding.statements import Due


def is_definite(reading: SentenceReading, item: phrases.Object) -> bool:
    """Whether an article or a possessive stands before a thing; a Portuguese "a" is no English one."""
    w = reading.lexicon.words
    return reading.words[item.first - 1] in (w.articles - (ANY_THING - {"a"} if w.code == "pt" else ANY_THING))


ANY_THING: Final = table("a an any some another ein eine einen un une una uno um uma een")


def thing_and_day(
    reading: SentenceReading, names: Phrases, place: int, core: int, end: int
) -> tuple[phrases.Object, Due | None]:
    stop, receivers = core if core > place else end, frozenset(names.first)
    item = phrases.find(reading, place, _before_last_verb(reading, place, stop), receivers)
    due = _due(reading, place, core, end, item)
    due = due or _day_of_courtesy(reading, place)
    if due and not item.text:
        item = phrases.find(reading, place, stop, receivers, dated=True)
    return item, due


def _before_last_verb(reading: SentenceReading, place: int, stop: int) -> int:
    """German and Dutch: where the verb begins with which "kannst du *es herausfinden*" ends, if no table has it."""
    lex, words = reading.lexicon, reading.words
    if not lex.words.verb_second or lex.imperatives.before(words, place):
        return stop
    last = stop - 1
    while last > place and (last in reading.dated or lex.please.at(words, last) or words[last] == ","):
        last -= 1
    known = any(words[n] in lex.base and not reading.capital(n) for n in range(place, last + 1))
    return last if last >= place and not known and phrases.is_verb(reading, last) else stop


def _day_of_courtesy(reading: SentenceReading, place: int) -> Due | None:
    """English: the day in "please read it, if you can, this afternoon", which is not part of the condition."""
    span = reading.condition
    if span is None or span[0] < place or reading.lexicon.words.code != "en":
        return None
    begin, words = span[0], reading.words
    after = begin + next(
        (len(courtesy) for courtesy in _IF_YOU_CAN if words[begin : begin + len(courtesy)] == courtesy), 0
    )
    small = reading.lexicon.words.prepositions | {","}
    while begin < after < len(words) and words[after] in small and after not in reading.dated:
        after += 1
    if not begin < after < len(words) or after not in reading.dated:
        return None
    best = dates.choose(reading.dates, reading.said_on, reading.tokens[begin].start, len(reading.text))
    return best.due if best else None


_IF_YOU_CAN: Final = (("if", "you", "can"), ("if", "you", "could"), ("if", "possible"))


def _due(reading: SentenceReading, place: int, core: int, end: int, item: phrases.Object) -> Due | None:
    until = phrases.main_end(reading, max(core, place), end)
    due = phrases.due(reading, _front(reading, place), max(place - 1, 0), until)
    if due is None or reading.words[place - 1] != "know" or item.first < 0:
        return due
    # "Let me know what time works for you on Monday": the day of what is to be known.
    hit = next(hit for hit in reading.dates if hit.due == due)
    return due if hit.role == "by" or hit.start < reading.tokens[item.first].start else None


def from_verb(reading: SentenceReading, place: int) -> str:
    """The words from the verb on; "check out" is one verb."""
    first = place - 2 if reading.words[max(0, place - 2) : place] == ("check", "out") else place - 1
    return " ".join(reading.words[first:])


def _front(reading: SentenceReading, place: int) -> int:
    """Where a date before the verb may be its date: "by Friday, please send", and not "as I said on Friday, please"."""
    w, first = reading.lexicon.words, max(place - 1, 0)
    small = w.fronting | w.adverbs | w.prepositions | w.articles | {",", ":"}
    asks = {*reading.lexicon.ask.first, *reading.lexicon.please.first, *reading.lexicon.could.first, *w.you, *w.me}
    plain = all(
        n in reading.dated or reading.words[n] in small | asks or reading.words[n] in CLOSING or reading.capital(n)
        for n in range(first)
    )
    return 0 if plain or w.verb_second else first


def verbs_of(reading: SentenceReading, place: int, core: int) -> set[str]:
    """The words among which the verb of the request is; in German and Dutch, it may be the last word."""
    words = reading.words
    return {*words[max(0, place - 2) : place], *words[place : place + 1], words[max(0, core - 1)]}


def core_end(reading: SentenceReading, place: int, end: int) -> int:
    """Where what is asked for ends: before its reason, its condition or a "please" behind it."""
    lex, words = reading.lexicon, reading.words
    please = lex.please.anywhere(reading)
    for n in range(place, end):
        if n in reading.instead:
            continue
        if words[n] == ",":
            return n
        if n > place and (words[n] in lex.words.subordinate or words[n] in lex.words.contrast):
            return n
        behind = not lex.words.verb_second and (n > place or enclitic_of(reading, n - 1) != "")
        if please and lex.please.at(words, n) and (behind or _is_trailing(reading, n, end)):
            return n
    return end


def _is_trailing(reading: SentenceReading, place: int, end: int) -> bool:
    """Whether nothing but a reason or a name stands behind a "please"."""
    following = reading.words[place + 1] if place + 1 < end else ","
    return following == "," or following in reading.lexicon.words.subordinate


def asked_pronoun(reading: SentenceReading, place: int, end: int, due: Due | None) -> str:
    """The pronoun of "please take it over", if nothing else is asked for; "" for none.

    Only a "please" or a day makes this a request: "can you do that?" is just as often small talk.
    """
    w, words = reading.lexicon.words, reading.words
    when = not WHEN_ASKED.isdisjoint(words[reading.begin : reading.begin + 1])
    if due is None and not when and not is_polite_ask(reading):
        return ""
    for n in range(place, min(place + 2, end)):
        if words[n] in ("that", "this") and n + 1 < end and words[n + 1] in BEING:
            break  # "confirm that is fine"
        if words[n] == "that" and n + 1 < end and (words[n + 1] in w.pronouns or words[n + 1] in w.articles):
            break  # "let them know that they should call"
        if words[n + 1 : n + 2] == ("with",):
            break  # "provide them with any contacts"
        if words[n] in w.pronoun_objects - _VAGUE and n not in reading.dated:
            return reading.slice(n, n)
    return enclitic_of(reading, place - 1)


#: The pronouns that refer to nothing that was named.
_VAGUE = table("what so things stuff something everything anything etwas alles was algo qualcosa iets")


def enclitic_of(reading: SentenceReading, place: int) -> str:
    """The object pronoun at the end of a verb: "rimandamela"; "" for none."""
    w = reading.lexicon.words
    verb = reading.words[place] if place >= 0 else ""
    ending = next((each for each in w.enclitics if verb.endswith(each) and each.strip("-") in w.pronoun_objects), "")
    return ending.strip("-")
