"""One job's model budget: its limits, its usage, and the refusal once it is spent."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from consumer.agent.gateway.usage import TokenCounts
from consumer.errors import ModelBudgetExceeded, ModelUnavailable
from consumer.ports import ModelCall, ModelTags, SessionLimits, UsageTotal
from contract.api import Usage
from service import telemetry

#: Model name -> USD per million tokens by "input", "cached", "output".
Prices = Mapping[str, Mapping[str, float]]
#: How long ``check`` waits for the record of a call whose caller is gone.
SETTLE_S: Final = 2.0
#: Statuses that say nothing about the request: no access, too slow, too many requests. All of 5xx belong to them.
NOT_THE_REQUEST: Final = frozenset({401, 403, 408, 425, 429})
#: The caller left before the answer began; after that many seconds, because the provider was silent.
GONE: Final = 499
SILENT_S: Final = 120.0


def unanswered(call: ModelCall) -> str | None:
    """Why this call says that the provider is away for all jobs; None: it does not."""
    if call.status == GONE and call.duration_s >= SILENT_S:
        return f"the model was silent for {call.duration_s:.0f} s"
    if call.status in NOT_THE_REQUEST or call.status >= 500:
        return f"the model answered {call.status}"
    return None


@dataclass(frozen=True, slots=True)
class UsageLimits:
    """``embeddings``: limit of embedding requests, of which an index makes one per page; None: they count as others."""

    requests: int
    tokens: int
    cost_usd: float
    embeddings: int | None = None


def cost_usd(prices: Prices, model: str, tokens: TokenCounts) -> float | None:
    """None if the model's price is unknown."""
    price = prices.get(model)
    if price is None:
        return None
    fresh = max(tokens.input - tokens.cached, 0)
    total = fresh * price["input"] + tokens.cached * price["cached"] + tokens.output * price["output"]
    return total / 1_000_000


class UsageLedger:
    """The gateway's thread writes it, and the stage's thread reads it. ``spent``: the job's earlier tokens and money.

    ``limits``: the session's own, besides the job's ``budget``. ``total``: see ports.ModelView.
    """

    def __init__(  # noqa: PLR0917
        self,
        tags: ModelTags,
        budget: UsageLimits,
        prices: Prices,
        spent: Usage,
        limits: SessionLimits | None = None,
        total: UsageTotal | None = None,
    ) -> None:
        self._tags = tags
        self._spent = spent
        self._limits = limits
        self._budget = budget
        self._total = total
        self._prices = prices
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._calls: list[ModelCall] = []
        # Kept, not summed up at each call: an index makes one per page.
        self._calls_made: Counter[bool] = Counter()
        self._tokens: Counter[str] = Counter()
        self._cost_usd = 0.0
        self._running: Counter[bool] = Counter()
        self._refusal = ""
        self._exceeded = ""
        # Calls end in the gateway's thread; they belong to the stage that opened the session.
        self._traceparent = telemetry.traceparent()

    def admit(self, path: str = "") -> str | None:
        """Count one call to this path as begun; or return why it may not begin."""
        with self._lock:
            separate = self._is_separate(path)
            refusal = self._refusal if self._exceeded else self._over(separate)
            if refusal:
                self._refusal = refusal
                return refusal
            self._running[separate] += 1
            return None

    def refuse_tool(self, name: str) -> str:
        """End the session because the model called a tool that the session does not offer; return the reason."""
        with self._lock:
            self._exceeded, self._refusal = (
                self._exceeded or "tools",
                f"the model called the tool {name}, which this session does not offer",
            )
            return self._refusal

    def exceeded(self) -> str:
        """See ports.ModelSession."""
        with self._lock:
            return self._exceeded

    def end(
        self,
        path: str,
        model: str,
        tokens: TokenCounts,
        status: int,
        *,
        at: datetime,
        seconds: float,
        attempts: int,
        upstream: str,
    ) -> None:
        """Price and record an admitted call that began ``at`` and took so many seconds."""
        self.record(
            ModelCall(
                at=at,
                path=path,
                model=model,
                status=status,
                input_tokens=tokens.input,
                cached_tokens=tokens.cached,
                output_tokens=tokens.output,
                cost_usd=cost_usd(self._prices, model, tokens),
                duration_s=round(seconds, 4),
                attempts=attempts,
                upstream=upstream,
            )
        )

    def record(self, call: ModelCall) -> None:
        """Record the end of an admitted call."""
        with self._lock:
            separate = self._is_separate(call.path)
            self._running[separate] -= 1
            self._calls_made[separate] += 1
            self._tokens.update(input=call.input_tokens, output=call.output_tokens)
            self._cost_usd += call.cost_usd or 0.0
            self._calls.append(call)
            if self._total:
                self._total.add(
                    Usage(
                        input_tokens=call.input_tokens,
                        output_tokens=call.output_tokens,
                        requests=1,
                        cost_usd=call.cost_usd or 0.0,
                    )
                )
            self._changed.notify_all()
        self._trace(call)

    def usage(self) -> Usage:
        with self._lock:
            return self._sum()

    def calls(self) -> tuple[ModelCall, ...]:
        with self._lock:
            return tuple(self._calls)

    def check(self) -> None:
        """Raises ModelBudgetExceeded once a call was refused, ModelUnavailable if the last call had no answer.

        Waits a moment for calls under way: the tool that made them may have ended just now.
        """
        with self._changed:
            if self._refusal:
                raise ModelBudgetExceeded(f"job {self._tags.job_id}: {self._refusal}")
            self._changed.wait_for(lambda: not self._running.total(), timeout=SETTLE_S)
            if self._calls and (why := unanswered(self._calls[-1])):
                raise ModelUnavailable(f"job {self._tags.job_id}: {why}")

    def _trace(self, call: ModelCall) -> None:
        labels = {
            "model": call.model,
            "upstream": call.upstream,
            "job_type": self._tags.job_type,
            "profile": self._tags.runtime_profile,
            "template": self._tags.template_version,
        }
        telemetry.count("model_calls", status=str(call.status), **labels)
        telemetry.count("model_tokens", call.input_tokens, direction="in", **labels)
        telemetry.count("model_tokens", call.output_tokens, direction="out", **labels)
        telemetry.count("model_cost_usd", call.cost_usd or 0.0, **labels)
        ended_at = call.at + timedelta(seconds=call.duration_s)
        telemetry.past(
            f"model {call.path.rpartition('/')[2]}",
            self._traceparent,
            call.duration_s,
            ended_at=ended_at,
            kind="client",
            model=call.model,
            upstream=call.upstream,
            status=call.status,
            attempts=call.attempts,
        )

    def _is_separate(self, path: str) -> bool:
        """Whether a call counts against the separate budget of embeddings."""
        return self._budget.embeddings is not None and path.endswith("/embeddings")

    def _over(self, separate: bool) -> str:
        own, calls = self._sum(), self._calls_made[separate]
        begun = calls + self._running[separate]
        if self._limits and not separate and begun >= self._limits.turns:
            self._exceeded = "turns"
            return f"{calls} model requests made, {self._limits.turns} allowed in this session"
        if self._limits and (tokens := own.input_tokens + own.output_tokens) >= self._limits.tokens:
            self._exceeded = "tokens"
            return f"{tokens} tokens used, {self._limits.tokens} allowed in this session"
        allowed = self._budget.embeddings if separate and self._budget.embeddings is not None else self._budget.requests
        if begun >= allowed:
            return f"{calls} {'requests for embeddings' if separate else 'model requests'} made, {allowed} allowed"
        used = self._spent.plus(self._total.usage() if self._total else own)
        if used.input_tokens + used.output_tokens >= self._budget.tokens:
            return f"{used.input_tokens + used.output_tokens} tokens used, {self._budget.tokens} allowed"
        if used.cost_usd >= self._budget.cost_usd:
            return f"{used.cost_usd:.2f} USD spent, {self._budget.cost_usd:.2f} allowed"
        return ""

    def _sum(self) -> Usage:
        return Usage(
            input_tokens=self._tokens["input"],
            output_tokens=self._tokens["output"],
            requests=len(self._calls),
            cost_usd=round(self._cost_usd, 6),
        )
