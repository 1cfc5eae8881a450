"""How large each field of a request may be, and what a field means that is left out."""

from __future__ import annotations

from typing import Any, Final

import pytest
from pydantic import BaseModel, ValidationError

from contract import api, assistants, orders, overlay
from contract.event import JobEvent
from contract.exclusions import ExclusionRequest
from contract.profile import DEFAULT_PROFILE
from contract.records import Record
from tests.spine import an_event
from tests.tables import table

ID: Final = "11111111-1111-4111-8111-111111111111"
HEX: Final = "ab" * 32
AT: Final = "2026-11-27T09:00:00Z"
RECORD: Final = {"source": "notes", "id": "1"}
JOB: Final = {
    "job_id": ID,
    "user_id": ID,
    "workspace_id": ID,
    "job_type": "hourly_digest",
    "runtime_profile": "digest",
    "template_version": "v1",
    "requested_at": AT,
    "status": "running",
    "attempt": 1,
    "workspace_uri": "gs://x",
}


def text(most: int, least: int = 1) -> tuple[list[Any], list[Any]]:
    """What is taken, and what is refused, of a text of ``least`` to ``most`` characters."""
    return ["x" * least, "x" * most], ["x" * (most + 1), *["x" * (least - 1)] * bool(least)]


def number(least: int, most: int | None = None) -> tuple[list[Any], list[Any]]:
    return [least, *[most] * (most is not None)], [least - 1, *([most + 1] if most is not None else [])]


def several(value: Any, most: int, least: int = 0) -> tuple[list[Any], list[Any]]:
    return [[value] * least, [value] * most], [[value] * (most + 1), *[[]] * bool(least)]


REASON: Final = {"reason": "asked"}
OWN: Final = {"user_token": "t"}
SHOW: Final = {**OWN, "records": [RECORD], "selection": "topic: x", "head_seq": 1}
CONFIRM: Final = {**OWN, "records": [RECORD], "selection": "topic: x", "token": "t"}
EXPORTED: Final = {
    "source_key": "notes",
    "record_id": "1",
    "record_type": "note",
    "user_id": ID,
    "updated_at": AT,
    "data": {},
    "checksum": f"sha256:{HEX}",
}
DEED: Final = {**REASON, "action": "lock.unlock", "user_id": ID}


@table(
    ("form", "good", "field", "bounds"),
    [
        (api.TokenRequest, {"attempt": 1, "owner": "run"}, "attempt", number(1)),
        (api.TokenRequest, {"attempt": 1, "owner": "run"}, "owner", text(200)),
        (api.BatchRequest, {"mode": "backfill", "source_keys": ["a"]}, "source_keys", several("a", 64)),
        (api.BatchRequest, {"mode": "backfill", "source_keys": ["a"]}, "limit", number(1, 1000)),
        (api.ProgressRequest, {"attempt": 1, "state": "running"}, "attempt", number(1)),
        (api.ProgressRequest, {"attempt": 1, "state": "running"}, "message", text(500, 0)),
        (api.ProgressRequest, {"attempt": 1, "state": "running"}, "waiting_for", text(32)),
        (api.CommitRef, {"seq": 1, "digest": "d"}, "seq", number(0)),
        (api.Artifact, {"artifact_type": "insight_report", "workspace_path": "p"}, "summary", text(2000, 0)),
        (api.CompleteRequest, {"attempt": 1, "outcome": "completed"}, "attempt", number(1)),
        (api.TickRequest, {"kind": "hourly", "period": "2026-11-27T09", "tick_id": "t"}, "tick_id", text(200)),
        (api.TickResponse, {}, "reconciliation_alarm", text(500, 0)),
        (api.ErasureOrder, {"user_id": ID}, "seq_floor", number(0)),
        (api.ErasureReport, {"step": "erase", "epoch": 1}, "epoch", number(0)),
        (api.SuppressRequest, {}, "after", text(200, 0)),
        (api.SuppressRequest, {}, "key", ([HEX], [HEX[:-1], HEX + "a", HEX.upper()])),
        (api.EnableUserRequest, {}, "email", text(320, 0)),
        (api.SubmitJobRequest, {"user_id": ID, "job_type": "insight"}, "triggered_by", text(200, 0)),
        (api.ReasonRequest, REASON, "reason", text(500)),
        (api.DiscardRequest, {**REASON, "key": "k"}, "key", text(300)),
        (api.ReadGrantRequest, OWN, "user_token", text(8192)),
        (api.AccessRequest, OWN, "after", number(0)),
        (api.BucketDeedRequest, DEED, "details", ([{"a": "x" * 200}], [{"a": "x" * 201}])),
        (api.BucketDeedRequest, DEED, "details", ([{f"a{n}": 1 for n in range(8)}], [{f"a{n}": 1 for n in range(9)}])),
        (api.WaveRequest, {"size": 1, "cap": 1}, "size", number(1, 500)),
        (api.WaveRequest, {"size": 1, "cap": 1}, "cap", number(1)),
        (api.UnsetFlagRequest, {**REASON, "name": "dream", "scope": "all"}, "target", text(64)),
        (api.MarkRequest, {**REASON, "claim": 1, "verdict": "wrong"}, "claim", number(1, 10_000)),
        (api.RefusedRecord, {}, "source_key", text(64, 0)),
        (api.RefusedRecord, {}, "record_id", text(1024, 0)),
        (api.RefusedRecord, {}, "reason", text(100, 0)),
        (assistants.AssistantTokenRequest, {"name": "x"}, "scopes", several("memory:read", 2, 1)),
        (orders.RecordRef, RECORD, "source", text(64)),
        (orders.RecordRef, RECORD, "id", text(1024)),
        (orders.ShowForgetRequest, SHOW, "records", several(RECORD, 2000, 1)),
        (orders.ShowForgetRequest, SHOW, "selection", text(4000)),
        (orders.ShowForgetRequest, SHOW, "head_seq", number(0)),
        (orders.ConfirmForgetRequest, CONFIRM, "token", text(200)),
        (orders.ConfirmForgetRequest, CONFIRM, "records", several(RECORD, 2000, 1)),
        (orders.ConfirmForgetRequest, CONFIRM, "matching", several(RECORD, 2000)),
        (orders.RuleSwitchRequest, {**OWN, "source_key": "user_rules", "record_id": "1", "on": True}, "record_id",
         text(1024)),
        (orders.StepReport, {"order_id": ID, "step": "purge"}, "failure", text(64)),
        (overlay.CorrectionPlace, {"record": HEX}, "marks", several(HEX, 20)),
        (overlay.PlacedCorrection, {"id": ID}, "places", several({"record": HEX}, 100)),
        (overlay.PlaceRequest, {"placed": []}, "placed", several({"id": ID}, 500)),
        (overlay.CorrectionRequest, {"verdict": "same_person", "other": "name/x"}, "person", text(400, 2)),
        (overlay.CorrectionRequest, {"verdict": "same_person", "person": "name/x"}, "other", text(400, 2)),
        (ExclusionRequest, {"kind": "topic"}, "texts", several("x" * 400, 40, 1)),
        (ExclusionRequest, {"kind": "topic"}, "texts", ([["x"]], [["x" * 401], [""]])),
        (JobEvent, an_event().to_wire(), "reason", text(500, 0)),
        (JobEvent, an_event().to_wire(), "runtime_profile", text(64)),
        (JobEvent, an_event().to_wire(), "period", (["2026-11-27", "2026-11-27T09"], ["2026-11", "2026-11-27T9"])),
        (Record, EXPORTED, "source_key", text(64)),
        (Record, EXPORTED, "record_type", text(64)),
        (Record, EXPORTED, "record_id", text(1024)),
        (Record, EXPORTED, "deleted", ([False], ["no", 0, "false"])),
        (Record, EXPORTED, "checksum", ([f"sha256:{HEX}"], [HEX, f"sha256:{HEX}0", f"sha256:{HEX[1:]}"])),
    ],
)  # fmt: skip
def test_the_longest_that_is_taken_and_the_shortest_that_is_refused(
    form: type[BaseModel], good: dict[str, Any], field: str, bounds: tuple[list[Any], list[Any]]
) -> None:
    taken, refused = bounds
    for value in taken:
        form.model_validate({**good, field: value})
    for value in refused:
        with pytest.raises(ValidationError, match=field):
            form.model_validate({**good, field: value})


@table(
    ("form", "given", "meant"),
    [
        (api.BatchRequest, {"mode": "backfill", "source_keys": []}, {"limit": 500}),
        (api.WaveRequest, {"size": 1, "cap": 1}, {"backfill": True, "runtime_profile": DEFAULT_PROFILE}),
        (api.CohortRequest, {**REASON, "cohort": "c", "user_id": ID}, {"member": True}),
        (api.UnsetFlagRequest, {**REASON, "name": "dream", "scope": "all"}, {"target": "*"}),
        (api.SubmitJobRequest, {"user_id": ID, "job_type": "insight"}, {"triggered_by": "operator"}),
        (assistants.AssistantTokenRequest, {"name": "x"}, {"scopes": ("memory:read",), "days": 90}),
        (api.JobSpec, JOB, {"timezone": "UTC"}),
        # Of all others a field that is left out means no, nothing or zero.
        *((form, given, {}) for form, given in [
            (api.TokenRequest, {"attempt": 1, "owner": "x"}),
            (api.BatchResponse, {}),
            (api.RefusedRecord, {}),
            (api.ProgressRequest, {"attempt": 1, "state": "running"}),
            (api.ProgressResponse, {}),
            (api.CompleteRequest, {"attempt": 1, "outcome": "completed"}),
            (api.TickResponse, {}),
            (api.Usefulness, {}),
            (api.ErasureOrder, {"user_id": ID}),
            (api.EnableUserRequest, {}),
            (api.RerunRequest, {}),
            (api.QueueView, {}),
            (orders.OrderResult, {}),
            (orders.OrderView, {"id": ID, "kind": "forget", "state": "waiting", "ordered_at": AT}),
            (overlay.RuleRef, {"source_key": "user_rules", "record_id": "1", "changed_at": AT}),
            (Record, {**EXPORTED}),
        ]),
    ],
)  # fmt: skip
def test_a_field_that_is_left_out(form: type[BaseModel], given: dict[str, Any], meant: dict[str, Any]) -> None:
    made = form.model_validate(given).model_dump(exclude=set(given))
    assert {name: made.pop(name) for name in meant} == meant
    assert not any(_leaves(made)), made


def _leaves(value: Any) -> list[Any]:
    return [leaf for each in value.values() for leaf in _leaves(each)] if isinstance(value, dict) else [value]


def test_usages_add_up_to_a_millionth_of_a_dollar() -> None:
    first = api.Usage(input_tokens=1, output_tokens=2, requests=3, cost_usd=0.1)
    second = api.Usage(input_tokens=10, output_tokens=20, requests=30, cost_usd=0.2000004)
    assert first.plus(second) == api.Usage(input_tokens=11, output_tokens=22, requests=33, cost_usd=0.3)
