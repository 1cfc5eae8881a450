"""
The synthesize stage of a dream: the brain's nightly upkeep of what it derived from the pages.

Reads    the brain, as the index stage left it; the pages; what the user's rules hold; the small model through the
         gateway, within a budget of its own.
Writes   the brain; brain/dreams/**; runtime/job-runs/<job_id>.json and, below it, model-calls.jsonl; run.dreamt,
         run.usage and run.sealed. With the flag ``dream`` off, or a brain without upkeep: run.dreamt alone, and nothing
         is committed.
Repeats  safely: into a new folder, or from the checkpoint after index. A brain that was stopped in a phase is never
         committed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import orjson

from consumer import layout
from consumer.agent import seal, sight
from consumer.agent.sight import Sight
from consumer.errors import EvidenceTampered, ModelBudgetExceeded
from consumer.evidence import pagefiles, pages
from consumer.evidence.pages import Page
from consumer.ports import Brain, DreamModel, Dreamt, Guard, ModelCall, ModelGateway, ModelSession
from consumer.reports import dreams, evidence, summary
from consumer.reports.evidence import PageCache
from consumer.reports.files import encode, put
from consumer.run import Run, Stage
from contract.profile import Profile

FLAG: Final = "dream"


@dataclass(frozen=True, slots=True)
class Dream:
    """``prices``: USD per million tokens by model."""

    brain: Brain
    gateway: ModelGateway
    model: str
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    desk: PageCache = field(default_factory=PageCache)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    name: ClassVar[str] = "synthesize"

    def run(self, run: Run, guard: Guard) -> Run:
        if not run.job.flags.get(FLAG, True):
            return dataclasses.replace(run, dreamt=Dreamt())
        by_slug = self.desk.load(run, guard)
        seen = self._seen(run, by_slug, guard)
        given = list(seen.digests(pagefiles.digests(run.root, guard)))
        sealed = seal.take(run.root, layout.job_folder(run.job.job_id), guard)
        with self.gateway.open(run.tags, run.usage) as session:
            model = DreamModel(session.access, self.model, self.prices.get(self.model))
            dreamt = self.brain.dream(run.root, given, model, guard, shown=seen.shown)
            calls, spent = session.calls(), _is_spent(session)
        # Now: the last call is recorded a moment after its answer.
        run = dataclasses.replace(run, usage=run.usage.plus(session.usage()), dreamt=dreamt)
        self.brain.close(run.root, guard)
        if changes := sealed.mend(guard):
            raise EvidenceTampered(f"job {run.job.job_id}: the brain touched {len(changes)} sealed files in its dream")
        run = dataclasses.replace(run, sealed=sealed.intact)
        if dreamt.phases:
            kept = self._keep(run, dreamt, by_slug)
            put(run.root / layout.model_calls(run.job.job_id), b"".join(_line(call) for call in calls))
            put(run.root / layout.job_run(run.job.job_id), encode(_document(run, dreamt, kept, budget_spent=spent)))
        self.desk.clear()
        return run

    def _seen(self, run: Run, by_slug: Mapping[str, Page], guard: Guard) -> Sight:
        """What the index stage gave the brain."""
        profile = self.profiles.get(run.job.runtime_profile)
        if not self.brain.keeps_pages or (profile is not None and profile.rules_hold == "output"):
            return Sight()
        return sight.of(self.desk.held(run, guard), by_slug, guard)

    def _keep(self, run: Run, dreamt: Dreamt, by_slug: Mapping[str, Page]) -> list[str]:
        """Write the night's pages, remove outdated ones of earlier nights; returns the paths of those written."""
        today = evidence.day(run)
        front = {"date": today.isoformat(), "made_by": run.brain, "job_id": run.job.job_id}
        written: list[str] = []
        for dream in dreamt.pages:
            path, text = dreams.path(dream), dreams.render(dream, by_slug, front)
            if path and text:
                put(run.root / layout.BRAIN / path, text.encode("utf-8"))
                written.append(path)
        for slug, page in by_slug.items():
            path = pages.path_of(slug)
            if slug.startswith(dreams.FOLDER) and path not in written and dreams.outdated(page, by_slug, today):
                (run.root / layout.BRAIN / path).unlink(missing_ok=True)
        return written


@dataclass(frozen=True, slots=True)
class SynthesizeOrDream:
    """The synthesize stage of every job type: a dream has its own."""

    synthesize: Stage
    dream: Stage
    name: ClassVar[str] = "synthesize"

    def run(self, run: Run, guard: Guard) -> Run:
        return (self.dream if run.job.job_type == "dream" else self.synthesize).run(run, guard)


def _is_spent(session: ModelSession) -> bool:
    """Whether the model refused a question because the dream's budget was spent; the phases went on without it."""
    try:
        session.check()
    except ModelBudgetExceeded:
        return True
    return False


def _line(call: ModelCall) -> bytes:
    return orjson.dumps(dataclasses.asdict(call)) + b"\n"


def _document(run: Run, dreamt: Dreamt, kept: list[str], *, budget_spent: bool) -> dict[str, Any]:
    report: dict[str, Any] = {
        "counts": summary.counts(run),
        "redactions": [],
        "made_by": None,
        "usage": run.usage.model_dump(),
        "citations": {"total": 0, "resolved": 0},
        "capabilities": summary.capabilities(run),
    }
    phases = [dataclasses.asdict(phase) for phase in dreamt.phases]
    dream = {"phases": phases, "pages": kept, "dropped": len(dreamt.pages) - len(kept), "budget_spent": budget_spent}
    return {**summary.job_run(run, report), "dream": dream}
