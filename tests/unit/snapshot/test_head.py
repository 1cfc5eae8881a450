"""What a HEAD may say, which entries are safe, and how two trees differ."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from consumer.snapshot import catalog, snapshot
from consumer.snapshot.snapshot import BLOCK_BYTES, FOLDER, Delta, Entry, Head, Tree, decode_head, diff
from tests.tables import table

DAY = "2026-11-27T09:00:00Z"
WRITTEN = {"seq": 3, "commit": "c", "index": "i", "epoch": 2, "job_id": "j", "attempt": 1, "frozen": ""}
A, B = "11" * 32, "22" * 32


@table(
    "fields",
    [
        {},
        WRITTEN,
        {**WRITTEN, "index": None, "job_id": None},
        {"epoch": 4},
        {**WRITTEN, "frozen": "I2: damaged"},
        {"seq": 3, "erased": DAY},
        {"erased": DAY},
    ],
)
def test_a_head_is_read_as_it_was_written(fields: dict[str, Any]) -> None:
    head = Head(**fields)
    assert decode_head(head.encode(), 7) == head.at(7)
    assert (b"erased" in head.encode()) == ("erased" in fields), "an earlier release knows no such field"


@table(
    ("changes", "reason"),
    [
        *(({name: value}, "integers from 0") for name in ("seq", "epoch", "attempt") for value in (-1, 1.5, "1", None)),
        *(({name: 5}, "strings or null") for name in ("commit", "index", "job_id")),
        ({"frozen": None}, "must be strings"),
        ({"erased": 1}, "must be strings"),
        ({"erased": DAY, "index": None}, "although everything was erased"),
        ({"erased": DAY, "commit": None}, "although everything was erased"),
        ({"commit": None}, "both a seq and a commit, or neither"),
        ({"seq": 0}, "both a seq and a commit, or neither"),
    ],
)
def test_a_head_of_other_types_or_that_contradicts_itself_is_none(changes: dict[str, Any], reason: str) -> None:
    head = Head(**{**WRITTEN, **changes})
    with pytest.raises(TypeError, match=reason):
        head.require_types()
    with pytest.raises(ValueError, match=r"HEAD of \d+ bytes is not a head record: TypeError"):
        decode_head(head.encode(), 1)


@table(
    ("fields", "broken"),
    [
        ({"erased": DAY, "frozen": "I2"}, f"its erasure of {DAY} is not finished"),
        ({"frozen": "a page is damaged"}, "HEAD says why"),
    ],
)
def test_why_a_history_is_frozen_is_told_without_the_name_of_a_page(fields: dict[str, Any], broken: str) -> None:
    assert Head(**fields).broken == broken


def entry(path: str = "a", mode: int = 0o644, size: int = 5, digest: str = A, *blocks: str) -> Entry:
    return Entry(path, mode, size, digest, "33" * 16, blocks)


FOLDERS = {"d": entry("d", 0o755, FOLDER, ""), "f": entry("f")}


@table(
    ("item", "fault"),
    [
        (entry(mode=0), None),
        (entry(mode=0o777), None),
        (entry(mode=0o1000), "not a plain file or folder"),
        (entry(mode=-1), "not a plain file or folder"),
        (entry(size=0), None),
        (entry(size=FOLDER), None),
        (entry(size=FOLDER - 1), "not a plain file or folder"),
        (entry(size=BLOCK_BYTES), None),
        (entry("a", 0o644, BLOCK_BYTES, A, B), "has 1 blocks"),
        (entry("a", 0o644, BLOCK_BYTES + 1, A, A, B), None),
        (entry("a", 0o644, BLOCK_BYTES + 1, A, B), "has 1 blocks"),
        (entry("a", 0o644, 2 * BLOCK_BYTES, A, A, B), None),
        (entry("a", 0o644, 2 * BLOCK_BYTES + 1, A, A, B), "has 2 blocks"),
        (entry("a", 0o644, 5, A, B), "has 1 blocks"),
        (entry("d/a"), None),
        (entry("f/a"), "is not inside a folder of this snapshot"),
        (entry("x/a"), "is not inside a folder of this snapshot"),
    ],
)
def test_an_entry_is_a_plain_file_or_folder_inside_of_another(item: Entry, fault: str | None) -> None:
    reason = snapshot._entry_fault(item, FOLDERS)
    assert (reason is None) if fault is None else (reason is not None and fault in reason)


def test_a_difference_is_what_changed_apart_from_nonces() -> None:
    kept, changed, gone = entry("kept"), entry("changed"), entry("gone")
    old = Tree({each.path: each for each in (kept, changed, gone)}, frozenset({"bb", "aa"}))
    new = {
        "kept": kept._replace(nonce="44" * 16),
        "changed": changed._replace(size=6),
        "new": entry("new"),
    }
    delta = diff(old, new)
    assert delta == Delta((new["changed"], new["new"]), ("gone",), drop_erased=("aa", "bb"))
    assert diff(old, {**new, "kept": kept}).put == delta.put
    after = old.apply(delta, Delta(drop=("absent",), put_erased=("cc",)))
    assert dict(after.entries) == {**new, "kept": kept}
    assert after.erased == {"cc"}
    assert not Delta()
    for each in ({"put": (kept,)}, {"drop": ("a",)}, {"put_erased": ("aa",)}, {"drop_erased": ("aa",)}):
        assert Delta(**each)


def test_a_trees_digest_is_of_paths_modes_sizes_and_contents() -> None:
    tree = Tree({path: entry(path) for path in ("b", "a")})
    rows = [f"{path}\x00644\x005\x00{A}" for path in ("a", "b")]
    assert tree.digest() == hashlib.sha256("\n".join(rows).encode()).hexdigest()
    assert (tree.files, tree.total_bytes) == (2, 10)
    whole = Tree({**tree.entries, **FOLDERS, "e": entry("e", size=0)})
    assert (whole.files, whole.total_bytes) == (4, 15)


def test_the_contents_of_entries_are_found_by_their_keys() -> None:
    items = [
        entry("a"),
        entry("empty", size=0, digest=B),
        entry("folder", size=FOLDER, digest=B),
        entry("large", 0o644, BLOCK_BYTES + 1, "55" * 32, "66" * 32, "77" * 32),
    ]
    assert catalog.keys(items) == {catalog.key(digest) for digest in (A, "66" * 32, "77" * 32)}
    assert [len(item.contents) for item in items] == [1, 0, 0, 2]
