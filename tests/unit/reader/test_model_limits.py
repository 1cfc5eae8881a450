"""How often, at what cost and how many at a time users may ask the model for questions."""

from __future__ import annotations

from typing import Any, cast

from consumer.errors import ProviderBusy
from consumer.ports import ModelGateway
from contract.api import Usage
from reader import model
from reader.limits import Limits, Rate
from reader.model import DAY_S, GatewayModel, Spending
from tests.tables import table


class Seconds:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_user_spends_a_budget_within_a_day_of_their_own() -> None:
    clock = Seconds()
    spending = Spending(clock, 1.0)
    assert spending.allows("ann")
    spending.add("ann", 0.4)
    clock.now += DAY_S - 1
    spending.add("ann", 0.5)
    assert spending.allows("ann")
    spending.add("ann", 0.1)
    assert not spending.allows("ann")
    assert spending.allows("bob")
    clock.now += 1
    assert spending.allows("ann")  # a day after the first question
    spending.add("ann", 0.9)
    assert spending.allows("ann")
    spending.add("ann", 0.1)
    clock.now += DAY_S - 1
    assert not spending.allows("ann")


def test_of_too_many_users_those_who_asked_least_recently_start_anew() -> None:
    spending = Spending(Seconds(), 1.0)
    for user in ("ann", "bob"):
        spending.add(user, 1.0)
    spending.add("ann", 1.0)
    for number in range(model.USERS - 1):
        spending.add(str(number), 1.0)
    assert (spending.allows("ann"), spending.allows("bob")) == (False, True)


def admitting(clock: Seconds, burst: int = 100) -> GatewayModel:
    limits = Limits(clock, {"model": Rate(a_minute=60, burst=burst)})
    return GatewayModel(cast(ModelGateway, None), "model-1", "", limits, Spending(clock, 1.0))


def test_only_so_many_questions_are_answered_at_a_time() -> None:
    asked = admitting(Seconds())
    assert [asked.admit("ann") for _ in range(model.AT_ONCE + 1)] == [True] * model.AT_ONCE + [False]
    asked.release()
    assert [asked.admit("bob"), asked.admit("bob")] == [True, False]


def test_who_asks_too_often_or_has_spent_too_much_takes_no_place() -> None:
    clock = Seconds()
    asked = admitting(clock, burst=1)
    assert asked.admit("ann")
    assert not any(asked.admit("ann") for _ in range(model.AT_ONCE))
    asked.spending.add("cat", 1.0)
    assert not any(asked.admit("cat") for _ in range(model.AT_ONCE))
    assert [asked.admit(f"user {n}") for n in range(model.AT_ONCE)] == [True] * (model.AT_ONCE - 1) + [False]


class Provider:
    """Answers, or is busy, and costs 0.4 each time."""

    def __init__(self, answer: object) -> None:
        self.answer, self.usage, self.failed = answer, Usage(cost_usd=0.4), False

    def _answer(self, *_: object) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    draft = __call__ = _answer


def question(draft: object, rulings: object = None, *, abandoned: bool = False, burst: int = 100) -> Any:
    """One of ann's, with or without a judge."""
    asked: Any = admitting(Seconds(), burst)("ann", lambda: abandoned)
    asked._answerer = Provider(draft)
    asked._judge = Provider(rulings) if rulings is not None else None
    return asked


@table(
    ("made", "drafts", "state", "cost"),
    [
        (question(["a sentence"]), ["a sentence"], "asked", 0.4),
        (question([]), [], "asked", 0.4),
        (question(ProviderBusy("busy")), [], "unavailable", 0.4),
        (question(["a sentence"], abandoned=True), [], "unavailable", 0.0),
        (question(["a sentence"], burst=0), [], "unavailable", 0.0),
    ],
)
def test_what_a_model_drafts_is_paid_by_who_asked_and_whether_it_answered_is_told(
    made: Any, drafts: list[str], state: str, cost: float
) -> None:
    assert made.state == "not_asked"
    assert made.draft("When?", "2026-11-27", []) == drafts
    assert made.state == state
    made._model.spending.add("ann", 0.6)
    assert made._model.spending.allows("ann") == (cost == 0.0), "the two reach the budget only together"
    places = [made._model._places.acquire(blocking=False) for _ in range(model.AT_ONCE)]
    assert all(places), "nobody keeps a place"


def test_an_answer_that_failed_is_none() -> None:
    made = question([])
    made._answerer.failed = True
    assert (made.draft("When?", "2026-11-27", []), made.state) == ([], "unavailable")


@table(
    ("made", "rulings", "state", "cost"),
    [
        (question([], {"a": "holds"}), {"a": "holds"}, "not_asked", 0.4),
        (question([], {}), {}, "unavailable", 0.4),
        (question([], ProviderBusy("busy")), {}, "unavailable", 0.4),
        (question([], {"a": "holds"}, abandoned=True), {}, "not_asked", 0.0),
        (question([]), {}, "not_asked", 0.0),
    ],
)
def test_a_judge_that_does_not_answer_confirms_nothing(
    made: Any, rulings: dict[str, str], state: str, cost: float
) -> None:
    assert made.judges is (made._judge is not None)
    assert made.usage.cost_usd == (0.8 if made.judges else 0.4)
    assert (made.rule([]), made.state) == (rulings, state)
    made._model.spending.add("ann", 0.6)
    assert made._model.spending.allows("ann") == (cost == 0.0)
