"""What the parent of a tool asks of the system, in which order, and what it makes of the answers; without a process."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from consumer.agent import namespaces, supervisor
from consumer.agent.supervisor import Supervisor
from tests.tables import table

Call = tuple[Any, ...]
CONTROL = 9


class Ended(Exception):
    """What the process would end with."""


class System:
    """Notes what is asked of the system; ``fails``: what it refuses."""

    def __init__(self, patch: pytest.MonkeyPatch, fails: str = "") -> None:
        self.calls: list[Call] = []
        self.patch, self.fails = patch, fails

    def note(self, place: Any, *names: str, returns: Any = None) -> None:
        for name in names:
            self.patch.setattr(place, name, self._noted(name, returns))

    def _noted(self, name: str, returns: Any) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            self.calls.append((name, *given, *named.values()))
            if name == self.fails:
                raise OSError(errno.EPERM, "refused")
            return returns

        return called


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    made = System(monkeypatch)

    def end(code: int) -> None:
        raise Ended(code)

    monkeypatch.setattr(os, "_exit", end)
    return made


# --- rights


def test_a_tool_of_the_own_user_may_dump_no_memory_and_gain_no_rights(system: System) -> None:
    system.note(resource, "setrlimit")
    system.note(supervisor, "prctl")
    supervisor.confine("-")
    assert system.calls == [("setrlimit", resource.RLIMIT_CORE, (0, 0)), ("prctl", supervisor.PR_SET_NO_NEW_PRIVS, 1)]


def test_a_tool_of_another_user_also_has_limits_and_no_groups_before_it_takes_on_the_user(system: System) -> None:
    system.note(resource, "setrlimit")
    system.note(os, "setgroups", "setresgid", "seteuid")
    system.note(supervisor, "prctl")
    supervisor.confine("61000:62000")
    limits = [("setrlimit", kind, (most, most)) for kind, most in supervisor.LIMITS]
    assert system.calls[1:] == [
        *limits,
        ("setgroups", []),
        ("setresgid", 62000, 62000, 62000),
        ("seteuid", 61000),
        ("prctl", supervisor.PR_SET_NO_NEW_PRIVS, 1),
    ]


@table(
    ("uid", "kinds", "files"),
    [
        (0, supervisor.CLONE_NEWNET, []),
        (
            500,
            supervisor.CLONE_NEWUSER | supervisor.CLONE_NEWNET,
            [("setgroups", "deny"), ("uid_map", "500 500 1"), ("gid_map", "60 60 1")],
        ),
    ],
)
def test_who_is_not_root_is_root_of_a_user_namespace_with_the_own_ids(
    uid: int, kinds: int, files: list[tuple[str, str]]
) -> None:
    asked: list[int] = []
    written: list[tuple[str, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: uid)
        patch.setattr(os, "getegid", lambda: 60)
        patch.setattr(ctypes, "CDLL", lambda *_, **__: SimpleNamespace(unshare=asked.append))
        patch.setattr(Path, "write_text", lambda path, text: written.append((path.name, text)))
        supervisor.unshare(supervisor.CLONE_NEWNET)
    assert (asked, written) == ([kinds], files)


def test_a_system_that_gives_no_namespace_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: SimpleNamespace(unshare=lambda _: -1))
    monkeypatch.setattr(ctypes, "get_errno", lambda: errno.EPERM)
    with pytest.raises(PermissionError):
        supervisor.unshare(supervisor.CLONE_NEWNET)


@table(("answer", "known"), [(0, True), (-1, False), (AttributeError(), False), (OSError(), False)])
def test_a_system_may_not_know_what_a_process_asks_of_itself(answer: Any, known: bool) -> None:
    asked: list[Call] = []

    def prctl(*given: int) -> int:
        asked.append(given)
        if isinstance(answer, Exception):
            raise answer
        return int(answer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ctypes, "CDLL", lambda *_, **__: SimpleNamespace(prctl=prctl))
        assert supervisor.prctl(4, 1) is known
    assert asked == [(4, 1, 0, 0, 0)]


# --- fence and sandbox

PLACES = {"cwd": "/work"}


@table(
    ("ports", "places", "user", "calls"),
    [
        (None, None, "-", []),
        (
            [80],
            None,
            "-",
            [("unshare", supervisor.CLONE_NEWNET), ("listen", [80]), ("hand_out", CONTROL, "listeners")],
        ),
        (
            None,
            PLACES,
            "7:8",
            [
                ("unshare", namespaces.SANDBOX),
                ("become_first", CONTROL),
                ("enter", namespaces.Places(cwd="/work"), (7, 8)),
            ],
        ),
        (
            [],
            PLACES,
            "-",
            [
                ("unshare", supervisor.CLONE_NEWNET | namespaces.SANDBOX),
                ("listen", []),
                ("hand_out", CONTROL, "listeners"),
                ("become_first", CONTROL),
                ("enter", namespaces.Places(cwd="/work"), None),
            ],
        ),
    ],
)
def test_what_a_tool_is_given_of_its_own(ports: Any, places: Any, user: str, calls: list[Call]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        system = System(patch)
        system.note(supervisor, "unshare", "hand_out", "become_first", "prctl")
        system.note(supervisor, "listen", returns="listeners")
        system.note(namespaces, "enter")
        supervisor.isolate(CONTROL, ports, places, user)
    # Whoever is root there could otherwise leave by these.
    dropped = [("prctl", supervisor.PR_CAPBSET_DROP, number) for number in supervisor.ESCAPES]
    assert system.calls == [*calls, *(dropped if calls else [])]


@table(
    ("fails", "ports", "reply"),
    [("unshare", [80], b"E127\n"), ("hand_out", [80], b"E127\n"), ("enter", [80], b"127\n"), ("enter", None, b"127\n")],
)
def test_a_tool_without_its_sandbox_never_runs(fails: str, ports: Any, reply: bytes) -> None:
    """Who waits for listeners reads one byte first."""
    with pytest.MonkeyPatch.context() as patch:
        system = System(patch, fails)
        system.note(supervisor, "unshare", "listen", "hand_out", "become_first", "prctl")
        system.note(namespaces, "enter")
        system.note(os, "write")

        def end(code: int) -> None:
            raise Ended(code)

        patch.setattr(os, "_exit", end)
        with pytest.raises(Ended, match="127"):
            supervisor.isolate(CONTROL, ports, PLACES, "-")
    assert system.calls[-2:] == [("write", 2, b"cannot start its sandbox: refused\n"), ("write", CONTROL, reply)]


def test_what_a_probe_finds_is_told_by_its_class_alone(system: System) -> None:
    system.fails = "unshare"
    system.note(supervisor, "unshare")
    system.note(os, "write")
    assert supervisor.probe("probe-network") == supervisor.probe("probe-sandbox") == 1
    asked = [("unshare", supervisor.CLONE_NEWNET), ("unshare", namespaces.SANDBOX)]
    assert system.calls == [part for each in asked for part in (each, ("write", 1, b"PermissionError: refused"))]


def test_a_probe_of_the_sandbox_tries_it_without_rights(system: System) -> None:
    system.note(supervisor, "unshare", "prctl")
    system.note(os, "fork", returns=0)
    system.note(namespaces, "enter", "check")
    assert supervisor.probe("probe-sandbox") == 0
    assert system.calls == [
        ("unshare", namespaces.SANDBOX),
        ("fork",),
        ("enter", namespaces.Places(), None),
        ("prctl", supervisor.PR_SET_NO_NEW_PRIVS, 1),
        ("check",),
    ]


def test_who_waits_for_a_probe_tells_its_end(system: System) -> None:
    system.note(supervisor, "unshare")
    system.note(os, "fork", returns=77)
    system.note(os, "waitpid", returns=(77, 1 << 8))
    assert supervisor.probe("probe-sandbox") == 1
    assert system.calls[-1] == ("waitpid", 77, 0)


def test_the_first_process_goes_on_and_the_other_only_waits(system: System) -> None:
    system.note(os, "open", returns=5)
    system.note(os, "fork", returns=0)
    system.note(os, "close")
    supervisor.become_first(CONTROL)
    assert system.calls[-1] == ("close", 5)

    system.calls.clear()
    system.note(os, "fork", returns=77)
    system.note(os, "waitpid")
    system.note(supervisor, "mute")
    system.note(signal, "signal")
    with pytest.raises(Ended, match="0"):
        supervisor.become_first(CONTROL)
    asked, signum, forward = system.calls[2]
    assert (asked, signum, system.calls[3:]) == (
        "signal",
        signal.SIGTERM,
        [("close", CONTROL), ("mute", 5), ("waitpid", 77, 0)],
    )
    system.note(os, "kill")
    forward()
    assert system.calls[-1] == ("kill", 77, signal.SIGTERM)


def test_output_goes_nowhere_once_only_the_tool_may_hold_it(system: System) -> None:
    system.note(os, "dup2", "close")
    supervisor.mute(5)
    assert system.calls == [("dup2", 5, 1), ("dup2", 5, 2), ("close", 5)]


# --- the tool's life


def made(*, sandboxed: bool = False) -> Supervisor:
    return Supervisor(CONTROL, linger_s=2.0, grace_s=3.0, sandboxed=sandboxed)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    def at(seconds: float) -> None:
        monkeypatch.setattr(time, "monotonic", lambda: seconds)

    at(100.0)
    return at


def test_a_tool_that_is_asked_to_end_is_killed_after_its_grace(system: System, now: Callable[[float], None]) -> None:
    owner = made()
    signals: list[int] = []
    system.patch.setattr(owner, "_signal", signals.append)
    owner._advance()
    assert signals == [], "nobody asked it to end"
    owner._asked_to_end()
    now(104.0)
    owner._asked_to_end()
    assert owner.term_at == 100.0, "the first word counts"
    owner._advance()
    assert (signals, owner.kill_at) == ([signal.SIGTERM], 107.0)
    now(106.9)
    owner._advance()
    assert signals == [signal.SIGTERM], "asked once"
    now(107.0)
    owner._advance()
    assert signals == [signal.SIGTERM, signal.SIGKILL]


@table(
    ("order", "kill_at", "control"),
    [(b"T", float("inf"), CONTROL), (b"", 100.0, -1), (OSError(), 100.0, -1)],
)
def test_an_order_asks_it_to_end_and_the_end_of_orders_kills_it(order: Any, kill_at: float, control: int) -> None:
    def read(_fd: int, size: int) -> bytes:
        assert size == 1
        if isinstance(order, Exception):
            raise order
        return bytes(order)

    owner = made()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: 100.0)
        patch.setattr(os, "read", read)
        owner._obey()
    assert (owner.term_at, owner.kill_at, owner.control) == (100.0, kill_at, control)


def test_the_dead_are_collected_and_what_the_tool_leaves_may_linger(
    monkeypatch: pytest.MonkeyPatch, now: Callable[[float], None]
) -> None:
    dead = iter([(50, 0), (7, 3 << 8), (0, 0)])
    monkeypatch.setattr(os, "waitpid", lambda pid, how: (pid, how) == (-1, os.WNOHANG) and next(dead))
    owner = made()
    owner.main = 7
    assert owner._reap(), "children are left"
    assert (owner.returncode, owner.term_at) == (3, 102.0)

    def none_left(*_: int) -> tuple[int, int]:
        raise ChildProcessError

    monkeypatch.setattr(os, "waitpid", none_left)
    assert not owner._reap()


@table(
    ("term_at", "control", "ready", "timeout", "asked"),
    [
        (float("inf"), CONTROL, [4], None, "read"),
        (float("inf"), CONTROL, [CONTROL], None, "obey"),
        (50.0, CONTROL, [], supervisor.STOP_TICK_S, ""),
        (50.0, -1, [], supervisor.STOP_TICK_S, ""),
    ],
)
def test_it_waits_for_a_child_or_an_order_and_looks_again_while_it_stops(
    term_at: float, control: int, ready: list[int], timeout: float | None, asked: str
) -> None:
    owner = made()
    owner.term_at, owner.control = term_at, control
    waited: list[Call] = []
    done: list[str] = []

    def wait(watched: list[int], _w: list[int], _x: list[int], limit: float | None) -> tuple[list[int], None, None]:
        waited.append((watched, limit))
        return ready, None, None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(select, "select", wait)
        patch.setattr(os, "read", lambda fd, _size: done.append("read") if fd == 4 else None)
        patch.setattr(owner, "_obey", lambda: done.append("obey"))
        owner._wait(4)
    assert waited == [([4] if control < 0 else [4, control], timeout)]
    assert done == ([asked] if asked else [])


def test_a_signal_reaches_all_that_is_below_it_or_all_of_its_namespace(system: System) -> None:
    system.note(supervisor, "send")
    system.note(supervisor, "descendants", returns=[8, 9])
    for sandboxed in (False, True):
        owner = made(sandboxed=sandboxed)
        owner.main = 7
        owner._signal(signal.SIGTERM)
    sent = [call for call in system.calls if call[0] == "send"]
    assert sent == [("send", [8, 9], 7, signal.SIGTERM), ("send", [-1], 7, signal.SIGTERM)]


def test_a_signal_to_who_is_gone_is_no_error(system: System) -> None:
    asked: list[Call] = []

    def gone(*given: int) -> None:
        asked.append(given)
        raise ProcessLookupError

    system.patch.setattr(os, "killpg", gone)
    system.patch.setattr(os, "kill", gone)
    supervisor.send([8, 9], 7, 15)
    assert asked == [(7, 15), (8, 15), (9, 15)]


def test_what_is_below_a_process_comes_nearest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for pid, parent in ((2, 1), (3, 2), (4, 1), (5, 3), (6, 99)):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (a tool) of) S {parent} 0 0")
    (tmp_path / "7").mkdir()
    (tmp_path / "7/stat").mkdir()
    real = Path
    monkeypatch.setattr(supervisor, "Path", lambda name: tmp_path if name == "/proc" else real(name))
    below = supervisor.descendants(1)
    assert (sorted(below[:2]), below[2:]) == ([2, 4], [3, 5])


@table(("code", "spawned", "end"), [(3, 7, 3), (None, 7, 127)])
def test_its_end_is_that_of_its_tool(code: int | None, spawned: int, end: int) -> None:
    owner = made()

    def reap() -> bool:
        owner.returncode = code
        return False

    with pytest.MonkeyPatch.context() as patch:
        system = System(patch)
        system.note(os, "set_blocking", "pipe", returns=None)
        patch.setattr(os, "pipe", lambda: (4, 5))
        system.note(signal, "set_wakeup_fd", "signal")
        system.note(supervisor, "spawn", returns=spawned)
        system.note(supervisor, "mute")
        system.note(os, "open", returns=6)
        patch.setattr(owner, "_reap", reap)
        assert owner.run(["tool"]) == end
    names = [call[0] for call in system.calls]
    assert names == ["set_blocking", "set_wakeup_fd", "signal", "signal", "spawn", "open", "mute"]
    assert system.calls[0] == ("set_blocking", 5, False)
    assert {call[1] for call in system.calls[2:4]} == {signal.SIGCHLD, signal.SIGTERM}
    assert system.calls[4] == ("spawn", ["tool"], False)


def test_a_tool_that_cannot_start_says_why() -> None:
    with pytest.MonkeyPatch.context() as patch:
        system = System(patch, fails="spawn")
        system.note(os, "set_blocking", "write")
        patch.setattr(os, "pipe", lambda: (4, 5))
        system.note(signal, "set_wakeup_fd", "signal")
        system.note(supervisor, "spawn")
        assert made(sandboxed=True).run(["tool", "x"]) == 127
    assert system.calls[-2:] == [("spawn", ["tool", "x"], True), ("write", 2, b"cannot start tool: refused\n")]
