"""Object listings: prefix, delimiter, offsets, glob, pages."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from local.gcs.errors import invalid
from local.gcs.model import ObjectVersion
from local.gcs.preconditions import integer
from local.gcs.store import ObjectStore

PAGE_NAMES = 1000
_LAST_CODE_POINT = 0x10FFFF
_GLOB_TOKENS = {"**": ".*", "*": "[^/]*", "?": "[^/]"}


@dataclass(frozen=True, slots=True)
class ListingQuery:
    prefix: str = ""
    delimiter: str = ""
    start_offset: str = ""
    end_offset: str = ""
    glob: re.Pattern[str] | None = None
    versions: bool = False
    trailing_delimiter: bool = False
    page_names: int = PAGE_NAMES
    page_token: str = ""

    @staticmethod
    def parse(query: Mapping[str, str]) -> ListingQuery:
        glob = query.get("matchGlob")
        return ListingQuery(
            prefix=query.get("prefix", ""),
            delimiter=query.get("delimiter", ""),
            start_offset=query.get("startOffset", ""),
            end_offset=query.get("endOffset", ""),
            glob=_compiled(glob) if glob else None,
            versions=query.get("versions", "").lower() == "true",
            trailing_delimiter=query.get("includeTrailingDelimiter", "").lower() == "true",
            page_names=min(integer(query, "maxResults") or PAGE_NAMES, PAGE_NAMES),
            page_token=query.get("pageToken", ""),
        )

    def start(self) -> tuple[str, int]:
        """The first (name, generation) that may be in the page."""
        if self.page_token:
            return _read_token(self.page_token)
        return (max(self.prefix, self.start_offset), 0)

    def ends_before(self, name: str) -> bool:
        return not name.startswith(self.prefix) or bool(self.end_offset and name >= self.end_offset)

    def folder(self, name: str) -> str:
        """The common prefix that stands for this name, or nothing."""
        cut = name.find(self.delimiter, len(self.prefix)) if self.delimiter else -1
        return name[: cut + len(self.delimiter)] if cut >= 0 else ""


@dataclass(slots=True)
class ListingPage:
    items: list[ObjectVersion] = field(default_factory=list)
    prefixes: list[str] = field(default_factory=list)
    next_token: str = ""

    def __len__(self) -> int:
        return len(self.items) + len(self.prefixes)

    def resource(self, base_url: str) -> dict[str, Any]:
        items = [item.resource(base_url) for item in self.items]
        given = {"items": items, "prefixes": self.prefixes, "nextPageToken": self.next_token}
        return {"kind": "storage#objects", **{name: value for name, value in given.items() if value}}


def page(store: ObjectStore, bucket: str, query: ListingQuery) -> ListingPage:
    """One page. Cost follows what is shown: a folder is skipped by a seek, not by reading it."""
    store.bucket(bucket)
    result = ListingPage()
    start: tuple[str, int] | None = query.start()
    while start is not None:
        start = _fill(store, bucket, query, start, result)
    return result


def _fill(
    store: ObjectStore, bucket: str, query: ListingQuery, start: tuple[str, int], result: ListingPage
) -> tuple[str, int] | None:
    """Add to the page until it ends, or until a folder; then where to seek."""
    for version in store.scan(bucket, start, versions=query.versions):
        if query.ends_before(version.name):
            return None
        if query.glob and not query.glob.fullmatch(version.name):
            continue
        folder = query.folder(version.name)
        if folder and folder in result.prefixes[-1:]:
            return _seek_past(folder)
        if len(result) >= query.page_names:
            result.next_token = _write_token(version)
            return None
        if not folder or (query.trailing_delimiter and folder == version.name):
            result.items.append(version)
        if folder:
            result.prefixes.append(folder)
    return None


def _seek_past(prefix: str) -> tuple[str, int] | None:
    """The first name behind every name that starts with ``prefix``."""
    kept = prefix.rstrip(chr(_LAST_CODE_POINT))
    if not kept:
        return None
    following = ord(kept[-1]) + 1
    # Surrogates are no characters: no UTF-8 name holds one.
    return (kept[:-1] + chr(0xE000 if following == 0xD800 else following), 0)


def _write_token(first: ObjectVersion) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([first.name, first.generation])).decode()


def _read_token(token: str) -> tuple[str, int]:
    try:
        name, generation = orjson.loads(base64.urlsafe_b64decode(token))
        return (str(name), int(generation))
    except (binascii.Error, ValueError, TypeError) as exc:
        raise invalid("Invalid pageToken") from exc


def _compiled(glob: str) -> re.Pattern[str]:
    try:
        return re.compile(glob_pattern(glob), re.DOTALL)
    except re.error as exc:
        raise invalid("Invalid matchGlob") from exc


def glob_pattern(glob: str) -> str:
    """A glob as a regular expression: ``**`` crosses slashes, ``*`` and ``?`` do not; ``{a,b}`` and ``[a-z]``."""
    out, depth = [], 0
    for token in re.findall(r"\*\*|\[[^\]]+\]|.", glob, re.DOTALL):
        if token in _GLOB_TOKENS:
            out.append(_GLOB_TOKENS[token])
        elif len(token) > 1:
            out.append(token.replace("[!", "[^", 1))
        elif token == "{":
            depth += 1
            out.append("(?:")
        elif token == "}" and depth:
            depth -= 1
            out.append(")")
        else:
            out.append("|" if token == "," and depth else re.escape(token))
    return "".join(out) + ")" * depth
