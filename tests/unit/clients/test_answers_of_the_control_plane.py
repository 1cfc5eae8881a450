"""What the consumer takes from an answer of the control plane, and which answer counts as lost."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest

from consumer.clients import controlplane
from consumer.clients.controlplane import HttpControlPlane
from consumer.errors import ControlPlaneUnavailable
from consumer.storage.memory import FakeClock
from contract import canonical
from contract.api import BatchResponse, TickResponse, Wire
from controlplane import export
from tests.spine import USER
from tests.tables import table

MIB: Final = 1024 * 1024


def record(number: int, **changes: Any) -> dict[str, Any]:
    data = {"title": f"Note {number}"}
    checksum = f"sha256:{canonical.sha256_hex(canonical.dumps(data))}"
    whole = {"source_key": "notes", "record_id": str(number), "record_type": "note", "user_id": USER}
    return {**whole, "updated_at": "2026-11-27T09:00:00Z", "data": data, "checksum": checksum, **changes}


def answered(stream: httpx.SyncByteStream, clock: FakeClock, headers: dict[str, str] | None = None) -> HttpControlPlane:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=stream, headers=headers))
    client = httpx.Client(transport=transport, base_url="http://plane.example")
    return HttpControlPlane(client, lambda: "identity", clock)


def ask(body: bytes, reply: type[Any] = TickResponse, headers: dict[str, str] | None = None) -> Any:
    plane = answered(httpx.ByteStream(body), FakeClock(), headers)
    return plane._call_once("/x", Wire(), reply, lambda: "t", missing_is_early=False)


class Slowly(httpx.SyncByteStream):
    """An answer of which a part comes every minute."""

    def __init__(self, clock: FakeClock, minutes: int) -> None:
        self.clock, self.minutes = clock, minutes

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self.minutes):
            self.clock.advance(60)
            yield b" "
        yield b"{}"


def test_a_broken_record_costs_no_other_of_its_page() -> None:
    page = {"records": [record(1), record(2, updated_at="yesterday"), record(3)], "has_more": True}
    batch = ask(json.dumps(page).encode(), BatchResponse)
    assert [each.record_id for each in batch.records] == ["1", "3"]
    assert [(each.record_id, each.reason.partition(":")[0]) for each in batch.refused] == [("2", "updated_at")]
    assert batch.has_more


@table(
    ("body", "reply", "reason"),
    [
        (b"[]", BatchResponse, "is not a BatchResponse"),
        (b"[]", TickResponse, "is not a TickResponse"),
        (b'{"planned": "many", "erase": ["x"]}', TickResponse, r"at planned, erase\.0"),
    ],
)
def test_an_answer_of_another_form_counts_as_lost(body: bytes, reply: type[Any], reason: str) -> None:
    with pytest.raises(ControlPlaneUnavailable, match=reason):
        ask(body, reply)


def test_an_answer_is_read_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert controlplane.RESPONSE_BYTES == 64 * MIB > 2 * export.MAX_RECORD_BYTES - 1, "the largest record fits"
    monkeypatch.setattr(controlplane, "RESPONSE_BYTES", 1000)
    assert ask(b"{}".ljust(1000)) == TickResponse()
    with pytest.raises(ControlPlaneUnavailable, match="longer than 1,000 bytes"):
        ask(b"{}".ljust(1001))


def test_an_answer_is_read_for_so_long_and_uncompressed() -> None:
    minutes = int(controlplane.RESPONSE_S // 60)
    for more in (0, 1):
        clock = FakeClock()
        plane = answered(Slowly(clock, minutes + more), clock)
        if more:
            with pytest.raises(ControlPlaneUnavailable, match="took longer than"):
                plane._call_once("/x", Wire(), TickResponse, lambda: "t", missing_is_early=False)
        else:
            assert plane._call_once("/x", Wire(), TickResponse, lambda: "t", missing_is_early=False) == TickResponse()
    with pytest.raises(ControlPlaneUnavailable, match="compressed"):
        ask(gzip.compress(b"{}"), headers={"content-encoding": "gzip"})


def test_a_control_plane_that_cannot_be_reached_is_told_without_its_address() -> None:
    def refuses(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("SECRETHOST refused", request=request)

    client = httpx.Client(transport=httpx.MockTransport(refuses), base_url="http://plane.example")
    plane = HttpControlPlane(client, lambda: "identity", FakeClock())
    with pytest.raises(ControlPlaneUnavailable, match="POST /x: ConnectError") as caught:
        plane._call_once("/x", Wire(), TickResponse, lambda: "t", missing_is_early=False)
    assert "SECRETHOST" not in str(caught.value)
