"""How many generated cases a test tries: few enough for every change by default, ``CASES=25`` for 25 times as many."""

from __future__ import annotations

import os
from typing import Final

#: What every number of cases is multiplied by; ``make soak`` raises it.
FACTOR: Final = float(os.environ.get("CASES", "1"))


def cases(number: int) -> int:
    """``number`` at the default factor, never less than one."""
    return max(1, round(number * FACTOR))
