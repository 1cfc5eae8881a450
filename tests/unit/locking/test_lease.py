from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import manifests
from consumer.locking.lease import MAX_TTL_S, Lease, UnsafeLease
from consumer.settings.table import LONGEST_LOCK_TTL_S
from tests.tables import table

NOW = datetime(2026, 11, 27, tzinfo=UTC)


def test_the_shipped_numbers_are_safe() -> None:
    assert LONGEST_LOCK_TTL_S == MAX_TTL_S
    limits = manifests.limits()
    lease = Lease(limits["lock_ttl"], limits["lock_grace"], limits["lock_margin"], limits["renewals_per_ttl"])
    assert lease.renew_every_s == 20
    assert lease.valid_s == 90


@table(
    "numbers",
    [
        {"ttl_s": 0},
        {"ttl_s": -1},
        {"margin_s": 0},
        {"margin_s": 120},
        {"margin_s": 200},
        {"grace_s": -1},
        {"ttl_s": 3601},
        {"renewals": 1},
        {"renewals": 2, "margin_s": 30},
        {"ttl_s": 12, "margin_s": 9},
    ],
)
def test_unsafe_numbers_are_refused(numbers: dict[str, Any]) -> None:
    with pytest.raises(UnsafeLease, match="expected"):
        Lease(**numbers)


@given(
    ttl_s=st.floats(1, 600),
    margin_s=st.floats(0.1, 300),
    renewals=st.integers(2, 20),
    grace_s=st.floats(0, 60),
    sent_to_server_s=st.floats(0, 60),
    seen_s=st.floats(0, 2000),
)
def test_a_holder_stops_believing_before_anyone_may_take_over(
    *, ttl_s: float, margin_s: float, renewals: int, grace_s: float, sent_to_server_s: float, seen_s: float
) -> None:
    """The server stamps a renewal after it was sent; ``seen_s`` later somebody looks."""
    try:
        lease = Lease(ttl_s, grace_s, margin_s, renewals)
    except UnsafeLease:
        assume(False)
    updated = NOW + timedelta(seconds=sent_to_server_s)
    looked = updated + timedelta(seconds=seen_s)
    if looked >= lease.lock_expiry(updated):
        holder_age_s = (looked - NOW).total_seconds()
        assert holder_age_s >= lease.valid_s + margin_s + grace_s - 1e-3


def test_the_longer_ttl_of_holder_and_reader_counts() -> None:
    lease = Lease()
    assert lease.lock_expiry(NOW, 600) == NOW + timedelta(seconds=615)
    assert lease.lock_expiry(NOW, 6) == NOW + timedelta(seconds=135)
