"""Terms: projects' titles, names (words with capitals inside a sentence) and pairs of words that mostly occur together.

Which of them say something is decided by counting: not those that are everywhere, and nobody's own name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

from consumer.evidence.pages import Page
from consumer.reports.detectors import words
from consumer.reports.detectors.records import PageRecord

#: A term on fewer days than that is an episode, not a theme.
LEAST_DAYS: Final = 3
#: A word in more than this share of the records (the user's own name, "needs") tells nothing apart. In a small brain
#: a theme itself may be in a fifth of all records.
COMMON: Final = 0.1
COMMON_LEAST: Final = 30
#: Signs that each word of a pair has, and one of them: shorter ones join words in most languages.
PAIR_CHARS: Final = (3, 4)
#: Of the records of the rarer word, how many have both: below it two words only happen to meet.
TOGETHER: Final = 0.6

#: A word begins with a letter and has a second sign; "word" includes every script that writes words apart.
_TOKEN: Final = re.compile(
    r"[^\W\d_][\w'\u2019&-]*\w|[.!?:;,()\[\]{}<>\"\u201c\u201d|/\\=*#\u2026\d]+|\s[-\u2013\u2014]\s"
)


@dataclass(slots=True)
class Said:
    """Where a term was said (record number -> the text that has it) and how it is written.

    ``rank``: a project 0, a name 1, a phrase 2. ``at``: where it was first said, for an order that lasts.
    """

    rank: int
    at: tuple[date, int, int, int]
    places: dict[int, str] = field(default_factory=dict)
    written: Counter[str] = field(default_factory=Counter)


#: What a token is: the end of a sentence, another stop or a word that joins others, a word that says something, and of
#: those one that may be a name.
_END, _JOINS, _SAYS, _NAMES = range(4)


class _Word(NamedTuple):
    """A token as it is written and case folded, and which of the four it is."""

    written: str
    key: str
    kind: int


class _Vocabulary(dict[str, _Word]):
    """Each word is looked at once, however often it is said."""

    def __missing__(self, token: str) -> _Word:
        word = _Word(token, token.casefold(), _kind(token))
        # Words and single stops: there is no end of numbers.
        if token[0].isalpha() or len(token) == 1:
            self[token] = word
        return word


def _kind(token: str) -> int:
    if not token[0].isalpha():
        return _JOINS if token[0] in ",-/" else _END
    if token.casefold() in words.FUNCTION:
        return _JOINS
    return _NAMES if token[0].isupper() and token not in words.NO_NAME else _SAYS


def find(found: Mapping[str, Page], told: Sequence[PageRecord]) -> dict[str, Said]:
    """Key (case folded) -> what is said of each term that can be a theme. ``told``: in any order that lasts."""
    titles = [page.title for slug, page in found.items() if slug.startswith("projects/")]
    named = {name for slug, page in found.items() if slug.startswith("people/") for name in _name_parts(page.title)}
    named |= {part for title in titles for part in title.casefold().split()}
    projects, vocabulary = _by_first_word(titles), _Vocabulary()
    said: dict[str, Said] = {}
    words_in: Counter[str] = Counter()
    for number, record in enumerate(told):
        here: set[str] = set()
        for place, text in enumerate(texts_of(record)):
            tokens = _TOKEN.findall(text)
            here.update(tokens)
            for position, (rank, key, written) in enumerate(_terms(text, [vocabulary[t] for t in tokens], projects)):
                one = said.get(key)
                if one is None:
                    one = said[key] = Said(rank, (record.day or date.min, number, place, position))
                elif rank < one.rank:
                    one.rank = rank
                one.places.setdefault(number, text)
                one.written[written] += 1
        words_in.update({word.key for word in map(vocabulary.__getitem__, here) if word.kind >= _SAYS})
    most = max(COMMON_LEAST, COMMON * len(told))
    return {key: one for key, one in said.items() if _tells(key, one, words_in, named, most)}


def _by_first_word(titles: Iterable[str]) -> dict[str, list[str]]:
    """Titles by the word that they begin with: each is looked for only where it can be."""
    found: dict[str, list[str]] = defaultdict(list)
    for title in titles:
        first = _TOKEN.search(title)
        if first and len(title) > 2:
            found[first[0].casefold()].append(title)
    return found


def _terms(text: str, tokens: Sequence[_Word], projects: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, str, str]]:
    """(rank, key, as written) of each term of a text."""
    if projects:
        yield from ((0, title.casefold(), title) for title in _titles(text, tokens, projects))
    for run in _runs(tokens):
        for first, second in pairwise(run.words):
            yield 2, f"{first[1]} {second[1]}", f"{first[0]} {second[0]}"
        for name in run.names:
            yield 1, name.casefold(), name


def _titles(text: str, tokens: Iterable[_Word], projects: Mapping[str, Sequence[str]]) -> list[str]:
    """The projects that a text names.

    In an order of our own: a set's is another one in each process, and where a term was first said decides on names.
    """
    titles = {title for token in tokens if token.key in projects for title in projects[token.key]}
    folded = text.casefold() if titles else ""
    return sorted(title for title in titles if stands_in(title.casefold(), folded))


def stands_in(words: str, text: str) -> bool:
    """Whether the words stand in the text and are no part of longer ones.

    Asked for each project of a brain and each text that has its first word: a pattern for each costs a minute.
    """
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if not (_joins(text[at - 1 : at]) or _joins(text[end : end + 1])):
            return True
        at = text.find(words, at + 1)
    return False


def _joins(sign: str) -> bool:
    """Whether a sign makes a word longer that it stands beside; none does not."""
    return sign.isalnum() or sign == "_"


class _Run(NamedTuple):
    """Words that follow each other without a stop between them, and the names among them."""

    words: list[_Word]
    names: list[str]


def _runs(tokens: Iterable[_Word]) -> Iterator[_Run]:
    """Runs of telling words: a stop or a joining word ends one."""
    run = _Run([], [])
    opens = True
    for token in tokens:
        kind = token.kind
        if kind >= _SAYS:
            if kind == _NAMES and not opens:
                _add_name(run, token.written)
            run.words.append(token)
            opens = False
            continue
        if run.words:
            yield run
            run = _Run([], [])
        opens = kind == _END
    if run.words:
        yield run


def _add_name(run: _Run, word: str) -> None:
    """A capital makes a name, but not at the beginning of a sentence; capitals one after the other are one name."""
    if run.names and run.names[-1].endswith(run.words[-1].written):
        run.names[-1] += f" {word}"
    else:
        run.names.append(word)


def _name_parts(title: str) -> Iterator[str]:
    """A person's whole name and each part of it, case folded."""
    folded = title.casefold()
    yield folded
    yield from folded.split()


def _tells(key: str, said: Said, words_in: Mapping[str, int], named: Set[str], most: float) -> bool:
    """Whether a term can be a theme: said often enough, and nobody's name, no part of another's, nor everywhere.

    ``named``: people and the parts of their names, the parts of projects' titles.
    """
    if len(said.places) < LEAST_DAYS or said.rank == 0:
        return said.rank == 0
    parts = key.split()
    if key in named or (parts[0] in named and (said.rank == 1 or len(parts) == 1)) or all(p in named for p in parts):
        return False
    if len(parts) == 1:
        return len(said.places) <= most
    least, one = PAIR_CHARS
    if min(map(len, parts)) < least or max(map(len, parts)) < one or any(words_in[part] > most for part in parts):
        return False
    return len(said.places) >= TOGETHER * min(words_in[part] for part in parts)


def texts_of(record: PageRecord) -> tuple[str, ...]:
    """What people said or planned; a machine's log has neither statement nor state."""
    return (record.title, *record.statements) if record.statements or "State" in record.facts else ()
