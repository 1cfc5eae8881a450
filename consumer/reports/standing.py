"""Themes and projects, cached for a day, because counting them reads every word of the brain.

For a large brain the first digest of a local day counts them, and so does every backfill and insight. Other digests
use the cached result without the findings whose citations no longer resolve.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from consumer import layout
from consumer.evidence.pages import Page
from consumer.reports import citations
from consumer.reports.citations import Resolved
from consumer.reports.claims import Citation
from consumer.reports.detectors import Finding, Standing, Theme, records
from consumer.reports.files import put

#: Increase it with every change of the count.
VERSION: Final = 2
#: A brain with fewer evidence pages is counted each time, in less than half a second.
LEAST_PAGES: Final = 500
#: A change of the number of pages by more than this share voids the cache.
GROWTH: Final = 0.1


@dataclass(frozen=True, slots=True)
class _Kept:
    version: int
    day: date
    pages: int
    standing: Standing


_FORM: Final = TypeAdapter(_Kept)


def keep(root: Path, by_slug: Mapping[str, Page], today: date, counted: Standing) -> None:
    """Store the count for the next digest of the same day; for a small brain, nothing."""
    pages = _evidence(by_slug)
    if pages < LEAST_PAGES:
        (root / layout.STANDING).unlink(missing_ok=True)
    else:
        put(root / layout.STANDING, _FORM.dump_json(_Kept(VERSION, today, pages, counted)))


def kept(root: Path, by_slug: Mapping[str, Page], today: date) -> Standing | None:
    """The count of earlier today, as far as it can still be cited; None: count again."""
    pages = _evidence(by_slug)
    if pages < LEAST_PAGES:
        return None
    try:
        before = _FORM.validate_json((root / layout.STANDING).read_bytes())
    except (OSError, ValidationError):
        return None
    if (before.version, before.day) != (VERSION, today) or abs(pages - before.pages) > GROWTH * before.pages:
        return None

    def holds(citation: Citation) -> bool:
        return isinstance(citations.resolve(citation, by_slug.get), Resolved)

    def cited(several: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(finding for finding in several if all(map(holds, finding.citations)))

    def still(theme: Theme) -> Theme:
        return replace(theme, evidence=tuple(place for place in theme.evidence if holds(place[1])))

    standing = before.standing
    return replace(
        standing,
        themes=cited(standing.themes),
        projects=cited(standing.projects),
        connections=tuple(entry for entry in standing.connections if all(map(holds, entry.citations))),
        topics=tuple(theme for theme in map(still, standing.topics) if theme.evidence),
    )


def _evidence(by_slug: Mapping[str, Page]) -> int:
    return sum(slug.startswith(records.EVIDENCE) for slug in by_slug)
