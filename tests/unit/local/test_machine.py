"""Ports that nobody takes meanwhile, and children that do not outlive us."""

from __future__ import annotations

import os
import secrets
import select
import signal
import socket
import subprocess
import sys

import pytest

from local import machine
from tests.waiting import PATIENCE_S


@pytest.mark.integration
def test_ports_are_free_different_and_never_the_systems_to_give() -> None:
    ports = machine.free_ports(200)
    assert len(set(ports)) == 200
    assert set(ports) <= set(range(machine.FIRST_PORT, max(machine.FIRST_PORT + 1000, machine._ephemeral_from())))
    with socket.create_server((machine.HOST, ports[0])):
        pass


@pytest.mark.integration
def test_a_port_in_use_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((machine.HOST, 0)) as taken, socket.socket() as other:
        other.bind((machine.HOST, 0))
        used, free = taken.getsockname()[1], other.getsockname()[1]
        other.close()
        answers = iter([used, used, free])
        monkeypatch.setattr(secrets, "choice", lambda _span: next(answers))
        assert machine.free_port() == free


@pytest.mark.integration
def test_a_port_is_given_once_also_before_its_server_runs_and_while_it_restarts() -> None:
    """Two stacks that started at once on one machine were given the same port, and one of them could not start."""
    given = machine.free_port()
    code = (
        "import random, secrets\nfrom local import machine\n"
        f"asked = iter([{given}])\n"
        "secrets.choice = lambda span: next(asked, None) or random.choice(span)\nprint(machine.free_port())"
    )
    for _start in range(2):
        assert int(subprocess.check_output([sys.executable, "-c", code])) != given
        with socket.create_server((machine.HOST, given)) as server, socket.create_connection((machine.HOST, given)):
            server.accept()[0].close()


@pytest.mark.parametrize(
    ("environ", "kept"),
    [
        ({}, ""),
        ({"NO_PROXY": ".corp.example, 10.0.0.1"}, ".corp.example, 10.0.0.1,"),
        ({"no_proxy": "a.example", "NO_PROXY": "b.example"}, "a.example,"),
        ({"no_proxy": "localhost,127.0.0.1"}, ""),
    ],
)
def test_no_proxy_stands_on_the_way_to_this_machine(environ: dict[str, str], kept: str) -> None:
    value = f"{kept}127.0.0.1,localhost"
    assert machine.direct(environ) == {"NO_PROXY": value, "no_proxy": value}


@pytest.mark.integration
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_a_child_ends_with_its_parent() -> None:
    code = (
        "import signal, subprocess, sys\nfrom local.machine import dying_with_us\n"
        "child = subprocess.Popen(['/bin/sleep', '600'], preexec_fn=dying_with_us(signal.SIGKILL))\n"
        "print(child.pid, flush=True)\nsys.stdin.read()"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout
        child = os.pidfd_open(int(parent.stdout.readline()))
        parent.send_signal(signal.SIGKILL)
    # A pidfd becomes readable when its process ends, reaped or not.
    assert select.select([child], [], [], PATIENCE_S)[0], "the child outlived its parent"
    os.close(child)


@pytest.mark.integration
def test_starting_a_process_waits_for_no_thread_of_grpc() -> None:
    code = (
        "import os, subprocess, threading\nfrom local.machine import dying_with_us\nimport grpc\n"
        "def call():\n"
        "    while True:\n"
        "        with grpc.insecure_channel('127.0.0.1:1') as channel:\n"
        "            try: channel.unary_unary('/no/method')(b'')\n"
        "            except grpc.RpcError: calling.set()\n"
        "calling = threading.Event()\nthreading.Thread(target=call, daemon=True).start()\ncalling.wait()\n"
        "for _ in range(20): subprocess.Popen(['/bin/true'], preexec_fn=dying_with_us(9)).wait()\nos._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    # Where gRPC's handlers run at a fork, they log that other threads are calling.
    assert "fork" not in done.stderr
