"""The spine's world over a real wire: the same views, faults and looks, on buckets of the embedded server.

The server runs on the world's own clock, so that leases expire when a test says so.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import urllib3

from consumer.errors import BlobNotFound
from consumer.ports import Blob, BlobStat
from consumer.storage.gcs import GcsBlobStore
from consumer.storage.memory import FakeClock, Fault, Op, Verb, no_fault
from local.gcs.server import serve
from service.clock import SystemClock
from tests.spine import FakeHeads, World

T = TypeVar("T")


@dataclass
class WireBlobs:
    """What tests use of MemoryBlobStore, over the wire."""

    store: GcsBlobStore
    fault: Fault = no_fault
    ops: list[Op] = field(default_factory=list)

    def as_seen_by(self, fault: Fault) -> WireBlobs:
        return WireBlobs(self.store, fault, self.ops)

    def peek(self, name: str) -> Blob | None:
        try:
            return self.store.read(name)
        except BlobNotFound:
            return None

    def names(self, prefix: str = "") -> list[str]:
        return [stat.name for stat in self.store.list(prefix)]

    def read(self, name: str) -> Blob:
        return self._run("read", name, lambda: self.store.read(name))

    def read_range(self, name: str, offset: int, length: int) -> bytes:
        return self._run("read_range", name, lambda: self.store.read_range(name, offset, length))

    def stat(self, name: str) -> BlobStat:
        return self._run("stat", name, lambda: self.store.stat(name))

    def write(self, name: str, data: bytes, *, if_generation: int | None, content_type: str = "") -> BlobStat:
        kind = content_type or "application/octet-stream"
        return self._run(
            "write", name, lambda: self.store.write(name, data, if_generation=if_generation, content_type=kind)
        )

    def delete(self, name: str, *, if_generation: int) -> None:
        self._run("delete", name, lambda: self.store.delete(name, if_generation=if_generation))

    def list(self, prefix: str, *, start_after: str = "") -> Iterator[BlobStat]:
        return iter(self._run("list", prefix, lambda: [*self.store.list(prefix, start_after=start_after)]))

    def _run(self, verb: Verb, name: str, act: Callable[[], T]) -> T:
        op = Op(len(self.ops) + 1, verb, name)
        self.ops.append(op)
        self.fault(op)
        result = act()
        self.fault(replace(op, phase="after"))
        return result


class Wire:
    """One server, a bucket for each world, one clock at a time."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.url = ""
        self._numbers = itertools.count(1)
        self._pool = urllib3.PoolManager()

    def now(self) -> datetime:
        return self.clock.now()

    def world(self, tmp: Path) -> World:
        bucket = f"world-{next(self._numbers)}"
        self._pool.request("POST", f"{self.url}/storage/v1/b?project=test", json={"name": bucket})
        made = World(tmp)
        self.clock = made.clock
        blobs: Any = WireBlobs(GcsBlobStore.connect(bucket, SystemClock(), endpoint=self.url))
        made.blobs = blobs
        made.heads = FakeHeads(blobs)
        return made

    def close(self) -> None:
        self._pool.clear()


@contextmanager
def wire(data: Path) -> Iterator[Wire]:
    wire = Wire(FakeClock())
    with serve(data, now=wire.now) as url:
        wire.url = url
        yield wire
        wire.close()
