"""
The answer by model: one call a question, through a gateway.

A model that cannot be reached, refuses, or answers in another form gives no sentence: memory then does not say, and the
user gets the nearest passages. What it says is checked by others (consumer/reports/asking.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import httpx

from consumer.agent import answers
from consumer.errors import ToolFailed
from consumer.ports import ModelAccess, ModelCall, ModelGateway, ModelTags
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
    """

    gateway: ModelGateway
    model: str
    tags: ModelTags
    spent: Usage = field(default_factory=Usage)
    limit_s: float = ANSWER_S
    usage: Usage = field(default_factory=Usage)
    calls: tuple[ModelCall, ...] = ()

    def draft(self, question: str, today: str, passages: Sequence[ShownPassage]) -> list[DraftSentence]:
        """See Drafting. Raises ProviderBusy: too many callers ask this provider now."""
        try:
            with self.gateway.open(self.tags, self.spent) as session:
                access = session.access
                content = self._answer(askform.body(self.model, question, today, passages, ANSWER_TOKENS), access)
            # Now: the call is recorded a moment after its answer.
            self.usage, self.calls = session.usage(), tuple(session.calls())
        except ToolFailed as exc:
            self._complain(str(exc))
            return []
        drafts = askform.parse(content, len(passages)) if content is not None else []
        if isinstance(drafts, Refused):
            self._complain(f"an answer of another form ({drafts.reason})")
            return []
        return drafts

    def _answer(self, body: bytes, access: ModelAccess) -> str | None:
        """The text of the answer; None where there is none."""
        try:
            response = httpx.post(
                f"{access.base_url}/chat/completions",
                content=body,
                headers={"authorization": f"Bearer {access.token}", "content-type": "application/json"},
                timeout=httpx.Timeout(max(self.limit_s, 0.01), connect=10.0),
                trust_env=False,
            )
        except httpx.HTTPError as exc:
            self._complain(type(exc).__name__)
            return None
        if response.status_code != httpx.codes.OK:
            self._complain(f"{response.status_code} {answers.error_code(response.content)}".rstrip())
            return None
        content = answers.text(response.content)
        if content is None:
            self._complain("no text")
        return content

    def _complain(self, what: str) -> None:
        telemetry.log(f"ask: {self.model}: {what}; the question is answered by passages", level=40)
