"""Roots against the recursive definition, and proofs against every way to get them wrong."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumer.snapshot import merkle
from tests.tables import table


def leaves(count: int) -> list[bytes]:
    return [merkle.leaf_hash(str(n).encode()) for n in range(count)]


def by_definition(nodes: list[bytes]) -> bytes:
    """RFC 6962, 2.1, literally."""
    if not nodes:
        return hashlib.sha256(b"").digest()
    if len(nodes) == 1:
        return nodes[0]
    k = 1
    while k * 2 < len(nodes):
        k *= 2
    return merkle.node_hash(by_definition(nodes[:k]), by_definition(nodes[k:]))


@table("count", range(40))
def test_root_and_frontier_follow_the_definition(count: int) -> None:
    frontier: list[bytes] = []
    for size, leaf in enumerate(leaves(count)):
        frontier = merkle.append(frontier, size, leaf)
    assert merkle.root(leaves(count)) == by_definition(leaves(count)) == merkle.frontier_root(frontier)


@given(st.integers(1, 70).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_inclusion_holds_at_its_own_place_only(case: tuple[int, int]) -> None:
    size, position = case
    tree = leaves(size)
    proof = merkle.inclusion_proof(tree, position)
    assert merkle.root_from_inclusion(tree[position], position, size, proof) == merkle.root(tree)
    assert merkle.root_from_inclusion(merkle.leaf_hash(b"x"), position, size, proof) != merkle.root(tree)
    for other in range(size):
        if other != position:
            assert merkle.root_from_inclusion(tree[position], other, size, proof) != merkle.root(tree)
    assert merkle.root_from_inclusion(tree[position], position, size, [*proof, b"\0" * 32]) is None


@table("new_size", range(1, 34))
def test_consistency_between_all_sizes(new_size: int) -> None:
    tree = leaves(new_size)
    new_root = merkle.root(tree)
    for old_size in range(new_size + 1):
        old_root = merkle.root(tree[:old_size])
        proof = merkle.consistency_proof(tree, old_size)
        assert merkle.consistent(old_root, old_size, new_root, new_size, proof)
        forged = merkle.root([*tree[: max(old_size - 1, 0)], merkle.leaf_hash(b"forged")])
        assert not merkle.consistent(forged, old_size, new_root, new_size, proof)
        if old_size:  # nothing is a prefix of everything, so an empty tree proves nothing
            assert not merkle.consistent(old_root, old_size, forged, new_size, proof)


def test_a_position_outside_is_refused() -> None:
    with pytest.raises(IndexError, match="no leaf 3 in a tree of 3"):
        merkle.inclusion_proof(leaves(3), 3)
    with pytest.raises(IndexError, match="no tree of 4"):
        merkle.consistency_proof(leaves(3), 4)
    assert merkle.root_from_inclusion(leaves(1)[0], 1, 1, []) is None
