"""
What the owner of a memory sees first: who owes what, the next meetings with what to know before them, and people.

A document of data, not of sentences, so that whoever shows it can count the days at the time of reading. Everything in
it is cited on a page of the same snapshot; what cannot be cited is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports import citations, news
from consumer.reports.citations import Resolved
from consumer.reports.citing import PlaceOf
from consumer.reports.claims import Citation
from consumer.reports.detectors.records import shorten
from consumer.reports.withholding import Withheld
from consumer.understanding.memory import Loop, Meeting, Memory, PersonSeen, StatementEvidence
from consumer.understanding.people import USER, PersonId
from consumer.understanding.text import flat
from renderers import entities

SCHEMA: Final = "memory.today.v1"
#: At most this many of each: more than anybody reads, and little enough to be read at once.
LOOPS: Final = 100
MEETINGS: Final = 20
PEOPLE: Final = 300
PROJECTS: Final = 100
#: Places that an entry cites.
CITED: Final = 2
_TEXT_CHARS: Final = 200


def document(
    memory: Memory,
    place_of: PlaceOf,
    by_slug: Mapping[str, Page],
    withheld: Withheld | None = None,
    *,
    locale: str = "",
) -> dict[str, Any]:
    """``{schema, at, locale, loops, meetings, people, projects}``. ``at``: local time with its offset. ``withheld``:
    what the user's rules keep out of what memory tells. ``locale``: the user's, ``de-AT``; "" unknown.

    A loop: ``id``, ``statements`` (ids of all that speak of it), ``kind``, ``direction``, ``text``, ``people``,
    ``due``, ``due_time``, ``due_before`` (late when that day begins), ``since``, ``condition``, ``records`` (ids of the
    records that speak of it), ``citations``.
    A meeting also: ``title``, ``starts``, ``ends``, ``organizer``, and the ids of open ``loops`` with its people. A
    person: ``name``, ``aliases``, ``addresses``, ``records`` (how many name them), ``last_day``, ``pages``, ``loops``.
    A project: ``name``, ``page``.
    """
    return {
        "schema": SCHEMA,
        "at": memory.now,
        "locale": locale,
        **_Day(memory, place_of, by_slug, withheld or Withheld()).lists(),
    }


class _Day:
    def __init__(self, memory: Memory, place_of: PlaceOf, by_slug: Mapping[str, Page], withheld: Withheld) -> None:
        self._memory, self._place_of, self._by_slug, self._withheld = memory, place_of, by_slug, withheld
        self._today = date.fromisoformat(memory.now[:10])
        #: The open loops of the document.
        self._listed: list[Loop] = []

    def lists(self) -> dict[str, list[dict[str, Any]]]:
        return {
            "loops": _first(self._loops(), LOOPS),
            "meetings": _first(self._meetings(), MEETINGS),
            "people": _first(self._people(), PEOPLE),
            "projects": _first(self._projects(), PROJECTS),
        }

    def _loops(self) -> Iterator[dict[str, Any]]:
        for loop in self._memory.own_loops_by_due():
            cited = [] if self._withheld.of_loop(loop) else self._cited(loop.evidence)
            if cited:
                yield self._loop(loop, cited)

    def _loop(self, loop: Loop, cited: list[dict[str, Any]]) -> dict[str, Any]:
        others = self._others(loop)
        self._listed.append(loop)
        words = loop.object if loop.kind == "task" else loop.words or loop.object
        return {
            "id": loop.id,
            "statements": list(loop.statements),
            "kind": loop.kind,
            "direction": loop.direction,
            "text": _line(words.rstrip(". "), _TEXT_CHARS),
            "people": self._names(others),
            "due": loop.due.day if loop.due else "",
            "due_time": loop.due.time if loop.due else "",
            "due_before": bool(loop.due and loop.due.before),
            "since": loop.since[:10],
            "condition": _line(loop.condition, 80) if loop.condition else "",
            "records": _records(loop.evidence),
            "citations": cited,
        }

    def _others(self, loop: Loop) -> list[PersonId]:
        owner = [loop.owner] if loop.owner else []
        return [who for who in dict.fromkeys((*owner, *loop.beneficiaries, *loop.asked)) if who != USER]

    def _meetings(self) -> Iterator[dict[str, Any]]:
        for meeting in sorted(self._memory.upcoming(), key=lambda meeting: (meeting.starts, meeting.id)):
            cited = (
                [] if self._withheld.of_meeting(meeting) else self._cited(meeting.evidence) or self._by_title(meeting)
            )
            if cited:
                people = [who for who in meeting.attendees if who != USER]
                yield {
                    "id": meeting.id,
                    "title": _line(meeting.title, _TEXT_CHARS),
                    "starts": meeting.starts,
                    "ends": meeting.ends,
                    "organizer": self._memory.directory.name(meeting.organizer) if meeting.organizer else "",
                    "people": self._names(people),
                    "loops": self._open_with(people),
                    "records": _records(meeting.evidence),
                    "citations": cited,
                }

    def _by_title(self, meeting: Meeting) -> list[dict[str, Any]]:
        """A calendar entry's own page has its title, even where its statement quotes a time."""
        return self._cited([place._replace(quote=meeting.title) for place in meeting.evidence])

    def _people(self) -> Iterator[dict[str, Any]]:
        by_weight = sorted(self._memory.people, key=lambda seen: (-seen.lately, -seen.records, seen.id))
        for seen in by_weight:
            if self._withheld.of_people(seen.ids):
                continue
            yield self._person(seen)

    def _person(self, seen: PersonSeen) -> dict[str, Any]:
        known = self._memory.directory.known(seen.id)
        name = known.name or seen.written
        others = [self._memory.directory.known(who) for who in seen.ids[1:]]
        perhaps = [address for other in others for address in other.addresses]
        names = (name, *known.aliases, *(alias for other in others for alias in (other.name, *other.aliases)))
        keys = dict.fromkeys(entities.person_key(key) for key in (*known.addresses, *perhaps, *names) if key)
        # Of a name that several people have, those of this one's addresses.
        places = [entities.path("person", key, address) for key in keys for address in (*known.addresses, *perhaps, "")]
        slugs = list(map(pages.slug_of, places))
        return {
            "name": _line(name, 120),
            "aliases": [_line(alias, 120) for alias in dict.fromkeys(names) if alias not in (name, "")],
            "addresses": list(known.addresses),
            "perhaps": perhaps,
            "records": seen.records,
            "last_day": seen.last_day,
            "pages": [slug for slug in slugs if slug in self._by_slug],
            "loops": self._open_with(seen.ids),
        }

    def _open_with(self, people: Sequence[PersonId]) -> list[str]:
        """Ids of the loops that are open between the user and these people, as a digest names them."""
        return [loop.id for loop in news.open_with(people, self._listed, self._today)]

    def _projects(self) -> Iterator[dict[str, Any]]:
        for slug, page in self._by_slug.items():
            if slug.startswith("projects/") and not page.is_empty and not self._is_held(slug, page):
                yield {"name": _line(page.title, 120), "page": slug}

    def _is_held(self, slug: str, page: Page) -> bool:
        return bool(self._withheld.of_page(slug) | self._withheld.of_text(page.title))

    def _cited(self, evidence: Iterable[StatementEvidence]) -> list[dict[str, Any]]:
        places: dict[tuple[str, str | None], dict[str, Any]] = {}
        for words in evidence:
            place = self._place_of((words.source, words.record_id))
            if place is None or not words.quote.strip() or len(places) == CITED:
                continue
            citation = Citation(page=pages.slug_of(place.page), anchor=place.anchor or None, quote=shorten(words.quote))
            verdict = citations.resolve(citation, self._by_slug.get)
            if isinstance(verdict, Resolved):
                cited = {"page": verdict.page, "anchor": verdict.anchor or "", "quote": verdict.quote}
                places.setdefault((verdict.page, verdict.anchor), cited)
        return list(places.values())

    def _names(self, several: Sequence[PersonId]) -> list[str]:
        return [_line(self._memory.directory.name(who), 120) for who in several]


def _line(text: str, limit: int) -> str:
    """Text of the evidence on one line, cut at ``limit`` characters."""
    shown = flat(text)
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "\u2026"


def _records(evidence: Iterable[StatementEvidence]) -> list[str]:
    return list(dict.fromkeys(words.record_id for words in evidence))


def _first(entries: Iterator[dict[str, Any]], limit: int) -> list[dict[str, Any]]:
    return [entry for _, entry in zip(range(limit), entries, strict=False)]
