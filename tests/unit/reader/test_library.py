"""How memories are opened: what is read of the bucket, when, and what happens if a purge runs at the same time."""

from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from consumer import layout, paths
from consumer.snapshot import catalog
from consumer.snapshot.snapshot import Entry
from consumer.storage.memory import Op
from reader import memory as memory_module
from reader.library import FILE_BYTES, FOLDED_BYTES, IDLE_S
from tests.unit.reader.worlds import ADA, ADA_TOKEN, BOB, BOB_TOKEN, MAIL, World, both, files, refusal


def kinds(world: World, since: int) -> list[str]:
    """The folders of the objects that were read, in order."""
    return [name.split("/")[2] for _, name in world.reads()[since:]]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return both(tmp_path)


def test_an_opened_memory_costs_one_conditional_read_a_request(world: World) -> None:
    before = len(world.reads())
    world.json("/v1/me/today")
    # HEAD, then catalog and commit, then the tree, then the pack with the file.
    first, *then, last = kinds(world, before)
    assert (first, last) == ("HEAD", "packs")
    assert sorted(then) == ["commits", "index", "trees"]
    warm = len(world.reads())
    for call in ("/v1/me/today", "/v1/me/reports", "/v1/me/people", "/v1/me/sources"):
        world.json(call)
    assert kinds(world, warm) == ["HEAD"] * 4


def test_a_page_is_read_by_range_and_no_other_file_with_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    noise = random.Random(1)
    folder = "brain/sources/cloop/activity-events"
    big = {f"{folder}/p{n}.md": f"# {n}\n{noise.randbytes(200_000).hex()}" for n in range(12)}
    world.commit(ADA, {**files("ADAWORD"), **big})
    world.json("/v1/me/reports")
    before = len(world.bench.blobs.ops)
    assert world.get(f"/v1/me/pages/{MAIL}").status_code == 200
    verbs = [(op.verb, op.name.split("/")[2]) for op in world.bench.blobs.ops[before:]]
    assert verbs == [("read", "HEAD"), ("read_range", "packs")]


class Steps:
    """Holds every read until all reads of its step wait: one that waits for another of its step never comes to it.

    The steps: HEAD; the commit and the catalog; the tree and the directories of packs; the packs.
    """

    def __init__(self, folders: list[str]) -> None:
        count = folders.count
        sizes = (1, 2, count("trees") + count("index") - 1, count("packs"))
        self.barriers = [threading.Barrier(size) for size in sizes]
        self._catalog_is_read = False

    def __call__(self, op: Op) -> None:
        if op.phase == "before":
            self.barriers[self._step(op.name.split("/")[2])].wait(timeout=30)

    def _step(self, folder: str) -> int:
        if folder != "index":
            return {"HEAD": 0, "commits": 1, "trees": 2, "packs": 3}[folder]
        is_directory, self._catalog_is_read = self._catalog_is_read, True
        return 2 if is_directory else 1


def test_a_cold_search_reads_in_four_steps_however_many_objects_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_module, "EvidenceIndex", OpenedIndex)
    OpenedIndex.opened.clear()
    # Metadata moves to objects of its own sooner than it does in real workspaces.
    monkeypatch.setattr(catalog, "INLINE_BYTES", 512)
    noise = random.Random(2)
    world = World(tmp_path)
    index = b""
    for hour, count in enumerate((200, 50, 50)):
        # Each hour brings names, and adds to the index what fills two packs.
        names = {f"brain/meetings/{hour}-{number}.md": noise.randbytes(8).hex() for number in range(count)}
        index += noise.randbytes(5 << 20)
        world.commit(ADA, {**files("ADAWORD"), **names, layout.SEARCH_INDEX: index, layout.HOLDS: b"{}"}, f"job-{hour}")
    before = len(world.reads())
    world.json("/v1/me/search?q=x")
    counted = kinds(world, before)
    assert min(counted.count("trees"), counted.count("index") - 1) > 1
    assert counted.count("packs") > 4
    world.library.forget(ADA)
    world.fault = Steps(counted)
    world.json("/v1/me/search?q=x")
    assert OpenedIndex.opened[-1].read_bytes() == index
    # What rules hold marks each hit, and came with the index.
    before = len(world.reads())
    with world.library.open(world.granted[-1]) as opened:
        assert opened.read(layout.HOLDS) == b"{}"
    assert kinds(world, before) == ["HEAD"]


def test_a_memory_is_weighed_while_another_request_makes_something(world: World) -> None:
    world.json("/v1/me/reports")
    with world.library.open(world.granted[-1]) as opened:
        index = opened.entries[layout.RENDER_INDEX]

        class Meanwhile(dict[str, Entry]):
            def __getitem__(self, path: str) -> Entry:
                opened.parsed[f"made by another request {len(opened.parsed)}"] = 1
                return super().__getitem__(path)

        opened.entries = Meanwhile(opened.entries)
        opened.parsed["askable", 1] = opened.parsed["askable", 2] = "folded"
        assert opened.cost == 2 * FOLDED_BYTES * index.size + FILE_BYTES * len(opened.entries)


def test_raw_exports_and_the_agents_home_are_not_even_known(world: World) -> None:
    world.json("/v1/me/reports")
    grant = world.granted[-1]
    with world.library.open(grant) as opened:
        tops = {path.split("/")[0] + "/" + path.split("/")[1] for path in opened.entries}
    assert {top for top in tops if not top.startswith("brain/")} == {"runtime/reports", "runtime/manifests"}
    manifests = {path for path in opened.entries if path.startswith("runtime/manifests/")}
    assert manifests == {layout.TODAY, layout.RENDER_INDEX}


def test_a_new_commit_is_shown_with_the_next_request(world: World) -> None:
    world.json("/v1/me/today")
    world.commit(ADA, {"brain/people/new.md": "# New\n"}, "job-2")
    assert world.get("/v1/me/pages/people/new").text == "# New\n"
    assert world.json("/v1/me/sources")["commit"] == 2


def test_a_fence_of_a_run_changes_nothing_that_is_open(world: World) -> None:
    world.json("/v1/me/today")
    store = world.bench.store()
    store.of(ADA).fence(9)
    store.close()
    before = len(world.reads())
    world.json("/v1/me/today")
    world.json("/v1/me/today")
    assert kinds(world, before) == ["HEAD", "HEAD"]


def test_the_reader_takes_no_lock_and_writes_nothing(world: World) -> None:
    before = len(world.bench.blobs.ops)
    for call in ("/v1/me/today", "/v1/me/reports", f"/v1/me/pages/{MAIL}"):
        assert world.get(call).status_code == 200
    assert {op.verb for op in world.bench.blobs.ops[before:]} <= {"read", "read_range"}
    assert not any(name == paths.lock(ADA) for _, name in world.reads()[before:])


def purging(world: World, at: Callable[[Op], bool]) -> Callable[[Op], None]:
    """A fault that runs, once, as a purge would: another commit, and the objects of the one before are gone."""
    done: list[bool] = []

    def act(op: Op) -> None:
        if done or op.phase != "before" or not at(op):
            return
        done.append(True)
        blobs = world.bench.blobs
        old = [name for folder in ("packs/", "index/") for name in blobs.names(paths.user(ADA) + folder)]
        world.fault = lambda _op: None
        world.commit(ADA, files("PURGED"), "p")
        for name in old:
            blobs.delete(name, if_generation=blobs.read(name).stat.generation)

    return act


def test_an_object_that_a_purge_removed_means_to_read_head_again(tmp_path: Path) -> None:
    for folder in ("index", "packs"):
        world = both(tmp_path / folder)
        world.fault = purging(world, lambda op, folder=folder: f"/{folder}/" in op.name)  # type: ignore[misc]
        answer = world.get(f"/v1/me/pages/{MAIL}")
        assert answer.status_code == 200
        assert "PURGED" in answer.text
        assert "ADAWORD" not in answer.text


def test_a_purge_between_two_requests_leaves_nothing_old(world: World) -> None:
    assert "ADAWORD" in world.get(f"/v1/me/pages/{MAIL}").text
    purging(world, lambda _op: True)(Op(1, "read", "x"))
    for call in (f"/v1/me/pages/{MAIL}", "/v1/me/today"):
        text = world.get(call).text
        assert "PURGED" in text
        assert "ADAWORD" not in text


def test_an_object_that_stays_away_is_an_error_and_the_next_request_tries_again(world: World) -> None:
    blobs = world.bench.blobs
    gone = {name: blobs.read(name) for name in blobs.names(paths.user(ADA) + "packs/")}
    for name, blob in gone.items():
        blobs.delete(name, if_generation=blob.stat.generation)
    assert refusal(world.get("/v1/me/today")) == (503, "memory_changing")
    for name, blob in gone.items():
        blobs.write(name, blob.data, if_generation=0)
    assert world.get("/v1/me/today").status_code == 200


def test_a_history_that_does_not_verify_is_not_shown(world: World) -> None:
    world.library.signer.public_keys.clear()  # type: ignore[attr-defined]
    assert refusal(world.get("/v1/me/today")) == (503, "memory_unverified")


def test_an_erased_memory_is_empty(world: World) -> None:
    from consumer.snapshot.snapshot import Head

    world.json("/v1/me/today")
    blobs = world.bench.blobs
    head = blobs.read(paths.head(ADA))
    erased = Head(seq=5, epoch=9, frozen="erasing", erased="2026-11-27T09:00:00Z")
    blobs.write(paths.head(ADA), erased.encode(), if_generation=head.stat.generation)
    assert world.json("/v1/me/reports") == {"reports": [], "more": False}
    assert world.get(f"/v1/me/pages/{MAIL}").status_code == 404


def test_a_damaged_head_is_an_error(world: World) -> None:
    blobs = world.bench.blobs
    head = blobs.read(paths.head(ADA))
    blobs.write(paths.head(ADA), b"{}", if_generation=head.stat.generation)
    assert refusal(world.get("/v1/me/today")) == (503, "memory_changing")


def test_a_bucket_that_does_not_answer_is_an_error(world: World) -> None:
    from consumer.errors import BlobUnavailable

    def fail(op: Op) -> None:
        raise BlobUnavailable("away", passing=True)

    world.fault = fail
    assert refusal(world.get("/v1/me/today")) == (503, "bucket_unavailable")
    assert world.controlplane.asked == [("grant", ADA_TOKEN)], "another token would not help"


def test_a_token_that_the_bucket_refuses_is_replaced_once(world: World) -> None:
    from consumer.errors import BlobUnavailable

    refused: list[Op] = []

    def refuse(op: Op) -> None:
        if not refused:
            refused.append(op)
            raise BlobUnavailable("HTTP 401")

    world.fault = refuse
    assert world.get("/v1/me/today").status_code == 200
    assert world.controlplane.asked == [("grant", ADA_TOKEN)] * 2


def test_what_is_open_outlives_the_token_that_opened_it(world: World) -> None:
    world.json("/v1/me/today")
    world.clock.advance(14 * 60)
    opened = len(world.granted)
    assert world.get(f"/v1/me/pages/{MAIL}").status_code == 200
    # A newer grant reads the pack; the catalog is not read again.
    assert len(world.granted) > opened
    assert world.granted[-1] is not world.granted[0]


def test_idle_memories_are_dropped(world: World) -> None:
    world.json("/v1/me/today")
    assert world.library.users == [ADA]
    world.clock.advance(IDLE_S + 1)
    world.json("/v1/me/today", BOB_TOKEN)
    assert world.library.users == [BOB]


def index_of(rows: int) -> bytes:
    """A stand-in for an evidence index: some SQLite file of a known size."""
    db = sqlite3.connect(":memory:")
    db.execute("create table t (x)")
    db.executemany("insert into t values (?)", [("x" * 1000,) for _ in range(rows)])
    return bytes(db.serialize())


class OpenedIndex:
    """Stands for EvidenceIndex: notes what is opened and finds nothing."""

    opened: list[Path] = []  # noqa: RUF012 - one list for a test, cleared by it
    embedding_model = ""

    def __init__(self, path: Path) -> None:
        assert path.exists()
        self.opened.append(path)

    def __enter__(self) -> OpenedIndex:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def search(self, *_: object, **__: object) -> list[object]:
        return []


def test_open_memories_stay_within_their_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "EvidenceIndex", OpenedIndex)
    OpenedIndex.opened.clear()
    index = index_of(200)
    world = World(tmp_path, max_bytes=len(index) + 100 * FILE_BYTES)
    for user, word in ((ADA, "A"), (BOB, "B")):
        world.commit(user, {**files(word), layout.SEARCH_INDEX: index})
    for token in (ADA_TOKEN, BOB_TOKEN, ADA_TOKEN):
        assert world.json("/v1/me/search?q=x", token) == {"hits": [], "more": False}
        on_disk = list(world.folder.iterdir())
        assert len(on_disk) == 1, "the other user's index was deleted with their memory"
        assert on_disk[0].read_bytes() == index
    assert world.library.users == [ADA]
    world.json("/v1/me/search?q=y")
    assert OpenedIndex.opened[-1] == OpenedIndex.opened[-2], "an index is fetched once"
    world.library.close()
    assert list(world.folder.iterdir()) == []


def test_an_index_in_use_is_deleted_after_its_last_use(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.commit(ADA, {**files("A"), layout.SEARCH_INDEX: index_of(3)})
    world.json("/v1/me/reports")
    with world.library.open(world.granted[-1]) as opened:
        path = opened.index_file(world.folder)
        world.library.forget(ADA)
        assert path.exists()
    assert not path.exists()


def test_many_users_at_once_do_not_wait_for_each_other(world: World) -> None:
    from concurrent.futures import ThreadPoolExecutor

    before = len(world.reads())
    with ThreadPoolExecutor(16) as pool:
        tokens = [ADA_TOKEN, BOB_TOKEN] * 16
        answers = list(pool.map(lambda token: world.get("/v1/me/today", token).status_code, tokens))
    assert answers == [200] * 32
    reads = world.reads()[before:]
    assert sum(name == paths.head(ADA) for _, name in reads) == 16
    opened = [name for _, name in reads if "/index/" in name and name.startswith(paths.user(ADA))]
    assert len(opened) == len(set(opened)), "one request opened the memory, the others found it open"
