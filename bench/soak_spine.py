"""Soak of claim, lock and HEAD: random schedules of several mortal processes. Example: python -m bench.soak_spine 10000

Ends with the number of schedules that held, or with hypothesis's shortest failing one.
"""

from __future__ import annotations

import sys
import time

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.spine_machine import Spine

STEPS = 40


def main() -> int:
    schedules = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    began = time.monotonic()
    run_state_machine_as_test(
        Spine,
        settings=settings(
            max_examples=schedules,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
    print(f"{schedules} schedules of up to {STEPS} steps: no violation ({time.monotonic() - began:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
