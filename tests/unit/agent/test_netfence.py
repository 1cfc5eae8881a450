"""A tool's own network: the gateway is in it, and nothing else is, whatever it tries."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from consumer.agent import netfence
from consumer.agent.process import ProcessTool, User
from consumer.errors import CancelRequested, ToolFailed
from consumer.ports import ToolResult
from service.clock import SystemClock
from tests.waiting import PATIENCE_S, until

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(netfence.unavailable() is not None, reason="this system gives no network namespace"),
]
#: As whom a tool may run: as us, and where we may choose, as nobody.
USERS = [None, User(65534, 65534)] if os.geteuid() == 0 else [None]
#: Prints what came of a connection; stdlib only, since the tool may be nobody.
ASK = """
import socket, sys
try:
    with socket.create_connection((sys.argv[1], int(sys.argv[2])), 60) as there:
        there.sendall(sys.argv[3].encode() * int(sys.argv[4]))
        there.shutdown(socket.SHUT_WR)
        got = b""
        while data := there.recv(65536):
            got += data
    print(len(got), got[:20].decode())
except OSError as exc:
    print(type(exc).__name__, exc.errno)
"""


class Calm:
    def check(self) -> None:
        return

    def time_left(self) -> float:
        return PATIENCE_S


@contextmanager
def echo() -> Iterator[int]:
    """A server on this machine's loopback that answers with what it was told, once all of it came; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer(there: socket.socket) -> None:
            with there, suppress(ConnectionError):
                got = b""
                while data := there.recv(65536):
                    got += data
                there.sendall(got)

        def serve() -> None:
            while True:
                try:
                    there, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=answer, args=(there,), daemon=True).start()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(PATIENCE_S)


def python() -> str:
    """An interpreter that nobody may run too."""
    return "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable


def run(argv: Sequence[str], reach: Sequence[int] = (), user: User | None = None, fence: bool = True) -> ToolResult:
    tool = ProcessTool(SystemClock(), linger_s=0.1, grace_s=0.3, poll_s=0.02, user=user, fence=fence)
    env = {"PATH": "/usr/bin:/bin"}
    return tool.run(argv, cwd=Path("/"), env=env, timeout_s=PATIENCE_S, guard=Calm(), reach=reach)


def ask(host: str, port: int, text: str = "x", times: int = 1, **more: object) -> str:
    result = run([python(), "-c", ASK, host, str(port), text, str(times)], **more)  # type: ignore[arg-type]  # by name
    return result.stdout.decode().strip()


@pytest.mark.parametrize("user", USERS)
def test_the_port_that_it_was_given_answers_and_no_other_does(user: User | None) -> None:
    with echo() as given, echo() as other:
        assert ask("127.0.0.1", given, "hello", reach=[given], user=user) == "5 hello"
        assert ask("127.0.0.1", other, reach=[given], user=user).startswith("ConnectionRefusedError")
        assert ask("127.0.0.1", other, fence=False) == "1 x", "without a fence it is there"


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("address", ["169.254.169.254", "8.8.8.8", "10.0.0.1"])
def test_no_other_address_has_a_way(address: str, user: User | None) -> None:
    with echo() as given:
        assert ask(address, 80, reach=[given], user=user) in {"OSError 101", "OSError 113"}, "no route"


#: Holds many connections open, prints how many of them answer, and whether one does when they are closed.
CROWD = """
import socket, sys, time
address, number, patience_s = ("127.0.0.1", int(sys.argv[1])), int(sys.argv[2]), float(sys.argv[3])
def answers(there):
    try:
        there.settimeout(patience_s)
        there.sendall(b"x")
        there.shutdown(socket.SHUT_WR)
        return there.recv(1) == b"x"
    except OSError:
        return False
crowd = [socket.create_connection(address, patience_s) for _ in range(number)]
try:
    # They are taken in turn: when the last one was sent away, all others are decided.
    crowd[-1].settimeout(patience_s)
    crowd[-1].recv(1)
except OSError:
    pass
print(sum(map(answers, crowd)))
for there in crowd:
    there.close()
until = time.monotonic() + patience_s
while time.monotonic() < until:
    with socket.create_connection(address, patience_s) as there:
        if answers(there):
            print("open again")
            break
"""


def test_a_tool_holds_no_more_connections_than_we_have_threads_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(netfence, "MOST", 5)
    with echo() as port:
        result = run([python(), "-c", CROWD, str(port), "9", str(PATIENCE_S)], reach=[port])
    assert result.stdout.decode().splitlines() == ["5", "open again"]


def test_a_tool_that_was_given_nothing_reaches_nothing() -> None:
    with echo() as port:
        assert ask("127.0.0.1", port).startswith("ConnectionRefusedError")


def test_much_goes_through_both_ways_at_once_and_whole() -> None:
    size, text = 300_000, "0123456789"
    code = f"""
import socket, threading
def one():
    with socket.create_connection(("127.0.0.1", PORT)) as there:
        threading.Thread(target=lambda: (there.sendall(b"{text}" * {size}), there.shutdown(1))).start()
        got = 0
        while data := there.recv(65536):
            got += len(data)
    assert got == {size * len(text)}, got
several = [threading.Thread(target=one) for _ in range(4)]
[thread.start() for thread in several]
[thread.join() for thread in several]
print("done")
"""
    with echo() as port:
        result = run([python(), "-c", code.replace("PORT", str(port))], [port])
    assert (result.returncode, result.stdout) == (0, b"done\n"), result.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root could")
def test_root_finds_no_way_back_into_the_machines_network() -> None:
    code = f"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
there = os.open("/proc/{os.getpid()}/ns/net", os.O_RDONLY)
print(libc.setns(there, 0), ctypes.get_errno())
"""
    result = run([sys.executable, "-c", code])
    assert result.stdout != b"0 0\n"
    assert b"-1 1" in result.stdout or b"PermissionError" in result.stderr


def test_without_its_network_a_tool_does_not_run(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="could not be run"):
        run(["/usr/bin/touch", str(tmp_path / "ran")], [9, 9])
    assert not (tmp_path / "ran").exists()


def test_nothing_is_left_of_the_relay_also_when_the_tool_is_stopped() -> None:
    class Later(Calm):
        def check(self) -> None:
            if seen:
                raise CancelRequested("job is cancelled")

    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; it = socket.create_connection(('127.0.0.1', {port})); it.send(b'x'); it.recv(1)"

        def hold() -> None:
            with server.accept()[0] as there, suppress(ConnectionError):
                seen.append(there.recv(1))
                there.recv(1)

        thread = threading.Thread(target=hold, daemon=True)
        thread.start()
        tool = ProcessTool(SystemClock(), linger_s=0.1, grace_s=0.3, poll_s=0.02, fence=True)
        with pytest.raises(CancelRequested):
            tool.run([python(), "-c", code], cwd=Path("/"), env={}, timeout_s=PATIENCE_S, guard=Later(), reach=[port])
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the other side heard that the connection is over"
    until(lambda: not [thread for thread in threading.enumerate() if thread.name == "tool-network"], "the relay's end")


def test_a_system_without_namespaces_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refusing = tmp_path / "supervisor.py"
    refusing.write_text("import os; os.write(1, b'PermissionError: Operation not permitted'); os._exit(1)")
    monkeypatch.setattr(netfence, "SUPERVISOR", refusing)
    assert netfence.unavailable() == "PermissionError: Operation not permitted"
