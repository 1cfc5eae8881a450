"""Which models a run may ask, and for what, as the settings say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import MagicMock

import pytest

import manifests
from consumer import settings
from consumer.agent import process
from consumer.agent.gateway.server import LoopbackGateway
from consumer.bootstrap import stage_wiring
from consumer.doctor import checks
from consumer.repository.workspace import WorkspaceStore
from consumer.settings import ConsumerSettings, SettingsError
from consumer.settings.table import variables
from consumer.storage.memory import MemoryBlobStore
from service import telemetry
from service.clock import SystemClock

#: Every variable as its own example has it.
EXAMPLES = {variable.name: variable.example for variable in variables()} | {"MODEL_UPSTREAMS": ""}
WORKSPACES = cast(WorkspaceStore, SimpleNamespace(narrowed=lambda user: None))


def stages(given: ConsumerSettings) -> Any:
    """Those of a run, of which nothing else is real. ``hide_process`` must be patched."""
    clock, anything = SystemClock(), cast(Any, MagicMock())
    return stage_wiring.stages(
        replace(given, mode="local"),
        MemoryBlobStore(clock),
        anything,
        anything,
        clock,
        overlays=anything,
        fence=stage_wiring.Fence(network=False, sandbox=False),
        breakers=anything,
        shutdown=threading.Event(),
    )


def loaded(**changes: str) -> ConsumerSettings:
    return settings.load({**EXAMPLES, **changes})


def models(given: ConsumerSettings) -> dict[str, str]:
    return stage_wiring.models_in_use(given, stage_wiring.subagents_of(given))


def gateway(given: ConsumerSettings) -> LoopbackGateway:
    clock = SystemClock()
    return cast(
        LoopbackGateway,
        stage_wiring._gateway(given, models(given), clock, MemoryBlobStore(clock), shutdown=threading.Event()),
    )


def test_by_default_small_models_read_and_judge_and_the_gateway_lets_them() -> None:
    given = loaded(
        MODEL="big", MODEL_SMALL="small", EMBEDDING_MODEL="embeds", MODEL_READER="reads", MODEL_JUDGE="judges"
    )
    open_to = gateway(given)
    assert open_to.models == {"big", "small", "embeds", "reads", "judges"}
    reader = stage_wiring._reader(given, open_to, WORKSPACES)
    judge = stage_wiring._judge(given, open_to)
    assert reader and judge
    assert (reader.model, judge.model) == ("reads", "judges")
    assert (given.model_reader, given.model_judge) == ("reads", "judges")
    without = {name: value for name, value in EXAMPLES.items() if name not in ("MODEL_READER", "MODEL_JUDGE")}
    default = settings.load(without)
    assert (default.model_reader, default.model_judge) == ("gpt-5.4-nano", "gpt-5.4-nano")


def test_a_model_that_is_named_none_is_asked_nothing() -> None:
    given = loaded(MODEL="big", MODEL_SMALL="small", EMBEDDING_MODEL="embeds", MODEL_READER="none", MODEL_JUDGE="none")
    assert gateway(given).models == {"big", "small", "embeds"}
    assert stage_wiring._reader(given, gateway(given), WORKSPACES) is None
    assert stage_wiring._judge(given, gateway(given)) is None


def test_upstreams_are_for_models_in_use_and_their_keys_must_be_there() -> None:
    small = {"small": {"base_url": "https://models.example/v1", "key": "env:SMALL_KEY"}}
    given = loaded(MODEL="big", MODEL_SMALL="small", MODEL_UPSTREAMS=json.dumps(small))
    endpoints = stage_wiring.model_endpoints(given, models(given), {"SMALL_KEY": "private-key-1"})
    assert (endpoints["small"].base_url, endpoints["small"].key) == ("https://models.example/v1", "private-key-1")
    assert "env:SMALL_KEY" in repr(given), "settings hold the reference alone"
    with pytest.raises(SettingsError, match=r"the key of small: the variable .* is not set"):
        stage_wiring.model_endpoints(given, models(given), {})
    unused = loaded(MODEL="big", MODEL_UPSTREAMS=json.dumps({"smal": small["small"]}))
    with pytest.raises(SettingsError, match=r"names smal, but the models in use are .*big \(MODEL\)"):
        stage_wiring.model_endpoints(unused, models(unused), {"SMALL_KEY": "private-key-1"})


def test_a_model_without_a_price_is_named_with_what_follows() -> None:
    given = loaded(MODEL="big", MODEL_SMALL="gpt-5.4-mini", MODEL_READER="none", MODEL_JUDGE="none")
    (warning,) = stage_wiring.unpriced(settings.models_of(given), manifests.model_prices())
    assert warning.startswith("MODEL: big has no price in manifests/models.yaml")


def test_the_doctor_names_who_serves_each_model_and_what_is_missing() -> None:
    upstream = {"gpt-5.4-nano": {"base_url": "https://models.example/v1", "key": "env:NANO_KEY"}}
    known = {"MODEL": "gpt-5.4", "MODEL_SMALL": "gpt-5.4-mini", "EMBEDDING_MODEL": "text-embedding-3-small"}
    given = loaded(**known, MODEL_READER="gpt-5.4-nano", MODEL_UPSTREAMS=json.dumps(upstream))
    sound = checks._models(given, {"NANO_KEY": "private-key-1"})
    assert sound.ok
    assert "gpt-5.4 at api.openai.com" in sound.detail
    assert "gpt-5.4-nano at models.example" in sound.detail
    keyless = checks._models(given, {})
    assert keyless.ok is False
    assert "the key of gpt-5.4-nano: the variable that its reference (env:) names is not set" in keyless.detail
    unpriced = checks._models(loaded(**known, MODEL_READER="qwen3"), {})
    assert unpriced.ok is False
    assert "MODEL_READER: qwen3 has no price" in unpriced.detail


def test_a_start_reads_plugins_once_and_logs_what_it_leaves_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(telemetry, "log", lambda text, **_: lines.append(text))
    monkeypatch.setattr(process, "hide_process", lambda: None)
    given = replace(loaded(), gbrain_plugin_path=str(tmp_path / "no-such-plugin"))
    starts: tuple[Callable[[], object], ...] = (lambda: stages(given), lambda: checks._models(given, {}))
    for start in starts:
        lines.clear()
        start()
        assert sum(line.startswith("left out: ") for line in lines) == 1


def test_an_hour_asks_the_small_model_with_few_turns_and_tools_and_the_others_the_large_one() -> None:
    given = stage_wiring.efforts(loaded(MODEL="big", MODEL_SMALL="small"), manifests.pipelines())
    assert {job_type: effort.model for job_type, effort in given.items()} == {
        "hourly_digest": "small",
        "backfill_digest": "big",
        "insight": "big",
    }
    hour, insight, backfill = given["hourly_digest"], given["insight"], given["backfill_digest"]
    assert hour.max_turns < insight.max_turns < backfill.max_turns
    assert (hour.brain_tools, hour.subagents) == (("evidence_search", "get_page"), None)
    assert insight.subagents is None
    assert backfill.subagents
    assert backfill.subagents.at_once == 2
    profile = manifests.profiles()["user-memory-prod"]
    assert set(hour.brain_tools) <= set(profile.brain_tool_names), "a tool that no profile has is never offered"
    assert insight.tools(profile) == profile.brain_tool_names


def test_a_backfill_has_a_larger_share_than_other_jobs() -> None:
    given = loaded(MODEL_READER_TOKENS="9000", MODEL_READER_BACKFILL_TOKENS="90000")
    reader: Any = stage_wiring._reader(given, gateway(given), WORKSPACES)
    assert reader.most_tokens == {
        "inventory": 9000,
        "backfill_digest": 90_000,
        "hourly_digest": 9000,
        "insight": 9000,
        "dream": 9000,
    }


@pytest.mark.parametrize("name", ["MODEL_READER_TOKENS", "MODEL_READER_BACKFILL_TOKENS"])
def test_a_share_that_no_request_fits_into_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="must be at least 8,000"):
        loaded(**{name: "7999"})


def test_a_judge_reads_loops_before_the_agent_hears_of_them_and_is_paid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "hide_process", lambda: None)
    for judge in ("judges", "none"):
        made = stages(loaded(MODEL_JUDGE=judge))
        index, report = made["index"], made["report"]
        is_asked = judge != "none"
        assert [index.reviewer is not None, report.judge is not None, index.desk.reviews] == [is_asked] * 3
        assert index.desk is report.desk
        assert index.bucket_of
        assert index.bucket_of == report.bucket_of
