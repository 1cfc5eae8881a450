"""A plugin of pytest: SIGTERM ends a run as Ctrl-C does.

By default, SIGTERM ends pytest at once: no fixture is torn down, and the servers that fixtures started go on in folders
that whoever sent the signal removes. xdist's workers get the signal from their controller, which waits ten seconds for
them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from types import FrameType
from typing import Any

import pytest

_workers: list[int] = []


def pytest_configure() -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_newgateway(gateway: Any) -> None:
    # As xdist's own progress line does: nothing public has a worker's process id.
    _workers.append(gateway._rinfo().pid)


def _end(_number: int, _frame: FrameType | None) -> None:
    # Further signals would interrupt the fixtures' own endings; execnet sends SIGINT to a worker that takes its time.
    # Processes that start from now on do not inherit this, as they would SIG_IGN.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    for worker in _workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGTERM)
    raise KeyboardInterrupt
