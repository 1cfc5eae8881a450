"""
The port of whatever reads records, and the reader by rules behind it.

The reader by model is consumer/agent/reader.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from consumer.understanding import rules
from consumer.understanding.statements import Refusal, Statement
from consumer.understanding.utterances import RecordText
from contract import canonical
from contract.api import Usage

#: Why a reader by model asks no more in this run: its share of the job's tokens is spent, the model gave no answer, or
#: the reader's share of the run's time is over. "": it still asks.
Stopped = Literal["", "tokens", "model", "time"]


class ReadRecord(NamedTuple):
    """What one reader makes of one record. Every statement has passed ``checks.Checks``.

    ``reader``: version of the reader that read it. A caller that wanted another one may ask again in a later run.
    ``paid``: what a model noted, by fingerprint of a part of the record. Keep it with the record, and give it back to
    the reader when the record is read again (in another zone, by other checks): then nothing is asked, or paid, again.
    """

    record: RecordText
    reader: str
    statements: tuple[Statement, ...]
    refusals: tuple[Refusal, ...] = ()
    paid: tuple[tuple[str, bytes], ...] = ()


class RecordReader(Protocol):
    @property
    def version(self) -> str:
        """Changes when the same record would be read otherwise; the readings of another version are read again."""

    def read(self, records: Sequence[RecordText]) -> Sequence[ReadRecord]:
        """One result a record, in the order given. Repeatable.

        A reader that asks a model raises whatever its guard and its store of paid answers raise; what it paid for until
        then is kept. What the model cannot read now is read by rules, and ``ReadRecord.reader`` says so.
        """


class PayingReader(RecordReader, Protocol):
    """A reader that asks a model, within limits of tokens and time."""

    @property
    def stopped(self) -> Stopped:
        """Why it asks no more in this run."""

    @property
    def exhausted(self) -> bool:
        """Whether it has nothing for any further record: it asks no more, and every answer paid before was used."""

    def usage(self) -> Usage:
        """What this run has paid so far."""


@dataclass(frozen=True, slots=True)
class RulesReader:
    """Needs no model. ``region``: of the user, "US" or "en-US"; "" for unknown."""

    region: str = ""
    version: str = rules.VERSION

    def read(self, records: Sequence[RecordText]) -> list[ReadRecord]:
        """See RecordReader."""
        return [self._read(record) for record in records]

    def _read(self, record: RecordText) -> ReadRecord:
        statements, refusals = rules.read(record, region=self.region)
        return ReadRecord(record, self.version, tuple(statements), tuple(refusals))


def fingerprint(record: RecordText) -> str:
    """64 hex digits of what a record says and who says it to whom.

    Times and languages are no part of it: a reader returns the words of a date, and code resolves them. So a change of
    zone, and a change of what is not read in the record, cost nothing.
    """
    utterances = [
        [utterance.number, utterance.author, utterance.addressees, utterance.kind, utterance.text]
        for utterance in record.utterances
    ]
    identity = [record.source, record.record_id, record.people, utterances]
    return canonical.digest(_plain(identity)).removeprefix("sha256:")


def _plain(value: object) -> object:
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
