"""The operator console as it is started, against the running system: a real report, and each place that it cites."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from contract.api import SubmitJobRequest
from tests.e2e import rows
from tests.e2e.conftest import System
from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where the console's log goes."""
    return tmp_path / "console.log"


@pytest.fixture
def console(system: System, log: Path) -> Iterator[httpx.Client]:
    """A client that followed the printed link."""
    command = [sys.executable, "-m", "consumer.cli.main", "console"]
    env = {**os.environ, **system.stack.operator_env(), "PYTHONUNBUFFERED": "1"}
    with (
        log.open("w") as errors,
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout
            link = next(line.strip() for line in process.stdout if "/sign-in?token=" in line)
            origin, _, token = link.partition("/sign-in?token=")
            with httpx.Client(base_url=origin, timeout=PATIENCE_S) as client:
                assert client.post("/sign-in", data={"token": token}).status_code == 303
                yield client
        finally:
            process.send_signal(signal.SIGINT)
    assert process.returncode == 0


def hrefs(client: httpx.Client, text: str) -> list[str]:
    """The addresses that a page links to, below the console's own path, which the client's base has."""
    root = client.base_url.path.rstrip("/")
    return [unescape(href).removeprefix(root) for href in re.findall(r'<a href="([^"]+)"', text)]


def test_each_citation_of_a_real_report_opens_its_evidence(system: System, console: httpx.Client, log: Path) -> None:
    user = system.users.all[1].user_id
    job = system.operations.api.submit(SubmitJobRequest(user_id=user, job_type="backfill_digest"))
    done = system.cli("job", "watch", job.job_id, "--timeout", "200")
    assert done.returncode == 0, done.stdout + done.stderr

    page = console.get(f"/jobs/{job.job_id}")
    assert page.status_code == 200
    assert "synthesize" in page.text
    [report] = [href for href in hrefs(console, page.text) if "/files/brain/reports/" in href]
    asked = console.get(report).text
    assert "<article" not in asked
    [form_token] = set(re.findall(r'name="form_token" value="([0-9a-f]{64})"', asked))
    answer = console.post(report, data={"form_token": form_token, "reason": "the user asked us to look"})
    assert (answer.status_code, answer.headers["location"]) == (303, console.base_url.path.rstrip("/") + report)
    assert ("workspace.read", "the user asked us to look") in rows.audit(system.stack.dsn, user)
    text = console.get(report).text
    cited = hrefs(console, text.partition("<article")[2])
    assert len(cited) >= 5
    for href in dict.fromkeys(cited):
        path, _, anchor = href.partition("#")
        evidence = console.get(path)
        assert evidence.status_code == 200, href
        # Without an anchor the browser looks for the quote; that it is there is what `citations` checked.
        assert not anchor or anchor.startswith(":~:text=") or f'<a id="{anchor}"></a>' in evidence.text, href
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["message"] for line in lines][:3] == ["console_sign_in", "console_reading", "console_read"]
    assert {line["operator"] for line in lines} == {system.operations.operator}
    # Today's page of a source that has one a day is named as every line's time begins.
    logged = json.dumps([{name: value for name, value in line.items() if name != "time"} for line in lines])
    assert not [href for href in cited if href.rpartition("/")[2].partition(".md")[0] in logged]
    assert console.get(f"/users/{user}").text.count("/commits/") >= 1
    assert console.get("/users").status_code == console.get("/dead-letters").status_code == 200
