"""The ``fields`` parameter: ``items(name,generation),nextPageToken`` or ``items/name`` keeps only that much."""

from __future__ import annotations

import re
from typing import Any

from local.gcs.errors import invalid

Mask = dict[str, "Mask"]


def parse(text: str) -> Mask:
    """Raises 400 for unbalanced parentheses."""
    root: Mask = {}
    stack, level = [root], root
    for token in re.findall(r"[(),/]|[^(),/]+", text):
        if token == "(":
            stack.append(level)
        elif token == ")":
            if len(stack) == 1:
                raise invalid("Invalid field selection")
            level = stack.pop()
        elif token == ",":
            level = stack[-1]
        elif token != "/":
            level = level.setdefault(token.strip(), {})
    if len(stack) != 1:
        raise invalid("Invalid field selection")
    return root


def project(value: Any, mask: Mask) -> Any:
    """The part of a JSON value that the mask keeps; an empty mask (or ``*``) keeps all."""
    if not mask or "*" in mask:
        return value
    if isinstance(value, list):
        return [project(item, mask) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: project(value[key], inner) for key, inner in mask.items() if key in value}
