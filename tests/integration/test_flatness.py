"""Fifty jobs in one process: gateway and tools leave no file, thread, process or growing memory behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.flatness import Held

pytestmark = pytest.mark.integration
#: Allocators do not give every page back; a leak of one buffer a job would be more.
GROWTH_BYTES = 6 * 1024 * 1024


def test_nothing_grows_over_fifty_jobs(tmp_path: Path) -> None:
    # A process of its own: in ours, what other tests started or left comes and goes meanwhile.
    command = [sys.executable, "-m", "tests.flatness", str(tmp_path)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    before, after = (Held(**held) for held in json.loads(done.stdout))
    assert after.files <= before.files
    assert after.threads <= before.threads
    assert after.children <= before.children
    assert after.resident_bytes - before.resident_bytes < GROWTH_BYTES
