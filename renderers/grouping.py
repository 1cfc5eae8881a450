"""
Chooses a record's page: a pure function of the record, its source's page rule and the user's time zone.

The result is a page stem below ``brain/``. Days are local days; zone rules come from the packaged tz database, not from
the machine's zone files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Any, Final
from zoneinfo import ZoneInfo

from contract.manifest import SourceEntry
from renderers import markdown as md
from renderers.base import UNDATED, Item

#: No longer than the file system's names may be.
_ZONE_NAME = re.compile(r"[A-Za-z0-9_+\-]{1,60}(/[A-Za-z0-9_+\-]{1,60}){0,2}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
#: Characters from which a record has its own page whatever the rule of its source: a group's page is split between
#: records only, so that all of a record stands under its anchor.
LONG_RECORD: Final = 20_000
#: A value that looks like the suffix of a part (splitting.part_path) must not be read as one.
_PART_LIKE = re.compile(r"(^|-)part-\d+$")


@cache
def zone(name: str) -> tzinfo:
    """The time zone with this IANA name; UTC if the tz database lacks it."""
    try:
        return ZoneInfo.from_file(BytesIO(zone_file(name)), key=name)
    except ValueError:  # no such zone, or a file like zone.tab in the same folder
        return UTC


@cache
def rules(name: str) -> str:
    """A digest of the zone's rules: with another tz release the same time may fall on another day."""
    return hashlib.sha256(zone_file(zone_name(name))).hexdigest()


def zone_file(name: str) -> bytes:
    """The zone's file in the packaged tz database; empty if there is none."""
    if not _ZONE_NAME.fullmatch(name):
        return b""
    place = resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))
    return place.read_bytes() if place.is_file() else b""


def zone_name(name: str) -> str:
    """The name if the tz database has it, else UTC."""
    return name if zone(name) is not UTC else "UTC"


@cache
def country(name: str) -> str:
    """The country of a zone as ISO 3166 has it (``US`` for ``America/New_York``); "" for zones of no single country."""
    table = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("ascii")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return next((row[0] for row in rows if row[2] == name), "")


def local(moment: str, timezone: str) -> str:
    """RFC 3339 -> ``2026-11-27 09:03 -05:00``: the user's local time with its offset from UTC."""
    local_time = _on_user_clock(datetime.fromisoformat(moment), timezone).isoformat(" ", "minutes")
    return f"{local_time[:16]} {local_time[16:22]}"


def own_day(data: Mapping[str, Any], entry: SourceEntry) -> str:
    """The day in the record's own date field, if its source's page rule names one; "" for none."""
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
    """The page stem of a record, e.g. ``sources/cloop/checklist-items/2026-11-27``; ``chars``: its text's length."""
    folder = entry.gbrain_mapping.removeprefix("brain/").rstrip("/")
    threshold = entry.page.own_page_min_chars
    longest = LONG_RECORD if threshold is None else min(threshold, LONG_RECORD)
    if entry.page.grouping == "artifact" or chars >= longest:
        return f"{folder}/{_artifact(item, title)}"
    if entry.page.grouping == "single":
        return f"{folder}/all"
    return "/".join((folder, "-".join((span(item, entry), *_parts(item, entry)))))


def is_artifact(entry: SourceEntry, page_stem: str, record_mark: str) -> bool:
    """Whether this stem is the own page of the record with this mark."""
    return entry.page.grouping == "artifact" or page_stem.endswith("-" + record_mark)


def _artifact(item: Item, title: str) -> str:
    return "-".join(part for part in (item.day, md.slug(title), _digest(item)) if part)


def _digest(item: Item) -> str:
    return mark(item.source_key, item.record_id)


def mark(source_key: str, record_id: str) -> str:
    """12 characters that identify this record; the name of its own page and its anchors on others end in them.

    A purge finds everything that names the record by it. If the rule changes, a purge must also search for old marks.
    """
    return md.short_digest(source_key, record_id)


def _parts(item: Item, entry: SourceEntry) -> Sequence[str]:
    names = (*(("channel",) if entry.page.grouping == "channel_day" else ()), *entry.page.by)
    return [_value(item.data.get(name)) for name in names]


def _value(value: object) -> str:
    """A unique name for a channel, a thread or an event's source."""
    text = "" if value is None else str(value)
    plain = md.slug(text, 24)
    if plain and plain == text and not _PART_LIKE.search(plain) and len(plain) < 12 and "-" not in plain:
        return plain
    return "-".join(part for part in (plain, md.short_digest(text)) if part)


def _on_user_clock(moment: datetime, timezone: str) -> datetime:
    """The time on the user's clock; in UTC if the local time would leave the supported years."""
    try:
        return moment.astimezone(zone(timezone))
    except OverflowError:
        return moment.astimezone(UTC)
