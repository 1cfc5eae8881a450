"""Merkle trees as RFC 6962 defines them (SHA-256, 0x00 before a leaf, 0x01 before a node): roots and proofs.

Two trees make the history provable: one over a snapshot's files, one over the commits before a commit. Hashes are 32
raw bytes here and lower-case hexadecimal in storage.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

EMPTY_ROOT: Final = hashlib.sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The tree head over leaf hashes in this order; the hash of nothing for no leaves."""
    level = list(leaves)
    if not level:
        return EMPTY_ROOT
    while len(level) > 1:
        level = _parents(level)
    return level[0]


def inclusion_proof(leaves: Sequence[bytes], position: int) -> list[bytes]:
    """The sibling hashes from leaf to root. Raises IndexError: no leaf at that position."""
    if not 0 <= position < len(leaves):
        raise IndexError(f"no leaf {position} in a tree of {len(leaves)}")
    level, proof = list(leaves), []
    while len(level) > 1:
        sibling = position ^ 1
        if sibling < len(level):
            proof.append(level[sibling])
        level, position = _parents(level), position // 2
    return proof


def root_from_inclusion(leaf: bytes, position: int, size: int, proof: Sequence[bytes]) -> bytes | None:
    """The root that follows from this proof, or None if its form does not fit this position and size."""
    if not 0 <= position < size:
        return None
    rest, last, node = list(proof), size - 1, leaf
    while last > 0:
        if position % 2 or position < last:
            if not rest:
                return None
            sibling = rest.pop(0)
            node = node_hash(sibling, node) if position % 2 else node_hash(node, sibling)
        position, last = position // 2, last // 2
    return None if rest else node


def consistency_proof(leaves: Sequence[bytes], old_size: int) -> list[bytes]:
    """Proof that the tree over the first ``old_size`` leaves is a prefix of the tree over all of them.

    Raises IndexError: ``old_size`` is not between 0 and the number of leaves.
    """
    if not 0 <= old_size <= len(leaves):
        raise IndexError(f"no tree of {old_size} leaves inside one of {len(leaves)}")
    if old_size in {0, len(leaves)}:
        return []
    return _subproof(list(leaves), old_size, whole=True)


def consistent(old_root: bytes, old_size: int, new_root: bytes, new_size: int, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the old tree is a prefix of the new one."""
    if old_size == new_size:
        return not proof and old_root == new_root
    if old_size == 0:
        return not proof and old_root == EMPTY_ROOT
    if not 0 < old_size < new_size:
        return False
    return _roots_of(list(proof), old_root, old_size, new_size) == (old_root, new_root)


def append(frontier: Sequence[bytes], size: int, leaf: bytes) -> list[bytes]:
    """Add one leaf to a tree that is stored as the roots of its perfect subtrees, largest first.

    ``size``: the number of leaves before; the frontier has one root for each of its set bits.
    """
    grown, carry = list(frontier), leaf
    while size % 2:
        carry, size = node_hash(grown.pop(), carry), size // 2
    return [*grown, carry]


def frontier_root(frontier: Sequence[bytes]) -> bytes:
    """The tree head of a frontier."""
    if not frontier:
        return EMPTY_ROOT
    node = frontier[-1]
    for left in reversed(frontier[:-1]):
        node = node_hash(left, node)
    return node


def _parents(level: list[bytes]) -> list[bytes]:
    # A last node without a sibling moves up unchanged: this is the recursive split of the RFC, from the bottom.
    # ``node_hash`` is inlined, since this loop takes a fifth of a small commit.
    sha256 = hashlib.sha256
    pairs = zip(level[::2], level[1::2], strict=False)
    nodes = [sha256(b"\x01" + left + right).digest() for left, right in pairs]
    return nodes + ([level[-1]] if len(level) % 2 else [])


def _split(size: int) -> int:
    """The largest power of two below ``size``."""
    return 1 << (size - 1).bit_length() - 1


def _subproof(leaves: list[bytes], old_size: int, *, whole: bool) -> list[bytes]:
    if old_size == len(leaves):
        return [] if whole else [root(leaves)]
    middle = _split(len(leaves))
    if old_size <= middle:
        return [*_subproof(leaves[:middle], old_size, whole=whole), root(leaves[middle:])]
    return [*_subproof(leaves[middle:], old_size - middle, whole=False), root(leaves[:middle])]


def _roots_of(proof: list[bytes], old_root: bytes, old_size: int, new_size: int) -> tuple[bytes, bytes] | None:
    """The old and new roots that the proof yields (RFC 9162, 2.1.4.2), or None if it does not have a proof's form."""
    position, last = old_size - 1, new_size - 1
    while position % 2:
        position, last = position // 2, last // 2
    if position == 0 and old_size & (old_size - 1) == 0:
        proof = [old_root, *proof]
    if not proof:
        return None
    old = new = proof[0]
    for step in proof[1:]:
        if last == 0:
            return None
        if position % 2 or position == last:
            old, new = node_hash(step, old), node_hash(step, new)
            while position % 2 == 0 and position:
                position, last = position // 2, last // 2
        else:
            new = node_hash(new, step)
        position, last = position // 2, last // 2
    return (old, new) if last == 0 else None
