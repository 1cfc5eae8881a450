"""
Whether there is enough evidence for a memory: record counts by source against the manifest's thresholds. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from contract.manifest import ExportManifest, SourceEntry

Verdict = Literal["sufficient", "insufficient"]


@dataclass(frozen=True, slots=True)
class SourceInventory:
    """``wanted`` is the manifest's threshold, 0 for a source that does not count; ``bytes`` is approximate."""

    source_key: str
    signal_level: str
    sensitivity: str
    records: int
    bytes: int
    wanted: int

    @property
    def enough(self) -> bool:
        """Whether the source counts and reaches its threshold."""
        return self.wanted > 0 and self.records >= self.wanted


@dataclass(frozen=True, slots=True)
class Inventory:
    """``reached`` of ``needed`` sources have enough records; ``sources`` in manifest order, allowed ones only."""

    verdict: Verdict
    reached: int
    needed: int
    records: int
    bytes: int
    sources: tuple[SourceInventory, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data for reports and artifacts."""
        return {**asdict(self), "sources": [{**asdict(source), "enough": source.enough} for source in self.sources]}


def assess(
    manifest: ExportManifest, allowed: tuple[str, ...], counts: Mapping[str, int], sizes: Mapping[str, int]
) -> Inventory:
    """The inventory of a user's allowed sources; a source without a count has no records."""
    entries = [entry for entry in manifest.sources if entry.source_key in allowed]
    sources = tuple(_source(entry, counts, sizes) for entry in entries)
    reached = sum(source.enough for source in sources)
    return Inventory(
        verdict="sufficient" if reached >= manifest.sufficient_sources else "insufficient",
        reached=reached,
        needed=manifest.sufficient_sources,
        records=sum(source.records for source in sources),
        bytes=sum(source.bytes for source in sources),
        sources=sources,
    )


def thin(inventory: Inventory) -> tuple[str, ...]:
    """Sources below their threshold, with both numbers, for an error or a report."""
    return tuple(
        f"{source.source_key} {source.records}/{source.wanted}"
        for source in inventory.sources
        if source.wanted and not source.enough
    )


def _source(entry: SourceEntry, counts: Mapping[str, int], sizes: Mapping[str, int]) -> SourceInventory:
    return SourceInventory(
        source_key=entry.source_key,
        signal_level=entry.signal_level,
        sensitivity=entry.sensitivity,
        records=max(0, counts.get(entry.source_key, 0)),
        bytes=max(0, sizes.get(entry.source_key, 0)),
        wanted=entry.sufficient_at,
    )
