"""One entry of manifests/memory-export-manifest.yaml: what is exported of a source, and what becomes of it.

The manifest is the single source: export views, API allow-list, renderer registry and inventory follow it, and a test
fails where they differ.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SignalLevel = Literal["raw", "product", "observability"]
Sensitivity = Literal["public", "internal", "private", "restricted"]
#: artifact: a page a record; day, week: a page a local day or week; channel_day: one a channel and day; single: one.
Grouping = Literal["artifact", "day", "week", "channel_day", "single"]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PageRule(_Entry):
    """How records become pages. ``own_page_min_chars``: a record with that many characters of text gets its own."""

    grouping: Grouping
    #: Record fields that divide groups further, in this order: events of one day by their source, messages by thread.
    by: tuple[str, ...] = ()
    own_page_min_chars: int | None = None
    #: The record field of type ``date`` that says of which of the user's days a record is; no zone moves such a record.
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
    #: Records of this source that an inventory wants to see before it calls the evidence sufficient; 0 = no matter.
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
        """The entry of this source.

        Raises:
            KeyError: no such source; the message lists those there are.
        """
        for entry in self.sources:
            if entry.source_key == key:
                return entry
        raise KeyError(f"no source {key!r} in the manifest; it has: {', '.join(e.source_key for e in self.sources)}")


def parse(document: dict[str, Any]) -> ExportManifest:
    """A loaded YAML document -> ExportManifest.

    Raises:
        pydantic.ValidationError: a field is missing, unknown or of the wrong form.
        ValueError: two entries share a source_key or a view.
    """
    manifest = ExportManifest.model_validate(document)
    for what in ("source_key", "view", "gbrain_mapping"):
        values = [getattr(entry, what) for entry in manifest.sources]
        twice = sorted({v for v in values if values.count(v) > 1})
        if twice:
            raise ValueError(f"manifest: {what} must be unique, twice: {', '.join(twice)}")
    return manifest
