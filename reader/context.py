"""The context for the user's other agents (``consumer.reports.context``), with overlay and rules as they are now."""

from __future__ import annotations

from collections.abc import Sequence

from consumer.evidence.search import Passage
from consumer.reports.context import Context, ContextSources, assemble, language_of
from reader import asking
from reader.errors import not_found
from reader.memory import MemoryView, Query

#: Passages that are looked for: more than fit in most budgets.
PASSAGES = 30


def context(memory: MemoryView, about: str, budget: int) -> Context:
    """The context for a task.

    Raises CallRefusal 404 there is no memory yet; 503 ask_unavailable: this commit has nothing to put it together
    from, or does not say what the user's rules hold. IndexUnusable: a task is given, and this commit cannot be
    searched.
    """
    if not memory.opened.seq:
        raise not_found("context")
    askable = asking.askable(memory)

    def search(text: str) -> Sequence[Passage]:
        return memory.passages(Query(text, limit=PASSAGES), telling=True)

    sources = ContextSources(
        askable.memory,
        askable.places.get,
        asking.PagesOfCommit(memory),
        search,
        withheld=memory.withheld,
        language=language_of(memory.locale),
    )
    return assemble(sources, about=about, budget=budget)
