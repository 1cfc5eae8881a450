"""Whose token opens which memory, and who the callers of the control plane are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, cast

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from contract.api import AccessRequest, ReadGrantRequest
from contract.overlay import Overlay
from contract.rights import Lack
from controlplane.errors import ApiFault
from controlplane.identity import Identities
from controlplane.readiness import Readiness
from controlplane.reading import AUDIENCE, ENTRIES, ROLE, AppUsers, ReadGrants
from service.oidc import KeySet, KeysUnreachable
from tests.tables import table
from tests.unit.controlplane.scripted import Scripted
from tests.unit.controlplane.test_assistants import AT, ID, TOKEN, USER, fault

KEY, OTHER_KEY = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
NOW = AT.timestamp()


class Keys:
    """A key set of one key, which may be out of reach."""

    algorithms = ("ES256",)

    def __init__(self, *, reachable: bool = True) -> None:
        self.reachable = reachable

    def get(self, kid: str) -> Any:
        if not self.reachable:
            raise KeysUnreachable("no answer")
        assert kid == "k"
        return KEY.public_key()


def signed(key: Any = KEY, **claims: Any) -> str:
    given = {"iss": "app", "aud": AUDIENCE, "sub": USER, "role": ROLE, "iat": NOW, "exp": NOW + 60, **claims}
    kept = {name: value for name, value in given.items() if value is not None}
    return jwt.encode(kept, key, algorithm="ES256", headers={"kid": "k"})


def users(*, reachable: bool = True) -> AppUsers:
    return AppUsers(cast(KeySet, Keys(reachable=reachable)), "app", lambda: AT)


def test_a_token_of_the_app_names_its_user_until_it_ends() -> None:
    user = users().require(signed())
    assert (user.user_id, user.expires_at, user.assistant) == (USER, AT + timedelta(seconds=60), None)


@table(
    "claims",
    [
        {"role": "service_role"},
        {"role": None},
        {"sub": USER.replace("1", "A")},
        {"sub": "ann"},
        {"sub": None},
        {"iss": "another"},
        {"aud": "another"},
        {"exp": NOW - 3600},
        {"key": OTHER_KEY},
    ],
)
def test_what_the_app_did_not_say_of_a_user_opens_nothing(claims: dict[str, Any]) -> None:
    assert fault(lambda: users().require(signed(**claims)))[:2] == (401, "user_token_invalid")


def test_a_sign_in_service_that_does_not_answer_is_worth_another_try() -> None:
    assert fault(lambda: users(reachable=False).require(signed()))[:2] == (503, "keys_unavailable")


# --- grants


class BucketToken:
    token, expires_at = "bucket", AT


class Buckets:
    """Tokens for a part of the bucket, and for which parts they were asked."""

    def __init__(self) -> None:
        self.prefixes: list[str] = []

    def reading(self, prefix: str) -> BucketToken:
        self.prefixes.append(prefix)
        return BucketToken()


ENABLED = {"reading_status": {"account": True, "status": "enabled"}}
ASSISTANTS = {"assistant_of_token": {**TOKEN, "user_id": USER}}


def reading(database: Scripted, buckets: Any = None) -> ReadGrants:
    overlays = {USER: Overlay(version="of the user")}
    return ReadGrants(database.database, "workspaces", users(), buckets or Buckets(), overlays.__getitem__)  # type: ignore[arg-type]


def request(token: str | None = None) -> ReadGrantRequest:
    return ReadGrantRequest(user_token=token or signed())


def test_a_user_may_read_their_own_part_of_the_bucket() -> None:
    database, buckets = Scripted(**ENABLED), Buckets()
    grant = reading(database, buckets).grant(request())
    assert (grant.user_id, grant.bucket, grant.prefix) == (USER, "workspaces", f"users/{USER}/")
    assert (grant.bucket_token, grant.overlay.version, grant.scopes) == ("bucket", "of the user", None)
    assert grant.user_token_expires_at == AT + timedelta(seconds=60)
    assert buckets.prefixes == [f"users/{USER}/"]
    assert database.values("note_reading") == [{"user_id": USER}]
    assert database.changes("note_assistant_reading") == []


def test_an_assistant_may_read_as_far_as_its_scopes_say() -> None:
    database = Scripted(**ENABLED, **ASSISTANTS)
    grant = reading(database).grant(request("cma_x"))
    assert (grant.user_id, grant.scopes) == (USER, ("memory:read", "memory:correct"))
    assert database.values("note_assistant_reading") == [{"token_id": ID}]
    assert database.changes("note_reading") == []
    assert reading(database).assistant(request("cma_x")).name == "Laptop"


def test_only_the_users_own_token_does_more_than_read() -> None:
    database = Scripted(**ENABLED, **ASSISTANTS)
    assert reading(database).owner(request()) == USER
    for call in ("owner", "access"):
        kind = AccessRequest if call == "access" else ReadGrantRequest
        refused = fault(lambda: getattr(reading(database), call)(kind(user_token="cma_x")))  # noqa: B023
        assert refused[:2] == (401, "user_token_invalid")
    assert fault(lambda: reading(database).assistant(request()))[:2] == (403, "not_an_assistant")


@table(
    ("status", "code", "words"),
    [
        (None, "account_closed", "no longer exists"),
        ({"account": False, "status": "enabled"}, "account_closed", "no longer exists"),
        ({"account": True, "status": None}, "memory_off", "not enabled yet"),
        ({"account": True, "status": "disabled"}, "memory_off", "is disabled"),
    ],
)
def test_a_memory_that_is_off_or_of_a_closed_account_is_not_read(status: Any, code: str, words: str) -> None:
    for call, token in (("grant", None), ("grant", "cma_x"), ("owner", None), ("assistant", "cma_x")):
        database = Scripted(reading_status=status, **ASSISTANTS)
        refused = fault(lambda: getattr(reading(database), call)(request(token)))  # noqa: B023
        assert refused[:2] == (403, code)
        assert words in refused[2]
        assert database.changes("note_reading", "note_assistant_reading") == []


def test_reading_may_not_be_set_up() -> None:
    nowhere = ReadGrants(Scripted(**ENABLED).database, "workspaces")
    without_bucket = ReadGrants(Scripted(**ENABLED).database, "workspaces", users())
    for service in (nowhere, without_bucket):
        assert fault(lambda: service.grant(request()))[:2] == (503, "reading_off")  # noqa: B023


@table(("count", "more"), [(ENTRIES, None), (ENTRIES + 1, ENTRIES)])
def test_who_looked_is_told_a_page_at_a_time(count: int, more: int | None) -> None:
    rows = [{"id": n, "at": AT, "actor": "op@x.example", "action": "x", "reason": None} for n in range(1, count + 1)]
    database = Scripted(access_log=lambda values: rows[: values["limit"]])
    answer = reading(database).access(AccessRequest(user_token=signed(), after=7))
    assert (len(answer.entries), answer.next_after) == (ENTRIES, more)
    assert (database.values("access_log")[0]["user_id"], database.values("access_log")[0]["after"]) == (USER, 7)


# --- callers


class Clock:
    def now(self) -> datetime:
        return AT


def identities(*, reachable: bool = True) -> Identities:
    return Identities(
        keys=cast(KeySet, Keys(reachable=reachable)),
        issuers=frozenset(("app",)),
        audience="plane",
        accounts={
            "consumer": frozenset(("worker@x.example",)),
            "operator": frozenset(("op@x.example",)),
            "reader": frozenset(("reader@x.example",)),
        },
        clock=cast(Any, Clock()),
        consoles=frozenset(("console@x.example",)),
    )


def caller(email: str | None, **claims: Any) -> str:
    return f"Bearer {signed(**{'aud': 'plane', 'email': email, 'email_verified': True, **claims})}"


@table(
    ("email", "role", "acting_for", "who"),
    [
        ("worker@x.example", "consumer", None, "worker@x.example"),
        ("op@x.example", "operator", None, "op@x.example"),
        ("console@x.example", "operator", "op@x.example", "op@x.example"),
        ("worker@x.example", "operator", None, None),
        ("op@x.example", "reader", None, None),
        # A console has no right of its own, and acts for operators alone.
        ("console@x.example", "operator", None, None),
        ("console@x.example", "operator", "worker@x.example", None),
        ("console@x.example", "consumer", "worker@x.example", None),
        ("op@x.example", "operator", "op@x.example", None),
    ],
)
def test_each_role_has_its_accounts(email: str, role: Any, acting_for: str | None, who: str | None) -> None:
    if who:
        assert identities().require(caller(email), role, acting_for) == who
    else:
        assert fault(lambda: identities().require(caller(email), role, acting_for))[:2] == (403, "not_allowed")


@table(
    ("authorization", "status", "code"),
    [
        (None, 401, "token_missing"),
        ("Basic x", 401, "token_missing"),
        ("Bearer x", 401, "identity_invalid"),
        (caller("op@x.example", aud="another"), 401, "identity_invalid"),
        (caller("op@x.example", exp=NOW - 3600), 401, "identity_invalid"),
        (caller("op@x.example", email_verified=False), 403, "not_allowed"),
        (caller("op@x.example", email_verified="true"), 403, "not_allowed"),
        (caller(None), 403, "not_allowed"),
    ],
)
def test_who_is_not_known_for_sure_may_do_nothing(authorization: str | None, status: int, code: str) -> None:
    assert fault(lambda: identities().require(authorization, "operator"))[:2] == (status, code)


def test_an_issuer_whose_keys_cannot_be_fetched_is_worth_another_try() -> None:
    with pytest.raises(ApiFault) as refused:
        identities(reachable=False).require(caller("op@x.example"), "operator")
    assert (refused.value.status, refused.value.retryable) == (503, True)


# --- readiness


class Checked:
    """A database whose catalogs are asked; ``lacks``: what each question finds."""

    def __init__(self) -> None:
        self.asked = 0

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        self.asked += 1
        yield cast(Any, type("Tx", (), {"connection": type("C", (), {"execute": None})}))


@table(
    ("service", "export", "code"),
    [
        ([], [], None),
        ([Lack("no table a", "migrate", absent=True), Lack("no right b", "grant b")], [], "not_migrated"),
        ([], [Lack("no right b", "grant b"), Lack("no right c", "grant b")], "rights_missing"),
    ],
)
def test_the_control_plane_is_ready_when_both_logins_can_work(
    service: list[Lack], export: list[Lack], code: str | None
) -> None:
    now = [100.0]
    own, other = Checked(), Checked()
    readiness = Readiness(cast(Any, own), cast(Any, other), lambda: now[0])
    with pytest.MonkeyPatch.context() as patch:
        missing = {True: service, False: export}
        patch.setattr("contract.rights.lacking", lambda _execute, _grantee, *, owner: missing[owner])
        for wait, fresh, asked in ((0.0, False, 1), (4.9, False, 1), (5.0, False, 2), (5.0, True, 3)):
            now[0] = 100.0 + wait
            if code is None:
                readiness.require(fresh=fresh)
            else:
                with pytest.raises(ApiFault) as refused:
                    readiness.require(fresh=fresh)
                assert (refused.value.status, refused.value.code, refused.value.retryable) == (503, code, True)
            assert (own.asked, other.asked) == (asked, asked)
    if code == "rights_missing":
        assert refused.value.hint == "grant b"
        assert refused.value.extra["missing"] == ["no right b", "no right c"]
        assert "no right b; no right c" in refused.value.message
    if code == "not_migrated":
        assert "no right b" not in refused.value.message
