"""Requests that oblige nobody: advice, habits, gestures, and what is settled on the spot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from consumer.understanding import certainty, chatter, objects, phrases
from consumer.understanding.grammar import CLOSING, Phrases, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.requests.parts import ANY_THING, from_verb, is_definite, verbs_of
from consumer.understanding.requests.places import MIND, WHEN_ASKED, asked, is_polite_ask
from consumer.understanding.requests.some import ANYBODY, is_for_asker
from consumer.understanding.statements import Due

_ADDRESS = re.compile(r"(?:https?\b|www\b)|\S+\.(?:com|org|net)\b")


def is_duty(reading: SentenceReading) -> bool:
    """Whether it says what one has to do, or could: "you must ...", "maybe you can ..."."""
    phrase, _ = next(asked(reading), (None, 0))
    return phrase is not None and phrase.kind == "duty"


def is_loose(reading: SentenceReading, place: int, core: int, end: int) -> bool:
    """Whether it is advice, an offer, a call to all, a gesture, talk, an ability or a habit, and so needs a
    day to be a request.
    """
    return (
        _is_advice(reading)
        or (not is_polite_ask(reading) and certainty.is_bargain(reading))
        or _is_open_call(reading, place)
        or _is_gesture(reading, place)
        or _is_chat(reading, place, core)
        or is_ability(reading, place, core)
        or is_habit(reading, place, end)
    )


def is_ability(reading: SentenceReading, place: int, core: int) -> bool:
    """ "Kannst du Noten lesen?", "can you bake a cake?": what one is able to do. "Can you book a table?" is a request,
    and so is what has an article, a number or a name, or is for its author.
    """
    lex, words = reading.lexicon, reading.words
    w, (phrase, verb) = lex.words, next(asked(reading), (None, 0))
    if phrase is None or phrase.words[0] in WHEN_ASKED or _ABLE.isdisjoint(phrase.words):
        return False
    if not reading.is_question or is_polite_ask(reading) or not w.me.isdisjoint(phrase.words):
        return False
    some = _SOME_THING - ({"a"} if w.code == "pt" else set())
    certain = (w.articles - some) | w.me | w.pronoun_objects | w.for_self | w.us | _TO_THE
    mine = tuple(f"r{ending}" for ending in w.enclitics) or ("\0",)
    for n in range(verb, core):
        named = reading.capital(n) and len(words[n]) > 1 and w.code != "de" and words[n] not in _TONGUES
        if named or words[n] in certain or words[n][0].isdigit() or n in reading.dated or words[n].endswith(mine):
            return False
    tells = words[verb : verb + 1] and words[verb].startswith(_KNOWING)
    verbs = {known.infinitive for each in verbs_of(reading, place, core) for known in lex.infinitive(each)}
    return not (tells or verbs - w.weak - _ARTS)


#: "Can" in the present, in all languages; "could you" asks.
_ABLE: Final = table(
    """
    can kannst kannste können könnt peux-tu peux pouvez-vous pouvez puedes puede podéis pueden pode podes podem
    consegues consegue conseguem puoi può potete riesci riuscite kun kan kunt kunnen
    """
)
#: Arts, which one masters or does not.
_ARTS: Final = table(
    "bake cook read draw play program lire cuisiner leer cocinar ler cozinhar leggere cucinare lezen koken"
)
#: English writes languages with a capital letter, too.
_TONGUES: Final = table(
    "french german spanish italian dutch portuguese english latin greek russian chinese japanese arabic"
)
#: A preposition and "the" in a word: "al plano".
_TO_THE: Final = table("al del au aux ao aos à às do da no na alla allo all' al alle agli dalla nella")
_SOME_THING: Final = ANY_THING | {"des", "du", "unos", "unas", "uns", "umas"}


def outlasts_chat(reading: SentenceReading, place: int, end: int, item: phrases.Object, due: Due | None) -> bool:
    """Whether it names a later day, or asks to hand its author a definite thing: "send me the list", "bring my book".

    Other requests in a chat are done within minutes, or forgotten: "can you buy milk?".
    """
    if due and (due.last_day > reading.said_on.isoformat() or phrases.is_by(reading, due)):
        return True
    w, verbs = reading.lexicon.words, verbs_of(reading, place, end)
    if is_polite_ask(reading) and (item.first < 0 or not w.sending.isdisjoint(verbs)):
        return True  # "please send me photos"; "please resend it", of what the same message names
    if item.first < 1 or not is_definite(reading, item) or "whenever" in reading.words:
        return False
    if w.code != "en":
        told_or_given = w.telling + _GIVING[w.code]
        asks = is_for_asker(reading) or any(verb.endswith(tuple(w.me)) for verb in verbs)
        return asks and not any(verb.startswith(told_or_given) for verb in verbs)
    gets = due is not None or is_for_asker(reading) or chatter.is_own(reading, item.first)
    return gets and not (w.giving | w.sending).difference(_AT_ONCE).isdisjoint(verbs)


#: What is done while the chat goes on: "give me the result".
_AT_ONCE: Final = table("call phone give")
#: How verbs of giving begin: "give me the number", "pass me the salt".
_GIVING: Final[Mapping[str, tuple[str, ...]]] = {
    "de": ("gib", "geb", "reich"),
    "fr": ("donn", "pass"),
    "es": ("dam", "dar", "dé", "pas", "pás"),
    "pt": ("dá", "dar", "dê", "pass"),
    "it": ("dam", "dar", "pass"),
    "nl": ("geef", "geven"),
}


def is_only_duty(reading: SentenceReading, place: int, item: phrases.Object) -> bool:
    """Whether it says what one has to do or could do, and not for its author: "you must read the rules", "perhaps you
    could take a bus"; "you must return the keys" is a request.
    """
    if not is_duty(reading) or is_for_asker(reading):
        return False
    w = reading.lexicon.words
    certain = item.first > 0 and is_definite(reading, item)
    does = reading.words[place - 1 :] if w.verb_second else reading.words[max(0, place - 2) : place]
    return not certain or (w.giving | w.sending).isdisjoint(does)


def is_no_errand(reading: SentenceReading, place: int, core: int, item: phrases.Object) -> bool:
    """Whether what it asks for is idle, a name, a page to look at, or a habit: "do you do that every day?"."""
    w = reading.lexicon.words
    returns = item.head == "money" and reading.words[place - 1] in w.giving
    if (
        (item.text and objects.is_idle(item.text, w) and not returns)
        or _ADDRESS.match(item.text)
        or _is_naming(reading, place, item)
    ):
        return True
    if w.code == "en" and reading.words[place - 1] == "give" and _TIME.fullmatch(item.text.casefold()):
        return True  # "give me some minutes"
    if w.code == "en" and certainty.is_told_to_all(from_verb(reading, place)):
        return True
    return not w.habits.isdisjoint(reading.words[place:core]) and not is_polite_ask(reading)


_TIME: Final = re.compile(r"(?:(?:couple of|few|\d+) )?(?:minutes?|mins?|seconds?|secs?|hours?)")


def is_pair(reading: SentenceReading, place: int) -> bool:
    """English: whether a second verb follows, with a common object: "sign *and return* the form"."""
    lex, words = reading.lexicon, reading.words
    verbs = lex.words.code == "en" and words[place : place + 1] in _JOINED and words[place - 1] in lex.base
    following = words[place + 1] if place + 1 < len(words) else ""
    return verbs and following in lex.base and following not in _TOUCHING and place + 2 < len(words)


_JOINED: Final = (("and",), ("or",), ("/",))
_TOUCHING: Final = frozenset({"call", "contact", "email", "phone"})


def asks_further(reading: SentenceReading, place: int) -> bool:
    """English: whether a further step follows at once: "review *and let me know*", "read *and we talk*"."""
    lex, words = reading.lexicon, reading.words
    following = words[place + 1] if place + 1 < len(words) else ""
    known = following in lex.base and following not in _TOUCHING
    return lex.words.code == "en" and words[place : place + 1] == ("and",) and not known


def _is_naming(reading: SentenceReading, place: int, item: phrases.Object) -> bool:
    """ "Call me Tom", "call me a fool": what I am called."""
    words = reading.words
    if item.first == place and is_name_given(reading, place):
        return True
    named = item.first == place + 1 or words[place + 1 : place + 2] in (("a",), ("an",))
    return words[place - 1 : place + 1] in (("call", "me"), ("sign", "me"), ("color", "me")) and named


def is_name_given(reading: SentenceReading, place: int) -> bool:
    """Whether the word behind a call is how to call its author: "appelle-moi *Tom*"."""
    words = reading.words
    follows = 0 < place < len(words) and place not in reading.dated and reading.capital(place)
    return follows and words[place - 1] in _CALL_ME


_CALL_ME: Final = table("appelle-moi appelez-moi llámame llámeme chiamami chiami chiama-me chame-me noem")


def is_habit(reading: SentenceReading, place: int, end: int) -> bool:
    """ "Enter the date every time you start", "check it once a day", "use the code when booking", "ask me before
    signing any lease": a rule for always.
    """
    words, w = reading.words, reading.lexicon.words
    units, habits = _TIMES | w.dates.units.keys() | w.dates.periods.keys(), w.habits | {"each"}
    last = min(end, len(words)) - 1
    if w.code == "en" and any(
        (words[n] == "when" and words[n + 1].endswith("ing")) or words[n : n + 2] == ("once", "a")
        for n in range(place, last)
    ):
        return True
    if w.code == "en" and _BEFORE_ANY.search(" ".join(words[place:])):
        return True
    return any(words[n] in habits and words[n + 1] in units for n in range(reading.begin, last))


_BEFORE_ANY: Final = re.compile(r"\b(?:before|prior to) \w+ing(?: \w+){0,2} any\b")
_TIMES = frozenset({"time", "mal", "fois", "vez", "volta", "keer"})


def outlasts_talk(reading: SentenceReading, names: Phrases, place: int, core: int, due: Due | None) -> bool:
    """Whether it asks for something after the conversation: of somebody by name, or by a later day, or to be sent."""
    if due is None and _is_talk(reading, place, core):
        return False
    called = any(
        names.at(reading.words, n) and reading.capital(n) and "," in reading.words[n : n + 4]
        for n in range(min(reading.begin, len(reading.words)))
    )
    later = (
        due is not None
        and not phrases.is_at_once(due)
        and any(hit.role == "by" and hit.due == due for hit in reading.dates)
    )
    sends = not reading.lexicon.words.sending.isdisjoint(verbs_of(reading, place, core))
    return called or later or sends


#: How verbs begin that ask for knowledge, and what one is given of it; words between the verb and this.
_KNOWING: Final = (
    *(
        "recommend",
        "explain",
        "suggest",
        "point",
        "tell",
        "share",
        "describe",
        "confirm",
        "clarify",
        "outline",
        "email",
    ),
    *("summari", "verify", "elaborate", "post", "give", "enlighten", "empfehl", "erklär", "verrat", "recommand"),
    *("expliqu", "recomend", "explic", "aconsej", "aconselh", "consigli", "spieg", "aanbevel", "aanraden", "uitleg"),
)
_HINTS: Final = table(
    "idea ideas pointer pointers advice hint hints tip tips suggestion suggestions insight example examples tipp tipps "
    "help assistance rat conseil conseils consejo consejos conselho conselhos consiglio consigli advies"
)
_NEXT: Final = 5


def _is_advice(reading: SentenceReading) -> bool:
    """English: "be sure to save it before you start", where nothing is for the author."""
    words, begin = reading.words, reading.begin
    front = words[begin : begin + _NEXT]
    advises = any(front[n : n + 2] in MIND for n in range(len(front) - 1))
    return advises and not is_polite_ask(reading) and reading.lexicon.words.me.isdisjoint(words)


def _is_open_call(reading: SentenceReading, place: int) -> bool:
    """ "Can anyone recommend a book?", "can someone describe it?": whoever knows; "can someone cancel the taxi?" is an
    errand.
    """
    words = reading.words
    if ANYBODY.isdisjoint(words[reading.begin : place]):
        return False
    last = next((n for n in range(len(words) - 1, place, -1) if words[n] not in CLOSING), place)
    verbs = {*words[max(0, place - 1) : place + 1], words[min(last, len(words) - 1)]}
    return any(verb.startswith(_KNOWING) for verb in verbs) or not _HINTS.isdisjoint(words[place:])


def _is_gesture(reading: SentenceReading, place: int) -> bool:
    """English: "hand me a wrench", "pass the salt": at once, or a joke."""
    verb, following = reading.words[max(0, place - 1)], reading.words[place : place + 1]
    me = reading.lexicon.words.me
    return reading.lexicon.words.code == "en" and verb in ("hand", "pass") and not {*me, "the"}.isdisjoint(following)


def _is_chat(reading: SentenceReading, place: int, core: int) -> bool:
    """ "Tell me more about your trip", "show me what you got": these only continue a chat."""
    w, words = reading.lexicon.words, reading.words
    telling = any(verb.startswith(w.telling) for verb in verbs_of(reading, place, core) if w.telling)
    shares = telling or "share" in words[max(0, place - 2) : place + 1] or "sharing" in words[max(0, place - 2) : place]
    if shares and not w.chatting.isdisjoint(words[place : min(core, place + 4)]):
        return True
    return telling and not reading.is_question and not is_polite_ask(reading)


def _is_talk(reading: SentenceReading, place: int, core: int) -> bool:
    """Whether it asks for words, a look or a thing at hand, or gives advice: the conversation itself settles these."""
    lex, words = reading.lexicon, reading.words
    w = lex.words
    verbs = verbs_of(reading, place, core)
    settled = w.telling + w.at_once
    if settled and any(verb.startswith(settled) for verb in verbs):
        return True
    if not is_polite_ask(reading) and not any(verb in lex.base or verb in lex.doing for verb in verbs):
        return True  # "would you anticipate that", "can you fit it in"
    advises = any(lex.remind.within(words, 0, place))
    return advises and w.me.isdisjoint(words) and verbs.isdisjoint(w.giving | w.elliptic)


def is_in_quotes(reading: SentenceReading, place: int) -> bool:
    """ "Give me a rule and I'll show you an exception", between marks: a saying, or somebody else's words."""
    return reading.in_quotes(max(place - 1, 0))


def is_suggested(reading: SentenceReading) -> bool:
    """ "You could send them a card, no?": its author wants to know what the other thinks."""
    words = reading.words
    last = len(words) - 1
    while last > 0 and words[last] in CLOSING:
        last -= 1
    return reading.is_question and last > 1 and words[last] in _TAGS and words[last - 1] in (",", "\u00bf")


#: Words that turn a statement into a question, in all languages.
_TAGS = frozenset({"no", "non", "n\u00e3o", "oder", "toch", "right", "or", "nee", "hein", "n\u00e9", "vero"})
