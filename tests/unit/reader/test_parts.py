"""Parts of the reader by themselves: settings, keys, the control plane's answers, limits, hiding."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import jwt
import pytest

from consumer.clients import signing
from consumer.clients.identity import Identity
from consumer.storage.memory import FakeClock
from contract.overlay import EMPTY, CorrectionRequest, CorrectionView
from contract.reading import ReadGrant
from reader import context, hiding, main, settings
from reader.controlplane import HttpReaderCalls
from reader.errors import CallRefusal
from reader.keys import LOOK_AGAIN_S, KeyFolder
from reader.limits import Kind, Limits, Rate
from renderers.grouping import mark
from service.settings import SettingsError
from tests.tables import table
from tests.waiting import PATIENCE_S

GIVEN = {variable.name: variable.example for variable in settings.variables()}


def test_settings_are_read_and_the_key_is_never_shown() -> None:
    loaded = settings.load(GIVEN | {"HOST": "127.0.0.1"})
    assert loaded.codes
    assert loaded.app_origins == ("https://app.clo0p.com",)
    assert str(loaded.session_key) not in repr(loaded)


@table(
    ("name", "value"),
    [
        ("HOST", "0.0.0.0"),  # codes are on in the example
        ("READER_ORIGIN", "http://memory.example"),
        ("READER_ORIGIN", "https://memory.example/path"),
        ("READER_APP_ORIGINS", "https://app.example,ftp://x"),
        ("READER_APP_ORIGINS", "*"),
        ("READER_SESSION_KEY", "short"),
        ("READER_CODES", "yes"),
        ("READER_CACHE_MB", "0"),
        ("CONTROLPLANE_URL", "nowhere"),
        ("VERIFY_KEYS", None),
    ],
)
def test_settings_that_are_wrong_are_refused(name: str, value: str | None) -> None:
    given = {**GIVEN, "HOST": "127.0.0.1"}
    if value is None:
        del given[name]
    else:
        given[name] = value
    with pytest.raises(SettingsError, match=name):
        settings.load(given)


def test_another_address_needs_an_https_origin() -> None:
    given = {**GIVEN, "HOST": "0.0.0.0", "READER_CODES": "off", "READER_ORIGIN": ""}
    with pytest.raises(SettingsError, match="READER_ORIGIN"):
        settings.load(given)
    assert settings.load({**given, "READER_ORIGIN": "https://memory.example"}).host == "0.0.0.0"


def test_a_key_that_comes_later_is_found(tmp_path: Path) -> None:
    clock = FakeClock()
    ring = tmp_path / "ring"
    keys = KeyFolder(tmp_path / "public", clock.monotonic)
    assert not keys.ready()
    first = signing.open_ring(ring)
    _publish(ring, tmp_path / "public")
    assert keys.ready()
    assert keys.verify(first.key_id, b"x", first.sign(b"x"))
    assert not keys.verify(first.key_id, b"y", first.sign(b"x"))
    second = signing.rotate(ring)
    _publish(ring, tmp_path / "public")
    clock.advance(LOOK_AGAIN_S)
    assert keys.verify(second.key_id, b"x", second.sign(b"x"))
    assert keys.verify(first.key_id, b"x", first.sign(b"x"))
    with pytest.raises(PermissionError):
        keys.sign(b"x")


def _publish(ring: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for path in ring.glob("*.pub"):
        (folder / path.name).write_bytes(path.read_bytes())


def controlplane(answer: Callable[[httpx.Request], httpx.Response]) -> HttpReaderCalls:
    client = httpx.Client(transport=httpx.MockTransport(answer))
    token = jwt.encode({"exp": 4_000_000_000}, "k" * 32)
    return HttpReaderCalls(client, "http://control.test", "aud", Identity(lambda _: token, FakeClock()))


def test_a_grant_carries_both_identities() -> None:
    seen: list[httpx.Request] = []
    given = {
        "user_id": "11111111-1111-4111-8111-111111111111",
        "bucket": "b",
        "prefix": "users/x/",
        "bucket_token": "t",
        "bucket_token_expires_at": "2026-11-27T09:15:00Z",
        "user_token_expires_at": "2026-11-27T10:00:00Z",
        "a_field_of_later": 1,
    }

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=given)

    grant = controlplane(answer).grant("a.b.c")
    assert isinstance(grant, ReadGrant)
    assert grant.overlay == EMPTY
    assert json.loads(seen[0].content) == {"user_token": "a.b.c"}
    assert seen[0].headers["authorization"].startswith("Bearer ey")
    assert "a.b.c" not in str(seen[0].url)


def test_corrections_are_made_and_undone_with_the_users_token() -> None:
    seen: list[tuple[str, Any]] = []
    view = {"id": "11111111-1111-4111-8111-111111111111", "verdict": "done", "made_at": "2026-11-27T09:15:00Z"}

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append((request.url.path.rpartition("memory-reader/")[2], json.loads(request.content)))
        return httpx.Response(200, json=view)

    plane = controlplane(answer)
    request = CorrectionRequest(verdict="done", statement="a" * 16)
    assert plane.correct("a.b.c", request) == plane.undo("a.b.c", view["id"]) == CorrectionView.model_validate(view)
    assert seen == [
        ("corrections", {"user_token": "a.b.c", "correction": {"verdict": "done", "statement": "a" * 16}}),
        ("corrections/undo", {"user_token": "a.b.c", "correction_id": view["id"]}),
    ]


@table(
    ("status", "code", "expected"),
    [
        (401, "user_token_invalid", (401, "user_token_invalid")),
        (403, "account_closed", (403, "account_closed")),
        (403, "memory_off", (403, "memory_off")),
        # The control plane refuses the reader itself: no matter of the user's.
        (401, "identity_invalid", (503, "controlplane_unavailable")),
        (403, "not_allowed", (503, "controlplane_unavailable")),
        # What the maker of a correction can do something about.
        (404, "job_not_found", (404, "job_not_found")),
        (404, "claim_not_found", (404, "claim_not_found")),
        (404, "correction_not_found", (404, "correction_not_found")),
        (409, "too_many_corrections", (409, "too_many_corrections")),
        # A control plane of an earlier release has no such call.
        (404, "not_found", (503, "controlplane_unavailable")),
        (422, "invalid_request", (503, "controlplane_unavailable")),
        (503, "reading_off", (503, "controlplane_unavailable")),
        (500, "internal_error", (503, "controlplane_unavailable")),
    ],
)
def test_a_refusal_is_the_users_or_ours(status: int, code: str, expected: tuple[int, str]) -> None:
    error = {"error": {"code": code, "message": "m", "hint": "h", "retryable": False}}
    plane = controlplane(lambda _: httpx.Response(status, json=error))
    with pytest.raises(CallRefusal) as raised:
        plane.grant("a.b.c")
    assert (raised.value.status, raised.value.code) == expected


def test_an_access_proxy_in_between_does_not_sign_the_user_out() -> None:
    page = httpx.Response(403, content=b"<html>Forbidden", headers={"content-type": "text/html"})
    with pytest.raises(CallRefusal) as raised:
        controlplane(lambda _: page).grant("a.b.c")
    assert (raised.value.status, raised.value.retryable) == (503, True)


@table("broken", ["no json", "another form", "no answer"])
def test_a_control_plane_that_answers_nonsense_is_away(broken: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if broken == "no answer":
            raise httpx.ConnectError("x")
        return httpx.Response(200, content=b"<html>" if broken == "no json" else b'{"a": 1}')

    with pytest.raises(CallRefusal) as raised:
        controlplane(answer).grant("a.b.c")
    assert (raised.value.status, raised.value.retryable) == (503, True)


def test_an_identity_that_was_withdrawn_is_fetched_anew() -> None:
    answers = [
        httpx.Response(401, json={"error": {"code": "identity_invalid", "message": "m"}}),
        httpx.Response(200, json={"entries": [], "next_after": None}),
    ]
    assert controlplane(lambda _: answers.pop(0)).access("a.b.c", None).entries == ()


def test_limits_refill_over_time() -> None:
    clock = FakeClock()
    limits = Limits(clock.monotonic, {"ask": Rate(2, 6)})
    limits.take("a", "ask")
    limits.take("a", "ask")
    with pytest.raises(CallRefusal) as raised:
        limits.take("a", "ask")
    assert raised.value.retry_after_s == 10
    limits.take("b", "ask")
    clock.advance(10)
    limits.take("a", "ask")
    with pytest.raises(CallRefusal):
        limits.take("a", "ask")


@table(
    "kind, at_once, a_minute",
    [
        ("read", 120, 240), ("ask", 20, 30), ("model", 10, 10), ("correct", 30, 60), ("forget", 10, 10),
        ("export", 3, 1), ("sign_in", 10, 10),
    ],
)  # fmt: skip
def test_so_many_calls_a_user_may_make_as_the_guide_says(kind: Kind, at_once: int, a_minute: int) -> None:
    clock = FakeClock()
    limits = Limits(clock.monotonic)
    for _ in range(at_once):
        limits.take("a", kind)
    clock.advance(60)
    for _ in range(min(a_minute, at_once)):
        limits.take("a", kind)
    with pytest.raises(CallRefusal, match=f"At most {a_minute} of these calls") as refused:
        limits.take("a", kind)
    assert refused.value.retry_after_s == -(-60 // a_minute)


HIDDEN = mark("s", "gone")
GONE = hiding.Hidden.of([("s", "gone")])


def test_everything_that_links_to_a_hidden_record_goes_with_it() -> None:
    text = (
        f"# Page\n\n- Kept.\n  - [a](x.md#r-aaaaaaaaaaaa)\n- Gone.\n  - [b](x.md#r-{HIDDEN})\n  - [c](y.md)\n"
        f"- [own page](z-{HIDDEN}.md)\n\n| a [x](m#r-{HIDDEN}) |\n| b |\n\n"
        f'<a id="r-{HIDDEN}"></a>\n## Gone\n\nSECRET\n\n<a id="r-bbbbbbbbbbbb"></a>\n## Stays\n\nkept\n'
    )
    shown = hiding.without_hidden(text, GONE)
    assert shown == (
        '# Page\n\n- Kept.\n  - [a](x.md#r-aaaaaaaaaaaa)\n\n| b |\n\n<a id="r-bbbbbbbbbbbb"></a>\n## Stays\n\nkept\n'
    )
    assert hiding.without_hidden(text, hiding.NOTHING) == text
    for own_page in (f"sources/x-{HIDDEN}", f"sources/x-{HIDDEN}-part-2", f"sources/x-{HIDDEN}-part-12"):
        assert hiding.hides_page(own_page, GONE.marks)
    assert not hiding.hides_page(f"sources/{HIDDEN}-bbbbbbbbbbbb-part-2", GONE.marks)


def test_data_loses_entries_that_name_a_hidden_record() -> None:
    data: Any = {"a": [{"at": f"r-{HIDDEN}"}, {"records": ["gone"]}, {"at": "other"}, [f"x-{HIDDEN}"]], "b": "c"}
    assert hiding.filtered(data, GONE) == {"a": [{"at": "other"}], "b": "c"}
    assert hiding.filtered(data, hiding.NOTHING) == data


def test_an_id_that_is_a_counter_or_needs_escapes_hides_its_own_entries_alone() -> None:
    hidden = hiding.Hidden.of([("s", "7"), ("s", 'a"b')])
    kept = {"text": "Pay 17 invoices by 2026-12-07", "records": ["17"], "n": 7}
    assert hiding.filtered([kept, {"records": ["7"]}, {"records": ['a"b']}], hidden) == [kept]


def test_the_library_is_trimmed_from_time_to_time(monkeypatch: pytest.MonkeyPatch) -> None:
    trimmed = threading.Semaphore(0)

    class Library:
        def trim(self) -> None:
            trimmed.release()

    monkeypatch.setattr(main, "TRIM_EVERY_S", 0.001)
    stopped = main._trimming(Library())  # type: ignore[arg-type]
    try:
        assert all(trimmed.acquire(timeout=PATIENCE_S) for _ in range(2))
    finally:
        stopped.set()


def test_there_is_no_context_before_there_is_a_memory() -> None:
    unbuilt: Any = SimpleNamespace(opened=SimpleNamespace(seq=0))
    with pytest.raises(CallRefusal) as refused:
        context.context(unbuilt, "the budget", 1000)
    assert (refused.value.status, refused.value.code) == (404, "not_found")
