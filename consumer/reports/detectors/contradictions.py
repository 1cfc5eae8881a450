"""Two records that cannot both be right: different values for the same attribute of the same named thing.

A statement is compared by what it is about (names), which attribute it speaks of (launch, budget, headcount, ...) and
the value it gives. A later statement that acknowledges a change (moved, raised, instead of) or names both values makes
it a development, not a contradiction.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from consumer.reports.claims import Citation
from consumer.reports.detectors import values, words
from consumer.reports.detectors.findings import Finding, ranked, titled
from consumer.reports.detectors.records import Record, shorten
from consumer.reports.detectors.values import Value

#: Searched in folded text with a blank before it.
_CHANGE: Final = re.compile(
    r"\W(?:moved|move it|moving it|push(?:ed|ing)?|postpon\w+|delay\w*|reschedul\w+|brought forward|slip(?:s|ped)?"
    r"|revis\w+"
    r"|updat\w+ (?:the|to)|rais(?:ed|es) (?:it|to)|rais(?:ed|es) from|cut (?:it|to|from)|increas\w+|reduc\w+|instead of"
    r"|no longer|used to be|originally|previously|changed (?:it|to|from)|new (?:date|budget|price))\b"
)
#: Begins with the capital itself, so that the engine passes over everything else.
_NAME: Final = re.compile(
    r"[A-Z\u00c0-\u00de](?<=\b.)[\w\u00c0-\u024f&'-]*(?:\s+[A-Z\u00c0-\u00de][\w\u00c0-\u024f&'-]*)*"
)
#: A capital that does not open the text: without one, no name can be inside it.
_INSIDE: Final = re.compile(r"\W[A-Z\u00c0-\u00de]")
#: (a word, the name of its attribute) by kind of value.
_ATTRIBUTES: Final = {
    kind: tuple((word, group[0]) for group in groups for word in group) for kind, groups in words.ATTRIBUTES.items()
}
#: A name in more than this share of all records (the user's own, their company's) tells nothing apart.
_COMMON: Final = 0.25
#: Statements compared within one subject and attribute; the newest count.
_BUCKET: Final = 60
LIMIT: Final = 12


#: A value, its attribute and the word before that.
_Told = tuple[Value, str, str]


class _Said(NamedTuple):
    """One value as one record states it."""

    record: Record
    text: str
    value: Value
    modifier: str
    named: bool
    developing: bool

    @property
    def on(self) -> date:
        return self.record.day or date.min


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """Names in these records, case folded. ``known``: things by decree; ``seen``: capitalized inside a sentence."""

    known: frozenset[str]
    seen: frozenset[str]
    common: frozenset[str]

    @classmethod
    def of(cls, found: Sequence[Record], subjects: Iterable[str]) -> _Lexicon:
        known = frozenset(name.casefold() for name in subjects if len(name) > 2)
        counts: Counter[str] = Counter()
        for record in found:
            texts = [text for text in (record.title, *record.statements) if _INSIDE.search(text)]
            counts.update({name for text in texts for name, first in _capitalized(text) if not first})
        most = max(20.0, len(found) * _COMMON)
        common = frozenset(name for name, count in counts.items() if count > most) - known
        return cls(known, frozenset(counts), common)

    def within(self, text: str) -> frozenset[str]:
        """What a text is about. The first word of a sentence counts only where it is a name elsewhere."""
        folded = text.casefold()
        found = {name for name in self.known if name in folded and re.search(rf"\b{re.escape(name)}\b", folded)}
        found |= {name for name, first in _capitalized(text) if not first or name in self.seen}
        return frozenset(found - self.common)


def _capitalized(text: str) -> Iterator[tuple[str, bool]]:
    """(a name, whether it is one word that opens the text)."""
    for match in _NAME.finditer(text):
        several = match[0].split()
        parts = [part for part in several if part not in words.NO_NAME and len(part) > 2]
        if parts:
            yield " ".join(parts).casefold().removesuffix("'s"), match.start() == 0 and len(several) == 1


def find(found: Sequence[Record], subjects: Iterable[str]) -> tuple[Finding, ...]:
    """Contradictions among these records; ``subjects`` are names known to be things (projects).

    Pure and deterministic: neither names nor values are known to it beforehand.
    """
    names = _Lexicon.of(found, subjects)
    buckets: dict[tuple[str, str, str], list[_Said]] = defaultdict(list)
    for record in found:
        told = [(text, several) for text in record.statements if (several := _told(record, text))]
        if told:
            topics = names.within(record.title) | names.within(record.facts.get("Project", ""))
            for text, several in told:
                for key, said in _said(record, text, several, topics, names):
                    buckets[key].append(said)
    return ranked(list(_findings(buckets)), LIMIT)


def _told(record: Record, text: str) -> list[_Told]:
    """The values of a statement that an attribute stands beside."""
    several = values.find(text, record.day)
    if not several:
        return []
    lowered = text.lower()
    return [(value, *found) for value in several if (found := _attribute(lowered, value))[0]]


def _said(
    record: Record, text: str, told: Sequence[_Told], topics: frozenset[str], names: _Lexicon
) -> Iterator[tuple[tuple[str, str, str], _Said]]:
    here, developing = names.within(text), bool(_CHANGE.search(f" {words.fold(text)}"))
    for value, attribute, modifier in told:
        for name in sorted(here | topics):
            word = "" if modifier in name.split() else modifier
            yield (name, value.kind, attribute), _Said(record, text, value, word, name in here, developing)


def _attribute(lowered: str, value: Value) -> tuple[str, str]:
    """(the attribute that stands nearest to the value, the word before it)."""
    if value.kind == "count":
        return value.unit, ""
    best: tuple[int, str, str] | None = None
    for word, name in [pair for pair in _ATTRIBUTES[value.kind] if pair[0] in lowered]:
        for match in _attribute_word(word).finditer(lowered):
            distance = min(abs(match.end() - value.start), abs(match.start() - value.end))
            if best is None or distance < best[0]:
                best = (distance, name, _telling(match[1]))
    return (best[1], best[2]) if best else ("", "")


@cache
def _attribute_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?:([\w-]++)\s++)?\b{re.escape(word)}\b")


def _telling(word: str | None) -> str:
    return "" if word is None or word in words.PLAIN else word


def _findings(buckets: Mapping[tuple[str, str, str], list[_Said]]) -> Iterator[Finding]:
    seen: set[frozenset[tuple[str, str | None, str]]] = set()
    for key in sorted(buckets, key=lambda k: (-len(k[0]), k)):
        said = sorted(buckets[key], key=lambda s: (s.on, s.record.page, s.record.anchor or "", s.value.start))[
            -_BUCKET:
        ]
        pair = _worst(said)
        if pair is None:
            continue
        places = frozenset((one.record.page, one.record.anchor, one.text) for one in pair[:2])
        if places not in seen:
            seen.add(places)
            yield _finding(key, *pair)


def _order(said: _Said) -> tuple[date, str, str, int]:
    return said.on, said.record.page, said.record.anchor or "", said.value.start


def _worst(said: Sequence[_Said]) -> tuple[_Said, _Said, float] | None:
    """The pair that disagrees most tellingly: across sources, named in both, close in time."""
    best: tuple[_Said, _Said, float] | None = None
    for number, later in enumerate(said):
        for earlier in said[:number]:
            if not _disagree(earlier, later, said):
                continue
            weight = _weight(earlier, later)
            if best is None or weight > best[2]:
                best = (earlier, later, weight)
    return best


def _disagree(earlier: _Said, later: _Said, said: Sequence[_Said]) -> bool:
    one, other = earlier.value, later.value
    if earlier.record.place == later.record.place or not one.comparable(other) or one.agrees(other):
        return False
    if earlier.modifier and later.modifier and earlier.modifier != later.modifier:
        return False
    if not (earlier.named or later.named):
        return False
    if one.kind == "state":
        # Open first and settled later is progress.
        return one.key == "settled" and other.key == "open"
    return not later.developing and not any(_reconciles(third, earlier, later) for third in said)


def _reconciles(third: _Said, earlier: _Said, later: _Said) -> bool:
    """A statement that gives the value of one side and knows that it replaced another."""
    if third.text in (earlier.text, later.text) or third.on < earlier.on:
        return third.developing and third.text == earlier.text
    return third.developing and (third.value.agrees(later.value) or third.value.agrees(earlier.value))


def _weight(earlier: _Said, later: _Said) -> float:
    weight = 1.0
    weight += 1.0 if earlier.record.source != later.record.source else 0.0
    weight += 0.5 if earlier.named and later.named else 0.0
    weight += 0.3 if earlier.modifier == later.modifier else 0.0
    return round(weight + 0.4 / (1 + abs((later.on - earlier.on).days) / 14), 4)


def _finding(key: tuple[str, str, str], earlier: _Said, later: _Said, weight: float) -> Finding:
    subject, _, attribute = key
    sides = [
        f"{titled(one.record.title)}{f' ({one.record.day})' if one.record.day else ''} says {_shown(one)}"
        for one in (earlier, later)
    ]
    text = f"{_display(subject, earlier)}, {attribute}: {sides[0]}, but {sides[1]}."
    return Finding("contradiction", text, (_cite(earlier), _cite(later)), weight)


def _cite(said: _Said) -> Citation:
    return said.record.cite(_around(said))


def _around(said: _Said) -> str:
    """The statement, or its part around the value when it is too long to quote whole."""
    text = said.text
    if len(text) <= 240 or said.value.end <= 200:
        return shorten(text)
    start = text.rfind(" ", 0, said.value.start - 120) + 1
    return shorten(text[start:])


def _shown(said: _Said) -> str:
    return said.text[said.value.start : said.value.end] if said.value.kind != "state" else titled(said.text, 80)


def _display(subject: str, said: _Said) -> str:
    for text in (said.text, said.record.title):
        at = text.casefold().find(subject)
        if at >= 0:
            return text[at : at + len(subject)]
    return subject
