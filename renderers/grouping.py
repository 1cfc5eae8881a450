"""
Which page a record belongs on: a pure function of the record, its source's page rule and the user's time zone.

The answer is a page stem below ``brain/``. Days are local days; zone rules come from the packaged tz database, so that
the machine's own zone files do not matter.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

from contract.manifest import SourceEntry
from renderers import markdown as md
from renderers.base import UNDATED, Item

_ZONE_NAME = re.compile(r"^[A-Za-z0-9_+\-]+(/[A-Za-z0-9_+\-]+){0,2}$")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
#: A value that looks like the suffix of a part (splitting.part_path) must not be taken for one.
_PART_LIKE = re.compile(r"(^|-)part-\d+$")


@cache
def zone(name: str) -> tzinfo:
    """The time zone of this IANA name; UTC for a name the tz database does not have."""
    try:
        return ZoneInfo.from_file(BytesIO(zone_file(name)), key=name)
    except ValueError:  # none of this name, or zone.tab and its like, which lie in the same folder
        return UTC


@cache
def rules(name: str) -> str:
    """A digest of the zone's rules: another release of the tz database may tell another day for the same moment."""
    return hashlib.sha256(zone_file(zone_name(name))).hexdigest()


def zone_file(name: str) -> bytes:
    """The zone's file in the packaged tz database; empty when there is none."""
    if not _ZONE_NAME.match(name):
        return b""
    place = resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))
    return place.read_bytes() if place.is_file() else b""


def zone_name(name: str) -> str:
    """The name if the tz database has it, else UTC."""
    return name if zone(name) is not UTC else "UTC"


def local(moment: str, timezone: str) -> str:
    """RFC 3339 -> ``2026-11-27 09:03 -05:00``: the user's wall clock, with the offset that makes it one instant."""
    there = _there(datetime.fromisoformat(moment), timezone).isoformat(" ", "minutes")
    return f"{there[:16]} {there[16:22]}"


def own_day(data: Mapping[str, Any], entry: SourceEntry) -> str:
    """The day that the record itself names, where its source's rule says in which field; "" for none."""
    value = data.get(entry.page.day) if entry.page.day else None
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return ""
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        return ""


def span(item: Item, entry: SourceEntry) -> str:
    """The local day or ISO week that a grouped record belongs to: ``2026-11-27``, ``2026-w48`` or ``undated``."""
    if entry.page.grouping != "week" or item.day == UNDATED:
        return item.day
    year, week, _ = date.fromisoformat(item.day).isocalendar()
    return f"{year:04d}-w{week:02d}"


def stem(item: Item, entry: SourceEntry, title: str, chars: int) -> str:
    """The page stem of a record, e.g. ``sources/cloop/checklist-items/2026-11-27``; ``chars``: how long its text is."""
    folder = entry.gbrain_mapping.removeprefix("brain/").rstrip("/")
    least = entry.page.own_page_min_chars
    if entry.page.grouping == "artifact" or (least is not None and chars >= least):
        return f"{folder}/{_artifact(item, title)}"
    if entry.page.grouping == "single":
        return f"{folder}/all"
    return "/".join((folder, "-".join((span(item, entry), *_parts(item, entry)))))


def is_artifact(item: Item, entry: SourceEntry, page_stem: str) -> bool:
    """Whether this stem is the record's own page."""
    if entry.page.grouping == "artifact":
        return True
    return entry.page.own_page_min_chars is not None and page_stem.endswith("-" + _digest(item))


def _artifact(item: Item, title: str) -> str:
    return "-".join(part for part in (item.day, md.slug(title), _digest(item)) if part)


def _digest(item: Item) -> str:
    return mark(item.source_key, item.record_id)


def mark(source_key: str, record_id: str) -> str:
    """12 signs that stand for this record and no other: the name of its own page and its anchor on others end in it.

    A purge finds by it whatever names the record; a new rule here needs the old mark to be looked for too.
    """
    return md.short_digest(source_key, record_id)


def _parts(item: Item, entry: SourceEntry) -> Sequence[str]:
    names = (*(("channel",) if entry.page.grouping == "channel_day" else ()), *entry.page.by)
    return [_value(item.data.get(name)) for name in names]


def _value(value: object) -> str:
    """A name for a channel, a thread or an event's source that no other value shares."""
    text = "" if value is None else str(value)
    plain = md.slug(text, 24)
    if plain and plain == text and not _PART_LIKE.search(plain) and len(plain) < 12 and "-" not in plain:
        return plain
    return "-".join(part for part in (plain, md.short_digest(text)) if part)


def _there(moment: datetime, timezone: str) -> datetime:
    """The moment on the user's clock; in UTC at the edge of the years there are, where that clock shows none."""
    try:
        return moment.astimezone(zone(timezone))
    except OverflowError:
        return moment.astimezone(UTC)
