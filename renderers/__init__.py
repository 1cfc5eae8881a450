"""
Records -> markdown pages: the registry of record types, and the functions that the render stage calls.

Pure: the same records give the same bytes on any machine, day and locale, in any order of arrival.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from contract import canonical
from contract.manifest import SourceEntry
from renderers import (
    activity_event,
    agentic_draft,
    briefing,
    calendars,
    chat_session,
    checklist,
    checklist_action,
    checklist_container,
    checklist_item,
    connection,
    contact,
    days,
    delivery,
    derived,
    digest_subscription,
    entities,
    event_contact,
    feedback,
    granola_transcript,
    grouping,
    heartbeat_poll,
    inbound_message,
    meeting_note,
    message_event,
    outbound_message,
    pages,
    sensitivity,
    user_preference,
    user_profile,
    user_rule,
)
from renderers.base import (
    EntityKind,
    Item,
    Mention,
    RecordContent,
    RecordRenderer,
    Ref,
    RenderContext,
    RenderedPage,
    Targets,
    combined_checksum,
)
from renderers.derived import Derived
from renderers.entities import Entity, Evidence, Named
from renderers.pages import PageGroup

__all__ = [
    "RENDERERS",
    "Derived",
    "Entity",
    "EntityKind",
    "Evidence",
    "Named",
    "PageGroup",
    "content_of",
    "days",
    "derived",
    "entities",
    "first_place",
    "group_checksum",
    "inherited_mentions",
    "item",
    "lead",
    "page_order",
    "place",
    "profile",
    "refs",
    "render_group",
    "renderer_of",
    "zone_name",
    "zone_rules",
]

#: The renderer's name in the manifest -> renderer. The ``renderer`` of every source's entry must be a key.
RENDERERS: Final[Mapping[str, RecordRenderer]] = {
    module.RENDERER.record_type: module.RENDERER
    for module in (
        activity_event,
        agentic_draft,
        briefing,
        chat_session,
        checklist,
        checklist_action,
        checklist_container,
        checklist_item,
        connection,
        contact,
        delivery,
        digest_subscription,
        event_contact,
        feedback,
        granola_transcript,
        heartbeat_poll,
        inbound_message,
        meeting_note,
        message_event,
        outbound_message,
        user_preference,
        user_profile,
        user_rule,
    )
}


def renderer_of(entry: SourceEntry) -> RecordRenderer:
    """The renderer of a source. Raises KeyError: the manifest names an unknown renderer."""
    try:
        return RENDERERS[entry.renderer]
    except KeyError:
        names = sorted(RENDERERS)
        raise KeyError(f"source {entry.source_key}: no renderer {entry.renderer!r}; available: {names}") from None


def item(record: Mapping[str, Any], entry: SourceEntry, timezone: str) -> Item:
    """A live raw record -> Item. Replaces restricted values with placeholders before any other code reads them."""
    data, restricted = sensitivity.mask(record["data"])
    occurred_at = record["occurred_at"] or ""
    local = (
        grouping.own_day(data, entry)
        or calendars.whole_day(data, timezone)
        or (grouping.local(occurred_at, timezone) if occurred_at else "")
    )
    # By position: with names it takes twice the time.
    return Item(
        record["source_key"],
        record["record_id"],
        occurred_at,
        record["updated_at"],
        local,
        data,
        record["checksum"],
        restricted,
    )


def profile(entry: SourceEntry, timezone: str) -> str:
    """A digest of everything but the records that determines a source's pages; if it changes, render them again."""
    rule = entry.model_dump(mode="json", include={"page", "gbrain_mapping", "sensitivity", "table_or_wrapper"})
    zone = (grouping.zone_name(timezone), grouping.rules(timezone))
    return canonical.digest(
        [rule, pages.version(renderer_of(entry)), entities.VERSION, days.VERSION, sensitivity.VERSION, *zone]
    )[7:39]


def content_of(item: Item, entry: SourceEntry) -> RecordContent:
    """What its renderer takes from a record, for all functions that show it."""
    return pages.content_of(item, renderer_of(entry))


def place(item: Item, entry: SourceEntry, content: RecordContent | None = None) -> str:
    """The stem of the page this record belongs on; ``.md`` or a part's suffix is added by rendering.

    ``content``: ``content_of`` it, if the caller has that.
    """
    content = content or content_of(item, entry)
    return grouping.stem(item, entry, content.title, pages.size(content))


def first_place(item: Item, entry: SourceEntry, stem: str) -> tuple[str, str]:
    """(page, anchor) of a record of this stem, unless its page splits."""
    return pages.first_place(item, entry, stem)


def refs(item: Item, entry: SourceEntry) -> Sequence[Ref]:
    """The records that this one names."""
    return renderer_of(entry).refs(item)


def inherited_mentions(item: Item, entry: SourceEntry, targets: Targets) -> list[Mention]:
    """The mentions it has only through the records it names."""
    own = {(mention.kind, mention.key) for mention in renderer_of(entry).mentions(item)}
    mentions = entities.merged(entities.inherited(refs(item, entry), targets))
    return [mention for mention in mentions if (mention.kind, mention.key) not in own]


def mark(source_key: str, record_id: str) -> str:
    """The unique mark of this record in names and anchors of pages, after a dash."""
    return grouping.mark(source_key, record_id)


def zone_name(timezone: str) -> str:
    """The name of the zone for rendering: this one if the tz database has it, else UTC."""
    return grouping.zone_name(timezone)


def country(timezone: str) -> str:
    """The country of a zone (``US``); "" for a zone of no single country."""
    return grouping.country(timezone)


def zone_rules(timezone: str) -> str:
    """A digest of what the tz database says of a zone."""
    return grouping.rules(timezone)


def lead(item: Item, entry: SourceEntry, content: RecordContent) -> str | None:
    """The first words of a record that belongs on the page of its day; None: it does not."""
    return days.lead(content.sections) if item.occurred_at and renderer_of(entry).eventful else None


def page_order(item: Item) -> tuple[bool, str, str]:
    """Sort key of records on a page."""
    return pages.order(item)


def group_checksum(items: Sequence[Item]) -> str:
    """The ``checksum`` of the group's pages; items in page order."""
    return combined_checksum(items)


def render_group(stem: str, entry: SourceEntry, items: Sequence[Item], ctx: RenderContext) -> list[RenderedPage]:
    """All pages of one stem; items in page order."""
    return pages.render(PageGroup(stem, entry, renderer_of(entry), items), ctx)
