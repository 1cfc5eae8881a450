"""
What a user said about their memory, and what must be held back at once, as it stands now: ids and digests, no content.

Digests are HMAC-SHA256 under the user's key, in hexadecimal. ``docs/contract.md``, "Corrections and the overlay",
says what each is made of; ``consumer/understanding/corrections.py`` makes those of records and statements.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from contract.api import Hex64, Wire
from contract.event import Uuid
from contract.exclusions import Exclusion
from contract.keyed import digest, record_digest

__all__ = ["digest", "record_digest"]

CorrectionVerdict = Literal[
    "done", "not_mine", "not_a_task", "wrong", "private", "later", "same_person", "different_person"
]
PERSONS: Final = frozenset({"same_person", "different_person"})
#: Verdicts on a claim of a report. All others need a statement.
OF_CLAIMS: Final = frozenset({"wrong", "private"})
#: Places reported in one call, and places of one correction.
MAX_PLACED: Final = 500
MAX_PLACES: Final = 100
MAX_MARKS: Final = 20
#: One statement, or the two sides of a contradiction.
StatementId = Annotated[str, Field(pattern=r"^([0-9a-f]{16}){1,2}$")]
PersonRef = Annotated[str, Field(min_length=2, max_length=400)]


class CorrectionRequest(Wire):
    """One target: ``statement``; or ``job_id`` and ``claim``, its number in that job's report; or ``person`` and
    ``other``, which are person ids and are stored as digests. ``until``: the day to which ``later`` puts it off.
    """

    verdict: CorrectionVerdict
    statement: StatementId | None = None
    job_id: Uuid | None = None
    claim: Annotated[int, Field(ge=1, le=10_000)] | None = None
    person: PersonRef | None = None
    other: PersonRef | None = None
    until: date | None = None

    @model_validator(mode="after")
    def _has_one_target(self) -> Self:
        given = [
            name for name in ("statement", "job_id", "claim", "person", "other") if getattr(self, name) is not None
        ]
        targets: list[list[str]] = [["statement"]]
        if self.verdict in PERSONS:
            targets = [["person", "other"]]
        elif self.verdict in OF_CLAIMS:
            targets.append(["job_id", "claim"])
        if given not in targets:
            wanted = ", or ".join(" and ".join(target) for target in targets)
            raise ValueError(f"{self.verdict} needs {wanted}; got {', '.join(given) or 'neither'}")
        if self.person is not None and self.person == self.other:
            raise ValueError("person and other are the same")
        if (self.until is not None) != (self.verdict == "later"):
            raise ValueError("the verdict later needs until; no other verdict may have it")
        return self


class CorrectionPlace(Wire):
    """A record that a corrected statement rests on, and the wordings of the statement in it."""

    record: Hex64
    marks: Annotated[tuple[Hex64, ...], Field(max_length=MAX_MARKS)] = ()


class CorrectionView(Wire):
    """``made_by``: ``user``, or ``operator``. ``placed_at``: when a run found what it speaks of."""

    id: Uuid
    verdict: CorrectionVerdict
    statement: str | None = None
    job_id: Uuid | None = None
    claim: int | None = None
    person: Hex64 | None = None
    other: Hex64 | None = None
    #: A day, ``2026-12-02``.
    until: str | None = None
    about: Hex64 | None = None
    places: tuple[CorrectionPlace, ...] = ()
    made_at: AwareDatetime
    made_by: Literal["user", "operator"] = "user"
    placed_at: AwareDatetime | None = None
    undone_at: AwareDatetime | None = None


class CorrectionList(Wire):
    """Newest first, those that were taken back too."""

    corrections: tuple[CorrectionView, ...] = ()


class PlacedCorrection(Wire):
    id: Uuid
    about: Hex64 | None = None
    #: Empty: nothing in this memory is what the correction speaks of.
    places: Annotated[tuple[CorrectionPlace, ...], Field(max_length=MAX_PLACES)] = ()


class PlaceRequest(Wire):
    """What a run found that corrections speak of. The first answer for a correction stands."""

    placed: Annotated[tuple[PlacedCorrection, ...], Field(max_length=MAX_PLACED)]


class RuleRef(Wire):
    """A row of the app that may hold a standing rule, by id and time of its last change. ``off``: the user switched it
    off after that.
    """

    source_key: str
    record_id: str
    changed_at: AwareDatetime
    off: bool = False


class Overlay(Wire):
    """``version`` changes whenever anything else here does. ``key``: what all digests are made with; None: there are
    none. ``hidden_records``: digests of records that were purged within the last 30 days, or are about to be.
    ``corrections``: those in force, oldest first. ``exclusions``: what later exports leave out.
    """

    version: str
    key: Hex64 | None = None
    hidden_records: tuple[Hex64, ...] = ()
    corrections: tuple[CorrectionView, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()


EMPTY: Final = Overlay(version="")


def person_digest(key: str, person_id: str) -> str:
    return digest(key, "person", person_id)
