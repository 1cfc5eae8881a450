"""What doctor says of each part of a machine, and what to do about it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from consumer import settings
from consumer.agent import netfence, sandbox
from consumer.bootstrap import stage_wiring
from consumer.clients import pubsub_topics
from consumer.doctor import checks, health
from consumer.errors import ToolFailed
from consumer.settings import SettingsError
from tests.tables import table


def raising(error: Exception) -> Callable[..., Any]:
    def called(*_: object, **__: object) -> None:
        raise error

    return called


@table(
    ("binary", "there", "version", "verdict", "texts"),
    [
        ("hermes", False, "", None, ("hermes is not on this machine; the worker's image has it", "")),
        ("/opt/hermes", False, "", False, ("/opt/hermes cannot be executed", "or correct HERMES_BIN.")),
        ("/opt/hermes", True, "1.2", True, ("1.2 at /opt/hermes", "")),
        (
            "hermes",
            True,
            ToolFailed("no answer"),
            False,
            ("no answer", "the program, or correct HERMES_BIN."),
        ),
    ],
)
def test_a_program_is_there_and_answers(
    binary: str, there: bool, version: Any, verdict: bool | None, texts: tuple[str, str]
) -> None:
    answer = raising(version) if isinstance(version, Exception) else lambda: version
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shutil, "which", lambda name: name if there else None)
        line = checks._version("hermes", binary, answer)
    assert (line.check, line.ok, line.detail) == ("hermes", verdict, texts[0])
    assert line.advice.endswith(texts[1])


@table(
    ("there", "fits", "verdict", "detail"),
    [
        (False, True, None, "is not on this machine; the worker's image has it"),
        (True, True, True, "fits this gbrain"),
        (True, False, False, "was made by another gbrain version or embedding model"),
        (True, ToolFailed("cannot be unpacked"), False, "cannot be unpacked"),
    ],
)
def test_a_template_fits_the_brain_that_unpacks_it(there: bool, fits: Any, verdict: bool | None, detail: str) -> None:
    brain: Any = SimpleNamespace(fits=raising(fits) if isinstance(fits, Exception) else lambda _: fits)
    line = checks._template(brain, Path(__file__) if there else Path("/none"))
    assert (line.check, line.ok) == ("gbrain template", verdict)
    assert detail in line.detail


READ: Any = SimpleNamespace(
    controlplane_url="http://control.test", storage_endpoint=None, project="p", jobs_topic="jobs", ticks_topic="ticks"
)


def test_the_clock_is_compared_with_that_of_the_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, float]] = []

    def head(url: str, timeout: float) -> httpx.Response:
        asked.append((url, timeout))
        return httpx.Response(200, headers={"date": "Fri, 27 Nov 2026 10:00:00 GMT"})

    monkeypatch.setattr(httpx, "head", head)
    monkeypatch.setattr(
        checks, "SystemClock", lambda: SimpleNamespace(now=lambda: datetime(2026, 11, 27, 10, 0, 7, tzinfo=UTC))
    )
    monkeypatch.setattr(health, "of_clock", lambda ahead_s, skew: (ahead_s, skew > 0))
    assert list(checks._clock(READ, {})) == [(7.0, True)]
    assert asked == [(checks.GOOGLE_STORAGE, checks.TIMEOUT_S)]
    for answer in (raising(httpx.ConnectError("refused")), lambda *_, **__: httpx.Response(200)):
        monkeypatch.setattr(httpx, "head", answer)
        (line,) = checks._clock(READ, {})
        assert (line.ok, "returned no time (" in line.detail) == (False, True)


@table(("first", "asked"), [(200, ["/ready"]), (503, ["/ready"]), (404, ["/ready", "/readyz"])])
def test_readiness_has_an_older_name(first: int, asked: list[str]) -> None:
    paths: list[str] = []

    def get(url: str, timeout: float) -> httpx.Response:
        paths.append(url.removeprefix("http://control.test"))
        return httpx.Response(first if len(paths) == 1 else 200, request=httpx.Request("GET", url))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx, "get", get)
        patch.setattr(health, "of_readiness", lambda url, status, _: (url, status))
        (line,) = checks._controlplane(READ, {})
        assert line == (f"http://control.test{asked[-1]}", 200 if first == 404 else first)
        assert paths == asked
        patch.setattr(httpx, "get", raising(httpx.ConnectError("refused")))
        (away,) = checks._controlplane(READ, {})
        assert (away.ok, away.detail) == (False, "http://control.test: ConnectError")


@table("known", [True, False])
def test_topics_are_pushed_as_this_machine_expects_it(known: bool) -> None:
    worker = SimpleNamespace(push_service_account="push@p", push_audiences=("a",))
    asked: list[tuple[Any, ...]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "load", lambda _: worker if known else raising(SettingsError(["x"]))())
        patch.setattr(pubsub_topics, "faults_of", lambda *given: asked.append(given))
        patch.setattr(health, "of_faults", lambda name, faults, detail: [(name, faults, detail)])
        line = list(checks._topics(READ, {}))
    topics, dead, pushes = asked[0]
    assert topics == {"projects/p/topics/jobs": "/push/jobs", "projects/p/topics/ticks": "/push/ticks"}
    assert dead == "/push/dead-letters"
    expected = pubsub_topics.ExpectedPush(*(("push@p", ("a",)) if known else ()))
    assert pushes == expected
    assert line == [("topics", None, "jobs and ticks exist and are pushed with tokens")]


@table(
    ("fence", "why", "verdicts"),
    [
        ("off", None, [("agent fence", None)]),
        ("required", None, [("agent network", True), ("agent sandbox", True)]),
        ("required", "no rights", [("agent network", False), ("agent sandbox", False)]),
        ("auto", "no rights", [("agent network", None), ("agent sandbox", None)]),
    ],
)
def test_whether_agents_are_apart(fence: str, why: str | None, verdicts: list[tuple[str, bool | None]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(netfence, "unavailable", lambda: why)
        patch.setattr(sandbox, "unavailable", lambda: why)
        worker: Any = SimpleNamespace(agent_fence=fence)
        assert [(line.check, line.ok) for line in checks._fence(worker)] == verdicts


@table(
    ("fault", "unpriced", "verdict", "detail"),
    [
        ("MODEL_UPSTREAMS: no key", [], False, "MODEL_UPSTREAMS: no key"),
        ("", ["gpt-x has no price"], False, "gpt-x has no price"),
        ("", [], True, "a at other.test, b at main.test; all have a price"),
    ],
)
def test_each_model_has_a_provider_and_a_price(fault: str, unpriced: list[str], verdict: bool, detail: str) -> None:
    worker: Any = SimpleNamespace(model_base_url="https://main.test/v1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage_wiring, "subagents_of", lambda _: {})
        patch.setattr(stage_wiring, "models_in_use", lambda *_: ["a", "b"])
        known = {"a": SimpleNamespace(host="other.test")}
        patch.setattr(stage_wiring, "model_endpoints", raising(SettingsError([fault])) if fault else lambda *_: known)
        patch.setattr(stage_wiring, "unpriced", lambda *_: unpriced)
        line = checks._models(worker, {})
    assert (line.check, line.ok) == ("models", verdict)
    assert detail in line.detail
