"""Which records a person means: a query over raw records, and what it matches. Nothing is erased here.

Selectors are combined by AND. A record is looked at in all of its versions that a workspace still holds: text that only
an older version has lies in the history too, and is what somebody may want to be rid of.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from consumer.erasure import matching
from consumer.erasure.matching import RecordKey
from consumer.snapshot.suppression import Suppressed
from contract import canonical

#: Records shown before they are purged.
SAMPLES: Final = 5
#: The source of contacts, and the fields of one that name the person.
CONTACTS: Final = "contacts"
_NAMES: Final = ("display_name", "name", "full_name")
_ADDRESSES: Final = ("email", "emails", "phone", "phones")
#: How fields end that name a contact by its id.
_CONTACT_FIELDS: Final = ("contact_id", "contact_ids", "person_id", "person_ids")
#: What stands between names in one field: ``Ann Lee, Bob Ray <bob@example.com>``.
_LIST: Final = re.compile(r"[,;<]")
LIST_WORDS: Final = 4
#: Fields of a record that may serve as its title, best first.
_TITLES: Final = ("title", "name", "display_name", "subject", "action", "event_type", "rule", "key")
TITLE_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class Selection:
    """What a record must be to be purged; every selector that is given must take it.

    ``records``: exactly these. ``source``: a source_key. ``about``: words that stand in its data one after the other,
    as whole words in any case. ``person``: somebody who is its sender, recipient, attendee, contact or other person
    (see ``Matching``). ``before``: it is dated before this day (UTC). ``suppressed``: this list names it, so it was
    purged before and is there again, as in a bucket that was restored.
    """

    records: frozenset[RecordKey] = frozenset()
    source: str | None = None
    about: str = ""
    person: str = ""
    before: date | None = None
    suppressed: Suppressed | None = None

    @property
    def selectors(self) -> tuple[str, ...]:
        """The names of those that are given, for an audit that must not say what they are."""
        given = (
            ("record", self.records),
            ("source", self.source),
            ("about", self.about),
            ("person", self.person),
            ("before", self.before),
            ("suppressed", self.suppressed is not None),
        )
        return tuple(name for name, value in given if value)


@dataclass(frozen=True, slots=True)
class Sample:
    """``title`` is the user's own text; ``day`` is ``2026-11-27`` or ""."""

    source: str
    day: str
    title: str


@dataclass(frozen=True, slots=True)
class Matched:
    """The records that a query matches at one commit. ``first`` and ``last`` are days, "" without any dated record."""

    records: frozenset[RecordKey] = frozenset()
    by_source: Mapping[str, int] = field(default_factory=dict)
    first: str = ""
    last: str = ""
    samples: tuple[Sample, ...] = ()
    #: Number and digest of HEAD's commit; 0 and "": there is none.
    seq: int = 0
    commit: str = ""

    @property
    def digest(self) -> str:
        """Of the records and of the commit in which they were found: what a confirmation is bound to."""
        return canonical.digest({"commit": self.commit, "records": sorted(map(list, self.records))})

    def difference(self, shown: Matched) -> str:
        """What differs from what was shown, in words; "": nothing."""
        more, fewer = len(self.records - shown.records), len(shown.records - self.records)
        parts = [
            f"{_many(more, 'record')} more {'matches' if more == 1 else 'match'} now" if more else "",
            f"{_many(fewer, 'record')} no longer {'matches' if fewer == 1 else 'match'}" if fewer else "",
            f"HEAD moved from commit {shown.seq} to {self.seq}" if self.commit != shown.commit else "",
        ]
        return "; ".join(filter(None, parts))


@dataclass(slots=True)
class Matching:
    """One query over the raw records of one workspace: ``learn`` of all of them, then ``look`` at all of them.

    A **person** is given as a name, an address or a contact's id. Who it is says the contact that has this id, exactly
    this name, or this address: its names, addresses and id stand for the person from then on. A record is this person's
    if it is that contact, or if one of its fields, at any depth, is one of these names, names the contact by its id, or
    holds one of these addresses. Words inside a longer text are no field: ``about`` finds those.
    """

    query: Selection
    _names: set[str] = field(init=False)
    _addresses: set[str] = field(init=False)
    _contacts: set[str] = field(default_factory=set)
    _about: list[str] = field(init=False)
    #: Record -> its newest version as (updated_at, day, title), and whether some version is about, or the person's.
    _newest: dict[RecordKey, tuple[str, str, str]] = field(default_factory=dict)
    _taken: set[RecordKey] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._names = {_folded(self.query.person)} - {""}
        self._addresses = set(filter(_is_address, self._names))
        self._about = matching.words_of(self.query.about)
        if self.query.about and not self._about:
            raise ValueError(f"{self.query.about!r} holds no word to look for")

    @property
    def asks_contacts(self) -> bool:
        """Whether ``learn`` has to be called."""
        return bool(self.query.person)

    def learn(self, record: Mapping[str, Any]) -> None:
        """What a contact says of the person that is asked for; other records say nothing."""
        data = record.get("data")
        if record["source_key"] != CONTACTS or not isinstance(data, dict):
            return
        names = {_folded(text) for name in _NAMES for text in matching.texts_of(data.get(name))} - {""}
        addresses = {_folded(text) for name in _ADDRESSES for text in matching.texts_of(data.get(name))} - {""}
        asked = self.query.person.strip()
        if record["record_id"] == asked:
            # An id is no name: other fields that say 17 do not mean contact 17.
            self._names.discard(_folded(asked))
        if record["record_id"] == asked or _folded(asked) in names | addresses:
            self._contacts.add(record["record_id"])
            self._names |= names
            self._addresses |= set(filter(_is_address, addresses))

    def look(self, record: Mapping[str, Any]) -> None:
        """One version of a record, in any order; a line that only says that it is gone counts as one too."""
        key, data = matching.key_of(record), record.get("data")
        if not self._may(key):
            return
        updated_at, _, _ = self._newest.setdefault(key, ("", "", ""))
        if data is not None and str(record.get("updated_at") or "") >= updated_at:
            self._newest[key] = (str(record.get("updated_at") or ""), _day(record), _title(data))
        if key not in self._taken and self._is_meant(key, data):
            self._taken.add(key)

    def matched(self, seq: int, commit: str) -> Matched:
        """What all that was looked at gives."""
        limit = self.query.before.isoformat() if self.query.before else "~"
        found = sorted(
            (self._newest[key][1], key)
            for key in self._taken
            if not self.query.before or "" < self._newest[key][1] < limit
        )
        days = [day for day, _ in found if day]
        step = max(1, len(found) // SAMPLES)
        shown = found[::step][:SAMPLES]
        return Matched(
            records=frozenset(key for _, key in found),
            by_source=dict(sorted(Counter(source for _, (source, _) in found).items())),
            first=min(days, default=""),
            last=max(days, default=""),
            samples=tuple(Sample(key[0], day, self._newest[key][2]) for day, key in shown),
            seq=seq,
            commit=commit,
        )

    def _may(self, key: RecordKey) -> bool:
        if self.query.source is not None and key[0] != self.query.source:
            return False
        if self.query.suppressed is not None and not self.query.suppressed.names(*key):
            return False
        return not self.query.records or key in self.query.records

    def _is_meant(self, key: RecordKey, data: Any) -> bool:
        if self._about and not any(_holds(text, self._about) for text in matching.texts_of(data)):
            return False
        return not self.query.person or self._is_persons(key, data)

    def _is_persons(self, key: RecordKey, data: Any) -> bool:
        if key[0] == CONTACTS and key[1] in self._contacts:
            return True
        return any(
            (name.endswith(_CONTACT_FIELDS) and text in self._contacts) or self._is_person(_folded(text))
            for name, text in _fields(data)
        )

    def _is_person(self, text: str) -> bool:
        if any(_stands_alone(address, text) for address in self._addresses):
            return True
        return any(part in self._names for part in _listed(text))


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _is_address(text: str) -> bool:
    """An e-mail address or a telephone number: it names nobody else, wherever it stands."""
    return "@" in text or (sum(map(str.isdigit, text)) >= matching.LEAST_DIGITS and not any(map(str.isalpha, text)))


def _listed(text: str) -> list[str]:
    """The names that a field lists; a text that lists longer things is prose, and one name at most."""
    parts = [part.strip() for part in _LIST.split(text)]
    return parts if all(part.count(" ") < LIST_WORDS for part in parts) else [text]


def _stands_alone(address: str, text: str) -> bool:
    found = re.search(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", text)
    return found is not None


def _holds(text: str, wanted: list[str]) -> bool:
    words = matching.words_of(text)
    first, size = wanted[0], len(wanted)
    return any(words[n : n + size] == wanted for n, word in enumerate(words) if word == first)


def _fields(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """(name, text) of every string inside a JSON value; an item of a list has the name of the list."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for item in value:
            yield from _fields(item, name)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _fields(item, key)


def _day(record: Mapping[str, Any]) -> str:
    return str(record.get("occurred_at") or record.get("updated_at") or "")[:10]


def _title(data: Any) -> str:
    if not isinstance(data, dict):
        return ""
    found = (data.get(name) for name in _TITLES)
    text = next((one for one in found if isinstance(one, str) and one.strip()), "")
    return " ".join(text.split())[:TITLE_CHARS]


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def keys(texts: Iterable[str]) -> frozenset[RecordKey]:
    """``SOURCE:ID`` -> (source_key, record_id). Ids may hold colons, sources do not.

    Raises:
        ValueError: a text is of another form.
    """
    found = set()
    for text in texts:
        source, colon, record_id = text.partition(":")
        if not (source and colon and record_id):
            raise ValueError(f"{text!r} is no SOURCE:ID, such as meeting_notes:note-4711")
        found.add((source, record_id))
    return frozenset(found)
