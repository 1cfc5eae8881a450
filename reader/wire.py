"""The service's answers, as JSON and in its OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from contract.api import Usage, Wire
from contract.overlay import CorrectionVerdict, CorrectionView

#: As of the user's day: past its date, due today or tomorrow, or neither.
Stage = Literal["overdue", "due", "open"]


class Place(Wire):
    """Where something stands. ``page`` is a path for ``GET /v1/me/pages/{page}``; ``anchor`` "" for the whole page."""

    page: str
    anchor: str
    quote: str


class Hit(Wire):
    """A passage. ``day``: ISO date or "". ``source``: a source's key, "" for a page made from several records.

    ``held``: a standing rule keeps it out of everything that is told.
    """

    page: str
    anchor: str
    title: str
    day: str
    source: str
    text: str
    score: float
    held: bool = False


class SearchAnswer(Wire):
    """``more``: whether further passages follow at the next ``offset``."""

    hits: tuple[Hit, ...]
    more: bool


class Sentence(Wire):
    text: str
    citations: tuple[Place, ...]


class NearPassage(Wire):
    """A passage to look at where memory does not say."""

    page: str
    anchor: str
    title: str
    day: str
    source: str
    text: str


class Asked(Wire):
    """An answer. Each sentence has been checked against the words that it cites; what was not supported is left out.

    ``said_by`` ``nobody``: memory does not say; ``nearest`` has passages to look at. ``usage``: what a model cost.
    """

    answer: tuple[Sentence, ...]
    supported: bool
    said_by: Literal["facts", "model", "nobody"]
    unsupported: int
    nearest: tuple[NearPassage, ...]
    usage: Usage


class AskRequest(Wire):
    question: Annotated[str, Field(min_length=1, max_length=500)]


class ReportEntry(Wire):
    """``period``: a day, or a day and hour in UTC."""

    id: str
    kind: Literal["digest", "backfill", "insight", "inventory"]
    period: str


class ReportList(Wire):
    """Newest period first. ``more``: whether older reports follow after the last one's id (``after``)."""

    reports: tuple[ReportEntry, ...]
    more: bool


class Report(ReportEntry):
    """``document``: the report as data; its sections are lists of statements with citations."""

    document: dict[str, Any]


class Loop(Wire):
    """Something that somebody owes or is asked for. ``text``: the record's words. ``people``: the other side."""

    id: str
    kind: Literal["commitment", "request", "task"]
    direction: Literal["you_owe", "owed_to_you", "asked_of_you", "asked_by_you"]
    text: str
    people: tuple[str, ...]
    due: str
    due_time: str
    stage: Stage
    since: str
    condition: str
    citations: tuple[Place, ...]


class Meeting(Wire):
    """A planned meeting. ``loops``: what is open with its people, as preparation."""

    id: str
    title: str
    starts: str
    ends: str
    organizer: str
    people: tuple[str, ...]
    loops: tuple[Loop, ...]
    citations: tuple[Place, ...]


class Today(Wire):
    """What counts now. ``as_of``: when memory was last brought up to date, in the user's time; null: never.

    ``due``: overdue, or due today or tomorrow; these are not repeated in the other lists.
    """

    as_of: str | None
    today: str | None
    due: tuple[Loop, ...]
    you_owe: tuple[Loop, ...]
    asked_of_you: tuple[Loop, ...]
    owed_to_you: tuple[Loop, ...]
    asked_by_you: tuple[Loop, ...]
    meetings: tuple[Meeting, ...]


class Person(Wire):
    """``records``: how many records name them. ``pages``: their pages. ``loops``: how many are open with them."""

    name: str
    aliases: tuple[str, ...]
    addresses: tuple[str, ...]
    records: int
    last_day: str
    pages: tuple[str, ...]
    loops: int


class Project(Wire):
    name: str
    page: str


class People(Wire):
    people: tuple[Person, ...]
    projects: tuple[Project, ...]


class Source(Wire):
    """``pages``: pages of evidence from this source."""

    source: str
    pages: int


class Sources(Wire):
    """``commit`` and ``committed_at``: the state of memory that all calls show now; 0 and null: nothing yet."""

    sources: tuple[Source, ...]
    commit: int
    committed_at: AwareDatetime | None


class Correction(Wire):
    """What the user, or an operator for them, said about memory. ``until``: the day to which ``later`` puts it off.

    ``statement``, or ``job_id`` and ``claim``: what it speaks of; null for people, whose ids are not kept.
    """

    id: str
    verdict: CorrectionVerdict
    statement: str | None
    job_id: str | None
    claim: int | None
    until: str | None
    made_at: AwareDatetime
    made_by: Literal["user", "operator"]
    undone_at: AwareDatetime | None

    @classmethod
    def of(cls, view: CorrectionView) -> Correction:
        return cls.model_validate(view.model_dump())


class Corrections(Wire):
    """Newest first, those that were taken back too; at most 500."""

    corrections: tuple[Correction, ...]


class Code(Wire):
    """A code that opens the pages in a browser, once, within ten minutes. ``sign_in``: the address to open."""

    code: Annotated[str, Field(min_length=1)]
    sign_in: str
