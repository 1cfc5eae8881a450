"""
Reads a record's data without trusting its shape: for any JSON, each function returns its type or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from contract.event import utc_text
from renderers import entities, persons, visible
from renderers import markdown as md
from renderers.base import Item, Mention, RecordSection, Ref

#: Names under which JSON from different integrations keeps a person's name and address.
_NAME_KEYS = ("name", "display_name", "displayName", "full_name")
_ADDRESS_KEYS = ("email", "address", "email_address")
#: The role of whoever a contact describes: they have a page whatever their name is.
CONTACT = "contact"
#: A header's longest name or address; what is longer is a text, and its start tells.
_NAME_CHARS = 240
#: Most records name the same few people and projects, so these are cached; a longer name is not worth the memory.
_REMEMBERED_CHARS = 2 * md.TITLE_CHARS


def text(data: Mapping[str, Any], name: str) -> str:
    """A field as text: numbers, booleans and containers as JSON; null and absent as ""."""
    value = data.get(name)
    if value is None:
        return ""
    return value if isinstance(value, str) else dump(value)


def dump(value: Any) -> str:
    """JSON for people: sorted keys, two spaces, no escaped characters."""
    if type(value) is int:
        return str(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2 if isinstance(value, dict | list) else None)


def moment(value: object) -> datetime | None:
    """An RFC 3339 text as a datetime in UTC, which is assumed without a zone; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value)
        if parsed.tzinfo is UTC:
            return parsed
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # not a time, or outside the supported years in UTC
        return None


def when(data: Mapping[str, Any], name: str) -> str:
    """A time field as finished markdown: UTC to the minute, or the text itself if it is not a time."""
    value = data.get(name)
    return "" if value is None else _when(value)


def _when(value: Any) -> str:
    parsed = moment(value)
    if parsed is None:
        return md.inline(value if isinstance(value, str) else dump(value), 60)
    return parsed.isoformat(" ", "minutes")[:16] + " UTC"


def line(data: Mapping[str, Any], name: str, limit: int = md.TITLE_CHARS) -> str:
    """A field as one escaped line of finished markdown; a list of plain values is joined by commas."""
    return _line(data.get(name), limit)


def _line(value: Any, limit: int = md.TITLE_CHARS) -> str:
    if isinstance(value, str):
        return md.inline(value, limit)
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(element, str | int | float) for element in value):
        return md.inline(", ".join(element if isinstance(element, str) else dump(element) for element in value), limit)
    return "" if value == {} else md.inline(dump(value), limit)


def facts(data: Mapping[str, Any], *pairs: tuple[str, str]) -> list[tuple[str, str]]:
    """(label, field name) pairs -> (label, one escaped line); empty ones are left out."""
    given = data.get
    return [(label, value) for label, name in pairs if (raw := given(name)) is not None and (value := _line(raw))]


def times(data: Mapping[str, Any], *pairs: tuple[str, str]) -> list[tuple[str, str]]:
    """(label, field name) pairs -> (label, time); empty ones are left out."""
    given = data.get
    return [(label, value) for label, name in pairs if (raw := given(name)) is not None and (value := _when(raw))]


def shown(data: Mapping[str, Any], name: str) -> str:
    """A field as a page shows it: the visible text of HTML, word for word; containers as JSON."""
    value = data.get(name)
    return visible.text(value) if isinstance(value, str) else visible.seen(text(data, name))


def section(heading: str, data: Mapping[str, Any], name: str) -> RecordSection:
    """A field as a section of its own, as ``shown`` gives it."""
    value = data.get(name)
    return RecordSection(heading, (shown(data, name),) if value not in (None, "", [], {}) else ())


def refs(data: Mapping[str, Any], *triples: tuple[str, str, str], inherit_role: str = "") -> list[Ref]:
    """(label, field with an id, the id's source) -> references; empty fields are left out."""
    return [Ref(label, source, ident, inherit_role) for label, name, source in triples if (ident := text(data, name))]


def yes(data: Mapping[str, Any], name: str) -> bool:
    """True only for JSON true."""
    return data.get(name) is True


def items(value: object) -> Sequence[Any]:
    """A JSON array, or nothing."""
    return value if isinstance(value, list) else ()


def people(value: object, role: str = "") -> list[Mention]:
    """A JSON array of names, addresses or objects with either -> mentions of persons, in order."""
    return [mention for entry in items(value) for mention in _people(entry, role)]


def person(name: str, address: str = "", role: str = "", stated: tuple[tuple[str, str], ...] = ()) -> list[Mention]:
    """A person by name, else by address; nobody when both are empty."""
    plain = not stated and len(name) + len(address) <= _REMEMBERED_CHARS
    mention = _cached_person(name, address, role) if plain else _person(name, address, role, stated)
    return [mention] if mention else []


@lru_cache(maxsize=4096)
def _cached_person(name: str, address: str, role: str) -> Mention | None:
    return _person(name, address, role, ())


def _person(name: str, address: str, role: str, stated: tuple[tuple[str, str], ...]) -> Mention | None:
    if role != CONTACT and not persons.is_person(name[:_NAME_CHARS], address[:_NAME_CHARS]):
        return None
    name, address = persons.writer(persons.shown(name), address)
    shown = persons.given_first(md.one_line(name)) or md.one_line(address)
    key = entities.person_key(shown)
    if not key:
        return None
    email = ((entities.EMAIL, md.one_line(address).lower()),) if address and md.one_line(address) != shown else ()
    return Mention("person", key, shown, role, (*email, *stated))


def project(name: str, role: str = "", stated: tuple[tuple[str, str], ...] = ()) -> list[Mention]:
    """A project by its name; none when empty."""
    plain = not stated and len(name) <= _REMEMBERED_CHARS
    mention = _cached_project(name, role) if plain else _project(name, role, stated)
    return [mention] if mention else []


@lru_cache(maxsize=1024)
def _cached_project(name: str, role: str) -> Mention | None:
    return _project(name, role, ())


def _project(name: str, role: str, stated: tuple[tuple[str, str], ...]) -> Mention | None:
    shown = md.one_line(name)
    key = entities.identity(shown)
    return Mention("project", key, shown, role, stated) if key else None


def meeting(item: Item, title: str, started: str, role: str = "") -> list[Mention]:
    """A meeting by its day (UTC) and title, shared by its transcript and its note. ``started``: a field's name.

    The name has the user's local day; the key uses UTC, so that a user who moves gets no second page.
    """
    start = moment(item.data.get(started))
    shown = md.one_line(title)
    if start is None or not shown:
        return []
    moment_of_it = utc_text(start)
    day = item.day if item.occurred_at == moment_of_it else moment_of_it[:10]
    return [Mention("meeting", entities.identity(f"{moment_of_it[:10]} {shown}"), f"{shown} ({day})", role)]


def _people(entry: object, role: str) -> list[Mention]:
    if isinstance(entry, str):
        return person(entry, role=role)
    if isinstance(entry, dict):
        return person(_first(entry, _NAME_KEYS), _first(entry, _ADDRESS_KEYS), role)
    return []


def _first(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        value = entry.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""
