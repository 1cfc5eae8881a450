"""Answers of the gateway to our own requests, those of the reader and of the judge. Pure."""

from __future__ import annotations

import re
from typing import Final

import orjson

_CODE: Final = re.compile(r"\w{1,60}", re.ASCII)


def text(data: bytes) -> str | None:
    """The text of the first choice; None where it was cut, was refused, or is no text."""
    try:
        choice = orjson.loads(data)["choices"][0]
        content, finish = choice["message"]["content"], choice.get("finish_reason")
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError):
        return None
    return content if isinstance(content, str) and finish in ("stop", None) else None


def is_cut(data: bytes) -> bool:
    """Whether the first choice was cut at the limit of its tokens."""
    try:
        return bool(orjson.loads(data)["choices"][0].get("finish_reason") == "length")
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError):
        return False


def error_code(data: bytes) -> str:
    """An error's code, if it looks like one: never words of the provider's."""
    try:
        code = orjson.loads(data)["error"]["code"]
    except (orjson.JSONDecodeError, LookupError, TypeError):
        return ""
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""
