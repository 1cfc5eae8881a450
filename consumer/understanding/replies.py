"""What a sentence asks for, answers, or says was decided."""

from __future__ import annotations

from typing import NamedTuple

from consumer.understanding import objects, phrases
from consumer.understanding.grammar import CLOSING, Phrases, Reading, Sequel
from consumer.understanding.statements import Due
from consumer.understanding.text import fold


class Ask(NamedTuple):
    object: str
    due: Due | None


class Reply(NamedTuple):
    """``verdict`` as in ``statements.Answer``; ``object`` "" for what stands before in the conversation."""

    verdict: str
    object: str


class Choice(NamedTuple):
    what: str
    about: str


# --- requests ----------------------------------------------------------------------------------------------------


def ask(reading: Reading, names: Phrases) -> Ask | None:
    """A request: "could you send me", "please send", "send me"; with a verb of doing and an object."""
    place = _ask_verb(reading)
    if place is None:
        return None
    end = next(
        (n for n in range(place, len(reading.words)) if reading.words[n] in CLOSING - {"-", "/"}), len(reading.words)
    )
    if any(word in reading.lexicon.words.negation for word in reading.words[place:end]):
        return None
    item = phrases.find(reading, place, end, frozenset(names.first))
    if not item.text or objects.is_idle(item.text, reading.lexicon.words):
        return None
    return Ask(item.text, phrases.due(reading, 0, max(place - 1, 0), end))


def _ask_verb(reading: Reading) -> int | None:
    """The first word after the verb that asks; None where nothing is asked for."""
    lex, words = reading.lexicon, reading.words
    begin = _after_greeting(reading)
    please = lex.please.anywhere(reading) and any(lex.please.at(words, n) for n in range(len(words)))
    if not please and not lex.ask.anywhere(reading):
        return _imperative(reading, begin, False) if begin < len(words) else None
    for place in range(begin, len(words)):
        if (words[place] not in lex.ask.first and words[place] not in lex.please.first) or reading.in_quotes(place):
            continue
        phrase = lex.ask.at(words, place)
        if phrase and _is_front(reading, begin, place):
            return _infinitive(reading, place + len(phrase.words))
        polite = lex.please.at(words, place)
        if polite and _is_front(reading, begin, place):
            after = _imperative(reading, _past_comma(reading, place + len(polite.words)), True)
            if after is not None:
                return after
    return _imperative(reading, begin, please) if begin < len(words) else None


def _past_comma(reading: Reading, place: int) -> int:
    return place + (place < len(reading.words) and reading.words[place] == ",")


def _is_front(reading: Reading, begin: int, place: int) -> bool:
    w = reading.lexicon.words
    first = begin
    for n in range(begin, place):
        if reading.words[n] in CLOSING or reading.words[n] == "," or reading.words[n] in w.contrast | w.conjunctions:
            first = n + 1
    return all(
        reading.words[n] in w.fronting | w.adverbs or n in reading.dated or reading.words[n] == "\u00bf"
        for n in range(first, place)
    )


def _after_greeting(reading: Reading) -> int:
    """Past "Hi Bob," and "¿"."""
    words, place = reading.words, 0
    for n in range(min(5, len(words))):
        if (
            words[n] == ","
            and n + 1 < len(words)
            and all(words[k] in reading.lexicon.words.fronting or reading.capital(k) for k in range(n))
        ):
            place = n + 1
    while place < len(words) and (words[place] in CLOSING or words[place] == "\u00bf" or words[place] == "\u00a1"):
        place += 1
    return place


def _infinitive(reading: Reading, place: int) -> int | None:
    """Past the infinitive after "could you"; in German and Dutch it stands at the end, so its object begins at once."""
    lex, words = reading.lexicon, reading.words
    if lex.words.verb_second:
        end = next((n for n in range(place, len(words)) if words[n] in CLOSING), len(words))
        return place if any(words[n] in lex.base and not reading.capital(n) for n in range(place, end)) else None
    while place < len(words) and (
        words[place] in lex.words.adverbs | lex.words.pronouns | lex.words.me
        or lex.please.at(words, place)
        or words[place] == ","
    ):
        place += 1
    if place >= len(words):
        return None
    if lex.words.code == "en":
        phrase = lex.undertaking.at(words, place)
        if phrase:
            return place + len(phrase.words)
        gerund = words[place].removesuffix("ing")
        if words[place].endswith("ing") and (gerund in lex.base or gerund + "e" in lex.base):
            return place + 1
    return place + 1 if lex.infinitive(words[place]) else None


def _imperative(reading: Reading, place: int, please: bool) -> int | None:
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
    if lex.words.code == "en" and words[place] in lex.base and (following in lex.words.me or please):
        return place + 1
    if lex.words.verb_second and please:
        last = next((n for n in range(len(words) - 1, place, -1) if words[n] not in CLOSING), place)
        return place if words[last] in lex.base and not reading.capital(last) else None
    if please and lex.infinitive(words[place]) and lex.words.code in ("fr", "pt", "it", "es"):
        return place + 1
    return None


def _asks_me(reading: Reading, words: tuple[str, ...]) -> bool:
    """ "Env\u00edame", "mi mandi", "envoie-moi"."""
    me = reading.lexicon.words.me
    return any(word in me for word in words) or (
        words[-1].endswith(("me", "nos", "mi", "ci", "-moi", "-nous", "-me"))
        and reading.lexicon.words.code not in ("de", "nl")
    )


# --- answers -----------------------------------------------------------------------------------------------------


def reply(reading: Reading, names: Phrases) -> Reply | None:
    if reading.is_question:
        return None
    parts = _parts(reading, names) if len(reading.words) <= 20 else []
    verdict = _whole(reading, parts)
    if verdict:
        return Reply("delivered" if verdict == "done" else verdict, "")
    if reading.condition:
        return None
    return _begun(reading, names) or _ended(reading, names) or _have(reading, names)


def _whole(reading: Reading, parts: list[tuple[str, ...]]) -> str | None:
    """The verdict of a short answer: all of it is known, or each of its parts says the same ("Sure, with pleasure")."""
    whole = reading.lexicon.whole
    if sum(map(len, parts)) > 12:
        return None
    together = whole.get(" ".join(word for part in parts for word in part))
    verdicts = {whole.get(" ".join(part)) for part in parts}
    return together or (verdicts.pop() if len(verdicts) == 1 else None)


def _parts(reading: Reading, names: Phrases) -> list[tuple[str, ...]]:
    """The parts of a short answer without thanks, greetings and names around it."""
    chunks: list[list[str]] = [[]]
    for word in reading.words:
        if word in CLOSING or word == ",":
            chunks.append([])
        else:
            chunks[-1].append(word)
    w = reading.lexicon
    full = tuple(word for chunk in chunks for word in chunk)
    if " ".join(full) in w.whole:
        return [full]
    kept = [chunk for chunk in chunks if chunk and " ".join(chunk) not in w.polite and not _is_name(chunk, names)]
    trimmed = [_without_polite(chunk, w.polite) for chunk in kept]
    return [tuple(chunk) for chunk in trimmed]


def _without_polite(chunk: list[str], polite: frozenset[str]) -> list[str]:
    for size in (3, 2, 1):
        if len(chunk) > size and " ".join(chunk[-size:]) in polite:
            return chunk[:-size]
    return chunk


def _is_name(chunk: list[str], names: Phrases) -> bool:
    phrase = names.at(chunk, 0)
    greeting = names.at(chunk, 1) if len(chunk) > 1 else None
    return bool(phrase and len(phrase.words) == len(chunk)) or bool(greeting and len(greeting.words) == len(chunk) - 1)


def _begun(reading: Reading, names: Phrases) -> Reply | None:
    """Sentences that begin with what they answer: "Please find attached the deck"."""
    found = _sequel(reading, {"delivered", "declined", "received", "released"})
    if found is None or (found[0] == "delivered" and _is_remark(reading, found[1])):
        return None
    kind, after = found
    if kind == "received" and any(
        hit.due and hit.due.day > reading.said.isoformat() and hit.role == "by" for hit in reading.dates
    ):
        return None
    item = phrases.find(reading, after, _sentence_end(reading, after), frozenset(names.first))
    text = item.text
    verb = _leading_verb(reading, after)
    if verb is not None:
        text = phrases.find(reading, verb, _sentence_end(reading, verb), frozenset(names.first)).text
    if kind == "declined" and not (verb is not None or reading.lexicon.words.verb_second):
        return None
    if not text or _is_nothing(text, reading) or objects.is_idle(text, reading.lexicon.words):
        return None
    if kind == "delivered" and reading.words[0] == "attached" and verb is not None:
        return None
    return Reply(kind, text)


def _is_remark(reading: Reading, after: int) -> bool:
    """ "Here's hoping", "here is why": what follows is no thing."""
    word = reading.words[after] if after < len(reading.words) else ""
    english = reading.lexicon.words.code == "en"
    return word in reading.lexicon.words.subordinate or (
        english and (word.endswith("ing") or word in ("why", "how", "what"))
    )


def _is_nothing(text: str, reading: Reading) -> bool:
    """ "No need to send anything"."""
    w = reading.lexicon.words
    return all(word in w.negation or word in w.pronoun_objects for word in fold(text).split())


def _sequel(reading: Reading, kinds: set[str]) -> tuple[str, int] | None:
    """(kind, first word after the beginning) where the sentence begins so."""
    words, lex = reading.words, reading.lexicon
    starts = [0] + [n + 1 for n, word in enumerate(words[:8]) if word in (",", ":") and _is_polite(reading, n)]
    for place in starts:
        for kind, sequel in lex.begins.get(words[place] if place < len(words) else "", ()):
            if kind in kinds and _follows(words, place, sequel):
                return kind, place + len(sequel.words)
    return None


def _is_polite(reading: Reading, end: int) -> bool:
    """Whether nothing but greetings, thanks, dates and names stands before."""
    w = reading.lexicon.words
    return all(
        word in w.fronting or word == "," or reading.capital(n) or n in reading.dated
        for n, word in enumerate(reading.words[:end])
    )


def _follows(words: tuple[str, ...], place: int, sequel: Sequel) -> bool:
    if words[place : place + len(sequel.words)] != sequel.words:
        return False
    size = len(sequel.later)
    after = range(place + len(sequel.words), len(words) - size + 1)
    return not size or any(words[n : n + size] == sequel.later for n in after)


def _leading_verb(reading: Reading, after: int) -> int | None:
    """Where the object begins if a verb stands first: "you don't need to send the deck"."""
    lex, words = reading.lexicon, reading.words
    place = after
    while place < len(words) and (
        words[place] in lex.words.pronouns
        or words[place] in lex.words.adverbs
        or words[place] in ("to", "de", "a", "di", "que")
    ):
        place += 1
    return place + 1 if place < len(words) and lex.infinitive(words[place]) and not lex.words.verb_second else None


def _ended(reading: Reading, names: Phrases) -> Reply | None:
    """Sentences that end with it: "The deck is no longer needed."."""
    words, lex = reading.words, reading.lexicon
    if not lex.ends.anywhere(reading):
        return None
    last = len(words)
    while last and (words[last - 1] in CLOSING or words[last - 1] == ","):
        last -= 1
    for first in range(max(1, last - 6), last):
        phrase = lex.ends.at_length(words, first, last - first)
        if phrase is None:
            continue
        subject = words[:first]
        if any(
            word in lex.words.negation or word in lex.words.subordinate or word in CLOSING or word == ","
            for word in subject
        ):
            return None
        item = phrases.find(reading, 0, first, frozenset(names.first))
        return Reply(phrase.kind, item.text) if item.text and len(subject) < 10 else None
    return None


def _have(  # noqa: C901, PLR0911 - one branch a form
    reading: Reading, names: Phrases
) -> Reply | None:
    """ "I've sent you the deck": the author has done it; not negated."""
    lex, words = reading.lexicon, reading.words
    begin = _after_greeting(reading)
    place = begin
    while place < len(words) and words[place] in lex.words.fronting and not lex.have.at(words, place):
        place += 1
    if place >= len(words):
        return None
    phrase = lex.have.at(words, place)
    after = place + len(phrase.words) if phrase else place
    if phrase is None and lex.words.code not in ("es", "pt"):
        return None
    end = _sentence_end(reading, after)
    if any(word in lex.words.negation for word in words[begin:end]):
        return None
    if lex.words.verb_second:
        done = next((n for n in range(end - 1, after, -1) if words[n] in lex.participles), None)
        if done is None or phrase is None:
            return None
        item = phrases.find(reading, after, done, frozenset(names.first))
    else:
        while after < end and (words[after] in lex.words.adverbs or words[after] in lex.words.pronouns):
            after += 1
        if (
            after >= end
            or words[after] not in lex.participles
            or (phrase is None and not words[after].endswith(("\u00e9", "\u00ed", "ei", "i")))
        ):
            return None
        item = phrases.find(reading, after + 1, end, frozenset(names.first))
    if not item.text or objects.is_idle(item.text, lex.words):
        return None
    return Reply("delivered", item.text)


def _sentence_end(reading: Reading, first: int) -> int:
    return next(
        (n for n in range(first, len(reading.words)) if reading.words[n] in CLOSING - {"-", "/", "(", ")"}),
        len(reading.words),
    )


# --- decisions ---------------------------------------------------------------------------------------------------


def decision(reading: Reading) -> Choice | None:
    """ "We decided to move the offsite": what stands after it, and what it is about."""
    if reading.is_question or reading.condition:
        return None
    found = _sequel(reading, {"decided"})
    if found is None:
        return None
    after = found[1]
    while after < len(reading.words) and (
        reading.words[after] in (",", ":") or reading.words[after] in ("que", "che", "dass", "dat")
    ):
        after += 1
    end = _sentence_end(reading, after)
    if any(word in reading.lexicon.words.negation for word in reading.words[:after]) or end - after < 1:
        return None
    what = reading.slice(after, end - 1)
    verb = _leading_verb(reading, after)
    item = phrases.find(reading, after if verb is None else verb, end)
    return Choice(what, item.text) if fold(what).strip() and (item.text or end - after > 1) else None
