"""
Words of dates, in seven languages, as days.

Every day is a day in the zone of the user: callers give the day on which something was said, and get days
back. What can
be read in two ways ("03/04/2026" where nobody says which comes first) is no date.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from consumer.understanding import languages, namedays, numerals
from consumer.understanding.calendardays import months_later, nearest, next_of_month, valid
from consumer.understanding.languages import DateWords, Words
from consumer.understanding.languages.words import HOUR
from consumer.understanding.statements import Due, DueBasis
from consumer.understanding.text import fold

#: "End of the week" is the end of the working week.
FRIDAY: Final = 4
#: Regions that write the month first in English; the rest of the world writes the day first.
MONTH_FIRST: Final = frozenset({"US", "PH", "FM", "GU", "PR", "VI", "AS", "MH", "PW"})
DAY_FIRST: Final = frozenset(
    {
        "GB",
        "UK",
        "IE",
        "AU",
        "NZ",
        "IN",
        "ZA",
        "SG",
        "MT",
        "HK",
        "NG",
        "KE",
        "DE",
        "FR",
        "ES",
        "PT",
        "BR",
        "IT",
        "NL",
        "BE",
        "AT",
        "CH",
        "PL",
        "SE",
        "NO",
        "DK",
        "FI",
    }
)
Role = Literal["by", "on", "bare", "of", "never"]
_YEAR: Final = r"(?:2[0-9]{3}|19[0-9]{2})"
_ISO: Final = (
    rf"(?P<iso>{_YEAR}(?P<isosep>[-/.])[01]?\d(?P=isosep)[0-3]?\d)(?![\d]|[-/.]\d)(?:t(?P<isotime>\d\d:\d\d)\S*)?"
)
_NUMERIC: Final = rf"(?P<n1>\d{{1,2}})(?P<sep>[./-])(?P<n2>\d{{1,2}})(?P=sep)(?P<ny>{_YEAR}|\d{{2}})(?!\d)"
_LETTERS: Final = re.compile(r"[^\W\d_]+")


class Found(NamedTuple):
    """A date in a text: where its words stand, and how they stand there.

    ``due`` is None for words of a date that are nobody's day to come: "yesterday", "good morning".
    """

    due: Due | None
    start: int
    end: int
    role: Role
    #: Whether an "or" or an "and" is right before it.
    after_or: bool = False
    #: Whether it is a named period, without words that mean its end: "in October".
    starts: bool = False
    #: Whether it corrects the one before it: "on Monday, no, Tuesday".
    corrects: bool = False
    #: Whether it has an hour of another zone, which is left out: "11:00 (CDT)".
    elsewhere: bool = False


class _Hit(NamedTuple):
    start: int
    end: int
    day: date | None
    time: str
    basis: DueBasis
    weekday: bool = False
    #: Days that it lies ahead of the day on which it is said, where it counts days or weeks.
    ahead: int = 0
    #: The first day of a named period: "next week", "December".
    starts: date | None = None
    #: Whether its hour is one of another zone, so that it is nobody's here: "15:00 UTC".
    elsewhere: bool = False


def find(text: str, said_on: date, language: str, region: str = "") -> tuple[tuple[Due, int, int], ...]:
    """(due, start, end) of every day and time that the text names, in order; past and excluded ones are left out."""
    return tuple(
        (hit.due, hit.start, hit.end)
        for hit in scan(text, said_on, language, region)
        if hit.due and hit.role != "never"
    )


def resolve(words: str, said_on: date, language: str, region: str = "") -> Due | None:
    """The day that the words of one date mean, as somebody said them on that day; None if they are not one date."""
    hits = [hit for hit in scan(words, said_on, language, region) if hit.due]
    if len(hits) != 1:
        return None
    due = hits[0].due
    return due._replace(words=words) if due else None


#: English, behind what is promised; not "8 in the morning", and not "this am".
_IN_THE_MORNING: Final = re.compile(
    r"(?<!\d )(?<!o'clock )\b(?:first thing )?in (?:the )?(?:morning\b|am\b|a\.m\.)", re.IGNORECASE
)
#: Before this hour the morning of the same day is meant, and from that one on the next.
_NIGHT_ENDS: Final = 4
_NOON: Final = 12


def ahead(due: Due, said_at: str) -> Due:
    """The same, with an hour of the evening for one that is over today: "at 8", said at noon, is 20:00."""
    is_over = bool(due.time) and due.day == said_at[:10] and due.time < min(said_at[11:16], f"{_NOON}:00")
    if not is_over or _OF_MORNING.search(due.words):
        return due
    return due._replace(time=f"{int(due.time[:2]) + _NOON:02}{due.time[2:]}")


_OF_MORNING: Final = re.compile(r"\b[ap]\.?m\b|morning", re.IGNORECASE)


def next_morning(text: str, said_at: str) -> Due | None:
    """The day of "I'll send it in the morning", said in the afternoon or at night; None in the morning itself.

    ``said_at``: ``2026-11-27 21:03 -05:00``.
    """
    match = _IN_THE_MORNING.search(text)
    clock = re.match(r"(\d{4}-\d\d-\d\d) (\d\d):", said_at)
    if match is None or clock is None or _NIGHT_ENDS <= int(clock[2]) < _NOON:
        return None
    day = date.fromisoformat(clock[1]) + timedelta(days=int(clock[2]) >= _NOON)
    return Due(day.isoformat(), "", match[0], "relative")


def choose(hits: Iterable[Found], said_on: date, start: int, end: int) -> Found | None:
    """Of the dates between two places the one by which something is due, one after "by" before one after "on";
    never one before ``said_on``.
    """
    several = [hit for hit in hits if hit.due and start <= hit.start < end]
    inside = [hit for hit in several if hit.due and hit.due.day >= said_on.isoformat()]
    for roles in (("by",), ("on", "bare")):
        for number, hit in enumerate(inside):
            following = inside[number + 1] if number + 1 < len(inside) else None
            # "El martes, no el lunes" takes nothing back.
            corrected = following is not None and following.corrects and following.role != "never"
            if hit.role in roles and not corrected:
                best = _last_of_choice(hit, inside[number + 1 :])
                return None if _is_hour_of_another(best, several, said_on) else best
    return None


def _is_hour_of_another(hit: Found, several: Iterable[Found], said_on: date) -> bool:
    """ "9:00 to 14:00 with Ann on 5 September": a bare hour is not today's if its sentence names another day."""
    today = said_on.isoformat()
    if not (hit.due and hit.due.time and hit.due.day == today and hit.due.words[:1].isdigit()):
        return False
    return any(
        each.due and each.due.day != today and not each.due.time and each.role in ("on", "bare", "by")
        for each in several
    )


def _last_of_choice(hit: Found, later: Sequence[Found]) -> Found:
    """ "Today or Monday", "tonight and tomorrow": what is due on two days is late after the second."""
    for other in later:
        if not (other.after_or and hit.end < other.start <= hit.end + _CHOICE):
            break
        hit = other if other.due and hit.due and other.due.day > hit.due.day else hit
    return hit


class HourElsewhere(NamedTuple):
    """``time``: on the clock of the zone that ``zone`` names, as written; ``alone``: without a day."""

    time: str
    zone: str
    alone: bool


def hour_elsewhere(words: str, language: str) -> HourElsewhere | None:
    """The hour of another zone among the words of a date: "Monday, 3 pm London time"; None for none."""
    table, folded = languages.get(language), fold(words)
    for code in [table.code] if table else languages.LANGUAGES:
        lang, tables = languages.LANGUAGES[code], _tables(code)
        for match in tables.time.finditer(folded):
            plain = match["short"] and not words[match.start("short") : match.end("short")].isupper()
            if match["zone"] and not plain and (time := _time(match, lang)):
                hit = _Hit(match.start(), match.start("zone"), None, time, "relative")
                time = _in_its_half(hit, folded[: match.start("zone")], tables, lang.dates).time or time
                rest = folded[: match.start()] + folded[match.end() :]
                return HourElsewhere(time, match["zone"], not tables.date.search(rest))
    return None


# The rules read the dates of a sentence, and the checks read those of what it quotes once more.
@lru_cache(maxsize=128)
def scan(text: str, said_on: date, language: str, region: str = "") -> tuple[Found, ...]:
    """All words of dates and times of a text, with those that mean no day to come."""
    words = languages.get(language)
    if words is None:
        return ()
    folded = fold(text)
    return tuple(_scan(text, folded, said_on, words, region))


def _scan(text: str, folded: str, said_on: date, words: Words, region: str) -> Iterable[Found]:
    tables = _tables(words.code)
    hits = [hit for match in tables.date.finditer(folded) if (hit := _hit(match, said_on, words, region, text))]
    hits = _with_named(hits, folded, said_on, words.code)
    hits = _numbered(_joined(hits, folded, words.dates), text, folded, said_on, words)
    hits = _swallow(hits, folded, tables)
    hits = _timed(hits, _times(text, folded, said_on, tables, words), folded, words.dates)
    previous = 0
    for hit in (_in_its_half(hit, folded, tables, words.dates) for hit in hits):
        hit = hit._replace(time="") if hit.elsewhere else hit  # noqa: PLW2901 - the same one, without its hour
        role, is_before = _role(folded, hit, words)
        named = is_before and not hit.elsewhere
        ends_before = _first_day_after(hit, folded, said_on, words.dates, tables) if named else None
        due = Due(hit.day.isoformat(), hit.time, text[hit.start : hit.end], hit.basis) if hit.day else None
        if due and ends_before:
            due = due._replace(day=ends_before.isoformat(), before=True)
        yield Found(
            due,
            hit.start,
            hit.end,
            role,
            _OR.search(folded, max(0, hit.start - _CHOICE), hit.start) is not None,
            bool(hit.starts),
            bool(previous) and _CORRECTION.fullmatch(folded, previous, hit.start) is not None,
            hit.elsewhere,
        )
        previous = hit.end


def _with_named(hits: list[_Hit], folded: str, said_on: date, code: str) -> list[_Hit]:
    """The same hits, with days by another name in place of what they cover, and weeks that a day names."""
    named = [
        _Hit(each.start, each.end, each.day, "", each.basis, starts=each.starts)
        for each in namedays.find(folded, said_on, code)
    ]
    if named:
        hits = [hit for hit in hits if not any(hit.start < each.end and each.start < hit.end for each in named)]
    made = sorted([*hits, *named])
    for number, hit in enumerate(made):
        begin = namedays.week_of(folded, hit.start, code) if hit.day and hit.basis == "stated" else -1
        if begin >= 0 and hit.day:
            monday = _monday(hit.day)
            made[number] = hit._replace(start=begin, day=_add(monday, FRIDAY), basis="period", starts=monday)
    return made


#: The "or" or "and" between two days, with a preposition; and how many characters may be between the days.
_OR: Final = re.compile(r"(?<!\w)(?:or|oder|ou|o|u|of|oppure|and|und|et|y|e|en)\s+(?:\w+\s+){0,2}$")
_CHOICE: Final = 16


#: Between a day and the one that was meant: "Monday, no wait, Tuesday".
_CORRECTION: Final = re.compile(
    r"(?=.{0,40}\Z)[\s,.(\u2013\u2014-]*(?:ah?,? |oh?,? |äh,? |pardon,? |sorry,? )?"
    r"(?:no|actually|i mean|sorry|make (?:that|it)|scratch that|correction|rather|or rather"
    r"|nein|ich meine|vielmehr|besser gesagt|quatsch|korrektur|non|pardon|plut[oô]t|je veux dire|enfin"
    r"|perd[oó]n|mejor dicho|quiero decir|digo|não|nao|quer dizer|ali[aá]s|melhor dizendo"
    r"|anzi|volevo dire|scusa|cio[eè] no|nee|ik bedoel|correctie|of beter|of liever)\b"
    r"(?:[\s,.\u2013\u2014-]+(?:wait|sorry|rather|actually|i mean|make (?:that|it)|warte|doch|stimmt nicht|sondern"
    r"|attends|plut[oô]t|espera|perd[oó]n|mejor|melhor|desculpa|aspetta|scusa|meglio|wacht|toch|ik bedoel))*"
    r"[\s,.:\u2013\u2014-]+(?:[a-z']{1,4}\s+){0,2}"
)


def _first_day_after(hit: _Hit, folded: str, said_on: date, dates: DateWords, tables: _Tables) -> date | None:
    """The day that "before Friday" and "before next week" name. A loop that is due before this day is late when the day
    begins.

    None if the words name an hour, a part of a day or an end ("before the end of the month"): it is due by that time.
    """
    parts = dates.evenings | dates.afternoons | _last_words(dates.mornings)
    if hit.time or not parts.isdisjoint(re.split(r"[\W_]+", _parted(folded[hit.start : hit.end], tables))):
        return None
    day = hit.starts if hit.basis == "period" else hit.day
    return day if day and day > said_on else None


# --- the expressions ---------------------------------------------------------------------------------------------


#: Half an hour after, or before, the hour that is named.
_HALF_HOURS: Final[Mapping[str, tuple[str, int]]] = {
    "en": (r"half past {}", 0),
    "de": (r"halb {}", -1),
    "fr": (r"{}\s*h(?:eures?)? et demie", 0),
    "es": (r"las? {} y media", 0),
    "pt": (r"{} e meia", 0),
    "it": (r"{} e mezz[ao]", 0),
    "nl": (r"half {}", -1),
}
#: Behind an hour: whose it is. Nothing here converts it, so that a day remains without an hour.
_ZONE: Final = (
    r"[\s,]*[(]?(?:"
    r"(?P<short>utc|gmt|cet|cest|mez|mesz|bst|ist|jst|aest|aedt|[ecmp][sd]?t|msk|sgt|hkt)(?:\s?[+-]\s?\d{1,2}(?::\d\d)?)?"
    r"|(?:pacific|eastern|central|mountain|greenwich)(?: (?:standard |daylight )?time)?"
    r"|(?:my|your|our|his|her|their|local|(?:(?!(?:start|end|closing|opening|show|dinner|lunch|kick|game|part|full|"
    r"run|check|arrival|departure|due|meeting|boarding|flight|real|good|any|at|this|that|the|same|one|some)\b)"
    r"[^\W\d_]+(?: [^\W\d_]+)?)) time"
    r"|(?:(?!in\b)[^\W\d_]+ )?(?!(?:kurzer|langer|letzter|nächster|dieser|einiger|früher)\b)[^\W\d_]+er zeit"
    r"|heure (?:de |d')(?!pointe|fin|début|départ)[^\W\d_]+|hora (?:de |del )(?!comer|cenar|salida|inicio|cierre|fim)"
    r"[^\W\d_]+|ora di (?!pranzo|cena|punta)[^\W\d_]+|[^\W\d_]+se tijd)[)]?(?!\w)"
)


@cache
def half_hour(code: str) -> tuple[str, int]:
    """An expression for half an hour, with its hour as the group ``half``; and the hours to add to it."""
    form, shift = _HALF_HOURS[code]
    hours = "|".join([*sorted(numerals.up_to_twenty(code), key=len, reverse=True), "1[0-2]|[1-9]"])
    return form.replace(" ", r"\s+").format(f"(?P<half>{hours})"), shift


def _parted(folded: str, tables: _Tables) -> str:
    """ "Dienstagabend" in two words."""
    return tables.day_and_part.sub(r"\1 \2", tables.day_and_morning.sub(r"\1 morgens", folded))


class _Tables(NamedTuple):
    date: re.Pattern[str]
    time: re.Pattern[str]
    part: re.Pattern[str]
    morning: re.Pattern[str]
    day_and_part: re.Pattern[str]
    day_and_morning: re.Pattern[str]
    number: re.Pattern[str]
    role: re.Pattern[str]
    roles: dict[str, Role]


def _any(alternatives: Iterable[str]) -> str:
    """One of these, the longest first; nothing where there are none."""
    several = sorted(set(alternatives), key=lambda each: (-len(each), each))
    return "(?:" + "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in several) + ")" if several else "(?!)"


@cache
def _tables(code: str) -> _Tables:
    words = languages.LANGUAGES[code]
    dates = words.dates
    month, weekday, short = _any(dates.months), _any(dates.weekdays), _any(dates.short_weekdays)
    joint = rf"(?:\s+{_any(dates.joints)})?"
    count = rf"(?P<count>\d{{1,3}}|{numerals.counted_in_words(code).pattern})"
    unit, period = _any(dates.units), _any(dates.periods)
    year = rf"(?:,?{joint}\s+(?P<y1>{_YEAR})(?!\d))?"
    of_next_week = rf"(?:,?\s+(?:\w+\s+)?(?P<nwp>{_any(dates.next_week)}))?"
    # "EOD PT Friday": whose end of the day, is not told.
    of_zone = r"(?:\s\(?(?:[ecmp][sd]?t|utc|gmt|cet|bst)\)?(?!\w))?" if dates.month_first else ""
    # "COB Thursday", and not "COB *Thursday next week*", which is a day of its own.
    of_now = rf"(?!,?\s+(?:\w+\s+)?{_any((*dates.next_week, *dates.second_next_after, *dates.week_later))}(?!\w))"
    # "Dienstagabend", "dinsdagavond", and "Dienstag Morgen", which is not tomorrow.
    compound = rf"(?:\s?(?:morgen|{_any(dates.parts)})(?!\w))?" if words.verb_second else ""
    of_month = _any(dates.day_of_month_after) if dates.day_of_month_after else ""
    several = [
        _ISO,
        _NUMERIC,
        rf"(?P<none>{_any(dates.no_dates)}|{_any(dates.past)}\s+(?:{weekday}|{unit}|{month}|{period})"
        rf"|(?:{weekday}|{unit}|{period}|{month})\s+{_any(dates.past_after)})",
        rf"(?P<d1>\d{{1,2}})(?:\.|st|nd|rd|th|er|\u00ba|\u00b0|e)?{joint}\s*(?P<m1>{month})(?:\.(?=\s*\d{{4}})|\b)"
        + year,
        rf"{_any(dates.day_of_month)}\s+(?P<dom>[12]?\d|3[01]){of_month}(?!\s*(?:\w*\s+)?{month}|\d|[.,:/-]\d|\s*[%\u20ac$\u00b0])"
        if dates.day_of_month
        else "(?!)",
        rf"(?P<m2>{month})\.?\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:%])"
        rf"(?:(?:,?\s+\d\d?:\d\d(?::\d\d)?(?:\s+[a-z]{{3,4}})?)?,?\s+(?P<y2>{_YEAR})(?!\d))?",
        rf"{_any(dates.middle_of)}[\s-]+(?P<mm>{month})",
        rf"{_any(dates.first_of)}\s+(?P<m3>{month})" + year.replace("y1", "y3"),
        rf"(?P<ye>{_any(dates.year_end)})",
        rf"(?P<we>{_any(dates.weekend)})",
        rf"{count.replace('count', 'count3')}\s+(?P<unit3>{unit})\s+{_any(dates.counted_from)}\s+"
        + rf"(?:(?P<cwd>{weekday})|(?P<cday>{_any(dates.days)}))",
        rf"{_any(dates.end_of)}\s*(?:(?P<eq>q[1-4])|(?P<ep>{period})|(?P<em>{month}))\b",
        rf"(?P<n2w>{_any(dates.week_after_next)})",
        rf"(?P<nww>{_any(dates.next_week)})(?:\s+(?:on\s+|am\s+|op\s+)?(?P<nwd>{weekday}))?",
        rf"(?P<eod>{_any(dates.day_ends)}){of_zone}(?:,?\s+(?:{_any(dates.on + dates.joints)}\s+)?"
        + rf"(?:(?P<ewd>{weekday}){of_now}|(?P<eday>{_any(dates.days)})))?",
        rf"(?P<lw>{_any(dates.later_week)})|(?P<tw>{_any(dates.this_week)})|(?P<tm>{_any(dates.this_month)})|(?P<nm>{_any(dates.next_month)})",
        rf"(?:the\s+(?={weekday}\s+{_any(dates.second_next_after)}))?"
        rf"(?:(?P<second>{_any(dates.second_next)})\s+|(?P<far>{_any(dates.following)})\s+"
        rf"|(?P<near>{_any(dates.coming)})\s+)?(?P<wd>{weekday}){compound}(?:\s+(?P<second2>{_any(dates.second_next_after)}))?"
        rf"(?:\s+(?P<after>{_any(dates.coming_after)}))?(?:\s+(?P<later>{_any(dates.week_later)})(?!\w))?{of_next_week}",
        rf"(?P<day>{_any(dates.days)})",
        rf"(?P<ahead>{_any(dates.ahead)})\s+{count}\s+(?P<unit>{unit})(?:\s+{_any(dates.ahead_after)})?",
        rf"{count.replace('count', 'count2')}\s+(?P<unit2>{unit})\s+{_any(dates.ahead_after)}",
        rf"(?:(?:{_any(dates.before_month)})\s+)(?P<bare>(?:(?P<bq>q[1-4])|(?P<bm>{month}))(?:\s+(?P<by>{_YEAR}))?)(?!\.?\s+(?:the\s+)?\d{{1,2}}(?!\d))",
        rf"(?:(?P<sfar>{_any(dates.following)})\s+|(?P<snear>{_any(dates.coming)})\s+)?(?P<sw>{short})",
        r"(?P<s1>\d{1,2})(?P<ssep>[/.])(?P<s2>\d{1,2})(?P<sdot>\.)?(?![\d/])",
    ]
    date_pattern = re.compile(r"(?<![\w.,/-])(?:" + "|".join(f"(?:{each})" for each in several) + r")(?!\w)")
    at = rf"(?:(?:{_any(dates.at)})\s*)"
    hour = r"[01]?\d|2[0-4]"
    time_pattern = re.compile(
        rf"(?<![\w.,:/])(?:{half_hour(code)[0]}(?!\w)|(?P<name>{_any(dates.times)})(?!\w)"
        rf"|(?P<h1>{hour})[:h](?P<min1>[0-5]\d)(?!\d|[.,/]\d)\s*(?P<ap1>am|pm|a\.m\.?|p\.m\.?)?(?:\s*{_any(dates.hours)})?(?:\s+{_any(dates.afternoon)})?(?!\w)"
        rf"|(?P<h2>{hour})\s?(?P<ap2>am|pm|a\.m\.?|p\.m\.?)(?!\w)"
        rf"|(?P<h3>{hour})(?:\.(?P<min5>[0-5]\d))?\s?{_any(dates.hours)}(?:\s?(?P<min3>[0-5]\d))?(?:\s+{_any(dates.afternoon)})?(?!\w)"
        rf"|(?<!\S){at}(?P<bare>(?P<h4>{hour})(?:\.(?P<min4>[0-5]\d))?)(?:\s+{_any(dates.afternoon)})?(?![\w%\u20ac$]|[.,:/-]\d|\.?\s+\w))"
        rf"(?P<zone>{_ZONE})?"
    )
    roles: dict[str, Role] = {}
    for role, several_words in (("of", dates.of), ("on", dates.on), ("by", dates.by), ("never", dates.never)):
        for each in several_words:
            roles[each] = role  # type: ignore[assignment]
    role_pattern = re.compile(rf"(?<!\w)(?P<role>{_any(roles)})\s*$")
    part = re.compile(rf"\s+{_any(dates.parts)}(?!\w)")
    morning = re.compile(rf"(?<!\w){_any(dates.mornings)}(?!\w)")
    suffix = _any((*dates.day_of_month_after, "."))
    number = re.compile(
        rf"[.,]{{0,2}}\s+(?P<article>{_any(dates.day_of_month)}\s+)?(?P<dom>[12]?\d|3[01])(?P<suffix>{suffix})?"
        rf"(?!\w|[.,:/-]\d|\s*[%\u20ac$\u00b0]|\s?(?:{_any(dates.hours)}|[ap]\.?m)(?!\w)|\.?\s*(?:\w*\s+)?{month}(?!\w))"
    )
    day_and_part = re.compile(rf"({weekday})({_any(dates.parts)})(?!\w)")
    day_and_morning = re.compile(rf"({weekday})\s?morgen(?!\w)")
    return _Tables(
        date_pattern, time_pattern, part, morning, day_and_part, day_and_morning, number, role_pattern, roles
    )


# --- what a match means ------------------------------------------------------------------------------------------


def _hit(match: re.Match[str], said_on: date, words: Words, region: str, text: str) -> _Hit | None:
    # Words of the tables have single blanks, and a text may have several: "a  couple of days".
    groups = {name: " ".join(value.split()) for name, value in match.groupdict().items() if value is not None}
    start = match.start("bare") if "bare" in groups else match.start()
    article = words.code in ("fr", "es", "it") and match[0].split()[0] in words.articles and len(match[0].split()) < 3
    if "dom" in groups and not _is_day_of_month(text[match.end() :], words, article=article):
        return None
    if "dom" in groups:
        before = match[0][: match.start("dom") - match.start()].strip()
        if before in (*words.dates.by, *words.dates.of) and before not in words.articles:
            start = match.start("dom")  # "vom 3.", "antes del 3": the words before it tell what it is
    if "none" in groups:
        return _Hit(start, match.end(), None, "", "relative")
    for reader in (_stated, _relative, _period):
        read = reader(groups, said_on, words, region)
        if read:
            day, basis, weekday = read
            ahead = (day - said_on).days if "unit" in groups else 0
            starts = _start_of(groups, day) if basis == "period" else None
            return _Hit(start, match.end(), day, groups.get("isotime", ""), basis, weekday, ahead, starts)
    if "sw" in groups and _is_short_weekday(match, text, words.dates):
        number = words.dates.short_weekdays[groups["sw"]]
        short = _weekday(number, said_on, "sfar" in groups, groups.get("snear", "") != "")
        return _Hit(start, match.end(), short, "", "relative", True) if short else None
    return None


def _is_day_of_month(after: str, words: Words, *, article: bool) -> bool:
    """Whether no noun follows: "the 19th", and not "the 19th floor"; "am 20.", and not "am 20. Geburtstag"."""
    following = _LETTERS.match(after.lstrip())
    if following is None or not after[:1].isspace() or _NEXT_TO_COME.match(after):
        return True
    if article:  # "el 9 a las 5", and not "el 9 mejor"
        joints = {text.split()[0] for text in words.dates.at} | words.conjunctions | words.contrast
        return fold(following[0]) in joints
    if words.verb_second and words.code == "de":
        return following[0].islower()
    behind = words.conjunctions | words.contrast | _BEHIND_DAY
    return not words.dates.day_of_month_after or fold(following[0]) in behind


#: "By the 1st whether you come", "the 1st please": no nouns.
_BEHIND_DAY: Final = frozenset(
    {"whether", "if", "ok", "okay", "please", "pls", "so", "because", "at", "latest", "thanks"}
)
#: Italian, Dutch: "the 3rd next".
_NEXT_TO_COME: Final = re.compile(r"\s+(?:p\.?\s?v\.?|a\.\s?s\.?)(?!\w)")

_Read = tuple[date, DueBasis, bool]


def _stated(groups: dict[str, str], said_on: date, words: Words, region: str) -> _Read | None:
    day: date | None = None
    if "iso" in groups:
        day = valid(*map(int, groups["iso"].split(groups["isosep"])))
    elif "ny" in groups:
        year = _in_full(int(groups["ny"]), said_on)
        day = _ordered(int(groups["n1"]), int(groups["n2"]), year, words, region, groups["sep"])
    elif "s1" in groups:
        day = _short_numeric(groups, said_on, words, region)
    else:
        for number in "123":
            if f"m{number}" in groups and (number != "2" or words.dates.month_first):
                month, of_month = words.dates.months[groups[f"m{number}"]], int(groups.get(f"d{number}", 1))
                year_given = groups.get(f"y{number}")
                day = valid(int(year_given), month, of_month) if year_given else nearest(month, of_month, said_on)
    return (day, "stated", False) if day else None


def _relative(groups: dict[str, str], said_on: date, words: Words, region: str) -> _Read | None:
    dates = words.dates
    day: date | None = None
    weekday = False
    if "wd" in groups:
        weekday = True
        if "nwp" in groups:
            day = _add(_monday(said_on), 7 + dates.weekdays[groups["wd"]])
        elif "second" in groups or "second2" in groups:
            day = _add(_monday(said_on), 14 + dates.weekdays[groups["wd"]])
        else:
            day = _weekday(dates.weekdays[groups["wd"]], said_on, "far" in groups, "near" in groups)
            day = _add(day, 7) if day and "later" in groups else day
    elif "nwd" in groups:
        day, weekday = _add(_monday(said_on), 7 + dates.weekdays[groups["nwd"]]), True
    elif "day" in groups:
        day = _add(said_on, dates.days[groups["day"]])
    elif "dom" in groups:
        day = next_of_month(int(groups["dom"]), said_on)
    elif "unit" in groups or "unit2" in groups or "unit3" in groups:
        number = groups.get("count") or groups.get("count2") or groups["count3"]
        count = numerals.count(number, words.code)
        per = dates.units[groups.get("unit") or groups.get("unit2") or groups["unit3"]]
        begin = _anchor(groups, "c", said_on, dates) if "unit3" in groups else said_on
        # 24 hours are a day, whatever the time.
        days = count // 24 if per == HOUR else count * per
        day = begin if count else None
        days = _WEEKS.get((words.code, groups.get("ahead", ""), number), days) if per == 1 else days
        day = day and (months_later(day, count) if per == -1 else _add(day, days))
    return (day, "relative", weekday) if day else None


#: Days counted with the first of them: "in acht Tagen" is a week from now, "dans quinze jours" two weeks. "Within" is
#: no such word: a deadline counts its days one by one.
_WEEKS: Final[Mapping[tuple[str, str, str], int]] = {
    (code, ahead, number): days
    for code, several, numbers in (
        ("de", ("in",), {"acht": 7}),
        ("nl", ("over",), {"acht": 7}),
        ("fr", ("dans",), {"huit": 7, "quinze": 14}),
        ("es", ("en", "dentro de", "de hoy en"), {"ocho": 7, "quince": 14}),
        ("pt", ("daqui a",), {"oito": 7, "quinze": 14}),
        ("it", ("tra", "fra"), {"otto": 7, "quindici": 14}),
    )
    for ahead in several
    for number, days in numbers.items()
}


def _anchor(groups: dict[str, str], kind: str, said_on: date, dates: DateWords) -> date | None:
    """The day that "Friday" or "tomorrow" means in "a week from Friday" and "close of business tomorrow"."""
    if f"{kind}wd" in groups:
        return _weekday(dates.weekdays[groups[f"{kind}wd"]], said_on, False, False)
    return _add(said_on, dates.days[groups[f"{kind}day"]])


def _period(  # noqa: C901, PLR0912 - one branch a form
    groups: dict[str, str], said_on: date, words: Words, region: str
) -> _Read | None:
    day: date | None = None
    if "ye" in groups:
        day = date(said_on.year, 12, 31)
    elif "ewd" in groups or "eday" in groups:
        day = _anchor(groups, "e", said_on, words.dates)
    elif "eod" in groups:
        day = said_on
    elif "nww" in groups:
        day = _add(_monday(said_on), 7 + FRIDAY)
    elif "n2w" in groups:
        day = _add(_monday(said_on), 14 + FRIDAY)
    elif "mm" in groups:
        day = nearest(words.dates.months[groups["mm"]], 15, said_on)
    elif "lw" in groups:
        day = _later_in_week(said_on)
    elif "tw" in groups:
        day = _week_end(said_on)
    elif "we" in groups:
        day = _add(said_on, 6 - said_on.weekday())
    elif "tm" in groups or "nm" in groups:
        day = _month_end(months_later(said_on.replace(day=1), 1 if "nm" in groups else 0))
    elif "eq" in groups or "bq" in groups:
        day = _quarter_end(int((groups.get("eq") or groups["bq"])[1]), groups.get("by", ""), said_on)
    elif "em" in groups or "bm" in groups:
        day = _named_month_end(words.dates.months[groups.get("em") or groups["bm"]], groups.get("by", ""), said_on)
    elif "ep" in groups:
        day = _end_of(words.dates.periods[groups["ep"]], said_on)
    return (day, "period", False) if day else None


def _start_of(groups: dict[str, str], last: date) -> date | None:
    """The first day of a period with this ``last`` day; None for an end, and for a period that has begun already."""
    if "nww" in groups or "n2w" in groups:
        return _monday(last)
    if "we" in groups:
        return last - timedelta(days=1)
    if "nm" in groups or "bm" in groups:
        return last.replace(day=1)
    return months_later(last.replace(day=1), -2) if "bq" in groups else None


def _end_of(period: str, said_on: date) -> date | None:
    if period in ("w", "nw"):
        return _week_end(said_on) if period == "w" else _add(_monday(said_on), 7 + FRIDAY)
    if period in ("m", "nm"):
        return _month_end(months_later(said_on.replace(day=1), 1 if period == "nm" else 0))
    if period == "q":
        return _month_end(date(said_on.year, (said_on.month - 1) // 3 * 3 + 3, 1))
    return date(said_on.year, 12, 31)


def _week_end(said_on: date) -> date | None:
    """Friday; on a Saturday, the day after. On a Sunday nobody means that very day: the next Friday."""
    return _add(_monday(said_on), {5: 6, 6: 7 + FRIDAY}.get(said_on.weekday(), FRIDAY))


def _later_in_week(said_on: date) -> date | None:
    """Friday; on a Friday, the Sunday; on a weekend, the Friday of the next week."""
    return _add(_monday(said_on), {FRIDAY: 6, 5: 7 + FRIDAY, 6: 7 + FRIDAY}.get(said_on.weekday(), FRIDAY))


def _month_end(day: date | None) -> date | None:
    return day and day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _quarter_end(quarter: int, year: str, said_on: date) -> date | None:
    return _named_month_end(quarter * 3, year, said_on)


def _named_month_end(month: int, year: str, said_on: date) -> date | None:
    if year:
        return _month_end(date(int(year), month, 1))
    first = _month_end(date(said_on.year, month, 1))
    if first and first < said_on:
        return _month_end(date(said_on.year + 1, month, 1)) if said_on.year < date.max.year else None
    return first


def _short_numeric(groups: dict[str, str], said_on: date, words: Words, region: str) -> date | None:
    """ "3.12." in German, "12/3" elsewhere; a dot alone makes a version or a number."""
    if groups["ssep"] == "." and "sdot" not in groups:
        return None
    first, second = int(groups["s1"]), int(groups["s2"])
    day = _ordered(first, second, 2000, words, region, groups["ssep"])
    return nearest(day.month, day.day, said_on) if day else None


def _in_full(year: int, said_on: date) -> int:
    """A year of two digits is the one nearest to the day on which it was said."""
    if year >= _CENTURY:
        return year
    return min(
        (said_on.year // _CENTURY * _CENTURY + year + n * _CENTURY for n in (-1, 0, 1)),
        key=lambda each: abs(each - said_on.year),
    )


_CENTURY: Final = 100


def _ordered(  # noqa: PLR0917
    first: int, second: int, year: int, words: Words, region: str, sign: str
) -> date | None:
    """Which of two numbers is the month: by language and region; None where nobody can tell."""
    month_first = _month_first(words, region, sign)
    if first > 12 or month_first is False:
        return valid(year, second, first)
    if second > 12 or month_first:
        return valid(year, first, second)
    return valid(year, first, second) if first == second else None


def _month_first(words: Words, region: str, sign: str) -> bool | None:
    """None: unknown."""
    if sign == "." or not words.dates.month_first:
        return False
    area = region.replace("_", "-").rsplit("-", maxsplit=1)[-1].upper()
    if area in MONTH_FIRST:
        return True
    return False if area in DAY_FIRST else None


#: Short English weekdays that are no words: "sat" and "sun" are.
_NO_WORDS: Final = frozenset({"mon", "tue", "tues", "weds", "thu", "thur", "thurs", "fri"})


def _is_short_weekday(match: re.Match[str], text: str, dates: DateWords) -> bool:
    """Whether "Fri", "Fr." or "segunda" is a day here: after a preposition, before a number, or all there is."""
    before, after = fold(text[: match.start()]).rstrip(), text[match.end() :]
    if not before.strip() and not after.strip(" ."):
        return True
    if dates.month_first:  # English: "Fri" is a day wherever it is written so, but "Sat" and "Sun" begin sentences
        if not text[match.start("sw")].isupper():  # "by fri", "will send it fri"
            last = before.rpartition(" ")[2]
            plain = match["sw"] in _NO_WORDS and (last in _single(dates) or re.match(r"\s*(?:[.,;!?)]|\Z)", after))
            return bool(before and plain)
        return bool(before or match["sw"] in _NO_WORDS or re.match(r"\.?,?\s*\d", after) or _PART.match(after))
    if any(match.groupdict()[name] for name in ("sfar", "snear")):
        return True
    if re.match(r"\.?,?\s*\d", after) or (dates.day_of_month == ("dia",) and _DAY_GOES_ON.match(after)):
        return True
    last = before.rsplit(maxsplit=1)[-1] if before else ""
    preposition = last in _single(dates)
    return preposition and (after[:1] in ("", ".", ",", " ", ")", "!", "?", ";", ":"))


#: Behind "Sat" and "Sun", which begin sentences as words too.
_PART: Final = re.compile(r"\.?,?\s*(?:eod|cob|end of|close of|morning|afternoon|evening|night|noon)\b", re.IGNORECASE)
#: Portuguese, behind "sexta", which is a sixth as well.
_DAY_GOES_ON: Final = re.compile(r"\s+(?:ao fim|ao final|de manhã|à tarde|à noite|às? \d)")


@cache
def _last_words(phrases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(each.rsplit(maxsplit=1)[-1] for each in phrases)


def _single(dates: DateWords) -> frozenset[str]:
    return _last_words(dates.by) | (_last_words(dates.on) - {"in", "a", "la", "el", "il", "le", "de", "o", "das"})


# --- days --------------------------------------------------------------------------------------------------------


def _add(day: date, days: int) -> date | None:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def _monday(day: date) -> date:
    return day - timedelta(days=min(day.weekday(), (day - date.min).days))


def _weekday(number: int, said_on: date, following: bool, this: bool) -> date | None:
    """The next such day; today only for "this Friday"; of the week after this one for "next Friday"."""
    if following:
        return _add(_monday(said_on), 7 + number)
    ahead = (number - said_on.weekday()) % 7
    return _add(said_on, ahead if ahead or this else 7)


# --- dates that belong together ----------------------------------------------------------------------------------


def _joined(hits: list[_Hit], folded: str, dates: DateWords) -> list[_Hit]:
    """ "Friday, December 4" is one date, and the full one counts."""
    made: list[_Hit] = []
    ends = (*dates.by, *dates.on, *dates.at, *dates.joints, *_ARTICLES)
    for hit in hits:
        if (
            made
            and made[-1].weekday
            and hit.basis == "stated"
            and _only(folded[made[-1].end : hit.start], dates.joints)
        ):
            made[-1] = hit._replace(start=made[-1].start)
        elif made and _ends_day(made[-1], folded, dates) and _only(folded[made[-1].end : hit.start], ends):
            made[-1] = hit._replace(start=made[-1].start)  # "COB Thursday, 10/25"
        elif made and made[-1].day and _ends_day(hit, folded, dates) and _only(folded[made[-1].end : hit.start], ends):
            made[-1] = made[-1]._replace(end=hit.end)  # "Friday EOD"
        elif made and made[-1].weekday and hit.weekday and made[-1].day == hit.day and hit.start == made[-1].end:
            continue
        elif made and (day := _counted_on(made[-1], hit, folded)):
            made[-1] = made[-1]._replace(end=hit.end, day=day)
        else:
            made.append(hit)
    return made


#: Before the end of a day: "venerdì *a* fine giornata", "vrijdag *aan het* eind van de dag".
_ARTICLES: Final = ("the", "das", "dem", "zum", "am", "en", "la", "al", "el", "ao", "no", "a", "aan", "het", "op")


def _numbered(hits: list[_Hit], text: str, folded: str, said_on: date, words: Words) -> list[_Hit]:
    """ "Thursday the 3rd", "jeudi 3": the next such weekday that has this number, if one is near."""
    pattern, made = _tables(words.code).number, list[_Hit]()
    for hit in hits:
        if made and hit.start < made[-1].end:
            continue  # the number, read as a day of its own
        match = pattern.match(folded, hit.end) if hit.weekday and hit.day and hit.basis == "relative" else None
        day = _with_number(hit.day.weekday(), int(match["dom"]), said_on) if match and hit.day else None
        plain = match and (match["suffix"] or _is_day_of_month(text[match.end() :], words, article=True))
        made.append(hit._replace(day=day, end=match.end()) if match and day and plain else hit)
    return made


def _with_number(weekday: int, number: int, said_on: date) -> date | None:
    """The first day of this month or the two after it that is such a weekday and has this number."""
    first = said_on.replace(day=1)
    months = [month for ahead in range(3) if (month := months_later(first, ahead))]
    days = [day for month in months if (day := valid(month.year, month.month, number))]
    return next((day for day in days if day >= said_on and day.weekday() == weekday), None)


def _ends_day(hit: _Hit, folded: str, dates: DateWords) -> bool:
    """Whether it is "end of the day" without a day."""
    return hit.basis == "period" and " ".join(folded[hit.start : hit.end].split()) in dates.day_ends


def _counted_on(first: _Hit, second: _Hit, folded: str) -> date | None:
    """The day that "Freitag in zwei Wochen" means: so many days behind the first one; None for other words."""
    relative = first.basis == "relative" and not first.ahead and not first.time
    if not (relative and first.day and second.ahead) or folded[first.end : second.start].strip():
        return None
    return _add(first.day, second.ahead)


def _only(gap: str, words: tuple[str, ...]) -> bool:
    """Whether nothing but blanks, commas and these words stands there."""
    return (
        len(gap) < 16
        and all(word in words or word in ("the", "dem", "den") for word in _LETTERS.findall(gap))
        and not re.search(r"[^\w\s,.(]", gap)
    )


def _swallow(hits: list[_Hit], folded: str, tables: _Tables) -> list[_Hit]:
    """The part of the day that follows a day belongs to it."""
    made = []
    for hit in hits:
        match = tables.part.match(folded, hit.end)
        made.append(hit._replace(end=match.end()) if match else hit)
    return made


def _times(text: str, folded: str, said_on: date, tables: _Tables, words: Words) -> list[_Hit]:
    made = []
    for match in tables.time.finditer(folded):
        time = _time(match, words)
        meal = match["name"] in _MEALS and folded[: match.start()].rstrip().rpartition(" ")[2] not in _MEAL_TIMES
        if time and not meal:
            start = match.start("bare") if match["bare"] else match.start()
            # "EST", but not French "est".
            plain = match["short"] and not text[match.start("short") : match.end("short")].isupper()
            elsewhere = match["zone"] is not None and not plain
            end = match.end() if elsewhere or not match["zone"] else match.start("zone")
            made.append(_Hit(start, end, said_on, time, "relative", elsewhere=elsewhere))
    return made


def _time(match: re.Match[str], words: Words) -> str:
    if match["half"]:
        hour = numerals.count(match["half"], words.code) + half_hour(words.code)[1]
        return f"{hour or 12:02}:30" if 0 <= hour <= 12 else ""
    if match["name"]:
        return words.dates.times[re.sub(r"\s+", " ", match["name"])]
    hour = int(next(match[name] for name in ("h1", "h2", "h3", "h4") if match[name]))
    minute = int(match["min1"] or match["min3"] or match["min4"] or match["min5"] or 0)
    half = (match["ap1"] or match["ap2"] or "").replace(".", "")
    if hour < 12 and half == "pm":
        hour += 12
    elif hour == 12 and half == "am":
        hour = 0
    return f"{hour:02}:{minute:02}" if hour < 24 else ""


def _timed(hits: list[_Hit], times: list[_Hit], folded: str, dates: DateWords) -> list[_Hit]:
    """Days with the times that stand beside them; a time alone is one of today."""
    made = list(hits)
    if not times:
        return made
    joints = dates.at + dates.on + dates.by
    singles = tuple({word for each in joints for word in each.split()})
    for time in times:
        if any(hit.start < time.end and time.start < hit.end for hit in made):
            continue
        for number, hit in enumerate(made):
            beside = folded[hit.end : time.start] if hit.end <= time.start else folded[time.end : hit.start]
            if hit.day and not hit.time and _only(beside, singles):
                made[number] = hit._replace(
                    start=min(hit.start, time.start),
                    end=max(hit.end, time.end),
                    time=time.time,
                    elsewhere=time.elsewhere,
                )
                break
        else:
            if not time.elsewhere or not hits:  # "5 pm EST" alone is today's, beside another day nobody's
                made.append(time)
    return sorted(made)


def _in_its_half(hit: _Hit, folded: str, tables: _Tables, dates: DateWords) -> _Hit:
    """Takes "this evening at 9" for 21:00 and "at 3" for 15:00.

    Nobody promises anything for three in the night without saying so. "At 3:30" is 15:30 where the language counts to
    twelve, and stays as it is where it counts to twenty-four.
    """
    if not hit.time:
        return hit
    part = tables.part.match(folded, hit.end)
    end = part.end() if part else hit.end
    hour = int(hit.time[:2])
    span = _parted(folded[hit.start : end], tables)
    beside = _parted(folded[max(0, hit.start - _BESIDE) : end + _BESIDE], tables)
    if not 1 <= hour <= 12 or _EXACT.search(span) or tables.morning.search(beside):
        return hit._replace(end=end)
    words = frozenset(re.split(r"[\W_]+", span))
    evening, afternoon = not dates.evenings.isdisjoint(words), not dates.afternoons.isdisjoint(words)
    if hour == 12:
        midnight = "23:59" if hit.time == "12:00" else ""
        return hit._replace(time=midnight if evening and not afternoon else hit.time, end=end)
    if evening and not afternoon and hour < 5:  # "tonight at 1" may be either night
        return hit._replace(time="", end=end)
    late = evening or (afternoon and hour <= 8)
    bare = hour <= 6 and (dates.twelve_hours or not _MINUTES.search(span))
    return hit._replace(time=f"{hour + 12}{hit.time[2:]}" if late or bare else hit.time, end=end)


#: "Lunch" is a time after these words. "Time for lunch" and "Thursday's lunch" name no time.
_MEALS: Final = frozenset({"lunch", "lunchtime"})
_MEAL_TIMES: Final = frozenset({"by", "before", "at", "until", "till", "around"})
#: A time that says itself in which half of the day it is.
_EXACT: Final = re.compile(r"(?<![\d:.h])0\d|\d\s?(?:am|a\.m)\b")
#: How many characters to each side of a time may say that it is one of the morning.
_BESIDE: Final = 30
_MINUTES: Final = re.compile(r"\d[:.h]\d")


def _role(folded: str, hit: _Hit, words: Words) -> tuple[Role, bool]:
    """The role of a date in its sentence: something is due by it, happens on it, or has it as its date.

    The second value: whether it is due *before* it.
    """
    tables = _tables(words.code)
    if folded.startswith("'s ", hit.end):
        return "of", False
    before = folded[max(0, hit.start - 40) : hit.start]
    match = tables.role.search(before)
    role: Role = tables.roles[re.sub(r"\s+", " ", match["role"])] if match else "bare"
    rest = before[: match.start()] if match else before
    if match and match["role"].startswith("back ") and _GIVEN_BACK.search(rest):
        role = "on"  # "I'll bring it back on Saturday"
    if role == "of" and match and match["role"] == "the":
        outer = tables.role.search(rest)
        role = tables.roles[outer["role"]] if outer and outer["role"] in tables.roles else "of"
    is_before = role == "by" and match is not None and match["role"].split()[0] in words.dates.before
    earliest = _EARLIEST_BEFORE.search(before) or _EARLIEST_BEHIND.match(folded, hit.end)
    if not _FORGETTING.isdisjoint(before.split()[-_NEAR_NOT:]):
        return ("bare" if role == "never" else role), is_before  # "vergiss nicht morgen ..."
    return ("never", False) if role == "never" or earliest or _is_excluded(rest, words) else (role, is_before)


_GIVEN_BACK: Final = re.compile(
    r"\b(?:bring|give|send|put|take|get|call|ring|pay|come|go|be|drop)(?:ing)?(?: \S+){0,3} \Z"
)
#: Right before or behind a day: nothing is due by it.
_EARLIEST: Final = (
    r"(?:at the (?:very )?earliest|(?:no|not) (?:earlier|sooner) than|frühestens|nicht früher als|au plus tôt"
    r"|pas plus tôt que|como (?:muy )?pronto|lo más pronto|no mínimo|(?:o|no) mais cedo|non prima"
    r"|op (?:zijn|z'n|het) vroegst|ten vroegste|niet eerder dan)"
)
_EARLIEST_BEFORE: Final = re.compile(
    rf"(?<!\w){_EARLIEST}(?:\s(?:on|am|ab|le|el|del|na|no|di|il|op|de|in)){{0,2}}\s*\Z"
)
_EARLIEST_BEHIND: Final = re.compile(rf"[\s,(]*{_EARLIEST}(?!\w)")


def _is_excluded(before: str, words: Words) -> bool:
    """Whether a "not" just before, in the same clause, takes the date out: "not in on Friday"."""
    clause = re.split(r"[,;:.!?()\u2013\u2014]", before)[-1]
    last = clause.split()[-2:]
    return any(word in _last_words(words.dates.never) and word in words.negation for word in last)


#: Before a "not" that is theirs, so many words before a day at most.
_FORGETTING: Final = frozenset({"vergiss", "vergesst", "vergessen", "vergeet", "forget"})
_NEAR_NOT: Final = 3
