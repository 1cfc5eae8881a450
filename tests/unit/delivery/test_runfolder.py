from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from consumer.delivery.runfolder import FolderBusy, RunFolder


def test_every_run_sees_its_own_empty_folder_at_one_path(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "root")
    with folder.mutex(), folder.open("job-1") as first:
        assert first == folder.workspace
        assert stat.S_IMODE(first.stat().st_mode) == 0o700
        assert stat.S_IMODE(folder.root.stat().st_mode) == 0o711, "a tool under another user passes through it"
        (first / "page.md").write_text("x")
    with folder.mutex(), folder.open("job-2") as second:
        assert second == first
        assert list(second.iterdir()) == []
    assert not folder.workspace.exists()
    assert not (folder.root / "jobs").exists()


@pytest.mark.integration
def test_one_run_at_a_time_in_and_between_processes(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    other = (
        "import sys; from pathlib import Path; from consumer.delivery.runfolder import FolderBusy, RunFolder\n"
        "try:\n"
        "    with RunFolder(Path(sys.argv[1])).mutex(): print('had it')\n"
        "except FolderBusy: print('busy')\n"
    )

    def ask() -> str:
        done = subprocess.run(
            [sys.executable, "-c", other, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout.strip()

    with folder.mutex():
        with pytest.raises(FolderBusy), RunFolder(tmp_path).mutex():
            pass
        assert ask() == "busy"
    assert ask() == "had it"


@pytest.mark.integration
def test_folders_that_may_not_even_be_read_are_removed(tmp_path: Path) -> None:
    """As one that is not root: an agent of the same user must not lock the next run out."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        folder = RunFolder(root)
        try:
            with less_than_root(Path(place)):
                with folder.mutex(), folder.open("job-1") as first:
                    (first / "a/b/c").mkdir(parents=True)
                    (first / "link").symlink_to(tmp_path)
                    for path in (first / "a/b/c", first / "a/b", first / "a", first.resolve()):
                        path.chmod(0)
                assert not (root / "jobs").exists()
                with folder.mutex(), folder.open("job-2") as second:
                    assert list(second.iterdir()) == []
        finally:
            subprocess.run(["chmod", "-R", "u+rwX", place], check=True, timeout=60)


@contextmanager
def less_than_root(place: Path) -> Iterator[None]:
    """Root enters and reads whatever the modes are."""
    if os.geteuid() != 0:
        yield
        return
    os.chown(place, 65534, 65534)
    os.seteuid(65534)
    try:
        if not os.access(place, os.W_OK | os.X_OK, effective_ids=True):
            pytest.skip("temporary files lie where only root may go")
        yield
    finally:
        os.seteuid(0)


def test_what_a_dead_run_left_is_removed_even_if_it_was_read_only(tmp_path: Path) -> None:
    dead = tmp_path / "jobs" / "dead" / "brain"
    dead.mkdir(parents=True)
    (dead / "page.md").write_text("x")
    (dead / "page.md").chmod(0o400)
    dead.chmod(0o500)
    (tmp_path / "workspace").symlink_to(tmp_path / "jobs" / "dead")
    outside = tmp_path.parent / "outside.txt"
    outside.write_text("stays")
    (tmp_path / "jobs" / "dead" / "link").symlink_to(outside)
    folder = RunFolder(tmp_path)
    with folder.mutex(), folder.open("next") as root:
        assert list(root.iterdir()) == []
    assert outside.read_text() == "stays"
