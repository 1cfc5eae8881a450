"""Decisions, and which later one replaces which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from consumer.understanding.life.entries import LifeEntry, cites, identical
from consumer.understanding.memory import DecisionMade
from consumer.understanding.people import Directory
from consumer.understanding.statements import Decision


def decisions(several: Sequence[LifeEntry], people: Directory) -> tuple[DecisionMade, ...]:
    made: list[DecisionMade] = []
    #: Later decisions by what they are about, the latest first: only these can replace one.
    later: dict[str, list[DecisionMade]] = defaultdict(list)
    known: set[tuple[str, str]] = set()
    for entry in reversed(several):
        decision = entry.statement
        assert isinstance(decision, Decision)
        # The same words in a second record of the same talk say it once.
        about = decision.about.casefold()
        key = (decision.what.casefold(), about)
        if key in known:
            continue
        known.add(key)
        replaced = next(
            (other.id for other in reversed(later[about]) if about and not identical(other.what, decision.what, entry)),
            "",
        )
        who = people.all_of(decision.who, entry.talk) or people.all_of((entry.author,), entry.talk)
        made.append(
            DecisionMade(
                id=entry.id,
                who=tuple(sorted(who)),
                what=decision.what,
                about=decision.about,
                at=entry.said_at,
                replaced_by=replaced,
                evidence=tuple(cites(entry, people)),
            )
        )
        later[about].append(made[-1])
    return tuple(reversed(made))
