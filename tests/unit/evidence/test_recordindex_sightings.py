"""Sightings answer as a dictionary would, whatever is looked up together and whatever is written away meanwhile."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumer.evidence.index import open_index, open_sightings, schema, sightings
from consumer.evidence.records import IndexedRecord, Sighting, Stamp, Version
from tests.cases import cases

Key = tuple[str, str]

_keys = st.tuples(st.sampled_from(["contacts", "checklists"]), st.sampled_from(["a", "b", "é", "\x00", "😀"]))
_versions = st.none() | st.sampled_from(["v1", "v2"])
_steps = st.one_of(
    st.tuples(st.just("note"), _keys, _versions),
    st.tuples(st.just("expect"), st.lists(_keys, max_size=6)),
    st.tuples(st.just("last"), _keys),
)


def _index(path: Path, known: dict[Key, str]) -> None:
    with closing(open_index(path)) as index:
        for (source, record_id), checksum in known.items():
            place = ("t", "stem", "stem.md", "", "profile", "raw", 0, 1, "undated", "")
            index.put(IndexedRecord(source, record_id, checksum, "then", "", *place), [], [], None)
        index.commit()


def _sighting(version: str | None, at: str, *, fresh: bool = False) -> Sighting:
    return Sighting(Version(version, at, "") if version else None, at, fresh)


@settings(max_examples=cases(60), deadline=None)
@given(st.dictionaries(_keys, st.just("v0")), st.lists(_steps, max_size=30))
def test_the_newest_version_seen_is_given_and_the_unseen_are_named(
    known: dict[Key, str], steps: list[tuple[Any, ...]]
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        # Small enough for many ways of being written away and looked up.
        patch.setattr(sightings, "BUFFERED", 3)
        patch.setattr(schema, "TOGETHER", 2)
        path = Path(folder) / "index.sqlite"
        _index(path, known)
        model: dict[Key, str | None] = {}
        with closing(open_sightings(path)) as seen:
            for step in steps:
                match step:
                    case ("note", (source, record_id), version):
                        seen.note(source, record_id, version and Version(version, "now", ""), "now")
                        model[source, record_id] = version
                    case ("expect", keys):
                        seen.expect(keys)
                    case ("last", (source, record_id)):
                        old = (
                            _sighting(known.get((source, record_id)), "then") if (source, record_id) in known else None
                        )
                        new = model.get((source, record_id), "")
                        expected = old if new == "" else _sighting(new, "now", fresh=True)
                        assert seen.last(source, record_id) == expected
            for source in ("contacts", "checklists"):
                assert [i for i, _ in seen.unseen(source)] == sorted(
                    i for s, i in known.keys() - model.keys() if s == source
                )
                assert seen.live(source) == sum(1 for (s, _), version in model.items() if s == source and version)


def test_what_is_noted_counts_also_when_it_is_written_away_after_it_was_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sightings, "BUFFERED", 2)
    path = tmp_path / "index.sqlite"
    _index(path, {("contacts", "a"): "v0"})
    with closing(open_sightings(path)) as seen:
        seen.note("contacts", "a", Version("v1", "now", ""), "now")
        seen.expect([("contacts", "a"), ("contacts", "b")])
        seen.note("contacts", "b", None, "now")
        assert seen.last("contacts", "a") == _sighting("v1", "now", fresh=True)


def test_a_stamp_says_of_which_time_a_record_is_until_its_row_says_it_again(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    _index(path, {("contacts", "a"): "v0"})
    with closing(open_sightings(path)) as seen:
        assert list(seen.stamps()) == []
        seen.note("contacts", "a", Version("v1", "later", ""), "sooner")
        seen.note("contacts", "gone", None, "1999")
        seen.note("contacts", "plain", Version("v1", "now", ""), "now")
        stamps = list(seen.stamps())
    assert [stamp.at for stamp in stamps] == ["sooner", "1999"]
    assert "gone" not in repr(stamps)
    with closing(open_index(path)) as index:
        for stamp in stamps:
            index.stamp([stamp])
        index.commit()
    with closing(open_sightings(path)) as seen:
        seen.expect([("contacts", "a"), ("contacts", "b")])
        assert seen.last("contacts", "a") == Sighting(Version("v0", "then", ""), "sooner", fresh=False)
        assert seen.last("contacts", "b") is None
        assert seen.last("contacts", "gone") == Sighting(None, "1999", fresh=False)
    with closing(open_index(path)) as index:
        for stamp in stamps:
            index.stamp([Stamp(stamp.record, "")])
        index.commit()
    with closing(open_sightings(path)) as seen:
        assert seen.last("contacts", "a") == _sighting("v0", "then")
        assert seen.last("contacts", "gone") is None
