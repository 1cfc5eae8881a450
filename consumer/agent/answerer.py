"""
The answer by model: one call a question, through a gateway.

A model that cannot be reached, refuses, or answers in another form gives no sentence: memory then does not say, and the
user gets the nearest passages. What it says is checked by others (consumer/reports/asking.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from consumer.agent import gateway_requests
from consumer.ports import ModelCall, ModelGateway, ModelTags
from consumer.understanding import askform
from consumer.understanding.askform import DraftSentence, Refused, ShownPassage
from contract.api import Usage
from service import telemetry

#: Tokens of an answer: eight sentences with their quotes.
ANSWER_TOKENS: Final = 2_000
#: Seconds for the answer: somebody waits for it.
ANSWER_S: Final = 20.0


@dataclass(slots=True)
class ModelAnswerer:
    """Implements consumer.understanding.askform.Drafting, for one question of one user.

    ``spent``: what the caller's budget has spent before. ``usage``, ``calls``: of this question, once it was asked.
    ``failed``: there was no answer to look at, unlike one that has no sentence.
    """

    gateway: ModelGateway
    model: str
    tags: ModelTags
    spent: Usage = field(default_factory=Usage)
    limit_s: float = ANSWER_S
    usage: Usage = field(default_factory=Usage)
    calls: tuple[ModelCall, ...] = ()
    failed: bool = False

    def draft(self, question: str, today: str, passages: Sequence[ShownPassage]) -> list[DraftSentence]:
        """See Drafting. Raises ProviderBusy: too many callers ask this provider now."""
        body = askform.body(self.model, question, today, passages, ANSWER_TOKENS)
        answer = gateway_requests.ask(
            self.gateway, self.tags, self.spent, body, limit_s=self.limit_s, complain=self._complain
        )
        self.usage, self.calls = answer.usage, answer.calls
        if answer.text is None:
            return []
        drafts = askform.parse(answer.text, len(passages))
        if isinstance(drafts, Refused):
            self._complain(f"an answer of another form ({drafts.reason})")
            return []
        return drafts

    def _complain(self, what: str) -> None:
        self.failed = True
        telemetry.log(f"ask: {self.model}: {what}; the question is answered by passages", level=telemetry.ERROR)
