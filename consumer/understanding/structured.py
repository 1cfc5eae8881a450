"""Requests to a model for an answer of a given form, and what answers. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Final

import orjson

#: Bytes of an answer with rulings: 200 of them have some 10 KiB.
ANSWER_BYTES: Final = 64 * 1024


def read(content: str) -> Any:
    """JSON that any two parsers read alike. Raises ValueError for anything else, RecursionError."""
    return json.loads(content, object_pairs_hook=_unique, parse_constant=_no_number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return made


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def request(*, model: str, system: str, user: str, name: str, schema: Mapping[str, Any], answer_tokens: int) -> bytes:
    """The body of a chat completion whose answer must be JSON of this schema. ``name``: the schema's."""
    form = {"name": name, "strict": True, "schema": schema}
    return orjson.dumps(
        {
            "model": model,
            "max_completion_tokens": answer_tokens,
            "response_format": {"type": "json_schema", "json_schema": form},
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        }
    )


# --- rulings on a numbered list ------------------------------------------------------------------------------------


def ruling_schema(of: str, allowed: Collection[str]) -> dict[str, Any]:
    """The form of an answer that rules on each entry of a list. ``of``: what an entry is called, "claim" say."""
    ruling = {
        "type": "object",
        "properties": {of: {"type": "integer"}, "ruling": {"type": "string", "enum": sorted(allowed)}},
        "required": [of, "ruling"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"rulings": {"type": "array", "items": ruling}},
        "required": ["rulings"],
        "additionalProperties": False,
    }


def rulings(content: str, count: int, *, of: str, allowed: Collection[str]) -> list[str]:
    """A ruling for each of ``count`` entries, numbered from 1; "" for one without a ruling, or with two that differ.

    An answer that is not of ``ruling_schema`` rules on nothing; nor does one about an entry that was not asked about,
    because nobody knows which of the others its writer had in mind.
    """
    answered = [""] * count
    pairs = _pairs(content, of)
    if not all(1 <= number <= count for number, _ in pairs):
        return answered
    for number, ruling in pairs:
        answered[number - 1] = ruling if answered[number - 1] in ("", ruling) else "contradictory"
    return [ruling if ruling in allowed else "" for ruling in answered]


def _pairs(content: str, of: str) -> list[tuple[int, str]]:
    if len(content.encode("utf-8", "surrogatepass")) > ANSWER_BYTES:
        return []
    try:
        document = read(content)
        if set(document) != {"rulings"}:
            return []
        pairs = [(entry[of], entry["ruling"]) for entry in document["rulings"] if len(entry) == 2]
    except (ValueError, TypeError, KeyError, RecursionError):
        return []
    formed = all(type(number) is int and isinstance(ruling, str) for number, ruling in pairs)
    return pairs if formed and len(pairs) == len(document["rulings"]) else []
