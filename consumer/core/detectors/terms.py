"""Terms: projects' titles, names (words with capitals inside a sentence) and pairs of words that mostly occur together.

Which of them say something is decided by counting: not those that are everywhere, and nobody's own name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple

from consumer.core.detectors import words
from consumer.core.detectors.records import Record
from consumer.core.pages import Page

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


def find(found: Mapping[str, Page], told: Sequence[Record]) -> dict[str, Said]:
    """Key (case folded) -> what is said of each term that can be a theme. ``told``: in any order that lasts."""
    titles = [page.title for slug, page in found.items() if slug.startswith("projects/")]
    named = {name for slug, page in found.items() if slug.startswith("people/") for name in _name_parts(page.title)}
    named |= {part for title in titles for part in title.casefold().split()}
    projects = _by_first_word(titles)
    said: dict[str, Said] = {}
    words_in: Counter[str] = Counter()
    for number, record in enumerate(told):
        here: set[str] = set()
        for place, text in enumerate(texts_of(record)):
            for position, (rank, key, written) in enumerate(_in_text(text, projects, here)):
                one = said.get(key)
                if one is None:
                    one = said[key] = Said(rank, (record.day or date.min, number, place, position))
                one.rank = min(one.rank, rank)
                one.places.setdefault(number, text)
                one.written[written] += 1
        words_in.update(here)
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


def _in_text(text: str, projects: Mapping[str, Sequence[str]], here: set[str]) -> Iterator[tuple[int, str, str]]:
    """(rank, key, as written) of each term of a text; its words are added to ``here``."""
    tokens = _TOKEN.findall(text)
    keys = [token.casefold() for token in tokens]
    if not projects.keys().isdisjoint(keys):
        folded = text.casefold()
        # In an order of our own: a set's is another one in each process, and where a term was first said decides on
        # names.
        for title in sorted({title for key in keys for title in projects.get(key, ())}):
            if stands_in(title.casefold(), folded):
                yield 0, title.casefold(), title
    for run in _runs(tokens, keys):
        here.update(run.keys)
        for at in range(1, len(run.words)):
            yield 2, f"{run.keys[at - 1]} {run.keys[at]}", f"{run.words[at - 1]} {run.words[at]}"
        for name in run.names:
            yield 1, name.casefold(), name


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
    """Words that follow each other without a stop between them, the same case folded, and the names among them."""

    words: list[str]
    keys: list[str]
    names: list[str]


def _runs(tokens: Iterable[str], keys: Iterable[str]) -> Iterator[_Run]:
    """Runs of telling words: a stop or a joining word ends one. ``keys``: the tokens case folded."""
    run = _Run([], [], [])
    opens = True
    for token, key in zip(tokens, keys, strict=True):
        word = token[0].isalpha()
        if word and key not in words.FUNCTION:
            _add(run, token, opens=opens)
            run.keys.append(key)
            opens = False
            continue
        if run.words:
            yield run
            run = _Run([], [], [])
        opens = not word and token[0] not in ",-/"
    if run.words:
        yield run


def _add(run: _Run, token: str, *, opens: bool) -> None:
    """A capital makes a name, but not at the beginning of a sentence; capitals one after the other are one name."""
    if token[0].isupper() and token not in words.NO_NAME and not opens:
        if run.names and run.names[-1].endswith(run.words[-1]):
            run.names[-1] += f" {token}"
        else:
            run.names.append(token)
    run.words.append(token)


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


def texts_of(record: Record) -> tuple[str, ...]:
    """What people said or planned; a machine's log has neither statement nor state."""
    return (record.title, *record.statements) if record.statements or "State" in record.facts else ()
