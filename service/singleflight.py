"""One call for many threads: who comes while it runs waits for its result, its error included."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Shares one call between the threads that need its result at the same time. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: Future[T] | None = None

    def do(self, act: Callable[[], T], wait_s: float) -> T:
        """The result of ``act``, or of a call that already runs.

        Raises TimeoutError: the call of another thread took longer than ``wait_s`` seconds. Whatever the call raises;
        then the next ``do`` calls again.
        """
        with self._lock:
            running = self._running
            if running is None:
                self._running = Future()
        if running is not None:
            return running.result(wait_s)
        return self._lead(act)

    def _lead(self, act: Callable[[], T]) -> T:
        mine = self._running
        assert mine is not None
        try:
            result = act()
        except BaseException as exc:
            self._land()
            mine.set_exception(exc)
            raise
        self._land()
        mine.set_result(result)
        return result

    def _land(self) -> None:
        with self._lock:
            self._running = None
