"""How often, at what cost and how many at a time users may ask the model for questions."""

from __future__ import annotations

from typing import cast

from consumer.ports import ModelGateway
from reader import model
from reader.limits import Limits, Rate
from reader.model import DAY_S, GatewayModel, Spending


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
