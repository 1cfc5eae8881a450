"""Requests of every shape against the two apps that machines call: each gets a documented answer, never a 5xx."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, checks

from publisher.webhook import WebhookApp
from tests.cases import cases
from tests.spine import World
from tests.unit.cli.test_push import Push
from tests.unit.publisher.test_webhook import SECRET, _relay

pytestmark = pytest.mark.properties

CHECKS: Final = [checks.not_a_server_error, checks.status_code_conformance]
TEXT: Final = {"type": "string"}
#: What Pub/Sub's documentation says of a push.
PUSH: Final = {
    "type": "object",
    "required": ["message", "subscription"],
    "properties": {
        "message": {
            "type": "object",
            "required": ["messageId", "publishTime"],
            "properties": {
                "data": {"type": "string", "contentEncoding": "base64"},
                "attributes": {"type": "object", "additionalProperties": TEXT},
                **dict.fromkeys(("messageId", "message_id", "publishTime", "orderingKey"), TEXT),
            },
        },
        "subscription": TEXT,
        "deliveryAttempt": {"type": "integer"},
    },
}
#: What Supabase's documentation says of a database webhook.
WEBHOOK: Final = {
    "type": "object",
    "required": ["type", "table", "schema", "record"],
    "properties": {
        "type": {"enum": ["INSERT", "UPDATE", "DELETE"]},
        "table": {"enum": ["memory_jobs", "memory_outbox"]},
        "schema": TEXT,
        "record": {"type": ["object", "null"], "properties": {"id": {"anyOf": [TEXT, {"type": "integer"}]}}},
    },
}


def operation(app: Any, path: str, body: dict[str, Any], statuses: list[int]) -> Any:
    """The one operation of a document made for it."""
    responses = {str(status): {"description": "as documented"} for status in statuses}
    request = {"required": True, "content": {"application/json": {"schema": body}}}
    raw = {
        "openapi": "3.1.0",
        "info": {"title": "pushes", "version": "1"},
        "paths": {path: {"post": {"requestBody": request, "responses": responses}}},
    }
    schema = schemathesis.openapi.from_dict(raw)
    schema.app = app
    return schema[path]["POST"]


def exercise(shape: Any, headers: dict[str, str]) -> set[int]:
    """Right and wrong shapes; the statuses that came back."""
    seen: set[int] = set()
    shapes = st.one_of(*(shape.as_strategy(generation_mode=mode) for mode in GenerationMode))

    @settings(max_examples=cases(25), deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(shapes)
    def run(case: schemathesis.Case[Any]) -> None:
        seen.add(case.call_and_validate(headers=headers, checks=CHECKS).status_code)

    run()
    return seen


@pytest.mark.parametrize("path", ["/push/jobs", "/push/ticks", "/push/dead-letters"])
def test_whatever_is_pushed_is_recorded_and_acknowledged(tmp_path: Path, path: str) -> None:
    push = Push(World(tmp_path))
    assert exercise(operation(push.app, path, PUSH, [204]), {"authorization": "Bearer good"}) == {204}
    assert push.world.blobs.contents(), "what is no message is kept"


def test_a_webhook_of_any_shape_is_passed_on_ignored_or_refused() -> None:
    nudged: list[str] = []

    def nudge(job_id: str) -> str:
        nudged.append(job_id)
        return "nudged"

    app = WebhookApp(_relay(), nudge, SECRET, lambda: []).build()
    shape = operation(app, "/webhooks/memory-jobs", WEBHOOK, [202, 204, 400, 413])
    assert {204, 400} <= exercise(shape, {"x-webhook-secret": SECRET})
    assert all(len(job_id) == 36 for job_id in nudged)
