"""Purged records stay away, and the list that keeps them away names nobody."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed
from contract.api import SuppressedPage, SuppressRequest
from tests.tables import table

KEY = bytes(range(32))


def test_what_was_purged_is_hidden_and_nothing_else() -> None:
    suppressed = Suppressed().adding([("notes", "one")], KEY).adding([("tasks", "two")], b"other key" * 4)
    assert suppressed.key == KEY
    assert suppressed.hides("notes", "one")
    assert suppressed.hides("tasks", "two")
    assert not suppressed.hides("notes", "two")
    assert not Suppressed().hides("notes", "one")


def test_the_file_comes_back_and_names_nobody() -> None:
    suppressed = Suppressed().adding([("notes", "note-4711")], KEY)
    assert suppression.decode(suppressed.encode()) == suppressed
    assert b"note-4711" not in suppressed.encode()
    assert Suppressed().adding([("notes", "note-4711")], b"k" * 32).records != suppressed.records


@table("data", [b"", b"{}", b'{"key": "zz", "records": []}', b'{"key": "00", "records": 5}', b"[]"])
def test_a_damaged_list_stops_whoever_reads_it(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a list of suppressed records"):
        suppression.decode(data)


OTHER = b"other key" * 3 + b"other"
AT = datetime(2026, 11, 27, tzinfo=UTC)


def hashed(number: int) -> str:
    return f"{number:064x}"


def test_the_database_is_read_page_by_page() -> None:
    pages = [
        SuppressedPage(key=KEY.hex(), lists={KEY.hex(): (hashed(1),)}, erased_at=AT, next_after="a"),
        SuppressedPage(key=KEY.hex(), lists={KEY.hex(): (hashed(2),), OTHER.hex(): (hashed(3),)}, erased_at=AT),
    ]
    asked: list[str | None] = []

    def call(request: SuppressRequest) -> SuppressedPage:
        asked.append(request.after)
        return pages[len(asked) - 1]

    read = suppression.fetched(call)
    assert read == Suppressed(KEY, frozenset({hashed(1), hashed(2)}), {OTHER: frozenset({hashed(3)})}, AT)
    assert asked == [None, "a"]


@table(
    ("suppressed", "sent"),
    [
        (Suppressed(), [{}]),
        (Suppressed(KEY, frozenset(map(hashed, range(2)))), [{KEY: [0, 1]}]),
        (
            Suppressed(KEY, frozenset(map(hashed, range(3))), {OTHER: frozenset({hashed(7)})}),
            [{OTHER: [7], KEY: [0]}, {KEY: [1, 2]}],
        ),
    ],
)
def test_the_database_is_given_all_in_as_many_calls_as_it_takes(
    suppressed: Suppressed, sent: list[dict[bytes, list[int]]]
) -> None:
    asked: list[SuppressRequest] = []

    def call(request: SuppressRequest) -> SuppressedPage:
        asked.append(request)
        return SuppressedPage(key=KEY.hex(), begun_anew_at=AT)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suppression, "MAX_SUPPRESSED", 2)
        assert suppression.sent(suppressed, call) == Suppressed(KEY, begun_anew_at=AT)
    lists = [{key.hex(): tuple(map(hashed, numbers)) for key, numbers in each.items()} for each in sent]
    assert [request.lists for request in asked] == lists
    assert {request.key for request in asked} == {suppressed.key.hex() or None}
