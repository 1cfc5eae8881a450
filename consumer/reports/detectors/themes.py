"""Themes: names and phrases that recur on several days and in several sources.

They are counted, not understood. Terms (terms.py) that occur in mostly the same records are one theme. Its trend
compares the days with it in the last WINDOW with those in the WINDOW before.
"""

from __future__ import annotations

import re
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
from consumer.reports.detectors.terms import Term, texts_of
from consumer.understanding.reading import bulk

LIMIT: Final = 10
#: Sources of which no word is anybody's own.
GENERATED: Final = frozenset(
    {"briefings", "agentic_drafts", "delivery_log", "digest_subscriptions", "heartbeat_poll_log", "connections"}
)
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
#: Themes that get a page of their own.
KEPT: Final = 40
WINDOW: Final = timedelta(days=14)
#: A term in fewer sources, or on fewer days than terms.LEAST_DAYS, is an episode, not a theme.
LEAST_SOURCES: Final = 2
#: Shared records as a share of all records of two terms: from here they are one theme.
SAME: Final = 0.5
#: Other terms of a theme that a finding names, and places that it cites.
BESIDE: Final = 3
CITED: Final = 3
EVIDENCE: Final = 20


def find(
    by_slug: Mapping[str, Page], records: Sequence[PageRecord], today: date
) -> tuple[tuple[Finding, ...], tuple[Theme, ...]]:
    """(current themes, ranked; all themes, those on most days first)."""
    spoken = [
        record
        for record in records
        if record.day and record.day <= today and texts_of(record) and not _by_program(record)
    ]
    themes = [_theme(group, spoken, today) for group in _groups(terms.find(by_slug, spoken), spoken)]
    themes.sort(key=lambda theme: (-theme.days, theme.name))
    alive = [theme for theme in themes if theme.recent or theme.before]
    return ranked([_finding(theme) for theme in alive], LIMIT), tuple(themes[:KEPT])


def _by_program(record: PageRecord) -> bool:
    """Whether a program wrote it: a draft that nobody sent, a briefing, a newsletter. Themes are people's own."""
    if record.source in GENERATED:
        return True
    if record.source != "inbound_messages":
        return False
    address = _ADDRESS.search(record.title)
    return bulk.by_program(address[0] if address else "", None, "", "\n".join(record.statements))


@dataclass(slots=True)
class _Group:
    """``main`` names the theme; ``rest``: its other terms."""

    main: Term
    rest: list[Term] = field(default_factory=list)


def _groups(by_key: Mapping[str, Term], records: Sequence[PageRecord]) -> list[_Group]:
    """Terms grouped by shared records; a project or a name comes before a phrase as the group's main term."""
    lasting = {key: term for key, term in by_key.items() if _lasts(term.places, records)}
    keys = sorted(lasting, key=lambda key: (lasting[key].rank, lasting[key].at, key))
    groups: list[_Group] = []
    by_record: dict[int, list[int]] = defaultdict(list)
    for key in keys:
        term = lasting[key]
        near = Counter(place for number in term.places for place in by_record[number])
        same = [(n, g) for g, n in near.items() if n >= SAME * (len(term.places) + len(groups[g].main.places) - n)]
        if same:
            groups[min(same, key=lambda pair: (-pair[0], pair[1]))[1]].rest.append(term)
            continue
        for number in term.places:
            by_record[number].append(len(groups))
        groups.append(_Group(term))
    return groups


def _lasts(places: Iterable[int], records: Sequence[PageRecord]) -> bool:
    several = [records[number] for number in places]
    return (
        len({record.day for record in several}) >= terms.LEAST_DAYS
        and len({record.source for record in several}) >= LEAST_SOURCES
    )


def _theme(group: _Group, records: Sequence[PageRecord], today: date) -> Theme:
    places = group.main.places
    by_day = sorted(
        ((records[number].day or date.min, number) for number in places),
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
        sources=tuple(sorted({records[number].source for number in places})),
        evidence=tuple((day, _cite(records[number], places[number], group.main)) for day, number in by_day[:EVIDENCE]),
        recent=recent,
        before=before,
        trend=_trend(recent, before, min(days), today),
    )


def _written(term: Term) -> str:
    return min(term.written, key=lambda text: (-term.written[text], text))


def _beside(group: _Group) -> Iterator[str]:
    """Other terms, most frequent first, without those that share a word with one before."""
    taken = set(_written(group.main).casefold().split())
    count = 0
    for term in sorted(group.rest, key=lambda term: (-len(term.places), term.at)):
        text = _written(term)
        if taken.isdisjoint(text.casefold().split()) and count < BESIDE:
            taken |= set(text.casefold().split())
            count += 1
            yield text


def _cite(record: PageRecord, text: str, term: Term) -> Citation:
    """The sentence with the term; of a long one, the part around it."""
    folded = text.casefold()
    at = max(0, *(folded.find(written.casefold()) for written in term.written))
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


# --- text of the report ------------------------------------------------------------------------------------------


def _finding(theme: Theme) -> Finding:
    beside = f" (with {', '.join(titled(term, 40) for term in theme.terms)})" if theme.terms else ""
    text = f"{titled(theme.name, 60)}{beside}: {theme.trend}, {_days(theme)}; {_span(theme)}."
    return Finding("theme", text, tuple(_telling(theme)), _weight(theme))


def _days(theme: Theme) -> str:
    recent = f"on {theme.recent} of the last {WINDOW.days} days"
    return recent if theme.trend == "new" else f"{recent}, on {theme.before} of the {WINDOW.days} before"


def _span(theme: Theme) -> str:
    return f"{theme.records} records on {theme.days} days since {theme.first}, in {len(theme.sources)} sources"


def _telling(theme: Theme) -> Iterator[Citation]:
    """The newest places with different quotes: the same sentence in three sources counts once."""
    quotes: set[str] = set()
    for _, cited in theme.evidence:
        if cited.quote.casefold() not in quotes and len(quotes) < CITED:
            quotes.add(cited.quote.casefold())
            yield cited


def _weight(theme: Theme) -> float:
    """Days with the theme now, plus the change; a changing theme ranks before a steady one."""
    moving = abs(theme.recent - theme.before) if theme.trend != "steady" else 0
    return round(theme.recent + moving + len(theme.sources) / 10, 4)
