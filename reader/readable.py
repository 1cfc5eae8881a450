"""A passage as its owner reads it: without the fields and blocks that only programs read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

#: Fields of a record that only programs read. People write some of these words too; see ``_without_fields``.
TECHNICAL: Final = frozenset(
    (
        "Address",
        "Attempt",
        "Calendar event",
        "Category",
        "Channel",
        "Color",
        "Direction",
        "Enabled",
        "Error",
        "First seen",
        "Generated",
        "Importance",
        "In reply to",
        "Kind",
        "Last interaction",
        "Model",
        "Priority",
        "Provider",
        "Sequence",
        "Source",
        "Source reference",
        "Surface",
        "Template",
        "Type",
    )
)
#: Headings that rendering writes below the fields of a record.
HEADINGS: Final = frozenset(
    (
        "About",
        "Analysis",
        "Body",
        "Briefing",
        "Context",
        "Description",
        "Details",
        "Dossier",
        "Draft",
        "Landscape",
        "Message",
        "Note",
        "Notes",
        "Onboarding responses",
        "Parsed",
        "Preferences",
        "Reasoning",
        "Sections",
        "Structured note",
        "Summary",
        "Transcript",
        "Value",
    )
)
_FIELD: Final = re.compile(r"- ([A-Z][\w ]{0,30}): ")
#: A line of JSON as rendering writes it.
_JSON_LINE: Final = re.compile(r'["{}\[\]]|(?:-?\d[\d.eE+-]*|true|false|null),?$')


def readable(text: str) -> str:
    """The passage without technical fields above its first words, and without JSON and the heading of it.

    What has nothing else stays as it is.
    """
    shown = "\n".join(_without_json(_without_fields(text.split("\n"))))
    return shown if shown.strip() else text


def _without_fields(lines: Sequence[str]) -> list[str]:
    """Only the record's own fields: rendering writes them below the title and above a heading of its own."""
    first = 0 if _FIELD.match(lines[0]) else 1
    end = first
    while end < len(lines) and _FIELD.match(lines[end]):
        end += 1
    if end == len(lines) or lines[end] not in HEADINGS:
        return list(lines)
    fields = [line for line in lines[first:end] if line.removeprefix("- ").partition(":")[0] not in TECHNICAL]
    return [*lines[:first], *fields, *lines[end:]]


def _without_json(lines: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        is_heading = lines[at] in HEADINGS
        end = _end_of_json(lines, at + is_heading, cut=is_heading)
        if end:
            at = end
        else:
            yield lines[at]
            at += 1


def _end_of_json(lines: Sequence[str], start: int, *, cut: bool) -> int:
    """The number of the line behind the JSON that begins with a line, 0 if none does.

    ``cut``: also of JSON that lacks its end: all lines up to the passage's end or the next heading look like it.
    """
    if start >= len(lines):
        return 0
    if cut and lines[start].startswith('{"') and (start + 1 == len(lines) or _is_json(lines[start])):
        return start + 1  # What a source keeps as one line of JSON, the last one of a passage perhaps cut.
    if lines[start].strip() not in ("{", "["):
        return 0
    for end in range(start + 1, len(lines)):
        if lines[end].startswith(("}", "]")) and _is_json("\n".join(lines[start : end + 1])):
            return end + 1
    end = start
    while end < len(lines) and (not lines[end] or _JSON_LINE.match(lines[end])):
        end += 1
    return end if cut and (end == len(lines) or lines[end] in HEADINGS) else 0


def _is_json(text: str) -> bool:
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True
