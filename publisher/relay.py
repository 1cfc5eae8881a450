"""Publishes the outbox to the topic: one relay at a time, in outbox order, marking rows only after the reply.

A crash between reply and mark publishes again, which is harmless; an unpublished row is never marked.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

import psycopg

from publisher.batch import Batch, Message, plan
from publisher.outbox import Outbox
from publisher.tracing import publishing

log = logging.getLogger(__name__)

BATCH: Final = 500
#: A second relay checks this often whether the first has gone.
TAKEOVER_S: Final = 1.0
#: How long ``once`` waits for the lead.
ONCE_WAIT_S: Final = 10.0
#: After a failed publish or a lost database.
PAUSE_S: Final = 1.0
#: The leading session's sign of life; the server ends a session that is silent for ten seconds.
BEAT_S: Final = 3.0
#: A relay that has not heard of the database for that long is not ready.
SILENT_S: Final = 15.0
#: A stop takes effect within this time.
SLICE_S: Final = 0.5
SWEEP_EVERY_S: Final = 60.0

State = Literal["starting", "leading", "waiting", "failing", "stopped"]


class Publisher(Protocol):
    """What the relay uses of publisher.topic.JobsTopic."""

    def publish_all(self, messages: Sequence[Message]) -> Mapping[int, str]: ...


@dataclass
class OutboxRelay:
    """``connect`` opens a dedicated session; ``monotonic`` is in seconds; ``hint``: what to check when it fails."""

    connect: Callable[[], Outbox]
    topic: Publisher
    monotonic: Callable[[], float]
    poll_s: float
    stale_s: float
    sweep_every_s: float = SWEEP_EVERY_S
    hint: str = ""
    state: State = "starting"
    published: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)
    _swept_at: float | None = None
    _heard_at: float | None = None

    def run(self) -> None:
        """Run until ``stop``; reconnect when the database is unreachable."""
        while not self._stop.is_set():
            try:
                self._session(self.connect())
            except psycopg.Error as exc:
                self.state = "failing"
                log.warning("publisher: the database is unreachable (%s); retrying. %s", type(exc).__name__, self.hint)
                self._stop.wait(PAUSE_S)
        self.state = "stopped"

    def is_heard(self) -> bool:
        """Whether the database has answered lately, in the session in which this relay leads or waits to."""
        return self._heard_at is None or self.monotonic() - self._heard_at < SILENT_S

    def stop(self) -> None:
        self._stop.set()

    def once(self) -> int:
        """Publish waiting, due and stale jobs; return the number. For a schedule instead of a service; where a service
        leads, the service publishes them.

        Raises psycopg.Error: no database. RuntimeError: the topic refused some; their rows are left.
        """
        outbox = self.connect()
        try:
            until = self.monotonic() + ONCE_WAIT_S
            while not outbox.try_lead():
                if self._stop.wait(TAKEOVER_S) or self.monotonic() > until:
                    log.info("publisher: another relay leads")
                    return 0
            self._enqueue(outbox)
            if not self.drain(outbox):
                raise RuntimeError("some outbox rows could not be published; they stay in the outbox for the next run")
            return self.published
        finally:
            outbox.connection.close()

    def _session(self, outbox: Outbox) -> None:
        with outbox.connection:
            self.state = "waiting"
            while not outbox.try_lead():
                self._heard_at = self.monotonic()
                if self._stop.wait(TAKEOVER_S):
                    return
            self._heard_at = self.monotonic()
            outbox.listen()
            self.state = "leading"
            log.info("publisher: leading")
            while not self._stop.is_set():
                self._enqueue(outbox)
                if self.drain(outbox):
                    self.state = "leading"
                    self._idle(outbox)
                else:
                    self.state = "failing"
                    self._stop.wait(PAUSE_S)

    def _idle(self, outbox: Outbox) -> None:
        """Wait until the outbox changes, the next poll is due, or the relay stops."""
        until = self.monotonic() + self.poll_s
        while not self._stop.is_set() and (left := until - self.monotonic()) > 0:
            if outbox.wait(min(SLICE_S, left)):
                return
            self._beat(outbox)

    def _beat(self, outbox: Outbox) -> None:
        now = self.monotonic()
        if self._heard_at is None or now - self._heard_at >= BEAT_S:
            outbox.beat()
            self._heard_at = self.monotonic()

    def _enqueue(self, outbox: Outbox) -> None:
        if due := outbox.enqueue_due():
            log.info("publisher: %d retries are due", due)
        now = self.monotonic()
        if self._swept_at is None or now - self._swept_at >= self.sweep_every_s:
            self._swept_at = now
            if stale := outbox.enqueue_stale(self.stale_s):
                log.warning("publisher: publishing %d jobs again that nobody works on", stale)

    def drain(self, outbox: Outbox) -> bool:
        """Publish until nothing waits; False when some messages failed, which then wait for the next round."""
        while rows := outbox.waiting(BATCH):
            with publishing(rows) as traced:
                published = self._publish(outbox, plan(traced))
            if not published:
                return False
            if self._stop.is_set():
                break
        return True

    def _publish(self, outbox: Outbox, batch: Batch) -> bool:
        for _, job_id in batch.refused:
            log.error("publisher: job %s is not a valid event and was not published; correct its row", job_id)
        confirmed = self._sent(outbox, batch.messages) if batch.messages else {}
        jobs = [message.job_id for message in batch.messages if message.outbox_id in confirmed]
        failed = [message.outbox_id for message in batch.messages if message.outbox_id not in confirmed]
        without: dict[int, str | None] = dict.fromkeys((*batch.settled, *(row for row, _ in batch.refused)))
        outbox.mark({**without, **confirmed}, jobs, failed)
        self.published += len(confirmed)
        if failed:
            log.warning("publisher: %d of %d messages were not confirmed", len(failed), len(batch.messages))
        return not failed

    def _sent(self, outbox: Outbox, messages: Sequence[Message]) -> Mapping[int, str]:
        """The confirmed messages. A topic that is slow must not cost the lead, so the session beats meanwhile."""
        with ThreadPoolExecutor(1, "publish") as thread:
            sending = thread.submit(self.topic.publish_all, messages)
            while not wait((sending,), timeout=BEAT_S).done:
                outbox.beat()
            return sending.result()
