"""Themes and projects, kept for a day: to count them, every word of the brain is read.

A large brain counts them once on each of the user's days, in its first digest, and in every backfill and insight. The
digests between use what was counted, without what no longer stands where it is cited.
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

#: Bump it with every change of what is counted, or how.
VERSION: Final = 1
#: A brain of fewer pages of evidence is counted each time: that costs less than half a second.
LEAST_PAGES: Final = 500
#: So many more or fewer pages, as a share, are another brain.
GROWTH: Final = 0.1


@dataclass(frozen=True, slots=True)
class _Kept:
    version: int
    day: date
    pages: int
    standing: Standing


_FORM: Final = TypeAdapter(_Kept)


def keep(root: Path, found: Mapping[str, Page], today: date, counted: Standing) -> None:
    """Remember what was counted, for the next digest of the same day; of a small brain nothing."""
    pages = _evidence(found)
    if pages < LEAST_PAGES:
        (root / layout.STANDING).unlink(missing_ok=True)
    else:
        put(root / layout.STANDING, _FORM.dump_json(_Kept(VERSION, today, pages, counted)))


def kept(root: Path, found: Mapping[str, Page], today: date) -> Standing | None:
    """What was counted earlier today, as far as it can still be cited; None: it has to be counted."""
    pages = _evidence(found)
    if pages < LEAST_PAGES:
        return None
    try:
        before = _FORM.validate_json((root / layout.STANDING).read_bytes())
    except (OSError, ValidationError):
        return None
    if (before.version, before.day) != (VERSION, today) or abs(pages - before.pages) > GROWTH * before.pages:
        return None

    def holds(citation: Citation) -> bool:
        return isinstance(citations.resolve(citation, found.get), Resolved)

    def told(several: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(one for one in several if all(map(holds, one.citations)))

    def still(theme: Theme) -> Theme:
        return replace(theme, evidence=tuple(place for place in theme.evidence if holds(place[1])))

    standing = before.standing
    return replace(
        standing,
        themes=told(standing.themes),
        projects=told(standing.projects),
        topics=tuple(theme for theme in map(still, standing.topics) if theme.evidence),
    )


def _evidence(found: Mapping[str, Page]) -> int:
    return sum(slug.startswith(records.EVIDENCE) for slug in found)
