"""What stands in for pip must refuse what pip would refuse, and bring nothing that nobody asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.deploy import linked


def test_only_what_is_asked_for_comes_along() -> None:
    assert "psycopg-pool" in linked.closure(["psycopg[pool]>=3.2"])
    assert "psycopg-pool" not in linked.closure(["psycopg>=3.2"])
    assert "typing-extensions" in linked.closure(["psycopg>=3.2"]), "what a package needs comes along"


def test_an_installed_package_of_another_version_is_refused() -> None:
    with pytest.raises(AssertionError, match="psycopg<3"):
        linked.closure(["psycopg<3"])


@pytest.mark.parametrize("pins", ["tenacity==0.1\n", "psycopg==3.2\n"])
def test_a_package_needs_its_pin(tmp_path: Path, pins: str) -> None:
    (tmp_path / "dependencies.txt").write_text("tenacity>=9\n")
    (tmp_path / "constraints.txt").write_text(pins)
    with pytest.raises(AssertionError, match="is pinned"):
        linked.install(tmp_path / "dependencies.txt", tmp_path / "constraints.txt", tmp_path / "site")


def test_the_files_of_a_package_are_in_the_folder_and_commands_are_not(tmp_path: Path) -> None:
    (tmp_path / "dependencies.txt").write_text("tenacity>=9\n")
    version = linked.closure(["tenacity"])["tenacity"].version
    (tmp_path / "constraints.txt").write_text(f"# pins\nTenacity=={version}\n")
    linked.install(tmp_path / "dependencies.txt", tmp_path / "constraints.txt", tmp_path / "site")
    assert {path.name for path in (tmp_path / "site").iterdir()} == {"tenacity", f"tenacity-{version}.dist-info"}
    assert (tmp_path / "site" / "tenacity" / "__init__.py").stat().st_size > 0
