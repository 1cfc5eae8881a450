"""What the records are about over time: names and phrases that come back on several days and in several sources.

Counted, not understood. Terms (terms.py) that come in mostly the same records are one theme. Whether it rises or fades
is the number of days of the last WINDOW against the WINDOW before it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from consumer.evidence.pages import Page
from consumer.reports.claims import Citation
from consumer.reports.detectors import terms
from consumer.reports.detectors.findings import Finding, Theme, Trend, ranked, titled
from consumer.reports.detectors.records import PageRecord
from consumer.reports.detectors.terms import Said, texts_of

LIMIT: Final = 10
#: Themes that get a page of their own.
KEPT: Final = 40
WINDOW: Final = timedelta(days=14)
#: A term in fewer sources than that, or on fewer days than terms.LEAST_DAYS, is an episode, not a theme.
LEAST_SOURCES: Final = 2
#: Shared records over all records of two terms: above it they are one theme.
SAME: Final = 0.5
#: Other terms of a theme that are named beside it, and places that are cited.
BESIDE: Final = 3
CITED: Final = 3
EVIDENCE: Final = 20


def find(
    found: Mapping[str, Page], records: Sequence[PageRecord], today: date
) -> tuple[tuple[Finding, ...], tuple[Theme, ...]]:
    """(the themes of now, ranked; all themes there are, those on most days first)."""
    told = [record for record in records if record.day and record.day <= today and texts_of(record)]
    themes = [_theme(group, told, today) for group in _groups(terms.find(found, told), told)]
    themes.sort(key=lambda theme: (-theme.days, theme.name))
    alive = [theme for theme in themes if theme.recent or theme.before]
    return ranked([_finding(theme) for theme in alive], LIMIT), tuple(themes[:KEPT])


@dataclass(slots=True)
class _Group:
    """``main`` names the theme, the rest are said beside it."""

    main: Said
    rest: list[Said] = field(default_factory=list)


def _groups(said: Mapping[str, Said], told: Sequence[PageRecord]) -> list[_Group]:
    """Terms joined where they mean the same records; what is named by decree or by name speaks for the rest."""
    lasting = {key: one for key, one in said.items() if _lasts(one.places, told)}
    order = sorted(lasting, key=lambda key: (lasting[key].rank, lasting[key].at, key))
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


def _lasts(places: Iterable[int], told: Sequence[PageRecord]) -> bool:
    several = [told[number] for number in places]
    return (
        len({record.day for record in several}) >= terms.LEAST_DAYS
        and len({record.source for record in several}) >= LEAST_SOURCES
    )


def _theme(group: _Group, told: Sequence[PageRecord], today: date) -> Theme:
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


def _written(said: Said) -> str:
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


def _cite(record: PageRecord, text: str, said: Said) -> Citation:
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
