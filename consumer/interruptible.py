"""A blocking call that SIGTERM ends: the process has ten seconds to record its outcome and to free the user's lock."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Final, TypeVar

from consumer.errors import ShuttingDown

T = TypeVar("T")
#: How often a waiting call looks for a shutdown.
SLICE_S: Final = 0.25
#: How long a call may still take once the process is stopping.
GRACE_S: Final = 2.0


def interruptible(act: Callable[[], T], shutdown: threading.Event) -> T:
    """The result of ``act``, which runs in a thread of its own in the caller's context (trace).

    Raises ShuttingDown: it had no result ``GRACE_S`` after ``shutdown`` was set. Its thread ends with the process.
    Whatever ``act`` raises.
    """
    result: Future[T] = Future()
    context = contextvars.copy_context()
    # A daemon: a pool's threads would be waited for when the process ends.
    threading.Thread(target=_run, args=(context, act, result), name="call", daemon=True).start()
    while not wait((result,), timeout=SLICE_S).done:
        if shutdown.is_set() and not wait((result,), timeout=GRACE_S).done:
            raise ShuttingDown("the instance is shutting down, and a call to another service has not been answered")
    return result.result()


def _run(context: contextvars.Context, act: Callable[[], T], result: Future[T]) -> None:
    try:
        result.set_result(context.run(act))
    except BaseException as exc:  # noqa: BLE001 (raised again in the thread that waits)
        result.set_exception(exc)
