"""What a sentence asks of its reader, and by when."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from consumer.understanding import certainty, phrases
from consumer.understanding.grammar import CLOSING, Phrases, SentenceReading
from consumer.understanding.requests.loose import (
    asks_further,
    is_in_quotes,
    is_loose,
    is_no_errand,
    is_only_duty,
    is_pair,
    is_suggested,
    outlasts_chat,
    outlasts_talk,
)
from consumer.understanding.requests.parts import asked_pronoun, core_end, enclitic_of, thing_and_day
from consumer.understanding.requests.places import ask_verb, is_polite_ask, is_reported
from consumer.understanding.requests.some import asks_any_of_several, is_for_asker, is_for_some, is_offer
from consumer.understanding.statements import Due


class Asking(NamedTuple):
    """``object`` is a word such as "it", or "", if ``pronoun``."""

    object: str
    due: Due | None
    pronoun: bool = False


def ask(  # noqa: C901, PLR0911 - one branch a reason
    reading: SentenceReading,
    names: Phrases,
    *,
    spoken: bool = False,
    to_many: bool = False,
    in_chat: bool = False,
    goes_on: Callable[[], bool] = lambda: False,
) -> Asking | None:
    """A request: "could you send me", "please send", "send me"; with a verb of doing and an object.

    ``spoken``: in a talk, where "tell me more" and "remember to celebrate" leave nothing open.
    ``to_many``: to a crowd, where nobody owes what has neither a day nor somebody to receive it.
    ``in_chat``: in a room or on a messenger, where only a later day or a thing for its author outlasts the day.
    ``goes_on``: whether the line before is unfinished, and so may say for whom the request is.
    """
    place = _asking_place(reading)
    if place is None:
        return None
    end = next(
        (n for n in range(place, len(reading.words)) if reading.words[n] in CLOSING - {"-", "/"}), len(reading.words)
    )
    core = core_end(reading, place, end)
    if asks_further(reading, place):
        core = place  # "please review and let me know what you think"
    if phrases.denies(reading, place, core):
        return None
    item, due = thing_and_day(reading, names, place, core, end)
    if is_for_some(reading, place, item, due):
        return None
    # "Puoi mandarlo, per *favore*?": behind the verb's clause stands no thing.
    thing = item if core > place else item._replace(text="", head="")
    if is_no_errand(reading, place, core, thing) or (spoken and not outlasts_talk(reading, names, place, core, due)):
        return None
    if in_chat and not outlasts_chat(reading, place, end, item, due):
        return None
    if due is None and (
        (to_many and not (is_for_asker(reading) and (reading.is_question or is_polite_ask(reading))))
        or (reading.text[:1].islower() and goes_on())
        or is_loose(reading, place, core, end)
        or phrases.is_no_deed(reading, place - 1, thing)
        or is_only_duty(reading, place, item)
    ):
        return None
    text = item.text if core > place else ""
    pronoun = "" if text else asked_pronoun(reading, place, end, due)
    if not text and not pronoun and not (core <= place and is_polite_ask(reading)):
        return None
    return Asking(text or pronoun, due, not text)


def _past_please(reading: SentenceReading, place: int) -> int:
    """ "Mi mandi *per favore* la bolletta": where the thing begins behind it."""
    words, lex = reading.words, reading.lexicon
    polite = lex.please.at(words, place) if place < len(words) else None
    behind = place + len(polite.words) if polite else place
    return behind if not lex.words.articles.isdisjoint(words[behind : behind + 1]) else place


def _asking_place(reading: SentenceReading) -> int | None:
    """The first word after the verb of a request; None if there is no request."""
    if reading.lexicon.asking.isdisjoint(reading.words) or is_offer(reading) or asks_any_of_several(reading):
        return None
    place = ask_verb(reading)
    if place and is_pair(reading, place):
        place += 2
    if place and not enclitic_of(reading, place - 1):
        place = _past_please(reading, place)
    if place is None or is_reported(reading, place) or is_suggested(reading) or is_in_quotes(reading, place):
        return None
    return None if certainty.is_promotion(reading) or certainty.is_offered_help(reading) else place
