"""Select the records to purge: a query over raw records, and what it matches. Nothing is erased here.

Selectors are combined by AND. The query examines all versions of a record that a workspace still holds: text of an
older version is in the history too, and may be what the user wants purged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from consumer.erasure import matching
from consumer.erasure.matching import RecordKey
from consumer.snapshot.suppression import Suppressed
from contract import canonical
from contract.exclusions import fold

#: Records shown before they are purged.
SAMPLES: Final = 5
#: The source of contacts, and the fields of a contact that name the person.
CONTACTS: Final = "contacts"
_NAMES: Final = ("display_name", "name", "full_name")
_ADDRESSES: Final = ("email", "emails", "phone", "phones")
#: Endings of fields that name a contact by its id.
_CONTACT_FIELDS: Final = ("contact_id", "contact_ids", "person_id", "person_ids")
#: Separators of names in one field: ``Ann Lee, Bob Ray <bob@example.com>``.
_LIST: Final = re.compile(r"[,;<]")
LIST_WORDS: Final = 4
#: Fields of a record that may serve as its title, best first.
_TITLES: Final = ("title", "name", "display_name", "subject", "action", "event_type", "rule", "key")
TITLE_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class Selection:
    """The selectors of records to purge; a record must satisfy every one that is given.

    ``records``: exactly these. ``source``: a source_key. ``about``: consecutive whole words in its data, in any case.
    ``person``: its sender, recipient, attendee, contact or another person in it (see ``Matching``). ``before``: it is
    dated before this day (UTC). ``suppressed``: this list names it; it was purged before and is back, as in a restored
    bucket.
    """

    records: frozenset[RecordKey] = frozenset()
    source: str | None = None
    about: str = ""
    person: str = ""
    before: date | None = None
    suppressed: Suppressed | None = None

    @property
    def selectors(self) -> tuple[str, ...]:
        """The names of the given selectors, for an audit that must not contain their values."""
        selectors = (
            ("record", self.records),
            ("source", self.source),
            ("about", self.about),
            ("person", self.person),
            ("before", self.before),
            ("suppressed", self.suppressed is not None),
        )
        return tuple(name for name, value in selectors if value)


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
        """Digest of the records and of the commit they were found in; a confirmation is bound to it."""
        return canonical.digest({"commit": self.commit, "records": sorted(map(list, self.records))})

    def difference(self, shown: Matched) -> str:
        """The difference from what was shown, in words; "" if there is none."""
        more, fewer = len(self.records - shown.records), len(shown.records - self.records)
        differences = [
            f"{_plural(more, 'more record')} {'matches' if more == 1 else 'match'} now" if more else "",
            f"{_plural(fewer, 'record')} no longer {'matches' if fewer == 1 else 'match'}" if fewer else "",
            f"HEAD moved from commit {shown.seq} to {self.seq}" if self.commit != shown.commit else "",
        ]
        return "; ".join(filter(None, differences))


@dataclass(slots=True)
class Matching:
    """One query over the raw records of one workspace: call ``learn`` with all records, then ``look`` with all records.

    A **person** is given as a name, an address or a contact's id. Contacts with this id, exactly this name, or this
    address identify the person by their names, addresses and ids. A record is the person's if it is such a contact, or
    if one of its fields, at any depth, equals one of these names, names the contact by its id, or contains one of these
    addresses. Words inside a longer text do not count; ``about`` finds those.
    """

    query: Selection
    _names: set[str] = field(init=False)
    _addresses: set[str] = field(init=False)
    _contacts: set[str] = field(default_factory=set)
    _about: list[str] = field(init=False)
    #: Record -> its newest version as (updated_at, day, title); and the records of which some version matches.
    _newest: dict[RecordKey, tuple[str, str, str]] = field(default_factory=dict)
    _matching_keys: set[RecordKey] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._names = {fold(self.query.person)} - {""}
        self._addresses = set(filter(_is_address, self._names))
        self._about = matching.words_of(self.query.about)
        if self.query.about and not self._about:
            raise ValueError(f"{self.query.about!r} contains no word to search for")

    @property
    def needs_contacts(self) -> bool:
        """Whether ``learn`` has to be called."""
        return bool(self.query.person)

    def learn(self, record: Mapping[str, Any]) -> None:
        """Add the names and addresses of a contact if it is the person of the query; other records are ignored."""
        data = record.get("data")
        if record["source_key"] != CONTACTS or not isinstance(data, dict):
            return
        names = {fold(text) for name in _NAMES for text in matching.texts_of(data.get(name))} - {""}
        addresses = {fold(text) for name in _ADDRESSES for text in matching.texts_of(data.get(name))} - {""}
        person = self.query.person.strip()
        if record["record_id"] == person:
            # An id is not a name: a field with the value 17 does not mean contact 17.
            self._names.discard(fold(person))
        if record["record_id"] == person or fold(person) in names | addresses:
            self._contacts.add(record["record_id"])
            self._names |= names
            self._addresses |= set(filter(_is_address, addresses))

    def look(self, record: Mapping[str, Any]) -> None:
        """Examine one version of a record, in any order; a line that marks the record as deleted counts too."""
        key, data = matching.key_of(record), record.get("data")
        if not self._is_selectable(key):
            return
        updated_at, _, _ = self._newest.setdefault(key, ("", "", ""))
        if data is not None and str(record.get("updated_at") or "") >= updated_at:
            self._newest[key] = (str(record.get("updated_at") or ""), _day(record), _title(data))
        if key not in self._matching_keys and self._matches(key, data):
            self._matching_keys.add(key)

    def matched(self, seq: int, commit: str) -> Matched:
        """The result over all examined records."""
        limit = self.query.before.isoformat() if self.query.before else "~"
        dated_keys = sorted(
            (self._newest[key][1], key)
            for key in self._matching_keys
            if not self.query.before or "" < self._newest[key][1] < limit
        )
        days = [day for day, _ in dated_keys if day]
        step = max(1, len(dated_keys) // SAMPLES)
        shown = dated_keys[::step][:SAMPLES]
        return Matched(
            records=frozenset(key for _, key in dated_keys),
            by_source=dict(sorted(Counter(source for _, (source, _) in dated_keys).items())),
            first=min(days, default=""),
            last=max(days, default=""),
            samples=tuple(Sample(key[0], day, self._newest[key][2]) for day, key in shown),
            seq=seq,
            commit=commit,
        )

    def _is_selectable(self, key: RecordKey) -> bool:
        if self.query.source is not None and key[0] != self.query.source:
            return False
        if self.query.suppressed is not None and not self.query.suppressed.names(*key):
            return False
        return not self.query.records or key in self.query.records

    def _matches(self, key: RecordKey, data: Any) -> bool:
        if self._about and not any(_contains_phrase(text, self._about) for text in matching.texts_of(data)):
            return False
        return not self.query.person or self._is_persons(key, data)

    def _is_persons(self, key: RecordKey, data: Any) -> bool:
        if key[0] == CONTACTS and key[1] in self._contacts:
            return True
        return any(
            (name.endswith(_CONTACT_FIELDS) and text in self._contacts) or self._is_person(fold(text))
            for name, text in _fields(data)
        )

    def _is_person(self, text: str) -> bool:
        if any(_contains_address(address, text) for address in self._addresses):
            return True
        return any(part in self._names for part in _listed(text))


def _is_address(text: str) -> bool:
    """Whether the text is an e-mail address or a telephone number, which identifies one person anywhere."""
    return "@" in text or (sum(map(str.isdigit, text)) >= matching.MIN_DIGITS and not any(map(str.isalpha, text)))


def _listed(text: str) -> list[str]:
    """The names that a field lists; a text with longer parts is prose, and at most one name."""
    parts = [part.strip() for part in _LIST.split(text)]
    return parts if all(part.count(" ") < LIST_WORDS for part in parts) else [text]


def _contains_address(address: str, text: str) -> bool:
    return re.search(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", text) is not None


def _contains_phrase(text: str, phrase: list[str]) -> bool:
    size = len(phrase)
    for reading in matching.as_written(text):
        words = matching.words_of(reading)
        if any(words[n : n + size] == phrase for n, word in enumerate(words) if word == phrase[0]):
            return True
    return False


def _fields(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """(name, text) of every string inside a JSON value; a list item has the name of its list."""
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
    values = (data.get(name) for name in _TITLES)
    text = next((value for value in values if isinstance(value, str) and value.strip()), "")
    return " ".join(text.split())[:TITLE_CHARS]


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def keys(texts: Iterable[str]) -> frozenset[RecordKey]:
    """``SOURCE:ID`` -> (source_key, record_id). Ids may hold colons, sources do not.

    Raises ValueError: a text is of another form.
    """
    record_keys = set()
    for text in texts:
        source, colon, record_id = text.partition(":")
        if not (source and colon and record_id):
            raise ValueError(f"{text!r} is not of the form SOURCE:ID, such as meeting_notes:note-4711")
        record_keys.add((source, record_id))
    return frozenset(record_keys)
