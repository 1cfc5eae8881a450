"""Claim, lock and HEAD as a state machine: several processes, stopped at every request, killed, paused, refused, with
clocks of their own and replies that get lost. Hypothesis chooses the schedule; the invariants hold after every step.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from consumer import paths
from consumer.delivery.outcome import Outcome
from consumer.errors import BlobUnavailable, ControlPlaneUnavailable
from consumer.storage.memory import FakeClock, Killed, Op
from contract.event import JobEvent
from tests.spine import USER, World, a_delivery, an_event, job_id

Command = Literal["go", "kill before", "kill after", "refuse", "lose reply"]
COMMANDS: tuple[Command, ...] = ("go", "go", "go", "go", "kill before", "kill after", "refuse", "lose reply")
#: Where stopping matters: before the swap and the fence, before the outcome is recorded, before it is told.
PLACES = (
    "write HEAD",
    "write HEAD",
    f"write {job_id(1)}.json",
    "write lock.json",
    "complete",
    "read HEAD",
    "(the end)",
)
ACTORS = 3
JOBS = 3
#: A step of an actor is microseconds of work; waiting longer means that the harness itself hangs.
STEP_TIMEOUT_S = 60.0


class Actor:
    """One delivery in a thread of its own that stops before each request and goes on when told."""

    def __init__(self, number: int, job: int, run: Callable[[], Outcome]) -> None:
        self.job = job
        self.outcome: Outcome | None = None
        self.error: BaseException | None = None
        self.over = False
        #: The request it will make at its next step.
        self.waits_at = ""
        self._command: Command = "go"
        self._turn = threading.Semaphore(0)
        self._stopped = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._work, args=(run,), name=f"actor-{number}", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._await_stop()

    def step(self, command: Command) -> None:
        self._command = command
        self._turn.release()
        self._await_stop()
        if self.over:
            self._thread.join(STEP_TIMEOUT_S)

    def at_request(self, phase: str, request: str, unavailable: Callable[[str], Exception]) -> None:
        """Called in the actor's thread, before and after each request."""
        if phase == "before":
            self.waits_at = request
            self._stopped.release()
            self._turn.acquire()
            if self._command == "kill before":
                raise Killed
            if self._command == "refuse":
                raise unavailable("refused")
        elif self._command == "kill after":
            raise Killed
        elif self._command == "lose reply":
            raise unavailable("reply lost")

    def _work(self, run: Callable[[], Outcome]) -> None:
        try:
            self.outcome = run()
        except Killed:
            pass
        except BaseException as exc:  # noqa: BLE001 (a bug of the code under test: reported by the machine)
            self.error = exc
        self.over = True
        self._stopped.release()

    def _await_stop(self) -> None:
        assert self._stopped.acquire(timeout=STEP_TIMEOUT_S), "the actor neither stopped nor ended"


class Spine(RuleBasedStateMachine):
    """One user, three jobs, up to three processes at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._tmp = tempfile.TemporaryDirectory()
        self.world = self.make_world(Path(self._tmp.name))
        self.actors: list[Actor | None] = [None] * ACTORS
        self.clocks: list[FakeClock] = []
        self.here = threading.local()
        self.world.plane.fault = self._at_call
        self.fences: dict[str, int] = {}
        self.epoch = 0
        self.seq = 0

    def make_world(self, tmp: Path) -> World:
        return World(tmp)

    @initialize(skews=st.lists(st.integers(-86400, 86400), min_size=ACTORS, max_size=ACTORS))
    def enqueue(self, skews: list[int]) -> None:
        self.clocks = [FakeClock(self.world.clock.now() + timedelta(seconds=s)) for s in skews]
        for number in range(1, JOBS + 1):
            self.world.plane.add(self._event(number))

    # --- what may happen

    @precondition(lambda self: None in self.actors)
    @rule(number=st.integers(1, JOBS))
    def deliver(self, number: int) -> None:
        slot = self.actors.index(None)

        def run() -> Outcome:
            self.here.actor = actor
            blobs = self.world.blobs.as_seen_by(self._at_op)
            handler = self.world.handler(blobs, clock=self.clocks[slot])
            return handler.job(a_delivery(self._event(number), f"{number}-{slot}"))

        actor = Actor(slot, number, run)
        self.actors[slot] = actor
        actor.start()
        self._reap()

    @precondition(lambda self: any(self.actors))
    @rule(data=st.data(), command=st.sampled_from(COMMANDS), steps=st.integers(1, 12))
    def go_on(self, data: Any, command: Command, steps: int) -> None:
        """Some steps of one process; the last of them may be its last."""
        actor = self._one_of(data)
        for _ in range(steps - 1):
            if not actor.over:
                actor.step("go")
        if not actor.over:
            actor.step(command)
        self._reap()

    @precondition(lambda self: any(self.actors))
    @rule(data=st.data(), where=st.sampled_from(PLACES))
    def go_until(self, data: Any, where: str) -> None:
        """One process up to a request that matters, or to its end: chance alone stops there too rarely."""
        self._until(self._one_of(data), where)
        self._reap()

    @rule(seconds=st.sampled_from([1, 16, 140, 700]), frozen=st.booleans())
    def time_passes(self, seconds: int, *, frozen: bool) -> None:
        """For the bucket always; for processes that were suspended not."""
        self.world.clock.advance(seconds)
        for slot, clock in enumerate(self.clocks):
            if not (frozen and self.actors[slot]):
                clock.advance(seconds)

    @precondition(lambda self: any(self.actors) and None in self.actors)
    @rule(data=st.data(), cancelled=st.booleans(), where=st.sampled_from(PLACES))
    def suspend_and_take_over(self, data: Any, where: str, *, cancelled: bool) -> None:
        """A process is suspended past its leases, and its own job (or another) goes to a new process."""
        suspended = self._one_of(data)
        self.time_passes(140, frozen=True)
        if cancelled:
            self.cancel(suspended.job)
        before = list(self.actors)
        self.deliver(data.draw(st.sampled_from([suspended.job, suspended.job, *range(1, JOBS + 1)])))
        for successor in self.actors:
            if successor and successor not in before:
                self._until(successor, where)
        self._reap()

    @rule(number=st.integers(1, JOBS))
    def cancel(self, number: int) -> None:
        self.world.plane.rows[job_id(number)].cancel_requested = True

    # --- what must hold

    @invariant()
    def one_effect_each_and_none_for_jobs_that_ended_without(self) -> None:
        history = self._history()
        assert len(history) == len(set(history)), history
        assert self.world.plane.conflicts == 0
        for job, row in self.world.plane.rows.items():
            assert row.completions <= 1
            if row.status in ("failed", "cancelled"):
                assert job not in history, (job, row.status)
            if row.completion and row.completion.outcome == "completed":
                assert job in history

    @invariant()
    def epochs_seqs_and_fences_only_rise(self) -> None:
        head = self._peek(paths.head(USER)) or {"epoch": 0, "seq": 0}
        assert head["epoch"] >= self.epoch
        assert head["seq"] >= self.seq
        self.epoch, self.seq = head["epoch"], head["seq"]
        for number in range(1, JOBS + 1):
            ledger = self._peek(paths.ledger(job_id(number)))
            fence = ledger["fence"] if ledger else 0
            assert fence >= self.fences.get(job_id(number), 0)
            self.fences[job_id(number)] = fence

    def teardown(self) -> None:
        try:
            self._kill_all()
            self._converge()
        finally:
            self._tmp.cleanup()

    # --- inside

    def _converge(self) -> None:
        rows = self.world.plane.rows
        self.world.plane.fault = lambda _call: None
        for _ in range(15):
            for number in range(1, len(rows) + 1):
                self.world.clock.advance(700)
                self.world.handler().job(a_delivery(self._event(number)))
            if all(self._over(job) for job in rows):
                break
        assert all(self._over(job) for job in rows), {job: row.status for job, row in rows.items()}
        self.one_effect_each_and_none_for_jobs_that_ended_without()
        for job, row in rows.items():
            assert row.completions == 1
            if row.completion and row.completion.outcome == "completed":
                assert self._history().count(job) == 1

    def _over(self, job: str) -> bool:
        ledger = self._peek(paths.ledger(job))
        return self.world.plane.rows[job].status in ("completed", "failed", "cancelled") and bool(
            ledger and ledger["delivered"]
        )

    def _one_of(self, data: Any) -> Actor:
        actor = self.actors[data.draw(st.sampled_from([n for n, alive in enumerate(self.actors) if alive]))]
        assert actor is not None
        return actor

    def _until(self, actor: Actor, where: str) -> None:
        while not actor.over:
            actor.step("go")
            if where in actor.waits_at:
                return

    def _kill_all(self) -> None:
        for actor in self.actors:
            while actor and not actor.over:
                actor.step("kill before")

    def _reap(self) -> None:
        for slot, actor in enumerate(self.actors):
            if actor and actor.over:
                self.actors[slot] = None
                if actor.error:
                    raise actor.error

    def _event(self, number: int) -> JobEvent:
        if number == JOBS:
            return an_event(number, job_type="insight", period="2026-11-27")
        return an_event(number)

    def _at_op(self, op: Op) -> None:
        self.here.actor.at_request(op.phase, f"{op.verb} {op.name.rpartition('/')[2]}", BlobUnavailable)

    def _at_call(self, call: str) -> None:
        actor = getattr(self.here, "actor", None)
        if actor:
            actor.at_request("after" if call.startswith("completed") else "before", call, ControlPlaneUnavailable)

    def _peek(self, name: str) -> dict[str, Any] | None:
        blob = self.world.blobs.peek(name)
        return dict(json.loads(blob.data)) if blob else None

    def _history(self) -> list[str]:
        """Job ids from HEAD back, without a request."""
        head = self._peek(paths.head(USER)) or {"seq": 0, "commit": None}
        seq, digest, commits = head["seq"], head["commit"], []
        while digest:
            commit = self._peek(paths.commit(USER, seq, digest))
            assert commit is not None, "HEAD names a commit that is not there"
            commits.append(commit["job_id"])
            seq, digest = seq - 1, commit["parent"]
        return commits[::-1]
