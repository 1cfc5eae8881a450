"""Every way a tool can hang or leave something behind."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from consumer.agent.process import ProcessTool, User
from consumer.errors import CancelRequested, ToolFailed
from consumer.ports import ToolResult
from service.clock import SystemClock
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.integration


class Calm:
    def check(self) -> None:
        return

    def time_left(self) -> float:
        return PATIENCE_S


class Cancelled(Calm):
    def check(self) -> None:
        raise CancelRequested("job is cancelled")


class Jumping(SystemClock):
    """A clock that is far ahead as soon as something is written to a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def monotonic(self) -> float:
        written = self.file.exists() and self.file.read_text()
        return super().monotonic() + (10_000 if written else 0)


def quick() -> ProcessTool:
    return ProcessTool(SystemClock(), linger_s=0.1, grace_s=0.3, poll_s=0.02)


def python(
    code: str, cwd: Path, timeout_s: float = PATIENCE_S, guard: Calm | None = None, **more: object
) -> ToolResult:
    env = {"PATH": "/usr/bin:/bin", "TOKEN": "t"}
    return quick().run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env=env,
        timeout_s=timeout_s,
        guard=guard or Calm(),
        **more,  # type: ignore[arg-type]  # the optional keyword arguments, by name
    )


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def test_output_code_and_environment_come_back(tmp_path: Path) -> None:
    result = python("import os,sys; print(sorted(os.environ)); print('e', file=sys.stderr); sys.exit(3)", tmp_path)
    assert result.returncode == 3
    # LC_CTYPE is what Python itself adds in the C locale.
    assert result.stdout.decode().replace(", 'LC_CTYPE'", "").replace("'LC_CTYPE', ", "") == "['PATH', 'TOKEN']\n"
    assert result.stderr == b"e\n"
    assert not result.truncated


def test_stdin_is_empty(tmp_path: Path) -> None:
    assert python("import sys; print(repr(sys.stdin.read()))", tmp_path).stdout == b"''\n"


def test_a_signal_is_a_negative_code(tmp_path: Path) -> None:
    assert python("import os; os.kill(os.getpid(), 9)", tmp_path).returncode == -signal.SIGKILL


def test_ten_megabytes_of_stderr_keep_only_their_end(tmp_path: Path) -> None:
    result = python("import sys; sys.stderr.write('x' * 10_000_000 + 'END')", tmp_path, output_bytes=1000)
    assert result.truncated
    assert len(result.stderr) == 1000
    assert result.stderr.endswith(b"END")


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="cannot start"):
        quick().run(["no-such-program"], cwd=tmp_path, env={"PATH": "/bin"}, timeout_s=PATIENCE_S, guard=Calm())


def test_a_tool_that_looks_as_if_it_was_not_there_is_not_quoted(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match=r"cannot start$"):
        python("import sys; sys.stderr.write('cannot start it: canary of a page'); sys.exit(127)", tmp_path)


def test_time_limit_stops_one_that_ignores_sigterm(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = (
        "import os,signal,time,pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f"pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid())); time.sleep(600)"
    )
    # The limit is reached once the tool is deaf, however long that takes.
    tool = ProcessTool(Jumping(pid_file), linger_s=0.1, grace_s=0.3, poll_s=0.02)
    argv = [sys.executable, "-c", code]
    with pytest.raises(ToolFailed, match="time limit"):
        tool.run(argv, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, timeout_s=600, guard=Calm())
    assert gone(int(pid_file.read_text()))


def test_guard_stops_the_tool(tmp_path: Path) -> None:
    with pytest.raises(CancelRequested):
        python("import time; time.sleep(600)", tmp_path, guard=Cancelled())


def test_a_tool_without_progress_counts_as_hung(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="no progress"):
        python("import time; time.sleep(600)", tmp_path, progress=lambda: 1, stall_s=0.2)


#: A child that leaves the group and the session, is orphaned, ignores SIGTERM and keeps the pipes.
ESCAPE = """
import os, pathlib, signal, subprocess, sys
child = "import os,signal,time,pathlib;" \\
        "signal.signal(signal.SIGTERM, signal.SIG_IGN);" \\
        "pathlib.Path(%r).write_text(str(os.getpid())); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", child], start_new_session=True)
path = pathlib.Path(%r)
while not (path.exists() and path.read_text()):
    pass
print("done")
"""


def test_a_grandchild_that_left_the_group_and_holds_the_pipe_is_ended(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    result = python(ESCAPE % (str(pid_file), str(pid_file)), tmp_path)
    assert result.returncode == 0
    assert result.stdout == b"done\n"
    assert result.duration_s < PATIENCE_S, "it was not waited for"
    assert gone(int(pid_file.read_text()))


def test_the_tool_dies_with_a_consumer_that_is_killed(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    tool = f"import os,time,pathlib; pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid())); time.sleep(600)"
    consumer = f"""
import pathlib, sys
from service.clock import SystemClock
from consumer.agent.process import ProcessTool, User
class Calm:
    def check(self): pass
    def time_left(self): return 600.0
ProcessTool(SystemClock()).run([sys.executable, "-c", {tool!r}], cwd=pathlib.Path({str(tmp_path)!r}),
    env={{"PATH": "/bin"}}, timeout_s=600, guard=Calm())
"""
    root = Path(__file__).parents[3]
    process = subprocess.Popen([sys.executable, "-c", consumer], cwd=root)
    until(lambda: pid_file.exists() and pid_file.read_text() != "")
    process.kill()
    process.wait()
    pid = int(pid_file.read_text())
    until(lambda: gone(pid))


def test_the_tool_dies_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    """By the system, for want of memory, say: nobody would be left to end the tool."""
    pid_file = tmp_path / "pid"
    code = (
        "import os,pathlib,signal,time;"
        f"pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid())); os.kill(os.getppid(), signal.SIGKILL);"
        "time.sleep(600)"
    )
    with pytest.raises(ToolFailed, match="could not be run") as failed:
        python("import sys; print('canary of a page', file=sys.stderr, flush=True);" + code, tmp_path)
    assert "canary" not in str(failed.value)
    until(lambda: gone(int(pid_file.read_text())))


def test_no_descriptor_and_no_child_stays(tmp_path: Path) -> None:
    python("print(1)", tmp_path)
    descriptors, children = _held()
    for _ in range(5):
        python("print(1)", tmp_path)
    # Other threads of this process may be about to give something back.
    until(lambda: _held()[0] <= descriptors and _held()[1] <= children, "the end of what was opened or started")


def _held() -> tuple[int, set[str]]:
    """Open descriptors, and children of any thread: other tests of this process may have theirs."""
    children: set[str] = set()
    for path in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile
            children.update(path.read_text().split())
    return len(list(Path("/proc/self/fd").iterdir())), children


ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root may choose whom a tool runs as")
NOBODY = User(65534, 65534)


@ROOT_ONLY
@pytest.mark.parametrize(
    "attempt",
    [
        "cat /proc/{parent}/environ",
        "head -c 1 /proc/{parent}/mem",
        "ls /proc/{parent}/fd",
        "kill -0 {parent}",
        "cat secret",
        "echo forged >> evidence.md",
        "rm -f evidence.md",
        "echo new > new.md",
    ],
)
def test_a_tool_with_a_user_of_its_own_cannot_reach_us(tmp_path: Path, attempt: str) -> None:
    (tmp_path / "evidence.md").write_text("evidence")
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "secret").chmod(0o600)
    result = confined(attempt.format(parent=os.getpid()), tmp_path)
    assert result.returncode != 0
    assert b"not permitted" in result.stderr or b"ermission denied" in result.stderr
    assert not result.stdout
    assert (tmp_path / "evidence.md").read_text() == "evidence"


@ROOT_ONLY
def test_it_may_write_what_it_was_given_and_nothing_it_started_is_left(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own/old").write_text("old")
    leave = "setsid sh -c 'trap \"\" TERM; echo $$ > own/pid; sleep 300' & while [ ! -s own/pid ]; do sleep 0.01; done"
    result = confined(f"cat evidence.md && echo x >> own/old && {leave}", tmp_path, evidence="seen")
    assert (result.returncode, result.stdout) == (0, b"seen")
    assert gone(int((tmp_path / "own/pid").read_text()))


def confined(command: str, folder: Path, evidence: str = "evidence") -> ToolResult:
    (folder / "evidence.md").write_text(evidence)
    (folder / "evidence.md").chmod(0o644)  # whatever the umask
    # pytest keeps its folders to itself; those above a run folder can be passed through.
    for parent in list(folder.parents)[:3]:
        parent.chmod(parent.stat().st_mode | 0o011)
    tool = ProcessTool(SystemClock(), linger_s=0.1, grace_s=0.3, poll_s=0.02, user=NOBODY)
    argv, env = ["/bin/sh", "-c", command], {"PATH": "/usr/bin:/bin"}
    return tool.run(argv, cwd=folder, env=env, timeout_s=PATIENCE_S, guard=Calm(), writable=[folder / "own"])


@ROOT_ONLY
@pytest.mark.parametrize("signal_name", ["KILL", "STOP", "TERM"])
def test_a_tool_cannot_end_what_will_end_what_it_leaves(tmp_path: Path, signal_name: str) -> None:
    """Killed or stopped, its supervisor would leave a process that waits for the next user's files."""
    (tmp_path / "own").mkdir()
    leave = "setsid sh -c 'echo $$ > own/pid; sleep 300' & while [ ! -s own/pid ]; do sleep 0.01; done"
    who = "grep -h ^[UG]id /proc/self/status"
    result = confined(f"{leave}; kill -s {signal_name} $PPID; {who}", tmp_path)
    assert b"not permitted" in result.stderr
    assert set(result.stdout.split()) == {b"Uid:", b"Gid:", b"65534"}, "it could be root again"
    assert gone(int((tmp_path / "own/pid").read_text()))


HIDDEN = """
import os, subprocess, sys
from consumer.agent.process import hide_process

if os.geteuid() == 0:
    os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
assert hide_process()
done = subprocess.run(["/bin/cat", f"/proc/{os.getpid()}/environ"], capture_output=True)
sys.exit(0 if b"ermission denied" in done.stderr and not done.stdout else 1)
"""


def test_a_hidden_process_keeps_its_environment_from_others_of_its_user() -> None:
    done = subprocess.run([sys.executable, "-c", HIDDEN], cwd=Path(__file__).parents[3], check=False)
    assert done.returncode == 0


@ROOT_ONLY
def test_a_second_name_of_somebody_elses_file_gives_nobody_that_file(tmp_path: Path) -> None:
    (tmp_path / "own/inner").mkdir(parents=True)
    (tmp_path / "own/page").write_text("x")
    (tmp_path / "evidence.md").write_text("evidence")
    (tmp_path / "own/inner/linked.md").hardlink_to(tmp_path / "evidence.md")
    NOBODY.admit(tmp_path, [tmp_path / "own"])
    assert (tmp_path / "evidence.md").stat().st_uid == 0
    assert {(tmp_path / path).stat().st_uid for path in ("own", "own/inner", "own/page")} == {NOBODY.uid}


@ROOT_ONLY
def test_a_folder_that_is_open_to_all_keeps_its_group_and_one_that_is_not_can_be_entered(tmp_path: Path) -> None:
    closed, opened = tmp_path / "closed", tmp_path / "open"
    for folder, mode in ((closed, 0o700), (opened, 0o755)):
        (folder / "own").mkdir(parents=True)
        folder.chmod(mode)
    before = Path("/").stat()
    NOBODY.admit(Path("/"), [closed / "own", opened / "own"])
    assert Path("/").stat() == before
    assert (opened.stat().st_gid, closed.stat().st_gid) == (0, NOBODY.gid)
    assert stat.S_IMODE(closed.stat().st_mode) == 0o750
    assert (closed / "own").stat().st_uid == NOBODY.uid
