"""Checkpoints in the bucket: the folder as a tree that no HEAD names, and the fields that stages set on the run.

docs/delivery.md, "Checkpoints", lists what can happen to a checkpoint before it is used. Any fault raises
``CheckpointGone``: the run then starts at an earlier stage and loses only time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from consumer import paths
from consumer.delivery.checkpoint import CheckpointRef
from consumer.errors import SnapshotIncomplete, SnapshotRefused, WorkspaceFrozen
from consumer.inventory import Inventory
from consumer.ports import Dreamt, Guard, IndexCounts
from consumer.repository import folders, hydrating
from consumer.repository.loading import Snapshot
from consumer.repository.workspace import Repository, WorkspaceStore
from consumer.run import Exported, Rendered, Run, Synthesized
from consumer.snapshot import catalog
from consumer.snapshot.snapshot import Base, Tree
from contract.api import Artifact, Usage
from contract.canonical import sha256_hex
from contract.event import StageName


class CheckpointGone(Exception):
    """The checkpoint has another base, is incomplete or damaged, or its signature is not ours: it cannot be used."""


class Carried(BaseModel):
    """The fields that stages set on the run and that later stages or the commit need."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cursors: dict[str, Any]
    woken_at: datetime | None = None
    wake_at: datetime | None = None
    inventory: Inventory | None
    exported: Exported | None
    rendered: Rendered | None
    indexed: IndexCounts | None
    brain: str
    synthesized: Synthesized | None
    dreamt: Dreamt | None = None
    artifacts: tuple[Artifact, ...]
    usage: Usage
    timings: dict[str, float]


class Checkpoint(BaseModel):
    """``users/{user_id}/checkpoints/{digest}.json``. ``tree`` and ``packs`` name objects of the same user."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal["memory.checkpoint.v1"] = Field(default="memory.checkpoint.v1", alias="schema")
    job_id: str
    user_id: str
    stage: StageName
    base: str | None
    tree: str
    packs: str
    carried: Carried

    def encode(self) -> bytes:
        return orjson.dumps(self.model_dump(mode="json", by_alias=True), option=orjson.OPT_SORT_KEYS)


@dataclass(frozen=True, slots=True)
class Checkpoints:
    workspaces: WorkspaceStore

    def save(self, run: Run, stage: StageName, guard: Guard) -> CheckpointRef:
        """Upload the folder and the run's fields without changing HEAD. Repeatable.

        Raises CheckpointGone: HEAD is no longer the commit that this run hydrated from. SnapshotIncomplete,
        WorkspaceFrozen, BlobUnavailable: no checkpoint was saved; the run may go on. Whatever the guard raises.
        """
        repository, user = self.workspaces.of(run.job.user_id), run.job.user_id
        snapshot = _based_on(repository, run.base.digest)
        collected = repository.collect(run.root, snapshot, guard)
        tree, packs = catalog.store_tree(Tree(collected.entries)), catalog.store_segment(collected.packs)
        objects = repository.objects
        guard.check()
        for item in (tree, packs):
            objects.add(item)
        checkpoint = Checkpoint(
            job_id=run.job.job_id,
            user_id=user,
            stage=stage,
            base=run.base.digest,
            tree=tree.digest,
            packs=packs.digest,
            carried=carried_of(run),
        )
        data = checkpoint.encode()
        digest = sha256_hex(data)
        objects.put(paths.checkpoint(user, digest), data)
        signer = repository.store.signer
        signature = signer.sign(data).hex()
        return CheckpointRef(
            stage=stage, base=run.base.digest, digest=digest, key_id=signer.key_id, signature=signature
        )

    def resume(self, run: Run, ref: CheckpointRef, guard: Guard) -> Run:
        """Restore the run as it was after ``ref.stage``; its folder is written into the empty ``run.root``.

        Raises CheckpointGone: the checkpoint cannot be used; ``run.root`` is empty again. BlobUnavailable,
        WorkspaceFrozen: as hydrate. Whatever the guard raises.
        """
        repository = self.workspaces.of(run.job.user_id)
        snapshot = _based_on(repository, ref.base)
        try:
            checkpoint = _read(repository, run.job.job_id, ref)
            base = _write(repository, run.root, checkpoint, snapshot, guard)
        except (SnapshotIncomplete, SnapshotRefused) as exc:
            folders.empty(run.root)
            raise CheckpointGone(f"checkpoint of job {run.job.job_id} after {ref.stage}: {exc}") from exc
        return replace(run, base=base, **fields_of(checkpoint.carried))


def _based_on(repository: Repository, base: str | None) -> Snapshot:
    user, snapshot = repository.user_id, repository.load(locked=True)
    if snapshot.head.frozen:
        raise WorkspaceFrozen(f"the workspace of {user} is frozen: {snapshot.head.broken}")
    if snapshot.head.commit != base:
        raise CheckpointGone(f"HEAD of {user} is at commit {snapshot.head.seq}, which is not the checkpoint's base")
    return snapshot


def _read(repository: Repository, job_id: str, ref: CheckpointRef) -> Checkpoint:
    user = repository.user_id
    data = repository.objects.get(paths.checkpoint(user, ref.digest), ref.digest)
    if not repository.store.signer.verify(ref.key_id, data, bytes.fromhex(ref.signature)):
        raise SnapshotRefused(f"the checkpoint is not signed by key {ref.key_id!r} of this keyring")
    try:
        checkpoint = Checkpoint.model_validate_json(data)
    except ValidationError as exc:
        raise SnapshotRefused(f"another version wrote the checkpoint: {exc.error_count()} fields differ") from None
    named = (checkpoint.job_id, checkpoint.user_id, checkpoint.stage, checkpoint.base)
    if named != (job_id, user, ref.stage, ref.base):
        raise SnapshotRefused("the checkpoint belongs to another job, stage or base")
    return checkpoint


def _write(repository: Repository, root: Path, checkpoint: Checkpoint, snapshot: Snapshot, guard: Guard) -> Base:
    loader = repository.loader
    tree, packs = loader.whole_tree(checkpoint.tree), loader.segments([checkpoint.packs])
    # After HEAD's own packs, because a file is looked up in the last pack first.
    checkpointed = replace(
        snapshot, tree=tree, catalog=replace(snapshot.catalog, packs=(*snapshot.catalog.packs, *packs))
    )
    stats = hydrating.write(checkpointed, root, repository.fetcher, repository.store.limits, guard)
    head_entries = snapshot.tree.entries
    # Keep a file's stat only if HEAD has the same file: persist does not upload a file whose stat is unchanged.
    snapshot.stats = {path: seen for path, seen in stats.items() if seen[1].same(head_entries.get(path))}
    repository.remember(snapshot)
    head = snapshot.head
    return Base(head.seq, head.commit, head.generation)


def carried_of(run: Run) -> Carried:
    """The run's fields that a later attempt continues with."""
    return Carried(**{name: getattr(run, name) for name in Carried.model_fields})


def fields_of(carried: Carried) -> Mapping[str, Any]:
    """The carried fields as arguments of ``dataclasses.replace``."""
    return {name: getattr(carried, name) for name in Carried.model_fields}
