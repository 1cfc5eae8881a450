"""A job that meets a paused queue: it is put back as it was, and nothing counts against it, however long that lasts."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest

from consumer.breakers import Breakers
from consumer.clients.controlplane import HttpControlPlane
from consumer.delivery import outcome as out
from consumer.delivery.envelope import Delivery
from consumer.delivery.ticks import FEW_USEFUL, PAUSED
from consumer.errors import ProviderBusy, QueuePaused
from consumer.storage.memory import FakeClock
from contract.api import TickResponse, TokenRequest, Usefulness
from contract.event import TickEvent
from service import telemetry
from tests.fixtures_telemetry import Lines
from tests.spine import FakeStage, World, a_delivery, an_event, job_id, raising
from tests.tables import table

BUSY = {"synthesize": FakeStage("synthesize", raising(ProviderBusy("all 2 slots are taken")))}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.plane.add(an_event())
    return world


def pause(world: World, *, on: bool = True) -> None:
    def refuse(call: str) -> None:
        if call == "open":
            raise QueuePaused("POST /token: 503 queue_paused")

    world.plane.fault = refuse if on else lambda _call: None


def counts(world: World, number: int = 1) -> dict[str, Any]:
    names = ("state", "failures", "interruptions", "waiting_for", "waiting_since")
    return {name: world.ledger(number)[name] for name in names}


def test_a_withheld_job_waits_and_nothing_is_counted(world: World) -> None:
    pause(world)
    for _ in range(30):
        outcome = world.handler().job(a_delivery(an_event()))
        assert (outcome.name, outcome.http_status, getattr(outcome, "code", "")) == (
            "retry_recorded", 204, "queue_paused")  # fmt: skip
        world.clock.advance(3600)
    waits = {"state": "RETRYING", "failures": 0, "interruptions": 0, "waiting_for": None, "waiting_since": None}
    assert counts(world) == waits
    assert world.dead_letters() == []
    pause(world, on=False)
    assert world.handler().job(a_delivery(an_event())) == out.Done(job_id(1), result="completed")


def test_a_replay_that_meets_a_pause_runs_when_it_ends(world: World) -> None:
    for _ in range(5):
        world.handler(stages={"index": FakeStage("index", raising(OSError("disk")))}).job(a_delivery(an_event()))
        world.clock.advance(3600)
    assert world.ledger()["state"] == "DEAD"
    replay = "bbbbbbbb-0000-4000-8000-000000000001"
    event = an_event(replay_id=replay, reason="again")
    row = world.plane.rows[job_id(1)]
    row.status, row.replay_id, row.completion = "queued", replay, None
    pause(world)
    assert world.handler().job(a_delivery(event)).name == "retry_recorded"
    pause(world, on=False)
    assert world.handler().job(a_delivery(event)).name == "done"


def test_a_days_wait_is_counted_from_the_end_of_a_pause(world: World) -> None:
    world.handler(stages=BUSY).job(a_delivery(an_event()))
    world.clock.advance(30 * 3600)
    resumed_at = world.clock.now() - timedelta(minutes=1)
    world.plane.overrides["queue_resumed_at"] = resumed_at
    assert world.handler(stages=BUSY).job(a_delivery(an_event())).name == "retry_recorded"
    assert counts(world)["waiting_since"] == resumed_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    world.clock.advance(23 * 3600)
    assert world.handler(stages=BUSY).job(a_delivery(an_event())).name == "retry_recorded"
    world.clock.advance(3600)
    ended = world.handler(stages=BUSY).job(a_delivery(an_event()))
    assert ended == out.Done(job_id(1), result="superseded"), "a digest that old tells old news"


def test_the_client_asks_once_and_takes_the_code_for_the_pause() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        error = {"code": "queue_paused", "message": "paused", "hint": "", "retryable": True}
        body = httpx.ByteStream(json.dumps({"error": error}).encode())
        return httpx.Response(503, stream=body, headers={"content-type": "application/json", "retry-after": "2"})

    client = httpx.Client(base_url="http://control.test", transport=httpx.MockTransport(answer))
    plane = HttpControlPlane(client, lambda: "token", FakeClock())
    with pytest.raises(QueuePaused):
        plane.open(job_id(1), TokenRequest(attempt=1, owner="o"))
    assert len(asked) == 1


def test_each_sweep_tells_what_pauses_withhold(world: World, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    gauges: dict[str, float] = {}
    monkeypatch.setattr(telemetry, "gauge", lambda name, value: gauges.update({name: value}))
    tick = Delivery("t", TickEvent(kind="sweep").encode(), {}, publish_time=world.clock.now())
    for pauses, withheld in ((0, 0), (2, 7), (0, 0)):
        world.plane.pages = [TickResponse(pauses=pauses, all_paused=True, withheld=withheld)]
        assert world.handler().tick(tick).name == "planned"
        assert gauges == {"queue_pauses": pauses, "withheld_jobs": withheld}
    assert [fields["withheld"] for message, fields in lines.seen if message == PAUSED] == [7]


def test_a_daily_tick_tells_when_few_claims_are_useful(
    world: World, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    gauges: dict[str, float] = {}
    monkeypatch.setattr(telemetry, "gauge", lambda name, value: gauges.update({name: value}))
    tick = Delivery("t", TickEvent(kind="daily").encode(), {}, publish_time=world.clock.now())
    fine = Usefulness(marks=40, useful=30)
    low = Usefulness(marks=50, useful=10, users=("79694297-da81-59b9-b0ee-3f50e8352d43",), low=True)
    for usefulness in (fine, low):
        world.plane.pages = [TickResponse(usefulness=usefulness)]
        assert world.handler().tick(tick).name == "planned"
        assert gauges == {"marked_claims": usefulness.marks, "useful_claims": usefulness.useful}
    [line] = [fields for message, fields in lines.seen if message == FEW_USEFUL]
    assert {name: line[name] for name in ("marks", "useful", "users")} == {"marks": 50, "useful": 10, "users": 1}


@table(
    ("kind", "age_s", "is_away", "answer", "asked"),
    [
        ("hourly", 0, True, "waiting", 0), ("hourly", 3599, True, "waiting", 0), ("hourly", 3600, True, "planned", 0),
        ("hourly", 0, False, "planned", 1), ("daily", 0, True, "planned", 1),
    ],
)  # fmt: skip
def test_while_a_service_is_away_an_hourly_tick_plans_nothing(
    kind: Any, age_s: int, is_away: bool, answer: str, asked: int
) -> None:
    with TemporaryDirectory() as folder:
        world = World(Path(folder))
        breakers = Breakers(world.clock)
        for _ in range(3 * is_away):
            breakers.failed("bucket", "bucket_unavailable")
        published = world.clock.now() - timedelta(seconds=age_s)
        tick = Delivery("t", TickEvent(kind=kind).encode(), {}, publish_time=published)
        world.plane.pages = [TickResponse()]
        outcome = world.handler(breakers=breakers).tick(tick)
        assert outcome.name == answer
        assert len(world.plane.pages) == 1 - asked
        assert ("hourly tick withheld: bucket is away" in str(outcome)) is (is_away and kind == "hourly")
