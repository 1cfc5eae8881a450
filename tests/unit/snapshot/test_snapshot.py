"""HEAD, entries and trees: what is encoded comes back, and differences lead from one tree to the other."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from consumer.errors import NotOfForm
from consumer.snapshot import catalog, merkle, snapshot
from consumer.snapshot.catalog import Catalog, CatalogBase, DiffRun, Frame, Pack
from consumer.snapshot.snapshot import BLOCK_BYTES, FOLDER, Delta, Entry, Head, SnapshotLimits, Tree
from tests.tables import table

HEAD = Head(7, "a" * 64, "b" * 64, 3, "job-1", 2, "", generation=99)
entries = st.builds(
    Entry,
    st.sampled_from(["a", "b", "c", "d/e", "d"]),
    st.sampled_from([0o600, 0o644]),
    st.integers(0, 50),
    st.sampled_from(["11" * 32, "22" * 32]),
    st.sampled_from(["33" * 16, "44" * 16]),
)
trees = st.lists(entries, max_size=5).map(lambda tree_entries: Tree({entry.path: entry for entry in tree_entries}))


def test_head_is_read_as_it_was_written_or_not_at_all() -> None:
    data = HEAD.encode()
    assert snapshot.decode_head(data, 99) == HEAD
    for at in range(len(data)):
        for bit in (1, 4, 32):
            flipped = bytearray(data)
            flipped[at] ^= bit
            with pytest.raises(ValueError, match=r"HEAD of \d+ bytes"):
                snapshot.decode_head(bytes(flipped), 99)


@given(trees, trees)
def test_a_difference_leads_from_one_tree_to_the_other(old: Tree, new: Tree) -> None:
    after = old.apply(snapshot.diff(old, new.entries))
    assert after.digest() == new.digest()
    assert snapshot.diff(after, new.entries) == Delta()


@given(trees)
def test_trees_and_runs_come_back(tree: Tree) -> None:
    assert catalog.load_tree(catalog.store_tree(tree).data) == tree
    delta = snapshot.diff(Tree(), tree.entries)
    assert catalog.load_run(catalog.store_run([(4, delta)]).data) == [(4, delta)]


odd_entries = st.builds(
    Entry,
    st.one_of(
        st.sampled_from(
            ["a", "a/b", "a/b/c", "A", "", "/a", "a/", "a//b", ".a", "a/.b", "../a", "a/..", ".", "a\nb", "a\0", "\xe9"]
        ),
        st.sampled_from(["x" * 255, "x" * 256, "a/" + "x" * 254, "\udc80"]),
    ),
    st.sampled_from([0o600, 0o755, -1, 0o1000]),
    st.sampled_from([FOLDER, FOLDER - 1, 0, 7, BLOCK_BYTES, BLOCK_BYTES + 1]),
    st.just("11" * 32),
    st.just("33" * 16),
    st.sampled_from([(), ("11" * 32,), ("11" * 32, "22" * 32)]),
)


@given(st.lists(st.one_of(entries, odd_entries), max_size=8))
def test_a_look_at_all_paths_together_finds_what_a_look_at_each_entry_finds(several: list[Entry]) -> None:
    tree = {entry.path: entry for entry in several}
    one_by_one = snapshot._first(snapshot._entry_fault(entry, tree) for entry in tree.values())
    expected = one_by_one or snapshot._collision(tree)
    assert snapshot.fault(tree, SnapshotLimits()) == expected
    assert snapshot.fault(tree, SnapshotLimits(), list(tree.values())) == expected


def test_names_that_begin_with_a_dot_leave_only_large_files_to_check_one_by_one() -> None:
    # A brain's folder has such a name (``Home.settings``), so nearly every tree has one.
    small = [Entry(path, 0o755, FOLDER, "", "33" * 16) for path in ("a", "a/.b")]
    small += [Entry(path, 0o644, 7, "11" * 32, "33" * 16) for path in ("a/.b/c", ".d", "a/e..f")]
    large = Entry("a/g", 0o644, BLOCK_BYTES + 1, "11" * 32, "33" * 16, ("11" * 32, "22" * 32))
    tree = {entry.path: entry for entry in [*small, large]}
    assert snapshot._suspects(tree) == [large]
    assert snapshot.fault(tree, SnapshotLimits()) is None


@given(trees)
def test_the_root_is_that_of_the_entries_leaves(tree: Tree) -> None:
    assert tree.merkle_root() == merkle.root(sorted(entry.leaf() for entry in tree.entries.values())).hex()


def test_an_erased_entry_keeps_the_root() -> None:
    tree = Tree({path: Entry(path, 0o644, 1, "11" * 32, f"{n:032x}") for n, path in enumerate("abcde")})
    leaf = tree.entries["c"].leaf().hex()
    erased = Tree({path: entry for path, entry in tree.entries.items() if path != "c"}, frozenset({leaf}))
    assert erased.merkle_root() == tree.merkle_root()
    assert erased.digest() != tree.digest()


def test_a_large_files_digest_is_not_that_of_any_small_file() -> None:
    size, digest = snapshot.digest_of(b"x" * (BLOCK_BYTES + 1))
    blocks = [hashlib.sha256(b"x" * BLOCK_BYTES).hexdigest(), hashlib.sha256(b"x").hexdigest()]
    assert (size, digest) == (BLOCK_BYTES + 1, snapshot.file_digest(blocks))
    large = Entry("a", 0o644, size, digest, "00" * 16)
    small = Entry("a", 0o644, 73, digest, "00" * 16)
    assert large.leaf() != small.leaf()


def test_contents_of_folders_and_empty_files_are_none() -> None:
    assert Entry("a", 0o755, FOLDER, "", "00" * 16).contents == ()
    assert Entry("a", 0o644, 0, "11" * 32, "00" * 16).contents == ()


def pack(name: str, *contents: str, stored: int = 100_000, length: int = 1_000_000) -> Pack:
    keys = tuple((key, length) for key in contents)
    return Pack(name, (Frame(stored, length * len(keys), keys),))


def test_a_content_that_was_packed_again_is_taken_from_the_later_pack() -> None:
    places = catalog.places([pack("one", "a", "b"), pack("two", "b", "c")])
    assert {key: place.pack for key, place in places.items()} == {"a": "one", "b": "two", "c": "two"}
    assert places["c"].start == 1_000_000


@table(
    "number, stored, repacked",
    [
        (catalog.MAX_SMALL_PACKS, 100_000, 0),
        (catalog.MAX_SMALL_PACKS + 1, 100_000, catalog.MAX_SMALL_PACKS + 1),
        (catalog.MAX_SMALL_PACKS + 1, catalog.SMALL_PACK_BYTES - 1, catalog.MAX_SMALL_PACKS + 1),
        (catalog.MAX_SMALL_PACKS + 1, catalog.SMALL_PACK_BYTES, 0),
    ],
)
def test_many_small_packs_are_packed_again_and_few_are_not(number: int, stored: int, repacked: int) -> None:
    packs = [pack(f"p{n}", f"k{n}", stored=stored) for n in range(number)]
    assert len(catalog.to_repack(packs, catalog.places(packs), [f"k{n}" for n in range(number)])) == repacked


def test_the_deadest_pack_goes_first_and_only_as_far_as_needed() -> None:
    packs = [
        pack("full", *(f"f{n}" for n in range(10)), stored=5_000_000),
        pack("half", "h0", "h1", stored=5_000_000),
        pack("dead", "d0", "d1", "d2", "d3", stored=5_000_000),
    ]
    wanted = [*(f"f{n}" for n in range(10)), "h0", "d0"]
    assert catalog.to_repack(packs, catalog.places(packs), wanted) == {"dead"}


def test_the_catalog_comes_back() -> None:
    delta = Delta(put=(Entry("a", 0o644, 1, "11" * 32, "22" * 16),))
    tree = Tree().apply(delta)
    grown, objects = catalog.advance(Catalog(), delta, tree, [pack("aa", "b" * 32)], [b"\1" * 32])
    assert catalog.load_catalog(catalog.store_catalog(grown).data) == grown
    assert [item.folder for item in objects] == ["trees"]
    assert grown.epoch_of(1).seq == 1
    with pytest.raises(KeyError, match="has no tree of commit 2"):
        grown.epoch_of(2)


@pytest.mark.parametrize("data", [b"", b"nonsense", catalog.store_tree(Tree()).data[:-3]])
def test_metadata_that_cannot_be_read_says_so(data: bytes) -> None:
    with pytest.raises(ValueError, match="of metadata"):
        catalog.load_tree(data)


LARGE = Entry("a", 0o644, 1, "11" * 32, "22" * 16, ("33" * 32,))
SMALL = Entry("b", 0o600, 2, "44" * 32, "55" * 16)


@pytest.mark.parametrize("entries", [(), (LARGE,), (SMALL,), (SMALL, LARGE), (LARGE, SMALL)], ids=len)
def test_entries_with_and_without_blocks_come_back(entries: tuple[Entry, ...]) -> None:
    run = [(1, Delta(put=entries))]
    assert catalog.load_run(catalog.store_run(run).data) == run


@pytest.mark.parametrize("row", [[*SMALL[:4]], [*LARGE, "more"], [*SMALL[:5], [], "more"]], ids=len)
@pytest.mark.parametrize("others", [[], [list(SMALL[:5])], [list(LARGE)]], ids=len)
def test_an_entry_with_other_fields_is_no_entry(row: list[Any], others: list[list[Any]]) -> None:
    document = {"format": catalog.FORMAT, "entries": [*others, row], "erased": []}
    with pytest.raises(NotOfForm):
        catalog.load_tree(zstandard.compress(orjson.dumps(document)))


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside of a document."""
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield (*at, key)
            yield from places(document[key], (*at, key))


CATALOG = orjson.loads(
    zstandard.decompress(
        catalog.store_catalog(
            Catalog(
                seq=3,
                epochs=(CatalogBase(1, "aa", 9, (DiffRun(2, 2, "bb", 9),)),),
                recent=(
                    (
                        3,
                        Delta(
                            (Entry("a", 0o644, 1, "11" * 32, "22" * 16, ("33" * 32,)),),
                            ("b",),
                            ("cc" * 32,),
                            ("dd" * 32,),
                        ),
                    ),
                ),
                live=("cc",),
                cold=("dd",),
                packs=(Pack("ee", (Frame(5, 9, (("f" * 32, 9),)),)),),
                frontier=("ff",),
            )
        ).data
    )
)


@table("place", list(places(CATALOG)), ids=lambda place: "-".join(map(str, place)))
def test_a_catalog_of_another_form_is_none_and_breaks_nobody_who_reads_it(place: tuple[Any, ...]) -> None:
    """Its digest proves nothing: whoever may write the bucket chooses both."""
    values: tuple[Any, ...] = (None, -1, 1.5, "x", [], {}, [[]], True)
    for value in values:
        document = copy.deepcopy(CATALOG)
        inside = document
        for key in place[:-1]:
            inside = inside[key]
        inside[place[-1]] = value
        try:
            index = catalog.load_catalog(zstandard.compress(orjson.dumps(document)))
        except NotOfForm:
            continue
        # What passes can be worked with.
        assert catalog.load_catalog(catalog.store_catalog(index).data) == index
        catalog.places(index.packs)
        Tree().apply(*(delta for _, delta in index.recent)).merkle_root()


@given(st.text(alphabet="ab./\0é~", max_size=12) | st.text(max_size=300))
def test_the_quick_look_at_a_name_says_what_the_long_one_says(path: str) -> None:
    assert snapshot.name_fault(path) == snapshot._odd_name_fault(path)


def _named(*names: str) -> list[Pack]:
    """Packs with these digits as names and contents."""
    return [pack(name * 64, name * 32) for name in names]


def test_more_than_twelve_directories_of_packs_become_one_of_what_is_needed_and_one_of_the_rest() -> None:
    packs = _named("a", "b", "c")
    twelve = Catalog(live=tuple(f"{n:064}" for n in range(12)), cold=("old",))
    assert catalog.merge_segments(twelve, packs, ["a" * 64]) == (twelve, [])
    thirteen = replace(twelve, live=(*twelve.live, "new"))
    merged, segments = catalog.merge_segments(thirteen, packs, ["a" * 64, "c" * 64])
    assert [catalog.load_segment(each.data) for each in segments] == [_named("a", "c"), _named("b")]
    assert (merged.live, merged.cold) == ((segments[0].digest,), ("old", segments[1].digest))
    merged, segments = catalog.merge_segments(thirteen, packs, [each.digest for each in packs])
    assert [catalog.load_segment(each.data) for each in segments] == [packs]
    assert (merged.live, merged.cold) == ((segments[0].digest,), ("old",))


def test_metadata_that_claims_more_than_half_a_gibibyte_is_not_unpacked() -> None:
    begun = zstandard.ZstdCompressor().compressobj(size=(512 << 20) + 1).compress(bytes(300_000))
    with pytest.raises(NotOfForm, match="claim to unpack to more"):
        catalog.load_tree(begun)
