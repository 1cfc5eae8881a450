"""
The ledger of what a user was told: which open loops, decisions, changes and contradictions, at which stage.

A report and its marks are one commit, so that something is told once however often a job runs. What did not fit into a
digest is marked as waiting and told by a later one. A mark names the records that it rests on by digest: a purge takes
it with them, and a restore keeps today's ledger (docs/reports.md, "Reported once").
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Annotated, Any, Final, Literal

import orjson
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from consumer.understanding.memory import Stage, StatementEvidence
from contract.records import record_digest

SCHEMA: Final = "memory.told.v1"
#: A mark of something that memory no longer holds is kept for that many days, in case it comes back.
KEPT_DAYS: Final = 90
#: A later stage is told again, an earlier one never.
ORDER: Final[Mapping[Stage, int]] = {"open": 0, "due": 1, "overdue": 2, "closed": 3}


class Mark(BaseModel):
    """``key``: id of a statement, decision, change, contradiction or meeting. ``stage`` and ``due``: as it was told.

    ``is_told`` False: it waits for a digest with room. ``at``: the user's time of the report that wrote the mark,
    ``2026-11-27 20:10``. ``rests_on``: digests of records (``contract.records.record_digest``).
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    key: Annotated[str, Field(min_length=1, max_length=200)]
    stage: Literal["open", "due", "overdue", "closed"] = "open"
    due: str = ""
    is_told: bool = True
    at: str = ""
    rests_on: tuple[str, ...] = ()

    @property
    def rank(self) -> int:
        return ORDER[self.stage]


@dataclass(frozen=True)
class ToldLedger:
    """``marks``: by key. ``wake_at``: when something falls due next without any news; None: nothing does.

    ``daily``: the user's day of the last morning report. ``begun`` False: there is no ledger yet.

    ``zone``: IANA name of the user's zone when the ledger was last written; the times of marks are in this zone. "":
    unknown.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    wake_at: datetime | None = None
    daily: str = ""
    begun: bool = False
    zone: str = ""

    def of(self, keys: Iterable[str]) -> list[Mark]:
        """The marks of these keys."""
        return [self.marks[key] for key in keys if key in self.marks]

    def with_marks(self, marks: Iterable[Mark]) -> ToldLedger:
        """Later marks replace earlier ones. A mark of what was told never becomes one that waits."""
        merged = dict(self.marks)
        for mark in marks:
            before = merged.get(mark.key)
            if before is not None and before.is_told and not mark.is_told:
                continue
            merged[mark.key] = mark
        return replace(self, marks=merged, begun=True)

    def without_old(self, today: date, live: Collection[str]) -> ToldLedger:
        """Without marks of more than ``KEPT_DAYS`` ago of what memory no longer holds."""
        oldest = (today - timedelta(days=KEPT_DAYS)).isoformat()
        kept = {key: mark for key, mark in self.marks.items() if key in live or mark.at[:10] >= oldest}
        return replace(self, marks=kept)

    def resting_on(self, record: str) -> Sequence[Mark]:
        """Marks that rest on this record, by key."""
        return self._by_record.get(record, ())

    @cached_property
    def _by_record(self) -> Mapping[str, Sequence[Mark]]:
        by_record: dict[str, list[Mark]] = {}
        for key in sorted(self.marks):
            for record in dict.fromkeys(self.marks[key].rests_on):
                by_record.setdefault(record, []).append(self.marks[key])
        return by_record

    def encode(self) -> bytes:
        """The file's bytes; equal ledgers give equal bytes."""
        # orjson writes a mark's texts, flag and tuple as pydantic does, in a tenth of the time.
        rows = [vars(self.marks[key]) for key in sorted(self.marks)]
        document = {
            "schema": SCHEMA,
            "wake_at": self.wake_at.isoformat() if self.wake_at else None,
            "daily": self.daily,
            "zone": self.zone,
            "marks": rows,
        }
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


class _Waking(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    wake_at: AwareDatetime | None = None


class _Head(_Waking):
    daily: str = ""
    zone: str = ""


class _File(_Head):
    marks: tuple[dict[str, Any], ...] = ()


class _SoundFile(_Head):
    """A file of which no row is out of form, as nearly all are."""

    marks: tuple[Mark, ...] = ()


def parse(data: bytes) -> ToldLedger:
    """The ledger in a file's bytes, without rows that are out of form; one that has not begun for a damaged file."""
    try:
        return _ledger(sound := _SoundFile.model_validate_json(data), sound.marks)
    except ValidationError:
        # Read row by row, it costs twice.
        pass
    try:
        document = _File.model_validate_json(data)
    except ValidationError:
        return ToldLedger()
    return _ledger(document, (mark for mark in map(_mark, document.marks) if mark is not None))


def _ledger(document: _Head, marks: Iterable[Mark]) -> ToldLedger:
    by_key = {mark.key: mark for mark in marks}
    return ToldLedger(by_key, document.wake_at, document.daily, begun=True, zone=document.zone)


def wake_at(data: bytes) -> datetime | None:
    """``parse(data).wake_at``, without the marks, of which there may be thousands."""
    try:
        return _Waking.model_validate_json(data).wake_at
    except ValidationError:
        return None


def _mark(row: dict[str, Any]) -> Mark | None:
    try:
        return Mark.model_validate(row)
    except ValidationError:
        return None


def rests_on(evidence: Iterable[StatementEvidence]) -> tuple[str, ...]:
    """The digests of the records that hold these words."""
    return tuple(sorted({record_digest(place.source, place.record_id) for place in evidence}))
