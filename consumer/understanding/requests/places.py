"""Where a sentence asks: polite phrases, imperatives, and the verbs behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from consumer.understanding import phrases
from consumer.understanding.grammar import CLOSING, Phrase, SentenceReading
from consumer.understanding.languages.words import words as table


def verb_asked(reading: SentenceReading) -> int | None:
    """The verb after the first "could you" or "please" of a clause, whatever verb it is; None if there is none."""
    lex, words = reading.lexicon, reading.words
    _, verb = next(asked(reading), (None, len(words)))
    while verb < len(words) and (words[verb] in lex.words.adverbs or words[verb] == "," or lex.please.at(words, verb)):
        verb += 1
    return verb if verb < len(words) else None


def asks_before(reading: SentenceReading, place: int) -> bool:
    """English: whether something else is asked for first: "please *read it* and let me know if you have questions"."""
    words = reading.words
    know = next((n for n in range(1, place) if words[n - 1 : n + 1] in _THEN), 0)
    verb = verb_asked(reading) if know else None
    return verb is not None and verb < know - 1 and not words[verb].startswith(reading.lexicon.words.contacting)


_THEN: Final = (("and", "let"), ("and", "advise"), ("and", "call"), ("and", "contact"), ("and", "email"))
#: Before advice.
MIND: Final = (("be", "sure"), ("make", "sure"))


def is_polite_ask(reading: SentenceReading) -> bool:
    return any(reading.lexicon.please.within(reading.words, 0, len(reading.words)))


def is_reported(reading: SentenceReading, place: int) -> bool:
    """ "Anna asked: could you send it?": somebody else's words."""
    words, reported = reading.words, reading.lexicon.words.reported
    return ":" in words[:place] and not reported.isdisjoint(words[:place])


BEING = frozenset({"is", "are"})


def ask_verb(reading: SentenceReading) -> int | None:
    """The first word after the verb of a request; None if nothing is asked for."""
    lex, begin = reading.lexicon, reading.begin
    reminded = _reminded(reading, past_please(reading)) if lex.remind.anywhere(reading) else None
    if reminded is not None:
        return reminded
    other = _of_another(reading, begin) if lex.could.anywhere(reading) else None
    if other is not None:
        return other
    for phrase, verb in asked(reading):
        if phrase.kind != "please":
            return _subjunctive(reading, verb) if phrase.words[-1] == "que" else _infinitive(reading, verb)
        after = _imperative(reading, _past_comma(reading, verb), True)
        if after is not None:
            return after
    return _imperative(reading, begin, is_polite_ask(reading))


def asked(reading: SentenceReading) -> Iterator[tuple[Phrase, int]]:
    """Each "could you" and "please" that begins a clause, and the first word after it."""
    lex, words = reading.lexicon, reading.words
    for place in range(reading.begin, len(words)):
        if (words[place] not in lex.ask.first and words[place] not in lex.please.first) or reading.in_quotes(place):
            continue
        phrase = asks_at(reading, place)
        if phrase is None or (phrase.words == ("mind",) and words[max(0, place - 1)] in lex.words.articles):
            continue  # "my mind is set, please ..."
        if phrase.kind != "please" and _only_sounds(reading, phrase, place):
            return
        if _is_front(reading, reading.begin, place):
            verb = place + len(phrase.words)
            verb += lex.words.code == "en" and words[verb : verb + 1] in _ALL_OF_YOU
            if verb >= len(words) or not _really_asks(reading, phrase, place > reading.begin, verb):
                return
            yield phrase, verb


#: "Could you *guys* move the desk".
_ALL_OF_YOU: Final = (("guys",), ("all",), ("both",), ("folks",), ("two",))


def _only_sounds(reading: SentenceReading, phrase: Phrase, place: int) -> bool:
    """ "How could you", "I would you inform", "you couldn't open it", "not only will you": these only look like
    "could you".
    """
    w, before = reading.lexicon.words, reading.words[place - 1] if place else ""
    possible = phrase.words == ("you", "couldn't") and not reading.is_question
    possible = possible or (phrase.kind == "duty" and reading.is_question)  # "do you need to send it?"
    return before in w.questioning or before in w.subjects or before in _INVERTING or possible


#: English: what stands before "will you" where nobody asks: "*nor* will you".
_INVERTING: Final = frozenset({"only", "nor", "neither", "never"})


def asks_at(reading: SentenceReading, place: int) -> Phrase | None:
    """What asks or is a "please", and begins at this word."""
    return _ask_at(reading, place) or reading.lexicon.please.at(reading.words, place)


def _ask_at(reading: SentenceReading, place: int) -> Phrase | None:
    """What asks and begins at this word: "could you"; "if you could" only before thanks for it."""
    phrase = reading.lexicon.ask.at(reading.words, place)
    if phrase and phrase.words[:2] == ("if", "you"):
        rest = reading.words[place:]
        then = any(rest[n : n + 2] in _THEN_I for n in range(len(rest) - 1))
        return phrase if then or not _WELCOME.isdisjoint(rest) else None
    return phrase


def _really_asks(reading: SentenceReading, phrase: Phrase, inside: bool, verb: int) -> bool:
    """ "Vuoi provare?" is an offer, "puoi chiedere alla polizia" a permission, "puoi mandarmi il piano" a request.

    ``inside``: whether words precede ``phrase``. ``verb``: the first word after it.
    """
    lex, words = reading.lexicon, reading.words
    w = lex.words
    # "Potrebbe piovere", "es posible ver el mar": a possibility, if it is no question.
    may = phrase.words[0].startswith(_MAY) and w.code in ("it", "es", "pt") and not reading.is_question
    if phrase.words[0] in WHEN_ASKED:
        # "When can you send it" asks for the thing, "when will you arrive" for an answer.
        return reading.is_question and not (w.giving | w.sending).isdisjoint(words[verb:])
    known = w.code != "en" or lex.idioms.at(words, verb) or words[verb] in lex.base or words[verb] in w.adverbs
    if not known and (phrase.kind == "duty" or phrase.words == ("will", "you")) and not is_polite_ask(reading):
        return False  # "will you win the first prize", "you must receive it today"
    if (phrase.kind in ("ask", "duty") and not may) or is_polite_ask(reading):
        return True
    to_me = any(word in w.me for word in words[max(0, verb - 3) :]) or any(
        word.endswith(w.enclitics) and _asks_me(reading, (word,)) for word in words[verb : verb + 2] if w.enclitics
    )
    if to_me:
        return True
    inverted = w.verb_second and not inside
    return phrase.kind == "can" and (reading.is_question or inverted)


#: First words of "when can you send it?", in all languages.
WHEN_ASKED: Final = table("when how by wann quand cuándo quando wanneer")
#: English: thanks in advance: "if you could send them, that would be *great*".
_WELCOME: Final = table(
    "great good nice lovely helpful wonderful fantastic amazing appreciated appreciate grateful thankful"
)
#: English: "if you could send them, *I'll* sign them".
_THEN_I: Final = ((",", "i'll"), (",", "we'll"), (",", "i"), (",", "we"))
_MAY = ("pot", "pod", "pud", "puo", "pued", "è", "es", "é")


def _reminded(reading: SentenceReading, begin: int) -> int | None:
    """ "Don't forget to book the room", "denk bitte an die Schl\u00fcssel"."""
    lex, words = reading.lexicon, reading.words
    if reading.is_question:
        return None
    for place in range(begin, len(words)):
        phrase = lex.remind.at(words, place)
        if phrase is None or not _is_front(reading, begin, place) or reading.in_quotes(place):
            continue
        if _is_own_care(reading, phrase, place, begin):
            continue
        after = place + len(phrase.words)
        # "Vergeet niet *dat* het een feestdag is": nothing to do.
        if after >= len(words) or words[_past_comma(reading, after)] in lex.words.subordinate:
            return None
        object_ = _infinitive(reading, after)
        done = object_ is not None
        if object_ is not None:
            after = object_
        if (not done and lex.words.code == "en" and not _is_to_take_along(reading, after)) or not BEING.isdisjoint(
            words[after : after + 2]
        ):
            return None  # "don't forget tonight is the premiere"
        # "Denk daran, den Knopf zu drücken" is advice, "vergiss nicht, mir die Liste zu schicken" is not.
        done = done and (words[after - 1] != "," or not lex.words.me.isdisjoint(words))
        # "Denk an mich" is no errand, and "denk bitte an die Schl\u00fcssel" is.
        return after if done or reading.dated or is_polite_ask(reading) else None
    return None


def _is_own_care(reading: SentenceReading, phrase: Phrase, place: int, begin: int) -> bool:
    """ "I make sure to ...", and advice: "use the editor, and make sure you save it"."""
    if place and reading.words[place - 1] in reading.lexicon.words.subjects:
        return True
    before = reading.words[begin:place]
    if before[-1:] in (("to",), ("and",)) and any(
        word.partition("'")[0] in reading.lexicon.words.subjects for word in before
    ):
        return True  # "I'll have to try and remember to lock it"
    advises = place > begin and phrase.words[:2] in MIND
    return advises and not reading.dated and not is_polite_ask(reading)


def _is_to_take_along(reading: SentenceReading, place: int) -> bool:
    """ "Don't forget the keys on Friday", and not "the party on Friday"."""
    if not reading.dated or reading.words[place] not in reading.lexicon.words.articles:
        return False
    if not _TAKING_PLACE.isdisjoint(reading.words[place:]):
        return False  # "don't forget your train leaves at 9"
    return phrases.OCCASIONS.isdisjoint(reading.words[place:])


_TAKING_PLACE: Final = table("leaves starts begins departs opens closes ends arrives is are has")


def _of_another(reading: SentenceReading, begin: int) -> int | None:
    """ "Could Tom review section 4 by the 19th?": the reader is asked to see to it."""
    lex, words = reading.lexicon, reading.words
    phrase = lex.could.at(words, begin) if begin < len(words) and reading.is_question else None
    if phrase is None:
        return None
    place = first = begin + len(phrase.words)
    while place < len(words) and reading.capital(place) and words[place] not in lex.words.subjects:
        place += 1
    if place == first or place >= len(words) or lex.by.isdisjoint(words):
        return None
    if lex.words.verb_second:
        return _infinitive(reading, place)
    return place + 1 if lex.infinitive(words[place]) else None


def past_please(reading: SentenceReading) -> int:
    """Where the sentence begins past "bitte" or "por favor,"; English has none that it would have to pass."""
    lex, words, begin = reading.lexicon, reading.words, reading.begin
    phrase = lex.please.at(words, begin) if begin < len(words) and lex.words.code != "en" else None
    after = _past_comma(reading, begin + len(phrase.words)) if phrase else begin
    return after if after < len(words) else begin


def _past_comma(reading: SentenceReading, place: int) -> int:
    return place + (place < len(reading.words) and reading.words[place] == ",")


def _is_front(reading: SentenceReading, begin: int, place: int) -> bool:
    w = reading.lexicon.words
    first = begin
    for n in range(begin, place):
        if reading.words[n] in CLOSING or reading.words[n] == "," or reading.words[n] in w.contrast | w.conjunctions:
            first = n + 1
    if w.code == "en" and not _SINCE.isdisjoint(reading.words[begin : begin + 1]):
        return True
    return all(
        reading.words[n] in w.fronting | w.adverbs or n in reading.dated or reading.words[n] == "\u00bf"
        for n in range(first, place)
    )


#: English: first words of a reason, "since Bob is out could you ...".
_SINCE: Final = frozenset({"since", "because"})


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
    sure = lex.words.code == "en" and is_polite_ask(reading) and _may_be_verb(reading, place)
    # "I'd appreciate it if you sent it".
    sure = sure or (words[place - 2 : place] == ("if", "you") and words[place] in lex.participles)
    return place + 1 if sure or phrases.is_verb(reading, place) else None


def _may_be_verb(reading: SentenceReading, place: int) -> bool:
    """English: whether a word may be a verb: behind "could you please", all but function words are."""
    w, word = reading.lexicon.words, reading.words[place]
    small = reading.lexicon.empty | w.idle_verbs | w.subordinate | w.contrast | w.negation
    return word.isalpha() and word not in small and not reading.capital(place) and place not in reading.dated


#: Idle by themselves ("give it a try"), but requests if "me" follows: "give me the address".
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
        # "Bringen Sie die Quittung mit?" wants to know; "prüfst du bis Donnerstag die Kasse?" asks.
        question = reading.is_question and len(phrase.words) > 1 and (bool(reading.dated) or not lex.words.verb_second)
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
    if lex.words.verb_second and please and {words[place], following}.isdisjoint(lex.words.pronouns):
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
    if words[place] == "so" or (words[place] == "how" and not any(hit.role == "by" for hit in reading.dates)):
        return None  # "let me know how it goes"
    return place if please or reading.dated else None


def _asks_me(reading: SentenceReading, words: tuple[str, ...]) -> bool:
    """ "Env\u00edame", "mi mandi", "envoie-moi"."""
    me = reading.lexicon.words.me
    return any(word in me for word in words) or (
        words[-1].endswith(("me", "nos", "mi", "ci", "-moi", "-nous", "-me"))
        and reading.lexicon.words.code not in ("de", "nl")
    )
