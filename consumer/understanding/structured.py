"""Requests to a model for an answer of a given form, and what answers. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson


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
