"""
A user's standing rule ("Sofie's mails are private, never in a work summary") as a filter of what may be told. Pure.

A rule is read by tables of words (``rulewords``), in eight languages. It must say that something may not be told, and
name what: people, sources, topics or places. Doubt goes to the safe side: a name that two people carry means both, a
rule about somebody's mails holds all that is theirs, an exception is not applied, and every rule holds for every
report, whatever reports it names. What is no such rule, or names nothing, is ``Unread``: never applied, and told.

The text of a rule is data. It is compared with words and printed; nothing in it is carried out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from consumer.understanding import languages
from consumer.understanding.people import USER, Directory, PersonId
from consumer.understanding.rulewords import NOT_PRIVATE, TABLES, RuleWords

#: A longer text is a policy, not a rule: nobody could foresee what it would hold.
RULE_CHARS: Final = 500
#: Topics of one rule.
TOPICS: Final = 8
#: Words of a name.
NAME_WORDS: Final = 4
#: Words that "..." in a phrase may stand for.
GAP: Final = 8
#: Words between "not" and what it denies; between "in" and a report; and between "in the digest" and "no ...".
_DENIED_GAP: Final = 4
_PLACE_GAP: Final = 2
_OPENING_GAP: Final = 3
#: Languages in which "not" may stand behind what it denies, and so many words between: "erw\u00e4hne Sofie nicht",
#: "parle pas de Sofie".
_DENIED_BEFORE: Final = {"de": GAP, "nl": GAP, "fr": 1}
#: Languages that write "weekly report" in one word, and how long the end of such a word is at least.
_COMPOUNDING: Final = frozenset({"de", "nl"})
_ENDING_CHARS: Final = 6
#: A shorter word says nothing about a topic.
_TOPIC_CHARS: Final = 3
#: What is left of a word without its ending is at least this long. Names end in these in their first case.
_STEM_CHARS: Final = 4
_NAME_ENDS: Final = "aeioy"
_WORD: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|#[\w-]+|[^\W_]+|[,;:.!?]")
_QUOTED: Final = re.compile(r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u201e\u00ab\u00bb]{3,80})[\"\u201c\u201d\u00bb]")
_STOPS: Final = frozenset(",;:.!?")

#: Why a text is not applied. ``other``: it says nothing about what may be told. ``allows``: it says that something may.
#: ``nothing``: it names nobody and nothing. ``long``: see RULE_CHARS and TOPICS.
Reason = Literal["other", "allows", "nothing", "long"]


class RuleText(NamedTuple):
    """A row of the user's rules or preferences. ``id``: unique among the rules of a user."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class StandingRule:
    """What may not be told: everything of any of these.

    ``people``: whoever may be meant; ``names``: as the rule writes them. ``doubtful``: one name that several people
    carry. ``sources``: source keys, only where the rule names nothing else; behind a
    colon "mail" or "chat", where it means these alone ("inbound_messages:mail"). ``topics``: folded words, of which all
    stand in a text. ``narrowed``: the rule has an exception, which is not applied.
    """

    rule: RuleText
    people: frozenset[PersonId] = frozenset()
    names: tuple[str, ...] = ()
    sources: frozenset[str] = frozenset()
    topics: tuple[tuple[str, ...], ...] = ()
    doubtful: bool = False
    narrowed: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A text that is not applied."""

    rule: RuleText
    reason: Reason


def fold(text: str) -> str:
    """Small letters without accents, for comparing. Not for places: it may be shorter than the text."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def compiled(rule: RuleText, directory: Directory) -> StandingRule | Unread:
    """A rule as a filter, or why it is none. ``directory``: the people that names are looked up among."""
    if len(rule.text) > RULE_CHARS:
        return Unread(rule, "long")
    words = _words(rule.text)
    tables = [_table(table) for table in TABLES]
    # In every language first: "no longer private" must not be read as "private" by another one's table.
    if any(_first(words, table.tells) for table in tables):
        return Unread(rule, "allows")
    saying: list[_RuleWord | None] = list(words)
    _take(saying, _NOT_PRIVATE)
    readings = [reading for table in tables if (reading := _held(words, saying, table))]
    if not readings:
        return Unread(rule, "other")
    # A short rule may not tell its language: most likely it is that whose table knows most of its words.
    guessed = languages.guess(rule.text.casefold())
    read = min(
        readings, key=lambda reading: (reading.of_people, reading.table.words.code != guessed, reading.unknown())
    )
    return _filter(rule, read, directory)


# --- reading the sentence ----------------------------------------------------------------------------------------


class _RuleWord(NamedTuple):
    """``folded`` is compared; ``written`` is as the rule has it; ``part`` counts up at commas, stops and "and"."""

    folded: str
    written: str


@dataclass(frozen=True, slots=True)
class _RuleTable:
    """``RuleWords``, cut into words."""

    words: RuleWords
    small: frozenset[str]
    subordinate: frozenset[str]
    denies: tuple[tuple[str, ...], ...]
    speaks: tuple[tuple[str, ...], ...]
    within: tuple[tuple[str, ...], ...]
    holds: tuple[tuple[str, ...], ...]
    bars: tuple[tuple[str, ...], ...]
    none: tuple[tuple[str, ...], ...]
    tells: tuple[tuple[str, ...], ...]
    except_: tuple[tuple[str, ...], ...]
    about: tuple[tuple[str, ...], ...]
    reports: tuple[tuple[str, ...], ...]
    joins: frozenset[str]
    sources: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class _ReadRule:
    """The parts of a rule that are left, each a run of words between commas, stops and "and". ``of_people``: it holds
    nothing but the people whom it names.
    """

    table: _RuleTable
    parts: tuple[tuple[_RuleWord | None, ...], ...]
    narrowed: bool
    of_people: bool

    def unknown(self) -> int:
        """The number of words that this language's table does not know."""
        return sum(word is not None and _says(word.folded, self.table) for part in self.parts for word in part)


def _words(text: str) -> list[_RuleWord]:
    """An apostrophe ends a word, and a single letter beside it is none: "Sofie's", "d'Anna", "don't"."""
    parts = [_RuleWord(fold(match), match) for match in _WORD.findall(unicodedata.normalize("NFKC", text))]
    return [word for word in parts if len(word.folded) > 1 or word.folded in _STOPS or not word.folded.isascii()
            or word.folded in _LETTERS]  # fmt: skip


#: Single letters that are words of some language: "mail e chat", "y", "o", "a", "i", "w".
_LETTERS: Final = frozenset("aeiouwy")


@cache
def _table(words: RuleWords) -> _RuleTable:
    def cut(several: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        made = (tuple("..." if part == "..." else part for part in _phrase(text)) for text in several)
        # The longer phrase first: "never mention" before "never".
        return tuple(sorted(made, key=lambda phrase: -len(phrase)))

    small, subordinate = frozenset(words.small), frozenset[str]()
    if table := languages.LANGUAGES.get(words.code):
        subordinate = table.subordinate
        small |= table.articles | table.pronouns | table.prepositions | table.conjunctions | table.adverbs
    return _RuleTable(
        words=words,
        small=frozenset(
            fold(part)
            for word in (*small, *words.generic, *words.denies, *words.speaks, *words.within)
            for part in _phrase(word)
        ),
        subordinate=frozenset(map(fold, subordinate)),
        denies=cut(words.denies),
        speaks=cut(words.speaks),
        within=cut(words.within),
        holds=cut(words.holds),
        bars=cut(words.bars),
        none=cut(words.none),
        tells=cut(words.tells),
        except_=cut(words.except_),
        about=cut(words.about),
        reports=cut(words.reports),
        joins=frozenset(map(fold, words.joins)),
        sources=tuple((phrase, keys) for names, keys in words.sources() for phrase in cut(names)),
    )


def _phrase(text: str) -> list[str]:
    return [
        part for piece in text.split() for part in ([piece] if piece == "..." else [w.folded for w in _words(piece)])
    ]


_NOT_PRIVATE: Final = tuple(tuple(_phrase(text)) for text in NOT_PRIVATE)


def _held(words: Sequence[_RuleWord], saying: Sequence[_RuleWord | None], table: _RuleTable) -> _ReadRule | None:
    """The rule without the words that make it one; None: it does not say that something may not be told.

    ``saying``: the words that may say so. The "private" of a private school does not.
    """
    kept: list[_RuleWord | None] = list(words)
    narrowed = False
    exception = _first(words, table.except_)
    if exception:
        kept, narrowed = kept[: exception[0]], True
    names_report = _take(kept, table.reports)
    if table.words.code in _COMPOUNDING:
        names_report |= _take_compounds(kept, table.reports)
    without = any(before is None and _is(word, table.words.without) for before, word in pairwise(kept))
    in_none = names_report and (_take_before_gap(kept, table.none) or _take_kept_out(kept, saying, table))
    holds = bool(_first(saying, table.holds)) or _is_denied(saying, table)
    _take(kept, table.holds)
    bars = _take(kept, table.bars)
    of_people = not (holds or in_none or (bars and names_report))
    if of_people and not without:
        return None
    return _ReadRule(table, tuple(_parts(kept, table)), narrowed, of_people)


def _take(words: list[_RuleWord | None], phrases: Sequence[tuple[str, ...]]) -> bool:
    """Blank every place of each phrase; whether there was any."""
    taken = False
    for phrase in phrases:
        while places := _first(words, [phrase]):
            taken = True
            for place in places:
                words[place] = None
    return taken


def _take_before_gap(words: list[_RuleWord | None], phrases: Sequence[tuple[str, ...]]) -> bool:
    """Blank each phrase before a blank, at most one word from it: "in no report", "in keinem einzigen Bericht"."""
    taken = False
    for phrase in phrases:
        for start in range(len(words)):
            places = _match(words, phrase, start)
            if places and None in words[places[-1] + 1 : places[-1] + 3]:
                taken = True
                for place in places:
                    words[place] = None
    return taken


def _is_denied(saying: Sequence[_RuleWord | None], table: _RuleTable) -> bool:
    """Whether it says not to tell: "never ... mention", "nenne Sofie nicht"."""
    ways = [(table.denies, table.speaks, _DENIED_GAP, frozenset[str]())]
    if gap := _DENIED_BEFORE.get(table.words.code):
        ways.append((table.speaks, table.denies, gap, table.subordinate))
    return any(
        _follows(saying, places[-1] + 1, second, gap, ends)
        for first, second, gap, ends in ways
        for start in range(len(saying))
        if (places := _at(saying, first, start))
    )


def _take_kept_out(kept: list[_RuleWord | None], saying: Sequence[_RuleWord | None], table: _RuleTable) -> bool:
    """Blank "in the weekly" before the blank of a report; whether the sentence denies what would be in it: "no Sofie in
    the digests", "in reports, no Sofie", "reports: no Sofie".
    """
    reports = {place for place, word in enumerate(kept) if word is None}
    taken = any(
        _is(saying[place], ":") and place - 1 in reports and _at(saying, table.denies, place + 1)
        for place in range(1, len(saying))
    )
    for start in range(len(kept)):
        places = _at(saying, table.within, start)
        end = places[-1] + 1 if places else 0
        report = next((n for n in range(end, end + _PLACE_GAP + 1) if n in reports), 0)
        if not places or not report or any(_is(word, *_STOPS) for word in saying[end:report]):
            continue
        since = max((n + 1 for n in range(start) if _is(saying[n], *_STOPS)), default=0)
        before = any(_at(saying, table.denies, n) for n in range(max(since, start - GAP), start))
        behind = [n for n in range(report + 1, len(saying)) if not _is(saying[n], ",", ":")][: _OPENING_GAP + 1]
        if before or (behind and _opens_denied(saying, behind, table)):
            taken = True
            kept[start:report] = [None] * (report - start)
    return taken


def _opens_denied(saying: Sequence[_RuleWord | None], behind: Sequence[int], table: _RuleTable) -> bool:
    for place in behind:
        word = saying[place]
        if word is not None and (word.folded in _STOPS or word.folded in table.subordinate):
            return False
        if _at(saying, table.denies, place):
            return True
    return False


def _follows(
    words: Sequence[_RuleWord | None], start: int, phrases: Sequence[tuple[str, ...]], gap: int, ends: frozenset[str]
) -> bool:
    """Whether one of these phrases stands at most ``gap`` words behind, before a stop and words that begin a clause."""
    for place in range(start, min(len(words), start + gap + 1)):
        if _at(words, phrases, place):
            return True
        if _is(words[place], *_STOPS, *ends):
            return False
    return False


def _at(words: Sequence[_RuleWord | None], phrases: Sequence[tuple[str, ...]], start: int) -> tuple[int, ...]:
    """The places of the first of these phrases that begins here; none."""
    return next((places for phrase in phrases if (places := _match(words, phrase, start))), ())


def _take_compounds(words: list[_RuleWord | None], phrases: Sequence[tuple[str, ...]]) -> bool:
    """Blank words that end in one of these: "Wochenbericht", "teamverslag"."""
    endings = tuple(phrase[0] for phrase in phrases if len(phrase) == 1 and len(phrase[0]) >= _ENDING_CHARS)
    places = [place for place, word in enumerate(words) if word is not None and word.folded.endswith(endings)]
    for place in places:
        words[place] = None
    return bool(places)


def _first(words: Sequence[_RuleWord | None], phrases: Iterable[tuple[str, ...]]) -> tuple[int, ...]:
    """The places of the first of these phrases that stands there; none."""
    standing = {word.folded for word in words if word is not None}
    for phrase in phrases:
        # Of hundreds of phrases, few have their first word there.
        for start in range(len(words)) if standing.issuperset(phrase[:1]) else ():
            places = _match(words, phrase, start)
            if places:
                return places
    return ()


def _match(words: Sequence[_RuleWord | None], phrase: Sequence[str], start: int) -> tuple[int, ...]:
    """The places of a phrase's words from ``start`` on; none. A gap ends at the first word that goes on."""
    places: list[int] = []
    place = start
    gap = 0
    for part in phrase:
        if part == "...":
            gap = GAP
            continue
        # Within a gap any word may stand, also one that is blanked already.
        while gap and places and place < len(words) and not _is(words[place], part):
            if _is(words[place], *_STOPS):
                return ()
            place, gap = place + 1, gap - 1
        if place >= len(words) or not _is(words[place], part):
            return ()
        places.append(place)
        place, gap = place + 1, 0
    return tuple(places)


def _is(word: _RuleWord | None, *folded: str) -> bool:
    return word is not None and word.folded in folded


def _parts(words: Sequence[_RuleWord | None], table: _RuleTable) -> Iterator[tuple[_RuleWord | None, ...]]:
    part: list[_RuleWord | None] = []
    for word in words:
        if word is not None and (word.folded in _STOPS or word.folded in table.joins):
            if part:
                yield tuple(part)
            part = []
        else:
            part.append(word)
    if part:
        yield tuple(part)


# --- what it names -----------------------------------------------------------------------------------------------


def _filter(rule: RuleText, read: _ReadRule, directory: Directory) -> StandingRule | Unread:
    people: set[PersonId] = set()
    names: list[str] = []
    sources: set[str] = set()
    topics: list[tuple[str, ...]] = [tuple(_topic_words(match, read.table)) for match in _QUOTED.findall(rule.text)]
    doubtful = False
    for part in read.parts:
        words = list(part)
        meant = list(_people(words, read.table, directory))
        for name, carriers in meant:
            names.append(name)
            people |= carriers
            doubtful |= len(carriers) > 1
        about = _after_about(words, read.table)
        for phrase, keys in read.table.sources:
            while not about and (places := _first(words, [phrase])):
                sources.update(keys)
                for place in places:
                    words[place] = None
        # Of somebody who is named, all is held: what is said about them there narrows nothing.
        topics += [] if meant else _runs(about or words, read.table)
    topics = [topic for topic in dict.fromkeys(topics) if topic and not read.of_people]
    if len(topics) > TOPICS:
        return Unread(rule, "long")
    if not (people or topics or (sources and not read.of_people)):
        return Unread(rule, "nothing")
    return StandingRule(
        rule=rule,
        people=frozenset(people),
        names=tuple(dict.fromkeys(names)),
        sources=frozenset() if people or topics or read.of_people else frozenset(sources),
        topics=tuple(topics),
        doubtful=doubtful,
        narrowed=read.narrowed,
    )


def _people(
    words: list[_RuleWord | None], table: _RuleTable, directory: Directory
) -> Iterator[tuple[str, frozenset[PersonId]]]:
    """Names and addresses in these words, with whoever carries them; blanks them. The longest name at each place. The
    user is nobody to hold: of their own name only the words are gone.
    """
    place = 0
    while place < len(words):
        for length in range(NAME_WORDS, 0, -1):
            run = words[place : place + length]
            name = _name(run, table) if len(run) == length else ""
            if name and (carriers := _carriers(name, table, directory)):
                if others := carriers - {USER}:
                    yield name, others
                words[place : place + length] = [None] * length
                break
        place += 1


def _name(run: Sequence[_RuleWord | None], table: _RuleTable) -> str:
    """The words of a run as a name, as written; "" where they cannot be one. A single word needs a capital."""
    if any(word is None for word in run):
        return ""
    written = [word.written for word in run if word is not None]
    if len(written) == 1 and "@" not in written[0]:
        word = written[0]
        if not word[0].isupper() and word[0].lower() != word[0].upper():
            return ""
        if fold(word) in table.small:
            return ""
    return " ".join(written)


def _carriers(name: str, table: _RuleTable, directory: Directory) -> frozenset[PersonId]:
    """Whoever carries a name; also where a genitive has added an s to it, "Sofies Mails", or a case has changed it."""
    carriers = directory.carriers(name)
    if not carriers and name.endswith("s"):
        carriers = directory.carriers(name[:-1])
    if not carriers and (stem := _without_ending(fold(name), table)):
        carriers = frozenset().union(*(directory.carriers(stem + end) for end in ("", *_NAME_ENDS)))
    return carriers


def _without_ending(folded: str, table: _RuleTable) -> str:
    """A word without the ending of its case; "" where it has none."""
    for ending in table.words.endings:
        if folded.endswith(ending) and len(folded) - len(ending) >= _STEM_CHARS:
            return folded.removesuffix(ending)
    return ""


def _after_about(words: Sequence[_RuleWord | None], table: _RuleTable) -> list[_RuleWord | None]:
    """What follows "about": a topic, whatever it is called."""
    places = _first(words, table.about)
    return list(words[places[-1] + 1 :]) if places else []


def _runs(words: Sequence[_RuleWord | None], table: _RuleTable) -> list[tuple[str, ...]]:
    """Words that stand together and say something: each run is a topic."""
    runs: list[list[str]] = [[]]
    for word in words:
        if word is not None and _says(word.folded, table):
            runs[-1].append(_topic_word(word, table))
        elif runs[-1]:
            runs.append([])
    return [tuple(run) for run in runs if run]


def _topic_words(text: str, table: _RuleTable) -> Iterator[str]:
    return (_topic_word(word, table) for word in _words(text) if _says(word.folded, table))


def _topic_word(word: _RuleWord, table: _RuleTable) -> str:
    """What a text is searched for. A word of a text may go on, so the stem finds every case."""
    folded = word.folded.lstrip("#")
    return _without_ending(folded, table) or folded


def _says(folded: str, table: _RuleTable) -> bool:
    long_enough = len(folded) >= _TOPIC_CHARS or not folded.isascii()
    return long_enough and folded not in table.small and folded not in _STOPS
