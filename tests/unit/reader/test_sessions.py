"""A session ends with its time or when its user signs out; a code opens one once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from consumer.storage.memory import FakeClock
from reader.errors import CallRefusal
from reader.sessions import CODE_LIFE, CODES, LIFE, MAX_COOKIE, Codes, UserSessions, cookie_name
from tests.tables import table

KEY = b"k" * 32


def sessions() -> tuple[UserSessions, FakeClock]:
    clock = FakeClock()
    return UserSessions(KEY, clock.now), clock


def test_a_session_lives_for_its_time() -> None:
    kept, clock = sessions()
    session = kept.start("token")
    cookie = kept.seal(session)
    clock.advance(LIFE.total_seconds() - 1)
    assert kept.open(cookie) == session
    clock.advance(1)
    assert kept.open(cookie) is None


def test_a_copy_of_the_cookie_of_who_signed_out_is_worth_nothing() -> None:
    kept, clock = sessions()
    first, other = kept.start("token"), kept.start("token")
    kept.end(first)
    assert (kept.open(kept.seal(first)), kept.open(kept.seal(other))) == (None, other)
    clock.advance(LIFE.total_seconds())
    kept.end(other)
    assert list(kept._ended) == [other.nonce], "what would have ended by itself is forgotten"


@table("cookie", [None, "", "forged", "x" * (MAX_COOKIE + 1)])
def test_what_is_no_cookie_of_ours_opens_nothing(cookie: str | None) -> None:
    assert sessions()[0].open(cookie) is None


def test_a_token_that_fits_no_cookie_is_refused() -> None:
    kept, _ = sessions()
    assert kept.open(kept.seal(kept.start("x" * 2500)))
    with pytest.raises(CallRefusal, match="3000 characters: too many for a cookie") as refused:
        kept.seal(kept.start("x" * 3000))
    assert refused.value.status == 413


def test_a_form_is_of_its_session() -> None:
    kept, _ = sessions()
    first, other = kept.start("token"), kept.start("token")
    assert kept.holds(first, kept.form_token(first))
    assert not kept.holds(other, kept.form_token(first))
    assert not kept.holds(first, "")


def test_a_code_works_once_and_for_its_time() -> None:
    clock = FakeClock()
    codes = Codes(clock.now)
    code, late = codes.issue("token"), codes.issue("token")
    clock.advance(CODE_LIFE.total_seconds() - 1)
    assert (codes.redeem(code), codes.redeem(code), codes.redeem("guessed")) == ("token", None, None)
    clock.advance(timedelta(seconds=1).total_seconds())
    assert codes.redeem(late) is None


def test_of_too_many_codes_the_oldest_go() -> None:
    codes = Codes(FakeClock().now)
    issued = [codes.issue(str(number)) for number in range(CODES + 1)]
    assert [codes.redeem(code) for code in (*issued[:2], issued[-1])] == [None, "1", str(CODES)]


def test_a_cookie_over_tls_comes_from_no_other_host() -> None:
    assert cookie_name("https://memory.example") == "__Host-memory"
    assert cookie_name("http://127.0.0.1:1") != cookie_name("http://127.0.0.1:2")
