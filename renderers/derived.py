"""
Pages that rendering shares with synthesis: above MARKER stands what records say, below it text that rendering keeps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from renderers import markdown as md

#: From a derived page to ``brain/``.
UP: Final = "../"
MARKER: Final = "<!-- synthesis: rendering keeps everything below this line -->"


@dataclass(frozen=True)
class Derived:
    """What records give for one page. ``path`` is below ``brain/``; ``blocks`` are finished markdown."""

    path: str
    type: str
    title: str
    #: The day it is dated by, ``2026-11-27``; None: no day.
    date: str | None
    renderer_version: str
    #: Records that the page stands on, also those it only counts.
    evidence_count: int
    blocks: Sequence[str]

    @property
    def _heading(self) -> str:
        return md.heading(1, self.title)

    @cached_property
    def checksum(self) -> str:
        """``sha256:<hex>`` of everything the page says; of neither its job nor its renderer's version."""
        said = "\n\n".join((self._heading, str(self.date), str(self.evidence_count), *self.blocks))
        return "sha256:" + hashlib.sha256(said.encode()).hexdigest()

    def text(self, user_id: str, digest_job_id: str) -> str:
        """The page above the marker, ending in the marker's line."""
        front: dict[str, md.FrontValue] = {
            "title": md.one_line(self.title),
            "type": self.type,
            "source_system": "cloop",
            "user_id": user_id,
            "date": self.date,
            "checksum": self.checksum,
            "sensitivity": "private",
            "digest_job_id": digest_job_id,
            "renderer_version": self.renderer_version,
            "evidence_count": self.evidence_count,
        }
        return md.document(md.front_matter(front), [self._heading, *self.blocks, MARKER])


def kept(existing: str) -> str:
    """What stands below the marker of a page as it is on disk; a page without marker is all somebody else's text."""
    _, found, below = existing.partition(MARKER)
    if found:
        return below.strip("\n")
    return _without_front_matter(existing).strip("\n")


def join(rendered: str, below: str) -> str:
    """A rendered page with the text that is to be kept below its marker."""
    return f"{rendered}\n{below}\n" if below.strip() else rendered


def _without_front_matter(text: str) -> str:
    if not text.startswith("---\n"):
        return text
    _, found, rest = text[4:].partition("\n---\n")
    return rest if found else text
