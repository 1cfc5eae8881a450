"""Many jobs of several users on several consumers, every message delivered twice and out of order.

A queue plays Pub/Sub: at least once, no order, messages that a consumer refuses come again.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from consumer.delivery.envelope import Delivery
from consumer.delivery.handler import Handler
from consumer.delivery.outcome import Outcome
from contract.event import JobEvent
from tests.spine import World, a_delivery, an_event

#: Deliveries of one job; more means that something goes round in circles.
MOST_DELIVERIES = 200


def user(number: int) -> str:
    return f"11111111-1111-4111-8111-{number:012d}"


def events(jobs: int, users: int) -> list[JobEvent]:
    """Inventories, so that no two of a user coalesce."""
    return [an_event(n, user_id=user(n % users), job_type="inventory", period="2026-11-27") for n in range(1, jobs + 1)]


@dataclass
class Crowd:
    """``make`` gives one consumer process; each gets a thread."""

    world: World
    make: Callable[[], Handler]
    seed: int = 7
    outcomes: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._changed = threading.Condition()
        self._at_work = 0
        self._queue: list[Delivery] = []
        self._deliveries: dict[str, int] = {}
        self._called = 0

    def run(self, jobs: list[JobEvent], consumers: int) -> None:
        """Until every row is over. Raises AssertionError when jobs go round in circles."""
        for event in jobs:
            self.world.plane.add(event)
        self._queue = [a_delivery(event, f"{n}-{copy}") for n, event in enumerate(jobs) for copy in (1, 2)]
        self._random.shuffle(self._queue)
        threads = [threading.Thread(target=self._consume) for _ in range(consumers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _consume(self) -> None:
        handler = self.make()
        while (delivery := self._next()) is not None:
            try:
                self._settle(delivery, handler.job(delivery))
            finally:
                with self._changed:
                    self._at_work -= 1
                    self._changed.notify_all()

    def _next(self) -> Delivery | None:
        with self._changed:
            self._take_hand_overs()
            while not self._queue and self._at_work:
                self._changed.wait()
                self._take_hand_overs()
            if not self._queue and not self._over():
                self._sweep()
            if not self._queue:
                return None
            self._at_work += 1
            return self._queue.pop(self._random.randrange(len(self._queue)))

    def _take_hand_overs(self) -> None:
        messages = self.world.jobs_topic.messages
        for message in messages[self._called :]:
            self._queue.append(Delivery(f"h-{message.message_id}", message.data, message.attributes))
        self._called = len(messages)

    def _sweep(self) -> None:
        """Rows that are not over are published again, as the publisher does after a while."""
        for row in self.world.plane.rows.values():
            if row.status not in ("completed", "failed", "cancelled"):
                self._queue.append(a_delivery(row.event, "sweep"))

    def _over(self) -> bool:
        return all(row.status in ("completed", "failed", "cancelled") for row in self.world.plane.rows.values())

    def _settle(self, delivery: Delivery, outcome: Outcome) -> None:
        job = delivery.attributes["job_id"]
        with self._changed:
            self.outcomes[outcome.name] = self.outcomes.get(outcome.name, 0) + 1
            # Pub/Sub waits before it delivers again what was busy. Here it comes back at once, until the other ends.
            self._deliveries[job] = self._deliveries.get(job, 0) + (outcome.name != "busy")
            assert self._deliveries[job] < MOST_DELIVERIES, f"job {job} goes round in circles: {outcome}"
            if outcome.http_status != 204:
                self._queue.append(delivery)
