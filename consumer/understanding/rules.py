"""
The reader that needs no model: statements from utterances by tables of words, in seven languages.

It reads only what it can show to be right: a first person with an object, not negated, not asked, not idle
talk. What it
cannot place it leaves out. Languages without a table say nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Final

from consumer.understanding import checks, facts, languages, promises, replies
from consumer.understanding.grammar import Phrases, Reading, lexicon
from consumer.understanding.statements import Answer, Commitment, Decision, Fact, Quote, Refusal, Request, Statement
from consumer.understanding.text import fold, sentences, tokens
from consumer.understanding.utterances import COMMITTING, Person, RecordText, TextKind, Utterance

#: Change it with the rules: readings of another version are read again.
VERSION: Final = "rules-1"
#: A sentence of more words is a list or a paragraph without ends; nobody promises in it.
_LONGEST: Final = 120
#: Verdict of each kind of reply, as ``Answer`` has them.
_VERDICTS: Final = frozenset({"accepted", "declined", "delivered", "received", "released"})


def read(
    record: RecordText, *, region: str = "", allowed: Collection[TextKind] = COMMITTING
) -> tuple[list[Statement], list[Refusal]]:
    """Statements of a record in the order of its text, and why others were left out.

    ``region``: of the user, "US" or "en-US"; it says how "12/03/2026" is read in English. ``allowed``: kinds of text
    that may say anything; ``generated`` and ``machine`` never may.
    """
    statements: list[Statement] = []
    refusals: list[Refusal] = []
    people = _people(record)
    names = _names(people)
    for utterance in record.utterances:
        if utterance.kind not in allowed or utterance.kind not in COMMITTING or not utterance.text:
            continue
        for statement in _utterance(utterance, region, names, people, statements):
            refusal = checks.accept(record, statement, region=region)
            if refusal:
                refusals.append(refusal)
            else:
                statements.append(statement)
    return statements, refusals


def _people(record: RecordText) -> Mapping[str, Person]:
    """By number: everybody who takes part and has a name."""
    several = [*record.people]
    for utterance in record.utterances:
        several += [utterance.author, *utterance.addressees]
    distinct = dict.fromkeys(person for person in several if person.name)
    return {str(number): person for number, person in enumerate(distinct)}


def _names(people: Mapping[str, Person]) -> Phrases:
    """Full names, and first names that only one of them has."""
    return _phrases(tuple((key, person.name) for key, person in people.items()))


@lru_cache(maxsize=256)
def _phrases(people: tuple[tuple[str, str], ...]) -> Phrases:
    by_name: dict[str, set[str]] = {}
    for key, name in people:
        full = " ".join(token.word for token in tokens(fold(name)) if token.word[0].isalnum())
        for each in {full, full.split()[0]} if full else ():
            by_name.setdefault(each, set()).add(key)
    return Phrases([(name, keys.pop()) for name, keys in sorted(by_name.items()) if len(keys) == 1], False)


def _utterance(
    utterance: Utterance, region: str, names: Phrases, people: Mapping[str, Person], before: list[Statement]
) -> Iterator[Statement]:
    said = _day(utterance.day)
    words = languages.get(utterance.language)
    if words is None and not utterance.language:
        words = languages.get(languages.guess(fold(utterance.text)))
    if words is None or said is None:
        return
    lex = lexicon(words.code)
    for sentence in sentences(utterance.text, words.code):
        reading = Reading.of(sentence.text, sentence.start, lex, said, region)
        if 0 < len(reading.words) <= _LONGEST and _may_say(reading):
            yield from _sentence(reading, utterance, names, people, before)


def _day(day: str) -> date | None:
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None


def _may_say(reading: Reading) -> bool:
    """Whether any word of it can begin something; most sentences have none, and need no more reading."""
    lex = reading.lexicon
    if not lex.triggers.isdisjoint(reading.words):
        return True
    # A fact has the name of an attribute, in German also as the end of a word: "Falcon-Budget".
    return lex.attributes.anywhere(reading) or (lex.words.verb_second and "-" in reading.text)


def _sentence(
    reading: Reading, utterance: Utterance, names: Phrases, people: Mapping[str, Person], before: list[Statement]
) -> Iterator[Statement]:
    quotes = (Quote(utterance.number, reading.text),)
    made = False
    for promise in promises.find(reading, names, people):
        commitment = _commitment(promise, utterance, quotes, before)
        if commitment:
            made = True
            yield commitment
    if made:
        return
    reply = replies.reply(reading, names)
    if reply and not _is_understood(reply, utterance, before):
        yield _answer(reply, utterance, quotes)
        return
    choice = replies.decision(reading)
    if choice:
        yield Decision((utterance.author,), choice.what, choice.about, quotes)
        return
    asked = replies.ask(reading, names)
    if asked:
        yield Request(utterance.author, utterance.addressees, asked.object, quotes, asked.due)
        return
    plain = facts.find(reading)
    if plain:
        yield Fact(plain.subject, plain.attribute, plain.value, plain.unit, plain.scope, quotes, by=utterance.author)


def _commitment(
    promise: promises.Promise, utterance: Utterance, quotes: tuple[Quote, ...], before: list[Statement]
) -> Commitment | None:
    owner = promise.owner or utterance.author
    to = tuple(person for person in utterance.addressees if person != owner)
    if promise.owner and promise.owner != utterance.author:
        to = (utterance.author,)
    made = Commitment(owner, to, promise.object, quotes, promise.due, promise.condition)
    if not promise.pronoun:
        return made
    earlier = next((each for each in reversed(before) if isinstance(each, Commitment | Request)), None)
    if isinstance(earlier, Commitment) and earlier.owner == owner and earlier.quotes[0].utterance == utterance.number:
        if earlier.due is None and earlier is before[-1]:
            # "I owe you the results; I'll send them by Friday": one promise, said in two parts.
            before.pop()
            distinct = tuple(dict.fromkeys(earlier.quotes + quotes))
            return replace(earlier, due=promise.due, quotes=distinct, condition=earlier.condition or promise.condition)
        return replace(made, object=earlier.object)
    if isinstance(earlier, Request) and earlier.asker != owner:
        return replace(made, object=earlier.object)
    return made


def _is_understood(reply: replies.Reply, utterance: Utterance, before: list[Statement]) -> bool:
    """ "Got it" just after a promise says that it was understood, and not that the thing has arrived."""
    last = before[-1] if before else None
    return (
        reply.verdict == "received"
        and not reply.object
        and isinstance(last, Commitment)
        and last.owner != utterance.author
    )


def _answer(reply: replies.Reply, utterance: Utterance, quotes: tuple[Quote, ...]) -> Answer:
    return Answer(utterance.author, utterance.addressees, reply.verdict, reply.object, quotes)  # type: ignore[arg-type]
