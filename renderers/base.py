"""The types that all renderers share: the record, the context, the page, and the definition of a record type.

Types with an instance per record are NamedTuples: they are created in a third of the time of a frozen dataclass.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

EntityKind = Literal["person", "project", "meeting"]
#: Records without a time of their own share this part of a name; their update time would move them at every change.
UNDATED: Final = "undated"


class Item(NamedTuple):
    """A live record. ``data`` is plain JSON without restricted values, of any shape.

    Times are UTC text as in raw lines, ``2026-11-27T14:03:00.000000Z``, which sorts by time.
    """

    source_key: str
    record_id: str
    #: "" for none.
    occurred_at: str
    updated_at: str
    #: ``occurred_at`` on the user's clock, ``2026-11-27 09:03 -05:00``; ``2026-11-27`` for a day without a time; "" for
    #: none.
    local: str
    data: Mapping[str, Any]
    #: Of the record as exported, restricted values included.
    checksum: str
    #: The number of restricted values that became placeholders.
    restricted: int = 0

    @property
    def day(self) -> str:
        """The user's day, ``2026-11-27``; UNDATED without one."""
        return self.local[:10] or UNDATED

    @property
    def time(self) -> str:
        """On the user's clock, ``15:00``; "" for none, and for a day without a time."""
        return self.local[11:16]


class Mention(NamedTuple):
    """A record mentions an entity. ``key``: its identity (normal form). ``name``: as this record writes it."""

    kind: EntityKind
    key: str
    name: str
    role: str = ""
    #: What this record states about the entity, e.g. ("Company", "Acme"); shown on the entity's page.
    facts: tuple[tuple[str, str], ...] = ()


class Ref(NamedTuple):
    """A record names another by its id. With ``inherit_role`` it also mentions that record's people, in this role.

    References must not form a cycle of sources: a page may depend on the places of the records it names.
    """

    label: str
    source_key: str
    record_id: str
    inherit_role: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A record that others name: its title, its place, and its own mentions."""

    title: str
    page: str
    anchor: str
    mentions: tuple[Mention, ...] = ()


#: (source_key, record_id) -> target; a record without an entry does not exist.
Targets = Mapping[tuple[str, str], Target]


@dataclass(frozen=True, slots=True)
class RenderContext:
    """``digest_job_id``: the job that first delivered the page's current content.

    What the caller already has, by record id; computed otherwise: ``contents``, and ``anchors`` on a grouped page.
    ``checksum``: the group's, likewise.
    """

    user_id: str
    timezone: str
    digest_job_id: str
    targets: Targets = field(default_factory=dict)
    contents: Mapping[str, RecordContent] = field(default_factory=dict)
    anchors: Mapping[str, str] = field(default_factory=dict)
    checksum: str = ""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """``path``: relative to ``brain/``. ``anchors``: record id -> its anchor on this page, "" for the whole page."""

    path: str
    text: str
    anchors: Mapping[str, str] = field(default_factory=dict)


class RecordSection(NamedTuple):
    """``heading``: trusted, "" for none. Each text is foreign and gets its own fence; notes are finished markdown."""

    heading: str
    texts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class RecordContent(NamedTuple):
    """What a renderer takes from a record, once for all pages that show it. ``mentions``: its own, one an entity."""

    title: str
    sections: Sequence[RecordSection]
    refs: Sequence[Ref]
    mentions: Sequence[Mention]


def no_refs(_: Item) -> Sequence[Ref]:
    """For record types that name no other record."""
    return ()


def no_mentions(_: Item) -> Sequence[Mention]:
    """For record types that mention nobody."""
    return ()


@dataclass(frozen=True, slots=True)
class RecordRenderer:
    """One record type. Increment ``version`` with every intended change of output, to render its pages again."""

    record_type: str
    version: int
    #: Foreign text; shown escaped.
    title: Callable[[Item], str]
    #: (trusted label, finished markdown).
    facts: Callable[[Item], Sequence[tuple[str, str]]]
    sections: Callable[[Item], Sequence[RecordSection]]
    #: The title of a page of many records ("Checklist items"), and the start of an artifact's title ("Meeting note").
    plural: str
    singular: str
    mentions: Callable[[Item], Sequence[Mention]] = no_mentions
    refs: Callable[[Item], Sequence[Ref]] = no_refs
    #: Whether such a record is an event of its day. Machine logs and settings are not: they would fill the day's page
    #: without informing its reader.
    eventful: bool = True
    #: The source of the reference whose record names this one's subject; pages of entities use that record's title.
    told_by: str = ""


def combined_checksum(items: Iterable[Item]) -> str:
    """``sha256:<hex>`` over ids and checksums in page order; for a single record its own checksum."""
    several = list(items)
    if len(several) == 1:
        return several[0].checksum
    digest = hashlib.sha256()
    for item in several:
        ident = item.record_id.encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b%b\n" % (len(ident), ident, item.checksum.encode()))
    return "sha256:" + digest.hexdigest()
