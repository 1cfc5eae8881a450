"""
The model behind ``ask``: how often and at what cost a user may use it, and what happens where it does not answer.

It is called through a gateway of this process, which alone holds the provider's key. Whatever goes wrong (the
provider's 429 or 503, no answer in time, a limit or a budget that is reached), the question is answered by facts and
passages, and the answer says so.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from consumer.agent.answerer import ModelAnswerer
from consumer.agent.judge import ModelJudge
from consumer.errors import ProviderBusy
from consumer.ports import ModelGateway, ModelTags
from consumer.reports.asking import RuledBy
from consumer.understanding.askform import Drafting, DraftSentence, ShownPassage
from consumer.understanding.support import Question
from contract.api import Usage
from reader.errors import CallRefusal
from reader.limits import Limits

#: Questions that a model answers at a time, in this process; each holds a thread. A further one is not answered by it.
AT_ONCE: Final = 12
#: Users whose spending is remembered; of more, those who asked least recently start anew.
USERS: Final = 20_000
DAY_S: Final = 86_400.0
#: Under which a question's calls are counted: without its user, of whom no log line of the reader tells.
_TAGS: Final = ModelTags("ask", "", "ask", "reader", "")

#: ``off``: this reader has no model. ``not_asked``: facts answered, or no passage fits. ``asked``: it answered, be it
#: with nothing that holds. ``unavailable``: it did not answer, or this user may not ask it now.
ModelState = Literal["off", "not_asked", "asked", "unavailable"]


class QuestionModel(Drafting, Protocol):
    """A model for one question of one user."""

    state: ModelState

    @property
    def usage(self) -> Usage: ...
    def rule(self, claims: Sequence[Question]) -> Mapping[str, str]:
        """A judge's rulings, by the key of each claim; see ``consumer.reports.asking.Rule``."""

    @property
    def judges(self) -> bool:
        """Whether a judge is asked."""


#: User id, and whether nobody waits for the answer any more -> the model for one question.
AskModel = Callable[[str, Callable[[], bool]], QuestionModel]


@dataclass
class Spending:
    """What models cost each user within a day, in this process. Thread-safe. ``monotonic`` is in seconds."""

    monotonic: Callable[[], float]
    usd_a_day: float
    #: user -> (begin of their day, USD).
    _spent: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def allows(self, user_id: str) -> bool:
        with self._lock:
            since, usd = self._spent.get(user_id, (0.0, 0.0))
            return usd < self.usd_a_day or self.monotonic() - since >= DAY_S

    def add(self, user_id: str, usd: float) -> None:
        with self._lock:
            now = self.monotonic()
            since, before = self._spent.get(user_id, (now, 0.0))
            self._spent[user_id] = (now, usd) if now - since >= DAY_S else (since, before + usd)
            self._spent.move_to_end(user_id)
            while len(self._spent) > USERS:
                self._spent.popitem(last=False)


@dataclass(frozen=True)
class GatewayModel:
    """Implements AskModel. ``judge`` "": code alone checks what the model says."""

    gateway: ModelGateway
    name: str
    judge: str
    limits: Limits
    spending: Spending
    _places: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(AT_ONCE))

    def __call__(self, user_id: str, abandoned: Callable[[], bool]) -> QuestionModel:
        return _OneQuestion(self, user_id, abandoned)

    def admit(self, user_id: str) -> bool:
        """Whether this user may ask now; then ``release`` must follow."""
        if not self.spending.allows(user_id) or not self._places.acquire(blocking=False):
            return False
        try:
            self.limits.take(user_id, "model")
        except CallRefusal:
            self._places.release()
            return False
        return True

    def release(self) -> None:
        self._places.release()


class _OneQuestion:
    def __init__(self, model: GatewayModel, user_id: str, abandoned: Callable[[], bool]) -> None:
        self._model, self._user_id, self._abandoned = model, user_id, abandoned
        self._answerer = ModelAnswerer(model.gateway, model.name, _TAGS)
        self._judge = RuledBy(ModelJudge(model.gateway, model.judge), _TAGS) if model.judge else None
        self.state: ModelState = "not_asked"

    @property
    def usage(self) -> Usage:
        """Of the answer and of the judge."""
        return self._answerer.usage.plus(self._judge.usage) if self._judge else self._answerer.usage

    @property
    def judges(self) -> bool:
        return self._judge is not None

    def draft(self, question: str, today: str, passages: Sequence[ShownPassage]) -> list[DraftSentence]:
        """See Drafting; none also where the user may not ask now."""
        self.state = "unavailable"
        if self._abandoned() or not self._model.admit(self._user_id):
            return []
        try:
            drafts = self._answerer.draft(question, today, passages)
        except ProviderBusy:
            return []
        finally:
            self._model.release()
            self._model.spending.add(self._user_id, self._answerer.usage.cost_usd)
        if not self._answerer.failed:
            self.state = "asked"
        return drafts

    def rule(self, claims: Sequence[Question]) -> Mapping[str, str]:
        """See QuestionModel. A judge that does not answer confirms nothing, so nothing is said."""
        if self._judge is None or self._abandoned():
            return {}
        try:
            rulings = self._judge(claims)
        except ProviderBusy:
            rulings = {}
        finally:
            self._model.spending.add(self._user_id, self._judge.usage.cost_usd)
        if not rulings:
            self.state = "unavailable"
        return rulings
