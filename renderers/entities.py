"""
People, projects and meetings: the pages that connect evidence.

Records mention entities; an entity's page is a pure function of these mentions. Evidence pages link to entities, and
entity pages link back to every piece of evidence.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from renderers import markdown as md
from renderers import persons, samename
from renderers.base import EntityKind, Mention, Ref, Targets
from renderers.derived import UP, Derived

VERSION: Final = 12
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
NAMESAKES: Final = "Records give this name addresses that may be several people's; each has a page."
#: What a record states of an entity: labels and values.
Facts = tuple[tuple[str, str], ...]
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
    whole = persons.capitals_last(persons.given_first(name).partition(",")[0])
    return persons.untitled(identity(whole))


def path(kind: EntityKind, key: str, address: str = "") -> str:
    """The entity's page below ``brain/``; ``address``: the first one of one of several people who have the name."""
    words = md.slug(key)
    whole = f"{FOLDERS[kind]}/" + "-".join(part for part in (words, md.short_digest(kind, key)) if part)
    return f"{whole}-{md.short_digest(address)}.md" if address else f"{whole}.md"


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


def page(entity: Entity, address: str = "") -> Derived:
    """The entity's page; ``address``: that of one of several people who have the name, for their page."""
    names = Counter(piece.mention.name for piece in entity.evidence if piece.mention.name)
    title = _display_name(names) or entity.key
    back = md.bullet("Name", md.link(title, UP + path(entity.kind, entity.key))) if address else ""
    return Derived(
        path=path(entity.kind, entity.key, address),
        type=entity.kind,
        title=f"{title} ({address})" if address else title,
        date=_date(entity.evidence),
        renderer_version=f"entity/{VERSION}",
        evidence_count=entity.total,
        blocks=[_facts(entity.evidence), back, _connected(entity), _evidence(entity)],
    )


def page_of_namesakes(name: Entity, rest: Entity, addresses: Iterable[str]) -> Derived:
    """The page of a name that several people may have: their pages, and the records that do not tell whom they name.

    ``rest``: the name by these records. ``addresses``: that of each person's page.
    """
    links = [md.bullet("Person", md.link(address, UP + path(name.kind, name.key, address))) for address in addresses]
    note = "\n".join([md.bullet("Note", NAMESAKES), *links])
    by_rest = page(rest)
    return replace(
        by_rest,
        title=page(name).title,
        date=_date(name.evidence),
        evidence_count=name.total,
        blocks=[note, *(by_rest.blocks if rest.evidence else ())],
    )


def gone(kind: EntityKind, key: str, where: str) -> Derived:
    """The page of a person whom no record tells from others of the name any more."""
    return replace(page(Entity(kind, key, 0, (), ())), path=where)


def namesakes(key: str, stated: Iterable[Facts]) -> list[frozenset[str]]:
    """The addresses of each who may have this name, by the facts of all records; none if it is one person's.

    Of one person are addresses that a record gives together, and those of ``samename``.
    """
    people: list[frozenset[str]] = []
    for facts in sorted(stated):
        if own := addresses(facts):
            joined = [each for each in people if not own.isdisjoint(each)]
            people = [each for each in people if own.isdisjoint(each)]
            people.append(own.union(*joined))
    if len(people) < 2:
        return []
    by_first = {min(each): each for each in people}
    bearers = [samename.NameBearer(who, persons.plain(key), tuple(sorted(each))) for who, each in by_first.items()]
    for first, second in samename.pairs(bearers):
        both = by_first[first] | by_first[second]
        by_first.update((who, both) for who, each in by_first.items() if each <= both)
    several = sorted(set(by_first.values()), key=min)
    return several if len(several) > 1 else []


def addresses(facts: Facts) -> frozenset[str]:
    """The addresses among facts."""
    return frozenset(value for label, value in facts if label == EMAIL)


def _display_name(names: Mapping[str, int]) -> str:
    """The most frequent name. ``names``: name -> frequency."""
    return min(names, key=lambda name: (-names[name], name)) if len(names) > 1 else next(iter(names), "")


def _facts(evidence: Sequence[Evidence]) -> str:
    """What the records state."""
    facts = sorted({fact for piece in evidence for fact in piece.mention.facts})
    return "\n".join(md.bullet(label, md.inline(value)) for label, value in facts)


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


def _evidence(entity: Entity) -> str:
    lines = []
    for piece in entity.evidence:
        target = md.href(UP, piece.page, piece.anchor)
        role = f" ({md.inline(piece.mention.role, 60)})" if piece.mention.role else ""
        # A message's title is its author: on the author's own page its first words say more.
        own_message = piece.lead and identity(piece.title) == entity.key
        title = md.one_line(piece.lead, LEAD_CHARS) if own_message else piece.title
        lines.append(f"- {piece.day}: {md.link(title, target)}{role}")
    if entity.total > len(entity.evidence):
        lines.append(f"- and {entity.total - len(entity.evidence)} earlier")
    return "## Evidence\n\n" + "\n".join(lines) if lines else "## Evidence\n\nNo record mentions this any more."
