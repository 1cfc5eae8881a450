"""The state machine of tests/spine_machine.py in a run short enough for every commit; `make soak` runs it longer."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.cases import cases
from tests.spine_machine import Spine

TestSchedules = Spine.TestCase
TestSchedules.settings = settings(
    max_examples=cases(25),
    stateful_step_count=40,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
