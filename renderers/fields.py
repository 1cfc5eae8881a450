"""
Reading a record's data without trusting its shape: whatever JSON is there, each function gives its type or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from contract.event import utc_text
from renderers import entities, visible
from renderers import markdown as md
from renderers.base import Item, Mention, RecordSection, Ref

#: Names under which JSON from different integrations keeps a person's name and address.
_NAME_KEYS = ("name", "display_name", "displayName", "full_name")
_ADDRESS_KEYS = ("email", "address", "email_address")
#: Few people and projects are named in most records; a name longer than this is none, and not worth memory.
_REMEMBERED_CHARS = 2 * md.TITLE_CHARS


def text(data: Mapping[str, Any], name: str) -> str:
    """A field as text: numbers and booleans as JSON writes them, containers as JSON, null and absent as ""."""
    value = data.get(name)
    if value is None:
        return ""
    return value if isinstance(value, str) else dump(value)


def dump(value: Any) -> str:
    """JSON for people: keys sorted, two spaces, every character as itself."""
    if type(value) is int:
        return str(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2 if isinstance(value, dict | list) else None)


def moment(value: object) -> datetime | None:
    """An RFC 3339 text as a datetime in UTC, which a text without a zone is in already; anything else is None."""
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value)
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # no time, or one that in UTC is in no year there is
        return None


def when(data: Mapping[str, Any], name: str) -> str:
    """A time field as finished markdown: UTC to the minute, or the text as it is when it is no time."""
    value = data.get(name)
    if value is None:
        return ""
    parsed = moment(value)
    if parsed is None:
        return md.inline(text(data, name), 60)
    return parsed.isoformat(" ", "minutes")[:16] + " UTC"


def line(data: Mapping[str, Any], name: str, limit: int = md.TITLE_CHARS) -> str:
    """A field as one escaped line of finished markdown; a list of plain values is joined by commas."""
    value = data.get(name)
    if isinstance(value, str):
        return md.inline(value, limit)
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return md.inline(", ".join(one if isinstance(one, str) else dump(one) for one in value), limit)
    return "" if value == {} else md.inline(text(data, name), limit)


def facts(data: Mapping[str, Any], *pairs: tuple[str, str]) -> list[tuple[str, str]]:
    """(label, field name) pairs -> (label, one escaped line); empty ones are left out."""
    return [(label, value) for label, name in pairs if (value := line(data, name))]


def times(data: Mapping[str, Any], *pairs: tuple[str, str]) -> list[tuple[str, str]]:
    """(label, field name) pairs -> (label, time); empty ones are left out."""
    return [(label, value) for label, name in pairs if (value := when(data, name))]


def shown(data: Mapping[str, Any], name: str) -> str:
    """A field as a page shows it: the visible text of HTML, word for word; containers as JSON."""
    value = data.get(name)
    return visible.text(value) if isinstance(value, str) else visible.seen(text(data, name))


def section(heading: str, data: Mapping[str, Any], name: str) -> RecordSection:
    """A field as a section of its own, as ``shown`` gives it."""
    value = data.get(name)
    return RecordSection(heading, (shown(data, name),) if value not in (None, "", [], {}) else ())


def refs(data: Mapping[str, Any], *triples: tuple[str, str, str], inherit_role: str = "") -> list[Ref]:
    """(label, field that holds an id, source it is an id of) -> references; empty fields are left out."""
    return [Ref(label, source, ident, inherit_role) for label, name, source in triples if (ident := text(data, name))]


def yes(data: Mapping[str, Any], name: str) -> bool:
    """True only for JSON true."""
    return data.get(name) is True


def items(value: object) -> Sequence[Any]:
    """A JSON array, or nothing."""
    return value if isinstance(value, list) else ()


def people(value: object, role: str = "") -> list[Mention]:
    """A JSON array of names, addresses or objects with either -> mentions of persons, in order."""
    return [mention for one in items(value) for mention in _people(one, role)]


def person(name: str, address: str = "", role: str = "", stated: tuple[tuple[str, str], ...] = ()) -> list[Mention]:
    """A person by name, else by address; nobody when both are empty."""
    plain = not stated and len(name) + len(address) <= _REMEMBERED_CHARS
    found = _known_person(name, address, role) if plain else _person(name, address, role, stated)
    return [found] if found else []


@lru_cache(maxsize=4096)
def _known_person(name: str, address: str, role: str) -> Mention | None:
    return _person(name, address, role, ())


def _person(name: str, address: str, role: str, stated: tuple[tuple[str, str], ...]) -> Mention | None:
    shown = md.one_line(name) or md.one_line(address)
    key = entities.identity(shown)
    if not key:
        return None
    known = (("Email", md.one_line(address).lower()),) if address and md.one_line(address) != shown else ()
    return Mention("person", key, shown, role, (*known, *stated))


def project(name: str, role: str = "", stated: tuple[tuple[str, str], ...] = ()) -> list[Mention]:
    """A project by its name; none when empty."""
    plain = not stated and len(name) <= _REMEMBERED_CHARS
    found = _known_project(name, role) if plain else _project(name, role, stated)
    return [found] if found else []


@lru_cache(maxsize=1024)
def _known_project(name: str, role: str) -> Mention | None:
    return _project(name, role, ())


def _project(name: str, role: str, stated: tuple[tuple[str, str], ...]) -> Mention | None:
    shown = md.one_line(name)
    key = entities.identity(shown)
    return Mention("project", key, shown, role, stated) if key else None


def meeting(item: Item, title: str, started: str, role: str = "") -> list[Mention]:
    """A meeting by its day (UTC) and title, so that a transcript and a note of one meeting meet. ``started``: a field.

    Its name tells the user's day: the key keeps to UTC, so that a user who moves has no second page of it.
    """
    start = moment(item.data.get(started))
    shown = md.one_line(title)
    if start is None or not shown:
        return []
    moment_of_it = utc_text(start)
    day = item.day if item.occurred_at == moment_of_it else moment_of_it[:10]
    return [Mention("meeting", entities.identity(f"{moment_of_it[:10]} {shown}"), f"{shown} ({day})", role)]


def _people(one: object, role: str) -> Iterator[Mention]:
    if isinstance(one, str):
        yield from person(one, role=role)
    elif isinstance(one, dict):
        name, address = _first(one, _NAME_KEYS), _first(one, _ADDRESS_KEYS)
        yield from person(name, address, role)


def _first(one: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        value = one.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""
