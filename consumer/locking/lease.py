"""TTL, renewal and margin of lock and ledger. Staleness compares two times of one server, never a client's time.

::

    holder   renew ───────────────────────────▶ stops itself          (its monotonic clock: ttl - margin)
    server   updated ──────────────────────────────────▶ ttl ──▶ grace ──▶ others may take it

"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

#: The longest ttl. A longer one in a lock object is a damaged number, which must not keep a user waiting for years.
MAX_TTL_S: Final = 3600.0


class UnsafeLease(ValueError):
    """Settings under which a holder could still trust a lock that others may take."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Seconds. A holder renews every ``ttl_s / renewals`` and stops itself ``margin_s`` before ``ttl_s``."""

    ttl_s: float = 120.0
    grace_s: float = 15.0
    margin_s: float = 30.0
    renewals: int = 6

    def __post_init__(self) -> None:
        for rule, advice in (
            (
                self.ttl_s > 0 and self.margin_s > 0 and self.grace_s >= 0,
                "ttl and margin above 0 s, grace at least 0 s",
            ),
            (self.ttl_s <= MAX_TTL_S, f"ttl at most {MAX_TTL_S:.0f} s"),
            (self.renewals >= 2, "at least two renewals per ttl, so that one may fail"),
            (self.margin_s < self.ttl_s, "margin below ttl"),
            (2 * self.renew_every_s <= self.valid_s, "time for two renewals before ttl - margin"),
        ):
            if not rule:
                raise UnsafeLease(f"{self}: expected {advice}")

    @property
    def renew_every_s(self) -> float:
        return self.ttl_s / self.renewals

    @property
    def valid_s(self) -> float:
        """How long a holder may trust one renewal, from when it *sent* it, by its monotonic clock."""
        return self.ttl_s - self.margin_s

    def ledger_expired(self, updated: datetime, server_time: datetime) -> bool:
        """Whether the owner of a RUNNING ledger is presumed dead."""
        return server_time - updated >= timedelta(seconds=self.ttl_s)

    def lock_expiry(self, updated: datetime, ttl_s: float | None = None) -> datetime:
        """When a held lock may be taken over. ``ttl_s``: as its holder wrote it, which may be longer than ours, but not
        longer than ``MAX_TTL_S``, which no holder may exceed.
        """
        return updated + timedelta(seconds=max(self.ttl_s, min(ttl_s or 0.0, MAX_TTL_S)) + self.grace_s)
