"""
The render stage for operators' commands, outside of a job. ``without`` renders a workspace without some records
(purge); ``again`` rebuilds pages and record index from raw exports (restore after a purge).

Reads    the record index, raw lines of groups that lose a record, or all raw lines of the named jobs.
Writes   brain/** and the record index, as render does.
Repeats  safely: records that are gone already are skipped; an index is always rebuilt from scratch.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import renderers
from consumer import layout
from consumer.evidence import pages
from consumer.ports import Guard
from consumer.reports import evidence, refresh
from consumer.reports.detectors import records
from consumer.stages.render import Render, RenderTarget
from contract import derived
from contract.manifest import SourceEntry
from renderers import markdown as md
from renderers import splitting

_NAMESPACE: Final = uuid.UUID("0b9f6a52-51d9-5c0e-8d5b-6f6a5b8f5a11")
_SOURCES: Final = layout.EVIDENCE.removeprefix(f"{layout.BRAIN}/")
#: Folders below brain/ whose pages the render stage writes above their marker.
_SHARED: Final = ("people", "projects", "meetings", "daily")


@dataclass(frozen=True, slots=True)
class Forget:
    """consumer.evidence.records.Rerender, with the render stage."""

    stage: Render

    def mark(self, source: str, record_id: str) -> str:
        return renderers.mark(source, record_id)

    def title(self, record: Mapping[str, Any]) -> str:
        entry = self._entry(record)
        return md.one_line(renderers.renderer_of(entry).title(renderers.item(record, entry, "UTC"))) if entry else ""

    def titled_by(self, record: Mapping[str, Any]) -> tuple[str, str] | None:
        entry = self._entry(record)
        through = renderers.renderer_of(entry).told_by if entry else ""
        if not entry or not through:
            return None
        named = renderers.refs(renderers.item(record, entry, "UTC"), entry)
        return next(((ref.source_key, ref.record_id) for ref in named if ref.source_key == through), None)

    def _entry(self, record: Mapping[str, Any]) -> SourceEntry | None:
        """The source of a record that has content; None: a deleted record, or a source that is no more."""
        if not isinstance(record.get("data"), dict):
            return None
        return next((entry for entry in self.stage.manifest.sources if entry.source_key == record["source_key"]), None)

    def without(
        self, root: Path, user_id: str, name: str, records: Sequence[tuple[str, str]], guard: Guard
    ) -> list[str]:
        if not (root / layout.RENDER_INDEX).is_file():
            return []
        indexed, zone = self._indexed(root, records)
        if indexed:
            # Notes that no record supports any more go with their page.
            with self.stage.rendering(_target(root, user_id, name, zone), guard, keep_notes=False) as rendering:
                for source, record_id in indexed:
                    rendering.drop(source, record_id)
        with self.stage.open_index(root / layout.RENDER_INDEX) as index:
            index.compact()
            return [f"{layout.BRAIN}/{path}" for path in index.all_pages()]

    def views(self, root: Path, guard: Guard) -> Callable[[], None]:
        before = refresh.Views.of(root)

        def write() -> None:
            path = root / layout.RENDER_INDEX
            if not before.at or not path.is_file():
                return
            with self.stage.open_index(path) as index:
                by_slug = evidence.load(root, guard, rendered=index.digests(records.EVIDENCE))
                refresh.write(root, index, by_slug, before)

        return write

    def again(self, root: Path, user_id: str, job_ids: Sequence[str], zone: str, guard: Guard) -> None:
        if self._is_complete(root):
            return
        (root / layout.RENDER_INDEX).unlink(missing_ok=True)
        page_zone = next(filter(None, map(_zone, sorted((root / layout.EVIDENCE).rglob("*.md")))), zone or "UTC")
        folders = [folder for job_id in job_ids for folder in sorted((root / layout.EXPORTS).glob(f"*/{job_id}"))]
        self._remember(root)
        name = f"again/{job_ids[-1] if job_ids else ''}"
        with self.stage.rendering(_target(root, user_id, name, page_zone), guard) as rendering:
            for folder in folders:
                rendering.ingest(folder)
        with self.stage.open_index(root / layout.RENDER_INDEX) as index:
            for path in sorted((root / layout.EVIDENCE).rglob("*.md")):
                # The page's records have no raw line any more; a later export brings them again.
                stem = _stem(path.relative_to(root / layout.BRAIN).as_posix())
                if not index.members(stem):
                    path.unlink()
                    index.set_group(stem, "", "", {})
            index.compact()

    def _indexed(self, root: Path, records: Sequence[tuple[str, str]]) -> tuple[list[tuple[str, str]], str]:
        """The records that are in the record index, and the time zone of their pages."""
        zone = ""
        indexed: list[tuple[str, str]] = []
        with self.stage.open_index(root / layout.RENDER_INDEX) as index:
            for source, record_id in records:
                entry = index.find(source, record_id)
                if entry:
                    zone = zone or _zone(root / layout.BRAIN / entry.page)
                    indexed.append((source, record_id))
        return indexed, zone or "UTC"

    def _is_complete(self, root: Path) -> bool:
        """Whether the index exists, and every page that it lists."""
        if not (root / layout.RENDER_INDEX).is_file():
            return False
        with self.stage.open_index(root / layout.RENDER_INDEX) as index:
            return all((root / layout.BRAIN / path).is_file() for path in index.all_pages())

    def _remember(self, root: Path) -> None:
        """Put existing pages into the new index with the checksum of their records. A page whose records are the same
        then keeps the job that first delivered it, and so every byte.
        """
        groups: dict[str, tuple[str, str, dict[str, bytes]]] = {}
        for name, text in _pages(root / layout.BRAIN):
            front, above = _front(text), text if name.startswith(f"{_SOURCES}/") else _above(text)
            group = groups.setdefault(
                _stem(name), (str(front.get("checksum", "")), str(front.get("digest_job_id", "")), {})
            )
            group[2][name] = hashlib.sha256(above.encode()).digest()
        with self.stage.open_index(root / layout.RENDER_INDEX) as index:
            for stem, (checksum, job_id, digests) in groups.items():
                index.set_group(stem, checksum, job_id, digests)
            index.commit()


def _pages(brain: Path) -> Iterator[tuple[str, str]]:
    """(path below ``brain``, text) of every page that render writes."""
    for folder in (_SOURCES, *_SHARED):
        for path in sorted((brain / folder).rglob("*.md")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if folder == _SOURCES or _above(text):
                yield path.relative_to(brain).as_posix(), text


def _stem(name: str) -> str:
    """The name of a page's group in the record index: the path, for evidence without its part number."""
    return splitting.first_part(name.removesuffix(".md")) if name.startswith(f"{_SOURCES}/") else name


def _above(text: str) -> str:
    """The part above the marker of a page that render and synthesis share, exactly as render wrote it."""
    above, _ = derived.split(text)
    return f"{above}\n" if above else ""


def _front(text: str) -> dict[str, Any]:
    try:
        return dict(pages.split_front_matter(text)[0])
    except ValueError:
        return {}


def _zone(page: Path) -> str:
    """The time zone in an evidence page's front matter, "" for none. Another zone would move every record."""
    try:
        return str(_front(page.read_text(encoding="utf-8")).get("timezone", ""))
    except (OSError, ValueError):
        return ""


def _target(root: Path, user_id: str, name: str, zone: str) -> RenderTarget:
    return RenderTarget(root, user_id, str(uuid.uuid5(_NAMESPACE, f"{user_id}/{name}")), zone)
