"""What a sentence asks for: "could you send me the deck", "please send it", "don't forget to book the room"."""

from __future__ import annotations

from typing import NamedTuple

from consumer.understanding import objects, phrases
from consumer.understanding.grammar import CLOSING, Phrase, Phrases, SentenceReading
from consumer.understanding.statements import Due


class Asking(NamedTuple):
    """``object`` is a word such as "it" or "" where ``pronoun``."""

    object: str
    due: Due | None
    pronoun: bool = False


def ask(  # noqa: PLR0911 - one branch a reason
    reading: SentenceReading, names: Phrases, *, spoken: bool = False
) -> Asking | None:
    """A request: "could you send me", "please send", "send me"; with a verb of doing and an object.

    ``spoken``: in a talk, where "tell me more" and "remember to celebrate" ask for nothing that is left open.
    """
    if reading.lexicon.asking.isdisjoint(reading.words) or _is_offer(reading):
        return None
    place = _ask_verb(reading)
    if place is None or _is_reported(reading, place) or _is_suggested(reading):
        return None
    w = reading.lexicon.words
    end = next(
        (n for n in range(place, len(reading.words)) if reading.words[n] in CLOSING - {"-", "/"}), len(reading.words)
    )
    core = _core(reading, place, end)
    if not w.negation.isdisjoint(reading.words[place:core]):
        return None
    item = phrases.find(reading, place, core if core > place else end, frozenset(names.first))
    due = phrases.due(reading, 0, max(place - 1, 0), phrases.main_end(reading, max(core, place), end))
    if item.text and objects.is_idle(item.text, w):
        return None
    if not w.habits.isdisjoint(reading.words[place:core]) and not _is_polite_ask(reading):
        return None  # "do you do that every day?"
    if due is None and (_is_chat(reading, place, core) or (spoken and _is_talk(reading, place, core))):
        return None
    text = item.text if core > place else ""
    pronoun = "" if text else _asked_pronoun(reading, place, end)
    if not text and not pronoun and not (core <= place and _is_polite_ask(reading)):
        return None
    return Asking(text or pronoun, due, not text)


def _is_offer(reading: SentenceReading) -> bool:
    """ "If you have any questions, please contact ...": asks only those who want something."""
    span = reading.condition
    if span is None:
        return False
    w, words = reading.lexicon.words, reading.words[span[0] : span[1] + 1]
    return not w.offers.isdisjoint(words)


def _verbs(reading: SentenceReading, place: int, core: int) -> set[str]:
    """The words among which the verb of the request is; in German and Dutch, it may be the last word."""
    words = reading.words
    return {*words[max(0, place - 2) : place], words[place], words[max(0, core - 1)]}


def _is_chat(reading: SentenceReading, place: int, core: int) -> bool:
    """ "Tell me more about your trip", "show me what you got": these only continue a chat."""
    w, words = reading.lexicon.words, reading.words
    telling = any(verb.startswith(w.telling) for verb in _verbs(reading, place, core) if w.telling)
    shares = telling or "share" in words[max(0, place - 2) : place + 1] or "sharing" in words[max(0, place - 2) : place]
    if shares and not w.chatting.isdisjoint(words[place : min(core, place + 4)]):
        return True
    return telling and not reading.is_question and not _is_polite_ask(reading)


def _is_talk(reading: SentenceReading, place: int, core: int) -> bool:
    """Whether it asks for words, a look or a thing at hand, or gives advice: the conversation itself settles these."""
    lex, words = reading.lexicon, reading.words
    w = lex.words
    verbs = _verbs(reading, place, core)
    settled = w.telling + w.at_once
    if settled and any(verb.startswith(settled) for verb in verbs):
        return True
    if not _is_polite_ask(reading) and not any(verb in lex.base or verb in lex.doing for verb in verbs):
        return True  # "would you anticipate that", "can you fit it in"
    advises = any(lex.remind.at(words, n) for n in range(place))
    return advises and w.me.isdisjoint(words) and verbs.isdisjoint(w.giving | w.elliptic)


def _core(reading: SentenceReading, place: int, end: int) -> int:
    """Where what is asked for ends: before its reason, its condition or a "please" behind it."""
    lex, words = reading.lexicon, reading.words
    please = lex.please.anywhere(reading)
    for n in range(place, end):
        if words[n] == ",":
            return n
        if n > place and (words[n] in lex.words.subordinate or words[n] in lex.words.contrast):
            return n
        behind = not lex.words.verb_second and (n > place or _object_of(reading, n - 1) != "")
        if please and lex.please.at(words, n) and (behind or _is_trailing(reading, n, end)):
            return n
    return end


def _is_trailing(reading: SentenceReading, place: int, end: int) -> bool:
    """Whether nothing but a reason or a name stands behind a "please"."""
    following = reading.words[place + 1] if place + 1 < end else ","
    return following == "," or following in reading.lexicon.words.subordinate


def _is_polite_ask(reading: SentenceReading) -> bool:
    lex = reading.lexicon
    return lex.please.anywhere(reading) and any(lex.please.at(reading.words, n) for n in range(len(reading.words)))


def _is_reported(reading: SentenceReading, place: int) -> bool:
    """ "Anna asked: could you send it?": somebody else's words."""
    words, reported = reading.words, reading.lexicon.words.reported
    return ":" in words[:place] and not reported.isdisjoint(words[:place])


def _is_suggested(reading: SentenceReading) -> bool:
    """ "You could send them a card, no?": its author wants to know what the other thinks."""
    words = reading.words
    last = len(words) - 1
    while last > 0 and words[last] in CLOSING:
        last -= 1
    return reading.is_question and last > 1 and words[last] in _TAGS and words[last - 1] in (",", "\u00bf")


_BEING = frozenset({"is", "are"})
#: What makes a question of a statement, in all languages.
_TAGS = frozenset({"no", "non", "n\u00e3o", "oder", "toch", "right", "or", "nee", "hein", "n\u00e9", "vero"})


def _asked_pronoun(reading: SentenceReading, place: int, end: int) -> str:
    """What a pronoun stands for in "please take it over", where nothing else is asked for; "" for none.

    Only a "please" makes this a request: "can you do that?" is talk as often.
    """
    if not _is_polite_ask(reading):
        return ""
    w, words = reading.lexicon.words, reading.words
    for n in range(place, min(place + 2, end)):
        if words[n] in w.pronoun_objects and n not in reading.dated:
            return reading.slice(n, n)
    return _object_of(reading, place - 1)


def _object_of(reading: SentenceReading, place: int) -> str:
    """The pronoun that is written onto a verb as its object: "rimandamela"; "" for none."""
    w = reading.lexicon.words
    verb = reading.words[place] if place >= 0 else ""
    ending = next((each for each in w.enclitics if verb.endswith(each) and each.strip("-") in w.pronoun_objects), "")
    return ending.strip("-")


def _ask_verb(  # noqa: C901, PLR0911 - one branch a form
    reading: SentenceReading,
) -> int | None:
    """The first word after the verb that asks; None where nothing is asked for."""
    lex, words = reading.lexicon, reading.words
    begin = reading.begin
    reminded = _reminded(reading, begin) if lex.remind.anywhere(reading) else None
    if reminded is not None:
        return reminded
    other = _of_another(reading, begin) if lex.could.anywhere(reading) else None
    if other is not None:
        return other
    please = _is_polite_ask(reading)
    if not please and not lex.ask.anywhere(reading):
        return _imperative(reading, begin, False) if begin < len(words) else None
    for place in range(begin, len(words)):
        if (words[place] not in lex.ask.first and words[place] not in lex.please.first) or reading.in_quotes(place):
            continue
        phrase = lex.ask.at(words, place)
        if phrase and place and words[place - 1] in lex.words.questioning:
            return None  # "how could you"
        if phrase and _is_front(reading, begin, place):
            verb = place + len(phrase.words)
            if not _really_asks(reading, phrase, place > begin, verb):
                return None
            return _subjunctive(reading, verb) if phrase.words[-1] == "que" else _infinitive(reading, verb)
        polite = lex.please.at(words, place)
        if polite and _is_front(reading, begin, place):
            after = _imperative(reading, _past_comma(reading, place + len(polite.words)), True)
            if after is not None:
                return after
    return _imperative(reading, begin, please) if begin < len(words) else None


def _really_asks(reading: SentenceReading, phrase: Phrase, inside: bool, verb: int) -> bool:
    """ "Vuoi provare?" is an offer, "puoi chiedere alla polizia" a permission, "puoi mandarmi il piano" a request.

    ``inside``: whether words precede ``phrase``. ``verb``: the first word after it.
    """
    w, words = reading.lexicon.words, reading.words
    if phrase.kind == "ask" or _is_polite_ask(reading):
        return True
    to_me = any(word in w.me for word in words[max(0, verb - 3) :]) or any(
        word.endswith(w.enclitics) and _asks_me(reading, (word,)) for word in words[verb : verb + 2] if w.enclitics
    )
    if to_me:
        return True
    inverted = w.verb_second and not inside
    return phrase.kind == "can" and (reading.is_question or inverted or bool(reading.dated))


def _reminded(reading: SentenceReading, begin: int) -> int | None:
    """ "Don't forget to book the room", "denk bitte an die Schl\u00fcssel"."""
    lex, words = reading.lexicon, reading.words
    if reading.is_question:
        return None
    for place in range(begin, len(words)):
        phrase = lex.remind.at(words, place)
        if phrase is None or not _is_front(reading, begin, place) or reading.in_quotes(place):
            continue
        if place and words[place - 1] in lex.words.subjects:
            continue  # "I make sure to ..."
        after = place + len(phrase.words)
        if after >= len(words):
            return None
        object_ = _infinitive(reading, after)
        done = object_ is not None
        if object_ is not None and not lex.words.verb_second:
            after = object_
        if after < len(words) and any(word in _BEING for word in words[after : after + 2]):
            return None  # "don't forget tonight is the premiere"
        # "Denk an mich" is no errand, and "denk bitte an die Schl\u00fcssel" is.
        return after if done or reading.dated or _is_polite_ask(reading) else None
    return None


def _of_another(reading: SentenceReading, begin: int) -> int | None:
    """ "Could Tom review section 4 by the 19th?": the one who is asked is to see to it."""
    lex, words = reading.lexicon, reading.words
    phrase = lex.could.at(words, begin) if begin < len(words) and reading.is_question else None
    if phrase is None:
        return None
    place = first = begin + len(phrase.words)
    while place < len(words) and reading.capital(place):
        place += 1
    if place == first or place >= len(words) or lex.by.isdisjoint(words):
        return None
    if lex.words.verb_second:
        return _infinitive(reading, place)
    return place + 1 if lex.infinitive(words[place]) else None


def _past_comma(reading: SentenceReading, place: int) -> int:
    return place + (place < len(reading.words) and reading.words[place] == ",")


def _is_front(reading: SentenceReading, begin: int, place: int) -> bool:
    w = reading.lexicon.words
    first = begin
    for n in range(begin, place):
        if reading.words[n] in CLOSING or reading.words[n] == "," or reading.words[n] in w.contrast | w.conjunctions:
            first = n + 1
    return all(
        reading.words[n] in w.fronting | w.adverbs or n in reading.dated or reading.words[n] == "\u00bf"
        for n in range(first, place)
    )


def _infinitive(reading: SentenceReading, place: int) -> int | None:
    """Past the infinitive after "could you"; in German and Dutch it stands at the end, so its object begins at once."""
    lex, words = reading.lexicon, reading.words
    if lex.words.verb_second:
        place = _past_comma(reading, place)
        end = next((n for n in range(place, len(words)) if words[n] in CLOSING - {"-"}), len(words))
        done = any(words[n] in lex.base and not reading.capital(n) for n in range(place, end))
        return place if done or _ends_in_verb(reading, place, end) else None
    while place < len(words) and (
        words[place] in lex.words.adverbs | lex.words.pronouns | lex.words.me
        or lex.please.at(words, place)
        or words[place] == ","
    ):
        place += 1
    if place >= len(words):
        return None
    if idiom := lex.idioms.at(words, place):
        return place + len(idiom.words)
    if lex.words.code == "en":
        gerund = words[place].removesuffix("ing")
        if words[place].endswith("ing") and (gerund in lex.base or gerund + "e" in lex.base):
            return place + 1
        if words[place] in _HANDING and words[place + 1 : place + 2] and words[place + 1] in lex.words.me:
            return place + 1
    return place + 1 if phrases.is_verb(reading, place) else None


#: Idle by themselves ("give it a try"), and asking where "me" follows: "give me the address".
_HANDING = frozenset({"give", "get", "tell"})


def _subjunctive(reading: SentenceReading, place: int) -> int | None:
    """Past the verb after "te agradezco que" and "necesito que tu": any form of it."""
    w, words = reading.lexicon.words, reading.words
    while place < len(words) and (words[place] in w.pronouns or words[place] in w.me or words[place] in w.you):
        place += 1
    return place + 1 if place < len(words) and words[place].isalpha() and words[place] not in w.negation else None


def _ends_in_verb(reading: SentenceReading, first: int, end: int) -> bool:
    """Whether the last word of a German or Dutch clause is an infinitive, "please", names and dates apart."""
    lex, last = reading.lexicon, end
    while last > first and (
        lex.please.at(reading.words, last - 1) or reading.words[last - 1] == "," or last - 1 in reading.dated
    ):  # fmt: skip
        last -= 1
    comma = next((n for n in range(first, last) if reading.words[n] == ","), last)
    return any(each - 1 > first and phrases.is_verb(reading, each - 1) for each in {last, comma})


def _imperative(  # noqa: C901, PLR0911 - one branch a form
    reading: SentenceReading, place: int, please: bool
) -> int | None:
    lex, words = reading.lexicon, reading.words
    if place >= len(words):
        return None
    phrase = lex.imperatives.at(words, place)
    following = words[place + 1] if place + 1 < len(words) else ""
    if phrase:
        after = place + len(phrase.words)
        attached = _asks_me(reading, phrase.words)
        to_me = any(word in lex.words.me for word in words[after : after + 2])
        question = reading.is_question and len(phrase.words) > 1
        return after if please or attached or to_me or question else None
    if words[place] == "let" and "know" in words[place + 2 : place + 5]:
        return _let_know(reading, words.index("know", place) + 1, please)
    if please and (idiom := lex.idioms.at(words, place)):
        return place + len(idiom.words)
    if lex.words.code == "en" and please and words[place] in lex.words.idle_verbs:
        return place + 1 if words[place] in _HANDING and following in lex.words.me else None
    if lex.words.code == "en" and (
        (words[place] in lex.base and (following in lex.words.me or please))
        or (please and phrases.is_verb(reading, place))
    ):
        longer = lex.idioms.at(words, place)
        return place + (len(longer.words) if longer else 1)
    if following in lex.words.subjects:
        return None  # "darf ich bitte ..."
    if lex.words.verb_second and please and words[place] not in lex.words.pronouns:
        last = next((n for n in range(len(words) - 1, place, -1) if words[n] not in CLOSING), place)
        return place if phrases.is_verb(reading, last) or _ends_in_verb(reading, place, last + 1) else None
    if please and phrases.is_verb(reading, place) and lex.words.code in ("fr", "pt", "it", "es"):
        return place + 1
    return None


def _let_know(reading: SentenceReading, place: int, please: bool) -> int | None:
    """ "Let Dana know which room you want": with a "please" or a day, and not "if you need anything"."""
    words = reading.words
    if place >= len(words) or words[place] in CLOSING or reading.is_condition(place):
        return None
    if words[place] == "how" and not reading.dated:
        return None  # "let me know how it goes"
    return place if please or reading.dated else None


def _asks_me(reading: SentenceReading, words: tuple[str, ...]) -> bool:
    """ "Env\u00edame", "mi mandi", "envoie-moi"."""
    me = reading.lexicon.words.me
    return any(word in me for word in words) or (
        words[-1].endswith(("me", "nos", "mi", "ci", "-moi", "-nous", "-me"))
        and reading.lexicon.words.code not in ("de", "nl")
    )
