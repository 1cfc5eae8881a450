"""A user's own door on the embedded stack: from the app's token to pages, reports and what counts today."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from consumer import paths
from contract.api import EnableUserRequest
from tests.e2e.conftest import JOB_S, System

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def backfilled(system: System) -> System:
    """The system after a backfill of the main user, by this file or by an earlier one."""
    if any(commit.job_type == "backfill_digest" for _, commit in system.history(system.me).log()):
        return system
    job_id = system.jobs.insert(system.me, "backfill_digest", None)
    row = system.jobs.wait(job_id, timeout_s=JOB_S)
    assert row["status"] == "completed", row
    return system


def get(system: System, path: str, token: str | None) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return httpx.get(f"{system.stack.reader_url}{path}", headers=headers, timeout=60, trust_env=False)


def body(system: System, path: str, token: str) -> Any:
    answer = get(system, path, token)
    assert answer.status_code == 200, answer.text
    return answer.json()


def the_backfill(system: System, token: str) -> Any:
    """The newest report of a backfill: other files of tests share the system, and have run jobs of this user before."""
    return next(row for row in body(system, "/v1/me/reports", token)["reports"] if row["kind"] == "backfill")


def test_a_user_reads_their_own_memory(backfilled: System) -> None:
    token = backfilled.stack.user_token(backfilled.me)
    report = the_backfill(backfilled, token)
    document = body(backfilled, f"/v1/me/reports/{report['id']}", token)["document"]
    cited = [c for group in document["sections"].values() for statement in group for c in statement["citations"]]
    assert cited
    for citation in cited[:5]:
        page = get(backfilled, f"/v1/me/pages/{citation['page']}?format=html", token)
        assert page.status_code == 200
        assert citation["anchor"] is None or f'id="{citation["anchor"]}"' in page.text
    today = body(backfilled, "/v1/me/today", token)
    loops = [*today["due"], *today["you_owe"], *today["asked_of_you"], *today["owed_to_you"], *today["asked_by_you"]]
    assert loops
    for loop in loops[:5]:
        assert get(backfilled, f"/v1/me/pages/{loop['citations'][0]['page']}", token).status_code == 200
    people = body(backfilled, "/v1/me/people", token)
    names = {person["name"] for person in people["people"]}
    assert names & set(backfilled.users.people)
    assert get(backfilled, f"/v1/me/pages/{people['people'][0]['pages'][0]}", token).status_code == 200
    hits = body(backfilled, "/v1/me/search?q=When+is+the+launch+of+Kestrel%3F", token)["hits"]
    assert any("Kestrel" in hit["text"] for hit in hits)
    assert get(backfilled, f"/v1/me/pages/{hits[0]['page']}", token).status_code == 200
    sources = body(backfilled, "/v1/me/sources", token)
    assert sources["commit"] >= 1
    assert sum(source["pages"] for source in sources["sources"]) > 10


def test_nothing_of_one_user_reaches_another(backfilled: System) -> None:
    other = backfilled.users.others[0]
    token = backfilled.stack.user_token(other.user_id)
    mine = backfilled.stack.user_token(backfilled.me)
    report = the_backfill(backfilled, mine)
    assert get(backfilled, f"/v1/me/reports/{report['id']}", token).status_code == 404
    for call in ("/v1/me/reports", "/v1/me/today", "/v1/me/people", "/v1/me/sources"):
        assert backfilled.users.main.canary not in json.dumps(body(backfilled, call, token))
    # The bucket itself refuses the other's objects to a grant of this user.
    grants: Any = httpx.post(
        f"{backfilled.stack.controlplane_url}/api/internal/memory-reader/grants",
        json={"user_token": token},
        headers={"authorization": f"Bearer {_reader_identity(backfilled)}"},
        trust_env=False,
    ).json()
    name = paths.head(backfilled.me).replace("/", "%2F")
    url = f"{backfilled.stack.gcs_url}/download/storage/v1/b/{grants['bucket']}/o/{name}?alt=media"
    refused = httpx.get(url, headers={"authorization": f"Bearer {grants['bucket_token']}"}, trust_env=False)
    assert refused.status_code == 403


def test_only_the_apps_tokens_open_it(backfilled: System) -> None:
    stack = backfilled.stack
    assert get(backfilled, "/v1/me/today", None).status_code == 401
    google = httpx.post(
        f"{stack.oidc_url}/token", json={"email": "a@b.example", "audience": "authenticated"}, trust_env=False
    ).json()["token"]
    assert get(backfilled, "/v1/me/today", google).status_code == 401
    assert get(backfilled, "/v1/me/today", f"{stack.user_token(backfilled.me)}x").status_code == 401


def test_a_disabled_memory_says_so(backfilled: System) -> None:
    other = backfilled.users.others[1]
    backfilled.operations.api.disable_user(other.user_id)
    try:
        answer = get(backfilled, "/v1/me/today", backfilled.stack.user_token(other.user_id))
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "memory_off")
    finally:
        backfilled.operations.api.enable_user(EnableUserRequest(email=other.email))


def test_the_command_line_gives_a_token_and_an_address(backfilled: System) -> None:
    done = backfilled.cli("user", "token", backfilled.me)
    assert done.returncode == 0, done.stderr
    assert body(backfilled, "/v1/me/sources", done.stdout.strip())["commit"] >= 1
    link = backfilled.cli("user", "token", backfilled.me, "--link")
    assert link.stdout.startswith(f"{backfilled.stack.reader_url}/sign-in?code=")
    assert done.stdout.strip() not in link.stdout


def test_the_log_names_nobody_and_no_content(backfilled: System) -> None:
    token = backfilled.stack.user_token(backfilled.me)
    get(backfilled, "/v1/me/search?q=Kestrel", token)
    lines = (backfilled.stack.state / "logs" / "reader.log").read_text()
    assert "reader_request" in lines
    for word in ("Kestrel", token, backfilled.me, backfilled.users.main.canary):
        assert word not in lines


def _reader_identity(system: System) -> str:
    from local import cloud
    from local.stack import AUDIENCE

    answer = httpx.post(
        f"{system.stack.oidc_url}/token", json={"email": cloud.READER_ACCOUNT, "audience": AUDIENCE}, trust_env=False
    )
    return str(answer.json()["token"])
