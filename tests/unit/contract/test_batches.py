"""A page is read record by record, whatever stands in one of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import batches
from tests.fake_export import USER, record

GOOD = [
    json.loads(record("checklist_items", f"i{n}", {"title": "x", "n": [1, {"a": "]}"}]}).model_dump_json())
    for n in range(50)
]


def _page(records: list[bytes], head: str = "") -> bytes:
    return f'{{{head} "records" : ['.encode() + b" , ".join(records) + b'],\n"next_cursor":{"a":"],}"},"has_more":true}'


def _texts() -> list[str]:
    return [json.dumps(record) for record in GOOD]


def _with(old: str, new: str) -> bytes:
    text = json.dumps(GOOD[17])
    assert old in text
    return text.replace(old, new, 1).encode()


#: A broken record, and what is told of it.
HOSTILE: dict[str, tuple[bytes, str, str]] = {
    "lone-surrogate": (_with('"x"', r'"\ud800"'), "i17", "record: json_invalid"),
    "surrogate-in-name": (_with('"title"', r'"\udfff"'), "i17", "record: json_invalid"),
    "no-utf8": (_with('"x"', '"@"').replace(b"@", b"\xff\xfe"), "i17", "record: json_invalid"),
    "control-character": (_with('"x"', '"\x01"'), "i17", "record: json_invalid"),
    "nested-500": (_with('"x"', "[" * 500 + "]" * 500), "i17", "record: json_invalid"),
    "nested-100000": (_with('"x"', '{"a":' * 100_000 + "1" + "}" * 100_000), "i17", "record: json_invalid"),
    "number-as-id": (_with('"i17"', "17"), "17", "record_id: string_type"),
    "null-as-id": (_with('"i17"', "null"), "null", "record_id: string_type"),
    "list-as-id": (_with('"i17"', '["i17"]'), '["i17"]', "record_id: string_type"),
    "empty-id": (_with('"i17"', '""'), "", "record_id: string_too_short"),
    "long-id": (_with('"i17"', f'"{"i" * 2000}"'), "i" * 1024, "record_id: string_too_long"),
    "surrogate-in-id": (_with('"i17"', r'"a\ud800"'), r"a\ud800", "record: json_invalid"),
    "year-0": (_with('"updated_at": "2026', '"updated_at": "0000'), "i17", "updated_at: datetime_"),
    "year-10000": (_with('"updated_at": "2026', '"updated_at": "10000'), "i17", "updated_at: value_error"),
    "before-year-1-in-utc": (
        _with('"updated_at": "2026-03-01T00:00:00Z"', '"updated_at": "0001-01-01T00:00:00+05:00"'),
        "i17",
        "updated_at: value_error",
    ),
    "no-date": (
        _with('"updated_at": "2026-03-01T00:00:00Z"', '"updated_at": "soon"'),
        "i17",
        "updated_at: value_error",
    ),
    "data-is-a-list": (_with('"data": {', '"data": [1], "other": {'), "i17", "data: dict_type"),
    "deleted-with-data": (_with('"deleted": false', '"deleted": true'), "i17", "record: value_error"),
    "deleted-is-no-truth": (_with('"deleted": false', '"deleted": "perhaps"'), "i17", "deleted: bool_type"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_broken_record_of_fifty_costs_none_of_the_others(name: str) -> None:
    broken, record_id, reason = HOSTILE[name]
    rows = [text.encode() for text in _texts()]
    rows[17] = broken
    page = batches.read(_page(rows))
    assert [record.record_id for record in page.records] == [f"i{n}" for n in range(50) if n != 17]
    assert (page.next_cursor, page.has_more) == ({"a": "],}"}, True)
    (refused,) = page.refused
    assert (refused.user_id, refused.source_key, refused.record_type) == (USER, "checklist_items", "checklist_item")
    assert refused.record_id == record_id
    assert refused.reason.startswith(reason)


def test_what_a_record_may_hold_is_kept() -> None:
    """NUL, ten megabytes, a long number as text, a name that comes twice: odd, and not broken."""
    odd = [r'"\u0000"', json.dumps("x" * 10_000_000), json.dumps("9" * 400), '"a", "title": "b"', '"\\ud83d\\ude00"']
    page = batches.read(_page([_with('"x"', value) for value in odd]))
    assert (len(page.records), page.refused) == (5, ())


@pytest.mark.parametrize("owner", ["99999999-9999-4999-8999-999999999999", "", 5, None])
def test_a_broken_record_says_whose_it_is_as_far_as_it_does(owner: Any) -> None:
    broken = _with(f'"user_id": "{USER}"', f'"user_id": {json.dumps(owner)}').replace(b'"x"', rb'"\ud800"')
    (refused,) = batches.read(_page([broken])).refused
    assert refused.user_id == (owner if isinstance(owner, str) else json.dumps(owner))


def test_of_an_owner_that_comes_twice_the_last_counts_in_both_readings() -> None:
    other = "99999999-9999-4999-8999-999999999999"
    twice = _with('"user_id": ', f'"user_id": "{other}", "user_id": ')
    assert batches.read(_page([twice])).records[0].user_id == USER
    (refused,) = batches.read(_page([twice.replace(b'"x"', rb'"\ud800"')])).refused
    assert refused.user_id == USER


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"records": {}}',
        b'{"records": [',
        b'{"records": [], "has_more": "perhaps"}',
        b'{"records": [1], "next_cursor": []}',
        b'{"records": [1], "next_cursor": {"a": "\\ud800"}}',
        b'{"records": [1]} trailing',
        b"\xff\xfe",
    ],
)
def test_a_page_that_is_itself_out_of_form_is_refused_as_a_whole(body: bytes) -> None:
    with pytest.raises(ValueError, match="BatchResponse"):
        batches.read(body)


_json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(_json, max_size=4), st.booleans())
def test_whatever_stands_among_the_records_the_good_ones_come(others: list[Any], ascii_only: bool) -> None:
    good = [text.encode() for text in _texts()[: len(others) + 1]]
    odd = [json.dumps(other, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass") for other in others]
    rows = [row for pair in zip(good, [*odd, b""], strict=True) for row in pair if row]
    page = batches.read(_page(rows))
    assert [record.record_id for record in page.records] == [f"i{n}" for n in range(len(good))]
    assert len(page.refused) == len(others)
