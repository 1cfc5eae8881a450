"""The database's copy of what was purged: it grows, it never shrinks, and an erased user is not enabled by accident."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from consumer.clients.controlplane import HttpControlPlane
from consumer.clients.operators import OperatorApi
from consumer.errors import RequestRefused
from consumer.snapshot.suppression import Suppressed
from contract.api import EnableUserRequest
from controlplane.suppressions import Suppressing
from service.clock import SystemClock
from tests.fixtures_controlplane import CONSUMER, OPERATOR, World

pytestmark = pytest.mark.integration
NOTE, TASK = ("meeting_notes", "note-4711"), ("checklist_items", "task-0815")
NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)


def consumer(world: World) -> HttpControlPlane:
    return HttpControlPlane(_http(world), lambda: world.issuer.token(CONSUMER), SystemClock())


def operator(world: World) -> OperatorApi:
    return OperatorApi(_http(world), lambda: world.issuer.token(OPERATOR))


def _http(world: World) -> httpx.Client:
    """The client's requests, handed to the API in process."""

    def answer(request: httpx.Request) -> httpx.Response:
        headers = {name: request.headers[name] for name in ("authorization", "content-type") if name in request.headers}
        reply = world.client.request(request.method, str(request.url), content=request.content, headers=headers)
        return httpx.Response(reply.status_code, headers=reply.headers, stream=httpx.ByteStream(reply.content))

    return httpx.Client(base_url="http://testserver", transport=httpx.MockTransport(answer))


def test_what_one_side_adds_the_other_reads(world: World) -> None:
    user = world.user()
    assert consumer(world).suppressed(user) == Suppressed()
    more = Suppressed().adding([NOTE, TASK], b"k" * 32)
    assert operator(world).suppress(user, more).key == b"k" * 32
    assert consumer(world).suppressed(user) == more
    assert consumer(world).suppressed(world.user("bob@example.com")) == Suppressed()


def test_the_first_key_stands_and_hashes_of_others_are_kept(world: World) -> None:
    user = world.user()
    consumer(world).suppress(user, Suppressed(b"a" * 32))
    second = Suppressed().adding([NOTE], b"b" * 32)
    assert operator(world).suppress(user, second).key == b"a" * 32
    suppressed = consumer(world).suppressed(user)
    assert suppressed.key == b"a" * 32
    assert suppressed.hides(*NOTE)


def test_writers_who_race_get_one_key(world: World) -> None:
    user = world.user()
    api = operator(world)
    with ThreadPoolExecutor(4) as pool:
        keys = list(pool.map(lambda n: api.suppress(user, Suppressed(bytes([n]) * 32)).key, range(1, 9)))
    assert len(set(keys)) == 1


def test_a_long_list_travels_in_pages(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    user = world.user()
    more = Suppressed().adding([("mail", str(n)) for n in range(25)], b"k" * 32)
    more = more.union(Suppressed().adding([("mail", str(n)) for n in range(7)], b"j" * 32))
    for module in ("consumer.snapshot.suppression", "controlplane.suppressions"):
        monkeypatch.setattr(f"{module}.MAX_SUPPRESSED", 10)
    object.__setattr__(world.services, "suppressing", Suppressing(world.services.database, page=10))
    consumer(world).suppress(user, more)
    assert consumer(world).suppressed(user) == more


@pytest.mark.parametrize(
    "body",
    [
        {"key": "short"},
        {"lists": {"a" * 64: ["b" * 64]}},
        {"erased_at": "2026-11-27T09:00:00Z"},
        {"after": "nowhere"},
        {"key": "a" * 64, "lists": {"a" * 64: ["b" * 64] * 5001}},
    ],
)
def test_what_is_out_of_form_is_refused(world: World, body: dict[str, Any]) -> None:
    assert world.operate("POST", f"/memory-users/{world.user()}/suppressions", body).status_code == 422


def test_neither_role_deletes_a_hash_or_changes_one(world: World) -> None:
    rows = world.sql(
        "select privilege_type from information_schema.role_table_grants "
        "where table_name = 'memory_suppressions' and grantee in ('memory_service', 'service_role')"
    )
    assert {row["privilege_type"] for row in rows} == {"SELECT", "INSERT"}


def test_app_users_see_none_of_it(world: World) -> None:
    rows = world.sql(
        "select grantee from information_schema.role_table_grants where table_name in "
        "('memory_suppressions', 'memory_erasures') and grantee in ('anon', 'authenticated', 'PUBLIC')"
    )
    assert rows == []


# --- everything


def test_an_enabled_user_is_not_erased(world: World) -> None:
    with pytest.raises(RequestRefused, match=r"409 user_enabled: .*user disable .* --purge"):
        operator(world).mark_erased(world.user(), "asked")


@pytest.mark.parametrize("who", [consumer, operator])
def test_an_erased_user_is_enabled_only_by_who_says_so(world: World, who: Any) -> None:
    user, api = world.user(), operator(world)
    api.disable_user(user)
    erased_at = who(world).mark_erased(user, "asked by the person").erased_at
    known = api.suppressed(user)
    assert known.erased
    assert known.erased_at == erased_at
    with pytest.raises(RequestRefused, match=r"409 user_erased: everything of user .* was erased at .*--begin-anew"):
        api.enable_user(EnableUserRequest(user_id=user))
    assert world.sql("select status from memory_workspaces where user_id = %s", user)[0]["status"] == "disabled"
    api.enable_user(EnableUserRequest(user_id=user, begin_anew=True))
    assert not api.suppressed(user).erased
    api.enable_user(EnableUserRequest(user_id=user))
    lines = world.sql("select action, details from memory_audit where user_id = %s order by id", user)
    assert [line["action"] for line in lines][-3:] == ["user.erase", "user.enable", "user.enable"]
    assert lines[-3]["details"] == {"reason": "asked by the person"}
    assert [line["details"].get("begin_anew") for line in lines[-2:]] == [True, None]
    api.disable_user(user)
    assert who(world).mark_erased(user, "again").erased_at > erased_at
    assert api.suppressed(user).erased


def test_an_erasure_that_only_the_bucket_remembers_counts_again(world: World) -> None:
    """The database is an older one than the erasure; the object beside HEAD tells it."""
    user = world.user()
    operator(world).disable_user(user)
    consumer(world).suppress(user, Suppressed(b"k" * 32, erased_at=NOW))
    with pytest.raises(RequestRefused, match="user_erased"):
        operator(world).enable_user(EnableUserRequest(user_id=user))
    # An older time takes nothing back.
    consumer(world).suppress(user, Suppressed(b"k" * 32, erased_at=NOW.replace(year=2020)))
    assert consumer(world).suppressed(user).erased_at == NOW


def test_an_account_that_is_gone_is_erased_all_the_same(world: World) -> None:
    user = "99999999-9999-4999-8999-999999999999"
    assert consumer(world).mark_erased(user, "account deleted").user_id == user
