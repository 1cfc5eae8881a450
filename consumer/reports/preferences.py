"""In which language a user reads their reports, and when their morning begins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

from consumer.reports import phrases
from consumer.understanding.people import USER, Directory, conversation
from consumer.understanding.statements import Reading

MORNING: Final = time(7)
#: From the morning on; the rest of the day is the user's night.
DAY_LONG: Final = timedelta(hours=14)
EARLY: Final = timedelta(hours=1)
#: As many of the user's own records in one language say that it is theirs; fewer say nothing.
OWN_RECORDS: Final = 3
_LANGUAGE: Final = re.compile(r"^([A-Za-z]{2})(?:[-_.].*)?$")
_TIME: Final = re.compile(r"^([01]?\d|2[0-3])(?::([0-5]\d))?$")


class ReaderPreferences(NamedTuple):
    """``language``: ISO 639-1, one that has phrases. ``morning``: on the user's clock."""

    language: str = phrases.DEFAULT
    morning: time = MORNING

    def is_night(self, clock: time) -> bool:
        """Whether it is the user's night, in which nothing that only time brings is told: from 14 hours after their
        morning to the next morning, so by default from 21:00 to 7:00.
        """
        evening = (datetime.combine(date.min, self.morning) + DAY_LONG).time()
        if self.morning < evening:
            return not self.morning <= clock < evening
        return evening <= clock < self.morning

    def is_early(self, clock: time) -> bool:
        """Whether the morning's digest comes too late to tell what begins then: in the night, or soon after it."""
        until = (datetime.combine(date.min, self.morning) + EARLY).time()
        return self.is_night(clock) or self.morning <= clock < until


def of(profiles: Iterable[Mapping[str, Any]], readings: Iterable[Reading], directory: Directory) -> ReaderPreferences:
    """What the user's profile says (``preferences.locale``, ``preferences.morning_hour``); where it names no language
    that has phrases, the language of most of what the user says or writes.
    """
    language, morning = "", MORNING
    for profile in profiles:
        preferences = profile.get("preferences")
        if isinstance(preferences, Mapping):
            language = language or _language(preferences.get("locale"))
            morning = _time(preferences.get("morning_hour")) or morning
    return ReaderPreferences(language or _spoken(readings, directory) or phrases.DEFAULT, morning)


def _language(locale: Any) -> str:
    match = _LANGUAGE.match(locale) if isinstance(locale, str) else None
    code = match[1].lower() if match else ""
    return code if code in phrases.BY_LANGUAGE else ""


def _time(value: Any) -> time | None:
    match = _TIME.match(str(value)) if isinstance(value, int | str) and not isinstance(value, bool) else None
    return time(int(match[1]), int(match[2] or 0)) if match else None


def _spoken(readings: Iterable[Reading], directory: Directory) -> str:
    languages: Counter[str] = Counter()
    for reading in readings:
        if reading.language in phrases.BY_LANGUAGE:
            talk = conversation(reading)
            if any(directory.who(author, talk) == USER for author, _, _ in reading.cited.values()):
                languages[reading.language] += 1
    best = min(languages, key=lambda code: (-languages[code], code), default="")
    return best if languages[best] >= OWN_RECORDS else ""
