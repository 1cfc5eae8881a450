"""The clause of a promise: where it begins, and where what is promised ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from consumer.understanding import phrases
from consumer.understanding.grammar import CLOSING, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.promises.triggers import Trigger

ENDING = CLOSING - {"-", "(", ")", "[", "]", '"', "/"}


@dataclass(frozen=True)
class Clause:
    """``begin``: first word of its clause; ``core``: where what is promised ends; ``end``: where the promise ends.

    ``front``: the first word that may be part of what is promised: past "wie am Montag besprochen".
    """

    trigger: Trigger
    begin: int
    core: int
    end: int
    front: int


def clause_of(reading: SentenceReading, trigger: Trigger, previous: int, limit: int) -> Clause | None:
    begin = trigger.start if trigger.second else _begin(reading, trigger, previous)
    if begin is None:
        return None
    w, words = reading.lexicon.words, reading.words
    end = limit
    core = behind_name = 0
    for place in range(trigger.after, limit):
        if place in reading.instead or place < behind_name:
            continue  # "not on Monday, but on Tuesday"; "I'll send you, Ann, the deck"
        inside = words[place] in _INSIDE and words[place - 1] != ","
        if words[place] in ENDING or (words[place] in w.contrast and place > trigger.after and not inside):
            end = place
            break
        if words[place] == "," and (behind_name := after_name(reading, place)):
            continue
        begins = words[place] in w.subordinate and not phrases.leads_to_day(reading, place)
        if not core and (words[place] == "," or begins or reading.is_condition(place)):
            core = place
    return Clause(
        trigger, begin, core or end, end, trigger.start if _is_as_agreed(reading, begin, trigger.start) else begin
    )


#: "Ich schicke dir den Plan aber noch heute": these go on with their clause unless a comma stands before them.
_INSIDE: Final = frozenset({"aber", "jedoch", "però"})


def after_name(reading: SentenceReading, place: int) -> int:
    """The first word behind a name between this comma and the next; 0 where none stands there."""
    words, w = reading.words, reading.lexicon.words
    if words[place - 1 : place] == () or words[place - 1] not in w.you:
        return 0
    end = place + 1
    while end < len(words) and reading.capital(end) and end not in reading.dated:
        end += 1
    return end + 1 if place + 1 < end < len(words) and words[end] == "," else 0


def _begin(reading: SentenceReading, trigger: Trigger, previous: int) -> int | None:
    """The first word of the clause; None if the words before the subject show that it is no main clause."""
    w, words = reading.lexicon.words, reading.words
    begin = joint = _joint_subject(reading, previous, trigger.start)
    while begin > previous and not _is_boundary(reading, begin - 1, previous):
        begin -= 1
    if 2 < begin == joint and words[begin - 1] in w.conjunctions and words[begin - 3] in w.subordinate:
        return None  # "the support that Brent and I will give"
    front = range(begin, joint)
    if trigger.inverted or (trigger.kind == "you_get" and w.verb_second):
        content = [n for n in front if words[n] not in w.conjunctions]
        blocked = not _is_as_agreed(reading, begin, trigger.start) and any(
            words[n] in w.subordinate or reading.is_condition(n) for n in front
        )
        comma = begin > 0 and words[begin - 1] == ","
        if front and not any(words[n] not in w.conjunctions for n in front):
            return begin if _follows(reading, previous, begin) else None
        # "Bring ich dir morgen mit": what was spoken of is left out.
        you = words[trigger.after : trigger.after + 1]
        left_out = not content and "," not in words and reading.coming and not w.you.isdisjoint(you)
        return None if blocked or not (content or comma or left_out or trigger.kind == "you_get") else begin
    allowed = w.fronting | w.adverbs | w.conjunctions
    if not all(words[n] in allowed or n in reading.dated for n in front):
        return None
    if begin and words[begin - 1] == "," and _is_fronted(reading, previous, begin - 1):
        return previous
    return begin


def _joint_subject(reading: SentenceReading, first: int, start: int) -> int:
    """Where a subject of several begins, "*Bob and* I", "*O Bob e* eu", "*io e Bob* ti"; else ``start``.

    Only of what has a day or is for the reader: "Bob and I will send the list" tells of a plan.
    """
    w, words = reading.lexicon.words, reading.words
    if not reading.coming and w.you.isdisjoint(words[start:]):
        return start
    place = start
    while place > first and (
        reading.capital(place - 1)
        or words[place - 1] in w.conjunctions
        or words[place - 1] in (*w.subjects, "moi")
        or (words[place - 1] in w.articles and reading.capital(place))
        or (place > 1 and not _MINE.isdisjoint(words[place - 2 : place]) and words[place - 1].isalpha())
    ):
        place -= 1
    joint = range(place, start)
    # "Bob and I", "my wife and I".
    names = any(
        words[n] in _MINE or (reading.capital(n) and words[n] not in w.subjects and words[n] not in w.fronting)
        for n in joint
    )
    whole = any(words[n] in (*w.subjects, "moi") for n in range(place, start + 1))
    return place if names and whole and any(words[n] in w.conjunctions for n in joint) else start


#: What is the author's own; in English, an own thing may also be what is promised.
MY: Final = table(
    """
    mein meine meinen meinem meiner mon ma mes mi mis meu minha meus minhas mio mia miei mie mijn m'n
    """
)
_MINE: Final = MY | table("my our unser unsere notre nuestro nuestra onze")


def _follows(reading: SentenceReading, first: int, begin: int) -> bool:
    """Whether "dann schicke ich" is no part of a bargain: "melde dich, dann ...", "Wil je erbij? Dan ..."."""
    w, words = reading.lexicon.words, reading.words
    before = [n for n in range(first, begin) if words[n] not in CLOSING and words[n] != ","]
    if not before:
        return bool(reading.coming)
    # "Alles klar, dann", "hallo Bob, dann".
    answers = all(words[n] in w.fronting or (n > first and reading.capital(n)) for n in before)
    spoken = [words[n] for n in before]
    own = reading.condition is not None or not frozenset(w.subjects).isdisjoint(spoken)
    return answers or own or " ".join(spoken) in reading.lexicon.polite


def _is_as_agreed(reading: SentenceReading, first: int, end: int) -> bool:
    """German and Dutch: whether only "wie besprochen" stands there, or "wie am Montag am Telefon besprochen"."""
    words = reading.words
    while first < end and words[first] in reading.lexicon.words.conjunctions:
        first += 1
    return end - first > 1 and (words[first], words[end - 1]) in reading.lexicon.agreed


def _is_boundary(reading: SentenceReading, place: int, previous: int) -> bool:
    w, word = reading.lexicon.words, reading.words[place]
    if word in CLOSING or word == "," or word in w.contrast:
        return place not in reading.dated
    if word in w.conjunctions:
        # "I talked to Anna and I'll send it", "Anna wrote it and I'll send it", and not "order now and we'll send it".
        before = reading.words[previous:place]
        if any(each in w.subjects for each in before) or (previous > 0 and place > previous):
            return True
        joint = reading.words[place - 1] in w.pronouns or reading.capital(place - 1)  # "Bob and I will"
        is_past = not joint and any(each in reading.lexicon.participles or each.endswith("ed") for each in before)
        return w.code == "en" and is_past and reading.words[place + 1].partition("'")[0] == "i"
    return False


def _is_fronted(reading: SentenceReading, first: int, end: int) -> bool:
    """Whether only a date stands there: "By Friday, I'll ..."; "comme convenu lundi, ..." has the day of the talk."""
    return (
        reading.words[first] not in _AS
        and any(n in reading.dated for n in range(first, end))
        and all(n in reading.dated or reading.words[n] in reading.lexicon.words.fronting for n in range(first, end))
    )


#: French, Spanish, Portuguese, Italian, German and Dutch "as".
_AS: Final = frozenset({"comme", "como", "conforme", "come", "wie", "zoals"})
