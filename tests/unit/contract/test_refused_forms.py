"""At each bound of a request the last form that is taken, and the first one that is refused, with the reason."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError

import manifests
from contract import manifest
from contract.api import Wire
from contract.assistants import AssistantTokenRequest, ProposeRequest
from contract.event import Uuid, planned_job_id
from contract.overlay import CorrectionRequest
from contract.profile import Profile
from tests.tables import table

ID = "11111111-1111-4111-8111-11111111111a"
STATEMENT = "0123456789abcdef"
JOB = {"job_id": ID, "claim": 1}
PAIR = {"person": "name/ann lee", "other": "name/ann l"}


class Identified(Wire):
    id: Uuid


def profile(**changed: Any) -> dict[str, Any]:
    made = {
        "name": "probe-prod",
        "about": "",
        "enabled": True,
        "local_brain": "never",
        "hermes_toolsets": (),
        "brain_tools": ({"name": "search", "risk": "read"},),
        "network": "model gateway only",
        "max_turns": 500,
        "timeout_s": 7200,
        "strict_evidence": True,
        "rules_hold": "input and output",
    }
    return made | changed


def tool(risk: str) -> dict[str, Any]:
    return {"brain_tools": ({"name": "act", "risk": risk},)}


@table(
    ("form", "data", "reason"),
    [
        (Identified, {"id": ID}, None),
        (Identified, {"id": ID.upper()}, "lower-case UUID with dashes"),
        (Identified, {"id": ID[:-1] + "z"}, "expected a UUID, got"),
        (Identified, {"id": ID.replace("-", "")}, "at least 36"),
        (AssistantTokenRequest, {"name": "x" * 60, "days": 365}, None),
        (AssistantTokenRequest, {"name": "x" * 61}, "at most 60"),
        (AssistantTokenRequest, {"name": " "}, "pattern"),
        (AssistantTokenRequest, {"name": "x", "days": 1, "scopes": ("memory:read", "memory:correct")}, None),
        (AssistantTokenRequest, {"name": "x", "days": 366}, "less than or equal to 365"),
        (AssistantTokenRequest, {"name": "x", "days": 0}, "greater than or equal to 1"),
        (AssistantTokenRequest, {"name": "x", "scopes": ("memory:correct",)}, "scopes must contain memory:read"),
        (CorrectionRequest, {"verdict": "done", "statement": STATEMENT}, None),
        (CorrectionRequest, {"verdict": "wrong", "statement": STATEMENT * 2}, None),
        (CorrectionRequest, {"verdict": "wrong", "statement": STATEMENT * 3}, "pattern"),
        (CorrectionRequest, {"verdict": "wrong", **JOB}, None),
        (CorrectionRequest, {"verdict": "wrong", "job_id": ID, "claim": 10_000}, None),
        (CorrectionRequest, {"verdict": "wrong", "job_id": ID, "claim": 10_001}, "less than or equal to 10000"),
        (CorrectionRequest, {"verdict": "wrong", "job_id": ID, "claim": 0}, "greater than or equal to 1"),
        (CorrectionRequest, {"verdict": "wrong", "job_id": ID}, "or job_id and claim; got job_id"),
        (CorrectionRequest, {"verdict": "wrong"}, "got neither"),
        (CorrectionRequest, {"verdict": "done", **JOB}, "done needs statement; got job_id, claim"),
        (CorrectionRequest, {"verdict": "same_person", **PAIR}, None),
        (CorrectionRequest, {"verdict": "same_person", **PAIR, "other": PAIR["person"]}, "are the same"),
        (CorrectionRequest, {"verdict": "same_person", "statement": STATEMENT}, "needs person and other"),
        (CorrectionRequest, {"verdict": "later", "statement": STATEMENT, "until": "2026-12-01"}, None),
        (CorrectionRequest, {"verdict": "later", "statement": STATEMENT}, "later needs until"),
        (CorrectionRequest, {"verdict": "done", "statement": STATEMENT, "until": "2026-12-01"}, "later needs until"),
        (Profile, profile(), None),
        (Profile, profile(max_turns=501), "less than or equal to 500"),
        (Profile, profile(timeout_s=7201), "less than or equal to 7200"),
        (Profile, profile(max_turns=1, timeout_s=10), None),
        (Profile, profile(max_turns=0), "greater than or equal to 1"),
        (Profile, profile(timeout_s=9), "greater than or equal to 10"),
        (Profile, profile(**tool("outward"), name="probe"), "outside the workspace"),
        (Profile, profile(**tool("run")), "must not have a tool that runs code"),
        (Profile, profile(**tool("run"), name="probe"), None),
        (Profile, profile(**tool("write")), "no brain tool may write"),
        (Profile, profile(**tool("write"), rules_hold="output"), None),
        (Profile, profile(agent_memory=True), "no memory of their own"),
        (Profile, profile(agent_memory=True, name="probe"), None),
    ],
)
def test_a_form_is_taken_or_refused_with_its_reason(form: Any, data: dict[str, Any], reason: str | None) -> None:
    if reason is None:
        form.model_validate(data)
        return
    with pytest.raises(ValidationError, match=re.escape(reason)):
        form.model_validate(data)


def test_a_proposal_names_a_statement() -> None:
    ProposeRequest.model_validate({"user_token": "t", "correction": {"verdict": "done", "statement": STATEMENT}})
    with pytest.raises(ValidationError, match="must name a statement"):
        ProposeRequest.model_validate({"user_token": "t", "correction": {"verdict": "wrong", **JOB}})


def test_the_planner_gives_a_job_of_a_period_the_same_id_for_ever() -> None:
    assert planned_job_id(ID, "daily_digest", "2026-11-27") == "41f2d60e-6178-51e4-918b-1dfb74c5d753"


@pytest.mark.parametrize("what", ["source_key", "view", "gbrain_mapping"])
def test_two_sources_share_no_name(what: str) -> None:
    document = manifests.export_manifest().model_dump(mode="json")
    document["sources"][1][what] = document["sources"][0][what]
    with pytest.raises(ValueError, match=f"{what} must be unique, twice: {document['sources'][0][what]}"):
        manifest.parse(document)
