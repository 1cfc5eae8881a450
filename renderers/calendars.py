"""
Calendar entries among activity events: their times, people and state.

The export has no separate columns for start or attendees. Integrations write them as JSON into ``body``,
``summary`` or ``source_ref``, or as lines ("All day", "Attendees: ..."); the calendar's id is ``source_ref``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

from babel.core import get_global

from contract.event import utc_text
from renderers import fields, grouping

_SOURCES: Final = frozenset(
    (
        *("calendar", "google_calendar", "gcal", "googlecalendar", "outlook_calendar", "ical", "icloud_calendar"),
        *("caldav", "exchange_calendar", "apple_calendar", "calendly"),
    )
)
_STARTS: Final = ("start", "starts", "starts_at", "start_at", "start_time", "startTime", "startsAt", "dtstart", "when")
_ENDS: Final = ("end", "ends", "ends_at", "end_at", "end_time", "endTime", "endsAt", "dtend")
_ALL_DAY: Final = ("all_day", "allDay", "is_all_day", "isAllDay", "allday", "all-day")
_IDS: Final = ("calendar_event_id", "event_id", "eventId", "id", "iCalUID", "ical_uid", "uid")
_VERSIONS: Final = ("sequence", "version", "seq")
#: The fields with the zone in which an entry was planned; they come before those with the zone of its times.
_PLANNED_IN: Final = ("originalStartTimeZone", "original_start_time_zone", "original_start_timezone")
_ZONES: Final = ("timeZone", "time_zone", "timezone", "timeZoneId", "tzid", "tz")
_NESTED: Final = ("event", "calendar_event", "calendar", "entry")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_WHOLE_DAY: Final = re.compile(
    r"\ball[- ]day\b|\bganztägig\w*|toute la journée|journée entière|todo el día"
    r"|día completo|(?:dia inteiro|dia todo)|tutto il giorno|giornata intera|\bhele dag\b",
    re.IGNORECASE,
)
_OFF: Final = r"(?:cancel+ed|abgesagt|entfällt|annulée?|cancelad[oa]|anulad[oa]|annullat[oa]|geannuleerd|afgelast)"
_CANCELLED: Final = re.compile(rf"{_OFF}|deleted|removed|declined_by_organizer", re.IGNORECASE)
#: What a calendar writes before the title of an entry that is cancelled, and people also behind it.
_CANCELLED_TITLE: Final = re.compile(
    rf"\s*(?:[\[(]\s*{_OFF}\s*[\])]"
    rf"|{_OFF}(?:\s(?:event|meeting|invitation|appointment|termin|besprechung|événement|evento|riunione|afspraak))?"
    r"(?:\s?:|\s[-\u2013\u2014](?=\s)))\s*",
    re.IGNORECASE,
)
_CANCELLED_AFTER: Final = re.compile(rf"\s*(?:[\[(]\s*{_OFF}\s*[\])]|[-\u2013\u2014:]\s*{_OFF})\s*\Z", re.IGNORECASE)
#: When and for whom, as Google writes it behind the title of a cancelled entry.
_WHEN_AFTER: Final = re.compile(r"\s@\s.*\d.*\Z", re.DOTALL)
_CANCELLED_FLAGS: Final = (
    "cancelled",
    "canceled",
    "isCancelled",
    "isCanceled",
    "is_cancelled",
    "is_canceled",
    "deleted",
)
_LINE: Final = re.compile(r"\s*[-*]?\s*([A-Za-z][A-Za-z _-]{1,20}?)\s*:\s+(\S.*)")
_LABELS: Final = {
    "when": "start", "start": "start", "starts": "start", "end": "end", "ends": "end", "status": "status",
    "organizer": "organizer", "organiser": "organizer", "attendees": "attendees", "guests": "attendees",
    "participants": "attendees", "invitees": "attendees", "all day": "all_day", "all-day": "all_day",
}  # fmt: skip
#: A longer text does not hold an entry's details.
_LONGEST: Final = 60_000
_LINES: Final = 60


class CalendarEntry(NamedTuple):
    """``starts``, ``ends``: on the user's clock; only days for an all-day entry, the last one included; "" unknown.

    ``zone``: IANA name of the zone in which it was planned, if the local time there differs from the user's; else "".
    ``declined``: the user has said that they will not come.
    """

    key: str
    starts: str
    ends: str
    cancelled: bool
    organizer: Any
    attendees: Any
    version: int
    zone: str
    declined: bool = False


def is_entry(data: Mapping[str, Any]) -> bool:
    """Whether an activity event is an entry of a calendar."""
    source = data.get("source")
    return isinstance(source, str) and "event_type" in data and _word(source) in _SOURCES


def entry(data: Mapping[str, Any], timezone: str, updated_at: str = "") -> CalendarEntry | None:
    """The calendar entry in an activity event; None for any other event."""
    if not is_entry(data):
        return None
    details = _details(data)
    start = _first(details, _STARTS)
    end = _first(details, _ENDS)
    if not _readable(start):
        start = data.get("occurred_at")
    all_day = _is_all_day(data, details, start, end)
    return CalendarEntry(
        key=_key(data, details),
        starts=_day(start, timezone) if all_day else _local(_placed(start, details), timezone),
        ends=_last_day(start, end, timezone) if all_day else _local(_placed(end, details), timezone),
        cancelled=_is_cancelled(data, details),
        organizer=details.get("organizer"),
        attendees=_first(details, ("attendees", "participants", "guests", "invitees")),
        version=_version(data, details, updated_at),
        zone="" if all_day else _other_zone(start, details, timezone),
        declined=_is_declined(details),
    )


def _is_declined(details: Mapping[str, Any]) -> bool:
    """By the user's own response: Google marks their entry among the attendees, Outlook states it beside the entry."""
    attendees = details.get("attendees")
    own = [each for each in attendees if isinstance(each, Mapping)] if isinstance(attendees, list) else []
    responses = [each.get("responseStatus") for each in own if each.get("self") is True]
    for name in ("responseStatus", "response_status", "my_response", "self_response_status"):
        value = details.get(name)
        responses.append(value.get("response") if isinstance(value, Mapping) else value)
    return "declined" in responses


def whole_day(data: Mapping[str, Any], timezone: str) -> str:
    """The day of an all-day entry, independent of time zones; "" for anything else."""
    if not is_entry(data):
        return ""
    details = _details(data)
    start = _first(details, _STARTS)
    start = start if _readable(start) else data.get("occurred_at")
    return _day(start, timezone) if _is_all_day(data, details, start, _first(details, _ENDS)) else ""


def _details(data: Mapping[str, Any]) -> dict[str, Any]:
    """The entry's details from all places; the most reliable place wins."""
    details: dict[str, Any] = {}
    for holder in _holders(data):
        for name, value in holder.items():
            if value not in (None, ""):
                details.setdefault(name, value)
    return details


def _holders(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield {
        name: value
        for name, value in data.items()
        if name in (*_STARTS, *_ENDS, *_ALL_DAY, "attendees", "organizer", "status")
    }
    for name in ("body", "summary", "source_ref"):
        value = data.get(name)
        if isinstance(value, str) and len(value) <= _LONGEST:
            value = _read(value)
        if isinstance(value, Mapping):
            yield value
            yield from (value[key] for key in _NESTED if isinstance(value.get(key), Mapping))


def _read(text: str) -> object:
    if text.lstrip()[:1] == "{":
        return _parsed(text)
    return _from_icalendar(text) if "BEGIN:VEVENT" in text else _from_lines(text)


def _from_icalendar(text: str) -> dict[str, Any]:
    """The first entry of a calendar's file (RFC 5545)."""
    event = _FOLD.sub("", text).partition("BEGIN:VEVENT")[2].partition("END:VEVENT")[0]
    details: dict[str, Any] = {"attendees": []}
    for match in _PROPERTY.finditer(event):
        name, parameters, value = match["name"].upper(), match["parameters"], match["value"].strip()
        moment = _ICAL_TIME.fullmatch(value) if name in ("DTSTART", "DTEND") else None
        if moment and moment["clock"]:
            zone = _TZID.search(parameters)
            clock = f"{moment['h']}:{moment['m']}:{moment['s']}{moment['z'] or ''}"
            details[name.lower()] = {
                "dateTime": f"{moment['year']}-{moment['month']}-{moment['day']}T{clock}",
                **({"timeZone": zone[1]} if zone else {}),
            }
        elif moment:
            details[name.lower()] = {"date": f"{moment['year']}-{moment['month']}-{moment['day']}"}
        elif name in ("ATTENDEE", "ORGANIZER"):
            address = re.sub(r"^mailto:", "", value, flags=re.IGNORECASE)
            if name == "ATTENDEE":
                details["attendees"].append(address)
            else:
                details["organizer"] = address
        elif name in ("STATUS", "SEQUENCE", "UID"):
            details[name.lower()] = value
    return details


_FOLD: Final = re.compile(r"\r?\n[ \t]")
_PROPERTY: Final = re.compile(r"^(?P<name>[A-Za-z-]{2,40})(?P<parameters>(?:;[^:\n]*)?):(?P<value>.*)$", re.MULTILINE)
_ICAL_TIME: Final = re.compile(
    r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)(?P<clock>T(?P<h>\d\d)(?P<m>\d\d)(?P<s>\d\d)(?P<z>Z?))?"
)
_TZID: Final = re.compile(r"TZID=\"?([^;:\"]+)")


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _from_lines(text: str) -> dict[str, Any]:
    details: dict[str, Any] = {}
    for line in text.split("\n")[:_LINES]:
        match = _LINE.fullmatch(line) if len(line) < 2000 else None
        label = _LABELS.get(match[1].casefold()) if match else None
        if match and label:
            value = match[2].strip()
            if label == "all_day":
                details[label] = value.casefold() in ("yes", "true", "ja", "oui", "sí", "si", "sim")
            elif label not in ("start", "end") or _readable(value):
                details.setdefault(label, value)
        elif len(line) < 80 and _WHOLE_DAY.search(line):
            details["all_day"] = True
    return details


def _is_all_day(data: Mapping[str, Any], details: Mapping[str, Any], start: object, end: object) -> bool:
    stated = _first(details, _ALL_DAY)
    if stated is not None:
        return stated in (True, 1) or (isinstance(stated, str) and stated.casefold() in ("true", "yes", "1"))
    if _date_of(start):
        return True
    kind = _word(fields.text(data, "event_type"))
    if "all_day" in kind or "allday" in kind:
        return True
    if any(_WHOLE_DAY.search(fields.text(data, name)[:200]) for name in ("title", "summary")) and _midnight(start):
        return True
    first, last = _moment(start), _moment(end)
    return bool(first and last and last > first and _midnight(start) and _midnight(end))


def _is_cancelled(data: Mapping[str, Any], details: Mapping[str, Any]) -> bool:
    status = details.get("status")
    if isinstance(status, str) and _CANCELLED.search(status[:60]):
        return True
    return bool(
        any(details.get(name) is True for name in _CANCELLED_FLAGS)
        or _CANCELLED.search(fields.text(data, "event_type")[:60])
        or plain_title(title := fields.text(data, "title")) != title
    )


def plain_title(title: str) -> str:
    """A title without what says that its entry is cancelled: "Canceled: Board review", "Board review (abgesagt)"."""
    before = _CANCELLED_TITLE.match(title)
    after = _CANCELLED_AFTER.search(title[-80:])
    if before is None and after is None:
        return title
    plain = title[: len(title) - len(after[0])] if after else title
    plain = _WHEN_AFTER.sub("", plain[before.end() :]) if before else plain
    return plain.strip() or title


def _key(data: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    reference = data.get("source_ref")
    if isinstance(reference, str) and reference.strip() and not reference.lstrip().startswith(("{", "[")):
        return reference.strip()[:500]
    value = _first(details, _IDS)
    return value.strip()[:500] if isinstance(value, str) else ""


def _version(data: Mapping[str, Any], details: Mapping[str, Any], updated_at: str) -> int:
    for value in (data.get("external_seq"), _first(details, _VERSIONS)):
        if isinstance(value, str) and re.fullmatch(r"\d{1,18}", value):
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
            return value
    moment = fields.moment(updated_at)
    return int(moment.timestamp() * 1000) if moment else 0


def _first(details: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((details[name] for name in names if name in details), None)


def _flat(value: object) -> object:
    """``{"dateTime": ...}`` and ``{"date": ...}`` as calendars write them -> the text."""
    if isinstance(value, Mapping):
        return value.get("dateTime") or value.get("date_time") or value.get("date")
    return value


def _date_of(value: object) -> str:
    """A text that is a day alone; "" for all else."""
    value = _flat(value)
    if not isinstance(value, str) or not _DATE.fullmatch(value.strip()):
        return ""
    try:
        return date.fromisoformat(value.strip()).isoformat()
    except ValueError:
        return ""


def _moment(value: object) -> datetime | None:
    flat = _flat(value)
    return fields.moment(flat.strip()) if isinstance(flat, str) else None


def _readable(value: object) -> bool:
    return _moment(value) is not None


def _midnight(value: object) -> bool:
    moment = _moment(value)
    return moment is not None and (moment.hour, moment.minute, moment.second) == (0, 0, 0)


def _placed(value: object, details: Mapping[str, Any]) -> object:
    """A time without an offset is in the zone that the entry names, if it names one."""
    flat = _flat(value)
    name = _first(value, _ZONES) if isinstance(value, Mapping) else None
    zone = grouping.zone(_iana(name or _first(details, _ZONES)))
    try:
        naive = datetime.fromisoformat(flat.strip()) if isinstance(flat, str) else None
    except ValueError:
        return value
    return value if naive is None or naive.tzinfo else naive.replace(tzinfo=zone).isoformat()


def _other_zone(start: object, details: Mapping[str, Any], timezone: str) -> str:
    own = _first(start, _ZONES) if isinstance(start, Mapping) else None
    several = map(_iana, (_first(details, _PLANNED_IN), own, _first(details, _ZONES)))
    # Programs write UTC; it names no place.
    name = next((name for name in several if "/" in name and not name.startswith("Etc/")), "")
    begins = _moment(_placed(start, details))
    if not name or begins is None:
        return ""
    try:
        there, here = (begins.astimezone(grouping.zone(zone)) for zone in (name, timezone))
    except OverflowError:
        return ""
    return name if there.utcoffset() != here.utcoffset() else ""


def _iana(name: object) -> str:
    """The IANA name of a zone, also for a Windows zone name; "UTC" if there is none."""
    if not isinstance(name, str):
        return "UTC"
    known = grouping.zone_name(name.strip())
    return known if known != "UTC" else str(get_global("windows_zone_mapping").get(name.strip(), "UTC"))


def _local(value: object, timezone: str) -> str:
    moment = _moment(value)
    return grouping.local(utc_text(moment), timezone) if moment else ""


def _day(value: object, timezone: str) -> str:
    """The day of an all-day start: as written, or of midnight in UTC, or of the user's clock."""
    if stated := _date_of(value):
        return stated
    moment = _moment(value)
    if moment is None:
        return ""
    return moment.astimezone(UTC).date().isoformat() if _midnight(value) else _local(value, timezone)[:10]


def _last_day(start: object, end: object, timezone: str) -> str:
    """The last day of an all-day entry. Calendars write the day after it."""
    first, after = _day(start, timezone), _day(end, timezone)
    if not after or after <= first:
        return first
    return (date.fromisoformat(after) - timedelta(days=1)).isoformat()


def _word(text: str) -> str:
    return text.strip().casefold().replace(" ", "_").replace("-", "_")
