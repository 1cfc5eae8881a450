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
_PROVIDING: Final = table("provide providing supply furnish help equip present leave")
_TELLING: Final = table("email e-mail mail write text message call fax")
#: Who is provided with something, where no name says it.
_RECEIVERS: Final = table(
    """
    team board client clients customer customers office staff committee crew group landlord tenant tenants auditor
    auditors lawyer lawyers bank members guests participants students colleagues people department company council
    court agency everyone everybody landlady supplier contractor committee management police school family
    """
)
#: "Prepare it *for your signature*": what for.
_FOR_THIS: Final = table(
    "signature approval review information consideration records reference use files signoff perusal attention"
)
#: Before whom somebody asks, who is to do what follows.
_ASKING: Final = table("ask tell remind get want have")
#: Subjects of a question: "confirm *what* happened".
_ASKED_THING: Final = table("what which")
#: Subjects of a clause: "what *they* mean", "that *we* did".
_DOERS: Final = table("i we they he she")
#: Before a clause, and subjects that begin it only there: "what *you* would like", "that *it* belongs there".
_ASKED: Final = table("that what which how who whether if where why")
_THEMES: Final = table("you it this there")
#: "Weekly updates" are a habit, and "the weekly report" is a thing.
_OFTEN: Final = table("daily weekly monthly")
#: What stands for a thing or a person that is not named.
_NOBODY: Final = table(
    "either neither few sometime someone somebody anyone others else last first next new same one two three both guys "
    "folks"
)
_NOUNS_IN_LY: Final = table("family supply reply assembly anomaly monopoly")
#: "In a moment".
_MOMENTS: Final = table("little moment minute second sec bit while few")
#: Before "a", within one noun phrase: "such a plan".
_PREDETERMINERS: Final = table("such half quite what many not all both")


def verdict(  # noqa: PLR0911 - one branch a form
    reading: SentenceReading, place: int, first: int, run: list[int], *, begun: bool, dated: bool = False
) -> str:
    """stop or break where English ends or skips something at this word; "" where it has no say.

    ``first``: the first word behind the verb. ``run``: the words of the object so far. ``begun``: whether they name
    anything. ``dated``: as for ``phrases.find``.
    """
    w, word = reading.lexicon.words, reading.words[place]
    if run and is_pair(reading, place):
        return "take"
    receives = run and (reading.capital(run[-1]) or reading.words[run[-1]] in _RECEIVERS)
    if word == "with" and receives and run[0] == first and reading.words[first - 1] in _PROVIDING:
        run.clear()
        return "break"  # "provide Ann with the list"
    if word == "to" and begun and place + 1 < len(reading.words) and reading.words[max(0, first - 1)] in _ASKING:
        following = reading.words[place + 1]
        if following.isalpha() and following not in w.articles | w.you | w.me | w.pronouns:
            return "stop"  # "ask the office to obtain it"
    if dated and not run and (word == "who" or (word in _IS and reading.words[place - 1] == "who")):
        return "break"  # "find out who has the keys"
    if begun and word in _IS:
        run.clear()  # the subject of a clause: "scrap metal is cheap"
        return "stop"
    if not begun and (made := _before_object(reading, place, first)):
        return made
    return "stop" if _is_clause(reading, place, run, begun=begun) else ""


def _before_object(  # noqa: PLR0911 - one branch a form
    reading: SentenceReading, place: int, first: int
) -> str:
    """What a word means before anything is named."""
    w, word = reading.lexicon.words, reading.words[place]
    before = reading.words[place - 1] if place else ""
    following = reading.words[place + 1] if place + 1 < len(reading.words) else ""
    persons = w.you | w.me | w.pronouns
    verb = reading.words[max(0, place - 2)]
    tells = verb in _TELLING and following in w.articles - {"any"}
    if word == "with" and before in persons and (verb in _PROVIDING or tells):
        return "break"  # "provide you with the list", "email him with your number"
    if word in _LATER or word in _IS:
        return "stop"
    if word == "to" and _has_thing_behind(reading, place + 1):
        return "break"  # "forward to Ann the lease"
    if word == "for" and following in w.articles and not _FOR_THIS.isdisjoint(reading.words[place + 2 : place + 3]):
        return "stop"
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
    alone = place + 2 >= len(reading.words) or not reading.words[place + 2][0].isalnum()
    happened = word in _ASKED_THING and (
        following in reading.lexicon.participles | _IS or following.endswith("ed") or alone
    )
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
    for_this = before in w.articles and reading.words[kept[0] - 2] == "for" and word in _FOR_THIS
    if for_this or (len(word) == 1 and word.isalpha() and len(kept) == 1):
        return True  # "prepare for your signature", "#s"
    if len(kept) > 1 or reading.capital(kept[0]) or before in w.articles:
        return False
    return is_manner(reading, kept[0]) or word in lex.participles | _ASKED | _NOBODY


def asked_clause(reading: SentenceReading, first: int, end: int) -> int:
    """The last word of "*what the others meant*", which is the thing as a whole; 0 where none begins here."""
    w, words = reading.lexicon.words, reading.words
    if first + 3 > end or words[first] not in _ASKED_THING:
        return 0
    if not (reading.capital(first + 1) or words[first + 1] in w.articles):
        return 0
    stops = w.conjunctions | w.contrast | w.subordinate | {","}
    last = next((n for n in range(first + 2, end) if words[n] in stops or not words[n][0].isalnum()), end) - 1
    while last > first and (last in reading.dated or words[last] in w.prepositions | w.adverbs):
        last -= 1
    return last if last >= first + 3 else 0


def is_pair(reading: SentenceReading, place: int) -> bool:
    """Whether a noun of two words ends here: "a *heads up*"."""
    return place > 0 and reading.words[place] in _PAIRS.get(reading.words[place - 1], ())


_PAIRS: Final = {
    "heads": table("up"),
    "run": table("down through"),
    "read": table("out"),
    "follow": table("up"),
    "write": table("up"),
    "mock": table("up"),
    "sign": table("off"),
    "print": table("out"),
    "hand": table("out over"),
    "check": table("in"),
    "time": table("off"),
    "round": table("up"),
    "wrap": table("up"),
    "shout": table("out"),
}


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
    if w.code != "en" or not hit.due or (hit.role == "by" and not hit.due.words.startswith("weekend")):
        return False
    inside = [n for n, token in enumerate(reading.tokens) if hit.start <= token.start < hit.end]
    if not inside or reading.words[inside[-1]] in w.dates.parts:
        return False
    after = inside[-1] + 1
    if reading.words[after : after + 1] == ("(",) and ")" in reading.words[after : after + 4]:
        after = reading.words.index(")", after) + 1  # "the 6pm (CST) meeting"
    before, following = reading.words[max(0, inside[0] - 1)], reading.words[after : after + 1]
    small = w.prepositions | w.conjunctions | w.adverbs | w.pronouns | w.contrast | w.subordinate
    named = bool(following) and following[0][0].isalpha() and following[0] not in small
    day = reading.words[inside[0] : inside[-1] + 1]
    if day == ("weekend",) and inside[0] and before not in small:
        return True  # "the Bergen weekend"
    if named and day == ("the", "weekend"):
        return True  # "look at the weekend plan"
    if named and before == "for" and following[0] not in reading.lexicon.please.first:
        return True  # "for weekend reading", "for Friday delivery"
    return named and before in w.articles - {"this", "any", "every"}
