"""Which provider serves which model (``MODEL_UPSTREAMS``), and where its key is.

Settings hold references to keys, never a key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from contract.environment import given
from service.settings import url

#: The forms of a reference to a key.
REFERENCES: Final = "env:NAME (capitals, digits and _), file:/absolute/path or none"
#: A variable's name as this project writes them. A provider's key after ``env:`` is none: it has small letters or "-".
_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_MOST: Final = 64


@dataclass(frozen=True, slots=True)
class ModelUpstream:
    """One model's provider. ``key``: a reference (REFERENCES), never the key itself."""

    model: str
    base_url: str
    key: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint with its key; ``key`` is empty for one that needs none."""

    base_url: str
    key: str = field(repr=False)

    @property
    def host(self) -> str:
        """Host and port, by which metrics and records name it."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]


def upstreams(value: str) -> tuple[ModelUpstream, ...]:
    """Parse a JSON object of model -> {"base_url": URL, "key": reference}; an empty text is no upstream.

    Raises ValueError with what must be there. The message never repeats a value, because somebody may have entered a
    key.
    """
    if not value:
        return ()
    try:
        document = json.loads(value, object_pairs_hook=_unique)
    except json.JSONDecodeError:
        raise ValueError("must be a JSON object of model to {base_url, key}") from None
    if not isinstance(document, dict) or len(document) > _MOST:
        raise ValueError(f"must be a JSON object of at most {_MOST} models")
    return tuple(_upstream(model, document[model]) for model in sorted(document))


def resolve(several: tuple[ModelUpstream, ...], environ: Mapping[str, str]) -> dict[str, Endpoint]:
    """Model -> its endpoint, with the key read from where the reference says.

    Raises ValueError if a variable is not set, or a file cannot be read or is empty. The error names the model and never
    repeats the reference: somebody may have written a key behind ``env:``.
    """
    return {each.model: Endpoint(each.base_url, _key(each, environ)) for each in several}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("must name each model, and each field of a model, once")
    return dict(pairs)


def _upstream(model: str, fields: Any) -> ModelUpstream:
    if not model or not isinstance(fields, dict) or set(fields) != {"base_url", "key"}:
        raise ValueError("must give each model exactly base_url and key")
    base_url, key = fields["base_url"], fields["key"]
    # Before the URL is read: a password may hold what no URL allows.
    if not isinstance(base_url, str) or "@" in base_url or "?" in base_url or "#" in base_url:
        raise ValueError(f"must give {model} a base_url without user name, password, query and fragment")
    kind, _, place = key.partition(":") if isinstance(key, str) else ("", "", "")
    refers = (
        key == "none" or (kind == "env" and bool(_NAME.fullmatch(place))) or (kind == "file" and place.startswith("/"))
    )
    if not refers:
        raise ValueError(f"must give {model} a reference to its key, never the key itself: {REFERENCES}")
    try:
        return ModelUpstream(model, url(base_url), key)
    except ValueError:
        raise ValueError(f"must give {model} an http or https URL as base_url") from None


def _key(upstream: ModelUpstream, environ: Mapping[str, str]) -> str:
    kind, _, place = upstream.key.partition(":")
    if kind == "none":
        return ""
    if kind == "env":
        if key := given(environ, place):
            return key
        raise ValueError(f"the key of {upstream.model}: the variable that its reference (env:) names is not set")
    try:
        key = Path(place).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as exc:
        raise ValueError(
            f"the key of {upstream.model}: the file that its reference (file:) names cannot be read: "
            f"{type(exc).__name__}"
        ) from None
    if not key:
        raise ValueError(f"the key of {upstream.model}: the file that its reference (file:) names is empty")
    return key
