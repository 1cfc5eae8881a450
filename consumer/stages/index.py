"""
Stage 4 of 8, index: let the brain know what is in ``brain/`` now.

Reads    every page below brain/, and runtime/manifests/index-state.json: what the brain was last given.
Writes   the brain (gbrain-home/), index-state.json, run.indexed and run.brain.
Repeats  safely: pages already given are unchanged. A page counts as changed by its bytes alone, so it does not matter
         who wrote it (renderer, agent, report stage) nor in which run.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import orjson

from consumer import layout
from consumer.evidence import pages
from consumer.ports import Brain, Guard, IndexCounts, ModelAccess, ModelGateway
from consumer.run import Run

STATE: Final = f"{layout.MANIFESTS}/index-state.json"
#: 64 bits tell a changed page from an unchanged one; the list is written by every job that changes a page.
DIGEST_CHARS: Final = 16
#: Files hashed between two questions to the guard.
_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Index:
    brain: Brain
    #: Where a brain that embeds finds its model; without one it does keyword search only.
    gateway: ModelGateway | None = None
    name: ClassVar[str] = "index"

    def run(self, run: Run, guard: Guard) -> Run:
        now = digests(run.root, guard)
        before = _state(run.root, self.brain.name)
        self.brain.open(run.root, guard)
        if self.gateway is not None and self.brain.embeds:
            with self.gateway.open(run.tags, run.usage) as session:
                counts = self._update(run.root, now, before, guard, session.access)
                run = replace(run, usage=run.usage.plus(session.usage()))
        else:
            counts = self._update(run.root, now, before, guard, None)
        self.brain.close(run.root, guard)
        _keep(run.root, self.brain.name, {path: now[path] for path in now if path not in counts.skipped})
        return replace(run, indexed=counts, brain=_named(self.brain))

    def _update(
        self,
        root: Path,
        now: Mapping[str, str],
        before: Mapping[str, str],
        guard: Guard,
        access: ModelAccess | None,
    ) -> IndexCounts:
        changed = sorted(path for path, digest in now.items() if before.get(path) != digest)
        deleted = sorted(path for path in before if path not in now)
        counts = self.brain.update(root, changed, deleted, guard, access)
        if counts.pages >= len(now) - len(counts.skipped):
            return counts
        # The brain lost pages that the state says it has (a new or repaired database): give it all of them.
        return self.brain.update(root, sorted(now), deleted, guard, access)


def _named(brain: Brain) -> str:
    """``local 1.0.0 (SQLite 3.46)``, ``gbrain 0.46.28``: the name once."""
    version = brain.version()
    return version if version.startswith(brain.name) else f"{brain.name} {version}"


def digests(root: Path, guard: Guard) -> dict[str, str]:
    """The start of the SHA-256 of every page that a brain imports, by path relative to ``brain/``, sorted."""
    brain = root / layout.BRAIN
    found: dict[str, str] = {}
    for number, path in enumerate(_pages(brain)):
        if number % _BATCH == 0:
            guard.check()
        found[path] = hashlib.sha256((brain / path).read_bytes()).hexdigest()[:DIGEST_CHARS]
    return found


def _pages(brain: Path) -> Iterator[str]:
    names = []
    for folder, _, files in os.walk(brain):
        place = Path(folder)
        for name in files:
            path = (place / name).relative_to(brain).as_posix()
            if pages.importable(path) and stat.S_ISREG((place / name).lstat().st_mode):
                names.append(path)
    yield from sorted(names)


def _state(root: Path, brain: str) -> Mapping[str, str]:
    """What this brain was last given; nothing when the file is absent, damaged or another brain's."""
    try:
        document: Any = orjson.loads((root / STATE).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    given = document.get("pages") if isinstance(document, dict) and document.get("brain") == brain else None
    return given if isinstance(given, dict) else {}


def _keep(root: Path, brain: str, given: Mapping[str, str]) -> None:
    path = root / STATE
    path.parent.mkdir(parents=True, exist_ok=True)
    data = orjson.dumps({"brain": brain, "pages": dict(given)}, option=orjson.OPT_SORT_KEYS)
    # A damaged state only costs a full import, so no rename is needed; the same bytes are not written again.
    if not path.is_file() or path.read_bytes() != data:
        path.write_bytes(data)
