"""A run's calls: token, progress, completion; every refusal by its status and code; repeats that write nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import jwt
import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from manifests import export_manifest
from tests.fixtures_controlplane import AUDIENCE, BUCKET, CONSUMER, OPERATOR, World

UNKNOWN = "00000000-0000-4000-8000-000000000000"
COMMIT = {"seq": 1, "digest": "sha256:ab"}


def refused(response: Any, status: int, code: str, *, retryable: bool = False) -> dict[str, Any]:
    assert response.status_code == status, response.text
    body: dict[str, Any] = response.json()
    assert set(body["error"]) == {"code", "message", "hint", "retryable"}
    assert (body["error"]["code"], body["error"]["retryable"]) == (code, retryable)
    return body


def test_an_inserted_row_runs_to_its_end(world: World) -> None:
    user = world.user()
    world.sql("insert into user_rules (user_id, rule_text) values (%s, 'No meetings on Friday')", user)
    job = world.job(user)
    assert world.sql("select job_id from memory_outbox") == [{"job_id": world.row(job)["id"]}]

    granted = world.open(job).json()
    assert granted["job"]["workspace_uri"] == f"gs://{BUCKET}/users/{user}/"
    assert granted["job"]["timezone"] == "Europe/Berlin"
    assert granted["job"]["status"] == "running"
    assert len(granted["job"]["allowed_sources"]) == len(export_manifest().sources)
    token = granted["token"]

    page = world.batch(job, token).json()
    assert [r["data"]["rule_text"] for r in page["records"]] == ["No meetings on Friday"]
    assert page["has_more"] is False

    assert world.progress(job, token, stage="export", counts={"records": 1}).json() == {"cancel_requested": False}
    done = world.complete(job, token, commit=COMMIT)
    assert done.json() == {"status": "completed"}
    assert world.row(job)["stage"] == "export"
    workspace = world.sql("select * from memory_workspaces where user_id = %s", user)[0]
    assert workspace["last_backfill_at"] == world.row(job)["started_at"]


@pytest.mark.parametrize(
    ("profile", "spec"),
    [
        ("America/New_York", "America/New_York"),
        ("Mars/Phobos", "UTC"),
        ("../etc/passwd", "UTC"),
        ("America", "UTC"),
        ("", "UTC"),
    ],
)
def test_the_zone_is_one_that_exists(world: World, profile: str, spec: str) -> None:
    job = world.job(world.user(timezone=profile))
    granted = world.open(job).json()["job"]
    assert (granted["timezone"], granted["timezone_unknown"]) == (spec, profile != spec)
    queue = world.call("GET", "/memory-queue", world.issuer.token(OPERATOR)).json()
    assert queue["unknown_zones"] == int(profile != spec)


# --- who may ask for a token -------------------------------------------------------------------------------------


def test_identities_that_get_no_token(world: World) -> None:
    job = world.job(world.user())
    now = int(world.sql("select extract(epoch from now())::bigint as n")[0]["n"])
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    claims = {"iss": "https://accounts.google.com", "aud": AUDIENCE, "email": CONSUMER, "email_verified": True}
    forged = jwt.encode(claims | {"iat": now, "exp": now + 60}, stranger, "RS256", headers={"kid": "g1"})
    unknown = jwt.encode(claims | {"iat": now, "exp": now + 60}, stranger, "RS256", headers={"kid": "g9"})
    good = world.issuer.token
    attempts = [
        (None, 401, "token_missing"),
        ("not-a-jwt", 401, "identity_invalid"),
        (forged, 401, "identity_invalid"),
        (unknown, 401, "identity_invalid"),
        (jwt.encode(claims, "k" * 64, "HS256", headers={"kid": "g1"}), 401, "identity_invalid"),
        (jwt.encode(claims, "", "none", headers={"kid": "g1"}), 401, "identity_invalid"),
        (good(CONSUMER, aud="https://elsewhere"), 401, "identity_invalid"),
        (good(CONSUMER, aud=[AUDIENCE]), 401, "identity_invalid"),
        (good(CONSUMER, iss="https://evil.example"), 401, "identity_invalid"),
        (good(CONSUMER, exp=now - 60), 401, "identity_invalid"),
        (good(CONSUMER, iat=now + 120), 401, "identity_invalid"),
        (good(CONSUMER, email_verified="true"), 403, "not_allowed"),
        (good(OPERATOR), 403, "not_allowed"),
        (good("x@example.com"), 403, "not_allowed"),
    ]
    for bearer, status, code in attempts:
        refused(world.call("POST", f"/memory-jobs/{job}/token", bearer, {"attempt": 1, "owner": "a"}), status, code)
    assert world.row(job)["status"] == "queued"


def test_keys_that_cannot_be_had_are_a_503_and_the_last_good_ones_stay(world: World) -> None:
    job = world.job(world.user())
    keys = world.services.identities.keys
    good = keys.client
    keys.client = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(500)))
    refused(world.open(job), 503, "keys_unavailable", retryable=True)
    keys.client.close()
    keys.client = good
    keys._tried_at = None
    assert world.open(job).status_code == 200
    keys.client = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(500)))
    keys._tried_at, keys._fetched_at = None, -1e9
    assert world.open(job).status_code == 200
    keys.client.close()
    keys.client = good


# --- attempts ----------------------------------------------------------------------------------------------------


def test_an_attempt_is_a_fence(world: World) -> None:
    job = world.job(world.user())
    refused(world.open(UNKNOWN), 404, "job_not_found", retryable=True)
    assert world.open(job, 2, "a").json()["job"]["attempt"] == 2
    assert world.open(job, 2, "a").status_code == 200
    owned = refused(world.open(job, 2, "b"), 409, "attempt_stale")
    assert owned["error"]["message"] == f"job {job}: attempt 2 belongs to another run"
    older = refused(world.open(job, 1, "a"), 409, "attempt_stale")
    assert older["error"]["message"] == f"job {job}: attempt 1 is not the current one (2)"
    assert world.open(job, 5, "b").json()["job"]["attempt"] == 5
    refused(world.open(job, 2, "a", renew=True), 409, "attempt_stale")
    refused(world.open(job, 6, "a", renew=True), 409, "attempt_stale")
    assert world.open(job, 5, "b", renew=True).status_code == 200


def test_a_dispatched_attempt_is_taken_up_by_its_execution(world: World) -> None:
    job = world.job(world.user())
    token = world.token(job, owner="push")
    assert world.progress(job, token, state="queued").status_code == 200
    assert (world.row(job)["status"], world.row(job)["substate"]) == ("queued", "dispatched")
    assert world.open(job, 1, "execution").json()["job"]["status"] == "running"
    refused(world.open(job, 1, "push"), 409, "attempt_stale")


def test_an_old_attempts_token_is_worth_nothing(world: World) -> None:
    job = world.job(world.user())
    old = world.token(job, 1)
    world.token(job, 2, owner="run-2")
    refused(world.batch(job, old), 409, "attempt_stale")
    refused(world.progress(job, old), 409, "attempt_stale")
    refused(world.progress(job, old, attempt=2), 409, "attempt_stale")
    refused(world.complete(job, old), 409, "attempt_stale")
    refused(world.complete(job, old, attempt=2), 409, "attempt_stale")


def test_a_cancel_never_refuses_a_token(world: World) -> None:
    job = world.job(world.user())
    assert world.operate("POST", f"/memory-jobs/{job}/cancel", {"reason": "changed my mind"}).status_code == 200
    assert world.open(job).json()["job"]["cancel_requested"] is True
    token = world.token(job)
    assert world.progress(job, token).json() == {"cancel_requested": True}
    assert world.complete(job, token, outcome="cancelled").json() == {"status": "cancelled"}


# --- what a job token may do -------------------------------------------------------------------------------------


def test_a_job_made_after_its_user_was_disabled_is_told_to_stop(world: World) -> None:
    """Whoever inserts it: the app does not ask us before."""
    user = world.user()
    before, running = world.job(user), world.job(user, "insight")
    assert world.open(before).json()["job"]["cancel_requested"] is False
    token = world.token(running)
    assert world.progress(running, token).json()["cancel_requested"] is False
    world.sql("update memory_workspaces set status = 'disabled' where user_id = %s", user)
    after = world.job(user)
    assert world.open(after).json()["job"]["cancel_requested"] is True
    assert world.row(after)["cancel_reason"] == "user disabled"
    # A run that was under way without having been asked hears it with its next report, or its next token.
    assert world.progress(running, token).json()["cancel_requested"] is True
    renewed = world.open(before, renew=True).json()
    assert renewed["job"]["cancel_requested"] is True
    assert world.progress(before, renewed["token"]).json()["cancel_requested"] is True
    ended = world.complete(after, world.token(after, attempt=2), attempt=2, outcome="cancelled")
    assert ended.json()["status"] == "cancelled"


def test_job_tokens_to_the_letter(world: World) -> None:
    user = world.user()
    job, other = world.job(user), world.job(user)
    token = world.token(job)
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["sub"] == f"memory_job:{job}"
    assert claims["scope"] == ["memory_export:read", "memory_job:complete"]
    assert claims["exp"] - claims["iat"] == 900

    def signed(header: dict[str, Any] | None = None, key: Any = None, **changes: Any) -> str:
        mine = jwt.get_unverified_header(token)
        return jwt.encode(claims | changes, key or world.signing_key, "ES256", headers=mine | (header or {}))

    stranger = world.services.tokens.keys[0].curve
    now = claims["iat"]
    attempts = [
        (signed(exp=now - 60), 401, "token_expired"),
        (signed(iat=now + 120), 401, "token_invalid"),
        (signed(aud="https://elsewhere"), 401, "token_invalid"),
        (signed(iss="someone"), 401, "token_invalid"),
        (signed(sub=f"memory_job:{other}"), 401, "token_invalid"),
        (signed({"kid": "unknown"}), 401, "token_invalid"),
        (signed({"kid": "unknown", "jku": "https://evil.example/keys"}), 401, "token_invalid"),
        (signed(key=ec.generate_private_key(stranger)), 401, "token_invalid"),
        (
            jwt.encode(claims, "", "none", headers=jwt.get_unverified_header(token) | {"alg": "none"}),
            401,
            "token_invalid",
        ),
        (signed(sub=f"memory_job:{other}", job_id=other), 403, "wrong_job"),
        (signed(scope=["memory_job:complete"]), 403, "scope_missing"),
        (signed(allowed_sources=["contacts"]), 403, "source_not_allowed"),
        (signed(user_id=UNKNOWN), 403, "wrong_user"),
        (signed(attempt=9), 409, "attempt_stale"),
        (signed(replay_id=UNKNOWN), 409, "replay_stale"),
        # Right in every claim, but never issued: the database asks for the token's own id.
        (signed(jti="guessed"), 401, "token_unknown"),
    ]
    for bearer, status, code in attempts:
        refused(world.batch(job, bearer), status, code)
    foreign = refused(world.batch(job, signed({"kid": "unknown"})), 401, "token_invalid")
    assert foreign["error"]["message"] == "this token is not signed with a key of this control plane"
    refused(world.batch(other, token), 403, "wrong_job")
    refused(world.progress(other, token), 403, "wrong_job")
    refused(world.complete(other, token), 403, "wrong_job")
    assert world.batch(job, token).status_code == 200


def test_a_token_lives_as_long_in_the_database_as_in_its_signature(world: World) -> None:
    job = world.job(world.user())
    token = world.token(job)
    claims = jwt.decode(token, options={"verify_signature": False})
    (row,) = world.sql("select expires_at, may_export, attempt from memory_job_tokens where job_id = %s", job)
    assert 29 < row["expires_at"].timestamp() - claims["exp"] < 32
    world.sql("update memory_job_tokens set expires_at = now() - interval '1 second'")
    refused(world.batch(job, token), 401, "token_unknown")
    # Renewing gives another id; both stay good until they expire.
    assert world.batch(job, world.token(job, renew=True)).status_code == 200


def test_a_new_token_takes_the_rows_of_dead_ones_along(world: World) -> None:
    """Otherwise a row is left for each token that a job ever had."""
    user = world.user()
    job, other = world.job(user), world.job(user, "inventory")
    world.token(job)
    world.token(other)
    world.token(job, renew=True)
    count = "select count(*) as n from memory_job_tokens where job_id = %s"
    assert world.sql(count, job) == [{"n": 2}], "both are alive"
    world.sql("update memory_job_tokens set expires_at = now() - interval '1 second'")
    world.token(job, renew=True)
    assert world.sql(count, job) == [{"n": 1}], "the expired ones are gone"
    world.token(job, attempt=2, owner="run-2")
    rows = world.sql("select attempt from memory_job_tokens where job_id = %s", job)
    assert rows == [{"attempt": 2}], "no token of an earlier attempt opens anything"
    assert world.sql(count, other) == [{"n": 1}], "another job's are its own"


def test_the_public_keys_verify_the_token(world: World) -> None:
    job = world.job(world.user())
    token = world.token(job)
    keys = jwt.PyJWKSet.from_dict(world.client.get("/.well-known/jwks.json").json())
    key = keys[jwt.get_unverified_header(token)["kid"]]
    assert jwt.decode(token, key, ["ES256"], audience=AUDIENCE)["job_id"] == job


def test_an_insight_job_has_no_export(world: World) -> None:
    job = world.job(world.user(), "insight")
    granted = world.open(job).json()
    assert granted["job"]["allowed_sources"] == []
    claims = jwt.decode(granted["token"], options={"verify_signature": False})
    assert (claims["scope"], claims["allowed_sources"]) == (["memory_job:complete"], [])
    refused(world.batch(job, granted["token"]), 403, "scope_missing")
    refused(world.batch(job, granted["token"], mode="inventory", source_keys=[]), 403, "scope_missing")


def test_no_batch_for_a_job_that_does_not_run(world: World) -> None:
    job = world.job(world.user())
    token = world.token(job)
    for state in ("parked", "retrying", "queued"):
        world.progress(job, token, state=state)
        refused(world.batch(job, token), 409, "job_not_running")
    world.progress(job, token, state="running")
    assert world.batch(job, token).status_code == 200
    world.complete(job, token)
    refused(world.batch(job, token), 409, "job_terminal")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"source_keys": ["nonesuch"]}, 403, "source_not_allowed"),
        ({"source_keys": ["auth.users"]}, 422, "invalid_request"),
        ({"source_keys": []}, 422, "invalid_request"),
        ({"limit": 0}, 422, "invalid_request"),
        ({"limit": 1001}, 422, "invalid_request"),
        ({"mode": "everything"}, 422, "invalid_request"),
        ({"cursor": {"v": 2}}, 422, "cursor_invalid"),
        ({"cursor": {"v": 1, "sources": {"user_rules": {"h": "now(); drop table x"}}}}, 422, "cursor_invalid"),
        ({"cursor": {"v": 1, "sources": {"user_rules": 7}}}, 422, "cursor_invalid"),
        ({"cursor": []}, 422, "invalid_request"),
    ],
)
def test_bad_batch_requests(world: World, body: dict[str, Any], status: int, code: str) -> None:
    job = world.job(world.user())
    refused(world.batch(job, world.token(job), **body), status, code)


# --- the transport -----------------------------------------------------------------------------------------------


def test_bodies_that_are_none(world: World) -> None:
    job = world.job(world.user())
    path = f"/api/internal/memory-jobs/{job}/token"
    headers = {"authorization": f"Bearer {world.issuer.token(CONSUMER)}"}
    refused(world.client.post(path, content=b"{", headers=headers), 400, "bad_json")
    refused(world.client.post(path, content=b"", headers=headers), 400, "bad_json")
    refused(world.client.post(path, content=b"[]", headers=headers), 422, "invalid_request")
    refused(
        world.client.post(path, content=b'{"attempt": 99999999999, "owner": "a"}', headers=headers),
        422,
        "invalid_request",
    )
    refused(
        world.client.post(path, content=b'{"attempt": 1, "owner": "a\\u0000"}', headers=headers), 422, "invalid_request"
    )
    refused(world.client.post(path, content=b" " * 1_100_000, headers=headers), 413, "body_too_large")
    refused(
        world.call("POST", "/memory-jobs/NOT-A-UUID/token", world.issuer.token(CONSUMER), {}), 422, "invalid_request"
    )
    refused(world.client.get("/nowhere"), 404, "not_found")
    refused(world.client.put(path), 405, "method_not_allowed")


def test_times_are_utc_with_microseconds(world: World) -> None:
    job = world.job(world.user())
    world.without_triggers("update memory_jobs set requested_at = '2026-11-27 14:00:00+00' where id = %s", job)
    assert world.open(job).json()["job"]["requested_at"] == "2026-11-27T14:00:00.000000Z"


def test_a_database_that_is_away_is_a_503(own_world: World) -> None:
    world = own_world
    job = world.job(world.user())
    token = world.token(job)
    name = world.dsn.rsplit("/", 1)[1]
    with psycopg.connect(world.dsn.replace(name, "postgres"), autocommit=True) as admin:
        admin.execute(f"alter database {name} allow_connections false".encode())
        admin.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (name,))
        answer = world.progress(job, token)
        admin.execute(f"alter database {name} allow_connections true".encode())
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "2"


# --- completion --------------------------------------------------------------------------------------------------

FULL = {
    "outcome": "completed",
    "commit": COMMIT,
    "report_uri": "gs://b/users/u/published/1/brain/reports/x.md",
    "source_counts": {"contacts": 3},
    "output_counts": {"pages": 2},
    "artifacts": [{"artifact_type": "backfill_report", "workspace_path": "brain/reports/x.md", "summary": "3 people"}],
    "usage": {"input_tokens": 10, "output_tokens": 5, "requests": 1, "cost_usd": 0.25},
}


def test_a_completion_is_stored_whole_and_once(world: World) -> None:
    job = world.job(world.user())
    token = world.token(job)
    assert world.complete(job, token, **FULL).json() == {"status": "completed"}
    before = world.row(job)
    assert world.complete(job, token, **FULL).json() == {"status": "completed"}
    assert world.complete(job, token, **FULL | {"report_uri": None, "attempt": 7}).json() == {"status": "completed"}
    assert world.row(job) == before
    view = world.operate("GET", f"/memory-jobs/{job}").json()
    assert {name: view[name] for name in ("commit", "source_counts", "output_counts", "usage", "report_uri")} == {
        name: FULL[name] for name in ("commit", "source_counts", "output_counts", "usage", "report_uri")
    }
    assert [a["workspace_path"] for a in view["artifacts"]] == ["brain/reports/x.md"]


def test_another_result_for_a_job_that_is_over_is_a_conflict(world: World) -> None:
    job = world.job(world.user())
    token = world.token(job)
    world.complete(job, token, **FULL)
    refused(
        world.complete(job, token, **FULL | {"commit": COMMIT | {"digest": "sha256:cd"}}), 409, "completion_conflict"
    )
    refused(world.complete(job, token, outcome="failed"), 409, "completion_conflict")
    refused(world.complete(job, token, outcome="no_change"), 409, "completion_conflict")


@pytest.mark.parametrize(
    ("outcome", "status", "substate", "advances"),
    [
        ("completed", "completed", None, True),
        ("no_change", "completed", "no_change", True),
        ("superseded", "completed", "superseded", False),
        ("failed", "failed", None, False),
        ("cancelled", "cancelled", None, False),
    ],
)
def test_outcomes_and_what_they_advance(
    world: World, outcome: str, status: str, substate: str | None, advances: bool
) -> None:
    user = world.user()
    job = world.job(user, "hourly_digest")
    error = {"code": "tool_failed", "stage": "index", "hint": "look"} if outcome == "failed" else None
    assert world.complete(job, world.token(job), outcome=outcome, error=error).json() == {"status": status}
    row = world.row(job)
    assert (row["status"], row["substate"], row["outcome"], row["error_summary"]) == (status, substate, outcome, error)
    digest_at = world.sql("select last_digest_at from memory_workspaces where user_id = %s", user)[0]["last_digest_at"]
    assert digest_at == (row["started_at"] if advances else None)


def test_a_terminal_job_answers_with_its_result(world: World) -> None:
    job = world.job(world.user())
    world.complete(job, world.token(job), **FULL)
    body = refused(world.open(job, 2), 409, "job_terminal")
    assert body["status"] == "completed"
    assert body["result"]["commit"] == COMMIT
    assert body["result"]["outcome"] == "completed"


def test_a_parked_job_may_be_settled_by_its_attempt(world: World) -> None:
    job = world.job(world.user(), "hourly_digest")
    token = world.token(job)
    world.progress(job, token, state="parked")
    assert world.complete(job, token, outcome="superseded").json() == {"status": "completed"}


def test_progress_is_shown(world: World) -> None:
    job = world.job(world.user())
    token = world.token(job)
    retry_at = (world.row(job)["requested_at"] + timedelta(minutes=1)).isoformat()
    world.progress(job, token, state="retrying", stage="index", retry_at=retry_at, counts={"pages": 3}, message="busy")
    view = world.operate("GET", f"/memory-jobs/{job}").json()
    assert (view["status"], view["substate"], view["stage"]) == ("queued", "retrying", "index")
    assert view["progress"] == {"counts": {"pages": 3}, "message": "busy"}
    assert view["retry_at"] is not None
    assert world.open(job, 2, "run-2").status_code == 200
    assert world.row(job)["retry_at"] is None


def test_what_a_job_waits_for_is_told_to_operators_until_it_runs_again(world: World) -> None:
    user = world.user()
    job, other = world.job(user), world.job(user, "insight")
    for each in (job, other):
        world.progress(each, world.token(each), state="retrying", message="model_unavailable", waiting_for="model")
    assert world.operate("GET", "/memory-queue").json()["waiting"] == {"model": 2}
    assert world.operate("GET", f"/memory-jobs/{job}").json()["progress"]["waiting_for"] == "model"
    world.progress(job, world.token(job, 2), attempt=2)
    assert world.operate("GET", "/memory-queue").json()["waiting"] == {"model": 1}
    assert world.progress(other, world.token(other, 2), attempt=2, waiting_for="Model 5").status_code == 422


def test_a_digest_is_told_of_a_later_one_that_is_committed(world: World) -> None:
    user = world.user()
    query = "insert into memory_jobs (user_id, job_type, period, requested_at) values (%s, 'hourly_digest', %s, %s)"
    periods = {"2026-11-27T09": "2026-11-27 09:00Z", "2026-11-27T10": "2026-11-27 10:00Z"}
    older, newer = (
        str(world.sql(f"{query} returning id", user, period, requested)[0]["id"])
        for period, requested in periods.items()
    )
    assert world.open(older).json()["job"]["newer_digest"] is None
    commit = {"seq": 1, "digest": "a" * 64}
    assert world.complete(newer, world.token(newer), commit=commit).status_code == 200
    assert world.open(older, 2).json()["job"]["newer_digest"] == "2026-11-27T10"
    # A digest of an earlier hour that is asked for later is wanted.
    wanted = world.sql(f"{query} returning id", user, "2026-11-27T08", "2026-11-27 11:00Z")[0]["id"]
    assert world.open(str(wanted)).json()["job"]["newer_digest"] is None
