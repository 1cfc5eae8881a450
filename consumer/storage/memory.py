"""The ports in memory: the same guarantees as the real ones, a clock that tests advance, and faults on demand.

A fault is a callable that sees every operation twice. If it raises ``before``, the operation has no effect; if it
raises ``after``, it took effect and the reply was lost. It runs outside the store's lock, so it may block (to hold a
schedule at a point), advance the clock (a slow reply), or call the store (another process acting in between).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal, TypeVar

from consumer import paths, retry
from consumer.errors import BlobNotFound, BlobUnavailable, ConsumerError, PreconditionFailed, passing
from consumer.ports import Blob, BlobStat, Clock
from consumer.snapshot.suppression import Suppressed

Verb = Literal["read", "read_range", "stat", "write", "delete", "list", "publish"]

#: Names in one page of a listing, as in the real service; each page is one operation.
PAGE_NAMES = 1000


class Killed(BaseException):
    """The process dies here. Not an Exception, so that no handler of the code under test catches it."""


@dataclass(frozen=True, slots=True)
class Op:
    """One operation as a fault sees it. ``number`` counts from 1 over the whole store, the same in both phases."""

    number: int
    verb: Verb
    name: str
    phase: Literal["before", "after"] = "before"


Fault = Callable[[Op], None]
T = TypeVar("T")
#: Inside the class, ``list`` is a method, so these types need other names.
Page = list[BlobStat]
Names = list[str]
Ops = list[Op]


def no_fault(_op: Op) -> None:
    """No operation fails."""


# --- clock -------------------------------------------------------------------------------------------------------


class FakeClock:
    """A clock that only ``advance`` and ``sleep`` move. ``slept``: the seconds of every sleep."""

    def __init__(self, start: datetime = datetime(2026, 11, 27, 9, tzinfo=UTC)) -> None:
        if start.tzinfo is None:
            raise ValueError("expected an aware start time; attach a zone first")
        self._start = start
        self._elapsed_s = 0.0
        self._lock = threading.Lock()
        self.slept: list[float] = []

    def now(self) -> datetime:
        with self._lock:
            return self._start + timedelta(seconds=self._elapsed_s)

    def monotonic(self) -> float:
        with self._lock:
            return self._elapsed_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Move both clocks. Raises ValueError for a negative step."""
        if seconds < 0:
            raise ValueError(f"expected at least 0 s, got {seconds} s: time does not go back")
        with self._lock:
            self._elapsed_s += seconds


# --- faults ------------------------------------------------------------------------------------------------------


class Faults:
    """A fault plan by operation number: ``Faults().refuse(3).lose_reply(5).kill(8)``. Each entry fires once."""

    def __init__(self, clock: FakeClock | None = None) -> None:
        self._clock = clock
        self._plan: dict[tuple[int, str], Callable[[Op], None]] = {}
        self.fired: list[Op] = []

    def refuse(self, number: int, error: BaseException | None = None) -> Faults:
        """Operation ``number`` never reaches the store."""
        return self._plan_at(number, "before", _raiser(error, "the service did not answer"))

    def lose_reply(self, number: int, error: BaseException | None = None) -> Faults:
        """Operation ``number`` takes effect, but its caller gets no reply."""
        return self._plan_at(number, "after", _raiser(error, "the reply was lost"))

    def kill(self, number: int, *, after: bool = False) -> Faults:
        """The caller dies at operation ``number``, before or after it took effect."""
        return self._plan_at(number, "after" if after else "before", _raiser(Killed(f"operation {number}"), ""))

    def delay(self, number: int, seconds: float, *, after: bool = False) -> Faults:
        """Operation ``number`` takes (or its reply travels) this long on the fake clock."""
        clock = self._clock
        if clock is None:
            raise ValueError("delay needs the FakeClock: Faults(clock)")
        return self._plan_at(number, "after" if after else "before", lambda _op: clock.advance(seconds))

    def call(self, number: int, action: Callable[[], object], *, after: bool = False) -> Faults:
        """Another process acts just before (or after) operation ``number``."""
        return self._plan_at(number, "after" if after else "before", _ignoring_the_op(action))

    def __call__(self, op: Op) -> None:
        if action := self._plan.pop((op.number, op.phase), None):
            self.fired.append(op)
            action(op)

    def _plan_at(self, number: int, phase: str, action: Callable[[Op], None]) -> Faults:
        self._plan[number, phase] = action
        return self


def _ignoring_the_op(action: Callable[[], object]) -> Callable[[Op], None]:
    def act(_op: Op) -> None:
        action()

    return act


def _raiser(error: BaseException | None, reason: str) -> Callable[[Op], None]:
    def act(op: Op) -> None:
        raise error or BlobUnavailable(f"{op.verb} {op.name!r}: {reason} (operation {op.number})", passing=True)

    return act


# --- bucket ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Bucket:
    """The state that all views of one bucket share."""

    clock: Clock
    fault: Fault
    objects: dict[str, Blob] = field(default_factory=dict)
    ops: list[Op] = field(default_factory=list)
    last_generation: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)


class MemoryBlobStore:
    """BlobStore in memory. Linearizable; safe to share between threads.

    Stores made with ``as_seen_by`` or ``for_prefix`` share objects and operation numbers, so that tests can run two
    processes with different faults against each other. Reads are repeated as in the real store.
    """

    def __init__(self, clock: Clock, fault: Fault = no_fault) -> None:
        self._bucket = _Bucket(clock, fault)
        self._fault: Fault | None = None
        self._prefix = ""

    # views

    def for_prefix(self, prefix: str) -> MemoryBlobStore:
        """The same bucket, refusing every name outside ``prefix``."""
        view = self._view()
        view._prefix = prefix
        return view

    def as_seen_by(self, fault: Fault) -> MemoryBlobStore:
        """The same bucket over another connection, with its own faults."""
        view = self._view()
        view._fault = fault
        return view

    def set_fault(self, fault: Fault = no_fault) -> None:
        """Replace the fault of this store (and of its views without their own)."""
        if self._fault is None:
            self._bucket.fault = fault
        else:
            self._fault = fault

    # for tests; none of these is an operation

    @property
    def ops(self) -> Ops:
        """Every operation so far, in order of arrival."""
        with self._bucket.lock:
            return list(self._bucket.ops)

    def names(self, prefix: str = "") -> Names:
        """Live names, in the service's order (UTF-8 bytes)."""
        with self._bucket.lock:
            return sorted((n for n in self._bucket.objects if n.startswith(prefix)), key=_order)

    def peek(self, name: str) -> Blob | None:
        """The live object, without an operation."""
        with self._bucket.lock:
            return self._bucket.objects.get(name)

    def contents(self) -> dict[str, tuple[int, bytes]]:
        """name -> (generation, data) of all live objects."""
        with self._bucket.lock:
            return {name: (blob.stat.generation, blob.data) for name, blob in self._bucket.objects.items()}

    # the port

    def read(self, name: str) -> Blob:
        return self._repeating("read", name, lambda: self._with_server_time(self._live(name)))

    def read_newer(self, name: str, generation: int) -> Blob | None:
        def act() -> Blob | None:
            blob = self._with_server_time(self._live(name))
            return None if blob.stat.generation == generation else blob

        return self._repeating("read", name, act)

    def read_range(self, name: str, offset: int, length: int) -> bytes:
        def act() -> bytes:
            part = self._live(name).data[offset : offset + length]
            if len(part) != length:
                raise BlobUnavailable(f"read {name!r}: requested {length} bytes from {offset}, got {len(part)}")
            return part

        return self._repeating("read_range", name, act)

    def stat(self, name: str) -> BlobStat:
        return self._repeating("stat", name, lambda: self._with_server_time(self._live(name)).stat)

    def write(
        self, name: str, data: bytes, *, if_generation: int | None, content_type: str = "application/octet-stream"
    ) -> BlobStat:
        del content_type  # The real service stores it; our code never reads it.
        return self._run("write", name, lambda: self._put(name, bytes(data), if_generation))

    def delete(self, name: str, *, if_generation: int) -> None:
        def act() -> None:
            generation = self._live(name).stat.generation
            self._require(name, generation, if_generation)
            del self._bucket.objects[name]

        self._run("delete", name, act)

    def list(self, prefix: str, *, start_after: str = "") -> Iterator[BlobStat]:
        paths.require_prefix(self._prefix, prefix)
        while True:
            page = self._repeating("list", prefix, partial(self._page, prefix, start_after))
            yield from page
            if len(page) < PAGE_NAMES:
                return
            start_after = page[-1].name

    # inside

    def _view(self) -> MemoryBlobStore:
        view = MemoryBlobStore.__new__(MemoryBlobStore)
        view._bucket, view._fault, view._prefix = self._bucket, self._fault, self._prefix
        return view

    def _repeating(self, verb: Verb, name: str, act: Callable[[], T]) -> T:
        return retry.repeated(partial(self._run, verb, name, act), retry.BLOB_READ, self._bucket.clock, passing)

    def _run(self, verb: Verb, name: str, act: Callable[[], T]) -> T:
        bucket = self._bucket
        paths.require_prefix(self._prefix, name)
        with bucket.lock:
            op = Op(len(bucket.ops) + 1, verb, name)
            bucket.ops.append(op)
            fault = self._fault or bucket.fault
        fault(op)
        with bucket.lock:
            result = act()
        fault(replace(op, phase="after"))
        return result

    def _live(self, name: str) -> Blob:
        blob = self._bucket.objects.get(name)
        if blob is None:
            raise BlobNotFound(f"no object {name!r}")
        return blob

    def _with_server_time(self, blob: Blob) -> Blob:
        return replace(blob, stat=replace(blob.stat, server_time=self._server_time(blob.stat.updated)))

    def _server_time(self, updated: datetime) -> datetime:
        # The real service's time comes from a Date header, in whole seconds and never before the object's own time.
        return max(self._bucket.clock.now().replace(microsecond=0), updated)

    def _require(self, name: str, generation: int, expected: int | None) -> None:
        if expected is not None and expected != generation:
            raise PreconditionFailed(f"{name!r}: expected generation {expected}, but it has {generation}")

    def _put(self, name: str, data: bytes, if_generation: int | None) -> BlobStat:
        bucket = self._bucket
        previous = bucket.objects.get(name)
        self._require(name, previous.stat.generation if previous else 0, if_generation)
        now = bucket.clock.now()
        bucket.last_generation = max(bucket.last_generation + 1, int(now.timestamp() * 1_000_000))
        stat = BlobStat(name, bucket.last_generation, len(data), updated=now, server_time=self._server_time(now))
        bucket.objects[name] = Blob(stat, data)
        return stat

    def _page(self, prefix: str, start_after: str) -> Page:
        after = _order(start_after)
        names = [name for name in self.names(prefix) if _order(name) > after or not start_after]
        return [self._with_server_time(self._live(name)).stat for name in names[:PAGE_NAMES]]


def _order(name: str) -> bytes:
    return name.encode()


# --- topic -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Published:
    message_id: str
    data: bytes
    attributes: Mapping[str, str]
    publish_time: datetime


class MemoryTopic:
    """Topic that keeps published messages in order. Message ids count from 1."""

    def __init__(self, clock: Clock, fault: Fault = no_fault) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._count = 0
        self.fault = fault
        self.messages: list[Published] = []

    def publish(self, data: bytes, attributes: Mapping[str, str]) -> str:
        with self._lock:
            self._count += 1
            op = Op(self._count, "publish", "")
        self.fault(op)
        with self._lock:
            message_id = str(len(self.messages) + 1)
            self.messages.append(Published(message_id, bytes(data), dict(attributes), publish_time=self._clock.now()))
        self.fault(replace(op, phase="after"))
        return message_id


# --- control plane -----------------------------------------------------------------------------------------------


class MemorySuppressions:
    """The database's copy of the suppressions. ``away``: the error that every call raises while it is set."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.rows: dict[str, Suppressed] = {}
        self.away: ConsumerError | None = None

    def suppressed(self, user_id: str) -> Suppressed:
        return self.suppress(user_id, Suppressed())

    def suppress(self, user_id: str, added: Suppressed) -> Suppressed:
        if self.away is not None:
            raise self.away
        with self._lock:
            stored = self.rows.get(user_id, Suppressed())
            # Only an operator's command sets ``begun_anew_at``.
            self.rows[user_id] = stored.union(replace(added, begun_anew_at=None))
            return self.rows[user_id]
