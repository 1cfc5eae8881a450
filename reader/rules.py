"""The user's standing rules: how each was understood, what it holds, and whether it is switched off."""

from __future__ import annotations

from collections import Counter
from typing import Final

from consumer.reports import holds
from consumer.reports.withholding import Withheld
from consumer.understanding.standing_rules import StandingRule, Unread
from reader import wire
from reader.errors import not_found
from reader.memory import MemoryView

#: Records that are listed for one rule.
LISTED: Final = 500


def listed(memory: MemoryView) -> wire.Rules:
    """All rules that the app still has, those in force first."""
    held = _held(memory)
    counts = Counter(each.holder for each in held.listed)
    overlay = memory.overlay
    rules = [
        _rule(memory, rule, counts[rule.rule.id]) for rule in held.rules if not holds.is_deleted(rule.rule.id, overlay)
    ]
    rules.sort(key=lambda rule: rule.state != "in_force")
    unread = [_unread(text) for text in held.unread if not holds.is_deleted(text.rule.id, overlay)]
    return wire.Rules(rules=(*rules, *unread), known=memory.knows_rules, waiting=len(memory.changed_rules))


def _held(memory: MemoryView) -> Withheld:
    return memory.held.withheld if memory.held else Withheld()


def detail(memory: MemoryView, rule_id: str) -> wire.RuleHolds:
    """A rule with what it holds. Raises CallRefusal 404."""
    rule = next((rule for rule in listed(memory).rules if rule.id == rule_id), None)
    if rule is None:
        raise not_found("rule")
    hidden = memory.hidden.marks
    records = [
        wire.WithheldRecord(title=each.title, page=each.page, anchor=each.anchor or "")
        for each in _held(memory).listed
        if each.holder == rule_id
        # What is being forgotten is in no list.
        and (each.anchor or "").removeprefix("r-") not in hidden
        and each.page[-12:] not in hidden
    ]
    return wire.RuleHolds(**rule.model_dump(), records=tuple(records[:LISTED]), more=len(records[LISTED:]))


def split_id(rule_id: str) -> tuple[str, str]:
    """(source, record id) of a rule. Raises CallRefusal 404: no rule has such an id."""
    source, slash, record_id = rule_id.partition("/")
    if not (slash and record_id) or source not in ("user_rules", "user_preferences"):
        raise not_found("rule")
    return source, record_id


def _rule(memory: MemoryView, rule: StandingRule, count: int) -> wire.RuleView:
    off = rule.rule.id in holds.switched_off(memory.overlay)
    return wire.RuleView(
        id=rule.rule.id,
        text=rule.rule.text,
        state="off" if off else "in_force",
        people=rule.names,
        topics=tuple(" ".join(topic) for topic in rule.topics),
        sources=tuple(sorted(rule.sources)),
        doubtful=rule.doubtful,
        narrowed=rule.narrowed,
        holds=count,
    )


def _unread(unread: Unread) -> wire.RuleView:
    return wire.RuleView(id=unread.rule.id, text=unread.rule.text, state="unread", reason=unread.reason)
