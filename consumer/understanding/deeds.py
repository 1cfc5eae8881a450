"""Whether two sentences speak of one deed: "I sent the deck" does what "I'll email you the deck" promised."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Final

from consumer.understanding import languages
from consumer.understanding.grammar import lexicon
from consumer.understanding.languages.words import words as table
from consumer.understanding.text import fold


def is_same(done: str, promised: Iterable[str]) -> bool:
    """Whether what was done can be what one of these sentences promised or asked.

    They share a verb, both hand something over, or either has no verb that is known. "Finished" fits any.
    """
    deeds, others = _deeds(done), frozenset[str]().union(*map(_deeds, promised))
    return not deeds or not others or _FINISHES in deeds or bool(deeds & others)


def is_talk(promised: str, asked: str) -> bool:
    """Whether a call was asked for and a thing is promised: "I'll send it" does not answer "could you call Tom?"."""
    deeds = _deeds(asked)
    return _HANDS in _deeds(promised) and _HANDS not in deeds and not _CALLING.isdisjoint(deeds)


def hands_over(text: str) -> bool:
    """Whether its words speak of handing something over, in any language, and not to somebody else: "to my mum"."""
    return _HANDS in _deeds(text) and _TO_ANOTHER.search(text) is None


_TO_ANOTHER: Final = re.compile(r"\bto (?:her|him|them|my|mum|mom|dad)\b", re.IGNORECASE)

_CALLING: Final = table("call phone ring contact anrufen appeler llamar chiamare telefonare ligar telefonar bellen")


def _deeds(text: str) -> frozenset[str]:
    verbs = _verbs()
    return frozenset[str]().union(*(verbs.get(word, ()) for word in _WORD.findall(fold(text))))


#: Without what an apostrophe joins: "je t'envoie".
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


#: Stand for every verb that hands something over, and for every one that is done with it.
_HANDS: Final = "hand over"
_FINISHES: Final = "finish"


@cache
def _verbs() -> dict[str, set[str]]:
    """Forms of verbs -> what they come to; of all languages, since a short sentence may not tell its own."""
    forms = defaultdict[str, set[str]](set)
    for code in languages.LANGUAGES:
        lex = lexicon(code)
        several = [(form, verb) for form, verbs in lex.base.items() for verb in verbs]
        several += [(form, verb) for form, verbs in lex.finite.items() for verb, _ in verbs]
        several += [(form, verb) for verb in lex.words.verbs for form in verb.participle.split("/")]
        for form, verb in several:
            hands, finishes = verb.infinitive in _HANDING, verb.infinitive in _FINISHING
            forms[form].add(_HANDS if hands else _FINISHES if finishes else verb.infinitive)
    return dict(forms)


_HANDING: Final = table(
    """
    send email e-mail mail fax forward share submit upload deliver ship courier fedex overnight return post hand provide
    supply give bring get drop
    schicken senden mailen weiterleiten zuschicken verschicken einreichen hochladen liefern bringen geben
    zurückgeben zusenden
    envoyer renvoyer transmettre transférer partager donner apporter livrer remettre rendre
    enviar mandar reenviar compartir entregar dar traer llevar pasar
    inviare mandare spedire inoltrare condividere consegnare dare portare passare
    encaminhar partilhar compartilhar trazer levar
    sturen opsturen doorsturen verzenden leveren geven brengen delen
    """
)
_FINISHING: Final = table(
    """
    finish finalize finalise complete settle machen erledigen fertigstellen abschließen finir terminer régler
    terminar acabar resolver finire terminare afmaken afronden regelen
    """
)
