"""Self-contained proofs: a page was in a commit, a commit comes after another. Checked with public keys only.

A proof is plain JSON. It contains the signed commits, so checking it needs nothing else of the workspace. It reveals
nothing about other pages, because sibling hashes include nonces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from consumer.snapshot import chain, merkle
from consumer.snapshot.chain import Commit, Hex32
from consumer.snapshot.snapshot import Entry, Tree
from contract import canonical

#: (key id, payload, signature) -> whether a known key signed it.
Verifier = Callable[[str, bytes, bytes], bool]


class ProofRefused(ValueError):
    """The proof does not hold; the message says where it fails."""


class _Proof(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Inclusion(_Proof):
    """``path`` with exactly this content was in this commit."""

    kind: Literal["inclusion/1"] = "inclusion/1"
    path: str
    mode: int
    size: int
    digest: str
    nonce: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    position: int
    leaves: int
    siblings: tuple[Hex32, ...]
    commit: dict[str, Any]


class Consistency(_Proof):
    """``new`` continues a history that includes ``old`` and all commits before it."""

    kind: Literal["consistency/1"] = "consistency/1"
    old: dict[str, Any]
    new: dict[str, Any]
    #: Consistency proof from the history up to and including ``old`` to the history before ``new``.
    siblings: tuple[Hex32, ...]
    #: Frontier of the history before ``old``.
    frontier: tuple[Hex32, ...]
    #: Number of the first commit, above 1 after an erasure. It only determines the number of leaves.
    origin: Annotated[int, Field(ge=1)] = 1


class Whole(_Proof):
    """A commit consisted of exactly these files: (path, mode, size, content digest, nonce) of each.

    ``erased``: leaves whose files a purge took.
    """

    kind: Literal["whole/1"] = "whole/1"
    entries: tuple[tuple[str, int, int, str, str], ...]
    erased: tuple[Hex32, ...] = ()
    commit: dict[str, Any]


def prove_whole(tree: Tree, commit: Commit) -> Whole:
    """A proof of everything that a commit has."""
    entries = sorted(tree.entries.values(), key=lambda entry: entry.path)
    return Whole(
        entries=tuple((each.path, each.mode, each.size, each.digest, each.nonce) for each in entries),
        erased=tuple(tree.erased),
        commit=commit.model_dump(mode="json"),
    )


def prove_inclusion(path: str, tree: Tree, commit: Commit) -> Inclusion:
    """A proof that a path is in a commit's tree. Raises KeyError if it is not."""
    entry = tree.entries[path]
    leaves = tree.leaves()
    position = leaves.index(entry.leaf())
    siblings = tuple(item.hex() for item in merkle.inclusion_proof(leaves, position))
    return Inclusion(
        path=path,
        mode=entry.mode,
        size=entry.size,
        digest=entry.digest,
        nonce=entry.nonce,
        position=position,
        leaves=len(leaves),
        siblings=siblings,
        commit=commit.model_dump(mode="json"),
    )


def prove_consistency(digests: Sequence[str], old: Commit, new: Commit, origin: int = 1) -> Consistency:
    """``digests`` are those of the commits from number ``origin`` up to at least ``new.seq - 1``.

    Raises IndexError: ``old`` does not come before ``new``, or digests are missing.
    """
    leaves = [chain.history_leaf(digest) for digest in digests[: new.seq - origin]]
    frontier: list[bytes] = []
    for size, leaf in enumerate(leaves[: old.seq - origin]):
        frontier = merkle.append(frontier, size, leaf)
    return Consistency(
        old=old.model_dump(mode="json"),
        new=new.model_dump(mode="json"),
        siblings=tuple(item.hex() for item in merkle.consistency_proof(leaves, old.seq + 1 - origin)),
        frontier=tuple(item.hex() for item in frontier),
        origin=origin,
    )


def check(document: dict[str, Any], verify: Verifier) -> str:
    """Check a proof and return a sentence with what it proves.

    Raises ProofRefused: the document is not a proof, or the proof does not hold.
    """
    kinds: dict[Any, Callable[[dict[str, Any], Verifier], str]] = {
        "inclusion/1": _check_inclusion,
        "consistency/1": _check_consistency,
        "whole/1": _check_whole,
    }
    if not isinstance(document, dict):
        raise ProofRefused(f"a proof must be a JSON object, not {type(document).__name__}")
    checker = kinds.get(document.get("kind"))
    if checker is None:
        raise ProofRefused(f"unknown kind of proof {document.get('kind')!r}; known: {', '.join(kinds)}")
    try:
        return checker(document, verify)
    except ValidationError as exc:
        raise ProofRefused(f"not a proof: {exc.error_count()} faults, first at {exc.errors()[0]['loc']}") from None


def _check_inclusion(document: dict[str, Any], verify: Verifier) -> str:
    proof = Inclusion.model_validate(document)
    commit, digest = _signed(proof.commit, verify)
    leaf = Entry(proof.path, proof.mode, proof.size, proof.digest, proof.nonce).leaf()
    siblings = [bytes.fromhex(item) for item in proof.siblings]
    root = merkle.root_from_inclusion(leaf, proof.position, proof.leaves, siblings)
    if root is None or root.hex() != commit.merkle_root:
        raise ProofRefused(f"{proof.path!r} with this content is not in the tree that commit {commit.seq} signed")
    return f"{proof.path} ({proof.size} bytes, content {proof.digest}) is in commit {commit.seq} ({digest})"


def _check_whole(document: dict[str, Any], verify: Verifier) -> str:
    proof = Whole.model_validate(document)
    commit, digest = _signed(proof.commit, verify)
    leaves = [Entry(*each).leaf() for each in proof.entries]
    if merkle.root(sorted([*leaves, *map(bytes.fromhex, proof.erased)])).hex() != commit.merkle_root:
        raise ProofRefused(f"commit {commit.seq} does not consist of exactly these files")
    return f"commit {commit.seq} ({digest}) consists of exactly these {len(leaves)} files"


def _check_consistency(document: dict[str, Any], verify: Verifier) -> str:
    proof = Consistency.model_validate(document)
    (old, old_digest), (new, new_digest) = _signed(proof.old, verify), _signed(proof.new, verify)
    frontier = [bytes.fromhex(item) for item in proof.frontier]
    if merkle.frontier_root(frontier).hex() != old.history_root:
        raise ProofRefused(f"the frontier is not that of the history before commit {old.seq}")
    # The numbers of commits before each of the two.
    old_size, new_size = old.seq - proof.origin, new.seq - proof.origin
    if not 0 <= old_size < new_size or len(frontier) != old_size.bit_count():
        raise ProofRefused(f"commit {new.seq} cannot come after commit {old.seq}")
    old_root = merkle.frontier_root(merkle.append(frontier, old_size, chain.history_leaf(old_digest)))
    siblings = [bytes.fromhex(item) for item in proof.siblings]
    if not merkle.consistent(old_root, old_size + 1, bytes.fromhex(new.history_root), new_size, siblings):
        raise ProofRefused(f"the history before commit {new.seq} does not continue that up to commit {old.seq}")
    return f"commit {new.seq} ({new_digest}) continues the history up to commit {old.seq} ({old_digest})"


def _signed(document: dict[str, Any], verify: Verifier) -> tuple[Commit, str]:
    try:
        commit = chain.decode(canonical.dumps(document))
    except ValueError as exc:
        raise ProofRefused(f"the proof contains no valid commit: {exc}") from None
    signature = commit.signature
    if signature is None or not verify(signature.key_id, commit.signed_part(), bytes.fromhex(signature.value)):
        key = signature.key_id if signature else None
        raise ProofRefused(f"commit {commit.seq} is not signed by key {key!r} of this keyring")
    return commit, chain.digest(commit)
