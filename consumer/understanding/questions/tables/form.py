"""The form of a language's table of question words: phrases in small letters, for ``asked`` to look up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from consumer.understanding.languages.words import phrases, words

__all__ = ["QuestionWords", "pairs", "phrases", "words"]


def pairs(text: str) -> dict[str, str]:
    """``"begin begins: start | end: end"`` -> ``{"begin": "start", "begins": "start", "end": "end"}``."""
    made: dict[str, str] = {}
    for part in phrases(text):
        before, _, after = part.partition(":")
        made |= dict.fromkeys(before.split(), after.strip())
    return made


@dataclass(frozen=True, slots=True)
class QuestionWords:
    code: str
    #: What is asked for.
    when: tuple[str, ...]
    who: tuple[str, ...]
    much: tuple[str, ...]
    #: Asked for what facts do not hold: a place, a reason, a way.
    elsewhere: tuple[str, ...]

    #: "what", "which": beside these words a thing alone is asked about, and not what is open of it.
    what: frozenset[str]
    #: Words for a day: "date".
    dates: frozenset[str]

    #: The user as the one who does: "I", and verbs that say so by their ending ("debo").
    subject_i: frozenset[str]
    #: Somebody owes, promised, must: "owe", "have to".
    owe: tuple[str, ...]
    #: Others owe or promised it to the user: "am I owed", "owes me".
    owed_me: tuple[str, ...]
    #: Of these, those of somebody's own word: "promised".
    promise: tuple[str, ...]
    #: Of these, those that ask whether something is still to be done: "have to", "need to".
    must: tuple[str, ...]
    #: Somebody wants something of somebody: "asked", "needs from".
    want: tuple[str, ...]
    #: The user waits for something.
    wait: tuple[str, ...]
    due: tuple[str, ...]
    overdue: tuple[str, ...]
    changed: tuple[str, ...]
    #: Words by which a change is past: "changed", "did". And those by which it is none yet: "will", "could", "be".
    changed_past: frozenset[str]
    not_yet: frozenset[str]
    decided: tuple[str, ...]
    #: "last", and verbs of writing: together they ask when somebody was heard from.
    last: frozenset[str]
    heard: frozenset[str]
    #: What is asked about is still to come ("next"), or lies in the past ("was", "met").
    next: frozenset[str]
    over: frozenset[str]
    #: Prepositions of a way: "the train *to* Jena" is not the train *from* Jena.
    toward: frozenset[str]
    away: frozenset[str]
    #: Of these the words of one who is written to: "when did I hear from".
    hears: frozenset[str]
    #: Verbs of meeting, and nouns that any meeting may be called.
    meet: frozenset[str]
    meeting: frozenset[str]
    #: Verbs of taking part in one.
    attend: frozenset[str]
    phone: tuple[str, ...]
    email: tuple[str, ...]
    #: "still on", and "called off": whether a meeting takes place.
    still_on: tuple[str, ...]
    called_off: tuple[str, ...]

    #: First words of a question that wants yes or no.
    yes_no: frozenset[str]
    #: Of these and of other words those by which something is done: "did", "have".
    past: frozenset[str]
    #: Words that say nothing of what is asked about.
    filler: frozenset[str]
    #: Words of a question and the attributes of facts they ask for, a blank between several.
    attributes: Mapping[str, str]

    #: Sentences of answers by name, with fields in braces.
    wording: Mapping[str, str]
    #: How the attributes of facts are called.
    names: Mapping[str, str]
