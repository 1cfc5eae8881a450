"""How often one user may call: a token bucket for each user and kind of call, in this process."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from reader.errors import CallRefusal

Kind = Literal["read", "ask", "model", "correct", "forget", "export", "sign_in"]
#: Users remembered; of more, those who called least recently start anew.
USERS: Final = 20_000


class Rate(NamedTuple):
    """``burst`` calls at once, and ``a_minute`` on average."""

    burst: int
    a_minute: int


RATES: Final[Mapping[Kind, Rate]] = {
    "read": Rate(120, 240),
    "ask": Rate(20, 30),
    # Of these questions, the ones that a model may answer: each costs money.
    "model": Rate(10, 10),
    # Somebody who tidies their list taps about once a second.
    "correct": Rate(30, 60),
    # A list looks through the whole memory; nobody decides faster.
    "forget": Rate(10, 10),
    "export": Rate(3, 1),
    "sign_in": Rate(10, 10),
}


@dataclass
class Limits:
    """Thread-safe. ``monotonic`` is in seconds."""

    monotonic: Callable[[], float]
    rates: Mapping[Kind, Rate] = field(default_factory=lambda: RATES)
    #: (who, kind) -> (calls left, as of when).
    _left: OrderedDict[tuple[str, Kind], tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, who: str, kind: Kind) -> None:
        """Count one call. Raises CallRefusal 429 with the seconds to wait."""
        rate = self.rates[kind]
        with self._lock:
            now = self.monotonic()
            left, since = self._left.get((who, kind), (float(rate.burst), now))
            left = min(float(rate.burst), left + (now - since) * rate.a_minute / 60)
            self._left[who, kind] = (left - 1 if left >= 1 else left, now)
            self._left.move_to_end((who, kind))
            while len(self._left) > USERS:
                self._left.popitem(last=False)
        if left < 1:
            wait_s = math.ceil((1 - left) * 60 / rate.a_minute)
            raise CallRefusal(
                429,
                "too_many_calls",
                f"At most {rate.a_minute} of these calls are allowed in a minute",
                hint=f"Wait {wait_s} s.",
                retryable=True,
                retry_after_s=wait_s,
            )
