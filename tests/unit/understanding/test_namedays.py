"""Days by another name than the plain words of dates."""

from __future__ import annotations

from datetime import date, timedelta

from consumer.understanding import dates
from tests.tables import table

#: A Thursday.
SAID = date(2026, 11, 26)


def day(language: str, words: str, said_on: date = SAID) -> str:
    due = dates.resolve(words, said_on, language, "GB")
    return due.day if due else ""


@table(
    ("language", "words", "right"),
    [
        ("en", "by the fifteenth", "2026-12-15"), ("en", "by December fifteenth", "2026-12-15"),
        ("en", "by the twenty-first of December", "2026-12-21"),
        ("de", "bis zum fünfzehnten Dezember", "2026-12-15"), ("de", "bis zum fünfzehnten", "2026-12-15"),
        ("fr", "le quinze décembre", "2026-12-15"), ("es", "el quince de diciembre", "2026-12-15"),
        ("pt", "a quinze de dezembro", "2026-12-15"), ("it", "il quindici dicembre", "2026-12-15"),
        ("nl", "op vijftien december", "2026-12-15"),
        # Of one of two things, or of a floor.
        ("en", "on the second", ""), ("en", "by the first floor", ""), ("de", "zum ersten Mal", ""),
    ],
)  # fmt: skip
def test_a_day_in_words_is_the_day_of_its_number(language: str, words: str, right: str) -> None:
    assert day(language, words) == right


@table(
    ("language", "words", "right"),
    [
        ("en", "the first Monday of December", "2026-12-07"), ("en", "the last Friday of next month", "2026-12-25"),
        ("de", "am ersten Montag im Dezember", "2026-12-07"), ("fr", "le premier lundi de décembre", "2026-12-07"),
        ("es", "el primer lunes de diciembre", "2026-12-07"), ("it", "il primo lunedì di dicembre", "2026-12-07"),
        ("pt", "a primeira segunda-feira de dezembro", "2026-12-07"),
        ("nl", "de eerste maandag van december", "2026-12-07"),
        ("en", "by the last day of the month", "2026-11-30"), ("de", "am letzten Tag des Monats", "2026-11-30"),
        ("fr", "le dernier jour du mois", "2026-11-30"), ("it", "l'ultimo giorno del mese", "2026-11-30"),
        ("es", "el último día del mes", "2026-11-30"), ("nl", "de laatste dag van december", "2026-12-31"),
        ("pt", "o último dia de dezembro", "2026-12-31"),
    ],
)  # fmt: skip
def test_a_weekday_and_a_last_day_are_counted_in_their_month(language: str, words: str, right: str) -> None:
    assert day(language, words) == right


@table(
    ("language", "words", "right"),
    [
        ("en", "early next week", "2026-12-01"), ("en", "mid next week", "2026-12-02"),
        ("de", "Anfang nächster Woche", "2026-12-01"), ("de", "Mitte nächster Woche", "2026-12-02"),
        ("fr", "en début de semaine prochaine", "2026-12-01"),
        ("es", "a principios de la próxima semana", "2026-12-01"),
        ("pt", "no início da próxima semana", "2026-12-01"), ("it", "a inizio settimana prossima", "2026-12-01"),
        ("nl", "begin volgende week", "2026-12-01"),
        ("en", "in the week of December 7", "2026-12-11"), ("de", "in der Woche vom 7. Dezember", "2026-12-11"),
        ("fr", "la semaine du 7 décembre", "2026-12-11"), ("es", "la semana del 7 de diciembre", "2026-12-11"),
        ("it", "la settimana del 7 dicembre", "2026-12-11"), ("nl", "de week van 7 december", "2026-12-11"),
        ("de", "bis KW 50", "2026-12-11"), ("nl", "in week 50", "2026-12-11"), ("de", "in KW 2", "2027-01-15"),
        ("de", "in KW 60", ""),
    ],
)  # fmt: skip
def test_the_beginning_the_middle_and_the_number_of_a_week(language: str, words: str, right: str) -> None:
    assert day(language, words) == right


@table(
    ("language", "words", "right"),
    [
        ("en", "by Christmas", "2026-12-25"), ("en", "by New Year's Eve", "2026-12-31"),
        ("de", "bis Heiligabend", "2026-12-24"), ("fr", "d'ici Noël", "2026-12-25"),
        ("es", "para Navidad", "2026-12-25"), ("pt", "até ao Natal", "2026-12-25"),
        ("it", "entro Natale", "2026-12-25"),
        ("nl", "tegen kerst", "2026-12-25"), ("en", "by Halloween", "2026-10-31"),
        ("en", "by 04-Dec-2026", "2026-12-04"), ("en", "by 4-Dec-26", "2026-12-04"),
        ("en", "by 20261204", "2026-12-04"),
        # What has the name of a feast, and a number.
        ("en", "for the Christmas party", ""), ("it", "a Natale Rossi", ""), ("en", "order 20261204", ""),
        ("en", "by 20261304", ""),
    ],
)  # fmt: skip
def test_feasts_and_days_as_programs_write_them(language: str, words: str, right: str) -> None:
    assert day(language, words) == right


def test_the_ends_of_the_calendar_have_no_such_days() -> None:
    for said_on in (date.min, date.max, date.min + timedelta(days=400), date.max - timedelta(days=400)):
        for words in ("by the fifteenth", "early next week", "by Christmas", "by the last day of the month"):
            dates.scan(words, said_on, "en")
        dates.scan("bis KW 50", said_on, "de")
