"""
What is left out of pages and data: everything that stands for a hidden record, or links to one.

A record's mark (``renderers.grouping.mark``) ends the name of its own page and its anchor on others, so that links are
recognized without reading what they lead to. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from renderers import splitting
from renderers.grouping import mark

_ANCHOR: Final = re.compile(r'<a id="r-([a-z2-7]{12})">')
#: A mark follows a dash, at the end of a page's name or anchor.
_MARK: Final = re.compile(r"-(?=([a-z2-7]{12}))")
#: An anchor, or the name of a record's own page.
_PLACE: Final = re.compile(r"-([a-z2-7]{12})$")

Marks = frozenset[str]


class Hidden(NamedTuple):
    """Records that nothing may show. ``ids``: their record ids. ``marks``: what names them on pages."""

    records: frozenset[tuple[str, str]] = frozenset()
    ids: frozenset[str] = frozenset()
    marks: Marks = frozenset()
    #: Whether words speak of what is hidden, wherever they stand.
    speaks: Callable[[str], bool] | None = None

    @classmethod
    def of(cls, records: Iterable[tuple[str, str]], speaks: Callable[[str], bool] | None = None) -> Hidden:
        """``records``: (source, record id) of each."""
        listed = frozenset(records)
        ids = frozenset(record_id for _, record_id in listed)
        return cls(listed, ids, frozenset(mark(*record) for record in listed), speaks)

    def __bool__(self) -> bool:
        return bool(self.records) or self.speaks is not None

    def plus(self, other: Hidden) -> Hidden:
        """What either hides. Only one of them may go by words."""
        return Hidden(
            self.records | other.records,
            self.ids | other.ids,
            self.marks | other.marks,
            self.speaks or other.speaks,
        )


NOTHING: Final = Hidden()


def mark_of_place(slug: str, anchor: str | None) -> str:
    """The mark of the record that stands at a place; "" where its name has none."""
    match = _PLACE.search(anchor or splitting.first_part(slug))
    return match[1] if match else ""


def hides_page(slug: str, hidden: Marks) -> bool:
    """Whether this is a hidden record's own page."""
    return mark_of_place(slug, None) in hidden


def without_hidden(text: str, hidden: Hidden) -> str:
    """Markdown without sections of hidden records, and without list items, table rows and lines that link to them or
    speak of them.
    """
    if not hidden:
        return text
    blocks = _blocks(_sections(text, hidden.marks))
    return "".join(block for block in blocks if not (_names(block, hidden.marks) or _speaks(block, hidden)))


def filtered(value: Any, hidden: Hidden) -> Any:
    """JSON data without the entries of lists that name a hidden record by its mark or its id, or speak of it."""
    if not hidden:
        return value

    def names(item: Any) -> bool:
        if isinstance(item, dict):
            return any(map(names, item)) or any(map(names, item.values()))
        if isinstance(item, list):
            return any(map(names, item))
        # An id may be a counter or a word: only a text that is nothing else names its record.
        return isinstance(item, str) and (item in hidden.ids or _names(item, hidden.marks) or _speaks(item, hidden))

    def clean(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: clean(entry) for key, entry in item.items()}
        if isinstance(item, list):
            return [clean(entry) for entry in item if not names(entry)]
        return "" if isinstance(item, str) and _speaks(item, hidden) else item

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


def _speaks(text: str, hidden: Hidden) -> bool:
    return hidden.speaks is not None and bool(text.strip()) and hidden.speaks(text)


def _names(block: str, hidden: Marks) -> bool:
    # Looked up by what may be a mark: a user may have had thousands of records purged.
    return any(match[1] in hidden for match in _MARK.finditer(block))
