"""Whatever the wire does, the caller sees one of the port's errors; a write is sent once, a read a few times."""

from __future__ import annotations

import http.client
import inspect
import io
from collections.abc import Callable, Iterator
from typing import Any

import google.auth.exceptions
import pytest
import urllib3
from google.auth.credentials import AnonymousCredentials
from google.auth.downscoped import Credentials as DownscopedCredentials
from google.oauth2.credentials import Credentials as UserCredentials

from consumer import retry
from consumer.delivery.ledgers import Ledgers
from consumer.errors import BlobNotFound, BlobUnavailable, PreconditionFailed, ScopeViolation
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.repository.heads import Heads
from consumer.repository.objects import Objects
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.gcs import GcsBlobStore, narrowed
from consumer.storage.memory import FakeClock
from tests.tables import table

DATE = {"date": "Fri, 27 Nov 2026 09:00:00 GMT"}
RESOURCE = b'{"name":"a","generation":"7","size":"1","updated":"2026-11-27T09:00:00.250Z","crc32c":"%s"}'
#: The check value of CRC32C: 0xE3069283 over these nine digits.
DIGITS = b"123456789"
CRC32C_OF_DIGITS = b"4waSgw=="


class Wire(urllib3.PoolManager):
    """A pool that gives what it is told, in order, the last for ever, and remembers what was asked."""

    def __init__(self, *answers: urllib3.HTTPResponse | BaseException) -> None:
        super().__init__()
        self.answers = list(answers)
        self.asked: list[tuple[str, str]] = []

    def urlopen(self, method: str, url: str, redirect: bool = True, **_kw: Any) -> urllib3.HTTPResponse:  # type: ignore[override]
        assert not redirect, "another server would get the token"
        self.asked.append((method, url))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


def answer(status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> urllib3.HTTPResponse:
    return urllib3.HTTPResponse(io.BytesIO(body), {**DATE, **(headers or {})}, status=status, preload_content=True)


def store_over(wire: Wire, credentials: Any = None) -> GcsBlobStore:
    store = GcsBlobStore.connect("bucket", FakeClock(), endpoint="http://unused", credentials=credentials)
    object.__setattr__(store.connection, "pool", wire)
    return store


CALLS: dict[str, Callable[[GcsBlobStore], object]] = {
    "read": lambda store: store.read("a"),
    "read_range": lambda store: store.read_range("a", 0, 1),
    "stat": lambda store: store.stat("a"),
    "write": lambda store: store.write("a", b"x", if_generation=0),
    "delete": lambda store: store.delete("a", if_generation=1),
    "list": lambda store: list(store.list("a")),
}
READS = ("read", "read_range", "stat", "list")
WRITES = ("write", "delete")


def _made(kind: type[Exception]) -> Exception:
    """An instance of an exception class, whatever its constructor wants."""
    for arguments in ((), ("x",), ("x", "y"), ("x", "y", "z")):
        try:
            return kind(*arguments)
        except (TypeError, AttributeError):
            continue
    error = kind.__new__(kind)
    error.args = ("x",)
    return error


def _exceptions(module: Any) -> Iterator[type[Exception]]:
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if issubclass(kind, Exception) and not issubclass(kind, Warning) and kind.__module__ == module.__name__:
            yield kind


FOREIGN = [
    *_exceptions(urllib3.exceptions),
    *_exceptions(google.auth.exceptions),
    *_exceptions(http.client),
    ConnectionResetError,
    BrokenPipeError,
    TimeoutError,
    OSError,
]


@table("kind", FOREIGN, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
@table("call", CALLS)
def test_no_foreign_exception_passes(call: str, kind: type[Exception]) -> None:
    with pytest.raises(BlobUnavailable, match=r"'a'.*outcome is unknown"):
        CALLS[call](store_over(Wire(_made(kind))))


def test_the_walk_found_the_libraries_exceptions() -> None:
    assert {urllib3.exceptions.ReadTimeoutError, google.auth.exceptions.RefreshError} < set(FOREIGN)
    assert len(FOREIGN) > 40


def test_failing_credentials_are_unavailability() -> None:
    class Expired(AnonymousCredentials):
        def before_request(self, request: Any, method: str, url: str, headers: Any) -> None:
            raise google.auth.exceptions.RefreshError("no")

    wire = Wire(answer(200))
    with pytest.raises(BlobUnavailable):
        store_over(wire, Expired()).write("a", b"x", if_generation=0)
    assert wire.asked == []


@table("status", [400, 401, 403, 404, 408, 409, 410, 412, 416, 429, 500, 502, 503, 504, 302, 304])
@table("call", CALLS)
def test_every_status_has_its_meaning(call: str, status: int) -> None:
    expected: type[Exception] = {404: BlobNotFound, 412: PreconditionFailed}.get(status, BlobUnavailable)
    if status == 404 and call in ("write", "list"):
        expected = BlobUnavailable  # only the bucket can be missing there
    with pytest.raises(expected):
        CALLS[call](store_over(Wire(answer(status, b"user content"))))


@pytest.mark.parametrize("call", ["read", "stat", "delete"])
def test_a_missing_bucket_is_not_a_missing_object(call: str) -> None:
    with pytest.raises(BlobUnavailable):
        CALLS[call](store_over(Wire(answer(404, b"The specified bucket does not exist."))))


@table("call", WRITES)
@table("fault", [answer(503), answer(429), ConnectionResetError()], ids=["503", "429", "reset"])
def test_a_write_is_sent_once(call: str, fault: urllib3.HTTPResponse | Exception) -> None:
    wire = Wire(fault)
    with pytest.raises(BlobUnavailable):
        CALLS[call](store_over(wire))
    assert len(wire.asked) == 1


@pytest.mark.parametrize("call", READS)
def test_a_read_is_repeated_within_bounds(call: str) -> None:
    wire = Wire(answer(503))
    store = store_over(wire)
    with pytest.raises(BlobUnavailable, match="503"):
        CALLS[call](store)
    assert 2 <= len(wire.asked) <= retry.BLOB_READ.tries


USER = "11111111-1111-4111-8111-111111111111"
#: Every way in which the engine reads, and what it writes that may be repeated: each is one call to the bucket.
ENGINE: dict[str, Callable[[GcsBlobStore], object]] = {
    "conditional read": lambda store: ConditionalWriter(store, store.clock).read("a"),
    "ledger": lambda store: Ledgers(ConditionalWriter(store, store.clock), store.clock, str).find(USER),
    "lock": lambda store: Locks(ConditionalWriter(store, store.clock), store.clock, str, Lease()).show(USER),
    "HEAD": lambda store: Heads(store, store.clock, USER).read(),
    "object": lambda store: Objects(store, store.clock, USER).get("a", "0" * 64),
    "part of an object": lambda store: Objects(store, store.clock, USER).get_range("a", 0, 1),
    "conditional write": lambda store: ConditionalWriter(store, store.clock).put(
        "a", b"x", if_generation=0, is_mine=lambda _: False
    ),
    "conditional delete": lambda store: ConditionalWriter(store, store.clock).delete("a", if_generation=1),
    "write of an object": lambda store: Objects(store, store.clock, USER).put("a", b"x"),
}


@table("name", ENGINE)
@table("fault", [answer(503), answer(429), ConnectionResetError()], ids=["503", "429", "reset"])
def test_a_dead_bucket_gets_one_budget_of_requests_whoever_asks(
    name: str, fault: urllib3.HTTPResponse | Exception
) -> None:
    wire = Wire(fault)
    with pytest.raises(BlobUnavailable):
        ENGINE[name](store_over(wire))
    assert 2 <= len(wire.asked) <= 5


def test_a_write_that_met_another_is_read_back_within_the_same_budget() -> None:
    """412, then nothing more: the write is not sent again for what the reading back met."""
    wire = Wire(answer(412), answer(503))
    with pytest.raises(BlobUnavailable):
        ENGINE["conditional write"](store_over(wire))
    assert [method for method, _ in wire.asked].count("POST") == 1
    assert len(wire.asked) <= 1 + retry.BLOB_READ.tries


def test_a_refusal_is_not_repeated() -> None:
    wire = Wire(answer(403))
    with pytest.raises(BlobUnavailable):
        store_over(wire).read("a")
    assert len(wire.asked) == 1


def test_retry_after_is_kept_for_the_caller_and_waited_for_by_reads() -> None:
    with pytest.raises(BlobUnavailable) as caught:
        store_over(Wire(answer(429, headers={"retry-after": "17"}))).write("a", b"x", if_generation=0)
    assert caught.value.retry_after_s == 17
    with pytest.raises(BlobUnavailable) as caught:
        store_over(Wire(answer(429, headers={"retry-after": "\u00b2"}))).write("a", b"x", if_generation=0)
    assert caught.value.retry_after_s is None, "a digit that is no number"
    store = store_over(Wire(answer(429, headers={"retry-after": "3"}), answer(200, RESOURCE % b"")))
    assert store.stat("a").generation == 7
    assert isinstance(store.clock, FakeClock)
    assert sum(store.clock.slept) >= 3


def test_a_read_of_other_bytes_is_repeated_until_they_match() -> None:
    headers = {
        "x-goog-generation": "7",
        "last-modified": DATE["date"],
        "x-goog-hash": f"crc32c={CRC32C_OF_DIGITS.decode()}",
    }
    wire = Wire(answer(200, b"y", headers), answer(200, DIGITS, headers))
    assert store_over(wire).read("a").data == DIGITS
    assert len(wire.asked) == 2
    for hashes in ({}, {"x-goog-hash": "md5=abc"}, {"x-goog-hash": "crc32c=AAAAAA=="}):
        bad = {**headers, "x-goog-hash": "", **hashes}
        with pytest.raises(BlobUnavailable, match="CRC32C"):
            store_over(Wire(answer(200, DIGITS, bad))).read("a")


def test_a_write_stored_as_other_bytes_is_no_success() -> None:
    assert (
        store_over(Wire(answer(200, RESOURCE % CRC32C_OF_DIGITS))).write("a", DIGITS, if_generation=0).generation == 7
    )
    with pytest.raises(BlobUnavailable, match="another CRC32C"):
        store_over(Wire(answer(200, RESOURCE % b"AAAAAA=="))).write("a", b"x", if_generation=0)


@table("body", [b"", b"<html>", b"[]", b"{}", b'{"name":"a","generation":"x"}'])
@table("call", ["stat", "write"])
def test_an_answer_that_is_no_resource_is_unavailability(call: str, body: bytes) -> None:
    with pytest.raises(BlobUnavailable):
        CALLS[call](store_over(Wire(answer(200, body))))


def test_messages_carry_no_body() -> None:
    with pytest.raises(BlobUnavailable) as caught:
        store_over(Wire(answer(400, b"secret words"))).write("a", b"secret words", if_generation=0)
    assert "secret" not in str(caught.value)


def test_server_time_is_the_date_header_and_never_before_updated() -> None:
    later = {"date": "Fri, 27 Nov 2026 09:02:16 GMT"}
    stat = store_over(Wire(answer(200, RESOURCE % b"", later))).stat("a")
    assert (stat.server_time - stat.updated).total_seconds() == pytest.approx(135.75)
    same = store_over(Wire(answer(200, RESOURCE % b""))).stat("a")
    assert same.server_time == same.updated


def test_real_credentials_are_narrowed_by_a_boundary() -> None:
    store = store_over(Wire(answer(200)), UserCredentials("token"))
    narrow = store.for_prefix("users/u1/")
    credentials = narrow.connection.bearer.credentials
    assert isinstance(credentials, DownscopedCredentials)
    (rule,) = credentials._credential_access_boundary.to_json()["accessBoundary"]["accessBoundaryRules"]
    assert rule["availableResource"] == "//storage.googleapis.com/projects/_/buckets/bucket"
    assert "startsWith('projects/_/buckets/bucket/objects/users/u1/')" in rule["availabilityCondition"]["expression"]
    assert narrow.for_prefix("users/u1/packs/").prefix == "users/u1/packs/"
    with pytest.raises(ScopeViolation):
        narrow.for_prefix("users/u2/")


@pytest.mark.parametrize("prefix", ["", "users/'/", "users/\\/", "users/u 1/"])
def test_a_prefix_that_would_break_the_condition_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="expected a prefix"):
        narrowed(AnonymousCredentials(), "bucket", prefix)
