"""
What the user's standing rules, and what they marked as private, keep out of everything that is told.

``Withheld`` answers for a person, a record, a text or a finding which rules hold it. What is held stays on its own
pages, in the index and in the store: only its telling stops. ``consumer.understanding.standing_rules`` reads rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.evidence.records import IndexedRecord
from consumer.reports.claims import Citation
from consumer.understanding.memory import Change, Contradiction, Loop, Meeting, StatementEvidence
from consumer.understanding.people import USER, Directory, PersonId, conversation
from consumer.understanding.reading.messages import is_chat
from consumer.understanding.standing_rules import StandingRule, Unread, fold
from consumer.understanding.statements import Reading
from renderers import grouping, splitting

#: Ids of rules, or ``private/`` and the id of a correction.
Holders = frozenset[str]
NOBODY: Final[Holders] = frozenset()
PRIVATE: Final = "private/"
SOURCES: Final = "sources/"
#: (page, anchor), and (source, record id).
Place = tuple[str, str | None]
RecordKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class KeptOut:
    """How many things were not told, and by whom they were held."""

    things: int = 0
    holders: Holders = NOBODY

    def plus(self, other: KeptOut) -> KeptOut:
        return KeptOut(self.things + other.things, self.holders | other.holders)

    @property
    def rules(self) -> int:
        return sum(not holder.startswith(PRIVATE) for holder in self.holders)

    @property
    def marks(self) -> int:
        return len(self.holders) - self.rules


class HeldRecord(NamedTuple):
    """A record that a rule holds, for the page that lists them."""

    holder: str
    title: str
    page: str
    anchor: str | None


@dataclass(frozen=True, slots=True)
class HeldWords:
    """How a held person or topic is recognised in a text."""

    holder: str
    #: Given names, as written: "Will" is somebody, "will" is not.
    cased: re.Pattern[str] | None
    #: Full names and addresses, in folded text.
    folded: re.Pattern[str] | None
    #: Topics in folded text: all words of one.
    topics: tuple[tuple[re.Pattern[str], ...], ...]

    def stand_in(self, text: str, folded: str) -> bool:
        return bool(
            (self.cased and self.cased.search(text))
            or (self.folded and self.folded.search(folded))
            or any(all(word.search(folded) for word in topic) for topic in self.topics)
        )


@dataclass(frozen=True, slots=True)
class Withheld:
    """``rules``: those in force; ``unread``: texts that are no such rule; ``late``: rules that changed after the export
    of a job that may not read them again, and so are not applied.
    """

    rules: tuple[StandingRule, ...] = ()
    unread: tuple[Unread, ...] = ()
    late: int = 0
    records: Mapping[RecordKey, Holders] = field(default_factory=dict)
    #: Where held records stand; and the pages with any of them.
    places: Mapping[Place, Holders] = field(default_factory=dict)
    pages: Mapping[str, Holders] = field(default_factory=dict)
    people: Mapping[PersonId, Holders] = field(default_factory=dict)
    words: tuple[HeldWords, ...] = ()
    #: What is held, by holder and page.
    listed: tuple[HeldRecord, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.records or self.places or self.people or self.words)

    def of_text(self, text: str) -> Holders:
        if not self.words:
            return NOBODY
        folded = fold(text)
        return frozenset(words.holder for words in self.words if words.stand_in(text, folded))

    def of_citations(self, cited: Iterable[Citation]) -> Holders:
        """By the places, and by the words that are quoted."""
        return _union(
            self.of_place(citation.page, citation.anchor)
            | self.of_text(citation.quote)
            | self.of_text(_named(citation.page))
            for citation in cited
        )

    def of_place(self, page: str, anchor: str | None) -> Holders:
        """Of a record where it stands."""
        first = splitting.first_part(page)
        whole = self.places.get((first, None), NOBODY)
        if first != page:
            whole |= self.places.get((page, None), NOBODY)
        if anchor is None:
            # It may mean any record on the page.
            return whole | self.pages.get(page, NOBODY)
        return whole | self.places.get((page, anchor), NOBODY)

    def of_told(self, text: str, cited: Iterable[Citation]) -> Holders:
        """Of a finding, a claim or a note."""
        return (self.of_text(text) | self.of_citations(cited)) if self else NOBODY

    def of_page(self, slug: str) -> Holders:
        """Of a page, by its name and by any record on it."""
        return self.of_place(slug, None) | self.of_text(_named(slug))

    def of_name(self, slug: str) -> Holders:
        """Of a page, by its name alone. Names are written small there, also of people."""
        name = _named(slug)
        return self.of_text(name) | self.of_text(name.title())

    def of_people(self, people: Iterable[PersonId | None]) -> Holders:
        return _union(self.people.get(who or "", NOBODY) for who in people)

    def of_evidence(self, evidence: Iterable[StatementEvidence]) -> Holders:
        return _union(
            holders
            for place in evidence
            for holders in (
                self.records.get((place.source, place.record_id), NOBODY),
                self.people.get(place.by or "", NOBODY),
                self.of_text(place.quote),
            )
        )

    def of_loop(self, loop: Loop) -> Holders:
        if not self:
            return NOBODY
        people = (loop.owner, *loop.asked, *loop.beneficiaries)
        return self.of_people(people) | self.of_text(loop.object) | self.of_evidence(loop.evidence)

    def of_contradiction(self, contradiction: Contradiction) -> Holders:
        if not self:
            return NOBODY
        named = self.of_text(f"{contradiction.subject} {contradiction.attribute}")
        return named | self.of_evidence(place for side in contradiction.sides for place in side.evidence)

    def of_meeting(self, meeting: Meeting) -> Holders:
        if not self:
            return NOBODY
        people = self.of_people([meeting.organizer, *meeting.attendees])
        return people | self.of_text(meeting.title) | self.of_evidence(meeting.evidence)

    def of_change(self, change: Change) -> Holders:
        if not self:
            return NOBODY
        named = self.of_text(f"{change.subject} {change.attribute} {change.before} {change.after}")
        return named | self.of_people([change.who]) | self.of_evidence(change.evidence)


Thing = TypeVar("Thing")


def sifted(things: Iterable[Thing], holders_of: Callable[[Thing], Holders]) -> tuple[list[Thing], KeptOut]:
    """The things that nobody holds, and a count of the others."""
    free: list[Thing] = []
    kept = KeptOut()
    for thing in things:
        holders = holders_of(thing)
        if holders:
            kept = kept.plus(KeptOut(1, holders))
        else:
            free.append(thing)
    return free, kept


# --- finding what is held ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeldEvidence:
    """What rules are applied to. ``record``: where a record stands. ``of_source``: all records of a source."""

    readings: Sequence[Reading]
    directory: Directory
    by_slug: Mapping[str, Page]
    record: Callable[[str, str], IndexedRecord | None]
    of_source: Callable[[str], Iterable[IndexedRecord]]


@dataclass(frozen=True, slots=True)
class Marked:
    """What the user marked as private: records that a statement rests on, and places that a claim cites."""

    records: Mapping[RecordKey, Holders] = field(default_factory=dict)
    places: Mapping[Place, Holders] = field(default_factory=dict)


def withheld(
    rules: Sequence[StandingRule], unread: Sequence[Unread], marked: Marked, evidence: HeldEvidence, *, late: int = 0
) -> Withheld:
    """Everything of this evidence that rules or marks hold."""
    if not (rules or marked.records or marked.places):
        return Withheld(unread=tuple(unread), late=late)
    people: dict[PersonId, Holders] = {}
    for rule in rules:
        for who in rule.people:
            people[who] = people.get(who, NOBODY) | {rule.rule.id}
    words = tuple(filter(None, (_words(rule, people, evidence.directory) for rule in rules)))
    filters = Withheld(rules=tuple(rules), unread=tuple(unread), people=people, words=words)
    records = dict(marked.records)
    _add(records, (*_by_people(people, evidence), *_by_source(rules, evidence)))
    places: dict[Place, Holders] = {}
    for place, holders in marked.places.items():
        marked_place = _of_record(place, evidence.by_slug)
        places[marked_place] = places.get(marked_place, NOBODY) | holders
    titles: dict[Place, str] = {}
    for key, holders in records.items():
        stands = evidence.record(*key)
        if stands is not None:
            place = (pages.slug_of(stands.page), stands.anchor or None)
            places[place] = places.get(place, NOBODY) | holders
            titles[place] = stands.title
    for place, title, holders in _by_text(filters, evidence.by_slug):
        places[place] = places.get(place, NOBODY) | holders
        titles.setdefault(place, title)
    _add(records, _standing_at(places, evidence))
    return Withheld(
        rules=tuple(rules),
        unread=tuple(unread),
        late=late,
        records=records,
        places=places,
        pages=holders_by_page(places),
        people=people,
        words=words,
        listed=tuple(sorted(
            HeldRecord(holder, titles.get(place, ""), *place) for place, holders in places.items() for holder in holders
        )),
    )  # fmt: skip


def _add(records: dict[RecordKey, Holders], several: Iterable[tuple[RecordKey, Holders]]) -> None:
    for key, holders in several:
        records[key] = records.get(key, NOBODY) | holders


def _by_people(people: Mapping[PersonId, Holders], evidence: HeldEvidence) -> Iterator[tuple[RecordKey, Holders]]:
    """Records that somebody held takes part in, or in which a statement names them."""
    if not people:
        return
    for reading in evidence.readings:
        talk = conversation(reading)
        named = set(reading.people)
        for author, addressees, _ in reading.cited.values():
            named |= {author, *addressees}
        holders = _union(people.get(who, NOBODY) for who in evidence.directory.all_of(tuple(sorted(named)), talk))
        holders |= people.get(f"contact/{reading.record_id}", NOBODY)
        if holders:
            yield (reading.source, reading.record_id), holders


def _by_source(rules: Sequence[StandingRule], evidence: HeldEvidence) -> Iterator[tuple[RecordKey, Holders]]:
    """Records of a held source. What may be a mail or a chat, as nothing tells its channel, is held with either."""
    keys = sorted((key, rule.rule.id) for rule in rules for key in rule.sources)
    threads = {(each.source, each.record_id): each.thread for each in evidence.readings} if keys else {}
    for key, holder in keys:
        source, _, kind = key.partition(":")
        for record in evidence.of_source(source):
            thread = threads.get((record.source, record.record_id), "") or _channel(record)
            if not (kind and thread) or is_chat(thread) == (kind == "chat"):
                yield (record.source, record.record_id), frozenset({holder})


def _channel(record: IndexedRecord) -> str:
    """The channel of a message, as a thread has it, by the name of its page; "" where it has a page of its own."""
    if record.stem.endswith("-" + grouping.mark(record.source, record.record_id)):
        return ""
    match = _CHANNEL.search(record.stem)
    return f"{match[1]}:" if match else ""


#: Behind the day, on a page of a day and a channel.
_CHANNEL: Final = re.compile(r"/\d{4}-\d\d-\d\d-([a-z]+)-[^/]*\Z")


def _by_text(filters: Withheld, by_slug: Mapping[str, Page]) -> Iterator[tuple[Place, str, Holders]]:
    """Records on whose page a held name or topic stands: (place, title, holders). Reads every page of evidence."""
    for slug, page in by_slug.items() if filters.words else ():
        if not slug.startswith(SOURCES) or not filters.of_text(f"{page.title}\n{page.body}"):
            continue
        texts: dict[str | None, list[str]] = {}
        headings: dict[str | None, str] = {}
        for section in page.sections:
            texts.setdefault(section.anchor, []).append(f"{section.heading}\n{section.text}")
            headings.setdefault(section.anchor, section.heading)
        grouped = any(texts)
        for anchor, parts in texts.items():
            if grouped and anchor is None:
                continue
            holders = filters.of_text("\n".join(parts if grouped else [page.title, *parts]))
            if holders:
                yield (
                    _of_record((slug, anchor), by_slug),
                    (headings[anchor] if grouped else page.title) or page.title,
                    holders,
                )


def _of_record(place: Place, by_slug: Mapping[str, Page]) -> Place:
    """The place by which a record is known: of its own page the first part."""
    slug, anchor = place
    page = by_slug.get(slug)
    if anchor is not None or page is None or any(section.anchor for section in page.sections):
        return place
    return splitting.first_part(slug), None


def _standing_at(places: Mapping[Place, Holders], evidence: HeldEvidence) -> Iterator[tuple[RecordKey, Holders]]:
    """Records that stand at held places: what memory tells of them need not repeat the words that are held."""
    for reading in evidence.readings if places else ():
        stands = evidence.record(reading.source, reading.record_id)
        if stands is None:
            continue
        slug = pages.slug_of(stands.page)
        holders = places.get((slug, None), NOBODY) | places.get((slug, stands.anchor or None), NOBODY)
        if holders:
            yield (reading.source, reading.record_id), holders


def holders_by_page(places: Mapping[Place, Holders]) -> dict[str, Holders]:
    """Of each page with a held record: whoever holds any of it."""
    by_page: dict[str, Holders] = {}
    for (slug, _), holders in places.items():
        by_page[slug] = by_page.get(slug, NOBODY) | holders
    return by_page


def _named(slug: str) -> str:
    """The words of a page's name: it is made of a title."""
    return slug.rpartition("/")[2].replace("-", " ")


def _words(rule: StandingRule, held: Mapping[PersonId, Holders], directory: Directory) -> HeldWords | None:
    full: set[str] = set()
    given: set[str] = {name for name in rule.names if " " not in name and "@" not in name}
    for who in rule.people:
        known = directory.known(who)
        for name in (known.name, *known.aliases):
            (full if " " in name.strip() else given).add(name.strip(" '\""))
            first = name.partition(" ")[0].strip("'\"")
            if "," not in name and all(each in held or each == USER for each in directory.carriers(first)):
                given.add(first)
        full.update(known.addresses)
    cased = sorted(name for name in given if len(name) > 1)
    names = sorted(fold(name) for name in full if name)
    if not (cased or names or rule.topics):
        return None
    return HeldWords(
        rule.rule.id,
        re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, cased))})(?:s|['\u2019]s?)?(?!\w)") if cased else None,
        re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)") if names else None,
        # A word may go on: "divorce" is also in "divorced".
        tuple(tuple(re.compile(rf"(?<!\w){re.escape(word)}") for word in topic) for topic in rule.topics),
    )


def _union(several: Iterable[Holders]) -> Holders:
    return frozenset().union(*several)
