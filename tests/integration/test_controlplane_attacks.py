"""
As an attacker at the API: with a live token of one user and whatever HTTP allows, try to get at another user's rows.
Every attempt is listed; none may be answered with anything of the victim, and what names the victim is refused.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.fixtures_controlplane import World

pytestmark = pytest.mark.integration
GOOD = {"mode": "backfill", "cursor": {}, "source_keys": ["user_rules"]}


@dataclass(frozen=True)
class Mallory:
    """Who has a live job and its token, and knows the victim's ids."""

    world: World
    user: str
    victim: str
    mine: str
    theirs: str
    token: str

    def path(self, job: str | None = None, call: str = "batches") -> str:
        return f"/api/internal/memory-export/jobs/{job or self.mine}/{call}"

    def post(self, path: str | None = None, body: Any = GOOD, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"authorization": f"Bearer {self.token}", **named}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.world.client.post(path or self.path(), content=content, headers=sent, follow_redirects=False)

    def forged(self, head: dict[str, Any], key: Any = None, algorithm: str = "ES256", **claims: Any) -> str:
        """A token under this header for the victim's job, signed by a key of the attacker."""
        body = jwt.decode(self.token, options={"verify_signature": False})
        body |= {"sub": f"memory_job:{self.theirs}", "job_id": self.theirs, "user_id": self.victim, **claims}
        known = jwt.get_unverified_header(self.token)
        made = jwt.encode(body, key or ec.generate_private_key(ec.SECP256R1()), algorithm, {**known, **head})
        return f"Bearer {made}"

    def public_pem(self) -> str:
        key = self.world.signing_key.public_key()
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        return key.public_bytes(serialization.Encoding.PEM, form).decode()

    def signed_with_what_is_public(self) -> str:
        """Signed with our public key, as if it were a shared secret."""
        head = {**jwt.get_unverified_header(self.token), "alg": "HS256"}
        body = jwt.decode(self.token, options={"verify_signature": False}) | {"user_id": self.victim}
        signed = b".".join(_b64(json.dumps(part).encode()) for part in (head, body))
        mac = hmac.new(self.public_pem().encode(), signed, hashlib.sha256).digest()
        return f"Bearer {(signed + b'.' + _b64(mac)).decode()}"


def _b64(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


@pytest.fixture
def mallory(world: World) -> Mallory:
    user, victim = world.user("mallory@example.com"), world.user("victim@example.com")
    for account in (user, victim):
        world.sql("insert into user_rules (user_id, rule_text) values (%s, 'secret of ' || %s)", account, account)
    mine, theirs = world.job(user), world.job(victim)
    token = world.token(mine)
    world.token(theirs)
    return Mallory(world, user, victim, mine, theirs, token)


Attempt = Callable[[Mallory], httpx.Response]
#: The victim's job by name, or a token that nobody issued: always refused.
REFUSED: dict[str, Attempt] = {
    "the victim's job": lambda m: m.post(m.path(m.theirs)),
    "the victim's job behind mine": lambda m: m.post(f"{m.path()}/../../{m.theirs}/batches"),
    "the victim's job behind mine, encoded": lambda m: m.post(f"{m.path(m.mine + '%2f..%2f' + m.theirs)}"),
    "the victim's job in capitals": lambda m: m.post(m.path(m.theirs.upper())),
    "the victim's job in braces": lambda m: m.post(m.path("{" + m.theirs + "}")),
    "two jobs": lambda m: m.post(m.path(f"{m.mine},{m.theirs}")),
    "a job that is SQL": lambda m: m.post(m.path("x' or '1'='1")),
    "a job that is nothing": lambda m: m.post(m.path("%00")),
    "every job": lambda m: m.post(m.path("*")),
    "a key of the token's own": lambda m: m.post(
        m.path(m.theirs), authorization=m.forged({"jwk": {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}})
    ),
    "a key from elsewhere": lambda m: m.post(
        m.path(m.theirs), authorization=m.forged({"jku": "http://127.0.0.1:9/keys", "x5u": "http://127.0.0.1:9/x"})
    ),
    "a key that is a file": lambda m: m.post(m.path(m.theirs), authorization=m.forged({"kid": "../../../dev/null"})),
    "a key that is SQL": lambda m: m.post(m.path(m.theirs), authorization=m.forged({"kid": "' union select 'k"})),
    "a key that is not named": lambda m: m.post(m.path(m.theirs), authorization=m.forged({"kid": ""})),
    "an extension that must be understood": lambda m: m.post(
        m.path(m.theirs), authorization=m.forged({"crit": ["exp"]})
    ),
    "a larger curve": lambda m: m.post(
        m.path(m.theirs), authorization=m.forged({"alg": "ES384"}, ec.generate_private_key(ec.SECP384R1()), "ES384")
    ),
    "the public key as a secret": lambda m: m.post(authorization=m.signed_with_what_is_public()),
    "no algorithm, in capitals": lambda m: m.post(
        authorization="Bearer " + b".".join((_b64(b'{"alg":"NONE"}'), _b64(b'{"sub":"x"}'), b"")).decode()
    ),
    "a token that is not JSON": lambda m: m.post(authorization="Bearer a.b.c"),
    "a token of a megabyte": lambda m: m.post(authorization="Bearer " + "a" * 1_000_000),
    "a token of five parts": lambda m: m.post(authorization=f"Bearer {m.token}.x.y"),
    "a token with a signature of zeros": lambda m: m.post(
        authorization=f"Bearer {m.token.rpartition('.')[0]}.{_b64(bytes(64)).decode()}"
    ),
    "a password instead": lambda m: m.post(authorization="Basic " + base64.b64encode(b"postgres:x").decode()),
    "no scheme": lambda m: m.post(authorization=m.token),
    "an empty bearer": lambda m: m.post(authorization="Bearer "),
    "the token in the address": lambda m: m.post(f"{m.path()}?access_token={m.token}", authorization=""),
    "the token in a cookie": lambda m: m.post(authorization="", cookie=f"token={m.token}"),
    "a source nobody declared": lambda m: m.post(body={**GOOD, "source_keys": ["auth_users"]}),
    "a source that is a table": lambda m: m.post(body={**GOOD, "source_keys": ["auth.users"]}),
    "a source that is SQL": lambda m: m.post(body={**GOOD, "source_keys": ['user_rules" where true --']}),
    "a source that is all": lambda m: m.post(body={**GOOD, "source_keys": ["*"]}),
    "the tombstones": lambda m: m.post(body={**GOOD, "source_keys": ["tombstones"]}),
    "no source": lambda m: m.post(body={**GOOD, "source_keys": []}),
    "a source that is an object": lambda m: m.post(body={**GOOD, "source_keys": {"user_rules": True}}),
    "another mode": lambda m: m.post(body={**GOOD, "mode": "everything"}),
    "fewer than none": lambda m: m.post(body={**GOOD, "limit": -1}),
    "more than any": lambda m: m.post(body={**GOOD, "limit": 10**9}),
    "a cursor that is SQL": lambda m: m.post(body={**GOOD, "cursor": {"user_rules": {"at": "' or true --"}}}),
    "a cursor that is a text": lambda m: m.post(body={**GOOD, "cursor": "x"}),
    "not JSON": lambda m: m.post(body=b"mode=backfill"),
    "JSON that never ends": lambda m: m.post(body=b'{"cursor":' + b"[" * 100_000),
    "many megabytes": lambda m: m.post(body=b'{"x":"' + b"x" * 20_000_000 + b'"}'),
    "completion of the victim's job": lambda m: m.world.complete(m.theirs, m.token),
    "progress of the victim's job": lambda m: m.world.progress(m.theirs, m.token),
    "a renewal of the victim's token": lambda m: m.world.call(
        "POST", f"/memory-jobs/{m.theirs}/token", m.token, {"attempt": 1, "owner": "run-1", "renew": True}
    ),
    "the victim's marks": lambda m: m.world.call("GET", f"/memory-jobs/{m.theirs}/marks", m.token),
    "the users": lambda m: m.world.call("GET", "/memory-users", m.token),
    "the queue": lambda m: m.world.call("GET", "/memory-queue", m.token),
    "a pause of everybody": lambda m: m.world.call(
        "POST", "/memory-queue/pause", m.token, {"target": "*", "reason": "r"}
    ),
    "the pauses": lambda m: m.world.call("GET", "/memory-queue/pauses", m.token),
    "the flags": lambda m: m.world.call("GET", "/memory-flags?name=synthesis", m.token),
}
#: Asked in a way that could be taken for the victim's: whatever is answered is Mallory's own.
OWN: dict[str, Attempt] = {
    "the victim in the body": lambda m: m.post(body={**GOOD, "user_id": m.victim, "job_id": m.theirs}),
    "the victim in the address": lambda m: m.post(f"{m.path()}?user_id={m.victim}&job_id={m.theirs}"),
    "the victim in headers": lambda m: m.post(x_user_id=m.victim, x_job_id=m.theirs, x_forwarded_user=m.victim),
    "another method": lambda m: m.post(x_http_method_override="DELETE"),
    "another address": lambda m: m.post(x_original_url=m.path(m.theirs), x_rewrite_url=m.path(m.theirs)),
    "another host": lambda m: m.post(host="localhost:5432", x_forwarded_host="evil.test"),
    "claims of a signed-in user": lambda m: m.post(request_jwt_claims=json.dumps({"sub": m.victim})),
    "a name twice": lambda m: m.post(
        body=b'{"mode":"backfill","cursor":{},"source_keys":["auth_users"],"source_keys":["user_rules"]}'
    ),
    "the victim's names for mine": lambda m: m.post(body={**GOOD, "__proto__": {"user_id": m.victim}}),
    "the same source many times": lambda m: m.post(body={**GOOD, "source_keys": ["user_rules"] * 50}),
}


@pytest.mark.parametrize("attempt", REFUSED)
def test_an_attempt_is_refused(mallory: Mallory, attempt: str) -> None:
    before = mallory.world.row(mallory.theirs)
    response = REFUSED[attempt](mallory)
    assert 400 <= response.status_code < 500, response.status_code
    assert "secret of" not in response.text
    assert mallory.victim not in response.text
    assert mallory.world.row(mallory.theirs) == before


@pytest.mark.parametrize("attempt", OWN)
def test_an_attempt_is_answered_with_the_callers_own(mallory: Mallory, attempt: str) -> None:
    response = OWN[attempt](mallory)
    assert response.status_code in {200, 400, 422}, response.text
    assert mallory.victim not in response.text
    records = response.json().get("records", [])
    assert {record["user_id"] for record in records} <= {mallory.user}


def test_the_token_alone_is_answered(mallory: Mallory) -> None:
    """So that the attempts above fail for what they try, and for nothing else."""
    response = mallory.post()
    assert [record["data"]["rule_text"] for record in response.json()["records"]] == [f"secret of {mallory.user}"]
