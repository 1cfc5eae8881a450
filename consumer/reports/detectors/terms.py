"""Terms: projects' titles, names (words with capitals inside a sentence) and pairs of words that mostly occur together.

Counting decides which of them mean something: not those that occur everywhere, and no person's name.
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

#: A term on fewer days is an episode, not a theme.
LEAST_DAYS: Final = 3
#: A word in more than this share of the records (the user's own name, "needs") distinguishes nothing. In a small
#: brain a theme itself may be in a fifth of all records.
COMMON: Final = 0.1
COMMON_LEAST: Final = 30
#: Minimum characters of the shorter and the longer word of a pair: shorter words are function words in most languages.
PAIR_CHARS: Final = (3, 4)
#: Share of the rarer word's records that have both words: below it they meet by chance.
TOGETHER: Final = 0.6

#: A word starts with a letter and has a second character, in every script that separates words.
_TOKEN: Final = re.compile(
    r"[^\W\d_][\w'\u2019&-]*\w|[.!?:;,()\[\]{}<>\"\u201c\u201d|/\\=*#\u2026\d]+|\s[-\u2013\u2014]\s"
)


@dataclass(slots=True)
class Term:
    """The places of a term (record number -> its text there) and its spellings.

    ``rank``: a project 0, a name 1, a phrase 2. ``at``: its first place, for a stable order.
    """

    rank: int
    at: tuple[date, int, int, int]
    places: dict[int, str] = field(default_factory=dict)
    written: Counter[str] = field(default_factory=Counter)


#: Kinds of tokens: a sentence end; another stop or a function word; a content word; a content word that may be a name.
_END, _JOINS, _SAYS, _NAMES = range(4)


class _Word(NamedTuple):
    """A token as written, case folded, and its kind."""

    written: str
    key: str
    kind: int


class _Vocabulary(dict[str, _Word]):
    """Classifies each word once, however often it occurs."""

    def __missing__(self, token: str) -> _Word:
        word = _Word(token, token.casefold(), _kind(token))
        # Words and single stops only: there are too many different numbers.
        if token[0].isalpha() or len(token) == 1:
            self[token] = word
        return word


def _kind(token: str) -> int:
    if not token[0].isalpha():
        return _JOINS if token[0] in ",-/" else _END
    if token.casefold() in words.FUNCTION:
        return _JOINS
    return _NAMES if token[0].isupper() and token not in words.NO_NAME else _SAYS


def find(by_slug: Mapping[str, Page], records: Sequence[PageRecord]) -> dict[str, Term]:
    """Case-folded key -> each term that can be a theme. ``records``: in a stable order."""
    titles = [page.title for slug, page in by_slug.items() if slug.startswith("projects/")]
    named = {name for slug, page in by_slug.items() if slug.startswith("people/") for name in _name_parts(page.title)}
    named |= {part for title in titles for part in title.casefold().split()}
    projects, vocabulary = _by_first_word(titles), _Vocabulary()
    terms: dict[str, Term] = {}
    words_in: Counter[str] = Counter()
    for number, record in enumerate(records):
        words: set[str] = set()
        for place, text in enumerate(texts_of(record)):
            tokens = _TOKEN.findall(text)
            words.update(tokens)
            for position, (rank, key, written) in enumerate(_terms(text, [vocabulary[t] for t in tokens], projects)):
                term = terms.get(key)
                if term is None:
                    term = terms[key] = Term(rank, (record.day or date.min, number, place, position))
                elif rank < term.rank:
                    term.rank = rank
                term.places.setdefault(number, text)
                term.written[written] += 1
        words_in.update({word.key for word in map(vocabulary.__getitem__, words) if word.kind >= _SAYS})
    most = max(COMMON_LEAST, COMMON * len(records))
    return {key: term for key, term in terms.items() if _tells(key, term, words_in, named, most)}


def _by_first_word(titles: Iterable[str]) -> dict[str, list[str]]:
    """Titles by their first word, so that each is searched only in texts with that word."""
    by_word: dict[str, list[str]] = defaultdict(list)
    for title in titles:
        first = _TOKEN.search(title)
        if first and len(title) > 2:
            by_word[first[0].casefold()].append(title)
    return by_word


def _terms(text: str, tokens: Sequence[_Word], projects: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, str, str]]:
    """(rank, key, spelling) of each term of a text."""
    if projects:
        yield from ((0, title.casefold(), title) for title in _titles(text, tokens, projects))
    for run in _runs(tokens):
        for first, second in pairwise(run.words):
            yield 2, f"{first[1]} {second[1]}", f"{first[0]} {second[0]}"
        for name in run.names:
            yield 1, name.casefold(), name


def _titles(text: str, tokens: Iterable[_Word], projects: Mapping[str, Sequence[str]]) -> list[str]:
    """The projects that a text names.

    Sorted, because the order of a set differs between processes, and a term's first place decides on names.
    """
    titles = {title for token in tokens if token.key in projects for title in projects[token.key]}
    folded = text.casefold() if titles else ""
    return sorted(title for title in titles if stands_in(title.casefold(), folded))


def stands_in(words: str, text: str) -> bool:
    """Whether the text contains these words, not as a part of longer ones.

    Called for each project and each text with its first word: a pattern for each would take a minute.
    """
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if not (_joins(text[at - 1 : at]) or _joins(text[end : end + 1])):
            return True
        at = text.find(words, at + 1)
    return False


def _joins(sign: str) -> bool:
    """Whether a character next to a word is a part of it; "" is not."""
    return sign.isalnum() or sign == "_"


class _Run(NamedTuple):
    """Consecutive words without a stop between them, and the names among them."""

    words: list[_Word]
    names: list[str]


def _runs(tokens: Iterable[_Word]) -> Iterator[_Run]:
    """Runs of content words: a stop or a function word ends a run."""
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
    yield run


def _add_name(run: _Run, word: str) -> None:
    """Add a capitalized word as a name, or to the name right before it."""
    if run.names and run.names[-1].endswith(run.words[-1].written):
        run.names[-1] += f" {word}"
    else:
        run.names.append(word)


def _name_parts(title: str) -> Iterator[str]:
    """A person's full name and each part of it, case folded."""
    folded = title.casefold()
    yield folded
    yield from folded.split()


def _tells(key: str, term: Term, words_in: Mapping[str, int], named: Set[str], most: float) -> bool:
    """Whether a term can be a theme: frequent enough, not a person's name or a part of one, and not everywhere.

    ``named``: people and the parts of their names, the parts of projects' titles.
    """
    if len(term.places) < LEAST_DAYS or term.rank == 0:
        return term.rank == 0
    parts = key.split()
    if key in named or (parts[0] in named and (term.rank == 1 or len(parts) == 1)) or all(p in named for p in parts):
        return False
    if len(parts) == 1:
        return len(term.places) <= most
    shorter, longer = PAIR_CHARS
    if min(map(len, parts)) < shorter or max(map(len, parts)) < longer or any(words_in[part] > most for part in parts):
        return False
    return len(term.places) >= TOGETHER * min(words_in[part] for part in parts)


def texts_of(record: PageRecord) -> tuple[str, ...]:
    """Texts that people wrote or planned; a machine's log has neither statement nor state."""
    return (record.title, *record.statements) if record.statements or "State" in record.facts else ()
