"""Where a sentence begins to promise: a first person or a name with a verb of doing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from consumer.understanding import phrases, undertakings
from consumer.understanding.grammar import CLOSING, Phrases, SentenceReading
from consumer.understanding.languages import Verb
from consumer.understanding.utterances import Person


class Trigger(NamedTuple):
    kind: str
    #: First word of the subject or verb, and the first one after them.
    start: int
    after: int
    owner: Person | None = None
    verbs: tuple[Verb, ...] = ()
    inverted: bool = False
    #: Without "I".
    alone: bool = False
    #: To whom the author promised it earlier: "I promised Bob to ..."; None if they promise it now.
    told_to: str | None = None
    #: The second verb of the subject before: "I'll read it today *and send it tomorrow*".
    second: bool = False


def triggers_in(
    reading: SentenceReading, names: Phrases, people: Mapping[str, Person], is_formal: Callable[[], bool]
) -> Iterator[Trigger]:
    lex, after = reading.lexicon, 0
    for place, word in enumerate(reading.words):
        if place < after or (word not in lex.promising and word not in names.first):
            continue
        trigger = None
        if word in lex.openings.first:
            trigger = _without_aside(reading, _opening(reading, place, is_formal))
        if trigger is None and word in lex.finite and not (after and _is_noun_after(reading, place, after)):
            trigger = _finite(reading, place)
        if trigger is None and word in names.first:
            trigger = _named(reading, place, names, people)
        if trigger and not reading.in_quotes(place):
            yield trigger
            after = trigger.after
            if trigger.kind == "will" and (second := _second_verb(reading, trigger)):
                yield second
                after = second.after


def _second_verb(reading: SentenceReading, trigger: Trigger) -> Trigger | None:
    """ "I'll send you the plan by Monday *and book the room by Friday*": a second verb, if both have a day."""
    lex, words, tokens = reading.lexicon, reading.words, reading.tokens
    if len(reading.coming) < 2 or lex.words.verb_second:
        return None
    unsure = not (lex.words.hedges | lex.words.negation).isdisjoint(words[trigger.start : trigger.after + 2])
    if unsure or _OTHERS.match(" ".join(words[trigger.after :])):
        return None
    for place in range(trigger.after + 1, len(words) - 2):
        if words[place] in CLOSING:
            return None
        verb = place + 1
        does = lex.infinitive(words[verb]) or lex.undertaking.at(words, verb)
        if words[place] not in lex.words.conjunctions or not does or reading.capital(verb):
            continue
        days = [hit.start > tokens[place].start for hit in reading.coming if hit.start > tokens[trigger.after].start]
        if True in days and False in days:
            return Trigger("will", verb, verb, trigger.owner, second=True)
    return None


#: English: whoever does what follows, and not the author: "I'll have Bob read it and send it".
_OTHERS: Final = re.compile(r"(?:(?:have|let|make|help) \S+ [a-z]+|(?:get|ask|tell|remind|want|expect) .+? to) ")


def _without_aside(reading: SentenceReading, trigger: Trigger | None) -> Trigger | None:
    """ "I will, as discussed, send the deck": the verb after an aside between two commas."""
    words = reading.words
    if trigger is None or words[trigger.after : trigger.after + 1] != (",",):
        return trigger
    end = next((n for n in range(trigger.after + 1, min(trigger.after + _ASIDE, len(words))) if words[n] == ","), 0)
    return trigger._replace(after=end + 1) if end else None


#: Words of an aside, and its commas.
_ASIDE: Final = 8


def _is_noun_after(reading: SentenceReading, place: int, after: int) -> bool:
    """ "Ti mando l'invito": behind a verb, a word after an article is its object, and no verb of its own."""
    w, words = reading.lexicon.words, reading.words
    joints = {",", *CLOSING, *w.conjunctions, *w.contrast}
    return place > after - 1 and words[place - 1] in w.articles and joints.isdisjoint(words[after:place])


#: Openings that may report an earlier promise.
_TOLD: Final = frozenset({"promised", "undertaken", "perfect"})


def _opening(  # noqa: C901, PLR0911 - one branch a form
    reading: SentenceReading, place: int, is_formal: Callable[[], bool]
) -> Trigger | None:
    lex, words = reading.lexicon, reading.words
    phrase = lex.openings.at(words, place)
    if phrase is None:
        return None
    if phrase.kind == "will_alone":
        return _will_alone(reading, place, place + len(phrase.words))
    if phrase.kind == "you_get_formal":
        return Trigger("you_get", _subject(reading, place), place + len(phrase.words)) if is_formal() else None
    if phrase.kind in _TOLD:
        undertaking = undertakings.recounted(reading, place + len(phrase.words))
        is_to_third = undertakings.is_to_third(reading, place, place + len(phrase.words))
        if is_to_third and not (undertaking and undertaking.to):
            return None
        if undertaking:
            return Trigger("will", place, undertaking.after, told_to=undertaking.to)
    if phrase.kind == "undertaken" or (phrase.kind == "perfect" and lex.by.isdisjoint(words)):
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
    return Trigger(phrase.kind, start, place + len(phrase.words), inverted=inverted)


def _will_alone(reading: SentenceReading, place: int, after: int) -> Trigger | None:
    """ "Will call the venue": the author leaves out "I". "Will you call" is a question."""
    w = reading.lexicon.words
    if w.code == "nl" and not reading.dated and w.soon.isdisjoint(reading.words):
        return None  # "ga de auto wassen" asks
    if reading.words[place] == "going" and any(word.endswith("ing") for word in reading.words[:place]):
        return None  # "I remember installing it and then going to edit a file"
    asks = after < len(reading.words) and (reading.words[after] in w.pronouns or reading.words[after] in w.you)
    return Trigger("will", place, after, alone=True) if not asks and _begins_without_subject(reading, place) else None


def _begins_without_subject(reading: SentenceReading, place: int) -> bool:
    """Whether a clause begins here, with the author as its subject.

    It begins the sentence, or stands after a clause in the first person ("I asked, will call again") or after a short
    answer ("on it, ...").
    """
    w, words = reading.lexicon.words, reading.words
    if place and w.code == "en" and (words[place - 1] in w.pronouns or words[place - 1] in w.pronoun_objects - {"so"}):
        return False  # "it will bring you luck"
    begin, joints = place, {",", *CLOSING, *w.conjunctions, *w.contrast}
    passed = (w.fronting | w.adverbs) - joints
    while begin and (words[begin - 1] in passed or begin - 1 in reading.dated):
        begin -= 1
    articled = any(words[n] in w.articles and n not in reading.dated for n in range(begin, place))
    if articled or words[begin - 1 : begin] == (")",):
        return False  # "and the team will review it", "Tom (the plumber) will send the bill"
    end = begin
    while end and words[end - 1] in joints:
        end -= 1
    if not end or end == begin or _AGREEING.issuperset(words[:end]):
        return not end or end != begin
    first = end
    while first and words[first - 1] not in CLOSING and words[first - 1] != ",":
        first -= 1
    before = words[first:end]
    if " ".join(before) in reading.lexicon.whole or " ".join(before) in reading.lexicon.polite:
        return True
    subject = next((word for word in before if word not in w.fronting or word in w.subjects), "")
    return subject in w.subjects or subject.startswith("i'")


#: "Ok cool, gonna send it".
_AGREEING: Final = frozenset(
    {"ok", "okay", "cool", "great", "yes", "yeah", "yep", "sure", "perfect", "alright", "thanks"}
)


def _subject(reading: SentenceReading, place: int) -> int:
    """Where the subject and the small pronouns before a verb begin."""
    w, words = reading.lexicon.words, reading.words
    while (
        place and (words[place - 1] in w.pronouns or words[place - 1] in w.subjects) and place - 1 not in reading.dated
    ):
        place -= 1
        if words[place] in w.subjects:
            break
    return place


def _finite(reading: SentenceReading, place: int) -> Trigger | None:
    lex, words = reading.lexicon, reading.words
    forms = lex.finite[words[place]]
    subjects = lex.words.subjects
    if reading.capital(place) and place and lex.words.verb_second:
        return None
    past = lex.have.at(words, place)
    if (place and words[place - 1] in lex.noun_marks) or (past and len(past.words) > 1):
        return None  # "el env\u00edo", "de pago", "acabo de enviarlo"
    if lex.words.verb_second:
        return _verb_second(reading, place)
    start = _subject(reading, place)
    subject = words[start]
    if lex.words.code == "fr":
        joined = "moi" in words[max(0, start - 1) : start + 1]  # "Bob et moi t'enverrons"
        if (
            subject not in subjects
            and not joined
            and not (subject in lex.words.you and start < place and _begins_without_subject(reading, start))
        ):
            return None
        kinds = ("third", "present") if subject == "on" else ("future", "present")
    else:
        kinds = ("future", "present")
    after = place + 1
    while after < len(words) and (words[after] in lex.words.pronouns or words[after] in lex.words.you):
        after += 1  # "fa\u00e7o-lhe chegar"
    kept = [(verb, form) for verb, form in forms if form in kinds and _has_particle(reading, verb, after, after + 1)]
    if not kept:
        return None
    kind = "present" if kept[0][1] == "present" else "future"
    return Trigger(kind, start, after + 1 if kept[0][0].particle else place + 1, verbs=tuple(verb for verb, _ in kept))


def _has_particle(reading: SentenceReading, verb: Verb, first: int, end: int) -> bool:
    return not verb.particle or verb.particle in reading.words[first:end]


def _verb_second(reading: SentenceReading, place: int) -> Trigger | None:
    words, subjects = reading.words, reading.lexicon.words.subjects
    straight = place > 0 and words[place - 1] in subjects
    inverted = not straight and place + 1 < len(words) and words[place + 1] in subjects
    if not straight and not inverted:
        return _dropped(reading, place)
    subject = words[place - 1] if straight else words[place + 1]
    # "Bob und ich schicken": a verb in the plural.
    joined = straight and place > 2 and words[place - 2] in ("und", "en") and reading.capital(place - 3)
    plural = subject in ("wir", "we", "wij") or joined
    verbs = tuple(
        verb
        for verb, _ in reading.lexicon.finite[words[place]]
        if (words[place] == verb.infinitive.removeprefix(verb.particle)) == plural
        or (reading.lexicon.words.code == "nl" and not plural)
    )
    particled = tuple(verb for verb in verbs if verb.particle and verb.particle in words[place + 1 :])
    verbs = particled or tuple(verb for verb in verbs if not verb.particle)
    if not verbs:
        return None
    start, after = (place - 1, place + 1) if straight else (place, place + 2)
    return Trigger("present", start, after, verbs=verbs, inverted=inverted)


def _dropped(reading: SentenceReading, place: int) -> Trigger | None:
    """ "Schick dir heute die Fotos", "ok, betaal het donderdag": "ich" and "ik" are left out, as in a chat.

    The same form can be a request. It is a promise if the reader gets something, or after "ok", and if nothing in the
    sentence says "me" or "please".
    """
    lex, words = reading.lexicon, reading.words
    w = lex.words
    asks = any(word in w.me for word in words) or lex.please.anywhere(reading) or not w.negation.isdisjoint(words)
    if asks or not _begins_without_subject(reading, place):
        return None
    verbs = tuple(
        verb
        for verb, _ in lex.finite[words[place]]
        if words[place] != verb.infinitive.removeprefix(verb.particle)
        and (not verb.particle or verb.particle in words[place + 1 :])
    )
    verbs = tuple(verb for verb in verbs if verb.particle) or verbs
    to_you = place + 1 < len(words) and words[place + 1] in w.you and words[place + 1] not in w.subject_you
    to_you = to_you and not phrases.is_your(reading, place + 1)
    gives = to_you and any(verb.infinitive in w.giving for verb in verbs)
    later = bool(reading.dated) or not w.soon.isdisjoint(words)
    if (gives and (w.code != "nl" or later)) or (verbs and reading.dated and _is_agreed(reading, place)):
        return Trigger("present", place, place + 1, verbs=verbs)
    return None


def _is_agreed(reading: SentenceReading, place: int) -> bool:
    """Whether "ok" or its like stands just before."""
    before = [word for word in reading.words[:place] if word not in CLOSING and word != ","]
    text = " ".join(before)
    return bool(before) and (text in reading.lexicon.polite or text in reading.lexicon.whole)


def _named(reading: SentenceReading, place: int, names: Phrases, people: Mapping[str, Person]) -> Trigger | None:
    """ "Bob will send": only if exactly one participant has that name."""
    lex, words = reading.lexicon, reading.words
    phrase = names.at(words, place)
    if phrase is None or not reading.capital(place):
        return None
    after, owner = place + len(phrase.words), people[phrase.kind]
    if after >= len(words):
        return None
    third = lex.third.at(words, after)
    if third and third.words == ("to",) and place > reading.begin and words[place - 1] not in CLOSING:
        return None  # "a meeting with Ann and Bob to review the plan"
    if third:
        return Trigger("will", place, after + len(third.words), owner)
    while after < len(words) and words[after] in lex.words.pronouns:
        after += 1
    verbs = (
        tuple(verb for verb, form in lex.finite.get(words[after], ()) if form == "third") if after < len(words) else ()
    )
    return Trigger("future", place, after + 1, owner, verbs) if verbs else None
