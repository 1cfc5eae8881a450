"""A warm folder becomes the run's folder if that one is free."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from consumer.repository.warm import _take_over


def a_folder(path: Path) -> Path:
    path.mkdir()
    (path / "page.md").write_text("x")
    return path


@pytest.mark.parametrize("root", ["root", "deep/er/root", "empty"])
def test_a_run_takes_a_warm_folder_where_nothing_is(tmp_path: Path, root: str) -> None:
    warm, place = a_folder(tmp_path / "warm"), tmp_path / root
    if root == "empty":
        place.mkdir()
    assert _take_over(warm, place)
    assert (place / "page.md").read_text() == "x"
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert not warm.exists()
    made = [folder for folder in place.parents if tmp_path in folder.parents]
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in made[:1]} <= {0o700}


def test_a_folder_in_which_something_is_stays(tmp_path: Path) -> None:
    warm, place = a_folder(tmp_path / "warm"), a_folder(tmp_path / "root")
    assert not _take_over(warm, place)
    assert warm.exists()


@pytest.mark.parametrize("warm", ["link", "nothing"])
def test_what_is_no_folder_leaves_an_empty_one(tmp_path: Path, warm: str) -> None:
    """A link in its place would redirect all later writes."""
    target, place = a_folder(tmp_path / "target"), tmp_path / "root"
    if warm == "link":
        (tmp_path / warm).symlink_to(target)
    assert not _take_over(tmp_path / warm, place)
    assert (place.is_symlink(), list(place.iterdir())) == (False, [])
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert (target / "page.md").exists()
