"""
Pages that rendering shares with synthesis: the text above MARKER is rendered; rendering keeps the text below it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from contract.derived import MARKER
from renderers import markdown as md

#: From a derived page to ``brain/``.
UP: Final = "../"


@dataclass(frozen=True)
class Derived:
    """The rendered part of one page. ``path``: below ``brain/``. ``blocks``: finished markdown."""

    path: str
    type: str
    title: str
    #: The page's date, ``2026-11-27``; None: no day.
    date: str | None
    renderer_version: str
    #: The number of records behind the page, including those it only counts.
    evidence_count: int
    blocks: Sequence[str]

    @property
    def _heading(self) -> str:
        return md.heading(1, self.title)

    @cached_property
    def checksum(self) -> str:
        """``sha256:<hex>`` of the page's content, without its job and its renderer's version."""
        content = "\n\n".join((self._heading, str(self.date), str(self.evidence_count), *self.blocks))
        return "sha256:" + hashlib.sha256(content.encode()).hexdigest()

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
