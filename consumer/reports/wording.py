"""
Memory in words of the user's language: who, what, to whom, when.

Fixed phrases come from ``consumer.reports.phrases``, days, numbers and plurals from Babel. Words of records stay in the
language that they were written in, between quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Final

from babel import Locale
from babel.dates import format_date, get_timezone_location
from babel.numbers import format_decimal

from consumer.reports import phrases
from consumer.reports.detectors.findings import clipped
from consumer.reports.phrases import Plural, ReportPhrases
from consumer.understanding.memory import (
    Change,
    Contradiction,
    DecisionMade,
    Loop,
    Meeting,
    PersonSeen,
    Side,
    StatementEvidence,
)
from consumer.understanding.moments import day_of
from consumer.understanding.people import USER, Directory, PersonId
from consumer.understanding.questions.tables import TABLES
from consumer.understanding.statements import CONVERSATION, Due
from renderers import grouping

#: Characters of a record's words inside a sentence.
WORDS: Final = 140
#: Names of people in one sentence; the others are counted.
NAMED: Final = 4
#: Characters of what an acceptance accepts, and of the subject of a conversation.
ABOUT: Final = 100
#: Letters of a word that names something.
_NAMING: Final = 4
#: Words that point at a thing instead of naming it.
_POINTS: Final = frozenset(
    (
        *("it", "this", "that", "them", "these", "those", "es", "dies", "ihn", "ça", "cela", "ceci"),
        *("lo", "eso", "esto", "isso", "isto", "ciò", "questo", "het", "dit", "dat"),
    )
)
#: A label that a record puts before a decision; the line has one of its own.
#: Attributes whose numbers measure nothing, and what may stand between their digits.
_CODES: Final = frozenset({"phone", "email", "address", "place", "name", "person", "version"})
_BETWEEN_DIGITS: Final = r"[\s().\-/]{0,3}"
_DECISION: Final = re.compile(
    r"^(?:decision|decided|decisión|decisão|decisione|décision|entscheidung|beschluss|besluit|beslissing)\s*:\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wording:
    """Puts memory into words. ``today``: the user's day, to which "tomorrow" refers; ``at``: their time, ``17:00``."""

    language: str
    today: date
    directory: Directory
    at: str = ""
    phrases: ReportPhrases = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "phrases", phrases.of(self.language))

    # --- days and numbers ----------------------------------------------------------------------------------------

    def day(self, day: date) -> str:
        """``Fri 27 Nov``, with the year where it differs from today's."""
        pattern = self.phrases.day if day.year == self.today.year else self.phrases.day_of_year
        return _formatted(day, pattern, self.phrases.language)

    def full_day(self, day: date) -> str:
        """The same with its year: for pages that stay the same until their evidence changes."""
        return _formatted(day, self.phrases.day_of_year, self.phrases.language)

    def near(self, day: date) -> str:
        """``day``, behind "yesterday", "today" or "tomorrow" where it is one of them."""
        shown = self.day(day)
        days_left = (day - self.today).days
        near = {-1: self.phrases.yesterday, 0: self.phrases.today, 1: self.phrases.tomorrow}.get(days_left)
        return near.format(day=shown) if near else shown

    def moment(self, text: str) -> str:
        """``2026-11-29 17:00`` or a day alone -> ``tomorrow, Sun 29 Nov, 17:00``; "" for no day."""
        day = day_of(text)
        return "" if day is None else self.near(day) + (f", {text[11:16]}" if len(text) >= 16 else "")

    def begins(self, starts: str, zone: str) -> str:
        """When a meeting begins, in the user's zone and in another zone in which it was planned: ``tomorrow, Tue 10
        Nov, 03:00 (10:00 in Taipei)``.
        """
        return self.moment(starts) + self._there(starts, zone)

    def _there(self, starts: str, zone: str) -> str:
        """The time in another zone, with the day if it differs."""
        if not zone or len(starts) < len("2026-11-10 03:00 +01:00"):
            return ""
        try:
            local = datetime.fromisoformat(f"{starts[:16]}{starts[17:]}").astimezone(grouping.zone(zone))
        except (OverflowError, ValueError):
            return ""
        day = "" if local.date().isoformat() == starts[:10] else f"{self.day(local.date())}, "
        place = _place(zone, self.phrases.language)
        return f" ({self.phrases.time_in.format(time=f'{day}{local:%H:%M}', place=place)})" if place else ""

    def due(self, due: Due | None) -> str:
        """What a loop's sentence says of its date; "" without one."""
        day = day_of(due.day) if due else None
        if due is None or day is None:
            return ""
        time = f", {due.time}" if due.time else ""
        # What was due before a day is late from that day's first minute: its last day says since when.
        last_day = day_of(due.last_day) or day
        late = (self.today - last_day).days
        if late > 1:
            return self.many(self.phrases.was_due_days_ago, late, when=self.day(last_day) + time)
        if late == 1:
            return self.phrases.was_due.format(when=self.near(last_day) + time)
        if late == 0 and not due.before and "" < due.time < self.at:
            return self.phrases.overdue_today.format(time=due.time)
        return (self.phrases.due_before if due.before else self.phrases.due).format(when=self.near(day) + time)

    def _until(self, due: Due, day: str) -> str:
        return self.phrases.before.format(day=day) if due.before else day

    def full_due(self, due: Due) -> str:
        """A due date with its year; "" if it is not a day."""
        day = day_of(due.day)
        return self._until(due, self.full_day(day)) + (f", {due.time}" if due.time else "") if day else ""

    def number(self, number: int | Decimal) -> str:
        return format_decimal(number, locale=self.phrases.language)

    def many(self, plural: Plural, count: int, **filled: str) -> str:
        """The singular or plural phrase for a number."""
        form = Locale(self.phrases.language).plural_form(count)
        phrase = plural.singular if form == "one" else plural.other
        return phrase.format(count=self.number(count), **filled)

    def value(self, value: str) -> str:
        """A fact's value: a day with its weekday, a number as the language writes it, or the words as they are."""
        day = day_of(value)
        if day is None:
            number, _, unit = value.partition(" ")
            plain = number.isdecimal() and number.isascii()
            return f"{self.number(int(number))} {unit}".rstrip() if plain else value
        return self.day(day) + (f", {value[11:16]}" if len(value) >= 16 else "")

    def _value(self, value: str, attribute: str, evidence: Iterable[StatementEvidence]) -> str:
        """A fact's value; a number that measures nothing, such as of a phone or a room, as its words have it."""
        if attribute not in _CODES:
            return self.value(value)
        is_number = value.removeprefix("+").isdecimal()
        code = re.compile(r"\(?" + _BETWEEN_DIGITS.join(map(re.escape, value)) if is_number else re.escape(value))
        return next((match[0] for each in evidence if (match := code.search(each.quote))), value)

    def quoted(self, words: str, limit: int) -> str:
        """A record's words on one line, in the language's quotation marks; of more than ``limit``, the first ones."""
        return self.phrases.quoted.format(words=clipped(words, limit))

    # --- people --------------------------------------------------------------------------------------------------

    def name(self, who: PersonId) -> str:
        return self.phrases.you if who == USER else self.directory.name(who)

    def seen(self, seen: PersonSeen) -> str:
        """Somebody; who may be several, with the address of each: ``Ann Lee (ann@a.example / al@b.example?)``."""
        if not seen.each:
            return self.name(seen.id) or seen.written
        places = [each.addresses[0] if each.addresses else each.name for each in map(self.directory.known, seen.ids)]
        more = ["\u2026"] * (len(places) > NAMED)
        return f"{self.directory.known(seen.id).name} ({' / '.join([*places[:NAMED], *more])}?)"

    def names(self, several: Iterable[PersonId]) -> str:
        return self.listed([self.name(who) for who in several])

    def listed(self, several: Sequence[str]) -> str:
        """``Ann, Bob and Cat``; of many, the first and the number of the others."""
        names = list(several)
        if len(names) > NAMED:
            names[NAMED - 1 :] = [f"+{self.number(len(names) - NAMED + 1)}"]
        *first, last = names or [""]
        return self.phrases.both.format(first=", ".join(first), last=last) if first else last

    # --- loops ---------------------------------------------------------------------------------------------------

    def loop(self, loop: Loop, *, dated: bool = True, about: str = "") -> str:
        """Who owes what to whom, by when. ``dated``: with its date.

        ``about``: what the record speaks of, where neither its words nor memory name it: "Could you please send it?"
        """
        stated = loop.condition and loop.condition not in loop.words
        condition = self.phrases.condition.format(what=self.quoted(loop.condition, 80)) if stated else ""
        text = sentence(self.owes(loop) + self._about(loop, about) + condition + (self.due(loop.due) if dated else ""))
        return f"{text} {self.phrases.again}" if loop.again else text

    def _about(self, loop: Loop, about: str = "") -> str:
        """Behind words such as "Will do": what they are about."""
        about = about or _unsaid(loop)
        return f" ({self.quoted(about, ABOUT)})" if about else ""

    def owed(self, loop: Loop) -> str:
        """The same below a heading that says who owes: the other side, the words, the date."""
        others = {
            "you_owe": loop.beneficiaries,
            "asked_of_you": loop.beneficiaries,
            "owed_to_you": (loop.owner,) if loop.owner else (),
            "asked_by_you": loop.asked,
        }.get(loop.direction, ())
        names = "" if loop.kind == "task" and loop.direction == "you_owe" else self.names(others)
        what = self.words(loop) + self._about(loop) + self.due(loop.due)
        return sentence(f"{capital(names)}: {what}" if names else what)

    def owes(self, loop: Loop) -> str:
        """The owner, the other side, and the record's own words."""
        table = self.phrases
        if loop.kind == "task":
            what = self.quoted(loop.object, WORDS)
            if loop.direction == "you_owe" or loop.owner is None:
                return table.on_your_list.format(what=what)
            return table.assigned.format(what=what, who=self.name(loop.owner))
        what, others = self.words(loop), self.names(loop.beneficiaries)
        owner = capital(self.name(loop.owner) if loop.owner else table.one_record)
        if loop.direction == "you_owe":
            phrase = table.you_promised if others else table.you_promised_nobody
            return phrase.format(who=others, what=what)
        if loop.direction == "owed_to_you":
            phrase = table.promised_you if USER in loop.beneficiaries else table.promised_everyone
            return phrase.format(who=owner, what=what)
        if loop.direction == "asked_of_you":
            return table.asks_you.format(who=capital(others), what=what)
        return table.you_asked.format(who=self.names(loop.asked), what=what)

    def moved(self, loop: Loop, before: str, about: str = "") -> str:
        """A loop with another date than the user was told: ``You promised Ann Lee: “...”, moved from Fri 4 Dec to Mon
        7 Dec.``
        """
        due = f"{loop.due.day} {loop.due.time}".strip() if loop.due else ""
        moved = self.phrases.moved.format(before=self.value(before), after=self.value(due))
        return sentence(f"{self.owes(loop)}{self._about(loop, about)}{moved}")

    def words(self, loop: Loop) -> str:
        """The record's words that opened a loop, as a quotation; of a task its title."""
        words = loop.object if loop.kind == "task" else loop.words or loop.object
        return self.quoted(from_clause(words.rstrip(". "), loop.object), WORDS)

    def closed(self, loop: Loop, about: str = "") -> str:
        """What another person has delivered or called off. ``about``: as in ``loop``."""
        who = loop.closed_by[0].by if loop.closed_by else loop.owner
        what, table = self.words(loop) + self._about(loop, about), self.phrases
        if loop.state == "delivered" and (who or loop.owner):
            if loop.kind == "task":
                phrase = table.completed
            elif loop.direction == "asked_by_you":
                phrase = table.answered
            else:
                # The line names the person who made the promise, whoever reported that it is done.
                phrase, who = table.delivered, loop.owner or who
            return sentence(phrase.format(who=capital(self.name(who or loop.owner or "")), what=what))
        if not who:
            return sentence(table.cancelled.format(what=what))
        # Who waits for it takes it back; who owes it declines.
        owes = who == loop.owner or who in loop.asked
        phrase = table.declined if owes else table.released
        return sentence(phrase.format(who=capital(self.name(who)), what=what))

    # --- values, decisions, meetings -----------------------------------------------------------------------------

    def contradiction(self, contradiction: Contradiction) -> str:
        first, last = (self._side(side, contradiction.attribute) for side in contradiction.sides[:2])
        scope = "".join(f", {value}" for name, value in contradiction.scope if name != CONVERSATION)
        named = self._named(contradiction.subject, contradiction.attribute)
        text = sentence(f"{named}{scope}: {self.phrases.but.format(first=first, last=last)}")
        return f"{text} {self.phrases.again}" if contradiction.again else text

    def _named(self, subject: str, attribute: str) -> str:
        """``Kestrel launch, budget``; the subject alone where it has the attribute's word."""
        name = TABLES[self.phrases.language].names.get(attribute, attribute)
        there = ("", *_SAYS_ITSELF, *subject.casefold().split())
        # The subject is in the record's language, which may be another one.
        everywhere = [table.names.get(attribute, name).casefold() for table in TABLES.values()]
        words = (attribute.casefold(), _SAYING.get(attribute), *everywhere)
        return subject if any(word in there for word in words) else f"{subject}, {name}"

    def _side(self, side: Side, attribute: str) -> str:
        day, value = day_of(side.said_at), self._value(side.shown, attribute, side.evidence)
        if side.by == USER:
            side_text = self.phrases.you_say.format(value=value)
        else:
            side_text = self.phrases.says.format(
                who=self.name(side.by) if side.by else self.phrases.one_record, value=value
            )
        return f"{side_text} ({self.day(day)})" if day else side_text

    def change(self, change: Change) -> str:
        """``Sync: Mon 30 Nov, 15:00 → Tue 1 Dec, 15:00 (Ann Lee, Wed 25 Nov).``"""
        day = day_of(change.at)
        who = [self.name(change.who)] if change.who else []
        by = ", ".join([*who, *([self.day(day)] if day else [])])
        # Of a meeting or a promise the subject says enough: "start" and "due" are our own words for it.
        subject = self._named(change.subject, change.attribute if change.kind == "fact" else "")
        # What an announcement replaces may be nowhere: "The review has been moved to Friday".
        code = change.attribute if change.kind == "fact" else ""
        before = f": {self._value(change.before, code, change.evidence)}" if change.before else ""
        after = self._value(change.after, code, change.evidence) + self._there(change.after, change.zone)
        return sentence(f"{capital(subject)}{before} \u2192 {after}" + (f" ({by})" if by else ""))

    def rescheduled(self, title: str, before: str, after: str) -> str:
        """An entry of a calendar at another time: ``Board: Thu 3 Dec, 09:00 → Thu 3 Dec, 11:00``."""
        return sentence(f"{capital(title)}: {self.value(before)} \u2192 {self.value(after)}")

    def rewritten(self, title: str, before: str, after: str) -> str:
        """Words of a record that a newer version replaced: ``“Pilot”: “It starts in May” → “It starts in June”.``"""
        old, new = (self.quoted(text.rstrip(". "), WORDS) for text in (before, after))
        return sentence(f"{self.quoted(title, 60)}: {old} \u2192 {new}")

    def decision(self, decision: DecisionMade, meeting: str = "", *, replaces: bool = False, full: bool = False) -> str:
        """Who decided what, and when; ``full``: with the year. ``meeting``: where, for words like "it" and "we"."""
        # That the user's own notes say so does not make it the user's decision alone.
        day, who = day_of(decision.at), "" if decision.who == (USER,) else self.names(decision.who)
        shown = "" if day is None else self.full_day(day) if full else self.day(day)
        # The words alone: that they are a decision is said by the label or the heading above them.
        quote = decision.evidence[0].quote if decision.evidence else decision.what
        if meeting and meeting.casefold() not in quote.casefold():
            shown = f"{meeting}, {shown}" if shown else meeting
        what = self.quoted(_DECISION.sub("", quote).rstrip(". "), WORDS)
        phrase = self.phrases.decided_by if who else self.phrases.decided
        text = phrase.format(who=capital(who), what=what, day=shown)
        if decision.replaced_by:
            text += self.phrases.replaced
        return sentence(text + (self.phrases.replaces if replaces else ""))

    def meeting(self, meeting: Meeting, between: Sequence[Loop] = ()) -> str:
        """A meeting with its people and what is open with them."""
        text = self.phrases.meeting.format(
            title=self.quoted(meeting.title, 80), when=self.begins(meeting.starts, meeting.zone)
        )
        # A calendar may list the user as somebody of their name, whom nothing joins with them.
        own = self.directory.known(USER).name.casefold()
        others = [who for who in meeting.attendees if self.name(who).casefold() != own]
        if others:
            text += self.phrases.with_people.format(who=self.names(others))
        if between:
            # Who owes it to whom: of several people in the meeting it may be any.
            what = self.owes(between[0]) + self.due(between[0].due)
            text += self.many(self.phrases.open_with_them, len(between), what=what)
        return sentence(self.phrases.cancelled.format(what=text) if meeting.state == "cancelled" else text)


#: Our own words for what a value is, where the value says it: a day is a date in every language.
_SAYS_ITSELF: Final = ("date", "place", "person", "team", "name", "address")
#: Another word of a subject that says an attribute.
_SAYING: Final = {"phone": "number"}

#: Closing quotation marks, and the space before one in French.
_CLOSING: Final = "\u201d\u201c\u00bb\u00a0"


def sentence(text: str) -> str:
    """With a full stop at the end, unless it ends with one already: an abbreviated month, a quoted question."""
    quoted = text.rstrip(_CLOSING)
    ends = text.endswith(".") or (quoted != text and quoted.endswith(("?", "!", "\u2026")))
    return text if ends else f"{text}."


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def from_clause(words: str, thing: str) -> str:
    """The same words; from their last clause on that begins before ``thing``, if a line would be cut before its end."""
    flat = " ".join(words.split())
    place = flat.casefold().rfind(thing.casefold())
    if place + len(thing) < WORDS:
        return words
    clauses = [match.end() for match in _CLAUSE.finditer(flat, 0, place)]
    return f"\u2026{flat[clauses[-1] :]}" if clauses else words


#: Where a clause begins: ", I will", "; we", " - please".
_CLAUSE: Final = re.compile(r"(?:[,;:]|\s[\u2013\u2014-])\s+")


def only_points(loop: Loop) -> bool:
    """Whether a promise or a request points at its object ("it") instead of naming it."""
    named = loop.object.casefold().split()
    return loop.kind != "task" and bool(loop.words) and (not named or named[0].strip(".,?!") in _POINTS)


def _unsaid(loop: Loop) -> str:
    """What words such as "Sure" accept, in the words of who asked for it; "" where a loop's words name their object."""
    if loop.kind == "task" or not loop.words or only_points(loop):
        return ""
    named, words = loop.object.casefold().split(), loop.words.casefold()
    long = [word for word in named if len(word) >= _NAMING]
    if any(word in words for word in long or named):
        return ""
    # A request is told in its own words, and these may point at their object: "Could you send it?"
    asked = [piece.quote for piece in loop.evidence if loop.kind == "commitment" and piece.by != loop.owner]
    return asked[0].rstrip(". ") if asked else loop.object


@lru_cache(maxsize=1024)
def _place(zone: str, language: str) -> str:
    """The name of a zone's city in a language: ``Taipeh``; "" for a zone without a city."""
    try:
        return str(get_timezone_location(grouping.zone(zone), locale=language, return_city=True))
    except LookupError:
        return ""


@lru_cache(maxsize=4096)
def _formatted(day: date, pattern: str, language: str) -> str:
    return format_date(day, pattern, locale=language)
