"""
Stage 4 of 8, index: bring the brain and the evidence index up to date with the pages in ``brain/``.

Reads    every page below brain/, and runtime/manifests/index-state.json: the pages that the brain has; memory, from the
         record index. For a brain with a store of its own also what the user's rules hold: it is given only what an
         agent may see.
Writes   OPEN_LOOPS.md, DECISIONS.md and insights/** (``reports.listed``), before it reads the pages; with a reviewer
         first its rulings on open loops, the list of its calls, run.usage, and in the bucket answers/<digest>; the
         brain (gbrain-home/), the evidence index, index-state.json, run.indexed, run.brain and run.sealed. If a rule
         holds what an agent may have seen: a brain made anew, agent-sight.json, and no sessions. A brain that takes
         long gets as many pages as half of the run's time allows; later runs go on from there.
Repeats  safely: pages that the brain has are unchanged. Only a page's bytes decide whether it changed, not who wrote
         it (renderer, agent, report stage) or in which run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

import orjson

from consumer import layout
from consumer.agent import sight
from consumer.agent.judging import Judging
from consumer.agent.sight import Sight
from consumer.agent.storedanswers import BucketOf
from consumer.errors import Retryable
from consumer.evidence import pages, search
from consumer.evidence.pagefiles import digests
from consumer.ports import WAITS, Brain, Clock, Embedder, Guard, IndexCounts, ModelAccess, ModelGateway
from consumer.reports import listed
from consumer.reports.evidence import PageCache
from consumer.repository.scan import stat_key
from consumer.run import Run
from consumer.snapshot.snapshot import StatCache
from consumer.understanding.loopform import LoopReviewer
from contract import jsonobject
from contract.profile import Profile

STATE: Final = f"{layout.MANIFESTS}/index-state.json"
#: Seconds that importing a page takes on an idle machine, and at most, even on a busy one.
IDLE_PAGE_S: Final = 0.05
PAGE_S: Final = 0.5
#: Fewer pages than this are not worth the processes that import them, except where more did not fit.
LEAST: Final = 20
#: GBrain starts a process of so many seconds for each page that it deletes. For so few deletions a small brain is not
#: made anew: its embeddings would be paid again.
DELETED_PAGE_S: Final = 3.0
FEW_DELETED: Final = 40
#: The digest of a page of which the brain may have any version: the next run gives it the current one.
UNKNOWN: Final = ""


@dataclass(frozen=True, slots=True)
class Index:
    brain: Brain
    #: Gives a brain access to its embedding model; without one it does keyword search only.
    gateway: ModelGateway | None = None
    #: Memory, and what the user's rules withhold, with the profiles in which this applies to agents. None: the run
    #: writes no lists and withholds nothing.
    desk: PageCache | None = None
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    #: Makes an embedder for the evidence index of a job's access to the model; None: the index has words only.
    embedder: Callable[[ModelAccess], Embedder] | None = None
    #: Seconds that embedding may take; what is left waits for the next run.
    embedding_s: float = 600.0
    clock: Clock | None = None
    #: Rules on open loops before anything tells them; None: all are told. The desk must gather them
    #: (``PageCache.reviews``).
    reviewer: LoopReviewer | None = None
    #: The bucket narrowed to one user's prefix, where the reviewer's answers are kept; None: they are not.
    bucket_of: BucketOf | None = None
    name: ClassVar[str] = "index"

    def run(self, run: Run, guard: Guard) -> Run:
        run = self._write_lists(run, guard)
        # No tool of this run has started yet, so what still has the stat that hydrate saw is as hydrate left it.
        rendered = self.desk.rendered(run) if self.desk else {}
        current = digests(run.root, guard, partial(_hydrated_digest, run.hydrated), rendered)
        seen = self._sight(run, guard)
        given = seen.digests(current)
        self.brain.open(run.root, guard)
        before = self._before(run, given, guard)
        run, counts = self._updated(run, given, before, guard, seen.shown)
        self.brain.close(run.root, guard)
        search.update(run.root, current, guard)
        run, counts = self._embed(run, counts, guard)
        # Of a page that it did not take, the brain may have some version, which has to go with the page.
        held = {path: UNKNOWN for path in counts.skipped if path in before}
        _keep(run.root, self.brain.name, {path: given[path] for path in given if path not in counts.skipped} | held)
        return replace(run, indexed=counts, brain=_named(self.brain), sealed=self._sealed(run))

    def _sealed(self, run: Run) -> StatCache:
        """The files that the brain's programs cannot have changed."""
        if not self.brain.contained:
            return {}
        home = f"{layout.GBRAIN_HOME}/"
        return {path: seen for path, seen in run.sealed.items() if not path.startswith(home)}

    def _write_lists(self, run: Run, guard: Guard) -> Run:
        """Write the lists before the pages are indexed: they depend on memory alone, not on the report. A dream has no
        report, and its evidence is that of the previous commit.

        Before that, open loops are reviewed: then no list, no hint of the agent's and no report tells what is doubted.
        """
        if self.desk is None or run.job.job_type == "dream":
            return run
        self.desk.look(run)
        by_slug = self.desk.load(run, guard)
        basis = self.desk.find(run, by_slug)
        if self.reviewer is not None:
            judging = Judging(run, guard, self.bucket_of)
            judging.review(self.reviewer, basis)
            run = judging.run
            basis = self.desk.find(run, by_slug)
        listed.write(run, basis, by_slug)
        self.desk.listed = basis
        return run

    def _embed(self, run: Run, counts: IndexCounts, guard: Guard) -> tuple[Run, IndexCounts]:
        if self.embedder is None or self.gateway is None or self.clock is None:
            return run, counts
        seen = self._seen(run, guard)
        # What a rule holds does not go to the model.
        skipped = {pages.slug_of(path) for path in (*seen.hidden, *seen.shown)}
        with self.gateway.open(run.tags, run.usage) as session:
            embedder = self.embedder(session.access)
            made = search.embed(run.root, embedder, self.clock, self.embedding_s, guard, skipped=skipped)
        run = replace(run, usage=run.usage.plus(session.usage()))
        notes = (*counts.notes, made.note) if made.note else counts.notes
        return run, replace(counts, embedded=counts.embedded + made.embedded, notes=notes)

    def _sight(self, run: Run, guard: Guard) -> Sight:
        """What this brain may keep. One that has no store reads a view, which is made for each agent."""
        if not self.brain.keeps_pages or self.desk is None:
            return Sight()
        seen = self._seen(run, guard)
        if sight.remember(run.root, seen):
            sight.forget_sessions(run.root)
            self._forget(run.root)
        return seen

    def _forget(self, root: Path) -> None:
        """Forget the brain, and which pages it has."""
        self.brain.forget(root)
        (root / STATE).unlink(missing_ok=True)

    def _before(self, run: Run, given: Mapping[str, str], guard: Guard) -> Mapping[str, str]:
        """The pages of the open brain; none if it is made anew, since deleting many pages would take longer, or longer
        than the run has time for. A later attempt gives deletions less time, as it does imports.
        """
        before = _state(run.root, self.brain.name)
        deleting_s = DELETED_PAGE_S * len(before.keys() - given.keys())
        anew_s = max(DELETED_PAGE_S * FEW_DELETED, IDLE_PAGE_S * len(given))
        if not self.brain.keeps_pages or deleting_s <= min(anew_s, guard.time_left() / 2**run.attempt):
            return before
        self._forget(run.root)
        self.brain.open(run.root, guard)
        return {}

    def _seen(self, run: Run, guard: Guard) -> Sight:
        """What a model may be given, as the user's rules and the job's profile say."""
        profile = self.profiles.get(run.job.runtime_profile)
        if self.desk is None or (profile is not None and profile.rules_hold == "output"):
            return Sight()
        return sight.of(self.desk.held(run, guard), self.desk.load(run, guard), guard)

    def _updated(
        self, run: Run, given: Mapping[str, str], before: Mapping[str, str], guard: Guard, shown: Mapping[str, bytes]
    ) -> tuple[Run, IndexCounts]:
        """The brain with the pages that it is given; with a session of the model, if it makes vectors."""
        if self.gateway is None or not self.brain.embeds:
            return run, self._update(run, given, before, guard, None, shown=shown)
        with self.gateway.open(run.tags, run.usage) as session:
            try:
                counts = self._update(run, given, before, guard, session.access, shown=shown)
            except Retryable:
                # A spent budget, or a model that is away, is the real cause of the brain's error.
                session.check()
                raise
        # Now: the last call is recorded a moment after its answer.
        return replace(run, usage=run.usage.plus(session.usage())), counts

    def _update(
        self,
        run: Run,
        current: Mapping[str, str],
        before: Mapping[str, str],
        guard: Guard,
        access: ModelAccess | None,
        *,
        shown: Mapping[str, bytes],
    ) -> IndexCounts:
        deleted = sorted(path for path in before if path not in current)
        # The other half is for the stages that follow.
        until_s = guard.time_left() / 2
        changed = sorted(path for path, digest in current.items() if before.get(path) != digest)
        counts = self._import(run, changed, deleted, guard, access, shown=shown, until_s=until_s)
        if counts.pages >= len(current) - len(counts.skipped):
            return counts
        # The brain lacks pages of the state (its database is new or repaired): import all of them.
        return self._import(run, sorted(current), (), guard, access, shown=shown, until_s=until_s)

    def _import(
        self,
        run: Run,
        wanted: Sequence[str],
        deleted: Sequence[str],
        guard: Guard,
        access: ModelAccess | None,
        *,
        shown: Mapping[str, bytes],
        until_s: float,
    ) -> IndexCounts:
        """Give the brain these pages, as many as it takes while ``guard`` has more than ``until_s`` left.

        A brain that keeps pages takes them in pieces: as many as surely fit, then as many as fit by its own speed. What
        is left counts as skipped, so that the next run gives it; the evidence index has every page. A later attempt
        begins with less, as the one before may have been too slow.
        """
        piece = len(wanted)
        if self.brain.keeps_pages:
            spare_s = guard.time_left() - until_s - DELETED_PAGE_S * len(deleted)
            piece = max(LEAST, int(spare_s / PAGE_S) >> (run.attempt - 1))
        total = IndexCounts()
        while True:
            began_s, taken, wanted = guard.time_left(), wanted[:piece], wanted[piece:]
            total = total.plus(self.brain.update(run.root, taken, deleted, guard, access, shown=shown))
            if not wanted:
                return total
            deleted = ()
            took_s, spare_s = max(began_s - guard.time_left(), PAGE_S), guard.time_left() - until_s
            # Half of what fits by the speed so far, since the next pages may be longer.
            piece = int(len(taken) * spare_s / took_s / 2)
            if piece < LEAST:
                note = f"brain: {len(wanted)} pages wait for the next run"
                return replace(
                    total, skipped={**total.skipped, **dict.fromkeys(wanted, WAITS)}, notes=(*total.notes, note)
                )


def _hydrated_digest(hydrated: StatCache, path: str, item: os.DirEntry[str]) -> str:
    """The SHA-256 of a file that is as it was hydrated; "" for any other, and for one that is stored in blocks, whose
    entry has another digest.
    """
    key, entry = hydrated.get(path, (None, None))
    if entry is None or entry.blocks or key != stat_key(item.stat(follow_symlinks=False)):
        return ""
    return entry.digest


def _named(brain: Brain) -> str:
    """``local 1.0.0 (SQLite 3.46)``, ``gbrain 0.46.28``: the name is not repeated."""
    version = brain.version()
    return version if version.startswith(brain.name) else f"{brain.name} {version}"


def _state(root: Path, brain: str) -> Mapping[str, str]:
    """The pages that this brain has; empty when the file is absent, damaged or another brain's."""
    document = jsonobject.read(root / STATE)
    given = document.get("pages") if document.get("brain") == brain else None
    return given if isinstance(given, dict) else {}


def _keep(root: Path, brain: str, given: Mapping[str, str]) -> None:
    path = root / STATE
    path.parent.mkdir(parents=True, exist_ok=True)
    data = orjson.dumps({"brain": brain, "pages": dict(given)}, option=orjson.OPT_SORT_KEYS)
    # A damaged state only causes a full import, so no rename is needed. Unchanged bytes are not written.
    if not path.is_file() or path.read_bytes() != data:
        path.write_bytes(data)
