"""
Reading a page of the export record by record, so that one broken record costs itself and nothing else.

Whatever is wrong with the page itself (no JSON, no cursor, a field of the wrong type) refuses the page. What is wrong
within a record refuses that record: it becomes an entry of ``refused`` that says which one it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import orjson
from pydantic import ValidationError

from contract.api import BatchResponse, RefusedRecord
from contract.records import Record

#: What of a refused record's id is told, as JSON text.
_ID_CHARS: Final = 1024
_KEY_CHARS: Final = 64
#: What tells whose record it is, and which.
_NAMES: Final = frozenset({"user_id", "source_key", "record_type", "record_id"})
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]', re.DOTALL)
_CLOSING: Final = frozenset("]}")
#: (start, end) of a value within the text.
_Span = tuple[int, int]


def read(body: bytes) -> BatchResponse:
    """A page as it came over the wire.

    Raises:
        ValueError: not a page (pydantic's errors derive from it).
    """
    try:
        return BatchResponse.model_validate_json(body)
    except ValidationError as whole:
        # A byte that is no UTF-8 becomes an escape that JSON does not know, where it stands.
        text = body.decode("utf-8", "backslashreplace")
        spans = _record_spans(text)
        if spans is None:
            raise
        start, end, records = spans
        try:
            page = BatchResponse.model_validate_json(f"{text[:start]}[]{text[end:]}")
        except ValidationError:
            raise whole from None
    found = [_record(text[first:last]) for first, last in records]
    return page.model_copy(
        update={
            "records": tuple(one for one in found if isinstance(one, Record)),
            "refused": (*page.refused, *(one for one in found if isinstance(one, RefusedRecord))),
        }
    )


def _record(text: str) -> Record | RefusedRecord:
    try:
        return Record.model_validate_json(text)
    except ValidationError as exc:
        members = _members(text)
        said = {name: _scalar(text[first:last]) for name, (first, last) in members.items() if name in _NAMES}
        return RefusedRecord(
            user_id=said.get("user_id", ""),
            source_key=said.get("source_key", "")[:_KEY_CHARS],
            record_type=said.get("record_type", ""),
            record_id=said.get("record_id", "")[:_ID_CHARS],
            reason=_reason(exc),
        )


def _reason(exc: ValidationError) -> str:
    """Which field is wrong and how, in pydantic's name for it: never a value."""
    faults = exc.errors(include_input=False, include_url=False, include_context=False)
    # A checksum is the server's own word, so that is told before what the row brought with it.
    first = next((fault for fault in faults if fault["loc"][:1] == ("checksum",)), faults[0])
    place = ".".join(str(part) for part in first["loc"][:1])
    return f"{place or 'record'}: {first['type']}"


def _scalar(text: str) -> str:
    """A text as it is meant, anything else (and a text that JSON does not allow) as it is written."""
    try:
        value = orjson.loads(text) if text.startswith('"') else text
    except orjson.JSONDecodeError:
        value = text.strip('"')
    return str(value)


def _record_spans(text: str) -> tuple[int, int, list[_Span]] | None:
    """(start, end) of the page's ``records`` and the spans of its elements; None: there is no such array."""
    found = _members(text).get("records")
    if found is None or text[found[0]] != "[":
        return None
    start, end = found
    return start, end, [(first, last) for first, last in _parts(text, start, end) if text[first:last].strip()]


def _members(text: str) -> dict[str, _Span]:
    """The spans of an object's values by name; of a name that comes twice the last, as parsers have it."""
    found: dict[str, _Span] = {}
    start = len(text) - len(text.lstrip())
    if not text.startswith("{", start):
        return found
    for first, last in _parts(text, start, len(text.rstrip())):
        name = _TOKEN.match(text, first)
        if name is None or not name[0].startswith('"'):
            continue
        colon = text.find(":", name.end(), last)
        if colon >= 0:
            value = text[colon + 1 : last]
            begin = colon + 1 + len(value) - len(value.lstrip())
            found[_scalar(name[0])] = (begin, last)
    return found


def _parts(text: str, start: int, end: int) -> Iterator[_Span]:
    """What stands between the commas of the array or object at ``start``, trimmed. However deep it nests."""
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
