"""The memory of staff profiles' agents: prepared before an agent runs, updated when the agent has ended, and prepared
once more by the report stage, under the rules and corrections of the commit. That also covers runs without an agent.

Agents work on a copy in Hermes's home. Code writes the files in the workspace, below ``layout.AGENT_MEMORY``. They are
sealed while an agent runs, and are part of the commit.
"""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from consumer import layout
from consumer.agent import task
from consumer.evidence.pages import Page
from consumer.reports import agentmemory, passages
from consumer.reports.agentmemory import AgentMemory, CheckedNotes
from consumer.reports.claims import Claim
from consumer.reports.evidence import PageCache
from consumer.reports.files import put
from consumer.run import MemoryUse, Run
from contract.profile import Profile

#: Tokens of the context from which both files are generated. The files have about 900 tokens.
CONTEXT_TOKENS: Final = 3_000


@dataclass(frozen=True, slots=True)
class RunMemory:
    """The agent's memory in a run. ``desk``: the pages, with the memory read from them, rules and corrections."""

    run: Run
    desk: PageCache
    by_slug: Mapping[str, Page]
    given: AgentMemory

    @classmethod
    def prepare(
        cls, run: Run, profile: Profile | None, desk: PageCache, by_slug: Mapping[str, Page]
    ) -> RunMemory | None:
        """Write the memory as the pages, rules and corrections of the desk's last look have it, with the notes in the
        workspace that still hold. Without one in the profile: delete the files; None. Repeatable.
        """
        if profile is None or not profile.agent_memory:
            shutil.rmtree(run.root / layout.AGENT_MEMORY, ignore_errors=True)
            return None
        basis = desk.find(run, by_slug)
        context = desk.context(run, basis, by_slug, about="", budget=CONTEXT_TOKENS, given=frozenset())
        given = agentmemory.generate(context, basis.reads_as.language, run.job.timezone, ())
        memory = cls(run, desk, by_slug, given)
        earlier = agentmemory.entries(task.written(run.root / layout.AGENT_NOTES) or b"")
        return dataclasses.replace(memory, given=given.with_notes(memory.keep(earlier)))

    def settled(self, left: Mapping[str, bytes]) -> tuple[tuple[str, ...], MemoryUse]:
        """The notes in an agent's files that the next agent gets, and the counts of all its notes."""
        # A file that could not be read counts as unchanged.
        checked = self._checked(agentmemory.added(self.given, {**self.given.files, **left}))
        entries = sum(len(agentmemory.entries(data)) for data in self.given.files.values())
        return checked.kept, MemoryUse(entries, len(self.given.notes), len(checked.kept), checked.dropped)

    def keep(self, notes: Sequence[str]) -> tuple[str, ...]:
        """Write the memory with those of these notes that hold now, and return them. Repeatable.

        Since a note was left or stored, its evidence may have been deleted or corrected, or a rule may withhold it.
        """
        memory = self.given.with_notes(self._checked(notes).kept)
        for name, data in memory.files.items():
            put(self.run.root / layout.AGENT_MEMORY / name, data)
        put(self.run.root / layout.AGENT_NOTES, agentmemory.DELIMITER.join(memory.notes).encode())
        return memory.notes

    def _checked(self, notes: Sequence[str]) -> CheckedNotes:
        if not notes:
            return CheckedNotes()
        basis = self.desk.find(self.run, self.by_slug)

        def may_tell(claim: Claim) -> bool:
            held = basis.withheld.of_told(claim.text, claim.citations)
            return not held and not basis.corrections.repeated_by(claim)

        people = passages.directory(self.by_slug.values())
        return agentmemory.checked(notes, self.by_slug.get, people, may_tell)
