"""What was read in a record is kept as long as the record is as it was read, and not a moment longer."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from consumer.evidence.index import open_index, pending
from consumer.evidence.index.store import SqliteRecordIndex
from consumer.evidence.records import IndexedRecord, ReadingRow

SECRET = b"the words of a promise"


def _record(record_id: str, checksum: str = "v1", source: str = "mails", page: str = "p.md") -> IndexedRecord:
    return IndexedRecord(
        *(source, record_id, checksum, "then", "", "t", "stem", page, "", "profile"), "raw", 0, 1, "undated", ""
    )


def _read(record: IndexedRecord, version: str = "1", reader: str = "rules", body: bytes = SECRET) -> ReadingRow:
    return ReadingRow(record.source, record.record_id, reader, version, record.checksum, body)


def _put(index: SqliteRecordIndex, record: IndexedRecord) -> None:
    index.put(record, [], [], index.find(record.source, record.record_id))


def _unread(index: SqliteRecordIndex, version: str = "1", reader: str = "rules") -> list[str]:
    return [record.record_id for record in index.unread("mails", reader, version)]


@pytest.fixture(params=[1, pending.RECORDS], ids=["written at once", "waiting"])
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> SqliteRecordIndex:
    monkeypatch.setattr(pending, "RECORDS", request.param)
    opened = open_index(tmp_path / "index.sqlite")
    request.addfinalizer(opened.close)
    for name in "abc":
        _put(opened, _record(name))
    return opened


def test_a_record_is_unread_until_this_version_of_this_reader_has_read_it(index: SqliteRecordIndex) -> None:
    assert _unread(index) == ["a", "b", "c"]
    index.put_reading(_read(_record("b")))
    assert _unread(index) == ["a", "c"]
    assert _unread(index, version="2") == ["a", "b", "c"]
    assert _unread(index, reader="model") == ["a", "b", "c"]
    index.put_reading(_read(_record("b"), version="2", body=b"more"))
    assert _unread(index, version="2") == ["a", "c"]
    assert list(index.readings("rules")) == [("mails", "b", b"more")]


def test_records_may_be_read_while_they_are_listed(index: SqliteRecordIndex) -> None:
    for record in index.unread("mails", "rules", "1"):
        index.put_reading(_read(record))
    assert _unread(index) == []
    assert [record_id for _, record_id, _ in index.readings("rules")] == ["a", "b", "c"]


def test_readers_do_not_replace_each_other(index: SqliteRecordIndex) -> None:
    index.put_reading(_read(_record("a")))
    index.put_reading(_read(_record("a"), reader="model", body=b"other"))
    assert list(index.readings("rules")) == [("mails", "a", SECRET)]
    assert list(index.readings("model")) == [("mails", "a", b"other")]


@pytest.mark.parametrize("change", ["changed", "dropped", "moved", "same"])
def test_a_reading_lives_as_long_as_the_version_that_was_read(index: SqliteRecordIndex, change: str) -> None:
    index.put_reading(_read(_record("a")))
    if change == "changed":
        _put(index, _record("a", "v2"))
    elif change == "dropped":
        index.drop("mails", "a")
    else:
        _put(index, _record("a", page="p.md" if change == "same" else "q.md"))
    assert [row[1] for row in index.readings("rules")] == ([] if change in ("changed", "dropped") else ["a"])


def test_what_is_not_committed_is_not_kept_and_what_is_dropped_leaves_no_byte(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    with closing(open_index(path)) as index:
        _put(index, _record("a"))
        _put(index, _record("b"))
        index.put_reading(_read(_record("a")))
        index.put_reading(_read(_record("b"), body=b"what stays"))
        index.commit()
    with closing(open_index(path)) as index:
        index.drop("mails", "a")
    with closing(open_index(path)) as index:
        assert len(list(index.readings("rules"))) == 2
        index.drop("mails", "a")
        index.compact()
        assert list(index.readings("rules")) == [("mails", "b", b"what stays")]
    assert SECRET not in path.read_bytes()
    assert b"what stays" in path.read_bytes()


def test_after_compacting_too_only_what_is_committed_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    with closing(open_index(path)) as index:
        _put(index, _record("a"))
        index.compact()
        index.drop("mails", "a")
    with closing(open_index(path)) as index:
        assert index.find("mails", "a")
        index.compact()
        index.drop("mails", "a")
        index.commit()
    with closing(open_index(path)) as index:
        assert not index.find("mails", "a")
