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
    names = names or _ON_CALENDAR.search(reading.text) is not None
    return max(days) if meets or names else ""


def outlives(reading: SentenceReading, thing: str) -> bool:
    """What an event leads to ("I'll send you the minutes", "I'll call you afterwards"), and what is owed whatever takes
    place: papers of law and money.
    """
    return not _AFTERWARDS.isdisjoint(reading.words) or _OWED.search(thing) is not None


def _is_event(reading: SentenceReading, place: int) -> bool:
    """Whether an occasion is none of its author's absences or appointments ("I have a call on Friday"), and in English
    no verb: "a call today", "call today".
    """
    words = reading.words
    if words[place].endswith(_AWAY) or words[place] == "deadline" or _HAVING.search(" ".join(words[:place])):
        return False
    if reading.lexicon.words.code != "en":
        return True
    before = words[max(0, place - _TO_NOUN) : place]
    return not (reading.lexicon.words.articles | {"conference"}).isdisjoint(before) and before[-1] not in _OF_VERB


#: English: "she put me on your calendar for 4 p.m. today".
_ON_CALENDAR: Final = re.compile(r"\bon (?:your|my|our|the|his|her) calendar (?:for|at|on)\b", re.IGNORECASE)
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
_OWED: Final = re.compile(
    r"\b(?:forms?|bills?|money|tax(?:es)?|lease|deeds?|receipts?|refunds?|deposits?|quotes?|payments?|invoices?|bail|devis"
    r"|contra(?:c?t|tt)[eios]{0,2}|agreements?|factur\w*|fatur\w*|fattur\w*|recib\w+|reçus?|ricevut\w|formul[aá]ri?\w*"
    r"|modul[oi]|argent|dinero|dinheiro|soldi|paiements?|pagos?|pagament[oi]s?|presupuestos?|orçamentos?|preventiv[oi]"
    r"|attestations?|certificad\w+|fianza|caução|cauzione|bon(?:netje)?|borg)\b"
    r"|(?:vertr[aä]g|rechnung|quittung|formular|geld|zahlung|angebot|kaution|bescheinigung|contract|factuur|rekening"
    r"|formulier|betaling|offerte)(?:e?n|e|s)?\b",
    re.IGNORECASE,
)
#: Before an appointment of the author's own, which the reader has no part in.
_HAVING: Final = re.compile(
    r"\b(?:i (?:have|had)|i['\u2019]ve(?: got)?|ich habe?|j['\u2019]ai|tengo|tenho|ho|ik heb) (?:\S+ ){0,2}\S*\Z"
)
#: Between an article and its noun.
_TO_NOUN: Final = 3
_AWAY: Final = ("trip", "holiday", "reise", "ausflug", "voyage", "viaje", "viagem", "viaggio", "reis")
_OF_VERB: Final = table("to will would can could please i we you they and not")
