"""
Records -> markdown pages: the registry of record types, and the functions that the render stage calls.

Pure: the same records give the same bytes, whatever the machine, the day, the locale and the order of arrival.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from contract import canonical
from contract.manifest import SourceEntry
from renderers import (
    activity_event,
    chat_session,
    checklist_item,
    entities,
    granola_transcript,
    grouping,
    meeting_note,
    pages,
    user_profile,
)
from renderers.base import Item, Mention, Page, RecordRenderer, RenderContext, combined_checksum
from renderers.entities import Entity, Evidence
from renderers.pages import Group

__all__ = [
    "RENDERERS",
    "Entity",
    "Evidence",
    "Group",
    "entities",
    "group_checksum",
    "mentions",
    "page_order",
    "place",
    "profile",
    "render_group",
    "renderer_of",
]

#: Manifest name of the renderer -> renderer. A source is complete when its entry's ``renderer`` is a key here.
RENDERERS: Final[Mapping[str, RecordRenderer]] = {
    module.RENDERER.record_type: module.RENDERER
    for module in (
        activity_event,
        chat_session,
        checklist_item,
        granola_transcript,
        meeting_note,
        user_profile,
    )
}


def renderer_of(entry: SourceEntry) -> RecordRenderer:
    """The renderer of a source.

    Raises:
        KeyError: the manifest names a renderer that is not here.
    """
    if entry.renderer not in RENDERERS:
        raise KeyError(f"source {entry.source_key}: no renderer {entry.renderer!r}; there are: {sorted(RENDERERS)}")
    return RENDERERS[entry.renderer]


def profile(entry: SourceEntry, timezone: str) -> str:
    """A digest of all that, besides its records, decides a source's pages: another one means rendering them anew."""
    rule = entry.model_dump(mode="json", include={"page", "gbrain_mapping", "sensitivity", "table_or_wrapper"})
    zone = grouping.zone_name(timezone)
    return canonical.digest([rule, pages.version(renderer_of(entry)), entities.VERSION, zone])[7:39]


def place(item: Item, entry: SourceEntry, timezone: str) -> str:
    """The stem of the page this record belongs on; ``.md`` or a part's suffix is added by rendering."""
    renderer = renderer_of(entry)
    chars = 0
    if entry.page.own_page_min_chars is not None:
        chars = sum(len(text) for section in renderer.sections(item) for text in section.texts)
    return grouping.stem(item, entry, renderer.title(item), chars, timezone)


def mentions(item: Item, entry: SourceEntry) -> Sequence[Mention]:
    """The people, projects and meetings this record speaks of."""
    return renderer_of(entry).mentions(item)


def page_order(item: Item) -> tuple[str, str, str]:
    """Sort key of records on a page."""
    return pages.order(item)


def group_checksum(items: Sequence[Item]) -> str:
    """What the group's pages carry as ``checksum``; items in page order."""
    return combined_checksum(items)


def render_group(stem: str, entry: SourceEntry, items: Sequence[Item], ctx: RenderContext) -> list[Page]:
    """All pages of one stem; items in page order."""
    return pages.render(Group(stem, entry, renderer_of(entry), items), ctx)
