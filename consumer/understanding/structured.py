"""Requests to a model for an answer of a given form. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson


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
