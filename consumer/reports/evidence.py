"""
The brain's pages on disk, and the detectors' findings in them. Synthesize uses these as hints for the agent, report as
findings.

Both stages use the PageCache, so that a run parses a page once and runs the detectors once, unless an agent changed
something in between. Two files are written here: the list of pages that a report covered, from which the next one of
its kind finds changes, and the day's count of themes and projects (``standing``). The ledger of what was told is read
here; the report stage writes it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import orjson

from consumer import layout
from consumer.evidence import pagefiles, pages
from consumer.evidence.pages import Page
from consumer.evidence.records import RecordIndex
from consumer.evidence.search import EvidenceIndex, IndexUnusable, Passage
from consumer.guarding import guarded
from consumer.ports import Guard, Overlays
from consumer.reports import (
    context,
    corrected,
    detectors,
    doubts,
    edition,
    insights,
    news,
    portrait,
    recall,
    standing,
    toldledger,
)
from consumer.reports.context import Context, ContextSources
from consumer.reports.corrected import CorrectedReport
from consumer.reports.detectors import Finding, Findings, changes, records
from consumer.reports.detectors.findings import ranked
from consumer.reports.edition import Edition
from consumer.reports.holds import Holds
from consumer.reports.insights import Insight
from consumer.reports.preferences import ReaderPreferences
from consumer.reports.recall import Recalled
from consumer.reports.remembered import Remembered, Telling
from consumer.reports.toldledger import ToldLedger
from consumer.reports.withholding import Holders, Withheld, sifted
from consumer.reports.wording import Wording
from consumer.repository.descriptors import Opened
from consumer.run import Run
from consumer.understanding import loopform
from consumer.understanding.loopform import LoopEntry
from consumer.understanding.memory import Memory
from consumer.understanding.people import Directory
from contract import canonical, jsonobject
from contract.event import JobType
from contract.overlay import EMPTY, Overlay
from renderers import grouping

#: Size of the first read; few pages are larger.
_MOST_PAGES_BYTES: Final = 64 * 1024
#: No detector reads pages of meetings and days, earlier reports, or the lists of loops and decisions. Of these
#: thousands of pages, a run reads only those that a claim touches, as they are.
_UNREAD: Final = (
    *("meetings/", "daily/", "reports/"),
    *(pages.slug_of(page.removeprefix(f"{layout.BRAIN}/")) for page in (layout.OPEN_LOOPS, layout.DECISIONS)),
    f"{layout.INSIGHTS.removeprefix(f'{layout.BRAIN}/')}/",
)
_HOUR: Final = "%Y-%m-%dT%H"
#: Passages of a context.
_PASSAGES: Final = 10


@dataclass(slots=True)
class PageCache:
    """Pages and findings of one run, for its next stage.

    ``open_index``: opens the record index at a path; None where a run has no index. ``overlays``: what the user
    corrected and which rules they have now; None where nobody keeps that.

    A page is reused only if its bytes have the checksum that was parsed, and findings only if all their inputs are
    the same. Call ``clear`` when the run no longer needs it.
    """

    open_index: Callable[[Path], RecordIndex] | None = None
    overlays: Overlays | None = None
    #: Whether somebody can be asked about open loops (``reports.doubts``).
    reviews: bool = False
    _job_id: str = ""
    _pages: dict[str, Page] = field(default_factory=dict)
    #: The state of the record index's file, and its evidence pages then.
    _rendered: tuple[tuple[int, ...], Mapping[str, bytes]] | None = None
    _overlay: Overlay = EMPTY
    _found: tuple[tuple[object, ...], ReportBasis] | None = None
    #: The findings of which the lists (``listed``) are written.
    listed: ReportBasis | None = None

    def load(self, run: Run, guard: Guard) -> dict[str, Page]:
        """See ``load``; pages that this run has parsed are not parsed again."""
        if self._job_id != run.job.job_id:
            self.clear()
        self._job_id, self._pages = run.job.job_id, load(run.root, guard, self._pages, self.rendered(run))
        return dict(self._pages)

    def rendered(self, run: Run) -> Mapping[str, bytes]:
        """SHA-256 of the evidence pages by path, as rendered. They are sealed, so no agent can have changed them."""
        opened = self._opened(run)
        if opened is None:
            return {}
        status = (run.root / layout.RENDER_INDEX).stat()
        state = (status.st_ino, status.st_size, status.st_mtime_ns)
        if self._rendered is None or self._rendered[0] != state:
            with opened() as index:
                self._rendered = state, index.digests(records.EVIDENCE)
        return self._rendered[1]

    def _opened(self, run: Run) -> Callable[[], RecordIndex] | None:
        """Opens the record index; None where the run has none."""
        path = run.root / layout.RENDER_INDEX
        return partial(self.open_index, path) if self.open_index and path.is_file() else None

    def look(self, run: Run) -> Overlay:
        """Ask once more what the user corrected and which rules they have; the next findings follow it.

        Raises as ``ports.Overlays``.
        """
        if self.overlays is not None:
            self._overlay = self._placed(run, self.overlays.overlay(run.job.user_id))
        return self._overlay

    def is_corrected(self, run: Run) -> bool:
        """Whether corrections were made or taken back since the last report of this workspace."""
        return {view.id for view in self.look(run).corrections} != corrected.applied(run.root)

    def _placed(self, run: Run, overlay: Overlay) -> Overlay:
        opened = self._opened(run)
        if opened is None or self.overlays is None:
            return overlay
        with opened() as index:
            return recall.placed(run.job.user_id, overlay, index, run.job.timezone, self.overlays)

    def held(self, run: Run, guard: Guard) -> Withheld:
        """What the user's rules and marks hold now, and what they are forgetting. Of a user without any of these,
        nothing else is looked at.

        Raises as ``ports.Overlays``.
        """
        overlay = self.look(run)
        if not (
            overlay.rules
            or overlay.hidden_records
            or any(view.verdict == "private" for view in overlay.corrections)
            or self._has_rules(run)
        ):
            return Withheld()
        return self.find(run, self.load(run, guard)).withheld

    def _has_rules(self, run: Run) -> bool:
        opened = self._opened(run)
        if opened is None:
            return False
        with opened() as index:
            return any(True for source in recall.RULES for _ in index.outdated(source, ""))

    def detect(self, run: Run, by_slug: Mapping[str, Page]) -> Findings:
        """The findings of ``find``."""
        return self.find(run, by_slug).findings

    def find(self, run: Run, by_slug: Mapping[str, Page]) -> ReportBasis:
        """What a report may say, under the overlay of the last ``look``; computed once for the same evidence."""
        ruled = doubts.read(run.root)
        key = _question(run, by_slug, self._overlay.version, ruled)
        if self._found is None or self._found[0] != key:
            self._found = (key, self._find(run, by_slug, ruled))
        return self._found[1]

    def _find(self, run: Run, by_slug: Mapping[str, Page], ruled: Mapping[str, str]) -> ReportBasis:
        opened = self._opened(run)
        if opened is None:
            return ReportBasis(together(detect(run, by_slug), Remembered()), ledger=told_ledger(run.root))
        with opened() as index:
            recalled = recall.recall(run, self._overlay, index, by_slug, now(run), ruled=ruled)
            return _found(run, recalled, by_slug, ruled if self.reviews else None)

    def context(
        self, run: Run, basis: ReportBasis, by_slug: Mapping[str, Page], *, about: str, budget: int, given: Set[str]
    ) -> Context | None:
        """What an agent should know before it begins (``reports.context``); None where the run has no record index.

        ``basis``: as ``find`` gave it for these pages. ``given``: slugs whose passages the agent is given anyway.
        """
        opened = self._opened(run)
        if opened is None or basis.memory is None:
            return None

        def search(task: str) -> list[Passage]:
            try:
                with EvidenceIndex(run.root / layout.SEARCH_INDEX) as evidence_index:
                    return list(evidence_index.search(task, limit=_PASSAGES, besides=given, today=day(run)))
            except IndexUnusable:
                # The index stage builds it, and a run without that stage has none.
                return []

        with opened() as index:
            return context.assemble(
                ContextSources(
                    basis.memory,
                    lambda record: index.find(*record),
                    by_slug.get,
                    search,
                    basis.withheld,
                    basis.reads_as.language,
                ),
                about=about,
                budget=budget,
            )

    def clear(self) -> None:
        """Drop everything: the pages of a large brain take memory that only the next stage justifies."""
        self._job_id, self._pages, self._rendered, self._found, self.listed = "", {}, None, None, None


@dataclass(frozen=True, slots=True)
class ReportBasis:
    """What is known before a report is written, and may be told. ``memory`` None: the run has no record index.

    ``withheld``, ``corrections``: what claims are held to. ``edition``: what this run's report tells. ``open_loops``,
    ``decisions``, ``insights``: for their own pages.
    """

    findings: Findings
    memory: Memory | None = None
    withheld: Withheld = field(default_factory=Withheld)
    #: Under all rules, also those that are switched off.
    holds: Holds = field(default_factory=Holds)
    corrections: CorrectedReport = field(default_factory=CorrectedReport)
    ledger: ToldLedger = field(default_factory=ToldLedger)
    reads_as: ReaderPreferences = field(default_factory=ReaderPreferences)
    edition: Edition = field(default_factory=Edition)
    open_loops: tuple[Finding, ...] = ()
    #: Open loops that a second reader doubts, for the page of open loops alone.
    doubted: tuple[Finding, ...] = ()
    #: Loops that it has not ruled on; none where nobody is asked.
    unruled: tuple[LoopEntry, ...] = ()
    decisions: tuple[Finding, ...] = ()
    insights: tuple[Insight, ...] = ()
    #: What the owner sees first (``reports.today``); empty without a record index.
    today: dict[str, Any] = field(default_factory=dict)

    def wording(self, run: Run) -> Wording:
        """The words of this run's report."""
        directory = self.memory.directory if self.memory else Directory()
        return Wording(self.reads_as.language, day(run), directory, now(run)[11:16])

    def needs_judgement(self, run: Run) -> bool:
        """Whether an agent is asked in this run (``news.needs_judgement``)."""
        return news.needs_judgement(
            run.job.job_type, self.edition.items, daily=self.edition.daily and self.edition.matters
        )


def _found(run: Run, recalled: Recalled, by_slug: Mapping[str, Page], ruled: Mapping[str, str] | None) -> ReportBasis:
    """Everything of a run whose record index is open. ``ruled``: see ``doubts``; None: nobody can be asked."""
    telling, ledger = recalled.telling, told_ledger(run.root)
    assert telling is not None
    detected = without(detect(run, by_slug), recalled.withheld)
    findings = together(detected, recalled.remembered)
    return ReportBasis(
        findings=replace(findings, projects=portrait.projects(findings.projects, telling.memory, telling)),
        memory=telling.memory,
        withheld=recalled.withheld,
        holds=recalled.holds,
        corrections=recalled.corrections,
        ledger=ledger,
        reads_as=recalled.reads_as,
        edition=edition_of(run, ledger, telling, recalled.reads_as, detected.changes),
        open_loops=telling.open_loops(),
        doubted=telling.doubted(),
        unruled=_unruled(run, recalled, ruled) if ruled is not None else (),
        decisions=telling.decisions(),
        insights=insights.find(telling.memory, telling, detected.connections),
        today=recalled.today,
    )


def _unruled(run: Run, recalled: Recalled, ruled: Mapping[str, str]) -> tuple[LoopEntry, ...]:
    """The loops of which a digest or a backfill asks before it tells them; a user without models is asked of nobody."""
    if run.job.job_type == "insight" or not run.job.flags.get("synthesis", True):
        return ()
    most = doubts.MOST if run.job.job_type == "backfill_digest" or not ruled else loopform.MOST
    assert recalled.second_reading is not None
    assert recalled.telling is not None
    return recalled.second_reading.unruled(recalled.telling, most)


def edition_of(
    run: Run, ledger: ToldLedger, telling: Telling, reads_as: ReaderPreferences, rewritten: Sequence[Finding]
) -> Edition:
    """What this run's report tells: of an hour its news, of a backfill nothing beyond its portrait."""
    memory = telling.memory
    daily = edition.is_daily(memory.now, ledger, reads_as.morning.isoformat("minutes"))
    if run.job.job_type != "hourly_digest":
        # After the portrait, the first morning's report is tomorrow's.
        gathered = news.baseline(memory, ledger)
        return Edition(daily=daily, marks=gathered.known, live=gathered.live)
    gathered = news.gather(
        memory,
        ledger,
        touched(run),
        "" if ledger.begun else last_report_at(run),
        reads_as=reads_as,
        is_own=partial(edition.is_recorded_by_user, telling=telling),
        zone=run.job.timezone,
    )
    return edition.of(gathered, ledger, telling, rewritten=rewritten, daily=daily)


def told_ledger(root: Path) -> ToldLedger:
    """What the user was told so far; one that has not begun where the file is absent or damaged."""
    try:
        return toldledger.parse((root / layout.TOLD).read_bytes())
    except OSError:
        return ToldLedger()


def wake_at(root: Path) -> datetime | None:
    """When the next report is due, according to the ledger of reported items."""
    try:
        return toldledger.wake_at((root / layout.TOLD).read_bytes())
    except OSError:
        return None


def last_report_at(run: Run) -> str:
    """The user's time of the last report of digests; "" without one."""
    since = previous(run)
    try:
        return grouping.local(str(since["generated_at"]), run.job.timezone) if since else ""
    except (KeyError, ValueError):
        return ""


def previous(run: Run) -> dict[str, Any] | None:
    """The JSON of the last report that this one continues; a digest continues a digest or a backfill."""
    kinds: tuple[JobType, ...] = ("insight",) if run.job.job_type == "insight" else ("backfill_digest", "hourly_digest")
    folders = [(run.root / layout.report_json(kind, run.job.job_id)).parent for kind in kinds]
    documents = [jsonobject.read(path) for folder in folders for path in sorted(folder.glob("*.json"))]
    reports = [document for document in documents if document and document.get("job_id") != run.job.job_id]
    return max(reports, key=lambda report: (str(report.get("generated_at")), str(report.get("job_id"))), default=None)


def load(
    root: Path,
    guard: Guard,
    previous: Mapping[str, Page] = MappingProxyType({}),
    rendered: Mapping[str, bytes] = MappingProxyType({}),
) -> dict[str, Page]:
    """Every page below ``brain/`` by slug, sorted. Files that are no pages are left out, as a brain leaves them out, or
    have no text where they are read later.

    ``previous``: pages parsed before, reused where the file still has their checksum. ``rendered``: path -> SHA-256
    of all evidence pages, which only rendering writes; each is read when its text is first used. Empty where that is
    not known.
    """
    brain = str(root / layout.BRAIN)
    by_slug: dict[str, Page] = {}
    read = partial(_read_page, brain)
    paths = [*rendered, *(path for path, _ in pagefiles.regular_files(brain, rendered))]
    for path in guarded(sorted(paths), guard):
        # ``pages.slug_of`` without its call.
        slug = path.removesuffix(".md")
        before = previous.get(slug)
        if before is None and not pages.importable(path):
            continue
        digest = rendered.get(path)
        if digest is not None or slug.startswith(_UNREAD):
            checksum = f"sha256:{digest.hex()}" if digest else None
            if before is None or not _still_holds(before, checksum):
                before = pages.UnreadPage(slug, checksum, read)
            by_slug[slug] = before
            continue
        data = _read(f"{brain}/{path}")
        if before is not None and before.checksum == f"sha256:{canonical.sha256_hex(data)}":
            by_slug[slug] = before
            continue
        try:
            by_slug[slug] = pages.parse(slug, data)
        except pages.PageError:
            continue
    return by_slug


def _still_holds(before: Page, checksum: str | None) -> bool:
    """Whether a page is as it was. ``checksum`` None: nobody knows, as agents write derived pages; then only one that
    was not read yet can be.
    """
    if checksum is None:
        return isinstance(before, pages.UnreadPage) and not before.is_read
    return before.checksum == checksum


def _question(run: Run, by_slug: Mapping[str, Page], overlay: str, ruled: Mapping[str, str]) -> tuple[object, ...]:
    """All that findings depend on: pages, day, what was covered before, which records are news, and how, what was told
    before, which loops are doubted, and what the user said.
    """
    checksums = [(slug, page.checksum) for slug, page in by_slug.items() if not slug.startswith(_UNREAD)]
    files = (_covered(run.job.job_type), layout.TOLD)
    before = [path.read_bytes() if (path := run.root / name).is_file() else None for name in files]
    digests = [canonical.sha256_hex(data) if data is not None else "" for data in before]
    revised = run.rendered.revisions if run.rendered else ()
    doubtful = doubts.not_open(ruled)
    return checksums, now(run), digests, touched(run), revised, overlay, doubtful


def detect(run: Run, by_slug: Mapping[str, Page]) -> Findings:
    """The detectors' findings for the day of the run's period, since the last report of this kind.

    An hourly digest may use the themes and projects that were counted earlier in the day (``standing``).
    """
    today = day(run)
    revised = run.rendered.revisions if run.rendered else ()
    counted = standing.kept(run.root, by_slug, today) if run.job.job_type == "hourly_digest" else None
    if counted is None:
        counted = detectors.count(by_slug, today)
        standing.keep(run.root, by_slug, today, counted)
    return detectors.detect(by_slug, today, covered(run.root, run.job.job_type), touched(run), counted, revised=revised)


def without(detected: Findings, withheld: Withheld) -> Findings:
    """Findings of the detectors without what rules hold. Of a theme, places are left out before the theme is."""
    if not withheld:
        return detected

    def holders(finding: Finding) -> Holders:
        before = (withheld.of_text(revision.before) for revision in finding.before)
        return withheld.of_told(finding.text, finding.citations).union(*before)

    news, held_news = sifted(detected.changes, holders)
    themes, held_themes = sifted(detected.themes, holders)
    projects, held_projects = sifted(detected.projects, holders)
    topics = []
    for topic in detected.topics:
        evidence = tuple(place for place in topic.evidence if not withheld.of_citations([place[1]]))
        if evidence and not withheld.of_text(topic.name):
            terms = tuple(term for term in topic.terms if not withheld.of_text(term))
            topics.append(replace(topic, evidence=evidence, terms=terms))
    connections = tuple(
        entry
        for entry in detected.connections
        if not withheld.of_told(" ".join((entry.first, entry.last, *entry.people)), entry.citations)
    )
    return replace(
        detected,
        connections=connections,
        changes=tuple(news),
        themes=tuple(themes),
        projects=tuple(projects),
        topics=tuple(topics),
        kept_out=held_news.plus(held_themes).plus(held_projects),
    )


def together(detected: Findings, recalled: Remembered) -> Findings:
    """Findings of the detectors and of memory, merged."""
    return replace(
        detected,
        changes=ranked([*recalled.changes, *detected.changes], changes.LIMIT),
        open_loops=recalled.open_loops,
        contradictions=recalled.contradictions,
        people=recalled.people,
        stale=recalled.stale,
        counts={**detected.counts, **recalled.counts},
        kept_out=detected.kept_out.plus(recalled.kept_out),
    )


def touched(run: Run) -> frozenset[str]:
    """Ids of the records in an increment's raw export; empty for other jobs."""
    if run.job.job_type != "hourly_digest" or run.exported is None or run.exported.manifest is None:
        return frozenset()
    folder = (run.root / run.exported.manifest).parent
    ids: set[str] = set()
    for path in sorted([*folder.glob("*.batch-*.jsonl"), *folder.glob("absent.jsonl")]):
        with path.open("rb") as lines:
            ids.update(str(orjson.loads(line)["record_id"]) for line in lines if line.strip())
    return frozenset(ids)


def now(run: Run) -> str:
    """The local time of the run's period, ``2026-11-27 20:10 -08:00``: when the job was requested, if that is in the
    period, or else noon of the day or the start of the hour; not before the moment of this period for which the run was
    planned. The same for every attempt.
    """
    return grouping.local(moment(run).isoformat(), run.job.timezone)


def moment(run: Run) -> datetime:
    """The time of ``now`` in UTC."""
    requested, period = run.job.requested_at.astimezone(UTC), run.period
    if requested.strftime(_HOUR).startswith(period):
        at = requested
    else:
        at = datetime.fromisoformat(f"{period[:10]}T{period[11:13] or '12'}:00:00+00:00")
    woken = run.woken_at.astimezone(UTC) if run.woken_at else None
    return max(at, woken) if woken and woken.strftime(_HOUR).startswith(period) else at


def day(run: Run) -> date:
    """The user's day at that time."""
    return date.fromisoformat(now(run)[:10])


def covered(root: Path, job_type: JobType) -> Mapping[str, str] | None:
    """Slug -> fingerprint of the pages that the last report of this kind covered; None when there was none."""
    fingerprints = jsonobject.read(root / _covered(job_type)).get("pages")
    return fingerprints if isinstance(fingerprints, dict) else None


def cover(run: Run, by_slug: Mapping[str, Page]) -> None:
    """Store the list of evidence that this run's report covers."""
    kept = changes.fingerprints(by_slug)
    path = run.root / _covered(run.job.job_type)
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"job_id": run.job.job_id, "period": run.period, "pages": kept}
    path.write_bytes(orjson.dumps(document, option=orjson.OPT_SORT_KEYS))


def _covered(job_type: JobType) -> str:
    # A digest continues the last digest or backfill; an insight only the last insight.
    kind = "insight" if job_type == "insight" else "digest"
    return f"{layout.MANIFESTS}/covered-{kind}.json"


def _read_page(brain: str, slug: str) -> bytes:
    return _read(f"{brain}/{pages.path_of(slug)}")


def _read(path: str) -> bytes:
    """A file's content with as few system calls as possible: they are the cost of reading thousands of small files."""
    with Opened(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK) as descriptor:
        data = os.read(descriptor, _MOST_PAGES_BYTES)
        while len(data) >= _MOST_PAGES_BYTES and (chunk := os.read(descriptor, len(data))):
            data += chunk
        return data
