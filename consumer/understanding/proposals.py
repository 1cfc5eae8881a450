"""
What a message of a chat proposes: an errand that it asks of its reader, or one that its author offers or announces.

Looser forms than those of a promise or a request, since nobody owes what is proposed until the other side takes it up
(``threads.Threads.taker``): "shall I book it?" with "go for it", "can you help me on Friday?" with "sure".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from consumer.understanding import chatter, errands, phrases, requests
from consumer.understanding.grammar import Phrases, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.statements import Due


class ChatProposal(NamedTuple):
    """``asks``: of the reader; else its author would do it."""

    object: str
    due: Due | None
    asks: bool
    #: "I can send a scan", which waits for a yes more than "I'll send a scan".
    offers: bool = False

    @property
    def verb(self) -> str:
        return self.object.casefold().split()[0]


def find(reading: SentenceReading, names: Phrases) -> ChatProposal | None:
    """What a sentence of a chat proposes that outlasts the day; None for most sentences."""
    made = _asked(reading, names) or _offered(reading) or _announced(reading)
    return made if made and _outlasts_day(reading, made) else None


def _asked(reading: SentenceReading, names: Phrases) -> ChatProposal | None:
    asking = requests.ask(reading, names)
    act = errands.asked(reading)
    if act and not errands.is_question(act.object):
        return ChatProposal(act.object, (asking and asking.due) or act.due or _only_day(reading), True)
    return ChatProposal(asking.object, asking.due, True) if asking and not asking.pronoun else None


def _offered(reading: SentenceReading) -> ChatProposal | None:
    """ "Shall I book the hotel?", "soll ich dir am Freitag das Buch bringen?"; English: "I can help you on Friday"."""
    code = reading.lexicon.words.code
    hit = reading.match(_OFFERS[code], reading.begin)
    if hit is None:
        return None
    place = hit.span()[1]
    if code != "en":
        item = phrases.find(reading, place, len(reading.words))
        return ChatProposal(item.text, _only_day(reading), False) if item.text else None
    if reading.words[place] not in reading.lexicon.base.keys() | reading.lexicon.words.idle_verbs:
        return None
    act = errands.act(reading, place)
    offers = not _ASKING_LEAVE.isdisjoint(reading.words[hit.begin : place])
    return ChatProposal(act.object, act.due or _only_day(reading), False, offers)


_ASKING_LEAVE: Final = table("can could shall should want like")
_OFFERS: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(rf"(?:{pattern}) (?=\w)")
    for code, pattern in {
        "en": r"(?:(?:ok|okay|so|then|maybe|and|or) ,? ?)*"
        r"(?:(?:shall|should) i|(?:(?:do )?(?:you|u) )?want me to|(?:do|would) you (?:want|like) me to|i can|i could"
        r"|(?:i'll|i will) try (?:to|and)|(?:i'm|i am) (?:going to|gonna)|imma|lemme|let me)"
        r"(?: (?:also|just|maybe|still))*",
        "de": r"(?:und |ok |dann )*soll ich(?: dir| euch| ihnen)?",
        "fr": r"(?:tu veux|vous voulez|veux-tu|voulez-vous) qu(?:e)? ?(?:je|j)(?: t| te| vous)?",
        "es": r"quier(?:es|e|en) que(?: yo)?(?: te| le| os| les)?(?: lo| la| los| las)?",
        "pt": r"(?:você |tu )?quer(?:es|em)? que(?: eu)?(?: te| lhe| vos)?",
        "it": r"vuoi che(?: io)?(?: ti| vi| le)?(?: lo| la| li)?",
        "nl": r"(?:zal ik|wil je dat ik)(?: je| jullie| u)?",
    }.items()
}


def _announced(reading: SentenceReading) -> ChatProposal | None:
    """English: "I'll help you paint on Friday". In other languages, ``promises`` reads such sentences."""
    act = errands.promised(reading) if reading.lexicon.words.code == "en" else None
    if act is None or act.condition or not _WE.isdisjoint(reading.words):
        return None
    return ChatProposal(act.object, act.due or _only_day(reading), False)


_WE: Final = table("we we'll")


def _only_day(reading: SentenceReading) -> Due | None:
    hits = reading.coming
    if len(hits) != 1 or hits[0].role not in ("by", "on", "bare"):
        return None
    return None if _OF_DAY.search(reading.text[: hits[0].start]) else hits[0].due


#: Before a day that something is about, or lasts until.
_OF_DAY: Final = re.compile(r"\b(?:about|for|of|from|since|until|till?)\s*\Z", re.IGNORECASE)


def _outlasts_day(reading: SentenceReading, made: ChatProposal) -> bool:
    """Whether it lasts until a later day, and is no joke, visit or affair of its author."""
    is_idle = chatter.is_laughing(reading.text) or chatter.names_nothing(made.object) or _is_meeting(made)
    if is_idle or chatter.is_at_once(reading, reading.words):
        return False
    named, is_english = made.object.casefold().split()[1:], reading.lexicon.words.code == "en"
    to_reader = not _YOURS.isdisjoint(reading.words)
    if made.due:
        for_reader = made.asks or to_reader or made.verb in _WORKING or not is_english
        return for_reader and made.due.last_day > reading.said_on.isoformat() and _VAGUE.isdisjoint(named)
    return is_english and _VAGUE.isdisjoint(named) and _lasts_without_day(reading, made, named, to_reader=to_reader)


def _lasts_without_day(reading: SentenceReading, made: ChatProposal, named: Sequence[str], *, to_reader: bool) -> bool:
    """English: whether it is seldom done while the chat goes on: to send or to write something, to book a journey."""
    if named[:1] in _POINTING or named[-1:] in _PINGS:
        return False
    if made.verb in _BOOKING and not (made.asks and made.verb == "book"):
        return _TRAVEL.search(made.object.casefold()) is not None
    if made.asks and _FOR_ASKER.search(reading.text):
        return made.verb not in _AT_HAND
    later = made.asks or made.offers or (to_reader and _LATER.search(reading.text) is not None)
    return later and made.verb in _SENDING | {"book"}


def _is_meeting(made: ChatProposal) -> bool:
    """Whether two only meet or talk by it, or its verb says little."""
    if made.verb == "drop":
        words = made.object.casefold().split()
        return "off" not in words and words[1:2] not in _DROPPED
    return made.verb in _MEETING and _TOLD_LATER.match(made.object.casefold()) is None


#: "Drop the tent at yours"; not "drop by".
_DROPPED: Final = (["the"], ["your"], ["ur"], ["it"], ["them"])
#: Acts of people who meet or talk, and weak verbs.
_MEETING: Final = table(
    "come go meet join see be wait stay play hang watch visit stop swing talk chat speak skype text let call phone"
    " ring tell ask spare make know"
)
#: What nobody can tell later, and what they can tell with a day: "bring it on Friday".
_VAGUE: Final = table("something anything smth sth")
_POINTING: Final = (["it"], ["them"], ["that"], ["this"])
#: What is told in the chat itself.
_PINGS: Final = (["text"], ["message"], ["sms"], ["dm"], ["msg"])
_TOLD_LATER: Final = re.compile(r"let (?:you|u) know\b")
_YOURS: Final = table("you u ya your ur yours")
#: English: what is seldom done while the chat goes on, even without a day.
_SENDING: Final = table(
    "send forward email mail upload transfer submit write prepare translate draft edit proofread arrange organise"
    " organize compile scan copy print"
)
#: English: what others wait for.
_WORKING: Final = _SENDING | table("return provide deliver bring give lend design complete finish")
#: "Buy some paper for me"; not "get me a drink".
_FOR_ASKER: Final = re.compile(r"\bfor (?:me|us)\b", re.IGNORECASE)
_AT_HAND: Final = table("get grab hold check open look give do")
_BOOKING: Final = table("book reserve order buy get")
_TRAVEL: Final = re.compile(r"\b(?:hotels?|flights?|(?:the |train |plane )tickets?|accommodation|hostel)\b")
_LATER: Final = re.compile(r"\b(?:later|l8r|as soon as|asap|right after|when i(?:'m| am| get)|once i)\b", re.IGNORECASE)
