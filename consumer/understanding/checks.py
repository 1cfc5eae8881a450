"""What any statement must hold, a model's too: the words stand there, the people were there, the day follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from consumer.understanding import dates, languages
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
from consumer.understanding.utterances import COMMITTING, UNKNOWN, Person, RecordText, Utterance

#: Letters that a quote of a statement needs at least: less is a state or a name.
SHORTEST = 2


def accept(record: RecordText, statement: Statement, *, region: str = "") -> Refusal | None:
    """Why the statement does not count; None if it does.

    Recorded state (tasks, events) rests on fields and passes: it is made by code, never by a reader.
    """
    kind = next(name for name, type_ in KINDS.items() if isinstance(statement, type_))
    if isinstance(statement, Task | Event | CalledOff):
        return Refusal(kind, "form")
    for reason, holds in (
        ("form", _is_formed(statement)),
        ("quote", _stand(record, statement.quotes)),
        ("text_kind", _may_commit(record, statement.quotes)),
        ("author", _is_consistent(record, statement)),
        ("person", _are_there(record, statement)),
        ("date", _follows(record, statement, region)),
    ):
        if not holds:
            return Refusal(kind, reason)  # type: ignore[arg-type]
    return None


def resolve(record: RecordText, quote: Quote, words: str, *, region: str = "") -> Due | None:
    """The day that words of a date mean in the quoted utterance; None unless they stand in it and are one date."""
    utterance = _utterance(record, quote)
    if utterance is None or not words.strip() or words not in utterance.text:
        return None
    language = utterance.language if languages.get(utterance.language) else languages.guess(fold(utterance.text))
    try:
        said_on = date.fromisoformat(utterance.day)
    except ValueError:
        return None
    if not language:
        return _in_any_language(words, said_on, region)
    # "sexta" is a day after "na" and a number elsewhere: what the words mean where they stand comes first.
    hits = dates.scan(utterance.text, said_on, language, region)
    in_place = {hit.due for hit in hits if hit.due and hit.due.words == words}
    if language == "en" and not in_place and (morning := dates.next_morning(words, utterance.said_at)):
        return morning
    return in_place.pop() if len(in_place) == 1 else dates.resolve(words, said_on, language, region)


def _in_any_language(words: str, said_on: date, region: str) -> Due | None:
    """What the words mean where the sentence is too short to tell its language: the one day that any language gives."""
    if not any(sign.isalpha() for sign in words):
        return None  # which of two numbers is the month, the language tells
    several = [due for code in languages.LANGUAGES if (due := dates.resolve(words, said_on, code, region))]
    return several[0] if len({(due.day, due.time) for due in several}) == 1 else None


def _utterance(record: RecordText, quote: Quote) -> Utterance | None:
    return next((each for each in record.utterances if each.number == quote.utterance), None)


def _is_formed(statement: Commitment | Request | Answer | Decision | Fact) -> bool:
    """Whether nothing that it needs is empty."""
    if isinstance(statement, Commitment | Request):
        return bool(statement.object.strip() and statement.quotes)
    if isinstance(statement, Decision):
        return bool(statement.what.strip() and statement.quotes)
    if isinstance(statement, Fact):
        named = statement.subject.strip() and statement.attribute.strip() and statement.value.strip()
        return bool(named and statement.quotes and list(statement.scope) == sorted(statement.scope))
    return bool(statement.quotes)


def _stand(record: RecordText, quotes: Sequence[Quote]) -> bool:
    texts = {utterance.number: utterance.text for utterance in record.utterances}
    return all(len(quote.text.strip()) >= SHORTEST and quote.text in texts.get(quote.utterance, "") for quote in quotes)


def _may_commit(record: RecordText, quotes: Sequence[Quote]) -> bool:
    return all(
        (utterance := _utterance(record, quote)) is not None and utterance.kind in COMMITTING for quote in quotes
    )


def _is_consistent(record: RecordText, statement: Commitment | Request | Answer | Decision | Fact) -> bool:
    """All quotes are of one voice, and it is the one that the statement gives them to.

    Only a commitment and a decision can be another's than the author's: "Bob will send the numbers". Then the author
    names them.
    """
    voices = {utterance.author for quote in statement.quotes if (utterance := _utterance(record, quote))}
    if len(voices) != 1:
        return False
    voice = voices.pop()
    if isinstance(statement, Commitment):
        return statement.owner == voice or _is_named(record, statement.owner, statement.quotes)
    if isinstance(statement, Request):
        return statement.asker == voice
    if isinstance(statement, Answer):
        return statement.by == voice
    if isinstance(statement, Decision):
        return all(person == voice or _is_named(record, person, statement.quotes) for person in statement.who)
    return statement.by in (voice, UNKNOWN)


def _people(statement: Commitment | Request | Answer | Decision | Fact) -> Iterable[Person]:
    if isinstance(statement, Commitment):
        return (statement.owner, *statement.beneficiaries)
    if isinstance(statement, Request):
        return (statement.asker, *statement.asked)
    if isinstance(statement, Answer):
        return (statement.by, *statement.to)
    return statement.who if isinstance(statement, Decision) else (statement.by,)


def _are_there(record: RecordText, statement: Commitment | Request | Answer | Decision | Fact) -> bool:
    """Everybody takes part in the record, or is named in what is quoted; no address is one that it does not give."""
    known = {UNKNOWN, *record.people}
    for utterance in record.utterances:
        known |= {utterance.author, *utterance.addressees}
    return all(
        person in known or (not person.address and _is_named(record, person, statement.quotes))
        for person in _people(statement)
    )


def _is_named(record: RecordText, person: Person, quotes: Sequence[Quote]) -> bool:
    """Whether a quoted utterance has a word of the person's name, as a word."""
    parts = [part for part in fold(person.name).replace(",", " ").split() if len(part) > 1]
    for quote in quotes:
        utterance = _utterance(record, quote)
        words = set(fold(utterance.text).replace("'s", " ").translate(_SIGNS).split()) if utterance else set()
        if any(part in words for part in parts):
            return True
    return False


_SIGNS = str.maketrans({sign: " " for sign in ".,;:!?()[]\"'\u201c\u201d\u201e\u00ab\u00bb-"})


def _follows(record: RecordText, statement: Statement, region: str) -> bool:
    """Whether the words of the due date stand in a quoted utterance and mean that day there."""
    due = getattr(statement, "due", None)
    if due is None:
        return True
    days = [resolve(record, quote, due.words, region=region) for quote in statement.quotes]
    return any(day is not None and (day.day, day.time) == (due.day, due.time) for day in days)
