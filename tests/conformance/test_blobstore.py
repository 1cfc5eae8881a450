"""What every BlobStore promises, in memory and on the wire. A fake that passes here may stand in for the real one."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import urllib3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consumer.errors import BlobNotFound, BlobUnavailable, PreconditionFailed, ScopeViolation
from consumer.ports import BlobStore, ReadBlobs
from consumer.storage.gcs import GcsBlobStore
from consumer.storage.memory import FakeClock, Faults, MemoryBlobStore
from local.gcs.server import serve
from service.clock import SystemClock

BUCKET = "conformance"
WRITERS = 16
ROUNDS = 20


@pytest.fixture(scope="module")
def gcs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GcsBlobStore]:
    with serve(tmp_path_factory.mktemp("gcs")) as base_url:
        _create_bucket(base_url)
        store = GcsBlobStore.connect(BUCKET, SystemClock(), endpoint=base_url)
        yield store
        store.close()


@pytest.fixture(scope="module")
def memory() -> MemoryBlobStore:
    return MemoryBlobStore(FakeClock())


@pytest.fixture(params=["memory", "gcs"], scope="module")
def store(request: pytest.FixtureRequest) -> BlobStore:
    blob_store: BlobStore = request.getfixturevalue(request.param)
    return blob_store


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name of this test's own; the store lives as long as the module."""
    return f"{request.node.name}/object"


def _create_bucket(base_url: str) -> None:
    with urllib3.PoolManager() as pool:
        answer = pool.request("POST", f"{base_url}/storage/v1/b?project=test", json={"name": BUCKET})
        assert answer.status == 200, answer.data


# --- one object ---------------------------------------------------------------------------------------------------


def test_write_then_read_gives_bytes_and_generation(store: BlobStore, name: str) -> None:
    written = store.write(name, b"one", if_generation=0, content_type="text/plain")
    blob = store.read(name)
    assert (blob.data, blob.stat.generation, blob.stat.size, blob.stat.name) == (b"one", written.generation, 3, name)
    assert store.stat(name).generation == written.generation > 0


@pytest.mark.parametrize("size", [0, 1, 256 * 1024, 256 * 1024 + 1, 8 * 1024 * 1024])
def test_any_size_comes_back(store: BlobStore, name: str, size: int) -> None:
    data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    assert store.write(name, data, if_generation=0).size == size
    assert store.read(name).data == data


@pytest.mark.parametrize(
    "data",
    [b"--part-0-of-upload", b"\r\n--part-0-of-upload--\r\n", b"part-0-of-upload part-1-of-upload", b"\r\n\r\n\x00"],
)
def test_data_that_looks_like_the_wire_comes_back(store: BlobStore, name: str, data: bytes) -> None:
    store.write(name, data, if_generation=0)
    assert store.read(name).data == data


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    suffix=st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1, max_size=200),
    data=st.binary(max_size=500),
)
def test_any_name_names_one_object(store: BlobStore, suffix: str, data: bytes) -> None:
    name = f"names/{suffix}"
    store.write(name, data, if_generation=None)
    assert store.read(name).data == data
    assert [stat.name for stat in store.list(name) if stat.name == name] == [name]


def test_times_are_one_servers_clock(store: BlobStore, name: str) -> None:
    written = store.write(name, b"", if_generation=0)
    for stat in (written, store.stat(name), store.read(name).stat, next(store.list(name))):
        assert stat.updated.utcoffset() == stat.server_time.utcoffset() == timedelta(0)
        assert stat.server_time >= stat.updated
        # A read's time comes from a header that counts whole seconds.
        assert abs(stat.updated - written.updated) <= timedelta(seconds=1)
        assert stat.server_time - written.updated < timedelta(seconds=30)


# --- preconditions ------------------------------------------------------------------------------------------------


def test_create_only_if_absent(store: BlobStore, name: str) -> None:
    store.write(name, b"1", if_generation=0)
    with pytest.raises(PreconditionFailed):
        store.write(name, b"2", if_generation=0)
    assert store.read(name).data == b"1"


def test_overwrite_only_that_generation(store: BlobStore, name: str) -> None:
    first = store.write(name, b"1", if_generation=0)
    second = store.write(name, b"2", if_generation=first.generation)
    assert second.generation > first.generation
    for stale in (first.generation, second.generation + 1):
        with pytest.raises(PreconditionFailed):
            store.write(name, b"3", if_generation=stale)
    assert store.read(name).data == b"2"


def test_overwrite_of_nothing_fails(store: BlobStore, name: str) -> None:
    with pytest.raises(PreconditionFailed):
        store.write(name, b"1", if_generation=7)
    with pytest.raises(BlobNotFound):
        store.read(name)


def test_unconditional_write_takes_whatever_is_there(store: BlobStore, name: str) -> None:
    first = store.write(name, b"1", if_generation=None)
    second = store.write(name, b"1", if_generation=None)
    assert second.generation > first.generation


def test_delete_only_that_generation(store: BlobStore, name: str) -> None:
    first = store.write(name, b"1", if_generation=0)
    second = store.write(name, b"2", if_generation=first.generation)
    with pytest.raises(PreconditionFailed):
        store.delete(name, if_generation=first.generation)
    assert store.read(name).data == b"2"
    store.delete(name, if_generation=second.generation)
    with pytest.raises(BlobNotFound):
        store.delete(name, if_generation=second.generation)


def test_generation_rises_over_delete_and_recreation(store: BlobStore, name: str) -> None:
    last = 0
    for _ in range(5):
        generation = store.write(name, b"", if_generation=0).generation
        assert generation > last
        store.delete(name, if_generation=generation)
        last = generation


def test_what_is_not_there_is_not_found(store: BlobStore, name: str) -> None:
    attempts: list[Callable[[], object]] = [
        lambda: store.read(name),
        lambda: store.stat(name),
        lambda: store.read_range(name, 0, 1),
        lambda: store.read_range(name, 0, 0),
        lambda: store.delete(name, if_generation=1),
    ]
    for attempt in attempts:
        with pytest.raises(BlobNotFound, match=r"no (such )?object"):
            attempt()


# --- ranges -------------------------------------------------------------------------------------------------------


def test_read_newer_gives_only_what_changed(store: ReadBlobs, name: str) -> None:
    first = store.write(name, b"one", if_generation=0)
    assert store.read_newer(name, first.generation) is None
    second = store.write(name, b"two", if_generation=first.generation)
    newer = store.read_newer(name, first.generation)
    assert newer is not None
    assert (newer.data, newer.stat.generation) == (b"two", second.generation)
    store.delete(name, if_generation=second.generation)
    with pytest.raises(BlobNotFound):
        store.read_newer(name, second.generation)


def test_range_inside(store: BlobStore, name: str) -> None:
    store.write(name, b"0123456789", if_generation=0)
    assert store.read_range(name, 0, 10) == b"0123456789"
    assert store.read_range(name, 3, 4) == b"3456"
    assert store.read_range(name, 9, 1) == b"9"
    assert store.read_range(name, 2, 0) == b""


@pytest.mark.parametrize(("offset", "length"), [(0, 11), (9, 2), (10, 1), (100, 1)])
def test_range_that_comes_short_is_refused(store: BlobStore, name: str, offset: int, length: int) -> None:
    store.write(name, b"0123456789", if_generation=0)
    with pytest.raises(BlobUnavailable):
        store.read_range(name, offset, length)


# --- listings -----------------------------------------------------------------------------------------------------


def test_list_is_in_byte_order_and_only_the_prefix(store: BlobStore, name: str) -> None:
    names = [f"{name}/{suffix}" for suffix in ("B", "a", "a/", "a/b", "a0", "é", "ﬀ", "𝄞", "z")]
    for each in [*reversed(names), name + "-other"]:
        store.write(each, b"", if_generation=0)
    assert [stat.name for stat in store.list(f"{name}/")] == sorted(names, key=str.encode)


def test_list_starts_strictly_after(store: BlobStore, name: str) -> None:
    names = [f"{name}/{number:02d}" for number in range(5)]
    for each in names:
        store.write(each, b"", if_generation=0)
    prefix = f"{name}/"
    assert [s.name for s in store.list(prefix, start_after=names[1])] == names[2:]
    assert [s.name for s in store.list(prefix, start_after=names[1] + "0")] == names[2:]
    assert [s.name for s in store.list(prefix, start_after=names[4])] == []
    assert [s.name for s in store.list(prefix, start_after="")] == names


def test_list_goes_over_pages(store: BlobStore, name: str) -> None:
    names = [f"{name}/{number:04d}" for number in range(1001)]
    with ThreadPoolExecutor(8) as pool:
        generations = list(pool.map(lambda each: store.write(each, b"", if_generation=0).generation, names))
    listed = list(store.list(f"{name}/"))
    assert [stat.name for stat in listed] == names
    assert [stat.generation for stat in listed] == generations


def test_list_of_nothing(store: BlobStore, name: str) -> None:
    assert list(store.list(name)) == []


def test_list_leaves_out_the_deleted(store: BlobStore, name: str) -> None:
    stat = store.write(name, b"", if_generation=0)
    store.delete(name, if_generation=stat.generation)
    assert list(store.list(name)) == []


# --- races and lost answers ---------------------------------------------------------------------------------------


def _race(attempt: Callable[[int], object]) -> list[int]:
    """The indices of those whose attempt went through; all start together."""
    barrier = threading.Barrier(WRITERS)

    def run(index: int) -> bool:
        barrier.wait()
        try:
            attempt(index)
        except (PreconditionFailed, BlobNotFound):
            return False
        return True

    with ThreadPoolExecutor(WRITERS) as pool:
        return [index for index, won in enumerate(pool.map(run, range(WRITERS))) if won]


def test_one_creator_wins(store: BlobStore, name: str) -> None:
    for number in range(ROUNDS):
        target = f"{name}/{number}"
        winners = _race(lambda index, target=target: store.write(target, b"%d" % index, if_generation=0))  # type: ignore[misc]
        assert len(winners) == 1
        assert store.read(target).data == b"%d" % winners[0]


def test_one_overwriter_wins(store: BlobStore, name: str) -> None:
    generation = store.write(name, b"", if_generation=0).generation
    for _ in range(ROUNDS):
        winners = _race(lambda index, g=generation: store.write(name, b"%d" % index, if_generation=g))  # type: ignore[misc]
        assert len(winners) == 1
        blob = store.read(name)
        assert blob.data == b"%d" % winners[0]
        assert blob.stat.generation > generation
        generation = blob.stat.generation


def test_one_deleter_wins(store: BlobStore, name: str) -> None:
    for _ in range(ROUNDS):
        generation = store.write(name, b"", if_generation=0).generation
        assert len(_race(lambda _i, g=generation: store.delete(name, if_generation=g))) == 1  # type: ignore[misc]


# --- the two stores against each other ----------------------------------------------------------------------------

_OPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "delete", "read", "stat", "range", "list"]),
        st.sampled_from(["a", "b", "b/c"]),
        st.sampled_from(["none", "absent", "current", "stale"]),
        st.binary(max_size=3),
    ),
    max_size=25,
)


class _Player:
    """Plays operations on one store. Generations differ between stores, so they are named: current, stale, absent."""

    def __init__(self, store: BlobStore, prefix: str) -> None:
        self.store, self.prefix = store, prefix
        self.generations: dict[str, list[int]] = {}

    def play(self, verb: str, name: str, condition: str, data: bytes) -> object:
        known = self.generations.setdefault(name, [])
        current = known[-1] if known else 7
        generation = {"none": None, "absent": 0, "current": current, "stale": known[-2] if len(known) > 1 else 5}
        try:
            return self._act(verb, self.prefix + name, generation[condition], data)
        except (BlobNotFound, PreconditionFailed, BlobUnavailable) as exc:
            return type(exc)

    def _act(self, verb: str, name: str, generation: int | None, data: bytes) -> object:
        if verb == "write":
            stat = self.store.write(name, data, if_generation=generation)
            self.generations[name.removeprefix(self.prefix)].append(stat.generation)
            return stat.size
        if verb == "delete":
            self.store.delete(name, if_generation=generation or 0)
            return None
        if verb == "read":
            return self.store.read(name).data
        if verb == "range":
            return self.store.read_range(name, 1, 1)
        if verb == "stat":
            return self.store.stat(name).size
        return [(stat.name.removeprefix(self.prefix), stat.size) for stat in self.store.list(self.prefix)]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(ops=_OPS)
def test_memory_and_wire_give_the_same_answers(
    memory: MemoryBlobStore, gcs: GcsBlobStore, histories: Iterator[int], ops: list[tuple[str, str, str, bytes]]
) -> None:
    prefix = f"history-{next(histories)}/"
    in_memory, other = _Player(memory, prefix), _Player(gcs, prefix)
    for op in ops:
        assert in_memory.play(*op) == other.play(*op), op


@pytest.fixture(scope="module")
def histories() -> Iterator[int]:
    return itertools.count()


# --- narrowing ----------------------------------------------------------------------------------------------------


def test_narrowed_store_serves_its_prefix_and_refuses_the_rest(
    store: MemoryBlobStore | GcsBlobStore, name: str
) -> None:
    own, other = f"{name}/own/", f"{name}/other/"
    secret = store.write(f"{other}x", b"secret", if_generation=0)
    narrow = store.for_prefix(own)
    narrow.write(f"{own}x", b"mine", if_generation=0)
    assert [s.name for s in narrow.list(own)] == [f"{own}x"]
    attempts: list[Callable[[], object]] = [
        lambda: narrow.read(f"{other}x"),
        lambda: narrow.stat(f"{other}x"),
        lambda: narrow.read_range(f"{other}x", 0, 1),
        lambda: narrow.write(f"{other}x", b"", if_generation=None),
        lambda: narrow.delete(f"{other}x", if_generation=secret.generation),
        lambda: list(narrow.list(f"{name}/")),
        lambda: narrow.read(own.rstrip("/")),
    ]
    for attempt in attempts:
        with pytest.raises(ScopeViolation):
            attempt()
    assert store.read(f"{other}x").data == b"secret"


def test_lost_answer_is_a_question_the_store_can_settle() -> None:
    store = MemoryBlobStore(FakeClock(), Faults().lose_reply(1))
    with pytest.raises(BlobUnavailable):
        store.write("a", b"mine", if_generation=0)
    with pytest.raises(PreconditionFailed):
        store.write("a", b"mine", if_generation=0)
    assert store.read("a").data == b"mine"
