"""The diagnosis: a line each, advice under a fault, and an exit code that a deployment can wait for."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from typer.testing import CliRunner

from consumer import settings
from consumer.cli import main
from consumer.clients import pubsub_topics
from consumer.doctor import checks
from consumer.doctor.health import Diagnosis
from consumer.errors import BlobUnavailable
from consumer.storage import gcs_bucket
from tests.waiting import PATIENCE_S

FINE = Diagnosis("bucket", True, "reachable", "never shown")
FAULT = Diagnosis("topics", False, "topic x does not exist", "create it")
SKIPPED = Diagnosis("gbrain", None, "not here")
NOWHERE = "127.0.0.1:9"
OPERATOR = {
    "GOOGLE_CLOUD_PROJECT": "p",
    "WORKSPACE_BUCKET": "b",
    "STORAGE_EMULATOR_HOST": f"http://{NOWHERE}",
    "CONTROLPLANE_URL": f"http://{NOWHERE}",
    "CONTROLPLANE_AUDIENCE": "a",
    "IDENTITY_TOKEN_URL": f"http://{NOWHERE}/token",
    "OPERATOR_EMAIL": "ann@example.com",
    "SIGNING_KEY": "/tmp/none",
}


def run(*diagnoses: Diagnosis, words: tuple[str, ...] = ()) -> tuple[int, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "findings", lambda _: iter(diagnoses))
        result = CliRunner().invoke(main.app, ["doctor", *words])
    return result.exit_code, result.stdout


def test_fine_and_skipped_is_exit_0() -> None:
    code, text = run(FINE, SKIPPED)
    assert code == 0
    assert [line.split()[0] for line in text.splitlines()] == ["ok", "-"]


def test_one_fault_is_exit_1_with_its_advice() -> None:
    code, text = run(FINE, FAULT)
    assert code == 1
    assert text.splitlines()[1].startswith("FAULT")
    assert text.splitlines()[2].strip() == "create it"
    assert "never shown" not in text


def test_for_machines_one_document() -> None:
    code, text = run(FINE, FAULT, SKIPPED, words=("--json",))
    document = json.loads(text)
    assert (code, document["ok"]) == (1, False)
    assert [finding["state"] for finding in document["findings"]] == ["ok", "fault", "skipped"]
    assert [finding.get("advice") for finding in document["findings"]] == [None, "create it", None]


def test_a_configuration_with_faults_names_each_variable_and_checks_no_further() -> None:
    findings = list(checks.findings({}))
    required = {v.name for v in settings.variables() if v.default is None}
    named = {finding.detail.split(":")[0] for finding in findings}
    assert {finding.ok for finding in findings} == {False}
    assert {"WORKSPACE_BUCKET", "CONTROLPLANE_URL", "SIGNING_KEY"} <= named <= required


@pytest.mark.parametrize("name", ["bucket", "clock", "control plane", "topics", "work"])
def test_a_part_that_is_away_is_a_fault_with_advice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every address is one that nobody listens on; Google's clients get no credentials but need none there."""
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", NOWHERE)
    monkeypatch.setattr(pubsub_topics, "TIMEOUT_S", 0.5)
    monkeypatch.setattr(gcs_bucket, "PATIENCE_S", 0.1)
    read = settings.load_operator(OPERATOR)
    monkeypatch.setattr(checks, "CHECKS", {name: checks.CHECKS[name]})
    monkeypatch.setattr(settings, "load_operator", lambda _: read)
    findings = list(checks.findings({}))[2:]
    assert [finding.ok for finding in findings] == [False]
    assert findings[0].advice


def test_no_check_waits_for_another_and_the_order_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    all_run = threading.Barrier(3)

    def waits(name: str) -> checks.Check:
        def check(*_: object) -> Iterator[Diagnosis]:
            all_run.wait(PATIENCE_S)
            yield Diagnosis(name, True, "")
            if name == "bucket":
                raise BlobUnavailable("inspect bucket 'b': ServiceUnavailable")

        return check

    read = settings.load_operator(OPERATOR)
    monkeypatch.setattr(settings, "load_operator", lambda _: read)
    monkeypatch.setattr(checks, "CHECKS", {name: waits(name) for name in ("bucket", "clock", "work")})
    findings = [(finding.check, finding.ok) for finding in checks.findings({})]
    assert findings[2:] == [("bucket", True), ("bucket", False), ("clock", True), ("work", True)]


@pytest.mark.integration
@pytest.mark.parametrize("served", ["/ready", "/readyz"])
def test_readiness_is_asked_where_the_control_plane_tells_it(served: str) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == served else 404)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            answer = checks._readiness(f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
            thread.join()
    assert (answer.status_code, answer.request.url.path) == (200, served)
