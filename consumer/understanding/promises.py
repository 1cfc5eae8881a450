"""Who says in a sentence that they will do something: first persons, and participants by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from consumer.understanding import certainty, chatter, numerals, objects, phrases, undertakings
from consumer.understanding.grammar import CLOSING, Phrases, SentenceReading
from consumer.understanding.languages import Verb
from consumer.understanding.languages.words import words as table
from consumer.understanding.phrases import Object
from consumer.understanding.statements import Due
from consumer.understanding.utterances import Person

ENDING = CLOSING - {"-", "(", ")", "[", "]", '"', "/"}


class Promise(NamedTuple):
    """``owner`` None is the author; ``pronoun`` that the object is only pointed to ("it") or left out ("I'll pay").

    ``to`` is whom the words name. ``need``: the author only says what they have to do, and not for the reader.
    """

    owner: Person | None
    object: str
    due: Due | None
    condition: str
    pronoun: bool
    to: str = ""
    need: bool = False


class _Trigger(NamedTuple):
    kind: str
    #: First word of the subject or verb, and the first one after them.
    start: int
    after: int
    owner: Person | None = None
    verbs: tuple[Verb, ...] = ()
    inverted: bool = False
    #: Without "I".
    alone: bool = False
    #: Whom the author promised it, where they tell of it: "I promised Bob to ..."; None where they promise it now.
    told_to: str | None = None


@dataclass(frozen=True)
class _Clause:
    """``begin``: first word of its clause; ``core``: where what is promised ends; ``end``: where the promise ends."""

    trigger: _Trigger
    begin: int
    core: int
    end: int


def find(
    reading: SentenceReading,
    names: Phrases,
    people: Mapping[str, Person],
    is_formal: Callable[[], bool],
    *,
    spoken: bool = False,
    to_many: bool = False,
    in_chat: bool = False,
    goes_on: Callable[[], bool] = lambda: False,
) -> Iterator[Promise]:
    """``names``: of participants, each with the key of its person in ``people``.

    ``is_formal``: whether the text around the sentence addresses its reader formally. ``spoken``: in a conversation,
    where "I'll answer that" and "we'll go through it" only announce the next step. ``to_many``: to a crowd.
    ``in_chat``: in a room or on a messenger, where most of what is said is over with the day. ``goes_on``: whether the
    line before has no end, so that "will return the list" has its subject there.
    """
    if reading.is_question:
        return
    if reading.lexicon.promising.isdisjoint(reading.words) and names.first.keys().isdisjoint(reading.words):
        return
    triggers = list(_triggers(reading, names, people, is_formal))
    previous = 0
    for number, trigger in enumerate(triggers):
        limit = triggers[number + 1].start if number + 1 < len(triggers) else len(reading.words)
        clause = _clause(reading, trigger, previous, limit)
        if clause is None:
            continue
        promise = _promise(reading, clause, frozenset(names.first), spoken)
        if promise and not promise.due:
            aside = to_many and not _is_for_many(reading, clause, promise)
            if aside or (_may_be_second_half(reading, trigger) and goes_on()):
                continue
        if kept := _kept_in_chat(reading, clause, promise) if promise and in_chat else promise:
            yield kept
            previous = trigger.after


def _kept_in_chat(reading: SentenceReading, clause: _Clause, promise: Promise) -> Promise | None:
    """What of a promise outlasts the chat; in "I can bring it tomorrow to the office" the thing is "it"."""
    _, first = _verb(reading, clause)
    named = reading.words[first : first + 1]
    if reading.lexicon.words.code == "en" and not {"it", "them"}.isdisjoint(named):
        promise = promise._replace(object=named[0], pronoun=True)
    return None if _is_chatted(reading, clause, promise) else promise


def _is_chatted(reading: SentenceReading, clause: _Clause, promise: Promise) -> bool:
    """Whether it is over with the day of the chat, is its author's own affair, or is said with a laugh.

    What outlasts a chat hands something over, or names its reader and a later day, or says "by": "I'll send you the
    draft", "I'll fix your bike on Friday", "I'll fix it by 5".
    """
    due, words, trigger = promise.due, reading.words, clause.trigger
    is_aside = chatter.is_laughing(reading.text) or (due and _LASTING.search(reading.text))
    if is_aside or chatter.is_at_once(reading, trigger.start, clause.end):
        return True
    to_reader = (
        promise.owner is not None
        or _is_to_reader(reading, trigger.start, clause.core)
        or not _YOURS.isdisjoint(words[trigger.after : clause.core])
    )
    is_english = reading.lexicon.words.code == "en"
    if due is None and is_english and ("let" in words[trigger.start : trigger.after] or not _hands(reading, clause)):
        return True  # "let me send you a picture": now
    if due is None or due.last_day <= reading.said_on.isoformat():
        gives = to_reader and (due is None or not is_english or not _GIVING_TONIGHT.isdisjoint(words[trigger.after :]))
        return not (gives or phrases.is_by(reading, due)) or bool(promise.condition)
    if to_reader:
        return phrases.is_at_once(due) or _verb(reading, clause)[0] == "meet"
    return is_english and not (promise.pronoun or phrases.is_by(reading, due) or _is_duty(reading, clause))


#: English: until when something is so, or for when it is needed: "for tomorrow".
_LASTING: Final = re.compile(
    r"\b(?:for|until|till?) (?:(?:next|this) )?"
    r"(?:to(?:day|morrow|night)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week)\b",
    re.IGNORECASE,
)
#: What is the reader's: "I'll drop off your drill tonight".
_YOURS: Final = table("your ur dein deine deinen deinem deiner ton tes votre vos tuo tuoi tua jouw")


def _hands(reading: SentenceReading, clause: _Clause) -> bool:
    """English: "I'll send you the form", and not "I'll get you some milk": what is handed over as two meet is over with
    that.
    """
    verb, first = _verb(reading, clause)
    if verb in _ASKED_TO:
        return _of_asked(reading, clause.trigger, first, clause.core, frozenset()) is not None
    return verb in _SENDING


_SENDING: Final = table("send resend return forward share lend post e-mail email mail pay transfer refund")


#: English: "I'll bring you the ladder tonight", and not "I'll bake you a cake tonight".
_GIVING_TONIGHT: Final = _SENDING | table("bring give drop let tell sending bringing")


def _is_duty(reading: SentenceReading, clause: _Clause) -> bool:
    """English: "I'll book the court on Friday"; not "I'll look for a dress", "I can pay half", "we'll order pizza"."""
    words, trigger = reading.words, clause.trigger
    if (
        trigger.kind == "must"
        or _is_plural(reading, clause)
        or not _OFFERING.isdisjoint(words[trigger.start : trigger.after])
    ):
        return False
    does = _verb(reading, clause)[0] in reading.lexicon.words.giving - _FETCHING
    return does and not any(pair in _TO_OTHERS for pair in pairwise(words[trigger.after :]))


_OFFERING: Final = frozenset({"can", "could"})
#: For oneself, as often.
_FETCHING: Final = frozenset({"collect", "fetch"})
#: "I'll give it to mum": to somebody else.
_TO_OTHERS: Final = frozenset(("to", other) for other in ("her", "him", "them", "mum", "mom", "dad", "my"))


def _may_be_second_half(reading: SentenceReading, trigger: _Trigger) -> bool:
    """Whether the subject of "will return the list" may stand in the line before."""
    soon = reading.lexicon.words.soon
    return trigger.alone and not trigger.start and not reading.capital(0) and soon.isdisjoint(reading.words)


def _is_for_many(reading: SentenceReading, clause: _Clause, promise: Promise) -> bool:
    """Whether a promise without a day before a crowd is more than small talk: to somebody, or to hand over a thing."""
    if promise.owner or promise.to or _is_to_reader(reading, clause.trigger.start, clause.core):
        return True
    verb, first = _verb(reading, clause)
    item = _object(reading, clause, first, frozenset())
    return verb in reading.lexicon.words.giving and _is_certain(reading, item)


def handed_over(reading: SentenceReading, names: Phrases, people: Mapping[str, Person]) -> str:
    """What the author gives with this very text: "Je vous envoie ci-joint le plan"; "" for none."""
    if reading.is_question or not reading.herewith:
        return ""
    for trigger in _triggers(reading, names, people, lambda: False):
        clause = _clause(reading, trigger, 0, len(reading.words))
        if clause is None or trigger.owner or not _is_with_text(reading, clause):
            continue
        denied = not reading.lexicon.words.negation.isdisjoint(reading.words[clause.begin : clause.core])
        item = _object(reading, clause, trigger.after, frozenset(names.first))
        return "" if denied or objects.is_idle(item.text, reading.lexicon.words) else item.text
    return ""


def _is_with_text(reading: SentenceReading, clause: _Clause) -> bool:
    """Whether it is given with the text itself, and so is no promise."""
    trigger = clause.trigger
    if trigger.kind not in ("present", "gerund"):
        return False
    if trigger.verbs and trigger.verbs[0].infinitive in reading.lexicon.words.performative:
        return False  # "hiermit best\u00e4tige ich"
    return not reading.herewith.isdisjoint(range(clause.begin, clause.end))


# --- where a promise may begin -----------------------------------------------------------------------------------


def _triggers(
    reading: SentenceReading, names: Phrases, people: Mapping[str, Person], is_formal: Callable[[], bool]
) -> Iterator[_Trigger]:
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


def _without_aside(reading: SentenceReading, trigger: _Trigger | None) -> _Trigger | None:
    """ "I will, as discussed, send the deck": behind what stands between two commas."""
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


#: Openings that may tell of a promise made before.
_TOLD: Final = frozenset({"promised", "undertaken", "perfect"})


def _opening(  # noqa: PLR0911 - one branch a form
    reading: SentenceReading, place: int, is_formal: Callable[[], bool]
) -> _Trigger | None:
    lex, words = reading.lexicon, reading.words
    phrase = lex.openings.at(words, place)
    if phrase is None:
        return None
    if phrase.kind == "will_alone":
        return _will_alone(reading, place, place + len(phrase.words))
    if phrase.kind == "you_get_formal":
        return _Trigger("you_get", _subject(reading, place), place + len(phrase.words)) if is_formal() else None
    if phrase.kind in _TOLD and (undertaking := undertakings.recounted(reading, place + len(phrase.words))):
        return _Trigger("will", place, undertaking.after, told_to=undertaking.to)
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
    return _Trigger(phrase.kind, start, place + len(phrase.words), inverted=inverted)


def _will_alone(reading: SentenceReading, place: int, after: int) -> _Trigger | None:
    """ "Will call the venue": what the author leaves out before it is "I"; "will you call" asks."""
    w = reading.lexicon.words
    if w.code == "nl" and not reading.dated and w.soon.isdisjoint(reading.words):
        return None  # "ga de auto wassen" asks
    if reading.words[place] == "going" and any(word.endswith("ing") for word in reading.words[:place]):
        return None  # "I remember installing it and then going to edit a file"
    asks = after < len(reading.words) and (reading.words[after] in w.pronouns or reading.words[after] in w.you)
    return _Trigger("will", place, after, alone=True) if not asks and _begins_without_subject(reading, place) else None


def _begins_without_subject(reading: SentenceReading, place: int) -> bool:
    """Whether a clause begins here, and who speaks is its subject.

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
    if any(words[n] in w.articles and n not in reading.dated for n in range(begin, place)):
        return False  # "and the team will review it"
    end = begin
    while end and words[end - 1] in joints:
        end -= 1
    if not end or end == begin:
        return not end
    first = end
    while first and words[first - 1] not in CLOSING and words[first - 1] != ",":
        first -= 1
    before = words[first:end]
    if " ".join(before) in reading.lexicon.whole or " ".join(before) in reading.lexicon.polite:
        return True
    subject = next((word for word in before if word not in w.fronting or word in w.subjects), "")
    return subject in w.subjects or subject.startswith("i'")


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


def _finite(reading: SentenceReading, place: int) -> _Trigger | None:
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
        if subject not in subjects and not (
            subject in lex.words.you and start < place and _begins_without_subject(reading, start)
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
    return _Trigger(kind, start, after + 1 if kept[0][0].particle else place + 1, verbs=tuple(verb for verb, _ in kept))


def _has_particle(reading: SentenceReading, verb: Verb, first: int, end: int) -> bool:
    return not verb.particle or verb.particle in reading.words[first:end]


def _verb_second(reading: SentenceReading, place: int) -> _Trigger | None:
    words, subjects = reading.words, reading.lexicon.words.subjects
    straight = place > 0 and words[place - 1] in subjects
    inverted = not straight and place + 1 < len(words) and words[place + 1] in subjects
    if not straight and not inverted:
        return _dropped(reading, place)
    subject = words[place - 1] if straight else words[place + 1]
    plural = subject in ("wir", "we", "wij")
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
    return _Trigger("present", start, after, verbs=verbs, inverted=inverted)


def _dropped(reading: SentenceReading, place: int) -> _Trigger | None:
    """ "Schick dir heute die Fotos", "ok, betaal het donderdag": "ich" and "ik" are left out, as in a chat.

    The same form asks. It promises where the one who is spoken to gets something, or after "ok", and where nothing in
    the sentence speaks of "me" or says "please".
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
    gives = to_you and any(verb.infinitive in w.giving for verb in verbs)
    later = bool(reading.dated) or not w.soon.isdisjoint(words)
    if (gives and (w.code != "nl" or later)) or (verbs and reading.dated and _is_agreed(reading, place)):
        return _Trigger("present", place, place + 1, verbs=verbs)
    return None


def _is_agreed(reading: SentenceReading, place: int) -> bool:
    """Whether "ok" or its like stands just before."""
    before = [word for word in reading.words[:place] if word not in CLOSING and word != ","]
    text = " ".join(before)
    return bool(before) and (text in reading.lexicon.polite or text in reading.lexicon.whole)


def _named(reading: SentenceReading, place: int, names: Phrases, people: Mapping[str, Person]) -> _Trigger | None:
    """ "Bob will send": only where one participant has that name."""
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
        return _Trigger("will", place, after + len(third.words), owner)
    while after < len(words) and words[after] in lex.words.pronouns:
        after += 1
    verbs = (
        tuple(verb for verb, form in lex.finite.get(words[after], ()) if form == "third") if after < len(words) else ()
    )
    return _Trigger("future", place, after + 1, owner, verbs) if verbs else None


# --- its clause --------------------------------------------------------------------------------------------------


def _clause(reading: SentenceReading, trigger: _Trigger, previous: int, limit: int) -> _Clause | None:
    begin = _begin(reading, trigger, previous)
    if begin is None:
        return None
    w, words = reading.lexicon.words, reading.words
    end = limit
    core = behind_name = 0
    for place in range(trigger.after, limit):
        if words[place] in ENDING or (words[place] in w.contrast and place > trigger.after):
            end = place
            break
        if place < behind_name:
            continue  # "I'll send you, Ann, the deck"
        if words[place] == "," and (behind_name := _behind_name(reading, place)):
            continue
        begins = words[place] in w.subordinate and not phrases.leads_to_day(reading, place)
        if not core and (words[place] == "," or begins or reading.is_condition(place)):
            core = place
    return _Clause(trigger, begin, core or end, end)


def _behind_name(reading: SentenceReading, place: int) -> int:
    """The first word behind a name between this comma and the next; 0 where none stands there."""
    words, w = reading.words, reading.lexicon.words
    if words[place - 1 : place] == () or words[place - 1] not in w.you:
        return 0
    end = place + 1
    while end < len(words) and reading.capital(end) and end not in reading.dated:
        end += 1
    return end + 1 if place + 1 < end < len(words) and words[end] == "," else 0


def _begin(reading: SentenceReading, trigger: _Trigger, previous: int) -> int | None:
    """First word of the clause; None where what stands before the subject makes it no main clause of its own."""
    w, words = reading.lexicon.words, reading.words
    begin = trigger.start
    while begin > previous and not _is_boundary(reading, begin - 1, previous):
        begin -= 1
    if 2 < begin == trigger.start and words[begin - 1] in w.conjunctions and words[begin - 3] in w.subordinate:
        return None  # "the support that Brent and I will give"
    front = range(begin, trigger.start)
    if trigger.inverted or (trigger.kind == "you_get" and w.verb_second):
        content = [n for n in front if words[n] not in w.conjunctions]
        blocked = any(words[n] in w.subordinate or reading.is_condition(n) for n in front)
        comma = begin > 0 and words[begin - 1] == ","
        return None if blocked or not (content or comma or trigger.kind == "you_get") else begin
    allowed = w.fronting | w.adverbs | w.conjunctions
    if not all(words[n] in allowed or n in reading.dated for n in front):
        return None
    if begin and words[begin - 1] == "," and _is_fronted(reading, previous, begin - 1):
        return previous
    return begin


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
    """Whether only a date stands there: "By Friday, I'll ..."."""
    return any(n in reading.dated for n in range(first, end)) and all(
        n in reading.dated or reading.words[n] in reading.lexicon.words.fronting for n in range(first, end)
    )


# --- what is promised --------------------------------------------------------------------------------------------


def _promise(  # noqa: PLR0911 - one branch a reason
    reading: SentenceReading, clause: _Clause, names: frozenset[str], in_talk: bool
) -> Promise | None:
    w, words, trigger = reading.lexicon.words, reading.words, clause.trigger
    opening = words[clause.begin : clause.core]
    if any(
        reading.words[n] in w.negation and not _excludes_date(reading, n) and phrases.denies(reading, n, n + 1)
        for n in range(clause.begin, clause.core)
    ):
        return None
    if not w.hedges.isdisjoint(opening) or words[0] in w.hedges or _is_reported(reading, clause.begin):
        return None
    if not w.habits.isdisjoint(opening) or _is_given(reading, clause) or _is_thought(reading, clause):
        return None
    verb, first = _verb(reading, clause)
    aside = "(" in words[: trigger.start] and ")" not in words[words.index("(") : trigger.start]
    # "We will only release what was approved": a rule.
    if first < 0 or aside or (w.code == "en" and words[trigger.after : trigger.after + 1] == ("only",)):
        return None
    # "On Monday I promised Bob to ...": the day of the promise.
    front = (clause.begin, trigger.start) if trigger.told_to is None else (trigger.after, trigger.after)
    due = phrases.due(reading, *front, _due_end(reading, clause, verb))
    item = _object(reading, clause, first, names, due)
    condition = _condition(reading, clause, verb, first)
    if (
        condition is None
        or not _is_enough(reading, clause, verb, item, due)
        or _is_own(reading, clause, verb, item, due)
    ):
        return None
    if in_talk and not _is_later(reading, due) and _is_next(reading, clause, verb):
        return None
    # "I'll introduce the speakers, and you will have time": not to the reader.
    to_reader = _is_to_reader(reading, trigger.start, item.last + 1 if item.text else clause.core)
    steps = certainty.is_step_of_text(reading, clause.begin, trigger.start, verb)
    if due is None and not to_reader and (steps or certainty.is_for_whoever(reading)):
        return None
    text = item.text or _pronoun(reading, trigger.start, clause.core)
    to = _promised_to(reading, trigger) if trigger.kind == "promised" else trigger.told_to or ""
    for_reader = to_reader or _is_to_reader(reading, trigger.start, clause.core)
    need = trigger.kind == "must" and not for_reader and _CAN.isdisjoint(words[trigger.start : trigger.after])
    return Promise(trigger.owner, text, due, condition, not item.text, to, need)


def _is_given(reading: SentenceReading, clause: _Clause) -> bool:
    """Whether it comes with these words: "herewith", or "I'll share the link: https://..."."""
    after = clause.trigger.after
    shares = not _LINKING.isdisjoint(reading.words[after : after + 2])
    return _is_with_text(reading, clause) or (shares and "://" in reading.text[reading.tokens[after - 1].end :])


_LINKING: Final = frozenset({"share", "post", "send", "paste", "link", "drop", "leave", "put"})


def _is_thought(reading: SentenceReading, clause: _Clause) -> bool:
    """Whether it may never happen ("next time"), or is only supposed ("ich glaube, ich sollte ...")."""
    words, lex = reading.words, reading.lexicon
    # "Feel free to write, and I will answer."
    offers = certainty.is_promotion(reading) or certainty.is_offered_help(reading)
    if any(lex.vague.within(words, 0, clause.end)) or offers:
        return True
    begin = clause.begin
    if any(words[n : n + 2] in _SUPPOSING and _is_end(reading, n + 2) for n in range(clause.trigger.after, len(words))):
        return True  # "I'm going to return it, I think"
    return begin > 1 and words[begin - 1] == "," and not _THINKING.isdisjoint(words[max(0, begin - 4) : begin - 1])


def _is_end(reading: SentenceReading, place: int) -> bool:
    return all(word in ENDING for word in reading.words[place:])


_SUPPOSING: Final = (("i", "think"), ("i", "guess"), ("i", "suppose"), ("i", "believe"))
#: "I think", before a comma.
_THINKING: Final = frozenset({"glaube", "denke", "think", "guess", "denk", "geloof", "credo", "penso", "creo", "acho"})


def _due_end(reading: SentenceReading, clause: _Clause, verb: str) -> int:
    """The end of the words among which its date must be."""
    trigger, words = clause.trigger, reading.words
    if verb in _ASKED_TO:  # "I'll ask them to stay until Monday": they stay
        asked = (
            n
            for n in range(trigger.after, clause.core - 1)
            if words[n] == "to" and words[n + 1] in reading.lexicon.base.keys() | reading.lexicon.words.idle_verbs
        )
        if place := next(asked, 0):
            return place
    if reading.words[trigger.start : trigger.after] == ("let", "me"):
        return clause.core  # "let me look, we can meet on Friday"
    return phrases.main_end(reading, clause.core, clause.end)


def _is_reported(reading: SentenceReading, begin: int) -> bool:
    """ "Bob said: I'll send it": somebody else's words."""
    w = reading.lexicon.words
    before, after = reading.words[:begin], reading.words[begin:]
    place = next((n for n, word in enumerate(after[:-2]) if word == "," and after[n + 1] in w.reported), 0)
    if place and reading.capital(begin + place + 2):
        return True  # "I'll send it, said Anna"
    if not begin or w.reported.isdisjoint(before):
        return False
    # "Anna meinte, ich schicke es": German and Dutch say so without "that".
    return before[-1] == ":" or (before[-1] == "," and w.verb_second and not any(each in before for each in w.subjects))


def _promised_to(reading: SentenceReading, trigger: _Trigger) -> str:
    """The name after "I promised", or behind the thing: "I owe the drawings to Anna"."""
    first, last = _name_behind(reading, trigger)
    return reading.slice(first, last - 1) if last > first else undertakings.receiver(reading, first)


def _name_behind(reading: SentenceReading, trigger: _Trigger) -> tuple[int, int]:
    """Where a name right behind the verb begins and ends."""
    w, words, first = reading.lexicon.words, reading.words, trigger.after
    if first < len(words) and (words[first] in w.to or words[first] in w.recipient):
        first += 1
    last = first
    while last < len(words) and reading.capital(last) and words[last] not in w.articles and last not in reading.dated:
        last += 1
    return first, last


def _is_to_stranger(reading: SentenceReading, trigger: _Trigger) -> bool:
    """ "I owe my landlady 200 euros": not the reader, and nobody whom the record names."""
    whom = reading.words[trigger.after : trigger.after + 3]
    return (
        len(whom) == 3
        and whom[0] in ("my", "our")
        and (whom[2] in reading.lexicon.words.articles or not whom[2].isalpha())
    )


def _excludes_date(reading: SentenceReading, place: int) -> bool:
    """ "Not before Friday": the word is about the date."""
    return any(hit.role == "never" and 0 <= hit.start - reading.tokens[place].end < 16 for hit in reading.dates)


def _verb(  # noqa: C901, PLR0911, PLR0912 - one branch a form
    reading: SentenceReading, clause: _Clause
) -> tuple[str, int]:
    """(the infinitive, the first word that may belong to its object); (_, -1) where nothing is done."""
    trigger, words, lex = clause.trigger, reading.words, reading.lexicon
    if trigger.kind in ("future", "present"):
        return trigger.verbs[0].infinitive, trigger.after
    if trigger.kind in ("undertaking", "gerund", "you_get"):
        # "I'm calling to offer you the position" is done by saying it.
        why = trigger.kind == "gerund" and words[trigger.after : trigger.after + 1] == ("to",)
        return ("", -1) if why else (trigger.kind, trigger.after)
    if trigger.kind == "promised" and (
        words[trigger.after : trigger.after + 1] in (("myself",), ("ourselves",)) or _is_to_stranger(reading, trigger)
    ):
        return "", -1
    if trigger.kind == "promised":
        first, last = _name_behind(reading, trigger)
        return trigger.kind, trigger.after + last - first
    if trigger.kind == "perfect":
        done = any(word in lex.participles for word in words[trigger.after : clause.core])
        return (trigger.kind, trigger.after) if done else ("", -1)
    if lex.words.verb_second:
        if trigger.kind == "will" and not _NEED.isdisjoint(words[trigger.after : clause.core]):
            return "", -1  # "ich werde mir 70.000 leihen m\u00fcssen"
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
        if words[place] == "have" and words[place - 1] == "could":
            return "", -1  # "I could have sent it": nobody did
        if words[place] == "have":
            return _have_done(reading, place, clause.core)
    if words[place : place + 2] in _MAKING:
        return "", -1
    verbs = lex.infinitive(words[place])
    return (verbs[0].infinitive, place + 1) if verbs else ("", -1)


#: "I can send it by four" offers it, in all languages.
_CAN: Final = table("can could let kann können peux peut pouvons puedo podemos posso possiamo kan kunnen")
#: "I'll make sure", "I can make it at noon": nothing that is made.
_MAKING: Final = (("make", "sure"), ("make", "it"), ("call", "it"), ("make", "time"), ("make", "that"))
_NEED: Final = frozenset({"m\u00fcssen", "moeten"})


def _have_done(reading: SentenceReading, place: int, end: int) -> tuple[str, int]:
    """ "I'll have the slides ready", "I'll have reviewed the contract", "I'll have Bob send you the deck"."""
    if ("time", "to") in pairwise(reading.words[place:end]):
        return "", -1  # "I'll have time to work on it"
    if caused := _caused(reading, place, end):
        return caused
    states, joints = reading.lexicon.participles | _STATES, reading.lexicon.words.conjunctions
    subjects = reading.lexicon.words.subjects
    stops = joints.union(subjects, ("you", "they", "has", "which", "that"))
    end = next((n for n in range(place + 1, end) if reading.words[n] in stops), end)
    done = [n for n in range(place + 1, end) if reading.words[n] in states and _is_reached(reading, place, n)]
    if done and "to" in reading.words[place : done[0]]:
        return "", -1  # "I'll have more chances to get trained"
    if done and reading.words[done[0] - 1] in reading.lexicon.words.idle | phrases.OCCASIONS:
        return "", -1  # "we'll have lunch with Ann", "we shall have a meeting with her"
    return ("finish", done[0] + 1 if done[0] == place + 1 else place + 1) if done else ("", -1)


def _caused(reading: SentenceReading, place: int, end: int) -> tuple[str, int] | None:
    """What somebody else is to do for the author: a name or a noun and an infinitive with an object."""
    w, words = reading.lexicon.words, reading.words
    for n in range(place + 2, min(place + 6, end - 1)):
        longer = reading.lexicon.idioms.at(words, n)
        verbs = reading.lexicon.infinitive(words[n])
        if longer and not reading.capital(n) and words[n - 1].isalpha():
            return " ".join(longer.words), n + len(longer.words)
        doer = words[n - 1].isalpha() and words[n - 1] not in w.articles | w.prepositions | w.conjunctions
        following = words[n + 1]
        thing = following in w.articles | w.you | w.me | w.pronouns | w.pronoun_objects
        if verbs and doer and thing and not reading.capital(n):
            return verbs[0].infinitive, n + 1
    return None


def _is_reached(reading: SentenceReading, verb: int, place: int) -> bool:
    """ "The draft to you", "with Anna by Friday"; and not "chances to invite you to the quay"."""
    w, words = reading.lexicon.words, reading.words
    if words[place] not in ("to", "with"):
        return True
    if words[place] in words[verb:place] or words[place - 1] in ("similar", "related", "comparable"):
        return False
    following = words[place + 1] if place + 1 < len(words) else ""
    named = following and reading.capital(place + 1)
    return bool(named) or following in w.you or (words[place] == "to" and following in w.articles)


_STATES: Final = frozenset({"ready", "done", "finished", "complete", "back", "over", "sorted", "to", "with"})


def _object(
    reading: SentenceReading, clause: _Clause, first: int, names: frozenset[str], due: Due | None = None
) -> Object:
    words, lex, trigger = reading.words, reading.lexicon, clause.trigger
    end = clause.core
    small, when = lex.words.prepositions, False
    comma = next((n for n in range(first, min(first + 2, end)) if words[n] == ","), 0)
    first = (_behind_name(reading, comma) if comma else 0) or first
    while first < end and (words[first] in lex.words.adverbs or words[first] == ","):
        if when and words[first] in small and lex.words.code == "en":
            break  # "call now through the desk"
        when = words[first] not in small
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
    if asked := _of_asked(reading, trigger, first, end, names):
        return asked
    end_of_thing = _until_done(reading, first, end)
    item = phrases.find(reading, first, end_of_thing, names)
    if due and not item.text and not item.pronoun:  # "any invoices", by a day
        item = phrases.find(reading, first, end_of_thing, names, dated=True)
    if not item.text and (trigger.inverted or (trigger.kind == "you_get" and lex.words.verb_second)):
        front = phrases.find(reading, clause.begin, trigger.start, names)
        return front if front.text else item
    return item


def _of_asked(
    reading: SentenceReading, trigger: _Trigger, first: int, end: int, names: frozenset[str]
) -> Object | None:
    """English: the keys in "I'll ask Angela to bring the keys"; None where nobody is asked to do something."""
    words, lex = reading.words, reading.lexicon
    if lex.words.code != "en" or trigger.kind != "will" or words[first - 1] not in _ASKED_TO:
        return None
    place = next((n for n in range(first + 1, min(first + _WHOM, end - 1)) if words[n] == "to"), 0)
    if not place or words[place + 1] not in lex.base:
        return None
    item = phrases.find(reading, place + 2, _until_done(reading, place + 2, end), names)
    return item if item.text else None


#: Words of whom one asks, and the one behind them.
_WHOM: Final = 4


def _until_done(reading: SentenceReading, first: int, end: int) -> int:
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


def _condition(reading: SentenceReading, clause: _Clause, verb: str, first: int) -> str | None:
    """Words of its condition, "" for none; None where the sentence is one big maybe."""
    span = _own_condition(reading, clause)
    if span is None:
        return ""
    w = reading.lexicon.words
    its_words = reading.words[span[0] : span[1] + 1]
    between = reading.words[span[1] + 1 : clause.trigger.start]
    if between[-4:] == ("let", "me", "know", "and"):
        return None  # "if you have none, please let me know and I'll send copies": whoever asks gets them
    if (
        _is_mood(reading, span)
        or certainty.may_be_forgotten(its_words)
        or certainty.is_offer_to_whom_it_may_concern(reading, span)
        or certainty.may_never_be(its_words)
    ):
        return None
    if span[0] < clause.trigger.start <= span[1] and reading.words[clause.trigger.start - 1] in w.conjunctions:
        return ""  # "we met after the talk with the board and will send a note"
    if (verb in w.asking and first <= span[0] <= first + 3) or reading.words[span[0] - 1] in w.asking:
        return ""  # "ask if", "and see if": what is to be found out
    # "I'll call on Friday, and if you have heard nothing, ...": the condition of the next clause.
    own = span[0] < clause.end and not (span[0] > clause.trigger.after and reading.words[span[0] - 1] in w.conjunctions)
    return reading.slice(*span) if own else ""


def _own_condition(reading: SentenceReading, clause: _Clause) -> tuple[int, int] | None:
    """The condition right before the clause ("see if he is in; if so, I'll write"), else the first one."""
    between = reading.lexicon.words.fronting | {","}
    fronted = (
        span
        for span in reading.conditions
        if span[1] < clause.trigger.start and between.issuperset(reading.words[span[1] + 1 : clause.trigger.start])
    )
    first = reading.condition
    if first and not reading.lexicon.words.contrast.isdisjoint(reading.words[first[1] + 1 : clause.trigger.start]):
        return next(fronted, None)  # "if it is no use, leave it, but I'll look at it"
    return next(fronted, first)


def _is_mood(reading: SentenceReading, span: tuple[int, int]) -> bool:
    """ "If the soup is good", "wenn das Wetter schön ist", "si j'ai le temps": what hangs on the weather, a taste or
    the time left is a mood. What hangs on an event ("if the board agrees") or on the reader is a promise.
    """
    lex, words = reading.lexicon, reading.words[span[0] : span[1] + 1]
    w = lex.words
    states = w.states.intersection(words)
    reader = any(word in w.you for word in words)
    # "If the form is signed": an event.
    happens = not lex.participles.isdisjoint(words) or any(c.isdigit() for word in words for c in word)
    return bool(states) and words[0] in w.doubt and not (reader or happens or not w.suits.isdisjoint(words))


def _is_enough(  # noqa: C901, PLR0911 - one branch a form
    reading: SentenceReading, clause: _Clause, verb: str, item: Object, due: Due | None
) -> bool:
    """Whether verb, object and date together are a promise, and not idle talk or a habit."""
    w, trigger = reading.lexicon.words, clause.trigger
    own = phrases.contact_clause(reading, trigger.after, clause.core)
    to_you = _is_to_reader(reading, trigger.start, own or clause.core)
    of_house = not to_you and due is None and reading.words[trigger.start] in ("our", "my")  # "our team will review it"
    if of_house or _is_empty(reading, clause, verb, item, due, to_you=to_you):
        return False
    if not item.text and not item.pronoun and due and verb in w.elliptic and trigger.kind in _PLAIN:
        return True
    if not item.text and not (item.pronoun and due):
        pointed = bool(not item.text and due and _pronoun(reading, trigger.start, clause.core))
        return pointed and trigger.kind not in ("you_get", "gerund")
    if trigger.kind == "you_get":
        return bool(item.text) and _is_from_me(reading, clause, item, due)
    if trigger.kind == "must" and not to_you and (_is_of_several(reading, trigger) or not _is_owed(reading, verb, due)):
        return False  # "we need to call them by Friday": nobody in particular; "I need to cancel my lesson tomorrow"
    # "Let me send you the list", "I still have to send you the list", and not "I can send you the list".
    owes = trigger.kind == "must" and to_you and verb in w.giving and _is_no_offer(reading, trigger)
    if owes and bool(item.text):
        return True
    if trigger.kind == "must" or verb in w.weak:
        return due is not None or (
            trigger.kind != "must" and to_you and verb in ("give", "get", "bring", "geben", "make")
        )
    if trigger.kind in ("perfect", "promised"):
        return due is not None and (trigger.kind == "promised" or phrases.is_by(reading, due))
    if trigger.kind == "gerund":
        # "I'm organising a race next month" tells of a plan; whoever sends or pays something owes it.
        following = reading.words[trigger.after] if trigger.after < len(reading.words) else ""
        # "We're sharing the first page tomorrow": with each other.
        shared = reading.words[trigger.after - 1] == "sharing" and not to_you
        gives = (_gives(reading, trigger.after - 1) and not shared) or following in w.you
        future = not _WILL_BE.isdisjoint(reading.words[trigger.start : trigger.after])
        of_thing = not w.prepositions.isdisjoint(reading.words[item.first : item.last])
        if of_thing and not future and not phrases.is_by(reading, due):
            return False  # "I'm forwarding the slide from the talk on Monday": the day of the talk
        # "I'm sending you two files": with these words. "I'm giving a talk on Monday": a plan.
        return gives and due is not None and (to_you or _is_certain(reading, item) or phrases.is_by(reading, due))
    if trigger.kind == "present":
        if verb in w.performative:
            return phrases.is_by(reading, due)
        volunteers = verb in w.arranging or (not w.verb_second and w.code != "fr" and _has_subject(reading, clause))
        return due is not None or to_you or (volunteers and _is_certain(reading, item))
    return True


def _is_no_offer(reading: SentenceReading, trigger: _Trigger) -> bool:
    words = reading.words[trigger.start : trigger.after]
    return words == ("let", "me") or _CAN.isdisjoint(words)


#: "I'll be forwarding": no plan that is told of.
_WILL_BE: Final = frozenset({"i'll", "we'll", "will"})


def _is_of_several(reading: SentenceReading, trigger: _Trigger) -> bool:
    """ "We have to", "temos de": what several need."""
    words = reading.words[trigger.start : trigger.after]
    romance = not reading.lexicon.words.verb_second and reading.lexicon.words.code != "en"
    return any(word in reading.lexicon.words.us or (romance and word.endswith(_SEVERAL)) for word in words)


#: Endings of verbs whose subject is "we".
_SEVERAL: Final = ("mos", "iamo", "ons")


def _is_owed(reading: SentenceReading, verb: str, due: Due | None) -> bool:
    return verb in reading.lexicon.words.giving or phrases.is_by(reading, due)


def _is_programme(reading: SentenceReading, clause: _Clause, verb: str, item: Object) -> bool:
    """English: "we will close the day with a talk", "I'll have some people over": how a time is spent."""
    guests = verb == "finish" and reading.words[item.last + 1 : item.last + 2] == ("over",)
    following = reading.words[item.last + 2 : item.last + 3]
    if guests and following not in (("to",), ("by",)) and _is_having(reading, clause):
        return True
    gives = reading.words[clause.trigger.after - 1] == "giving" and item.head in phrases.OCCASIONS | _LECTURES
    text = " ".join(reading.words)
    if gives or _BROADCAST.search(text) or _AT_MEETING.match(text):
        return True
    return reading.words[max(item.first, 0)] in _SESSIONS and verb in _SPENDING


def _is_having(reading: SentenceReading, clause: _Clause) -> bool:
    return "have" in reading.words[clause.trigger.after - 1 : clause.trigger.after + 2]


#: "We'll bring you the latest from the fair", "in that meeting, we will review the results".
_BROADCAST: Final = re.compile(
    r"\bwe(?:'ll| will) bring you\b.*\b(?:details|news|coverage|stories|story|updates?|highlights|reports?|latest)\b"
)
_AT_MEETING: Final = re.compile(
    r"(?:in|at|during) (?:the|that|this|our) (?:\w+ )?(?:meeting|call|session|workshop|seminar) ,? ?"
    r"we(?:'ll| will)\b(?!.*\byou\b)"
)
#: "I am giving my lecture on Monday."
_LECTURES: Final = frozenset({"lecture", "defense", "defence", "concert", "class"})
_SESSIONS: Final = table("day morning afternoon evening night week weekend session")
_SPENDING: Final = frozenset(
    {"finish", "start", "begin", "open", "close", "end", "conclude", "spend", "continue", "kick off"}
)


def _is_regular(reading: SentenceReading, item: Object) -> bool:
    """ "I'll send the report monthly to the board"; "the table of monthly rents" is one thing."""
    words, ends = reading.words, reading.lexicon.words.prepositions | ENDING
    return any(
        words[n] in _OFTEN and (n + 1 == len(words) or words[n + 1] in ends)
        for n in range(item.first + 1, min(item.last + 2, len(words)))
    )


def _is_empty(  # noqa: PLR0911 - one branch a reason
    reading: SentenceReading, clause: _Clause, verb: str, item: Object, due: Due | None, *, to_you: bool
) -> bool:
    """Whether it is idle talk, a habit, a proposal to all, a plan of one's own or somebody else's sentence."""
    w, words, trigger = reading.lexicon.words, reading.words, clause.trigger
    idle = item.text and objects.is_idle(item.text, w) and not (item.head in _OWED and verb in w.giving)
    if idle or (item.text and _is_regular(reading, item)):
        return True
    if trigger.kind == "must" and (_is_reason(reading, trigger) or _is_because(reading, clause) or verb == "tell"):
        return True  # "I can tell you that she left this morning"
    if not to_you and (verb == "meet" or (trigger.kind == "must" and _proposes(reading, trigger))):
        return True  # "I'll meet some friends": a plan of one's own
    if due or to_you:
        return False
    if words[trigger.after - 1] == "just" or (verb == "pass on" and not _is_certain(reading, item)):
        return True  # "I'll just take the other one": a choice of one's own; "I'll pass on dessert"
    casual = reading.lexicon.casual
    if any(casual.within(words, trigger.start, clause.core)):
        return True
    # "Will deploy the cables": whoever the mail tells of. "Will call the venue later": the author.
    alone = w.code == "en" and words[trigger.start] == "will" and trigger.kind == "will" and not trigger.owner
    if (
        trigger.alone
        and words[trigger.start] in ("going", "gonna")
        and not (item.pronoun or _is_certain(reading, item))
    ):
        return True  # "going to write a plan"
    return alone and w.soon.isdisjoint(words)


#: English: idle by itself ("I'll make money"), and owed where it is paid or returned.
_OWED: Final = frozenset({"money"})


def _is_own(  # noqa: C901, PLR0911, PLR0912 - one branch a form
    reading: SentenceReading, clause: _Clause, verb: str, item: Object, due: Due | None
) -> bool:
    """Whether people do it for themselves: "ich kaufe mir einen Schal", "I'm going to order some sushi tonight"."""
    w = reading.lexicon.words
    to_reader = _is_to_reader(reading, clause.begin, clause.core)
    after = clause.trigger.after
    if (
        w.code == "en"
        and (
            _is_programme(reading, clause, verb, item)
            # "I'll just give you the highlights": they follow.
            or (due is None and reading.words[after - 1 : after + 1] == ("just", "give"))
        )
    ):
        return True
    if verb in _CALLING and clause.trigger.kind == "present":
        small = w.pronouns | w.you | _ONLY
        following = (word for word in reading.words[clause.trigger.after : clause.core] if word not in small)
        if next(following, "") in _WHY:
            return True  # "ich rufe Sie wegen des Termins an", "ti chiamo per dirti": said in the call itself
    if clause.trigger.owner:
        return False
    if due is None and w.code == "en" and _is_plural(reading, clause) and _is_service(reading, item):
        return True
    if w.code == "en" and certainty.is_looking(verb) and not to_reader and _is_mine(reading, item):
        return True
    if due is None and w.code == "en" and verb == "buy" and not _is_certain(reading, item):
        return True  # "I'll buy you a drink at the fair": thanks
    if to_reader:
        return False
    if due is None and w.code == "it" and reading.words[clause.trigger.after - 1].endswith("iamo"):
        return True  # "prepariamo le cose": let us
    if due is None and _is_plural(reading, clause) and verb not in w.giving | w.arranging:
        # "We'll export goods", "we will publish the interview on our page": what a house does.
        return w.code == "en" or (not item.pronoun and not _is_certain(reading, item))
    alone = not w.for_self.isdisjoint(reading.words[clause.begin : clause.core])
    if due is None and alone and w.code == "en" and verb not in w.giving:
        return True  # "I'm going to compile it myself"
    if verb not in w.acquiring:
        return False
    if w.code == "en" and item.first > 0 and reading.words[item.first - 1] in ("my", "our"):
        return True  # "we'll get our training in this week"
    if alone:
        return True
    return not item.pronoun and not _is_certain(reading, item) and not phrases.is_by(reading, due)


def _is_mine(reading: SentenceReading, item: Object) -> bool:
    """English: "I'll check messages on Monday", "I'll look at all my options"."""
    return "my" in reading.words[max(0, item.first - 2) : item.first] or item.head in _MAIL


_MAIL: Final = table("mail email emails e-mail e-mails messages voicemail voicemails inbox")
_CALLING: Final = frozenset({"anrufen", "bellen", "appeler", "llamar", "ligar", "chiamare"})
_ONLY: Final = frozenset({"nur", "alleen", "juste", "seulement", "solo", "só", "apenas", "soltanto"})
_WHY: Final = frozenset({"wegen", "weil", "om", "omdat", "pour", "por", "porque", "per", "perché"})


def _is_later(reading: SentenceReading, due: Due | None) -> bool:
    """Whether it is due after the conversation: on another day, or at an hour of the same day."""
    if due is None or phrases.is_at_once(due):
        return False
    return bool(due.time) or due.day > reading.said_on.isoformat()


def _is_next(reading: SentenceReading, clause: _Clause, verb: str) -> bool:
    """Whether it is a next step of the conversation, or what "we" intend, and nobody is to get anything from it."""
    w, trigger = reading.lexicon.words, clause.trigger
    if trigger.owner:
        return False
    to_reader = _is_to_reader(reading, trigger.start, clause.core)
    if verb in w.staging or trigger.kind == "gerund":
        looks = verb.endswith("look at") and not w.asking.isdisjoint(reading.words[trigger.after + 1 : clause.end])
        return not looks  # "look at it and see if it fits" is work
    if verb in _ASKING and to_reader:
        return True
    return _is_plural(reading, clause) and not to_reader


def _is_plural(reading: SentenceReading, clause: _Clause) -> bool:
    w, trigger = reading.lexicon.words, clause.trigger
    verb = reading.words[trigger.after - 1]
    ending = ("remo", "iamo", "rons", "remos") if trigger.verbs and not w.verb_second else ()
    subjects = [word for word in reading.words[: trigger.after] if word in w.us or word in w.subjects]
    return (bool(subjects) and subjects[-1] in w.us) or verb.endswith(ending or "\0")


#: English: verbs of asking others, who are to do what follows.
_ASKED_TO: Final = frozenset({"ask", "tell", "remind", "invite", "request"})
#: "I'll ask you": the question follows.
_ASKING: Final = frozenset({"ask", "fragen", "demander", "preguntar", "perguntar", "chiedere", "vragen"})


def _is_to_reader(reading: SentenceReading, first: int, end: int) -> bool:
    """Whether the words name those who are addressed; a lower-case "sie" in German and the Italian article "le" do not
    count.
    """
    w = reading.lexicon.words
    small = frozenset({"sie", "ihnen"}) if w.code == "de" else frozenset[str]()
    return any(
        reading.words[n] in w.you
        and (reading.words[n] not in small or reading.capital(n))
        and not (w.code == "it" and reading.words[n] in w.articles and n + 1 < end and n > first + 1)
        for n in range(first, end)
    )


#: Behind what is done: a habit.
_OFTEN: Final = frozenset({"daily", "weekly", "monthly", "quarterly"})
_PLAIN: Final = frozenset({"will", "future", "present"})


def _proposes(reading: SentenceReading, trigger: _Trigger) -> bool:
    """ "We can ask Ed on Friday" is a proposal to all."""
    return reading.words[trigger.start : trigger.after] in (("we", "can"), ("we", "could"))


def _is_reason(reading: SentenceReading, trigger: _Trigger) -> bool:
    """ "Bring two copies so I can give you one": what for; or "I could call you", a proposal."""
    if reading.lexicon.words.code == "en" and "could" in reading.words[trigger.start : trigger.after]:
        return True
    before = reading.words[trigger.start - 1] if trigger.start > 1 else ""
    return reading.lexicon.words.code == "en" and before in ("so", "that", "where")


def _is_because(reading: SentenceReading, clause: _Clause) -> bool:
    """ "Because we have to give a number on Friday, ...": why."""
    return not _BECAUSE.isdisjoint(reading.words[clause.begin : clause.trigger.start])


_BECAUSE: Final = frozenset({"because", "since", "as"})


def _gives(reading: SentenceReading, place: int) -> bool:
    """Whether the word in -ing is one of a verb of giving."""
    stem = reading.words[place].removesuffix("ing")
    return not reading.lexicon.words.giving.isdisjoint({stem, stem + "e", stem[:-1]})


def _has_subject(reading: SentenceReading, clause: _Clause) -> bool:
    """Italian, Portuguese and Spanish name a first person only where it matters who does it: "yo consigo las cajas"."""
    subjects = reading.lexicon.words.subjects
    return any(word in subjects for word in reading.words[clause.trigger.start : clause.core])


def _is_certain(reading: SentenceReading, item: Object) -> bool:
    """Whether the object is a certain one: "the boxes", "my boxes", and not "a box" or "boxes"."""
    w = reading.lexicon.words
    numbers = numerals.up_to_twenty(w.code)
    before = reading.words[max(0, item.first - 1) : max(0, item.first)]
    return any(word in w.articles and word not in numbers and word not in _SOME for word in before)


def _is_service(reading: SentenceReading, item: Object) -> bool:
    """English, of "we": what a house does for everybody: "we'll provide updates as we get them", "we'll send you a
    letter as soon as it is processed". A thing with an article, a number or a name and without a condition is none.
    """
    w, counts = reading.lexicon.words, numerals.up_to_twenty(reading.lexicon.words.code)
    if reading.condition or reading.text.rstrip().endswith("!"):
        return True  # "we will give you all the training that you need!"
    if item.pronoun or item.first < 0:
        return False
    before, first = reading.words[max(0, item.first - 1)], reading.words[item.first]
    named = reading.capital(item.first)
    return not named and before not in w.articles and not first.isdigit() and counts.keys().isdisjoint((before, first))


_SOME: Final = frozenset({"some", "any", "another", "every", "einige", "etwas", "quelques"}) | {
    "alcuni", "alcune", "algunos", "algunas", "alguns", "algumas",
}  # fmt: skip


def _is_from_me(reading: SentenceReading, clause: _Clause, item: Object, due: Due | None) -> bool:
    """Whether you get it from the author: "from me", or a certain thing or by a day, and from nobody else."""
    lex, words = reading.lexicon, reading.words
    span = range(clause.begin, clause.core)
    if any(lex.from_me.at(words, n) for n in span):
        return True
    first = words[clause.trigger.after : clause.trigger.after + 1]
    if first and (first[0] in lex.participles or first[0].endswith("ed")):
        return False  # "you'll get used to it", "you should have received it"
    if due is None or any(words[n] in lex.words.from_others and n not in reading.dated for n in span):
        return False
    if lex.words.code == "en" and item.head in _GAINED:
        return False  # "by Friday you'll have a better understanding of it"
    has = any(words[n] in _HAVE for n in range(clause.trigger.start, clause.trigger.after))
    return phrases.is_by(reading, due) or (not has and _is_certain(reading, item))


#: What one gets without anybody's giving it.
_GAINED: Final = table(
    "understanding idea experience knowledge skills skill access feeling impression opportunity option choice success "
    "sense fun trouble problem problems issue issues difficulty difficulties time insight insights confidence tools"
)
#: "Hast du": what you get and what you have are told by the same word.
_HAVE: Final = frozenset({"hast", "haben", "heb", "heeft"})


def _pronoun(reading: SentenceReading, first: int, end: int) -> str:
    """The word that points to what is promised, as it was said."""
    w = reading.lexicon.words
    for place in range(max(first, 0), end):
        if reading.words[place] in w.pronoun_objects - {"things", "stuff"} and place not in reading.dated:
            return reading.slice(place, place)
    return ""
