"""Jobs that wait for their user's lock: ``users/{user_id}/parked/{job_id}.json``, published again on its release.

Parked files are hints. If one is lost or unreadable, the sweep retries the job by ``retry_at`` in its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import orjson
from pydantic import ValidationError

from consumer import paths
from consumer.errors import BlobNotFound, BlobUnavailable, PreconditionFailed, ShuttingDown, TopicUnavailable
from consumer.ports import BlobStat, BlobStore, Topic
from contract.event import JobEvent
from service import telemetry

#: Parked jobs read when ticks coalesce; more hourly digests of one user never wait.
MAX_LOOKED_AT: Final = 100


@dataclass(frozen=True, slots=True)
class Parking:
    blobs: BlobStore
    jobs_topic: Topic

    def park(self, event: JobEvent) -> None:
        """Write the parked file. Repeatable: the job keeps its place in the queue. Raises BlobUnavailable."""
        name = paths.parked(event.user_id, event.job_id)
        with suppress(PreconditionFailed):
            self.blobs.write(name, event.encode(), if_generation=0, content_type="application/json")

    def forget(self, user_id: str, job_id: str) -> None:
        """Delete the parked file if it exists. Raises BlobUnavailable."""
        with suppress(BlobNotFound):
            self._delete(self.blobs.stat(paths.parked(user_id, job_id)))

    def superseded(self, event: JobEvent) -> bool:
        """Whether a job that waits for the user's lock makes this one superfluous: a newer hourly digest an older one,
        any job a dream.
        """
        if event.job_type == "dream":
            return any(parked.job_id != event.job_id for parked in self._events(event.user_id))
        return self.newer_digest(event) is not None

    def newer_digest(self, event: JobEvent) -> str | None:
        """The period of a parked hourly digest that supersedes this one, or None."""
        if event.job_type != "hourly_digest" or event.period is None:
            return None
        periods = [
            parked.period
            for parked in self._events(event.user_id)
            if parked.job_type == event.job_type and parked.job_id != event.job_id and parked.period
        ]
        return max((period for period in periods if period > event.period), default=None)

    def hand_over(self, user_id: str, finished_job_id: str | None) -> str | None:
        """After the lock was released: delete the parked file of ``finished_job_id`` (None: it neither ran nor was
        settled), publish the oldest other parked job again and return its id. Raises nothing: the sweep retries a
        parked job that is not published here.
        """
        try:
            return self._hand_over(user_id, finished_job_id)
        except (BlobUnavailable, TopicUnavailable, ShuttingDown) as exc:
            telemetry.log("hand-over failed", user_id=user_id, code=exc.code)
            return None

    def _hand_over(self, user_id: str, finished_job_id: str | None) -> str | None:
        waiting = sorted(self.blobs.list(paths.parked(user_id)), key=lambda stat: (stat.updated, stat.name))
        finished = paths.parked(user_id, finished_job_id) if finished_job_id else None
        for stat in waiting:
            if stat.name == finished:
                self._delete(stat)
        for stat in waiting:
            if stat.name == finished:
                continue
            event = self._event(stat)
            if event:
                self.jobs_topic.publish(event.encode(), event.attributes())
            # Pub/Sub has the job now. If the file stayed and its job was done elsewhere, every hand-over would publish
            # that job and never the ones behind it. A job that finds the lock taken parks again.
            self._delete(stat)
            if event:
                return event.job_id
        return None

    def _events(self, user_id: str) -> Iterator[JobEvent]:
        for number, stat in enumerate(self.blobs.list(paths.parked(user_id))):
            if number >= MAX_LOOKED_AT:
                return
            if event := self._event(stat):
                yield event

    def _event(self, stat: BlobStat) -> JobEvent | None:
        try:
            return JobEvent.model_validate(orjson.loads(self.blobs.read(stat.name).data))
        except (BlobNotFound, ValidationError, orjson.JSONDecodeError) as exc:
            telemetry.log("parked file unreadable", name=stat.name, reason=type(exc).__name__)
            return None

    def _delete(self, stat: BlobStat) -> None:
        with suppress(BlobNotFound, PreconditionFailed):
            self.blobs.delete(stat.name, if_generation=stat.generation)
