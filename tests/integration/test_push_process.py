"""The push app as Cloud Run runs it: a process that is told to go away in the middle of a job."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.spine import an_event
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.integration


@pytest.fixture
def process(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    options = getattr(request, "param", ())
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.push_process", str(tmp_path), *options], stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.wait(PATIENCE_S)
    if process.stdout:
        process.stdout.close()


def line(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout
    return dict(json.loads(process.stdout.readline()))


def message() -> dict[str, Any]:
    event = an_event()
    return {
        "message": {
            "data": base64.b64encode(event.encode()).decode(),
            "attributes": event.attributes(),
            "messageId": "1",
            "publishTime": "2026-11-27T14:00:00Z",
        }
    }


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_app_ends_well(process: subprocess.Popen[str], number: signal.Signals) -> None:
    assert line(process)["port"]
    process.send_signal(number)
    assert process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("process", [("deaf",)], indirect=True)
def test_a_run_that_does_not_let_go_ends_with_the_process(process: subprocess.Popen[str]) -> None:
    port = line(process)["port"]
    cut: list[httpx.HTTPError] = []

    def push() -> None:
        try:
            httpx.post(f"http://127.0.0.1:{port}/push/jobs", json=message(), timeout=PATIENCE_S)
        except httpx.HTTPError as exc:
            cut.append(exc)

    pusher = threading.Thread(target=push)
    pusher.start()
    assert line(process) == {"entered": "render"}

    process.send_signal(signal.SIGTERM)

    assert process.wait(PATIENCE_S) == -signal.SIGTERM
    pusher.join(PATIENCE_S)
    assert line(process)["ledger"]["state"] == "RUNNING", "the lease brings the job back"


def test_sigterm_in_the_middle_of_a_run(process: subprocess.Popen[str]) -> None:
    port = line(process)["port"]
    replies: list[httpx.Response] = []
    pusher = threading.Thread(
        target=lambda: replies.append(
            httpx.post(f"http://127.0.0.1:{port}/push/jobs", json=message(), timeout=PATIENCE_S)
        )
    )
    pusher.start()
    assert line(process) == {"entered": "render"}

    process.send_signal(signal.SIGTERM)
    last = line(process)
    pusher.join(PATIENCE_S)
    assert process.wait(PATIENCE_S) == 0

    assert [(reply.status_code, reply.headers["x-outcome"]) for reply in replies] == [(503, "shut_down")]
    assert (last["ledger"]["state"], last["ledger"]["failures"]) == ("RETRYING", 0)
    assert last["lock"]["state"] == "free"
