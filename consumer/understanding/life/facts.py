"""Facts: the values of one attribute over time, what changed, and what is disputed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import chain, groupby
from typing import Final

from consumer.understanding import mentions
from consumer.understanding.corrections import Corrected
from consumer.understanding.life.entries import BY_PLACE, MINUTES, LifeEntry, breaths, cites, earlier_values
from consumer.understanding.memory import Change, Contradiction, Side, StandingFact
from consumer.understanding.moments import moment
from consumer.understanding.people import Directory
from consumer.understanding.statements import CONVERSATION, Fact
from consumer.understanding.utterances import UNKNOWN, Person

#: A statement older than this many days is no side of a contradiction.
_DISPUTED_DAYS: Final = 365
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_HOUR: Final = re.compile(r"\d\d?:\d\d")


@dataclass(slots=True)
class Facts:
    """Compares facts; ``changes`` gets what changed."""

    people: Directory
    corrected: Corrected
    changes: list[Change]

    def contradictions(self, several: Sequence[LifeEntry]) -> tuple[Contradiction, ...]:
        contradictions, before = [], len(self.changes)
        for bucket in _buckets(several):
            for entries in _comparable(bucket):
                contradiction = self._bucket(entries)
                if contradiction:
                    contradictions.append(contradiction)
        self.changes[before:] = _told_once(self.changes[before:])
        return tuple(contradictions)

    def _bucket(self, entries: Sequence[LifeEntry]) -> Contradiction | None:
        """What a subject's values over time are: one value, a development (into ``changes``), or a contradiction."""
        values = {_fact(entry).value for entry in entries}
        if len(values) < 2:
            first = min(entries, key=BY_PLACE)
            # A changed amount is reported only with the earlier one: "the fee goes up to 30" may be about any fee.
            if _fact(first).valid_from and not _is_amount(_fact(first)) and not _is_past(first, first.said_at):
                self._changed(first)
            return None
        if not any(_fact(entry).valid_from for entry in entries) and _fact(entries[0]).attribute == "total":
            return None  # each order, account and form has its own
        entries = _in_order(entries)
        contradiction = self._disputed(entries)
        if contradiction:
            return contradiction
        entries = _without_repetitions(entries)
        final = entries[-1]
        before = next(entry for entry in reversed(entries) if _fact(entry).value != _fact(final).value)
        after = next(
            entry for entry in entries[entries.index(before) + 1 :] if _fact(entry).value == _fact(final).value
        )
        fact = _fact(after)
        # Naming both values reports a change, even if the first day is past.
        in_one_breath = bool(fact.valid_from) and before.place == after.place
        are_two = not fact.valid_from and _are_far_apart(_fact(before).value, fact.value)
        if are_two or _are_listed(entries) or (_is_past(before, after.said_at) and not in_one_breath):
            return None
        together = before.record is after.record and before.said_at == after.said_at
        if together and _fact(before).valid_from:
            return None  # "The price was changed to 5. The price was changed to 7.": of two things.
        self._changed(after, before, entries[: entries.index(after)])
        return None

    def _changed(self, after: LifeEntry, before: LifeEntry | None = None, earlier: Sequence[LifeEntry] = ()) -> None:
        """Add a change. Without ``before``, its words imply an earlier value that nobody has named."""
        fact = _fact(after)
        self.changes.append(
            Change(
                id=after.id,
                kind="fact",
                subject=fact.subject,
                attribute=fact.attribute,
                before=_shown(before) if before else "",
                after=_shown(after),
                at=after.said_at,
                who=self.people.who(self._by(after), after.talk),
                evidence=(*(cites(before, self.people) if before else ()), *cites(after, self.people)),
                find_earlier=partial(earlier_values, earlier, _shown, self.people),
            )
        )

    def _disputed(self, entries: Sequence[LifeEntry]) -> Contradiction | None:
        """The contradiction between the last value and somebody else's last value, if nobody has replaced that."""
        final = entries[-1]
        last = {self._voice(entry): entry for entry in entries}
        standing = [
            entry
            for entry in last.values()
            if _fact(entry).value != _fact(final).value and not _is_over(entry, final.said_at)
        ]
        knowing = Knowing.of(entries)
        open_ = [entry for entry in standing if not knowing.of_change(entry, self._may_replace)]
        return self._contradiction(max(open_, key=BY_PLACE), final) if open_ else None

    def _may_replace(self, new: LifeEntry, old: LifeEntry) -> bool:
        """Whether "40 instead of 50" replaces the 50: if the speaker said 50, if it is a change, or if the person who
        said 50 is present.

        Anybody else may have misheard; then two people disagree.
        """
        if _fact(new).valid_from or new.talk == old.talk or self._voice(new) == self._voice(old):
            return True
        present = self.people.all_of((*new.reading.people, *new.addressees), new.talk)
        return self._voice(old) in present

    def standing(self, several: Sequence[LifeEntry]) -> tuple[StandingFact, ...]:
        return tuple(self._standing_fact(_in_order(bucket)) for bucket in _buckets(several))

    def _standing_fact(self, entries: Sequence[LifeEntry]) -> StandingFact:
        final = entries[-1]
        fact = _fact(final)
        before = next(
            (number for number in reversed(range(len(entries))) if _fact(entries[number]).value != fact.value), -1
        )
        first = entries[before + 1]
        return StandingFact(
            id=final.id,
            subject=fact.subject,
            attribute=fact.attribute,
            unit=fact.unit,
            scope=fact.scope,
            value=fact.value,
            by=self.people.who(self._by(final), final.talk),
            since=_fact(first).valid_from or first.said_at,
            replaced=_fact(entries[before]).value if before >= 0 else "",
            disputed=self._disputed(entries) if before >= 0 else None,
            evidence=tuple(cites(final, self.people)),
        )

    def _by(self, entry: LifeEntry) -> Person:
        fact = _fact(entry)
        return fact.by if fact.by != UNKNOWN else entry.author

    def _voice(self, entry: LifeEntry) -> str:
        who = self.people.who(self._by(entry), entry.talk)
        return who or f"record/{entry.reading.source}/{entry.reading.record_id}"

    def _contradiction(self, first: LifeEntry, second: LifeEntry) -> Contradiction:
        fact = _fact(second)
        sides = tuple(
            Side(
                value=_fact(entry).value,
                shown=_shown(entry),
                by=self.people.who(self._by(entry), entry.talk),
                said_at=entry.said_at,
                evidence=tuple(cites(entry, self.people)),
            )
            for entry in (first, second)
        )
        return Contradiction(
            id="".join(sorted((first.id, second.id))),
            subject=fact.subject,
            attribute=fact.attribute,
            unit=fact.unit,
            scope=fact.scope,
            sides=sides,
            again=self.corrected.again(second.reading, fact),
        )


@dataclass(slots=True)
class Knowing:
    """Statements that know that a value no longer holds: they say from when theirs does, or name both at once."""

    dated: list[LifeEntry] = field(default_factory=list)
    by_value: dict[str, list[LifeEntry]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, entries: Sequence[LifeEntry]) -> Knowing:
        made = cls([entry for entry in entries if _fact(entry).valid_from])
        for start, end in breaths(entries):
            several = entries[start:end]
            values = {_fact(entry).value for entry in several}
            for entry in several:
                for value in values - {_fact(entry).value}:
                    made.by_value[value].append(entry)
        return made

    def of_change(self, old: LifeEntry, may_replace: Callable[[LifeEntry, LifeEntry], bool]) -> bool:
        """Whether a later statement of another value knows of this one, and may replace it."""
        value = _fact(old).value
        dated = (entry for entry in reversed(self.dated) if _fact(entry).value != value)
        named = (entry for entry in reversed(self.by_value.get(value, ())) if may_replace(entry, old))
        return any(entry.after(old) for entry in chain(named, dated))


_NAME: Final = re.compile(r"[^\W_][\w'-]*")
#: Words that point to a thing: "this offer".
_THIS: Final = re.compile(
    r"\b(?:this|these|dies\w{1,2}|ce|cet|cette|este|esta|questo|questa|dit|deze)\s+([\w'-]+)", re.IGNORECASE
)
#: "Fee: 700", "FEE = 700".
_LABEL: Final = re.compile(r"[^:=.!?]{1,60}[:=](?!\d)")


def _comparable(bucket: list[LifeEntry]) -> Iterator[list[LifeEntry]]:
    """The facts of one bucket, grouped by the thing that they are about.

    "Kestrel" and "the kitchen" are the same thing in two conversations; "this report" and "my phone number" are not.
    Labels are never compared: each form has its own "Order total: 80", and each signature its "Phone: ...".
    """
    if len({_fact(entry).value for entry in bucket}) < 2:
        yield bucket
        return
    apart: dict[str, list[LifeEntry]] = defaultdict(list)
    is_telling = any(map(_is_telling, bucket))
    for entry in bucket:
        apart[f"label/{entry.place}" if _is_label(entry) else "" if is_telling else entry.talk].append(entry)
    yield from apart.values()


def _is_telling(entry: LifeEntry) -> bool:
    fact = _fact(entry)
    if CONVERSATION in dict(fact.scope):
        return True  # its bucket holds one conversation only
    words = [word for word in _NAME.findall(fact.subject) if not mentions.is_ordinary(word, entry.language)]
    pointed = _THIS.findall(fact.quotes[0].text)
    return bool(words) and not any(word.casefold() in words for word in pointed)


def _is_label(entry: LifeEntry) -> bool:
    """Whether a fact stands behind a label, "Participant fee: 700", or is in capitals, as in any form."""
    fact = _fact(entry)
    label = _LABEL.match(fact.quotes[0].text)
    words = _NAME.findall(fact.subject.casefold())
    is_before = label is not None and not {*words}.isdisjoint(_NAME.findall(label[0].casefold()))
    return is_before or fact.quotes[0].text.isupper()


def _are_far_apart(first: str, second: str) -> bool:
    """Whether two days are so far apart that, if nobody says that one moved, they are of two things: homework 3 of two
    terms."""
    if not (_DAY.fullmatch(first) and _DAY.fullmatch(second)):
        return False
    return abs((date.fromisoformat(first) - date.fromisoformat(second)).days) > _SAME_DAYS * 2


def _is_amount(fact: Fact) -> bool:
    return fact.unit not in ("", "time")


def _buckets(facts: Iterable[LifeEntry]) -> Iterator[list[LifeEntry]]:
    """Facts grouped and sorted by attribute, subject, unit and scope."""
    buckets: dict[tuple[str, str, str, tuple[tuple[str, str], ...]], list[LifeEntry]] = defaultdict(list)
    for entry in facts:
        fact = _fact(entry)
        buckets[fact.subject.casefold(), fact.attribute.casefold(), fact.unit, fact.scope].append(entry)
    for key in sorted(buckets):
        yield buckets[key]


def _in_order(entries: Sequence[LifeEntry]) -> list[LifeEntry]:
    """In the order in which they were said. Of two values in one place, the one that was said earlier comes first."""
    known: set[str] = set()
    order, counted = list(entries), 0
    for start, end in breaths(entries):
        known.update(_fact(entry).value for entry in order[counted:start])
        counted = start
        order[start:end] = sorted(
            order[start:end],
            key=lambda entry: (_fact(entry).value not in known, bool(_fact(entry).valid_from), entry.id),
        )
    return order


def _without_repetitions(entries: Sequence[LifeEntry]) -> list[LifeEntry]:
    """Entries in order without what only repeats others: a quote, a forward, "from 40 to 50" once 50 holds, and the
    plain 40 once somebody has said that it changed."""
    kept: list[LifeEntry] = []
    seen: set[tuple[str, tuple[str, ...]]] = set()
    replaced: set[str] = set()
    for _, group in groupby(entries, BY_PLACE):
        several = list(group)
        fact = _fact(several[-1])
        words = fact.value, tuple(quote.text for quote in fact.quotes)
        is_known = bool(kept) and len(several) > 1 and _fact(kept[-1]).value == fact.value
        if words in seen or is_known or (fact.value in replaced and not fact.valid_from):
            continue
        seen.add(words)
        kept += several
        if fact.valid_from:
            replaced = {_fact(entry).value for entry in kept} - {fact.value}
    return kept


#: Days within which the same new value of the same thing is the same change.
_SAME_DAYS: Final = 30


def _told_once(changes: Iterable[Change]) -> list[Change]:
    """Without what other words or another conversation tell again: a forward, a notice to two lists, and "the deadline
    of Kestrel" beside "the Kestrel deadline"."""
    last: dict[tuple[str, frozenset[str]], int] = {}
    kept = []
    for change in sorted(changes, key=lambda change: (change.at, change.id)):
        is_day = _DAY.match(change.after) is not None
        # "At 11:00" is another time on another day.
        day = change.at[:10] if _HOUR.fullmatch(change.after) else ""
        value = change.after[:10] if is_day else f"{change.attribute} {change.after.casefold()} {day}"
        words = frozenset(_NAME.findall(change.subject.casefold())) - (_OF_DAYS if is_day else frozenset())
        minute = moment(change.at).minute
        if (value, words) not in last or minute - last[value, words] > _SAME_DAYS * MINUTES:
            kept.append(change)
        last[value, words] = minute
    return kept


#: Words that only say that a day is meant: "the Kestrel deadline".
_OF_DAYS: Final = frozenset(("deadline", "date", "day", "time", "due", "for", "of", "the"))


def _are_listed(entries: Sequence[LifeEntry]) -> bool:
    """Whether all stand in one text, and none says that anything changed: values of several things."""
    first, last = entries[0], entries[-1]
    if first.record is not last.record or first.said_at != last.said_at:
        return False
    together = {(id(entry.reading), entry.said_at) for entry in entries}
    quotes = {entry.statement.quotes for entry in entries}
    return len(together) == 1 and len(quotes) > 1 and not any(_fact(entry).valid_from for entry in entries)


def _is_over(entry: LifeEntry, now: str) -> bool:
    """Whether a value can no longer be what is true: its day is past, or it was said long ago."""
    first, second = moment(entry.said_at), moment(now)
    return _is_past(entry, now) or second.minute - first.minute > _DISPUTED_DAYS * MINUTES


def _is_past(entry: LifeEntry, now: str) -> bool:
    """Whether its value is a day before this one: the deadline of an earlier year, and not the same one moved."""
    value = _fact(entry).value
    return _DAY.fullmatch(value) is not None and value < now[:10]


def _fact(entry: LifeEntry) -> Fact:
    assert isinstance(entry.statement, Fact)
    return entry.statement


def _shown(entry: LifeEntry) -> str:
    fact = _fact(entry)
    return fact.value if fact.unit == "time" else f"{fact.value} {fact.unit}".strip()
