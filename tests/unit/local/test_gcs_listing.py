"""Listings of the embedded GCS server against the plainest possible model, page by page."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local.gcs import listing, projection
from local.gcs.errors import GcsError
from local.gcs.listing import ListingQuery
from local.gcs.preconditions import Preconditions
from local.gcs.store import ObjectStore
from tests.cases import cases
from tests.tables import table

#: Few letters, so that prefixes, folders and neighbours meet; the last of all characters and the surrogates' rim.
LETTERS = st.sampled_from(["a", "b", "/", "//", "\ud7ff", "\ue000", "\U0010ffff", "é"])
SHORT = st.lists(LETTERS, max_size=2).map("".join)
NAMES = st.lists(LETTERS, min_size=1, max_size=5).map("".join)


@pytest.fixture(scope="module")
def store() -> Iterator[ObjectStore]:
    with tempfile.TemporaryDirectory() as folder:
        store = ObjectStore(Path(folder))
        yield store
        store.close()


def fill(store: ObjectStore, names: set[str]) -> str:
    """A new bucket with these objects."""
    bucket = f"bucket-{len(store.buckets())}"
    store.create_bucket({"name": bucket})
    for name in names:
        store.put(bucket, name, b"", {}, Preconditions())
    return bucket


def expected(names: set[str], asked: ListingQuery) -> tuple[list[str], list[str]]:
    prefix, delimiter, start, end = asked.prefix, asked.delimiter, asked.start_offset, asked.end_offset
    items, folders = [], []
    for name in sorted(names, key=str.encode):
        if not name.startswith(prefix) or name < start or (end and name >= end):
            continue
        rest = name[len(prefix) :]
        if delimiter and delimiter in rest:
            folders.append(prefix + rest[: rest.index(delimiter)] + delimiter)
        else:
            items.append(name)
    return items, sorted(set(folders), key=str.encode)


@settings(max_examples=cases(100), deadline=None)
@given(
    names=st.sets(NAMES, max_size=12),
    asked=st.builds(
        ListingQuery,
        prefix=SHORT,
        delimiter=st.sampled_from(["", "/", "a", "\U0010ffff"]),
        start_offset=SHORT,
        end_offset=SHORT,
        page_names=st.integers(1, 4),
    ),
)
def test_pages_together_are_the_listing(store: ObjectStore, names: set[str], asked: ListingQuery) -> None:
    bucket = fill(store, names)
    items: list[str] = []
    folders: list[str] = []
    token = ""
    for _ in range(100):
        page = listing.page(store, bucket, replace(asked, page_token=token))
        assert len(page) <= asked.page_names
        items += [item.name for item in page.items]
        folders += page.prefixes
        token = page.next_token
        if not token:
            break
    assert (items, folders) == expected(names, asked)


@pytest.mark.parametrize("token", ["x", "AAAA", "W10=", "IiI="])
def test_a_forged_page_token_is_refused(store: ObjectStore, token: str) -> None:
    bucket = fill(store, {"a"})
    with pytest.raises(GcsError, match="pageToken"):
        listing.page(store, bucket, ListingQuery(page_token=token))


@table(
    ("glob", "matching", "other"),
    [
        ("a*b", "axxb", "a/b"),
        ("a**b", "a/x/b", "a/x/c"),
        ("?.md", "x.md", "/.md"),
        ("{x,y}z", "yz", "x,yz"),
        ("[!a]", "b", "a"),
        ("a.b+(c)", "a.b+(c)", "axb+(c)"),
        ("{a,b", "b", "{a"),
        ("a,b", "a,b", "a"),
        ("**", "any\nthing/at/all", None),
    ],
)
def test_globs(glob: str, matching: str, other: str | None) -> None:
    pattern = ListingQuery.parse({"matchGlob": glob}).glob
    assert pattern
    assert pattern.fullmatch(matching)
    assert other is None or not pattern.fullmatch(other)


def test_a_broken_glob_is_refused() -> None:
    with pytest.raises(GcsError, match="matchGlob"):
        ListingQuery.parse({"matchGlob": "[z-a]"})


@table(
    ("fields", "kept"),
    [
        ("items(name)", {"items": [{"name": "a"}]}),
        ("items/name,next", {"items": [{"name": "a"}], "next": 1}),
        ("items(name,meta/x),missing", {"items": [{"name": "a", "meta": {"x": 1}}]}),
        ("items(meta(y))", {"items": [{"meta": {"y": 2}}]}),
        ("*", {"items": [{"name": "a", "meta": {"x": 1, "y": 2}}], "next": 1}),
    ],
)
def test_projection(fields: str, kept: dict[str, object]) -> None:
    document = {"items": [{"name": "a", "meta": {"x": 1, "y": 2}}], "next": 1}
    assert projection.project(document, projection.parse(fields)) == kept


@pytest.mark.parametrize("fields", ["items(", "items)", "a(b))"])
def test_unbalanced_projection_is_refused(fields: str) -> None:
    with pytest.raises(GcsError, match="field selection"):
        projection.parse(fields)
