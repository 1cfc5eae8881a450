"""
Answers to questions: the folded memory of a commit, with the user's corrections as they are now, and a model for what
facts do not answer, where there is one.

Folding takes about a second for 5,000 pages, and a question some milliseconds, so a folded memory is kept while its
commit is open, for one day and one state of the overlay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from consumer import layout
from consumer.errors import SnapshotIncomplete
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.evidence.search import IndexUnusable, Passage
from consumer.reports.asking import QUESTION_CHARS, AnswerSentence, AskableMemory, Asker, CheckedAnswer, load
from consumer.understanding import support
from contract.api import Usage
from reader.errors import invalid, unavailable
from reader.memory import MemoryView, Query
from reader.model import AskModel, ModelState, QuestionModel

#: Passages that are looked through for a later record that says otherwise.
PASSAGES: Final = 12


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, what a model cost, and what became of the model."""

    answer: CheckedAnswer
    usage: Usage
    model: ModelState

    def to_json(self) -> dict[str, Any]:
        """As ``CheckedAnswer.to_json``, with ``model``."""
        return {**self.answer.to_json(self.usage), "model": self.model}


def ask(
    memory: MemoryView,
    question: str,
    model: AskModel | None,
    *,
    reading: Callable[[Sequence[Passage]], None] = lambda _: None,
    abandoned: Callable[[], bool] = lambda: False,
) -> Answered:
    """What memory says about a question, by a model too. ``reading``: is told what a model is about to read.
    ``abandoned``: whether nobody waits any more; then no further model is asked.

    Raises CallRefusal: as ``answer``.
    """
    if model is None:
        return Answered(answer(memory, question), Usage(), "off")
    drafting = model(memory.user_id, abandoned)
    checked = answer(memory, question, drafting, reading)
    return Answered(checked, drafting.usage, drafting.state)


def answer(
    memory: MemoryView,
    question: str,
    model: QuestionModel | None = None,
    reading: Callable[[Sequence[Passage]], None] = lambda _: None,
) -> CheckedAnswer:
    """What memory says about a question; nobody where it does not say, with the nearest passages.

    Raises CallRefusal 422 no question; 503 this commit has nothing to answer from yet, or a rule is unread
    (``RuleUnread``).
    """
    text = " ".join(question.split())
    if not 0 < len(text) <= QUESTION_CHARS:
        raise invalid(f"question must have 1 to {QUESTION_CHARS} characters")
    if not memory.opened.seq:
        return CheckedAnswer()
    asker = Asker(
        askable(memory),
        PagesOfCommit(memory),
        lambda words: search(memory, words),
        locale=memory.locale,
        model=model,
        rule=model.rule if model and model.judges else None,
        people=memory.known_people() if model else support.NOBODY,
        reading=reading,
        withheld=memory.withheld,
    )
    return tellable(memory, asker.ask(text))


def askable(memory: MemoryView) -> AskableMemory:
    """The folded memory, kept while its commit is open. Raises CallRefusal 503 ask_unavailable, RuleUnread."""
    # Before what is kept: nothing may be answered from it while a rule is unread.
    withheld = memory.untold.records
    now = memory.local_now(memory.as_of)
    key = ("askable", memory.overlay.version, now.date())
    try:
        return memory.opened.once(
            key, lambda: load(memory.read, now, overlay=memory.overlay, withheld=withheld), keep=4
        )
    except SnapshotIncomplete as exc:
        if layout.RENDER_INDEX in memory.opened.entries:
            raise
        raise unavailable(
            "ask_unavailable", "Your memory cannot be asked yet", "You can ask it after its next update."
        ) from exc


def tellable(memory: MemoryView, answered: CheckedAnswer) -> CheckedAnswer:
    """An answer without what a standing rule holds: sentences, passages, and what a model was given to read."""
    withheld = memory.withheld
    if not withheld:
        return answered

    def may_tell(sentence: AnswerSentence) -> bool:
        return not withheld.of_text(sentence.text) and not any(
            withheld.of_place(cited.page, cited.anchor or None) or withheld.of_text(cited.quote)
            for cited in sentence.citations
        )

    sentences = tuple(filter(may_tell, answered.sentences))
    return replace(
        answered,
        sentences=sentences,
        nearest=tuple(passage for passage in answered.nearest if not memory.is_held(passage)),
        read=tuple(passage for passage in answered.read if not memory.is_held(passage)),
        said_by=answered.said_by if sentences else "nobody",
    )


def search(memory: MemoryView, text: str) -> Sequence[Passage] | None:
    """Passages; None where this commit cannot be searched: some facts need no search."""
    try:
        return memory.passages(Query(text, limit=PASSAGES), telling=True)
    except IndexUnusable:
        return None


class PagesOfCommit:
    """The pages of this commit by slug, each read once."""

    def __init__(self, memory: MemoryView) -> None:
        self._memory = memory
        self._read: dict[str, Page | None] = {}

    def __call__(self, slug: str) -> Page | None:
        if slug not in self._read:
            self._read[slug] = self._parsed(slug)
        return self._read[slug]

    def _parsed(self, slug: str) -> Page | None:
        path = f"{layout.BRAIN}/{slug}.md"
        if path not in self._memory.opened.entries:
            return None
        try:
            return pages.parse(slug, self._memory.opened.read(path))
        except pages.PageError:
            return None
