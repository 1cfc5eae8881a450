"""Hours of another zone on the user's clock: "3 pm London time" in New York is 10:00.

Only where it is sure which zone is meant: common abbreviations, and cities. Other words ("my time", "IST") leave the
day as it is, without an hour.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final

from consumer.understanding import dates
from consumer.understanding.statements import Answer, Commitment, Due, Request, Statement
from consumer.understanding.text import fold
from consumer.understanding.utterances import RecordText, Utterance
from renderers import grouping


def on_users_clock(statement: Statement, record: RecordText, zone: str) -> Statement:
    """The same statement, with the hour of its due date on the clock of the user's ``zone``."""
    if not isinstance(statement, Commitment | Request | Answer) or statement.due is None or statement.due.time:
        return statement
    if not any(map(str.isdigit, statement.due.words)):
        return statement
    numbers = {quote.utterance for quote in statement.quotes}
    quoted = (each for each in record.utterances if each.number in numbers and each.said_at[11:])
    moved = next((due for each in quoted if (due := _moved(statement.due, each, zone))), None)
    return replace(statement, due=moved) if moved else statement


def _moved(due: Due, utterance: Utterance, zone: str) -> Due | None:
    hour = dates.hour_elsewhere(due.words, utterance.language)
    other = _zone(hour.zone, zone) if hour else None
    if hour is None or other is None:
        return None
    moment = datetime.fromisoformat(f"{due.day} {hour.time}").replace(tzinfo=other)
    if hour.alone:  # of the day that it is there
        there = datetime.fromisoformat(utterance.said_at).astimezone(other)
        moment = moment.replace(year=there.year, month=there.month, day=there.day)
    try:
        here = moment.astimezone(grouping.zone(zone))
    except OverflowError:
        return None
    return due._replace(day=here.date().isoformat(), time=f"{here:%H:%M}", before=False)


def _zone(words: str, home: str) -> tzinfo | None:
    """The zone that words behind an hour mean: "utc+2", "(cet)", "london time", "heure de paris"; None if unsure."""
    text = " ".join(fold(words).strip(" ,()").split())
    if match := _OFFSET.fullmatch(text):
        hours, minutes = int(match["hours"] or 0), int(match["minutes"] or 0)
        shift = timedelta(hours=hours, minutes=minutes)
        return timezone(-shift if match["sign"] == "-" else shift) if shift < timedelta(days=1) else None
    american = _AMERICAN_NAME.fullmatch(text)
    if name := _AMERICAN.get(american[1] if american else text):
        # "EST" and "CST" are also zones of Australia and China.
        return None if home.startswith(("Australia/", "Asia/")) else grouping.zone(name)
    if text in _SHORT:
        return grouping.zone(_SHORT[text])
    named = _NAMED.fullmatch(text)
    return _of_city(next(filter(None, named.groups()))) if named else None


def is_city(name: str) -> bool:
    return _of_city(name) is not None


# Its names are words of mails, so only so many are kept.
@lru_cache(maxsize=256)
def _of_city(name: str) -> tzinfo | None:
    city = _CITIES.get(name, name)
    title = "_".join(part.capitalize() for part in city.split())
    for area in ("Europe", "America", "Asia", "Australia", "Africa", "Pacific", "Atlantic"):
        if grouping.zone_name(f"{area}/{title}") != "UTC":
            return grouping.zone(f"{area}/{title}")
    return None


_OFFSET: Final = re.compile(
    r"(?:utc|gmt|greenwich(?: mean)?(?: time)?)(?:\s?(?P<sign>[+-])\s?(?P<hours>\d{1,2})(?::(?P<minutes>[0-5]\d))?)?"
)
_AMERICAN: Final = {
    word: zone
    for words, zone in (
        ("et est edt eastern", "America/New_York"),
        ("ct cst cdt central", "America/Chicago"),
        ("mt mst mdt mountain", "America/Denver"),
        ("pt pst pdt pacific", "America/Los_Angeles"),
    )
    for word in words.split()
}
_AMERICAN_NAME: Final = re.compile(r"(eastern|central|mountain|pacific)(?: standard| daylight)? time")
#: In summer as in winter, people write "CET" for the hour of central Europe.
_SHORT: Final = {
    word: zone
    for words, zone in (
        ("cet cest mez mesz", "Europe/Berlin"),
        ("bst", "Europe/London"),
        ("jst", "Asia/Tokyo"),
        ("sgt", "Asia/Singapore"),
        ("hkt", "Asia/Hong_Kong"),
        ("msk", "Europe/Moscow"),
        ("aest", "Australia/Brisbane"),
    )
    for word in words.split()
}
_NAMED: Final = re.compile(
    r"([^\W\d_]+(?: [^\W\d_]+)?) time|(?:[^\W\d_]+ )?([^\W\d_]+)er zeit|heure (?:de |d')([^\W\d_]+)"
    r"|hora (?:de |del )([^\W\d_]+)|ora di ([^\W\d_]+)|([^\W\d_]+)se tijd"
)
#: Cities by other names than the database has, countries of one zone, and how German and Dutch adjectives begin.
_CITIES: Final = {
    word: city
    for words, city in (
        ("uk british england londra londres londen lond londoner", "london"),
        ("german germany deutsch berlino berlín berlijn berlim frankfurt munich münchen münchn hamburg köln", "berlin"),
        ("french france parigi parís parijs pariz paris", "paris"),
        ("spanish spain madri", "madrid"),
        ("italian italy roma rom röm milan milano", "rome"),
        ("dutch netherlands amsterdamm", "amsterdam"),
        ("swiss zürich zürch zurigo geneva genève ginebra genf", "zurich"),
        ("wien viena vienne austrian wenen", "vienna"),
        ("lisboa lisbona lisbonne lissabon lissabonn lissabonner portuguese", "lisbon"),
        ("bruxelles brüssel brussel bruselas bruxelas brüssler belgian", "brussels"),
        ("irish", "dublin"),
        ("moskau moskauer mosca moscú moscou moskou", "moscow"),
        ("kopenhagen copenhague", "copenhagen"),
        ("warschau varsovie varsavia polish", "warsaw"),
        ("athen atene atenas athènes athene greek", "athens"),
        ("japan japanese tokio tóquio", "tokyo"),
        ("nyc ny nova nueva new yorker boston", "new york"),
        ("la san francisco sf seattle california", "los angeles"),
        ("indian india mumbai delhi bangalore", "kolkata"),
        ("beijing", "shanghai"),
        ("singapur singapour", "singapore"),
    )
    for word in words.split()
}
