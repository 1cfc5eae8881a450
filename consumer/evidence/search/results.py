"""What a search returns, and the error of an index that cannot be searched."""

from __future__ import annotations

from dataclasses import dataclass


class IndexUnusable(Exception):
    """The index file is missing, damaged or of another release. It can be rebuilt from the pages."""


@dataclass(frozen=True, slots=True)
class EvidencePassage:
    """A piece of a page that answers a question, of about 1,200 characters at most.

    ``page``: path relative to ``brain/`` without ``.md``, as citations name it. ``anchor``: the anchor of its record on
    the page, "" for a page of one record. ``record_id``: "" on pages that are derived from several records.
    ``day``: the ISO date on which it happened, or "". ``source``: the source's key, "" for derived pages. ``type``: the
    page's type ("source", "person", "report", ...). ``text``: plain text, without markdown's escapes. ``score``: higher
    is better; comparable within one answer only.
    """

    page: str
    anchor: str
    record_id: str
    title: str
    day: str
    source: str
    type: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class PageInfo:
    """``happened``: the time of its content; ``updated``: when its source last changed. RFC 3339, a date, or ""."""

    slug: str
    title: str
    type: str
    happened: str
    updated: str


@dataclass(frozen=True, slots=True)
class QuestionVector:
    """A question as the model ``model`` embeds it."""

    model: str
    numbers: tuple[float, ...]
