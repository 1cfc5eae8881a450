"""
Restricted values - payment, identity, health, credentials - become placeholders before anything is rendered.

They stay in the raw export only: no page, index, prompt or report ever holds them. The placeholder names the kind and
nothing of the value. A detector prefers to miss an odd form over hiding ordinary text; the manifest's classes and the
control plane's redaction stand before it. The forms are in renderers/restricted.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from contract.forms import Forms

#: Bumped with every change of a detector; every page is then rendered once more.
VERSION: Final = 7


def mask(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
    """Plain JSON data with every restricted value replaced, and how many there were; field names stay."""
    # Nearly all records hold none: one look at all their texts together tells.
    forms, _ = _forms()
    if not forms.possible("\n".join(_texts(data))):
        return data, 0
    masked_names: list[str] = []
    masked = {name: _value(value, masked_names) for name, value in data.items()}
    return (masked, len(masked_names)) if masked_names else (data, 0)


def mask_text(text: str) -> tuple[str, list[str]]:
    """One text with its restricted values replaced, and their kinds."""
    forms, kind_of = _forms()
    masked, names = forms.replace(text, _placeholder)
    return masked, [kind_of[name] for name in names]


@cache
def _forms() -> tuple[Forms, Mapping[str, str]]:
    """All forms, and the kind of value by the name of its form."""
    from renderers.restricted import FORMS, KIND_OF  # noqa: PLC0415 (compiling them takes a third of a second)

    return FORMS, KIND_OF


def _placeholder(name: str) -> str:
    return f"[restricted: {_forms()[1][name]}]"


def _texts(data: Mapping[str, Any]) -> list[str]:
    """All texts that are values, at any depth."""
    texts: list[str] = []
    containers: list[Any] = [data]
    # Grows as containers are found in containers.
    for container in containers:
        for value in container.values() if isinstance(container, dict) else container:
            kind = type(value)
            if kind is str:
                texts.append(value)
            elif kind is dict or kind is list:
                containers.append(value)
    return texts


def _value(value: Any, masked_names: list[str]) -> Any:
    if isinstance(value, str):
        masked, names = _forms()[0].replace(value, _placeholder)
        masked_names.extend(names)
        return masked
    if isinstance(value, dict):
        return {name: _value(item, masked_names) for name, item in value.items()}
    return [_value(item, masked_names) for item in value] if isinstance(value, list) else value
