"""What a promise depends on: an event, the reader, or the author's mood."""

from __future__ import annotations

from consumer.understanding import certainty
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.promises.clauses import Clause


def condition_of(reading: SentenceReading, clause: Clause, verb: str, first: int) -> str | None:
    """The words of its condition, "" for none; None if the condition makes it no promise."""
    span = _own_condition(reading, clause)
    if span is None:
        return ""
    w = reading.lexicon.words
    its_words = reading.words[span[0] : span[1] + 1]
    between = reading.words[span[1] + 1 : clause.trigger.start]
    if between[-4:] == ("let", "me", "know", "and"):
        return None  # "if you have none, please let me know and I'll send copies": only those who ask get them
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


def _own_condition(reading: SentenceReading, clause: Clause) -> tuple[int, int] | None:
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
    """ "If the soup is good", "wenn das Wetter schön ist", "si j'ai le temps": what depends on the weather, a
    taste or free time is a mood. What depends on an event ("if the board agrees") or on the reader is a promise.
    """
    lex, words = reading.lexicon, reading.words[span[0] : span[1] + 1]
    w = lex.words
    states = w.states.intersection(words)
    reader = any(word in w.you for word in words)
    # "If the form is signed": an event.
    happens = not lex.participles.isdisjoint(words) or any(c.isdigit() for word in words for c in word)
    return bool(states) and words[0] in w.doubt and not (reader or happens or not w.suits.isdisjoint(words))
