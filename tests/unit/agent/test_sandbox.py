"""What one run of a tool leaves is nowhere for the next, what it does not need is out of sight, its end is whole."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from consumer.agent import namespaces, process, sandbox, supervisor
from consumer.agent.process import ProcessTool, User
from consumer.agent.sandbox import Sandbox
from consumer.errors import CancelRequested, ToolFailed
from consumer.ports import ToolResult
from service.clock import SystemClock
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[3]
ATTACKS = (ROOT / "tests/sandbox_attacks.py").read_text()
AS_ROOT = os.geteuid() == 0
#: As whom a tool may run: where we may choose, as users without rights; else as us.
AGENTS = User(61_000, 61_000, count=500) if AS_ROOT else None
ROOT_ONLY = pytest.mark.skipif(not AS_ROOT, reason="only root may choose whom a tool runs as")


@pytest.fixture(autouse=True, scope="module")
def _available() -> None:
    if why := sandbox.unavailable():
        if os.environ.get("CI"):
            pytest.fail(f"no sandbox on a machine of CI: {why}")
        pytest.skip(f"NOT TESTED, this system gives no sandbox: {why}")


class Calm:
    def check(self) -> None:
        return

    def time_left(self) -> float:
        return PATIENCE_S


@dataclass
class CancelledOnce(Calm):
    """Cancels as soon as there is something in a file."""

    file: Path

    def check(self) -> None:
        if self.file.exists() and self.file.read_text():
            raise CancelRequested("job is cancelled")


def python() -> str:
    """An interpreter that nobody may run too."""
    return "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable


@dataclass
class Instance:
    """A machine's run folders: ``RUN_ROOT/jobs/<job>`` of which one at a time is at ``RUN_ROOT/workspace``."""

    root: Path
    tool: ProcessTool = field(init=False)

    def __post_init__(self) -> None:
        self.root.mkdir(mode=0o711, exist_ok=True)
        (self.root / "signing").mkdir(mode=0o755)
        (self.root / "signing/current.key").write_text("private")
        hidden = (self.root / "run", self.root / "signing")
        self.tool = ProcessTool(
            SystemClock(), linger_s=0.1, grace_s=1.0, poll_s=0.02, user=AGENTS, fence=True, sandbox=Sandbox(hidden)
        )

    @property
    def workspace(self) -> Path:
        return self.root / "run/workspace"

    def job(self, name: str) -> None:
        """From now on, runs work for this job."""
        self.workspace.unlink(missing_ok=True)
        folder = self.root / "run/jobs" / name
        (folder / "own").mkdir(parents=True, exist_ok=True)
        (folder / "evidence.md").write_text(f"evidence of {name}")
        for path in (self.root / "run", self.root / "run/jobs", folder):
            path.chmod(0o755)
        self.workspace.symlink_to(folder)

    def run(self, argv: Sequence[str], guard: Calm | None = None, **changes: object) -> ToolResult:
        return replace(self.tool, **changes).run(  # type: ignore[arg-type]  # its own fields, by name
            argv,
            cwd=self.workspace,
            env={"PATH": "/usr/bin:/bin"},
            timeout_s=PATIENCE_S,
            guard=guard or Calm(),
            writable=[self.workspace / "own"],
            readable=[self.workspace],
        )

    def python(self, code: str, *arguments: str, guard: Calm | None = None, **changes: object) -> ToolResult:
        return self.run([python(), "-c", code, *arguments], guard, **changes)

    def attack(self, *arguments: str, **changes: object) -> dict[str, object]:
        result = self.run([python(), "-c", ATTACKS, *arguments], None, **changes)
        assert result.returncode == 0, result.stderr.decode()
        document: dict[str, object] = json.loads(result.stdout)
        return document


@pytest.fixture(params=["below /tmp", "elsewhere"])
def instance(request: pytest.FixtureRequest) -> Iterator[Instance]:
    """Run folders where tests have them, in a folder that a sandbox empties, and where an image has them."""
    elsewhere = ROOT / ".cache"
    elsewhere.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=None if request.param == "below /tmp" else elsewhere) as name:
        Path(name).chmod(0o755)
        made = Instance(Path(name) / "instance")
        (made.root / "run").mkdir()
        made.job("first")
        yield made


def mark(name: str) -> str:
    """An argument by which `processes_with` knows the processes of this test runner from those of another."""
    return f"{name}-of-{os.getpid()}"


def processes_with(text: str) -> list[int]:
    """Processes of this machine that have it in their command line."""
    leaks = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text.encode() in path.read_bytes():
                leaks.append(int(path.parent.name))
        except OSError:
            continue
    return [pid for pid in leaks if pid != os.getpid()]


# --- two users, one instance


def test_nothing_that_one_users_run_leaves_anywhere_is_found_by_the_next(instance: Instance) -> None:
    secret = f"secret-of-the-first-{os.getpid()}"
    planted = instance.attack("plant", secret)
    private = (*namespaces.PRIVATE, "/dev/mqueue", str(instance.root / "run/jobs/first/own"))
    files = planted.pop("files")
    assert isinstance(files, list)
    assert not [path for path in files if not path.startswith(private)]
    assert {folder for folder in namespaces.PRIVATE if Path(folder).is_dir()} <= {str(Path(p).parent) for p in files}
    assert planted.pop("keyrings") is False, "no namespace contains them"
    assert all(planted.values()), "programs that use these find them working"

    assert not processes_with(secret)
    assert not [folder for folder in namespaces.PRIVATE if (Path(folder) / "cloop-planted").exists()]
    assert (instance.root / "run/jobs/first/own/cloop-planted").read_text() == secret, "what it was given to write"

    instance.job("second")
    assert not {place: leaks for place, leaks in instance.attack("hunt", secret).items() if leaks}


def test_without_a_sandbox_the_next_run_finds_it() -> None:
    """So the test above looks in the right places."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name, tempfile.TemporaryDirectory() as elsewhere:
        Path(name).chmod(0o777)
        Path(elsewhere).chmod(0o755)
        bare = Instance(Path(elsewhere) / "instance")
        (bare.root / "run").mkdir()
        bare.job("first")
        changes = {"sandbox": None, "user": User(60_999, 60_999) if AS_ROOT else None}
        try:
            bare.attack("plant", "secret", name, **changes)
            bare.job("second")
            leaks = bare.attack("hunt", "secret", name, **changes)
        finally:
            bare.attack("clear", "", **changes)
    assert all(leaks.values()), leaks


def test_each_run_has_a_user_of_its_own_whose_name_is_known(instance: Instance) -> None:
    code = "import os, pwd; print(os.getuid(), os.getgid(), os.getgroups(), pwd.getpwuid(os.getuid()).pw_name)"
    lines = [instance.python(code).stdout.decode() for _ in range(2)]
    if AGENTS:
        first, second = (int(line.split()[0]) for line in lines)
        assert second in {first + 1, AGENTS.uid}
        assert lines[1] == f"{second} {second} [] agent-{second}\n"
    else:
        assert lines[0] == lines[1]


def test_what_a_run_wrote_the_next_one_of_its_job_may_change_also_under_two_names(instance: Instance) -> None:
    write = (
        "import os; os.mkdir('own/inner', 0o700); open('own/inner/page', 'w').write('x');"
        "os.link('own/inner/page', 'own/again'); os.chmod('own/again', 0o600)"
    )
    assert instance.python(write).returncode == 0
    assert instance.python("open('own/inner/page', 'a').write('y')").returncode == 0
    assert (instance.workspace / "own/again").read_text() == "xy"


# --- what it sees


def test_paths_stay_what_they_are_and_nothing_else_of_the_run_folders_is_there(instance: Instance) -> None:
    (instance.root / "run/jobs/other").mkdir(mode=0o755)
    (instance.root / "run/jobs/other/page").write_text("another user's")
    (instance.root / "run/cache").mkdir(mode=0o755)
    code = (
        "import os, sys; root = sys.argv[1]; print(os.getcwd());"
        "open(root + '/workspace/own/new', 'w').write(open(root + '/workspace/evidence.md').read());"
        "print(sorted(os.listdir(root)), os.listdir(root + '/jobs'), os.path.exists(root + '/../signing/current.key'))"
    )
    result = instance.python(code, str(instance.root / "run"))
    where = str(instance.root / "run/jobs/first")
    assert result.stdout.decode().splitlines() == [where, "['jobs', 'workspace'] ['first'] False"], result.stderr
    assert (instance.workspace / "own/new").read_text() == "evidence of first"


FORGE = """
import sys
for path in sys.argv[1:]:
    try:
        open(path, "a").write("forged")
        print(path)
    except OSError:
        pass
"""


@pytest.mark.parametrize("user", [AGENTS, None])
def test_only_what_was_given_to_write_can_be_written_whoever_it_runs_as(instance: Instance, user: User | None) -> None:
    paths = (
        "own/page",
        "evidence.md",
        "new.md",
        "/etc/hosts",
        "/usr/new",
        "/sys/kernel/new",
        "/proc/sys/kernel/hostname",
    )
    result = instance.python(FORGE, *paths, user=user)
    assert result.stdout == b"own/page\n"
    assert b"Read-only" in instance.python("open('evidence.md', 'a')", user=None).stderr, "also where a mode allows it"
    assert (instance.workspace / "evidence.md").read_text() == "evidence of first"


def test_a_temporary_folder_holds_so_much_and_no_more(instance: Instance) -> None:
    small = replace(instance.tool.sandbox or Sandbox(), tmp_bytes=1024 * 1024)
    code = "import sys; open(sys.argv[1] + '/large', 'wb').write(b'x' * 2_000_000)"
    for folder in namespaces.PRIVATE:
        result = instance.python(code, folder, sandbox=small)
        assert result.returncode == 1
        assert b"No space left on device" in result.stderr
    assert instance.python(code, "own", sandbox=small).returncode == 0, "a run folder is not a temporary one"


def test_no_descriptor_of_ours_is_its_own(instance: Instance) -> None:
    with (instance.root / "open").open("w"):
        result = instance.python("import os; print(sorted(os.listdir('/proc/self/fd')))")
    assert result.stdout == b"['0', '1', '2', '3']\n", "3 is the listing's own"


def test_a_process_outside_can_be_neither_seen_nor_signalled(instance: Instance) -> None:
    code = (
        "import os, sys; there = int(sys.argv[1])\n"
        "try: os.kill(there, 0)\n"
        "except ProcessLookupError: print('none')\n"
        "print(os.path.exists(f'/proc/{there}'))"
    )
    assert instance.python(code, str(os.getpid())).stdout == b"none\nFalse\n"


@ROOT_ONLY
def test_a_key_of_roots_is_unreadable_where_it_is_and_hidden_where_we_know_it(instance: Instance) -> None:
    key = instance.root / "elsewhere.key"
    key.write_text("private")
    key.chmod(0o400)
    code = "import sys; print(open(sys.argv[1]).read())"
    named = replace(instance.tool.sandbox or Sandbox(), hidden=())
    for sandboxed in (named, None):
        result = instance.python(code, str(key), sandbox=sandboxed)
        assert not result.stdout
        assert b"Permission denied" in result.stderr or b"No such file" in result.stderr
    assert b"No such file" in instance.python(code, str(instance.root / "signing/current.key")).stderr


# --- no way out

#: Each must fail.
WAYS_OUT = """
import ctypes, errno, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
SIGCHLD, NEWTIME = 17, 0x80
OWN = {"mounts": 0x20000, "cgroups": 0x2000000, "name": 0x4000000, "queues": 0x8000000, "users": 0x10000000,
    "processes": 0x20000000, "network": 0x40000000}
clone, unshare, setns, clone3 = {"x86_64": (56, 272, 308, 435), "aarch64": (220, 97, 268, 435)}[os.uname().machine]
CALLS = {
    "x86_64": {"keyctl": 250, "syslog": 103, "perf_event_open": 298, "bpf": 321, "userfaultfd": 323},
    "aarch64": {"keyctl": 219, "syslog": 116, "perf_event_open": 241, "bpf": 280, "userfaultfd": 282},
}[os.uname().machine]
NEWNS, NEWUSER, BIND, REC, REMOUNT, DETACH = 0x20000, 0x10000000, 0x1000, 0x4000, 0x20, 2
def works(result):
    return result == 0
found = []
def gone(pid):
    if pid == 0:
        os._exit(0)
    return pid == -1
for name, flag in OWN.items():
    if not gone(libc.syscall(clone, flag | NEWUSER | SIGCHLD, 0, 0, 0, 0)):
        found.append("cloned with its own " + name)
    if works(libc.unshare(flag | NEWUSER)):
        found.append("its own " + name)
wanted = (ctypes.c_uint64 * 11)(NEWUSER | NEWNS, 0, 0, 0, SIGCHLD)
if not gone(libc.syscall(clone3, wanted, 88)) or ctypes.get_errno() != errno.ENOSYS:
    found.append("clone3")
if libc.syscall(setns, os.open("/proc/self/ns/user", os.O_RDONLY), 0) != -1 or ctypes.get_errno() != errno.EPERM:
    found.append("another namespace")
for folder in ("/tmp", "/dev/shm", "/proc"):
    if works(libc.umount2(folder.encode(), DETACH)):
        found.append("uncovered " + folder)
if works(libc.mount(None, b"/", None, REMOUNT | BIND, None)):
    found.append("made the machine writable")
if works(libc.mount(b"/", b"/tmp", None, BIND, None)):
    found.append("looked below the covers")
libc.mount(b"/", b"/tmp", None, BIND | REC, None)
try:
    os.close(os.open("/tmp/usr/new", os.O_CREAT | os.O_WRONLY))
    found.append("a writable copy")
except OSError:
    pass
for name, number in CALLS.items():
    done = libc.syscall(number, 0, ctypes.create_string_buffer(128), 0, -1, -1, 0)
    if done != -1 or ctypes.get_errno() != errno.EPERM:
        found.append(name)
for family in (socket.AF_VSOCK, socket.AF_PACKET, 38, 15):
    try:
        socket.socket(family, socket.SOCK_RAW if family == socket.AF_PACKET else socket.SOCK_STREAM).close()
        found.append(f"a socket of family {family}")
    except OSError as exc:
        if exc.errno != errno.EAFNOSUPPORT:
            found.append(f"family {family} is asked further: {exc}")
if libc.syscall(425, 4, ctypes.create_string_buffer(120)) != -1:
    found.append("io_uring")
print(found)
"""


def test_it_finds_no_way_past_what_was_mounted_and_refused(instance: Instance) -> None:
    result = instance.python(WAYS_OUT)
    assert (result.returncode, result.stdout) == (0, b"[]\n"), result.stderr


def test_threads_and_processes_start_without_the_calls_that_are_refused(instance: Instance) -> None:
    code = (
        "import subprocess, threading\n"
        "there = threading.Thread(target=print, args=('a thread',), kwargs={'flush': True})\n"
        "there.start(); there.join(); subprocess.run(['echo', 'a process'], check=True)"
    )
    assert instance.python(code).stdout == b"a thread\na process\n"


@pytest.mark.parametrize("sandboxed", [True, False])
def test_where_memory_runs_out_a_tool_goes_before_the_consumer(instance: Instance, sandboxed: bool) -> None:
    code = "print(open('/proc/self/oom_score_adj').read())"
    result = instance.python(code) if sandboxed else instance.python(code, sandbox=None)
    assert result.stdout.split() == [b"1000"]
    assert Path("/proc/self/oom_score_adj").read_text().strip() != "1000"


#: What takes or gives something, of all that is below /dev and /run: devices, disks, pipes, sockets and files.
AROUND = """
import os, stat
found = []
for top in ("/dev", "/run"):
    for where, folders, names in os.walk(top):
        if where.startswith(("/dev/shm", "/dev/mqueue")):
            continue
        for name in names:
            path = os.path.join(where, name)
            if not os.path.islink(path):
                found.append(path)
            try:
                os.close(os.open(where + "/new", os.O_CREAT | os.O_WRONLY))
                found.append(where + " is writable")
            except OSError:
                pass
print(sorted(set(found)))
"""


@pytest.mark.parametrize("user", [AGENTS, None])
def test_of_devices_and_of_the_machines_services_only_what_keeps_nothing_is_there(
    instance: Instance, user: User | None
) -> None:
    """A disk in memory, the kernel's log and a screen keep what root writes there; anybody may connect to a socket."""
    result = instance.python(AROUND, user=user)
    harmless = {"/dev/full", "/dev/null", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero", "/dev/pts/ptmx"}
    assert set(ast.literal_eval(result.stdout.decode())) <= harmless, result.stderr
    uses = (
        "import os, pty; open('/dev/null', 'w').write('x'); print(len(open('/dev/urandom', 'rb').read(4)));"
        "print(open('/dev/fd/0').read() == '', os.isatty(pty.openpty()[1]))"
    )
    assert instance.python(uses, user=user).stdout == b"4\nTrue True\n"


# --- its end

CLOSES = """
import os, signal, sys, time
def close(*_):
    open("own/closed", "w").write("whole")
    sys.exit(0)
signal.signal(signal.SIGTERM, close)
open("own/pid", "w").write(str(os.getpid()))
time.sleep(600)
"""
IGNORES = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open("own/pid", "w").write(str(os.getpid()))
time.sleep(600)
"""


def test_a_stopped_tool_has_the_time_to_close(instance: Instance) -> None:
    """As GBrain closes its database. Whoever is the first process of its namespace hears no SIGTERM by default."""
    guard = CancelledOnce(instance.workspace / "own/pid")
    with pytest.raises(CancelRequested):
        instance.python(CLOSES, guard=guard, grace_s=PATIENCE_S)
    assert (instance.workspace / "own/closed").read_text() == "whole"
    assert guard.file.read_text() != "1"


def test_one_that_does_not_close_is_ended(instance: Instance) -> None:
    with pytest.raises(CancelRequested):
        instance.python(IGNORES, mark("deaf-tool"), guard=CancelledOnce(instance.workspace / "own/pid"))
    # Killed with its supervisor; the kernel needs a moment to take it away.
    until(lambda: not processes_with(mark("deaf-tool")))


def test_a_child_that_lingers_may_close_too(instance: Instance) -> None:
    code = (
        f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {CLOSES!r}], start_new_session=True)\n"
    )
    code += "while not (__import__('os').path.exists('own/pid') and open('own/pid').read()): time.sleep(0.01)"
    assert instance.python(code, grace_s=PATIENCE_S).returncode == 0
    assert (instance.workspace / "own/closed").read_text() == "whole"


def test_who_forks_without_end_is_ended(instance: Instance) -> None:
    code = "import os\nopen('own/pid', 'w').write('x')\nwhile True:\n try: os.fork()\n except OSError: pass"
    if not AGENTS:
        pytest.skip("without a user of its own a tool's processes are not limited")
    with pytest.raises(CancelRequested):
        instance.python(code, mark("fork-bomb"), guard=CancelledOnce(instance.workspace / "own/pid"))
    until(lambda: not processes_with(mark("fork-bomb")))


@pytest.mark.parametrize("victim", ["outer", "first"])
def test_the_tool_dies_with_either_of_its_supervisors(instance: Instance, victim: str) -> None:
    marker = mark(f"watched-{victim}-tool")
    pid_file = instance.workspace / "own/pid"

    class Kills(Calm):
        def check(self) -> None:
            if pid_file.exists() and pid_file.read_text():
                supervisors = sorted(pid for pid in processes_with(marker) if is_supervisor(pid))
                if len(supervisors) == 2:
                    os.kill(supervisors[0 if victim == "outer" else 1], signal.SIGKILL)

    with pytest.raises(ToolFailed, match="supervisor was killed"):
        instance.python(IGNORES, marker, guard=Kills())
    until(lambda: not processes_with(marker))


def is_supervisor(pid: int) -> bool:
    try:
        return b"supervisor.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def test_it_dies_with_a_consumer_that_is_killed(instance: Instance) -> None:
    consumer = f"""
import pathlib
from service.clock import SystemClock
from consumer.agent.process import ProcessTool, User
from consumer.agent.sandbox import Sandbox
class Calm:
    def check(self): pass
    def time_left(self): return 600.0
folder = pathlib.Path({str(instance.workspace)!r})
argv = [{python()!r}, "-c", {IGNORES!r}, {mark("orphan-tool")!r}]
ProcessTool(SystemClock(), user={AGENTS!r}, fence=True, sandbox=Sandbox()).run(
    argv, cwd=folder, env={{"PATH": "/bin"}}, timeout_s=600, guard=Calm(), writable=[folder / "own"])
"""
    pid_file = instance.workspace / "own/pid"
    started = subprocess.Popen([sys.executable, "-c", consumer], cwd=ROOT)
    until(lambda: pid_file.exists() and pid_file.read_text() != "")
    started.kill()
    started.wait()
    until(lambda: not processes_with(mark("orphan-tool")))


# --- where it cannot be had


@pytest.mark.parametrize("fence", [True, False])
def test_without_its_sandbox_a_tool_does_not_run(instance: Instance, fence: bool) -> None:
    impossible = Sandbox(tmp_bytes=-1)
    with pytest.raises(ToolFailed, match="could not be run: cannot start"):
        instance.run(["/usr/bin/touch", "own/ran"], sandbox=impossible, fence=fence)
    assert not (instance.workspace / "own/ran").exists()


OLDER = """
import sys
sys.path.append({root!r})
from consumer.agent import namespaces, supervisor

namespaces.SYS_MOUNT_SETATTR = 100_000  # no such call
supervisor.main()
"""


def test_a_kernel_without_mount_setattr_makes_the_same(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    older = instance.root / "older.py"
    older.write_text(OLDER.format(root=str(ROOT)))
    monkeypatch.setattr(process, "SUPERVISOR", older)
    assert instance.python("open('own/new', 'w').write('x')").returncode == 0
    assert b"Read-only" in instance.python("open('evidence.md', 'a')", user=None).stderr
    assert instance.python(WAYS_OUT).stdout == b"[]\n"


SLOW = """
import os, sys
sys.path.append({root!r})
from consumer.agent import namespaces, supervisor

fork, waitpid, mount = os.fork, os.waitpid, namespaces._mount
reached, reaches = os.pipe()
done, finishes = os.pipe()

def slow_fork():
    pid = fork()
    if pid and os.getpid() != 1:
        os.read(reached, 1)
    return pid

def last_waitpid(*arguments):
    if os.getpid() != 1:
        os.close(finishes)
    return waitpid(*arguments)

def stopping_mount(source, target, *rest):
    if target == "/dev/null":
        os.close(finishes)
        os.write(reaches, b"x")
        os.read(done, 1)
    mount(source, target, *rest)

os.fork, os.waitpid, namespaces._mount = slow_fork, last_waitpid, stopping_mount
supervisor.main()
"""


def test_the_process_that_waits_outside_may_be_slow(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on while /dev/null of the sandbox is a plain file. Opened for writing there, /dev would stay busy."""
    slow = instance.root / "slow.py"
    slow.write_text(SLOW.format(root=str(ROOT)))
    monkeypatch.setattr(process, "SUPERVISOR", slow)
    result = instance.python("print('runs')")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"runs\n", b"")


@ROOT_ONLY
def test_who_is_not_root_has_it_by_a_user_namespace() -> None:
    command = [python(), "-I", "-S", supervisor.__file__, "probe-sandbox"]
    done = subprocess.run(command, user=65534, group=65534, extra_groups=[], capture_output=True, check=False)
    if done.returncode and b"ermi" in done.stdout:
        pytest.skip(f"this system gives user namespaces to root alone: {done.stdout.decode()}")
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_filter_is_known_for_the_machines_that_we_run_on_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"x86_64", "aarch64"} == set(namespaces.CALLS)
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine="riscv64"))
    with pytest.raises(OSError, match="not supported"):
        namespaces.restrict()
