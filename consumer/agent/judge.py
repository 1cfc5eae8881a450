"""
The judge by model: one call a report, through the gateway, about the claims that code found no fault with; and as many
as are needed about open loops that no report has told yet.

A judge that cannot be reached, refuses, or answers in another form gives no ruling, and the report is written without
it: its claims then stand under low confidence (consumer/reports/citations.py), and the loops are told. It fails no job.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import httpx

from consumer.agent import gateway_requests
from consumer.ports import ModelGateway, ModelTags
from consumer.understanding import judgeform, loopform
from consumer.understanding.loopform import Review
from consumer.understanding.support import Judgement, Question
from contract.api import Usage
from service import telemetry

#: Tokens of an answer: some 20 a claim, of which a report has at most 200.
ANSWER_TOKENS: Final = 8_000
#: Seconds for the answer.
ANSWER_S: Final = 120.0


class _Asked(NamedTuple):
    """A request, what its answer amounts to, and what follows if there is none, for the operator."""

    body: bytes
    parse: Callable[[str], list[str]]
    without: str


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Implements consumer.understanding.support.Judge and consumer.understanding.loopform.LoopReviewer."""

    gateway: ModelGateway
    model: str

    def judge(self, questions: Sequence[Question], tags: ModelTags, spent: Usage, limit_s: float) -> Judgement:
        """See Judge. Raises ProviderBusy."""
        asked = _Asked(
            judgeform.body(self.model, questions, ANSWER_TOKENS),
            partial(judgeform.parse, count=len(questions)),
            "the report's claims are under low confidence",
        )
        return self._asked(asked, tags, spent, limit_s)[0]

    def review(self, review: Review, tags: ModelTags, spent: Usage, limit_s: float) -> Judgement:
        """See LoopReviewer. Raises ProviderBusy.

        A request that the provider refuses may be too long for the model: then each half of it is asked.
        """
        asked = _Asked(
            loopform.body(self.model, review, ANSWER_TOKENS),
            partial(loopform.parse, count=len(review.entries)),
            "open loops are told without a second reading",
        )
        judged, status = self._asked(asked, tags, spent, limit_s)
        middle = len(review.entries) // 2
        if status != httpx.codes.BAD_REQUEST or not middle:
            return judged
        halves = (review.entries[:middle], review.entries[middle:])
        for entries in halves:
            half = self.review(review._replace(entries=entries), tags, spent.plus(judged.usage), limit_s)
            rulings = (*judged.rulings, *half.rulings) if half.rulings else ()
            judged = Judgement(rulings, judged.usage.plus(half.usage), (*judged.calls, *half.calls))
            if not rulings:
                # What the other half says would be of nobody knows which entry.
                break
        return judged

    def _asked(self, asked: _Asked, tags: ModelTags, spent: Usage, limit_s: float) -> tuple[Judgement, int]:
        """What an answer amounts to, and the status of one that is none."""

        def complain(what: str) -> None:
            telemetry.log(f"judge: {self.model}: {what}; {asked.without}", level=telemetry.ERROR)

        limit_s = min(ANSWER_S, limit_s)
        answer = gateway_requests.ask(self.gateway, tags, spent, asked.body, limit_s=limit_s, complain=complain)
        # An answer without a text rules on nothing, and was paid for: it is no reason to ask for ever.
        rulings = asked.parse(answer.text or "") if answer.is_paid else []
        if answer.text is not None and not any(rulings):
            complain("an answer of another form")
        return Judgement(tuple(rulings), answer.usage, answer.calls), answer.status
