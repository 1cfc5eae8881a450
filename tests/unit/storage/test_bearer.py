"""When a request to the bucket waits for a new token, goes on with the old one, or fails."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials, Credentials
from google.auth.exceptions import RefreshError

from consumer.storage.bearer import RENEWAL_S, Bearer


class Tokens(Credentials):
    """Credentials whose token server fails, or gives a new token of an hour."""

    def __init__(self, left: timedelta, *, fails: bool = False, new: timedelta = timedelta(hours=1)) -> None:
        super().__init__()
        self.token, self.fails, self.new, self.asked = "old", fails, new, 0
        self.expiry = self.at(left)

    @staticmethod
    def at(left: timedelta) -> datetime:
        return datetime.now(UTC).replace(tzinfo=None) + left

    def refresh(self, request: Any) -> None:
        self.asked += 1
        if self.fails:
            raise RefreshError("the token server fails")
        self.token, self.expiry = f"new {self.asked}", self.at(self.new)


def header(bearer: Bearer) -> str:
    headers: dict[str, str] = {}
    bearer.add("GET", "https://storage.example/o", headers)
    return headers.get("authorization", "")


def test_a_fresh_token_is_used_as_it_is() -> None:
    tokens = Tokens(timedelta(hours=1))
    assert header(Bearer(tokens)) == "Bearer old"
    assert tokens.asked == 0


@pytest.mark.parametrize("left", [timedelta(minutes=1), -timedelta(minutes=1)])
def test_a_token_that_ends_soon_or_has_ended_is_renewed_once(left: timedelta) -> None:
    tokens = Tokens(left)
    bearer = Bearer(tokens)
    assert [header(bearer), header(bearer)] == ["Bearer new 1", "Bearer new 1"]
    assert tokens.asked == 1


def test_without_an_answer_a_token_that_still_holds_is_used_and_one_that_has_ended_is_not() -> None:
    assert header(Bearer(Tokens(timedelta(minutes=1), fails=True))) == "Bearer old"
    with pytest.raises(RefreshError, match="the token server fails"):
        header(Bearer(Tokens(-timedelta(minutes=1), fails=True)))


def test_who_needs_no_token_sends_none() -> None:
    assert header(Bearer(AnonymousCredentials())) == ""


def test_while_another_thread_renews_an_old_token_serves_and_none_is_waited_for_without_end() -> None:
    def waits_in_vain(_renew: object, seconds: float) -> None:
        waited.append(seconds)
        raise TimeoutError

    waited: list[float] = []
    for left in (timedelta(minutes=1), -timedelta(minutes=1)):
        bearer = Bearer(Tokens(left))
        bearer._renewal.do = waits_in_vain  # type: ignore[assignment, method-assign]
        if left > timedelta():
            assert header(bearer) == "Bearer old"
        else:
            with pytest.raises(RefreshError, match="no token within 30 s"):
                header(bearer)
    assert waited == [0.0, RENEWAL_S]
