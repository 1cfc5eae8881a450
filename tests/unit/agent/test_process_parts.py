"""What a tool's process is started with, and what ends it early; ``test_process.py`` runs real ones."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from consumer.agent import process
from consumer.agent.process import ProcessTool, Tail, User
from consumer.agent.sandbox import Sandbox
from consumer.errors import CancelRequested, ToolFailed
from consumer.storage.memory import FakeClock
from tests.tables import table


class Calm:
    def check(self) -> None:
        return

    def time_left(self) -> float:
        return 60.0


@table(
    ("tool", "given", "order"),
    [
        ({}, {"reach": [80]}, {"user": "-", "ports": None, "places": None}),
        ({"fence": True}, {"reach": [80]}, {"user": "-", "ports": [80], "places": None}),
        ({"fence": True}, {}, {"user": "-", "ports": [], "places": None}),
        ({"user": User(61000, 62000)}, {}, {"user": "61000:62000", "ports": None, "places": None}),
        ({"sandbox": Sandbox()}, {}, {"user": "-", "ports": None, "places": {"cwd": "/"}}),
    ],
)
def test_a_tool_is_started_with_what_it_is_given_and_no_more(
    tool: dict[str, Any], given: dict[str, Any], order: dict[str, Any]
) -> None:
    started: list[tuple[list[str], dict[str, Any]]] = []

    def start(command: list[str], **options: Any) -> None:
        started.append((command, options))
        raise OSError("no room")

    made = ProcessTool(FakeClock(), linger_s=1.0, grace_s=2.0, **tool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", start)
        admitted: list[tuple[Path, list[Path]]] = []
        patch.setattr(User, "admit", lambda _user, *places: admitted.append(places))
        patch.setattr(Sandbox, "places", lambda *_, **named: {"cwd": str(named["cwd"])})
        with pytest.raises(ToolFailed, match="tool cannot be started in"):
            made.run(
                ["/bin/tool", "x"], cwd=Path("/"), env={"A": "b"}, timeout_s=9.0, guard=Calm(),
                writable=[Path("/w")], **given,
            )  # fmt: skip
    ((command, options),) = started
    assert command[:4] == [sys.executable, "-I", "-S", str(process.SUPERVISOR)]
    assert json.loads(command[5]) == {"linger_s": 1.0, "grace_s": 2.0, **order}
    assert command[6:] == ["/bin/tool", "x"]
    assert (options["env"], options["cwd"], options["stdin"]) == ({"A": "b"}, Path("/"), subprocess.DEVNULL)
    assert options["start_new_session"] is True
    assert options["pass_fds"] == (int(command[4]),)
    assert admitted == ([(Path("/"), [Path("/w")])] if "user" in tool else [])
    assert made.contained is ("sandbox" in tool)


def test_each_run_has_the_next_of_the_users() -> None:
    users = User(61000, 62000, count=3)
    assert [users.of_run(number) for number in (0, 2, 3)] == [
        User(61000, 62000), User(61002, 62002), User(61000, 62000),
    ]  # fmt: skip


def test_a_user_is_let_in_where_not_everybody_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owned: list[tuple[Path, int, int]] = []
    monkeypatch.setattr(os, "chown", lambda path, uid, gid, **_: owned.append((Path(path), uid, gid)))
    run, out, linked = tmp_path / "run", tmp_path / "out", tmp_path / "linked"
    for folder, mode in ((run, 0o700), (out, 0o755), (linked, 0o751)):
        folder.mkdir()
        folder.chmod(mode)
    file, other, outside = out / "file", out / "other", linked / "outside"
    for each in (file, other):
        each.touch()
    os.link(other, outside)
    os.link(file, out / "second name")
    (out / "link").symlink_to(outside)
    writable = [out, out / "link", out / "none"]
    User(61000, 62000).admit(run, writable)
    assert (run, -1, 62000) in owned
    assert stat.S_IMODE(run.stat().st_mode) == 0o750
    given = {path for path, uid, _ in owned if uid == 61000}
    # A file that has a name elsewhere stays: an agent could otherwise link what it may only read.
    assert given - {out / "second name", file} == {out, out / "link"}
    assert len(given & {file, out / "second name"}) == 1
    owned.clear()
    User(61000, 62000)._enter(linked)
    assert stat.S_IMODE(linked.stat().st_mode) == 0o751 | 0o050
    owned.clear()
    User(61000, 62000)._enter(out)
    assert owned == [], "a folder open to all belongs to the machine"


@table(
    ("limit", "kept"),
    [(3, b"cde"), (5, b"abcde"), (9, b"abcde")],
)
def test_of_a_tools_words_the_last_ones_are_kept(limit: int, kept: bytes) -> None:
    read, write = os.pipe()
    os.write(write, b"abcde")
    os.close(write)
    tail = Tail(os.fdopen(read, "rb"), limit)
    assert (tail.close(), tail.total) == (kept, 5)


class Told(Calm):
    def check(self) -> None:
        raise CancelRequested("job is cancelled")


def watch(**changes: Any) -> process._Watch:
    given = {"clock": FakeClock(), "program": "/bin/tool", "guard": Calm(), "progress": None, "stall_s": None}
    return process._Watch(**{**given, "deadline": given["clock"].monotonic() + 10, **changes})  # type: ignore[attr-defined]


def test_a_tool_ends_at_its_limit_and_with_its_run() -> None:
    made = watch()
    made.clock.advance(9.5)  # type: ignore[attr-defined]
    made.check()
    made.clock.advance(0.5)  # type: ignore[attr-defined]
    with pytest.raises(ToolFailed, match=r"^tool reached its time limit") as late:
        made.check()
    assert late.value.timed_out
    with pytest.raises(CancelRequested):
        watch(guard=Told()).check()


@table("missing", ["progress", "stall_s"])
def test_without_a_measure_or_a_limit_nothing_stalls(missing: str) -> None:
    made = watch(**{"progress": lambda: 1, "stall_s": 3.0, missing: None}, deadline=float("inf"))
    for _ in range(3):
        made.check()
        made.clock.advance(5)  # type: ignore[attr-defined]


def test_a_tool_that_does_not_move_for_its_time_is_stopped() -> None:
    state = [1]
    made = watch(progress=lambda: state[0], stall_s=3.0, deadline=float("inf"))
    made.clock.advance(1)  # type: ignore[attr-defined]
    made.check()
    made.clock.advance(2.5)  # type: ignore[attr-defined]
    made.check()
    state[0] = 2
    made.check()
    made.clock.advance(2.5)  # type: ignore[attr-defined]
    made.check()
    made.clock.advance(0.5)  # type: ignore[attr-defined]
    with pytest.raises(ToolFailed, match="tool made no progress for 3 s"):
        made.check()


@table(
    ("code", "stderr", "message"),
    [
        (None, b"abc", "its supervisor was killed (3 bytes on stderr)"),
        (127, b"cannot start gbrain: No such file or directory\n", "cannot start (No such file or directory)"),
        (127, b"cannot start gbrain: Anna's page\n", "cannot start"),
    ],
)
def test_why_a_tool_did_not_run_is_told_in_words_of_the_system(code: int | None, stderr: bytes, message: str) -> None:
    assert process._why(code, stderr) == message


class Dying:
    """A process that ends after it was waited for so often."""

    def __init__(self, waits: int) -> None:
        self.waits, self.calls = waits, []  # type: ignore[var-annotated]

    def wait(self, limit_s: float | None = None) -> None:
        self.calls.append(limit_s)
        self.waits -= 1
        if self.waits and limit_s is not None:
            raise subprocess.TimeoutExpired("tool", limit_s)

    def kill(self) -> None:
        self.calls.append("kill")


@table(
    ("waits", "calls", "closed"),
    [(1, [3.0], 0), (2, [3.0, 5.0], 1), (3, [3.0, 5.0, "kill", None], 2)],
)
def test_a_tool_is_asked_to_stop_then_killed(waits: int, calls: list[Any], closed: int) -> None:
    class Control:
        def __init__(self) -> None:
            self.calls: list[bytes | str] = []

        def send(self, order: bytes) -> None:
            self.calls.append(order)
            raise BrokenPipeError

        def close(self) -> None:
            self.calls.append("close")

    control, dying = Control(), Dying(waits)
    ProcessTool(FakeClock(), grace_s=2.0)._stop(control, dying)  # type: ignore[arg-type]
    assert (dying.calls, control.calls) == (calls, [b"T", *["close"] * closed])
