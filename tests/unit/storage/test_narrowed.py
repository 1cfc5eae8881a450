"""A stage reaches its own user's prefix and nothing else: every way to the bucket goes through the narrowed store."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import consumer.stages
from consumer import paths
from consumer.clients.signing import Ed25519Signer
from consumer.errors import BlobNotFound, ScopeViolation
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.maintenance.maintenance import maintain
from consumer.maintenance.restore import restore
from consumer.ports import BlobStore
from consumer.repository.history import History
from consumer.repository.workspace import WorkspaceStore
from consumer.storage.conditional import ConditionalWriter
from tests.tables import table
from tests.unit.repository.workspaces import PEM, TEMPLATES, USER, Bench

NEIGHBOUR = "22222222-2222-4222-8222-222222222222"
OUTSIDE = (
    paths.head(NEIGHBOUR),
    paths.lock(NEIGHBOUR),
    paths.answer(NEIGHBOUR, "0" * 64),
    paths.published(NEIGHBOUR, 1, "brain/RESOLVER.md"),
    paths.ledger("22222222-2222-4222-8222-000000000001"),
    paths.dead_letter("2026-03-05", "m-1"),
    paths.provider_slot("api.openai.com", 0),
    f"users/{USER}-and-more/HEAD",
    f"users/{USER}",
)
WAYS: dict[str, Callable[[BlobStore, str], Any]] = {
    "read": lambda blobs, name: blobs.read(name),
    "read_range": lambda blobs, name: blobs.read_range(name, 0, 1),
    "stat": lambda blobs, name: blobs.stat(name),
    "write": lambda blobs, name: blobs.write(name, b"", if_generation=None),
    "delete": lambda blobs, name: blobs.delete(name, if_generation=1),
    "list": lambda blobs, name: list(blobs.list(name)),
}


class WholeBucket:
    """A bucket that may only be narrowed."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name!r} of the whole bucket was asked for, past the user's prefix")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[WorkspaceStore]:
    bench = Bench(tmp_path)
    made = bench.store(narrow=bench.blobs.for_prefix)
    made._blobs = WholeBucket()  # that it is never touched is what is tested
    yield made
    made.close()


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("way", WAYS)
def test_nothing_outside_the_prefix_can_be_reached(store: WorkspaceStore, way: str, name: str) -> None:
    with pytest.raises(ScopeViolation, match="narrowed to"):
        WAYS[way](store.of(USER).blobs, name)


def test_what_is_inside_can(store: WorkspaceStore) -> None:
    with pytest.raises(BlobNotFound):
        store.of(USER).blobs.read(paths.answer(USER, "0" * 64))


def test_a_whole_life_of_a_workspace_needs_only_its_prefix(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    narrowed: list[str] = []

    def narrow(prefix: str) -> BlobStore:
        narrowed.append(prefix)
        return bench.blobs.for_prefix(prefix)

    store = WorkspaceStore(
        WholeBucket(),  # that it is never touched is what is tested
        Ed25519Signer(PEM),
        bench.clock,
        templates=TEMPLATES,
        narrow=narrow,
        entropy=bench.entropy,
    )
    root, workspace = bench.hydrate(store)
    (root / "brain/people/ann.md").write_text("# Ann\n")
    ref = bench.commit(store, root, workspace.base)
    store.of(USER).publish(ref.seq, ["brain/people/ann.md"])
    assert store.of(USER).committed_by("job-1", 0) == ref
    assert History(store.of(USER)).read("brain/people/ann.md") == b"# Ann\n"
    ids = itertools.count()
    locks = Locks(ConditionalWriter(bench.blobs, bench.clock), bench.clock, lambda: f"id-{next(ids)}", Lease())
    operator = Exclusive(locks, store, "operator", threads=False)
    with operator.hold(USER, "restore") as hold:
        restore(store.of(USER), 1, "to see", hold)
    assert maintain(operator, USER).report.ok
    assert set(narrowed) == {paths.user(USER)}


@table("path", sorted(Path(consumer.stages.__path__[0]).rglob("*.py")), ids=lambda path: path.stem)
def test_no_stage_holds_a_bucket(path: Path) -> None:
    """A stage asks for a user's bucket and gets a narrowed one; nothing in it can keep the whole."""
    held = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation and ast.unparse(node.annotation) == "BlobStore"
    ]
    assert held == []


class Contended(WorkspaceStore):
    """Another thread comes in after one look at the store that is kept, and leaves its own user's there."""

    held: tuple[str, BlobStore] | None = None
    theirs: tuple[str, BlobStore] | None = None
    looks_until = 0

    @property
    def _narrowed(self) -> tuple[str, BlobStore] | None:
        token = self.held
        self.looks_until -= 1
        if self.looks_until == 0:
            self.held = self.theirs
        return token

    @_narrowed.setter
    def _narrowed(self, held: tuple[str, BlobStore] | None) -> None:
        self.held = held


@pytest.mark.parametrize("looks", [1, 2, 3])
def test_a_user_gets_the_own_store_whatever_another_thread_leaves_meanwhile(tmp_path: Path, looks: int) -> None:
    bench = Bench(tmp_path)
    store = Contended(bench.blobs, Ed25519Signer(PEM), bench.clock, templates=TEMPLATES, narrow=bench.blobs.for_prefix)
    store.theirs = (NEIGHBOUR, bench.blobs.for_prefix(paths.user(NEIGHBOUR)))
    store.narrowed(USER)
    store.looks_until = looks
    assert list(store.narrowed(USER).list(paths.user(USER))) == []
    store.close()
