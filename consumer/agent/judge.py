"""
The judge by model: one call a report, through the gateway, about the claims that code found no fault with.

A judge that cannot be reached, refuses, or answers in another form gives no ruling, and the report is written without
it: its claims then stand under low confidence (consumer/reports/citations.py). It fails no job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from consumer.agent import gateway_requests
from consumer.ports import ModelGateway, ModelTags
from consumer.understanding import judgeform
from consumer.understanding.support import Judgement, Question
from contract.api import Usage
from service import telemetry

#: Tokens of an answer: some 20 a claim, of which a report has at most 200.
ANSWER_TOKENS: Final = 8_000
#: Seconds for the answer.
ANSWER_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Implements consumer.understanding.support.Judge."""

    gateway: ModelGateway
    model: str

    def judge(self, questions: Sequence[Question], tags: ModelTags, spent: Usage, limit_s: float) -> Judgement:
        """See Judge. Raises ProviderBusy."""
        body = judgeform.body(self.model, questions, ANSWER_TOKENS)
        limit_s = min(ANSWER_S, limit_s)
        answer = gateway_requests.ask(self.gateway, tags, spent, body, limit_s=limit_s, complain=self._complain)
        if answer.text is None:
            return Judgement((), answer.usage, answer.calls)
        rulings = judgeform.parse(answer.text, len(questions))
        if not any(rulings):
            self._complain("an answer of another form")
        return Judgement(tuple(rulings), answer.usage, answer.calls)

    def _complain(self, what: str) -> None:
        telemetry.log(
            f"judge: {self.model}: {what}; the report's claims are under low confidence", level=telemetry.ERROR
        )
