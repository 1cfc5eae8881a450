"""
What standing rules hold, as a file of the commit, so that whoever shows a memory later holds the same back.

The report stage and a purge write it, under all of the user's rules: those that are switched off too, so that a switch
counts at once. ``in_force`` says which of them hold now. Whoever finds no file does not know what is held, and a rule
that changed since (``changed_since``) was not applied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from consumer.reports.withholding import PRIVATE, HeldRecord, HeldWords, Holders, Withheld, holders_by_page
from consumer.understanding.standing_rules import RuleText, StandingRule, Unread
from contract.event import utc_text
from contract.overlay import Overlay, RuleRef

SCHEMA: Final = "memory.held.v1"
#: The holder of records that the user is forgetting: no run tells of them while they wait for their purge.
FORGETTING: Final = f"{PRIVATE}forgetting"
#: (source, record id, time of the last change as ``utc_text``) of a row that may hold a rule.
RuleVersion = tuple[str, str, str]


class Holds(NamedTuple):
    """``withheld``: under all rules. ``read``: the rows that were read as rules, as they were then."""

    withheld: Withheld = Withheld()
    read: frozenset[RuleVersion] = frozenset()


def document(held: Holds) -> dict[str, Any]:
    """JSON data that ``read`` takes. Names the user's rules, people and titles: it is for the owner alone."""
    withheld = held.withheld
    return {
        "schema": SCHEMA,
        "read": sorted(map(list, held.read)),
        "rules": [
            {
                "id": rule.rule.id,
                "text": rule.rule.text,
                "people": sorted(rule.people),
                "names": list(rule.names),
                "sources": sorted(rule.sources),
                "topics": [list(topic) for topic in rule.topics],
                "doubtful": rule.doubtful,
                "narrowed": rule.narrowed,
            }
            for rule in withheld.rules
        ],
        "unread": [{"id": each.rule.id, "text": each.rule.text, "reason": each.reason} for each in withheld.unread],
        "records": [[*key, sorted(holders)] for key, holders in sorted(withheld.records.items())],
        "places": [
            [page, anchor, sorted(holders)]
            for (page, anchor), holders in sorted(
                withheld.places.items(), key=lambda item: (item[0][0], item[0][1] or "")
            )
        ],
        "people": [[who, sorted(holders)] for who, holders in sorted(withheld.people.items())],
        "words": [
            {
                "holder": words.holder,
                "cased": words.cased.pattern if words.cased else None,
                "folded": words.folded.pattern if words.folded else None,
                "topics": [[word.pattern for word in topic] for topic in words.topics],
            }
            for words in withheld.words
        ],
        "listed": [list(each) for each in withheld.listed],
    }


def read(data: Mapping[str, Any]) -> Holds:
    """The same again. Raises KeyError, TypeError, ValueError, re.error: the data is of another form."""
    if data["schema"] != SCHEMA:
        raise ValueError(f"expected {SCHEMA}, got {data['schema']!r}")
    places = {(page, anchor): frozenset(holders) for page, anchor, holders in data["places"]}
    withheld = Withheld(
        rules=tuple(map(_rule, data["rules"])),
        unread=tuple(Unread(RuleText(each["id"], each["text"]), each["reason"]) for each in data["unread"]),
        records={(source, record_id): frozenset(holders) for source, record_id, holders in data["records"]},
        places=places,
        pages=holders_by_page(places),
        people={who: frozenset(holders) for who, holders in data["people"]},
        words=tuple(map(_words, data["words"])),
        listed=tuple(HeldRecord(*each) for each in data["listed"]),
    )
    return Holds(withheld, frozenset((source, record_id, at) for source, record_id, at in data["read"]))


def version(rule: RuleRef) -> RuleVersion:
    return rule.source_key, rule.record_id, utc_text(rule.changed_at)


def changed_since(held: Holds, overlay: Overlay) -> tuple[RuleRef, ...]:
    """The rows that changed since they were read: the next run reads them."""
    return tuple(rule for rule in overlay.rules if version(rule) not in held.read)


def switched_off(overlay: Overlay) -> Holders:
    """Ids of the rules that the user switched off and has not changed since."""
    return frozenset(f"{rule.source_key}/{rule.record_id}" for rule in overlay.rules if rule.off)


def is_deleted(rule_id: str, overlay: Overlay) -> bool:
    """Whether the app no longer has the rule's row. An overlay without a version does not know."""
    return bool(overlay.version) and rule_id not in {f"{row.source_key}/{row.record_id}" for row in overlay.rules}


def in_force(withheld: Withheld, overlay: Overlay) -> Withheld:
    """Without holds whose rules were all deleted or switched off, or whose marks were taken back."""
    ended = switched_off(overlay) | {rule.rule.id for rule in withheld.rules if is_deleted(rule.rule.id, overlay)}
    marks = {FORGETTING, *(f"{PRIVATE}{view.id}" for view in overlay.corrections if view.verdict == "private")}
    return only(withheld, lambda holder: holder in marks if holder.startswith(PRIVATE) else holder not in ended)


def only(withheld: Withheld, counts: Callable[[str], bool]) -> Withheld:
    """What the holders that count hold."""
    places = _kept(withheld.places, counts)
    return replace(
        withheld,
        rules=tuple(rule for rule in withheld.rules if counts(rule.rule.id)),
        records=_kept(withheld.records, counts),
        places=places,
        pages=holders_by_page(places),
        people=_kept(withheld.people, counts),
        words=tuple(words for words in withheld.words if counts(words.holder)),
        listed=tuple(each for each in withheld.listed if counts(each.holder)),
    )


def _kept(held: Mapping[Any, Holders], counts: Callable[[str], bool]) -> dict[Any, Holders]:
    by_key = {key: frozenset(filter(counts, holders)) for key, holders in held.items()}
    return {key: holders for key, holders in by_key.items() if holders}


def _rule(data: Mapping[str, Any]) -> StandingRule:
    return StandingRule(
        rule=RuleText(data["id"], data["text"]),
        people=frozenset(data["people"]),
        names=tuple(data["names"]),
        sources=frozenset(data["sources"]),
        topics=tuple(map(tuple, data["topics"])),
        doubtful=data["doubtful"],
        narrowed=data["narrowed"],
    )


def _words(data: Mapping[str, Any]) -> HeldWords:
    return HeldWords(
        data["holder"],
        re.compile(data["cased"]) if data["cased"] else None,
        re.compile(data["folded"]) if data["folded"] else None,
        tuple(tuple(map(re.compile, topic)) for topic in data["topics"]),
    )
