"""
Where a linked record stands now.

Paths of pages follow from what records say, so a record whose day, title or zone changes moves to another page, and a
report that was written before still links to the old one. A record's mark stays: it ends the name of the record's own
page, or its anchor on a page of several. Links are therefore followed by mark when a report is shown. Nothing is
stored, so a purged record's links lead nowhere by themselves.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple
from urllib.parse import quote

from consumer.evidence import html
from renderers import splitting

_HREF: Final = re.compile(r"\]\((<?)([^()<>\s]+)(>?)\)")
_PAGE: Final = re.compile(r"-([a-z2-7]{12})\Z")


class LinkedPlace(NamedTuple):
    """A page's path in the workspace, and an anchor on it or ""."""

    path: str
    anchor: str


def mark_of(path: str, anchor: str = "") -> str:
    """The mark of the record that a link names; "" where it names none."""
    if anchor:
        return anchor.removeprefix("r-")
    match = _PAGE.search(splitting.first_part(path.removesuffix(".md"))) if path.endswith(".md") else None
    return match[1] if match else ""


def marks(text: str, path: str) -> set[str]:
    """The marks of all records that the page at ``path`` links to."""
    return {mark for _, place in _links(text, path) if (mark := mark_of(*place))}


def followed(text: str, path: str, places: Mapping[str, LinkedPlace], exists: Callable[[str], bool]) -> str:
    """A page's text with its links to where records stand now.

    ``places``: by mark, of those that are known. ``exists``: whether a page is there. A link that names its record by
    an anchor follows it; one to a page follows the page's mark only when the page is gone.
    """
    parts, done = [], 0
    for match, place in _links(text, path):
        now = places.get(mark_of(*place))
        if now is None or now == place or (not place.anchor and exists(place.path)):
            continue
        href = quote(posixpath.relpath(now.path, posixpath.dirname(path)), safe="/.")
        parts += [text[done : match.start(2)], href + (f"#{now.anchor}" if now.anchor else "")]
        done = match.end(2)
    return "".join([*parts, text[done:]])


def _links(text: str, path: str) -> Iterator[tuple[re.Match[str], LinkedPlace]]:
    for match in _HREF.finditer(text):
        place = html.target(match[2], path)
        if place is not None:
            yield match, LinkedPlace(*place)
