"""A blocking call and a shutdown: who waits for whom."""

from __future__ import annotations

import contextvars
import threading

import pytest

from consumer import interruptible as module
from consumer.errors import ShuttingDown
from consumer.interruptible import interruptible
from tests.waiting import PATIENCE_S


class Shutdown(threading.Event):
    """Notes how often it is looked at, and lets the call answer at the ``answers_at``-th look."""

    def __init__(self, *, answers_at: int | None) -> None:
        super().__init__()
        self.answers_at, self.looks, self.answer = answers_at, 0, threading.Event()

    def is_set(self) -> bool:
        self.looks += 1
        if self.looks == self.answers_at:
            self.answer.set()
        return super().is_set()

    def act(self) -> str:
        assert self.answer.wait(PATIENCE_S)
        return "answer"


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE_S", 0.001)


def test_without_a_shutdown_a_call_may_take_longer_than_the_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_S", 0.0)
    shutdown = Shutdown(answers_at=5)
    assert interruptible(shutdown.act, shutdown) == "answer"
    assert shutdown.looks >= 5


def test_a_call_that_answers_within_the_grace_has_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_S", PATIENCE_S)
    shutdown = Shutdown(answers_at=1)
    shutdown.set()
    assert interruptible(shutdown.act, shutdown) == "answer"


def test_a_call_that_does_not_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_S", 0.0)
    shutdown = Shutdown(answers_at=None)
    shutdown.set()
    with pytest.raises(ShuttingDown):
        interruptible(shutdown.act, shutdown)
    shutdown.answer.set()


def test_what_a_call_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0, threading.Event())


def test_a_call_runs_in_its_callers_context() -> None:
    trace: contextvars.ContextVar[str] = contextvars.ContextVar("trace", default="none")
    trace.set("mine")
    assert interruptible(trace.get, threading.Event()) == "mine"


def test_the_end_of_the_process_does_not_wait_for_a_call() -> None:
    assert interruptible(lambda: threading.current_thread().daemon, threading.Event())
