"""
What the overlay hides at once: everything on a page that stands for a forgotten record, or links to one.

A record's mark (``renderers.grouping.mark``) ends the name of its own page and its anchor on others, so that links are
recognized without reading what they lead to. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from renderers.grouping import mark

_ANCHOR: Final = re.compile(r'<a id="r-([a-z2-7]{12})">')
#: A mark follows a dash, at the end of a page's name or anchor.
_MARK: Final = re.compile(r"-(?=([a-z2-7]{12}))")
#: The length of a mark at the end of a page's name.
_MARK_CHARS: Final = 12

Marks = frozenset[str]


class Hidden(NamedTuple):
    """Records that nothing may show. ``ids``: their record ids. ``marks``: what names them on pages."""

    records: frozenset[tuple[str, str]] = frozenset()
    ids: frozenset[str] = frozenset()
    marks: Marks = frozenset()

    @classmethod
    def of(cls, records: Iterable[tuple[str, str]]) -> Hidden:
        """``records``: (source, record id) of each."""
        listed = frozenset(records)
        ids = frozenset(record_id for _, record_id in listed)
        return cls(listed, ids, frozenset(mark(*record) for record in listed))


NOTHING: Final = Hidden()


def hides_page(slug: str, hidden: Marks) -> bool:
    """Whether this is a hidden record's own page."""
    return slug[-_MARK_CHARS:] in hidden


def without_hidden(text: str, hidden: Marks) -> str:
    """Markdown without sections of hidden records, and without list items, table rows and lines that link to them."""
    if not hidden:
        return text
    return "".join(block for block in _blocks(_sections(text, hidden)) if not _names(block, hidden))


def filtered(value: Any, hidden: Hidden) -> Any:
    """JSON data without the entries of lists that name a hidden record by its mark or its id."""
    if not hidden.records:
        return value

    def names(item: Any) -> bool:
        if isinstance(item, dict):
            return any(map(names, item)) or any(map(names, item.values()))
        if isinstance(item, list):
            return any(map(names, item))
        # An id may be a counter or a word: only a text that is nothing else names its record.
        return isinstance(item, str) and (item in hidden.ids or _names(item, hidden.marks))

    def clean(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: clean(entry) for key, entry in item.items()}
        if isinstance(item, list):
            return [clean(entry) for entry in item if not names(entry)]
        return item

    return clean(value)


def _sections(text: str, hidden: Marks) -> str:
    """Without what stands from a hidden record's anchor to the next anchor."""
    kept, hiding = [], False
    for line in text.splitlines(keepends=True):
        if match := _ANCHOR.match(line):
            hiding = match[1] in hidden
        if not hiding:
            kept.append(line)
    return "".join(kept)


def _blocks(text: str) -> Iterator[str]:
    """A top-level list item with everything indented below it, or any other line."""
    block = ""
    for line in text.splitlines(keepends=True):
        if block.startswith("- ") and line.startswith("  "):
            block += line
            continue
        if block:
            yield block
        block = line
    if block:
        yield block


def _names(block: str, hidden: Marks) -> bool:
    # Looked up by what may be a mark: a user may have had thousands of records purged.
    return any(match[1] in hidden for match in _MARK.finditer(block))
