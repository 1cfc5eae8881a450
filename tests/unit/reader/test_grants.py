"""How long a grant of the control plane counts, which answers are kept, and which are asked for anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from contract.overlay import EMPTY
from contract.reading import ReadGrant
from reader import grants
from reader.errors import CallRefusal
from reader.grants import KEEP_S, MARGIN, MAX_TOKEN, Grants, ReaderCalls
from tests.tables import table

ADA = "11111111-1111-4111-8111-111111111111"
BOB = "22222222-2222-4222-8222-222222222222"
START = datetime(2026, 11, 27, 9, tzinfo=UTC)


@dataclass
class Plane:
    """A control plane that counts how often it is asked. ``answers``: by token, else ADA's grant."""

    seconds: float = 0.0
    asked: list[str] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)

    def grant(self, user_token: str) -> ReadGrant:
        self.asked.append(user_token)
        answer = self.answers.get(user_token, {})
        if isinstance(answer, Exception):
            raise answer
        user = answer.get("user_id", ADA)
        given = {
            "user_id": user,
            "bucket": "workspaces",
            "prefix": f"users/{user}/",
            "bucket_token": "t",
            "bucket_token_expires_at": START + timedelta(hours=1),
            "user_token_expires_at": START + timedelta(hours=2),
            "overlay": EMPTY,
        }
        return ReadGrant(**{**given, **answer})

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds)

    def grants(self) -> Grants:
        return Grants(cast(ReaderCalls, self), self.now, lambda: self.seconds)


def refused(kept: Grants, token: str) -> int:
    with pytest.raises(CallRefusal) as refusal:
        kept.of(token)
    return refusal.value.status


def test_an_answer_counts_for_a_minute() -> None:
    plane = Plane()
    kept = plane.grants()
    assert kept.of("a.a.a").user_id == ADA
    plane.seconds = KEEP_S - 1
    kept.of("a.a.a")
    assert len(plane.asked) == 1
    kept.of("a.a.a", fresh=True)
    assert len(plane.asked) == 2
    plane.seconds += KEEP_S
    kept.of("a.a.a")
    assert len(plane.asked) == 3


def test_a_grant_ends_with_the_earlier_of_its_tokens() -> None:
    plane = Plane(answers={"b.b.b": {"user_token_expires_at": START + timedelta(seconds=20)}})
    kept = plane.grants()
    assert kept.of("a.a.a").until == START + timedelta(hours=1) - MARGIN
    assert kept.of("b.b.b").until == START + timedelta(seconds=20)
    plane.seconds = 19
    kept.of("b.b.b")
    assert plane.asked == ["a.a.a", "b.b.b"]
    plane.seconds = 20
    assert refused(kept, "b.b.b") == 401


def test_a_grant_without_life_left_or_for_another_prefix_is_none() -> None:
    plane = Plane(
        answers={
            "a.a.a": {"bucket_token_expires_at": START + MARGIN},
            "b.b.b": {"bucket_token_expires_at": START + MARGIN + timedelta(seconds=1)},
            "c.c.c": {"prefix": f"users/{BOB}/"},
        }
    )
    kept = plane.grants()
    assert refused(kept, "a.a.a") == 401
    assert kept.of("b.b.b").until == START + timedelta(seconds=1)
    assert refused(kept, "c.c.c") == 500


@table(("status", "times"), [(401, 1), (403, 1), (503, 2), (429, 2)])
def test_a_refusal_is_kept_where_it_will_not_pass_at_once(status: int, times: int) -> None:
    plane = Plane(answers={"a.a.a": CallRefusal(status, "code", "No")})
    kept = plane.grants()
    assert [refused(kept, "a.a.a") for _ in range(2)] == [status, status]
    assert len(plane.asked) == times


@table("token", ["", "a.b", "a.b.c.d", "a b.c.d", "ä.b.c", f"a.b.{'c' * (MAX_TOKEN - 3)}"])
def test_what_is_no_token_is_asked_nobody(token: str) -> None:
    plane = Plane()
    assert refused(plane.grants(), token) == 401
    assert plane.asked == []


def test_the_longest_token_is_asked_for() -> None:
    plane = Plane()
    plane.grants().of(f"a.b.{'c' * (MAX_TOKEN - 4)}")
    assert len(plane.asked) == 1


def test_a_change_of_a_users_overlay_drops_their_grants_alone() -> None:
    plane = Plane(answers={"b.b.b": {"user_id": BOB}, "c.c.c": CallRefusal(403, "code", "No")})
    kept = plane.grants()
    for _ in range(2):
        kept.of("a.a.a")
        kept.of("b.b.b")
        refused(kept, "c.c.c")
    kept.drop(ADA)
    kept.of("b.b.b")
    refused(kept, "c.c.c")
    assert plane.asked == ["a.a.a", "b.b.b", "c.c.c"]
    kept.of("a.a.a")
    assert plane.asked[3:] == ["a.a.a"]


def test_an_answer_that_was_asked_for_before_a_change_is_not_kept() -> None:
    plane = Plane()
    kept = plane.grants()

    class Slow:
        def grant(self, user_token: str) -> ReadGrant:
            kept.drop(ADA)
            return plane.grant(user_token)

    kept.controlplane = cast(ReaderCalls, Slow())
    assert kept.of("a.a.a").user_id == ADA
    kept.of("a.a.a")
    assert len(plane.asked) == 2


def test_of_too_many_answers_those_that_were_asked_for_first_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants, "ANSWERS", 2)
    plane = Plane()
    kept = plane.grants()
    kept.of("a.a.a")
    kept.of("b.b.b")
    kept.of("a.a.a", fresh=True)
    kept.of("c.c.c")  # "b.b.b" goes, which was asked for before the others
    plane.asked.clear()
    kept.of("a.a.a")
    kept.of("c.c.c")
    assert plane.asked == []
    kept.of("b.b.b")
    assert plane.asked == ["b.b.b"]
