"""
Reads a question: what it asks for, about whom, when, and about which words.

A question is data. What it says beside of what is asked, commands say, are words that nothing in memory explains, and
such a question is not answered.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final, Literal, NamedTuple

from consumer.understanding import dates, languages, mentions, numerals
from consumer.understanding.people import USER, PersonId
from consumer.understanding.questions.stems import stem
from consumer.understanding.questions.tables import TABLES, QuestionWords
from consumer.understanding.support import KnownPeople
from consumer.understanding.text import fold, tokens

#: ``elsewhere``: a place, a reason or a way, which facts do not hold. ``tell``: words alone ("harrow budget?").
Kind = Literal[
    "when", "who", "much", "elsewhere", "owe", "want", "wait", "due", "overdue", "changed", "decided", "heard", "meet",
    "phone", "email", "yes_no", "tell",
]  # fmt: skip
#: A question of more words is a text, and no question.
LONGEST: Final = 30
#: Shorter words are not taken for misspelt ones.
_MISSPELT: Final = 5
#: Words of one name.
_NAME_WORDS: Final = 4
#: Pronouns that mean nobody: "was hat sich geändert", "lo que ha cambiado".
_NOBODY: Final = frozenset({"sich", "man", "se", "s", "on", "lo", "si", "zich"})
_PERIOD: Final = re.compile(r"q[1-4]|h[12]|20\d\d|19\d\d")


class Days(NamedTuple):
    """A stretch of days, both ends included."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Asked:
    """``topic``: the words that an answer must explain, as written. ``people``: of each name, whom it may mean.

    ``by_user``: the question is of what the user does. ``roles``: names of the words of ``QuestionWords`` that it has.
    """

    text: str
    language: str
    kind: Kind
    topic: tuple[str, ...]
    people: tuple[frozenset[PersonId], ...]
    by_user: bool
    roles: frozenset[str]
    periods: frozenset[str]
    days: Days | None

    @property
    def stems(self) -> frozenset[str]:
        parts = (part for word in self.topic for part in word.split("-") if part)
        return frozenset(stem(part, self.language) for part in parts)

    @property
    def words(self) -> QuestionWords:
        return TABLES[self.language]


def read(text: str, people: KnownPeople, today: date, locale: str, known: Container[str] = ()) -> Asked | None:
    """None for what is no question that code could answer. ``people``: whom memory knows, by PersonId.

    ``known``: words of memory, see ``mentions.key``, which are not taken for misspelt ones. ``locale``: the user's,
    ``de-AT``; its language is taken where the question's words tell none.
    """
    folded = fold(text)
    language = _language(folded, locale)
    table, grammar = TABLES[language], languages.LANGUAGES[language]
    words = [token for token in tokens(folded, grammar.elision) if token.word[0].isalnum()]
    if not 0 < len(words) <= LONGEST or not grammar.negation.isdisjoint(token.word for token in words):
        return None
    reading = _Reading(text, table, [token.word for token in words], [(token.start, token.end) for token in words])
    reading.find_days(today, locale.partition("-")[2])
    reading.find_people(people)
    reading.correct_spelling(known)
    reading.find_cues()
    return reading.asked()


def _spelled(word: str, language: str) -> str:
    """A word as the table has it where a single letter is wrong: "meetng"; words of memory stay as they are."""
    if (
        len(word) < _MISSPELT
        or not word.isalpha()
        or word in _vocabulary(language)
        or mentions.is_ordinary(word, language)
        or any(numerals.find(word, language))  # "three" is no slip of "there"
        or stem(word, language) in _vocabulary(language)
    ):
        return word
    near = {known for known in _correctable(language) if abs(len(known) - len(word)) < 2 and _is_slip(word, known)}
    return near.pop() if len(near) == 1 else word


def _is_slip(word: str, known: str) -> bool:
    """Whether one letter is missing, too many, another one, or changed places with the next."""
    if len(known) < _MISSPELT or word[0] != known[0]:
        return False
    start = next((n for n, (letter, other) in enumerate(zip(word, known, strict=False)) if letter != other), len(word))
    rest, wanted = word[start:], known[start:]
    swapped = rest[1::-1] + rest[2:]
    return wanted in (rest[1:], swapped) or wanted[1:] in (rest, rest[1:])


@cache
def _correctable(language: str) -> frozenset[str]:
    """Words that say what is asked for. A word that is taken for one of ``filler`` would vanish from the question."""
    table = TABLES[language]
    cues = {word for name in _CUES for phrase in getattr(table, name) for word in phrase.split()}
    return frozenset(cues | table.last | table.heard | table.meet | table.meeting | table.attend)


@cache
def _vocabulary(language: str) -> frozenset[str]:
    return _correctable(language) | TABLES[language].filler


class _Cues(NamedTuple):
    name: str
    phrases: tuple[tuple[str, ...], ...]


#: In this order: what comes first takes its words, and those behind it look at the rest.
_CUES: Final = (
    *(
        "much",
        "when",
        "who",
        "elsewhere",
        "overdue",
        "decided",
        "changed",
        "wait",
        "want",
        "owed_me",
        "promise",
        "must",
        "owe",
    ),
    *("called_off", "still_on", "phone", "email", "due"),
)


@cache
def _cues(language: str) -> tuple[_Cues, ...]:
    table, elided = TABLES[language], languages.LANGUAGES[language].elision
    made = []
    for name in _CUES:
        several = [
            tuple(token.word for token in tokens(fold(phrase), elided) if token.word[0].isalnum())
            for phrase in getattr(table, name)
        ]
        made.append(_Cues(name, tuple(sorted(several, key=len, reverse=True))))
    return tuple(made)


class _Reading:
    """One run of ``read``."""

    def __init__(self, text: str, table: QuestionWords, words: Sequence[str], spans: Sequence[tuple[int, int]]) -> None:
        self.text, self.table, self.words, self.spans = text, table, list(words), spans
        #: Cue -> the places of its words.
        self.cues: dict[str, set[int]] = {}
        self.dated: set[int] = set()
        self.named: set[int] = set()
        self.people: list[frozenset[PersonId]] = []
        self.periods: set[str] = set()
        self.days: Days | None = None

    def find_cues(self) -> None:
        for name, phrases in _cues(self.table.code):
            taken: set[int] = set()
            for phrase in phrases:
                for start in range(len(self.words) - len(phrase) + 1):
                    places = range(start, start + len(phrase))
                    if tuple(self.words[start : start + len(phrase)]) == phrase and taken.isdisjoint(places):
                        taken.update(places)
            if taken:
                self.cues[name] = taken
        if "much" in self.cues:
            self._drop("elsewhere", self.cues["much"])
            self._drop("when", self.cues["much"])
        if "when" in self.cues:
            self._drop("elsewhere", self.cues["when"])

    def _drop(self, cue: str, places: set[int]) -> None:
        """A longer cue holds the words of this one: "how much", and not "how"."""
        rest = self.cues.get(cue, set()) - places
        if rest:
            self.cues[cue] = rest
        else:
            self.cues.pop(cue, None)

    def correct_spelling(self, known: Container[str]) -> None:
        """Words of the frame with one wrong letter; names, days and words of memory stay as they are."""
        for place, word in enumerate(self.words):
            if place not in self.named | self.dated and mentions.key(word) not in known:
                self.words[place] = _spelled(word, self.table.code)

    # --- days --------------------------------------------------------------------------------------------------

    def find_days(self, today: date, region: str) -> None:
        for place, word in enumerate(self.words):
            if _PERIOD.fullmatch(word):
                self.periods.add(word)
                self.dated.add(place)
        known = languages.LANGUAGES[self.table.code].dates
        for hit in dates.scan(self.text, today, self.table.code, region):
            places = {n for n, (start, end) in enumerate(self.spans) if start < hit.end and hit.start < end}
            inside = [self.words[n] for n in sorted(places)]
            if hit.due is None or (any(_PERIOD.fullmatch(word) for word in inside) and len(inside) == 1):
                continue
            if hit.due.time and hit.due.day == today.isoformat() and known.days.keys().isdisjoint(inside):
                continue  # a time alone: "the winter lunch"
            self.periods -= set(inside)
            self.dated |= places
            # In "due today" and "due on Monday" the word before is what is asked for, and no "by".
            first = sorted(places)[0] if places else 0
            before = self.words[first - 1] if first else ""
            by = hit.role == "by" and before not in self.table.due and before not in known.on
            self.days = self._stretch(" ".join(inside), date.fromisoformat(hit.due.day), today, by, hit)

    def _stretch(self, words: str, day: date, today: date, by: bool, hit: dates.Found) -> Days:
        known = languages.LANGUAGES[self.table.code].dates
        monday = today - timedelta(days=today.weekday())
        ends = any(phrase in words for phrase in known.end_of)
        has_weekday = any(name in words.split() for name in known.weekdays)
        if ends or by:
            sunday = day + timedelta(days=6 - day.weekday()) if ends and hit.due and hit.due.basis == "period" else day
            return Days(date.min, sunday if day.weekday() == dates.FRIDAY else day)
        if any(phrase in words for phrase in known.next_week) and not has_weekday:
            return Days(monday + timedelta(days=7), monday + timedelta(days=13))
        if any(phrase in words for phrase in (*known.this_week, *known.later_week)):
            return Days(monday, monday + timedelta(days=6))
        if hit.due and hit.due.basis == "period":
            return Days(day.replace(day=1), day) if day.day > 27 else Days(today, day)
        return Days(day, day)

    # --- people ------------------------------------------------------------------------------------------------

    def find_people(self, known: KnownPeople) -> None:
        place = 0
        while place < len(self.words):
            for length in range(min(_NAME_WORDS, len(self.words) - place), 0, -1):
                who = self._who(range(place, place + length), known)
                if who:
                    self.people.append(who)
                    self.named.update(range(place, place + length))
                    place += length
                    break
            else:
                place += 1

    def _who(self, places: range, known: KnownPeople) -> frozenset[PersonId]:
        """Whom these words mean; nobody where one of them is a word of the language, or of the question's frame."""
        if any(place in self.dated or not self._may_name(place, alone=len(places) == 1) for place in places):
            return frozenset()
        parts = [part for place in places for part in mentions.words(self.words[place])]
        who = known.pages(parts) if parts and all(len(part) > 1 for part in parts) else frozenset()
        if not who and parts and parts[-1].endswith("s") and len(parts[-1]) > 3:
            # A genitive: "annas number", "Mehmets Plan".
            who = known.pages([*parts[:-1], parts[-1][:-1]])
        others = who - {USER}
        return others or who

    def _may_name(self, place: int, *, alone: bool) -> bool:
        word = self.words[place]
        start = self.spans[place][0]
        if not word[0].isalpha():
            return False
        capital = self.text[start].isupper() and place > 0
        if word in self.table.filler or word in self.table.subject_i:
            return not alone and capital
        return capital or not mentions.is_ordinary(word, self.table.code)

    # --- what is asked -----------------------------------------------------------------------------------------

    def asked(self) -> Asked | None:
        kind = self._kind()
        taken = self.dated | self.named | self._frame(kind)
        left = [n for n in range(len(self.words)) if n not in taken]
        topic = [self.words[n] for n in left if self.words[n] not in self.table.filler]
        topic = [word for word in topic if word not in self.table.subject_i and word not in self.table.yes_no]
        if self._is_of_meetings(kind, topic):
            kind, topic = "meet", []
        return Asked(
            text=self.text,
            language=self.table.code,
            kind=kind,
            topic=tuple(topic),
            people=tuple(self.people),
            by_user=not self.table.subject_i.isdisjoint(self.words),
            roles=frozenset({*self.cues, *self._manner()}),
            periods=frozenset(self.periods),
            days=self.days,
        )

    def _is_of_meetings(self, kind: Kind, topic: Sequence[str]) -> bool:
        """Whether it asks for any meeting: with somebody, or the next or the last one.

        "When do I have to see Ann?" asks for a task.
        """
        table = self.table
        order = {"next", "last"} & set(self._manner())
        if kind not in ("when", "tell") or {"must", "owe"} & self.cues.keys():
            return False
        if not self.people:
            rest = set(topic) - table.last - table.next
            return bool(order and rest) and rest <= table.meeting
        if not topic:
            return kind == "when" and bool(order) and not table.subject_i.isdisjoint(self.words)
        return set(topic) <= table.meet | table.meeting

    def _manner(self) -> Iterator[str]:
        """What the question's small words add: ``past``, ``what``, ``date``, ``last``, ``next``, ``over``, ``attend``,
        ``hears``, ``has_changed``, ``others_wait``.
        """
        table = self.table
        tense = (("past", table.past), ("last", table.last), ("next", table.next), ("over", table.over))
        small = (("what", table.what), ("date", table.dates), ("attend", table.attend), ("hears", table.hears))
        spoken = {word for place, word in enumerate(self.words) if place not in self.dated}
        for name, words in (*tense, *small):
            if not words.isdisjoint(spoken):
                yield name
        if self._has_changed():
            yield "has_changed"
        if self.named and min(self.named) < min(self.cues.get("wait", {0})):
            yield "others_wait"

    def _has_changed(self) -> bool:
        """Whether it asks for what changed, and not for what will or should, or for what is of one person.

        "What changed about me?" is of one person; the words before "what" are none of it: "tell me what changed".
        """
        table, grammar = self.table, languages.LANGUAGES[self.table.code]
        start = next((place for place, word in enumerate(self.words) if word in table.what), 0)
        obliged = {place for name in ("must", "owe") for place in self.cues.get(name, ()) if place >= start}
        persons = grammar.pronouns - grammar.articles - _NOBODY | table.subject_i
        spoken = set(self.words[start:])
        return bool(spoken & table.changed_past) and not (obliged or spoken & (table.not_yet | persons))

    def _kind(self) -> Kind:  # noqa: C901, PLR0911, PLR0912 - one branch a kind
        cues = self.cues
        if self._is_heard():
            return "heard"
        if "when" in cues:
            return "when"
        if self._is_address():
            return "phone" if cues.get("phone", set()) - cues.get("email", set()) else "email"
        if "elsewhere" in cues:
            return "elsewhere"
        if "much" in cues:
            return "much"
        if "decided" in cues:
            return "decided"
        if "called_off" in cues or "still_on" in cues:
            return "yes_no"
        if "changed" in cues:
            return "changed"
        if "overdue" in cues:
            return "overdue"
        if "who" in cues and not {"owe", "must"} & cues.keys():
            return "who"
        if self._is_yes_no() and not ("due" in cues and self.days and not self._has_topic()):
            return "yes_no"
        if "wait" in cues:
            return "wait"
        if "want" in cues:
            return "want"
        if {"owed_me", "owe", "must"} & cues.keys():
            return "owe"
        if "due" in cues and (self.days or len(cues["due"]) == 1):
            return "due"
        return "tell"

    def _is_heard(self) -> bool:
        """ "When did Dafydd last write?": a word of time, a word of writing, and somebody."""
        spoken = set(self.words)
        return bool(self.people) and not (spoken.isdisjoint(self.table.last) or spoken.isdisjoint(self.table.heard))

    def _has_topic(self) -> bool:
        """Whether it names a thing: "is the *deck* due on Friday?", and not "is anything due today?"."""
        frame = {*self.dated, *self.named, *(place for places in self.cues.values() for place in places)}
        spoken = (word for place, word in enumerate(self.words) if place not in frame)
        return any(word not in self.table.filler | self.table.yes_no | self.table.subject_i for word in spoken)

    def _is_address(self) -> bool:
        """ "Annas number?": the word for an address, and somebody."""
        asked = {"phone", "email"} & self.cues.keys() and not {"who", "much"} & self.cues.keys()
        return bool(asked and self.people) and not self._is_yes_no()

    def _is_yes_no(self) -> bool:
        return self.words[0] in self.table.yes_no

    def _frame(self, kind: Kind) -> set[int]:
        """The places of words that belong to the form of this kind of question."""
        names = {
            "when": ("when", "must", "owe", "due", "promise"),
            "much": ("much", "owe", "must", "promise"),
            "who": ("who", "want"),
            "owe": ("who", "owed_me", "owe", "must", "promise"),
            "want": ("want",),
            "wait": ("wait",),
            "due": ("due",),
            "overdue": ("overdue", "due"),
            "changed": ("changed",),
            "decided": ("decided",),
            "heard": ("when",),
            "phone": ("phone", "elsewhere"),
            "email": ("email", "elsewhere"),
            "yes_no": ("must", "still_on", "called_off", "due"),
        }.get(kind, ())
        places = {place for name in names for place in self.cues.get(name, ())}
        if kind == "heard":
            places |= {n for n, word in enumerate(self.words) if word in self.table.last | self.table.heard}
        if kind in ("yes_no", "when", "who"):
            small = self.table.past | self.table.last
            places |= {n for n, word in enumerate(self.words) if word in small}
        return places


def _language(folded: str, locale: str) -> str:
    """The language whose table knows most words of the question; of equals that of the locale, then English."""
    spoken = set(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", folded))
    own = locale[:2].lower()
    scores = {
        code: sum(2 if word in _asking(code) else word in TABLES[code].filler for word in spoken) for code in TABLES
    }
    most = max(scores.values())
    best = [code for code, score in scores.items() if score == most]
    return own if own in best else best[0] if len(best) == 1 or "en" not in best else "en"


@cache
def _asking(language: str) -> frozenset[str]:
    """First words of a language's cues, and its short words of questions."""
    table = TABLES[language]
    names: Iterable[str] = ("when", "who", "much", "elsewhere", "owe", "want", "due", "decided")
    first = {word for name in names for word in _of(getattr(table, name))}
    return frozenset(first | table.subject_i | table.yes_no)


def _of(phrases: Iterable[str]) -> Iterator[str]:
    for phrase in phrases:
        yield from phrase.split()
