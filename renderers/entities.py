"""
People, projects and meetings: the pages that connect evidence.

Records mention entities; an entity's page is a pure function of these mentions. Evidence pages link to entities, and
entity pages link back to every piece of evidence.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from renderers import markdown as md
from renderers import persons
from renderers.base import EntityKind, Mention, Ref, Targets
from renderers.derived import UP, Derived

VERSION: Final = 9
#: The most pieces of evidence and connections listed on a page; others are only counted.
EVIDENCE_LIMIT: Final = 200
CONNECTED_LIMIT: Final = 50
#: The length of a record's first words; with its full text this page would match every search that the record matches.
LEAD_CHARS: Final = 80
FOLDERS: Final[Mapping[EntityKind, str]] = {"person": "people", "project": "projects", "meeting": "meetings"}
#: Most records name the same few people and projects, so their lines are cached; those of more would take much memory.
_REMEMBERED: Final = 4
#: The fact by which a record tells one person from another of the same name.
EMAIL: Final = "Email"
NAMESAKES: Final = "Records give several addresses for this name; they may belong to several people."
_HEADINGS: Final[Mapping[EntityKind, str]] = {"person": "People", "project": "Projects", "meeting": "Meetings"}


class Evidence(NamedTuple):
    """A record that mentions the entity: its place (a path below ``brain/``, an anchor or "") and its title."""

    page: str
    anchor: str
    day: str
    title: str
    #: Its first words, "" for none.
    lead: str
    mention: Mention
    source: str = ""
    record_id: str = ""


class Named(NamedTuple):
    """The number of records that name an entity by one name."""

    kind: EntityKind
    key: str
    name: str
    records: int


@dataclass(frozen=True, slots=True)
class Entity:
    """``evidence``: newest first, at most EVIDENCE_LIMIT of ``total``. ``connected``: other entities in its records."""

    kind: EntityKind
    key: str
    total: int
    evidence: Sequence[Evidence]
    connected: Sequence[Named]


def identity(text: str) -> str:
    """The normal form of a name or an address: one entity per form."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip().lower()[:200]
    return " ".join(unicodedata.normalize("NFKC", md.clean(text)).casefold().split())[:200]


def person_key(name: str) -> str:
    """The key of a person's page: one for "Silva, Mara", "Dr. Mara Silva", "Mara Silva, PhD" and "Mara Silva"."""
    whole = persons.given_first(name).partition(",")[0]
    return persons.untitled(identity(whole))


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


def merged(mentions: Sequence[Mention]) -> list[Mention]:
    """One mention per entity: the first name in order, all roles, all facts."""
    if len(mentions) == 1 and len(mentions[0].facts) < 2:
        return [mentions[0]]
    together: dict[tuple[str, str], list[Mention]] = {}
    for mention in mentions:
        together.setdefault(mention[:2], []).append(mention)
    return [_merge(together[entity]) for entity in sorted(together)]


def _merge(group: Sequence[Mention]) -> Mention:
    if len(group) == 1 and len(group[0].facts) < 2:
        return group[0]
    return Mention(
        kind=group[0].kind,
        key=group[0].key,
        name=min(mention.name for mention in group),
        role=", ".join(sorted({mention.role for mention in group if mention.role})),
        facts=tuple(sorted({fact for mention in group for fact in mention.facts})),
    )


def links(mentions: Sequence[Mention], stem: str) -> str:
    """The lines of an evidence record that link to its entities; "" if it mentions none."""
    named = tuple([mention[:3] for mention in mentions])
    up = "../" * stem.count("/")
    return _cached_links(named, up) if len(named) <= _REMEMBERED else _links(named, up)


def _links(named: Iterable[tuple[EntityKind, str, str]], up: str) -> str:
    names: dict[tuple[EntityKind, str], str] = {}
    for kind, key, name in named:
        entity = (kind, key)
        names[entity] = min(names[entity], name) if entity in names else name
    return _lines([(*entity, name) for entity, name in sorted(names.items())], up)


_cached_links = lru_cache(maxsize=4096)(_links)


def _lines(entities: Iterable[tuple[EntityKind, str, str]], up: str) -> str:
    """A line per kind with links to these entities (kind, key, name), in their order."""
    each: dict[EntityKind, list[str]] = {kind: [] for kind in _HEADINGS}
    for entity in entities:
        each[entity[0]].append(_link(*entity, up))
    return "\n".join([md.bullet(_HEADINGS[kind], ", ".join(several)) for kind, several in each.items() if several])


@lru_cache(maxsize=4096)
def _link(kind: EntityKind, key: str, name: str, up: str) -> str:
    return md.link(name, up + path(kind, key))


def page(entity: Entity) -> Derived:
    """The entity's page."""
    names = Counter(piece.mention.name for piece in entity.evidence if piece.mention.name)
    namesakes = _by_address(entity.evidence)
    return Derived(
        path=path(entity.kind, entity.key),
        type=entity.kind,
        title=_display_name(names) or entity.key,
        date=_date(entity.evidence),
        renderer_version=f"entity/{VERSION}",
        evidence_count=entity.total,
        blocks=[
            _facts(entity.evidence, apart=len(namesakes) > 1),
            _namesakes(namesakes),
            _connected(entity),
            _evidence(entity, apart=len(namesakes) > 1),
        ],
    )


def _display_name(names: Mapping[str, int]) -> str:
    """The most frequent name. ``names``: name -> frequency."""
    return min(names, key=lambda name: (-names[name], name)) if len(names) > 1 else next(iter(names), "")


def _facts(evidence: Sequence[Evidence], *, apart: bool) -> str:
    """What all records state; ``apart``: of people who may be several, only what records without an address state."""
    stated = [piece.mention.facts for piece in evidence if not (apart and _addresses(piece))]
    facts = sorted({fact for several in stated for fact in several})
    return "\n".join(md.bullet(label, md.inline(value)) for label, value in facts)


def _addresses(piece: Evidence) -> list[str]:
    return [value for label, value in piece.mention.facts if label == EMAIL]


def _by_address(evidence: Sequence[Evidence]) -> list[set[tuple[str, str]]]:
    """The facts of each person who may have this name: of one person are addresses that a record gives together."""
    people: list[set[tuple[str, str]]] = []
    for piece in evidence:
        if own := {fact for fact in piece.mention.facts if fact[0] == EMAIL}:
            joined = [facts for facts in people if not own.isdisjoint(facts)]
            people = [facts for facts in people if own.isdisjoint(facts)]
            people.append(set(piece.mention.facts).union(*joined))
    return people


def _namesakes(several: Sequence[set[tuple[str, str]]]) -> str:
    """A line for each who may have the page's name, where no record says that its addresses are one person's."""
    if len(several) < 2:
        return ""
    people = sorted(map(sorted, several))
    people.sort(key=lambda facts: [value for label, value in facts if label == EMAIL])
    lines = [
        md.bullet(f"Address {number}", "; ".join(f"{label} {md.inline(value)}" for label, value in _email_first(facts)))
        for number, facts in enumerate(people, 1)
    ]
    return "\n".join([md.bullet("Note", NAMESAKES), *lines])


def _email_first(facts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return sorted(facts, key=lambda fact: (fact[0] != EMAIL, fact))


def _date(evidence: Sequence[Evidence]) -> str | None:
    """The day of the newest evidence that has one."""
    return max((piece.day for piece in evidence if piece.day[:1].isdigit()), default=None)


def connected(named: Sequence[Named]) -> str:
    """A line per kind with links, from a folder below ``brain/``, to these entities, the most named first."""
    names: dict[tuple[EntityKind, str], dict[str, int]] = {}
    totals: Counter[tuple[EntityKind, str]] = Counter()
    for kind, key, name, records in named:
        names.setdefault((kind, key), {})[name] = records
        totals[kind, key] += records
    ranked = sorted(sorted(names), key=_meeting_day, reverse=True)
    ranked.sort(key=totals.__getitem__, reverse=True)
    return _lines([(*pair, _display_name(names[pair]) or pair[1]) for pair in ranked[:CONNECTED_LIMIT]], UP)


def _meeting_day(pair: tuple[EntityKind, str]) -> str:
    """Sorts meetings newest first; their keys begin with the day."""
    kind, key = pair
    return key[:10] if kind == "meeting" else ""


def _connected(entity: Entity) -> str:
    lines = connected(entity.connected)
    return f"## Connected\n\n{lines}" if lines else ""


def _evidence(entity: Entity, *, apart: bool) -> str:
    lines = []
    for piece in entity.evidence:
        target = md.href(UP, piece.page, piece.anchor)
        remarks = [md.inline(piece.mention.role, 60)] if piece.mention.role else []
        if apart:
            remarks += map(md.inline, _addresses(piece)[:1])
        role = f" ({', '.join(remarks)})" if remarks else ""
        # A message's title is its author: on the author's own page its first words say more.
        own_message = piece.lead and identity(piece.title) == entity.key
        title = md.one_line(piece.lead, LEAD_CHARS) if own_message else piece.title
        lines.append(f"- {piece.day}: {md.link(title, target)}{role}")
    if entity.total > len(entity.evidence):
        lines.append(f"- and {entity.total - len(entity.evidence)} earlier")
    return "## Evidence\n\n" + "\n".join(lines) if lines else "## Evidence\n\nNo record mentions this any more."
