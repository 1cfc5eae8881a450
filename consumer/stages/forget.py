"""
Not a stage of a job: the render stage, asked to show a workspace without some records. Used by purge.

Reads    the record index and raw lines of groups that lose a record.
Writes   brain/** and the record index, as render does.
Repeats  safely: records that are not there any more are passed over.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from consumer.core import layout, pages
from consumer.core.snapshot import Base
from consumer.ports import Guard
from consumer.ports.records import RecordIndex
from consumer.stages import rawfiles
from consumer.stages.base import Exported, Run, Stage
from contract.api import JobSpec

_NAMESPACE: Final = uuid.UUID("0b9f6a52-51d9-5c0e-8d5b-6f6a5b8f5a11")
_THEN: Final = datetime(1970, 1, 1, tzinfo=UTC)


class _NoSession:
    """Rendering asks nobody."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"rendering without a job has no session; asked for {name}")


@dataclass(frozen=True, slots=True)
class Forget:
    render: Stage
    open_index: Callable[[Path], RecordIndex]

    def __call__(self, root: Path, user_id: str, name: str, records: Sequence[tuple[str, str]], guard: Guard) -> None:
        """Render ``root`` without these records (source_key, record_id). ``name`` tells this call from others.

        Raises what render raises.
        """
        known, zone = self._known(root, records)
        if not known:
            return
        job_id = str(uuid.uuid5(_NAMESPACE, f"{user_id}/{name}"))
        # Render learns of records that are gone from a list beside a job's raw export; this one is only for it.
        folder = root / layout.exports("hourly_digest", job_id)
        rawfiles.write_json(folder / rawfiles.MANIFEST, {"files": []})
        lines = [orjson.dumps({"source_key": source, "record_id": record}) for source, record in known]
        (folder / rawfiles.ABSENT).write_bytes(b"\n".join(lines) + b"\n")
        run = _run(root, user_id, job_id, zone, (folder / rawfiles.MANIFEST).relative_to(root).as_posix())
        try:
            self.render.run(run, guard)
        finally:
            shutil.rmtree(folder)

    def _known(self, root: Path, records: Sequence[tuple[str, str]]) -> tuple[list[tuple[str, str]], str]:
        """Those records that are rendered, and the time zone that they are rendered in."""
        zone = ""
        known: list[tuple[str, str]] = []
        if not (root / layout.RENDER_INDEX).is_file():
            return [], "UTC"
        with self.open_index(root / layout.RENDER_INDEX) as index:
            for source, record_id in records:
                found = index.find(source, record_id)
                if found:
                    zone = zone or _zone(root / layout.BRAIN / found.page)
                    known.append((source, record_id))
        return known, zone or "UTC"


def _zone(page: Path) -> str:
    """The zone that an evidence page says it was rendered in: another one would move every record. "": it says none."""
    try:
        front, _ = pages.split_front_matter(page.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(front.get("timezone", ""))


def _run(root: Path, user_id: str, job_id: str, zone: str, manifest: str) -> Run:
    job = JobSpec(
        job_id=job_id,
        user_id=user_id,
        workspace_id=user_id,
        job_type="hourly_digest",
        runtime_profile="internal-full",
        template_version="v1",
        requested_at=_THEN,
        status="running",
        attempt=1,
        workspace_uri="",
        timezone=zone,
    )
    exported = Exported(records=0, deleted=0, source_counts={}, source_bytes={}, manifest=manifest)
    return Run(job, _NoSession(), 1, 1, "purge", _THEN, root, Base(0, None, 0), exported=exported)
