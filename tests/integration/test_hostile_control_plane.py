"""A control plane that lies, floods or stalls: the consumer ends with an error of its own, and keeps nothing of it."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

import manifests
from consumer import errors
from consumer.clients import controlplane
from consumer.clients.controlplane import HttpControlPlane
from consumer.errors import ConsumerError
from consumer.evidence import streams
from consumer.evidence.index import open_sightings
from consumer.run import Exported
from consumer.stages.export import Export
from contract.api import TokenRequest
from service.clock import SystemClock
from tests.fake_export import USER, OpenGuard, record, run_of
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.integration
OTHER = "99999999-9999-4999-8999-999999999999"
#: Stands for somebody's words: it may be in no error.
CANARY = "canary-5c1d"
SOURCES = ("checklist_items", "contacts")
Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Plane

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.hits.append(self.path)
        try:
            if self.path.endswith("/token"):
                self.send(200, json.dumps(_grant(self.server.job)).encode())
            else:
                self.server.answer(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content_type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def bomb(self) -> None:
        """A few bytes that unfold into a hundred megabytes."""
        self.send(200, gzip.compress(b" " * 10**8), content_encoding="gzip")

    def endless(self) -> None:
        """Chunks until the caller hangs up."""
        self.send_response(200)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        while True:
            self.wfile.write(chunk)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


class Plane(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.hits: list[str] = []
        self.job: dict[str, Any] = {}

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever hangs up on a liar is right."""


def _grant(job: dict[str, Any]) -> dict[str, Any]:
    return {"token": "t", "expires_at": "2999-01-01T00:00:00Z", "job": job}


def _record(**other: Any) -> dict[str, Any]:
    made = record("checklist_items", f"{CANARY}-id", {"title": CANARY})
    return {**made.model_dump(mode="json"), **other}


def _page(*records: dict[str, Any], **other: Any) -> bytes:
    body = {"records": records, "next_cursor": {"n": 1}, "has_more": False, **other}
    return json.dumps(body).encode()


def gives(body: bytes, status: int = 200, **headers: str) -> Answer:
    return lambda handler: handler.send(status, body, **headers)


def raw(text: str, **other: Any) -> Answer:
    """A page whose one record has this JSON for a title, as it stands."""
    return gives(_page(_record(data={"title": "@"}, **other)).replace(b'"@"', text.encode()))


def counting() -> Answer:
    """Empty pages without end, each with a new cursor."""
    number = iter(range(10**9))
    return lambda handler: handler.send(200, _page(next_cursor={"n": next(number)}, has_more=True))


REFUSED: dict[str, tuple[Answer, type[ConsumerError]]] = {
    "a row of another user": (gives(_page(_record(user_id=OTHER))), errors.TenantMismatch),
    "another user's tombstone": (
        gives(_page(_record(user_id=OTHER, deleted=True, data=None))),
        errors.TenantMismatch,
    ),
    "a source that was not asked for": (gives(_page(_record(source_key="briefings"))), errors.SourceMismatch),
    "a source that nobody declared": (gives(_page(_record(source_key="auth_users"))), errors.SourceMismatch),
    "a source that quotes a row": (gives(_page(_record(source_key=CANARY))), errors.SourceMismatch),
    "an owner that quotes a row": (gives(_page(_record(user_id=CANARY))), errors.TenantMismatch),
    "a broken row of another user": (raw('"\\ud800"', user_id=OTHER), errors.TenantMismatch),
    "a broken row of nobody": (raw('"\\ud800"', user_id=None), errors.TenantMismatch),
    "a source that is a path": (gives(_page(_record(source_key="../../etc"))), errors.SourceMismatch),
    "a record of another type": (gives(_page(_record(record_type="contact"))), errors.SourceMismatch),
    "a checksum of other data": (gives(_page(_record(checksum="sha256:" + "0" * 64))), errors.ChecksumMismatch),
    "a checksum that is a path": (gives(_page(_record(checksum="../x"))), errors.ChecksumMismatch),
    "a cursor that does not move": (gives(_page(has_more=True)), errors.ExportStalled),
    "no cursor, but more": (gives(_page(next_cursor={}, has_more=True)), errors.ExportStalled),
    "empty pages for ever": (counting(), errors.ExportStalled),
    "the same row for ever": (gives(_page(_record(), has_more=True)), errors.ExportStalled),
    "an answer without end": (lambda handler: handler.endless(), errors.ControlPlaneUnavailable),
    "one line of many megabytes": (gives(b'{"records": "' + b"x" * 2_000_000), errors.ControlPlaneUnavailable),
    "a bomb in gzip": (lambda handler: handler.bomb(), errors.ControlPlaneUnavailable),
    "a coding nobody knows": (gives(_page(), content_encoding="x-bomb"), errors.ControlPlaneUnavailable),
    "a page for people": (gives(b"<html>" + CANARY.encode(), content_type="text/html"), errors.ControlPlaneUnavailable),
    "nothing": (gives(b""), errors.ControlPlaneUnavailable),
    "half an answer": (gives(_page(_record())[:-20]), errors.ControlPlaneUnavailable),
    "a list": (gives(b"[]"), errors.ControlPlaneUnavailable),
    "not UTF-8": (gives(b'{"records": "\xff\xfe"}'), errors.ControlPlaneUnavailable),
    "another success": (gives(_page(), 206), errors.ControlPlaneUnavailable),
    "an error that quotes a row": (
        gives(json.dumps({"error": {"code": "refused", "message": CANARY}}).encode(), 422),
        errors.RequestRefused,
    ),
    "a code that quotes a row": (
        gives(json.dumps({"error": {"code": CANARY, "message": CANARY}}).encode(), 422),
        errors.ControlPlaneUnavailable,
    ),
    "headers without end": (gives(_page(), x_long="y" * 200_000), errors.ControlPlaneUnavailable),
    "names in plenty": (raw("{" + ",".join(f'"{n}":1' for n in range(20_000)) + "}"), errors.ChecksumMismatch),
    "counts that are texts": (gives(_page(source_counts={"contacts": CANARY})), errors.ControlPlaneUnavailable),
    "redactions that are none": (gives(_page(redactions=[{"x": 1}])), errors.ControlPlaneUnavailable),
}


#: One record that nobody can keep, on a page that is in order.
BROKEN: dict[str, Answer] = {
    "an id of a megabyte": gives(_page(_record(record_id="x" * 1_000_000))),
    "an empty id": gives(_page(_record(record_id=""))),
    "a time that is none": gives(_page(_record(updated_at="tomorrow"))),
    "a time without a zone": gives(_page(_record(updated_at="2026-01-01T00:00:00"))),
    "a live record without data": gives(_page(_record(data=None))),
    "a tombstone with data": gives(_page(_record(deleted=True))),
    "half a surrogate": raw('"\\ud800"'),
    "not a number": raw("NaN"),
    "more than any number": raw("1e999"),
    "a number that a double would not hold": raw(str(2**70)),
    "a number of five thousand digits": raw("9" * 5_000),
    "deeper than any data": raw("[" * 20_000 + "]" * 20_000),
}


class Hasty(SystemClock):
    """Waits are over at once; ``passes`` seconds go by between two looks."""

    def __init__(self, passes: float = 0.0) -> None:
        super().__init__()
        self._passes, self._passed = passes, 0.0

    def sleep(self, seconds: float) -> None:
        """At once."""

    def monotonic(self) -> float:
        self._passed += self._passes
        return super().monotonic() + self._passed


@dataclass
class Tried:
    root: Path
    plane: Plane
    stop: list[Callable[[], None]] = field(default_factory=list)

    def export(self, clock: Hasty, shutdown: threading.Event | None = None) -> Exported:
        run = run_of(self.root, None, "hourly_digest", allowed_sources=SOURCES)
        self.plane.job = run.job.model_dump(mode="json")
        with httpx.Client(base_url=f"http://127.0.0.1:{self.plane.server_port}") as client:
            plane = HttpControlPlane(client, lambda: "identity", clock, shutdown or threading.Event())
            _, session = plane.open(run.job.job_id, TokenRequest(attempt=1, owner="test"))
            run = run_of(self.root, session, "hourly_digest", allowed_sources=SOURCES)
            done = Export(manifests.export_manifest(), open_sightings).run(run, OpenGuard())
        assert done.exported is not None
        return done.exported


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Answer], Tried]]:
    # What would fill a machine fills this much sooner.
    monkeypatch.setattr(controlplane, "RESPONSE_BYTES", 1_500_000)
    monkeypatch.setattr(streams, "MAX_EMPTY_PAGES", 20)
    planes: list[tuple[Plane, threading.Thread]] = []

    def served(answer: Answer) -> Tried:
        plane = Plane(answer)
        thread = threading.Thread(target=plane.serve_forever, daemon=True)
        thread.start()
        planes.append((plane, thread))
        return Tried(tmp_path / "run", plane)

    yield served
    for plane, thread in planes:
        plane.shutdown()
        plane.server_close()
        thread.join(60)


@pytest.mark.parametrize("attempt", REFUSED)
def test_a_lie_is_refused_and_nothing_of_it_is_kept(serve: Callable[[Answer], Tried], attempt: str) -> None:
    answer, error = REFUSED[attempt]
    tried = serve(answer)
    with pytest.raises(error) as refused:
        tried.export(Hasty())
    assert CANARY not in str(refused.value)
    assert not tried.root.exists() or list(tried.root.rglob("*.jsonl")) == []


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_record_costs_itself_alone(serve: Callable[[Answer], Tried], kind: str) -> None:
    tried = serve(BROKEN[kind])
    exported = tried.export(Hasty())
    assert (exported.records, exported.refused) == (0, {"checklist_items": 1})
    assert list(tried.root.rglob("*.jsonl")) == []


def test_an_answer_that_drips_is_left(serve: Callable[[Answer], Tried]) -> None:
    with pytest.raises(errors.ControlPlaneUnavailable, match="took longer"):
        serve(gives(_page(_record()))).export(Hasty(passes=controlplane.RESPONSE_S + 1))


def test_a_stopping_process_waits_for_no_answer(serve: Callable[[Answer], Tried]) -> None:
    """Without it, SIGTERM during a hanging export held the user's lock for its whole lease."""
    shutdown, over = threading.Event(), threading.Event()

    def hang(_handler: Handler) -> None:
        shutdown.set()
        assert over.wait(PATIENCE_S)

    with pytest.raises(errors.ShuttingDown):
        serve(hang).export(Hasty(), shutdown)
    over.set()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_sent_elsewhere(serve: Callable[[Answer], Tried], status: int) -> None:
    elsewhere = serve(gives(_page(_record())))
    to = f"http://127.0.0.1:{elsewhere.plane.server_port}/api/internal/memory-export/jobs/x/batches"
    with pytest.raises(errors.ControlPlaneUnavailable):
        serve(gives(b"", status, location=to)).export(Hasty())
    assert elsewhere.plane.hits == []


def test_the_same_record_twice_is_one(serve: Callable[[Answer], Tried]) -> None:
    exported = serve(gives(_page(_record(), _record()))).export(Hasty())
    assert (exported.records, exported.source_counts) == (1, {"checklist_items": 1, "contacts": 0})


def test_an_odd_id_is_only_an_id(serve: Callable[[Answer], Tried]) -> None:
    odd = ["../../../etc/passwd", "\x00", "a\nb", "\u202e", "😀" * 200, USER, "CON", "'; drop table records; --"]
    exported = serve(gives(_page(*[_record(record_id=record_id) for record_id in odd]))).export(Hasty())
    assert exported.records == len(odd)
