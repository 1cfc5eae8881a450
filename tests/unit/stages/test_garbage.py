"""The collector runs rarely (``bootstrap.settle_memory``): what a job leaves must be freed without it."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from bench.hourly import World

pytestmark = pytest.mark.workspaces

RECORDS = 30
CHANGED = 15


def test_a_job_builds_no_cycle_for_a_record(tmp_path: Path) -> None:
    world = World(tmp_path)
    for number in range(RECORDS):
        world.put(number, number)
    world.job("backfill_digest")
    for number in range(CHANGED):
        world.put(number, RECORDS + number)
    gc.collect()
    gc.disable()
    try:
        world.job("hourly_digest")
        left = gc.collect()
    finally:
        gc.enable()
        world.store.close()
    assert left < CHANGED
