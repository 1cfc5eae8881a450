"""What an agent should look at first: the pages this job is about, and what the detectors point to."""

from __future__ import annotations

from dataclasses import dataclass

from consumer.core.claims import Claim
from consumer.ports import Guard
from consumer.stages.base import Run


@dataclass(frozen=True, slots=True)
class Briefing:
    """``changed``: pages relative to ``brain/``; ``hints``: findings with quotes, strongest first."""

    changed: tuple[str, ...] = ()
    hints: tuple[Claim, ...] = ()


def brief(run: Run, guard: Guard) -> Briefing:
    """The same pages give the same briefing: it is part of what a stored answer is found by."""
    guard.check()
    changed = run.rendered.changed if run.rendered else ()
    return Briefing(tuple(sorted(changed)))
