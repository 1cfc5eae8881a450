"""Proofs hold with public keys alone, and any change to one breaks it."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest

from consumer.clients.signing import Ed25519Signer
from consumer.snapshot import chain, merkle, proof
from consumer.snapshot.chain import Commit, CommitMeta
from consumer.snapshot.proof import ProofRefused
from consumer.snapshot.snapshot import Entry, Tree, digest_of
from tests.tables import table
from tests.unit.repository.workspaces import PEM

SIGNER = Ed25519Signer(PEM)


def tree(count: int) -> Tree:
    entries = [Entry(f"brain/p{n}.md", 0o644, *digest_of(str(n).encode()), f"{n:032x}") for n in range(count)]
    return Tree({entry.path: entry for entry in entries})


def history(count: int) -> tuple[list[str], list[Commit]]:
    digests: list[str] = []
    commits: list[Commit] = []
    frontier: list[bytes] = []
    for seq in range(1, count + 1):
        meta = CommitMeta(f"job-{seq}", 1, 1, "insight", "v1", datetime(2026, 11, 27, tzinfo=UTC))
        made = chain.build(seq, digests[-1] if digests else None, tree(seq).merkle_root(), frontier, meta)
        made = made.with_signature(SIGNER.key_id, SIGNER.sign(made.signed_part()))
        commits.append(made)
        digests.append(chain.digest(made))
        frontier = merkle.append(frontier, seq - 1, chain.history_leaf(digests[-1]))
    return digests, commits


def wire(value: proof.Inclusion | proof.Consistency) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(value.model_dump_json())
    return document


@pytest.mark.parametrize("count", [1, 2, 7, 8])
def test_every_page_of_a_commit_can_be_proven(count: int) -> None:
    _, commits = history(count)
    for path in tree(count).entries:
        shown = proof.check(wire(proof.prove_inclusion(path, tree(count), commits[-1])), SIGNER.verify)
        assert shown.startswith(f"{path} (1 bytes, content ")


@table("new", range(2, 12))
def test_every_earlier_commit_can_be_proven_to_be_one(new: int) -> None:
    digests, commits = history(new)
    for old in range(1, new):
        proven = proof.prove_consistency(digests, commits[old - 1], commits[new - 1])
        assert f"commit {new} (" in proof.check(wire(proven), SIGNER.verify)


def test_any_change_to_a_proof_breaks_it() -> None:
    digests, commits = history(6)
    proofs = [
        wire(proof.prove_inclusion("brain/p3.md", tree(6), commits[5])),
        wire(proof.prove_consistency(digests, commits[2], commits[5])),
    ]
    for document in proofs:
        for name, value in document.items():
            for changed in _changes(value):
                broken = {**deepcopy(document), name: changed}
                with pytest.raises(ProofRefused):
                    proof.check(broken, SIGNER.verify)


def test_another_history_of_the_same_signer_is_no_continuation() -> None:
    digests, commits = history(6)
    others = [digest_of(digest.encode())[1] for digest in digests]
    proven = proof.prove_consistency(others, commits[2], commits[5])
    with pytest.raises(ProofRefused):
        proof.check(wire(proven), SIGNER.verify)


def test_a_commit_continues_only_earlier_ones() -> None:
    digests, commits = history(4)
    document = wire(proof.prove_consistency(digests, commits[1], commits[3]))
    for new in commits[:2]:
        turned = {**document, "new": new.model_dump(mode="json")}
        with pytest.raises(ProofRefused, match=f"commit {new.seq} cannot come after commit 2"):
            proof.check(turned, SIGNER.verify)


def test_an_unknown_key_proves_nothing() -> None:
    _, commits = history(2)
    document = wire(proof.prove_inclusion("brain/p0.md", tree(2), commits[1]))
    with pytest.raises(ProofRefused, match="not signed by key"):
        proof.check(document, lambda *_: False)


def _changes(value: Any) -> list[Any]:
    if isinstance(value, int):
        return [value + 1, -1]
    if isinstance(value, str):
        return [value + "0", value[:-1] + ("0" if value[-1] != "0" else "1")]
    if isinstance(value, list):
        return [value[:-1], [*value, "0" * 64]]
    return [{**value, "seq": 99}, {**value, "signature": None}, {}]
