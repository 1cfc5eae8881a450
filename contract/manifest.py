"""An entry of manifests/memory-export-manifest.yaml: which fields of a source are exported, and how they are rendered.

The manifest is the single source: export views, API allow-list, renderer registry and inventory follow it, and a test
fails where they differ.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SignalLevel = Literal["raw", "product", "observability"]
Sensitivity = Literal["public", "internal", "private", "restricted"]
#: artifact: a page per record; day, week: per local day or week; channel_day: per channel and day; single: one page.
Grouping = Literal["artifact", "day", "week", "channel_day", "single"]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PageRule(_Entry):
    """How records become pages. ``own_page_min_chars``: a record with this many characters of text has its own page."""

    grouping: Grouping
    #: Record fields that divide groups further, in order: a day's events by their source, messages by thread.
    by: tuple[str, ...] = ()
    own_page_min_chars: int | None = None
    #: The record field of type ``date`` that names the record's day, independent of time zones.
    day: str | None = None


class SourceEntry(_Entry):
    source_key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    table_or_wrapper: str
    view: Annotated[str, Field(pattern=r"^memory_export\.[a-z][a-z0-9_]*$")]
    record_type: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    signal_level: SignalLevel
    backfill_strategy: str
    incremental_cursor: tuple[str, ...]
    include_fields: Annotated[tuple[str, ...], Field(min_length=1)]
    exclude_fields: tuple[str, ...] = ()
    redaction_policy: str
    sensitivity: Sensitivity = "private"
    gbrain_mapping: Annotated[str, Field(pattern=r"^brain/sources/cloop/[a-z0-9-]+/$")]
    page: PageRule
    renderer: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    expected_volume: Literal["low", "medium", "high"]
    #: The number of records of this source that an inventory requires for sufficient evidence; 0: none.
    sufficient_at: int = 0


class ExportManifest(_Entry):
    version: int
    #: Seconds that an increment looks back behind its cursor, so that rows committed late are still seen.
    overlap_s: int
    #: Least number of sources that must reach sufficient_at for a backfill to make sense.
    sufficient_sources: int
    excluded: tuple[str, ...]
    sources: Annotated[tuple[SourceEntry, ...], Field(min_length=1)]

    def source(self, key: str) -> SourceEntry:
        """The entry of this source. Raises KeyError: no such source; the message lists the existing ones."""
        for entry in self.sources:
            if entry.source_key == key:
                return entry
        raise KeyError(f"no source {key!r} in the manifest; it has: {', '.join(e.source_key for e in self.sources)}")


def parse(document: dict[str, Any]) -> ExportManifest:
    """A loaded YAML document -> ExportManifest.

    Raises pydantic.ValidationError: a field is missing, unknown or malformed. ValueError: two entries share a
    source_key or a view.
    """
    manifest = ExportManifest.model_validate(document)
    for what in ("source_key", "view", "gbrain_mapping"):
        values = [getattr(entry, what) for entry in manifest.sources]
        twice = sorted({v for v in values if values.count(v) > 1})
        if twice:
            raise ValueError(f"manifest: {what} must be unique, twice: {', '.join(twice)}")
    return manifest
