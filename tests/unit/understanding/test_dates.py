"""Words of dates in seven languages, said on Thursday, 26 November 2026."""
# ruff: noqa: E501, RUF001 - tables of cases

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from consumer.understanding import dates, languages, numerals
from consumer.understanding.statements import Due
from tests.tables import table

SAID = date(2026, 11, 26)


@table(
    ("language", "words", "day", "time", "basis"),
    [
        *(("en", *row) for row in (
            ("2026-12-03", "2026-12-03", "", "stated"), ("by December 3", "2026-12-03", "", "stated"),
            ("3 Dec 2026", "2026-12-03", "", "stated"), ("Dec. 3rd", "2026-12-03", "", "stated"),
            ("12/03/2026", "2026-12-03", "", "stated"), ("Friday", "2026-11-27", "", "relative"),
            ("Fri", "2026-11-27", "", "relative"), ("Thursday", "2026-12-03", "", "relative"),
            ("this Thursday", "2026-11-26", "", "relative"), ("tomorrow", "2026-11-27", "", "relative"),
            ("today", "2026-11-26", "", "relative"), ("tonight", "2026-11-26", "", "relative"),
            ("the day after tomorrow", "2026-11-28", "", "relative"), ("next week", "2026-12-04", "", "period"),
            ("over the next week", "2026-12-03", "", "relative"),
            ("next Friday", "2026-12-04", "", "relative"), ("Friday next week", "2026-12-04", "", "relative"),
            ("end of the week", "2026-11-27", "", "period"), ("by the end of the month", "2026-11-30", "", "period"),
            ("end of Q1", "2027-03-31", "", "period"), ("EOD", "2026-11-26", "", "period"),
            ("in two weeks", "2026-12-10", "", "relative"), ("within 3 days", "2026-11-29", "", "relative"),
            ("by noon", "2026-11-26", "12:00", "relative"), ("Friday at 17:00", "2026-11-27", "17:00", "relative"),
            ("5pm on Friday", "2026-11-27", "17:00", "relative"), ("tomorrow at 9 a.m.", "2026-11-27", "09:00", "relative"),
            ("Thursday, December 3, 2026", "2026-12-03", "", "stated"), ("May 4", "2027-05-04", "", "stated"),
            ("by December", "2026-12-31", "", "period"), ("end of May", "2027-05-31", "", "period"),
            ("February 29, 2028", "2028-02-29", "", "stated"), ("12 noon tomorrow", "2026-11-27", "12:00", "relative"),
        )),
        *(("de", *row) for row in (
            ("3. Dezember", "2026-12-03", "", "stated"), ("am 3.12.", "2026-12-03", "", "stated"),
            ("03.12.2026", "2026-12-03", "", "stated"), ("Fr.", "2026-11-27", "", "relative"),
            ("bis Freitag", "2026-11-27", "", "relative"), ("morgen", "2026-11-27", "", "relative"),
            ("heute", "2026-11-26", "", "relative"), ("heute Abend", "2026-11-26", "", "relative"),
            ("übermorgen", "2026-11-28", "", "relative"), ("nächste Woche", "2026-12-04", "", "period"),
            ("Ende der Woche", "2026-11-27", "", "period"), ("bis Ende des Monats", "2026-11-30", "", "period"),
            ("Ende Q1", "2027-03-31", "", "period"), ("in zwei Wochen", "2026-12-10", "", "relative"),
            ("Freitag um 17 Uhr", "2026-11-27", "17:00", "relative"), ("Freitag, den 4. Dezember", "2026-12-04", "", "stated"),
            ("12/03/2027", "2027-03-12", "", "stated"), ("bis Feierabend", "2026-11-26", "", "period"),
            ("kommenden Montag", "2026-11-30", "", "relative"),
        )),
        *(("fr", *row) for row in (
            ("3 décembre", "2026-12-03", "", "stated"), ("le 1er décembre 2026", "2026-12-01", "", "stated"),
            ("03/12/2026", "2026-12-03", "", "stated"), ("vendredi", "2026-11-27", "", "relative"),
            ("demain", "2026-11-27", "", "relative"), ("aujourd’hui", "2026-11-26", "", "relative"),
            ("cet après-midi", "2026-11-26", "", "relative"), ("après-demain", "2026-11-28", "", "relative"),
            ("la semaine prochaine", "2026-12-04", "", "period"), ("d'ici la fin de la semaine", "2026-11-27", "", "period"),
            ("avant la fin du mois", "2026-11-30", "", "period"), ("dans deux semaines", "2026-12-10", "", "relative"),
            ("vendredi à 17h", "2026-11-27", "17:00", "relative"), ("vendredi à 17h30", "2026-11-27", "17:30", "relative"),
            ("avant midi", "2026-11-26", "12:00", "relative"), ("mardi prochain", "2026-12-01", "", "relative"),
        )),
        *(("es", *row) for row in (
            ("3 de diciembre", "2026-12-03", "", "stated"), ("el 3 de diciembre de 2026", "2026-12-03", "", "stated"),
            ("03/12/2026", "2026-12-03", "", "stated"), ("el viernes", "2026-11-27", "", "relative"),
            ("mañana", "2026-11-27", "", "relative"), ("hoy", "2026-11-26", "", "relative"),
            ("esta noche", "2026-11-26", "", "relative"), ("pasado mañana", "2026-11-28", "", "relative"),
            ("la próxima semana", "2026-12-04", "", "period"), ("antes de fin de mes", "2026-11-30", "", "period"),
            ("dentro de dos semanas", "2026-12-10", "", "relative"), ("el viernes a las 17:00", "2026-11-27", "17:00", "relative"),
            ("el viernes a las 5 de la tarde", "2026-11-27", "17:00", "relative"), ("el martes que viene", "2026-12-01", "", "relative"),
        )),
        *(("pt", *row) for row in (
            ("3 de dezembro", "2026-12-03", "", "stated"), ("03/12/2026", "2026-12-03", "", "stated"),
            ("até sexta-feira", "2026-11-27", "", "relative"), ("na sexta", "2026-11-27", "", "relative"),
            ("amanhã", "2026-11-27", "", "relative"), ("hoje", "2026-11-26", "", "relative"),
            ("hoje à noite", "2026-11-26", "", "relative"), ("depois de amanhã", "2026-11-28", "", "relative"),
            ("na próxima semana", "2026-12-04", "", "period"), ("até ao fim do mês", "2026-11-30", "", "period"),
            ("daqui a duas semanas", "2026-12-10", "", "relative"), ("na sexta às 17h", "2026-11-27", "17:00", "relative"),
        )),
        *(("it", *row) for row in (
            ("3 dicembre", "2026-12-03", "", "stated"), ("03/12/2026", "2026-12-03", "", "stated"),
            ("entro venerdì", "2026-11-27", "", "relative"), ("domani", "2026-11-27", "", "relative"),
            ("oggi", "2026-11-26", "", "relative"), ("stasera", "2026-11-26", "", "relative"),
            ("dopodomani", "2026-11-28", "", "relative"), ("la prossima settimana", "2026-12-04", "", "period"),
            ("entro la fine della settimana", "2026-11-27", "", "period"), ("entro fine mese", "2026-11-30", "", "period"),
            ("tra due settimane", "2026-12-10", "", "relative"), ("venerdì alle 17", "2026-11-27", "17:00", "relative"),
        )),
        *(("nl", *row) for row in (
            ("3 december", "2026-12-03", "", "stated"), ("03-12-2026", "2026-12-03", "", "stated"),
            ("voor vrijdag", "2026-11-27", "", "relative"), ("morgen", "2026-11-27", "", "relative"),
            ("vandaag", "2026-11-26", "", "relative"), ("vanavond", "2026-11-26", "", "relative"),
            ("overmorgen", "2026-11-28", "", "relative"), ("volgende week", "2026-12-04", "", "period"),
            ("eind van de week", "2026-11-27", "", "period"), ("voor het einde van de maand", "2026-11-30", "", "period"),
            ("over twee weken", "2026-12-10", "", "relative"), ("vrijdag om 17 uur", "2026-11-27", "17:00", "relative"),
        )),
    ],
)  # fmt: skip
def test_words_of_a_date_mean_a_day(language: str, words: str, day: str, time: str, basis: str) -> None:
    due = dates.resolve(words, SAID, language, "US")
    assert due is not None
    assert (due.day, due.time, due.basis, due.words) == (day, time, basis, words)


#: How a language says that something is ``{}`` from now, its number words in the order of counting, and other forms.
COUNTED = {
    "en": ("in {} days", "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
           " sixteen seventeen eighteen nineteen twenty", {"a couple of": 2}),
    "de": ("in {} Tagen", "einem zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"
           " sechzehn siebzehn achtzehn neunzehn zwanzig", {}),
    "fr": ("dans {} jours", "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
           " dix-sept dix-huit dix-neuf vingt", {}),
    "es": ("dentro de {} días", "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
           " dieciséis diecisiete dieciocho diecinueve veinte", {}),
    "pt": ("daqui a {} dias", "um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze"
           " dezasseis dezassete dezoito dezanove vinte",
           {"duas": 2, "quatorze": 14, "dezesseis": 16, "dezessete": 17, "dezenove": 19}),
    "it": ("tra {} giorni", "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici"
           " quindici sedici diciassette diciotto diciannove venti", {}),
    "nl": ("over {} dagen", "één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien"
           " zestien zeventien achttien negentien twintig", {}),
}  # fmt: skip
ARTICLES = {
    "en": "a an",
    "de": "ein eine einen einer",
    "fr": "une",
    "es": "un una",
    "pt": "uma",
    "it": "un una",
    "nl": "een",
}


@table("language", COUNTED)
def test_a_number_word_counts_as_its_digits_do(language: str) -> None:
    frame, counting, others = COUNTED[language]
    ones = dict.fromkeys(ARTICLES[language].split(), 1)
    expected = {word: n for n, word in enumerate(counting.split(), 1)} | others | ones
    assert numerals.up_to_twenty(language) == expected
    # "In acht Tagen" is a week from now, "dans quinze jours" two.
    weeks = {"acht": 7, "huit": 7, "ocho": 7, "oito": 7, "otto": 7, "quinze": 14, "quince": 14, "quindici": 14}
    for word, count in expected.items():
        number = weeks.get(word, count)
        due = dates.resolve(frame.format(word), SAID, language)
        assert due and due.day == (SAID + timedelta(days=number)).isoformat(), word


@table(
    ("language", "frame", "units"),
    [
        ("en", "in 3 {}", ("hour hours minutes", "day days", "week weeks", "month months", "fortnight fortnights")),
        ("de", "in 3 {}", ("Stunde Stunden Minuten", "Tag Tage Tagen", "Woche Wochen", "Monat Monaten")),
        ("fr", "dans 3 {}", ("heure heures minutes", "jour jours", "semaine semaines", "mois")),
        ("es", "dentro de 3 {}", ("hora horas minutos", "día días", "semana semanas", "mes meses")),
        ("pt", "daqui a 3 {}", ("hora horas minutos", "dia dias", "semana semanas", "mês meses")),
        ("it", "tra 3 {}", ("ora ore minuti", "giorno giorni", "settimana settimane", "mese mesi")),
        ("nl", "over 3 {}", ("uur uren minuten", "dag dagen", "week weken", "maand maanden")),
    ],
)
def test_a_unit_of_time_has_its_length(language: str, frame: str, units: tuple[str, ...]) -> None:
    words = languages.get(language)
    assert words is not None
    three_later = ("2026-11-26", "2026-11-29", "2026-12-17", "2027-02-26", "2027-01-07")  # hours, days, ..., fortnights
    expected = {unit: day for day, several in zip(three_later, units, strict=False) for unit in several.split()}
    assert {unit.lower() for unit in expected} == {unit for unit in words.dates.units if " " not in unit}
    for unit, day in expected.items():
        due = dates.resolve(frame.format(unit), SAID, language)
        assert due and due.day == day, unit


@table(
    ("language", "text", "day"),
    [
        ("en", "within 48 hours", "2026-11-28"),
        ("en", "in 3 hours", "2026-11-26"),
        ("en", "within 24 hours", "2026-11-27"),
        ("de", "in 48 Stunden", "2026-11-28"),
        ("fr", "dans 72 heures", "2026-11-29"),
        ("es", "en 48 horas", "2026-11-28"),
        ("pt", "em 48 horas", "2026-11-28"),
        ("it", "entro 48 ore", "2026-11-28"),
        ("nl", "binnen 48 uur", "2026-11-28"),
    ],
)
def test_twenty_four_hours_are_a_day(language: str, text: str, day: str) -> None:
    due = dates.resolve(text, SAID, language)
    assert due is not None
    assert due.day == day


@table(
    ("language", "words", "day"),
    [
        ("en", "in two weeks' time", "2026-12-10"), ("en", "in 2 weeks time", "2026-12-10"), ("en", "in a week's time", "2026-12-03"),
        ("en", "in 3 days' time", "2026-11-29"), ("fr", "dans quinze jours", "2026-12-10"),
    ],
)  # fmt: skip
def test_a_unit_of_several_words_has_its_length(language: str, words: str, day: str) -> None:
    due = dates.resolve(words, SAID, language)
    assert due and due.day == day


@table(
    ("language", "words"),
    [
        ("en", "yesterday"), ("en", "last Friday"), ("en", "good morning"), ("en", "two weeks ago"), ("en", "version 12.3"),
        ("en", "31/31/2026"), ("en", "February 30"), ("en", "the sun is out"), ("en", "Monday or Tuesday"), ("en", "3/4 of it"),
        ("de", "gestern"), ("de", "letzten Freitag"), ("de", "guten Morgen"), ("de", "so ist es"), ("fr", "hier"),
        ("fr", "vendredi dernier"), ("es", "ayer"), ("es", "el lunes pasado"), ("pt", "ontem"), ("pt", "segunda vez"),
        ("it", "ieri"), ("it", "venerdì scorso"), ("nl", "gisteren"), ("en", "we sat"), ("en", "in the sun"), ("en", "they fri it"), ("nl", "vorige week"), ("zh", "2026-12-03"), ("en", ""),
    ],
)  # fmt: skip
def test_other_words_mean_no_day_to_come(language: str, words: str) -> None:
    assert dates.resolve(words, SAID, language) is None


def due_of(sentence: str, said_on: date, language: str, region: str = "") -> Due | None:
    hit = dates.choose(dates.scan(sentence, said_on, language, region), said_on, 0, len(sentence))
    return hit.due if hit else None


@table(
    ("language", "words", "day"),
    [
        ("en", "close of business Tuesday", "2026-12-01"), ("en", "COB tomorrow", "2026-11-27"),
        ("en", "by the end of the day on Monday", "2026-11-30"), ("en", "by Weds", "2026-12-02"),
        ("en", "a week from Monday", "2026-12-07"), ("en", "two weeks from tomorrow", "2026-12-11"),
        ("en", "Tuesday week", "2026-12-08"), ("en", "by year end", "2026-12-31"),
        ("de", "heute in zwei Wochen", "2026-12-10"), ("de", "Dienstag in einer Woche", "2026-12-08"),
        ("de", "bis Jahresende", "2026-12-31"), ("fr", "mardi en huit", "2026-12-08"),
        ("fr", "avant le 12", "2026-12-12"), ("fr", "le 12 \u00e0 15h", "2026-12-12"), ("fr", "fin d'ann\u00e9e", "2026-12-31"),
        ("es", "el 12", "2026-12-12"), ("es", "a finales de la pr\u00f3xima semana", "2026-12-04"),
        ("es", "el viernes dentro de una semana", "2026-12-04"), ("it", "il 12", "2026-12-12"),
        ("it", "domattina", "2026-11-27"), ("it", "nel fine settimana", "2026-11-29"),
        ("pt", "no fim de semana", "2026-11-29"), ("nl", "voor het eind van volgende week", "2026-12-04"),
        ("nl", "vrijdag over twee weken", "2026-12-11"), ("en", "by the first of next month", "2026-12-01"),
        ("en", "by the 15th of next month", "2026-12-15"), ("en", "by the last day of next month", "2026-12-31"),
        ("de", "bis zum 5. des nächsten Monats", "2026-12-05"), ("fr", "avant le 5 du mois prochain", "2026-12-05"),
        ("es", "antes del 5 del próximo mes", "2026-12-05"), ("it", "entro il 5 del mese prossimo", "2026-12-05"),
        ("nl", "voor 5 van volgende maand", "2026-12-05"),
    ],
)  # fmt: skip
def test_a_day_is_counted_from_another_and_named_by_its_number(language: str, words: str, day: str) -> None:
    due = due_of(words, SAID, language, "US")
    assert due and due.day == day


@table(
    ("language", "words"),
    [
        ("fr", "le 3 est mieux"), ("fr", "le 9 \u0153ufs"), ("fr", "le 5 %"), ("es", "el 9 de la lista"), ("es", "el 15%"),
        ("it", "il 7 per cento"), ("it", "il 3 va bene"),
    ],
)  # fmt: skip
def test_a_number_with_a_noun_or_a_verb_is_no_day(language: str, words: str) -> None:
    assert due_of(words, SAID, language) is None


@table(
    ("language", "sentence", "day"),
    [
        ("en", "Not in on Friday but I'll send it by Tuesday", "2026-12-01"),
        ("en", "I'll send the Friday report by Tuesday", "2026-12-01"),
        ("en", "I'll send the slides of Friday's meeting", ""),
        ("en", "I'll send the minutes from Monday tomorrow", "2026-11-27"),
        ("en", "Drawings to Dr. Weber by December 2", "2026-12-02"),
        ("de", "Nicht am Freitag, aber ich schicke es bis Dienstag", "2026-12-01"),
        ("de", "Ich schicke das Protokoll vom Montag bis Dienstag", "2026-12-01"),
        ("fr", "Pas vendredi, mais je l'envoie avant mardi", "2026-12-01"),
        ("es", "No el viernes, pero lo envío antes del martes", "2026-12-01"),
        ("pt", "Não na sexta, mas envio até terça-feira", "2026-12-01"),
        ("it", "Non venerdì, ma lo mando entro martedì", "2026-12-01"),
        ("nl", "Niet op vrijdag, maar ik stuur het uiterlijk dinsdag", "2026-12-01"),
        ("en", "I sent it on November 20, the rest follows", ""),
    ],
)
def test_the_due_date_is_the_one_that_is_meant(language: str, sentence: str, day: str) -> None:
    due = due_of(sentence, SAID, language, "US")
    assert (due.day if due else "") == day


@table(
    ("language", "words", "day"),
    [
        ("en", "mid-December", "2026-12-15"), ("en", "the middle of January", "2027-01-15"),
        ("de", "Mitte Dezember", "2026-12-15"), ("fr", "la mi-décembre", "2026-12-15"),
        ("es", "mediados de diciembre", "2026-12-15"), ("pt", "meados de dezembro", "2026-12-15"),
        ("it", "metà dicembre", "2026-12-15"), ("nl", "half december", "2026-12-15"),
        ("en", "the first of December", "2026-12-01"), ("de", "ersten Dezember", "2026-12-01"),
        ("fr", "premier décembre", "2026-12-01"), ("es", "primero de diciembre", "2026-12-01"),
        ("pt", "primeiro de dezembro", "2026-12-01"), ("it", "primo dicembre", "2026-12-01"),
        ("nl", "eerste december", "2026-12-01"), ("en", "the Monday after next", "2026-12-07"),
        ("de", "übernächsten Montag", "2026-12-07"), ("en", "the week after next", "2026-12-11"),
        ("de", "übernächste Woche", "2026-12-11"), ("en", "in a fortnight", "2026-12-10"),
        ("fr", "sous huitaine", "2026-12-03"), ("en", "2026/12/03", "2026-12-03"), ("en", "2026.12.3", "2026-12-03"),
    ],
)  # fmt: skip
def test_middles_and_beginnings_of_months_and_days_of_the_week_after_next(language: str, words: str, day: str) -> None:
    due = dates.resolve(words, SAID, language)
    assert due and due.day == day


@table(
    ("language", "words", "day", "time"),
    [
        ("en", "Friday the 11th", "2026-12-11", ""), ("en", "Fri 11th", "2026-12-11", ""),
        ("en", "will send it by fri", "2026-11-27", ""), ("en", "will send it thurs, ok", "2026-12-03", ""),
        ("en", "Friday the 11th at 5pm", "2026-12-11", "17:00"), ("de", "Freitag, den 11.", "2026-12-11", ""),
        ("fr", "vendredi 11", "2026-12-11", ""), ("es", "el viernes 11", "2026-12-11", ""),
        ("it", "venerdì 11", "2026-12-11", ""), ("pt", "sexta-feira, dia 11", "2026-12-11", ""),
        ("nl", "vrijdag de 11e", "2026-12-11", ""),
        # A number that no such day near has, of something else, or of a date with a month.
        ("en", "Friday 3rd", "2026-11-27", ""), ("en", "Friday 11 people", "2026-11-27", ""),
        ("en", "Friday 11am", "2026-11-27", "11:00"), ("de", "Freitag 11 Uhr", "2026-11-27", "11:00"),
        ("en", "Friday 11 December", "2026-12-11", ""), ("fr", "vendredi 11 h", "2026-11-27", "11:00"),
        ("it", "venerdì 11 persone", "2026-11-27", ""),
    ],
)  # fmt: skip
def test_a_weekday_with_the_number_of_a_day_is_that_day(language: str, words: str, day: str, time: str) -> None:
    [(due, _, _)] = dates.find(words, SAID, language)
    assert (due.day, due.time) == (day, time)


def test_dates_have_their_places() -> None:
    text = "Call on Friday at 5pm, not on Monday."
    [(due, start, end)] = dates.find(text, SAID, "en", "US")
    assert text[start:end] == due.words == "Friday at 5pm"


@table("said_on", [date.min, date.max, date(2028, 2, 29), date(2026, 12, 31)])
@table("language", languages.LANGUAGES)
def test_the_edges_of_the_calendar_break_nothing(said_on: date, language: str) -> None:
    words = languages.LANGUAGES[language].dates
    for phrase in [
        *words.weekdays,
        *words.days,
        *words.next_week,
        *words.this_month,
        *words.next_month,
        *words.months,
        "31.12.",
    ]:
        dates.scan(f"{words.by[0]} {phrase} 31", said_on, language)


@given(st.text(max_size=60), st.dates(), st.sampled_from([*languages.LANGUAGES, "", "zh"]))
def test_any_text_is_read_without_an_error(text: str, said_on: date, language: str) -> None:
    for hit in dates.scan(text, said_on, language):
        assert 0 <= hit.start < hit.end <= len(text)
        assert hit.due is None or hit.due.words == text[hit.start : hit.end]


@table(
    ("language", "text", "day"),
    [
        ("en", "by the 19th?", "2026-06-19"),
        ("en", "by the 9th and not later", "2026-07-09"),
        ("en", "by the 19th of July", "2026-07-19"),
        ("en", "by the 19th floor", ""),
        ("en", "the 3rd time", ""),
        ("de", "bis zum 20. die Liste", "2026-06-20"),
        ("de", "zum 20. Geburtstag", ""),
        ("nl", "op de 14e, graag", "2026-06-14"),
        ("pt", "no dia 14 as chaves", "2026-06-14"),
        ("pt", "podes trazer na sexta?", "2026-06-12"),
        ("es", "el día 31", "2026-07-31"),
    ],
)
def test_a_day_of_this_month_or_the_next(language: str, text: str, day: str) -> None:
    days = dates.find(text, date(2026, 6, 10), language, "GB")
    assert [due.day for due, *_ in days] == ([day] if day else [])


@table(
    ("language", "text", "time"),
    [
        ("en", "this evening at 9", "21:00"), ("en", "tomorrow evening at 10:30", "22:30"), ("en", "tonight at 8", "20:00"),
        ("en", "tomorrow afternoon at 2:15", "14:15"), ("en", "at 3:30", "15:30"), ("en", "at 3:00 in the afternoon", "15:00"), ("en", "at 6:05", "18:05"), ("en", "tomorrow at 3", "15:00"),
        ("en", "at 3 o'clock", "15:00"), ("en", "at 6:30 in the morning", "06:30"), ("en", "tomorrow morning at 5", "05:00"),
        ("en", "at 03:30", "03:30"), ("en", "at 3am", "03:00"), ("en", "tomorrow at 8", "08:00"), ("en", "tonight at 1", ""),
        ("de", "heute Abend um 8", "20:00"), ("de", "morgen Nachmittag um 3", "15:00"), ("de", "morgen um 3", "15:00"),
        ("de", "morgen um 3 Uhr nachts", "03:00"), ("de", "morgen früh um 6", "06:00"), ("de", "um 5:30 Uhr", "05:30"),
        ("fr", "ce soir à 8h", "20:00"), ("fr", "demain après-midi à 3h", "15:00"), ("fr", "à 6h du matin", "06:00"),
        ("es", "esta tarde a las 5", "17:00"), ("es", "mañana a las 3", "15:00"), ("es", "mañana por la mañana a las 6", "06:00"),
        ("it", "stasera alle 8", "20:00"), ("it", "domani mattina alle 6", "06:00"), ("it", "domani alle 3", "15:00"),
        ("pt", "hoje à noite às 8h", "20:00"), ("pt", "amanhã às 3h", "15:00"), ("pt", "amanhã de manhã às 6h", "06:00"),
        ("nl", "vanavond om 8 uur", "20:00"), ("nl", "morgen om 3 uur", "15:00"), ("nl", "morgenochtend om 6 uur", "06:00"),
        ("es", "a las 9 de la tarde", "21:00"), ("es", "esta tarde a las 9", "21:00"), ("es", "a las 12 de la noche", "23:59"),
        ("es", "a las 3 de la tarde", "15:00"), ("pt", "às 9 da noite", "21:00"), ("it", "alle 9 di sera", "21:00"),
        ("nl", "om 9 uur 's avonds", "21:00"), ("fr", "à 8h du soir", "20:00"), ("fr", "à 3 heures de l'après-midi", "15:00"),
    ],
)  # fmt: skip
def test_an_hour_is_one_of_the_half_of_the_day_that_people_mean(language: str, text: str, time: str) -> None:
    [(due, _, _)] = dates.find(text, SAID, language)
    assert due.time == time


@table(
    ("language", "text", "day", "time"),
    [
        ("de", "Ich schicke ihn Dienstagabend um 9.", "2026-12-01", "21:00"), ("de", "Dienstagmorgen um 8", "2026-12-01", "08:00"),
        ("de", "Dienstagmorgen um 6", "2026-12-01", "06:00"), ("de", "Dienstag Morgen um 8", "2026-12-01", "08:00"),
        ("de", "bis Montagmittag, 12 Uhr", "2026-11-30", "12:00"), ("de", "bis Freitagmittag", "2026-11-27", ""),
        ("de", "am Dienstagnachmittag um 3", "2026-12-01", "15:00"), ("de", "kommenden Montagvormittag", "2026-11-30", ""), ("de", "vor Montagabend", "2026-11-30", ""),
        ("de", "am Dienstag um halb vier", "2026-12-01", "15:30"), ("de", "um halb neun am Montag", "2026-11-30", "08:30"), ("de", "bis Monatsende", "2026-11-30", ""),
        ("de", "innerhalb einer Woche", "2026-12-02", ""), ("de", "innerhalb von acht Tagen", "2026-12-03", ""), ("de", "heute in acht Tagen", "2026-12-02", ""),
        ("de", "in vierzehn Tagen", "2026-12-09", ""), ("de", "am Montag, nein, Dienstag", "2026-12-01", ""),
        ("de", "am Montag, äh, ich meine Dienstag", "2026-12-01", ""), ("de", "bis Montag, Quatsch, bis Dienstag", "2026-12-01", ""),
        ("de", "am Montag um 15 Uhr MEZ", "2026-11-30", ""), ("de", "am Montag um 9 Uhr New Yorker Zeit", "2026-11-30", ""),
        ("de", "am Montag um 9 Uhr Ortszeit", "2026-11-30", "09:00"), ("de", "bis zum 3., also Donnerstag", "2026-12-03", ""),
        ("nl", "dinsdagavond om 9", "2026-12-01", "21:00"), ("nl", "dinsdagmiddag om half drie", "2026-12-01", "14:30"),
        ("nl", "vrijdagochtend om 9", "2026-11-27", "09:00"), ("nl", "volgende dinsdagavond", "2026-12-01", ""), ("nl", "over acht dagen", "2026-12-02", ""),
        ("nl", "maandag, nee, dinsdag", "2026-12-01", ""), ("nl", "maandag, of beter dinsdag", "2026-12-01", ""),
        ("nl", "maandag om 9 uur Amsterdamse tijd", "2026-11-30", ""), ("nl", "uiterlijk de 3e, dus donderdag", "2026-12-03", ""),
        ("nl", "binnen een week", "2026-12-02", ""), ("en", "on Monday, no wait, Tuesday", "2026-12-01", ""), ("en", "by Monday, I mean Tuesday", "2026-12-01", ""),
        ("en", "by Monday, sorry, Tuesday", "2026-12-01", ""), ("en", "by Monday - no, Tuesday", "2026-12-01", ""),
        ("en", "on Monday (no, make that Tuesday)", "2026-12-01", ""), ("en", "on Monday, scratch that, on Tuesday", "2026-12-01", ""),
        ("en", "by Monday, or rather Tuesday", "2026-12-01", ""), ("en", "by Monday, actually Tuesday", "2026-12-01", ""),
        ("en", "on Thursday, no, Wednesday", "2026-12-02", ""), ("en", "on Monday by 15:00 UTC", "2026-11-30", ""), ("en", "on Monday at 9am Pacific", "2026-11-30", ""),
        ("en", "by 17:00 CET on Monday", "2026-11-30", ""), ("en", "17:00 CET on Monday", "2026-11-30", ""), ("en", "by 5 pm EST on Monday", "2026-11-30", ""),
        ("en", "by 5pm (ET) Monday", "2026-11-30", ""), ("en", "on Monday at 9am London time", "2026-11-30", ""), ("en", "on Monday at 9am your time", "2026-11-30", ""),
        ("en", "on Monday at 9 o'clock New York time", "2026-11-30", ""), ("en", "by 15:00 UTC", "2026-11-25", ""), ("en", "by 3pm this time", "2026-11-25", "15:00"),
        ("en", "on Monday at 15:00 GMT+2", "2026-11-30", ""), ("en", "on Monday by 3 pm", "2026-11-30", "15:00"),
        ("en", "by half past nine on Monday morning", "2026-11-30", "09:30"), ("en", "by half past 3 on Monday", "2026-11-30", "15:30"),
        ("en", "by EOW", "2026-11-27", ""), ("en", "by EOM", "2026-11-30", ""), ("en", "by month's end", "2026-11-30", ""), ("en", "within a week", "2026-12-02", ""),
        ("en", "Tuesday evening at 9", "2026-12-01", "21:00"), ("fr", "dans quinze jours", "2026-12-09", ""), ("fr", "dans huit jours", "2026-12-02", ""),
        ("fr", "d'ici une semaine", "2026-12-02", ""), ("fr", "lundi, non, mardi", "2026-12-01", ""), ("fr", "lundi, pardon, mardi", "2026-12-01", ""),
        ("fr", "lundi ou plutôt mardi", "2026-12-01", ""), ("fr", "lundi à neuf heures et demie", "2026-11-30", "09:30"),
        ("fr", "lundi à 15 h heure de Paris", "2026-11-30", ""), ("fr", "d'ici le 3, soit jeudi", "2026-12-03", ""),
        ("fr", "mardi soir à 9 heures", "2026-12-01", "21:00"), ("fr", "fin de mois", "2026-11-30", ""), ("es", "en quince días", "2026-12-09", ""),
        ("es", "dentro de ocho días", "2026-12-02", ""), ("es", "el lunes, no, el martes", "2026-12-01", ""), ("es", "el lunes, perdón, el martes", "2026-12-01", ""),
        ("es", "el lunes, mejor dicho el martes", "2026-12-01", ""), ("es", "el lunes a las nueve y media", "2026-11-30", "09:30"),
        ("es", "el lunes a las 15:00, hora de Madrid", "2026-11-30", ""), ("es", "antes del 3, es decir, el jueves", "2026-12-03", ""),
        ("es", "el martes por la noche a las 9", "2026-12-01", "21:00"), ("pt", "daqui a quinze dias", "2026-12-09", ""),
        ("pt", "na segunda, não, na terça", "2026-12-01", ""), ("pt", "na segunda, aliás, na terça", "2026-12-01", ""),
        ("pt", "na segunda às nove e meia", "2026-11-30", "09:30"), ("pt", "até dia 3, ou seja, quinta", "2026-12-03", ""),
        ("pt", "na terça à noite às 9", "2026-12-01", "21:00"), ("it", "fra otto giorni", "2026-12-02", ""), ("it", "lunedì, anzi martedì", "2026-12-01", ""),
        ("it", "lunedì, no, martedì", "2026-12-01", ""), ("it", "lunedì alle nove e mezza", "2026-11-30", "09:30"),
        ("it", "entro il 3 p.v., cioè giovedì", "2026-12-03", ""), ("it", "entro il 3, cioè giovedì", "2026-12-03", ""), ("it", "giovedì 3 p.v.", "2026-12-03", ""),
        ("it", "martedì sera alle 9", "2026-12-01", "21:00"), ("es", "la factura del 3", "", ""), ("es", "antes del 3", "2026-12-03", ""),
        ("es", "antes del mediodía", "2026-11-25", "12:00"), ("it", "prima del 3", "2026-12-03", ""), ("it", "la fattura del 3", "", ""),
        ("de", "die Rechnung vom 3.", "", ""), ("de", "vor dem 3.", "2026-12-03", ""), ("fr", "avant le 3", "2026-12-03", ""), ("en", "before the 3rd", "2026-12-03", ""),
        ("en", "at 5 pm on Monday in time", "2026-11-30", "17:00"),
    ],
)  # fmt: skip
def test_a_day_is_the_one_that_a_reader_would_take_it_for(language: str, text: str, day: str, time: str) -> None:
    """Said on Wednesday, 25 November 2026: parts of days in one word, corrections, halves of hours, hours elsewhere."""
    due = due_of(text, date(2026, 11, 25), language, "GB")
    assert (due.day, due.time) == (day, time) if due else (day, time) == ("", "")


#: Words for a day -> how many days ahead it is.
AHEAD = {
    "en": {
        0: "today, tonight, this morning, this afternoon, this evening, later today",
        1: "tomorrow, tomorow, tommorow, tommorrow, tmrw, tmr",
        2: "the day after tomorrow, day after tomorrow",
    },
    "de": {
        0: "heute, heute noch, noch heute, heute Abend, heute Nachmittag, heute Morgen, heute Vormittag, heute Mittag, heute Nacht",
        1: "morgen",
        2: "übermorgen",
    },
    "fr": {
        0: "aujourd'hui, ce soir, cet après-midi, ce matin, cette nuit, dès aujourd'hui, ce midi",
        1: "demain, dès demain",
        2: "après-demain, après demain",
    },
    "es": {
        0: "hoy, hoy mismo, esta noche, esta tarde, esta mañana, este mediodía, hoy por la tarde, hoy por la noche",
        1: "mañana, mañana mismo",
        2: "pasado mañana",
    },
    "pt": {
        0: "hoje, hoje mesmo, ainda hoje, hoje à noite, hoje à tarde, hoje de manhã, esta noite, esta tarde, logo à noite",
        1: "amanhã",
        2: "depois de amanhã",
    },
    "it": {
        0: "oggi, oggi stesso, stasera, questa sera, oggi pomeriggio, questo pomeriggio, stamattina, stamani, stanotte",
        1: "domani, domattina",
        2: "dopodomani, dopo domani",
    },
    "nl": {
        0: "vandaag, vandaag nog, nog vandaag, vanavond, vanmiddag, vanochtend, vanmorgen, vannacht",
        1: "morgen, morgenochtend, morgenmiddag, morgenavond",
        2: "overmorgen",
    },
}


@table(
    "language, words, ahead",
    [
        (language, each, ahead)
        for language, by_day in AHEAD.items()
        for ahead, words in by_day.items()
        for each in words.split(", ")
    ],
)
def test_a_word_names_a_day_counted_from_today(language: str, words: str, ahead: int) -> None:
    [hit] = dates.scan(words, SAID, language)
    assert hit.due is not None
    assert hit.due.day == (SAID + timedelta(ahead)).isoformat()


#: Numbers from twenty to ninety-nine, by language: in which words, and how many.
SPELLED = {
    "en": {"twenty-one": 21, "twenty one": 21, "thirty": 30, "forty-five": 45, "ninety-nine": 99},
    "de": {"einundzwanzig": 21, "dreißig": 30, "fünfundvierzig": 45, "neunundneunzig": 99},
    "fr": {"vingt et un": 21, "vingt-neuf": 29, "soixante et onze": 71, "quatre-vingt-dix-neuf": 99},
    "es": {"veintiún": 21, "veintidós": 22, "treinta y un": 31, "cuarenta y cinco": 45, "noventa y nueve": 99},
    "pt": {"vinte e um": 21, "trinta": 30, "quarenta e cinco": 45, "noventa e nove": 99},
    "it": {"ventuno": 21, "ventun": 21, "ventitré": 23, "quarantacinque": 45, "novantanove": 99},
    "nl": {"eenentwintig": 21, "drieëntwintig": 23, "dertig": 30, "negenennegentig": 99},
}


@table("language", SPELLED)
def test_days_are_counted_in_words_up_to_ninety_nine(language: str) -> None:
    for words, number in SPELLED[language].items():
        due = dates.resolve(COUNTED[language][0].format(words), SAID, language)
        assert due and due.day == (SAID + timedelta(days=number)).isoformat(), words


@table(
    ("language", "words"),
    [
        ("en", "later in the week"), ("de", "im Laufe der Woche"), ("fr", "dans la semaine"), ("it", "in settimana"),
        ("es", "a lo largo de la semana"), ("pt", "ao longo da semana"), ("nl", "in de loop van de week"),
    ],
)  # fmt: skip
def test_later_in_the_week_is_the_week_to_come_when_it_is_over(language: str, words: str) -> None:
    days = [dates.resolve(words, date(2026, 11, day), language) for day in (25, 27, 28, 29)]
    assert [due and due.day for due in days] == ["2026-11-27", "2026-11-29", "2026-12-04", "2026-12-04"]


def test_the_end_of_the_week_is_no_sunday_on_a_sunday() -> None:
    for words in ("this week", "by the end of the week"):
        days = [dates.resolve(words, date(2026, 11, day), "en") for day in (27, 28, 29)]
        assert [due and due.day for due in days] == ["2026-11-27", "2026-11-29", "2026-12-04"]


@table(
    ("language", "words", "day"),
    [
        ("en", "by Friday EOD", "2026-11-27"), ("en", "Fri EOD I'll send it", "2026-11-27"),
        ("en", "on Dec 3, close of business", "2026-12-03"), ("de", "Freitag bis Ende des Tages", "2026-11-27"),
        ("fr", "vendredi en fin de journée", "2026-11-27"), ("it", "venerdì entro fine giornata", "2026-11-27"),
        ("nl", "vrijdag aan het eind van de dag", "2026-11-27"), ("pt", "sexta ao fim do dia", "2026-11-27"),
        ("en", "Sat down with Ann", ""), ("en", "Sat morning", "2026-11-28"),
    ],
)  # fmt: skip
def test_the_end_of_a_day_is_that_of_the_day_before_it(language: str, words: str, day: str) -> None:
    due = due_of(words, SAID, language)
    assert (due.day if due else "") == day
