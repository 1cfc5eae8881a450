"""A passage as its owner reads it: without the fields and blocks that only programs read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

#: Fields of a record that a person asks for. A passage begins with all fields of its record.
_FIELDS: Final = frozenset(
    (
        "From",
        "To",
        "Thread",
        "Due",
        "State",
        "Dismissed because",
        "Company",
        "Title",
        "Relationship",
        "Emails",
        "Phones",
    )
)
_FIELD: Final = re.compile(r"- ([A-Z][\w ]{0,30}): ")
_HEADING_WORDS: Final = 2


def readable(text: str) -> str:
    """The passage without technical fields above its first words, and without JSON and the heading of it."""
    return "\n".join(_without_json(_without_fields(text.split("\n"))))


def _without_fields(lines: list[str]) -> Iterator[str]:
    """Only the record's own fields: a list that somebody wrote has words above it."""
    above = True
    for number, line in enumerate(lines):
        field = _FIELD.match(line)
        # The first line is the record's title, or a field already.
        above = above and (field is not None or number == 0)
        if not (above and field and field[1] not in _FIELDS):
            yield line


def _without_json(lines: Iterator[str]) -> list[str]:
    kept: list[str] = []
    depth = 0
    for line in lines:
        if depth == 0 and line.strip() in ("{", "["):
            if kept and 0 < len(kept[-1].split()) <= _HEADING_WORDS:
                kept.pop()
            depth = 1
        elif depth:
            depth += sum(map(line.count, "{[")) - sum(map(line.count, "}]"))
        else:
            kept.append(line)
    return kept
