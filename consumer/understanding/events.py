"""The day of an event that a sentence names or takes leave until, so that what serves the event ends with it."""

from __future__ import annotations

import re
from typing import Final

from consumer.understanding import phrases
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table


def last_event_day(reading: SentenceReading) -> str:
    """The last day of an event that a sentence names with its day, or on which it says to meet: "the tournament is on
    Friday", "see you on Friday!"; "" for none.
    """
    days = [hit.due.last_day for hit in reading.coming if hit.due]
    if not days:
        return ""
    code = reading.lexicon.words.code
    meets = len(reading.words) <= _PARTING_WORDS and reading.match(_PARTING[code], reading.begin) is not None
    names = any(phrases.is_occasion(word, code) and _is_event(reading, n) for n, word in enumerate(reading.words))
    return max(days) if meets or names else ""


def comes_after(reading: SentenceReading) -> bool:
    """ "I'll send you the minutes", "I'll call you afterwards": what an event leads to."""
    return not _AFTERWARDS.isdisjoint(reading.words)


def _is_event(reading: SentenceReading, place: int) -> bool:
    """Whether an occasion is none of its author's absences, and in English no verb: "a call today", "call today"."""
    words = reading.words
    if words[place].endswith(_AWAY):
        return False
    if reading.lexicon.words.code != "en":
        return True
    before = words[max(0, place - _TO_NOUN) : place]
    return not (reading.lexicon.words.articles | {"conference"}).isdisjoint(before) and before[-1] not in _OF_VERB


#: How somebody takes leave until an event. A longer sentence says more: "bis Freitag brauche ich die Liste".
_PARTING: Final = {
    "en": re.compile(r"(?:(?:i|we) )?(?:look(?:ing)? forward to )?see(?:ing)? you\b"),
    "de": re.compile(r"(?:also )?(?:bis|wir sehen uns|ich freue mich auf)\b"),
    "fr": re.compile(r"(?:à|on se voit|au plaisir de (?:te|vous) voir)\b"),
    "es": re.compile(r"(?:hasta|nos vemos)\b"),
    "pt": re.compile(r"(?:até|vemo-nos)\b"),
    "it": re.compile(r"(?:a|ci vediamo)\b"),
    "nl": re.compile(r"(?:tot|we zien elkaar)\b"),
}
_PARTING_WORDS: Final = 9
#: What comes after an event, in all languages.
_AFTERWARDS: Final = table(
    """
    after afterwards minutes notes summary recap recording pictures photos
    danach protokoll zusammenfassung aufzeichnung bilder fotos
    après ensuite compte-rendu résumé enregistrement
    después luego acta actas resumen grabación depois ata resumo gravação
    dopo verbale riassunto registrazione foto daarna notulen samenvatting opname foto's
    """
)
#: Between an article and its noun.
_TO_NOUN: Final = 3
_AWAY: Final = ("trip", "holiday", "reise", "ausflug", "voyage", "viaje", "viagem", "viaggio", "reis")
_OF_VERB: Final = table("to will would can could please i we you they and not")
