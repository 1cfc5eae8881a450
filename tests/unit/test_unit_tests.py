"""What a test of `make unit` may not do, so that all of them together stay cheap."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest


def test_no_process_starts() -> None:
    with pytest.raises(RuntimeError, match=r"caused subprocess\.Popen: mark it pytest\.mark\.integration"):
        subprocess.run([sys.executable, "-V"], check=False)
    with pytest.raises(RuntimeError, match=r"caused os\.posix_spawn"):
        os.posix_spawn(sys.executable, [sys.executable, "-V"], {})


def test_no_server_starts() -> None:
    with socket.socket() as server, pytest.raises(RuntimeError, match=r"caused socket\.bind"):
        server.bind(("127.0.0.1", 0))


def test_a_socket_in_the_file_system_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    assert (tmp_path / "socket").is_socket()


@pytest.mark.integration
def test_a_test_that_says_so_may_start_both() -> None:
    assert subprocess.run([sys.executable, "-V"], check=True, capture_output=True).stdout
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
