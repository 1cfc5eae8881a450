"""The OpenAPI document against the running API: schemathesis makes requests of every shape, the answers must fit."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import checks

from controlplane.api import ROUTES
from controlplane.openapi import document
from tests.fixtures_controlplane import CONSUMER, OPERATOR, World

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
OPERATIONS = sorted((path, method) for path, methods in document()["paths"].items() for method in methods)


def test_every_route_is_described_and_no_other() -> None:
    served = {(path, method.lower()) for method, path, _ in ROUTES if path != "/openapi.json"}
    assert served == set(OPERATIONS)


@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=lambda v: str(v).rsplit("/", 1)[-1])
def test_answers_fit_the_document(world: World, path: str, method: str) -> None:
    api = schemathesis.openapi.from_asgi("/openapi.json", world.client.app)
    operation = api[path][method.upper()]
    user = world.user()
    job = world.job(user)
    said = {"verdict": "done", "statement": "0123456789abcdef"}
    correction = world.operate("POST", f"/memory-users/{user}/corrections", said).json()["id"]
    scheme = next(iter((document()["paths"][path][method].get("security") or [{"none": []}])[0]))
    bearer = {"consumer": world.issuer.token(CONSUMER), "operator": world.issuer.token(OPERATOR)}.get(scheme)
    headers = {"authorization": f"Bearer {bearer or world.token(job)}"}

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(operation.as_strategy(), st.booleans())
    def exercise(case: schemathesis.Case, known: bool) -> None:
        if known and case.path_parameters:
            ids = {"job_id": job, "user_id": user, "correction_id": correction}
            case.path_parameters |= {name: ids[name] for name in case.path_parameters}
        if known and operation.path.endswith("batches") and isinstance(case.body, dict):
            case.body |= {"source_keys": ["user_rules"], "cursor": {}}
        case.call_and_validate(headers=headers, checks=CHECKS)

    exercise()
