"""What the records are about over time: names and phrases that come back on several days and in several sources.

Counted, not understood. A term is a project's title, a name (words with capitals inside a sentence) or a pair of words
that mostly occur together. Terms that come in mostly the same records are one theme. Whether it rises or fades is the
number of days of the last WINDOW against the WINDOW before it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

from consumer.core.claims import Citation
from consumer.core.detectors import words
from consumer.core.detectors.findings import Finding, Theme, Trend, ranked, titled
from consumer.core.detectors.records import Record
from consumer.core.pages import Page

LIMIT: Final = 10
#: Themes that get a page of their own.
KEPT: Final = 40
WINDOW: Final = timedelta(days=14)
#: A term on fewer days or in fewer sources than that is an episode, not a theme.
LEAST_DAYS: Final = 3
LEAST_SOURCES: Final = 2
#: A word in more than this share of the records (the user's own name, "needs") tells nothing apart. In a small brain
#: a theme itself may be in a fifth of all records.
COMMON: Final = 0.1
COMMON_LEAST: Final = 30
#: Signs that each word of a pair has, and one of them: shorter ones join words in most languages.
PAIR_CHARS: Final = (3, 4)
#: Of the records of the rarer word, how many have both: below it two words only happen to meet.
TOGETHER: Final = 0.6
#: Shared records over all records of two terms: above it they are one theme.
SAME: Final = 0.5
#: Other terms of a theme that are named beside it, and places that are cited.
BESIDE: Final = 3
CITED: Final = 3
EVIDENCE: Final = 20

#: A word begins with a letter and has a second sign; "word" includes every script that writes words apart.
_TOKEN: Final = re.compile(
    r"[^\W\d_][\w'\u2019&-]*\w|[.!?:;,()\[\]{}<>\"\u201c\u201d|/\\=*#\u2026\d]+|\s[-\u2013\u2014]\s"
)


class _Term(NamedTuple):
    """``rank``: a project 0, a name 1, a phrase 2. ``at``: where it was first said, for an order that lasts."""

    rank: int
    at: tuple[date, int, int, int]
    key: str


@dataclass(slots=True)
class _Said:
    """Where a term was said: record number -> the text that has it; how it is written."""

    rank: int
    at: tuple[date, int, int, int]
    places: dict[int, str] = field(default_factory=dict)
    written: Counter[str] = field(default_factory=Counter)


def find(
    found: Mapping[str, Page], records: Sequence[Record], today: date
) -> tuple[tuple[Finding, ...], tuple[Theme, ...]]:
    """(the themes of now, ranked; all themes there are, those on most days first)."""
    told = [record for record in records if record.day and record.day <= today and _texts(record)]
    themes = [_theme(group, told, today) for group in _groups(_terms(found, told), told)]
    themes.sort(key=lambda theme: (-theme.days, theme.name))
    alive = [theme for theme in themes if theme.recent or theme.before]
    return ranked([_finding(theme) for theme in alive], LIMIT), tuple(themes[:KEPT])


def _texts(record: Record) -> tuple[str, ...]:
    """What people said or planned; a machine's log has neither statement nor state."""
    return (record.title, *record.statements) if record.statements or "State" in record.facts else ()


# --- terms -------------------------------------------------------------------------------------------------------


def _terms(found: Mapping[str, Page], told: Sequence[Record]) -> dict[str, _Said]:
    titles = [page.title for slug, page in found.items() if slug.startswith("projects/")]
    named = {name for slug, page in found.items() if slug.startswith("people/") for name in _name_parts(page.title)}
    named |= {part for title in titles for part in title.casefold().split()}
    projects = _by_first_word(titles)
    said: dict[str, _Said] = {}
    words_in: Counter[str] = Counter()
    for number, record in enumerate(told):
        here: set[str] = set()
        for place, text in enumerate(_texts(record)):
            for position, (rank, key, written) in enumerate(_in_text(text, projects, here)):
                one = said.get(key)
                if one is None:
                    one = said[key] = _Said(rank, (record.day or date.min, number, place, position))
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
    for title in {title for token in tokens for title in projects.get(token.casefold(), ())}:
        if re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text, re.IGNORECASE):
            yield 0, title.casefold(), title
    for run in _runs(tokens):
        here.update(run_word.casefold() for run_word in run.words)
        for first, second in pairwise(run.words):
            yield 2, f"{first} {second}".casefold(), f"{first} {second}"
        yield from ((1, name.casefold(), name) for name in run.names)


class _Run(NamedTuple):
    """Words that follow each other without a stop between them, and the names among them."""

    words: list[str]
    names: list[str]


def _runs(tokens: Iterable[str]) -> Iterator[_Run]:
    """Runs of telling words: a stop or a joining word ends one."""
    run = _Run([], [])
    opens = True
    for token in tokens:
        word = token[0].isalpha()
        if word and token.casefold() not in words.FUNCTION:
            _add(run, token, opens=opens)
            opens = False
            continue
        if run.words:
            yield run
            run = _Run([], [])
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


def _tells(key: str, said: _Said, words_in: Mapping[str, int], named: Set[str], most: float) -> bool:
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


# --- themes ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """``main`` names the theme, the rest are said beside it."""

    main: _Said
    rest: list[_Said] = field(default_factory=list)


def _groups(terms: Mapping[str, _Said], told: Sequence[Record]) -> list[_Group]:
    """Terms joined where they mean the same records; what is named by decree or by name speaks for the rest."""
    lasting = {key: one for key, one in terms.items() if _lasts(one.places, told)}
    order = sorted(lasting, key=lambda key: _Term(lasting[key].rank, lasting[key].at, key))
    groups: list[_Group] = []
    by_record: dict[int, list[int]] = defaultdict(list)
    for key in order:
        one = lasting[key]
        near = Counter(place for number in one.places for place in by_record[number])
        same = [(n, g) for g, n in near.items() if n >= SAME * (len(one.places) + len(groups[g].main.places) - n)]
        if same:
            groups[min(same, key=lambda pair: (-pair[0], pair[1]))[1]].rest.append(one)
            continue
        for number in one.places:
            by_record[number].append(len(groups))
        groups.append(_Group(one))
    return groups


def _lasts(places: Iterable[int], told: Sequence[Record]) -> bool:
    several = [told[number] for number in places]
    return (
        len({record.day for record in several}) >= LEAST_DAYS
        and len({record.source for record in several}) >= LEAST_SOURCES
    )


def _theme(group: _Group, told: Sequence[Record], today: date) -> Theme:
    places = group.main.places
    by_day = sorted(
        ((told[number].day or date.min, number) for number in places),
        key=lambda pair: (pair[0], -pair[1]),
        reverse=True,
    )
    days = {day for day, _ in by_day}
    recent = sum(today - day < WINDOW for day in days)
    before = sum(WINDOW <= today - day < 2 * WINDOW for day in days)
    return Theme(
        name=_written(group.main),
        terms=tuple(_beside(group)),
        records=len(places),
        days=len(days),
        first=min(days),
        last=max(days),
        sources=tuple(sorted({told[number].source for number in places})),
        evidence=tuple((day, _cite(told[number], places[number], group.main)) for day, number in by_day[:EVIDENCE]),
        recent=recent,
        before=before,
        trend=_trend(recent, before, min(days), today),
    )


def _written(said: _Said) -> str:
    return min(said.written, key=lambda text: (-said.written[text], text))


def _beside(group: _Group) -> Iterator[str]:
    """Other terms, most said first, without those whose words are in one that was named before."""
    taken = set(_written(group.main).casefold().split())
    count = 0
    for said in sorted(group.rest, key=lambda one: (-len(one.places), one.at)):
        text = _written(said)
        if taken.isdisjoint(text.casefold().split()) and count < BESIDE:
            taken |= set(text.casefold().split())
            count += 1
            yield text


def _cite(record: Record, text: str, said: _Said) -> Citation:
    """The sentence that has the term; of a long one the part around it."""
    folded = text.casefold()
    at = max(0, *(folded.find(written.casefold()) for written in said.written))
    start = 0 if at < 160 else text.rfind(" ", 0, at - 60) + 1
    return record.cite(text[start:])


def _trend(recent: int, before: int, first: date, today: date) -> Trend:
    if today - first < WINDOW:
        return "new"
    if recent >= before + 2 and recent >= 1.5 * before:
        return "rising"
    if before >= recent + 2 and before >= 1.5 * recent:
        return "fading"
    return "steady"


# --- what a report says ------------------------------------------------------------------------------------------


def _finding(theme: Theme) -> Finding:
    beside = f" (with {', '.join(titled(term, 40) for term in theme.terms)})" if theme.terms else ""
    text = f"{titled(theme.name, 60)}{beside}: {theme.trend}, {_days(theme)}; {_span(theme)}."
    return Finding("theme", text, tuple(_telling(theme)), _weight(theme))


def _days(theme: Theme) -> str:
    now = f"on {theme.recent} of the last {WINDOW.days} days"
    return now if theme.trend == "new" else f"{now}, on {theme.before} of the {WINDOW.days} before"


def _span(theme: Theme) -> str:
    return f"{theme.records} records on {theme.days} days since {theme.first}, in {len(theme.sources)} sources"


def _telling(theme: Theme) -> Iterator[Citation]:
    """The newest places, of different words: the same sentence in three sources says it once."""
    said: set[str] = set()
    for _, cited in theme.evidence:
        if cited.quote.casefold() not in said and len(said) < CITED:
            said.add(cited.quote.casefold())
            yield cited


def _weight(theme: Theme) -> float:
    """What people speak of now; what changes comes before what stays."""
    moving = abs(theme.recent - theme.before) if theme.trend != "steady" else 0
    return round(theme.recent + moving + len(theme.sources) / 10, 4)
