"""A restore proves its target before it changes anything: whatever is damaged, HEAD ends whole or as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from consumer import layout, paths
from consumer.errors import ConsumerError, RestoreRefused, SnapshotIncomplete, SnapshotRefused, WorkspaceFrozen
from consumer.maintenance.restore import Composition, restore
from consumer.repository.cache import ObjectCache
from consumer.repository.history import History
from consumer.repository.loading import Snapshot
from consumer.repository.packs import PackWriter
from consumer.snapshot.catalog import Pack
from contract.api import CommitRef
from tests.unit.repository.test_workspace_writers import exclusive
from tests.unit.repository.workspaces import USER, Bench, Free, listing

COMMITS = 4


def _made(tmp_path: Path) -> Bench:
    """Four commits: in each one file that changes, one of its own, and a large one that only its blocks tell."""
    bench = Bench(tmp_path)
    for n in range(1, COMMITS + 1):
        store = bench.store()
        root, workspace = bench.hydrate(store)
        (root / "brain/people/ann.md").write_text(f"# Ann, version {n}\n")
        (root / f"brain/people/only-{n}.md").write_text(f"Only {n}\n")
        (root / f"brain/people/only-{n - 1}.md").unlink(missing_ok=True)
        (root / "gbrain-home/large.bin").write_bytes(b"same" * 50_000 + str(n).encode() * 90_000)
        bench.commit(store, root, workspace.base, f"job-{n}")
        store.close()
    return bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return _made(tmp_path)


def _restore(bench: Bench, seq: int) -> CommitRef:
    writer = exclusive(bench)
    with writer.hold(USER, "restore") as hold:
        return restore(writer.store.of(USER), seq, "went wrong", hold)


def _own_pack(bench: Bench, seq: int, path: str = "") -> str:
    """The object that holds what only this commit's tree needs."""
    path = path or f"brain/people/only-{seq}.md"
    snapshot = History(bench.store().of(USER)).at(seq)
    place = snapshot.places()[snapshot.tree.entries[path].contents[0][:32]]
    return paths.pack(USER, place.pack)


def _paths_in(snapshot: Snapshot, pack: Pack) -> set[str]:
    held = {key for frame in pack.frames for key, _ in frame.contents}
    return {path for path, entry in snapshot.tree.entries.items() if {d[:32] for d in entry.contents} & held}


def _delete(bench: Bench, name: str) -> None:
    blob = bench.blobs.peek(name)
    assert blob is not None
    bench.blobs.delete(name, if_generation=blob.stat.generation)


def _flip(bench: Bench, name: str) -> None:
    data = bytearray(bench.blobs.read(name).data)
    data[len(data) // 2] ^= 1
    bench.blobs.write(name, bytes(data), if_generation=None)


def _cut(bench: Bench, name: str) -> None:
    data = bench.blobs.read(name).data
    bench.blobs.write(name, data[: len(data) // 2], if_generation=None)


def _state(bench: Bench) -> dict[str, bytes]:
    """Everything of the history, and what HEAD says besides the fence's epoch."""
    objects = {name: bench.blobs.read(name).data for name in bench.blobs.names(f"users/{USER}/") if "lock" not in name}
    head = bench.store().of(USER).read_head()
    assert head is not None
    return {**objects, paths.head(USER): repr((head.seq, head.commit, head.index, head.frozen)).encode()}


@pytest.mark.parametrize("harm", [_delete, _flip, _cut])
def test_a_target_with_a_damaged_pack_is_refused_by_name_and_nothing_is_written(
    bench: Bench, harm: Callable[[Bench, str], None]
) -> None:
    lost = _own_pack(bench, 1)
    harm(bench, lost)
    before = _state(bench)
    with pytest.raises(RestoreRefused) as caught:
        _restore(bench, 1)
    assert lost in str(caught.value)
    assert "Nothing was changed; the nearest complete commit is 2" in str(caught.value)
    assert "only-1" not in str(caught.value)
    assert _state(bench) == before
    assert _restore(bench, 2).seq == COMMITS + 1


def test_the_nearest_is_proven_like_the_target(bench: Bench) -> None:
    for seq in (1, 2):
        _delete(bench, _own_pack(bench, seq))
    with pytest.raises(RestoreRefused, match="nearest complete commit is 3"):
        _restore(bench, 1)


def test_of_two_that_are_as_near_the_later_one_is_named(bench: Bench) -> None:
    _delete(bench, _own_pack(bench, 3))
    with pytest.raises(RestoreRefused, match="nearest complete commit is 4"):
        _restore(bench, 3)


def test_a_content_that_repacking_left_in_a_second_pack_is_taken_from_there(bench: Bench) -> None:
    head = bench.store().of(USER).load()
    lost = head.places()[head.tree.entries["brain/RESOLVER.md"].contents[0][:32]].pack
    old = History(bench.store().of(USER)).at(2)
    copies = [pack.digest for pack in old.packs if "brain/RESOLVER.md" in _paths_in(old, pack)]
    assert len(copies) > 1, "repacking has left none; make more commits"
    wanted = bench.folder()
    History(bench.store().of(USER)).hydrate(wanted, Free(), 2)
    _delete(bench, paths.pack(USER, lost))
    with pytest.raises(SnapshotIncomplete):
        bench.hydrate(bench.store())
    _restore(bench, 2)
    assert listing(bench.hydrate(bench.store())[0]) == listing(wanted)


def test_where_no_commit_is_whole_the_refusal_says_so(bench: Bench) -> None:
    for name in bench.blobs.names(f"users/{USER}/packs/"):
        _delete(bench, name)
    with pytest.raises(RestoreRefused, match=r"files\)\. Nothing was changed; no other commit is complete either"):
        _restore(bench, 2)


def test_a_pack_that_only_this_machine_still_has_proves_nothing(bench: Bench, tmp_path: Path) -> None:
    store = bench.store(cache=ObjectCache(tmp_path / "cache"))
    History(store.of(USER)).hydrate(bench.folder(), Free(), 1)
    _delete(bench, _own_pack(bench, 1))
    History(store.of(USER)).hydrate(bench.folder(), Free(), 1)  # the cache makes up for it
    writer = exclusive(bench)
    with pytest.raises(RestoreRefused), writer.hold(USER, "restore") as hold:
        restore(store.of(USER), 1, "why", hold)


def test_a_frozen_workspace_stays_frozen_by_a_refusal_and_is_thawed_by_what_is_proven(bench: Bench) -> None:
    _delete(bench, _own_pack(bench, 1))
    store = bench.store()
    head = store.of(USER).read_head()
    assert head is not None
    store.of(USER).heads.freeze("content-digests broken, first at a pack", head)
    with pytest.raises(RestoreRefused):
        _restore(bench, 1)
    with pytest.raises(WorkspaceFrozen):
        bench.hydrate(bench.store())
    _restore(bench, 2)
    root, _ = bench.hydrate(bench.store())
    assert (root / "brain/people/ann.md").read_text() == "# Ann, version 2\n"


@pytest.mark.properties
@pytest.mark.parametrize("harm", [_delete, _flip])
def test_whatever_one_object_is_damaged_head_ends_whole_or_as_it_was(
    tmp_path: Path, harm: Callable[[Bench, str], None]
) -> None:
    names = sorted(_made(tmp_path / "names").blobs.names(f"users/{USER}/"))
    refused = restored = 0
    for number, name in enumerate(name for name in names if not name.endswith(("HEAD", "lock.json"))):
        bench = _made(tmp_path / str(number))
        wanted = bench.folder()
        History(bench.store().of(USER)).hydrate(wanted, Free(), 2)
        harm(bench, name)
        before = _state(bench)
        try:
            _restore(bench, 2)
        except ConsumerError as exc:
            assert isinstance(exc, (RestoreRefused, SnapshotIncomplete, WorkspaceFrozen)), exc
            assert _state(bench) == before
            refused += 1
        else:
            root, _ = bench.hydrate(bench.store())
            assert listing(root) == listing(wanted)
            restored += 1
    assert refused >= 5
    assert restored >= 3


def test_a_composition_for_a_purged_target_is_proven_too(bench: Bench) -> None:
    """``compose`` gives the entries where a purge took some; what it packs anew is read before HEAD names it."""
    writer = exclusive(bench)

    def compose(head: Snapshot, target: Snapshot) -> Composition:
        objects = writer.store.of(USER).objects
        packs = PackWriter(writer.store.pool, lambda digest, data: objects.put(paths.pack(USER, digest), data))
        entry = target.tree.entries["brain/people/ann.md"]
        digest = "5e2bf57d3f40c4b6df69daf1936cb766f832374b4fc0259a7cbff06e2f70f269"
        packs.add(digest[:32], b"not of that digest")
        changed = entry._replace(size=18, digest=digest, nonce=head.tree.entries["brain/people/ann.md"].nonce)
        return Composition({**target.tree.entries, entry.path: changed}, tuple(packs.finish()))

    before = bench.store().of(USER).read_head()
    assert before is not None
    with pytest.raises(RestoreRefused, match="has another digest"), writer.hold(USER, "restore") as hold:
        restore(writer.store.of(USER), 2, "why", hold, compose=compose)
    after = bench.store().of(USER).read_head()
    assert after is not None
    assert (after.seq, after.commit, after.index) == (before.seq, before.commit, before.index)


def test_what_a_composition_refuses_is_refused(bench: Bench) -> None:
    def compose(head: Snapshot, target: Snapshot) -> Composition:
        raise SnapshotRefused(f"commit {target.head.seq} lost entries to a purge after it; HEAD is {head.head.seq}")

    writer = exclusive(bench)
    with pytest.raises(SnapshotRefused, match="HEAD is 4"), writer.hold(USER, "restore") as hold:
        restore(writer.store.of(USER), 2, "why", hold, compose=compose)


def test_a_restore_keeps_what_the_user_was_told_since(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / layout.TOLD).parent.mkdir(parents=True, exist_ok=True)
    (root / layout.TOLD).write_bytes(b'{"marks": [], "daily": "2026-11-28"}')
    bench.commit(store, root, workspace.base, "job-5")
    store.close()
    _restore(bench, 2)
    history = History(bench.store().of(USER))
    assert history.read("brain/people/ann.md") == b"# Ann, version 2\n"
    assert history.read(layout.TOLD) == b'{"marks": [], "daily": "2026-11-28"}'
