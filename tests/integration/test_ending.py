"""SIGTERM, as the end of `.ci/run` sends it, does not leave behind what fixtures started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.integration

SUITE = """
import os, threading
from pathlib import Path
import pytest

HERE = Path(__file__).parent

@pytest.fixture(scope="session")
def server():
    yield
    (HERE / "ended").touch()

def test_that_waits(server):
    (HERE / "started").touch()
    threading.Event().wait()
"""


def test_sigterm_lets_the_fixtures_of_a_worker_end(tmp_path: Path) -> None:
    suite, started = tmp_path / "test_waits.py", tmp_path / "started"
    suite.write_text(SUITE)
    plugins = ["-p", "tests.ending", "-p", "no:cacheprovider", "-n", "1", "--dist", "loadgroup"]
    command = [sys.executable, "-m", "pytest", *plugins, "-c", os.devnull, "--rootdir", str(tmp_path), str(suite)]
    run = subprocess.Popen(command)
    try:
        until(lambda: started.exists() or run.poll() is not None, "the start of the test")
        run.send_signal(signal.SIGTERM)
        assert run.wait(PATIENCE_S) == pytest.ExitCode.INTERRUPTED
    finally:
        run.kill()
    assert (tmp_path / "ended").exists()
