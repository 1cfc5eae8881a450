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
    # "I have to return it by tomorrow": to somebody else.
    is_idle = chatter.is_laughing(reading.text) or (promise.pronoun and promise.need) or _is_sent_on(reading, clause)
    if is_idle or chatter.is_at_once(reading, words[trigger.start : clause.end]):
        return True
    if due and _LASTING.search(reading.text):
        return True
    to_reader = (
        promise.owner is not None
        or is_to_reader(reading, trigger.start, clause.core)
        or any(_is_yours(reading, place) for place in range(trigger.after, clause.core))
    )
    is_english = reading.lexicon.words.code == "en"
    if due is None and ("let" in words[trigger.start : trigger.after] or not _hands(reading, clause)):
        return True  # "let me send you a picture": at once
    if due is None or due.last_day <= reading.said_on.isoformat():
        gives = to_reader and (due is None or not is_english or not _GIVING_TONIGHT.isdisjoint(words[trigger.after :]))
        return not (gives or phrases.is_by(reading, due)) or bool(promise.condition)
    if to_reader:
        return False
    return not (promise.pronoun or phrases.is_by(reading, due) or _is_duty(reading, clause))


#: Until when something lasts, or for when it is needed: "for tomorrow", "von Montag bis Freitag".
_LASTING: Final = re.compile(
    r"\b(?:for|until|till?) (?:(?:next|this) )?"
    r"(?:to(?:day|morrow|night)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week)\b"
    r"|\bvo[nm] (?:\w+tag|mittwoch|heute|morgen|\d\S*),? .*\bbis\b"
    r"|\bvan (?:\w+dag|vandaag|morgen|\d\S*),? .*\btot\b",
    re.IGNORECASE,
)


def _is_yours(reading: SentenceReading, place: int) -> bool:
    """ "I'll drop off *your* drill tonight", "wir liefern *Ihre* Matratze"; and not "ihre", which is hers or theirs."""
    word = reading.words[place]
    return word in _YOURS or (word in _YOURS_FORMALLY and reading.capital(place))


#: German: only with a capital letter.
_YOURS_FORMALLY: Final = table("ihr ihre ihren ihrem ihrer")
_YOURS: Final = table("your ur dein deine deinen deinem deiner ton tes votre vos tuo tuoi tua jouw")


def _is_sent_on(reading: SentenceReading, clause: Clause) -> bool:
    """German: "ich schicke Sie zu einem Facharzt": the reader goes, and gets nothing."""
    near = range(clause.trigger.start, min(clause.trigger.after + 2, clause.core))
    place = next((n for n in near if reading.words[n] in _WHOM_TO_SEND), -1)
    whom = place >= 0 and (reading.words[place] != "sie" or reading.capital(place))
    return whom and verb_of(reading, clause)[0] in reading.lexicon.words.sending


_WHOM_TO_SEND: Final = frozenset({"dich", "sie"})


def _hands(reading: SentenceReading, clause: Clause) -> bool:
    """ "I'll send you the form", and not "I'll get you some milk", which ends when the two meet."""
    verb, first = verb_of(reading, clause)
    if verb in ASKED_TO:
        return of_asked(reading, clause.trigger, first, clause.core, frozenset()) is not None
    w = reading.lexicon.words
    return verb in (_SENDING if w.code == "en" else w.sending | _SETTLING | _CALLING)


_SENDING: Final = table("send resend return forward share lend post e-mail email mail pay transfer refund")
#: In other languages, what is paid, given back or sent in a special way.
_SETTLING: Final = table(
    """
    zurückgeben zurückzahlen zurückschicken zusenden überweisen bezahlen erstatten rüberschicken durchschicken
    rumschicken
    virer payer rembourser rendre transférer partager
    devolver pagar transferir reembolsar compartir partilhar
    restituire pagare rimborsare condividere
    teruggeven terugsturen terugbetalen betalen overmaken
    """
)
_CALLING: Final = table(
    "anrufen zurückrufen appeler rappeler llamar ligar telefonar chiamare richiamare telefonare bellen terugbellen"
)
#: English: "I'll bring you the ladder tonight", and not "I'll bake you a cake tonight".
_GIVING_TONIGHT: Final = _SENDING | table("bring give drop let tell sending bringing")


def _is_duty(reading: SentenceReading, clause: Clause) -> bool:
    """ "I'll book the court on Friday"; not "I'll look for a dress", "I can pay half", "we'll order pizza"."""
    words, trigger = reading.words, clause.trigger
    if (
        trigger.kind == "must"
        or is_plural(reading, clause)
        or not _OFFERING.isdisjoint(words[trigger.start : trigger.after])
    ):
        return False
    w = reading.lexicon.words
    duties = (
        w.giving - _FETCHING if w.code == "en" else w.giving | w.sending | w.arranging | _FOR_OTHERS | {"undertaking"}
    )
    does = verb_of(reading, clause)[0] in duties and _OTHERS.isdisjoint(words[trigger.after : clause.core])
    return does and not any(pair in _TO_OTHERS for pair in pairwise(words[trigger.after :]))


_OFFERING: Final = frozenset({"can", "could"})
#: In other languages, somebody else: "ich rufe ihn morgen an".
_OTHERS: Final = table("ihn ihm lui leur hem")
#: In other languages, what one pays, brings, prepares or finishes, and whom one calls or asks.
_FOR_OTHERS: Final = (
    _SETTLING
    | _CALLING
    | table(
        """
    fertigmachen fertigstellen abschließen beenden nachfragen erledigen
    apporter amener chercher préparer finir terminer boucler rédiger demander
    llevar traer entregar preparar terminar acabar redactar preguntar
    portare consegnare preparare finire terminare completare scrivere sentire
    levar trazer escrever perguntar
    brengen meebrengen voorbereiden afmaken afronden navragen
    """
    )
)
#: Just as often for oneself.
_FETCHING: Final = frozenset({"collect", "fetch"})
#: "I'll give it to mum": to somebody else.
_TO_OTHERS: Final = frozenset(("to", other) for other in ("her", "him", "them", "mum", "mom", "dad", "my"))
