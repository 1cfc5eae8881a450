"""
What a model rules on in one stage of a run: open loops before the agent hears of them, claims before they are reported.

An answer is stored in the bucket before anything else is done with it, under the job and what was asked. So a later
attempt of the job, which hydrates afresh, pays for no question again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import httpx
import orjson

from consumer import layout
from consumer.agent import storedanswers
from consumer.agent.gateway.ledger import GONE
from consumer.agent.storedanswers import BucketOf
from consumer.ports import Guard
from consumer.reports import doubts, evidence
from consumer.reports.evidence import ReportBasis
from consumer.reports.files import append, keep_rulings, read_rulings
from consumer.run import Run
from consumer.understanding import loopform, support
from consumer.understanding.loopform import LoopReviewer, Review
from consumer.understanding.people import USER
from consumer.understanding.support import Judge, Judgement, Question

#: Seconds for an answer once the job's models were silent: a provider that is away costs each stage of the run no more.
AFTER_SILENCE_S: Final = 20.0
#: The newest rulings on claims are kept, up to this number.
RULINGS_KEPT: Final = 2000


@dataclass(slots=True)
class Judging:
    """The questions of one stage. ``run``: the run with what was used.

    ``bucket_of``: the bucket narrowed to one user's prefix; None: answers are not stored.
    """

    run: Run
    guard: Guard
    bucket_of: BucketOf | None = None

    def review(self, reviewer: LoopReviewer, basis: ReportBasis) -> None:
        """Ask about the open loops without a ruling, and keep the answers.

        What is called ``not_open`` beside loops of other conversations is asked about alone before it counts. If there
        is no answer to a request, the model is away, and no more is asked; nor is it in the second half of the time.
        """
        if not basis.unruled or basis.memory is None:
            return
        # What was found for this run may be older than an answer of it.
        known = doubts.read(self.run.root)
        unruled = [entry for entry in basis.unruled if known.get(entry.key) not in loopform.RULINGS]
        reviews = _Reviews(self, reviewer, self.guard.time_left() / 2)
        owner, day = basis.memory.directory.known(USER).name, evidence.day(self.run).isoformat()
        for start in range(0, len(unruled), loopform.MOST):
            review = Review(owner, day, tuple(unruled[start : start + loopform.MOST]))
            answers = reviews.answers(review)
            for alone in loopform.apart(review.entries, answers):
                for entry in alone:
                    del answers[entry.key]
                answers |= reviews.answers(review._replace(entries=alone))
            if answers:
                doubts.keep(self.run.root, answers)

    def rulings(self, judge: Judge, questions: Sequence[Question]) -> dict[str, str]:
        """Key -> ruling: stored rulings, and those of one call to the judge for the rest. All are stored for later.

        The file holds digests and rulings, none of the user's words. The digests have no key: who guesses a claim and
        its quotes can confirm that they once stood here. So a purge deletes the file whole (``matching.REBUILT``).
        """
        path = self.run.root / layout.RULINGS
        kept = read_rulings(path, support.RULINGS)
        unanswered = support.unasked(questions, kept)
        if unanswered:
            # Half of the time that is left: the report must also be written and committed.
            limit_s = self.patience(self.guard.time_left() / 2)
            asked = {"claims": [question.key for question in unanswered]}
            answered = self.answer(asked, lambda run: judge.judge(unanswered, run.tags, run.usage, limit_s))
            kept |= support.answers(unanswered, answered)
        used = {question.key: kept[question.key] for question in questions if question.key in kept}
        keep_rulings(path, kept, used, RULINGS_KEPT)
        return used

    def patience(self, limit_s: float) -> float:
        """Seconds to wait for an answer, of ``limit_s``: less once a model of this job, the reader's or a judge's, gave
        none.
        """
        rendered, calls = self.run.rendered, self.run.root / layout.judge_calls(self.run.job.job_id)
        last = calls.read_bytes().splitlines()[-1:] if calls.is_file() else []
        is_silent = (rendered is not None and rendered.unread_why == "model") or any(
            (status := orjson.loads(line)["status"]) == GONE or status >= httpx.codes.INTERNAL_SERVER_ERROR
            for line in last
        )
        return min(limit_s, AFTER_SILENCE_S) if is_silent else limit_s

    def answer(self, asked: Mapping[str, Any], ask: Callable[[Run], Judgement]) -> Sequence[str]:
        """The rulings on a question: those that an earlier attempt paid for, or else the model's."""
        self.guard.check()
        job = self.run.job
        key = storedanswers.key({**asked, "job": job.job_id})
        stored = storedanswers.read(self.bucket_of, job.user_id, key, _rulings) if self.bucket_of else None
        if stored is not None:
            return stored
        made = ask(self.run)
        if made.calls:
            lines = b"".join(orjson.dumps(asdict(call)) + b"\n" for call in made.calls)
            append(self.run.root / layout.judge_calls(job.job_id), lines)
        self.run = replace(self.run, usage=self.run.usage.plus(made.usage))
        if self.bucket_of and made.rulings:
            # The bucket is written outside the commit: a run that lost its lock must leave nothing behind.
            self.guard.check()
            storedanswers.write(self.bucket_of, job.user_id, key, {"rulings": list(made.rulings)})
        return made.rulings


@dataclass(slots=True)
class _Reviews:
    """Requests about open loops, until one has no answer, or no more than ``least_s`` seconds of the run are left."""

    judging: Judging
    reviewer: LoopReviewer
    least_s: float
    is_over: bool = False

    def answers(self, review: Review) -> dict[str, str]:
        """See ``loopform.answers``; empty without an answer."""
        left_s = self.judging.guard.time_left()
        if self.is_over or left_s < self.least_s:
            return {}
        asked = {"form": loopform.VERSION, **review._asdict()}
        limit_s = self.judging.patience(left_s / 4)
        answered = self.judging.answer(asked, lambda run: self.reviewer.review(review, run.tags, run.usage, limit_s))
        self.is_over = not answered
        return loopform.answers(review.entries, answered)


def _rulings(document: Any) -> list[str]:
    return [str(ruling) for ruling in document["rulings"]]
