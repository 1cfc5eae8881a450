"""The record index gives what was put last, however it was asked before and however much waits to be written."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumer.evidence.index import open_index, pending, schema
from consumer.evidence.index.store import SqliteRecordIndex
from consumer.evidence.records import IndexedRecord
from renderers.base import Mention
from tests.cases import cases

Key = tuple[str, str]
_keys = st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"))
_versions = st.sampled_from(["v1", "v2"])
_steps = st.one_of(
    st.tuples(st.just("put"), _keys, _versions),
    st.tuples(st.just("drop"), _keys),
    st.tuples(st.just("locate"), _keys, _versions),
    st.tuples(st.just("expect"), st.lists(_keys, max_size=6)),
    st.tuples(st.just("find"), _keys),
    st.tuples(st.just("members")),
)


def _record(key: Key, checksum: str) -> IndexedRecord:
    return IndexedRecord(
        *(*key, checksum, "then", "", "t", "stem", "stem.md", "", "profile"), "raw", 0, 1, "undated", ""
    )


def _do(index: SqliteRecordIndex, step: tuple[Any, ...], model: dict[Key, IndexedRecord]) -> None:
    match step:
        case ("put", key, version):
            model[key] = _record(key, version)
            index.put(model[key], [], [], index.find(*key))
        case ("drop", key):
            assert index.drop(*key) == (model.pop(key, None) is not None)
        case ("locate", key, page):
            members = [record for record in index.members("stem") if record[:2] == key]
            index.locate([(record, page, "") for record in members])
            model.update((key, record._replace(page=page)) for record in members)
        case ("expect", keys):
            index.expect(keys)
        case ("find", key):
            assert index.find(*key) == model.get(key)
        case ("members",):
            assert index.members("stem") == [model[key] for key in sorted(model)]
            assert index.member_keys("stem") == sorted(model)


@settings(max_examples=cases(150), deadline=None)
@given(st.lists(_steps, max_size=40))
def test_expecting_and_waiting_change_no_answer(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pending, "RECORDS", 3)
        patch.setattr(schema, "TOGETHER", 2)
        model: dict[Key, IndexedRecord] = {}
        with closing(open_index(Path(folder) / "index.sqlite")) as index:
            for step in steps:
                _do(index, step, model)
            assert {key: index.find(*key) for key in model} == model


def test_every_source_that_has_records_is_told_once(tmp_path: Path) -> None:
    with closing(open_index(tmp_path / "index.sqlite")) as index:
        assert index.sources() == []
        for key in (("b", "x"), ("a", "y"), ("b", "y"), ("c", "z")):
            index.put(_record(key, "v1"), [], [], None)
        index.drop("c", "z")
        assert index.sources() == ["a", "b"]


def test_pages_of_whom_a_record_names_or_named_by_another_are_rendered_again(tmp_path: Path) -> None:
    """A message names those of its meeting: the pages of all whom it names show the others."""

    record = _record(("a", "x"), "v1")

    def rendered_after(act: Callable[[SqliteRecordIndex], None]) -> list[str]:
        """Whose pages a run renders that did this, and the record's own."""
        with closing(open_index(tmp_path / "index.sqlite")) as index:
            act(index)
            again = [*(key for _, key in index.dirty_entities()), *index.dirty_stems()]
            index.commit()
            return again

    def inherit(*names: str) -> list[str]:
        return rendered_after(lambda index: index.inherit(record, [Mention("person", name, name) for name in names]))

    own = [Mention("person", "ann", "Ann")]
    assert rendered_after(lambda index: index.put(record, own, [], None)) == ["ann", "stem"]
    assert inherit("bob") == ["ann", "bob", "stem"]
    assert inherit("cat") == ["ann", "bob", "cat", "stem"]
    assert inherit() == ["ann", "cat", "stem"]


def test_indexes_are_made_once_and_sorted_in_little_memory(tmp_path: Path) -> None:
    """A sort takes as much memory as the cache may: on top of the cache itself it was what a run needed most."""
    statements: list[str] = []
    with closing(schema.open_writable(tmp_path / "index.sqlite")) as db:
        db.set_trace_callback(statements.append)
        schema.make_indexes(db)
        little, *made, whole = statements[1:]
        assert (little, whole) == (
            f"pragma cache_size = -{schema.SORT_KIB}",
            f"pragma cache_size = -{schema.CACHE_KIB}",
        )
        assert [statement.split()[2] for statement in made if statement.startswith("create")] == list(schema.INDEXES)
        statements.clear()
        schema.make_indexes(db)
        assert len(statements) == 1
    assert 4 * schema.SORT_KIB <= schema.CACHE_KIB
