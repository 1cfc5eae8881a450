"""
People, projects and meetings: the pages that connect evidence.

An entity is what records mention; its page is a pure function of those mentions. Below MARKER stands synthesized text,
which rendering keeps. Evidence pages link to entities, entity pages link back to every piece of evidence.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from renderers import markdown as md
from renderers.base import EntityKind, Mention, Ref, Targets

VERSION: Final = 2
MARKER: Final = "<!-- synthesis: rendering keeps everything below this line -->"
#: Pieces of evidence and connections listed on a page; more are counted.
EVIDENCE_LIMIT: Final = 200
CONNECTED_LIMIT: Final = 50
FOLDERS: Final[Mapping[EntityKind, str]] = {"person": "people", "project": "projects", "meeting": "meetings"}
#: Stored text -> kind.
KINDS: Final[Mapping[str, EntityKind]] = {kind: kind for kind in FOLDERS}
_HEADINGS: Final[Mapping[EntityKind, str]] = {"person": "People", "project": "Projects", "meeting": "Meetings"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One record that mentions the entity: where it stands (a path below ``brain/``, an anchor or "") and as what."""

    page: str
    anchor: str
    day: str
    title: str
    mention: Mention


@dataclass(frozen=True, slots=True)
class Entity:
    """``evidence`` newest first, at most EVIDENCE_LIMIT of ``total``; ``connected``: the others those records name."""

    kind: EntityKind
    key: str
    total: int
    evidence: Sequence[Evidence]
    connected: Sequence[Mention]


def identity(text: str) -> str:
    """The normal form of a name or an address: one entity per form."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip().lower()[:200]
    return " ".join(unicodedata.normalize("NFKC", md.clean(text)).casefold().split())[:200]


@lru_cache(maxsize=4096)
def path(kind: EntityKind, key: str) -> str:
    """The entity's page below ``brain/``."""
    words = md.slug(key)
    return f"{FOLDERS[kind]}/" + "-".join(part for part in (words, md.short_digest(kind, key)) if part) + ".md"


def inherited(refs: Sequence[Ref], targets: Targets) -> list[Mention]:
    """The people of the records that these references name, each in the reference's role."""
    return [
        Mention("person", mention.key, mention.name, ref.inherit_role)
        for ref in refs
        if ref.inherit_role and (target := targets.get((ref.source_key, ref.record_id)))
        for mention in target.mentions
        if mention.kind == "person"
    ]


def merged(found: Sequence[Mention]) -> list[Mention]:
    """One mention an entity: the first name in order, all roles, all facts."""
    together: dict[tuple[str, str], list[Mention]] = {}
    for mention in found:
        together.setdefault((mention.kind, mention.key), []).append(mention)
    return [_one(group) for _, group in sorted(together.items())]


def _one(group: Sequence[Mention]) -> Mention:
    if len(group) == 1 and len(group[0].facts) < 2:
        return group[0]
    return Mention(
        kind=group[0].kind,
        key=group[0].key,
        name=min(one.name for one in group),
        role=", ".join(sorted({one.role for one in group if one.role})),
        facts=tuple(sorted({fact for one in group for fact in one.facts})),
    )


def links(mentions: Sequence[Mention], stem: str) -> str:
    """The lines of an evidence record that lead to its entities; "" when it mentions none."""
    up = "../" * stem.count("/")
    lines = []
    if not mentions:
        return ""
    ordered = sorted(mentions, key=_mention_order, reverse=True)
    for kind, heading in _HEADINGS.items():
        found = {m.key: m for m in ordered if m.kind == kind}
        if found:
            each = [md.link(found[key].name, up + path(kind, key)) for key in sorted(found)]
            lines.append(md.bullet(heading, ", ".join(each)))
    return "\n".join(lines)


def render(entity: Entity, checksum: str, user_id: str, digest_job_id: str) -> str:
    """The page above the marker, ending in the marker's line. ``checksum``: what ``checksum_of`` gives of it."""
    name = _display_name([piece.mention for piece in entity.evidence]) or entity.key
    front: dict[str, md.FrontValue] = {
        "title": md.one_line(name),
        "type": entity.kind,
        "source_system": "cloop",
        "user_id": user_id,
        "date": _date(entity.evidence),
        "checksum": checksum,
        "sensitivity": "private",
        "digest_job_id": digest_job_id,
        "renderer_version": f"entity/{VERSION}",
        "evidence_count": entity.total,
    }
    up = "../"
    blocks = [md.heading(1, name), _facts(entity.evidence), _connected(entity, up), _evidence(entity, up), MARKER]
    return md.document(md.front_matter(front), blocks)


def checksum_of(entity: Entity) -> str:
    """``sha256:<hex>`` of everything the page says."""
    digest = hashlib.sha256(f"{entity.kind}\0{entity.key}\0{entity.total}".encode())
    for piece in entity.evidence:
        row = (piece.page, piece.anchor, piece.day, piece.title, piece.mention.name, piece.mention.role)
        digest.update(repr((row, piece.mention.facts)).encode("utf-8", "backslashreplace"))
    for mention in entity.connected:
        digest.update(repr((mention.kind, mention.key, mention.name)).encode("utf-8", "backslashreplace"))
    return "sha256:" + digest.hexdigest()


def kept(existing: str) -> str:
    """What stands below the marker of a page as it is on disk; a page without marker is all somebody else's text."""
    _, found, below = existing.partition(MARKER)
    if found:
        return below.strip("\n")
    return _without_front_matter(existing).strip("\n")


def join(rendered: str, below: str) -> str:
    """A rendered page with the text that is to be kept below its marker."""
    return f"{rendered}\n{below}\n" if below.strip() else rendered


def _without_front_matter(text: str) -> str:
    if not text.startswith("---\n"):
        return text
    _, found, rest = text[4:].partition("\n---\n")
    return rest if found else text


def _mention_order(mention: Mention) -> tuple[str, str, str]:
    return mention.key, mention.name, mention.role


def _display_name(mentions: Iterable[Mention]) -> str:
    names = Counter(mention.name for mention in mentions if mention.name)
    return min(names, key=lambda name: (-names[name], name)) if names else ""


def _facts(evidence: Sequence[Evidence]) -> str:
    facts = sorted({fact for piece in evidence for fact in piece.mention.facts})
    return "\n".join(md.bullet(label, md.inline(value)) for label, value in facts)


def _date(evidence: Sequence[Evidence]) -> str | None:
    """The day of the newest evidence that has one."""
    return max((piece.day for piece in evidence if piece.day[:1].isdigit()), default=None)


def connected(mentions: Sequence[Mention], up: str) -> str:
    """A line a kind with links to these entities, those named most first; "" without any."""
    named: dict[tuple[EntityKind, str], list[Mention]] = {}
    for mention in mentions:
        named.setdefault((mention.kind, mention.key), []).append(mention)
    ranked = sorted(named, key=lambda pair: (-len(named[pair]), pair))[:CONNECTED_LIMIT]
    lines = []
    for kind, heading in _HEADINGS.items():
        each = []
        for key in (key for k, key in ranked if k == kind):
            name = _display_name(named[kind, key]) or key
            each.append(md.link(name, up + path(kind, key)))
        if each:
            lines.append(md.bullet(heading, ", ".join(each)))
    return "\n".join(lines)


def _connected(entity: Entity, up: str) -> str:
    lines = connected(entity.connected, up)
    return f"## Connected\n\n{lines}" if lines else ""


def _evidence(entity: Entity, up: str) -> str:
    lines = []
    for piece in entity.evidence:
        target = up + piece.page + (f"#{piece.anchor}" if piece.anchor else "")
        role = f" ({md.inline(piece.mention.role, 60)})" if piece.mention.role else ""
        lines.append(f"- {piece.day}: {md.link(piece.title, target)}{role}")
    if entity.total > len(entity.evidence):
        lines.append(f"- and {entity.total - len(entity.evidence)} earlier")
    return "## Evidence\n\n" + "\n".join(lines) if lines else "## Evidence\n\nNo record mentions this any more."
