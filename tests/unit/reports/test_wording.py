"""Sentences of reports in the user's language: quotation marks, days, full stops, and no word that only we know."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from consumer.reports.detectors.findings import clipped
from consumer.reports.wording import Wording, from_clause, only_points, sentence
from consumer.understanding.life import fold
from consumer.understanding.memory import Change, Contradiction, DecisionMade, Side, StatementEvidence
from consumer.understanding.people import USER, Directory
from consumer.understanding.statements import Due, Quote
from consumer.understanding.utterances import ME, Person
from tests.tables import table
from tests.unit.understanding import talks

TODAY = date(2026, 11, 27)


class Named(Directory):
    """A directory that knows the user by a name, and somebody else of it whom it does not join with them."""

    def __init__(self, others: Directory, name: str) -> None:
        super().__init__()
        self.others, self.own = others, name

    def name(self, who: Any) -> str:
        return self.own if who == USER else self.others.name(who)

    def known(self, who: Any) -> Any:
        return self.others.known(who)._replace(name=self.own) if who == USER else self.others.known(who)


def wording(language: str = "en") -> Wording:
    return Wording(language, TODAY, Directory(), "10:05")


def test_people_who_may_be_one_are_told_with_the_address_of_each() -> None:
    pair = [talks.ANN, Person(talks.ANN.name, "ann@reef.example")]
    memory = fold([talks.record(people=(each,)) for each in pair], (), "2026-11-27 12:00")
    [line] = [Wording("en", TODAY, memory.directory).seen(each) for each in memory.people]
    assert line == f"Ann Lee ({pair[0].address} / {pair[1].address}?)"


@table(
    ("language", "quoted", "asked"),
    [
        ("en", "\u201cWill it float\u201d", "\u201cWill it float?\u201d"),
        ("de", "\u201eWill it float\u201c", "\u201eWill it float?\u201c"),
        ("fr", "\u00ab\u00a0Will it float\u00a0\u00bb", "\u00ab\u00a0Will it float?\u00a0\u00bb"),
        ("es", "\u00abWill it float\u00bb", "\u00abWill it float?\u00bb"),
        ("pt", "\u201cWill it float\u201d", "\u201cWill it float?\u201d"),
        ("it", "\u00abWill it float\u00bb", "\u00abWill it float?\u00bb"),
        ("nl", "\u201cWill it float\u201d", "\u201cWill it float?\u201d"),
    ],
)
def test_words_of_records_stand_between_the_languages_own_marks(language: str, quoted: str, asked: str) -> None:
    assert wording(language).quoted("Will it\nfloat", 90) == quoted
    assert wording(language).quoted("Will it float?", 90) == asked
    # A statement gets a full stop behind its marks, a question needs none.
    assert (sentence(quoted), sentence(asked)) == (f"{quoted}.", asked)


@table(
    ("text", "limit", "shown"),
    [
        ("The harbour owns its readings", 40, "The harbour owns its readings"),
        ("The harbour owns its readings", 20, "The harbour owns\u2026"),
        ("The harbour, however, owns its readings", 23, "The harbour, however\u2026"),
        ("The harbour owns its readings", 17, "The harbour owns\u2026"),
        # A text without spaces, such as an address or Chinese, is cut where it must be.
        ("Donaudampfschifffahrtsgesellschaft", 20, "Donaudampfschifffah\u2026"),
    ],
)
def test_long_words_of_a_record_are_cut_between_words(text: str, limit: int, shown: str) -> None:
    assert clipped(text, limit) == shown
    assert len(shown) <= limit


LONG = "If the landlord does not hear from any of us in the house by noon about the costs of the repair that he ordered"


@table(
    ("words", "thing", "shown"),
    [
        (f"{LONG}, I will send you the receipts", "receipts", "\u2026I will send you the receipts"),
        (f"{LONG}; please call Ann, and send me\nthe receipts", "the receipts", "\u2026and send me the receipts"),
        ("If he calls, I will send you the receipts", "receipts", "If he calls, I will send you the receipts"),
        (f"The receipts are lost, {LONG}", "receipts", f"The receipts are lost, {LONG}"),
        (f"{LONG} I will send you the receipts", "receipts", f"{LONG} I will send you the receipts"),
    ],
)
def test_a_line_too_long_is_told_from_the_clause_that_names_the_thing(words: str, thing: str, shown: str) -> None:
    assert from_clause(words, thing) == shown


@table(
    ("language", "day", "expected"),
    [
        ("en", "2026-11-26", ", was due yesterday, Thu 26 Nov"),
        ("en", "2026-11-25", ", was due Wed 25 Nov, 2 days ago"),
        ("de", "2026-11-26", ", war f\u00e4llig gestern, Do. 26. Nov."),
        ("fr", "2026-11-26", ", attendu hier, jeu. 26 nov."),
    ],
)
def test_a_day_late_is_yesterday(language: str, day: str, expected: str) -> None:
    due = Due(day, "", "", "stated")
    assert wording(language).due(due) == expected


@table(
    ("language", "time", "expected"),
    [
        ("en", "10:00", ", overdue since 10:00 today"),
        ("en", "10:05", ", due today, Fri 27 Nov, 10:05"),
        ("de", "10:00", ", seit heute 10:00 überfällig"),
        ("fr", "10:00", ", en retard depuis aujourd'hui, 10:00"),
        ("es", "10:00", ", con retraso desde hoy, 10:00"),
        ("it", "10:00", ", in ritardo da oggi, 10:00"),
        ("nl", "10:00", ", te laat sinds vandaag 10:00"),
        ("pt", "10:00", ", em atraso desde hoje, 10:00"),
    ],
)
def test_what_fell_due_earlier_today_is_overdue(language: str, time: str, expected: str) -> None:
    assert wording(language).due(Due("2026-11-27", time, "", "stated")) == expected


@table(
    ("language", "zone", "expected"),
    [
        ("en", "Asia/Taipei", "tomorrow, Sat 28 Nov, 03:00 (10:00 in Taipei)"),
        ("de", "Asia/Taipei", "morgen, Sa. 28. Nov., 03:00 (10:00 in Taipeh)"),
        ("fr", "Europe/London", "demain, sam. 28 nov., 03:00 (02:00 \u00e0 Londres)"),
        ("es", "Europe/London", "ma\u00f1ana, s\u00e1b 28 nov, 03:00 (02:00 en Londres)"),
        ("pt", "Asia/Tokyo", "amanh\u00e3, s\u00e1b. 28 nov., 03:00 (11:00 em T\u00f3quio)"),
        ("it", "Europe/London", "domani, sab 28 nov, 03:00 (02:00 a Londra)"),
        ("nl", "Europe/London", "morgen, za 28 nov, 03:00 (02:00 in Londen)"),
        # In the other zone, it is still the previous day.
        ("en", "America/New_York", "tomorrow, Sat 28 Nov, 03:00 (Fri 27 Nov, 21:00 in New York)"),
        ("en", "", "tomorrow, Sat 28 Nov, 03:00"),
    ],
)
def test_a_meeting_planned_in_another_zone_has_both_times(language: str, zone: str, expected: str) -> None:
    spoken = wording(language)
    assert spoken.begins("2026-11-28 03:00 +01:00", zone) == expected
    assert spoken.begins("2026-11-28", zone) == spoken.moment("2026-11-28"), "a day is the same in all zones"
    assert spoken.moment("2026-11-28 07:05") == f"{spoken.moment('2026-11-28')}, 07:05"
    change = Change("c", "meeting", "Visit", "start", "2026-11-29", "2026-11-28 03:00 +01:00", "", None, (), zone)
    assert (" (" in spoken.change(change)) is bool(zone)


@table(
    ("language", "day", "expected"),
    [
        ("en", "2026-12-04", ", due before Fri 4 Dec"),
        ("en", "2026-11-28", ", due before tomorrow, Sat 28 Nov"),
        ("en", "2026-11-27", ", was due yesterday, Thu 26 Nov"),
        ("en", "2026-11-25", ", was due Tue 24 Nov, 3 days ago"),
        ("de", "2026-11-27", ", war fällig gestern, Do. 26. Nov."),
        ("de", "2026-12-04", ", fällig vor Fr. 4. Dez."),
        ("fr", "2026-12-04", ", avant ven. 4 déc."),
        ("es", "2026-12-04", ", antes de vie 4 dic"),
        ("pt", "2026-12-04", ", antes de sex. 4 dez."),
        ("it", "2026-12-04", ", prima di ven 4 dic"),
        ("nl", "2026-12-04", ", vóór vr 4 dec"),
    ],
)
def test_before_a_day_is_told_as_before_it_and_once_late_by_its_last_day(
    language: str, day: str, expected: str
) -> None:
    assert wording(language).due(Due(day, "", "", "stated", before=True)) == expected


@table(
    ("subject", "attribute", "after", "expected"),
    [
        # That a day is a date need not be said, in whatever language the report is.
        (
            "kestrel launch",
            "date",
            "2027-02-03",
            "Kestrel launch: Wed 20 Jan 2027 \u2192 Wed 3 Feb 2027",
        ),
        ("pilot", "budget", "9000 euros", "Pilot, budget: Wed 20 Jan 2027 \u2192 9,000 euros"),
        ("pilot budget", "budget", "9000 euros", "Pilot budget: Wed 20 Jan 2027 \u2192 9,000 euros"),
    ],
)
def test_a_change_names_its_thing_once(subject: str, attribute: str, after: str, expected: str) -> None:
    change = Change("c", "fact", subject, attribute, "2027-01-20", after, "2026-11-27 09:00 +01:00", USER, ())
    assert wording().change(change) == f"{expected} (you, Fri 27 Nov)."


@table(
    ("subject", "attribute", "value", "quote", "expected"),
    [
        ("fax number", "phone", "5550142987", "My new fax number is 555-014-2987.", "Fax number \u2192 555-014-2987"),
        ("Ann Lee", "phone", "5550142987", "Call me at (555) 014-2987 now.", "Ann Lee, phone \u2192 (555) 014-2987"),
        ("number", "phone", "+442079460999", "My new number is +44 20 7946 0999.", "Number \u2192 +44 20 7946 0999"),
        ("Ann Lee", "phone", "5550142987", "Words that lack it.", "Ann Lee, phone \u2192 5550142987"),
        ("Ann Lee", "place", "4260", "I have moved to room 4260.", "Ann Lee \u2192 4260"),
        ("budget", "budget", "62000", "The budget is now 62,000.", "Budget \u2192 62,000"),
    ],
)
def test_a_number_that_measures_nothing_is_told_as_its_words_have_it(
    subject: str, attribute: str, value: str, quote: str, expected: str
) -> None:
    evidence = StatementEvidence("inbound_messages", "m1", quote, "2026-11-27 09:00 +01:00", None, "s1")
    change = Change("c", "fact", subject, attribute, "", value, "", USER, (evidence,))
    assert wording().change(change).startswith(expected)


@table(
    ("language", "named"),
    [("de", "Pilot, Miete: "), ("fr", "Pilot, loyer: "), ("nl", "Pilot, huur: "), ("en", "Pilot, rent: ")],
)
def test_what_a_value_is_of_is_told_in_the_users_language(language: str, named: str) -> None:
    change = Change("c", "fact", "pilot", "rent", "800 EUR", "900 EUR", "2026-11-27 09:00 +01:00", USER, ())
    assert wording(language).change(change).replace("\u00a0", "").replace(" :", ":").startswith(named)
    spoken = replace(change, subject="Neue Miete")
    assert wording("de").change(spoken).startswith("Neue Miete: ")
    # So it is where the record is in another language.
    assert wording("en").change(spoken).startswith("Neue Miete: ")


def test_a_contradiction_about_a_day_names_its_thing_once() -> None:
    sides = tuple(Side(day, day, USER, "2026-11-27 09:00 +01:00", ()) for day in ("2026-12-01", "2026-12-02"))
    contradiction: Any = Contradiction("c", "Launch", "date", "", (), sides)
    text = wording().contradiction(contradiction)
    assert text.startswith("Launch: you say Tue 1 Dec (Fri 27 Nov) but you say Wed 2 Dec")


def test_words_that_only_accept_name_what_they_accept_wherever_a_loop_is_told() -> None:
    wanted = talks.request(ME, "the visa form", (talks.BOB,))
    asked = talks.record(wanted, said_at=talks.at(20, 9), author=ME, to=(talks.BOB,), thread="t")
    accepted = talks.answer(talks.BOB, "accepted")
    sure = replace(accepted, quotes=(Quote(0, "Sure, will do."),))
    agreed = talks.record(sure, said_at=talks.at(20, 10), author=talks.BOB, to=(ME,), thread="t")
    memory = fold([asked, agreed], (), "2026-11-27 10:05 +00:00")
    (loop,) = memory.loops
    spoken = Wording("en", TODAY, memory.directory, "10:05")
    what = "\u201cSure, will do\u201d (\u201cCould you do it: the visa form?\u201d)"
    assert spoken.loop(loop) == f"Bob Marsh promised you: {what}."
    assert spoken.owed(loop) == f"Bob Marsh: {what}."


@table(
    ("loop", "points"),
    [
        (talks.promise(ME, "it", (talks.BOB,)), True),
        (talks.promise(ME, "that.", (talks.BOB,)), True),
        (talks.promise(ME, "", (talks.BOB,)), True),
        (talks.promise(ME, "the visa form", (talks.BOB,)), False),
    ],
)
def test_words_that_only_point_at_their_object_name_none(loop: Any, points: bool) -> None:
    said_by_me = talks.record(loop, said_at=talks.at(20, 9), author=ME, to=(talks.BOB,))
    (read,) = fold([said_by_me], (), "2026-11-27 10:05 +00:00").loops
    assert only_points(read) == points
    assert not only_points(replace(read, kind="task"))


def test_a_meeting_says_who_owes_what_is_open_and_never_lists_the_user() -> None:
    readings = [
        talks.record(talks.promise(talks.BOB, "the figures", (ME,), by="2026-12-01"), author=talks.BOB, to=(ME,)),
        talks.record(talks.event("Sync", "2026-11-28 10:00 +00:00", (talks.ANN, talks.BOB), key="k"), record_id="m"),
    ]
    memory = fold(readings, (), "2026-11-27 10:05 +00:00")
    (meeting,) = memory.upcoming()
    named = Named(memory.directory, "Ann Lee")
    spoken = Wording("en", TODAY, named, "10:05").meeting(meeting, memory.open_loops())
    assert "open between you: Bob Marsh promised you: \u201cI will do it: the figures\u201d, due Tue 1 Dec." in spoken
    assert ", with Bob Marsh;" in spoken, "somebody of the user's own name is the user"


@table(
    ("meeting", "expected"),
    [
        ("", "\u201cthe press hears of it last\u201d (Thu 5 Nov)."),
        ("Launch review", "\u201cthe press hears of it last\u201d (Launch review, Thu 5 Nov)."),
        ("The press", "\u201cthe press hears of it last\u201d (Thu 5 Nov)."),
    ],
)
def test_a_decision_names_the_meeting_that_its_words_leave_out(meeting: str, expected: str) -> None:
    evidence = StatementEvidence("meeting_notes", "r", "Decision: the press hears of it last.", "", USER, "d")
    made: Any = DecisionMade("d", (USER,), "the press hears of it last", "", "2026-11-05 15:00 +01:00", "", (evidence,))
    assert wording().decision(made, meeting) == expected


ANN, NOW = talks.ANN, "2026-11-27 20:10 +00:00"
PROMISED = talks.record(talks.promise(ANN, "the deck", (ME,)), author=ANN, to=(ME,), thread="t")
PROMISE = talks.record(talks.promise(ME, "the deck", (ANN,)), author=ME, to=(ANN,), thread="t")
ASKED = talks.record(talks.request(ANN, "the deck", (ME,)), author=ANN, to=(ME,), thread="t")
REQUEST = talks.record(talks.request(ME, "the deck", (ANN,)), author=ME, to=(ANN,), thread="t")


@table(
    ("begun", "verdict", "line"),
    [
        (PROMISED, "delivered", "Ann Lee kept this promise: \u201cI will do it: the deck\u201d."),
        (PROMISED, "declined", "Ann Lee will not do this: \u201cI will do it: the deck\u201d."),
        (PROMISE, "released", "Ann Lee no longer needs this: \u201cI will do it: the deck\u201d."),
        (REQUEST, "delivered", "Ann Lee did what you asked: \u201cCould you do it: the deck?\u201d"),
        (REQUEST, "declined", "Ann Lee will not do this: \u201cCould you do it: the deck?\u201d"),
        (ASKED, "released", "Ann Lee no longer needs this: \u201cCould you do it: the deck?\u201d"),
    ],
)
def test_how_another_person_ended_a_loop_is_told(begun: Any, verdict: str, line: str) -> None:
    ended = talks.record(
        talks.answer(ANN, verdict, "the deck", (ME,)), author=ANN, to=(ME,), said_at=talks.at(24), thread="t"
    )
    memory = fold([begun, ended], (), NOW)
    (loop,) = memory.loops
    assert Wording("en", TODAY, memory.directory).closed(loop) == line


@table(
    ("state", "line"),
    [("done", "Ann Lee has done \u201cthe deck\u201d."), ("cancelled", "Cancelled: \u201cthe deck\u201d.")],
)
def test_how_a_task_of_another_ended_is_told(state: str, line: str) -> None:
    owner = ANN if state == "done" else talks.UNKNOWN
    memory = fold([talks.record(talks.task("the deck", state, owner=owner), source="checklist_items")], (), NOW)
    (loop,) = memory.loops
    assert Wording("en", TODAY, memory.directory).closed(loop) == line
