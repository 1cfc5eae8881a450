"""What a search returns, and the error of an index that cannot be searched."""

from __future__ import annotations

from dataclasses import dataclass


class IndexUnusable(Exception):
    """The index file is missing, damaged or of another release. It can be rebuilt from the pages."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a page that answers a question, at most about 1,200 characters.

    ``page``: path relative to ``brain/``, with ``.md`` left out, as citations name it. ``anchor``: the anchor of its
    record on the page, "" for a page of one record. ``record_id``: "" on pages that are derived from several records.
    ``day``: the ISO date on which it happened, or "". ``source``: the source's key, "" for derived pages. ``type``: the
    page's type ("source", "person", "report", ...). ``text``: plain text, without markdown's escapes. ``score``:
    higher is better; comparable within one answer only.
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
