"""What any statement must hold, a model's too: the words stand there, the people were there, the day follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from consumer.understanding import dates, languages
from consumer.understanding.moments import day_of
from consumer.understanding.statements import (
    KINDS,
    Answer,
    CalledOff,
    Commitment,
    Decision,
    Due,
    Event,
    Fact,
    Quote,
    Refusal,
    Request,
    Statement,
    Task,
)
from consumer.understanding.text import fold
from consumer.understanding.utterances import COMMITTING, UNKNOWN, Person, RecordText

#: What a reader makes of words.
_Read = Commitment | Request | Answer | Decision | Fact
#: Letters that a quote of a statement needs at least: less is a state or a name.
SHORTEST = 2


class Checks:
    """The checks of one record's statements. ``region``: of the user, "US" or "en-US"; it says how "12/03" is read.

    Who speaks and who is there is worked out once: a record may have thousands of utterances and statements.
    """

    def __init__(self, record: RecordText, *, region: str = "") -> None:
        self._region = region
        self._utterances = {utterance.number: utterance for utterance in record.utterances}
        self._there = {UNKNOWN, *record.people}
        for utterance in record.utterances:
            self._there |= {utterance.author, *utterance.addressees}

    def refusal(self, statement: Statement) -> Refusal | None:
        """Why the statement does not count; None if it does.

        Recorded state (tasks, events) rests on fields and passes: it is made by code, never by a reader.
        """
        kind = next(name for name, type_ in KINDS.items() if isinstance(statement, type_))
        if isinstance(statement, Task | Event | CalledOff):
            return Refusal(kind, "form")
        for reason, holds in (
            ("form", _is_formed(statement)),
            ("quote", self._stand(statement.quotes)),
            ("text_kind", self._may_commit(statement.quotes)),
            ("author", self._is_consistent(statement)),
            ("person", self._are_there(statement)),
            ("date", self._follows(statement)),
        ):
            if not holds:
                return Refusal(kind, reason)  # type: ignore[arg-type]
        return None

    def due_of(self, quote: Quote, words: str) -> Due | None:
        """The day that words of a date mean in the quoted utterance; None unless they stand in it and are one date."""
        utterance = self._utterances.get(quote.utterance)
        if utterance is None or not words.strip() or words not in utterance.text:
            return None
        language = utterance.language if languages.get(utterance.language) else languages.guess(fold(utterance.text))
        said_on = day_of(utterance.day)
        if said_on is None:
            return None
        if not language:
            return _in_any_language(words, said_on, self._region)
        # "sexta" is a day after "na" and a number elsewhere: what the words mean where they stand comes first.
        hits = dates.scan(utterance.text, said_on, language, self._region)
        in_place = {hit.due for hit in hits if hit.due and hit.due.words == words}
        if language == "en" and not in_place and (morning := dates.next_morning(words, utterance.said_at)):
            return morning
        return in_place.pop() if len(in_place) == 1 else dates.resolve(words, said_on, language, self._region)

    def _stand(self, quotes: Sequence[Quote]) -> bool:
        return all(
            len(quote.text.strip()) >= SHORTEST
            and (utterance := self._utterances.get(quote.utterance)) is not None
            and quote.text in utterance.text
            for quote in quotes
        )

    def _may_commit(self, quotes: Sequence[Quote]) -> bool:
        return all(
            (utterance := self._utterances.get(quote.utterance)) is not None and utterance.kind in COMMITTING
            for quote in quotes
        )

    def _is_consistent(self, statement: _Read) -> bool:
        """All quotes are of one voice, and it is the one that the statement gives them to.

        Only a commitment and a decision can be another's than the author's: "Bob will send the numbers". Then the
        author names them.
        """
        quoted = (self._utterances.get(quote.utterance) for quote in statement.quotes)
        voices = {utterance.author for utterance in quoted if utterance}
        if len(voices) != 1:
            return False
        voice = voices.pop()
        if isinstance(statement, Commitment):
            return statement.owner == voice or self._is_named(statement.owner, statement.quotes)
        if isinstance(statement, Request):
            return statement.asker == voice
        if isinstance(statement, Answer):
            return statement.by == voice
        if isinstance(statement, Decision):
            return all(person == voice or self._is_named(person, statement.quotes) for person in statement.who)
        return statement.by in (voice, UNKNOWN)

    def _are_there(self, statement: _Read) -> bool:
        """Everybody takes part in the record or is named in a quote; no address is one that it does not give."""
        return all(
            person in self._there or (not person.address and self._is_named(person, statement.quotes))
            for person in _people(statement)
        )

    def _is_named(self, person: Person, quotes: Sequence[Quote]) -> bool:
        """Whether a quoted utterance has a word of the person's name, as a word."""
        parts = [part for part in fold(person.name).replace(",", " ").split() if len(part) > 1]
        for quote in quotes:
            utterance = self._utterances.get(quote.utterance)
            words = set(fold(utterance.text).replace("'s", " ").translate(_SIGNS).split()) if utterance else set()
            if any(part in words for part in parts):
                return True
        return False

    def _follows(self, statement: _Read) -> bool:
        """Whether the words of the due date stand in a quoted utterance and mean that day there."""
        due = getattr(statement, "due", None)
        if due is None:
            return True
        for quote in statement.quotes:
            day, said_in = self.due_of(quote, due.words), self._utterances.get(quote.utterance)
            # In a chat, "at 8" may be the evening's.
            meant = (day, dates.ahead(day, said_in.said_at)) if day and said_in else ()
            if any((each.day, each.time) == (due.day, due.time) for each in meant):
                return True
        return False


def _in_any_language(words: str, said_on: date, region: str) -> Due | None:
    """What the words mean where the sentence is too short to tell its language: the one day that any language gives."""
    if not any(sign.isalpha() for sign in words):
        return None  # which of two numbers is the month, the language tells
    several = [due for code in languages.LANGUAGES if (due := dates.resolve(words, said_on, code, region))]
    return several[0] if len({(due.day, due.time) for due in several}) == 1 else None


def _is_formed(statement: _Read) -> bool:
    """Whether nothing that it needs is empty."""
    if isinstance(statement, Commitment | Request):
        return bool(statement.object.strip() and statement.quotes)
    if isinstance(statement, Decision):
        return bool(statement.what.strip() and statement.quotes)
    if isinstance(statement, Fact):
        named = statement.subject.strip() and statement.attribute.strip() and statement.value.strip()
        return bool(named and statement.quotes and list(statement.scope) == sorted(statement.scope))
    return bool(statement.quotes)


def _people(statement: _Read) -> Iterable[Person]:
    if isinstance(statement, Commitment):
        return (statement.owner, *statement.beneficiaries)
    if isinstance(statement, Request):
        return (statement.asker, *statement.asked)
    if isinstance(statement, Answer):
        return (statement.by, *statement.to)
    return statement.who if isinstance(statement, Decision) else (statement.by,)


_SIGNS = str.maketrans({sign: " " for sign in ".,;:!?()[]\"'\u201c\u201d\u201e\u00ab\u00bb-"})
