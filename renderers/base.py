"""What every renderer shares: the record as it sees it, the context, the page, and what a record type has to say.

What exists once or more for each record is a NamedTuple: made in a third of the time of a frozen dataclass.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

EntityKind = Literal["person", "project", "meeting"]
#: Records without a time of their own share this place in a name; their update time would move them at every change.
UNDATED: Final = "undated"


class Item(NamedTuple):
    """A live record. ``data`` is plain JSON without restricted values; nothing about its shape can be relied on.

    Times are UTC as raw lines hold them, ``2026-11-27T14:03:00.000000Z``: sorted as texts they are sorted by time.
    """

    source_key: str
    record_id: str
    #: "" for none.
    occurred_at: str
    updated_at: str
    #: ``occurred_at`` on the user's clock, ``2026-11-27 09:03 -05:00``; ``2026-11-27`` for what has a day and no time
    #: of day; "" for none.
    local: str
    data: Mapping[str, Any]
    #: Of the record as exported, restricted values included.
    checksum: str
    #: How many restricted values became placeholders.
    restricted: int = 0

    @property
    def day(self) -> str:
        """The user's day, ``2026-11-27``; UNDATED without one."""
        return self.local[:10] or UNDATED

    @property
    def time(self) -> str:
        """On the user's clock, ``15:00``; "" for none, and for what has only a day."""
        return self.local[11:16]


class Mention(NamedTuple):
    """A record speaks of an entity. ``key`` is its identity (normal form), ``name`` how this record writes it."""

    kind: EntityKind
    key: str
    name: str
    role: str = ""
    #: What this record states about the entity, e.g. ("Company", "Acme"); shown on the entity's page.
    facts: tuple[tuple[str, str], ...] = ()


class Ref(NamedTuple):
    """A record names another by its id. With ``inherit_role`` it also speaks of that record's people, in this role.

    References must not form a circle of sources: a page may depend on where the records it names stand.
    """

    label: str
    source_key: str
    record_id: str
    inherit_role: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A record that others name: what it is called, where it stands, whom it mentions itself."""

    title: str
    page: str
    anchor: str
    mentions: tuple[Mention, ...] = ()


#: (source_key, record_id) -> target; a record that is not here is not there.
Targets = Mapping[tuple[str, str], Target]


@dataclass(frozen=True, slots=True)
class RenderContext:
    """``digest_job_id``: the job that first delivered what is on the page, as it is now.

    By record id, where the caller has it at hand; found out otherwise: ``mentions`` what ``own_mentions`` gave,
    ``anchors`` the anchor on a grouped page. ``checksum``: the group's, likewise.
    """

    user_id: str
    timezone: str
    digest_job_id: str
    targets: Targets = field(default_factory=dict)
    mentions: Mapping[str, Sequence[Mention]] = field(default_factory=dict)
    anchors: Mapping[str, str] = field(default_factory=dict)
    checksum: str = ""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """``path`` is relative to ``brain/``. ``anchors`` maps a record id to its anchor here, "" for a whole page."""

    path: str
    text: str
    anchors: Mapping[str, str] = field(default_factory=dict)


class RecordSection(NamedTuple):
    """``heading`` is ours ("" for none). Each text is foreign and is fenced by itself; notes are finished markdown."""

    heading: str
    texts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def no_refs(_: Item) -> Sequence[Ref]:
    """For record types that name no other record."""
    return ()


def no_mentions(_: Item) -> Sequence[Mention]:
    """For record types that speak of nobody."""
    return ()


@dataclass(frozen=True, slots=True)
class RecordRenderer:
    """One record type. Bump ``version`` with every intended change of output; its pages are then rendered once more."""

    record_type: str
    version: int
    #: Foreign text; shown escaped.
    title: Callable[[Item], str]
    #: (our label, finished markdown).
    facts: Callable[[Item], Sequence[tuple[str, str]]]
    sections: Callable[[Item], Sequence[RecordSection]]
    #: What a page of many is called ("Checklist items"), and what an artifact's title starts with ("Meeting note").
    plural: str
    singular: str
    mentions: Callable[[Item], Sequence[Mention]] = no_mentions
    refs: Callable[[Item], Sequence[Ref]] = no_refs
    #: Whether such a record is something that happened on its day. Logs of machines and settings are not: they would
    #: fill the page of a day and say nothing to its reader.
    eventful: bool = True
    #: The source of a reference whose record says what this one is about: pages of entities call it by that title.
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
