"""What somebody still has to do: open checklist items, unticked boxes, promises with and without a date.

A promise is taken as kept when a later record about the same words says that it is done.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from consumer.reports.detectors import values, words
from consumer.reports.detectors.findings import Finding, ranked, titled
from consumer.reports.detectors.records import Record, day_of

LIMIT: Final = 25
#: Promises without a date are worth reminding of for that long; dated ones until they are done.
MEMORY: Final = timedelta(days=45)
#: Loops that each other loop is compared with; the surest and most pressing come first.
_COMPARED: Final = 200
_BOX: Final = re.compile(r"^[-*+]?\s*\[( |x|X)\]\s+(.{4,})$")
#: Searched in folded text with a blank before it: what begins with a sign is found faster than what may begin a text.
_PROMISE: Final = re.compile(
    r"[.:\s\"'](?:i(?:(?:'|\u2019)ll| will| need to| have to|(?:'|\u2019)m going to| owe)"
    r"|we(?:(?:'|\u2019)ll| will| need to| still need)|still need to|promised to|action(?: item)?s?:|todo:?|to-do:"
    r"|follow(?:ing)? up (?:with|on)|next steps?:|waiting (?:for|on)"
    r"|please (?:send|share|review|confirm|check|book|call)"
    r"|(?:to|will|should|must) (?:send|share|review|confirm|check|book|call|draft|prepare|schedule|sign"
    r"|finish|fix|update|write|deliver|invite|introduce|order|pay|renew|follow up))\b"
)
_BY: Final = re.compile(r"\b(?:by|before|until|on|due)\s+(?:the\s+)?$", re.IGNORECASE)
_WEEKDAY: Final = re.compile(
    r"\b(?:by|before|on|until|next|this)\s+(mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE
)
_WEEKDAYS: Final = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
#: Searched in small letters with a blank before them, for the same reason.
_DONE: Final = re.compile(
    r"\W(?:done|sent|shipped|finished|completed|signed|paid|booked|shared|fixed|delivered|merged|closed|confirmed"
    r"|resolved)\b"
)
_NOT_DONE: Final = re.compile(r"\bnot\b|\bn't\b|n\u2019t\b|\bstill\b|\bwill be\b|\bto be\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]{4,}", re.UNICODE)
_NUMBER: Final = re.compile(r"\d+")
_TOKEN: Final = re.compile(r"\w+", re.UNICODE)
#: Words that do not tell what a sentence is about.
_UNTELLING: Final = words.WEAK | frozenset(words.MONTHS)
_OPEN_STATES: Final = ("open", "unfinished", "in progress", "todo")
_DONE_STATES: Final = ("done", "dismissed")


class _About(NamedTuple):
    """What a sentence is about. Numbers are those outside dates: "draft 2" is another thing than "draft 3"."""

    words: frozenset[str]
    numbers: frozenset[str]
    #: All that is said, where the words alone would tell too little ("Call Ann" and "Call Bob" have one).
    tokens: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str) -> _About:
        about = _words(text)
        undated = text
        for value in values.dates(text, None):
            undated = undated[: value.start] + " " * (value.end - value.start) + undated[value.end :]
        tokens = _TOKEN.findall(undated.lower()) if len(about) < 2 else ()
        return cls(about, frozenset(_NUMBER.findall(undated)), frozenset(tokens))

    def numbered_apart(self, other: _About) -> bool:
        """Whether the numbers say that these are two things; a sentence that leaves one out contradicts nothing."""
        return not (self.numbers <= other.numbers or other.numbers <= self.numbers)

    def same(self, other: _About) -> bool:
        """Whether both mostly say the same."""
        least = min(len(self.words), len(other.words))
        shared = len(self.words & other.words)
        return least >= 2 and shared >= max(2, 0.75 * least) and not self.numbered_apart(other)


class _Loop(NamedTuple):
    record: Record
    text: str
    quotes: tuple[str, ...]
    due: date | None
    sure: bool


@dataclass(frozen=True, slots=True)
class _Done:
    """What was said to be done, found by its words: a large brain has too much of it to compare each loop with."""

    told: Sequence[_About]
    by_word: Mapping[str, Sequence[tuple[int, date]]]

    @classmethod
    def of(cls, told: Iterable[tuple[date, _About]]) -> _Done:
        by_word: dict[str, list[tuple[int, date]]] = defaultdict(list)
        kept: list[_About] = []
        for when, about in told:
            for word in about.words:
                by_word[word].append((len(kept), when))
            kept.append(about)
        return cls(kept, by_word)

    def covers(self, about: _About, said: date) -> bool:
        """Whether something said on that day or later shares enough words, and does not name another number."""
        if len(about.words) < 2:
            return False
        shared: Counter[int] = Counter()
        for word in about.words:
            shared.update(place for place, when in self.by_word.get(word, ()) if when >= said)
        enough = max(2, 0.6 * len(about.words))
        return any(count >= enough and not about.numbered_apart(self.told[place]) for place, count in shared.items())


def find(found: Sequence[Record], today: date) -> tuple[tuple[Finding, ...], int]:
    """(the most pressing open loops, how many there are)."""
    told: list[tuple[date, _About]] = []
    made: list[_Loop] = []
    for record in found:
        for one in _read(record, today):
            if isinstance(one, str):
                told.append((record.day or date.min, _About.of(one)))
            else:
                made.append(one)
    distinct = _distinct(_open(made, _Done.of(told)), today)
    return ranked([_finding(loop, today) for loop in distinct], LIMIT), len(distinct)


def _open(made: Iterable[_Loop], done: _Done) -> Mapping[_About, _Loop]:
    """Loops that nothing said later closes, by what they are about."""
    loops: dict[_About, _Loop] = {}
    for loop in made:
        about, said = _About.of(loop.text), loop.record.day or date.min
        if done.covers(about, said):
            continue
        # The same promise in a chat and in a note is one loop; a checklist item speaks for it.
        known = loops.get(about)
        if known is None or (loop.sure, said) > (known.sure, known.record.day or date.min):
            loops[about] = loop
    return loops


def _distinct(loops: Mapping[_About, _Loop], today: date) -> list[_Loop]:
    """Loops without those that say less surely what another says: a promise in a meeting and the item made of it."""
    order = sorted(loops.items(), key=lambda pair: (not pair[1].sure, -_weight(pair[1], today), pair[1].text))
    kept: list[tuple[_Loop, _About]] = []
    for about, loop in order:
        if loop.sure or not any(about.same(other) for _, other in kept[:_COMPARED]):
            kept.append((loop, about))
    return [loop for loop, _ in kept]


def _read(record: Record, today: date) -> Iterator[_Loop | str]:
    """What the record leaves open, and the texts that say of something that it is done."""
    state = record.facts["State"].strip().lower() if "State" in record.facts else None
    if state in _DONE_STATES:
        yield record.title
        return
    if state in _OPEN_STATES:
        yield _Loop(record, record.title, _state_quotes(record), day_of(record.facts.get("Due", "")), True)
    for text in record.statements:
        one = _read_statement(record, text, today)
        # Of what has a state the state says whether it is open.
        if one is not None and (state is None or isinstance(one, str)):
            yield one


def _read_statement(record: Record, text: str, today: date) -> _Loop | str | None:
    box = _BOX.match(text) if "[" in text else None
    if box:
        return _Loop(record, box[2], (box[2],), _due(box[2], record.day), True) if box[1] == " " else text
    if _DONE.search(f" {text.lower()}"):
        return None if _NOT_DONE.search(text) else text
    if not _PROMISE.search(f" {words.fold(text)}"):
        return None
    due = _due(text, record.day)
    return _Loop(record, text, (text,), due, False) if _recent(record, due, today) else None


def _recent(record: Record, due: date | None, today: date) -> bool:
    said = record.day or today
    return due >= said if due else today - said <= MEMORY


def _state_quotes(record: Record) -> tuple[str, ...]:
    return tuple(f"{label}: {record.facts[label]}" for label in ("State", "Due") if label in record.facts)


def _words(text: str) -> frozenset[str]:
    return frozenset(map(str.lower, _WORD.findall(text))) - _UNTELLING


def _due(text: str, said: date | None) -> date | None:
    """The date that a promise gives itself: one after by, before, on or due; else a weekday; else the last date."""
    dates = values.dates(text, said)
    for value in dates:
        if _BY.search(text[: value.start]):
            return date.fromisoformat(value.key)
    match = _WEEKDAY.search(text)
    if match and said:
        ahead = (_WEEKDAYS.index(match[1].lower()) - said.weekday()) % 7 or 7
        # A row may be dated at the end of time, where no further weekday comes.
        return said + timedelta(days=ahead) if ahead <= (date.max - said).days else None
    return date.fromisoformat(dates[-1].key) if dates else None


def _finding(loop: _Loop, today: date) -> Finding:
    where = f", from {titled(loop.record.title, 60)}" if loop.text != loop.record.title else ""
    said = f" ({loop.record.day})" if where and loop.record.day else ""
    text = f"{titled(loop.text, 140)}{where}{said}{_when(loop.due, today)}."
    cited = tuple(loop.record.cite(quote) for quote in loop.quotes)
    return Finding("open_loop", text, cited, _weight(loop, today), loop.due)


def _when(due: date | None, today: date) -> str:
    if due is None:
        return ": open"
    days = (due - today).days
    if days < 0:
        return f": was due {due}, {-days} day{'s' if days < -1 else ''} ago"
    return f": due {due}" if days else ": due today"


def _weight(loop: _Loop, today: date) -> float:
    """Soon due and just overdue first; certain before guessed; then the newest."""
    near = 0.0 if loop.due is None else 2.0 / (1 + abs((loop.due - today).days) / 7)
    age = (today - (loop.record.day or today)).days
    return round(near + (1.0 if loop.sure else 0.0) + 0.5 / (1 + max(age, 0) / 14), 4)
