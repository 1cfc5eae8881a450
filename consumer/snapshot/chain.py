"""The chain of commits: their content, encoding, signatures and links.

A commit is canonical JSON (RFC 8785). Its digest covers all of it, including the signature; the signature covers all
but itself. It names the Merkle root of its files, not their storage, so packs and trees may be rewritten and entries
erased without changing it. ``history_root`` covers the digests of all earlier commits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from consumer.errors import NotOfForm
from consumer.snapshot import merkle
from contract import canonical
from contract.event import utc_text

Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class CommitMeta:
    """A commit's fields that its writer sets. ``cursors`` and ``counts`` are plain JSON data."""

    job_id: str
    attempt: int
    epoch: int
    job_type: str
    template_version: str
    created_at: datetime
    cursors: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    reason: str | None = None
    #: restore only: the seq that this commit equals.
    restores: int | None = None
    #: purge only: leaves (hexadecimal) that remain as bare hashes in older trees.
    purged: tuple[str, ...] = ()


class Signature(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    key_id: str
    #: Ed25519, hexadecimal.
    value: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]


class Commit(BaseModel):
    """One commit as stored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    seq: Annotated[int, Field(ge=1)]
    parent: Hex32 | None
    merkle_root: Hex32
    history_root: Hex32
    job_id: str
    attempt: int
    epoch: int
    job_type: str
    template_version: str
    cursors: dict[str, Any]
    counts: dict[str, int]
    created_at: str
    reason: str | None = None
    restores: int | None = None
    purged: tuple[Hex32, ...] = ()
    signature: Signature | None = None

    def signed_part(self) -> bytes:
        """The bytes that are signed."""
        return canonical.dumps(self.model_dump(mode="json", exclude={"signature"}))

    def encode(self) -> bytes:
        return canonical.dumps(self.model_dump(mode="json"))

    def with_signature(self, key_id: str, value: bytes) -> Commit:
        return self.model_copy(update={"signature": Signature(key_id=key_id, value=value.hex())})


def build(seq: int, parent: str | None, merkle_root: str, frontier: list[bytes], meta: CommitMeta) -> Commit:
    """An unsigned commit. ``frontier`` is that of the tree over all earlier commits' digests."""
    return Commit(
        seq=seq,
        parent=parent,
        merkle_root=merkle_root,
        history_root=merkle.frontier_root(frontier).hex(),
        **{**asdict(meta), "created_at": utc_text(meta.created_at)},
    )


def digest(commit: Commit) -> str:
    """The digest of a commit as stored, by which its child and HEAD name it."""
    return canonical.sha256_hex(commit.encode())


def history_leaf(digest: str) -> bytes:
    """The leaf of one commit in ``history_root`` of the later ones."""
    return merkle.leaf_hash(bytes.fromhex(digest))


def walk(seq: int, digest: str | None, commit_of: Callable[[int, str], Commit | None]) -> Iterator[tuple[str, Commit]]:
    """(digest, commit) from this commit back to the origin, each the parent of the one before it.

    ``commit_of``: reads a commit by number and digest; None ends the walk. ``digest`` None: there is no commit.
    """
    while digest is not None:
        commit = commit_of(seq, digest)
        if commit is None:
            return
        yield digest, commit
        seq, digest = seq - 1, commit.parent


def decode(data: bytes) -> Commit:
    """Parse a stored commit. Raises ValueError: the bytes are not a commit, or not its canonical encoding."""
    try:
        commit = Commit.model_validate_json(data)
    except ValidationError as exc:
        raise NotOfForm(f"not a commit: {exc.error_count()} faults, first: {exc.errors()[0]['type']}") from None
    if commit.encode() != data:
        raise NotOfForm(f"commit {commit.seq} is not in its canonical form")
    return commit
