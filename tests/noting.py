"""A reader by model that needs none: it notes the words of every line, so that a test finds them wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import orjson

from consumer.ports import Guard
from consumer.run import Run
from consumer.understanding import modelform, paid
from consumer.understanding.paid import PaidReading
from consumer.understanding.readers import ReadRecord, Stopped, fingerprint
from consumer.understanding.utterances import COMMITTING, RecordText
from contract.api import Usage


class NotesAll:
    """Implements consumer.understanding.readers.PayingReader."""

    version = modelform.VERSION
    stopped: Stopped = ""
    exhausted = False

    def usage(self) -> Usage:
        return Usage()

    def read(self, records: Sequence[RecordText]) -> list[ReadRecord]:
        return [ReadRecord(record, self.version, (), (), tuple(self._paid(record))) for record in records]

    def _paid(self, record: RecordText) -> Iterator[tuple[str, bytes]]:
        for part in modelform.parts(record):
            labels = {person: label for label, person in modelform.people(part).items()}
            noted = [
                {"kind": "decision", "line": line.number, "quote": line.text[:300], "by": labels[line.author]}
                | {"what": line.text[:300], "about": ""}
                for line in part.utterances
                if line.kind in COMMITTING
            ]
            yield fingerprint(part), orjson.dumps(paid.plain(PaidReading(tuple(noted))))


class OpensNotesAll:
    """Implements consumer.stages.render.OpensModelReader."""

    @contextmanager
    def open(
        self, run: Run, guard: Guard, earlier: Callable[[Collection[str]], Mapping[str, Any]]
    ) -> Iterator[NotesAll]:
        yield NotesAll()
