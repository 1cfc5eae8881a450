"""
Days by another name than the plain words of dates: "the fifteenth", "the first Monday of December", "early next week",
"Christmas Eve", "KW 50", "04-Dec-2026". ``dates`` asks for them beside its own.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Final, Literal, NamedTuple

from consumer.understanding import languages, numerals
from consumer.understanding.calendardays import BACK, nearest, next_of_month, valid
from consumer.understanding.languages.words import phrases


class NamedDay(NamedTuple):
    """``starts``: the first day, where it names a week."""

    start: int
    end: int
    day: date
    basis: Literal["stated", "relative", "period"]
    starts: date | None = None


_FRIDAY: Final = 4
#: Years next to the ends of the calendar have no such days.
_FIRST_YEAR: Final = date.min.year + 1
_LAST_YEAR: Final = date.max.year - 1
_EARLY: Final = 1
_FEW: Final = 5
#: Before a day, and before the number of something else.
_ON: Final = frozenset({"on the", "am", "zum", "le", "el", "il"})
_MIDDLE: Final = 2


class _Names(NamedTuple):
    """``ordinals``: of days in words, besides the counting numbers. ``before``: what stands before the number of a day
    in words without its month. ``by``: before a feast or a day in digits alone. ``nth``: first to fourth, and last;
    ``month``: what stands for this one.
    """

    ordinals: Mapping[str, int]
    cardinals: bool
    before: tuple[str, ...]
    joint: str
    article: str
    nth: tuple[str, ...]
    of_month: str
    last_day: str
    early: tuple[str, ...]
    middle: tuple[str, ...]
    week_of: tuple[str, ...]
    calendar_week: tuple[str, ...]
    by: tuple[str, ...]
    feasts: Mapping[str, tuple[int, int]]


def find(folded: str, said_on: date, code: str) -> Iterator[NamedDay]:
    """Days of the folded text, in no order."""
    tables = _patterns(code)
    hinted = not tables.hints.isdisjoint(_WORD.findall(folded)) or _IN_DIGITS.search(folded)
    if not hinted or not _FIRST_YEAR < said_on.year < _LAST_YEAR:
        return
    for match in tables.days.finditer(folded):
        groups = {name: value for name, value in match.groupdict().items() if value}
        start = match.start("bare") if "bare" in groups else match.start()
        if read := _day(groups, said_on, code):
            day, basis, starts = read
            yield NamedDay(start, match.end(), day, basis, starts)


def week_of(folded: str, start: int, code: str) -> int:
    """Where "the week of" begins that ends right before a date; -1 for none."""
    match = _patterns(code).week_of.search(folded, max(0, start - 24), start)
    return match.start() if match else -1


_Read = tuple[date, Literal["stated", "relative", "period"], date | None]


def _day(groups: Mapping[str, str], said_on: date, code: str) -> _Read | None:  # noqa: C901, PLR0911 - one branch a form
    names, dates = _NAMES[code], languages.LANGUAGES[code].dates
    month = next((dates.months[groups[name]] for name in ("m1", "m2", "m3", "m4", "m5") if name in groups), 0)
    if "compact" in groups:
        text = groups["compact"]
        return _stated(valid(int(text[:4]), int(text[4:6]), int(text[6:])))
    if "dmy" in groups:
        year = int(groups["y"]) + (2000 if len(groups["y"]) == 2 else 0)
        return _stated(valid(year, month, int(groups["d"])))
    if "nth" in groups:
        return _stated(_nth(groups, month, said_on, names, dates.weekdays[groups["wd"]]))
    if "last" in groups:
        first = _month(groups, month, said_on)
        return _stated(first.replace(day=calendar.monthrange(first.year, first.month)[1]))
    if "early" in groups or "middle" in groups:
        monday = said_on - timedelta(days=said_on.weekday()) + timedelta(days=7)
        return monday + timedelta(days=_EARLY if "early" in groups else _MIDDLE), "period", monday
    if "week" in groups:
        return _calendar_week(int(groups["week"]), said_on)
    if "feast" in groups:
        return _stated(nearest(*names.feasts[" ".join(groups["feast"].split())], said_on))
    words = " ".join(next((groups[name] for name in ("o1", "o2", "o3", "o4") if name in groups), "").split())
    number = int(groups.get("d2", 0)) or names.ordinals.get(words.replace("-", " ")) or numerals.count(words, code)
    if "ahead" in groups:
        first = _later(said_on, 1)
        return _stated(valid(first.year, first.month, number))
    # "On the second" is one of two things more often than a day.
    if not 1 <= number <= 31 or (number <= _FEW and groups.get("before", "") in _ON):
        return None
    if month:
        return _stated(valid(int(groups["y1"]), month, number) if "y1" in groups else nearest(month, number, said_on))
    return _stated(next_of_month(number, said_on))


def _stated(day: date | None) -> _Read | None:
    return (day, "stated", None) if day else None


def _later(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _month(groups: Mapping[str, str], month: int, said_on: date) -> date:
    """The first day of the month that is named; of this one where it is not."""
    if not month:
        return _later(said_on, 1 if {"next", "coming"} & groups.keys() else 0)
    year = said_on.year + (month < said_on.month)
    return date(year, month, 1)


def _nth(groups: Mapping[str, str], month: int, said_on: date, names: _Names, weekday: int) -> date | None:
    which = names.nth.index(next(each for each in names.nth if groups["nth"] in each.split("/"))) + 1
    first = _month(groups, month, said_on)
    days = [
        first + timedelta(days=n)
        for n in range(calendar.monthrange(first.year, first.month)[1])
        if (first + timedelta(days=n)).weekday() == weekday
    ]
    return days[-1] if which > len(names.nth) - 1 else days[which - 1]


def _calendar_week(week: int, said_on: date) -> _Read | None:
    for year in (said_on.isocalendar().year, said_on.isocalendar().year + 1):
        try:
            friday = date.fromisocalendar(year, week, _FRIDAY + 1)
        except ValueError:
            continue
        if friday >= said_on - timedelta(days=BACK):
            return friday, "period", friday - timedelta(days=_FRIDAY)
    return None


class _DayPatterns(NamedTuple):
    days: re.Pattern[str]
    week_of: re.Pattern[str]
    #: One of these words stands in every text with such a day that is not in digits.
    hints: frozenset[str]


def _any(several: Iterable[str]) -> str:
    ordered = sorted(set(several), key=lambda each: (-len(each), each))
    return "(?:" + "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in ordered) + ")" if ordered else "(?!)"


#: Behind a day that stands alone: no noun of which it is the number.
_ALONE: Final = (
    r"(?=\s*(?:\Z|[.,;:!?)\u2013\u2014-]|\s(?:at|and|or|but|so|if|um|und|oder|et|ou|y|o|e|en|of|latest|spätestens)\b))"
)


@cache
def _patterns(code: str) -> _DayPatterns:
    names, dates = _NAMES[code], languages.LANGUAGES[code].dates
    month, weekday = _any(dates.months), _any(dates.weekdays)
    number = _any(each for text in names.ordinals for each in (text, text.replace(" ", "-")))
    if names.cardinals:
        number = rf"(?:{number}|{numerals.counted_in_words(code).pattern})"
    nth = _any(each for several in names.nth for each in several.split("/"))
    next_month = _any(dates.next_month)
    year = r"(?:,?\s+(?:de\s+|of\s+|del\s+)?(?P<y1>20\d\d))?"
    several = [
        rf"(?P<dmy>(?P<d>\d{{1,2}})[-/](?P<m1>{month})[-/](?P<y>20\d\d|\d\d))(?!\d)",
        rf"{names.article}(?P<nth>{nth})\s+(?P<wd>{weekday})\s+{names.of_month}(?:(?P<m2>{month})|(?P<next>{next_month})|\w*\s?{_any(_MONTH_WORDS)})",
        rf"(?:{_any(names.before)}\s+)?(?:(?P<o4>{number})|(?P<d2>[0-3]?\d)(?:st|nd|rd|th|e|\.)?)\s+{names.of_month}(?:(?:le|del|der|dem)\s+)?(?P<ahead>{next_month})",
        rf"(?P<last>{names.last_day})(?:(?P<m3>{month})|(?P<coming>{next_month})|\w*\s?{_any(_MONTH_WORDS)})",
        rf"(?P<early>{_any(names.early)})",
        rf"(?P<middle>{_any(names.middle)})",
        rf"{_any(names.calendar_week)}\s?(?P<week>[0-5]?\d)(?!\d|[.:]\d)",
        rf"{_any(names.by)}\s+(?P<bare>(?P<feast>{_any(names.feasts)})){_ALONE}",
        rf"(?P<o1>{number}){names.joint}\s+(?P<m4>{month})" + year,
    ]
    if code == "en":
        several.append(rf"(?P<m5>{month})\s+(?:the\s+)?(?P<o2>{number})")
    if names.before:
        several.append(rf"(?P<before>{_any(names.before)})\s+(?P<o3>{number}){_ALONE}")
    compact = rf"{_any(names.by)}\s+(?P<compact>20\d\d[01]\d[0-3]\d)(?!\d)"
    several.append(compact)
    pattern = "|".join(f"(?:{each})" for each in several)
    several_words = (
        *names.ordinals, *dates.next_month, *(each for part in names.nth for each in part.split("/")), *names.feasts,
        *names.calendar_week, *names.early, *names.middle, *(dates.months if names.cardinals else ()),
    )  # fmt: skip
    return _DayPatterns(
        days=re.compile(rf"(?<![\w.,/-])(?:{pattern})(?!\w)"),
        week_of=re.compile(rf"(?<!\w){_any(names.week_of)}\s+$"),
        hints=frozenset(_WORD.findall(text)[0] for text in several_words) - _ARTICLES,
    )


_WORD: Final = re.compile(r"\w+")
_IN_DIGITS: Final = re.compile(r"(?<!\d)20\d{6}(?!\d)|\d[-/][a-z]")
_ARTICLES: Final = frozenset({"the", "at", "le", "la", "el", "o", "a"})
_MONTH_WORDS: Final = ("month", "monats", "monat", "mois", "mes", "mês", "mese", "maand")


def _numbered(text: str, extra: str = "") -> dict[str, int]:
    made = {word: number for number, part in enumerate(phrases(text), 1) for word in part.split("/")}
    return made | {word: made[word] for word in extra.split() if word in made}


def _german(text: str) -> dict[str, int]:
    return {f"{stem}{end}": number for number, stem in enumerate(text.split(), 1) for end in ("en", "er", "e")}


def _feasts(text: str) -> dict[str, tuple[int, int]]:
    """``"christmas eve 12-24 | ..."``."""
    made = {}
    for part in phrases(text):
        name, _, day = part.rpartition(" ")
        made[name] = (int(day[:2]), int(day[3:]))
    return made


_NAMES: Final[Mapping[str, _Names]] = {
    "en": _Names(
        ordinals=_numbered(
            "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth"
            "|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty first|twenty second|twenty third"
            "|twenty fourth|twenty fifth|twenty sixth|twenty seventh|twenty eighth|twenty ninth|thirtieth|thirty first"
        ),
        cardinals=False,
        before=phrases("by the|on the|before the|until the|till the"),
        joint=r"(?:\s+of)?",
        article=r"(?:the\s+)?",
        nth=("first", "second", "third", "fourth", "last"),
        of_month=r"(?:of|in)\s+",
        last_day=r"(?:the\s+)?last\s+day\s+of\s+",
        early=phrases(
            "early next week|at the beginning of next week|the beginning of next week|beginning of next week"
            "|at the start of next week|the start of next week|start of next week|first thing next week"
        ),
        middle=phrases("mid next week|the middle of next week|middle of next week|midweek next week"),
        week_of=phrases("the week of|week of|the week commencing|week commencing|week beginning|w/c|week starting"),
        calendar_week=phrases("cw|calendar week"),
        by=phrases("by|before|until|till|on|due|for"),
        feasts=_feasts(
            "christmas eve 12-24|xmas eve 12-24|christmas 12-25|xmas 12-25|christmas day 12-25|boxing day 12-26"
            "|new year's eve 12-31|new years eve 12-31|nye 12-31|new year 01-01|the new year 01-01|new year's 01-01"
            "|new year's day 01-01|halloween 10-31|valentine's day 02-14|the fourth of july 07-04"
        ),
    ),
    "de": _Names(
        ordinals=_german(
            "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt"
            " sechzehnt siebzehnt achtzehnt neunzehnt zwanzigst einundzwanzigst zweiundzwanzigst dreiundzwanzigst"
            " vierundzwanzigst fünfundzwanzigst sechsundzwanzigst siebenundzwanzigst achtundzwanzigst"
            " neunundzwanzigst dreißigst einunddreißigst"
        ),
        cardinals=False,
        before=phrases("bis zum|zum|am|vor dem|bis"),
        joint="",
        article=r"",
        nth=("ersten/erster", "zweiten/zweiter", "dritten/dritter", "vierten/vierter", "letzten/letzter"),
        of_month=r"(?:im|des|in\s+diesem)\s+",
        last_day=r"letzten\s+tag\s+(?:des|im|dieses)\s+",
        early=phrases(
            "anfang nächster woche|anfang der nächsten woche|anfang kommender woche|zu beginn der nächsten woche"
            "|beginn nächster woche|anfang der kommenden woche"
        ),
        middle=phrases("mitte nächster woche|mitte der nächsten woche|mitte kommender woche"),
        week_of=phrases("in der woche vom|der woche vom|woche vom|in der woche ab dem|woche ab"),
        calendar_week=phrases("kw|kalenderwoche"),
        by=phrases("bis|vor|zu|bis zu|bis zum|an|vor dem|am"),
        feasts=_feasts(
            "heiligabend 12-24|heilig abend 12-24|weihnachten 12-24|silvester 12-31|neujahr 01-01|nikolaus 12-06"
            "|jahreswechsel 12-31"
        ),
    ),
    "fr": _Names(
        ordinals={"premier": 1},
        cardinals=True,
        before=phrases("le"),
        joint="",
        article=r"(?:le\s+)?",
        nth=("premier", "deuxième/second", "troisième", "quatrième", "dernier"),
        of_month=r"(?:de|du|d')\s*",
        last_day=r"(?:le\s+)?dernier\s+jour\s+(?:de|du|d')\s*",
        early=phrases(
            "début de semaine prochaine|début de la semaine prochaine|début semaine prochaine"
            "|commencement de la semaine prochaine"
        ),
        middle=phrases("milieu de semaine prochaine|milieu de la semaine prochaine|mi-semaine prochaine"),
        week_of=phrases("la semaine du|semaine du"),
        calendar_week=phrases("en semaine|semaine n°"),
        by=phrases("d'ici|avant|d'ici à|jusqu'à|à|pour|d'ici au|avant le|d'ici le"),
        feasts=_feasts(
            "noël 12-25|le nouvel an 01-01|nouvel an 01-01|la saint-sylvestre 12-31|réveillon 12-24|veille de noël"
            " 12-24|la veille de noël 12-24"
        ),
    ),
    "es": _Names(
        ordinals={"primero": 1},
        cardinals=True,
        before=phrases("el|el día"),
        joint=r"\s+de",
        article=r"(?:el\s+)?",
        nth=("primer", "segundo", "tercer", "cuarto", "último"),
        of_month=r"(?:de|del)\s+",
        last_day=r"(?:el\s+)?último\s+día\s+(?:de|del)\s+",
        early=phrases(
            "principios de la próxima semana|principios de la semana que viene|principios de la semana próxima"
            "|comienzos de la próxima semana|inicio de la próxima semana"
        ),
        middle=phrases("mediados de la próxima semana|mediados de la semana que viene"),
        week_of=phrases("la semana del|semana del"),
        calendar_week=(),
        by=phrases("antes de|para|hasta|en|por"),
        feasts=_feasts("navidad 12-25|navidades 12-25|nochebuena 12-24|nochevieja 12-31|año nuevo 01-01|reyes 01-06"),
    ),
    "pt": _Names(
        ordinals={"primeiro": 1},
        cardinals=True,
        before=phrases("dia|ao dia|no dia"),
        joint=r"\s+de",
        article=r"(?:[ao]\s+)?",
        nth=("primeira/primeiro", "segunda/segundo", "terceira/terceiro", "quarta/quarto", "última/último"),
        of_month=r"(?:de|do)\s+",
        last_day=r"(?:o\s+)?último\s+dia\s+(?:de|do)\s+",
        early=phrases(
            "início da próxima semana|início da semana que vem|princípio da próxima semana|começo da próxima semana"
            "|começo da semana que vem"
        ),
        middle=phrases("meados da próxima semana|meio da próxima semana|meados da semana que vem"),
        week_of=phrases("a semana de|semana de|semana do dia"),
        calendar_week=(),
        by=phrases("até ao|até o|antes do|até|antes de|no"),
        feasts=_feasts("natal 12-25|véspera de natal 12-24|ano novo 01-01|fim de ano 12-31|réveillon 12-31"),
    ),
    "it": _Names(
        ordinals={"primo": 1},
        cardinals=True,
        before=phrases("il|entro il|il giorno"),
        joint="",
        article=r"(?:il\s+|la\s+)?",
        nth=("primo/prima", "secondo/seconda", "terzo/terza", "quarto/quarta", "ultimo/ultima"),
        of_month=r"(?:di|del)\s+",
        last_day=r"(?:l')?ultimo\s+giorno\s+(?:di|del)\s+",
        early=phrases(
            "inizio settimana prossima|inizio della prossima settimana|inizio della settimana prossima"
            "|inizio prossima settimana|inizi della prossima settimana"
        ),
        middle=phrases("metà della prossima settimana|metà settimana prossima|metà della settimana prossima"),
        week_of=phrases("la settimana del|settimana del|nella settimana del"),
        calendar_week=(),
        by=phrases("entro|prima di|per|fino a|a"),
        feasts=_feasts("natale 12-25|la vigilia di natale 12-24|la vigilia 12-24|capodanno 01-01|ferragosto 08-15"),
    ),
    "nl": _Names(
        ordinals={"eerste": 1},
        cardinals=True,
        before=(),
        joint="",
        article=r"(?:de\s+)?",
        nth=("eerste", "tweede", "derde", "vierde", "laatste"),
        of_month=r"(?:van|in)\s+(?:de\s+)?",
        last_day=r"(?:de\s+)?laatste\s+dag\s+van\s+(?:de\s+)?",
        early=phrases("begin volgende week|begin van volgende week|begin komende week"),
        middle=phrases("halverwege volgende week|midden volgende week|medio volgende week"),
        week_of=phrases("de week van|week van|in de week van"),
        calendar_week=phrases("week"),
        by=phrases("voor|tegen|vóór|tot|met|uiterlijk"),
        feasts=_feasts(
            "kerst 12-25|kerstmis 12-25|kerstavond 12-24|oudejaarsavond 12-31|oud en nieuw 12-31|nieuwjaar 01-01"
        ),
    ),
}


@cache
def words(code: str) -> frozenset[str]:
    """Words of which such a day has one, unless it has a figure, a month, a weekday or a period.

    "By the first" is left out: the word stands in many sentences, and there it is a day in few.
    """
    names = _NAMES[code]
    several = [re.split(r"[\s-]+", text) for text in (*names.ordinals, *names.feasts, *names.calendar_week)]
    return frozenset(max(each, key=len) for each in several) - _COMMON


_COMMON: Final = frozenset(("first", "second", "year", "primo", "premier", "primero", "primeiro", "eerste"))
