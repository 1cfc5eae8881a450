"""Flags and marks on the command line, against the real control plane's models over a client that remembers."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from consumer.cli import main
from consumer.clients.operators import OperatorApi
from consumer.errors import ControlPlaneUnavailable
from tests.spine import USER, job_id
from tests.tables import table

AT = "2026-11-27T14:00:00.000000Z"
FLAG = {"name": "synthesis", "scope": "user", "target": USER, "value": False, "reason": "r", "set_by": "o@x"}


class Cli:
    """Both groups over HTTP; ``replies`` by method and path."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, Any]] = []
        self.replies: dict[tuple[str, str], Any] = {}
        client = httpx.Client(base_url="http://control.test", transport=httpx.MockTransport(self._answer))
        self.api = OperatorApi(client, lambda: "token")

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/internal")
        body = json.loads(request.content) if request.content else dict(request.url.params)
        self.sent.append((request.method, path, body))
        return httpx.Response(200, json=self.replies[request.method, path])

    def __call__(self, *words: str, code: int = 0) -> str:
        result = CliRunner().invoke(main.app, list(words), obj=lambda: self)
        assert result.exit_code == code, result.output + repr(result.exception)
        return result.output


@pytest.fixture
def cli() -> Cli:
    return Cli()


@pytest.mark.parametrize(
    ("where", "scope", "target"),
    [("all", "all", "*"), (f"user:{USER}", "user", USER), ("cohort:pilot", "cohort", "pilot")],
)
def test_set_says_where_what_and_why(cli: Cli, where: str, scope: str, target: str) -> None:
    cli.replies["POST", "/memory-flags"] = {**FLAG, "set_at": AT}
    text = cli("flag", "set", "synthesis", "off", "--for", where, "--reason", "why")
    expected = {"name": "synthesis", "scope": scope, "target": target, "value": False, "reason": "why"}
    assert cli.sent == [("POST", "/memory-flags", expected)]
    assert "off" in text


def test_unset(cli: Cli) -> None:
    cli.replies["POST", "/memory-flags/unset"] = {**FLAG, "set_at": AT}
    document = json.loads(cli("flag", "unset", "hourly", "--for", "all", "--reason", "why", "--json"))
    assert document["set_by"] == "o@x"
    assert cli.sent[0][2] == {"name": "hourly", "scope": "all", "target": "*", "reason": "why"}


def test_list_shows_each_with_its_reason(cli: Cli) -> None:
    cli.replies["GET", "/memory-flags"] = {"flags": [{**FLAG, "set_at": AT}]}
    text = cli("flag", "list", "--name", "synthesis")
    assert cli.sent[0][2]["name"] == "synthesis"
    assert f"user:{USER}" in text
    assert "2026-11-27 14:00" in text


PAUSE = {"target": "*", "paused_at": AT, "paused_by": "o@x", "reason": "provider down"}


@pytest.mark.parametrize(("words", "target"), [(("--all",), "*"), (("--user", USER), USER)])
def test_the_queue_is_paused_and_resumed_with_a_reason(cli: Cli, words: tuple[str, ...], target: str) -> None:
    cli.replies["POST", "/memory-queue/pause"] = {**PAUSE, "target": target}
    cli.replies["POST", "/memory-queue/resume"] = {**PAUSE, "target": target, "resumed_at": AT, "resumed_by": "o@x"}
    cli.replies["GET", "/memory-queue/pauses"] = {"pauses": [PAUSE] if target == USER else []}
    assert "provider down" in cli("queue", "pause", *words, "--reason", "provider down")
    text = cli("queue", "resume", *words, "--reason", "it is back")
    assert ("this user's jobs still wait: everybody's queue is paused" in text) is (target == USER)
    assert [body for method, _, body in cli.sent if method == "POST"] == [
        {"target": target, "reason": "provider down"},
        {"target": target, "reason": "it is back"},
    ]


def test_the_queues_status_names_each_pause_and_what_waits(cli: Cli) -> None:
    cli.replies["GET", "/memory-queue"] = {"queued": 3, "running": 1}
    assert "no pause is in force; 3 jobs are queued" in cli("queue", "status")
    cli.replies["GET", "/memory-queue"] = {"withheld": 3, "running": 1, "pauses": [PAUSE, {**PAUSE, "target": USER}]}
    text = cli("queue", "status")
    assert all(part in text for part in ("everybody", USER, "provider down", "3 jobs are withheld"))
    assert json.loads(cli("queue", "status", "--json"))["withheld"] == 3


def test_cohort_joins_and_leaves(cli: Cli) -> None:
    cli.replies["POST", "/memory-cohorts"] = {"cohort": "pilot", "user_id": USER, "member": True}
    cli("flag", "cohort", "pilot", USER, "--reason", "why")
    cli("flag", "cohort", "pilot", USER, "--reason", "why", "--leave")
    assert [body["member"] for _, _, body in cli.sent] == [True, False]


@pytest.mark.parametrize(
    "words",
    [
        ("flag", "set", "synthesis", "maybe", "--for", "all", "--reason", "r"),
        ("queue", "pause", "--reason", "r"),
        ("queue", "pause", "--all", "--user", USER, "--reason", "r"),
        ("queue", "pause", "--all"),
        ("queue", "resume", "--user", "somebody", "--reason", "r"),
        ("flag", "set", "everything", "off", "--for", "all", "--reason", "r"),
        ("flag", "set", "synthesis", "off", "--for", "planet:mars", "--reason", "r"),
        ("flag", "set", "synthesis", "off", "--for", "cohort:", "--reason", "r"),
        ("flag", "set", "synthesis", "off", "--for", "all", "--reason", ""),
        ("flag", "set", "synthesis", "off", "--for", "all"),
        ("flag", "cohort", "Not A Cohort", USER, "--reason", "r"),
        ("claim", "mark", job_id(1), "1", "funny", "--reason", "r"),
        ("claim", "mark", job_id(1), "0", "wrong", "--reason", "r"),
        ("claim", "mark", job_id(1), "1", "wrong"),
    ],
)
def test_words_that_are_off_reach_nobody(cli: Cli, words: tuple[str, ...]) -> None:
    cli(*words, code=2)
    assert cli.sent == []


def test_mark_and_what_it_leads_to(cli: Cli) -> None:
    place = f"/memory-jobs/{job_id(1)}/marks"
    cli.replies["POST", place] = {"marks": 20, "wrong": 2, "paused": True}
    text = cli("claim", "mark", job_id(1), "3", "wrong", "--reason", "never moved")
    assert cli.sent == [("POST", place, {"claim": 3, "verdict": "wrong", "reason": "never moved"})]
    assert "synthesis is paused" in text


def test_marks_of_a_job(cli: Cli) -> None:
    mark = {"claim": 3, "verdict": "wrong", "reason": "never moved", "marked_by": "o@x", "marked_at": AT}
    cli.replies["GET", f"/memory-jobs/{job_id(1)}/marks"] = {"marks": [mark]}
    assert "never moved" in cli("claim", "list", job_id(1))


WHY = ("--reason", "why")
FLAGGED, MARKED = {**FLAG, "set_at": AT}, {"marks": 20, "wrong": 2, "paused": True}
MARK = {"claim": 3, "verdict": "wrong", "reason": "never moved", "marked_by": "o@x", "marked_at": AT}


@table(
    "words, request, reply, printed",
    [
        (("flag", "set", "synthesis", "off", "--for", "all", *WHY), ("POST", "/memory-flags"), FLAGGED, FLAG),
        (("flag", "unset", "synthesis", "--for", "all", *WHY), ("POST", "/memory-flags/unset"), FLAGGED, FLAG),
        (("flag", "list"), ("GET", "/memory-flags"), {"flags": [FLAGGED]}, FLAG),
        (("claim", "mark", job_id(1), "3", "wrong", *WHY), ("POST", f"/memory-jobs/{job_id(1)}/marks"), MARKED, MARKED),
        (("claim", "list", job_id(1)), ("GET", f"/memory-jobs/{job_id(1)}/marks"), {"marks": [MARK]}, {"claim": 3}),
        (("queue", "status"), ("GET", "/memory-queue"), {"withheld": 3, "running": 1}, {"withheld": 3, "running": 1}),
        (("queue", "pause", "--all", *WHY), ("POST", "/memory-queue/pause"), PAUSE, {"target": "*"}),
    ],
)
def test_with_json_a_command_prints_the_answer_and_nothing_else(
    words: tuple[str, ...], request: tuple[str, str], reply: dict[str, Any], printed: dict[str, Any]
) -> None:
    cli = Cli()
    cli.replies[request] = reply
    document = json.loads(cli(*words, "--json"))
    [shown] = document if isinstance(document, list) else [document]
    assert {name: shown[name] for name in printed} == printed


def test_a_reply_of_another_form_is_an_outage_that_names_the_request(cli: Cli) -> None:
    cli.replies["GET", f"/memory-jobs/{job_id(1)}"] = {"status": "somewhere"}
    with pytest.raises(ControlPlaneUnavailable, match=rf"GET /memory-jobs/{job_id(1)}: .* not a JobView"):
        cli.api.job(job_id(1))
