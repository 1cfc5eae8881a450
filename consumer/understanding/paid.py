"""
What a model noted of a record: how it is kept with the record, and what it amounts to now. Pure.

The model's words are kept, not statements made of them. They are checked against the record, and their dates resolved
in the user's zone, each time the record is read. So a change of zone or of the checks costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from consumer.understanding import modelform
from consumer.understanding.modelform import Noted
from consumer.understanding.readers import fingerprint
from consumer.understanding.statements import Answer, Commitment, Refusal, Request, Statement
from consumer.understanding.utterances import RecordText


@dataclass(frozen=True, slots=True)
class PaidReading:
    """What a model noted of one part of a record. ``unreadable``: it gave no usable answer, alone as well.

    ``tries``: answers about it that did not end; until it is unreadable, it is still to be asked about, alone.
    """

    noted: tuple[Noted, ...]
    malformed: tuple[Refusal, ...] = ()
    unreadable: bool = False
    tries: int = 0

    @property
    def is_settled(self) -> bool:
        """Whether nothing more is to be asked."""
        return self.unreadable or not self.tries


class PaidStatements(NamedTuple):
    """What a model's notes of a whole record amount to. ``readable``: it gave a usable answer about every part."""

    statements: tuple[Statement, ...]
    refusals: tuple[Refusal, ...]
    readable: bool


def statements(
    record: RecordText, known: Mapping[str, PaidReading], *, region: str = "", part_tokens: int = modelform.PART_TOKENS
) -> PaidStatements | None:
    """The statements that hold of what was noted, by fingerprint of a part; None while a part of it is missing."""
    parts = modelform.parts(record, part_tokens)
    readings = [known.get(fingerprint(part)) for part in parts]
    complete = [reading for reading in readings if reading is not None and reading.is_settled]
    if len(complete) < len(parts):
        return None
    refusals = [refusal for reading in complete for refusal in reading.malformed]
    if any(reading.unreadable for reading in complete):
        return PaidStatements((), tuple(refusals), readable=False)
    made: list[Statement] = []
    for part, reading in zip(parts, complete, strict=True):
        accepted, refused = modelform.statements(record, part, reading.noted, region=region)
        made += [statement for statement in accepted if statement not in made]
        refusals += refused
    return PaidStatements(tuple(made), tuple(refusals), readable=True)


def together(
    by_model: Iterable[Statement], by_rules: Iterable[Statement]
) -> tuple[tuple[Statement, ...], tuple[Refusal, ...]]:
    """What both readers found in one record.

    A text in the same request may have misled the model, so it cannot silence the rules: what they found stays unless
    the model noted of its sentence as much of the same kind and person, and then the model's words count. Nor can it
    make something else of a promise or a request that stays: an answer could close another. Such notes are refused.
    """
    noted, ruled = list(by_model), list(by_rules)
    kept: list[Statement] = []
    refused: list[Statement] = []
    for statement in ruled:
        there = [note for note in noted if _of_one_sentence(note, statement)]
        same = [note for note in there if _is_like(note, statement)]
        if same and len(same) >= sum(_is_like(each, statement) and _of_one_sentence(each, statement) for each in ruled):
            continue
        kept.append(statement)
        others = (Answer, Commitment, Request) if isinstance(statement, Commitment | Request) else ()
        refused += [note for note in there if note in same or isinstance(note, others)]
    refusals = [Refusal(type(note).__name__.lower(), "rules") for note in noted if note in refused]
    # In the order of the text, whoever read it, so that an answer stands behind what it answers.
    both = [*(note for note in noted if note not in refused), *kept]
    return tuple(sorted(both, key=lambda statement: statement.quotes[0].utterance)), tuple(refusals)


def _is_like(left: Statement, right: Statement) -> bool:
    """Whether both are of one kind and of the same person: who promises, or who is asked."""
    if type(left) is not type(right):
        return False
    if isinstance(left, Commitment) and isinstance(right, Commitment):
        return left.owner == right.owner
    if isinstance(left, Request) and isinstance(right, Request):
        return not (left.asked and right.asked) or not set(left.asked).isdisjoint(right.asked)
    return True


def _of_one_sentence(left: Statement, right: Statement) -> bool:
    return any(
        mine.utterance == theirs.utterance and (mine.text in theirs.text or theirs.text in mine.text)
        for mine in left.quotes
        for theirs in right.quotes
    )


def encode(known: Mapping[str, PaidReading]) -> bytes:
    """By fingerprint of a part."""
    return orjson.dumps({key: plain(reading) for key, reading in sorted(known.items())})


def decode(body: bytes) -> dict[str, PaidReading]:
    """Raises ValueError, KeyError, TypeError, AttributeError for bytes that ``encode`` did not make."""
    return {key: reading_of(entry) for key, entry in orjson.loads(body).items()}


def plain(reading: PaidReading) -> dict[str, Any]:
    """As JSON."""
    malformed = [[refusal.kind, refusal.reason] for refusal in reading.malformed]
    tried = {"tries": reading.tries} if reading.tries else {}
    return {"noted": reading.noted, "malformed": malformed, "unreadable": reading.unreadable, **tried}


def reading_of(entry: Mapping[str, Any]) -> PaidReading:
    """Reverses ``plain``. Raises KeyError, TypeError, ValueError."""
    malformed = tuple(Refusal(kind, reason) for kind, reason in entry["malformed"])
    return PaidReading(tuple(entry["noted"]), malformed, bool(entry["unreadable"]), int(entry.get("tries", 0)))


def joined(*several: Mapping[str, PaidReading]) -> dict[str, PaidReading]:
    """By fingerprint of a part: the first reading that is settled, else the one of most tries."""
    known: dict[str, PaidReading] = {}
    for readings in several:
        for key, reading in readings.items():
            before = known.get(key)
            if before is None or (not before.is_settled and (reading.is_settled or reading.tries > before.tries)):
                known[key] = reading
    return known
