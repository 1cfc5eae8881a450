"""The service's answers, as JSON and in its OpenAPI document."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from contract.api import Usage, Wire
from contract.orders import MAX_FORGOTTEN, OrderView, RecordRef
from contract.overlay import CorrectionVerdict, CorrectionView

#: As of the user's day: past its date, due today or tomorrow, or neither.
Stage = Literal["overdue", "due", "open"]


class CitedPlace(Wire):
    """A cited place. ``page`` is a path for ``GET /v1/me/pages/{page}``; ``anchor`` "" for the whole page."""

    page: str
    anchor: str
    quote: str


class Hit(Wire):
    """A passage. ``day``: ISO date or "". ``source``: a source's key, "" for a page made from several records.

    ``held``: a standing rule keeps it out of reports and answers.
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


class CitedSentence(Wire):
    text: str
    citations: tuple[CitedPlace, ...]


class NearPassage(Wire):
    """A passage to read if memory has no answer."""

    page: str
    anchor: str
    title: str
    day: str
    source: str
    text: str


class Location(Wire):
    """A page, and an anchor on it; "" for the whole page."""

    page: str
    anchor: str


class AskAnswer(Wire):
    """An answer. Each sentence was checked against the words that it cites; unsupported sentences are left out.

    ``said_by`` ``nobody``: memory has no answer; ``nearest`` has passages to read. ``unsupported``: number of a model's
    sentences left out; ``more``: of a list's entries left out. ``read``: the passages that a model got; ``usage``: its
    cost. ``model``: ``off`` there is none; ``not_asked`` facts answered, or no passage fits; ``asked``;
    ``unavailable`` it did not answer, or a limit is reached, so that ``said_by`` is ``nobody``.
    """

    answer: tuple[CitedSentence, ...]
    supported: bool
    said_by: Literal["facts", "model", "nobody"]
    unsupported: int
    more: int
    nearest: tuple[NearPassage, ...]
    read: tuple[Location, ...]
    model: Literal["off", "not_asked", "asked", "unavailable"]
    usage: Usage


class ContextLine(Wire):
    text: str
    citations: tuple[Location, ...]


class ContextPart(Wire):
    """``more``: how many entries did not fit; a search finds them."""

    name: Literal["snapshot", "facts", "open_loops", "passages", "linked"]
    items: tuple[ContextLine, ...]
    more: int


class AgentContext(Wire):
    """What an agent should know before a task. ``text``: all of it as markdown, of at most ``budget`` tokens.

    ``as_of``: the user's time at the last report. ``digest``: ``sha256:<hex>`` of ``text``.
    """

    as_of: str
    about: str
    budget: int
    tokens: int
    digest: str
    sections: tuple[ContextPart, ...]
    text: str


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


class ReportDocument(ReportEntry):
    """``document``: the report as data; its sections are lists of statements with citations."""

    document: dict[str, Any]


class LoopView(Wire):
    """Something that somebody owes or is asked for. ``text``: the record's words. ``people``: the other side."""

    id: str
    kind: Literal["commitment", "request", "task"]
    direction: Literal["you_owe", "owed_to_you", "asked_of_you", "asked_by_you"]
    text: str
    people: tuple[str, ...]
    due: str
    due_time: str
    #: Whether it is late as soon as the day ``due`` begins: "before Friday".
    due_before: bool = False
    stage: Stage
    since: str
    condition: str
    citations: tuple[CitedPlace, ...]


class MeetingView(Wire):
    """A planned meeting. ``loops``: open loops with its people, as preparation."""

    id: str
    title: str
    starts: str
    ends: str
    organizer: str
    people: tuple[str, ...]
    loops: tuple[LoopView, ...]
    citations: tuple[CitedPlace, ...]


class Today(Wire):
    """What matters now. ``as_of``: when memory was last updated, in the user's time; null: never.

    ``due``: overdue, or due today or tomorrow; these are not repeated in the other lists.
    """

    as_of: str | None
    today: str | None
    due: tuple[LoopView, ...]
    you_owe: tuple[LoopView, ...]
    asked_of_you: tuple[LoopView, ...]
    owed_to_you: tuple[LoopView, ...]
    asked_by_you: tuple[LoopView, ...]
    meetings: tuple[MeetingView, ...]


class PersonView(Wire):
    """``records``: number of records that name them. ``pages``: theirs. ``loops``: number of loops open with them.

    ``perhaps``: addresses that their name suggests to be theirs, too. Nothing proves it.
    """

    name: str
    aliases: tuple[str, ...]
    addresses: tuple[str, ...]
    perhaps: tuple[str, ...] = ()
    records: int
    last_day: str
    pages: tuple[str, ...]
    loops: int


class ProjectView(Wire):
    name: str
    page: str


class People(Wire):
    people: tuple[PersonView, ...]
    projects: tuple[ProjectView, ...]


class SourceView(Wire):
    """``pages``: pages of evidence from this source."""

    source: str
    pages: int


class Sources(Wire):
    """``commit`` and ``committed_at``: the state of memory that all calls show now; 0 and null: nothing yet."""

    sources: tuple[SourceView, ...]
    commit: int
    committed_at: AwareDatetime | None


class CorrectionEntry(Wire):
    """A verdict of the user, or of an operator for them. ``until``: the day to which ``later`` postpones the loop.

    ``statement``, or ``job_id`` and ``claim``: its target; null for people, whose ids are not kept.
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
    def of(cls, view: CorrectionView) -> CorrectionEntry:
        return cls.model_validate(view.model_dump())


class CorrectionHistory(Wire):
    """Newest first, including those taken back; at most 500."""

    corrections: tuple[CorrectionEntry, ...]


class ProposalAnswer(Wire):
    """``accept``: whether the correction is made."""

    accept: bool


class ProposalDecision(Wire):
    """``correction``: the resulting correction; null: the proposal was declined."""

    correction: CorrectionEntry | None


class Code(Wire):
    """A code that opens the pages in a browser, once, within ten minutes. ``sign_in``: the address to open."""

    code: Annotated[str, Field(min_length=1)]
    sign_in: str


class WithheldRecord(Wire):
    """A record that a rule withholds. It stays on its page and in the owner's own search."""

    title: str
    page: str
    anchor: str


class RuleView(Wire):
    """A standing rule as it was understood. ``id``: source and id of its row in the app.

    ``state``: ``unread`` rules are not applied, for the ``reason``. ``people``, ``topics``, ``sources``: what the rule
    withholds; ``doubtful``: a name in it may mean several people, and it applies to all; ``narrowed``: its exception is
    not applied. ``holds``: number of records.
    """

    id: str
    text: str
    state: Literal["in_force", "off", "unread"]
    reason: str = ""
    people: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    doubtful: bool = False
    narrowed: bool = False
    holds: int = 0


class Rules(Wire):
    """``known`` false: it is not known yet what rules withhold. ``waiting``: number of rows that may contain a rule and
    changed since this commit; the next update reads them.
    """

    rules: tuple[RuleView, ...]
    known: bool
    waiting: int


class RuleHolds(RuleView):
    """A rule and the records that it withholds, at most 500. ``more``: number of others."""

    records: tuple[WithheldRecord, ...] = ()
    more: int = 0


class RuleSwitch(Wire):
    on: bool


class ForgetSelection(Wire):
    """What to forget: exactly one of these. ``record``: a page, with the anchor where it has several records.

    ``person``: a name or an address. ``topic``: words to search for; the user chooses among the passages found.
    ``source``: a source's key. ``before``: a day; selects records dated before it.
    """

    record: Annotated[str, Field(min_length=1, max_length=600)] | None = None
    person: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    topic: Annotated[str, Field(min_length=1, max_length=400)] | None = None
    source: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    before: date | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if len(self.chosen()) != 1:
            raise ValueError(f"give exactly one of {', '.join(ForgetSelection.model_fields)}")
        return self

    def chosen(self) -> dict[str, str]:
        """The selectors that are given, as text."""
        names = ForgetSelection.model_fields
        return {name: str(value) for name in names if (value := getattr(self, name)) is not None}


class ForgetRequest(ForgetSelection):
    """First without ``token``: the answer lists what would be forgotten. Then the same selection with the list's
    ``token`` and the ``records`` to forget. ``keep_out``: exports leave out later records of this selection, too.
    """

    token: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    records: Annotated[tuple[RecordRef, ...], Field(max_length=MAX_FORGOTTEN)] = ()
    keep_out: bool = False


class ForgetRecord(Wire):
    """A record that would be forgotten, or (``ticked`` false) that may match: the user decides."""

    record: RecordRef
    title: str
    day: str
    page: str
    anchor: str
    text: str = ""
    ticked: bool = True


class ForgetAnswer(Wire):
    """Without ``order``: the list, and the token that confirms it within ten minutes (null: nothing matches).

    With ``order``: the order to forget; ``arrived``: records that match, too, but were not in the list, and are not
    forgotten. ``more``: number of matching records beyond this list. ``can_keep_out``: whether later records
    can be kept out.
    """

    records: tuple[ForgetRecord, ...] = ()
    more: int = 0
    token: str | None = None
    until: AwareDatetime | None = None
    can_keep_out: bool = False
    order: OrderView | None = None
    arrived: tuple[ForgetRecord, ...] = ()
