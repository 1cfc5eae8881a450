"""
English noun phrases: where the object of a sentence ends, and which words name nothing.

Other languages mark this by case, gender or the order of words; English leaves it to prepositions and small verbs.
"""

from __future__ import annotations

from typing import Final

from consumer.understanding import dates
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table

#: Prepositions before those who get it or what it is for. What follows is the thing only behind these words: "reply to
#: the mail", "look for the keys".
_TAKEN: Final = {
    "on": table("work check up focus comment report decide off back speak me us"),
    "to": table("reply respond talk speak write listen refer subscribe attend"),
    "with": table("check talk speak up deal meet coordinate along touch work help"),
    "for": table("look ask search register apply pay arrange up prepare"),
}
#: What follows tells when or why: "call me *after* you have looked".
_LATER: Final = table("after as when if once until because since before upon")
#: Verbs of a clause whose subject is not the thing: "confirm that the address *is* right".
_IS: Final = table("is are was were has had should would will can could")
#: Subjects of a clause: "what *they* mean", "that *we* did".
_DOERS: Final = table("i we they he she")
#: Before a clause, and subjects that begin it only there: "what *you* would like", "that *it* belongs there".
_ASKED: Final = table("that what which how who whether if where why")
_THEMES: Final = table("you it this there")
#: "Weekly updates" are a habit, and "the weekly report" is a thing.
_OFTEN: Final = table("daily weekly monthly")
#: What stands for a thing or a person that is not named.
_NOBODY: Final = table("sometime someone somebody anyone others else last first next new same one two three both")
_NOUNS_IN_LY: Final = table("family supply reply assembly anomaly monopoly")
#: "In a moment".
_MOMENTS: Final = table("moment minute second sec bit while few")
#: Before "a", within one noun phrase: "such a plan".
_PREDETERMINERS: Final = table("such half quite what many not all both")


def verdict(
    reading: SentenceReading, place: int, first: int, run: list[int], *, begun: bool, dated: bool = False
) -> str:
    """stop or break where English ends or skips something at this word; "" where it has no say.

    ``first``: the first word behind the verb. ``run``: the words of the object so far. ``begun``: whether they name
    anything. ``dated``: as for ``phrases.find``.
    """
    word = reading.words[place]
    if dated and not run and (word == "who" or (word in _IS and reading.words[place - 1] == "who")):
        return "break"  # "find out who has the keys"
    if begun and word in _IS:
        run.clear()  # the subject of a clause: "scrap metal is cheap"
        return "stop"
    if not begun and (made := _before_object(reading, place, first)):
        return made
    return "stop" if _is_clause(reading, place, run, begun=begun) else ""


def _before_object(reading: SentenceReading, place: int, first: int) -> str:
    """What a word means before anything is named."""
    w, word = reading.lexicon.words, reading.words[place]
    before = reading.words[place - 1] if place else ""
    following = reading.words[place + 1] if place + 1 < len(reading.words) else ""
    persons = w.you | w.me | w.pronouns
    if word == "with" and before in persons:
        return "break"  # "provide you with the list"
    if word in _LATER or word in _IS:
        return "stop"
    if word == "to" and _has_thing_behind(reading, place + 1):
        return "break"  # "forward to Ann the lease"
    taken = _TAKEN.get(word)
    if taken and before not in taken and following not in persons and place - 1 not in reading.dated:
        return "stop"  # "forward it to Ken", "compile for the board"
    if before in w.conjunctions and word in reading.lexicon.base and place == first + 1:
        return "break"  # "present and take"
    # "Edit and refine", "call him or refer him".
    return "stop" if word in w.conjunctions and following not in reading.lexicon.base else ""


def _has_thing_behind(reading: SentenceReading, place: int) -> bool:
    """Whether a name stands there, and an article behind it."""
    words, end = reading.words, place
    while end < len(words) and reading.capital(end):
        end += 1
    return place < end < len(words) and words[end] in reading.lexicon.words.articles


def _is_clause(reading: SentenceReading, place: int, run: list[int], *, begun: bool) -> bool:
    """Whether a clause of its own begins, so that nothing of it is the thing."""
    word, before = reading.words[place], reading.words[max(0, place - 1)]
    following = reading.words[place + 1] if place + 1 < len(reading.words) else ""
    if word in _DOERS or (word == "who" and not run):
        return True
    if begun:
        return word in ("how", "why", "whether", "what")
    happened = word == "what" and (following in reading.lexicon.participles or following in _IS)
    return happened or (word in _THEMES and before in _ASKED)


def is_subject_with_verb(word: str) -> bool:
    """ "I'd", "we'll"."""
    subject, apostrophe, _ = word.partition("'")
    return bool(apostrophe) and subject in _DOERS


def is_at_once(reading: SentenceReading, place: int) -> bool:
    """ "In a moment" behind the object."""
    words = reading.words[place : place + 3]
    return len(words) > 2 and words[:2] == ("in", "a") and words[2] in _MOMENTS


def names_nothing(reading: SentenceReading, kept: list[int], *, dated: bool = False) -> bool:
    """An adverb or a participle alone ("individually", "reserved"), and what may not exist ("any messages").

    ``dated``: as for ``phrases.find``; "call me with any questions by Friday" names nothing even so.
    """
    lex = reading.lexicon
    w, word, before = lex.words, reading.words[kept[0]], reading.words[max(0, kept[0] - 1)]
    if w.code != "en":
        return False
    with_any = before == "any" and reading.words[kept[0] - 2] in ("with", "for")
    if with_any or (not dated and (before == "any" or (word in _OFTEN and before not in w.articles))):
        return True
    following = reading.words[kept[0] + 1 : kept[0] + 2]
    if word in lex.participles and following and following[0] in w.prepositions:
        return True  # "signed by the firm"
    if len(kept) > 1 or reading.capital(kept[0]) or before in w.articles:
        return False
    return is_manner(reading, kept[0]) or word in lex.participles | _ASKED | _NOBODY


def is_manner(reading: SentenceReading, place: int) -> bool:
    """An adverb, "carefully"."""
    word = reading.words[place]
    manner = word.endswith("ly") and word not in _NOUNS_IN_LY and not reading.capital(place)
    return manner and reading.lexicon.words.code == "en"


def is_doing(reading: SentenceReading, place: int) -> bool:
    """ "A letter *notifying* you": what the thing does."""
    w, following = reading.lexicon.words, reading.words[place + 1 : place + 2]
    return w.code == "en" and reading.words[place].endswith("ing") and bool(following) and following[0] in w.pronouns


def without_receiver(reading: SentenceReading, run: list[int]) -> list[int]:
    """ "These guys *a draft*": who gets it stands before."""
    w = reading.lexicon.words
    joints = w.prepositions | w.conjunctions | w.adverbs | _PREDETERMINERS | w.articles
    for number in range(1, min(4, len(run))):
        word, before = reading.words[run[number]], reading.words[run[number - 1]]
        written_small = not reading.capital(run[number])  # unlike "plan A"
        if word in ("a", "an") and written_small and before.isalpha() and before not in joints:
            return run[number:]
    return run


def is_attribute(reading: SentenceReading, hit: dates.Found) -> bool:
    """ "The *Thursday* meeting", "the *May 10th* portion": which one, and not when it is due."""
    w = reading.lexicon.words
    if w.code != "en" or not hit.due or hit.role == "by":
        return False
    inside = [n for n, token in enumerate(reading.tokens) if hit.start <= token.start < hit.end]
    if not inside or reading.words[inside[-1]] in w.dates.parts:
        return False
    before, following = reading.words[max(0, inside[0] - 1)], reading.words[inside[-1] + 1 : inside[-1] + 2]
    small = w.prepositions | w.conjunctions | w.adverbs | w.pronouns | w.contrast | w.subordinate
    named = bool(following) and following[0].isalpha() and following[0] not in small
    return named and before in w.articles - {"this", "any", "every"}
