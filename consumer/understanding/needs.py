"""Requests that name what their author needs by a day: "I need the numbers by Friday"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from consumer.understanding import objects, phrases
from consumer.understanding.grammar import CLOSING, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.statements import Due


class Need(NamedTuple):
    object: str
    due: Due


def find(reading: SentenceReading) -> Need | None:
    """What a sentence of one author needs from its reader by a day; None for every other sentence."""
    w = reading.lexicon.words
    hit = reading.match(_NEEDS[w.code]) if may_be(reading) else None
    if hit is None or reading.condition or not w.hedges.isdisjoint(reading.words):
        return None
    _, first = hit.span()
    end = next((n for n in range(first, len(reading.words)) if _ends(reading, n)), len(reading.words))
    if phrases.denies(reading, 0, end):
        return None
    due = _due(reading)
    item = phrases.find(reading, first, end) if due else None
    # "Can we get the weather to hold".
    has_verb = item is not None and reading.words[item.last + 1 : item.last + 2] == ("to",)
    is_verb = item is not None and w.code != "en" and reading.lexicon.infinitive(reading.words[item.first])
    if item and is_verb and not (w.code == "de" and reading.capital(item.first)):
        return None  # "j'aurais besoin de la renouveler lundi"; "die Zahlen" are none
    if item is None or due is None or has_verb or not item.text or objects.is_idle(item.text, w):
        return None
    before = reading.words[item.first - 1] if item.first else ""
    certain = (
        before in w.articles - _any(w.code) or before in _OF or reading.words[item.first] in w.articles - _any(w.code)
    )
    return Need(item.text, due) if certain else None


def _ends(reading: SentenceReading, n: int) -> bool:
    """ "I need the form by Friday, otherwise we cannot enrol you": why, from the comma on."""
    return reading.words[n] in CLOSING or (
        reading.words[n] == "," and not _WHY.isdisjoint(reading.words[n + 1 : n + 2])
    )


def _any(code: str) -> frozenset[str]:
    """Articles of what is no certain thing; "besoin *de* temps" names none, and "*de* cijfers" does."""
    return _ANY if code == "nl" else _ANY | {"de"}


def may_be(reading: SentenceReading) -> bool:
    """Whether any word of need stands there; cheap, and mostly no."""
    return not _HINTS[reading.lexicon.words.code].isdisjoint(reading.words)


def _due(reading: SentenceReading) -> Due | None:
    hits = reading.coming
    dated = reading.lexicon.words.code in ("de", "nl", "pt", "es", "fr", "it")
    roles = ("by", "on", "bare") if dated else ("by",)
    return hits[0].due if len(hits) == 1 and hits[0].role in roles else None


#: Before what is no certain thing.
_ANY: Final = table(
    """
    a an some any another ein eine einen un une una uno um uma een my our mein meine meinen mon ma mes mi mis meu minha
    mio mia mijn
    """
)
#: First words of a reason.
_WHY: Final = table(
    """
    otherwise because since sonst weil denn damit sinon car parce afin si porque pois senão para perché altrimenti
    anders want omdat zodat
    """
)
_OF: Final = frozenset(["des", "du", "dos", "das", "do", "da", "del", "dei", "degli", "delle", "dello", "della"])
_FRONT: Final = r"^(?:(?:please|hi|hello|hey|also|and|so|ok|bitte|hallo|s'il te plaît|por favor|per favore) ,? ?)*"
_NEEDS: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(_FRONT + rf"(?:{several})(?= )")
    for code, several in {
        "en": r"(?:i|we)(?:'ll| will)?(?: do| really| still| urgently)* (?:need|require)(?! to\b)"
        r"|(?:can|could|may) (?:i|we) (?:please )?(?:have|get)|(?:i|we)?(?:'d| would) appreciate|would appreciate"
        r"|looking forward to (?:receiving|getting|having)|(?:i|we) look forward to (?:receiving|getting)",
        "de": r"(?:ich|wir) (?:brauche|brauchen|bräuchte|bräuchten|benötige|benötigen)"
        r"|(?:ich|wir) hätten? gerne?(?!.* (?:gehabt|bekommen|erhalten|gesehen)(?: |$))"
        r"|(?:könnte|kann|könnten|können|dürfte) (?:ich|wir)",
        "fr": r"j ai besoin|nous avons besoin|on a besoin|j aurais besoin|nous aurions besoin|on aurait besoin"
        r"|(?:j aimerais|je voudrais|je souhaiterais|nous aimerions|nous souhaiterions) (?:avoir|recevoir)"
        r"|il (?:me|nous) faut|il (?:me|nous) faudrait"
        r"|(?:pourrais|puis|pourrait|pouvons)-? ?(?:je|on|nous) avoir",
        "es": r"(?:yo )?(?:necesito|necesitamos|necesitaría|necesitaríamos)(?! que)|me hacen? falta|nos hacen? falta",
        "pt": r"(?:eu )?(?:preciso|precisamos|precisava|precisávamos|precisaria|precisaríamos)(?! que)|faz-me falta",
        "it": r"mi (?:serve|servono|servirebbe|servirebbero)|ci (?:serve|servono)|(?:ho|abbiamo|avrei|avremmo) bisogno"
        r"|(?:vorrei|vorremmo) (?:avere|ricevere)",
        "nl": r"(?:ik|we|wij) (?:heb|hebben)(?= .*\bnodig\b)|graag (?:ontvang|ontvangen|krijg|krijgen) (?:ik|we|wij)"
        r"|(?:ik|we|wij) (?:ontvang|ontvangen|krijg|krijgen|had|hadden) graag"
        r"|(?:ik|we|wij) (?:zou|zouden) graag(?= .*\b(?:ontvangen|krijgen|hebben)\b)"
        r"|(?:mag|kan|kunnen) (?:ik|we)(?= .*\b(?:hebben|krijgen|lenen)\b)",
    }.items()
}
_HINTS: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset(["need", "require", "have", "get", "appreciate", "forward"]),
    "de": table("brauche brauchen bräuchte bräuchten benötige benötigen haben bekommen hätte hätten"),
    "fr": frozenset(["besoin", "faut", "faudrait", "avoir", "recevoir"]),
    "es": frozenset(["necesito", "necesitamos", "necesitaría", "necesitaríamos", "falta"]),
    "pt": frozenset(["preciso", "precisamos", "precisava", "precisávamos", "precisaria", "precisaríamos", "falta"]),
    "it": frozenset(["serve", "servono", "servirebbe", "servirebbero", "bisogno", "avere", "ricevere"]),
    "nl": frozenset(["nodig", "hebben", "lenen", "krijgen", "ontvangen", "ontvang", "krijg", "graag"]),
}
