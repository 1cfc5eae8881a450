"""Promises in a chat: what is sent, or done on a later day. Most other things are done on the spot."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from consumer.understanding import chatter, phrases
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.promises.clauses import Clause
from consumer.understanding.promises.parts import ASKED_TO, Promise, is_plural, is_to_reader, of_asked, verb_of


def kept_in_chat(reading: SentenceReading, clause: Clause, promise: Promise) -> Promise | None:
    """A promise that outlasts the chat."""
    return None if _is_chatted(reading, clause, promise) else promise


def _is_chatted(reading: SentenceReading, clause: Clause, promise: Promise) -> bool:
    """Whether it ends with the day of the chat, is its author's own affair, or is a joke.

    What outlasts a chat hands something over, or names its reader and a later day, or says "by": "I'll send you the
    draft", "I'll fix your bike on Friday", "I'll fix it by 5".
    """
    due, words, trigger = promise.due, reading.words, clause.trigger
    if chatter.is_laughing(reading.text) or chatter.is_at_once(reading, words[trigger.start : clause.end]):
        return True
    if due and _LASTING.search(reading.text):
        return True
    to_reader = (
        promise.owner is not None
        or is_to_reader(reading, trigger.start, clause.core)
        or not _YOURS.isdisjoint(words[trigger.after : clause.core])
    )
    is_english = reading.lexicon.words.code == "en"
    if due is None and is_english and ("let" in words[trigger.start : trigger.after] or not _hands(reading, clause)):
        return True  # "let me send you a picture": at once
    if due is None or due.last_day <= reading.said_on.isoformat():
        gives = to_reader and (due is None or not is_english or not _GIVING_TONIGHT.isdisjoint(words[trigger.after :]))
        return not (gives or phrases.is_by(reading, due)) or bool(promise.condition)
    if to_reader:
        return False
    return is_english and not (promise.pronoun or phrases.is_by(reading, due) or _is_duty(reading, clause))


#: English: until when something lasts, or for when it is needed: "for tomorrow".
_LASTING: Final = re.compile(
    r"\b(?:for|until|till?) (?:(?:next|this) )?"
    r"(?:to(?:day|morrow|night)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week)\b",
    re.IGNORECASE,
)
#: Things that are the reader's: "I'll drop off your drill tonight".
_YOURS: Final = table("your ur dein deine deinen deinem deiner ton tes votre vos tuo tuoi tua jouw")


def _hands(reading: SentenceReading, clause: Clause) -> bool:
    """English: "I'll send you the form", and not "I'll get you some milk", which ends when the two meet."""
    verb, first = verb_of(reading, clause)
    if verb in ASKED_TO:
        return of_asked(reading, clause.trigger, first, clause.core, frozenset()) is not None
    return verb in _SENDING


_SENDING: Final = table("send resend return forward share lend post e-mail email mail pay transfer refund")
#: English: "I'll bring you the ladder tonight", and not "I'll bake you a cake tonight".
_GIVING_TONIGHT: Final = _SENDING | table("bring give drop let tell sending bringing")


def _is_duty(reading: SentenceReading, clause: Clause) -> bool:
    """English: "I'll book the court on Friday"; not "I'll look for a dress", "I can pay half", "we'll order pizza"."""
    words, trigger = reading.words, clause.trigger
    if (
        trigger.kind == "must"
        or is_plural(reading, clause)
        or not _OFFERING.isdisjoint(words[trigger.start : trigger.after])
    ):
        return False
    does = verb_of(reading, clause)[0] in reading.lexicon.words.giving - _FETCHING
    return does and not any(pair in _TO_OTHERS for pair in pairwise(words[trigger.after :]))


_OFFERING: Final = frozenset({"can", "could"})
#: Just as often for oneself.
_FETCHING: Final = frozenset({"collect", "fetch"})
#: "I'll give it to mum": to somebody else.
_TO_OTHERS: Final = frozenset(("to", other) for other in ("her", "him", "them", "mum", "mom", "dad", "my"))
