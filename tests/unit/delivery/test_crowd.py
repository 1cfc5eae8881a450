from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from consumer.delivery.handler import Handler
from tests.spine import World, job_id
from tests.spine_crowd import Crowd, events, user

pytestmark = pytest.mark.properties


def test_every_job_takes_effect_once_however_often_it_is_delivered(tmp_path: Path) -> None:
    world = World(tmp_path)

    def consumer() -> Handler:
        handler = world.handler()
        return replace(handler, parts=replace(handler.parts, retry_delays_s=(5,)))

    crowd = Crowd(world, consumer)
    jobs = events(60, users=6)
    crowd.run(jobs, consumers=4)

    histories = [world.heads.chain(user(n)) for n in range(6)]
    assert sorted(job for history in histories for job in history) == [job_id(n) for n in range(1, 61)]
    for number, history in enumerate(histories):
        assert {world.plane.rows[job].event.user_id for job in history} == {user(number)}
    assert {row.completions for row in world.plane.rows.values()} == {1}
    assert world.plane.conflicts == 0
    assert crowd.outcomes["done"] == 60
