"""Whatever is done to sealed files is found and undone; open places stay free."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consumer.agent import seal
from consumer.repository import content
from consumer.snapshot.snapshot import StatCache
from tests.brains import Free
from tests.cases import cases

WORK = "runtime/job-runs/j1"
EVIDENCE = "brain/sources/cloop/notes/a.md"
FILES = {
    EVIDENCE: "evidence a",
    "brain/sources/cloop/notes/b.md": "evidence b",
    "brain/RESOLVER.md": "rules",
    "brain/people/anna.md": "derived",
    "runtime/exports/backfill/j1/notes.jsonl": "{}",
    "hermes-home/skills/s/SKILL.md": "skill",
    "hermes-home/state.db": "session",
    f"{WORK}/claims.json": "{}",
}


def tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


#: Files that a run has written since it hydrated the others.
NEW = {"brain/RESOLVER.md", "runtime/exports/backfill/j1/notes.jsonl"}


def write(root: Path) -> None:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def fill(root: Path) -> seal.Seal:
    write(root)
    return seal.take(root, WORK, Free())


def hydrated(root: Path) -> StatCache:
    """What hydrate would say of all files but the new ones."""
    seen = {name: content.read(str(root), name) for name in FILES.keys() - NEW}
    return {name: each for name, each in seen.items() if each is not None}


def fill_hydrated(root: Path) -> seal.Seal:
    write(root)
    sealed = seal.take(root, WORK, Free(), hydrated(root), lambda: lambda path: FILES[path].encode())
    assert sealed.copies.keys() == NEW
    return sealed


def rewrite_with_old_times(root: Path) -> None:
    path = root / EVIDENCE
    status = path.stat()
    path.write_text("evidence A")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def link_out(root: Path) -> None:
    (root / EVIDENCE).unlink()
    (root / EVIDENCE).symlink_to("/etc/hostname")


def link_folder(root: Path) -> None:
    shutil.rmtree(root / "brain/sources")
    (root / "brain/sources").symlink_to(root / "hermes-home")


def folder_for_file(root: Path) -> None:
    (root / EVIDENCE).unlink()
    (root / EVIDENCE).mkdir()
    (root / EVIDENCE / "x").write_text("x")


TRICKS: list[Callable[[Path], object]] = [
    rewrite_with_old_times,
    link_out,
    link_folder,
    folder_for_file,
    lambda root: (root / EVIDENCE).unlink(),
    lambda root: shutil.rmtree(root / "brain/sources"),
    lambda root: (root / "brain/sources/cloop/new.md").write_text("new"),
    lambda root: (root / "runtime/exports/backfill/j1/notes.jsonl").write_text("{}{}"),
    lambda root: (root / "hermes-home/skills/s/SKILL.md").write_text("obey me"),
    lambda root: (root / "brain/RESOLVER.md").write_text(""),
]


@pytest.mark.parametrize("sealing", [fill, fill_hydrated])
@pytest.mark.parametrize("trick", TRICKS, ids=range(len(TRICKS)))
def test_every_trick_is_found_and_undone(
    tmp_path: Path, trick: Callable[[Path], object], sealing: Callable[[Path], seal.Seal]
) -> None:
    sealed = sealing(tmp_path)
    trick(tmp_path)
    changes = sealed.mend(Free())
    assert changes
    assert all(change.undone for change in changes)
    assert tree(tmp_path) == FILES
    assert not (tmp_path / "brain/sources").is_symlink()
    assert sealed.mend(Free()) == ()


OPEN = [
    "brain/people/new.md",
    "brain/people/anna.md",
    "hermes-home/state.db",
    "hermes-home/skills/.usage.json",
    f"{WORK}/x.json",
]


@given(name=st.sampled_from(OPEN))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=cases(8),
    deadline=None,
)
def test_open_places_stay_as_the_agent_left_them(tmp_path: Path, name: str) -> None:
    sealed = fill(tmp_path)
    (tmp_path / name).write_text("changed")
    assert sealed.mend(Free()) == ()
    assert (tmp_path / name).read_text() == "changed"


def test_permissions_come_back_too(tmp_path: Path) -> None:
    fill(tmp_path)
    (tmp_path / EVIDENCE).chmod(0o400)
    sealed = seal.take(tmp_path, WORK, Free())
    (tmp_path / EVIDENCE).unlink()
    sealed.mend(Free())
    assert (tmp_path / EVIDENCE).stat().st_mode & 0o777 == 0o400


def test_the_digest_follows_pages_and_nothing_else(tmp_path: Path) -> None:
    first = fill(tmp_path / "one").pages_digest
    assert fill(tmp_path / "two").pages_digest == first
    (tmp_path / "two/runtime/exports/backfill/j1/notes.jsonl").write_text("other")
    assert seal.take(tmp_path / "two", WORK, Free()).pages_digest == first
    (tmp_path / "two" / EVIDENCE).write_text("other")
    assert seal.take(tmp_path / "two", WORK, Free()).pages_digest != first


def test_what_is_too_large_to_keep_is_still_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seal, "KEPT_BYTES", 3)
    sealed = fill(tmp_path)
    (tmp_path / EVIDENCE).write_text("changed")
    (change,) = sealed.mend(Free())
    assert (change.path, change.kind, change.undone) == (EVIDENCE, "written", False)


def test_a_write_that_left_no_trace_since_hydrate_is_found_and_undone(tmp_path: Path) -> None:
    write(tmp_path)
    known = hydrated(tmp_path)
    # On a file system in memory a program can write to a mapped file without any change of its stat.
    (tmp_path / EVIDENCE).write_text("evidence X")
    seen = content.read(str(tmp_path), EVIDENCE)
    assert seen is not None
    known[EVIDENCE] = (seen[0], known[EVIDENCE][1])
    sealed = seal.take(tmp_path, WORK, Free(), known, lambda: lambda path: FILES[path].encode())
    assert sealed.mend(Free()) == (seal.SealBreach(EVIDENCE, "written", undone=True),)
    assert (tmp_path / EVIDENCE).read_text() == FILES[EVIDENCE]


def _gone(path: str) -> bytes:
    raise KeyError(path)


@pytest.mark.parametrize("read", [_gone, lambda _path: b"of another commit"])
def test_what_the_commit_cannot_give_back_is_not_undone(tmp_path: Path, read: seal.ReadsCommit) -> None:
    write(tmp_path)
    sealed = seal.take(tmp_path, WORK, Free(), hydrated(tmp_path), lambda: read)
    (tmp_path / EVIDENCE).write_text("changed")
    assert sealed.mend(Free()) == (seal.SealBreach(EVIDENCE, "written", undone=False),)


def test_mend_tells_the_stat_and_the_entry_of_what_is_intact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = tmp_path / "brain/sources/cloop/large.md"
    large.parent.mkdir(parents=True)
    large.write_bytes(bytes(range(256)) * 1000)
    sealed = fill(tmp_path)
    (tmp_path / EVIDENCE).write_text("changed")
    # A file as young as the look may still change within the same tick of the file system's clock.
    monkeypatch.setattr(seal, "change_time", lambda _root: 0)
    assert sealed.mend(Free())
    assert sealed.intact == {}
    (tmp_path / EVIDENCE).write_text("changed again")
    monkeypatch.setattr(seal, "change_time", lambda _root: 1 << 63)
    assert sealed.mend(Free())
    assert sealed.intact.keys() == sealed.files.keys() - {EVIDENCE}
    assert all(content.read(str(tmp_path), path) == seen for path, seen in sealed.intact.items())
