"""HEAD's catalog is lost: it is made again where every tree can be proven, and else said to be gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.errors import SnapshotIncomplete
from consumer.maintenance.repair import Repaired, repair
from consumer.maintenance.restore import restore
from consumer.repository.cache import ObjectCache
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog
from tests.unit.repository.test_workspace_writers import exclusive
from tests.unit.repository.workspaces import USER, Bench, listing

COMMITS = 12


def history(bench: Bench, commits: int = COMMITS, store: WorkspaceStore | None = None) -> Path:
    for n in range(1, commits + 1):
        store = store or bench.store()
        root, workspace = bench.hydrate(store)
        (root / "brain/people/ann.md").write_text(f"# Ann, version {n}\n")
        (root / f"brain/people/p{n % 3}.md").write_text(f"{n}")
        bench.commit(store, root, workspace.base, f"job-{n}")
    return root


def lose_catalog(bench: Bench) -> None:
    head = bench.store().of(USER).read_head()
    assert head is not None
    bench.blobs.write(f"users/{USER}/index/{head.index}", b"damaged", if_generation=None)
    with pytest.raises(SnapshotIncomplete):
        bench.hydrate(bench.store())


def repaired(bench: Bench) -> Repaired:
    writer = exclusive(bench)
    with writer.hold(USER, "repair") as hold:
        return repair(writer.store.of(USER), "catalog lost", hold)


@pytest.fixture
def spilled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every commit's difference is in a run, as that of a large commit or of a new epoch is."""
    monkeypatch.setattr(catalog, "INLINE_BYTES", 10)
    monkeypatch.setattr(catalog, "MAX_RUNS", 4)


@pytest.mark.usefixtures("spilled")
def test_it_is_made_again_from_commits_trees_and_packs(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    expected = listing(history(bench))
    old = bench.store().of(USER).load()
    lose_catalog(bench)
    done = repaired(bench)
    assert done.actions == ("rebuilt HEAD's lost catalog from commits, trees and packs",)
    assert done.report.broken() <= {"orphans-only-young"}, "the damaged one is left for gc"
    assert done.frozen == ""
    root, workspace = bench.hydrate(bench.store())
    assert workspace.base.seq == COMMITS
    assert listing(root) == expected
    new = bench.store().of(USER).load()
    assert new.catalog.frontier == old.catalog.frontier
    loader = bench.store().of(USER).loader
    for seq in range(1, COMMITS + 1):
        assert loader.tree(new.catalog, seq) == loader.tree(old.catalog, seq)
    # And history goes on.
    (root / "brain/people/next.md").write_text("next")
    assert bench.commit(bench.store(), root, workspace.base, "next", epoch=9).seq == COMMITS + 1
    writer = exclusive(bench)
    with writer.hold(USER, "restore") as hold:
        restore(writer.store.of(USER), 2, "to see that it can be read", hold)


@pytest.mark.usefixtures("spilled")
def test_what_losing_writers_left_does_not_get_in(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    history(bench, 3)
    first, two = bench.store(), bench.store()
    (root_one, found_one), (root_two, found_two) = bench.hydrate(first), bench.hydrate(two)
    (root_two / "brain/people/lost.md").write_text("never committed")
    (root_one / "brain/people/won.md").write_text("committed")
    bench.commit(first, root_one, found_one.base, "winner")
    with pytest.raises(Exception, match="moved from commit"):
        bench.commit(two, root_two, found_two.base, "loser")
    expected = listing(root_one)
    lose_catalog(bench)
    assert repaired(bench).frozen == ""
    assert listing(bench.hydrate(bench.store())[0]) == expected


def test_a_difference_that_lay_in_the_catalog_alone_is_said_to_be_gone(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    history(bench, 3)
    lose_catalog(bench)
    done = repaired(bench)
    assert done.actions[0] == (
        "HEAD's catalog is lost and cannot be rebuilt: no remaining object has the tree of commit 3"
    )
    assert "index-complete" in done.frozen


def test_it_is_put_back_from_this_machines_cache(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    cache = ObjectCache(tmp_path / "cache")
    expected = listing(history(bench, 3, bench.store(cache=cache)))
    lose_catalog(bench)
    writer = exclusive(bench)
    object.__setattr__(writer, "store", bench.store(cache=cache))
    with writer.hold(USER, "repair") as hold:
        done = repair(writer.store.of(USER), "catalog lost", hold)
    assert done.actions == ("restored HEAD's catalog from this machine's cache",)
    assert done.frozen == ""
    assert listing(bench.hydrate(bench.store())[0]) == expected
