"""
The brain's pages as they stand on disk, and what the detectors find in them. Shared by synthesize (as hints for the
agent) and report (as findings).

Both ask the Desk, so that a page is parsed once a run and the detectors run once, unless an agent changed something in
between. Nothing is written here but the list of pages that a report has covered: the next one of its kind tells changes
from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Final

import orjson

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.ports import Guard
from consumer.reports import detectors
from consumer.reports.detectors import Findings, changes
from consumer.run import Run
from contract import canonical
from contract.event import JobType

#: Pages parsed between two questions to the guard.
_BATCH: Final = 200
#: Few pages are larger.
_MOST_PAGES_BYTES: Final = 64 * 1024
#: No detector reads what was told before.
_REPORTS: Final = "reports/"


@dataclass(slots=True)
class PageCache:
    """What was read and found for one run, for the next stage of the same run.

    Never trusted by name or time: a page is taken again only if its bytes have the checksum that was parsed, and
    findings only if all that they rest on is the same. ``clear`` when the run needs it no more.
    """

    _job_id: str = ""
    _pages: dict[str, Page] = field(default_factory=dict)
    _detected: tuple[str, Findings] | None = None

    def load(self, run: Run, guard: Guard) -> dict[str, Page]:
        """See ``load``; pages that this run has parsed before are not parsed again."""
        if self._job_id != run.job.job_id:
            self.clear()
        self._job_id, self._pages = run.job.job_id, load(run.root, guard, self._pages)
        return dict(self._pages)

    def detect(self, run: Run, found: Mapping[str, Page]) -> Findings:
        """See ``detect``; found once for the same evidence."""
        key = _question(run, found)
        if self._detected is None or self._detected[0] != key:
            self._detected = (key, detect(run, found))
        return self._detected[1]

    def clear(self) -> None:
        """Forget everything: the pages of a large brain are worth their memory only between two stages."""
        self._job_id, self._pages, self._detected = "", {}, None


def load(root: Path, guard: Guard, known: Mapping[str, Page] = MappingProxyType({})) -> dict[str, Page]:
    """Every page below ``brain/`` by slug, sorted. Files that are no pages are left out, as a brain leaves them out.

    ``known``: pages parsed before, used where the file still has their checksum.
    """
    brain = str(root / layout.BRAIN)
    found: dict[str, Page] = {}
    for number, path in enumerate(sorted(_paths(brain))):
        if number % _BATCH == 0:
            guard.check()
        slug, data = pages.slug_of(path), _read(f"{brain}/{path}")
        before = known.get(slug)
        if before is not None and before.checksum == f"sha256:{canonical.sha256_hex(data)}":
            found[slug] = before
            continue
        try:
            found[slug] = pages.parse(slug, data)
        except pages.PageError:
            continue
    return found


def _question(run: Run, found: Mapping[str, Page]) -> str:
    """A digest of all that findings depend on: pages, day, what was covered before, which records are news."""
    rows = [f"{slug}\0{page.checksum}" for slug, page in found.items() if not slug.startswith(_REPORTS)]
    before = sorted((covered(run.root, run.job.job_type) or {"": "none"}).items())
    whole = [rows, day(run).isoformat(), before, sorted(touched(run))]
    return canonical.sha256_hex(orjson.dumps(whole))


def detect(run: Run, found: Mapping[str, Page]) -> Findings:
    """What the detectors find, for the day of the run's period, since the last report of this kind."""
    return detectors.detect(found, day(run), covered(run.root, run.job.job_type), touched(run))


def touched(run: Run) -> frozenset[str]:
    """Ids of the records that an increment brought, from its raw export; empty for other jobs."""
    if run.job.job_type != "hourly_digest" or run.exported is None or run.exported.manifest is None:
        return frozenset()
    folder = (run.root / run.exported.manifest).parent
    ids: set[str] = set()
    for path in sorted([*folder.glob("*.batch-*.jsonl"), *folder.glob("absent.jsonl")]):
        with path.open("rb") as lines:
            ids.update(str(orjson.loads(line)["record_id"]) for line in lines if line.strip())
    return frozenset(ids)


def day(run: Run) -> date:
    """The day that the run's period names."""
    return date.fromisoformat(run.period[:10])


def covered(root: Path, job_type: JobType) -> Mapping[str, str] | None:
    """Slug -> fingerprint of the pages that the last report of this kind covered; None when there was none."""
    try:
        document = orjson.loads((root / _covered(job_type)).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    found = document.get("pages") if isinstance(document, dict) else None
    return found if isinstance(found, dict) else None


def cover(run: Run, found: Mapping[str, Page]) -> None:
    """Remember the evidence that this run's report covers."""
    kept = {slug: changes.fingerprint(page) for slug, page in found.items() if slug.startswith("sources/")}
    path = run.root / _covered(run.job.job_type)
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"job_id": run.job.job_id, "period": run.period, "pages": kept}
    path.write_bytes(orjson.dumps(document, option=orjson.OPT_SORT_KEYS))


def _covered(job_type: JobType) -> str:
    # A digest goes on from the last digest or backfill; an insight only from the last insight.
    kind = "insight" if job_type == "insight" else "digest"
    return f"{layout.MANIFESTS}/covered-{kind}.json"


def _paths(brain: str) -> Iterator[str]:
    """Paths relative to ``brain`` of the files that a brain imports: no links, and no pipes, which nobody may fill."""
    start, folders = len(brain) + 1, [brain]
    while folders:
        try:
            entries = os.scandir(folders.pop())
        except OSError:
            # Not there, or not ours to read: it holds no page.
            continue
        with entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.is_file(follow_symlinks=False) and pages.importable(entry.path[start:]):
                    yield entry.path[start:]


def _read(path: str) -> bytes:
    """A file's content by as few calls as can be: it is they that cost where there are thousands of small files."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        data = os.read(descriptor, _MOST_PAGES_BYTES)
        while len(data) >= _MOST_PAGES_BYTES and (more := os.read(descriptor, len(data))):
            data += more
        return data
    finally:
        os.close(descriptor)
