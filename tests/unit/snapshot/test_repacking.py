"""Packs are written again where reading them costs more than it brings."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from consumer.snapshot.catalog import MAX_SMALL_PACKS, SMALL_PACK_BYTES, to_repack
from tests.tables import table

BIG = SMALL_PACK_BYTES


def packs(*sizes: tuple[int, int]) -> tuple[list[Any], dict[str, Any]]:
    """Packs of (bytes, needed bytes), stored as they are; and where their one needed content lies."""
    made = [
        SimpleNamespace(digest=f"p{number}", frames=[SimpleNamespace(raw=size)], stored=size)
        for number, (size, _) in enumerate(sizes)
    ]
    located = {
        f"c{number}": SimpleNamespace(pack=f"p{number}", length=alive) for number, (_, alive) in enumerate(sizes)
    }
    return made, located


SMALL = (100, 100)


@table(
    ("sizes", "again"),
    [
        ([SMALL] * MAX_SMALL_PACKS, set()),
        ([SMALL] * (MAX_SMALL_PACKS + 1), {f"p{number}" for number in range(MAX_SMALL_PACKS + 1)}),
        # A pack of just the size is no small one.
        ([SMALL] * MAX_SMALL_PACKS + [(BIG, BIG)], set()),
        # 15 of 100 bytes may be dead; beyond, the pack with the largest dead share goes first.
        ([(BIG * 115, BIG * 100)], set()),
        ([(BIG * 116, BIG * 100)], {"p0"}),
        ([(BIG * 10, BIG), (BIG * 110, BIG * 100)], {"p0"}),
        ([(BIG * 10, BIG), (BIG * 150, BIG * 100)], {"p0", "p1"}),
    ],
)
def test_many_small_packs_and_too_much_that_is_dead_are_written_again(
    sizes: list[tuple[int, int]], again: set[str]
) -> None:
    made, located = packs(*sizes)
    assert to_repack(made, located, [*located, "not located"]) == again
    assert to_repack([], located, located) == set(), "what the catalog does not hold cannot be read"
