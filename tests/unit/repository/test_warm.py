"""A folder taken over from the last run: never older, never another user's, never what somebody made of it since."""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from consumer.clients.signing import Ed25519Signer
from consumer.errors import BlobUnavailable
from consumer.repository import folders
from consumer.repository.scan import shows_every_write, stat_key
from consumer.repository.warm import WarmBounds, WarmFolders
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot import catalog
from consumer.snapshot.snapshot import BLOCK_BYTES
from consumer.storage.memory import FakeClock, Faults, Killed, MemoryBlobStore
from tests.unit.repository.workspaces import PEM, TEMPLATES, USER, Bench, Counter, Free, Instance, listing

OTHER = "22222222-2222-4222-8222-222222222222"
PAGES = 40
HEAP = "gbrain-home/heap"


def pages(root: Path) -> None:
    for n in range(PAGES):
        (root / f"brain/people/p{n}.md").write_text(f"# Person {n}\n")
    (root / HEAP).write_bytes(bytes(range(256)) * (5 * BLOCK_BYTES // 256) + b"tail")
    (root / "gbrain-home/empty").mkdir()
    (root / "gbrain-home/closed").mkdir(mode=0o500)
    (root / "brain/people/p1.md").chmod(0o600)


def change(root: Path) -> None:
    (root / "brain/people/p2.md").write_text("# Another\n")
    with (root / HEAP).open("r+b") as file:
        file.seek(BLOCK_BYTES)
        file.write(b"changed")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "bench")


@pytest.fixture
def instance(tmp_path: Path, bench: Bench) -> Instance:
    made = Instance(tmp_path / "run", bench)
    made.run(pages)
    return made


def cold(bench: Bench, user: str = USER) -> dict[str, tuple[int, bytes | None]]:
    root = bench.folder()
    bench.store().of(user).hydrate(root, "v1", Free())
    return listing(root)


def elsewhere(bench: Bench, work: Callable[[Path], object]) -> None:
    """A commit by another instance."""
    store = bench.store()
    root, workspace = bench.hydrate(store)
    work(root)
    bench.commit(store, root, workspace.base, f"elsewhere-{bench.runs}")


# --- cost ---------------------------------------------------------------------------------------------------------


def test_the_cost_follows_the_change(instance: Instance, bench: Bench) -> None:
    hydrated, seen = instance.look()
    assert hydrated.files > PAGES
    assert hydrated.written <= 2, "nothing changed"  # as young as the seal, at most
    instance.settle()
    elsewhere(bench, change)
    hydrated, seen = instance.look()
    assert 2 <= hydrated.written <= 4, "a page and some blocks of a heap changed"
    assert seen == cold(bench)


def test_only_changed_blocks_of_a_large_file_are_written(instance: Instance, bench: Bench) -> None:
    before = (instance.kept() / HEAP).stat().st_ino
    elsewhere(bench, change)
    _, seen = instance.look()
    assert seen == cold(bench)
    assert (instance.kept() / HEAP).stat().st_ino == before, "it was written whole"


@pytest.mark.parametrize("size", [BLOCK_BYTES + 1, 2 * BLOCK_BYTES, 6 * BLOCK_BYTES + 9, 100, 0])
def test_a_large_file_may_grow_and_shrink(instance: Instance, bench: Bench, size: int) -> None:
    def resize(root: Path) -> None:
        data = (root / HEAP).read_bytes()
        (root / HEAP).write_bytes((data + data)[:size])
        (root / HEAP).chmod(0o400)

    def regrow(root: Path) -> None:
        (root / HEAP).chmod(0o600)
        (root / HEAP).write_bytes(b"1" * 3 * BLOCK_BYTES)

    elsewhere(bench, resize)
    assert instance.look()[1] == cold(bench)
    elsewhere(bench, regrow)
    assert instance.look()[1] == cold(bench)


def test_head_that_moved_by_one_commit_is_read_by_its_difference_alone(instance: Instance, bench: Bench) -> None:
    elsewhere(bench, change)
    before = len(bench.blobs.ops)
    instance.look()
    read = [op.name.split("/")[2] for op in bench.blobs.ops[before:]]
    assert sorted(read) == ["HEAD", "commits", "index", "packs"]


def test_differences_that_were_moved_to_runs_are_read_and_the_whole_tree_is_not(
    tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "INLINE_BYTES", 10)
    monkeypatch.setattr(catalog, "MAX_RUNS", 3)
    instance = Instance(tmp_path / "run", bench)
    instance.run(pages)
    whole: set[str] = set()
    for step in range(8):
        elsewhere(bench, change_of(step))
        before, old = len(bench.blobs.ops), whole
        hydrated, seen = instance.look()
        read = {op.name.rpartition("/")[2] for op in bench.blobs.ops[before:] if "/trees/" in op.name}
        head = bench.store().of(USER).load()
        whole = {epoch.digest for epoch in head.catalog.epochs}
        assert not read & old, "a tree that was known was read again"
        assert len(read) <= 2 + len(whole - old) * 8
        assert seen == cold(bench)
        assert hydrated.written <= 2
    assert len(whole) > 1, "no new epoch began"


# --- trust --------------------------------------------------------------------------------------------------------


def restore_times(path: Path, status: os.stat_result) -> None:
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def altered(root: Path) -> None:
    """Same size, same mtime: only the change time tells."""
    path = root / "brain/people/p3.md"
    status = path.stat()
    path.write_text("# Nosrep 3\n")
    restore_times(path, status)


def replaced(root: Path) -> None:
    path = root / "brain/people/p3.md"
    other = path.with_name("new.md")
    other.write_text("# Nosrep 3\n")
    restore_times(other, path.stat())
    other.rename(path)


def hard_linked(root: Path) -> None:
    """Somebody may keep a second name of a page, and write through it when the next run stands."""
    outside(root).mkdir()
    (outside(root) / "p3.md").hardlink_to(root / "brain/people/p3.md")


def outside(root: Path) -> Path:
    return root.parents[3] / "outside"


def extra(root: Path) -> None:
    (root / "brain/people/extra.md").write_text("x")
    (root / "strange").mkdir()
    (root / "strange/file").write_text("x")
    (root / "strange").chmod(0o500)


def linked(root: Path) -> None:
    """A page and a whole folder swapped for links to outside."""
    outside(root).mkdir()
    (outside(root) / "p3.md").write_text("stays as it is")
    (root / "brain/people/p3.md").unlink()
    (root / "brain/people/p3.md").symlink_to(outside(root) / "p3.md")
    shutil.rmtree(root / "brain/reports")
    (root / "brain/reports").symlink_to(outside(root))


def swapped_kinds(root: Path) -> None:
    (root / "brain/people/p3.md").unlink()
    (root / "brain/people/p3.md").mkdir()
    (root / "gbrain-home/empty").rmdir()
    (root / "gbrain-home/empty").write_text("x")
    os.mkfifo(root / "brain/people/pipe")


def modes(root: Path) -> None:
    (root / "brain/people/p3.md").chmod(0o666)
    (root / "brain").chmod(0o777)
    (root / "gbrain-home/empty").chmod(0o1777)


def closed(root: Path) -> None:
    """The folder's own mode, opened and closed again: what it was."""
    for mode in (0o700, 0o500):
        (root / "gbrain-home/closed").chmod(mode)


def missing(root: Path) -> None:
    (root / "brain/people/p3.md").unlink()
    shutil.rmtree(root / "gbrain-home")


@pytest.mark.parametrize(
    "harm",
    [altered, replaced, hard_linked, extra, linked, swapped_kinds, modes, closed, missing],
    ids=lambda harm: harm.__name__,
)
def test_whatever_was_done_to_the_folder_is_undone(
    instance: Instance, bench: Bench, harm: Callable[[Path], object]
) -> None:
    expected = cold(bench)
    instance.settle()
    harm(instance.kept())
    assert listing(instance.kept()) != expected or harm in (hard_linked, closed)
    hydrated, seen = instance.look()
    assert seen == expected
    assert hydrated.written < PAGES / 2, "it was hydrated cold"
    if (other := outside(instance.kept()) / "p3.md").exists():
        assert other.stat().st_ino != (instance.kept() / "brain/people/p3.md").stat().st_ino
        assert other.read_text() == ("stays as it is" if harm is linked else "# Person 3\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_agents_owned_is_ours_again(instance: Instance, bench: Bench) -> None:
    """Their own places were given to them; a page that they may only read must not stay theirs."""

    def given(root: Path) -> None:
        for path in (root / HEAP, root / "gbrain-home", root / "brain/people/p7.md"):
            os.chown(path, 65534, 65534)
        os.chown(root, -1, 65534)

    instance.run(given)
    hydrated, seen = instance.look()
    assert hydrated.written < PAGES / 2
    assert seen == cold(bench)
    kept = instance.kept()
    assert {(path.stat().st_uid, path.stat().st_gid) for path in (kept, *kept.rglob("*"))} == {(0, os.getegid())}


def test_what_an_agent_left_before_persist_is_what_was_committed(instance: Instance, bench: Bench) -> None:
    instance.run(lambda root: (root / "brain/people/p5.md").write_text("by an agent"))
    hydrated, seen = instance.look()
    assert seen["brain/people/p5.md"][1] == b"by an agent"
    assert seen == cold(bench)
    assert hydrated.written < PAGES / 2


#: user::rw-, user:65534:rwx, group::r-x, mask::rwx, other::r-x, as the kernel packs an access list.
ACCESS_LIST = bytes.fromhex("0200000001000700ffffffff02000700feff000004000500ffffffff10000700ffffffff20000500ffffffff")


@pytest.mark.skipif(sys.platform != "linux", reason="access lists as Linux keeps them")
def test_no_attribute_outlives_its_run(instance: Instance, bench: Bench) -> None:
    """An access list stays through a change of owner and mode: its writer could write here in the next run, too."""

    def lend(root: Path) -> None:
        for path in (root, root / "brain/people", root / "gbrain-home/empty", root / "brain/people/p7.md", root / HEAP):
            os.setxattr(path, "system.posix_acl_access", ACCESS_LIST)
            if path.is_dir():
                os.setxattr(path, "system.posix_acl_default", ACCESS_LIST)
            os.setxattr(path, "user.note", b"remember me")

    try:
        instance.run(lend)
    except OSError as exc:
        if exc.errno != errno.ENOTSUP:
            raise
        pytest.skip("a file system without attributes")
    elsewhere(bench, change)
    hydrated, seen = instance.look()
    assert seen == cold(bench)
    assert hydrated.written < PAGES / 2
    kept = instance.kept()
    assert [str(path) for path in (kept, *kept.rglob("*")) if folders.foreign_attributes(str(path))] == []


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A folder on a file system in memory, as a run folder is in the cloud."""
    if not os.access("/dev/shm", os.W_OK):
        pytest.skip("no file system in memory")
    with TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


def rewritten_unseen(root: Path) -> None:
    """Through mapped memory, which was read before: in memory no time of the file changes by that."""
    for path in ("brain/people/p3.md", HEAP):
        with (root / path).open("r+b") as file, mmap.mmap(file.fileno(), 0) as view:
            view[-1] = view[-1] ^ 1


def test_what_is_mapped_to_try_a_file_system_has_its_room_before(
    in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hole that is mapped where there is no room left kills the process; a write there is only an error."""
    mapped, map_it = [], mmap.mmap

    def watched(handle: int, size: int) -> mmap.mmap:
        mapped.append(os.fstat(handle).st_blocks * 512 >= size)
        return map_it(handle, size)

    monkeypatch.setattr(mmap, "mmap", watched)
    shows_every_write(in_memory)
    assert mapped == [True]


def test_a_change_through_mapped_memory_is_committed(in_memory: Path, bench: Bench) -> None:
    instance = Instance(in_memory / "run", bench)
    instance.run(pages)
    instance.run(rewritten_unseen)
    assert bench.store().of(USER).reader().read("brain/people/p3.md") == b"# Person 3\x0b"
    hydrated, seen = instance.look()
    assert seen == cold(bench)
    assert hydrated.written < PAGES / 2


def test_a_change_through_mapped_memory_does_not_outlive_a_run_that_committed_nothing(
    in_memory: Path, bench: Bench
) -> None:
    instance = Instance(in_memory / "run", bench)
    instance.run(pages)
    instance.settle()
    rewritten_unseen(instance.kept())
    hydrated, seen = instance.look()
    assert seen == cold(bench)
    assert 2 <= hydrated.written < PAGES / 2


def test_a_change_of_an_uncommitted_run_does_not_last(instance: Instance, bench: Bench) -> None:
    """An idle run vouches without a commit: what it wrote is not in HEAD."""
    with instance.folder.mutex(), instance.folder.open("idle", USER) as root:
        instance.store.of(USER).hydrate(root, "v1", Free())
        (root / "runtime/exports/left.jsonl").write_text("{}\n")
        (root / "brain/people/p6.md").write_text("half done")
        instance.store.of(USER).vouch()
    hydrated, seen = instance.look()
    assert seen == cold(bench)
    assert hydrated.written < PAGES / 2


def test_the_careful_way_reads_every_file(tmp_path: Path, bench: Bench) -> None:
    """A change under an unchanged stat, as no honest file system shows it, is found by ``rehash`` alone."""
    instance = Instance(tmp_path / "run", bench, rehash=True)
    instance.run(pages)
    instance.settle()
    for path in ("brain/people/p3.md", HEAP):
        altered_in_silence(instance, path)
    hydrated, seen = instance.look()
    assert seen == cold(bench)
    assert 2 <= hydrated.written < PAGES / 2


def altered_in_silence(instance: Instance, path: str) -> None:
    """Change the file, and the record of its stat with it."""
    known = instance.warm.recorded(USER)
    assert known is not None
    file = instance.kept() / path
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    known.stats[path] = (stat_key(file.stat()), known.stats[path][1])


# --- whose ----------------------------------------------------------------------------------------------------------


def test_another_user_gets_nothing_of_it(instance: Instance, bench: Bench) -> None:
    _, seen = instance.look(OTHER)
    assert not any(path.startswith("brain/people/p") for path in seen)
    hydrated, seen = instance.look()
    assert hydrated.written < PAGES / 2, "the other's run cost this one its folder"
    assert seen == cold(bench)


def test_where_agents_are_this_processs_user_no_folder_of_another_user_stays(tmp_path: Path, bench: Bench) -> None:
    instance = Instance(tmp_path / "run", bench, shared=True)
    instance.run(pages)
    hydrated, _ = instance.look()
    assert hydrated.written < PAGES / 2
    with instance.folder.mutex(), instance.folder.open("job", OTHER):
        assert not (instance.root / "warm" / USER).exists()
    assert instance.look()[0].written == hydrated.files


def test_only_so_many_folders_bytes_and_hours(tmp_path: Path, bench: Bench) -> None:
    two = Instance(tmp_path / "two", bench, bounds=WarmBounds(folders=2, age_s=100))
    users = [USER, OTHER, OTHER.replace("2", "3")]
    for user in users:
        two.run(pages, user)
    assert sorted(path.name for path in (two.root / "warm").iterdir()) == users[1:]
    bench.clock.advance(101)
    with two.folder.mutex(), two.folder.open("job", USER):
        assert list((two.root / "warm").iterdir()) == []
    small = Instance(tmp_path / "small", bench, bounds=WarmBounds(bytes=BLOCK_BYTES))
    small.run()
    assert not (small.root / "warm").exists()
    assert (tmp_path / "two/warm").stat().st_mode & 0o777 == 0o700


def test_on_a_full_disk_only_the_users_own_folder_stays(instance: Instance) -> None:
    instance.run(pages, OTHER)
    instance.free_bytes = 2 * instance.bounds.bytes - 1
    with instance.folder.mutex(), instance.folder.open("job", OTHER):
        assert [path.name for path in (instance.root / "warm").iterdir()] == [OTHER]


def test_what_another_process_left_is_removed(instance: Instance, bench: Bench) -> None:
    after = Instance(instance.root, bench)
    hydrated, seen = after.look()
    assert hydrated.written == hydrated.files
    assert seen == cold(bench)
    assert len(list((instance.root / "warm" / USER).iterdir())) == 1
    # The first process finds its folder gone, and goes the cold way too.
    assert instance.look()[1] == seen


def test_a_run_that_failed_leaves_no_folder(instance: Instance) -> None:
    with pytest.raises(RuntimeError), instance.folder.mutex(), instance.folder.open("job", USER) as root:
        instance.store.of(USER).hydrate(root, "v1", Free())
        raise RuntimeError
    assert list((instance.root / "warm").rglob("*/*")) == []
    assert not (instance.root / "jobs").exists()


def test_a_folder_that_somebody_removed_is_not_missed(instance: Instance, bench: Bench) -> None:
    instance.warm.free_bytes = WarmFolders(instance.root, bench.clock).free_bytes
    shutil.rmtree(instance.root / "warm")
    hydrated, seen = instance.look()
    assert hydrated.written == hydrated.files
    assert seen == cold(bench)
    assert instance.kept().is_dir()


def test_a_folder_that_cannot_be_kept_is_removed(instance: Instance) -> None:
    shutil.rmtree(instance.root / "warm")
    (instance.root / "warm").write_text("something is in the way")
    instance.look()
    assert not (instance.root / "jobs").exists()
    assert not instance.folder.workspace.exists()


def test_forgotten_is_gone_from_the_disk(instance: Instance, bench: Bench) -> None:
    """By a purge in another process: this one finds nothing and hydrates cold."""
    kept = instance.kept()
    (kept / "brain/people").chmod(0o500)
    WarmFolders(instance.root / "warm", FakeClock()).forget(USER)
    assert not kept.parent.exists()
    hydrated, seen = instance.look()
    assert hydrated.written == hydrated.files
    assert seen == cold(bench)


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.properties
def test_a_request_that_fails_at_any_step_leaves_the_next_hydrate_right(tmp_path: Path, bench: Bench) -> None:
    faults = Faults(bench.clock)
    instance = Instance(tmp_path / "run", bench, fault=faults)
    instance.run(pages)
    for step in range(1, 5):
        elsewhere(bench, change_of(step))
        start = len(bench.blobs.ops)
        for attempt in range(3):  # the first try and its repeats
            faults.refuse(start + step + attempt)
        with instance.folder.mutex(), instance.folder.open("job", USER) as root:
            try:
                instance.store.of(USER).hydrate(root, "v1", Free())
            except BlobUnavailable:
                pass
            else:
                instance.store.of(USER).vouch()
        assert instance.look()[1] == cold(bench), f"after a fault at request {step}"


@pytest.mark.parametrize("kind", ["link", "file", "nothing"])
def test_what_cannot_be_taken_over_is_hydrated_cold(instance: Instance, bench: Bench, kind: str) -> None:
    kept, other = instance.kept(), outside(instance.kept())
    shutil.copytree(kept, other)
    before = listing(other)
    shutil.rmtree(kept)
    if kind == "link":
        kept.symlink_to(other)
    elif kind == "file":
        kept.write_text("x")
    hydrated, seen = instance.look()
    assert seen == cold(bench)
    assert hydrated.written == hydrated.files
    assert listing(other) == before, "a link was followed"


@dataclass
class Saboteur(Free):
    """A guard under whose eyes the folder is emptied while it is walked."""

    root: Path
    calls: int = 0

    def check(self) -> None:
        self.calls += 1
        if self.calls == 2:
            for path in self.root.iterdir():
                shutil.rmtree(path)


def test_a_takeover_that_fails_half_way_ends_cold(instance: Instance, bench: Bench) -> None:
    with instance.folder.mutex(), instance.folder.open("job", USER) as root:
        hydrated = instance.store.of(USER).hydrate(root, "v1", Saboteur(root))
        assert listing(root) == cold(bench)
    assert hydrated.written == hydrated.files


@pytest.mark.properties
def test_a_process_that_dies_at_any_request_leaves_nothing_that_the_next_believes(tmp_path: Path, bench: Bench) -> None:
    faults = Faults(bench.clock)
    for step in range(1, 9):
        instance = Instance(tmp_path / "run", bench, fault=faults)
        instance.run(pages if step == 1 else lambda _root: None)
        elsewhere(bench, change_of(step))
        # A dead process leaves no context: what it held open is held here until the next one has run.
        held = instance.folder.open("job", USER)
        root = held.__enter__()
        faults.kill(len(bench.blobs.ops) + step)
        with suppress(Killed):
            hydrated = instance.store.of(USER).hydrate(root, "v1", Free())
            instance.store.of(USER).persist(root, hydrated.base, bench.meta(), Free())
        after = Instance(tmp_path / "run", bench)
        hydrated, seen = after.look()
        assert hydrated.written == hydrated.files
        assert seen == cold(bench)
        with suppress(FileNotFoundError):
            held.__exit__(None, None, None)


def change_of(step: int) -> Callable[[Path], object]:
    return lambda root: (root / "brain/people/p1.md").write_text(f"step {step}")


def test_template_upgrade_happens_on_a_warm_folder_as_on_a_cold_one(tmp_path: Path, bench: Bench) -> None:
    templates = tmp_path / "templates"
    shutil.copytree(TEMPLATES, templates)
    (templates / "v2/brain").mkdir(parents=True)
    (templates / "v2/brain/NEW.md").write_text("new")
    (templates / "v2/template.yaml").write_text(
        "version: v2\nfolders: [brain]\n"
        "migration: {from_version: v1, moves: [[brain/people/p1.md, brain/people/first.md]]}\n"
    )
    instance = Instance(tmp_path / "run", bench)
    instance.store = WorkspaceStore(
        MemoryBlobStore(bench.clock),
        Ed25519Signer(PEM),
        bench.clock,
        templates=templates,
        entropy=Counter(),
        warm=instance.warm,
    )
    instance.run(pages)
    seen = []
    for _ in range(3):
        with instance.folder.mutex(), instance.folder.open("job", USER) as root:
            instance.store.of(USER).hydrate(root, "v2", Free())
            seen.append(listing(root))
            instance.store.of(USER).vouch()
    assert "brain/people/first.md" in seen[0]
    assert "brain/people/p1.md" not in seen[0]
    assert seen[0] == seen[1] == seen[2]
