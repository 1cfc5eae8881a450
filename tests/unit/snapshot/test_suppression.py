"""Purged records stay away, and the list that keeps them away names nobody."""

from __future__ import annotations

import pytest

from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed

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


@pytest.mark.parametrize("data", [b"", b"{}", b'{"key": "zz", "records": []}', b'{"key": "00", "records": 5}', b"[]"])
def test_a_damaged_list_stops_whoever_reads_it(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a list of suppressed records"):
        suppression.decode(data)
