"""A conditional write whose reply may be lost: ask again, and recognise our own success.

The object carries the writer's ``put_id``. A repeated write that meets its own first success gets 412; reading back
shows the id, and the write counts as done. The transport's own retries are off for these objects, so this is the only
retry there is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from consumer.core.errors import BlobNotFound, BlobUnavailable, PreconditionFailed
from consumer.core.retry import failed_first
from consumer.ports import Blob, BlobStat, BlobStore, Clock

#: Tries of one write, and of the reading back. With the waits below it ends well inside a lease.
TRIES: Final = 5
_WAIT: Final = wait_exponential_jitter(multiplier=0.1, max=4.0, jitter=0.2)
#: GCS takes about one write a second and object name; a longer Retry-After is not waited for here.
_MAX_ASKED_S: Final = 5.0

T = TypeVar("T")


class Overtaken(Exception):
    """Another writer was first. ``found`` is what it wrote, None if the object is gone."""

    def __init__(self, name: str, found: Blob | None) -> None:
        super().__init__(f"{name}: another writer was first")
        self.found = found


@dataclass(frozen=True, slots=True)
class ConditionalWriter:
    blobs: BlobStore
    clock: Clock

    def put(self, name: str, data: bytes, *, if_generation: int, is_mine: Callable[[bytes], bool]) -> BlobStat:
        """Write over exactly that generation (0: only if absent).

        Raises:
            Overtaken: the object is not what the caller read, and not what it wrote.
            BlobUnavailable: the outcome stays unknown; the object may or may not be ours.
        """

        def once() -> BlobStat:
            try:
                return self.blobs.write(name, data, if_generation=if_generation, content_type="application/json")
            except PreconditionFailed:
                return self._mine_or_overtaken(name, is_mine)

        return self._repeating(once)

    def read(self, name: str) -> Blob | None:
        """The live object, or None. Raises BlobUnavailable."""

        def once() -> Blob | None:
            try:
                return self.blobs.read(name)
            except BlobNotFound:
                return None

        return self._repeating(once)

    def delete(self, name: str, *, if_generation: int) -> None:
        """Delete exactly that generation; gone already is as good. Raises Overtaken, BlobUnavailable."""

        def once() -> None:
            try:
                self.blobs.delete(name, if_generation=if_generation)
            except BlobNotFound:
                return
            except PreconditionFailed:
                raise Overtaken(name, None) from None

        self._repeating(once)

    def _mine_or_overtaken(self, name: str, is_mine: Callable[[bytes], bool]) -> BlobStat:
        try:
            found = self.blobs.read(name)
        except BlobNotFound:
            raise Overtaken(name, None) from None
        if is_mine(found.data):
            return found.stat
        raise Overtaken(name, found) from None

    def _repeating(self, once: Callable[[], T]) -> T:
        # A write that succeeds at once, as nearly all do, need not pay for the machinery of those that do not.
        try:
            return once()
        except BlobUnavailable as exc:
            return self._retrying()(failed_first(exc, once))

    def _retrying(self) -> Retrying:
        return Retrying(
            retry=retry_if_exception_type(BlobUnavailable),
            stop=stop_after_attempt(TRIES),
            wait=_wait,
            sleep=self.clock.sleep,
            reraise=True,
        )


class Held:
    """One object that we hold: every write goes over the generation of our last one.

    A write whose outcome stayed unknown may have landed; when a later one meets it, it is ours and we go on from there.
    Not thread-safe: its owner locks.
    """

    def __init__(self, writer: ConditionalWriter, stat: BlobStat, put_id_of: Callable[[bytes], str | None]) -> None:
        self._writer = writer
        self._put_id_of = put_id_of
        self._doubts: set[str] = set()
        self.stat = stat

    def put(self, data: bytes, put_id: str) -> BlobStat:
        """Raises Overtaken, BlobUnavailable (outcome unknown; may be repeated)."""
        try:
            self.stat = self._put(data, put_id)
        except Overtaken as exc:
            if exc.found is None or self._put_id_of(exc.found.data) not in self._doubts:
                raise
            self.stat = exc.found.stat
            self.stat = self._put(data, put_id)
        return self.stat

    def delete(self) -> None:
        """Delete the object as we wrote it last. Raises Overtaken, BlobUnavailable."""
        self._writer.delete(self.stat.name, if_generation=self.stat.generation)

    def _put(self, data: bytes, put_id: str) -> BlobStat:
        try:
            return self._writer.put(
                self.stat.name,
                data,
                if_generation=self.stat.generation,
                is_mine=lambda found: self._put_id_of(found) == put_id,
            )
        except BlobUnavailable:
            self._doubts.add(put_id)
            raise


def _wait(state: RetryCallState) -> float:
    exc = state.outcome.exception() if state.outcome else None
    asked = exc.retry_after_s if isinstance(exc, BlobUnavailable) else None
    return min(asked, _MAX_ASKED_S) if asked else _WAIT(state)
