"""A report's file is written once, and never through a link."""

from __future__ import annotations

from pathlib import Path

from consumer.reports import files


def test_a_file_is_written_only_if_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "reports/a.json"
    assert [files.put(path, data) for data in (b"1", b"1", b"2")] == [True, False, True]
    assert path.read_bytes() == b"2"


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    elsewhere, path = tmp_path / "elsewhere", tmp_path / "a.json"
    elsewhere.write_bytes(b"1")
    path.symlink_to(elsewhere)
    assert files.put(path, b"1")
    assert (path.is_symlink(), path.read_bytes()) == (False, b"1")
    path.unlink()
    path.symlink_to(elsewhere)
    files.put(path, b"2")
    assert elsewhere.read_bytes() == b"1"


def test_what_is_added_stands_below_what_we_wrote(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "calls.jsonl", tmp_path / "elsewhere"
    for line in (b"1\n", b"2\n"):
        files.append(path, line)
    assert path.read_bytes() == b"1\n2\n"
    path.write_bytes(b"x" * 2_000_000)
    files.append(path, b"3\n")
    assert path.read_bytes() == b"3\n"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    files.append(path, b"4\n")
    assert (path.read_bytes(), elsewhere.read_bytes()) == (b"4\n", b"3\n")


def test_a_document_is_written_for_people_and_tools() -> None:
    assert files.encode({"a": [1]}) == b'{\n  "a": [\n    1\n  ]\n}\n'
