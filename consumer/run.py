"""What flows through the stages: an immutable Run. A stage takes one and returns the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from consumer.inventory import Inventory
from consumer.ports import Guard, IndexCounts, JobSession, ModelTags

# Named again because stages and engine speak of it as a part of Run; the snapshot is where it comes from.
from consumer.snapshot.snapshot import Base as Base  # noqa: PLC0414
from consumer.snapshot.suppression import Suppressed
from contract.api import Artifact, CommitRef, JobSpec, Redaction, Usage


@dataclass(frozen=True, slots=True)
class Short:
    """A source that holds ``expected`` records, of which the export gave ``exported``, those left out included."""

    source_key: str
    expected: int
    exported: int

    @property
    def missing(self) -> int:
        return self.expected - self.exported


@dataclass(frozen=True, slots=True)
class Exported:
    """What export brought: by source how many records are new (not seen at this checksum), and the raw files."""

    records: int
    deleted: int
    source_counts: Mapping[str, int]
    source_bytes: Mapping[str, int]
    redactions: tuple[Redaction, ...] = ()
    #: Path of the raw export's manifest.json, relative to the run folder.
    manifest: str | None = None
    #: An inventory's: how many records it looked into for redactions.
    examined: int | None = None
    #: Records that were broken and left out, by source; which ones, the raw export's manifest says.
    refused: Mapping[str, int] = field(default_factory=dict)
    #: Sources that gave fewer records than they count.
    short: tuple[Short, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """Pages written and removed, relative to ``brain/``; ``unchanged`` counts records whose page stood already."""

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    pages_total: int = 0


@dataclass(frozen=True, slots=True)
class Synthesized:
    """The validated claims file (path relative to the run folder), and who made it."""

    claims_path: str
    model: str
    agent: str
    session_id: str
    tool_calls: int
    reused: bool = False


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
    #: What was purged and must stay away; set by hydrate, obeyed by export.
    suppressed: Suppressed = field(default_factory=Suppressed)
    #: What the sources hold in all; set by export, except for increments.
    inventory: Inventory | None = None
    exported: Exported | None = None
    rendered: Rendered | None = None
    indexed: IndexCounts | None = None
    brain: str = ""
    synthesized: Synthesized | None = None
    reported: Reported | None = None
    commit: CommitRef | None = None
    report_uri: str | None = None
    artifacts: tuple[Artifact, ...] = ()
    usage: Usage = field(default_factory=Usage)
    #: Seconds by stage, filled by the pipeline.
    timings: Mapping[str, float] = field(default_factory=dict)

    @property
    def period(self) -> str:
        """The job's period, or the day (UTC) that it was asked for: an hourly digest's hour."""
        form = "%Y-%m-%dT%H" if self.job.job_type == "hourly_digest" else "%Y-%m-%d"
        return self.job.period or self.job.requested_at.astimezone(UTC).strftime(form)

    @property
    def tags(self) -> ModelTags:
        """What its calls of a model are booked under."""
        job = self.job
        return ModelTags(job.job_id, job.user_id, job.job_type, job.runtime_profile, job.template_version)

    @property
    def counts(self) -> dict[str, int]:
        """What it has made so far, by the names that progress, completion and commit share."""
        found: dict[str, int] = {}
        if self.exported:
            found |= {"records": self.exported.records, "deleted": self.exported.deleted}
            # Named only where there is something to tell.
            if refused := sum(self.exported.refused.values()):
                found["records_refused"] = refused
            if self.exported.short:
                found["records_missing"] = sum(one.missing for one in self.exported.short)
        if self.rendered:
            found |= {
                "pages_changed": len(self.rendered.changed),
                "pages_removed": len(self.rendered.removed),
                "pages_total": self.rendered.pages_total,
            }
        if self.indexed:
            found |= {"pages_indexed": self.indexed.imported, "pages_skipped": len(self.indexed.skipped)}
        if self.reported:
            found |= {
                "citations_total": self.reported.citations_total,
                "citations_resolved": self.reported.citations_resolved,
            }
        return found


class Stage(Protocol):
    """A stage's header answers three questions: what it reads, what it writes, what a repeat does."""

    name: ClassVar[str]

    def run(self, run: Run, guard: Guard) -> Run: ...


@dataclass(frozen=True, slots=True)
class NoDeadline:
    """The guard of work that no job waits for: nothing but its own time limit, in seconds, ends it."""

    limit_s: float = float("inf")

    def check(self) -> None:
        return

    def time_left(self) -> float:
        return self.limit_s
