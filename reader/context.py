"""The context for the user's other agents (``consumer.reports.context``), with the overlay as it is now."""

from __future__ import annotations

from collections.abc import Sequence

from consumer.evidence.search import Passage
from consumer.reports.context import Context, ContextSources, assemble
from reader import asking
from reader.errors import not_found, rules_not_applied
from reader.memory import Memory, Query

#: Passages that are looked for: more than fit in most budgets.
PASSAGES = 30


def context(memory: Memory, about: str, budget: int) -> Context:
    """The context for a task.

    Raises:
        Refusal: 404 there is no memory yet; 409 the user has standing rules; 503 this commit has nothing to put it
            together from.
        IndexUnusable: a task is given, and this commit cannot be searched.
    """
    if not memory.opened.seq:
        raise not_found("context")
    require_no_rules(memory)
    askable = asking.askable(memory)

    def search(text: str) -> Sequence[Passage]:
        return memory.passages(Query(text, limit=PASSAGES))

    language = memory.locale.partition("-")[0].lower()
    sources = ContextSources(
        askable.memory, askable.places.get, asking.Pages(memory), search, language=language or "en"
    )
    return assemble(sources, about=about, budget=budget)


def require_no_rules(memory: Memory) -> None:
    """Raises Refusal 409 if the user has standing rules: others must not be told what these hold."""
    if memory.overlay.rules:
        raise rules_not_applied()
