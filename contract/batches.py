"""
Reads a page of the export record by record, so that a broken record costs only itself.

A fault of the page itself (not JSON, no cursor, a field of the wrong type) refuses the page. A fault within a record
refuses only that record: it becomes an entry of ``refused`` that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import orjson
from pydantic import ValidationError

from contract.api import BatchResponse, RefusedRecord
from contract.records import Record

#: The longest part of a refused record's id that is reported, as JSON text.
_ID_CHARS: Final = 1024
_KEY_CHARS: Final = 64
#: The fields that identify a record and its user.
_NAMES: Final = frozenset({"user_id", "source_key", "record_type", "record_id"})
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]', re.DOTALL)
_CLOSING: Final = frozenset("]}")
#: (start, end) of a value within the text.
_Span = tuple[int, int]


def read(body: bytes) -> BatchResponse:
    """Parse a page from the wire. Raises ValueError: not a page (pydantic's errors derive from it)."""
    try:
        return BatchResponse.model_validate_json(body)
    except ValidationError as page_error:
        # A byte that is not UTF-8 becomes an escape that is invalid JSON, so only its record is refused.
        text = body.decode("utf-8", "backslashreplace")
        spans = _record_spans(text)
        if spans is None:
            raise
        start, end, records = spans
        try:
            page = BatchResponse.model_validate_json(f"{text[:start]}[]{text[end:]}")
        except ValidationError:
            raise page_error from None
    parsed = [_record(text[first:last]) for first, last in records]
    return page.model_copy(
        update={
            "records": tuple(record for record in parsed if isinstance(record, Record)),
            "refused": (*page.refused, *(record for record in parsed if isinstance(record, RefusedRecord))),
        }
    )


def _record(text: str) -> Record | RefusedRecord:
    try:
        return Record.model_validate_json(text)
    except ValidationError as exc:
        members = _members(text)
        named = {name: _scalar(text[first:last]) for name, (first, last) in members.items() if name in _NAMES}
        return RefusedRecord(
            user_id=named.get("user_id", ""),
            source_key=named.get("source_key", "")[:_KEY_CHARS],
            record_type=named.get("record_type", ""),
            record_id=named.get("record_id", "")[:_ID_CHARS],
            reason=_reason(exc),
        )


def _reason(exc: ValidationError) -> str:
    """The faulty field and pydantic's name for the fault; never a value."""
    faults = exc.errors(include_input=False, include_url=False, include_context=False)
    # The server itself makes the checksum: report its fault before those of the row's own fields.
    first = next((fault for fault in faults if fault["loc"][:1] == ("checksum",)), faults[0])
    place = ".".join(str(part) for part in first["loc"][:1])
    return f"{place or 'record'}: {first['type']}"


def _scalar(text: str) -> str:
    """A string decoded; anything else, and an invalid string, as it is written."""
    try:
        value = orjson.loads(text) if text.startswith('"') else text
    except orjson.JSONDecodeError:
        value = text.strip('"')
    return str(value)


def _record_spans(text: str) -> tuple[int, int, list[_Span]] | None:
    """(start, end) of the page's ``records`` and the spans of its elements; None: no such array."""
    span = _members(text).get("records")
    if span is None or text[span[0]] != "[":
        return None
    start, end = span
    return start, end, [(first, last) for first, last in _parts(text, start, end) if text[first:last].strip()]


def _members(text: str) -> dict[str, _Span]:
    """The spans of an object's values by name. For a repeated name the last one wins, as in JSON parsers."""
    spans: dict[str, _Span] = {}
    start = len(text) - len(text.lstrip())
    if not text.startswith("{", start):
        return spans
    for first, last in _parts(text, start, len(text.rstrip())):
        name = _TOKEN.match(text, first)
        if name is None or not name[0].startswith('"'):
            continue
        colon = text.find(":", name.end(), last)
        if colon >= 0:
            value = text[colon + 1 : last]
            begin = colon + 1 + len(value) - len(value.lstrip())
            spans[_scalar(name[0])] = (begin, last)
    return spans


def _parts(text: str, start: int, end: int) -> Iterator[_Span]:
    """The trimmed text between the commas of the array or object at ``start``, at any depth of nesting."""
    depth, first = 0, start + 1
    for token in _TOKEN.finditer(text, start, end):
        mark = token[0]
        if mark in _CLOSING:
            depth -= 1
            if depth == 0:
                yield _trimmed(text, first, token.start())
                return
        elif mark in "[{":
            depth += 1
        elif mark == "," and depth == 1:
            yield _trimmed(text, first, token.start())
            first = token.end()


def _trimmed(text: str, first: int, last: int) -> _Span:
    part = text[first:last]
    begin = first + len(part) - len(part.lstrip())
    return begin, max(begin, first + len(part.rstrip()))
