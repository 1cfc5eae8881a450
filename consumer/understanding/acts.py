"""Requests for an act or an answer, where nothing is handed over: "could you speak at the dinner", "let me know whether
the price works", "we need your comments on the draft".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from consumer.understanding import actwords, certainty, objects, phrases, requests
from consumer.understanding.grammar import CLOSING, SentenceReading, WordMatch
from consumer.understanding.requests import Asking
from consumer.understanding.statements import Due
from consumer.understanding.text import fold


def find(reading: SentenceReading) -> Asking | None:  # noqa: PLR0911 - one branch a reason
    """What a written sentence of one author asks of its reader beside what ``requests.ask`` reads."""
    if reading.begin >= len(reading.words) or not may_be(reading) or not _is_meant(reading):
        return None
    hit = _hit(reading)
    if hit is None or hit.match.lastindex is None:
        return _reminder(reading) or _on_event(reading)
    first, end = hit.span(hit.match.lastindex)
    while reading.lexicon.words.code != "en" and first + 1 < end and reading.words[first] in reading.lexicon.words.me:
        first += 1  # "wenn du *mir* die Liste schicken könntest"
    last, asks = _last(reading, first, end), reading.words[first] in actwords.QUESTION_WORDS
    # "Which rooms are not booked" asks, and "don't tell me which rooms are booked" does not.
    if last < first or phrases.denies(reading, hit.begin, first if asks else last + 1):
        return None
    # "Let me know when you want to talk" asks, and "let me know if you want a copy" offers it.
    is_open = asks and reading.words[first] not in reading.lexicon.words.doubt
    if requests.is_offer(reading) and not (is_open and reading.condition and reading.condition[0] == first):
        return None
    text = reading.slice(first, last)
    idle = not asks and reading.words[first] != "your" and objects.is_idle(text, reading.lexicon.words)
    due = _due(reading, hit.begin, first, last)
    what = phrases.Object(text, "", last, first=first)
    if due is None and (phrases.is_no_deed(reading, first - 1, what) or _is_idle_act(reading, first, last)):
        return None
    if (idle and not _ANSWERED.search(fold(text))) or actwords.VAGUE.search(fold(" ".join(text.split()))):
        return None
    return Asking(text, due)


def _is_idle_act(reading: SentenceReading, first: int, last: int) -> bool:
    """ "Je vous prie *d'être honnête*", "*de dire oui*": a state or a word, and nothing to do."""
    words, w = reading.words, reading.lexicon.words
    return words[first] in w.idle_verbs and words[first - 1] not in w.me and last - first < _IDLE_WORDS


def _reminder(reading: SentenceReading) -> Asking | None:
    """ "Have you sent the invoice?": what its reader seems to owe."""
    w, words = reading.lexicon.words, reading.words
    phrase = reading.lexicon.have_you.at(words, reading.begin) if reading.is_question else None
    if phrase is None or reading.condition or any(hit.due is None or hit.role == "of" for hit in reading.dates):
        return None
    given = [verb for verb in w.verbs if verb.infinitive in w.giving | w.sending]
    does = {form for verb in given for form in (verb.infinitive, *verb.participle.split("/"))}
    verb = first = reading.begin + len(phrase.words)
    if w.verb_second:
        verb = next((n for n in range(first, len(words)) if words[n] in does), 0)
    while not w.verb_second and verb < len(words) and words[verb] in w.adverbs:
        verb += 1
    if words[verb : verb + 1] == () or words[verb] not in does:
        return None
    item = phrases.find(reading, *((first, verb) if w.verb_second else (verb + 1, len(words))))
    # The "ihr" of "habt ihr Tom angerufen?" is no possessive.
    if item.first <= first or words[item.first - 1] not in w.articles - requests.ANY_THING:
        return None
    return None if objects.is_idle(item.text, w) else Asking(item.text, None)


#: So many words of such an act: its verb, and what or how.
_IDLE_WORDS: Final = 2
#: Idle by themselves: "a good time", "the following questions".
_ANSWERED: Final = re.compile(r"\b(?:times?|questions?)\b")


def may_be(reading: SentenceReading) -> bool:
    """Whether any word of such a request stands there; cheap, and mostly no."""
    hints, words = actwords.HINTS[reading.lexicon.words.code], reading.words
    if reading.lexicon.words.code != "en":
        return not hints.isdisjoint(words)
    return not reading.lexicon.asking.isdisjoint(words) or not hints.isdisjoint(
        words[reading.begin : reading.begin + 1]
    )


def _on_event(reading: SentenceReading) -> Asking | None:
    """English: "once they have signed it, let me know": what its author wants to hear of."""
    know, span, words = _know(reading), reading.condition, reading.words
    if know is None or span is None or words[span[0]] not in _EVENTS or know < span[0]:
        return None
    asks = next(
        (n for n in range(span[0], know) if words[n] == "," or (words[n] != "mind" and requests.asks_at(reading, n))),
        know,
    )
    text = reading.slice(span[0], min(span[1], asks - 1))
    return None if actwords.VAGUE.search(fold(" ".join(text.split()))) else Asking(text, None)


_EVENTS: Final = frozenset({"once", "when", "whenever", "after", "as"})


def awaits_answer(reading: SentenceReading) -> bool:
    """Whether a sentence only asks for the answer to a question before it: "Please let me know by Friday."."""
    if len(reading.words) > _WAITING:
        return False
    words = [word for n, word in enumerate(reading.words) if n not in reading.dated and word not in CLOSING | {","}]
    # "Let me know, *and I'll fix it*", "let me know *because it is late*".
    goes_on = (
        n
        for n in range(2, len(words))
        if words[n] in actwords.BECAUSE or (words[n] == "and" and words[n + 1 : n + 2] and words[n + 1][0] == "i")
    )
    words = words[: next(goes_on, len(words))]
    return actwords.AWAITING[reading.lexicon.words.code].fullmatch(" ".join(words)) is not None


def question(reading: SentenceReading) -> str:
    """The question that a sentence asks, "" for none, and for one that offers or asks whoever knows."""
    words = reading.words
    last = next((n for n in range(len(words) - 1, -1, -1) if words[n][0].isalnum()), -1)
    if not reading.is_question or last - reading.begin < 2 or last - reading.begin > _LONGEST_QUESTION:
        return ""
    vague = requests.ANYBODY | reading.lexicon.words.offers | reading.lexicon.words.help
    follows = words[reading.begin] in reading.lexicon.words.conjunctions | reading.lexicon.words.contrast
    return "" if reading.quoted or follows or not vague.isdisjoint(words) else reading.slice(reading.begin, last)


#: Words of a sentence that only waits for an answer.
_WAITING: Final = 16
#: Words of a question that can still be told in a line.
_LONGEST_QUESTION: Final = 24


def is_question(thing: str) -> bool:
    """Whether what is asked for is the answer to a question: "whether the price works"."""
    return fold(thing).partition(" ")[0] in actwords.QUESTION_WORDS


def _hit(reading: SentenceReading) -> WordMatch | None:
    code = reading.lexicon.words.code
    if code != "en":
        # "Wäre super" is no greeting before the comma of "wäre super, wenn du ...".
        begins = dict.fromkeys((reading.begin, requests.past_please(reading), 0))
        return next(filter(None, (reading.match(actwords.OPENINGS[code], begin) for begin in begins)), None)
    know = _know(reading)
    verb = requests.verb_asked(reading) if know is None else know
    if verb is None:
        places = (place for place in _clauses(reading) if reading.words[place] in actwords.HINTS["en"])
        hits = (reading.match(actwords.OPENINGS[code], place) for place in places)
        return next(filter(None, hits), None)
    # "If the sum is wrong, please reply ...", "to join, please ...", "please forward this to all".
    if (reading.condition and reading.condition[1] < verb and requests.is_unsure(reading, verb)) or (
        requests.is_for_some_in_front(reading, verb) or certainty.is_told_to_all(" ".join(reading.words[verb:]))
    ):
        return None
    return reading.match(actwords.ACTS if know is None else actwords.LET_KNOW, verb)


def _clauses(reading: SentenceReading) -> Iterator[int]:
    """Where clauses begin that may stand alone: "it is a draft, *and your comments are needed*"."""
    words, joints = reading.words, CLOSING | {"and", "but", "so"}
    yield reading.begin
    yield from (n + 1 for n in range(reading.begin, len(words) - 1) if words[n] in joints)


def _know(reading: SentenceReading) -> int | None:
    """English: where "let me know" begins a clause, alone or behind what is to be done before."""
    words, lex = reading.words, reading.lexicon
    place = next((n for n in range(reading.begin, len(words)) if _LET_KNOW.match(" ".join(words[n : n + 6]))), None)
    if place is None or place == reading.begin:
        return place
    before = words[place - 1]
    if before in ("and", "or", "then"):
        begin = reading.begin
        does = (
            words[begin] in lex.base or words[begin : begin + 2] == ("take", "a") or bool(lex.idioms.at(words, begin))
        )
        return place if does or requests.verb_asked(reading) is not None else None
    if before in CLOSING | {",", "so", "also", "just", "you"} or lex.please.before(words, place):
        return place
    return place if requests.verb_asked(reading) == place else None


_LET_KNOW: Final = re.compile(r"let (?!alone|you)\w+(?: \w+)? know\b")


def _is_meant(reading: SentenceReading) -> bool:
    """Whether the sentence is not an offer, an advertisement or somebody else's words."""
    if certainty.is_promotion(reading) or certainty.is_offered_help(reading):
        return False
    # "Could somebody ...", and not "please have somebody ...".
    whoever = any(
        word in requests.ANYBODY and reading.words[max(0, n - 1)] != "have" for n, word in enumerate(reading.words)
    )
    return not reading.quoted and not whoever


def _last(reading: SentenceReading, first: int, end: int) -> int:
    """The last word of the thing, before ``end``: before a day, a sign or a clause with its own verb."""
    words, w = reading.words, reading.lexicon.words
    # "Whether that is fine": of a question, its own clause is the thing.
    asked = w.contrast | actwords.BECAUSE
    ends = asked if words[first] in actwords.QUESTION_WORDS else w.subordinate | w.contrast
    last = first
    while (
        last < end
        and (words[last] not in CLOSING or (words[last] in ("-", "/") and reading.is_tight(last)))
        and (words[last] not in _ENDS or last in reading.dated)
        and (last not in reading.dated or ends is asked)
        and not (last > first and (words[last] in ends or reading.is_condition(last)))
        and not (last > first and words[last] in w.conjunctions and _has_subject(reading, last + 1))
    ):
        last += 1
    last -= 1
    whole = last
    while last >= first and (
        last in reading.dated
        or words[last] in w.conjunctions
        or words[last] in CLOSING
        or (words[last] in w.prepositions | w.adverbs and not (ends is asked and last == whole))
    ):
        last -= 1
    return last


#: Behind the thing, where no sign stands before them.
_ENDS: Final = frozenset({",", "thanks", "thx"})


def _has_subject(reading: SentenceReading, place: int) -> bool:
    """Whether a clause of its own begins behind "and": "*and I* will delete it"."""
    w, words = reading.lexicon.words, reading.words
    following = words[place] if place < len(words) else ""
    return following in w.subjects or following.partition("'")[0] in w.subjects


def _due(reading: SentenceReading, begin: int, first: int, last: int) -> Due | None:
    """The day of the act. Friday is none in "whether the hall is free on Friday", nor in "your comments on Ann, who sat
    in on Friday", nor in "I am in on Friday, so let me know".
    """
    hits = reading.coming
    if len(hits) != 1 or hits[0].due is None:
        return None
    words, start = reading.words, reading.tokens
    speaks = any(word.partition("'")[0] in reading.lexicon.words.subjects for word in words[:begin])
    if speaks and hits[0].start < start[begin].start:
        return None
    asks_whether = words[first] in actwords.QUESTION_WORDS and not _is_day_of_asking(reading, hits[0].start, first)
    behind = any(
        words[n] in reading.lexicon.words.subordinate and start[n].start < hits[0].start
        for n in range(last, len(words))
    )
    return None if (asks_whether or behind) and hits[0].role != "by" else hits[0].due


def _is_day_of_asking(reading: SentenceReading, day: int, first: int) -> bool:
    """Whether a day stands between the verb and the question, and not in it or in what goes before: "I am in town on
    Friday, let me know if you are".
    """
    know = _know(reading)
    begin = reading.tokens[know].start if know is not None and reading.condition is None else 0
    return begin <= day <= reading.tokens[first].start
