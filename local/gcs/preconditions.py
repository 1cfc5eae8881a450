"""Preconditions: on generation, metageneration and etag, matching and not matching, for every verb."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from local.gcs.errors import invalid, not_modified, precondition_failed


class Versioned(Protocol):
    @property
    def generation(self) -> int: ...
    @property
    def metageneration(self) -> int: ...
    @property
    def etag(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Preconditions:
    """The caller's requirements on the current object. Generation 0 means "no live object"."""

    generation: int | None = None
    not_generation: int | None = None
    metageneration: int | None = None
    not_metageneration: int | None = None
    etags: tuple[str, ...] = ()
    not_etags: tuple[str, ...] = ()

    def require(self, current: Versioned | None, *, reading: bool = False) -> None:
        """Raises 412; for a read whose only fault is a "not match", 304."""
        if self._unmatched(current):
            raise precondition_failed()
        if self._matched(current):
            raise not_modified() if reading else precondition_failed()

    def _unmatched(self, current: Versioned | None) -> bool:
        generation = current.generation if current else 0
        metageneration = current.metageneration if current else None
        return (
            (self.generation is not None and self.generation != generation)
            or (self.metageneration is not None and self.metageneration != metageneration)
            or (bool(self.etags) and not _etag_in(self.etags, current))
        )

    def _matched(self, current: Versioned | None) -> bool:
        generation = current.generation if current else 0
        metageneration = current.metageneration if current else None
        return (
            (self.not_generation is not None and self.not_generation == generation)
            or (self.not_metageneration is not None and self.not_metageneration == metageneration)
            or _etag_in(self.not_etags, current)
        )


def from_query(
    query: Mapping[str, str], headers: Mapping[str, str] | None = None, *, source: bool = False
) -> Preconditions:
    """Query parameters ``ifGenerationMatch`` and its kin (``ifSource...`` of a copy), and etag headers."""
    kin = "ifSource" if source else "if"
    headers = headers or {}
    return Preconditions(
        generation=integer(query, f"{kin}GenerationMatch"),
        not_generation=integer(query, f"{kin}GenerationNotMatch"),
        metageneration=integer(query, f"{kin}MetagenerationMatch"),
        not_metageneration=integer(query, _spelled(query, f"{kin}MetagenerationNotMatch")),
        etags=_etags(headers.get("if-match")),
        not_etags=_etags(headers.get("if-none-match")),
    )


def _spelled(query: Mapping[str, str], name: str) -> str:
    # google-cloud-storage for Python writes a capital G here, for uploads only.
    other = name.replace("Metageneration", "MetaGeneration")
    return other if other in query else name


def from_xml_headers(headers: Mapping[str, str]) -> Preconditions:
    """The XML API carries its preconditions in headers, and has no "not match"."""
    return Preconditions(
        generation=integer(headers, "x-goog-if-generation-match"),
        metageneration=integer(headers, "x-goog-if-metageneration-match"),
        etags=_etags(headers.get("if-match")),
        not_etags=_etags(headers.get("if-none-match")),
    )


def integer(values: Mapping[str, str], name: str) -> int | None:
    """Raises 400 if the value is present but not a whole number."""
    text = values.get(name)
    if text is None or text == "":
        return None
    try:
        return int(text)
    except ValueError as exc:
        raise invalid(f"Invalid value for {name}: expected an integer") from exc


def _etags(header: str | None) -> tuple[str, ...]:
    return tuple(part.strip().strip('"') for part in header.split(",")) if header else ()


def _etag_in(etags: tuple[str, ...], current: Versioned | None) -> bool:
    return bool(etags) and current is not None and (current.etag in etags or "*" in etags)
