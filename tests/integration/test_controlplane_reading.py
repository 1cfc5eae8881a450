"""The owner's right to read: who gets a grant, for which prefix, what its token may do, and what the audit shows."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
import urllib3
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from google.auth.transport.urllib3 import Request as AuthRequest
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from consumer.errors import BlobUnavailable, ScopeViolation
from consumer.storage.gcs import GcsBlobStore
from controlplane import bucket_tokens
from controlplane import settings as configuration
from controlplane.api import create_app
from controlplane.reading import AppUsers, ReadGrants
from local.gcs.server import serve
from service.clock import SystemClock
from service.oidc import ASYMMETRIC, KeySet
from service.settings import SettingsError
from tests.asgi import Client
from tests.fixtures_controlplane import BUCKET, CONSUMER, OPERATOR, World
from tests.integration.test_controlplane_flags import reported
from tests.tables import table

pytestmark = pytest.mark.integration
APP = "https://app.test/auth/v1"
ACCOUNT = "reader@test.iam.gserviceaccount.com"


@dataclass
class App:
    """The app's sign-in service, as Supabase Auth signs: elliptic curve, key id ``e1``; and an RSA key ``r1``."""

    key: ec.EllipticCurvePrivateKey
    rsa_key: rsa.RSAPrivateKey

    def jwks(self) -> dict[str, Any]:
        curve = ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True) | {"kid": "e1", "alg": "ES256"}
        other = RSAAlgorithm.to_jwk(self.rsa_key.public_key(), as_dict=True) | {"kid": "r1", "alg": "RS256"}
        return {"keys": [curve, other]}

    def claims(self, user_id: str, **overrides: Any) -> dict[str, Any]:
        now = int(SystemClock().now().timestamp())
        claims = {"iss": APP, "aud": "authenticated", "role": "authenticated", "sub": user_id}
        return {**claims, "iat": now, "exp": now + 3600, **overrides}

    def token(self, user_id: str, **overrides: Any) -> str:
        return jwt.encode(self.claims(user_id, **overrides), self.key, algorithm="ES256", headers={"kid": "e1"})


@dataclass
class Door:
    """A control plane that lets the reader in, and the bucket."""

    world: World
    app: App
    client: Client
    gcs: str

    def ask(self, user_token: str, *, path: str = "grants", caller: str = ACCOUNT, **body: Any) -> Any:
        headers = {"authorization": f"Bearer {self.world.issuer.token(caller)}"}
        sent = {"user_token": user_token, **body}
        return self.client.post(f"/api/internal/memory-reader/{path}", json=sent, headers=headers)

    def correct(self, user_token: str, correction: dict[str, Any], **body: Any) -> dict[str, Any]:
        return self._answered(self.ask(user_token, path="corrections", correction=correction, **body))

    def undo(self, user_token: str, correction_id: str) -> dict[str, Any]:
        return self._answered(self.ask(user_token, path="corrections/undo", correction_id=correction_id))

    def listed(self, user_token: str) -> list[dict[str, Any]]:
        return list(self._answered(self.ask(user_token, path="corrections/list"))["corrections"])

    def _answered(self, answer: Any) -> dict[str, Any]:
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def grant(self, user_id: str) -> dict[str, Any]:
        answer = self.ask(self.app.token(user_id))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def bucket(self) -> GcsBlobStore:
        return GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=self.gcs)


@pytest.fixture
def door(world: World, tmp_path: Path) -> Iterator[Door]:
    app = App(ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65537, 2048))
    clock = SystemClock()
    with ExitStack() as resources:
        gcs = resources.enter_context(serve(tmp_path / "gcs"))
        httpx.post(f"{gcs}/storage/v1/b", json={"name": BUCKET}, trust_env=False).raise_for_status()
        transport = httpx.MockTransport(lambda request: httpx.Response(200, json=app.jwks()))
        client = resources.enter_context(httpx.Client(transport=transport))
        keys = KeySet(client, "http://app.test/keys", clock.monotonic, algorithms=ASYMMETRIC)
        request = AuthRequest(urllib3.PoolManager(retries=False))
        source = bucket_tokens.Unimpersonated(clock.now)
        tokens = bucket_tokens.NarrowedTokens(BUCKET, f"{gcs}/sts/v1/token", source, request)
        overlay = world.services.corrections.overlay
        reading = ReadGrants(world.services.database, BUCKET, AppUsers(keys, APP, clock.now), tokens, overlay)
        identities = world.services.identities
        accounts = {**identities.accounts, "reader": frozenset({ACCOUNT})}
        services = replace(world.services, reading=reading, identities=replace(identities, accounts=accounts))
        yield Door(world, app, Client(create_app(services), raises=False), gcs)


def test_a_grant_reads_one_users_objects_and_nothing_else(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    blobs = door.bucket()
    for user_id in (ada, bob):
        blobs.write(f"users/{user_id}/HEAD", user_id.encode(), if_generation=0)
    grant = door.grant(ada)
    assert (grant["user_id"], grant["bucket"], grant["prefix"]) == (ada, BUCKET, f"users/{ada}/")
    assert grant["overlay"]["corrections"] == []
    done = {"verdict": "done", "statement": "0123456789abcdef"}
    assert door.world.operate("POST", f"/memory-users/{ada}/corrections", done).status_code == 200
    [correction] = door.grant(ada)["overlay"]["corrections"]
    assert (correction["verdict"], correction["statement"]) == ("done", "0123456789abcdef")
    assert door.grant(bob)["overlay"]["corrections"] == []
    own = blobs.with_token(grant["bucket_token"], grant["prefix"])
    assert own.read(f"users/{ada}/HEAD").data == ada.encode()
    with pytest.raises(ScopeViolation):
        own.read(f"users/{bob}/HEAD")
    # The bucket refuses it as well, whatever the store's own check says.
    unchecked = blobs.with_token(grant["bucket_token"], "")
    with pytest.raises(BlobUnavailable, match="HTTP 403"):
        unchecked.read(f"users/{bob}/HEAD")
    with pytest.raises(BlobUnavailable, match="HTTP 403"):
        unchecked.write(f"users/{ada}/HEAD", b"x", if_generation=None)
    with pytest.raises(BlobUnavailable, match="HTTP 403"):
        list(unchecked.list(f"users/{ada}/"))
    with pytest.raises(BlobUnavailable, match="HTTP 401"):
        blobs.with_token("local-sts.forged", "").read(f"users/{ada}/HEAD")
    blobs.close()


def test_a_grant_lasts_fifteen_minutes_at_most(door: Door) -> None:
    grant = door.grant(door.world.user())
    now = SystemClock().now()
    assert 0 < (_time(grant["bucket_token_expires_at"]) - now).total_seconds() <= 900
    assert 3500 < (_time(grant["user_token_expires_at"]) - now).total_seconds() <= 3600


FORGERIES: dict[str, dict[str, Any]] = {
    "another project": {"iss": "https://other.supabase.co/auth/v1"},
    "another audience": {"aud": "anon"},
    "several audiences": {"aud": ["authenticated"]},
    "the servers' role": {"role": "service_role"},
    "no role": {"role": None},
    "ended": {"exp": 1_700_000_000},
    "from the future": {"iat": 4_000_000_000, "exp": 4_000_003_600},
    "no user": {"sub": None},
    "a path as the user": {"sub": "../x"},
    "another spelling of a UUID": {"sub": str(uuid.UUID(int=2**127 + 0xABCDEF)).upper()},
}


@table("name", list(FORGERIES))
def test_a_token_that_is_not_exactly_the_apps(door: Door, name: str) -> None:
    user_id = door.world.user(f"{name.replace(' ', '-')}@example.com")
    answer = door.ask(door.app.token(user_id, **FORGERIES[name]))
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "user_token_invalid"), answer.text
    assert door.world.sql("select from memory_audit") == []


def test_a_token_signed_by_something_else(door: Door) -> None:
    user_id = door.world.user()
    claims = door.app.claims(user_id)
    stranger = ec.generate_private_key(ec.SECP256R1())
    forged = [
        jwt.encode(claims, stranger, algorithm="ES256", headers={"kid": "e1"}),
        jwt.encode(claims, stranger, algorithm="ES256", headers={"kid": "unknown"}),
        jwt.encode(claims, "", algorithm="none", headers={"kid": "e1"}),
        jwt.encode(claims, "x" * 32, algorithm="HS256", headers={"kid": "e1"}),
        # The right RSA key under the elliptic key's id: a key verifies the signature of its own type only.
        jwt.encode(claims, door.app.rsa_key, algorithm="RS256", headers={"kid": "e1"}),
        "x.y.z",
    ]
    for token in forged:
        assert door.ask(token).status_code == 401
    assert door.ask(jwt.encode(claims, door.app.rsa_key, algorithm="RS256", headers={"kid": "r1"})).status_code == 200


def test_only_the_reader_may_ask(door: Door) -> None:
    user_token = door.app.token(door.world.user())
    for caller in (CONSUMER, OPERATOR, "eve@example.com"):
        for path in ("grants", "access", "corrections", "corrections/list", "corrections/undo"):
            assert door.ask(user_token, path=path, caller=caller).status_code == 403
    # The user alone gets no token for the bucket: the reader's identity is needed too.
    headers = {"authorization": f"Bearer {user_token}"}
    body = {"user_token": user_token}
    assert door.client.post("/api/internal/memory-reader/grants", json=body, headers=headers).status_code == 401


def test_who_has_no_memory_or_no_account_gets_none(door: Door) -> None:
    user_id = door.world.user()
    door.world.sql("update memory_workspaces set status = 'disabled' where user_id = %s", user_id)
    assert _refusal(door.ask(door.app.token(user_id))) == (403, "memory_off")
    other = str(door.world.sql("insert into auth.users (email) values ('n@example.com') returning id")[0]["id"])
    assert _refusal(door.ask(door.app.token(other))) == (403, "memory_off")
    door.world.sql("update auth.users set deleted_at = now() where id = %s", other)
    assert _refusal(door.ask(door.app.token(other))) == (403, "account_closed")
    assert _refusal(door.ask(door.app.token(str(uuid.uuid4())))) == (403, "account_closed")
    assert door.world.sql("select from memory_audit where action = 'memory.read'") == []


def test_the_owner_sees_who_looked(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    deed = {"action": "workspace.read", "user_id": ada, "reason": "a ticket", "details": {}}
    assert door.world.operate("POST", "/memory-bucket-deeds", deed).status_code == 200
    door.grant(ada)
    door.grant(ada)
    door.grant(bob)
    answer = door.ask(door.app.token(ada), path="access").json()
    lines = [(entry["actor"], entry["action"], entry["reason"]) for entry in answer["entries"]]
    assert lines == [("owner", "memory.read", None), (OPERATOR, "workspace.read", "a ticket")]
    assert answer["next_after"] is None


def test_a_long_access_log_comes_in_pages(door: Door) -> None:
    ada = door.world.user()
    lines = "select 'o' || n, 'job.cancel', %s from generate_series(1, 70) n"
    door.world.sql(f"insert into memory_audit (actor, action, user_id) {lines}", ada)
    first = door.ask(door.app.token(ada), path="access").json()
    rest = door.ask(door.app.token(ada), path="access", after=first["next_after"]).json()
    actors = [entry["actor"] for entry in (*first["entries"], *rest["entries"])]
    assert actors == [f"o{number}" for number in range(70, 0, -1)]
    assert rest["next_after"] is None


# --- the user's own corrections -----------------------------------------------------------------------------------

DONE = {"verdict": "done", "statement": "0123456789abcdef"}


def test_users_correct_their_own_memory_and_no_other(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    token = door.app.token(ada)
    made = door.correct(token, DONE)
    assert (made["verdict"], made["statement"], made["made_by"]) == ("done", DONE["statement"], "user")
    assert [view["id"] for view in door.grant(ada)["overlay"]["corrections"]] == [made["id"]]
    assert [view["id"] for view in door.listed(token)] == [made["id"]]
    assert door.grant(bob)["overlay"]["corrections"] == []
    assert door.listed(door.app.token(bob)) == []
    # A user id in the body counts for nothing: the token says whose memory it is.
    door.correct(token, {**DONE, "verdict": "not_mine", "user_id": bob}, user_id=bob)
    assert door.grant(bob)["overlay"]["corrections"] == []
    actions = {(entry["actor"], entry["action"]) for entry in door.ask(token, path="access").json()["entries"]}
    assert ("owner", "correction.make") in actions


def test_what_is_anothers_is_not_there(door: Door) -> None:
    ada, bob = door.world.user(), door.world.user("bob@example.com")
    made = door.correct(door.app.token(ada), DONE)
    job = reported(door.world, ada)
    stranger = door.app.token(bob)
    undone = door.ask(stranger, path="corrections/undo", correction_id=made["id"])
    assert _refusal(undone) == (404, "correction_not_found")
    claim = {"verdict": "wrong", "job_id": job, "claim": 1}
    assert _refusal(door.ask(stranger, path="corrections", correction=claim)) == (404, "job_not_found")
    unknown = {"verdict": "wrong", "job_id": job, "claim": 4000}
    assert _refusal(door.ask(door.app.token(ada), path="corrections", correction=unknown)) == (404, "claim_not_found")
    # The control plane keeps no statements. Another's statement in one's own corrections changes nothing for them.
    door.correct(stranger, {**DONE, "verdict": "wrong"})
    assert [view["verdict"] for view in door.grant(ada)["overlay"]["corrections"]] == ["done"]


def test_a_correction_made_or_taken_back_twice_is_once(door: Door) -> None:
    ada = door.world.user()
    token = door.app.token(ada)
    made = door.correct(token, DONE)
    assert door.correct(token, DONE) == made
    first = door.undo(token, made["id"])
    assert first["undone_at"] is not None
    assert door.undo(token, made["id"]) == first
    assert door.grant(ada)["overlay"]["corrections"] == []
    assert [view["undone_at"] for view in door.listed(token)] == [first["undone_at"]]
    lines = door.world.sql("select actor, action from memory_audit where action like 'correction.%%' order by id")
    assert [(line["actor"], line["action"]) for line in lines] == [
        ("owner", "correction.make"),
        ("owner", "correction.undo"),
    ]


def test_an_operator_and_the_owner_make_one_correction(door: Door) -> None:
    ada = door.world.user()
    by_operator = door.world.operate("POST", f"/memory-users/{ada}/corrections", DONE).json()
    assert door.correct(door.app.token(ada), DONE) == by_operator
    assert door.undo(door.app.token(ada), by_operator["id"])["undone_at"] is not None


def test_nobody_corrects_without_a_token_and_a_memory(door: Door) -> None:
    ada = door.world.user()
    made = door.correct(door.app.token(ada), DONE)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("corrections", {"correction": {**DONE, "verdict": "wrong"}}),
        ("corrections/list", {}),
        ("corrections/undo", {"correction_id": made["id"]}),
    ]
    for path, body in calls:
        expired = door.ask(door.app.token(ada, exp=1_700_000_000), path=path, **body)
        assert _refusal(expired) == (401, "user_token_invalid")
    door.world.sql("update memory_workspaces set status = 'disabled' where user_id = %s", ada)
    for path, body in calls:
        assert _refusal(door.ask(door.app.token(ada), path=path, **body)) == (403, "memory_off")
        assert _refusal(door.ask(door.app.token(str(uuid.uuid4())), path=path, **body)) == (403, "account_closed")
    [row] = door.world.sql("select verdict, undone_at from memory_corrections")
    assert (row["verdict"], row["undone_at"]) == ("done", None)


@table(
    "body",
    [
        {},
        {"correction": {"verdict": "done"}},
        {"correction": {**DONE, "verdict": "later"}},
        {"correction": {**DONE, "verdict": "funny"}},
        {"correction": {**DONE, "statement": "not an id"}},
    ],
)
def test_a_correction_of_another_form_is_refused(door: Door, body: dict[str, Any]) -> None:
    user_id = door.world.user(f"{uuid.uuid4()}@example.com")
    answer = door.ask(door.app.token(user_id), path="corrections", **body)
    assert _refusal(answer) == (422, "invalid_request")


# --- a deployment that is set up otherwise ------------------------------------------------------------------------


def test_a_control_plane_without_an_app_lets_nobody_read(world: World) -> None:
    accounts = {**world.services.identities.accounts, "reader": frozenset({ACCOUNT})}
    services = replace(
        world.services,
        reading=ReadGrants(world.services.database, BUCKET),
        identities=replace(world.services.identities, accounts=accounts),
    )
    client = Client(create_app(services), raises=False)
    headers = {"authorization": f"Bearer {world.issuer.token(ACCOUNT)}"}
    answer: Any = client.post("/api/internal/memory-reader/grants", json={"user_token": "x"}, headers=headers)
    assert _refusal(answer) == (503, "reading_off")


def test_a_token_exchange_that_fails_gives_no_grant(door: Door) -> None:
    clock = SystemClock()
    request = AuthRequest(urllib3.PoolManager(retries=False))
    for url in (f"{door.gcs}/nowhere", "http://127.0.0.1:9/sts/v1/token"):
        tokens = bucket_tokens.NarrowedTokens(BUCKET, url, bucket_tokens.Unimpersonated(clock.now), request)
        with pytest.raises(Exception, match="cannot make a token for the bucket") as raised:
            tokens.reading("users/x/")
        assert getattr(raised.value, "status", None) == 503


def test_the_boundary_names_the_prefix_and_only_reading() -> None:
    [rule] = bucket_tokens.boundary("b", "users/u/").rules
    assert rule.available_permissions == ("inRole:roles/storage.objectViewer",)
    assert rule.availability_condition.expression == (
        "resource.name.startsWith('projects/_/buckets/b/objects/users/u/')"
    )
    for prefix in ("", "users/'/", "users/\\/"):
        with pytest.raises(ValueError, match="prefix"):
            bucket_tokens.boundary("b", prefix)


def test_settings_that_would_let_nobody_read_are_refused() -> None:
    given = {variable.name: variable.example for variable in configuration.variables()}
    given["STS_URL"] = configuration.GOOGLE_STS
    assert configuration.load(given).reader_accounts
    for name in ("APP_ISSUER", "READ_ACCOUNT"):
        with pytest.raises(SettingsError, match=name):
            configuration.load({**given, name: ""})


def _refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def _time(text: str) -> Any:
    from datetime import datetime

    return datetime.fromisoformat(text)
