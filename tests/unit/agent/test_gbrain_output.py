"""What is taken from the text that GBrain's commands print."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from consumer.agent.gbrain.cli import Imported, causes, last_json, read_import
from consumer.errors import ToolFailed
from consumer.ports import ToolResult
from tests.tables import table

SUMMARY = {"imported": 2, "skipped": 1, "errors": 0, "total_files": 3}


def result(summary: Any, log: str = "", code: int = 0) -> ToolResult:
    return ToolResult(code, b"Importing\n" + orjson.dumps(summary), log.encode(), 0.1)


def test_an_import_says_which_pages_it_left_out_and_why() -> None:
    log = "Skipped notes/a.md: too large \n  Skipped (malformed filename, 2): notes/b c.md \nother\n"
    done = read_import(result(SUMMARY, log))
    assert (done.total, done.imported, done.skipped, done.failed) == (3, 2, 1, False)
    assert done.reasons == {"notes/a.md": "too large", "notes/b c.md": "malformed file name"}
    assert read_import(result({**SUMMARY, "errors": 1})).failed
    assert read_import(result({"imported": 0, "skipped": 0, "errors": 0})) == Imported(-1, 0, 0)


@table("summary", [{}, [], {**SUMMARY, "errors": "none"}, {"imported": 1, "skipped": 1}])
def test_an_import_without_its_summary_failed(summary: Any) -> None:
    with pytest.raises(ToolFailed, match="not the summary"):
        read_import(result(summary))
    with pytest.raises(ToolFailed, match="gbrain import ended with code 7"):
        read_import(result(SUMMARY, code=7))


@table(
    ("output", "wanted"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b'{"a": 1}\n{"b": 2}\n', {"b": 2}),
        (b"words\n[\n  1,\n  2\n]\n", [1, 2]),
        (b'{"a": 1}\nwords', {"a": 1}),
        (b"{ words", None),
        (b"words", None),
        (b"", None),
    ],
)
def test_the_json_at_the_end_of_an_output_counts(output: bytes, wanted: Any) -> None:
    assert last_json(output) == wanted


@table(
    ("output", "named"),
    [
        ("open ENOENT: /x/ann.md", ["ENOENT"]),
        ("HTTP 503 then SQLSTATE 23505 then EACCES then EPERM", ["EPERM", "EACCES", "SQLSTATE 23505"]),
        ("EPERM, EACCES, EPERM", ["EPERM", "EACCES"]),
        # Capitals are not yet an error of the system.
        ("EVERYBODY said ENOUGH", []),
        ("", []),
    ],
)
def test_of_an_output_only_causes_of_known_names_are_told(output: str, named: list[str]) -> None:
    assert causes(output.encode()) == named
