"""The immutable Run that flows through the stages: each stage takes one and returns the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from consumer.inventory import Inventory
from consumer.ports import Dreamt, Guard, IndexCounts, JobSession, ModelTags

# Re-exported because stages and engine use it as a part of Run.
from consumer.snapshot.snapshot import Base as Base  # noqa: PLC0414
from consumer.snapshot.snapshot import StatCache
from consumer.snapshot.suppression import Suppressed
from contract.api import Artifact, CommitRef, JobSpec, Redaction, Usage


@dataclass(frozen=True, slots=True)
class Short:
    """A source with ``expected`` records, of which the export delivered ``exported``, including those left out."""

    source_key: str
    expected: int
    exported: int

    @property
    def missing(self) -> int:
        return self.expected - self.exported


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of export: new records by source (not seen at this checksum before), and the raw files."""

    records: int
    deleted: int
    source_counts: Mapping[str, int]
    source_bytes: Mapping[str, int]
    redactions: tuple[Redaction, ...] = ()
    #: Path of the raw export's manifest.json, relative to the run folder.
    manifest: str | None = None
    #: For an inventory: the number of records checked for redactions.
    examined: int | None = None
    #: Broken records left out, by source; the raw export's manifest lists them.
    refused: Mapping[str, int] = field(default_factory=dict)
    #: Sources that delivered fewer records than they count.
    short: tuple[Short, ...] = ()


@dataclass(frozen=True, slots=True)
class Revision:
    """A passage of a record that a newer version of it changed, as its page showed it; "": there was none, or is none.

    ``checksum``: of the earlier version, which the raw export file at ``raw`` still holds (relative to the run folder).
    """

    source: str
    record_id: str
    before: str
    after: str
    checksum: str
    raw: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """Pages written and removed, relative to ``brain/``; ``unchanged``: number of records with an unchanged page.

    ``unread``: number of records that a model has yet to read, and that the rules have read meanwhile; ``unread_why``:
    what kept this run from reading them ("tokens", "model", "time"), "" where no model was asked.
    """

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    pages_total: int = 0
    #: Of records that an earlier commit holds in another version.
    revisions: tuple[Revision, ...] = ()
    unread: int = 0
    unread_why: str = ""


@dataclass(frozen=True, slots=True)
class SubagentRun:
    """The ledger entry of one subagent. Without content.

    ``outcome``: completed (it left a valid file), stopped (at a limit), failed, or not started. ``why``: the limit
    (turns, tokens, tools, time; number: the job's limit of subagents), or the error's code; "" where it completed.
    ``turns``: requests to the model. ``tools``: calls by tool, without the brain's prefix. ``findings``: claims that
    were kept; ``refused``: those whose form is invalid, those whose quotes do not stand on their pages, and those
    beyond the number that is kept. ``reused``: a stored answer, for which this attempt paid nothing; its cost is that
    of the attempt that stored it, and is not in this run's usage.
    """

    name: str
    model: str
    outcome: Literal["completed", "stopped", "failed", "not started"]
    why: str = ""
    turns: int = 0
    tools: Mapping[str, int] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    findings: int = 0
    refused: int = 0
    reused: bool = False


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The agent's own memory in one run. ``entries``: those that it had, of which ``notes`` came from agents.

    ``kept``, ``dropped``: the notes after the run that evidence supports, and the others.
    """

    entries: int
    notes: int
    kept: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Synthesized:
    """The validated claims file (path relative to the run folder), and the agent and model that wrote it.

    ``context``: digest of the earlier knowledge that the agent got; "" for none. ``subagents``: the ledger of the
    subagents of the job's type and profile, in their order. ``memory``: None if the profile has no memory.
    """

    claims_path: str
    model: str
    agent: str
    session_id: str
    tool_calls: int
    reused: bool = False
    context: str = ""
    subagents: tuple[SubagentRun, ...] = ()
    memory: MemoryUse | None = None


@dataclass(frozen=True, slots=True)
class Reported:
    """The job's reports, relative to the run folder, and its citation check."""

    markdown: str
    json: str
    summary: str
    citations_total: int
    citations_resolved: int


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt of one job. ``root`` is the run folder; ``cursors`` become durable only with the commit."""

    job: JobSpec
    session: JobSession
    attempt: int
    epoch: int
    owner: str
    started_at: datetime
    root: Path
    base: Base
    mode: Literal["local", "cloud"] = "local"
    cursors: Mapping[str, Any] = field(default_factory=dict)
    #: When the last report asked to be run again although nothing new came in, if that time has come; set by hydrate.
    woken_at: datetime | None = None
    #: When the next run is due without any news, in UTC; set by hydrate from the last report, and by report.
    wake_at: datetime | None = None
    #: Records that export must leave out; set by hydrate.
    suppressed: Suppressed = field(default_factory=Suppressed)
    #: Whether corrections were made or taken back since the last report; set by hydrate.
    corrected: bool = False
    #: The overlay's version that the report followed; None: no control plane was asked.
    overlay_version: str | None = None
    #: The sources' total counts; set by export, except for increments.
    inventory: Inventory | None = None
    exported: Exported | None = None
    rendered: Rendered | None = None
    indexed: IndexCounts | None = None
    brain: str = ""
    synthesized: Synthesized | None = None
    #: The result of a dream; None in other jobs.
    dreamt: Dreamt | None = None
    reported: Reported | None = None
    commit: CommitRef | None = None
    report_uri: str | None = None
    artifacts: tuple[Artifact, ...] = ()
    usage: Usage = field(default_factory=Usage)
    #: Seconds by stage, filled by the pipeline.
    timings: Mapping[str, float] = field(default_factory=dict)
    #: The files of ``base`` as they were in the run folder when it was hydrated. Not in checkpoints.
    hydrated: StatCache = field(default_factory=dict, compare=False)
    #: Files that no other program can have changed since their stat was taken, so that persist need not read them again
    #: on any file system. Hydrate sets it. A stage that starts a program keeps only what it read after the program had
    #: ended, or what the program could not write.
    sealed: StatCache = field(default_factory=dict, compare=False)

    @property
    def period(self) -> str:
        """The job's period, or the day (for an hourly digest, the hour) of its request, UTC."""
        form = "%Y-%m-%dT%H" if self.job.job_type == "hourly_digest" else "%Y-%m-%d"
        return self.job.period or self.job.requested_at.astimezone(UTC).strftime(form)

    @property
    def tags(self) -> ModelTags:
        """The tags under which this run's model calls are booked."""
        job = self.job
        return ModelTags(job.job_id, job.user_id, job.job_type, job.runtime_profile, job.template_version)

    @property
    def counts(self) -> dict[str, int]:
        """The counts so far, by the names that progress, completion and commit share."""
        counts: dict[str, int] = {}
        # Only included if not zero.
        seldom: dict[str, int] = {}
        if dreamt := self.dreamt:
            counts |= {"dream_phases": len(dreamt.phases), "dream_pages": len(dreamt.pages)}
        if exported := self.exported:
            counts |= {"records": exported.records, "deleted": exported.deleted}
            seldom["records_refused"] = sum(exported.refused.values())
            seldom["records_missing"] = sum(source.missing for source in exported.short)
        if rendered := self.rendered:
            counts |= {"pages_changed": len(rendered.changed), "pages_removed": len(rendered.removed)}
            counts["pages_total"] = rendered.pages_total
            seldom["records_unread"] = rendered.unread
        if indexed := self.indexed:
            counts |= {"pages_indexed": indexed.imported, "pages_skipped": len(indexed.skipped)}
        if reported := self.reported:
            counts |= {"citations_total": reported.citations_total, "citations_resolved": reported.citations_resolved}
        return counts | {name: number for name, number in seldom.items() if number}


class Stage(Protocol):
    """A stage's docstring says what it reads, what it writes and what a repeat does."""

    name: ClassVar[str]

    def run(self, run: Run, guard: Guard) -> Run: ...


@dataclass(frozen=True, slots=True)
class NoDeadline:
    """The guard of work outside of a job: only its own time limit, in seconds, ends it."""

    limit_s: float = float("inf")

    def check(self) -> None:
        return

    def time_left(self) -> float:
        return self.limit_s
