"""Entries of memory as sentences of a language. Names and things stay in the words of their records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from consumer.understanding import languages
from consumer.understanding.memory import Change, DecisionMade, Loop, Meeting, Side, StandingFact
from consumer.understanding.moments import day_of
from consumer.understanding.people import USER, Directory, PersonId
from consumer.understanding.questions.tables import TABLES
from consumer.understanding.statements import CONVERSATION
from consumer.understanding.text import flat, fold, undirected

#: Characters of a record's words in a sentence.
_SHOWN: Final = 160
_CAPITAL_MONTHS: Final = frozenset({"en", "de"})


@dataclass(frozen=True, slots=True)
class Teller:
    language: str
    directory: Directory
    today: date

    def loop(self, loop: Loop) -> str:
        others = [who for who in loop.beneficiaries if who != loop.owner]
        owner = self._name(loop.owner) if loop.owner else self._names(loop.asked)
        what = self._thing(loop) + self._if(loop) + self._state(loop)
        if not owner:
            return what  # Nobody's, as the user said.
        names = self._names(loop.asked if loop.direction == "asked_by_you" else others)
        return self._say(self._form(loop, others), owner=owner, names=names, what=what)

    @staticmethod
    def _form(loop: Loop, others: Sequence[PersonId]) -> str:
        """The sentence that says whose it is; ``others``: to whom it is owed."""
        match loop.direction:
            case "you_owe":
                return "your_task" if loop.kind == "task" else "you_owe" if others else "you_alone"
            case "asked_of_you" | "asked_by_you":
                return loop.direction
            case "owed_to_you" if USER in others:
                return "owed_to_you"
        return "others" if others else "alone"

    def _thing(self, loop: Loop) -> str:
        """A list item's title; else what was said, for its object alone does not say what is done with it."""
        if loop.kind == "task" or not loop.words:
            return _short(loop.object)
        quote = self._say("quoted", words=_short(loop.words.rstrip(". ")))
        pronoun = any(loop.object.casefold() in words.pronoun_objects for words in languages.LANGUAGES.values())
        # "Sure, tomorrow" accepts a request without naming its object.
        names_it = pronoun or not set(fold(loop.object).split()).isdisjoint(fold(loop.words).split())
        return quote if names_it else f"{_short(loop.object)}, {quote}"

    def _if(self, loop: Loop) -> str:
        if not loop.condition or loop.condition in loop.words:
            return ""
        return self._say("condition", condition=_short(loop.condition))

    def _state(self, loop: Loop) -> str:
        if loop.state == "delivered":
            # A list's item does not say when it was ticked.
            day = self.day(loop.changed_at) if loop.closed_by and loop.kind != "task" else ""
            return self._say("delivered", day=day) if day else self._say("done")
        if loop.state == "withdrawn":
            by = loop.closed_by[0].by if loop.closed_by else None
            if loop.kind == "commitment" and by is not None and by == loop.owner:
                return self._say("taken_back")
            return self._say("declined" if loop.kind == "request" and by in loop.asked else "withdrawn")
        if loop.due is None or loop.state != "open":
            return ""
        if loop.stage == "overdue":
            # Late from the first minute of the day before which it was due: its last day says since when.
            return self._say("overdue", day=self._at(loop.due.last_day, loop.due.time))
        return self._say("due_before" if loop.due.before else "due", day=self._at(loop.due.day, loop.due.time))

    def _at(self, on: str, time: str) -> str:
        day = self.day(on)
        return self._say("at", day=day, time=time) if time else day

    def fact(self, fact: StandingFact) -> str:
        subject = self._subject(fact)
        if fact.disputed:
            sides = f" {self._table('conjunction')} ".join(
                self._side(side, fact.unit) for side in fact.disputed.sides
            )  # fmt: skip
            return self._say("disputed", subject=subject, sides=sides)
        text = self._say("fact", subject=subject, value=self.value(fact.value, fact.unit))
        if fact.replaced:
            text += self._say("since", day=self.day(fact.since))
            text += self._say("replaced", value=self.value(fact.replaced, fact.unit))
        alone = any(name == CONVERSATION for name, _ in fact.scope)
        # Whoever writes to the user may have replaced it.
        if (alone or fact.replaced) and fact.by and fact.by != USER:
            text = self._say("said_by", text=text, who=self._name(fact.by))
        return text

    def _subject(self, fact: StandingFact) -> str:
        named = self._attributed(fact.subject, fact.attribute)
        scope = [_period(value) for name, value in fact.scope if name != CONVERSATION]
        return f"{named} ({', '.join(scope)})" if scope else named

    def _attributed(self, subject: str, attribute: str) -> str:
        """The subject with its attribute, unless the subject's own words say it, or it is the day of something."""
        name = TABLES[self.language].names.get(attribute, attribute)
        if attribute == "date" or name.casefold() in subject.casefold() or _names(attribute, subject):
            return subject
        return f"{subject}, {name}"

    def _side(self, side: Side, unit: str) -> str:
        value, day = self.value(side.value, unit), self.day(side.said_at)
        if side.by == USER:
            return self._say("side_you", value=value, day=day)
        return (
            self._say("side", who=self._name(side.by), value=value, day=day)
            if side.by
            else self._say("side_nobody", value=value, day=day)
        )

    def change(self, change: Change) -> str:
        subject = change.subject if change.kind == "meeting" else self._attributed(change.subject, change.attribute)
        before, after = (self._shown(value) for value in (change.before, change.after))
        return self._say("change", subject=subject, before=before, after=after, day=self.day(change.at))

    def _shown(self, value: str) -> str:
        number, _, unit = value.partition(" ")
        return self.moment(value) if _is_day(value) else self.value(number, unit)

    def meeting(self, meeting: Meeting) -> str:
        if meeting.state == "cancelled":
            return self._say("cancelled", title=_short(meeting.title), day=self.moment(meeting.starts))
        name = "meeting" if meeting.starts else "meeting_undated"
        when = self.moment(meeting.starts)
        is_of_whole_days = not (meeting.starts[10:] or meeting.ends[10:])
        if is_of_whole_days and meeting.ends > meeting.starts:
            when = f"{when} \u2013 {self.moment(meeting.ends)}"
        text = self._say(name, title=_short(meeting.title), day=when)
        others = [who for who in meeting.attendees if who != USER]
        return text + (self._say("attendees", names=self._names(others)) if others else "")

    def decision(self, decision: DecisionMade) -> str:
        return self._say("decided", day=self.day(decision.at), what=_short(decision.what))

    def contact(self, name: str, address: str) -> str:
        return self._say("contact", name=name, value=address)

    def heard(self, who: PersonId, day: str) -> str:
        return self._say("heard", name=self._name(who), day=self.day(day))

    def verdict(self, name: str, text: str) -> str:
        """``name``: ``yes``, ``no`` or ``no_word``."""
        return self._say(name, text=text)

    # --- values ------------------------------------------------------------------------------------------------

    def value(self, value: str, unit: str) -> str:
        """A normalised value: a day, a time, a number with its unit."""
        if _is_day(value):
            return self.day(value)
        if unit == "time":
            return value
        return f"{self._number(value)}{'' if unit == '%' else ' ' if unit else ''}{unit}"

    def _number(self, value: str) -> str:
        whole, _, part = value.partition(".")
        if not whole.isdecimal():
            return value
        grouping = {"en": ",", "fr": "\u202f"}.get(self.language, ".")
        shown = f"{int(whole):,}".replace(",", grouping)
        return f"{shown}{'.' if self.language == 'en' else ','}{part}" if part else shown

    def day(self, text: str) -> str:
        """``2026-11-27`` -> "27 November", with the year where it is not this one."""
        day = day_of(text)
        if day is None:
            return text
        template = self._table("day")
        if day.year == self.today.year:
            template = template.partition("{year}")[0].rstrip()
            template = template.removesuffix(" de")
        return template.format(day=day.day, month=_months(self.language)[day.month], year=day.year)

    def moment(self, text: str) -> str:
        """``2026-11-28 15:00 -08:00`` -> the day with its time."""
        return self._say("at", day=self.day(text), time=text[11:16]) if len(text) >= 16 else self.day(text)

    # --- words -------------------------------------------------------------------------------------------------

    def _name(self, who: PersonId) -> str:
        return self._table("you") if who == USER else self.directory.name(who)

    def _names(self, people: Iterable[PersonId]) -> str:
        names = [self._name(who) for who in people]
        return f" {self._table('conjunction')} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

    def _say(self, name: str, /, **fields: str) -> str:
        return undirected(self._table(name).format(**fields))

    def _table(self, name: str) -> str:
        return TABLES[self.language].wording[name]


def _short(text: str) -> str:
    shown = flat(text)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN].rsplit(' ', 1)[0]}\u2026"


def _is_day(value: str) -> bool:
    return len(value) >= 10 and value[4:5] == "-" and value[7:8] == "-"


def _period(value: str) -> str:
    return value.upper() if len(value) == 2 else value


def _names(attribute: str, subject: str) -> bool:
    """Whether the subject is the attribute's own word, in whatever language: "Miete" of a rent."""
    return any(words.attributes.get(subject.casefold()) == attribute for words in languages.LANGUAGES.values())


@cache
def _months(language: str) -> dict[int, str]:
    """The full name of each month: the longest that the reader's table has."""
    by_number: dict[int, list[str]] = {}
    for name, number in languages.LANGUAGES[language].dates.months.items():
        by_number.setdefault(number, []).append(name)
    longest = {number: max(names, key=len) for number, names in by_number.items()}
    return {n: name.capitalize() if language in _CAPITAL_MONTHS else name for n, name in longest.items()}
