"""Who says in a sentence that they will do something: first persons, and participants by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from consumer.understanding import objects, phrases
from consumer.understanding.grammar import CLOSING, Phrases, Reading
from consumer.understanding.languages import Verb
from consumer.understanding.phrases import Object
from consumer.understanding.statements import Due
from consumer.understanding.utterances import Person

ENDING = CLOSING - {"-", "(", ")", "[", "]", '"', "/"}


class Promise(NamedTuple):
    """``owner`` None is the author; ``pronoun`` that the object is only pointed to ("it")."""

    owner: Person | None
    object: str
    due: Due | None
    condition: str
    pronoun: bool


class _Trigger(NamedTuple):
    kind: str
    #: First word of the subject or verb, and the first one after them.
    start: int
    after: int
    owner: Person | None = None
    verbs: tuple[Verb, ...] = ()
    inverted: bool = False


@dataclass(frozen=True)
class _Clause:
    """``begin``: first word of its clause; ``core``: where what is promised ends; ``end``: where the promise ends."""

    trigger: _Trigger
    begin: int
    core: int
    end: int


def find(reading: Reading, names: Phrases, people: Mapping[str, Person]) -> Iterator[Promise]:
    """``names``: of participants, each with the key of its person in ``people``."""
    if reading.is_question:
        return
    triggers = list(_triggers(reading, names, people))
    previous = 0
    for number, trigger in enumerate(triggers):
        limit = triggers[number + 1].start if number + 1 < len(triggers) else len(reading.words)
        clause = _clause(reading, trigger, previous, limit)
        if clause is None:
            continue
        promise = _promise(reading, clause, frozenset(names.first))
        if promise:
            yield promise
            previous = trigger.after


# --- where a promise may begin -----------------------------------------------------------------------------------


def _triggers(reading: Reading, names: Phrases, people: Mapping[str, Person]) -> Iterator[_Trigger]:
    lex, words, place = reading.lexicon, reading.words, 0
    while place < len(words):
        trigger = None
        if words[place] in lex.openings.first:
            trigger = _opening(reading, place)
        if trigger is None and words[place] in lex.finite:
            trigger = _finite(reading, place)
        if trigger is None and words[place] in names.first:
            trigger = _named(reading, place, names, people)
        if trigger and not reading.in_quotes(place):
            yield trigger
            place = trigger.after
        else:
            place += 1


def _opening(reading: Reading, place: int) -> _Trigger | None:
    lex, words = reading.lexicon, reading.words
    phrase = lex.openings.at(words, place)
    if phrase is None:
        return None
    subjects = lex.words.subjects
    inside = any(word in subjects for word in phrase.words)
    inverted = inside and lex.words.verb_second and phrase.words[0] not in subjects and phrase.kind != "you_get"
    needs_subject = phrase.kind == "undertaking" and not inside and (lex.words.verb_second or lex.words.code == "fr")
    start = place
    if not inside and phrase.kind != "you_get":
        start = _subject(reading, place)
        if needs_subject and words[start] not in subjects:
            return None
    return _Trigger(phrase.kind, start, place + len(phrase.words), inverted=inverted)


def _subject(reading: Reading, place: int) -> int:
    """Where the subject and the small pronouns before a verb begin."""
    w, words = reading.lexicon.words, reading.words
    while (
        place and (words[place - 1] in w.pronouns or words[place - 1] in w.subjects) and place - 1 not in reading.dated
    ):
        place -= 1
        if words[place] in w.subjects:
            break
    return place


def _finite(reading: Reading, place: int) -> _Trigger | None:
    lex, words = reading.lexicon, reading.words
    forms = lex.finite[words[place]]
    subjects = lex.words.subjects
    if reading.capital(place) and place and lex.words.verb_second:
        return None
    if lex.words.verb_second:
        return _verb_second(reading, place)
    start = _subject(reading, place)
    subject = words[start]
    if lex.words.code == "fr":
        if subject not in subjects:
            return None
        kinds = ("third", "present") if subject == "on" else ("future", "present")
    else:
        kinds = ("future", "present")
    kept = [
        (verb, form) for verb, form in forms if form in kinds and _has_particle(reading, verb, place + 1, place + 2)
    ]
    if not kept:
        return None
    kind = "present" if kept[0][1] == "present" else "future"
    return _Trigger(kind, start, place + 1 + bool(kept[0][0].particle), verbs=tuple(verb for verb, _ in kept))


def _has_particle(reading: Reading, verb: Verb, first: int, end: int) -> bool:
    return not verb.particle or verb.particle in reading.words[first:end]


def _verb_second(reading: Reading, place: int) -> _Trigger | None:
    words, subjects = reading.words, reading.lexicon.words.subjects
    straight = place > 0 and words[place - 1] in subjects
    inverted = not straight and place + 1 < len(words) and words[place + 1] in subjects
    if not straight and not inverted:
        return None
    subject = words[place - 1] if straight else words[place + 1]
    plural = subject in ("wir", "we", "wij")
    verbs = tuple(
        verb
        for verb, _ in reading.lexicon.finite[words[place]]
        if (words[place] != verb.present or verb.present == verb.infinitive) == plural
        or (reading.lexicon.words.code == "nl" and not plural)
    )
    particled = tuple(verb for verb in verbs if verb.particle and verb.particle in words[place + 1 :])
    verbs = particled or tuple(verb for verb in verbs if not verb.particle)
    if not verbs:
        return None
    start, after = (place - 1, place + 1) if straight else (place, place + 2)
    return _Trigger("present", start, after, verbs=verbs, inverted=inverted)


def _named(reading: Reading, place: int, names: Phrases, people: Mapping[str, Person]) -> _Trigger | None:
    """ "Bob will send": only where one participant has that name."""
    lex, words = reading.lexicon, reading.words
    phrase = names.at(words, place)
    if phrase is None or not reading.capital(place):
        return None
    after, owner = place + len(phrase.words), people[phrase.kind]
    if after >= len(words):
        return None
    third = lex.third.at(words, after)
    if third:
        return _Trigger("will", place, after + len(third.words), owner)
    while after < len(words) and words[after] in lex.words.pronouns:
        after += 1
    verbs = (
        tuple(verb for verb, form in lex.finite.get(words[after], ()) if form == "third") if after < len(words) else ()
    )
    return _Trigger("future", place, after + 1, owner, verbs) if verbs else None


# --- its clause --------------------------------------------------------------------------------------------------


def _clause(reading: Reading, trigger: _Trigger, previous: int, limit: int) -> _Clause | None:
    begin = _begin(reading, trigger, previous)
    if begin is None:
        return None
    w, words = reading.lexicon.words, reading.words
    end = limit
    core = 0
    for place in range(trigger.after, limit):
        if words[place] in ENDING or (words[place] in w.contrast and place > trigger.after):
            end = place
            break
        if not core and (
            words[place] == "," or words[place] in w.subordinate or reading.lexicon.conditions.at(words, place)
        ):
            core = place
    return _Clause(trigger, begin, core or end, end)


def _begin(reading: Reading, trigger: _Trigger, previous: int) -> int | None:
    """First word of the clause; None where what stands before the subject makes it no main clause of its own."""
    w, words = reading.lexicon.words, reading.words
    begin = trigger.start
    while begin > previous and not _is_boundary(reading, begin - 1, previous):
        begin -= 1
    front = range(begin, trigger.start)
    if trigger.inverted or (trigger.kind == "you_get" and w.verb_second):
        content = [n for n in front if words[n] not in w.conjunctions]
        blocked = any(words[n] in w.subordinate or reading.lexicon.conditions.at(words, n) for n in front)
        comma = begin > 0 and words[begin - 1] == ","
        return None if blocked or not (content or comma or trigger.kind == "you_get") else begin
    allowed = w.fronting | w.adverbs | w.conjunctions
    if not all(words[n] in allowed or n in reading.dated for n in front):
        return None
    if begin and words[begin - 1] == "," and _is_fronted(reading, previous, begin - 1):
        return previous
    return begin


def _is_boundary(reading: Reading, place: int, previous: int) -> bool:
    w, word = reading.lexicon.words, reading.words[place]
    if word in CLOSING or word == "," or word in w.contrast:
        return place not in reading.dated
    if word in w.conjunctions:
        # "I talked to Anna and I'll send it", and not "Order now and we'll send it".
        return any(each in w.subjects for each in reading.words[previous:place]) or (previous > 0 and place > previous)
    return False


def _is_fronted(reading: Reading, first: int, end: int) -> bool:
    """Whether only a date stands there: "By Friday, I'll ..."."""
    return any(n in reading.dated for n in range(first, end)) and all(
        n in reading.dated or reading.words[n] in reading.lexicon.words.fronting for n in range(first, end)
    )


# --- what is promised --------------------------------------------------------------------------------------------


def _promise(reading: Reading, clause: _Clause, names: frozenset[str]) -> Promise | None:
    w, words, trigger = reading.lexicon.words, reading.words, clause.trigger
    said = words[clause.begin : clause.core]
    if any(word in w.negation and not _excludes_date(reading, n) for n, word in enumerate(said, clause.begin)):
        return None
    if any(word in w.hedges for word in said):
        return None
    verb, first = _verb(reading, clause)
    if first < 0:
        return None
    item = _object(reading, clause, first, names)
    due = phrases.due(reading, clause.begin, trigger.start, clause.end)
    condition = _condition(reading, clause, verb, first)
    if condition is None or not _is_enough(reading, clause, verb, item, due):
        return None
    text = item.text or _pronoun(reading, trigger.start, clause.core)
    return Promise(trigger.owner, text, due, condition, not item.text) if text else None


def _excludes_date(reading: Reading, place: int) -> bool:
    """ "Not before Friday": the word is about the date."""
    return any(hit.role == "never" and 0 <= hit.start - reading.tokens[place].end < 16 for hit in reading.dates)


def _verb(  # noqa: C901, PLR0911 - one branch a form
    reading: Reading, clause: _Clause
) -> tuple[str, int]:
    """(the infinitive, the first word that may belong to its object); (_, -1) where nothing is done."""
    trigger, words, lex = clause.trigger, reading.words, reading.lexicon
    if trigger.kind in ("future", "present"):
        return trigger.verbs[0].infinitive, trigger.after
    if trigger.kind in ("undertaking", "gerund", "you_get"):
        return trigger.kind, trigger.after
    if lex.words.verb_second:
        infinitives = [n for n in range(trigger.after, clause.core) if words[n] in lex.base and not reading.capital(n)]
        return (words[infinitives[-1]], trigger.after) if infinitives else ("", -1)
    place = trigger.after
    while place < clause.core and (words[place] in lex.words.adverbs or words[place] in lex.words.pronouns):
        place += 1
    if place >= clause.core:
        return "", -1
    if lex.words.code == "en":
        phrase = lex.undertaking.at(words, place)
        if phrase:
            return " ".join(phrase.words), place + len(phrase.words)
        if words[place] == "have":
            return _have_done(reading, place, clause.core)
    if words[place : place + 2] == ("make", "sure"):
        return "", -1
    verbs = lex.infinitive(words[place])
    return (verbs[0].infinitive, place + 1) if verbs else ("", -1)


def _have_done(reading: Reading, place: int, end: int) -> tuple[str, int]:
    """ "I'll have the slides ready", "I'll have reviewed the contract"."""
    states = reading.lexicon.participles | {"ready", "done", "finished", "complete"}
    done = [n for n in range(place + 1, end) if reading.words[n] in states]
    return ("finish", done[0] + 1 if done[0] == place + 1 else place + 1) if done else ("", -1)


def _object(reading: Reading, clause: _Clause, first: int, names: frozenset[str]) -> Object:
    words, lex, trigger = reading.words, reading.lexicon, clause.trigger
    end = clause.core
    while first < end and (words[first] in lex.words.adverbs or words[first] == ","):
        first += 1
    if (
        trigger.verbs
        and trigger.verbs[0].particle
        and lex.words.verb_second
        and words[end - 1] == trigger.verbs[0].particle
    ):
        end -= 1
    if words[first:end] and lex.words.code == "en" and words[first:end][0] == "have":
        first += 1
    item = phrases.find(reading, first, _until_done(reading, first, end), names)
    if not item.text and (trigger.inverted or (trigger.kind == "you_get" and lex.words.verb_second)):
        front = phrases.find(reading, clause.begin, trigger.start, names)
        return front if front.text else item
    return item


def _until_done(reading: Reading, first: int, end: int) -> int:
    """English: the object of "get the order shipped" ends before the participle."""
    if reading.lexicon.words.code != "en":
        return end
    for place in range(first + 1, end):
        if (
            reading.words[place] in reading.lexicon.participles
            and place + 1 in (end, *reading.dated)
            and place - 1 >= first
        ):
            return place
    return end


def _condition(reading: Reading, clause: _Clause, verb: str, first: int) -> str | None:
    """Words of its condition, "" for none; None where the sentence is one big maybe."""
    span = reading.condition
    if span is None:
        return ""
    w = reading.lexicon.words
    if verb in w.asking and first <= span[0] <= first + 3:
        return ""
    return reading.slice(*span) if span[0] < clause.end or span[0] >= clause.core else ""


def _is_enough(reading: Reading, clause: _Clause, verb: str, item: Object, due: Due | None) -> bool:
    """Whether verb, object and date together are a promise, and not idle talk or a habit."""
    w, trigger = reading.lexicon.words, clause.trigger
    region = reading.words[trigger.start : clause.core]
    to_you = any(word in w.you for word in region)
    if item.text and objects.is_idle(item.text, w):
        return False
    if not item.text and not (item.pronoun and due):
        return bool(not item.text and due and _pronoun(reading, trigger.start, clause.core)) and trigger.kind not in (
            "you_get",
        )
    if trigger.kind == "you_get":
        return bool(item.text) and _is_from_me(reading, clause, due)
    if trigger.kind == "must" or verb in w.weak:
        return due is not None or (
            trigger.kind != "must" and to_you and verb in ("give", "get", "bring", "geben", "make")
        )
    if trigger.kind in ("present", "gerund"):
        return verb not in w.performative and (due is not None or to_you)
    return True


def _is_from_me(reading: Reading, clause: _Clause, due: Due | None) -> bool:
    lex = reading.lexicon
    if any(lex.from_me.at(reading.words, n) for n in range(clause.begin, clause.core)):
        return True
    after = reading.words[clause.trigger.after : clause.trigger.after + 1]
    by = any(hit.role == "by" and hit.due == due for hit in reading.dates)
    return lex.words.code == "en" and by and bool(after) and after[0] in ("the", "my", "our", "it")


def _pronoun(reading: Reading, first: int, end: int) -> str:
    """The word that points to what is promised, as it was said."""
    w = reading.lexicon.words
    for place in range(max(first, 0), end):
        if reading.words[place] in w.pronoun_objects and place not in reading.dated:
            return reading.slice(place, place)
    return ""
