"""What a sentence names that can be compared: days, times, amounts and other numbers, codes, addresses, names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import date, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final, NamedTuple

from consumer.understanding import dates, languages, numerals, values
from consumer.understanding.languages import Words
from consumer.understanding.text import fold, overlaps, sentences
from consumer.understanding.values import Value


class MentionedDay(NamedTuple):
    """A day that a text names. ``due``: it says that something is to be done by then."""

    day: str
    words: str
    due: bool
    weekday: bool


class Mentions(NamedTuple):
    """``months`` and ``quarters`` by number; ``per``: the units of time that a price is for; ``codes`` as written.

    ``names``: runs of words that look like names, as written.
    """

    days: tuple[MentionedDay, ...]
    times: tuple[str, ...]
    months: tuple[int, ...]
    quarters: tuple[int, ...]
    numbers: tuple[tuple[Value, str], ...]
    per: tuple[str, ...]
    codes: tuple[str, ...]
    names: tuple[str, ...]


#: "a month", "monthly": the unit by its name in ``Words.counted``.
_PER: Final[Mapping[str, str]] = {
    "en": r"(?:(?:a|an|per|each|every)\s(?P<unit>hour|day|week|month|year|seat|person|user)\b)"
    r"|(?P<ly>hourly|daily|weekly|monthly|yearly|annually|annual)\b",
    "de": r"(?:(?:pro|je|im|jede[nrs]?)\s(?P<unit>stunde|tag|woche|monat|jahr|person)\b)"
    r"|(?P<ly>stündlich|täglich|wöchentlich|monatlich|jährlich)\w*",
    "fr": r"(?:(?:par|chaque|/)\s?(?P<unit>heure|jour|semaine|mois|an|personne)\b)"
    r"|(?P<ly>quotidien|hebdomadaire|mensuel|annuel)\w*",
    "es": r"(?:(?:al|por|cada|a la)\s(?P<unit>hora|día|semana|mes|año|persona)\b)"
    r"|(?P<ly>diari|semanal|mensual|anual)\w*",
    "pt": r"(?:(?:ao|por|cada|à)\s(?P<unit>hora|dia|semana|mês|ano|pessoa)\b)|(?P<ly>diári|semanal|mensal|anual)\w*",
    "it": r"(?:(?:al|all'|alla|per|ogni)\s?(?P<unit>ora|giorno|settimana|mese|anno|persona)\b)"
    r"|(?P<ly>giornalier|settimanal|mensil|annual)\w*",
    "nl": r"(?:(?:per|elke|ieder[e]?)\s(?P<unit>uur|dag|week|maand|jaar|persoon)\b)"
    r"|(?P<ly>dagelijks|wekelijks|maandelijks|jaarlijks)\w*",
}
_LENGTHS: Final[Mapping[str, str]] = {
    word: unit
    for unit, several in {
        "hour": "hour stunde heure hora ora uur hourly stündlich",
        "day": "day tag jour día dia giorno dag daily täglich quotidien diari diári giornalier dagelijks",
        "week": "week woche semaine semana settimana weekly wöchentlich hebdomadaire semanal settimanal wekelijks",
        "month": "month monat mois mes mês mese maand monthly monatlich mensuel mensual mensal mensil maandelijks",
        "year": "year jahr an año ano anno jaar yearly annually annual jährlich annuel anual jaarlijks",
        "person": "person seat user personne persona pessoa persoon",
    }.items()
    for word in several.split()
}
_QUARTER: Final = re.compile(
    r"(?<!\w)(?:q(?P<n>[1-4])|(?P<w>first|second|third|fourth|erste[ns]?|zweite[ns]?|dritte[ns]?|vierte[ns]?|premier"
    r"|deuxième|troisième|quatrième|primer|segundo|tercer|cuarto|primeiro|terceiro|quarto|primo|secondo|terzo|eerste"
    r"|tweede|derde|vierde)\s(?:quarter|quartal|quartals|trimestre|kwartaal))(?!\w)"
)
_ORDINALS: Final[Mapping[str, int]] = {
    word: n
    for n, several in enumerate(
        (
            "first erste ersten erstes premier primer primeiro primo eerste",
            "second zweite zweiten zweites deuxième segundo secondo tweede",
            "third dritte dritten drittes troisième tercer terceiro terzo derde",
            "fourth vierte vierten viertes quatrième cuarto quarto vierde",
        ),
        1,
    )
    for word in several.split()
}
_HALF: Final = re.compile(
    rf"(?<!\w)(?P<w>{'|'.join(word for word, n in _ORDINALS.items() if n < 3)})\s?"
    r"(?:half|halbjahrs?|semestre|semester|halfjaar|helft)(?!\w)"
)
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s<>()\"']+")
_CODE: Final = re.compile(r"(?<![\w@])(?=[\w/.-]*\d)(?=[\w/.-]*[^\W\d_])[\w]+(?:[-/.][\w]+)*(?!\w)")
_VERSION: Final = re.compile(r"(?<!\w)(?:v|ver|version|versión|versão|versione|versie)\.?\s?(\d+(?:\.\d+)*)(?!\d)")
#: A day and a month in German; elsewhere a version or the number of a chapter.
_DOTTED: Final = re.compile(r"\d{1,2}\.\d{1,2}\.?")
_DIGITS: Final = re.compile(
    r"(?<![\w.,])\d{1,3}(?:[., '\u2019]\d{3})+(?:[.,]\d{1,2})?(?![\w])|(?<![\w])\d+(?:[.,]\d+)?"
)
_NAME: Final = re.compile(r"[^\W\d_][\w'\u2019&.-]*")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
PARTICLES: Final = frozenset({"de", "da", "do", "dos", "van", "von", "der", "den", "di", "del", "della", "la", "le"})
#: Words that begin sentences or stand before names, and are none: what the tables of the reader do not hold.
_ORDINARY: Final[frozenset[str]] = frozenset(
    """
    according about although both there here where when what who how why work file version money people someone
    nobody everybody sixty they she he it its his her mr mrs ms miss dr prof professor sir madam decision action note
    meeting call mail email message task item document page report reports notes open loop due deadline state status
    source sources contract contracts invoice invoices offer draft budget delivery payment date day time name
    not no yes still yet just only even since until while during after before between within without
    laut nach herr frau zur zum beim vom es er sie ihr sein ihre seine man wer was wann wo wie warum dass ob
    zwei drei vertrag rechnung angebot termin budget bis ab am im der die das
    selon monsieur madame mme mlle elle il ils elles on ce cela cette ces leur leurs son sa ses qui que quoi
    según señor señora sr sra hay él ella ellos ellas su sus este esta ese esa quien qué
    segundo senhor senhora há ele ela eles elas seu sua seus suas quem
    secondo signor signora c'è lui lei loro suo sua chi cosa
    volgens meneer mevrouw er hij zij ze hun zijn haar wie wat
    """.split()  # noqa: SIM905 - a table of words
)
#: In German every noun has a capital: after one of these a single word is a noun.
_GERMAN_ENDINGS: Final = (
    "ung",
    "ungen",
    "heit",
    "keit",
    "schaft",
    "tion",
    "tionen",
    "ment",
    "nis",
    "tät",
    "ismus",
    "chen",
)
_GERMAN_BEFORE: Final = frozenset(
    """
    der die das den dem des ein eine einen einem einer eines kein keine keinen keinem mein meine meinen meinem meiner
    dein deine sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren unserem euer eure im am
    zum zur vom beim ins ans dieser diese dieses diesen diesem jeder jede jedes jeden alle allen viele wenige mehr
    zwei drei vier fünf sechs sieben acht neun zehn
    """.split()  # noqa: SIM905 - a table of words
)


# Many claims are compared with the same sentences of a record.
@lru_cache(maxsize=512)
def find(text: str, said_on: date, language: str, region: str = "") -> Mentions:
    """Everything that ``text`` names; words of days mean what they mean on the day ``said_on``."""
    folded = fold(text)
    versions = [match.span() for match in _VERSION.finditer(folded)]
    hits = [
        hit
        for hit in dates.scan(text, said_on, language, region)
        if not overlaps((hit.start, hit.end), versions)
        and (language[:2] == "de" or not _DOTTED.fullmatch(text[hit.start : hit.end]))
        and text[hit.end :].lstrip()[:1] not in _OF_AMOUNTS
    ]
    past, east, east_numbers = _past(folded, said_on, language), _east_days(text, said_on), tuple(_east_numbers(text))
    taken = [(hit.start, hit.end) for hit in hits] + [span for span, _ in (*past, *east)]
    taken += [(value.start, value.end) for value, _ in east_numbers]
    days = [MentionedDay(day, text[start:end], False, False) for (start, end), day in (*past, *east)]
    times, months, years = [], [], []
    for hit in hits:
        words = folded[hit.start : hit.end]
        if hit.due is None:
            continue
        if hit.due.time:
            times.append(hit.due.time)
        named = _months(words, language)
        if hit.due.basis == "period":
            months += named
            years += _YEAR.findall(words)
            if named or _QUARTER.search(words):
                continue
        if not (hit.due.time and hit.due.day == said_on.isoformat() and not _letters(words, language)):
            weekday = hit.due.basis == "relative" and _is_weekday(words, language)
            days.append(MentionedDay(hit.due.day, text[hit.start : hit.end], hit.role == "by", weekday))
    months += [month for start, end, month in _bare_months(text, language) if not overlaps((start, end), taken)]
    taken += [match.span() for match in _QUARTER.finditer(folded)]
    numbers, codes = _numbers(text, folded, language, region, taken)
    numbers += east_numbers
    times += _half_hours(folded, language)
    numbers += tuple((Value("number", year, "", 0, 0), year) for year in years)
    per = tuple(
        _LENGTHS[unit]
        for match in _per(language).finditer(folded)
        if (unit := match["unit"] or match["ly"]) in _LENGTHS
    )
    return Mentions(
        tuple(days),
        tuple(times),
        tuple(months),
        tuple(int(period.name[1]) for period in named_periods(folded) if period.name[0] == "q"),
        numbers,
        per,
        codes,
        tuple(_names(text, language, hits)),
    )


_OF_AMOUNTS: Final = frozenset("%\u20ac$\u00a3")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
#: Days gone by -> their words.
_PAST: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("yesterday", "gestern", "hier", "ayer", "ontem", "ieri", "gisteren"),
    2: (
        *("the day before yesterday", "day before yesterday", "vorgestern", "avant-hier", "anteayer", "antes de ayer"),
        *("anteontem", "l'altro ieri", "l'altroieri", "eergisteren"),
    ),
}
_PAST_WORDS: Final = {words: back for back, several in _PAST.items() for words in several}
_PAST_FORM: Final = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_PAST_WORDS, key=lambda words: -len(words)))})(?!\w)")
#: Days and amounts in Chinese, Japanese and Korean.
_EAST_DAY: Final = re.compile(
    r"(?:(\d{4})\s?[\u5e74\ub144]\s?)?(\d{1,2})\s?[\u6708\uc6d4]\s?(\d{1,2})\s?[\u65e5\uc77c]"
)
_EAST_NUMBER: Final = re.compile(
    r"(?P<n>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>[\u5343\u4e07\u842c\u5104\u4ebf\ucc9c\ub9cc\uc5b5])?\s?"
    r"(?P<unit>[\u5186\u5143\uc6d0])?(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|\b)"
)
_EAST_SCALES: Final = {
    "\u5343": 3,
    "\ucc9c": 3,
    "\u4e07": 4,
    "\u842c": 4,
    "\ub9cc": 4,
    "\u5104": 8,
    "\u4ebf": 8,
    "\uc5b5": 8,
}
_EAST_UNITS: Final = {"\u5186": "JPY", "\u5143": "CNY", "\uc6d0": "KRW"}
_EAST: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def _past(folded: str, said_on: date, language: str) -> list[tuple[tuple[int, int], str]]:
    """Each "yesterday" with its day."""
    if said_on.year < _FIRST_YEAR:
        return []
    back = [(match.span(), _PAST_WORDS[match[0]]) for match in _PAST_FORM.finditer(folded)]
    if weekdays := _last_weekdays(language):
        form, numbers = weekdays
        named = ((match.span(), numbers[match["before"] or match["after"]]) for match in form.finditer(folded))
        back += [(span, (said_on.weekday() - day - 1) % 7 + 1) for span, day in named]
    return [(span, (said_on - timedelta(days=days)).isoformat()) for span, days in back]


#: "Last Tuesday", before or behind the name of the day.
_LAST: Final[Mapping[str, tuple[str, str]]] = {
    "en": ("last", ""),
    "de": ("letzte[nr]?|vergangene[nr]?", ""),
    "fr": ("", "dernier|passé"),
    "es": ("", "pasado"),
    "pt": ("", "passad[ao]"),
    "it": ("", "scors[oa]"),
    "nl": ("afgelopen|vorige", ""),
}


@cache
def _last_weekdays(language: str) -> tuple[re.Pattern[str], Mapping[str, int]] | None:
    if language not in _LAST:
        return None
    before, after = _LAST[language]
    days = languages.LANGUAGES[language].dates.weekdays
    named = "|".join(sorted(map(re.escape, days), key=lambda day: -len(day)))
    form = (
        rf"(?:{before})\s(?P<before>{named})(?P<after>(?!))?"
        if before
        else rf"(?P<before>(?!))?(?P<after>{named})\s(?:{after})"
    )
    return re.compile(rf"(?<!\w)(?:{form})(?!\w)"), days


@cache
def _half_hour(language: str) -> tuple[re.Pattern[str], int]:
    form, shift = dates.half_hour(language)
    return re.compile(rf"(?<!\w){form}(?!\w)"), shift


def _half_hours(folded: str, language: str) -> list[str]:
    """ "Half past six", which may be of the morning or of the evening."""
    if language not in languages.LANGUAGES or not any(sign in folded for sign in ("hal", "me", "mi")):
        return []
    expression, shift = _half_hour(language)
    hours = [numerals.count(match["half"], language) for match in expression.finditer(folded)]
    return [f"{(hour + shift + half) % 24:02}:30" for hour in hours if 0 < hour <= _HOURS for half in (0, _HOURS)]


_HOURS: Final = 12
#: Before it a day is unknown.
_FIRST_YEAR: Final = 1900


def _east_days(text: str, said_on: date) -> list[tuple[tuple[int, int], str]]:
    """ "12\u67083\u65e5": without a year it is the one nearest to the day on which it is said."""
    made = []
    for match in _EAST_DAY.finditer(text) if _EAST.search(text) else ():
        years = (int(match[1]),) if match[1] else (said_on.year - 1, said_on.year, said_on.year + 1)
        days = []
        for year in years:
            with suppress(ValueError):
                days.append(date(year, int(match[2]), int(match[3])))
        if days:
            made.append((match.span(), min(days, key=lambda day: abs((day - said_on).days)).isoformat()))
    return made


def _east_numbers(text: str) -> Iterator[tuple[Value, str]]:
    """ "45\u4e07\u5186": an amount of 450,000 yen; numbers of days apart."""
    if not _EAST.search(text):
        return
    dated = [match.span() for match in _EAST_DAY.finditer(text)]
    for match in _EAST_NUMBER.finditer(text):
        stands_east = match["scale"] or match["unit"] or _EAST.match(text[match.end() : match.end() + 1])
        if not stands_east or overlaps(match.span(), dated):
            continue
        number = Decimal(match["n"].replace(",", "")).scaleb(_EAST_SCALES.get(match["scale"] or "", 0))
        unit = _EAST_UNITS.get(match["unit"] or "", "")
        value = Value("amount" if unit else "number", format(number.normalize(), "f"), unit, *match.span())
        yield value, match[0].strip()


class NamedPeriod(NamedTuple):
    """A quarter or half of a year: "q2" for "Q2" and "das zweite Quartal", "h2" for "the second half"."""

    name: str
    start: int
    end: int


def named_periods(folded: str) -> list[NamedPeriod]:
    """The quarters and halves that a folded text names, in order; of halves only those in words."""
    several = [
        NamedPeriod(f"q{match['n'] or _ORDINALS[match['w']]}", *match.span()) for match in _QUARTER.finditer(folded)
    ]
    several += [NamedPeriod(f"h{_ORDINALS[match['w']]}", *match.span()) for match in _HALF.finditer(folded)]
    return sorted(several, key=lambda period: period.start)


# Texts of a memory are thousands, their words hundreds.
@lru_cache(maxsize=65536)
def key(word: str) -> str:
    """A word as names are compared: "Müller", "Mueller" and "MULLER" are one."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))
    plain = re.sub(r"['\u2019]s?$", "", plain.strip(".'\u2019-"))
    for pair, letter in (("ue", "u"), ("oe", "o"), ("ae", "a"), ("ø", "o"), ("ł", "l"), ("æ", "a")):
        plain = plain.replace(pair, letter)
    return plain.replace("'", "").replace("\u2019", "").replace(".", "")


def words(text: str) -> list[str]:
    """The words of a text as names are compared, parts of joined words apart."""
    return [part for match in _NAME.finditer(text) for each in match[0].split("-") if (part := key(each))]


def is_ordinary(word: str, language: str) -> bool:
    """Whether a word is one of the language's own, and no name."""
    plain = fold(word).strip(".'")
    return plain in _ORDINARY or plain in _known(language) or plain.split("'")[0] in _known(language)


# --- numbers -----------------------------------------------------------------------------------------------------


def _numbers(  # noqa: C901, PLR0912 - one branch a kind of number
    text: str, folded: str, language: str, region: str, dated: list[tuple[int, int]]
) -> tuple[tuple[tuple[Value, str], ...], tuple[str, ...]]:
    """(numbers with the words they stand in, codes)."""
    taken, numbers, codes = list(dated), [], []
    for match in _ADDRESS.finditer(folded):
        codes.append(match[0].rstrip(".,;:!?"))
        taken.append(match.span())
    for match in _VERSION.finditer(folded):
        numbers.append((Value("version", match[1], "", *match.span()), text[match.start() : match.end()]))
        taken.append(match.span())
    for value in values.find(text, language, region):
        if not overlaps((value.start, value.end), taken):
            numbers.append((value, text[value.start : value.end].strip(" .")))
            taken.append((value.start, value.end))
    for match in values.PHONE.finditer(folded):
        if values.is_phone(match[0]) and not overlaps(match.span(), taken):
            codes.append(re.sub(r"\D", "", match[0]))
            taken.append(match.span())
    counted = languages.LANGUAGES[language].counted if language in languages.LANGUAGES else {}
    for match in _CODE.finditer(folded):
        amount, _, unit = match[0].partition("-")
        if amount.isdigit() and unit in counted:  # "a 40-minute outage"
            numbers.append((Value("count", amount.lstrip("0") or "0", counted[unit], *match.span()), match[0]))
            taken.append(match.span())
        elif not overlaps(match.span(), taken) and not _EAST.search(match[0]):
            codes.append(match[0])
            taken.append(match.span())
    for match in _DIGITS.finditer(folded):
        number = None if overlaps(match.span(), taken) else values.number(match[0], language)
        if number is not None:
            numbers.append((Value("number", format(number.normalize(), "f"), "", *match.span()), match[0]))
    for numeral in numerals.find(folded, language):
        if not overlaps((numeral.start, numeral.end), taken):
            kind, unit = _unit(folded[numeral.end :], language)
            spelled = Value(kind, str(numeral.number), unit, numeral.start, numeral.end)
            numbers.append((spelled, text[numeral.start : numeral.end]))
    return tuple(numbers), tuple(codes)


def _unit(after: str, language: str) -> tuple[values.Kind, str]:
    """What a spelled number counts: a currency, a thing, or nothing that the tables know."""
    known = languages.get(language)
    match = re.match(r"\s(?:de\s|d'|di\s)?([^\W\d_]+)", after)
    if known is None or match is None:
        return "number", ""
    if match[1] in known.currencies:
        return "amount", known.currencies[match[1]]
    return ("count", known.counted[match[1]]) if match[1] in known.counted else ("number", "")


# --- days and months ---------------------------------------------------------------------------------------------


def _months(words_of_date: str, language: str) -> list[int]:
    known = languages.get(language)
    months = known.dates.months if known else {}
    return [months[word] for word in _LETTERS.findall(words_of_date) if word in months]


def _bare_months(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """Months by their full name; in languages that write them with a capital, only so."""
    known = languages.get(language)
    if known is None:
        return
    for match in re.finditer(r"[^\W\d_]+", text):
        month = known.dates.months.get(fold(match[0]))
        if month is None or (len(match[0]) < 4 and match[0] != "May"):
            continue
        if known.code in ("en", "de") and not match[0][0].isupper():
            continue
        yield *match.span(), month


def _is_weekday(words_of_date: str, language: str) -> bool:
    known = languages.get(language)
    if known is None:
        return False
    several = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", words_of_date)
    return any(word in known.dates.weekdays or word in known.dates.short_weekdays for word in several)


def _letters(words_of_date: str, language: str) -> bool:
    """Whether the words of a date name a day, and not a time alone."""
    known = languages.get(language)
    return known is not None and any(each in words_of_date for each in known.dates.days)


@cache
def _per(language: str) -> re.Pattern[str]:
    known = languages.get(language)
    return re.compile(rf"(?<!\w)(?:{_PER[known.code]})" if known else r"(?P<unit>(?!))(?P<ly>(?!))")


# --- names -------------------------------------------------------------------------------------------------------


def _names(text: str, language: str, hits: Iterable[dates.Found]) -> Iterator[str]:
    """Runs of words with capitals that the language does not write so by itself."""
    taken = [(hit.start, hit.end) for hit in hits]
    taken += [match.span() for match in _ADDRESS.finditer(text)]
    for sentence in sentences(text, language):
        run: list[str] = []
        run_end = 0
        previous = ""
        for match in _NAME.finditer(sentence.text):
            span = (sentence.start + match.start(), sentence.start + match.end())
            word = match[0].rstrip(".-'\u2019")
            joined = sentence.text[run_end : match.start()] if run else " "
            first = not sentence.text[: match.start()].strip(" \"'\u201c\u201e\u00ab(-*\u00bf\u00a1")
            is_name = (
                not overlaps(span, taken)
                and _has_capital(word, text, span[0])
                and not values.is_currency(word)
                and not is_ordinary(word, language)
                and not (first and language in languages.LANGUAGES and fold(word) in numerals.up_to_twenty(language))
                and not _is_noun(word, previous, language, first)
            )
            if run and (joined.strip() or not (is_name or fold(word) in PARTICLES)):
                yield _closed(run)
                run = []
            if is_name or (run and fold(word) in PARTICLES):
                run.append(word)
                run_end = match.end()
            previous = word
        if run:
            yield _closed(run)


def _has_capital(word: str, text: str, start: int) -> bool:
    return word[:1].isupper() and not (start and text[start - 1].isdigit())


def _closed(run: list[str]) -> str:
    while len(run) > 1 and fold(run[-1]) in PARTICLES:
        run.pop()
    return " ".join(run)


def _is_noun(word: str, previous: str, language: str, first: bool) -> bool:
    """German nouns have capitals: after an article or an adjective, or with the ending of one, it is no name."""
    if language[:2] != "de" or word.isupper():
        return False
    before = fold(previous)
    if "-" in word or (not first and before in _GERMAN_BEFORE):
        return "-" not in word
    if before.endswith(("en", "er", "es", "em", "e")) and previous[:1].islower() and before not in _known("de"):
        return True  # an inflected adjective stands before it
    return fold(word).endswith(_GERMAN_ENDINGS)


@cache
def _known(language: str) -> frozenset[str]:
    """All words of the reader's table of a language, names of days and months too."""
    known = languages.get(language)
    return frozenset(_of_table(known)) if known else frozenset()


def _of_table(known: Words) -> Iterator[str]:
    for each in (known, known.dates):
        for field in fields(each):
            value = getattr(each, field.name)
            several = value if isinstance(value, tuple | frozenset | Mapping) else ()
            for phrase in several:
                if isinstance(phrase, languages.Verb):
                    yield from (phrase.infinitive, phrase.present, *phrase.participle.split("/"))
                elif isinstance(phrase, str):
                    yield from fold(phrase).split()
